//! What goes into a lane's requests: shown to whoever asks, and switched layer by layer.

use crate::app::report::{self, Document};
use crate::app::{Asker, ContextAsk, Effect};
use crate::base::Report;
use crate::domain::{Change, ContextView, LaneId, LaneKind, LaneStage, Layer};
use crate::protocol::Reply;

use super::run::{Done, Origin};
use super::step::Step;

/// Switches a layer, or asks what the lane's next request would hold.
pub(super) fn run(
    step: &mut Step<'_>,
    origin: Origin,
    lane: LaneId,
    switch: Option<(Layer, bool)>,
) -> Result<Done, Report> {
    let name = step.state.model.name(lane);
    let Some(of) = step.state.model.lanes.get(&lane).filter(|of| matches!(of.kind, LaneKind::Agent { .. })) else {
        return Err(Report::refused(format!("lane `{name}` runs a program, whose context is its own"))
            .hint("`context` is for lanes with our own agent"));
    };
    let Some((layer, on)) = switch else {
        if of.stage == LaneStage::Creating {
            return Err(Report::refused(format!("the worktree of lane `{name}` is being made"))
                .hint("its rules are read once it stands; ask again in a moment"));
        }
        let ask = ContextAsk {
            asker: origin.asker(),
            lane,
            directory: of.place.directory.clone(),
            provider: step.state.provider_of(lane).map(|(provider, _)| provider),
            prompt: step.state.model.active_prompt(lane).map(|prompt| prompt.id),
            entries: step.state.model.conversation(lane),
            off: step.state.model.layers_off(lane),
            skills: step.state.settings.own_skills.clone(),
        };
        step.now.push(Effect::Context(Box::new(ask)));
        return Ok(Done::Later);
    };
    if !layer.optional() {
        return Err(Report::refused(format!("no agent works without the layer `{}`", layer.word()))
            .hint(format!("these can be switched: {}", Layer::OPTIONAL.join(", "))));
    }
    let word = if on { "on" } else { "off" };
    if step.state.model.layers_off.contains(&(lane, layer)) != on {
        return Ok(Done::Words(format!("the layer {} of lane {name} is {word} already", layer.word())));
    }
    step.change(Change::LayerSwitched { lane, layer, on });
    Ok(Done::Words(format!("the layer {} of lane {name} is {word} from its next prompt on", layer.word())))
}

/// What a lane's next request would hold is known: whoever asked is told.
pub(super) fn found(step: &mut Step<'_>, asker: Asker, lane: LaneId, view: Result<Box<ContextView>, Report>) {
    let document = view.map(|view| report::context_document(&step.state.model.name(lane), &view));
    tell(step, asker, document);
}

/// Tells a document to whoever asked for it.
pub(super) fn tell(step: &mut Step<'_>, asker: Asker, document: Result<Document, Report>) {
    match (asker, document) {
        (Asker::Window(window), Ok(document)) => {
            let text = report::render(&document, false);
            if let Some(window) = step.state.windows.get_mut(&window) {
                window.show_beside(&document.title, &text);
            }
        }
        (Asker::Window(window), Err(report)) => step.toast(window, report),
        (Asker::Shell { id, json }, Ok(document)) => {
            step.then.push(Effect::Reply(id, Reply::done(report::render(&document, json))));
        }
        (Asker::Shell { id, .. }, Err(report)) => step.then.push(Effect::Reply(id, Reply::failed(report))),
    }
}
