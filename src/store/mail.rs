//! Mail: messages, who has read and acknowledged them, attachments, and the words they are found by.

use std::fmt::Write as _;

use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

use super::error::Fault;
use super::load::{json, maybe, rows, text};
use super::value::{Json, Text};
use super::write::{count, execute, known, run};
use crate::domain::{
    Attachment, AwaitedAck, IssueId, MailChange, MailFilter, MailHead, MailHit, MailPage, MailQuery, Mailboxes,
    Message, MessageId, Party, Received, Scheduled, search_words,
};

pub(super) fn apply(db: &Connection, change: &MailChange) -> Result<(), Fault> {
    match change {
        MailChange::Sent { message } => send(db, message),
        MailChange::Read { message, by, at } => mark(
            db,
            "UPDATE recipients SET read = coalesce(read, ?3), open = owed WHERE message = ?1 AND party = ?2",
            *message,
            *by,
            Text(at),
        ),
        MailChange::Acknowledged { message, by, at } => mark(
            db,
            "UPDATE recipients SET read = coalesce(read, ?3), acked = coalesce(acked, ?3), owed = 0, open = 0
             WHERE message = ?1 AND party = ?2",
            *message,
            *by,
            Text(at),
        ),
        MailChange::Superseded { message, by, of, .. } => mark(
            db,
            "UPDATE recipients SET superseded = ?3, owed = 0, open = 0 WHERE message = ?1 AND party = ?2",
            *message,
            *of,
            by.0,
        ),
        MailChange::Excused { message, of, .. } => {
            let sql = "UPDATE recipients SET owed = 0, open = (read IS NULL AND superseded IS NULL)
                 WHERE message = ?1 AND party = ?2";
            known(execute(db, sql, params![message.0, of.number()])?, "message", message)
        }
        MailChange::Scheduled { item } => {
            run(
                db,
                "INSERT INTO scheduled (id, body) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET body = excluded.body",
                params![item.id.0, Json(item)],
            )?;
            // The next one of a series has what the first one had.
            let sql = "INSERT INTO scheduled_attachments (item, number, name, bytes, content)
                       VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING";
            for (number, one) in item.attachments.iter().enumerate() {
                run(db, sql, params![item.id.0, number as i64, one.name, one.bytes as i64, one.content])?;
            }
            count(db, "scheduled", item.id.0)
        }
        MailChange::Unscheduled { item } => {
            run(db, "DELETE FROM scheduled_attachments WHERE item = ?1", params![item.0])?;
            run(db, "DELETE FROM scheduled WHERE id = ?1", params![item.0])
        }
    }
}

fn mark(
    db: &Connection,
    sql: &str,
    message: MessageId,
    party: Party,
    value: impl rusqlite::ToSql,
) -> Result<(), Fault> {
    let rows = db.prepare_cached(sql)?.execute(params![message.0, party.number(), value])?;
    known(rows, "message", &message)
}

fn send(db: &Connection, message: &Message) -> Result<(), Fault> {
    run(
        db,
        "INSERT INTO messages (id, thread, reply_to, sender, subject, body, topic, ack, ack_due, decision, issue, created)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        params![
            message.id.0,
            message.thread.0,
            message.reply_to.map(|id| id.0),
            message.from.number(),
            message.subject,
            message.body,
            message.topic,
            message.ack,
            message.ack_due.map(Text),
            message.decision,
            message.issue.map(|issue| issue.0),
            Text(message.created),
        ],
    )?;
    for party in &message.to {
        run(
            db,
            "INSERT INTO recipients (message, party, owed, open, topic) VALUES (?1, ?2, ?3, 1, ?4)",
            params![message.id.0, party.number(), message.ack, message.topic.is_some()],
        )?;
    }
    if let Some(later) = message.later {
        let sql = "INSERT INTO attachments (message, number, name, bytes, content)
                   SELECT ?1, number, name, bytes, content FROM scheduled_attachments WHERE item = ?2";
        run(db, sql, params![message.id.0, later.0])?;
    }
    let own = message.attachments.iter().filter(|_| message.later.is_none());
    for (number, attachment) in own.enumerate() {
        run(
            db,
            "INSERT INTO attachments (message, number, name, bytes, content) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![message.id.0, number as i64, attachment.name, attachment.bytes as i64, attachment.content],
        )?;
    }
    let words = search_words(&format!("{} {}", message.subject, message.body)).join(" ");
    run(db, "INSERT INTO mail_words (rowid, words) VALUES (?1, ?2)", params![message.id.0, words])?;
    count(db, "message", message.id.0)
}

