//! What can go wrong before there are two executables.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use super::Build;

/// Why there are no two executables.
#[derive(Debug, thiserror::Error)]
pub enum UpgradeError {
    /// Not in a checkout.
    #[error(
        "no checkout of tlspair here: no Cargo.toml in {} or above is that of tlspair or of a package that depends \
         on it; say where it is with --manifest-path",
        .from.display()
    )]
    NoCheckout {
        /// Where the search began.
        from: PathBuf,
    },
    /// The package that was named is not one of ours.
    #[error("{}: this package neither is tlspair nor depends on it", .manifest.display())]
    OtherPackage {
        /// Its Cargo.toml.
        manifest: PathBuf,
    },
    /// A file of cargo's that cannot be understood.
    #[error("{}: {reason}", .path.display())]
    Malformed {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The package makes no executable, or several and does not say which.
    #[error("the package {package} has no executable to measure: {found}")]
    NoExecutable {
        /// Its name.
        package: String,
        /// What there is instead.
        found: String,
    },
    /// The crate is not in the lock file.
    #[error("{} has no crate `{package}`{}", .lock.display(), did_you_mean(.nearest))]
    UnknownCrate {
        /// What was asked for.
        package: String,
        /// Where it was looked for.
        lock: PathBuf,
        /// Names in there that are like it.
        nearest: Vec<String>,
    },
    /// Another upgrade of the checkout is under way.
    #[error("another `tlspair upgrade` works in {}; wait for its end", .folder.display())]
    Busy {
        /// The folder of both builds.
        folder: PathBuf,
    },
    /// Both builds would be the same.
    #[error("nothing to compare: {} has this version already", .lock.display())]
    NoDifference {
        /// The lock file.
        lock: PathBuf,
    },
    /// Cargo's configuration overrules the environment.
    #[error("{} forces {variable}, so that another value has no effect there", .config.display())]
    Forced {
        /// The environment variable.
        variable: String,
        /// The configuration file.
        config: PathBuf,
    },
    /// Cargo refused to read the package or to change the lock file.
    #[error("cargo {command} failed: {words}")]
    Refused {
        /// Cargo's sub-command.
        command: &'static str,
        /// Cargo's own words.
        words: String,
    },
    /// A build failed.
    #[error("the {build} build failed ({status}){}", last_words(.words))]
    Failed {
        /// Which.
        build: Build,
        /// How cargo ended.
        status: ExitStatus,
        /// All that cargo and the compilers said; empty if they said it on our own stderr.
        words: String,
    },
    /// Cargo cannot be started, or watched.
    #[error("cannot run {program}: {source}")]
    NoCargo {
        /// What stands for cargo.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", .path.display())]
    Files {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl UpgradeError {
    /// Whether it lies in what was asked for, not in the outside world.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::NoCheckout { .. }
            | Self::OtherPackage { .. }
            | Self::NoExecutable { .. }
            | Self::UnknownCrate { .. }
            | Self::NoDifference { .. }
            | Self::Forced { .. } => true,
            Self::Malformed { .. }
            | Self::Refused { .. }
            | Self::Failed { .. }
            | Self::NoCargo { .. }
            | Self::Busy { .. }
            | Self::Files { .. }
            | Self::Interrupted => false,
        }
    }

    /// Says which file an error of the file system is about.
    pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Files { path: path.to_owned(), source }
    }
}

fn did_you_mean(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", nearest.join(", ")) }
}

fn last_words(words: &str) -> String {
    if words.is_empty() { "; what the compiler said is above".to_owned() } else { format!(":\n{words}") }
}
