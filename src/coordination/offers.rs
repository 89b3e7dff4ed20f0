//! Offers, assignments and requests: how an issue changes hands. Only the party that is asked can say yes.

use std::fmt::Write as _;

use serde_json::json;

use super::ledger::{Acts, Decision, Ledger, claim_json, new_claim};
use super::refusal::{Reason, Refusal};
use super::reservations::{exclude_each_other, settle_queue};
use crate::domain::{
    Change, Handoff, HoldChange, IssueChange, IssueId, LaneId, Offer, OfferId, OfferKind, OfferOutcome, Party,
    Reservation,
};

/// Bytes of a summary or reason.
pub const SUMMARY: usize = 2_000;
/// Things left to do, each of at most [`ITEM`] bytes.
pub const ITEMS: usize = 20;
/// Bytes of one thing left to do, or of one piece of evidence.
pub const ITEM: usize = 500;

/// What goes along with an offer or a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms {
    /// How the work stands, or why it is asked for.
    pub summary: String,
    /// What is left to do.
    pub remaining: Vec<String>,
    /// Seconds until the answer is to be there.
    pub within: Option<u32>,
    /// The commit the owner stands on.
    pub commit: Option<String>,
}

/// Checks text that goes into the ledger.
///
/// # Errors
/// When it is empty or too long.
pub(super) fn check_text(what: &str, text: &str, most: usize) -> Result<(), Refusal> {
    if text.trim().is_empty() {
        return Err(Refusal::new(Reason::Invalid, format!("the {what} is empty")));
    }
    if text.len() > most {
        return Err(Refusal::new(
            Reason::Invalid,
            format!("the {what} has {} bytes, and at most {most} are taken", text.len()),
        )
        .next("say it shorter, and send the rest by mail"));
    }
    Ok(())
}

/// Checks a list of lines that goes into the ledger.
///
/// # Errors
/// When there are too many, or one is empty or too long.
pub(super) fn check_items(what: &str, items: &[String]) -> Result<(), Refusal> {
    if items.len() > ITEMS {
        return Err(Refusal::new(
            Reason::Invalid,
            format!("{} times {what} is too much: at most {ITEMS}", items.len()),
        ));
    }
    items.iter().try_for_each(|item| check_text(what, item, ITEM))
}

fn check(terms: &Terms) -> Result<(), Refusal> {
    check_text("summary", &terms.summary, SUMMARY)?;
    check_items("remaining item", &terms.remaining)
}

/// The owner offers an issue to another lane. It stays the owner until that one accepts.
///
/// # Errors
/// When it is not the owner, or another offer waits for an answer.
pub fn offer(ledger: &Ledger<'_>, lane: LaneId, issue: IssueId, to: LaneId, terms: Terms) -> Result<Decision, Refusal> {
    check(&terms)?;
    let claim = ledger.own_claim(lane, issue)?;
    ledger.open(to)?;
    if to == lane {
        return Err(Refusal::new(Reason::Condition, format!("lane `{}` owns issue {issue} already", ledger.name(to))));
    }
    if let Some(other) = ledger.shared.offers_of(issue).find(|offer| offer.kind == OfferKind::Handover) {
        return Err(waits(ledger, other));
    }
    let held = ledger.reservations.values().filter(|held| held.lane == lane && held.issue == Some(issue));
    let reservations: Vec<_> = held.map(|held| held.id).collect();
    let mut acts = Acts::new(ledger);
    let due = terms.within.or(ledger.shared.deadlines.offer).map(|seconds| ledger.after(seconds));
    let offer = Offer {
        id: acts.offer_id(),
        issue,
        kind: OfferKind::Handover,
        from: Party::Lane(lane),
        to,
        claim: Some(claim.id),
        summary: terms.summary,
        remaining: terms.remaining,
        commit: terms.commit,
        reservations,
        due,
        created: ledger.now,
    };
    let (from, name) = (ledger.name(lane), ledger.name(to));
    let words = format!("issue {issue} is offered to lane {name} ({}); lane {from} owns it until then", offer.id);
    Ok(make(acts, offer, words))
}

