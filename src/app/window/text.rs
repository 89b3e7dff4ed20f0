//! Rows of text with a meaning instead of a colour, wrapped in cells.
//!
//! Untrusted text passes [`clean`] before it becomes a [`Run`]; `ui` gives each [`Tone`] its colours.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

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
    /// Code in an answer, and what has no colour of its own in it.
    Code,
    /// Said with emphasis.
    Emphasis,
    /// Crossed out.
    Struck,
    /// What leads somewhere.
    Link,
    /// Rules, bars and the like.
    Rule,
    /// In code: a word of the language.
    Keyword,
    /// In code: a text.
    Literal,
    /// In code: a number or a constant.
    Number,
    /// In code: a comment.
    Comment,
    /// In code: what is called or defined here.
    Name,
    /// In code: a type, a tag, a section.
    Kind,
}

/// A piece of text of one tone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// What it means.
    pub tone: Tone,
    /// The text, already clean.
    pub text: String,
    /// Where it leads. Untrusted.
    pub link: Option<Arc<str>>,
}

impl Run {
    /// Text, already clean, that leads nowhere.
    #[must_use]
    pub const fn new(tone: Tone, text: String) -> Self {
        Self { tone, text, link: None }
    }
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
            self.0.push(Run::new(tone, clean(text).into_owned()));
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

/// Where a text is cut into rows of at most so many cells: the bytes of each row, together the whole text.
///
/// At blanks where there are any, if `words`: the blank at which a row is cut hangs at that row's end and may
/// reach over its edge. A glyph is never cut. At least one row.
#[must_use]
pub fn breaks(text: &str, cells: usize, words: bool) -> Vec<Range<usize>> {
    let cells = cells.max(1);
    let ascii = text.is_ascii();
    if ascii && text.len() <= cells {
        return std::iter::once(0..text.len()).collect();
    }
    if ascii && !words {
        return (0..text.len()).step_by(cells).map(|at| at..(at + cells).min(text.len())).collect();
    }
    let mut rows = Vec::new();
    let (mut start, mut used) = (0, 0);
    // Behind the row's last blank that has a word before it; whether a word has begun.
    let (mut cut, mut solid) = (None, false);
    for (at, grapheme) in text.grapheme_indices(true) {
        let wide = cells_of(grapheme);
        let blank = words && grapheme == " ";
        if used + wide > cells && at > start {
            let next = match cut {
                _ if blank => at + 1,
                Some(behind) => behind,
                None => at,
            };
            rows.push(start..next);
            start = next;
            (cut, solid) = (None, false);
            if blank {
                used = 0;
                continue;
            }
            used = text[start..at].graphemes(true).map(cells_of).sum();
            solid = start < at;
        }
        used += wide;
        if !blank {
            solid = true;
        } else if solid {
            cut = Some(at + 1);
        }
    }
    if start < text.len() || rows.is_empty() {
        rows.push(start..text.len());
    }
    rows
}

/// Cells of a grapheme that stands for itself: one that has no width gets a cell all the same, so that a cursor can
/// stand on it.
#[must_use]
pub fn cells_of(grapheme: &str) -> usize {
    width(grapheme).max(1)
}

/// Wraps runs into rows of at most `cells` cells, at blanks where there are any. At least one row.
#[must_use]
pub fn wrap(runs: &[Run], cells: usize) -> Vec<Row> {
    let cells = cells.max(1);
    if runs.iter().map(|run| width(&run.text)).sum::<usize>() <= cells {
        return vec![Row(runs.to_vec())];
    }
    let text: String = runs.iter().map(|run| run.text.as_str()).collect();
    let rows = breaks(&text, cells, true);
    let last = rows.len() - 1;
    let row = |(number, row): (usize, Range<usize>)| {
        let row_text = &text[row.clone()];
        let hangs = row_text.ends_with(' ') && (number < last || width(row_text) > cells);
        cut(runs, row.start..row.end - usize::from(hangs))
    };
    rows.into_iter().enumerate().map(row).collect()
}

/// These bytes of runs that stand one behind the other.
fn cut(runs: &[Run], bytes: Range<usize>) -> Row {
    let mut row = Row::default();
    let mut at = 0;
    for run in runs {
        let (from, to) = (bytes.start.max(at), bytes.end.min(at + run.text.len()));
        if from < to {
            row.0.push(Run { text: run.text[from - at..to - at].to_owned(), link: run.link.clone(), tone: run.tone });
        }
        at += run.text.len();
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
        wrap(&[Run::new(Tone::Text, text.to_owned())], cells).iter().map(Row::text).collect()
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
        assert_eq!(wrapped("abcd ", 4), ["abcd"], "the blank at the end hangs, too");
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

        #[test]
        fn rows_are_the_whole_text_and_only_a_blank_hangs_over(
            text in "[a-z漢字 👍]{0,80}",
            cells in 2usize..20,
            words in any::<bool>(),
        ) {
            let rows = breaks(&text, cells, words);
            prop_assert_eq!(rows.iter().map(|row| &text[row.clone()]).collect::<String>(), text.clone());
            for row in rows {
                let row = &text[row];
                let hangs = usize::from(words && row.ends_with(' '));
                prop_assert!(width(row) <= cells + hangs, "{row:?}");
            }
        }
    }
}
