//! One connection: the calls that a C program would make, over our pipes.

use std::cell::{Cell as Slot, RefCell};
use std::ffi::{CStr, c_int};
use std::mem::MaybeUninit;
use std::ptr;
use std::rc::Rc;
use std::slice;
use std::sync::Arc;

use tlspair::cell::{Alpn, Extension, Group, Proto, Resume, SignatureScheme};
use tlspair::engine::{Endpoint, EngineError, Negotiated, Side, Start, Step};
use tlspair::pipe::Io;

use crate::object::{Object, certificate_faults, check, error};
use crate::pinned::Pinned;
use crate::sys;
use crate::transport::{receive, send};

const OVER: c_int = sys::MBEDTLS_SSL_HANDSHAKE_OVER as c_int;
const WRAPUP: c_int = sys::MBEDTLS_SSL_HANDSHAKE_WRAPUP as c_int;
const SERVER_CERTIFICATE: c_int = sys::MBEDTLS_SSL_SERVER_CERTIFICATE as c_int;
const TICKET: c_int = sys::MBEDTLS_SSL_TLS1_3_NEW_SESSION_TICKET as c_int;
const CERTIFICATE_VERIFY: c_int = sys::MBEDTLS_SSL_CERTIFICATE_VERIFY as c_int;

/// What the connections of one side share on one thread.
pub struct OneThread {
    pinned: Arc<Pinned>,
    /// A client's session for the next resumption.
    kept: RefCell<Option<Kept>>,
    /// Server: whether every client of a full handshake has shown a certificate.
    all_showed_certificates: Slot<bool>,
}

/// A client's session, with what the library does not store in it.
struct Kept {
    session: Object<sys::mbedtls_ssl_session>,
    /// Whether the server asked for a certificate when the session was made.
    certificate_asked: bool,
}

impl OneThread {
    /// With no session kept.
    pub fn over(pinned: Arc<Pinned>) -> Rc<Self> {
        Rc::new(Self { pinned, kept: RefCell::new(None), all_showed_certificates: Slot::new(true) })
    }

    /// What other threads may share.
    pub fn pinned(&self) -> Arc<Pinned> {
        Arc::clone(&self.pinned)
    }
}

/// See the module's documentation.
pub struct Connection {
    ssl: sys::mbedtls_ssl_context,
    shared: Rc<OneThread>,
    name_to_forget: bool,
    has_new_ticket: bool,
    close_sent: bool,
    seen: Seen,
}

/// What the library knows during the handshake only, mostly read in its last moment.
#[derive(Default)]
struct Seen {
    resumed: bool,
    /// The number of the group, if there was an exchange in one.
    group: u16,
    /// Client of TLS 1.3: the scheme in the server's CertificateVerify.
    scheme: u16,
    hello_retry: bool,
    extended_master_secret: bool,
    /// Client: whether the server asked for a certificate, in this handshake or the one that made the session.
    certificate_asked: bool,
}

impl Connection {
    /// A new connection.
    pub fn open(shared: &Rc<OneThread>, start: Start) -> Result<Box<Self>, EngineError> {
        // SAFETY: all of the struct's fields are numbers, arrays of numbers and pointers, for which zeros are valid.
        let ssl = unsafe { MaybeUninit::zeroed().assume_init() };
        let mut connection = Box::new(Self {
            ssl,
            shared: Rc::clone(shared),
            name_to_forget: shared.pinned.forgets_name,
            has_new_ticket: false,
            close_sent: false,
            seen: Seen::default(),
        });
        let ssl = &raw mut connection.ssl;
        // SAFETY: the context is in the box from here to its end, and `connection` keeps the configuration alive.
        unsafe {
            sys::mbedtls_ssl_init(ssl);
            check(sys::mbedtls_ssl_setup(ssl, shared.pinned.config(start)))?;
        }
        if shared.pinned.side == Side::Client {
            connection.start_client(start)?;
        }
        Ok(connection)
    }

