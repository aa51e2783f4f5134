//! Public-key operations: key exchange, signatures, certificates.

use super::Part;
use super::parts::OneSide;
use crate::cell::{Auth, Cell, Cert, Group, Hello, KeyExchange, Verify};
use crate::engine::Side;
use crate::primitive::Primitive;

/// What a side does with public keys.
pub(super) fn parts(one: OneSide<'_>) -> Vec<Part> {
    let OneSide { cell, resumed, side, .. } = one;
    let mut parts = Vec::new();
    if cell.has_exchange(resumed) && !(resumed && is_abbreviated(cell)) {
        parts.extend(key_exchange(cell, side));
    }
    if !resumed {
        parts.extend(authentication(cell, side));
    }
    parts
}

/// Up to TLS 1.2 a resumed handshake has no exchange at all.
fn is_abbreviated(cell: &Cell) -> bool {
    cell.cipher.kx != KeyExchange::Tls13
}

fn key_exchange(cell: &Cell, side: Side) -> Vec<Part> {
    const PURPOSE: &str = "key exchange";
    let mut primitives = Vec::new();
    if side == Side::Client && cell.hello == Hello::Retry {
        primitives.extend(new_share(cell.group.wrong_guess(), side));
    }
    match (cell.group, side) {
        (Group::Rsa, Side::Client) => primitives.push(Primitive::RsaEncrypt(cell.cert)),
        (Group::Rsa, Side::Server) => primitives.push(Primitive::RsaDecrypt(cell.cert)),
        (group, side) => {
            primitives.extend(new_share(group, side));
            primitives.extend(secret(group, side));
        }
    }
    primitives.into_iter().map(|primitive| Part::of(PURPOSE, primitive, 1)).collect()
}

/// The halves of a hybrid group, or the group alone.
fn halves(group: Group) -> Vec<Group> {
    match group {
        Group::X25519MlKem768 => vec![Group::MlKem768, Group::X25519],
        Group::SecP256r1MlKem768 => vec![Group::P256, Group::MlKem768],
        group => vec![group],
    }
}

/// Making one's share: of ML-KEM only the client has a key pair.
fn new_share(group: Group, side: Side) -> Vec<Primitive> {
    let has_pair = |half: &Group| *half != Group::MlKem768 || side == Side::Client;
    halves(group).into_iter().filter(has_pair).map(Primitive::KeyGen).collect()
}

/// Arriving at the common secret.
fn secret(group: Group, side: Side) -> Vec<Primitive> {
    let of_half = |half: Group| match (half, side) {
        (Group::MlKem768, Side::Client) => Primitive::Decapsulate(half),
        (Group::MlKem768, Side::Server) => Primitive::Encapsulate(half),
        (half, _) => Primitive::Agree(half),
    };
    halves(group).into_iter().map(of_half).collect()
}

/// The handshake's signatures, and those in certificates if they are checked.
fn authentication(cell: &Cell, side: Side) -> Vec<Part> {
    let server_signs = cell.cipher.kx != KeyExchange::StaticRsa;
    let client_signs = cell.auth == Auth::Mutual;
    let (signs, peer_signs, peer_shows) = match side {
        Side::Client => (client_signs, server_signs, true),
        Side::Server => (server_signs, client_signs, client_signs),
    };
    let is_checked = cell.verify != Verify::None;
    let shown = if peer_shows { u64::from(cell.chain) } else { 0 };
    let (checked, read) = if is_checked { (shown, shown) } else { (0, shown.min(1)) };
    let key: Cert = cell.cert;
    vec![
        Part::of("handshake signature", Primitive::Sign(key), u64::from(signs)),
        Part::of("handshake signature", Primitive::Verify(key), u64::from(peer_signs)),
        // The root is trusted as it is: each certificate that is sent has one signature above it.
        Part::of("certificate chain", Primitive::Verify(key), checked),
        // The first one's key is wanted in any case.
        Part::of("certificates", Primitive::ReadCertificate(key), read),
    ]
}
