//! History asked for and found: it stands in the store only.

use crate::app::{Effect, report};
use crate::base::Report;
use crate::command::{HistoryTarget, Since};
use crate::domain::{History, HistoryOf, HistoryQuery, WindowId};

use super::run::{Done, Origin};
use super::step::Step;
use super::{Asker, contexts, find};

/// Asks for a piece of history.
pub(super) fn ask(
    step: &mut Step<'_>,
    origin: Origin,
    window: Option<WindowId>,
    of: HistoryTarget,
    chosen: (Option<String>, Option<Since>, usize),
) -> Result<Done, Report> {
    let of = match of {
        HistoryTarget::Lane(Some(name)) => HistoryOf::Lane(find::any_lane(step.state, window, &name)?),
        HistoryTarget::Lane(None) => HistoryOf::Lane(find::lane(step.state, window, None)?),
        // Prompts that memory has let go of are still in history.
        HistoryTarget::Prompt(prompt) if prompt.0 <= step.state.model.last_ids.prompt => HistoryOf::Prompt(prompt),
        HistoryTarget::Issue(issue) if step.state.model.shared.issues.contains_key(&issue) => HistoryOf::Issue(issue),
        HistoryTarget::Issue(issue) => {
            return Err(Report::refused(format!("issue {issue} is not known"))
                .hint("`paralane issue list --all` shows those known"));
        }
        HistoryTarget::Claim(claim) if claim.0 <= step.state.model.shared.last.claim => HistoryOf::Claim(claim),
        HistoryTarget::Claim(claim) => {
            return Err(Report::refused(format!("there is no claim {claim}"))
                .hint("`paralane issue list` shows the claims in force, `paralane history issue N` earlier ones"));
        }
        HistoryTarget::Prompt(prompt) => return Err(find::no_prompt(step.state, prompt)),
    };
    let (kind, since, limit) = chosen;
    let query = HistoryQuery { of, kind, since: since.map(|since| since.resolve(step.env.now)), limit };
    step.now.push(Effect::History(origin.asker(), query));
    Ok(Done::Later)
}

/// It is there: whoever asked is told.
pub(super) fn found(step: &mut Step<'_>, asker: Asker, query: &HistoryQuery, found: Result<History, Report>) {
    let document = found.map(|history| report::history_document(&step.state.model, query, &history));
    contexts::tell(step, asker, document);
}
