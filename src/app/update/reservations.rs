//! Reservations: paths that a lane keeps for itself.

use crate::base::Report;
use crate::coordination::{self, Pattern};
use crate::domain::{Change, LaneId, Reservation, ReservationId};

use super::step::Step;

fn read_patterns(paths: &[String]) -> Result<Vec<Pattern>, Report> {
    paths.iter().map(|p| p.parse::<Pattern>().map_err(|e| Report::usage(e.to_string()))).collect()
}

/// Takes paths for a lane: all of them or none.
pub(super) fn reserve(step: &mut Step<'_>, lane: LaneId, paths: &[String], shared: bool) -> Result<String, Report> {
    let patterns = read_patterns(paths)?;
    for pattern in &patterns {
        let reserved = step.state.model.reservations.values();
        if let Some(held) = coordination::clashes(reserved, lane, pattern, shared, step.state.settings.fold).first() {
            let holder = step.state.model.name(held.lane);
            return Err(Report::refused(format!("`{}` is reserved by lane `{holder}`", pattern.as_str()))
                .hint(format!("`paralane release --lane {holder}` ends that hold; nothing was reserved")));
        }
    }
    let patterns: Vec<String> = patterns.iter().map(|p| p.as_str().to_owned()).collect();
    for pattern in &patterns {
        if step.state.model.reservations.values().any(|r| r.lane == lane && r.pattern == *pattern && r.shared == shared)
        {
            continue;
        }
        let id = ReservationId(step.state.model.last_ids.reservation + 1);
        step.change(Change::ReservationAdded {
            reservation: Box::new(Reservation { id, lane, pattern: pattern.clone(), shared, created: step.env.now }),
        });
    }
    Ok(format!("lane {} reserves {}", step.state.model.name(lane), patterns.join(", ")))
}

/// Gives back a lane's reservations; no paths means all.
pub(super) fn release(step: &mut Step<'_>, lane: LaneId, paths: &[String]) -> Result<String, Report> {
    let patterns: Vec<String> = read_patterns(paths)?.iter().map(|p| p.as_str().to_owned()).collect();
    let name = step.state.model.name(lane);
    let held: Vec<_> = step
        .state
        .model
        .reservations
        .values()
        .filter(|r| r.lane == lane && (patterns.is_empty() || patterns.contains(&r.pattern)))
        .map(|r| r.id)
        .collect();
    if held.is_empty() {
        return Err(
            Report::refused(format!("lane `{name}` holds no such reservation")).hint("`paralane lane show` lists them")
        );
    }
    let count = held.len();
    for reservation in held {
        step.change(Change::ReservationReleased { reservation });
    }
    Ok(format!("lane {name} released {count} reservation{}", if count == 1 { "" } else { "s" }))
}
