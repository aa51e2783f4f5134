//! Makes `fixtures/primitives.toml`: keys, signatures and ciphertexts that primitives are measured with and checked
//! against. `cargo run --release --example make-primitives`
//!
//! OpenSSL makes them from the keys below `fixtures/certs`, AWS-LC what is encapsulated. The private keys are public.

#![allow(clippy::print_stdout)] // a tool that talks to whoever runs it

#[path = "../tests/it/finite_field.rs"]
mod finite_field;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use aws_lc_rs::kem::{EncapsulationKey, ML_KEM_768};
use openssl::bn::{BigNum, BigNumContext};
use openssl::ec::{EcGroup, EcKey, PointConversionForm};
use openssl::encrypt::Encrypter;
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::pkey::{KeyType, PKey, Private};
use openssl::rand::rand_bytes;
use openssl::rsa::Padding;
use openssl::sign::{RsaPssSaltlen, Signer};
use serde::Serialize;
use tlspair::cell::{Cert, Group};
use tlspair::fixtures::server_identity;
use tlspair::primitive::{Input, PREMASTER_SECRET, Primitive};

type Result<T> = std::result::Result<T, Box<dyn Error>>;
type Table = BTreeMap<String, String>;

const NOTICE: &str = "\
# tlspair TEST material, in hexadecimal: never trust or deploy any of it.
# Made by examples/make-primitives.rs with OpenSSL (and AWS-LC for what is encapsulated).
";

#[derive(Default, Serialize)]
struct Fixtures {
    /// Of the 32 bytes that primitives sign, by the server keys in fixtures/certs: ECDSA as DER, RSA by PKCS #1 v1.5 with
    /// SHA-256 or, where the key is bound to it, by PSS with SHA-256 and a salt of 32 bytes.
    signature: Table,
    ciphertext: Table,
    private: Table,
    public: Table,
}

/// A key pair as exchanges write it: numbers and points in full length, big-endian.
struct Pair {
    private: Vec<u8>,
    public: Vec<u8>,
}

fn main() -> Result<()> {
    let mut made = Fixtures::default();
    for &cert in Cert::ALL {
        let key = PKey::private_key_from_pkcs8(&server_identity(cert).key)?;
        note(&mut made.signature, cert, &sign(cert, &key)?);
        if cert.rsa_bits().is_some() {
            note(&mut made.ciphertext, cert, &encrypt(&key)?);
        }
    }
    for (group, pair) in exchanges()? {
        note(&mut made.private, group, &pair.private);
        note(&mut made.public, group, &pair.public);
    }
    let public = hex::decode(&made.public[Group::MlKem768.name()])?;
    let key = EncapsulationKey::new(&ML_KEM_768, &public).map_err(|_| "no ML-KEM key")?;
    let (ciphertext, _secret) = key.encapsulate().map_err(|_| "ML-KEM does not encapsulate")?;
    note(&mut made.ciphertext, Group::MlKem768, ciphertext.as_ref());

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/primitives.toml");
    fs::write(&path, format!("{NOTICE}\n{}", toml::to_string(&made)?))?;
    println!("made {}", path.display());
    Ok(())
}

fn note(table: &mut Table, name: impl ToString, bytes: &[u8]) {
    table.insert(name.to_string(), hex::encode(bytes));
}

fn sign(cert: Cert, key: &PKey<Private>) -> Result<Vec<u8>> {
    let mut signer = match cert {
        Cert::Ed25519 | Cert::Ed448 | Cert::MlDsa44 | Cert::MlDsa65 | Cert::MlDsa87 => {
            Signer::new_without_digest(key)?
        }
        Cert::P384 => Signer::new(MessageDigest::sha384(), key)?,
        Cert::P521 => Signer::new(MessageDigest::sha512(), key)?,
        _ => Signer::new(MessageDigest::sha256(), key)?,
    };
    if cert == Cert::RsaPss {
        signer.set_rsa_padding(Padding::PKCS1_PSS)?;
        signer.set_rsa_pss_saltlen(RsaPssSaltlen::DIGEST_LENGTH)?;
        signer.set_rsa_mgf1_md(MessageDigest::sha256())?;
    }
    Ok(signer.sign_oneshot_to_vec(&Input::of(Primitive::Sign(cert), 0).data)?)
}

fn encrypt(key: &PKey<Private>) -> Result<Vec<u8>> {
    let mut encrypter = Encrypter::new(key)?;
    encrypter.set_rsa_padding(Padding::PKCS1)?;
    let mut ciphertext = vec![0; encrypter.encrypt_len(&PREMASTER_SECRET)?];
    let length = encrypter.encrypt(&PREMASTER_SECRET, &mut ciphertext)?;
    ciphertext.truncate(length);
    Ok(ciphertext)
}

fn exchanges() -> Result<Vec<(Group, Pair)>> {
    let raw = |key: PKey<Private>| -> Result<Pair> {
        Ok(Pair { private: key.raw_private_key()?, public: key.raw_public_key()? })
    };
    let mut seed = [0; 64];
    rand_bytes(&mut seed)?;
    let kem = PKey::private_key_from_seed(None, KeyType::ML_KEM_768, None, &seed)?;
    Ok(vec![
        (Group::X25519, raw(PKey::generate_x25519()?)?),
        (Group::X448, raw(PKey::generate_x448()?)?),
        (Group::P256, on_curve(Nid::X9_62_PRIME256V1)?),
        (Group::P384, on_curve(Nid::SECP384R1)?),
        (Group::P521, on_curve(Nid::SECP521R1)?),
        (Group::Ffdhe2048, in_field(Group::Ffdhe2048)?),
        (Group::Ffdhe3072, in_field(Group::Ffdhe3072)?),
        (Group::MlKem768, raw(kem)?),
    ])
}

fn on_curve(nid: Nid) -> Result<Pair> {
    let group = EcGroup::from_curve_name(nid)?;
    let key = EcKey::generate(&group)?;
    let length = i32::try_from(group.degree().div_ceil(8))?;
    let mut context = BigNumContext::new()?;
    let form = PointConversionForm::UNCOMPRESSED;
    Ok(Pair {
        private: key.private_key().to_vec_padded(length)?,
        public: key.public_key().to_bytes(&group, form, &mut context)?,
    })
}

/// In a field of RFC 7919, whose generator is 2.
fn in_field(group: Group) -> Result<Pair> {
    let mut context = BigNumContext::new()?;
    let prime = finite_field::prime(group)?;
    // As long as the RFC's table asks for, and more.
    let mut exponent = [0; 40];
    rand_bytes(&mut exponent)?;
    let private = BigNum::from_slice(&exponent)?;
    let mut public = BigNum::new()?;
    public.mod_exp(&*BigNum::from_u32(2)?, &private, &prime, &mut context)?;
    Ok(Pair { private: exponent.to_vec(), public: public.to_vec_padded(prime.num_bytes())? })
}
