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
    let about = |words: &str| [BROKEN, UNTRUSTED, UNCOUNTED].iter().any(|begin| words.starts_with(begin));
    step.state.problems.retain(|p| !about(&p.report.message));
    tell(step);
}

pub(super) fn misconfigured(step: &mut Step<'_>, report: Report) {
    let report = Report { message: format!("{BROKEN}: {}", report.message), ..report };
    step.problem(None, report.hint("the settings read before stay in force"));
}

const UNTRUSTED: &str = "the project's configuration is not trusted";

/// How the words of a notice begin.
const UNCOUNTED: &str = "a value does not count";

/// Says that the project's configuration waits for trust, and which values do not count.
pub(super) fn tell(step: &mut Step<'_>) {
    for notice in step.state.settings.notices.clone() {
        let report = Report { message: format!("{UNCOUNTED}: {}", notice.message), ..notice };
        step.problem(None, report);
    }
    let Some(untrusted) = &step.state.settings.untrusted else { return };
    let words = format!("{UNTRUSTED} and is not used: `{}`", untrusted.path.display());
    step.problem(
        None,
        Report::refused(words)
            .hint("`/trust` shows it in full and asks; `paralane trust` in a shell prints it and trusts it"),
    );
}
