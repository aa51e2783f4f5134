//! One connection: the calls that a C program would make, over our pipes.

use std::ffi::{CStr, c_int, c_uchar, c_void};
use std::ptr;
use std::rc::Rc;
use std::slice;

use mbedtls_sys as sys;

use super::object::{Object, certificate_faults, check, error};
use super::pinned::{Kept, OwnSide};
use crate::cell::{Alpn, Extension, Group, Proto, Resume, SignatureScheme};
use crate::engine::{Endpoint, EngineError, Negotiated, Side, Start, Step};
use crate::pipe::Io;

const OVER: c_int = sys::SSL_HANDSHAKE_OVER as c_int;
const WRAPUP: c_int = sys::SSL_HANDSHAKE_WRAPUP as c_int;
const CLIENT_HELLO: c_int = sys::SSL_CLIENT_HELLO as c_int;

/// See the module's documentation.
pub(super) struct Connection {
    ssl: sys::ssl_context,
    own: Rc<OwnSide>,
    name_to_forget: bool,
    close_sent: bool,
    seen: Seen,
}

/// What the library knows during the handshake only, read in its last moment.
#[derive(Default)]
struct Seen {
    resumed: bool,
    curve: sys::ecp_group_id,
    hash: sys::md_type_t,
    extended_master_secret: bool,
    /// Client: whether the server asked for a certificate, in this handshake or the one that made the session.
    certificate_asked: bool,
}

impl Connection {
    pub(super) fn open(own: &Rc<OwnSide>, start: Start) -> Result<Box<Self>, EngineError> {
        let pinned = &own.pinned;
        let mut connection = Box::new(Self {
            ssl: sys::ssl_context::default(),
            own: Rc::clone(own),
            name_to_forget: pinned.forgets_name,
            close_sent: false,
            seen: Seen::default(),
        });
        let ssl = &raw mut connection.ssl;
        // SAFETY: the context is in the box from here to its end, and `connection` keeps the configuration alive.
        unsafe {
            sys::ssl_init(ssl);
            check(sys::ssl_setup(ssl, pinned.config()))?;
        }
        if pinned.side == Side::Client {
            connection.start_client(start)?;
        }
        Ok(connection)
    }

    fn start_client(&mut self, start: Start) -> Result<(), EngineError> {
        // SAFETY: the library copies the name.
        check(unsafe { sys::ssl_set_hostname(&raw mut self.ssl, self.own.pinned.server_name.as_ptr()) })?;
        if start == Start::Resume {
            let kept = self.own.kept.borrow();
            let kept = kept.as_ref().ok_or_else(|| EngineError::new("no session was kept"))?;
            // SAFETY: the library copies the session.
            check(unsafe { sys::ssl_set_session(&raw mut self.ssl, kept.session.at()) })?;
            self.seen.certificate_asked = kept.certificate_asked;
        }
        Ok(())
    }

    /// Gives the library the pipes for as long as `work` lasts.
    #[inline]
    fn over<R>(&mut self, io: &mut Io<'_>, work: impl FnOnce(&mut Self) -> R) -> R {
        let ssl = &raw mut self.ssl;
        // SAFETY: stores three pointers. `io` is borrowed for longer than they are left in place, and nobody uses
        // it in between but the two functions.
        unsafe { sys::ssl_set_bio(ssl, ptr::from_mut(io).cast(), Some(send), Some(receive), None) };
        let result = work(self);
        // SAFETY: takes the pointers away again.
        unsafe { sys::ssl_set_bio(&raw mut self.ssl, ptr::null_mut(), None, None, None) };
        result
    }

    /// What `mbedtls_ssl_handshake` does, with two looks in between.
    fn step_until_waiting(&mut self) -> Result<Step, EngineError> {
        while self.ssl.state != OVER {
            if self.ssl.state == WRAPUP {
                self.look_before_wrapup();
            }
            // SAFETY: the context is set up, and `over` has given it the pipes.
            match unsafe { sys::ssl_handshake_step(&raw mut self.ssl) } {
                0 => {}
                sys::ERR_SSL_WANT_READ => return Ok(Step::Waiting),
                code => return Err(self.handshake_error(code)),
            }
            if self.name_to_forget && self.ssl.state > CLIENT_HELLO {
                self.name_to_forget = false;
                // The name has been sent; without it the library checks the chain and no name.
                // SAFETY: frees the context's copy of the name.
                check(unsafe { sys::ssl_set_hostname(&raw mut self.ssl, ptr::null()) })?;
            }
        }
        Ok(Step::Done)
    }

