//! One side of a cell as a `WOLFSSL_CTX`: every dimension pinned, nothing else offered.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_int, c_long};
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Arc;

use wolfssl_sys as sys;

use super::ability::{Abilities, fragment_code};
use super::cache::{Cache, Shown};
use super::connection::{receive, send};
use super::library::{self, check};
use super::resumption::pin_resumption;
use super::session::Session;
use crate::cell::{Auth, Cell, Extension, Group, Hello, MAX_RECORD_SIZE, Proto, SignatureScheme, Verify};
use crate::engine::{EngineError, Side};
use crate::fixtures::{Credentials, Identity, SERVER_NAME};

/// The smallest RSA key that a cell may ask for; the library was built to want 2048 bits unless told otherwise.
const LEAST_RSA_BITS: i16 = 512;

/// A context of the library, freed when dropped.
#[derive(Debug)]
pub(super) struct Context(NonNull<sys::WOLFSSL_CTX>);

impl Context {
    /// A context that could speak any version, to ask the library what it has.
    pub(super) fn of_any_version() -> Result<Self, EngineError> {
        // SAFETY: needs nothing.
        Self::of(unsafe { sys::wolfTLS_client_method() })
    }

    /// A context that speaks one version.
    fn of_version(proto: Proto, side: Side) -> Result<Self, EngineError> {
        // SAFETY: the functions need nothing.
        let method = unsafe {
            match (proto, side) {
                (Proto::Tls12, Side::Client) => sys::wolfTLSv1_2_client_method(),
                (Proto::Tls12, Side::Server) => sys::wolfTLSv1_2_server_method(),
                (Proto::Tls13, Side::Client) => sys::wolfTLSv1_3_client_method(),
                (Proto::Tls13, Side::Server) => sys::wolfTLSv1_3_server_method(),
                _ => return Err(EngineError::new(format_args!("no {}", proto.title()))),
            }
        };
        Self::of(method)
    }

    fn of(method: *mut sys::WOLFSSL_METHOD) -> Result<Self, EngineError> {
        // SAFETY: the library takes the method over, and answers null where it cannot.
        let context = unsafe { sys::wolfSSL_CTX_new(method) };
        NonNull::new(context).map(Self).ok_or_else(|| EngineError::new("the library made no context"))
    }

    /// For the library's functions; valid as long as `self`.
    pub(super) fn at(&self) -> *mut sys::WOLFSSL_CTX {
        self.0.as_ptr()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: made by `of`, and given back only here; connections hold references of their own.
        unsafe { sys::wolfSSL_CTX_free(self.0.as_ptr()) };
    }
}

/// What all connections of one side have in common, on every thread.
pub(super) struct Pinned {
    // Dropped before the cache, which it points to.
    pub(super) context: Context,
    /// A server's sessions to resume by id, which the context points to.
    _cache: Option<Box<Cache>>,
    /// A server's sessions in which clients have shown a certificate, if it asks for one.
    pub(super) shown: Option<Shown>,
    pub(super) side: Side,
    pub(super) cell: Cell,
    /// The groups that the context has, by their numbers.
    pub(super) groups: Vec<c_int>,
    pub(super) server_name: CString,
}

// SAFETY: once `new` is done nobody changes the context, which the library then lets the connections of several threads
// use at a time: it counts its references for them, and locks its keys for tickets. What is remembered here has locks.
unsafe impl Send for Pinned {}
// SAFETY: as above.
unsafe impl Sync for Pinned {}

/// What a thread has for itself of a side.
pub(super) struct Local {
    pub(super) pinned: Arc<Pinned>,
    /// A client's session for the next resumption.
    pub(super) kept: RefCell<Option<Kept>>,
}

impl Local {
    pub(super) fn of(pinned: Arc<Pinned>) -> Rc<Self> {
        Rc::new(Self { pinned, kept: RefCell::new(None) })
    }
}

/// The session that the client offers next.
pub(super) struct Kept {
    pub(super) session: Session,
    /// Whether the client showed a certificate when the session was made.
    pub(super) client_cert: bool,
}

