//! Parts of a connection at somebody's prices: a library's on this machine, or a device's.

use super::Part;
use crate::cell::{Cert, Group};
use crate::primitive::{Hash, PRF_LENGTH, PrfHash, Primitive};

/// What primitives cost somewhere.
pub trait Prices {
    /// Nanoseconds of an operation, over so many bytes if it takes any; none if nobody measured it.
    fn ns(&self, primitive: Primitive, bytes: Option<u64>) -> Option<f64>;
}

/// What stands for a price that nobody measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Substitute {
    /// What was to be priced.
    pub missing: Primitive,
    /// By which rule.
    pub rule: &'static str,
}

/// A part with its price.
#[derive(Clone, Debug, PartialEq)]
pub struct Priced {
    /// The part.
    pub part: Part,
    /// All of it together, in nanoseconds; none without a price.
    pub ns: Option<f64>,
    /// What the price stands on, if not on a measurement of the same.
    pub substitute: Option<Substitute>,
}

/// Prices parts.
pub fn price(parts: Vec<Part>, prices: &dyn Prices) -> Vec<Priced> {
    let priced = |part: Part| {
        let times = part.count as f64 * part.share;
        if let Some(each) = prices.ns(part.primitive, part.bytes) {
            return Priced { ns: Some(each * times), substitute: None, part };
        }
        let found = substitute(part.primitive, part.bytes, prices);
        let ns = found.map(|(each, _)| each * times);
        let substitute = found.map(|(_, rule)| Substitute { missing: part.primitive, rule });
        Priced { ns, substitute, part }
    };
    parts.into_iter().map(priced).collect()
}

/// Bytes that HKDF-Expand hashes behind its key: the info of a TLS 1.3 label and a counter.
const LABEL: u64 = 54;

/// The price by a rule of thumb, and the rule. Rules may build on each other.
fn substitute(primitive: Primitive, bytes: Option<u64>, prices: &dyn Prices) -> Option<(f64, &'static str)> {
    let ns = |primitive, bytes| any_ns(primitive, bytes, prices);
    let hash_length = |hash: Hash| Some(hash.length() as u64);
    match primitive {
        Primitive::RsaDecrypt(cert) => Some((
            ns(Primitive::Sign(cert), None)?,
            "RSA decryption as a signature: both are the private operation",
        )),
        Primitive::RsaEncrypt(cert) => Some((
            ns(Primitive::Verify(cert), None)?,
            "RSA encryption as a verification: both are the public operation",
        )),
        Primitive::Sign(Cert::RsaPss) => {
            Some((ns(Primitive::Sign(Cert::Rsa2048), None)?, "RSA-PSS as PKCS #1 with a key as long"))
        }
        Primitive::Verify(Cert::RsaPss) => {
            Some((ns(Primitive::Verify(Cert::Rsa2048), None)?, "RSA-PSS as PKCS #1 with a key as long"))
        }
        Primitive::KeyGen(group) if group != Group::MlKem768 => {
            Some((ns(Primitive::Agree(group), None)?, "a key pair as an agreement: a multiplication each"))
        }
        Primitive::Decrypt(cipher) => {
            Some((ns(Primitive::Encrypt(cipher), bytes)?, "decryption as encryption"))
        }
        Primitive::Hmac(hash) => {
            let block = hash.block() as u64;
            let inner = ns(Primitive::Hash(hash), bytes.map(|bytes| bytes + block))?;
            let outer = ns(Primitive::Hash(hash), hash_length(hash).map(|bytes| bytes + block))?;
            Some((inner + outer, "a MAC as two hashes, of key and data and of key and hash"))
        }
        Primitive::HkdfExtract(hash) => {
            Some((ns(Primitive::Hmac(hash), hash_length(hash))?, "HKDF-Extract as one HMAC"))
        }
        Primitive::HkdfExpand(hash) => {
            Some((ns(Primitive::Hmac(hash), Some(LABEL))?, "HKDF-Expand as one HMAC"))
        }
        Primitive::Prf(prf) => Some((prf_ns(prf, &ns)?, "the pseudo-random function as two HMACs a block")),
        _ => None,
    }
}

fn any_ns(primitive: Primitive, bytes: Option<u64>, prices: &dyn Prices) -> Option<f64> {
    prices.ns(primitive, bytes).or_else(|| substitute(primitive, bytes, prices).map(|(ns, _)| ns))
}

/// 48 bytes: two HMACs a block (RFC 5246, section 5).
fn prf_ns(prf: PrfHash, ns: &dyn Fn(Primitive, Option<u64>) -> Option<f64>) -> Option<f64> {
    /// The hash of the step before, a label and two random numbers.
    const INPUT: u64 = 32 + 13 + 64;
    let of = |hash: Hash| {
        let blocks = PRF_LENGTH.div_ceil(hash.length()) as f64;
        Some(2.0 * blocks * ns(Primitive::Hmac(hash), Some(INPUT))?)
    };
    match prf {
        PrfHash::Md5Sha1 => Some(of(Hash::Md5)? + of(Hash::Sha1)?),
        PrfHash::Sha256 => of(Hash::Sha256),
        PrfHash::Sha384 => of(Hash::Sha384),
    }
}
