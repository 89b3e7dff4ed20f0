//! Prompts: added, started, cancelled, retried.

use crate::app::{Effect, LaneOrder, PaneOrder, TurnStart};
use crate::base::Report;
use crate::domain::{
    CallState, Change, ConflictEvent, ConflictKind, EntryBody, Hold, LaneId, LaneKind, LaneStage, NoticeLevel,
    Priority, Prompt, PromptEvent, PromptId, PromptState, next_in_series,
};
use crate::preflight;

use super::step::Step;
use super::{approvals, checkpoints, conflicts, find, lanes, permits, turns};

/// Prompts of one lane that may be open at once; far more than a person can mean.
const OPEN_PROMPTS: usize = 1_000;
/// The longest prompt in bytes: larger than any model's window.
const PROMPT_BYTES: usize = 2 * 1024 * 1024;

/// How a prompt is to run.
#[derive(Debug, Clone, Default)]
pub(super) struct Options {
    pub priority: Priority,
    pub key: Option<String>,
    pub hold: Option<Hold>,
}

/// Keeps a new prompt. One with a key that was used before is that earlier one.
pub(super) fn add(step: &mut Step<'_>, lane: LaneId, text: String, options: Options) -> Result<PromptId, Report> {
    lanes::check_stays(step.state, lane)?;
    if let Some(key) = &options.key
        && let Some(known) = step.state.model.prompts.values().find(|p| p.key.as_ref() == Some(key))
    {
        if known.lane == lane && known.text == text {
            // The earlier one may not be kept yet. A change of it, which changes nothing, fails if it is not, so
            // that nobody is told of a prompt that is lost.
            let (prompt, position, priority) = (known.id, known.position, known.priority);
            step.change(Change::PromptPlaced { prompt, lane, position, priority });
            return Ok(prompt);
        }
        return Err(Report::refused(format!(
            "the key `{key}` belongs to prompt {} with another text or lane",
            known.id
        ))
        .hint("use a new key for a new prompt"));
    }
    check_text(&text)?;
    if let Some(Hold::After(other)) = options.hold
        && !step.state.model.prompts.contains_key(&other)
    {
        return Err(find::no_prompt(step.state, other));
    }
    check_room(step, lane)?;
    let id = PromptId(step.state.model.last_ids.prompt + 1);
    let position = step.state.model.prompts.values().filter(|p| p.lane == lane).map(|p| p.position).max().unwrap_or(0);
    step.change(Change::PromptAdded {
        prompt: Box::new(Prompt {
            id,
            lane,
            text,
            priority: options.priority,
            state: if options.hold.is_some() { PromptState::Held } else { PromptState::Queued },
            hold: options.hold,
            position: position + 1,
            started: None,
            created: step.env.now,
            since: step.env.now,
            result: None,
            error: None,
            key: options.key,
            overridden: Vec::new(),
        }),
    });
    Ok(id)
}

/// Queues a held prompt whose time has come. One of a series leaves the next one behind; while the one before has not
/// ended it is passed over.
pub(super) fn release(step: &mut Step<'_>, id: PromptId) {
    let prompts = &step.state.model.prompts;
    if let Some(prompt) = prompts.get(&id)
        && let Some(Hold::Every { next, seconds, last }) = prompt.hold
    {
        let next = next_in_series(next, seconds, step.env.now);
        if last.and_then(|last| prompts.get(&last)).is_some_and(|last| !last.state.ended()) {
            return step.change(Change::PromptHeld { prompt: id, hold: Some(Hold::Every { next, seconds, last }) });
        }
        let follower = Prompt {
            id: PromptId(step.state.model.last_ids.prompt + 1),
            hold: Some(Hold::Every { next, seconds, last: Some(id) }),
            position: prompt.position + 1,
            created: step.env.now,
            since: step.env.now,
            key: None,
            ..prompt.clone()
        };
        step.change(Change::PromptAdded { prompt: Box::new(follower) });
    }
    step.change(Change::PromptHeld { prompt: id, hold: None });
    step.nudge_prompt(id, PromptEvent::Release);
}

