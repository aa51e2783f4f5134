//! Executables that crash, and Ctrl-C.

use tlspair::results::Status;

use super::one_and_two;
use crate::cli::{INTERRUPTED, OPERATIONAL};
use crate::cli_signals::Running;

const RUN: [&str; 7] = [
    "run",
    "--with=exe:./one",
    "--with=exe:./two",
    "--engine=alpha,beta,null",
    "--proto=tls1.3",
    "--bytes=1,1000",
    "--json",
];

#[test]
fn a_crash_of_another_executable_is_a_row() {
    for isolate in [&[][..], &["--isolate"]] {
        let sides = one_and_two();
        sides.add("two", &["ENGINES=beta", "FAULT=abort", "FAULT_CELLS=bytes=1000"]);
        let document =
            sides.run(&[&RUN[..], &["--num=5", "--quiet"], isolate].concat()).ends(OPERATIONAL).results();
        assert!(document.complete);
        for cell in &document.cells {
            let crashes = cell.id.contains("engine=beta") && cell.id.contains("bytes=1000");
            assert_eq!(cell.status, if crashes { Status::Error } else { Status::Ok }, "{cell:?}");
            if crashes {
                let reason = cell.reason.as_deref().expect("who failed says why");
                assert!(
                    reason.contains("the worker of exe:./two ended with signal: 6 (SIGABRT)"),
                    "{reason}"
                );
            }
        }
        sides.leave_nothing_running();
    }
}

#[test]
fn ctrl_c_reaches_the_executable_that_measures() {
    let sides = one_and_two();
    let mut running = Running::of(&mut sides.command(&[&RUN[..], &["--num=10000000"]].concat()));
    running.wait_for_line(|line| line.starts_with("6 cells, about "));
    std::thread::sleep(std::time::Duration::from_millis(300));
    running.send("-INT");
    let (ran, _) = running.end();
    let document = ran.ends(INTERRUPTED).results();
    assert!(!document.complete);
    assert!(document.cells.len() <= 1, "the first is in hand");
    for cell in &document.cells {
        assert_eq!((cell.status, &cell.reason), (Status::Ok, &None), "it was stopped, and did not fail");
    }
    sides.leave_nothing_running();
}
