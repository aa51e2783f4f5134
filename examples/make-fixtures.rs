//! Makes the keys and certificates below `fixtures/certs`: those of kinds that have no folder yet, or with `--all`
//! everything anew. `cargo run --release --example make-fixtures`
//!
//! OpenSSL makes them, because nothing else in the tree still signs with 512-bit RSA keys and SHA-1.

#![allow(clippy::print_stdout)] // a tool that talks to whoever runs it

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use openssl::asn1::{Asn1Integer, Asn1Time};
use openssl::bn::{BigNum, MsbOption};
use openssl::ec::{EcGroup, EcKey};
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::pkey::{Id, KeyType, PKey, Private};
use openssl::pkey_ctx::PkeyCtx;
use openssl::rand::rand_bytes;
use openssl::rsa::Rsa;
use openssl::x509::extension::{BasicConstraints, ExtendedKeyUsage, KeyUsage, SubjectAlternativeName};
use openssl::x509::{X509, X509Builder, X509Name, X509NameBuilder};
use tlspair::cell::Cert;
use tlspair::engine::Side;
use tlspair::fixtures::{Defect, SERVER_NAME};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const NOTICE: &str = "tlspair TEST material. The private keys are public: never trust or deploy this.\n";
const NOT_BEFORE: &str = "19970101000000Z";
const NOT_AFTER: &str = "21000101000000Z";
const EXPIRED_AFTER: &str = "19980101000000Z";

fn main() -> Result<()> {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/certs");
    let makes_all = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--all") => true,
        Some(other) => return Err(format!("unknown argument `{other}`; there is `--all`").into()),
    };
    for &cert in Cert::ALL {
        let dir = base.join(cert.name());
        if dir.exists() && !makes_all {
            continue;
        }
        fs::create_dir_all(&dir)?;
        Maker { cert, dir }.make_all()?;
        println!("made {cert}");
    }
    Ok(())
}

/// A certificate with its key.
struct Issued {
    certificate: X509,
    key: PKey<Private>,
}

/// What a leaf is made with, apart from its key.
struct Leaf<'a> {
    side: Side,
    host: &'a str,
    not_after: &'a str,
}

struct Maker {
    cert: Cert,
    dir: PathBuf,
}

