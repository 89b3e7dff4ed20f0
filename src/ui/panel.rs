//! The side panel: approvals, conflicts, mail, problems, activity.

mod approvals;
mod conflicts;
mod lists;
mod mail;

use crate::app::window::text::{Row, Tone, wrap};
use crate::app::window::{Binding, Keyboard, Rect, Tab, key_label, tab_labels};

use super::canvas::Canvas;
use super::view::Scene;

/// One thing in a tab: its rows, and whether it is the chosen one.
pub(super) struct Item {
    pub(super) rows: Vec<Row>,
    pub(super) chosen: bool,
}

pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>, area: Rect) {
    let tab = scene.window.panel.tab;
    for (x, which, label) in tab_labels(scene.state, tab, area.width) {
        let waits = matches!(which, Tab::Approvals | Tab::Conflicts | Tab::Mail | Tab::Problems)
            && which.count(scene.state) > 0;
        let tone = match (which == tab, waits) {
            (true, _) => Tone::Accent,
            (false, true) => Tone::Warn,
            (false, false) => Tone::Dim,
        };
        canvas.text(area.x + x, area.y, area.width.saturating_sub(x), &label, tone);
    }
    let body = area.below(2);
    let cells = usize::from(body.width.saturating_sub(2));
    let items = match tab {
        Tab::Approvals => approvals::items(scene, cells),
        Tab::Conflicts => conflicts::items(scene, cells),
        Tab::Mail => mail::items(scene, cells, usize::from(body.height)),
        Tab::Problems => lists::problems(scene, cells),
        Tab::Activity => lists::activity(scene, cells, usize::from(body.height)),
    };
    if items.is_empty() {
        let rows = empty(tab);
        for (row, y) in rows.iter().flat_map(|r| wrap(&r.0, cells)).zip(body.y..body.y + body.height) {
            canvas.row(body.x + 1, y, body.width - 1, &row);
        }
        return;
    }
    stack(canvas, &items, body, scene.window.keyboard == Keyboard::Panel);
}

/// What an empty tab says.
fn empty(tab: Tab) -> Vec<Row> {
    let (what, then) = match tab {
        Tab::Approvals => ("No question waits for you.", "Agents ask here before they write a file or run a command."),
        Tab::Conflicts => ("No conflict.", "A prompt or write that meets another lane's hold waits here."),
        Tab::Mail => ("No mail.", "What lanes write to you stands here. `/say LANE TEXT` writes to them."),
        Tab::Problems => ("No problem.", "What goes wrong stands here, with what to do."),
        Tab::Activity => ("Nothing happened yet.", "What lanes do is listed here, newest first."),
    };
    vec![Row::new(Tone::Text, what), Row::new(Tone::Dim, then)]
}

/// Draws items one below the other, scrolled so that the chosen one is whole if it fits.
fn stack(canvas: &mut Canvas<'_>, items: &[Item], area: Rect, keys: bool) {
    let room = usize::from(area.height);
    let chosen = items.iter().position(|item| item.chosen).unwrap_or(0);
    let height = |item: &Item| item.rows.len();
    let mut first = chosen;
    let mut used = height(&items[chosen]);
    while first > 0 && used + height(&items[first - 1]) <= room {
        first -= 1;
        used += height(&items[first]);
    }
    let mut y = area.y;
    for (at, item) in items.iter().enumerate().skip(first) {
        for (i, row) in item.rows.iter().enumerate() {
            if y >= area.y + area.height {
                let rest = items.len() - at;
                canvas.clear(Rect { y: y - 1, height: 1, ..area }, canvas.theme.base());
                canvas.text(area.x + 1, y - 1, area.width - 1, &format!("… {rest} more below"), Tone::Dim);
                return;
            }
            canvas.row(area.x + 1, y, area.width.saturating_sub(1), row);
            if item.chosen && i == 0 && keys {
                canvas.tint(Rect { y, height: 1, ..area }, canvas.theme.selection());
            }
            y += 1;
        }
    }
}

/// The keys of a table, in rows of equal columns, without those that only move.
pub(super) fn key_rows(table: &[Binding], indent: &str, columns: usize) -> Vec<Row> {
    let shown: Vec<_> =
        table.iter().filter(|b| !b.words.is_empty() && !matches!(b.words, "next" | "previous" | "back")).collect();
    shown
        .chunks(columns)
        .map(|chunk| {
            chunk.iter().fold(Row::new(Tone::Dim, indent), |row, b| {
                row.with(Tone::Accent, &key_label(b.key)).with(Tone::Dim, &format!(" {:<9}", b.words))
            })
        })
        .collect()
}

/// A row with words at both ends.
pub(super) fn spread(left: Row, right: &str, cells: usize) -> Row {
    let room = cells.saturating_sub(crate::base::width(right) + 1);
    let mut row = Row::default();
    let mut used = 0;
    for run in left.0 {
        let text = crate::base::clip(&run.text, room.saturating_sub(used));
        used += crate::base::width(&text);
        row.0.push(crate::app::window::text::Run::new(run.tone, text));
    }
    row.with(Tone::Dim, &" ".repeat(room.saturating_sub(used) + 1)).with(Tone::Dim, right)
}
