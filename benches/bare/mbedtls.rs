//! Mbed TLS with the callbacks that it wants, over two queues.

#![allow(unsafe_code)] // the C interface

use std::ffi::{c_int, c_uchar, c_void};
use std::ptr;
use std::slice;

use mbedtls_sys as sys;
use tlspair::engine::SESSION_CACHE_SIZE;
use tlspair::fixtures::Identity;

use super::Handshake;
use crate::batches::Result;

const NAME: &std::ffi::CStr = c"server.tlspair.test";

/// The loop. What the library keeps pointers to lives as long as the program.
pub struct Loop {
    client: &'static sys::ssl_config,
    server: &'static sys::ssl_config,
    wires: Box<Wires>,
    session: Option<Box<sys::ssl_session>>,
}

/// What is on its way, in both directions.
#[derive(Default)]
struct Wires {
    to_server: Queue,
    to_client: Queue,
}

#[derive(Default)]
struct Queue {
    bytes: Vec<u8>,
    taken: usize,
}

impl Loop {
    /// Sets everything up that outlives a connection, and makes the first one if others are to resume it.
    pub fn new(identity: &Identity, handshake: Handshake) -> Result<Self> {
        let mut this = Self {
            client: config(sys::SSL_IS_CLIENT)?,
            server: server_config(identity)?,
            wires: Box::default(),
            session: None,
        };
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

    fn connect(&mut self, keep: bool) -> Result<Option<Box<sys::ssl_session>>> {
        let wires = ptr::from_mut(&mut *self.wires).cast::<c_void>();
        let mut client_context = sys::ssl_context::default();
        let mut server_context = sys::ssl_context::default();
        let (client, server) = (&raw mut client_context, &raw mut server_context);
        // SAFETY: the contexts stay in place until they are freed; configurations, queues and session live longer. A
        // connection that fails is leaked, and the program ends.
        unsafe {
            sys::ssl_init(client);
            check(sys::ssl_setup(client, self.client))?;
            check(sys::ssl_set_hostname(client, NAME.as_ptr()))?;
            if let Some(session) = &self.session {
                check(sys::ssl_set_session(client, &raw const **session))?;
            }
            sys::ssl_set_bio(client, wires, Some(client_sends), Some(client_receives), None);
            sys::ssl_init(server);
            check(sys::ssl_setup(server, self.server))?;
            sys::ssl_set_bio(server, wires, Some(server_sends), Some(server_receives), None);

            let (mut client_done, mut server_done) = (false, false);
            while !(client_done && server_done) {
                client_done = client_done || step(client)?;
                server_done = server_done || step(server)?;
            }
            if let Some(session) = &self.session {
                // A full handshake would have made another master secret.
                for side in [client, server] {
                    if (*(*side).session).master != session.master {
                        return Err("Mbed TLS did not resume".into());
                    }
                }
            }

            send(client, server)?;
            send(server, client)?;

            let kept = if keep { Some(session_of(client)?) } else { None };
            check(sys::ssl_close_notify(client))?;
            check(sys::ssl_close_notify(server))?;
            expect_close(server)?;
            sys::ssl_free(server);
            expect_close(client)?;
            sys::ssl_free(client);
            Ok(kept)
        }
    }
}

fn check(code: c_int) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(format!("Mbed TLS answers -{:#06x}", code.unsigned_abs()).into()) }
}

unsafe fn step(ssl: *mut sys::ssl_context) -> Result<bool> {
    // SAFETY: the caller's context is set up.
    match unsafe { sys::ssl_handshake(ssl) } {
        sys::ERR_SSL_WANT_READ => Ok(false),
        code => check(code).map(|()| true),
    }
}

unsafe fn send(from: *mut sys::ssl_context, to: *mut sys::ssl_context) -> Result<()> {
    let mut byte = [0];
    // SAFETY: the caller's contexts are set up; one byte is read or written. 1 is what both answer.
    unsafe {
        check(sys::ssl_write(from, byte.as_ptr(), 1) - 1)?;
        check(sys::ssl_read(to, byte.as_mut_ptr(), 1) - 1)
    }
}

unsafe fn expect_close(ssl: *mut sys::ssl_context) -> Result<()> {
    // SAFETY: the caller's context is set up; one byte may be written.
    match unsafe { sys::ssl_read(ssl, [0].as_mut_ptr(), 1) } {
        sys::ERR_SSL_PEER_CLOSE_NOTIFY => Ok(()),
        other => Err(format!("Mbed TLS answers {other} instead of a close").into()),
    }
}

unsafe fn session_of(client: *const sys::ssl_context) -> Result<Box<sys::ssl_session>> {
    let mut session = Box::<sys::ssl_session>::default();
    // SAFETY: the caller's context has finished its handshake; the library copies into an object of its own making.
    unsafe {
        sys::ssl_session_init(&raw mut *session);
        check(sys::ssl_get_session(client, &raw mut *session))?;
    }
    Ok(session)
}

/// Room for a library's object, which stays where it is for good.
fn lasting<T: Default>() -> &'static mut T {
    Box::leak(Box::default())
}

