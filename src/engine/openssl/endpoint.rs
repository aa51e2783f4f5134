//! One connection of OpenSSL, and what connections of a side share.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ffi::{CString, c_int};
use std::rc::Rc;

use foreign_types_shared::ForeignType;
use openssl::error::ErrorStack;
use openssl::ssl::{Ssl, SslContext, SslSession};
use openssl::x509::X509VerifyResult;
use openssl_sys as sys;

use super::library::words;
use super::pipe_bio::PipeBio;
use super::{context, ffi};
use crate::cell::{Cell, KeyExchange, Proto, Resume};
use crate::engine::{Endpoint, EngineError, Negotiated, Prepared, Share, Side, Start, Step, Unsupported};
use crate::fixtures::{Credentials, SERVER_NAME};
use crate::pipe::Io;

/// One side of a cell.
pub struct OpenSslSide(Rc<Shared>);

/// What the connections of a side have in common.
pub(super) struct Shared {
    pub(super) pinned: Pinned,
    bio: PipeBio,
    kept: RefCell<Option<Kept>>,
}

/// What the sides of several threads may have in common.
#[derive(Clone)]
pub(super) struct Pinned {
    pub(super) side: Side,
    context: SslContext,
    /// The name that a client asks for; none in SSL 3.0, which has no extensions.
    server_name: Option<CString>,
    /// Static RSA has no group and no server signature.
    pub(super) is_static_rsa: bool,
    /// Whether a resumption is to do without a key exchange.
    pub(super) is_psk_only: bool,
}

/// The session that the client offers next.
struct Kept {
    session: SslSession,
    client_cert: bool,
}

impl OpenSslSide {
    /// Pins everything that `cell` says.
    pub fn new(side: Side, cell: &Cell, credentials: &Credentials) -> Result<Self, EngineError> {
        let sends_name = side == Side::Client && cell.proto >= Proto::Tls10;
        let server_name =
            sends_name.then(|| CString::new(SERVER_NAME)).transpose().map_err(EngineError::new)?;
        let context = context::context(side, cell, credentials).map_err(|stack| words(&stack))?;
        Self::over(Pinned {
            side,
            context,
            server_name,
            is_static_rsa: cell.cipher.kx == KeyExchange::StaticRsa,
            is_psk_only: cell.resume == Resume::Psk,
        })
    }

    fn over(pinned: Pinned) -> Result<Self, EngineError> {
        let bio = PipeBio::new().map_err(|stack| words(&stack))?;
        Ok(Self(Rc::new(Shared { pinned, bio, kept: RefCell::new(None) })))
    }
}

impl Prepared for OpenSslSide {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        let mut connection = Connection::new(Rc::clone(&self.0)).map_err(|stack| words(&stack))?;
        match self.0.pinned.side {
            Side::Server => connection.ssl.set_accept_state(),
            Side::Client => {
                connection.ssl.set_connect_state();
                connection.ask_for_name()?;
                if start == Start::Resume {
                    connection.offer_session()?;
                }
            }
        }
        Ok(Box::new(connection))
    }

    /// An `SSL_CTX` is made for several threads; BIO and kept session are each thread's own.
    fn share(&self) -> Result<Share, Unsupported> {
        let pinned = self.0.pinned.clone();
        Ok(Box::new(move || Ok(Box::new(Self::over(pinned)?))))
    }
}

pub(super) struct Connection {
    pub(super) shared: Rc<Shared>,
    pub(super) ssl: Ssl,
    /// Client: whether the offered session showed a client certificate when it was made.
    pub(super) offered_client_cert: bool,
    /// Server: whether 0-RTT data was taken whose end has not come yet.
    takes_early: bool,
}

impl Connection {
    fn new(shared: Rc<Shared>) -> Result<Self, ErrorStack> {
        // `Ssl::new` would also keep a copy of the context with every connection: work of the Rust crate, not of
        // the library.
        // SAFETY: the context lives; the pointer is checked and owned by `ssl` from here on.
        let ssl = unsafe {
            let ssl = sys::SSL_new(shared.pinned.context.as_ptr());
            if ssl.is_null() {
                return Err(ErrorStack::get());
            }
            Ssl::from_ptr(ssl)
        };
        // SAFETY: `ssl` has just been made.
        unsafe { shared.bio.attach_to(ssl.as_ptr()) };
        Ok(Self { shared, ssl, offered_client_cert: false, takes_early: false })
    }

    fn ask_for_name(&mut self) -> Result<(), EngineError> {
        let Some(name) = &self.shared.pinned.server_name else {
            return Ok(());
        };
        // SAFETY: `ssl` lives, and the library copies the name.
        let set = unsafe { sys::SSL_set_tlsext_host_name(self.ssl.as_ptr(), name.as_ptr().cast_mut()) };
        if set == 1 { Ok(()) } else { Err(words(&ErrorStack::get())) }
    }

    fn offer_session(&mut self) -> Result<(), EngineError> {
        let kept = self.shared.kept.borrow();
        let kept = kept.as_ref().ok_or_else(|| EngineError::new("no session was kept"))?;
        // OpenSSL spoils the session of a connection that ends without close_notify, and would then go on to a full
        // handshake without a word.
        // SAFETY: the session lives.
        if unsafe { ffi::SSL_SESSION_is_resumable(kept.session.as_ptr()) } == 0 {
            return Err(EngineError::new(
                "the kept session's connection was not closed, which ends the session",
            ));
        }
        // SAFETY: the session comes from a connection of the same context, which is what the library asks for.
        unsafe { self.ssl.set_session(&kept.session) }.map_err(|stack| words(&stack))?;
        self.offered_client_cert = kept.client_cert;
        Ok(())
    }

