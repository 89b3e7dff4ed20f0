//! Mail: commands to the rules, after the store was asked where that is needed.

use serde_json::json;

use crate::app::errand::{Finding, Goal, Keying, Quest};
use crate::app::report;
use crate::base::Report;
use crate::command::{MailCommand, SayArgs, Within};
use crate::coordination::mail::{self, ATTACHMENT, ATTACHMENTS, Later, Standing};
use crate::coordination::{Decision, Reason, Refusal};
use crate::domain::{Attachment, Draft, MailHit, MailQuery, Party, Piece, SendWhen, search_words};

use super::mail_waits;
use super::run::{Done, Origin};
use super::step::Step;
use super::work::{self, decide, go, keep, party};

/// The lane that a command names as the one that acts.
pub(super) fn lane_of(command: &MailCommand) -> Option<&str> {
    match command {
        MailCommand::Say(say) => say.lane.as_deref(),
        MailCommand::List { lane, .. }
        | MailCommand::Show { lane, .. }
        | MailCommand::Thread { lane, .. }
        | MailCommand::Search { lane, .. }
        | MailCommand::Read { lane, .. }
        | MailCommand::Wait { lane, .. }
        | MailCommand::Ack { lane, .. } => lane.as_deref(),
        MailCommand::Pending | MailCommand::Cancel { .. } => None,
    }
}

/// Runs a command that writes.
pub(super) fn run(
    step: &mut Step<'_>,
    origin: Origin,
    command: MailCommand,
    keying: Option<Keying>,
) -> Result<Done, Report> {
    let by = party(step, origin, lane_of(&command))?;
    match command {
        MailCommand::Say(args) => {
            if args.attach.len() > ATTACHMENTS {
                let words = format!("{} attachments are too many: at most {ATTACHMENTS}", args.attach.len());
                return Err(Report::usage(words));
            }
            if args.reply.is_none() && args.attach.is_empty() {
                return say(step, origin, *args, None, Vec::new(), keying);
            }
            let files = args.attach.iter().map(|file| work::path(step.state, file)).collect();
            let quest = Quest::Letter { reply: args.reply, files, most: ATTACHMENT };
            go(step, origin, quest, Goal::Say(args, keying));
            Ok(Done::Later)
        }
        MailCommand::Read { id: None, .. } => {
            let changes = mail::read_all(&step.state.ledger(step.env.now), by);
            let words = format!("{} messages are marked as read", changes.len());
            let json = json!({ "done": words, "read": changes.len() });
            Ok(decide(step, origin, Decision { changes, words, json }, keying))
        }
        MailCommand::Read { id: Some(id), attachment: Some(name), piece, .. } => {
            let quest = Quest::Mail(MailQuery::Attachment(id, name.clone()));
            go(step, origin, quest, Goal::Attachment(by, id, name, piece));
            Ok(Done::Later)
        }
        MailCommand::Read { id: Some(id), piece, .. } => {
            go(step, origin, Quest::Mail(MailQuery::One(id)), Goal::Read(by, id, piece));
            Ok(Done::Later)
        }
        MailCommand::Wait { seconds, limit, .. } => mail_waits::begin(step, origin, by, seconds, limit),
        MailCommand::Ack { id, .. } => {
            go(step, origin, Quest::Mail(MailQuery::One(id)), Goal::Ack(by, id, keying));
            Ok(Done::Later)
        }
        MailCommand::Cancel { id } => {
            let decision = mail::cancel(&step.state.ledger(step.env.now), id)?;
            Ok(decide(step, origin, decision, keying))
        }
        MailCommand::List { .. }
        | MailCommand::Show { .. }
        | MailCommand::Thread { .. }
        | MailCommand::Search { .. }
        | MailCommand::Pending => Err(Report::internal("the command only reads")),
    }
}

/// Runs a command that reads.
pub(super) fn read(step: &mut Step<'_>, origin: Origin, command: &MailCommand) -> Result<Done, Report> {
    let by = party(step, origin, lane_of(command))?;
    // The person sees everything, a lane what it sent and was sent.
    let seen = by.lane().map(Party::Lane);
    let query = match command {
        MailCommand::List { all, filter, before, limit, .. } => {
            MailQuery::List { party: (!all).then_some(by), filter: *filter, before: *before, limit: *limit }
        }
        MailCommand::Show { id, attachment: Some(name), .. } => {
            let quest = Quest::Mail(MailQuery::Attachment(*id, name.clone()));
            go(step, origin, quest, Goal::Attachment(by, *id, name.clone(), Piece::default()));
            return Ok(Done::Later);
        }
        MailCommand::Show { id, .. } => MailQuery::One(*id),
        MailCommand::Thread { id, after, limit, .. } => {
            MailQuery::Thread { of: *id, party: seen, after: *after, limit: *limit }
        }
        MailCommand::Search { words, decisions, before, limit, .. } => MailQuery::Search {
            words: search_words(words),
            party: seen,
            decisions: *decisions,
            before: *before,
            limit: *limit,
        },
        MailCommand::Pending => return Ok(Done::Document(report::pending_mail(step.state))),
        _ => return Err(Report::internal("the command does not read")),
    };
    go(step, origin, Quest::Mail(query.clone()), Goal::Show(by, query));
    Ok(Done::Later)
}

