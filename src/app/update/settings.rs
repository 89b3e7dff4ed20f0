//! Configuration read again.

use crate::app::Settings;
use crate::base::Report;

use super::step::Step;

const BROKEN: &str = "the configuration is broken";

pub(super) fn configured(step: &mut Step<'_>, new: Settings) {
    // What the base checkout stands on is told by git, not by a file.
    let base = step.state.settings.project.base.clone();
    step.state.settings = new;
    step.state.settings.project.base = base;
    step.state.problems.retain(|p| !p.report.message.starts_with(BROKEN) && !p.report.message.starts_with(UNTRUSTED));
    untrusted(step);
}

pub(super) fn misconfigured(step: &mut Step<'_>, report: Report) {
    let report = Report { message: format!("{BROKEN}: {}", report.message), ..report };
    step.problem(None, report.hint("the settings read before stay in force"));
}

const UNTRUSTED: &str = "the project's configuration is not trusted";

/// Says that the project's configuration waits for trust.
pub(super) fn untrusted(step: &mut Step<'_>) {
    let Some(untrusted) = &step.state.settings.untrusted else { return };
    let words = format!("{UNTRUSTED} and is not used: `{}`", untrusted.path.display());
    step.problem(None, Report::refused(words).hint("`/trust` shows it in full and asks"));
}
