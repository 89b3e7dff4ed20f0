//! Lanes: set up, paused, stopped, restarted, closed, restored, renamed.

use crate::app::{Effect, FoundCli, LaneMsg, LaneOrder, NativeStart, NotKept, PaneOrder, SetupPlan, State};
use crate::base::Report;
use crate::coordination::PathSet;
use crate::domain::{
    BaseRef, Change, Entry, EntryBody, LaneId, LaneKind, LaneName, LaneStage, LaneStageEvent, NativeLane, NoticeLevel,
    Place, PromptEvent, PromptState, Seen, Size,
};

use super::run::Origin;
use super::step::Step;
use super::{find, native, prompts, servers, work};

/// A pane's size until a window shows it.
const FIRST_SIZE: Size = Size { columns: 80, rows: 24 };

/// Has the lane's directory made and set up. A lane whose start is not decided yet is planned first, so
/// that a crash at any point finds the decision in the store.
pub(super) fn set_up(step: &mut Step<'_>, id: LaneId, plan: SetupPlan) {
    let Some(lane) = step.state.model.lanes.get(&id) else { return };
    let here = lane.place.is_here();
    let order = if !here && lane.place.base.sha.is_empty() {
        let current = lane.place.base.name == step.state.settings.project.base.name;
        LaneOrder::Plan {
            name: lane.name.clone(),
            base: (!current).then(|| lane.place.base.name.clone()),
            directory: lane.place.directory.clone(),
        }
    } else {
        let set_up = (!lane.set_up && !here).then(|| step.state.settings.set_up.clone());
        // One that was forked has a checkpoint before it has ever begun.
        let forked = step.state.model.checkpoints(id).next().filter(|_| !lane.set_up);
        let files = forked.and_then(|point| point.commit.clone());
        LaneOrder::SetUp { place: lane.place.clone(), plan, set_up, files }
    };
    step.live(id).busy = Some(if here { "starting".into() } else { "making the worktree".into() });
    step.then.push(Effect::Lane(id, order));
}

