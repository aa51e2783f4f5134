//! `tlspair upgrade`, with a script in cargo's place: what it builds, from what, where and how.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::cli::{Folder, INTERRUPTED, OK, OPERATIONAL, Ran, USAGE, program};

/// What the checkout's cargo configuration gives every build.
const CONFIGURED: &str = "-DOLD_CIPHERS -DNULL_CIPHERS";
const LOCK: &str = "version = 4\n\n[[package]]\nname = \"rustls\"\nversion = \"0.23.46\"\n\n\
                    [[package]]\nname = \"tlspair\"\nversion = \"0.1.0\"\n";

/// A checkout that has all that the program looks at.
struct Checkout {
    folder: Folder,
    /// Outside the checkout, where the script writes down its calls.
    record: Folder,
}

impl Checkout {
    fn new() -> Self {
        let checkout = Self { folder: Folder::new(), record: Folder::new() };
        checkout.write("Cargo.toml", "[package]\nname = \"tlspair\"\n");
        checkout.write("Cargo.lock", LOCK);
        checkout.write("src/main.rs", "fn main() {}\n");
        checkout.write(".cargo/config.toml", &format!("[env]\nCFLAGS = \"{CONFIGURED}\"\n"));
        checkout.write("target/CACHEDIR.TAG", "");
        checkout.write("target/release/deps/lib.rlib", "compiled");
        checkout
    }

    /// As the programs that run in it see it.
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path("").canonicalize().expect("it is there").join(name)
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, content).expect("the folder takes files");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = program();
        command
            .arg("upgrade")
            .args(arguments.split_whitespace())
            .current_dir(self.path("src"))
            .env("CARGO", Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fake-cargo.sh"))
            .env("RECORD", self.record.path("calls"))
            .env_remove("CFLAGS")
            .env_remove("CARGO_TARGET_DIR");
        command
    }

    fn upgrade(&self, arguments: &str) -> Ran {
        self.command(arguments).arg("--build-only").output().expect("the program starts").into()
    }

    /// What the script wrote down.
    fn recorded(&self) -> String {
        fs::read_to_string(self.record.path("calls")).unwrap_or_default()
    }

    /// The calls of one of cargo's sub-commands, each with its facts.
    fn calls(&self, sub_command: &str) -> Vec<Call> {
        let recorded = self.recorded();
        let calls =
            recorded.split("call: ").filter(|call| call.split([' ', '\n']).next() == Some(sub_command));
        calls.map(Call::parse).collect()
    }

    /// All files but those in the target folder, with their content.
    fn sources(&self) -> BTreeMap<String, String> {
        let names = ["Cargo.toml", "Cargo.lock", "src/main.rs", ".cargo/config.toml"];
        assert_eq!(self.folder.names(), [".cargo", "Cargo.lock", "Cargo.toml", "src", "target"]);
        names.into_iter().map(|name| (name.to_owned(), self.read(name))).collect()
    }
}

/// One call of cargo.
#[derive(Debug)]
struct Call {
    arguments: String,
    facts: BTreeMap<String, String>,
}

impl Call {
    fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let arguments = lines.next().expect("a call has a first line").to_owned();
        let fact = |line: &str| {
            let (name, value) = line.trim().split_once(": ").expect("a fact has a name");
            (name.to_owned(), value.to_owned())
        };
        Self { arguments, facts: lines.map(fact).collect() }
    }

    #[track_caller]
    fn has(&self, fact: &str, value: impl AsRef<Path>) {
        assert_eq!(self.facts.get(fact).map(Path::new), Some(value.as_ref()), "{fact} of {self:?}");
    }
}

const BUILD: &str = "build --locked --message-format json-render-diagnostics --package tlspair";

#[test]
fn the_checkout_is_built_as_it_is_and_a_copy_with_the_other_version() {
    let checkout = Checkout::new();
    let before = checkout.sources();
    let ran = checkout.upgrade("rustls 0.23.40").ends(OK);
    let (old, new) = (checkout.path("target/upgrade/old"), checkout.path("target/upgrade/new/target"));
    let expected =
        format!("old: {0}/release/tlspair\nnew: {1}/release/tlspair\n", old.display(), new.display());
    assert_eq!(ran.stdout, expected);
    assert!(ran.stderr.contains("rustls 0.23.40 instead of 0.23.46"), "{}", ran.stderr);

    let copy = checkout.path("target/upgrade/new");
    let [update] = &checkout.calls("update")[..] else { panic!("one update") };
    assert_eq!(update.arguments, "update --package rustls --precise 0.23.40");
    update.has("in", &copy);
    let [first, second] = &checkout.calls("build")[..] else { panic!("two builds") };
    for (build, folder, target) in [(first, &checkout.path(""), &old), (second, &copy, &new)] {
        assert_eq!(build.arguments, format!("{BUILD} --release"));
        build.has("in", folder);
        build.has("target", target);
        build.has("CFLAGS", "none");
    }
    assert_eq!(checkout.sources(), before, "the checkout is not touched");
    assert_eq!(checkout.read("target/upgrade/new/Cargo.lock"), LOCK.replace("0.23.46", "0.23.40"));
    assert_eq!(checkout.read("target/upgrade/new/src/main.rs"), "fn main() {}\n");
    // The copy lies below the checkout, whose configuration cargo finds from there by itself.
    assert!(!copy.join(".cargo").exists());
    for target in [old, new] {
        let compiled = fs::read_to_string(target.join("release/deps/lib.rlib"));
        assert_eq!(compiled.expect("a start from what was compiled"), "compiled");
    }
}

