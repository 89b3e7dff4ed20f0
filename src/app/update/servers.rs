//! Tool servers of own agents: what a lane tells of them, and starting one anew.

use crate::app::{Effect, LaneOrder};
use crate::base::{Report, nearest};
use crate::domain::{LaneId, NoticeLevel, ServerView};

use super::step::Step;

/// Something happened to a lane's servers: it stands in the transcript.
pub(super) fn told(step: &mut Step<'_>, lane: LaneId, news: Vec<String>) {
    for words in news {
        step.activity(Some(lane), words.clone());
        step.notice(lane, NoticeLevel::Warning, words);
    }
}

/// How a lane's servers stand now.
pub(super) fn stand(step: &mut Step<'_>, lane: LaneId, views: Vec<ServerView>) {
    step.live(lane).servers = views;
}

/// Starts a server anew, in one lane or in all that have started it.
pub(super) fn restart(step: &mut Step<'_>, name: &str, lane: Option<LaneId>) -> Result<String, Report> {
    known(step, name)?;
    let has = |lane: &LaneId| {
        step.state.live(*lane).is_some_and(|live| live.servers.iter().any(|server| server.name == name))
    };
    let lanes: Vec<LaneId> = match lane {
        Some(lane) => Some(lane).into_iter().filter(has).collect(),
        None => step.state.model.open_lanes().map(|lane| lane.id).filter(has).collect(),
    };
    if lanes.is_empty() {
        let place = lane.map_or_else(|| "no lane".to_owned(), |lane| format!("lane `{}`", step.state.model.name(lane)));
        return Err(Report::refused(format!("{place} has not started `{name}` yet: there is nothing to restart"))
            .hint("it starts with the lane's next prompt"));
    }
    let names: Vec<String> = lanes.iter().map(|lane| step.state.model.name(*lane)).collect();
    for lane in lanes {
        step.now.push(Effect::Lane(lane, LaneOrder::RestartServer(name.to_owned())));
    }
    Ok(format!("tool server {name} is started anew in {}", names.join(", ")))
}

/// Checks that a server of this name is configured.
fn known(step: &Step<'_>, name: &str) -> Result<(), Report> {
    let names = || step.state.settings.servers.iter().map(|server| server.name.as_str());
    if names().any(|known| known == name) {
        return Ok(());
    }
    let report = Report::refused(format!("there is no tool server `{name}`"));
    Err(match nearest(name, names()) {
        Some(near) => report.hint(format!("did you mean `{near}`?")),
        None => report.hint("name one under `[mcp.NAME]` in the configuration; `servers list` shows them"),
    })
}
