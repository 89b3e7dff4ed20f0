//! Effects carried out. Nothing here waits: long work is handed to actors and tasks.

use std::sync::Arc;
use std::time::Instant;

use jiff::Timestamp;
use tokio::sync::mpsc;

use crate::agent::ModelClient;
use crate::app::{Effect, LaneOrder, Msg, PaneOrder, WindowMsg};
use crate::base::{Report, failpoint};
use crate::config::NewProvider;
use crate::domain::{Change, LaneId, MouseEvent, MouseKind, Verdict, WindowId};
use crate::protocol::ServerMessage;
use crate::store::{Batch, Unqueued};
use crate::terminal::{Panes, PointerUse, TerminalError};

use super::configuration;
use super::engine::{Engine, Kept, Unsent, theme};
use super::lane_actor::{self, Order};
use super::providers;
use super::tokens::TurnAnswer;

/// Whether an effect goes to the program in a pane, as typed.
pub(super) const fn types(effect: &Effect) -> bool {
    matches!(effect, Effect::Pane(_, PaneOrder::Key(_) | PaneOrder::Paste { .. } | PaneOrder::Mouse(_)))
}

/// Whether an effect changes nothing that is drawn.
pub(super) const fn passes_by(effect: &Effect) -> bool {
    types(effect) || matches!(effect, Effect::WakeAt(_))
}

/// Carries out one effect.
pub(super) fn perform(engine: &mut Engine, effect: Effect, now: Timestamp) {
    match effect {
        Effect::Commit { changes, then } => commit(engine, changes, then, now),
        Effect::Lane(lane, order) => lane_order(engine, lane, order),
        Effect::Pane(lane, order) => pane_order(engine, lane, order),
        Effect::Recorded(token, result) => engine.shared.tokens.answer(token, TurnAnswer::Recorded(result)),
        Effect::Permitted(token, verdict) => {
            if matches!(verdict, Verdict::Run(_)) {
                failpoint("approval-to-call");
            }
            engine.shared.tokens.answer(token, TurnAnswer::Permitted(verdict));
        }
        Effect::Reply(id, reply) => {
            if let Some(waiting) = engine.replies.remove(&id) {
                // The shell that asked may be gone.
                let _ = waiting.send(reply);
            }
        }
        Effect::Ring(text) => ring(engine, &text),
        Effect::Copy(window, text) => {
            if let Some(screen) = engine.screens.get_mut(&window) {
                screen.copy(&text);
            }
        }
        Effect::WakeAt(at) => engine.wake = Some(engine.wake.map_or(at, |old| old.min(at))),
        Effect::EndWindow(window, reason, words) => {
            if let Some(screen) = engine.screens.remove(&window) {
                screen.tell(&ServerMessage::Ended { reason, words });
            }
            engine.own.push_back(Msg::Window(window, WindowMsg::Gone));
        }
        // Stands in a commit's `then` for the case that it fails.
        Effect::IfNotKept(_) => {}
        Effect::ListModels { window, base_url, key_env } => list_models(engine, window, &base_url, key_env.as_deref()),
        Effect::SaveProvider { window, name, base_url, key_env, model } => {
            let new = NewProvider { name, base_url, model, api_key_env: key_env, context_window: None };
            let saved = configuration::save_provider(&engine.home, &new);
            let ok = saved.is_ok();
            engine.own.push_back(Msg::Window(window, WindowMsg::Saved(saved)));
            if ok {
                read_config(engine);
            }
        }
        Effect::SaveTheme(name) => {
            if let Err(report) = configuration::save_theme(&engine.home, &name) {
                engine.own.push_back(Msg::Misconfigured(report));
            }
            retheme(engine);
        }
        Effect::ReadConfig => read_config(engine),
        Effect::LookAtBase => look_at_base(engine),
        Effect::Diff(window, lane, place) => diff(engine, window, lane, place),
        Effect::Shutdown => engine.ending = true,
    }
}

fn commit(engine: &mut Engine, changes: Vec<Change>, then: Vec<Effect>, at: Timestamp) {
    for change in &changes {
        if let Change::LaneAdded { lane } = change {
            engine.shared.places.set(lane.id, lane.place.clone());
        }
        if let Change::LanePlaced { lane, place } = change {
            engine.shared.places.set(*lane, place.clone());
        }
    }
    engine.unsent.push_back(Unsent { changes, at, then });
    send_unsent(engine);
}

