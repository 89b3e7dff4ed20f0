//! Terminals that differ on how many columns a glyph takes: no more of them than the backend writes.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::domain::Size;

/// How a terminal measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opinion {
    /// Clusters are one glyph; a variation selector or a flag makes two columns.
    Clusters,
    /// Each character for itself; what has no width joins the one before (the C library's `wcwidth`).
    Characters,
    /// As before, and each half of a flag is two columns wide.
    WideFlags,
    /// As before, and a variation selector widens what is before it.
    Selectors,
    /// Everything outside the basic plane is narrow, as in old tables.
    OldTables,
}

pub const ALL: [Opinion; 5] =
    [Opinion::Clusters, Opinion::Characters, Opinion::WideFlags, Opinion::Selectors, Opinion::OldTables];

/// What stands in a cell; `None` is the right half of a wide glyph.
type Glyph = Option<String>;

pub struct Terminal {
    opinion: Opinion,
    size: (usize, usize),
    cells: Vec<Glyph>,
    at: (usize, usize),
}

impl Terminal {
    pub fn new(size: Size, opinion: Opinion) -> Self {
        let size = (usize::from(size.columns), usize::from(size.rows));
        Self { opinion, size, cells: vec![Some(" ".to_owned()); size.0 * size.1], at: (0, 0) }
    }

    pub fn symbol(&self, x: u16, y: u16) -> &str {
        self.cells[usize::from(y) * self.size.0 + usize::from(x)].as_deref().unwrap_or("half")
    }

    pub fn feed(&mut self, bytes: &[u8]) {
        let text = std::str::from_utf8(bytes).unwrap();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix("\x1b[") {
                let end = after.find(|c: char| ('\u{40}'..='\u{7e}').contains(&c)).unwrap();
                self.obey(&after[..end], after.as_bytes()[end]);
                rest = &after[end + 1..];
            } else if let Some(after) = rest.strip_prefix('\r') {
                self.at.0 = 0;
                rest = after;
            } else {
                let end = rest.find(['\x1b', '\r']).unwrap_or(rest.len());
                self.print(&rest[..end]);
                rest = &rest[end..];
            }
        }
    }

    fn obey(&mut self, parameters: &str, end: u8) {
        let mut numbers = parameters.split(';').map(|n| n.parse::<usize>().unwrap_or(1));
        let mut next = || numbers.next().unwrap_or(1);
        match end {
            b'H' => {
                let y = next() - 1;
                self.at = (next() - 1, y);
            }
            b'C' => self.at.0 += next(),
            b'J' => self.cells.fill(Some(" ".to_owned())),
            b'm' | b'h' | b'l' | b'q' => {}
            other => panic!("no terminal was asked for {parameters:?} {}", char::from(other)),
        }
    }

    fn print(&mut self, text: &str) {
        if self.opinion == Opinion::Clusters {
            for cluster in text.graphemes(true) {
                self.put(cluster, cluster.width());
            }
            return;
        }
        for c in text.chars() {
            let width = match (self.opinion, c) {
                (Opinion::WideFlags, '\u{1f1e6}'..='\u{1f1ff}') => 2,
                (Opinion::OldTables, '\u{10000}'..) => 1,
                _ => c.width().unwrap_or(0),
            };
            if width > 0 {
                self.put(c.encode_utf8(&mut [0; 4]), width);
            } else if c == '\u{fe0f}' && self.opinion == Opinion::Selectors {
                self.widen();
            }
        }
    }

    /// Writes a glyph; without wrapping, the last column takes what has no room.
    fn put(&mut self, glyph: &str, width: usize) {
        let (columns, _) = self.size;
        let x = self.at.0.min(columns - width.min(columns));
        for column in x..x + width {
            self.tear(column);
        }
        let row = self.at.1 * columns;
        self.cells[row + x] = Some(glyph.to_owned());
        self.cells[row + x + 1..row + x + width].fill(None);
        self.at.0 = (x + width).min(columns - 1);
    }

    /// A wide glyph loses both halves when one is written over.
    fn tear(&mut self, x: usize) {
        let row = self.at.1 * self.size.0;
        if self.cells[row + x].is_none() && x > 0 {
            self.cells[row + x - 1] = Some(" ".to_owned());
            self.cells[row + x] = Some(" ".to_owned());
        }
        if x + 1 < self.size.0 && self.cells[row + x + 1].is_none() {
            self.cells[row + x + 1] = Some(" ".to_owned());
        }
    }

    /// The glyph before the cursor takes one column more.
    fn widen(&mut self) {
        let (x, row) = (self.at.0, self.at.1 * self.size.0);
        if x > 0 && x + 1 < self.size.0 && self.cells[row + x - 1].is_some() {
            self.tear(x);
            self.cells[row + x] = None;
            self.at.0 += 1;
        }
    }
}
