//! Tells the library what it was built from: the versions that cannot be asked for at run time.
//!
//! It also makes openssl-src a build dependency of this package, which is what gives its features effect.

#![allow(clippy::print_stdout, reason = "it is how a build script speaks to Cargo")]
#[cfg(feature = "bearssl")]
mod bearssl;
#[cfg(feature = "gnutls")]
mod gnutls;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The packages whose versions the engines tell.
const PACKAGES: [&str; 9] = [
    "rustls",
    "aws-lc-rs",
    "aws-lc-sys",
    "ring",
    "rustls-graviola",
    "graviola",
    "mbedtls",
    "openssl-src",
    "s2n-tls-sys",
];

fn main() {
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=fixtures/certs");
    println!("cargo:rerun-if-changed=suites");
    println!("cargo:rerun-if-env-changed=CFLAGS");
    let lock = lock_file();
    println!("cargo:rerun-if-changed={}", lock.display());
    let locked = fs::read_to_string(&lock).unwrap_or_default();
    for package in PACKAGES {
        let name = package.to_uppercase().replace('-', "_");
        let version = locked_version(&locked, package).unwrap_or("unknown");
        println!("cargo:rustc-env=TLSPAIR_{name}_VERSION={version}");
    }
    // The symbols of AWS-LC carry its version.
    println!("cargo:rustc-check-cfg=cfg(aws_lc_symbols)");
    if let Some(version) = locked_version(&locked, "aws-lc-sys") {
        println!("cargo:rustc-env=TLSPAIR_AWS_LC_PREFIX=aws_lc_{}", version.replace('.', "_"));
        println!("cargo:rustc-cfg=aws_lc_symbols");
    }
    for variable in ["TARGET", "PROFILE", "OPT_LEVEL"] {
        let value = env::var(variable).unwrap_or_default();
        println!("cargo:rustc-env=TLSPAIR_{variable}={value}");
    }
    println!("cargo:rustc-env=TLSPAIR_CFLAGS={}", env::var("CFLAGS").unwrap_or_default());
    #[cfg(feature = "bearssl")]
    bearssl::bind();
    #[cfg(feature = "gnutls")]
    gnutls::bind();
}

/// The lock file that decides this build: the nearest above the build folder (an engine package of its own has
/// its own), else this package's.
fn lock_file() -> PathBuf {
    let out = env::var("OUT_DIR").unwrap_or_default();
    let manifest = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    Path::new(&out)
        .ancestors()
        .map(|folder| folder.join("Cargo.lock"))
        .find(|path| path.is_file())
        .unwrap_or_else(|| Path::new(&manifest).join("Cargo.lock"))
}

fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name_line = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name_line);
    lines.next()?;
    lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')
}
