//! One side of a cell as an `SSL_CTX`: every dimension pinned, nothing else offered.

#![allow(unsafe_code)]

use std::ffi::c_int;

use boring::error::ErrorStack;
use boring::ssl::{
    AlpnError, SslContext, SslContextBuilder, SslMethod, SslOptions, SslSessionCacheMode, SslVerifyMode,
};
use boring::x509::X509;
use boring::x509::store::X509StoreBuilder;
use boring_sys as sys;
use tlspair::cell::{Auth, Cell, Cipher, Group, Hello, KeyExchange, MAX_RECORD_SIZE, Proto, Resume, Verify};
use tlspair::engine::{SESSION_CACHE_SIZE, Side};
use tlspair::fixtures::{Credentials, Identity, SERVER_NAME};

use crate::library::{self, succeeded};
use crate::{key, pipe_bio};

/// What sessions belong to.
const SESSION_ID_CONTEXT: &[u8] = b"tlspair";

/// How long a session before TLS 1.3 may be resumed, in seconds: the library's own two hours could end within a slow
/// cell's loop. Those of TLS 1.3 last two days.
const SESSION_LIFETIME: u32 = 24 * 60 * 60;

/// The context of `side`, ready to make connections.
pub fn context(side: Side, cell: &Cell, credentials: &Credentials) -> Result<SslContext, ErrorStack> {
    let mut context = SslContextBuilder::new(SslMethod::tls())?;
    let version = library::version_of(cell.proto);
    context.set_min_proto_version(version)?;
    context.set_max_proto_version(version)?;
    pin_cipher(&mut context, cell.cipher)?;
    pin_group(&mut context, side, cell)?;
    pin_signature(&mut context, cell)?;
    if side == Side::Server || cell.auth == Auth::Mutual {
        show(&mut context, cell, credentials.identity(side))?;
    }
    check_peer(&mut context, side, cell, credentials)?;
    pin_resumption(&mut context, side, cell)?;
    pin_application_protocol(&mut context, side, cell)?;
    if cell.record_size != MAX_RECORD_SIZE {
        // SAFETY: the context lives.
        succeeded(unsafe {
            sys::SSL_CTX_set_max_send_fragment(context.as_ptr(), cell.record_size as usize)
        })?;
    }
    Ok(context.build())
}

/// Offers one cipher; each of the library's two lists is for its versions alone.
pub fn pin_cipher(context: &mut SslContextBuilder, cipher: &Cipher) -> Result<(), ErrorStack> {
    match cipher.kx {
        KeyExchange::Tls13 => library::set_tls13_cipher(context, cipher.code),
        _ => context.set_strict_cipher_list(cipher.openssl),
    }
}

/// Offers the cell's group alone, with two exceptions. Before TLS 1.3 the list also says which curves a certificate's
/// key may lie on, so the certificate's curve comes second. A client that shall be told to send another key share
/// names that other group first.
fn pin_group(context: &mut SslContextBuilder, side: Side, cell: &Cell) -> Result<(), ErrorStack> {
    let codes: Vec<u16> = if cell.proto < Proto::Tls13 {
        [Some(cell.group), cell.cert.curve().filter(|&curve| curve != cell.group)]
            .into_iter()
            .flatten()
            .filter_map(Group::code)
            .collect()
    } else {
        let wrong = wrong_share(cell).filter(|_| side == Side::Client);
        wrong.into_iter().chain(cell.group.code()).collect()
    };
    if codes.is_empty() { Ok(()) } else { set_groups(context, &codes) }
}

/// The group whose share a client sends first if the server is to ask for another.
pub fn wrong_share(cell: &Cell) -> Option<u16> {
    let wrong = if cell.group == Group::X25519 { Group::P256 } else { Group::X25519 };
    wrong.code().filter(|_| cell.hello == Hello::Retry)
}

/// Sets the list of groups.
pub fn set_groups(context: &mut SslContextBuilder, codes: &[u16]) -> Result<(), ErrorStack> {
    // SAFETY: the context lives, and the library copies the numbers.
    succeeded(unsafe { sys::SSL_CTX_set1_group_ids(context.as_ptr(), codes.as_ptr(), codes.len()) })
}

/// Pins the scheme of handshake signatures, the own and the peer's. Before TLS 1.2 the key decides it. The signatures
/// in certificates are not bound by it.
fn pin_signature(context: &mut SslContextBuilder, cell: &Cell) -> Result<(), ErrorStack> {
    let Some(code) = cell.certificate_signature().code() else {
        return Ok(());
    };
    // SAFETY: the context lives, and the library copies the one number.
    unsafe {
        succeeded(sys::SSL_CTX_set_signing_algorithm_prefs(context.as_ptr(), &code, 1))?;
        succeeded(sys::SSL_CTX_set_verify_algorithm_prefs(context.as_ptr(), &code, 1))
    }
}

