//! Where vi's keys lead in a text: by characters, words, lines and paragraphs. Places in, places out.
//!
//! The text is taken as lines without an end of their own; an empty line counts as a word and as the space
//! between two paragraphs.

use unicode_segmentation::UnicodeSegmentation;

use super::text::{Place, ScrollText};

/// What a character is to words: blank, part of a word, or a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Word,
    Sign,
}

fn class(grapheme: &str, big: bool) -> Class {
    let Some(c) = grapheme.chars().next() else { return Class::Blank };
    if c.is_whitespace() {
        Class::Blank
    } else if big || c.is_alphanumeric() || c == '_' {
        Class::Word
    } else {
        Class::Sign
    }
}

/// A line's characters: first byte and class.
fn classes(text: &ScrollText, line: u64, big: bool) -> Vec<(usize, Class)> {
    text.line(line).grapheme_indices(true).map(|(at, grapheme)| (at, class(grapheme, big))).collect()
}

/// A place that is surely there: on the character it stands in, or the nearest one before.
#[must_use]
pub fn settled(text: &ScrollText, place: Place) -> Place {
    let numbers = text.numbers();
    let line = place.line.clamp(numbers.start, text.last().unwrap_or(numbers.start));
    let byte = if line == place.line { place.byte } else { 0 };
    let starts = text.line(line).grapheme_indices(true).map(|(at, _)| at);
    Place { line, byte: starts.take_while(|at| *at <= byte).last().unwrap_or(0) }
}

/// One character to the left in the line.
pub fn left(text: &ScrollText, at: Place) -> Place {
    let before = text.line(at.line)[..at.byte].grapheme_indices(true).next_back();
    Place { byte: before.map_or(0, |(byte, _)| byte), ..at }
}

/// One character to the right in the line.
pub fn right(text: &ScrollText, at: Place) -> Place {
    let next = text.line(at.line)[at.byte..].grapheme_indices(true).nth(1);
    Place { byte: next.map_or(at.byte, |(byte, _)| at.byte + byte), ..at }
}

/// The line's first character.
pub const fn line_start(at: Place) -> Place {
    Place { line: at.line, byte: 0 }
}

/// The line's first character that is no blank.
pub fn line_indent(text: &ScrollText, at: Place) -> Place {
    let line = text.line(at.line);
    let indent = line.len() - line.trim_start().len();
    settled(text, Place { byte: if indent < line.len() { indent } else { 0 }, ..at })
}

/// The line's last character.
pub fn line_end(text: &ScrollText, at: Place) -> Place {
    let last = text.line(at.line).grapheme_indices(true).next_back();
    Place { byte: last.map_or(0, |(byte, _)| byte), ..at }
}

/// The next word's first character.
pub fn word(text: &ScrollText, at: Place, big: bool) -> Place {
    let here = classes(text, at.line, big);
    let mut rest = here.iter().skip_while(|(byte, _)| *byte < at.byte).peekable();
    if let Some((_, own)) = rest.peek().copied().filter(|(_, own)| *own != Class::Blank) {
        while rest.next_if(|(_, class)| class == own).is_some() {}
    }
    if let Some((byte, _)) = rest.find(|(_, class)| *class != Class::Blank) {
        return Place { byte: *byte, ..at };
    }
    for line in at.line + 1..text.numbers().end {
        let there = classes(text, line, big);
        if there.is_empty() {
            return Place { line, byte: 0 };
        }
        if let Some((byte, _)) = there.iter().find(|(_, class)| *class != Class::Blank) {
            return Place { line, byte: *byte };
        }
    }
    line_end(text, Place { line: text.last().unwrap_or(at.line), byte: 0 })
}

