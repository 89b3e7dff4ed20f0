//! Reservations: taken all or none, renewed, released, and handed on to whoever waits, in the same step.
//!
//! The queue is served in order. Nobody overtakes a lane that waits for the same, or an exclusive hold would wait
//! forever for shared ones; who waits for nothing that is held goes ahead.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::json;

use super::ledger::{Acts, Decision, Ledger, age};
use super::offers::check_text;
use super::paths::Fold;
use super::refusal::{Reason, Refusal};
use super::target::Target;
use crate::base::shell_word;
use crate::domain::{
    Change, HoldChange, IssueChange, IssueId, LaneId, Lease, Party, Reservation, ReservationId, Ticket, TicketId,
};

/// Things asked for at once.
pub const AT_ONCE: usize = 64;
/// Things that one lane may hold at once.
pub const HELD: usize = 128;
/// Places in the queue that one lane may have at once.
pub const WAITING: usize = 32;
/// Bytes of a reason.
const REASON: usize = 160;
/// Seconds: the longest lease, a week.
pub const LONGEST_LEASE: u32 = 7 * 86_400;

/// What a lane wants to hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Paths, globs and resources, as typed.
    pub what: Vec<String>,
    /// Whether others that share may hold it too.
    pub shared: bool,
    /// Why.
    pub reason: Option<String>,
    /// The issue it is for: the hold goes where the issue goes.
    pub issue: Option<IssueId>,
    /// How many seconds it lasts; none: until it is released.
    pub seconds: Option<u32>,
    /// Whether to wait for what others hold.
    pub queue: bool,
}

/// What stands in the way.
enum InTheWay<'a> {
    Hold(&'a Reservation),
    Earlier(&'a Ticket),
}

impl InTheWay<'_> {
    const fn lane(&self) -> LaneId {
        match self {
            Self::Hold(held) => held.lane,
            Self::Earlier(ticket) => ticket.lane,
        }
    }
}

/// Whether a hold that is kept as text meets a target. One that does not read meets everything: an announced hold is
/// never dropped silently.
fn meets(text: &str, target: &Target, fold: Fold) -> bool {
    text.parse::<Target>().map_or(true, |held| held.folded(fold).overlaps(&target.folded(fold)))
}

/// Whether two holds could not be those of two lanes.
pub(super) fn exclude_each_other(one: &Reservation, other: &Reservation, fold: Fold) -> bool {
    !(one.shared && other.shared)
        && one.pattern.parse::<Target>().map_or(true, |target| meets(&other.pattern, &target, fold))
}