/// What a lane's actor tells.
pub(super) fn handle(step: &mut Step<'_>, id: LaneId, msg: LaneMsg) {
    let unkept = NotKept::Lane(id, msg.clone());
    match msg {
        LaneMsg::Progress(words) => step.live(id).busy = Some(words),
        LaneMsg::Said(level, text) => step.entry(id, None, EntryBody::Notice { level, text }),
        LaneMsg::SetUpLine(line) => step.entry(id, None, EntryBody::Notice { level: NoticeLevel::Info, text: line }),
        LaneMsg::Planned(place) => {
            step.change(Change::LanePlaced { lane: id, place });
            set_up(step, id, SetupPlan::Ensure);
            step.then.push(Effect::IfNotKept(unkept));
        }
        // One that was ended or closed meanwhile does not open.
        LaneMsg::SetUp if step.state.model.lanes.get(&id).is_none_or(|l| l.stage != LaneStage::Creating) => {}
        LaneMsg::SetUp => {
            stand(step, id);
            step.then.push(Effect::IfNotKept(unkept));
        }
        LaneMsg::SetUpFailed(report) => {
            step.live(id).busy = None;
            step.entry(id, None, EntryBody::Notice { level: NoticeLevel::Error, text: report.to_string() });
            let _already_failed = step.move_lane(id, LaneStageEvent::Fail, Some(report.message.clone()));
            let name = step.state.model.name(id);
            let report =
                report.hint(format!("mend it, then `paralane lane restart {name}`, or `paralane lane close {name}`"));
            step.problem(Some(id), report);
            step.ring(format!("{name} could not be set up"));
            step.then.push(Effect::IfNotKept(unkept));
        }
        LaneMsg::CloseRefused(report) => {
            step.live(id).busy = None;
            step.activity(Some(id), report.message.clone());
            super::run::answer_close(step, id, Err(report));
            // Closing ended its set-up.
            if step.state.model.lanes.get(&id).is_some_and(|l| l.stage == LaneStage::Creating) {
                set_up(step, id, SetupPlan::Ensure);
            }
        }
        LaneMsg::Closed { tip } => {
            step.live(id).busy = None;
            let name = step.state.model.name(id);
            let given_back = crate::coordination::ledger::close(&step.state.ledger(step.env.now), id);
            let had = crate::coordination::ledger::given_back(&given_back);
            let had = had.map(|had| format!(" and gave back {had}")).unwrap_or_default();
            work::keep(step, given_back);
            step.change(Change::PathsReleased { lane: id });
            if let (Some(sha), Some(lane)) = (tip, step.state.model.lanes.get(&id)) {
                let base = BaseRef { sha, ..lane.place.base.clone() };
                let place = Place { base, ..lane.place.clone() };
                step.change(Change::LanePlaced { lane: id, place });
            }
            super::checkpoints::forget_all(step, id);
            let _already_closed = step.move_lane(id, LaneStageEvent::Close, None);
            step.state.live.remove(&id);
            step.state.problems.retain(|p| p.lane != Some(id));
            step.state.pane_sizes.remove(&id);
            step.state.pane_visible.remove(&id);
            step.state.pane_focused.take_if(|lane| *lane == id);
            step.then.push(Effect::Lane(id, LaneOrder::Retire));
            step.then.push(Effect::IfNotKept(unkept));
            let words = format!("lane {name} closed{had}");
            step.activity(None, words.clone());
            super::run::answer_close(step, id, Ok(format!("{words}; `lane restore {name}` brings it back")));
        }
        LaneMsg::Git { facts, touched } => git(step, id, *facts, touched),
        LaneMsg::BaseWritten { paths, call } => native::elsewhere(step, id, paths, &call),
        LaneMsg::Checkpointed { taken, purpose } => super::rewind::checkpointed(step, id, taken, purpose),
        LaneMsg::Rewound { to, what, before, result } => {
            super::rewind::rewound(step, id, &to, what, before, result);
        }
        LaneMsg::Compacted(result) => super::compact::done(step, id, result),
        LaneMsg::ShellDone { command, outcome } => {
            let output = outcome.output.trim_end();
            let output = output.strip_suffix(&format!("[{}]", outcome.summary)).unwrap_or(output).trim_end();
            let text = [&format!("$ {command}"), output, &outcome.summary];
            let text = text.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
            show_beside_pane(step, id, &text);
            let level = if outcome.ok { NoticeLevel::Info } else { NoticeLevel::Warning };
            step.entry(id, None, EntryBody::Notice { level, text });
            step.then.push(Effect::IfNotKept(unkept));
        }
        LaneMsg::Servers(views) => servers::stand(step, id, views),
        LaneMsg::ServerNews(news) => {
            super::servers::told(step, id, news);
            step.then.push(Effect::IfNotKept(unkept));
        }
        LaneMsg::Jobs(running) => step.live(id).jobs = running,
        LaneMsg::Trouble(report) => step.problem(Some(id), report),
    }
}

/// What a shell command printed, where the lane shows a program's screen and no transcript.
fn show_beside_pane(step: &mut Step<'_>, id: LaneId, text: &str) {
    let Some(lane) = step.state.model.lanes.get(&id).filter(|l| matches!(l.kind, LaneKind::Pane { .. })) else {
        return;
    };
    let title = format!("shell in {}", lane.name);
    for window in step.state.windows.values_mut().filter(|w| w.focus == Some(id)) {
        window.show_beside(&title, text);
    }
}

/// The directory stands as it is to be. In the base checkout there is nothing to make.
pub(super) fn stand(step: &mut Step<'_>, id: LaneId) {
    step.live(id).busy = None;
    step.change(Change::LaneSetUp { lane: id, done: true });
    ready(step, id);
}

