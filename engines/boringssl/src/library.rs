//! BoringSSL as a whole: what it has, asked of the library once, and what it says of itself.

#![allow(unsafe_code)]

use std::ptr;

use boring::error::ErrorStack;
use boring::ssl::{SslContextBuilder, SslMethod, SslVersion};
use boring_sys as sys;
use tlspair::cell::{CIPHERS, Cell, Cert, Cipher, Feature, Group, Proto};
use tlspair::engine::{EngineError, EngineInfo, Unsupported};

use crate::context;

/// There are no releases: the crate that brings a copy of the sources has the only number.
const VERSION: &str = concat!("boring-sys-", env!("BORING_SYS_VERSION"));

/// The least that BoringSSL takes for a limit of what records hold; it takes less for this.
const LEAST_RECORD_SIZE: u32 = 512;
/// What a server of BoringSSL lets clients send before the handshake is over, which it announces in each ticket and
/// which nothing changes.
const MOST_EARLY_DATA: u32 = 14336;

/// The engine's account of itself.
pub fn info() -> EngineInfo {
    // SAFETY: answers with a constant.
    let has_assembly = unsafe { sys::CRYPTO_has_asm() } == 1;
    EngineInfo {
        id: "boringssl",
        library: "BoringSSL".to_owned(),
        version: VERSION.to_owned(),
        build: format!(
            "API {}, post-quantum patch of boring-sys, {}",
            sys::BORINGSSL_API_VERSION,
            if has_assembly { "assembly" } else { "portable C" }
        ),
        is_tls: true,
    }
}

/// The reasons in an error stack, the innermost first.
pub fn words(stack: &ErrorStack) -> EngineError {
    let mut reasons: Vec<String> = Vec::new();
    for error in stack.errors() {
        let number = || format!("reason {} of library {}", error.reason_code(), error.library_code());
        let reason = error.reason().map_or_else(number, str::to_owned);
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    EngineError::new(if reasons.is_empty() { "no reason given".to_owned() } else { reasons.join("; ") })
}

/// The library's constant for a version; none for SSL 2.0 and 3.0, which it has not.
pub fn version_of(proto: Proto) -> Option<SslVersion> {
    match proto {
        Proto::Ssl2 | Proto::Ssl3 => None,
        Proto::Tls10 => Some(SslVersion::TLS1),
        Proto::Tls11 => Some(SslVersion::TLS1_1),
        Proto::Tls12 => Some(SslVersion::TLS1_2),
        Proto::Tls13 => Some(SslVersion::TLS1_3),
    }
}

/// What this build of the library has, as it says itself.
#[derive(Debug)]
pub struct Capabilities {
    protos: Vec<Proto>,
    ciphers: Vec<u16>,
    groups: Vec<Group>,
    certs: Vec<Cert>,
}

impl Capabilities {
    /// Asks the library.
    pub fn probe() -> Self {
        let capabilities = Self {
            protos: Proto::ALL.iter().copied().filter(|&proto| has_proto(proto)).collect(),
            ciphers: CIPHERS.iter().filter(|cipher| has_cipher(cipher)).map(|cipher| cipher.code).collect(),
            groups: Group::ALL.iter().copied().filter(|&group| has_group(group)).collect(),
            certs: Cert::ALL.iter().copied().filter(|&cert| has_cert(cert)).collect(),
        };
        drop(ErrorStack::get()); // what the refusals left behind
        capabilities
    }

    /// Whether the library can play either side of `cell`.
    pub fn check(&self, cell: &Cell) -> Result<(), Unsupported> {
        let lacks = |what: String| Err(Unsupported(format!("BoringSSL ({VERSION}) has no {what}")));
        if !self.protos.contains(&cell.proto) {
            return lacks(cell.proto.title().to_owned());
        }
        if !self.ciphers.contains(&cell.cipher.code) {
            return lacks(format!("cipher {}", cell.cipher.openssl));
        }
        if !self.groups.contains(&cell.group) {
            return lacks(format!("group {}", cell.group));
        }
        if !self.certs.contains(&cell.cert) {
            return lacks(format!("{} certificates", cell.cert));
        }
        Ok(())
    }
}

/// A refusal in words that follow the library's name.
pub fn refusal(why: &str) -> Unsupported {
    Unsupported(format!("BoringSSL ({VERSION}) {why}"))
}

/// Whether the library has what `cell` asks for beyond the ordinary.
pub fn offers(feature: Feature, cell: &Cell) -> Result<(), Unsupported> {
    let refuse = |why: String| Err(refusal(&why));
    match feature {
        // It always agrees on the extended master secret and never on encrypt-then-MAC.
        Feature::ExtendedMasterSecret(true) | Feature::EncryptThenMac(false) => Ok(()),
        Feature::Alpn | Feature::HelloRetry => Ok(()),
        Feature::EarlyData if cell.early_data <= MOST_EARLY_DATA => Ok(()),
        Feature::EarlyData => refuse(format!("takes {MOST_EARLY_DATA} bytes of 0-RTT data at most")),
        Feature::RecordSize(bytes) if bytes >= LEAST_RECORD_SIZE => Ok(()),
        Feature::RecordSize(_) => refuse(format!("limits records to {LEAST_RECORD_SIZE} bytes or more")),
        Feature::PskOnly
        | Feature::EncryptThenMac(true)
        | Feature::ExtendedMasterSecret(false)
        | Feature::NoAcceleration => refuse(format!("has no way here to {feature}")),
    }
}

fn builder() -> Option<SslContextBuilder> {
    SslContextBuilder::new(SslMethod::tls()).ok()
}

fn has_proto(proto: Proto) -> bool {
    let Some((mut context, version)) = builder().zip(version_of(proto)) else {
        return false;
    };
    context.set_min_proto_version(Some(version)).is_ok()
        && context.set_max_proto_version(Some(version)).is_ok()
}

fn has_cipher(cipher: &Cipher) -> bool {
    // SSL 2.0's ciphers have numbers of their own, and names that later versions have as well.
    builder().is_some_and(|mut context| {
        cipher.until > Proto::Ssl2 && context::pin_cipher(&mut context, cipher).is_ok()
    })
}

fn has_group(group: Group) -> bool {
    let Some(code) = group.code() else {
        return true; // static RSA is a matter of ciphers
    };
    builder().is_some_and(|mut context| context::set_groups(&mut context, &[code]).is_ok())
}

/// Whether the library knows the scheme in which such a key signs in the newest version.
fn has_cert(cert: Cert) -> bool {
    let Some(code) = cert.scheme_in(Proto::Tls13).code() else {
        return false;
    };
    // SAFETY: answers from static tables.
    unsafe { sys::SSL_get_signature_algorithm_key_type(code) != sys::EVP_PKEY_NONE }
}

/// A call that answers 1 for success.
pub fn succeeded(answer: i32) -> Result<(), ErrorStack> {
    if answer == 1 { Ok(()) } else { Err(ErrorStack::get()) }
}

/// The chosen list of one TLS 1.3 cipher.
pub fn set_tls13_cipher(context: &mut SslContextBuilder, code: u16) -> Result<(), ErrorStack> {
    // SAFETY: the context lives, and the library copies the one number; flags are optional.
    succeeded(unsafe { sys::SSL_CTX_set1_tls13_ciphers(context.as_ptr(), &code, ptr::null(), 1) })
}
