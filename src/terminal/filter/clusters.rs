//! Characters that join into one cluster of two cells: emoji presentation, keycaps, skin tones, flags,
//! sequences with joiners.
//!
//! The emulator knows none of these. It gets one wide character in the cluster's place with a tag that
//! names the whole text. A character that joins prints the cell again; where a read was cut does not matter.

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::Filter;
use super::engine::Engine;
use super::text::place;
use super::window::Window;

const EMOJI: char = '\u{fe0f}';
const TEXT: char = '\u{fe0e}';
const JOINER: char = '\u{200d}';
const KEYCAP: char = '\u{20e3}';
const SOFT_HYPHEN: char = '\u{ad}';
const BLACK_FLAG: char = '\u{1f3f4}';
/// What the emulator prints in place of a cluster of two cells.
const WIDE: &str = "\u{3000}";
/// And of one cell.
const NARROW: &str = "?";
/// Bytes of one cluster; what would join beyond is dropped.
const MAX_CLUSTER: usize = 64;

/// The cluster before the cursor, where it is more than the emulator knows.
#[derive(Debug, Clone)]
pub(super) struct Cluster {
    text: String,
    width: u16,
    /// Its text stands in the side table.
    tabled: bool,
    /// It ends in a joiner.
    joining: bool,
}

/// Splits a text into what goes into one cell or two each: the text, its columns, and for what the emulator
/// does not know the character that stands for it.
pub(super) fn cells(text: &str) -> Vec<(&str, u16, Option<&'static str>)> {
    let mut cells = Vec::new();
    for grapheme in text.graphemes(true) {
        let joins = |c| c == EMOJI || c == JOINER || is_skin_tone(c) || is_regional(c) || is_flag_tag(c);
        if grapheme.chars().skip(1).any(joins) && grapheme.width() == 2 {
            cells.push((grapheme, 2, Some(WIDE)));
            continue;
        }
        let mut rest = grapheme;
        while let Some(first) = rest.chars().next() {
            let more =
                rest.char_indices().skip(1).find(|(_, c)| c.width().is_some_and(|width| width > 0) || spaces(*c));
            let (cell, after) = rest.split_at(more.map_or(rest.len(), |(at, _)| at));
            let unknown = (first == char::REPLACEMENT_CHARACTER || spaces(first)).then_some(NARROW);
            cells.push((cell, first.width().unwrap_or(1).clamp(1, 2) as u16, unknown));
            rest = after;
        }
    }
    cells
}

/// Whether bytes begin with a character that may join with the one before, or is not to pass.
pub(super) fn may_join(bytes: &[u8]) -> bool {
    match *bytes {
        [0xe2, 0x80, 0x8d, ..] | [0xe2, 0x83, 0xa3, ..] | [0xef, 0xb8, 0x8e | 0x8f, ..] | [0xef, 0xbf, 0xbd, ..] => {
            true
        }
        [0xf0, 0x9f, 0x87, 0xa6..=0xbf, ..] | [0xf0, 0x9f, 0x8f, 0xbb..=0xbf, ..] => true,
        [0xf3, 0xa0, 0x80 | 0x81 | 0x84..=0x87, ..] => true,
        // Cut: nobody knows yet.
        [0xc2 | 0xe0..=0xe2 | 0xea | 0xef | 0xf0 | 0xf3]
        | [0xe0..=0xe2 | 0xea | 0xef | 0xf0 | 0xf3, _]
        | [0xf0 | 0xf3, _, _] => true,
        [0xc2, last, ..] => last == 0xad,
        [0xe0 | 0xe1 | 0xea, ..] => begins_with_mark(&bytes[..3]),
        [0xf0, 0x91 | 0x96, ..] => begins_with_mark(&bytes[..4]),
        _ => false,
    }
}

fn begins_with_mark(character: &[u8]) -> bool {
    std::str::from_utf8(character).is_ok_and(|text| text.chars().any(spaces))
}

/// Marks with a cell of their own in terminals (`wcwidth`), which the emulator would combine with the letter before:
/// drawn as one, the next letter would stand on the mark.
pub(super) fn spaces(character: char) -> bool {
    character.width() == Some(0)
        && (character == SOFT_HYPHEN || get_general_category(character) == GeneralCategory::SpacingMark)
}

/// Whether a character means nothing where there is nothing to join with.
pub(super) fn only_joins(character: char) -> bool {
    matches!(character, EMOJI | TEXT) || is_flag_tag(character)
}

fn is_flag_tag(character: char) -> bool {
    ('\u{e0020}'..='\u{e007f}').contains(&character)
}

fn is_skin_tone(character: char) -> bool {
    ('\u{1f3fb}'..='\u{1f3ff}').contains(&character)
}

fn is_regional(character: char) -> bool {
    ('\u{1f1e6}'..='\u{1f1ff}').contains(&character)
}

/// Whether a text ends in a pictograph, with what modifies it.
fn ends_in_pictograph(text: &str) -> bool {
    let mut joined = String::with_capacity(text.len() + 8);
    joined.push_str(text);
    joined.push_str("\u{200d}\u{1f469}");
    joined.graphemes(true).next_back().is_some_and(|last| last.len() > 7)
}

