//! The decoder through its public door.

use proptest::prelude::*;

use super::paste::PIECE;
use super::*;
use crate::domain::{Modifiers, MouseButton, MouseEvent, MouseKind};

fn events(bytes: &[u8]) -> Vec<InputEvent> {
    Decoder::default().push(bytes)
}

/// The one key that the bytes are.
#[track_caller]
fn key(bytes: &[u8]) -> Key {
    match events(bytes).as_slice() {
        [InputEvent::Key(key)] => *key,
        other => panic!("{:?} gave {other:?}", String::from_utf8_lossy(bytes)),
    }
}

fn plain(code: KeyCode) -> Key {
    Key::plain(code)
}

fn with(code: KeyCode, modifiers: &str) -> Key {
    let has = |c| modifiers.contains(c);
    Key { code, modifiers: Modifiers { shift: has('s'), alt: has('a'), ctrl: has('c') } }
}

#[test]
fn text_and_control_characters() {
    assert_eq!(key(b"a"), Key::char('a'));
    assert_eq!(key("漢".as_bytes()), Key::char('漢'));
    assert_eq!(key(b"\r"), plain(KeyCode::Enter));
    assert_eq!(key(b"\n"), Key::ctrl('j'));
    assert_eq!(key(b"\t"), plain(KeyCode::Tab));
    assert_eq!(key(b"\x7f"), plain(KeyCode::Backspace));
    assert_eq!(key(b"\x07"), Key::ctrl('g'));
    assert_eq!(key(b"\x00"), Key::ctrl(' '));
    assert_eq!(key(b"\x1f"), Key::ctrl('_'));
    assert!(events(b"\xff\xc2\x80").is_empty());
}

#[test]
fn xterm_keys() {
    assert_eq!(key(b"\x1b[A"), plain(KeyCode::Up));
    assert_eq!(key(b"\x1bOA"), plain(KeyCode::Up));
    assert_eq!(key(b"\x1b[1;5A"), with(KeyCode::Up, "c"));
    assert_eq!(key(b"\x1b[1;7A"), with(KeyCode::Up, "ca"));
    assert_eq!(key(b"\x1bO5C"), with(KeyCode::Right, "c"));
    assert_eq!(key(b"\x1b\x1b[A"), with(KeyCode::Up, "a"));
    assert_eq!(key(b"\x1b[H"), plain(KeyCode::Home));
    assert_eq!(key(b"\x1b[4~"), plain(KeyCode::End));
    assert_eq!(key(b"\x1b[3;2~"), with(KeyCode::Delete, "s"));
    assert_eq!(key(b"\x1bOP"), plain(KeyCode::F(1)));
    assert_eq!(key(b"\x1b[[B"), plain(KeyCode::F(2)));
    assert_eq!(key(b"\x1b[1;5R"), with(KeyCode::F(3), "c"));
    assert_eq!(key(b"\x1b[15~"), plain(KeyCode::F(5)));
    assert_eq!(key(b"\x1b[24;2~"), with(KeyCode::F(12), "s"));
    assert_eq!(key(b"\x1b[34~"), plain(KeyCode::F(20)));
    assert_eq!(key(b"\x1b[Z"), plain(KeyCode::BackTab));
    assert_eq!(key(b"\x1bOM"), plain(KeyCode::Enter));
    assert_eq!(key(b"\x1bOp"), Key::char('0'));
}

#[test]
fn alt_is_a_prefix() {
    assert_eq!(key(b"\x1bh"), Key::alt('h'));
    assert_eq!(key("\x1bé".as_bytes()), Key::alt('é'));
    assert_eq!(key(b"\x1b\r"), with(KeyCode::Enter, "a"));
    assert_eq!(key(b"\x1b\x7f"), with(KeyCode::Backspace, "a"));
    assert_eq!(key(b"\x1b\x13"), with(KeyCode::Char('s'), "ca"));
    assert_eq!(events(b"\x1bPq"), [Key::alt('P'), Key::char('q')].map(InputEvent::Key));
}