/// The directory is ready: the lane opens, a pane's program starts.
fn ready(step: &mut Step<'_>, id: LaneId) {
    let _already_open = step.move_lane(id, LaneStageEvent::Ready, None);
    step.state.problems.retain(|p| p.lane != Some(id));
    let Some(lane) = step.state.model.lanes.get(&id) else { return };
    if let LaneKind::Pane { command, native } = &lane.kind {
        let guards_reads = step.state.policy(Some(id)).guards_reads();
        let names = &step.state.settings.cli_names;
        let start = |native: &NativeLane| {
            let preset = names.presets.iter().find(|preset| Some(&preset.name) == native.preset.as_ref()).cloned();
            let profiles = &names.credentials;
            let credentials = profiles.iter().find(|known| Some(&known.name) == native.credentials.as_ref()).cloned();
            Box::new(NativeStart { native: native.clone(), lane: lane.name.clone(), preset, credentials, guards_reads })
        };
        let order = PaneOrder::Open {
            native: native.as_deref().map(start),
            command: command.clone(),
            directory: lane.place.directory.clone(),
            size: step.state.pane_sizes.get(&id).copied().unwrap_or(FIRST_SIZE),
        };
        let cli = native.as_deref().map(|native| native.cli);
        let untried = step.state.settings.clis.iter().find(|found| Some(found.cli) == cli).and_then(FoundCli::untried);
        // Git is looked at once the program runs: somebody waits for that.
        step.then.push(Effect::Pane(id, order));
        if let Some(words) = untried {
            step.activity(Some(id), format!("starts {words}: see whether its questions reach you"));
        }
    } else {
        step.then.push(Effect::Lane(id, LaneOrder::Look(Vec::new())));
    }
}

fn git(step: &mut Step<'_>, id: LaneId, facts: crate::domain::GitFacts, touched: Vec<String>) {
    let name = step.state.model.name(id);
    let missing = facts.missing;
    let was_missing = step.state.live(id).and_then(|l| l.git.as_ref()).is_some_and(|g| g.missing);
    let active = step.state.model.active_prompt(id).is_some();
    let disk = facts.disk.or_else(|| step.state.live(id).and_then(|l| l.git.as_ref()).and_then(|g| g.disk));
    if active && !touched.is_empty() {
        let known = step.state.model.written.get(&id);
        let new: Vec<String> = touched
            .into_iter()
            .filter(|p| facts.dirty.binary_search(p).is_ok() && known.is_none_or(|k| !k.contains(p)))
            .collect();
        if !new.is_empty() {
            native::unannounced(step, id, &new);
            step.change(Change::PathsWritten { lane: id, paths: new });
        }
    }
    native::slipped(step, id, &facts);
    let changed = facts.dirty.iter().chain(&facts.committed).map(String::as_str);
    let changed = PathSet::new(changed, step.state.settings.fold);
    let live = step.live(id);
    live.changed = changed;
    live.git = Some(crate::domain::GitFacts { disk, ..facts });
    if missing && !was_missing {
        let report = Report::refused(format!("the worktree of `{name}` is missing: its directory was removed"))
            .hint(format!("`lane restart {name}` makes it again from its branch, `lane close {name}` closes the lane"));
        step.problem(Some(id), report);
    } else if !missing && was_missing {
        step.state.problems.retain(|p| p.lane != Some(id));
    }
}

/// Halts a lane at its next safe point.
pub(super) fn pause(step: &mut Step<'_>, id: LaneId) -> Result<String, Report> {
    move_or_say(step, id, LaneStageEvent::Pause, "can be paused only while it is open")?;
    // A pane's program cannot be halted; its queue is.
    let agent = matches!(step.state.model.lanes.get(&id).map(|l| &l.kind), Some(LaneKind::Agent { .. }));
    if let Some(prompt) = step.state.live(id).and_then(|l| l.turn).filter(|_| agent) {
        step.nudge_prompt(prompt, PromptEvent::Pause);
    }
    let name = step.state.model.name(id);
    step.activity(Some(id), format!("lane {name} paused"));
    Ok(format!("lane {name} paused; it keeps everything"))
}

/// Lets a paused lane go on.
pub(super) fn resume(step: &mut Step<'_>, id: LaneId) -> Result<String, Report> {
    move_or_say(step, id, LaneStageEvent::Resume, "is not paused")?;
    resume_prompts(step, id);
    let name = step.state.model.name(id);
    step.activity(Some(id), format!("lane {name} resumed"));
    Ok(format!("lane {name} goes on"))
}

fn resume_prompts(step: &mut Step<'_>, id: LaneId) {
    let open = step.state.model.prompts.open(id);
    let paused: Vec<_> = open.filter(|p| p.state == PromptState::Paused).map(|p| p.id).collect();
    for prompt in paused {
        step.nudge_prompt(prompt, PromptEvent::Resume);
    }
}

