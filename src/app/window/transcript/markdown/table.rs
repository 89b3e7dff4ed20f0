//! Tables fitted to a width: columns as wide as they want, or cut down from the widest; cells wrap in their column.

use crate::app::window::line::Line;
use crate::app::window::text::{Run, Tone, wrap};
use crate::base::width;

use super::inline::inline;

/// The least cells of a column that has to give way.
const LEAST: usize = 5;
/// Columns of a table at most; the rest of a row is left as it is.
const COLUMNS: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Middle,
    Right,
}

/// The cells of a row, without blanks around them. A bar in code or behind a backslash separates nothing.
pub(super) fn cells(row: &str) -> Vec<&str> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let (mut out, mut from, mut code, mut escaped) = (Vec::new(), 0, false, false);
    for (at, byte) in row.bytes().enumerate() {
        match byte {
            b'`' if !escaped => code = !code,
            b'|' if !escaped && !code && out.len() + 1 < COLUMNS => {
                out.push(row[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
    }
    let last = row[from..].trim();
    if !last.is_empty() || out.is_empty() {
        out.push(last);
    }
    out
}

/// Whether a line separates a table's head from its rows.
pub(super) fn is_delimiter(body: &str) -> bool {
    body.contains('-')
        && body.contains('|')
        && body.bytes().all(|byte| matches!(byte, b'-' | b':' | b'|' | b' ' | b'\t'))
        && cells(body).iter().all(|cell| cell.trim_matches(':').bytes().all(|b| b == b'-') && cell.contains('-'))
}

/// Cells of a table whose marks are shown, too: it never takes more.
pub(in crate::app::window::transcript) fn raw_width(text: &str) -> usize {
    let mut widths: Vec<usize> = Vec::new();
    for line in text.lines() {
        for (i, cell) in cells(line).into_iter().enumerate() {
            match widths.get_mut(i) {
                Some(width) => *width = cell.len().max(*width),
                None => widths.push(cell.len().max(1)),
            }
        }
    }
    widths.iter().sum::<usize>() + widths.len().saturating_sub(1) * 3
}

/// A table's columns at a width.
#[derive(Debug)]
pub(super) struct Columns {
    sides: Vec<Side>,
    /// Cells of each; none when they have no room beside each other.
    widths: Option<Vec<usize>>,
    titles: Vec<String>,
}

impl Columns {
    /// The columns of a table with these lines, of which the second separates, in so many cells.
    pub(super) fn of(text: &str, room: usize) -> Self {
        let mut lines = text.lines();
        let head = lines.next().map(cells).unwrap_or_default();
        let count = head.len();
        let mut widths: Vec<usize> = head.iter().map(|cell| wide(cell)).collect();
        let mut sides = vec![Side::Left; count];
        for line in lines {
            let delimiter = is_delimiter(line.trim());
            for (i, cell) in cells(line).into_iter().take(count).enumerate() {
                if delimiter {
                    sides[i] = match (cell.starts_with(':'), cell.ends_with(':')) {
                        (true, true) => Side::Middle,
                        (false, true) => Side::Right,
                        _ => Side::Left,
                    };
                } else {
                    widths[i] = widths[i].max(wide(cell));
                }
            }
        }
        Self { sides, widths: fit(widths, room), titles: head.iter().map(|title| plain(title)).collect() }
    }

    /// The lines of a row.
    pub(super) fn row(&self, row: &str, head: bool, cells_of: usize) -> Vec<Line> {
        if is_delimiter(row.trim()) {
            return vec![self.rule(cells_of)];
        }
        let tone = if head { Tone::Strong } else { Tone::Text };
        let cells = cells(row);
        let runs = |i: usize| cells.get(i).map(|cell| styled(cell, tone)).unwrap_or_default();
        let Some(widths) = &self.widths else { return self.record(&cells, head) };
        let columns: Vec<_> = widths.iter().enumerate().map(|(i, width)| wrap(&runs(i), *width)).collect();
        let high = columns.iter().map(Vec::len).max().unwrap_or(1);
        let line = |number: usize| {
            let mut out: Vec<Run> = Vec::new();
            let mut owed = 0;
            for (i, rows) in columns.iter().enumerate() {
                if i > 0 {
                    out.push(Run::new(Tone::Rule, format!("{} │ ", " ".repeat(owed))));
                }
                let row = rows.get(number).cloned().unwrap_or_default();
                let left = widths[i].saturating_sub(row.width());
                let before = match self.sides.get(i) {
                    Some(Side::Right) => left,
                    Some(Side::Middle) => left / 2,
                    _ => 0,
                };
                if before > 0 {
                    out.push(Run::new(Tone::Text, " ".repeat(before)));
                }
                out.extend(row.0);
                owed = left - before;
            }
            Line::new("  ", 2, out)
        };
        (0..high).map(line).collect()
    }

    fn rule(&self, cells: usize) -> Line {
        let text = match &self.widths {
            Some(widths) => widths.iter().map(|width| "─".repeat(*width)).collect::<Vec<_>>().join("─┼─"),
            None => "─".repeat(cells.saturating_sub(2).min(24)),
        };
        Line::new("  ", 2, vec![Run::new(Tone::Rule, text)])
    }

    /// A row that has no room side by side: a line for each cell, with its column's title.
    fn record(&self, cells: &[&str], head: bool) -> Vec<Line> {
        if head {
            return vec![Line::new("  ", 2, vec![Run::new(Tone::Strong, self.titles.join(" · "))])];
        }
        let line = |(i, cell): (usize, &&str)| {
            let title = self.titles.get(i).map_or("", String::as_str);
            let lead = if i == 0 { "  " } else { "    " };
            let mut runs = vec![Run::new(Tone::Dim, format!("{title}: "))];
            runs.extend(styled(cell, Tone::Text));
            Line::new(lead, 6, runs)
        };
        let lines: Vec<Line> = cells.iter().enumerate().map(line).collect();
        if lines.is_empty() { vec![Line::default()] } else { lines }
    }
}

fn styled(cell: &str, tone: Tone) -> Vec<Run> {
    // Within a table a bar is written with a backslash, also in code.
    let cell = if cell.contains("\\|") { cell.replace("\\|", "|") } else { cell.to_owned() };
    inline(&cell, tone).into_iter().flatten().collect()
}

fn plain(cell: &str) -> String {
    styled(cell, Tone::Text).into_iter().map(|run| run.text).collect()
}

fn wide(cell: &str) -> usize {
    styled(cell, Tone::Text).iter().map(|run| width(&run.text)).sum::<usize>().max(1)
}

/// Widths that fit with bars between them: the widest give way first.
fn fit(mut widths: Vec<usize>, room: usize) -> Option<Vec<usize>> {
    let bars = widths.len().saturating_sub(1) * 3;
    let room = room.saturating_sub(bars);
    if widths.iter().sum::<usize>() <= room {
        return Some(widths);
    }
    let least: usize = widths.iter().map(|width| (*width).min(LEAST)).sum();
    if least > room {
        return None;
    }
    let most = |cap: usize| widths.iter().map(|width| (*width).min(cap)).sum::<usize>();
    let cap = (LEAST..=room).rev().find(|cap| most(*cap) <= room)?;
    let mut spare = room - most(cap);
    for width in &mut widths {
        if *width > cap {
            let more = spare.min(1);
            *width = cap + more;
            spare -= more;
        }
    }
    Some(widths)
}