#[test]
fn kitty_keys() {
    assert_eq!(key(b"\x1b[13;2u"), with(KeyCode::Enter, "s"));
    assert_eq!(key(b"\x1b[27u"), plain(KeyCode::Esc));
    assert_eq!(key(b"\x1b[9;2u"), plain(KeyCode::BackTab));
    assert_eq!(key(b"\x1b[44;7u"), with(KeyCode::Char(','), "ca"));
    assert_eq!(key(b"\x1b[97;6u"), with(KeyCode::Char('a'), "cs"));
    assert_eq!(key(b"\x1b[97;4u"), Key::alt('A'));
    assert_eq!(key(b"\x1b[49:33;4u"), Key::alt('!'));
    assert_eq!(key(b"\x1b[97;129u"), Key::char('a'));
    assert_eq!(key(b"\x1b[57414u"), plain(KeyCode::Enter));
    assert_eq!(key(b"\x1b[57376;5u"), with(KeyCode::F(13), "c"));
    assert!(events(b"\x1b[97;9u\x1b[57441;2u").is_empty(), "super and bare modifiers have no key here");
}

#[test]
fn releases_are_no_second_key() {
    assert_eq!(events(b"\x1b[97;1:1u\x1b[97;1:3u"), [InputEvent::Key(Key::char('a'))]);
    assert_eq!(events(b"\x1b[1;1:1A\x1b[1;1:2A\x1b[1;1:3A").len(), 2);
    assert_eq!(events(b"\x1b[3;1:3~"), []);
}

#[test]
fn modify_other_keys() {
    assert_eq!(key(b"\x1b[27;2;13~"), with(KeyCode::Enter, "s"));
    assert_eq!(key(b"\x1b[27;5;105~"), Key::ctrl('i'));
    assert_eq!(key(b"\x1b[27;6;65~"), with(KeyCode::Char('a'), "cs"));
    assert_eq!(key(b"\x1b[27;4;63~"), Key::alt('?'));
}

#[test]
fn mouse_and_focus() {
    let mouse = |kind, modifiers| InputEvent::Mouse(MouseEvent { kind, column: 9, row: 4, modifiers });
    let left = MouseButton::Left;
    assert_eq!(
        events(b"\x1b[<0;10;5M\x1b[<32;10;5M\x1b[<0;10;5m\x1b[<64;10;5M\x1b[<65;10;5M\x1b[<16;10;5M\x1b[<35;10;5M"),
        [
            mouse(MouseKind::Down(left), Modifiers::NONE),
            mouse(MouseKind::Drag(left), Modifiers::NONE),
            mouse(MouseKind::Up(left), Modifiers::NONE),
            mouse(MouseKind::WheelUp, Modifiers::NONE),
            mouse(MouseKind::WheelDown, Modifiers::NONE),
            mouse(MouseKind::Down(left), Modifiers::CTRL),
            mouse(MouseKind::Moved, Modifiers::NONE),
        ]
    );
    assert_eq!(events(b"\x1b[M *%"), [mouse(MouseKind::Down(left), Modifiers::NONE)]);
    assert_eq!(events(b"\x1b[I\x1b[O"), [InputEvent::Focus(true), InputEvent::Focus(false)]);
    assert_eq!(events(b"\x1b[<0;0;5M\x1b[<128;1;1M\x1b[<66;1;1M"), []);
}

/// Field case C20.
#[test]
fn esc_and_a_letter_later_are_two_keys() {
    let mut decoder = Decoder::default();
    assert_eq!(decoder.push(b"\x1b"), []);
    assert!(decoder.waiting());
    assert_eq!(decoder.timeout(), [InputEvent::Key(ESC_KEY)]);
    assert!(!decoder.waiting());
    assert_eq!(decoder.push(b"h"), [InputEvent::Key(Key::char('h'))]);

    assert_eq!(decoder.push(b"\x1bh"), [InputEvent::Key(Key::alt('h'))]);
    assert!(!decoder.waiting());
}

