//! Rows to domain values: the snapshot, and older pieces of a transcript.

use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::value::{Json, Text};
use super::{facts, shared, spends};
use crate::domain::{
    Approval, ApprovalId, BaseRef, CallId, Checkpoint, Conflict, ConflictId, Entry, FactScope, IssueId, Lane, LaneId,
    LaneStage, LastIds, LeftBehind, Place, Prompt, PromptId, Reservation, ReservationId, RuleOrigin, SharedWork,
    Snapshot,
};

/// Ended prompts in a snapshot; open ones are all there.
const ENDED_PROMPTS: i64 = 500;
/// Answered and expired approvals in a snapshot; pending ones are all there.
const ENDED_APPROVALS: i64 = 200;
/// Ended conflicts in a snapshot; open ones are all there.
const ENDED_CONFLICTS: i64 = 200;
/// Entries of each lane in a snapshot. Older ones are read in pages.
const ENTRIES: usize = 500;
/// Landmarks before them.
const LANDMARKS: usize = 32;
/// Entries of a rewound lane in a snapshot, those left behind included.
const LEFT_BEHIND: usize = 10_000;

/// Everything durable. The caller holds a transaction open, so that all of it is of one moment.
pub(super) fn snapshot(db: &Connection) -> Result<Snapshot, rusqlite::Error> {
    let mut snapshot = facts(db)?;
    for lane in &snapshot.lanes {
        // Of a closed one only the last: it tells where the transcript goes on, should the lane come back.
        let closed = lane.stage == LaneStage::Closed;
        let entries = newest(db, lane.id, if closed { 1 } else { ENTRIES })?;
        if !closed {
            snapshot.entries.extend(landmarks(db, &entries)?);
        }
        snapshot.entries.extend(entries);
    }
    Ok(snapshot)
}

/// The newest entries of a lane and the landmarks before them.
pub(super) fn conversation(db: &Connection, lane: LaneId, limit: usize) -> Result<Vec<Entry>, rusqlite::Error> {
    let entries = page(db, lane, None, limit)?;
    let mut all = landmarks(db, &entries)?;
    all.extend(entries);
    Ok(all)
}

/// The newest entries before these that decide what of them counts, oldest first.
fn landmarks(db: &Connection, entries: &[Entry]) -> Result<Vec<Entry>, rusqlite::Error> {
    let Some(first) = entries.first().filter(|first| first.seq > 1) else { return Ok(Vec::new()) };
    let sql = "SELECT * FROM entries WHERE lane = ?1 AND seq < ?2 AND landmark ORDER BY seq DESC LIMIT ?3";
    let mut found = rows(db, sql, (first.lane.0, first.seq as i64, LANDMARKS as i64), entry)?;
    found.reverse();
    Ok(found)
}

