//! What became of approvals, read from history.

use rusqlite::Connection;

use super::load;
use crate::domain::{Event, LaneId};

/// The newest events of approvals, oldest first; with `lane`, only that lane's.
pub(super) fn newest(db: &Connection, lane: Option<LaneId>, last: usize) -> Result<Vec<Event>, rusqlite::Error> {
    // The condition on `kind` is that of the index, word for word.
    let sql = "SELECT seq, at, lane, body FROM events
               WHERE kind IN ('approval-added', 'approval-confirmed', 'approval-moved') AND (?1 IS NULL OR lane = ?1)
               ORDER BY seq DESC LIMIT ?2";
    let mut found = load::rows(db, sql, (lane.map(|lane| lane.0), last as i64), |row| {
        Ok(Event {
            seq: row.get::<_, i64>("seq")?.cast_unsigned(),
            at: load::text(row, "at")?,
            lane: row.get::<_, Option<i64>>("lane")?.map(LaneId),
            body: row.get("body")?,
        })
    })?;
    found.reverse();
    Ok(found)
}