/// The person gives an issue to a lane: as an offer if nobody owns it, as a request to the owner if somebody does.
///
/// # Errors
/// When the lane owns it, or another assignment waits for an answer.
pub fn assign(ledger: &Ledger<'_>, issue: IssueId, to: LaneId, terms: Terms) -> Result<Decision, Refusal> {
    ledger.nameable(issue)?;
    ledger.open(to)?;
    if ledger.shared.owner(issue).is_some() {
        return ask(ledger, Party::Operator, to, issue, terms);
    }
    check(&terms)?;
    ledger.not_done(issue)?;
    if let Some(other) = ledger.shared.offers_of(issue).find(|offer| offer.kind == OfferKind::Assignment) {
        return Err(waits(ledger, other));
    }
    let mut acts = Acts::new(ledger);
    let due = terms.within.or(ledger.shared.deadlines.offer).map(|seconds| ledger.after(seconds));
    let offer = Offer {
        id: acts.offer_id(),
        issue,
        kind: OfferKind::Assignment,
        from: Party::Operator,
        to,
        claim: None,
        summary: terms.summary,
        remaining: terms.remaining,
        commit: None,
        reservations: Vec::new(),
        due,
        created: ledger.now,
    };
    let words =
        format!("issue {issue} is assigned to lane {} ({}); it is its own once it accepts", ledger.name(to), offer.id);
    Ok(make(acts, offer, words))
}

/// A lane asks the owner for an issue.
///
/// # Errors
/// When nobody owns it, the lane itself does, or it has asked already.
pub fn request(ledger: &Ledger<'_>, lane: LaneId, issue: IssueId, terms: Terms) -> Result<Decision, Refusal> {
    ask(ledger, Party::Lane(lane), lane, issue, terms)
}

fn ask(ledger: &Ledger<'_>, from: Party, to: LaneId, issue: IssueId, terms: Terms) -> Result<Decision, Refusal> {
    check(&terms)?;
    let name = ledger.open(to)?.name.to_string();
    let claim = ledger.shared.issues.get(&issue).and_then(|issue| issue.claim.as_ref());
    let Some(claim) = claim else {
        return Err(Refusal::new(Reason::Condition, format!("nobody owns issue {issue}, so there is nobody to ask"))
            .next(format!("`paralane issue claim {} --lane {name}` claims it", issue.0)));
    };
    if claim.lane == to {
        return Err(Refusal::new(
            Reason::Condition,
            format!("lane `{name}` owns issue {issue} already ({})", claim.id),
        ));
    }
    let same = |offer: &&Offer| offer.kind == OfferKind::Request && offer.to == to;
    if let Some(other) = ledger.shared.offers_of(issue).find(same) {
        return Err(waits(ledger, other));
    }
    let mut acts = Acts::new(ledger);
    let due = terms.within.or(ledger.shared.deadlines.request).map(|seconds| ledger.after(seconds));
    let offer = Offer {
        id: acts.offer_id(),
        issue,
        kind: OfferKind::Request,
        from,
        to,
        claim: Some(claim.id),
        summary: terms.summary,
        remaining: terms.remaining,
        commit: None,
        reservations: Vec::new(),
        due,
        created: ledger.now,
    };
    let words = format!("lane {} is asked for issue {issue} ({})", ledger.name(claim.lane), offer.id);
    Ok(make(acts, offer, words))
}

/// Makes an offer, and tells the one who is to answer.
fn make(mut acts: Acts<'_>, offer: Offer, words: String) -> Decision {
    let ledger = acts.ledger;
    let answerer = answerer(&ledger, &offer);
    let asked = answerer.map_or_else(String::new, |lane| ledger.name(lane));
    let from = ledger.party(offer.from);
    let subject = match offer.kind {
        OfferKind::Handover => format!("`{from}` offers you issue {}", offer.issue),
        OfferKind::Assignment => format!("issue {} is assigned to you", offer.issue),
        OfferKind::Request => format!("`{}` asks you for issue {}", ledger.name(offer.to), offer.issue),
    };
    let mut body = format!("{}\n", offer.summary);
    for item in &offer.remaining {
        let _ = writeln!(body, "- {item}");
    }
    if let Some(commit) = &offer.commit {
        let _ = writeln!(body, "The work stands at {commit}.");
    }
    let _ = write!(
        body,
        "`accept` or `decline` {0}; in a shell `paralane issue accept {0} --lane {asked}`, or `decline`.",
        offer.id
    );
    acts.tell(answerer.map(Party::Lane), Some(offer.issue), subject, body);
    let json = json!({
        "done": words,
        "offer": offer.id.to_string(),
        "kind": offer.kind.word(),
        "issue": offer.issue.0,
        "to": ledger.name(offer.to),
        "answers": asked,
        "due": offer.due.map(|at| at.to_string()),
    });
    acts.issue(IssueChange::Offered { offer: Box::new(offer) });
    acts.done(words, json)
}

