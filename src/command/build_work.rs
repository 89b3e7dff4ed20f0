//! Commands of coordination, from `clap`'s matches.

use std::ops::RangeInclusive;

use super::build::Given;
use super::invocation::Invocation;
use super::when::Within;
use super::work::{
    DeadlinesArgs, IssueCommand, MailCommand, PlanCommand, ReportArgs, ReserveArgs, SayArgs, WorkCommand,
};
use crate::base::Report;
use crate::domain::{IssueId, MailFilter, Piece, WorkState};

/// Rows of a list unless somebody says otherwise.
const LIMIT: usize = 20;
/// Rows of a list at most.
const MOST: usize = 1_000;
/// Bytes of what is read in pieces, at most.
const PIECE: usize = 1 << 30;
/// Seconds that somebody waits for mail unless it is said: clients of tools often give up after a minute.
const WAIT: u32 = 50;
/// Seconds that somebody waits for mail at most.
const LONGEST_WAIT: usize = 600;

/// Builds a command of coordination, if it is one.
///
/// # Errors
/// In words, when a value does not read or arguments do not go together.
pub(super) fn build(given: &Given<'_>) -> Result<Option<Invocation>, Report> {
    let lane = given.text("lane");
    let command = match given.path() {
        ["issue", _] => WorkCommand::Issue(issue(given)?),
        ["say"] => WorkCommand::Mail(MailCommand::Say(Box::new(say(given)?))),
        ["mail", _] => WorkCommand::Mail(mail(given)?),
        ["plan", "apply"] => WorkCommand::Plan(PlanCommand::Apply { file: given.need("FILE")? }),
        ["plan", "diff"] => WorkCommand::Plan(PlanCommand::Diff { file: given.need("FILE")? }),
        ["plan", "show"] => WorkCommand::Plan(PlanCommand::Show),
        ["reserve"] => WorkCommand::Reserve(ReserveArgs {
            lane,
            paths: given.many("PATH"),
            shared: given.flag("shared"),
            wait: given.flag("wait"),
            ttl: given.maybe("ttl")?,
            reason: given.text("reason"),
            issue: maybe_issue(given, "issue")?,
        }),
        ["release"] => WorkCommand::Release { lane, paths: given.many("PATH") },
        ["reservations"] => WorkCommand::Reservations { lane },
        ["report"] => WorkCommand::Report(report(given)?),
        ["deadlines", "show"] => WorkCommand::DeadlinesShow,
        ["deadlines", "set"] => WorkCommand::DeadlinesSet(deadlines(given)?),
        _ => return Ok(None),
    };
    let key = given.text("key").map(|key| given.filled(key, "the key")).transpose()?;
    if let Some(long) = key.as_ref().filter(|key| key.len() > 200) {
        return Err(given.fault(format!("the key has {} bytes, and at most 200 are taken", long.len())));
    }
    Ok(Some(Invocation::Work { command: Box::new(command), key }))
}

fn read_issue(given: &Given<'_>, name: &str, text: &str) -> Result<IssueId, Report> {
    let issue = text.parse::<IssueId>().ok().filter(|issue| issue.0 > 0);
    issue.ok_or_else(|| given.fault(format!("`{text}` is no issue's number: `{name}` is one such as `7` or `#7`")))
}

pub(super) fn an_issue(given: &Given<'_>, name: &str) -> Result<IssueId, Report> {
    read_issue(given, name, &given.need(name)?)
}

pub(super) fn maybe_issue(given: &Given<'_>, name: &str) -> Result<Option<IssueId>, Report> {
    given.text(name).map(|text| read_issue(given, name, &text)).transpose()
}

fn limit(given: &Given<'_>) -> Result<usize, Report> {
    Ok(bounded(given, "limit", 1..=MOST)?.unwrap_or(LIMIT))
}

