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
    /// The first line shown.
    pub top: usize,
    /// Cells of the longest line.
    widest: usize,
}

impl Reader {
    fn new(kind: ReaderKind, title: impl Into<String>, lines: Vec<(Tone, String)>) -> Self {
        let widest = lines.iter().map(|(_, line)| width(line)).max().unwrap_or(0);
        Self { kind, title: title.into(), lines, top: 0, widest }
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

    /// The furthest line that can stand on top with the text's end in sight.
    fn last(&self, cells: u16, rows: u16) -> usize {
        let mut room = usize::from(rows);
        for (at, (tone, line)) in self.lines.iter().enumerate().rev() {
            let need = rows_of(*tone, line, cells).len();
            if need > room {
                return at + 1;
            }
            room -= need;
        }
        0
    }

    /// A key while it is open in a body of so many cells and rows. None when it closes.
    pub(super) fn key(mut self, key: Key, (cells, rows): (u16, u16)) -> (Option<Self>, Vec<WindowAction>) {
        let page = usize::from(rows).max(2);
        let last = self.last(cells, rows);
        match keymap::find(READER, key) {
            Some(Deed::Down) => self.top = (self.top + 1).min(last),
            Some(Deed::Up) => self.top = self.top.saturating_sub(1),
            Some(Deed::HalfPageDown) => self.top = (self.top + page / 2).min(last),
            Some(Deed::HalfPageUp) => self.top = self.top.saturating_sub(page / 2),
            Some(Deed::PageDown) => self.top = (self.top + page - 1).min(last),
            Some(Deed::PageUp) => self.top = self.top.saturating_sub(page - 1),
            Some(Deed::Top) => self.top = 0,
            Some(Deed::Bottom) => self.top = last,
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

    /// Scrolls by lines in a body of so many cells and rows.
    pub(super) fn scroll(&mut self, delta: i32, (cells, rows): (u16, u16)) {
        let steps = delta.unsigned_abs() as usize;
        let last = self.last(cells, rows);
        self.top = if delta < 0 { self.top.saturating_sub(steps) } else { (self.top + steps).min(last) };
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
