//! rustls, with each of three cryptography providers. One engine a provider; all else is shared.
//!
//! A rustls server takes 0-RTT data only where it keeps the sessions itself, and gives each away once: that guards it
//! against replays (RFC 8446, 8.1). So in cells with 0-RTT data a ticket is the name of a session in the server's cache,
//! and in all others of TLS 1.3 it is the session, sealed.

mod config;
mod endpoint;
#[cfg(feature = "rustls-graviola")]
mod graviola;
mod pinned;
mod primitives;
mod sessions;
#[cfg(test)]
mod tests;
mod verify;

use std::sync::Arc;

use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::server::ProducesTickets;
use rustls::{SupportedCipherSuite, SupportedProtocolVersion, version};

use super::{Engine, EngineError, EngineInfo, Prepared, Side, Unsupported};
use crate::cell::{Bulk, Cell, Feature, Group, Hello, KeyExchange, Proto};
use crate::fixtures::Credentials;
use crate::primitive::{Input, NoOperation, Operation, Primitive};

/// The smallest modulus that rustls accepts: no provider loads a smaller private key, and no verification
/// algorithm of theirs takes a smaller public one. They have no call to ask, so the number stands here.
const MIN_RSA_BITS: u16 = 2048;

/// The provider that has a switch for the processor's instructions.
#[cfg(feature = "rustls-aws-lc")]
const AWS_LC: &str = "aws-lc-rs";

/// rustls over one cryptography provider.
pub struct Rustls {
    id: &'static str,
    provider_name: &'static str,
    provider_build: &'static str,
    /// All that the provider can do, of which every cell takes one cipher and its group.
    provider: CryptoProvider,
    new_ticketer: fn() -> Result<Arc<dyn ProducesTickets>, rustls::Error>,
    make: primitives::Maker,
    /// Why the provider does not run on this machine, if it does not.
    obstacle: Option<String>,
}

impl Rustls {
    /// rustls over aws-lc-rs, its default provider.
    #[cfg(feature = "rustls-aws-lc")]
    pub fn aws_lc() -> Self {
        use rustls::crypto::aws_lc_rs as aws;
        Self {
            id: "rustls-aws-lc",
            provider_name: AWS_LC,
            provider_build: concat!(
                "aws-lc-rs ",
                env!("TLSPAIR_AWS_LC_RS_VERSION"),
                " (aws-lc-sys ",
                env!("TLSPAIR_AWS_LC_SYS_VERSION"),
                ")"
            ),
            provider: CryptoProvider {
                cipher_suites: aws::ALL_CIPHER_SUITES.to_vec(),
                kx_groups: aws::ALL_KX_GROUPS.to_vec(),
                ..aws::default_provider()
            },
            new_ticketer: aws::Ticketer::new,
            make: primitives::aws_lc::operation,
            obstacle: None,
        }
    }

    /// rustls over ring.
    #[cfg(feature = "rustls-ring")]
    pub fn ring() -> Self {
        use rustls::crypto::ring;
        Self {
            id: "rustls-ring",
            provider_name: "ring",
            provider_build: concat!("ring ", env!("TLSPAIR_RING_VERSION")),
            provider: CryptoProvider {
                cipher_suites: ring::ALL_CIPHER_SUITES.to_vec(),
                kx_groups: ring::ALL_KX_GROUPS.to_vec(),
                ..ring::default_provider()
            },
            new_ticketer: ring::Ticketer::new,
            make: primitives::ring::operation,
            obstacle: None,
        }
    }

    /// rustls over Graviola.
    #[cfg(feature = "rustls-graviola")]
    pub fn graviola() -> Self {
        Self {
            id: "rustls-graviola",
            provider_name: "Graviola",
            provider_build: concat!(
                "rustls-graviola ",
                env!("TLSPAIR_RUSTLS_GRAVIOLA_VERSION"),
                " (graviola ",
                env!("TLSPAIR_GRAVIOLA_VERSION"),
                ")"
            ),
            provider: rustls_graviola::default_provider(),
            new_ticketer: rustls_graviola::Ticketer::new,
            make: primitives::graviola::operation,
            obstacle: graviola::obstacle(),
        }
    }

