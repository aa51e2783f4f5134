//! A cell as a priority string: the one place where the library takes version, cipher, group and signature from.

use std::ffi::CString;
use std::ptr;

use super::object::Object;
use super::{names, sys};
use crate::cell::{Auth, Cell, Extension, Hello, Proto, Resume, SignatureScheme};
use crate::engine::{EngineError, Side};

/// The library's reading of a priority string.
pub(super) type Priority = Object<sys::gnutls_priority_st>;

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

/// The numbers on the wire of the suites that a priority string comes to. The library lists there what it does not offer
/// under TLS 1.3, by the key exchanges that it also takes as ways to resume.
pub(super) fn suites(priority: &Priority, proto: Proto) -> Vec<u16> {
    let mut codes = Vec::new();
    let mut place = 0;
    loop {
        let mut index = 0;
        // SAFETY: the priority lives; writes a number.
        let answer =
            unsafe { sys::gnutls_priority_get_cipher_suite_index(priority.at(), place, &raw mut index) };
        match answer {
            0 => codes.extend(
                names::suite_at(index)
                    .filter(|(_, is_tls13)| *is_tls13 == (proto == Proto::Tls13))
                    .map(|(code, _)| code),
            ),
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
    parts.extend(suite.kx.or_else(|| resumption(cell.resume)).map(|kx| format!("+{kx}")));
    parts.extend(groups(side, cell).into_iter().map(|group| format!("+GROUP-{group}")));
    parts.extend(signatures(side, cell).map(|number| format!("+SIGN-{}", names::signature_name(number))));
    parts.extend(switches(cell).into_iter().map(|switch| format!("%{switch}")));
    Some(parts.join(":"))
}

/// What stands in a TLS 1.3 string in place of a key exchange: how sessions are resumed. With neither, a client offers
/// both ways.
fn resumption(resume: Resume) -> Option<String> {
    match resume {
        Resume::Psk => Some("PSK".to_owned()),
        Resume::PskDhe => Some("ECDHE-PSK".to_owned()),
        Resume::SessionId | Resume::Ticket => None,
    }
}

/// The cell's group alone, with two exceptions. A client that is to be asked again begins with another one. And before
/// TLS 1.3 the list also says on which curves a certificate's key may lie: that curve comes second, where the server's
/// preference leaves it unused for the exchange.
fn groups(side: Side, cell: &Cell) -> Vec<String> {
    let wrong_guess = (cell.hello == Hello::Retry && side == Side::Client).then(|| cell.group.wrong_guess());
    let of_key = cell.cert.curve().filter(|&curve| curve != cell.group && cell.proto < Proto::Tls13);
    [wrong_guess, Some(cell.group), of_key]
        .into_iter()
        .flatten()
        .filter_map(names::group)
        .map(names::group_name)
        .collect()
}

/// The scheme of the handshake's signatures. A server that asks clients for Edwards curves under TLS 1.2 has to know
/// ECDSA as well: their kind of certificate is that of ECDSA, and the library's request would name no kind at all. What
/// a client signs with stays the matter of its one key.
fn signatures(side: Side, cell: &Cell) -> impl Iterator<Item = sys::gnutls_sign_algorithm_t> {
    let scheme = cell.certificate_signature();
    let asks_for_edwards = side == Side::Server
        && cell.auth == Auth::Mutual
        && cell.proto == Proto::Tls12
        && matches!(scheme, SignatureScheme::Ed25519 | SignatureScheme::Ed448);
    let of_its_kind = asks_for_edwards.then_some(SignatureScheme::EcdsaSecp256r1Sha256);
    [Some(scheme), of_its_kind]
        .into_iter()
        .flatten()
        .filter_map(|scheme| names::signature(scheme, cell.proto))
}

/// What the library agrees on if left alone, and what it must or must not. To insist on the extended master secret is
/// possible from GnuTLS 3.8 on; before, the library agrees on it whenever the peer does, and whether they did is seen
/// after the handshake.
fn switches(cell: &Cell) -> Vec<&'static str> {
    // The server's order of groups decides: not every client of another library can name the exchange's first.
    let mut switches = vec!["SERVER_PRECEDENCE"];
    match cell.etm {
        Extension::Auto => {}
        Extension::On => switches.push("FORCE_ETM"),
        Extension::Off => switches.push("NO_ETM"),
    }
    match cell.ems {
        Extension::Auto => {}
        Extension::On if !names::has_switch("FORCE_SESSION_HASH") => {}
        Extension::On => switches.push("FORCE_SESSION_HASH"),
        Extension::Off => switches.push("NO_SESSION_HASH"),
    }
    switches
}
