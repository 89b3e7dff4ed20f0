//! Commands from a shell that wait for a prompt's end (`prompt --wait`).

use jiff::Timestamp;

use crate::app::report;
use crate::app::{Effect, RequestId};
use crate::base::Report;
use crate::domain::{PromptId, PromptState};
use crate::protocol::Reply;

use super::step::Step;

/// One waiting command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiter {
    /// The prompt it waits for.
    pub prompt: PromptId,
    /// Whether the answer is to be JSON.
    pub json: bool,
    /// When it gives up.
    pub until: Option<Timestamp>,
    /// Whether an approval ends the wait.
    pub fail_on_approval: bool,
}

/// Tells those whose prompt was not kept. Its id may be given to another prompt next.
pub(super) fn not_kept(step: &mut Step<'_>, report: &Report) {
    let model = &step.state.model;
    let lost: Vec<RequestId> =
        step.state.waiting.iter().filter(|(_, w)| !model.prompts.contains_key(&w.prompt)).map(|(id, _)| *id).collect();
    for id in lost {
        step.state.waiting.remove(&id);
        step.now.push(Effect::Reply(id, Reply::failed(report.clone())));
    }
}

/// Answers every waiting command whose time has come.
pub(super) fn settle(step: &mut Step<'_>) {
    let mut due: Vec<(RequestId, Reply)> = Vec::new();
    for (id, waiter) in &step.state.waiting {
        let Some(prompt) = step.state.model.prompts.get(&waiter.prompt) else {
            let words = format!("prompt {} is not known any more", waiter.prompt);
            due.push((*id, Reply::failed(Report::internal(words).hint("`paralane queue list --all` shows all"))));
            continue;
        };
        let document = report::prompt_document(&step.state.model, prompt);
        let reply = |status: u8, report: Option<Report>| Reply {
            output: report::render(&document, waiter.json),
            error: report,
            status,
        };
        let asks = step.state.model.pending_approvals().find(|a| a.prompt == Some(prompt.id));
        match prompt.state {
            PromptState::Done => due.push((*id, reply(0, None))),
            PromptState::Failed | PromptState::Cancelled => due.push((*id, reply(1, None))),
            PromptState::Interrupted | PromptState::Unconfirmed => {
                let words = format!("prompt {} is {}", prompt.id, prompt.state.word());
                let hint = format!("run `paralane retry {}` to run it again", prompt.id);
                due.push((*id, reply(1, Some(Report::refused(words).hint(hint)))));
            }
            _ => {
                if let Some(approval) = asks.filter(|_| waiter.fail_on_approval) {
                    let words = format!("prompt {} waits for approval {}", prompt.id, approval.id);
                    let hint = format!("run `paralane approve {0}` or `paralane deny {0}`", approval.id);
                    due.push((*id, reply(1, Some(Report::refused(words).hint(hint)))));
                } else if waiter.until.is_some_and(|at| at <= step.env.now) {
                    let words =
                        format!("prompt {} is still {}: the time given has passed", prompt.id, prompt.state.word());
                    let before = step.state.model.queue(prompt.lane).into_iter().find(|p| p.state.needs_person());
                    let hint = match before {
                        Some(first) => format!(
                            "{0} before it is {1}: `paralane retry {0}` or `paralane cancel {0}`",
                            first.id,
                            first.state.word(),
                        ),
                        None => "it is kept and goes on by itself".to_owned(),
                    };
                    due.push((*id, reply(1, Some(Report::refused(words).hint(hint)))));
                }
            }
        }
    }
    for (id, reply) in due {
        step.state.waiting.remove(&id);
        step.then.push(Effect::Reply(id, reply));
    }
}
