//! Which pane is told that it has the focus.

use paralane::app::{Effect, Msg, PaneMsg, PaneOrder, WindowMsg, update};
use paralane::domain::{InputEvent, Key, LaneId, WindowId};
use pretty_assertions::assert_eq;

use crate::support::Sim;

impl Sim {
    /// What panes are told of the focus because of a message.
    fn told_focus(&mut self, msg: Msg) -> Vec<(LaneId, bool)> {
        let env = paralane::app::Env { now: self.now, zone: jiff::tz::TimeZone::UTC, fits: paralane::agent::fits };
        let effects = update(&mut self.state, msg, &env);
        let told = |effect: &Effect| match effect {
            Effect::Pane(lane, PaneOrder::Focus(focused)) => Some((*lane, *focused)),
            _ => None,
        };
        effects.iter().filter_map(told).collect()
    }

    /// How many keys and pieces of a paste panes are given because of a message.
    fn given(&mut self, msg: Msg) -> usize {
        let env = paralane::app::Env { now: self.now, zone: jiff::tz::TimeZone::UTC, fits: paralane::agent::fits };
        let effects = update(&mut self.state, msg, &env);
        let given = |effect: &&Effect| matches!(effect, Effect::Pane(_, PaneOrder::Key(_) | PaneOrder::Paste { .. }));
        effects.iter().filter(given).count()
    }

    fn typed(&mut self, window: WindowId, key: Key) -> Vec<(LaneId, bool)> {
        self.told_focus(Msg::Window(window, WindowMsg::Input(InputEvent::Key(key))))
    }
}

#[test]
fn the_pane_that_is_typed_into_in_the_window_used_last_has_the_focus() {
    let mut sim = Sim::with(&[]);
    sim.ok("lane new one -- agent");
    sim.ok("lane new two -- agent");
    let (one, two) = (sim.lane("one").id, sim.lane("two").id);
    let (first, second) = (sim.window(), sim.another_window());
    for window in [first, second] {
        sim.state.windows.get_mut(&window).unwrap().focus_on(one);
    }
    sim.typed(first, Key::ctrl('g'));
    assert_eq!(sim.typed(first, Key::char('i')), [(one, true)]);
    // To another lane, and to the prompt bar and back.
    sim.typed(first, Key::ctrl('g'));
    assert_eq!(sim.typed(first, Key::char('j')), [(one, false), (two, true)]);
    sim.typed(first, Key::ctrl('g'));
    assert_eq!(sim.typed(first, Key::plain(paralane::domain::KeyCode::Esc)), [(two, false)]);
    sim.typed(first, Key::ctrl('g'));
    assert_eq!(sim.typed(first, Key::char('i')), [(two, true)]);
    // The terminal loses it and gets it again.
    let focus = |window, on| Msg::Window(window, WindowMsg::Input(InputEvent::Focus(on)));
    assert_eq!(sim.told_focus(focus(first, false)), [(two, false)]);
    assert_eq!(sim.told_focus(focus(first, true)), [(two, true)]);
    // Another window is used: its prompt bar has the keys.
    assert_eq!(sim.typed(second, Key::char('x')), [(two, false)]);
    assert_eq!(sim.typed(first, Key::char('x')), [(two, true)]);
    // A program that starts anew is told anew, one that is no longer typed into loses it.
    assert_eq!(sim.told_focus(Msg::Pane(two, PaneMsg::Started)), [(two, true)]);
    assert_eq!(sim.told_focus(Msg::Window(first, WindowMsg::Gone)), [(two, false)]);
}

#[test]
fn a_lane_made_by_a_shell_is_shown_unless_somebody_is_at_work() {
    let mut sim = Sim::with(&[]);
    sim.ok("lane new one -- agent");
    let window = sim.window();
    let focus = |sim: &Sim| sim.state.windows[&window].focus;
    sim.ok("lane new two -- agent");
    assert_eq!(focus(&sim), Some(sim.lane("two").id));
    sim.typed(window, Key::char('x'));
    sim.ok("lane new three -- agent");
    assert_eq!(focus(&sim), Some(sim.lane("two").id), "a draft stands there");
    sim.typed(window, Key::ctrl('g'));
    sim.typed(window, Key::char('i'));
    sim.ok("lane new four -- agent");
    assert_eq!(focus(&sim), Some(sim.lane("two").id), "a pane is typed into");
}

#[test]
fn the_set_up_stays_away_where_lanes_are() {
    for (lanes, offered) in [(1, false), (0, true)] {
        let mut sim = Sim::with(&[]);
        sim.state.settings.first_run = true;
        for _ in 0..lanes {
            sim.ok("lane new one -- agent");
        }
        let window = sim.window();
        paralane::app::window::settle(&mut sim.state, window, sim.now);
        assert_eq!(sim.state.windows[&window].overlay.is_some(), offered, "{lanes} lanes");
    }
}

