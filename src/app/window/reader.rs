//! A long text to be read: help, a command's output, a diff, a whole approval or conflict.

use crate::app::State;
use crate::base::width;
use crate::domain::{Approval, ApprovalId, Conflict, ConflictId, ConflictKind, Key, LaneId, Size};

use super::keymap::{self, Deed};
use super::text::{Row, Run, Tone, clean, diff_tone, wrap};
use super::waits::{approval_two, expiry};
use super::{READER, WindowAction};

/// What a reader shows, since some answer keys of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReaderKind {
    /// Text.
    Text,
    /// A lane's changes.
    Diff(LaneId),
    /// A whole approval, which can be answered here.
    Approval(ApprovalId),
    /// A whole conflict.
    Conflict(ConflictId),
}

/// A scrollable text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    /// What it shows.
    pub kind: ReaderKind,
    /// Its title.
    pub title: String,
    /// Its lines, not yet made safe to draw.
    pub lines: Vec<(Tone, String)>,
    /// The first line shown, and how many of its rows are not: one line may be longer than the window is high.
    pub top: (usize, usize),
    /// Cells of the longest line.
    widest: usize,
}

impl Reader {
    fn new(kind: ReaderKind, title: impl Into<String>, lines: Vec<(Tone, String)>) -> Self {
        let widest = lines.iter().map(|(_, line)| width(line)).max().unwrap_or(0);
        Self { kind, title: title.into(), lines, top: (0, 0), widest }
    }

    /// Text exactly as it is.
    pub fn text(title: impl Into<String>, text: &str) -> Self {
        Self::new(ReaderKind::Text, title, text.lines().map(|line| (Tone::Text, line.to_owned())).collect())
    }

    /// Text of ours, in which lines that begin with `# ` are headings.
    pub fn chapters(title: impl Into<String>, text: &str) -> Self {
        let line = |line: &str| match line.strip_prefix("# ") {
            Some(heading) => (Tone::Accent, heading.to_owned()),
            None => (Tone::Text, line.to_owned()),
        };
        Self::new(ReaderKind::Text, title, text.lines().map(line).collect())
    }

    /// A lane's changes as a unified diff.
    #[must_use]
    pub fn diff(lane: LaneId, diff: &str) -> Self {
        let line = |line: &str| {
            let head = ["diff ", "index ", "--- ", "+++ "].iter().any(|p| line.starts_with(p));
            let tone = if head { Tone::Strong } else { diff_tone(line) };
            (tone, line.to_owned())
        };
        Self::new(ReaderKind::Diff(lane), "changes against its base", diff.lines().map(line).collect())
    }

    /// Everything of an approval.
    #[must_use]
    pub fn approval(state: &State, approval: &Approval) -> Self {
        let mut lines = vec![
            (Tone::Dim, format!("lane       {}", state.model.name(approval.lane))),
            (Tone::Dim, format!("tool       {}", approval.tool)),
            (Tone::Dim, format!("runs in    {}", approval.directory)),
            (Tone::Dim, format!("asks       {}", approval.rule.rule)),
            (Tone::Dim, format!("           {}", approval.rule.place)),
        ];
        let more = approval_two(approval).into_iter();
        lines.extend(more.map(|(tone, words)| (tone, format!("           {words}"))));
        lines.extend(expiry(approval).map(|words| (Tone::Dim, format!("           {words}"))));
        lines.push((Tone::Text, String::new()));
        lines.extend(approval.action.lines().map(|line| (Tone::Strong, line.to_owned())));
        if let Some(diff) = &approval.diff {
            lines.push((Tone::Text, String::new()));
            lines.extend(diff.lines().map(|line| (diff_tone(line), line.to_owned())));
        } else if let Ok(text) = serde_json::to_string_pretty(&approval.arguments) {
            lines.push((Tone::Text, String::new()));
            lines.push((Tone::Dim, "arguments".to_owned()));
            lines.extend(text.lines().map(|line| (Tone::Dim, line.to_owned())));
        }
        Self::new(ReaderKind::Approval(approval.id), format!("approval {}", approval.id), lines)
    }

    /// Everything of a conflict.
    #[must_use]
    pub fn conflict(state: &State, conflict: &Conflict) -> Self {
        let model = &state.model;
        let met = match conflict.kind {
            ConflictKind::Prompt => "a prompt names paths that another lane holds; it has not begun",
            ConflictKind::Write => "a write would touch paths that another lane holds; it waits",
            ConflictKind::Warning => "another lane at rest has changed these paths; nothing is held back",
            ConflictKind::Base => "these paths were changed in the base checkout while a call of this lane ran",
        };
        let by = if conflict.kind == ConflictKind::Base { "in         " } else { "held by    " };
        let mut lines = vec![
            (Tone::Text, met.to_owned()),
            (Tone::Text, String::new()),
            (Tone::Dim, format!("lane       {}", model.name(conflict.lane))),
            (Tone::Dim, format!("{}{} ({})", by, model.met(conflict), conflict.cause)),
            (Tone::Text, String::new()),
            (Tone::Dim, format!("paths      {}", conflict.paths.len())),
        ];
        lines.extend(conflict.paths.iter().map(|path| (Tone::Strong, format!("  {path}"))));
        if let Some(prompt) = model.prompts.get(&conflict.prompt) {
            lines.push((Tone::Text, String::new()));
            lines.push((Tone::Dim, format!("prompt     {}", prompt.id)));
            lines.extend(prompt.text.lines().map(|line| (Tone::Text, format!("  {line}"))));
        }
        Self::new(ReaderKind::Conflict(conflict.id), format!("conflict {}", conflict.id), lines)
    }

