//! Cryptographic primitives: what a TLS library is made of, each measured through the library's own interface, and the
//! words for what a connection does.

mod act;
mod algorithm;
mod input;

use std::fmt;
use std::str::FromStr;

pub use act::{Act, Check, reading};
pub use algorithm::{Cmac, Hash, Mode, PrfHash, SymmetricCipher};
pub use input::{
    ADDITIONAL_DATA, Input, PBKDF2_LENGTH, PBKDF2_ROUNDS, PREMASTER_SECRET, PRF_LABEL, PRF_LENGTH,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::cell::{Cert, Group, UnknownName};
use crate::engine::{EngineError, Unsupported};

/// One operation of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// A digest of all bytes, from the beginning.
    Hash(Hash),
    /// A MAC of all bytes, over a key that was set before.
    Hmac(Hash),
    /// The same, of AES.
    Cmac(Cmac),
    /// Encryption of all bytes, over a key that was set before: nonce, additional data and tag included.
    Encrypt(SymmetricCipher),
    /// Its reverse, with the tag checked.
    Decrypt(SymmetricCipher),
    /// A signature of 32 bytes, their hash included where the scheme has one.
    Sign(Cert),
    /// The check of one.
    Verify(Cert),
    /// A certificate of such a key read, up to a key that verifies.
    ReadCertificate(Cert),
    /// RSA encryption of a premaster secret (PKCS #1 v1.5).
    RsaEncrypt(Cert),
    /// Its reverse, with the private key.
    RsaDecrypt(Cert),
    /// A new key pair for an exchange.
    KeyGen(Group),
    /// The common secret from one's own and the peer's key.
    Agree(Group),
    /// A secret wrapped for the holder of a key (ML-KEM).
    Encapsulate(Group),
    /// Its reverse.
    Decapsulate(Group),
    /// HKDF-Extract of a secret as long as the hash (RFC 5869).
    HkdfExtract(Hash),
    /// HKDF-Expand to the hash's length, with the info of a TLS 1.3 label (RFC 8446, section 7.1).
    HkdfExpand(Hash),
    /// The pseudo-random function of TLS 1.0 to 1.2: a master secret of 48 bytes.
    Prf(PrfHash),
    /// PBKDF2 with 1000 rounds, to 32 bytes (RFC 8018).
    Pbkdf2(Hash),
}

/// Why a library does not do a primitive here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoOperation {
    /// It has none.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// It has, and failed.
    #[error(transparent)]
    Failed(#[from] EngineError),
}

/// A primitive of a library over one input, made ready: keys set, buffers there.
pub trait Operation {
    /// Does it once: the same each time, from nonce to tag.
    fn once(&mut self) -> Result<(), EngineError>;

    /// How often it can be done until [`Operation::renew`]. Some interfaces use up what they are given: a key of an
    /// exchange, or a ciphertext that is decrypted in its place.
    fn supply(&self) -> usize {
        usize::MAX
    }

    /// Makes what was used up anew; never timed.
    fn renew(&mut self) -> Result<(), EngineError> {
        Ok(())
    }

    /// What the last time came to, for others to check: the digest, MAC, ciphertext with its tag, plaintext, signature, secret
    /// or derived key; of a key pair the public key; of an agreement the secret and then one's own public key; of an
    /// encapsulation the secret and then the ciphertext; of a decapsulation the secret, and then, where the interface takes no
    /// key, what was encapsulated to one's own; nothing of a verification, which has said all by not failing.
    fn output(&self) -> Vec<Vec<u8>>;
}

/// The sizes at which a primitive over bytes is measured, unless told otherwise.
pub const SIZES: [usize; 7] = [1, 8, 64, 256, 1024, 8192, 16384];

/// Every key that signs.
const RSA: [Cert; 5] = [Cert::Rsa512, Cert::Rsa1024, Cert::Rsa2048, Cert::Rsa3072, Cert::Rsa4096];
/// Groups in which both sides have a key pair.
const EXCHANGES: [Group; 7] =
    [Group::X25519, Group::X448, Group::P256, Group::P384, Group::P521, Group::Ffdhe2048, Group::Ffdhe3072];

