//! Mouse reports: xterm's SGR form, urxvt's decimal one, and the old one of three bytes that some terminals still send.

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

/// `ESC [ button ; column ; row M`, the button with 32 added: urxvt's form.
pub(super) fn decimal(parameters: &Parameters<'_>) -> Item {
    let (Some(button), Some(column), Some(row)) = (parameters.number(0), parameters.number(1), parameters.number(2))
    else {
        return Item::Nothing;
    };
    unnamed(button.saturating_sub(32), column, row)
}

/// `ESC [ M` and three bytes, each with 32 added.
pub(super) fn old(bytes: &[u8]) -> Item {
    let [button, column, row] = *bytes else { return Item::Nothing };
    let [button, column, row] = [button, column, row].map(|byte| u32::from(byte.saturating_sub(32)));
    unnamed(button, column, row)
}

/// The forms that do not say which button was let go.
fn unnamed(button: u32, column: u32, row: u32) -> Item {
    let released = button & 0b11 == 3 && button & (32 | 64 | 128) == 0;
    report(if released { button & !0b11 } else { button }, column, row, released)
}

fn report(button: u32, column: u32, row: u32, released: bool) -> Item {
    let low = (button & 0b11) as u8;
    let which = match (button & 128 != 0, low) {
        (true, _) => Some(MouseButton::Extra(8 + low)),
        (false, 0) => Some(MouseButton::Left),
        (false, 1) => Some(MouseButton::Middle),
        (false, 2) => Some(MouseButton::Right),
        (false, _) => None,
    };
    let kind = match (button & 64 != 0, button & 32 != 0, which) {
        (true, ..) if released || button & 128 != 0 => return Item::Nothing,
        (true, ..) => match low {
            0 => MouseKind::WheelUp,
            1 => MouseKind::WheelDown,
            2 => MouseKind::WheelLeft,
            _ => MouseKind::WheelRight,
        },
        (false, true, Some(which)) => MouseKind::Drag(which),
        (false, true, None) => MouseKind::Moved,
        (false, false, Some(which)) if released => MouseKind::Up(which),
        (false, false, Some(which)) => MouseKind::Down(which),
        (false, false, None) => return Item::Nothing,
    };
    // Places outside of any screen.
    let (Some(column), Some(row)) = (place(column), place(row)) else { return Item::Nothing };
    let modifiers = Modifiers { shift: button & 4 != 0, alt: button & 8 != 0, ctrl: button & 16 != 0 };
    Item::Mouse(MouseEvent { kind, column, row, modifiers })
}

/// Terminals count from 1.
fn place(number: u32) -> Option<u16> {
    u16::try_from(number).ok()?.checked_sub(1)
}
