//! Pastes on their way into panes: a window sends a few pieces and then waits until one was taken, so that a program
//! that reads slowly slows the paste and nothing else.
//!
//! A piece that a pane was given is taken once its program has read most of what waits for it; one that was typed
//! ahead, once the program has started; every other one at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::engine::Engine;
use crate::app::{Msg, WindowMsg};
use crate::base::Report;
use crate::domain::{LaneId, WindowId};
use crate::protocol::{ServerMessage, encode_message};

/// Where the piece went that is being handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Piece {
    /// Into a draft, or nowhere.
    #[default]
    Used,
    /// To the program in a pane.
    Given(LaneId),
    /// Kept for a program that is about to start.
    Kept(LaneId),
}

/// Pieces that are not taken.
#[derive(Debug, Default)]
pub(super) struct Pastes {
    piece: Piece,
    /// Whose pieces wait for a program's start.
    kept: BTreeMap<LaneId, Vec<WindowId>>,
}

impl Pastes {
    /// An event is about to be handled.
    pub fn begin(&mut self) {
        self.piece = Piece::Used;
    }

    /// The piece went to the program in a pane.
    pub fn given(&mut self, lane: LaneId) {
        self.piece = Piece::Given(lane);
    }

    /// The piece was kept for a program that is about to start.
    pub fn kept(&mut self, lane: LaneId) {
        self.piece = Piece::Kept(lane);
    }
}

/// A window's piece was handled: says so to the window, now or once there is room for more.
pub(super) fn taken(engine: &mut Engine, window: WindowId) {
    match engine.pastes.piece {
        Piece::Kept(lane) => engine.pastes.kept.entry(lane).or_default().push(window),
        Piece::Given(lane) if !engine.shared.panes.has_paste_room(lane) => wait(engine, window, lane),
        Piece::Given(_) | Piece::Used => say(engine, window),
    }
}

/// What was kept for a lane's program was given to it, or dropped.
pub(super) fn release(engine: &mut Engine, lane: LaneId) {
    for window in engine.pastes.kept.remove(&lane).unwrap_or_default() {
        say(engine, window);
    }
}

fn say(engine: &Engine, window: WindowId) {
    if let Some(screen) = engine.screens.get(&window) {
        screen.tell(&ServerMessage::PasteTaken);
    }
}

/// Says it once the program has read on, or the paste was broken off because it does not.
fn wait(engine: &Engine, window: WindowId, lane: LaneId) {
    let Some(line) = engine.screens.get(&window).map(super::screens::Screen::line) else { return };
    let shared = Arc::clone(&engine.shared);
    tokio::spawn(async move {
        if let Err(error) = shared.panes.paste_room(lane).await {
            shared.tell(Msg::Window(window, WindowMsg::Told(Report::refused(error.to_string())))).await;
        }
        // A window that has gone meanwhile needs no word.
        if let (Some(line), Ok(bytes)) = (line.upgrade(), encode_message(&ServerMessage::PasteTaken)) {
            let _ = line.send(bytes).await;
        }
    });
}
