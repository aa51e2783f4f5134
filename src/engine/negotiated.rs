//! What a library says it negotiated, and the check of it against the cell.

use std::fmt;

use super::Side;
use crate::cell::{Alpn, Auth, Cell, Cipher, Group, KeyExchange, Proto, SignatureScheme};

/// What one side's library says after a handshake. `None` means that the library has no way to say it, or that the
/// handshake had none (a resumption before TLS 1.3 has no group and no signature).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Negotiated {
    /// Protocol version.
    pub proto: Proto,
    /// Cipher suite number.
    pub cipher: u16,
    /// Key exchange group.
    pub group: Option<Group>,
    /// Scheme of the server's handshake signature.
    pub signature: Option<SignatureScheme>,
    /// Whether the session was resumed.
    pub resumed: bool,
    /// Whether the client showed a certificate in this session. A client's library may only know that it was asked.
    pub client_cert: bool,
    /// The application protocol agreed on.
    pub alpn: Alpn,
    /// Whether 0-RTT data was sent and taken.
    pub early_data: bool,
}

/// One point in which a connection is not what its cell says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{side} negotiated {what} {found}, not {wanted}")]
pub struct Disagreement {
    /// Whose library says so.
    pub side: Side,
    /// The dimension.
    pub what: &'static str,
    /// What was negotiated.
    pub found: String,
    /// What the cell wants.
    pub wanted: String,
}

impl Negotiated {
    /// Checks all that `side`'s library said against what `cell` wants.
    #[inline]
    pub fn check(&self, cell: &Cell, side: Side, resumed: bool) -> Result<(), Disagreement> {
        let has_exchange = cell.has_exchange(resumed);
        let group_wrong = has_exchange && self.group.is_some_and(|group| group != cell.group);
        let signature_wrong = !resumed
            && cell.cipher.kx != KeyExchange::StaticRsa
            && self.signature.is_some_and(|scheme| Some(scheme) != cell.signature());
        let right = self.proto == cell.proto
            && self.cipher == cell.cipher.code
            && self.resumed == resumed
            && self.client_cert == (cell.auth == Auth::Mutual)
            && self.alpn == cell.alpn
            && self.early_data == (resumed && cell.early_data > 0)
            && !group_wrong
            && !signature_wrong;
        if right { Ok(()) } else { Err(self.first_disagreement(cell, side, resumed)) }
    }

    #[cold]
    fn first_disagreement(&self, cell: &Cell, side: Side, resumed: bool) -> Disagreement {
        let differ = |what, found: &dyn fmt::Display, wanted: &dyn fmt::Display| Disagreement {
            side,
            what,
            found: found.to_string(),
            wanted: wanted.to_string(),
        };
        if self.proto != cell.proto {
            return differ("version", &self.proto, &cell.proto);
        }
        if self.cipher != cell.cipher.code {
            let found = Cipher::from_code(self.cipher)
                .map_or_else(|| format!("{:#06x}", self.cipher), |c| c.openssl.to_owned());
            return differ("cipher", &found, &cell.cipher.openssl);
        }
        if self.resumed != resumed {
            let word = |resumed: bool| if resumed { "resumed" } else { "full" };
            return differ("handshake", &word(self.resumed), &word(resumed));
        }
        let mutual = cell.auth == Auth::Mutual;
        if self.client_cert != mutual {
            let word = |shown: bool| if shown { "shown" } else { "absent" };
            return differ("client certificate", &word(self.client_cert), &word(mutual));
        }
        if self.alpn != cell.alpn {
            return differ("application protocol", &self.alpn, &cell.alpn);
        }
        let early_data = resumed && cell.early_data > 0;
        if self.early_data != early_data {
            let word = |taken: bool| if taken { "taken" } else { "absent" };
            return differ("0-RTT data", &word(self.early_data), &word(early_data));
        }
        match (self.group, self.signature) {
            (Some(group), _) if group != cell.group => differ("group", &group, &cell.group),
            (_, Some(signature)) => {
                let wanted = cell.signature().map_or("none", SignatureScheme::name);
                differ("signature", &signature, &wanted)
            }
            _ => unreachable!("called only where something disagrees"),
        }
    }
}
