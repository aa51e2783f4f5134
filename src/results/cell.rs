//! One cell in a results file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Arrivals, Dims, Loops, Thresholds, WorkloadResult};
use crate::cell::{Alpn, Cell, Cipher};
use crate::measure::{Agreed, LoopKind};

/// What became of one cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CellResult {
    /// Its dimensions as `key=value` joined by `/`, without those at their default.
    pub id: String,
    /// All of its dimensions.
    pub dims: Dims,
    /// Whether it ran.
    pub status: Status,
    /// Why not, in words; null where it ran.
    pub reason: Option<String>,
    /// What both libraries say they negotiated in a full handshake; null where it did not run.
    pub negotiated: Option<Negotiated>,
    /// Times.
    pub loops: Loops,
    /// Bytes, records and flights.
    pub wire: Wire,
    /// Heap of one connection; null if not counted.
    pub heap: Option<Heap>,
    /// What the cell was put to beside the loops; empty unless asked for.
    #[serde(default)]
    pub workloads: Vec<WorkloadResult>,
    /// When answers arrive over the document's link; null without one.
    #[serde(default)]
    pub arrivals: Option<Arrivals>,
    /// What counts as a regression of this cell when the file is compared with another; null in older files.
    #[serde(default)]
    pub thresholds: Option<Thresholds>,
}

/// Whether a cell ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Every connection was what the cell says.
    Ok,
    /// An engine cannot do what the cell says.
    Unsupported,
    /// An engine failed, or a connection was not what the cell says.
    Error,
}

/// What was negotiated. The client's word counts; where its library cannot say, the server's; where neither can, what
/// was seen on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Negotiated {
    /// Protocol version, as in `dims`.
    pub proto: String,
    /// The cipher's OpenSSL name, as in `dims`.
    pub cipher: String,
    /// The cipher's IANA name; in SSL 2.0, which IANA's registry lacks, the name in its specification.
    pub cipher_iana: String,
    /// Key exchange group; null if there was none (static RSA) or none could be found out.
    pub group: Option<String>,
    /// Scheme of the server's handshake signature; null likewise.
    pub signature: Option<String>,
    /// Whether the client showed a certificate.
    pub client_cert: bool,
    /// Application protocol; null if none was agreed on.
    #[serde(default)]
    pub alpn: Option<String>,
    /// Whether encrypt-then-MAC was agreed on, by the hellos; null where they cannot say (TLS 1.3, SSL 2.0).
    #[serde(default)]
    pub encrypt_then_mac: Option<bool>,
    /// Whether the extended master secret was agreed on; null likewise.
    #[serde(default)]
    pub extended_master_secret: Option<bool>,
}

/// What passed through the pipes, headers of records included; null where it was not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// One full handshake, until both sides had finished.
    pub full: Option<WireCount>,
    /// One resumed handshake, likewise.
    pub reuse: Option<WireCount>,
    /// The application records of one connection.
    pub app: Option<AppCount>,
}

/// The wire of one handshake: the largest of several in each count, because signatures and tickets vary in length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireCount {
    /// Bytes that the client sent.
    pub client_bytes: u64,
    /// Bytes that the server sent.
    pub server_bytes: u64,
    /// Records that the client sent.
    pub client_records: u64,
    /// Records that the server sent.
    pub server_records: u64,
    /// Flights: runs of records in one direction before the other side speaks.
    pub flights: u64,
    /// Bytes sent after the handshake that are neither data nor close (TLS 1.3 tickets); not part of the above.
    pub post_handshake_bytes: u64,
}

/// The wire of one connection's application data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AppCount {
    /// Bytes that the client sent.
    pub client_bytes: u64,
    /// Bytes that the server sent.
    pub server_bytes: u64,
    /// Records that the client sent.
    pub client_records: u64,
    /// Records that the server sent.
    pub server_records: u64,
}

/// The heap of one connection, by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Heap {
    /// The client's.
    pub client: HeapSide,
    /// The server's.
    pub server: HeapSide,
}

/// The heap of one side of one full connection: the median of several, and the mean of what is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeapSide {
    /// Calls that allocated.
    pub allocations: u64,
    /// Bytes that they allocated, all together.
    pub bytes: u64,
    /// The most bytes alive at one time.
    pub peak_bytes: u64,
    /// Bytes still alive after the connection was closed and freed; negative if more was freed than allocated.
    pub held_bytes: i64,
    /// How far these vary from connection to connection, by random numbers and blinding; null in older files.
    #[serde(default)]
    pub range: Option<HeapRange>,
}

/// Between which values the middle 80 % of several connections lie, each count by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeapRange {
    /// Calls that allocated.
    pub allocations: [u64; 2],
    /// Bytes that they allocated, all together.
    pub bytes: [u64; 2],
    /// The most bytes alive at one time.
    pub peak_bytes: [u64; 2],
    /// Bytes still alive after the connection.
    pub held_bytes: [i64; 2],
}

impl CellResult {
    /// A cell that ran; loops, wire and heap are to be filled in.
    pub fn ok(cell: &Cell, negotiated: Negotiated) -> Self {
        Self { negotiated: Some(negotiated), ..Self::new(cell, Status::Ok, None) }
    }

    /// A cell that some engine cannot run, or that failed.
    pub fn without_numbers(cell: &Cell, status: Status, reason: impl ToString) -> Self {
        Self::new(cell, status, Some(reason.to_string()))
    }

    fn new(cell: &Cell, status: Status, reason: Option<String>) -> Self {
        Self {
            id: cell.id(),
            dims: cell.into(),
            status,
            reason,
            negotiated: None,
            loops: Loops::default(),
            wire: Wire::default(),
            heap: None,
            workloads: Vec::new(),
            arrivals: None,
            thresholds: None,
        }
    }
}

impl Wire {
    /// The handshake of one kind of loop.
    pub fn handshake(&self, kind: LoopKind) -> Option<WireCount> {
        match kind {
            LoopKind::Full => self.full,
            LoopKind::Reuse => self.reuse,
        }
    }
}

impl Status {
    /// The word in results files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Unsupported => "unsupported",
            Self::Error => "error",
        }
    }
}

impl From<&Agreed> for Negotiated {
    fn from(agreed: &Agreed) -> Self {
        let (client, server) = (&agreed.client, &agreed.server);
        let cipher = Cipher::from_code(client.cipher);
        let number = format!("{:#06x}", client.cipher);
        Self {
            proto: client.proto.to_string(),
            cipher: cipher.map_or_else(|| number.clone(), |cipher| cipher.openssl.to_owned()),
            cipher_iana: cipher.map_or(number, |cipher| cipher.standard_name(client.proto).to_owned()),
            group: client.group.or(server.group).map(|group| group.to_string()),
            signature: client.signature.or(server.signature).map(|scheme| scheme.to_string()),
            client_cert: client.client_cert || server.client_cert,
            alpn: (client.alpn != Alpn::None).then(|| client.alpn.to_string()),
            encrypt_then_mac: None,
            extended_master_secret: None,
        }
    }
}
