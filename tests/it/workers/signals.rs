//! Signals: workers that are killed from outside, Ctrl-C, and a parent that goes away.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::thread;
use std::time::Duration;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use tlspair::results::{Comparability, Comparison};

use crate::cli::{INTERRUPTED, OK, OPERATIONAL, Ran};
use crate::cli_signals::Running;
use crate::contests::{Sides, comparison, comparison_at};

fn sides() -> Sides {
    let sides = Sides::new();
    sides.add("old", &["NOISE=0.004", "SEED=1"]);
    sides.add("new", &["NOISE=0.004", "SEED=2"]);
    sides
}

/// A comparison of four cells, in this many rounds.
fn start(sides: &Sides, rounds: &str, own_group: bool) -> Running {
    let mut command = sides.command(&[
        "compare",
        "exe:./old",
        "exe:./new",
        "--engine=alpha,beta",
        "--proto=tls1.3",
        "--bytes=1,1000",
        "--seed=7",
        "--json",
        "--export=csv=r.csv",
        "--export=table=r.txt",
        rounds,
    ]);
    if own_group {
        command.process_group(0);
    }
    Running::of(&mut command)
}

/// Processes that a process has started and that live.
fn children(parent: u32) -> Vec<u32> {
    let parent_of = |pid: u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let after_name = stat.rsplit(')').next()?.to_owned();
        after_name.split_whitespace().nth(1)?.parse::<u32>().ok()
    };
    let entries = fs::read_dir("/proc").expect("Linux has it").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|&pid| parent_of(pid) == Some(parent)).collect()
}

fn send(signal: &str, pid: u32) -> bool {
    let sent = Command::new("kill").args([signal, "--", &pid.to_string()]).output();
    sent.expect("there is a kill").status.success()
}

/// Kills children of a process at random moments until it ends; says how many there were.
fn kill_children_of(parent: u32, seed: u64) -> usize {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut killed = 0;
    while fs::metadata(format!("/proc/{parent}")).is_ok() && killed < 12 {
        thread::sleep(Duration::from_millis(random.random_range(1..40)));
        let children = children(parent);
        if !children.is_empty() {
            let victim = children[random.random_range(0..children.len())];
            killed += usize::from(send("-KILL", victim));
        }
    }
    killed
}

#[test]
fn workers_killed_at_random_moments_cost_their_cells_only() {
    for seed in 0..3 {
        let sides = sides();
        let mut running = start(&sides, "--rounds=60", false);
        running.wait_for_line(|line| line.starts_with("round 1 of 60"));
        let parent = running.id();
        let killer = thread::spawn(move || kill_children_of(parent, seed));
        let (ran, _) = running.end();
        assert!(killer.join().expect("no panic") > 0, "somebody was killed");
        let comparison = comparison(&ran);
        assert!(comparison.complete);
        assert_eq!(comparison.cells.len(), 4);
        let failed = check_cells(&comparison);
        ran.ends(if failed > 0 { OPERATIONAL } else { OK });
        sides.leave_nothing_running();
    }
}

/// Insists that each cell has all its rounds or says who was killed; says how many were.
fn check_cells(comparison: &Comparison) -> usize {
    let mut failed = 0;
    for cell in &comparison.cells {
        if cell.status == Comparability::Compared {
            let rounds = cell.loops.full.as_ref().map(|one| one.evidence.new_times().len());
            assert_eq!(rounds, Some(60), "{cell:?}");
        } else {
            let reason = cell.reason.as_deref().expect("who failed says why");
            assert!(reason.contains("signal: 9 (SIGKILL)"), "{reason}");
            failed += 1;
        }
    }
    failed
}

/// What must be there after a Ctrl-C in the third round.
fn check_interrupted(sides: &Sides, ran: Ran) {
    let ran = ran.ends(INTERRUPTED);
    let comparison = comparison(&ran);
    assert!(!comparison.complete);
    assert_eq!(comparison.cells.len(), 4);
    for cell in &comparison.cells {
        assert_eq!((cell.status, &cell.reason), (Comparability::Compared, &None));
        let rounds = cell.loops.full.as_ref().map_or(0, |one| one.evidence.old_times().len());
        assert!((2..1000).contains(&rounds), "{rounds} rounds");
    }
    assert_eq!(ran.stderr.lines().last(), Some("interrupted: what was measured is shown"));
    let table = fs::read_to_string(sides.folder().path("r.txt")).expect("it was written");
    assert!(table.contains("Not complete: "), "{table}");
    let csv = fs::read_to_string(sides.folder().path("r.csv")).expect("it was written");
    assert_eq!(csv.lines().count(), 1 + 8);
    sides.leave_nothing_running();
}

#[test]
fn ctrl_c_shows_what_there_is_and_leaves_no_worker() {
    for signal in ["-INT", "-TERM"] {
        let sides = sides();
        let mut running = start(&sides, "--rounds=1000", false);
        running.wait_for_line(|line| line.starts_with("round 3 of 1000"));
        running.send(signal);
        check_interrupted(&sides, running.end().0);
    }
}

#[test]
fn ctrl_c_in_a_terminal_reaches_the_whole_group_and_ends_the_same() {
    let sides = sides();
    let mut running = start(&sides, "--rounds=1000", true);
    running.wait_for_line(|line| line.starts_with("round 3 of 1000"));
    let group = Command::new("kill").args(["-INT", "--", &format!("-{}", running.id())]).status();
    assert!(group.expect("there is a kill").success());
    check_interrupted(&sides, running.end().0);
}

#[test]
fn ctrl_c_ends_a_comparison_whose_worker_hangs() {
    let sides = sides();
    sides.add("new", &["FAULT=hang", "FAULT_AT=200"]);
    let mut running = start(&sides, "--rounds=1000", false);
    running.wait_for_line(|line| line.starts_with("round 2 of 1000"));
    // The first Ctrl-C waits for the worker, the second one does not.
    running.send("-INT");
    thread::sleep(Duration::from_millis(300));
    running.send("-INT");
    let (ran, _) = running.end();
    ran.ends(INTERRUPTED);
    sides.leave_nothing_running();
}

#[test]
fn workers_end_with_a_parent_that_was_killed() {
    let sides = sides();
    let mut running = start(&sides, "--rounds=1000", false);
    running.wait_for_line(|line| line.starts_with("round 3 of 1000"));
    assert!(sides.processes().len() > 1, "it has workers");
    running.send("-KILL");
    let (ran, _) = running.end();
    assert_eq!(ran.code, None, "ended by the signal");
    sides.leave_nothing_running();
}

#[test]
fn a_worker_that_hangs_ends_with_its_parent() {
    let sides = sides();
    sides.add("new", &["FAULT=hang", "FAULT_AT=100"]);
    let running = start(&sides, "--rounds=1000", false);
    let requests = sides.folder().path("new.state.requests");
    while fs::metadata(&requests).map_or(0, |metadata| metadata.len()) < 100 {
        thread::sleep(Duration::from_millis(5));
    }
    running.send("-KILL");
    assert_eq!(running.end().0.code, None, "ended by the signal");
    sides.leave_nothing_running();
}

#[test]
fn an_interrupted_comparison_can_be_read_back() {
    let sides = sides();
    let mut command = sides.command(&["compare", "exe:./old", "exe:./new", "--engine=alpha"]);
    command.args(["--rounds=1000", "--export=json=r.json"]);
    let mut running = Running::of(&mut command);
    running.wait_for_line(|line| line.starts_with("round 3 of 1000"));
    running.send("-INT");
    running.end().0.ends(INTERRUPTED);
    assert!(!comparison_at(&sides.folder().path("r.json")).complete);
}
