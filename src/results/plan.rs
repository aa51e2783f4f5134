//! What a run or a comparison set out to do, so that its parts can be put together and files can be told apart.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::cell::Cell;
use crate::measure::LoopKind;

/// What was planned before anything ran, shards included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanEntry {
    /// SHA-256 over the ids of all cells and the loops, in hexadecimal: equal plans measure the same.
    pub hash: String,
    /// Cells of the whole plan, those of other shards too.
    pub cells: u64,
    /// Which part of the plan this is; null for all of it.
    pub shard: Option<Shard>,
}

/// One of several parts of a plan, written `number/of`, as in `2/3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "ShardNumbers")]
pub struct Shard {
    /// 1 for the first.
    pub number: u64,
    /// Parts in all.
    pub of: u64,
}

/// A shard in a file, before it is known to be one.
#[derive(Deserialize, JsonSchema)]
struct ShardNumbers {
    number: u64,
    of: u64,
}

/// Why a text is no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// Not two whole numbers with a slash between them.
    #[error("`{0}` is not NUMBER/OF, such as 1/3 for the first of three shards")]
    NotAShard(String),
    /// Nothing is divided into no parts.
    #[error("a plan cannot be cut into 0 shards; write 1/1 for all of it")]
    NoShards,
    /// Beyond the last, or before the first.
    #[error(
        "shards are numbered from 1 to {of}, so there is no shard {number}; the nearest is {nearest}/{of}"
    )]
    OutOfRange {
        /// The number asked for.
        number: u64,
        /// Parts in all.
        of: u64,
        /// The number that exists and is nearest.
        nearest: u64,
    },
}

impl PlanEntry {
    /// The plan to run `loops` of all `cells`.
    pub fn whole(cells: &[Cell], loops: &[LoopKind]) -> Self {
        let ids: Vec<String> = cells.iter().map(Cell::id).collect();
        Self { hash: hash_of(ids.iter().map(String::as_str), loops), cells: cells.len() as u64, shard: None }
    }

    /// Whether these are the ids of all cells of the plan, in its order, whichever loops it runs.
    pub fn is_of<'a>(&self, ids: impl Iterator<Item = &'a str> + Clone) -> bool {
        use LoopKind::{Full, Reuse};
        let orders: [&[LoopKind]; 4] = [&[Full, Reuse], &[Full], &[Reuse], &[Reuse, Full]];
        orders.into_iter().any(|loops| hash_of(ids.clone(), loops) == self.hash)
    }

    /// Of a list with one item a cell of the whole plan, those of this part.
    pub fn share<T>(&self, items: impl IntoIterator<Item = T>) -> Vec<T> {
        let is_here = |place| self.shard.is_none_or(|shard| shard.has(place));
        items.into_iter().enumerate().filter(|(place, _)| is_here(*place)).map(|(_, item)| item).collect()
    }

    /// How many cells this part of the plan has.
    pub fn share_size(&self) -> u64 {
        let before = |shard: Shard| self.cells.saturating_sub(shard.number - 1);
        self.shard.map_or(self.cells, |shard| before(shard).div_ceil(shard.of))
    }

    /// Which part of a plan this is; all of it is the first of one.
    pub fn part(&self) -> Shard {
        self.shard.unwrap_or(Shard { number: 1, of: 1 })
    }
}

fn hash_of<'a>(ids: impl Iterator<Item = &'a str>, loops: &[LoopKind]) -> String {
    let mut hash = Sha256::new();
    for line in loops.iter().map(|kind| kind.name()).chain(ids) {
        hash.update(line);
        hash.update("\n");
    }
    hex::encode(hash.finalize())
}

impl Shard {
    /// Whether the cell at this place of the plan, 0 for the first, belongs to the shard: cells are dealt out in turn,
    /// so that every shard gets its part of the slow ones.
    pub fn has(self, place: usize) -> bool {
        place as u64 % self.of == self.number - 1
    }

    /// The place in the plan, 0 for the first, of the shard's cell with this index.
    pub fn place(self, index: usize) -> u64 {
        (index as u64).saturating_mul(self.of).saturating_add(self.number - 1)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(given: &str) -> Result<Self, ShardError> {
        let numbers = given.split_once('/').and_then(|(number, of)| Some((digits(number)?, digits(of)?)));
        let (number, of) = numbers.ok_or_else(|| ShardError::NotAShard(given.to_owned()))?;
        ShardNumbers { number, of }.try_into()
    }
}

impl TryFrom<ShardNumbers> for Shard {
    type Error = ShardError;

    fn try_from(ShardNumbers { number, of }: ShardNumbers) -> Result<Self, ShardError> {
        match of {
            0 => Err(ShardError::NoShards),
            _ if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err(ShardError::OutOfRange { number, of, nearest: number.clamp(1, of) }),
        }
    }
}

/// A number of digits alone.
fn digits(text: &str) -> Option<u64> {
    let are_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| are_digits)
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        text.parse::<Shard>().expect_err(text).to_string()
    }

    #[test]
    fn shards_read_back_as_they_are_written() {
        for text in ["1/1", "1/3", "3/3", "7/100"] {
            assert_eq!(text.parse::<Shard>().map(|shard| shard.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn what_is_no_shard_is_answered_with_the_nearest() {
        let out = |number, nearest| {
            format!(
                "shards are numbered from 1 to 3, so there is no shard {number}; the nearest is {nearest}/3"
            )
        };
        assert_eq!(refused("0/3"), out(0, 1));
        assert_eq!(refused("4/3"), out(4, 3));
        assert_eq!(refused("1/0"), "a plan cannot be cut into 0 shards; write 1/1 for all of it");
        for text in ["a/b", "", "1", "1/", "/2", "-1/2", "+1/2", "1/2/3", "1 / 2", "1/99999999999999999999"] {
            let expected = format!("`{text}` is not NUMBER/OF, such as 1/3 for the first of three shards");
            assert_eq!(refused(text), expected);
        }
    }

    #[test]
    fn a_shard_of_a_file_is_held_to_the_same_rules() {
        let read = |text| serde_json::from_str::<Shard>(text);
        assert_eq!(read(r#"{"number":2,"of":3}"#).ok(), Some(Shard { number: 2, of: 3 }));
        for text in [r#"{"number":0,"of":3}"#, r#"{"number":4,"of":3}"#, r#"{"number":0,"of":0}"#] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_place_of_a_plan_is_in_one_shard_which_knows_it() {
        for (of, cells) in [(1, 5), (2, 5), (3, 5), (7, 5), (4, 0)] {
            let mut places = Vec::new();
            for number in 1..=of {
                let shard = Shard { number, of };
                let plan = PlanEntry { hash: String::new(), cells, shard: Some(shard) };
                let share = plan.share(0..cells);
                assert_eq!(share.len() as u64, plan.share_size(), "{shard} of {cells}");
                assert!(share.iter().enumerate().all(|(index, &place)| shard.place(index) == place));
                places.extend(share);
            }
            places.sort_unstable();
            assert_eq!(places, (0..cells).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_plan_knows_its_cells_by_number_and_order() {
        let ids = ["a", "b"];
        let loops = [LoopKind::Reuse];
        let plan = PlanEntry { hash: hash_of(ids.into_iter(), &loops), cells: 2, shard: None };
        assert!(plan.is_of(ids.into_iter()));
        assert!(!plan.is_of(["b", "a"].into_iter()));
        assert!(!plan.is_of(["a"].into_iter()));
        assert_ne!(plan.hash, hash_of(ids.into_iter(), &LoopKind::BOTH));
    }
}
