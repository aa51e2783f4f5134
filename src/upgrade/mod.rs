//! Two builds of one checkout, to compare: as it is, and with another version of a crate or built in another way.
//!
//! Everything happens in `target/upgrade` of the checkout. `old` there is where the checkout itself is built. `new` is
//! a copy of its sources with a lock file of its own, built into `new/target`: cargo cannot build one folder from two
//! lock files, and the checkout's own must not change.

mod cargo;
mod checkout;
mod error;
mod files;
mod flags;
mod lock;
mod seed;
mod source;

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

pub use cargo::Cargo;
pub use checkout::Checkout;
pub use error::UpgradeError;
pub use lock::LockChange;

/// What to build.
#[derive(Clone, Debug)]
pub struct Plan {
    /// From where.
    pub checkout: Checkout,
    /// The crate that gets another version in the new build; none to compare ways of building.
    pub upgrade: Option<Upgrade>,
    /// How the new build differs otherwise.
    pub variant: Variant,
}

/// Another version of a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upgrade {
    /// The crate as cargo's package specifications name it: `rustls`, or `rand_core@0.6.4` where there are several.
    pub package: String,
    /// The exact version, older or newer.
    pub version: String,
}

/// What the new build is given and the old one is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Environment variables. One whose name ends in `FLAGS` is added to what the old build has of it.
    pub environment: Vec<(String, String)>,
    /// Features, as cargo's `--features` takes them.
    pub features: Vec<String>,
    /// Whether the default features are left out.
    pub no_default_features: bool,
    /// The profile instead of `release`.
    pub profile: Option<String>,
}

/// The two executables. As long as this lives, no other upgrade of the checkout builds any.
#[derive(Debug)]
pub struct Built {
    /// Of the checkout as it is.
    pub old: PathBuf,
    /// Of the other version or variant.
    pub new: PathBuf,
    _claim: File,
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// The checkout as it is.
    Old,
    /// The other version or variant.
    New,
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Old => "old",
            Self::New => "new",
        })
    }
}

/// Told of what happens. By default nothing is done with it.
pub trait Observer {
    /// The new build's lock file differs from the checkout's in this.
    fn relocked(&mut self, changes: &[LockChange]) {
        _ = changes;
    }

    /// A build begins; it may take minutes.
    fn building(&mut self, build: Build) {
        _ = build;
    }
}

/// Builds both. What is wrong with the plan is found before the first build.
///
/// The checkout's own files stay as they are, the lock file included. Both folders are kept, so that the next build
/// compiles only what differs.
pub fn build(cargo: &Cargo<'_>, plan: &Plan, observer: &mut dyn Observer) -> Result<Built, UpgradeError> {
    let places = Places::of(&plan.checkout);
    let claim = claim(&places.ours)?;
    let environment = flags::complete(&plan.checkout, &plan.variant.environment)?;
    let old_lock = lock::read(&plan.checkout)?;
    if let Some(upgrade) = &plan.upgrade {
        old_lock.insist_on(upgrade)?;
    }
    source::refresh(&plan.checkout, &places)?;
    let changes = lock::relock(cargo, &old_lock, plan.upgrade.as_ref(), &places)?;
    if changes.is_empty() && plan.variant == Variant::default() {
        return Err(UpgradeError::NoDifference { lock: old_lock.path });
    }
    observer.relocked(&changes);

    observer.building(Build::Old);
    let release = plan.checkout.target_folder.join(RELEASE);
    seed::fill(&release, &places.old_target.join(RELEASE))?;
    let old = cargo.build(Build::Old, &plan.checkout, |command| {
        command.current_dir(&plan.checkout.folder).env("CARGO_TARGET_DIR", &places.old_target);
        command.arg("--release");
    })?;

    observer.building(Build::New);
    if plan.variant.profile.is_none() {
        seed::fill(&places.old_target.join(RELEASE), &places.new_target.join(RELEASE))?;
    }
    let new = cargo.build(Build::New, &plan.checkout, |command| {
        command.current_dir(&places.new_package).envs(environment);
        command.env("CARGO_TARGET_DIR", &places.new_target).args(plan.variant.arguments());
    })?;
    Ok(Built { old, new, _claim: claim })
}

/// Keeps other upgrades out of the folder until the file is closed: they would change the lock file between the builds.
fn claim(folder: &Path) -> Result<File, UpgradeError> {
    let path = folder.join("claimed");
    let in_file = |source| UpgradeError::Files { path: path.clone(), source };
    fs::create_dir_all(folder).map_err(in_file)?;
    let file = File::create(&path).map_err(in_file)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(UpgradeError::Busy { folder: folder.to_owned() }),
        Err(TryLockError::Error(source)) => Err(in_file(source)),
    }
}

/// Cargo's name for the folder of the profile `release`.
const RELEASE: &str = "release";

impl Variant {
    /// As arguments of `cargo build`.
    fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = match &self.profile {
            Some(profile) => vec!["--profile".into(), profile.into()],
            None => vec!["--release".into()],
        };
        for features in &self.features {
            arguments.extend(["--features".into(), features.into()]);
        }
        arguments.extend(self.no_default_features.then(|| "--no-default-features".into()));
        arguments
    }
}

/// Where things are.
#[derive(Debug)]
struct Places {
    /// All that is ours.
    ours: PathBuf,
    old_target: PathBuf,
    /// The copy of the sources.
    copy: PathBuf,
    /// The copy of the folder that the lock file is in.
    new_workspace: PathBuf,
    /// The copy of the package that is built.
    new_package: PathBuf,
    new_target: PathBuf,
}

impl Places {
    fn of(checkout: &Checkout) -> Self {
        // Below the checkout, so that cargo's configuration there and above it holds for the copy too.
        let ours = checkout.workspace.join("target").join("upgrade");
        let copy = ours.join("new");
        let copied = |folder: &Path| {
            copy.join(folder.strip_prefix(&checkout.source).expect("the sources include every local package"))
        };
        let new_workspace = copied(&checkout.workspace);
        Self {
            old_target: ours.join("old"),
            new_package: copied(&checkout.folder),
            // Below its lock file, because the build script looks there for the versions it reports.
            new_target: new_workspace.join("target"),
            new_workspace,
            copy,
            ours,
        }
    }
}
