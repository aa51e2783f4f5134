//! What the library says that it has and cannot do. Several of its versions switch the padding of CBC ciphers off before
//! they choose the cipher, which switches it on again; AWS-LC then holds the last block of every record back, and
//! nothing that was sent can be read (s2n-tls pull request 6042 is the remedy). Whether this build is such a one is tried
//! out, once a cipher and version.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use super::connection::Connection;
use super::own::Own;
use super::pinned::Pinned;
use crate::cell::{Bulk, Cell, Choice, Proto};
use crate::engine::{Endpoint, EngineError, Side, Start, Step};
use crate::fixtures::Credentials;
use crate::pipe::Pipes;

/// Turns of each side in a full handshake, and one more.
const TURNS: usize = 4;

/// Whether what is sent with the cell's cipher can be read. Only block ciphers are tried.
pub(super) fn succeeds(cell: &Cell) -> bool {
    static OUTCOMES: Mutex<BTreeMap<(u16, Proto), bool>> = Mutex::new(BTreeMap::new());
    if !matches!(cell.cipher.bulk, Bulk::Cbc(_)) {
        return true;
    }
    // Every change to the outcomes is whole at any time.
    let mut outcomes = OUTCOMES.lock().unwrap_or_else(PoisonError::into_inner);
    *outcomes.entry((cell.cipher.code, cell.proto)).or_insert_with(|| talk(cell).is_ok())
}

/// A connection of the library with itself: a handshake, and a byte.
fn talk(cell: &Cell) -> Result<(), EngineError> {
    let choice = Choice { proto: Some(cell.proto), cipher: Some(cell.cipher), ..Choice::default() };
    let plain = choice.pin(&cell.client, &cell.client).map_err(EngineError::new)?;
    let credentials = Credentials::of(&plain);
    let open = |side| {
        let pinned = Pinned::new(side, &plain, &credentials)?;
        Connection::open(&Rc::new(Own::new(pinned)), Start::Fresh)
    };
    let (mut client, mut server) = (open(Side::Client)?, open(Side::Server)?);
    let mut pipes = Pipes::with_capacity(0);
    let mut steps = [Step::Waiting; 2];
    for _ in 0..TURNS {
        steps = [
            client.handshake_step(&mut pipes.seen_by(Side::Client))?,
            server.handshake_step(&mut pipes.seen_by(Side::Server))?,
        ];
    }
    client.write(b"?", &mut pipes.seen_by(Side::Client))?;
    let received = server.read(&mut [0], &mut pipes.seen_by(Side::Server))?;
    match (steps, received) {
        ([Step::Done, Step::Done], 1) => Ok(()),
        _ => Err(EngineError::new("a connection with itself comes to a standstill")),
    }
}
