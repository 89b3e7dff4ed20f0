//! What a person sees of a lane, derived from its stage, prompts, approvals and conflicts.

use jiff::Timestamp;

use crate::domain::{ConflictState, LaneId, LaneKind, LaneStage, LaneState, Prompt, PromptState, WaitReason};

use super::super::Activity;
use super::Model;

impl Model {
    /// The lane's shown state, where its pane's program is at `activity`.
    #[must_use]
    pub fn lane_state(&self, id: LaneId, activity: Activity) -> LaneState {
        let Some(lane) = self.lanes.get(&id) else { return LaneState::Ended };
        if self.needs_person(id) || activity == Activity::Asks {
            return LaneState::NeedsYou;
        }
        match lane.stage {
            LaneStage::Creating => return LaneState::Starting,
            LaneStage::Paused => return LaneState::Paused,
            LaneStage::Failed => return LaneState::Failed,
            LaneStage::Ended | LaneStage::Closed => return LaneState::Ended,
            LaneStage::Open => {}
        }
        let queue = self.queue(id);
        if queue.iter().any(|p| matches!(p.state, PromptState::Preflight | PromptState::Running)) {
            return LaneState::Working;
        }
        if let Some(conflict) = self.conflicts.values().find(|c| c.lane == id && c.state == ConflictState::Waiting)
            && let Some(with) = self.lanes.get(&conflict.with)
        {
            return LaneState::Waiting(WaitReason::Lane(with.name.clone()));
        }
        if queue.iter().any(|p| p.state == PromptState::Paused) {
            return LaneState::Paused;
        }
        if queue.iter().any(|p| p.state == PromptState::Queued) {
            // A plain program that is busy with something else takes its queue when it is ready.
            let pane = matches!(lane.kind, LaneKind::Pane { .. });
            return if pane && activity == Activity::Work {
                LaneState::Working
            } else {
                LaneState::Waiting(WaitReason::Limit)
            };
        }
        // What the person has not seen yet goes before what is to come.
        match self.unseen_end(id).map(|p| p.state) {
            Some(PromptState::Failed) => return LaneState::Failed,
            Some(PromptState::Done) => return LaneState::Done,
            _ => {}
        }
        let held = queue.iter().filter(|p| p.state == PromptState::Held).find_map(|p| p.hold);
        if let Some(reason) = held.and_then(|hold| {
            let moment = hold.moment().map(WaitReason::Time);
            moment.or_else(|| hold.other().map(WaitReason::Prompt)).or_else(|| hold.issue().map(WaitReason::Issue))
        }) {
            return LaneState::Waiting(reason);
        }
        match activity {
            Activity::Work => LaneState::Working,
            Activity::Finished => LaneState::Done,
            Activity::Fails => LaneState::Failed,
            Activity::Absent | Activity::Rest | Activity::Asks => LaneState::Idle,
        }
    }

    /// The lane's last ended prompt, if the person has not looked at the lane since.
    fn unseen_end(&self, id: LaneId) -> Option<&Prompt> {
        self.lanes.get(&id).filter(|lane| !lane.seen).and_then(|_| self.last_ended(id))
    }

    /// Whether something in the lane waits for the person.
    #[must_use]
    pub fn needs_person(&self, id: LaneId) -> bool {
        self.pending_approvals().any(|a| a.lane == id)
            || self.conflicts.values().any(|c| c.lane == id && c.state == ConflictState::Pending && c.kind.holds_back())
            || self.prompts.open(id).any(|p| p.state.needs_person())
    }

    /// Since when the lane has been in its state, as far as durable facts tell: since it began to need the
    /// person, since its turn stands as it stands, or since something last ended or changed its stage.
    #[must_use]
    pub fn state_since(&self, id: LaneId) -> Option<Timestamp> {
        let lane = self.lanes.get(&id)?;
        let approvals = self.pending_approvals().filter(|a| a.lane == id).map(|a| a.created);
        let conflicts = self.open_conflicts().filter(|c| c.lane == id).map(|c| c.created);
        if let Some(asked) = approvals.chain(conflicts).min() {
            return Some(asked);
        }
        if let Some(active) = self.active_prompt(id) {
            return Some(active.since);
        }
        let open = || self.prompts.open(id);
        let waits = |p: &&Prompt| matches!(p.state, PromptState::Queued | PromptState::Held);
        if let Some(stopped) = open().filter(|p| !waits(p)).map(|p| p.since).max() {
            return Some(stopped);
        }
        let unseen = self.unseen_end(id).filter(|_| open().all(|p| p.state == PromptState::Held));
        if let Some(ended) = unseen.filter(|p| matches!(p.state, PromptState::Done | PromptState::Failed)) {
            return Some(ended.since);
        }
        if let Some(waiting) = open().map(|p| p.since).min() {
            return Some(waiting.max(lane.since));
        }
        let ended = self.prompts.values().filter(|p| p.lane == id && p.state.ended()).map(|p| p.since).max();
        Some(ended.map_or(lane.since, |at| at.max(lane.since)))
    }
}
