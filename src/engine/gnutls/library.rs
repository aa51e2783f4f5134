//! The library as a whole: how it starts, what it says of itself, and its words for errors.

use std::ffi::{CStr, c_char, c_int};
use std::ptr;
use std::sync::Once;

use super::sys;
use crate::engine::EngineError;

/// Starts the library, unless that has been done.
///
/// Nothing of the machine's may have a say in what a cell is, so the library is kept from its system-wide
/// configuration: it does not start by itself before the program does (see [`_gnutls_global_init_skip`]), and when it
/// starts here it reads an empty file in place of the system's (see [`NO_CONFIGURATION`]).
pub(super) fn start() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        // SAFETY: takes nothing; it is called once, and before any other function of the library.
        let code = unsafe { sys::gnutls_global_init() };
        assert_eq!(code, 0, "GnuTLS starts wherever it could be loaded");
    });
}

/// The library asks its program by this name whether to wait for `gnutls_global_init`, instead of starting when it is
/// loaded.
#[unsafe(no_mangle)]
extern "C" fn _gnutls_global_init_skip() -> c_int {
    1
}

/// Runs before `main`, while there is no second thread that could be reading the environment.
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static NO_CONFIGURATION: extern "C" fn() = without_configuration;

/// Of the processor's instructions the library is to use what there is, whatever the environment says.
extern "C" fn without_configuration() {
    // SAFETY: all are C strings; no other thread runs yet.
    unsafe {
        libc::setenv(c"GNUTLS_SYSTEM_PRIORITY_FILE".as_ptr(), c"/dev/null".as_ptr(), 1);
        libc::unsetenv(c"GNUTLS_CPUID_OVERRIDE".as_ptr());
    }
}

/// The library's version, in its own words.
pub(super) fn version() -> String {
    // SAFETY: without a version to compare with, the answer is the library's own, a static C string.
    text(unsafe { sys::gnutls_check_version(ptr::null()) })
}

/// How it was built, as far as it can be known.
pub(super) fn build() -> String {
    // SAFETY: takes nothing; the answer is null or a static C string.
    let file = text(unsafe { sys::gnutls_get_system_config_file() });
    // SAFETY: takes nothing.
    let fips = if unsafe { sys::gnutls_fips140_mode_enabled() } == 0 { "" } else { ", FIPS 140 mode" };
    let configuration = match file.as_str() {
        "" | "/dev/null" => "no system-wide configuration".to_owned(),
        file => format!("configured by {file}"),
    };
    let headers = sys::GNUTLS_VERSION.to_string_lossy();
    format!("the system's shared library, headers {headers}, {configuration}{fips}")
}

/// A C string of the library's, or nothing for null.
pub(super) fn text(string: *const c_char) -> String {
    if string.is_null() {
        return String::new();
    }
    // SAFETY: the callers' strings are static ones of the library.
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}

/// Turns the library's answer into a result: negative numbers are errors.
#[inline]
pub(super) fn check(code: c_int) -> Result<(), EngineError> {
    if code >= 0 { Ok(()) } else { Err(error(code)) }
}

/// The library's words for an error code, and the code as the library prints it.
#[cold]
pub(super) fn error(code: c_int) -> EngineError {
    // SAFETY: the function maps a number to a static C string.
    let words = text(unsafe { sys::gnutls_strerror(code) });
    EngineError::new(format_args!("{words} ({code})"))
}
