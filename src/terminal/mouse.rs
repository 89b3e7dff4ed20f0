//! Mouse events as the bytes that the program asked for: which events by its mode, how by its encoding.

use crate::domain::{MouseButton, MouseEvent, MouseKind, Size};

/// Which events the program wants (DECSET 9, 1000, 1002, 1003).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Wanted {
    #[default]
    Nothing,
    Presses,
    PressesAndReleases,
    Drags,
    Everything,
}

/// How coordinates are written (default, DECSET 1005, 1006, 1015).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Encoding {
    #[default]
    Bytes,
    Utf8,
    Sgr,
    Urxvt,
}

/// The event if it is on a screen of this size: a drag and a release are moved to its edge, since the press was inside.
pub(super) fn inside(event: MouseEvent, size: Size) -> Option<MouseEvent> {
    let follows = matches!(event.kind, MouseKind::Drag(_) | MouseKind::Up(_));
    if !follows && (event.column >= size.columns || event.row >= size.rows) {
        return None;
    }
    let (column, row) = (size.columns.saturating_sub(1), size.rows.saturating_sub(1));
    Some(MouseEvent { column: event.column.min(column), row: event.row.min(row), ..event })
}

/// The bytes for an event whose cells are relative to the pane, or none when it is not wanted.
pub(super) fn encode(event: MouseEvent, wanted: Wanted, encoding: Encoding) -> Option<Vec<u8>> {
    let least = match event.kind {
        MouseKind::Down(_) => Wanted::Presses,
        MouseKind::Up(_) | MouseKind::WheelUp | MouseKind::WheelDown | MouseKind::WheelLeft | MouseKind::WheelRight => {
            Wanted::PressesAndReleases
        }
        MouseKind::Drag(_) => Wanted::Drags,
        MouseKind::Moved => Wanted::Everything,
    };
    if (wanted as u8) < (least as u8) {
        return None;
    }
    let release = matches!(event.kind, MouseKind::Up(_));
    let mut code = match event.kind {
        MouseKind::Up(_) if encoding != Encoding::Sgr => 3,
        MouseKind::Down(button) | MouseKind::Up(button) => number(button),
        MouseKind::Drag(button) => 32 + number(button),
        MouseKind::Moved => 35,
        MouseKind::WheelUp => 64,
        MouseKind::WheelDown => 65,
        MouseKind::WheelLeft => 66,
        MouseKind::WheelRight => 67,
    };
    // X10 mode knows no modifiers.
    if wanted != Wanted::Presses {
        let modifiers = event.modifiers;
        code += 4 * u8::from(modifiers.shift) + 8 * u8::from(modifiers.alt) + 16 * u8::from(modifiers.ctrl);
    }
    let (column, row) = (u32::from(event.column) + 1, u32::from(event.row) + 1);
    match encoding {
        Encoding::Sgr => {
            let end = if release { 'm' } else { 'M' };
            return Some(format!("\x1b[<{code};{column};{row}{end}").into_bytes());
        }
        Encoding::Urxvt => return Some(format!("\x1b[{};{column};{row}M", code + 32).into_bytes()),
        Encoding::Bytes | Encoding::Utf8 => {}
    }
    let mut out = b"\x1b[M".to_vec();
    for number in [u32::from(code), column, row] {
        match encoding {
            // A byte holds 255 - 32 cells; what lies beyond cannot be said.
            Encoding::Bytes => out.push(u8::try_from(number + 32).ok()?),
            // xterm writes at most two bytes: 2047 - 32 cells.
            _ if number + 32 > 0x7ff => return None,
            _ => out.extend(char::from_u32(number + 32)?.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    Some(out)
}

const fn number(button: MouseButton) -> u8 {
    match button {
        MouseButton::Left => 0,
        MouseButton::Middle => 1,
        MouseButton::Right => 2,
        MouseButton::Extra(number) => 128 + (number.saturating_sub(8) & 0b11),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Modifiers;

    fn event(kind: MouseKind, column: u16, row: u16) -> MouseEvent {
        MouseEvent { kind, column, row, modifiers: Modifiers::NONE }
    }

    #[test]
    fn only_what_the_mode_asks_for_is_sent() {
        let left = MouseButton::Left;
        let kinds =
            [MouseKind::Down(left), MouseKind::Up(left), MouseKind::WheelUp, MouseKind::Drag(left), MouseKind::Moved];
        for (wanted, sent) in [
            (Wanted::Nothing, [false, false, false, false, false]),
            (Wanted::Presses, [true, false, false, false, false]),
            (Wanted::PressesAndReleases, [true, true, true, false, false]),
            (Wanted::Drags, [true, true, true, true, false]),
            (Wanted::Everything, [true, true, true, true, true]),
        ] {
            let got = kinds.map(|kind| encode(event(kind, 0, 0), wanted, Encoding::Sgr).is_some());
            assert_eq!(got, sent, "{wanted:?}");
        }
    }

    #[test]
    fn nothing_is_outside_of_the_screen() {
        let size = Size { columns: 10, rows: 5 };
        let at = |kind, column, row| inside(event(kind, column, row), size).map(|event| (event.column, event.row));
        let left = MouseButton::Left;
        assert_eq!(at(MouseKind::Down(left), 9, 4), Some((9, 4)));
        assert_eq!(at(MouseKind::Down(left), 10, 4), None);
        assert_eq!(at(MouseKind::Moved, 0, 5), None);
        assert_eq!(at(MouseKind::Drag(left), 30, 2), Some((9, 2)));
        assert_eq!(at(MouseKind::Up(left), 30, 50), Some((9, 4)));
    }

    #[test]
    fn each_encoding() {
        let down = event(MouseKind::Down(MouseButton::Right), 9, 4);
        let up = event(MouseKind::Up(MouseButton::Right), 9, 4);
        let all = Wanted::Everything;
        assert_eq!(encode(down, all, Encoding::Sgr).unwrap(), b"\x1b[<2;10;5M");
        assert_eq!(encode(up, all, Encoding::Sgr).unwrap(), b"\x1b[<2;10;5m");
        assert_eq!(encode(down, all, Encoding::Bytes).unwrap(), b"\x1b[M\x22\x2a\x25");
        assert_eq!(encode(up, all, Encoding::Bytes).unwrap(), b"\x1b[M\x23\x2a\x25");
        assert_eq!(encode(down, all, Encoding::Urxvt).unwrap(), b"\x1b[34;10;5M");
        assert_eq!(encode(up, all, Encoding::Urxvt).unwrap(), b"\x1b[35;10;5M");
        let back = event(MouseKind::Down(MouseButton::Extra(8)), 0, 0);
        assert_eq!(encode(back, all, Encoding::Sgr).unwrap(), b"\x1b[<128;1;1M");
        assert_eq!(encode(back, all, Encoding::Bytes).unwrap(), b"\x1b[M\xa0!!");
        assert_eq!(encode(back, all, Encoding::Utf8).unwrap(), "\x1b[M\u{a0}!!".as_bytes());
        assert_eq!(encode(event(MouseKind::WheelRight, 0, 0), all, Encoding::Sgr).unwrap(), b"\x1b[<67;1;1M");
        let far = event(MouseKind::Moved, 299, 0);
        assert_eq!(encode(far, all, Encoding::Bytes), None);
        assert_eq!(encode(far, all, Encoding::Utf8).unwrap(), "\x1b[MC\u{14c}!".as_bytes());
        assert_eq!(encode(event(MouseKind::Moved, 3000, 0), all, Encoding::Utf8), None);
    }

    #[test]
    fn modifiers_are_bits_but_not_in_x10() {
        let modifiers = Modifiers { shift: true, alt: true, ctrl: true };
        let wheel = MouseEvent { modifiers, ..event(MouseKind::WheelDown, 0, 0) };
        assert_eq!(encode(wheel, Wanted::Drags, Encoding::Sgr).unwrap(), b"\x1b[<93;1;1M");
        let down = MouseEvent { modifiers, ..event(MouseKind::Down(MouseButton::Left), 0, 0) };
        assert_eq!(encode(down, Wanted::Presses, Encoding::Bytes).unwrap(), b"\x1b[M !!");
    }
}
