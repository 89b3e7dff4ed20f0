use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use pretty_assertions::assert_eq;
use proptest::prelude::*;

use super::*;
use crate::domain::{Hold, LaneId, Priority, Prompt, PromptEvent, PromptId, PromptState, WaitReason};

fn prompt(id: i64, lane: i64, priority: Priority) -> Prompt {
    Prompt {
        id: PromptId(id),
        lane: LaneId(lane),
        text: String::new(),
        priority,
        state: PromptState::Queued,
        hold: None,
        position: id,
        started: None,
        created: Timestamp::UNIX_EPOCH,
        since: Timestamp::UNIX_EPOCH,
        result: None,
        error: None,
        key: None,
        overridden: Vec::new(),
    }
}

fn seats(lanes: i64) -> Vec<Seat> {
    (1..=lanes)
        .map(|lane| Seat { lane: LaneId(lane), able: true, provider: None, halted: None, ending: false })
        .collect()
}

fn limit(global: usize) -> Limits {
    Limits { global, providers: BTreeMap::new() }
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds)
}

fn plan(prompts: &[Prompt], seats: &[Seat], limits: &Limits, rounds: &mut Rounds, now: Timestamp) -> Plan {
    super::plan(&prompts.iter().collect(), seats, limits, rounds, now)
}

fn once(prompts: &[Prompt], lanes: i64, global: usize) -> Plan {
    plan(prompts, &seats(lanes), &limit(global), &mut Rounds::default(), at(0))
}

fn ids(list: &[PromptId]) -> Vec<i64> {
    list.iter().map(|id| id.0).collect()
}

#[test]
fn lanes_take_turns_under_the_limit_and_say_why_they_wait() {
    let mut prompts: Vec<Prompt> =
        [(1, 1), (2, 1), (3, 2), (4, 3)].map(|(id, lane)| prompt(id, lane, Priority::Normal)).into();
    let mut rounds = Rounds::default();
    let first = plan(&prompts, &seats(3), &limit(2), &mut rounds, at(0));
    assert_eq!(ids(&first.admit), [1, 3]);
    assert_eq!(first.waits, BTreeMap::from([(LaneId(3), WaitReason::Limit)]));
    prompts[0].state = PromptState::Done;
    prompts[2].state = PromptState::Running;
    assert_eq!(ids(&plan(&prompts, &seats(3), &limit(2), &mut rounds, at(0)).admit), [4]);
}

#[test]
fn priority_goes_first_within_a_lane_and_among_lanes() {
    let mut prompts = vec![
        prompt(1, 1, Priority::Low),
        prompt(2, 2, Priority::Normal),
        prompt(3, 3, Priority::High),
        prompt(4, 1, Priority::High),
    ];
    prompts[2].position = 90;
    assert_eq!(ids(&once(&prompts, 3, 9).admit), [4, 3, 2]);
    assert_eq!(ids(&once(&prompts, 3, 2).admit), [4, 3]);
}

#[test]
fn a_provider_has_a_limit_of_its_own() {
    let prompts: Vec<Prompt> = (1..=3).map(|n| prompt(n, n, Priority::Normal)).collect();
    let mut seats = seats(3);
    seats[0].provider = Some("local".into());
    seats[1].provider = Some("local".into());
    let limits = Limits { global: 8, providers: BTreeMap::from([("local".into(), 1)]) };
    let plan = plan(&prompts, &seats, &limits, &mut Rounds::default(), at(0));
    assert_eq!(ids(&plan.admit), [1, 3]);
    assert_eq!(plan.waits, BTreeMap::from([(LaneId(2), WaitReason::Limit)]));
}

#[test]
fn a_prompt_that_waits_stops_its_lane_and_takes_no_room() {
    let mut prompts: Vec<Prompt> =
        [(1, 1), (2, 1), (3, 2), (4, 3)].map(|(n, lane)| prompt(n, lane, Priority::Normal)).into();
    prompts[0].state = PromptState::Waiting;
    assert_eq!(ids(&once(&prompts, 3, 1).admit), [3]);
    prompts[2].state = PromptState::Running;
    assert_eq!(ids(&once(&prompts, 3, 1).admit), Vec::<i64>::new());
    prompts[0].state = PromptState::Running;
    assert_eq!(ids(&once(&prompts, 3, 2).admit), Vec::<i64>::new(), "an answer may take a slot at any time");
    assert_eq!(ids(&once(&prompts, 3, 3).admit), [4]);
}

