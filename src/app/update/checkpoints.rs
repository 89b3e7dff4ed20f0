//! Checkpoints: numbered, kept, and let go.

use crate::app::{CheckpointOrder, Effect, LaneOrder};
use crate::domain::{Change, Checkpoint, EntryBody, LaneId, NoticeLevel, PromptId, Taken};

use super::step::Step;

/// Checkpoints of a lane that are kept: far more than anyone goes back.
const KEPT: usize = 50;

/// What to take, before anything is added to the transcript.
pub(super) fn order(step: &mut Step<'_>, lane: LaneId) -> CheckpointOrder {
    let model = &step.state.model;
    let known = model.checkpoints(lane).next_back().map_or(0, |c| c.number);
    let seq = model.next_seq(lane) - 1;
    let live = step.live(lane);
    live.last_checkpoint = live.last_checkpoint.max(known) + 1;
    let number = live.last_checkpoint;
    CheckpointOrder { number, seq, copied: step.state.settings.set_up.copy.clone() }
}

/// Keeps what was taken. Files that could not be are told, and hinder nothing.
pub(super) fn keep(step: &mut Step<'_>, lane: LaneId, prompt: Option<PromptId>, taken: Taken) {
    let (commit, head, left_out) = match taken.files {
        Ok(saved) => (Some(saved.commit), saved.head, saved.left_out),
        Err(error) => {
            let text = format!("checkpoint {} is without files: {error}", taken.number);
            step.entry(lane, prompt, EntryBody::Notice { level: NoticeLevel::Warning, text });
            (None, None, Vec::new())
        }
    };
    if !left_out.is_empty() {
        tell_left_out(step, lane, prompt, &left_out);
    }
    let Taken { number, seq, .. } = taken;
    let checkpoint = Checkpoint { lane, number, prompt, seq, commit, head, at: step.env.now };
    step.change(Change::CheckpointAdded { checkpoint: Box::new(checkpoint) });
    let numbers: Vec<u64> = step.state.model.checkpoints(lane).rev().skip(KEPT).map(|c| c.number).collect();
    if !numbers.is_empty() {
        step.change(Change::CheckpointsForgotten { lane, numbers: numbers.clone() });
        step.then.push(Effect::Lane(lane, LaneOrder::Forget(Some(numbers))));
    }
}

/// Says which files are not in a checkpoint, once.
fn tell_left_out(step: &mut Step<'_>, lane: LaneId, prompt: Option<PromptId>, left_out: &[String]) {
    let text = format!("not in checkpoints, a rewind leaves them alone: {}", left_out.join(", "));
    let told = |body: &EntryBody| matches!(body, EntryBody::Notice { text: before, .. } if *before == text);
    if !step.state.model.entries(lane).any(|entry| told(&entry.body)) {
        step.entry(lane, prompt, EntryBody::Notice { level: NoticeLevel::Info, text });
    }
}

/// The lane is closed: its checkpoints go with it.
pub(super) fn forget_all(step: &mut Step<'_>, lane: LaneId) {
    step.live(lane).last_checkpoint = 0;
    if step.state.model.checkpoints(lane).next().is_some() {
        step.then.push(Effect::Lane(lane, LaneOrder::Forget(None)));
    }
}
