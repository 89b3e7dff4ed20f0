//! One event of a window's terminal: who gets it, and what comes of it.

use jiff::Timestamp;

use crate::app::{Env, State};
use crate::base::Report;
use crate::command::Invocation;
use crate::domain::{InputEvent, Key, KeyCode, KeyEvent, KeyKind, LaneId, MouseEvent, PaneText, WindowId};

use super::draft::LIMIT;
use super::focus::{self, typed_into};
use super::geometry::{layout, pane_area, scroll_area};
use super::palette::Choice;
use super::scroll::Later;
use super::{
    DIRECT, Draft, Keyboard, LEADER, Overlay, ReaderKind, WindowAction, WindowState, board, commands, found, grab,
    keymap, leader, mouse, panel, popup, scroll, send, small,
};

/// What an input event means in a window.
pub fn input(state: &mut State, window: WindowId, event: InputEvent, env: &Env) -> Vec<WindowAction> {
    let now = env.now;
    within(state, window, |state, own| {
        // Who types is there, whatever their terminal tells of its focus.
        own.attentive = !matches!(event, InputEvent::Focus(false)) && (own.attentive || told_of_focus(&event));
        if own.too_small() && !small::takes(state, own, &event) {
            return Vec::new();
        }
        let actions = dispatch(state, own, event, now);
        match actions.as_slice() {
            [WindowAction::Run { invocation: Invocation::Approve { approval, edit: Some(edit), .. }, typed }]
                if typed.is_empty() =>
            {
                let Err(words) = env.edit_fits(state, *approval, edit) else { return actions };
                // The text stays, to be mended.
                own.overlay = Some(Overlay::Ask(super::Ask::edit_again(*approval, edit, &words)));
                Vec::new()
            }
            _ => actions,
        }
    })
}

/// A pane's text has come that scroll-back mode asked for.
pub fn pane_text(
    state: &mut State,
    window: WindowId,
    lane: LaneId,
    text: Result<PaneText, Report>,
) -> Vec<WindowAction> {
    within(state, window, |state, own| scroll::arrived(state, own, lane, text))
}

/// The texts of all panes have come, for words that are searched in every lane. Shown unless something is being
/// typed or read by now.
pub fn pane_texts(state: &mut State, window: WindowId, words: &str, texts: Vec<(LaneId, PaneText)>) {
    let _none = within(state, window, |state, own| {
        if own.overlay.is_none() && own.draft.is_empty() && !own.leader {
            found::list(state, own, words, texts);
        }
        Vec::new()
    });
}

/// Entries before this one have come into a lane's transcript: who scrolls through it in the mode has them, too.
pub fn older_entries(state: &mut State, lane: LaneId, before: u64) {
    let windows: Vec<WindowId> = state.windows.keys().copied().collect();
    for window in windows {
        let _none = within(state, window, |state, own| {
            scroll::older(state, own, lane, before);
            Vec::new()
        });
    }
}

/// The mouse in a pane whose program did not ask for it; cells are relative to the pane.
pub fn unwanted_mouse(state: &mut State, window: WindowId, lane: LaneId, event: MouseEvent) -> Vec<WindowAction> {
    within(state, window, |state, own| {
        if own.focus != Some(lane) || own.grid {
            return Vec::new();
        }
        if grab::keeps(own, lane, event) {
            return Vec::new();
        }
        let area = pane_area(&layout(state, own));
        let event = MouseEvent { column: event.column + area.x, row: event.row + area.y, ..event };
        scroll::unwanted(state, own, event)
    })
}

/// Changes a window's own state beside the rest.
fn within(
    state: &mut State,
    window: WindowId,
    change: impl FnOnce(&State, &mut WindowState) -> Vec<WindowAction>,
) -> Vec<WindowAction> {
    let Some(mut own) = state.windows.remove(&window) else { return Vec::new() };
    let actions = change(state, &mut own);
    state.windows.insert(window, own);
    actions
}

