//! Scrolling back: by the page and the wheel from anywhere, and a mode with vi keys, search, selection and links.
//!
//! The mode works on a [`ScrollText`], which is frozen when it begins: what a pane had shown and shows, or what
//! was said in a lane. The lane goes on meanwhile. A pane's text has to be asked for; what is typed until it comes
//! waits for it. Each window has a mode and a place of its own.
//!
//! A transcript that is scrolled without the mode is anchored to a row, so that new lines do not move it.

mod links;
mod mode;
mod motion;
mod page;
mod pointer;
mod search;
mod select;
mod stand;
mod text;

use crate::app::State;
use crate::base::Report;
use crate::domain::{Key, KeyCode, LaneId, MouseEvent, MouseKind, PaneText};

use super::focus::is_pane;
use super::geometry::scroll_area;
use super::transcript::Transcript;
use super::{Keyboard, WindowAction, WindowState, transcript_area};

pub use links::Link;
pub(super) use links::addresses;
pub use mode::{ScrollMode, Typing};
pub use page::{Glyph, Page, RowAt};
pub(super) use pointer::{NOTCH, Pointer};
pub use search::{Hit, Search};
pub use select::{Extent, Selection};
pub use stand::Stand;
pub use text::{Paint, Place, ScrollText};

/// Bytes that terminals take onto the clipboard at most.
pub(super) const TERMINAL_CLIPBOARD: usize = 1024 * 1024;
/// Keys and moves of the mouse that wait for a pane's text at most.
const LATER: usize = 256;

/// A pane's text has been asked for.
#[derive(Debug)]
pub(super) struct Asked {
    lane: LaneId,
    /// The mode is to end once it has done what it was begun for.
    brief: bool,
    /// Who had the keys.
    back: Keyboard,
    /// What came until now.
    later: Vec<Later>,
}

/// What waits for a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Later {
    Key(Key),
    /// The mouse in the window, and how often its button was pressed in quick succession.
    Mouse(MouseEvent, u8),
    /// The text is to be opened in an editor.
    Edit,
    /// These words are to be searched, and shown where they stand in this line.
    Find(String, u64),
}

/// Begins the mode in the lane in focus, with the search line open or not.
pub(super) fn enter(state: &State, window: &mut WindowState, search: bool) -> Vec<WindowAction> {
    let first = search.then_some(Later::Key(Key::char('/')));
    begin(state, window, false, first.into_iter().collect())
}

/// Opens the text of the lane in focus in an editor.
pub(super) fn edit(state: &State, window: &mut WindowState) -> Vec<WindowAction> {
    if let Some(mode) = &window.scroll {
        return vec![mode.edit()];
    }
    begin(state, window, true, vec![Later::Edit])
}

/// Begins the mode in the lane in focus and does this in it.
pub(super) fn begin(state: &State, window: &mut WindowState, brief: bool, first: Vec<Later>) -> Vec<WindowAction> {
    let Some(lane) = window.focus else {
        window.say(Report::refused("there is nothing to scroll yet").hint("make a lane first: `/lane new api`"));
        return Vec::new();
    };
    if window.scroll.is_some() {
        return first.into_iter().flat_map(|later| act(state, window, later)).collect();
    }
    if window.asked.is_some() {
        return Vec::new();
    }
    let typed = matches!(window.keyboard, Keyboard::Pane | Keyboard::Ended);
    let back = if typed { Keyboard::Pane } else { Keyboard::Prompt };
    window.panel.open = false;
    window.grid = false;
    if is_pane(state, lane) {
        window.asked = Some(Asked { lane, brief, back, later: first });
        return vec![WindowAction::PaneText(lane)];
    }
    let anchor = window.scrolled.get(&lane).copied();
    let area = scroll_area(state, window);
    let transcript = Transcript::new(state, lane, area.width, &window.folds);
    transcript.want_older();
    let text = ScrollText::transcript(&transcript);
    if text.last().is_none() {
        window.say(Report::refused("nothing was said in this lane yet"));
        return Vec::new();
    }
    let page = Page::new(&text, area.width, area.height);
    let mut stand = Stand::at_end(&page);
    if let Some(line) = anchor.and_then(|at| text.find(at)) {
        stand.stand_on(&page, line);
    }
    window.keyboard = Keyboard::Scroll;
    window.scroll = Some(ScrollMode::new(lane, text, stand, back, brief));
    first.into_iter().flat_map(|later| act(state, window, later)).collect()
}

