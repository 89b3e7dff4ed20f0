//! Scrolling back: by the page and the wheel from anywhere, and a mode with vi keys, search and copying.
//!
//! A transcript that is scrolled back is anchored to a row, so that new lines do not move it. A pane
//! scrolls its own screen; this window only says how far.

use crate::app::State;
use crate::base::Report;
use crate::domain::{Key, KeyCode, LaneId};

use super::focus::is_pane;
use super::geometry::{layout, pane_area};
use super::keymap::{self, Deed};
use super::transcript::{Position, Transcript};
use super::{Draft, Keyboard, SCROLL, WindowAction, WindowState, transcript_area};

/// Scroll-back mode of one lane.
#[derive(Debug)]
pub struct ScrollMode {
    /// The lane.
    pub lane: LaneId,
    /// The row of the cursor; none in a pane.
    pub cursor: Option<Position>,
    /// Where the selection began.
    pub mark: Option<Position>,
    /// The words that were searched last.
    pub query: String,
    /// The words that are being typed.
    pub typing: Option<Draft>,
}

/// Begins the mode, with the search line open or not.
pub(super) fn enter(state: &State, window: &mut WindowState, search: bool) {
    let Some(lane) = window.focus else {
        window.say(Report::refused("there is nothing to scroll yet").hint("make a lane first: `/lane new api`"));
        return;
    };
    let mut cursor = None;
    if !is_pane(state, lane) {
        let (transcript, height) = transcript(state, window, lane);
        let rows = transcript.view(window.scrolled.get(&lane).copied(), height);
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            window.say(Report::refused("nothing was said in this lane yet"));
            return;
        };
        cursor = Some(last.0);
        window.scrolled.insert(lane, first.0);
    } else if search {
        window.say(no_pane("search"));
        return;
    }
    window.panel.open = false;
    window.keyboard = Keyboard::Scroll;
    window.scroll =
        Some(ScrollMode { lane, cursor, mark: None, query: String::new(), typing: search.then(|| Draft::field("")) });
}

fn no_pane(what: &str) -> Report {
    Report::refused(format!("a program's screen cannot be {}", if what == "search" { "searched" } else { "copied" }))
        .hint("most terminals select text while Shift is held")
}

fn transcript<'a>(state: &'a State, window: &WindowState, lane: LaneId) -> (Transcript<'a>, usize) {
    let area = transcript_area(state, window);
    (Transcript::new(state, lane, area.width, window.unfolded), usize::from(area.height))
}

