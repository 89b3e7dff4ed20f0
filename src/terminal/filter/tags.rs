//! What the emulator's cells cannot hold, in a side table.
//!
//! A cell that needs more than the emulator keeps gets two zero-width characters appended to its text
//! (variation selectors supplement, U+E0100 to U+E01EF): the number of an entry here. Programs cannot
//! forge them: the filter lets none of theirs pass. The table is bounded. When it is full, the entries
//! that no cell uses any more are reclaimed; when all are used, text is printed without its extra.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use compact_str::CompactString;
use unicode_width::UnicodeWidthChar;

use super::engine::Engine;
use super::pen::Extra;
use crate::domain::{CellStyle, Span, Underline};

/// Values of one tag character.
const BASE: u16 = 240;
/// Entries at once: a large screen full of different ones.
const MAX_ENTRIES: usize = BASE as usize * 64;
/// Links at once, their length each and in all.
const MAX_LINKS: usize = 4096;
const MAX_LINK: usize = 2083;
const MAX_LINK_BYTES: usize = 1024 * 1024;

/// What a tag stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(in crate::terminal) struct Entry {
    extra: Extra,
    /// The text to show in place of the printed character.
    text: Option<Box<str>>,
}

impl Entry {
    /// Adds what the emulator does not keep to a cell's style, but for the link.
    pub(in crate::terminal) fn apply(&self, style: &mut CellStyle) {
        style.strikethrough |= self.extra.strikethrough;
        style.hidden |= self.extra.hidden;
        style.dim |= self.extra.dim;
        if self.extra.underline != Underline::None {
            style.underline = self.extra.underline;
        }
        style.underline_colour = self.extra.underline_colour;
    }

    /// The number of its link, for [`Tags::link`].
    pub(in crate::terminal) const fn link(&self) -> Option<u16> {
        self.extra.link
    }
}

/// Slots with numbers, found by what they hold.
#[derive(Debug)]
struct Table<T: ?Sized> {
    slots: Vec<Option<Arc<T>>>,
    free: Vec<u16>,
    numbers: HashMap<Arc<T>, u16>,
    /// Requests to refuse before the next look for slots to reclaim.
    refuse: usize,
}

impl<T: ?Sized> Default for Table<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new(), numbers: HashMap::new(), refuse: 0 }
    }
}

impl<T: ?Sized + Eq + std::hash::Hash> Table<T> {
    fn get(&self, number: u16) -> Option<&Arc<T>> {
        self.slots.get(usize::from(number))?.as_ref()
    }

    fn full(&self, most: usize) -> bool {
        self.free.is_empty() && self.slots.len() >= most
    }

    fn add(&mut self, value: Arc<T>) -> u16 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            (self.slots.len() - 1) as u16
        });
        self.slots[usize::from(number)] = Some(Arc::clone(&value));
        self.numbers.insert(value, number);
        number
    }

    /// Frees every slot that is not used.
    fn retain(&mut self, used: &[bool]) {
        for (number, slot) in self.slots.iter_mut().enumerate() {
            if !used.get(number).copied().unwrap_or(false)
                && let Some(value) = slot.take()
            {
                self.numbers.remove(&value);
                self.free.push(number as u16);
            }
        }
        // A table that stays nearly full is not searched again for each character.
        self.refuse = if self.free.len() < self.slots.len() / 8 { self.slots.len() } else { 0 };
    }
}

/// The side table.
#[derive(Debug, Default)]
pub(in crate::terminal) struct Tags {
    entries: Table<Entry>,
    links: Table<str>,
    link_bytes: usize,
    /// The pen's tag and link: in use, though perhaps in no cell yet.
    pen_entry: Option<u16>,
    pub(super) pen_link: Option<u16>,
}

/// A tag as it is printed.
pub(super) type Printed = [u8; 8];

fn printed(number: u16) -> Printed {
    let mut bytes = [0; 8];
    for (part, value) in bytes.chunks_exact_mut(4).zip([number / BASE, number % BASE]) {
        // U+E0100 plus at most 239: `F3 A0 84 80` and on.
        let low = value % 64;
        part.copy_from_slice(&[0xf3, 0xa0, 0x84 + (value / 64) as u8, 0x80 + low as u8]);
    }
    bytes
}