#[test]
fn what_silence_turns_into_keys() {
    for (bytes, expected) in [
        (&b"\x1b\x1b"[..], vec![ESC_KEY, ESC_KEY]),
        (b"\x1b[", vec![Key::alt('[')]),
        (b"\x1bO", vec![Key::alt('O')]),
        (b"\x1b\x1b[", vec![ESC_KEY, Key::alt('[')]),
        (b"\x1b[1;5", vec![]),
        (b"\xe6\xbc", vec![]),
    ] {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.push(bytes), []);
        assert_eq!(decoder.waiting(), !expected.is_empty());
        assert_eq!(decoder.timeout(), expected.into_iter().map(InputEvent::Key).collect::<Vec<_>>());
    }
}

const REPLIES: [&str; 16] = [
    "\x1b[?62;22;52c",
    "\x1b[>1;95;0c",
    "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\",
    "\x1b]11;rgb:1e1e/1e1e/2e2e\x07",
    "\x1b]4;1;rgb:ffff/0000/0000\x1b\\",
    "\x1bP>|XTerm(390)\x1b\\",
    "\x1bP1+r4d73=1b5d\x1b\\",
    "\x1bP1$r0m\x1b\\",
    "\x1b[?2026;2$y",
    "\x1b[?1u",
    "\x1b[0n",
    "\x1b[24;80R",
    "\x1b[4;600;800t",
    "\x1b_Gi=31;OK\x1b\\",
    "\x1b[?997;1n",
    "\x1b[1;1R",
];

/// Field case C22, at every cut and with silence at the cut.
#[test]
fn late_replies_are_never_typed() {
    for reply in REPLIES {
        for cut in 0..=reply.len() {
            let (first, second) = reply.as_bytes().split_at(cut);
            let mut decoder = Decoder::default();
            let mut seen = decoder.push(first);
            seen.extend(decoder.timeout());
            seen.extend(decoder.push(second));
            // A line cut right behind the introducer cannot be told from the key; the rest can.
            seen.retain(|event| !matches!(event, InputEvent::Key(key) if *key == ESC_KEY || key.modifiers.alt));
            assert_eq!(seen, [], "{reply:?} cut at {cut}");
            assert_eq!(decoder.push(b"x"), [InputEvent::Key(Key::char('x'))], "{reply:?} cut at {cut}");
        }
        assert_eq!(events(reply.as_bytes()), [], "{reply:?}");
    }
}

#[test]
fn a_reply_without_an_end_does_not_swallow_for_ever() {
    let mut decoder = Decoder::default();
    assert_eq!(decoder.push(b"\x1b]11;rgb:1e"), []);
    assert_eq!(decoder.push(b"\rok").len(), 3);
    assert_eq!(decoder.push(b"\x1b]11;rgb:1e\x1b[A"), [InputEvent::Key(plain(KeyCode::Up))]);
}

#[test]
fn the_kitty_answer_counts_before_the_attributes() {
    let mut decoder = Decoder::default();
    assert_eq!(decoder.kitty(), None);
    decoder.push(b"\x1b[?0u\x1b[?62c");
    assert_eq!(decoder.kitty(), Some(true));

    let mut decoder = Decoder::default();
    decoder.push(b"\x1b[?62c\x1b[?0u");
    assert_eq!(decoder.kitty(), Some(false));
}

#[test]
fn unknown_sequences_go_whole() {
    let long = [b"\x1b[".as_slice(), &[b'1'; 1000], b"Xa"].concat();
    assert_eq!(events(&long), [InputEvent::Key(Key::char('a'))]);
    assert_eq!(events(b"\x1b[5 q\x1b[99~\x1b[201~\x1bOza"), [InputEvent::Key(Key::char('a'))]);
    assert_eq!(events(b"\x1b[12\ra"), [plain(KeyCode::Enter), Key::char('a')].map(InputEvent::Key));
}

/// Pieces of one paste joined, other events as they are.
fn joined(events: Vec<InputEvent>) -> Vec<InputEvent> {
    let mut out: Vec<InputEvent> = Vec::new();
    for event in events {
        match (out.last_mut(), event) {
            (
                Some(InputEvent::Paste { text, last: ended @ false, .. }),
                InputEvent::Paste { text: more, first: false, last },
            ) => {
                text.push_str(&more);
                *ended = last;
            }
            (_, event) => out.push(event),
        }
    }
    out
}