    fn start_client(&mut self, start: Start) -> Result<(), EngineError> {
        let name = self.shared.pinned.server_name.as_ptr();
        // SAFETY: the library copies the name.
        check(unsafe { sys::mbedtls_ssl_set_hostname(&raw mut self.ssl, name) })?;
        if start == Start::Resume {
            let kept = self.shared.kept.borrow();
            let kept = kept.as_ref().ok_or_else(|| EngineError::new("no session was kept"))?;
            // SAFETY: the library copies the session.
            check(unsafe { sys::mbedtls_ssl_set_session(&raw mut self.ssl, kept.session.at()) })?;
            self.seen.certificate_asked = kept.certificate_asked;
        }
        Ok(())
    }

    /// Gives the library the pipes for as long as `work` lasts.
    #[inline]
    fn over<R>(&mut self, io: &mut Io<'_>, work: impl FnOnce(&mut Self) -> R) -> R {
        let ssl = &raw mut self.ssl;
        // SAFETY: stores three pointers. `io` is borrowed for longer than they are left in place, and nobody uses it in
        // between but the two functions.
        unsafe {
            sys::mbedtls_ssl_set_bio(ssl, ptr::from_mut(io).cast(), Some(send), Some(receive), None);
        }
        let result = work(self);
        // SAFETY: takes the pointers away again.
        unsafe { sys::mbedtls_ssl_set_bio(&raw mut self.ssl, ptr::null_mut(), None, None, None) };
        result
    }

    /// What `mbedtls_ssl_handshake` does, with looks in between.
    fn step_until_waiting(&mut self) -> Result<Step, EngineError> {
        while self.ssl.state != OVER {
            let state = self.ssl.state;
            match state {
                SERVER_CERTIFICATE if self.name_to_forget => self.forget_name()?,
                WRAPUP => self.look_before_wrapup(),
                _ => {}
            }
            // SAFETY: the context is set up, and `over` has given it the pipes.
            match unsafe { sys::mbedtls_ssl_handshake_step(&raw mut self.ssl) } {
                0 => {}
                sys::MBEDTLS_ERR_SSL_WANT_READ => return Ok(Step::Waiting),
                code => return Err(self.handshake_error(code)),
            }
            if state == CERTIFICATE_VERIFY {
                self.look_at_signature();
            }
        }
        Ok(Step::Done)
    }

    /// The name has been sent; without it the library checks the chain and no name.
    fn forget_name(&mut self) -> Result<(), EngineError> {
        self.name_to_forget = false;
        // SAFETY: frees the context's copy of the name.
        check(unsafe { sys::mbedtls_ssl_set_hostname(&raw mut self.ssl, ptr::null()) })
    }

    /// A client of TLS 1.3 has just checked the signature in the message that is still in the library's buffer: a type, a
    /// length of three bytes, a scheme of two. It keeps the scheme nowhere else. (Before TLS 1.3 it is in plain text.)
    fn look_at_signature(&mut self) {
        let pinned = &self.shared.pinned;
        if pinned.side == Side::Client && pinned.is_tls13 && self.ssl.in_hslen >= 6 {
            // SAFETY: the message is `in_hslen` bytes long and stays in place until the next record is read.
            let message = unsafe { slice::from_raw_parts(self.ssl.in_msg, 6) };
            self.seen.scheme = u16::from_be_bytes([message[4], message[5]]);
        }
    }

    fn look_before_wrapup(&mut self) {
        // SAFETY: null, or the state of the running handshake, which the next step frees.
        let Some(handshake) = (unsafe { self.ssl.handshake.as_ref() }) else { return };
        let seen = &mut self.seen;
        if self.shared.pinned.is_tls13 {
            let mode = u32::from(handshake.key_exchange_mode);
            seen.resumed = mode != sys::MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_EPHEMERAL;
            seen.hello_retry = handshake.hello_retry_request_flag != 0;
            if mode != sys::MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_PSK {
                seen.group = handshake.offered_group_id;
            }
        } else {
            seen.resumed = handshake.resume != 0;
            seen.extended_master_secret = handshake.extended_ms != 0;
            // SAFETY: the function maps a number to a number, 0 where there was no exchange.
            seen.group = unsafe { sys::mbedtls_ssl_get_tls_id_from_ecp_group_id(handshake.ecdh_ctx.grp_id) };
        }
        if !seen.resumed {
            seen.certificate_asked = handshake.client_auth != 0;
            // SAFETY: null, or the session that is being made.
            let session = unsafe { self.ssl.session_negotiate.as_ref() };
            if session.is_none_or(|session| session.peer_cert.is_null()) {
                self.shared.all_showed_certificates.set(false);
            }
        }
    }