impl Maker {
    fn make_all(&self) -> Result<()> {
        let root = self.authority("root", None, 2)?;
        let upper = self.authority("intermediate 1", Some(&root), 1)?;
        let lower = self.authority("intermediate 2", Some(&upper), 0)?;
        let stranger = self.authority("unknown root", None, 2)?;
        self.write("root", &root.certificate.to_pem()?)?;

        for side in Side::BOTH {
            let key = self.new_key()?;
            self.write(&format!("{side}.key"), &key.private_key_to_pem_pkcs8()?)?;
            let good = Leaf { side, host: SERVER_NAME, not_after: NOT_AFTER };
            let chain = |name: &str, leaf: &Leaf<'_>, issuer: &Issued, above: &[&Issued]| {
                let mut pem = self.leaf(leaf, &key, issuer)?.to_pem()?;
                for authority in above {
                    pem.extend(authority.certificate.to_pem()?);
                }
                self.write(&format!("{side}-{name}"), &pem)
            };
            chain("1", &good, &root, &[])?;
            chain("2", &good, &upper, &[&upper])?;
            chain("3", &good, &lower, &[&lower, &upper])?;
            chain(Defect::Expired.name(), &Leaf { not_after: EXPIRED_AFTER, ..good }, &root, &[])?;
            chain(Defect::WrongName.name(), &Leaf { host: "other.tlspair.test", ..good }, &root, &[])?;
            chain(Defect::UnknownIssuer.name(), &good, &stranger, &[])?;
            let broken = break_signature(&self.leaf(&good, &key, &root)?)?;
            self.write(&format!("{side}-{}", Defect::BrokenSignature.name()), &broken.to_pem()?)?;
        }
        Ok(())
    }

    fn authority(&self, role: &str, issuer: Option<&Issued>, path_length: u32) -> Result<Issued> {
        let key = self.new_key()?;
        let name = self.name(role)?;
        let mut builder = new_builder(&name, &key, NOT_AFTER)?;
        builder.append_extension(BasicConstraints::new().critical().ca().pathlen(path_length).build()?)?;
        builder.append_extension(KeyUsage::new().critical().key_cert_sign().crl_sign().build()?)?;
        match issuer {
            Some(issuer) => self.sign(&mut builder, issuer.certificate.subject_name(), &issuer.key)?,
            None => self.sign(&mut builder, &name, &key)?,
        }
        Ok(Issued { certificate: builder.build(), key })
    }

    fn leaf(&self, leaf: &Leaf<'_>, key: &PKey<Private>, issuer: &Issued) -> Result<X509> {
        let mut builder = new_builder(&self.name(leaf.side.name())?, key, leaf.not_after)?;
        builder.append_extension(BasicConstraints::new().critical().build()?)?;
        let mut usage = KeyUsage::new();
        usage.critical().digital_signature();
        if self.cert.rsa_bits().is_some() {
            usage.key_encipherment();
        }
        builder.append_extension(usage.build()?)?;
        let mut purpose = ExtendedKeyUsage::new();
        match leaf.side {
            Side::Client => purpose.client_auth(),
            Side::Server => purpose.server_auth(),
        };
        builder.append_extension(purpose.build()?)?;
        let host = SubjectAlternativeName::new().dns(leaf.host).build(&builder.x509v3_context(None, None))?;
        builder.append_extension(host)?;
        self.sign(&mut builder, issuer.certificate.subject_name(), &issuer.key)?;
        Ok(builder.build())
    }

    fn sign(
        &self,
        builder: &mut X509Builder,
        issuer: &openssl::x509::X509NameRef,
        key: &PKey<Private>,
    ) -> Result<()> {
        builder.set_issuer_name(issuer)?;
        builder.sign(key, self.digest())?;
        Ok(())
    }

    /// Short keys are signed as in their day, with SHA-1. OpenSSL signs with a key bound to RSA-PSS by PSS, with the same
    /// digest in MGF1 and a salt of the digest's length.
    fn digest(&self) -> MessageDigest {
        match self.cert {
            Cert::Rsa512 | Cert::Rsa1024 => MessageDigest::sha1(),
            Cert::P384 => MessageDigest::sha384(),
            Cert::P521 => MessageDigest::sha512(),
            Cert::Ed25519 | Cert::Ed448 => MessageDigest::null(),
            Cert::MlDsa44 | Cert::MlDsa65 | Cert::MlDsa87 => MessageDigest::null(),
            _ => MessageDigest::sha256(),
        }
    }

    fn new_key(&self) -> Result<PKey<Private>> {
        let curve = |nid| -> Result<PKey<Private>> {
            let group = EcGroup::from_curve_name(nid)?;
            Ok(PKey::from_ec_key(EcKey::generate(&group)?)?)
        };
        Ok(match self.cert {
            Cert::Rsa512 | Cert::Rsa1024 | Cert::Rsa2048 | Cert::Rsa3072 | Cert::Rsa4096 => {
                let bits = self.cert.rsa_bits().ok_or("an RSA key has a size")?;
                PKey::from_rsa(Rsa::generate(u32::from(bits))?)?
            }
            Cert::RsaPss => new_pss_key()?,
            Cert::P256 => curve(Nid::X9_62_PRIME256V1)?,
            Cert::P384 => curve(Nid::SECP384R1)?,
            Cert::P521 => curve(Nid::SECP521R1)?,
            Cert::Ed25519 => PKey::generate_ed25519()?,
            Cert::Ed448 => PKey::generate_ed448()?,
            Cert::MlDsa44 => new_ml_dsa_key(KeyType::ML_DSA_44)?,
            Cert::MlDsa65 => new_ml_dsa_key(KeyType::ML_DSA_65)?,
            Cert::MlDsa87 => new_ml_dsa_key(KeyType::ML_DSA_87)?,
        })
    }

    fn name(&self, role: &str) -> Result<X509Name> {
        let mut name = X509NameBuilder::new()?;
        name.append_entry_by_text("O", "tlspair test keys, do not trust")?;
        name.append_entry_by_text("CN", &format!("{} {role}", self.cert))?;
        Ok(name.build())
    }

    fn write(&self, name: &str, pem: &[u8]) -> Result<()> {
        let mut text = NOTICE.as_bytes().to_vec();
        text.extend(pem);
        Ok(fs::write(self.dir.join(format!("{name}.pem")), text)?)
    }
}

/// An RSA key that signs by PSS only, with any digest and salt: id-RSASSA-PSS without parameters.
fn new_pss_key() -> Result<PKey<Private>> {
    let mut context = PkeyCtx::new_id(Id::RSA_PSS)?;
    context.keygen_init()?;
    context.set_rsa_keygen_bits(2048)?;
    Ok(context.keygen()?)
}

/// The seed decides the whole key (FIPS 204, 6.1); files then hold both the seed and the expanded key.
fn new_ml_dsa_key(kind: KeyType) -> Result<PKey<Private>> {
    let mut seed = [0; 32];
    rand_bytes(&mut seed)?;
    Ok(PKey::private_key_from_seed(None, kind, None, &seed)?)
}

fn new_builder(subject: &X509Name, key: &PKey<Private>, not_after: &str) -> Result<X509Builder> {
    let mut builder = X509Builder::new()?;
    builder.set_version(2)?;
    let mut serial = BigNum::new()?;
    serial.rand(64, MsbOption::ONE, false)?;
    serial.clear_bit(63)?; // a positive number of at most 8 bytes, so that certificates differ little in size
    builder.set_serial_number(&*Asn1Integer::from_bn(&serial)?)?;
    builder.set_subject_name(subject)?;
    builder.set_pubkey(key)?;
    builder.set_not_before(&*Asn1Time::from_str_x509(NOT_BEFORE)?)?;
    builder.set_not_after(&*Asn1Time::from_str_x509(not_after)?)?;
    Ok(builder)
}

/// Changes one bit in the middle of the signature, which stands at the end of the certificate.
fn break_signature(certificate: &X509) -> Result<X509> {
    let mut der = certificate.to_der()?;
    let near_end = der.len() - 16;
    der[near_end] ^= 0x10;
    Ok(X509::from_der(&der)?)
}
