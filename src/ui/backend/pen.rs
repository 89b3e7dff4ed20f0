//! How the terminal writes (SGR), and the shortest way from one pen to the next.

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

use super::super::surface::Extra;
use super::Abilities;
use super::colour::Ink;
use crate::domain::Underline;

/// How a cell is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Pen {
    foreground: Ink,
    background: Ink,
    /// Without the underline.
    modifier: Modifier,
    underline: Underline,
    underline_colour: Ink,
}

/// Attributes, the code that sets each, and the code that ends it; some are ended together.
const ATTRIBUTES: [(Modifier, u8, u8); 8] = [
    (Modifier::BOLD, 1, 22),
    (Modifier::DIM, 2, 22),
    (Modifier::ITALIC, 3, 23),
    (Modifier::SLOW_BLINK, 5, 25),
    (Modifier::RAPID_BLINK, 6, 25),
    (Modifier::REVERSED, 7, 27),
    (Modifier::HIDDEN, 8, 28),
    (Modifier::CROSSED_OUT, 9, 29),
];

impl Pen {
    /// The pen for a cell, with what the terminal has.
    pub(super) fn of(cell: &Cell, extra: Option<&Extra>, abilities: Abilities) -> Self {
        let depth = abilities.colours;
        let mut pen = Self {
            foreground: Ink::of(cell.fg, depth),
            background: Ink::of(cell.bg, depth),
            modifier: cell.modifier,
            ..Self::default()
        };
        if cell.modifier.contains(Modifier::UNDERLINED) {
            pen.modifier.remove(Modifier::UNDERLINED);
            pen.underline = Underline::Single;
            if let Some(extra) = extra.filter(|_| abilities.rich) {
                pen.underline = if extra.underline == Underline::None { Underline::Single } else { extra.underline };
                pen.underline_colour = Ink::of(extra.colour.unwrap_or(Color::Reset), depth);
            }
        }
        pen
    }

    /// Writes what changes the pen before into this one. An unknown one is reset first.
    pub(super) fn write(self, before: Option<Self>, out: &mut Vec<u8>) {
        let mut codes = Codes::begin();
        if before.is_none() || self == Self::default() {
            codes.add(0);
        }
        if self != Self::default() {
            let before = before.unwrap_or_default();
            if self.modifier != before.modifier {
                codes.attributes(before.modifier, self.modifier);
            }
            if self.underline != before.underline {
                codes.underline(self.underline);
            }
            if self.underline_colour != before.underline_colour {
                codes.underline_colour(self.underline_colour);
            }
            if self.foreground != before.foreground {
                codes.ink(self.foreground, 30);
            }
            if self.background != before.background {
                codes.ink(self.background, 40);
            }
        }
        codes.end(out);
    }
}

/// All attributes that a code ends.
fn together(end: u8) -> Modifier {
    ATTRIBUTES.iter().filter(|(.., code)| *code == end).map(|(attribute, ..)| *attribute).collect()
}

/// Room for the longest change: every attribute, three colours.
const LONGEST: usize = 128;

/// Numbers with `;` between them, gathered before they go out: a truecolour frame has sixty thousand.
struct Codes {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Codes {
    fn begin() -> Self {
        let mut codes = Self { bytes: [0; LONGEST], len: 0 };
        codes.write(b"\x1b[");
        codes
    }

    fn end(mut self, out: &mut Vec<u8>) {
        self.write(b"m");
        out.extend_from_slice(&self.bytes[..self.len]);
    }

    fn write(&mut self, bytes: &[u8]) {
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    fn next(&mut self) {
        // Behind `ESC [` stands the first.
        if self.len > 2 {
            self.write(b";");
        }
    }

    fn add(&mut self, code: u8) {
        self.next();
        self.decimal(code);
    }

    fn decimal(&mut self, number: u8) {
        let (digits, len) = DECIMALS[usize::from(number)];
        self.bytes[self.len..self.len + 3].copy_from_slice(&digits);
        self.len += len;
    }

    fn attributes(&mut self, before: Modifier, after: Modifier) {
        let mut left = before;
        let mut ended = 0;
        for (attribute, _, end) in ATTRIBUTES {
            if before.contains(attribute) && !after.contains(attribute) {
                if end != ended {
                    self.add(end);
                }
                ended = end;
                left &= !together(end);
            }
        }
        for (attribute, begin, _) in ATTRIBUTES {
            if after.contains(attribute) && !left.contains(attribute) {
                self.add(begin);
            }
        }
    }

    fn underline(&mut self, underline: Underline) {
        self.next();
        let code: &[u8] = match underline {
            Underline::None => b"24",
            Underline::Single => b"4",
            Underline::Double => b"4:2",
            Underline::Curly => b"4:3",
            Underline::Dotted => b"4:4",
            Underline::Dashed => b"4:5",
        };
        self.write(code);
    }

    /// With colons: a terminal that knows none of it must not read the numbers as attributes.
    fn underline_colour(&mut self, ink: Ink) {
        self.next();
        match ink {
            Ink::Default => self.write(b"59"),
            Ink::Basic(index) | Ink::Indexed(index) => {
                self.write(b"58:5:");
                self.decimal(index);
            }
            Ink::Rgb(r, g, b) => {
                self.write(b"58:2:");
                for part in [r, g, b] {
                    self.write(b":");
                    self.decimal(part);
                }
            }
        }
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

/// Each number's digits, and how many there are.
const DECIMALS: [([u8; 3], usize); 256] = {
    let mut all = [([0; 3], 0); 256];
    let mut number = 0;
    while number < 256 {
        let digits = [b'0' + (number / 100) as u8, b'0' + (number / 10 % 10) as u8, b'0' + (number % 10) as u8];
        all[number] = match number {
            0..10 => ([digits[2], 0, 0], 1),
            10..100 => ([digits[1], digits[2], 0], 2),
            _ => (digits, 3),
        };
        number += 1;
    }
    all
};