/// Everything but transcripts.
pub(super) fn facts(db: &Connection) -> Result<Snapshot, rusqlite::Error> {
    Ok(Snapshot {
        lanes: rows(db, "SELECT * FROM lanes ORDER BY id", [], lane)?,
        prompts: rows(
            db,
            "SELECT * FROM prompts WHERE ended = 0
                OR id IN (SELECT id FROM prompts WHERE ended = 1 ORDER BY id DESC LIMIT ?1) ORDER BY id",
            [ENDED_PROMPTS],
            prompt,
        )?,
        approvals: rows(
            db,
            "SELECT * FROM approvals WHERE open = 1
                OR id IN (SELECT id FROM approvals WHERE open = 0 ORDER BY id DESC LIMIT ?1) ORDER BY id",
            [ENDED_APPROVALS],
            approval,
        )?,
        conflicts: rows(
            db,
            "SELECT * FROM conflicts WHERE open = 1
                OR id IN (SELECT id FROM conflicts WHERE open = 0 ORDER BY id DESC LIMIT ?1) ORDER BY id",
            [ENDED_CONFLICTS],
            conflict,
        )?,
        reservations: rows(db, "SELECT * FROM reservations ORDER BY id", [], reservation)?,
        shared: SharedWork { deadlines: setting(db, "deadlines")?.unwrap_or_default(), ..shared::all(db)? },
        checkpoints: rows(db, "SELECT * FROM checkpoints ORDER BY lane, number", [], checkpoint)?,
        entries: Vec::new(),
        calls: rows(db, "SELECT lane, call, state FROM calls ORDER BY lane, rowid", [], |row| {
            Ok((LaneId(row.get(0)?), CallId(row.get(1)?), text(row, "state")?))
        })?,
        remembered: rows(db, "SELECT lane, tool, action FROM remembered ORDER BY rowid", [], |row| {
            Ok((row.get::<_, Option<i64>>(0)?.map(LaneId), row.get(1)?, row.get(2)?))
        })?,
        written: rows(db, "SELECT lane, path FROM written ORDER BY lane, path", [], |row| {
            Ok((LaneId(row.get(0)?), row.get(1)?))
        })?,
        layers_off: rows(db, "SELECT lane, layer FROM layers_off ORDER BY lane, layer", [], |row| {
            Ok((LaneId(row.get(0)?), text(row, "layer")?))
        })?,
        lane_rules: rows(db, "SELECT lane, rules FROM lane_rules ORDER BY lane", [], |row| {
            Ok((LaneId(row.get(0)?), json(row, "rules")?))
        })?,
        ledger: spends::ledger(db, ENDED_PROMPTS)?,
        budgets: spends::budgets(db)?,
        facts: facts::all(db, FactScope::Project)?,
        mode: setting(db, "mode")?,
        model: setting(db, "model")?,
        trusted: rows(db, "SELECT hash FROM trusted ORDER BY rowid", [], |row| row.get(0))?,
        last_ids: LastIds {
            lane: last(db, "lane")?,
            prompt: last(db, "prompt")?,
            approval: last(db, "approval")?,
            conflict: last(db, "conflict")?,
            reservation: last(db, "reservation")?,
            spend: last(db, "spend")?,
            budget: last(db, "budget")?,
            fact: last(db, facts::COUNTER)?,
        },
    })
}

/// The newest `limit` entries of a lane. Those that a rewind left behind do not count: the conversation goes on before
/// them.
fn newest(db: &Connection, lane: LaneId, limit: usize) -> Result<Vec<Entry>, rusqlite::Error> {
    let mut entries = page(db, lane, None, limit)?;
    while limit > 1 && entries.len() < LEFT_BEHIND {
        let left = LeftBehind::of(entries.iter());
        let first = entries.first().map_or(1, |entry| entry.seq);
        if left.is_empty() || first <= 1 || entries.iter().filter(|e| !left.has(e.seq)).count() >= limit {
            break;
        }
        let mut older = page(db, lane, Some(first), limit)?;
        older.append(&mut entries);
        entries = older;
    }
    Ok(entries)
}

