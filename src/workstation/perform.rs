//! Effects carried out. Nothing here waits: long work is handed to actors and tasks.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::mpsc::error::TrySendError;

use super::engine::{Ending, Engine};
use super::lane_actor::{Actor, Order, not_taken};
use super::lane_git;
use super::lane_needs;
use super::pastes;
use super::preferences::{self, Write};
use super::providers;
use super::shared::{Shared, aside, blocking};
use super::shutdown;
use super::tokens::TurnAnswer;
use super::{approval_history, colours, contexts, doctor, errands, memories, skills};
use crate::agent::ModelClient;
use crate::app::report::Finding;
use crate::app::{Asker, Effect, LaneOrder, Msg, PaneMsg, PaneOrder, WindowMsg};
use crate::base::{Report, failpoint, lock};
use crate::config::NewProvider;
use crate::domain::{
    Change, Cli, HistoryQuery, Key, LaneId, LaneStage, Lease, MouseEvent, Place, ReservationId, Verdict, WindowId,
};
use crate::native;
use crate::protocol::ServerMessage;
use crate::store::Store;
use crate::terminal::{PointerUse, TerminalError};

/// Whether an effect goes to the program in a pane, as typed.
pub(super) const fn types(effect: &Effect) -> bool {
    matches!(effect, Effect::Pane(_, PaneOrder::Key(_) | PaneOrder::Paste { .. }) | Effect::PaneMouse(..))
}

/// Whether an effect changes nothing that is drawn.
pub(super) const fn passes_by(effect: &Effect) -> bool {
    types(effect) || matches!(effect, Effect::WakeAt(_))
}

/// Carries out one effect.
pub(super) fn perform(engine: &mut Engine, effect: Effect, now: Timestamp) {
    if engine.ending.is_some() && !shutdown::still_happens(&effect) {
        return;
    }
    match effect {
        Effect::Commit { changes, then } => commit(engine, changes, then, now),
        Effect::Lane(lane, order) => lane_order(engine, lane, order),
        Effect::Pane(lane, order) => pane_order(engine, lane, order),
        Effect::Recorded(token, result) => engine.shared.tokens.answer(token, TurnAnswer::Recorded(result)),
        Effect::Reserved(token, result) => engine.shared.tokens.answer(token, TurnAnswer::Reserved(result)),
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
        Effect::Hooked(id, answer) => {
            if let Some(waiting) = engine.hooks.remove(&id) {
                // The hook may have been ended.
                let _ = waiting.send(answer);
            }
        }
        Effect::Ring(text) => engine.screens.values_mut().for_each(|screen| screen.ring(&text)),
        Effect::Copy(window, text) => {
            if let Some(screen) = engine.screens.get_mut(&window) {
                let desktop = screen.desktop.clone();
                screen.copy(text.clone());
                tokio::spawn(desktop.copy(text, engine.shared.environment.unmarked()));
            }
        }
        Effect::Open(window, address) => {
            if let Some(screen) = engine.screens.get_mut(&window) {
                let desktop = screen.desktop.clone();
                screen.copy(address.clone());
                let environment = engine.shared.environment.unmarked();
                let report = desktop.open(&address, &environment);
                tokio::spawn(desktop.copy(address, environment));
                engine.own.push_back(Msg::Window(window, WindowMsg::Said(report)));
            }
        }
        Effect::Edit { window, name, text, line } => {
            if let Some(screen) = engine.screens.get(&window) {
                screen.tell(&ServerMessage::Edit { name, text, line });
            }
        }
        Effect::PaneMouse(window, lane, event) => pane_mouse(engine, window, lane, event),
        Effect::PaneText(window, lane) => pane_text(engine, window, lane),
        Effect::PaneTexts { window, words, panes } => {
            let shared = Arc::clone(&engine.shared);
            tokio::spawn(async move {
                let asked = panes.into_iter().map(async |lane| Some((lane, shared.panes.text(lane).await.ok()?)));
                let texts = futures_util::future::join_all(asked).await.into_iter().flatten().collect();
                shared.tell(Msg::Window(window, WindowMsg::PaneTexts(words, texts))).await;
            });
        }
        Effect::WakeAt(at) => engine.wake = Some(engine.wake.map_or(at, |old| old.min(at))),
        Effect::EndWindow(window, reason, words) => {
            engine.end_window(window, reason, words);
            engine.own.push_back(Msg::Window(window, WindowMsg::Gone));
        }
        // Stands in a commit's `then` for the case that it fails.
        Effect::IfNotKept(_) => {}
        Effect::ListModels { window, base_url, key_env } => list_models(engine, window, base_url, key_env),
        Effect::SaveProvider { window, name, base_url, key_env, model } => {
            let new = NewProvider { name, base_url, model, api_key_env: key_env, context_window: None };
            preferences::renew(engine, Write::Provider(window, new));
        }
        Effect::SaveTheme(name) => preferences::renew(engine, Write::Theme(name)),
        Effect::EditRules(asker, edit) => preferences::edit_rules(engine, asker, *edit),
        Effect::EditClis(asker, edit) => preferences::edit_clis(engine, asker, edit),
        Effect::ReadConfig => preferences::renew(engine, Write::Nothing),
        Effect::ReadTranscript(lane) => read_transcript(engine, lane),
        Effect::LookAtBase => engine.shared.base.ring(),
        Effect::CompareBase { lane, since, call } => lane_git::compare_base(&engine.shared, lane, since, call),
        Effect::WatchEdits(on) => {
            engine.shared.edits.store(on, Ordering::Release);
            engine.shared.base.ring();
        }
        Effect::Diff(window, lane, place) => diff(engine, window, lane, place),
        Effect::Context(ask) => contexts::find_out(engine, *ask),
        Effect::Doctor(asker) => examine(engine, asker),
        Effect::History(asker, query) => read_history(engine, asker, query),
        Effect::Facts(asker, query) => memories::find(engine, asker, query),
        Effect::LaneNeeds(asker, wanted) => lane_needs::find(engine, asker, wanted),
        Effect::ApprovalHistory(asker, query) => approval_history::find(engine, asker, query),
        Effect::UserFact(asker, ask) => memories::change(engine, asker, *ask),
        Effect::Remembered(token, result) => engine.shared.tokens.answer(token, TurnAnswer::Remembered(result)),
        Effect::Skills(order) => skills::find_out(engine, order),
        Effect::Errand(errand) => errands::go(engine, *errand),
        Effect::Lease { reservation, lease, seconds } => time_lease(engine, reservation, lease, seconds),
        Effect::Shutdown => {
            engine.ending.get_or_insert(Ending::InOrder);
        }
    }
}

