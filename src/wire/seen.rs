//! What the plaintext part of a handshake says was agreed on, and the check of it against the cell.

use std::fmt;

use crate::cell::{Auth, Cell, Cipher, Extension, Group, Hello, Proto, Resume, SignatureScheme};

/// What the wire shows. `None` where it shows nothing: before the hello, for what TLS 1.3 protects (signature and
/// certificates), for the signature before TLS 1.2 (it has no scheme number), and for bytes that are no TLS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Version of the ServerHello, by its supported_versions extension if it has one.
    pub proto: Option<Proto>,
    /// Cipher suite number of the ServerHello; in SSL 2.0, of the client's choice in a full handshake.
    pub cipher: Option<u16>,
    /// Group of the server's key share; [`Group::Rsa`] where static RSA left none to send.
    pub group: Option<Group>,
    /// Scheme of the server's signature over its key share, in TLS 1.2.
    pub signature: Option<SignatureScheme>,
    /// In TLS 1.3, whether the server took a pre-shared key; before it, whether it needed no certificate; in SSL 2.0,
    /// whether it said that it knows the session.
    pub resumed: Option<bool>,
    /// Whether the client sent a certificate in this handshake; not to be seen in TLS 1.3. In SSL 2.0 it is protected,
    /// but the client has nothing else to send that is as long.
    pub client_cert: Option<bool>,
    /// Whether the server asked for one in plain text.
    pub certificate_request: bool,
    /// Whether the server sent a HelloRetryRequest.
    pub hello_retry: bool,
    /// Up to TLS 1.2: whether encrypt-then-MAC was agreed on.
    pub encrypt_then_mac: Option<bool>,
    /// Up to TLS 1.2: whether the extended master secret was agreed on.
    pub extended_master_secret: Option<bool>,
}

/// One point in which the wire shows something else than the cell says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the wire shows {what} {found}, not {wanted}")]
pub struct Contradiction {
    /// The dimension.
    pub what: &'static str,
    /// What the wire shows.
    pub found: String,
    /// What the cell wants.
    pub wanted: String,
}

impl Seen {
    /// Checks everything that the wire shows against what `cell` wants of a full or resumed handshake.
    pub fn check(&self, cell: &Cell, resumed: bool) -> Result<(), Contradiction> {
        agree("version", self.proto, cell.proto)?;
        if self.cipher.is_some_and(|code| code != cell.cipher.code) {
            let found = self.cipher.map(cipher_name).unwrap_or_default();
            return agree("cipher", Some(found.as_str()), cell.cipher.openssl);
        }
        let word = |resumed: bool| if resumed { "resumed" } else { "full" };
        if self.proto.is_some() {
            let word = |retry: bool| if retry { "a HelloRetryRequest" } else { "no HelloRetryRequest" };
            agree("in the handshake", Some(word(self.hello_retry)), word(cell.hello == Hello::Retry))?;
        }
        switched("encrypt-then-MAC", self.encrypt_then_mac, cell.etm)?;
        switched("extended master secret", self.extended_master_secret, cell.ems)?;
        agree("handshake", self.resumed.map(word), word(resumed))?;
        if cell.has_exchange(resumed) {
            agree("group", self.group, cell.group)?;
        } else if cell.resume == Resume::Psk {
            let word = |share: bool| if share { "a key share" } else { "no key share" };
            agree("in the ServerHello", Some(word(self.group.is_some())), word(false))?;
        }
        if let Some(wanted) = cell.signature() {
            agree("signature", self.signature, wanted)?;
        }
        if resumed {
            return Ok(()); // certificates were shown when the session was new
        }
        let word = |shown: bool| if shown { "shown" } else { "absent" };
        agree("client certificate", self.client_cert.map(word), word(cell.auth == Auth::Mutual))
    }
}

/// What was seen of an extension, against what the cell wants of it.
fn switched(what: &'static str, found: Option<bool>, wanted: Extension) -> Result<(), Contradiction> {
    let word = |agreed: bool| if agreed { "agreed on" } else { "not agreed on" };
    match wanted {
        Extension::Auto => Ok(()),
        Extension::On => agree(what, found.map(word), word(true)),
        Extension::Off => agree(what, found.map(word), word(false)),
    }
}

fn agree<T: PartialEq + fmt::Display>(
    what: &'static str,
    found: Option<T>,
    wanted: T,
) -> Result<(), Contradiction> {
    match found {
        Some(found) if found != wanted => {
            Err(Contradiction { what, found: found.to_string(), wanted: wanted.to_string() })
        }
        _ => Ok(()),
    }
}

fn cipher_name(code: u16) -> String {
    Cipher::from_code(code).map_or_else(|| format!("{code:#06x}"), |cipher| cipher.openssl.to_owned())
}
