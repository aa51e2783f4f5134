//! Memory over a long time, over Mbed TLS 3.6: `cargo bench --bench soak [-- CONNECTIONS]`

#[path = "../../../benches/soaking/mod.rs"]
mod soaking;

use tlspair::engine::Engines;

fn main() -> soaking::Result<()> {
    soaking::soak_all(&Engines::of(vec![Box::new(mbedtls_3_6::MbedTls36)]))
}
