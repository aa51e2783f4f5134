//! The two halves of HKDF as the key schedule of TLS 1.3 calls them: a PSA operation for each derivation, its secret given as
//! bytes.

use tlspair::engine::EngineError;
use tlspair::primitive::{Hash, Input, Operation};

use super::{Made, names};
use crate::library::check_psa;
use crate::sys;

pub fn extract(hash: Hash, input: &Input) -> Made {
    let Some((algorithm, _)) = names::hkdf(hash) else { return Ok(None) };
    let salt = (sys::SALT, input.key.clone());
    Hkdf::made(algorithm, [salt, (sys::SECRET, input.data.clone())], hash)
}

pub fn expand(hash: Hash, input: &Input) -> Made {
    let Some((_, algorithm)) = names::hkdf(hash) else { return Ok(None) };
    let secret = (sys::SECRET, input.key.clone());
    Hkdf::made(algorithm, [secret, (sys::INFO, input.data.clone())], hash)
}

struct Hkdf {
    algorithm: sys::psa_algorithm_t,
    /// What goes in, in this order.
    inputs: [(sys::psa_key_derivation_step_t, Vec<u8>); 2],
    derived: Vec<u8>,
    /// Between two derivations as it was made.
    operation: sys::psa_key_derivation_operation_t,
}

impl Hkdf {
    fn made(
        algorithm: sys::psa_algorithm_t,
        inputs: [(sys::psa_key_derivation_step_t, Vec<u8>); 2],
        hash: Hash,
    ) -> Made {
        crate::library::start()?;
        let operation = sys::psa_key_derivation_operation_t::default();
        Ok(Some(Box::new(Self { algorithm, inputs, derived: vec![0; hash.length()], operation })))
    }

    #[inline]
    fn derive(&mut self) -> Result<(), EngineError> {
        let operation = &raw mut self.operation;
        // SAFETY: the operation is at its beginning, and the library writes as many bytes as it is told.
        unsafe {
            check_psa(sys::psa_key_derivation_setup(operation, self.algorithm))?;
            for (step, bytes) in &self.inputs {
                let taken =
                    sys::psa_key_derivation_input_bytes(operation, *step, bytes.as_ptr(), bytes.len());
                check_psa(taken)?;
            }
            let (into, length) = (self.derived.as_mut_ptr(), self.derived.len());
            check_psa(sys::psa_key_derivation_output_bytes(operation, into, length))
        }
    }
}

impl Operation for Hkdf {
    fn once(&mut self) -> Result<(), EngineError> {
        let derived = self.derive();
        // SAFETY: an operation may be ended at any time, and is at its beginning again after that.
        let ended = check_psa(unsafe { sys::psa_key_derivation_abort(&raw mut self.operation) });
        derived.and(ended)
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.derived.clone()]
    }
}
