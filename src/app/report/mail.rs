//! Mail as lists, threads and single messages.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::State;
use crate::base::{Report, visible};
use crate::domain::{
    Attachment, MailFilter, MailHit, MailPage, MailQuery, Message, MessageId, Party, Piece, Received, SendWhen,
};

use super::Document;
use super::text::{line, table};

/// Cells of a subject in a table.
const CELLS: usize = 70;

fn received_json(state: &State, received: &Received) -> Value {
    json!({
        "party": state.model.party(received.party),
        "read": received.read.map(|at| at.to_string()),
        "acknowledged": received.acknowledged.map(|at| at.to_string()),
        "superseded_by": received.superseded.map(|id| id.to_string()),
        "owed": received.owed,
    })
}

fn message_json(state: &State, by: Party, hit: &MailHit, body: bool) -> Value {
    let message = &hit.message;
    let mine = hit.recipients.iter().find(|received| received.party == by);
    let mut json = json!({
        "id": message.id.to_string(),
        "thread": message.thread.to_string(),
        "reply_to": message.reply_to.map(|id| id.to_string()),
        "from": state.model.party(message.from),
        "to": message.to.iter().map(|to| state.model.party(*to)).collect::<Vec<_>>(),
        "subject": message.subject,
        "topic": message.topic,
        "issue": message.issue.map(|issue| issue.0),
        "decision": message.decision,
        "ack": message.ack,
        "ack_due": message.ack_due.map(|at| at.to_string()),
        "unread": mine.is_some_and(|mine| mine.read.is_none() && mine.superseded.is_none()),
        "recipients": hit.recipients.iter().map(|received| received_json(state, received)).collect::<Vec<_>>(),
        "created": message.created.to_string(),
    });
    if body {
        json["body"] = message.body.clone().into();
        let attachments = message.attachments.iter().map(|a| json!({ "name": a.name, "bytes": a.bytes }));
        json["attachments"] = Value::Array(attachments.collect());
    }
    json
}

/// What was found, as the question wants it shown.
#[must_use]
pub fn mail_document(state: &State, by: Party, query: &MailQuery, page: &MailPage) -> Document {
    let whole = matches!(query, MailQuery::One(_) | MailQuery::Thread { .. });
    let messages: Vec<Value> = page.messages.iter().map(|hit| message_json(state, by, hit, whole)).collect();
    let json = if let MailQuery::One(_) = query {
        messages.into_iter().next().unwrap_or_default()
    } else {
        let dropped = page.dropped.map(|id| id.to_string());
        json!({ "messages": messages, "more": page.more, "dropped_up_to": dropped })
    };
    let title = match query {
        MailQuery::One(id) | MailQuery::Attachment(id, _) => format!("mail {id}"),
        MailQuery::Thread { of, .. } => format!("thread of {of}"),
        MailQuery::List { filter: MailFilter::Decisions, .. } => "decisions".to_owned(),
        MailQuery::List { .. } => "mail".to_owned(),
        MailQuery::Search { words, .. } => format!("mail with {}", line(&words.join(" "), CELLS)),
    };
    let mut text = if page.messages.is_empty() {
        format!("{}\n", none(query))
    } else if whole {
        page.messages.iter().map(|hit| letter(state, hit)).collect::<Vec<_>>().join("\n")
    } else {
        table(&page.messages.iter().map(|hit| row(state, by, hit)).collect::<Vec<_>>())
    };
    if page.more {
        let more = match (query, page.messages.last()) {
            (MailQuery::List { .. }, Some(last)) => format!("there are more: add `--before {}`\n", last.message.id),
            _ => "there are more: add `--limit COUNT`\n".to_owned(),
        };
        text.push_str(&more);
    }
    // Said where the list ends, not on each page.
    if let Some(dropped) = page.dropped.filter(|_| !page.more && !matches!(query, MailQuery::One(_))) {
        let _ = writeln!(text, "of what was sent up to {dropped} only some is kept (`events.mail`)");
    }
    Document { title, json, text }
}

