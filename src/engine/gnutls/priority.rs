//! A cell as a priority string: the one place where the library takes version, cipher, group and signature from.

use std::ffi::CString;
use std::ptr;

use super::object::Object;
use super::{names, sys};
use crate::cell::{Cell, Extension, Group, Hello, Proto};
use crate::engine::{EngineError, Side};

/// The library's reading of a priority string.
pub(super) type Priority = Object<sys::gnutls_priority_st>;

/// The records that the library limits without being told that small ones are wanted.
const SMALLEST_USUAL_RECORD: u32 = 512;

/// What `cell` is for the library; an error, in its own words, if it knows a part of it not at all.
pub(super) fn priority(side: Side, cell: &Cell) -> Result<Priority, EngineError> {
    let string = string(side, cell).ok_or_else(|| EngineError::new("the library has no such cipher"))?;
    let string = CString::new(string).map_err(EngineError::new)?;
    let mut wrong = ptr::null();
    Object::made(
        // SAFETY: reads the C string and writes two pointers.
        |at| unsafe { sys::gnutls_priority_init2(at, string.as_ptr(), &raw mut wrong, 0) },
        sys::gnutls_priority_deinit,
    )
}

/// The numbers on the wire of the suites that a priority string comes to.
pub(super) fn suites(priority: &Priority) -> Vec<u16> {
    let mut codes = Vec::new();
    let mut place = 0;
    loop {
        let mut index = 0;
        // SAFETY: the priority lives; writes a number.
        let answer =
            unsafe { sys::gnutls_priority_get_cipher_suite_index(priority.at(), place, &raw mut index) };
        match answer {
            0 => codes.extend(names::code_at(index)),
            sys::GNUTLS_E_UNKNOWN_CIPHER_SUITE => {} // a place that this build leaves empty
            _ => return codes,
        }
        place += 1;
    }
}

/// The priority string, none if the library has no such cipher.
fn string(side: Side, cell: &Cell) -> Option<String> {
    let suite = names::suite(cell.cipher)?;
    let mut parts = vec![
        "NONE".to_owned(),
        "+CTYPE-X509".to_owned(),
        "+COMP-NULL".to_owned(),
        format!("+VERS-{}", cell.proto.title().replace(' ', "")),
        format!("+{}", suite.cipher),
        format!("+{}", suite.mac),
    ];
    parts.extend(suite.kx.map(|kx| format!("+{kx}")));
    parts.extend(groups(side, cell).into_iter().map(|group| format!("+GROUP-{group}")));
    parts.extend(signatures(cell).map(|number| format!("+SIGN-{}", names::signature_name(number))));
    parts.extend(switches(cell).into_iter().map(|switch| format!("%{switch}")));
    Some(parts.join(":"))
}

/// The cell's group alone, with two exceptions. A client that is to be asked again begins with another one. And before
/// TLS 1.3 the list also says on which curves a certificate's key may lie: that curve comes second, where the client's
/// preference leaves it unused for the exchange.
fn groups(side: Side, cell: &Cell) -> Vec<String> {
    let wrong_guess = (cell.hello == Hello::Retry && side == Side::Client).then(|| wrong_guess(cell.group));
    let of_key = cell.cert.curve().filter(|&curve| curve != cell.group && cell.proto < Proto::Tls13);
    [wrong_guess, Some(cell.group), of_key]
        .into_iter()
        .flatten()
        .filter_map(names::group)
        .map(names::group_name)
        .collect()
}

/// The group of the share that a client sends to no avail.
fn wrong_guess(group: Group) -> Group {
    if group == Group::X25519 { Group::P256 } else { Group::X25519 }
}

/// The scheme of the handshake's signatures.
fn signatures(cell: &Cell) -> impl Iterator<Item = sys::gnutls_sign_algorithm_t> {
    names::signature(cell.certificate_signature(), cell.proto).into_iter()
}

fn switches(cell: &Cell) -> Vec<&'static str> {
    let mut switches = vec![];
    match cell.etm {
        Extension::Auto => {}
        Extension::On => switches.push("FORCE_ETM"),
        Extension::Off => switches.push("NO_ETM"),
    }
    match cell.ems {
        Extension::Auto => {}
        Extension::On => switches.push("FORCE_SESSION_HASH"),
        Extension::Off => switches.push("NO_SESSION_HASH"),
    }
    if cell.record_size < SMALLEST_USUAL_RECORD {
        switches.push("ALLOW_SMALL_RECORDS");
    }
    switches
}
