//! The colours that programs are told when they ask (OSC 4, 10, 11, 12; CSI ? 996 n), and those that they set
//! instead: a program's own are resolved when its picture is made, so that nobody else needs to know of them.

use std::collections::BTreeMap;

use crate::domain::{Cell, Colour};

/// Red, green, blue.
pub type Rgb = (u8, u8, u8);

/// The colours that are really seen in a pane, as answered to programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colours {
    /// Text.
    pub foreground: Rgb,
    /// Behind text.
    pub background: Rgb,
    /// The cursor.
    pub cursor: Rgb,
    /// The sixteen named colours.
    pub palette: [Rgb; 16],
}

impl Default for Colours {
    /// Light grey on near black with xterm's sixteen.
    fn default() -> Self {
        Self {
            foreground: (0xd0, 0xd0, 0xd0),
            background: (0x12, 0x12, 0x12),
            cursor: (0xd0, 0xd0, 0xd0),
            palette: [
                (0x00, 0x00, 0x00),
                (0xcd, 0x00, 0x00),
                (0x00, 0xcd, 0x00),
                (0xcd, 0xcd, 0x00),
                (0x00, 0x00, 0xee),
                (0xcd, 0x00, 0xcd),
                (0x00, 0xcd, 0xcd),
                (0xe5, 0xe5, 0xe5),
                (0x7f, 0x7f, 0x7f),
                (0xff, 0x00, 0x00),
                (0x00, 0xff, 0x00),
                (0xff, 0xff, 0x00),
                (0x5c, 0x5c, 0xff),
                (0xff, 0x00, 0xff),
                (0x00, 0xff, 0xff),
                (0xff, 0xff, 0xff),
            ],
        }
    }
}

impl Colours {
    /// One of the 256: the sixteen, then the 6×6×6 cube, then 24 greys.
    pub(super) fn indexed(&self, index: u8) -> Rgb {
        let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
        match index {
            0..=15 => self.palette[usize::from(index)],
            16..=231 => {
                let cube = index - 16;
                (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
            }
            232..=255 => {
                let grey = 8 + 10 * (index - 232);
                (grey, grey, grey)
            }
        }
    }

    /// Whether the background is dark, by its perceived brightness (ITU-R BT.601 weights).
    pub(super) fn dark(&self) -> bool {
        let (r, g, b) = self.background;
        299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b) < 128_000
    }
}

/// The answer about one colour in the form of X11, 16 bits each, as xterm gives it.
fn answer(which: &str, (r, g, b): Rgb) -> String {
    format!("\x1b]{which};rgb:{r:02x}{r:02x}/{g:02x}{g:02x}/{b:02x}{b:02x}\x1b\\")
}

/// Reads a colour in X11's forms `rgb:r/g/b` and `#rgb`, one to four digits each.
fn parse(spec: &[u8]) -> Option<Rgb> {
    let spec = std::str::from_utf8(spec).ok()?;
    let part = |digits: &str| {
        let most = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)?.checked_sub(1).filter(|most| *most > 0)?;
        let hex = digits.len() <= 4 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| hex)?;
        u8::try_from(value * 255 / most).ok()
    };
    if let Some(parts) = spec.strip_prefix("rgb:") {
        let mut parts = parts.split('/');
        let colour = (part(parts.next()?)?, part(parts.next()?)?, part(parts.next()?)?);
        return parts.next().is_none().then_some(colour);
    }
    let digits = spec.strip_prefix('#').filter(|digits| digits.is_ascii() && digits.len().is_multiple_of(3))?;
    let wide = digits.len() / 3;
    Some((part(&digits[..wide])?, part(&digits[wide..2 * wide])?, part(&digits[2 * wide..])?))
}

/// The colours that a program has set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct OwnColours {
    foreground: Option<Rgb>,
    background: Option<Rgb>,
    cursor: Option<Rgb>,
    palette: BTreeMap<u8, Rgb>,
}

impl OwnColours {
    /// OSC 4 with pairs of a number and a question or a colour. The answers.
    pub(super) fn palette(&mut self, pairs: &[&[u8]], theirs: &Colours) -> String {
        let mut answers = String::new();
        for pair in pairs.chunks_exact(2) {
            let Some(index) = number(pair[0]) else { continue };
            if pair[1] == b"?" {
                let colour = self.palette.get(&index).copied().unwrap_or_else(|| theirs.indexed(index));
                answers.push_str(&answer(&format!("4;{index}"), colour));
            } else if let Some(colour) = parse(pair[1]) {
                self.palette.insert(index, colour);
            }
        }
        answers
    }

    /// OSC 10 to 19 with questions or colours: each further parameter is for the next number. The answers.
    ///
    /// The pointer's, Tektronix' and the selection's colours (13 to 19) are the text's, the background's and
    /// the cursor's, and cannot be set.
    pub(super) fn dynamic(&mut self, first: u8, values: &[&[u8]], theirs: &Colours) -> String {
        let mut answers = String::new();
        for (number, value) in (first..=19).zip(values) {
            let (own, standard) = match number {
                10 | 13 | 15 | 17 | 19 => (&mut self.foreground, theirs.foreground),
                11 | 14 | 16 => (&mut self.background, theirs.background),
                _ => (&mut self.cursor, theirs.cursor),
            };
            if *value == b"?" {
                answers.push_str(&answer(&number.to_string(), own.unwrap_or(standard)));
            } else if number <= 12
                && let Some(colour) = parse(value)
            {
                *own = Some(colour);
            }
        }
        answers
    }

