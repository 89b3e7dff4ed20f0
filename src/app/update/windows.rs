//! Windows: they attach, type, resize and go; what their input asks for is done here.

use crate::app::window::{self, WindowAction, WindowState};
use crate::app::{Client, Effect, LaneOrder, NotKept, PaneOrder, WindowMsg};
use crate::base::Report;
use crate::command::Invocation;
use crate::domain::{Change, InputEvent, LaneId, Seen, WindowId};
use crate::protocol::EndReason;

use super::run::{self, Done, Origin};
use super::settings;
use super::step::Step;

pub(super) fn handle(step: &mut Step<'_>, id: WindowId, msg: WindowMsg) {
    match msg {
        WindowMsg::Attached(hello) => {
            let wanted = hello.focus.as_deref().and_then(|name| step.state.model.lane_named(name)).map(|l| l.id);
            let last = step.state.last_window.and_then(|w| step.state.windows.get(&w)).and_then(|w| w.focus);
            let left = step.state.left_focus.filter(|lane| step.state.model.number(*lane).is_some());
            let focus = wanted.or(last).or(left).or_else(|| step.state.model.open_lanes().next().map(|l| l.id));
            let mut window = WindowState::new(hello);
            window.focus = focus;
            step.state.windows.insert(id, window);
            step.state.last_window = Some(id);
        }
        WindowMsg::Input(event) => {
            if let InputEvent::Report(report) = event {
                if step.state.windows.get_mut(&id).is_some_and(|window| window.terminal.hear(report)) {
                    step.state.recolour(Some(id));
                }
                return;
            }
            // What is left is used no more.
            if event != InputEvent::Focus(false) {
                step.state.last_window = Some(id);
            }
            let actions = window::input(step.state, id, event, step.env);
            act_all(step, id, actions);
        }
        WindowMsg::Resized(size) => {
            if let Some(window) = step.state.windows.get_mut(&id) {
                window.size = size;
            }
        }
        WindowMsg::Gone => {
            step.state.answerers.remove(&Client::Window(id));
            let gone = step.state.windows.remove(&id);
            // Nobody will end the paste that it was in.
            if let Some(lane) = gone.as_ref().and_then(|window| window.pasting) {
                let end = PaneOrder::Paste { text: String::new(), first: false, last: true };
                step.now.push(Effect::Pane(lane, end));
            }
            if step.state.last_window == Some(id) {
                step.state.left_focus = gone.and_then(|w| w.focus);
                step.state.last_window = step.state.windows.keys().next_back().copied();
            }
        }
        WindowMsg::Told(report) => step.toast(id, report),
        WindowMsg::Models(models) => {
            if let Some(window) = step.state.windows.get_mut(&id) {
                window.models(models);
            }
        }
        WindowMsg::Saved(result) => {
            if let Some(window) = step.state.windows.get_mut(&id) {
                window.saved(result);
            }
        }
        WindowMsg::Diff(lane, diff) => {
            if let Some(window) = step.state.windows.get_mut(&id) {
                window.diff(lane, diff);
            }
        }
        WindowMsg::PaneText(lane, text) => {
            let actions = window::pane_text(step.state, id, lane, text);
            act_all(step, id, actions);
        }
        WindowMsg::PaneTexts(words, texts) => window::pane_texts(step.state, id, &words, texts),
        WindowMsg::UnwantedMouse(lane, event) => {
            let actions = window::unwanted_mouse(step.state, id, lane, event);
            act_all(step, id, actions);
        }
        WindowMsg::Edited(Ok(())) => {}
        WindowMsg::Edited(Err(report)) | WindowMsg::Said(report) => step.toast(id, report),
    }
}

fn act_all(step: &mut Step<'_>, id: WindowId, actions: Vec<WindowAction>) {
    for action in actions {
        act(step, id, action);
    }
}

