//! One connection: the calls that a C program would make, over our pipes.

use std::ffi::{c_int, c_uint};
use std::ptr;
use std::rc::Rc;

use super::library::{check, error, text};
use super::object::{Object, Owned, datum};
use super::outcome;
use super::pinned::{Kept, Local, Pinned};
use super::{store, sys};
use crate::cell::{MAX_EARLY_DATA, Resume, Verify};
use crate::engine::{Endpoint, EngineError, Negotiated, Side, Start, Step};
use crate::pipe::Io;

/// How long a session may be resumed, in seconds: the library's own hour could end within a slow cell's loop.
const SESSION_LIFETIME: c_int = 24 * 60 * 60;

/// See the module's documentation.
pub(super) struct Connection {
    /// Goes before what it points to.
    session: Object<sys::gnutls_session_int>,
    local: Rc<Local>,
    /// Client: whether the offered session showed a certificate when it was made.
    offered_client_cert: bool,
    close_sent: bool,
}

impl Connection {
    pub(super) fn open(local: &Rc<Local>, start: Start) -> Result<Box<Self>, EngineError> {
        let session = Object::made(
            // SAFETY: writes a pointer.
            |at| unsafe { sys::gnutls_init(at, local.pinned.flags) },
            sys::gnutls_deinit,
        )?;
        let mut connection = Box::new(Self {
            session,
            local: Rc::clone(local),
            offered_client_cert: false,
            close_sent: false,
        });
        connection.pin()?;
        match local.pinned.side {
            Side::Client => connection.start_client(start)?,
            Side::Server => connection.start_server()?,
        }
        Ok(connection)
    }

    #[inline]
    fn pinned(&self) -> &Pinned {
        &self.local.pinned
    }

    /// What both sides are told.
    fn pin(&self) -> Result<(), EngineError> {
        let session = self.session.at();
        let pinned = self.pinned();
        // SAFETY: the session lives, and `self` keeps for longer what it is made to point to.
        unsafe {
            check(sys::gnutls_priority_set(session, pinned.priority.at()))?;
            let certificates = pinned.certificates.at().cast();
            check(sys::gnutls_credentials_set(session, sys::GNUTLS_CRD_CERTIFICATE, certificates))?;
            self.local.transport.attach_to(session);
            sys::gnutls_db_set_cache_expiration(session, SESSION_LIFETIME);
            if pinned.verify != Verify::None && (pinned.side == Side::Client || pinned.asks_client) {
                let name = match (pinned.side, pinned.verify) {
                    (Side::Client, Verify::Name) => pinned.server_name.as_ptr(),
                    _ => ptr::null(),
                };
                sys::gnutls_session_set_verify_cert(session, name, 0);
            }
            if let Some(size) = pinned.record_size {
                check(sys::gnutls_record_set_max_size(session, size) as c_int)?;
            }
            if let Some(protocol) = pinned.alpn.identifier() {
                let mandatory = sys::GNUTLS_ALPN_MANDATORY;
                check(sys::gnutls_alpn_set_protocols(session, &datum(protocol), 1, mandatory))?;
            }
        }
        Ok(())
    }

    fn start_client(&mut self, start: Start) -> Result<(), EngineError> {
        let session = self.session.at();
        let name = self.pinned().server_name.as_bytes();
        // SAFETY: the session lives, and the library copies the name.
        check(unsafe {
            sys::gnutls_server_name_set(session, sys::GNUTLS_NAME_DNS, name.as_ptr().cast(), name.len())
        })?;
        if start == Start::Resume {
            let kept = self.local.kept.borrow();
            let kept = kept.as_ref().ok_or_else(|| EngineError::new("no session was kept"))?;
            let bytes = kept.session.datum();
            // SAFETY: the session lives, and the library copies what it needs of the kept one.
            check(unsafe { sys::gnutls_session_set_data(session, bytes.data.cast(), bytes.size as usize) })?;
            self.offered_client_cert = kept.client_cert;
        }
        if self.pinned().resume == Resume::Ticket {
            let hook = Some(note_ticket as unsafe extern "C" fn(_, _, _, _, _) -> _);
            // SAFETY: the session lives; the function has the type that the library calls.
            unsafe {
                let message = sys::GNUTLS_HANDSHAKE_NEW_SESSION_TICKET;
                let when = sys::GNUTLS_HOOK_POST as c_int;
                sys::gnutls_handshake_set_hook_function(session, message, when, hook);
                if start == Start::Resume {
                    mark_ticket(session); // a server need not replace a ticket that it takes
                }
            }
        }
        Ok(())
    }

