//! A pane's picture on the screen: every colour and attribute, cut at the edges, never half a glyph.

use std::num::NonZeroU16;
use std::sync::Arc;

use ratatui::buffer::{Buffer, Cell, CellDiffOption};
use ratatui::style::{Color, Modifier, Style};

use crate::base::{hidden, width};
use crate::domain::{CellStyle, Colour, PaneFrame, Underline};

use super::canvas::{Canvas, Place};
use super::link::Link;
use super::surface::{Extra, Extras, Rows};
use super::view::Caret;

/// What the links of one picture may take, in bytes of their targets: more, and a program that links every
/// cell somewhere else slows its window.
const LINKS: usize = 64 * 1024;

/// Rows of the picture down to the last one with something in it.
pub(super) fn used(frame: &PaneFrame) -> u16 {
    let last = frame.cells.rows().rposition(|row| row.iter().any(|cell| !cell.text.trim().is_empty()));
    last.map_or(0, |row| row as u16 + 1)
}

/// Draws the picture in its place. A picture of another size is cut or leaves blanks.
pub(super) fn draw(canvas: &mut Canvas<'_>, frame: &PaneFrame, place: Place) {
    canvas.lift(place.area);
    canvas.places.push(place);
    paint(canvas.buffer, canvas.extras, canvas.theme.base(), frame, place, &Rows::All);
}

/// Puts these rows of a window into the picture's cells.
pub(super) fn paint(
    buffer: &mut Buffer,
    extras: &mut Extras,
    ground: Style,
    frame: &PaneFrame,
    place: Place,
    rows: &Rows,
) {
    let Place { area, skip, .. } = place;
    let bounds = buffer.area;
    let columns = usize::from(frame.size.columns).max(1);
    let wide = usize::from(area.width.min(bounds.width.saturating_sub(area.x))).min(columns);
    let high = usize::from(area.height.min(bounds.height.saturating_sub(area.y)));
    let mut pen = Pen::new(ground, frame);
    let shown = frame.cells.rows().skip(usize::from(skip)).take(high).zip(area.y..);
    for (cells, y) in shown.filter(|(_, y)| rows.has(*y)) {
        let start = usize::from(y) * usize::from(bounds.width) + usize::from(area.x);
        let Some(targets) = buffer.content.get_mut(start..start + wide) else { return };
        for (column, (target, cell)) in targets.iter_mut().zip(cells).enumerate() {
            pen.take(cell.style, extras);
            target.fg = pen.foreground;
            target.bg = pen.background;
            target.modifier = pen.modifier;
            target.diff_option = CellDiffOption::None;
            let wide_one = cells.get(column + 1).is_some_and(|next| next.continuation);
            // The right half of a wide glyph stays empty; so does a wide glyph that the edge would cut.
            if cell.continuation || cell.style.hidden || wide_one && column + 1 == wide {
                target.set_symbol(" ");
            } else {
                symbol(target, &cell.text, wide_one);
            }
            if pen.extra > 0 {
                extras.put(start + column, pen.extra);
            }
        }
    }
}

/// The rows that a picture higher than its area is drawn without: its cursor is seen.
pub(super) fn hidden_rows(frame: &PaneFrame, height: u16) -> u16 {
    (frame.cursor.1 + 1).saturating_sub(height).min(frame.size.rows.saturating_sub(height))
}

/// Where the program's cursor stands on the screen.
pub(super) fn caret(frame: &PaneFrame, place: Place) -> Caret {
    let Place { area, skip, .. } = place;
    let x = area.x + frame.cursor.0.min(area.width.saturating_sub(1));
    let y = area.y + frame.cursor.1.saturating_sub(skip).min(area.height.saturating_sub(1));
    Caret { at: (x, y), visible: frame.cursor_visible, shape: frame.cursor_shape }
}

