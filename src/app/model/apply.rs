//! One change applied to the model in memory. The store applies the same change to its tables.

use std::sync::Arc;

use crate::domain::{
    ApprovalState, CallState, Change, EntryBody, HoldChange, LaneId, LaneStage, Reservation, ReservationId, Seen,
};

use super::{ENDED_PROMPTS, ENDED_QUESTIONS, Model};

impl Model {
    /// Applies one change. A change that names something unknown changes nothing.
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::LaneAdded { lane } => {
                self.last_ids.lane = self.last_ids.lane.max(lane.id.0);
                self.lanes.insert(lane.id, (**lane).clone());
            }
            Change::LaneMoved { lane, stage, error, at } => {
                if let Some(l) = self.lanes.get_mut(lane) {
                    l.stage = *stage;
                    l.error.clone_from(error);
                    l.since = *at;
                }
                if *stage == LaneStage::Closed {
                    self.forget_closed(*lane);
                }
            }
            Change::LaneRenamed { lane, name } => self.lane(*lane, |l| l.name = name.clone()),
            Change::LanePlaced { lane, place } => self.lane(*lane, |l| l.place = place.clone()),
            Change::LaneSetUp { lane, done } => self.lane(*lane, |l| l.set_up = *done),
            Change::LaneModeSet { lane, mode } => self.lane(*lane, |l| l.mode = *mode),
            Change::LaneKindSet { lane, kind } => self.lane(*lane, |l| l.kind = kind.clone()),
            Change::LayerSwitched { lane, layer, on } => {
                if *on {
                    self.layers_off.remove(&(*lane, *layer));
                } else if self.lanes.contains_key(lane) {
                    self.layers_off.insert((*lane, *layer));
                }
            }
            Change::LaneRulesSet { lane, rules } => {
                if rules.is_empty() {
                    self.lane_rules.remove(lane);
                } else {
                    self.lane_rules.insert(*lane, rules.clone());
                }
            }
            Change::LaneSeen { lane, seen } => self.lane(*lane, |l| l.seen = *seen == Seen::Yes),
            Change::PromptAdded { prompt } => {
                self.last_ids.prompt = self.last_ids.prompt.max(prompt.id.0);
                self.prompts.insert((**prompt).clone());
            }
            Change::PromptMoved { prompt, state, result, error, at } => {
                self.prompts.change(*prompt, |p| {
                    if *state == crate::domain::PromptState::Running && p.started.is_none() {
                        p.started = Some(*at);
                    }
                    p.state = *state;
                    p.result.clone_from(result);
                    p.error.clone_from(error);
                    p.since = *at;
                });
                if state.ended() {
                    self.prune_prompts();
                }
            }
            Change::PromptEdited { prompt, text } => self.prompts.change(*prompt, |p| p.text.clone_from(text)),
            Change::PromptPlaced { prompt, lane, position, priority } => self.prompts.change(*prompt, |p| {
                p.lane = *lane;
                p.position = *position;
                p.priority = *priority;
            }),
            Change::PromptHeld { prompt, hold } => self.prompts.change(*prompt, |p| p.hold = *hold),
            Change::PromptOverrode { prompt, lanes } => self.prompts.change(*prompt, |p| {
                for lane in lanes {
                    if !p.overridden.contains(lane) {
                        p.overridden.push(*lane);
                    }
                }
            }),
            Change::EntryAdded { entry } => {
                let rewound = matches!(entry.body, EntryBody::Rewound { .. });
                let entries = self.entries.entry(entry.lane).or_default();
                entries.push_back(Arc::new((**entry).clone()));
                // More are there only while someone looks at them.
                if entries.len() == Self::ENTRIES + 1 {
                    self.let_go(entry.lane, 1);
                }
                if rewound {
                    self.look_back(entry.lane);
                }
            }
            Change::CallMoved { lane, call, state, .. } => {
                let key = (*lane, call.clone());
                if *state == CallState::Finished {
                    self.calls.remove(&key);
                } else {
                    self.calls.insert(key, *state);
                }
            }
            Change::PathsWritten { lane, paths } => {
                self.written.entry(*lane).or_default().extend(paths.iter().cloned());
            }
            Change::PathsReleased { lane } => {
                self.written.remove(lane);
            }
            Change::ApprovalAdded { approval } => {
                self.last_ids.approval = self.last_ids.approval.max(approval.id.0);
                self.approvals.insert(approval.id, (**approval).clone());
            }
            Change::ApprovalMoved { approval, state, scope, reason, arguments, by, at } => {
                if let Some(a) = self.approvals.get_mut(approval) {
                    a.state = *state;
                    a.scope = *scope;
                    a.reason.clone_from(reason);
                    if let Some(arguments) = arguments {
                        a.arguments.clone_from(arguments);
                    }
                    a.by.clone_from(by);
                    a.ended = Some(*at);
                }
                self.prune_approvals();
            }
            Change::ApprovalConfirmed { approval, by, .. } => {
                if let Some(a) = self.approvals.get_mut(approval) {
                    a.confirmed = Some(by.clone());
                }
            }
            Change::CallRemembered { lane, tool, action } => {
                self.remembered.insert((*lane, tool.clone(), action.clone()));
            }
            Change::ConflictAdded { conflict } => {
                self.last_ids.conflict = self.last_ids.conflict.max(conflict.id.0);
                self.conflicts.insert(conflict.id, (**conflict).clone());
            }
            Change::ConflictMoved { conflict, state } => {
                if let Some(c) = self.conflicts.get_mut(conflict) {
                    c.state = *state;
                }
                let ended: Vec<_> = self.conflicts.values().filter(|c| !c.state.open()).map(|c| c.id).collect();
                if ended.len() > ENDED_QUESTIONS {
                    self.conflicts.remove(&ended[0]);
                }
            }
            Change::ReservationAdded { reservation } => {
                self.last_ids.reservation = self.last_ids.reservation.max(reservation.id.0);
                self.reservations.insert(reservation.id, (**reservation).clone());
            }
            Change::ReservationReleased { reservation } => {
                self.reservations.remove(reservation);
            }
            Change::Hold(change) => {
                match change {
                    HoldChange::Renewed { reservation, lease, .. } => {
                        self.reservation(*reservation, |r| r.lease = *lease);
                    }
                    HoldChange::Moved { reservation, lane } => self.reservation(*reservation, |r| r.lane = *lane),
                    HoldChange::Queued { .. } | HoldChange::Unqueued { .. } => {}
                }
                self.shared.apply_hold(change);
            }
            Change::Issue(change) => self.shared.apply_issue(change),
            Change::Mail(change) => self.shared.apply_mail(change),
            Change::Plan(change) => self.shared.apply_plan(change),
            Change::Reported { report } => self.shared.apply_report(report),
            Change::DeadlinesSet { deadlines } => self.shared.deadlines = *deadlines,
            Change::Keyed { keyed } => self.shared.keys.keep((**keyed).clone()),
            Change::CheckpointAdded { checkpoint } => {
                self.checkpoints.insert((checkpoint.lane, checkpoint.number), (**checkpoint).clone());
            }
            Change::CheckpointsForgotten { lane, numbers } => {
                self.checkpoints.retain(|(l, number), _| l != lane || !numbers.contains(number));
            }
            Change::SpendReserved { spend } => {
                self.last_ids.spend = self.last_ids.spend.max(spend.id.0);
                self.ledger.reserve((**spend).clone());
            }
            Change::SpendSettled { spend, state, usage, cost } => self.ledger.settle(*spend, *state, *usage, *cost),
            Change::BudgetSet { budget, rule } => {
                self.last_ids.budget = self.last_ids.budget.max(budget.0);
                self.budgets.insert(*budget, rule.clone());
            }
            Change::BudgetRemoved { budget } => {
                self.budgets.remove(budget);
            }
            Change::FactKept { fact } => {
                self.last_ids.fact = self.last_ids.fact.max(fact.id.number);
                self.facts.insert(fact.id, (**fact).clone());
            }
            Change::FactForgotten { fact } => {
                self.facts.remove(fact);
            }
            Change::ModeSet { mode } => self.mode = Some(*mode),
            Change::ModelSet { provider, model } => self.model = Some((provider.clone(), model.clone())),
            Change::ConfigTrusted { hash } => {
                self.trusted.insert(hash.clone());
            }
            // History only.
            Change::HookAnswered { .. } => {}
        }
    }

    fn lane(&mut self, id: LaneId, change: impl FnOnce(&mut crate::domain::Lane)) {
        if let Some(lane) = self.lanes.get_mut(&id) {
            change(lane);
        }
    }

    fn reservation(&mut self, id: ReservationId, change: impl FnOnce(&mut Reservation)) {
        if let Some(reservation) = self.reservations.get_mut(&id) {
            change(reservation);
        }
    }

    /// A closed lane keeps its prompts and branch; what only a running lane needs goes.
    fn forget_closed(&mut self, lane: LaneId) {
        self.calls.retain(|(l, _), _| *l != lane);
        self.remembered.retain(|(l, _, _)| *l != Some(lane));
        self.checkpoints.retain(|(l, _), _| *l != lane);
        self.landmarks.remove(&lane);
        // The last one stays: it tells where the transcript goes on, should the lane come back.
        if let Some(entries) = self.entries.get_mut(&lane) {
            let older = entries.len().saturating_sub(1);
            entries.drain(..older);
        }
    }

    /// Old answered approvals leave the memory, never the store. One whose call has not run yet stays.
    fn prune_approvals(&mut self) {
        let over = |a: &&crate::domain::Approval| {
            a.state != ApprovalState::Pending && !self.calls.contains_key(&(a.lane, a.call.clone()))
        };
        let ended: Vec<_> = self.approvals.values().filter(over).map(|a| a.id).collect();
        if ended.len() > ENDED_QUESTIONS {
            self.approvals.remove(&ended[0]);
        }
    }

    /// Old ended prompts leave the memory, never the store.
    fn prune_prompts(&mut self) {
        if self.prompts.ended() > ENDED_PROMPTS {
            let oldest = self.prompts.values().find(|p| p.state.ended()).map(|p| p.id);
            if let Some(id) = oldest {
                self.prompts.remove(id);
                self.ledger.forget_turn(id);
            }
        }
    }
}
