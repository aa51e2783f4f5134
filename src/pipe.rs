//! The in-memory pipes between client and server: made once for a loop, reused by every connection.

use crate::engine::Side;

/// A queue of bytes in one direction. What is written is readable at once; nothing is zeroed or freed.
#[derive(Debug)]
pub struct Pipe {
    buffer: Vec<u8>,
    taken: usize,
    written: u64,
}

impl Pipe {
    /// An empty pipe that holds `capacity` unread bytes before it has to grow.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { buffer: Vec::with_capacity(capacity), taken: 0, written: 0 }
    }

    /// Appends bytes.
    #[inline]
    pub fn write(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        self.written += bytes.len() as u64;
    }

    /// The bytes not yet read.
    #[inline]
    pub fn unread(&self) -> &[u8] {
        &self.buffer[self.taken..]
    }

    /// The bytes not yet read, to be tampered with by a test in between the two sides.
    pub fn unread_mut(&mut self) -> &mut [u8] {
        &mut self.buffer[self.taken..]
    }

    /// Whether nothing waits to be read.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.taken == self.buffer.len()
    }

    /// Marks `count` unread bytes as read.
    ///
    /// # Panics
    /// If fewer are unread.
    #[inline]
    pub fn consume(&mut self, count: usize) {
        assert!(count <= self.buffer.len() - self.taken, "consumed more than was unread");
        self.taken += count;
        if self.is_empty() {
            // All room is free again, without moving a byte.
            self.buffer.clear();
            self.taken = 0;
        }
    }

    /// Moves up to `into.len()` unread bytes out; 0 if there are none.
    #[inline]
    pub fn read(&mut self, into: &mut [u8]) -> usize {
        let unread = self.unread();
        let count = unread.len().min(into.len());
        into[..count].copy_from_slice(&unread[..count]);
        self.consume(count);
        count
    }

    /// Bytes written since the pipe was made.
    #[inline]
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Bytes written and bytes read since the pipe was made, in one number that grows with each.
    #[inline]
    pub fn moved(&self) -> u64 {
        2 * self.written - (self.buffer.len() - self.taken) as u64
    }

    /// Forgets unread bytes, for the next connection to start clean after a failed one.
    pub fn reset(&mut self) {
        self.buffer.clear();
        self.taken = 0;
    }
}

/// Both directions of one connection.
#[derive(Debug)]
pub struct Pipes {
    /// From client to server.
    pub to_server: Pipe,
    /// From server to client.
    pub to_client: Pipe,
}

impl Pipes {
    /// Two empty pipes of this capacity each.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { to_server: Pipe::with_capacity(capacity), to_client: Pipe::with_capacity(capacity) }
    }

    /// The two pipes as `side` sees them.
    #[inline]
    pub fn seen_by(&mut self, side: Side) -> Io<'_> {
        match side {
            Side::Client => Io { inbound: &mut self.to_client, outbound: &mut self.to_server },
            Side::Server => Io { inbound: &mut self.to_server, outbound: &mut self.to_client },
        }
    }

    /// The pipe that `side` writes into.
    #[inline]
    pub fn from_side(&self, side: Side) -> &Pipe {
        match side {
            Side::Client => &self.to_server,
            Side::Server => &self.to_client,
        }
    }

    /// The pipe that `side` writes into, to be tampered with.
    pub fn from_side_mut(&mut self, side: Side) -> &mut Pipe {
        match side {
            Side::Client => &mut self.to_server,
            Side::Server => &mut self.to_client,
        }
    }

    /// Bytes written and bytes read in both directions since the pipes were made: while it stands still, so does the
    /// connection.
    #[inline]
    pub fn moved(&self) -> u64 {
        self.to_server.moved() + self.to_client.moved()
    }

    /// Whether nothing is on its way in either direction.
    pub fn is_empty(&self) -> bool {
        self.to_server.is_empty() && self.to_client.is_empty()
    }

    /// Forgets what was not read.
    pub fn reset(&mut self) {
        self.to_server.reset();
        self.to_client.reset();
    }
}

/// The pipes as an endpoint is given them.
#[derive(Debug)]
pub struct Io<'a> {
    /// What the peer sent.
    pub inbound: &'a mut Pipe,
    /// Where to send to the peer.
    pub outbound: &'a mut Pipe,
}
