//! `tlspair predict`: what connections would take on a device.

use std::time::Duration;

use clap::Args;

use super::args::{ExportArgs, WorkerArgs};
use super::cells::CellArgs;
use super::interrupt::Interrupt;
use super::link::LinkArgs;
use super::selection::Selection;
use super::showing::Showing;
use super::with::WithArgs;
use super::{Color, Ending, Exit};
use crate::campaign::{Explaining, Lab, Observer, Place, Pricing};
use crate::cell::{Cell, Choice};
use crate::cost::Prices;
use crate::device::{Device, DeviceError, arrival, predict};
use crate::engine::Engines;
use crate::measure::LoopKind;
use crate::primitive::{Hash, Primitive};
use crate::render::Report;
use crate::results::{DeviceEntry, Machine, PerOperation, Prediction, SCHEMA, Scale, ToolInfo, disturbance};
use crate::speed::Task;
use crate::worker::{Guests, Routes, Terms};

/// `tlspair predict`.
#[derive(Args, Debug)]
pub struct PredictArgs {
    /// The device: pentium-pro-200, gl-ar300m16-openssl, gl-ar300m16-wolfssl, gl-ar300m16-mbedtls,
    /// raspberry-pi-model-b-wolfssl, or a file such as `speed --export device=FILE` writes (of the same name: ./NAME).
    #[arg(long, value_name = "NAME|FILE")]
    pub device: String,
    /// Which cells [default: what was published of the device].
    #[command(flatten)]
    pub cells: CellArgs,
    /// Connections that each loop times here.
    #[arg(short, long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub num: u64,
    /// How long each primitive is timed here, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    pub time: u64,
    /// Over which network.
    #[command(flatten)]
    pub link: LinkArgs,
    /// Whose engines, beside those of this executable.
    #[command(flatten)]
    pub with: WithArgs,
    /// How long to wait for processes.
    #[command(flatten)]
    pub worker: WorkerArgs,
    /// Where results go beside the table.
    #[command(flatten)]
    pub export: ExportArgs,
}

/// Runs the sub-command.
pub fn run(engines: &Engines, args: &PredictArgs, color: Color) -> Result<Exit, Ending> {
    let device = Device::named(&args.device).map_err(|error| match &error {
        DeviceError::Invalid(file) => Ending::rendered(file.render(color.on_stderr())),
        _ => Ending::usage(error),
    })?;
    let guests = args.with.guests(engines, args.worker)?;
    let interrupt = Interrupt::watch()?;
    let stop = interrupt.stop();
    let terms = Terms { core: None, patience: args.worker.patience(), stop };
    let mut lab = Routes::new(engines, &guests, false, terms);
    let asks_for_cells = !args.cells.suites.is_empty() || !args.cells.dimensions.given().is_empty();
    let (cells, notes) = if asks_for_cells {
        let selection = Selection::of(guests.names(engines), &args.cells, color)?;
        (selection.cells, selection.notes)
    } else {
        (published_cells(&device, engines, &guests, &mut lab)?, Vec::new())
    };
    let mut showing = Showing::begin("predict", "cell", &args.export)?;
    showing.notes(guests.notes().iter().chain(&notes));

    let (connections, time) = (args.num, Duration::from_millis(args.time));
    let explaining = Explaining { connections, time, pricing: Pricing::Alone, stop };
    let scale = scale(&device, engines, &mut lab, explaining.time);
    let link = args.link.link();
    let missing =
        device.engine.as_ref().filter(|id| !guests.tls_ids(engines).contains(id) && !asks_for_cells);
    let stand_in = missing
        .map(|id| format!("{id}, whose machinery comes nearest, is not here; another engine's stands in"));
    let ratio = scale.as_ref().map(|scale| scale.ratio);
    let is_named = |id: &str| cells.iter().any(|cell| cell.client == id || cell.server == id);
    let ids: Vec<String> = guests.tls_ids(engines).into_iter().filter(|id| is_named(id)).collect();
    let mut document = Prediction {
        schema: SCHEMA,
        kind: "prediction".to_owned(),
        tool: ToolInfo::this_one(),
        machine: Machine::this_one(),
        complete: false,
        warnings: stand_in.into_iter().chain(scale.as_ref().and_then(too_fast)).collect(),
        engines: guests.entries(engines, &ids),
        device: DeviceEntry::from(&device),
        scale,
        link,
        cells: Vec::new(),
    };
    let mut spreads = Vec::new();
    for (at, cell) in cells.iter().enumerate() {
        if stop.requested() {
            break;
        }
        showing.progress.trying(Place { number: at + 1, of: cells.len(), cell });
        for (kind, explained) in LoopKind::BOTH.into_iter().zip(explaining.explain(&mut lab, cell)) {
            let mut predicted = predict(&device, cell, kind, &explained, ratio);
            spreads.extend(explained.rounds_spread);
            predicted.arrival = link.as_ref().and_then(|link| arrival(link, &explained, &predicted));
            document.cells.push(predicted);
        }
        showing.grown(&Report::Prediction(&document));
    }
    document.complete = !stop.requested();
    document.warnings.extend(disturbance(&spreads));
    showing.end(&interrupt, color, &Report::Prediction(&document))?;
    Ok(Exit::of_rows(document.complete, document.cells.iter().map(|cell| cell.status)))
}

