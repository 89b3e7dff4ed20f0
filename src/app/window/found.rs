//! Words that were searched in every lane: where they stand, and the way there.

use crate::app::State;
use crate::base::Report;
use crate::domain::{Key, KeyCode, LaneId, PaneText};

use super::focus::{self, is_pane};
use super::scroll::{self, Later, ScrollText, Search};
use super::transcript::Transcript;
use super::{Overlay, WindowAction, WindowState};

/// Places that are shown of one lane: the newest.
const OF_LANE: usize = 100;
/// Bytes of a line that are shown before and behind the words.
const BEFORE: usize = 24;
const BEHIND: usize = 160;

/// One place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPlace {
    /// The lane.
    pub lane: LaneId,
    /// The line's number in its text.
    pub line: u64,
    /// What stands there. Untrusted.
    pub text: String,
}

/// The list of all places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The words.
    pub words: String,
    /// Lane by lane, the newest first.
    pub places: Vec<FoundPlace>,
    /// How many there are in all.
    pub count: usize,
    /// Which is chosen.
    pub chosen: usize,
}

impl Found {
    /// A key: the list stays, or a place is chosen.
    pub(super) fn key(mut self, key: Key) -> (Option<Self>, Option<FoundPlace>) {
        let last = self.places.len().saturating_sub(1);
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => return (None, None),
            KeyCode::Enter => return (None, self.places.get(self.chosen).cloned()),
            KeyCode::Down | KeyCode::Char('j') => self.chosen = (self.chosen + 1).min(last),
            KeyCode::Up | KeyCode::Char('k') => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::PageDown => self.chosen = (self.chosen + 10).min(last),
            KeyCode::PageUp => self.chosen = self.chosen.saturating_sub(10),
            KeyCode::Home | KeyCode::Char('g') => self.chosen = 0,
            KeyCode::End | KeyCode::Char('G') => self.chosen = last,
            _ => {}
        }
        (Some(self), None)
    }
}

/// The texts of the panes have come: lists where the words stand in them and in all transcripts.
pub(super) fn list(state: &State, window: &mut WindowState, words: &str, texts: Vec<(LaneId, PaneText)>) {
    let mut panes: std::collections::BTreeMap<LaneId, PaneText> = texts.into_iter().collect();
    let (mut places, mut count) = (Vec::new(), 0);
    // As wide as it will be shown: a table has its own lines at each width.
    let cells = super::transcript_area(state, window).width;
    for lane in state.model.open_lanes().map(|lane| lane.id) {
        let text = if is_pane(state, lane) {
            let Some(text) = panes.remove(&lane) else { continue };
            ScrollText::pane(text)
        } else {
            ScrollText::transcript(&Transcript::new(state, lane, cells, &window.folds))
        };
        let search = Search::new(&text, words, true);
        count += search.count();
        let mut lines: Vec<_> = search.hits().iter().rev().collect();
        lines.dedup_by_key(|hit| hit.line);
        places.extend(lines.into_iter().take(OF_LANE).map(|hit| {
            let whole = text.line(hit.line);
            let from = super::text::cut_at(whole, hit.bytes.start.saturating_sub(BEFORE));
            let to = super::text::cut_at(whole, hit.bytes.end + BEHIND);
            let cut = if from > 0 { "…" } else { "" };
            FoundPlace { lane, line: hit.line, text: format!("{cut}{}", whole[from..to].trim_start()) }
        }));
    }
    if places.is_empty() {
        window.say(Report::refused(format!("`{words}` stands in no lane")));
    } else {
        window.overlay = Some(Overlay::Found(Found { words: words.to_owned(), places, count, chosen: 0 }));
    }
}

/// Goes to a place: its lane comes into focus, scrolled there.
pub(super) fn go(state: &State, window: &mut WindowState, words: &str, place: &FoundPlace) -> Vec<WindowAction> {
    window.end_scroll_mode();
    let mut actions = focus::focus(state, window, place.lane);
    let there = Later::Find(words.to_owned(), place.line);
    actions.extend(scroll::begin(state, window, false, vec![there]));
    actions
}
