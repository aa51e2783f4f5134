//! Suites: TOML files that name cells, by products over lists of values; filters, which choose among cells; and the
//! suites that come with the program. `docs/FORMAT.md` describes the format.

mod built_in;
mod error;
mod file;
mod filter;
mod flags;
mod from_dims;
pub mod history;
mod key;
mod number;
mod product;
mod thresholds;
mod value;

use std::collections::HashSet;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::Path;

pub use built_in::{built_in, built_in_names};
pub use error::SuiteError;
pub use file::MAX_CONNECTIONS;
pub use filter::{Filter, FilterError};
pub use flags::FlagError;
pub use from_dims::cell_of;
pub use key::Key;
pub use number::parse_bytes;
pub use product::{Expansion, MAX_COMBINATIONS, Product};
pub use thresholds::{DEFAULT_TIME_THRESHOLD, PartialThresholds};
pub use value::EngineNames;

use crate::cell::{Cell, UnknownName};
use crate::measure::LoopKind;
use crate::mistake::{InvalidFile, Problem};
use file::{Block, Draft};
use product::Useless;

/// A suite, ready to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// A heading.
    pub title: String,
    /// What the suite shows, in one sentence.
    pub about: String,
    /// How long its loops are, if it says so.
    pub connections: Option<u64>,
    /// Which loops it runs, if it says so.
    pub loops: Option<Vec<LoopKind>>,
    /// Its cells, each once, in the order of the file.
    pub cells: Vec<Cell>,
    /// What it says of each cell's thresholds, in the same order.
    pub thresholds: Vec<PartialThresholds>,
    /// Combinations that the protocol itself rules out.
    pub ruled_out: usize,
    /// Cells left out by `exclude`.
    pub excluded: usize,
    /// Cells left out because the same cell came before.
    pub merged: usize,
    /// Engines of the project that the suite names and that this executable lacks.
    pub absent_engines: Vec<String>,
}

impl Suite {
    /// Loads a suite file, or the built-in suite with this name if there is no such file.
    pub fn load(arg: &str, engines: impl Into<EngineNames>) -> Result<Self, SuiteError> {
        let path = Path::new(arg);
        // A folder may have the name of a built-in suite; anything else there, a pipe too, is meant.
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_dir()) {
            return Self::parse(&read(path)?, arg, engines);
        }
        if let Some(text) = built_in(arg) {
            return Self::parse(text, &format!("{arg}.toml (built in)"), engines);
        }
        match read(path) {
            // The name of a suite, misspelt, rather than of a file.
            Err(SuiteError::Unreadable { error, .. }) if error.kind() == ErrorKind::NotFound => {
                Err(SuiteError::NotFound(UnknownName::new("suite", arg, built_in_names())))
            }
            Err(error) => Err(error),
            Ok(text) => Self::parse(&text, arg, engines),
        }
    }

    /// Parses the text of a suite; `origin` is the file's name in messages.
    pub fn parse(text: &str, origin: &str, engines: impl Into<EngineNames>) -> Result<Self, SuiteError> {
        let mut draft = file::read(text, &engines.into());
        let (expansion, thresholds) = expand(&draft.blocks, &mut draft.problems);
        let Draft { title, about, connections, loops, problems, .. } = draft;
        if !problems.is_empty() {
            return Err(SuiteError::Invalid(InvalidFile::new(origin, text, problems)));
        }
        let Expansion { cells, ruled_out, excluded, merged, absent_engines } = expansion;
        Ok(Self {
            title,
            about,
            connections,
            loops,
            cells,
            thresholds,
            ruled_out,
            excluded,
            merged,
            absent_engines,
        })
    }
}

/// The largest suite file: far beyond what anyone writes, and small enough to refuse an endless device.
const MAX_FILE_BYTES: u64 = 4 << 20;

