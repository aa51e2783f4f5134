//! Runs connections of one cell with nobody watching, for valgrind, callgrind and perf:
//! `cargo run --release --example connections -- ENGINE COUNT [full|reuse] [timed] [key=value …]`
//!
//! With `timed` the clock watches, as in every measurement; its times are thrown away.
//!
//! The keys are the dimensions of a cell after `engine`: `proto=tls1.2 cipher=AES128-SHA bytes=1000`. ENGINE may be
//! two engines, `CLIENT/SERVER`. One line comes at the end.

#![allow(clippy::print_stdout)] // its one line of result

use std::env;
use std::error::Error;

use tlspair::cell::Cell;
use tlspair::engine::Engines;
use tlspair::fixtures::Credentials;
use tlspair::measure::{LoopKind, LoopPlan, LoopRun, Nobody, Payload, ReadyCell, Stop, TimedLoop};
use tlspair::suite::Product;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "usage: connections ENGINE COUNT [full|reuse] [timed] [key=value …]";

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let engines = Engines::built_in();
    let Request { cell, kind, connections, timed } = parse(&engines, &arguments)?;
    let ready = ReadyCell::of(&engines, &cell, &Credentials::of(&cell))?;
    let mut pair = ready.pair();
    let plan = LoopPlan { kind, connections, payload: Payload::Plain, stop: Stop::default() };
    let run = if timed {
        TimedLoop::of(&mut pair, plan, |_| {})?.run
    } else {
        LoopRun::of(&mut pair, plan, &mut Nobody, |_, _| {})?
    };
    println!("{cell}: {} connections, {} resumed", run.connections, run.resumed);
    Ok(())
}

struct Request {
    cell: Cell,
    kind: LoopKind,
    connections: u64,
    timed: bool,
}

fn parse(engines: &Engines, arguments: &[String]) -> Result<Request> {
    let [engine, count, rest @ ..] = arguments else { return Err(USAGE.into()) };
    let mut kind = LoopKind::Full;
    let mut timed = false;
    let (client, server) = engine.split_once('/').unwrap_or((engine, engine));
    let mut dims = vec![("client", client), ("server", server)];
    for argument in rest {
        match (argument.as_str(), argument.split_once('=')) {
            ("full", _) => kind = LoopKind::Full,
            ("reuse", _) => kind = LoopKind::Reuse,
            ("timed", _) => timed = true,
            (_, Some(dimension)) => dims.push(dimension),
            (other, None) => return Err(format!("`{other}` is no key=value; {USAGE}").into()),
        }
    }
    let mut cells = Product::parse_flags(&dims, engines)?.cells;
    match (cells.pop(), cells.is_empty()) {
        (Some(cell), true) => Ok(Request { cell, kind, connections: count.parse()?, timed }),
        _ => Err("this is not one cell".into()),
    }
}
