//! Issues: commands to the rules.

use std::path::PathBuf;

use crate::app::errand::{Goal, Keying, Quest};
use crate::base::Report;
use crate::command::{IssueCommand, Within};
use crate::coordination::offers::{self, Terms};
use crate::coordination::{Decision, dependencies, ledger};
use crate::domain::{Change, IssueChange, OfferKind};

use super::find;
use super::run::{Done, Origin};
use super::step::Step;
use super::work::{self, acting, decide, party, window};

fn seconds(within: Option<Within>) -> Option<u32> {
    within.map(|Within(seconds)| seconds)
}

/// The lane that a command names as the one that acts.
pub(super) fn lane_of(command: &IssueCommand) -> Option<&str> {
    match command {
        IssueCommand::Claim { lane, .. }
        | IssueCommand::Release { lane, .. }
        | IssueCommand::Offer { lane, .. }
        | IssueCommand::Request { lane, .. }
        | IssueCommand::Accept { lane, .. }
        | IssueCommand::Decline { lane, .. }
        | IssueCommand::Cancel { lane, .. }
        | IssueCommand::Block { lane, .. }
        | IssueCommand::Unblock { lane, .. }
        | IssueCommand::Reopen { lane, .. }
        | IssueCommand::Next { lane, .. }
        | IssueCommand::List { lane, .. } => lane.as_deref(),
        IssueCommand::Assign { .. } | IssueCommand::Title { .. } | IssueCommand::Show { .. } => None,
    }
}

pub(super) fn run(
    step: &mut Step<'_>,
    origin: Origin,
    command: IssueCommand,
    keying: Option<Keying>,
) -> Result<Done, Report> {
    let decision = choose(step, origin, command.clone(), None)?;
    // What is handed over is the work as it stands: the commit goes along.
    if let Some(directory) = handed_over(step, &command) {
        work::go(step, origin, Quest::Head(directory), Goal::Issue(command, keying));
        return Ok(Done::Later);
    }
    Ok(decide(step, origin, decision, keying))
}

/// The owner's commit is known.
pub(super) fn settle(
    step: &mut Step<'_>,
    origin: Origin,
    command: IssueCommand,
    head: Option<String>,
    keying: Option<Keying>,
) -> Result<Done, Report> {
    let decision = choose(step, origin, command, head)?;
    Ok(decide(step, origin, decision, keying))
}

/// Where the owner of an issue works that this command offers, or hands over on request.
fn handed_over(step: &Step<'_>, command: &IssueCommand) -> Option<PathBuf> {
    let shared = &step.state.model.shared;
    let issue = match command {
        IssueCommand::Offer { issue, .. } => *issue,
        IssueCommand::Accept { offer, .. } => {
            shared.offers.get(offer).filter(|offer| offer.kind == OfferKind::Request)?.issue
        }
        _ => return None,
    };
    let owner = step.state.model.lanes.get(&shared.owner(issue)?)?;
    Some(owner.place.directory.clone())
}

/// `head`: the commit that the owner of the issue stands on.
fn choose(step: &Step<'_>, origin: Origin, command: IssueCommand, head: Option<String>) -> Result<Decision, Report> {
    let all = step.state.ledger(step.env.now);
    let lane = |typed: &Option<String>| acting(step, origin, typed.as_deref());
    let named = |typed: &str| find::lane(step.state, window(origin), Some(typed));
    let decided = match command {
        IssueCommand::Claim { issue, lane: typed, within } => {
            ledger::claim(&all, lane(&typed)?, issue, seconds(within))
        }
        IssueCommand::Release { issue, lane: typed } => ledger::release(&all, lane(&typed)?, issue),
        IssueCommand::Offer { issue, lane: typed, to, summary, remaining, within } => {
            let terms = Terms { summary, remaining, within: seconds(within), commit: head };
            offers::offer(&all, lane(&typed)?, issue, named(&to)?, terms)
        }
        IssueCommand::Assign { issue, to, reason, within } => {
            let summary = reason.unwrap_or_else(|| "the person wants you to do it".to_owned());
            let terms = Terms { summary, within: seconds(within), ..Terms::default() };
            offers::assign(&all, issue, named(&to)?, terms)
        }
        IssueCommand::Request { issue, lane: typed, summary, within } => {
            let terms = Terms { summary, within: seconds(within), ..Terms::default() };
            offers::request(&all, lane(&typed)?, issue, terms)
        }
        IssueCommand::Accept { offer, lane: typed, within } => {
            offers::accept(&all, lane(&typed)?, offer, seconds(within), head)
        }
        IssueCommand::Decline { offer, lane: typed, reason } => offers::decline(&all, lane(&typed)?, offer, reason),
        IssueCommand::Cancel { offer, lane: typed } => {
            offers::cancel(&all, party(step, origin, typed.as_deref())?, offer)
        }
        IssueCommand::Block { issue, on, lane: typed } => {
            dependencies::block(&all, party(step, origin, typed.as_deref())?, issue, on)
        }
        IssueCommand::Unblock { issue, on, lane: typed } => {
            dependencies::unblock(&all, party(step, origin, typed.as_deref())?, issue, on)
        }
        IssueCommand::Reopen { issue, lane: typed } => {
            party(step, origin, typed.as_deref())?;
            ledger::reopen(&all, issue)
        }
        IssueCommand::Title { issue, title } => {
            all.nameable(issue)?;
            let title = crate::base::clip(&crate::base::one_line(&title), 200);
            let words = format!("issue {issue} is called `{title}`");
            let json = serde_json::json!({ "done": words, "issue": issue.0, "title": title });
            let change = Change::Issue(IssueChange::Titled { issue, title, at: step.env.now });
            Ok(Decision { changes: vec![change], words, json })
        }
        IssueCommand::Next { .. } | IssueCommand::List { .. } | IssueCommand::Show { .. } => {
            return Err(Report::internal("the command only reads"));
        }
    };
    decided.map_err(Report::from)
}
