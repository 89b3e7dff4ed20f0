//! The shapes of control sequences: where one ends, and what its parameters say.

/// A control sequence longer than this is skipped: no known one comes near.
pub(super) const MAX_SEQUENCE: usize = 4096;

/// What some bytes that begin with ESC are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// The rest has not come yet.
    Part,
    /// A whole sequence of so many bytes.
    Whole(usize),
    /// An OSC begins behind so many bytes.
    Osc(usize),
    /// A DCS begins.
    Dcs(usize),
    /// A string that nobody reads (SOS, PM, APC) begins.
    Skip(usize),
    /// At this place stands a byte that does not belong to the sequence.
    Foreign(usize),
}

/// The shape of bytes that begin with ESC.
pub(super) fn shape(bytes: &[u8]) -> Shape {
    match bytes.get(1) {
        None => Shape::Part,
        Some(b'[') => ends(bytes, 2, 0x20..=0x3f),
        Some(b']') => Shape::Osc(2),
        Some(b'P') => Shape::Dcs(2),
        Some(b'X' | b'^' | b'_') => Shape::Skip(2),
        Some(0x20..=0x2f) => ends(bytes, 2, 0x20..=0x2f),
        Some(0x30..=0x7e) => Shape::Whole(2),
        Some(_) => Shape::Foreign(1),
    }
}

/// The shape of bytes that were part of a sequence before the last of them came. Only that one is looked at: a sequence
/// that comes byte by byte is not read anew for each.
pub(super) fn continued(bytes: &[u8]) -> Shape {
    match bytes {
        [_, b'[', .., 0x20..=0x3f] | [_, 0x20..=0x2f, .., 0x20..=0x2f] if bytes.len() > 2 => Shape::Part,
        [_, b'[' | 0x20..=0x2f, .., 0x30..=0x7e] if bytes.len() > 2 => Shape::Whole(bytes.len()),
        _ => shape(bytes),
    }
}

fn ends(bytes: &[u8], from: usize, inside: std::ops::RangeInclusive<u8>) -> Shape {
    match bytes[from..].iter().position(|byte| !inside.contains(byte)) {
        None => Shape::Part,
        Some(end) if (0x30..=0x7e).contains(&bytes[from + end]) => Shape::Whole(from + end + 1),
        Some(end) => Shape::Foreign(from + end),
    }
}

/// A whole `CSI` sequence.
#[derive(Debug, Clone, Copy)]
pub(in crate::terminal) struct Csi<'a> {
    /// `<`, `=`, `>` or `?` before the parameters, else 0.
    pub(in crate::terminal) marker: u8,
    /// The parameters as they came.
    pub(in crate::terminal) parameters: &'a [u8],
    /// The byte between parameters and end, else 0; 0xff for more than one.
    pub(in crate::terminal) intermediate: u8,
    /// The byte that ends it.
    pub(in crate::terminal) last: u8,
}

impl<'a> Csi<'a> {
    /// Reads a sequence without its introducer. None when it is malformed.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (&last, rest) = bytes.split_last()?;
        let (marker, rest) = match rest.split_first() {
            Some((&marker @ b'<'..=b'?', rest)) => (marker, rest),
            _ => (0, rest),
        };
        let end = rest.iter().position(|byte| !(0x30..=0x3b).contains(byte)).unwrap_or(rest.len());
        let (parameters, between) = rest.split_at(end);
        let intermediate = match between {
            [] => 0,
            [one @ 0x20..=0x2f] => *one,
            many if many.iter().all(|byte| (0x20..=0x2f).contains(byte)) => 0xff,
            _ => return None,
        };
        Some(Self { marker, parameters, intermediate, last })
    }

    /// The parameters; what is left out is 0, and of sub-parameters the first counts.
    pub(in crate::terminal) fn numbers(&self) -> impl Iterator<Item = u16> + 'a {
        self.parameters.split(|&byte| byte == b';').map(|item| {
            let first = item.split(|&byte| byte == b':').next().unwrap_or_default();
            number(first)
        })
    }

    /// The parameter at this place from 0, or 0.
    pub(in crate::terminal) fn number(&self, at: usize) -> u16 {
        self.numbers().nth(at).unwrap_or(0)
    }

    /// The first parameter as a count: at least 1.
    pub(in crate::terminal) fn count(&self) -> u16 {
        self.number(0).max(1)
    }
}

/// Digits as a number that stays at its largest value.
pub(super) fn number(digits: &[u8]) -> u16 {
    digits
        .iter()
        .fold(0_u16, |number, digit| number.saturating_mul(10).saturating_add(u16::from(digit.wrapping_sub(b'0'))))
}
