//! One connection: the calls that a program using the library would make, over our pipes.

use std::cell::Cell as Slot;
use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use std::rc::Rc;
use std::slice;
use std::sync::{PoisonError, RwLock};

use s2n_tls_sys as sys;

use super::library::{allocated, check, error, is_alert, is_blocked};
use super::own::Own;
use super::{ability, internals, names};
use crate::cell::{Alpn, Auth, Group, MAX_RECORD_SIZE, Proto, Resume, SignatureScheme};
use crate::engine::{Endpoint, EngineError, Negotiated, Side, Start, Step};
use crate::pipe::Io;

/// Held while connections are made: they take the highest version from a variable of the library.
static HIGHEST_VERSION: RwLock<()> = RwLock::new(());

/// See the module's documentation.
pub(super) struct Connection {
    at: *mut sys::s2n_connection,
    own: Rc<Own>,
    /// Client: whether the offered session had a client certificate.
    offered_client_cert: bool,
}

impl Connection {
    pub(super) fn open(own: &Rc<Own>, start: Start) -> Result<Box<Self>, EngineError> {
        let pinned = &own.pinned;
        let at = allocated(create(pinned.side, pinned.proto))?;
        let mut connection = Box::new(Self { at, own: Rc::clone(own), offered_client_cert: false });
        let pipes = ptr::from_ref(&own.pipes).cast_mut().cast::<c_void>();
        // SAFETY: the connection has just been made. It keeps the configuration and `own` alive; the
        // functions match the types that the library calls.
        unsafe {
            check(sys::s2n_connection_set_config(at, pinned.config()))?;
            // Left to itself the library sleeps for up to half a minute when something is wrong.
            check(sys::s2n_connection_set_blinding(at, sys::s2n_blinding::SELF_SERVICE_BLINDING))?;
            check(sys::s2n_connection_set_send_cb(at, Some(send)))?;
            check(sys::s2n_connection_set_recv_cb(at, Some(receive)))?;
            check(sys::s2n_connection_set_send_ctx(at, pipes))?;
            check(sys::s2n_connection_set_recv_ctx(at, pipes))?;
            if u32::from(pinned.record_size) == MAX_RECORD_SIZE {
                check(sys::s2n_connection_prefer_throughput(at))?;
            } else {
                check(internals::limit_records(at, pinned.record_size))?;
            }
        }
        if pinned.side == Side::Client {
            connection.start_client(start)?;
        }
        Ok(connection)
    }

    fn start_client(&mut self, start: Start) -> Result<(), EngineError> {
        let Own { pinned, newest, kept, .. } = &*self.own;
        newest.borrow_mut().clear();
        let own = Rc::as_ptr(&self.own).cast_mut().cast::<c_void>();
        // SAFETY: the connection keeps `own` alive, and the library copies the name.
        unsafe {
            check(sys::s2n_connection_set_ctx(self.at, own))?;
            check(sys::s2n_set_server_name(self.at, pinned.server_name.as_ptr()))?;
        }
        if start == Start::Fresh {
            return Ok(());
        }
        let mut kept = kept.borrow_mut();
        if kept.session.is_empty() {
            return Err(EngineError::new("no session was kept"));
        }
        // SAFETY: the library copies the session.
        check(unsafe {
            sys::s2n_connection_set_session(self.at, kept.session.as_ptr(), kept.session.len())
        })?;
        self.offered_client_cert = kept.client_cert;
        if pinned.resume.is_single_use() {
            kept.session.clear();
        }
        Ok(())
    }

    /// Lends the pipes to the library for as long as `work` lasts.
    #[inline]
    fn over<R>(&self, io: &mut Io<'_>, work: impl FnOnce() -> R) -> R {
        self.own.pipes.set(ptr::from_mut(io).cast());
        let result = work();
        self.own.pipes.set(ptr::null_mut());
        result
    }

    /// What a call that did not succeed came to: the peer has to act, or an error.
    #[inline]
    fn waiting(&self) -> Result<Step, EngineError> {
        if is_blocked() { Ok(Step::Waiting) } else { Err(self.failure()) }
    }

