//! A transcript frozen for scroll-back mode: parts that know how many lines they have, and make them when read.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use compact_str::CompactString;

use crate::app::window::line::{CodeLine, Line};
use crate::app::window::text::Tone;
use crate::domain::{Entry, EntryBody};

use super::markdown::{Chunk, Kind, MARGIN, Outline, lay_out, raw_width};

/// A text and its outline, kept alive.
#[derive(Debug)]
pub struct Book {
    text: Text,
    outline: Arc<Outline>,
    key: u64,
    grows: bool,
}

#[derive(Debug)]
enum Text {
    Kept(Arc<Entry>),
    /// What had been streamed.
    Live(String),
}

impl Book {
    pub(super) const fn kept(entry: Arc<Entry>, outline: Arc<Outline>, key: u64) -> Self {
        Self { text: Text::Kept(entry), outline, key, grows: false }
    }

    pub(super) const fn live(text: String, outline: Arc<Outline>, key: u64) -> Self {
        Self { text: Text::Live(text), outline, key, grows: true }
    }

    fn text(&self) -> &str {
        match &self.text {
            Text::Live(text) => text,
            Text::Kept(entry) => match &entry.body {
                EntryBody::Answer { text, .. } => text,
                _ => "",
            },
        }
    }
}

/// What a part is, to find it and to copy all of it.
#[derive(Debug, Clone)]
pub enum Block {
    /// A prompt.
    Prompt(Arc<Entry>),
    /// Part of an answer: which chunk of it.
    Answer(Arc<Book>, usize),
    /// A call's line, and whether it folds anything away.
    Call(Arc<Entry>, bool),
    /// What came of a call.
    Outcome(Arc<Entry>),
    /// Anything else that was kept.
    Other(Arc<Entry>),
    /// Nothing that is worth copying.
    None,
}

/// A line, in one piece.
#[derive(Debug, Clone)]
pub struct Laid {
    /// The unit of the entry in which it stands.
    pub unit: usize,
    /// What stands before its first row, and before the others.
    pub leads: (CompactString, CompactString),
    /// The tone of the leads.
    pub tone: Tone,
    /// The byte from which it stands at the right edge, if it fits in one row.
    pub right: Option<usize>,
    /// Where its colours are to be had.
    pub code: Option<CodeLine>,
    /// Its text.
    pub text: String,
    /// The tones of its text, and where it leads: bytes, one behind the other.
    pub spans: Vec<(usize, Tone, Option<Arc<str>>)>,
}

impl Laid {
    fn new(unit: usize, line: Line) -> Self {
        let text = line.text();
        let spans = line.runs.into_iter().map(|run| (run.text.len(), run.tone, run.link)).collect();
        let leads = (line.lead, line.more);
        Self { unit, leads, tone: line.tone, right: line.right, code: line.code, text, spans }
    }
}

/// Lines that are made together.
#[derive(Debug)]
pub struct Part {
    /// The entry.
    pub seq: u64,
    /// The unit of the entry in which it begins.
    pub unit: usize,
    /// What it is.
    pub block: Block,
    /// How many lines it has.
    count: usize,
    cells: usize,
    lines: OnceLock<Vec<Laid>>,
}

impl Part {
    /// Lines that stand together, from this unit of an entry on.
    pub(in crate::app::window) fn ready(seq: u64, unit: usize, block: Block, lines: Vec<Line>) -> Self {
        let lines: Vec<_> = lines.into_iter().enumerate().map(|(i, line)| Laid::new(unit + i, line)).collect();
        Self { seq, unit, block, count: lines.len(), cells: 0, lines: OnceLock::from(lines) }
    }

    /// A chunk of an answer whose first unit is this one of the entry.
    pub(super) fn chunk(seq: u64, unit: usize, book: &Arc<Book>, number: usize, cells: usize) -> Self {
        let mut part =
            Self { seq, unit, block: Block::Answer(Arc::clone(book), number), count: 0, cells, lines: OnceLock::new() };
        let chunk = &book.outline.chunks()[number];
        // A table's rows may have several lines each: how many is known when it is laid out, unless it surely fits.
        let wraps = match chunk.kind {
            Kind::Table { start, end } => {
                (start as usize..end as usize) != chunk.bytes() || !surely_fits(book.text(), chunk, cells)
            }
            _ => false,
        };
        part.count = if wraps { part.make().len() } else { chunk.units().len() };
        part
    }

