//! Conflicts: found by preflight, decided by the person, ended when the hold ends.

use std::collections::BTreeSet;

use crate::app::Model;
use crate::base::Report;
use crate::domain::{
    CallId, Change, Conflict, ConflictEvent, ConflictId, ConflictKind, ConflictState, LaneId, PromptEvent, PromptId,
};
use crate::preflight::Overlap;

use super::permits;
use super::step::Step;

/// Records overlaps as conflicts, each with one other lane, unless the same one is already open.
pub(super) fn record(
    step: &mut Step<'_>,
    lane: LaneId,
    prompt: PromptId,
    call: Option<&CallId>,
    kind: ConflictKind,
    overlaps: &[Overlap],
) {
    for overlap in overlaps {
        let known = step.state.model.open_conflicts().any(|c| {
            c.lane == lane && c.prompt == prompt && c.call.as_ref() == call && c.with == overlap.with && c.kind == kind
        });
        if known {
            continue;
        }
        let id = ConflictId(step.state.model.last_ids.conflict + 1);
        step.change(Change::ConflictAdded {
            conflict: Box::new(Conflict {
                id,
                lane,
                prompt,
                call: call.cloned(),
                with: overlap.with,
                paths: overlap.paths.clone(),
                cause: overlap.cause.clone(),
                kind,
                state: ConflictState::Pending,
                created: step.env.now,
            }),
        });
        let other = match kind {
            ConflictKind::Base => "the base checkout".to_owned(),
            _ => step.state.model.name(overlap.with),
        };
        step.activity(Some(lane), format!("{id}: {}: {other}, {}", overlap.paths.join(", "), overlap.cause));
        if kind.holds_back() {
            super::approvals::ring(step, lane, &format!("conflict with {other}"));
        }
    }
}

/// The person lets it wait; it starts by itself when the hold ends.
pub(super) fn wait(step: &mut Step<'_>, id: ConflictId) -> Result<String, Report> {
    if step.state.model.conflicts.get(&id).is_some_and(|c| !c.kind.holds_back() && c.state.open()) {
        return Err(Report::refused(format!("conflict `{id}` only warns: nothing is held back"))
            .hint("`override` puts it away"));
    }
    if let Some(circle) = step.state.model.conflicts.get(&id).and_then(|c| circle(&step.state.model, c)) {
        let names: Vec<String> = circle.iter().map(|lane| format!("`{}`", step.state.model.name(*lane))).collect();
        let words = names.join(", which waits for ").replacen(", which", "", 1);
        return Err(Report::refused(format!("`{id}` would wait for ever: {words}"))
            .hint(format!("`override {id}` goes on beside the other, `cancel` ends one of the prompts")));
    }
    let conflict = moved(step, id, ConflictEvent::Wait)?;
    Ok(format!("{id}: waits for {}, then starts by itself", step.state.model.name(conflict.with)))
}

/// The lanes that would wait for each other if this conflict waited, from its own on.
fn circle(model: &Model, conflict: &Conflict) -> Option<Vec<LaneId>> {
    let waits = |lane: LaneId| {
        let of_lane = move |c: &&Conflict| c.lane == lane && c.state == ConflictState::Waiting;
        model.conflicts.values().filter(of_lane).map(|c| c.with)
    };
    let mut paths = vec![vec![conflict.lane, conflict.with]];
    let mut seen = BTreeSet::from([conflict.with]);
    while let Some(path) = paths.pop() {
        let last = *path.last()?;
        if last == conflict.lane {
            return Some(path);
        }
        paths.extend(waits(last).filter(|next| seen.insert(*next)).map(|next| [&path[..], &[next]].concat()));
    }
    None
}

/// The person overrides the hold this once.
pub(super) fn override_once(step: &mut Step<'_>, id: ConflictId) -> Result<String, Report> {
    let conflict = moved(step, id, ConflictEvent::Override)?;
    if conflict.kind == ConflictKind::Base {
        return Ok(format!("{id}: put away; what was changed in the base checkout stays as it is"));
    }
    step.change(Change::PromptOverrode { prompt: conflict.prompt, lanes: vec![conflict.with] });
    Ok(format!(
        "{id}: {} goes on beside {}",
        step.state.model.name(conflict.lane),
        step.state.model.name(conflict.with)
    ))
}

fn moved(step: &mut Step<'_>, id: ConflictId, event: ConflictEvent) -> Result<Conflict, Report> {
    let Some(conflict) = step.state.model.conflicts.get(&id).cloned() else {
        let ids: Vec<String> = step.state.model.open_conflicts().map(|c| c.id.to_string()).collect();
        let hint = match ids.as_slice() {
            [] => "no conflict is open".to_owned(),
            ids => format!("open: {}", ids.join(", ")),
        };
        return Err(Report::refused(format!("there is no conflict `{id}`")).hint(hint));
    };
    let state = conflict.state.next(event).map_err(|_| {
        Report::refused(format!("conflict `{id}` is already {}", conflict.state.word())).hint("nothing was changed")
    })?;
    step.change(Change::ConflictMoved { conflict: id, state });
    step.activity(Some(conflict.lane), format!("{id} {}", state.word()));
    Ok(conflict)
}

/// Ends conflicts whose hold is gone, and lets blocked prompts go on that nothing holds any more.
pub(super) fn settle(step: &mut Step<'_>) {
    let open: Vec<Conflict> = step.state.model.open_conflicts().cloned().collect();
    for conflict in &open {
        let holds = match conflict.kind {
            ConflictKind::Prompt | ConflictKind::Write => permits::still_held(step.state, conflict),
            ConflictKind::Base => step.is_open(conflict.lane),
            ConflictKind::Warning => step.state.model.prompts.get(&conflict.prompt).is_some_and(|p| !p.state.ended()),
        };
        if !holds && let Ok(state) = conflict.state.next(ConflictEvent::Resolve) {
            step.change(Change::ConflictMoved { conflict: conflict.id, state });
        }
    }
    let blocked: Vec<PromptId> = step.state.model.prompts.queues().blocked().collect();
    for prompt in blocked {
        let held = step.state.model.open_conflicts().any(|c| c.prompt == prompt && c.kind == ConflictKind::Prompt);
        if !held {
            step.nudge_prompt(prompt, PromptEvent::Unblock);
        }
    }
}
