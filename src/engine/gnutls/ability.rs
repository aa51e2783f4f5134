//! What the library can do, asked from the library, and refusals in words.

use super::library::version;
use super::{names, priority};
use crate::cell::{Cell, Feature, Group};
use crate::engine::{Side, Unsupported};

/// Whether the cell can run.
pub(super) fn supports(cell: &Cell, side: Side) -> Result<(), Unsupported> {
    let lacks = |what: String| Err(Unsupported(format!("GnuTLS {} has no {what}", version())));
    if names::protocol(cell.proto).is_none() {
        return lacks(cell.proto.title().to_owned());
    }
    if names::suite(cell.cipher).is_none() {
        return lacks(format!("cipher {}", cell.cipher.openssl));
    }
    if cell.group != Group::Rsa && names::group(cell.group).is_none() {
        return lacks(format!("group {}", cell.group));
    }
    let scheme = cell.certificate_signature();
    if names::signature(scheme, cell.proto).is_none() {
        return lacks(format!("{} signatures", scheme.name()));
    }
    let priority = priority::priority(side, cell)
        .map_err(|error| Unsupported(format!("GnuTLS {}: {error}", version())))?;
    if priority::suites(&priority) != [cell.cipher.code] {
        return lacks(format!("cipher {} in {}", cell.cipher.openssl, cell.proto.title()));
    }
    Ok(())
}

/// Whether the library has a switch for `feature`.
pub(super) fn offers(feature: Feature, _cell: &Cell, _side: Side) -> Result<(), Unsupported> {
    match feature {
        Feature::RecordSize(_)
        | Feature::EarlyData
        | Feature::HelloRetry
        | Feature::EncryptThenMac(_)
        | Feature::ExtendedMasterSecret(_)
        | Feature::Alpn => Ok(()),
        Feature::PskOnly => Err(Unsupported(format!(
            "GnuTLS {} resumes TLS 1.3 sessions with a Diffie-Hellman exchange only",
            version()
        ))),
        Feature::NoAcceleration => Err(Unsupported(format!(
            "GnuTLS {} does without the processor's instructions for cryptography in a whole process or not at all",
            version()
        ))),
    }
}