    #[cold]
    fn failure(&self) -> EngineError {
        if !is_alert() {
            return error();
        }
        let words = error();
        // SAFETY: the connection lives.
        let alert = unsafe { sys::s2n_connection_get_alert(self.at) };
        EngineError::new(format_args!("{words}: alert {alert}"))
    }

    fn is_resumed(&self) -> bool {
        // SAFETY: the connection lives.
        unsafe { sys::s2n_connection_is_session_resumed(self.at) == 1 }
    }

    fn proto(&self) -> Result<Proto, EngineError> {
        // SAFETY: the connection lives.
        let number = unsafe { sys::s2n_connection_get_actual_protocol_version(self.at) };
        let found = Proto::ALL
            .iter()
            .copied()
            .find(|&proto| ability::version_number(proto).is_some_and(|known| c_int::from(known) == number));
        found.ok_or_else(|| EngineError::new(format_args!("negotiated the unknown version {number}")))
    }

    fn cipher(&self) -> Result<u16, EngineError> {
        let (mut first, mut second) = (0, 0);
        // SAFETY: the connection lives; two bytes are written.
        check(unsafe { sys::s2n_connection_get_cipher_iana_value(self.at, &mut first, &mut second) })?;
        Ok(u16::from_be_bytes([first, second]))
    }

    /// None where nothing was exchanged.
    fn group(&self) -> Result<Option<Group>, EngineError> {
        let mut name = ptr::null();
        // SAFETY: the connection lives; the name is static.
        let name = unsafe {
            if sys::s2n_connection_get_key_exchange_group(self.at, &mut name) < 0 {
                return Ok(None);
            }
            CStr::from_ptr(name)
        };
        let unknown = || EngineError::new(format_args!("negotiated the unknown group {name:?}"));
        names::group(name).map(Some).ok_or_else(unknown)
    }

    fn server_signature(&self) -> Result<SignatureScheme, EngineError> {
        let mut name = ptr::null();
        // SAFETY: the connection lives; the name is static.
        let name = unsafe {
            check(sys::s2n_connection_get_signature_scheme(self.at, &mut name))?;
            CStr::from_ptr(name)
        };
        names::signature(name)
            .ok_or_else(|| EngineError::new(format_args!("signed in the unknown scheme {name:?}")))
    }

    /// A resumed connection has no certificate any more. A client remembers; a server knows that it has sealed no session
    /// without a certificate, since it requires one.
    fn client_cert(&self, resumed: bool) -> bool {
        match self.own.pinned.side {
            Side::Client if resumed => self.offered_client_cert,
            Side::Server if resumed => self.own.pinned.auth == Auth::Mutual,
            // SAFETY: the connection lives.
            _ => unsafe { sys::s2n_connection_client_cert_used(self.at) == 1 },
        }
    }

    fn alpn(&self) -> Result<Alpn, EngineError> {
        // SAFETY: the connection lives; the name is null or lives in it.
        let name = unsafe {
            let name = sys::s2n_get_application_protocol(self.at);
            if name.is_null() {
                return Ok(Alpn::None);
            }
            CStr::from_ptr(name)
        };
        Alpn::from_identifier(name.to_bytes())
            .ok_or_else(|| EngineError::new(format_args!("negotiated the unknown protocol {name:?}")))
    }

    fn early_data(&self) -> Result<bool, EngineError> {
        let mut status = sys::s2n_early_data_status_t::NOT_REQUESTED;
        // SAFETY: the connection lives; one number is written.
        check(unsafe { sys::s2n_connection_get_early_data_status(self.at, &mut status) })?;
        Ok(status == sys::s2n_early_data_status_t::END)
    }

