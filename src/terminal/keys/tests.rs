//! Every table of the encoders.

use super::*;
use crate::domain::{Key, KeyCode, KeyKind, Modifiers, MoreModifiers};

const LEGACY: Modes = Modes {
    alternate_screen: false,
    bracketed_paste: false,
    application_cursor: false,
    application_keypad: false,
    focus: false,
    cursor_shown: true,
    mouse: crate::terminal::mouse::Wanted::Nothing,
    mouse_encoding: crate::terminal::mouse::Encoding::Bytes,
    alternate_scroll: true,
    kitty_keys: 0,
    other_keys: 0,
};
const CTRL_ALT: Modifiers = Modifiers { shift: false, alt: true, ctrl: true };
const ALL: Modifiers = Modifiers { shift: true, alt: true, ctrl: true };

fn sent(code: KeyCode, modifiers: Modifiers) -> String {
    String::from_utf8(encode(&Key { code, modifiers }.into(), &LEGACY)).unwrap()
}

#[test]
fn characters() {
    let none = Modifiers::NONE;
    for (c, modifiers, bytes) in [
        ('a', none, "a"),
        ('é', none, "é"),
        ('漢', Modifiers::ALT, "\x1b漢"),
        ('A', Modifiers::SHIFT, "A"),
        ('c', Modifiers::CTRL, "\x03"),
        ('C', Modifiers::CTRL, "\x03"),
        ('j', Modifiers::CTRL, "\n"),
        (' ', Modifiers::CTRL, "\0"),
        ('/', Modifiers::CTRL, "\x1f"),
        ('8', Modifiers::CTRL, "\x7f"),
        ('1', Modifiers::CTRL, "1"),
        ('x', Modifiers::ALT, "\x1bx"),
        ('x', CTRL_ALT, "\x1b\x18"),
    ] {
        assert_eq!(sent(KeyCode::Char(c), modifiers), bytes, "{c:?} {modifiers:?}");
    }
}

#[test]
fn named_keys() {
    let none = Modifiers::NONE;
    for (code, modifiers, bytes) in [
        (KeyCode::Enter, none, "\r"),
        (KeyCode::Tab, none, "\t"),
        (KeyCode::Tab, Modifiers::SHIFT, "\x1b[Z"),
        (KeyCode::BackTab, Modifiers::SHIFT, "\x1b[Z"),
        (KeyCode::BackTab, none, "\x1b[Z"),
        (KeyCode::Backspace, none, "\x7f"),
        (KeyCode::Backspace, Modifiers::CTRL, "\x08"),
        (KeyCode::Backspace, Modifiers::ALT, "\x1b\x7f"),
        (KeyCode::Esc, none, "\x1b"),
        (KeyCode::Esc, Modifiers::ALT, "\x1b\x1b"),
        (KeyCode::Up, none, "\x1b[A"),
        (KeyCode::Left, Modifiers::CTRL, "\x1b[1;5D"),
        (KeyCode::Right, ALL, "\x1b[1;8C"),
        (KeyCode::Home, none, "\x1b[H"),
        (KeyCode::End, Modifiers::SHIFT, "\x1b[1;2F"),
        (KeyCode::Delete, none, "\x1b[3~"),
        (KeyCode::Insert, Modifiers::ALT, "\x1b[2;3~"),
        (KeyCode::PageUp, none, "\x1b[5~"),
        (KeyCode::PageDown, Modifiers::CTRL, "\x1b[6;5~"),
        (KeyCode::F(1), none, "\x1bOP"),
        (KeyCode::F(4), Modifiers::CTRL, "\x1b[1;5S"),
        (KeyCode::F(5), none, "\x1b[15~"),
        (KeyCode::F(12), Modifiers::SHIFT, "\x1b[24;2~"),
        (KeyCode::F(13), none, "\x1b[1;2P"),
        (KeyCode::F(24), none, "\x1b[24;2~"),
        (KeyCode::F(99), none, ""),
    ] {
        assert_eq!(sent(code, modifiers), bytes, "{code:?} {modifiers:?}");
    }
}