    #[cold]
    fn handshake_error(&self, code: c_int) -> EngineError {
        if code != sys::MBEDTLS_ERR_X509_CERT_VERIFY_FAILED {
            return error(code);
        }
        // SAFETY: reads a number from the context's session.
        let faults = unsafe { sys::mbedtls_ssl_get_verify_result(&raw const self.ssl) };
        EngineError::new(format_args!("{}: {}", error(code), certificate_faults(faults)))
    }

    /// Reads once, and again for each ticket: the library first says that it wants to read, as if there were nothing,
    /// and then that a ticket has come.
    fn read_once(&mut self, into: &mut [u8]) -> c_int {
        loop {
            let had_ticket_in_hand = self.ssl.state == TICKET;
            // SAFETY: the library writes to at most the length given; `over` has given it the pipes.
            let code = unsafe { sys::mbedtls_ssl_read(&raw mut self.ssl, into.as_mut_ptr(), into.len()) };
            match code {
                sys::MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET => self.has_new_ticket = true,
                sys::MBEDTLS_ERR_SSL_WANT_READ if self.ssl.state == TICKET && !had_ticket_in_hand => {}
                _ => return code,
            }
        }
    }

    fn write_all(&mut self, mut data: &[u8]) -> Result<(), EngineError> {
        // One call sends one fragment at most.
        while !data.is_empty() {
            // SAFETY: the library reads at most the length given; `over` has given it the pipes.
            let code = unsafe { sys::mbedtls_ssl_write(&raw mut self.ssl, data.as_ptr(), data.len()) };
            let count = usize::try_from(code).map_err(|_| error(code))?;
            data = &data[count..];
        }
        Ok(())
    }

    /// The session in force, once the handshake is over.
    fn session(&self) -> Result<&sys::mbedtls_ssl_session, EngineError> {
        // SAFETY: null, or an object that the context owns and that only the context's functions change.
        unsafe { self.ssl.session.as_ref() }.ok_or_else(|| EngineError::new("the handshake is not over"))
    }

    fn group(&self) -> Result<Option<Group>, EngineError> {
        match self.seen.group {
            0 => Ok(None),
            code => Group::from_code(code)
                .map(Some)
                .ok_or_else(|| EngineError::new(format_args!("negotiated the unknown group {code}"))),
        }
    }

    fn signature(&self) -> Result<Option<SignatureScheme>, EngineError> {
        match self.seen.scheme {
            0 => Ok(None),
            code => SignatureScheme::from_code(code)
                .map(Some)
                .ok_or_else(|| EngineError::new(format_args!("signed in the unknown scheme {code:#06x}"))),
        }
    }

    fn alpn(&self) -> Result<Alpn, EngineError> {
        // SAFETY: null, or one of the C strings of the configuration's list.
        let chosen = unsafe {
            let chosen = sys::mbedtls_ssl_get_alpn_protocol(&raw const self.ssl);
            if chosen.is_null() { c"" } else { CStr::from_ptr(chosen) }
        };
        Alpn::from_identifier(chosen.to_bytes())
            .ok_or_else(|| EngineError::new(format_args!("agreed on the protocol {chosen:?}")))
    }

