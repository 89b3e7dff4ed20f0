//! Source lines as rows: indents, light styling, wrapping.

use std::borrow::Cow;

use crate::app::window::line::Line;
use crate::app::window::text::{Row, Run, Tone, clean};
use crate::base::{clip, width};
use crate::domain::NoticeLevel;

use super::source::{LineKind, Source};

/// The rows of one source line at this width; at least one.
pub(super) fn rows(source: &Source<'_>, cells: usize) -> Vec<Row> {
    match source {
        Source::Call { open, tool, action, outcome } => vec![call(*open, tool, action, outcome, cells)],
        other => line(other).rows(cells),
    }
}

/// A source line before it is wrapped. A call, which is cut to one row on the screen, stands here whole.
pub(super) fn line(source: &Source<'_>) -> Line {
    match source {
        Source::Blank => Line::default(),
        Source::Note(tone, text) => Line::new("  ", 2, vec![run(*tone, text)]),
        Source::Diff(diff) => diff.line(),
        Source::Call { open, tool, action, outcome } => {
            let begin = vec![run(Tone::Text, &format!("{tool} ")), run(Tone::Strong, &format!("{action}  "))];
            let right = begin.iter().map(|run| run.text.len()).sum();
            let mut line = Line::new(mark(*open), 4, begin);
            line.runs.push(run(outcome.0, &outcome.1));
            Line { tone: Tone::Dim, right: Some(right), ..line }
        }
        Source::Line(kind, text) => match kind {
            LineKind::Prompt => Line { tone: Tone::Accent, ..Line::new("› ", 2, vec![run(Tone::Strong, text)]) },
            LineKind::PromptMore => Line::new("  ", 2, vec![run(Tone::Strong, text)]),
            LineKind::Output => Line::new("    ", 4, vec![run(Tone::Dim, text)]),
            LineKind::Notice(level) => {
                let (tone, glyph) = notice(*level);
                Line { tone, ..Line::new(glyph, 4, vec![run(tone, text)]) }
            }
            LineKind::NoticeMore(level) => Line::new("    ", 4, vec![run(notice(*level).0, text)]),
        },
    }
}

/// What stands before a call: whether what it folds away is shown.
const fn mark(open: Option<bool>) -> &'static str {
    if matches!(open, Some(true)) { "  ▾ " } else { "  ▸ " }
}

const fn notice(level: NoticeLevel) -> (Tone, &'static str) {
    match level {
        NoticeLevel::Info => (Tone::Dim, "  · "),
        NoticeLevel::Warning => (Tone::Warn, "  ! "),
        NoticeLevel::Error => (Tone::Bad, "  ✗ "),
    }
}

fn run(tone: Tone, text: &str) -> Run {
    Run::new(tone, clean(text).into_owned())
}

/// `  ▸ edit src/login.rs                 +18 −2`
fn call(open: Option<bool>, tool: &str, action: &str, outcome: &(Tone, Cow<'_, str>), cells: usize) -> Row {
    let right = clip(&clean(&outcome.1), cells / 2);
    let tool = clip(&clean(tool), 12);
    let room = cells.saturating_sub(4 + width(&tool) + 1 + width(&right) + 3);
    let action = clip(&clean(action), room);
    let gap = cells.saturating_sub(4 + width(&tool) + 1 + width(&action) + width(&right) + 1);
    Row(vec![
        Run::new(Tone::Dim, mark(open).to_owned()),
        Run::new(Tone::Text, format!("{tool} ")),
        Run::new(Tone::Strong, action),
        Run::new(Tone::Dim, " ".repeat(gap)),
        Run::new(outcome.0, right),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_one_row_of_the_full_width() {
        let row = call(None, "edit", "src/漢字/login.rs", &(Tone::Dim, "+18 −2".into()), 30);
        assert_eq!(row.width(), 29);
        let narrow = call(Some(true), "edit", "src/a/very/long/path/login.rs", &(Tone::Dim, "+18 −2".into()), 24);
        assert!(narrow.width() <= 24, "{narrow:?}");
    }
}
