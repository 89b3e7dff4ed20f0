//! The meaning of a control sequence: xterm's keys, the kitty keyboard protocol, modifyOtherKeys,
//! focus, mouse, reports. Every other one is a reply or unknown and means nothing.

use crate::domain::{Key, KeyCode, KeyEvent, KeyKind, Modifiers, MoreModifiers, TerminalReport};

use super::mouse;
use super::sequence::Item;

/// What `ESC [ parameters last` means. `kitty`: the terminal speaks the kitty keyboard protocol.
pub(super) fn meaning(parameters: &[u8], last: u8, kitty: bool) -> Item {
    match (parameters.first(), last) {
        (Some(b'<'), b'M' | b'm') => return mouse::sgr(&Parameters(&parameters[1..]), last == b'm'),
        (Some(b'?'), b'u') => return Item::KittyFlags,
        (Some(b'?'), b'c') => return Item::Attributes,
        (Some(b'?'), b'n') => return darkness(&Parameters(&parameters[1..])),
        (Some(b'<'..=b'?'), _) => return Item::Nothing,
        (None, b'I') => return Item::Focus(true),
        (None, b'O') => return Item::Focus(false),
        (Some(_), b'M') => return mouse::decimal(&Parameters(parameters)),
        _ => {}
    }
    if parameters.iter().any(|byte| *byte < 0x30) {
        return Item::Nothing;
    }
    let parameters = Parameters(parameters);
    let key = match last {
        b'~' if parameters.number(0) == Some(200) => return Item::PasteStart,
        b'~' if parameters.number(0) == Some(27) => other_key(&parameters),
        b'~' => parameters.number(0).and_then(numbered_key).map(|code| functional(code, &parameters, kitty)),
        b'u' => return kitty_key(&parameters),
        b'Z' => Some(functional(KeyCode::BackTab, &parameters, kitty)),
        // A cursor position report ends in R, too; a modified F3 is `1;2R` to `1;16R`.
        b'R' if !(parameters.number(0).unwrap_or(1) == 1
            && parameters.number(1).is_none_or(|m| (2..=16).contains(&m))) =>
        {
            None
        }
        b'E' => Some(KeyEvent { keypad: true, ..functional(KeyCode::Other(KEYPAD_BEGIN), &parameters, kitty) }),
        _ => letter_key(last).map(|code| functional(code, &parameters, kitty)),
    };
    key.map_or(Item::Nothing, Item::Key)
}

/// The keypad's 5 without num lock, in kitty's list.
const KEYPAD_BEGIN: u16 = 57427;

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

