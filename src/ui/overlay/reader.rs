//! Long texts: help, output, diffs, whole approvals, a configuration to be trusted.

use crate::app::window::text::{Run, Tone, clean, wrap};
use crate::app::window::{Reader, ReaderKind, TrustDialog};
use crate::domain::ApprovalState;

use super::frame;
use crate::ui::canvas::Canvas;
use crate::ui::view::Scene;

/// Rows of a frame and its keys that are not text.
const FRAME: u16 = 4;

pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>, reader: &Reader) {
    let title = match reader.kind {
        ReaderKind::Diff(lane) => format!("{}: {}", scene.state.model.name(lane), reader.title),
        _ => reader.title.clone(),
    };
    let open = match reader.kind {
        ReaderKind::Approval(id) => scene.state.model.approvals.get(&id).is_some_and(|a| a.state == ApprovalState::Pending),
        _ => false,
    };
    let keys: &[(&str, &str)] = if open {
        &[("y", "once"), ("s", "session"), ("a", "always"), ("n", "deny"), ("e", "edit"), ("Esc", "close")]
    } else {
        &[("Esc", "close"), ("j k", "scroll"), ("Space", "page"), ("g G", "ends"), ("y", "copy")]
    };
    text(canvas, scene, reader, &title, keys, &[]);
}

pub(super) fn trust(canvas: &mut Canvas<'_>, scene: &Scene<'_>, dialog: &TrustDialog) {
    let words = [
        "This project brings its own configuration. It can run commands and",
        "choose servers, so it counts only if you trust exactly this text:",
    ];
    let keys = [("y", "trust it"), ("n", "do not use it"), ("j k", "scroll")];
    text(canvas, scene, &dialog.reader, &format!("trust {}?", dialog.reader.title), &keys, &words);
}

fn text(canvas: &mut Canvas<'_>, scene: &Scene<'_>, reader: &Reader, title: &str, keys: &[(&str, &str)], words: &[&str]) {
    let size = scene.window.size;
    let longest = reader.lines.iter().map(|(_, line)| crate::base::width(line)).max().unwrap_or(0);
    let wide = (longest.clamp(60, 110) as u16 + 2).min(size.columns.saturating_sub(6));
    let above = if words.is_empty() { 0 } else { words.len() as u16 + 1 };
    let high = (reader.lines.len() as u16 + above).clamp(6, size.rows.saturating_sub(FRAME + 2).max(6));
    let inside = frame(canvas, scene, (wide, high), title, keys);
    for (word, y) in words.iter().zip(inside.y..) {
        canvas.text(inside.x, y, inside.width, word, Tone::Text);
    }
    let body = inside.below(above);
    let mut y = body.y;
    let mut shown = reader.top;
    'lines: for (tone, line) in reader.lines.iter().skip(reader.top) {
        for row in wrap(&[Run { tone: *tone, text: clean(line).into_owned() }], usize::from(body.width)) {
            if y >= body.y + body.height {
                break 'lines;
            }
            canvas.row(body.x, y, body.width, &row);
            y += 1;
        }
        shown += 1;
    }
    if shown < reader.lines.len() || reader.top > 0 {
        let place = format!("{}–{} of {}", reader.top + 1, shown, reader.lines.len());
        canvas.right(inside.x + inside.width, inside.y + inside.height + 1, 24, &place, Tone::Dim);
    }
}
