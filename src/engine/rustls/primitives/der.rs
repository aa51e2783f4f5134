//! Keys out of their wrappings, for interfaces that take the bare key: DER, no more of it than PKCS #8 and certificates'
//! public keys need.

use crate::engine::EngineError;

const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OCTET_STRING: u8 = 0x04;

/// The key of an algorithm of its own that a PKCS #8 key holds.
pub(super) fn inner_key(pkcs8: &[u8]) -> Result<&[u8], EngineError> {
    let (outer, _) = element(SEQUENCE, pkcs8)?;
    let (_version, rest) = element(INTEGER, outer)?;
    let (_algorithm, rest) = element(SEQUENCE, rest)?;
    element(OCTET_STRING, rest).map(|(key, _)| key)
}

/// The bits of the key in a `SubjectPublicKeyInfo`.
pub(super) fn key_bits(info: &[u8]) -> Result<&[u8], EngineError> {
    let (outer, _) = element(SEQUENCE, info)?;
    let (_algorithm, rest) = element(SEQUENCE, outer)?;
    let (bits, _) = element(BIT_STRING, rest)?;
    match bits {
        [0, key @ ..] => Ok(key),
        _ => Err(malformed()),
    }
}

/// The content of the element at the beginning, which must be of this kind, and what follows it.
fn element(tag: u8, input: &[u8]) -> Result<(&[u8], &[u8]), EngineError> {
    let [found, first, rest @ ..] = input else { return Err(malformed()) };
    let (length, rest) = match first {
        0..=0x7f => (usize::from(*first), rest),
        0x81..=0x83 => {
            let (length, rest) = rest.split_at_checked(usize::from(first - 0x80)).ok_or_else(malformed)?;
            (length.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)), rest)
        }
        _ => return Err(malformed()),
    };
    if *found != tag {
        return Err(malformed());
    }
    rest.split_at_checked(length).ok_or_else(malformed)
}

fn malformed() -> EngineError {
    EngineError::new("the key is not well-formed DER")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_taken_out_of_what_wraps_them() {
        let pkcs8 = [0x30, 10, 2, 1, 0, 0x30, 1, 5, 4, 2, 7, 8];
        assert_eq!(inner_key(&pkcs8).ok(), Some([7, 8].as_slice()));
        let info = [0x30, 0x81, 7, 0x30, 1, 5, 3, 2, 0, 9];
        assert_eq!(key_bits(&info).ok(), Some([9].as_slice()));
    }

    #[test]
    fn what_is_cut_short_is_refused() {
        for length in 0..12 {
            let pkcs8 = [0x30, 10, 2, 1, 0, 0x30, 1, 5, 4, 2, 7, 8];
            assert!(inner_key(&pkcs8[..length]).is_err(), "{length}");
        }
    }
}
