//! The command palette and the lane picker: a line to type in, and what fits.

use crate::app::window::text::Tone;
use crate::app::window::{Draft, Found, LanePicker, Palette, Points, Rect, age};
use crate::domain::CursorShape;

use super::frame;
use crate::ui::canvas::Canvas;
use crate::ui::lanes::look;
use crate::ui::view::{Caret, Scene};

pub(super) fn palette(canvas: &mut Canvas<'_>, scene: &Scene<'_>, palette: &Palette) -> Caret {
    let high = 16.min(scene.window.size.rows.saturating_sub(6));
    let inside =
        frame(canvas, scene, (84, high), "commands", &[("Enter", "choose"), ("↑ ↓", "move"), ("Esc", "close")]);
    let caret = query(canvas, &palette.query, inside);
    let body = inside.below(2);
    let rows: Vec<_> = palette.rows().collect();
    if rows.is_empty() {
        canvas.text(body.x, body.y, body.width, "nothing fits", Tone::Dim);
    }
    let room = usize::from(body.height);
    let first = (palette.chosen + 1).saturating_sub(room);
    let title = rows.iter().map(|r| crate::base::width(&r.title)).max().unwrap_or(0).clamp(12, 24) as u16;
    for ((at, row), y) in rows.iter().enumerate().skip(first).take(room).zip(body.y..) {
        let on = at == palette.chosen;
        if on {
            canvas.tint(Rect { x: body.x - 1, y, width: body.width + 2, height: 1 }, canvas.theme.selection());
            canvas.text(body.x - 1, y, 1, "▌", Tone::Accent);
        }
        canvas.text(body.x + 1, y, title, &row.title, if on { Tone::Accent } else { Tone::Strong });
        let key = crate::base::width(&row.key) as u16;
        canvas.text(body.x + title + 3, y, body.width.saturating_sub(title + key + 5), &row.about, Tone::Dim);
        canvas.right(body.x + body.width - 1, y, key, &row.key, Tone::Dim);
    }
    count(canvas, inside, rows.len());
    caret
}

pub(super) fn picker(canvas: &mut Canvas<'_>, scene: &Scene<'_>, picker: &LanePicker) -> Caret {
    let lanes = picker.matches(scene.state);
    let most = 14.min(scene.window.size.rows.saturating_sub(6));
    let high = (lanes.len() as u16 + 2).max(5).min(most);
    let inside = frame(
        canvas,
        scene,
        (50, high),
        "which lane? number or part of its name",
        &[("Enter", "focus"), ("↑ ↓", "move"), ("Esc", "close")],
    );
    let caret = query(canvas, &picker.query, inside);
    let body = inside.below(2);
    if lanes.is_empty() {
        canvas.text(body.x, body.y, body.width, "no lane fits", Tone::Dim);
    }
    let room = usize::from(body.height);
    let first = (picker.chosen + 1).saturating_sub(room);
    for ((at, (number, _, name, state)), y) in lanes.iter().enumerate().skip(first).take(room).zip(body.y..) {
        let on = at == picker.chosen;
        if on {
            canvas.tint(Rect { x: body.x - 1, y, width: body.width + 2, height: 1 }, canvas.theme.selection());
            canvas.text(body.x - 1, y, 1, "▌", Tone::Accent);
        }
        let (glyph, tone) = look(state);
        canvas.right(body.x + 3, y, 3, &number.to_string(), Tone::Dim);
        canvas.text(body.x + 4, y, 1, glyph, tone);
        canvas.text(body.x + 6, y, body.width.saturating_sub(18), name, if on { Tone::Accent } else { Tone::Strong });
        canvas.right(body.x + body.width - 1, y, 10, state.word(), tone);
    }
    count(canvas, inside, lanes.len());
    caret
}

/// Where words stand in all lanes: one row a line, the lane's name before its first.
pub(super) fn found(canvas: &mut Canvas<'_>, scene: &Scene<'_>, found: &Found) {
    let most = 24.min(scene.window.size.rows.saturating_sub(6));
    let high = (found.places.len() as u16 + 1).max(5).min(most);
    let keys = [("Enter", "go there"), ("j k", "move"), ("Esc", "close")];
    let inside = frame(canvas, scene, (104, high), &format!("`{}` in all lanes", found.words), &keys);
    let room = usize::from(inside.height);
    let first = (found.chosen + 1).saturating_sub(room);
    let shown = found.places.iter().enumerate().skip(first).take(room);
    let mut above = None;
    for ((at, place), y) in shown.zip(inside.y..) {
        let on = at == found.chosen;
        if on {
            canvas.tint(Rect { x: inside.x - 1, y, width: inside.width + 2, height: 1 }, canvas.theme.selection());
            canvas.text(inside.x - 1, y, 1, "▌", Tone::Accent);
        }
        if above != Some(place.lane) {
            canvas.text(inside.x + 1, y, 14, &scene.state.model.name(place.lane), Tone::Strong);
            above = Some(place.lane);
        }
        let tone = if on { Tone::Accent } else { Tone::Text };
        canvas.text(inside.x + 17, y, inside.width.saturating_sub(18), &place.text, tone);
    }
    let told = match found.count {
        1 => "1 match".to_owned(),
        many => format!("{many} matches"),
    };
    canvas.right(inside.x + inside.width, inside.y + inside.height + 1, 24, &told, Tone::Dim);
}

/// A lane's checkpoints, the newest first: number, age, and the prompt that it stands before.
pub(super) fn points(canvas: &mut Canvas<'_>, scene: &Scene<'_>, points: &Points) {
    let most = 24.min(scene.window.size.rows.saturating_sub(6));
    let high = (points.all.len() as u16 + 1).max(5).min(most);
    let keys = [("Enter", "conversation and files"), ("c", "conversation"), ("f", "files"), ("Esc", "close")];
    let title = format!("rewind {} to before", scene.state.model.name(points.lane));
    let inside = frame(canvas, scene, (84, high), &title, &keys);
    let room = usize::from(inside.height);
    let first = (points.chosen + 1).saturating_sub(room);
    let shown = points.all.iter().enumerate().skip(first).take(room);
    for ((at, point), y) in shown.zip(inside.y..) {
        let on = at == points.chosen;
        if on {
            canvas.tint(Rect { x: inside.x - 1, y, width: inside.width + 2, height: 1 }, canvas.theme.selection());
            canvas.text(inside.x - 1, y, 1, "▌", Tone::Accent);
        }
        canvas.right(inside.x + 5, y, 5, &point.number.to_string(), Tone::Dim);
        canvas.right(inside.x + 12, y, 6, &age(point.at, scene.now), Tone::Dim);
        let tone = if on { Tone::Accent } else { Tone::Text };
        let words = if point.files { point.words.clone() } else { format!("(without files) {}", point.words) };
        canvas.text(inside.x + 14, y, inside.width.saturating_sub(15), &words, tone);
    }
}

/// The line that is typed.
fn query(canvas: &mut Canvas<'_>, draft: &Draft, inside: Rect) -> Caret {
    canvas.text(inside.x, inside.y, 2, "› ", Tone::Accent);
    let view = draft.view(inside.width.saturating_sub(3), 1);
    if let Some(row) = view.rows.first() {
        canvas.text(inside.x + 2, inside.y, inside.width - 2, &row.text, Tone::Text);
    }
    Caret { at: (inside.x + 2 + view.cursor.0, inside.y), visible: true, shape: CursorShape::default() }
}

fn count(canvas: &mut Canvas<'_>, inside: Rect, count: usize) {
    canvas.right(inside.x + inside.width, inside.y, 8, &count.to_string(), Tone::Dim);
}
