//! Who waits for mail (`mail wait`, the tool `wait`): answered when something is unread, or when the time is over.
//!
//! A wait is one entry here and holds nothing else: no thread, no connection to the store. It is looked at after each
//! message, as everything else is.

use jiff::{SignedDuration, Timestamp};

use crate::app::errand::{Errand, Goal, Quest};
use crate::app::report::{self, Document};
use crate::app::{Effect, RequestId};
use crate::base::Report;
use crate::domain::{LaneStage, MailFilter, MailQuery, Party};
use crate::protocol::Reply;

use super::run::{Done, Json, Origin};
use super::step::Step;

/// Waits that one party may have at once.
const AT_ONCE: usize = 8;

/// Somebody who waits for mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::app) struct MailWait {
    party: Party,
    json: Json,
    seconds: u32,
    until: Timestamp,
    limit: usize,
}

impl MailWait {
    /// When it gives up.
    pub const fn until(&self) -> Timestamp {
        self.until
    }
}

/// Begins a wait. One that has something to show already ends with the message that it came in.
pub(super) fn begin(
    step: &mut Step<'_>,
    origin: Origin,
    party: Party,
    seconds: u32,
    limit: usize,
) -> Result<Done, Report> {
    let Origin::Request(id, json) = origin else {
        return Err(
            Report::usage("a window does not wait: new mail shows by itself").hint("`Ctrl-G m` shows your mail")
        );
    };
    if step.state.mail_waits.values().filter(|wait| wait.party == party).count() >= AT_ONCE {
        let name = step.state.model.party(party);
        return Err(Report::refused(format!("`{name}` waits for mail {AT_ONCE} times already"))
            .hint("let one of these end first"));
    }
    let now = step.env.now;
    let until = now.checked_add(SignedDuration::from_secs(i64::from(seconds))).unwrap_or(Timestamp::MAX);
    step.state.mail_waits.insert(id, MailWait { party, json, seconds, until, limit });
    Ok(Done::Later)
}

/// Answers every wait that is over.
pub(super) fn settle(step: &mut Step<'_>) {
    let now = step.env.now;
    let over = |step: &Step<'_>, wait: &MailWait| {
        step.state.model.shared.mail.unread(wait.party) > 0 || wait.until <= now || gone(step, wait.party)
    };
    let due: Vec<RequestId> =
        step.state.mail_waits.iter().filter(|(_, wait)| over(step, wait)).map(|(id, _)| *id).collect();
    for id in due {
        if let Some(wait) = step.state.mail_waits.remove(&id) {
            answer(step, id, &wait);
        }
    }
}

/// Whether the lane is closed.
fn gone(step: &Step<'_>, party: Party) -> bool {
    let stage = |lane| step.state.model.lanes.get(&lane).map(|lane| lane.stage);
    party.lane().is_some_and(|lane| stage(lane).is_none_or(|stage| stage == LaneStage::Closed))
}

fn answer(step: &mut Step<'_>, id: RequestId, wait: &MailWait) {
    if gone(step, wait.party) {
        let name = step.state.model.party(wait.party);
        let report = Report::refused(format!("lane `{name}` was closed: nobody waits for its mail any more"));
        step.then.push(Effect::Reply(id, Reply::failed(report)));
        return;
    }
    if step.state.model.shared.mail.unread(wait.party) == 0 {
        let text = format!("no mail came within {} s", wait.seconds);
        let json = serde_json::json!({ "messages": [], "more": false, "timed_out": true });
        let document = Document { title: "mail".into(), json, text };
        let output = report::render(&document, wait.json == Json::Yes);
        step.then.push(Effect::Reply(id, Reply { output, error: None, status: 1 }));
        return;
    }
    let query =
        MailQuery::List { party: Some(wait.party), filter: MailFilter::Unread, before: None, limit: wait.limit };
    let asker = Origin::Request(id, wait.json).asker();
    let errand = Errand { asker, quest: Quest::Mail(query.clone()), goal: Goal::Show(wait.party, query) };
    // What it is to find may not be kept yet.
    step.in_order = true;
    step.then.push(Effect::Errand(Box::new(errand)));
}
