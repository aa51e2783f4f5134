# The commands of README, each of which sets a fresh machine up by itself. All else is plain cargo and tlspair.

.PHONY: classic all engines sizes test test-engines

# The SSL-overhead table of 1997, then and now.
classic:
	scripts/setup
	cargo build --release --locked
	target/release/tlspair classic

# The libraries that cannot share an executable with the others: one executable each, target/release/engines/<id>. (Cargo
# takes no dot in a package's name.)
engines:
	scripts/setup engines
	mkdir -p target/release/engines
	set -e; for manifest in engines/*/Cargo.toml; do \
	    id=$$(basename $$(dirname $$manifest)); \
	    cargo build --release --locked --manifest-path $$manifest --target-dir target/engines-build; \
	    cp -f target/engines-build/release/$$(echo $$id | tr . -) target/release/engines/$$id; \
	done

# All tests.
test:
	scripts/setup test
	cargo test --release --locked --features all --no-fail-fast

# The program with every engine that can share one executable. wolfSSL is under the GPL, and so is what contains it.
all:
	scripts/setup all
	cargo build --release --locked --features all

# What each library adds to an executable.
sizes:
	scripts/setup all
	@scripts/sizes

# The tests of those packages.
test-engines:
	scripts/setup engines
	set -e; for manifest in engines/*/Cargo.toml; do \
	    cargo test --release --locked --manifest-path $$manifest --target-dir target/engines-build; \
	done