/// The value of a tag character.
fn value(character: char) -> Option<u16> {
    (is_tag(character)).then(|| (u32::from(character) - 0xe0100) as u16)
}

/// Whether a character belongs to a tag.
pub(super) fn is_tag(character: char) -> bool {
    ('\u{e0100}'..='\u{e01ef}').contains(&character)
}

/// Whether a text may have a tag in it.
pub(in crate::terminal) fn may_have_tag(text: &str) -> bool {
    text.as_bytes().contains(&0xf3)
}

impl Tags {
    /// The pen's tag from now on; none when nothing is extra or the table is full.
    pub(super) fn pen(&mut self, extra: Extra, engine: &mut impl Engine) -> Option<Printed> {
        self.pen_entry = self.number(Entry { extra, text: None }, engine);
        self.pen_entry.map(printed)
    }

    /// The tag for a cluster; none when the table is full.
    pub(super) fn cluster(&mut self, extra: Extra, text: &str, engine: &mut impl Engine) -> Option<Printed> {
        self.number(Entry { extra, text: Some(Box::from(text)) }, engine).map(printed)
    }

    fn number(&mut self, entry: Entry, engine: &mut impl Engine) -> Option<u16> {
        if let Some(&number) = self.entries.numbers.get(&entry) {
            return Some(number);
        }
        if self.entries.full(MAX_ENTRIES) {
            if self.entries.refuse > 0 {
                self.entries.refuse -= 1;
                return None;
            }
            self.reclaim(engine);
            if self.entries.full(MAX_ENTRIES) {
                return None;
            }
        }
        Some(self.entries.add(Arc::new(entry)))
    }

    /// The number for the target of a link; none when it is too long or the table is full.
    pub(super) fn add_link(&mut self, target: &str, engine: &mut impl Engine) -> Option<u16> {
        if target.is_empty() || target.len() > MAX_LINK {
            return None;
        }
        if let Some(&number) = self.links.numbers.get(target) {
            return Some(number);
        }
        let full = |tags: &Self| tags.links.full(MAX_LINKS) || tags.link_bytes + target.len() > MAX_LINK_BYTES;
        if full(self) {
            if self.links.refuse > 0 {
                self.links.refuse -= 1;
                return None;
            }
            self.reclaim(engine);
            if full(self) {
                self.links.refuse = self.links.refuse.max(MAX_LINKS / 8);
                return None;
            }
        }
        self.link_bytes += target.len();
        Some(self.links.add(Arc::from(target)))
    }

    /// Frees the entries that no cell uses and the links that neither an entry nor a pen uses.
    fn reclaim(&mut self, engine: &mut impl Engine) {
        let mut used = vec![false; self.entries.slots.len()];
        if let Some(number) = self.pen_entry {
            used[usize::from(number)] = true;
        }
        engine.each_text(&mut |text| {
            if let Some(number) = number_in(text)
                && let Some(used) = used.get_mut(usize::from(number))
            {
                *used = true;
            }
        });
        self.entries.retain(&used);
        let mut used = vec![false; self.links.slots.len()];
        let linked = self.entries.slots.iter().flatten().filter_map(|entry| entry.extra.link);
        for link in linked.chain(self.pen_link) {
            if let Some(used) = used.get_mut(usize::from(link)) {
                *used = true;
            }
        }
        self.links.retain(&used);
        self.link_bytes = self.links.slots.iter().flatten().map(|link| link.len()).sum();
    }

