//! What the library says it negotiated, in our words.

use std::ffi::CStr;

use super::object::{bytes, datum};
use super::{names, sys};
use crate::cell::{Alpn, Extension, Group, Proto, SignatureScheme};
use crate::engine::{EngineError, Negotiated};

/// Everything that can be asked of a session.
///
/// # Safety
/// The session lives, and its handshake is over.
pub(super) unsafe fn of(
    session: sys::gnutls_session_t,
    resumed: bool,
    client_cert: bool,
) -> Result<Negotiated, EngineError> {
    // SAFETY: the caller's promise; none of the functions changes the session.
    unsafe {
        let version = sys::gnutls_protocol_get_version(session);
        let proto = names::proto(version)
            .ok_or_else(|| EngineError::new(format_args!("negotiated GnuTLS's version {version}")))?;
        let flags = sys::gnutls_session_get_flags(session);
        Ok(Negotiated {
            proto,
            cipher: cipher(session)?,
            group: group(session)?,
            signature: signature(session, proto)?,
            resumed,
            client_cert,
            alpn: alpn(session)?,
            early_data: flags & sys::GNUTLS_SFLAGS_EARLY_DATA != 0,
        })
    }
}

/// Checks what a cell says of extensions that peers may or may not agree on, of which [`Negotiated`] says nothing.
///
/// # Safety
/// The session lives, and its handshake is over.
pub(super) unsafe fn check_extensions(
    session: sys::gnutls_session_t,
    encrypt_then_mac: Extension,
    extended_master_secret: Extension,
) -> Result<(), EngineError> {
    // SAFETY: the caller's promise.
    let flags = unsafe { sys::gnutls_session_get_flags(session) };
    let wanted = [
        ("encrypt-then-MAC", sys::GNUTLS_SFLAGS_ETM, encrypt_then_mac),
        ("the extended master secret", sys::GNUTLS_SFLAGS_EXT_MASTER_SECRET, extended_master_secret),
    ];
    for (what, flag, wanted) in wanted {
        match (wanted, flags & flag != 0) {
            (Extension::On, false) => return Err(EngineError::new(format_args!("{what} was not agreed on"))),
            (Extension::Off, true) => return Err(EngineError::new(format_args!("{what} was agreed on"))),
            _ => {}
        }
    }
    Ok(())
}

unsafe fn cipher(session: sys::gnutls_session_t) -> Result<u16, EngineError> {
    // SAFETY: see `of`; the answer is null or a static C string.
    let name = unsafe { sys::gnutls_ciphersuite_get(session) };
    if name.is_null() {
        return Err(EngineError::new("negotiated no cipher"));
    }
    // SAFETY: as above.
    let name = unsafe { CStr::from_ptr(name) };
    names::cipher_named(name).ok_or_else(|| {
        EngineError::new(format_args!("negotiated the unknown cipher {}", name.to_string_lossy()))
    })
}

unsafe fn group(session: sys::gnutls_session_t) -> Result<Option<Group>, EngineError> {
    // SAFETY: see `of`.
    let number = unsafe { sys::gnutls_group_get(session) };
    if number == sys::GNUTLS_GROUP_INVALID {
        return Ok(None);
    }
    let known = Group::ALL.iter().copied().find(|&group| names::group(group) == Some(number));
    let unknown = || EngineError::new(format_args!("negotiated the group {}", names::group_name(number)));
    known.map(Some).ok_or_else(unknown)
}

unsafe fn signature(
    session: sys::gnutls_session_t,
    proto: Proto,
) -> Result<Option<SignatureScheme>, EngineError> {
    // SAFETY: see `of`.
    let number = unsafe { sys::gnutls_sign_algorithm_get(session) } as u32;
    if number == sys::GNUTLS_SIGN_UNKNOWN {
        return Ok(None);
    }
    // The schemes that a version does not have share numbers with those that it has.
    let fits = |scheme: &SignatureScheme| scheme.code().is_some() == (proto >= Proto::Tls12);
    let known = SignatureScheme::ALL
        .iter()
        .copied()
        .filter(fits)
        .find(|&scheme| names::signature(scheme, proto) == Some(number));
    let unknown = || EngineError::new(format_args!("signed with {}", names::signature_name(number)));
    known.map(Some).ok_or_else(unknown)
}

unsafe fn alpn(session: sys::gnutls_session_t) -> Result<Alpn, EngineError> {
    let mut selected = datum(&[]);
    // SAFETY: see `of`; writes a datum that points into the session.
    match unsafe { sys::gnutls_alpn_get_selected_protocol(session, &raw mut selected) } {
        0 => {
            // SAFETY: as above.
            let name = unsafe { bytes(selected) };
            Alpn::from_identifier(name).ok_or_else(|| {
                EngineError::new(format_args!("agreed on protocol {}", String::from_utf8_lossy(name)))
            })
        }
        _ => Ok(Alpn::None),
    }
}
