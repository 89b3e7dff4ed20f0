//! Reading Markdown line by line: what begins a block and what ends it. A line is looked at once.

use super::{Chunk, Kind};
use crate::app::window::text::cut_at;

/// Bytes of a line that are taken as one unit at most; a longer one is cut, so that a unit costs what is visible.
const PIECE: usize = 8 * 1024;
/// Units of a chunk at most.
const UNITS: u32 = 64;
/// Bytes of a chunk after which it takes no further line.
const BYTES: u32 = 16 * 1024;
/// Lines of code that are coloured together at most.
const COLOURED: u32 = 1_024;
/// Chunks of a text after which the rest is shown as it is.
const CHUNKS: usize = 400_000;
/// Cells that anything stands in from the left at most.
const INDENT: usize = 24;

/// A line, or a piece of a very long one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    start: usize,
    /// Without the line's end.
    end: usize,
    /// Behind the line's end.
    next: usize,
    /// Whether it begins the line.
    begins: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fence {
    start: u32,
    mark: u8,
    count: usize,
    indent: u16,
    /// Where the piece begins that is coloured together, and the lines in it so far.
    piece: Option<u32>,
    lines: u32,
}

/// A chunk that may take further lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Open {
    kind: Kind,
    start: u32,
    end: u32,
    /// Its lines.
    lines: u32,
    /// Where its last line begins.
    last: u32,
    gap: bool,
}

/// Where the reading stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Scan {
    at: usize,
    /// What has been read last ended in the middle of a line.
    within: bool,
    open: Option<Open>,
    fence: Option<Fence>,
    /// Cells before the text of the list's entry that is in force.
    list: Option<usize>,
    /// A blank line has come, and something stands before it.
    blank: bool,
    begun: bool,
    units: u32,
}

impl Scan {
    /// How far it has read.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// The next line that surely is one, or a piece of it.
    pub(super) fn next_piece(&mut self, text: &str, whole: bool) -> Option<Piece> {
        let piece = self.piece(text, whole)?;
        self.at = piece.next;
        self.within = piece.next == piece.end && piece.next < text.len();
        Some(piece)
    }

    fn piece(&self, text: &str, whole: bool) -> Option<Piece> {
        let start = self.at;
        let rest = &text.as_bytes()[start..];
        let window = &rest[..rest.len().min(PIECE + 1)];
        let begins = !self.within;
        if let Some(end) = window.iter().position(|byte| *byte == b'\n') {
            let cut = usize::from(end > 0 && rest[end - 1] == b'\r');
            return Some(Piece { start, end: start + end - cut, next: start + end + 1, begins });
        }
        if rest.len() > PIECE {
            let end = start + cut_at(&text[start..], PIECE);
            return Some(Piece { start, end, next: end, begins });
        }
        (whole && !rest.is_empty()).then_some(Piece { start, end: text.len(), next: text.len(), begins })
    }

    /// Takes a line.
    pub(super) fn take(&mut self, text: &str, piece: &Piece, out: &mut Vec<Chunk>) {
        let line = &text[piece.start..piece.end];
        if out.len() >= CHUNKS && self.fence.is_none() {
            self.close(out);
            self.fence = Some(Fence { start: u32::MAX, mark: 0, count: usize::MAX, indent: 0, piece: None, lines: 0 });
        }
        if let Some(fence) = self.fence {
            if piece.begins && closes(line, fence) {
                self.close(out);
                self.fence = None;
            } else {
                self.code(piece, fence, out);
            }
            return;
        }
        let body = line.trim();
        if body.is_empty() {
            self.close(out);
            self.blank |= self.begun;
            return;
        }
        let indent = indent(line);
        if !piece.begins {
            let indent = self.list.unwrap_or(0);
            return self.begin(Kind::Paragraph { indent: narrow(indent) }, piece, out);
        }
        self.line(text, piece, (body, indent), out);
    }

