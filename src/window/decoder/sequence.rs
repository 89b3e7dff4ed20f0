//! One key or escape sequence off the front of a chunk of bytes.

use crate::domain::{Key, KeyCode, KeyEvent, Modifiers, MouseEvent, TerminalReport};

use super::{ESC, ESC_KEY, csi, mouse};

/// More parameter bytes than any sequence that we know has.
const LONGEST: usize = 256;

/// What a look at the front of the bytes found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Read {
    /// The bytes end in the middle of something.
    More,
    /// So many bytes were this.
    Item(usize, Item),
}

/// One thing that a terminal sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// Nothing that counts: a reply, an unknown sequence.
    Nothing,
    Key(KeyEvent),
    /// Text that came without a key.
    Text(String),
    Mouse(MouseEvent),
    Focus(bool),
    PasteStart,
    /// A reply begins that ends in a string terminator; with the byte behind its ESC.
    ReplyStart(u8),
    /// The terminal said something of itself.
    Report(TerminalReport),
    /// A sequence too long to be one of ours.
    Overlong,
    /// The answer to `CSI ? u`.
    KittyFlags,
    /// The answer to `CSI c`.
    Attributes,
}

impl Item {
    /// A key of which only its name is known.
    fn key(key: Key) -> Self {
        Self::Key(key.into())
    }
}

/// Takes one thing off the front of bytes that are not empty. `kitty`: the terminal speaks the kitty keyboard protocol.
pub(super) fn read(bytes: &[u8], kitty: bool) -> Read {
    if bytes[0] == ESC { escape(bytes, kitty) } else { plain(bytes) }
}

/// The keys that the bytes are if nothing follows, when they could also be the beginning of a sequence.
pub(super) fn keys_so_far(bytes: &[u8]) -> Option<Vec<Key>> {
    match *bytes {
        [ESC] => Some(vec![ESC_KEY]),
        [ESC, ESC] => Some(vec![ESC_KEY, ESC_KEY]),
        [ESC, c @ (b'[' | b'O' | b']' | b'P' | b'_')] => Some(vec![Key::alt(c.into())]),
        [ESC, ESC, c @ (b'[' | b'O' | b']' | b'P' | b'_')] => Some(vec![ESC_KEY, Key::alt(c.into())]),
        _ => None,
    }
}

/// Whether bytes, the first of which were taken for keys because the rest came late, are a reply or a
/// report that a slow line cut in two. Only what no person types within one read counts.
pub(super) fn is_cut_reply(bytes: &[u8]) -> bool {
    let digits = |from: &[u8]| from.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match bytes {
        [ESC, b']', rest @ ..] => digits(rest) > 0 && rest.get(digits(rest)) == Some(&b';'),
        [ESC, b'P', rest @ ..] => rest.starts_with(b">|") || matches!(rest, [b'0' | b'1', b'+' | b'$', b'r', ..]),
        [ESC, b'_', b'G', rest @ ..] => rest.contains(&b';'),
        [ESC, b'[', b'?' | b'>' | b'<', rest @ ..] => digits(rest) > 0,
        [ESC, b'[', b'A'..=b'F' | b'H' | b'I' | b'O' | b'P'..=b'S' | b'Z'] => true,
        [ESC, b'[', rest @ ..] => {
            let parameters = rest.iter().take_while(|byte| (0x20..0x40).contains(*byte)).count();
            digits(rest) > 0 && rest.get(parameters).is_some_and(|end| (0x40..0x7f).contains(end))
        }
        _ => false,
    }
}

fn escape(bytes: &[u8], kitty: bool) -> Read {
    let Some(second) = bytes.get(1) else { return Read::More };
    let third = bytes.get(2).copied();
    match (*second, third) {
        (b'[' | b'O' | b']' | b'P' | b'_', None) => Read::More,
        (b'[', _) => control_sequence(bytes, kitty),
        (b'O', Some(third)) => single_shift(bytes, third),
        (b']', Some(b'0'..=b'9')) => Read::Item(2, Item::ReplyStart(b']')),
        (b'P', Some(b'0'..=b'9' | b'>' | b'!' | b'$' | b'+')) => Read::Item(2, Item::ReplyStart(b'P')),
        (b'_', Some(b'G')) => Read::Item(2, Item::ReplyStart(b'_')),
        (ESC, _) => escaped_escape(bytes, kitty),
        _ => match plain(&bytes[1..]) {
            Read::Item(used, Item::Key(key)) => Read::Item(used + 1, Item::Key(with_alt(key))),
            Read::Item(used, _) => Read::Item(used + 1, Item::Nothing),
            Read::More => Read::More,
        },
    }
}

