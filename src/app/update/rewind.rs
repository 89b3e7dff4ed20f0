//! Going back: a lane's conversation, its files or both, to a checkpoint; and a new lane that goes on from one.
//!
//! A rewind begins with a checkpoint of what stands now, which undoes it. Only when that is kept are files touched.

use crate::app::{Effect, LaneMsg, LaneOrder, NotKept, Purpose};
use crate::base::Report;
use crate::command::RewindWhat;
use crate::domain::{
    Checkpoint, EntryBody, LaneId, LaneName, LaneStage, NoticeLevel, PromptId, PromptState, SavedFiles, Taken,
};

use super::run::{self, Done, Origin};
use super::step::Step;
use super::{checkpoints, lanes, new_lane, turns};

/// Begins a rewind. The answer comes when it is done.
pub(super) fn rewind(
    step: &mut Step<'_>,
    lane: LaneId,
    number: u64,
    what: RewindWhat,
    origin: Origin,
) -> Result<(), Report> {
    check_rest(step, lane, "rewind")?;
    let to = find(step, lane, number)?;
    let name = step.state.model.name(lane);
    if what.files() && to.commit.is_none() {
        return Err(Report::refused(format!("checkpoint {number} of `{name}` is without files"))
            .hint(format!("`rewind {name} {number} --conversation` brings back the conversation alone")));
    }
    if what.files() && step.state.live(lane).is_some_and(|l| l.jobs > 0) {
        return Err(Report::refused(format!("commands of its agent run in the background of `{name}`"))
            .hint(format!("`lane stop {name}` ends them")));
    }
    if what.conversation() {
        check_reach(step, lane, &to)?;
    }
    begin(step, lane, Purpose::Rewind(Box::new(to), what), "rewinding", origin);
    Ok(())
}

fn begin(step: &mut Step<'_>, lane: LaneId, purpose: Purpose, busy: &str, origin: Origin) {
    step.state.rewinding.insert(lane, Some(origin));
    step.live(lane).busy = Some(busy.to_owned());
    let order = checkpoints::order(step, lane);
    // That nothing runs in it may not be kept yet.
    step.in_order = true;
    step.then.push(Effect::Lane(lane, LaneOrder::Checkpoint { order, purpose }));
}

fn find(step: &Step<'_>, lane: LaneId, number: u64) -> Result<Checkpoint, Report> {
    let model = &step.state.model;
    let name = model.name(lane);
    model.checkpoints.get(&(lane, number)).cloned().ok_or_else(|| {
        let hint = match (model.checkpoints(lane).next(), model.checkpoints(lane).next_back()) {
            (Some(first), Some(last)) => {
                format!("it has {} to {}: `rewind {name}` lists them", first.number, last.number)
            }
            _ => "the first is taken before the next turn of its agent".to_owned(),
        };
        Report::refused(format!("lane `{name}` has no checkpoint {number}")).hint(hint)
    })
}

/// Nothing may run in a lane that goes back or is compacted.
pub(super) fn check_rest(step: &Step<'_>, lane: LaneId, then: &str) -> Result<(), Report> {
    let (state, model) = (&*step.state, &step.state.model);
    let name = model.name(lane);
    lanes::check_stays(state, lane)?;
    check_still(step, lane)?;
    if model.lanes.get(&lane).is_some_and(|l| l.stage == LaneStage::Creating) {
        return Err(Report::refused(format!("lane `{name}` is still being made")).hint("try again when it is"));
    }
    let begun = |p: &&crate::domain::Prompt| p.state.active() || p.state == PromptState::Paused && p.started.is_some();
    let running = state.live(lane).and_then(|l| l.turn).or_else(|| model.prompts.open(lane).find(begun).map(|p| p.id));
    match running {
        Some(prompt) => Err(Report::refused(format!("lane `{name}` is at work on {prompt}"))
            .hint(format!("`cancel {prompt}` ends it; then {then}"))),
        None => Ok(()),
    }
}

/// Refuses what cannot be done while a lane goes back.
pub(super) fn check_still(step: &Step<'_>, lane: LaneId) -> Result<(), Report> {
    if step.state.rewinding.contains_key(&lane) {
        let name = step.state.model.name(lane);
        if step.state.live(lane).is_some_and(|live| live.compacting.is_some()) {
            return Err(Report::refused(format!("the conversation of `{name}` is being compacted"))
                .hint(format!("wait for that, or end it with `cancel {name}`")));
        }
        return Err(Report::refused(format!("lane `{name}` is being rewound or forked")).hint("wait for that"));
    }
    Ok(())
}

/// A conversation goes on from what is in memory.
fn check_reach(step: &Step<'_>, lane: LaneId, to: &Checkpoint) -> Result<(), Report> {
    let first = step.state.model.entries(lane).next().map_or(1, |entry| entry.seq);
    if to.seq == 0 || first <= to.seq {
        return Ok(());
    }
    let name = step.state.model.name(lane);
    Err(Report::refused(format!("the conversation of `{name}` before checkpoint {} is too far back", to.number))
        .hint(format!("`rewind {name} {} --files` brings back its files", to.number)))
}

