//! Reservations: commands to the rules, leases timed by a clock that nobody sets, and what may be met.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::errand::{Errand, Goal, Keying, Quest};
use crate::app::{Effect, NotKept};
use crate::base::Report;
use crate::command::{ReserveArgs, Within};
use crate::coordination::reservations::{self, Wanted};
use crate::coordination::{Target, mail};
use crate::domain::{Change, CoChange, HoldChange, LaneId, Lease, ReservationId};

use super::run::{Done, Origin};
use super::step::Step;
use super::work::{acting, decide, keep};

/// Rows of a forecast.
const FORECAST: usize = 16;

/// Takes holds for a lane: all of them or none.
pub(super) fn reserve(
    step: &mut Step<'_>,
    origin: Origin,
    args: ReserveArgs,
    keying: Option<Keying>,
) -> Result<Done, Report> {
    let lane = acting(step, origin, args.lane.as_deref())?;
    let wanted = Wanted {
        what: args.paths,
        shared: args.shared,
        reason: args.reason,
        issue: args.issue,
        seconds: args.ttl.map(|Within(seconds)| seconds),
        queue: args.wait,
    };
    let mut decision = reservations::reserve(&step.state.ledger(step.env.now), lane, &wanted)?;
    let edited = edited_now(step, &wanted.what);
    if !edited.is_empty() {
        let _ = write!(decision.words, "\nyou edit in the base checkout: {}", edited.join(", "));
        decision.json["edited_in_base"] = json!(edited);
    }
    let (words, json) = (decision.words.clone(), decision.json.clone());
    let others = step.state.model.reservations.values().any(|held| held.lane != lane);
    let kept = decide(step, origin, decision, keying);
    // History is asked only where it could say something: for files, when others hold something.
    let paths = wanted.what.iter().filter_map(|text| text.parse::<Target>().ok()).filter(|t| t.paths().is_some());
    let paths: Vec<String> = paths.map(|target| target.to_string()).collect();
    if !others || paths.is_empty() {
        return Ok(kept);
    }
    let goal = Goal::Forecast { lane, words, json };
    let errand = Errand { asker: origin.asker(), quest: Quest::CoChanges(paths), goal };
    step.then.push(Effect::Errand(Box::new(errand)));
    Ok(Done::Later)
}

/// What of these the person edits in the base checkout now.
fn edited_now(step: &Step<'_>, what: &[String]) -> Vec<String> {
    let targets: Vec<Target> = what.iter().filter_map(|text| text.parse().ok()).collect();
    let meant = |file: &&String| targets.iter().filter_map(Target::paths).any(|pattern| pattern.meets_file(file));
    step.state.base_edits.iter().filter(meant).take(FORECAST).cloned().collect()
}

/// Says what of the files that changed together with the reserved ones other lanes hold.
pub(super) fn forecast(
    step: &Step<'_>,
    lane: LaneId,
    mut words: String,
    mut json: Value,
    files: &[CoChange],
) -> (String, Value) {
    let mut rows = Vec::new();
    for file in files {
        let held = step.state.model.reservations.values().filter(|held| held.lane != lane).find(|held| {
            held.pattern.parse::<Target>().is_ok_and(|t| t.paths().is_some_and(|p| p.meets_file(&file.path)))
        });
        let Some(held) = held else { continue };
        let holder = step.state.model.name(held.lane);
        let _ = write!(
            words,
            "\nforecast: {} changed together with {} in {} commits, and lane {holder} holds it",
            file.path, file.with, file.commits
        );
        rows.push(json!({ "path": file.path, "with": file.with, "commits": file.commits, "lane": holder }));
        if rows.len() == FORECAST {
            break;
        }
    }
    json["forecast"] = Value::Array(rows);
    (words, json)
}

/// Gives back a lane's holds; no paths means all.
pub(super) fn release(
    step: &mut Step<'_>,
    origin: Origin,
    lane: Option<&str>,
    paths: &[String],
    keying: Option<Keying>,
) -> Result<Done, Report> {
    let lane = acting(step, origin, lane)?;
    let decision = reservations::release(&step.state.ledger(step.env.now), lane, paths)?;
    Ok(decide(step, origin, decision, keying))
}

/// Starts the clock of a lease that begins with a change.
pub(super) fn time(step: &mut Step<'_>, change: &Change) {
    let lease = match change {
        Change::ReservationAdded { reservation } => reservation.lease.map(|lease| (reservation.id, lease)),
        Change::Hold(HoldChange::Renewed { reservation, lease, .. }) => lease.map(|lease| (*reservation, lease)),
        _ => None,
    };
    if let Some((reservation, lease)) = lease {
        step.then.push(Effect::Lease { reservation, lease, seconds: lease.seconds });
    }
}

/// After a start nobody knows how long nothing ran: every lease begins anew, so that none ends too early.
pub(super) fn begin_leases(step: &mut Step<'_>) {
    let held = step.state.model.reservations.values();
    let all: Vec<_> = held.filter_map(|held| held.lease.map(|lease| (held.id, lease))).collect();
    for (reservation, lease) in all {
        step.now.push(Effect::Lease { reservation, lease, seconds: lease.seconds });
    }
}

/// A lease has run out.
pub(super) fn lapsed(step: &mut Step<'_>, reservation: ReservationId, lease: Lease) {
    let Some(decision) = reservations::lapse(&step.state.ledger(step.env.now), reservation, lease) else {
        return;
    };
    step.activity(None, decision.words);
    keep(step, decision.changes);
    step.then.push(Effect::IfNotKept(NotKept::Lapse(reservation, lease)));
}

/// The person edits these files in the base checkout now: lanes that hold one are told of what is new.
pub(super) fn base_edited(step: &mut Step<'_>, files: Vec<String>) {
    let before = std::mem::replace(&mut step.state.base_edits, files.into_iter().collect());
    let new: Vec<String> = step.state.base_edits.difference(&before).cloned().collect();
    if new.is_empty() {
        return;
    }
    let met = reservations::edited_elsewhere(step.state.model.reservations.values(), &new);
    let mut by_lane: std::collections::BTreeMap<LaneId, Vec<&str>> = std::collections::BTreeMap::new();
    for (lane, _, file) in met {
        // A lane that works in the base checkout itself edits its own files.
        let here = step.state.model.lanes.get(&lane).is_some_and(|of| of.place.branch.is_none());
        if !here {
            by_lane.entry(lane).or_default().push(file);
        }
    }
    for (lane, files) in by_lane {
        let changes = mail::warn_of_edits(&step.state.ledger(step.env.now), lane, &files);
        keep(step, changes);
        step.activity(Some(lane), format!("edited in the base checkout, held by this lane: {}", files.join(", ")));
    }
}
