//! Devices: what primitives cost on a machine that is not here, from a file, and what was published of it.

mod file;
mod predict;
mod write;

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use include_dir::{Dir, include_dir};

pub use predict::{arrival, predict};
pub use write::write_device;

use crate::cell::{Cell, Cert, Choice, Cipher, Group, Proto, UnknownName};
use crate::cost::Prices;
use crate::engine::Side;
use crate::measure::LoopKind;
use crate::mistake::InvalidFile;
use crate::primitive::{Mode, Primitive};

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/fixtures/devices");

/// A device file has some kilobytes.
const LONGEST: u64 = 1 << 20;

/// Why a device cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// No such device.
    #[error("{0}; or give a file")]
    Unknown(UnknownName),
    /// No such file, or no right to read it.
    #[error("{origin}: {source}")]
    Io {
        /// The file.
        origin: String,
        /// The system's words.
        source: io::Error,
    },
    /// The file is wrong.
    #[error("{0}")]
    Invalid(InvalidFile),
}

/// A machine by the cost of its primitives.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// Its name.
    pub id: String,
    /// Its processor.
    pub cpu: String,
    /// The library that was measured there.
    pub library: String,
    /// Who published it.
    pub source: String,
    /// The engine here whose protocol machinery comes nearest, if any is near.
    pub engine: Option<String>,
    /// Whether it is the machine of the table of 1997.
    pub table_1997: bool,
    /// What was published of whole handshakes.
    pub published: Vec<Published>,
    /// Of primitives over bytes: sizes in ascending order, each with its nanoseconds. The size 0 stands for a long run.
    curves: Curves,
    /// Nanoseconds of the others.
    operations: Vec<(Primitive, f64)>,
}

/// Primitives, each with sizes and the nanoseconds that they take.
type Curves = Vec<(Primitive, Vec<(u64, f64)>)>;

/// A published time of a connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// Version of the cells that it is about.
    pub proto: Proto,
    /// Their cipher; any if none.
    pub cipher: Option<&'static Cipher>,
    /// Their group; any if none.
    pub group: Option<Group>,
    /// Their certificates; any if none.
    pub cert: Option<Cert>,
    /// Bytes each way; handshakes alone if none.
    pub bytes: Option<u64>,
    /// Full or resumed.
    pub kind: LoopKind,
    /// Whose time; both sides' if none.
    pub side: Option<Side>,
    /// The time, in milliseconds.
    pub ms: f64,
}

impl Device {
    /// The names of those that are built in.
    pub fn built_in_names() -> Vec<&'static str> {
        let mut names: Vec<&str> =
            FILES.files().filter_map(|file| file.path().file_stem()?.to_str()).collect();
        names.sort_unstable();
        names
    }

    /// A built-in device, or the one in a file.
    pub fn named(name: &str) -> Result<Self, DeviceError> {
        if let Some(file) = FILES.get_file(format!("{name}.toml")) {
            let text = file.contents_utf8().expect("the devices that are built in are text");
            return file::parse(text, name).map_err(DeviceError::Invalid);
        }
        let path = Path::new(name);
        let is_path = path.extension().is_some() || name.contains(std::path::is_separator) || path.exists();
        if !is_path {
            let unknown = UnknownName::new("device", name, Self::built_in_names());
            return Err(DeviceError::Unknown(unknown));
        }
        let io = |source| DeviceError::Io { origin: name.to_owned(), source };
        let mut text = String::new();
        let length =
            File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text)).map_err(io)?;
        if length as u64 > LONGEST {
            let long = format!("longer than {LONGEST} bytes");
            return Err(io(io::Error::new(ErrorKind::FileTooLarge, long)));
        }
        file::parse(&text, name).map_err(DeviceError::Invalid)
    }

    /// The primitives that it has prices of.
    pub fn primitives(&self) -> impl Iterator<Item = Primitive> {
        let sized = self.curves.iter().map(|(primitive, _)| *primitive);
        sized.chain(self.operations.iter().map(|(primitive, _)| *primitive))
    }
}

impl Published {
    /// What it names of a cell.
    pub fn choice(&self) -> Choice {
        Choice {
            proto: Some(self.proto),
            cipher: self.cipher,
            group: self.group,
            cert: self.cert,
            bytes: self.bytes,
            ..Choice::default()
        }
    }

    /// Whether it is about connections like those of the cell: what it does not name is at its default, but for the cipher,
    /// the group, the certificate and the bytes, which may be any, and for what a resumption or a check of certificates is.
    pub fn is_about(&self, cell: &Cell, kind: LoopKind) -> bool {
        let choice = Choice {
            cipher: Some(self.cipher.unwrap_or(cell.cipher)),
            group: Some(self.group.unwrap_or(cell.group)),
            cert: Some(self.cert.unwrap_or(cell.cert)),
            bytes: Some(self.bytes.unwrap_or(cell.bytes)),
            chunk: Some(cell.chunk),
            verify: Some(cell.verify),
            resume: Some(cell.resume),
            ..self.choice()
        };
        self.kind == kind && choice.pin(&cell.client, &cell.server).as_ref() == Ok(cell)
    }
}

impl Prices for Device {
    fn ns(&self, primitive: Primitive, bytes: Option<u64>) -> Option<f64> {
        match bytes {
            None => self.operations.iter().find(|(known, _)| *known == primitive).map(|(_, ns)| *ns),
            Some(bytes) => {
                let (_, curve) = self.curves.iter().find(|(known, _)| *known == primitive)?;
                Some(on_curve(primitive, curve, bytes))
            }
        }
    }
}

/// Bytes that a primitive works on at a time, and blocks that it works on beside its data.
fn blocks(primitive: Primitive) -> (u64, u64) {
    match primitive {
        // Padding and length take up to a block.
        Primitive::Hash(hash) => (hash.block() as u64, 1),
        Primitive::Hmac(hash) => (hash.block() as u64, 4),
        // Additional data and tag.
        Primitive::Encrypt(cipher) | Primitive::Decrypt(cipher) if cipher.is_aead() => {
            let block = if cipher.mode() == Mode::ChaCha20 { 64 } else { 16 };
            (block, 2)
        }
        Primitive::Encrypt(cipher) | Primitive::Decrypt(cipher) => (cipher.block() as u64, 0),
        _ => (16, 1),
    }
}

/// The time over so many bytes: on the straight line between the two sizes beside it, or the two last. Where only one size was
/// measured, and below the smallest, in proportion to the blocks that are worked on.
fn on_curve(primitive: Primitive, curve: &[(u64, f64)], bytes: u64) -> f64 {
    let (block, beside) = blocks(primitive);
    let worked = |bytes: u64| (bytes.div_ceil(block) + beside) as f64;
    let in_proportion = |(size, ns): (u64, f64)| match size {
        // A long run: nanoseconds a byte.
        0 => ns * worked(bytes) * block as f64,
        size => ns * worked(bytes) / worked(size),
    };
    let above = curve.iter().position(|(size, _)| *size >= bytes).unwrap_or(curve.len() - 1);
    if above == 0 {
        return in_proportion(curve[0]);
    }
    let ((from, from_ns), (to, to_ns)) = (curve[above - 1], curve[above]);
    from_ns + (to_ns - from_ns) * (bytes as f64 - from as f64) / (to - from) as f64
}
