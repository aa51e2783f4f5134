//! The algorithms that primitives are made of, beside certificates' keys and groups, which cells name too.

use std::fmt;

use crate::cell::{UnknownName, dimension};

dimension! {
    /// A hash function.
    Hash is "hash" {
        /// MD5, RFC 1321.
        Md5 = "md5",
        /// SHA-1, FIPS 180-4.
        Sha1 = "sha1",
        /// SHA-256, FIPS 180-4.
        Sha256 = "sha256",
        /// SHA-384, FIPS 180-4.
        Sha384 = "sha384",
        /// SHA-512, FIPS 180-4.
        Sha512 = "sha512",
    }
}

impl Hash {
    /// Bytes of a digest.
    pub const fn length(self) -> usize {
        match self {
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    /// Bytes of a block of its compression function.
    pub const fn block(self) -> usize {
        match self {
            Self::Md5 | Self::Sha1 | Self::Sha256 => 64,
            Self::Sha384 | Self::Sha512 => 128,
        }
    }
}

dimension! {
    /// The hash of the pseudo-random function of TLS 1.0 to 1.2.
    PrfHash is "prf" {
        /// MD5 and SHA-1 together, of TLS 1.0 and 1.1 (RFC 2246, section 5).
        Md5Sha1 = "md5-sha1",
        /// SHA-256 (RFC 5246, section 5).
        Sha256 = "sha256",
        /// SHA-384 (RFC 5246, section 5).
        Sha384 = "sha384",
    }
}

/// How a cipher treats what is longer than its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A stream of key bytes that goes on from call to call.
    Stream,
    /// Blocks chained; the input is filled up to whole blocks.
    Cbc,
    /// A counter encrypted.
    Ctr,
    /// Counter with Galois authentication: an AEAD.
    Gcm,
    /// Counter with CBC-MAC: an AEAD.
    Ccm,
    /// Of disk sectors; takes a block at least, and two keys.
    Xts,
    /// ChaCha20 with Poly1305: an AEAD.
    ChaCha20,
}

dimension! {
    /// A cipher in a mode.
    SymmetricCipher is "cipher" {
        /// RC4.
        Rc4 = "rc4",
        /// Single DES.
        DesCbc = "des-cbc",
        /// Triple DES with three keys.
        DesEde3Cbc = "des-ede3",
        /// IDEA.
        IdeaCbc = "idea-cbc",
        /// SEED, RFC 4269.
        SeedCbc = "seed-cbc",
        /// Camellia, RFC 3713.
        Camellia128Cbc = "camellia128-cbc",
        /// Camellia, RFC 3713.
        Camellia256Cbc = "camellia256-cbc",
        /// AES in CBC mode.
        Aes128Cbc = "aes128-cbc",
        /// AES in CBC mode.
        Aes192Cbc = "aes192-cbc",
        /// AES in CBC mode.
        Aes256Cbc = "aes256-cbc",
        /// AES in counter mode.
        Aes128Ctr = "aes128-ctr",
        /// AES in counter mode.
        Aes192Ctr = "aes192-ctr",
        /// AES in counter mode.
        Aes256Ctr = "aes256-ctr",
        /// AES in Galois/counter mode.
        Aes128Gcm = "aes128-gcm",
        /// AES in Galois/counter mode.
        Aes192Gcm = "aes192-gcm",
        /// AES in Galois/counter mode.
        Aes256Gcm = "aes256-gcm",
        /// AES in counter mode with CBC-MAC, a tag of 16 bytes.
        Aes128Ccm = "aes128-ccm",
        /// AES in counter mode with CBC-MAC, a tag of 16 bytes.
        Aes192Ccm = "aes192-ccm",
        /// AES in counter mode with CBC-MAC, a tag of 16 bytes.
        Aes256Ccm = "aes256-ccm",
        /// AES for disks; there is none with keys of 192 bits (IEEE 1619).
        Aes128Xts = "aes128-xts",
        /// AES for disks.
        Aes256Xts = "aes256-xts",
        /// ChaCha20-Poly1305, RFC 8439.
        ChaCha20Poly1305 = "chacha20-poly1305",
    }
}

impl SymmetricCipher {
    /// Its mode.
    pub const fn mode(self) -> Mode {
        match self {
            Self::Rc4 => Mode::Stream,
            Self::DesCbc | Self::DesEde3Cbc | Self::IdeaCbc | Self::SeedCbc => Mode::Cbc,
            Self::Camellia128Cbc | Self::Camellia256Cbc => Mode::Cbc,
            Self::Aes128Cbc | Self::Aes192Cbc | Self::Aes256Cbc => Mode::Cbc,
            Self::Aes128Ctr | Self::Aes192Ctr | Self::Aes256Ctr => Mode::Ctr,
            Self::Aes128Gcm | Self::Aes192Gcm | Self::Aes256Gcm => Mode::Gcm,
            Self::Aes128Ccm | Self::Aes192Ccm | Self::Aes256Ccm => Mode::Ccm,
            Self::Aes128Xts | Self::Aes256Xts => Mode::Xts,
            Self::ChaCha20Poly1305 => Mode::ChaCha20,
        }
    }

    /// Bytes of its key; in XTS of both keys.
    pub const fn key_length(self) -> usize {
        match self {
            Self::DesCbc => 8,
            Self::Rc4 | Self::IdeaCbc | Self::SeedCbc | Self::Camellia128Cbc => 16,
            Self::Aes128Cbc | Self::Aes128Ctr | Self::Aes128Gcm | Self::Aes128Ccm => 16,
            Self::DesEde3Cbc | Self::Aes192Cbc | Self::Aes192Ctr | Self::Aes192Gcm | Self::Aes192Ccm => 24,
            Self::Camellia256Cbc | Self::Aes256Cbc | Self::Aes256Ctr | Self::Aes256Gcm => 32,
            Self::Aes256Ccm | Self::Aes128Xts | Self::ChaCha20Poly1305 => 32,
            Self::Aes256Xts => 64,
        }
    }

    /// Bytes of a block; 1 for what needs none.
    pub const fn block(self) -> usize {
        match self {
            Self::Rc4 | Self::ChaCha20Poly1305 => 1,
            Self::DesCbc | Self::DesEde3Cbc | Self::IdeaCbc => 8,
            _ => 16,
        }
    }

    /// Bytes of the initial vector or nonce that a call takes: in TLS, 12 for AEADs.
    pub const fn nonce_length(self) -> usize {
        match self.mode() {
            Mode::Stream => 0,
            Mode::Gcm | Mode::Ccm | Mode::ChaCha20 => 12,
            Mode::Cbc | Mode::Ctr | Mode::Xts => self.block(),
        }
    }

    /// Whether it authenticates: 16 bytes of tag, and additional data.
    pub const fn is_aead(self) -> bool {
        matches!(self.mode(), Mode::Gcm | Mode::Ccm | Mode::ChaCha20)
    }
}

dimension! {
    /// AES as a MAC.
    Cmac is "cmac" {
        /// AES with a key of 128 bits, RFC 4493.
        Aes128 = "aes128-cmac",
        /// AES with a key of 192 bits.
        Aes192 = "aes192-cmac",
        /// AES with a key of 256 bits.
        Aes256 = "aes256-cmac",
    }
}

impl Cmac {
    /// Bytes of its key.
    pub const fn key_length(self) -> usize {
        match self {
            Self::Aes128 => 16,
            Self::Aes192 => 24,
            Self::Aes256 => 32,
        }
    }
}
