//! The decoder through its public door.

use proptest::prelude::*;

use super::paste::PIECE;
use super::*;
use crate::domain::{KeyEvent, KeyKind, Modifiers, MoreModifiers, MouseButton, MouseEvent, MouseKind, TerminalReport};

fn events(bytes: &[u8]) -> Vec<InputEvent> {
    Decoder::default().push(bytes)
}

/// The one key that the bytes are.
#[track_caller]
fn key(bytes: &[u8]) -> Key {
    match events(bytes).as_slice() {
        [InputEvent::Key(key)] => *key,
        [InputEvent::RichKey(event)] => event.ours().unwrap(),
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
    let strange = events(b"\x1b[97;9u\x1b[57441;2u\x1b[97;1:3u");
    assert!(
        strange.iter().all(|event| matches!(event, InputEvent::RichKey(key) if key.ours().is_none())),
        "{strange:?}"
    );
}

/// The one event that the bytes are, with all that is known of it.
#[track_caller]
fn rich(bytes: &[u8]) -> KeyEvent {
    match events(bytes).as_slice() {
        [InputEvent::RichKey(event)] => *event,
        other => panic!("{:?} gave {other:?}", String::from_utf8_lossy(bytes)),
    }
}

/// Field case C25: the press is a key like any other, the release says that it is one.
#[test]
fn releases_are_no_second_key() {
    let seen = events(b"\x1b[97;1:1u\x1b[97;1:3u");
    assert_eq!(seen[0], InputEvent::Key(Key::char('a')));
    assert!(matches!(&seen[1..], [InputEvent::RichKey(event)] if event.kind == KeyKind::Release));
    assert_eq!(rich(b"\x1b[97;1:3u").ours(), None);
    let kinds = [KeyKind::Press, KeyKind::Repeat, KeyKind::Release];
    for (last, kind) in [(1, kinds[0]), (2, kinds[1]), (3, kinds[2])] {
        for bytes in [format!("\x1b[1;2:{last}A"), format!("\x1b[3;2:{last}~"), format!("\x1b[13;2:{last}u")] {
            let seen = match events(bytes.as_bytes()).as_slice() {
                [InputEvent::Key(_)] => KeyKind::Press,
                [InputEvent::RichKey(event)] => event.kind,
                other => panic!("{other:?}"),
            };
            assert_eq!(seen, kind, "{bytes:?}");
        }
    }
}

#[test]
fn all_that_kitty_says_of_a_key_is_kept() {
    let event = rich(b"\x1b[49:33;2;33u");
    assert_eq!(event.ours(), Some(Key::char('!')));
    assert_eq!((event.shift, event.unshifted, event.shifted, event.text), (true, Some('1'), Some('!'), Some('!')));

    let event = rich(b"\x1b[1089::99;5u");
    assert_eq!(event.ours(), Some(Key::ctrl('с')));
    assert_eq!((event.unshifted, event.base), (Some('с'), Some('c')));

    // What a third level of the layout gives.
    let event = rich(b"\x1b[113;;64u");
    assert_eq!((event.ours(), event.unshifted), (Some(Key::char('@')), Some('q')));

    let event = rich(b"\x1b[97;65;65u");
    assert_eq!((event.ours(), event.more), (Some(Key::char('A')), MoreModifiers(MoreModifiers::CAPS_LOCK)));
    assert_eq!(rich(b"\x1b[57414;5u").ours(), Some(with(KeyCode::Enter, "c")));
    assert!(rich(b"\x1b[57414u").keypad);
    assert_eq!(rich(b"\x1b[97;33u").ours(), Some(Key::alt('a')), "Meta is an Alt to our own keymaps");
    assert_eq!(rich(b"\x1b[57428u").key, plain(KeyCode::Other(57428)));
    assert_eq!(key(b"\x1b[57398u"), plain(KeyCode::F(35)));
    assert_eq!(events("\x1b[0;;28450:23383u".as_bytes()), ['漢', '字'].map(|c| InputEvent::Key(Key::char(c))));

    // The eighth bit is Super in this protocol, and Meta in xterm's.
    let mut decoder = Decoder::default();
    assert_eq!(decoder.push(b"\x1b[1;9A"), [InputEvent::Key(with(KeyCode::Up, "a"))]);
    decoder.push(b"\x1b[?0u");
    let [InputEvent::RichKey(event)] = decoder.push(b"\x1b[1;9A")[..] else { panic!("no key") };
    assert_eq!((event.ours(), event.more), (None, MoreModifiers(MoreModifiers::SUPER)));
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
    let extra = MouseButton::Extra(9);
    assert_eq!(
        events(b"\x1b[<129;10;5M\x1b[<161;10;5M\x1b[<129;10;5m\x1b[<66;10;5M\x1b[<67;10;5M"),
        [
            MouseKind::Down(extra),
            MouseKind::Drag(extra),
            MouseKind::Up(extra),
            MouseKind::WheelLeft,
            MouseKind::WheelRight
        ]
        .map(|kind| mouse(kind, Modifiers::NONE))
    );
    assert_eq!(events(b"\x1b[M *%"), [mouse(MouseKind::Down(left), Modifiers::NONE)]);
    assert_eq!(
        events(b"\x1b[32;10;5M\x1b[35;10;5M\x1b[97;10;5M"),
        [MouseKind::Down(left), MouseKind::Up(left), MouseKind::WheelDown].map(|kind| mouse(kind, Modifiers::NONE))
    );
    assert_eq!(events(b"\x1b[I\x1b[O"), [InputEvent::Focus(true), InputEvent::Focus(false)]);
    assert_eq!(events(b"\x1b[<0;0;5M\x1b[<192;1;1M\x1b[<64;1;1m"), []);
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
            seen.retain(|event| !matches!(event, InputEvent::Report(_)));
            assert_eq!(seen, [], "{reply:?} cut at {cut}");
            assert_eq!(decoder.push(b"x"), [InputEvent::Key(Key::char('x'))], "{reply:?} cut at {cut}");
        }
    }
}

