//! Reads the fields of a handshake message; a field that is not there is `None`, never a panic.

/// What is left to read of a message.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a>(pub &'a [u8]);

impl<'a> Cursor<'a> {
    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// One byte.
    pub fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// Two bytes, the high one first.
    pub fn u16(&mut self) -> Option<u16> {
        self.take(2).map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    /// Three bytes, the high one first.
    pub fn u24(&mut self) -> Option<u32> {
        self.take(3).map(|bytes| u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]]))
    }

    /// A vector with its length in one byte.
    pub fn vector8(&mut self) -> Option<&'a [u8]> {
        let length = self.u8()?;
        self.take(length.into())
    }

    /// A vector with its length in two bytes.
    pub fn vector16(&mut self) -> Option<&'a [u8]> {
        let length = self.u16()?;
        self.take(length.into())
    }
}