    /// Calls the library with the pipes at hand and no old errors about.
    #[inline]
    fn call(&mut self, io: &mut Io<'_>, work: impl FnOnce(*mut sys::SSL) -> c_int) -> c_int {
        let ssl = self.ssl.as_ptr();
        // SAFETY: touches the library's own error queue only.
        unsafe {
            // To look first is cheap; to clear an empty queue costs as much as a small record.
            if sys::ERR_peek_last_error() != 0 {
                sys::ERR_clear_error();
            }
        }
        self.shared.bio.with_pipes(io, || work(ssl))
    }

    /// What a call that did not succeed came to: the peer has to act, or an error.
    #[inline]
    fn waiting(&self, outcome: c_int) -> Result<(), EngineError> {
        // SAFETY: `outcome` is what the last call on this connection answered.
        match unsafe { sys::SSL_get_error(self.ssl.as_ptr(), outcome) } {
            sys::SSL_ERROR_WANT_READ => Ok(()),
            sys::SSL_ERROR_ZERO_RETURN => Err(EngineError::new("the peer closed the connection")),
            code => Err(self.failure(code)),
        }
    }

    #[cold]
    fn failure(&self, code: c_int) -> EngineError {
        let stack = ErrorStack::get();
        let Some(last) = stack.errors().last() else {
            return EngineError::new(format_args!("SSL_get_error says {code} and gives no reason"));
        };
        let error = words(&stack);
        if last.reason_code() != ffi::SSL_R_CERTIFICATE_VERIFY_FAILED {
            return error;
        }
        let verdict: X509VerifyResult = self.ssl.verify_result();
        EngineError::new(format_args!("{error}: {}", verdict.error_string()))
    }

    /// A server that has taken 0-RTT data has to take the client's word that it ends, before the handshake goes on.
    fn end_early(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        match self.take_early(&mut [0], io)? {
            Early::Ended => Ok(Step::Done),
            Early::Taken(_) => Err(EngineError::new("the client sends more 0-RTT data than was agreed on")),
            Early::Waiting => Ok(Step::Waiting),
        }
    }

    fn take_early(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<Early, EngineError> {
        let mut count = 0;
        // SAFETY: `call` passes the living connection, and `into` is writable for its length.
        let outcome = self.call(io, |ssl| unsafe {
            sys::SSL_read_early_data(ssl, into.as_mut_ptr().cast(), into.len(), &mut count)
        });
        self.takes_early = outcome != sys::SSL_READ_EARLY_DATA_FINISH;
        match outcome {
            sys::SSL_READ_EARLY_DATA_SUCCESS => Ok(Early::Taken(count)),
            sys::SSL_READ_EARLY_DATA_FINISH => Ok(Early::Ended),
            outcome => self.waiting(outcome).map(|()| Early::Waiting),
        }
    }
}

/// How far the reading of 0-RTT data came.
enum Early {
    Taken(usize),
    Ended,
    Waiting,
}

impl Endpoint for Connection {
    fn write_early(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        let mut written = 0;
        // SAFETY: `call` passes the living connection, and `data` is readable for its length.
        let outcome = self.call(io, |ssl| unsafe {
            sys::SSL_write_early_data(ssl, data.as_ptr().cast(), data.len(), &mut written)
        });
        if outcome == 1 && written == data.len() {
            return Ok(());
        }
        self.waiting(outcome)?;
        Err(EngineError::new("0-RTT data was sent half-way, to wait for the peer"))
    }

    fn read_early(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        match self.take_early(into, io)? {
            Early::Taken(count) => Ok(count),
            Early::Ended | Early::Waiting => Ok(0),
        }
    }

    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        if self.takes_early && self.end_early(io)? == Step::Waiting {
            return Ok(Step::Waiting);
        }
        // SAFETY: `call` passes the living connection.
        match self.call(io, |ssl| unsafe { sys::SSL_do_handshake(ssl) }) {
            1 => Ok(Step::Done),
            outcome => self.waiting(outcome).map(|()| Step::Waiting),
        }
    }

    fn write(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        let mut written = 0;
        // SAFETY: `call` passes the living connection, and `data` is readable for its length.
        let outcome = self.call(io, |ssl| unsafe {
            sys::SSL_write_ex(ssl, data.as_ptr().cast(), data.len(), &mut written)
        });
        if outcome == 1 && written == data.len() {
            return Ok(());
        }
        self.waiting(outcome)?;
        Err(EngineError::new("a write stopped half-way, to wait for the peer"))
    }

    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        let mut count = 0;
        // SAFETY: `call` passes the living connection, and `into` is writable for its length.
        let outcome = self.call(io, |ssl| unsafe {
            sys::SSL_read_ex(ssl, into.as_mut_ptr().cast(), into.len(), &mut count)
        });
        match outcome {
            1 => Ok(count),
            outcome => self.waiting(outcome).map(|()| 0),
        }
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
        self.agreed()
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        if self.shared.pinned.side == Side::Server {
            return Err(EngineError::new("only a client keeps a session"));
        }
        // SAFETY: `ssl` lives; the reference that the library adds passes to the session.
        let session = unsafe {
            let session = ffi::SSL_get1_session(self.ssl.as_ptr());
            if session.is_null() || ffi::SSL_SESSION_is_resumable(session) == 0 {
                sys::SSL_SESSION_free(session);
                return Err(EngineError::new("the server gave no session that can be resumed"));
            }
            SslSession::from_ptr(session)
        };
        let client_cert = self.client_cert(self.is_resumed());
        *self.shared.kept.borrow_mut() = Some(Kept { session, client_cert });
        Ok(())
    }
}
