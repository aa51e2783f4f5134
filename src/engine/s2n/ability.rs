//! What the library can do, asked from the library, and refusals in words.

use std::sync::OnceLock;

use s2n_tls_sys::s2n_tls_version as version;

use super::internals::{self, KeyShare};
use super::{certificate, library};
use crate::cell::{Alpn, Auth, Cell, Cert, Feature, Group, Proto};
use crate::engine::{Side, Unsupported};
use crate::fixtures::Credentials;

/// Whether the engine can play `side` of the cell, apart from its features.
pub(super) fn check(cell: &Cell, side: Side) -> Result<(), Unsupported> {
    if let Some(words) = obstacle() {
        return Err(Unsupported(words.to_owned()));
    }
    if version_number(cell.proto).is_none() {
        return lacks(cell.proto.title());
    }
    if !internals::suite(cell.cipher).is_some_and(|suite| suite.is_available()) {
        return lacks(&format!("cipher {}", cell.cipher.openssl));
    }
    if cell.group != Group::Rsa && internals::key_share(cell.group).is_none() {
        return lacks(&format!("group {}", cell.group));
    }
    if internals::signature(cell.certificate_signature()).is_none() || !loads(cell) {
        return lacks(&format!("{} certificates", cell.cert));
    }
    // Other libraries' servers do not take that signature, whose input SSL 3.0 makes with the master secret.
    if side == Side::Client && cell.auth == Auth::Mutual && cell.proto == Proto::Ssl3 {
        return Err(Unsupported(format!(
            "s2n-tls {} signs for a client certificate in SSL 3.0 as in no other library",
            library::VERSION
        )));
    }
    if side == Side::Server && cell.auth == Auth::Mutual {
        return Err(Unsupported(format!(
            "s2n-tls {} resumes no session with a client certificate as a server",
            library::VERSION
        )));
    }
    Ok(())
}

/// Whether the engine has `feature` on `side` of the cell.
pub(super) fn offers(feature: Feature, cell: &Cell, side: Side) -> Result<(), Unsupported> {
    match feature {
        Feature::HelloRetry if side == Side::Client && is_hybrid(cell.group) => Err(Unsupported(format!(
            "s2n-tls {} as a client sends a share of {} at once where it offers the group",
            library::VERSION,
            cell.group
        ))),
        // Its comparison of the session's protocol with the connection's counts a final zero on one side only.
        Feature::EarlyData if cell.alpn != Alpn::None => Err(Unsupported(format!(
            "s2n-tls {} turns 0-RTT data down where an application protocol was agreed on",
            library::VERSION
        ))),
        Feature::RecordSize(_)
        | Feature::EarlyData
        | Feature::HelloRetry
        | Feature::Alpn
        // Encrypt-then-MAC is unknown to the library; the extended master secret it always offers, and takes if offered.
        | Feature::EncryptThenMac(false)
        | Feature::ExtendedMasterSecret(true) => Ok(()),
        Feature::PskOnly
        | Feature::EncryptThenMac(true)
        | Feature::ExtendedMasterSecret(false)
        | Feature::NoAcceleration => Err(Unsupported(format!(
            "s2n-tls {} has no way to {feature}",
            library::VERSION
        ))),
    }
}

fn is_hybrid(group: Group) -> bool {
    matches!(internals::key_share(group), Some(KeyShare::Kem(_)))
}

fn lacks(what: &str) -> Result<(), Unsupported> {
    Err(Unsupported(format!("s2n-tls {} has no {what}", library::VERSION)))
}

fn obstacle() -> Option<&'static str> {
    static OBSTACLE: OnceLock<Option<String>> = OnceLock::new();
    let ask = || {
        library::start();
        internals::obstacle()
    };
    OBSTACLE.get_or_init(ask).as_deref()
}

/// The library's number for a version.
pub(super) fn version_number(proto: Proto) -> Option<u8> {
    let number = match proto {
        Proto::Ssl2 => return None,
        Proto::Ssl3 => version::SSLV3,
        Proto::Tls10 => version::TLS10,
        Proto::Tls11 => version::TLS11,
        Proto::Tls12 => version::TLS12,
        Proto::Tls13 => version::TLS13,
    };
    u8::try_from(number).ok()
}

/// The library's name for a version, in descriptions of policies.
pub(super) fn version_name(proto: Proto) -> Option<&'static str> {
    match proto {
        Proto::Ssl2 => None,
        Proto::Ssl3 => Some("SSLv3"),
        Proto::Tls10 => Some("TLS1.0"),
        Proto::Tls11 => Some("TLS1.1"),
        Proto::Tls12 => Some("TLS1.2"),
        Proto::Tls13 => Some("TLS1.3"),
    }
}

/// Whether the library takes certificates and keys of the cell's kind: tried once a kind, with the ones that cells use.
fn loads(cell: &Cell) -> bool {
    static ANSWERS: [OnceLock<bool>; Cert::ALL.len()] = [const { OnceLock::new() }; Cert::ALL.len()];
    let answer = &ANSWERS[cell.cert as usize];
    *answer.get_or_init(|| certificate::Chain::load(&Credentials::of(cell).server).is_ok())
}