#[test]
fn what_was_built_is_checked() {
    let checkout = Checkout::new();
    let ran: Ran = checkout
        .command("rustls 0.23.40 --engine null --loop full --rounds 2 --fail-threshold 1000%")
        .env("PROGRAM", env!("CARGO_BIN_EXE_tlspair"))
        .output()
        .expect("the program starts")
        .into();
    let ran = ran.ends(OK);
    assert!(ran.stdout.contains("\n1 loop: "), "{}", ran.stdout);
    for side in ["Old: exe:", "New: exe:"] {
        let line = ran.stdout.lines().find(|line| line.starts_with(side)).expect("both sides are named");
        assert!(line.contains("/target/upgrade/"), "{line}");
    }
}

#[test]
fn the_variant_is_given_to_the_new_build_only() {
    let checkout = Checkout::new();
    let arguments = "--env CFLAGS=-Os --env CFLAGS=-g --env EXTRA=a=b --features x,y --features z \
                     --no-default-features --profile small --quiet";
    assert_eq!(checkout.upgrade(arguments).ends(OK).stderr, "");
    let [old, new] = &checkout.calls("build")[..] else { panic!("two builds") };
    assert_eq!(old.arguments, format!("{BUILD} --release"));
    let variant = "--profile small --features x,y --features z --no-default-features";
    assert_eq!(new.arguments, format!("{BUILD} {variant}"));
    old.has("EXTRA", "none");
    old.has("CFLAGS", "none"); // cargo itself sets what its configuration says
    new.has("EXTRA", "a=b");
    new.has("CFLAGS", format!("{CONFIGURED} -Os -g"));
    assert!(checkout.calls("update").is_empty());
    assert_eq!(checkout.read("target/upgrade/new/Cargo.lock"), LOCK);
}

#[test]
fn flags_are_added_to_those_of_the_environment_before_those_of_the_configuration() {
    let checkout = Checkout::new();
    let ran: Ran = checkout
        .command("--env CFLAGS=-Os --build-only")
        .env("CFLAGS", "-DMINE")
        .output()
        .expect("the program starts")
        .into();
    ran.ends(OK);
    let [old, new] = &checkout.calls("build")[..] else { panic!("two builds") };
    old.has("CFLAGS", "-DMINE");
    new.has("CFLAGS", "-DMINE -Os");

    let forced = format!("[env]\nCFLAGS = {{ value = \"{CONFIGURED}\", force = true }}\n");
    checkout.write(".cargo/config.toml", &forced);
    checkout.upgrade("--env CFLAGS=-Os").ends(USAGE).complains_of(&["config.toml forces CFLAGS"]);
}

#[test]
fn a_second_upgrade_touches_only_what_changed() {
    let checkout = Checkout::new();
    checkout.write("src/gone.rs", "");
    checkout.write("src/changed.rs", "first");
    checkout.write("src/module/inner.rs", "");
    checkout.upgrade("rustls 0.23.40").ends(OK);
    let copied = |name: &str| checkout.path("target/upgrade/new").join(name);
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for name in ["src/main.rs", "src/changed.rs", "Cargo.lock"] {
        let file = fs::File::options().append(true).open(copied(name)).expect("it was copied");
        file.set_modified(long_ago).expect("it is ours");
    }
    fs::remove_file(checkout.path("src/gone.rs")).expect("it is there");
    fs::remove_dir_all(checkout.path("src/module")).expect("it is there");
    checkout.write("src/module", "a file now");
    checkout.write("src/changed.rs", "other");
    checkout.upgrade("rustls 0.23.40").ends(OK);
    let changed = |name: &str| fs::metadata(copied(name)).and_then(|file| file.modified()).expect(name);
    assert_eq!((changed("src/main.rs"), changed("Cargo.lock")), (long_ago, long_ago));
    assert_ne!(changed("src/changed.rs"), long_ago);
    assert_eq!(fs::read_to_string(copied("src/changed.rs")).expect("it is there"), "other");
    assert_eq!(fs::read_to_string(copied("src/module")).expect("it is there"), "a file now");
    assert!(!copied("src/gone.rs").exists());
    checkout.upgrade("rustls 0.23.41").ends(OK);
    assert_ne!(changed("Cargo.lock"), long_ago);
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn what_git_ignores_is_not_copied() {
    let checkout = Checkout::new();
    let git = Command::new("git").args(["init", "--quiet"]).current_dir(checkout.path("")).status();
    if !git.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no git here");
        return;
    }
    checkout.write(".gitignore", "/target\n*.log\n");
    checkout.write("src/run.log", "");
    checkout.upgrade("rustls 0.23.40").ends(OK);
    let copied = |name: &str| checkout.path("target/upgrade/new").join(name).exists();
    assert_eq!(
        ["src/main.rs", "src/run.log", "target/CACHEDIR.TAG", ".git"].map(copied),
        [true, false, false, false]
    );
}