/// Who has to answer.
fn answerer(ledger: &Ledger<'_>, offer: &Offer) -> Option<LaneId> {
    match offer.kind {
        OfferKind::Handover | OfferKind::Assignment => Some(offer.to),
        OfferKind::Request => ledger.shared.owner(offer.issue),
    }
}

fn waits(ledger: &Ledger<'_>, other: &Offer) -> Refusal {
    let (kind, to) = (other.kind.word(), ledger.name(other.to));
    let asked = answerer(ledger, other).map(|lane| ledger.name(lane)).unwrap_or_default();
    Refusal::new(
        Reason::Offered,
        format!("a {kind} of issue {} to lane `{to}` waits for an answer of `{asked}` ({})", other.issue, other.id),
    )
    .next(format!("`paralane issue cancel {}` takes it back", other.id))
}

/// The pending offer of this id.
fn pending<'a>(ledger: &Ledger<'a>, id: OfferId) -> Result<&'a Offer, Refusal> {
    if let Some(offer) = ledger.shared.offers.get(&id) {
        return Ok(offer);
    }
    let refusal = if id.0 < 1 || id.0 > ledger.shared.last.offer {
        Refusal::new(Reason::Unknown, format!("there is no offer {id}"))
    } else {
        Refusal::new(Reason::Stale, format!("offer {id} is over: it was answered or taken back, or it lapsed"))
    };
    Err(refusal.next("`paralane issue list` shows the offers that wait"))
}

/// The pending offer of this id, for the lane that is to answer it.
fn to_answer<'a>(ledger: &Ledger<'a>, by: LaneId, id: OfferId) -> Result<&'a Offer, Refusal> {
    let offer = pending(ledger, id)?;
    ledger.open(by)?;
    match answerer(ledger, offer) {
        Some(lane) if lane == by => Ok(offer),
        other => {
            let name = other.map_or_else(|| "nobody".to_owned(), |lane| ledger.name(lane));
            Err(Refusal::new(
                Reason::NotYours,
                format!("{} {id} of issue {} is for lane `{name}` to answer", offer.kind.word(), offer.issue),
            )
            .next(format!("`paralane issue accept {id} --lane {name}`")))
        }
    }
}

/// The lane that is asked says yes: the issue changes hands, with the holds that belong to it, in one step. `head`: the
/// commit that the owner stands on now, for what was asked for and not offered.
///
/// # Errors
/// When it is not that lane's to answer, the offer is over, or the new owner owns as many as it may.
pub fn accept(
    ledger: &Ledger<'_>,
    by: LaneId,
    id: OfferId,
    within: Option<u32>,
    head: Option<String>,
) -> Result<Decision, Refusal> {
    let offer = to_answer(ledger, by, id)?;
    let issue = offer.issue;
    let before = ledger.shared.issues.get(&issue).and_then(|issue| issue.claim.as_ref());
    if before.map(|claim| claim.id) != offer.claim {
        return Err(Refusal::new(
            Reason::Stale,
            format!("offer {id} is stale: issue {issue} has another owner since it was made"),
        )
        .next(format!("`paralane issue show {}` says whose it is", issue.0)));
    }
    ledger.open(offer.to)?;
    ledger.room(offer.to)?;
    let mut acts = Acts::new(ledger);
    acts.answer(offer, OfferOutcome::Accepted, None);
    let handoff = before.map(|claim| Handoff {
        from: claim.lane,
        summary: offer.summary.clone(),
        remaining: offer.remaining.clone(),
        commit: offer.commit.clone().or(head),
    });
    let claim = new_claim(&mut acts, offer.to, within, handoff);
    acts.issue(IssueChange::Claimed { issue, claim: Box::new(claim.clone()) });
    let name = ledger.name(offer.to);
    acts.lapse_offers(issue, Some(id), &format!("lane `{name}` owns the issue now"));
    let (mut moved, mut ended) = (Vec::new(), Vec::new());
    if let Some(before) = before {
        let (goes, stays): (Vec<&Reservation>, Vec<&Reservation>) = ledger
            .reservations
            .values()
            .filter(|held| held.lane == before.lane)
            .partition(|held| held.issue == Some(issue) || offer.reservations.contains(&held.id));
        for held in goes {
            // Two lanes never hold the same: what the giver keeps for something else is its own.
            if let Some(other) = stays.iter().find(|other| exclude_each_other(held, other, ledger.fold)) {
                acts.changes.push(Change::ReservationReleased { reservation: held.id });
                ended.push((held.pattern.as_str(), other.pattern.as_str()));
            } else {
                acts.hold(HoldChange::Moved { reservation: held.id, lane: offer.to });
                moved.push(held.pattern.as_str());
            }
        }
    }
    // Who waited for what is its own now waits no longer.
    settle_queue(&mut acts);
    let told = match offer.kind {
        OfferKind::Handover | OfferKind::Assignment => offer.from,
        OfferKind::Request => Party::Lane(offer.to),
    };
    let subject = format!("lane `{name}` owns issue {issue} now");
    let body =
        format!("The {} {id} was accepted by `{}`; the claim is {}.", offer.kind.word(), ledger.name(by), claim.id);
    acts.tell([told], Some(issue), subject, body);
    let mut words = format!("lane {name} owns issue {issue} ({})", claim.id);
    if !moved.is_empty() {
        let _ = write!(words, "; with it go the holds on {}", moved.join(", "));
    }
    let from = before.map(|claim| ledger.name(claim.lane)).unwrap_or_default();
    for (what, other) in &ended {
        let _ = write!(words, "\nthe hold on {what} has ended: it meets {other}, which lane {from} keeps");
    }
    let mut json = claim_json(ledger, issue, &claim, &words);
    json["reservations_moved"] = json!(moved);
    json["reservations_ended"] = json!(ended.iter().map(|(what, _)| what).collect::<Vec<_>>());
    Ok(acts.done(words, json))
}

