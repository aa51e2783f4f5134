//! Memory over a long time, over BoringSSL: `cargo bench --bench soak [-- CONNECTIONS]`

#[path = "../../../benches/soaking/mod.rs"]
mod soaking;

use tlspair::engine::Engines;

fn main() -> soaking::Result<()> {
    soaking::soak_all(&Engines::of(vec![Box::new(boringssl::BoringSsl::new())]))
}