    fn start_server(&self) -> Result<(), EngineError> {
        let session = self.session.at();
        let pinned = self.pinned();
        // SAFETY: the session lives, and `self` keeps for longer what it is made to point to.
        unsafe {
            if pinned.asks_client {
                sys::gnutls_certificate_server_set_request(session, sys::GNUTLS_CERT_REQUIRE);
            }
            // No issuers are named in the request, as by the servers of other engines.
            sys::gnutls_certificate_send_x509_rdn_sequence(session, 1);
            if let Some(key) = &pinned.ticket_key {
                check(sys::gnutls_session_ticket_enable_server(session, key.datum()))?;
            }
            if let Some(store) = &pinned.store {
                sys::gnutls_db_set_ptr(session, store.at());
                sys::gnutls_db_set_store_function(session, Some(store::put));
                sys::gnutls_db_set_retrieve_function(session, Some(store::get));
                sys::gnutls_db_set_remove_function(session, Some(store::remove));
            }
            if let Some(replays) = &pinned.replays {
                sys::gnutls_anti_replay_enable(session, replays.guard.at());
                check(sys::gnutls_record_set_max_early_data_size(session, MAX_EARLY_DATA as usize))?;
            }
        }
        Ok(())
    }

    #[inline]
    fn over<R>(&self, io: &mut Io<'_>, work: impl FnOnce(&Self) -> R) -> R {
        self.local.transport.with_pipes(io, || work(self))
    }

    fn handshake(&self) -> Result<Step, EngineError> {
        // SAFETY: the session lives.
        match unsafe { sys::gnutls_handshake(self.session.at()) } {
            0 => {}
            sys::GNUTLS_E_AGAIN | sys::GNUTLS_E_INTERRUPTED => return Ok(Step::Waiting),
            code => return Err(self.failure(code)),
        }
        if self.pinned().side == Side::Server && self.pinned().is_tls13 {
            // SAFETY: the session lives, and its handshake is over.
            check(unsafe { sys::gnutls_session_ticket_send(self.session.at(), 1, 0) })?;
        }
        Ok(Step::Done)
    }

    /// Puts an error into words and, as the library leaves to its program, sends the alert for it.
    #[cold]
    fn failure(&self, code: c_int) -> EngineError {
        let session = self.session.at();
        if code == sys::GNUTLS_E_FATAL_ALERT_RECEIVED || code == sys::GNUTLS_E_WARNING_ALERT_RECEIVED {
            // SAFETY: the session lives; the name of an alert is a static C string.
            let alert = text(unsafe { sys::gnutls_alert_get_name(sys::gnutls_alert_get(session)) });
            return EngineError::new(format_args!("{}: {alert}", error(code)));
        }
        // SAFETY: the session lives. Whether the alert could be sent changes nothing about the error.
        unsafe { sys::gnutls_alert_send_appropriate(session, code) };
        if code == sys::GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR {
            return EngineError::new(format_args!("{}: {}", error(code), self.certificate_faults()));
        }
        error(code)
    }

    /// The library's words for what is wrong with the peer's certificates.
    fn certificate_faults(&self) -> String {
        // SAFETY: the session lives; the words are C text in bytes of the library's allocator.
        let words = unsafe {
            let faults = sys::gnutls_session_get_verify_cert_status(self.session.at());
            Owned::made(|at| {
                sys::gnutls_certificate_verification_status_print(faults, sys::GNUTLS_CRT_X509, at, 0)
            })
        };
        words.map_or_else(|error| error.to_string(), |words| words.text())
    }

    /// Data, or none if the peer has to act first. What is not data (tickets) is handled on the way.
    fn receive(&self, io: &mut Io<'_>, into: &mut [u8]) -> Result<Received, EngineError> {
        loop {
            let answer = self.over(io, |connection| {
                // SAFETY: the session lives; the library writes to at most the length given.
                unsafe {
                    sys::gnutls_record_recv(connection.session.at(), into.as_mut_ptr().cast(), into.len())
                }
            });
            match c_int::try_from(answer).unwrap_or(c_int::MAX) {
                0 => return Ok(Received::Close),
                1.. => return Ok(Received::Data(answer as usize)),
                sys::GNUTLS_E_AGAIN | sys::GNUTLS_E_INTERRUPTED if io.inbound.is_empty() => {
                    return Ok(Received::Nothing);
                }
                sys::GNUTLS_E_AGAIN | sys::GNUTLS_E_INTERRUPTED => {}
                code => return Err(self.over(io, |connection| connection.failure(code))),
            }
        }
    }

    fn send(&self, mut data: &[u8]) -> Result<(), EngineError> {
        // One call sends one record at most.
        while !data.is_empty() {
            // SAFETY: the session lives; the library reads at most the length given.
            let answer =
                unsafe { sys::gnutls_record_send(self.session.at(), data.as_ptr().cast(), data.len()) };
            let count = usize::try_from(answer).map_err(|_| error(answer as c_int))?;
            data = &data[count..];
        }
        Ok(())
    }

    /// What the session that is about to be kept must have for a resumption.
    fn is_resumable(&self) -> bool {
        let session = self.session.at();
        match self.pinned().resume {
            Resume::SessionId => {
                let mut id = datum(&[]);
                // SAFETY: the session lives; writes a datum that points into it.
                unsafe { sys::gnutls_session_get_id2(session, &raw mut id) == 0 && id.size > 0 }
            }
            // SAFETY: the session lives.
            Resume::Ticket => unsafe { !sys::gnutls_session_get_ptr(session).is_null() },
            Resume::PskDhe | Resume::Psk => {
                // SAFETY: the session lives.
                let flags = unsafe { sys::gnutls_session_get_flags(session) };
                flags & sys::GNUTLS_SFLAGS_SESSION_TICKET != 0
            }
        }
    }
}

