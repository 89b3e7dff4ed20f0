//! Keys as the bytes that the program in the pane asked for: the kitty keyboard protocol, xterm's modifyOtherKeys, or
//! the codes of old.

mod kitty;
mod legacy;
mod other;

use super::model::Modes;
use crate::domain::KeyEvent;
use legacy::Application;

/// The bytes for one key; none for what the program did not ask for (a release) or what has no code.
pub(super) fn encode(event: &KeyEvent, modes: &Modes) -> Vec<u8> {
    let application = Application { cursor: modes.application_cursor, keypad: modes.application_keypad };
    if modes.kitty_keys != 0 {
        return kitty::encode(event, modes.kitty_keys, application);
    }
    let other = (modes.other_keys > 0).then(|| other::encode(event, modes.other_keys)).flatten();
    other.unwrap_or_else(|| legacy::encode(event, application))
}

#[cfg(test)]
mod tests;
