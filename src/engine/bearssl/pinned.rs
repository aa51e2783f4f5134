//! One side of a cell, pinned: all that its connections are set up from, and point into.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::ptr;
use std::rc::Rc;
use std::slice;

use super::checker::{self, Checks};
use super::identity::{ClientPolicy, Identity, ServerPolicy};
use super::implementations::Implementations;
use super::library::Library;
use super::object::{Object, error};
use super::sys;
use crate::cell::{Acceleration, Auth, Cell, Group, MAX_RECORD_SIZE, Proto};
use crate::engine::{EngineError, RecordHabit, SESSION_CACHE_SIZE, Side};
use crate::fixtures::{Credentials, SERVER_NAME};

/// What the library documents that a session takes in its cache.
const CACHE_ENTRY_BYTES: usize = 100;

/// What all connections of one side share. It stays in the [`Rc`] that it is made in, because they point into it.
pub(super) struct Pinned {
    pub(super) side: Side,
    version: u16,
    suite: u16,
    /// The hashes that the library may use, as bits of its numbers for them.
    hashes: u32,
    pub(super) implementations: Implementations,
    /// The curves of the key exchange; none with static RSA.
    curves: Option<sys::br_ec_impl>,
    pub(super) signs_with_rsa: bool,
    pub(super) has_exchange: bool,
    pub(super) checks: Checks,
    pub(super) chain_without_name: sys::br_x509_class,
    pub(super) root: Root,
    /// Whether a server asks its clients for certificates.
    pub(super) asks: bool,
    pub(super) role: Role,
    pub(super) server_name: CString,
    alpn: Option<CString>,
    alpn_names: [*const c_char; 1],
    /// Bytes that make up a record, or two of them where the library takes the first byte apart.
    pub(super) record: usize,
}

/// What only one of the sides has.
pub(super) enum Role {
    Client {
        policy: Option<ClientPolicy>,
        /// The session for the next resumption.
        kept: RefCell<Option<Kept>>,
    },
    Server {
        policy: ServerPolicy,
        cache: Object<sys::br_ssl_session_cache_lru>,
        /// The cache's memory.
        _store: Box<[u8]>,
    },
}

/// A client's session, with what the library does not store in it.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    pub(super) session: sys::br_ssl_session_parameters,
    /// Whether the client showed a certificate when the session was made.
    pub(super) client_cert: bool,
}

