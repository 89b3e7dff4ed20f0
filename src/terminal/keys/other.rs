//! xterm's modifyOtherKeys: `CSI 27 ; modifiers ; character ~` for what legacy codes cannot tell apart.
//!
//! Level 1 leaves alone what has a well-known code (Ctrl and a letter, Alt and a character); level 2 writes every
//! key with a modifier so, except characters that only Shift makes.

use crate::domain::{KeyCode, KeyEvent, KeyKind, MoreModifiers};

/// The bytes for one key; none where its legacy code stands.
pub(super) fn encode(event: &KeyEvent, level: u8) -> Option<Vec<u8>> {
    if event.kind == KeyKind::Release || event.more.any(MoreModifiers::SUPER | MoreModifiers::HYPER) {
        return None;
    }
    let modifiers = event.key.modifiers;
    let alt = modifiers.alt || event.more.any(MoreModifiers::META);
    if !(event.shift || alt || modifiers.ctrl) {
        return None;
    }
    let number = match event.key.code {
        KeyCode::Enter => 13,
        KeyCode::Tab | KeyCode::BackTab if alt || modifiers.ctrl => 9,
        KeyCode::Esc if level == 2 || modifiers.ctrl || event.shift => 27,
        KeyCode::Backspace if level == 2 => 127,
        KeyCode::Char(c) if told(c, event.shift, alt, modifiers.ctrl, level) => {
            let c = if modifiers.ctrl { event.shifted.filter(|_| event.shift).unwrap_or(c) } else { c };
            u32::from(c)
        }
        _ => return None,
    };
    let bits = u8::from(event.shift) + 2 * u8::from(alt) + 4 * u8::from(modifiers.ctrl);
    Some(format!("\x1b[27;{};{number}~", bits + 1).into_bytes())
}

/// Whether a character with these modifiers is written in the long form.
fn told(c: char, shift: bool, alt: bool, ctrl: bool, level: u8) -> bool {
    match (ctrl, alt, level) {
        (false, false, _) => level == 2 && shift && c == ' ',
        (_, _, 2) => true,
        (false, true, _) => false,
        // The codes that Ctrl has given keys since ASCII.
        (true, ..) => shift && c.is_alphabetic() || alt || !matches!(c, ' ' | '/' | '2'..='8' | '@'..='~'),
    }
}
