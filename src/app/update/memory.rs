//! What is remembered: facts of the project are changes like any other, facts for all projects are kept elsewhere and
//! answered when they are.

use crate::app::{Asker, Effect, FactAsker, FactQuery, TurnToken, report};
use crate::base::Report;
use crate::domain::{
    Author, FactAsk, FactDone, FactFault, FactId, FactScope, LaneId, PromptId, Recall, fact_text, settle_fact,
};

use super::contexts;
use super::run::{Done, Origin, answer_later};
use super::step::Step;

/// A command of the person. `ask` makes what is asked out of the text as it is kept.
pub(super) fn change(
    step: &mut Step<'_>,
    origin: Origin,
    ask: impl FnOnce(String) -> FactAsk,
    text: Option<&str>,
) -> Result<Done, Report> {
    let text = text.map(fact_text).transpose().map_err(|fault| Report::refused(fault.to_string()))?;
    let ask = ask(text.unwrap_or_default());
    match ask.scope() {
        FactScope::Project => {
            let done = here(step, &ask).map_err(|fault| Report::refused(fault.to_string()))?;
            told(step, None, done);
            Ok(Done::Words(done.to_string()))
        }
        FactScope::User => {
            step.then.push(Effect::UserFact(FactAsker::Person(origin.asker()), Box::new(ask)));
            Ok(Done::Later)
        }
    }
}

/// An agent's proposal that the person has allowed.
pub(super) fn propose(
    step: &mut Step<'_>,
    lane: LaneId,
    prompt: PromptId,
    token: TurnToken,
    scope: FactScope,
    text: &str,
) {
    let refuse = |words: String| Effect::Remembered(token, Err(words));
    // Nothing begins any more in a turn that was told to end.
    if step.live(lane).ending {
        return step.now.push(refuse("the prompt was cancelled".to_owned()));
    }
    let text = match fact_text(text) {
        Ok(text) => text,
        Err(fault) => return step.now.push(refuse(fault.to_string())),
    };
    let project = step.state.settings.project.name.clone();
    let author = Author::Agent { project, lane: step.state.model.name(lane), prompt };
    let ask = FactAsk::Keep { scope, text, author };
    match scope {
        FactScope::Project => match here(step, &ask) {
            Ok(done) => {
                told(step, Some(lane), done);
                step.then.push(Effect::Remembered(token, Ok(done.to_string())));
            }
            Err(fault) => step.now.push(refuse(fault.to_string())),
        },
        FactScope::User => step.then.push(Effect::UserFact(FactAsker::Turn(token), Box::new(ask))),
    }
}

/// Settles a request about the project's facts.
fn here(step: &mut Step<'_>, ask: &FactAsk) -> Result<FactDone, FactFault> {
    let model = &step.state.model;
    let (done, change) = settle_fact(model.facts.values(), model.last_ids.fact, ask, step.env.now)?;
    match change {
        Some(change) => step.change(change),
        // It was so already; what made it so may not be kept yet.
        None => step.in_order = true,
    }
    Ok(done)
}

/// What is remembered for all projects has changed, or not: whoever waits is told.
pub(super) fn settled(step: &mut Step<'_>, asker: FactAsker, done: Result<FactDone, Report>) {
    if let Ok(done) = &done {
        told(step, None, *done);
    }
    match asker {
        FactAsker::Turn(token) => {
            let words = done.map(|done| done.to_string()).map_err(|report| report.message);
            step.now.push(Effect::Remembered(token, words));
        }
        FactAsker::Person(asker) => {
            answer_later(step, Some(Origin::of(asker)), done.map(|done| done.to_string()));
        }
    }
}

fn told(step: &mut Step<'_>, lane: Option<LaneId>, done: FactDone) {
    if !matches!(done, FactDone::Known(_)) {
        step.activity(lane, done.to_string());
    }
}

/// Facts are there that were asked for. Those of the project are told as they are now.
pub(super) fn found(step: &mut Step<'_>, asker: Asker, query: &FactQuery, found: Result<Recall, Report>) {
    let document = found.map(|mut recall| {
        let facts = &step.state.model.facts;
        let of_user = |id: &FactId| id.scope == FactScope::User;
        match query {
            FactQuery::All(Some(FactScope::User)) => {}
            FactQuery::All(scope) => {
                recall.facts.retain(|fact| scope.is_none() && of_user(&fact.id));
                recall.facts.splice(0..0, facts.values().cloned());
            }
            FactQuery::Fitting(_) => recall.facts.retain(|fact| of_user(&fact.id) || facts.contains_key(&fact.id)),
        }
        report::facts_document(query, &recall, step.env.now)
    });
    contexts::tell(step, asker, document);
}