/// What an empty answer says.
const fn none(query: &MailQuery) -> &'static str {
    match query {
        MailQuery::List { before: Some(_), .. } => "there is no older mail",
        MailQuery::List { filter: MailFilter::All, .. } => "there is no mail yet; `say LANE TEXT` writes to a lane",
        MailQuery::List { filter: MailFilter::Unread, .. } => "nothing is unread",
        MailQuery::List { filter: MailFilter::Owed, .. } => "nothing is to be acknowledged",
        MailQuery::List { filter: MailFilter::Decisions, .. } => "no decision is recorded",
        MailQuery::Search { .. } => "no mail has all of these words",
        MailQuery::Thread { after: Some(_), .. } => "the thread has no newer mail",
        MailQuery::One(_) | MailQuery::Thread { .. } | MailQuery::Attachment(..) => "there is no such mail",
    }
}

fn row(state: &State, by: Party, hit: &MailHit) -> Vec<String> {
    let message = &hit.message;
    let mine = hit.recipients.iter().find(|received| received.party == by);
    let unread = mine.is_some_and(|mine| mine.read.is_none() && mine.superseded.is_none());
    let owed = hit.recipients.iter().filter(|received| received.owed).count();
    let mut notes = Vec::new();
    if owed > 0 {
        notes.push(format!("! {owed} to acknowledge"));
    }
    if message.decision {
        notes.push("decision".to_owned());
    }
    if let Some(by) = mine.and_then(|mine| mine.superseded) {
        notes.push(format!("superseded by {by}"));
    }
    let to: Vec<String> = message.to.iter().map(|to| state.model.party(*to)).collect();
    vec![
        format!("{}{}", if unread { "* " } else { "  " }, message.id),
        format!("{} → {}", state.model.party(message.from), line(&to.join(", "), 30)),
        line(&message.subject, CELLS),
        format!("{:.0}", message.created),
        notes.join(" · "),
    ]
}

/// A whole message: head, text, what comes with it.
fn letter(state: &State, hit: &MailHit) -> String {
    let message = &hit.message;
    let to: Vec<String> = message.to.iter().map(|to| state.model.party(*to)).collect();
    let mut text = format!(
        "{}  {} → {}  {:.0}\n{}\n",
        message.id,
        state.model.party(message.from),
        to.join(", "),
        message.created,
        visible(&message.subject)
    );
    for received in hit.recipients.iter().filter(|_| message.ack) {
        let name = state.model.party(received.party);
        let more = match received.acknowledged {
            Some(at) => format!("acknowledged by {name} at {at:.0}\n"),
            None if received.owed => format!("! not acknowledged by {name}\n"),
            None => format!("superseded for {name}\n"),
        };
        text.push_str(&more);
    }
    text.push('\n');
    text.push_str(message.body.trim_end());
    text.push('\n');
    for attachment in &message.attachments {
        let _ = writeln!(text, "[{} · {} bytes]", visible(&attachment.name), attachment.bytes);
    }
    text
}

/// One attachment, or a piece of it.
///
/// # Errors
/// When the piece begins behind its end.
pub fn attachment_document(id: MessageId, attachment: &Attachment, piece: Piece) -> Result<Document, Report> {
    let whole = String::from_utf8_lossy(&attachment.content);
    let mut json = json!({ "message": id.to_string(), "name": attachment.name, "bytes": attachment.bytes });
    let cut = cut(&whole, piece, json.to_string().len())?;
    json["content"] = cut.text.into();
    json["next"] = cut.next.into();
    let text = format!("{}{}", cut.text, cut.rest(whole.len()));
    Ok(Document { title: format!("{id} {}", visible(&attachment.name)), json, text })
}

/// A piece of a text.
struct Cut<'t> {
    text: &'t str,
    /// Where the next piece begins, if this one has not the end.
    next: Option<usize>,
}

impl Cut<'_> {
    /// For people: what is left.
    fn rest(&self, whole: usize) -> String {
        self.next.map(|next| format!("\n… {next} of {whole} bytes: `--from {next}` goes on\n")).unwrap_or_default()
    }
}

/// Room for what an answer says beside head and text.
const BESIDE: usize = 200;

