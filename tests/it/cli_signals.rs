//! Ctrl-C, kill, and what another program sees of a results file meanwhile.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tlspair::results::Document;

use crate::cli::{Folder, INTERRUPTED, OK, Ran, program, results_at, tlspair_with};

/// Signals in the kernel's sets, which count from 1.
const SIGINT: u64 = 1 << (2 - 1);
const SIGTERM: u64 = 1 << (15 - 1);

/// The program at work, its stderr read line by line.
pub struct Running {
    child: Child,
    /// Reads stdout meanwhile, so that a full pipe holds nothing up.
    stdout: JoinHandle<String>,
    stderr: BufReader<ChildStderr>,
    lines: Vec<String>,
}

impl Running {
    /// Starts it.
    pub fn start(arguments: &[&str]) -> Self {
        Self::of(program().args(arguments))
    }

    /// Starts a command.
    pub fn of(command: &mut Command) -> Self {
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut stdout = child.stdout.take().expect("a pipe");
        let stdout = thread::spawn(move || {
            let mut text = String::new();
            stdout.read_to_string(&mut text).expect("UTF-8");
            text
        });
        let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        Self { child, stdout, stderr, lines: Vec::new() }
    }

    /// Reads stderr up to a line like this.
    #[track_caller]
    pub fn wait_for_line(&mut self, wanted: impl Fn(&str) -> bool) {
        while let Some(line) = self.next_line() {
            if wanted(&line) {
                return;
            }
        }
        panic!("it ended and said {:?}", self.lines);
    }

    fn next_line(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.stderr.read_line(&mut line).expect("UTF-8");
        self.lines.extend((length > 0).then(|| line.trim_end().to_owned()));
        (length > 0).then(|| line.trim_end().to_owned())
    }

    /// Waits until Ctrl-C would reach the program's own handlers; those of SIGTERM are the last to be there.
    fn wait_for_handler(&self) {
        while self.signals("SigCgt:") & SIGTERM == 0 {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits until the Ctrl-C sent last has been handled: two that wait together would count as one.
    fn wait_for_delivery(&self) {
        while (self.signals("ShdPnd:") | self.signals("SigPnd:")) & SIGINT != 0 {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// A set of signals that the kernel keeps of the process.
    fn signals(&self, set: &str) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("Linux has it");
        let mask = status.lines().find_map(|line| line.strip_prefix(set)).expect("a set");
        u64::from_str_radix(mask.trim(), 16).expect("hexadecimal")
    }

    /// Waits until it has worked for so long that a connection must be in hand: starting up takes far less.
    fn wait_for_work(&self) {
        const TICKS: u64 = 30; // hundredths of a second of CPU time
        let worked = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("it runs");
            let after_name = stat.rsplit(')').next().expect("a name in brackets");
            let user_ticks = after_name.split_whitespace().nth(11).expect("utime is the 14th field");
            user_ticks.parse::<u64>().expect("a number")
        };
        while worked() < TICKS {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }

    /// Sends it a signal, such as `-INT`.
    pub fn send(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.expect("there is a kill").success());
    }

    /// Waits for its end; its stderr is in the lines.
    pub fn end(mut self) -> (Ran, Vec<String>) {
        while self.next_line().is_some() {}
        let code = self.child.wait().expect("it ends").code();
        let stdout = self.stdout.join().expect("no panic");
        (Ran { code, stdout, stderr: self.lines.join("\n") }, self.lines)
    }
}

/// A cell that is measured at once, and one that takes minutes.
const ONE_SHORT_ONE_LONG: [&str; 4] = ["run", "--engine=null", "--bytes=1,4MiB", "--num=50000"];

#[test]
fn ctrl_c_writes_what_there_is() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let export = format!("--export=json={}", folder.arg("r.json"));
        let mut running = Running::start(&[&ONE_SHORT_ONE_LONG[..], &[&export]].concat());
        running.wait_for_line(|line| line.starts_with("1/2 "));
        running.send(signal);
        let (ran, lines) = running.end();
        let ran = ran.ends(INTERRUPTED);
        let message = "interrupted: 1 of 2 cells measured in full";
        assert_eq!(lines.last().map(String::as_str), Some(message), "{lines:?}");
        let document = results_at(&folder.path("r.json"));
        assert!(!document.complete);
        let first = document.cells[0].loops.reuse.as_ref().expect("the first cell was measured");
        assert_eq!((first.connections, first.resumed), (50000, 49999));
        assert!(ran.stdout.contains("Not complete: "), "{}", ran.stdout);
        assert_eq!(folder.names(), ["r.json"]);
    }
}

