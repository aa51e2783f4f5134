//! Which primitives a cipher suite is made of.

use crate::cell::{Cell, Cipher, Proto};
use crate::primitive::{Hash, PrfHash, SymmetricCipher};

/// The primitives of a cell's cipher suite under its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Algorithms {
    /// What encrypts; none for NULL ciphers.
    pub cipher: Option<SymmetricCipher>,
    /// The hash of its MAC; none for AEADs.
    pub mac: Option<Hash>,
    /// The hash of the transcript and, from TLS 1.2 on, of key derivation.
    pub hash: Hash,
    /// The pseudo-random function of TLS 1.0 to 1.2; none elsewhere.
    pub prf: Option<PrfHash>,
}

impl Algorithms {
    /// Of a cell.
    pub fn of(cell: &Cell) -> Self {
        let suite_hash = if ends_in(cell.cipher, "SHA384") { Hash::Sha384 } else { Hash::Sha256 };
        let prf = match cell.proto {
            Proto::Ssl2 | Proto::Ssl3 | Proto::Tls13 => None,
            Proto::Tls10 | Proto::Tls11 => Some(PrfHash::Md5Sha1),
            Proto::Tls12 if suite_hash == Hash::Sha384 => Some(PrfHash::Sha384),
            Proto::Tls12 => Some(PrfHash::Sha256),
        };
        Self {
            cipher: encryption(cell.cipher),
            mac: (cell.cipher.mac > 0).then(|| mac(cell.cipher)),
            // Before TLS 1.2 transcripts are hashed twice, by MD5 and by SHA-1.
            hash: if cell.proto < Proto::Tls12 { Hash::Sha1 } else { suite_hash },
            prf,
        }
    }
}

fn ends_in(cipher: &Cipher, hash: &str) -> bool {
    cipher.iana.ends_with(hash)
}

/// By the length of the MAC, which names it: no two hashes of ciphers are as long as each other.
fn mac(cipher: &Cipher) -> Hash {
    let of_length = Hash::ALL.iter().copied().find(|hash| hash.length() == usize::from(cipher.mac));
    of_length.expect("every MAC of a cipher suite is one of these hashes")
}

/// By the name in the IANA registry, or in the specification of SSL 2.0.
fn encryption(cipher: &Cipher) -> Option<SymmetricCipher> {
    use SymmetricCipher as C;
    const NAMES: [(&str, SymmetricCipher); 15] = [
        ("RC4_128", C::Rc4),
        ("3DES_EDE_CBC", C::DesEde3Cbc),
        ("DES_192_EDE3_CBC", C::DesEde3Cbc),
        ("DES_CBC", C::DesCbc),
        ("DES_64_CBC", C::DesCbc),
        ("IDEA_CBC", C::IdeaCbc),
        ("SEED_CBC", C::SeedCbc),
        ("CAMELLIA_128_CBC", C::Camellia128Cbc),
        ("CAMELLIA_256_CBC", C::Camellia256Cbc),
        ("AES_128_CBC", C::Aes128Cbc),
        ("AES_256_CBC", C::Aes256Cbc),
        ("AES_128_GCM", C::Aes128Gcm),
        ("AES_256_GCM", C::Aes256Gcm),
        ("AES_128_CCM", C::Aes128Ccm),
        ("AES_256_CCM", C::Aes256Ccm),
    ];
    if cipher.iana.contains("CHACHA20_POLY1305") {
        return Some(C::ChaCha20Poly1305);
    }
    NAMES.iter().find(|(name, _)| cipher.iana.contains(name)).map(|(_, cipher)| *cipher)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{CIPHERS, Choice};

    #[test]
    fn every_cipher_suite_is_made_of_something() {
        for cipher in CIPHERS {
            let choice = Choice { cipher: Some(cipher), ..Choice::default() };
            let algorithms = Algorithms::of(&choice.pin("", "").expect("a cipher's own version has it"));
            let is_null = cipher.openssl.contains("NULL");
            assert_eq!(algorithms.cipher.is_none(), is_null, "{}", cipher.openssl);
            let is_aead = algorithms.cipher.is_some_and(SymmetricCipher::is_aead);
            assert_eq!(algorithms.mac.is_none(), is_aead, "{}", cipher.openssl);
        }
    }

    #[test]
    fn hashes_follow_version_and_suite() {
        let of = |proto, name: &str| {
            let cipher = Some(Cipher::named(name).expect("it exists"));
            let choice = Choice { proto: Some(proto), cipher, ..Choice::default() };
            let found = Algorithms::of(&choice.pin("", "").expect("a cell"));
            (found.mac, found.hash, found.prf)
        };
        let md5_sha1 = Some(PrfHash::Md5Sha1);
        assert_eq!(of(Proto::Ssl3, "RC4-MD5"), (Some(Hash::Md5), Hash::Sha1, None));
        assert_eq!(of(Proto::Tls10, "AES128-SHA"), (Some(Hash::Sha1), Hash::Sha1, md5_sha1));
        assert_eq!(of(Proto::Tls12, "AES128-SHA"), (Some(Hash::Sha1), Hash::Sha256, Some(PrfHash::Sha256)));
        assert_eq!(of(Proto::Tls12, "AES256-GCM-SHA384"), (None, Hash::Sha384, Some(PrfHash::Sha384)));
        assert_eq!(of(Proto::Tls13, "TLS_AES_256_GCM_SHA384"), (None, Hash::Sha384, None));
    }
}
