//! `tlspair list`: the engines of this build, and of other executables, and what each can do.

use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::args::WorkerArgs;
use super::with::{WithArgs, terms};
use super::{Ending, Exit, output};
use crate::cell::UnknownName;
use crate::engine::{Capabilities, Engines, KNOWN, KnownEngine, how_to_get};
use crate::render::{Style, list as render};
use crate::suite::built_in_names;
use crate::worker::{Guest, Guests, Post, Reply, Request};

/// `tlspair list`.
#[derive(Args, Debug)]
pub struct ListArgs {
    /// As JSON.
    #[arg(long)]
    pub json: bool,
    /// As Markdown: a table a dimension of what engines support.
    #[arg(long, conflicts_with = "json")]
    pub md: bool,
    /// Also the executables in the folder `engines` beside this one, and the engines of this project that are not here, with how
    /// to get them.
    #[arg(long)]
    pub all: bool,
    /// Only these engines.
    #[arg(value_name = "ENGINE")]
    pub engines: Vec<String>,
    /// Whose engines, beside those of this executable.
    #[command(flatten)]
    pub with: WithArgs,
    /// How long to wait for them.
    #[command(flatten)]
    pub worker: WorkerArgs,
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Listing {
    engines: Vec<Listed>,
    /// With `--all` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<Vec<Absent>>,
}

/// An engine that can be asked.
#[derive(Debug, Serialize)]
struct Listed {
    #[serde(flatten)]
    capabilities: Capabilities,
    /// Which other executable it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    executable: Option<String>,
}

/// An engine of this project that is not here.
#[derive(Debug, Serialize)]
struct Absent {
    id: &'static str,
    /// How to get it.
    how: String,
}

/// Runs the sub-command.
pub fn run(engines: &Engines, args: &ListArgs) -> Result<Exit, Ending> {
    let guests = if args.all {
        args.with.all_guests(engines, args.worker)?
    } else {
        args.with.guests(engines, args.worker)?
    };
    let listing = Listing::of(engines, &guests, args)?.only(&args.engines)?;
    let text = if args.json {
        serde_json::to_string_pretty(&listing).map_err(Ending::operational)? + "\n"
    } else if args.md {
        render::markdown(listing.shown())
    } else {
        let style = Style::for_stdout();
        let engines = listing.text(style);
        if args.engines.is_empty() {
            engines + "\n" + &render::suites(&built_in_names(), style)
        } else {
            engines
        }
    };
    output::print(text.as_bytes())?;
    Ok(Exit::Ok)
}

impl Listing {
    fn of(engines: &Engines, guests: &Guests, args: &ListArgs) -> Result<Self, Ending> {
        let own =
            engines.iter().map(|engine| Listed { capabilities: Capabilities::of(engine), executable: None });
        let mut listed: Vec<Listed> = own.collect();
        for guest in guests.iter() {
            for capabilities in of_guest(guest, args.worker)? {
                let id = &capabilities.id;
                // What speaks no TLS may be in every executable.
                if !listed.iter().any(|listed| listed.capabilities.id == *id) {
                    let executable = Some(guest.executable.name.clone());
                    listed.push(Listed { capabilities, executable });
                }
            }
        }
        let is_here = |known: &&KnownEngine| listed.iter().any(|one| one.capabilities.id == known.id);
        let absent = KNOWN.iter().filter(|known| !is_here(known));
        let absent = absent.map(|known| Absent { id: known.id, how: known.home.how_to_get() });
        let absent = args.all.then(|| absent.collect());
        Ok(Self { engines: listed, absent })
    }

    /// Only the engines with these ids, in that order; all of them if there are none.
    fn only(self, ids: &[String]) -> Result<Self, Ending> {
        if ids.is_empty() {
            return Ok(self);
        }
        let Self { mut engines, absent } = self;
        let mut all_absent = absent;
        let known: Vec<String> = engines.iter().map(|one| one.capabilities.id.clone()).collect();
        let absent_ids = all_absent.iter().flatten().map(|one| one.id.to_owned());
        let known: Vec<String> = known.into_iter().chain(absent_ids).collect();
        let mut chosen = Vec::new();
        let mut chosen_absent = Vec::new();
        for id in ids {
            if let Some(at) = engines.iter().position(|one| one.capabilities.id == *id) {
                chosen.push(engines.remove(at));
            } else if let Some(absent) = all_absent.as_mut()
                && let Some(at) = absent.iter().position(|one| one.id == id)
            {
                chosen_absent.push(absent.remove(at));
            } else if !known.contains(id) {
                let is_ours = KNOWN.iter().any(|known| known.id == id);
                return Err(if is_ours {
                    Ending::usage(format!("engine `{id}` is not in this build; {}", how_to_get(id)))
                } else {
                    Ending::usage(UnknownName::new("engine", id, known.iter().map(String::as_str)))
                });
            }
        }
        Ok(Self { engines: chosen, absent: all_absent.map(|_| chosen_absent) })
    }

    fn shown(&self) -> impl Iterator<Item = render::Engine<'_>> {
        self.engines.iter().map(|one| render::Engine {
            capabilities: &one.capabilities,
            executable: one.executable.as_deref(),
        })
    }

    fn text(&self, style: Style) -> String {
        let absent = self.absent.iter().flatten().map(|one| (one.id, one.how.as_str()));
        render::engines(self.shown(), absent, style)
    }
}

fn of_guest(guest: &Guest, worker: WorkerArgs) -> Result<Vec<Capabilities>, Ending> {
    let mut post = Post::vacant(&guest.executable, terms(worker));
    let reply = post.ask(&Request::List, Duration::ZERO);
    let answered = reply.and_then(|reply| match reply {
        Reply::Listed(listed) => Ok(listed),
        other => Err(post.nonsense(&other)),
    });
    answered.map_err(|why| Ending::operational(why.reason().unwrap_or("the worker stopped")))
}
