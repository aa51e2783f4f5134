//! `tlspair speed`: the primitives of every library, side by side.

use std::collections::BTreeSet;
use std::time::Duration;

use clap::Args;

use super::args::{ExportArgs, WorkerArgs};
use super::interrupt::Interrupt;
use super::progress::plan;
use super::showing::Showing;
use super::with::WithArgs;
use super::{Color, Ending, Exit};
use crate::cell::UnknownName;
use crate::engine::Engines;
use crate::primitive::{Primitive, SIZES};
use crate::render::number::counted;
use crate::render::{Report, speed as render};
use crate::results::{Speed, Status};
use crate::speed::{Plan, Task};
use crate::suite::parse_bytes;
use crate::worker::{Guests, Routes, Terms};

/// `tlspair speed`.
#[derive(Args, Debug)]
pub struct SpeedArgs {
    /// Only these: names such as aes128-gcm or p256-sign, or how names begin, such as aes or rsa2048 [default: all].
    #[arg(value_name = "PRIMITIVE")]
    pub primitives: Vec<String>,
    /// Only these engines, with commas [default: all].
    #[arg(long, value_name = "ENGINES", value_delimiter = ',')]
    pub engine: Vec<String>,
    /// Bytes that hashes, MACs and ciphers are given, with commas; KiB and MiB are understood.
    #[arg(long, value_name = "BYTES", value_delimiter = ',', default_values_t = SIZES, value_parser = parse_size)]
    pub bytes: Vec<usize>,
    /// How long each engine works on each primitive and size, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    pub time: u64,
    /// Whose engines, beside those of this executable.
    #[command(flatten)]
    pub with: WithArgs,
    /// Measure in a process of its own, so that a library that crashes costs one row.
    #[arg(long)]
    pub isolate: bool,
    /// How long to wait for processes.
    #[command(flatten)]
    pub worker: WorkerArgs,
    /// Where results go beside the table.
    #[command(flatten)]
    pub export: ExportArgs,
}

fn parse_size(text: &str) -> Result<usize, String> {
    let number = parse_bytes(text)?;
    let size = usize::try_from(number).ok().filter(|size| (1..=Task::MOST_BYTES).contains(size));
    size.ok_or_else(|| format!("must be a number from 1 to {}", Task::MOST_BYTES))
}

/// Runs the sub-command.
pub fn run(engines: &Engines, args: &SpeedArgs, color: Color) -> Result<Exit, Ending> {
    let primitives = chosen(&args.primitives)?;
    let guests = args.with.guests(engines, args.worker)?;
    let ids = engine_ids(engines, &guests, &args.engine)?;
    let sizes: BTreeSet<usize> = args.bytes.iter().copied().collect();
    let tasks = Task::all(&primitives, &sizes.into_iter().collect::<Vec<_>>());
    let makes_device = args.export.exports.iter().any(|spec| spec.starts_with("device="));
    if makes_device && ids.len() != 1 {
        return Err(Ending::usage("a device file is of one engine: say which with --engine"));
    }
    let mut showing = Showing::begin("speed", "row", &args.export)?;
    let interrupt = Interrupt::watch()?;
    let stop = interrupt.stop();
    let lines = showing.lines();
    showing.notes(guests.notes());

    let time = Duration::from_millis(args.time);
    let speeds = Plan { tasks: &tasks, engines: &ids, time, stop };
    let rows = counted(tasks.len() as u64, "row");
    lines.note(&plan(
        tasks.len(),
        &format!("{rows} × {}", counted(ids.len() as u64, "engine")),
        speeds.estimate(),
    ));
    let mut lab = Routes::new(
        engines,
        &guests,
        args.isolate,
        Terms { core: None, patience: args.worker.patience(), stop },
    );
    let mut document = Speed::begin(guests.entries(engines, &ids));
    speeds.run(&mut lab, |at, results| {
        for result in &results {
            let line = format!("{}/{} {}: {}", at + 1, tasks.len(), result.name(), render::summary(result));
            if showing.progress.is_drawn() {
                showing.progress.show(line);
            } else if result.status != Status::Unsupported {
                lines.note(&line);
            }
        }
        document.primitives.extend(results);
        showing.grown(&Report::Speed(&document));
    });
    document.complete = !stop.requested();
    showing.end(&interrupt, color, &Report::Speed(&document))?;
    Ok(Exit::of_rows(document.complete, document.primitives.iter().map(|result| result.status)))
}

/// The primitives that the words name; all of them if there are none.
fn chosen(words: &[String]) -> Result<Vec<Primitive>, Ending> {
    let all = Primitive::all();
    if words.is_empty() {
        return Ok(all);
    }
    let begins_with =
        |primitive: &Primitive, word: &str| primitive.to_string().starts_with(&word.to_ascii_lowercase());
    for word in words {
        if word.is_empty() || !all.iter().any(|primitive| begins_with(primitive, word)) {
            let names: Vec<String> = all.iter().map(Primitive::to_string).collect();
            return Err(Ending::usage(UnknownName::new("primitive", word, names.iter().map(String::as_str))));
        }
    }
    let is_wanted = |primitive: &Primitive| {
        words.iter().any(|word| {
            // A whole name means no more than itself: sha1 is not sha1 and whatever else begins so.
            primitive.to_string().eq_ignore_ascii_case(word)
                || (word.parse::<Primitive>().is_err() && begins_with(primitive, word))
        })
    };
    Ok(all.into_iter().filter(is_wanted).collect())
}

fn engine_ids(engines: &Engines, guests: &Guests, wanted: &[String]) -> Result<Vec<String>, Ending> {
    let known = guests.tls_ids(engines);
    if wanted.is_empty() {
        return Ok(known);
    }
    if let Some(unknown) = wanted.iter().find(|id| !known.contains(id)) {
        return Err(Ending::usage(UnknownName::new("engine", unknown, known.iter().map(String::as_str))));
    }
    Ok(known.into_iter().filter(|id| wanted.contains(id)).collect())
}
