# The commands of README, each of which sets a fresh machine up by itself. All else is plain cargo and tlspair.

.PHONY: classic engines test test-engines

# The SSL-overhead table of 1997, then and now.
classic:
	scripts/setup
	cargo build --release --locked
	target/release/tlspair classic

# The libraries that cannot share an executable with the others: one executable each, target/release/engines/<id>.
engines:
	scripts/setup engines
	mkdir -p target/release/engines
	set -e; for manifest in engines/*/Cargo.toml; do \
	    id=$$(basename $$(dirname $$manifest)); \
	    cargo build --release --locked --manifest-path $$manifest --target-dir target/engines-build; \
	    cp -f target/engines-build/release/$$id target/release/engines/; \
	done

# All tests.
test:
	scripts/setup test
	cargo test --release --locked --no-fail-fast

# The tests of those packages.
test-engines:
	scripts/setup engines
	set -e; for manifest in engines/*/Cargo.toml; do \
	    cargo test --release --locked --manifest-path $$manifest --target-dir target/engines-build; \
	done
