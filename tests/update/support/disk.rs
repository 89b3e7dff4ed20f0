//! What is kept: the model that committed changes make, and the rules that the real store has about them.

use std::collections::BTreeMap;

use paralane::app::{ApprovalQuery, Model};
use paralane::domain::{
    Change, Entry, Event, Fact, Lane, LaneId, LaneStage, MailChange, MailFilter, MailHit, MailPage, MailQuery, Message,
    MessageId, Snapshot,
};

/// The durable state.
#[derive(Default)]
pub struct Disk {
    /// What all kept changes come to.
    pub model: Model,
    /// Whole transcripts, also those of closed lanes.
    pub entries: BTreeMap<LaneId, Vec<Entry>>,
    /// What became of approvals.
    pub history: Vec<Event>,
    /// What hooks were answered: history alone has it.
    pub log: Vec<Change>,
    /// Every message.
    pub mail: BTreeMap<MessageId, Message>,
}

impl Disk {
    /// Answers what of the questions about mail the tests ask.
    pub fn mail(&self, query: &MailQuery) -> MailPage {
        let hit = |message: &Message| MailHit { message: message.clone(), recipients: Vec::new() };
        let messages = match query {
            MailQuery::One(id) => self.mail.get(id).map(hit).into_iter().collect(),
            MailQuery::List { party: Some(party), filter: MailFilter::Unread, .. } => {
                let unread = self.model.shared.mail.unread.get(party);
                unread.into_iter().flatten().filter_map(|(id, _)| self.mail.get(id)).map(hit).collect()
            }
            other => panic!("no test has asked {other:?} so far"),
        };
        MailPage { messages, ..MailPage::default() }
    }

    /// Keeps changes, all or none.
    pub fn keep(&mut self, changes: &[Change]) -> Result<(), String> {
        let (model, entries) = (self.model.clone(), self.entries.clone());
        for change in changes {
            if let Err(rule) = self.check(change) {
                (self.model, self.entries) = (model, entries);
                return Err(format!("{change:?}: {rule}"));
            }
            if let Change::EntryAdded { entry } = change {
                self.entries.entry(entry.lane).or_default().push((**entry).clone());
            }
            if let Some((lane, at)) = self.asked(change) {
                let seq = self.history.len() as u64 + 1;
                let body = serde_json::to_string(change).unwrap();
                self.history.push(Event { seq, at, lane: Some(lane), body });
            }
            if let Change::Mail(MailChange::Sent { message }) = change {
                self.mail.insert(message.id, (**message).clone());
            }
            if matches!(change, Change::HookAnswered { .. }) {
                self.log.push(change.clone());
            }
            self.model.apply(change);
        }
        Ok(())
    }

    /// The store refuses rows twice and changes of rows that it does not know.
    fn check(&self, change: &Change) -> Result<(), &'static str> {
        let that = |holds: bool, rule: &'static str| if holds { Ok(()) } else { Err(rule) };
        let lane = |id: &LaneId| that(self.model.lanes.contains_key(id), "an unknown lane");
        let prompt = |id| that(self.model.prompts.contains_key(id), "an unknown prompt");
        match change {
            Change::LaneAdded { lane } => {
                let taken = |l: &Lane| l.stage != LaneStage::Closed && l.name == lane.name;
                that(!self.model.lanes.contains_key(&lane.id), "a lane twice")?;
                that(!self.model.lanes.values().any(taken), "a name twice")
            }
            Change::PromptAdded { prompt } => {
                lane(&prompt.lane)?;
                that(!self.model.prompts.contains_key(&prompt.id), "a prompt twice")
            }
            Change::EntryAdded { entry } => {
                lane(&entry.lane)?;
                entry.prompt.as_ref().map_or(Ok(()), prompt)?;
                let last = self.entries.get(&entry.lane).and_then(|e| e.last()).map_or(0, |e| e.seq);
                that(entry.seq > last, "a place in a transcript twice")
            }
            Change::ApprovalAdded { approval } => {
                lane(&approval.lane)?;
                approval.prompt.as_ref().map_or(Ok(()), prompt)?;
                that(!self.model.approvals.contains_key(&approval.id), "an approval twice")
            }
            Change::ConflictAdded { conflict } => {
                lane(&conflict.with)?;
                prompt(&conflict.prompt)?;
                that(!self.model.conflicts.contains_key(&conflict.id), "a conflict twice")
            }
            Change::ReservationAdded { reservation } => lane(&reservation.lane),
            Change::CallMoved { lane: of, prompt: by, .. } => lane(of).and_then(|()| prompt(by)),
            Change::LaneMoved { lane: id, .. }
            | Change::LaneRenamed { lane: id, .. }
            | Change::LanePlaced { lane: id, .. }
            | Change::LaneSetUp { lane: id, .. }
            | Change::LaneModeSet { lane: id, .. }
            | Change::LayerSwitched { lane: id, .. }
            | Change::LaneKindSet { lane: id, .. }
            | Change::HookAnswered { lane: id, .. }
            | Change::LaneSeen { lane: id, .. }
            | Change::PathsWritten { lane: id, .. } => lane(id),
            Change::PromptMoved { prompt: id, .. }
            | Change::PromptEdited { prompt: id, .. }
            | Change::PromptHeld { prompt: id, .. }
            | Change::PromptOverrode { prompt: id, .. } => prompt(id),
            Change::PromptPlaced { prompt: id, lane: to, .. } => prompt(id).and_then(|()| lane(to)),
            Change::ApprovalMoved { approval, .. } | Change::ApprovalConfirmed { approval, .. } => {
                that(self.model.approvals.contains_key(approval), "an unknown approval")
            }
            Change::FactKept { fact } => {
                let same = |old: &Fact| old.text == fact.text && old.id != fact.id;
                that(!self.model.facts.values().any(same), "a fact twice")
            }
            Change::FactForgotten { fact } => that(self.model.facts.contains_key(fact), "an unknown fact"),
            Change::ConflictMoved { conflict, .. } => {
                that(self.model.conflicts.contains_key(conflict), "an unknown conflict")
            }
            _ => Ok(()),
        }
    }

    /// The lane and the moment of a change of an approval.
    fn asked(&self, change: &Change) -> Option<(LaneId, jiff::Timestamp)> {
        match change {
            Change::ApprovalAdded { approval } => Some((approval.lane, approval.created)),
            Change::ApprovalMoved { approval, at, .. } | Change::ApprovalConfirmed { approval, at, .. } => {
                Some((self.model.approvals[approval].lane, *at))
            }
            _ => None,
        }
    }

    pub fn approval_events(&self, query: ApprovalQuery) -> Vec<Event> {
        let of = |event: &&Event| query.lane.is_none() || event.lane == query.lane;
        let mut events: Vec<Event> = self.history.iter().rev().filter(of).take(query.last).cloned().collect();
        events.reverse();
        events
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
            checkpoints: model.checkpoints.into_values().collect(),
            conflicts: model.conflicts.into_values().collect(),
            reservations: model.reservations.into_values().collect(),
            shared: model.shared,
            calls: model.calls.into_iter().map(|((lane, call), state)| (lane, call, state)).collect(),
            remembered: model.remembered.into_iter().collect(),
            written: written.collect(),
            layers_off: model.layers_off.into_iter().collect(),
            lane_rules: model.lane_rules.into_iter().collect(),
            ledger: model.ledger,
            budgets: model.budgets.into_iter().collect(),
            facts: model.facts.into_values().collect(),
            mode: model.mode,
            model: model.model,
            trusted: model.trusted.into_iter().collect(),
            last_ids: model.last_ids,
        }
    }
}