/// Scrolls the lane in focus by rows; negative is back.
pub(super) fn by(state: &State, window: &mut WindowState, delta: i32) -> Vec<WindowAction> {
    let Some(lane) = window.focus else { return Vec::new() };
    if is_pane(state, lane) {
        return vec![WindowAction::PaneScroll(lane, -delta)];
    }
    let (transcript, height) = transcript(state, window, lane);
    match transcript.scrolled(window.scrolled.get(&lane).copied(), delta, height) {
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
    let pane = window.focus.is_some_and(|lane| is_pane(state, lane));
    let height = if pane { pane_area(&layout(state, window)).height } else { transcript_area(state, window).height };
    i32::from(height.saturating_sub(2).max(1))
}

/// A key in the mode.
pub(super) fn key(state: &State, window: &mut WindowState, key: Key) -> Vec<WindowAction> {
    let Some(mut mode) = window.scroll.take() else {
        window.keyboard = Keyboard::Prompt;
        return Vec::new();
    };
    if let Some(mut draft) = mode.typing.take() {
        match key.code {
            KeyCode::Esc => {}
            KeyCode::Enter => {
                mode.query = draft.text();
                find(state, window, &mut mode, false);
            }
            _ => {
                draft.key(key);
                mode.typing = Some(draft);
            }
        }
        window.scroll = Some(mode);
        return Vec::new();
    }
    let Some(deed) = keymap::find(SCROLL, key) else {
        window.scroll = Some(mode);
        return Vec::new();
    };
    if deed == Deed::Leave {
        window.scroll = Some(mode);
        let bottom =
            window.focus.filter(|lane| is_pane(state, *lane)).map(|lane| WindowAction::PaneScroll(lane, i32::MIN));
        window.end_scroll_mode();
        return bottom.into_iter().collect();
    }
    let actions = if mode.cursor.is_some() {
        in_transcript(state, window, &mut mode, deed)
    } else {
        in_pane(state, window, mode.lane, deed)
    };
    window.scroll = Some(mode);
    actions
}

fn in_pane(state: &State, window: &mut WindowState, lane: LaneId, deed: Deed) -> Vec<WindowAction> {
    let page = page(state, window);
    let lines = match deed {
        Deed::Down => -1,
        Deed::Up => 1,
        Deed::HalfPageDown => -page / 2,
        Deed::HalfPageUp => page / 2,
        Deed::PageDown => -page,
        Deed::PageUp => page,
        Deed::Top => i32::MAX,
        Deed::Bottom => i32::MIN,
        Deed::Search | Deed::FindNext | Deed::FindPrevious => {
            window.say(no_pane("search"));
            return Vec::new();
        }
        Deed::Copy | Deed::Mark => {
            window.say(no_pane("copy"));
            return Vec::new();
        }
        _ => return Vec::new(),
    };
    vec![WindowAction::PaneScroll(lane, lines)]
}

fn in_transcript(state: &State, window: &mut WindowState, mode: &mut ScrollMode, deed: Deed) -> Vec<WindowAction> {
    let page = page(state, window);
    match deed {
        Deed::Down => step(state, window, mode, 1),
        Deed::Up => step(state, window, mode, -1),
        Deed::HalfPageDown => step(state, window, mode, page / 2),
        Deed::HalfPageUp => step(state, window, mode, -page / 2),
        Deed::PageDown => step(state, window, mode, page),
        Deed::PageUp => step(state, window, mode, -page),
        Deed::Top => {
            mode.cursor = transcript(state, window, mode.lane).0.top();
            follow(state, window, mode);
        }
        Deed::Bottom => {
            mode.cursor = transcript(state, window, mode.lane).0.tail(1).first().map(|(at, _)| *at);
            follow(state, window, mode);
        }
        Deed::Search => mode.typing = Some(Draft::field("")),
        Deed::FindNext => find(state, window, mode, true),
        Deed::FindPrevious => find(state, window, mode, false),
        Deed::Mark => mode.mark = if mode.mark.is_some() { None } else { mode.cursor },
        Deed::Copy => {
            let Some(cursor) = mode.cursor else { return Vec::new() };
            let text = transcript(state, window, mode.lane).0.copy(mode.mark.unwrap_or(cursor), cursor);
            mode.mark = None;
            let lines = text.lines().count();
            window.say(Report::done(format!("copied {lines} line{}", if lines == 1 { "" } else { "s" })));
            return vec![WindowAction::Copy(text)];
        }
        Deed::Unfold => {
            window.unfolded = !window.unfolded;
            if let Some(cursor) = &mut mode.cursor {
                (cursor.line, cursor.row) = (0, 0);
            }
            follow(state, window, mode);
        }
        _ => {}
    }
    Vec::new()
}

/// Moves the cursor by rows.
fn step(state: &State, window: &mut WindowState, mode: &mut ScrollMode, delta: i32) {
    let Some(cursor) = mode.cursor else { return };
    let (transcript, _) = transcript(state, window, mode.lane);
    let steps = delta.unsigned_abs() as usize;
    let rows = if delta < 0 { transcript.rows_before(cursor, steps) } else { transcript.rows_from(cursor, steps + 1) };
    let end = if delta < 0 { rows.first() } else { rows.last() };
    mode.cursor = end.map(|(at, _)| *at).or(mode.cursor);
    follow(state, window, mode);
}

/// Scrolls just as far as the cursor needs.
fn follow(state: &State, window: &mut WindowState, mode: &ScrollMode) {
    let Some(cursor) = mode.cursor else { return };
    let (transcript, height) = transcript(state, window, mode.lane);
    let rows = transcript.view(window.scrolled.get(&mode.lane).copied(), height);
    if rows.iter().any(|(at, _)| *at == cursor) {
        return;
    }
    let above = rows.first().is_none_or(|(first, _)| cursor < *first);
    let top = if above {
        Some(cursor)
    } else {
        let mut rows = transcript.rows_before(cursor, height.saturating_sub(1));
        rows.extend(transcript.rows_from(cursor, 1));
        rows.first().map(|(at, _)| *at)
    };
    if let Some(top) = top {
        window.scrolled.insert(mode.lane, top);
    }
}

/// Goes to the next hit of the searched words: towards the end, or back as after `/`, where the newest
/// hit is wanted.
fn find(state: &State, window: &mut WindowState, mode: &mut ScrollMode, down: bool) {
    let words = mode.query.trim().to_owned();
    let Some(cursor) = mode.cursor.filter(|_| !words.is_empty()) else { return };
    match transcript(state, window, mode.lane).0.find(cursor, &words, down) {
        Some(at) => {
            mode.cursor = Some(at);
            follow(state, window, mode);
        }
        None => window.say(Report::refused(format!("`{words}` does not stand in this transcript"))),
    }
}
