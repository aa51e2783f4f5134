//! Where to tamper: every byte of a direction, or every record's header and the ends and the middle of its body and
//! a seeded sample of the rest.

use super::meddler::{Deed, HEADER, Random, Stream};

/// How many places of a connection are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// All bits of every header, and one bit of each other byte.
    EveryByte,
    /// One bit of each header byte and of each byte with a meaning of its own, and so many others in each direction:
    /// for cells whose handshakes take milliseconds.
    Sample(usize),
}

/// Flips for one direction of a connection like the one that sent `stream`.
pub fn flips(stream: &Stream, coverage: Coverage, random: &mut Random) -> Vec<Deed> {
    let lengths: Vec<(usize, usize)> =
        stream.records().iter().map(|(_, bytes)| (stream.header_bytes(bytes), bytes.len())).collect();
    let body_bytes: usize = lengths.iter().map(|(header, length)| length - header).sum();
    let mut deeds = Vec::new();
    for (record, &(header, length)) in lengths.iter().enumerate() {
        // The first four bytes of a body are the header of a handshake message, or belong to a nonce.
        let telling = [header, header + 1, header + 2, header + 3, length / 2, length - 2, length - 1];
        for offset in 0..length {
            let one_bit = random.below(8) as u8;
            let mut flip = |bit| deeds.push(Deed::Flip { record, offset, bit });
            match coverage {
                Coverage::EveryByte if offset < header => (0..8).for_each(flip),
                Coverage::EveryByte => flip(one_bit),
                Coverage::Sample(count) => {
                    let is_drawn = random.below(body_bytes) < count;
                    if offset < header || telling.contains(&offset) || is_drawn {
                        flip(one_bit);
                    }
                }
            }
        }
    }
    deeds
}

/// What else can happen to each record and batch of one direction.
pub fn losses_and_additions(stream: &Stream, random: &mut Random) -> Vec<Deed> {
    let mut deeds = Vec::new();
    for record in 0..stream.records().len() {
        deeds.extend([Deed::Drop { record }, Deed::Repeat { record }]);
    }
    for (batch, length) in stream.batches().into_iter().enumerate() {
        for bytes in [1, 2, HEADER, length / 2, length - 1, length, 1 + random.below(length)] {
            deeds.push(Deed::Truncate { batch, bytes });
        }
        deeds.push(Deed::Garbage { batch, seed: random.below(1 << 30) as u64 });
    }
    deeds
}
