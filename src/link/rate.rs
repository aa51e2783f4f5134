//! Bandwidths as people write them.

use std::fmt;
use std::str::FromStr;

/// Bits a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bandwidth(pub f64);

/// Why a text is no bandwidth.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no bandwidth: write a number, 1bit at least, and bit, kbit, Mbit or Gbit (a second), such as 10Mbit"
)]
pub struct BandwidthError(String);

const UNITS: [(&str, f64); 4] = [("gbit", 1e9), ("mbit", 1e6), ("kbit", 1e3), ("bit", 1.0)];
/// No link is slower.
const LEAST: f64 = 1.0;
/// No link is faster.
const MOST: f64 = 1e15;

impl FromStr for Bandwidth {
    type Err = BandwidthError;

    fn from_str(text: &str) -> Result<Self, BandwidthError> {
        let lower = text.trim().to_ascii_lowercase();
        let lower = lower.trim_end_matches("/s");
        let bits = UNITS.iter().find_map(|(unit, factor)| {
            let number: f64 = lower.strip_suffix(unit)?.trim_end().parse().ok()?;
            Some(number * factor)
        });
        match bits {
            Some(bits) if (LEAST..=MOST).contains(&bits) => Ok(Self(bits)),
            _ => Err(BandwidthError(text.to_owned())),
        }
    }
}

impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, factor) = match self.0 {
            bits if bits >= 1e9 => ("Gbit/s", 1e9),
            bits if bits >= 1e6 => ("Mbit/s", 1e6),
            bits if bits >= 1e3 => ("kbit/s", 1e3),
            _ => ("bit/s", 1.0),
        };
        write!(f, "{} {unit}", self.0 / factor)
    }
}
