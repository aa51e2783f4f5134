//! One connection: the calls that a C program would make, over our pipes.

use std::ffi::CStr;
use std::ptr;
use std::rc::Rc;
use std::slice;

use super::checker::Checker;
use super::identity::HASH_AND_SIGN;
use super::object::{Object, error};
use super::pinned::{Kept, Pinned, Role};
use super::sys;
use crate::cell::{Alpn, Group, Proto, SignatureScheme};
use crate::engine::{Endpoint, EngineError, Negotiated, Side, Start, Step};
use crate::pipe::Io;

type Inbound = [u8; sys::BR_SSL_BUFSIZE_INPUT as usize];
/// Five bytes more than the library advises: it takes off a record's header twice, and then the data of a CBC cipher with
/// SHA-384 would be a byte short of the most that a record may hold.
type Outbound = [u8; sys::BR_SSL_BUFSIZE_OUTPUT as usize + 5];

/// See the module's documentation.
pub(super) struct Connection {
    context: Context,
    pinned: Rc<Pinned>,
    /// The session that a client offered.
    offered: Option<Kept>,
    close_sent: bool,
    /// What the context points to.
    _checker: Option<Checker>,
    _buffers: (Object<Inbound>, Object<Outbound>),
}

/// The library's context, whose first part is an engine, the same for both sides.
enum Context {
    Client(Object<sys::br_ssl_client_context>),
    Server(Object<sys::br_ssl_server_context>),
}

impl Connection {
    pub(super) fn open(pinned: &Rc<Pinned>, start: Start) -> Result<Self, EngineError> {
        let checks = pinned.side == Side::Client || pinned.asks;
        let mut connection = Self {
            context: Context::new(pinned.side),
            pinned: Rc::clone(pinned),
            offered: None,
            close_sent: false,
            _checker: checks.then(|| Checker::new(pinned)),
            _buffers: (Object::uninit(), Object::uninit()),
        };
        let engine = connection.context.engine();
        let (inbound, outbound) = &connection._buffers;
        // SAFETY: `Context::new` has filled the engine in; checker and buffers stay beside it.
        unsafe {
            pinned.install(&mut *engine);
            if let Some(checker) = &connection._checker {
                (*engine).x509ctx = checker.at();
            }
            sys::br_ssl_engine_set_buffers_bidi(
                engine,
                inbound.at().cast(),
                size_of::<Inbound>(),
                outbound.at().cast(),
                size_of::<Outbound>(),
            );
        }
        let is_ready = match &connection.context {
            Context::Client(client) => {
                connection.offered = offered(pinned, start)?;
                start_client(pinned, client.at(), connection.offered.as_ref())
            }
            Context::Server(server) => start_server(pinned, server.at()),
        };
        if is_ready { Ok(connection) } else { Err(connection.last_error()) }
    }

    fn engine(&self) -> *mut sys::br_ssl_engine_context {
        self.context.engine()
    }

    fn state(&self) -> u32 {
        // SAFETY: the engine is set up.
        unsafe { sys::br_ssl_engine_current_state(self.engine()) }
    }

    /// Whether the connection is in any of these states.
    fn is(&self, states: u32) -> bool {
        self.state() & states != 0
    }

    /// Moves records in both directions until one of the states in `wanted` is reached or the peer has to act first.
    /// Says which state that is.
    #[inline]
    fn pump(&mut self, io: &mut Io<'_>, wanted: u32) -> u32 {
        loop {
            let state = self.state();
            if state & sys::BR_SSL_SENDREC != 0 {
                self.send_records(io);
            } else if state & (wanted | sys::BR_SSL_CLOSED) != 0
                || state & sys::BR_SSL_RECVREC == 0
                || io.inbound.is_empty()
            {
                return state;
            } else {
                self.take_records(io);
            }
        }
    }

    #[inline]
    fn send_records(&mut self, io: &mut Io<'_>) {
        let mut length = 0;
        // SAFETY: the library answers with as many readable bytes as it says, which stay until they are acknowledged.
        unsafe {
            let records = sys::br_ssl_engine_sendrec_buf(self.engine(), &raw mut length);
            io.outbound.write(slice::from_raw_parts(records, length));
            sys::br_ssl_engine_sendrec_ack(self.engine(), length);
        }
    }

    #[inline]
    fn take_records(&mut self, io: &mut Io<'_>) {
        let mut room = 0;
        let unread = io.inbound.unread();
        // SAFETY: the library answers with as much room as it says, in the buffer for what is received.
        let count = unsafe {
            let into = sys::br_ssl_engine_recvrec_buf(self.engine(), &raw mut room);
            let count = room.min(unread.len());
            ptr::copy_nonoverlapping(unread.as_ptr(), into, count);
            sys::br_ssl_engine_recvrec_ack(self.engine(), count);
            count
        };
        io.inbound.consume(count);
    }