/// The counter of the newest message that was dropped.
const DROPPED: &str = "message-dropped";

/// Drops the oldest messages beyond the newest `keep`, at most `most` at once, but for those that somebody has yet to
/// read or to acknowledge. A message goes whole or stays whole.
pub(super) fn prune(db: &Connection, keep: usize, most: usize) -> Result<usize, Fault> {
    let transaction = db.unchecked_transaction()?;
    let old = "SELECT id FROM messages m
         WHERE id <= (SELECT id FROM messages ORDER BY id DESC LIMIT 1 OFFSET ?1)
           AND NOT EXISTS (SELECT 1 FROM recipients r WHERE r.message = m.id AND r.open)
         ORDER BY id LIMIT ?2";
    let old: Vec<i64> = rows(&transaction, old, params![keep as i64, most as i64], |row| row.get(0))?;
    for id in &old {
        for sql in [
            "DELETE FROM mail_words WHERE rowid = ?1",
            "DELETE FROM attachments WHERE message = ?1",
            "DELETE FROM recipients WHERE message = ?1",
            "DELETE FROM messages WHERE id = ?1",
        ] {
            run(&transaction, sql, params![id])?;
        }
        count(&transaction, DROPPED, *id)?;
    }
    transaction.commit()?;
    Ok(old.len())
}

/// The newest message that was dropped, if any was.
fn dropped(db: &Connection) -> Result<Option<MessageId>, rusqlite::Error> {
    let last = db
        .prepare_cached("SELECT last FROM counters WHERE kind = ?1")?
        .query_row([DROPPED], |row| row.get(0).map(MessageId))
        .optional()?;
    Ok(last)
}

/// What of mail is kept in memory.
pub(super) fn boxes(db: &Connection) -> Result<Mailboxes, rusqlite::Error> {
    let mut boxes = Mailboxes::default();
    // Most of what is open is only unread and has no topic: of that its ids are enough, and no message is read.
    let unread = rows(
        db,
        "SELECT message, party FROM recipients WHERE open AND read IS NULL AND superseded IS NULL",
        [],
        |row| Ok((MessageId(row.get(0)?), Party::of_number(row.get(1)?))),
    )?;
    for (message, party) in unread {
        boxes.unread.entry(party).or_default().insert(message, None);
    }
    let topics = rows(
        db,
        "SELECT r.message, r.party, m.sender, m.topic FROM recipients r JOIN messages m ON m.id = r.message
         WHERE r.open AND r.topic AND r.read IS NULL AND r.superseded IS NULL",
        [],
        |row| {
            let topic = Box::new((Party::of_number(row.get(2)?), row.get::<_, String>(3)?));
            Ok((MessageId(row.get(0)?), Party::of_number(row.get(1)?), topic))
        },
    )?;
    for (message, party, topic) in topics {
        boxes.unread.entry(party).or_default().insert(message, Some(topic));
    }
    let owed = rows(
        db,
        "SELECT r.message, r.party, m.sender, m.subject, m.ack_due, m.created
         FROM recipients r JOIN messages m ON m.id = r.message WHERE r.open AND r.owed ORDER BY r.message, r.party",
        [],
        |row| {
            let awaited = AwaitedAck {
                from: Party::of_number(row.get("sender")?),
                subject: row.get("subject")?,
                missing: Vec::new(),
                due: maybe(row, "ack_due")?,
                created: text(row, "created")?,
            };
            Ok((MessageId(row.get("message")?), Party::of_number(row.get("party")?), awaited))
        },
    )?;
    for (message, party, awaited) in owed {
        boxes.awaited.entry(message).or_insert(awaited).missing.push(party);
    }
    let mut recent = rows(
        db,
        "SELECT m.* FROM recipients r JOIN messages m ON m.id = r.message
         WHERE r.party = ?1 ORDER BY r.message DESC LIMIT ?2",
        params![Party::Operator.number(), Mailboxes::RECENT as i64],
        |row| head(db, row),
    )?;
    recent.reverse();
    boxes.recent = recent.into();
    let scheduled = rows(db, "SELECT body FROM scheduled ORDER BY id", [], |row| json::<Scheduled>(row, "body"))?;
    boxes.scheduled = scheduled.into_iter().map(|item| (item.id, item)).collect();
    Ok(boxes)
}

/// Answers a question about mail.
pub(super) fn find(db: &Connection, query: &MailQuery) -> Result<MailPage, rusqlite::Error> {
    Ok(MailPage { dropped: dropped(db)?, ..look(db, query)? })
}

