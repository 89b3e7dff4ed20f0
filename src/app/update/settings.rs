//! Settings: the configuration read again, and what commands set.

use std::sync::Arc;

use crate::app::{Effect, Settings, Untrusted, problems};
use crate::base::Report;
use crate::command::split_model;
use crate::domain::{Change, LaneId, LaneKind, Mode, WindowId};

use super::run::{Done, Origin};
use super::step::Step;

/// How the words of the problem begin that a broken file makes.
const BROKEN: &str = "the configuration is broken";

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
    step.state.problems.retain(|p| !p.report.message.starts_with(BROKEN));
    told(step);
    super::spending::warn(step);
}

pub(super) fn misconfigured(step: &mut Step<'_>, report: Report) {
    let report = Report { message: format!("{BROKEN}: {}", report.message), ..report };
    // What was wrong before the file was saved again is wrong no more, or told again.
    step.state.problems.retain(|p| !p.report.message.starts_with(BROKEN));
    // What stands in the file may deny what is allowed now.
    let doubted = step.state.settings.policy.doubted("the configuration is broken, see `problems`");
    step.state.settings.policy = Arc::new(doubted);
    step.problem(
        None,
        report.hint("the settings read before stay in force, and everything but reading asks until it is mended"),
    );
}

/// The settings count from now on; what they leave out is among the problems.
pub(super) fn told(step: &mut Step<'_>) {
    step.state.settings_since = Some(step.env.now);
    say(step, &["configuration", "sandbox", "trust"]);
}

/// The machine was looked at.
pub(super) fn walls_known(step: &mut Step<'_>, lacks: Vec<String>, lines: Vec<String>, door: bool) {
    let known = &mut step.state.settings.walls;
    // Configuration that was read meanwhile knows it already.
    if known.unknown {
        known.known(lacks, lines, door);
        say(step, &["sandbox"]);
    }
}

/// Tells the problems of these kinds as they stand.
fn say(step: &mut Step<'_>, kinds: &[&str]) {
    let rows = problems(step.state, step.env.now);
    for row in rows.into_iter().filter(|row| kinds.contains(&row.kind)) {
        step.activity(None, row.report.message);
    }
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

/// The person does not want what was shown: neither do the hooks count any more that it came instead of.
pub(super) fn declined(step: &mut Step<'_>, window: WindowId, hash: &str) {
    let untrusted = step.state.settings.untrusted.as_ref().filter(|untrusted| untrusted.hash == hash);
    if matches!(untrusted.map(|untrusted| untrusted.what), Some(Untrusted::Config { .. })) {
        step.state.settings.hooks.retain(|hook| !hook.of_project());
    }
    trust_answered(step, Origin::Window(window), hash, "not used");
}

/// One answer is enough: the question closes in every window, and the others are told.
fn trust_answered(step: &mut Step<'_>, origin: Origin, hash: &str, answer: &str) {
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
