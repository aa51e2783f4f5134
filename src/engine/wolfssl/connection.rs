//! One connection: the calls that a C program would make, over our pipes.

use std::ffi::{c_char, c_int, c_uchar, c_void};
use std::ptr::{self, NonNull};
use std::rc::Rc;
use std::slice;

use wolfssl_sys as sys;

use super::context::{Kept, Local, Pinned};
use super::library::{SUCCESS, check, error};
use super::outcome::Outcome;
use super::session::{Id, Session, id_of};
use crate::cell::{Hello, Proto, Resume};
use crate::engine::{Endpoint, EngineError, Negotiated, Side, Start, Step};
use crate::pipe::Io;

const WANT_READ: c_int = sys::WOLFSSL_ERROR_WANT_READ as c_int;
const ZERO_RETURN: c_int = sys::WOLFSSL_ERROR_ZERO_RETURN as c_int;
const SHUTDOWN_NOT_DONE: c_int = sys::WOLFSSL_SHUTDOWN_NOT_DONE as c_int;

/// See the module's documentation.
pub(super) struct Connection {
    ssl: NonNull<sys::WOLFSSL>,
    local: Rc<Local>,
    /// Client: the session that it offers.
    offered: Option<Offered>,
    close_sent: bool,
}

struct Offered {
    /// The session's id before the server gives it a new ticket.
    id: Option<Id>,
    /// Whether the client showed a certificate when the session was made.
    client_cert: bool,
}

impl Connection {
    pub(super) fn open(local: &Rc<Local>, start: Start) -> Result<Self, EngineError> {
        // SAFETY: the context lives as long as `local`.
        let ssl = unsafe { sys::wolfSSL_new(local.pinned.context.at()) };
        let ssl = NonNull::new(ssl).ok_or_else(|| EngineError::new("the library made no connection"))?;
        let mut connection = Self { ssl, local: Rc::clone(local), offered: None, close_sent: false };
        connection.name_protocol()?;
        match local.pinned.side {
            Side::Server => connection.name_groups()?,
            Side::Client => {
                connection.name_server()?;
                if start == Start::Resume {
                    connection.offer_session()?;
                }
            }
        }
        Ok(connection)
    }

    /// A server of TLS 1.2 does not look at the groups of its context, only at the connection's own.
    fn name_groups(&self) -> Result<(), EngineError> {
        let Pinned { groups, cell, .. } = self.pinned();
        if groups.is_empty() || cell.proto != Proto::Tls12 {
            return Ok(());
        }
        let (list, count) = (groups.as_ptr().cast_mut(), groups.len() as c_int);
        // SAFETY: the connection lives; the library only reads the list.
        check(unsafe { sys::wolfSSL_set_groups(self.at(), list, count) })
    }

    fn name_protocol(&self) -> Result<(), EngineError> {
        let Some(identifier) = self.pinned().alpn() else {
            return Ok(());
        };
        let list: *mut c_char = identifier.as_ptr().cast_mut().cast();
        let choice = sys::WOLFSSL_ALPN_FAILED_ON_MISMATCH as c_uchar;
        // SAFETY: the connection lives; the library only reads the list, and copies it.
        check(unsafe { sys::wolfSSL_UseALPN(self.at(), list, identifier.len() as u32, choice) })
    }

    fn name_server(&self) -> Result<(), EngineError> {
        let name = &self.pinned().server_name;
        // SAFETY: the connection lives; the library copies the name.
        unsafe {
            check(sys::wolfSSL_UseSNI(
                self.at(),
                sys::WOLFSSL_SNI_HOST_NAME as c_uchar,
                name.as_ptr().cast(),
                name.count_bytes() as u16,
            ))?;
            if self.pinned().checks_name() {
                check(sys::wolfSSL_check_domain_name(self.at(), name.as_ptr()))?;
            }
        }
        Ok(())
    }

    fn offer_session(&mut self) -> Result<(), EngineError> {
        let mut place = self.local.kept.borrow_mut();
        let kept = place.as_ref().ok_or_else(|| EngineError::new("no session was kept"))?;
        // SAFETY: both live; the library adds a reference of its own to the session.
        let (id, set) =
            unsafe { (id_of(kept.session.at()), sys::wolfSSL_set_session(self.at(), kept.session.at())) };
        if set != SUCCESS {
            return Err(EngineError::new("the library does not take the kept session"));
        }
        self.offered = Some(Offered { id, client_cert: kept.client_cert });
        if self.pinned().cell.proto == Proto::Tls13 {
            *place = None; // a ticket of TLS 1.3 is for one connection
        }
        drop(place);
        self.offer_wrong_share()
    }