/// A pane's text has come, or cannot be had. What was typed meanwhile is done now.
pub(super) fn arrived(
    state: &State,
    window: &mut WindowState,
    lane: LaneId,
    text: Result<PaneText, Report>,
) -> Vec<WindowAction> {
    let Some(asked) = window.asked.take_if(|asked| asked.lane == lane) else { return Vec::new() };
    if window.focus != Some(lane) {
        return Vec::new();
    }
    let text = match text.map(ScrollText::pane) {
        Ok(text) if text.last().is_some() => text,
        Ok(_) => {
            window.say(Report::refused("the pane has shown nothing yet"));
            return Vec::new();
        }
        Err(report) => {
            window.say(report);
            return Vec::new();
        }
    };
    let area = scroll_area(state, window);
    let stand = Stand::at_end(&Page::new(&text, area.width, area.height));
    window.keyboard = Keyboard::Scroll;
    window.scroll = Some(ScrollMode::new(lane, text, stand, asked.back, asked.brief));
    asked.later.into_iter().flat_map(|later| act(state, window, later)).collect()
}

/// Entries before this one have come into a lane's transcript: they stand above what is frozen.
pub(super) fn older(state: &State, window: &mut WindowState, lane: LaneId, before: u64) {
    let area = scroll_area(state, window);
    let Some(mode) = window.scroll.as_mut().filter(|mode| mode.lane == lane) else { return };
    let transcript = Transcript::new(state, lane, area.width, &window.folds);
    if mode.text.first_entry() == Some(before) {
        transcript.want_older();
        mode.text.prepend(before, transcript.freeze_to(before));
        if !mode.search.is_off() {
            mode.search = Search::new(&mode.text, &mode.search.words, mode.search.down);
        }
    }
}

/// Keeps what comes while a pane's text is awaited. False when none is.
pub(super) fn wait(window: &mut WindowState, later: Later) -> bool {
    let Some(asked) = &mut window.asked else { return false };
    if asked.later.len() < LATER {
        asked.later.push(later);
    }
    true
}

/// Does what has waited.
fn act(state: &State, window: &mut WindowState, later: Later) -> Vec<WindowAction> {
    match later {
        Later::Key(pressed) => key(state, window, pressed),
        Later::Mouse(event, clicks) => mouse(state, window, event, clicks),
        Later::Find(words, line) => {
            let area = scroll_area(state, window);
            if let Some(mode) = &mut window.scroll {
                mode.find_in((area.width, area.height), &words, line);
            }
            Vec::new()
        }
        Later::Edit => {
            let Some(mode) = &window.scroll else { return Vec::new() };
            let (edit, brief) = (mode.edit(), mode.brief);
            if brief {
                leave(window);
            }
            vec![edit]
        }
    }
}

/// Scrolls the lane in focus by rows; negative is back. A pane is scrolled in the mode.
pub(super) fn by(state: &State, window: &mut WindowState, delta: i32) -> Vec<WindowAction> {
    let Some(lane) = window.focus else { return Vec::new() };
    if is_pane(state, lane) {
        let up = Later::Key(Key::plain(KeyCode::PageUp));
        return if delta < 0 { begin(state, window, false, vec![up]) } else { Vec::new() };
    }
    let area = transcript_area(state, window);
    let transcript = Transcript::new(state, lane, area.width, &window.folds);
    match transcript.scrolled(window.scrolled.get(&lane).copied(), delta, usize::from(area.height)) {
        Some(top) => {
            window.scrolled.insert(lane, top);
        }
        None => {
            window.scrolled.remove(&lane);
        }
    }
    Vec::new()
}

/// Rows of one page of the lane in focus.
pub(super) fn page(state: &State, window: &WindowState) -> i32 {
    i32::from(scroll_area(state, window).height.saturating_sub(2).max(1))
}

/// A key in the mode.
pub(super) fn key(state: &State, window: &mut WindowState, key: Key) -> Vec<WindowAction> {
    let area = scroll_area(state, window);
    let Some(mode) = &mut window.scroll else {
        window.keyboard = Keyboard::Prompt;
        return Vec::new();
    };
    let outcome = mode.key((area.width, area.height), key);
    come_of(state, window, outcome)
}

