//! The mouse: a click puts a lane in focus, types into a pane, chooses a tab; the wheel scrolls.

use jiff::Timestamp;

use crate::app::State;
use crate::domain::{LaneId, MouseButton, MouseEvent, MouseKind};

use super::focus::{self, is_pane, typed_into};
use super::geometry::{Rect, lane_rows, layout, pane_area, tiles};
use super::scroll::{self, Later, NOTCH};
use super::{Board, Keyboard, Overlay, Tab, WindowAction, WindowState, send};

/// Presses at one place within this time count as one double or triple click, in milliseconds.
const QUICK: i64 = 400;

/// A press of the left button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Click {
    /// Where.
    pub event: MouseEvent,
    at: Timestamp,
    /// How often in quick succession, from 1 to 3.
    pub count: u8,
    /// Whether the button is still down.
    pub held: bool,
}

/// Counts clicks.
fn count(window: &mut WindowState, event: MouseEvent, now: Timestamp) {
    match event.kind {
        MouseKind::Down(MouseButton::Left) => {
            let again = window.click.filter(|last| {
                let near = last.event.row == event.row && last.event.column.abs_diff(event.column) <= 1;
                near && now.duration_since(last.at).as_millis() <= i128::from(QUICK)
            });
            let count = again.map_or(1, |last| last.count % 3 + 1);
            window.click = Some(Click { event, at: now, count, held: true });
        }
        MouseKind::Up(MouseButton::Left) => {
            if let Some(click) = &mut window.click {
                click.held = false;
            }
        }
        _ => {}
    }
}

/// Handles a mouse event.
pub(super) fn mouse(state: &State, window: &mut WindowState, event: MouseEvent, now: Timestamp) -> Vec<WindowAction> {
    count(window, event, now);
    let clicks = window.click.map_or(1, |click| click.count);
    if scroll::wait(window, Later::Mouse(event, clicks)) {
        return Vec::new();
    }
    let wheel = match event.kind {
        MouseKind::WheelUp => -(NOTCH as i32),
        MouseKind::WheelDown => NOTCH as i32,
        _ => 0,
    };
    if let Some(overlay) = &mut window.overlay {
        let (reader, above) = match overlay {
            Overlay::Reader(reader) | Overlay::Board(Board { detail: Some(reader), .. }) => (reader, 0),
            Overlay::Trust(dialog) => (&mut dialog.reader, super::TRUST_ROWS),
            _ => return Vec::new(),
        };
        let body = reader.body(window.size, above);
        reader.scroll(wheel, body);
        return Vec::new();
    }
    if scroll::draws(window) {
        return scroll::mouse(state, window, event, clicks);
    }
    let areas = layout(state, window);
    let (column, row) = (event.column, event.row);
    let click = event.kind == MouseKind::Down(MouseButton::Left);
    if let Some(area) = areas.panel.filter(|area| area.contains(column, row)) {
        if click {
            let tab = if row == area.y { tab_at(state, window.panel.tab, column - area.x, area.width) } else { None };
            return send::open_tab(window, tab.unwrap_or(window.panel.tab));
        }
        return Vec::new();
    }
    if let Some(area) = areas.lanes.filter(|area| area.contains(column, row)) {
        let rows = lane_rows(state, window, area);
        let hit = rows.iter().find(|r| row >= r.y && row < r.y + r.height).map(|r| r.lane);
        return match hit {
            Some(lane) if click => focus::focus(state, window, lane),
            _ => Vec::new(),
        };
    }
    if areas.prompt.contains(column, row) && click {
        window.end_scroll_mode();
        window.keyboard = Keyboard::Prompt;
        return Vec::new();
    }
    if !areas.main.contains(column, row) {
        return Vec::new();
    }
    if window.grid {
        let hit = tiles(state, window, areas.main).into_iter().find(|t| t.area.contains(column, row));
        return match hit {
            Some(tile) if click => focus::focus(state, window, tile.lane),
            _ => Vec::new(),
        };
    }
    let Some(lane) = window.focus else { return Vec::new() };
    if window.scroll.is_some() {
        window.keyboard = Keyboard::Scroll;
        return scroll::mouse(state, window, event, clicks);
    }
    if is_pane(state, lane) {
        return in_pane(state, window, lane, pane_area(&areas), event);
    }
    if wheel == 0 { scroll::unwanted(state, window, event) } else { scroll::by(state, window, wheel) }
}

const LEFT: MouseButton = MouseButton::Left;

/// A click types into the pane; everything else is the program's, if it asked for the mouse. Who carries
/// the event out knows whether it did, and gives it back if not. With Shift it is ours.
fn in_pane(state: &State, window: &mut WindowState, lane: LaneId, area: Rect, event: MouseEvent) -> Vec<WindowAction> {
    if !area.contains(event.column, event.row) {
        return Vec::new();
    }
    let left = matches!(event.kind, MouseKind::Down(LEFT) | MouseKind::Drag(LEFT) | MouseKind::Up(LEFT));
    if left && event.modifiers.shift {
        return scroll::unwanted(state, window, event);
    }
    let was = typed_into(state, window) == Some(lane);
    if !was && matches!(event.kind, MouseKind::Down(_)) {
        focus::type_into(state, window);
    }
    let inside = MouseEvent { column: event.column - area.x, row: event.row - area.y, ..event };
    vec![WindowAction::PaneMouse(lane, inside)]
}

/// The words of a tab in the panel's first row.
#[must_use]
pub fn tab_label(state: &State, tab: Tab, shown: Tab) -> String {
    let name = if tab == shown { tab.name().to_uppercase() } else { tab.name().to_owned() };
    match tab.count(state) {
        0 => name,
        count => format!("{name} {count}"),
    }
}

/// Where each tab's words begin, and the words, cut where the panel is narrow: the shown tab is never cut.
#[must_use]
pub fn tab_labels(state: &State, shown: Tab, width: u16) -> Vec<(u16, Tab, String)> {
    let room = usize::from(width.saturating_sub(1));
    let mut labels: Vec<String> = Tab::ALL.iter().map(|tab| tab_label(state, *tab, shown)).collect();
    let total =
        |labels: &[String], gap: usize| labels.iter().map(String::len).sum::<usize>() + gap * (labels.len() - 1);
    let gap = if total(&labels, 3) <= room {
        3
    } else if total(&labels, 2) <= room {
        2
    } else {
        1
    };
    for at in (0..labels.len()).rev() {
        if total(&labels, gap) <= room {
            break;
        }
        // A name that is hardly longer than its beginning stays whole.
        if Tab::ALL[at] != shown && Tab::ALL[at].name().len() > 5 {
            let count = Tab::ALL[at].count(state);
            let short = &Tab::ALL[at].name()[..4];
            labels[at] = if count == 0 { format!("{short}.") } else { format!("{short}. {count}") };
        }
    }
    let mut x = 1;
    labels
        .into_iter()
        .zip(Tab::ALL)
        .map(|(label, tab)| {
            let at = x;
            x += (label.len() + gap) as u16;
            (at, tab, label)
        })
        .collect()
}

fn tab_at(state: &State, shown: Tab, column: u16, width: u16) -> Option<Tab> {
    let labels = tab_labels(state, shown, width);
    labels.into_iter().find(|(at, _, label)| column >= *at && column <= at + label.len() as u16).map(|(_, tab, _)| tab)
}
