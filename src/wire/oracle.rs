//! What the counts must be, by arithmetic from the protocols alone: the size of a record around a fragment, the
//! records and bytes of a transfer, the flights of a handshake.

use super::count::{AppCount, WireCount};
use super::record::HEADER;
use super::seen::Seen;
use crate::cell::{Auth, Bulk, Cell, Cipher, Direction, Hello, Proto, UnknownName};
use crate::engine::{Engines, RecordHabit, Side};

/// A count that the formulas contradict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {found} on the wire, {wanted} by the formula")]
pub struct Mismatch {
    /// What was counted.
    pub what: String,
    /// What the wire shows.
    pub found: u64,
    /// What it should be.
    pub wanted: u64,
}

/// What the sizes of a cell's records depend on beside the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habits {
    /// How the client cuts its data.
    pub client: RecordHabit,
    /// How the server does.
    pub server: RecordHabit,
    /// Whether encrypt-then-MAC (RFC 7366) was agreed on, which the hellos show.
    pub encrypt_then_mac: bool,
}

impl Habits {
    /// The habits of the cell's two engines in a connection whose hellos showed this.
    pub fn of(engines: &Engines, cell: &Cell, seen: &Seen) -> Result<Self, UnknownName> {
        let client = engines.named(&cell.client)?;
        let server = engines.named(&cell.server)?;
        Ok(Self {
            client: client.record_habit(cell).of_side(Side::Client),
            server: server.record_habit(cell).of_side(Side::Server),
            encrypt_then_mac: seen.encrypt_then_mac == Some(true),
        })
    }

    fn of_side(&self, side: Side) -> RecordHabit {
        match side {
            Side::Client => self.client,
            Side::Server => self.server,
        }
    }
}

/// Bytes on the wire of a protected record around `fragment` bytes, with minimal padding.
///
/// `encrypt_then_mac` says that it was agreed on; it matters to CBC ciphers of TLS 1.0 to 1.2 only.
pub fn record_bytes(fragment: u64, proto: Proto, cipher: &Cipher, encrypt_then_mac: bool) -> u64 {
    let mac = u64::from(cipher.mac);
    if proto == Proto::Ssl2 {
        return ssl2_record_bytes(fragment + mac, cipher);
    }
    let protected = match cipher.bulk {
        Bulk::Stream => fragment + mac,
        Bulk::Cbc(block) => {
            let block = u64::from(block);
            let initial_vector = if proto >= Proto::Tls11 { block } else { 0 };
            // One byte at least says how long the padding is.
            let padded = |length: u64| (length + 1).div_ceil(block) * block;
            if encrypt_then_mac && proto >= Proto::Tls10 {
                initial_vector + padded(fragment) + mac
            } else {
                initial_vector + padded(fragment + mac)
            }
        }
        Bulk::AeadExplicit(tag) if proto == Proto::Tls13 => fragment + 1 + u64::from(tag),
        Bulk::AeadExplicit(tag) => 8 + fragment + u64::from(tag),
        Bulk::ChaCha20 if proto == Proto::Tls13 => fragment + 1 + 16,
        Bulk::ChaCha20 => fragment + 16,
    };
    HEADER as u64 + protected
}

/// SSL 2.0: the header has two bytes, and a third with the padding's length where there is padding; unlike in later
/// versions, there is none where data and MAC fill whole blocks.
fn ssl2_record_bytes(length: u64, cipher: &Cipher) -> u64 {
    let Bulk::Cbc(block) = cipher.bulk else { return 2 + length };
    let padded = length.next_multiple_of(block.into());
    if padded == length { 2 + length } else { 3 + padded }
}

/// The most bytes of data that a record of this cell holds. In SSL 2.0 no record with padding is longer than 16383
/// bytes: whole blocks to that limit and less the MAC, 16360 bytes fit however they are padded.
pub fn largest_fragment(cell: &Cell) -> u64 {
    let record_size = u64::from(cell.record_size);
    match cell.cipher.bulk {
        Bulk::Cbc(block) if cell.proto == Proto::Ssl2 => {
            let block = u64::from(block);
            record_size.min(16383 / block * block - u64::from(cell.cipher.mac))
        }
        _ => record_size,
    }
}

/// Records and bytes of one side's data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Volume {
    records: u64,
    bytes: u64,
}

impl Volume {
    fn times(self, count: u64) -> Self {
        Self { records: self.records * count, bytes: self.bytes * count }
    }