/// Tells the loop when a lease is over. The timer counts by a clock that nobody sets.
fn time_lease(engine: &Engine, reservation: ReservationId, lease: Lease, seconds: u32) {
    let shared = Arc::clone(&engine.shared);
    engine.shared.background.spawn(async move {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(u64::from(seconds))) => {}
            () = shared.ending.cancelled() => return,
        }
        shared.tell(Msg::Lapsed(reservation, lease)).await;
    });
}

fn commit(engine: &mut Engine, changes: Vec<Change>, then: Vec<Effect>, at: Timestamp) {
    for change in &changes {
        match change {
            Change::LaneAdded { lane } => engine.shared.places.set(lane.id, lane.place.clone()),
            Change::LanePlaced { lane, place } => engine.shared.places.set(*lane, place.clone()),
            _ => {}
        }
    }
    if let Err(report) = engine.commits.add(changes, then, at) {
        engine.fail(report);
    }
}

fn lane_order(engine: &mut Engine, lane: LaneId, order: LaneOrder) {
    match order {
        LaneOrder::Look(touched) => look(engine, lane, touched),
        LaneOrder::Retire => {
            // Without its only sender the actor ends, also when its inbox is full.
            engine.actors.remove(&lane);
            engine.shared.places.forget(lane);
            engine.typed.remove(&lane);
            engine.typeahead.take(lane);
            pastes::release(engine, lane);
            engine.frames.remove(&lane);
        }
        order => send(engine, lane, Order::Lane(order)),
    }
}

/// A directory that is being made or is gone is not looked at: what is missing there is no news.
fn look(engine: &mut Engine, lane: LaneId, touched: Vec<String>) {
    let known = engine.state.live(lane).is_some_and(|live| live.git.is_some());
    let there = engine.state.model.lanes.get(&lane).is_some_and(|l| match l.stage {
        LaneStage::Open | LaneStage::Paused | LaneStage::Ended => true,
        LaneStage::Failed => known || l.set_up,
        LaneStage::Creating | LaneStage::Closed => false,
    });
    if there {
        actor(engine, lane).look(touched);
    }
}

fn actor(engine: &mut Engine, lane: LaneId) -> &Actor {
    let shared = &engine.shared;
    engine.actors.entry(lane).or_insert_with(|| {
        // A restored lane comes back to where the model has it.
        if let Some(l) = engine.state.model.lanes.get(&lane) {
            shared.places.set(lane, l.place.clone());
        }
        Actor::start(lane, shared)
    })
}