    /// The text of one cell without its tag, and what the tag stands for.
    pub(in crate::terminal) fn split<'a>(&'a self, contents: &'a str) -> (Cow<'a, str>, Option<&'a Entry>) {
        if !may_have_tag(contents) {
            return (Cow::Borrowed(contents), None);
        }
        let entry = number_in(contents).and_then(|number| self.entries.get(number)).map(|entry| &**entry);
        if let Some(text) = entry.and_then(|entry| entry.text.as_deref()) {
            return (Cow::Borrowed(text), entry);
        }
        (Cow::Owned(contents.chars().filter(|&character| !is_tag(character)).collect()), entry)
    }

    /// A text of many cells in one style of the emulator's, as parts of one whole style each.
    pub(in crate::terminal) fn spans(&self, text: &str, style: CellStyle) -> Vec<Span> {
        if !may_have_tag(text) {
            return vec![Span { text: text.to_owned(), style, link: None }];
        }
        let mut spans: Vec<Span> = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let starts = |(_, c): &(usize, char)| *c == ' ' || c.width().is_some_and(|width| width > 0);
            let end = rest.char_indices().skip(1).find(starts).map_or(rest.len(), |(at, _)| at);
            let (cell, after) = rest.split_at(end.max(first.len_utf8()));
            rest = after;
            let (shown, entry) = self.split(cell);
            let mut style = style;
            let mut link = None;
            if let Some(entry) = entry {
                entry.apply(&mut style);
                link = entry.link().and_then(|number| self.links.get(number)).map(Arc::clone);
            }
            match spans.last_mut().filter(|last| last.style == style && last.link == link) {
                Some(last) => last.text.push_str(&shown),
                None => spans.push(Span { text: shown.into_owned(), style, link }),
            }
        }
        spans
    }

    /// The cells that show a text: what the emulator gets for each, and its columns. Nothing is reclaimed
    /// for it: what the table has no room for is shown without its extra.
    pub(in crate::terminal) fn cells(&mut self, span: &Span) -> Vec<(CompactString, u16)> {
        let link = span.link.as_ref().and_then(|target| {
            let room = !self.links.full(MAX_LINKS) && self.link_bytes + target.len() <= MAX_LINK_BYTES;
            self.links.numbers.get(target).copied().or_else(|| {
                room.then(|| {
                    self.link_bytes += target.len();
                    self.links.add(Arc::clone(target))
                })
            })
        });
        let extra = Extra::of(&span.style, link);
        let mut cells = Vec::new();
        for (text, width, stands) in super::clusters::cells(&span.text) {
            let mut raw = CompactString::from(stands.unwrap_or(text));
            let entry = Entry { extra, text: stands.map(|_| Box::from(text)) };
            if entry != Entry::default()
                && let Some(number) = self.number_if_room(entry)
                && let Ok(tag) = std::str::from_utf8(&printed(number))
            {
                raw.push_str(tag);
            }
            cells.push((raw, width));
        }
        cells
    }

    fn number_if_room(&mut self, entry: Entry) -> Option<u16> {
        let known = self.entries.numbers.get(&entry).copied();
        known.or_else(|| (!self.entries.full(MAX_ENTRIES)).then(|| self.entries.add(Arc::new(entry))))
    }

    /// Where a link leads.
    pub(in crate::terminal) fn link(&self, number: u16) -> Option<&Arc<str>> {
        self.links.get(number)
    }

    /// Bytes of all targets and clusters.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let entries = self.entries.slots.iter().flatten();
        self.link_bytes
            + entries.map(|entry| size_of::<Entry>() + entry.text.as_ref().map_or(0, |text| text.len())).sum::<usize>()
    }
}

/// Hands over every tag in a text of many cells.
pub(in crate::terminal) fn each_tag(text: &str, take: &mut dyn FnMut(&str)) {
    let mut from = None;
    for (at, character) in text.char_indices() {
        from = match (is_tag(character), from) {
            (false, _) => None,
            (true, None) => Some(at),
            (true, Some(start)) => {
                take(&text[start..at + character.len_utf8()]);
                None
            }
        };
    }
}

/// The number of the entry that a cell's tag names.
fn number_in(contents: &str) -> Option<u16> {
    if !may_have_tag(contents) {
        return None;
    }
    let mut values = contents.chars().filter_map(value);
    let (high, low) = (values.next()?, values.next()?);
    Some(high * BASE + low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_two_characters_of_their_block() {
        for number in [0, 1, 63, 64, 239, 240, MAX_ENTRIES as u16 - 1] {
            let bytes = printed(number);
            let text = std::str::from_utf8(&bytes).unwrap();
            assert!(text.chars().all(is_tag));
            assert_eq!(number_in(text), Some(number));
        }
    }
}
