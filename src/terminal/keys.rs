//! Keys as the bytes that xterm sends for them (`TERM=xterm-256color`, legacy encoding).
//!
//! One deliberate difference: `Shift+Enter` and `Alt+Enter` are `ESC CR`. Legacy terminals have no code
//! for them, and a bare CR would submit what was meant to go on in a new line; the agents' prompts take
//! `ESC CR` as a newline.

use crate::domain::{Key, KeyCode, Modifiers};

/// The bytes for one key.
pub(super) fn encode(key: Key, application_cursor: bool) -> Vec<u8> {
    let modifiers = key.modifiers;
    match key.code {
        KeyCode::Char(c) => character(c, modifiers),
        KeyCode::Enter if modifiers.shift || modifiers.alt => b"\x1b\r".to_vec(),
        KeyCode::Enter => b"\r".to_vec(),
        KeyCode::Tab if modifiers.shift => prefixed(modifiers, b"\x1b[Z"),
        KeyCode::BackTab => prefixed(modifiers, b"\x1b[Z"),
        KeyCode::Tab => prefixed(modifiers, b"\t"),
        KeyCode::Backspace if modifiers.ctrl => prefixed(modifiers, b"\x08"),
        KeyCode::Backspace => prefixed(modifiers, b"\x7f"),
        KeyCode::Esc => prefixed(modifiers, b"\x1b"),
        KeyCode::Up => cursor('A', modifiers, application_cursor),
        KeyCode::Down => cursor('B', modifiers, application_cursor),
        KeyCode::Right => cursor('C', modifiers, application_cursor),
        KeyCode::Left => cursor('D', modifiers, application_cursor),
        KeyCode::Home => cursor('H', modifiers, application_cursor),
        KeyCode::End => cursor('F', modifiers, application_cursor),
        KeyCode::Insert => numbered(2, modifiers),
        KeyCode::Delete => numbered(3, modifiers),
        KeyCode::PageUp => numbered(5, modifiers),
        KeyCode::PageDown => numbered(6, modifiers),
        KeyCode::F(number) => function(number, modifiers),
    }
}

/// The bytes with Alt's ESC before them.
fn prefixed(modifiers: Modifiers, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + 1);
    if modifiers.alt {
        out.push(0x1b);
    }
    out.extend_from_slice(bytes);
    out
}

fn character(c: char, modifiers: Modifiers) -> Vec<u8> {
    if modifiers.ctrl
        && let Some(control) = control(c)
    {
        return prefixed(modifiers, &[control]);
    }
    prefixed(modifiers, c.encode_utf8(&mut [0; 4]).as_bytes())
}

/// The control character that Ctrl makes of a key; digits and signs as xterm maps them.
fn control(c: char) -> Option<u8> {
    Some(match c {
        'a'..='z' | 'A'..='Z' => c as u8 & 0x1f,
        '@' | ' ' | '2' => 0x00,
        '[' | '3' => 0x1b,
        '\\' | '4' => 0x1c,
        ']' | '5' => 0x1d,
        '^' | '6' | '~' => 0x1e,
        '_' | '7' | '/' | '-' => 0x1f,
        '?' | '8' => 0x7f,
        _ => return None,
    })
}

/// xterm's number for the modifiers: 1 plus a bit each.
fn number_of(modifiers: Modifiers) -> u8 {
    1 + u8::from(modifiers.shift) + 2 * u8::from(modifiers.alt) + 4 * u8::from(modifiers.ctrl)
}

fn cursor(letter: char, modifiers: Modifiers, application: bool) -> Vec<u8> {
    match number_of(modifiers) {
        1 if application => format!("\x1bO{letter}"),
        1 => format!("\x1b[{letter}"),
        number => format!("\x1b[1;{number}{letter}"),
    }
    .into_bytes()
}

fn numbered(code: u8, modifiers: Modifiers) -> Vec<u8> {
    match number_of(modifiers) {
        1 => format!("\x1b[{code}~"),
        number => format!("\x1b[{code};{number}~"),
    }
    .into_bytes()
}

/// F13 to F24 are Shift with F1 to F12, as the terminfo entry says.
fn function(number: u8, modifiers: Modifiers) -> Vec<u8> {
    const TILDE: [u8; 8] = [15, 17, 18, 19, 20, 21, 23, 24];
    match number {
        1..=4 => {
            let letter = char::from(b'P' + number - 1);
            match number_of(modifiers) {
                1 => format!("\x1bO{letter}").into_bytes(),
                modifier => format!("\x1b[1;{modifier}{letter}").into_bytes(),
            }
        }
        5..=12 => numbered(TILDE[usize::from(number - 5)], modifiers),
        13..=24 => function(number - 12, Modifiers { shift: true, ..modifiers }),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CTRL_ALT: Modifiers = Modifiers { shift: false, alt: true, ctrl: true };
    const ALL: Modifiers = Modifiers { shift: true, alt: true, ctrl: true };

    fn sent(code: KeyCode, modifiers: Modifiers) -> String {
        String::from_utf8(encode(Key { code, modifiers }, false)).unwrap()
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
    fn application_cursor_keys_are_used_without_modifiers_only() {
        assert_eq!(encode(Key::plain(KeyCode::Up), true), b"\x1bOA");
        assert_eq!(encode(Key::plain(KeyCode::Home), true), b"\x1bOH");
        assert_eq!(encode(Key { code: KeyCode::Up, modifiers: Modifiers::CTRL }, true), b"\x1b[1;5A");
    }

    #[test]
    fn a_meant_newline_is_never_a_bare_carriage_return() {
        assert_eq!(sent(KeyCode::Enter, Modifiers::SHIFT), "\x1b\r");
        assert_eq!(sent(KeyCode::Enter, Modifiers::ALT), "\x1b\r");
    }
}