fn show(context: &mut SslContextBuilder, cell: &Cell, identity: &Identity) -> Result<(), ErrorStack> {
    for (place, der) in identity.chain.iter().enumerate() {
        let certificate = X509::from_der(der)?;
        if place == 0 {
            context.set_certificate(&certificate)?;
        } else {
            context.add_extra_chain_cert(certificate)?;
        }
    }
    let key = key::private_key(cell.cert, &identity.key)?;
    context.set_private_key(&key)?;
    context.check_private_key()
}

fn check_peer(
    context: &mut SslContextBuilder,
    side: Side,
    cell: &Cell,
    credentials: &Credentials,
) -> Result<(), ErrorStack> {
    if side == Side::Client {
        // SAFETY: the callback matches the type that the library calls, and needs no argument.
        unsafe {
            sys::SSL_CTX_set_cert_cb(
                context.as_ptr(),
                Some(pipe_bio::note_certificate_request),
                std::ptr::null_mut(),
            );
        }
    } else if cell.auth == Auth::Server {
        context.set_verify(SslVerifyMode::NONE);
        return Ok(());
    }
    let mode = SslVerifyMode::PEER | SslVerifyMode::FAIL_IF_NO_PEER_CERT;
    if cell.verify == Verify::None {
        // Without verification the library would still check the chain, and ignore the outcome.
        // SAFETY: the callback matches the type that the library calls.
        unsafe {
            sys::SSL_CTX_set_custom_verify(context.as_ptr(), mode.bits() as c_int, Some(take_any));
        }
        return Ok(());
    }
    context.set_verify(mode);
    let mut store = X509StoreBuilder::new()?;
    store.add_cert(X509::from_der(&credentials.root)?)?;
    context.set_cert_store(store.build());
    if cell.verify == Verify::Name && side == Side::Client {
        // SAFETY: the context lives and owns the parameters; the library copies the name.
        succeeded(unsafe {
            let parameters = sys::SSL_CTX_get0_param(context.as_ptr());
            sys::X509_VERIFY_PARAM_set1_host(parameters, SERVER_NAME.as_ptr().cast(), SERVER_NAME.len())
        })?;
    }
    Ok(())
}

/// Stands in for the library's check of certificates and does none of its work.
unsafe extern "C" fn take_any(_ssl: *mut sys::SSL, _alert: *mut u8) -> sys::ssl_verify_result_t {
    sys::ssl_verify_result_t::ssl_verify_ok
}

/// A client's cache is the harness: before TLS 1.3 it takes the session from the connection, under TLS 1.3 the library
/// hands it over when its ticket has been read. BoringSSL sends as many tickets after a resumption as after a full
/// handshake.
fn pin_resumption(context: &mut SslContextBuilder, side: Side, cell: &Cell) -> Result<(), ErrorStack> {
    context.set_session_cache_mode(SslSessionCacheMode::OFF);
    // SAFETY: the context lives.
    unsafe {
        sys::SSL_CTX_set_timeout(context.as_ptr(), SESSION_LIFETIME);
        sys::SSL_CTX_set_early_data_enabled(context.as_ptr(), c_int::from(cell.early_data > 0));
    }
    if cell.resume == Resume::SessionId {
        context.set_options(SslOptions::NO_TICKET);
    }
    match (side, cell.resume) {
        (Side::Client, Resume::PskDhe | Resume::Psk) => {
            context.set_session_cache_mode(SslSessionCacheMode::CLIENT | SslSessionCacheMode::NO_INTERNAL);
            // SAFETY: the callback matches the type that the library calls.
            unsafe { sys::SSL_CTX_sess_set_new_cb(context.as_ptr(), Some(pipe_bio::note_session)) };
        }
        (Side::Client, _) => {}
        (Side::Server, resume) => {
            context.set_session_id_context(SESSION_ID_CONTEXT)?;
            if resume == Resume::SessionId {
                context.set_session_cache_mode(SslSessionCacheMode::SERVER);
                context.set_session_cache_size(SESSION_CACHE_SIZE as u32);
            }
            // SAFETY: the context lives.
            succeeded(unsafe { sys::SSL_CTX_set_num_tickets(context.as_ptr(), 1) })?;
        }
    }
    Ok(())
}

fn pin_application_protocol(
    context: &mut SslContextBuilder,
    side: Side,
    cell: &Cell,
) -> Result<(), ErrorStack> {
    let Some(identifier) = cell.alpn.identifier() else {
        return Ok(());
    };
    match side {
        Side::Client => context.set_alpn_protos(&[&[identifier.len() as u8], identifier].concat()),
        Side::Server => {
            context.set_alpn_select_callback(move |_, offered| {
                let is_wanted = |protocol: &&[u8]| *protocol == identifier;
                protocols(offered).find(is_wanted).ok_or(AlpnError::ALERT_FATAL)
            });
            Ok(())
        }
    }
}

/// The protocols in a list as it stands on the wire.
fn protocols(mut list: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (&length, rest) = list.split_first()?;
        let (protocol, rest) = rest.split_at_checked(length.into())?;
        list = rest;
        Some(protocol)
    })
}
