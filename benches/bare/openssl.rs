//! OpenSSL over a BIO pair, as a C program would have it. The pair is made once: it is empty after each connection.

#![allow(unsafe_code)] // the C interface, without the Rust crate's wrapping

use std::ffi::{c_int, c_void};
use std::ptr;

use foreign_types_shared::ForeignType;
use openssl::pkey::PKey;
use openssl::ssl::{
    SslContext, SslContextBuilder, SslMethod, SslMode, SslOptions, SslSession, SslSessionCacheMode,
    SslVerifyMode, SslVersion,
};
use openssl::x509::X509;
use openssl_sys as sys;
use tlspair::engine::SESSION_CACHE_SIZE;
use tlspair::fixtures::Identity;

use super::Handshake;
use crate::batches::Result;

const NAME: &std::ffi::CStr = c"server.tlspair.test";
unsafe extern "C" {
    fn BIO_new_bio_pair(
        one: *mut *mut sys::BIO,
        room: usize,
        other: *mut *mut sys::BIO,
        room: usize,
    ) -> c_int;
    fn BIO_up_ref(bio: *mut sys::BIO) -> c_int;
    fn SSL_get1_session(ssl: *mut sys::SSL) -> *mut sys::SSL_SESSION;
    fn SSL_CTX_set_cert_verify_callback(
        context: *mut sys::SSL_CTX,
        callback: Option<unsafe extern "C" fn(*mut sys::X509_STORE_CTX, *mut c_void) -> c_int>,
        argument: *mut c_void,
    );
}

/// The loop.
pub struct Loop {
    client: SslContext,
    server: SslContext,
    /// The two ends of the pair.
    bios: [*mut sys::BIO; 2],
    session: Option<SslSession>,
}

impl Loop {
    /// Sets everything up that outlives a connection, and makes the first one if others are to resume it.
    pub fn new(identity: &Identity, handshake: Handshake) -> Result<Self> {
        let mut bios = [ptr::null_mut(); 2];
        let [one, other] = &mut bios;
        // SAFETY: two places to write a pointer to.
        if unsafe { BIO_new_bio_pair(one, 0, other, 0) } != 1 {
            return Err("no BIO pair".into());
        }
        let mut this =
            Self { client: client_context()?, server: server_context(identity)?, bios, session: None };
        if handshake == Handshake::Resumed {
            this.session = this.connect(true)?;
        }
        Ok(this)
    }

    /// Runs `count` connections.
    pub fn connections(&mut self, count: u64) -> Result<()> {
        for _ in 0..count {
            self.connect(false)?;
        }
        Ok(())
    }

    fn connect(&mut self, keep: bool) -> Result<Option<SslSession>> {
        // SAFETY: contexts, BIOs and session live in `self`; each pointer is used between SSL_new and SSL_free only. A
        // connection that fails is leaked, and the program ends.
        unsafe {
            let client = self.endpoint(&self.client, 0);
            sys::SSL_set_connect_state(client);
            expect(1, sys::SSL_set_tlsext_host_name(client, NAME.as_ptr().cast_mut()) as c_int)?;
            if let Some(session) = &self.session {
                expect(1, sys::SSL_set_session(client, session.as_ptr()))?;
            }
            let server = self.endpoint(&self.server, 1);
            sys::SSL_set_accept_state(server);

            let (mut client_done, mut server_done) = (false, false);
            while !(client_done && server_done) {
                client_done = client_done || step(client)?;
                server_done = server_done || step(server)?;
            }
            let resumed = c_int::from(self.session.is_some());
            expect(resumed, sys::SSL_session_reused(client))?;
            expect(resumed, sys::SSL_session_reused(server))?;

            send(client, server)?;
            send(server, client)?;

            let kept = keep.then(|| SslSession::from_ptr(SSL_get1_session(client)));
            expect(0, shut_down(client))?;
            expect(0, shut_down(server))?;
            expect(1, shut_down(server))?;
            sys::SSL_free(server);
            expect(1, shut_down(client))?;
            sys::SSL_free(client);
            Ok(kept)
        }
    }