    #[cold]
    fn last_error(&self) -> EngineError {
        // SAFETY: the engine is set up.
        match unsafe { (*self.engine()).err } {
            0 => EngineError::new("the peer has closed the connection"),
            code => error(code),
        }
    }

    /// Whether the library shows that this connection resumed a session.
    fn resumed(&self) -> bool {
        // SAFETY: the engine is set up.
        let engine = unsafe { &*self.engine() };
        match self.pinned.side {
            // The library goes by this alone.
            Side::Client => {
                self.offered.is_some_and(|kept| session_id(&kept.session) == session_id(&engine.session))
            }
            // A server asks its policy for a chain in full handshakes only.
            Side::Server => engine.chain.is_null(),
        }
    }

    /// A client answers for what it showed. A server that asks for certificates goes on without one in no handshake, so
    /// that every session in its cache is one of a client which showed its certificate.
    fn client_cert(&self, resumed: bool) -> bool {
        match &self.context {
            Context::Client(_) if resumed => self.offered.is_some_and(|kept| kept.client_cert),
            // SAFETY: the engine is set up.
            Context::Client(_) => unsafe { !(*self.engine()).chain.is_null() },
            Context::Server(_) if resumed => self.pinned.asks,
            // SAFETY: the context is set up. The hash is that which the client's signature was checked over.
            Context::Server(server) => unsafe { (*server.at()).hash_CV_len > 0 },
        }
    }

    fn group(&self) -> Result<Option<Group>, EngineError> {
        // SAFETY: the engine is set up.
        let code = unsafe { (*self.engine()).ecdhe_curve };
        if code == 0 || !self.pinned.has_exchange {
            return Ok(None);
        }
        let unknown = || EngineError::new(format_args!("negotiated the unknown group {code}"));
        Group::from_code(code.into()).map(Some).ok_or_else(unknown)
    }

    /// A server remembers how it signed; a client forgets how it was signed for.
    fn signature(&self) -> Result<Option<SignatureScheme>, EngineError> {
        let Context::Server(server) = &self.context else { return Ok(None) };
        // SAFETY: the context is set up.
        let (chosen, version) = unsafe { ((*server.at()).sign_hash_id, (*server.at()).eng.session.version) };
        let rsa = self.pinned.signs_with_rsa;
        let scheme = match chosen.wrapping_sub(HASH_AND_SIGN) {
            hash if version == Proto::Tls12.code() && chosen >= HASH_AND_SIGN => {
                let key = if rsa { sys::BR_AUTH_RSA } else { sys::BR_AUTH_ECDSA };
                SignatureScheme::from_code(hash << 8 | key as u16)
            }
            0 if rsa => Some(SignatureScheme::RsaPkcs1Md5Sha1),
            hash if !rsa && u32::from(hash) == sys::br_sha1_ID => Some(SignatureScheme::EcdsaSha1),
            _ => None,
        };
        scheme
            .map(Some)
            .ok_or_else(|| EngineError::new(format_args!("signed in the unknown scheme {chosen:#06x}")))
    }

    fn alpn(&self) -> Result<Alpn, EngineError> {
        // SAFETY: the engine is set up; it answers with a place in the list that it was given, counted from 1.
        let name = unsafe {
            match (*self.engine()).selected_protocol {
                0 => return Ok(Alpn::None),
                place => CStr::from_ptr(*(*self.engine()).protocol_names.add(usize::from(place) - 1)),
            }
        };
        let unknown = || EngineError::new("agreed on an unknown application protocol");
        Alpn::from_identifier(name.to_bytes()).ok_or_else(unknown)
    }
}

impl Context {
    fn new(side: Side) -> Self {
        match side {
            Side::Client => {
                let client = Object::uninit();
                // SAFETY: the function fills the context in.
                unsafe { sys::br_ssl_client_zero(client.at()) };
                Self::Client(client)
            }
            Side::Server => {
                let server = Object::uninit();
                // SAFETY: the function fills the context in.
                unsafe { sys::br_ssl_server_zero(server.at()) };
                Self::Server(server)
            }
        }
    }

    #[inline]
    fn engine(&self) -> *mut sys::br_ssl_engine_context {
        match self {
            Self::Client(client) => client.at().cast(),
            Self::Server(server) => server.at().cast(),
        }
    }
}

/// The session that a client is to offer.
fn offered(pinned: &Pinned, start: Start) -> Result<Option<Kept>, EngineError> {
    match (&pinned.role, start) {
        (Role::Client { kept, .. }, Start::Resume) => {
            let kept = *kept.borrow();
            kept.map(Some).ok_or_else(|| EngineError::new("no session was kept"))
        }
        _ => Ok(None),
    }
}

