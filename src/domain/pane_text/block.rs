//! Logical lines, packed: one text, runs that point into one table of styles. A [`Packer`] is written to,
//! a [`Block`] is sealed and shared.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::{Line, Run};
use crate::domain::{CellStyle, LinkId};

/// Bytes of one line. A longer one goes on in the next line, so that a text without line ends stays bounded.
pub const MAX_LINE: usize = u16::MAX as usize;
/// The number of the default style in every table.
const PLAIN: u16 = 0;

/// Where a line ends.
#[derive(Debug, Clone, Copy, Default)]
struct End {
    text: u32,
    runs: u32,
}

/// So many bytes in one of the block's styles.
#[derive(Debug, Clone, Copy)]
struct Packed {
    length: u16,
    style: u16,
}

/// Lines that change no more.
#[derive(Debug)]
pub struct Block {
    text: Box<str>,
    ends: Box<[End]>,
    runs: Box<[Packed]>,
    styles: Box<[CellStyle]>,
    links: Box<[Arc<str>]>,
}

impl Block {
    /// No line, these links.
    pub(super) fn of_links(links: Vec<Arc<str>>) -> Self {
        Self { links: links.into_boxed_slice(), ..Packer::default().seal() }
    }

    /// How many lines it has.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.ends.len()
    }

    /// Bytes that it takes, with all that it points to.
    #[must_use]
    pub fn size(&self) -> usize {
        size_of::<Self>()
            + self.text.len()
            + size_of_val(&*self.ends)
            + size_of_val(&*self.runs)
            + size_of_val(&*self.styles)
            + self.links.iter().map(link_size).sum::<usize>()
            + 2 * BOXES
    }

    /// Where its links lead, by their number in this block.
    #[must_use]
    pub fn links(&self) -> &[Arc<str>] {
        &self.links
    }

    fn end(&self, line: Option<usize>) -> End {
        line.and_then(|line| self.ends.get(line)).copied().unwrap_or_default()
    }

    /// A line's text.
    #[must_use]
    pub fn text(&self, line: usize) -> &str {
        let (start, end) = (self.end(line.checked_sub(1)), self.end(Some(line)));
        self.text.get(start.text as usize..end.text as usize).unwrap_or_default()
    }

    /// A line's runs; the links in them are numbers of this block.
    pub fn runs(&self, line: usize) -> impl Iterator<Item = Run> + '_ {
        let (start, end) = (self.end(line.checked_sub(1)), self.end(Some(line)));
        let runs = self.runs.get(start.runs as usize..end.runs as usize).unwrap_or_default();
        runs.iter().map(|run| Run { length: usize::from(run.length), style: self.style(run.style) })
    }

    fn style(&self, number: u16) -> CellStyle {
        self.styles.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// A line by itself, its links counted from `links` on. What does not fit a link's number has none.
    #[must_use]
    pub fn line(&self, line: usize, links: usize) -> Line {
        let moved = |mut run: Run| {
            run.style.link = run.style.link.and_then(|id| u16::try_from(usize::from(id.0) + links).ok().map(LinkId));
            run
        };
        Line { text: self.text(line).to_owned(), runs: self.runs(line).map(moved).collect() }
    }
}

/// How many links back one is looked for.
const NEAR_LINKS: usize = 64;
/// Roughly what one allocation costs beside its bytes.
const BOXES: usize = 16;

fn link_size(link: &Arc<str>) -> usize {
    size_of::<Arc<str>>() + 2 * size_of::<usize>() + BOXES + link.len()
}

/// A style's number in a [`Packer`]; good until its lines are sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StyleNumber(u16);

impl StyleNumber {
    /// The default style.
    pub const PLAIN: Self = Self(PLAIN);
}

/// Part of a line in one style, by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Its text.
    pub text: String,
    /// Its style, without link.
    pub style: CellStyle,
    /// Where it leads.
    pub link: Option<Arc<str>>,
}

/// Lines being written. The last one may be open.
#[derive(Debug, Clone)]
pub struct Packer {
    text: String,
    ends: Vec<End>,
    runs: Vec<Packed>,
    styles: Vec<CellStyle>,
    /// Looked up for each cell of a colourful flood. Seeded, so that no program knows which styles collide.
    numbers: HashMap<CellStyle, u16, RandomState>,
    links: Vec<Arc<str>>,
    link_bytes: usize,
    /// The runs before this one grow no more.
    fixed_runs: usize,
}

