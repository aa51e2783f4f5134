//! One side of a cell, pinned: the library's configuration and all that it points to.

use std::cell::UnsafeCell;
use std::ffi::{CString, c_char, c_int};
use std::ptr;
use std::sync::Arc;

use tlspair::cell::{Alpn, Auth, Cell, Extension, Group, Hello, MAX_RECORD_SIZE, Proto, Resume, Verify};
use tlspair::engine::{EngineError, SESSION_CACHE_SIZE, Side, Start};
use tlspair::fixtures::{Credentials, Identity, SERVER_NAME};

use crate::ability::{record_size_code, version_number};
use crate::library;
use crate::object::{Object, check};
use crate::random::Random;
use crate::sys;
use crate::verification::{self, append};

/// How long a ticket lasts: a day, the library's own default for sessions.
const TICKET_SECONDS: u32 = 86_400;

/// What all connections of one side share, on every thread. It stays in the [`Arc`] that it is made in, because the
/// configuration points into it.
pub struct Pinned {
    config: Object<sys::mbedtls_ssl_config>,
    /// A client's, for connections that resume without an exchange; else unused.
    resuming_config: Object<sys::mbedtls_ssl_config>,
    /// Which side.
    pub side: Side,
    /// How its sessions are resumed.
    pub resume: Resume,
    /// Whether TLS 1.3 is spoken.
    pub is_tls13: bool,
    /// Whether the server asks for another key share.
    pub has_hello_retry: bool,
    /// What must come of encrypt-then-MAC.
    pub encrypt_then_mac: Extension,
    /// What must come of the extended master secret.
    pub extended_master_secret: Extension,
    /// The name that a client asks for.
    pub server_name: CString,
    /// Whether a client forgets the server's name once it has sent it, so that it is not compared.
    pub forgets_name: bool,
    lists: Lists,
    own_chain: Object<sys::mbedtls_x509_crt>,
    own_key: Object<sys::mbedtls_pk_context>,
    root: Object<sys::mbedtls_x509_crt>,
    cache: Object<sys::mbedtls_ssl_cache_context>,
    tickets: Object<sys::mbedtls_ssl_ticket_context>,
    random: Random,
}

// SAFETY: the library is built with its mutexes, with which cache, tickets, keys and random number generators may be
// used by several threads; the rest is written by `new` only.
unsafe impl Send for Pinned {}
// SAFETY: as above.
unsafe impl Sync for Pinned {}

/// The lists that pin a dimension each and end with a zero.
struct Lists {
    ciphers: [c_int; 2],
    groups: [u16; 3],
    schemes: [u16; 2],
    /// The library asks for it as writable and writes nothing.
    protocols: UnsafeCell<[*const c_char; 2]>,
}

impl Pinned {
    /// Pins everything that `cell` says.
    pub fn new(side: Side, cell: &Cell, credentials: &Credentials) -> Result<Arc<Self>, EngineError> {
        library::start()?;
        let pinned = Arc::new(Self {
            config: Object::new(),
            resuming_config: Object::new(),
            side,
            resume: cell.resume,
            is_tls13: cell.proto == Proto::Tls13,
            has_hello_retry: cell.hello == Hello::Retry,
            encrypt_then_mac: cell.etm,
            extended_master_secret: cell.ems,
            server_name: CString::new(SERVER_NAME).map_err(EngineError::new)?,
            forgets_name: side == Side::Client && cell.verify == Verify::Chain,
            lists: Lists::of(side, cell),
            own_chain: Object::new(),
            own_key: Object::new(),
            root: Object::new(),
            cache: Object::new(),
            tickets: Object::new(),
            random: Random::new()?,
        });
        if cell.verify != Verify::None {
            append(&pinned.root, &credentials.root)?;
        }
        if pinned.shows_certificate(cell) {
            pinned.load(credentials.identity(side))?;
        }
        if pinned.gives_tickets() {
            pinned.set_tickets_up()?;
        }
        pinned.pin(&pinned.config, cell)?;
        pinned.pin_exchange(&pinned.config, sys::MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_EPHEMERAL);
        pinned.pin(&pinned.resuming_config, cell)?;
        pinned.pin_exchange(&pinned.resuming_config, sys::MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_NONE);
        Ok(pinned)
    }

    /// For the library's functions; valid as long as `self`.
    pub fn config(&self, start: Start) -> *const sys::mbedtls_ssl_config {
        match (start, self.resume) {
            (Start::Resume, Resume::Psk) => self.resuming_config.at(),
            _ => self.config.at(),
        }
    }

