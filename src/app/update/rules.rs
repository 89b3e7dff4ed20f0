//! Rules: added and removed by command, in the configuration's files and for single lanes.

use crate::app::lane_policy;
use crate::app::{Asker, Effect, RuleEdit, RulesEdited, Standing};
use crate::base::Report;
use crate::config::{Layer, Origin as Place};
use crate::domain::{Change, LaneId, RuleText};
use crate::policy::{Rule, RuleEffect};

use super::run::{self, Done, Origin};
use super::step::Step;

/// Rules that one lane may have of its own.
const LANE_RULES: usize = 200;

type Fault = (&'static str, String, String);

fn cannot_add((key, message, hint): Fault) -> Report {
    Report::refused(format!("cannot add the rule: `{key}` {message}")).hint(hint)
}

/// Has a rule written into a file, once it is known to be one.
pub(super) fn add(step: &mut Step<'_>, origin: Origin, rule: RuleText, project: bool) -> Result<Done, Report> {
    let ready = Rule::new(&rule.effect, &rule.tool, &rule.matches, rule.reason.clone(), Place::BuiltIn);
    ready.and_then(|ready| ready.confirmed(rule.two.then_some(2))).map_err(cannot_add)?;
    edit(step, origin, RuleEdit { project, rule, remove: None })
}

/// Whether a new lane may have these rules of its own.
pub(super) fn check_own(rules: &[RuleText]) -> Result<(), Report> {
    if rules.len() > LANE_RULES {
        return Err(Report::refused(format!(
            "a lane may have {LANE_RULES} rules of its own, and these are {}",
            rules.len()
        ))
        .hint("what holds for all lanes belongs into the configuration"));
    }
    rules.iter().enumerate().try_for_each(|(at, rule)| own("the new lane", at + 1, rule).map(drop))
}

/// A lane's own rule, ready for use.
fn own(lane: &str, number: usize, rule: &RuleText) -> Result<Rule, Report> {
    let ready = lane_policy::rule(lane, number, rule).map_err(|(key, message, hint)| {
        Report::refused(format!("cannot add rule {number} of {lane}: `{key}` {message}")).hint(hint)
    })?;
    if ready.effect == RuleEffect::Allow {
        let words = format!(
            "cannot add rule {number} of {lane}, `{}`: a lane's own rules may tighten what holds, never loosen it",
            ready.shown()
        );
        return Err(Report::refused(words)
            .hint("`deny` and `ask` can be a lane's own; `policy add allow …` without `--lane` holds for all"));
    }
    Ok(ready)
}

/// Gives a lane a rule of its own.
pub(super) fn add_to_lane(step: &mut Step<'_>, lane: LaneId, rule: RuleText) -> Result<String, Report> {
    let name = step.state.model.name(lane);
    let mut rules = step.state.model.lane_rules.get(&lane).cloned().unwrap_or_default();
    let ready = own(&name, rules.len() + 1, &rule)?;
    if rules.contains(&rule) {
        return Err(Report::refused(format!("lane {name} has that rule already"))
            .hint(format!("`policy show --lane {name}` lists them")));
    }
    if rules.len() >= LANE_RULES {
        return Err(Report::refused(format!("lane {name} has {LANE_RULES} rules, and no more fit"))
            .hint(format!("`policy remove NUMBER --lane {name}` makes room")));
    }
    let words = format!("{}: added to lane {name}", ready.shown());
    rules.push(rule);
    step.change(Change::LaneRulesSet { lane, rules });
    step.activity(Some(lane), words.clone());
    Ok(words)
}

/// Removes a rule: from the file in which it stands, or from the lane whose own it is.
pub(super) fn remove(step: &mut Step<'_>, origin: Origin, number: usize, lane: Option<LaneId>) -> Result<Done, Report> {
    let rules = step.state.policy(lane).rules();
    let Some(rule) = number.checked_sub(1).and_then(|at| rules.get(at)) else {
        return Err(Report::refused(format!("there is no rule {number}")).hint("`policy show` lists them"));
    };
    let (file, line, project) = match (&rule.origin, lane) {
        (Place::Lane { number, .. }, Some(lane)) => {
            let (at, shown) = (number - 1, rule.shown());
            let mut rules = step.state.model.lane_rules.get(&lane).cloned().unwrap_or_default();
            if at < rules.len() {
                rules.remove(at);
            }
            let words = format!("{shown}: removed from lane {}", step.state.model.name(lane));
            step.change(Change::LaneRulesSet { lane, rules });
            step.activity(Some(lane), words.clone());
            return Ok(Done::Words(words));
        }
        (origin, Some(lane)) => {
            let name = step.state.model.name(lane);
            return Err(Report::refused(format!("rule {number} is not one of lane {name}'s own: {origin}"))
                .hint(format!("`policy show --lane {name}` numbers them; without `--lane` it goes for every lane")));
        }
        (Place::File { layer: Layer::User, file, line }, _) => (file, *line, false),
        (Place::File { layer: Layer::Project, file, line }, _) => (file, *line, true),
        (Place::File { .. } | Place::Lane { .. } | Place::BuiltIn, _) => {
            return Err(Report::refused(format!("rule {number} is not yours to remove: {}", rule.origin))
                .hint("the machine's administrator sets it"));
        }
    };
    let text = text_of(rule);
    // Rules may say the very same: it is this one that goes.
    let before = |other: &&Rule| {
        matches!(&other.origin, Place::File { file: f, line: l, .. } if f == file && *l < line)
            && text_of(other) == text
            && other.listed == rule.listed
    };
    let nth = rules.iter().filter(before).count();
    edit(step, origin, RuleEdit { project, rule: text, remove: Some(Standing { nth, listed: rule.listed, line }) })
}

fn text_of(rule: &Rule) -> RuleText {
    RuleText {
        effect: rule.effect.word().to_owned(),
        tool: rule.tool.clone(),
        matches: rule.matches.clone(),
        reason: rule.reason.clone(),
        two: rule.two,
    }
}

fn edit(step: &mut Step<'_>, origin: Origin, edit: RuleEdit) -> Result<Done, Report> {
    if edit.project && step.state.settings.untrusted.is_some() {
        return Err(Report::refused("the project's configuration is not trusted, so it is not changed")
            .hint("`trust` shows it and asks; then try again"));
    }
    step.now.push(Effect::EditRules(origin.asker(), Box::new(edit)));
    Ok(Done::Later)
}

/// The file is written, or not: whoever asked is told.
pub(super) fn edited(step: &mut Step<'_>, asker: Asker, result: Result<RulesEdited, Report>) {
    let words = result.map(|edited| {
        if let Some(hash) = edited.trust {
            step.change(Change::ConfigTrusted { hash });
        }
        step.then.push(Effect::ReadConfig);
        let RuleText { effect, tool, matches, .. } = edited.edit.rule;
        let (done, line) = match edited.edit.remove {
            Some(standing) => ("removed from", format!(":{}", standing.line)),
            None => ("added to", String::new()),
        };
        format!("{effect} {tool} {matches}: {done} {}{line}", edited.file)
    });
    run::answer_later(step, Some(Origin::of(asker)), words);
}
