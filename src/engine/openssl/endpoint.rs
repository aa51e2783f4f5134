//! One connection of OpenSSL, and what connections of a side share.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::rc::Rc;

use foreign_types_shared::ForeignType;
use openssl::error::ErrorStack;
use openssl::ssl::{Ssl, SslContext, SslSession};
use openssl::x509::X509VerifyResult;
use openssl_sys as sys;

use super::library::words;
use super::pipe_bio::PipeBio;
use super::{context, ffi};
use crate::cell::{Alpn, Cell, Group, KeyExchange, Proto, SignatureScheme};
use crate::engine::{Endpoint, EngineError, Negotiated, Prepared, Side, Start, Step};
use crate::fixtures::{Credentials, SERVER_NAME};
use crate::pipe::Io;

/// One side of a cell.
pub struct OpenSslSide(Rc<Shared>);

struct Shared {
    side: Side,
    context: SslContext,
    bio: PipeBio,
    /// The name that a client asks for; none in SSL 3.0, which has no extensions.
    server_name: Option<CString>,
    /// Static RSA has no group and no server signature.
    is_static_rsa: bool,
    kept: RefCell<Option<Kept>>,
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
        Ok(Self(Rc::new(Shared {
            side,
            context,
            bio: PipeBio::new().map_err(|stack| words(&stack))?,
            server_name,
            is_static_rsa: cell.cipher.kx == KeyExchange::StaticRsa,
            kept: RefCell::new(None),
        })))
    }
}

impl Prepared for OpenSslSide {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        let mut connection = Connection::new(Rc::clone(&self.0)).map_err(|stack| words(&stack))?;
        match self.0.side {
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
}

struct Connection {
    shared: Rc<Shared>,
    ssl: Ssl,
    /// Client: whether the offered session showed a client certificate when it was made.
    offered_client_cert: bool,
}

impl Connection {
    fn new(shared: Rc<Shared>) -> Result<Self, ErrorStack> {
        // `Ssl::new` would also keep a copy of the context with every connection: work of the Rust crate, not of
        // the library.
        // SAFETY: the context lives; the pointer is checked and owned by `ssl` from here on.
        let ssl = unsafe {
            let ssl = sys::SSL_new(shared.context.as_ptr());
            if ssl.is_null() {
                return Err(ErrorStack::get());
            }
            Ssl::from_ptr(ssl)
        };
        // SAFETY: `ssl` has just been made.
        unsafe { shared.bio.attach_to(ssl.as_ptr()) };
        Ok(Self { shared, ssl, offered_client_cert: false })
    }

    fn ask_for_name(&mut self) -> Result<(), EngineError> {
        let Some(name) = &self.shared.server_name else {
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

    fn proto(&self) -> Result<Proto, EngineError> {
        // SAFETY: `ssl` lives.
        let code = unsafe { sys::SSL_version(self.ssl.as_ptr()) };
        u16::try_from(code)
            .ok()
            .and_then(Proto::from_code)
            .ok_or_else(|| EngineError::new(format_args!("negotiated an unknown version {code:#x}")))
    }

    fn cipher(&self) -> Result<u16, EngineError> {
        // SAFETY: `ssl` lives, and a cipher is an entry of the library's static tables.
        unsafe {
            let cipher = sys::SSL_get_current_cipher(self.ssl.as_ptr());
            if cipher.is_null() {
                return Err(EngineError::new("negotiated no cipher"));
            }
            Ok(sys::SSL_CIPHER_get_protocol_id(cipher))
        }
    }

    fn group(&self) -> Result<Group, EngineError> {
        // SAFETY: `ssl` lives; the command takes no pointer.
        let nid = unsafe {
            sys::SSL_ctrl(self.ssl.as_ptr(), ffi::SSL_CTRL_GET_NEGOTIATED_GROUP, 0, ptr::null_mut())
        };
        let nid = nid as c_int;
        let group = match nid {
            sys::NID_X25519 => Some(Group::X25519),
            sys::NID_X9_62_prime256v1 => Some(Group::P256),
            sys::NID_secp384r1 => Some(Group::P384),
            sys::NID_secp521r1 => Some(Group::P521),
            sys::NID_X448 => Some(Group::X448),
            ffi::NID_FFDHE2048 => Some(Group::Ffdhe2048),
            ffi::NID_FFDHE3072 => Some(Group::Ffdhe3072),
            nid if nid & ffi::TLSEXT_NID_UNKNOWN != 0 => Group::from_code(nid as u16),
            _ => None,
        };
        group.ok_or_else(|| EngineError::new(format_args!("negotiated a group of OpenSSL's number {nid:#x}")))
    }

    /// The scheme of the server's signature: the own one on a server, the peer's on a client.
    fn server_signature(&self) -> Result<SignatureScheme, EngineError> {
        let command = match self.shared.side {
            Side::Client => ffi::SSL_CTRL_GET_PEER_SIGNATURE_NAME,
            Side::Server => ffi::SSL_CTRL_GET_SIGNATURE_NAME,
        };
        let mut name: *const c_char = ptr::null();
        let name_pointer = ptr::from_mut(&mut name).cast::<c_void>();
        // SAFETY: `ssl` lives; the call writes one pointer at most, to a string that lives as long as the context.
        let name = unsafe {
            if sys::SSL_ctrl(self.ssl.as_ptr(), command, 0, name_pointer) != 1 || name.is_null() {
                return Err(EngineError::new("the server signed nothing"));
            }
            CStr::from_ptr(name)
        };
        let known = name.to_str().ok().and_then(|name| name.parse().ok());
        known.ok_or_else(|| EngineError::new(format_args!("signed with OpenSSL's scheme {name:?}")))
    }

    fn client_cert(&self, resumed: bool) -> bool {
        let ssl = self.ssl.as_ptr();
        match self.shared.side {
            // The peer's certificate is part of the session, so it is there after a resumption as well.
            // SAFETY: `ssl` lives; no reference is taken.
            Side::Server => unsafe { !ffi::SSL_get0_peer_certificate(ssl).is_null() },
            Side::Client if resumed => self.offered_client_cert,
            // A client has a signature of its own only if it was asked and has shown a certificate.
            // SAFETY: `ssl` lives; one `int` is written at most.
            Side::Client => unsafe { ffi::SSL_get_signature_type_nid(ssl, &mut 0) == 1 },
        }
    }

    fn is_resumed(&self) -> bool {
        // SAFETY: `ssl` lives.
        unsafe { sys::SSL_session_reused(self.ssl.as_ptr()) == 1 }
    }
}

impl Endpoint for Connection {
    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
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
        let proto = self.proto()?;
        let resumed = self.is_resumed();
        let has_exchange = !self.shared.is_static_rsa && (!resumed || proto == Proto::Tls13);
        let has_signature = !self.shared.is_static_rsa && !resumed;
        Ok(Negotiated {
            proto,
            cipher: self.cipher()?,
            group: if has_exchange { Some(self.group()?) } else { None },
            signature: if has_signature { Some(self.server_signature()?) } else { None },
            resumed,
            client_cert: self.client_cert(resumed),
            alpn: Alpn::None,
            early_data: false,
        })
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        if self.shared.side == Side::Server {
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