    fn shows_certificate(&self, cell: &Cell) -> bool {
        self.side == Side::Server || cell.auth == Auth::Mutual
    }

    fn gives_tickets(&self) -> bool {
        self.side == Side::Server && self.resume != Resume::SessionId
    }

    fn pin(&self, config: &Object<sys::mbedtls_ssl_config>, cell: &Cell) -> Result<(), EngineError> {
        self.pin_protocol(config.at(), cell)?;
        self.pin_extensions(config.at(), cell)?;
        // SAFETY: both are parts of `self`.
        unsafe { verification::pin(config.at(), self.side, cell, &self.root) };
        match self.side {
            Side::Client => self.take_tickets(config.at()),
            Side::Server => self.keep_sessions(config.at()),
        }
        if self.shows_certificate(cell) {
            // SAFETY: chain and key are parts of `self`.
            check(unsafe {
                sys::mbedtls_ssl_conf_own_cert(config.at(), self.own_chain.at(), self.own_key.at())
            })?;
        }
        Ok(())
    }

    /// Resumes in the cell's way only. A server takes an exchange without a session where it can have one, so a client
    /// that resumes without an exchange must offer none, and has another configuration for it.
    fn pin_exchange(&self, config: &Object<sys::mbedtls_ssl_config>, full: u32) {
        let resumed = match self.resume {
            Resume::Psk => sys::MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_PSK,
            _ => sys::MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_PSK_EPHEMERAL,
        };
        // SAFETY: sets a number in the configuration.
        unsafe {
            sys::mbedtls_ssl_conf_tls13_key_exchange_modes(config.at(), (full | resumed) as c_int);
        }
    }

    fn pin_protocol(&self, config: *mut sys::mbedtls_ssl_config, cell: &Cell) -> Result<(), EngineError> {
        let endpoint = match self.side {
            Side::Client => sys::MBEDTLS_SSL_IS_CLIENT,
            Side::Server => sys::MBEDTLS_SSL_IS_SERVER,
        };
        let version = version_number(cell.proto)
            .ok_or_else(|| EngineError::new(format_args!("no {}", cell.proto.title())))?;
        // SAFETY: the lists and the random number generator are fields of `self`, which never moves out of its `Arc` and
        // lives longer than its configuration is used; nobody else has the configuration yet.
        unsafe {
            check(sys::mbedtls_ssl_config_defaults(
                config,
                endpoint as c_int,
                sys::MBEDTLS_SSL_TRANSPORT_STREAM as c_int,
                sys::MBEDTLS_SSL_PRESET_DEFAULT as c_int,
            ))?;
            sys::mbedtls_ssl_conf_rng(config, Some(sys::mbedtls_ctr_drbg_random), self.random.argument());
            // The functions that set the versions are inline ones, which no binding reaches.
            (*config).min_tls_version = version.into();
            (*config).max_tls_version = version.into();
            sys::mbedtls_ssl_conf_ciphersuites(config, self.lists.ciphers.as_ptr());
            sys::mbedtls_ssl_conf_sig_algs(config, self.lists.schemes.as_ptr());
            if cell.group != Group::Rsa {
                sys::mbedtls_ssl_conf_groups(config, self.lists.groups.as_ptr());
            }
        }
        Ok(())
    }

    fn pin_extensions(&self, config: *mut sys::mbedtls_ssl_config, cell: &Cell) -> Result<(), EngineError> {
        // SAFETY: sets numbers in the configuration; the list of protocols is a field of `self`.
        unsafe {
            if let Some(wanted) = switch(cell.etm) {
                sys::mbedtls_ssl_conf_encrypt_then_mac(config, wanted);
            }
            if let Some(wanted) = switch(cell.ems) {
                sys::mbedtls_ssl_conf_extended_master_secret(config, wanted);
            }
            if cell.record_size != MAX_RECORD_SIZE {
                let code = record_size_code(cell).ok_or_else(|| {
                    EngineError::new(format_args!("no records of {} bytes", cell.record_size))
                })?;
                check(sys::mbedtls_ssl_conf_max_frag_len(config, code))?;
            }
            if cell.alpn != Alpn::None {
                check(sys::mbedtls_ssl_conf_alpn_protocols(config, self.lists.protocols.get().cast()))?;
            }
        }
        Ok(())
    }

