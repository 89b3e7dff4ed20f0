//! One message being handled: the state, the moment, and what has come of it so far.

use jiff::SignedDuration;

use crate::base::Report;
use crate::domain::{
    ApprovalEvent, ApprovalId, ApprovalState, Change, Entry, EntryBody, IllegalTransition, LaneId, LaneStage,
    LaneStageEvent, NoticeLevel, PromptEvent, PromptId, Seen, WindowId,
};
use crate::protocol::EndReason;

use super::super::{ActivityLine, Effect, Env, LiveLane, Problem, State};

/// Between two rings for the program of one lane.
const RING_PAUSE: SignedDuration = SignedDuration::from_secs(2);

/// One message being handled.
pub(super) struct Step<'a> {
    /// The state.
    pub state: &'a mut State,
    /// The moment.
    pub env: &'a Env,
    changes: Vec<Change>,
    /// Effects that wait for the changes to be kept.
    pub then: Vec<Effect>,
    /// Effects that wait for nothing.
    pub now: Vec<Effect>,
    /// `then` builds on what earlier messages decided, and waits for their changes too.
    pub in_order: bool,
}

impl<'a> Step<'a> {
    pub fn new(state: &'a mut State, env: &'a Env) -> Self {
        Self { state, env, changes: Vec::new(), then: Vec::new(), now: Vec::new(), in_order: false }
    }

    /// Applies a change and keeps it for the commit.
    pub fn change(&mut self, change: Change) {
        self.state.model.apply(&change);
        self.changes.push(change);
    }

    /// Whether something of coordination has changed with this message.
    pub fn shared_changed(&self) -> bool {
        self.changes.iter().any(|change| {
            matches!(change, Change::Issue(_) | Change::Mail(_) | Change::Plan(_) | Change::DeadlinesSet { .. })
        })
    }

    /// Everything that came of the message. What waits for changes goes out with them.
    pub fn finish(mut self) -> Vec<Effect> {
        let then = std::mem::take(&mut self.then);
        if self.changes.is_empty() && !self.in_order {
            self.carry_out(then);
        } else {
            self.now.push(Effect::Commit { changes: self.changes, then });
        }
        self.now
    }

    /// Lets effects go whose changes are kept.
    pub fn carry_out(&mut self, then: Vec<Effect>) {
        for effect in then {
            match effect {
                Effect::IfNotKept(_) => continue,
                Effect::Permitted(token, _) => {
                    for live in self.state.live.values_mut() {
                        live.parked.retain(|_, parked| parked.token != token);
                    }
                }
                _ => {}
            }
            self.now.push(effect);
        }
    }

    /// Whether a lane exists and is not closed.
    pub fn is_open(&self, lane: LaneId) -> bool {
        self.state.model.lanes.get(&lane).is_some_and(|l| l.stage != LaneStage::Closed)
    }

    /// A lane's volatile facts.
    pub fn live(&mut self, lane: LaneId) -> &mut LiveLane {
        self.state.live.entry(lane).or_default()
    }

    /// Moves a prompt by an event, keeping result and error as given.
    pub fn move_prompt(
        &mut self,
        prompt: PromptId,
        event: PromptEvent,
        result: Option<String>,
        error: Option<String>,
    ) -> Result<(), IllegalTransition> {
        let Some(p) = self.state.model.prompts.get(&prompt) else { return Ok(()) };
        let state = p.state.next(event)?;
        let lane = p.lane;
        self.change(Change::PromptMoved { prompt, state, result, error, at: self.env.now });
        if state.ended() {
            self.change(Change::LaneSeen { lane, seen: Seen::No });
        }
        Ok(())
    }

    /// Moves a prompt by an event that is known to fit, or leaves it as it is.
    pub fn nudge_prompt(&mut self, prompt: PromptId, event: PromptEvent) {
        let error = self.state.model.prompts.get(&prompt).and_then(|p| p.error.clone());
        let _moved_or_not_due = self.move_prompt(prompt, event, None, error);
    }

