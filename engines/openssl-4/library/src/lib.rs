//! OpenSSL 4 in the place of OpenSSL 3: what openssl-src 300 offers to build scripts, of openssl-src 400.

pub use openssl_src_400::{Artifacts, Build, source_dir, version};
