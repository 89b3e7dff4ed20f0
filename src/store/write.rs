//! One change to rows, and the event that history keeps of it.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Params, params};

use super::error::{Fault, StoreError};
use super::value::{Json, Text};
use super::{events, facts, mail, shared, spends};
use crate::domain::{
    Approval, ApprovalState, CallState, Change, Conflict, Lane, LaneId, LaneStage, Prompt, PromptId, PromptState,
    Reservation, Seen,
};

/// Applies one change within the transaction that is open on `db`, and writes its event.
pub(super) fn apply(db: &Connection, change: &Change, at: Timestamp) -> Result<(), Fault> {
    // The event comes first: the row that knows the lane may be gone afterwards.
    let lane = lane_of(db, change)?;
    match (change.prompt(), change.issue()) {
        (prompt @ Some(_), issue) | (prompt, issue @ Some(_)) => run(
            db,
            "INSERT INTO events (at, lane, prompt, issue, body) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![Text(at), lane, prompt.map(|id| id.0), issue.map(|id| id.0), Json(change)],
        )?,
        // The person's own file of facts knows neither prompts nor issues.
        (None, None) => {
            run(db, "INSERT INTO events (at, lane, body) VALUES (?1, ?2, ?3)", params![Text(at), lane, Json(change)])?;
        }
    }
    match change {
        Change::LaneAdded { lane } => add_lane(db, lane),
        Change::LaneMoved { lane, stage, error, at } => move_lane(db, *lane, *stage, error.as_deref(), *at),
        Change::LaneRenamed { lane, name } => unique_name(
            set_lane(db, *lane, "UPDATE lanes SET name = ?2 WHERE id = ?1", params![lane.0, Text(name)]),
            name.as_str(),
        ),
        Change::LanePlaced { lane, place } => set_lane(
            db,
            *lane,
            "UPDATE lanes SET directory = ?2, branch = ?3, base_name = ?4, base_sha = ?5 WHERE id = ?1",
            params![lane.0, Text(&place.directory), place.branch, place.base.name, place.base.sha],
        ),
        Change::LaneSetUp { lane, done } => {
            set_lane(db, *lane, "UPDATE lanes SET set_up = ?2 WHERE id = ?1", params![lane.0, done])
        }
        Change::LaneModeSet { lane, mode } => {
            set_lane(db, *lane, "UPDATE lanes SET mode = ?2 WHERE id = ?1", params![lane.0, mode.map(Text)])
        }
        Change::LaneKindSet { lane, kind } => {
            set_lane(db, *lane, "UPDATE lanes SET kind = ?2 WHERE id = ?1", params![lane.0, Json(kind)])
        }
        Change::LayerSwitched { lane, layer, on: true } => {
            run(db, "DELETE FROM layers_off WHERE lane = ?1 AND layer = ?2", params![lane.0, Text(layer)])
        }
        Change::LayerSwitched { lane, layer, on: false } => run(
            db,
            "INSERT INTO layers_off (lane, layer) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            params![lane.0, Text(layer)],
        ),
        Change::LaneRulesSet { lane, rules } if rules.is_empty() => {
            run(db, "DELETE FROM lane_rules WHERE lane = ?1", [lane.0])
        }
        Change::LaneRulesSet { lane, rules } => run(
            db,
            "INSERT INTO lane_rules (lane, rules) VALUES (?1, ?2)
             ON CONFLICT (lane) DO UPDATE SET rules = excluded.rules",
            params![lane.0, Json(rules)],
        ),
        Change::LaneSeen { lane, seen } => {
            set_lane(db, *lane, "UPDATE lanes SET seen = ?2 WHERE id = ?1", params![lane.0, *seen == Seen::Yes])
        }
        Change::PromptAdded { prompt } => add_prompt(db, prompt),
        Change::PromptMoved { prompt, state, result, error, at } => set_prompt(
            db,
            *prompt,
            "UPDATE prompts SET state = ?2, ended = ?3, result = ?4, error = ?5, since = ?6,
                    started = CASE WHEN ?7 THEN coalesce(started, ?6) ELSE started END
             WHERE id = ?1",
            params![prompt.0, Text(state), state.ended(), result, error, Text(at), *state == PromptState::Running],
        ),
        Change::PromptEdited { prompt, text } => {
            set_prompt(db, *prompt, "UPDATE prompts SET text = ?2 WHERE id = ?1", params![prompt.0, text])
        }
        Change::PromptPlaced { prompt, lane, position, priority } => set_prompt(
            db,
            *prompt,
            "UPDATE prompts SET lane = ?2, position = ?3, priority = ?4 WHERE id = ?1",
            params![prompt.0, lane.0, position, Text(priority)],
        ),
        Change::PromptHeld { prompt, hold } => {
            set_prompt(db, *prompt, "UPDATE prompts SET hold = ?2 WHERE id = ?1", params![prompt.0, hold.map(Json)])
        }
        Change::PromptOverrode { prompt, lanes } => override_lanes(db, *prompt, lanes),
        Change::EntryAdded { entry } => run(
            db,
            "INSERT INTO entries (lane, seq, prompt, at, body, landmark) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                entry.lane.0,
                entry.seq as i64,
                entry.prompt.map(|id| id.0),
                Text(entry.at),
                Json(&entry.body),
                entry.body.is_landmark()
            ],
        ),
        Change::CallMoved { lane, call, state: CallState::Finished, .. } => {
            run(db, "DELETE FROM calls WHERE lane = ?1 AND call = ?2", params![lane.0, call.0])
        }
        Change::CallMoved { lane, prompt, call, state } => run(
            db,
            "INSERT INTO calls (lane, call, prompt, state) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (lane, call) DO UPDATE SET prompt = excluded.prompt, state = excluded.state",
            params![lane.0, call.0, prompt.0, Text(state)],
        ),
        Change::PathsWritten { lane, paths } => paths.iter().try_for_each(|path| {
            run(db, "INSERT INTO written (lane, path) VALUES (?1, ?2) ON CONFLICT DO NOTHING", params![lane.0, path])
        }),
        Change::PathsReleased { lane } => run(db, "DELETE FROM written WHERE lane = ?1", params![lane.0]),
        Change::ApprovalAdded { approval } => add_approval(db, approval),
        Change::ApprovalMoved { approval, state, scope, reason, arguments, by, at } => {
            let open = *state == ApprovalState::Pending;
            let rows = execute(
                db,
                "UPDATE approvals SET state = ?2, open = ?3, scope = ?4, reason = ?5,
                        arguments = coalesce(?6, arguments), ended = ?7, answered_by = ?8
                 WHERE id = ?1",
                params![
                    approval.0,
                    Text(state),
                    open,
                    scope.map(Text),
                    reason,
                    arguments.as_ref().map(Json),
                    (!open).then_some(Text(at)),
                    by.as_ref().map(Json),
                ],
            )?;
            known(rows, "approval", approval)
        }
        Change::ApprovalConfirmed { approval, by, .. } => {
            let sql = "UPDATE approvals SET confirmed_by = ?2 WHERE id = ?1";
            known(execute(db, sql, params![approval.0, Json(by)])?, "approval", approval)
        }
        Change::CallRemembered { lane, tool, action } => run(
            db,
            "INSERT INTO remembered (lane, tool, action) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![lane.map(|id| id.0), tool, action],
        ),
        Change::ConflictAdded { conflict } => add_conflict(db, conflict),
        Change::ConflictMoved { conflict, state } => {
            let sql = "UPDATE conflicts SET state = ?2, open = ?3 WHERE id = ?1";
            known(execute(db, sql, params![conflict.0, Text(state), state.open()])?, "conflict", conflict)
        }
        Change::ReservationAdded { reservation } => add_reservation(db, reservation),
        // Twice is fine: afterwards it is gone either way.
        Change::ReservationReleased { reservation } => {
            run(db, "DELETE FROM reservations WHERE id = ?1", params![reservation.0])
        }
        Change::Hold(change) => shared::hold(db, change),
        Change::Issue(change) => shared::issue(db, change),
        Change::Mail(change) => mail::apply(db, change),
        Change::Plan(change) => shared::plan(db, change),
        Change::Reported { report } => shared::report(db, report),
        Change::DeadlinesSet { deadlines } => set(db, "deadlines", Json(deadlines)),
        Change::Keyed { keyed } => shared::keyed(db, keyed),
        Change::CheckpointAdded { checkpoint: c } => run(
            db,
            "INSERT OR REPLACE INTO checkpoints (lane, number, prompt, seq, files, head, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![c.lane.0, c.number as i64, c.prompt.map(|id| id.0), c.seq as i64, c.commit, c.head, Text(c.at)],
        ),
        Change::CheckpointsForgotten { lane, numbers } => numbers.iter().try_for_each(|number| {
            run(db, "DELETE FROM checkpoints WHERE lane = ?1 AND number = ?2", params![lane.0, *number as i64])
        }),
        Change::SpendReserved { spend } => spends::reserve(db, spend),
        Change::SpendSettled { spend, state, usage, cost } => spends::settle(db, *spend, *state, usage, *cost),
        Change::BudgetSet { budget, rule } => spends::set_budget(db, *budget, rule),
        // Twice is fine: afterwards it is gone either way.
        Change::BudgetRemoved { budget } => run(db, "DELETE FROM budgets WHERE id = ?1", params![budget.0]),
        Change::FactKept { fact } => facts::keep(db, fact),
        Change::FactForgotten { fact } => facts::forget(db, *fact),
        Change::ModeSet { mode } => set(db, "mode", Json(mode)),
        Change::ModelSet { provider, model } => set(db, "model", Json((provider, model))),
        Change::ConfigTrusted { hash } => {
            run(db, "INSERT INTO trusted (hash) VALUES (?1) ON CONFLICT DO NOTHING", params![hash])
        }
        // The event says it all.
        Change::HookAnswered { .. } => Ok(()),
    }
}

