//! What a window's own terminal said of its colours.

use std::collections::BTreeMap;

use crate::domain::TerminalReport;

/// Red, green, blue.
type Rgb = (u8, u8, u8);

/// A window's terminal, as far as it told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OuterTerminal {
    /// Its text.
    pub foreground: Option<Rgb>,
    /// Behind its text.
    pub background: Option<Rgb>,
    /// Its cursor.
    pub cursor: Option<Rgb>,
    /// Those of its 256 colours that it told.
    pub palette: BTreeMap<u8, Rgb>,
    /// Whether its background is light: what it said last, in words or by the colour.
    pub light: Option<bool>,
}

impl OuterTerminal {
    /// Takes what it said. Whether that is news.
    pub fn hear(&mut self, report: TerminalReport) -> bool {
        let before = self.clone();
        match report {
            TerminalReport::Foreground(r, g, b) => self.foreground = Some((r, g, b)),
            TerminalReport::Background(r, g, b) => {
                self.background = Some((r, g, b));
                // Perceived brightness (ITU-R BT.601 weights).
                self.light = Some(299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b) >= 128_000);
            }
            TerminalReport::Cursor(r, g, b) => self.cursor = Some((r, g, b)),
            TerminalReport::Palette(index, r, g, b) => {
                self.palette.insert(index, (r, g, b));
            }
            TerminalReport::Dark(dark) => self.light = Some(!dark),
        }
        *self != before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_is_what_was_said_last() {
        let mut terminal = OuterTerminal::default();
        assert!(terminal.hear(TerminalReport::Background(250, 250, 240)));
        assert_eq!(terminal.light, Some(true));
        assert!(!terminal.hear(TerminalReport::Background(250, 250, 240)), "no news");
        assert!(terminal.hear(TerminalReport::Dark(true)));
        assert_eq!(terminal.light, Some(false));
        assert!(terminal.hear(TerminalReport::Palette(1, 9, 9, 9)));
        assert_eq!((terminal.palette[&1], terminal.light), ((9, 9, 9), Some(false)));
    }
}