impl Filter {
    /// Begins a cell with a character.
    pub(super) fn start(&mut self, character: char, width: u16, out: &mut Window<'_, impl Engine>) {
        let mut bytes = [0; 4];
        let text = character.encode_utf8(&mut bytes);
        self.tail.clear();
        self.tail.add(text.as_bytes());
        self.contiguous = true;
        self.cluster = None;
        let unknown = character == char::REPLACEMENT_CHARACTER || spaces(character);
        if unknown || is_regional(character) {
            self.cluster = Some(Cluster { text: text.to_owned(), width, tabled: unknown, joining: false });
        }
        if unknown {
            // The emulator gives it no cell.
            self.drain(out);
            let tag = self.tags.cluster(self.extra, text, out.engine());
            self.print(NARROW, width, tag, out);
        } else {
            self.print(text, width, self.tag, out);
        }
    }

    /// Joins a character with the cluster before the cursor. False when it stands for itself.
    pub(super) fn join(&mut self, character: char, out: &mut Window<'_, impl Engine>) -> bool {
        let combines = character.width() == Some(0);
        let Some(mut cluster) = self.cluster.take().or_else(|| {
            let joins = combines || is_skin_tone(character);
            self.tail.last().filter(|_| joins).map(|text| {
                let width = text.chars().next().and_then(char::width).unwrap_or(1).min(2) as u16;
                Cluster { text, width, tabled: false, joining: false }
            })
        }) else {
            return false;
        };
        let width = match character {
            EMOJI if cluster.width == 1 && !cluster.tabled => {
                let widened = format!("{}{EMOJI}", cluster.text);
                if widened.width() < 2 {
                    return false;
                }
                2
            }
            KEYCAP if cluster.text.ends_with(EMOJI) && cluster.tabled => 2,
            JOINER if ends_in_pictograph(&cluster.text) => {
                cluster.joining = true;
                0
            }
            EMOJI if cluster.width == 2 => 0,
            TEXT => return false,
            _ if is_skin_tone(character) && !cluster.joining && ends_in_pictograph(&cluster.text) => 2,
            _ if is_regional(character) && is_single_regional(&cluster.text) => 2,
            _ if is_flag_tag(character) && cluster.text.starts_with(BLACK_FLAG) => 2,
            _ if cluster.joining && !combines && ends_in_pictograph(character.encode_utf8(&mut [0; 4])) => {
                cluster.joining = false;
                2
            }
            _ if combines && cluster.tabled => cluster.width,
            _ => return false,
        };
        if cluster.text.len() + character.len_utf8() <= MAX_CLUSTER {
            cluster.text.push(character);
            if width > 0 {
                self.reprint(&mut cluster, width, out);
            }
        }
        self.cluster = Some(cluster);
        true
    }

    /// Prints a cluster again over its cells, which are those before the cursor.
    fn reprint(&mut self, cluster: &mut Cluster, width: u16, out: &mut Window<'_, impl Engine>) {
        self.drain(out);
        let Some(tag) = self.tags.cluster(self.extra, &cluster.text, out.engine()) else { return };
        let (column, columns) = place(out);
        let from = column.saturating_sub(cluster.width);
        let wider = width > cluster.width;
        let no_room = from + width > columns;
        if wider && no_room && !self.wrap {
            return;
        }
        self.buffer.extend(std::iter::repeat_n(b'\x08', usize::from(cluster.width)));
        if wider && no_room {
            // It moves to the next row, as a wide character does.
            self.buffer.extend_from_slice(b"\x1b[X");
        } else if wider && self.insert {
            self.buffer.extend_from_slice(b"\x1b[@");
        }
        self.buffer.extend_from_slice(if width == 2 { WIDE } else { NARROW }.as_bytes());
        self.buffer.extend_from_slice(&tag);
        self.drain(out);
        cluster.width = width;
        cluster.tabled = true;
    }

    /// REP: the last cluster, so many times more.
    pub(super) fn repeat(&mut self, count: u16, out: &mut Window<'_, impl Engine>) {
        let (rows, columns) = out.engine().screen().size();
        // A screenful shows the same as any more.
        let count = u32::from(count).min(u32::from(rows.get()) * u32::from(columns.get()));
        if let Some(cluster) = self.cluster.clone().filter(|cluster| cluster.tabled) {
            let tag = self.tags.cluster(self.extra, &cluster.text, out.engine());
            for _ in 0..count {
                self.print(if cluster.width == 2 { WIDE } else { NARROW }, cluster.width, tag, out);
            }
        } else if let Some(text) = self.tail.last() {
            let width = text.chars().next().and_then(char::width).unwrap_or(1).min(2) as u16;
            for _ in 0..count {
                self.print(&text, width, self.tag, out);
            }
        }
        self.drain(out);
        // What was repeated is not text that came: another REP has nothing to repeat.
        self.tail.clear();
        self.contiguous = false;
        self.cluster = None;
    }
}

fn is_single_regional(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(is_regional) && characters.next().is_none()
}