fn config(endpoint: c_int) -> Result<&'static mut sys::ssl_config> {
    let entropy = lasting::<sys::entropy_context>();
    let random = lasting::<sys::ctr_drbg_context>();
    let config = lasting::<sys::ssl_config>();
    let ciphers = lasting::<[c_int; 2]>();
    ciphers[0] = c_int::from(0xc02f_u16); // TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
    let curves = lasting::<[sys::ecp_group_id; 2]>();
    *curves = [sys::ECP_DP_CURVE25519, sys::ECP_DP_NONE];
    let hashes = lasting::<[c_int; 2]>();
    *hashes = [sys::MD_SHA256 as c_int, sys::MD_NONE as c_int];
    // SAFETY: all that the library keeps a pointer to is never freed.
    unsafe {
        sys::entropy_init(entropy);
        sys::ctr_drbg_init(random);
        let source = ptr::from_mut(entropy).cast();
        check(sys::ctr_drbg_seed(random, Some(sys::entropy_func), source, ptr::null(), 0))?;
        sys::ssl_config_init(config);
        check(sys::ssl_config_defaults(
            config,
            endpoint,
            sys::SSL_TRANSPORT_STREAM,
            sys::SSL_PRESET_DEFAULT,
        ))?;
        sys::ssl_conf_rng(config, Some(sys::ctr_drbg_random), ptr::from_mut(random).cast());
        sys::ssl_conf_min_version(config, sys::SSL_MAJOR_VERSION_3, sys::SSL_MINOR_VERSION_3);
        sys::ssl_conf_max_version(config, sys::SSL_MAJOR_VERSION_3, sys::SSL_MINOR_VERSION_3);
        sys::ssl_conf_ciphersuites(config, ciphers.as_ptr());
        sys::ssl_conf_curves(config, curves.as_ptr());
        sys::ssl_conf_sig_hashes(config, hashes.as_ptr());
        sys::ssl_conf_authmode(config, sys::SSL_VERIFY_NONE);
        if endpoint == sys::SSL_IS_CLIENT {
            sys::ssl_conf_session_tickets(config, sys::SSL_SESSION_TICKETS_DISABLED);
        }
    }
    Ok(config)
}

fn server_config(identity: &Identity) -> Result<&'static sys::ssl_config> {
    let config = config(sys::SSL_IS_SERVER)?;
    let cache = lasting::<sys::ssl_cache_context>();
    let chain = lasting::<sys::x509_crt>();
    let key = lasting::<sys::pk_context>();
    let (leaf, pkcs8) = (&identity.chain[0], &identity.key);
    // SAFETY: as in `config`; certificate and key are copied.
    unsafe {
        sys::ssl_cache_init(cache);
        sys::ssl_cache_set_max_entries(cache, SESSION_CACHE_SIZE as c_int);
        let sessions = ptr::from_mut(cache).cast();
        sys::ssl_conf_session_cache(config, sessions, Some(sys::ssl_cache_get), Some(sys::ssl_cache_set));
        sys::x509_crt_init(chain);
        check(sys::x509_crt_parse_der(chain, leaf.as_ptr(), leaf.len()))?;
        sys::pk_init(key);
        check(sys::pk_parse_key(key, pkcs8.as_ptr(), pkcs8.len(), ptr::null(), 0))?;
        check(sys::ssl_conf_own_cert(config, chain, key))?;
    }
    Ok(config)
}

fn push(queue: &mut Queue, bytes: *const c_uchar, length: usize) -> c_int {
    // SAFETY: the library owns `length` readable bytes.
    queue.bytes.extend_from_slice(unsafe { slice::from_raw_parts(bytes, length) });
    length as c_int
}

fn pop(queue: &mut Queue, into: *mut c_uchar, length: usize) -> c_int {
    let unread = &queue.bytes[queue.taken..];
    if unread.is_empty() {
        return sys::ERR_SSL_WANT_READ;
    }
    let count = unread.len().min(length);
    // SAFETY: the library owns `length` writable bytes, and they are no part of the queue.
    unsafe { ptr::copy_nonoverlapping(unread.as_ptr(), into, count) };
    queue.taken += count;
    if queue.taken == queue.bytes.len() {
        queue.bytes.clear();
        queue.taken = 0;
    }
    count as c_int
}

macro_rules! callbacks {
    ($($name:ident: $work:ident, $queue:ident, $bytes:ty;)+) => {
        $(unsafe extern "C" fn $name(wires: *mut c_void, bytes: $bytes, length: usize) -> c_int {
            // SAFETY: `connect` has set `wires`, and nothing else uses them while the library works.
            $work(unsafe { &mut (*wires.cast::<Wires>()).$queue }, bytes, length)
        })+
    };
}

callbacks! {
    client_sends: push, to_server, *const c_uchar;
    client_receives: pop, to_client, *mut c_uchar;
    server_sends: push, to_client, *const c_uchar;
    server_receives: pop, to_server, *mut c_uchar;
}
