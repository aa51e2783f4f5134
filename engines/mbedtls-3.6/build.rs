//! Compiles the library's sources, which the crate mbedtls-rs-sys carries, with the library's own configuration, and binds
//! its headers. That crate compiles them as well, for small devices and so without the processor's instructions; nothing of
//! that is linked.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// What is added to the configuration: mutexes, without which the library's global state is not for several threads, and
/// the callback by which a server looks at no certificate and yet asks for one.
const ADDED: [&str; 3] =
    ["MBEDTLS_THREADING_C", "MBEDTLS_THREADING_PTHREAD", "MBEDTLS_X509_TRUSTED_CERTIFICATE_CALLBACK"];

/// Takes back what the environment's CFLAGS add for another version of the library, and this one would heed.
const OWN_CONFIGURATION: &str = "#undef MBEDTLS_CIPHER_NULL_CIPHER\n";

/// As the library's own build files have it for releases, whatever Cargo's profile says.
const OPTIMISATION: &str = "2";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CFLAGS");
    println!("cargo:rustc-env=MBEDTLS_OPTIMISATION=-O{OPTIMISATION}");
    let sources = sources();
    compile(&sources);
    bind(&sources);
}

/// The library's folder in the crate, by the way to its headers that the crate tells.
fn sources() -> PathBuf {
    let told = env::var_os("DEP_MBEDTLS_INCLUDE").expect("mbedtls-rs-sys tells its folders of headers");
    env::split_paths(&told)
        .filter_map(|folder| folder.parent().map(Path::to_path_buf))
        .find(|folder| folder.join("library/ssl_tls.c").is_file())
        .expect("mbedtls-rs-sys carries the sources")
}

/// Folders of headers, in the order of the library's own build files.
fn include_folders(sources: &Path) -> [PathBuf; 7] {
    [
        "library",
        "include",
        "3rdparty/everest/include",
        "3rdparty/everest/include/everest",
        "3rdparty/everest/include/everest/kremlib",
        "3rdparty/p256-m/p256-m/include",
        "3rdparty/p256-m/p256-m/include/p256-m",
    ]
    .map(|folder| sources.join(folder))
}

fn compile(sources: &Path) {
    let mut build = cc::Build::new();
    build.includes(include_folders(sources)).define("_FILE_OFFSET_BITS", "64").warnings(false);
    build.opt_level_str(OPTIMISATION);
    for switch in ADDED {
        build.define(switch, None);
    }
    // The environment's flags come last, but for what a header says.
    let own_configuration = out_folder().join("own_configuration.h");
    fs::write(&own_configuration, OWN_CONFIGURATION).expect("the header can be written");
    build.flag("-include").flag(&own_configuration);
    let library = sources.join("library").read_dir().expect("the folder of the sources can be read");
    let mut files: Vec<PathBuf> = library
        .map(|entry| entry.expect("the folder of the sources can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    let third_parties = [
        "everest/library/everest.c",
        "everest/library/x25519.c",
        "everest/library/Hacl_Curve25519_joined.c",
        "p256-m/p256-m_driver_entrypoints.c",
        "p256-m/p256-m/p256-m.c",
    ];
    files.extend(third_parties.map(|file| sources.join("3rdparty").join(file)));
    // Its own name: the crate's folder of libraries is searched as well.
    build.files(files).compile("tlspair_mbedtls_3_6");
}

/// Binds the library's inner header of TLS: what was negotiated is in part known to the running handshake only.
fn bind(sources: &Path) {
    let includes = include_folders(sources).map(|folder| format!("-I{}", folder.display()));
    let classic =
        "mbedtls_(ssl|ctr_drbg|entropy|pk|pkcs5|md|cipher|asn1_get|x509_crt|strerror|version|aesni)_?.*";
    let psa =
        "psa_(crypto_init|key_derivation|raw_key_agreement|(generate|import|export_public|destroy)_key).*";
    bindgen::Builder::default()
        .header_contents("headers.h", HEADERS)
        .clang_args(includes)
        .clang_args(ADDED.map(|switch| format!("-D{switch}")))
        .clang_arg("-DMBEDTLS_ALLOW_PRIVATE_ACCESS")
        .allowlist_function(classic)
        .allowlist_function(psa)
        .allowlist_type("mbedtls_(ssl_states|ssl_handshake_params|pk_rsassa_pss_options)")
        .allowlist_var("MBEDTLS_(SSL|ERR|ECP|PK|MD|CIPHER|PADDING|ASN1|X509|AESNI)_.*|MBEDTLS_MPI_MAX_SIZE|MBEDTLS_(EN|DE)CRYPT")
        .allowlist_var(PSA_NAMES)
        .default_enum_style(bindgen::EnumVariation::Consts)
        .prepend_enum_name(false)
        .derive_default(true)
        .layout_tests(false)
        .generate_comments(false)
        .parse_callbacks(Box::new(bindgen::CargoCallbacks::new()))
        .generate()
        .expect("the headers can be bound")
        .write_to_file(out_folder().join("sys.rs"))
        .expect("the bindings can be written");
}

fn out_folder() -> PathBuf {
    PathBuf::from(env::var_os("OUT_DIR").expect("Cargo names the folder for what a build script makes"))
}

const HEADERS: &str = r#"
#include "ssl_misc.h"
#include "aesni.h"
#include "mbedtls/aes.h"
#include "mbedtls/asn1.h"
#include "mbedtls/cipher.h"
#include "mbedtls/cmac.h"
#include "mbedtls/ctr_drbg.h"
#include "mbedtls/entropy.h"
#include "mbedtls/error.h"
#include "mbedtls/md.h"
#include "mbedtls/pkcs5.h"
#include "mbedtls/ssl.h"
#include "mbedtls/ssl_cache.h"
#include "mbedtls/ssl_ticket.h"
#include "mbedtls/version.h"
#include "psa/crypto.h"

static const psa_algorithm_t EXTRACT_SHA256 = PSA_ALG_HKDF_EXTRACT(PSA_ALG_SHA_256);
static const psa_algorithm_t EXTRACT_SHA384 = PSA_ALG_HKDF_EXTRACT(PSA_ALG_SHA_384);
static const psa_algorithm_t EXPAND_SHA256 = PSA_ALG_HKDF_EXPAND(PSA_ALG_SHA_256);
static const psa_algorithm_t EXPAND_SHA384 = PSA_ALG_HKDF_EXPAND(PSA_ALG_SHA_384);
static const psa_algorithm_t ECDH = PSA_ALG_ECDH;
static const psa_algorithm_t FFDH = PSA_ALG_FFDH;
static const psa_key_type_t MONTGOMERY = PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY);
static const psa_key_type_t SECP_R1 = PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1);
static const psa_key_type_t RFC7919 = PSA_KEY_TYPE_DH_KEY_PAIR(PSA_DH_FAMILY_RFC7919);
static const psa_key_usage_t DERIVE = PSA_KEY_USAGE_DERIVE;
static const psa_key_derivation_step_t SALT = PSA_KEY_DERIVATION_INPUT_SALT;
static const psa_key_derivation_step_t SECRET = PSA_KEY_DERIVATION_INPUT_SECRET;
static const psa_key_derivation_step_t INFO = PSA_KEY_DERIVATION_INPUT_INFO;
"#;

/// What these headers name themselves, because the library has it in macros that no binding reaches.
const PSA_NAMES: &str =
    "(EXTRACT|EXPAND)_SHA(256|384)|ECDH|FFDH|MONTGOMERY|SECP_R1|RFC7919|DERIVE|SALT|SECRET|INFO";
