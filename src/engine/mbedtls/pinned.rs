//! One side of a cell, pinned: the library's configuration and all that it points to.

use std::cell::{Cell as Slot, RefCell};
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use mbedtls_sys as sys;

use super::ability::{curve, fragment_code, hash_of, minor_version};
use super::object::{Object, check};
use super::random::Random;
use super::{version, was_built_with};
use crate::cell::{Auth, Cell, Extension, Group, KeyExchange, Proto, Resume, Verify};
use crate::engine::{EngineError, SESSION_CACHE_SIZE, Side, Unsupported};
use crate::fixtures::{Credentials, Identity, SERVER_NAME};

/// How long a ticket lasts: a day, the library's own default for sessions.
const TICKET_SECONDS: u32 = 86_400;

/// Takes every key size, curve and hash in a chain: a cell of 1997 is signed with SHA-1 over 512 bits.
static ANY_KEY: sys::x509_crt_profile = sys::x509_crt_profile {
    allowed_mds: u32::MAX,
    allowed_pks: u32::MAX,
    allowed_curves: u32::MAX,
    rsa_min_bitlen: 512,
};

thread_local! {
    /// What [`hide_chain`] has taken out of the library's sight, until [`show_chain`] is called for the same leaf.
    static HIDDEN_CHAIN: Slot<*mut sys::x509_crt> = const { Slot::new(ptr::null_mut()) };
}

/// One side of a cell on one thread.
pub(super) struct OwnSide {
    pub(super) pinned: Arc<Pinned>,
    /// A client's session for the next resumption.
    pub(super) kept: RefCell<Option<Kept>>,
}

impl OwnSide {
    pub(super) fn new(pinned: Arc<Pinned>) -> Self {
        Self { pinned, kept: RefCell::new(None) }
    }
}

/// What all connections of one side share. It stays in the [`Arc`] that it is made in, because the configuration
/// points into it.
pub(super) struct Pinned {
    config: Object<sys::ssl_config>,
    pub(super) side: Side,
    pub(super) resume: Resume,
    pub(super) server_name: CString,
    /// Whether a client forgets the server's name once it has sent it, so that it is not compared.
    pub(super) forgets_name: bool,
    /// The low byte of the scheme in which a server of TLS 1.2 signs its key exchange; 0 if it signs nothing.
    pub(super) signs_with: u8,
    /// What must become of encrypt-then-MAC.
    pub(super) etm: Extension,
    /// What must become of the extended master secret.
    pub(super) ems: Extension,
    /// Bytes of data that a record may hold.
    pub(super) record_size: u32,
    /// Whether its objects hold ECDSA keys, which the library computes with in place.
    has_curve_keys: bool,
    lists: Lists,
    own_chain: Object<sys::x509_crt>,
    own_key: Object<sys::pk_context>,
    root: Object<sys::x509_crt>,
    cache: Object<sys::ssl_cache_context>,
    tickets: Object<sys::ssl_ticket_context>,
    random: Random,
}

// SAFETY: from the end of `new` on, nothing of it is written but by the library. `for_threads` is what gives it to
// another thread, and refuses unless the library guards what it writes to by mutexes: the random number generator, the
// session cache, the ticket keys and RSA keys.
unsafe impl Send for Pinned {}
// SAFETY: the same.
unsafe impl Sync for Pinned {}

/// A client's session, with what the library does not store in it.
pub(super) struct Kept {
    pub(super) session: Object<sys::ssl_session>,
    /// Whether the server asked for a certificate when the session was made.
    pub(super) certificate_asked: bool,
}

/// The zero-terminated lists of one or two that pin a dimension each.
struct Lists {
    ciphers: [c_int; 2],
    curves: [sys::ecp_group_id; 3],
    hashes: [c_int; 2],
    /// Null alone where there is none.
    protocols: [*const c_char; 2],
    /// What `protocols` points to.
    _protocol: Option<CString>,
}