    fn line(&mut self, text: &str, piece: &Piece, (body, indent): (&str, usize), out: &mut Vec<Chunk>) {
        let open = self.open.map(|open| open.kind);
        let level = narrow(indent);
        if let Some((mark, count)) = fence(body) {
            self.close(out);
            let (start, fence) = (
                piece.start as u32,
                Fence { start: piece.start as u32, mark, count, indent: level, piece: None, lines: 0 },
            );
            if super::language(text, start).is_empty() {
                self.begun = true;
            } else {
                self.begin(Kind::Language { indent: level }, piece, out);
                self.close(out);
            }
            self.fence = Some(fence);
            return;
        }
        match open {
            Some(Kind::Table { .. }) if body.contains('|') => return self.grow(piece, out),
            Some(Kind::Code { fence: None, .. }) if indent >= 4 => return self.grow(piece, out),
            Some(Kind::Paragraph { .. }) if underlines(body) => {
                self.grow(piece, out);
                if let Some(open) = &mut self.open {
                    open.kind = Kind::Title;
                }
                return self.close(out);
            }
            Some(Kind::Paragraph { .. }) if super::table::is_delimiter(body) && self.heads_table(text, body) => {
                return self.begin_table(piece, out);
            }
            _ => {}
        }
        if self.list.is_none() && indent >= 4 && !matches!(open, Some(Kind::Paragraph { .. })) {
            let start = piece.start as u32;
            return self.begin(Kind::Code { indent: 4, fence: None, piece: start, line: 0 }, piece, out);
        }
        if heading(body) {
            self.leave_list(indent);
            self.begin(Kind::Heading, piece, out);
            return self.close(out);
        }
        if rule(body) {
            self.leave_list(indent);
            self.begin(Kind::Rule, piece, out);
            return self.close(out);
        }
        if body.starts_with('>') {
            if matches!(open, Some(Kind::Quote { .. })) {
                return self.grow(piece, out);
            }
            return self.begin(Kind::Quote { indent: level }, piece, out);
        }
        if let Some(mark) = marker(body) {
            self.begin(Kind::Item { indent: level }, piece, out);
            self.list = Some((indent + mark).min(INDENT));
            return;
        }
        if matches!(open, Some(Kind::Paragraph { .. } | Kind::Item { .. })) {
            return self.grow(piece, out);
        }
        self.leave_list(indent);
        let indent = self.list.map_or(0, |list| list.min(indent));
        self.begin(Kind::Paragraph { indent: narrow(indent) }, piece, out);
    }

    fn leave_list(&mut self, indent: usize) {
        if indent < 2 {
            self.list = None;
        }
    }

    /// Whether the last line so far is a table's first, of as many columns as this one.
    fn heads_table(&self, text: &str, delimiter: &str) -> bool {
        self.open.is_some_and(|open| {
            let head = &text[open.last as usize..open.end as usize];
            head.contains('|') && super::table::cells(head).len() == super::table::cells(delimiter).len()
        })
    }

    /// The open paragraph's last line and this one begin a table.
    fn begin_table(&mut self, piece: &Piece, out: &mut Vec<Chunk>) {
        let Some(mut open) = self.open.take() else { return };
        let (start, mut gap) = (open.last, open.gap);
        if open.lines > 1 {
            open.lines -= 1;
            open.end = start;
            self.open = Some(open);
            self.close(out);
            gap = false;
        }
        let kind = Kind::Table { start, end: piece.end as u32 };
        self.list = None;
        self.open = Some(Open { kind, start, end: piece.end as u32, lines: 2, last: piece.start as u32, gap });
    }

    fn code(&mut self, piece: &Piece, mut fence: Fence, out: &mut Vec<Chunk>) {
        if !piece.begins {
            // No line's end stands between the pieces of a line.
            self.close(out);
        }
        if fence.lines >= COLOURED {
            self.close(out);
            (fence.piece, fence.lines) = (None, 0);
        }
        let group = *fence.piece.get_or_insert(piece.start as u32);
        if self.open.is_some() {
            self.grow(piece, out);
        }
        if self.open.is_none() {
            let from = (fence.start != u32::MAX).then_some(fence.start);
            let kind = Kind::Code { indent: fence.indent, fence: from, piece: group, line: fence.lines };
            self.begin(kind, piece, out);
        }
        fence.lines += 1;
        self.fence = Some(fence);
    }

    /// A new chunk begins with this line.
    fn begin(&mut self, kind: Kind, piece: &Piece, out: &mut Vec<Chunk>) {
        self.close(out);
        let gap = std::mem::take(&mut self.blank) && self.begun;
        self.begun = true;
        let (start, end) = (piece.start as u32, piece.end as u32);
        self.open = Some(Open { kind, start, end, lines: 1, last: start, gap });
    }

