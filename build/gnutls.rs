//! Bindings to the system's GnuTLS, made from the headers that the build finds, and the library to link.

use std::env;
use std::path::Path;

use bindgen::{BindgenError, Builder};

/// The headers that the engine uses.
const HEADERS: &str = "\
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
";

/// The library is linked as a shared object even where the system has an archive of it as well: the archive's assembly
/// has the names of OpenSSL's, so that in one executable one library would run the code of the other.
pub fn bind() {
    match Builder::default()
        .header_contents("tlspair_gnutls.h", HEADERS)
        .allowlist_function("gnutls_.*")
        .allowlist_type("gnutls_.*")
        // Not every GNUTLS_ macro: some repeat the names of enumerators.
        .allowlist_var("gnutls_malloc|gnutls_free|GNUTLS_(E|HOOK|PRIORITY|VERSION)_.*|GNUTLS_VERSION")
        .prepend_enum_name(false)
        .generate_cstr(true)
        .layout_tests(false)
        .merge_extern_blocks(true)
        .generate_comments(false)
        .parse_callbacks(Box::new(bindgen::CargoCallbacks::new()))
        .generate()
    {
        Ok(bindings) => {
            let out = env::var("OUT_DIR").unwrap_or_default();
            let file = Path::new(&out).join("gnutls.rs");
            if let Err(error) = bindings.write_to_file(&file) {
                println!("cargo::error=cannot write {}: {error}", file.display());
            }
            println!("cargo::rustc-link-lib=dylib=gnutls");
        }
        Err(error) => println!("cargo::error={}", words(&error)),
    }
}

/// One line for a user who lacks the library's headers.
fn words(error: &BindgenError) -> String {
    let reason = error.to_string();
    if reason.contains("file not found") {
        return "the feature `gnutls` needs the headers of GnuTLS (Debian's package libgnutls28-dev)"
            .to_owned();
    }
    format!("no bindings to GnuTLS (Debian's package libgnutls28-dev): {}", reason.replace('\n', " "))
}
