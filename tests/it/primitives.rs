//! Primitives, each library's against the others': what one hashes, encrypts and derives all do alike, what one signs,
//! wraps or agrees on another must be able to verify, unwrap or arrive at.

use std::collections::BTreeMap;

use tlspair::cell::{Cert, Group};
use tlspair::engine::Engine;
use tlspair::primitive::{Input, NoOperation, PREMASTER_SECRET, Primitive};

use crate::engines;
use crate::support::engines_under_test;

/// Bytes for those that take any: none of a block, one block, some and a rest, many.
const SIZES: [usize; 4] = [1, 16, 77, 1000];

/// What one operation came to; none if the engine has no such primitive.
fn output(engine: &dyn Engine, primitive: Primitive, input: &Input) -> Option<Result<Vec<Vec<u8>>, String>> {
    let mut operation = match engine.operation(primitive, input) {
        Ok(operation) => operation,
        Err(NoOperation::Unsupported(why)) => {
            let words = why.to_string();
            assert!(words.len() > 10 && words.contains(' '), "{primitive}: {words}");
            return None;
        }
        Err(NoOperation::Failed(error)) => return Some(Err(format!("not prepared: {error}"))),
    };
    let done = operation.renew().and_then(|()| operation.once());
    Some(done.map(|()| operation.output()).map_err(|error| error.to_string()))
}

/// What every engine that has the primitive makes of the input, by engine; what fails is an error of the test.
fn outputs(primitive: Primitive, input: &Input) -> BTreeMap<&'static str, Vec<Vec<u8>>> {
    let engines = engines();
    let mut all = BTreeMap::new();
    for engine in engines.iter().filter(|engine| engine.info().is_tls) {
        let id = engine.info().id;
        if let Some(made) = output(engine, primitive, input) {
            all.insert(id, made.unwrap_or_else(|error| panic!("{id}, {primitive}: {error}")));
        }
    }
    all
}

/// The primitives of a kind.
fn every(wanted: impl Fn(Primitive) -> bool) -> impl Iterator<Item = Primitive> {
    Primitive::all().into_iter().filter(move |&primitive| wanted(primitive))
}

/// Whether two libraries must come to the same, whatever the primitive is given.
fn is_function(primitive: Primitive) -> bool {
    primitive.takes_bytes()
        || matches!(
            primitive,
            Primitive::RsaDecrypt(_)
                | Primitive::HkdfExtract(_)
                | Primitive::HkdfExpand(_)
                | Primitive::Prf(_)
                | Primitive::Pbkdf2(_)
        )
}

#[test]
fn functions_have_the_same_values_in_every_library() {
    for primitive in every(is_function) {
        let sizes = if primitive.takes_bytes() { SIZES.as_slice() } else { &[0] };
        for &bytes in sizes.iter().filter(|&&bytes| primitive.refuses(bytes).is_none()) {
            let input = Input::of(primitive, bytes);
            let made = outputs(primitive, &input);
            let mut values = made.iter();
            let Some((first, value)) = values.next() else { continue };
            for (other, same) in values {
                assert_eq!(value, same, "{primitive} × {bytes}: {first} and {other}");
            }
            match primitive {
                Primitive::Decrypt(_) => assert_eq!(value, &[input.data], "{first}, {primitive} × {bytes}"),
                Primitive::RsaDecrypt(_) => {
                    assert_eq!(value, &[PREMASTER_SECRET.to_vec()], "{first}, {primitive}")
                }
                Primitive::Encrypt(cipher) => {
                    let tag = if cipher.is_aead() { 16 } else { 0 };
                    assert_eq!(value[0].len(), input.data.len() + tag, "{first}, {primitive}");
                }
                _ => {}
            }
        }
    }
}

