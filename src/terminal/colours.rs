//! The colours that programs are told when they ask (OSC 4, 10, 11, 12; CSI ? 996 n).

/// Red, green, blue.
pub type Rgb = (u8, u8, u8);

/// The theme's colours, as answered to programs.
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

/// A colour in the form of X11, 16 bits each, as xterm answers.
pub(super) fn spec((r, g, b): Rgb) -> String {
    format!("rgb:{r:02x}{r:02x}/{g:02x}{g:02x}/{b:02x}{b:02x}")
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
}