    fn plus(self, other: Self) -> Self {
        Self { records: self.records + other.records, bytes: self.bytes + other.bytes }
    }
}

/// What one full or resumed connection of the cell must put on the wire as application data.
pub fn expected_app(cell: &Cell, habits: &Habits, resumed: bool) -> AppCount {
    let early = if resumed { u64::from(cell.early_data) } else { 0 };
    let side_volume = |side: Side, is_silent: bool, early: u64| {
        if is_silent {
            return Volume::default();
        }
        let of_bytes = |bytes| volume(cell, bytes, habits.of_side(side), habits.encrypt_then_mac);
        let first = of_bytes(early).plus(of_bytes(cell.bytes - early));
        first.plus(of_bytes(cell.bytes).times(u64::from(cell.requests) - 1))
    };
    let client = side_volume(Side::Client, cell.direction == Direction::Down, early);
    let server = side_volume(Side::Server, cell.direction == Direction::Up, 0);
    AppCount {
        client_bytes: client.bytes,
        server_bytes: server.bytes,
        client_records: client.records,
        server_records: server.records,
    }
}

/// `bytes` in writes of the cell's chunk.
fn volume(cell: &Cell, bytes: u64, habit: RecordHabit, encrypt_then_mac: bool) -> Volume {
    let chunk = u64::from(cell.chunk);
    let of_write = |length: u64| {
        let mut volume = Volume::default();
        for_each_fragment(length, habit, largest_fragment(cell), |fragment| {
            volume.records += 1;
            volume.bytes += match habit {
                RecordHabit::Unprotected => HEADER as u64 + fragment,
                _ => record_bytes(habit.padded(fragment), cell.proto, cell.cipher, encrypt_then_mac),
            };
        });
        volume
    };
    of_write(chunk).times(bytes / chunk).plus(of_write(bytes % chunk))
}

/// The fragments that a write of `length` bytes is cut into.
fn for_each_fragment(length: u64, habit: RecordHabit, most: u64, mut found: impl FnMut(u64)) {
    let mut left = length;
    while left > 0 {
        match habit {
            RecordHabit::EmptyFirst => found(0),
            RecordHabit::ClientOneThenRest if left == length && left > 1 => {
                found(1);
                left -= 1;
            }
            RecordHabit::OneThenRest | RecordHabit::OneOfWhole if left > 1 => {
                found(1);
                left -= 1;
            }
            _ => {}
        }
        let fragment = left.min(habit.largest_fragment(most));
        found(fragment);
        left -= fragment;
    }
}

/// Times that a side speaks before the other answers: 4 and 3 from SSL 3.0 up to TLS 1.2, 3 in TLS 1.3, and 2 more if
/// the server asks for another key share. SSL 2.0 spends the third of its flights on the client's finish, resumed or
/// not; 2 more carry the request for a client certificate and the certificate.
pub fn expected_flights(cell: &Cell, resumed: bool) -> u64 {
    if cell.proto == Proto::Ssl2 {
        return if cell.auth == Auth::Mutual && !resumed { 6 } else { 4 };
    }
    let flights = if cell.proto == Proto::Tls13 || resumed { 3 } else { 4 };
    flights + if cell.hello == Hello::Retry { 2 } else { 0 }
}

/// Checks the counts of one connection's application data.
pub fn check_app(count: &AppCount, cell: &Cell, habits: &Habits, resumed: bool) -> Result<(), Mismatch> {
    let wanted = expected_app(cell, habits, resumed);
    for side in Side::BOTH {
        let (found, wanted) = match side {
            Side::Client => {
                ((count.client_records, count.client_bytes), (wanted.client_records, wanted.client_bytes))
            }
            Side::Server => {
                ((count.server_records, count.server_bytes), (wanted.server_records, wanted.server_bytes))
            }
        };
        let habit = habits.of_side(side);
        same(format!("{side}'s data records ({habit})"), found.0, wanted.0)?;
        same(format!("{side}'s data bytes ({habit})"), found.1, wanted.1)?;
    }
    Ok(())
}

/// Checks the flights of one handshake.
pub fn check_flights(count: &WireCount, cell: &Cell, resumed: bool) -> Result<(), Mismatch> {
    same("flights".to_owned(), count.flights, expected_flights(cell, resumed))
}

fn same(what: String, found: u64, wanted: u64) -> Result<(), Mismatch> {
    if found == wanted { Ok(()) } else { Err(Mismatch { what, found, wanted }) }
}
