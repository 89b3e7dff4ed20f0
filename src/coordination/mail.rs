//! Mail: what may be sent, what takes the place of what, who may read and acknowledge.

use jiff::Timestamp;
use serde_json::json;

use super::ledger::{Acts, Decision, Ledger};
use super::offers::check_text;
use super::refusal::{Reason, Refusal};
use crate::base::{clip, one_line};
use crate::domain::{
    Attachment, Change, Draft, IssueId, LaneId, LaneStage, MailChange, Message, MessageId, Party, Scheduled,
    ScheduledId, SendWhen, next_in_series,
};

/// Bytes of a subject.
pub const SUBJECT: usize = 200;
/// Bytes of a message's text. What is longer comes as an attachment.
pub const BODY: usize = 32 * 1024;
/// Bytes of a topic.
const TOPIC: usize = 100;
/// Messages that one party may have unread.
pub const UNREAD: usize = 2_000;
/// Messages that wait to be acknowledged, in all.
const AWAITED: usize = 2_000;
/// Attachments of one message.
pub const ATTACHMENTS: usize = 8;
/// Bytes of one attachment.
pub const ATTACHMENT: usize = 256 * 1024;
/// Messages that may be on their way later.
const SCHEDULED: usize = 200;
/// Times that a message may be sent again.
pub const REPEATS: u32 = 24;

/// To whom a message goes, as it is written: names of lanes, `operator`, `all`.
///
/// # Errors
/// When one of them is nobody who can be written to.
pub fn recipients(ledger: &Ledger<'_>, from: Party, names: &[String]) -> Result<Vec<Party>, Refusal> {
    let mut to: Vec<Party> = Vec::new();
    let names = names.iter().flat_map(|names| names.split(',')).map(str::trim).filter(|name| !name.is_empty());
    let open = || ledger.lanes.values().filter(|lane| lane.stage != LaneStage::Closed);
    for name in names {
        // A lane of such a name comes first: the person is reached by no lane's name otherwise.
        let lane = open().find(|lane| lane.name.as_str() == name);
        match (lane, name) {
            (Some(lane), _) => to.push(Party::Lane(lane.id)),
            (None, Party::OPERATOR) => to.push(Party::Operator),
            (None, "all") => to.extend(open().map(|lane| Party::Lane(lane.id)).filter(|party| *party != from)),
            (None, _) => {
                let names: Vec<&str> = open().map(|lane| lane.name.as_str()).collect();
                let near = crate::base::nearest(name, names.iter().copied().chain([Party::OPERATOR, "all"]));
                let refusal = Refusal::new(Reason::Unknown, format!("there is no lane `{name}` to write to"));
                return Err(match near {
                    Some(near) => refusal.next(format!("did you mean `{near}`?")),
                    None => refusal.next("write to lanes, `operator` or `all`; `paralane lane list` shows the lanes"),
                });
            }
        }
    }
    to.sort_unstable();
    to.dedup();
    if to.is_empty() {
        return Err(
            Refusal::new(Reason::Unknown, "there is nobody to write to").next("`paralane lane new NAME` makes a lane")
        );
    }
    Ok(to)
}

/// Checks a draft.
fn check(ledger: &Ledger<'_>, draft: &Draft) -> Result<(), Refusal> {
    check_text("text", &draft.body, BODY).map_err(|refusal| Refusal {
        next: if draft.body.len() > BODY {
            vec!["send it as a file with `--attach FILE`, or in parts".to_owned()]
        } else {
            refusal.next.clone()
        },
        ..refusal
    })?;
    if draft.subject.len() > SUBJECT {
        return Err(Refusal::new(
            Reason::Invalid,
            format!("the subject has {} bytes, and at most {SUBJECT} are taken", draft.subject.len()),
        ));
    }
    if let Some(topic) = &draft.topic {
        check_text("topic", topic, TOPIC)?;
    }
    if draft.to.is_empty() {
        return Err(Refusal::new(Reason::Unknown, "there is nobody to write to"));
    }
    if draft.ack && ledger.shared.mail.awaited.len() >= AWAITED {
        return Err(Refusal::new(Reason::Limit, format!("{AWAITED} messages wait to be acknowledged already"))
            .next("`paralane mail list --unacknowledged` shows them"));
    }
    if draft.within.is_some() && !draft.ack {
        return Err(Refusal::new(Reason::Invalid, "`--within` goes with `--ack`: it says when that is to be there"));
    }
    for party in &draft.to {
        match party {
            Party::Lane(lane) => drop(ledger.open(*lane)?),
            Party::Operator => {}
            Party::House => return Err(Refusal::new(Reason::Unknown, "nobody can write to `paralane` itself")),
        }
        if ledger.shared.mail.unread(*party) >= UNREAD {
            let name = ledger.party(*party);
            return Err(Refusal::new(
                Reason::Limit,
                format!("`{name}` has {UNREAD} unread messages, so its box is full"),
            )
            .next(format!("`paralane mail read --lane {name} --all` empties it")));
        }
    }
    if let Party::Lane(lane) = draft.from {
        ledger.open(lane)?;
    }
    Ok(())
}

