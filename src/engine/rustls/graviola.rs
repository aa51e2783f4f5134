//! What Graviola wants of a processor. It is written for recent ones alone and panics on others, so we ask first. The
//! package that rustls sees has no call for that; the features stand in Graviola's documentation.

/// Why Graviola does not run on this machine, if it does not.
pub(super) fn obstacle() -> Option<String> {
    let missing: Vec<&str> =
        wanted().into_iter().filter(|(_, is_there)| !is_there).map(|(name, _)| name).collect();
    refusal(&missing)
}

fn refusal(missing: &[&str]) -> Option<String> {
    (!missing.is_empty())
        .then(|| format!("Graviola needs a processor with {}, which this one lacks", missing.join(", ")))
}

#[cfg(target_arch = "x86_64")]
fn wanted() -> [(&'static str, bool); 6] {
    [
        ("ADX", is_x86_feature_detected!("adx")),
        ("AES", is_x86_feature_detected!("aes")),
        ("AVX", is_x86_feature_detected!("avx")),
        ("AVX2", is_x86_feature_detected!("avx2")),
        ("BMI1", is_x86_feature_detected!("bmi1")),
        ("PCLMULQDQ", is_x86_feature_detected!("pclmulqdq")),
    ]
}

#[cfg(target_arch = "aarch64")]
fn wanted() -> [(&'static str, bool); 4] {
    use std::arch::is_aarch64_feature_detected;
    [
        ("AES", is_aarch64_feature_detected!("aes")),
        ("NEON", is_aarch64_feature_detected!("neon")),
        ("PMULL", is_aarch64_feature_detected!("pmull")),
        ("SHA2", is_aarch64_feature_detected!("sha2")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_processor_lacks_is_said_in_words() {
        assert_eq!(refusal(&[]), None);
        assert_eq!(
            refusal(&["ADX", "AVX2"]).as_deref(),
            Some("Graviola needs a processor with ADX, AVX2, which this one lacks")
        );
    }
}
