//! One connection of BoringSSL, and what connections of a side share.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_int};
use std::ptr;
use std::rc::Rc;
use std::slice;

use boring::error::ErrorStack;
use boring::ssl::SslContext;
use boring_sys as sys;
use foreign_types_shared::ForeignType;
use tlspair::cell::{Alpn, Cell, Extension, Group, Hello, KeyExchange, Proto, SignatureScheme};
use tlspair::engine::{Endpoint, EngineError, Negotiated, Prepared, Share, Side, Start, Step, Unsupported};
use tlspair::fixtures::{Credentials, SERVER_NAME};
use tlspair::pipe::Io;

use crate::context;
use crate::library::{succeeded, words};
use crate::pipe_bio::{Notes, PipeBio, Session};

/// One side of a cell.
pub struct BoringSide(Rc<Shared>);

struct Shared {
    pinned: Pinned,
    bio: PipeBio,
    kept: RefCell<Option<Kept>>,
}

/// What the cell says, and the context that says it to the library: the same on every thread.
#[derive(Clone)]
struct Pinned {
    side: Side,
    context: SslContext,
    /// The name that a client asks for.
    server_name: CString,
    /// The group of a client's first key share, if it is not the cell's.
    wrong_share: Option<u16>,
    /// Static RSA has no group and no server signature.
    is_static_rsa: bool,
    has_hello_retry: bool,
    /// Server: whether tickets follow the handshake, as in TLS 1.3.
    sends_tickets_late: bool,
    needs_extended_master_secret: bool,
}

/// The session that the client offers next.
struct Kept {
    session: Session,
    client_cert: bool,
}

impl BoringSide {
    /// Pins everything that `cell` says.
    pub fn new(side: Side, cell: &Cell, credentials: &Credentials) -> Result<Self, EngineError> {
        Self::over(Pinned {
            side,
            context: context::context(side, cell, credentials).map_err(|stack| words(&stack))?,
            server_name: CString::new(SERVER_NAME).map_err(EngineError::new)?,
            wrong_share: context::wrong_share(cell),
            is_static_rsa: cell.cipher.kx == KeyExchange::StaticRsa,
            has_hello_retry: cell.hello == Hello::Retry,
            sends_tickets_late: side == Side::Server && cell.proto == Proto::Tls13,
            needs_extended_master_secret: cell.ems == Extension::On,
        })
    }

    fn over(pinned: Pinned) -> Result<Self, EngineError> {
        let bio = PipeBio::new().map_err(|stack| words(&stack))?;
        Ok(Self(Rc::new(Shared { pinned, bio, kept: RefCell::new(None) })))
    }
}

impl Prepared for BoringSide {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        let mut connection = Connection::new(Rc::clone(&self.0)).map_err(|stack| words(&stack))?;
        match self.0.pinned.side {
            // SAFETY: the connection lives and has not begun.
            Side::Server => unsafe { sys::SSL_set_accept_state(connection.ssl) },
            Side::Client => {
                connection.begin_as_client().map_err(|stack| words(&stack))?;
                if start == Start::Resume {
                    connection.offer_session()?;
                }
            }
        }
        Ok(Box::new(connection))
    }

    /// Contexts may serve several threads at once; the BIO may not.
    fn share(&self) -> Result<Share, Unsupported> {
        let pinned = self.0.pinned.clone();
        Ok(Box::new(move || Ok(Box::new(Self::over(pinned)?))))
    }
}

struct Connection {
    shared: Rc<Shared>,
    ssl: *mut sys::SSL,
    notes: Notes,
    /// Client: whether the offered session showed a client certificate when it was made.
    offered_client_cert: bool,
}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: the connection is ours alone.
        unsafe { sys::SSL_free(self.ssl) };
    }
}

impl Connection {
    fn new(shared: Rc<Shared>) -> Result<Self, ErrorStack> {
        // SAFETY: the context lives; the pointer is checked and owned by the connection from here on.
        let ssl = unsafe { sys::SSL_new(shared.pinned.context.as_ptr()) };
        if ssl.is_null() {
            return Err(ErrorStack::get());
        }
        // SAFETY: `ssl` has just been made.
        unsafe { shared.bio.attach_to(ssl) };
        Ok(Self { shared, ssl, notes: Notes::default(), offered_client_cert: false })
    }