#[test]
fn what_a_terminal_says_of_itself_is_told_wherever_it_is_cut() {
    use TerminalReport::{Background, Cursor, Dark, Foreground, Palette};
    for (reply, reports) in [
        ("\x1b]10;rgb:c8c8/c8c8/c8c8\x1b\\", vec![Foreground(0xc8, 0xc8, 0xc8)]),
        ("\x1b]11;rgb:1e1e/1e1e/2e2e\x07", vec![Background(0x1e, 0x1e, 0x2e)]),
        ("\x1b]12;#ff8000\x1b\\", vec![Cursor(0xff, 0x80, 0)]),
        ("\x1b]4;1;rgb:ffff/0000/0000;2;rgb:0/f/0\x1b\\", vec![Palette(1, 255, 0, 0), Palette(2, 0, 255, 0)]),
        ("\x1b]4;300;rgb:0/0/0\x1b\\\x1b]52;c;YQ==\x1b\\\x1b]11;?\x1b\\", vec![]),
        ("\x1b[?997;1n\x1b[?997;2n\x1b[?997;3n\x1b[?15;1n", vec![Dark(true), Dark(false)]),
    ] {
        let reports: Vec<_> = reports.into_iter().map(InputEvent::Report).collect();
        for cut in 0..=reply.len() {
            let (first, second) = reply.as_bytes().split_at(cut);
            let mut decoder = Decoder::default();
            let mut seen = decoder.push(first);
            seen.extend(decoder.push(second));
            assert_eq!(seen, reports, "{reply:?} cut at {cut}");
        }
    }
    let endless = [b"\x1b]11;rgb:".as_slice(), &b"1".repeat(100_000), b"\x1b\\x"].concat();
    assert_eq!(events(&endless), [InputEvent::Key(Key::char('x'))]);
}

