//! JSON as a results file has it: objects spread over lines, plain arrays on one line, so that a thousand samples
//! do not take a thousand lines.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Writes `value` as JSON, with a line feed at the end.
pub fn write_json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, Layout::default());
    value.serialize(&mut serializer)?;
    out.write_all(b"\n")
}

/// Objects are indented by two spaces; an array breaks its lines only before objects in it.
#[derive(Default)]
struct Layout {
    depth: usize,
    is_empty: bool,
    /// Whether each array around the current place holds objects; the innermost last.
    arrays: Vec<bool>,
    at_array_item: bool,
}

impl Layout {
    fn break_line<W: ?Sized + Write>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| writer.write_all(b"  "))
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.arrays.push(false);
        writer.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        self.at_array_item = false;
        if self.arrays.pop() == Some(true) {
            self.break_line(writer)?;
        }
        self.is_empty = false;
        writer.write_all(b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.at_array_item = true;
        if first { Ok(()) } else { writer.write_all(b",") }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _writer: &mut W) -> io::Result<()> {
        self.at_array_item = false;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        if self.at_array_item {
            self.at_array_item = false;
            if let Some(holds_objects) = self.arrays.last_mut() {
                *holds_objects = true;
            }
            self.break_line(writer)?;
        }
        self.depth += 1;
        self.is_empty = true;
        writer.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if !self.is_empty {
            self.break_line(writer)?;
        }
        self.is_empty = false;
        writer.write_all(b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        self.break_line(writer)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _writer: &mut W) -> io::Result<()> {
        self.is_empty = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(value: &serde_json::Value) -> String {
        let mut out = Vec::new();
        write_json(value, &mut out).expect("a vector takes everything");
        String::from_utf8(out).expect("JSON is UTF-8")
    }

    #[test]
    fn plain_arrays_stay_on_one_line_and_objects_do_not() {
        let value = json!({ "a": [1, 2, 3], "b": [{ "c": null }, { "d": [] }], "e": {}, "f": [[1], [2]] });
        let expected = "{\n  \"a\": [1,2,3],\n  \"b\": [\n    {\n      \"c\": null\n    },\n    {\n      \"d\": []\n    \
                        }\n  ],\n  \"e\": {},\n  \"f\": [[1],[2]]\n}\n";
        assert_eq!(written(&value), expected);
    }

    #[test]
    fn what_is_written_reads_back() {
        let value = json!([{ "a": [{}, [], [{ "b": 1 }]] }, "x", [null, true, 1.5], {}]);
        let back: serde_json::Value = serde_json::from_str(&written(&value)).expect("valid JSON");
        assert_eq!(back, value);
    }
}
