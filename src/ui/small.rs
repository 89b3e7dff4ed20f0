//! A window that is too small for anything else: that it is, and where the keys go.

use crate::app::State;
use crate::app::window::text::Tone;
use crate::app::window::{Taker, WindowState, taker, target};
use crate::base::{clip_start, width};
use crate::domain::CursorShape;

use super::canvas::Canvas;
use super::view::Caret;

/// Draws it; where the prompt bar's cursor stands, if that takes the keys.
pub(super) fn draw(canvas: &mut Canvas<'_>, state: &State, window: &WindowState, size: (u16, u16)) -> Option<Caret> {
    let (columns, rows) = size;
    let first = rows.saturating_sub(3) / 2;
    let centred = |text: &str| columns.saturating_sub(width(text) as u16) / 2;
    let words = "window too small";
    canvas.text(centred(words), first, columns, words, Tone::Text);
    let mut caret = None;
    if rows > 1 {
        caret = keys(canvas, state, window, first + 1, columns);
    }
    if rows > 2 {
        let need = format!("{columns}×{rows}, at least 40×10");
        canvas.text(centred(&need), first + 2, columns, &need, Tone::Dim);
    }
    caret
}

/// Where the keys go: the end of the draft, so that nobody types blindly, or in words.
fn keys(canvas: &mut Canvas<'_>, state: &State, window: &WindowState, y: u16, columns: u16) -> Option<Caret> {
    let words = match taker(state, window) {
        Taker::Pane(lane) => format!("keys go to {}", state.model.name(lane)),
        Taker::Nobody => "press Esc to type".to_owned(),
        Taker::Prompt => {
            let mut x = canvas.text(0, y, columns, "→ ", Tone::Accent);
            let target = target(state, window);
            // A narrow window shows what is typed rather than for whom.
            if columns > 4 * width(&target) as u16 {
                x += canvas.text(x, y, columns, &target, Tone::Accent) + 1;
            }
            let room = columns.saturating_sub(x + 1);
            let text = window.draft.text();
            let end = clip_start(text.lines().last().unwrap_or_default(), usize::from(room));
            x += canvas.text(x, y, room, &end, Tone::Text);
            return Some(Caret { at: (x, y), visible: true, shape: CursorShape::default() });
        }
    };
    canvas.text(columns.saturating_sub(width(&words) as u16) / 2, y, columns, &words, Tone::Dim);
    None
}