fn act(step: &mut Step<'_>, id: WindowId, action: WindowAction) {
    match action {
        WindowAction::Run { invocation, typed } => run_typed(step, id, invocation, typed),
        WindowAction::Shell { lane, command } => {
            if let Some(l) = step.state.model.lanes.get(&lane) {
                let directory = l.place.directory.clone();
                step.then.push(Effect::Lane(lane, LaneOrder::Shell { command, directory }));
            }
        }
        WindowAction::PaneKey(lane, key) => step.now.push(Effect::Pane(lane, PaneOrder::Key(key))),
        WindowAction::PanePaste { lane, text, first, last } => {
            step.now.push(Effect::Pane(lane, PaneOrder::Paste { text, first, last }));
        }
        WindowAction::PaneMouse(lane, mouse) => step.now.push(Effect::PaneMouse(id, lane, mouse)),
        WindowAction::PaneText(lane) => step.now.push(Effect::PaneText(id, lane)),
        WindowAction::Looked(lane) => looked(step, lane),
        WindowAction::Copy(text) => step.now.push(Effect::Copy(id, text)),
        WindowAction::Open(address) => step.now.push(Effect::Open(id, address)),
        WindowAction::Edit { lane, text, line } => {
            step.now.push(Effect::Edit { window: id, name: step.state.model.name(lane), text, line });
        }
        WindowAction::Detach => {
            let words = "detached; everything runs on. `paralane` attaches again".to_owned();
            step.now.push(Effect::EndWindow(id, EndReason::Detached, words));
        }
        WindowAction::Quit => step.end("the workstation ended; lanes, queues and transcripts are kept"),
        WindowAction::Trust(hash) => settings::trust_shown(step, id, &hash),
        WindowAction::PutOffTrust(hash) => settings::declined(step, id, &hash),
        WindowAction::ListModels { base_url, key_env } => {
            step.now.push(Effect::ListModels { window: id, base_url, key_env });
        }
        WindowAction::SaveProvider { name, base_url, key_env, model } => {
            step.now.push(Effect::SaveProvider { window: id, name, base_url, key_env, model });
        }
        WindowAction::Diff(lane) => {
            if let Some(l) = step.state.model.lanes.get(&lane) {
                step.now.push(Effect::Diff(id, lane, l.place.clone()));
            }
        }
    }
}

fn run_typed(step: &mut Step<'_>, id: WindowId, invocation: Invocation, typed: String) {
    // In a window there is a list to choose from.
    if let Invocation::Rewind { lane, number: None, .. } = &invocation {
        let found = super::find::lane(step.state, Some(id), lane.as_deref());
        match found.and_then(|lane| window::checkpoints(step.state, lane)) {
            Ok(overlay) => {
                if let Some(window) = step.state.windows.get_mut(&id) {
                    window.open(overlay);
                }
            }
            Err(report) => step.toast(id, report),
        }
        return;
    }
    match run::run(step, Origin::Window(id), invocation) {
        Ok(Done::Words(words)) => {
            if !words.is_empty() {
                step.toast(id, Report::done(words));
            }
            step.then.push(Effect::IfNotKept(NotKept::GiveBack(id, typed)));
        }
        Ok(Done::Document(document)) => {
            let text = crate::app::report::render(&document, false);
            if let Some(window) = step.state.windows.get_mut(&id) {
                window.show(document.title, text);
            }
        }
        Ok(Done::Quietly | Done::Later) => step.then.push(Effect::IfNotKept(NotKept::GiveBack(id, typed))),
        Err(report) => {
            step.toast(id, report);
            if let Some(window) = step.state.windows.get_mut(&id) {
                window.give_back(&typed);
            }
        }
    }
}

/// The person looks at a lane: what ended there has been seen.
pub(super) fn looked(step: &mut Step<'_>, lane: LaneId) {
    if step.state.model.lanes.get(&lane).is_some_and(|l| !l.seen) {
        step.change(Change::LaneSeen { lane, seen: Seen::Yes });
    }
    if let Some(live) = step.state.live.get_mut(&lane) {
        live.unseen = false;
    }
}