    /// Moves a lane's stage by an event.
    pub fn move_lane(
        &mut self,
        lane: LaneId,
        event: LaneStageEvent,
        error: Option<String>,
    ) -> Result<(), IllegalTransition> {
        let Some(l) = self.state.model.lanes.get(&lane) else { return Ok(()) };
        let stage = l.stage.next(event)?;
        self.change(Change::LaneMoved { lane, stage, error, at: self.env.now });
        Ok(())
    }

    /// Adds an entry to a lane's transcript.
    pub fn entry(&mut self, lane: LaneId, prompt: Option<PromptId>, body: EntryBody) {
        let entry = Entry { lane, seq: self.state.model.next_seq(lane), prompt, at: self.env.now, body };
        self.change(Change::EntryAdded { entry: Box::new(entry) });
    }

    /// Adds a notice to a lane's transcript.
    pub fn notice(&mut self, lane: LaneId, level: NoticeLevel, text: impl Into<String>) {
        let prompt = self.state.model.active_prompt(lane).map(|p| p.id);
        self.entry(lane, prompt, EntryBody::Notice { level, text: text.into() });
    }

    /// Adds a line to the activity tab.
    pub fn activity(&mut self, lane: Option<LaneId>, text: impl Into<String>) {
        self.state.activity.push_back(ActivityLine { at: self.env.now, lane, text: text.into() });
        if self.state.activity.len() > State::ACTIVITY {
            self.state.activity.pop_front();
        }
    }

    /// Adds a problem, unless the same is known already.
    pub fn problem(&mut self, lane: Option<LaneId>, report: Report) {
        let known = |p: &Problem| p.lane == lane && p.report.message == report.message;
        if !self.state.problems.iter().any(known) {
            self.activity(lane, report.message.clone());
            self.state.problems.push(Problem { lane, report, since: self.env.now });
        }
        // The list is for a person; the oldest go when it is longer than anyone would read.
        if self.state.problems.len() > 200 {
            self.state.problems.remove(0);
        }
    }

    /// Nobody answers this question any more. Whether it was still open.
    pub fn expire(&mut self, approval: ApprovalId, state: ApprovalState) -> bool {
        let Ok(state) = state.next(ApprovalEvent::Expire) else { return false };
        let (scope, reason, arguments, by, at) = (None, None, None, None, self.env.now);
        self.change(Change::ApprovalMoved { approval, state, scope, reason, arguments, by, at });
        true
    }

    /// Shows the outcome of something in a window for a while.
    pub fn toast(&mut self, window: WindowId, report: Report) {
        let now = self.env.now;
        if let Some(window) = self.state.windows.get_mut(&window) {
            window.toast(report, now);
        }
    }

    /// Rings for a lane that waits for the person or is done, unless the person has it before their eyes.
    pub fn call(&mut self, lane: LaneId, text: String) {
        self.ring_for(lane, 1, text);
    }

    /// Rings because a lane's program wants to be looked at, unless the person does.
    pub fn attract(&mut self, lane: LaneId, text: String) {
        self.ring_for(lane, 0, text);
    }

    /// A program that rings without end is heard once in a while.
    fn ring_for(&mut self, lane: LaneId, weight: usize, text: String) {
        let now = self.env.now;
        if self.state.attended(lane) {
            return;
        }
        let rang = &mut self.live(lane).rang;
        if rang[weight..].iter().flatten().any(|last| now.duration_since(*last) < RING_PAUSE) {
            return;
        }
        rang[weight] = Some(now);
        self.ring(text);
    }

    /// Rings once in every window.
    pub fn ring(&mut self, text: impl Into<String>) {
        self.then.push(Effect::Ring(text.into()));
    }

    /// Ends everything in order.
    pub fn end(&mut self, words: &str) {
        self.state.ending = true;
        for window in self.state.windows.keys() {
            self.then.push(Effect::EndWindow(*window, EndReason::Quit, words.to_owned()));
        }
        self.then.push(Effect::Shutdown);
    }
}

impl From<IllegalTransition> for Report {
    fn from(error: IllegalTransition) -> Self {
        Self::refused(error.to_string())
    }
}
