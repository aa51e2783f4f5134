//! The tests of the main package that go over every engine, here over Mbed TLS 3.6; and Mbed TLS 3.6 with another library.

use mbedtls_3_6::MbedTls36;
use tlspair::engine::Engines;
use tlspair::engine::rustls::Rustls;

#[path = "../../../tests/it/contract.rs"]
mod contract;
#[path = "../../../tests/it/mixed.rs"]
#[allow(dead_code)] // the main package has more pairs
mod mixed;
#[path = "../../../tests/it/primitives.rs"]
mod primitives;
#[path = "../../../tests/it/support.rs"]
#[allow(dead_code)] // the main package has more tests
mod support;
#[path = "../../../tests/it/tamper/mod.rs"]
mod tamper;
#[path = "../../../tests/it/wire_engines.rs"]
mod wire_engines;

/// Engines that are only there for others to talk to.
const PARTNERS: &[&str] = &["rustls-ring"];

/// The engines that the tests are about, and their partner.
fn engines() -> Engines {
    Engines::of(vec![Box::new(MbedTls36), Box::new(Rustls::ring())])
}

#[test]
fn mbedtls_3_6_runs_with_rustls_what_both_support() {
    mixed::both_ways("mbedtls-3.6", "rustls-ring");
}
