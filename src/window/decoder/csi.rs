//! The meaning of a control sequence: xterm's keys, the kitty keyboard protocol, modifyOtherKeys,
//! focus, mouse. Every other one is a reply or unknown and means nothing.

use crate::domain::{Key, KeyCode, Modifiers};

use super::mouse;
use super::sequence::Item;

/// Kitty's number for "the key was let go".
const RELEASE: u32 = 3;

/// What `ESC [ parameters last` means.
pub(super) fn meaning(parameters: &[u8], last: u8) -> Item {
    match (parameters.first(), last) {
        (Some(b'<'), b'M' | b'm') => return mouse::sgr(&Parameters(&parameters[1..]), last == b'm'),
        (Some(b'?'), b'u') => return Item::KittyFlags,
        (Some(b'?'), b'c') => return Item::Attributes,
        (Some(b'<'..=b'?'), _) => return Item::Nothing,
        (None, b'I') => return Item::Focus(true),
        (None, b'O') => return Item::Focus(false),
        _ => {}
    }
    if parameters.iter().any(|byte| *byte < 0x30) {
        return Item::Nothing;
    }
    let parameters = Parameters(parameters);
    if parameters.part(1, 1) == Some(RELEASE) {
        return Item::Nothing;
    }
    let key = match last {
        b'~' if parameters.number(0) == Some(200) => return Item::PasteStart,
        b'~' if parameters.number(0) == Some(27) => other_key(&parameters),
        b'~' => parameters.number(0).and_then(numbered_key).map(|code| with_modifiers(code, &parameters)),
        b'u' => kitty_key(&parameters),
        b'Z' => Some(Key { code: KeyCode::BackTab, modifiers: without_shift(second_modifiers(&parameters)) }),
        // A cursor position report ends in R, too; a modified F3 is `1;2R` to `1;16R`.
        b'R' if !(parameters.number(0).unwrap_or(1) == 1
            && parameters.number(1).is_none_or(|m| (2..=16).contains(&m))) =>
        {
            None
        }
        _ => letter_key(last).map(|code| with_modifiers(code, &parameters)),
    };
    key.map_or(Item::Nothing, Item::Key)
}

/// The keys that end in a letter, after `ESC [` and after `ESC O`.
pub(super) const fn letter_key(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'H' => KeyCode::Home,
        b'F' => KeyCode::End,
        b'P'..=b'S' => KeyCode::F(last - b'P' + 1),
        _ => return None,
    })
}

/// Modifiers as xterm counts them: one more than the bits. Its fourth bit is Meta, an Alt.
pub(super) const fn legacy_modifiers(number: u32) -> Modifiers {
    let bits = number.saturating_sub(1);
    Modifiers { shift: bits & 1 != 0, alt: bits & (2 | 8) != 0, ctrl: bits & 4 != 0 }
}

const fn numbered_key(number: u32) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(number as u8 - 10),
        17..=21 => KeyCode::F(number as u8 - 11),
        23..=26 => KeyCode::F(number as u8 - 12),
        28 | 29 => KeyCode::F(number as u8 - 13),
        31..=34 => KeyCode::F(number as u8 - 14),
        _ => return None,
    })
}

fn second_modifiers(parameters: &Parameters<'_>) -> Modifiers {
    legacy_modifiers(parameters.number(1).unwrap_or(1))
}

fn with_modifiers(code: KeyCode, parameters: &Parameters<'_>) -> Key {
    Key { code, modifiers: second_modifiers(parameters) }
}

/// xterm's modifyOtherKeys: `27 ; modifiers ; character ~`, shift already applied to the character.
fn other_key(parameters: &Parameters<'_>) -> Option<Key> {
    let modifiers = second_modifiers(parameters);
    let key = coded_key(parameters.number(2)?, modifiers)?;
    match key.code {
        KeyCode::Char(_) if !key.modifiers.ctrl => Some(Key { modifiers: without_shift(key.modifiers), ..key }),
        _ => Some(key),
    }
}