fn check_attachments(attachments: &[Attachment]) -> Result<(), Refusal> {
    if attachments.len() > ATTACHMENTS {
        let message = format!("{} attachments are too many: at most {ATTACHMENTS}", attachments.len());
        return Err(Refusal::new(Reason::Invalid, message));
    }
    let large = attachments.iter().find(|attachment| attachment.content.len() > ATTACHMENT);
    if let Some(large) = large {
        return Err(Refusal::new(
            Reason::Invalid,
            format!("`{}` has {} bytes, and an attachment at most {ATTACHMENT}", large.name, large.content.len()),
        )
        .next("commit it, or say where it stands"));
    }
    Ok(())
}

/// Sends a message now.
///
/// # Errors
/// When it is too large, or goes to somebody who cannot be written to.
pub fn send(ledger: &Ledger<'_>, draft: &Draft, attachments: Vec<Attachment>) -> Result<Decision, Refusal> {
    check(ledger, draft)?;
    check_attachments(&attachments)?;
    let mut acts = Acts::new(ledger);
    let (id, thread) = post(&mut acts, draft.clone(), attachments, None);
    let to: Vec<String> = draft.to.iter().map(|party| ledger.party(*party)).collect();
    let words = format!("{id} is sent to {}", to.join(", "));
    let json = json!({ "done": words, "id": id.to_string(), "thread": thread.to_string(), "to": to });
    Ok(acts.done(words, json))
}

/// Puts a message into its recipients' boxes.
fn post(
    acts: &mut Acts<'_>,
    draft: Draft,
    attachments: Vec<Attachment>,
    later: Option<ScheduledId>,
) -> (MessageId, MessageId) {
    let mut draft = draft;
    draft.to.sort_unstable();
    draft.to.dedup();
    let ledger = acts.ledger;
    let id = acts.message_id();
    let thread = draft.reply_to.map_or(id, |(_, thread)| thread);
    let subject = if draft.subject.trim().is_empty() { beginning(&draft.body) } else { one_line(&draft.subject) };
    let topic = draft.topic.map(|topic| (draft.from, topic));
    for of in &draft.to {
        let unread = ledger.shared.mail.unread.get(of);
        let older =
            unread.into_iter().flatten().filter(|(_, known)| topic.is_some() && known.as_deref() == topic.as_ref());
        for (message, _) in older {
            let superseded = MailChange::Superseded { message: *message, by: id, of: *of, at: ledger.now };
            acts.changes.push(Change::Mail(superseded));
        }
    }
    let within = draft.within.or(ledger.shared.deadlines.ack);
    let message = Message {
        id,
        thread,
        reply_to: draft.reply_to.map(|(message, _)| message),
        from: draft.from,
        to: draft.to,
        subject,
        body: draft.body,
        topic: topic.map(|(_, topic)| topic),
        ack: draft.ack,
        ack_due: within.filter(|_| draft.ack).map(|seconds| ledger.after(seconds)),
        decision: draft.decision,
        issue: draft.issue,
        attachments,
        later,
        created: ledger.now,
    };
    acts.changes.push(Change::Mail(MailChange::Sent { message: Box::new(message) }));
    (id, thread)
}

/// The first line of a text, as a subject.
fn beginning(text: &str) -> String {
    clip(&one_line(text.trim().lines().next().unwrap_or_default()), 80)
}

/// A message of Paralane itself: it tells what happened.
pub(super) fn house(acts: &mut Acts<'_>, to: Vec<Party>, issue: Option<IssueId>, subject: String, body: String) {
    let draft = Draft {
        from: Party::House,
        to,
        subject: clip(&subject, SUBJECT / 2),
        body,
        reply_to: None,
        topic: None,
        ack: false,
        within: None,
        decision: false,
        issue,
    };
    post(acts, draft, Vec::new(), None);
}

/// What the store says of a message: its head, and who has read and acknowledged it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The message.
    pub id: MessageId,
    /// Its thread.
    pub thread: MessageId,
    /// Who wrote it.
    pub from: Party,
    /// To whom.
    pub to: Vec<Party>,
    /// Whether it records a decision: those are everybody's to read.
    pub decision: bool,
}

