//! The pen: every attribute that printed text gets.

use std::io::Write;

use crate::domain::{CellStyle, Colour, Underline};

/// The attributes in force. The emulator keeps a part of them, the rest is carried by tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Pen {
    pub(super) foreground: Colour,
    pub(super) background: Colour,
    pub(super) bold: bool,
    pub(super) dim: bool,
    pub(super) italic: bool,
    pub(super) underline: Underline,
    pub(super) underline_colour: Colour,
    pub(super) inverse: bool,
    pub(super) hidden: bool,
    pub(super) strikethrough: bool,
    /// Number of the link that text belongs to. Not an attribute: SGR 0 leaves it.
    pub(super) link: Option<u16>,
}

/// What of a pen the emulator cannot keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(in crate::terminal) struct Extra {
    pub(super) strikethrough: bool,
    pub(super) hidden: bool,
    /// Dim as well as bold.
    pub(super) dim: bool,
    /// Only what goes beyond a single line.
    pub(super) underline: Underline,
    pub(super) underline_colour: Colour,
    pub(super) link: Option<u16>,
}

impl Extra {
    /// What of a style needs a tag.
    pub(super) fn of(style: &CellStyle, link: Option<u16>) -> Self {
        Pen {
            bold: style.bold,
            dim: style.dim,
            underline: style.underline,
            underline_colour: style.underline_colour,
            hidden: style.hidden,
            strikethrough: style.strikethrough,
            link,
            ..Pen::default()
        }
        .extra()
    }
}

impl Pen {
    /// What needs a tag.
    pub(super) fn extra(&self) -> Extra {
        let underlined = self.underline != Underline::None;
        Extra {
            strikethrough: self.strikethrough,
            hidden: self.hidden,
            dim: self.bold && self.dim,
            underline: if self.underline == Underline::Single { Underline::None } else { self.underline },
            underline_colour: if underlined { self.underline_colour } else { Colour::Default },
            link: self.link,
        }
    }

    /// Whether anything does.
    pub(super) fn needs_tag(&self) -> bool {
        let lined = self.underline != Underline::None;
        self.strikethrough
            || self.hidden
            || (self.bold && self.dim)
            || (lined && (self.underline != Underline::Single || self.underline_colour != Colour::Default))
            || self.link.is_some()
    }

    /// The pen without attributes, on the same link.
    pub(super) fn reset(&self) -> Self {
        Self { link: self.link, ..Self::default() }
    }

    /// Adds the sequence that gives the emulator its part of this pen.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\x1b[0");
        for (on, number) in [
            (self.bold, "1"),
            (self.dim && !self.bold, "2"),
            (self.italic, "3"),
            (self.underline != Underline::None, "4"),
            (self.inverse, "7"),
        ] {
            if on {
                out.push(b';');
                out.extend_from_slice(number.as_bytes());
            }
        }
        colour(out, self.foreground, 30);
        colour(out, self.background, 40);
        out.push(b'm');
    }

    /// The whole pen as parameters of SGR, as DECRQSS reports it.
    pub(super) fn report(&self) -> String {
        let mut native = Vec::new();
        self.write(&mut native);
        let mut text = String::from_utf8_lossy(&native[2..native.len() - 1]).into_owned();
        let line = match self.underline {
            Underline::None | Underline::Single => "",
            Underline::Double => ";4:2",
            Underline::Curly => ";4:3",
            Underline::Dotted => ";4:4",
            Underline::Dashed => ";4:5",
        };
        text.push_str(line);
        for (on, number) in [(self.bold && self.dim, ";2"), (self.hidden, ";8"), (self.strikethrough, ";9")] {
            if on {
                text.push_str(number);
            }
        }
        match self.underline_colour {
            Colour::Default => {}
            Colour::Indexed(index) => text.push_str(&[";58:5:", &index.to_string()].concat()),
            Colour::Rgb(r, g, b) => text.extend([";58:2::".to_owned(), format!("{r}:{g}:{b}")]),
        }
        text
    }
}

fn colour(out: &mut Vec<u8>, colour: Colour, base: u8) {
    // Writing to memory does not fail.
    let _ = match colour {
        Colour::Default => Ok(()),
        Colour::Indexed(index @ 0..=7) => write!(out, ";{}", base + index),
        Colour::Indexed(index @ 8..=15) => write!(out, ";{}", base + 52 + index),
        Colour::Indexed(index) => write!(out, ";{};5;{index}", base + 8),
        Colour::Rgb(r, g, b) => write!(out, ";{};2;{r};{g};{b}", base + 8),
    };
}
