//! Other executables whose engines join those of this one in one table.

use std::io;

use super::executable::own_hash;
use super::{Executable, Hello, Terms, Worker, WorkerError};
use crate::engine::Engines;
use crate::results::EngineEntry;
use crate::suite::EngineNames;

/// An executable that has said who it is.
#[derive(Clone, Debug)]
pub struct Guest {
    /// Where it is.
    pub executable: Executable,
    /// What it said.
    pub hello: Hello,
}

/// The executables that join, in the order in which they were named.
#[derive(Clone, Debug, Default)]
pub struct Guests {
    guests: Vec<Guest>,
    notes: Vec<String>,
}

/// Why an executable cannot join.
#[derive(Debug, thiserror::Error)]
pub enum GuestError {
    /// It does not work.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// It measures as another version does.
    #[error(
        "{name} was built with tlspair {theirs}, and this is tlspair {}; one table takes executables of one version",
        env!("CARGO_PKG_VERSION")
    )]
    OtherVersion {
        /// What the command line called it.
        name: String,
        /// Its version of tlspair.
        theirs: String,
    },
    /// A cell could not tell which of two is meant.
    #[error("both {one} and {other} have an engine {id}; leave one of them out")]
    Twice {
        /// The engine.
        id: String,
        /// Who came first.
        one: String,
        /// Who came later.
        other: String,
    },
    /// Ids are part of cells' names, of file names and of filters.
    #[error(
        "{name} calls an engine {id:?}; an id has lower-case letters, digits, dots and hyphens only, a letter first"
    )]
    OddId {
        /// What the command line called it.
        name: String,
        /// The engine.
        id: String,
    },
    /// This program cannot tell who it is itself.
    #[error("this executable cannot be read: {0}")]
    NoSelf(#[from] io::Error),
}

impl Guests {
    /// Nobody.
    pub const NONE: &'static Self = &Self { guests: Vec::new(), notes: Vec::new() };

    /// Greets `executables`, who are to join `engines`. A program that is there already is left out with a note.
    pub fn greet(
        executables: Vec<Executable>,
        engines: &Engines,
        terms: Terms<'_>,
    ) -> Result<Self, GuestError> {
        let mut guests = Self::default();
        for executable in executables {
            let hello = Worker::start(&executable, terms)?.hello().clone();
            let name = &executable.name;
            if hello.version != env!("CARGO_PKG_VERSION") {
                return Err(GuestError::OtherVersion { name: name.clone(), theirs: hello.version });
            }
            if let Some(same) = guests.same_as(&hello, engines)? {
                guests.notes.push(format!("{name} is left out: it is the same program as {same}"));
                continue;
            }
            if let Some(odd) = hello.engines.iter().find(|engine| !is_id(&engine.id)) {
                return Err(GuestError::OddId { name: name.clone(), id: odd.id.clone() });
            }
            if let Some((id, one)) = guests.first_double(&hello, engines) {
                return Err(GuestError::Twice { id, one, other: name.clone() });
            }
            guests.guests.push(Guest { executable, hello });
        }
        Ok(guests)
    }

    /// The guests.
    pub fn iter(&self) -> impl Iterator<Item = &Guest> {
        self.guests.iter()
    }

    /// The ids of the engines that speak TLS, those of this executable first.
    pub fn tls_ids(&self, engines: &Engines) -> Vec<String> {
        let theirs = self.guests.iter().flat_map(|guest| &guest.hello.engines);
        let own = engines.tls_ids().into_iter().map(str::to_owned);
        own.chain(theirs.map(|engine| engine.id.clone())).collect()
    }

    /// What the engines with these ids say of themselves.
    pub fn entries(&self, engines: &Engines, ids: &[String]) -> Vec<EngineEntry> {
        let own = engines.infos();
        let entry = |id: &String| {
            let here = own.iter().find(|info| info.id == id).map(EngineEntry::from);
            here.or_else(|| self.engine(id).map(|(_, entry)| entry.clone()))
        };
        ids.iter().filter_map(entry).collect()
    }

    /// What there is to say before anything runs.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The engines that cells may name: those of this executable, then those of each guest.
    pub fn names(&self, engines: &Engines) -> EngineNames {
        let own = engines.infos().into_iter().filter(|info| !info.is_tls).map(|info| info.id.to_owned());
        let theirs = self.guests.iter().flat_map(|guest| &guest.hello.other_engines);
        let mut others: Vec<String> = own.collect();
        for engine in theirs {
            if !others.contains(&engine.id) {
                others.push(engine.id.clone());
            }
        }
        EngineNames::new(self.tls_ids(engines), others)
    }

    /// The engine with this id, if a guest has it, with the guest's place in the order.
    pub fn engine(&self, id: &str) -> Option<(usize, &EngineEntry)> {
        self.guests.iter().enumerate().find_map(|(place, guest)| {
            let mut engines = guest.hello.engines.iter().chain(&guest.hello.other_engines);
            engines.find(|engine| engine.id == id).map(|engine| (place, engine))
        })
    }

    /// The guest at this place in the order.
    pub(super) fn at(&self, place: usize) -> &Guest {
        &self.guests[place]
    }

    /// What is the same program with the same engines, by its name.
    fn same_as(&self, hello: &Hello, engines: &Engines) -> io::Result<Option<String>> {
        let guest = self
            .guests
            .iter()
            .find(|guest| guest.hello.hash == hello.hash && guest.hello.engines == hello.engines);
        if let Some(guest) = guest {
            return Ok(Some(guest.executable.name.clone()));
        }
        let own: Vec<EngineEntry> =
            engines.infos().iter().filter(|info| info.is_tls).map(EngineEntry::from).collect();
        let is_self = own_hash()? == hello.hash && own == hello.engines;
        Ok(is_self.then(|| "this one".to_owned()))
    }

    /// The first TLS engine that somebody has already, and who. What speaks no TLS may be in every executable.
    fn first_double(&self, hello: &Hello, engines: &Engines) -> Option<(String, String)> {
        hello.engines.iter().map(|engine| &engine.id).find_map(|id| {
            let owner = match self.engine(id) {
                Some((place, _)) => self.guests[place].executable.name.clone(),
                None if engines.named(id).is_ok() => "this executable".to_owned(),
                None => return None,
            };
            Some((id.clone(), owner))
        })
    }
}

fn is_id(text: &str) -> bool {
    let is_fit = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte);
    text.bytes().all(is_fit) && text.starts_with(|first: char| first.is_ascii_lowercase())
}