impl Pinned {
    pub(super) fn new(side: Side, cell: &Cell, credentials: &Credentials) -> Result<Self, EngineError> {
        library::start()?;
        let context = Context::of_version(cell.proto, side)?;
        // SAFETY: the context lives; the functions have the types that the library calls.
        unsafe {
            sys::wolfSSL_CTX_SetIORecv(context.at(), Some(receive));
            sys::wolfSSL_CTX_SetIOSend(context.at(), Some(send));
            check(sys::wolfSSL_CTX_SetMinRsaKey_Sz(context.at(), LEAST_RSA_BITS))?;
        }
        if side == Side::Server || cell.auth == Auth::Mutual {
            show(&context, credentials.identity(side))?;
        }
        check_peer(&context, side, cell, credentials)?;
        pin_cipher(&context, cell)?;
        let mut groups = groups(side, cell);
        if !groups.is_empty() {
            let (list, count) = (groups.as_mut_ptr(), groups.len() as c_int);
            // SAFETY: the context lives; the list is read during the call.
            check(unsafe { sys::wolfSSL_CTX_set_groups(context.at(), list, count) })?;
        }
        pin_signature(&context, side, cell)?;
        pin_extensions(&context, side, cell)?;
        let asks_client = side == Side::Server && cell.auth == Auth::Mutual;
        Ok(Self {
            // SAFETY: both become parts of one object, which drops the context first.
            _cache: unsafe { pin_resumption(&context, side, cell) }?,
            shown: asks_client.then(Shown::new),
            context,
            side,
            cell: cell.clone(),
            groups,
            server_name: CString::new(SERVER_NAME).map_err(EngineError::new)?,
        })
    }

    /// The application protocol that a connection offers or selects.
    pub(super) fn alpn(&self) -> Option<&'static [u8]> {
        self.cell.alpn.identifier()
    }

    /// Whether a client compares the server's name.
    pub(super) fn checks_name(&self) -> bool {
        self.side == Side::Client && self.cell.verify == Verify::Name
    }
}

fn show(context: &Context, identity: &Identity) -> Result<(), EngineError> {
    const DER: c_int = sys::WOLFSSL_FILETYPE_ASN1 as c_int;
    let chain = identity.chain.concat();
    let key = &identity.key;
    // SAFETY: the context lives; chain and key are read during the calls.
    unsafe {
        check(sys::wolfSSL_CTX_use_certificate_chain_buffer_format(
            context.at(),
            chain.as_ptr(),
            chain.len() as c_long,
            DER,
        ))?;
        check(sys::wolfSSL_CTX_use_PrivateKey_buffer(context.at(), key.as_ptr(), key.len() as c_long, DER))?;
        check(sys::wolfSSL_CTX_check_private_key(context.at()))
    }
}

/// A client that checks nothing is an option of the library. A server with that option would not ask for a certificate,
/// so it gets no root and forgives: without the issuer at hand the library checks no signature in the certificate.
fn check_peer(
    context: &Context,
    side: Side,
    cell: &Cell,
    credentials: &Credentials,
) -> Result<(), EngineError> {
    let expects_certificate = side == Side::Client || cell.auth == Auth::Mutual;
    let checks = cell.verify != Verify::None;
    let mode = match side {
        _ if !expects_certificate => sys::WOLFSSL_VERIFY_NONE,
        Side::Client if !checks => sys::WOLFSSL_VERIFY_NONE,
        _ => sys::WOLFSSL_VERIFY_PEER | sys::WOLFSSL_VERIFY_FAIL_IF_NO_PEER_CERT,
    };
    let callback: sys::VerifyCallback = if side == Side::Server && !checks { Some(forgive) } else { None };
    // SAFETY: the context lives; the callback has the type that the library calls.
    unsafe { sys::wolfSSL_CTX_set_verify(context.at(), mode as c_int, callback) };
    if expects_certificate && checks {
        let root = &credentials.root;
        // SAFETY: the context lives; the root is read during the call.
        check(unsafe {
            sys::wolfSSL_CTX_load_verify_buffer(
                context.at(),
                root.as_ptr(),
                root.len() as c_long,
                sys::WOLFSSL_FILETYPE_ASN1 as c_int,
            )
        })?;
    }
    Ok(())
}

/// Takes whatever the library found wrong with a certificate.
unsafe extern "C" fn forgive(_verdict: c_int, _store: *mut sys::WOLFSSL_X509_STORE_CTX) -> c_int {
    1
}