    /// The session of a finished handshake up to TLS 1.2, written to `into`.
    fn write_session(&self, into: &mut Vec<u8>) -> Result<(), EngineError> {
        // SAFETY: the connection lives; the buffer has the room that the library has asked for.
        unsafe {
            let has_ticket = || sys::s2n_connection_get_session_ticket_lifetime_hint(self.at) >= 0;
            let length = usize::try_from(sys::s2n_connection_get_session_length(self.at)).unwrap_or(0);
            if length == 0 || (self.own.pinned.resume == Resume::Ticket && !has_ticket()) {
                return Err(EngineError::new("the server gave no session to resume"));
            }
            into.resize(length, 0);
            check(sys::s2n_connection_get_session(self.at, into.as_mut_ptr(), length))
        }
    }
}

/// A new connection whose highest version is the cell's. That a connection needs no less than the cell's is a matter of
/// its policy; that it takes no more, up to TLS 1.2, as well: the policy has no cipher of TLS 1.3. What remains are older
/// versions, for which nothing but this variable speaks.
fn create(side: Side, proto: Proto) -> *mut sys::s2n_connection {
    let mode = match side {
        Side::Client => sys::s2n_mode::CLIENT,
        Side::Server => sys::s2n_mode::SERVER,
    };
    if proto >= Proto::Tls12 {
        let _nobody_else_changes_it = HIGHEST_VERSION.read().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: makes a connection; the variable that it reads does not change meanwhile.
        return unsafe { sys::s2n_connection_new(mode) };
    }
    let _nobody_else_reads_it = HIGHEST_VERSION.write().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: only connections being made read the variable, only this function makes any, and only under the lock.
    unsafe {
        let highest = internals::s2n_highest_protocol_version;
        internals::s2n_highest_protocol_version = ability::version_number(proto).unwrap_or(highest);
        let connection = sys::s2n_connection_new(mode);
        internals::s2n_highest_protocol_version = highest;
        connection
    }
}

impl Endpoint for Connection {
    fn write_early(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        let (mut sent, mut blocked) = (0, sys::s2n_blocked_status::NOT_BLOCKED);
        // SAFETY: the connection lives, `over` has lent the pipes, and `data` is readable for its length.
        let answer = self.over(io, || unsafe {
            sys::s2n_send_early_data(
                self.at,
                data.as_ptr(),
                data.len().cast_signed(),
                &mut sent,
                &mut blocked,
            )
        });
        if answer < 0 && !is_blocked() {
            return Err(self.failure());
        }
        if sent.cast_unsigned() == data.len() {
            return Ok(());
        }
        Err(EngineError::new(format_args!("sent {sent} of {} bytes of 0-RTT data", data.len())))
    }