/// Whether an event shows that the terminal has the focus.
fn told_of_focus(event: &InputEvent) -> bool {
    match event {
        InputEvent::Focus(focused) => *focused,
        InputEvent::RichKey(key) => key.kind != KeyKind::Release,
        InputEvent::Key(_) | InputEvent::Paste { .. } => true,
        InputEvent::Mouse(_) | InputEvent::Report(_) => false,
    }
}

fn dispatch(state: &State, window: &mut WindowState, event: InputEvent, now: Timestamp) -> Vec<WindowAction> {
    match event {
        InputEvent::Key(key) => self::key(state, window, key.into(), now),
        InputEvent::RichKey(event) => self::key(state, window, event, now),
        InputEvent::Mouse(event) => grab::held(state, window, event).unwrap_or_else(|| {
            let actions = mouse::mouse(state, window, event, now);
            grab::note(window, event, &actions);
            actions
        }),
        InputEvent::Paste { text, first, last } => paste(state, window, text, first, last),
        InputEvent::Focus(_) | InputEvent::Report(_) => Vec::new(),
    }
}

fn paste(state: &State, window: &mut WindowState, text: String, first: bool, last: bool) -> Vec<WindowAction> {
    if first {
        // Nothing can be pasted into what is read back: it goes where keys went before.
        if window.scroll.as_ref().is_some_and(|mode| mode.typing.is_none()) && window.overlay.is_none() {
            scroll::leave(window);
        }
        window.pasting = typed_into(state, window);
        window.paste_refused = window.overlay.is_none()
            && match window.pasting {
                Some(lane) => another_pastes(state, lane),
                None => window.keyboard == Keyboard::Ended,
            };
        if window.paste_refused {
            match window.pasting.take() {
                Some(lane) => say_pasting(state, window, lane),
                None => focus::say_ended(state, window),
            }
        }
    }
    if window.paste_refused {
        window.paste_refused = !last;
        return Vec::new();
    }
    // All of it goes where it began, whatever took the focus meanwhile.
    let begun = if last { window.pasting.take() } else { window.pasting };
    if let Some(lane) = begun {
        return vec![WindowAction::PanePaste { lane, text, first, last }];
    }
    let area = scroll_area(state, window);
    if let Some(mode) = window.scroll.as_mut().filter(|_| window.overlay.is_none())
        && mode.paste((area.width, area.height), &text, first, last)
    {
        return Vec::new();
    }
    if window.overlay.is_none() && window.keyboard != Keyboard::Prompt {
        window.end_scroll_mode();
        window.keyboard = Keyboard::Prompt;
    }
    let prompt = window.overlay.is_none();
    let Some(draft) = field(window) else { return Vec::new() };
    if !draft.paste(&text, first, last) {
        window.say(
            Report::refused(format!("the paste was left out: at most {} KiB fit", LIMIT / 1024))
                .hint("put it into a file and name the file in the prompt"),
        );
    }
    if last && prompt {
        popup::refresh(state, window);
    }
    if last && let Some(Overlay::Palette(palette)) = &mut window.overlay {
        palette.refresh();
    }
    Vec::new()
}

/// Whether a window that is not the one at hand is in the middle of a paste into this pane.
fn another_pastes(state: &State, lane: LaneId) -> bool {
    state.windows.values().any(|other| other.pasting == Some(lane))
}

fn say_pasting(state: &State, window: &mut WindowState, lane: LaneId) {
    let name = state.model.name(lane);
    window.say(
        Report::refused(format!("another window is pasting into `{name}`; this was left out"))
            .hint("wait for its end, or press Ctrl-C to interrupt the program"),
    );
}

/// The text that is being edited.
fn field(window: &mut WindowState) -> Option<&mut Draft> {
    match &mut window.overlay {
        None => Some(&mut window.draft),
        Some(Overlay::Ask(ask)) => Some(&mut ask.draft),
        Some(Overlay::Palette(palette)) => Some(&mut palette.query),
        Some(Overlay::Picker(picker)) => Some(&mut picker.query),
        Some(Overlay::NewLane(form)) => form.text(),
        Some(Overlay::Setup(setup)) => setup.text(),
        Some(
            Overlay::Reader(_)
            | Overlay::Confirm(_)
            | Overlay::Trust(_)
            | Overlay::Found(_)
            | Overlay::Points(_)
            | Overlay::Board(_),
        ) => None,
    }
}

