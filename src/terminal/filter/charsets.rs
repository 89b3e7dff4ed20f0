//! The four character sets and which of them is in use (ISO 2022, as far as terminals still speak it).

/// A character set for the 94 printable characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Set {
    #[default]
    Ascii,
    /// DEC special graphics: lines, corners, some signs.
    Graphics,
    /// British: the pound sign for `#`.
    British,
    /// The right half of ISO Latin-1.
    Latin,
}

/// The sets G0 to G3 and the shifts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Charsets {
    sets: [Set; 4],
    /// Which set is in use.
    shifted: u8,
    /// The set for the next character alone.
    single: Option<u8>,
}

/// The graphics for `_` to `~`.
const GRAPHICS: [char; 32] = [
    ' ', '◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼', '⎺', '⎻', '─', '⎼', '⎽', '├', '┤',
    '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
];

impl Charsets {
    /// Whether text stands for itself.
    pub(super) fn plain(self) -> bool {
        self.single.is_none() && self.sets[usize::from(self.shifted)] == Set::Ascii
    }

    /// SO (1), SI (0), LS2, LS3.
    pub(super) fn shift(&mut self, set: u8) {
        self.shifted = set & 3;
    }

    /// SS2 and SS3.
    pub(super) fn shift_once(&mut self, set: u8) {
        self.single = Some(set & 3);
    }

    /// `ESC ( 0` and the like. False when the sequence is none of these.
    pub(super) fn designate(&mut self, intermediate: u8, last: u8) -> bool {
        let slot = match intermediate {
            b'(' => 0,
            b')' | b'-' => 1,
            b'*' | b'.' => 2,
            b'+' | b'/' => 3,
            _ => return false,
        };
        self.sets[slot] = match last {
            b'0' | b'2' => Set::Graphics,
            b'A' if intermediate <= b'+' => Set::British,
            b'A' => Set::Latin,
            _ => Set::Ascii,
        };
        true
    }

    /// The character that is shown.
    pub(super) fn map(&mut self, character: char) -> char {
        let set = self.single.take().unwrap_or(self.shifted);
        match (self.sets[usize::from(set)], character) {
            (Set::Graphics, '_'..='~') => GRAPHICS[character as usize - '_' as usize],
            (Set::British, '#') => '£',
            (Set::Latin, ' '..='~') => char::from_u32(character as u32 | 0x80).unwrap_or(character),
            _ => character,
        }
    }
}
