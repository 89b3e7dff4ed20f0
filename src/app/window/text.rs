//! Rows of text with a meaning instead of a colour, wrapped in cells.
//!
//! Untrusted text passes [`clean`] before it becomes a [`Run`]; `ui` gives each [`Tone`] its colours.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use crate::base::{clip, visible, width};

/// The text in at most so many cells; what is left out of a longer one stands in its middle.
#[must_use]
pub fn clip_middle(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let head = clip(text, cells / 2);
    let mut tail: Vec<&str> = Vec::new();
    let mut room = cells.saturating_sub(width(&head));
    for grapheme in text.graphemes(true).rev() {
        let Some(left) = room.checked_sub(width(grapheme)) else { break };
        room = left;
        tail.push(grapheme);
    }
    head + &tail.into_iter().rev().collect::<String>()
}

/// What a piece of text means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tone {
    /// Ordinary text.
    Text,
    /// Labels and what matters less.
    Dim,
    /// What matters more.
    Strong,
    /// The one accent: what is in focus, what the person said.
    Accent,
    /// Went well.
    Good,
    /// Needs a look.
    Warn,
    /// Went wrong.
    Bad,
    /// A line that a diff adds.
    Added,
    /// A line that a diff removes.
    Removed,
    /// Code in an answer.
    Code,
}

/// A piece of text of one tone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// What it means.
    pub tone: Tone,
    /// The text, already clean.
    pub text: String,
}

/// One row on the screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row(pub Vec<Run>);

impl Row {
    /// A row of one run. The text is cleaned.
    #[must_use]
    pub fn new(tone: Tone, text: &str) -> Self {
        Self::default().with(tone, text)
    }

    /// Adds a run. The text is cleaned.
    #[must_use]
    pub fn with(mut self, tone: Tone, text: &str) -> Self {
        if !text.is_empty() {
            self.0.push(Run { tone, text: clean(text).into_owned() });
        }
        self
    }

    /// The text alone.
    #[cfg(test)]
    pub fn text(&self) -> String {
        self.0.iter().map(|run| run.text.as_str()).collect()
    }

    /// Cells it takes.
    #[must_use]
    pub fn width(&self) -> usize {
        self.0.iter().map(|run| width(&run.text)).sum()
    }
}

/// Untrusted text as one safe line: control characters visible, tabs as blanks, line ends as `⏎`.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    let safe = visible(text);
    if !safe.contains(['\t', '\n']) {
        return safe;
    }
    let mut out = String::with_capacity(safe.len() + 8);
    let mut column = 0;
    for grapheme in safe.graphemes(true) {
        match grapheme {
            "\t" => {
                let blanks = 4 - column % 4;
                out.extend(std::iter::repeat_n(' ', blanks));
                column += blanks;
            }
            "\n" => out.push('⏎'),
            other => {
                out.push_str(other);
                column += width(other);
            }
        }
    }
    Cow::Owned(out)
}

/// Wraps runs into rows of at most `cells` cells, at blanks where there are any. At least one row.
#[must_use]
pub fn wrap(runs: &[Run], cells: usize) -> Vec<Row> {
    let cells = cells.max(1);
    if runs.iter().map(|run| width(&run.text)).sum::<usize>() <= cells {
        return vec![Row(runs.to_vec())];
    }
    let pieces: Vec<(Tone, &str, usize)> =
        runs.iter().flat_map(|run| run.text.graphemes(true).map(|g| (run.tone, g, width(g)))).collect();
    let mut rows = Vec::new();
    let mut start = 0;
    while start < pieces.len() {
        let mut used = 0;
        let mut end = start;
        let mut blank = None;
        while end < pieces.len() && used + pieces[end].2 <= cells {
            used += pieces[end].2;
            if pieces[end].1 == " " {
                blank = Some(end);
            }
            end += 1;
        }
        let (cut, next) = if end == pieces.len() || pieces[end].1 == " " {
            (end, end + 1)
        } else {
            match blank {
                Some(at) if pieces[start..at].iter().any(|p| p.1 != " ") => (at, at + 1),
                // A word longer than a row, or a glyph wider than one: cut it where the row ends.
                _ => (end.max(start + 1), end.max(start + 1)),
            }
        };
        rows.push(join(&pieces[start..cut]));
        start = next;
    }
    rows
}

fn join(pieces: &[(Tone, &str, usize)]) -> Row {
    let mut row = Row::default();
    for (tone, text, _) in pieces {
        match row.0.last_mut() {
            Some(run) if run.tone == *tone => run.text.push_str(text),
            _ => row.0.push(Run { tone: *tone, text: (*text).to_owned() }),
        }
    }
    row
}

/// The nearest place at or before this byte where a text may be cut.
#[must_use]
pub fn cut_at(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// A line of a diff: what its first character says.
#[must_use]
pub fn diff_tone(line: &str) -> Tone {
    match line.as_bytes().first() {
        Some(b'+') => Tone::Added,
        Some(b'-') => Tone::Removed,
        Some(b'@') => Tone::Dim,
        _ => Tone::Text,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wrapped(text: &str, cells: usize) -> Vec<String> {
        wrap(&[Run { tone: Tone::Text, text: text.to_owned() }], cells).iter().map(Row::text).collect()
    }

    #[test]
    fn both_ends_of_a_long_path_stay() {
        assert_eq!(clip_middle("/a/very/long/path/config.toml:14", 20), "/a/very/l…ig.toml:14");
        assert_eq!(clip_middle("short", 5), "short");
        assert_eq!(clip_middle("漢字漢字漢字", 7), "漢…漢字");
        assert!(clip_middle("abc", 0).is_empty());
    }

    #[test]
    fn words_stay_whole_where_they_can() {
        assert_eq!(wrapped("I'll look at the router first.", 12), ["I'll look at", "the router", "first."]);
        assert_eq!(wrapped("abcdefgh ij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrapped("機能ログイン", 5), ["機能", "ログ", "イン"]);
        assert_eq!(wrapped("", 5), [""]);
    }

    #[test]
    fn untrusted_text_is_one_safe_line() {
        assert_eq!(clean("a\tb\x1b[2J\nc"), "a   b^[[2J⏎c");
    }

    proptest! {
        #[test]
        fn no_row_is_wider_than_asked_and_nothing_but_blanks_is_lost(text in "[a-z漢字 👍]{0,80}", cells in 2usize..20) {
            let rows = wrapped(&text, cells);
            for row in &rows {
                prop_assert!(width(row) <= cells, "{row:?}");
            }
            let squeeze = |s: &str| s.replace(' ', "");
            prop_assert_eq!(squeeze(&rows.concat()), squeeze(&text));
        }
    }
}