#[test]
fn signatures_are_verified_by_other_libraries_and_changed_ones_by_none() {
    let engines = engines();
    for &cert in Cert::ALL {
        let verify = Primitive::Verify(cert);
        let good = Input::of(verify, 0);
        outputs(verify, &good);
        let mut signatures = outputs(Primitive::Sign(cert), &Input::of(Primitive::Sign(cert), 0));
        signatures.insert("the fixture", vec![good.given.clone()]);
        for engine in engines.iter().filter(|engine| engine.info().is_tls) {
            for (signer, signature) in &signatures {
                let [signature] = signature.as_slice() else { panic!("{signer}, {cert}: one signature") };
                let given = |given: Vec<u8>| output(engine, verify, &Input { given, ..good.clone() });
                let Some(verified) = given(signature.clone()) else { break };
                let id = engine.info().id;
                assert_eq!(verified, Ok(Vec::new()), "{id} on {cert} of {signer}");
                let mut changed = signature.clone();
                let middle = changed.len() / 2;
                changed[middle] ^= 1;
                let refused = given(changed).is_some_and(|verified| verified.is_err());
                assert!(refused, "{id} takes a changed signature, {cert} of {signer}");
            }
        }
    }
}

#[test]
fn certificates_are_read_and_ones_that_are_cut_short_refused() {
    let engines = engines();
    let mut read = 0;
    for &cert in Cert::ALL {
        let primitive = Primitive::ReadCertificate(cert);
        let whole = Input::of(primitive, 0);
        read += outputs(primitive, &whole).len();
        let mut short = whole;
        let leaf = &mut short.identity.as_mut().expect("a certificate").chain[0];
        leaf.truncate(leaf.len() / 2);
        for engine in engines.iter().filter(|engine| engine.info().is_tls) {
            let refused = output(engine, primitive, &short).is_none_or(|done| done.is_err());
            assert!(refused, "{} reads half a certificate of {cert}", engine.info().id);
        }
    }
    assert!(read >= 3, "{read}");
}

#[test]
fn what_is_encrypted_to_an_rsa_key_is_decrypted_by_other_libraries() {
    for cert in Cert::ALL.iter().copied().filter(|cert| cert.rsa_bits().is_some()) {
        let encrypt = Primitive::RsaEncrypt(cert);
        let decrypt = Primitive::RsaDecrypt(cert);
        for (sender, ciphertext) in outputs(encrypt, &Input::of(encrypt, 0)) {
            let given = ciphertext.into_iter().next().expect("a ciphertext");
            for (reader, secret) in outputs(decrypt, &Input { given, ..Input::of(decrypt, 0) }) {
                assert_eq!(secret, [PREMASTER_SECRET.to_vec()], "{cert}: {sender} to {reader}");
            }
        }
    }
}

/// Bytes of a public key.
fn public_length(group: Group) -> usize {
    match group {
        Group::X25519 => 32,
        Group::X448 => 56,
        Group::P256 => 65,
        Group::P384 => 97,
        Group::P521 => 133,
        Group::Ffdhe2048 => 256,
        Group::Ffdhe3072 => 384,
        Group::MlKem768 => 1184,
        other => panic!("no key pairs of {other}"),
    }
}

#[test]
fn key_pairs_are_new_each_time() {
    for primitive in every(|primitive| matches!(primitive, Primitive::KeyGen(_))) {
        let Primitive::KeyGen(group) = primitive else { unreachable!("only these are asked for") };
        let input = Input::of(primitive, 0);
        let (first, second) = (outputs(primitive, &input), outputs(primitive, &input));
        for (engine, key) in first {
            assert_eq!((key.len(), key[0].len()), (1, public_length(group)), "{engine}, {group}");
            assert_ne!(key, second[engine], "{engine}, {group}");
        }
    }
}

#[test]
fn what_is_encapsulated_is_decapsulated_by_other_libraries() {
    let group = Group::MlKem768;
    let (wrap, unwrap) = (Primitive::Encapsulate(group), Primitive::Decapsulate(group));
    for (sender, made) in outputs(wrap, &Input::of(wrap, 0)) {
        let [secret, ciphertext] = made.as_slice() else { panic!("{sender}: a secret and a ciphertext") };
        assert_eq!((secret.len(), ciphertext.len()), (32, 1088), "{sender}");
        let input = Input { given: ciphertext.clone(), ..Input::of(unwrap, 0) };
        for (reader, unwrapped) in outputs(unwrap, &input) {
            match unwrapped.as_slice() {
                [found] => assert_eq!(found, secret, "{sender} to {reader}"),
                // It cannot be given a key, and has wrapped a secret for its own.
                [found, wrapped] => assert_eq!(found, wrapped, "{reader}"),
                _ => panic!("{reader}: a secret"),
            }
        }
    }
}

