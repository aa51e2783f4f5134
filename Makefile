# The two commands of README, each of which sets a fresh machine up by itself. All else is plain cargo and tlspair.

.PHONY: classic test all sizes

# The SSL-overhead table of 1997, then and now.
classic:
	scripts/setup
	cargo build --release --locked
	target/release/tlspair classic

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