    fn begin_as_client(&mut self) -> Result<(), ErrorStack> {
        // SAFETY: the connection lives and has not begun; the library copies the name and the number.
        unsafe {
            sys::SSL_set_connect_state(self.ssl);
            succeeded(sys::SSL_set_tlsext_host_name(self.ssl, self.shared.pinned.server_name.as_ptr()))?;
            if let Some(group) = &self.shared.pinned.wrong_share {
                succeeded(sys::SSL_set1_client_key_shares(self.ssl, group, 1))?;
            }
        }
        Ok(())
    }

    fn offer_session(&mut self) -> Result<(), EngineError> {
        let kept = self.shared.kept.borrow();
        let kept = kept.as_ref().ok_or_else(|| EngineError::new("no session was kept"))?;
        // SAFETY: the session comes from a connection of the same context.
        succeeded(unsafe { sys::SSL_set_session(self.ssl, kept.session.as_ptr()) })
            .map_err(|stack| words(&stack))?;
        self.offered_client_cert = kept.client_cert;
        Ok(())
    }

    /// Calls the library with the pipes at hand and no old errors about.
    #[inline]
    fn call(&mut self, io: &mut Io<'_>, work: impl FnOnce(*mut sys::SSL) -> c_int) -> c_int {
        // SAFETY: touches the library's own error queue only.
        unsafe {
            if sys::ERR_peek_last_error() != 0 {
                sys::ERR_clear_error();
            }
        }
        let ssl = self.ssl;
        self.shared.bio.with(io, &mut self.notes, || work(ssl))
    }

    /// What a call that did not succeed came to: the peer has to act, or an error.
    #[inline]
    fn waiting(&self, outcome: c_int) -> Result<(), EngineError> {
        // SAFETY: `outcome` is what the last call on this connection answered.
        match unsafe { sys::SSL_get_error(self.ssl, outcome) } {
            sys::SSL_ERROR_WANT_READ => Ok(()),
            code => Err(self.failure(code)),
        }
    }

    #[cold]
    fn failure(&self, code: c_int) -> EngineError {
        match code {
            sys::SSL_ERROR_ZERO_RETURN => return EngineError::new("the peer closed the connection"),
            sys::SSL_ERROR_EARLY_DATA_REJECTED => {
                return EngineError::new("the server turned the 0-RTT data down");
            }
            _ => {}
        }
        let stack = ErrorStack::get();
        let Some(last) = stack.errors().last() else {
            return EngineError::new(format_args!("SSL_get_error says {code} and gives no reason"));
        };
        let error = words(&stack);
        if last.library_reason(sys::ERR_LIB_SSL) != Some(sys::SSL_R_CERTIFICATE_VERIFY_FAILED) {
            return error;
        }
        // SAFETY: `ssl` lives; the words are a static string for any verdict.
        let verdict = unsafe {
            CStr::from_ptr(sys::X509_verify_cert_error_string(sys::SSL_get_verify_result(self.ssl)))
        };
        EngineError::new(format_args!("{error}: {}", verdict.to_string_lossy()))
    }

    fn is_in_handshake(&self) -> bool {
        // SAFETY: `ssl` lives.
        unsafe { sys::SSL_in_init(self.ssl) == 1 }
    }

    /// Reads, or only looks at, what there is of application data; 0 if there is none yet.
    fn take(
        &mut self,
        io: &mut Io<'_>,
        into: &mut [u8],
        with: unsafe extern "C" fn(*mut sys::SSL, *mut std::ffi::c_void, c_int) -> c_int,
    ) -> Result<usize, EngineError> {
        let room = into.len().min(c_int::MAX as usize) as c_int;
        // SAFETY: `call` passes the living connection, and `into` is writable for `room` bytes.
        match self.call(io, |ssl| unsafe { with(ssl, into.as_mut_ptr().cast(), room) }) {
            count if count > 0 => Ok(count as usize),
            outcome => self.waiting(outcome).map(|()| 0),
        }
    }

