//! What the keys of the leader table and their twins do.

use jiff::Timestamp;

use crate::app::State;
use crate::base::Report;
use crate::domain::AnswerScope;
use crate::protocol::HintUntil;

use super::keymap::Deed;
use super::panel::moved;
use super::{
    Board, Confirm, Keyboard, LaneForm, LanePicker, Overlay, Palette, WindowAction, WindowState, commands, focus,
    scroll, send,
};

/// Does what a key of these tables says.
pub(super) fn act(state: &State, window: &mut WindowState, deed: Deed, now: Timestamp) -> Vec<WindowAction> {
    match deed {
        Deed::FocusNumber(number) => return focus::focus_number(state, window, usize::from(number)),
        Deed::PickLane => window.overlay = Some(Overlay::Picker(LanePicker::default())),
        Deed::NextLane => return focus::step(state, window, true),
        Deed::PreviousLane => return focus::step(state, window, false),
        Deed::NextNeedy => return focus::next_needy(state, window),
        Deed::TypeIntoPane => focus::type_into(state, window),
        Deed::ToPrompt => {
            window.end_scroll_mode();
            window.panel.open = false;
            window.keyboard = Keyboard::Prompt;
        }
        Deed::OpenTab(tab) => return send::open_tab(window, tab),
        Deed::AllowTop => return answer(state, window, true, now),
        Deed::DenyTop => return answer(state, window, false, now),
        Deed::Board => window.overlay = Some(Overlay::Board(Board::default())),
        Deed::Grid => {
            window.end_scroll_mode();
            window.panel.open = false;
            window.grid = !window.grid;
        }
        Deed::Zoom => {
            window.panel.open = false;
            window.zoom = !window.zoom;
        }
        Deed::ScrollMode => return scroll::enter(state, window, false),
        Deed::Search => return scroll::enter(state, window, true),
        Deed::Editor => return scroll::edit(state, window),
        Deed::Diff => match window.focus {
            Some(lane) => return vec![WindowAction::Diff(lane)],
            None => window.say(no_lane()),
        },
        Deed::Palette => {
            window.learnt.insert(HintUntil::Help);
            window.overlay = Some(Overlay::Palette(Palette::new(state)));
        }
        Deed::NewLane => window.overlay = Some(Overlay::NewLane(LaneForm::default())),
        Deed::CloseLane => match window.focus {
            Some(lane) => window.overlay = Some(Overlay::Confirm(Confirm::Close(lane))),
            None => window.say(no_lane()),
        },
        Deed::Detach => return vec![WindowAction::Detach],
        Deed::Quit => return send::quit(state, window),
        Deed::Help => {
            window.learnt.insert(HintUntil::Help);
            window.overlay = Some(Overlay::Reader(send::help(state)));
        }
        Deed::NextHint => window.hint += 1,
        _ => {}
    }
    Vec::new()
}

fn no_lane() -> Report {
    Report::refused("there is no lane yet").hint("`/lane new api` makes one")
}

/// Answers the oldest approval, if it is the one that was on the screen.
fn answer(state: &State, window: &mut WindowState, allow: bool, now: Timestamp) -> Vec<WindowAction> {
    let oldest = state.pending_approvals().next();
    let current = oldest.map(|a| a.id);
    match (current, window.top.answerable(current, now)) {
        (_, Some(_)) if allow => {
            oldest.map(|a| commands::allow_or_answer(window, a, AnswerScope::Once)).unwrap_or_default()
        }
        (_, Some(id)) => vec![commands::deny(id, String::new())],
        (Some(_), None) => {
            window.say(moved());
            Vec::new()
        }
        (None, None) => {
            window.say(Report::done("no question waits for an answer"));
            Vec::new()
        }
    }
}
