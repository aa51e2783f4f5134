//! Operations in few words: a closure of the library's calls, and the place for what they make.

use super::Operation;
use crate::engine::EngineError;

/// Calls `act` with a place that it leaves its result in; it answers how many bytes that is.
pub struct Act<A> {
    place: Vec<u8>,
    made: usize,
    /// What the output has behind it.
    beside: Option<Vec<u8>>,
    act: A,
}

impl<A: FnMut(&mut [u8]) -> Result<usize, EngineError> + 'static> Act<A> {
    /// An operation with a place of `length` bytes.
    pub fn making(length: usize, act: A) -> Box<dyn Operation> {
        Self::over(vec![0; length], act)
    }

    /// An operation with a place that holds something already: what an interface works on that has no other way than in
    /// place, and can go on from its own result.
    pub fn over(place: Vec<u8>, act: A) -> Box<dyn Operation> {
        Box::new(Self { place, made: 0, beside: None, act })
    }

    /// An operation whose output has something behind it that stays the same: one's own public key behind a secret.
    pub fn beside(beside: Vec<u8>, length: usize, act: A) -> Box<dyn Operation> {
        Box::new(Self { place: vec![0; length], made: 0, beside: Some(beside), act })
    }
}

impl<A: FnMut(&mut [u8]) -> Result<usize, EngineError>> Operation for Act<A> {
    fn once(&mut self) -> Result<(), EngineError> {
        self.made = (self.act)(&mut self.place)?;
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        [Some(self.place[..self.made].to_vec()), self.beside.clone()].into_iter().flatten().collect()
    }
}

/// Calls `check`, which makes nothing, and fails where what it checks is wrong.
pub struct Check<C>(C);

impl<C: FnMut() -> Result<(), EngineError> + 'static> Check<C> {
    /// An operation without output.
    pub fn by(check: C) -> Box<dyn Operation> {
        Box::new(Self(check))
    }
}

impl<C: FnMut() -> Result<(), EngineError>> Operation for Check<C> {
    fn once(&mut self) -> Result<(), EngineError> {
        (self.0)()
    }

    fn output(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }
}

/// The certificate read, where the library has a use for it: where it verifies by such keys.
pub fn reading<E>(
    verify: Result<Option<Box<dyn Operation>>, E>,
    read: impl FnMut() -> Result<(), EngineError> + 'static,
) -> Result<Option<Box<dyn Operation>>, E> {
    Ok(verify?.map(|_| Check::by(read)))
}