#[test]
fn a_blocked_prompt_keeps_its_place_until_another_is_moved_before_it() {
    let mut prompts = vec![prompt(1, 1, Priority::Normal), prompt(2, 1, Priority::Normal), prompt(3, 1, Priority::Low)];
    prompts[0].state = PromptState::Blocked;
    let held = once(&prompts, 1, 9);
    assert!(held.admit.is_empty() && held.waits.is_empty());
    prompts[1].position = 0;
    assert_eq!(ids(&once(&prompts, 1, 9).admit), [2]);
    prompts[1].position = 2;
    prompts[2].priority = Priority::High;
    assert_eq!(ids(&once(&prompts, 1, 9).admit), [3]);
}

#[test]
fn a_doubtful_prompt_stops_its_lane_and_a_begun_turn_goes_on_first() {
    for state in [PromptState::Interrupted, PromptState::Unconfirmed, PromptState::Running, PromptState::Waiting] {
        let mut prompts = vec![prompt(1, 1, Priority::Low), prompt(2, 1, Priority::High)];
        prompts[0].state = state;
        assert_eq!(once(&prompts, 1, 9), Plan::default(), "{state:?}");
    }
    let mut prompts = vec![prompt(1, 1, Priority::High), prompt(2, 1, Priority::Low)];
    prompts[1].started = Some(at(0));
    assert_eq!(ids(&once(&prompts, 1, 9).admit), [2]);
    prompts[0].started = Some(at(0));
    assert_eq!(ids(&once(&prompts, 1, 9).admit), [1]);
    let seat = Seat { halted: Some(PromptId(2)), ..seats(1).remove(0) };
    let plan = plan(&prompts, &[seat], &limit(9), &mut Rounds::default(), at(0));
    assert_eq!(ids(&plan.admit), [2], "the one whose turn lives");
    prompts[0].started = None;
    prompts[1].state = PromptState::Paused;
    assert!(once(&prompts, 1, 9).admit.is_empty());
    prompts[1].started = None;
    assert_eq!(ids(&once(&prompts, 1, 9).admit), [1]);
}

#[test]
fn lanes_that_cannot_begin_are_passed_over() {
    let prompts = [prompt(1, 1, Priority::High), prompt(2, 2, Priority::Low), prompt(3, 7, Priority::High)];
    let mut seats = seats(2);
    seats[0].able = false;
    let plan = plan(&prompts, &seats, &limit(9), &mut Rounds::default(), at(0));
    assert_eq!((ids(&plan.admit), plan.waits.len()), (vec![2], 0));
}

#[test]
fn held_prompts_are_released_in_time_and_tell_when_to_look_again() {
    let mut prompts: Vec<Prompt> = (1..=4).map(|n| prompt(n, n, Priority::Normal)).collect();
    for (n, hold) in
        [(0, Hold::At(at(50))), (1, Hold::At(at(100))), (2, Hold::After(PromptId(4))), (3, Hold::At(at(0)))]
    {
        prompts[n].state = PromptState::Held;
        prompts[n].hold = Some(hold);
    }
    let early = plan(&prompts, &seats(4), &limit(9), &mut Rounds::default(), at(49));
    assert_eq!((ids(&early.release), ids(&early.admit), early.wake), (vec![4], vec![4], Some(at(50))));
    assert_eq!(early.waits[&LaneId(1)], WaitReason::Time(at(50)));
    assert_eq!(early.waits[&LaneId(3)], WaitReason::Prompt(PromptId(4)));
    prompts[3].state = PromptState::Failed;
    let later = plan(&prompts, &seats(4), &limit(9), &mut Rounds::default(), at(50));
    assert_eq!((ids(&later.release), later.wake), (vec![1, 3], Some(at(100))));
}

#[test]
fn a_held_prompt_stops_nobody_and_takes_its_place_back() {
    let mut prompts = vec![prompt(1, 1, Priority::Normal), prompt(2, 1, Priority::Normal)];
    prompts[0].state = PromptState::Held;
    prompts[0].hold = Some(Hold::At(at(9)));
    assert_eq!(ids(&plan(&prompts, &seats(1), &limit(9), &mut Rounds::default(), at(0)).admit), [2]);
    assert_eq!(ids(&plan(&prompts, &seats(1), &limit(9), &mut Rounds::default(), at(9)).admit), [1]);
}