    /// A client that resumes does not go by its list of groups but offers a share of the session's, unless it has been told
    /// otherwise.
    fn offer_wrong_share(&self) -> Result<(), EngineError> {
        let Pinned { groups, cell, .. } = self.pinned();
        let (Hello::Retry, Some(&first)) = (cell.hello, groups.first()) else {
            return Ok(());
        };
        // SAFETY: the connection lives.
        check(unsafe { sys::wolfSSL_UseKeyShare(self.at(), first as u16) })
    }

    fn pinned(&self) -> &Pinned {
        &self.local.pinned
    }

    fn at(&self) -> *mut sys::WOLFSSL {
        self.ssl.as_ptr()
    }

    /// Gives the library the pipes for as long as `work` lasts.
    #[inline]
    fn over<R>(&mut self, io: &mut Io<'_>, work: impl FnOnce(*mut sys::WOLFSSL) -> R) -> R {
        let ssl = self.at();
        let io: *mut c_void = ptr::from_mut(io).cast();
        // SAFETY: stores two pointers. `io` is borrowed for longer than they are left in place, and nobody uses it in
        // between but the two functions; `work` calls into C, which does not unwind.
        unsafe {
            sys::wolfSSL_SetIOReadCtx(ssl, io);
            sys::wolfSSL_SetIOWriteCtx(ssl, io);
            let result = work(ssl);
            sys::wolfSSL_SetIOReadCtx(ssl, ptr::null_mut());
            sys::wolfSSL_SetIOWriteCtx(ssl, ptr::null_mut());
            result
        }
    }

    /// To be asked once the handshake is over.
    fn outcome(&self) -> Outcome<'_> {
        let offered_client_cert = self.offered.as_ref().is_some_and(|offered| offered.client_cert);
        // SAFETY: the connection lives as long as `self`, which the answer borrows.
        unsafe { Outcome::of(self.at(), self.pinned(), offered_client_cert) }
    }

    /// What a call that did not succeed came to: the peer has to act, or an error.
    #[inline]
    fn waiting(&self, answer: c_int) -> Result<(), EngineError> {
        // SAFETY: `answer` is what the last call on this connection answered.
        match unsafe { sys::wolfSSL_get_error(self.at(), answer) } {
            WANT_READ => Ok(()),
            ZERO_RETURN => Err(EngineError::new("the peer closed the connection")),
            code => Err(error(code)),
        }
    }
}

impl Endpoint for Connection {
    fn write_early(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        let (length, mut written) = (data.len() as c_int, 0);
        // SAFETY: `over` passes the living connection, with the pipes; the library reads at most the length given.
        let answer = self.over(io, |ssl| unsafe {
            sys::wolfSSL_write_early_data(ssl, data.as_ptr().cast(), length, &raw mut written)
        });
        if answer > 0 && written == length {
            return Ok(());
        }
        self.waiting(answer)?;
        Err(EngineError::new(format_args!("sent {written} of {length} bytes of 0-RTT data")))
    }

