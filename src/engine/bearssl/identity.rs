//! What a side shows of itself: its chain, its key, and in which scheme it signs.
//!
//! The library's own policies answer the first of its hashes that the peer takes too. Here the choice is the cell's: the
//! library's policy class with another `choose`, which calls the library's and then puts the cell's hash in its place.

use std::ffi::{c_int, c_void};
use std::ptr;

use super::implementations::Implementations;
use super::object::{Object, error};
use super::sys;
use crate::cell::{Cell, Proto};
use crate::engine::EngineError;
use crate::fixtures;

/// What the library adds to a hash's number where it shall hash by itself what is to be signed.
pub(super) const HASH_AND_SIGN: u16 = 0xff00;

/// A chain and its key. It stays where it is made, because connections point into it.
pub(super) struct Identity {
    certificates: Vec<sys::br_x509_certificate>,
    /// What the certificates point to.
    _der: Vec<Vec<u8>>,
    key: Object<sys::br_skey_decoder_context>,
    scheme: Scheme,
}

/// What the cell says of signatures.
#[derive(Clone, Copy)]
struct Scheme {
    /// The hash, where it can be chosen: in TLS 1.2.
    hash: Option<u8>,
    /// Where the hash's bit for this kind of key lies in the library's sets.
    bit: u32,
}

impl Scheme {
    fn of(cell: &Cell) -> Self {
        let hash = cell.certificate_signature().code().map(|code| code.to_be_bytes()[0]);
        let hash = hash.filter(|_| cell.proto == Proto::Tls12);
        let base = if cell.cert.signs_with_rsa() { 0 } else { 8 };
        Self { hash, bit: base + u32::from(hash.unwrap_or(0)) }
    }

    fn is_in(self, taken_by_peer: u32) -> bool {
        self.hash.is_none() || taken_by_peer >> self.bit & 1 == 1
    }
}

impl Identity {
    pub(super) fn new(cell: &Cell, identity: &fixtures::Identity) -> Result<Self, EngineError> {
        let der = identity.chain.clone();
        let certificate =
            |der: &Vec<u8>| sys::br_x509_certificate { data: der.as_ptr().cast_mut(), data_len: der.len() };
        let key = decoded(&identity.key)?;
        let certificates = der.iter().map(certificate).collect();
        Ok(Self { certificates, _der: der, key, scheme: Scheme::of(cell) })
    }

    /// The key; none if it is of the other kind.
    fn rsa_key(&self) -> Option<*const sys::br_rsa_private_key> {
        // SAFETY: the decoder is filled in; only an address is taken of the union.
        unsafe {
            let is_rsa = u32::from((*self.key.at()).key_type) == sys::BR_KEYTYPE_RSA;
            is_rsa.then_some(&raw const (*self.key.at()).key.rsa)
        }
    }

    fn ec_key(&self) -> *const sys::br_ec_private_key {
        // SAFETY: only an address is taken.
        unsafe { &raw const (*self.key.at()).key.ec }
    }

    /// The library's policy for a server with this identity.
    fn set_on_server(&self, server: *mut sys::br_ssl_server_context, with: &Implementations) {
        let (chain, length) = (self.certificates.as_ptr(), self.certificates.len());
        let usages = sys::BR_KEYTYPE_KEYX | sys::BR_KEYTYPE_SIGN;
        // SAFETY: chain and key are parts of `self`, which the server's owner keeps.
        unsafe {
            match self.rsa_key() {
                Some(key) => {
                    let (decrypt, sign) = (with.rsa_private, with.rsa_sign);
                    sys::br_ssl_server_set_single_rsa(server, chain, length, key, usages, decrypt, sign);
                }
                None => {
                    let (key, issuer) = (self.ec_key(), sys::BR_KEYTYPE_EC);
                    let (curves, sign) = (with.curves, with.ecdsa_sign);
                    sys::br_ssl_server_set_single_ec(
                        server,
                        chain,
                        length,
                        key,
                        sys::BR_KEYTYPE_SIGN,
                        issuer,
                        curves,
                        sign,
                    );
                }
            }
        }
    }

    /// The library's handler for a client with this identity.
    fn set_on_client(&self, client: *mut sys::br_ssl_client_context, with: &Implementations) {
        let (chain, length) = (self.certificates.as_ptr(), self.certificates.len());
        // SAFETY: chain and key are parts of `self`, which the client's owner keeps.
        unsafe {
            match self.rsa_key() {
                Some(key) => sys::br_ssl_client_set_single_rsa(client, chain, length, key, with.rsa_sign),
                None => {
                    let (key, issuer) = (self.ec_key(), sys::BR_KEYTYPE_EC);
                    let (curves, sign) = (with.curves, with.ecdsa_sign);
                    sys::br_ssl_client_set_single_ec(
                        client,
                        chain,
                        length,
                        key,
                        sys::BR_KEYTYPE_SIGN,
                        issuer,
                        curves,
                        sign,
                    );
                }
            }
        }
    }
}

