//! The side panel: which tab it shows, what is chosen in it, and what its keys do.

use jiff::Timestamp;

use crate::app::{State, problems};
use crate::base::Report;
use crate::command::{Invocation, MailCommand, PromptTarget, Surface, WorkCommand};
use crate::domain::{
    AnswerScope, Approval, ApprovalId, Conflict, ConflictId, ConflictKind, Key, KeyCode, MailHead, MessageId, Party,
    Piece,
};

use super::keymap::{self, Deed};
use super::{
    APPROVALS, Ask, CONFLICTS, Keyboard, LISTS, MAIL, Overlay, Reader, WindowAction, WindowState, commands, popup,
};

/// One tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "named after what they show")]
pub enum Tab {
    #[default]
    Approvals,
    Conflicts,
    Mail,
    Problems,
    Activity,
}

impl Tab {
    /// All tabs in their order.
    pub const ALL: [Self; 5] = [Self::Approvals, Self::Conflicts, Self::Mail, Self::Problems, Self::Activity];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Approvals => "approvals",
            Self::Conflicts => "conflicts",
            Self::Mail => "mail",
            Self::Problems => "problems",
            Self::Activity => "activity",
        }
    }

    /// Its keys.
    #[must_use]
    pub const fn keys(self) -> &'static [keymap::Binding] {
        match self {
            Self::Approvals => APPROVALS,
            Self::Conflicts => CONFLICTS,
            Self::Mail => MAIL,
            Self::Problems | Self::Activity => LISTS,
        }
    }

    /// Whether nothing stands in it.
    #[must_use]
    pub fn is_empty(self, state: &State) -> bool {
        match self {
            Self::Activity => state.activity.is_empty(),
            Self::Mail => state.model.shared.mail.recent.is_empty(),
            tab => tab.count(state) == 0,
        }
    }

    /// How many things stand in it that wait for the person.
    #[must_use]
    pub fn count(self, state: &State) -> usize {
        match self {
            Self::Approvals => state.pending_approvals().count(),
            Self::Conflicts => state.model.open_conflicts().count(),
            Self::Mail => state.model.shared.mail.unread(Party::Operator),
            Self::Problems => problems(state, state.now).len(),
            Self::Activity => 0,
        }
    }
}

/// The side panel's own state.
#[derive(Debug, Clone, Default)]
pub struct Panel {
    /// The tab it shows.
    pub tab: Tab,
    /// Whether it is open where it covers the main area.
    pub open: bool,
    /// The chosen approval; the oldest if none or gone.
    pub approval: Option<ApprovalId>,
    /// The chosen conflict; the oldest if none or gone.
    pub conflict: Option<ConflictId>,
    /// The chosen message; the newest if none or gone.
    pub mail: Option<MessageId>,
    /// The chosen row of the other tabs.
    pub row: usize,
}

impl Panel {
    /// The approval that the panel's keys answer.
    #[must_use]
    pub fn chosen_approval<'a>(&self, state: &'a State) -> Option<&'a Approval> {
        let mut pending = state.pending_approvals();
        let chosen = state.pending_approvals().find(|a| Some(a.id) == self.approval);
        chosen.or_else(|| pending.next())
    }

    /// The conflict that the panel's keys decide.
    #[must_use]
    pub fn chosen_conflict<'a>(&self, state: &'a State) -> Option<&'a Conflict> {
        let mut open = state.model.open_conflicts();
        let chosen = state.model.open_conflicts().find(|c| Some(c.id) == self.conflict);
        chosen.or_else(|| open.next())
    }

    /// The message that the panel's keys are about.
    #[must_use]
    pub fn chosen_mail<'a>(&self, state: &'a State) -> Option<&'a MailHead> {
        let recent = &state.model.shared.mail.recent;
        recent.iter().find(|mail| Some(mail.id) == self.mail).or_else(|| recent.back())
    }

    /// Moves the choice by one.
    fn step(&mut self, state: &State, down: bool) {
        fn beside<T: PartialEq + Copy>(all: &[T], at: Option<T>, down: bool) -> Option<T> {
            let place = all.iter().position(|x| Some(*x) == at).unwrap_or(0);
            all.get(if down { place + 1 } else { place.saturating_sub(1) }).or(all.last()).copied()
        }
        match self.tab {
            Tab::Approvals => {
                let all: Vec<_> = state.pending_approvals().map(|a| a.id).collect();
                self.approval = beside(&all, self.chosen_approval(state).map(|a| a.id), down);
            }
            Tab::Conflicts => {
                let all: Vec<_> = state.model.open_conflicts().map(|c| c.id).collect();
                self.conflict = beside(&all, self.chosen_conflict(state).map(|c| c.id), down);
            }
            Tab::Mail => {
                let all: Vec<_> = state.model.shared.mail.recent.iter().rev().map(|mail| mail.id).collect();
                self.mail = beside(&all, self.chosen_mail(state).map(|mail| mail.id), down);
            }
            Tab::Problems | Tab::Activity => {
                let rows = if self.tab == Tab::Problems { self.tab.count(state) } else { state.activity.len() };
                let next = if down { self.row + 1 } else { self.row.saturating_sub(1) };
                self.row = next.min(rows.saturating_sub(1));
            }
        }
    }
}

/// A key while the panel has the keyboard.
pub(super) fn key(state: &State, window: &mut WindowState, key: Key, now: Timestamp) -> Vec<WindowAction> {
    let deed = keymap::find(window.panel.tab.keys(), key);
    let letter = matches!(key.code, KeyCode::Char(_)) && !key.modifiers.ctrl && !key.modifiers.alt;
    if letter && window.panel.tab.is_empty(state) {
        // Nothing stands here that a letter could mean: it is text for the prompt bar.
        act(state, window, Deed::Leave, now);
        window.draft.key(key);
        popup::refresh(state, window);
        return Vec::new();
    }
    deed.map(|deed| act(state, window, deed, now)).unwrap_or_default()
}

