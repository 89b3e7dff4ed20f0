//! What is remembered: changes to rows, rows to facts, and facts by their words. The same tables stand in a project's
//! store and in the person's own file.

use rusqlite::{Connection, Row, params};

use super::error::Fault;
use super::load::{json, maybe, rows, text};
use super::value::{Json, Text};
use super::write::{count, execute, known, run};
use crate::domain::{Fact, FactId, FactScope, search_words};

/// The kind of ids as counters know it.
pub(super) const COUNTER: &str = "fact";

pub(super) fn keep(db: &Connection, fact: &Fact) -> Result<(), Fault> {
    run(
        db,
        "INSERT INTO facts (number, text, author, created, edited) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (number) DO UPDATE SET text = excluded.text, author = excluded.author, edited = excluded.edited",
        params![fact.id.number, fact.text, Json(&fact.author), Text(fact.created), fact.edited.map(Text)],
    )?;
    run(db, "DELETE FROM fact_words WHERE rowid = ?1", [fact.id.number])?;
    let words = search_words(&fact.text).join(" ");
    run(db, "INSERT INTO fact_words (rowid, words) VALUES (?1, ?2)", params![fact.id.number, words])?;
    tidy(db)?;
    count(db, COUNTER, fact.id.number)
}

pub(super) fn forget(db: &Connection, id: FactId) -> Result<(), Fault> {
    known(execute(db, "DELETE FROM facts WHERE number = ?1", [id.number])?, "fact", &id)?;
    run(db, "DELETE FROM fact_words WHERE rowid = ?1", [id.number])?;
    tidy(db)
}

/// Puts the index into one piece: it is written seldom, and each further piece makes every search slower.
fn tidy(db: &Connection) -> Result<(), Fault> {
    run(db, "INSERT INTO fact_words (fact_words) VALUES ('optimize')", [])
}

/// Every fact, by id.
pub(super) fn all(db: &Connection, scope: FactScope) -> Result<Vec<Fact>, rusqlite::Error> {
    rows(db, "SELECT * FROM facts ORDER BY number", [], |row| fact(row, scope))
}

/// Facts with any of these words, best first. Words are letters and digits only; quoted, none of them is an operator.
pub(super) fn search(
    db: &Connection,
    scope: FactScope,
    words: &[String],
    most: usize,
) -> Result<Vec<Fact>, rusqlite::Error> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let any: Vec<String> = words.iter().map(|word| format!("\"{}\"", word.replace('"', ""))).collect();
    rows(
        db,
        "SELECT facts.* FROM fact_words JOIN facts ON facts.number = fact_words.rowid
         WHERE fact_words MATCH ?1 ORDER BY fact_words.rank, facts.number DESC LIMIT ?2",
        params![any.join(" OR "), most as i64],
        |row| fact(row, scope),
    )
}

fn fact(row: &Row<'_>, scope: FactScope) -> rusqlite::Result<Fact> {
    Ok(Fact {
        id: FactId { scope, number: row.get("number")? },
        text: row.get("text")?,
        author: json(row, "author")?,
        created: text(row, "created")?,
        edited: maybe(row, "edited")?,
    })
}