/// A private key as the library keeps it, from its PKCS#8 DER.
pub(super) fn decoded(der: &[u8]) -> Result<Object<sys::br_skey_decoder_context>, EngineError> {
    let key = Object::<sys::br_skey_decoder_context>::uninit();
    // SAFETY: the first function fills the decoder in, the second copies what it needs of the key.
    let fault = unsafe {
        sys::br_skey_decoder_init(key.at());
        sys::br_skey_decoder_push(key.at(), der.as_ptr().cast::<c_void>(), der.len());
        (*key.at()).err
    };
    if fault == 0 { Ok(key) } else { Err(error(fault)) }
}

/// How a server chooses.
#[repr(C)]
pub(super) struct ServerPolicy {
    class: sys::br_ssl_server_policy_class,
    library: sys::br_ssl_server_policy_class,
    identity: Identity,
}

impl ServerPolicy {
    pub(super) fn new(identity: Identity, with: &Implementations) -> Self {
        let server = Object::<sys::br_ssl_server_context>::uninit();
        // SAFETY: the first function fills the context in, the second sets its policy, which points to a constant class.
        let library = unsafe {
            sys::br_ssl_server_zero(server.at());
            identity.set_on_server(server.at(), with);
            *(*server.at()).chain_handler.vtable
        };
        let class = sys::br_ssl_server_policy_class { choose: Some(choose_for_server), ..library };
        Self { class, library, identity }
    }

    /// Makes `server` go by this policy, which must outlive it.
    pub(super) fn install(&self, server: *mut sys::br_ssl_server_context, with: &Implementations) {
        self.identity.set_on_server(server, with);
        // SAFETY: the context has the library's policy, whose class is replaced by one with the same context.
        unsafe { (*server).chain_handler.vtable = (&raw const *self).cast() };
    }
}

unsafe extern "C" fn choose_for_server(
    context: *mut *const sys::br_ssl_server_policy_class,
    server: *const sys::br_ssl_server_context,
    choices: *mut sys::br_ssl_server_choices,
) -> c_int {
    // SAFETY: the class is the first field of the policy that `install` has set; the rest is the library's.
    unsafe {
        let policy = &*(*context).cast::<ServerPolicy>();
        let Some(choose) = policy.library.choose else { return 0 };
        let scheme = policy.identity.scheme;
        if choose(context, server, choices) == 0 || !scheme.is_in((*server).hashes) {
            return 0;
        }
        if let Some(hash) = scheme.hash {
            (*choices).algo_id = u32::from(HASH_AND_SIGN) + u32::from(hash);
        }
    }
    1
}

/// How a client answers a server that asks for a certificate.
#[repr(C)]
pub(super) struct ClientPolicy {
    class: sys::br_ssl_client_certificate_class,
    library: sys::br_ssl_client_certificate_class,
    identity: Identity,
}

impl ClientPolicy {
    pub(super) fn new(identity: Identity, with: &Implementations) -> Self {
        let client = Object::<sys::br_ssl_client_context>::uninit();
        // SAFETY: the first function fills the context in, the second sets its handler, which points to a constant class.
        let library = unsafe {
            sys::br_ssl_client_zero(client.at());
            identity.set_on_client(client.at(), with);
            *(*client.at()).client_auth.vtable
        };
        let class = sys::br_ssl_client_certificate_class { choose: Some(choose_for_client), ..library };
        Self { class, library, identity }
    }

    /// Makes `client` go by this policy, which must outlive it.
    pub(super) fn install(&self, client: *mut sys::br_ssl_client_context, with: &Implementations) {
        self.identity.set_on_client(client, with);
        // SAFETY: the context has the library's handler, whose class is replaced by one with the same context.
        unsafe { (*client).client_auth.vtable = (&raw const *self).cast() };
    }
}

unsafe extern "C" fn choose_for_client(
    context: *mut *const sys::br_ssl_client_certificate_class,
    client: *const sys::br_ssl_client_context,
    taken_by_server: u32,
    choices: *mut sys::br_ssl_client_certificate,
) {
    // SAFETY: the class is the first field of the policy that `install` has set; the rest is the library's.
    unsafe {
        let policy = &*(*context).cast::<ClientPolicy>();
        if let Some(choose) = policy.library.choose {
            choose(context, client, taken_by_server, choices);
        }
        let scheme = policy.identity.scheme;
        if !scheme.is_in(taken_by_server) {
            // As the library does where it finds no hash: the server decides whether it goes on without a certificate.
            (*choices).chain = ptr::null();
            (*choices).chain_len = 0;
        } else if let Some(hash) = scheme.hash {
            (*choices).hash_id = hash.into();
        }
    }
}
