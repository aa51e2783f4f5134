//! Explaining cells: operations counted, priced with the same library's primitives on this machine, and held against what the
//! connections take.

use std::time::Duration;

use super::{Lab, LoopTask, NoNumbers};
use crate::cell::{Acceleration, Cell};
use crate::cost::{BothSides, Part, Prices, Stage, messages, price};
use crate::engine::Side;
use crate::link::Traffic;
use crate::measure::{LoopKind, Stop};
use crate::primitive::Primitive;
use crate::results::{
    CellExplanation, Dims, ExplainedOperations, ExplainedSide, ExplainedSides, ExplainedStage, LoopResult,
    SideNs, Status,
};
use crate::speed::{OwnTask, Task};
use crate::stats::median;

/// How primitives are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pricing {
    /// Each once, then the next: as a connection finds them, with the processor's caches as the others have left them.
    InTurn,
    /// Each over and over, as benchmarks do: what compares with the published prices of a device.
    Alone,
}

/// How cells are explained.
#[derive(Clone, Copy, Debug)]
pub struct Explaining<'a> {
    /// Connections that each loop times.
    pub connections: u64,
    /// How long the primitives are timed in all, for each of them.
    pub time: Duration,
    /// How they are timed.
    pub pricing: Pricing,
    /// Ends it early.
    pub stop: Stop<'a>,
}

/// Prices of one side's primitives: what each took whenever it was its turn; nothing of those that its library lacks.
#[derive(Clone, Debug, Default)]
struct Measured(Vec<(Task, Vec<f64>)>);

impl Prices for Measured {
    fn ns(&self, primitive: Primitive, bytes: Option<u64>) -> Option<f64> {
        let wanted = Task { primitive, bytes: bytes.map(|bytes| bytes as usize) };
        let (_, samples) = self.0.iter().find(|(task, _)| *task == wanted)?;
        median(samples)
    }
}

/// What was found out about one loop of a cell.
struct Found {
    kind: LoopKind,
    operations: BothSides,
    /// One of each round.
    timed: Vec<LoopResult>,
}

impl Found {
    fn of(kind: LoopKind, operations: BothSides) -> Self {
        Self { kind, operations, timed: Vec::new() }
    }
}

/// To learn whether an interface has a primitive.
const AS_SHORT_AS_CAN_BE: Duration = Duration::from_nanos(1);

/// Primitives and loops take turns, so that what disturbs the machine for a while disturbs both.
const ROUNDS: u64 = 5;