/// Whether a text can be a prompt.
pub(super) fn check_text(text: &str) -> Result<(), Report> {
    if text.trim().is_empty() {
        return Err(Report::usage("the prompt is empty").hint("write what the lane shall do"));
    }
    if text.len() > PROMPT_BYTES {
        let words = format!("the prompt has {} bytes, more than the limit of {PROMPT_BYTES}", text.len());
        return Err(Report::refused(words).hint("put the text into a file and name the file"));
    }
    Ok(())
}

/// Whether a lane can take one more prompt.
pub(super) fn check_room(step: &Step<'_>, lane: LaneId) -> Result<(), Report> {
    if step.state.model.queue(lane).len() >= OPEN_PROMPTS {
        let words = format!("lane `{}` has {OPEN_PROMPTS} open prompts already", step.state.model.name(lane));
        return Err(Report::refused(words).hint("cancel some first: `paralane queue list`"));
    }
    Ok(())
}

/// Starts a prompt that the scheduler chose: preflight first, then its turn.
pub(super) fn start(step: &mut Step<'_>, id: PromptId) {
    step.nudge_prompt(id, PromptEvent::Admit);
    let Some(prompt) = step.state.model.prompts.get(&id).cloned() else { return };
    let lane = prompt.lane;
    let paths = preflight::intent(&prompt.text, &|path| super::settle::is_known_path(step.state, lane, path));
    let overlaps = permits::overlaps(step.state, lane, id, &paths);
    let (live, rest): (Vec<_>, Vec<_>) = overlaps.into_iter().partition(|o| o.live);
    if prompt.started.is_none() && !live.is_empty() {
        conflicts::record(step, lane, id, None, ConflictKind::Prompt, &live);
        return step.nudge_prompt(id, PromptEvent::Block);
    }
    if prompt.started.is_none() && !rest.is_empty() {
        conflicts::record(step, lane, id, None, ConflictKind::Warning, &rest);
    }
    let kind = step.state.model.lanes.get(&lane).map(|l| l.kind.clone());
    let alive = step.state.live(lane).and_then(|l| l.turn) == Some(id);
    match kind {
        Some(LaneKind::Agent { .. }) if alive => {
            step.nudge_prompt(id, PromptEvent::Start);
            approvals::settle_lane(step, lane);
        }
        Some(LaneKind::Agent { .. }) => start_turn(step, &prompt),
        Some(LaneKind::Pane { .. }) => {
            step.nudge_prompt(id, PromptEvent::Start);
            step.live(lane).turn = Some(id);
            step.then.push(Effect::Pane(lane, PaneOrder::Deliver(id, prompt.text)));
        }
        None => step.nudge_prompt(id, PromptEvent::Cancel),
    }
}

/// Starts or goes on with an own agent's turn.
pub(super) fn start_turn(step: &mut Step<'_>, prompt: &Prompt) {
    let (id, lane) = (prompt.id, prompt.lane);
    let Some((provider, model)) = step.state.provider_of(lane) else {
        let error = "no model server is configured for this lane: name one in the configuration, then retry";
        step.entry(lane, Some(id), EntryBody::Notice { level: NoticeLevel::Error, text: error.into() });
        let _only_if_it_can = step.move_prompt(id, PromptEvent::Fail, None, Some(error.into()));
        return;
    };
    // The model answers to the person's last words: those of a prompt that comes back later, or was edited, are
    // said again.
    let checkpoint = (prompt.state == PromptState::Preflight).then(|| checkpoints::order(step, lane));
    let kept = &step.state.model;
    let said = kept.entries(lane).rev().filter(|e| !kept.is_left_behind(lane, e.seq)).find_map(|e| match &e.body {
        EntryBody::Prompt { text } => Some(e.prompt == Some(id) && *text == prompt.text),
        _ => None,
    });
    if said != Some(true) {
        step.entry(lane, Some(id), EntryBody::Prompt { text: prompt.text.clone() });
    }
    if prompt.state == PromptState::Preflight {
        step.nudge_prompt(id, PromptEvent::Start);
    }
    let mut interrupted = Vec::new();
    for ((of, call), state) in &step.state.model.calls {
        if *of == lane && *state == CallState::Started {
            interrupted.push(call.clone());
        }
    }
    let entries = step.state.model.conversation(lane);
    let directory = step.state.model.lanes.get(&lane).map(|l| l.place.directory.clone()).unwrap_or_default();
    let live = step.live(lane);
    live.turn = Some(id);
    live.feed = crate::app::TurnFeed { phase: "thinking".into(), ..Default::default() };
    let start = TurnStart {
        prompt: id,
        provider,
        model,
        entries,
        interrupted,
        directory,
        web: step.state.settings.web.clone(),
        servers: step.state.settings.servers.clone(),
        off: step.state.model.layers_off(lane),
        lane: step.state.model.name(lane),
        hooks: step.state.settings.hooks.clone(),
        unused_hooks: step.state.settings.unused_hooks(),
        skills: step.state.settings.own_skills.clone(),
        checkpoint,
    };
    step.then.push(Effect::Lane(lane, LaneOrder::StartTurn(Box::new(start))));
}