/// Endless high prompts everywhere, one slot: how many run before the low one?
fn patience_needed(lanes: i64, low_lane_has_highs: bool) -> usize {
    let mut rounds = Rounds::default();
    let mut prompts = vec![prompt(1, 1, Priority::Low)];
    let mut next = 2;
    for served in 0..10_000 {
        for lane in (1..=lanes).filter(|lane| low_lane_has_highs || *lane != 1) {
            if !prompts.iter().any(|p| p.lane == LaneId(lane) && p.priority == Priority::High) {
                prompts.push(prompt(next, lane, Priority::High));
                next += 1;
            }
        }
        let admitted = plan(&prompts, &seats(lanes), &limit(1), &mut rounds, at(0)).admit;
        assert_eq!(admitted.len(), 1);
        if admitted[0] == PromptId(1) {
            return served;
        }
        prompts.retain(|p| p.id != admitted[0]);
    }
    panic!("the low prompt starves");
}

#[test]
fn the_least_urgent_is_served_among_endless_urgent_ones() {
    assert_eq!(patience_needed(5, false), PATIENCE as usize);
    assert_eq!(patience_needed(1, true), PATIENCE as usize);
    assert!(patience_needed(5, true) <= 5 * (PATIENCE as usize + 1));
}

/// One step of a simulated day.
#[derive(Debug, Clone)]
enum Step {
    Arrive(i64, Priority, Option<u8>),
    Finish(usize),
    Cancel(usize),
    Pause(i64),
    Move(usize, i64),
    Ask(usize),
    Answer(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let priority = prop_oneof![Just(Priority::High), Just(Priority::Normal), Just(Priority::Low)];
    prop_oneof![
        4 => (1i64..5, priority, prop::option::weighted(0.2, 0u8..20)).prop_map(|(l, p, h)| Step::Arrive(l, p, h)),
        4 => (0usize..8).prop_map(Step::Finish),
        1 => (0usize..20).prop_map(Step::Cancel),
        1 => (1i64..5).prop_map(Step::Pause),
        2 => (0usize..8).prop_map(Step::Ask),
        2 => (0usize..8).prop_map(Step::Answer),
        1 => (0usize..20, -20i64..20).prop_map(|(n, p)| Step::Move(n, p)),
    ]
}

struct Day {
    prompts: Vec<Prompt>,
    paused: BTreeSet<LaneId>,
    rounds: Rounds,
    limits: Limits,
    ran: BTreeMap<PromptId, u32>,
    clock: i64,
}

impl Day {
    fn go(&mut self, index: usize, event: PromptEvent) {
        let prompt = &mut self.prompts[index];
        prompt.state = prompt.state.next(event).unwrap();
    }

    fn running(&self) -> Vec<usize> {
        (0..self.prompts.len()).filter(|&i| self.prompts[i].state == PromptState::Running).collect()
    }

    fn apply(&mut self, step: &Step) {
        match *step {
            Step::Arrive(lane, priority, hold) => {
                let mut new = prompt(self.prompts.len() as i64 + 1, lane, priority);
                if let Some(hold) = hold {
                    new.state = PromptState::Held;
                    new.hold = Some(if hold % 2 == 0 {
                        Hold::At(at(self.clock + i64::from(hold)))
                    } else {
                        Hold::After(PromptId(i64::from(hold)))
                    });
                    // Only an older prompt can be named.
                    if new.hold.is_some_and(|h| matches!(h, Hold::After(other) if other >= new.id)) {
                        new.hold = None;
                    }
                }
                self.prompts.push(new);
            }
            Step::Finish(n) => {
                let running = self.running();
                if let Some(&index) = running.get(n % running.len().max(1)) {
                    self.go(index, PromptEvent::Finish);
                }
            }
            Step::Cancel(n) => {
                if self.prompts.get(n).is_some_and(|p| !p.state.ended()) {
                    self.go(n, PromptEvent::Cancel);
                }
            }
            Step::Ask(n) => {
                let running = self.running();
                if let Some(&index) = running.get(n % running.len().max(1)) {
                    self.go(index, PromptEvent::Await);
                }
            }
            Step::Answer(n) => {
                let waiting: Vec<usize> =
                    (0..self.prompts.len()).filter(|&i| self.prompts[i].state == PromptState::Waiting).collect();
                if let Some(&index) = waiting.get(n % waiting.len().max(1)) {
                    self.go(index, PromptEvent::Proceed);
                }
            }
            Step::Pause(lane) => {
                if !self.paused.remove(&LaneId(lane)) {
                    self.paused.insert(LaneId(lane));
                }
            }
            Step::Move(n, position) => {
                if let Some(prompt) = self.prompts.get_mut(n) {
                    prompt.position = position;
                }
            }
        }
    }

