//! What the library can do, asked from the library, and refusals in words.

use std::ffi::{CStr, c_int};

use tlspair::cell::{Auth, Cell, Cert, Cipher, Feature, Group, Proto};
use tlspair::engine::{Side, Unsupported};

use crate::library::{version, was_built_with};
use crate::sys;

/// The limits of a record's data that RFC 6066 knows, by the library's numbers: 1 for the first, 2 for the second, …
const RECORD_SIZES: [u32; 4] = [512, 1024, 2048, 4096];

/// Whether the cell can run; what the library lacks, it lacks on both sides.
pub fn check(cell: &Cell) -> Result<(), Unsupported> {
    let lacks = |what: String| refuse(format!("has no {what}"));
    let Some(number) = version_number(cell.proto) else {
        return lacks(cell.proto.title().to_owned());
    };
    let Some(suite) = suite(cell.cipher) else {
        return lacks(format!("cipher {}", cell.cipher.openssl));
    };
    if !(suite.min_tls_version..=suite.max_tls_version).contains(&number) {
        return lacks(format!("cipher {} in {}", cell.cipher.openssl, cell.proto.title()));
    }
    if cell.group != Group::Rsa && !has_group(cell.group, cell.proto) {
        return lacks(format!("group {}", cell.group));
    }
    if !has_key_kind(cell.cert) {
        return lacks(format!("{} certificates", cell.cert));
    }
    if let Some((wanted, used)) = client_hash_clash(cell, suite) {
        return refuse(format!(
            "signs for a client certificate with {}'s own hash ({used}), not with {wanted}",
            cell.cipher.openssl
        ));
    }
    Ok(())
}

/// Whether the library has what `cell` asks for beyond the ordinary.
pub fn offers(feature: Feature, cell: &Cell, side: Side) -> Result<(), Unsupported> {
    let switch: &CStr = match feature {
        // Other clients offer a key share all the same.
        Feature::PskOnly if side == Side::Server && cell.client != crate::ID => {
            return refuse(format!(
                "prefers a full handshake as a server, unless a client can only {feature}"
            ));
        }
        Feature::PskOnly => c"MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_PSK_ENABLED",
        Feature::EncryptThenMac(_) => c"MBEDTLS_SSL_ENCRYPT_THEN_MAC",
        Feature::ExtendedMasterSecret(_) => c"MBEDTLS_SSL_EXTENDED_MASTER_SECRET",
        Feature::Alpn => c"MBEDTLS_SSL_ALPN",
        Feature::HelloRetry => return Ok(()),
        Feature::RecordSize(_) if record_size_code(cell).is_some() => c"MBEDTLS_SSL_MAX_FRAGMENT_LENGTH",
        Feature::RecordSize(_) => return refuse(record_sizes(cell.proto)),
        Feature::EarlyData => {
            return refuse("has no 0-RTT data in its default configuration".to_owned());
        }
        Feature::NoAcceleration => return refuse(format!("has no way here to {feature}")),
    };
    if was_built_with(switch) { Ok(()) } else { refuse(format!("was built with no way to {feature}")) }
}

fn refuse(why: String) -> Result<(), Unsupported> {
    Err(Unsupported(format!("Mbed TLS {} {why}", version())))
}

/// The library's number for the cell's limit of records. Under TLS 1.3 the limit counts the byte of the type as well.
pub fn record_size_code(cell: &Cell) -> Option<u8> {
    let limit = cell.record_size + type_byte(cell.proto);
    RECORD_SIZES.iter().position(|&size| size == limit).map(|place| place as u8 + 1)
}

fn type_byte(proto: Proto) -> u32 {
    u32::from(proto == Proto::Tls13)
}

fn record_sizes(proto: Proto) -> String {
    let [one, two, three, four] = RECORD_SIZES.map(|size| size - type_byte(proto));
    format!("limits records to {one}, {two}, {three} or {four} bytes in {}", proto.title())
}

/// The library's number for a version, if it was built with it.
pub fn version_number(proto: Proto) -> Option<u16> {
    let switch = match proto {
        Proto::Tls12 => c"MBEDTLS_SSL_PROTO_TLS1_2",
        Proto::Tls13 => c"MBEDTLS_SSL_PROTO_TLS1_3",
        _ => return None,
    };
    was_built_with(switch).then_some(proto.code())
}

/// The library's own description of a cipher.
fn suite(cipher: &Cipher) -> Option<&'static sys::mbedtls_ssl_ciphersuite_t> {
    // SAFETY: the answer is null or points into a constant table of the library.
    unsafe { sys::mbedtls_ssl_ciphersuite_from_id(c_int::from(cipher.code)).as_ref() }
}

/// The groups of finite fields have no table in the library that could be asked; they come with its Diffie-Hellman.
fn has_group(group: Group, proto: Proto) -> bool {
    match group {
        Group::Ffdhe2048 | Group::Ffdhe3072 => proto == Proto::Tls13 && was_built_with(c"MBEDTLS_DHM_C"),
        _ => group.code().is_some_and(has_curve),
    }
}

fn has_curve(code: u16) -> bool {
    // SAFETY: the function maps a number to a number.
    let curve = unsafe { sys::mbedtls_ssl_get_ecp_group_id_from_tls_id(code) };
    curve != sys::MBEDTLS_ECP_DP_NONE
}

fn has_key_kind(cert: Cert) -> bool {
    cert.rsa_bits().is_some() || cert.curve().and_then(Group::code).is_some_and(has_curve)
}

/// A client's CertificateVerify in TLS 1.2 is signed, and checked by the server, over the one hash that runs along with
/// the handshake: the cipher's. Where the cell wants another, its words for both: wanted and used.
fn client_hash_clash(
    cell: &Cell,
    suite: &sys::mbedtls_ssl_ciphersuite_t,
) -> Option<(&'static str, &'static str)> {
    if cell.auth == Auth::Server || cell.proto != Proto::Tls12 {
        return None;
    }
    let scheme = cell.certificate_signature();
    let [wanted, _] = scheme.code()?.to_be_bytes();
    let has_sha384 = u32::from(suite.mac) == sys::MBEDTLS_MD_SHA384;
    let used = if has_sha384 { sys::MBEDTLS_SSL_HASH_SHA384 } else { sys::MBEDTLS_SSL_HASH_SHA256 };
    (u32::from(wanted) != used).then_some((scheme.name(), if has_sha384 { "SHA-384" } else { "SHA-256" }))
}