impl Explaining<'_> {
    /// Explains a full and a resumed connection of the cell.
    pub fn explain(&self, lab: &mut dyn Lab, cell: &Cell) -> Vec<CellExplanation> {
        match self.explained(lab, cell) {
            Ok(explained) => explained,
            Err(why) => {
                let row = why.into_row();
                row.iter().flat_map(|why| LoopKind::BOTH.map(|kind| refused(cell, kind, why))).collect()
            }
        }
    }

    fn explained(&self, lab: &mut dyn Lab, cell: &Cell) -> Result<Vec<CellExplanation>, NoNumbers> {
        if cell.accel == Acceleration::Off {
            return Err(NoNumbers::Unsupported(
                "primitives are timed with the processor's instructions: a cell without them has no prices"
                    .to_owned(),
            ));
        }
        let tried = lab.try_cell(cell)?.result;
        let full = lab.count_operations(cell, LoopKind::Full)?;
        let resumed = lab.count_operations(cell, LoopKind::Reuse)?;
        let mut renewed = Found::of(LoopKind::Reuse, resumed.clone());
        let mut found = [Found::of(LoopKind::Full, full), Found::of(LoopKind::Reuse, resumed)];
        let mut prices = Side::BOTH.map(|_| Measured::default());
        for side in Side::BOTH {
            prices[side as usize] = self.known(lab, engine_of(cell, side), tasks(&found, side))?;
        }
        for _ in 0..ROUNDS {
            self.time_primitives(lab, cell, &mut prices)?;
            for found in &mut found {
                found.timed.push(self.time_loop(lab, cell, found.kind, false)?);
            }
            renewed.timed.push(self.time_loop(lab, cell, LoopKind::Reuse, true)?);
        }
        let of = |found: &Found| {
            let grown = messages_by_resumed(cell, found.kind);
            // Between full handshakes a resumed one finds the caches as they do, and as it does not among its like.
            let resumed = if found.kind == LoopKind::Full { &renewed } else { found };
            let side = |side: Side| {
                let prices = &prices[side as usize];
                let resumed = explained_side(resumed, side, prices, None);
                let machinery = resumed.is_priced().then(|| machinery_ns(&resumed, grown));
                explained_side(found, side, prices, machinery)
            };
            CellExplanation {
                status: Status::Ok,
                reason: None,
                traffic: Traffic::of(&tried, found.kind),
                sides: Some(ExplainedSides { client: side(Side::Client), server: side(Side::Server) }),
                rounds_spread: spread(&found.timed),
                ..nothing(cell, found.kind)
            }
        };
        Ok(found.iter().map(of).collect())
    }

    /// One round's part of a loop.
    fn time_loop(
        &self,
        lab: &mut dyn Lab,
        cell: &Cell,
        kind: LoopKind,
        renewed: bool,
    ) -> Result<LoopResult, NoNumbers> {
        let what = LoopTask { kind, connections: (self.connections / ROUNDS).max(2), renewed };
        let timed = lab.time_loop(cell, what, &mut |_, _| {})?;
        if self.stop.requested() { Err(NoNumbers::NotReached) } else { Ok(timed) }
    }

    /// The tasks that the engine's interface has.
    fn known(&self, lab: &mut dyn Lab, engine: &str, tasks: Vec<Task>) -> Result<Measured, NoNumbers> {
        let mut known = Measured::default();
        for task in tasks {
            match lab.time_primitive(engine, task, AS_SHORT_AS_CAN_BE) {
                Ok(_) => known.0.push((task, Vec::new())),
                Err(NoNumbers::Unsupported(_)) => {}
                Err(why) => return Err(why),
            }
            if self.stop.requested() {
                return Err(NoNumbers::NotReached);
            }
        }
        Ok(known)
    }

    /// One round's part of the time that primitives have: both sides' in turn, as a connection has them.
    fn time_primitives(
        &self,
        lab: &mut dyn Lab,
        cell: &Cell,
        prices: &mut [Measured; 2],
    ) -> Result<(), NoNumbers> {
        if self.pricing == Pricing::Alone {
            return self.time_alone(lab, cell, prices);
        }
        let mut tasks = Vec::new();
        for side in Side::BOTH {
            let own =
                |(task, _): &(Task, _)| OwnTask { engine: engine_of(cell, side).to_owned(), task: *task };
            tasks.extend(prices[side as usize].0.iter().map(own));
        }
        let budget = self.time * u32::try_from(tasks.len()).unwrap_or(u32::MAX) / ROUNDS as u32;
        let samples = lab.time_in_turn(&tasks, budget)?;
        if self.stop.requested() {
            return Err(NoNumbers::NotReached);
        }
        let known = prices.iter_mut().flat_map(|measured| &mut measured.0);
        known.zip(samples).for_each(|((_, so_far), more)| so_far.extend(more));
        Ok(())
    }

    fn time_alone(
        &self,
        lab: &mut dyn Lab,
        cell: &Cell,
        prices: &mut [Measured; 2],
    ) -> Result<(), NoNumbers> {
        for side in Side::BOTH {
            for (task, so_far) in &mut prices[side as usize].0 {
                let engine = engine_of(cell, side);
                so_far.extend(lab.time_primitive(engine, *task, self.time / ROUNDS as u32)?);
                if self.stop.requested() {
                    return Err(NoNumbers::NotReached);
                }
            }
        }
        Ok(())
    }
}

fn engine_of(cell: &Cell, side: Side) -> &str {
    match side {
        Side::Client => &cell.client,
        Side::Server => &cell.server,
    }
}

/// Every primitive that a side needs a price of, and what may stand for it.
fn tasks(found: &[Found], side: Side) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut add = |primitive, bytes: Option<u64>| {
        let task = Task { primitive, bytes: bytes.map(|bytes| bytes as usize) };
        if !tasks.contains(&task) {
            tasks.push(task);
        }
    };
    for Part { primitive, bytes, .. } in found.iter().flat_map(|found| found.operations.side(side)) {
        add(*primitive, *bytes);
        // Not every interface has these.
        match *primitive {
            Primitive::RsaDecrypt(cert) => add(Primitive::Sign(cert), None),
            Primitive::RsaEncrypt(cert) => add(Primitive::Verify(cert), None),
            Primitive::KeyGen(group) => add(Primitive::Agree(group), None),
            _ => {}
        }
    }
    tasks
}

