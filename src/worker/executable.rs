//! Executables by what the command line calls them.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs, io};

use sha2::{Digest, Sha256};

/// An executable that can work: tlspair, or a package with engines of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    /// What messages call it: `exe:PATH` or `exe:self`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

impl Executable {
    /// This very program.
    pub fn this_one() -> io::Result<Self> {
        Ok(Self { name: "exe:self".to_owned(), path: env::current_exe()? })
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
        Ok(Self { name: format!("exe:{path}"), path: file })
    }
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
