//! The tests of the main package that go over every engine, here over BoringSSL.

use boringssl::BoringSsl;
use tlspair::engine::Engines;

#[path = "../../../tests/it/contract.rs"]
mod contract;
#[path = "../../../tests/it/support.rs"]
#[allow(dead_code)] // the main package has more tests
mod support;
#[path = "../../../tests/it/tamper/mod.rs"]
mod tamper;
#[path = "../../../tests/it/wire_engines.rs"]
mod wire_engines;

/// The engines that the tests are about.
fn engines() -> Engines {
    Engines::of(vec![Box::new(BoringSsl::new())])
}
