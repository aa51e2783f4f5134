//! Callgrind's output file, as written with `--compress-strings=no --compress-pos=no`.
//!
//! After `ob=` (an object file) and `fn=` (a function) come lines of a place and a cost; a `calls=` line makes the next
//! cost one of the function called, which `cfn=` named, and of all that it calls in turn.

use std::str::Lines;

/// The options that make callgrind write what [`costs`] reads.
pub const READABLE: [&str; 2] = ["--compress-strings=no", "--compress-pos=no"];

/// One line of cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost<'a> {
    /// The object file with the function.
    pub object: &'a str,
    /// The function's name, demangled.
    pub function: &'a str,
    /// None for the function's own instructions; else the cost of calls of this function, and of all that it calls.
    pub callee: Option<&'a str>,
    /// Instructions.
    pub instructions: u64,
}

/// Every cost in the file's text. Lines that say anything else are passed over.
pub fn costs(text: &str) -> impl Iterator<Item = Cost<'_>> {
    Costs { lines: text.lines(), object: "", function: "", called: "", is_call: false }
}

struct Costs<'a> {
    lines: Lines<'a>,
    object: &'a str,
    function: &'a str,
    called: &'a str,
    is_call: bool,
}

impl<'a> Iterator for Costs<'a> {
    type Item = Cost<'a>;

    fn next(&mut self) -> Option<Cost<'a>> {
        for line in self.lines.by_ref() {
            if let Some(name) = line.strip_prefix("ob=") {
                self.object = name;
            } else if let Some(name) = line.strip_prefix("fn=") {
                self.function = name;
            } else if let Some(name) = line.strip_prefix("cfn=") {
                self.called = name;
            } else if line.starts_with("calls=") {
                self.is_call = true;
            } else if let Some(instructions) = instructions(line) {
                let callee = std::mem::take(&mut self.is_call).then_some(self.called);
                return Some(Cost { object: self.object, function: self.function, callee, instructions });
            }
        }
        None
    }
}

/// The cost on a line of a place and a cost.
fn instructions(line: &str) -> Option<u64> {
    let (place, cost) = line.split_once(' ')?;
    place.parse::<u64>().ok()?;
    cost.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As callgrind writes it: a function with a call, one that another object file holds, and what is no cost.
    const FILE: &str = "# callgrind format
version: 1
cmd:  prog 12 34
desc: Timerange: Basic block 0 - 20
positions: line
events: Ir
summary: 495

ob=/bin/prog
fl=main.c
fn=main
16 400
cob=/lib/libc.so
cfi=string.c
cfn=copy
calls=2 50
16 600
fi=inlined.h
17 35

ob=/lib/libc.so
fl=string.c
fn=copy
51 60

totals: 495
";

    fn cost<'a>(object: &'a str, function: &'a str, callee: Option<&'a str>, instructions: u64) -> Cost<'a> {
        Cost { object, function, callee, instructions }
    }

    #[test]
    fn own_costs_and_costs_of_calls_are_told_apart() {
        let found: Vec<Cost<'_>> = costs(FILE).collect();
        let expected = [
            cost("/bin/prog", "main", None, 400),
            cost("/bin/prog", "main", Some("copy"), 600),
            cost("/bin/prog", "main", None, 35),
            cost("/lib/libc.so", "copy", None, 60),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_file_without_costs_has_none() {
        assert_eq!(costs("").count(), 0);
        assert_eq!(costs("version: 1\n\ntotals: 0\n").count(), 0);
    }
}
