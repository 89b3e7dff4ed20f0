//! Settings: the configuration read again, and what commands set.

use crate::app::{Effect, Settings, Untrusted};
use crate::base::Report;
use crate::command::split_model;
use crate::domain::{Change, LaneId, LaneKind, Mode, WindowId};

use super::run::{Done, Origin};
use super::step::Step;

/// How the words of the problems begin that the configuration makes.
const BROKEN: &str = "the configuration is broken";
const UNTRUSTED: &str = "the project's configuration is not trusted";
const UNTRUSTED_FILE: &str = "a hook does not run because its file is not trusted";
const UNCOUNTED: &str = "a value does not count";
const WALLS: &str = "this machine lacks walls";

pub(super) fn configured(step: &mut Step<'_>, mut new: Settings) {
    // What the base checkout stands on is told by git, not by a file.
    let base = step.state.settings.project.base.clone();
    if matches!(new.untrusted.as_ref().map(|untrusted| untrusted.what), Some(Untrusted::Config { .. })) {
        // A guard does not go because somebody has changed the file that sets it up: the trusted ones stay in force
        // until the person has decided.
        new.hooks.extend(step.state.settings.hooks.iter().filter(|hook| hook.of_project()).cloned());
    }
    step.state.settings = new;
    step.state.recolour(None);
    step.state.settings.project.base = base;
    let all = [BROKEN, UNTRUSTED, UNTRUSTED_FILE, UNCOUNTED, WALLS];
    let about = |words: &str| all.iter().any(|begin| words.starts_with(begin));
    step.state.problems.retain(|p| !about(&p.report.message));
    tell(step);
    super::spending::warn(step);
}

pub(super) fn misconfigured(step: &mut Step<'_>, report: Report) {
    let report = Report { message: format!("{BROKEN}: {}", report.message), ..report };
    step.problem(None, report.hint("the settings read before stay in force"));
}

/// Says that the project's configuration waits for trust, and which values do not count.
pub(super) fn tell(step: &mut Step<'_>) {
    for notice in step.state.settings.notices.clone() {
        let report = Report { message: format!("{UNCOUNTED}: {}", notice.message), ..notice };
        step.problem(None, report);
    }
    walls(step);
    let Some(untrusted) = &step.state.settings.untrusted else { return };
    let path = untrusted.path.display();
    let words = match untrusted.what {
        Untrusted::Config { .. } => format!("{UNTRUSTED} and is not used: `{path}`"),
        Untrusted::HookFiles => format!("{UNTRUSTED_FILE}: `{path}`; what the hook guards does not go on"),
    };
    step.problem(
        None,
        Report::refused(words)
            .hint("`/trust` shows it in full and asks; `paralane trust` in a shell prints it and trusts it"),
    );
}

/// Says what this machine lacks to keep commands in their lanes.
fn walls(step: &mut Step<'_>) {
    let walls = &step.state.settings.walls;
    if !walls.on || walls.lacks.is_empty() {
        return;
    }
    let follows =
        if walls.required { "own agents run no command" } else { "own agents' commands are confined in part" };
    let report = Report::refused(format!("{WALLS}, so {follows}: {}", walls.lacks.join("; ")));
    step.problem(None, report.hint("`paralane doctor` shows what there is"));
}

/// Sets the mode of a lane, or of every lane without its own.
///
/// # Errors
/// When a policy forbids the mode.
pub(super) fn set_mode(step: &mut Step<'_>, mode: Mode, lane: Option<LaneId>) -> Result<String, Report> {
    if let Some(place) = step.state.settings.policy.never_full().filter(|_| mode == Mode::Full) {
        return Err(Report::refused(format!("the mode `full` is forbidden by `policy.full` ({place})"))
            .hint("`auto-edit` is the freest mode here"));
    }
    if let Some(lane) = lane {
        step.change(Change::LaneModeSet { lane, mode: Some(mode) });
        Ok(format!("lane {} is in mode {}", step.state.model.name(lane), mode.word()))
    } else {
        step.change(Change::ModeSet { mode });
        Ok(format!("mode {} for every lane without its own", mode.word()))
    }
}