#[test]
fn the_keypad_has_a_form_of_its_own_where_it_was_asked_for() {
    let on_keypad = |code| KeyEvent { keypad: true, ..Key::plain(code).into() };
    let modes = Modes { application_keypad: true, ..LEGACY };
    for (code, plain, application) in [
        (KeyCode::Enter, "\r", "\x1bOM"),
        (KeyCode::Char('0'), "0", "\x1bOp"),
        (KeyCode::Char('9'), "9", "\x1bOy"),
        (KeyCode::Char('*'), "*", "\x1bOj"),
        (KeyCode::Char('/'), "/", "\x1bOo"),
        (KeyCode::Char('='), "=", "\x1bOX"),
    ] {
        assert_eq!(encode(&on_keypad(code), &LEGACY), plain.as_bytes());
        assert_eq!(encode(&on_keypad(code), &modes), application.as_bytes());
        assert_eq!(encode(&Key::plain(code).into(), &modes), plain.as_bytes());
    }
}

#[test]
fn application_cursor_keys_are_used_without_modifiers_only() {
    let modes = Modes { application_cursor: true, ..LEGACY };
    let sent = |code, modifiers| encode(&Key { code, modifiers }.into(), &modes);
    assert_eq!(sent(KeyCode::Up, Modifiers::NONE), b"\x1bOA");
    assert_eq!(sent(KeyCode::Home, Modifiers::NONE), b"\x1bOH");
    assert_eq!(sent(KeyCode::Up, Modifiers::CTRL), b"\x1b[1;5A");
}

#[test]
fn a_meant_newline_is_never_a_bare_carriage_return() {
    assert_eq!(sent(KeyCode::Enter, Modifiers::SHIFT), "\x1b\r");
    assert_eq!(sent(KeyCode::Enter, Modifiers::ALT), "\x1b\r");
}

/// What a terminal that tells everything would say, as the event that it makes here.
fn told(code: KeyCode, modifiers: Modifiers) -> KeyEvent {
    Key { code, modifiers }.into()
}

fn kitty(event: &KeyEvent, flags: u8) -> String {
    String::from_utf8(encode(event, &Modes { kitty_keys: flags, ..LEGACY })).unwrap()
}

fn other(event: &KeyEvent, level: u8) -> String {
    String::from_utf8(encode(event, &Modes { other_keys: level, ..LEGACY })).unwrap()
}

const REPEATED: fn(KeyEvent) -> KeyEvent = |event| KeyEvent { kind: KeyKind::Repeat, ..event };
const RELEASED: fn(KeyEvent) -> KeyEvent = |event| KeyEvent { kind: KeyKind::Release, text: None, ..event };