/// The lane that is asked says no.
///
/// # Errors
/// When it is not that lane's to answer, or the offer is over.
pub fn decline(ledger: &Ledger<'_>, by: LaneId, id: OfferId, reason: Option<String>) -> Result<Decision, Refusal> {
    if let Some(reason) = &reason {
        check_text("reason", reason, SUMMARY)?;
    }
    let offer = to_answer(ledger, by, id)?;
    let mut acts = Acts::new(ledger);
    acts.answer(offer, OfferOutcome::Declined, reason.clone());
    let told = match offer.kind {
        OfferKind::Handover | OfferKind::Assignment => vec![offer.from],
        OfferKind::Request if offer.from == Party::Lane(offer.to) => vec![offer.from],
        OfferKind::Request => vec![offer.from, Party::Lane(offer.to)],
    };
    let subject = format!("`{}` declined the {} {id} of issue {}", ledger.name(by), offer.kind.word(), offer.issue);
    let body = reason.unwrap_or_else(|| "No reason was given.".to_owned());
    acts.tell(told, Some(offer.issue), subject, body);
    Ok(over(acts, offer, "is declined"))
}

/// Whoever made an offer takes it back; the person may take back any.
///
/// # Errors
/// When somebody else made it, or it is over.
pub fn cancel(ledger: &Ledger<'_>, by: Party, id: OfferId) -> Result<Decision, Refusal> {
    let offer = pending(ledger, id)?;
    if by != Party::Operator && offer.from != by {
        let from = ledger.party(offer.from);
        return Err(Refusal::new(Reason::NotYours, format!("offer {id} was made by `{from}`"))
            .next(format!("`{from}` can take it back; who is asked can decline it")));
    }
    let mut acts = Acts::new(ledger);
    acts.answer(offer, OfferOutcome::Cancelled, None);
    let told = answerer(ledger, offer).map(Party::Lane).into_iter().filter(|party| *party != by);
    let subject = format!("the {} {id} of issue {} was taken back", offer.kind.word(), offer.issue);
    acts.tell(told, Some(offer.issue), subject, format!("`{}` took it back.", ledger.party(by)));
    Ok(over(acts, offer, "is taken back"))
}

fn over(acts: Acts<'_>, offer: &Offer, what: &str) -> Decision {
    let words = format!("the {} {} of issue {} {what}", offer.kind.word(), offer.id, offer.issue);
    let owner = acts.ledger.shared.owner(offer.issue).map(|lane| acts.ledger.name(lane));
    let json = json!({ "done": words, "offer": offer.id.to_string(), "issue": offer.issue.0, "owner": owner });
    acts.done(words, json)
}