/// The cells of what was published, each on the engine that the device names if it can, or else on the first that can.
fn published_cells(
    device: &Device,
    engines: &Engines,
    guests: &Guests,
    lab: &mut Routes<'_>,
) -> Result<Vec<Cell>, Ending> {
    let mut candidates = guests.tls_ids(engines);
    candidates.sort_by_key(|id| device.engine.as_ref() != Some(id)); // a stable sort
    let mut choices: Vec<Choice> = Vec::new();
    for published in &device.published {
        let choice = published.choice();
        if !choices.contains(&choice) {
            choices.push(choice);
        }
    }
    let mut first_able = |choice: &Choice| {
        let cells: Vec<Cell> = candidates.iter().filter_map(|id| choice.pin(id, id).ok()).collect();
        cells.iter().find(|cell| lab.needs(cell).is_ok()).or(cells.first()).cloned()
    };
    let cells: Vec<Cell> = choices.iter().filter_map(&mut first_able).collect();
    if cells.is_empty() {
        return Err(Ending::usage(format!(
            "nothing of whole connections was published of {}; say which cells, as for `run`",
            device.id
        )));
    }
    Ok(cells)
}

/// A hash by the device's own instructions for it says nothing of its other code.
fn too_fast(scale: &Scale) -> Option<String> {
    let is_portable_here = scale.primitive == Primitive::Hash(Hash::Sha256).to_string();
    (is_portable_here && scale.ratio < 1.5).then(|| {
        format!(
            "the device's {} is about as fast as portable code here or faster: if its processor has instructions for it, the \
             machinery comes out too short; a price of md5 would tell",
            scale.primitive
        )
    })
}

/// The hashes to scale by, and whose code for them here is C or scalar assembly, so that a processor's instructions for
/// cryptography do not count: of MD5 everybody's.
const SCALES: [(Hash, &[&str]); 2] =
    [(Hash::Md5, &["openssl", "mbedtls", "gnutls"]), (Hash::Sha256, &["mbedtls", "bearssl", "mbedtls-3.6"])];
const SCALE_BYTES: usize = 8192;

/// How much slower the device is at scalar code.
fn scale(device: &Device, engines: &Engines, lab: &mut dyn Lab, time: Duration) -> Option<Scale> {
    SCALES.iter().find_map(|(hash, candidates)| {
        let primitive = Primitive::Hash(*hash);
        let there_ns = device.ns(primitive, Some(SCALE_BYTES as u64))?;
        let task = Task { primitive, bytes: Some(SCALE_BYTES) };
        candidates.iter().filter(|id| engines.named(id).is_ok()).find_map(|id| {
            let samples = lab.time_primitive(id, task, time).ok()?;
            let here_ns = PerOperation::of(&samples)?.median;
            let (primitive, engine) = (primitive.to_string(), (*id).to_owned());
            Some(Scale { primitive, engine, here_ns, there_ns, ratio: there_ns / here_ns })
        })
    })
}