fn send(engine: &mut Engine, lane: LaneId, order: Order) {
    let order = match actor(engine, lane).order(order) {
        Ok(()) => return,
        Err(TrySendError::Full(order)) => order,
        Err(TrySendError::Closed(order)) => {
            // It broke down, which was told when it did; a new one takes its place.
            engine.actors.remove(&lane);
            match actor(engine, lane).order(order) {
                Ok(()) => return,
                Err(TrySendError::Full(order) | TrySendError::Closed(order)) => order,
            }
        }
    };
    let report = Report::internal("the lane is busy ending something and takes no more orders")
        .hint("try again in a moment; `lane restart` makes it fresh");
    engine.own.push_back(not_taken(lane, order, report));
}

/// Typing, pasting and sizes go to the pane at once; what takes time goes through the lane's actor.
fn pane_order(engine: &mut Engine, lane: LaneId, order: PaneOrder) {
    let pasted = matches!(order, PaneOrder::Paste { .. });
    if types_ahead(engine, lane, &order) {
        if engine.typeahead.keep(lane, order) {
            if pasted {
                engine.pastes.kept(lane);
            }
        } else {
            let words = "what was typed is dropped: too much waits for the program to start";
            engine.own.push_back(Msg::Pane(lane, PaneMsg::Fault(words.to_owned())));
        }
        return;
    }
    let panes = &engine.shared.panes;
    let result = match order {
        PaneOrder::Key(key) => {
            engine.typed.insert(lane, Instant::now());
            panes.key(lane, key)
        }
        PaneOrder::Paste { text, first, last } => {
            engine.pastes.given(lane);
            panes.paste(lane, &text, first, last)
        }
        PaneOrder::Focus(focused) => panes.focus(lane, focused),
        PaneOrder::Resize(size) => panes.resize(lane, size),
        PaneOrder::Visible(visible) => {
            if visible {
                // What it has told of so far was nobody's to show.
                engine.inbox.frames.ring(true);
            }
            panes.set_visible(lane, visible)
        }
        PaneOrder::Colours(window) => panes.set_colours(lane, colours::of_window(&engine.state, Some(window))),
        PaneOrder::Word { state, begun } => panes.word(lane, state, begun),
        PaneOrder::Interrupt => panes.key(lane, Key::ctrl('c')),
        PaneOrder::Answer { cli, about, allow } => return answer_dialog(engine, lane, cli, about, allow),
        mut slow => {
            if let PaneOrder::Open { size, .. } = &mut slow {
                // It was decided before it was known where the pane will be seen.
                *size = engine.state.pane_sizes.get(&lane).copied().unwrap_or(*size);
                *lock(&engine.shared.colours) = colours::of_window(&engine.state, engine.state.last_window);
            }
            return send(engine, lane, Order::Pane(slow));
        }
    };
    if let Err(error) = result
        && !matches!(error, TerminalError::NoPane { .. } | TerminalError::Ended { .. })
    {
        engine.own.push_back(Msg::Pane(lane, PaneMsg::Fault(error.to_string())));
    }
}

/// How long a dialog that was announced may take to stand on the screen.
const DIALOG: Duration = Duration::from_secs(3);

/// Answers a dialog once it stands on the screen; says so when it does not.
fn answer_dialog(engine: &Engine, lane: LaneId, cli: Cli, about: String, allow: bool) {
    let Some(dialog) = native::dialog(cli) else { return };
    let shared = Arc::clone(&engine.shared);
    tokio::spawn(async move {
        let key = if allow { dialog.allow } else { dialog.deny };
        let mut words = vec![dialog.shows.to_owned()];
        words.extend(Some(about.clone()).filter(|about| !about.is_empty()));
        let msg = match shared.panes.answer(lane, &words, key, DIALOG).await {
            Ok(true) | Err(TerminalError::NoPane { .. } | TerminalError::Ended { .. }) => return,
            Ok(false) => PaneMsg::NotAnswered(about),
            Err(error) => PaneMsg::Fault(error.to_string()),
        };
        shared.tell(Msg::Pane(lane, msg)).await;
    });
}

/// Whether something is typed into a pane whose program is about to start.
fn types_ahead(engine: &Engine, lane: LaneId, order: &PaneOrder) -> bool {
    let typing = matches!(order, PaneOrder::Key(_) | PaneOrder::Paste { .. });
    let stage = engine.state.model.lanes.get(&lane).map(|l| l.stage);
    let running = engine.state.live(lane).is_some_and(|live| live.pane_running);
    let starting = match stage {
        Some(LaneStage::Creating) => true,
        Some(LaneStage::Open) => !running,
        _ => false,
    };
    typing && starting
}