/// Kitty's `code : shifted : base ; modifiers : event ; text u`.
fn kitty_key(parameters: &Parameters<'_>) -> Option<Key> {
    let bits = parameters.number(1).unwrap_or(1).saturating_sub(1);
    // Super and Hyper (bits 8 and 16) have no name here; the letter alone would be a wrong key.
    if bits & (8 | 16) != 0 {
        return None;
    }
    let modifiers = Modifiers { shift: bits & 1 != 0, alt: bits & (2 | 32) != 0, ctrl: bits & 4 != 0 };
    let shifted = parameters.part(0, 1).filter(|_| modifiers.shift && !modifiers.ctrl).and_then(char::from_u32);
    match shifted.filter(|c| !c.is_control()) {
        Some(c) => Some(Key { code: KeyCode::Char(c), modifiers: without_shift(modifiers) }),
        None => coded_key(parameters.number(0)?, modifiers),
    }
}

/// The key with a number in kitty's list: Unicode for characters, a private area for the rest.
fn coded_key(number: u32, modifiers: Modifiers) -> Option<Key> {
    let code = match number {
        13 | 57414 => KeyCode::Enter,
        9 if modifiers.shift => return Some(Key { code: KeyCode::BackTab, modifiers: without_shift(modifiers) }),
        9 => KeyCode::Tab,
        27 => KeyCode::Esc,
        8 | 127 => KeyCode::Backspace,
        57376..=57387 => KeyCode::F((number - 57376) as u8 + 13),
        57399..=57408 => KeyCode::Char(char::from((number - 57399) as u8 + b'0')),
        57409 => KeyCode::Char('.'),
        57410 => KeyCode::Char('/'),
        57411 => KeyCode::Char('*'),
        57412 => KeyCode::Char('-'),
        57413 => KeyCode::Char('+'),
        57415 => KeyCode::Char('='),
        57416 => KeyCode::Char(','),
        57417 => KeyCode::Left,
        57418 => KeyCode::Right,
        57419 => KeyCode::Up,
        57420 => KeyCode::Down,
        57421 => KeyCode::PageUp,
        57422 => KeyCode::PageDown,
        57423 => KeyCode::Home,
        57424 => KeyCode::End,
        57425 => KeyCode::Insert,
        57426 => KeyCode::Delete,
        57344..=63743 => return None,
        _ => return char::from_u32(number).filter(|c| !c.is_control()).map(|c| character(c, modifiers)),
    };
    Some(Key { code, modifiers })
}

/// A character with modifiers, shift applied where it can be known what it makes.
fn character(c: char, modifiers: Modifiers) -> Key {
    if modifiers.ctrl {
        return Key { code: KeyCode::Char(c.to_lowercase().next().unwrap_or(c)), modifiers };
    }
    if !modifiers.shift {
        return Key { code: KeyCode::Char(c), modifiers };
    }
    let upper = c.to_uppercase().next().unwrap_or(c);
    let applied = upper != c || c.is_uppercase() || c == ' ';
    let modifiers = if applied { without_shift(modifiers) } else { modifiers };
    Key { code: KeyCode::Char(upper), modifiers }
}

const fn without_shift(modifiers: Modifiers) -> Modifiers {
    Modifiers { shift: false, ..modifiers }
}

/// Numbers with `;` between them, and `:` between the parts of one.
pub(super) struct Parameters<'a>(pub(super) &'a [u8]);

impl Parameters<'_> {
    /// The number at this place, if it was given.
    pub(super) fn number(&self, place: usize) -> Option<u32> {
        self.part(place, 0)
    }

    fn part(&self, place: usize, part: usize) -> Option<u32> {
        let field = self.0.split(|byte| *byte == b';').nth(place)?;
        let digits = field.split(|byte| *byte == b':').nth(part)?;
        std::str::from_utf8(digits).ok()?.parse().ok()
    }
}
