//! The durable part of the state in memory: the same as the store's, by applying the same changes.

mod apply;
mod lane_state;
mod prompts;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use crate::domain::{
    Approval, ApprovalId, ApprovalState, Budget, BudgetId, CallId, CallState, Checkpoint, Conflict, ConflictId,
    ConflictKind, Entry, EntryBody, Fact, FactId, Lane, LaneId, LaneStage, LastIds, Layer, LayersOff, Ledger,
    LeftBehind, Mode, Party, Prompt, PromptId, Reservation, ReservationId, RuleText, SharedWork, Snapshot,
};

pub use prompts::Prompts;

/// Ended prompts kept in memory.
const ENDED_PROMPTS: usize = 1_000;
/// Answered approvals, and as many ended conflicts, kept in memory.
const ENDED_QUESTIONS: usize = 500;

/// The durable state in memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Model {
    /// Every lane, closed ones too.
    pub lanes: BTreeMap<LaneId, Lane>,
    /// Open prompts, and the newest ended ones.
    pub prompts: Prompts,
    /// Approvals: pending ones, and the newest answered ones.
    pub approvals: BTreeMap<ApprovalId, Approval>,
    /// Conflicts: open ones, and the newest ended ones.
    pub conflicts: BTreeMap<ConflictId, Conflict>,
    /// Reservations.
    pub reservations: BTreeMap<ReservationId, Reservation>,
    /// Issues, offers, queues for holds, mail, plan, reports.
    pub shared: SharedWork,
    /// The newest entries of each lane, shared with views.
    pub entries: BTreeMap<LaneId, VecDeque<Arc<Entry>>>,
    /// Entries before these that decide what of them counts: notes and rewinds, the newest.
    pub landmarks: BTreeMap<LaneId, VecDeque<Arc<Entry>>>,
    /// Which of these entries are left behind, of lanes that were rewound.
    pub left_behind: BTreeMap<LaneId, LeftBehind>,
    /// Points to go back to.
    pub checkpoints: BTreeMap<(LaneId, u64), Checkpoint>,
    /// Calls that are not finished.
    pub calls: BTreeMap<(LaneId, CallId), CallState>,
    /// Remembered answers: lane (none means every lane), tool, exact action.
    pub remembered: BTreeSet<(Option<LaneId>, String, String)>,
    /// Paths written by turns that are not over.
    pub written: BTreeMap<LaneId, BTreeSet<String>>,
    /// Rules of single lanes.
    pub lane_rules: BTreeMap<LaneId, Vec<RuleText>>,
    /// Layers of lanes' contexts that are switched off.
    pub layers_off: BTreeSet<(LaneId, Layer)>,
    /// What model calls use and cost.
    pub ledger: Ledger,
    /// Budgets that the person set.
    pub budgets: BTreeMap<BudgetId, Budget>,
    /// What is remembered of the project.
    pub facts: BTreeMap<FactId, Fact>,
    /// The mode the person set for lanes without one of their own.
    pub mode: Option<Mode>,
    /// The provider and model the person chose for own agents.
    pub model: Option<(String, String)>,
    /// Hashes of project configurations that the person trusted.
    pub trusted: BTreeSet<String>,
    /// The highest id given in each kind.
    pub last_ids: LastIds,
}

impl Model {
    /// Entries of one lane kept in memory; older ones stay in the store, and come back while someone looks at them.
    pub const ENTRIES: usize = 2_000;