impl Primitive {
    /// Every primitive, by kind.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        all.extend(Hash::ALL.iter().map(|&hash| Self::Hash(hash)));
        all.extend(Hash::ALL.iter().map(|&hash| Self::Hmac(hash)));
        all.extend(Cmac::ALL.iter().map(|&cmac| Self::Cmac(cmac)));
        all.extend(
            SymmetricCipher::ALL.iter().flat_map(|&cipher| [Self::Encrypt(cipher), Self::Decrypt(cipher)]),
        );
        all.extend(Cert::ALL.iter().flat_map(|&cert| [Self::Sign(cert), Self::Verify(cert)]));
        all.extend(Cert::ALL.iter().map(|&cert| Self::ReadCertificate(cert)));
        all.extend(RSA.into_iter().flat_map(|cert| [Self::RsaEncrypt(cert), Self::RsaDecrypt(cert)]));
        all.extend(EXCHANGES.into_iter().flat_map(|group| [Self::KeyGen(group), Self::Agree(group)]));
        let kem = Group::MlKem768;
        all.extend([Self::KeyGen(kem), Self::Encapsulate(kem), Self::Decapsulate(kem)]);
        for hash in [Hash::Sha256, Hash::Sha384] {
            all.extend([Self::HkdfExtract(hash), Self::HkdfExpand(hash)]);
        }
        all.extend(PrfHash::ALL.iter().map(|&hash| Self::Prf(hash)));
        all.extend([Hash::Sha1, Hash::Sha256, Hash::Sha512].map(Self::Pbkdf2));
        all
    }

    /// Whether its cost depends on how many bytes it is given.
    pub const fn takes_bytes(self) -> bool {
        matches!(self, Self::Hash(_) | Self::Hmac(_) | Self::Cmac(_) | Self::Encrypt(_) | Self::Decrypt(_))
    }

    /// Why it is not done over so many bytes, if it is not.
    pub fn refuses(self, bytes: usize) -> Option<&'static str> {
        let (Self::Encrypt(cipher) | Self::Decrypt(cipher)) = self else { return None };
        (cipher.mode() == Mode::Xts && bytes < cipher.block())
            .then_some("XTS takes a block of 16 bytes at least")
    }

    /// What it is, in a word for tables' headings.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Hash(_) => "hash",
            Self::Hmac(_) | Self::Cmac(_) => "MAC",
            Self::Encrypt(_) => "encryption",
            Self::Decrypt(_) => "decryption",
            Self::Sign(_) | Self::Verify(_) => "signature",
            Self::ReadCertificate(_) => "certificate",
            Self::RsaEncrypt(_) | Self::RsaDecrypt(_) => "RSA encryption",
            Self::KeyGen(_) | Self::Agree(_) | Self::Encapsulate(_) | Self::Decapsulate(_) => "key exchange",
            Self::HkdfExtract(_) | Self::HkdfExpand(_) | Self::Prf(_) | Self::Pbkdf2(_) => "key derivation",
        }
    }
}

impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Hash(hash) => hash.to_string(),
            Self::Hmac(hash) => format!("hmac-{hash}"),
            Self::Cmac(cmac) => cmac.to_string(),
            Self::Encrypt(cipher) => cipher.to_string(),
            Self::Decrypt(cipher) => format!("{cipher}-decrypt"),
            Self::Sign(cert) => format!("{cert}-sign"),
            Self::Verify(cert) => format!("{cert}-verify"),
            Self::ReadCertificate(cert) => format!("{cert}-certificate"),
            Self::RsaEncrypt(cert) => format!("{cert}-encrypt"),
            Self::RsaDecrypt(cert) => format!("{cert}-decrypt"),
            Self::KeyGen(group) => format!("{group}-keygen"),
            Self::Agree(group) => format!("{group}-agree"),
            Self::Encapsulate(group) => format!("{group}-encapsulate"),
            Self::Decapsulate(group) => format!("{group}-decapsulate"),
            Self::HkdfExtract(hash) => format!("hkdf-extract-{hash}"),
            Self::HkdfExpand(hash) => format!("hkdf-expand-{hash}"),
            Self::Prf(hash) => format!("prf-{hash}"),
            Self::Pbkdf2(hash) => format!("pbkdf2-{hash}"),
        };
        f.pad(&name)
    }
}

impl Serialize for Primitive {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Primitive {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl FromStr for Primitive {
    type Err = UnknownName;

    fn from_str(given: &str) -> Result<Self, UnknownName> {
        let all = Self::all();
        let found = all.iter().copied().find(|primitive| primitive.to_string().eq_ignore_ascii_case(given));
        found.ok_or_else(|| {
            let names: Vec<String> = all.iter().map(Self::to_string).collect();
            UnknownName::new("primitive", given, names.iter().map(String::as_str))
        })
    }
}