fn issue(given: &Given<'_>) -> Result<IssueCommand, Report> {
    let lane = given.text("lane");
    Ok(match given.path() {
        ["issue", "claim"] => {
            IssueCommand::Claim { issue: an_issue(given, "N")?, lane, within: given.maybe("within")? }
        }
        ["issue", "release"] => IssueCommand::Release { issue: an_issue(given, "N")?, lane },
        ["issue", "offer"] => IssueCommand::Offer {
            issue: an_issue(given, "N")?,
            lane,
            to: given.need("to")?,
            summary: given.need("summary")?,
            remaining: given.many("remaining"),
            within: given.maybe("within")?,
        },
        ["issue", "assign"] => IssueCommand::Assign {
            issue: an_issue(given, "N")?,
            to: given.need("LANE")?,
            reason: given.text("reason"),
            within: given.maybe("within")?,
        },
        ["issue", "request"] => IssueCommand::Request {
            issue: an_issue(given, "N")?,
            lane,
            summary: given.need("summary")?,
            within: given.maybe("within")?,
        },
        ["issue", "accept"] => {
            IssueCommand::Accept { offer: given.parsed("ID")?, lane, within: given.maybe("within")? }
        }
        ["issue", "decline"] => {
            IssueCommand::Decline { offer: given.parsed("ID")?, lane, reason: given.text("reason") }
        }
        ["issue", "cancel"] => IssueCommand::Cancel { offer: given.parsed("ID")?, lane },
        ["issue", "block"] => IssueCommand::Block { issue: an_issue(given, "N")?, on: an_issue(given, "on")?, lane },
        ["issue", "unblock"] => {
            IssueCommand::Unblock { issue: an_issue(given, "N")?, on: an_issue(given, "on")?, lane }
        }
        ["issue", "reopen"] => IssueCommand::Reopen { issue: an_issue(given, "N")?, lane },
        ["issue", "title"] => IssueCommand::Title { issue: an_issue(given, "N")?, title: given.free_text()? },
        ["issue", "next"] => IssueCommand::Next { lane, limit: limit(given)? },
        ["issue", "list"] => IssueCommand::List { all: given.flag("all"), lane },
        _ => IssueCommand::Show { issue: an_issue(given, "N")? },
    })
}

fn say(given: &Given<'_>) -> Result<SayArgs, Report> {
    let (after, at, when_released) = (given.maybe("after")?, given.maybe("at")?, maybe_issue(given, "when-released")?);
    let holds = [after.is_some(), at.is_some(), when_released.is_some()];
    if holds.iter().filter(|given| **given).count() > 1 {
        return Err(given.fault("`--after`, `--at` and `--when-released` do not go together: it goes out once"));
    }
    let times = match given.text("times") {
        None => None,
        Some(text) => {
            let wrong = || given.fault(format!("`--times {text}` is not a whole number above 0"));
            Some(text.parse::<u32>().ok().filter(|times| *times > 0).ok_or_else(wrong)?)
        }
    };
    Ok(SayArgs {
        to: vec![given.need("TO")?],
        text: given.free_text()?,
        lane: given.text("lane"),
        subject: given.text("subject"),
        reply: given.maybe("reply")?,
        topic: given.text("topic"),
        ack: given.flag("ack"),
        within: given.maybe("within")?,
        decision: given.flag("decision"),
        issue: maybe_issue(given, "issue")?,
        attach: given.many("attach"),
        after,
        at,
        when_released,
        every: given.maybe("every")?,
        until: given.maybe("until")?,
        times,
    })
}