impl Pinned {
    pub(super) fn new(side: Side, cell: &Cell, credentials: &Credentials) -> Result<Arc<Self>, EngineError> {
        let pinned = Arc::new(Self {
            config: Object::new(),
            side,
            resume: cell.resume,
            server_name: CString::new(SERVER_NAME).map_err(EngineError::new)?,
            forgets_name: side == Side::Client && cell.verify == Verify::Chain,
            signs_with: signs_with(side, cell),
            has_curve_keys: has_curve_keys(side, cell),
            etm: cell.etm,
            ems: cell.ems,
            record_size: cell.record_size,
            lists: Lists::of(cell)?,
            own_chain: Object::new(),
            own_key: Object::new(),
            root: Object::new(),
            cache: Object::new(),
            tickets: Object::new(),
            random: Random::new()?,
        });
        pinned.pin_protocol(cell)?;
        pinned.pin_extensions()?;
        pinned.pin_verification(cell, credentials)?;
        pinned.pin_resumption()?;
        if side == Side::Server || cell.auth == Auth::Mutual {
            pinned.show(credentials.identity(side))?;
        }
        Ok(pinned)
    }

    /// For the library's functions; valid as long as `self`.
    pub(super) fn config(&self) -> *const sys::ssl_config {
        self.config.at()
    }

    /// This, if several threads may use it at once.
    pub(super) fn for_threads(self: &Arc<Self>) -> Result<Arc<Self>, Unsupported> {
        let refuse = |why: &str| Err(Unsupported(format!("Mbed TLS {} {why}", version())));
        if !was_built_with(c"MBEDTLS_THREADING_C") {
            return refuse("was built without mutexes, which threads with common contexts need");
        }
        if self.has_curve_keys {
            return refuse("does not let threads share ECDSA keys, which it computes with in place");
        }
        Ok(Arc::clone(self))
    }

    fn pin_protocol(&self, cell: &Cell) -> Result<(), EngineError> {
        let endpoint = match self.side {
            Side::Client => sys::SSL_IS_CLIENT,
            Side::Server => sys::SSL_IS_SERVER,
        };
        let minor = minor_version(cell.proto)
            .ok_or_else(|| EngineError::new(format_args!("no {}", cell.proto.title())))?;
        let config = self.config.at();
        // SAFETY: the lists and the random number generator are fields of `self`, which never moves out of its
        // `Arc` and lives longer than its configuration is used.
        unsafe {
            check(sys::ssl_config_defaults(
                config,
                endpoint,
                sys::SSL_TRANSPORT_STREAM,
                sys::SSL_PRESET_DEFAULT,
            ))?;
            sys::ssl_conf_rng(config, Some(sys::ctr_drbg_random), self.random.argument());
            sys::ssl_conf_min_version(config, sys::SSL_MAJOR_VERSION_3, minor);
            sys::ssl_conf_max_version(config, sys::SSL_MAJOR_VERSION_3, minor);
            sys::ssl_conf_ciphersuites(config, self.lists.ciphers.as_ptr());
            // Only says that RC4 may be used where it is on the list.
            sys::ssl_conf_arc4_support(config, sys::SSL_ARC4_ENABLED as c_char);
            if cell.group != Group::Rsa {
                sys::ssl_conf_curves(config, self.lists.curves.as_ptr());
            }
            if cell.proto == Proto::Tls12 {
                sys::ssl_conf_sig_hashes(config, self.lists.hashes.as_ptr());
            }
        }
        Ok(())
    }

