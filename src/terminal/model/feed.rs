//! Bytes on their last step to the emulator: whole sequences and characters that it understands.

use unicode_width::UnicodeWidthChar;
use vt100::Parser;

use crate::terminal::host::Host;
use crate::terminal::reflow::FILLER;

/// The least byte that can begin a wide character.
const WIDE: u8 = 0xe1;

/// Feeds bytes that no one has looked at yet.
pub(in crate::terminal) fn feed(parser: &mut Parser<Host>, bytes: &[u8]) {
    let row = row(parser);
    parser.callbacks_mut().live.feed(bytes, row);
    if bytes.iter().any(|byte| *byte >= WIDE) { fill(parser, bytes) } else { parser.process(bytes) }
}

/// The cursor may have gone up.
pub(in crate::terminal) fn moved_up(parser: &mut Parser<Host>) {
    let row = row(parser);
    let hidden = parser.screen().hide_cursor();
    parser.callbacks_mut().live.moved(row, hidden);
}

/// The cursor's row, counted from the pane's beginning.
fn row(parser: &Parser<Host>) -> i64 {
    parser.callbacks().history.rows() as i64 + i64::from(parser.screen().cursor_position().0)
}

/// A wide character that does not fit into the last column leaves it empty, and the emulator takes the row
/// for ended. A filler tells that it is not.
fn fill(parser: &mut Parser<Host>, bytes: &[u8]) {
    let mut fed = 0;
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        at += bytes[at..].iter().position(|byte| *byte < 0x20 || *byte == 0x7f).unwrap_or(bytes.len() - at);
        let run = &bytes[start..at];
        if run.iter().any(|byte| *byte >= WIDE)
            && let Ok(text) = std::str::from_utf8(run)
        {
            parser.process(&bytes[fed..start]);
            fed = start;
            let columns = parser.screen().size().1.get();
            let mut column = parser.screen().cursor_position().1;
            for (offset, character) in text.char_indices() {
                let width = character.width().unwrap_or(0).min(2) as u16;
                if width == 2 && column + 1 == columns {
                    parser.process(&bytes[fed..start + offset]);
                    fed = start + offset;
                    parser.process(FILLER.as_bytes());
                }
                column = if column + width > columns { width } else { column + width };
            }
        }
        // The control character, or the sequence that begins with it.
        at = (at + sequence(&bytes[at..])).min(bytes.len());
    }
    parser.process(&bytes[fed..]);
}

/// The length of the control character or sequence at the start of some bytes.
fn sequence(bytes: &[u8]) -> usize {
    match bytes {
        [0x1b, b'[', rest @ ..] => 3 + rest.iter().take_while(|byte| !(0x40..=0x7e).contains(*byte)).count(),
        [0x1b, rest @ ..] => 2 + rest.iter().take_while(|byte| (0x20..=0x2f).contains(*byte)).count(),
        _ => 1,
    }
}
