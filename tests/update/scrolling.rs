//! Scroll-back's way through the whole: a pane's text is asked for by a window and comes back to it, the mouse that
//! no program wants comes back, and what is copied and opened leaves as effects.

use std::sync::Arc;

use jiff::tz::TimeZone;
use paralane::app::{Effect, Env, Msg, WindowMsg, update};
use paralane::base::Report;
use paralane::domain::{
    InputEvent, Key, KeyCode, LaneId, Line, Modifiers, MouseButton, MouseEvent, MouseKind, PaneText, WindowId,
};

use crate::support::Sim;

struct Scrolled {
    sim: Sim,
    lane: LaneId,
    window: WindowId,
}

impl Scrolled {
    fn new() -> Self {
        let mut sim = Sim::with(&[]);
        sim.ok("lane new sh -- sh");
        let (lane, window) = (sim.lane("sh").id, sim.window());
        Self { sim, lane, window }
    }

    /// What a message of the window comes to.
    fn tell(&mut self, msg: WindowMsg) -> Vec<Effect> {
        let env = Env { now: self.sim.now, zone: TimeZone::UTC, fits: paralane::agent::fits };
        let effects = update(&mut self.sim.state, Msg::Window(self.window, msg), &env);
        effects.into_iter().filter(|e| !matches!(e, Effect::WakeAt(_) | Effect::Commit { .. })).collect()
    }

    fn key(&mut self, key: Key) -> Vec<Effect> {
        self.tell(WindowMsg::Input(InputEvent::Key(key)))
    }

    fn keys(&mut self, text: &str) -> Vec<Effect> {
        text.chars().flat_map(|c| self.key(Key::char(c))).collect()
    }

    fn text(&mut self) -> Vec<Effect> {
        let lines = ["see https://example.com/x", "last"];
        let lines = lines.map(|text| Arc::new(Line { text: text.into(), ..Line::default() }));
        self.tell(WindowMsg::PaneText(self.lane, Ok(PaneText::new(0, lines.to_vec(), Vec::new(), 0))))
    }
}

#[test]
fn a_text_is_asked_for_once_and_what_is_typed_meanwhile_is_done_then() {
    let mut at = Scrolled::new();
    at.key(Key::ctrl('g'));
    let (window, lane) = (at.window, at.lane);
    let asked = at.keys("[");
    assert!(asked.contains(&Effect::PaneText(window, lane)), "{asked:?}");
    assert!(at.keys("ky[").is_empty(), "nothing is asked twice, nothing is lost");
    assert_eq!(at.text(), [Effect::Copy(window, "see https://example.com/x\n".into())]);
    assert!(at.keys("$").is_empty());
    assert_eq!(at.key(Key::plain(KeyCode::Enter)), [Effect::Open(window, "https://example.com/x".into())]);
    at.tell(WindowMsg::Said(Report::done("opened it")));
    let toast = at.sim.state.windows[&window].toast.clone().unwrap();
    assert_eq!(toast.report.message, "opened it");
    let whole = "see https://example.com/x\nlast\n".to_owned();
    assert_eq!(at.keys("O"), [Effect::Edit { window, name: "sh".into(), text: whole, line: 1 }]);
    at.tell(WindowMsg::Edited(Err(Report::refused("no editor"))));
    assert_eq!(at.sim.state.windows[&window].toast.clone().unwrap().report.message, "no editor");
}

#[test]
fn a_text_that_comes_too_late_changes_nothing() {
    let mut at = Scrolled::new();
    at.key(Key::ctrl('g'));
    at.keys("[");
    at.sim.ok("lane new api");
    at.sim.ok("lane focus api");
    assert!(at.text().is_empty());
    assert!(at.sim.state.windows[&at.window].scroll.is_none());
    at.keys("hello");
    assert_eq!(at.sim.state.windows[&at.window].draft.text(), "hello");
}

#[test]
fn the_mouse_goes_to_the_program_first() {
    let mut at = Scrolled::new();
    let (window, lane) = (at.window, at.lane);
    let wheel = MouseEvent { kind: MouseKind::WheelUp, column: 40, row: 20, modifiers: Modifiers::NONE };
    let sent = at.tell(WindowMsg::Input(InputEvent::Mouse(wheel)));
    let [Effect::PaneMouse(to, of, inside)] = sent[..] else { panic!("{sent:?}") };
    assert_eq!((to, of), (window, lane));
    assert_eq!(at.tell(WindowMsg::UnwantedMouse(lane, inside)), [Effect::PaneText(window, lane)]);
    at.text();
    assert!(at.sim.state.windows[&window].scroll.is_some());
    // What comes back late, when the mode is on already, begins nothing anew.
    assert!(at.tell(WindowMsg::UnwantedMouse(lane, inside)).is_empty());
    at.keys("q");
    // With Shift the mouse is ours from the beginning.
    let drag = |kind, column| MouseEvent { kind, column, row: 4, modifiers: Modifiers::SHIFT };
    let left = MouseButton::Left;
    assert!(at.tell(WindowMsg::Input(InputEvent::Mouse(drag(MouseKind::Down(left), 23)))).is_empty());
    let asked = at.tell(WindowMsg::Input(InputEvent::Mouse(drag(MouseKind::Drag(left), 25))));
    assert_eq!(asked, [Effect::PaneText(window, lane)]);
    at.text();
    let released = at.tell(WindowMsg::Input(InputEvent::Mouse(drag(MouseKind::Up(left), 25))));
    assert_eq!(released, [Effect::Copy(window, "see".into())]);
}
