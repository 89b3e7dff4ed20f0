//! After every message: what follows from the new state, in one fixed order.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::app::window;
use crate::app::{Effect, PaneOrder, State};
use crate::coordination::Holds;
use crate::domain::{Lane, LaneId, LaneKind, LaneStage, Size, WindowId};
use crate::scheduler::{self, Limits, Plan, Seat};

use super::MailWait;
use super::step::Step;
use super::{approvals, compact, conflicts, mail_waits, prompts, spending, turns, waiters, work};

/// Brings everything that follows from a message into line.
pub(super) fn settle(step: &mut Step<'_>) {
    // While the store takes nothing, nothing is decided: it would be decided and thrown back without end.
    step.state.ready_policies();
    if step.state.retry_at.is_none() {
        work::tend(step);
        conflicts::settle(step);
        approvals::settle(step);
        if !step.state.ending {
            schedule(step);
        }
        turns::settle(step);
        spending::go_on(step);
        step.state.next_idle = compact::idle(step);
        look(step);
    }
    waiters::settle(step);
    mail_waits::settle(step);
    refocus(step);
    panes(step);
    focus(step);
    wake(step);
}

/// Releases held prompts whose time has come, then starts what the scheduler admits.
fn schedule(step: &mut Step<'_>) {
    // Starting one may end it at once (a conflict, no server), which makes room for another. Each round
    // takes at least one prompt out of the queue, so this ends.
    loop {
        let plan = plan(step.state, step.env.now);
        for prompt in &plan.release {
            prompts::release(step, *prompt);
        }
        for prompt in &plan.admit {
            prompts::start(step, *prompt);
        }
        step.state.waits = plan.waits;
        step.state.next_release = plan.wake;
        if plan.admit.is_empty() {
            return;
        }
    }
}

fn plan(state: &mut State, now: Timestamp) -> Plan {
    let seats: Vec<Seat> = state.model.open_lanes().map(|lane| seat(state, lane)).collect();
    let limits = Limits {
        global: state.settings.max_running,
        providers: state.settings.providers.iter().filter_map(|p| p.max_running.map(|n| (p.name.clone(), n))).collect(),
    };
    scheduler::plan(state.model.prompts.queues(), &seats, &limits, &mut state.rounds, now)
}

fn seat(state: &State, lane: &Lane) -> Seat {
    let live = state.live(lane.id);
    let pane = matches!(lane.kind, LaneKind::Pane { .. });
    let session = !pane || live.is_some_and(|l| l.pane_running);
    // A turn that was told to end must have ended before the next begins.
    let ending = live.is_some_and(|l| l.ending);
    let rewinding = state.rewinding.contains_key(&lane.id);
    Seat {
        lane: lane.id,
        able: lane.stage == LaneStage::Open
            && session
            && !ending
            && !super::lanes::closing(state, lane.id)
            && !rewinding,
        halted: live.and_then(|l| l.turn),
        ending,
        provider: state.provider_of(lane.id).map(|(p, _)| p).filter(|_| !pane),
    }
}

/// What lanes hold while their turns run: reservations, and what turns have written.
pub(super) fn live_holds(state: &State) -> Holds<'_> {
    let mut holds = Holds::new(state.model.reservations.values(), state.settings.fold);
    for (lane, paths) in &state.model.written {
        holds = holds.written(*lane, paths);
    }
    holds
}

/// Everything that lanes hold, changes at rest included.
pub(super) fn holds(state: &State) -> Holds<'_> {
    let mut holds = live_holds(state);
    for (lane, live) in &state.live {
        holds = holds.unmerged(*lane, &live.changed);
    }
    holds
}

/// Whether another lane holds or has changed this very path: what a prompt's words are compared with.
pub(super) fn is_known_path(state: &State, lane: LaneId, path: &str) -> bool {
    let fold = state.settings.fold;
    let key = fold.of(path);
    let same = |known: &str| fold.of(known) == key;
    let written = |paths: &BTreeSet<String>| {
        if fold.is_none() { paths.contains(path) } else { paths.iter().any(|known| same(known)) }
    };
    state.live.iter().any(|(l, live)| *l != lane && live.changed.contains(path))
        || state.model.written.iter().any(|(l, paths)| *l != lane && written(paths))
        || state.model.reservations.values().any(|r| r.lane != lane && same(&r.pattern))
}