fn pin_cipher(context: &Context, cell: &Cell) -> Result<(), EngineError> {
    let abilities = Abilities::get().map_err(EngineError::new)?;
    let name = abilities
        .cipher_name(cell.cipher.code)
        .ok_or_else(|| EngineError::new(format_args!("no cipher {}", cell.cipher.openssl)))?;
    // SAFETY: the context lives; the name is read during the call.
    check(unsafe { sys::wolfSSL_CTX_set_cipher_list(context.at(), name.as_ptr()) })
}

/// The cell's group alone, with two exceptions, both of clients. Before TLS 1.3 the list also tells other libraries which
/// curves a certificate's key may lie on, so the key's curve comes second, where it is not used for the exchange. (A
/// wolfSSL server would go by the curve's size, so its own list has the group alone.) And a client that is to be asked for
/// another key share begins with a group that the server does not have. Static RSA has no groups.
fn groups(side: Side, cell: &Cell) -> Vec<c_int> {
    let is_client = side == Side::Client;
    let before = (is_client && cell.hello == Hello::Retry).then(|| cell.group.wrong_guess());
    let names_key_curve = is_client && cell.proto < Proto::Tls13 && cell.group != Group::Rsa;
    let after = cell.cert.curve().filter(|&curve| names_key_curve && curve != cell.group);
    let groups = [before, Some(cell.group), after].into_iter().flatten();
    groups.filter_map(Group::code).map(c_int::from).collect()
}

/// Pins the scheme of handshake signatures, the server's and the client's.
///
/// A server of TLS 1.2 replaces a list that lacks schemes for either kind of key, RSA and ECDSA, by a longer one of its
/// own when it asks for a client's certificate. So its list has one scheme for each kind; a key is of one kind only.
fn pin_signature(context: &Context, side: Side, cell: &Cell) -> Result<(), EngineError> {
    let scheme = cell.certificate_signature();
    let name = scheme_name(scheme)
        .ok_or_else(|| EngineError::new(format_args!("no signature scheme {scheme}")))?
        .to_string_lossy();
    let asks_client = side == Side::Server && cell.auth == Auth::Mutual && cell.proto == Proto::Tls12;
    let list = match scheme {
        _ if !asks_client => name.into_owned(),
        SignatureScheme::RsaPkcs1Sha256 => format!("{name}:ECDSA+SHA256"),
        _ => format!("{name}:RSA+SHA256"),
    };
    let list = CString::new(list).map_err(EngineError::new)?;
    // SAFETY: the context lives; the list is read during the call.
    check(unsafe { sys::wolfSSL_CTX_set1_sigalgs_list(context.at(), list.as_ptr()) })
}

/// The library's name for a scheme, if it may have it.
pub(super) fn scheme_name(scheme: SignatureScheme) -> Option<&'static CStr> {
    match scheme {
        SignatureScheme::RsaPkcs1Sha256 => Some(c"RSA+SHA256"),
        SignatureScheme::RsaPssRsaeSha256 => Some(c"RSA-PSS+SHA256"),
        SignatureScheme::EcdsaSecp256r1Sha256 => Some(c"ECDSA+SHA256"),
        SignatureScheme::EcdsaSecp384r1Sha384 => Some(c"ECDSA+SHA384"),
        SignatureScheme::EcdsaSecp521r1Sha512 => Some(c"ECDSA+SHA512"),
        SignatureScheme::Ed25519 => Some(c"ED25519"),
        SignatureScheme::Ed448 => Some(c"ED448"),
        _ => None,
    }
}

fn pin_extensions(context: &Context, side: Side, cell: &Cell) -> Result<(), EngineError> {
    // SAFETY: the context lives; the functions take numbers.
    unsafe {
        match cell.etm {
            Extension::Auto => {}
            wanted => {
                let allowed = c_int::from(wanted == Extension::On);
                check(sys::wolfSSL_CTX_AllowEncryptThenMac(context.at(), allowed))?;
            }
        }
        match cell.ems {
            Extension::Auto => {}
            Extension::On => check(sys::wolfSSL_CTX_RequireExtendedMasterSecret(context.at()))?,
            Extension::Off => check(sys::wolfSSL_CTX_DisableExtendedMasterSecret(context.at()))?,
        }
        if side == Side::Client && cell.record_size != MAX_RECORD_SIZE {
            let code = fragment_code(cell.record_size)
                .ok_or_else(|| EngineError::new(format_args!("no records of {} bytes", cell.record_size)))?;
            check(sys::wolfSSL_CTX_UseMaxFragment(context.at(), code))?;
        }
    }
    Ok(())
}
