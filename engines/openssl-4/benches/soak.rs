//! Memory over a long time, over OpenSSL 4: `cargo bench --bench soak [-- CONNECTIONS]`

#[path = "../../../benches/soaking/mod.rs"]
mod soaking;

use tlspair::engine::Engines;
use tlspair::engine::openssl::OpenSsl;

fn main() -> soaking::Result<()> {
    soaking::soak_all(&Engines::of(vec![Box::new(OpenSsl::named("openssl-4"))]))
}
