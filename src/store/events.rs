//! History read back: by lane or prompt through an index, newest first, and page by page from the oldest.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::load::{maybe, rows, text};
use crate::domain::{ClaimId, Event, History, HistoryOf, HistoryQuery, IssueId, LaneId};

/// A piece of history. However long it is, only what is wanted is read.
pub(super) fn history(db: &Connection, query: &HistoryQuery) -> Result<History, rusqlite::Error> {
    let (column, id) = match query.of {
        HistoryOf::Lane(lane) => ("lane", lane.0),
        HistoryOf::Prompt(prompt) => ("prompt", prompt.0),
        HistoryOf::Issue(issue) => ("issue", issue.0),
        HistoryOf::Claim(claim) => return of_claim(db, query, claim),
    };
    // Each kind from the index alone, then the newest of all of them.
    let sql = format!(
        "SELECT seq FROM events WHERE {column} = ?1 AND kind = ?2 AND kind <> 'entry-added' ORDER BY seq DESC LIMIT ?3"
    );
    let most = i64::try_from(query.limit).unwrap_or(i64::MAX - 1) + 1;
    let mut places: Vec<i64> = Vec::new();
    for kind in query.changes() {
        places.extend(rows(db, &sql, params![id, kind, most], |row| row.get::<_, i64>(0))?);
    }
    places.sort_unstable_by_key(|seq| std::cmp::Reverse(*seq));
    let mut more = places.len() > query.limit;
    places.truncate(query.limit);
    let mut events = Vec::with_capacity(places.len());
    for seq in places {
        let found = rows(db, "SELECT seq, at, lane, body FROM events WHERE seq = ?1", [seq], event)?;
        if found.iter().any(|event| query.since.is_some_and(|since| event.at < since)) {
            more = false;
            break;
        }
        events.extend(found);
    }
    events.reverse();
    Ok(History { events, more, dropped_before: dropped_before(db)? })
}

/// What of an issue's history falls into one ownership of it.
fn of_claim(db: &Connection, query: &HistoryQuery, claim: ClaimId) -> Result<History, rusqlite::Error> {
    let found = db
        .prepare_cached("SELECT issue, at, ended FROM claims WHERE id = ?1")?
        .query_row([claim.0], |row| {
            Ok((IssueId(row.get("issue")?), text::<Timestamp>(row, "at")?, maybe::<Timestamp>(row, "ended")?))
        })
        .optional()?;
    // Of a claim that is long over nothing is kept but what history says of its issue.
    let Some((issue, begun, ended)) = found else {
        return Ok(History { dropped_before: dropped_before(db)?, ..History::default() });
    };
    // An issue's history is short: all of it is looked at.
    let all = HistoryQuery { of: HistoryOf::Issue(issue), limit: usize::MAX - 1, ..query.clone() };
    let mut found = history(db, &all)?;
    let within = |event: &Event| {
        event.at >= begun
            && ended.is_none_or(|ended| event.at <= ended)
            && event.change().is_none_or(|change| change.may_concern(claim))
    };
    found.events.retain(within);
    let over = found.events.len().saturating_sub(query.limit);
    found.events.drain(..over);
    found.more |= over > 0;
    Ok(found)
}

/// When the oldest event that is kept was written, if older ones have been dropped.
fn dropped_before(db: &Connection) -> Result<Option<Timestamp>, rusqlite::Error> {
    let first: Option<Event> = db
        .prepare_cached("SELECT seq, at, lane, body FROM events ORDER BY seq LIMIT 1")?
        .query_row([], event)
        .optional()?;
    Ok(first.filter(|event| event.seq > 1).map(|event| event.at))
}

/// At most `most` events after this place, oldest first; only this lane's if one is named.
pub(super) fn after(
    db: &Connection,
    seq: u64,
    lane: Option<LaneId>,
    most: usize,
) -> Result<Vec<Event>, rusqlite::Error> {
    let (seq, most) = (seq as i64, most as i64);
    if let Some(lane) = lane {
        let sql = "SELECT seq, at, lane, body FROM events WHERE lane = ?2 AND seq > ?1 ORDER BY seq LIMIT ?3";
        return rows(db, sql, params![seq, lane.0, most], event);
    }
    rows(db, "SELECT seq, at, lane, body FROM events WHERE seq > ?1 ORDER BY seq LIMIT ?2", params![seq, most], event)
}

/// The first event's place that is not before this moment; the place after the last one if all are.
pub(super) fn since(db: &Connection, moment: Timestamp) -> Result<u64, rusqlite::Error> {
    let ends = |what: &str| -> Result<Option<i64>, rusqlite::Error> {
        db.query_row(&format!("SELECT {what}(seq) FROM events"), [], |row| row.get(0))
    };
    let (Some(mut low), Some(high)) = (ends("min")?, ends("max")?) else { return Ok(1) };
    let mut high = high + 1;
    // Events are written in the order of time and have no gaps: a search by halves reads a handful of them.
    while low < high {
        let middle = low + (high - low) / 2;
        let at: Timestamp =
            db.prepare_cached("SELECT at FROM events WHERE seq = ?1")?.query_row([middle], |row| text(row, "at"))?;
        if at < moment {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low as u64)
}

/// The last event's place; 0 if there is none.
pub(super) fn last(db: &Connection) -> Result<u64, rusqlite::Error> {
    let last: Option<i64> = db.query_row("SELECT max(seq) FROM events", [], |row| row.get(0))?;
    Ok(last.unwrap_or(0) as u64)
}

fn event(row: &Row<'_>) -> rusqlite::Result<Event> {
    Ok(Event {
        seq: row.get::<_, i64>("seq")? as u64,
        at: text(row, "at")?,
        lane: row.get::<_, Option<i64>>("lane")?.map(LaneId),
        body: row.get("body")?,
    })
}
