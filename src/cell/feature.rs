//! What a cell may ask of a library beyond what every cell asks: most libraries lack some of it.

use std::fmt;

use super::{Acceleration, Alpn, Cell, Extension, Hello, MAX_RECORD_SIZE, Resume};

/// Something that an engine must say it can do before a cell that asks for it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Resumption in TLS 1.3 without a Diffie-Hellman exchange.
    PskOnly,
    /// Records of application data with at most so many bytes.
    RecordSize(u32),
    /// 0-RTT data.
    EarlyData,
    /// A server that asks for another key share, or a client that first offers a wrong one.
    HelloRetry,
    /// Encrypt-then-MAC for sure, or for sure not.
    EncryptThenMac(bool),
    /// Extended master secret for sure, or for sure not.
    ExtendedMasterSecret(bool),
    /// An application protocol.
    Alpn,
    /// No use of the processor's instructions for cryptography.
    NoAcceleration,
}

impl Cell {
    /// What this cell asks for beyond the ordinary.
    pub fn features(&self) -> impl Iterator<Item = Feature> {
        let switched = |extension| match extension {
            Extension::Auto => None,
            Extension::On => Some(true),
            Extension::Off => Some(false),
        };
        [
            (self.resume == Resume::Psk).then_some(Feature::PskOnly),
            (self.record_size != MAX_RECORD_SIZE).then_some(Feature::RecordSize(self.record_size)),
            (self.early_data > 0).then_some(Feature::EarlyData),
            (self.hello == Hello::Retry).then_some(Feature::HelloRetry),
            switched(self.etm).map(Feature::EncryptThenMac),
            switched(self.ems).map(Feature::ExtendedMasterSecret),
            (self.alpn != Alpn::None).then_some(Feature::Alpn),
            (self.accel == Acceleration::Off).then_some(Feature::NoAcceleration),
        ]
        .into_iter()
        .flatten()
    }
}

impl fmt::Display for Feature {
    /// What completes "it has no way to …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PskOnly => f.write_str("resume without a Diffie-Hellman exchange"),
            Self::RecordSize(bytes) => write!(f, "limit records to {bytes} bytes of data"),
            Self::EarlyData => f.write_str("send or take 0-RTT data"),
            Self::HelloRetry => f.write_str("pin a HelloRetryRequest"),
            Self::EncryptThenMac(true) => f.write_str("agree on encrypt-then-MAC"),
            Self::EncryptThenMac(false) => f.write_str("switch encrypt-then-MAC off"),
            Self::ExtendedMasterSecret(true) => f.write_str("agree on the extended master secret"),
            Self::ExtendedMasterSecret(false) => f.write_str("switch the extended master secret off"),
            Self::Alpn => f.write_str("agree on an application protocol"),
            Self::NoAcceleration => f.write_str("do without the processor's instructions for cryptography"),
        }
    }
}
