//! Where everything stands in a window: one pure answer for drawing, mouse and pane sizes.

use crate::app::State;
use crate::base::{clip, width};
use crate::domain::{Lane, LaneId, LaneKind, Prompt, PromptState, Size, WindowId};
use crate::protocol::WindowHello;

use super::{Keyboard, WindowState, hint_lines};

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "named after what they are")]
pub struct Rect {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

impl Rect {
    /// Whether the cell is inside.
    #[must_use]
    pub const fn contains(&self, column: u16, row: u16) -> bool {
        column >= self.x && column < self.x + self.width && row >= self.y && row < self.y + self.height
    }

    /// Without one column on either side.
    #[must_use]
    pub fn inset(self) -> Self {
        Self { x: self.x + 1, width: self.width.saturating_sub(2), ..self }
    }

    /// Without this many rows at the top.
    #[must_use]
    pub fn below(self, rows: u16) -> Self {
        let rows = rows.min(self.height);
        Self { y: self.y + rows, height: self.height - rows, ..self }
    }
}

/// How much room there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breadth {
    /// 120 columns and more: list, main area and panel side by side.
    Wide,
    /// 80 to 119: list and main area; the panel opens over the main area.
    Middle,
    /// Under 80: one column.
    Narrow,
}

/// The places of a window's parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Areas {
    /// How much room there is.
    pub breadth: Breadth,
    /// The header line.
    pub header: Rect,
    /// The rule below the header, or the lane strip in one column.
    pub top: Rect,
    /// The lane list.
    pub lanes: Option<Rect>,
    /// The main area, with the rows that a long draft takes from its end.
    pub main: Rect,
    /// The side panel.
    pub panel: Option<Rect>,
    /// A hint for a newcomer.
    pub hint: Option<Rect>,
    /// The rule above the prompt bar; also shows the question that waits.
    pub rule: Rect,
    /// The prompt bar.
    pub prompt: Rect,
    /// The status line.
    pub status: Rect,
    /// Rows of the main area that a long draft covers.
    pub covered: u16,
}

/// Where Enter sends the text of the prompt bar, in words.
#[must_use]
pub fn target(state: &State, window: &WindowState) -> String {
    let line = window.draft.first_line();
    let focused = || window.focus.map(|lane| state.model.name(lane));
    let words = match line.as_bytes().first() {
        Some(b'/') => "command".to_owned(),
        Some(b'!') => focused().map_or_else(|| "no lane yet".to_owned(), |name| format!("shell in {name}")),
        Some(b'@') => match line[1..].split(char::is_whitespace).next().unwrap_or("") {
            "all" => "all lanes".to_owned(),
            name if state.model.lane_named(name).is_some() => name.to_owned(),
            _ => "which lane?".to_owned(),
        },
        _ => focused().unwrap_or_else(|| "no lane yet".to_owned()),
    };
    clip(&words, 20)
}

/// Cells before the draft in the prompt bar: the target and blanks.
#[must_use]
pub fn target_width(state: &State, window: &WindowState) -> u16 {
    u16::try_from(width(&target(state, window))).unwrap_or(20) + 5
}

/// The places of everything in a window.
#[must_use]
pub fn layout(state: &State, window: &WindowState) -> Areas {
    let (columns, rows) = (window.size.columns, window.size.rows);
    let row = |y: u16, height: u16| Rect { x: 0, y, width: columns, height };
    let breadth = match columns {
        120.. => Breadth::Wide,
        80..120 => Breadth::Middle,
        _ => Breadth::Narrow,
    };
    let hint_rows = if rows >= 16 { hint_lines(window, columns).len() as u16 } else { 0 };
    let body = rows.saturating_sub(5 + hint_rows);
    let most = (body / 2).clamp(1, 10);
    let room = columns.saturating_sub(target_width(state, window) + 1);
    let prompt_rows = window.draft.height(room, most);
    let covered = prompt_rows - 1;
    let list = match (breadth, window.zoom) {
        (_, true) | (Breadth::Narrow, _) => 0,
        (Breadth::Wide, _) if columns >= 160 => 28,
        _ => 22,
    };
    let side = match (breadth, window.zoom) {
        (Breadth::Wide, false) if columns >= 160 => 52,
        (Breadth::Wide, false) => 42,
        _ => 0,
    };
    let left = if list > 0 { list + 1 } else { 0 };
    let right = if side > 0 { side + 1 } else { 0 };
    let whole = Rect { x: left, y: 2, width: columns.saturating_sub(left + right), height: body };
    let panel = if side > 0 {
        Some(Rect { x: columns - side, y: 2, width: side, height: body - covered })
    } else {
        window.panel.open.then_some(Rect { height: body - covered, ..whole })
    };
    let base = 2 + body - covered;
    Areas {
        breadth,
        header: row(0, 1),
        top: row(1, 1),
        lanes: (list > 0).then_some(Rect { x: 0, y: 2, width: list, height: body - covered }),
        main: Rect { height: body - covered, ..whole },
        panel,
        hint: (hint_rows > 0).then_some(row(base, hint_rows)),
        rule: row(base + hint_rows, 1),
        prompt: row(base + hint_rows + 1, prompt_rows),
        status: row(rows.saturating_sub(1), 1),
        covered,
    }
}