/// What was asked of the store, or to be read from files, is there.
pub(super) fn settle(step: &mut Step<'_>, origin: Origin, goal: Goal, finding: Finding) -> Result<Done, Report> {
    match (goal, finding) {
        (Goal::Show(by, query), Finding::Mail(page)) => {
            if let MailQuery::One(id) | MailQuery::Thread { of: id, .. } = &query {
                let all = step.state.ledger(step.env.now);
                let first = page.messages.first().map(standing);
                // Of a thread only what the party may see was found.
                let known = !matches!(query, MailQuery::Thread { .. }) || first.is_none();
                if known {
                    mail::visible_to(&all, by, *id, first.as_ref())?;
                }
            }
            Ok(Done::Document(report::mail_document(step.state, by, &query, &page)))
        }
        (Goal::Attachment(by, id, name, piece), Finding::Mail(page)) => {
            let first = page.messages.first();
            mail::visible_to(&step.state.ledger(step.env.now), by, id, first.map(standing).as_ref())?;
            let names = first.map(|hit| hit.message.attachments.iter().map(|a| a.name.clone()).collect::<Vec<_>>());
            let attachment = page.attachment.ok_or_else(|| {
                let refusal = Refusal::new(Reason::Unknown, format!("{id} comes with nothing called `{name}`"));
                match names.filter(|names| !names.is_empty()) {
                    Some(names) => refusal.next(format!("with it come: {}", names.join(", "))),
                    None => refusal,
                }
            })?;
            report::attachment_document(id, &attachment, piece).map(Done::Document)
        }
        (Goal::Read(by, id, piece), Finding::Mail(page)) => {
            let first = page.messages.first();
            let all = step.state.ledger(step.env.now);
            mail::visible_to(&all, by, id, first.map(standing).as_ref())?;
            let (document, whole) = match first {
                Some(hit) if piece != Piece::default() => report::mail_piece(step.state, by, hit, piece)?,
                _ => (report::mail_document(step.state, by, &MailQuery::One(id), &page), true),
            };
            // Who has not seen its end has not read it.
            let changes = if whole { mail::read(&all, by, id) } else { Vec::new() };
            keep(step, changes);
            step.in_order = true;
            Ok(Done::Document(document))
        }
        (Goal::Ack(by, id, keying), Finding::Mail(page)) => {
            let all = step.state.ledger(step.env.now);
            let decision = mail::acknowledge(&all, by, id, page.messages.first().map(standing).as_ref())?;
            Ok(decide(step, origin, decision, keying))
        }
        (Goal::Say(args, keying), Finding::Letter(answered, files)) => {
            let attachments =
                files.into_iter().map(|(name, content)| Attachment { name, bytes: content.len() as u64, content });
            say(step, origin, *args, answered.as_deref(), attachments.collect(), keying)
        }
        _ => Err(Report::internal("something else was read than was asked for")),
    }
}

fn standing(hit: &MailHit) -> Standing {
    let message = &hit.message;
    Standing {
        id: message.id,
        thread: message.thread,
        from: message.from,
        to: message.to.clone(),
        decision: message.decision,
    }
}

/// Sends a message, or orders it for later.
fn say(
    step: &mut Step<'_>,
    origin: Origin,
    args: SayArgs,
    answered: Option<&MailHit>,
    attachments: Vec<Attachment>,
    keying: Option<Keying>,
) -> Result<Done, Report> {
    let from = party(step, origin, args.lane.as_deref())?;
    let now = jiff::ZonedDateTime::new(step.env.now, step.env.zone.clone());
    let all = step.state.ledger(step.env.now);
    let reply_to = match args.reply {
        None => None,
        Some(id) => {
            let found = answered.map(standing);
            let found = mail::visible_to(&all, from, id, found.as_ref())?;
            Some((found.id, found.thread))
        }
    };
    let subject = match (args.subject, answered) {
        (Some(subject), _) => subject,
        (None, Some(hit)) if hit.message.subject.starts_with("Re: ") => hit.message.subject.clone(),
        (None, Some(hit)) => crate::base::clip(&format!("Re: {}", hit.message.subject), 150),
        (None, None) => String::new(),
    };
    let draft = Draft {
        from,
        to: mail::recipients(&all, from, &args.to)?,
        subject,
        body: args.text,
        reply_to,
        topic: args.topic,
        ack: args.ack,
        within: args.within.map(|Within(seconds)| seconds),
        decision: args.decision,
        issue: args.issue,
    };
    let at = args.at.map(|when| when.resolve(&now)).or(args.after.map(|Within(seconds)| all.after(seconds)));
    let when = match (args.when_released, at, args.every) {
        (Some(issue), ..) => Some(SendWhen::Released(issue)),
        (None, Some(at), _) => Some(SendWhen::At(at)),
        (None, None, Some(_)) => Some(SendWhen::At(step.env.now)),
        (None, None, None) => None,
    };
    // What nobody owns needs not be waited for.
    let free = args.when_released.filter(|issue| step.state.model.shared.owner(*issue).is_none());
    if let Some(issue) = free {
        all.nameable(issue)?;
    }
    let decision = match when.filter(|_| free.is_none()) {
        None if args.until.is_some() || args.times.is_some() => {
            return Err(Report::usage("`--until` and `--times` go with `--every`"));
        }
        None => {
            let mut sent = mail::send(&all, &draft, attachments)?;
            if let Some(issue) = free {
                sent.words = format!("{}: nobody owns issue {issue}, so it goes out at once", sent.words);
                sent.json["done"] = sent.words.clone().into();
            }
            sent
        }
        Some(when) => {
            let later = Later {
                when,
                every: args.every.map(|interval| interval.0),
                until: args.until.map(|when| when.resolve(&now)),
                times: args.times,
            };
            mail::schedule(&all, &draft, attachments, &later)?
        }
    };
    Ok(decide(step, origin, decision, keying))
}
