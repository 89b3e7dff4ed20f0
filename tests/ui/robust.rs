//! No size, key or state brings a window down.

use paralane::domain::{InputEvent, Key, KeyCode, Modifiers, MouseButton, MouseEvent, MouseKind};
use paralane::protocol::HintUntil;
use proptest::prelude::*;

use crate::support::{at_work, hint};

#[test]
fn every_size_can_be_drawn_with_everything_open() {
    let open: [&[Key]; 12] = [
        &[],
        &[Key::ctrl('g')],
        &[Key::ctrl('p')],
        &[Key::ctrl('g'), Key::char('?')],
        &[Key::ctrl('g'), Key::char('N')],
        &[Key::ctrl('g'), Key::char('0')],
        &[Key::ctrl('g'), Key::char('q')],
        &[Key::ctrl('g'), Key::char('a')],
        &[Key::ctrl('g'), Key::char('a'), Key::char('e')],
        &[Key::ctrl('g'), Key::char('g')],
        &[Key::ctrl('g'), Key::char('[')],
        &[Key::char('/'), Key::char('l')],
    ];
    for keys in open {
        let mut scene = at_work();
        scene.window().hello.hints =
            vec![hint("a hint that is long enough to wrap in a narrow window, twice at least", HintUntil::Asked)];
        for key in keys {
            scene.key(*key);
        }
        for columns in [1, 2, 39, 40, 41, 59, 79, 80, 81, 119, 120, 121, 159, 160, 300] {
            for rows in [1, 2, 9, 10, 11, 12, 15, 16, 17, 24, 60] {
                scene.resize(columns, rows);
                scene.text();
            }
        }
    }
}

fn key() -> impl Strategy<Value = Key> {
    let code = prop_oneof![
        6 => "[ -~]".prop_map(|s| KeyCode::Char(s.chars().next().unwrap())),
        2 => Just(KeyCode::Char('g')),
        1 => Just(KeyCode::Enter),
        1 => Just(KeyCode::Esc),
        1 => Just(KeyCode::Tab),
        1 => Just(KeyCode::Up),
        1 => Just(KeyCode::Down),
        1 => Just(KeyCode::PageUp),
        1 => Just(KeyCode::Backspace),
        1 => Just(KeyCode::Left),
    ];
    (code, any::<(bool, bool)>()).prop_map(|(code, (ctrl, alt))| {
        let ctrl = ctrl && (alt || code == KeyCode::Char('g'));
        Key { code, modifiers: Modifiers { shift: false, alt: alt && !ctrl, ctrl } }
    })
}

fn event() -> impl Strategy<Value = InputEvent> {
    let kind =
        prop_oneof![Just(MouseKind::Down(MouseButton::Left)), Just(MouseKind::WheelUp), Just(MouseKind::WheelDown)];
    prop_oneof![
        8 => key().prop_map(InputEvent::Key),
        1 => (kind, 0u16..130, 0u16..45).prop_map(|(kind, column, row)| {
            InputEvent::Mouse(MouseEvent { kind, column, row, modifiers: Modifiers::NONE })
        }),
        1 => "[a-z漢\n]{0,40}".prop_map(|text| InputEvent::Paste { text, first: true, last: true }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_input_leaves_a_window_that_can_be_drawn(
        events in prop::collection::vec(event(), 1..40),
        columns in 30u16..140,
        rows in 8u16..45,
    ) {
        let mut scene = at_work();
        let pane = scene.pane("sh", &["bash"]);
        scene.live(pane).pane_running = true;
        scene.resize(columns, rows);
        for event in events {
            scene.event(event);
            scene.text();
        }
    }
}
