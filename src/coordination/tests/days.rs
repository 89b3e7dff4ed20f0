//! Random days of eight lanes: whatever they do in whatever order, no issue has two owners, no offer is lost, no stale
//! one is accepted, no two lanes hold the same, and nobody waits for what is free.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use proptest::prelude::*;

use super::super::ledger::{self, Ledger};
use super::super::offers::{self, Terms};
use super::super::reservations::{self, Wanted};
use super::super::{Decision, Fold, Refusal, Target};
use crate::domain::*;

pub fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_000_000 + second).unwrap()
}

pub fn lane(id: i64) -> Lane {
    Lane {
        id: LaneId(id),
        name: format!("lane{id}").parse().unwrap(),
        kind: LaneKind::Agent { provider: None, model: None },
        place: Place {
            directory: format!("/tmp/{id}").into(),
            branch: Some(format!("lane/{id}")),
            base: BaseRef { name: "main".into(), sha: "0".into() },
        },
        mode: None,
        stage: LaneStage::Open,
        error: None,
        set_up: true,
        seen: true,
        created: at(0),
        since: at(0),
    }
}

/// What is known, by applying what is decided.
pub struct World {
    pub lanes: BTreeMap<LaneId, Lane>,
    pub shared: SharedWork,
    pub reservations: BTreeMap<ReservationId, Reservation>,
    pub last: ReservationId,
    pub clock: i64,
    pub claims_per_lane: usize,
}

impl World {
    pub fn new(lanes: i64) -> Self {
        Self {
            lanes: (1..=lanes).map(|id| (LaneId(id), lane(id))).collect(),
            shared: SharedWork::default(),
            reservations: BTreeMap::new(),
            last: ReservationId(0),
            clock: 0,
            claims_per_lane: 3,
        }
    }

    pub fn ledger(&self) -> Ledger<'_> {
        Ledger {
            lanes: &self.lanes,
            shared: &self.shared,
            reservations: &self.reservations,
            last_reservation: self.last,
            claims_per_lane: self.claims_per_lane,
            fold: Fold::default(),
            now: at(self.clock),
        }
    }

    pub fn apply(&mut self, changes: &[Change]) {
        for change in changes {
            match change {
                Change::Issue(change) => self.shared.apply_issue(change),
                Change::Mail(change) => self.shared.apply_mail(change),
                Change::Plan(change) => self.shared.apply_plan(change),
                Change::Reported { report } => self.shared.apply_report(report),
                Change::Hold(change) => {
                    match change {
                        HoldChange::Moved { reservation, lane } => {
                            self.reservations.get_mut(reservation).unwrap().lane = *lane;
                        }
                        HoldChange::Renewed { reservation, lease, .. } => {
                            self.reservations.get_mut(reservation).unwrap().lease = *lease;
                        }
                        HoldChange::Queued { .. } | HoldChange::Unqueued { .. } => {}
                    }
                    self.shared.apply_hold(change);
                }
                Change::ReservationAdded { reservation } => {
                    assert!(reservation.id > self.last, "ids only grow");
                    self.last = reservation.id;
                    self.reservations.insert(reservation.id, (**reservation).clone());
                }
                Change::ReservationReleased { reservation } => {
                    assert!(self.reservations.remove(reservation).is_some(), "released twice");
                }
                other => panic!("{other:?}"),
            }
        }
    }

    /// Applies what is decided; what is refused changes nothing.
    pub fn does(&mut self, decided: Result<Decision, Refusal>) -> Result<Decision, Refusal> {
        self.clock += 1;
        let decision = decided?;
        self.apply(&decision.changes);
        Ok(decision)
    }
}

#[derive(Debug, Clone)]
enum Act {
    Claim(i64, i64),
    Release(i64, i64),
    Offer(i64, i64, i64),
    Assign(i64, i64),
    Request(i64, i64),
    Accept(i64, usize),
    Decline(i64, usize),
    Cancel(i64, usize),
    Reserve(i64, usize, bool, bool, Option<i64>),
    Free(i64, usize),
    FreeAll(i64),
    Close(i64),
}

const THINGS: [&str; 6] = ["src/", "src/*.rs", "src/a.rs", "docs/", "port:1", "**/a.rs"];