    /// The open chunk takes this line. One that is full is closed, and another of its kind goes on with it.
    fn grow(&mut self, piece: &Piece, out: &mut Vec<Chunk>) {
        let Some(open) = &mut self.open else { return };
        if open.lines >= UNITS || open.end - open.start >= BYTES {
            let kind = match open.kind {
                Kind::Item { .. } => Kind::Paragraph { indent: narrow(self.list.unwrap_or(0)) },
                Kind::Code { indent, fence: None, piece, line } => {
                    Kind::Code { indent, fence: None, piece, line: line + open.lines }
                }
                // A fence counts its own lines.
                Kind::Code { .. } => return self.close(out),
                kind => kind,
            };
            return self.begin(kind, piece, out);
        }
        open.end = piece.end as u32;
        open.lines += 1;
        open.last = piece.start as u32;
        if let Kind::Table { end, start } = &mut open.kind
            && *start == open.start
        {
            *end = open.end;
        }
    }

    fn close(&mut self, out: &mut Vec<Chunk>) {
        let Some(open) = self.open.take() else { return };
        let units = open.lines + u32::from(open.gap);
        out.push(Chunk { start: open.start, end: open.end, first: self.units, units, gap: open.gap, kind: open.kind });
        self.units += units;
    }

    /// What stands behind the last whole line, as it looks now. Nothing of it is kept.
    pub(super) fn rest(&self, text: &str, whole: bool, out: &mut Vec<Chunk>) {
        let mut scan = self.clone();
        if !whole && scan.at < text.len() {
            let piece = Piece { start: scan.at, end: text.len(), next: text.len(), begins: !scan.within };
            let line = &text[piece.start..piece.end];
            // What may become the mark of a block is not shown before it is known what it becomes.
            if !(piece.begins && unfinished(line, scan.fence)) {
                scan.take(text, &piece, out);
            }
        }
        if let Some(open) = &mut scan.open
            && !whole
            && open.lines == 1
            && matches!(open.kind, Kind::Paragraph { .. })
            && text[open.start as usize..].trim_start().starts_with('|')
        {
            open.kind = Kind::Table { start: open.start, end: open.end };
        }
        scan.close(out);
    }
}

fn narrow(indent: usize) -> u16 {
    indent.min(INDENT) as u16
}

/// Cells before the first sign of a line.
fn indent(line: &str) -> usize {
    let mut cells = 0;
    for byte in line.bytes() {
        match byte {
            b' ' => cells += 1,
            b'\t' => cells += 4 - cells % 4,
            _ => break,
        }
    }
    cells
}

/// The mark of a fence and how often it stands there.
fn fence(body: &str) -> Option<(u8, usize)> {
    let mark = *body.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let count = body.bytes().take_while(|byte| *byte == mark).count();
    (count >= 3 && !(mark == b'`' && body[count..].contains('`'))).then_some((mark, count))
}

fn closes(line: &str, fence: Fence) -> bool {
    let body = line.trim();
    body.len() >= fence.count && body.bytes().all(|byte| byte == fence.mark)
}

fn heading(body: &str) -> bool {
    let level = body.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&level) && (body.len() == level || body[level..].starts_with([' ', '\t']))
}

fn rule(body: &str) -> bool {
    let mark = body.as_bytes()[0];
    matches!(mark, b'-' | b'*' | b'_')
        && body.bytes().filter(|byte| *byte == mark).count() >= 3
        && body.bytes().all(|byte| byte == mark || byte == b' ')
}

/// Whether a line below a paragraph makes it a heading.
fn underlines(body: &str) -> bool {
    body.len() >= 3 && (body.bytes().all(|byte| byte == b'=') || body.bytes().all(|byte| byte == b'-'))
}

/// Bytes of a list's mark at the start of a line, the blank behind it among them.
pub(super) fn marker(body: &str) -> Option<usize> {
    let bytes = body.as_bytes();
    let mark = match bytes.first()? {
        b'-' | b'*' | b'+' => 1,
        b'0'..=b'9' => {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits > 9 || !matches!(bytes.get(digits), Some(b'.' | b')')) {
                return None;
            }
            digits + 1
        }
        _ => return None,
    };
    match bytes.get(mark) {
        None => Some(mark),
        Some(b' ' | b'\t') => Some(mark + 1),
        Some(_) => None,
    }
}

/// Whether an unfinished line consists of signs that may become a mark.
fn unfinished(line: &str, fence: Option<Fence>) -> bool {
    let body = line.trim();
    if let Some(fence) = fence {
        return body.bytes().all(|byte| byte == fence.mark) && !body.is_empty();
    }
    let mark = body.starts_with("```") || body.starts_with("~~~");
    mark || body.len() < 64 && body.bytes().all(|byte| b"`~#-*+>|=_:. 0123456789".contains(&byte))
}
