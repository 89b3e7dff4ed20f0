//! Pasted text as bytes for the program, piece by piece.
//!
//! Whether the paste is bracketed is decided with its first piece and kept to its last, so that the
//! program gets exactly one pair of markers. ESC and the one-byte CSI never pass: without them no end
//! marker can form, not even across pieces (xterm drops them too).

const START: &[u8] = b"\x1b[200~";
const END: &[u8] = b"\x1b[201~";

/// Where a streamed paste stands.
#[derive(Debug, Default)]
pub(super) struct Paste {
    stage: Stage,
    after_return: bool,
    /// Bytes of it that were given out.
    given: u64,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Stage {
    #[default]
    Closed,
    Bracketed,
    Plain,
    /// A piece was refused: the rest is dropped, only the end marker still goes out.
    Broken {
        bracketed: bool,
    },
}

/// A paste that was given up.
#[derive(Debug, Clone, Copy)]
pub(super) struct BrokenOff {
    /// Bytes of it that were given out.
    pub(super) given: u64,
    /// What the program must get now.
    pub(super) closing: &'static [u8],
}

impl Paste {
    /// The bytes for one piece; none when the paste was broken off and nothing is due.
    pub(super) fn piece(&mut self, text: &str, first: bool, last: bool, bracketed: bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len() + START.len() + END.len());
        if first || self.stage == Stage::Closed {
            // A paste that never got its last piece is closed before the next one begins.
            if matches!(self.stage, Stage::Bracketed | Stage::Broken { bracketed: true }) {
                out.extend_from_slice(END);
            }
            self.after_return = false;
            self.given = 0;
            self.stage = if bracketed { Stage::Bracketed } else { Stage::Plain };
            if bracketed {
                out.extend_from_slice(START);
            }
        }
        match self.stage {
            Stage::Bracketed => out.extend(text.bytes_without_escapes()),
            Stage::Plain => self.plain(text, &mut out),
            Stage::Broken { .. } | Stage::Closed => {}
        }
        if last {
            if matches!(self.stage, Stage::Bracketed | Stage::Broken { bracketed: true }) {
                out.extend_from_slice(END);
            }
            self.stage = Stage::Closed;
        }
        self.given += out.len() as u64;
        out
    }

    /// Whether it was given up and its end has not come.
    pub(super) const fn broken(&self) -> bool {
        matches!(self.stage, Stage::Broken { .. })
    }

    /// Gives the paste up in its middle: later pieces are dropped. None when no paste was under way.
    pub(super) fn break_off(&mut self) -> Option<BrokenOff> {
        let bracketed = match self.stage {
            Stage::Bracketed => true,
            Stage::Plain => false,
            Stage::Broken { .. } | Stage::Closed => return None,
        };
        self.stage = Stage::Broken { bracketed: false };
        Some(BrokenOff { given: self.given, closing: if bracketed { END } else { b"" } })
    }

    /// The program did not take the piece. True when the end marker must still be sent now.
    pub(super) fn refused(&mut self, first: bool, last: bool) -> bool {
        let bracketed = self.stage == Stage::Bracketed;
        // The refused first piece held the start marker: there is nothing to close.
        self.stage = if last { Stage::Closed } else { Stage::Broken { bracketed: bracketed && !first } };
        last && bracketed && !first
    }

    /// The end marker, for a paste whose last piece was refused.
    pub(super) const fn end_marker() -> &'static [u8] {
        END
    }

    /// Without brackets a line's end is what the Enter key sends, once for CR LF.
    fn plain(&mut self, text: &str, out: &mut Vec<u8>) {
        for byte in text.bytes_without_escapes() {
            match byte {
                b'\n' if self.after_return => {}
                b'\n' => out.push(b'\r'),
                byte => out.push(byte),
            }
            self.after_return = byte == b'\r';
        }
    }
}

/// Text as bytes, without what could begin a control sequence.
pub(super) trait WithoutEscapes {
    /// The bytes.
    fn bytes_without_escapes(&self) -> impl Iterator<Item = u8>;
}

impl WithoutEscapes for str {
    fn bytes_without_escapes(&self) -> impl Iterator<Item = u8> {
        let mut utf8 = [0; 4];
        self.chars().filter(|&c| c != '\u{1b}' && c != '\u{9b}').flat_map(move |c| {
            let length = c.encode_utf8(&mut utf8).len();
            utf8.into_iter().take(length)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_paste_in_pieces_has_one_pair_of_markers() {
        let mut paste = Paste::default();
        let mut out = paste.piece("a\n", true, false, true);
        // The program turns the mode off in the middle: the pair is still completed.
        out.extend(paste.piece("b\n", false, false, false));
        out.extend(paste.piece("c", false, true, false));
        assert_eq!(out, b"\x1b[200~a\nb\nc\x1b[201~");
    }

    #[test]
    fn without_brackets_line_ends_become_enter() {
        let mut paste = Paste::default();
        let mut out = paste.piece("a\r", true, false, false);
        out.extend(paste.piece("\nb\nc\r\n", false, true, false));
        assert_eq!(out, b"a\rb\rc\r");
    }

    #[test]
    fn a_broken_paste_is_closed_once() {
        let mut paste = Paste::default();
        paste.piece("a", true, false, true);
        paste.piece("b", false, false, true);
        assert!(!paste.refused(false, false));
        assert_eq!(paste.piece("c", false, false, true), b"");
        assert_eq!(paste.piece("d", false, true, true), END);
        assert_eq!(paste.piece("e", true, true, true), b"\x1b[200~e\x1b[201~");
    }

    #[test]
    fn a_refused_first_piece_leaves_nothing_to_close() {
        let mut paste = Paste::default();
        paste.piece("a", true, false, true);
        assert!(!paste.refused(true, false));
        assert_eq!(paste.piece("b", false, true, true), b"");
    }

    proptest! {
        #[test]
        fn no_marker_can_be_smuggled_in(pieces in prop::collection::vec("(\u{1b}|\\[|2|0|1|~|a|\n|\u{9b}){0,12}", 1..6)) {
            let mut paste = Paste::default();
            let count = pieces.len();
            let mut out = Vec::new();
            for (i, piece) in pieces.iter().enumerate() {
                out.extend(paste.piece(piece, i == 0, i + 1 == count, true));
            }
            prop_assert_eq!(out.split(|&b| b == 0x1b).count() - 1, 2);
            prop_assert!(out.starts_with(START) && out.ends_with(END));
        }
    }
}