fn explained_side(found: &Found, side: Side, prices: &Measured, machinery_ns: Option<f64>) -> ExplainedSide {
    let priced = price(found.operations.side(side).to_vec(), prices);
    let stages = Stage::ALL.map(|stage| ExplainedStage {
        stage: stage.name().to_owned(),
        measured_ns: middle_ns(&found.timed, found.kind, stage, side),
        operations_ns: priced
            .iter()
            .filter(|priced| priced.part.stage == stage)
            .filter_map(|priced| priced.ns)
            .sum(),
    });
    let operations = priced.into_iter().map(ExplainedOperations::from);
    ExplainedSide { operations: operations.collect(), stages: stages.to_vec(), machinery_ns }
}

/// From the fastest to the slowest round, as a part of the median.
fn spread(rounds: &[LoopResult]) -> Option<f64> {
    let each: Vec<f64> =
        rounds.iter().map(|timed| timed.cpu_ns as f64 / timed.connections.max(1) as f64).collect();
    let (least, most) =
        (each.iter().copied().fold(f64::INFINITY, f64::min), each.iter().copied().fold(0.0, f64::max));
    median(&each).filter(|middle| *middle > 0.0).map(|middle| (most - least) / middle)
}

/// How many times the messages of a resumed handshake this one has.
fn messages_by_resumed(cell: &Cell, kind: LoopKind) -> f64 {
    messages(cell, kind == LoopKind::Reuse) as f64 / messages(cell, true) as f64
}

/// What a resumed connection takes beside its operations, and in the handshake so many times as much.
fn machinery_ns(resumed: &ExplainedSide, grown: f64) -> f64 {
    let of_stage = |stage: &ExplainedStage| {
        if stage.stage == Stage::Handshake.name() { stage.rest_ns() * grown } else { stage.rest_ns() }
    };
    resumed.stages.iter().map(of_stage).sum()
}

/// The middle of the rounds.
fn middle_ns(rounds: &[LoopResult], kind: LoopKind, stage: Stage, side: Side) -> f64 {
    let means: Vec<f64> = rounds.iter().map(|timed| measured_ns(timed, kind, stage, side)).collect();
    median(&means).unwrap_or_default()
}

/// The mean of a stage over the loop's connections, by the CPU clock: what else ran on the processor meanwhile lengthened all
/// phases alike. Of the one full connection in a reuse loop only the sum of all phases is known: its data and close are taken
/// to be as long as the others', and what is left is its handshake.
fn measured_ns(timed: &LoopResult, kind: LoopKind, stage: Stage, side: Side) -> f64 {
    let of_side = |times: SideNs| match side {
        Side::Client => times.client_ns as f64,
        Side::Server => times.server_ns as f64,
    };
    let phases = timed.phases;
    let all = timed.connections.max(1) as f64;
    let (transfer, close) = (of_side(phases.transfer) / all, of_side(phases.close) / all);
    let handshakes = of_side(phases.setup) + of_side(phases.handshake);
    let mean = match (stage, kind) {
        (Stage::Transfer, _) => transfer,
        (Stage::Close, _) => close,
        (Stage::Handshake, LoopKind::Full) => handshakes / all,
        (Stage::Handshake, LoopKind::Reuse) => {
            let first = of_side(timed.first_connection) - transfer - close;
            (handshakes - first.max(0.0)) / (all - 1.0).max(1.0)
        }
    };
    let by_wall = phases.total();
    let in_cpu = timed.cpu_ns as f64 / (by_wall.client_ns + by_wall.server_ns).max(1) as f64;
    mean * in_cpu.min(1.0)
}

fn nothing(cell: &Cell, kind: LoopKind) -> CellExplanation {
    CellExplanation {
        id: cell.id(),
        dims: Dims::from(cell),
        loop_name: kind.name().to_owned(),
        status: Status::Error,
        reason: None,
        sides: None,
        traffic: None,
        rounds_spread: None,
    }
}

fn refused(cell: &Cell, kind: LoopKind, (status, reason): &(Status, String)) -> CellExplanation {
    CellExplanation { status: *status, reason: Some(reason.clone()), ..nothing(cell, kind) }
}