/// Computed by OpenSSL from the peer's side.
#[cfg(feature = "openssl")]
#[test]
fn both_sides_of_an_exchange_arrive_at_the_same_secret() {
    for primitive in every(|primitive| matches!(primitive, Primitive::Agree(_))) {
        let Primitive::Agree(group) = primitive else { unreachable!("only these are asked for") };
        let input = Input::of(primitive, 0);
        for (engine, made) in outputs(primitive, &input) {
            let [secret, public] = made.as_slice() else { panic!("{engine}: a secret and a public key") };
            assert_eq!(public.len(), public_length(group), "{engine}, {group}");
            let expected = peer::secret(group, &input.private, public).expect("OpenSSL computes it");
            assert_eq!(secret, &expected, "{engine}, {group}");
        }
    }
}

/// An exchange as the peer sees it.
#[cfg(feature = "openssl")]
mod peer {
    use openssl::bn::{BigNum, BigNumContext};
    use openssl::derive::Deriver;
    use openssl::ec::{EcGroup, EcKey, EcPoint};
    use openssl::error::ErrorStack;
    use openssl::nid::Nid;
    use openssl::pkey::{Id, PKey};
    use tlspair::cell::Group;

    pub fn secret(group: Group, private: &[u8], public: &[u8]) -> Result<Vec<u8>, ErrorStack> {
        match group {
            Group::X25519 => raw(Id::X25519, private, public),
            Group::X448 => raw(Id::X448, private, public),
            Group::P256 => on_curve(Nid::X9_62_PRIME256V1, private, public),
            Group::P384 => on_curve(Nid::SECP384R1, private, public),
            Group::P521 => on_curve(Nid::SECP521R1, private, public),
            _ => in_field(group, private, public),
        }
    }

    fn raw(id: Id, private: &[u8], public: &[u8]) -> Result<Vec<u8>, ErrorStack> {
        let own = PKey::private_key_from_raw_bytes(private, id)?;
        let peer = PKey::public_key_from_raw_bytes(public, id)?;
        let mut deriver = Deriver::new(&own)?;
        deriver.set_peer(&peer)?;
        deriver.derive_to_vec()
    }

    fn on_curve(nid: Nid, private: &[u8], public: &[u8]) -> Result<Vec<u8>, ErrorStack> {
        let group = EcGroup::from_curve_name(nid)?;
        let mut context = BigNumContext::new()?;
        let private = BigNum::from_slice(private)?;
        let mut own_point = EcPoint::new(&group)?;
        own_point.mul_generator2(&group, &private, &mut context)?;
        let own = PKey::from_ec_key(EcKey::from_private_components(&group, &private, &own_point)?)?;
        let point = EcPoint::from_bytes(&group, public, &mut context)?;
        let peer = PKey::from_ec_key(EcKey::from_public_key(&group, &point)?)?;
        let mut deriver = Deriver::new(&own)?;
        deriver.set_peer(&peer)?;
        deriver.derive_to_vec()
    }

    fn in_field(group: Group, private: &[u8], public: &[u8]) -> Result<Vec<u8>, ErrorStack> {
        let prime = crate::finite_field::prime(group)?;
        let mut context = BigNumContext::new()?;
        let (private, public) = (BigNum::from_slice(private)?, BigNum::from_slice(public)?);
        let mut secret = BigNum::new()?;
        secret.mod_exp(&public, &private, &prime, &mut context)?;
        secret.to_vec_padded(prime.num_bytes())
    }
}

/// Of everything that TLS needs each library has something; SSL 2.0 has its cryptography from OpenSSL.
#[test]
fn every_library_shows_its_primitives() {
    let engines = engines();
    for id in engines_under_test().into_iter().filter(|&id| id != "ssl2") {
        let engine = engines.named(id).expect("it is one of them");
        let has = |primitive: &Primitive| engine.operation(*primitive, &Input::of(*primitive, 16)).is_ok();
        let kinds: Vec<&str> =
            Primitive::all().iter().filter(|primitive| has(primitive)).map(|one| one.kind()).collect();
        for kind in ["hash", "MAC", "encryption", "decryption", "signature", "key exchange"] {
            assert!(kinds.contains(&kind), "{id}: {kind}");
        }
    }
}
