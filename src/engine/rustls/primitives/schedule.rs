//! What key schedules derive, through the cipher suites of the provider, as rustls does in a handshake.

use rustls::crypto::CryptoProvider;
use rustls::crypto::tls13::OkmBlock;
use rustls::{CipherSuiteCommon, SupportedCipherSuite};

use crate::engine::EngineError;
use crate::engine::operations::filling;
use crate::primitive::{Hash, Input, Operation, PRF_LABEL, PRF_LENGTH, PrfHash};

/// HKDF-Expand to the length of the hash.
pub(super) fn expand(provider: &CryptoProvider, hash: Hash, input: &Input) -> Option<Box<dyn Operation>> {
    let mut suites = provider.cipher_suites.iter().filter_map(|suite| suite.tls13());
    let suite = suites.find(|suite| is_over(&suite.common, hash))?;
    let expander = suite.hkdf_provider.expander_for_okm(&OkmBlock::new(&input.key));
    let info = input.data.clone();
    Some(filling(hash.length(), move |into| {
        expander.expand_slice(&[&info], into).map_err(|_| EngineError::new("too long an output of HKDF"))
    }))
}

/// A master secret of TLS 1.2.
pub(super) fn prf(provider: &CryptoProvider, hash: PrfHash, input: &Input) -> Option<Box<dyn Operation>> {
    let hash = match hash {
        PrfHash::Md5Sha1 => return None,
        PrfHash::Sha256 => Hash::Sha256,
        PrfHash::Sha384 => Hash::Sha384,
    };
    let mut suites = provider.cipher_suites.iter().filter_map(|suite| match *suite {
        SupportedCipherSuite::Tls12(suite) => Some(suite),
        _ => None,
    });
    let suite = suites.find(|suite| is_over(&suite.common, hash))?;
    let (secret, seed) = (input.key.clone(), input.data.clone());
    Some(filling(PRF_LENGTH, move |into| {
        suite.prf_provider.for_secret(into, &secret, PRF_LABEL.as_bytes(), &seed);
        Ok(())
    }))
}

fn is_over(common: &CipherSuiteCommon, hash: Hash) -> bool {
    common.hash_provider.output_len() == hash.length()
}