/// A key: for a pane that is typed into, with all that is known of it; else for our own keymaps.
fn key(state: &State, window: &mut WindowState, event: KeyEvent, now: Timestamp) -> Vec<WindowAction> {
    let leader = state.settings.leader;
    let Some(key) = event.ours() else {
        // The leader's release would come alone.
        let alone = event.kind == KeyKind::Release && (window.leader || keymap::same(event.key, leader));
        let lane = typed_into(state, window).filter(|_| !alone);
        return lane.map(|lane| WindowAction::PaneKey(lane, event)).into_iter().collect();
    };
    if scroll::wait(window, Later::Key(key)) {
        return Vec::new();
    }
    if let Some(overlay) = window.overlay.take() {
        return in_overlay(state, window, overlay, key, now);
    }
    if std::mem::take(&mut window.leader) {
        return after_leader(state, window, key, event, now);
    }
    if keymap::same(key, leader) {
        window.leader = true;
        return Vec::new();
    }
    if let Some(lane) = typed_into(state, window) {
        // What interrupts the program ends the paste too.
        if key != Key::ctrl('c') && another_pastes(state, lane) {
            say_pasting(state, window, lane);
            return Vec::new();
        }
        return vec![WindowAction::PaneKey(lane, event)];
    }
    let searching = window.scroll.as_ref().is_some_and(|mode| mode.typing.is_some());
    if let Some(deed) = keymap::find(DIRECT, key).filter(|_| !searching) {
        return leader::act(state, window, deed, now);
    }
    match window.keyboard {
        Keyboard::Panel => panel::key(state, window, key, now),
        Keyboard::Scroll => scroll::key(state, window, key),
        Keyboard::Ended => after_the_end(state, window, key),
        Keyboard::Prompt | Keyboard::Pane => in_prompt(state, window, key),
    }
}

/// Esc goes back to the prompt bar, and so does what begins a command. All else was meant for the program.
fn after_the_end(state: &State, window: &mut WindowState, key: Key) -> Vec<WindowAction> {
    if key == Key::char('/') || key.code == KeyCode::Esc {
        window.keyboard = Keyboard::Prompt;
    }
    match key.code {
        KeyCode::Esc => Vec::new(),
        _ if window.keyboard == Keyboard::Prompt => in_prompt(state, window, key),
        _ => {
            focus::say_ended(state, window);
            Vec::new()
        }
    }
}

fn after_leader(
    state: &State,
    window: &mut WindowState,
    key: Key,
    event: KeyEvent,
    now: Timestamp,
) -> Vec<WindowAction> {
    if keymap::same(key, state.settings.leader) {
        let lane = window.focus.filter(|lane| focus::is_pane(state, *lane));
        return lane.map(|lane| WindowAction::PaneKey(lane, event)).into_iter().collect();
    }
    // Who pressed Alt by habit means the same key.
    let plain = match key.code {
        KeyCode::Char(c) if key.modifiers.alt && !key.modifiers.ctrl => Key::char(c),
        _ => key,
    };
    if let Some(deed) = keymap::find(LEADER, plain) {
        return leader::act(state, window, deed, now);
    }
    let (lead, key) = (keymap::key_label(state.settings.leader), keymap::key_label(key));
    window.say(Report::refused(format!("`{lead} {key}` does nothing")).hint(format!("`{lead} ?` lists every key")));
    Vec::new()
}