#[test]
fn ctrl_c_before_anything_is_measured_ends_after_the_connection_in_hand() {
    let folder = Folder::new();
    let export = format!("--export=json={}", folder.arg("r.json"));
    let running = Running::start(&["run", "--engine=null", "--bytes=64MiB,32MiB", "--num=1000", &export]);
    running.wait_for_handler();
    running.send("-INT");
    let (ran, lines) = running.end();
    let ran = ran.ends(INTERRUPTED);
    assert_eq!(lines, ["interrupted: 0 of 2 cells measured in full"]);
    let document = results_at(&folder.path("r.json"));
    assert_eq!((document.complete, document.cells.len(), document.harness), (false, 0, None));
    assert!(ran.stdout.contains("Not complete: 0 cells so far."));
}

#[test]
fn ctrl_c_ends_a_verification() {
    let running = Running::start(&["verify", "--engine=null", "--bytes=64MiB,32MiB"]);
    running.wait_for_handler();
    running.send("-INT");
    let (ran, _) = running.end();
    assert_eq!(ran.ends(INTERRUPTED).stdout, "0 verified, 0 unsupported, 0 failed\n");
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    // The connection in hand alone takes seconds here, and minutes with triple DES.
    let slow: &[&str] = if cfg!(feature = "openssl") {
        &["--engine=openssl", "--proto=ssl3", "--cipher=DES-CBC3-SHA"]
    } else {
        &["--engine=null"]
    };
    let running = Running::start(&[&["run", "--bytes=1GiB", "--num=1"], slow].concat());
    running.wait_for_handler();
    running.wait_for_work();
    running.send("-INT");
    running.wait_for_delivery();
    running.send("-INT");
    let (ran, lines) = running.end();
    assert_eq!((ran.ends(INTERRUPTED).stdout.as_str(), lines), ("", Vec::new()));
}

#[test]
fn a_killed_run_leaves_the_results_of_the_cells_before() {
    let folder = Folder::new();
    let export = format!("--export=json={}", folder.arg("r.json"));
    let mut running = Running::start(&["run", "--engine=null", "--bytes=1,2,3,4MiB", "--num=20000", &export]);
    // The line of the second cell comes after the first one was written.
    running.wait_for_line(|line| line.starts_with("2/4 "));
    running.send("-KILL");
    let (ran, _) = running.end();
    assert_eq!(ran.code, None, "ended by the signal");
    let document = results_at(&folder.path("r.json"));
    assert!(!document.complete && !document.cells.is_empty());
    for cell in &document.cells {
        assert_eq!(cell.loops.full.as_ref().map(|run| run.connections), Some(20000));
    }
}

#[test]
fn a_results_file_is_never_seen_half_written() {
    let folder = Folder::new();
    let path = folder.path("r.json");
    let export = format!("--export=json={}", folder.arg("r.json"));
    tlspair_with(["run", "--engine=null", "--num=2", "--bytes=777", "-q", &export]).ends(OK);
    let old = results_at(&path);
    assert!(old.complete);

    let mut child = program()
        .args(["run", "--engine=null", "--num=3000", "--bytes=1..40", "-q", &export])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let (mut before, mut partial) = (0, 0);
    let ended = loop {
        let ended = child.try_wait().expect("it can be asked");
        let text = std::fs::read_to_string(&path).expect("the file is always there");
        let seen = Document::parse(&text, "r.json").unwrap_or_else(|error| panic!("half a file: {error}"));
        if seen != old {
            assert!(seen.cells.len() >= before, "results only grow");
            before = seen.cells.len();
            assert!(!seen.complete || before == 40);
            partial += usize::from(!seen.complete);
        }
        if let Some(status) = ended {
            break status;
        }
    };
    assert_eq!(ended.code(), Some(OK));
    assert!(partial > 0, "the run was watched while it went on");
    let new = results_at(&path);
    assert_eq!((new.complete, new.cells.len()), (true, 40));
    assert_eq!(folder.names(), ["r.json"], "nothing is left beside it");
}

#[test]
fn ctrl_c_ends_a_self_test_with_what_there_is_and_keeps_no_floor() {
    let folder = Folder::new();
    let export = format!("--export=json={}", folder.arg("r.json"));
    let home = folder.path("home");
    let arguments = ["selftest", "--engine=null", "--bytes=1,2,3", "--rounds=1000", &export];
    let mut running = Running::of(program().env(tlspair::store::HOME_VARIABLE, &home).args(arguments));
    running.wait_for_line(|line| line.contains("round 3 of 1000"));
    running.send("-INT");
    let (ran, lines) = running.end();
    let ran = ran.ends(INTERRUPTED);
    let message = "interrupted: what was measured is shown, and nothing is kept";
    assert_eq!(lines.last().map(String::as_str), Some(message), "{lines:?}");
    assert!(ran.stdout.contains("Not complete: "), "{}", ran.stdout);
    let text = std::fs::read_to_string(folder.path("r.json")).expect("it was exported");
    let report: tlspair::selftest::SelftestReport = serde_json::from_str(&text).expect("a report");
    assert!(!report.complete && report.trust.is_none() && report.slowed.is_empty());
    assert_eq!(report.same.map(|same| same.comparisons()), Some(6), "two rounds were completed");
    assert_eq!(std::fs::read_dir(home).map(Iterator::count).unwrap_or_default(), 0);
}