/// Moves a lane's stage at the person's wish, or says in words why that cannot be.
fn move_or_say(step: &mut Step<'_>, id: LaneId, event: LaneStageEvent, why_not: &str) -> Result<(), Report> {
    step.move_lane(id, event, None).map_err(|_| {
        let (name, state) = (step.state.model.name(id), step.state.lane_state(id));
        Report::refused(format!("lane `{name}` {why_not}: it is {}", state.word())).hint("nothing was changed")
    })
}

/// Ends a lane's session; the lane and its queue stay.
pub(super) fn stop(step: &mut Step<'_>, id: LaneId) -> Result<String, Report> {
    let name = step.state.model.name(id);
    let lane = step.state.model.lanes.get(&id);
    let pane = lane.is_some_and(|l| matches!(l.kind, LaneKind::Pane { .. }));
    if !lane.is_some_and(|l| matches!(l.stage, LaneStage::Open | LaneStage::Paused)) {
        let state = step.state.lane_state(id);
        return Err(Report::refused(format!("nothing runs in lane `{name}`: it is {}", state.word())));
    }
    // Also a paused turn ends: its task lives.
    let living = step.state.live(id).and_then(|l| l.turn).filter(|_| !step.state.live(id).is_some_and(|l| l.ending));
    if let Some(prompt) = living.or_else(|| step.state.model.active_prompt(id).map(|p| p.id)) {
        prompts::cancel(step, prompt)?;
    }
    let _open_or_paused = step.move_lane(id, LaneStageEvent::End, Some("stopped".into()));
    if pane {
        step.then.push(Effect::Pane(id, PaneOrder::End));
    } else {
        step.then.push(Effect::Lane(id, LaneOrder::EndWork));
    }
    step.activity(Some(id), format!("lane {name} stopped"));
    Ok(format!("lane {name} stopped; `lane restart {name}` starts it again"))
}

/// Starts a lane's session again, mending its worktree first.
pub(super) fn restart(step: &mut Step<'_>, id: LaneId, fresh: bool) -> Result<String, Report> {
    let name = step.state.model.name(id);
    if let Some(prompt) = step.state.model.active_prompt(id) {
        return Err(Report::refused(format!("lane `{name}` is at work on {}", prompt.id))
            .hint(format!("`paralane cancel {}` ends it first", prompt.id)));
    }
    check_stays(step.state, id)?;
    super::rewind::check_still(step, id)?;
    let kind = step.state.model.lanes.get(&id).map(|l| l.kind.clone());
    if fresh && kind.as_ref().and_then(LaneKind::native).is_none() {
        return Err(Report::refused(format!("lane `{name}` has no native CLI, whose conversation could be left"))
            .hint("leave out `--fresh`"));
    }
    move_or_say(step, id, LaneStageEvent::Restart, "cannot be started again")?;
    if let Some(LaneKind::Pane { command, native: Some(native) }) = kind.filter(|_| fresh) {
        let native = Some(Box::new(NativeLane { session: None, ..*native }));
        step.change(Change::LaneKindSet { lane: id, kind: LaneKind::Pane { command, native } });
    }
    resume_prompts(step, id);
    step.state.problems.retain(|p| p.lane != Some(id));
    let lane = step.state.model.lanes.get(&id);
    if lane.is_some_and(|l| matches!(l.kind, LaneKind::Pane { .. })) {
        step.then.push(Effect::Pane(id, PaneOrder::End));
    }
    set_up(step, id, SetupPlan::Ensure);
    Ok(format!("lane {name} starts again"))
}

/// Whether a lane is being closed: nothing begins in it any more.
pub(super) fn closing(state: &State, id: LaneId) -> bool {
    let unkept = |n: &NotKept| matches!(n, NotKept::Lane(lane, LaneMsg::Closed { .. }) if *lane == id);
    state.closing.contains_key(&id) || state.unsaved.iter().any(unkept)
}

/// Refuses what a lane that is closed, or is being closed, cannot take any more.
pub(super) fn check_stays(state: &State, id: LaneId) -> Result<(), Report> {
    let name = state.model.name(id);
    if closing(state, id) {
        return Err(
            Report::refused(format!("lane `{name}` is being closed")).hint("wait for that, or use another lane")
        );
    }
    match state.model.lanes.get(&id).map(|l| l.stage) {
        Some(LaneStage::Closed) | None => Err(Report::refused(format!("lane `{name}` is closed"))
            .hint(format!("`paralane lane restore {name}` brings it back"))),
        Some(_) => Ok(()),
    }
}

