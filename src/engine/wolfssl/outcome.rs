//! What the library says of a handshake that is over.

use std::ffi::{c_char, c_int, c_ushort};
use std::ptr;
use std::slice;

use wolfssl_sys as sys;

use super::context::Pinned;
use super::library::SUCCESS;
use super::session::id_of;
use crate::cell::{Alpn, Auth, Cert, Group, KeyExchange, Proto, SignatureScheme};
use crate::engine::{EngineError, Negotiated, Side};

/// A connection after its handshake, to be asked.
pub(super) struct Outcome<'a> {
    ssl: *mut sys::WOLFSSL,
    pinned: &'a Pinned,
    offered_client_cert: bool,
}

/// Whose signature is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Own,
    Peers,
}

impl<'a> Outcome<'a> {
    /// # Safety
    /// `ssl` must live as long as the answer, and be a connection of `pinned` whose handshake is over.
    pub(super) unsafe fn of(ssl: *mut sys::WOLFSSL, pinned: &'a Pinned, offered_client_cert: bool) -> Self {
        Self { ssl, pinned, offered_client_cert }
    }

    pub(super) fn negotiated(&self) -> Result<Negotiated, EngineError> {
        let proto = self.proto()?;
        let resumed = self.resumed();
        let is_static_rsa = self.pinned.cell.cipher.kx == KeyExchange::StaticRsa;
        let has_exchange = !is_static_rsa && self.pinned.cell.has_exchange(resumed);
        self.check_client_scheme(resumed)?;
        self.check_record_size()?;
        Ok(Negotiated {
            proto,
            cipher: self.cipher(),
            group: if has_exchange { self.group()? } else { None },
            signature: if is_static_rsa || resumed { None } else { self.server_scheme()? },
            resumed,
            client_cert: self.client_cert(),
            alpn: self.alpn()?,
            early_data: self.early_data(),
        })
    }

    /// Whether the client showed a certificate in this session. A client only knows that it was asked for one, by the
    /// scheme that it chose; a server forgets, so what it said when the session was new is remembered with it.
    pub(super) fn client_cert(&self) -> bool {
        match (self.pinned.side, self.resumed()) {
            (Side::Client, true) => self.offered_client_cert,
            (Side::Client, false) => matches!(self.scheme(Whose::Own), Ok(Some(_))),
            (Side::Server, resumed) => {
                // SAFETY: the connection lives, and with it its session.
                let session = unsafe { id_of(sys::wolfSSL_get_session(self.ssl)) };
                let before = self.pinned.shown.as_ref().zip(session);
                if resumed {
                    return before.is_some_and(|(shown, session)| shown.has(session));
                }
                let shows = self.has_peer_certificate();
                if let Some((shown, session)) = before
                    && shows
                {
                    shown.note(session);
                }
                shows
            }
        }
    }

    fn early_data(&self) -> bool {
        const TAKEN: c_int = sys::WOLFSSL_EARLY_DATA_ACCEPTED as c_int;
        // SAFETY: the connection lives.
        unsafe { sys::wolfSSL_get_early_data_status(self.ssl) == TAKEN }
    }

    fn has_peer_certificate(&self) -> bool {
        // SAFETY: the connection lives; the copy that the library makes is freed.
        unsafe {
            let certificate = sys::wolfSSL_get_peer_certificate(self.ssl);
            sys::wolfSSL_X509_free(certificate);
            !certificate.is_null()
        }
    }

    fn proto(&self) -> Result<Proto, EngineError> {
        // SAFETY: the connection lives.
        let version = unsafe { sys::wolfSSL_version(self.ssl) };
        u16::try_from(version)
            .ok()
            .and_then(Proto::from_code)
            .ok_or_else(|| EngineError::new(format_args!("negotiated an unknown version {version:#x}")))
    }

    fn resumed(&self) -> bool {
        // SAFETY: the connection lives.
        unsafe { sys::wolfSSL_session_reused(self.ssl) != 0 }
    }

    fn cipher(&self) -> u16 {
        // SAFETY: the connection lives. The answer has the number's two bytes.
        unsafe { sys::wolfSSL_get_current_cipher_suite(self.ssl) as u16 }
    }

    /// The library has OpenSSL's numbers for some groups, and for the rest those of the TLS registry.
    fn group(&self) -> Result<Option<Group>, EngineError> {
        const P256: c_int = sys::WC_NID_X9_62_prime256v1 as c_int;
        const P384: c_int = sys::WC_NID_secp384r1 as c_int;
        const P521: c_int = sys::WC_NID_secp521r1 as c_int;
        const FFDHE2048: c_int = sys::WC_NID_ffdhe2048 as c_int;
        const FFDHE3072: c_int = sys::WC_NID_ffdhe3072 as c_int;
        const X25519: c_int = sys::WC_NID_X25519 as c_int;
        // SAFETY: the connection lives.
        let group = match unsafe { sys::wolfSSL_get_negotiated_group(self.ssl) } {
            0 => return Ok(None),
            P256 => Ok(Group::P256),
            P384 => Ok(Group::P384),
            P521 => Ok(Group::P521),
            X25519 => Ok(Group::X25519),
            FFDHE2048 => Ok(Group::Ffdhe2048),
            FFDHE3072 => Ok(Group::Ffdhe3072),
            code => u16::try_from(code).ok().and_then(Group::from_code).ok_or(code),
        };
        group
            .map(Some)
            .map_err(|code| EngineError::new(format_args!("negotiated an unknown group {code:#x}")))
    }