/// Finds out whether a party may see a message.
///
/// # Errors
/// When there is none of that id, or it is between others.
pub fn visible_to<'s>(
    ledger: &Ledger<'_>,
    by: Party,
    id: MessageId,
    found: Option<&'s Standing>,
) -> Result<&'s Standing, Refusal> {
    let Some(found) = found else {
        let known = (1..=ledger.shared.last.message).contains(&id.0);
        let words = if known { format!("{id} is not kept any more") } else { format!("there is no message {id}") };
        return Err(Refusal::new(Reason::Unknown, words).next("`paralane mail list` shows the messages"));
    };
    if by == Party::Operator || found.decision || found.from == by || found.to.contains(&by) {
        return Ok(found);
    }
    let to: Vec<String> = found.to.iter().map(|party| format!("`{}`", ledger.party(*party))).collect();
    Err(Refusal::new(
        Reason::NotYours,
        format!("{id} is from `{}` to {}, not for `{}`", ledger.party(found.from), to.join(", "), ledger.party(by)),
    )
    .next(format!("`paralane mail list --lane {}` shows its own", ledger.party(by))))
}

/// A party has read a message.
#[must_use]
pub fn read(ledger: &Ledger<'_>, by: Party, id: MessageId) -> Vec<Change> {
    let unread = ledger.shared.mail.unread.get(&by).is_some_and(|unread| unread.contains_key(&id));
    let change = unread.then_some(Change::Mail(MailChange::Read { message: id, by, at: ledger.now }));
    change.into_iter().collect()
}

/// A party acknowledges a message; that it has read it goes with it.
///
/// # Errors
/// When the message is not to it, or asks for no acknowledgement.
pub fn acknowledge(
    ledger: &Ledger<'_>,
    by: Party,
    id: MessageId,
    found: Option<&Standing>,
) -> Result<Decision, Refusal> {
    let found = visible_to(ledger, by, id, found)?;
    let name = ledger.party(by);
    if !found.to.contains(&by) {
        let to: Vec<String> = found.to.iter().map(|party| format!("`{}`", ledger.party(*party))).collect();
        return Err(Refusal::new(
            Reason::NotYours,
            format!("{id} went to {}: only they acknowledge it", to.join(", ")),
        )
        .next("`--lane NAME` says in whose name"));
    }
    let words = format!("{name} has acknowledged {id}");
    let json = json!({ "done": words, "id": id.to_string(), "by": name });
    let owed = ledger.shared.mail.owes(by, id);
    let change = owed.then_some(Change::Mail(MailChange::Acknowledged { message: id, by, at: ledger.now }));
    Ok(Decision {
        changes: change.into_iter().chain(read(ledger, by, id).into_iter().filter(|_| !owed)).collect(),
        words,
        json,
    })
}

/// A message that goes out later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Later {
    /// When.
    pub when: SendWhen,
    /// Seconds to the next one.
    pub every: Option<u32>,
    /// The end of a series.
    pub until: Option<Timestamp>,
    /// How many in all, if it is said.
    pub times: Option<u32>,
}

/// Orders a message for later.
///
/// # Errors
/// As for [`send`], or when it would be repeated without bounds.
pub fn schedule(
    ledger: &Ledger<'_>,
    draft: &Draft,
    attachments: Vec<Attachment>,
    later: &Later,
) -> Result<Decision, Refusal> {
    check(ledger, draft)?;
    check_attachments(&attachments)?;
    let all = &ledger.shared.mail.scheduled;
    if all.len() >= SCHEDULED {
        return Err(Refusal::new(Reason::Limit, format!("{SCHEDULED} messages wait to be sent already"))
            .next("`paralane mail pending` lists them, `paralane mail cancel ID` takes one out"));
    }
    if let SendWhen::Released(issue) = later.when {
        ledger.nameable(issue)?;
    }
    let left = repeats(ledger, later)?;
    let id = ScheduledId(ledger.shared.last.scheduled + 1);
    let (when, every, created) = (later.when, later.every, ledger.now);
    let item = Scheduled { id, draft: draft.clone(), attachments, when, every, left, created };
    let when = match later.when {
        SendWhen::At(at) => format!("at {at:.0}"),
        SendWhen::Released(issue) => format!("when issue {issue} is released"),
    };
    let again = match later.every {
        Some(_) => format!(", {} times in all", left + 1),
        None => String::new(),
    };
    let words = format!("{id} goes out {when}{again}");
    let json = json!({ "done": words, "id": id.to_string(), "times": left + 1 });
    Ok(Decision { changes: vec![Change::Mail(MailChange::Scheduled { item: Box::new(item) })], words, json })
}

