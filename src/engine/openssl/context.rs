//! One side of a cell as an `SSL_CTX`: every dimension pinned, nothing else offered.

#![allow(unsafe_code)]

use std::ffi::{CString, c_int, c_long, c_void};
use std::ptr;

use openssl::error::ErrorStack;
use openssl::pkey::PKey;
use openssl::ssl::{
    SslContext, SslContextBuilder, SslMethod, SslMode, SslOptions, SslSessionCacheMode, SslVerifyMode,
};
use openssl::x509::X509;
use openssl::x509::store::X509StoreBuilder;
use openssl_sys::{SSL_CTX_ctrl, X509_STORE_CTX};

use super::{ffi, library};
use crate::cell::{Auth, Cell, Proto, Resume, Verify};
use crate::engine::{SESSION_CACHE_SIZE, Side};
use crate::fixtures::{Credentials, Identity, SERVER_NAME};

/// What sessions belong to: a server that checks clients resumes none without such a name.
const SESSION_ID_CONTEXT: &[u8] = b"tlspair";

/// How long a session may be resumed, in seconds: OpenSSL's own two hours could end within a slow cell's loop.
const SESSION_LIFETIME: c_long = 24 * 60 * 60;

/// The context of `side`, ready to make connections.
pub fn context(side: Side, cell: &Cell, credentials: &Credentials) -> Result<SslContext, ErrorStack> {
    let mut context = SslContextBuilder::new(match side {
        Side::Client => SslMethod::tls_client(),
        Side::Server => SslMethod::tls_server(),
    })?;
    // Old versions, ciphers, digests and keys are what cells ask for.
    context.set_security_level(0);
    // Otherwise a context that trusts the root would add it to its own chain, searching for it in each handshake.
    context.set_mode(SslMode::NO_AUTO_CHAIN);
    pin_version_and_cipher(&mut context, cell)?;
    pin_group(&mut context, cell)?;
    pin_signature(&mut context, cell)?;
    if side == Side::Server || cell.auth == Auth::Mutual {
        show(&mut context, credentials.identity(side))?;
    }
    check_peer(&mut context, side, cell, credentials)?;
    pin_resumption(&mut context, side, cell)?;
    Ok(context.build())
}

fn pin_version_and_cipher(context: &mut SslContextBuilder, cell: &Cell) -> Result<(), ErrorStack> {
    context.clear_options(SslOptions::NO_SSLV3);
    // An SSL 3.0 server of another library may not answer for safe renegotiation. Nothing here renegotiates.
    context.set_options(SslOptions::from_bits_retain(openssl_sys::SSL_OP_LEGACY_SERVER_CONNECT));
    let version = library::version_of(cell.proto);
    context.set_min_proto_version(version)?;
    context.set_max_proto_version(version)?;
    if cell.proto == Proto::Tls13 {
        context.set_ciphersuites(cell.cipher.openssl)
    } else {
        context.set_ciphersuites("")?;
        context.set_cipher_list(&format!("{}:@SECLEVEL=0", cell.cipher.openssl))
    }
}

/// Offers the cell's group alone, with one exception. Before TLS 1.3 the list also says which curves a certificate's
/// key may lie on, and OpenSSL keeps to that: the certificate's curve comes second, where both sides' preference
/// leaves it unused for the exchange.
fn pin_group(context: &mut SslContextBuilder, cell: &Cell) -> Result<(), ErrorStack> {
    let Some(name) = library::group_name(cell.group) else {
        return Ok(());
    };
    match cell.cert.curve().filter(|&curve| curve != cell.group && cell.proto < Proto::Tls13) {
        Some(curve) => {
            let curve = library::group_name(curve).unwrap_or_default();
            context.set_groups_list(&format!("{name}:{curve}"))
        }
        None => context.set_groups_list(name),
    }
}

