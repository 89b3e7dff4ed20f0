//! What the filter needs of the emulator behind it.

use vt100::{Parser, Screen};

use crate::terminal::host::Host;
use crate::terminal::model::feed;

/// The emulator that gets the rewritten bytes.
pub(in crate::terminal) trait Engine {
    /// Takes bytes that it understands.
    fn feed(&mut self, bytes: &[u8]);

    /// The screen as it is after all that was fed.
    fn screen(&self) -> &Screen;

    /// The screen and the terminal's side of the talk.
    fn parts(&mut self) -> (&Screen, &mut Host);

    /// The program asked to forget what scrolled off (`CSI 3 J`).
    fn clear_history(&mut self);

    /// A sequence that can move the cursor up was taken, on the primary screen.
    fn moved_up(&mut self);

    /// Hands over every text that stands on either screen, tags included.
    fn each_text(&mut self, take: &mut dyn FnMut(&str));
}

impl Engine for Parser<Host> {
    fn feed(&mut self, bytes: &[u8]) {
        feed::feed(self, bytes);
    }

    fn screen(&self) -> &Screen {
        Parser::screen(self)
    }

    fn parts(&mut self) -> (&Screen, &mut Host) {
        let (screen, host) = self.screen_and_callbacks_mut();
        (screen, host)
    }

    fn clear_history(&mut self) {
        self.callbacks_mut().history.clear();
    }

    fn moved_up(&mut self) {
        feed::moved_up(self);
    }

    fn each_text(&mut self, take: &mut dyn FnMut(&str)) {
        let mut visit = |parser: &Self| {
            let (rows, columns) = Parser::screen(parser).size();
            for row in 0..rows.get() {
                for column in 0..columns.get() {
                    if let Some(cell) = Parser::screen(parser).cell(row, column).filter(|cell| cell.has_contents()) {
                        take(cell.contents());
                    }
                }
            }
        };
        visit(self);
        let (there, back): (&[u8], &[u8]) = if Parser::screen(self).alternate_screen() {
            (b"\x1b[?47l", b"\x1b[?47h")
        } else {
            (b"\x1b[?47h", b"\x1b[?47l")
        };
        self.process(there);
        visit(self);
        self.process(back);
        self.callbacks().history.each_tagged(take);
    }
}
