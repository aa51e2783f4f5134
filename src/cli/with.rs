//! `--with`: the engines of other executables beside those of this one.

use clap::Args;

use super::Ending;
use super::args::WorkerArgs;
use super::comparing::EXECUTABLE;
use crate::engine::Engines;
use crate::measure::Stop;
use crate::worker::{Executable, Guests, Terms};

/// What stands for every executable in the folder beside this one.
const ALL: &str = "all";

/// Which other executables.
#[derive(Args, Clone, Debug)]
pub struct WithArgs {
    /// Let the engines of another executable join: exe:PATH, or `all` for those in the folder `engines` beside this one; may be
    /// given several times.
    #[arg(long, value_name = "EXECUTABLE")]
    pub with: Vec<String>,
}

impl WithArgs {
    /// Asks each of them who it is.
    pub fn guests(&self, engines: &Engines, worker: WorkerArgs) -> Result<Guests, Ending> {
        let mut executables = Vec::new();
        for name in &self.with {
            executables.extend(named(name)?);
        }
        greet(executables, engines, worker)
    }

    /// The same, and those in the folder beside this executable, whether they are named or not.
    pub fn all_guests(&self, engines: &Engines, worker: WorkerArgs) -> Result<Guests, Ending> {
        let names = self.with.iter().filter(|name| *name != ALL);
        let named: Vec<Vec<Executable>> = names.map(|name| named(name)).collect::<Result<_, _>>()?;
        let beside = Executable::beside_this_one().map_err(Ending::operational)?;
        greet(named.into_iter().flatten().chain(beside).collect(), engines, worker)
    }
}

/// On which terms executables are asked who they are: Ctrl-C is not watched for yet, and ends this program at once.
pub fn terms(worker: WorkerArgs) -> Terms<'static> {
    Terms { core: None, patience: worker.patience(), stop: Stop::default() }
}

fn greet(executables: Vec<Executable>, engines: &Engines, worker: WorkerArgs) -> Result<Guests, Ending> {
    Guests::greet(executables, engines, terms(worker)).map_err(Ending::operational)
}

fn named(name: &str) -> Result<Vec<Executable>, Ending> {
    if name == ALL {
        let found = Executable::beside_this_one().map_err(Ending::operational)?;
        return if found.is_empty() {
            Err(Ending::usage(
                "--with all: there is no folder `engines` with executables beside this one; `make engines` makes them",
            ))
        } else {
            Ok(found)
        };
    }
    let Some(path) = name.strip_prefix(EXECUTABLE) else {
        return Err(Ending::usage(format!("--with {name}: write {EXECUTABLE}{name}, or all")));
    };
    let executable = Executable::named(path);
    Ok(vec![executable.map_err(|error| Ending::usage(format!("--with {name}: {error}")))?])
}