/// The mouse goes to the program; what it does not want is the window's.
fn pane_mouse(engine: &mut Engine, window: WindowId, lane: LaneId, event: MouseEvent) {
    match engine.shared.panes.mouse(lane, event) {
        Ok(PointerUse::Sent) => {}
        Ok(PointerUse::NotWanted) | Err(TerminalError::NoPane { .. } | TerminalError::Ended { .. }) => {
            engine.own.push_back(Msg::Window(window, WindowMsg::UnwantedMouse(lane, event)));
        }
        Err(error) => engine.own.push_back(Msg::Pane(lane, PaneMsg::Fault(error.to_string()))),
    }
}

fn pane_text(engine: &Engine, window: WindowId, lane: LaneId) {
    let shared = Arc::clone(&engine.shared);
    tokio::spawn(async move {
        let text = shared.panes.text(lane).await.map_err(|error| {
            let report = Report::refused(format!("there is no text to scroll: {error}"));
            report.hint("a program that runs in the lane has one")
        });
        shared.tell(Msg::Window(window, WindowMsg::PaneText(lane, text))).await;
    });
}

/// A new program begins hidden; it learns what windows show of its lane, and gets what was typed ahead.
pub(super) fn show_new_pane(engine: &mut Engine, lane: LaneId) {
    if let Some(visible) = engine.state.pane_visible.get(&lane) {
        pane_order(engine, lane, PaneOrder::Visible(*visible));
    }
    if let Some(size) = engine.state.pane_sizes.get(&lane) {
        pane_order(engine, lane, PaneOrder::Resize(*size));
    }
    for order in engine.typeahead.take(lane) {
        pane_order(engine, lane, order);
    }
    pastes::release(engine, lane);
}

fn list_models(engine: &Engine, window: WindowId, base_url: String, key_env: Option<String>) {
    let shared = Arc::clone(&engine.shared);
    engine.shared.background.spawn(async move {
        let making = Arc::clone(&shared);
        let client = blocking(move || {
            let provider = providers::provider(&base_url, key_env.as_deref(), &making.environment)?;
            ModelClient::new(provider).map_err(|e| Report::refused(e.to_string()))
        });
        let models = match client.await {
            Ok(client) => client.list_models().await.map_err(|e| Report::refused(e.to_string())),
            Err(report) => Err(report),
        };
        shared.tell(Msg::Window(window, WindowMsg::Models(models))).await;
    });
}

fn read_transcript(engine: &Engine, lane: LaneId) {
    let (shared, path) = (Arc::clone(&engine.shared), engine.state.settings.store.clone());
    engine.shared.background.spawn(async move {
        let read = move || {
            Store::conversation(&path, lane, crate::app::Model::ENTRIES).map_err(|e| Report::refused(e.to_string()))
        };
        let entries = blocking(read).await;
        shared.tell(Msg::Transcript(lane, entries)).await;
    });
}

fn examine(engine: &Engine, asker: Asker) {
    let (shared, home) = (Arc::clone(&engine.shared), engine.home.clone());
    let (root, forge) = (engine.state.settings.project.root.clone(), engine.state.settings.forge);
    engine.shared.background.spawn(async move {
        let found = blocking(move || Ok(doctor::look(&home, &home.project(&root)?, &root, forge))).await;
        let failed = |report: Report| vec![Finding::bad("state", report.message, "look at the state directory")];
        shared.tell(Msg::Doctor(asker, found.unwrap_or_else(failed))).await;
    });
}

fn read_history(engine: &Engine, asker: Asker, query: HistoryQuery) {
    let (path, asked) = (engine.state.settings.store.clone(), query.clone());
    let read = move |_: &Shared| Store::history(&path, &asked).map_err(|error| Report::refused(error.to_string()));
    aside(&engine.shared, read, move |found| Msg::History(asker, query, found));
}

/// Entries read from the store at once for a transcript that is scrolled back.
const PAGE: usize = 1_000;

/// Reads the entries of a lane before this one.
pub(super) fn read_older(engine: &Engine, lane: LaneId, before: u64) {
    let path = engine.state.settings.store.clone();
    let read =
        move |_: &Shared| Store::entries(&path, lane, Some(before), PAGE).map_err(|e| Report::refused(e.to_string()));
    aside(&engine.shared, read, move |entries| Msg::Older(lane, before, entries));
}

fn diff(engine: &Engine, window: WindowId, lane: LaneId, place: Place) {
    let shared = Arc::clone(&engine.shared);
    engine.shared.background.spawn(async move {
        let slot = shared.git_slots.acquire().await;
        let project = shared.project.clone();
        let diff = blocking(move || crate::git::diff(&project, &place).map_err(Report::from)).await;
        drop(slot);
        shared.tell(Msg::Window(window, WindowMsg::Diff(lane, diff))).await;
    });
}
