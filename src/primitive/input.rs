//! What primitives are given: the same in every library and every run. Keys and signatures that must fit each other were
//! made once with OpenSSL (`examples/make-fixtures.rs`), so that every library's answer is checked against another's.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::{Primitive, SymmetricCipher};
use crate::cell::{Cert, Group};
use crate::fixtures::{Identity, server_identity};

/// As long as what a record of TLS 1.2 authenticates beside its data.
pub const ADDITIONAL_DATA: [u8; 13] = [0, 0, 0, 0, 0, 0, 0, 1, 23, 3, 3, 0, 64];

/// What a client of static RSA encrypts (RFC 5246, section 7.4.7.1).
pub const PREMASTER_SECRET: [u8; 48] = {
    let mut secret = [0x5a; 48];
    secret[0] = 3;
    secret[1] = 3;
    secret
};

/// The label of a master secret (RFC 5246, section 8.1), with which [`Primitive::Prf`] is measured.
pub const PRF_LABEL: &str = "master secret";
/// Bytes of a master secret: what [`Primitive::Prf`] makes.
pub const PRF_LENGTH: usize = 48;
/// Rounds of [`Primitive::Pbkdf2`].
pub const PBKDF2_ROUNDS: u32 = 1000;
/// Bytes that [`Primitive::Pbkdf2`] makes.
pub const PBKDF2_LENGTH: usize = 32;

/// What is signed: as long as the hash of a transcript.
const SIGNED: usize = 32;

/// The input of one primitive.
#[derive(Clone, Debug)]
pub struct Input {
    /// What is hashed, encrypted or signed; of key derivations the input key material (extract), info (expand), seed (PRF) or
    /// salt (PBKDF2).
    pub data: Vec<u8>,
    /// A cipher's or MAC's key; of key derivations the salt (extract), secret (expand, PRF) or password (PBKDF2).
    pub key: Vec<u8>,
    /// A cipher's initial vector or nonce.
    pub nonce: Vec<u8>,
    /// The key and certificate that sign, verify, and en- or decrypt with RSA.
    pub identity: Option<Identity>,
    /// A signature of `data`, or an encrypted or encapsulated secret.
    pub given: Vec<u8>,
    /// The peer's public key of an exchange.
    pub public: Vec<u8>,
    /// The private key of `public`: that of the holder who decapsulates, and what others check agreements with.
    pub private: Vec<u8>,
}

/// `fixtures/primitives.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixtures {
    /// By kind of key.
    signature: BTreeMap<String, String>,
    /// By kind of RSA key, and of ML-KEM.
    ciphertext: BTreeMap<String, String>,
    /// By group.
    private: BTreeMap<String, String>,
    /// By group.
    public: BTreeMap<String, String>,
}

static FIXTURES: LazyLock<Fixtures> = LazyLock::new(|| {
    let text = include_str!("../../fixtures/primitives.toml");
    toml::from_str(text).expect("fixtures/primitives.toml is well-formed")
});

fn bytes_of(table: &BTreeMap<String, String>, name: &str) -> Vec<u8> {
    let text = table.get(name).unwrap_or_else(|| panic!("fixtures/primitives.toml has {name}"));
    hex::decode(text).expect("fixtures/primitives.toml holds hexadecimal digits")
}

/// Bytes that count up from `start`.
fn counting(start: u8, length: usize) -> Vec<u8> {
    (0..length).map(|at| start.wrapping_add(at as u8)).collect()
}

impl Input {
    /// The input of `primitive` over so many bytes, which only some take (see [`Primitive::takes_bytes`]).
    pub fn of(primitive: Primitive, bytes: usize) -> Self {
        let (length, key, nonce) = match primitive {
            Primitive::Encrypt(cipher) | Primitive::Decrypt(cipher) => {
                (filled_up(cipher, bytes), cipher.key_length(), cipher.nonce_length())
            }
            Primitive::Hash(_) => (bytes, 0, 0),
            Primitive::Hmac(hash) => (bytes, hash.length(), 0),
            Primitive::Cmac(cmac) => (bytes, cmac.key_length(), 0),
            // A salt as key.
            Primitive::HkdfExtract(hash) => (hash.length(), hash.length(), 0),
            // A secret as key; as info the length, the label "tls13 s hs traffic", and the hash of a transcript.
            Primitive::HkdfExpand(hash) => (2 + 1 + 18 + 1 + hash.length(), hash.length(), 0),
            // The premaster secret of an exchange on a curve of 256 bits as key; two random numbers.
            Primitive::Prf(_) => (64, 32, 0),
            // A password as key, and a salt.
            Primitive::Pbkdf2(_) => (16, 32, 0),
            _ => (SIGNED, 0, 0),
        };
        let plain = Self {
            data: counting(7, length),
            key: counting(1, key),
            nonce: counting(0xa0, nonce),
            identity: None,
            given: Vec::new(),
            public: Vec::new(),
            private: Vec::new(),
        };
        match primitive {
            Primitive::Sign(cert) | Primitive::ReadCertificate(cert) => plain.with_key(cert),
            Primitive::Verify(cert) => plain.with_key(cert).given(&FIXTURES.signature, cert.name()),
            Primitive::RsaEncrypt(cert) => Self { data: PREMASTER_SECRET.to_vec(), ..plain }.with_key(cert),
            Primitive::RsaDecrypt(cert) => plain.with_key(cert).given(&FIXTURES.ciphertext, cert.name()),
            Primitive::KeyGen(_) => plain,
            Primitive::Agree(group) | Primitive::Encapsulate(group) => plain.with_peer(group),
            Primitive::Decapsulate(group) => plain.with_peer(group).given(&FIXTURES.ciphertext, group.name()),
            _ => plain,
        }
    }

    fn with_key(self, cert: Cert) -> Self {
        Self { identity: Some(server_identity(cert)), ..self }
    }

    fn given(self, table: &BTreeMap<String, String>, name: &str) -> Self {
        Self { given: bytes_of(table, name), ..self }
    }

    fn with_peer(self, group: Group) -> Self {
        let public = bytes_of(&FIXTURES.public, group.name());
        Self { public, private: bytes_of(&FIXTURES.private, group.name()), ..self }
    }
}

/// What a cipher in CBC mode is given instead of `bytes`.
fn filled_up(cipher: SymmetricCipher, bytes: usize) -> usize {
    match cipher.mode() {
        super::Mode::Cbc => bytes.next_multiple_of(cipher.block()),
        _ => bytes,
    }
}