/// The mouse in the mode, in the window's cells.
pub(super) fn mouse(state: &State, window: &mut WindowState, event: MouseEvent, clicks: u8) -> Vec<WindowAction> {
    let area = scroll_area(state, window);
    let Some(mode) = &mut window.scroll else { return Vec::new() };
    let pointer = Pointer {
        kind: event.kind,
        x: i32::from(event.column) - i32::from(area.x),
        y: i32::from(event.row) - i32::from(area.y),
        ctrl: event.modifiers.ctrl,
        shift: event.modifiers.shift,
        clicks,
    };
    let outcome = mode.pointer((area.width, area.height), pointer);
    come_of(state, window, outcome)
}

/// Whether the mouse is drawing a selection: then it may leave the text.
pub(super) fn draws(window: &WindowState) -> bool {
    window.scroll.as_ref().is_some_and(|mode| mode.drag.is_some())
}

/// The mouse over a lane's text that nobody else wants: the wheel, a drag, a click on a word, on a line or with Ctrl
/// on a link begin the mode.
pub(super) fn unwanted(state: &State, window: &mut WindowState, event: MouseEvent) -> Vec<WindowAction> {
    use crate::domain::MouseButton::Left;
    let clicks = window.click.map_or(1, |click| click.count);
    // What was pressed elsewhere selects nothing here.
    let area = scroll_area(state, window);
    let inside = window.click.is_some_and(|click| area.contains(click.event.column, click.event.row));
    match event.kind {
        MouseKind::Down(_) | MouseKind::Drag(_) if !inside => Vec::new(),
        MouseKind::WheelUp => begin(state, window, false, vec![Later::Mouse(event, clicks)]),
        MouseKind::Down(Left) if event.modifiers.ctrl || clicks > 1 => {
            begin(state, window, true, vec![Later::Mouse(event, clicks)])
        }
        MouseKind::Drag(Left) => match window.click.filter(|click| click.held) {
            Some(click) => {
                let down = MouseEvent { kind: MouseKind::Down(Left), ..click.event };
                begin(state, window, true, vec![Later::Mouse(down, click.count), Later::Mouse(event, clicks)])
            }
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn come_of(state: &State, window: &mut WindowState, outcome: mode::Outcome) -> Vec<WindowAction> {
    if let Some(report) = outcome.say {
        window.say(report);
    }
    if let Some(which) = outcome.unfold {
        unfold(state, window, which);
    }
    if outcome.leave {
        leave(window);
    }
    outcome.actions
}

/// Ends the mode; who had the keys before has them again.
pub(super) fn leave(window: &mut WindowState) {
    let back = window.scroll.as_ref().map(|mode| mode.back);
    window.end_scroll_mode();
    window.keyboard = back.unwrap_or_default();
}

/// Opens or closes folds of a transcript.
fn unfold(state: &State, window: &mut WindowState, which: mode::Unfold) {
    let Some(mode) = &window.scroll else { return };
    match which {
        mode::Unfold::All => window.folds.turn_all(),
        mode::Unfold::One(seq) => window.folds.turn(mode.lane, seq),
    }
    freeze_anew(state, window);
}

/// A transcript whose window has another width is laid out for it: its tables fit one width. To be called before a
/// frame is drawn.
pub(super) fn fit(state: &State, window: &mut WindowState) {
    let Some(laid) = window.scroll.as_ref().and_then(|mode| mode.text.cells()) else { return };
    if laid != scroll_area(state, window).width {
        freeze_anew(state, window);
    }
}

/// A transcript looks otherwise now; the cursor stays at its line.
fn freeze_anew(state: &State, window: &mut WindowState) {
    let area = scroll_area(state, window);
    let Some(mode) = &mut window.scroll else { return };
    if is_pane(state, mode.lane) {
        return;
    }
    let at = mode.text.position(mode.stand.cursor.line);
    let transcript = Transcript::new(state, mode.lane, area.width, &window.folds);
    mode.text = ScrollText::transcript(&transcript);
    mode.mark = None;
    mode.search = Search::new(&mode.text, &mode.search.words, mode.search.down);
    let page = Page::new(&mode.text, area.width, area.height);
    let line = at.and_then(|at| mode.text.find(at)).or(mode.text.last());
    mode.stand = Stand::at_end(&page);
    mode.stand.show(&page, Place { line: line.unwrap_or(0), byte: 0 });
}

#[cfg(test)]
mod tests;
