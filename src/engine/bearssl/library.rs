//! What the library can do, asked from the library, and refusals in words.

use super::checker::{Checks, LEAST_RSA_BYTES};
use super::implementations::{Implementations, full_client};
use super::sys;
use crate::cell::{Cell, Cert, Feature, Group, Proto, Resume};
use crate::engine::{Side, Unsupported};

/// The version of the package that the library came with; empty if no package manager knew it.
const PACKAGE: &str = env!("TLSPAIR_BEARSSL_PACKAGE");

/// The library as it sets itself up when told to use everything that it has.
pub(super) struct Library {
    versions: [u16; 2],
    suites: Vec<u16>,
    pub(super) implementations: Implementations,
}

impl Library {
    pub(super) fn as_linked() -> Self {
        let client = full_client();
        let implementations = Implementations::chosen_by_library(&client);
        // SAFETY: `full_client` has filled the context in.
        let engine = unsafe { &(*client.at()).eng };
        Self {
            versions: [engine.version_min, engine.version_max],
            suites: engine.suites_buf[..usize::from(engine.suites_num)].to_vec(),
            implementations,
        }
    }

    /// Whether `side` of the cell can run.
    pub(super) fn check(&self, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        let lacks = |what: String| Err(Unsupported(format!("BearSSL {} has no {what}", version())));
        let [oldest, newest] = self.versions;
        if !(oldest..=newest).contains(&cell.proto.code()) || cell.proto == Proto::Ssl2 {
            return lacks(cell.proto.title().to_owned());
        }
        if !self.suites.contains(&cell.cipher.code) {
            return lacks(format!("cipher {}", cell.cipher.openssl));
        }
        if cell.group != Group::Rsa && self.curve_bit(cell.group) == 0 {
            return lacks(format!("group {}", cell.group));
        }
        if !self.has_key_kind(cell.cert) {
            return lacks(format!("{} certificates", cell.cert));
        }
        let too_small = |bits: u16| bits.div_ceil(8) < LEAST_RSA_BYTES;
        if Checks::of(side, cell) != Checks::Nothing && cell.cert.rsa_bits().is_some_and(too_small) {
            return Err(Unsupported(format!(
                "BearSSL {} checks no chain with RSA keys of less than 1017 bits",
                version()
            )));
        }
        if cell.resume != Resume::SessionId {
            return lacks("session tickets".to_owned());
        }
        Ok(())
    }

    /// Whether the library has `feature`.
    pub(super) fn offers(feature: Feature) -> Result<(), Unsupported> {
        let lacks = |what| Err(Unsupported(format!("BearSSL {} has no {what}", version())));
        match feature {
            Feature::Alpn | Feature::RecordSize(_) | Feature::NoAcceleration => Ok(()),
            // It knows neither extension, so it offers and takes none.
            Feature::EncryptThenMac(false) | Feature::ExtendedMasterSecret(false) => Ok(()),
            Feature::EncryptThenMac(true) => lacks("encrypt-then-MAC"),
            Feature::ExtendedMasterSecret(true) => lacks("extended master secret"),
            Feature::PskOnly | Feature::EarlyData | Feature::HelloRetry => lacks("TLS 1.3"),
        }
    }

    /// The group's bit in the library's sets of curves; 0 if it does not have it.
    pub(super) fn curve_bit(&self, group: Group) -> u32 {
        let bit = group.code().and_then(|code| 1u32.checked_shl(code.into())).unwrap_or(0);
        bit & self.implementations.curves.supported_curves
    }

    pub(super) fn has_key_kind(&self, cert: Cert) -> bool {
        let fits = |bits: u16| u32::from(bits) <= 8 * sys::BR_X509_BUFSIZE_SIG;
        let is_curve = || cert.curve().is_some_and(|curve| self.curve_bit(curve) != 0);
        cert.rsa_bits().is_some_and(fits) || is_curve()
    }
}

/// The library's version: what its package says, up to what the package's makers added.
pub(super) fn version() -> &'static str {
    match PACKAGE.split(['+', '-', '~']).next() {
        None | Some("") => "of unknown version",
        Some(version) => version,
    }
}

pub(super) fn build(implementations: &Implementations) -> String {
    let mut parts = vec![env!("TLSPAIR_BEARSSL_LINKED").to_owned()];
    if !PACKAGE.is_empty() {
        parts.push(format!("package {PACKAGE}"));
    }
    parts.extend(implementations.names().into_iter().map(str::to_owned));
    parts.join(", ")
}
