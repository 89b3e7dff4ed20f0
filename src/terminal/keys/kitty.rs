//! Keys in the kitty keyboard protocol, as far as the program asked for it (its flags).

use std::fmt::Write as _;

use super::legacy::{self, Application};
use crate::domain::{KeyCode, KeyEvent, KeyKind, MoreModifiers};

/// Escape codes that cannot be taken for something else.
const DISAMBIGUATE: u8 = 1;
/// Repeats and releases.
const EVENTS: u8 = 2;
/// The character with Shift, and the one of the standard layout.
const ALTERNATES: u8 = 4;
/// Every key as an escape code, also text and modifiers alone.
const ALL: u8 = 8;
/// The text of a key.
const TEXT: u8 = 16;

const SHIFT: u8 = 1;

/// The bytes for one key; none for what the program did not ask for.
pub(super) fn encode(event: &KeyEvent, flags: u8, application: Application) -> Vec<u8> {
    let asked = |flag| flags & flag != 0;
    let all = asked(ALL);
    if !all && !asked(DISAMBIGUATE | EVENTS) {
        return legacy::encode(event, application);
    }
    let released = event.kind == KeyKind::Release;
    let code = event.key.code;
    if released && !asked(EVENTS) || is_modifier(code) && !all {
        return Vec::new();
    }
    let kind = if asked(EVENTS) { event.kind } else { KeyKind::Press };
    let mut bits = bits(event);
    if !all {
        let plain = bits & !MoreModifiers::LOCKS;
        if matches!(code, KeyCode::Char(_) | KeyCode::Enter | KeyCode::Tab | KeyCode::BackTab | KeyCode::Backspace) {
            bits = plain;
        }
        match (code, event.text) {
            (KeyCode::Char(_), Some(c)) if !released && plain & !SHIFT == 0 => return c.to_string().into_bytes(),
            // What a shell needs to be usable after a program that left the flags behind.
            (KeyCode::Enter | KeyCode::Tab | KeyCode::Backspace | KeyCode::BackTab, _) if released => {
                return Vec::new();
            }
            (KeyCode::Enter, _) if plain == 0 && !keypad(event, flags) => return b"\r".to_vec(),
            (KeyCode::Tab, _) if plain == 0 => return b"\t".to_vec(),
            (KeyCode::Backspace, _) if plain == 0 => return b"\x7f".to_vec(),
            (KeyCode::Esc | KeyCode::Char(_), _) if !asked(DISAMBIGUATE) && kind == KeyKind::Press => {
                return legacy::encode(event, application);
            }
            _ => {}
        }
    }
    let Some((number, last)) = form(event, keypad(event, flags)) else { return Vec::new() };
    let mut out = String::from("\x1b[");
    let detailed = bits != 0 || kind != KeyKind::Press;
    let text = event.text.filter(|_| last == 'u' && all && asked(TEXT) && !released);
    // Writing into a string cannot fail.
    if number != 1 || detailed || last == 'u' {
        let _ = write!(out, "{number}");
    }
    if matches!(code, KeyCode::Char(_)) && !event.keypad && asked(ALTERNATES) {
        let shifted = event.shifted.filter(|_| bits & SHIFT != 0);
        if shifted.is_some() || event.base.is_some() {
            let _ = write!(out, ":{}", shifted.map(|c| u32::from(c).to_string()).unwrap_or_default());
        }
        if let Some(base) = event.base {
            let _ = write!(out, ":{}", u32::from(base));
        }
    }
    if detailed {
        let _ = write!(out, ";{}", u16::from(bits) + 1);
        match kind {
            KeyKind::Press => {}
            KeyKind::Repeat => out.push_str(":2"),
            KeyKind::Release => out.push_str(":3"),
        }
    }
    if let Some(text) = text {
        let _ = write!(out, "{};{}", if detailed { "" } else { ";" }, u32::from(text));
    }
    out.push(last);
    out.into_bytes()
}

/// Whether the key is told as one of the keypad.
const fn keypad(event: &KeyEvent, flags: u8) -> bool {
    event.keypad && flags & (DISAMBIGUATE | ALL) != 0
}

fn bits(event: &KeyEvent) -> u8 {
    let modifiers = event.key.modifiers;
    u8::from(event.shift) | u8::from(modifiers.alt) << 1 | u8::from(modifiers.ctrl) << 2 | event.more.0
}

/// Modifiers and locks, pressed alone.
const fn is_modifier(code: KeyCode) -> bool {
    matches!(code, KeyCode::Other(57358..=57360 | 57441..=57454))
}

/// A key's number and the letter that ends its code.
fn form(event: &KeyEvent, keypad: bool) -> Option<(u32, char)> {
    const TILDE: [u32; 8] = [15, 17, 18, 19, 20, 21, 23, 24];
    let on_keypad = |number: u32, elsewhere: (u32, char)| if keypad { (number, 'u') } else { elsewhere };
    Some(match event.key.code {
        KeyCode::Char(c) if keypad => (keypad_character(c)?, 'u'),
        KeyCode::Char(c) => (event.unshifted.unwrap_or(c).into(), 'u'),
        KeyCode::Enter => on_keypad(57414, (13, 'u')),
        KeyCode::Tab | KeyCode::BackTab => (9, 'u'),
        KeyCode::Backspace => (127, 'u'),
        KeyCode::Esc => (27, 'u'),
        KeyCode::Left => on_keypad(57417, (1, 'D')),
        KeyCode::Right => on_keypad(57418, (1, 'C')),
        KeyCode::Up => on_keypad(57419, (1, 'A')),
        KeyCode::Down => on_keypad(57420, (1, 'B')),
        KeyCode::PageUp => on_keypad(57421, (5, '~')),
        KeyCode::PageDown => on_keypad(57422, (6, '~')),
        KeyCode::Home => on_keypad(57423, (1, 'H')),
        KeyCode::End => on_keypad(57424, (1, 'F')),
        KeyCode::Insert => on_keypad(57425, (2, '~')),
        KeyCode::Delete => on_keypad(57426, (3, '~')),
        KeyCode::F(3) => (13, '~'),
        KeyCode::F(number @ (1 | 2 | 4)) => (1, char::from(b'P' + number - 1)),
        KeyCode::F(number @ 5..=12) => (TILDE[usize::from(number - 5)], '~'),
        KeyCode::F(number @ 13..=35) => (57376 + u32::from(number - 13), 'u'),
        KeyCode::F(_) => return None,
        KeyCode::Other(57427) => (1, 'E'),
        KeyCode::Other(number) => (number.into(), 'u'),
    })
}

fn keypad_character(c: char) -> Option<u32> {
    Some(match c {
        '0'..='9' => 57399 + u32::from(c) - u32::from('0'),
        '.' => 57409,
        '/' => 57410,
        '*' => 57411,
        '-' => 57412,
        '+' => 57413,
        '=' => 57415,
        ',' => 57416,
        _ => return None,
    })
}