    /// OSC 104 with the numbers to be reset, or none for all; OSC 110, 111, 112.
    pub(super) fn reset(&mut self, which: &[u8], numbers: &[&[u8]]) {
        match which {
            b"104" if numbers.iter().all(|text| text.is_empty()) => self.palette.clear(),
            b"104" => self.palette.retain(|index, _| !numbers.iter().any(|text| number(text) == Some(*index))),
            b"110" => self.foreground = None,
            b"111" => self.background = None,
            _ => self.cursor = None,
        }
    }

    /// What becomes of a colour that is shown.
    pub(super) const fn shown(&self) -> Shown<'_> {
        Shown(self)
    }
}

fn number(text: &[u8]) -> Option<u8> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// A picture's colours with those that its program has set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown<'a>(&'a OwnColours);

impl Shown<'_> {
    /// Puts the program's own colours in the places of those that it did not set.
    pub(super) fn dress(self, cells: &mut [Cell]) {
        let Self(own) = self;
        if own.foreground.is_none() && own.background.is_none() && own.palette.is_empty() {
            return;
        }
        let resolved = |colour: Colour, standard: Option<Rgb>| {
            let own = match colour {
                Colour::Default => standard,
                Colour::Indexed(index) => own.palette.get(&index).copied(),
                Colour::Rgb(..) => None,
            };
            own.map_or(colour, |(r, g, b)| Colour::Rgb(r, g, b))
        };
        for Cell { style, .. } in cells {
            style.foreground = resolved(style.foreground, own.foreground);
            style.background = resolved(style.background, own.background);
            style.underline_colour = resolved(style.underline_colour, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cube_and_the_greys_are_xterms() {
        let colours = Colours::default();
        assert_eq!(colours.indexed(1), (0xcd, 0, 0));
        assert_eq!(colours.indexed(16), (0, 0, 0));
        assert_eq!(colours.indexed(196), (255, 0, 0));
        assert_eq!(colours.indexed(231), (255, 255, 255));
        assert_eq!(colours.indexed(232), (8, 8, 8));
        assert_eq!(colours.indexed(255), (238, 238, 238));
        assert!(colours.dark());
    }

    #[test]
    fn colours_are_read_in_their_forms() {
        for (text, colour) in [
            ("rgb:ff/80/00", Some((255, 128, 0))),
            ("rgb:f/8/0", Some((255, 136, 0))),
            ("rgb:ffff/8080/0000", Some((255, 128, 0))),
            ("#0D1117", Some((13, 17, 23))),
            ("#fff", Some((255, 255, 255))),
            ("#ffff80800000", Some((255, 128, 0))),
            ("default", None),
            ("#12345", None),
            ("#", None),
            ("rgb:ff/ff", None),
            ("rgb:ff/ff/ff/ff", None),
            ("rgb:fffff/0/0", None),
            ("rgb:+f/0/0", None),
            ("#+f0000", None),
            ("#é12", None),
        ] {
            assert_eq!(parse(text.as_bytes()), colour, "{text}");
        }
    }

    #[test]
    fn a_programs_own_colours_are_answered_and_shown_until_they_are_reset() {
        let theirs = Colours::default();
        let mut own = OwnColours::default();
        assert_eq!(own.dynamic(10, &[b"#F0F6FC", b"#0D1117", b"?"], &theirs), "\x1b]12;rgb:d0d0/d0d0/d0d0\x1b\\");
        assert_eq!(own.dynamic(11, &[b"?"], &theirs), "\x1b]11;rgb:0d0d/1111/1717\x1b\\");
        assert_eq!(
            own.palette(&[b"1", b"#00ff00", b"1", b"?", b"x", b"?"], &theirs),
            "\x1b]4;1;rgb:0000/ffff/0000\x1b\\"
        );
        let mut cells = [Cell::default(), Cell::default()];
        cells[1].style.background = Colour::Indexed(1);
        let shown = |own: &OwnColours| {
            let mut cells = cells.clone();
            own.shown().dress(&mut cells);
            cells.map(|cell| (cell.style.foreground, cell.style.background))
        };
        let text = Colour::Rgb(0xf0, 0xf6, 0xfc);
        assert_eq!(shown(&own), [(text, Colour::Rgb(13, 17, 23)), (text, Colour::Rgb(0, 255, 0))]);
        own.reset(b"104", &[b"1"]);
        own.reset(b"110", &[b""]);
        assert_eq!(shown(&own)[1], (Colour::Default, Colour::Indexed(1)));
        own.reset(b"111", &[]);
        assert_eq!(own, OwnColours::default());
    }
}