    fn schedule(&mut self) -> Plan {
        self.clock += 1;
        let seats: Vec<Seat> = (1..5)
            .map(|lane| Seat {
                lane: LaneId(lane),
                able: !self.paused.contains(&LaneId(lane)),
                provider: (lane < 3).then(|| "local".to_owned()),
                halted: None,
                ending: false,
            })
            .collect();
        let plan = plan(&self.prompts, &seats, &self.limits, &mut self.rounds, at(self.clock));
        for id in &plan.release {
            self.go(id.0 as usize - 1, PromptEvent::Release);
        }
        for id in &plan.admit {
            let admitted = self.prompts[id.0 as usize - 1].clone();
            assert!(!self.paused.contains(&admitted.lane));
            for other in self.prompts.iter().filter(|p| p.lane == admitted.lane && p.id != admitted.id) {
                assert!(!other.state.active(), "two at once in one lane");
                let equal = other.priority == admitted.priority && other.state == PromptState::Queued;
                assert!(!equal || (other.position, other.id) > (admitted.position, admitted.id), "overtaken");
            }
            self.go(id.0 as usize - 1, PromptEvent::Admit);
            self.go(id.0 as usize - 1, PromptEvent::Start);
            *self.ran.entry(*id).or_default() += 1;
        }
        // An answer may take the running ones over a limit; an admission never does.
        let running = self.running();
        let local = running.iter().filter(|&&i| self.prompts[i].lane.0 < 3).count();
        let admitted_local = plan.admit.iter().any(|id| self.prompts[id.0 as usize - 1].lane.0 < 3);
        assert!(plan.admit.is_empty() || running.len() <= self.limits.global, "over the limit");
        assert!(!admitted_local || local <= self.limits.providers["local"], "over a provider's limit");
        plan
    }
}

proptest! {
    #[test]
    fn no_day_loses_doubles_overtakes_or_starves(
        steps in prop::collection::vec(step(), 0..120), global in 1usize..4, local in 1usize..3,
    ) {
        let limits = Limits { global, providers: BTreeMap::from([("local".into(), local)]) };
        let mut day = Day {
            prompts: Vec::new(), paused: BTreeSet::new(), rounds: Rounds::default(), limits, ran: BTreeMap::new(), clock: 0,
        };
        for step in &steps {
            day.apply(step);
            day.schedule();
        }
        day.paused.clear();
        for _ in 0..400 {
            let plan = day.schedule();
            // A slot that is free while someone could use it is a stall.
            prop_assert!(day.running().len() >= global || !plan.waits.values().any(|w| *w == WaitReason::Limit)
                || day.running().iter().filter(|&&i| day.prompts[i].lane.0 < 3).count() >= local);
            day.apply(&Step::Answer(0));
            day.apply(&Step::Finish(0));
        }
        for prompt in &day.prompts {
            let times = day.ran.get(&prompt.id).copied().unwrap_or_default();
            prop_assert!(times <= 1, "{} ran {} times", prompt.id, times);
            prop_assert!(prompt.state == PromptState::Cancelled || (prompt.state == PromptState::Done && times == 1),
                "{} is {:?}", prompt.id, prompt.state);
        }
    }
}

#[test]
fn a_turn_that_is_told_to_end_takes_room_until_it_is_gone() {
    let waiting = [prompt(1, 2, Priority::Normal)];
    let mut seats = seats(2);
    seats[0].able = false;
    seats[0].ending = true;
    let now = |seats: &[Seat]| ids(&plan(&waiting, seats, &limit(1), &mut Rounds::default(), at(0)).admit);
    assert!(now(&seats).is_empty());
    seats[0].ending = false;
    assert_eq!(now(&seats), [1]);
}