fn look(db: &Connection, query: &MailQuery) -> Result<MailPage, rusqlite::Error> {
    match query {
        MailQuery::One(id) => {
            let found = db
                .prepare_cached("SELECT * FROM messages WHERE id = ?1")?
                .query_row([id.0], |row| whole(db, row))
                .optional()?;
            Ok(MailPage { messages: found.into_iter().collect(), more: false, ..MailPage::default() })
        }
        MailQuery::Thread { of, party, after, limit } => {
            let mut sql = "SELECT m.* FROM messages m
                 WHERE m.thread = (SELECT thread FROM messages WHERE id = ?1) AND m.id > ?2"
                .to_owned();
            let mut values = vec![of.0, after.map_or(0, |id| id.0)];
            seen_by(&mut sql, &mut values, *party);
            sql.push_str(" ORDER BY m.id LIMIT ");
            sql.push_str(&(limit + 1).to_string());
            Ok(page(rows(db, &sql, params_from_iter(values), |row| whole(db, row))?, *limit))
        }
        MailQuery::List { party, filter, before, limit } => list(db, *party, *filter, *before, *limit),
        MailQuery::Search { words, party, decisions, before, limit } => {
            search(db, words, *party, (*decisions, *before), *limit)
        }
        MailQuery::Attachment(id, name) => {
            let found = db
                .prepare_cached("SELECT name, bytes, content FROM attachments WHERE message = ?1 AND name = ?2")?
                .query_row(params![id.0, name], |row| {
                    Ok(Attachment { name: row.get(0)?, bytes: row.get::<_, i64>(1)? as u64, content: row.get(2)? })
                })
                .optional()?;
            let mut page = look(db, &MailQuery::One(*id))?;
            page.attachment = found;
            Ok(page)
        }
    }
}

/// Only what a party sent or was sent; decisions are everybody's.
fn seen_by(sql: &mut String, values: &mut Vec<i64>, party: Option<Party>) {
    if let Some(party) = party {
        let at = values.len() + 1;
        let _ = write!(
            sql,
            " AND (m.decision OR m.sender = ?{at}
                   OR EXISTS (SELECT 1 FROM recipients s WHERE s.message = m.id AND s.party = ?{at}))"
        );
        values.push(party.number());
    }
}

fn list(
    db: &Connection,
    party: Option<Party>,
    filter: MailFilter,
    before: Option<MessageId>,
    limit: usize,
) -> Result<MailPage, rusqlite::Error> {
    let before = before.map_or(i64::MAX, |id| id.0);
    // Through the narrowest index that the question has.
    let (sql, values) = match (filter, party) {
        (MailFilter::Unread | MailFilter::Owed, party) => {
            let what = if filter == MailFilter::Owed { "r.owed" } else { "r.read IS NULL AND r.superseded IS NULL" };
            let mine = if party.is_some() { "AND r.party = ?2" } else { "" };
            let sql = format!(
                "SELECT DISTINCT m.* FROM recipients r JOIN messages m ON m.id = r.message
                 WHERE r.open AND {what} {mine} AND r.message < ?1 ORDER BY r.message DESC LIMIT {}",
                limit + 1
            );
            (sql, std::iter::once(before).chain(party.map(Party::number)).collect::<Vec<_>>())
        }
        (MailFilter::Decisions, _) => {
            let sql = format!(
                "SELECT m.* FROM messages m WHERE m.decision AND m.id < ?1 ORDER BY m.id DESC LIMIT {}",
                limit + 1
            );
            (sql, vec![before])
        }
        (MailFilter::All, None) => {
            (format!("SELECT m.* FROM messages m WHERE m.id < ?1 ORDER BY m.id DESC LIMIT {}", limit + 1), vec![before])
        }
        (MailFilter::All, Some(party)) => {
            let sql = format!(
                "SELECT * FROM (
                    SELECT * FROM (SELECT m.* FROM recipients r JOIN messages m ON m.id = r.message
                        WHERE r.party = ?2 AND r.message < ?1 ORDER BY r.message DESC LIMIT {0})
                    UNION
                    SELECT * FROM (SELECT * FROM messages WHERE sender = ?2 AND id < ?1 ORDER BY id DESC LIMIT {0}))
                 ORDER BY id DESC LIMIT {0}",
                limit + 1
            );
            (sql, vec![before, party.number()])
        }
    };
    Ok(page(rows(db, &sql, params_from_iter(values), |row| received(db, row))?, limit))
}

