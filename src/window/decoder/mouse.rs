//! Mouse reports: xterm's SGR form, and the old one of three bytes that some terminals still send.

use crate::domain::{Modifiers, MouseButton, MouseEvent, MouseKind};

use super::csi::Parameters;
use super::sequence::Item;

/// `ESC [ < button ; column ; row M`, or `m` when the button was let go.
pub(super) fn sgr(parameters: &Parameters<'_>, released: bool) -> Item {
    let (Some(button), Some(column), Some(row)) = (parameters.number(0), parameters.number(1), parameters.number(2))
    else {
        return Item::Nothing;
    };
    report(button, column, row, released)
}

/// `ESC [ M` and three bytes, each with 32 added.
pub(super) fn old(bytes: &[u8]) -> Item {
    let [button, column, row] = *bytes else { return Item::Nothing };
    let [button, column, row] = [button, column, row].map(|byte| u32::from(byte.saturating_sub(32)));
    // This form does not say which button was let go.
    let released = button & 0b11 == 3 && button & (32 | 64) == 0;
    report(if released { button & !0b11 } else { button }, column, row, released)
}

fn report(button: u32, column: u32, row: u32, released: bool) -> Item {
    let which = match button & 0b11 {
        0 => Some(MouseButton::Left),
        1 => Some(MouseButton::Middle),
        2 => Some(MouseButton::Right),
        _ => None,
    };
    let kind = match (button & 64 != 0, button & 32 != 0, which) {
        (true, _, Some(MouseButton::Left)) => MouseKind::WheelUp,
        (true, _, Some(MouseButton::Middle)) => MouseKind::WheelDown,
        (true, ..) => return Item::Nothing,
        (false, true, Some(which)) => MouseKind::Drag(which),
        (false, true, None) => MouseKind::Moved,
        (false, false, Some(which)) if released => MouseKind::Up(which),
        (false, false, Some(which)) => MouseKind::Down(which),
        (false, false, None) => return Item::Nothing,
    };
    // Buttons beyond the third, and places outside of any screen.
    let (Some(column), Some(row)) = (place(column), place(row)) else { return Item::Nothing };
    if button & 128 != 0 {
        return Item::Nothing;
    }
    let modifiers = Modifiers { shift: button & 4 != 0, alt: button & 8 != 0, ctrl: button & 16 != 0 };
    Item::Mouse(MouseEvent { kind, column, row, modifiers })
}

/// Terminals count from 1.
fn place(number: u32) -> Option<u16> {
    u16::try_from(number).ok()?.checked_sub(1)
}
