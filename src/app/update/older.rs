//! Entries that the memory had let go, for transcripts that are scrolled back: they come page by page, and go again when
//! nobody looks at them any more.

use crate::app::{Model, State, window};
use crate::base::Report;
use crate::domain::{Entry, EntryBody, LaneId};

use super::step::Step;

/// Bytes of a lane's entries in memory after which no older ones are taken back.
const BYTES: usize = 64 * 1024 * 1024;
/// Entries in memory after which no older ones are taken back.
const ENTRIES: usize = 200_000;
/// Entries that are let go between two frames.
const AT_ONCE: usize = 2_000;

/// A page has come.
pub(super) fn arrived(step: &mut Step<'_>, lane: LaneId, before: u64, entries: Result<Vec<Entry>, Report>) {
    step.state.memo.read();
    match entries {
        Ok(entries) => add(step.state, lane, before, entries),
        Err(report) => step.problem(Some(lane), report.hint("scroll to the end and back to try it again")),
    }
    let first = step.state.model.entries(lane).next().map(|entry| entry.seq);
    if first == Some(before) && looked_at(step.state, lane) {
        step.state.memo.ends(lane, before);
    }
}

fn add(state: &mut State, lane: LaneId, before: u64, entries: Vec<Entry>) {
    // Entries may have been let go meanwhile: what does not join would leave a gap.
    let joins = state.model.entries(lane).next().is_some_and(|first| first.seq == before)
        && entries.last().is_some_and(|last| last.seq + 1 == before);
    if joins && looked_at(state, lane) && !full(state, lane) {
        state.model.recall(lane, entries);
        window::older_entries(state, lane, before);
    }
}

/// Lets go what nobody looks at any more. To be called before a frame is drawn.
pub(in crate::app) fn let_go(state: &mut State) {
    let many =
        |(lane, entries): (&LaneId, &std::collections::VecDeque<_>)| (entries.len() > Model::ENTRIES).then_some(*lane);
    let lanes: Vec<LaneId> = state.model.entries.iter().filter_map(many).collect();
    for lane in lanes {
        if looked_at(state, lane) {
            continue;
        }
        state.memo.let_go(lane);
        let gone = (state.model.entries(lane).len() - Model::ENTRIES).min(AT_ONCE);
        state.model.let_go(lane, gone);
    }
}

/// Whether a window stands back in a lane's transcript.
fn looked_at(state: &State, lane: LaneId) -> bool {
    state.windows.values().any(|window| {
        window.scrolled.contains_key(&lane) || window.scroll.as_ref().is_some_and(|mode| mode.lane == lane)
    })
}

/// Whether no more of a lane is taken back.
fn full(state: &State, lane: LaneId) -> bool {
    let entries = state.model.entries(lane);
    entries.len() >= ENTRIES || entries.map(|entry| weight(&entry.body)).sum::<usize>() >= BYTES
}

/// Bytes that an entry takes, about.
fn weight(body: &EntryBody) -> usize {
    200 + match body {
        EntryBody::Prompt { text }
        | EntryBody::Answer { text, .. }
        | EntryBody::Told { text, .. }
        | EntryBody::Notice { text, .. } => text.len(),
        EntryBody::Rewinding { .. } | EntryBody::Rewound { .. } | EntryBody::Cancelled | EntryBody::Withheld => 0,
        EntryBody::Notes(noted) => noted.notes.text().len(),
        EntryBody::Call { action, .. } => 2 * action.len(),
        EntryBody::Child { step, .. } => step.action.len() + step.summary.len(),
        EntryBody::Result { outcome, .. } => outcome.output.len() + outcome.diff.as_ref().map_or(0, String::len),
    }
}
