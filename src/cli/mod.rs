//! The command line. One file a sub-command; here is what they share and how they are chosen.

mod args;
mod baseline;
mod cells;
mod check;
mod classic;
mod compare;
mod comparing;
mod count_loop;
mod exit;
mod explain;
mod exporting;
mod github;
mod interrupt;
mod link;
mod list;
mod man;
mod measuring;
mod merge;
mod output;
mod predict;
mod progress;
mod report;
mod run;
mod selection;
mod selftest;
mod showing;
mod speed;
mod upgrade;
mod verify;
mod with;
mod worker;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write, stderr, stdout};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::engine::Engines;
use crate::measure::Stop;
use crate::render::visible;
use args::{Arguments, Command};
pub use exit::{Ending, Exit};

/// Runs the program over `engines` with the process's own arguments.
///
/// This is all that an executable with other engines needs in its `main`.
pub fn main(engines: &Engines) -> ExitCode {
    run(engines, std::env::args_os())
}

/// Works for another tlspair, as the sub-command `worker` does, with Ctrl-C and the parent's end seen to.
///
/// This is for an executable with a [`Desk`](crate::worker::Desk) of its own: its `work` is
/// [`serve_stdio`](crate::worker::serve_stdio), which is handed the wish to stop.
pub fn work(work: impl FnOnce(Stop<'_>) -> io::Result<()>) -> ExitCode {
    ending(worker::run_with(work), Color::default())
}

/// Runs the program over `engines` with these arguments, the program's name first.
pub fn run(engines: &Engines, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let parsed = match Arguments::try_parse_from(arguments) {
        Ok(parsed) => parsed,
        Err(error) => return clap_ending(&error),
    };
    let ended = match parsed.command {
        Command::Classic(args) => classic::run(engines, &args, parsed.color),
        Command::Run(args) => run::run(engines, &args, parsed.color),
        Command::Compare(args) => compare::run(&args, parsed.color),
        Command::Check(args) => check::run(&args, parsed.color),
        Command::List(args) => list::run(engines, &args),
        Command::Verify(args) => verify::run(engines, &args, parsed.color),
        Command::Selftest(args) => selftest::run(&args, parsed.color),
        Command::Explain(args) => explain::run(engines, &args, parsed.color),
        Command::Predict(args) => predict::run(engines, &args, parsed.color),
        Command::Speed(args) => speed::run(engines, &args, parsed.color),
        Command::Report(args) => report::run(&args),
        Command::Merge(args) => merge::run(&args, parsed.color),
        Command::Baseline(command) => baseline::run(&command, parsed.color),
        Command::Worker => worker::run(engines),
        Command::Upgrade(args) => upgrade::run(&args, parsed.color),
        Command::Completions { shell } => completions(shell),
        Command::Man { folder } => man::run(folder.as_deref()),
        Command::CountLoop(args) => count_loop::run(engines, &args),
    };
    ending(ended, parsed.color)
}

fn ending(ended: Result<Exit, Ending>, color: Color) -> ExitCode {
    match ended {
        Ok(exit) => exit.into(),
        Err(ending) => {
            complain(&ending, color.on_stderr());
            ending.exit.into()
        }
    }
}

/// Help and version go to stdout and are no error; the rest is one message and the usage code.
fn clap_ending(error: &clap::Error) -> ExitCode {
    let printed = error.print();
    let exit = match (error.use_stderr(), printed) {
        (true, _) => Exit::Usage,
        (false, Ok(())) => Exit::Ok,
        (false, Err(failure)) => output::write_failed(&failure).map_or(Exit::Ok, |ending| ending.exit),
    };
    exit.into()
}

fn completions(shell: clap_complete::Shell) -> Result<Exit, Ending> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "tlspair", &mut script);
    output::print(&script)?;
    Ok(Exit::Ok)
}

/// The one way in which an error reaches the user.
fn complain(ending: &Ending, color: bool) {
    let heading = match (ending.has_heading, color) {
        (true, _) => "",
        (false, true) => "\u{1b}[1;31merror\u{1b}[0m: ",
        (false, false) => "error: ",
    };
    // A rendered suite brings its own colours, and has made control characters of the file visible itself.
    let message = if ending.has_heading {
        ending.message.clone()
    } else {
        ending.message.split('\n').map(visible).collect::<Vec<_>>().join("\n")
    };
    let line = format!("{heading}{message}");
    writeln!(stderr().lock(), "{line}").ok(); // nobody is left to tell
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On terminals, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Whether stdout gets colour.
    pub fn on_stdout(self) -> bool {
        self.on(stdout().is_terminal())
    }

    /// Whether stderr gets colour.
    pub fn on_stderr(self) -> bool {
        self.on(stderr().is_terminal())
    }

    fn on(self, terminal: bool) -> bool {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Self::Auto => terminal && !no_color && !is_dumb_terminal(),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// Whether the terminal says that it can neither colour nor redraw a line.
fn is_dumb_terminal() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