/// Drops the oldest events beyond the newest `keep`, at most `most` at once. Events have no gaps: they are numbered
/// by SQLite one by one, and only the oldest ever go.
pub(super) fn prune_events(db: &Connection, keep: usize, most: usize) -> Result<usize, rusqlite::Error> {
    db.prepare_cached(
        "DELETE FROM events WHERE seq <= (SELECT max(seq) FROM events) - ?1
                              AND seq < (SELECT min(seq) FROM events) + ?2",
    )?
    .execute(params![keep as i64, most as i64])
}

/// Drops events from before this moment, at most `most` at once.
pub(super) fn age_events(db: &Connection, before: Timestamp, most: usize) -> Result<usize, rusqlite::Error> {
    let first = events::since(db, before)?;
    db.prepare_cached("DELETE FROM events WHERE seq < ?1 AND seq < (SELECT min(seq) FROM events) + ?2")?
        .execute(params![first as i64, most as i64])
}

/// The lane that a change concerns, if any.
fn lane_of(db: &Connection, change: &Change) -> Result<Option<i64>, Fault> {
    let (sql, id) = match change {
        Change::LaneAdded { lane } => return Ok(Some(lane.id.0)),
        Change::PromptAdded { prompt } => return Ok(Some(prompt.lane.0)),
        Change::EntryAdded { entry } => return Ok(Some(entry.lane.0)),
        Change::ApprovalAdded { approval } => return Ok(Some(approval.lane.0)),
        Change::ConflictAdded { conflict } => return Ok(Some(conflict.lane.0)),
        Change::ReservationAdded { reservation } => return Ok(Some(reservation.lane.0)),
        Change::CheckpointAdded { checkpoint } => return Ok(Some(checkpoint.lane.0)),
        Change::LaneMoved { lane, .. }
        | Change::LaneRenamed { lane, .. }
        | Change::LanePlaced { lane, .. }
        | Change::LaneSetUp { lane, .. }
        | Change::LaneModeSet { lane, .. }
        | Change::LaneRulesSet { lane, .. }
        | Change::LayerSwitched { lane, .. }
        | Change::LaneKindSet { lane, .. }
        | Change::LaneSeen { lane, .. }
        | Change::PromptPlaced { lane, .. }
        | Change::CallMoved { lane, .. }
        | Change::PathsWritten { lane, .. }
        | Change::CheckpointsForgotten { lane, .. }
        | Change::HookAnswered { lane, .. }
        | Change::PathsReleased { lane } => return Ok(Some(lane.0)),
        Change::CallRemembered { lane, .. } => return Ok(lane.map(|lane| lane.0)),
        Change::SpendReserved { spend } => return Ok(Some(spend.lane.0)),
        Change::Hold(change) => return Ok(Some(change.lane().0)),
        Change::Mail(change) => return Ok(change.lane().map(|lane| lane.0)),
        Change::Reported { report } => return Ok(Some(report.lane.0)),
        Change::Keyed { keyed } => return Ok(keyed.party.lane().map(|lane| lane.0)),
        Change::Issue(change) => match change.lane() {
            Some(lane) => return Ok(Some(lane.0)),
            None => (shared::LANE_OF_ISSUE, change.issue().0),
        },
        Change::Plan(_)
        | Change::DeadlinesSet { .. }
        | Change::ModeSet { .. }
        | Change::ModelSet { .. }
        | Change::ConfigTrusted { .. }
        | Change::BudgetSet { .. }
        | Change::BudgetRemoved { .. }
        | Change::FactKept { .. }
        | Change::FactForgotten { .. } => return Ok(None),
        Change::PromptMoved { prompt, .. }
        | Change::PromptEdited { prompt, .. }
        | Change::PromptHeld { prompt, .. }
        | Change::PromptOverrode { prompt, .. } => ("SELECT lane FROM prompts WHERE id = ?1", prompt.0),
        Change::ApprovalMoved { approval, .. } | Change::ApprovalConfirmed { approval, .. } => {
            ("SELECT lane FROM approvals WHERE id = ?1", approval.0)
        }
        Change::ConflictMoved { conflict, .. } => ("SELECT lane FROM conflicts WHERE id = ?1", conflict.0),
        Change::ReservationReleased { reservation } => ("SELECT lane FROM reservations WHERE id = ?1", reservation.0),
        Change::SpendSettled { spend, .. } => ("SELECT lane FROM spends WHERE id = ?1", spend.0),
    };
    Ok(db.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional()?)
}