    /// Cells and rows of the text in a window of this size, below so many rows of other words.
    #[must_use]
    pub fn body(&self, size: Size, above: u16) -> (u16, u16) {
        let cells = (self.widest.clamp(66, 110) as u16 + 2).min(size.columns.saturating_sub(6));
        let most = size.rows.saturating_sub(6 + above).max(2);
        let mut rows = 0;
        for (tone, line) in &self.lines {
            rows += rows_of(*tone, line, cells).len();
            if rows >= usize::from(most) {
                break;
            }
        }
        (cells, u16::try_from(rows).unwrap_or(most).clamp(4.min(most), most))
    }

    fn height(&self, line: usize, cells: u16) -> usize {
        self.lines.get(line).map_or(0, |(tone, text)| rows_of(*tone, text, cells).len())
    }

    /// The furthest place that can stand on top with the text's end in sight.
    fn last(&self, cells: u16, rows: u16) -> (usize, usize) {
        let mut room = usize::from(rows);
        for at in (0..self.lines.len()).rev() {
            let need = self.height(at, cells);
            if need > room {
                return if room == 0 { (at + 1, 0) } else { (at, need - room) };
            }
            room -= need;
        }
        (0, 0)
    }

    fn down(&mut self, rows: usize, (cells, high): (u16, u16)) {
        let (mut line, mut row) = (self.top.0, self.top.1 + rows);
        while row > 0 && line < self.lines.len() {
            let height = self.height(line, cells);
            if row < height {
                break;
            }
            (line, row) = (line + 1, row - height);
        }
        self.top = (line, row).min(self.last(cells, high));
    }

    fn up(&mut self, rows: usize, cells: u16) {
        let (mut line, mut row) = self.top;
        let mut left = rows;
        while left > row && line > 0 {
            left -= row;
            line -= 1;
            row = self.height(line, cells);
        }
        self.top = (line, row.saturating_sub(left));
    }

    /// A key while it is open in a body of so many cells and rows. None when it closes.
    pub(super) fn key(mut self, key: Key, body: (u16, u16)) -> (Option<Self>, Vec<WindowAction>) {
        let (cells, rows) = body;
        let page = usize::from(rows).max(2);
        match keymap::find(READER, key) {
            Some(Deed::Down) => self.down(1, body),
            Some(Deed::Up) => self.up(1, cells),
            Some(Deed::HalfPageDown) => self.down(page / 2, body),
            Some(Deed::HalfPageUp) => self.up(page / 2, cells),
            Some(Deed::PageDown) => self.down(page - 1, body),
            Some(Deed::PageUp) => self.up(page - 1, cells),
            Some(Deed::Top) => self.top = (0, 0),
            Some(Deed::Bottom) => self.top = self.last(cells, rows),
            Some(Deed::Copy) => {
                let text: Vec<&str> = self.lines.iter().map(|(_, line)| line.as_str()).collect();
                let copy = WindowAction::Copy(text.join("\n"));
                return (Some(self), vec![copy]);
            }
            Some(Deed::Leave) => return (None, Vec::new()),
            _ => {}
        }
        (Some(self), Vec::new())
    }

    /// Scrolls by rows in a body of so many cells and rows.
    pub(super) fn scroll(&mut self, delta: i32, body: (u16, u16)) {
        let steps = delta.unsigned_abs() as usize;
        if delta < 0 { self.up(steps, body.0) } else { self.down(steps, body) }
    }
}

/// The rows of one line: what wraps stands a little further in than its first row.
#[must_use]
pub fn rows_of(tone: Tone, line: &str, cells: u16) -> Vec<Row> {
    let text = clean(line);
    let indent = text.len() - text.trim_start().len();
    let cells = usize::from(cells);
    if width(&text) <= cells || indent + 2 >= cells / 2 {
        return wrap(&[Run::new(tone, text.into_owned())], cells);
    }
    let more = " ".repeat(indent + 2);
    let mut rows = wrap(&[Run::new(tone, text.trim_start().to_owned())], cells - indent - 2);
    for (i, row) in rows.iter_mut().enumerate() {
        let lead = if i == 0 { &more[..indent] } else { &more };
        row.0.insert(0, Run::new(tone, lead.to_owned()));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_longer_than_the_window_is_high_is_read_to_its_end() {
        let body = (20, 5);
        let mut reader = Reader::text("t", &format!("first\n{}\nlast", "word ".repeat(60)));
        let rows = reader.height(1, body.0);
        assert!(rows > 10);
        for _ in 0..rows + 10 {
            reader.scroll(1, body);
        }
        assert_eq!(reader.top, (1, rows - 4), "its end and the last line are in sight");
        let end = reader.top;
        reader.scroll(-3, body);
        assert_eq!(reader.top, (1, rows - 7));
        reader.scroll(-1000, body);
        assert_eq!(reader.top, (0, 0));
        let (reader, _) = reader.key(Key::char('G'), body);
        assert_eq!(reader.unwrap().top, end);
    }
}
