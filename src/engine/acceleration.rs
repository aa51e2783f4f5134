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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Choice;
    use crate::engine::{EngineError, EngineInfo, Engines, Prepared};
    use crate::fixtures::Credentials;
    use crate::measure::{needs, supported};

    type Switch = &'static [(&'static str, &'static str)];

    /// An engine of which only its switch is known. Nobody sets variables of these names.
    struct Switched {
        id: &'static str,
        switch: Switch,
    }

    impl Engine for Switched {
        fn info(&self) -> EngineInfo {
            let [library, version, build] = ["Switched", "1.0", ""].map(str::to_owned);
            EngineInfo { id: self.id, library, version, build, is_tls: true }
        }

        fn supports(&self, _cell: &Cell, _side: Side) -> Result<(), Unsupported> {
            Ok(())
        }

        fn acceleration_switch(&self) -> Result<Switch, Unsupported> {
            Ok(self.switch)
        }

        fn prepare(&self, _: Side, _: &Cell, _: &Credentials) -> Result<Box<dyn Prepared>, EngineError> {
            Err(EngineError::new("only a switch"))
        }
    }

    fn engines() -> Engines {
        let engine = |id, switch| Box::new(Switched { id, switch }) as Box<dyn Engine>;
        Engines::of(vec![
            engine("one", &[("TLSPAIR_NO_SUCH_SWITCH", "1"), ("TLSPAIR_NO_OTHER_SWITCH", "1")]),
            engine("two", &[("TLSPAIR_NO_SUCH_SWITCH", "2")]),
            engine("deaf", &[]),
        ])
    }

    fn unaccelerated(client: &str, server: &str) -> Cell {
        let choice = Choice { accel: Some(Acceleration::Off), ..Choice::default() };
        choice.pin(client, server).expect("a cell")
    }

    #[test]
    fn a_process_needs_the_switches_of_both_engines() {
        let needed = needs(&engines(), &unaccelerated("one", "deaf")).expect("both have switches");
        assert_eq!(needed.keys().collect::<Vec<_>>(), ["TLSPAIR_NO_OTHER_SWITCH", "TLSPAIR_NO_SUCH_SWITCH"]);
        assert_eq!(
            needs(&engines(), &Choice::default().pin("one", "two").expect("a cell")),
            Ok(Variables::new())
        );
    }

    #[test]
    fn engines_that_want_one_variable_otherwise_cannot_play_together() {
        let refused = needs(&engines(), &unaccelerated("one", "two")).expect_err("there is one value");
        assert_eq!(refused.to_string(), "one and two want different values of TLSPAIR_NO_SUCH_SWITCH");
    }

    #[test]
    fn a_switch_that_is_not_set_or_not_heeded_gives_no_numbers() {
        let refusal = |id| supported(&engines(), &unaccelerated(id, id)).expect_err(id).to_string();
        assert!(
            refusal("two")
                .starts_with("Switched must be started with TLSPAIR_NO_SUCH_SWITCH=2 for accel=off")
        );
        assert_eq!(refusal("deaf"), "Switched did not heed its switch for accel=off");
    }
}
