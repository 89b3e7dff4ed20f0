//! The prompt bar: where Enter sends the text, the text, and ways to complete it.

use crate::app::window::text::Tone;
use crate::app::window::{Keyboard, Popup, Rect, key_label, target, target_width};
use crate::base::width;
use crate::domain::CursorShape;

use super::canvas::Canvas;
use super::view::{Caret, Scene};

/// Completions shown at once.
const OFFERS: u16 = 8;

/// Draws it; where its cursor stands.
pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>) -> Caret {
    let area = scene.areas.prompt;
    let window = scene.window;
    canvas.clear(area, canvas.theme.base());
    let typed_into = scene.types_into_pane();
    let arrow = if typed_into { Tone::Dim } else { Tone::Accent };
    let used = canvas.text(1, area.y, 2, "→ ", arrow);
    canvas.text(1 + used, area.y, 20, &target(scene.state, window), arrow);
    let x = target_width(scene.state, window);
    let room = area.width.saturating_sub(x + 1);
    if window.draft.is_empty() {
        let lead = key_label(scene.state.settings.leader);
        let words = match window.keyboard {
            Keyboard::Pane if room < 44 => format!("{lead} Esc returns here"),
            Keyboard::Pane => format!("keys go to the pane · {lead} Esc returns here"),
            Keyboard::Ended if room < 40 => "ended · Esc returns here".to_owned(),
            Keyboard::Ended => "the program has ended · Esc returns here".to_owned(),
            Keyboard::Panel => "keys go to the panel · Esc returns here".to_owned(),
            Keyboard::Scroll => "scrolled back · Esc ends".to_owned(),
            Keyboard::Prompt if window.focus.is_none() => "/lane new api makes your first lane".to_owned(),
            Keyboard::Prompt if room < 54 => "type a prompt, / for commands".to_owned(),
            Keyboard::Prompt => "type a prompt, / for commands, @lane to send elsewhere".to_owned(),
        };
        canvas.text(x, area.y, room, &words, Tone::Dim);
        return Caret { at: (x, area.y), visible: true, shape: CursorShape::default() };
    }
    let view = window.draft.view(room, area.height);
    let tone = if typed_into { Tone::Dim } else { Tone::Text };
    for (row, y) in view.rows.iter().zip(area.y..) {
        canvas.text(x, y, room + 1, &row.text, tone);
    }
    if view.more.0 {
        canvas.text(area.width - 1, area.y, 1, "↑", Tone::Dim);
    }
    if view.more.1 {
        canvas.text(area.width - 1, area.y + area.height - 1, 1, "↓", Tone::Dim);
    }
    if let Some(popup) = window.popup.as_ref().filter(|_| window.keyboard == Keyboard::Prompt) {
        offers(canvas, popup, x, area);
    }
    let at = (x + view.cursor.0, area.y + view.cursor.1);
    Caret { at, visible: true, shape: CursorShape::default() }
}

/// The completions, above the prompt bar, under the word that they complete.
fn offers(canvas: &mut Canvas<'_>, popup: &Popup, x: u16, prompt: Rect) {
    let count = (popup.items.len() as u16).min(OFFERS).min(prompt.y.saturating_sub(3));
    if count == 0 {
        return;
    }
    let chosen = popup.chosen.unwrap_or(0);
    let first = chosen.saturating_sub(usize::from(count) - 1);
    let shown = popup.items.iter().enumerate().skip(first).take(usize::from(count));
    let word = popup.items.iter().map(|i| width(&i.text)).max().unwrap_or(0).min(32) as u16;
    let about = popup.items.iter().map(|i| width(&i.about)).max().unwrap_or(0) as u16;
    let start = popup.items.first().map_or(0, |i| i.range.start as u16);
    let wide = (word + about + 7).min(prompt.width.saturating_sub(2));
    let left = (x + start).saturating_sub(3).min(prompt.width.saturating_sub(wide + 1));
    let top = prompt.y.saturating_sub(1 + count);
    let area = Rect { x: left, y: top, width: wide, height: count };
    canvas.clear(area, canvas.theme.raised());
    for ((at, item), y) in shown.zip(top..) {
        let on = popup.chosen == Some(at);
        let (mark, tone) = if on { ("▸ ", Tone::Accent) } else { ("  ", Tone::Strong) };
        canvas.text(left + 1, y, 2, mark, Tone::Accent);
        canvas.text(left + 3, y, word, &item.text, tone);
        canvas.text(left + 5 + word, y, wide.saturating_sub(word + 6), &item.about, Tone::Dim);
    }
    let rest = popup.items.len() - usize::from(count);
    if rest > 0 {
        canvas.right(left + wide - 1, top, 10, &format!("+{rest}"), Tone::Dim);
    }
}