fn act() -> impl Strategy<Value = Act> {
    let lane = 1..=8_i64;
    let issue = 1..=5_i64;
    let offer = 0..40_usize;
    prop_oneof![
        4 => (lane.clone(), issue.clone()).prop_map(|(l, i)| Act::Claim(l, i)),
        2 => (lane.clone(), issue.clone()).prop_map(|(l, i)| Act::Release(l, i)),
        4 => (lane.clone(), issue.clone(), lane.clone()).prop_map(|(l, i, t)| Act::Offer(l, i, t)),
        2 => (issue.clone(), lane.clone()).prop_map(|(i, t)| Act::Assign(i, t)),
        3 => (lane.clone(), issue.clone()).prop_map(|(l, i)| Act::Request(l, i)),
        6 => (lane.clone(), offer.clone()).prop_map(|(l, o)| Act::Accept(l, o)),
        2 => (lane.clone(), offer.clone()).prop_map(|(l, o)| Act::Decline(l, o)),
        1 => (lane.clone(), offer).prop_map(|(l, o)| Act::Cancel(l, o)),
        6 => (lane.clone(), 0..THINGS.len(), any::<bool>(), any::<bool>(), prop::option::of(issue))
            .prop_map(|(l, t, s, q, i)| Act::Reserve(l, t, s, q, i)),
        2 => (lane.clone(), 0..THINGS.len()).prop_map(|(l, t)| Act::Free(l, t)),
        1 => lane.clone().prop_map(Act::FreeAll),
        1 => lane.prop_map(Act::Close),
    ]
}

/// An offer of those that were ever made: the newest are asked for most.
fn picked(world: &World, index: usize) -> OfferId {
    OfferId((world.shared.last.offer - i64::try_from(index / 4).unwrap()).max(0))
}

fn terms() -> Terms {
    Terms { summary: "so far".into(), ..Terms::default() }
}

/// Does one thing, and checks that owners changed only as such an act may change them.
fn step(world: &mut World, act: &Act, ended: &mut BTreeMap<OfferId, OfferOutcome>) {
    let owners = |world: &World| -> BTreeMap<IssueId, (LaneId, ClaimId)> {
        let owned = world.shared.issues.values();
        owned.filter_map(|i| i.claim.as_ref().map(|claim| (i.id, (claim.lane, claim.id)))).collect()
    };
    let before = owners(world);
    let offers = world.shared.offers.clone();
    let decided = {
        let all = world.ledger();
        match act {
            Act::Claim(lane, issue) => ledger::claim(&all, LaneId(*lane), IssueId(*issue), None),
            Act::Release(lane, issue) => ledger::release(&all, LaneId(*lane), IssueId(*issue)),
            Act::Offer(lane, issue, to) => offers::offer(&all, LaneId(*lane), IssueId(*issue), LaneId(*to), terms()),
            Act::Assign(issue, to) => offers::assign(&all, IssueId(*issue), LaneId(*to), terms()),
            Act::Request(lane, issue) => offers::request(&all, LaneId(*lane), IssueId(*issue), terms()),
            Act::Accept(lane, offer) => offers::accept(&all, LaneId(*lane), picked(world, *offer), None, None),
            Act::Decline(lane, offer) => offers::decline(&all, LaneId(*lane), picked(world, *offer), None),
            Act::Cancel(lane, offer) => offers::cancel(&all, Party::Lane(LaneId(*lane)), picked(world, *offer)),
            Act::Reserve(lane, thing, shared, queue, issue) => {
                let wanted = Wanted {
                    what: vec![THINGS[*thing].to_owned(), THINGS[(*thing + 3) % THINGS.len()].to_owned()],
                    shared: *shared,
                    queue: *queue,
                    issue: issue.map(IssueId),
                    ..Wanted::default()
                };
                reservations::reserve(&all, LaneId(*lane), &wanted)
            }
            Act::Free(lane, thing) => reservations::release(&all, LaneId(*lane), &[THINGS[*thing].to_owned()]),
            Act::FreeAll(lane) => reservations::release(&all, LaneId(*lane), &[]),
            Act::Close(lane) => {
                let changes = ledger::close(&all, LaneId(*lane));
                Ok(Decision { changes, words: String::new(), json: serde_json::Value::Null })
            }
        }
    };
    if let Ok(decision) = &decided {
        for change in &decision.changes {
            if let Change::Issue(IssueChange::Answered { offer, outcome, .. }) = change {
                assert!(offers.contains_key(offer), "{offer} was over already");
                assert_eq!(ended.insert(*offer, *outcome), None, "{offer} ended twice");
            }
        }
    }
    let done = world.does(decided);
    let after = owners(world);
    if let Err(refusal) = &done {
        assert_eq!(before, after, "a refusal moves nothing");
        assert!(!refusal.message.is_empty());
    }
    let issues: BTreeSet<IssueId> = before.keys().chain(after.keys()).copied().collect();
    for issue in issues.into_iter().filter(|issue| before.get(issue) != after.get(issue)) {
        let (old, new) = (before.get(&issue).copied(), after.get(&issue).copied());
        match act {
            Act::Claim(lane, _) => assert!(old.is_none() && new.is_some_and(|(to, _)| to == LaneId(*lane))),
            Act::Release(lane, _) | Act::Close(lane) => {
                assert!(new.is_none() && old.is_some_and(|(from, _)| from == LaneId(*lane)));
            }
            Act::Accept(lane, _) => {
                let id = ended.iter().rev().find(|(id, outcome)| {
                    offers.contains_key(id)
                        && **outcome == OfferOutcome::Accepted
                        && !world.shared.offers.contains_key(id)
                });
                let offer = &offers[id.unwrap().0];
                assert_eq!((offer.issue, offer.claim), (issue, old.map(|(_, claim)| claim)), "it was not stale");
                let asked = if offer.kind == OfferKind::Request { old.unwrap().0 } else { offer.to };
                assert_eq!(LaneId(*lane), asked, "only who is asked says yes");
                let (to, claim) = new.unwrap();
                assert!(to == offer.to && Some(claim) != offer.claim, "each ownership has an id of its own");
            }
            other => panic!("{other:?} moved {issue}"),
        }
    }
}

