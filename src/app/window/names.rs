//! The names that exist now, for completion.

use crate::app::State;
use crate::command::{Name, Names};
use crate::domain::{Cli, LaneStage};

/// Paths offered at most; they come from what lanes have changed.
const PATHS: usize = 500;

/// Everything that can be named on a line; paths only where the line may want them.
pub(super) fn names(state: &State, line: &str) -> Names {
    let model = &state.model;
    let name = |text: String, about: String| Name { text, about };
    let lanes =
        model.open_lanes().map(|l| name(l.name.to_string(), state.lane_state(l.id).word().to_owned())).collect();
    let closed = model.lanes.values().filter(|l| l.stage == LaneStage::Closed);
    let prompts = model.prompts.values().rev().take(PATHS).map(|p| {
        let text = crate::base::one_line(&p.text);
        name(p.id.to_string(), format!("{} · {} · {text}", model.name(p.lane), p.state.word()))
    });
    let approvals = state.pending_approvals().map(|a| {
        name(a.id.to_string(), format!("{} · {} {}", model.name(a.lane), a.tool, crate::base::one_line(&a.action)))
    });
    let conflicts =
        model.open_conflicts().map(|c| name(c.id.to_string(), format!("{} with {}", model.name(c.lane), model.met(c))));
    let shared = &model.shared;
    let issues = shared.issues.values().rev().take(PATHS).map(|issue| {
        let owner = issue.owner().map_or_else(|| "nobody's".to_owned(), |lane| model.name(lane));
        let title = shared.title(issue.id).unwrap_or_default();
        name(issue.id.0.to_string(), format!("{owner} · {title}"))
    });
    let offers = shared.offers.values().map(|offer| {
        name(offer.id.to_string(), format!("{} of {} to {}", offer.kind.word(), offer.issue, model.name(offer.to)))
    });
    let messages = shared.mail.recent.iter().rev().map(|mail| name(mail.id.to_string(), mail.subject.clone()));
    let providers = &state.settings.providers;
    Names {
        lanes,
        closed_lanes: closed.map(|l| name(l.name.to_string(), "closed".to_owned())).collect(),
        prompts: prompts.collect(),
        approvals: approvals.collect(),
        conflicts: conflicts.collect(),
        issues: issues.collect(),
        offers: offers.collect(),
        messages: messages.collect(),
        themes: state.settings.themes.iter().map(|t| name(t.clone(), String::new())).collect(),
        clis: clis(state),
        providers: providers.iter().map(|p| name(p.name.clone(), p.model.clone())).collect(),
        models: providers.iter().map(|p| name(format!("{}/{}", p.name, p.model), String::new())).collect(),
        paths: if line.starts_with("/reserve") || line.starts_with("/release") { paths(state) } else { Vec::new() },
    }
}

fn paths(state: &State) -> Vec<Name> {
    let reserved = state.model.reservations.values().map(|r| r.pattern.clone());
    let changed = state.live.values().flat_map(|live| live.changed.iter()).map(str::to_owned);
    let all: std::collections::BTreeSet<String> = reserved.chain(changed).take(PATHS).collect();
    all.into_iter().map(|text| Name { text, about: String::new() }).collect()
}

/// The native CLIs, and what the configuration calls one.
fn clis(state: &State) -> Vec<Name> {
    let own = Cli::ALL.iter().map(|cli| Name { text: cli.word().to_owned(), about: String::new() });
    let presets = state.settings.cli_names.presets.iter();
    own.chain(presets.map(|preset| Name { text: preset.name.clone(), about: format!("by {}", preset.cli) })).collect()
}