/// Closes a lane if nothing would be lost. The answer comes when git has looked.
pub(super) fn close(step: &mut Step<'_>, id: LaneId, keep_branch: bool, origin: Origin) -> Result<(), Report> {
    let name = step.state.model.name(id);
    let Some(lane) = step.state.model.lanes.get(&id) else { return Err(find::no_lane(step.state, &name)) };
    if let Some(prompt) = step.state.model.active_prompt(id) {
        return Err(Report::refused(format!("lane `{name}` is at work on {}", prompt.id))
            .hint(format!("`paralane cancel {}` ends it first", prompt.id)));
    }
    let waiting = step.state.model.queue(id);
    if !waiting.is_empty() {
        let ids: Vec<String> = waiting.iter().map(|p| p.id.to_string()).collect();
        return Err(Report::refused(format!("lane `{name}` has prompts that have not run: {}", ids.join(", ")))
            .hint("cancel them (`queue cancel ID`) or move them (`queue move ID --lane NAME`) first"));
    }
    check_stays(step.state, id)?;
    super::rewind::check_still(step, id)?;
    let place = lane.place.clone();
    step.state.closing.insert(id, origin);
    step.live(id).busy = Some("closing".into());
    // That nothing runs in it may not be kept yet.
    step.in_order = true;
    step.then.push(Effect::Lane(id, LaneOrder::Close { place, keep_branch }));
    Ok(())
}

/// Brings a closed lane back.
pub(super) fn restore(step: &mut Step<'_>, id: LaneId) -> Result<String, Report> {
    let name = step.state.model.name(id);
    if step.state.model.lane_named(&name).is_some() {
        return Err(Report::refused(format!("an open lane is called `{name}` now")).hint("rename that one first"));
    }
    let place = step.state.model.lanes.get(&id).map(|l| l.place.clone());
    let other = step.state.model.open_lanes().find(|l| {
        place.as_ref().is_some_and(|p| !p.is_here() && (p.directory == l.place.directory || p.branch == l.place.branch))
    });
    if let Some(other) = other {
        let words = format!("the worktree of `{name}` belongs to lane `{}` now", other.name);
        return Err(Report::refused(words).hint("close that one first"));
    }
    step.move_lane(id, LaneStageEvent::Restore, None)?;
    step.change(Change::LaneSetUp { lane: id, done: false });
    step.change(Change::LaneSeen { lane: id, seen: Seen::Yes });
    // Its transcript left the memory when it closed; set-up goes on when it is back.
    step.then.push(Effect::ReadTranscript(id));
    step.activity(Some(id), format!("lane {name} restored"));
    Ok(format!("lane {name} comes back"))
}

/// The transcript of a lane that comes back: now its worktree can.
pub(super) fn transcript(step: &mut Step<'_>, id: LaneId, entries: Result<Vec<Entry>, Report>) {
    if step.state.model.lanes.get(&id).is_none_or(|l| l.stage != LaneStage::Creating) {
        return;
    }
    match entries {
        Ok(entries) => {
            step.state.model.recall(id, entries);
            set_up(step, id, SetupPlan::Restore);
        }
        // Nothing can be added to a transcript whose end is not known.
        Err(report) => {
            let name = step.state.model.name(id);
            let _was_closed = step.move_lane(id, LaneStageEvent::Close, None);
            step.problem(None, report.hint(format!("`lane restore {name}` tries again")));
        }
    }
}

/// Gives a lane another name; its branch and directory keep theirs.
pub(super) fn rename(step: &mut Step<'_>, id: LaneId, name: LaneName) -> Result<String, Report> {
    let old = step.state.model.name(id);
    if let Some(other) = step.state.model.lane_named(name.as_str()).map(|l| l.id)
        && other != id
    {
        return Err(Report::refused(format!("there is already a lane `{name}`")).hint("choose another name"));
    }
    step.change(Change::LaneRenamed { lane: id, name: name.clone() });
    step.activity(Some(id), format!("lane {old} is called {name} now"));
    Ok(format!("lane {old} is called {name} now; its branch keeps its name"))
}
