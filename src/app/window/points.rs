//! A lane's checkpoints to choose from, and what of one is brought back.

use crate::app::{State, report};
use crate::base::{Report, one_line};
use crate::command::{Invocation, RewindWhat};
use crate::domain::{Key, KeyCode, LaneId};

use super::{Overlay, WindowAction, WindowState, commands};

/// One checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// Its number.
    pub number: u64,
    /// What it stands before. Untrusted.
    pub words: String,
    /// When it was taken.
    pub at: jiff::Timestamp,
    /// Whether files are in it.
    pub files: bool,
}

/// The list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    /// The lane.
    pub lane: LaneId,
    /// The newest first.
    pub all: Vec<Point>,
    /// Which is chosen.
    pub chosen: usize,
}

impl Points {
    /// A key: the list stays, or a checkpoint is chosen.
    pub(super) fn key(mut self, state: &State, key: Key) -> (Option<Self>, Vec<WindowAction>) {
        let last = self.all.len().saturating_sub(1);
        let what = match key.code {
            KeyCode::Esc | KeyCode::Char('q') => return (None, Vec::new()),
            KeyCode::Enter | KeyCode::Char('b') => RewindWhat::Both,
            KeyCode::Char('c') => RewindWhat::Conversation,
            KeyCode::Char('f') => RewindWhat::Files,
            other => {
                match other {
                    KeyCode::Down | KeyCode::Char('j') => self.chosen = (self.chosen + 1).min(last),
                    KeyCode::Up | KeyCode::Char('k') => self.chosen = self.chosen.saturating_sub(1),
                    KeyCode::PageDown => self.chosen = (self.chosen + 10).min(last),
                    KeyCode::PageUp => self.chosen = self.chosen.saturating_sub(10),
                    KeyCode::Home | KeyCode::Char('g') => self.chosen = 0,
                    KeyCode::End | KeyCode::Char('G') => self.chosen = last,
                    _ => {}
                }
                return (Some(self), Vec::new());
            }
        };
        let Some(number) = self.all.get(self.chosen).map(|point| point.number) else { return (Some(self), Vec::new()) };
        let lane = Some(state.model.name(self.lane));
        (None, vec![commands::run(Invocation::Rewind { lane, number: Some(number), what })])
    }
}

/// Shows a lane's checkpoints.
pub(in crate::app) fn show(state: &State, lane: LaneId) -> Result<Overlay, Report> {
    let model = &state.model;
    let all: Vec<Point> = model
        .checkpoints(lane)
        .rev()
        .map(|point| Point {
            number: point.number,
            words: one_line(&report::point_words(model, point)),
            at: point.at,
            files: point.commit.is_some(),
        })
        .collect();
    if all.is_empty() {
        return Err(Report::refused(format!("lane `{}` has no checkpoint", model.name(lane)))
            .hint("the first is taken before the next turn of its agent"));
    }
    Ok(Overlay::Points(Points { lane, all, chosen: 0 }))
}

impl WindowState {
    /// Opens what stands over everything else.
    pub(in crate::app) fn open(&mut self, overlay: Overlay) {
        self.overlay = Some(overlay);
    }
}
