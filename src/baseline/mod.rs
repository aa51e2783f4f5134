//! Baselines: results kept under a name, to compare later runs with.

mod comparable;
mod kept;
mod name;
mod saving;

use std::path::{Path, PathBuf};
use std::{fs, io};

pub use comparable::{Objections, Subject, objections};
pub use kept::{Contents, Kept};
pub use name::{BaselineName, NameError};
pub use saving::{Saved, Saving};

use crate::cell::UnknownName;
use crate::render::export::SinkError;
use crate::results::{Document, LoadError};
use crate::store::{Store, StoreError};

/// What a baseline is called where a file could be meant too: `baseline:NAME`.
const PREFIX: &str = "baseline:";

/// The baselines of a user.
#[derive(Clone, Debug)]
pub struct Baselines {
    store: Store,
}

/// Why a baseline cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// There is no place for baselines.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder of baselines, or one of them, cannot be reached.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A baseline cannot be written.
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// A baseline cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// No name of a baseline.
    #[error(transparent)]
    Name(#[from] NameError),
    /// No such baseline, but others.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// No baseline at all.
    #[error(
        "unknown baseline `{given}`; there is none at all yet: `tlspair run … --save-baseline {given}` makes one"
    )]
    None {
        /// What was asked for.
        given: String,
    },
    /// Neither a file nor a baseline.
    #[error("there is no file {given}, and it is no name of a baseline either")]
    NoFile {
        /// What was asked for.
        given: String,
    },
}

impl BaselineError {
    /// Whether the user named something wrong; else the world around is.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Name(_) | Self::Unknown(_) | Self::None { .. } | Self::NoFile { .. })
    }
}

/// The file that an argument names: a baseline as `baseline:NAME`, a file, or a baseline by its bare name if there is
/// no such file.
pub fn resolve(arg: &str) -> Result<PathBuf, BaselineError> {
    // Files need no store, which may not even have a place.
    match file_of(arg) {
        Some(path) => Ok(path),
        None => Baselines::open()?.resolve(arg),
    }
}

fn file_of(arg: &str) -> Option<PathBuf> {
    let path = Path::new(arg);
    let is_file = !arg.starts_with(PREFIX) && fs::metadata(path).is_ok_and(|metadata| !metadata.is_dir());
    is_file.then(|| path.to_owned())
}

impl Baselines {
    /// The user's. Makes and reads nothing.
    pub fn open() -> Result<Self, BaselineError> {
        Ok(Self::of(Store::open()?))
    }

    /// Those in a store.
    pub fn of(store: Store) -> Self {
        Self { store }
    }

    /// Where they are.
    pub fn folder(&self) -> PathBuf {
        self.store.baselines()
    }

    /// The names of all baselines, in alphabetical order. Other files in their folder are passed over.
    pub fn names(&self) -> Result<Vec<BaselineName>, BaselineError> {
        let folder = self.store.baselines();
        let in_folder = |error| BaselineError::Io { path: folder.clone(), error };
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(in_folder)?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let file = entry.map_err(in_folder)?.file_name();
            names.extend(file.to_str().and_then(|file| file.strip_suffix(ENDING)?.parse().ok()));
        }
        names.sort();
        Ok(names)
    }

    /// The baseline that a user names; if there is none, the error tells the nearest.
    pub fn find(&self, given: &str) -> Result<BaselineName, BaselineError> {
        let wanted: BaselineName = given.parse()?;
        let names = self.names()?;
        if names.contains(&wanted) {
            return Ok(wanted);
        }
        if names.is_empty() {
            return Err(BaselineError::None { given: given.to_owned() });
        }
        Err(UnknownName::new("baseline", given, names.iter().map(BaselineName::as_str)).into())
    }

    /// Where a baseline is, or would be.
    pub fn path(&self, name: &BaselineName) -> PathBuf {
        self.store.baselines().join(format!("{name}{ENDING}"))
    }

    /// Reads a baseline.
    pub fn load(&self, name: &BaselineName) -> Result<Document, BaselineError> {
        Ok(Document::load(&self.path(name))?)
    }

    /// Removes a baseline.
    pub fn remove(&self, name: &BaselineName) -> Result<(), BaselineError> {
        let path = self.path(name);
        fs::remove_file(&path).map_err(|error| BaselineError::Io { path, error })
    }

    /// Gets ready to write a baseline, or says why that cannot be; to be called before measuring.
    pub fn saving(&self, name: &BaselineName) -> Result<Saving, BaselineError> {
        let path = self.path(name);
        self.store.make_room_for(&path)?;
        Ok(Saving::open(name, &path)?)
    }

    /// See the function of the same name.
    pub fn resolve(&self, arg: &str) -> Result<PathBuf, BaselineError> {
        if let Some(path) = file_of(arg) {
            return Ok(path);
        }
        match arg.strip_prefix(PREFIX) {
            Some(name) => Ok(self.path(&self.find(name)?)),
            None if arg.parse::<BaselineName>().is_err() => {
                Err(BaselineError::NoFile { given: arg.to_owned() })
            }
            None => Ok(self.path(&self.find(arg)?)),
        }
    }
}

/// What the files of baselines end in.
const ENDING: &str = ".json";