/// What of the holds and of the queue before `before` stands in a lane's way.
fn in_the_way<'a>(
    held: impl IntoIterator<Item = &'a Reservation>,
    queue: impl IntoIterator<Item = &'a Ticket>,
    lane: LaneId,
    targets: &[Target],
    shared: bool,
    fold: Fold,
) -> Vec<(InTheWay<'a>, String)> {
    let clash = |other: LaneId, theirs: bool, text: &str| {
        (other != lane && !(shared && theirs))
            .then(|| targets.iter().find(|target| meets(text, target, fold)))
            .flatten()
    };
    let mut met: Vec<(InTheWay<'a>, String)> = held
        .into_iter()
        .filter_map(|r| clash(r.lane, r.shared, &r.pattern).map(|t| (InTheWay::Hold(r), t.to_string())))
        .collect();
    met.extend(queue.into_iter().filter_map(|ticket| {
        let first = ticket.patterns.iter().find_map(|text| clash(ticket.lane, ticket.shared, text));
        first.map(|target| (InTheWay::Earlier(ticket), target.to_string()))
    }));
    met
}

fn read(what: &[String]) -> Result<Vec<Target>, Refusal> {
    let mut targets: Vec<Target> = Vec::new();
    for text in what {
        let target = text.parse::<Target>().map_err(|error| Refusal::new(Reason::Invalid, error.to_string()))?;
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    Ok(targets)
}

/// A lane takes holds, all of them or none; with `queue` it waits where others hold something of it. What it holds
/// itself already is renewed.
///
/// # Errors
/// When something does not read, another lane holds it, or the lane holds as much as it may.
pub fn reserve(ledger: &Ledger<'_>, lane: LaneId, wanted: &Wanted) -> Result<Decision, Refusal> {
    let name = ledger.open(lane)?.name.to_string();
    let targets = read(&wanted.what)?;
    if targets.is_empty() {
        return Err(Refusal::new(Reason::Invalid, "nothing to reserve is named"));
    }
    if targets.len() > AT_ONCE {
        let message = format!("{} things at once are too many: at most {AT_ONCE}", targets.len());
        return Err(Refusal::new(Reason::Limit, message).next("reserve a directory or a glob instead"));
    }
    if let Some(reason) = &wanted.reason {
        check_text("reason", reason, REASON)?;
    }
    if wanted.seconds.is_some_and(|seconds| seconds == 0 || seconds > LONGEST_LEASE) {
        return Err(Refusal::new(Reason::Invalid, "a hold lasts from one second to seven days")
            .next("without `--ttl` it lasts until it is released"));
    }
    if let Some(issue) = wanted.issue {
        ledger.own_claim(lane, issue)?;
    }
    let met = in_the_way(
        ledger.reservations.values(),
        ledger.shared.tickets.values(),
        lane,
        &targets,
        wanted.shared,
        ledger.fold,
    );
    if !met.is_empty() {
        return if wanted.queue {
            wait(ledger, lane, wanted, &targets, &met)
        } else {
            Err(held_by(ledger, lane, wanted, &met))
        };
    }
    let mut acts = Acts::new(ledger);
    take(&mut acts, lane, &targets, wanted)?;
    // What was exclusive and is shared now may let others in.
    settle_queue(&mut acts);
    let list: Vec<String> = targets.iter().map(ToString::to_string).collect();
    let words = format!("lane {name} reserves {}{}", list.join(", "), for_how_long(wanted.seconds));
    let until = wanted.seconds.map(|seconds| ledger.after(seconds).to_string());
    let json = json!({
        "done": words, "lane": name, "state": "held", "reserved": list, "shared": wanted.shared, "until": until,
    });
    Ok(acts.done(words, json))
}

fn for_how_long(seconds: Option<u32>) -> String {
    seconds.map(|seconds| format!(" for {seconds} s")).unwrap_or_default()
}

/// Takes what is free.
fn take(acts: &mut Acts<'_>, lane: LaneId, targets: &[Target], wanted: &Wanted) -> Result<(), Refusal> {
    let ledger = acts.ledger;
    let own: Vec<&Reservation> = ledger.reservations.values().filter(|held| held.lane == lane).collect();
    let texts: Vec<String> = targets.iter().map(ToString::to_string).collect();
    let new = texts.iter().filter(|text| !own.iter().any(|held| held.pattern == **text)).count();
    if own.len() + new > HELD {
        let name = ledger.name(lane);
        return Err(Refusal::new(
            Reason::Limit,
            format!("lane `{name}` would hold {} things: at most {HELD}", own.len() + new),
        )
        .next(format!("`paralane release --lane {name} PATH` gives some back; or reserve a directory")));
    }
    for pattern in texts {
        let known = own.iter().find(|held| held.pattern == pattern);
        let mut lease = wanted.seconds.map(|seconds| Lease { seconds, until: ledger.after(seconds) });
        match known {
            Some(held) if held.shared == wanted.shared && held.issue == wanted.issue => {
                // A renewed lease is another one, whatever the clock says.
                while lease.is_some_and(|new| held.lease.is_some_and(|old| old.until == new.until)) {
                    lease = lease.map(|new| Lease {
                        until: new.until.checked_add(jiff::SignedDuration::from_nanos(1)).unwrap_or(new.until),
                        ..new
                    });
                }
                if lease != held.lease {
                    acts.hold(HoldChange::Renewed { reservation: held.id, lane, lease });
                }
            }
            known => {
                if let Some(held) = known {
                    acts.changes.push(Change::ReservationReleased { reservation: held.id });
                }
                let reservation = Reservation {
                    id: acts.reservation_id(),
                    lane,
                    pattern,
                    shared: wanted.shared,
                    created: ledger.now,
                    reason: wanted.reason.clone(),
                    issue: wanted.issue,
                    lease,
                };
                acts.changes.push(Change::ReservationAdded { reservation: Box::new(reservation) });
            }
        }
    }
    Ok(())
}

/// Names who stands in the way, and what to do.
fn held_by(ledger: &Ledger<'_>, lane: LaneId, wanted: &Wanted, met: &[(InTheWay<'_>, String)]) -> Refusal {
    let mut lines = Vec::new();
    for (what, target) in met.iter().take(8) {
        lines.push(match what {
            InTheWay::Hold(held) => {
                let holder = ledger.name(held.lane);
                let as_what = if held.pattern == *target { String::new() } else { format!(" as `{}`", held.pattern) };
                let why = held.reason.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
                let until = held.lease.map(|lease| format!(" until {}", lease.until.strftime("%H:%M:%SZ")));
                format!("`{target}` is reserved by lane `{holder}`{as_what}{}{why}", until.unwrap_or_default())
            }
            InTheWay::Earlier(ticket) => {
                let same = ticket.patterns.iter().any(|pattern| pattern == target);
                let meets = if same { String::new() } else { format!(", which meets `{target}`") };
                let what: Vec<String> = ticket.patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
                let (name, since) = (ledger.name(ticket.lane), age(ticket.created, ledger.now));
                format!("lane `{name}` waits for {} since {since} ({}){meets}", what.join(", "), ticket.id)
            }
        });
    }
    if met.len() > lines.len() {
        lines.push(format!("and {} more", met.len() - lines.len()));
    }
    let words = |what: &[String]| what.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ");
    let refusal = Refusal::new(Reason::Held, lines.join("; "));
    let refusal = match met.first() {
        Some((InTheWay::Hold(held), _)) => refusal.next(format!(
            "`paralane release --lane {} -- {}` ends that hold; nothing was reserved",
            ledger.name(held.lane),
            shell_word(&held.pattern)
        )),
        _ => refusal,
    };
    let how = if wanted.shared { "--wait --shared" } else { "--wait" };
    let (name, what) = (ledger.name(lane), words(&wanted.what));
    refusal.next(format!("`paralane reserve --lane {name} {how} -- {what}` waits for it"))
}