    fn runs_here(&self) -> Result<(), Unsupported> {
        self.obstacle.clone().map_or(Ok(()), |words| Err(Unsupported(words)))
    }

    fn cipher(&self, cell: &Cell) -> Result<SupportedCipherSuite, Unsupported> {
        self.provider
            .cipher_suites
            .iter()
            .find(|suite| u16::from(suite.suite()) == cell.cipher.code)
            .copied()
            .ok_or_else(|| Unsupported(missing_cipher(cell)))
    }

    fn group(&self, group: Group) -> Result<&'static dyn SupportedKxGroup, Unsupported> {
        self.provider
            .kx_groups
            .iter()
            .find(|known| Some(u16::from(known.name())) == group.code())
            .copied()
            .ok_or_else(|| Unsupported(format!("rustls with {} has no group {group}", self.provider_name)))
    }

    /// The groups that `side` offers or takes: the cell's alone, with two exceptions, both a client's. In TLS 1.2 its list
    /// also says which curves a certificate's key may lie on (RFC 8422, 5.1.1), and other libraries' servers keep to that:
    /// the certificate's curve comes second, and is not used for the exchange, because servers are pinned to the cell's
    /// group. And a client that is to guess wrong lists its guess first, which is the group that rustls sends a key share
    /// of.
    fn groups(&self, side: Side, cell: &Cell) -> Result<Vec<&'static dyn SupportedKxGroup>, Unsupported> {
        let wanted = self.group(cell.group)?;
        if side == Side::Server {
            return Ok(vec![wanted]);
        }
        let mut groups = vec![wanted];
        if cell.hello == Hello::Retry {
            groups.insert(0, self.group(cell.group.wrong_guess())?);
        }
        let curve = cell.cert.curve().filter(|&curve| cell.proto == Proto::Tls12 && curve != cell.group);
        if let Some(curve) = curve {
            groups.push(self.group(curve).map_err(|Unsupported(why)| {
                Unsupported(format!("{why}, so as a client no {} certificates in TLS 1.2", cell.cert))
            })?);
        }
        Ok(groups)
    }

    /// The one scheme that a cell's certificates sign with, if this provider knows it.
    fn scheme(&self, cell: &Cell) -> Result<rustls::SignatureScheme, Unsupported> {
        let wanted = cell.certificate_signature();
        if cell.cert.rsa_bits().is_some_and(|bits| bits < MIN_RSA_BITS) {
            return Err(Unsupported(format!(
                "rustls neither signs nor verifies with RSA keys under {MIN_RSA_BITS} bits"
            )));
        }
        self.provider
            .signature_verification_algorithms
            .mapping
            .iter()
            .map(|(scheme, _)| *scheme)
            .find(|scheme| Some(u16::from(*scheme)) == wanted.code())
            .ok_or_else(|| {
                Unsupported(format!("rustls with {} has no signature {wanted}", self.provider_name))
            })
    }

    /// In TLS 1.2 the cipher also says in which schemes a server may sign, and a provider's list can be shorter than what
    /// its keys can do.
    fn signs_in(
        &self,
        cell: &Cell,
        cipher: SupportedCipherSuite,
        scheme: rustls::SignatureScheme,
    ) -> Result<(), Unsupported> {
        match cipher {
            SupportedCipherSuite::Tls12(cipher) if !cipher.sign.contains(&scheme) => {
                Err(Unsupported(format!(
                    "rustls with {} has no signature {} in TLS 1.2",
                    self.provider_name,
                    cell.certificate_signature()
                )))
            }
            _ => Ok(()),
        }
    }
}