    fn proto(&self) -> Result<Proto, EngineError> {
        // SAFETY: `ssl` lives.
        let code = unsafe { sys::SSL_version(self.ssl) };
        u16::try_from(code)
            .ok()
            .and_then(Proto::from_code)
            .ok_or_else(|| EngineError::new(format_args!("negotiated an unknown version {code:#x}")))
    }

    fn cipher(&self) -> Result<u16, EngineError> {
        // SAFETY: `ssl` lives, and a cipher is an entry of the library's static tables.
        unsafe {
            let cipher = sys::SSL_get_current_cipher(self.ssl);
            if cipher.is_null() {
                return Err(EngineError::new("negotiated no cipher"));
            }
            Ok(sys::SSL_CIPHER_get_protocol_id(cipher))
        }
    }

    fn group(&self) -> Result<Group, EngineError> {
        // SAFETY: `ssl` lives.
        let code = unsafe { sys::SSL_get_group_id(self.ssl) };
        Group::from_code(code)
            .ok_or_else(|| EngineError::new(format_args!("negotiated an unknown group {code:#x}")))
    }

    /// The scheme of the server's signature, which only the client can say, and not before TLS 1.2, where the key
    /// decides it: the library forgets its own with the handshake.
    fn server_signature(&self, proto: Proto) -> Result<Option<SignatureScheme>, EngineError> {
        if self.shared.pinned.side == Side::Server || proto < Proto::Tls12 {
            return Ok(None);
        }
        // SAFETY: `ssl` lives.
        let code = unsafe { sys::SSL_get_peer_signature_algorithm(self.ssl) };
        match SignatureScheme::from_code(code) {
            Some(scheme) => Ok(Some(scheme)),
            None => Err(EngineError::new(format_args!("the server signed with the scheme {code:#x}"))),
        }
    }

    fn client_cert(&self) -> bool {
        match self.shared.pinned.side {
            // The peer's certificates are part of the session, so they are there after a resumption as well.
            // SAFETY: `ssl` lives; no reference is taken.
            Side::Server => unsafe { !sys::SSL_get0_peer_certificates(self.ssl).is_null() },
            Side::Client if self.is_resumed() => self.offered_client_cert,
            Side::Client => self.notes.asked_for_certificate,
        }
    }

    fn is_resumed(&self) -> bool {
        // SAFETY: `ssl` lives.
        unsafe { sys::SSL_session_reused(self.ssl) == 1 }
    }

    fn alpn(&self) -> Result<Alpn, EngineError> {
        let (mut start, mut length) = (ptr::null(), 0);
        // SAFETY: `ssl` lives and outlives the slice; the library writes where the identifier lies and its length.
        let identifier = unsafe {
            sys::SSL_get0_alpn_selected(self.ssl, &mut start, &mut length);
            if start.is_null() { &[][..] } else { slice::from_raw_parts(start, length as usize) }
        };
        Alpn::from_identifier(identifier)
            .ok_or_else(|| EngineError::new(format_args!("agreed on the protocol {identifier:?}")))
    }

    /// What the cell may ask for that [`Negotiated`] has no place for.
    fn check_extras(&self) -> Result<(), EngineError> {
        // SAFETY: `ssl` lives.
        let (retried, extended) = unsafe {
            (sys::SSL_used_hello_retry_request(self.ssl) == 1, sys::SSL_get_extms_support(self.ssl) == 1)
        };
        if retried != self.shared.pinned.has_hello_retry {
            let what = if retried { "a" } else { "no" };
            return Err(EngineError::new(format_args!("the handshake had {what} HelloRetryRequest")));
        }
        if self.shared.pinned.needs_extended_master_secret && !extended {
            return Err(EngineError::new("the extended master secret was not agreed on"));
        }
        Ok(())
    }

    /// The session to resume: before TLS 1.3 the connection's own, under TLS 1.3 that of the newest ticket.
    fn session(&mut self) -> Option<Session> {
        if self.notes.newest_session.is_some() {
            return self.notes.newest_session.take();
        }
        // SAFETY: `ssl` lives; the reference that the library adds passes to the session.
        unsafe {
            let session = sys::SSL_get1_session(self.ssl);
            (!session.is_null()).then(|| Session::from_raw(session))
        }
    }
}

