//! Model calls, their sums and budgets: changes to rows, and rows to domain values.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::error::Fault;
use super::load::{json, rows, text};
use super::value::{Json, Text};
use super::write::{count, execute, run};
use crate::domain::{
    Account, Budget, BudgetId, LaneId, Ledger, Money, PromptId, Spend, SpendId, SpendState, Sum, Usage,
};

pub(super) fn reserve(db: &Connection, spend: &Spend) -> Result<(), Fault> {
    run(
        db,
        "INSERT INTO spends (id, lane, prompt, provider, model, at, day, price, state, open, usage, cost)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        params![
            spend.id.0,
            spend.lane.0,
            spend.prompt.0,
            spend.provider,
            spend.model,
            Text(spend.at),
            Text(spend.day),
            spend.price.map(Json),
            Text(spend.state),
            spend.state == SpendState::Reserved,
            Json(spend.usage),
            spend.cost.map(column),
        ],
    )?;
    count(db, "spend", spend.id.0)
}

/// Once: a call that is over stays as it is.
pub(super) fn settle(
    db: &Connection,
    id: SpendId,
    state: SpendState,
    usage: &Usage,
    cost: Option<Money>,
) -> Result<(), Fault> {
    let sql = "UPDATE spends SET state = ?2, open = 0, usage = ?3, cost = ?4 WHERE id = ?1 AND open";
    let over = execute(db, sql, params![id.0, Text(state), Json(usage), cost.map(column)])? == 0;
    if over || state == SpendState::Released {
        return Ok(());
    }
    let spend = db.prepare_cached("SELECT * FROM spends WHERE id = ?1")?.query_row([id.0], spend)?;
    let one = Sum::of(state, *usage, cost);
    let key = params![Text(spend.day), spend.lane.0, spend.provider, spend.model];
    let sql = "SELECT sum FROM spent WHERE day = ?1 AND lane = ?2 AND provider = ?3 AND model = ?4";
    let before: Option<Json<Sum>> = db.prepare_cached(sql)?.query_row(key, |row| row.get(0)).optional()?;
    run(
        db,
        "INSERT INTO spent (day, lane, provider, model, sum) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (day, lane, provider, model) DO UPDATE SET sum = excluded.sum",
        params![Text(spend.day), spend.lane.0, spend.provider, spend.model, Json(with(before, &one))],
    )?;
    let sql = "SELECT sum FROM spent_turns WHERE prompt = ?1";
    let before: Option<Json<Sum>> = db.prepare_cached(sql)?.query_row([spend.prompt.0], |row| row.get(0)).optional()?;
    run(
        db,
        "INSERT INTO spent_turns (prompt, sum) VALUES (?1, ?2) ON CONFLICT (prompt) DO UPDATE SET sum = excluded.sum",
        params![spend.prompt.0, Json(with(before, &one))],
    )
}

pub(super) fn set_budget(db: &Connection, id: BudgetId, rule: &Budget) -> Result<(), Fault> {
    let sql = "INSERT INTO budgets (id, rule) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET rule = excluded.rule";
    run(db, sql, params![id.0, Json(rule)])?;
    count(db, "budget", id.0)
}

/// Calls under way, all sums, and those of the turns of open prompts and the newest `ended` ones.
pub(super) fn ledger(db: &Connection, ended: i64) -> Result<Ledger, rusqlite::Error> {
    let open = rows(db, "SELECT * FROM spends WHERE open ORDER BY id", [], spend)?;
    let accounts = rows(db, "SELECT * FROM spent", [], |row| {
        let account = Account {
            day: text(row, "day")?,
            lane: LaneId(row.get("lane")?),
            provider: row.get("provider")?,
            model: row.get("model")?,
        };
        Ok((account, json(row, "sum")?))
    })?;
    let turns = rows(
        db,
        "SELECT prompt, sum FROM spent_turns
         WHERE prompt IN (SELECT id FROM prompts WHERE ended = 0)
            OR prompt IN (SELECT id FROM prompts WHERE ended = 1 ORDER BY id DESC LIMIT ?1)",
        [ended],
        |row| Ok((PromptId(row.get("prompt")?), json(row, "sum")?)),
    )?;
    Ok(Ledger::new(open, accounts, turns))
}

pub(super) fn budgets(db: &Connection) -> Result<Vec<(BudgetId, Budget)>, rusqlite::Error> {
    rows(db, "SELECT * FROM budgets ORDER BY id", [], |row| Ok((BudgetId(row.get("id")?), json(row, "rule")?)))
}

fn with(before: Option<Json<Sum>>, one: &Sum) -> Sum {
    before.map_or(*one, |before| before.0.plus(one))
}

/// Money never is more than fits.
fn column(money: Money) -> i64 {
    i64::try_from(money.parts()).unwrap_or(i64::MAX)
}

fn spend(row: &Row<'_>) -> rusqlite::Result<Spend> {
    Ok(Spend {
        id: SpendId(row.get("id")?),
        lane: LaneId(row.get("lane")?),
        prompt: PromptId(row.get("prompt")?),
        provider: row.get("provider")?,
        model: row.get("model")?,
        at: text(row, "at")?,
        day: text(row, "day")?,
        price: row.get::<_, Option<Json<_>>>("price")?.map(|json| json.0),
        state: text(row, "state")?,
        usage: json(row, "usage")?,
        cost: row.get::<_, Option<i64>>("cost")?.map(|parts| Money::of_parts(parts.unsigned_abs())),
    })
}
