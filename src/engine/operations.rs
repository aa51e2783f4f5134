//! Operations written as closures: what is prepared is captured, what is made is kept for others to check.

// One engine alone has no use for some kinds.
#![cfg_attr(not(all(feature = "rustls", feature = "s2n")), allow(dead_code))]

use super::EngineError;
use crate::primitive::Operation;

/// An operation that can be done over and over. `act` keeps what it makes in the state, where `show` reads it.
pub(super) fn repeated<S: 'static>(
    state: S,
    act: impl FnMut(&mut S) -> Result<(), EngineError> + 'static,
    show: impl Fn(&S) -> Vec<Vec<u8>> + 'static,
) -> Box<dyn Operation> {
    Box::new(Repeated { state, act, show })
}

/// An operation that writes into a buffer of so many bytes, all of which it fills.
pub(super) fn filling(
    length: usize,
    mut act: impl FnMut(&mut [u8]) -> Result<(), EngineError> + 'static,
) -> Box<dyn Operation> {
    repeated(vec![0; length], move |into| act(into), |made| vec![made.clone()])
}

/// An operation that writes into a buffer of so many bytes at most, and says how many it has filled.
pub(super) fn writing(
    most: usize,
    mut act: impl FnMut(&mut [u8]) -> Result<usize, EngineError> + 'static,
) -> Box<dyn Operation> {
    repeated(
        (vec![0; most], 0),
        move |(into, length)| {
            *length = act(into)?;
            Ok(())
        },
        |(made, length)| vec![made[..*length].to_vec()],
    )
}

/// An operation that answers with what it makes.
pub(super) fn valued<T: AsRef<[u8]> + 'static>(
    mut act: impl FnMut() -> Result<T, EngineError> + 'static,
) -> Box<dyn Operation> {
    repeated(
        None,
        move |last| {
            *last = Some(act()?);
            Ok(())
        },
        |last: &Option<T>| last.iter().map(|value| value.as_ref().to_vec()).collect(),
    )
}

/// A verification: it makes nothing.
pub(super) fn checking(mut act: impl FnMut() -> Result<(), EngineError> + 'static) -> Box<dyn Operation> {
    repeated((), move |()| act(), |()| Vec::new())
}

struct Repeated<S, A, O> {
    state: S,
    act: A,
    show: O,
}

impl<S, A, O> Operation for Repeated<S, A, O>
where
    A: FnMut(&mut S) -> Result<(), EngineError>,
    O: Fn(&S) -> Vec<Vec<u8>>,
{
    fn once(&mut self) -> Result<(), EngineError> {
        (self.act)(&mut self.state)
    }

    fn output(&self) -> Vec<Vec<u8>> {
        (self.show)(&self.state)
    }
}

/// Bytes that wait to be decrypted in their place: few enough to stay in a processor's nearest caches.
const WAITING_BYTES: usize = 32 * 1024;

/// An operation that turns `input` into something else in its place, and so must have many of it. `act` says how many
/// bytes are left of it.
pub(super) fn in_place(
    input: Vec<u8>,
    act: impl FnMut(&mut [u8]) -> Result<usize, EngineError> + 'static,
) -> Box<dyn Operation> {
    let copies = (WAITING_BYTES / input.len().max(1)).clamp(2, 512);
    Box::new(InPlace { buffers: vec![input.clone(); copies], input, done: 0, length: 0, act })
}

struct InPlace<A> {
    input: Vec<u8>,
    buffers: Vec<Vec<u8>>,
    done: usize,
    length: usize,
    act: A,
}

impl<A: FnMut(&mut [u8]) -> Result<usize, EngineError>> Operation for InPlace<A> {
    fn once(&mut self) -> Result<(), EngineError> {
        let buffer = self.buffers.get_mut(self.done).ok_or_else(used_up)?;
        self.length = (self.act)(buffer)?;
        self.done += 1;
        Ok(())
    }

    fn supply(&self) -> usize {
        self.buffers.len()
    }

    fn renew(&mut self) -> Result<(), EngineError> {
        self.buffers.iter_mut().for_each(|buffer| buffer.copy_from_slice(&self.input));
        self.done = 0;
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        let last = self.done.checked_sub(1).and_then(|at| self.buffers.get(at));
        last.map(|buffer| vec![buffer[..self.length].to_vec()]).unwrap_or_default()
    }
}

/// Things that wait to be used up: enough to fill a batch, few enough to be made in no time.
const WAITING: usize = 16;

/// An operation that uses up what `make` makes outside the timer.
pub(super) fn consuming<T: 'static, S: 'static>(
    make: impl FnMut() -> Result<T, EngineError> + 'static,
    act: impl FnMut(T) -> Result<S, EngineError> + 'static,
    show: impl Fn(&S) -> Vec<Vec<u8>> + 'static,
) -> Box<dyn Operation> {
    Box::new(Consuming { stock: Vec::with_capacity(WAITING), last: None, make, act, show })
}

struct Consuming<T, S, M, A, O> {
    stock: Vec<T>,
    last: Option<S>,
    make: M,
    act: A,
    show: O,
}

impl<T, S, M, A, O> Operation for Consuming<T, S, M, A, O>
where
    M: FnMut() -> Result<T, EngineError>,
    A: FnMut(T) -> Result<S, EngineError>,
    O: Fn(&S) -> Vec<Vec<u8>>,
{
    fn once(&mut self) -> Result<(), EngineError> {
        let one = self.stock.pop().ok_or_else(used_up)?;
        self.last = Some((self.act)(one)?);
        Ok(())
    }

    fn supply(&self) -> usize {
        WAITING
    }

    fn renew(&mut self) -> Result<(), EngineError> {
        while self.stock.len() < WAITING {
            self.stock.push((self.make)()?);
        }
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.last.as_ref().map(&self.show).unwrap_or_default()
    }
}

#[cold]
fn used_up() -> EngineError {
    EngineError::new("all of the supply is used up")
}
