# The two commands of README, each of which sets a fresh machine up by itself. All else is plain cargo and tlspair.

.PHONY: classic test

# The SSL-overhead table of 1997, then and now.
classic:
	scripts/setup
	cargo build --release --locked
	target/release/tlspair classic

# All tests.
test:
	scripts/setup test
	cargo test --release --locked --no-fail-fast