/// How many messages of a series follow the first.
fn repeats(ledger: &Ledger<'_>, later: &Later) -> Result<u32, Refusal> {
    let Some(every) = later.every else {
        return if later.until.is_some() || later.times.is_some() {
            Err(Refusal::new(Reason::Invalid, "`--until` and `--times` go with `--every`"))
        } else {
            Ok(0)
        };
    };
    let SendWhen::At(first) = later.when else {
        return Err(Refusal::new(Reason::Invalid, "`--every` and `--when-released` do not go together"));
    };
    let by_end = later.until.map(|until| {
        let seconds = until.duration_since(first).as_secs().max(0);
        u32::try_from(seconds / i64::from(every.max(1))).unwrap_or(u32::MAX)
    });
    let left = match (later.times.map(|times| times.saturating_sub(1)), by_end) {
        (Some(times), Some(end)) => times.min(end),
        (Some(left), None) | (None, Some(left)) => left,
        (None, None) => {
            return Err(Refusal::new(
                Reason::Invalid,
                "a repeated message needs an end: `--until TIME` or `--times N`",
            ));
        }
    };
    if later.until.is_some_and(|until| until < ledger.now) {
        return Err(Refusal::new(Reason::Invalid, "`--until` is over already"));
    }
    if left > REPEATS {
        return Err(Refusal::new(
            Reason::Limit,
            format!("it would be sent {} times: at most {}", left + 1, REPEATS + 1),
        )
        .next("send it less often, or end it earlier"));
    }
    Ok(left)
}

/// What of the messages for later is due: they are sent, and those of a series ordered anew.
#[must_use]
pub fn due(ledger: &Ledger<'_>) -> Vec<Change> {
    let mut acts = Acts::new(ledger);
    for item in ledger.shared.mail.scheduled.values() {
        let due = match item.when {
            SendWhen::At(at) => at <= ledger.now,
            SendWhen::Released(issue) => ledger.shared.owner(issue).is_none(),
        };
        if !due {
            continue;
        }
        let mut draft = item.draft.clone();
        // Who has gone meanwhile gets nothing; the others do.
        draft.to.retain(|party| match party {
            Party::Lane(lane) => ledger.open(*lane).is_ok(),
            Party::Operator | Party::House => true,
        });
        if !draft.to.is_empty() {
            post(&mut acts, draft, item.attachments.clone(), Some(item.id));
        }
        let again = match (item.every, item.when) {
            (Some(every), SendWhen::At(at)) if item.left > 0 => {
                let next = next_in_series(at, every, ledger.now);
                // What was missed while nothing ran counts as sent.
                let passed = (next.duration_since(at).as_secs() / i64::from(every.max(1))).max(1);
                let left = i64::from(item.left) - passed;
                u32::try_from(left).ok().map(|left| Scheduled { when: SendWhen::At(next), left, ..item.clone() })
            }
            _ => None,
        };
        acts.changes.push(Change::Mail(match again {
            Some(item) => MailChange::Scheduled { item: Box::new(item) },
            None => MailChange::Unscheduled { item: item.id },
        }));
    }
    acts.changes
}

/// When the next message for later is due, if one waits for a time.
#[must_use]
pub fn next_due(ledger: &Ledger<'_>) -> Option<Timestamp> {
    let times = ledger.shared.mail.scheduled.values().filter_map(|item| match item.when {
        SendWhen::At(at) => Some(at),
        SendWhen::Released(_) => None,
    });
    times.min()
}

/// Takes a message for later out.
///
/// # Errors
/// When it went out already, or never was.
pub fn cancel(ledger: &Ledger<'_>, id: ScheduledId) -> Result<Decision, Refusal> {
    if !ledger.shared.mail.scheduled.contains_key(&id) {
        let words = if id.0 < 1 || id.0 > ledger.shared.last.scheduled {
            format!("there is no message {id} for later")
        } else {
            format!("{id} was sent or cancelled already")
        };
        return Err(Refusal::new(Reason::Unknown, words).next("`paralane mail pending` lists what goes out later"));
    }
    let words = format!("{id} is cancelled");
    let json = json!({ "done": words, "id": id.to_string() });
    Ok(Decision { changes: vec![Change::Mail(MailChange::Unscheduled { item: id })], words, json })
}

/// A party has read everything.
#[must_use]
pub fn read_all(ledger: &Ledger<'_>, by: Party) -> Vec<Change> {
    let unread = ledger.shared.mail.unread.get(&by);
    let all = unread.into_iter().flatten().take(1_000);
    all.map(|(id, _)| Change::Mail(MailChange::Read { message: *id, by, at: ledger.now })).collect()
}

/// Tells a lane that somebody edits what it holds in the base checkout.
#[must_use]
pub fn warn_of_edits(ledger: &Ledger<'_>, lane: LaneId, files: &[&str]) -> Vec<Change> {
    let mut acts = Acts::new(ledger);
    let list: Vec<&str> = files.iter().copied().take(20).collect();
    let more = if files.len() > list.len() { format!(" and {} more", files.len() - list.len()) } else { String::new() };
    let body = format!(
        "The person edits files in the base checkout that you hold: {}{more}. Expect them to change under you.",
        list.join(", ")
    );
    acts.tell([Party::Lane(lane)], None, "files that you hold are edited in the base checkout".to_owned(), body);
    acts.changes
}