fn mail(given: &Given<'_>) -> Result<MailCommand, Report> {
    let lane = given.text("lane");
    Ok(match given.path() {
        ["mail", "list"] => {
            let filter = match (given.flag("unread"), given.flag("unacknowledged"), given.flag("decisions")) {
                (false, false, false) => MailFilter::All,
                (true, false, false) => MailFilter::Unread,
                (false, true, false) => MailFilter::Owed,
                (false, false, true) => MailFilter::Decisions,
                _ => {
                    let words = "`--unread`, `--unacknowledged` and `--decisions` do not go together: give one of them";
                    return Err(given.fault(words));
                }
            };
            let all = given.flag("all");
            if all && lane.is_some() {
                return Err(given.fault("`--all` and `--lane` do not go together"));
            }
            MailCommand::List { lane, all, filter, before: given.maybe("before")?, limit: limit(given)? }
        }
        ["mail", "show"] => MailCommand::Show { id: given.parsed("ID")?, lane, attachment: given.text("attachment") },
        ["mail", "thread"] => {
            MailCommand::Thread { id: given.parsed("ID")?, lane, after: given.maybe("after")?, limit: limit(given)? }
        }
        ["mail", "search"] => MailCommand::Search {
            words: given.free_text()?,
            lane,
            decisions: given.flag("decisions"),
            before: given.maybe("before")?,
            limit: limit(given)?,
        },
        ["mail", "read"] => match (given.maybe("ID")?, given.flag("all")) {
            (id, all) if id.is_some() != all => {
                MailCommand::Read { id, lane, attachment: given.text("attachment"), piece: piece(given)? }
            }
            _ => return Err(given.fault("name one message, or say `--all`")),
        },
        ["mail", "wait"] => MailCommand::Wait { lane, seconds: wait(given)?, limit: limit(given)? },
        ["mail", "ack"] => MailCommand::Ack { id: given.parsed("ID")?, lane },
        ["mail", "cancel"] => MailCommand::Cancel { id: given.parsed("ID")? },
        _ => MailCommand::Pending,
    })
}

/// A whole number within bounds, if the option is given.
fn bounded(given: &Given<'_>, name: &str, bounds: RangeInclusive<usize>) -> Result<Option<usize>, Report> {
    let Some(text) = given.text(name) else { return Ok(None) };
    let number = text.parse::<usize>().ok().filter(|number| bounds.contains(number));
    let (from, to) = bounds.into_inner();
    let wrong = || given.fault(format!("`--{name} {text}` is not a whole number from {from} to {to}"));
    number.map(Some).ok_or_else(wrong)
}

fn piece(given: &Given<'_>) -> Result<Piece, Report> {
    let from = bounded(given, "from", 0..=PIECE)?.unwrap_or(0);
    Ok(Piece { from, most: bounded(given, "page", 2_000..=PIECE)? })
}

fn wait(given: &Given<'_>) -> Result<u32, Report> {
    let seconds = bounded(given, "timeout", 1..=LONGEST_WAIT)?;
    Ok(seconds.and_then(|seconds| u32::try_from(seconds).ok()).unwrap_or(WAIT))
}

fn report(given: &Given<'_>) -> Result<ReportArgs, Report> {
    Ok(ReportArgs {
        lane: given.text("lane"),
        state: given.text("state").as_deref().and_then(WorkState::of),
        issue: maybe_issue(given, "issue")?,
        evidence: given.many("evidence"),
        remaining: given.many("remaining"),
        until: given.text("until"),
        summary: given.text("summary"),
    })
}

fn deadlines(given: &Given<'_>) -> Result<DeadlinesArgs, Report> {
    let time = |name: &str| match given.text(name).as_deref() {
        None => Ok(None),
        Some("none") => Ok(Some(None)),
        Some(text) => {
            let within = text.parse::<Within>().map_err(|error| given.fault(format!("{error}, or `none`")));
            within.map(|Within(seconds)| Some(Some(seconds)))
        }
    };
    let attempts = match given.text("attempts").as_deref() {
        None => None,
        Some("none") => Some(None),
        Some(text) => {
            let wrong = || given.fault(format!("`--attempts {text}` is not a whole number above 0, or `none`"));
            Some(Some(text.parse::<u32>().ok().filter(|count| *count > 0).ok_or_else(wrong)?))
        }
    };
    let args = DeadlinesArgs {
        claim: time("claim")?,
        offer: time("offer")?,
        request: time("request")?,
        ack: time("ack")?,
        attempts,
    };
    if args == DeadlinesArgs::default() {
        return Err(given.fault("say what to set: `--claim`, `--offer`, `--request`, `--ack` or `--attempts`"));
    }
    Ok(args)
}