/// Cancels a prompt at once; what was done stays visible.
pub(super) fn cancel(step: &mut Step<'_>, id: PromptId) -> Result<String, Report> {
    let Some(prompt) = step.state.model.prompts.get(&id).cloned() else { return Err(find::no_prompt(step.state, id)) };
    let lane = prompt.lane;
    step.move_prompt(id, PromptEvent::Cancel, None, None).map_err(|_| {
        Report::refused(format!("prompt {id} is already {}", prompt.state.word())).hint("nothing was changed")
    })?;
    turns::close_questions(step, id, ConflictEvent::Cancel);
    let live = step.state.live(lane).filter(|l| l.turn == Some(id));
    let delivered = live.is_some_and(|l| l.delivered == Some(id));
    let pane = matches!(step.state.model.lanes.get(&lane).map(|l| &l.kind), Some(LaneKind::Pane { .. }));
    match live {
        Some(_) if pane => {
            step.then.push(Effect::Pane(lane, PaneOrder::Withdraw(id)));
            // Before the program has taken it, what runs there is the person's own.
            if delivered {
                step.then.push(Effect::Pane(lane, PaneOrder::Interrupt));
            }
            turns::clear(step, lane);
            turns::close_turn(step, lane, id);
        }
        Some(_) => turns::end(step, lane),
        None => {
            turns::close_turn(step, lane, id);
            // The model has been told of it, or will be with the lane's next prompt.
            if prompt.started.is_some() && !pane {
                step.entry(lane, Some(id), EntryBody::Cancelled);
            }
        }
    }
    step.activity(Some(prompt.lane), format!("{id} cancelled"));
    Ok(format!("{id} cancelled"))
}

/// Queues the newest prompt of a lane again, which must be one that can be.
pub(super) fn retry_last(step: &mut Step<'_>, lane: LaneId) -> Result<String, Report> {
    let of = step.state.model.prompts.values().filter(|p| p.lane == lane);
    let newest = of.filter(|p| p.state.next(PromptEvent::Retry).is_ok()).map(|p| p.id).max();
    let Some(id) = newest else {
        let name = step.state.model.name(lane);
        return Err(Report::refused(format!("lane `{name}` has no prompt that can be run again"))
            .hint("failed, cancelled, interrupted and unconfirmed prompts can"));
    };
    retry(step, id)
}

/// Queues an ended or interrupted prompt again; its turn goes on from its transcript.
pub(super) fn retry(step: &mut Step<'_>, id: PromptId) -> Result<String, Report> {
    let Some(prompt) = step.state.model.prompts.get(&id).cloned() else { return Err(find::no_prompt(step.state, id)) };
    lanes::check_stays(step.state, prompt.lane)?;
    step.move_prompt(id, PromptEvent::Retry, None, None).map_err(|_| {
        Report::refused(format!("prompt {id} is {} and cannot be retried", prompt.state.word()))
            .hint("failed, cancelled, interrupted and unconfirmed prompts can")
    })?;
    step.activity(Some(prompt.lane), format!("{id} is tried again"));
    let lane = step.state.model.lanes.get(&prompt.lane);
    if let Some(lane) = lane.filter(|l| matches!(l.stage, LaneStage::Ended | LaneStage::Failed)) {
        return Ok(format!("{id} is queued; `lane restart {}` starts its lane", lane.name));
    }
    Ok(format!("{id} is queued again"))
}
