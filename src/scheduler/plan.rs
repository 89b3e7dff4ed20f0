//! The plan: what is due, what runs now, who waits for what, when to look again.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::aging::{CLASSES, Rounds};
use super::lane::{Queue, works};
use crate::domain::{Hold, LaneId, Prompt, PromptId, PromptState, WaitReason};

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

/// Plans. `prompts` holds every open prompt of every lane: one that is not among them counts as ended.
/// Prompts of a lane without a seat never run.
pub fn plan<'a>(
    prompts: impl IntoIterator<Item = &'a Prompt>,
    seats: &[Seat],
    limits: &Limits,
    rounds: &mut Rounds,
    now: Timestamp,
) -> Plan {
    let open: BTreeMap<PromptId, &Prompt> =
        prompts.into_iter().filter(|prompt| !prompt.state.ended()).map(|prompt| (prompt.id, prompt)).collect();
    let due = |prompt: &Prompt| match prompt.hold {
        None => true,
        Some(Hold::At(moment) | Hold::Every { next: moment, .. }) => moment <= now,
        Some(Hold::After(other)) => !open.contains_key(&other),
        // Who knows the issues takes such a hold off.
        Some(Hold::Released(_)) => false,
    };
    let mut plan = Plan::default();
    let mut by_lane: BTreeMap<LaneId, Vec<&Prompt>> = BTreeMap::new();
    for prompt in open.values() {
        by_lane.entry(prompt.lane).or_default().push(prompt);
        if prompt.state == PromptState::Held {
            if due(prompt) {
                plan.release.push(prompt.id);
            } else if let Some(moment) = prompt.hold.and_then(Hold::moment) {
                plan.wake = Some(plan.wake.map_or(moment, |wake| wake.min(moment)));
            }
        }
    }

    let mut room = Room::new(limits);
    let mut lanes: Vec<(&Seat, Queue)> = Vec::with_capacity(seats.len());
    for seat in seats {
        let own = by_lane.get(&seat.lane).map(Vec::as_slice).unwrap_or_default();
        let queue = Queue::of(own.iter().copied(), due, seat.halted);
        if queue.works || seat.ending {
            room.take(seat);
        }
        rounds.ticket(seat.lane);
        lanes.push((seat, queue));
    }
    // Prompts that run in lanes without a seat take room all the same.
    let seated = |lane: LaneId| seats.iter().any(|seat| seat.lane == lane);
    room.used += by_lane.iter().filter(|(lane, own)| !seated(**lane) && own.iter().any(|p| works(p.state))).count();
    rounds.keep(seated);

    while let Some(index) = next(&lanes, &room, rounds) {
        let (seat, queue) = &mut lanes[index];
        let aging = rounds.within.entry(seat.lane).or_default();
        let Some(prompt) = queue.take(aging) else { break };
        plan.admit.push(prompt);
        room.take(seat);
        rounds.had_turn(seat.lane);
    }

    for (seat, queue) in lanes.iter().filter(|(seat, queue)| seat.able && !queue.busy) {
        let own = by_lane.get(&seat.lane).map(Vec::as_slice).unwrap_or_default();
        let reason = if queue.ready() { Some(WaitReason::Limit) } else { held_for(own) };
        if let Some(reason) = reason {
            plan.waits.insert(seat.lane, reason);
        }
    }
    plan
}

/// The lane that is served next.
fn next(lanes: &[(&Seat, Queue)], room: &Room<'_>, rounds: &mut Rounds) -> Option<usize> {
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
fn held_for(prompts: &[&Prompt]) -> Option<WaitReason> {
    let waiting = |p: &&&Prompt| {
        matches!(
            p.state,
            PromptState::Blocked | PromptState::Interrupted | PromptState::Unconfirmed | PromptState::Paused
        )
    };
    if prompts.iter().any(|p| waiting(&p)) {
        return None;
    }
    let holds = || prompts.iter().filter(|prompt| prompt.state == PromptState::Held).filter_map(|prompt| prompt.hold);
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

    fn fits(&self, seat: &Seat) -> bool {
        let provider = seat.provider.as_deref().and_then(|name| self.limits.providers.get_key_value(name));
        self.used < self.limits.global
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
