//! Keys as xterm sends them without any protocol asked for (`TERM=xterm-256color`).
//!
//! One deliberate difference: `Shift+Enter` and `Alt+Enter` are `ESC CR`. Legacy terminals have no code
//! for them, and a bare CR would submit what was meant to go on in a new line; the agents' prompts take
//! `ESC CR` as a newline.

use crate::domain::{KeyCode, KeyEvent, KeyKind, Modifiers, MoreModifiers};

/// How the program set its cursor keys and keypad.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::terminal) struct Application {
    pub(in crate::terminal) cursor: bool,
    pub(in crate::terminal) keypad: bool,
}

/// The bytes for one key; none for a release, and for keys that have no code.
pub(super) fn encode(event: &KeyEvent, application: Application) -> Vec<u8> {
    if event.kind == KeyKind::Release || event.more.any(MoreModifiers::SUPER | MoreModifiers::HYPER) {
        return Vec::new();
    }
    let alt = event.key.modifiers.alt || event.more.any(MoreModifiers::META);
    let modifiers = Modifiers { alt, ..event.key.modifiers };
    if let Some(bytes) = keypad(event, application).filter(|_| modifiers == Modifiers::NONE) {
        return bytes;
    }
    match event.key.code {
        KeyCode::Char(c) => character(c, event.base, modifiers),
        KeyCode::Enter if modifiers.shift || modifiers.alt => b"\x1b\r".to_vec(),
        KeyCode::Enter => b"\r".to_vec(),
        KeyCode::Tab if modifiers.shift => prefixed(modifiers, b"\x1b[Z"),
        KeyCode::BackTab => prefixed(modifiers, b"\x1b[Z"),
        KeyCode::Tab => prefixed(modifiers, b"\t"),
        KeyCode::Backspace if modifiers.ctrl => prefixed(modifiers, b"\x08"),
        KeyCode::Backspace => prefixed(modifiers, b"\x7f"),
        KeyCode::Esc => prefixed(modifiers, b"\x1b"),
        KeyCode::Up => cursor('A', modifiers, application.cursor),
        KeyCode::Down => cursor('B', modifiers, application.cursor),
        KeyCode::Right => cursor('C', modifiers, application.cursor),
        KeyCode::Left => cursor('D', modifiers, application.cursor),
        KeyCode::Home => cursor('H', modifiers, application.cursor),
        KeyCode::End => cursor('F', modifiers, application.cursor),
        KeyCode::Insert => numbered(2, modifiers),
        KeyCode::Delete => numbered(3, modifiers),
        KeyCode::PageUp => numbered(5, modifiers),
        KeyCode::PageDown => numbered(6, modifiers),
        KeyCode::F(number) => function(number, modifiers),
        KeyCode::Other(_) => Vec::new(),
    }
}

/// A key of the keypad where the program asked for the application form (DECKPAM).
fn keypad(event: &KeyEvent, application: Application) -> Option<Vec<u8>> {
    let letter = match event.key.code {
        _ if !event.keypad || !application.keypad => return None,
        KeyCode::Enter => b'M',
        KeyCode::Char('=') => b'X',
        KeyCode::Char(c @ '*'..='9') => b'j' + (c as u8 - b'*'),
        _ => return None,
    };
    Some(vec![0x1b, b'O', letter])
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

/// A letter of another script has its control character by its place on the keyboard.
fn character(c: char, base: Option<char>, modifiers: Modifiers) -> Vec<u8> {
    if modifiers.ctrl
        && let Some(control) = control(c).or_else(|| base.and_then(control))
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