/// Sets what stands in a cell, in as many columns as the pane has given it, whatever the window's terminal would.
pub(super) fn symbol(target: &mut Cell, text: &str, wide: bool) {
    match text.as_bytes() {
        [] | b" " => {
            if target.symbol() != " " {
                target.set_symbol(" ");
            }
        }
        [byte] if !byte.is_ascii_control() && !wide => {
            target.set_symbol(text);
        }
        _ => {
            let shown = if text.chars().any(hidden) { "\u{fffd}" } else { text };
            target.set_symbol(shown);
            let columns = if wide { 2 } else { 1 };
            if width(shown) != usize::from(columns) {
                let columns = NonZeroU16::new(columns).unwrap_or(NonZeroU16::MIN);
                target.set_diff_option(CellDiffOption::ForcedWidth(columns));
            }
        }
    }
}

/// How the next cells are drawn: found out anew only where the style changes.
struct Pen<'a> {
    ground: (Color, Color),
    links: &'a [Arc<str>],
    /// What is left for links.
    budget: usize,
    style: Option<CellStyle>,
    foreground: Color,
    background: Color,
    modifier: Modifier,
    /// Its number; 0: none.
    extra: u32,
}

impl<'a> Pen<'a> {
    fn new(ground: Style, frame: &'a PaneFrame) -> Self {
        let (foreground, background) = (ground.fg.unwrap_or_default(), ground.bg.unwrap_or_default());
        Self {
            ground: (foreground, background),
            links: &frame.links,
            budget: LINKS,
            style: None,
            foreground,
            background,
            modifier: Modifier::empty(),
            extra: 0,
        }
    }

    fn take(&mut self, style: CellStyle, extras: &mut Extras) {
        if self.style == Some(style) {
            return;
        }
        self.style = Some(style);
        self.foreground = colour(style.foreground).unwrap_or(self.ground.0);
        self.background = colour(style.background).unwrap_or(self.ground.1);
        self.modifier = modifier(style);
        self.extra = self.extra(style).map_or(0, |extra| extras.add(extra));
    }

    fn extra(&mut self, style: CellStyle) -> Option<Extra> {
        let plain = matches!(style.underline, Underline::None | Underline::Single);
        if style.hidden || plain && style.underline_colour == Colour::Default && style.link.is_none() {
            return None;
        }
        let link = style.link.and_then(|id| self.links.get(usize::from(id.0)));
        let link = link.filter(|target| {
            let rest = self.budget.checked_sub(target.len());
            self.budget = rest.unwrap_or(self.budget);
            rest.is_some()
        });
        Some(Extra {
            underline: style.underline,
            colour: colour(style.underline_colour),
            link: link.and_then(Link::new),
        })
    }
}

/// How a cell is drawn on this ground, in what cells alone can hold.
pub(super) fn style(cell: CellStyle, ground: Style) -> Style {
    let mut style = ground.add_modifier(modifier(cell));
    if let Some(colour) = colour(cell.foreground) {
        style = style.fg(colour);
    }
    if let Some(colour) = colour(cell.background) {
        style = style.bg(colour);
    }
    style
}

fn modifier(style: CellStyle) -> Modifier {
    let attributes = [
        (style.bold, Modifier::BOLD),
        (style.dim, Modifier::DIM),
        (style.italic, Modifier::ITALIC),
        (style.underline != Underline::None, Modifier::UNDERLINED),
        (style.inverse, Modifier::REVERSED),
        (style.strikethrough, Modifier::CROSSED_OUT),
    ];
    let all = attributes.into_iter().filter(|(on, _)| *on).fold(Modifier::empty(), |all, (_, one)| all | one);
    // Of hidden text nothing shows but what is behind it.
    if style.hidden { all & Modifier::REVERSED } else { all }
}

const fn colour(colour: Colour) -> Option<Color> {
    match colour {
        Colour::Default => None,
        Colour::Indexed(index) => Some(Color::Indexed(index)),
        Colour::Rgb(r, g, b) => Some(Color::Rgb(r, g, b)),
    }
}