    /// The model of what the store holds.
    #[must_use]
    pub fn from_snapshot(snapshot: Snapshot) -> Self {
        let mut written: BTreeMap<LaneId, BTreeSet<String>> = BTreeMap::new();
        for (lane, path) in snapshot.written {
            written.entry(lane).or_default().insert(path);
        }
        let mut entries: BTreeMap<LaneId, VecDeque<Arc<Entry>>> = BTreeMap::new();
        let mut landmarks: BTreeMap<LaneId, VecDeque<Arc<Entry>>> = BTreeMap::new();
        for entry in snapshot.entries {
            let of = entries.entry(entry.lane).or_default();
            // A transcript has no gaps: what stands before one came along for what it says.
            if of.back().is_some_and(|last| last.seq + 1 < entry.seq) {
                landmarks.entry(entry.lane).or_default().append(of);
            }
            of.push_back(Arc::new(entry));
        }
        let mut model = Self {
            lanes: snapshot.lanes.into_iter().map(|l| (l.id, l)).collect(),
            prompts: snapshot.prompts.into_iter().collect(),
            approvals: snapshot.approvals.into_iter().map(|a| (a.id, a)).collect(),
            conflicts: snapshot.conflicts.into_iter().map(|c| (c.id, c)).collect(),
            reservations: snapshot.reservations.into_iter().map(|r| (r.id, r)).collect(),
            shared: snapshot.shared,
            entries,
            landmarks,
            left_behind: BTreeMap::new(),
            checkpoints: snapshot.checkpoints.into_iter().map(|c| ((c.lane, c.number), c)).collect(),
            calls: snapshot.calls.into_iter().map(|(lane, call, state)| ((lane, call), state)).collect(),
            remembered: snapshot.remembered.into_iter().collect(),
            written,
            lane_rules: snapshot.lane_rules.into_iter().collect(),
            layers_off: snapshot.layers_off.into_iter().collect(),
            ledger: snapshot.ledger,
            budgets: snapshot.budgets.into_iter().collect(),
            facts: snapshot.facts.into_iter().map(|fact| (fact.id, fact)).collect(),
            mode: snapshot.mode,
            model: snapshot.model,
            trusted: snapshot.trusted.into_iter().collect(),
            last_ids: snapshot.last_ids,
        };
        let lanes: Vec<LaneId> = model.entries.keys().copied().collect();
        for lane in lanes {
            model.look_back(lane);
        }
        model
    }

    /// Finds anew which of a lane's entries are left behind.
    fn look_back(&mut self, lane: LaneId) {
        let left = LeftBehind::of(self.entries(lane).map(Arc::as_ref));
        if left.is_empty() {
            self.left_behind.remove(&lane);
        } else {
            self.left_behind.insert(lane, left);
        }
    }

    /// Whether an entry is left behind: kept and shown as such, and told to no model.
    #[must_use]
    pub fn is_left_behind(&self, lane: LaneId, seq: u64) -> bool {
        self.left_behind.get(&lane).is_some_and(|left| left.has(seq))
    }

    /// A lane's checkpoints, oldest first.
    pub fn checkpoints(&self, lane: LaneId) -> impl DoubleEndedIterator<Item = &Checkpoint> {
        self.checkpoints.range((lane, 0)..=(lane, u64::MAX)).map(|(_, checkpoint)| checkpoint)
    }

    /// Lanes that are not closed, in the order of the lane list; the first has number 1.
    pub fn open_lanes(&self) -> impl Iterator<Item = &Lane> {
        self.lanes.values().filter(|l| l.stage != LaneStage::Closed)
    }

    /// A lane's number in the list, from 1; none when it is closed.
    #[must_use]
    pub fn number(&self, lane: LaneId) -> Option<usize> {
        self.open_lanes().position(|l| l.id == lane).map(|i| i + 1)
    }

    /// The lane with this number in the list.
    #[must_use]
    pub fn lane_at(&self, number: usize) -> Option<&Lane> {
        self.open_lanes().nth(number.checked_sub(1)?)
    }

    /// The open lane of this name.
    #[must_use]
    pub fn lane_named(&self, name: &str) -> Option<&Lane> {
        self.open_lanes().find(|l| l.name.as_str() == name)
    }

    /// The newest closed lane of this name.
    #[must_use]
    pub fn closed_lane_named(&self, name: &str) -> Option<&Lane> {
        self.lanes.values().rev().find(|l| l.stage == LaneStage::Closed && l.name.as_str() == name)
    }

    /// A lane's name for people, also when it is closed.
    #[must_use]
    pub fn name(&self, lane: LaneId) -> String {
        self.lanes.get(&lane).map_or_else(|| lane.to_string(), |l| l.name.to_string())
    }

    /// With whom, or with what, a conflict is.
    #[must_use]
    pub fn met(&self, conflict: &Conflict) -> String {
        match conflict.kind {
            ConflictKind::Base => "the base checkout".to_owned(),
            _ => self.name(conflict.with),
        }
    }

    /// A party's name for people.
    #[must_use]
    pub fn party(&self, party: Party) -> String {
        match party {
            Party::Operator => Party::OPERATOR.to_owned(),
            Party::House => Party::HOUSE.to_owned(),
            Party::Lane(lane) => self.name(lane),
        }
    }

    /// A lane's prompts that have not ended, in the order they run: the active one first.
    #[must_use]
    pub fn queue(&self, lane: LaneId) -> Vec<&Prompt> {
        let mut queue: Vec<_> = self.prompts.open(lane).collect();
        queue.sort_by_key(|p| (!p.state.active(), p.priority, p.position, p.id));
        queue
    }

    /// The prompt whose turn holds the lane's worker, if any.
    #[must_use]
    pub fn active_prompt(&self, lane: LaneId) -> Option<&Prompt> {
        self.prompts.open(lane).find(|p| p.state.active())
    }