#[test]
fn a_failed_build_shows_the_compilers_words() {
    for (fails, message) in [("upgrade/old", "the old build failed"), ("new/target", "the new build failed")]
    {
        for quiet in ["", " --quiet"] {
            let checkout = Checkout::new();
            let ran: Ran = checkout
                .command(&format!("rustls 0.23.40{quiet}"))
                .env("FAILS", fails)
                .output()
                .expect("the program starts")
                .into();
            let ran = ran.ends(OPERATIONAL);
            assert_eq!(ran.stdout, "");
            assert_eq!(ran.stderr.matches("error[E0308]: mismatched types").count(), 1, "{}", ran.stderr);
            assert!(ran.stderr.contains(&format!("error: {message} (exit status: 101)")), "{}", ran.stderr);
            assert_eq!(ran.stderr.starts_with("error: "), !quiet.is_empty(), "{}", ran.stderr);
        }
    }
}

#[test]
fn what_is_wrong_is_said_before_anything_is_built() {
    let checkout = Checkout::new();
    for (arguments, code, message) in [
        ("rutls 0.23.40", USAGE, "Cargo.lock has no crate `rutls`; did you mean rustls?"),
        (
            "rustls 9.9.9",
            OPERATIONAL,
            "cargo update failed: failed to select a version for the requirement\n",
        ),
        ("rustls 0.23.46", USAGE, "Cargo.lock has this version already"),
        ("rustls", USAGE, "<VERSION>"),
        ("", USAGE, "<CRATE>"),
        ("--env CFLAGS", USAGE, "must be KEY=VALUE, such as CFLAGS=-Os"),
        ("--env CARGO_TARGET_DIR=x", USAGE, "the two builds have target folders of their own"),
        ("rustls 0.23.40 --manifest-path nowhere.toml", OPERATIONAL, "nowhere.toml: No such file"),
    ] {
        checkout.upgrade(arguments).ends(code).complains_of(&[message]);
        assert!(checkout.calls("build").is_empty(), "{arguments}");
    }
}

#[test]
fn outside_a_checkout_it_says_where_it_looked() {
    let checkout = Checkout::new();
    checkout.write("Cargo.toml", "[package]\nname = \"something-else\"\n");
    let message = format!("no Cargo.toml in {} or above", checkout.path("src").display());
    checkout.upgrade("rustls 0.23.40").ends(USAGE).complains_of(&[&message, "--manifest-path"]);
    let other = "neither is tlspair nor depends on it";
    checkout.upgrade("rustls 0.23.40 --manifest-path ../Cargo.toml").ends(USAGE).complains_of(&[other]);
    assert_eq!(checkout.recorded(), "");

    let engine = "[package]\nname = \"my-engine\"\n[dependencies]\ntlspair = \"0.1\"\n";
    checkout.write("engine/Cargo.toml", engine);
    checkout.write("engine/Cargo.lock", LOCK);
    let ran = checkout.upgrade("rustls 0.23.40 --manifest-path ../engine/Cargo.toml").ends(OK);
    assert!(ran.stdout.contains("/engine/target/upgrade/old/"), "{}", ran.stdout);
}

#[test]
fn without_cargo_it_names_what_it_tried() {
    let checkout = Checkout::new();
    let ran: Ran = checkout
        .command("rustls 0.23.40")
        .env("CARGO", "/nowhere/cargo")
        .output()
        .expect("the program starts")
        .into();
    ran.ends(OPERATIONAL).complains_of(&["cannot run /nowhere/cargo: No such file"]);
}

#[test]
fn ctrl_c_ends_the_build_and_the_compilers() {
    let checkout = Checkout::new();
    let running = checkout
        .command("rustls 0.23.40")
        .env("HANGS", "upgrade/old")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let wait_for = |fact: &str| {
        while !checkout.recorded().contains(fact) {
            thread::sleep(Duration::from_millis(10));
        }
    };
    wait_for("compiler: started");
    let interrupted = Command::new("kill").args(["-INT", &running.id().to_string()]).status();
    assert!(interrupted.expect("there is a kill").success());
    let ran: Ran = running.wait_with_output().expect("it ends").into();
    let ran = ran.ends(INTERRUPTED);
    assert_eq!(ran.stdout, "");
    // The shell that plays cargo may have a last word.
    assert!(ran.stderr.contains("\ninterrupted: not both executables were built"), "{}", ran.stderr);
    wait_for("compiler: ended");
}
