//! Skills: listed for whoever asks, and given to a lane's agent with a prompt.

use crate::app::{Asker, Effect, SkillsOrder, report};
use crate::base::{Report, nearest};
use crate::domain::{LaneId, LaneKind, LaneStage, SkillsAsk, SkillsFound};
use crate::protocol::Reply;

use super::run::{Done, Json, Origin};
use super::step::Step;
use super::{find, lanes, prompts};

/// Asks what skills there are; with a name, in order to use that one.
pub(super) fn run(
    step: &mut Step<'_>,
    origin: Origin,
    typed: Option<String>,
    name: Option<String>,
    words: String,
) -> Result<Done, Report> {
    let (window, asker) = match origin {
        Origin::Window(window) => (Some(window), Asker::Window(window)),
        Origin::Request(id, json) => (None, Asker::Shell { id, json: json == Json::Yes }),
    };
    let focused = window.and_then(|window| step.state.windows.get(&window)).and_then(|window| window.focus);
    // Skills are listed without any lane too: those of the base checkout then.
    let lane = if typed.is_some() || name.is_some() || focused.is_some() {
        Some(find::lane(step.state, window, typed.as_deref())?)
    } else {
        None
    };
    if let (Some(lane), Some(_)) = (lane, &name) {
        can_use(step, lane)?;
    }
    let place = lane.and_then(|lane| step.state.model.lanes.get(&lane)).filter(|of| of.stage != LaneStage::Creating);
    let directory = place.map_or_else(|| step.state.settings.project.root.clone(), |of| of.place.directory.clone());
    let ask = SkillsAsk { directory, own: step.state.settings.own_skills.clone(), load: name };
    step.now.push(Effect::Skills(Box::new(SkillsOrder { asker, lane, ask, words })));
    Ok(Done::Later)
}

fn can_use(step: &Step<'_>, lane: LaneId) -> Result<(), Report> {
    let name = step.state.model.name(lane);
    let Some(of) = step.state.model.lanes.get(&lane).filter(|of| matches!(of.kind, LaneKind::Agent { .. })) else {
        return Err(Report::refused(format!("lane `{name}` runs a program, whose skills are its own"))
            .hint("`skill` is for lanes with our own agent"));
    };
    if of.stage == LaneStage::Creating {
        return Err(Report::refused(format!("the worktree of lane `{name}` is being made"))
            .hint("its skills are read once it stands; try again in a moment"));
    }
    lanes::check_stays(step.state, lane)
}

/// What skills there are is known: whoever asked is told, or the prompt goes out.
pub(super) fn found(step: &mut Step<'_>, order: SkillsOrder, found: Result<Box<SkillsFound>, Report>) {
    let SkillsOrder { asker, lane, ask, words } = order;
    let (reply, quiet) = match (found, ask.load, lane) {
        (Err(report), ..) => (Err(report), false),
        (Ok(found), Some(name), Some(lane)) => (use_one(step, lane, &name, &words, &found), true),
        (Ok(found), ..) => {
            let of = lane.map_or_else(|| "the base checkout".to_owned(), |lane| step.state.model.name(lane));
            (Ok(report::skills_document(&of, &found.skills)), false)
        }
    };
    match (asker, reply) {
        (Asker::Window(window), Err(report)) => step.toast(window, report),
        // The transcript and the queue show it.
        (Asker::Window(_), Ok(_)) if quiet => {}
        (Asker::Window(window), Ok(document)) => {
            let text = report::render(&document, false);
            if let Some(window) = step.state.windows.get_mut(&window) {
                window.show_beside(&document.title, &text);
            }
        }
        (Asker::Shell { id, json }, Ok(document)) => {
            step.then.push(Effect::Reply(id, Reply::done(report::render(&document, json))));
        }
        (Asker::Shell { id, .. }, Err(report)) => step.then.push(Effect::Reply(id, Reply::failed(report))),
    }
}

/// Sends the prompt by which a lane's agent goes by a skill.
fn use_one(
    step: &mut Step<'_>,
    lane: LaneId,
    name: &str,
    words: &str,
    found: &SkillsFound,
) -> Result<report::Document, Report> {
    // The lane may have gone since.
    can_use(step, lane)?;
    let Some(text) = &found.text else {
        let known: Vec<&str> = found.skills.known.iter().map(|skill| &skill.name[..]).collect();
        let report = Report::refused(format!("there is no skill `{name}`"));
        let report = match nearest(name, known.iter().copied()) {
            Some(near) => report.hint(format!("did you mean `{near}`?")),
            None => report,
        };
        return Err(report.hint("`skill list` shows those there are, and what is wrong with others"));
    };
    let id = prompts::add(step, lane, skill_prompt(name, text, words), prompts::Options::default())?;
    let prompt = step.state.model.prompts.get(&id).ok_or_else(|| Report::internal("the prompt is not there"))?;
    Ok(report::prompt_document(&step.state.model, prompt))
}

/// The prompt by which a person has a skill used: their words first, for lists show the beginning.
fn skill_prompt(name: &str, body: &str, words: &str) -> String {
    let task = if words.trim().is_empty() { String::new() } else { format!("{}\n\n", words.trim()) };
    format!("{task}Go by the skill `{name}`:\n\n{body}")
}
