//! `tlspair list`: the engines of this build and what each can do.

use serde::Serialize;

use super::args::ListArgs;
use super::{Ending, Exit, output};
use crate::engine::{Capabilities, Engine, Engines};
use crate::render::list as render;
use crate::suite::built_in_names;

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Listing<'a> {
    engines: &'a [Capabilities],
}

/// Runs the sub-command.
pub fn run(engines: &Engines, args: &ListArgs) -> Result<Exit, Ending> {
    let chosen: Vec<&dyn Engine> = if args.engines.is_empty() {
        engines.iter().collect()
    } else {
        args.engines.iter().map(|id| engines.named(id)).collect::<Result<_, _>>().map_err(Ending::usage)?
    };
    let engines: Vec<Capabilities> = chosen.into_iter().map(Capabilities::of).collect();
    let text = if args.json {
        let json =
            serde_json::to_string_pretty(&Listing { engines: &engines }).map_err(Ending::operational)?;
        json + "\n"
    } else if args.engines.is_empty() {
        format!("{}\nsuites: {}\n", render::engines(&engines), built_in_names().join(" "))
    } else {
        render::engines(&engines)
    };
    output::print(text.as_bytes())?;
    Ok(Exit::Ok)
}
