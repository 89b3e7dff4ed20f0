//! How many colours a terminal has, and the nearest one of them.

use ratatui::style::Color;

/// How many colours a terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColourDepth {
    /// None, or the person wants none (NO_COLOR): bold, inverse and the like only.
    None,
    /// The sixteen of old.
    Sixteen,
    /// 256.
    Indexed,
    /// Red, green and blue.
    True,
}

impl ColourDepth {
    /// What TERM, COLORTERM and NO_COLOR tell.
    #[must_use]
    pub fn of(term: &str, colorterm: Option<&str>, no_color: bool) -> Self {
        /// Terminals that are known for it even where COLORTERM got lost on the way (ssh, sudo).
        const TRUE: [&str; 6] = ["kitty", "alacritty", "foot", "wezterm", "ghostty", "direct"];
        if no_color || term.starts_with("vt1") || term.starts_with("vt2") || term.ends_with("-m") {
            Self::None
        } else if matches!(colorterm, Some("truecolor" | "24bit")) || TRUE.iter().any(|name| term.contains(name)) {
            Self::True
        } else if term.contains("256color") {
            Self::Indexed
        } else {
            Self::Sixteen
        }
    }
}

/// A colour as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Ink {
    #[default]
    Default,
    /// One of the sixteen.
    Basic(u8),
    Indexed(u8),
    Rgb(u8, u8, u8),
}

impl Ink {
    /// The colour, or the nearest one that the terminal has.
    pub(super) fn of(colour: Color, depth: ColourDepth) -> Self {
        let ink = match colour {
            Color::Reset => Self::Default,
            Color::Black => Self::Basic(0),
            Color::Red => Self::Basic(1),
            Color::Green => Self::Basic(2),
            Color::Yellow => Self::Basic(3),
            Color::Blue => Self::Basic(4),
            Color::Magenta => Self::Basic(5),
            Color::Cyan => Self::Basic(6),
            Color::Gray => Self::Basic(7),
            Color::DarkGray => Self::Basic(8),
            Color::LightRed => Self::Basic(9),
            Color::LightGreen => Self::Basic(10),
            Color::LightYellow => Self::Basic(11),
            Color::LightBlue => Self::Basic(12),
            Color::LightMagenta => Self::Basic(13),
            Color::LightCyan => Self::Basic(14),
            Color::White => Self::Basic(15),
            Color::Indexed(index @ 0..16) => Self::Basic(index),
            Color::Indexed(index) => Self::Indexed(index),
            Color::Rgb(r, g, b) => Self::Rgb(r, g, b),
        };
        match (depth, ink) {
            (ColourDepth::None, _) => Self::Default,
            (ColourDepth::Sixteen, Self::Rgb(r, g, b)) => Self::Basic(nearest(&BASIC, (r, g, b))),
            (ColourDepth::Sixteen, Self::Indexed(index)) => Self::Basic(nearest(&BASIC, indexed(index))),
            (ColourDepth::Indexed, Self::Rgb(r, g, b)) => Self::Indexed(nearest_indexed((r, g, b))),
            (_, ink) => ink,
        }
    }
}

type Rgb = (u8, u8, u8);

/// The sixteen as xterm paints them.
const BASIC: [Rgb; 16] = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
];

/// The steps of the 6×6×6 cube.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

fn indexed(index: u8) -> Rgb {
    match index {
        0..16 => BASIC[usize::from(index)],
        16..232 => {
            let step = |n: u8| STEPS[usize::from(n % 6)];
            (step((index - 16) / 36), step((index - 16) / 6), step(index - 16))
        }
        232.. => {
            let grey = 8 + 10 * (index - 232);
            (grey, grey, grey)
        }
    }
}

/// The nearest of the cube and the greys; the first sixteen are the person's to paint.
fn nearest_indexed(wanted: Rgb) -> u8 {
    let step = |value: u8| (0..6).min_by_key(|n| STEPS[usize::from(*n)].abs_diff(value)).unwrap_or(0);
    let cube = 16 + 36 * step(wanted.0) + 6 * step(wanted.1) + step(wanted.2);
    let mean = (u16::from(wanted.0) + u16::from(wanted.1) + u16::from(wanted.2)) / 3;
    let grey = 232 + ((mean.saturating_sub(3)) / 10).min(23) as u8;
    if distance(indexed(grey), wanted) < distance(indexed(cube), wanted) { grey } else { cube }
}

fn nearest(palette: &[Rgb], wanted: Rgb) -> u8 {
    (0u8..).zip(palette).min_by_key(|(_, colour)| distance(**colour, wanted)).map_or(0, |(index, _)| index)
}

fn distance(a: Rgb, b: Rgb) -> u32 {
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    square(a.0, b.0) + square(a.1, b.1) + square(a.2, b.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_tells_the_depth() {
        let of = ColourDepth::of;
        assert_eq!(of("xterm-256color", None, false), ColourDepth::Indexed);
        assert_eq!(of("xterm-256color", Some("truecolor"), false), ColourDepth::True);
        assert_eq!(of("xterm-256color", Some("truecolor"), true), ColourDepth::None);
        assert_eq!(of("xterm-kitty", None, false), ColourDepth::True);
        assert_eq!(of("linux", None, false), ColourDepth::Sixteen);
        assert_eq!(of("vt220", None, false), ColourDepth::None);
    }

    #[test]
    fn the_nearest_colour_is_taken() {
        let of = |r, g, b, depth| Ink::of(Color::Rgb(r, g, b), depth);
        assert_eq!(of(255, 0, 0, ColourDepth::Indexed), Ink::Indexed(196));
        assert_eq!(of(98, 98, 98, ColourDepth::Indexed), Ink::Indexed(241));
        assert_eq!(of(250, 10, 10, ColourDepth::Sixteen), Ink::Basic(9));
        assert_eq!(Ink::of(Color::Indexed(196), ColourDepth::Sixteen), Ink::Basic(9));
        assert_eq!(Ink::of(Color::Red, ColourDepth::None), Ink::Default);
        assert_eq!(of(1, 2, 3, ColourDepth::True), Ink::Rgb(1, 2, 3));
    }

    #[test]
    fn every_indexed_colour_is_its_own_nearest() {
        for index in 16..=255 {
            let (r, g, b) = indexed(index);
            let Ink::Indexed(found) = Ink::of(Color::Rgb(r, g, b), ColourDepth::Indexed) else { panic!("not indexed") };
            assert_eq!(indexed(found), (r, g, b));
        }
    }
}