    fn look_before_wrapup(&mut self) {
        // SAFETY: null, or the state of the running handshake, which the next step frees.
        if let Some(handshake) = unsafe { self.ssl.handshake.as_ref() } {
            self.seen.resumed = handshake.resume != 0;
            self.seen.extended_master_secret =
                c_int::from(handshake.extended_ms) == sys::SSL_EXTENDED_MS_ENABLED;
            self.seen.curve = handshake.ecdh_ctx.grp.id;
            self.seen.hash = match c_int::from(self.own.pinned.signs_with) {
                sys::SSL_SIG_RSA => handshake.hash_algs.rsa,
                sys::SSL_SIG_ECDSA => handshake.hash_algs.ecdsa,
                _ => sys::MD_NONE,
            };
            if !self.seen.resumed {
                self.seen.certificate_asked = self.ssl.client_auth != 0;
            }
        }
    }

    #[cold]
    fn handshake_error(&self, code: c_int) -> EngineError {
        if code != sys::ERR_X509_CERT_VERIFY_FAILED {
            return error(code);
        }
        // SAFETY: reads a number from the context's session.
        let faults = unsafe { sys::ssl_get_verify_result(&raw const self.ssl) };
        EngineError::new(format_args!("{}: {}", error(code), certificate_faults(faults)))
    }

    fn read_once(&mut self, into: &mut [u8]) -> c_int {
        // SAFETY: the library writes to at most the length given; `over` has given it the pipes.
        unsafe { sys::ssl_read(&raw mut self.ssl, into.as_mut_ptr(), into.len()) }
    }

    fn write_all(&mut self, mut data: &[u8]) -> Result<(), EngineError> {
        // One call sends one fragment at most.
        while !data.is_empty() {
            // SAFETY: the library reads at most the length given; `over` has given it the pipes.
            let code = unsafe { sys::ssl_write(&raw mut self.ssl, data.as_ptr(), data.len()) };
            let count = usize::try_from(code).map_err(|_| error(code))?;
            data = &data[count..];
        }
        Ok(())
    }

    /// The session in force, once the handshake is over.
    fn session(&self) -> Result<&sys::ssl_session, EngineError> {
        // SAFETY: null, or an object that the context owns and that only the context's functions change.
        unsafe { self.ssl.session.as_ref() }.ok_or_else(|| EngineError::new("the handshake is not over"))
    }

    fn group(&self) -> Result<Option<Group>, EngineError> {
        // SAFETY: the answer is null or points into a constant table of the library.
        let Some(info) = (unsafe { sys::ecp_curve_info_from_grp_id(self.seen.curve).as_ref() }) else {
            return Ok(None);
        };
        let unknown = || EngineError::new(format_args!("negotiated the unknown group {}", info.tls_id));
        Group::from_code(info.tls_id).map(Some).ok_or_else(unknown)
    }

    fn application_protocol(&self) -> Result<Alpn, EngineError> {
        // SAFETY: reads a pointer from the context: null, or an entry of the configuration's list.
        let chosen = unsafe {
            let chosen = sys::ssl_get_alpn_protocol(&raw const self.ssl);
            if chosen.is_null() { c"" } else { CStr::from_ptr(chosen) }
        };
        Alpn::from_identifier(chosen.to_bytes())
            .ok_or_else(|| EngineError::new(format_args!("agreed on the unknown protocol {chosen:?}")))
    }

    /// What [`Negotiated`] has no place for, against what is pinned.
    fn check_extensions(&self, session: &sys::ssl_session) -> Result<(), EngineError> {
        let etm = session.encrypt_then_mac == sys::SSL_ETM_ENABLED;
        for (what, wanted, found) in [
            ("encrypt-then-MAC", self.own.pinned.etm, etm),
            ("the extended master secret", self.own.pinned.ems, self.seen.extended_master_secret),
        ] {
            match wanted {
                Extension::On if !found => return Err(EngineError::new(format_args!("{what} is missing"))),
                Extension::Off if found => {
                    return Err(EngineError::new(format_args!("{what} was agreed on")));
                }
                Extension::Auto | Extension::On | Extension::Off => {}
            }
        }
        // SAFETY: reads numbers from the context, its configuration and its session.
        let limit = unsafe { sys::ssl_get_output_max_frag_len(&raw const self.ssl) };
        if limit != self.own.pinned.record_size as usize {
            return Err(EngineError::new(format_args!("records are limited to {limit} bytes of data")));
        }
        Ok(())
    }