    fn read_early(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        let (mut received, mut blocked) = (0, sys::s2n_blocked_status::NOT_BLOCKED);
        // SAFETY: the connection lives, `over` has lent the pipes, and `into` is writable for its length.
        let answer = self.over(io, || unsafe {
            sys::s2n_recv_early_data(
                self.at,
                into.as_mut_ptr(),
                into.len().cast_signed(),
                &mut received,
                &mut blocked,
            )
        });
        if answer < 0 && !is_blocked() { Err(self.failure()) } else { Ok(received.cast_unsigned()) }
    }

    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        let mut blocked = sys::s2n_blocked_status::NOT_BLOCKED;
        // SAFETY: the connection lives, and `over` has lent the pipes.
        match self.over(io, || unsafe { sys::s2n_negotiate(self.at, &mut blocked) }) {
            0 => Ok(Step::Done),
            _ => self.waiting(),
        }
    }

    fn write(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        let mut blocked = sys::s2n_blocked_status::NOT_BLOCKED;
        let length = data.len().cast_signed();
        // SAFETY: the connection lives, `over` has lent the pipes, and `data` is readable for its length.
        let sent =
            self.over(io, || unsafe { sys::s2n_send(self.at, data.as_ptr().cast(), length, &mut blocked) });
        if sent == length {
            return Ok(());
        }
        if sent < 0 {
            return Err(self.failure());
        }
        Err(EngineError::new("a write stopped half-way"))
    }

    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        let mut blocked = sys::s2n_blocked_status::NOT_BLOCKED;
        // SAFETY: the connection lives, `over` has lent the pipes, and `into` is writable for its length.
        let received = self.over(io, || unsafe {
            sys::s2n_recv(self.at, into.as_mut_ptr().cast(), into.len().cast_signed(), &mut blocked)
        });
        match received {
            1.. => Ok(received.cast_unsigned()),
            0 if into.is_empty() => Ok(0),
            0 => Err(EngineError::new("the peer closed the connection")),
            _ => self.waiting().map(|_| 0),
        }
    }

    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        let mut blocked = sys::s2n_blocked_status::NOT_BLOCKED;
        // SAFETY: the connection lives, and `over` has lent the pipes.
        match self.over(io, || unsafe { sys::s2n_shutdown(self.at, &mut blocked) }) {
            0 => Ok(Step::Done),
            _ => self.waiting(),
        }
    }

    fn negotiated(&mut self) -> Result<Negotiated, EngineError> {
        let resumed = self.is_resumed();
        let group = self.group()?;
        // Static RSA signs nothing, and exchanges nothing in a group.
        let has_signature = !resumed && group.is_some();
        Ok(Negotiated {
            proto: self.proto()?,
            cipher: self.cipher()?,
            group,
            signature: if has_signature { Some(self.server_signature()?) } else { None },
            resumed,
            client_cert: self.client_cert(resumed),
            alpn: self.alpn()?,
            early_data: self.early_data()?,
        })
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        if self.own.pinned.side == Side::Server {
            return Err(EngineError::new("only a client keeps a session"));
        }
        let mut kept = self.own.kept.borrow_mut();
        kept.session.clear();
        if self.own.pinned.proto < Proto::Tls13 {
            self.write_session(&mut kept.session)?;
        } else {
            let mut newest = self.own.newest.borrow_mut();
            if newest.is_empty() {
                return Err(EngineError::new("the server gave no ticket to keep"));
            }
            std::mem::swap(&mut kept.session, &mut newest);
        }
        kept.client_cert = self.client_cert(self.is_resumed());
        Ok(())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: the connection is ours, and nothing uses it after this. Freeing it cannot fail.
        unsafe { sys::s2n_connection_free(self.at) };
    }
}

/// The library's way to send: everything goes into the pipe at once.
unsafe extern "C" fn send(pipes: *mut c_void, bytes: *const u8, length: u32) -> c_int {
    // SAFETY: `open` has set `pipes`, a slot that `over` has filled for the time of this call; the library owns `length`
    // readable bytes.
    unsafe {
        let Some(io) = (*pipes.cast::<Slot<*mut Io<'_>>>()).get().as_mut() else {
            return -1;
        };
        io.outbound.write(slice::from_raw_parts(bytes, length as usize));
    }
    length as c_int
}

/// The library's way to receive: what is in the pipe, or word that there is nothing.
unsafe extern "C" fn receive(pipes: *mut c_void, into: *mut u8, length: u32) -> c_int {
    // SAFETY: as in `send`, with `length` writable bytes, which need not be initialised: they are written through the
    // pointer alone.
    unsafe {
        let Some(io) = (*pipes.cast::<Slot<*mut Io<'_>>>()).get().as_mut() else {
            return -1;
        };
        let unread = io.inbound.unread();
        let count = unread.len().min(length as usize);
        if count == 0 {
            say_would_block();
            return -1;
        }
        ptr::copy_nonoverlapping(unread.as_ptr(), into, count);
        io.inbound.consume(count);
        count as c_int
    }
}

/// Sets the C library's error number to the one by which reads and writes ask to be called again.
fn say_would_block() {
    // SAFETY: the number is the thread's own.
    unsafe {
        #[cfg(any(target_os = "macos", target_os = "ios", target_os = "freebsd"))]
        let number = libc::__error();
        #[cfg(not(any(target_os = "macos", target_os = "ios", target_os = "freebsd")))]
        let number = libc::__errno_location();
        *number = libc::EAGAIN;
    }
}
