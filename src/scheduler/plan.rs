//! The plan: what is due, what runs now, who waits for what, when to look again.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::aging::{CLASSES, Rounds};
use super::lane::{Line, Queue};
use super::queues::Queues;
use crate::domain::{Hold, LaneId, PromptId, WaitReason};

/// A lane that may take prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// The lane.
    pub lane: LaneId,
    /// Whether it can begin a prompt now: open, set up, its session ready.
    pub able: bool,
    /// The provider its agent uses; none for a pane.
    pub provider: Option<String>,
    /// The prompt whose turn lives in it, halted: no other can begin before it.
    pub halted: Option<PromptId>,
    /// Whether a turn that was told to end lives in it still: it takes room until it is gone.
    pub ending: bool,
}

/// How many prompts may run at once. Those that wait for the person or a hold do not count; a cancelled one
/// counts until its turn has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// In all.
    pub global: usize,
    /// On a provider, where that is limited.
    pub providers: BTreeMap<String, usize>,
}

/// What follows from a look at the queues.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Held prompts whose time has come, or whose other prompt has ended. Released before any is admitted.
    pub release: Vec<PromptId>,
    /// Queued prompts (released ones among them) that run now, in this order.
    pub admit: Vec<PromptId>,
    /// Why each lane that could begin a prompt does not. A lane that waits for the person has no entry.
    pub waits: BTreeMap<LaneId, WaitReason>,
    /// When the next held prompt is due, if one waits for a time.
    pub wake: Option<Timestamp>,
}

/// Plans. `queues` holds every open prompt of every lane: one that is not among them counts as ended.
/// Prompts of a lane without a seat never run.
pub fn plan(queues: &Queues, seats: &[Seat], limits: &Limits, rounds: &mut Rounds, now: Timestamp) -> Plan {
    let due = |hold: Option<Hold>| queues.due(hold, now);
    let mut plan = Plan::default();
    for (id, (_, hold)) in queues.lines().flat_map(|line| &line.held) {
        if due(*hold) {
            plan.release.push(*id);
        } else if let Some(moment) = hold.and_then(Hold::moment) {
            plan.wake = Some(plan.wake.map_or(moment, |wake| wake.min(moment)));
        }
    }
    plan.release.sort_unstable();

    let mut room = Room::new(limits);
    let mut lanes: Vec<(&Seat, Queue)> = Vec::with_capacity(seats.len());
    let mut seated = 0;
    for seat in seats {
        let queue = queues.line(seat.lane).map(|line| Queue::of(line, due, seat.halted)).unwrap_or_default();
        seated += usize::from(queue.works);
        if queue.works || seat.ending {
            room.take(seat);
        }
        rounds.ticket(seat.lane);
        lanes.push((seat, queue));
    }
    // Prompts that run in lanes without a seat take room all the same.
    room.used += queues.lines().filter(|line| line.works()).count() - seated;
    rounds.keep(seats);

    while let Some(index) = next(&lanes, &room, rounds) {
        let (seat, queue) = &mut lanes[index];
        let aging = rounds.within.entry(seat.lane).or_default();
        let Some(prompt) = queue.take(aging) else { break };
        plan.admit.push(prompt);
        room.take(seat);
        rounds.had_turn(seat.lane);
    }

    for (seat, queue) in lanes.iter().filter(|(seat, queue)| seat.able && !queue.busy) {
        let held = || queues.line(seat.lane).and_then(held_for);
        let reason = if queue.ready() { Some(WaitReason::Limit) } else { held() };
        if let Some(reason) = reason {
            plan.waits.insert(seat.lane, reason);
        }
    }
    plan
}

/// The lane that is served next.
fn next(lanes: &[(&Seat, Queue)], room: &Room<'_>, rounds: &mut Rounds) -> Option<usize> {
    if room.is_full() {
        return None;
    }
    let could = |(seat, queue): &(&Seat, Queue)| seat.able && queue.ready() && room.fits(seat);
    let mut ready = [false; CLASSES];
    for lane in lanes.iter().filter(|lane| could(lane)) {
        ready[lane.1.class()] = true;
    }
    let class = rounds.lanes.choose(ready)?;
    rounds.lanes.served(class, ready);
    let same = (0..lanes.len()).filter(|&i| could(&lanes[i]) && lanes[i].1.class() == class);
    same.min_by_key(|&i| rounds.ticket(lanes[i].0.lane))
}

/// What a lane with nothing but held prompts waits for: the earliest time, else the first other prompt. A
/// lane with anything else in its queue waits for the person.
fn held_for(line: &Line) -> Option<WaitReason> {
    if line.waits() {
        return None;
    }
    let holds = || line.held.values().filter_map(|(_, hold)| *hold);
    let others = || holds().filter_map(Hold::other).min();
    let issue = || holds().filter_map(Hold::issue).min().map(WaitReason::Issue);
    let time = holds().filter_map(Hold::moment).min().map(WaitReason::Time);
    time.or_else(|| others().map(WaitReason::Prompt)).or_else(issue)
}

/// What the limits leave.
struct Room<'a> {
    limits: &'a Limits,
    used: usize,
    by_provider: BTreeMap<&'a str, usize>,
}

impl<'a> Room<'a> {
    fn new(limits: &'a Limits) -> Self {
        Self { limits, used: 0, by_provider: BTreeMap::new() }
    }

    const fn is_full(&self) -> bool {
        self.used >= self.limits.global
    }

    fn fits(&self, seat: &Seat) -> bool {
        let provider = seat.provider.as_deref().and_then(|name| self.limits.providers.get_key_value(name));
        !self.is_full()
            && provider.is_none_or(|(name, limit)| self.by_provider.get(name.as_str()).unwrap_or(&0) < limit)
    }

    fn take(&mut self, seat: &Seat) {
        self.used += 1;
        let provider = seat.provider.as_deref().and_then(|name| self.limits.providers.get_key_value(name));
        if let Some((name, _)) = provider {
            *self.by_provider.entry(name).or_default() += 1;
        }
    }
}
