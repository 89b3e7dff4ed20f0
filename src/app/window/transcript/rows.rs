//! Source lines as rows: indents, light styling, wrapping.

use std::borrow::Cow;

use crate::app::window::text::{Row, Run, Tone, clean, diff_tone, wrap};
use crate::base::{clip, width};
use crate::domain::NoticeLevel;

use super::source::{LineKind, Source};

/// The rows of one source line at this width; at least one.
pub(super) fn rows(source: &Source<'_>, cells: usize) -> Vec<Row> {
    match source {
        Source::Blank => vec![Row::default()],
        Source::Note(tone, text) => hang("  ", "  ", vec![run(*tone, text)], cells),
        Source::Call { tool, action, outcome } => vec![call(tool, action, outcome, cells)],
        Source::Line(kind, text) => match kind {
            LineKind::Prompt => hang_toned(Tone::Accent, "› ", "  ", vec![run(Tone::Strong, text)], cells),
            LineKind::PromptMore => hang("  ", "  ", vec![run(Tone::Strong, text)], cells),
            LineKind::Prose => prose(text, cells),
            LineKind::Code => hang("  ", "    ", vec![run(Tone::Code, text)], cells),
            LineKind::Diff => hang("    ", "      ", vec![run(diff_tone(text), text)], cells),
            LineKind::Output => hang("    ", "    ", vec![run(Tone::Dim, text)], cells),
            LineKind::Notice(level) => {
                let (tone, glyph) = notice(*level);
                hang_toned(tone, glyph, "    ", vec![run(tone, text)], cells)
            }
            LineKind::NoticeMore(level) => hang("    ", "    ", vec![run(notice(*level).0, text)], cells),
        },
    }
}

const fn notice(level: NoticeLevel) -> (Tone, &'static str) {
    match level {
        NoticeLevel::Info => (Tone::Dim, "  · "),
        NoticeLevel::Warning => (Tone::Warn, "  ! "),
        NoticeLevel::Error => (Tone::Bad, "  ✗ "),
    }
}

fn run(tone: Tone, text: &str) -> Run {
    Run { tone, text: clean(text).into_owned() }
}

fn hang(first: &str, more: &str, runs: Vec<Run>, cells: usize) -> Vec<Row> {
    hang_toned(Tone::Text, first, more, runs, cells)
}

/// Wraps runs with one indent for the first row and another for the rest.
fn hang_toned(tone: Tone, first: &str, more: &str, runs: Vec<Run>, cells: usize) -> Vec<Row> {
    let room = cells.saturating_sub(width(first).max(width(more)));
    let mut rows = wrap(&runs, room);
    for (i, row) in rows.iter_mut().enumerate() {
        let indent = if i == 0 { first } else { more };
        row.0.insert(0, Run { tone, text: indent.to_owned() });
    }
    rows
}

/// `  ▸ edit src/login.rs                 +18 −2`
fn call(tool: &str, action: &str, outcome: &(Tone, Cow<'_, str>), cells: usize) -> Row {
    let right = clip(&clean(&outcome.1), cells / 2);
    let tool = clip(&clean(tool), 12);
    let room = cells.saturating_sub(4 + width(&tool) + 1 + width(&right) + 3);
    let action = clip(&clean(action), room);
    let gap = cells.saturating_sub(4 + width(&tool) + 1 + width(&action) + width(&right) + 1);
    Row(vec![
        Run { tone: Tone::Dim, text: "  ▸ ".to_owned() },
        Run { tone: Tone::Text, text: format!("{tool} ") },
        Run { tone: Tone::Strong, text: action },
        Run { tone: Tone::Dim, text: " ".repeat(gap) },
        Run { tone: outcome.0, text: right },
    ])
}

/// A line of an answer: headings, bold and code words, and lists whose rows stay aligned.
fn prose(text: &str, cells: usize) -> Vec<Row> {
    let text = clean(text);
    let trimmed = text.trim_start();
    let lead = text.len() - trimmed.len();
    if trimmed.starts_with('#') && trimmed.trim_start_matches('#').starts_with(' ') {
        return hang(
            "  ",
            "  ",
            vec![Run { tone: Tone::Strong, text: trimmed.trim_start_matches('#').trim().to_owned() }],
            cells,
        );
    }
    let marker = marker(trimmed);
    let first = format!("  {}{}", " ".repeat(lead.min(16)), &trimmed[..marker]);
    let more = " ".repeat(width(&first));
    hang(&first, &more, inline(&trimmed[marker..]), cells)
}

/// Bytes of a list marker (`- `, `* `, `12. `) at the start of a line.
fn marker(line: &str) -> usize {
    if line.starts_with("- ") || line.starts_with("* ") {
        return 2;
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=3).contains(&digits) && line[digits..].starts_with(". ") { digits + 2 } else { 0 }
}

/// `**bold**` and `` `code` `` become tones; marks without a partner stay as they are.
fn inline(text: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut rest = text;
    let mut plain = String::new();
    while let Some(at) = rest.find(['`', '*']) {
        let (before, mark) = rest.split_at(at);
        plain.push_str(before);
        let (open, tone) = if mark.starts_with("**") { ("**", Tone::Strong) } else { ("`", Tone::Code) };
        let inner =
            mark.strip_prefix(open).and_then(|inner| inner.split_once(open)).filter(|(inside, _)| !inside.is_empty());
        if let Some((inside, after)) = inner {
            if !plain.is_empty() {
                runs.push(Run { tone: Tone::Text, text: std::mem::take(&mut plain) });
            }
            runs.push(Run { tone, text: inside.to_owned() });
            rest = after;
        } else {
            // Both marks are ASCII, so one byte is one character.
            plain.push_str(&mark[..1]);
            rest = &mark[1..];
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() || runs.is_empty() {
        runs.push(Run { tone: Tone::Text, text: plain });
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_get_a_light_touch() {
        let runs = inline("run **all** `cargo test` 2 * 3 `open");
        let tones: Vec<_> = runs.iter().map(|r| (r.tone, r.text.as_str())).collect();
        assert_eq!(
            tones,
            [
                (Tone::Text, "run "),
                (Tone::Strong, "all"),
                (Tone::Text, " "),
                (Tone::Code, "cargo test"),
                (Tone::Text, " 2 * 3 `open")
            ]
        );
    }

    #[test]
    fn list_rows_stay_aligned() {
        let rows: Vec<_> = prose("- one two three", 11).iter().map(Row::text).collect();
        assert_eq!(rows, ["  - one two", "    three"]);
    }

    #[test]
    fn a_call_is_one_row_of_the_full_width() {
        let row = call("edit", "src/漢字/login.rs", &(Tone::Dim, "+18 −2".into()), 30);
        assert_eq!(row.width(), 29);
        let narrow = call("edit", "src/a/very/long/path/login.rs", &(Tone::Dim, "+18 −2".into()), 24);
        assert!(narrow.width() <= 24, "{narrow:?}");
    }
}