fn search(
    db: &Connection,
    words: &[String],
    party: Option<Party>,
    (decisions, before): (bool, Option<MessageId>),
    limit: usize,
) -> Result<MailPage, rusqlite::Error> {
    if words.is_empty() {
        return Ok(MailPage::default());
    }
    // Words are letters and digits only; quoted, none of them is an operator.
    let all: Vec<String> = words.iter().map(|word| phrase(word)).collect();
    // The newest first: ranking would have to look at every hit.
    let mut sql = "SELECT m.* FROM mail_words w JOIN messages m ON m.id = w.rowid
         WHERE mail_words MATCH ?1 AND w.rowid < ?2"
        .to_owned();
    if decisions {
        sql.push_str(" AND m.decision");
    }
    if party.is_some() {
        sql.push_str(
            " AND (m.decision OR m.sender = ?3
                   OR EXISTS (SELECT 1 FROM recipients s WHERE s.message = m.id AND s.party = ?3))",
        );
    }
    let _ = write!(sql, " ORDER BY w.rowid DESC LIMIT {}", limit + 1);
    let phrase = all.join(" ");
    let before = before.map_or(i64::MAX, |id| id.0);
    let found = match party {
        Some(party) => rows(db, &sql, params![phrase, before, party.number()], |row| received(db, row))?,
        None => rows(db, &sql, params![phrase, before], |row| received(db, row))?,
    };
    Ok(page(found, limit))
}

/// A word and everything that begins with it. A single letter or digit stands for itself alone: half of all words begin
/// with it.
fn phrase(word: &str) -> String {
    let word = word.replace('"', "");
    let more = if word.len() == 1 { "" } else { "*" };
    format!("\"{word}\"{more}")
}

fn page(mut messages: Vec<MailHit>, limit: usize) -> MailPage {
    let more = messages.len() > limit;
    messages.truncate(limit);
    MailPage { messages, more, ..MailPage::default() }
}

fn recipients(db: &Connection, message: i64) -> Result<Vec<Received>, rusqlite::Error> {
    rows(
        db,
        "SELECT party, read, acked, superseded, owed FROM recipients WHERE message = ?1 ORDER BY party",
        [message],
        |row| {
            Ok(Received {
                party: Party::of_number(row.get("party")?),
                read: maybe(row, "read")?,
                acknowledged: maybe(row, "acked")?,
                superseded: row.get::<_, Option<i64>>("superseded")?.map(MessageId),
                owed: row.get("owed")?,
            })
        },
    )
}

fn head(db: &Connection, row: &Row<'_>) -> rusqlite::Result<MailHead> {
    let id: i64 = row.get("id")?;
    Ok(MailHead {
        id: MessageId(id),
        thread: MessageId(row.get("thread")?),
        from: Party::of_number(row.get("sender")?),
        to: recipients(db, id)?.into_iter().map(|received| received.party).collect(),
        subject: row.get("subject")?,
        ack: row.get("ack")?,
        created: text(row, "created")?,
    })
}

/// A message as it stands in a list: without what comes with it.
fn received(db: &Connection, row: &Row<'_>) -> rusqlite::Result<MailHit> {
    let id: i64 = row.get("id")?;
    let recipients = recipients(db, id)?;
    let message = Message {
        id: MessageId(id),
        thread: MessageId(row.get("thread")?),
        reply_to: row.get::<_, Option<i64>>("reply_to")?.map(MessageId),
        from: Party::of_number(row.get("sender")?),
        to: recipients.iter().map(|received| received.party).collect(),
        subject: row.get("subject")?,
        body: row.get("body")?,
        topic: row.get("topic")?,
        ack: row.get("ack")?,
        ack_due: maybe(row, "ack_due")?,
        decision: row.get("decision")?,
        issue: row.get::<_, Option<i64>>("issue")?.map(IssueId),
        attachments: Vec::new(),
        later: None,
        created: text(row, "created")?,
    };
    Ok(MailHit { message, recipients })
}

/// A message with the names of what comes with it.
fn whole(db: &Connection, row: &Row<'_>) -> rusqlite::Result<MailHit> {
    let mut hit = received(db, row)?;
    hit.message.attachments = rows(
        db,
        "SELECT name, bytes FROM attachments WHERE message = ?1 ORDER BY number",
        [hit.message.id.0],
        |row| Ok(Attachment { name: row.get(0)?, bytes: row.get::<_, i64>(1)? as u64, content: Vec::new() }),
    )?;
    Ok(hit)
}
