//! The text that is being typed in the prompt bar or in a field of a dialog.
//!
//! Wraps the text area: several lines, undo, word moves. What was sent before can be browsed; the text
//! that stood there before browsing comes back at the end of it.

use tui_textarea::{CursorMove, TextArea};

use crate::base::width;
use crate::domain::{Key, KeyCode};

use super::text::{clean, cut_at};

/// Bytes a draft takes at most; a larger paste is refused as a whole and says so.
pub const LIMIT: usize = 256 * 1024;

/// An editable text.
#[derive(Debug)]
pub struct Draft {
    area: TextArea<'static>,
    /// Whether it may have several lines.
    lines: bool,
    /// While browsing: what can be browsed, newest first, the place in it, and the text before.
    browsing: Option<(Vec<String>, usize, String)>,
    /// Pieces of a paste that is not complete.
    paste: Option<String>,
}

/// One visible row of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftRow {
    /// The text, clean.
    pub text: String,
}

/// The visible part of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftView {
    /// The rows.
    pub rows: Vec<DraftRow>,
    /// The cursor's column and row among them.
    pub cursor: (u16, u16),
    /// Whether rows stand above or below the visible ones.
    pub more: (bool, bool),
}

impl Default for Draft {
    fn default() -> Self {
        Self::new("")
    }
}

