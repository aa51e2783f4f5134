//! wolfSSL as a whole: started once for the process, asked how it was built.

use std::ffi::{CStr, c_char, c_int};
use std::sync::OnceLock;

use wolfssl_sys as sys;

use crate::engine::EngineError;

/// The library's name.
pub(super) const NAME: &str = "wolfSSL";

/// What the library's functions answer when they succeed.
pub(super) const SUCCESS: c_int = sys::WOLFSSL_SUCCESS as c_int;

/// Starts the library; does nothing from the second call on.
pub(super) fn start() -> Result<(), EngineError> {
    static STARTED: OnceLock<Result<(), EngineError>> = OnceLock::new();
    // SAFETY: may be called at any time, and needs nothing.
    STARTED.get_or_init(|| check(unsafe { sys::wolfSSL_Init() })).clone()
}

/// Turns the answer of a function that sets something into a result.
pub(super) fn check(answer: c_int) -> Result<(), EngineError> {
    if answer == SUCCESS { Ok(()) } else { Err(error(answer)) }
}

/// The library's words for an error code, and the code as its documentation lists it.
#[cold]
pub(super) fn error(code: c_int) -> EngineError {
    EngineError::new(format_args!("{} ({code})", words(code)))
}

fn words(code: c_int) -> String {
    let mut text: [c_char; 160] = [0; 160];
    // SAFETY: the function writes a C string of at most the length it is given.
    unsafe { sys::wolfSSL_ERR_error_string_n(i64::from(code) as _, text.as_mut_ptr(), text.len() as _) };
    // SAFETY: the buffer was all zeros and the library leaves a zero at the end of what it writes.
    unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned()
}

/// The library's version, in its own words.
pub(super) fn version() -> String {
    // SAFETY: answers with a static C string.
    unsafe { CStr::from_ptr(sys::wolfSSL_lib_version()) }.to_string_lossy().into_owned()
}

/// The switches that the library's own configure script was given, compiler flags among them.
fn configured() -> String {
    // SAFETY: answers with a static C string.
    unsafe { CStr::from_ptr(sys::wolfSSL_configure_args()) }.to_string_lossy().into_owned()
}

/// Whether several threads may use the library at a time.
pub(super) fn is_for_threads() -> bool {
    let configured = configured();
    !["-DSINGLE_THREADED", "--enable-singlethreaded"].iter().any(|switch| configured.contains(switch))
}

/// How it was built, out of what the library says.
pub(super) fn build() -> String {
    let configured = configured();
    let mut parts = vec!["static".to_owned()];
    // The compiler's last `-O` flag is the one that counts.
    let mut flags = configured.split([' ', '\'', '=']);
    parts.extend(flags.rfind(|flag| flag.starts_with("-O")).map(str::to_owned));
    let switches = [
        ("--enable-intelasm", "Intel assembly"),
        ("--enable-armasm", "ARM assembly"),
        ("--enable-aesni", "AES-NI"),
        ("--enable-sp-asm", "single precision assembly"),
        ("-DWOLFSSL_STATIC_RSA", "static RSA"),
        ("-DHAVE_NULL_CIPHER", "NULL ciphers"),
    ];
    let found = switches.iter().filter(|(switch, _)| configured.contains(switch));
    parts.extend(found.map(|(_, words)| (*words).to_owned()));
    parts.join(", ")
}