/// The newest `limit` entries of a lane before `before`, oldest first.
pub(super) fn page(
    db: &Connection,
    lane: LaneId,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<Entry>, rusqlite::Error> {
    let before = before.map_or(i64::MAX, |seq| i64::try_from(seq).unwrap_or(i64::MAX));
    let sql = "SELECT * FROM entries WHERE lane = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3";
    let mut found = rows(db, sql, (lane.0, before, limit as i64), entry)?;
    found.reverse();
    Ok(found)
}

pub(super) fn rows<T>(
    db: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    db.prepare_cached(sql)?.query_map(values, read)?.collect()
}

fn setting<T: serde::de::DeserializeOwned>(db: &Connection, name: &str) -> rusqlite::Result<Option<T>> {
    let value = db
        .prepare_cached("SELECT value FROM settings WHERE name = ?1")?
        .query_row([name], |row| row.get::<_, Json<T>>(0))
        .optional()?;
    Ok(value.map(|json| json.0))
}

pub(super) fn last(db: &Connection, kind: &str) -> rusqlite::Result<i64> {
    let sql = "SELECT last FROM counters WHERE kind = ?1";
    Ok(db.prepare_cached(sql)?.query_row([kind], |row| row.get(0)).optional()?.unwrap_or(0))
}

pub(super) fn text<T>(row: &Row<'_>, column: &str) -> rusqlite::Result<T>
where
    Text<T>: FromSql,
{
    row.get::<_, Text<T>>(column).map(|value| value.0)
}

pub(super) fn maybe<T>(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<T>>
where
    Text<T>: FromSql,
{
    Ok(row.get::<_, Option<Text<T>>>(column)?.map(|value| value.0))
}

pub(super) fn json<T>(row: &Row<'_>, column: &str) -> rusqlite::Result<T>
where
    Json<T>: FromSql,
{
    row.get::<_, Json<T>>(column).map(|value| value.0)
}

fn maybe_json<T>(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<T>>
where
    Json<T>: FromSql,
{
    Ok(row.get::<_, Option<Json<T>>>(column)?.map(|value| value.0))
}

fn lane(row: &Row<'_>) -> rusqlite::Result<Lane> {
    Ok(Lane {
        id: LaneId(row.get("id")?),
        name: text(row, "name")?,
        kind: json(row, "kind")?,
        place: Place {
            directory: text(row, "directory")?,
            branch: row.get("branch")?,
            base: BaseRef { name: row.get("base_name")?, sha: row.get("base_sha")? },
        },
        mode: maybe(row, "mode")?,
        stage: text(row, "stage")?,
        error: row.get("error")?,
        set_up: row.get("set_up")?,
        seen: row.get("seen")?,
        created: text(row, "created")?,
        since: text(row, "since")?,
    })
}

fn prompt(row: &Row<'_>) -> rusqlite::Result<Prompt> {
    Ok(Prompt {
        id: PromptId(row.get("id")?),
        lane: LaneId(row.get("lane")?),
        text: row.get("text")?,
        priority: text(row, "priority")?,
        state: text(row, "state")?,
        hold: maybe_json(row, "hold")?,
        position: row.get("position")?,
        started: maybe(row, "started")?,
        created: text(row, "created")?,
        since: text(row, "since")?,
        result: row.get("result")?,
        error: row.get("error")?,
        key: row.get("key")?,
        overridden: json(row, "overridden")?,
    })
}

fn approval(row: &Row<'_>) -> rusqlite::Result<Approval> {
    Ok(Approval {
        id: ApprovalId(row.get("id")?),
        lane: LaneId(row.get("lane")?),
        prompt: row.get::<_, Option<i64>>("prompt")?.map(PromptId),
        call: CallId(row.get("call")?),
        tool: row.get("tool")?,
        action: row.get("action")?,
        arguments: json(row, "arguments")?,
        diff: row.get("diff")?,
        directory: row.get("directory")?,
        rule: RuleOrigin { rule: row.get("rule")?, place: row.get("rule_place")? },
        state: text(row, "state")?,
        scope: maybe(row, "scope")?,
        reason: row.get("reason")?,
        created: text(row, "created")?,
        ended: maybe(row, "ended")?,
        expires: maybe(row, "expires")?,
        needs: row.get("needs")?,
        confirmed: maybe_json(row, "confirmed_by")?,
        by: maybe_json(row, "answered_by")?,
    })
}

fn checkpoint(row: &Row<'_>) -> rusqlite::Result<Checkpoint> {
    Ok(Checkpoint {
        lane: LaneId(row.get("lane")?),
        number: row.get::<_, i64>("number")? as u64,
        prompt: row.get::<_, Option<i64>>("prompt")?.map(PromptId),
        seq: row.get::<_, i64>("seq")? as u64,
        commit: row.get("files")?,
        head: row.get("head")?,
        at: text(row, "at")?,
    })
}

fn conflict(row: &Row<'_>) -> rusqlite::Result<Conflict> {
    Ok(Conflict {
        id: ConflictId(row.get("id")?),
        lane: LaneId(row.get("lane")?),
        prompt: PromptId(row.get("prompt")?),
        call: row.get::<_, Option<String>>("call")?.map(CallId),
        with: LaneId(row.get("with_lane")?),
        paths: json(row, "paths")?,
        cause: row.get("cause")?,
        kind: text(row, "kind")?,
        state: text(row, "state")?,
        created: text(row, "created")?,
    })
}

fn reservation(row: &Row<'_>) -> rusqlite::Result<Reservation> {
    Ok(Reservation {
        id: ReservationId(row.get("id")?),
        lane: LaneId(row.get("lane")?),
        pattern: row.get("pattern")?,
        shared: row.get("shared")?,
        created: text(row, "created")?,
        reason: row.get("reason")?,
        issue: row.get::<_, Option<i64>>("issue")?.map(IssueId),
        lease: shared::lease(row)?,
    })
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        lane: LaneId(row.get("lane")?),
        seq: row.get::<_, i64>("seq")? as u64,
        prompt: row.get::<_, Option<i64>>("prompt")?.map(PromptId),
        at: text(row, "at")?,
        body: json(row, "body")?,
    })
}