impl Pinned {
    pub(super) fn new(
        library: &Library,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Rc<Self>, EngineError> {
        let implementations = match cell.accel {
            Acceleration::On => library.implementations,
            Acceleration::Off => library.implementations.without_acceleration(),
        };
        let shows = side == Side::Server || cell.auth == Auth::Mutual;
        let identity = shows.then(|| Identity::new(cell, credentials.identity(side))).transpose()?;
        let alpn = cell.alpn.identifier().map(CString::new).transpose().map_err(EngineError::new)?;
        Ok(Rc::new(Self {
            side,
            version: cell.proto.code(),
            suite: cell.cipher.code,
            hashes: hashes(cell),
            implementations,
            curves: curves(library, side, cell),
            signs_with_rsa: cell.cert.signs_with_rsa(),
            has_exchange: cell.group != Group::Rsa,
            checks: Checks::of(side, cell),
            chain_without_name: checker::chain_without_name(),
            root: Root::new(&credentials.root)?,
            asks: side == Side::Server && cell.auth == Auth::Mutual,
            role: Role::new(side, identity, &implementations)?,
            server_name: CString::new(SERVER_NAME).map_err(EngineError::new)?,
            alpn_names: [alpn.as_deref().map_or(ptr::null(), |name| name.as_ptr())],
            alpn,
            record: record(cell),
        }))
    }

    /// Sets up what client and server have in common.
    pub(super) fn install(&self, engine: &mut sys::br_ssl_engine_context) {
        (engine.version_min, engine.version_max) = (self.version, self.version);
        // SAFETY: the function copies the one suite.
        unsafe { sys::br_ssl_engine_set_suites(engine, &raw const self.suite, 1) };
        engine.flags = sys::br_opt_no_renegotiation | sys::br_opt_fail_on_alpn_mismatch;
        self.implementations.install(engine);
        for (number, hash) in (1..).zip(self.implementations.hashes) {
            if self.hashes >> number & 1 == 1 {
                engine.mhash.impl_[number - 1] = hash;
            }
        }
        if let Some(curves) = &self.curves {
            engine.iec = curves;
        }
        // What a side can check decides which schemes it names to its peer.
        match (self.signs_with_rsa, self.side) {
            (true, _) => engine.irsavrfy = self.implementations.rsa_verify,
            (false, Side::Client) => engine.iecdsa = self.implementations.ecdsa_verify,
            (false, Side::Server) => engine.iecdsa = Some(verify_on_any_curve),
        }
        if self.alpn.is_some() {
            engine.protocol_names = self.alpn_names.as_ptr().cast_mut();
            engine.protocol_names_num = 1;
        }
    }
}

impl Role {
    fn new(side: Side, identity: Option<Identity>, with: &Implementations) -> Result<Self, EngineError> {
        match (side, identity) {
            (Side::Client, identity) => {
                let policy = identity.map(|identity| ClientPolicy::new(identity, with));
                Ok(Self::Client { policy, kept: RefCell::new(None) })
            }
            (Side::Server, Some(identity)) => {
                let cache = Object::<sys::br_ssl_session_cache_lru>::uninit();
                let mut store = vec![0; SESSION_CACHE_SIZE * CACHE_ENTRY_BYTES].into_boxed_slice();
                // SAFETY: the function fills the cache in and makes it use the memory, which stays beside it.
                unsafe { sys::br_ssl_session_cache_lru_init(cache.at(), store.as_mut_ptr(), store.len()) };
                Ok(Self::Server { policy: ServerPolicy::new(identity, with), cache, _store: store })
            }
            (Side::Server, None) => Err(EngineError::new("a server has a certificate")),
        }
    }
}

/// The trusted root.
pub(super) struct Root {
    pub(super) anchor: sys::br_x509_trust_anchor,
    /// What the anchor points to.
    _name: Box<[u8]>,
    _decoder: Object<sys::br_x509_decoder_context>,
}

impl Root {
    fn new(der: &[u8]) -> Result<Self, EngineError> {
        let decoder = Object::<sys::br_x509_decoder_context>::uninit();
        let mut name = Vec::<u8>::new();
        // SAFETY: the first function fills the decoder in, the second calls back with the vector that it was given.
        let (fault, pkey) = unsafe {
            sys::br_x509_decoder_init(decoder.at(), Some(collect), (&raw mut name).cast());
            sys::br_x509_decoder_push(decoder.at(), der.as_ptr().cast(), der.len());
            ((*decoder.at()).err, (*decoder.at()).pkey)
        };
        if fault != 0 {
            return Err(error(fault));
        }
        let mut name = name.into_boxed_slice();
        let dn = sys::br_x500_name { data: name.as_mut_ptr(), len: name.len() };
        let anchor = sys::br_x509_trust_anchor { dn, flags: sys::BR_X509_TA_CA, pkey };
        Ok(Self { anchor, _name: name, _decoder: decoder })
    }
}

unsafe extern "C" fn collect(into: *mut c_void, bytes: *const c_void, length: usize) {
    // SAFETY: `Root::new` passes a vector, and the library as many bytes as it says.
    unsafe { (*into.cast::<Vec<u8>>()).extend_from_slice(slice::from_raw_parts(bytes.cast(), length)) };
}

/// The hashes that a cell needs. Others would run along with every handshake, and a client would name them to the server
/// as ones that it may sign with.
fn hashes(cell: &Cell) -> u32 {
    if cell.proto < Proto::Tls12 {
        return 1 << sys::br_md5_ID | 1 << sys::br_sha1_ID;
    }
    let of_finished =
        if cell.cipher.iana.ends_with("SHA384") { sys::br_sha384_ID } else { sys::br_sha256_ID };
    let of_records = match cell.cipher.mac {
        20 => sys::br_sha1_ID,
        32 => sys::br_sha256_ID,
        48 => sys::br_sha384_ID,
        _ => of_finished,
    };
    let of_signature = cell.certificate_signature().code().map(|code| code.to_be_bytes()[0]);
    1 << of_finished | 1 << of_records | of_signature.map_or(0, |hash| 1 << hash)
}

/// The library's curves, cut down to the cell's. A client also names the curve of the server's key, because servers of
/// other libraries show no certificate on a curve that was not named (RFC 8422, 5.1.1). It names them in the order of their
/// numbers, whatever a program prefers, so that it is the server which has to choose the cell's.
fn curves(library: &Library, side: Side, cell: &Cell) -> Option<sys::br_ec_impl> {
    let of_key = cell.cert.curve().filter(|_| side == Side::Client);
    if cell.group == Group::Rsa {
        return None;
    }
    let supported_curves = library.curve_bit(cell.group) | of_key.map_or(0, |curve| library.curve_bit(curve));
    Some(sys::br_ec_impl { supported_curves, ..*library.implementations.curves })
}

/// In place of the library's check of ECDSA signatures: a server's curves are those of the exchange, and a client's key
/// may be on another.
unsafe extern "C" fn verify_on_any_curve(
    _curves_of_exchange: *const sys::br_ec_impl,
    hash: *const c_void,
    hash_length: usize,
    key: *const sys::br_ec_public_key,
    signature: *const c_void,
    signature_length: usize,
) -> u32 {
    // SAFETY: the library's own arguments, but for the curves, which are a constant of the library.
    unsafe {
        let curves = sys::br_ec_get_default();
        let verify = sys::br_ecdsa_vrfy_asn1_get_default();
        verify.map_or(0, |verify| verify(curves, hash, hash_length, key, signature, signature_length))
    }
}

/// The library puts what it is given into one record, and that into two where it takes the first byte apart. Its buffer
/// holds the most that the protocol allows for both together.
fn record(cell: &Cell) -> usize {
    let whole = match RecordHabit::OneOfWhole.where_needed(cell) {
        RecordHabit::OneOfWhole => cell.record_size + 1,
        _ => cell.record_size,
    };
    whole.min(MAX_RECORD_SIZE) as usize
}
