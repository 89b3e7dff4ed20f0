//! The command palette: every command, lane and view, found by a few letters of it.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::app::State;
use crate::command::palette;
use crate::domain::{Key, KeyCode, LaneId};

use super::Draft;
use super::keymap::{Deed, LEADER, key_label};

/// What a row does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// This line, sent at once or put into the prompt bar to be completed.
    Line {
        /// The line.
        line: String,
        /// Whether it can be sent as it is.
        ready: bool,
    },
    /// What a key does.
    Deed(Deed),
    /// Focuses a lane.
    Lane(LaneId),
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaletteRow {
    /// What it is called.
    pub title: String,
    /// What it does.
    pub about: String,
    /// The key that does the same, if any.
    pub key: String,
    /// What choosing it does.
    pub choice: Choice,
}

/// The open palette.
#[derive(Debug)]
pub struct Palette {
    /// What is typed.
    pub query: Draft,
    /// All rows.
    all: Vec<PaletteRow>,
    /// The rows that fit, best first, as places in `all`.
    fits: Vec<usize>,
    /// Which of them is chosen.
    pub chosen: usize,
}

impl Palette {
    /// The palette of what exists now.
    #[must_use]
    pub fn new(state: &State) -> Self {
        let lead = key_label(state.settings.leader);
        let mut all: Vec<PaletteRow> = palette()
            .into_iter()
            .map(|entry| PaletteRow {
                title: format!("/{}", entry.title),
                about: entry.about.to_owned(),
                key: String::new(),
                choice: match entry.title.as_str() {
                    // These ask first, as their keys do.
                    "lane new" => Choice::Deed(Deed::NewLane),
                    "lane close" => Choice::Deed(Deed::CloseLane),
                    _ => Choice::Line { line: entry.line, ready: entry.ready },
                },
            })
            .collect();
        let views = LEADER.iter().filter(|b| {
            matches!(
                b.deed,
                Deed::Board
                    | Deed::Grid
                    | Deed::Zoom
                    | Deed::ScrollMode
                    | Deed::Search
                    | Deed::Editor
                    | Deed::Diff
                    | Deed::OpenTab(_)
                    | Deed::NextNeedy
                    | Deed::TypeIntoPane
            )
        });
        all.extend(views.map(|b| PaletteRow {
            title: b.words.to_owned(),
            about: String::new(),
            key: format!("{lead} {}", key_label(b.key)),
            choice: Choice::Deed(b.deed),
        }));
        all.extend(state.model.open_lanes().map(|lane| PaletteRow {
            title: format!("lane {}", lane.name),
            about: format!("focus · {}", state.lane_state(lane.id).word()),
            key: String::new(),
            choice: Choice::Lane(lane.id),
        }));
        let fits = (0..all.len()).collect();
        Self { query: Draft::field(""), all, fits, chosen: 0 }
    }

    /// The rows that fit, best first.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &PaletteRow> {
        self.fits.iter().map(|at| &self.all[*at])
    }

    /// Finds what fits what is typed now.
    pub(super) fn refresh(&mut self) {
        let query = self.query.text();
        let pattern = Pattern::parse(query.trim(), CaseMatching::Ignore, Normalization::Smart);
        let mut matcher = Matcher::new(Config::DEFAULT);
        let mut buffer = Vec::new();
        let mut score = |text: &str| pattern.score(Utf32Str::new(text, &mut buffer), &mut matcher).unwrap_or(0);
        let mut found: Vec<(u32, usize)> = Vec::new();
        for (at, row) in self.all.iter().enumerate() {
            // A hit in the title weighs more than one in the words beside it.
            let best = (2 * score(&row.title)).max(score(&row.about));
            if best > 0 || query.trim().is_empty() {
                found.push((best, at));
            }
        }
        found.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
        self.fits = found.into_iter().map(|(_, at)| at).collect();
        self.chosen = 0;
    }

    /// A key: the palette stays, or something is chosen, or neither.
    pub(super) fn key(mut self, key: Key) -> (Option<Self>, Option<Choice>) {
        let last = self.fits.len().saturating_sub(1);
        match key.code {
            KeyCode::Esc => return (None, None),
            KeyCode::Enter => {
                let choice = self.fits.get(self.chosen).map(|at| self.all[*at].choice.clone());
                return if choice.is_some() { (None, choice) } else { (Some(self), None) };
            }
            KeyCode::Down | KeyCode::Tab => self.chosen = (self.chosen + 1).min(last),
            KeyCode::Up | KeyCode::BackTab => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::PageDown => self.chosen = (self.chosen + 10).min(last),
            KeyCode::PageUp => self.chosen = self.chosen.saturating_sub(10),
            KeyCode::Char('n') if key.modifiers.ctrl => self.chosen = (self.chosen + 1).min(last),
            KeyCode::Char('p') if key.modifiers.ctrl => self.chosen = self.chosen.saturating_sub(1),
            _ => {
                self.query.key(key);
                self.refresh();
            }
        }
        (Some(self), None)
    }
}