fn act(state: &State, window: &mut WindowState, deed: Deed, now: Timestamp) -> Vec<WindowAction> {
    match deed {
        Deed::Down => window.panel.step(state, true),
        Deed::Up => window.panel.step(state, false),
        Deed::Leave => {
            window.panel.open = false;
            window.keyboard = Keyboard::Prompt;
        }
        _ => {
            return match window.panel.tab {
                Tab::Approvals => approval(state, window, deed, now),
                Tab::Conflicts => conflict(state, window, deed),
                Tab::Mail => mail(state, window, deed),
                Tab::Problems | Tab::Activity => {
                    view_row(state, window);
                    Vec::new()
                }
            };
        }
    }
    Vec::new()
}

fn approval(state: &State, window: &mut WindowState, deed: Deed, now: Timestamp) -> Vec<WindowAction> {
    let Some(approval) = window.panel.chosen_approval(state) else { return Vec::new() };
    if deed == Deed::View {
        window.overlay = Some(Overlay::Reader(Reader::approval(state, approval)));
        return Vec::new();
    }
    if window.chosen.answerable(Some(approval.id), now).is_none() {
        window.say(moved());
        return Vec::new();
    }
    match deed {
        Deed::AllowOnce => return commands::allow_or_answer(window, approval, AnswerScope::Once),
        Deed::AllowSame => {
            let all = std::iter::once(approval).chain(state.asked_alike(approval)).filter(|a| !a.is_question());
            return all.map(|a| commands::allow(a.id, AnswerScope::Once)).collect();
        }
        Deed::AllowSession => return commands::allow_or_answer(window, approval, AnswerScope::Session),
        Deed::AllowAlways => return commands::allow_or_answer(window, approval, AnswerScope::Always),
        Deed::Edit if approval.needs > 1 => window.say(
            Report::refused("what needs the yes of two runs as both see it, or not at all")
                .hint("`n` denies it with a reason; the agent asks anew"),
        ),
        Deed::Edit if approval.is_question() => window.overlay = Some(Overlay::Ask(Ask::answer(approval))),
        Deed::Deny => window.overlay = Some(Overlay::Ask(Ask::deny(approval.id))),
        Deed::Edit => window.overlay = Some(Overlay::Ask(Ask::edit_call(approval))),
        _ => {}
    }
    Vec::new()
}

/// What is said when a key meets a question that has just taken another's place.
pub(super) fn moved() -> Report {
    Report::refused("the question has just changed: nothing was answered")
        .hint("look again, then press the key once more")
}

fn conflict(state: &State, window: &mut WindowState, deed: Deed) -> Vec<WindowAction> {
    let Some(conflict) = window.panel.chosen_conflict(state) else { return Vec::new() };
    let run = |invocation| vec![commands::run(invocation)];
    match deed {
        Deed::View => window.overlay = Some(Overlay::Reader(Reader::conflict(state, conflict))),
        Deed::Wait => return run(Invocation::Wait { conflict: conflict.id }),
        Deed::Override => return run(Invocation::Override { conflict: conflict.id }),
        Deed::Cancel => return run(Invocation::Cancel { target: PromptTarget::Prompt(conflict.prompt) }),
        Deed::Edit if conflict.kind == ConflictKind::Prompt => {
            if let Some(prompt) = state.model.prompts.get(&conflict.prompt) {
                window.overlay = Some(Overlay::Ask(Ask::edit_prompt(prompt)));
            }
        }
        Deed::Edit => window.say(
            Report::refused("this prompt already runs, so its text cannot be changed")
                .hint("`w` waits, `o` overrides once, `c` cancels the prompt"),
        ),
        _ => {}
    }
    Vec::new()
}

fn mail(state: &State, window: &mut WindowState, deed: Deed) -> Vec<WindowAction> {
    let Some(chosen) = window.panel.chosen_mail(state) else { return Vec::new() };
    // It stays chosen while newer ones come.
    window.panel.mail = Some(chosen.id);
    let id = chosen.id;
    let run =
        |command| vec![commands::run(Invocation::Work { command: Box::new(WorkCommand::Mail(command)), key: None })];
    match (deed, chosen.from) {
        (Deed::View, _) => {
            return run(MailCommand::Read { id: Some(id), lane: None, attachment: None, piece: Piece::default() });
        }
        (Deed::Acknowledge, _) => return run(MailCommand::Ack { id, lane: None }),
        (Deed::Reply, Party::Lane(lane)) => {
            window.panel.open = false;
            window.keyboard = Keyboard::Prompt;
            window.draft.set(&format!("/say {} --reply {id} ", state.model.name(lane)));
        }
        (Deed::Reply, Party::House | Party::Operator) => {
            window.say(Report::refused("nobody waits for an answer to this"));
        }
        _ => {}
    }
    Vec::new()
}

fn view_row(state: &State, window: &mut WindowState) {
    if window.panel.tab == Tab::Problems
        && let Some(problem) = problems(state, state.now).get(window.panel.row)
    {
        let place = problem.lane.map(|lane| state.model.name(lane)).unwrap_or_default();
        window.overlay = Some(Overlay::Reader(Reader::text(
            if place.is_empty() { "problem".to_owned() } else { format!("problem in {place}") },
            &Report { hints: problem.ways_out(Surface::Window).collect(), ..problem.report.clone() }.to_string(),
        )));
    } else if window.panel.tab == Tab::Activity
        && let Some(line) = state.activity.iter().rev().nth(window.panel.row)
    {
        window.overlay = Some(Overlay::Reader(Reader::text("activity", &line.text)));
    }
}