impl Draft {
    /// A draft of several lines with the cursor at its end.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut draft = Self { area: TextArea::default(), lines: true, browsing: None, paste: None };
        draft.set(text);
        draft
    }

    /// A field of one line with the cursor at its end.
    #[must_use]
    pub fn field(text: &str) -> Self {
        let mut draft = Self::new(text);
        draft.lines = false;
        draft
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// Whether nothing stands in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.area.is_empty()
    }

    /// Its only line, if it has no more.
    #[must_use]
    pub fn single_line(&self) -> Option<&str> {
        match self.area.lines() {
            [line] => Some(line),
            _ => None,
        }
    }

    /// Its first line.
    #[must_use]
    pub fn first_line(&self) -> &str {
        self.area.lines().first().map_or("", String::as_str)
    }

    /// Where the cursor stands in its line, in bytes.
    #[must_use]
    pub fn cursor_byte(&self) -> usize {
        let at = self.area.cursor();
        let line = self.area.lines().get(at.0).map_or("", String::as_str);
        line.char_indices().nth(at.1).map_or(line.len(), |(byte, _)| byte)
    }

    /// Replaces the text; the cursor goes to its end. Can be undone.
    pub fn set(&mut self, text: &str) {
        self.area.select_all();
        self.area.cut();
        self.area.cancel_selection();
        self.area.insert_str(text);
    }

    /// Replaces these bytes of the only line.
    pub fn replace(&mut self, range: std::ops::Range<usize>, text: &str) {
        let Some(line) = self.single_line() else { return };
        let (Some(before), Some(after)) = (line.get(..range.start), line.get(range.end..)) else { return };
        let (whole, back) = (format!("{before}{text}{after}"), after.chars().count());
        self.set(&whole);
        for _ in 0..back {
            self.area.move_cursor(CursorMove::Back);
        }
    }

    /// Takes the text away.
    pub fn take(&mut self) -> String {
        let text = self.text();
        let lines = self.lines;
        *self = Self::new("");
        self.lines = lines;
        text
    }

    /// Text as typed or pasted at the cursor. False when it would be too much; nothing changes then.
    pub fn insert(&mut self, text: &str) -> bool {
        let held: usize = self.area.lines().iter().map(|line| line.len() + 1).sum();
        if held + text.len() > LIMIT {
            return false;
        }
        self.browsing = None;
        // A terminal sends the line ends of a paste as carriage returns.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.area.insert_str(if self.lines { text } else { text.replace('\n', " ") });
        true
    }

    /// One piece of a paste; it is inserted as a whole with the last one. False when it is too much.
    pub fn paste(&mut self, text: &str, first: bool, last: bool) -> bool {
        if first {
            self.paste = Some(String::new());
        }
        let Some(held) = &mut self.paste else { return true };
        if held.len() + text.len() > LIMIT {
            self.paste = None;
            return false;
        }
        held.push_str(text);
        if last && let Some(whole) = self.paste.take() {
            return self.insert(&whole);
        }
        true
    }

    /// An editing key. False when it means nothing to a text.
    pub fn key(&mut self, key: Key) -> bool {
        let m = key.modifiers;
        let area = &mut self.area;
        match key.code {
            KeyCode::Char(c) if !m.ctrl && !m.alt => return self.insert(c.encode_utf8(&mut [0; 4])),
            KeyCode::Enter if self.lines && (m.alt || m.shift) => area.insert_newline(),
            KeyCode::Char('j') if self.lines && m.ctrl => area.insert_newline(),
            KeyCode::Backspace if m.alt || m.ctrl => drop(area.delete_word()),
            KeyCode::Char('h') if m.ctrl => drop(area.delete_char()),
            KeyCode::Backspace => drop(area.delete_char()),
            KeyCode::Delete if m.alt || m.ctrl => drop(area.delete_next_word()),
            KeyCode::Delete => drop(area.delete_next_char()),
            KeyCode::Left if m.alt || m.ctrl => area.move_cursor(CursorMove::WordBack),
            KeyCode::Right if m.alt || m.ctrl => area.move_cursor(CursorMove::WordForward),
            KeyCode::Left => area.move_cursor(CursorMove::Back),
            KeyCode::Right => area.move_cursor(CursorMove::Forward),
            KeyCode::Up => area.move_cursor(CursorMove::Up),
            KeyCode::Down => area.move_cursor(CursorMove::Down),
            KeyCode::Home if m.ctrl => area.move_cursor(CursorMove::Top),
            KeyCode::End if m.ctrl => area.move_cursor(CursorMove::Bottom),
            KeyCode::Home => area.move_cursor(CursorMove::Head),
            KeyCode::End => area.move_cursor(CursorMove::End),
            KeyCode::Char(c) if m.ctrl => match c {
                'a' => area.move_cursor(CursorMove::Head),
                'e' => area.move_cursor(CursorMove::End),
                'b' => area.move_cursor(CursorMove::Back),
                'f' => area.move_cursor(CursorMove::Forward),
                'd' => drop(area.delete_next_char()),
                'w' => drop(area.delete_word()),
                'u' => drop(area.delete_line_by_head()),
                'k' => drop(area.delete_line_by_end()),
                'y' => drop(area.paste()),
                'z' | '_' => drop(area.undo()),
                'r' => drop(area.redo()),
                _ => return false,
            },
            KeyCode::Char(c) if m.alt => match c {
                'b' => area.move_cursor(CursorMove::WordBack),
                'f' => area.move_cursor(CursorMove::WordForward),
                'd' => drop(area.delete_next_word()),
                _ => return false,
            },
            _ => return false,
        }
        self.browsing = None;
        true
    }

    /// Whether the cursor stands in the first, and in the last line.
    #[must_use]
    pub fn at_edges(&self) -> (bool, bool) {
        let row = self.area.cursor().0;
        (row == 0, row + 1 == self.area.lines().len())
    }

    /// Whether sent texts are being browsed.
    #[must_use]
    pub const fn browses(&self) -> bool {
        self.browsing.is_some()
    }

    /// The next older text. `history` is asked only when browsing begins; newest first.
    pub fn older(&mut self, history: impl FnOnce() -> Vec<String>) {
        let (list, next) = match self.browsing.take() {
            Some((list, at, before)) => ((list, before), at + 1),
            None => ((history(), self.text()), 0),
        };
        let (list, before) = list;
        let at = next.min(list.len().saturating_sub(1));
        if let Some(text) = list.get(at).cloned() {
            self.set(&text);
            self.browsing = Some((list, at, before));
        }
    }

    /// The next newer text; after the newest, what stood there before.
    pub fn newer(&mut self) {
        let Some((list, at, before)) = self.browsing.take() else { return };
        match at.checked_sub(1) {
            Some(at) => {
                if let Some(text) = list.get(at).cloned() {
                    self.set(&text);
                }
                self.browsing = Some((list, at, before));
            }
            None => self.set(&before),
        }
    }

    /// Rows the text takes at this width, counted up to `most`.
    #[must_use]
    pub fn height(&self, cells: u16, most: u16) -> u16 {
        let cells = usize::from(cells).max(1);
        let mut rows = 0;
        for line in self.area.lines() {
            // No glyph of a cell takes more than a few bytes: a very long line need not be measured.
            if line.len() > 8 * cells * usize::from(most) {
                return most;
            }
            rows += width(&clean(line)) / cells + 1;
            if rows >= usize::from(most) {
                return most;
            }
        }
        u16::try_from(rows).unwrap_or(most).max(1)
    }

    /// The rows around the cursor, at most `height`, each at most `cells` wide.
    #[must_use]
    pub fn view(&self, cells: u16, height: u16) -> DraftView {
        let cells = usize::from(cells).max(2);
        let height = usize::from(height).max(1);
        let at = self.area.cursor();
        let mut rows = Vec::new();
        let mut cursor = (0, 0);
        // Only lines near the cursor can be visible.
        let from = at.0.saturating_sub(height);
        let lines = self.area.lines();
        for (number, line) in lines.iter().enumerate().skip(from).take(2 * height + 1) {
            let start = rows.len();
            let cut = if number == at.0 { self.cursor_byte() } else { 0 };
            let (line, cut) = near(line, cut, 8 * cells * height);
            let (wrapped, place) = fold(line, cut, cells);
            if number == at.0 {
                cursor = (place.0, start + place.1);
            }
            rows.extend(wrapped);
        }
        let top = (cursor.1 + 1).saturating_sub(height);
        let above = top > 0 || from > 0;
        let below = rows.len() > top + height || from + 2 * height + 1 < lines.len();
        DraftView {
            rows: rows.into_iter().skip(top).take(height).map(|text| DraftRow { text }).collect(),
            cursor: (u16::try_from(cursor.0).unwrap_or(0), u16::try_from(cursor.1 - top).unwrap_or(0)),
            more: (above, below),
        }
    }
}