/// One lane's row in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneRow {
    /// The lane.
    pub lane: LaneId,
    /// Its number.
    pub number: usize,
    /// Its first row on the screen.
    pub y: u16,
    /// How many rows it has: two, or one where there are many lanes.
    pub height: u16,
}

/// The lanes that the list shows, below its title. Scrolls so that the lane in focus is visible.
#[must_use]
pub fn lane_rows(state: &State, window: &WindowState, area: Rect) -> Vec<LaneRow> {
    let room = usize::from(area.height.saturating_sub(1));
    let all = state.model.open_lanes().count();
    let height: usize = if all * 2 <= room { 2 } else { 1 };
    let fits = (room / height).max(1);
    let focus = window.focus.and_then(|lane| state.model.number(lane)).unwrap_or(1) - 1;
    let first = if all <= fits { 0 } else { focus.saturating_sub(fits / 2).min(all - fits) };
    let shown = state.model.open_lanes().enumerate().skip(first).take(fits);
    shown
        .zip(0u16..)
        .map(|((number, lane), place)| LaneRow {
            lane: lane.id,
            number: number + 1,
            y: area.y + 1 + place * height as u16,
            height: height as u16,
        })
        .collect()
}

/// One lane's place in the grid: its header line and what is below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// The lane.
    pub lane: LaneId,
    /// Its header line and body.
    pub area: Rect,
}

impl Tile {
    /// Below the header line.
    #[must_use]
    pub fn body(&self) -> Rect {
        self.area.below(1)
    }
}

/// The tiles of the grid, as many as have room; the lane in focus is among them. A tile's right
/// neighbour stands one column away, for the rule between them. Where not all have room the last row stays free, for
/// the words that say so.
#[must_use]
pub fn tiles(state: &State, window: &WindowState, area: Rect) -> Vec<Tile> {
    let lanes: Vec<&Lane> = state.model.open_lanes().collect();
    let most_across = (usize::from(area.width) / 38).max(1);
    let most_down = |height: u16| (usize::from(height) / 5).max(1);
    let across = (1..=most_across).find(|n| n * n >= lanes.len()).unwrap_or(most_across);
    let whole = across * most_down(area.height) >= lanes.len();
    let area = Rect { height: area.height.saturating_sub(u16::from(!whole)), ..area };
    let down = lanes.len().div_ceil(across).clamp(1, most_down(area.height));
    let fits = across * down;
    let focus = lanes.iter().position(|l| Some(l.id) == window.focus).unwrap_or(0);
    // The last page is as full as the others.
    let first = (focus / fits * fits).min(lanes.len().saturating_sub(fits));
    let (wide, high) = (area.width / across as u16, area.height / down as u16);
    let place = |(i, lane): (usize, &&Lane)| {
        let (column, row) = ((i % across) as u16, (i / across) as u16);
        let last_column = usize::from(column) + 1 == across;
        let last_row = usize::from(row) + 1 == down;
        let width = if last_column { area.width - column * wide } else { wide - 1 };
        let height = if last_row { area.height - row * high } else { high };
        Tile { lane: lane.id, area: Rect { x: area.x + column * wide, y: area.y + row * high, width, height } }
    };
    lanes.iter().skip(first).take(fits).enumerate().map(place).collect()
}