/// `CSI ? 997 ; 1 n`: it is dark now; 2: light.
fn darkness(parameters: &Parameters<'_>) -> Item {
    match (parameters.number(0), parameters.number(1)) {
        (Some(997), Some(mode @ (1 | 2))) => Item::Report(TerminalReport::Dark(mode == 1)),
        _ => Item::Nothing,
    }
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

/// A key without a character: `code ; modifiers : event`.
fn functional(code: KeyCode, parameters: &Parameters<'_>, kitty: bool) -> KeyEvent {
    let number = parameters.number(1).unwrap_or(1);
    let (mut modifiers, more) = if kitty { kitty_modifiers(number) } else { (legacy_modifiers(number), 0) };
    let shift = modifiers.shift || code == KeyCode::BackTab;
    if code == KeyCode::BackTab {
        modifiers = without_shift(modifiers);
    }
    let key = Key { code, modifiers };
    KeyEvent { kind: parameters.kind(), more: MoreModifiers(more), shift, ..KeyEvent::from(key) }
}

/// Kitty's modifiers: one more than the bits.
const fn kitty_modifiers(number: u32) -> (Modifiers, u8) {
    let bits = number.saturating_sub(1);
    let modifiers = Modifiers { shift: bits & 1 != 0, alt: bits & 2 != 0, ctrl: bits & 4 != 0 };
    (modifiers, (bits & 0xf8) as u8)
}

/// xterm's modifyOtherKeys: `27 ; modifiers ; character ~`, shift already applied to the character.
fn other_key(parameters: &Parameters<'_>) -> Option<KeyEvent> {
    let modifiers = legacy_modifiers(parameters.number(1).unwrap_or(1));
    let number = parameters.number(2)?;
    if let Some((code, _)) = named(number, modifiers) {
        let kept = if code == KeyCode::BackTab { without_shift(modifiers) } else { modifiers };
        return Some(Key { code, modifiers: kept }.into());
    }
    let key = character(text(number)?, modifiers);
    let key = if key.modifiers.ctrl { key } else { Key { modifiers: without_shift(key.modifiers), ..key } };
    Some(KeyEvent { shift: modifiers.shift, ..key.into() })
}

/// Kitty's `code : shifted : base ; modifiers : event ; text u`.
fn kitty_key(parameters: &Parameters<'_>) -> Item {
    let (modifiers, more) = kitty_modifiers(parameters.number(1).unwrap_or(1));
    let (kind, more) = (parameters.kind(), MoreModifiers(more));
    let given = parameters.text();
    let number = parameters.number(0).unwrap_or(0);
    // Text without a key (an input method), or more than a character of it.
    if number == 0 || given.chars().nth(1).is_some() {
        return if kind == KeyKind::Release || given.is_empty() { Item::Nothing } else { Item::Text(given) };
    }
    let given = given.chars().next();
    if let Some((code, keypad)) = named(number, modifiers) {
        let applied = code == KeyCode::BackTab || matches!(code, KeyCode::Char(_)) && !modifiers.ctrl;
        let kept = if applied { without_shift(modifiers) } else { modifiers };
        let event = KeyEvent::from(Key { code, modifiers: kept });
        let text = given.or(event.text).filter(|_| kind != KeyKind::Release);
        return Item::Key(KeyEvent { kind, more, keypad, shift: modifiers.shift, text, ..event });
    }
    let Some(own) = text(number) else { return Item::Nothing };
    let own = own.to_lowercase().next().unwrap_or(own);
    let shifted = parameters.part(0, 1).and_then(text).filter(|_| modifiers.shift);
    let plain = !modifiers.alt && !modifiers.ctrl && !more.any(!MoreModifiers::LOCKS);
    let key = match given.filter(|_| plain).or(shifted.filter(|_| !modifiers.ctrl)) {
        Some(c) => Key { code: KeyCode::Char(c), modifiers: without_shift(modifiers) },
        None => character(if plain { capital(own, more) } else { own }, modifiers),
    };
    let guess = KeyEvent::from(key);
    Item::Key(KeyEvent {
        kind,
        more,
        shift: modifiers.shift,
        unshifted: Some(own),
        shifted: shifted.or(guess.shifted.filter(|_| modifiers.shift)),
        base: parameters.part(0, 2).and_then(text).filter(|base| *base != own),
        text: given.or(guess.text).filter(|_| plain && kind != KeyKind::Release),
        ..guess
    })
}

/// The named key with a number in kitty's list, and whether it stands on the keypad.
fn named(number: u32, modifiers: Modifiers) -> Option<(KeyCode, bool)> {
    let keypad = (57399..=57427).contains(&number);
    let code = match number {
        13 | 57414 => KeyCode::Enter,
        9 if modifiers.shift => KeyCode::BackTab,
        9 => KeyCode::Tab,
        27 => KeyCode::Esc,
        8 | 127 => KeyCode::Backspace,
        57376..=57398 => KeyCode::F((number - 57376) as u8 + 13),
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
        57344..=63743 => KeyCode::Other(number as u16),
        _ => return None,
    };
    Some((code, keypad))
}

/// A character that can be typed.
fn text(number: u32) -> Option<char> {
    char::from_u32(number).filter(|c| !c.is_control())
}

/// Caps lock makes capitals of letters.
fn capital(c: char, more: MoreModifiers) -> char {
    if more.any(MoreModifiers::CAPS_LOCK) { c.to_uppercase().next().unwrap_or(c) } else { c }
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
        let digits = self.field(place)?.split(|byte| *byte == b':').nth(part)?;
        std::str::from_utf8(digits).ok()?.parse().ok()
    }

    fn field(&self, place: usize) -> Option<&[u8]> {
        self.0.split(|byte| *byte == b';').nth(place)
    }

    /// Kitty's event type, beside the modifiers.
    fn kind(&self) -> KeyKind {
        match self.part(1, 1) {
            Some(2) => KeyKind::Repeat,
            Some(3) => KeyKind::Release,
            _ => KeyKind::Press,
        }
    }

    /// Kitty's text: code points in the third field.
    fn text(&self) -> String {
        let field = self.field(2).unwrap_or_default();
        let points =
            field.split(|byte| *byte == b':').filter_map(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        points.filter_map(text).collect()
    }
}
