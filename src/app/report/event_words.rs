//! One event in words, as history and `watch` tell it.

use crate::app::Model;
use crate::base::{one_line, visible};
use crate::domain::{CallState, Change, ConflictKind, Event, Hold, LaneKind, Prompt};

use super::text::line;
use super::work_words as work;

/// Cells of a prompt's or call's text.
const CELLS: usize = 100;

/// What happened, in one line without control characters.
#[must_use]
pub fn event_words(model: &Model, event: &Event) -> String {
    let words = event.change().map_or_else(|| line(&event.body, CELLS), |change| change_words(model, &change));
    visible(&one_line(&words)).into_owned()
}

fn change_words(model: &Model, change: &Change) -> String {
    let lane = |id| model.name(id);
    match change {
        Change::LaneAdded { lane } => match &lane.kind {
            LaneKind::Agent { .. } => format!("lane {} made, with an own agent", lane.name),
            LaneKind::Pane { command, .. } => {
                format!("lane {} made, with {}", lane.name, line(&command.join(" "), CELLS))
            }
        },
        Change::LaneMoved { stage, error, .. } => {
            format!("the lane is {stage:?}").to_lowercase() + &because(error.as_deref())
        }
        Change::LaneRenamed { name, .. } => format!("the lane is called {name}"),
        Change::LanePlaced { place, .. } => {
            let branch = place.branch.as_deref().unwrap_or("the base checkout");
            format!("the lane works on {branch}, from {} {}", place.base.name, short(&place.base.sha))
        }
        Change::LaneSetUp { done: true, .. } => "its worktree is set up".to_owned(),
        Change::LaneSetUp { done: false, .. } => "its worktree is to be set up".to_owned(),
        Change::LaneModeSet { mode, .. } => match mode {
            Some(mode) => format!("mode {}", mode.word()),
            None => "no mode of its own any more".to_owned(),
        },
        Change::LaneKindSet { kind: LaneKind::Agent { provider, model }, .. } => {
            let words = [provider.as_deref(), model.as_deref()].into_iter().flatten().collect::<Vec<_>>();
            format!("model {}", words.join("/"))
        }
        Change::LaneKindSet { kind: LaneKind::Pane { command, .. }, .. } => format!("program {}", command.join(" ")),
        Change::LayerSwitched { layer, on, .. } => {
            format!("context layer {} {}", layer.word(), if *on { "on" } else { "off" })
        }
        Change::PromptAdded { prompt } => {
            format!("{} {}{}: {}", prompt.id, prompt.state.word(), held(prompt), text(&prompt.text))
        }
        Change::PromptMoved { prompt, state, error, .. } => {
            format!("{prompt} {}{}", state.word(), because(error.as_deref()))
        }
        Change::PromptEdited { prompt, text: new } => format!("{prompt} edited: {}", text(new)),
        Change::PromptPlaced { prompt, lane: to, priority, .. } => {
            format!("{prompt} moved in the queue of {}, priority {}", lane(*to), priority.word())
        }
        Change::PromptHeld { prompt, hold } => match hold {
            Some(_) => format!("{prompt} held"),
            None => format!("{prompt} held no more"),
        },
        Change::PromptOverrode { prompt, lanes } => {
            let names: Vec<String> = lanes.iter().map(|id| lane(*id)).collect();
            format!("{prompt} overrides {} once", names.join(", "))
        }
        Change::EntryAdded { entry } => format!("transcript entry {}", entry.seq),
        Change::CallMoved { prompt, call, state, .. } => {
            let word = match state {
                CallState::Started => "has started",
                CallState::Finished => "is finished",
                _ => "waits",
            };
            format!("call {} of {prompt} {word}", call.0)
        }
        Change::PathsWritten { paths, .. } => format!("writes {}", line(&paths.join(", "), CELLS)),
        Change::PathsReleased { .. } => "holds no written path any more".to_owned(),
        Change::ApprovalAdded { approval } => {
            format!("{} asked: {} {}", approval.id, approval.tool, text(&approval.action))
        }
        Change::ApprovalMoved { approval, state, reason, .. } => {
            format!("{approval} {}{}", state.word(), because(reason.as_deref()))
        }
        Change::CallRemembered { tool, action, .. } => format!("remembered as allowed: {tool} {}", text(action)),
        Change::ConflictAdded { conflict } => format!(
            "{} with {}: {} ({})",
            conflict.id,
            match conflict.kind {
                ConflictKind::Base => "the base checkout".to_owned(),
                _ => lane(conflict.with),
            },
            line(&conflict.paths.join(", "), CELLS),
            conflict.cause
        ),
        Change::ConflictMoved { conflict, state } => format!("{conflict} {}", state.word()),
        Change::ReservationAdded { reservation } => {
            let how = if reservation.shared { " to share" } else { "" };
            format!("{} reserved {}{how} ({})", lane(reservation.lane), reservation.pattern, reservation.id)
        }
        Change::ReservationReleased { reservation } => format!("the hold {reservation} ended"),
        Change::Hold(change) => work::hold(model, change),
        Change::Issue(change) => work::issue(model, change),
        Change::Mail(change) => work::mail(model, change),
        Change::Plan(change) => work::plan(change),
        Change::Reported { report } => work::report(model, report),
        Change::DeadlinesSet { deadlines } => format!("deadlines: {}", super::deadline_words(deadlines)),
        Change::Keyed { keyed } => format!("done under the key `{}`", text(&keyed.key)),
        Change::CheckpointAdded { checkpoint } => format!("checkpoint {}", checkpoint.number),
        Change::CheckpointsForgotten { numbers, .. } => format!("{} checkpoints let go", numbers.len()),
        Change::SpendReserved { spend } => format!("call to {}/{} for {}", spend.provider, spend.model, spend.prompt),
        Change::SpendSettled { spend, usage, cost, .. } => {
            let cost = cost.map_or_else(|| "price unknown".to_owned(), |cost| cost.to_string());
            format!("call {spend} used {} tokens, {cost}", usage.total())
        }
        Change::BudgetSet { budget, rule } => format!("budget {budget} set: {} per {}", rule.limit, rule.per.word()),
        Change::BudgetRemoved { budget } => format!("budget {budget} removed"),
        Change::FactKept { fact } => format!("{} remembered: {}", fact.id, text(&fact.text)),
        Change::FactForgotten { fact } => format!("{fact} forgotten"),
        Change::ModeSet { mode } => format!("mode {} for every lane without its own", mode.word()),
        Change::ModelSet { provider, model } => format!("model {provider}/{model}"),
        Change::ConfigTrusted { hash } => format!("trusted a file of the project ({})", short(hash)),
        other => kind_words(other),
    }
}

/// What is told by its name alone: `lane-seen` is `lane seen`.
fn kind_words(change: &Change) -> String {
    let body = serde_json::to_value(change).unwrap_or_default();
    body["change"].as_str().unwrap_or("change").replace('-', " ")
}

fn because(cause: Option<&str>) -> String {
    cause.filter(|cause| !cause.is_empty()).map(|cause| format!(": {}", text(cause))).unwrap_or_default()
}

fn held(prompt: &Prompt) -> String {
    match prompt.hold {
        Some(Hold::At(at)) => format!(" until {at:.0}"),
        Some(Hold::After(other)) => format!(" after {other}"),
        Some(Hold::Released(issue)) => format!(" until nobody owns {issue}"),
        Some(Hold::Every { next, .. }) => format!(" until {next:.0}, then again"),
        None => String::new(),
    }
}

fn text(text: &str) -> String {
    line(text, CELLS)
}

fn short(sha: &str) -> &str {
    sha.get(..7).unwrap_or(sha)
}
