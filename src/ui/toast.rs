//! A message for a while, above the prompt bar.

use crate::app::window::Rect;
use crate::app::window::text::{Row, Run, Tone, clean, wrap};

use super::canvas::Canvas;
use super::view::Scene;

/// Rows a message takes at most; the problems tab and `/problems` show the whole of what is longer.
const ROWS: usize = 10;

pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>) {
    let bottom = scene.areas.hint.map_or(scene.areas.rule.y, |hint| hint.y);
    draw_within(
        canvas,
        scene,
        Rect { x: 1, y: 2, width: scene.areas.rule.width.saturating_sub(2), height: bottom.saturating_sub(2) },
    );
}

/// The same in the lower right corner of an area.
pub(super) fn draw_within(canvas: &mut Canvas<'_>, scene: &Scene<'_>, room: Rect) {
    let Some(toast) = &scene.window.toast else { return };
    let (glyph, tone) = if toast.good() { ("✓ ", Tone::Good) } else { ("✗ ", Tone::Bad) };
    let wide = room.width.min(76);
    let cells = usize::from(wide).saturating_sub(6);
    let mut rows: Vec<Row> = Vec::new();
    let mut add = |lead: &str, tone: Tone, text_tone: Tone, text: &str| {
        for (i, line) in
            text.lines().flat_map(|l| wrap(&[Run::new(text_tone, clean(l).into_owned())], cells)).enumerate()
        {
            let mut row = Row::new(tone, if i == 0 { lead } else { "  " });
            row.0.extend(line.0);
            rows.push(row);
        }
    };
    add(glyph, tone, Tone::Strong, &toast.report.message);
    for hint in &toast.report.hints {
        add("→ ", Tone::Accent, Tone::Text, hint);
    }
    if rows.len() > ROWS {
        rows.truncate(ROWS - 1);
        rows.push(Row::new(Tone::Dim, "  …"));
    }
    let height = (rows.len() as u16).min(room.height);
    let wide = rows.iter().map(Row::width).max().unwrap_or(0) as u16 + 4;
    let wide = wide.min(room.width);
    let area = Rect { x: room.x + room.width - wide, y: room.y + room.height - height, width: wide, height };
    canvas.clear(area, canvas.theme.raised());
    for (row, y) in rows.iter().zip(area.y..area.y + height) {
        canvas.text(area.x, y, 1, "▌", tone);
        canvas.row(area.x + 2, y, wide.saturating_sub(3), row);
    }
}
