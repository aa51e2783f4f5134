//! The folder in which the program keeps things for a user from one run to the next: baselines, and what it has learned
//! of the machine.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use etcetera::BaseStrategy;

/// Names the folder in place of the user's own.
pub const HOME_VARIABLE: &str = "TLSPAIR_HOME";

/// The folder. It need not exist before something is kept there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
}

/// Why nothing can be kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The user has no home folder.
    #[error("there is no home folder to keep things in; name a folder in {HOME_VARIABLE}")]
    NoHome,
    /// The folder cannot be made.
    #[error("cannot make the folder {}: {error}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl Store {
    /// Finds the folder: `TLSPAIR_HOME` if it is set, else `tlspair` in the user's state folder
    /// (`~/.local/state` unless XDG_STATE_HOME says otherwise). Makes and reads nothing.
    pub fn open() -> Result<Self, StoreError> {
        if let Some(home) = env::var_os(HOME_VARIABLE).filter(|home| !home.is_empty()) {
            return Ok(Self::at(home));
        }
        let user = etcetera::choose_base_strategy().map_err(|_| StoreError::NoHome)?;
        // Windows has no state folder of its own.
        let state = user.state_dir().unwrap_or_else(|| user.data_dir());
        Ok(Self::at(state.join(env!("CARGO_PKG_NAME"))))
    }

    /// Another folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Where baselines are kept.
    pub fn baselines(&self) -> PathBuf {
        self.path("baselines")
    }

    /// A place in the folder.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }

    /// Makes sure that there is a folder for a file of the store.
    pub fn make_room_for(&self, file: &Path) -> Result<(), StoreError> {
        let folder = file.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).map_err(|error| StoreError::Folder { folder: folder.to_owned(), error })
    }
}