    unsafe fn endpoint(&self, context: &SslContext, end: usize) -> *mut sys::SSL {
        // SAFETY: the one reference that is added passes to the connection.
        unsafe {
            let ssl = sys::SSL_new(context.as_ptr());
            BIO_up_ref(self.bios[end]);
            sys::SSL_set_bio(ssl, self.bios[end], self.bios[end]);
            ssl
        }
    }
}

fn expect(wanted: c_int, found: c_int) -> Result<()> {
    if wanted == found { Ok(()) } else { Err(format!("OpenSSL answers {found}, not {wanted}").into()) }
}

/// The error queue is emptied before each call, as the manual of `SSL_get_error` asks.
unsafe fn step(ssl: *mut sys::SSL) -> Result<bool> {
    // SAFETY: the caller's connection lives.
    unsafe {
        sys::ERR_clear_error();
        match sys::SSL_do_handshake(ssl) {
            1 => Ok(true),
            other => expect(sys::SSL_ERROR_WANT_READ, sys::SSL_get_error(ssl, other)).map(|()| false),
        }
    }
}

unsafe fn send(from: *mut sys::SSL, to: *mut sys::SSL) -> Result<()> {
    let mut byte = [0_u8];
    let mut count = 0;
    // SAFETY: the caller's connections live; one byte is read or written.
    unsafe {
        sys::ERR_clear_error();
        expect(1, sys::SSL_write_ex(from, byte.as_ptr().cast(), 1, &mut count))?;
        sys::ERR_clear_error();
        expect(1, sys::SSL_read_ex(to, byte.as_mut_ptr().cast(), 1, &mut count))
    }
}

unsafe fn shut_down(ssl: *mut sys::SSL) -> c_int {
    // SAFETY: the caller's connection lives.
    unsafe {
        sys::ERR_clear_error();
        sys::SSL_shutdown(ssl)
    }
}

fn context(method: SslMethod) -> Result<SslContextBuilder> {
    let mut context = SslContextBuilder::new(method)?;
    context.set_security_level(0);
    context.set_mode(SslMode::NO_AUTO_CHAIN);
    context.set_min_proto_version(Some(SslVersion::TLS1_2))?;
    context.set_max_proto_version(Some(SslVersion::TLS1_2))?;
    context.set_ciphersuites("")?;
    context.set_cipher_list("ECDHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0")?;
    context.set_groups_list("X25519")?;
    context.set_sigalgs_list("rsa_pkcs1_sha256")?;
    context.set_options(SslOptions::NO_TICKET);
    context.set_session_cache_mode(SslSessionCacheMode::OFF);
    Ok(context)
}

fn client_context() -> Result<SslContext> {
    let mut context = context(SslMethod::tls_client())?;
    context.set_verify(SslVerifyMode::PEER);
    // SAFETY: the callback matches the type that the library calls.
    unsafe { SSL_CTX_set_cert_verify_callback(context.as_ptr(), Some(take_any), ptr::null_mut()) };
    Ok(context.build())
}

fn server_context(identity: &Identity) -> Result<SslContext> {
    let mut context = context(SslMethod::tls_server())?;
    context.set_verify(SslVerifyMode::NONE);
    context.set_certificate(&*X509::from_der(&identity.chain[0])?)?;
    context.set_private_key(&*PKey::private_key_from_pkcs8(&identity.key)?)?;
    context.set_session_id_context(b"bare")?;
    context.set_session_cache_mode(SslSessionCacheMode::SERVER);
    context.set_session_cache_size(SESSION_CACHE_SIZE as i32);
    Ok(context.build())
}

unsafe extern "C" fn take_any(_chain: *mut sys::X509_STORE_CTX, _argument: *mut c_void) -> c_int {
    1
}