/// A place in the lines of a [`Packer`], good until they are sealed or taken away.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    lines: usize,
    text: usize,
    runs: usize,
}

impl Default for Packer {
    fn default() -> Self {
        Self {
            text: String::new(),
            ends: Vec::new(),
            runs: Vec::new(),
            styles: vec![CellStyle::default()],
            numbers: HashMap::default(),
            links: Vec::new(),
            link_bytes: 0,
            fixed_runs: 0,
        }
    }
}

impl Packer {
    /// Ended lines.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.ends.len()
    }

    /// Bytes in use, without what is reserved.
    #[must_use]
    pub fn size(&self) -> usize {
        self.text.len()
            + size_of_val(&*self.ends)
            + size_of_val(&*self.runs)
            + self.styles.len() * (2 * size_of::<CellStyle>() + size_of::<u16>())
            + self.link_bytes
    }

    /// Bytes reserved.
    #[must_use]
    pub fn reserved(&self) -> usize {
        self.text.capacity()
            + self.ends.capacity() * size_of::<End>()
            + self.runs.capacity() * size_of::<Packed>()
            + self.styles.capacity() * size_of::<CellStyle>()
            + self.numbers.capacity() * (size_of::<(CellStyle, u16)>() + 1)
            + self.link_bytes
    }

    fn last_end(&self) -> End {
        self.ends.last().copied().unwrap_or_default()
    }

    /// Bytes of the open line.
    #[must_use]
    pub fn open(&self) -> usize {
        self.text.len() - self.last_end().text as usize
    }

    /// The place that is written at.
    pub fn mark(&mut self) -> Mark {
        self.fixed_runs = self.runs.len();
        Mark { lines: self.ends.len(), text: self.text.len(), runs: self.runs.len() }
    }

    /// The text behind a mark.
    #[must_use]
    pub fn text_behind(&self, mark: Mark) -> &str {
        self.text.get(mark.text..).unwrap_or_default()
    }

    /// Takes away what was written behind a mark, line by line: its parts of one style, each with what its link
    /// leads to. The last line is the open one.
    pub fn take_behind(&mut self, mark: Mark) -> Vec<Vec<Span>> {
        let ends = self.ends.split_off(mark.lines);
        let text = self.text.split_off(mark.text);
        let runs = self.runs.split_off(mark.runs);
        self.fixed_runs = 0;
        let ends = ends.iter().map(|end| (end.text as usize - mark.text, end.runs as usize - mark.runs));
        let mut from = (0, 0);
        let spans = ends.chain([(text.len(), runs.len())]).map(|to| {
            let line = self.spans(&text[from.0..to.0], &runs[from.1..to.1]);
            from = to;
            line
        });
        spans.collect()
    }

    fn spans(&self, text: &str, runs: &[Packed]) -> Vec<Span> {
        let mut rest = text;
        let mut spans = Vec::with_capacity(runs.len() + 1);
        for run in runs {
            let (part, after) = rest.split_at(usize::from(run.length).min(rest.len()));
            let mut style = self.styles.get(usize::from(run.style)).copied().unwrap_or_default();
            let link = style.link.take().and_then(|id| self.links.get(usize::from(id.0))).map(Arc::clone);
            spans.push(Span { text: part.to_owned(), style, link });
            rest = after;
        }
        if !rest.is_empty() {
            spans.push(Span { text: rest.to_owned(), style: CellStyle::default(), link: None });
        }
        spans
    }

    /// The number of a style without link. When there are too many the default one stands for it.
    pub fn style(&mut self, style: CellStyle) -> StyleNumber {
        if style == CellStyle::default() {
            return StyleNumber::PLAIN;
        }
        match self.numbers.entry(style) {
            Entry::Occupied(known) => StyleNumber(*known.get()),
            Entry::Vacant(place) => {
                let Ok(number) = u16::try_from(self.styles.len()) else { return StyleNumber::PLAIN };
                self.styles.push(style);
                place.insert(number);
                StyleNumber(number)
            }
        }
    }

    /// The number of a style that leads to `link`.
    pub fn linked(&mut self, mut style: CellStyle, link: &Arc<str>) -> StyleNumber {
        // The last one first, and not far back: a link's cells stand together.
        let from = self.links.len().saturating_sub(NEAR_LINKS);
        let known = self.links[from..].iter().rposition(|known| Arc::ptr_eq(known, link) || known == link);
        let known = known.map(|at| from + at);
        style.link = u16::try_from(known.unwrap_or(self.links.len())).ok().map(LinkId);
        if known.is_none() && style.link.is_some() {
            self.links.push(Arc::clone(link));
            self.link_bytes += link_size(link);
        }
        self.style(style)
    }

    /// The number of a span's style.
    pub fn span_style(&mut self, span: &Span) -> StyleNumber {
        match &span.link {
            Some(link) => self.linked(span.style, link),
            None => self.style(span.style),
        }
    }

    /// Writes on the open line. A line that grows beyond [`MAX_LINE`] ends first.
    pub fn push(&mut self, text: &str, style: StyleNumber) {
        let mut rest = text;
        while rest.len() > MAX_LINE {
            let cut = (0..=MAX_LINE).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or_default();
            let (part, after) = rest.split_at(cut);
            self.push_part(part, style);
            rest = after;
        }
        self.push_part(rest, style);
    }

    fn push_part(&mut self, text: &str, style: StyleNumber) {
        if text.is_empty() {
            return;
        }
        if self.open() + text.len() > MAX_LINE {
            self.end_line();
        }
        self.text.push_str(text);
        // It fits: no run is longer than its line.
        let length = text.len() as u16;
        let own = (self.last_end().runs as usize).max(self.fixed_runs);
        match self.runs[own..].last_mut() {
            Some(last) if last.style == style.0 => last.length += length,
            _ => self.runs.push(Packed { length, style: style.0 }),
        }
    }

    /// Ends the open line, or adds an empty one. Blank ends are cut.
    pub fn end_line(&mut self) {
        let start = self.last_end();
        while let Some(last) = self.runs[start.runs as usize..].last()
            && last.style == PLAIN
        {
            let from = self.text.len() - usize::from(last.length);
            let kept = self.text[from..].trim_end_matches(' ').len();
            self.text.truncate(from + kept);
            self.runs.pop();
            if kept > 0 {
                break;
            }
        }
        self.ends.push(End { text: self.text.len() as u32, runs: self.runs.len() as u32 });
    }

    /// Opens the last ended line again. False when there is none, or the open line has text.
    pub fn reopen(&mut self) -> bool {
        self.open() == 0 && self.ends.pop().is_some()
    }

    /// Takes the open line away: its parts of one style, each with what its link leads to.
    pub fn take_open(&mut self) -> Vec<Span> {
        let end = self.last_end();
        let mark = Mark { lines: self.ends.len(), text: end.text as usize, runs: end.runs as usize };
        self.take_behind(mark).pop().unwrap_or_default()
    }

    /// Writes a line of a block, open.
    pub fn push_line(&mut self, block: &Block, line: usize) {
        let mut text = block.text(line);
        for run in block.runs(line) {
            let (part, rest) = text.split_at(run.length.min(text.len()));
            let style = match run.style.link.and_then(|id| block.links.get(usize::from(id.0))) {
                Some(link) => self.linked(run.style, link),
                None => self.style(CellStyle { link: None, ..run.style }),
            };
            self.push(part, style);
            text = rest;
        }
        self.push(text, StyleNumber::PLAIN);
    }

    /// The ended lines as a block; an open line stays behind.
    pub fn seal(&mut self) -> Block {
        let open = self.take_open();
        let sealed = std::mem::take(self);
        let block = Block {
            text: sealed.text.into_boxed_str(),
            ends: sealed.ends.into_boxed_slice(),
            runs: sealed.runs.into_boxed_slice(),
            styles: sealed.styles.into_boxed_slice(),
            links: sealed.links.into_boxed_slice(),
        };
        for span in open {
            let style = self.span_style(&span);
            self.push(&span.text, style);
        }
        block
    }
}