    fn read_early(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        let (room, mut count) = (into.len() as c_int, 0);
        // SAFETY: as above; the library writes at most the length given.
        let answer = self.over(io, |ssl| unsafe {
            sys::wolfSSL_read_early_data(ssl, into.as_mut_ptr().cast(), room, &raw mut count)
        });
        if answer < 0 {
            self.waiting(answer)?;
        }
        Ok(count as usize)
    }

    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        // SAFETY: as above.
        match self.over(io, |ssl| unsafe { sys::wolfSSL_negotiate(ssl) }) {
            SUCCESS => Ok(Step::Done),
            answer => self.waiting(answer).map(|()| Step::Waiting),
        }
    }

    fn write(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        let length = data.len() as c_int;
        // SAFETY: as above; the library reads at most the length given.
        match self.over(io, |ssl| unsafe { sys::wolfSSL_write(ssl, data.as_ptr().cast(), length) }) {
            written if written == length => Ok(()),
            written => Err(self
                .waiting(written)
                .err()
                .unwrap_or_else(|| EngineError::new(format_args!("wrote {written} of {length} bytes")))),
        }
    }

    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        let room = into.len() as c_int;
        // SAFETY: as above; the library writes at most the length given.
        match self.over(io, |ssl| unsafe { sys::wolfSSL_read(ssl, into.as_mut_ptr().cast(), room) }) {
            count @ 1.. => Ok(count as usize),
            answer => self.waiting(answer).map(|()| 0),
        }
    }

    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        if !self.close_sent {
            // SAFETY: as above.
            match self.over(io, |ssl| unsafe { sys::wolfSSL_shutdown(ssl) }) {
                SUCCESS | SHUTDOWN_NOT_DONE => self.close_sent = true,
                answer => return self.waiting(answer).map(|()| Step::Waiting),
            }
        }
        // A second `wolfSSL_shutdown` would wait for the peer as well, but it answers alike to a record that cannot be
        // read and to one that is no close.
        let mut data = 0_u8;
        // SAFETY: as above; there is room for a byte.
        let answer = self.over(io, |ssl| unsafe { sys::wolfSSL_read(ssl, (&raw mut data).cast(), 1) });
        if answer > 0 {
            return Err(EngineError::new("data instead of a close"));
        }
        // SAFETY: `answer` is what the last call on this connection answered.
        match unsafe { sys::wolfSSL_get_error(self.at(), answer) } {
            ZERO_RETURN => Ok(Step::Done),
            WANT_READ => Ok(Step::Waiting),
            code => Err(error(code)),
        }
    }

    fn negotiated(&mut self) -> Result<Negotiated, EngineError> {
        self.outcome().negotiated()
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        if self.pinned().side == Side::Server {
            return Err(EngineError::new("only a client keeps a session"));
        }
        // SAFETY: the connection lives; the reference that the library adds passes to the session.
        let session = unsafe { Session::owned(sys::wolfSSL_get1_session(self.at())) };
        let session = session.ok_or_else(|| EngineError::new("there is no session"))?;
        let by_ticket = self.pinned().cell.resume != Resume::SessionId;
        // SAFETY: the session lives.
        let resumable = unsafe {
            match by_ticket {
                true => sys::wolfSSL_SESSION_has_ticket(session.at()) == SUCCESS,
                false => sys::wolfSSL_SESSION_is_resumable(session.at()) == SUCCESS,
            }
        };
        if !resumable {
            return Err(EngineError::new("the server gave no session to resume"));
        }
        if self.pinned().cell.proto == Proto::Tls13
            && let Some(offered) = &self.offered
        {
            // SAFETY: the session lives.
            let id = unsafe { id_of(session.at()) };
            if id == offered.id {
                return Err(EngineError::new("the server gave no new ticket"));
            }
        }
        let client_cert = self.outcome().client_cert();
        *self.local.kept.borrow_mut() = Some(Kept { session, client_cert });
        Ok(())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: made by `open`, and freed only here, before the context.
        unsafe { sys::wolfSSL_free(self.ssl.as_ptr()) };
    }
}

/// The library's way to send: everything goes into the pipe at once.
pub(super) unsafe extern "C" fn send(
    _ssl: *mut sys::WOLFSSL,
    bytes: *mut c_char,
    length: c_int,
    io: *mut c_void,
) -> c_int {
    // SAFETY: null, or the `Io` that `over` lends for as long as this call can last.
    let Some(io) = (unsafe { io.cast::<Io<'_>>().as_mut() }) else {
        return sys::IOerrors_WOLFSSL_CBIO_ERR_GENERAL;
    };
    // SAFETY: the library owns `length` readable bytes.
    io.outbound.write(unsafe { slice::from_raw_parts(bytes.cast(), length as usize) });
    length
}

/// The library's way to receive: what is in the pipe, or word that there is nothing.
pub(super) unsafe extern "C" fn receive(
    _ssl: *mut sys::WOLFSSL,
    into: *mut c_char,
    room: c_int,
    io: *mut c_void,
) -> c_int {
    // SAFETY: as in `send`.
    let Some(io) = (unsafe { io.cast::<Io<'_>>().as_mut() }) else {
        return sys::IOerrors_WOLFSSL_CBIO_ERR_GENERAL;
    };
    let unread = io.inbound.unread();
    if unread.is_empty() {
        return sys::IOerrors_WOLFSSL_CBIO_ERR_WANT_READ;
    }
    let length = unread.len().min(room as usize);
    // SAFETY: the library owns `room` writable bytes, which are no part of the pipe. They need not be initialised, so
    // no slice is made of them.
    unsafe { ptr::copy_nonoverlapping(unread.as_ptr(), into.cast(), length) };
    io.inbound.consume(length);
    length as c_int
}