    /// A server of TLS 1.2 remembers with which hash it signed; nobody else remembers anything of a signature.
    fn signature(&self) -> Result<Option<SignatureScheme>, EngineError> {
        if self.seen.resumed || self.seen.hash == sys::MD_NONE {
            return Ok(None);
        }
        // SAFETY: the function maps a number to a number.
        let hash = unsafe { sys::ssl_hash_from_md_alg(self.seen.hash as c_int) };
        let code = u16::from_be_bytes([hash, self.own.pinned.signs_with]);
        let unknown = || EngineError::new(format_args!("signed in the unknown scheme {code:#06x}"));
        SignatureScheme::from_code(code).map(Some).ok_or_else(unknown)
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
            sys::ERR_SSL_WANT_READ => Ok(0),
            code => usize::try_from(code).map_err(|_| error(code)),
        }
    }

    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        self.over(io, |connection| {
            if !connection.close_sent {
                // SAFETY: the context is set up, and `over` has given it the pipes.
                check(unsafe { sys::ssl_close_notify(&raw mut connection.ssl) })?;
                connection.close_sent = true;
            }
            match connection.read_once(&mut [0]) {
                sys::ERR_SSL_PEER_CLOSE_NOTIFY => Ok(Step::Done),
                sys::ERR_SSL_WANT_READ => Ok(Step::Waiting),
                count @ 0.. => {
                    Err(EngineError::new(format_args!("{count} bytes of data instead of a close")))
                }
                code => Err(error(code)),
            }
        })
    }

    fn negotiated(&mut self) -> Result<Negotiated, EngineError> {
        let session = self.session()?;
        self.check_extensions(session)?;
        let version = 0x0300 | self.ssl.minor_ver as u16;
        Ok(Negotiated {
            proto: Proto::from_code(version)
                .ok_or_else(|| EngineError::new(format_args!("negotiated version {version:#06x}")))?,
            cipher: session.ciphersuite as u16,
            group: self.group()?,
            signature: self.signature()?,
            resumed: self.seen.resumed,
            client_cert: match self.own.pinned.side {
                Side::Client => self.seen.certificate_asked,
                Side::Server => !session.peer_cert.is_null(),
            },
            alpn: self.application_protocol()?,
            early_data: false,
        })
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        let session = self.session()?;
        let resumable = match self.own.pinned.resume {
            Resume::Ticket => session.ticket_len > 0,
            _ => session.id_len > 0,
        };
        if !resumable {
            return Err(EngineError::new("the server gave no session to resume"));
        }
        let mut slot = self.own.kept.borrow_mut();
        let kept = slot.get_or_insert_with(|| Kept { session: Object::new(), certificate_asked: false });
        // SAFETY: the library frees what the object held before and copies the session into it.
        let code = unsafe { sys::ssl_get_session(&raw const self.ssl, kept.session.at()) };
        kept.certificate_asked = self.seen.certificate_asked;
        if code != 0 {
            *slot = None;
        }
        check(code)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: `open` has called the matching `ssl_init`; nothing uses the context after this.
        unsafe { sys::ssl_free(&raw mut self.ssl) };
    }
}

/// The library's way to send: everything goes into the pipe at once.
unsafe extern "C" fn send(io: *mut c_void, bytes: *const c_uchar, length: usize) -> c_int {
    // SAFETY: `over` has set `io`, and the library owns `length` readable bytes: a record at most.
    let (io, bytes) = unsafe { (&mut *io.cast::<Io<'_>>(), slice::from_raw_parts(bytes, length)) };
    io.outbound.write(bytes);
    length as c_int
}

/// The library's way to receive: what is in the pipe, or word that there is nothing.
unsafe extern "C" fn receive(io: *mut c_void, into: *mut c_uchar, length: usize) -> c_int {
    // SAFETY: `over` has set `io`, and the library owns `length` initialised bytes of its input buffer.
    let (io, into) = unsafe { (&mut *io.cast::<Io<'_>>(), slice::from_raw_parts_mut(into, length)) };
    match io.inbound.read(into) {
        0 => sys::ERR_SSL_WANT_READ,
        count => count as c_int,
    }
}