/// Pins the scheme of handshake signatures, the server's and the client's. Before TLS 1.2 the key decides it. The
/// signatures in certificates are not bound by it: no `signature_algorithms_cert` is sent.
fn pin_signature(context: &mut SslContextBuilder, cell: &Cell) -> Result<(), ErrorStack> {
    if cell.proto < Proto::Tls12 {
        return Ok(());
    }
    let scheme = cell.certificate_signature().name();
    context.set_sigalgs_list(scheme)?;
    let scheme = CString::new(scheme).unwrap_or_default();
    // SAFETY: the context lives, and the library copies what it needs of the string.
    let set = unsafe {
        SSL_CTX_ctrl(
            context.as_ptr(),
            ffi::SSL_CTRL_SET_CLIENT_SIGALGS_LIST,
            0,
            scheme.as_ptr().cast_mut().cast::<c_void>(),
        )
    };
    if set == 1 { Ok(()) } else { Err(ErrorStack::get()) }
}

fn show(context: &mut SslContextBuilder, identity: &Identity) -> Result<(), ErrorStack> {
    for (place, der) in identity.chain.iter().enumerate() {
        let certificate = X509::from_der(der)?;
        if place == 0 {
            context.set_certificate(&certificate)?;
        } else {
            context.add_extra_chain_cert(certificate)?;
        }
    }
    let key = PKey::private_key_from_pkcs8(&identity.key)?;
    context.set_private_key(&key)?;
    context.check_private_key()
}

fn check_peer(
    context: &mut SslContextBuilder,
    side: Side,
    cell: &Cell,
    credentials: &Credentials,
) -> Result<(), ErrorStack> {
    let expects_certificate = side == Side::Client || cell.auth == Auth::Mutual;
    if !expects_certificate {
        context.set_verify(SslVerifyMode::NONE);
        return Ok(());
    }
    context.set_verify(SslVerifyMode::PEER | SslVerifyMode::FAIL_IF_NO_PEER_CERT);
    if cell.verify == Verify::None {
        // SSL_VERIFY_NONE would still check the chain and then ignore the outcome.
        // SAFETY: the callback matches the type that the library calls, and needs no argument.
        unsafe {
            ffi::SSL_CTX_set_cert_verify_callback(context.as_ptr(), Some(take_any), ptr::null_mut());
        }
        return Ok(());
    }
    let mut store = X509StoreBuilder::new()?;
    store.add_cert(X509::from_der(&credentials.root)?)?;
    context.set_cert_store(store.build());
    if cell.verify == Verify::Name && side == Side::Client {
        context.verify_param_mut().set_host(SERVER_NAME)?;
    }
    Ok(())
}

/// Stands in for the library's check of certificates and does none of its work.
extern "C" fn take_any(_chain: *mut X509_STORE_CTX, _argument: *mut c_void) -> c_int {
    1
}

/// The client's own cache is always off: the harness keeps the one session. OpenSSL replaces a TLS 1.3 ticket with
/// one new ticket on each resumption, whatever the number for full handshakes, which is one here as well.
fn pin_resumption(context: &mut SslContextBuilder, side: Side, cell: &Cell) -> Result<(), ErrorStack> {
    context.set_session_cache_mode(SslSessionCacheMode::OFF);
    // SAFETY: the context lives.
    unsafe { ffi::SSL_CTX_set_timeout(context.as_ptr(), SESSION_LIFETIME) };
    if cell.resume == Resume::SessionId {
        context.set_options(SslOptions::NO_TICKET);
    }
    if side == Side::Server {
        context.set_session_id_context(SESSION_ID_CONTEXT)?;
        match cell.resume {
            Resume::SessionId => {
                context.set_session_cache_mode(SslSessionCacheMode::SERVER);
                context.set_session_cache_size(SESSION_CACHE_SIZE as i32);
            }
            Resume::Ticket => {}
            Resume::PskDhe | Resume::Psk => context.set_num_tickets(1)?,
        }
    }
    Ok(())
}