/// Hands commits to the store's writer, in order, for as long as it has room.
pub(super) fn send_unsent(engine: &mut Engine) {
    while let Some(Unsent { changes, at, then }) = engine.unsent.pop_front() {
        let kept = engine.kept.clone();
        let then = Arc::new(std::sync::Mutex::new(then));
        let inner = Arc::clone(&then);
        let done = Box::new(move |result: Result<(), crate::store::StoreError>| {
            let then = std::mem::take(&mut *inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
            let result = result.map_err(|e| Report::refused(e.to_string()));
            // The loop takes these before anything else; a closed channel means that it is ending.
            let _ = kept.blocking_send(Kept { then, result });
        });
        match engine.store.commit(changes, at, done) {
            Ok(()) => {}
            Err(Unqueued::Full(Batch { changes, at, .. })) => {
                let then = std::mem::take(&mut *then.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
                engine.unsent.push_front(Unsent { changes, at, then });
                return;
            }
            Err(Unqueued::Stopped(_)) => return,
        }
    }
}

/// A commit failed: what is kept is loaded, and the state goes back to it.
pub(super) fn roll_back(engine: &mut Engine, report: Report, then: Vec<Effect>) {
    let messages = engine.shared.messages.clone();
    let asked = engine.store.snapshot(Box::new(move |snapshot| {
        let msg = match snapshot {
            Ok(snapshot) => Msg::CommitFailed { report, snapshot: Box::new(snapshot), then },
            Err(error) => Msg::Misconfigured(Report::internal(format!("the store cannot be read: {error}"))),
        };
        // A closed channel means that the workstation is ending.
        let _ = messages.blocking_send(msg);
    }));
    if asked.is_err() {
        engine.own.push_back(Msg::Misconfigured(Report::internal("the store takes no requests")));
    }
}

fn actor(engine: &mut Engine, lane: LaneId) -> mpsc::Sender<Order> {
    let shared = Arc::clone(&engine.shared);
    engine
        .actors
        .entry(lane)
        .or_insert_with(|| lane_actor::start(lane, shared, &tokio::runtime::Handle::current()))
        .clone()
}

fn send(engine: &mut Engine, lane: LaneId, order: Order) {
    let sender = actor(engine, lane);
    if sender.try_send(order).is_err() {
        let report = Report::internal("the lane does not take orders any more").hint("`lane restart` makes it fresh");
        engine.own.push_back(Msg::Lane(lane, crate::app::LaneMsg::Trouble(report)));
    }
}

fn lane_order(engine: &mut Engine, lane: LaneId, order: LaneOrder) {
    let retires = order == LaneOrder::Retire;
    send(engine, lane, Order::Lane(order));
    if retires {
        engine.actors.remove(&lane);
    }
}

/// Typing, pasting and sizes go to the pane at once; what takes time goes through the lane's actor.
fn pane_order(engine: &mut Engine, lane: LaneId, order: PaneOrder) {
    let panes = &engine.shared.panes;
    let result = match order {
        PaneOrder::Key(key) => {
            engine.typed.insert(lane, Instant::now());
            panes.key(lane, key)
        }
        PaneOrder::Paste { text, first, last } => panes.paste(lane, &text, first, last),
        PaneOrder::Mouse(event) => mouse(panes, lane, event),
        PaneOrder::Focus(focused) => panes.focus(lane, focused),
        PaneOrder::Scroll(i32::MIN) => panes.scroll(lane, i64::MIN),
        PaneOrder::Scroll(lines) => panes.scroll(lane, i64::from(lines)),
        PaneOrder::Resize(size) => panes.resize(lane, size),
        PaneOrder::Visible(visible) => panes.set_visible(lane, visible),
        PaneOrder::Interrupt => panes.key(lane, crate::domain::Key::ctrl('c')),
        slow => return send(engine, lane, Order::Pane(slow)),
    };
    if let Err(error) = result
        && !matches!(error, TerminalError::NoPane { .. } | TerminalError::Ended { .. })
    {
        engine.own.push_back(Msg::Pane(lane, crate::app::PaneMsg::Fault(error.to_string())));
    }
}

/// Lines that one notch of the wheel scrolls a pane back.
const NOTCH: i64 = 3;

/// The wheel that the program does not want scrolls its pane.
fn mouse(panes: &Panes, lane: LaneId, event: MouseEvent) -> Result<(), TerminalError> {
    match (panes.mouse(lane, event)?, event.kind) {
        (PointerUse::NotWanted, MouseKind::WheelUp) => panes.scroll(lane, NOTCH),
        (PointerUse::NotWanted, MouseKind::WheelDown) => panes.scroll(lane, -NOTCH),
        _ => Ok(()),
    }
}

fn ring(engine: &mut Engine, text: &str) {
    for screen in engine.screens.values_mut() {
        screen.ring(&engine.state.settings.notify, &engine.state.settings.project.name, text);
    }
}

fn list_models(engine: &mut Engine, window: WindowId, base_url: &str, key_env: Option<&str>) {
    let client = providers::provider(base_url, key_env, &engine.shared.environment)
        .and_then(|p| ModelClient::new(p).map_err(|e| Report::refused(e.to_string())));
    let client = match client {
        Ok(client) => client,
        Err(report) => return engine.own.push_back(Msg::Window(window, WindowMsg::Models(Err(report)))),
    };
    let messages = engine.shared.messages.clone();
    tokio::spawn(async move {
        let models = client.list_models().await.map_err(|e| Report::refused(e.to_string()));
        let _ending = messages.send(Msg::Window(window, WindowMsg::Models(models))).await;
    });
}

fn read_config(engine: &mut Engine) {
    match configuration::read(&engine.home, &engine.info, &engine.state.model.trusted) {
        Ok(configured) => {
            engine.shared.providers.configure(configured.access);
            engine.own.push_back(Msg::Configured(Box::new(configured.settings)));
        }
        Err(report) => engine.own.push_back(Msg::Misconfigured(report)),
    }
}

fn retheme(engine: &mut Engine) {
    for screen in engine.screens.values_mut() {
        if let Ok(theme) = theme(&engine.state) {
            screen.set_theme(theme);
        }
    }
}

fn look_at_base(engine: &mut Engine) {
    let (messages, project) = (engine.shared.messages.clone(), engine.shared.project.clone());
    tokio::spawn(async move {
        let head = lane_actor::blocking(move || project.head().map_err(Report::from)).await;
        if let Ok(base) = head {
            let _ending = messages.send(Msg::BaseMoved(base)).await;
        }
    });
}

fn diff(engine: &mut Engine, window: WindowId, lane: LaneId, place: crate::domain::Place) {
    let (messages, project) = (engine.shared.messages.clone(), engine.shared.project.clone());
    tokio::spawn(async move {
        let diff = lane_actor::blocking(move || crate::git::diff(&project, &place).map_err(Report::from)).await;
        let _ending = messages.send(Msg::Window(window, WindowMsg::Diff(lane, diff))).await;
    });
}
