//! Which cells a command works on: those of suites, or a product of flags, and of these what the filters leave.

use std::collections::HashSet;

use super::cells::CellArgs;
use super::{Color, Ending};
use crate::cell::Cell;
use crate::engine::how_to_get;
use crate::measure::LoopKind;
use crate::render::number::counted;
use crate::results::SuiteEntry;
use crate::suite::{EngineNames, Filter, PartialThresholds, Product, Suite};

/// The cells chosen, with what their suites say about loops.
#[derive(Debug, Default)]
pub struct Selection {
    /// Each once, in the order named.
    pub cells: Vec<Cell>,
    /// What the suites say of each cell's thresholds, in the same order.
    pub thresholds: Vec<PartialThresholds>,
    /// The longest loop that a suite asks for.
    pub connections: Option<u64>,
    /// The loops that the suites ask for.
    pub loops: Option<Vec<LoopKind>>,
    /// The suites they come from.
    pub suites: Vec<SuiteEntry>,
    /// What was left out, and why: worth a line each before anything runs.
    pub notes: Vec<String>,
}

impl Selection {
    /// Chooses. Whatever is wrong with suites, flags or filters ends here.
    pub fn of(engines: impl Into<EngineNames>, args: &CellArgs, color: Color) -> Result<Self, Ending> {
        let flags = args.dimensions.given();
        if let (Some(suite), Some((flag, _))) = (args.suites.first(), flags.first()) {
            return Err(Ending::usage(format!(
                "--{flag} describes cells of its own and does not go with the suite {suite}; \
                 to choose among a suite's cells use --filter '{flag}=…'"
            )));
        }
        let engines = engines.into();
        let filters = parse_filters(&args.filters)?;
        let mut selection = if args.suites.is_empty() {
            Self::of_flags(&engines, &flags)?
        } else {
            Self::of_suites(&engines, &args.suites, color)?
        };
        if !filters.is_empty() {
            selection.narrow(&filters, &engines)?;
        }
        if selection.cells.is_empty() {
            let notes = selection.notes.join("; ");
            return Err(Ending::nothing(format!("no cell to run: {notes}")));
        }
        Ok(selection)
    }

    fn of_flags(engines: &EngineNames, flags: &[(&'static str, &str)]) -> Result<Self, Ending> {
        let expansion = Product::parse_flags(flags, engines.clone()).map_err(Ending::usage)?;
        Ok(Self {
            notes: left_out(expansion.ruled_out, expansion.excluded, &expansion.absent_engines),
            thresholds: vec![PartialThresholds::default(); expansion.cells.len()],
            cells: expansion.cells,
            connections: None,
            loops: None,
            suites: Vec::new(),
        })
    }

    fn of_suites(engines: &EngineNames, names: &[String], color: Color) -> Result<Self, Ending> {
        let mut selection = Self::default();
        let mut seen = HashSet::new();
        for name in names {
            let suite = Suite::load(name, engines.clone())
                .map_err(|error| Ending::rendered(error.render(color.on_stderr())))?;
            selection.connections = selection.connections.max(suite.connections);
            for kind in suite.loops.unwrap_or_else(|| LoopKind::BOTH.to_vec()) {
                let loops = selection.loops.get_or_insert_default();
                if !loops.contains(&kind) {
                    loops.push(kind);
                }
            }
            selection.notes.extend(left_out(suite.ruled_out, suite.excluded, &suite.absent_engines));
            selection.suites.push(SuiteEntry { title: suite.title, about: suite.about });
            for (cell, thresholds) in suite.cells.into_iter().zip(suite.thresholds) {
                if seen.insert(cell.id()) {
                    selection.cells.push(cell);
                    selection.thresholds.push(thresholds);
                }
            }
        }
        Ok(selection)
    }

    fn narrow(&mut self, filters: &[Filter], engines: &EngineNames) -> Result<(), Ending> {
        let mut absent = Vec::new();
        for filter in filters {
            let of_filter = filter.absent_engines(engines);
            absent.extend(of_filter.map_err(|unknown| Ending::usage(format!("--filter: {unknown}")))?);
        }
        let before = self.cells.len();
        self.retain(|cell| Filter::any_matches(filters, cell));
        let note = (!absent.is_empty()).then(|| not_here(&absent));
        if self.cells.is_empty() {
            let why = note.map_or_else(String::new, |note| format!("; {note}"));
            let what = format!("no cell matches the filter; there were {before} before it{why}");
            return Err(Ending::nothing(what));
        }
        self.notes.extend(note);
        Ok(())
    }

    fn retain(&mut self, is_wanted: impl Fn(&Cell) -> bool) {
        let cells = std::mem::take(&mut self.cells).into_iter().zip(std::mem::take(&mut self.thresholds));
        (self.cells, self.thresholds) = cells.filter(|(cell, _)| is_wanted(cell)).unzip();
    }
}

/// The filters of the command line.
pub fn parse_filters(texts: &[String]) -> Result<Vec<Filter>, Ending> {
    texts.iter().map(|text| Filter::parse(text)).collect::<Result<_, _>>().map_err(Ending::usage)
}

fn left_out(ruled_out: usize, excluded: usize, absent_engines: &[String]) -> Vec<String> {
    let mut notes = Vec::new();
    if ruled_out > 0 {
        let (combinations, are) = (counted(ruled_out as u64, "combination"), are(ruled_out));
        notes.push(format!("{combinations} {are} left out because the protocol rules them out, such as an ECDSA cipher with an RSA certificate"));
    }
    if excluded > 0 {
        notes.push(format!("{} {} excluded by the suite", counted(excluded as u64, "cell"), are(excluded)));
    }
    if !absent_engines.is_empty() {
        notes.push(not_here(absent_engines));
    }
    notes
}

/// Engines that are named and not here, each with what brings it.
fn not_here(ids: &[String]) -> String {
    let mut each: Vec<String> = ids.iter().map(|id| format!("{id} ({})", how_to_get(id))).collect();
    each.dedup();
    format!("not in this build: {}", each.join(", "))
}

fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