/// What [`Connection::receive`] came to.
enum Received {
    Data(usize),
    /// No more until the peer sends.
    Nothing,
    /// The peer's close_notify.
    Close,
}

impl Endpoint for Connection {
    fn write_early(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        // SAFETY: the session lives; the library copies the data.
        let answer = unsafe {
            sys::gnutls_record_send_early_data(self.session.at(), data.as_ptr().cast(), data.len())
        };
        check(answer as c_int)?;
        // The library sends what it was given behind its hello.
        match self.over(io, Self::handshake)? {
            Step::Waiting => Ok(()),
            Step::Done => Err(EngineError::new("the handshake was over before the server answered")),
        }
    }

    fn read_early(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        if !io.inbound.is_empty() {
            let step = self.over(io, Self::handshake)?;
            if step == Step::Done {
                return Err(EngineError::new("the handshake was over before the client's 0-RTT data"));
            }
        }
        // SAFETY: the session lives; the library writes to at most the length given.
        let answer = unsafe {
            sys::gnutls_record_recv_early_data(self.session.at(), into.as_mut_ptr().cast(), into.len())
        };
        match answer as c_int {
            sys::GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE => Ok(0),
            code => usize::try_from(answer).map_err(|_| error(code)),
        }
    }

    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        self.over(io, Self::handshake)
    }

    fn write(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        self.over(io, |connection| connection.send(data))
    }

    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        match self.receive(io, into)? {
            Received::Data(count) => Ok(count),
            Received::Nothing => Ok(0),
            Received::Close => Err(EngineError::new("the peer closed the connection")),
        }
    }

    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        if !self.close_sent {
            // SAFETY: the session lives.
            check(self.over(io, |connection| unsafe {
                sys::gnutls_bye(connection.session.at(), sys::GNUTLS_SHUT_WR)
            }))?;
            self.close_sent = true;
        }
        match self.receive(io, &mut [0])? {
            Received::Close => Ok(Step::Done),
            Received::Nothing => Ok(Step::Waiting),
            Received::Data(count) => {
                Err(EngineError::new(format_args!("{count} bytes of data instead of a close")))
            }
        }
    }

    fn negotiated(&mut self) -> Result<Negotiated, EngineError> {
        let session = self.session.at();
        let resumed = self.is_resumed();
        // SAFETY: the session lives, and its handshake is over.
        unsafe {
            outcome::check_extensions(session, self.pinned().etm, self.pinned().ems)?;
            outcome::of(session, resumed, self.client_cert(resumed))
        }
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        if !self.is_resumable() {
            return Err(EngineError::new("the server gave no session to resume"));
        }
        // SAFETY: the session lives; writes a datum whose bytes come from the library's allocator.
        let session = Owned::made(|at| unsafe { sys::gnutls_session_get_data2(self.session.at(), at) })?;
        let client_cert = self.client_cert(self.is_resumed());
        *self.local.kept.borrow_mut() = Some(Kept { session, client_cert });
        Ok(())
    }
}

impl Connection {
    fn is_resumed(&self) -> bool {
        // SAFETY: the session lives.
        unsafe { sys::gnutls_session_is_resumed(self.session.at()) != 0 }
    }

    /// Whether the client showed a certificate in this session.
    fn client_cert(&self, resumed: bool) -> bool {
        let session = self.session.at();
        match self.pinned().side {
            Side::Client if resumed => self.offered_client_cert,
            // SAFETY: the session lives; the answer is null or points into it.
            Side::Client => unsafe { !sys::gnutls_certificate_get_ours(session).is_null() },
            Side::Server => {
                let mut count: c_uint = 0;
                // SAFETY: as above; writes a number.
                let chain = unsafe { sys::gnutls_certificate_get_peers(session, &raw mut count) };
                !chain.is_null() && count > 0
            }
        }
    }
}

/// Called by the library when a ticket of TLS 1.2 has come, of which it says nothing afterwards.
unsafe extern "C" fn note_ticket(
    session: sys::gnutls_session_t,
    _message: c_uint,
    _when: c_uint,
    _incoming: c_uint,
    _bytes: *const sys::gnutls_datum_t,
) -> c_int {
    // SAFETY: the library passes the session that is at work.
    unsafe { mark_ticket(session) };
    0
}

/// Remembers that a session has a ticket, in the place that the library keeps for its program's own pointer.
///
/// # Safety
/// The session lives.
unsafe fn mark_ticket(session: sys::gnutls_session_t) {
    // SAFETY: the pointer is compared with null and otherwise not used.
    unsafe { sys::gnutls_session_set_ptr(session, session.cast()) };
}
