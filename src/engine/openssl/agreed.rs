//! What a connection says was agreed on.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::slice;

use foreign_types_shared::ForeignType;
use openssl_sys as sys;

use super::endpoint::Connection;
use super::ffi;
use crate::cell::{Alpn, Group, Proto, SignatureScheme};
use crate::engine::{EngineError, Negotiated, Side};

impl Connection {
    /// All of it.
    pub(super) fn agreed(&self) -> Result<Negotiated, EngineError> {
        let proto = self.proto()?;
        let resumed = self.is_resumed();
        let is_static_rsa = self.shared.pinned.is_static_rsa;
        Ok(Negotiated {
            proto,
            cipher: self.cipher()?,
            group: if self.has_exchange(proto, resumed)? { Some(self.group()?) } else { None },
            signature: if is_static_rsa || resumed { None } else { Some(self.server_signature()?) },
            resumed,
            client_cert: self.client_cert(resumed),
            alpn: self.application_protocol()?,
            // SAFETY: `ssl` lives.
            early_data: unsafe {
                ffi::SSL_get_early_data_status(self.ssl.as_ptr()) == ffi::SSL_EARLY_DATA_ACCEPTED
            },
        })
    }

    /// Whether a secret was agreed on in a group. After a resumption without, OpenSSL goes on to name the group of the
    /// session, so what tells is the peer's key.
    fn has_exchange(&self, proto: Proto, resumed: bool) -> Result<bool, EngineError> {
        if self.shared.pinned.is_static_rsa || (resumed && proto < Proto::Tls13) {
            return Ok(false);
        }
        if resumed && self.shared.pinned.is_psk_only {
            return if self.has_peer_key() {
                Err(EngineError::new("the peers resumed with a key exchange"))
            } else {
                Ok(false)
            };
        }
        Ok(true)
    }

    /// Whether the peer sent a key for an exchange. (A client keeps none of a key encapsulation, but a server does.)
    fn has_peer_key(&self) -> bool {
        let mut key: *mut sys::EVP_PKEY = ptr::null_mut();
        let key_pointer = ptr::from_mut(&mut key).cast::<c_void>();
        // SAFETY: `ssl` lives; the call writes one pointer at most, whose reference is given back.
        unsafe {
            let answered =
                sys::SSL_ctrl(self.ssl.as_ptr(), ffi::SSL_CTRL_GET_PEER_TMP_KEY, 0, key_pointer) == 1;
            sys::EVP_PKEY_free(key);
            answered
        }
    }

    fn application_protocol(&self) -> Result<Alpn, EngineError> {
        let mut start = ptr::null();
        let mut length = 0;
        // SAFETY: `ssl` lives, and so does the identifier that it answers with, or there is none.
        let identifier = unsafe {
            sys::SSL_get0_alpn_selected(self.ssl.as_ptr(), &mut start, &mut length);
            if start.is_null() { &[][..] } else { slice::from_raw_parts(start, length as usize) }
        };
        Alpn::from_identifier(identifier)
            .ok_or_else(|| EngineError::new("negotiated an application protocol that was not offered"))
    }

    fn proto(&self) -> Result<Proto, EngineError> {
        // SAFETY: `ssl` lives.
        let code = unsafe { sys::SSL_version(self.ssl.as_ptr()) };
        u16::try_from(code)
            .ok()
            .and_then(Proto::from_code)
            .ok_or_else(|| EngineError::new(format_args!("negotiated an unknown version {code:#x}")))
    }

    fn cipher(&self) -> Result<u16, EngineError> {
        // SAFETY: `ssl` lives, and a cipher is an entry of the library's static tables.
        unsafe {
            let cipher = sys::SSL_get_current_cipher(self.ssl.as_ptr());
            if cipher.is_null() {
                return Err(EngineError::new("negotiated no cipher"));
            }
            Ok(sys::SSL_CIPHER_get_protocol_id(cipher))
        }
    }

    fn group(&self) -> Result<Group, EngineError> {
        // SAFETY: `ssl` lives; the command takes no pointer.
        let nid = unsafe {
            sys::SSL_ctrl(self.ssl.as_ptr(), ffi::SSL_CTRL_GET_NEGOTIATED_GROUP, 0, ptr::null_mut())
        };
        let nid = nid as c_int;
        let group = match nid {
            sys::NID_X25519 => Some(Group::X25519),
            sys::NID_X9_62_prime256v1 => Some(Group::P256),
            sys::NID_secp384r1 => Some(Group::P384),
            sys::NID_secp521r1 => Some(Group::P521),
            sys::NID_X448 => Some(Group::X448),
            ffi::NID_FFDHE2048 => Some(Group::Ffdhe2048),
            ffi::NID_FFDHE3072 => Some(Group::Ffdhe3072),
            nid if nid & ffi::TLSEXT_NID_UNKNOWN != 0 => Group::from_code(nid as u16),
            _ => None,
        };
        group.ok_or_else(|| EngineError::new(format_args!("negotiated a group of OpenSSL's number {nid:#x}")))
    }

    /// The scheme of the server's signature: the own one on a server, the peer's on a client.
    fn server_signature(&self) -> Result<SignatureScheme, EngineError> {
        let command = match self.shared.pinned.side {
            Side::Client => ffi::SSL_CTRL_GET_PEER_SIGNATURE_NAME,
            Side::Server => ffi::SSL_CTRL_GET_SIGNATURE_NAME,
        };
        let mut name: *const c_char = ptr::null();
        let name_pointer = ptr::from_mut(&mut name).cast::<c_void>();
        // SAFETY: `ssl` lives; the call writes one pointer at most, to a string that lives as long as the context.
        let name = unsafe {
            if sys::SSL_ctrl(self.ssl.as_ptr(), command, 0, name_pointer) != 1 || name.is_null() {
                return Err(EngineError::new("the server signed nothing"));
            }
            CStr::from_ptr(name)
        };
        let known = name.to_str().ok().and_then(|name| name.parse().ok());
        known.ok_or_else(|| EngineError::new(format_args!("signed with OpenSSL's scheme {name:?}")))
    }

    pub(super) fn client_cert(&self, resumed: bool) -> bool {
        let ssl = self.ssl.as_ptr();
        match self.shared.pinned.side {
            // The peer's certificate is part of the session, so it is there after a resumption as well.
            // SAFETY: `ssl` lives; no reference is taken.
            Side::Server => unsafe { !ffi::SSL_get0_peer_certificate(ssl).is_null() },
            Side::Client if resumed => self.offered_client_cert,
            // A client has a signature of its own only if it was asked and has shown a certificate.
            // SAFETY: `ssl` lives; one `int` is written at most.
            Side::Client => unsafe { ffi::SSL_get_signature_type_nid(ssl, &mut 0) == 1 },
        }
    }

    pub(super) fn is_resumed(&self) -> bool {
        // SAFETY: `ssl` lives.
        unsafe { sys::SSL_session_reused(self.ssl.as_ptr()) == 1 }
    }
}
