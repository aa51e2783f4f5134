//! The ciphers of SSL 2.0 as OpenSSL does them, and the keys of a connection.

use openssl::cipher::{Cipher as Bulk, CipherRef};
use openssl::error::ErrorStack;
use openssl::md::{Md, MdRef};
use openssl::md_ctx::MdCtx;

use crate::cell::Cipher;

/// Bytes of an MD5 digest: of a MAC, and of each piece of key material.
pub const DIGEST: usize = 16;
/// Bytes of the longest key, that of triple DES.
pub const MAX_KEY: usize = 24;
/// Bytes of the longest block and initial vector.
pub const MAX_BLOCK: usize = 8;
/// Digests that the longest keys, one each way, are cut from.
const MAX_DIGESTS: usize = 2 * MAX_KEY / DIGEST;

/// A cipher with what OpenSSL needs for it, fetched once.
pub struct Suite {
    /// Its name on the wire.
    pub kind: [u8; 3],
    /// Bytes of the master key, and of each key made from it.
    pub key_bytes: usize,
    /// Bytes of a block; 1 for a stream cipher.
    pub block: usize,
    /// Bytes of the initial vector, which travels as the "key argument".
    pub argument_bytes: usize,
    bulk: Bulk,
    md5: Md,
}

impl Suite {
    /// The cipher of a cell, as far as OpenSSL has what it takes.
    pub fn of(cipher: &Cipher) -> Result<Self, ErrorStack> {
        let name = match cipher.openssl {
            "RC4-MD5" => "RC4",
            "DES-CBC-MD5" => "DES-CBC",
            _ => "DES-EDE3-CBC",
        };
        let bulk = Bulk::fetch(None, name, None)?;
        Ok(Self {
            kind: cipher.ssl2_kind().unwrap_or_default(),
            key_bytes: bulk.key_length(),
            block: bulk.block_size(),
            argument_bytes: bulk.iv_length(),
            bulk,
            md5: Md::fetch(None, "MD5", None)?,
        })
    }

    /// OpenSSL's cipher.
    pub fn bulk(&self) -> &CipherRef {
        &self.bulk
    }

    /// OpenSSL's digest.
    pub fn md5(&self) -> &MdRef {
        &self.md5
    }

    /// Bytes that fill up `length` to whole blocks.
    pub fn padding(&self, length: usize) -> usize {
        length.next_multiple_of(self.block) - length
    }
}

/// What the two keys of a connection are cut from.
pub struct KeyMaterial {
    bytes: [u8; MAX_DIGESTS * DIGEST],
    key_bytes: usize,
}

impl KeyMaterial {
    /// Makes it from the session's master key and from what both sides have contributed to this connection.
    pub fn derive(
        suite: &Suite,
        digest: &mut MdCtx,
        master_key: &[u8],
        challenge: &[u8],
        connection_id: &[u8],
    ) -> Result<Self, ErrorStack> {
        let mut bytes = [0; MAX_DIGESTS * DIGEST];
        let needed = 2 * suite.key_bytes;
        for (piece, digit) in bytes[..needed].chunks_mut(DIGEST).zip(*b"012") {
            digest.digest_init(suite.md5())?;
            digest.digest_update(master_key)?;
            // The specification numbers the digests where there are several; single DES is served by one.
            if needed > DIGEST {
                digest.digest_update(&[digit])?;
            }
            digest.digest_update(challenge)?;
            digest.digest_update(connection_id)?;
            digest.digest_final(piece)?;
        }
        Ok(Self { bytes, key_bytes: suite.key_bytes })
    }

    /// All of it, which a client's signature covers.
    pub fn all(&self) -> &[u8] {
        &self.bytes[..2 * self.key_bytes]
    }

    /// The key of what the server sends.
    pub fn client_read(&self) -> &[u8] {
        &self.all()[..self.key_bytes]
    }

    /// The key of what the client sends.
    pub fn client_write(&self) -> &[u8] {
        &self.all()[self.key_bytes..]
    }
}