    /// The library offers and takes both extensions unless told otherwise.
    fn pin_extensions(&self) -> Result<(), EngineError> {
        let config = self.config.at();
        let limit = fragment_code(self.record_size)
            .ok_or_else(|| EngineError::new(format_args!("no records of {} bytes", self.record_size)))?;
        // SAFETY: sets numbers in the configuration. The list of protocols, which the library only reads, is a field of
        // `self`, which never moves out of its `Arc` and lives longer than its configuration is used.
        unsafe {
            check(sys::ssl_conf_max_frag_len(config, limit))?;
            if self.etm == Extension::Off {
                sys::ssl_conf_encrypt_then_mac(config, sys::SSL_ETM_DISABLED as c_char);
            }
            if self.ems == Extension::Off {
                sys::ssl_conf_extended_master_secret(config, sys::SSL_EXTENDED_MS_DISABLED as c_char);
            }
            if self.lists.protocols[0].is_null() {
                return Ok(());
            }
            check(sys::ssl_conf_alpn_protocols(config, self.lists.protocols.as_ptr().cast_mut()))
        }
    }

    /// With [`Verify::None`] the library looks at no certificate: a client that checks nothing is an option of its
    /// own. A server with that option would not ask for a certificate either, so it gets the option by which
    /// nothing found wrong matters, and the chain is hidden from it while it looks: what remains is to compare
    /// the leaf's two dates and its kind of key.
    fn pin_verification(&self, cell: &Cell, credentials: &Credentials) -> Result<(), EngineError> {
        let asks = self.side == Side::Client || cell.auth == Auth::Mutual;
        let config = self.config.at();
        if !asks || (self.side == Side::Client && cell.verify == Verify::None) {
            // SAFETY: sets a number in the configuration.
            unsafe { sys::ssl_conf_authmode(config, sys::SSL_VERIFY_NONE) };
            return Ok(());
        }
        // SAFETY: the profile is static; the root is a part of `self`, which outlives the use of its configuration.
        unsafe {
            sys::ssl_conf_cert_profile(config, &raw const ANY_KEY);
            if cell.verify == Verify::None {
                sys::ssl_conf_authmode(config, sys::SSL_VERIFY_OPTIONAL);
                sys::ssl_conf_ca_cb(config, Some(hide_chain), ptr::null_mut());
                sys::ssl_conf_verify(config, Some(show_chain), ptr::null_mut());
            } else {
                sys::ssl_conf_authmode(config, sys::SSL_VERIFY_REQUIRED);
                append(&self.root, &credentials.root)?;
                sys::ssl_conf_ca_chain(config, self.root.at(), ptr::null_mut());
            }
        }
        Ok(())
    }

    fn pin_resumption(&self) -> Result<(), EngineError> {
        let config = self.config.at();
        let with_tickets = self.resume == Resume::Ticket;
        // SAFETY: cache and tickets are parts of `self`, and the functions given with each are those that the
        // library has for it.
        unsafe {
            match (self.side, with_tickets) {
                (Side::Client, true) => {
                    sys::ssl_conf_session_tickets(config, sys::SSL_SESSION_TICKETS_ENABLED);
                }
                (Side::Client, false) => {
                    sys::ssl_conf_session_tickets(config, sys::SSL_SESSION_TICKETS_DISABLED);
                }
                (Side::Server, true) => {
                    check(sys::ssl_ticket_setup(
                        self.tickets.at(),
                        Some(sys::ctr_drbg_random),
                        self.random.argument(),
                        sys::CIPHER_AES_256_GCM,
                        TICKET_SECONDS,
                    ))?;
                    sys::ssl_conf_session_tickets_cb(
                        config,
                        Some(sys::ssl_ticket_write),
                        Some(sys::ssl_ticket_parse),
                        self.tickets.at().cast(),
                    );
                }
                (Side::Server, false) => {
                    sys::ssl_cache_set_max_entries(self.cache.at(), SESSION_CACHE_SIZE as c_int);
                    sys::ssl_conf_session_cache(
                        config,
                        self.cache.at().cast(),
                        Some(sys::ssl_cache_get),
                        Some(sys::ssl_cache_set),
                    );
                }
            }
        }
        Ok(())
    }

