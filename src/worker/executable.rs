//! Executables by what the command line calls them.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs, io};

use sha2::{Digest, Sha256};

use crate::engine::Variables;

/// An executable that can work: tlspair, or a package with engines of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    /// What messages call it: `exe:PATH` or `exe:self`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// What its processes find in the environment beside what this one has.
    pub variables: Variables,
}

impl Executable {
    /// This very program.
    pub fn this_one() -> io::Result<Self> {
        Ok(Self::at("exe:self", env::current_exe()?))
    }

    /// The executable that `PATH` of `exe:PATH` names; `self` is this one.
    pub fn named(path: &str) -> io::Result<Self> {
        if path == "self" {
            return Self::this_one();
        }
        let file = fs::canonicalize(path)?;
        if !file.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        Ok(Self::at(format!("exe:{path}"), file))
    }

    /// The programs in the folder `engines` beside this one, in the order of their names; none if there is no such folder.
    pub fn beside_this_one() -> io::Result<Vec<Self>> {
        let itself = env::current_exe()?;
        let folder = itself.parent().map(|folder| folder.join("engines"));
        let entries = match folder.map(fs::read_dir) {
            Some(Ok(entries)) => entries,
            Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => return Ok(Vec::new()),
        };
        let paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        let mut programs: Vec<PathBuf> = paths.into_iter().filter(|path| is_program(path)).collect();
        programs.sort();
        Ok(programs.into_iter().map(|path| Self::at(format!("exe:{}", path.display()), path)).collect())
    }

    /// The same with these variables in the environment of its processes.
    pub fn with_variables(&self, variables: Variables) -> Self {
        Self { variables, ..self.clone() }
    }

    fn at(name: impl Into<String>, path: PathBuf) -> Self {
        Self { name: name.into(), path, variables: Variables::new() }
    }
}

/// Whether the file can be run.
#[cfg(unix)]
pub fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Whether the file can be run.
#[cfg(not(unix))]
pub fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "exe")
}

/// SHA-256 of this program's file, in hexadecimal, as it was when first asked for.
pub(super) fn own_hash() -> io::Result<&'static str> {
    static HASH: OnceLock<String> = OnceLock::new();
    if let Some(hash) = HASH.get() {
        return Ok(hash);
    }
    let hash = hash_of(&env::current_exe()?)?;
    Ok(HASH.get_or_init(|| hash))
}

fn hash_of(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut file = fs::File::open(path)?;
    io::copy(&mut file, &mut HashWriter(&mut hash))?;
    Ok(hex::encode(hash.finalize()))
}

struct HashWriter<'a>(&'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