fn check(world: &World, made: i64, ended: &BTreeMap<OfferId, OfferOutcome>) {
    for id in 1..=made {
        let id = OfferId(id);
        assert!(world.shared.offers.contains_key(&id) != ended.contains_key(&id), "{id} is lost, or in two states");
    }
    for offer in world.shared.offers.values() {
        let claim = world.shared.issues[&offer.issue].claim.as_ref().map(|claim| claim.id);
        assert_eq!(offer.claim, claim, "{} outlived what it was made on", offer.id);
    }
    for lane in world.lanes.keys() {
        assert!(world.shared.owned(*lane).count() <= world.claims_per_lane);
    }
    let held: Vec<&Reservation> = world.reservations.values().collect();
    let target = |held: &Reservation| held.pattern.parse::<Target>().unwrap();
    for (index, one) in held.iter().enumerate() {
        for other in &held[index + 1..] {
            let clash = one.lane != other.lane && !(one.shared && other.shared) && target(one).overlaps(&target(other));
            assert!(!clash, "{one:?} and {other:?}");
        }
        if let Some(issue) = one.issue {
            assert_eq!(world.shared.owner(issue), Some(one.lane), "it goes where the issue goes");
        }
    }
    for ticket in world.shared.tickets.values() {
        let stands = |lane: LaneId, shared: bool, text: &str| {
            lane != ticket.lane
                && !(shared && ticket.shared)
                && ticket
                    .patterns
                    .iter()
                    .any(|own| own.parse::<Target>().unwrap().overlaps(&text.parse::<Target>().unwrap()))
        };
        let by_hold = held.iter().any(|held| stands(held.lane, held.shared, &held.pattern));
        let earlier = world
            .shared
            .tickets
            .range(..ticket.id)
            .any(|(_, other)| other.patterns.iter().any(|text| stands(other.lane, other.shared, text)));
        assert!(by_hold || earlier, "{ticket:?} waits for what is free");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn ownership_moves_only_by_an_act_of_a_party(acts in prop::collection::vec(act(), 1..80)) {
        let mut world = World::new(8);
        let mut ended = BTreeMap::new();
        for act in &acts {
            step(&mut world, act, &mut ended);
            check(&world, world.shared.last.offer, &ended);
        }
    }
}