fn add_reservation(db: &Connection, reservation: &Reservation) -> Result<(), Fault> {
    run(
        db,
        "INSERT INTO reservations (id, lane, pattern, shared, created, reason, issue, lease)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            reservation.id.0,
            reservation.lane.0,
            reservation.pattern,
            reservation.shared,
            Text(reservation.created),
            reservation.reason,
            reservation.issue.map(|issue| issue.0),
            reservation.lease.as_ref().map(Json),
        ],
    )?;
    count(db, "reservation", reservation.id.0)
}

fn add_lane(db: &Connection, lane: &Lane) -> Result<(), Fault> {
    let added = run(
        db,
        "INSERT INTO lanes (id, name, kind, directory, branch, base_name, base_sha, mode, stage, error, set_up, seen,
                            created, since)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        params![
            lane.id.0,
            Text(&lane.name),
            Json(&lane.kind),
            Text(&lane.place.directory),
            lane.place.branch,
            lane.place.base.name,
            lane.place.base.sha,
            lane.mode.map(Text),
            Text(lane.stage),
            lane.error,
            lane.set_up,
            lane.seen,
            Text(lane.created),
            Text(lane.since),
        ],
    );
    unique_name(added, lane.name.as_str())?;
    count(db, "lane", lane.id.0)
}

