//! Bindings to the BearSSL that the system has, and what to link with it.
//!
//! The library has no function and no macro for its version, and no function for the words of its errors. The version is
//! asked from the package manager that installed it, the words are read from the header's comments.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, exit};

const PACKAGE: &str = "libbearssl-dev";
const INCLUDE: &str = "#include <bearssl.h>\n";

/// Macros with a cast in them, which bindgen cannot read, as constants, which it can.
const FLAGS: &str = "\
static const uint32_t br_opt_no_renegotiation = BR_OPT_NO_RENEGOTIATION;
static const uint32_t br_opt_fail_on_alpn_mismatch = BR_OPT_FAIL_ON_ALPN_MISMATCH;
";

/// Writes `bearssl.rs` and `bearssl_errors.rs` into the build's folder and tells Cargo what to link.
pub fn bind() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR for build scripts"));
    println!("cargo:rerun-if-env-changed=CC");
    let headers = headers(&out);
    for header in &headers {
        println!("cargo:rerun-if-changed={}", header.display());
    }
    let errors = error_table(&headers);
    fs::write(out.join("bearssl_errors.rs"), errors).expect("the build's folder can be written to");
    bindgen::Builder::default()
        .header_contents("bearssl_all.h", &[INCLUDE, FLAGS].concat())
        .allowlist_item("(br|BR)_.*")
        .rust_edition(bindgen::RustEdition::Edition2024)
        .generate_comments(false)
        .generate()
        .unwrap_or_else(|error| stop(&format!("bindgen cannot read bearssl.h of {PACKAGE}: {error}")))
        .write_to_file(out.join("bearssl.rs"))
        .expect("the build's folder can be written to");
    let linked = link(&out);
    println!("cargo:rustc-env=TLSPAIR_BEARSSL_LINKED={linked}");
    println!("cargo:rustc-env=TLSPAIR_BEARSSL_PACKAGE={}", package_version().unwrap_or_default());
}

fn compiler() -> Command {
    Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()))
}

/// Every header file that `bearssl.h` takes in, from the C compiler.
fn headers(out: &Path) -> Vec<PathBuf> {
    let source = out.join("bearssl_all.c");
    fs::write(&source, INCLUDE).expect("the build's folder can be written to");
    let answer = compiler()
        .arg("-M")
        .arg(&source)
        .output()
        .unwrap_or_else(|error| stop(&format!("no C compiler to look for bearssl.h with: {error}")));
    if !answer.status.success() {
        stop(&format!("the feature `bearssl` needs the header bearssl.h: install {PACKAGE}"));
    }
    let rule = String::from_utf8_lossy(&answer.stdout);
    rule.split_whitespace().filter(|word| word.ends_with(".h")).map(PathBuf::from).collect()
}

/// Ends the build with one line: Cargo fails when it reads it, and shows nothing else if the script ended well.
fn stop(why: &str) -> ! {
    println!("cargo::error={}", why.replace('\n', " "));
    exit(0)
}

/// A slice of `(number, name, meaning)` for every error that the headers define.
fn error_table(headers: &[PathBuf]) -> String {
    let mut table = "&[\n".to_owned();
    for header in headers {
        let text = fs::read_to_string(header).unwrap_or_default();
        for (number, name, meaning) in text.split("/**").filter_map(error_definition) {
            writeln!(table, "    ({number}, {name:?}, {meaning:?}),").expect("a String takes all");
        }
    }
    table + "]\n"
}

/// What a comment and the definition right behind it say of an error.
fn error_definition(text: &str) -> Option<(u16, &str, String)> {
    let (comment, rest) = text.split_once("*/")?;
    let definition = rest.trim_start().strip_prefix("#define ")?;
    let mut words = definition.split_whitespace();
    let name = words.next().filter(|name| name.starts_with("BR_ERR_"))?;
    let number = words.next()?.parse().ok()?;
    let (_, meaning) = comment.split_once(" status: ")?;
    let sentence = meaning.split("\n\n").next()?.split_whitespace().collect::<Vec<_>>().join(" ");
    Some((number, name, sentence.trim_end_matches('.').to_owned()))
}

/// The static library if there is one, else the shared one. The static one is copied, so that the linker need not
/// look through the system's folder, where libraries lie that other parts of the build bring their own of.
fn link(out: &Path) -> &'static str {
    let archive = library_file("libbearssl.a");
    if let Some(archive) = archive {
        println!("cargo:rerun-if-changed={}", archive.display());
        fs::copy(&archive, out.join("libbearssl.a")).expect("the build's folder can be written to");
        println!("cargo:rustc-link-search=native={}", out.display());
        println!("cargo:rustc-link-lib=static=bearssl");
        return "static";
    }
    println!("cargo:rustc-link-lib=dylib=bearssl");
    "shared"
}

/// Where the C compiler's linker would find a library file.
fn library_file(name: &str) -> Option<PathBuf> {
    let answer = compiler().arg(format!("-print-file-name={name}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(answer.stdout).ok()?.trim());
    path.is_absolute().then_some(path).filter(|path| path.is_file())
}

/// The version of the installed package, if a package manager knows it.
fn package_version() -> Option<String> {
    let query = ["--show", "--showformat=${Version}\\n", PACKAGE];
    let answer = Command::new("dpkg-query").args(query).stderr(Stdio::null()).output().ok()?;
    let version = String::from_utf8(answer.stdout).ok()?;
    version.lines().next().filter(|line| !line.is_empty()).map(str::to_owned)
}
