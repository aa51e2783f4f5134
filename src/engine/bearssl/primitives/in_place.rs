//! What can only be done in place and not twice: a tag or a padding is checked of what decrypting overwrites.

use crate::engine::EngineError;
use crate::primitive::Operation;

/// The most bytes of copies, so that they stay in the processor's nearer caches.
const MOST_BYTES: usize = 1 << 17;
/// The most copies.
const MOST: usize = 1024;

/// Does to one copy of what was given after the other what `act` says, which answers how many bytes of it are the result.
pub(super) struct InPlace<A> {
    given: Vec<u8>,
    copies: Vec<u8>,
    done: usize,
    made: usize,
    act: A,
}

impl<A: FnMut(&mut [u8]) -> Result<usize, EngineError> + 'static> InPlace<A> {
    pub(super) fn on(given: Vec<u8>, act: A) -> Box<dyn Operation> {
        let count = (MOST_BYTES / given.len().max(1)).clamp(1, MOST);
        let copies = given.repeat(count);
        Box::new(Self { given, copies, done: 0, made: 0, act })
    }
}

impl<A: FnMut(&mut [u8]) -> Result<usize, EngineError>> Operation for InPlace<A> {
    fn once(&mut self) -> Result<(), EngineError> {
        let length = self.given.len();
        let copy = self.copies.get_mut(self.done * length..(self.done + 1) * length);
        self.made = (self.act)(copy.ok_or_else(|| EngineError::new("all copies are used up"))?)?;
        self.done += 1;
        Ok(())
    }

    fn supply(&self) -> usize {
        self.copies.len() / self.given.len()
    }

    fn renew(&mut self) -> Result<(), EngineError> {
        for copy in self.copies.chunks_exact_mut(self.given.len()).take(self.done) {
            copy.copy_from_slice(&self.given);
        }
        self.done = 0;
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        let mut copies = self.copies.chunks_exact(self.given.len());
        let last = self.done.checked_sub(1).and_then(|last| copies.nth(last));
        last.map(|copy| copy[..self.made].to_vec()).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_up_can_be_made_anew() {
        let mut operation = InPlace::on(vec![1; MOST_BYTES / 2], |place| {
            place[0] += 1;
            Ok(1)
        });
        for _ in 0..2 {
            assert_eq!(operation.supply(), 2);
            assert_eq!((operation.once(), operation.once()), (Ok(()), Ok(())));
            assert_eq!(operation.output(), [[2]]);
            assert!(operation.once().is_err());
            assert_eq!(operation.renew(), Ok(()));
        }
    }

    #[test]
    fn there_is_a_copy_of_what_is_too_long_for_two() {
        assert_eq!(InPlace::on(vec![1; MOST_BYTES + 1], |_| Ok(0)).supply(), 1);
        assert_eq!(InPlace::on(vec![1], |_| Ok(0)).supply(), MOST);
    }
}