/// Puts a lane into the queue.
fn wait(
    ledger: &Ledger<'_>,
    lane: LaneId,
    wanted: &Wanted,
    targets: &[Target],
    met: &[(InTheWay<'_>, String)],
) -> Result<Decision, Refusal> {
    let name = ledger.name(lane);
    let patterns: Vec<String> = targets.iter().map(ToString::to_string).collect();
    let own = || ledger.shared.tickets.values().filter(|ticket| ticket.lane == lane);
    let mut holders: Vec<LaneId> = met.iter().map(|(what, _)| what.lane()).collect();
    holders.sort_unstable();
    holders.dedup();
    let behind: Vec<String> = holders.iter().map(|lane| format!("`{}`", ledger.name(*lane))).collect();
    let told = |id: TicketId, changes: Vec<Change>| {
        // Only who waits for the same, and came earlier, is served before it.
        let before = |what: &InTheWay<'_>| matches!(what, InTheWay::Earlier(ticket) if ticket.id < id);
        let position = met.iter().filter(|(what, _)| before(what)).count() + 1;
        let words = format!(
            "lane {name} waits for {} ({id}, place {position}) behind {}",
            patterns.join(", "),
            behind.join(", ")
        );
        let json = json!({
            "done": words, "lane": name, "state": "waiting", "ticket": id.to_string(), "position": position,
            "behind": holders.iter().map(|lane| ledger.name(*lane)).collect::<Vec<_>>(), "reserved": [],
        });
        Ok(Decision { changes, words, json })
    };
    if let Some(same) = own().find(|ticket| ticket.patterns == patterns && ticket.shared == wanted.shared) {
        return told(same.id, Vec::new());
    }
    if own().count() >= WAITING {
        return Err(Refusal::new(Reason::Limit, format!("lane `{name}` waits in {WAITING} places already"))
            .next(format!("`paralane release --lane {name} PATH` gives one up")));
    }
    if let Some(round) = round(ledger, lane, &holders) {
        let words: Vec<String> = round.iter().map(|lane| format!("`{}`", ledger.name(*lane))).collect();
        return Err(Refusal::new(
            Reason::Cycle,
            format!("lane `{name}` would wait for itself: {}", words.join(" waits for ")),
        )
        .next(format!("`paralane release --lane {name}` first gives back what the others wait for")));
    }
    let mut acts = Acts::new(ledger);
    let id = TicketId(ledger.shared.last.ticket + 1);
    let ticket = Ticket {
        id,
        lane,
        patterns: patterns.clone(),
        shared: wanted.shared,
        reason: wanted.reason.clone(),
        issue: wanted.issue,
        seconds: wanted.seconds,
        created: ledger.now,
    };
    acts.hold(HoldChange::Queued { ticket: Box::new(ticket) });
    let subject = format!("`{name}` waits for what you hold");
    let body = format!("Lane `{name}` waits for {}. Release it when you are done with it.", patterns.join(", "));
    acts.tell(holders.iter().map(|lane| Party::Lane(*lane)), None, subject, body);
    told(id, acts.changes)
}

/// The round of lanes that would wait for each other if `lane` waited for `holders`.
fn round(ledger: &Ledger<'_>, lane: LaneId, holders: &[LaneId]) -> Option<Vec<LaneId>> {
    let waits_for = |waiting: LaneId| -> Vec<LaneId> {
        let tickets = ledger.shared.tickets.values().filter(|ticket| ticket.lane == waiting);
        tickets
            .flat_map(|ticket| {
                let targets: Vec<Target> = ticket.patterns.iter().filter_map(|text| text.parse().ok()).collect();
                let earlier = ledger.shared.tickets.range(..ticket.id).map(|(_, ticket)| ticket);
                in_the_way(ledger.reservations.values(), earlier, waiting, &targets, ticket.shared, ledger.fold)
            })
            .map(|(what, _)| what.lane())
            .collect()
    };
    let mut open: Vec<Vec<LaneId>> = holders.iter().map(|holder| vec![lane, *holder]).collect();
    let mut seen: Vec<LaneId> = Vec::new();
    while let Some(way) = open.pop() {
        let at = *way.last()?;
        if at == lane {
            return Some(way);
        }
        if !seen.contains(&at) {
            seen.push(at);
            open.extend(waits_for(at).into_iter().map(|next| way.iter().copied().chain([next]).collect()));
        }
    }
    None
}

/// Hands what is free after all that was decided so far to those who wait, in their order.
pub(super) fn settle_queue(acts: &mut Acts<'_>) {
    let ledger = acts.ledger;
    if ledger.shared.tickets.is_empty() {
        return;
    }
    let (mut held, left) = afterwards(&ledger, &acts.changes);
    let mut before: Vec<&Ticket> = Vec::new();
    for ticket in ledger.shared.tickets.values().filter(|ticket| !left.contains(&ticket.id)) {
        let targets: Vec<Target> = ticket.patterns.iter().filter_map(|text| text.parse().ok()).collect();
        let stands =
            !in_the_way(held.values(), before.iter().copied(), ticket.lane, &targets, ticket.shared, ledger.fold)
                .is_empty();
        if stands || targets.len() != ticket.patterns.len() {
            before.push(ticket);
            continue;
        }
        acts.hold(HoldChange::Unqueued { ticket: ticket.id, lane: ticket.lane, granted: true });
        let issue = ticket.issue.filter(|issue| owner_afterwards(&ledger, &acts.changes, *issue) == Some(ticket.lane));
        for pattern in &ticket.patterns {
            let reservation = Reservation {
                id: acts.reservation_id(),
                lane: ticket.lane,
                pattern: pattern.clone(),
                shared: ticket.shared,
                created: ledger.now,
                reason: ticket.reason.clone(),
                issue,
                lease: ticket.seconds.map(|seconds| Lease { seconds, until: ledger.after(seconds) }),
            };
            held.insert(reservation.id, reservation.clone());
            acts.changes.push(Change::ReservationAdded { reservation: Box::new(reservation) });
        }
        let subject = format!("you hold {}", ticket.patterns.join(", "));
        let body = format!("What you waited for ({}) was released: it is yours now.", ticket.id);
        acts.tell([Party::Lane(ticket.lane)], ticket.issue, subject, body);
    }
}

/// What is held after these steps, and which places in the queue are given up.
fn afterwards(ledger: &Ledger<'_>, changes: &[Change]) -> (BTreeMap<ReservationId, Reservation>, Vec<TicketId>) {
    let mut held = ledger.reservations.clone();
    let mut left = Vec::new();
    for change in changes {
        match change {
            Change::ReservationReleased { reservation } => {
                held.remove(reservation);
            }
            Change::ReservationAdded { reservation } => {
                held.insert(reservation.id, (**reservation).clone());
            }
            Change::Hold(HoldChange::Moved { reservation, lane }) => {
                if let Some(held) = held.get_mut(reservation) {
                    held.lane = *lane;
                }
            }
            Change::Hold(HoldChange::Unqueued { ticket, .. }) => left.push(*ticket),
            _ => {}
        }
    }
    (held, left)
}

/// Who owns an issue after these steps.
fn owner_afterwards(ledger: &Ledger<'_>, changes: &[Change], issue: IssueId) -> Option<LaneId> {
    let mut owner = ledger.shared.owner(issue);
    for change in changes {
        match change {
            Change::Issue(IssueChange::Claimed { issue: of, claim }) if *of == issue => owner = Some(claim.lane),
            Change::Issue(IssueChange::Released { issue: of, .. }) if *of == issue => owner = None,
            _ => {}
        }
    }
    owner
}

/// A lane gives holds back, and places in the queue for them; no patterns: everything.
///
/// # Errors
/// When it has none of that.
pub fn release(ledger: &Ledger<'_>, lane: LaneId, what: &[String]) -> Result<Decision, Refusal> {
    let targets = read(what)?;
    let texts: Vec<String> = targets.iter().map(ToString::to_string).collect();
    let name = ledger.name(lane);
    let meant = |pattern: &String| texts.is_empty() || texts.contains(pattern);
    let held: Vec<&Reservation> =
        ledger.reservations.values().filter(|held| held.lane == lane && meant(&held.pattern)).collect();
    let tickets: Vec<TicketId> = ledger
        .shared
        .tickets
        .values()
        .filter(|ticket| ticket.lane == lane && (texts.is_empty() || ticket.patterns.iter().any(meant)))
        .map(|ticket| ticket.id)
        .collect();
    if held.is_empty() && tickets.is_empty() {
        let other = ledger.reservations.values().find(|held| held.lane != lane && texts.contains(&held.pattern));
        let refusal = Refusal::new(Reason::Condition, format!("lane `{name}` holds no such reservation"));
        return Err(match other {
            Some(held) => {
                let (holder, what) = (ledger.name(held.lane), shell_word(&held.pattern));
                refusal
                    .next(format!("lane `{holder}` holds it: `paralane release --lane {holder} -- {what}` ends that"))
            }
            None => refusal.next("`paralane reservations` lists what is held"),
        });
    }
    let mut acts = Acts::new(ledger);
    for ticket in &tickets {
        acts.hold(HoldChange::Unqueued { ticket: *ticket, lane, granted: false });
    }
    let gone: Vec<ReservationId> = held.iter().map(|held| held.id).collect();
    for reservation in &gone {
        acts.changes.push(Change::ReservationReleased { reservation: *reservation });
    }
    settle_queue(&mut acts);
    let released: Vec<&String> = held.iter().map(|held| &held.pattern).collect();
    let count = gone.len();
    let mut words = format!("lane {name} released {count} reservation{}", if count == 1 { "" } else { "s" });
    if !tickets.is_empty() {
        let _ = write!(
            words,
            " and gave up {} place{} in the queue",
            tickets.len(),
            if tickets.len() == 1 { "" } else { "s" }
        );
    }
    let granted = granted(ledger, &acts.changes);
    for (lane, pattern) in &granted {
        let _ = write!(words, "\nlane {lane} holds {pattern} now");
    }
    let json = json!({
        "done": words, "lane": name, "released": released, "withdrawn": tickets.len(),
        "granted": granted.iter().map(|(lane, pattern)| json!({ "lane": lane, "pattern": pattern })).collect::<Vec<_>>(),
    });
    Ok(acts.done(words, json))
}

/// What the queue was given by these steps.
fn granted(ledger: &Ledger<'_>, changes: &[Change]) -> Vec<(String, String)> {
    let added = changes.iter().filter_map(|change| match change {
        Change::ReservationAdded { reservation } => Some((ledger.name(reservation.lane), reservation.pattern.clone())),
        _ => None,
    });
    added.collect()
}

/// A lease has run out, by a clock that nobody sets: the hold ends, unless it was renewed or released meanwhile.
#[must_use]
pub fn lapse(ledger: &Ledger<'_>, reservation: ReservationId, lease: Lease) -> Option<Decision> {
    let held = ledger.reservations.get(&reservation).filter(|held| held.lease == Some(lease))?;
    let mut acts = Acts::new(ledger);
    acts.end_holds(&[reservation]);
    let name = ledger.name(held.lane);
    let words = format!("the hold of lane {name} on {} has ended: its {} s are over", held.pattern, lease.seconds);
    let body = format!("Its {} s are over. Reserve it again if you still need it.", lease.seconds);
    acts.tell([Party::Lane(held.lane)], held.issue, format!("you do not hold {} any more", held.pattern), body);
    let json = json!({ "done": words, "lane": name, "released": [held.pattern] });
    Some(acts.done(words, json))
}

/// What of these files, which somebody edits outside of all lanes, lanes hold: the lane, what it holds, the file.
#[must_use]
pub fn edited_elsewhere<'r, 'f>(
    reservations: impl IntoIterator<Item = &'r Reservation>,
    files: &'f [String],
) -> Vec<(LaneId, &'r str, &'f str)> {
    let mut met = Vec::new();
    for held in reservations {
        let Ok(Target::Paths(pattern)) = held.pattern.parse::<Target>() else { continue };
        let own = files.iter().filter(|file| pattern.meets_file(file));
        met.extend(own.map(|file| (held.lane, held.pattern.as_str(), file.as_str())));
    }
    met
}
