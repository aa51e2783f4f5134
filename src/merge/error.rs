//! Why files cannot be merged.

use crate::results::Shard;

/// Why files cannot be merged. Files are named as the caller named them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// There is no file.
    #[error("there is nothing to merge")]
    NoFiles,
    /// Two files are not parts of one whole.
    #[error("{one} and {other} are not parts of one run: {differences}")]
    Differ {
        /// A file.
        one: String,
        /// Another.
        other: String,
        /// In what they differ, in words.
        differences: String,
    },
    /// Two files come from different machines.
    #[error(
        "{one} and {other} come from different machines: {differences}; --force merges them with a warning"
    )]
    OtherMachine {
        /// A file.
        one: String,
        /// Another.
        other: String,
        /// In what the machines differ, in words.
        differences: String,
    },
    /// Two files are the same shard and say different things.
    #[error("{one} and {other} are both shard {shard}, with different content; leave one of them out")]
    SameShard {
        /// A file.
        one: String,
        /// Another.
        other: String,
        /// The shard.
        shard: Shard,
    },
    /// Two shards have a cell in common, which shards of one plan never do.
    #[error("{one} and {other} both have the cell {cell}, which can be in one shard only")]
    SameCell {
        /// A file.
        one: String,
        /// Another, or the same.
        other: String,
        /// The cell's id.
        cell: String,
    },
    /// A file has another number of cells than its shard.
    #[error("{name} has {has} cells, but its part of the plan, {shard}, has {wants}")]
    WrongCount {
        /// The file.
        name: String,
        /// Its cells.
        has: u64,
        /// The cells that there should be.
        wants: u64,
        /// The shard.
        shard: Shard,
    },
    /// A run was interrupted.
    #[error(
        "{name} is not complete: its run was interrupted; run it again, or merge what there is with --partial"
    )]
    Incomplete {
        /// The file.
        name: String,
    },
    /// Shards are missing.
    #[error("{} missing; name {}, or merge what there is with --partial", missing_words(.shards), file_words(.shards))]
    Missing {
        /// Those that no file is.
        shards: Vec<Shard>,
    },
    /// All cells are there, and are not those that were planned.
    #[error("the cells of {names} are not those of their plan: a file was changed after it was written")]
    OtherCells {
        /// The files.
        names: String,
    },
}

/// More shards than this are only counted.
const MOST_NAMED: usize = 10;

/// `shard 2/3 is`, `shards 1/3 and 3/3 are`.
pub(super) fn missing_words(shards: &[Shard]) -> String {
    let named: Vec<String> = shards.iter().take(MOST_NAMED).map(Shard::to_string).collect();
    match named.as_slice() {
        [only] => format!("shard {only} is"),
        _ if shards.len() > MOST_NAMED => {
            format!("shards {} and {} more are", named.join(", "), shards.len() - MOST_NAMED)
        }
        [first @ .., last] => format!("shards {} and {last} are", first.join(", ")),
        [] => "no shard is".to_owned(),
    }
}

fn file_words(shards: &[Shard]) -> &'static str {
    if shards.len() == 1 { "its file too" } else { "their files too" }
}
