//! One side of a cell, pinned: the library's configuration and all that it points to.

use std::ffi::{CString, c_char, c_void};
use std::ptr;
use std::sync::Arc;

use s2n_tls_sys as sys;

use super::cache::{self, SessionCache};
use super::certificate::Chain;
use super::internals;
use super::library::{allocated, check};
use super::own;
use super::pem;
use super::policy::Policy;
use crate::cell::{Auth, Cell, Proto, Resume, Verify};
use crate::engine::{EngineError, Side};
use crate::fixtures::{Credentials, SERVER_NAME};

/// How long sessions and the keys that seal them last: a day, since the library's own two hours could end within a slow
/// cell's loop.
const LIFETIME_SECONDS: u64 = 86_400;

/// TLS 1.3 tickets after a handshake: as many as every engine sends.
const TICKETS: u8 = 1;

/// The name and the secret of the one key that seals sessions. Nothing here is worth protecting.
const SEAL_NAME: &[u8] = b"tlspair";
const SEAL_SECRET: [u8; 32] = *b"sessions of a simulator, no more";

/// From now on, in the library's words.
const NOW: u64 = 0;

/// What all connections of one side share, on whatever thread. It stays in the [`Arc`] that it is made in, because the
/// configuration points into it.
pub(super) struct Pinned {
    config: *mut sys::s2n_config,
    pub(super) side: Side,
    pub(super) proto: Proto,
    pub(super) resume: Resume,
    pub(super) auth: Auth,
    pub(super) record_size: u16,
    pub(super) server_name: CString,
    cache: SessionCache,
    policy: Policy,
    chain: Option<Chain>,
}

// SAFETY: the library lets threads make connections of one configuration at the same time, and so nothing here changes
// once `new` is done; the one exception, the cache, is behind a lock.
unsafe impl Send for Pinned {}
// SAFETY: as above.
unsafe impl Sync for Pinned {}

impl Pinned {
    pub(super) fn new(side: Side, cell: &Cell, credentials: &Credentials) -> Result<Arc<Self>, EngineError> {
        let shows = side == Side::Server || cell.auth == Auth::Mutual;
        let chain = shows.then(|| Chain::load(credentials.identity(side))).transpose()?;
        let policy = Policy::new(side, cell)?;
        // SAFETY: makes an object that `Self` frees. Unlike `s2n_config_new` it trusts no roots of the system.
        let config = allocated(unsafe { sys::s2n_config_new_minimal() })?;
        let pinned = Arc::new(Self {
            config,
            side,
            proto: cell.proto,
            resume: cell.resume,
            auth: cell.auth,
            record_size: u16::try_from(cell.record_size).map_err(EngineError::new)?,
            server_name: CString::new(SERVER_NAME).map_err(EngineError::new)?,
            cache: SessionCache::default(),
            policy,
            chain,
        });
        pinned.pin_protocol(cell)?;
        pinned.pin_authentication(cell, credentials)?;
        pinned.pin_resumption(cell)?;
        Ok(pinned)
    }

    /// For the library's functions; valid as long as `self`.
    pub(super) fn config(&self) -> *mut sys::s2n_config {
        self.config
    }

    fn pin_protocol(&self, cell: &Cell) -> Result<(), EngineError> {
        // SAFETY: the configuration lives, and so does the policy for longer, at an address that does not change; the
        // library copies the protocol's name.
        unsafe {
            check(internals::s2n_config_set_security_policy(self.config, self.policy.at()))?;
            // One call reads as many records as there is room for.
            check(sys::s2n_config_set_recv_multi_record(self.config, true))?;
            if let Some(name) = cell.alpn.identifier() {
                check(sys::s2n_config_append_protocol_preference(
                    self.config,
                    name.as_ptr(),
                    name.len() as u8,
                ))?;
            }
        }
        Ok(())
    }

    /// With [`Verify::None`] the library checks no certificate and still the signature made with its key.
    fn pin_authentication(&self, cell: &Cell, credentials: &Credentials) -> Result<(), EngineError> {
        let auth = match (cell.auth, self.side) {
            (Auth::Server, _) => sys::s2n_cert_auth_type::NONE,
            (Auth::Mutual, Side::Server) => sys::s2n_cert_auth_type::REQUIRED,
            // A client that requires to be asked would also require it where a session is resumed.
            (Auth::Mutual, Side::Client) => sys::s2n_cert_auth_type::OPTIONAL,
        };
        let config = self.config;
        // SAFETY: the configuration lives, and so does the chain for longer; the library copies the root; the function
        // matches the type that the library calls.
        unsafe {
            if let Some(chain) = &self.chain {
                check(sys::s2n_config_add_cert_chain_and_key_to_store(config, chain.at()))?;
            }
            check(sys::s2n_config_set_client_auth_type(config, auth))?;
            if cell.verify == Verify::None {
                return check(sys::s2n_config_disable_x509_verification(config));
            }
            let root = CString::new(pem::certificates([&credentials.root])).map_err(EngineError::new)?;
            check(sys::s2n_config_add_pem_to_trust_store(config, root.as_ptr()))?;
            if cell.verify == Verify::Chain || self.side == Side::Server {
                check(sys::s2n_config_set_verify_host_callback(
                    config,
                    Some(take_any_name),
                    ptr::null_mut(),
                ))?;
            }
        }
        Ok(())
    }

    fn pin_resumption(&self, cell: &Cell) -> Result<(), EngineError> {
        let config = self.config;
        let by_ticket = self.resume != Resume::SessionId;
        // SAFETY: the configuration lives; its cache outlives it at an address that does not change, since it is
        // in an `Arc`; the library copies name and secret.
        unsafe {
            if by_ticket {
                check(sys::s2n_config_set_session_tickets_onoff(config, 1))?;
            }
            if self.side == Side::Client {
                if self.proto == Proto::Tls13 {
                    check(sys::s2n_config_set_session_ticket_cb(
                        config,
                        Some(own::take_ticket),
                        ptr::null_mut(),
                    ))?;
                }
                return Ok(());
            }
            if by_ticket {
                check(sys::s2n_config_set_initial_ticket_count(config, TICKETS))?;
            } else {
                check(cache::attach(config, &self.cache))?;
            }
            check(sys::s2n_config_set_session_state_lifetime(config, LIFETIME_SECONDS))?;
            check(sys::s2n_config_set_ticket_encrypt_decrypt_key_lifetime(config, LIFETIME_SECONDS))?;
            check(sys::s2n_config_set_server_max_early_data_size(config, cell.early_data))?;
            self.add_seal()
        }
    }

    /// The key that seals sessions, in tickets and in the cache alike.
    ///
    /// # Safety
    /// The configuration must live.
    unsafe fn add_seal(&self) -> Result<(), EngineError> {
        let mut secret = SEAL_SECRET;
        // SAFETY: the caller's promise; the library copies name and secret.
        check(unsafe {
            sys::s2n_config_add_ticket_crypto_key(
                self.config,
                SEAL_NAME.as_ptr(),
                SEAL_NAME.len() as u32,
                secret.as_mut_ptr(),
                secret.len() as u32,
                NOW,
            )
        })
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: the configuration is ours; connections, which hold an `Arc` of this, are gone. What it points to is
        // dropped after it. Freeing it cannot fail.
        unsafe { sys::s2n_config_free(self.config) };
    }
}

/// Stands in for the comparison of names where the cell wants none.
unsafe extern "C" fn take_any_name(_name: *const c_char, _length: usize, _data: *mut c_void) -> u8 {
    1
}
