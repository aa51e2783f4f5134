//! Signatures: those that ring has too, and more.

use aws_lc_rs::signature::{
    self, ParsedPublicKey, PqdsaKeyPair, PqdsaSigningAlgorithm, VerificationAlgorithm,
};

use super::super::der::key_bits;
use super::super::{Made, identity, public_key_info, refuse};
use super::{signing, verifying};
use crate::cell::Cert;
use crate::engine::EngineError;
use crate::engine::operations::{checking, filling};
use crate::primitive::{Input, Operation};

pub(super) fn sign(cert: Cert, input: &Input) -> Made {
    let made = match cert {
        Cert::Rsa512 | Cert::Rsa1024 => return refuse("aws-lc-rs signs with no RSA keys under 2048 bits"),
        Cert::P521 => signing::ecdsa(&signature::ECDSA_P521_SHA512_ASN1_SIGNING, input),
        Cert::MlDsa44 => ml_dsa(&signature::ML_DSA_44_SIGNING, input),
        Cert::MlDsa65 => ml_dsa(&signature::ML_DSA_65_SIGNING, input),
        Cert::MlDsa87 => ml_dsa(&signature::ML_DSA_87_SIGNING, input),
        _ => return Ok(signing::sign(cert, input)?),
    };
    Ok(Some(made?))
}

fn ml_dsa(
    algorithm: &'static PqdsaSigningAlgorithm,
    input: &Input,
) -> Result<Box<dyn Operation>, EngineError> {
    let key = PqdsaKeyPair::from_pkcs8(algorithm, &identity(input)?.key).map_err(EngineError::new)?;
    let data = input.data.clone();
    Ok(filling(algorithm.signature_len(), move |into| {
        key.sign(&data, into).map(drop).map_err(EngineError::new)
    }))
}

pub(super) fn verify(cert: Cert, input: &Input) -> Made {
    if cert == Cert::Rsa512 {
        return refuse("aws-lc-rs verifies with no RSA keys under 1024 bits");
    }
    let more: Option<&'static dyn VerificationAlgorithm> = match cert {
        Cert::P521 => Some(&signature::ECDSA_P521_SHA512_ASN1),
        Cert::MlDsa44 => Some(&signature::ML_DSA_44),
        Cert::MlDsa65 => Some(&signature::ML_DSA_65),
        Cert::MlDsa87 => Some(&signature::ML_DSA_87),
        _ => verifying::algorithm(cert),
    };
    let Some(algorithm) = more else { return Ok(None) };
    let info = public_key_info(identity(input)?)?;
    let key = ParsedPublicKey::new(algorithm, key_bits(&info)?).map_err(EngineError::new)?;
    let (data, signature) = (input.data.clone(), input.given.clone());
    Ok(Some(checking(move || key.verify_sig(&data, &signature).map_err(EngineError::new))))
}
