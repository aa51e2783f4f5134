//! What is checked of the peer's certificates.

use std::cell::Cell as Slot;
use std::ffi::{c_int, c_void};
use std::ptr;

use tlspair::cell::{Auth, Cell, Verify};
use tlspair::engine::{EngineError, Side};

use crate::object::{Object, check};
use crate::sys;

/// Takes every key size, curve and hash in a chain: a cell of 1997 is signed with SHA-1 over 512 bits.
static ANY_KEY: sys::mbedtls_x509_crt_profile = sys::mbedtls_x509_crt_profile {
    allowed_mds: u32::MAX,
    allowed_pks: u32::MAX,
    allowed_curves: u32::MAX,
    rsa_min_bitlen: 512,
};

thread_local! {
    /// The rest of a peer's chain while the library looks at the leaf without it.
    static HIDDEN: Slot<*mut sys::mbedtls_x509_crt> = const { Slot::new(ptr::null_mut()) };
}

/// Pins what a side checks, against `root`, where anything is checked.
///
/// With [`Verify::None`] the library looks at no certificate: a client that checks nothing is an option of its own. A
/// server with that option would not ask for a certificate either, so it gets the option by which nothing found wrong
/// matters, and the chain is hidden from it while it looks: what remains is to compare the leaf's two dates and its kind
/// of key.
///
/// # Safety
/// `config` must be a configuration that lives no longer than `root`.
pub unsafe fn pin(
    config: *mut sys::mbedtls_ssl_config,
    side: Side,
    cell: &Cell,
    root: &Object<sys::mbedtls_x509_crt>,
) {
    let asks = side == Side::Client || cell.auth == Auth::Mutual;
    // SAFETY: the profile is static; the caller keeps the root; the callbacks need no argument.
    unsafe {
        if !asks || (side == Side::Client && cell.verify == Verify::None) {
            sys::mbedtls_ssl_conf_authmode(config, sys::MBEDTLS_SSL_VERIFY_NONE as c_int);
            return;
        }
        sys::mbedtls_ssl_conf_cert_profile(config, &raw const ANY_KEY);
        if cell.verify == Verify::None {
            sys::mbedtls_ssl_conf_authmode(config, sys::MBEDTLS_SSL_VERIFY_OPTIONAL as c_int);
            sys::mbedtls_ssl_conf_ca_cb(config, Some(hide_chain), ptr::null_mut());
            sys::mbedtls_ssl_conf_verify(config, Some(show_chain), ptr::null_mut());
        } else {
            sys::mbedtls_ssl_conf_authmode(config, sys::MBEDTLS_SSL_VERIFY_REQUIRED as c_int);
            sys::mbedtls_ssl_conf_ca_chain(config, root.at(), ptr::null_mut());
        }
    }
}

/// Adds a certificate to a chain.
pub fn append(chain: &Object<sys::mbedtls_x509_crt>, der: &[u8]) -> Result<(), EngineError> {
    // SAFETY: the library copies what it is given.
    check(unsafe { sys::mbedtls_x509_crt_parse_der(chain.at(), der.as_ptr(), der.len()) })
}

/// Asked by the library for the issuers that it may trust, offers none, and takes the rest of the peer's chain out of its
/// sight, so that no signature in it is checked.
unsafe extern "C" fn hide_chain(
    _context: *mut c_void,
    leaf: *const sys::mbedtls_x509_crt,
    issuers: *mut *mut sys::mbedtls_x509_crt,
) -> c_int {
    let leaf = leaf.cast_mut();
    // SAFETY: the leaf is in memory that the library allocated for this handshake and writes to elsewhere; nothing else
    // reads it during this call.
    unsafe {
        *issuers = ptr::null_mut();
        HIDDEN.set(ptr::replace(&raw mut (*leaf).next, ptr::null_mut()));
    }
    0
}

/// Called by the library for the leaf right after, on the same thread: puts the rest of the chain back in its place, for
/// the library to free, and forgives the leaf.
unsafe extern "C" fn show_chain(
    _context: *mut c_void,
    leaf: *mut sys::mbedtls_x509_crt,
    _depth: c_int,
    faults: *mut u32,
) -> c_int {
    // SAFETY: as in `hide_chain`, which the library has called with this same leaf: a leaf without issuers is the whole
    // chain.
    unsafe {
        (*leaf).next = HIDDEN.replace(ptr::null_mut());
        *faults = 0;
    }
    0
}