/// Field cases C15 and C25, and the rest of the protocol's own tables.
#[test]
fn kitty_keys_are_what_the_flags_ask_for() {
    let none = Modifiers::NONE;
    let a = told(KeyCode::Char('a'), none);
    let capital = told(KeyCode::Char('A'), none);
    let bang = KeyEvent { shift: true, unshifted: Some('1'), shifted: Some('!'), ..told(KeyCode::Char('!'), none) };
    let alt_bang = KeyEvent { key: Key::alt('!'), text: None, ..bang };
    let es = KeyEvent { base: Some('c'), ..told(KeyCode::Char('с'), Modifiers::CTRL) };
    let enter = told(KeyCode::Enter, none);
    let up = told(KeyCode::Up, none);
    let shift_key = told(KeyCode::Other(57441), none);
    let keypad = |code| KeyEvent { keypad: true, ..told(code, none) };
    let locked = |event| KeyEvent { more: MoreModifiers(MoreModifiers::NUM_LOCK), ..event };
    for (event, flags, bytes) in [
        // Text stays text until every key is asked for.
        (a, 1, "a"),
        (a, 7, "a"),
        (REPEATED(a), 3, "a"),
        (a, 8, "\x1b[97u"),
        (a, 24, "\x1b[97;;97u"),
        (capital, 5, "A"),
        (capital, 8, "\x1b[97;2u"),
        (capital, 12, "\x1b[97:65;2u"),
        (capital, 31, "\x1b[97:65;2;65u"),
        (bang, 31, "\x1b[49:33;2;33u"),
        (locked(a), 1, "a"),
        (locked(a), 8, "\x1b[97;129u"),
        // Combinations.
        (told(KeyCode::Char('c'), Modifiers::CTRL), 1, "\x1b[99;5u"),
        (told(KeyCode::Char('a'), Modifiers::ALT), 1, "\x1b[97;3u"),
        (told(KeyCode::Char('A'), Modifiers::ALT), 1, "\x1b[97;4u"),
        (told(KeyCode::Char('A'), Modifiers::ALT), 5, "\x1b[97:65;4u"),
        (alt_bang, 1, "\x1b[49;4u"),
        (alt_bang, 5, "\x1b[49:33;4u"),
        (es, 1, "\x1b[1089;5u"),
        (es, 5, "\x1b[1089::99;5u"),
        (told(KeyCode::Char('c'), Modifiers::CTRL), 2, "\x03"),
        (told(KeyCode::Char('c'), Modifiers::CTRL), 4, "\x03"),
        // Repeats and releases.
        (RELEASED(a), 1, ""),
        (RELEASED(a), 2, "\x1b[97;1:3u"),
        (RELEASED(a), 31, "\x1b[97;1:3u"),
        (REPEATED(a), 27, "\x1b[97;1:2;97u"),
        (REPEATED(up), 1, "\x1b[A"),
        (REPEATED(up), 3, "\x1b[1;1:2A"),
        (RELEASED(up), 3, "\x1b[1;1:3A"),
        (RELEASED(told(KeyCode::Delete, none)), 3, "\x1b[3;1:3~"),
        // Enter, Tab and Backspace keep their codes.
        (enter, 1, "\r"),
        (enter, 7, "\r"),
        (REPEATED(enter), 3, "\r"),
        (RELEASED(enter), 7, ""),
        (RELEASED(enter), 15, "\x1b[13;1:3u"),
        (enter, 8, "\x1b[13u"),
        (locked(enter), 1, "\r"),
        (told(KeyCode::Enter, Modifiers::SHIFT), 1, "\x1b[13;2u"),
        (told(KeyCode::Enter, Modifiers::SHIFT), 2, "\x1b[13;2u"),
        (told(KeyCode::Tab, none), 1, "\t"),
        (told(KeyCode::BackTab, none), 1, "\x1b[9;2u"),
        (told(KeyCode::Tab, Modifiers::CTRL), 1, "\x1b[9;5u"),
        (told(KeyCode::Backspace, none), 1, "\x7f"),
        (told(KeyCode::Backspace, Modifiers::CTRL), 1, "\x1b[127;5u"),
        (told(KeyCode::Esc, none), 1, "\x1b[27u"),
        (told(KeyCode::Esc, none), 2, "\x1b"),
        // Function keys.
        (up, 1, "\x1b[A"),
        (locked(up), 1, "\x1b[1;129A"),
        (told(KeyCode::F(1), none), 1, "\x1b[P"),
        (told(KeyCode::F(1), none), 4, "\x1bOP"),
        (told(KeyCode::F(3), none), 1, "\x1b[13~"),
        (told(KeyCode::F(3), Modifiers::CTRL), 1, "\x1b[13;5~"),
        (told(KeyCode::F(5), none), 1, "\x1b[15~"),
        (told(KeyCode::F(13), none), 1, "\x1b[57376u"),
        (told(KeyCode::F(35), none), 1, "\x1b[57398u"),
        (keypad(KeyCode::Enter), 1, "\x1b[57414u"),
        (keypad(KeyCode::Left), 1, "\x1b[57417u"),
        (keypad(KeyCode::Left), 2, "\x1b[D"),
        (keypad(KeyCode::Char('1')), 1, "1"),
        (keypad(KeyCode::Char('1')), 24, "\x1b[57400;;49u"),
        (KeyEvent { keypad: true, ..told(KeyCode::Other(57427), none) }, 1, "\x1b[E"),
        (KeyEvent { more: MoreModifiers(MoreModifiers::SUPER), text: None, ..a }, 1, "\x1b[97;9u"),
        // Modifiers alone and media keys.
        (shift_key, 7, ""),
        (KeyEvent { shift: true, ..shift_key }, 8, "\x1b[57441;2u"),
        (told(KeyCode::Other(57428), none), 1, "\x1b[57428u"),
        // Modifiers without disambiguation of anything: the codes of old.
        (told(KeyCode::Char('x'), Modifiers::ALT), 16, "\x1bx"),
    ] {
        assert_eq!(kitty(&event, flags), bytes, "{event:?} with {flags}");
    }
}

