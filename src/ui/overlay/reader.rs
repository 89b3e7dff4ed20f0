//! Long texts: help, output, diffs, whole approvals, a configuration to be trusted.

use crate::app::Untrusted;
use crate::app::window::text::Tone;
use crate::app::window::{Reader, ReaderKind, Rect, TRUST_ROWS, TrustDialog, once_only, rows_of};
use crate::domain::{Approval, ApprovalState};

use super::frame;
use crate::ui::canvas::Canvas;
use crate::ui::view::Scene;

/// Draws it; gives the inside of its frame.
pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>, reader: &Reader) -> Rect {
    let title = match reader.kind {
        ReaderKind::Diff(lane) => format!("{}: {}", scene.state.model.name(lane), reader.title),
        _ => reader.title.clone(),
    };
    let open = match reader.kind {
        ReaderKind::Approval(id) => {
            scene.state.model.approvals.get(&id).is_some_and(|a| a.state == ApprovalState::Pending)
        }
        _ => false,
    };
    let each = match reader.kind {
        ReaderKind::Approval(id) => scene.state.model.approvals.get(&id).is_some_and(once_only),
        _ => false,
    };
    let two = match reader.kind {
        ReaderKind::Approval(id) => scene.state.model.approvals.get(&id).is_some_and(|approval| approval.needs > 1),
        _ => false,
    };
    let question = match reader.kind {
        ReaderKind::Approval(id) => scene.state.model.approvals.get(&id).is_some_and(Approval::is_question),
        _ => false,
    };
    let keys: &[(&str, &str)] = if open && question {
        &[("y", "answer"), ("n", "deny"), ("Esc", "close")]
    } else if open && two {
        &[("y", "yes"), ("n", "deny"), ("Esc", "close")]
    } else if open && each {
        &[("y", "once"), ("n", "deny"), ("e", "edit"), ("Esc", "close")]
    } else if open {
        &[("y", "once"), ("s", "session"), ("a", "always"), ("n", "deny"), ("e", "edit"), ("Esc", "close")]
    } else {
        &[("Esc", "close"), ("j k", "scroll"), ("Space", "page"), ("g G", "ends"), ("y", "copy")]
    };
    text(canvas, scene, reader, &title, keys, &[])
}

pub(super) fn trust(canvas: &mut Canvas<'_>, scene: &Scene<'_>, dialog: &TrustDialog) {
    let words = match dialog.what {
        Untrusted::Config { .. } => [
            "This project brings its own configuration. It can run commands, so",
            "it counts only if you trust exactly this text:",
        ],
        Untrusted::HookFiles => [
            "Your agents' hooks run these files of the repository, which are not",
            "trusted as they stand. They run only if you trust exactly this:",
        ],
    };
    let keys = [("y", "trust it"), ("n", "do not use it"), ("j k", "scroll")];
    let _inside = text(canvas, scene, &dialog.reader, &format!("trust {}?", dialog.reader.title), &keys, &words);
}

fn text(
    canvas: &mut Canvas<'_>,
    scene: &Scene<'_>,
    reader: &Reader,
    title: &str,
    keys: &[(&str, &str)],
    words: &[&str],
) -> Rect {
    let above = if words.is_empty() { 0 } else { TRUST_ROWS };
    let (cells, rows) = reader.body(scene.window.size, above);
    let inside = frame(canvas, scene, (cells, rows + above), title, keys);
    for (word, y) in words.iter().zip(inside.y..) {
        canvas.text(inside.x, y, inside.width, word, Tone::Text);
    }
    let body = inside.below(above);
    let mut y = body.y;
    let (top, hidden) = reader.top;
    let mut shown = top;
    'lines: for (at, (tone, line)) in reader.lines.iter().enumerate().skip(top) {
        for row in rows_of(*tone, line, body.width).into_iter().skip(if at == top { hidden } else { 0 }) {
            if y >= body.y + body.height {
                break 'lines;
            }
            canvas.row(body.x, y, body.width, &row);
            y += 1;
        }
        shown += 1;
    }
    if shown < reader.lines.len() || reader.top > (0, 0) {
        let place = format!("{}–{} of {}", top + 1, shown.max(top + 1), reader.lines.len());
        canvas.right(inside.x + inside.width, inside.y + inside.height + 1, 24, &place, Tone::Dim);
    }
    inside
}
