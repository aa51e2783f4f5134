//! How libraries cut what they send into records: the one thing about record sizes that no standard says.

use std::fmt;

use super::Side;
use crate::cell::{Bulk, Cell, MAX_RECORD_SIZE, Proto};

/// How a library cuts one write of application data into records. Fragments hold 16384 bytes at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordHabit {
    /// As few records as possible.
    Whole,
    /// An empty record before each full one, so that nobody can choose the plaintext that meets a known initial vector.
    EmptyFirst,
    /// To the same end: the first byte in a record of its own, then up to 16384 more, and so on.
    OneThenRest,
    /// To the same end, but clients only: the first byte of a write in a record of its own, once, and then as few records
    /// as possible.
    ClientOneThenRest,
    /// To the same end: as few records as possible, and of each the first byte in one of its own, so that the other holds
    /// 16383 at most.
    OneOfWhole,
    /// TLS 1.3: as few records as possible, each padded so that data and the byte of its type fill whole blocks of 16
    /// bytes, which leaves 16383 for data at most.
    PaddedTo16,
    /// As few records as possible, and nothing in them but the data: no cryptography.
    Unprotected,
}

impl RecordHabit {
    /// This habit where the countermeasure is needed, with CBC ciphers of SSL 3.0 and TLS 1.0 (a record's initial
    /// vector is the end of the record before it), else `Whole`.
    pub fn where_needed(self, cell: &Cell) -> Self {
        let is_chained = cell.proto <= Proto::Tls10 && matches!(cell.cipher.bulk, Bulk::Cbc(_));
        if is_chained { self } else { Self::Whole }
    }

    /// What is left of this habit on `side`.
    pub fn of_side(self, side: Side) -> Self {
        match (self, side) {
            (Self::ClientOneThenRest, Side::Server) => Self::Whole,
            _ => self,
        }
    }

    /// The bytes that `fragment` bytes of a record are on the wire, without its header, type and protection.
    pub fn padded(self, fragment: u64) -> u64 {
        match self {
            Self::PaddedTo16 => (fragment + 1).next_multiple_of(16) - 1,
            _ => fragment,
        }
    }

    /// The most bytes of data in a record, where a cell allows `most`.
    pub fn largest_fragment(self, most: u64) -> u64 {
        match self {
            Self::OneOfWhole | Self::PaddedTo16 => most.min(u64::from(MAX_RECORD_SIZE) - 1),
            _ => most,
        }
    }
}

impl fmt::Display for RecordHabit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Whole => "as few records as possible",
            Self::EmptyFirst => "an empty record before each",
            Self::OneThenRest => "one byte first, then the rest",
            Self::ClientOneThenRest => "one byte first, then the rest, from the client",
            Self::OneOfWhole => "each in two, one byte first",
            Self::PaddedTo16 => "padded to whole blocks of 16",
            Self::Unprotected => "plain records",
        })
    }
}
