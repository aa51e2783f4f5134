//! A BIO over our pipes: BoringSSL's way to read and write. A side makes one, and all of its connections use it in turn,
//! because it is the harness's, and so must cost a connection nothing to make. What the library tells its callbacks
//! goes to the connection at work by the same way.

#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_long, c_void};
use std::ptr;
use std::slice;
use std::sync::OnceLock;

use boring::error::ErrorStack;
use boring_sys::{self as sys, BIO, BIO_METHOD, SSL, SSL_SESSION};
use tlspair::pipe::Io;

/// A session with one reference of ours.
pub struct Session(*mut SSL_SESSION);

impl Session {
    /// # Safety
    /// `session` must be a session, and one reference to it pass to us.
    pub unsafe fn from_raw(session: *mut SSL_SESSION) -> Self {
        Self(session)
    }

    pub fn as_ptr(&self) -> *mut SSL_SESSION {
        self.0
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: gives back the reference that it was made with.
        unsafe { sys::SSL_SESSION_free(self.0) };
    }
}

/// What a connection's callbacks have told.
#[derive(Default)]
pub struct Notes {
    /// Client, TLS 1.3: the session of the ticket that was read last.
    pub newest_session: Option<Session>,
    /// Client: whether the server has asked for a certificate.
    pub asked_for_certificate: bool,
}

/// What the BIO has while the library is at work.
struct Lent<'a, 'b> {
    io: &'a mut Io<'b>,
    notes: &'a mut Notes,
}

/// A BIO that has pipes only while the library is at work.
pub struct PipeBio(*mut BIO);

impl PipeBio {
    pub fn new() -> Result<Self, ErrorStack> {
        let method = method();
        if method.is_null() {
            return Err(ErrorStack::get());
        }
        // SAFETY: the method was made whole by `method` and is never freed.
        let bio = unsafe { sys::BIO_new(method) };
        if bio.is_null() { Err(ErrorStack::get()) } else { Ok(Self(bio)) }
    }

    /// Makes `ssl` read from and write to it.
    ///
    /// # Safety
    /// `ssl` must be a living connection without a BIO.
    pub unsafe fn attach_to(&self, ssl: *mut SSL) {
        // SAFETY: the reference that is added passes to `ssl`, which takes it for both directions.
        unsafe {
            sys::BIO_up_ref(self.0);
            sys::SSL_set_bio(ssl, self.0, self.0);
        }
    }

    /// Lends the pipes and a connection's notes to the library while `work` runs.
    #[inline]
    pub fn with<T>(&self, io: &mut Io<'_>, notes: &mut Notes, work: impl FnOnce() -> T) -> T {
        let mut lent = Lent { io, notes };
        // SAFETY: the BIO lives as long as `self`, which no other thread can have. The pointer is taken back before `lent`
        // can end; `work` calls into C, which does not unwind.
        unsafe {
            sys::BIO_set_data(self.0, ptr::from_mut(&mut lent).cast());
            let outcome = work();
            sys::BIO_set_data(self.0, ptr::null_mut());
            outcome
        }
    }
}

impl Drop for PipeBio {
    fn drop(&mut self) {
        // SAFETY: gives the own reference back; connections have theirs.
        unsafe { sys::BIO_free_all(self.0) };
    }
}

/// A pointer that the library only reads from once the method is made.
struct Method(*mut BIO_METHOD);
// SAFETY: nobody writes to the method after `OnceLock` has published it.
unsafe impl Send for Method {}
// SAFETY: as above.
unsafe impl Sync for Method {}

fn method() -> *mut BIO_METHOD {
    static METHOD: OnceLock<Method> = OnceLock::new();
    METHOD.get_or_init(|| Method(new_method())).0
}

fn new_method() -> *mut BIO_METHOD {
    // SAFETY: the name ends in a zero and is static; the functions match the types that the library calls.
    unsafe {
        let method = sys::BIO_meth_new(sys::BIO_get_new_index(), c"tlspair pipes".as_ptr());
        if !method.is_null() {
            sys::BIO_meth_set_read(method, Some(read));
            sys::BIO_meth_set_write(method, Some(write));
            sys::BIO_meth_set_ctrl(method, Some(control));
            sys::BIO_meth_set_create(method, Some(create));
        }
        method
    }
}

unsafe extern "C" fn create(bio: *mut BIO) -> c_int {
    // SAFETY: the library passes the BIO that it is making.
    unsafe { sys::BIO_set_init(bio, 1) };
    1
}

/// What is lent to a BIO of this method.
///
/// # Safety
/// `bio` must be one, and the answer not outlive the library's call.
unsafe fn lent_to<'a>(bio: *mut BIO) -> Option<&'a mut Lent<'a, 'a>> {
    // SAFETY: the data is null or what `with` borrows for as long as the library is at work.
    unsafe { sys::BIO_get_data(bio).cast::<Lent<'a, 'a>>().as_mut() }
}

unsafe extern "C" fn read(bio: *mut BIO, into: *mut c_char, room: c_int) -> c_int {
    // SAFETY: the library passes a BIO of this method and `room` writable bytes.
    unsafe {
        sys::BIO_clear_retry_flags(bio);
        let Some(Lent { io, .. }) = lent_to(bio) else {
            return -1;
        };
        let unread = io.inbound.unread();
        if unread.is_empty() {
            sys::BIO_set_retry_read(bio);
            return -1;
        }
        // Copied without a slice over `into`, which need not be initialised.
        let length = unread.len().min(room as usize);
        ptr::copy_nonoverlapping(unread.as_ptr(), into.cast(), length);
        io.inbound.consume(length);
        length as c_int
    }
}

unsafe extern "C" fn write(bio: *mut BIO, from: *const c_char, length: c_int) -> c_int {
    // SAFETY: as in `read`, with `length` readable bytes.
    unsafe {
        sys::BIO_clear_retry_flags(bio);
        let Some(Lent { io, .. }) = lent_to(bio) else {
            return -1;
        };
        io.outbound.write(slice::from_raw_parts(from.cast(), length as usize));
    }
    length
}

/// A pipe has nothing to flush, and knows no other command.
unsafe extern "C" fn control(_bio: *mut BIO, command: c_int, _long: c_long, _pointer: *mut c_void) -> c_long {
    c_long::from(command == sys::BIO_CTRL_FLUSH)
}

/// The library's callback for a new session: keeps it with the connection at work, and takes its reference over.
pub unsafe extern "C" fn note_session(ssl: *mut SSL, session: *mut SSL_SESSION) -> c_int {
    // SAFETY: the library passes a living connection, whose BIO is of this method, and a reference to the session,
    // which passes to us if we answer 1.
    unsafe {
        let Some(lent) = lent_to(sys::SSL_get_rbio(ssl)) else {
            return 0;
        };
        lent.notes.newest_session = Some(Session::from_raw(session));
    }
    1
}

/// The library's callback of a client when the server has asked for a certificate; there is nothing to choose.
pub unsafe extern "C" fn note_certificate_request(ssl: *mut SSL, _argument: *mut c_void) -> c_int {
    // SAFETY: the library passes a living connection, whose BIO is of this method.
    if let Some(lent) = unsafe { lent_to(sys::SSL_get_rbio(ssl)) } {
        lent.notes.asked_for_certificate = true;
    }
    1
}
