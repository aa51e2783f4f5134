//! The cipher suites that cells name, with what the record-size formulas need to know of each.

use super::dims::{Proto, UnknownName};

/// How a cipher agrees on keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyExchange {
    /// The premaster secret travels encrypted to the server's RSA key.
    StaticRsa,
    /// Ephemeral elliptic-curve Diffie-Hellman, signed with an RSA key.
    EcdheRsa,
    /// Ephemeral elliptic-curve Diffie-Hellman, signed with an ECDSA or EdDSA key.
    EcdheEcdsa,
    /// TLS 1.3 ciphers leave key exchange and signature to other parameters.
    Tls13,
}

/// The shape of a protected record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bulk {
    /// A MAC and no encryption, or a stream cipher: the record grows by the MAC only.
    Stream,
    /// A block cipher in CBC mode with blocks of this many bytes.
    Cbc(u8),
    /// An AEAD with an explicit 8-byte nonce in TLS 1.2 and a tag of this many bytes.
    AeadExplicit(u8),
    /// ChaCha20-Poly1305: no explicit nonce.
    ChaCha20,
}

/// One cipher suite.
#[derive(Debug, PartialEq, Eq)]
pub struct Cipher {
    /// OpenSSL's name, the one of the 1997 table.
    pub openssl: &'static str,
    /// The name in the IANA registry, or in the specification of SSL 2.0 for ciphers that it alone has.
    pub iana: &'static str,
    /// Its number on the wire. SSL 2.0 has three bytes, the middle one always 0: of ciphers that it alone has, the
    /// first and the last stand here (see [`Cipher::ssl2_kind`]).
    pub code: u16,
    /// How keys are agreed on.
    pub kx: KeyExchange,
    /// The shape of its records.
    pub bulk: Bulk,
    /// The MAC's length in bytes; 0 for AEADs.
    pub mac: u8,
    /// The first version that has it.
    pub since: Proto,
    /// The last version that has it.
    pub until: Proto,
}

impl Cipher {
    /// Finds a cipher by its OpenSSL or IANA name, in any case.
    pub fn named(given: &str) -> Result<&'static Self, UnknownName> {
        CIPHERS
            .iter()
            .find(|cipher| {
                cipher.openssl.eq_ignore_ascii_case(given) || cipher.iana.eq_ignore_ascii_case(given)
            })
            .ok_or_else(|| {
                let like_openssl = !given.contains('_');
                UnknownName::new(
                    "cipher",
                    given,
                    CIPHERS.iter().map(|c| if like_openssl { c.openssl } else { c.iana }),
                )
            })
    }

    /// Finds a cipher by its number on the wire.
    pub fn from_code(code: u16) -> Option<&'static Self> {
        CIPHERS.iter().find(|cipher| cipher.code == code)
    }

    /// The three bytes that name this cipher in SSL 2.0; none if it has no such cipher.
    pub fn ssl2_kind(&self) -> Option<[u8; 3]> {
        let [first, last] = self.code.to_be_bytes();
        match (self.until, self.since) {
            (Proto::Ssl2, _) => Some([first, 0, last]),
            // RC4-MD5 is the one cipher that SSL 2.0 and the versions after it share; its number they do not.
            (_, Proto::Ssl2) => Some([1, 0, 0x80]),
            _ => None,
        }
    }

    /// The name in the specification of the version: the IANA name but in SSL 2.0, which has names of its own.
    pub fn standard_name(&self, proto: Proto) -> &'static str {
        let is_shared = proto == Proto::Ssl2 && self.until != Proto::Ssl2;
        if is_shared { "SSL_CK_RC4_128_WITH_MD5" } else { self.iana }
    }

    /// Finds a cipher by its name in SSL 2.0.
    pub fn from_ssl2_kind(kind: [u8; 3]) -> Option<&'static Self> {
        CIPHERS.iter().find(|cipher| cipher.ssl2_kind() == Some(kind))
    }

    /// Whether `proto` has this cipher.
    pub fn fits(&self, proto: Proto) -> bool {
        (self.since..=self.until).contains(&proto)
    }
}

