//! What a window keeps of a frame before it is drawn.

use jiff::Timestamp;

use crate::app::State;
use crate::domain::{ConflictState, WindowId};

use super::focus::{is_pane, takes_keys};
use super::scroll;
use super::{Keyboard, Overlay, Setup, Tab, TrustDialog, WindowState, hints, layout};

/// To be called before a frame of this window is drawn: what stands on the screen from now on is what
/// keys answer. Also ends messages whose time is over and opens what must be shown at the start.
pub fn settle(state: &mut State, id: WindowId, now: Timestamp) {
    crate::app::update::let_go(state);
    let Some(mut window) = state.windows.remove(&id) else { return };
    prepare(state, &mut window, now);
    state.windows.insert(id, window);
}

fn prepare(state: &State, window: &mut WindowState, now: Timestamp) {
    if let Some(toast) = &mut window.toast {
        toast.start(now);
        if toast.until.is_some_and(|until| until <= now) {
            window.toast = None;
        }
    }
    straighten(state, window);
    scroll::fit(state, window);
    open_what_must_be_shown(state, window);
    let undecided = state.model.open_conflicts().filter(|c| c.state == ConflictState::Pending).count();
    let open = (state.pending_approvals().count(), undecided);
    give_back_the_keys(window, open);
    hints::go_on(window, open);
    window.open = open;
    if window.too_small() {
        // What is not on the screen is not answered.
        window.top.show(None, now);
        window.chosen.show(None, now);
        return;
    }
    // Behind an overlay nobody sees what changes: it counts as changed when the overlay closes.
    if window.overlay.is_some() {
        return;
    }
    window.top.show(state.pending_approvals().next().map(|a| a.id), now);
    let panel = layout(state, window).panel.is_some() && window.panel.tab == Tab::Approvals;
    let chosen = window.panel.chosen_approval(state).map(|a| a.id);
    window.panel.approval = chosen;
    window.chosen.show(chosen.filter(|_| panel), now);
}

/// Who has the keys must exist.
fn straighten(state: &State, window: &mut WindowState) {
    let asked = state.settings.untrusted.as_ref().map(|config| &config.hash);
    if matches!(&window.overlay, Some(Overlay::Trust(dialog)) if Some(&dialog.hash) != asked) {
        // Answered in another window, or the file is another one now.
        window.overlay = None;
    }
    if matches!(window.keyboard, Keyboard::Pane | Keyboard::Ended) {
        window.keyboard = match window.focus {
            Some(lane) if takes_keys(state, lane) => Keyboard::Pane,
            Some(lane) if is_pane(state, lane) => Keyboard::Ended,
            _ => Keyboard::Prompt,
        };
    }
    if window.scroll.as_ref().is_some_and(|mode| Some(mode.lane) != window.focus) {
        window.end_scroll_mode();
    }
    window.scrolled.retain(|lane, _| state.model.lanes.contains_key(lane));
    if matches!(window.panel.tab, Tab::Problems) {
        window.panel.row = window.panel.row.min(Tab::Problems.count(state).saturating_sub(1));
    }
}

/// The panel took the keys to answer; with nothing left to answer they would go nowhere.
fn give_back_the_keys(window: &mut WindowState, open: (usize, usize)) {
    let answered = match window.panel.tab {
        Tab::Approvals => open.0 == 0 && window.open.0 > 0,
        Tab::Conflicts => open.1 == 0 && window.open.1 > 0,
        Tab::Mail | Tab::Problems | Tab::Activity => false,
    };
    if answered && window.keyboard == Keyboard::Panel {
        window.panel.open = false;
        window.keyboard = Keyboard::Prompt;
    }
}

/// Opened by itself only while nothing is being typed; else it waits.
fn open_what_must_be_shown(state: &State, window: &mut WindowState) {
    let quiet =
        window.overlay.is_none() && window.keyboard == Keyboard::Prompt && window.draft.is_empty() && !window.leader;
    if !quiet || window.too_small() {
        return;
    }
    if let Some(config) = state.settings.untrusted.as_ref().filter(|c| window.put_off.as_ref() != Some(&c.hash)) {
        window.overlay = Some(Overlay::Trust(TrustDialog::new(config)));
    } else if state.settings.first_run && state.model.open_lanes().next().is_none() && !window.setup_offered {
        window.setup_offered = true;
        window.overlay = Some(Overlay::Setup(Setup::default()));
    }
}