    fn show(&self, identity: &Identity) -> Result<(), EngineError> {
        for certificate in &identity.chain {
            append(&self.own_chain, certificate)?;
        }
        let key = &identity.key;
        // SAFETY: the key is read during the call, without a password; chain and key are parts of `self`.
        unsafe {
            check(sys::pk_parse_key(self.own_key.at(), key.as_ptr(), key.len(), ptr::null(), 0))?;
            check(sys::ssl_conf_own_cert(self.config.at(), self.own_chain.at(), self.own_key.at()))
        }
    }
}

impl Lists {
    fn of(cell: &Cell) -> Result<Self, EngineError> {
        let group = curve(cell.group).unwrap_or(sys::ECP_DP_NONE);
        // Up to TLS 1.2 the list of groups also says which curves a certificate's key may be on, so the key's
        // curve has to follow. The group comes first, and so it is what a server chooses.
        let key = cell.cert.curve().filter(|key| *key != cell.group).and_then(curve);
        let hash = cell.certificate_signature().code().map_or(sys::MD_NONE, hash_of);
        let protocol = cell.alpn.identifier().map(CString::new).transpose().map_err(EngineError::new)?;
        Ok(Self {
            ciphers: [c_int::from(cell.cipher.code), 0],
            curves: [group, key.unwrap_or(sys::ECP_DP_NONE), sys::ECP_DP_NONE],
            hashes: [hash as c_int, sys::MD_NONE as c_int],
            protocols: [protocol.as_ref().map_or(ptr::null(), |name| name.as_ptr()), ptr::null()],
            _protocol: protocol,
        })
    }
}

/// Whether the side has an ECDSA key of its own, or a root's to check signatures with.
fn has_curve_keys(side: Side, cell: &Cell) -> bool {
    let shows = side == Side::Server || cell.auth == Auth::Mutual;
    let checks = side == Side::Client && cell.verify != Verify::None;
    (shows || checks) && !cell.cert.signs_with_rsa()
}

/// In TLS 1.2 a server signs its key exchange in a scheme that the library remembers a half of, the hash; this is
/// the other half.
fn signs_with(side: Side, cell: &Cell) -> u8 {
    let signs =
        side == Side::Server && cell.proto == Proto::Tls12 && cell.cipher.kx != KeyExchange::StaticRsa;
    match cell.cert {
        _ if !signs => 0,
        cert if cert.signs_with_rsa() => sys::SSL_SIG_RSA as u8,
        _ => sys::SSL_SIG_ECDSA as u8,
    }
}

fn append(chain: &Object<sys::x509_crt>, der: &[u8]) -> Result<(), EngineError> {
    // SAFETY: the library copies what it is given.
    check(unsafe { sys::x509_crt_parse_der(chain.at(), der.as_ptr(), der.len()) })
}

/// Asked by the library for the issuers that it may trust, offers none, and takes the rest of the peer's chain
/// out of its sight, so that no signature in it is checked.
unsafe extern "C" fn hide_chain(
    _argument: *mut c_void,
    leaf: *const sys::x509_crt,
    issuers: *mut *mut sys::x509_crt,
) -> c_int {
    let leaf = leaf.cast_mut();
    // SAFETY: the leaf is in memory that the library allocated for this handshake and writes to elsewhere; nothing else
    // reads it during this call. The library calls both functions on the thread that takes the handshake's step.
    unsafe {
        *issuers = ptr::null_mut();
        HIDDEN_CHAIN.set((*leaf).next);
        (*leaf).next = ptr::null_mut();
    }
    0
}

/// Called by the library for the leaf right after: puts the rest of the chain back in its place, for the library
/// to free, and forgives the leaf.
unsafe extern "C" fn show_chain(
    _argument: *mut c_void,
    leaf: *mut sys::x509_crt,
    _depth: c_int,
    faults: *mut u32,
) -> c_int {
    // SAFETY: as in `hide_chain`, which the library has called with this same leaf: a leaf without issuers is the
    // whole chain.
    unsafe {
        (*leaf).next = HIDDEN_CHAIN.replace(ptr::null_mut());
        *faults = 0;
    }
    0
}