fn in_prompt(state: &State, window: &mut WindowState, key: Key) -> Vec<WindowAction> {
    let plain = key == Key::plain(key.code);
    let (first, last) = window.draft.at_edges();
    match key.code {
        KeyCode::Enter if plain => {
            let complete =
                window.draft.single_line().is_some_and(|l| l.starts_with('/') && crate::command::parse_line(l).is_ok());
            if !complete && window.popup.as_ref().is_some_and(|p| p.chosen.is_some()) {
                popup::accept(state, window);
                return Vec::new();
            }
            return send::submit(state, window);
        }
        KeyCode::Tab if plain => {
            popup::accept(state, window);
            return Vec::new();
        }
        KeyCode::Esc => {
            if window.popup.take().is_none()
                && window.toast.take().is_none()
                && let Some(lane) = window.focus
            {
                window.scrolled.remove(&lane);
            }
            return Vec::new();
        }
        KeyCode::Up | KeyCode::Down if plain && window.popup.is_some() && !window.draft.browses() => {
            if let Some(popup) = &mut window.popup {
                popup.step(key.code == KeyCode::Down);
            }
            return Vec::new();
        }
        KeyCode::Up if plain && (first || window.draft.browses()) => {
            let mut history: Vec<String> = window.sent.iter().cloned().collect();
            window.draft.older(|| {
                let said = state.model.prompts.values().rev().map(|p| p.text.clone());
                let mut seen: std::collections::HashSet<String> = history.iter().cloned().collect();
                history.extend(said.filter(|text| seen.insert(text.clone())));
                history
            });
            window.popup = None;
            return Vec::new();
        }
        KeyCode::Down if plain && (last || window.draft.browses()) => {
            window.draft.newer();
            window.popup = None;
            return Vec::new();
        }
        KeyCode::PageUp => return scroll::by(state, window, -scroll::page(state, window)),
        KeyCode::PageDown => return scroll::by(state, window, scroll::page(state, window)),
        KeyCode::Char('c') if key.modifiers.ctrl => {
            put_aside(state, window);
            return Vec::new();
        }
        _ => {}
    }
    if window.draft.key(key) {
        popup::refresh(state, window);
    }
    Vec::new()
}

/// Ctrl-C never ends anything by surprise: it puts the text aside, or says what ends what.
fn put_aside(state: &State, window: &mut WindowState) {
    let text = window.draft.take();
    window.popup = None;
    if text.is_empty() {
        let lead = keymap::key_label(state.settings.leader);
        window.say(
            Report::done("Ctrl-C ends nothing here")
                .hint(format!("`/cancel` ends what the lane does · `{lead} D` detaches · `{lead} q` quits")),
        );
    } else {
        window.remember(&text);
        window.say(Report::done("put aside; Up brings it back"));
    }
}

