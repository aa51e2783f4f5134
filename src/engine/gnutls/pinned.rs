//! One side of a cell, pinned: the credentials, the priorities and what connections share.

use std::cell::RefCell;
use std::ffi::CString;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;

use super::library::check;
use super::object::{Object, Owned, datum};
use super::priority::{Priority, priority};
use super::store::{self, Store};
use super::sys;
use super::transport::Transport;
use crate::cell::{Alpn, Auth, Cell, Extension, MAX_RECORD_SIZE, Proto, Resume, Verify};
use crate::engine::{EngineError, Side};
use crate::fixtures::{Credentials, Identity, SERVER_NAME};

type Certificates = Object<sys::gnutls_certificate_credentials_st>;

/// What all connections of one side have in common, on every thread. It stays in the [`Arc`] that it is made in, because
/// sessions point into it.
pub(super) struct Pinned {
    pub(super) side: Side,
    pub(super) resume: Resume,
    pub(super) is_tls13: bool,
    /// The arguments of `gnutls_init`.
    pub(super) flags: sys::gnutls_init_flags_t,
    pub(super) priority: Priority,
    pub(super) certificates: Certificates,
    /// The server's name, for the client to send.
    pub(super) server_name: CString,
    pub(super) verify: Verify,
    /// Whether a server asks for a certificate.
    pub(super) asks_client: bool,
    pub(super) etm: Extension,
    pub(super) ems: Extension,
    pub(super) alpn: Alpn,
    /// The most bytes of data in a record, if the cell limits them.
    pub(super) record_size: Option<usize>,
    /// A server's key for tickets.
    pub(super) ticket_key: Option<Owned>,
    /// A server's sessions.
    pub(super) store: Option<Store>,
    pub(super) replays: Option<Replays>,
}

// SAFETY: once `new` is done nobody changes the library's objects in here, and of such objects the library says that
// sessions of several threads may use them at a time. The stores have a lock.
unsafe impl Send for Pinned {}
// SAFETY: as above.
unsafe impl Sync for Pinned {}

/// What a thread has for itself of a side.
pub(super) struct Local {
    pub(super) transport: Transport,
    pub(super) pinned: Arc<Pinned>,
    /// A client's session for the next resumption.
    pub(super) kept: RefCell<Option<Kept>>,
}

impl Local {
    pub(super) fn of(pinned: Arc<Pinned>) -> Rc<Self> {
        Rc::new(Self { transport: Transport::new(), pinned, kept: RefCell::new(None) })
    }
}

/// A client's session, with what the library does not store in it.
pub(super) struct Kept {
    pub(super) session: Owned,
    /// Whether the client showed a certificate when the session was made.
    pub(super) client_cert: bool,
}

/// A server's guard against 0-RTT data that comes twice.
pub(super) struct Replays {
    pub(super) guard: Object<sys::gnutls_anti_replay_st>,
    /// What the guard remembers.
    _seen: Box<Store>,
}

impl Pinned {
    pub(super) fn new(side: Side, cell: &Cell, credentials: &Credentials) -> Result<Arc<Self>, EngineError> {
        let is_server = side == Side::Server;
        let takes_ids = is_server && cell.resume == Resume::SessionId;
        Ok(Arc::new(Self {
            side,
            resume: cell.resume,
            is_tls13: cell.proto == Proto::Tls13,
            flags: flags(side, cell),
            priority: priority(side, cell)?,
            certificates: certificates(side, cell, credentials)?,
            server_name: CString::new(SERVER_NAME).map_err(EngineError::new)?,
            verify: cell.verify,
            asks_client: is_server && cell.auth == Auth::Mutual,
            etm: cell.etm,
            ems: cell.ems,
            alpn: cell.alpn,
            record_size: (cell.record_size != MAX_RECORD_SIZE).then_some(cell.record_size as usize),
            ticket_key: (is_server && !takes_ids).then(ticket_key).transpose()?,
            store: takes_ids.then(Store::new),
            replays: (is_server && cell.early_data > 0).then(Replays::new).transpose()?,
        }))
    }
}

