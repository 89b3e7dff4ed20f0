//! A line of a transcript before it is wrapped: its text in runs, and what stands before its rows.

use std::sync::Arc;

use compact_str::CompactString;

use crate::base::width;

use super::text::{Row, Run, Tone, wrap};

/// One line, safe to draw. What leads its rows is no part of its text: it is not searched and not copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What stands before its first row.
    pub lead: CompactString,
    /// What stands before its other rows.
    pub more: CompactString,
    /// The tone of the leads.
    pub tone: Tone,
    /// Its text.
    pub runs: Vec<Run>,
    /// The byte of the text from which it stands at the right edge, if it fits in one row.
    pub right: Option<usize>,
    /// Where its colours are to be had, if it is code.
    pub code: Option<CodeLine>,
}

/// A line of code, for the colours that come later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeLine {
    /// The piece of code that is coloured together.
    pub piece: u64,
    /// The line in it, from 0.
    pub line: usize,
    /// The language, as the answer calls it.
    pub language: Arc<str>,
}

impl Default for Line {
    fn default() -> Self {
        Self::new("", 0, Vec::new())
    }
}

impl Line {
    /// A line with this lead, and blanks before its other rows.
    #[must_use]
    pub fn new(lead: &str, more: usize, runs: Vec<Run>) -> Self {
        Self::led(lead, &" ".repeat(more), Tone::Text, runs)
    }

    /// A line with these leads.
    #[must_use]
    pub fn led(lead: &str, more: &str, tone: Tone, runs: Vec<Run>) -> Self {
        Self { lead: lead.into(), more: more.into(), tone, runs, right: None, code: None }
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> String {
        self.runs.iter().map(|run| run.text.as_str()).collect()
    }

    /// Cells for its text in rows of so many.
    #[must_use]
    pub fn room(&self, cells: usize) -> usize {
        cells.saturating_sub(width(&self.lead).max(width(&self.more))).max(1)
    }

    /// Its rows of so many cells, with what leads them; at least one.
    #[must_use]
    pub fn rows(&self, cells: usize) -> Vec<Row> {
        let mut rows = wrap(&self.runs, self.room(cells));
        for (i, row) in rows.iter_mut().enumerate() {
            let lead = if i == 0 { &self.lead } else { &self.more };
            if !lead.is_empty() {
                row.0.insert(0, Run::new(self.tone, lead.to_string()));
            }
        }
        rows
    }
}
