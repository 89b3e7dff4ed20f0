//! What programs ask of keyboard, mouse and focus.

use super::{SIZE, after};
use crate::terminal::mouse::{Encoding, Wanted};

fn flags(sent: &str) -> u8 {
    after(SIZE, sent.as_bytes()).modes.kitty_keys
}

#[test]
fn the_kitty_protocol() {
    for (sent, expected) in [
        ("\x1b[>1u", 1),
        ("\x1b[>5u\x1b[>7u", 7),
        ("\x1b[>5u\x1b[>7u\x1b[<u", 5),
        ("\x1b[>5u\x1b[>7u\x1b[<2u", 0),
        ("\x1b[>5u\x1b[<9u", 0),
        ("\x1b[=1;1u", 1),
        ("\x1b[=5u", 5),
        ("\x1b[=1;1u\x1b[=4;2u", 5),
        ("\x1b[=7;1u\x1b[=2;3u", 5),
        ("\x1b[>5u\x1b[?1049h", 0),
        ("\x1b[>5u\x1b[?1049h\x1b[>1u\x1b[?1049l", 5),
        ("\x1b[>5u\x1bc", 0),
        ("\x1b[>5u\x1b[!p", 5),
        ("\x1b[>999u", 7),
        ("\x1b[u\x1b[s", 0),
    ] {
        assert_eq!(flags(sent), expected, "{sent:?}");
    }
    assert_eq!(after(SIZE, b"\x1b[?u\x1b[>5u\x1b[?u").replies, "\x1b[?0u\x1b[?5u");
}

#[test]
fn modify_other_keys() {
    for (sent, expected) in [
        ("\x1b[>4;2m", 2),
        ("\x1b[>4;1m", 1),
        ("\x1b[>4;2m\x1b[>4m", 0),
        ("\x1b[>4;2m\x1b[>4;0m", 0),
        ("\x1b[>4;2m\x1b[>4n", 0),
        ("\x1b[>4;2m\x1b[!p", 0),
        ("\x1b[>4;2m\x1bc", 0),
        ("\x1b[>1;2m", 0),
    ] {
        assert_eq!(after(SIZE, sent.as_bytes()).modes.other_keys, expected, "{sent:?}");
    }
    assert_eq!(after(SIZE, b"\x1b[>4;2m\x1b[?4m").replies, "\x1b[>4;2m");
    // It is no SGR: the pen stays.
    assert_eq!(after(SIZE, b"\x1b[>4;2mX").frame.cells[0].style, crate::domain::CellStyle::default());
}

#[test]
fn mouse_focus_and_paste() {
    let modes = after(SIZE, b"\x1b[?1000;1002;1003;1006;1004;2004;1h").modes;
    assert_eq!((modes.mouse, modes.mouse_encoding), (Wanted::Everything, Encoding::Sgr));
    assert!(modes.focus && modes.bracketed_paste && modes.application_cursor);
    for (sent, wanted) in [
        ("\x1b[?9h", Wanted::Presses),
        ("\x1b[?1000h", Wanted::PressesAndReleases),
        ("\x1b[?1002h", Wanted::Drags),
        ("\x1b[?1003h\x1b[?1003l", Wanted::Nothing),
        ("\x1b[?1003h\x1b[?1000l", Wanted::Nothing),
    ] {
        assert_eq!(after(SIZE, sent.as_bytes()).modes.mouse, wanted, "{sent:?}");
    }
}