/// The tables of xterm's modified keys.
#[test]
fn modify_other_keys_writes_what_old_codes_cannot_tell() {
    let (none, shift, alt, ctrl) = (Modifiers::NONE, Modifiers::SHIFT, Modifiers::ALT, Modifiers::CTRL);
    let ctrl_shift = Modifiers { shift: true, alt: false, ctrl: true };
    for (code, modifiers, first, second) in [
        (KeyCode::Char('a'), none, "a", "a"),
        (KeyCode::Char('A'), none, "A", "A"),
        (KeyCode::Char('a'), ctrl, "\x01", "\x1b[27;5;97~"),
        (KeyCode::Char('a'), ctrl_shift, "\x1b[27;6;65~", "\x1b[27;6;65~"),
        (KeyCode::Char('a'), alt, "\x1ba", "\x1b[27;3;97~"),
        (KeyCode::Char('A'), alt, "\x1bA", "\x1b[27;4;65~"),
        (KeyCode::Char('x'), CTRL_ALT, "\x1b[27;7;120~", "\x1b[27;7;120~"),
        (KeyCode::Char('1'), ctrl, "\x1b[27;5;49~", "\x1b[27;5;49~"),
        (KeyCode::Char(' '), ctrl, "\0", "\x1b[27;5;32~"),
        (KeyCode::Enter, none, "\r", "\r"),
        (KeyCode::Enter, shift, "\x1b[27;2;13~", "\x1b[27;2;13~"),
        (KeyCode::Tab, ctrl, "\x1b[27;5;9~", "\x1b[27;5;9~"),
        (KeyCode::BackTab, none, "\x1b[Z", "\x1b[Z"),
        (KeyCode::BackTab, ctrl, "\x1b[27;6;9~", "\x1b[27;6;9~"),
        (KeyCode::Backspace, ctrl, "\x08", "\x1b[27;5;127~"),
        (KeyCode::Esc, alt, "\x1b\x1b", "\x1b[27;3;27~"),
        (KeyCode::Up, ctrl, "\x1b[1;5A", "\x1b[1;5A"),
    ] {
        let event = told(code, modifiers);
        assert_eq!((other(&event, 1).as_str(), other(&event, 2).as_str()), (first, second), "{code:?} {modifiers:?}");
    }
    assert_eq!(other(&RELEASED(told(KeyCode::Enter, shift)), 2), "");
}

#[test]
fn legacy_codes_know_no_releases_and_read_other_scripts_by_their_place() {
    assert_eq!(encode(&RELEASED(told(KeyCode::Char('a'), Modifiers::NONE)), &LEGACY), b"");
    let es = KeyEvent { base: Some('c'), ..told(KeyCode::Char('с'), Modifiers::CTRL) };
    assert_eq!(encode(&es, &LEGACY), b"\x03");
    let meta = KeyEvent { more: MoreModifiers(MoreModifiers::META), ..told(KeyCode::Char('x'), Modifiers::NONE) };
    assert_eq!(encode(&meta, &LEGACY), b"\x1bx");
    let command = KeyEvent { more: MoreModifiers(MoreModifiers::SUPER), ..told(KeyCode::Char('c'), Modifiers::NONE) };
    assert_eq!(encode(&command, &LEGACY), b"", "no other key than the one that was pressed");
}
