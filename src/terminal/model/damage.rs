//! Which rows may differ from the picture that was made last.
//!
//! The emulator does not tell, and to read all its cells takes longer than anything else between a key and its
//! echo. So the few bytes of an echo are looked at: text and sequences that stay within the cursor's row
//! change that row alone. Whatever is not known to be so changes everything.

use vt100::Parser;

use crate::terminal::filter::Filter;
use crate::terminal::host::Host;

/// More bytes than this are no echo.
const MOST: usize = 256;

/// The rows that may have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Damage {
    #[default]
    All,
    /// Those from one to another, if any.
    Rows(Option<(u16, u16)>),
}

/// What is looked at before some bytes are fed.
pub(super) struct Before {
    /// The row that they stay in, if they do.
    row: Option<u16>,
}

impl Before {
    /// Looks at the bytes that are about to be fed.
    pub(super) fn of(bytes: &[u8], filter: &Filter, parser: &Parser<Host>) -> Self {
        let screen = parser.screen();
        let (row, column) = screen.cursor_position();
        let room = usize::from(screen.size().1.get().saturating_sub(column));
        let stays = bytes.len() <= MOST && filter.steady() && stays_in_row(bytes, room);
        Self { row: stays.then_some(row) }
    }
}

impl Damage {
    /// The bytes were fed.
    pub(super) fn add(&mut self, before: &Before, filter: &Filter) {
        *self = match (*self, before.row.filter(|_| filter.steady())) {
            (Self::Rows(None), Some(row)) => Self::Rows(Some((row, row))),
            (Self::Rows(Some((first, last))), Some(row)) => Self::Rows(Some((first.min(row), last.max(row)))),
            _ => Self::All,
        };
    }
}

/// Whether nothing but the cursor's row changes, with so much room up to the margin.
fn stays_in_row(bytes: &[u8], mut room: usize) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            0x20..=0x7e if room > 0 => room -= 1,
            // Back to where there is more room, which is not counted.
            0x07 | 0x08 | b'\r' => {}
            0x1b if bytes[at..].starts_with(b"\x1b[") => {
                let numbers = bytes[at + 2..].iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b';' | b':'));
                at += 2 + numbers.count();
                match bytes.get(at) {
                    Some(b'm' | b'K' | b'P' | b'X' | b'@' | b'D') => {}
                    // The cursor may come to stand further right than is known.
                    Some(b'C' | b'G') => room = 0,
                    _ => return false,
                }
            }
            _ => return false,
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::Size;
    use crate::terminal::Colours;
    use crate::terminal::model::Model;

    #[test]
    fn an_echo_stays_in_its_row() {
        for bytes in ["x", "\r\x1b[Kmark 001 ", "a\x08\x1b[1;38:5:3mb\x1b[m", "\x07"] {
            assert!(stays_in_row(bytes.as_bytes(), 20), "{bytes:?}");
        }
        for bytes in ["\n", "abc", "\x1b[H", "\x1b[?25l", "\x1b]0;t\x07", "\x1b", "\x1b[3", "\x1b[9Cx", "é", "\t"] {
            assert!(!stays_in_row(bytes.as_bytes(), 2), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn a_picture_made_from_the_last_one_is_the_same(pieces in prop::collection::vec(
            prop::sample::select(vec![
                "a", "word ", "\r", "\x08", "\n", "\x1b[K", "\x1b[1K", "\x1b[31m", "\x1b[m", "\x1b[4:3m", "\x1b[2P",
                "\x1b[3@", "\x1b[4X", "\x1b[2D", "\x1b[C", "\x1b[3G", "\x1b[2;3H", "漢", "e\u{301}", "\u{fe0f}",
                "\x1b]8;;http://a\x07", "\x1b]8;;\x07", "\x1b[?5h", "\x1b[?5l", "\x1b[?7l", "\x1b[?7h", "\x1b[4h",
                "\x1b[4l", "\x1b[2;4r", "\x1b[r", "\x1b[?1049h", "\x1b[?1049l", "\x1b[5b", "\x1b(0", "\x1b(B",
                "\x1b]4;1;rgb:1/2/3\x07", "\x1b[", "\x1b[?25l", "\x1b[?2026h", "\x1b[?2026l", "\t", "\x1bc",
            ]), 0..60)) {
            let mut model = Model::new(Size { columns: 8, rows: 4 }, Colours::default());
            let mut last = model.picture(None);
            model.pictured();
            for piece in pieces {
                let mut at = 0;
                while at < piece.len() {
                    at += model.feed(&piece.as_bytes()[at..]);
                }
                let frame = model.picture(Some(&last));
                prop_assert_eq!(&frame, &model.frame(), "after {:?}", piece);
                model.pictured();
                last = frame;
            }
        }
    }
}