fn in_overlay(
    state: &State,
    window: &mut WindowState,
    overlay: Overlay,
    key: Key,
    now: Timestamp,
) -> Vec<WindowAction> {
    match overlay {
        Overlay::Reader(reader) => {
            if let ReaderKind::Approval(id) = reader.kind
                && let Some(actions) = answer_whole(state, window, id, key)
            {
                return actions;
            }
            let body = reader.body(window.size, 0);
            let (reader, actions) = reader.key(key, body);
            window.overlay = reader.map(Overlay::Reader);
            actions
        }
        Overlay::Palette(palette) => {
            let (palette, choice) = palette.key(key);
            window.overlay = palette.map(Overlay::Palette);
            choice.map(|choice| choose(state, window, choice)).unwrap_or_default()
        }
        Overlay::Ask(ask) => {
            let (ask, actions) = ask.key(key);
            window.overlay = ask.map(Overlay::Ask);
            actions
        }
        Overlay::Confirm(confirm) => {
            let (stays, actions) = confirm.key(state, key);
            window.overlay = stays.then_some(Overlay::Confirm(confirm));
            actions
        }
        Overlay::NewLane(form) => {
            let (form, actions) = form.key(state, key);
            window.overlay = form.map(Overlay::NewLane);
            actions
        }
        Overlay::Found(list) => {
            let words = list.words.clone();
            let (list, place) = list.key(key);
            window.overlay = list.map(Overlay::Found);
            place.map(|place| found::go(state, window, &words, &place)).unwrap_or_default()
        }
        Overlay::Board(board) => board::key(state, window, board, key, now),
        Overlay::Points(points) => {
            let (points, actions) = points.key(state, key);
            window.overlay = points.map(Overlay::Points);
            actions
        }
        Overlay::Picker(picker) => {
            let (picker, lane) = picker.key(state, key);
            window.overlay = picker.map(Overlay::Picker);
            lane.map(|lane| focus::focus(state, window, lane)).unwrap_or_default()
        }
        Overlay::Trust(mut dialog) => match key.code {
            KeyCode::Char('y') => {
                // Until the answer is kept the configuration still counts as untrusted: not asked again meanwhile.
                window.put_off = Some(dialog.hash.clone());
                vec![WindowAction::Trust(dialog.hash)]
            }
            KeyCode::Char('n') | KeyCode::Esc => {
                window.put_off = Some(dialog.hash.clone());
                window.say(Report::done("what was shown is not used").hint("`/trust` shows it again"));
                vec![WindowAction::PutOffTrust(dialog.hash)]
            }
            _ => {
                let body = dialog.reader.body(window.size, super::TRUST_ROWS);
                // Copying is the only other thing a reader does; it closes by the keys above alone.
                let (reader, actions) = dialog.reader.clone().key(key, body);
                dialog.reader = reader.unwrap_or(dialog.reader);
                window.overlay = Some(Overlay::Trust(dialog));
                actions
            }
        },
        Overlay::Setup(setup) => {
            let (setup, actions) = setup.key(key);
            if setup.is_none() {
                window.say(
                    Report::done("set-up skipped; the next window asks again")
                        .hint("panes work without it: `/lane new sh -- bash`")
                        .hint("`/config` names the file where a server can be set up by hand"),
                );
            }
            window.overlay = setup.map(Overlay::Setup);
            actions
        }
    }
}

/// An approval that is shown whole can be answered there: it is the one that was read.
fn answer_whole(
    state: &State,
    window: &mut WindowState,
    id: crate::domain::ApprovalId,
    key: Key,
) -> Option<Vec<WindowAction>> {
    use super::keymap::Deed;
    use crate::domain::AnswerScope;
    let deed = keymap::find(super::APPROVALS, key)?;
    let approval = state.pending_approvals().find(|a| a.id == id)?;
    Some(match deed {
        Deed::AllowOnce => commands::allow_or_answer(window, approval, AnswerScope::Once),
        Deed::AllowSession => commands::allow_or_answer(window, approval, AnswerScope::Session),
        Deed::AllowAlways => commands::allow_or_answer(window, approval, AnswerScope::Always),
        Deed::Edit if approval.is_question() => commands::allow_or_answer(window, approval, AnswerScope::Once),
        Deed::Deny => {
            window.overlay = Some(Overlay::Ask(super::Ask::deny(id)));
            Vec::new()
        }
        Deed::Edit => {
            window.overlay = Some(Overlay::Ask(super::Ask::edit_call(approval)));
            Vec::new()
        }
        _ => return None,
    })
}

/// A row of the palette was chosen.
fn choose(state: &State, window: &mut WindowState, choice: Choice) -> Vec<WindowAction> {
    match choice {
        Choice::Lane(lane) => focus::focus(state, window, lane),
        Choice::Deed(deed) => leader::act(state, window, deed, Timestamp::UNIX_EPOCH),
        Choice::Line { line, ready: true } => match send::send(state, window, &line) {
            Ok(actions) => actions,
            Err(report) => {
                window.say(report);
                Vec::new()
            }
        },
        Choice::Line { line, ready: false } => {
            let standing = window.draft.take();
            if !standing.trim().is_empty() {
                window.remember(&standing);
                window.say(Report::done("the text that stood here was put aside; Up brings it back"));
            }
            window.end_scroll_mode();
            window.keyboard = Keyboard::Prompt;
            window.draft.set(&line);
            popup::refresh(state, window);
            Vec::new()
        }
    }
}
