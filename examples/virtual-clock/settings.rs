//! What a test can set, by variables of the environment. All have defaults with which nothing is special.

use std::env;
use std::str::FromStr;

use super::clock::Counters;
use super::engines::IDS;
use super::fault::{Fault, FaultKind};

/// See the module's documentation.
#[derive(Debug)]
pub struct Settings {
    /// `VIRTUAL_ENGINES`: names of the engines that there are, with commas; alpha and beta unless set.
    pub engines: Vec<&'static str>,
    /// `VIRTUAL_SLOWDOWN`: how many times as long everything takes.
    pub slowdown: f64,
    /// `VIRTUAL_SLOW_CELLS`: the slowdown is of cells with this in their id only.
    pub slow_cells: String,
    /// `VIRTUAL_SLOW_UNTIL`: the slowdown is gone from the next process on, 1 being the first.
    pub slow_until: u64,
    /// `VIRTUAL_NOISE`: standard deviation among processes, and among the batches of one, as a part of the time.
    pub noise: f64,
    /// `VIRTUAL_SEED`: what the noise is made from.
    pub seed: u64,
    /// `VIRTUAL_BATCH_NS`: every batch takes so long, which may be absurd.
    pub batch_ns: Option<u64>,
    /// `VIRTUAL_LACKS`: cells with this in their id are not supported.
    pub lacks: Option<String>,
    /// `VIRTUAL_EXTRA_BYTES`: so many more the client sends in a full handshake.
    pub extra_bytes: u64,
    /// `VIRTUAL_EXTRA_ALLOCATIONS`: so many more the server makes.
    pub extra_allocations: u64,
    /// `VIRTUAL_FAULT`, with `VIRTUAL_FAULT_AT` (numbers of requests of all processes together, with commas) or
    /// `VIRTUAL_FAULT_CELLS` (each request about a cell with this in its id): what goes wrong there.
    pub fault: Option<Fault>,
    /// `VIRTUAL_FAULT=wrong-protocol`: it is a worker of another protocol altogether.
    pub speaks_another_protocol: bool,
    /// `VIRTUAL_STATE`: beginning of the names of files in which processes and their requests are counted. Without it
    /// each process is the first.
    pub counters: Counters,
}

impl Settings {
    /// Reads the environment.
    pub fn of_environment() -> Result<Self, String> {
        let fault: String = value("FAULT")?.unwrap_or_default();
        let speaks_another_protocol = fault == "wrong-protocol";
        let kind: Option<FaultKind> =
            if fault.is_empty() || speaks_another_protocol { None } else { Some(fault.parse()?) };
        let fault = match kind {
            Some(kind) => Some(Fault { kind, at: numbers("FAULT_AT")?, cells: value("FAULT_CELLS")? }),
            None => None,
        };
        Ok(Self {
            engines: engines()?,
            slowdown: value("SLOWDOWN")?.unwrap_or(1.0),
            slow_cells: value("SLOW_CELLS")?.unwrap_or_default(),
            slow_until: value("SLOW_UNTIL")?.unwrap_or(u64::MAX),
            noise: value("NOISE")?.unwrap_or(0.0),
            seed: value("SEED")?.unwrap_or(0),
            batch_ns: value("BATCH_NS")?,
            lacks: value("LACKS")?,
            extra_bytes: value("EXTRA_BYTES")?.unwrap_or(0),
            extra_allocations: value("EXTRA_ALLOCATIONS")?.unwrap_or(0),
            fault,
            speaks_another_protocol,
            counters: Counters::in_files(value("STATE")?),
        })
    }
}

fn engines() -> Result<Vec<&'static str>, String> {
    let Some(names) = value::<String>("ENGINES")? else { return Ok(IDS[..2].to_vec()) };
    let known = |name: &str| IDS.into_iter().find(|id| *id == name).ok_or(format!("no engine {name}"));
    names.split(',').map(known).collect()
}

fn numbers(name: &str) -> Result<Vec<u64>, String> {
    let list: String = value(name)?.unwrap_or_default();
    let numbers = list.split(',').filter(|text| !text.is_empty());
    numbers.map(|text| text.parse().map_err(|_| format!("VIRTUAL_{name}: {text} is no number"))).collect()
}

fn value<T: FromStr>(name: &str) -> Result<Option<T>, String> {
    let name = format!("VIRTUAL_{name}");
    let Some(text) = env::var_os(&name) else { return Ok(None) };
    let parsed = text.to_str().and_then(|text| text.parse().ok());
    parsed.map(Some).ok_or_else(|| format!("{name}={} makes no sense", text.display()))
}
