//! A frozen text that is scrolled through: its rows in view, what is found and selected, and the cursor.

use std::sync::Arc;

use ratatui::style::{Modifier, Style};

use crate::app::window::transcript::Memo;
use crate::app::window::{Glyph, Paint, Rect, RowAt, ScrollMode, ScrollPage};
use crate::base::width;
use crate::domain::CursorShape;

use super::canvas::Canvas;
use super::pane;
use super::view::Caret;

/// The cursor of scroll-back mode: a steady block.
const BLOCK: CursorShape = CursorShape(2);

/// Draws the rows in view. Where the cursor stands.
pub(super) fn draw(canvas: &mut Canvas<'_>, mode: &ScrollMode, memo: &Memo, area: Rect) -> Option<Caret> {
    let page = ScrollPage::new(&mode.text, area.width, area.height);
    let selection = mode.selection(&page);
    let ground = canvas.theme.base();
    let chosen = canvas.theme.raised().remove_modifier(Modifier::REVERSED);
    let cursor = page.row_of(mode.stand.cursor);
    let mut caret = None;
    canvas.clear(area, ground);
    for ((at, bytes), y) in page.view(mode.stand.top_row(&page)).into_iter().zip(area.y..) {
        let (tone, lead) = mode.text.lead(at.line, at.row);
        canvas.text(area.x, y, area.width, lead, tone);
        let text = mode.text.line(at.line);
        let (paints, hits) = (mode.text.paints(at.line, memo), mode.search.of_line(at.line));
        let links = mode.text.links(at.line);
        let empty = bytes.is_empty();
        for glyph in page.glyphs(at.line, at.row, bytes) {
            let byte = glyph.bytes.start;
            let mut style =
                paints.iter().find(|(range, _)| range.contains(&byte)).map_or(ground, |(_, paint)| match paint {
                    Paint::Tone(tone) => ground.patch(canvas.theme.tone(*tone)),
                    Paint::Cell(cell) => pane::style(*cell, ground),
                });
            if let Some(hit) = hits.iter().find(|hit| hit.bytes.contains(&byte)) {
                style = style.patch(canvas.theme.found(hit.start() == mode.stand.cursor));
            }
            if selection.is_some_and(|selection| selection.has(at, &glyph)) {
                style = style.patch(chosen);
            }
            put(canvas, (area, y), &glyph, &text[glyph.bytes.clone()], style);
            if let Some((_, target)) = links.iter().find(|(bytes, _)| bytes.contains(&byte)) {
                link(canvas, (area, y), &glyph, target);
            }
        }
        if empty && selection.is_some_and(|selection| selection.has_empty(at)) {
            canvas.tint(Rect { x: area.x, y, width: 1, height: 1 }, chosen);
        }
        if at == cursor {
            caret = Some(caret_at(mode, &page, at, area, y));
        }
    }
    caret
}

fn caret_at(mode: &ScrollMode, page: &ScrollPage<'_>, at: RowAt, area: Rect, y: u16) -> Caret {
    debug_assert_eq!(at.line, mode.stand.cursor.line);
    let x = page.column(mode.stand.cursor).min(usize::from(area.width.saturating_sub(1)));
    Caret { at: (area.x + x as u16, y), visible: true, shape: BLOCK }
}

/// One character, never half of it: what the edge would cut is left out.
fn put(canvas: &mut Canvas<'_>, (area, y): (Rect, u16), glyph: &Glyph, text: &str, style: Style) {
    if glyph.x + glyph.width > usize::from(area.width) {
        return;
    }
    for x in glyph.x..glyph.x + glyph.width {
        let Some(cell) = canvas.buffer.cell_mut((area.x + x as u16, y)) else { return };
        cell.reset();
        cell.set_style(style);
        if x == glyph.x {
            pane::symbol(cell, if width(text) == 0 { " " } else { text }, glyph.width > 1);
        }
    }
}

/// Lays a link under a character.
fn link(canvas: &mut Canvas<'_>, (area, y): (Rect, u16), glyph: &Glyph, target: &Arc<str>) {
    if glyph.x + glyph.width <= usize::from(area.width) {
        canvas.link(area.x + glyph.x as u16, y, glyph.width as u16, target);
    }
}

/// `scroll-back · 1,234 lines back`
pub(super) fn told(mode: &ScrollMode, area: Rect) -> String {
    let page = ScrollPage::new(&mode.text, area.width, area.height);
    let lines = match mode.back(&page) {
        0 => "at the end".to_owned(),
        1 => "1 line back".to_owned(),
        many => format!("{} lines back", grouped(many)),
    };
    format!("scroll-back · {lines}")
}

/// A number with a comma between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
