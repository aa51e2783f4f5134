//! The test keys and certificates that every engine uses alike, built into the program. They are public:
//! `fixtures/certs/README.md` says how they were made and why nothing else may ever trust them.

use include_dir::{Dir, include_dir};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

use crate::cell::{Cell, Cert};
use crate::engine::Side;

static CERTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/fixtures/certs");

/// The name that clients ask for, and that good server certificates carry.
pub const SERVER_NAME: &str = "server.tlspair.test";

/// A certificate chain with its key.
#[derive(Clone, Debug)]
pub struct Identity {
    /// Certificates as DER, the leaf first, without the root.
    pub chain: Vec<Vec<u8>>,
    /// The leaf's key as PKCS#8 DER.
    pub key: Vec<u8>,
}

/// All that the two sides of a cell need to show and to check certificates.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The one trusted root, as DER.
    pub root: Vec<u8>,
    /// What the server shows.
    pub server: Identity,
    /// What the client shows, if the cell asks for it.
    pub client: Identity,
}

/// What is wrong with a certificate that a verifying peer must refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Its time is over.
    Expired,
    /// It is for another host.
    WrongName,
    /// No trusted root signed it.
    UnknownIssuer,
    /// Its issuer's signature does not match.
    BrokenSignature,
}

impl Defect {
    /// Every defect.
    pub const ALL: [Self; 4] = [Self::Expired, Self::WrongName, Self::UnknownIssuer, Self::BrokenSignature];

    /// The file name's part.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Expired => "expired",
            Self::WrongName => "wrong-name",
            Self::UnknownIssuer => "unknown-issuer",
            Self::BrokenSignature => "broken-signature",
        }
    }
}

impl Credentials {
    /// The good certificates of this cell's kind and chain length.
    pub fn of(cell: &Cell) -> Self {
        let chain_length = cell.chain.to_string();
        Self {
            root: certificates(cell.cert, "root").remove(0),
            server: identity(cell.cert, Side::Server, &chain_length),
            client: identity(cell.cert, Side::Client, &chain_length),
        }
    }

    /// The same, with a chain of one defective certificate on `side`.
    pub fn with_defect(mut self, cert: Cert, side: Side, defect: Defect) -> Self {
        let bad = identity(cert, side, defect.name());
        match side {
            Side::Client => self.client = bad,
            Side::Server => self.server = bad,
        }
        self
    }

    /// What `side` shows.
    pub fn identity(&self, side: Side) -> &Identity {
        match side {
            Side::Client => &self.client,
            Side::Server => &self.server,
        }
    }
}

/// A server's certificate of this kind, straight below the root, with its key.
pub fn server_identity(cert: Cert) -> Identity {
    identity(cert, Side::Server, "1")
}

fn identity(cert: Cert, side: Side, variant: &str) -> Identity {
    let key = PrivateKeyDer::from_pem_slice(file(cert, &format!("{side}.key")))
        .expect("fixtures hold one PKCS#8 key a key file");
    Identity { chain: certificates(cert, &format!("{side}-{variant}")), key: key.secret_der().to_vec() }
}

fn certificates(cert: Cert, name: &str) -> Vec<Vec<u8>> {
    CertificateDer::pem_slice_iter(file(cert, name))
        .map(|der| der.expect("fixtures hold well-formed certificates").to_vec())
        .collect()
}

fn file(cert: Cert, name: &str) -> &'static [u8] {
    let path = format!("{cert}/{name}.pem");
    CERTS.get_file(&path).unwrap_or_else(|| panic!("fixtures/certs/{path} is part of every build")).contents()
}
