//! Certificates and keys in the one form that the library reads: PEM.

use std::fmt::Write;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes in a line of 64 characters.
const LINE: usize = 48;

/// Certificates, one after the other.
pub(super) fn certificates<'a>(chain: impl IntoIterator<Item = &'a Vec<u8>>) -> String {
    chain.into_iter().map(|der| armoured("CERTIFICATE", der)).collect()
}

/// A private key in PKCS#8.
pub(super) fn private_key(pkcs8: &[u8]) -> String {
    armoured("PRIVATE KEY", pkcs8)
}

fn armoured(label: &str, der: &[u8]) -> String {
    let mut text = format!("-----BEGIN {label}-----\n");
    for line in der.chunks(LINE) {
        text.extend(line.chunks(3).flat_map(quartet));
        text.push('\n');
    }
    writeln!(text, "-----END {label}-----").expect("a string takes all that is written");
    text
}

/// Up to three bytes as four characters.
fn quartet(bytes: &[u8]) -> [char; 4] {
    let byte = |at: usize| u32::from(bytes.get(at).copied().unwrap_or(0));
    let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
    let digit = |at: usize| {
        let index = bits >> (18 - 6 * at) & 0x3f;
        if at > bytes.len() { '=' } else { char::from(ALPHABET[index as usize]) }
    };
    [digit(0), digit(1), digit(2), digit(3)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_encoded_as_rfc_4648_says() {
        let encoded = [("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (plain, wanted) in encoded {
            assert_eq!(
                armoured("X", plain.as_bytes()),
                format!("-----BEGIN X-----\n{wanted}\n-----END X-----\n")
            );
        }
    }

    #[test]
    fn lines_have_64_characters() {
        let text = private_key(&[0xff; 100]);
        let lengths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(lengths, [27, 64, 64, 8, 25]);
    }
}