fn move_lane(db: &Connection, lane: LaneId, stage: LaneStage, error: Option<&str>, at: Timestamp) -> Result<(), Fault> {
    let moved = set_lane(
        db,
        lane,
        "UPDATE lanes SET stage = ?2, error = ?3, since = ?4 WHERE id = ?1",
        params![lane.0, Text(stage), error, Text(at)],
    );
    if moved.as_ref().is_err_and(Fault::is_duplicate) {
        // A closed lane comes back, and its name has gone to another one.
        let sql = "SELECT name FROM lanes WHERE id = ?1";
        let name: String = db.prepare_cached(sql)?.query_row([lane.0], |row| row.get(0))?;
        return unique_name(moved, &name);
    }
    moved?;
    if stage == LaneStage::Closed {
        run(db, "DELETE FROM calls WHERE lane = ?1", [lane.0])?;
        run(db, "DELETE FROM remembered WHERE lane = ?1", [lane.0])?;
        run(db, "DELETE FROM checkpoints WHERE lane = ?1", [lane.0])?;
    }
    Ok(())
}

fn add_prompt(db: &Connection, prompt: &Prompt) -> Result<(), Fault> {
    let added = run(
        db,
        "INSERT INTO prompts (id, lane, text, priority, state, ended, hold, position, started, created, since, result,
                              error, key, overridden)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
        params![
            prompt.id.0,
            prompt.lane.0,
            prompt.text,
            Text(prompt.priority),
            Text(prompt.state),
            prompt.state.ended(),
            prompt.hold.map(Json),
            prompt.position,
            prompt.started.map(Text),
            Text(prompt.created),
            Text(prompt.since),
            prompt.result,
            prompt.error,
            prompt.key,
            Json(&prompt.overridden),
        ],
    );
    match (added, &prompt.key) {
        (Err(fault), Some(key)) if fault.is_duplicate() => {
            Err(Fault::Rule(StoreError::DuplicateKey { key: key.clone() }))
        }
        (added, _) => added.and_then(|()| count(db, "prompt", prompt.id.0)),
    }
}

