//! One side of a cell as an `SSL_CTX`: every dimension pinned, nothing else offered.

#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_int, c_long, c_uchar, c_uint, c_void};
use std::ptr;

use openssl::error::ErrorStack;
use openssl::pkey::PKey;
use openssl::ssl::{
    SslContext, SslContextBuilder, SslMethod, SslMode, SslOptions, SslSessionCacheMode, SslVerifyMode,
};
use openssl::x509::X509;
use openssl::x509::store::X509StoreBuilder;
use openssl_sys::{SSL, SSL_CTX_ctrl, X509_STORE_CTX};

use super::{ffi, library};
use crate::cell::{Alpn, Auth, Cell, Extension, Group, Hello, Proto, Resume, Verify};
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
    pin_group(&mut context, side, cell)?;
    pin_signature(&mut context, cell)?;
    if side == Side::Server || cell.auth == Auth::Mutual {
        show(&mut context, credentials.identity(side))?;
    }
    check_peer(&mut context, side, cell, credentials)?;
    pin_resumption(&mut context, side, cell)?;
    pin_early_data(&mut context, side, cell)?;
    pin_extensions(&mut context, cell);
    pin_application_protocol(&mut context, side, cell)?;
    pin_record_size(&mut context, cell)?;
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

/// Offers the cell's group alone, with two exceptions where another stands beside it. Before TLS 1.3 the list also says
/// which curves a certificate's key may lie on, and OpenSSL keeps to that: the certificate's curve comes second, where
/// the server's preference leaves it unused for the exchange (not every client of another library can name the curves in
/// this order). And a client that is to guess wrong lists its guess first, which is the one group that OpenSSL sends a
/// key share of unless told otherwise.
fn pin_group(context: &mut SslContextBuilder, side: Side, cell: &Cell) -> Result<(), ErrorStack> {
    context.set_options(SslOptions::CIPHER_SERVER_PREFERENCE);
    let curve = cell.cert.curve().filter(|&curve| curve != cell.group && cell.proto < Proto::Tls13);
    let guess = (cell.hello == Hello::Retry && side == Side::Client).then(|| cell.group.wrong_guess());
    let groups = [guess, Some(cell.group), curve];
    let names: Vec<&str> = groups.into_iter().flatten().filter_map(library::group_name).collect();
    if cell.group == Group::Rsa { Ok(()) } else { context.set_groups_list(&names.join(":")) }
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
    match cell.resume {
        Resume::SessionId => {
            context.set_options(SslOptions::NO_TICKET);
        }
        // A client offers this beside resumption with a key exchange, and makes a key for that all the same: OpenSSL
        // has no way to leave it out. The server chooses.
        Resume::Psk => {
            context.set_options(SslOptions::from_bits_retain(
                ffi::SSL_OP_ALLOW_NO_DHE_KEX | ffi::SSL_OP_PREFER_NO_DHE_KEX,
            ));
        }
        Resume::Ticket | Resume::PskDhe => {}
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

/// Without OpenSSL's own guard against replays, which would keep every session in the server's cache, and make that the
/// cost of a ticket.
fn pin_early_data(context: &mut SslContextBuilder, side: Side, cell: &Cell) -> Result<(), ErrorStack> {
    if cell.early_data == 0 || side == Side::Client {
        return Ok(());
    }
    context.set_options(SslOptions::from_bits_retain(ffi::SSL_OP_NO_ANTI_REPLAY));
    context.set_max_early_data(cell.early_data)
}

/// OpenSSL offers and takes both unless told otherwise.
fn pin_extensions(context: &mut SslContextBuilder, cell: &Cell) {
    if cell.etm == Extension::Off {
        context.set_options(SslOptions::from_bits_retain(ffi::SSL_OP_NO_ENCRYPT_THEN_MAC));
    }
    if cell.ems == Extension::Off {
        context.set_options(SslOptions::from_bits_retain(ffi::SSL_OP_NO_EXTENDED_MASTER_SECRET));
    }
}

fn pin_application_protocol(
    context: &mut SslContextBuilder,
    side: Side,
    cell: &Cell,
) -> Result<(), ErrorStack> {
    let Some(list) = protocol_list(cell.alpn) else {
        return Ok(());
    };
    if side == Side::Client {
        return context.set_alpn_protos(list.to_bytes());
    }
    // The Rust crate's way would look its closure up in every handshake, which is no work of the library.
    // SAFETY: the context lives, the callback matches the type that the library calls, and the list is static.
    unsafe {
        let list = list.as_ptr().cast_mut().cast::<c_void>();
        openssl_sys::SSL_CTX_set_alpn_select_cb__fixed_rust(context.as_ptr(), Some(select_protocol), list);
    }
    Ok(())
}

/// The one protocol as a list of its wire form: its length, then its name.
fn protocol_list(alpn: Alpn) -> Option<&'static CStr> {
    match alpn {
        Alpn::None => None,
        Alpn::H2 => Some(c"\x02h2"),
        Alpn::Http11 => Some(c"\x08http/1.1"),
    }
}

/// The server's choice, by the library's own search for a common protocol.
unsafe extern "C" fn select_protocol(
    _ssl: *mut SSL,
    chosen: *mut *const c_uchar,
    chosen_length: *mut c_uchar,
    offered: *const c_uchar,
    offered_length: c_uint,
    list: *mut c_void,
) -> c_int {
    // SAFETY: the library passes places for the answer and the client's list; `list` is what `protocol_list` gave, and
    // so lives for ever. What is chosen lies in one of the two lists.
    unsafe {
        let own = CStr::from_ptr(list.cast_const().cast()).to_bytes();
        let outcome = openssl_sys::SSL_select_next_proto(
            chosen.cast::<*mut c_uchar>(),
            chosen_length,
            own.as_ptr(),
            own.len() as c_uint,
            offered,
            offered_length,
        );
        if outcome == openssl_sys::OPENSSL_NPN_NEGOTIATED {
            openssl_sys::SSL_TLSEXT_ERR_OK
        } else {
            openssl_sys::SSL_TLSEXT_ERR_ALERT_FATAL
        }
    }
}

fn pin_record_size(context: &mut SslContextBuilder, cell: &Cell) -> Result<(), ErrorStack> {
    if library::limit_records(context, cell.record_size) { Ok(()) } else { Err(ErrorStack::get()) }
}
