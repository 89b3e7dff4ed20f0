//! What Enter means: the text of the prompt bar becomes a command, a prompt or a shell command.
//!
//! Plain words are never taken for a command, and a text that cannot be sent stays where it is.

use crate::app::State;
use crate::base::{Report, nearest};
use crate::command::{Invocation, Surface, help_text, parse_line};
use crate::domain::Priority;
use crate::protocol::HintUntil;

use super::dialog::anything_runs;
use super::{Confirm, Keyboard, Overlay, Reader, Tab, WindowAction, WindowState, keys_text};

/// Sends what stands in the prompt bar.
pub(super) fn submit(state: &State, window: &mut WindowState) -> Vec<WindowAction> {
    let text = window.draft.text();
    if text.trim().is_empty() {
        return Vec::new();
    }
    // What was said of the step before is answered by this one.
    window.toast = None;
    match send(state, window, &text) {
        Ok(actions) => {
            window.remember(&text);
            window.draft.take();
            window.popup = None;
            if actions.iter().any(is_prompt) {
                window.learnt.insert(HintUntil::Prompt);
            }
            actions
        }
        Err(report) => {
            window.say(report);
            Vec::new()
        }
    }
}

/// What a text asks for.
pub(super) fn send(state: &State, window: &mut WindowState, text: &str) -> Result<Vec<WindowAction>, Report> {
    match text.as_bytes().first() {
        Some(b'/') => {
            let invocation =
                parse_line(text).map_err(|report| report.hint("to send it as a prompt, begin with a blank"))?;
            command(state, window, invocation, text)
        }
        Some(b'@') => addressed(state, text),
        Some(b'!') => {
            let lane = focused(window)?;
            let command = text[1..].trim().to_owned();
            if command.is_empty() {
                return Err(Report::usage("there is no command behind the `!`")
                    .hint("`!git status` runs in the lane's directory"));
            }
            Ok(vec![WindowAction::Shell { lane, command }])
        }
        _ => {
            let name = state.model.name(focused(window)?);
            Ok(vec![prompt(name, text.trim().to_owned(), text)])
        }
    }
}

const fn is_prompt(action: &WindowAction) -> bool {
    matches!(action, WindowAction::Run { invocation: Invocation::Prompt { .. } | Invocation::Broadcast { .. }, .. })
}

fn focused(window: &WindowState) -> Result<crate::domain::LaneId, Report> {
    window.focus.ok_or_else(|| {
        Report::refused("there is no lane to send this to; your text is kept")
            .hint("make a lane first: `/lane new api`")
    })
}

fn prompt(lane: String, text: String, typed: &str) -> WindowAction {
    let invocation = Invocation::Prompt {
        lane,
        text,
        wait: false,
        timeout: None,
        fail_on_approval: false,
        priority: Priority::Normal,
        key: None,
        after: None,
        at: None,
        every: None,
        when_released: None,
    };
    WindowAction::Run { invocation, typed: typed.to_owned() }
}

/// `@lane text` and `@all text`.
fn addressed(state: &State, typed: &str) -> Result<Vec<WindowAction>, Report> {
    let (name, text) = typed[1..].split_once(char::is_whitespace).unwrap_or((&typed[1..], ""));
    let text = text.trim().to_owned();
    let known = name == "all" || state.model.lane_named(name).is_some();
    if !known {
        let names: Vec<&str> = state.model.open_lanes().map(|l| l.name.as_str()).chain(["all"]).collect();
        let mut report = Report::usage(format!("there is no lane `{name}`"));
        if let Some(near) = nearest(name, names) {
            report = report.hint(format!("did you mean `@{near}`?"));
        }
        return Err(report.hint("to send it as a prompt, begin with a blank"));
    }
    if text.is_empty() {
        return Err(
            Report::usage(format!("there is nothing to send to `{name}`")).hint(format!("`@{name} what it is to do`"))
        );
    }
    if name == "all" {
        return Ok(vec![WindowAction::Run { invocation: Invocation::Broadcast { text }, typed: typed.to_owned() }]);
    }
    Ok(vec![prompt(name.to_owned(), text, typed)])
}

/// A command: what only concerns this window is done here.
fn command(
    state: &State,
    window: &mut WindowState,
    invocation: Invocation,
    typed: &str,
) -> Result<Vec<WindowAction>, Report> {
    match invocation {
        Invocation::Help { topic } if topic.is_empty() => {
            window.learnt.insert(HintUntil::Help);
            window.overlay = Some(Overlay::Reader(help(state)));
            Ok(Vec::new())
        }
        Invocation::Help { topic } => {
            let words: Vec<&str> = topic.iter().map(String::as_str).collect();
            let text = help_text(&words, Surface::Window)?;
            window.show(format!("help: {}", topic.join(" ")), text);
            Ok(Vec::new())
        }
        Invocation::Approvals { all: false } => Ok(open_tab(window, Tab::Approvals)),
        Invocation::Conflicts { all: false } => Ok(open_tab(window, Tab::Conflicts)),
        Invocation::Problems => Ok(open_tab(window, Tab::Problems)),
        Invocation::Quit => Ok(quit(state, window)),
        Invocation::Detach => Ok(vec![WindowAction::Detach]),
        invocation => Ok(vec![WindowAction::Run { invocation, typed: typed.to_owned() }]),
    }
}

/// All keys, then all commands.
pub(super) fn help(state: &State) -> Reader {
    let commands = help_text(&[], Surface::Window).unwrap_or_default();
    Reader::chapters("help: keys and commands", &format!("{}# Commands\n{commands}", keys_text(state.settings.leader)))
}

/// Shows a tab and gives it the keys.
pub(super) fn open_tab(window: &mut WindowState, tab: Tab) -> Vec<WindowAction> {
    window.end_scroll_mode();
    if window.panel.tab != tab {
        window.panel.row = 0;
    }
    window.panel.tab = tab;
    window.panel.open = true;
    window.zoom = false;
    window.keyboard = Keyboard::Panel;
    Vec::new()
}

/// Ends the workstation, after a question if anything runs.
pub(super) fn quit(state: &State, window: &mut WindowState) -> Vec<WindowAction> {
    if anything_runs(state) {
        window.overlay = Some(Overlay::Confirm(Confirm::Quit));
        return Vec::new();
    }
    vec![WindowAction::Quit]
}