    fn server_scheme(&self) -> Result<Option<SignatureScheme>, EngineError> {
        self.scheme(match self.pinned.side {
            Side::Client => Whose::Peers,
            Side::Server => Whose::Own,
        })
    }

    /// A client signs in what it took from the server's list, which must be what the cell says.
    fn check_client_scheme(&self, resumed: bool) -> Result<(), EngineError> {
        let signs = self.pinned.side == Side::Client && self.pinned.cell.auth == Auth::Mutual && !resumed;
        let wanted = self.pinned.cell.certificate_signature();
        match self.scheme(Whose::Own)? {
            Some(scheme) if signs && scheme != wanted => {
                Err(EngineError::new(format_args!("the client signed with {scheme}, not with {wanted}")))
            }
            _ => Ok(()),
        }
    }

    fn scheme(&self, whose: Whose) -> Result<Option<SignatureScheme>, EngineError> {
        const RSA: c_int = sys::WC_EVP_PKEY_RSA as c_int;
        const PSS: c_int = sys::WC_NID_rsassaPss as c_int;
        const ECDSA: c_int = sys::WC_EVP_PKEY_EC as c_int;
        const SHA256: c_int = sys::WC_NID_sha256 as c_int;
        const SHA384: c_int = sys::WC_NID_sha384 as c_int;
        const SHA512: c_int = sys::WC_NID_sha512 as c_int;
        let (mut kind, mut hash): (c_int, c_int) = (0, 0);
        // SAFETY: the connection lives; the two numbers are written during the calls.
        let known = unsafe {
            match whose {
                Whose::Own => {
                    sys::wolfSSL_get_signature_type_nid(self.ssl, &raw mut kind) == SUCCESS
                        && sys::wolfSSL_get_signature_nid(self.ssl, &raw mut hash) == SUCCESS
                }
                Whose::Peers => {
                    sys::wolfSSL_get_peer_signature_type_nid(self.ssl, &raw mut kind) == SUCCESS
                        && sys::wolfSSL_get_peer_signature_nid(self.ssl, &raw mut hash) == SUCCESS
                }
            }
        };
        if !known || kind == sys::WC_NID_undef as c_int {
            return Ok(None);
        }
        match (kind, hash) {
            (RSA, SHA256) => Ok(Some(SignatureScheme::RsaPkcs1Sha256)),
            // The library has one number for both uses of PSS; a key decides between them.
            (PSS, SHA256) if self.pinned.cell.cert == Cert::RsaPss => {
                Ok(Some(SignatureScheme::RsaPssPssSha256))
            }
            (PSS, SHA256) => Ok(Some(SignatureScheme::RsaPssRsaeSha256)),
            (ECDSA, SHA256) => Ok(Some(SignatureScheme::EcdsaSecp256r1Sha256)),
            (ECDSA, SHA384) => Ok(Some(SignatureScheme::EcdsaSecp384r1Sha384)),
            (ECDSA, SHA512) => Ok(Some(SignatureScheme::EcdsaSecp521r1Sha512)),
            _ => Err(EngineError::new(format_args!("signed with key kind {kind} and hash {hash}"))),
        }
    }

    fn alpn(&self) -> Result<Alpn, EngineError> {
        let mut name: *mut c_char = ptr::null_mut();
        let mut length: c_ushort = 0;
        // SAFETY: the connection lives; the name that the library writes belongs to it and has `length` bytes.
        let identifier = unsafe {
            let found = sys::wolfSSL_ALPN_GetProtocol(self.ssl, &raw mut name, &raw mut length);
            if found != SUCCESS || name.is_null() {
                return Ok(Alpn::None);
            }
            slice::from_raw_parts(name.cast_const().cast::<u8>(), length.into())
        };
        Alpn::from_identifier(identifier)
            .ok_or_else(|| EngineError::new(format_args!("negotiated the protocol {identifier:?}")))
    }

    /// A limit of records that the peer did not agree to would be passed over in silence.
    fn check_record_size(&self) -> Result<(), EngineError> {
        // SAFETY: the connection lives.
        let most = unsafe { sys::wolfSSL_GetMaxOutputSize(self.ssl) };
        let wanted = self.pinned.cell.record_size;
        if u32::try_from(most) == Ok(wanted) {
            return Ok(());
        }
        Err(EngineError::new(format_args!("records hold {most} bytes of data at most, not {wanted}")))
    }
}
