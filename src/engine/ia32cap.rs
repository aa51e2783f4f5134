//! The switch that OpenSSL and its descendants have on x86: `OPENSSL_ia32cap`, read when the process starts. It takes
//! bits away from what CPUID says, each part of 64 bits being two of its registers.
//!
//! Taken away is what was made for cryptography, and all vector and integer instructions that came with or after AVX and
//! that the libraries have code for. What every x86-64 processor has stays, and so does SSSE3, on which the libraries'
//! code for processors without AES instructions rests.

/// The variable, and the value that clears all of them.
pub const SWITCH: &[(&str, &str)] = &[("OPENSSL_ia32cap", "~0x1200180200000000:~0x5f42fc2b0128")];

/// EDX and ECX of CPUID leaf 1: PCLMULQDQ, XOP, FMA, AES, AVX.
const FEATURES: u64 = bits(&[33, 43, 44, 57, 60]);

/// EBX and ECX of CPUID leaf 7: BMI1, AVX2, BMI2, AVX512F, AVX512DQ, ADX, AVX512IFMA, AVX512PF, AVX512ER, AVX512CD, SHA,
/// AVX512BW, AVX512VL; AVX512_VBMI, AVX512_VBMI2, GFNI, VAES, VPCLMULQDQ, AVX512_VNNI, AVX512_BITALG, AVX512_VPOPCNTDQ.
const MORE_FEATURES: u64 =
    bits(&[3, 5, 8, 16, 17, 19, 21, 26, 27, 28, 29, 30, 31, 33, 38, 40, 41, 42, 43, 44, 46]);

const fn bits(places: &[u32]) -> u64 {
    let mut bits = 0;
    let mut at = 0;
    while at < places.len() {
        bits |= 1 << places[at];
        at += 1;
    }
    bits
}

/// Whether a library that goes by these two parts uses none of the instructions.
pub fn are_cleared(parts: [u64; 2]) -> bool {
    parts[0] & FEATURES == 0 && parts[1] & MORE_FEATURES == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_clears_what_is_checked() {
        let value = format!("~{FEATURES:#x}:~{MORE_FEATURES:#x}");
        assert_eq!(SWITCH, [("OPENSSL_ia32cap", value.as_str())]);
    }

    #[test]
    fn one_instruction_left_is_no_switch() {
        assert!(are_cleared([!FEATURES, !MORE_FEATURES]));
        assert!(!are_cleared([!FEATURES | 1 << 57, !MORE_FEATURES]));
        assert!(!are_cleared([!FEATURES, !MORE_FEATURES | 1 << 29]));
    }
}
