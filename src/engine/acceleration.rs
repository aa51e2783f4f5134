//! Acceleration on or off: libraries that have a switch for it read it when a process starts. So what a cell asks for is
//! checked in the process that is to run it, and whoever starts processes can ask which variables they need.

use std::collections::BTreeMap;
use std::env;

use super::{Engine, Side, Unsupported};
use crate::cell::{Acceleration, Cell, Feature};

/// Variables of the environment by their names.
pub type Variables = BTreeMap<String, String>;

impl dyn Engine + '_ {
    /// Whether this engine can play `side` of `cell`, in this process, with all that the cell asks for.
    pub fn can_play(&self, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        self.could_play(cell, side)?;
        match cell.accel {
            Acceleration::On => self.check_untouched(),
            Acceleration::Off => self.check_switched_off(),
        }
    }

    /// The same in a process that has the variables which `cell` needs.
    pub fn could_play(&self, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        self.supports(cell, side)?;
        let needs_no_variable = |feature: &Feature| *feature != Feature::NoAcceleration;
        cell.features().filter(needs_no_variable).try_for_each(|feature| self.offers(feature, cell, side))
    }

    /// Whoever sets the switch, in whatever way, would otherwise get numbers that pass for accelerated ones.
    fn check_untouched(&self) -> Result<(), Unsupported> {
        let switch = self.acceleration_switch().unwrap_or_default();
        match switch.iter().find(|(name, _)| env::var_os(name).is_some()) {
            None => Ok(()),
            Some((name, _)) => Err(Unsupported(format!(
                "{name} is set in the environment, so that {} does not use whatever the processor has (accel=on)",
                self.info().library
            ))),
        }
    }

    fn check_switched_off(&self) -> Result<(), Unsupported> {
        let switch = self.acceleration_switch()?;
        let library = self.info().library;
        let unset = switch.iter().find(|(name, value)| env::var(name).as_deref() != Ok(*value));
        if let Some((name, value)) = unset {
            return Err(Unsupported(format!(
                "{library} must be started with {name}={value} for accel=off, which `tlspair run` and `verify` see to"
            )));
        }
        if self.is_unaccelerated() {
            Ok(())
        } else {
            Err(Unsupported(format!("{library} did not heed its switch for accel=off")))
        }
    }
}
