//! How the terminal writes (SGR), and the shortest way from one pen to the next.

use ratatui::buffer::Cell;
use ratatui::style::Modifier;

use super::colour::{ColourDepth, Ink};

/// How a cell is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Pen {
    foreground: Ink,
    background: Ink,
    modifier: Modifier,
}

/// Attributes, the code that sets each, and the code that ends it; some are ended together.
const ATTRIBUTES: [(Modifier, u8, u8); 9] = [
    (Modifier::BOLD, 1, 22),
    (Modifier::DIM, 2, 22),
    (Modifier::ITALIC, 3, 23),
    (Modifier::UNDERLINED, 4, 24),
    (Modifier::SLOW_BLINK, 5, 25),
    (Modifier::RAPID_BLINK, 6, 25),
    (Modifier::REVERSED, 7, 27),
    (Modifier::HIDDEN, 8, 28),
    (Modifier::CROSSED_OUT, 9, 29),
];

impl Pen {
    /// The pen for a cell, in the colours that the terminal has.
    pub(super) fn of(cell: &Cell, depth: ColourDepth) -> Self {
        Self { foreground: Ink::of(cell.fg, depth), background: Ink::of(cell.bg, depth), modifier: cell.modifier }
    }

    /// Writes what changes the pen before into this one. An unknown one is reset first.
    pub(super) fn write(self, before: Option<Self>, out: &mut Vec<u8>) {
        let mut codes = Codes(Vec::new());
        if before.is_none() || self == Self::default() {
            codes.add(0);
        }
        if self != Self::default() {
            let before = before.unwrap_or_default();
            let mut left = before.modifier;
            let mut ended = 0;
            for (attribute, _, end) in ATTRIBUTES {
                if before.modifier.contains(attribute) && !self.modifier.contains(attribute) {
                    if end != ended {
                        codes.add(end);
                    }
                    ended = end;
                    left &= !together(end);
                }
            }
            for (attribute, begin, _) in ATTRIBUTES {
                if self.modifier.contains(attribute) && !left.contains(attribute) {
                    codes.add(begin);
                }
            }
            if self.foreground != before.foreground {
                codes.ink(self.foreground, 30);
            }
            if self.background != before.background {
                codes.ink(self.background, 40);
            }
        }
        out.extend_from_slice(b"\x1b[");
        out.extend_from_slice(&codes.0);
        out.push(b'm');
    }
}

/// All attributes that a code ends.
fn together(end: u8) -> Modifier {
    ATTRIBUTES.iter().filter(|(.., code)| *code == end).map(|(attribute, ..)| *attribute).collect()
}

/// Numbers with `;` between them.
struct Codes(Vec<u8>);

impl Codes {
    fn add(&mut self, code: u8) {
        if !self.0.is_empty() {
            self.0.push(b';');
        }
        self.0.extend_from_slice(code.to_string().as_bytes());
    }

    /// A colour; `base` is 30 for the text and 40 for what is behind it.
    fn ink(&mut self, ink: Ink, base: u8) {
        match ink {
            Ink::Default => self.add(base + 9),
            Ink::Basic(index @ 0..8) => self.add(base + index),
            Ink::Basic(index) => self.add(base + 52 + index),
            Ink::Indexed(index) => [base + 8, 5, index].into_iter().for_each(|code| self.add(code)),
            Ink::Rgb(r, g, b) => [base + 8, 2, r, g, b].into_iter().for_each(|code| self.add(code)),
        }
    }
}
