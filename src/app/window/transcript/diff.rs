//! A unified diff as lines with their numbers.

use crate::app::window::line::Line;
use crate::app::window::text::{Run, Tone, clean, cut_at, diff_tone};

/// Bytes of a line that are shown at most.
const LONGEST: usize = 8 * 1024;

/// A line of a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffLine<'a> {
    /// Its number: in the new text, or in the old one where it is taken away. None for what only describes.
    number: Option<usize>,
    /// Cells for numbers.
    gutter: usize,
    text: &'a str,
}

impl DiffLine<'_> {
    /// Drawn with its number before it.
    pub(super) fn line(&self) -> Line {
        let number = self.number.map(|number| number.to_string()).unwrap_or_default();
        let lead = format!("    {number:>width$} ", width = self.gutter);
        let more = " ".repeat(self.gutter + 7);
        let text = &self.text[..cut_at(self.text, LONGEST)];
        let runs = vec![Run::new(diff_tone(text), clean(text).into_owned())];
        Line::led(&lead, &more, Tone::Dim, runs)
    }
}

/// Whether a line only names the files.
pub(super) fn heads(line: &str) -> bool {
    line.starts_with("--- ") || line.starts_with("+++ ")
}

/// The first lines of a diff, so many of them.
pub(super) fn numbered(diff: &str, most: usize) -> impl Iterator<Item = DiffLine<'_>> {
    let lines = || diff.lines().filter(|line| !heads(line)).take(most);
    let last = lines().filter_map(hunk).map(|(old, new)| old.max(new)).max().unwrap_or(0) + most.min(999);
    let gutter = last.to_string().len().max(2);
    let (mut old, mut new) = (None, None);
    let step = |at: &mut Option<usize>| {
        let number = *at;
        *at = at.map(|at| at + 1);
        number
    };
    lines().map(move |text| {
        let number = match text.as_bytes().first() {
            Some(b'@') => {
                (old, new) = hunk(text).map_or((None, None), |(old, new)| (Some(old), Some(new)));
                None
            }
            Some(b'+') => step(&mut new),
            Some(b'-') => step(&mut old),
            Some(b'\\') => None,
            _ => {
                step(&mut old);
                step(&mut new)
            }
        };
        DiffLine { number, gutter, text }
    })
}

/// Where a hunk begins in the old and in the new text: `@@ -40,4 +41,5 @@`.
fn hunk(line: &str) -> Option<(usize, usize)> {
    let mut words = line.strip_prefix("@@ ")?.split(' ');
    let mut number = |sign: char| {
        let word = words.next()?.strip_prefix(sign)?;
        word.split(',').next()?.parse().ok()
    };
    Some((number('-')?, number('+')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_the_number_of_the_text_they_stand_in() {
        let diff = "--- a/x\n+++ b/x\n@@ -9,3 +9,3 @@ fn main\n same\n-old\n+new\n+more\n last\n@@ -200 +201 @@\n-a\n+b\n\\ No newline";
        let lines: Vec<_> = numbered(diff, 99).map(|line| (line.number, line.text)).collect();
        assert_eq!(
            lines,
            [
                (None, "@@ -9,3 +9,3 @@ fn main"),
                (Some(9), " same"),
                (Some(10), "-old"),
                (Some(10), "+new"),
                (Some(11), "+more"),
                (Some(12), " last"),
                (None, "@@ -200 +201 @@"),
                (Some(200), "-a"),
                (Some(201), "+b"),
                (None, "\\ No newline"),
            ]
        );
    }
}