    fn take_tickets(&self, config: *mut sys::mbedtls_ssl_config) {
        let uses_tickets = match self.resume {
            Resume::SessionId => sys::MBEDTLS_SSL_SESSION_TICKETS_DISABLED,
            _ => sys::MBEDTLS_SSL_SESSION_TICKETS_ENABLED,
        };
        // SAFETY: sets numbers in the configuration.
        unsafe {
            sys::mbedtls_ssl_conf_session_tickets(config, uses_tickets as c_int);
            // A client of TLS 1.3 drops tickets unless it wants to hear of them.
            sys::mbedtls_ssl_conf_tls13_enable_signal_new_session_tickets(
                config,
                sys::MBEDTLS_SSL_TLS1_3_SIGNAL_NEW_SESSION_TICKETS_ENABLED as c_int,
            );
        }
    }

    /// In tickets, one of TLS 1.3 for each handshake, or in a cache.
    fn keep_sessions(&self, config: *mut sys::mbedtls_ssl_config) {
        // SAFETY: cache and tickets are parts of `self`, and the functions are those that the library has for them.
        unsafe {
            if self.gives_tickets() {
                sys::mbedtls_ssl_conf_session_tickets_cb(
                    config,
                    Some(sys::mbedtls_ssl_ticket_write),
                    Some(sys::mbedtls_ssl_ticket_parse),
                    self.tickets.at().cast(),
                );
                sys::mbedtls_ssl_conf_new_session_tickets(config, 1);
            } else {
                sys::mbedtls_ssl_cache_set_max_entries(self.cache.at(), SESSION_CACHE_SIZE as c_int);
                sys::mbedtls_ssl_conf_session_cache(
                    config,
                    self.cache.at().cast(),
                    Some(sys::mbedtls_ssl_cache_get),
                    Some(sys::mbedtls_ssl_cache_set),
                );
            }
        }
    }

    fn set_tickets_up(&self) -> Result<(), EngineError> {
        // SAFETY: tickets and random number generator are parts of `self`.
        check(unsafe {
            sys::mbedtls_ssl_ticket_setup(
                self.tickets.at(),
                Some(sys::mbedtls_ctr_drbg_random),
                self.random.argument(),
                sys::MBEDTLS_CIPHER_AES_256_GCM,
                TICKET_SECONDS,
            )
        })
    }

    fn load(&self, identity: &Identity) -> Result<(), EngineError> {
        for certificate in &identity.chain {
            append(&self.own_chain, certificate)?;
        }
        let key = &identity.key;
        // SAFETY: the key is read during the call, without a password; key and random number generator are parts of
        // `self`.
        check(unsafe {
            sys::mbedtls_pk_parse_key(
                self.own_key.at(),
                key.as_ptr(),
                key.len(),
                ptr::null(),
                0,
                Some(sys::mbedtls_ctr_drbg_random),
                self.random.argument(),
            )
        })
    }
}

/// The library's word for an extension that a cell switches; both extensions have the same.
fn switch(extension: Extension) -> Option<c_char> {
    match extension {
        Extension::Auto => None,
        Extension::On => Some(sys::MBEDTLS_SSL_ETM_ENABLED as c_char),
        Extension::Off => Some(sys::MBEDTLS_SSL_ETM_DISABLED as c_char),
    }
}

impl Lists {
    fn of(side: Side, cell: &Cell) -> Self {
        let code = |group: Group| group.code().unwrap_or(0);
        let groups = match cell.hello {
            // The share that a client sends is of its first group.
            Hello::Retry if side == Side::Client => [code(cell.group.wrong_guess()), code(cell.group), 0],
            // In TLS 1.2 the list of groups also says which curves a certificate's key may be on, so the key's curve has
            // to follow. The group comes first, and so it is what a server chooses.
            _ if cell.proto == Proto::Tls12 => {
                let key = cell.cert.curve().filter(|key| *key != cell.group);
                [code(cell.group), key.map_or(0, code), 0]
            }
            _ => [code(cell.group), 0, 0],
        };
        let protocol = match cell.alpn {
            Alpn::None => ptr::null(),
            Alpn::H2 => c"h2".as_ptr(),
            Alpn::Http11 => c"http/1.1".as_ptr(),
        };
        Self {
            ciphers: [c_int::from(cell.cipher.code), 0],
            groups,
            schemes: [cell.certificate_signature().code().unwrap_or(0), 0],
            protocols: UnsafeCell::new([protocol, ptr::null()]),
        }
    }
}