/// What stands now is kept, or could not be.
pub(super) fn checkpointed(step: &mut Step<'_>, lane: LaneId, taken: Taken, purpose: Purpose) {
    let unkept = NotKept::Lane(lane, LaneMsg::Checkpointed { taken: taken.clone(), purpose: purpose.clone() });
    let (number, saved) = (taken.number, taken.files.clone());
    match purpose {
        Purpose::Rewind(to, what) if what.files() => match (saved, to.commit.is_some()) {
            (Ok(SavedFiles { commit, .. }), true) => {
                checkpoints::keep(step, lane, None, taken);
                step.entry(lane, None, EntryBody::Rewinding { to: to.number, undo: number });
                let copied = step.state.settings.set_up.copy.clone();
                let order = LaneOrder::Rewind { to, what, before: (number, commit), copied };
                step.then.push(Effect::Lane(lane, order));
                step.then.push(Effect::IfNotKept(unkept));
            }
            (Err(error), _) => {
                let words = format!("nothing was brought back: what stands there now could not be kept: {error}");
                finish(step, lane, Err(Report::refused(words)));
            }
            (Ok(_), false) => finish(step, lane, Err(Report::internal("the checkpoint is without files"))),
        },
        Purpose::Rewind(to, _) => {
            checkpoints::keep(step, lane, None, taken);
            leave_behind(step, lane, &to);
            let words = format!("the conversation goes on from checkpoint {}; `rewind {number}` undoes it", to.number);
            finish(step, lane, Ok(words));
        }
        Purpose::Fork(name) => {
            let point = Checkpoint {
                lane,
                number,
                prompt: None,
                seq: taken.seq,
                commit: saved.as_ref().ok().map(|saved| saved.commit.clone()),
                head: saved.as_ref().ok().and_then(|saved| saved.head.clone()),
                at: step.env.now,
            };
            let made = match saved {
                Ok(_) => new_lane::fork(step, &point, name),
                Err(error) => Err(Report::refused(format!("the lane was not forked: {error}"))),
            };
            if made.is_ok() {
                checkpoints::keep(step, lane, None, taken);
            }
            finish(step, lane, made.map(|(_, words)| words));
        }
    }
}

/// Files were brought back, or not.
pub(super) fn rewound(
    step: &mut Step<'_>,
    lane: LaneId,
    to: &Checkpoint,
    what: RewindWhat,
    before: u64,
    result: Result<(usize, usize), Report>,
) {
    let told = LaneMsg::Rewound { to: Box::new(to.clone()), what, before, result: result.clone() };
    match result {
        Ok((written, removed)) => {
            if what.conversation() {
                leave_behind(step, lane, to);
            }
            let words = format!(
                "files are as of checkpoint {}: {written} written, {removed} removed; `rewind {before}` undoes it",
                to.number
            );
            step.entry(lane, None, EntryBody::Notice { level: NoticeLevel::Info, text: words.clone() });
            finish(step, lane, Ok(words));
        }
        Err(report) => {
            let text = report.message.clone();
            step.entry(lane, None, EntryBody::Notice { level: NoticeLevel::Error, text });
            finish(step, lane, Err(report));
        }
    }
    step.then.push(Effect::IfNotKept(NotKept::Lane(lane, told)));
    step.then.push(Effect::Lane(lane, LaneOrder::Look(Vec::new())));
}

/// The workstation starts: one that its end has cut off is told of.
pub(super) fn tell_of_cut(step: &mut Step<'_>, lane: LaneId) {
    let Some(EntryBody::Rewinding { to, undo }) = step.state.model.entries(lane).next_back().map(|e| &e.body) else {
        return;
    };
    let hint = format!("`/rewind {to}` goes on, `/rewind {undo}` undoes it");
    let words = "interrupted: the workstation ended while files went back";
    let name = step.state.model.name(lane);
    let report = Report::refused(format!("`{name}`: {words}")).hint(&hint);
    let text = format!("{words}; {hint}");
    step.entry(lane, None, EntryBody::Notice { level: NoticeLevel::Warning, text });
    step.problem(Some(lane), report);
}

/// The conversation goes on from the checkpoint.
fn leave_behind(step: &mut Step<'_>, lane: LaneId, to: &Checkpoint) {
    // What was cut gets its results before, so that nothing of it stands behind.
    let calls = step.state.model.calls.keys().filter(|(of, _)| *of == lane);
    let mut cut: Vec<PromptId> = calls.filter_map(|(_, call)| step.state.model.prompt_of_call(lane, call)).collect();
    cut.dedup();
    for prompt in cut {
        turns::close_turn(step, lane, prompt);
    }
    step.entry(lane, None, EntryBody::Rewound { to: to.seq, checkpoint: to.number });
    step.live(lane).usage = None;
}

/// Answers whoever asked to go back.
pub(super) fn finish(step: &mut Step<'_>, lane: LaneId, result: Result<String, Report>) {
    step.live(lane).busy = None;
    let origin = step.state.rewinding.remove(&lane).flatten();
    if let Ok(words) = &result {
        step.activity(Some(lane), words.clone());
    }
    run::answer_later(step, origin, result);
}

/// Makes a lane that goes on from a checkpoint of this one, or from how it stands now.
pub(super) fn fork(
    step: &mut Step<'_>,
    lane: LaneId,
    name: LaneName,
    at: Option<u64>,
    origin: Origin,
) -> Result<Done, Report> {
    lanes::check_stays(step.state, lane)?;
    check_still(step, lane)?;
    new_lane::check_name(step, &name)?;
    let Some(number) = at else {
        begin(step, lane, Purpose::Fork(name), "forking", origin);
        return Ok(Done::Later);
    };
    let point = find(step, lane, number)?;
    check_reach(step, lane, &point)?;
    new_lane::fork(step, &point, name).map(|(_, words)| Done::Words(words))
}
