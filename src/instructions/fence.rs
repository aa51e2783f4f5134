//! Two functions through which all calls into the endpoints of a connection pass, so that callgrind can tell the sides
//! apart and from the harness: it collects what happens between entry and exit of a function with a given name.

use std::hint::black_box;

use crate::engine::{Endpoint, EngineError, Negotiated, Prepared, Side, Start, Step};
use crate::pipe::Io;

/// How the names of a side's fences begin, in symbols as callgrind prints them. What follows depends on how the
/// compiler writes the types that a fence was made for.
pub const fn fence_name(side: Side) -> &'static str {
    match side {
        Side::Client => concat!(module_path!(), "::in_clients_hands"),
        Side::Server => concat!(module_path!(), "::in_servers_hands"),
    }
}

#[inline(never)]
fn in_clients_hands<T>(work: impl FnOnce() -> T) -> T {
    let done = work();
    stay(Side::Client);
    done
}

#[inline(never)]
fn in_servers_hands<T>(work: impl FnOnce() -> T) -> T {
    let done = work();
    stay(Side::Server);
    done
}

/// Two reasons: equal functions may become one, which then has one side's name; and a function that ends with a call
/// may become a jump, which callgrind would take for the function's end.
#[inline(always)]
fn stay(side: Side) {
    black_box(side);
}

fn fenced<T>(side: Side, work: impl FnOnce() -> T) -> T {
    match side {
        Side::Client => in_clients_hands(work),
        Side::Server => in_servers_hands(work),
    }
}

/// One prepared side whose endpoints work behind the fence.
pub struct FencedSide<'a> {
    side: Side,
    prepared: &'a dyn Prepared,
}

impl<'a> FencedSide<'a> {
    /// Puts the fence around what is prepared; without it, the same goes on uncounted.
    pub fn around(side: Side, prepared: &'a dyn Prepared) -> Self {
        Self { side, prepared }
    }
}

impl Prepared for FencedSide<'_> {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        let endpoint = fenced(self.side, || self.prepared.endpoint(start))?;
        Ok(Box::new(FencedEndpoint { side: self.side, endpoint: Some(endpoint) }))
    }

    fn resumptions(&self) -> u64 {
        self.prepared.resumptions()
    }
}

struct FencedEndpoint {
    side: Side,
    /// Only dropping takes it, which has to happen behind the fence too.
    endpoint: Option<Box<dyn Endpoint>>,
}

impl FencedEndpoint {
    fn endpoint(&mut self) -> &mut dyn Endpoint {
        &mut **self.endpoint.as_mut().expect("it is there until it is dropped")
    }

    fn fenced<T>(&mut self, work: impl FnOnce(&mut dyn Endpoint) -> T) -> T {
        let side = self.side;
        let endpoint = self.endpoint();
        fenced(side, || work(endpoint))
    }
}

impl Endpoint for FencedEndpoint {
    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        self.fenced(|endpoint| endpoint.handshake_step(io))
    }

    fn write(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        self.fenced(|endpoint| endpoint.write(data, io))
    }

    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        self.fenced(|endpoint| endpoint.read(into, io))
    }

    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        self.fenced(|endpoint| endpoint.close_step(io))
    }

    /// Outside the fence, as it is outside the timers: it is asked for the harness's sake.
    fn negotiated(&mut self) -> Result<Negotiated, EngineError> {
        self.endpoint().negotiated()
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        self.fenced(|endpoint| endpoint.keep_session())
    }
}

impl Drop for FencedEndpoint {
    fn drop(&mut self) {
        let endpoint = self.endpoint.take();
        fenced(self.side, || drop(endpoint));
    }
}
