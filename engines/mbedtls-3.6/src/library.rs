//! The library as a whole: what it says of itself.

use std::ffi::{CStr, c_char};

use tlspair::engine::EngineError;

use crate::sys;

/// The library's version, in its own words.
pub fn version() -> String {
    let mut text: [c_char; 16] = [0; 16];
    // SAFETY: the function writes at most 9 bytes including the final zero.
    unsafe { sys::mbedtls_version_get_string(text.as_mut_ptr()) };
    // SAFETY: the text is zero-terminated: it was all zeros and was written as a C string.
    unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned()
}

/// Whether the library was compiled with this switch of its configuration.
pub fn was_built_with(switch: &CStr) -> bool {
    // SAFETY: the function only compares the C string it is given with its own list.
    unsafe { sys::mbedtls_version_check_feature(switch.as_ptr()) == 0 }
}

/// Starts the library's second half, PSA, which TLS 1.3 needs. It may be called more than once.
pub fn start() -> Result<(), EngineError> {
    // SAFETY: takes no argument.
    check_psa(unsafe { sys::psa_crypto_init() })
}

/// Turns PSA's answer into a result.
#[inline]
pub fn check_psa(status: sys::psa_status_t) -> Result<(), EngineError> {
    if status == 0 { Ok(()) } else { Err(psa_error(status)) }
}

#[cold]
fn psa_error(status: sys::psa_status_t) -> EngineError {
    EngineError::new(format_args!("PSA answered {status}"))
}

/// How it was built.
pub fn build() -> String {
    let switches = [
        (c"MBEDTLS_THREADING_C", "mutexes"),
        (c"MBEDTLS_X509_TRUSTED_CERTIFICATE_CALLBACK", "a callback for trusted certificates"),
    ];
    let added: Vec<&str> =
        switches.iter().filter(|(switch, _)| was_built_with(switch)).map(|(_, words)| *words).collect();
    let assembly = if was_built_with(c"MBEDTLS_HAVE_ASM") { "assembly" } else { "no assembly" };
    let configuration = format!("default configuration and {}", added.join(" and "));
    ["static", env!("MBEDTLS_OPTIMISATION"), &configuration, assembly, aes()].join(", ")
}

/// What AES runs on: compiled in, and found in this CPU by the library itself.
#[cfg(target_arch = "x86_64")]
fn aes() -> &'static str {
    let found = |feature: u32| {
        // SAFETY: the function reads CPUID and keeps the answer in a static of its own.
        was_built_with(c"MBEDTLS_AESNI_C") && unsafe { sys::mbedtls_aesni_has_support(feature) == 1 }
    };
    match (found(sys::MBEDTLS_AESNI_AES), found(sys::MBEDTLS_AESNI_CLMUL)) {
        (true, true) => "AES-NI and PCLMULQDQ, one block at a time",
        (true, false) => "AES-NI, one block at a time",
        (false, _) => "AES in portable C",
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn aes() -> &'static str {
    if was_built_with(c"MBEDTLS_AESCE_C") {
        "AES instructions of Arm if there are any"
    } else {
        "AES in portable C"
    }
}