/// Says whether the library did it; else the engine has the error.
fn start_client(pinned: &Pinned, client: *mut sys::br_ssl_client_context, offered: Option<&Kept>) -> bool {
    // SAFETY: the context is filled in; what it is given belongs to `pinned`, which the connection keeps. The library
    // copies session and name.
    unsafe {
        (*client).irsapub = pinned.implementations.rsa_public;
        if let Role::Client { policy: Some(policy), .. } = &pinned.role {
            policy.install(client, &pinned.implementations);
        }
        if let Some(kept) = offered {
            (*client).eng.session = kept.session;
        }
        sys::br_ssl_client_reset(client, pinned.server_name.as_ptr(), offered.is_some().into()) == 1
    }
}

/// Says whether the library did it; else the engine has the error.
fn start_server(pinned: &Pinned, server: *mut sys::br_ssl_server_context) -> bool {
    // SAFETY: as in `start_client`. Nobody else uses the cache while a function of the library runs.
    unsafe {
        if let Role::Server { policy, cache, .. } = &pinned.role {
            policy.install(server, &pinned.implementations);
            (*server).cache_vtable = cache.at().cast();
        }
        if pinned.asks {
            (*server).tas = &raw const pinned.root.anchor;
            (*server).num_tas = 1;
        }
        sys::br_ssl_server_reset(server) == 1
    }
}

fn session_id(session: &sys::br_ssl_session_parameters) -> &[u8] {
    &session.session_id[..usize::from(session.session_id_len)]
}

impl Endpoint for Connection {
    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        let state = self.pump(io, sys::BR_SSL_SENDAPP);
        if state & sys::BR_SSL_CLOSED != 0 {
            return Err(self.last_error());
        }
        Ok(if state & sys::BR_SSL_SENDAPP != 0 { Step::Done } else { Step::Waiting })
    }

    fn write(&mut self, mut data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        while !data.is_empty() {
            let mut room = 0;
            // SAFETY: the library answers with as much room as it says, in the buffer for what is sent.
            let count = unsafe {
                let into = sys::br_ssl_engine_sendapp_buf(self.engine(), &raw mut room);
                let count = room.min(self.pinned.record).min(data.len());
                if count > 0 {
                    ptr::copy_nonoverlapping(data.as_ptr(), into, count);
                    sys::br_ssl_engine_sendapp_ack(self.engine(), count);
                    sys::br_ssl_engine_flush(self.engine(), 0);
                }
                count
            };
            if count == 0 {
                return Err(self.last_error());
            }
            data = &data[count..];
            while self.is(sys::BR_SSL_SENDREC) {
                self.send_records(io);
            }
        }
        Ok(())
    }

    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        let state = self.pump(io, sys::BR_SSL_RECVAPP);
        if state & sys::BR_SSL_CLOSED != 0 {
            return Err(self.last_error());
        }
        if state & sys::BR_SSL_RECVAPP == 0 {
            return Ok(0);
        }
        let mut length = 0;
        // SAFETY: the library answers with as many readable bytes as it says.
        unsafe {
            let data = sys::br_ssl_engine_recvapp_buf(self.engine(), &raw mut length);
            let count = length.min(into.len());
            ptr::copy_nonoverlapping(data, into.as_mut_ptr(), count);
            if count > 0 {
                sys::br_ssl_engine_recvapp_ack(self.engine(), count);
            }
            Ok(count)
        }
    }

    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        if !self.close_sent {
            self.close_sent = true;
            // SAFETY: the engine is set up.
            unsafe { sys::br_ssl_engine_close(self.engine()) };
        }
        let state = self.pump(io, sys::BR_SSL_RECVAPP);
        // SAFETY: the engine is set up.
        let fault = unsafe { (*self.engine()).err };
        match fault {
            0 if state & sys::BR_SSL_CLOSED != 0 => Ok(Step::Done),
            0 if state & sys::BR_SSL_RECVAPP != 0 => Err(EngineError::new("data instead of a close")),
            0 => Ok(Step::Waiting),
            code => Err(error(code)),
        }
    }

    fn negotiated(&mut self) -> Result<Negotiated, EngineError> {
        // SAFETY: the engine is set up.
        let session = unsafe { &(*self.engine()).session };
        let (version, cipher) = (session.version, session.cipher_suite);
        let resumed = self.resumed();
        let signs = self.pinned.has_exchange && !resumed;
        Ok(Negotiated {
            proto: Proto::from_code(version)
                .ok_or_else(|| EngineError::new(format_args!("negotiated version {version:#06x}")))?,
            cipher,
            group: self.group()?,
            signature: if signs { self.signature()? } else { None },
            resumed,
            client_cert: self.client_cert(resumed),
            alpn: self.alpn()?,
            early_data: false,
        })
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        // SAFETY: the engine is set up.
        let session = unsafe { (*self.engine()).session };
        if session.session_id_len == 0 {
            return Err(EngineError::new("the server gave no session to resume"));
        }
        if let Role::Client { kept, .. } = &self.pinned.role {
            *kept.borrow_mut() = Some(Kept { session, client_cert: self.client_cert(self.resumed()) });
        }
        Ok(())
    }
}
