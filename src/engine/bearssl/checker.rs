//! What looks at the peer's certificates: the library's own validator, with or without the name, or no validator.

use std::ffi::{c_char, c_uint};
use std::ptr;

use super::object::Object;
use super::pinned::Pinned;
use super::sys;
use crate::cell::{Auth, Cell, Verify};
use crate::engine::Side;

/// The smallest RSA keys, in bytes, that the library's validator takes. A program may ask for another limit, but one that is
/// lower makes the validator refuse all RSA keys: the library reads the difference between the two without its sign.
pub(super) const LEAST_RSA_BYTES: u16 = 128;

/// What a side checks of its peer's certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checks {
    /// Nothing: there are none, or they are taken as they are.
    Nothing,
    /// The chain.
    Chain,
    /// The chain and the server's name.
    ChainAndName,
}

impl Checks {
    pub(super) fn of(side: Side, cell: &Cell) -> Self {
        match (cell.verify, side) {
            (Verify::None, _) => Self::Nothing,
            (_, Side::Server) if cell.auth == Auth::Server => Self::Nothing,
            (Verify::Name, Side::Client) => Self::ChainAndName,
            (Verify::Chain, _) | (Verify::Name, Side::Server) => Self::Chain,
        }
    }
}

/// The certificate engine of one connection.
pub(super) enum Checker {
    Leaf(Object<LeafReader>),
    Chain(Object<sys::br_x509_minimal_context>),
}

impl Checker {
    pub(super) fn new(pinned: &Pinned) -> Self {
        if pinned.checks == Checks::Nothing {
            let reader = Object::<LeafReader>::uninit();
            // SAFETY: memory for a reader; the rest is filled in with each chain.
            unsafe { (*reader.at()).class = &raw const LEAF_READER };
            return Self::Leaf(reader);
        }
        let validator = Object::<sys::br_x509_minimal_context>::uninit();
        let with = &pinned.implementations;
        // SAFETY: the function fills the context in. The root and the class are parts of `pinned`, which the connection
        // keeps; implementations are constants of the library.
        unsafe {
            sys::br_x509_minimal_init_full(validator.at(), &raw const pinned.root.anchor, 1);
            // As in the library's own full client: left alone, a validator takes curves for any prime, half as fast.
            (*validator.at()).irsa = with.rsa_verify;
            (*validator.at()).iecdsa = with.ecdsa_verify;
            (*validator.at()).iec = with.curves;
            if pinned.checks == Checks::Chain {
                (*validator.at()).vtable = &raw const pinned.chain_without_name;
            }
        }
        Self::Chain(validator)
    }

    /// Where it is: for the library's functions, and to be valid no longer than `self`.
    pub(super) fn at(&self) -> *mut *const sys::br_x509_class {
        match self {
            Self::Leaf(reader) => reader.at().cast(),
            Self::Chain(validator) => validator.at().cast(),
        }
    }
}

/// The library's validator, but for one thing: it is told no name. The client still sends the name.
pub(super) fn chain_without_name() -> sys::br_x509_class {
    // SAFETY: reads a constant of the library.
    let validator = unsafe { sys::br_x509_minimal_vtable };
    sys::br_x509_class { start_chain: Some(start_chain_without_name), ..validator }
}

unsafe extern "C" fn start_chain_without_name(
    checker: *mut *const sys::br_x509_class,
    _server_name: *const c_char,
) {
    // SAFETY: reads a constant of the library, and passes its function the library's own arguments.
    unsafe {
        if let Some(start_chain) = sys::br_x509_minimal_vtable.start_chain {
            start_chain(checker, ptr::null());
        }
    }
}

/// Takes the key out of the first certificate, by the library's decoder, and passes over the others.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct LeafReader {
    class: *const sys::br_x509_class,
    decoder: sys::br_x509_decoder_context,
    certificates: u32,
}

static LEAF_READER: sys::br_x509_class = sys::br_x509_class {
    context_size: size_of::<LeafReader>(),
    start_chain: Some(start_chain),
    start_cert: Some(start_certificate),
    append: Some(append),
    end_cert: Some(end_certificate),
    end_chain: Some(end_chain),
    get_pkey: Some(key),
};

unsafe extern "C" fn start_chain(reader: *mut *const sys::br_x509_class, _server_name: *const c_char) {
    let reader: *mut LeafReader = reader.cast();
    // SAFETY: the library calls the functions of a class with a context of it, whose first field is the class.
    unsafe { (*reader).certificates = 0 };
}

unsafe extern "C" fn start_certificate(reader: *mut *const sys::br_x509_class, _length: u32) {
    let reader: *mut LeafReader = reader.cast();
    // SAFETY: as in `start_chain`. The decoder's function fills it in; it gets no callback for the name.
    unsafe {
        if (*reader).certificates == 0 {
            sys::br_x509_decoder_init(&raw mut (*reader).decoder, None, ptr::null_mut());
        }
    }
}

unsafe extern "C" fn append(reader: *mut *const sys::br_x509_class, bytes: *const u8, length: usize) {
    let reader: *mut LeafReader = reader.cast();
    // SAFETY: as in `start_chain`. The decoder was filled in when the certificate started; the bytes are the library's.
    unsafe {
        if (*reader).certificates == 0 {
            sys::br_x509_decoder_push(&raw mut (*reader).decoder, bytes.cast(), length);
        }
    }
}

unsafe extern "C" fn end_certificate(reader: *mut *const sys::br_x509_class) {
    let reader: *mut LeafReader = reader.cast();
    // SAFETY: as in `start_chain`.
    unsafe { (*reader).certificates += 1 };
}

unsafe extern "C" fn end_chain(reader: *mut *const sys::br_x509_class) -> c_uint {
    let reader: *mut LeafReader = reader.cast();
    // SAFETY: as in `start_chain`; the decoder is filled in once a certificate has started.
    let (error, decoded) = unsafe {
        if (*reader).certificates == 0 {
            return sys::BR_ERR_X509_EMPTY_CHAIN;
        }
        ((*reader).decoder.err, (*reader).decoder.decoded != 0)
    };
    if error == 0 && !decoded { sys::BR_ERR_X509_TRUNCATED } else { error.cast_unsigned() }
}

unsafe extern "C" fn key(
    reader: *const *const sys::br_x509_class,
    usages: *mut c_uint,
) -> *const sys::br_x509_pkey {
    let reader: *const LeafReader = reader.cast();
    // SAFETY: as in `start_chain`; `usages` is null or the library's.
    unsafe {
        if !usages.is_null() {
            *usages = sys::BR_KEYTYPE_KEYX | sys::BR_KEYTYPE_SIGN;
        }
        &raw const (*reader).decoder.pkey
    }
}