/// Every cipher that cells can name, oldest first.
#[rustfmt::skip] // a table reads best with one line a row
pub static CIPHERS: &[Cipher] = &[
    row("DES-CBC-MD5", "SSL_CK_DES_64_CBC_WITH_MD5", 0x0640, KeyExchange::StaticRsa, Bulk::Cbc(8), 16, Proto::Ssl2, Proto::Ssl2),
    row("DES-CBC3-MD5", "SSL_CK_DES_192_EDE3_CBC_WITH_MD5", 0x07c0, KeyExchange::StaticRsa, Bulk::Cbc(8), 16, Proto::Ssl2, Proto::Ssl2),
    row("NULL-MD5", "TLS_RSA_WITH_NULL_MD5", 0x0001, KeyExchange::StaticRsa, Bulk::Stream, 16, Proto::Ssl3, Proto::Tls12),
    row("NULL-SHA", "TLS_RSA_WITH_NULL_SHA", 0x0002, KeyExchange::StaticRsa, Bulk::Stream, 20, Proto::Ssl3, Proto::Tls12),
    row("RC4-MD5", "TLS_RSA_WITH_RC4_128_MD5", 0x0004, KeyExchange::StaticRsa, Bulk::Stream, 16, Proto::Ssl2, Proto::Tls12),
    row("RC4-SHA", "TLS_RSA_WITH_RC4_128_SHA", 0x0005, KeyExchange::StaticRsa, Bulk::Stream, 20, Proto::Ssl3, Proto::Tls12),
    row("IDEA-CBC-SHA", "TLS_RSA_WITH_IDEA_CBC_SHA", 0x0007, KeyExchange::StaticRsa, Bulk::Cbc(8), 20, Proto::Ssl3, Proto::Tls11),
    row("DES-CBC-SHA", "TLS_RSA_WITH_DES_CBC_SHA", 0x0009, KeyExchange::StaticRsa, Bulk::Cbc(8), 20, Proto::Ssl3, Proto::Tls11),
    row("DES-CBC3-SHA", "TLS_RSA_WITH_3DES_EDE_CBC_SHA", 0x000a, KeyExchange::StaticRsa, Bulk::Cbc(8), 20, Proto::Ssl3, Proto::Tls12),
    row("AES128-SHA", "TLS_RSA_WITH_AES_128_CBC_SHA", 0x002f, KeyExchange::StaticRsa, Bulk::Cbc(16), 20, Proto::Ssl3, Proto::Tls12),
    row("AES256-SHA", "TLS_RSA_WITH_AES_256_CBC_SHA", 0x0035, KeyExchange::StaticRsa, Bulk::Cbc(16), 20, Proto::Ssl3, Proto::Tls12),
    row("CAMELLIA128-SHA", "TLS_RSA_WITH_CAMELLIA_128_CBC_SHA", 0x0041, KeyExchange::StaticRsa, Bulk::Cbc(16), 20, Proto::Ssl3, Proto::Tls12),
    row("CAMELLIA256-SHA", "TLS_RSA_WITH_CAMELLIA_256_CBC_SHA", 0x0084, KeyExchange::StaticRsa, Bulk::Cbc(16), 20, Proto::Ssl3, Proto::Tls12),
    row("SEED-SHA", "TLS_RSA_WITH_SEED_CBC_SHA", 0x0096, KeyExchange::StaticRsa, Bulk::Cbc(16), 20, Proto::Ssl3, Proto::Tls12),
    row("NULL-SHA256", "TLS_RSA_WITH_NULL_SHA256", 0x003b, KeyExchange::StaticRsa, Bulk::Stream, 32, Proto::Tls12, Proto::Tls12),
    row("AES128-SHA256", "TLS_RSA_WITH_AES_128_CBC_SHA256", 0x003c, KeyExchange::StaticRsa, Bulk::Cbc(16), 32, Proto::Tls12, Proto::Tls12),
    row("AES256-SHA256", "TLS_RSA_WITH_AES_256_CBC_SHA256", 0x003d, KeyExchange::StaticRsa, Bulk::Cbc(16), 32, Proto::Tls12, Proto::Tls12),
    row("AES128-GCM-SHA256", "TLS_RSA_WITH_AES_128_GCM_SHA256", 0x009c, KeyExchange::StaticRsa, Bulk::AeadExplicit(16), 0, Proto::Tls12, Proto::Tls12),
    row("AES256-GCM-SHA384", "TLS_RSA_WITH_AES_256_GCM_SHA384", 0x009d, KeyExchange::StaticRsa, Bulk::AeadExplicit(16), 0, Proto::Tls12, Proto::Tls12),
    row("AES128-CCM", "TLS_RSA_WITH_AES_128_CCM", 0xc09c, KeyExchange::StaticRsa, Bulk::AeadExplicit(16), 0, Proto::Tls12, Proto::Tls12),
    row("AES256-CCM", "TLS_RSA_WITH_AES_256_CCM", 0xc09d, KeyExchange::StaticRsa, Bulk::AeadExplicit(16), 0, Proto::Tls12, Proto::Tls12),
    row("AES128-CCM8", "TLS_RSA_WITH_AES_128_CCM_8", 0xc0a0, KeyExchange::StaticRsa, Bulk::AeadExplicit(8), 0, Proto::Tls12, Proto::Tls12),
    row("AES256-CCM8", "TLS_RSA_WITH_AES_256_CCM_8", 0xc0a1, KeyExchange::StaticRsa, Bulk::AeadExplicit(8), 0, Proto::Tls12, Proto::Tls12),
    row("ECDHE-ECDSA-NULL-SHA", "TLS_ECDHE_ECDSA_WITH_NULL_SHA", 0xc006, KeyExchange::EcdheEcdsa, Bulk::Stream, 20, Proto::Tls10, Proto::Tls12),
    row("ECDHE-ECDSA-RC4-SHA", "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA", 0xc007, KeyExchange::EcdheEcdsa, Bulk::Stream, 20, Proto::Tls10, Proto::Tls12),
    row("ECDHE-ECDSA-DES-CBC3-SHA", "TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA", 0xc008, KeyExchange::EcdheEcdsa, Bulk::Cbc(8), 20, Proto::Tls10, Proto::Tls12),
    row("ECDHE-ECDSA-AES128-SHA", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", 0xc009, KeyExchange::EcdheEcdsa, Bulk::Cbc(16), 20, Proto::Tls10, Proto::Tls12),
    row("ECDHE-ECDSA-AES256-SHA", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", 0xc00a, KeyExchange::EcdheEcdsa, Bulk::Cbc(16), 20, Proto::Tls10, Proto::Tls12),
    row("ECDHE-ECDSA-AES128-SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", 0xc023, KeyExchange::EcdheEcdsa, Bulk::Cbc(16), 32, Proto::Tls12, Proto::Tls12),
    row("ECDHE-ECDSA-AES256-SHA384", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", 0xc024, KeyExchange::EcdheEcdsa, Bulk::Cbc(16), 48, Proto::Tls12, Proto::Tls12),
    row("ECDHE-ECDSA-AES128-GCM-SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", 0xc02b, KeyExchange::EcdheEcdsa, Bulk::AeadExplicit(16), 0, Proto::Tls12, Proto::Tls12),
    row("ECDHE-ECDSA-AES256-GCM-SHA384", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", 0xc02c, KeyExchange::EcdheEcdsa, Bulk::AeadExplicit(16), 0, Proto::Tls12, Proto::Tls12),
    row("ECDHE-ECDSA-CHACHA20-POLY1305", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", 0xcca9, KeyExchange::EcdheEcdsa, Bulk::ChaCha20, 0, Proto::Tls12, Proto::Tls12),
    row("ECDHE-ECDSA-AES128-CCM", "TLS_ECDHE_ECDSA_WITH_AES_128_CCM", 0xc0ac, KeyExchange::EcdheEcdsa, Bulk::AeadExplicit(16), 0, Proto::Tls12, Proto::Tls12),
    row("ECDHE-ECDSA-AES256-CCM", "TLS_ECDHE_ECDSA_WITH_AES_256_CCM", 0xc0ad, KeyExchange::EcdheEcdsa, Bulk::AeadExplicit(16), 0, Proto::Tls12, Proto::Tls12),
    row("ECDHE-ECDSA-AES128-CCM8", "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8", 0xc0ae, KeyExchange::EcdheEcdsa, Bulk::AeadExplicit(8), 0, Proto::Tls12, Proto::Tls12),
    row("ECDHE-ECDSA-AES256-CCM8", "TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8", 0xc0af, KeyExchange::EcdheEcdsa, Bulk::AeadExplicit(8), 0, Proto::Tls12, Proto::Tls12),
    row("ECDHE-RSA-NULL-SHA", "TLS_ECDHE_RSA_WITH_NULL_SHA", 0xc010, KeyExchange::EcdheRsa, Bulk::Stream, 20, Proto::Tls10, Proto::Tls12),
    row("ECDHE-RSA-RC4-SHA", "TLS_ECDHE_RSA_WITH_RC4_128_SHA", 0xc011, KeyExchange::EcdheRsa, Bulk::Stream, 20, Proto::Tls10, Proto::Tls12),
    row("ECDHE-RSA-DES-CBC3-SHA", "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", 0xc012, KeyExchange::EcdheRsa, Bulk::Cbc(8), 20, Proto::Tls10, Proto::Tls12),
    row("ECDHE-RSA-AES128-SHA", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", 0xc013, KeyExchange::EcdheRsa, Bulk::Cbc(16), 20, Proto::Tls10, Proto::Tls12),
    row("ECDHE-RSA-AES256-SHA", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", 0xc014, KeyExchange::EcdheRsa, Bulk::Cbc(16), 20, Proto::Tls10, Proto::Tls12),
    row("ECDHE-RSA-AES128-SHA256", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", 0xc027, KeyExchange::EcdheRsa, Bulk::Cbc(16), 32, Proto::Tls12, Proto::Tls12),
    row("ECDHE-RSA-AES256-SHA384", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384", 0xc028, KeyExchange::EcdheRsa, Bulk::Cbc(16), 48, Proto::Tls12, Proto::Tls12),
    row("ECDHE-RSA-AES128-GCM-SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", 0xc02f, KeyExchange::EcdheRsa, Bulk::AeadExplicit(16), 0, Proto::Tls12, Proto::Tls12),
    row("ECDHE-RSA-AES256-GCM-SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", 0xc030, KeyExchange::EcdheRsa, Bulk::AeadExplicit(16), 0, Proto::Tls12, Proto::Tls12),
    row("ECDHE-RSA-CHACHA20-POLY1305", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", 0xcca8, KeyExchange::EcdheRsa, Bulk::ChaCha20, 0, Proto::Tls12, Proto::Tls12),
    row("TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256", 0x1301, KeyExchange::Tls13, Bulk::AeadExplicit(16), 0, Proto::Tls13, Proto::Tls13),
    row("TLS_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384", 0x1302, KeyExchange::Tls13, Bulk::AeadExplicit(16), 0, Proto::Tls13, Proto::Tls13),
    row("TLS_CHACHA20_POLY1305_SHA256", "TLS_CHACHA20_POLY1305_SHA256", 0x1303, KeyExchange::Tls13, Bulk::ChaCha20, 0, Proto::Tls13, Proto::Tls13),
    row("TLS_AES_128_CCM_SHA256", "TLS_AES_128_CCM_SHA256", 0x1304, KeyExchange::Tls13, Bulk::AeadExplicit(16), 0, Proto::Tls13, Proto::Tls13),
    row("TLS_AES_128_CCM_8_SHA256", "TLS_AES_128_CCM_8_SHA256", 0x1305, KeyExchange::Tls13, Bulk::AeadExplicit(8), 0, Proto::Tls13, Proto::Tls13),
];

/// One line of the table above.
#[allow(clippy::too_many_arguments)] // the fields of a row, in its order
const fn row(
    openssl: &'static str,
    iana: &'static str,
    code: u16,
    kx: KeyExchange,
    bulk: Bulk,
    mac: u8,
    since: Proto,
    until: Proto,
) -> Cipher {
    Cipher { openssl, iana, code, kx, bulk, mac, since, until }
}