/// The lines of a lane's header in the main area.
pub const LANE_HEADER: u16 = 2;
/// Rows from which on the main area has room for a blank line around a transcript.
const ROOMY: u16 = 14;
/// Rows below a transcript for what waits in the queue, at most.
const QUEUE_ROWS: u16 = 4;

/// Rows that the queue of an agent's lane takes below its transcript, with a blank one above if there is room.
#[must_use]
pub fn queue_rows(state: &State, lane: LaneId, height: u16) -> u16 {
    let waiting = state.model.queue(lane).iter().filter(|p| !p.state.active()).count()
        + usize::from(failed_last(state, lane).is_some());
    let rows = u16::try_from(waiting).unwrap_or(QUEUE_ROWS).min(QUEUE_ROWS);
    if height < ROOMY {
        rows.min(1)
    } else if rows > 0 {
        rows + 1
    } else {
        0
    }
}

/// The prompt that failed last, while nothing came after it: it can be retried.
#[must_use]
pub fn failed_last(state: &State, lane: LaneId) -> Option<&Prompt> {
    let failed = state.model.last_ended(lane).filter(|p| p.state == PromptState::Failed)?;
    state.model.active_prompt(lane).is_none().then_some(failed)
}

/// Where the transcript of the lane in focus stands.
#[must_use]
pub fn transcript_area(state: &State, window: &WindowState) -> Rect {
    let main = layout(state, window).main;
    let mut area = main.below(if main.height >= ROOMY { LANE_HEADER + 1 } else { LANE_HEADER }).inset();
    if let Some(lane) = window.focus {
        area.height = area.height.saturating_sub(queue_rows(state, lane, main.height));
    }
    area
}

/// Where the pane of the lane in focus stands. A long draft covers its last rows, so that typing does
/// not change its size.
#[must_use]
pub fn pane_area(areas: &Areas) -> Rect {
    let below = areas.main.below(LANE_HEADER);
    Rect { height: below.height + areas.covered, ..below }
}

/// The size that a lane's pane will have in a window that is about to attach with that lane in focus.
#[must_use]
pub fn pane_to_come(state: &State, hello: &WindowHello, lane: LaneId) -> Option<Size> {
    let mut window = WindowState::new(hello.clone());
    window.focus = Some(lane);
    let area = pane_area(&layout(state, &window));
    (!window.too_small()).then_some(Size { columns: area.width.max(1), rows: area.height.max(1) })
}

/// Where the text of the lane in focus stands while it is scrolled through.
#[must_use]
pub fn scroll_area(state: &State, window: &WindowState) -> Rect {
    if window.focus.is_some_and(|lane| super::focus::is_pane(state, lane)) {
        return layout(state, window).main.below(LANE_HEADER);
    }
    transcript_area(state, window)
}

/// The panes that a window shows, and the size each has there.
#[must_use]
pub fn visible_panes(state: &State, window: WindowId) -> Vec<(LaneId, Size)> {
    let Some(window) = state.windows.get(&window) else { return Vec::new() };
    if window.too_small() {
        return Vec::new();
    }
    let areas = layout(state, window);
    let is_pane = |lane: LaneId| state.model.lanes.get(&lane).is_some_and(|l| matches!(l.kind, LaneKind::Pane { .. }));
    let size = |area: Rect| Size { columns: area.width.max(1), rows: area.height.max(1) };
    if window.grid {
        let area = Rect { height: areas.main.height + areas.covered, ..areas.main };
        let tiles = tiles(state, window, area);
        let panes = tiles.iter().filter(|t| is_pane(t.lane)).map(|tile| {
            // A look disturbs no program: only who types into a tile has its program drawn for it.
            let typed = window.keyboard == Keyboard::Pane && window.focus == Some(tile.lane);
            let kept = state.pane_sizes.get(&tile.lane).copied().filter(|_| !typed);
            let whole = if typed { tile.body() } else { pane_area(&areas) };
            (tile.lane, kept.unwrap_or_else(|| size(whole)))
        });
        return panes.collect();
    }
    let lane = window.focus.filter(|lane| is_pane(*lane));
    lane.map(|lane| (lane, size(pane_area(&areas)))).into_iter().collect()
}
