//! The board of issues: a page over everything else, with keys that act on the chosen issue.

use jiff::Timestamp;

use crate::app::{State, report};
use crate::base::Report;
use crate::command::{Invocation, IssueCommand, Surface, WorkCommand};
use crate::domain::{IssueId, Key};

use super::keymap::{self, BOARD, Deed};
use super::{Keyboard, Overlay, Reader, WindowAction, WindowState, commands};

/// Rows that a page key moves.
const PAGE: usize = 10;

/// The page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Board {
    /// The chosen issue; the first if none or gone.
    pub chosen: Option<IssueId>,
    /// The chosen issue in full, while it is read.
    pub detail: Option<Reader>,
}

impl Board {
    /// The issue that the keys are about.
    #[must_use]
    pub fn chosen(&self, state: &State) -> Option<IssueId> {
        let mut all = crate::app::board(state).into_iter().flat_map(|group| group.issues);
        let first = all.next()?;
        Some(self.chosen.filter(|chosen| *chosen == first || all.any(|issue| issue == *chosen)).unwrap_or(first))
    }

    fn step(&mut self, state: &State, by: isize) {
        let all: Vec<IssueId> = crate::app::board(state).into_iter().flat_map(|group| group.issues).collect();
        let at = self.chosen(state).and_then(|chosen| all.iter().position(|issue| *issue == chosen)).unwrap_or(0);
        let at = at.saturating_add_signed(by).min(all.len().saturating_sub(1));
        self.chosen = all.get(at).copied();
    }
}

/// A key while the board is open.
pub(super) fn key(
    state: &State,
    window: &mut WindowState,
    mut board: Board,
    key: Key,
    now: Timestamp,
) -> Vec<WindowAction> {
    if let Some(reader) = board.detail.take() {
        let body = reader.body(window.size, 0);
        let (reader, actions) = reader.key(key, body);
        board.detail = reader;
        window.overlay = Some(Overlay::Board(board));
        return actions;
    }
    let deed = keymap::find(BOARD, key);
    match deed {
        Some(Deed::Leave) => return Vec::new(),
        Some(Deed::Down) => board.step(state, 1),
        Some(Deed::Up) => board.step(state, -1),
        Some(Deed::PageDown) => board.step(state, PAGE as isize),
        Some(Deed::PageUp) => board.step(state, -(PAGE as isize)),
        Some(Deed::Top) => board.step(state, isize::MIN),
        Some(Deed::Bottom) => board.step(state, isize::MAX),
        _ => {}
    }
    let Some(issue) = board.chosen(state) else {
        window.overlay = Some(Overlay::Board(board));
        return Vec::new();
    };
    // It stays chosen while others come before it.
    board.chosen = Some(issue);
    if deed == Some(Deed::View) {
        let asked = WorkCommand::Issue(IssueCommand::Show { issue });
        board.detail = report::work_document(state, now, Surface::Window, &asked)
            .ok()
            .map(|told| Reader::text(told.title, &told.text));
    }
    let actions = match deed {
        Some(Deed::Offer) => {
            offer(state, window, issue);
            return Vec::new();
        }
        Some(Deed::Claim) if window.focus.is_none() => {
            window.say(Report::refused("there is no lane to claim it for").hint("`/lane new api` makes one"));
            Vec::new()
        }
        Some(Deed::Claim) => run(IssueCommand::Claim { issue, lane: None, within: None }),
        Some(Deed::Release) => {
            if let Some(owner) = state.model.shared.owner(issue) {
                run(IssueCommand::Release { issue, lane: Some(state.model.name(owner)) })
            } else {
                window.say(Report::refused(format!("nobody owns issue {issue}")).hint("`c` claims it"));
                Vec::new()
            }
        }
        _ => Vec::new(),
    };
    window.overlay = Some(Overlay::Board(board));
    actions
}

fn run(command: IssueCommand) -> Vec<WindowAction> {
    let command = Box::new(WorkCommand::Issue(command));
    vec![commands::run(Invocation::Work { command, key: None })]
}

/// To whom, and with what words, only the person knows: the command is begun in the prompt bar.
fn offer(state: &State, window: &mut WindowState, issue: IssueId) {
    let line = match state.model.shared.owner(issue) {
        Some(owner) => format!("/issue offer {} --lane {} --to ", issue.0, state.model.name(owner)),
        None => format!("/issue assign {} ", issue.0),
    };
    let typed = window.draft.text();
    if !typed.trim().is_empty() {
        window.remember(&typed);
    }
    window.end_scroll_mode();
    window.panel.open = false;
    window.keyboard = Keyboard::Prompt;
    window.draft.set(&line);
}