impl Engine for Rustls {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: self.id,
            library: "rustls".to_owned(),
            version: env!("TLSPAIR_RUSTLS_VERSION").to_owned(),
            build: format!("{}, opt-level {}", self.provider_build, env!("TLSPAIR_OPT_LEVEL")),
            is_tls: true,
        }
    }

    fn supports(&self, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        self.runs_here()?;
        version_of(cell)?;
        let cipher = self.cipher(cell)?;
        self.groups(side, cell)?;
        self.signs_in(cell, cipher, self.scheme(cell)?)
    }

    fn offers(&self, feature: Feature, _cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        let refuse = |why: &str| Err(Unsupported(format!("rustls {why}")));
        match feature {
            Feature::RecordSize(_)
            | Feature::EarlyData
            | Feature::HelloRetry
            | Feature::ExtendedMasterSecret(true)
            | Feature::Alpn => Ok(()),
            Feature::PskOnly => refuse("resumes with a Diffie-Hellman exchange only (psk_dhe_ke)"),
            Feature::EncryptThenMac(_) => refuse("offers no CBC ciphers, and so no encrypt-then-MAC"),
            Feature::ExtendedMasterSecret(false) => {
                refuse("always offers the extended master secret, and always takes it")
            }
            Feature::NoAcceleration => refuse("leaves the processor's instructions to its provider"),
        }
    }

    fn operation(&self, primitive: Primitive, input: &Input) -> Result<Box<dyn Operation>, NoOperation> {
        self.runs_here()?;
        let made = primitives::operation(&self.provider, self.make, primitive, input)?;
        made.ok_or_else(|| self.has_no_such_primitive().into())
    }

    /// It is the provider that has it or not.
    fn has_no_such_primitive(&self) -> Unsupported {
        Unsupported(format!("{} has no such primitive in its interface", self.provider_name))
    }

    fn acceleration_switch(&self) -> Result<&'static [(&'static str, &'static str)], Unsupported> {
        let name = self.provider_name;
        #[cfg(all(target_arch = "x86_64", feature = "rustls-aws-lc", aws_lc_symbols))]
        if name == AWS_LC {
            return Ok(super::ia32cap::SWITCH);
        }
        Err(Unsupported(format!("{name} uses whatever the processor has, and has no switch")))
    }

    #[cfg(all(target_arch = "x86_64", feature = "rustls-aws-lc", aws_lc_symbols))]
    fn is_unaccelerated(&self) -> bool {
        self.provider_name == AWS_LC && super::ia32cap::are_cleared(super::aws_lc::ia32cap())
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        let pins = config::Pins {
            version: version_of(cell).map_err(EngineError::new)?,
            scheme: self.scheme(cell).map_err(EngineError::new)?,
            provider: Arc::new(CryptoProvider {
                cipher_suites: vec![self.cipher(cell).map_err(EngineError::new)?],
                kx_groups: self.groups(side, cell).map_err(EngineError::new)?,
                ..self.provider.clone()
            }),
            new_ticketer: self.new_ticketer,
        };
        match side {
            Side::Client => Ok(Box::new(config::PreparedClient::new(&pins, cell, credentials)?)),
            Side::Server => Ok(Box::new(config::PreparedServer::new(&pins, cell, credentials)?)),
        }
    }
}

fn version_of(cell: &Cell) -> Result<&'static SupportedProtocolVersion, Unsupported> {
    match cell.proto {
        Proto::Tls12 => Ok(&version::TLS12),
        Proto::Tls13 => Ok(&version::TLS13),
        older => Err(Unsupported(format!("rustls has no {}", older.title()))),
    }
}

/// Says what kind of cipher rustls lacks, the most telling reason first.
fn missing_cipher(cell: &Cell) -> String {
    let cipher = cell.cipher;
    if cipher.kx == KeyExchange::StaticRsa {
        return "rustls offers no ciphers with static RSA".to_owned();
    }
    match cipher.bulk {
        Bulk::Cbc(_) => "rustls offers no CBC ciphers".to_owned(),
        Bulk::Stream => "rustls offers no NULL or RC4 ciphers".to_owned(),
        Bulk::AeadExplicit(_) | Bulk::ChaCha20 => format!("rustls offers no cipher {}", cipher.openssl),
    }
}
