//! What the library can do, asked from the library, and refusals in words.

use std::ffi::{CStr, c_int, c_uchar};

use mbedtls_sys as sys;

use super::{version, was_built_with};
use crate::cell::{Auth, Cell, Cert, Cipher, Feature, Group, MAX_RECORD_SIZE, Proto};
use crate::engine::Unsupported;

/// Whether the cell can run; what the library lacks, it lacks on both sides.
pub(super) fn check(cell: &Cell) -> Result<(), Unsupported> {
    let lacks = |what: String| Err(Unsupported(format!("Mbed TLS {} has no {what}", version())));
    let Some(minor) = minor_version(cell.proto) else {
        return lacks(cell.proto.title().to_owned());
    };
    let Some(suite) = suite(cell.cipher) else {
        return lacks(format!("cipher {}", cell.cipher.openssl));
    };
    if !(suite.min_minor_ver..=suite.max_minor_ver).contains(&minor) {
        return lacks(format!("cipher {} in {}", cell.cipher.openssl, cell.proto.title()));
    }
    if cell.group != Group::Rsa && curve(cell.group).is_none() {
        return lacks(format!("group {}", cell.group));
    }
    if !has_key_kind(cell.cert) {
        return lacks(format!("{} certificates", cell.cert));
    }
    if let Some((wanted, used)) = client_hash_clash(cell, suite) {
        return Err(Unsupported(format!(
            "Mbed TLS {} signs for a client certificate with {}'s own hash ({used}), not with {wanted}",
            version(),
            cell.cipher.openssl
        )));
    }
    Ok(())
}

/// Whether the library has a switch for `feature`.
pub(super) fn offers(feature: Feature, cell: &Cell) -> Result<(), Unsupported> {
    let needs = |switch: &CStr| {
        if was_built_with(switch) {
            return Ok(());
        }
        let switch = switch.to_string_lossy();
        Err(Unsupported(format!("Mbed TLS {} was built without {switch}", version())))
    };
    match feature {
        Feature::RecordSize(bytes) => {
            needs(c"MBEDTLS_SSL_MAX_FRAGMENT_LENGTH")?;
            limits_records(bytes, cell)
        }
        Feature::EncryptThenMac(_) => needs(c"MBEDTLS_SSL_ENCRYPT_THEN_MAC"),
        Feature::ExtendedMasterSecret(_) => needs(c"MBEDTLS_SSL_EXTENDED_MASTER_SECRET"),
        Feature::Alpn => needs(c"MBEDTLS_SSL_ALPN"),
        Feature::PskOnly | Feature::EarlyData | Feature::HelloRetry | Feature::NoAcceleration => {
            Err(Unsupported(format!("Mbed TLS {} has no way to {feature}", version())))
        }
    }
}

fn limits_records(bytes: u32, cell: &Cell) -> Result<(), Unsupported> {
    if fragment_code(bytes).is_none() {
        return Err(Unsupported(format!(
            "Mbed TLS {} limits records to 512, 1024, 2048 or 4096 bytes of data, not to {bytes}",
            version()
        )));
    }
    if !cell.is_pure() {
        return Err(Unsupported(format!(
            "Mbed TLS {} takes no handshake message in several records, as other libraries send them under a limit",
            version()
        )));
    }
    Ok(())
}

/// The library's number for a limit of a record's data.
pub(super) fn fragment_code(bytes: u32) -> Option<c_uchar> {
    let code = match bytes {
        512 => sys::SSL_MAX_FRAG_LEN_512,
        1024 => sys::SSL_MAX_FRAG_LEN_1024,
        2048 => sys::SSL_MAX_FRAG_LEN_2048,
        4096 => sys::SSL_MAX_FRAG_LEN_4096,
        MAX_RECORD_SIZE => sys::SSL_MAX_FRAG_LEN_NONE,
        _ => return None,
    };
    c_uchar::try_from(code).ok()
}

/// The library's number for a version, if it was built with it.
pub(super) fn minor_version(proto: Proto) -> Option<c_int> {
    let (switch, minor): (&CStr, c_int) = match proto {
        Proto::Ssl2 | Proto::Tls13 => return None,
        Proto::Ssl3 => (c"MBEDTLS_SSL_PROTO_SSL3", sys::SSL_MINOR_VERSION_0),
        Proto::Tls10 => (c"MBEDTLS_SSL_PROTO_TLS1", sys::SSL_MINOR_VERSION_1),
        Proto::Tls11 => (c"MBEDTLS_SSL_PROTO_TLS1_1", sys::SSL_MINOR_VERSION_2),
        Proto::Tls12 => (c"MBEDTLS_SSL_PROTO_TLS1_2", sys::SSL_MINOR_VERSION_3),
    };
    was_built_with(switch).then_some(minor)
}

/// The library's own description of a cipher. The list that it offers by default is shorter: it leaves out RC4
/// and 3DES, which run all the same when they are configured.
fn suite(cipher: &Cipher) -> Option<&'static sys::ssl_ciphersuite_t> {
    // SAFETY: the answer is null or points into a constant table of the library.
    unsafe { sys::ssl_ciphersuite_from_id(c_int::from(cipher.code)).as_ref() }
}

/// The library's number for a group's curve.
pub(super) fn curve(group: Group) -> Option<sys::ecp_group_id> {
    // SAFETY: the answer is null or points into a constant table of the library.
    let info = unsafe { sys::ecp_curve_info_from_tls_id(group.code()?).as_ref() };
    info.map(|info| info.grp_id)
}

fn has_key_kind(cert: Cert) -> bool {
    cert.rsa_bits().is_some() || cert.curve().and_then(curve).is_some()
}

/// A client's CertificateVerify in TLS 1.2 is signed, and checked by the server, over the one hash that runs
/// along with the handshake: the cipher's. Where the cell wants another, its words for both: wanted and used.
fn client_hash_clash(cell: &Cell, suite: &sys::ssl_ciphersuite_t) -> Option<(&'static str, &'static str)> {
    if cell.auth == Auth::Server || cell.proto != Proto::Tls12 {
        return None;
    }
    let scheme = cell.certificate_signature();
    let used = if suite.mac == sys::MD_SHA384 { sys::MD_SHA384 } else { sys::MD_SHA256 };
    (hash_of(scheme.code()?) != used)
        .then(|| (scheme.name(), if used == sys::MD_SHA384 { "SHA-384" } else { "SHA-256" }))
}

/// The hash of a TLS 1.2 signature scheme, which stands in the upper byte of its number.
pub(super) fn hash_of(scheme: u16) -> sys::md_type_t {
    let [hash, _] = scheme.to_be_bytes();
    // SAFETY: the function maps a number to a number.
    unsafe { sys::ssl_md_alg_from_hash(hash) }
}