/// A lane in front of the person has been looked at.
fn look(step: &mut Step<'_>) {
    let seen: Vec<LaneId> = step.state.windows.values().filter(|w| w.attentive).filter_map(|w| w.focus).collect();
    for lane in seen {
        super::windows::looked(step, lane);
    }
}

/// A closed lane cannot stay in focus.
fn refocus(step: &mut Step<'_>) {
    let first = step.state.model.open_lanes().next().map(|l| l.id);
    let model = &step.state.model;
    for window in step.state.windows.values_mut() {
        let open = |id: LaneId| model.lanes.get(&id).is_some_and(|l| l.stage != LaneStage::Closed);
        if !window.focus.is_some_and(open) {
            window.focus = first;
        }
    }
}

/// Tells panes whether any window shows them, and at which size and in which colours.
fn panes(step: &mut Step<'_>) {
    let mut windows: Vec<WindowId> = step.state.windows.keys().copied().collect();
    // The window that was typed in last comes last, so that its size counts.
    windows.sort_by_key(|w| Some(*w) == step.state.last_window);
    let mut shown: Vec<(LaneId, Size)> = Vec::new();
    let mut seen: BTreeMap<LaneId, WindowId> = BTreeMap::new();
    for id in windows {
        let panes = window::visible_panes(step.state, id);
        seen.extend(panes.iter().map(|(lane, _)| (*lane, id)));
        shown.extend(panes);
    }
    let all: Vec<LaneId> =
        step.state.model.open_lanes().filter(|l| matches!(l.kind, LaneKind::Pane { .. })).map(|l| l.id).collect();
    for lane in all {
        let size = shown.iter().rev().find(|(l, _)| *l == lane).map(|(_, s)| *s);
        if step.state.pane_visible.insert(lane, size.is_some()) != Some(size.is_some()) {
            step.now.push(Effect::Pane(lane, PaneOrder::Visible(size.is_some())));
        }
        if let Some(size) = size
            && step.state.pane_sizes.insert(lane, size) != Some(size)
        {
            step.now.push(Effect::Pane(lane, PaneOrder::Resize(size)));
        }
        colours(step, lane, seen.get(&lane).copied());
    }
}

/// A pane that no window shows keeps the colours of the one that it was seen in last.
fn colours(step: &mut Step<'_>, lane: LaneId, seen: Option<WindowId>) {
    let state = &mut *step.state;
    let before = state.pane_windows.get(&lane).copied();
    let window = seen.or_else(|| before.filter(|w| state.windows.contains_key(w))).or(state.last_window);
    if let Some(window) = window.filter(|w| before != Some(*w))
        && state.live(lane).is_some_and(|l| l.pane_running)
    {
        state.pane_windows.insert(lane, window);
        step.now.push(Effect::Pane(lane, PaneOrder::Colours(window)));
    }
}

/// Tells panes which of them has the focus.
fn focus(step: &mut Step<'_>) {
    let now = window::pane_in_focus(step.state);
    let before = std::mem::replace(&mut step.state.pane_focused, now);
    if before != now {
        let told = |(lane, focused)| Effect::Pane(lane, PaneOrder::Focus(focused));
        let lost = before.filter(|lane| step.is_open(*lane)).map(|lane| (lane, false));
        step.now.extend(lost.into_iter().chain(now.map(|lane| (lane, true))).map(told));
    }
}

/// Asks to be woken for the next thing that only time brings.
pub(super) fn wake(step: &mut Step<'_>) {
    let state = &step.state;
    // Held prompts are looked at again when the store takes writes, and not at all at the end.
    let release = state.next_release.filter(|_| state.retry_at.is_none() && !state.ending);
    let idle = state.next_idle.filter(|_| state.retry_at.is_none() && !state.ending);
    let late = state.next_late.filter(|_| state.retry_at.is_none() && !state.ending);
    let expires = state.model.pending_approvals().filter_map(|a| a.expires).min();
    let expires = expires.filter(|_| state.retry_at.is_none() && !state.ending);
    let waiting = state.waiting.values().filter_map(|w| w.until);
    let mail = state.mail_waits.values().map(MailWait::until);
    let windows = state.windows.keys().filter_map(|w| window::next_deadline(state, *w, step.env.now));
    let next: Option<Timestamp> = release
        .into_iter()
        .chain(idle)
        .chain(late)
        .chain(expires)
        .chain(waiting)
        .chain(mail)
        .chain(windows)
        .chain(state.retry_at)
        .min();
    if let Some(at) = next {
        step.now.push(Effect::WakeAt(at));
    }
}