/// A slow line delivered an Esc and, after the timer, the rest of what it began.
#[test]
fn a_key_that_was_cut_behind_its_esc_is_no_text() {
    for (rest, expected) in [(&b"[A"[..], KeyCode::Up), (b"[1;5C", KeyCode::Right), (b"[3~", KeyCode::Delete)] {
        let mut decoder = Decoder::default();
        decoder.push(b"\x1b");
        decoder.timeout();
        let seen = decoder.push(rest);
        assert!(matches!(&seen[..], [InputEvent::Key(key)] if key.code == expected), "{seen:?}");
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

    /// What the decoder reads from the bytes that a pane's program is sent is the key that was pressed.
    #[test]
    fn every_key_is_read_back_as_it_was_pressed(event in pressed(), flags in 1u8..32, cursor in any::<bool>()) {
        let bytes = crate::terminal::encoded(&event, flags, 0, cursor);
        let mut decoder = Decoder::default();
        decoder.push(b"\x1b[?1u");
        let seen = decoder.push(&bytes).into_iter().map(|event| match event {
            InputEvent::Key(key) => KeyEvent::from(key),
            InputEvent::RichKey(event) => event,
            other => panic!("{other:?} is no key"),
        });
        let seen: Vec<_> = seen.collect();
        if flags == 31 {
            prop_assert_eq!(seen, [event]);
        } else if flags & 4 != 0 && flags & (1 | 8) != 0 && event.kind == KeyKind::Press {
            // Whether Shift is applied already is not known of every character; our keymaps do not look at it.
            let told = |event: &KeyEvent| {
                let key = event.ours().map(|key| match key.code {
                    KeyCode::Char(_) => Key { modifiers: Modifiers { shift: false, ..key.modifiers }, ..key },
                    _ => key,
                });
                (key, event.kind)
            };
            let bare = matches!(event.key.code, KeyCode::Other(57358..=57360 | 57441..=57454)) && flags & 8 == 0;
            prop_assert_eq!(seen.iter().map(told).collect::<Vec<_>>(), if bare { vec![] } else { vec![told(&event)] });
        } else if event.kind == KeyKind::Release && flags & 2 == 0 {
            prop_assert_eq!(seen, []);
        }
    }

    /// The same for xterm's forms, which cannot tell all keys apart: what was read is written the same again.
    #[test]
    fn xterm_codes_are_stable(event in pressed(), other in 0u8..3, cursor in any::<bool>()) {
        let bytes = crate::terminal::encoded(&event, 0, other, cursor);
        let again: Vec<u8> = Decoder::default().push(&bytes).into_iter().flat_map(|event| match event {
            InputEvent::Key(key) => crate::terminal::encoded(&key.into(), 0, other, cursor),
            InputEvent::RichKey(event) => crate::terminal::encoded(&event, 0, other, cursor),
            other => panic!("{other:?} is no key"),
        }).collect();
        // An Esc and what may begin a sequence wait for more; a modified Backspace is Ctrl+H to level 1.
        let waits = bytes == b"\x1b" || bytes == b"\x1b\x1b" || matches!(bytes[..], [ESC, b'[' | b'O' | b']' | b'P' | b'_']);
        let ambiguous = other == 1 && event.key.code == KeyCode::Backspace;
        prop_assert!(
            waits || ambiguous || again == bytes,
            "{:?} {:?}",
            String::from_utf8_lossy(&bytes),
            String::from_utf8_lossy(&again)
        );
    }
}

/// Any key that a terminal can tell of, made from its own words in full.
fn pressed() -> impl Strategy<Value = KeyEvent> {
    let letter = prop::sample::select(vec!['a', 'z', 'é', 'с', '1', '/', ' ', '[', '漢']);
    let named = prop::sample::select(vec![
        9u32, 13, 27, 127, 57358, 57363, 57376, 57398, 57400, 57414, 57417, 57427, 57428, 57441,
    ]);
    let ending = prop::sample::select(vec![
        "A", "B", "C", "D", "F", "H", "P", "Q", "S", "2~", "3~", "5~", "6~", "13~", "15~", "24~",
    ]);
    let shape = prop_oneof![
        letter.prop_map(|c| (u32::from(c).to_string(), "u".to_owned(), Some(c))),
        named.prop_map(|number| (number.to_string(), "u".to_owned(), None)),
        ending.prop_map(|ending| match ending.strip_suffix('~') {
            Some(number) => (number.to_owned(), "~".to_owned(), None),
            None => ("1".to_owned(), ending.to_owned(), None),
        }),
    ];
    (shape, any::<u8>(), 1u8..4, any::<bool>()).prop_map(|((number, last, letter), bits, kind, other_layout)| {
        let plain = bits & !(1 | MoreModifiers::LOCKS) == 0;
        let upper = letter.map(|c| match c {
            '1' => '!',
            '/' => '?',
            '[' => '{',
            c => c.to_uppercase().next().unwrap(),
        });
        let shifted = upper.filter(|upper| bits & 1 != 0 && Some(*upper) != letter);
        let base = letter.filter(|c| other_layout && !c.is_ascii()).map(|_| 'c');
        let alternates = match (shifted, base) {
            (None, None) => String::new(),
            (shifted, base) => {
                let shifted = shifted.map(|c| u32::from(c).to_string()).unwrap_or_default();
                format!(":{shifted}{}", base.map(|c| format!(":{}", u32::from(c))).unwrap_or_default())
            }
        };
        let capital =
            shifted.is_some() || bits & MoreModifiers::CAPS_LOCK != 0 && letter.is_some_and(char::is_alphabetic);
        let text = if capital { upper } else { letter };
        let text = text.filter(|_| plain && kind != 3).map(|c| format!(";{}", u32::from(c))).unwrap_or_default();
        let bytes = format!("\x1b[?1u\x1b[{number}{alternates};{}:{kind}{text}{last}", u16::from(bits) + 1);
        match Decoder::default().push(bytes.as_bytes())[..] {
            [InputEvent::Key(key)] => key.into(),
            [InputEvent::RichKey(event)] => event,
            ref other => panic!("{bytes:?} gave {other:?}"),
        }
    })
}