fn paste(text: &str) -> InputEvent {
    InputEvent::Paste { text: text.into(), first: true, last: true }
}

#[test]
fn a_paste_is_one_whatever_the_reads() {
    let mut decoder = Decoder::default();
    let mut seen = Vec::new();
    for piece in [&b"\x1b[200~a\nb"[..], b"\nc\x1b[20", b"1~x"] {
        seen.extend(decoder.push(piece));
    }
    assert_eq!(seen, [paste("a\nb\nc"), InputEvent::Key(Key::char('x'))]);
    assert_eq!(events(b"\x1b[200~\x1b[201~"), [paste("")]);
    assert_eq!(events(b"\x1b[200~a\x1b[31mb\x1b[200~\x1b[201~"), [paste("a\x1b[31mb\x1b[200~")]);
    assert_eq!(events(b"\x1b[200~a\xffb\xe6\xbc\x1b[201~"), [paste("a\u{fffd}b\u{fffd}")]);
}

#[test]
fn a_paste_that_stops_is_shown_so_far() {
    let mut decoder = Decoder::default();
    assert_eq!(decoder.push(b"\x1b[200~ab\x1b[2"), []);
    assert!(decoder.waiting());
    assert_eq!(decoder.timeout(), [InputEvent::Paste { text: "ab".into(), first: true, last: false }]);
    assert!(!decoder.waiting());
    assert_eq!(decoder.push(b"01~"), [InputEvent::Paste { text: String::new(), first: false, last: true }]);
}

/// Field case C18.
#[test]
fn twenty_megabytes_come_whole_in_small_pieces() {
    let text = "0123456789abcdé\n".repeat(20 * 1024 * 1024 / 17);
    let mut decoder = Decoder::default();
    let mut seen = decoder.push(b"\x1b[200~");
    for chunk in text.as_bytes().chunks(4095) {
        seen.extend(decoder.push(chunk));
        assert!(decoder.pending.len() <= 6);
    }
    seen.extend(decoder.push(b"\x1b[201~"));
    assert!(seen.iter().all(|event| matches!(event, InputEvent::Paste { text, .. } if text.len() <= PIECE)));
    assert_eq!(joined(seen), [paste(&text)]);
}

fn anything() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(vec![
        "\x1b[A",
        "\x1bOB",
        "\x1b[1;5C",
        "\x1b[3~",
        "\x1b[13;2u",
        "\x1b[97;1:3u",
        "\x1b[27;2;13~",
        "\x1b[<0;10;5M",
        "\x1b[M *%",
        "\x1b[I",
        "\x1b[200~ab\ncé\x1b[201~",
        "\x1b[200~\x1b[20",
        "\x1bh",
        "\x1b\x1b[A",
        "\x1b\x1b",
        "\x1b[[A",
        "\x1b]11;rgb:1/2/3\x1b\\",
        "\x1bP>|x\x07",
        "\x1b[?62c",
        "漢",
        "é",
        "\r",
        "\x03",
        "a",
        "\x1bO5D",
        "\x1b",
    ]);
    let piece = prop_oneof![
        6 => known.prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..6),
    ];
    prop::collection::vec(piece, 1..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn the_cut_does_not_matter(bytes in anything(), size in 1usize..7) {
        let whole = Decoder::default().push(&bytes);
        let mut decoder = Decoder::default();
        let mut cut = Vec::new();
        for chunk in bytes.chunks(size) {
            cut.extend(decoder.push(chunk));
        }
        prop_assert_eq!(cut, whole);
    }

    #[test]
    fn silence_anywhere_does_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..64), size in 1usize..7) {
        let mut decoder = Decoder::default();
        for chunk in bytes.chunks(size) {
            decoder.push(chunk);
            decoder.timeout();
            prop_assert!(!decoder.waiting());
        }
    }
}
