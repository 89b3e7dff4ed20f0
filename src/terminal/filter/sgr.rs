//! SGR: the pen that a sequence leaves, and whether the emulator reads the sequence in the same way.

use super::pen::Pen;
use super::tokens::number;
use crate::domain::{Colour, Underline};

/// Parameters that the emulator reads.
const MOST: usize = 32;

/// Parameters without sub-parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers {
    all: [u16; MOST],
    count: usize,
}

/// Applies the parameters of one SGR. False when the emulator would read them otherwise.
pub(super) fn apply(pen: &mut Pen, parameters: &[u8]) -> bool {
    if let (end, Some(numbers)) = scan(parameters)
        && end == parameters.len()
    {
        return apply_numbers(pen, &numbers);
    }
    // Sub-parameters, or very many: one group between them after the other.
    let grouping = |item: &&[u8]| item.contains(&b':');
    let mut items = parameters.split(|&byte| byte == b';').peekable();
    while items.peek().is_some() {
        list(pen, std::iter::from_fn(|| items.next_if(|item| !grouping(item)).map(number)));
        if let Some(item) = items.next_if(grouping) {
            grouped(pen, item);
        }
    }
    false
}

/// Applies the parameters of one SGR, if there are no sub-parameters. False when the emulator would read them otherwise.
pub(super) fn apply_numbers(pen: &mut Pen, numbers: &Numbers) -> bool {
    list(pen, numbers.all[..numbers.count].iter().copied())
}

/// Reads the parameters at the start of some bytes: where they end, and their numbers. None when there are
/// sub-parameters, or too many.
pub(super) fn scan(bytes: &[u8]) -> (usize, Option<Numbers>) {
    let mut numbers = Numbers { all: [0; MOST], count: 1 };
    let mut number = 0_u32;
    let mut plain = true;
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {
                number = (number * 10 + u32::from(byte - b'0')).min(u32::from(u16::MAX));
                numbers.all[numbers.count - 1] = number as u16;
            }
            b';' if numbers.count < MOST => {
                numbers.count += 1;
                number = 0;
            }
            b':' | b';' => plain = false,
            _ => return (at, plain.then_some(numbers)),
        }
    }
    (bytes.len(), plain.then_some(numbers))
}

/// Applies numbers in their order. False when the emulator would read them otherwise.
fn list(pen: &mut Pen, mut numbers: impl Iterator<Item = u16>) -> bool {
    let mut native = true;
    while let Some(number) = numbers.next() {
        match number {
            0 => *pen = pen.reset(),
            1 => pen.bold = true,
            2 => {
                // There, bold and dim exclude each other; bold stays, dim goes into the tag.
                native &= !pen.bold;
                pen.dim = true;
            }
            3 => pen.italic = true,
            4 => pen.underline = Underline::Single,
            7 => pen.inverse = true,
            8 => pen.hidden = true,
            9 => pen.strikethrough = true,
            21 => {
                native = false;
                pen.underline = Underline::Double;
            }
            22 => (pen.bold, pen.dim) = (false, false),
            23 => pen.italic = false,
            24 => pen.underline = Underline::None,
            27 => pen.inverse = false,
            28 => pen.hidden = false,
            29 => pen.strikethrough = false,
            n @ 30..=37 => pen.foreground = Colour::Indexed((n - 30) as u8),
            n @ 40..=47 => pen.background = Colour::Indexed((n - 40) as u8),
            39 => pen.foreground = Colour::Default,
            49 => pen.background = Colour::Default,
            59 => pen.underline_colour = Colour::Default,
            n @ 90..=97 => pen.foreground = Colour::Indexed((n - 82) as u8),
            n @ 100..=107 => pen.background = Colour::Indexed((n - 92) as u8),
            layer @ (38 | 48 | 58) => {
                let colour = match numbers.next() {
                    Some(5) => numbers.next().and_then(indexed),
                    Some(2) => match (numbers.next(), numbers.next(), numbers.next()) {
                        (Some(r), Some(g), Some(b)) => rgb(r, g, b),
                        _ => None,
                    },
                    _ => None,
                };
                native &= layer != 58 && colour.is_some();
                set(pen, layer, colour);
            }
            _ => {}
        }
    }
    native
}

/// One parameter with sub-parameters.
fn grouped(pen: &mut Pen, item: &[u8]) {
    let mut parts = [0_u16; 8];
    let mut given = 0;
    for (part, digits) in parts.iter_mut().zip(item.split(|&byte| byte == b':')) {
        *part = number(digits);
        given += 1;
    }
    match parts[0] {
        4 => {
            pen.underline = match parts[1] {
                0 => Underline::None,
                2 => Underline::Double,
                3 => Underline::Curly,
                4 => Underline::Dotted,
                5 => Underline::Dashed,
                _ => Underline::Single,
            }
        }
        layer @ (38 | 48 | 58) => {
            let colour = match parts[1] {
                5 => indexed(parts[2]),
                // ISO 8613-6 has a colour space before red; many programs leave it out.
                2 if given >= 6 => rgb(parts[3], parts[4], parts[5]),
                2 if given == 5 => rgb(parts[2], parts[3], parts[4]),
                _ => None,
            };
            set(pen, layer, colour);
        }
        _ => {}
    }
}

/// Sets a colour; one that is out of range changes nothing.
fn set(pen: &mut Pen, layer: u16, colour: Option<Colour>) {
    let Some(colour) = colour else { return };
    match layer {
        38 => pen.foreground = colour,
        48 => pen.background = colour,
        _ => pen.underline_colour = colour,
    }
}

fn indexed(index: u16) -> Option<Colour> {
    u8::try_from(index).ok().map(Colour::Indexed)
}

fn rgb(r: u16, g: u16, b: u16) -> Option<Colour> {
    Some(Colour::Rgb(u8::try_from(r).ok()?, u8::try_from(g).ok()?, u8::try_from(b).ok()?))
}