fn read(path: &Path) -> Result<String, SuiteError> {
    let unreadable = |error| SuiteError::Unreadable { path: path.to_owned(), error };
    let mut text = String::new();
    let file = fs::File::open(path).map_err(unreadable)?;
    let length = file.take(MAX_FILE_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
    if length as u64 > MAX_FILE_BYTES {
        return Err(unreadable(io::Error::other(format!("it is larger than {MAX_FILE_BYTES} bytes"))));
    }
    Ok(text)
}

/// Makes the cells of all blocks, and the thresholds that go with each.
fn expand(blocks: &[Block], problems: &mut Vec<Problem>) -> (Expansion, Vec<PartialThresholds>) {
    let mut expansion = Expansion::default();
    let mut thresholds = Vec::new();
    let mut seen = HashSet::new();
    let mut inherited = Inherited::default();
    let mut combinations: u128 = 0;
    for block in blocks {
        combinations = combinations.saturating_add(block.product.combinations());
        if combinations > MAX_COMBINATIONS {
            let what = format!("the suite makes {combinations} combinations up to this block");
            problems.push(Problem::new(
                block.at.clone(),
                what,
                format!("at most {MAX_COMBINATIONS} are allowed"),
            ));
            break;
        }
        expand_block(block, &mut expansion, &mut seen, &mut inherited, problems);
        thresholds.resize(expansion.cells.len(), block.thresholds);
    }
    problems.extend(inherited.useless_everywhere().map(useless_problem));
    (expansion, thresholds)
}

fn expand_block(
    block: &Block,
    expansion: &mut Expansion,
    seen: &mut HashSet<String>,
    inherited: &mut Inherited,
    problems: &mut Vec<Problem>,
) {
    for engine in block.product.absent_engines() {
        if !expansion.absent_engines.contains(&engine.text) {
            expansion.absent_engines.push(engine.text.clone());
        }
    }
    let filters: Vec<Filter> = block.exclusions.iter().map(|exclusion| exclusion.filter.clone()).collect();
    let outcome = block.product.expand(&filters);
    expansion.ruled_out += outcome.ruled_out;
    expansion.excluded += outcome.excluded;
    expansion.add(outcome.cells, seen);
    let (from_defaults, own): (Vec<Useless>, Vec<Useless>) =
        outcome.useless.into_iter().partition(|useless| useless.inherited && !outcome.is_void);
    problems.extend(own.iter().map(useless_problem));
    inherited.note(&block.product, from_defaults);
    if outcome.is_void {
        return;
    }
    for idle in outcome.idle_exclusions {
        let at = block.exclusions[idle].at.clone();
        problems.push(Problem::new(
            at,
            "an exclusion that matches nothing",
            "no cell of this block is like this",
        ));
    }
}

fn useless_problem(useless: &Useless) -> Problem {
    let label = if useless.inherited {
        "no cell of a block that inherits this can have it"
    } else {
        "no cell of this block can have it"
    };
    Problem {
        help: Some(useless.hint.clone()),
        ..Problem::new(useless.at.clone(), useless.reason.as_str(), label)
    }
}

/// Values of `[defaults]` that some block could not use. That is a mistake only if no block could.
#[derive(Default)]
struct Inherited {
    used: HashSet<Range<usize>>,
    useless: Vec<Useless>,
}

impl Inherited {
    fn note(&mut self, product: &Product, useless: Vec<Useless>) {
        let unused: HashSet<&Range<usize>> = useless.iter().map(|useless| &useless.at).collect();
        self.used.extend(product.inherited_places().filter(|at| !unused.contains(at)).cloned());
        self.useless.extend(useless);
    }

    fn useless_everywhere(&self) -> impl Iterator<Item = &Useless> {
        self.useless.iter().enumerate().filter_map(|(index, useless)| {
            let told = self.useless[..index].iter().any(|before| before.at == useless.at);
            (!told && !self.used.contains(&useless.at)).then_some(useless)
        })
    }
}