/// Sets the mode of a lane, or of every lane without its own.
/// Sets the model of a lane, or of every lane without its own.
pub(super) fn set_model(step: &mut Step<'_>, text: &str, lane: Option<LaneId>) -> Result<String, Report> {
    let names: Vec<&str> = step.state.settings.providers.iter().map(|p| p.name.as_str()).collect();
    let (provider, model) = split_model(text, &names);
    let provider = provider.map(str::to_owned);
    let model = model.to_owned();
    if let Some(lane) = lane {
        let kind = step.state.model.lanes.get(&lane).map(|l| l.kind.clone());
        let Some(LaneKind::Agent { provider: old, .. }) = kind else {
            let name = step.state.model.name(lane);
            return Err(Report::refused(format!("lane `{name}` runs a program, not our agent")));
        };
        let kind = LaneKind::Agent { provider: provider.or(old), model: Some(model.clone()) };
        step.change(Change::LaneKindSet { lane, kind });
        return Ok(format!("lane {} uses {model} from its next turn on", step.state.model.name(lane)));
    }
    let now = || step.state.default_provider().map(|(provider, _)| provider);
    let Some(provider) = provider.or_else(now) else {
        return Err(Report::refused("no model server is configured")
            .hint("name one under `[providers.NAME]` in the configuration"));
    };
    step.change(Change::ModelSet { provider: provider.clone(), model: model.clone() });
    Ok(format!("{provider}/{model} for every lane without its own, from the next turn on"))
}

/// Chooses a theme and has it written into the person's own file.
pub(super) fn set_theme(step: &mut Step<'_>, name: &str) -> Result<String, Report> {
    if !step.state.settings.themes.iter().any(|t| t == name) {
        return Err(Report::refused(format!("there is no theme `{name}`"))
            .hint(format!("themes: {}", step.state.settings.themes.join(", "))));
    }
    name.clone_into(&mut step.state.settings.theme);
    step.state.settings.theme_chosen = true;
    step.state.recolour(None);
    step.now.push(Effect::SaveTheme(name.to_owned()));
    Ok(format!("theme {name}"))
}

/// Trusts what a window has shown. Only what is shown now can be trusted: a file that changed meanwhile asks again.
pub(super) fn trust_shown(step: &mut Step<'_>, window: WindowId, hash: &str) {
    let current = step.state.settings.untrusted.as_ref().filter(|u| u.hash == hash).map(|u| u.marks.clone());
    let Some(marks) = current else { return };
    for hash in marks {
        step.change(Change::ConfigTrusted { hash });
    }
    step.then.push(Effect::ReadConfig);
    trust_answered(step, Origin::Window(window), hash, "trusted");
}

/// One answer is enough: the question closes in every window, and the others are told.
pub(super) fn trust_answered(step: &mut Step<'_>, origin: Origin, hash: &str, answer: &str) {
    let who = origin.answerer(step.state).words;
    let now = step.env.now;
    for (id, window) in &mut step.state.windows {
        if origin != Origin::Window(*id) && window.close_trust(hash) {
            let report = Report::done(format!("the project's configuration is {answer}: answered by {who}"));
            window.toast(report.hint("`/trust` shows it as long as it is not trusted"), now);
        }
    }
}

/// Trusts the project's configuration: a window asks first, a shell has asked by the command.
pub(super) fn trust(step: &mut Step<'_>, origin: Origin) -> Result<Done, Report> {
    let Some(untrusted) = step.state.settings.untrusted.clone() else {
        return Err(Report::refused("nothing of the project waits for trust"));
    };
    match origin {
        Origin::Window(id) => {
            if let Some(window) = step.state.windows.get_mut(&id) {
                window.ask_trust(&untrusted);
            }
            Ok(Done::Quietly)
        }
        Origin::Request(..) => {
            trust_answered(step, origin, &untrusted.hash, "trusted");
            for hash in untrusted.marks {
                step.change(Change::ConfigTrusted { hash });
            }
            step.then.push(Effect::ReadConfig);
            let shown = crate::base::visible(&untrusted.content);
            Ok(Done::Words(format!("trusted from now on, as it stands now:\n\n{shown}")))
        }
    }
}
