//! What the library can do, asked from the library, and refusals in words.

use std::env;
use std::ffi::c_int;

use super::library::{check, version};
use super::object::Object;
use super::{names, priority, sys};
use crate::cell::{Cell, Feature, Group};
use crate::engine::{EngineError, Side, Unsupported};

/// Whether the cell can run.
pub(super) fn supports(cell: &Cell, side: Side) -> Result<(), Unsupported> {
    check_untouched()?;
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
    if priority::suites(&priority, cell.proto) != [cell.cipher.code] {
        return lacks(format!("cipher {} in {}", cell.cipher.openssl, cell.proto.title()));
    }
    Ok(())
}

/// Whether the library has a switch for `feature`.
pub(super) fn offers(feature: Feature, cell: &Cell, side: Side) -> Result<(), Unsupported> {
    match feature {
        Feature::EarlyData if side == Side::Server => takes_early_data_of(&cell.client),
        Feature::PskOnly
        | Feature::EarlyData
        | Feature::HelloRetry
        | Feature::EncryptThenMac(_)
        | Feature::ExtendedMasterSecret(_)
        | Feature::Alpn => Ok(()),
        Feature::RecordSize(bytes) => limits_records(bytes)
            .map_err(|error| Unsupported(format!("GnuTLS {} does not {feature}: {error}", version()))),
        Feature::NoAcceleration => Err(no_switch()),
    }
}

/// A server turns 0-RTT data down if the client says that the ticket is older than the server finds it, by a millisecond
/// even. Here no network's delay is between the two, so that a client's rounding decides: these take the difference of
/// exact times, or round it down. Others subtract times that are rounded, and are too old now and then.
fn takes_early_data_of(client: &str) -> Result<(), Unsupported> {
    const NEVER_TOO_OLD: [&str; 4] = ["gnutls", "openssl", "openssl-4", "s2n"];
    if NEVER_TOO_OLD.contains(&client) {
        return Ok(());
    }
    Err(Unsupported(format!(
        "GnuTLS {} turns 0-RTT data down whenever the client counts its ticket as older than the server does; a {client} \
         client may, as it rounds times, and there is no network here whose delay hides it",
        version()
    )))
}

/// GnuTLS, Nettle below it and GMP below that choose code for the processor, each by a switch of its own or by none.
pub(super) fn no_switch() -> Unsupported {
    Unsupported(format!(
        "GnuTLS {} and the libraries that it rests on are not to be asked whether they do without the processor's \
         instructions for cryptography",
        version()
    ))
}

/// The interface for programs agrees on keys from GnuTLS 3.8.2 on.
pub(super) fn no_agreement() -> Unsupported {
    Unsupported(format!("GnuTLS {} agrees on keys inside its handshake only", version()))
}

/// The interface for programs takes the secret from a session.
pub(super) fn no_function_of_tls() -> Unsupported {
    Unsupported(format!("GnuTLS {} has the pseudo-random function of TLS only of a session", version()))
}

/// Nettle's own switch, which it reads when it is loaded: whoever sets it would get numbers that pass for accelerated
/// ones.
fn check_untouched() -> Result<(), Unsupported> {
    const SWITCH: &str = "NETTLE_FAT_OVERRIDE";
    match env::var_os(SWITCH) {
        None => Ok(()),
        Some(_) => Err(Unsupported(format!(
            "{SWITCH} is set in the environment, so that GnuTLS does not use whatever the processor has (accel=on)"
        ))),
    }
}

/// Whether a session takes this limit.
fn limits_records(bytes: u32) -> Result<(), EngineError> {
    let session = Object::made(
        // SAFETY: writes a pointer.
        |at| unsafe { sys::gnutls_init(at, sys::GNUTLS_CLIENT) },
        sys::gnutls_deinit,
    )?;
    // SAFETY: the session lives.
    check(unsafe { sys::gnutls_record_set_max_size(session.at(), bytes as usize) } as c_int)
}