impl Endpoint for Connection {
    fn write_early(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        // SAFETY: `call` passes the living connection.
        let outcome = self.call(io, |ssl| unsafe { sys::SSL_do_handshake(ssl) });
        // SAFETY: `ssl` lives.
        if outcome != 1 || unsafe { sys::SSL_in_early_data(self.ssl) } == 0 {
            self.waiting(outcome)?;
            return Err(EngineError::new("the kept session allows no 0-RTT data"));
        }
        self.write(data, io)
    }

    fn read_early(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        // SAFETY: `call` passes the living connection.
        let outcome = self.call(io, |ssl| unsafe { sys::SSL_do_handshake(ssl) });
        if outcome != 1 {
            return self.waiting(outcome).map(|()| 0);
        }
        self.take(io, into, sys::SSL_read)
    }

    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        // SAFETY: `call` passes the living connection.
        let outcome = self.call(io, |ssl| unsafe { sys::SSL_do_handshake(ssl) });
        if outcome != 1 {
            return self.waiting(outcome).map(|()| Step::Waiting);
        }
        if self.is_in_handshake() {
            // A server that has taken 0-RTT data finishes the handshake only when somebody reads.
            self.take(io, &mut [0], sys::SSL_peek)?;
        }
        if self.is_in_handshake() {
            return Ok(Step::Waiting);
        }
        if self.shared.pinned.sends_tickets_late {
            // The library holds tickets back until the server writes; an empty write, which makes no record, is its
            // way to send them. Without it a server that has nothing to say would send none.
            self.write(&[], io)?;
        }
        Ok(Step::Done)
    }

    fn write(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        let length = c_int::try_from(data.len()).map_err(EngineError::new)?;
        // SAFETY: `call` passes the living connection, and `data` is readable for its length.
        let outcome = self.call(io, |ssl| unsafe { sys::SSL_write(ssl, data.as_ptr().cast(), length) });
        if outcome == length {
            return Ok(());
        }
        self.waiting(outcome)?;
        Err(EngineError::new("a write stopped half-way, to wait for the peer"))
    }

    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        self.take(io, into, sys::SSL_read)
    }

    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        // The first call sends and answers 0; those after it read.
        loop {
            // SAFETY: `call` passes the living connection.
            match self.call(io, |ssl| unsafe { sys::SSL_shutdown(ssl) }) {
                1 => return Ok(Step::Done),
                0 if io.inbound.is_empty() => return Ok(Step::Waiting),
                0 => {}
                outcome => return self.waiting(outcome).map(|()| Step::Waiting),
            }
        }
    }

    fn negotiated(&mut self) -> Result<Negotiated, EngineError> {
        self.check_extras()?;
        let proto = self.proto()?;
        let resumed = self.is_resumed();
        let has_exchange = !self.shared.pinned.is_static_rsa && (!resumed || proto == Proto::Tls13);
        let has_signature = !self.shared.pinned.is_static_rsa && !resumed;
        Ok(Negotiated {
            proto,
            cipher: self.cipher()?,
            group: if has_exchange { Some(self.group()?) } else { None },
            signature: if has_signature { self.server_signature(proto)? } else { None },
            resumed,
            client_cert: self.client_cert(),
            alpn: self.alpn()?,
            // SAFETY: `ssl` lives.
            early_data: unsafe { sys::SSL_early_data_accepted(self.ssl) == 1 },
        })
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        if self.shared.pinned.side == Side::Server {
            return Err(EngineError::new("only a client keeps a session"));
        }
        let client_cert = self.client_cert();
        // SAFETY: the session lives.
        let is_resumable =
            |session: &Session| unsafe { sys::SSL_SESSION_is_resumable(session.as_ptr()) == 1 };
        let session = self.session().filter(is_resumable);
        let session = session.ok_or_else(|| EngineError::new("the server gave no session to resume"))?;
        *self.shared.kept.borrow_mut() = Some(Kept { session, client_cert });
        Ok(())
    }
}
