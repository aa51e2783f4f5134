//! The counts that a results file holds, made from the records of one connection.

use super::record::{Record, Stage};
use crate::engine::Side;

/// One handshake on the wire, until both sides had finished.
///
/// What a side sends after its peer has finished (TLS 1.3 tickets) is neither handshake nor flight; its bytes stand
/// by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WireCount {
    /// Bytes from the client, record headers included.
    pub client_bytes: u64,
    /// Bytes from the server, record headers included.
    pub server_bytes: u64,
    /// Records from the client.
    pub client_records: u64,
    /// Records from the server.
    pub server_records: u64,
    /// Times that a side spoke before the other answered.
    pub flights: u64,
    /// Bytes sent after the handshake that carry no data: tickets, both directions.
    pub post_handshake_bytes: u64,
}

/// The application data of one connection on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AppCount {
    /// Bytes from the client, record headers included.
    pub client_bytes: u64,
    /// Bytes from the server, record headers included.
    pub server_bytes: u64,
    /// Records from the client.
    pub client_records: u64,
    /// Records from the server.
    pub server_records: u64,
}

impl WireCount {
    /// Counts the handshake of one connection's records.
    pub fn of(records: &[Record]) -> Self {
        let mut count = Self::default();
        let mut speaker = None;
        for record in records {
            let bytes = u64::from(record.length);
            match record.stage {
                Stage::PostHandshake => count.post_handshake_bytes += bytes,
                Stage::Application | Stage::Close => {}
                Stage::Handshake => {
                    count.flights += u64::from(speaker != Some(record.side));
                    speaker = Some(record.side);
                    match record.side {
                        Side::Client => {
                            count.client_bytes += bytes;
                            count.client_records += 1;
                        }
                        Side::Server => {
                            count.server_bytes += bytes;
                            count.server_records += 1;
                        }
                    }
                }
            }
        }
        count
    }

    /// The larger of two connections in each count.
    pub fn max_of(self, other: Self) -> Self {
        Self {
            client_bytes: self.client_bytes.max(other.client_bytes),
            server_bytes: self.server_bytes.max(other.server_bytes),
            client_records: self.client_records.max(other.client_records),
            server_records: self.server_records.max(other.server_records),
            flights: self.flights.max(other.flights),
            post_handshake_bytes: self.post_handshake_bytes.max(other.post_handshake_bytes),
        }
    }
}

impl AppCount {
    /// Counts the application data of one connection's records.
    pub fn of(records: &[Record]) -> Self {
        let mut count = Self::default();
        for record in records.iter().filter(|record| record.stage == Stage::Application) {
            match record.side {
                Side::Client => {
                    count.client_bytes += u64::from(record.length);
                    count.client_records += 1;
                }
                Side::Server => {
                    count.server_bytes += u64::from(record.length);
                    count.server_records += 1;
                }
            }
        }
        count
    }
}
