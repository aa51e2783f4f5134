//! `tlspair upgrade`: the checkout as it is against another version of a crate, or another way of building.

use std::env;
use std::path::PathBuf;

use clap::Args;

use super::comparing::{Comparing, ComparingArgs, Then, executable_name};
use super::interrupt::Interrupt;
use super::progress::Lines;
use super::{Color, Ending, Exit, output};
use crate::upgrade::{
    Build, Built, Cargo, Checkout, LockChange, Observer, Plan, Upgrade, UpgradeError, Variant, build,
};

/// `tlspair upgrade`.
#[derive(Args, Debug)]
pub struct UpgradeArgs {
    /// The crate to change, such as rustls; optional if the new build differs otherwise.
    #[arg(
        value_name = "CRATE",
        requires = "to",
        required_unless_present_any = ["environment", "features", "no_default_features", "profile"]
    )]
    pub package: Option<String>,
    /// Its exact version in the new build, older or newer, within what Cargo.toml allows.
    #[arg(value_name = "VERSION")]
    pub to: Option<String>,
    /// Cargo.toml of the checkout [default: the nearest above the current folder].
    #[arg(long, value_name = "PATH")]
    pub manifest_path: Option<PathBuf>,
    /// Stop after building and print the two executables' paths.
    #[arg(long)]
    pub build_only: bool,
    /// How the new build differs otherwise.
    #[command(flatten)]
    pub variant: VariantArgs,
    /// End with code 5 if a question stays open.
    #[arg(long)]
    pub strict: bool,
    /// What to compare, and how.
    #[command(flatten)]
    pub comparing: ComparingArgs,
}

/// Differences of the new build beside a crate's version.
#[derive(Args, Debug)]
#[command(next_help_heading = "The new build only")]
pub struct VariantArgs {
    /// Set an environment variable; may be given several times. A variable whose name ends in FLAGS, such as CFLAGS,
    /// keeps what the environment or cargo's configuration gives it, and VALUE is put behind that. CFLAGS=-Os reaches
    /// OpenSSL, AWS-LC and ring; the build files of Mbed TLS choose the level themselves, by
    /// CARGO_PROFILE_RELEASE_OPT_LEVEL=s, which changes Rust code too.
    #[arg(long = "env", value_name = "KEY=VALUE", value_parser = parse_variable)]
    pub environment: Vec<(String, String)>,
    /// Features, with commas; may be given several times.
    #[arg(long, value_name = "FEATURES")]
    pub features: Vec<String>,
    /// Leave the default features out.
    #[arg(long)]
    pub no_default_features: bool,
    /// The profile to build with [default: release].
    #[arg(long, value_name = "PROFILE")]
    pub profile: Option<String>,
}

/// Runs the sub-command.
pub fn run(args: &UpgradeArgs, color: Color) -> Result<Exit, Ending> {
    let interrupt = Interrupt::watch()?;
    let quiet = args.comparing.export.quiet;
    let cargo = Cargo::of_environment(quiet, interrupt.stop());
    let lines = Lines::plain(quiet);
    let built = match both(&cargo, args, lines.clone()) {
        Ok(built) => built,
        Err(UpgradeError::Interrupted) => {
            lines.note("interrupted: not both executables were built");
            return Ok(Exit::Interrupted);
        }
        Err(error) if error.is_usage() => return Err(Ending::usage(error)),
        Err(error) => return Err(Ending::operational(error)),
    };
    if args.build_only {
        let paths = format!("old: {}\nnew: {}\n", built.old.display(), built.new.display());
        output::print(paths.as_bytes())?;
        return Ok(Exit::Ok);
    }
    let [old, new] = [&built.old, &built.new].map(|path| executable_name(path));
    Comparing { old: &old, new: &new, args: &args.comparing, then: Then::Check { strict: args.strict } }
        .run(color)
}

fn both(cargo: &Cargo<'_>, args: &UpgradeArgs, lines: Lines) -> Result<Built, UpgradeError> {
    let here = env::current_dir().map_err(|source| UpgradeError::Files { path: ".".into(), source })?;
    let checkout = Checkout::find(cargo, args.manifest_path.as_deref(), &here)?;
    let upgrade = args.package.clone().zip(args.to.clone());
    let plan = Plan {
        checkout,
        upgrade: upgrade.map(|(package, version)| Upgrade { package, version }),
        variant: Variant {
            environment: args.variant.environment.clone(),
            features: args.variant.features.clone(),
            no_default_features: args.variant.no_default_features,
            profile: args.variant.profile.clone(),
        },
    };
    build(cargo, &plan, &mut Told(lines))
}

/// Says what happens on stderr.
struct Told(Lines);

impl Observer for Told {
    fn relocked(&mut self, changes: &[LockChange]) {
        for change in changes {
            self.0.note(&format!(
                "in the new build: {} {} instead of {}",
                change.package,
                versions(&change.new),
                versions(&change.old)
            ));
        }
    }

    fn building(&mut self, build: Build) {
        self.0.note(&format!("building the {build} executable"));
    }
}

fn versions(versions: &[String]) -> String {
    if versions.is_empty() { "none".to_owned() } else { versions.join(", ") }
}

/// The two target folders must stay apart, so that cargo's own variable for them cannot be given.
fn parse_variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some(("", _)) | None => Err("must be KEY=VALUE, such as CFLAGS=-Os".to_owned()),
        Some(("CARGO_TARGET_DIR", _)) => Err("the two builds have target folders of their own".to_owned()),
        Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
    }
}
