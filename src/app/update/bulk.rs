//! The same done to several lanes: a plan first, then, once it is confirmed, lane by lane.
//!
//! A shell is only told the plan: it asks its person, and then gives the command for each lane, so that exactly the
//! lanes are meant that were shown. A window asks in a dialog.

use crate::app::select::Plan;
use crate::app::window::{Confirm, Overlay};
use crate::base::Report;
use crate::command::{BulkDeed, Selector};

use super::run::{self, Done, Origin};
use super::step::Step;

pub(super) fn run(
    step: &mut Step<'_>,
    origin: Origin,
    select: &Selector,
    deed: BulkDeed,
    yes: bool,
) -> Result<Done, Report> {
    if let BulkDeed::Prompt { text } = &deed {
        super::prompts::check_text(text)?;
    }
    known_provider(step, select)?;
    let plan = Plan::new(step.state, select, deed);
    let Origin::Window(window) = origin else { return Ok(Done::Document(plan.document())) };
    if plan.lanes.is_empty() {
        return Err(Report::refused(plan.words()).hint("`/lane list` shows every lane and its state"));
    }
    if yes {
        return each(step, origin, &plan);
    }
    if let Some(window) = step.state.windows.get_mut(&window) {
        window.open(Overlay::Confirm(Confirm::Bulk(plan)));
    }
    Ok(Done::Quietly)
}

/// Does it to each. One that is refused keeps none of the others back.
fn each(step: &mut Step<'_>, origin: Origin, plan: &Plan) -> Result<Done, Report> {
    let (mut done, mut refused) = (0_usize, Vec::new());
    for lane in &plan.lanes {
        match run::run(step, origin, plan.deed.of(lane)) {
            Ok(_) => done += 1,
            Err(report) => refused.push(report),
        }
    }
    if refused.is_empty() {
        return Ok(Done::Words(plan.words()));
    }
    let words: Vec<String> = refused.iter().map(|report| report.message.clone()).collect();
    let of = plan.lanes.len();
    Err(Report::refused(format!("{}: {done} of {of} done; {}", plan.deed.verb(), words.join("; "))))
}

fn known_provider(step: &Step<'_>, select: &Selector) -> Result<(), Report> {
    let Some(name) = &select.provider else { return Ok(()) };
    let names = || step.state.settings.providers.iter().map(|provider| provider.name.as_str());
    if names().any(|known| known == name) {
        return Ok(());
    }
    let report = Report::refused(format!("there is no provider `{name}`"));
    Err(match crate::base::nearest(name, names()) {
        Some(near) => report.hint(format!("did you mean `{near}`?")),
        None => report.hint("`paralane config` lists those of the configuration"),
    })
}
