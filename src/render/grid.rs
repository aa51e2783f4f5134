//! A table before it is text or Markdown: columns in groups, rows of strings.

/// A table.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Row>,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// The heading that neighbours of one group share; empty for key columns, which name the row and are repeated
    /// wherever a table is cut for want of width.
    pub(super) group: &'static str,
    pub(super) title: String,
    pub(super) align: Align,
}

/// Where a column's content stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// One row.
#[derive(Clone, Debug)]
pub(super) enum Row {
    /// One string a column.
    Cells(Vec<String>),
    /// Space between groups of rows.
    Gap,
}

impl Column {
    /// A column that names rows.
    pub(super) fn key(title: impl Into<String>, align: Align) -> Self {
        Self { group: "", title: title.into(), align }
    }

    /// A column of numbers.
    pub(super) fn number(group: &'static str, title: impl Into<String>) -> Self {
        Self { group, title: title.into(), align: Align::Right }
    }

    pub(super) fn is_key(&self) -> bool {
        self.group.is_empty()
    }

    /// Group and title in one line.
    pub(super) fn full_title(&self) -> String {
        format!("{} {}", self.group, self.title).trim().to_owned()
    }
}

impl Grid {
    /// Only some of the columns, by index.
    pub(super) fn part(&self, indices: &[usize]) -> Self {
        let rows = self.rows.iter().map(|row| match row {
            Row::Cells(cells) => Row::Cells(indices.iter().map(|&index| cells[index].clone()).collect()),
            Row::Gap => Row::Gap,
        });
        Self {
            columns: indices.iter().map(|&index| self.columns[index].clone()).collect(),
            rows: rows.collect(),
        }
    }

    /// The same with one key column, which numbers the rows from 1.
    pub(super) fn numbered(&self) -> Self {
        let (_, groups) = self.groups();
        let mut numbered = self.part(&groups.concat());
        numbered.columns.insert(0, Column::key("#", Align::Right));
        let rows = numbered.rows.iter_mut().filter_map(|row| match row {
            Row::Cells(cells) => Some(cells),
            Row::Gap => None,
        });
        for (index, cells) in rows.enumerate() {
            cells.insert(0, (index + 1).to_string());
        }
        numbered
    }

    /// Indices of the key columns, and of each group's columns.
    pub(super) fn groups(&self) -> (Vec<usize>, Vec<Vec<usize>>) {
        let mut keys = Vec::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, column) in self.columns.iter().enumerate() {
            if column.is_key() {
                keys.push(index);
                continue;
            }
            match groups.last_mut() {
                Some(group) if self.columns[group[0]].group == column.group => group.push(index),
                _ => groups.push(vec![index]),
            }
        }
        (keys, groups)
    }
}