/// Adds lanes to those that were overridden before.
fn override_lanes(db: &Connection, prompt: PromptId, lanes: &[LaneId]) -> Result<(), Fault> {
    let stored: Option<Json<Vec<LaneId>>> = db
        .prepare_cached("SELECT overridden FROM prompts WHERE id = ?1")?
        .query_row([prompt.0], |row| row.get(0))
        .optional()?;
    let mut all = stored.map(|json| json.0).unwrap_or_default();
    for lane in lanes {
        if !all.contains(lane) {
            all.push(*lane);
        }
    }
    set_prompt(db, prompt, "UPDATE prompts SET overridden = ?2 WHERE id = ?1", params![prompt.0, Json(all)])
}

fn add_approval(db: &Connection, approval: &Approval) -> Result<(), Fault> {
    run(
        db,
        "INSERT INTO approvals (id, lane, prompt, call, tool, action, arguments, diff, directory, rule, rule_place,
                                state, open, scope, reason, created, ended, expires, needs, confirmed_by, answered_by)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)",
        params![
            approval.id.0,
            approval.lane.0,
            approval.prompt.map(|prompt| prompt.0),
            approval.call.0,
            approval.tool,
            approval.action,
            Json(&approval.arguments),
            approval.diff,
            approval.directory,
            approval.rule.rule,
            approval.rule.place,
            Text(approval.state),
            approval.state == ApprovalState::Pending,
            approval.scope.map(Text),
            approval.reason,
            Text(approval.created),
            approval.ended.map(Text),
            approval.expires.map(Text),
            approval.needs,
            approval.confirmed.as_ref().map(Json),
            approval.by.as_ref().map(Json),
        ],
    )?;
    count(db, "approval", approval.id.0)
}

fn add_conflict(db: &Connection, conflict: &Conflict) -> Result<(), Fault> {
    run(
        db,
        "INSERT INTO conflicts (id, lane, prompt, call, with_lane, paths, cause, kind, state, open, created)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            conflict.id.0,
            conflict.lane.0,
            conflict.prompt.0,
            conflict.call.as_ref().map(|call| &call.0),
            conflict.with.0,
            Json(&conflict.paths),
            conflict.cause,
            Text(conflict.kind),
            Text(conflict.state),
            conflict.state.open(),
            Text(conflict.created),
        ],
    )?;
    count(db, "conflict", conflict.id.0)
}

fn set<T: serde::Serialize>(db: &Connection, name: &str, value: Json<T>) -> Result<(), Fault> {
    let sql = "INSERT INTO settings (name, value) VALUES (?1, ?2)
               ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    run(db, sql, params![name, value])
}

/// Remembers the highest id given.
pub(super) fn count(db: &Connection, kind: &str, id: i64) -> Result<(), Fault> {
    let sql = "INSERT INTO counters (kind, last) VALUES (?1, ?2)
               ON CONFLICT (kind) DO UPDATE SET last = max(last, excluded.last)";
    run(db, sql, params![kind, id])
}

fn set_lane(db: &Connection, lane: LaneId, sql: &str, values: impl Params) -> Result<(), Fault> {
    known(execute(db, sql, values)?, "lane", &lane)
}

fn set_prompt(db: &Connection, prompt: PromptId, sql: &str, values: impl Params) -> Result<(), Fault> {
    known(execute(db, sql, values)?, "prompt", &prompt)
}

pub(super) fn run(db: &Connection, sql: &str, values: impl Params) -> Result<(), Fault> {
    execute(db, sql, values).map(drop)
}

pub(super) fn execute(db: &Connection, sql: &str, values: impl Params) -> Result<usize, Fault> {
    Ok(db.prepare_cached(sql)?.execute(values)?)
}

/// A change that met no row means that memory and store disagree: better to fail than to drift apart.
pub(super) fn known(rows: usize, what: &'static str, id: &impl ToString) -> Result<(), Fault> {
    if rows == 0 { Err(Fault::Rule(StoreError::Unknown { what, id: id.to_string() })) } else { Ok(()) }
}

fn unique_name(result: Result<(), Fault>, name: &str) -> Result<(), Fault> {
    match result {
        Err(fault) if fault.is_duplicate() => Err(Fault::Rule(StoreError::NameTaken { name: name.to_owned() })),
        other => other,
    }
}
