//! What is kept: the model that committed changes make, and the rules that the real store has about them.

use std::collections::BTreeMap;

use paralane::app::Model;
use paralane::domain::{Change, Entry, LaneId, LaneStage, Snapshot};

/// The durable state.
#[derive(Default)]
pub struct Disk {
    /// What all kept changes come to.
    pub model: Model,
    /// Whole transcripts, also those of closed lanes.
    pub entries: BTreeMap<LaneId, Vec<Entry>>,
}

impl Disk {
    pub fn keep(&mut self, changes: &[Change]) {
        for change in changes {
            self.check(change);
            if let Change::EntryAdded { entry } = change {
                self.entries.entry(entry.lane).or_default().push((**entry).clone());
            }
            self.model.apply(change);
        }
    }

    /// The store refuses rows twice and changes of rows that it does not know.
    fn check(&self, change: &Change) {
        let lane = |id: &LaneId| assert!(self.model.lanes.contains_key(id), "{change:?} names an unknown lane");
        let prompt = |id| assert!(self.model.prompts.contains_key(id), "{change:?} names an unknown prompt");
        match change {
            Change::LaneAdded { lane } => {
                let taken = |l: &&paralane::domain::Lane| l.stage != LaneStage::Closed && l.name == lane.name;
                assert!(!self.model.lanes.contains_key(&lane.id) && !self.model.lanes.values().any(|l| taken(&l)));
            }
            Change::PromptAdded { prompt } => {
                lane(&prompt.lane);
                assert!(!self.model.prompts.contains_key(&prompt.id), "{} is added twice", prompt.id);
            }
            Change::EntryAdded { entry } => {
                lane(&entry.lane);
                if let Some(id) = &entry.prompt {
                    prompt(id);
                }
                let last = self.entries.get(&entry.lane).and_then(|e| e.last()).map_or(0, |e| e.seq);
                assert_eq!(entry.seq, last + 1, "a transcript has no gaps and no entry twice");
            }
            Change::ApprovalAdded { approval } => {
                lane(&approval.lane);
                prompt(&approval.prompt);
                assert!(!self.model.approvals.contains_key(&approval.id), "{} is added twice", approval.id);
            }
            Change::ConflictAdded { conflict } => {
                lane(&conflict.with);
                prompt(&conflict.prompt);
                assert!(!self.model.conflicts.contains_key(&conflict.id), "{} is added twice", conflict.id);
            }
            Change::ReservationAdded { reservation } => lane(&reservation.lane),
            Change::CallMoved { lane: of, prompt: by, .. } => {
                lane(of);
                prompt(by);
            }
            Change::LaneMoved { lane: id, .. }
            | Change::LaneRenamed { lane: id, .. }
            | Change::LanePlaced { lane: id, .. }
            | Change::LaneSetUp { lane: id, .. }
            | Change::LaneModeSet { lane: id, .. }
            | Change::LaneKindSet { lane: id, .. }
            | Change::LaneSeen { lane: id, .. }
            | Change::PathsWritten { lane: id, .. } => lane(id),
            Change::PromptMoved { prompt: id, .. }
            | Change::PromptEdited { prompt: id, .. }
            | Change::PromptHeld { prompt: id, .. }
            | Change::PromptOverrode { prompt: id, .. } => prompt(id),
            Change::PromptPlaced { prompt: id, lane: to, .. } => {
                prompt(id);
                lane(to);
            }
            Change::ApprovalMoved { approval, .. } => assert!(self.model.approvals.contains_key(approval)),
            Change::ConflictMoved { conflict, .. } => assert!(self.model.conflicts.contains_key(conflict)),
            _ => {}
        }
    }

    /// A closed lane comes back: its transcript is read again.
    pub fn recall(&mut self, lane: LaneId) -> Vec<Entry> {
        let entries = self.entries.get(&lane).cloned().unwrap_or_default();
        self.model.recall(lane, entries.clone());
        entries
    }

    /// Everything is loaded again, as after a start: of closed lanes only the last entry is.
    pub fn load(&mut self) -> Snapshot {
        let snapshot = self.snapshot();
        self.model = Model::from_snapshot(snapshot.clone());
        snapshot
    }

    fn snapshot(&self) -> Snapshot {
        let model = self.model.clone();
        // Of a closed lane only the last entry is loaded: it tells where the transcript goes on.
        let closed = |lane: &LaneId| model.lanes[lane].stage == LaneStage::Closed;
        let loaded = |(lane, all): (&LaneId, &Vec<Entry>)| {
            let from = if closed(lane) { all.len() - 1 } else { 0 };
            all[from..].to_vec()
        };
        let entries = self.entries.iter().flat_map(loaded).collect();
        let written = model.written.into_iter().flat_map(|(lane, paths)| paths.into_iter().map(move |p| (lane, p)));
        Snapshot {
            entries,
            lanes: model.lanes.into_values().collect(),
            prompts: model.prompts.into_values().collect(),
            approvals: model.approvals.into_values().collect(),
            conflicts: model.conflicts.into_values().collect(),
            reservations: model.reservations.into_values().collect(),
            calls: model.calls.into_iter().map(|((lane, call), state)| (lane, call, state)).collect(),
            remembered: model.remembered.into_iter().collect(),
            written: written.collect(),
            mode: model.mode,
            model: model.model,
            trusted: model.trusted.into_iter().collect(),
            last_ids: model.last_ids,
        }
    }
}
