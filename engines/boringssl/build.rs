//! Tells the engine which boring-sys it is built with: the library has no version of its own to ask for.

use std::env;
use std::fs;
use std::path::Path;

fn main() {
    let lock = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("Cargo.lock");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={}", lock.display());
    let locked = fs::read_to_string(lock).unwrap_or_default();
    let mut lines = locked.lines().skip_while(|line| *line != "name = \"boring-sys\"").skip(1);
    let version = lines.next().and_then(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    println!("cargo:rustc-env=BORING_SYS_VERSION={}", version.unwrap_or("unknown"));
}