/// Cuts a piece out of a text, so that head and text together have at most what is wanted, as JSON.
fn cut(text: &str, piece: Piece, head: usize) -> Result<Cut<'_>, Report> {
    let from = (piece.from..=text.len()).find(|at| text.is_char_boundary(*at)).filter(|_| piece.from <= text.len());
    let Some(rest) = from.and_then(|from| text.get(from..)) else {
        return Err(Report::usage(format!("it has {} bytes: there is nothing from {} on", text.len(), piece.from)));
    };
    // However long the head is, each piece goes on a little.
    let room = piece.most.map_or(usize::MAX, |most| most.saturating_sub(head + BESIDE).max(500));
    let mut used = 0;
    let fits = |(_, c): &(usize, char)| {
        used += match c {
            '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
            c if c.is_control() && c.is_ascii() => 6,
            c => c.len_utf8(),
        };
        used <= room
    };
    let end = rest.char_indices().take_while(fits).last().map_or(0, |(at, c)| at + c.len_utf8());
    let next = (end < rest.len()).then(|| text.len() - rest.len() + end);
    Ok(Cut { text: rest.get(..end).unwrap_or_default(), next })
}

/// Names of recipients in a piece: enough to know whom it went to.
const NAMES: usize = 16;

/// A piece of a message, and whether it has the message's end. Only its sender is told what each recipient has done.
///
/// # Errors
/// When the piece begins behind its end.
pub fn mail_piece(state: &State, by: Party, hit: &MailHit, piece: Piece) -> Result<(Document, bool), Report> {
    let message = &hit.message;
    let mut json = message_json(state, by, hit, true);
    let mine = |received: &&Received| by == message.from || received.party == by;
    let recipients: Vec<Value> =
        hit.recipients.iter().filter(mine).take(NAMES).map(|received| received_json(state, received)).collect();
    json["recipients"] = recipients.into();
    if let Some(to) = json["to"].as_array_mut().filter(|to| to.len() > NAMES) {
        let more = to.len() - NAMES;
        to.truncate(NAMES);
        json["to_more"] = more.into();
    }
    json["body"] = Value::Null;
    let cut = cut(&message.body, piece, json.to_string().len())?;
    json["body"] = cut.text.into();
    json["bytes"] = message.body.len().into();
    json["next"] = cut.next.into();
    let shown = Message { body: cut.text.to_owned(), ..message.clone() };
    let text = letter(state, &MailHit { message: shown, recipients: hit.recipients.clone() });
    let text = format!("{text}{}", cut.rest(message.body.len()));
    Ok((Document { title: format!("mail {}", message.id), json, text }, cut.next.is_none()))
}

/// Messages that go out later.
#[must_use]
pub fn pending_mail(state: &State) -> Document {
    let all = &state.model.shared.mail.scheduled;
    let when = |when: SendWhen| match when {
        SendWhen::At(at) => format!("at {at:.0}"),
        SendWhen::Released(issue) => format!("when {issue} is released"),
    };
    let names = |to: &[Party]| to.iter().map(|to| state.model.party(*to)).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = all
        .values()
        .map(|item| {
            let again =
                item.every.map(|every| format!("every {}, {} more", crate::command::Interval(every), item.left));
            vec![
                item.id.to_string(),
                format!("{} → {}", state.model.party(item.draft.from), names(&item.draft.to).join(", ")),
                when(item.when),
                again.unwrap_or_default(),
                match item.attachments.len() {
                    0 => line(&item.draft.body, CELLS),
                    files => format!("{} [{files} attached]", line(&item.draft.body, CELLS)),
                },
            ]
        })
        .collect();
    let text = if rows.is_empty() { "nothing goes out later".to_owned() } else { table(&rows) };
    let json = all.values().map(|item| {
        let (at, issue) = match item.when {
            SendWhen::At(at) => (Some(at.to_string()), None),
            SendWhen::Released(issue) => (None, Some(issue.0)),
        };
        json!({
            "id": item.id.to_string(), "from": state.model.party(item.draft.from), "to": names(&item.draft.to),
            "at": at, "when_released": issue, "every": item.every, "left": item.left, "text": item.draft.body,
            "attachments": item.attachments.iter().map(|a| json!({ "name": a.name, "bytes": a.bytes })).collect::<Vec<_>>(),
        })
    });
    Document { title: "mail for later".into(), json: json!({ "pending": json.collect::<Vec<_>>() }), text }
}