fn flags(side: Side, cell: &Cell) -> sys::gnutls_init_flags_t {
    let mut flags = sys::GNUTLS_NONBLOCK;
    flags |= match side {
        // The one certificate is shown whatever issuers the server names, and a share is sent of one group.
        Side::Client => sys::GNUTLS_CLIENT | sys::GNUTLS_FORCE_CLIENT_CERT | sys::GNUTLS_KEY_SHARE_TOP,
        // By itself the library sends two tickets under TLS 1.3.
        Side::Server => sys::GNUTLS_SERVER | sys::GNUTLS_NO_AUTO_SEND_TICKET,
    };
    if cell.resume == Resume::SessionId {
        flags |= sys::GNUTLS_NO_TICKETS;
    }
    if cell.early_data > 0 {
        flags |= sys::GNUTLS_ENABLE_EARLY_DATA;
    }
    flags
}

fn certificates(side: Side, cell: &Cell, credentials: &Credentials) -> Result<Certificates, EngineError> {
    let certificates = Object::made(
        // SAFETY: writes a pointer.
        |at| unsafe { sys::gnutls_certificate_allocate_credentials(at) },
        sys::gnutls_certificate_free_credentials,
    )?;
    // Whether key and certificate belong together is for the peer to find out; and cells of 1997 are signed with SHA-1.
    // SAFETY: the credentials live.
    unsafe {
        sys::gnutls_certificate_set_flags(certificates.at(), sys::GNUTLS_CERTIFICATE_SKIP_KEY_CERT_MATCH);
        sys::gnutls_certificate_set_verify_flags(certificates.at(), sys::GNUTLS_VERIFY_ALLOW_SIGN_WITH_SHA1);
    }
    if side == Side::Server || cell.auth == Auth::Mutual {
        show(&certificates, credentials.identity(side))?;
    }
    if cell.verify != Verify::None && (side == Side::Client || cell.auth == Auth::Mutual) {
        let root = certificate(&credentials.root)?;
        // SAFETY: the library copies the certificate.
        check(unsafe { sys::gnutls_certificate_set_x509_trust(certificates.at(), &mut root.at(), 1) })?;
    }
    Ok(certificates)
}

fn show(certificates: &Certificates, identity: &Identity) -> Result<(), EngineError> {
    let chain = identity.chain.iter().map(|der| certificate(der)).collect::<Result<Vec<_>, _>>()?;
    let mut pointers: Vec<_> = chain.iter().map(Object::at).collect();
    let key = Object::made(
        // SAFETY: writes a pointer.
        |at| unsafe { sys::gnutls_x509_privkey_init(at) },
        sys::gnutls_x509_privkey_deinit,
    )?;
    // SAFETY: all objects live, and the library copies what it is given.
    unsafe {
        check(sys::gnutls_x509_privkey_import_pkcs8(
            key.at(),
            &datum(&identity.key),
            sys::GNUTLS_X509_FMT_DER,
            ptr::null(),
            sys::GNUTLS_PKCS_PLAIN,
        ))?;
        check(sys::gnutls_certificate_set_x509_key(
            certificates.at(),
            pointers.as_mut_ptr(),
            pointers.len() as i32,
            key.at(),
        ))
    }
}

fn certificate(der: &[u8]) -> Result<Object<sys::gnutls_x509_crt_int>, EngineError> {
    let certificate = Object::made(
        // SAFETY: writes a pointer.
        |at| unsafe { sys::gnutls_x509_crt_init(at) },
        sys::gnutls_x509_crt_deinit,
    )?;
    // SAFETY: the library copies what it reads.
    check(unsafe { sys::gnutls_x509_crt_import(certificate.at(), &datum(der), sys::GNUTLS_X509_FMT_DER) })?;
    Ok(certificate)
}

fn ticket_key() -> Result<Owned, EngineError> {
    // SAFETY: writes a datum, whose bytes come from the library's allocator.
    Owned::made(|at| unsafe { sys::gnutls_session_ticket_key_generate(at) })
}

impl Replays {
    fn new() -> Result<Self, EngineError> {
        let seen = Box::new(Store::new());
        let guard = Object::made(
            // SAFETY: writes a pointer.
            |at| unsafe { sys::gnutls_anti_replay_init(at) },
            sys::gnutls_anti_replay_deinit,
        )?;
        // SAFETY: the guard lives; the store is in a box that lives as long.
        unsafe {
            sys::gnutls_anti_replay_set_add_function(guard.at(), Some(store::add));
            sys::gnutls_anti_replay_set_ptr(guard.at(), seen.at());
        }
        Ok(Self { guard, _seen: seen })
    }
}
