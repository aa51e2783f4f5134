//! What others took of the processors meanwhile, as far as the system tells.

use std::fs;
use std::time::Instant;

use serde::{Deserialize, Serialize};

/// What others took. All of it is null where the system does not tell; Linux does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Disturbance {
    /// The part of all processors' time that the host of a virtual machine took away (steal).
    pub stolen: Option<f64>,
    /// The same of the processor that was measured on.
    pub stolen_of_core: Option<f64>,
    /// The part of the time in which some program waited for a processor.
    pub waiting: Option<f64>,
    /// Programs that ran or wanted to, the mean of the minute before.
    pub load_before: Option<f64>,
    /// The same of the last minute.
    pub load_after: Option<f64>,
}

/// The state of the system at the beginning.
#[derive(Debug)]
pub(super) struct Watch {
    core: Option<u64>,
    started: Instant,
    all: Option<Ticks>,
    of_core: Option<Ticks>,
    waited_us: Option<u64>,
    load: Option<f64>,
}

/// Time that a processor, or all of them, have spent since the system started, in ticks of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ticks {
    stolen: u64,
    all: u64,
}

impl Watch {
    pub(super) fn begin(core: Option<u64>) -> Self {
        let (all, of_core) = ticks(core);
        Self { core, started: Instant::now(), all, of_core, waited_us: waited_us(), load: load() }
    }

    /// What has happened since the beginning.
    pub(super) fn so_far(&self) -> Disturbance {
        let (all, of_core) = ticks(self.core);
        let elapsed_us = self.started.elapsed().as_micros() as f64;
        let waited = self.waited_us.zip(waited_us()).map(|(before, now)| now.saturating_sub(before) as f64);
        Disturbance {
            stolen: stolen_between(self.all, all),
            stolen_of_core: stolen_between(self.of_core, of_core),
            waiting: waited.filter(|_| elapsed_us > 0.0).map(|waited| (waited / elapsed_us).min(1.0)),
            load_before: self.load,
            load_after: load(),
        }
    }
}

/// Ticks of all processors together, and of one.
fn ticks(core: Option<u64>) -> (Option<Ticks>, Option<Ticks>) {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    (Ticks::parse(&text, "cpu"), core.and_then(|core| Ticks::parse(&text, &format!("cpu{core}"))))
}

fn stolen_between(before: Option<Ticks>, now: Option<Ticks>) -> Option<f64> {
    let (before, now) = before.zip(now)?;
    let all = now.all.checked_sub(before.all).filter(|&all| all > 0)?;
    Some(now.stolen.saturating_sub(before.stolen) as f64 / all as f64)
}

fn waited_us() -> Option<u64> {
    parse_waited(&fs::read_to_string("/proc/pressure/cpu").ok()?)
}

fn load() -> Option<f64> {
    parse_load(&fs::read_to_string("/proc/loadavg").ok()?)
}

impl Ticks {
    /// Reads a line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq and steal. What comes after is
    /// guests' time, which user and nice contain already.
    fn parse(text: &str, name: &str) -> Option<Self> {
        const STOLEN: usize = 7;
        let mut line = text
            .lines()
            .map(str::split_ascii_whitespace)
            .find_map(|mut words| (words.next() == Some(name)).then_some(words))?;
        let ticks: Vec<u64> = line.by_ref().take(STOLEN + 1).map_while(|word| word.parse().ok()).collect();
        Some(Self { stolen: *ticks.get(STOLEN)?, all: ticks.iter().sum() })
    }
}

/// The total of `some avg10=0.00 avg60=0.00 avg300=0.00 total=12345`, in microseconds.
fn parse_waited(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    line.split_ascii_whitespace().find_map(|word| word.strip_prefix("total="))?.parse().ok()
}

/// The first number of `/proc/loadavg`.
fn parse_load(text: &str) -> Option<f64> {
    text.split_ascii_whitespace().next()?.parse().ok().filter(|load: &f64| load.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "cpu  100 20 30 400 50 6 7 87 11 12\ncpu0 1 2 3 4 5 6 7 8 0 0\ncpu10 1 1 1 1 1 1 1 93 0 0\n\
                        intr 12 0 1\nctxt 99\n";

    #[test]
    fn ticks_are_those_of_the_processor_asked_for_without_its_guests() {
        assert_eq!(Ticks::parse(STAT, "cpu"), Some(Ticks { stolen: 87, all: 700 }));
        assert_eq!(Ticks::parse(STAT, "cpu0"), Some(Ticks { stolen: 8, all: 36 }));
        assert_eq!(Ticks::parse(STAT, "cpu10"), Some(Ticks { stolen: 93, all: 100 }));
        assert_eq!(Ticks::parse(STAT, "cpu1"), None);
    }

    #[test]
    fn what_a_system_does_not_tell_is_not_made_up() {
        // Kernels before 2.6.11 have no steal.
        assert_eq!(Ticks::parse("cpu 1 2 3 4 5 6 7\n", "cpu"), None);
        assert_eq!(Ticks::parse("cpu 1 2 3 four 5 6 7 8\n", "cpu"), None);
        assert_eq!(Ticks::parse("", "cpu"), None);
        assert_eq!((parse_waited(""), parse_waited("full avg10=0.00 total=7\n")), (None, None));
        assert_eq!((parse_load(""), parse_load("much 0.1\n"), parse_load("inf\n")), (None, None, None));
    }

    #[test]
    fn pressure_and_load_are_read_off() {
        let pressure = "some avg10=1.53 avg60=0.87 avg300=0.00 total=58761459\nfull avg10=0.00 total=3\n";
        assert_eq!(parse_waited(pressure), Some(58_761_459));
        assert_eq!(parse_load("11.34 9.06 6.47 3/123 4567\n"), Some(11.34));
    }

    #[test]
    fn the_stolen_part_is_that_of_the_time_in_between() {
        let ticks = |stolen, all| Some(Ticks { stolen, all });
        assert_eq!(stolen_between(ticks(10, 100), ticks(30, 300)), Some(0.1));
        assert_eq!(stolen_between(ticks(10, 100), ticks(10, 300)), Some(0.0));
        for (before, now) in [(None, ticks(1, 2)), (ticks(1, 2), None), (ticks(1, 2), ticks(1, 2))] {
            assert_eq!(stolen_between(before, now), None);
        }
        // A processor was taken away meanwhile, and its ticks with it.
        assert_eq!(stolen_between(ticks(10, 300), ticks(5, 200)), None);
    }

    #[test]
    fn nothing_can_be_taken_more_than_once() {
        let watch = Watch::begin(Some(0));
        let Disturbance { stolen, stolen_of_core, waiting, .. } = watch.so_far();
        for share in [stolen, stolen_of_core, waiting].into_iter().flatten() {
            assert!((0.0..=1.0).contains(&share), "{share}");
        }
    }
}