/// `ESC ESC …` is Alt with a key that is a sequence itself, or an Esc before something else.
fn escaped_escape(bytes: &[u8], kitty: bool) -> Read {
    let esc = Read::Item(1, Item::key(ESC_KEY));
    match bytes.get(2) {
        None => Read::More,
        Some(b'[' | b'O') => match escape(&bytes[1..], kitty) {
            Read::More => Read::More,
            Read::Item(used @ 3.., Item::Key(key)) => Read::Item(used + 1, Item::Key(with_alt(key))),
            Read::Item(..) => esc,
        },
        Some(_) => esc,
    }
}

/// `ESC O …`: cursor, function and keypad keys in application mode.
fn single_shift(bytes: &[u8], third: u8) -> Read {
    if third.is_ascii_digit() {
        let Some(last) = bytes.get(3) else { return Read::More };
        let modifiers = csi::legacy_modifiers(u32::from(third - b'0'));
        return match csi::letter_key(*last) {
            Some(code) => Read::Item(4, Item::key(Key { code, modifiers })),
            None => Read::Item(4, Item::Nothing),
        };
    }
    let code = match third {
        b'M' => KeyCode::Enter,
        b'I' => KeyCode::Tab,
        b'X' => KeyCode::Char('='),
        b'j'..=b'o' => KeyCode::Char(char::from(third - b'j' + b'*')),
        b'p'..=b'y' => KeyCode::Char(char::from(third - b'p' + b'0')),
        0x20..0x7f => match csi::letter_key(third) {
            Some(code) => return Read::Item(3, Item::key(Key::plain(code))),
            None => return Read::Item(3, Item::Nothing),
        },
        // Nothing that could follow `ESC O`: it was Alt+O.
        _ => return Read::Item(2, Item::key(Key::alt('O'))),
    };
    Read::Item(3, Item::Key(KeyEvent { keypad: true, ..Key::plain(code).into() }))
}

/// `ESC [ parameters final`.
fn control_sequence(bytes: &[u8], kitty: bool) -> Read {
    if bytes[2] == b'[' {
        // The Linux console's F1 to F5.
        return match bytes.get(3) {
            None => Read::More,
            Some(c @ b'A'..=b'E') => Read::Item(4, Item::key(Key::plain(KeyCode::F(c - b'A' + 1)))),
            Some(0x20..0x7f) => Read::Item(4, Item::Nothing),
            Some(_) => Read::Item(3, Item::Nothing),
        };
    }
    let length = bytes[2..].iter().take(LONGEST).take_while(|byte| (0x20..0x40).contains(*byte)).count();
    if length == LONGEST {
        return Read::Item(2 + LONGEST, Item::Overlong);
    }
    let parameters = &bytes[2..2 + length];
    match bytes.get(2 + length) {
        None => Read::More,
        Some(b'M') if length == 0 => match bytes.get(3..6) {
            None => Read::More,
            Some(report) => Read::Item(6, mouse::old(report)),
        },
        Some(last @ 0x40..0x7f) => Read::Item(3 + length, csi::meaning(parameters, *last, kitty)),
        Some(_) if length == 0 => Read::Item(2, Item::key(Key::alt('['))),
        Some(_) => Read::Item(2 + length, Item::Nothing),
    }
}

/// A control character or a character of text.
fn plain(bytes: &[u8]) -> Read {
    let key = match bytes[0] {
        b'\r' => Key::plain(KeyCode::Enter),
        b'\t' => Key::plain(KeyCode::Tab),
        0x7f => Key::plain(KeyCode::Backspace),
        ESC => ESC_KEY,
        0 => Key::ctrl(' '),
        c @ 0x01..=0x1a => Key::ctrl(char::from(c - 1 + b'a')),
        c @ 0x1c..=0x1f => Key::ctrl(char::from(c - 0x1c + b'\\')),
        c @ 0x20..0x7f => Key::char(char::from(c)),
        0x80.. => return character(bytes),
    };
    Read::Item(1, Item::key(key))
}

/// A character of more than one byte; bytes that are none are dropped.
fn character(bytes: &[u8]) -> Read {
    let length = match bytes[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Read::Item(1, Item::Nothing),
    };
    match bytes.get(..length) {
        None if bytes[1..].iter().all(|byte| (0x80..0xc0).contains(byte)) => Read::More,
        None => Read::Item(1, Item::Nothing),
        Some(whole) => match std::str::from_utf8(whole).ok().and_then(|text| text.chars().next()) {
            Some(c) if c.is_control() => Read::Item(length, Item::Nothing),
            Some(c) => Read::Item(length, Item::key(Key::char(c))),
            None => Read::Item(1, Item::Nothing),
        },
    }
}

fn with_alt(event: KeyEvent) -> KeyEvent {
    let modifiers = Modifiers { alt: true, ..event.key.modifiers };
    KeyEvent { key: Key { modifiers, ..event.key }, text: None, ..event }
}