/// The part of a very long line around the byte `cut`, and `cut` in it. Its beginning moves in large
/// steps, so that rows stay where they are while someone types.
fn near(line: &str, cut: usize, margin: usize) -> (&str, usize) {
    const STEP: usize = 8 * 1024;
    if line.len() <= 2 * STEP {
        return (line, cut);
    }
    let from = cut_at(line, cut.saturating_sub(margin) / STEP * STEP);
    let to = cut_at(line, cut + margin + STEP);
    (&line[from..to], cut - from)
}

/// A line folded at `cells`, and where the byte `cut` of it lands (column, row).
fn fold(line: &str, cut: usize, cells: usize) -> (Vec<String>, (usize, usize)) {
    use unicode_segmentation::UnicodeSegmentation;
    let mut rows = vec![String::new()];
    let mut used = 0;
    let mut place = (0, 0);
    for (byte, grapheme) in line.grapheme_indices(true) {
        let shown = clean(grapheme);
        let wide = width(&shown);
        if used + wide > cells {
            rows.push(String::new());
            used = 0;
        }
        if byte <= cut {
            place = (used, rows.len() - 1);
        }
        if let Some(row) = rows.last_mut() {
            row.push_str(&shown);
        }
        used += wide;
    }
    if cut >= line.len() {
        if used >= cells {
            rows.push(String::new());
            used = 0;
        }
        place = (used, rows.len() - 1);
    }
    (rows, place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsing_gives_the_draft_back() {
        let mut draft = Draft::new("half a thou");
        let history = || vec!["newest".to_owned(), "older".to_owned()];
        draft.older(history);
        draft.older(history);
        draft.older(history);
        assert_eq!(draft.text(), "older");
        draft.newer();
        assert_eq!(draft.text(), "newest");
        draft.newer();
        assert_eq!(draft.text(), "half a thou");
    }

    #[test]
    fn a_paste_in_pieces_arrives_whole_or_not_at_all() {
        let mut draft = Draft::default();
        assert!(draft.paste("a\r\nb", true, false));
        assert!(draft.is_empty());
        assert!(draft.paste("\rc", false, true));
        assert_eq!(draft.text(), "a\nb\nc");
        assert!(!draft.paste(&"x".repeat(LIMIT + 1), true, true));
        assert_eq!(draft.text(), "a\nb\nc");
    }

    #[test]
    fn the_cursor_is_found_in_cells() {
        let mut draft = Draft::new("ab漢字");
        assert_eq!(draft.view(4, 3).cursor, (2, 1));
        assert_eq!(draft.view(20, 3).cursor, (6, 0));
        draft.key(Key::plain(KeyCode::Left));
        assert_eq!(draft.view(20, 3).cursor, (4, 0));
    }

    #[test]
    fn a_replaced_word_keeps_what_follows() {
        let mut draft = Draft::new("/la api");
        draft.replace(1..3, "lane focus");
        assert_eq!((draft.text().as_str(), draft.cursor_byte()), ("/lane focus api", 11));
    }
}