    /// A lane's newest prompt that has ended.
    #[must_use]
    pub fn last_ended(&self, lane: LaneId) -> Option<&Prompt> {
        self.prompts.values().filter(|p| p.lane == lane && p.state.ended()).max_by_key(|p| (p.since, p.id))
    }

    /// Pending approvals, oldest first.
    pub fn pending_approvals(&self) -> impl DoubleEndedIterator<Item = &Approval> {
        self.approvals.values().filter(|a| a.state == ApprovalState::Pending)
    }

    /// Open conflicts that hold something back, oldest first.
    pub fn open_conflicts(&self) -> impl DoubleEndedIterator<Item = &Conflict> {
        self.conflicts.values().filter(|c| c.state.open())
    }

    /// The approval that belongs to a call, newest first.
    #[must_use]
    pub fn approval_of(&self, lane: LaneId, call: &CallId) -> Option<&Approval> {
        self.approvals.values().rev().find(|a| a.lane == lane && a.call == *call)
    }

    /// The prompt whose turn made a call, as far as the transcript in memory tells.
    #[must_use]
    pub fn prompt_of_call(&self, lane: LaneId, call: &CallId) -> Option<PromptId> {
        let own = call.parent().unwrap_or_else(|| call.clone());
        let made = |e: &&Arc<Entry>| matches!(&e.body, EntryBody::Call { call: made, .. } if made.id == own);
        self.entries(lane).rev().find(made).and_then(|e| e.prompt)
    }

    /// The layers of a lane's context that are switched off.
    #[must_use]
    pub fn layers_off(&self, lane: LaneId) -> LayersOff {
        self.layers_off.iter().filter(|(of, _)| *of == lane).map(|(_, layer)| *layer).collect()
    }

    /// A lane's entries, oldest first.
    pub fn entries(&self, lane: LaneId) -> impl DoubleEndedIterator<Item = &Arc<Entry>> + ExactSizeIterator {
        static NONE: VecDeque<Arc<Entry>> = VecDeque::new();
        self.entries.get(&lane).unwrap_or(&NONE).iter()
    }

    /// Entries before those in memory that are remembered all the same.
    pub const LANDMARKS: usize = 32;

    /// All that is in memory of what a lane's model is told from: landmarks, then the entries.
    #[must_use]
    pub fn conversation(&self, lane: LaneId) -> Vec<Entry> {
        let first = self.entries(lane).next().map_or(u64::MAX, |entry| entry.seq);
        let landmarks = self.landmarks.get(&lane).into_iter().flatten().filter(|entry| entry.seq < first);
        landmarks.chain(self.entries(lane)).map(|entry| (**entry).clone()).collect()
    }

    /// Lets the oldest entries of a lane go; landmarks among them are remembered.
    pub(in crate::app) fn let_go(&mut self, lane: LaneId, count: usize) {
        let Some(entries) = self.entries.get_mut(&lane) else { return };
        let gone: Vec<Arc<Entry>> = entries.drain(..count.min(entries.len())).collect();
        for entry in gone.into_iter().filter(|entry| entry.body.is_landmark()) {
            let known = self.landmarks.entry(lane).or_default();
            if known.back().is_none_or(|last| last.seq < entry.seq) {
                known.push_back(entry);
            }
            if known.len() > Self::LANDMARKS {
                known.pop_front();
            }
        }
    }

    /// Takes back entries that the memory had let go: those before the ones it has. Older landmarks may stand before
    /// them.
    pub fn recall(&mut self, lane: LaneId, older: Vec<Entry>) {
        let mut first = self.entries(lane).next().map_or(u64::MAX, |e| e.seq);
        let mut landmarks = VecDeque::new();
        // A lane that has said nothing stays without a list, as after a start.
        for entry in older.into_iter().rev() {
            if entry.seq >= first {
                continue;
            }
            if first != u64::MAX && entry.seq + 1 < first {
                landmarks.push_front(Arc::new(entry));
                continue;
            }
            first = entry.seq;
            self.entries.entry(lane).or_default().push_front(Arc::new(entry));
        }
        if !landmarks.is_empty() {
            self.landmarks.insert(lane, landmarks);
        }
        if self.entries(lane).any(|e| matches!(e.body, EntryBody::Rewound { .. })) {
            self.look_back(lane);
        }
    }

    /// The next entry's place in a lane's transcript.
    #[must_use]
    pub fn next_seq(&self, lane: LaneId) -> u64 {
        self.entries(lane).next_back().map_or(1, |e| e.seq + 1)
    }
}
