//! What is going to happen, and who is told of it.

use std::time::{Duration, Instant};

use super::report::SelftestReport;
use crate::cell::Cell;
use crate::compare::{ContestObserver, Done};

/// What a self-test sets out to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How often the program is compared with itself.
    pub parts: usize,
    /// Cells of each comparison.
    pub cells: usize,
    /// Loops of each comparison.
    pub loops: usize,
    /// What all of it should take from here on.
    pub estimate: Duration,
}

/// One comparison of the program with itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// 1 for the first.
    pub number: usize,
    /// Comparisons in all.
    pub of: usize,
    /// By how much NEW is slowed down; 0 is not at all.
    pub slowdown: f64,
}

/// Told of progress, outside all timers.
pub trait SelftestObserver {
    /// A cell is being explored, 1 for the first; this comes before each comparison.
    fn exploring(&mut self, part: Part, number: usize, of: usize, cell: &Cell) {
        _ = (part, number, of, cell);
    }

    /// The first exploration has shown what is to be done.
    fn planned(&mut self, plan: Plan) {
        _ = plan;
    }

    /// A loop is being visited; about so much time is left of the whole self-test.
    fn visiting(&mut self, part: Part, done: Done, left: Duration) {
        _ = (part, done, left);
    }

    /// A comparison has ended: what is known so far.
    fn so_far(&mut self, report: &SelftestReport) {
        _ = report;
    }
}

/// Listens to one comparison and tells of it as a part of the self-test.
pub(super) struct Relay<'a> {
    part: Part,
    /// The slowdowns of the comparisons that come after this one.
    to_come: &'a [f64],
    begun: Instant,
    /// What the comparisons after this one should take.
    after: Duration,
    observer: &'a mut dyn SelftestObserver,
}

impl<'a> Relay<'a> {
    pub(super) fn new(part: Part, to_come: &'a [f64], observer: &'a mut dyn SelftestObserver) -> Self {
        Self { part, to_come, begun: Instant::now(), after: Duration::ZERO, observer }
    }
}

impl ContestObserver for Relay<'_> {
    fn exploring(&mut self, number: usize, of: usize, cell: &Cell) {
        self.observer.exploring(self.part, number, of, cell);
    }

    fn planned(&mut self, cells: usize, loops: usize, estimate: Duration) {
        let exploring = self.begun.elapsed();
        // Only one side of each is slowed down.
        let later = |slowdown: &f64| exploring + estimate.mul_f64(1.0 + slowdown / 2.0);
        self.after = self.to_come.iter().map(later).sum();
        if self.part.number == 1 {
            let estimate = estimate + self.after;
            self.observer.planned(Plan { parts: self.part.of, cells, loops, estimate });
        }
    }

    fn visiting(&mut self, done: Done, left: Duration) {
        self.observer.visiting(self.part, done, left + self.after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Heard {
        plans: Vec<Plan>,
        left: Vec<Duration>,
    }

    impl SelftestObserver for Heard {
        fn planned(&mut self, plan: Plan) {
            self.plans.push(plan);
        }

        fn visiting(&mut self, _part: Part, _done: Done, left: Duration) {
            self.left.push(left);
        }
    }

    fn part(number: usize) -> Part {
        Part { number, of: 3, slowdown: 0.0 }
    }

    #[test]
    fn the_plan_is_told_once_and_holds_all_comparisons() {
        let mut heard = Heard::default();
        Relay::new(part(1), &[0.1, 0.5], &mut heard).planned(4, 8, Duration::from_secs(100));
        Relay::new(part(2), &[0.5], &mut heard).planned(4, 8, Duration::from_secs(105));
        let [plan] = heard.plans.as_slice() else { panic!("{:?}", heard.plans) };
        assert_eq!((plan.parts, plan.cells, plan.loops), (3, 4, 8));
        // 100 s, then 105 s and 125 s, each with its exploration.
        assert!(plan.estimate >= Duration::from_secs(330), "{plan:?}");
    }

    #[test]
    fn the_time_left_is_that_of_all_comparisons() {
        let mut heard = Heard::default();
        let mut relay = Relay::new(part(2), &[1.0], &mut heard);
        relay.planned(4, 8, Duration::from_secs(100));
        relay.visiting(Done { round: 1, rounds: 2, visits: 0, of: 8 }, Duration::from_secs(60));
        assert!(heard.left[0] >= Duration::from_secs(210), "{:?}", heard.left);
    }
}
