//! Compaction of a lane that rests, and notes as they are kept: asked for by a person, or by the configuration after a
//! while at rest. A turn that works compacts by itself.

use jiff::{SignedDuration, Timestamp};

use crate::app::{CompactStart, Effect, LaneMsg, LaneOrder, Model, NotKept, State};
use crate::base::Report;
use crate::domain::{
    CallId, CompactCause, Compaction, EntryBody, LaneId, LaneKind, LaneStage, NotesEntry, NoticeLevel, PromptId, UpTo,
    Usage,
};

use super::run::Origin;
use super::step::Step;
use super::{lanes, rewind, spending};

/// Bytes of what notes are to keep in view.
const FOCUS_BYTES: usize = 4 * 1024;
/// Entries among which the server's last count is looked for: a turn ends with an answer.
const NEWEST: usize = 100;

/// Begins a compaction that a person asks for. The answer comes when it is done.
pub(super) fn ask(step: &mut Step<'_>, lane: LaneId, focus: Option<String>, origin: Origin) -> Result<(), Report> {
    let name = step.state.model.name(lane);
    if !step.state.model.lanes.get(&lane).is_some_and(|of| matches!(of.kind, LaneKind::Agent { .. })) {
        return Err(Report::refused(format!("lane `{name}` runs a program, whose context is its own"))
            .hint("`compact` is for lanes with our own agent; type its own command into the program"));
    }
    if let Some(long) = focus.as_ref().map(String::len).filter(|long| *long > FOCUS_BYTES) {
        return Err(Report::refused(format!("the focus has {long} bytes, more than the limit of {FOCUS_BYTES}"))
            .hint("say in a few words what the notes shall keep in view"));
    }
    rewind::check_rest(step, lane, "compact")?;
    let Some(prompt) = prompt(&step.state.model, lane) else {
        return Err(Report::refused(format!("nothing to compact: nothing has been said in lane `{name}`")));
    };
    begin(step, lane, prompt, focus, CompactCause::Asked, Some(origin))
}

/// The prompt whose turn a compaction is counted with: the last one of the lane.
fn prompt(model: &Model, lane: LaneId) -> Option<PromptId> {
    let last = model.entries(lane).rev().find_map(|entry| entry.prompt);
    // A lane that was forked has a conversation before it has a prompt.
    last.or_else(|| model.prompts.keys().next_back().copied().filter(|_| model.entries(lane).len() > 0))
}

fn begin(
    step: &mut Step<'_>,
    lane: LaneId,
    prompt: PromptId,
    focus: Option<String>,
    cause: CompactCause,
    origin: Option<Origin>,
) -> Result<(), Report> {
    let Some((provider, model)) = step.state.provider_of(lane) else {
        return Err(Report::refused("no model server is configured for this lane")
            .hint("name one under `[providers.NAME]` in the configuration"));
    };
    let start = CompactStart {
        provider,
        model,
        entries: step.state.model.conversation(lane),
        directory: step.state.model.lanes.get(&lane).map(|l| l.place.directory.clone()).unwrap_or_default(),
        off: step.state.model.layers_off(lane),
        focus,
        cause,
        lane: step.state.model.name(lane),
        hooks: step.state.settings.hooks.clone(),
    };
    step.state.rewinding.insert(lane, origin);
    let live = step.live(lane);
    live.busy = Some("compacting the conversation".to_owned());
    live.compacting = Some(prompt);
    // That nothing runs in it may not be kept yet.
    step.in_order = true;
    step.then.push(Effect::Lane(lane, LaneOrder::Compact(Box::new(start))));
    Ok(())
}

/// Ends the compaction of a lane, if there is one. Its end is told as [`LaneMsg::Compacted`].
pub(super) fn cancel(step: &mut Step<'_>, lane: LaneId) -> bool {
    if step.live(lane).compacting.is_none() {
        return false;
    }
    for call in std::mem::take(&mut step.live(lane).waiting_calls) {
        step.now.push(Effect::Reserved(call.token, Err("the compaction was cancelled".into())));
    }
    step.now.push(Effect::Lane(lane, LaneOrder::CancelTurn));
    true
}

/// A compaction at rest is over.
pub(super) fn done(step: &mut Step<'_>, lane: LaneId, result: Result<Box<Compaction>, Report>) {
    let told = LaneMsg::Compacted(result.clone());
    if let Some(prompt) = step.live(lane).compacting.take() {
        spending::abandon(step, |_, spend| spend.lane != lane || spend.prompt != prompt);
    }
    step.live(lane).waiting_calls.clear();
    // Once for each conversation, also when it fails.
    let seq = step.state.model.next_seq(lane);
    step.live(lane).idled = Some(seq);
    match result {
        Ok(compaction) => {
            let words = words(&step.state.model.name(lane), &compaction);
            keep(step, lane, None, *compaction);
            step.live(lane).idled = Some(seq + 1);
            rewind::finish(step, lane, Ok(words));
        }
        Err(report) => {
            // Nobody waits for one that time has begun.
            if step.state.rewinding.get(&lane).is_some_and(Option::is_none) {
                step.activity(Some(lane), report.message.clone());
            }
            rewind::finish(step, lane, Err(report));
        }
    }
    step.then.push(Effect::IfNotKept(NotKept::Lane(lane, told)));
}

