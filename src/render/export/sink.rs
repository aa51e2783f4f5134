//! A place for results: found fit before measuring, and replaced whole, so that a crash or a full disk never leaves
//! half a file.

use std::fs::{self, File, FileType, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that results will be written to.
#[derive(Debug)]
pub struct Sink {
    /// As the user wrote it, for messages.
    named: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// A plain file, existing or not: a new one is written beside it and renamed over it.
    Replaced { file: PathBuf, folder: PathBuf },
    /// A device, a pipe or a terminal: renaming would put a plain file in its place, so it is written as it is, once.
    Direct,
}

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {reason}", .path.display())]
pub struct SinkError {
    /// The file, as the user wrote it.
    pub path: PathBuf,
    /// What is wrong.
    pub reason: String,
}

impl Sink {
    /// Finds out whether results can be written to `path`, without changing anything there.
    pub fn open(path: &Path) -> Result<Self, SinkError> {
        let place = Place::of(path).map_err(|reason| SinkError { path: path.to_owned(), reason })?;
        Ok(Self { named: path.to_owned(), place })
    }

    /// Whether two sinks write to the same plain file.
    pub fn is_same_file(&self, other: &Self) -> bool {
        match (&self.place, &other.place) {
            (Place::Replaced { file: one, .. }, Place::Replaced { file: another, .. }) => one == another,
            _ => false,
        }
    }

    /// Puts what there is so far in place. Does nothing for devices and pipes, which are written at the end only.
    pub fn update(&self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), SinkError> {
        match &self.place {
            Place::Replaced { file, folder } => self.named_error(replace(file, folder, content)),
            Place::Direct => Ok(()),
        }
    }

    /// Puts the final content in place.
    pub fn finish(&self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), SinkError> {
        match &self.place {
            Place::Replaced { .. } => self.update(content),
            Place::Direct => self.named_error(write_directly(&self.named, content)),
        }
    }

    fn named_error(&self, outcome: io::Result<()>) -> Result<(), SinkError> {
        outcome.map_err(|error| SinkError { path: self.named.clone(), reason: error.to_string() })
    }
}

impl Place {
    fn of(path: &Path) -> Result<Self, String> {
        // Ends in a name, or it cannot be a file.
        let ends_in_separator = path.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Err("it is a folder".to_owned()),
            Ok(metadata) if metadata.is_file() => {
                // Opening for writing asks for the right to write and leaves the content alone.
                OpenOptions::new().write(true).open(path).map_err(|error| error.to_string())?;
                let file = fs::canonicalize(path).map_err(|error| error.to_string())?;
                Self::replaced(file)
            }
            Ok(metadata) => check_device(path, metadata.file_type()).map(|()| Self::Direct),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !ends_in_separator => {
                Self::replaced(link_target(path)?)
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// Proves that a file can be made in the folder by making one, which goes away again.
    fn replaced(file: PathBuf) -> Result<Self, String> {
        let parent = match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let folder = fs::canonicalize(parent).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!("there is no folder {}", parent.display()),
            _ => format!("folder {}: {error}", parent.display()),
        })?;
        let name = file.file_name().ok_or("it has no file name")?;
        let file = folder.join(name);
        temporary(&folder)
            .map_err(|error| format!("cannot make a file in {}: {}", parent.display(), io_reason(&error)))?;
        Ok(Self::Replaced { file, folder })
    }
}

/// Follows links that lead to a file which does not exist yet.
fn link_target(path: &Path) -> Result<PathBuf, String> {
    let mut file = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&file) {
            // An absolute target replaces the whole path when joined.
            Ok(target) => file = file.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(file),
        }
    }
    Err("too many symbolic links".to_owned())
}

/// What Linux follows at most.
const MAX_LINKS: usize = 40;

/// A device is opened once to see whether it may be. A pipe is not: opening one waits for its reader.
fn check_device(path: &Path, kind: FileType) -> Result<(), String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_socket() {
            return Err("it is a socket".to_owned());
        }
        if kind.is_block_device() {
            return Err("it is a block device".to_owned());
        }
        if kind.is_fifo() {
            return Ok(());
        }
    }
    #[cfg(not(unix))]
    let _: FileType = kind;
    OpenOptions::new().write(true).open(path).map(drop).map_err(|error| error.to_string())
}

/// Writes a new file beside `file` and renames it over it. Permissions of an existing file are kept.
fn replace(
    file: &Path,
    folder: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let temporary = temporary(folder)?;
    write_all(temporary.as_file(), content)?;
    if let Ok(metadata) = fs::metadata(file) {
        temporary.as_file().set_permissions(metadata.permissions())?;
    }
    temporary.persist(file).map(drop).map_err(|error| error.error)
}

fn write_directly(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    write_all(&OpenOptions::new().write(true).open(path)?, content)
}

fn write_all(file: &File, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::new(file);
    content(&mut writer)?;
    writer.flush()
}

fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tlspair-");
    // What an ordinary new file gets, less what the user's mask takes away.
    if let Some(permissions) = ordinary_permissions() {
        builder.permissions(permissions);
    }
    builder.tempfile_in(folder)
}

#[cfg(unix)]
fn ordinary_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn ordinary_permissions() -> Option<Permissions> {
    None
}

/// The system's words without the path of the temporary file, which the user never heard of.
fn io_reason(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code).to_string(),
        None => io::Error::from(error.kind()).to_string(),
    }
}