#[test]
fn what_is_typed_for_a_program_that_has_ended_goes_nowhere() {
    let mut sim = Sim::with(&[]);
    sim.ok("lane new one -- agent");
    let one = sim.lane("one").id;
    let window = sim.window();
    sim.typed(window, Key::ctrl('g'));
    sim.typed(window, Key::char('i'));
    sim.told_focus(Msg::Pane(one, PaneMsg::Exited("exited with status 0".to_owned())));
    paralane::app::window::settle(&mut sim.state, window, sim.now);
    for key in [Key::char('x'), Key::plain(paralane::domain::KeyCode::Enter), Key::ctrl('c')] {
        sim.typed(window, key);
    }
    let text = "a paste".to_owned();
    sim.told_focus(Msg::Window(window, WindowMsg::Input(InputEvent::Paste { text, first: true, last: true })));
    let state = &sim.state.windows[&window];
    assert!(state.draft.is_empty() && state.toast.is_some() && sim.state.model.prompts.is_empty());
    sim.typed(window, Key::char('/'));
    assert_eq!(sim.state.windows[&window].draft.text(), "/");
}

#[test]
fn a_paste_is_ended_for_a_window_that_goes_and_mixed_with_nothing() {
    let mut sim = Sim::with(&[]);
    sim.ok("lane new one -- agent");
    let one = sim.lane("one").id;
    let (first, second) = (sim.window(), sim.another_window());
    for window in [first, second] {
        sim.typed(window, Key::ctrl('g'));
        sim.typed(window, Key::char('i'));
    }
    let piece = |window, text: &str, first, last| {
        Msg::Window(window, WindowMsg::Input(InputEvent::Paste { text: text.to_owned(), first, last }))
    };
    assert_eq!(sim.given(piece(first, "one ", true, false)), 1);
    assert_eq!(sim.given(Msg::Window(second, WindowMsg::Input(InputEvent::Key(Key::char('x'))))), 0);
    assert_eq!(sim.given(piece(second, "two", true, false)), 0);
    assert_eq!(sim.given(piece(second, "two", false, true)), 0);
    assert!(sim.state.windows[&second].toast.is_some());
    let end = PaneOrder::Paste { text: String::new(), first: false, last: true };
    let env = paralane::app::Env { now: sim.now, zone: jiff::tz::TimeZone::UTC, fits: paralane::agent::fits };
    let effects = update(&mut sim.state, Msg::Window(first, WindowMsg::Gone), &env);
    assert!(effects.contains(&Effect::Pane(one, end)), "{effects:?}");
    assert_eq!(sim.given(piece(second, "three", true, true)), 1);
}

#[test]
fn a_window_too_small_still_takes_what_is_typed_but_answers_nothing() {
    let mut sim = Sim::with(&[]);
    sim.ok("lane new one -- agent");
    let window = sim.window();
    let resize = |sim: &mut Sim, columns, rows| {
        let size = paralane::domain::Size { columns, rows };
        sim.told_focus(Msg::Window(window, WindowMsg::Resized(size)));
        paralane::app::window::settle(&mut sim.state, window, sim.now);
    };
    let key = |key| Msg::Window(window, WindowMsg::Input(InputEvent::Key(key)));
    resize(&mut sim, 30, 6);
    sim.typed(window, Key::char('h'));
    sim.typed(window, Key::char('i'));
    let text = " there".to_owned();
    sim.told_focus(Msg::Window(window, WindowMsg::Input(InputEvent::Paste { text, first: true, last: true })));
    assert_eq!(sim.state.windows[&window].draft.text(), "hi there");
    // Into the program, by the leader and back.
    sim.typed(window, Key::ctrl('g'));
    sim.typed(window, Key::char('i'));
    assert_eq!(sim.given(key(Key::char('x'))), 1);
    assert_eq!(sim.given(key(Key::plain(paralane::domain::KeyCode::Esc))), 1);
    sim.typed(window, Key::ctrl('g'));
    sim.typed(window, Key::plain(paralane::domain::KeyCode::Esc));
    // A list takes no keys while nobody sees it, and Esc leads back to the draft.
    sim.typed(window, Key::ctrl('g'));
    sim.typed(window, Key::char('a'));
    sim.typed(window, Key::char('j'));
    assert_eq!(sim.state.windows[&window].keyboard, paralane::app::window::Keyboard::Panel);
    assert_eq!(sim.state.windows[&window].draft.text(), "hi there");
    sim.typed(window, Key::plain(paralane::domain::KeyCode::Esc));
    sim.typed(window, Key::char('!'));
    assert_eq!(sim.state.windows[&window].draft.text(), "hi there!");
}