    /// How many lines it has.
    #[allow(clippy::len_without_is_empty, reason = "an empty one is dropped")]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Its lines.
    pub fn lines(&self) -> &[Laid] {
        self.lines.get_or_init(|| {
            let mut lines = self.make();
            lines.resize_with(self.count, || Laid::new(self.unit, Line::default()));
            lines
        })
    }

    /// Its lines, not kept for the next one who asks, as long as nobody has read them.
    pub fn glance(&self) -> Cow<'_, [Laid]> {
        self.lines.get().map_or_else(|| Cow::Owned(self.make()), |lines| Cow::Borrowed(lines.as_slice()))
    }

    fn make(&self) -> Vec<Laid> {
        let Block::Answer(book, number) = &self.block else { return Vec::new() };
        let chunks = book.outline.chunks();
        let Some(chunk) = chunks.get(*number) else { return Vec::new() };
        let tail = book.grows && number + 1 == chunks.len();
        let units = lay_out(book.text(), chunk, self.cells, book.key, tail).into_iter().enumerate();
        units.flat_map(|(i, lines)| lines.into_iter().map(move |line| Laid::new(self.unit + i, line))).collect()
    }

    /// The text of which its lines would be made, as long as nobody has read them.
    pub fn raw(&self) -> Option<&str> {
        match &self.block {
            Block::Answer(book, number) if self.lines.get().is_none() => {
                book.text().get(book.outline.chunks().get(*number)?.bytes())
            }
            _ => None,
        }
    }
}

/// Whether each row of a table has one line, found without laying it out; false when that is not sure.
fn surely_fits(text: &str, table: &Chunk, cells: usize) -> bool {
    // What takes more cells than it has bytes, or tells where it leads, is looked at closely.
    let plain = |text: &str| text.bytes().all(|byte| matches!(byte, b'\n' | b' '..=b'~') && byte != b'[');
    text.get(table.bytes()).is_some_and(|rows| plain(rows) && raw_width(rows) <= cells.saturating_sub(MARGIN))
}

impl Block {
    /// The whole text of the block: a code block's, a command's, a result's; of anything else in an answer the answer's.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Prompt(entry) | Self::Other(entry) => match &entry.body {
                EntryBody::Prompt { text } | EntryBody::Told { text, .. } | EntryBody::Notice { text, .. } => {
                    Some(text.clone())
                }
                _ => None,
            },
            Self::Call(entry, _) => match &entry.body {
                EntryBody::Call { action, .. } => Some(action.clone()),
                EntryBody::Notes(noted) => Some(noted.notes.text()),
                _ => None,
            },
            Self::Outcome(entry) => match &entry.body {
                EntryBody::Result { outcome, .. } => Some(outcome.diff.as_ref().unwrap_or(&outcome.output).clone()),
                _ => None,
            },
            Self::Answer(book, number) => Some(book.code(*number).unwrap_or_else(|| book.text().to_owned())),
            Self::None => None,
        }
    }

    /// The whole entry's text.
    pub fn whole(&self) -> Option<String> {
        match self {
            Self::Answer(book, _) => Some(book.text().to_owned()),
            other => other.text(),
        }
    }
}

impl Book {
    /// The code of the fence in which a chunk stands, or which it begins.
    fn code(&self, number: usize) -> Option<String> {
        let chunks = self.outline.chunks();
        let at = match chunks.get(number)?.kind {
            Kind::Code { .. } => number,
            Kind::Language { .. } => number + 1,
            _ => return None,
        };
        let Kind::Code { indent, .. } = chunks.get(at)?.kind else { return None };
        let block: Range<usize> = self.outline.block(at);
        let bytes = chunks[block.start].bytes().start..chunks[block.end - 1].bytes().end;
        let blanks = usize::from(indent);
        let line = |line: &str| {
            let cut = line.bytes().take(blanks).take_while(|byte| *byte == b' ').count();
            format!("{}\n", line[cut..].trim_end_matches('\r'))
        };
        Some(self.text().get(bytes)?.split('\n').map(line).collect())
    }
}