    /// Whether the client showed a certificate. A ticket of TLS 1.3 holds none, but the session in it comes from a full
    /// handshake of this side.
    fn client_cert(&self, session: &sys::mbedtls_ssl_session) -> bool {
        match self.shared.pinned.side {
            Side::Client => self.seen.certificate_asked,
            Side::Server if self.shared.pinned.is_tls13 && self.seen.resumed => {
                self.shared.all_showed_certificates.get()
            }
            Side::Server => !session.peer_cert.is_null(),
        }
    }

    /// What the cell may ask for that [`Negotiated`] has no place for.
    fn check_extras(&self, session: &sys::mbedtls_ssl_session) -> Result<(), EngineError> {
        let pinned = &self.shared.pinned;
        let extras = [
            ("encrypt-then-MAC", pinned.encrypt_then_mac, session.encrypt_then_mac != 0),
            ("extended master secret", pinned.extended_master_secret, self.seen.extended_master_secret),
        ];
        for (what, wanted, found) in extras {
            let is_right = match wanted {
                Extension::Auto => true,
                Extension::On => found,
                Extension::Off => !found,
            };
            if !is_right {
                let word = if found { "agreed on" } else { "not agreed on" };
                return Err(EngineError::new(format_args!("{what} was {word}")));
            }
        }
        if self.seen.hello_retry != pinned.has_hello_retry {
            let what = if self.seen.hello_retry { "a" } else { "no" };
            return Err(EngineError::new(format_args!("the handshake had {what} HelloRetryRequest")));
        }
        Ok(())
    }
}

impl Endpoint for Connection {
    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        self.over(io, Self::step_until_waiting)
    }

    fn write(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        self.over(io, |connection| connection.write_all(data))
    }

    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        match self.over(io, |connection| connection.read_once(into)) {
            sys::MBEDTLS_ERR_SSL_WANT_READ => Ok(0),
            code => usize::try_from(code).map_err(|_| error(code)),
        }
    }

    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        self.over(io, |connection| {
            if !connection.close_sent {
                // SAFETY: the context is set up, and `over` has given it the pipes.
                check(unsafe { sys::mbedtls_ssl_close_notify(&raw mut connection.ssl) })?;
                connection.close_sent = true;
            }
            match connection.read_once(&mut [0]) {
                sys::MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY => Ok(Step::Done),
                sys::MBEDTLS_ERR_SSL_WANT_READ => Ok(Step::Waiting),
                count @ 0.. => {
                    Err(EngineError::new(format_args!("{count} bytes of data instead of a close")))
                }
                code => Err(error(code)),
            }
        })
    }

    fn negotiated(&mut self) -> Result<Negotiated, EngineError> {
        let session = self.session()?;
        self.check_extras(session)?;
        let version = self.ssl.tls_version as u16;
        Ok(Negotiated {
            proto: Proto::from_code(version)
                .ok_or_else(|| EngineError::new(format_args!("negotiated version {version:#06x}")))?,
            cipher: session.ciphersuite as u16,
            group: self.group()?,
            signature: self.signature()?,
            resumed: self.seen.resumed,
            client_cert: self.client_cert(session),
            alpn: self.alpn()?,
            early_data: false,
        })
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        let session = self.session()?;
        let resumable = match self.shared.pinned.resume {
            Resume::SessionId => session.id_len > 0,
            Resume::Ticket => session.ticket_len > 0,
            // After a resumption the session still has the ticket that was offered.
            Resume::PskDhe | Resume::Psk => self.has_new_ticket,
        };
        if !resumable {
            return Err(EngineError::new("the server gave no session to resume"));
        }
        let mut slot = self.shared.kept.borrow_mut();
        let kept = slot.get_or_insert_with(|| Kept { session: Object::new(), certificate_asked: false });
        // SAFETY: the library frees what the object held before and copies the session into it.
        let code = unsafe { sys::mbedtls_ssl_get_session(&raw const self.ssl, kept.session.at()) };
        kept.certificate_asked = self.seen.certificate_asked;
        if code != 0 {
            *slot = None;
        }
        check(code)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: `open` has called the matching `mbedtls_ssl_init`; nothing uses the context after this.
        unsafe { sys::mbedtls_ssl_free(&raw mut self.ssl) };
    }
}