/// The last character of this word, or of the next one from a word's end.
pub fn word_end(text: &ScrollText, at: Place, big: bool) -> Place {
    for line in at.line..text.numbers().end {
        let there = classes(text, line, big);
        let from = if line == at.line { there.partition_point(|(byte, _)| *byte <= at.byte) } else { 0 };
        let Some(begin) = there[from..].iter().position(|(_, class)| *class != Class::Blank) else { continue };
        let begin = from + begin;
        let length = there[begin..].iter().take_while(|(_, class)| *class == there[begin].1).count();
        return Place { line, byte: there[begin + length - 1].0 };
    }
    line_end(text, Place { line: text.last().unwrap_or(at.line), byte: 0 })
}

/// The first character of this word, or of the one before from a word's start.
pub fn word_back(text: &ScrollText, at: Place, big: bool) -> Place {
    for line in (text.numbers().start..=at.line).rev() {
        let there = classes(text, line, big);
        if line < at.line && there.is_empty() {
            return Place { line, byte: 0 };
        }
        let to = if line == at.line { there.partition_point(|(byte, _)| *byte < at.byte) } else { there.len() };
        let Some(end) = there[..to].iter().rposition(|(_, class)| *class != Class::Blank) else { continue };
        let length = there[..=end].iter().rev().take_while(|(_, class)| *class == there[end].1).count();
        return Place { line, byte: there[end + 1 - length].0 };
    }
    Place { line: text.numbers().start, byte: 0 }
}

/// The empty line behind this paragraph; the text's end if there is none.
pub fn paragraph(text: &ScrollText, at: Place) -> Place {
    let empty = |line: &u64| text.line(*line).trim().is_empty();
    let mut lines = (at.line..text.numbers().end).skip_while(empty);
    match lines.find(empty) {
        Some(line) => Place { line, byte: 0 },
        None => line_end(text, Place { line: text.last().unwrap_or(at.line), byte: 0 }),
    }
}

/// The empty line before this paragraph; the text's start if there is none.
pub fn paragraph_back(text: &ScrollText, at: Place) -> Place {
    let empty = |line: &u64| text.line(*line).trim().is_empty();
    let mut lines = (text.numbers().start..=at.line).rev().skip_while(empty);
    Place { line: lines.find(empty).unwrap_or(text.numbers().start), byte: 0 }
}

/// A search for one character in the line (`f`, `F`, `t`, `T`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CharSearch {
    /// The character.
    pub wanted: char,
    /// To the right.
    pub forward: bool,
    /// Stops one before it.
    pub till: bool,
}

/// The place that a search for a character leads to; none when it does not stand there. One that is done `again`
/// passes over the character it stopped short of.
pub fn find_char(text: &ScrollText, at: Place, search: CharSearch, again: bool) -> Option<Place> {
    let starts: Vec<(usize, &str)> = text.line(at.line).grapheme_indices(true).collect();
    let here = starts.partition_point(|(byte, _)| *byte < at.byte);
    let is = |(_, grapheme): &&(usize, &str)| grapheme.starts_with(search.wanted);
    let skip = 1 + usize::from(search.till && again);
    let place = |at_byte: usize| Place { byte: at_byte, ..at };
    if search.forward {
        let hit = starts.iter().enumerate().skip(here + skip).find(|(_, item)| is(item))?.0;
        return Some(place(starts[hit - usize::from(search.till)].0));
    }
    let end = (here + 1).checked_sub(skip)?;
    let hit = starts[..end].iter().rposition(|item| is(&item))?;
    Some(place(starts[hit + usize::from(search.till)].0))
}

/// The word under a place, as its bytes; none on a blank.
pub fn word_at(text: &ScrollText, at: Place, big: bool) -> Option<std::ops::Range<usize>> {
    let there = classes(text, at.line, big);
    let here = there.partition_point(|(byte, _)| *byte <= at.byte).checked_sub(1)?;
    let own = there[here].1;
    if own == Class::Blank {
        return None;
    }
    let before = there[..=here].iter().rev().take_while(|(_, class)| *class == own).count();
    let after = there[here..].iter().take_while(|(_, class)| *class == own).count();
    let end = there.get(here + after).map_or(text.line(at.line).len(), |(byte, _)| *byte);
    Some(there[here + 1 - before].0..end)
}
