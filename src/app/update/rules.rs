//! Rules of the configuration: added and removed by command.

use crate::app::{Asker, Effect, RuleEdit, RulesEdited, report};
use crate::base::Report;
use crate::config::{Layer, NewRule, Origin as Place};
use crate::domain::Change;
use crate::policy::Rule;
use crate::protocol::Reply;

use super::run::{Done, Json, Origin};
use super::step::Step;

/// Has a rule written into a file, once it is known to be one.
pub(super) fn add(step: &mut Step<'_>, origin: Origin, rule: NewRule, project: bool) -> Result<Done, Report> {
    Rule::new(&rule.effect, &rule.tool, &rule.matches, rule.reason.clone(), Place::BuiltIn).map_err(
        |(key, message, hint)| Report::refused(format!("cannot add the rule: `{key}` {message}")).hint(hint),
    )?;
    edit(step, origin, RuleEdit { project, rule, remove: false })
}

/// Has a rule removed from the file in which it stands.
pub(super) fn remove(step: &mut Step<'_>, origin: Origin, number: usize) -> Result<Done, Report> {
    let rules = step.state.settings.policy.rules();
    let Some(rule) = number.checked_sub(1).and_then(|at| rules.get(at)) else {
        return Err(Report::refused(format!("there is no rule {number}")).hint("`policy show` lists them"));
    };
    let project = match rule.layer() {
        Some(Layer::User) => false,
        Some(Layer::Project) => true,
        Some(Layer::Managed) | None => {
            return Err(Report::refused(format!("rule {number} is not yours to remove: {}", rule.origin))
                .hint("the machine's administrator sets it"));
        }
    };
    let rule = NewRule {
        effect: rule.effect.word().to_owned(),
        tool: rule.tool.clone(),
        matches: rule.matches.clone(),
        reason: rule.reason.clone(),
    };
    edit(step, origin, RuleEdit { project, rule, remove: true })
}

fn edit(step: &mut Step<'_>, origin: Origin, edit: RuleEdit) -> Result<Done, Report> {
    if edit.project && step.state.settings.untrusted.is_some() {
        return Err(Report::refused("the project's configuration is not trusted, so it is not changed")
            .hint("`trust` shows it and asks; then try again"));
    }
    let asker = match origin {
        Origin::Window(window) => Asker::Window(window),
        Origin::Request(id, json) => Asker::Shell { id, json: json == Json::Yes },
    };
    step.now.push(Effect::EditRules(asker, Box::new(edit)));
    Ok(Done::Later)
}

/// The file is written, or not: whoever asked is told.
pub(super) fn edited(step: &mut Step<'_>, asker: Asker, result: Result<RulesEdited, Report>) {
    let words = result.map(|edited| {
        if let Some(hash) = edited.trust {
            step.change(Change::ConfigTrusted { hash });
        }
        step.then.push(Effect::ReadConfig);
        let NewRule { effect, tool, matches, .. } = edited.edit.rule;
        let done = if edited.edit.remove { "removed from" } else { "added to" };
        format!("{effect} {tool} {matches}: {done} {}", edited.file)
    });
    match (asker, words) {
        (Asker::Window(window), Ok(words)) => step.toast(window, Report::done(words)),
        (Asker::Window(window), Err(report)) => step.toast(window, report),
        (Asker::Shell { id, json }, Ok(words)) => {
            let document =
                report::Document { title: "done".into(), json: serde_json::json!({ "done": words }), text: words };
            step.then.push(Effect::Reply(id, Reply::done(report::render(&document, json))));
        }
        (Asker::Shell { id, .. }, Err(report)) => step.then.push(Effect::Reply(id, Reply::failed(report))),
    }
}