fn words(lane: &str, compaction: &Compaction) -> String {
    let how = match &compaction.without_model {
        Some(reason) => format!(" Notes were made without a model: {reason}"),
        None => String::new(),
    };
    format!("{lane} is compacted: about {} tokens before, {} now.{how}", compaction.before, compaction.after)
}

/// Keeps notes: the conversation goes on from them.
pub(super) fn keep(step: &mut Step<'_>, lane: LaneId, prompt: Option<PromptId>, compaction: Compaction) {
    let Compaction { upto, notes, cause, without_model, before, after } = compaction;
    let upto = match upto {
        UpTo::Entry(seq) => Some(seq),
        UpTo::Now => Some(step.state.model.next_seq(lane) - 1),
        UpTo::BeforeCall(call) => before_step(&step.state.model, lane, &call),
    };
    let Some(upto) = upto else {
        let text = "notes were made, but the place in the transcript up to which they stand is gone".to_owned();
        return step.entry(lane, prompt, EntryBody::Notice { level: NoticeLevel::Warning, text });
    };
    let noted = NotesEntry { upto, notes, cause, without_model, before, after };
    step.entry(lane, prompt, EntryBody::Notes(Box::new(noted)));
    step.live(lane).usage = None;
}

/// The last entry before the step that made a call.
fn before_step(model: &Model, lane: LaneId, call: &CallId) -> Option<u64> {
    let mut back = model.entries(lane).rev();
    back.find(|entry| matches!(&entry.body, EntryBody::Call { call: made, .. } if made.id == *call))?;
    back.find(|entry| matches!(entry.body, EntryBody::Answer { .. })).map(|entry| entry.seq - 1)
}

/// Compacts lanes that have been at rest for as long as the configuration says and whose conversation is large. When
/// the next one will be due.
pub(super) fn idle(step: &mut Step<'_>) -> Option<Timestamp> {
    let seconds = i64::try_from(step.state.settings.compact_idle?).ok()?;
    if step.state.ending {
        return None;
    }
    let lanes: Vec<LaneId> = step.state.model.open_lanes().map(|lane| lane.id).collect();
    let mut next = None;
    for lane in lanes {
        let Some((since, prompt)) = rests(step.state, lane) else { continue };
        let Ok(due) = since.checked_add(SignedDuration::from_secs(seconds)) else { continue };
        if due > step.env.now {
            next = Some(next.map_or(due, |next: Timestamp| next.min(due)));
        } else if begin(step, lane, prompt, None, CompactCause::Idle, None).is_ok() {
            let name = step.state.model.name(lane);
            step.activity(Some(lane), format!("{name} is compacted, for it has been at rest"));
        }
    }
    next
}

/// Since when a lane rests with a conversation that is worth to be compacted.
fn rests(state: &State, lane: LaneId) -> Option<(Timestamp, PromptId)> {
    let model = &state.model;
    let of = model.lanes.get(&lane)?;
    let still = of.stage == LaneStage::Open
        && matches!(of.kind, LaneKind::Agent { .. })
        && !state.rewinding.contains_key(&lane)
        && !lanes::closing(state, lane)
        && state.live(lane).is_none_or(|live| live.turn.is_none() && live.idled != Some(model.next_seq(lane)));
    if !still || !model.queue(lane).is_empty() {
        return None;
    }
    let last = model.entries(lane).next_back()?;
    let (provider, _) = state.provider_of(lane)?;
    let info = state.settings.providers.iter().find(|info| info.name == provider)?;
    let limit = info.context_window? * u64::from(info.compact_at) / 100;
    // Half of what would be compacted at once.
    let large = limit > 0 && size(model, lane)? >= limit / 2;
    large.then_some(())?;
    Some((last.at, prompt(model, lane)?))
}

/// Tokens of the conversation as the server counted them last, if no notes have come since.
fn size(model: &Model, lane: LaneId) -> Option<u64> {
    let newest = model.entries(lane).rev().take(NEWEST);
    let live = newest.filter(|entry| !model.is_left_behind(lane, entry.seq));
    let counted = live.map(|entry| match &entry.body {
        EntryBody::Answer { usage: Some(usage), .. } => Some(Some(*usage)),
        EntryBody::Notes(_) => Some(None),
        _ => None,
    });
    let usage: Option<Usage> = counted.flatten().next()?;
    usage.map(|usage| usage.input + usage.output)
}
