//! A lab that takes every cell to where it can run: to this process, to a worker of the executable that has its engines,
//! or to one whose environment switches the acceleration off. Workers stay for the cells to come, so that cells of several
//! executables can take turns.

use std::time::Duration;

use super::{Executable, Guests, Isolated, Terms};
use crate::campaign::{Here, Lab, LoopTask, NoNumbers, TriedCell, Workload};
use crate::cell::{Acceleration, Cell};
use crate::cost::BothSides;
use crate::engine::{Engines, Variables};
use crate::measure::{LoopKind, needs};
use crate::results::{LoopResult, Measured};
use crate::speed::{OwnTask, Task};

/// See the module's documentation.
#[derive(Debug)]
pub struct Routes<'a> {
    guests: &'a Guests,
    here: Here<'a>,
    isolated: bool,
    terms: Terms<'a>,
    /// One of each executable and environment that was needed so far.
    workers: Vec<(Executable, Isolated<'a>)>,
}

/// Which executable has the engines of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// This one.
    Own,
    /// The guest at this place in the order.
    Guest(usize),
}

impl<'a> Routes<'a> {
    /// To `engines` and `guests`; with `isolated` all cells go to workers.
    pub fn new(engines: &'a Engines, guests: &'a Guests, isolated: bool, terms: Terms<'a>) -> Self {
        Self { guests, here: Here { engines, stop: terms.stop }, isolated, terms, workers: Vec::new() }
    }

    /// The variables that a process needs to run the cell, if the engines can.
    pub fn needs(&mut self, cell: &Cell) -> Result<Variables, NoNumbers> {
        match self.place(cell)? {
            Place::Own => Ok(needs(self.here.engines, cell)?),
            place @ Place::Guest(_) => {
                let executable = self.executable(place)?;
                self.worker(executable).needs(cell)
            }
        }
    }

    fn lab(&mut self, cell: &Cell) -> Result<&mut dyn Lab, NoNumbers> {
        let place = self.place(cell)?;
        let variables = match cell.accel {
            Acceleration::On => Variables::new(),
            Acceleration::Off => self.needs(cell)?,
        };
        self.lab_at(place, variables)
    }

    /// Where the primitives of an engine are timed.
    fn lab_of_engine(&mut self, id: &str) -> Result<&mut dyn Lab, NoNumbers> {
        self.lab_at(self.place_of(id)?, Variables::new())
    }

    fn lab_at(&mut self, place: Place, variables: Variables) -> Result<&mut dyn Lab, NoNumbers> {
        if place == Place::Own && variables.is_empty() && !self.isolated {
            return Ok(&mut self.here);
        }
        let executable = self.executable(place)?.with_variables(variables);
        Ok(self.worker(executable))
    }

    fn place(&self, cell: &Cell) -> Result<Place, NoNumbers> {
        let (client, server) = (self.place_of(&cell.client)?, self.place_of(&cell.server)?);
        if client == server {
            return Ok(client);
        }
        let place = |place| match place {
            Place::Own => "this one",
            Place::Guest(at) => self.guests.at(at).executable.name.as_str(),
        };
        Err(NoNumbers::Unsupported(format!(
            "{} and {} are in different executables, {} and {}",
            cell.client,
            cell.server,
            place(client),
            place(server)
        )))
    }

    fn place_of(&self, id: &str) -> Result<Place, NoNumbers> {
        match (self.here.engines.named(id), self.guests.engine(id)) {
            (Ok(_), _) => Ok(Place::Own),
            (Err(_), Some((at, _))) => Ok(Place::Guest(at)),
            (Err(unknown), None) => Err(NoNumbers::Error(unknown.to_string())),
        }
    }

    fn executable(&self, place: Place) -> Result<Executable, NoNumbers> {
        match place {
            Place::Own => Executable::this_one()
                .map_err(|error| NoNumbers::Error(format!("this executable cannot be found: {error}"))),
            Place::Guest(at) => Ok(self.guests.at(at).executable.clone()),
        }
    }

    fn worker(&mut self, executable: Executable) -> &mut Isolated<'a> {
        let known = self.workers.iter().position(|(known, _)| *known == executable);
        let at = known.unwrap_or_else(|| {
            let worker = Isolated::new(&executable, self.terms);
            self.workers.push((executable, worker));
            self.workers.len() - 1
        });
        &mut self.workers[at].1
    }
}

impl Lab for Routes<'_> {
    fn try_cell(&mut self, cell: &Cell) -> Result<TriedCell, NoNumbers> {
        self.lab(cell)?.try_cell(cell)
    }

    fn verify_cell(&mut self, cell: &Cell) -> Result<(), NoNumbers> {
        self.lab(cell)?.verify_cell(cell)
    }

    fn time_loop(
        &mut self,
        cell: &Cell,
        what: LoopTask,
        progress: &mut dyn FnMut(u64, Duration),
    ) -> Result<LoopResult, NoNumbers> {
        self.lab(cell)?.time_loop(cell, what, progress)
    }

    fn work(&mut self, cell: &Cell, workload: Workload) -> Result<Measured, NoNumbers> {
        self.lab(cell)?.work(cell, workload)
    }

    fn count_operations(&mut self, cell: &Cell, kind: LoopKind) -> Result<BothSides, NoNumbers> {
        self.lab(cell)?.count_operations(cell, kind)
    }

    fn time_primitive(&mut self, engine: &str, task: Task, budget: Duration) -> Result<Vec<f64>, NoNumbers> {
        self.lab_of_engine(engine)?.time_primitive(engine, task, budget)
    }

    fn time_in_turn(&mut self, tasks: &[OwnTask], budget: Duration) -> Result<Vec<Vec<f64>>, NoNumbers> {
        let Some(first) = tasks.first() else { return Ok(Vec::new()) };
        self.lab_of_engine(&first.engine)?.time_in_turn(tasks, budget)
    }
}
