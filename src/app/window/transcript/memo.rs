//! What drawing remembers from one frame to the next, so that a frame costs what it shows: outlines of long answers
//! and colours of code. All of it can be found anew; nothing is decided by it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::app::window::line::{CodeLine, Line};
use crate::app::window::text::{Run, Tone};
use crate::domain::LaneId;

use super::code::{CodeColours, CodeJob, LineColours, Reading, hash};
use super::markdown::Outline;

/// Bytes of a text from which on its outline is kept.
const LONG: usize = 4 * 1024;
/// Outlines that are kept at most.
const OUTLINES: usize = 128;
/// Chunks of all kept outlines at most, beside those of the one used last.
const CHUNKS: usize = 600_000;
/// Pieces of code, of at most 1,024 lines each, whose colours are kept.
const PIECES: usize = 128;
/// Languages that are remembered as unknown.
const UNKNOWN: usize = 256;

/// The memory.
#[derive(Debug, Default)]
pub struct Memo(RefCell<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// Grows with each use.
    clock: u64,
    outlines: BTreeMap<(LaneId, u64), (u64, Arc<Outline>)>,
    colours: BTreeMap<u64, Coloured>,
    unknown: BTreeSet<Arc<str>>,
    /// What wants colours next.
    job: Option<CodeJob>,
    /// A job is being done.
    busy: bool,
    /// The lane whose entries before this one are wanted.
    older: Option<(LaneId, u64)>,
    /// They are being read.
    reading: bool,
    /// Lanes of which no more can be had, and the first entry of each.
    ended: BTreeMap<LaneId, u64>,
}

#[derive(Debug)]
struct Coloured {
    used: u64,
    lines: Vec<LineColours>,
    reading: Reading,
}

impl Memo {
    /// The outline of an entry's text. `whole`: nothing will follow.
    pub(super) fn outline(&self, lane: LaneId, seq: u64, text: &str, whole: bool) -> Arc<Outline> {
        let mut inner = self.0.borrow_mut();
        let key = (lane, seq);
        if text.len() < LONG && !inner.outlines.contains_key(&key) {
            let mut outline = Outline::default();
            outline.extend(text, whole);
            return Arc::new(outline);
        }
        inner.clock += 1;
        let clock = inner.clock;
        let (used, outline) = inner.outlines.entry(key).or_default();
        *used = clock;
        if !outline.is_at(text, whole) {
            Arc::make_mut(outline).extend(text, whole);
        }
        let outline = Arc::clone(outline);
        inner.forget_outlines(outline.chunks().len());
        outline
    }

    /// Gives a line of code its colours, as far as they are known. False when they are not, and could be.
    pub(super) fn paint(&self, line: &mut Line) -> bool {
        let (Some(at), [run]) = (&line.code, line.runs.as_slice()) else { return true };
        match self.colours(at, &run.text) {
            Ok(spans) => {
                line.runs = painted(&run.text, &spans);
                true
            }
            Err(wanted) => !wanted,
        }
    }

    /// The colours of a line of code: bytes and their tones.
    ///
    /// # Errors
    /// They are not known; whether they can be.
    pub(in crate::app::window) fn colours(&self, at: &CodeLine, text: &str) -> Result<Vec<(u32, Tone)>, bool> {
        let mut inner = self.0.borrow_mut();
        if at.language.is_empty() || inner.unknown.contains(&at.language) {
            return Err(false);
        }
        inner.clock += 1;
        let clock = inner.clock;
        let coloured = inner.colours.get_mut(&at.piece).ok_or(true)?;
        coloured.used = clock;
        let colours = coloured.lines.get(at.line).filter(|colours| colours.hash == hash(text)).ok_or(true)?;
        Ok(colours.spans.clone())
    }

    /// Asks for the colours of the piece of code to which a line belongs; `lines`: all its lines that are finished.
    pub(in crate::app::window) fn want(&self, at: &CodeLine, lines: impl FnOnce() -> Vec<String>) {
        let mut inner = self.0.borrow_mut();
        if inner.busy || inner.job.is_some() {
            return;
        }
        let mut lines = lines();
        let known = inner.colours.get(&at.piece).filter(|known| {
            known.lines.len() <= lines.len()
                && known.lines.iter().zip(&lines).all(|(colours, line)| colours.hash == hash(line))
        });
        let from = known.map_or(0, |known| known.lines.len());
        let reading = known.map(|known| known.reading.clone());
        lines.drain(..from);
        if !lines.is_empty() {
            inner.job = Some(CodeJob { piece: at.piece, language: Arc::clone(&at.language), from, lines, reading });
        }
    }

    /// Code that wants colours, to be done beside the drawing; one job at a time.
    pub fn job(&self) -> Option<CodeJob> {
        let mut inner = self.0.borrow_mut();
        let job = inner.job.take()?;
        inner.busy = true;
        Some(job)
    }

    /// The entries of a lane before this one are wanted, as far as they are in the store.
    pub(super) fn want_older(&self, lane: LaneId, before: u64) {
        let mut inner = self.0.borrow_mut();
        if !inner.reading && inner.ended.get(&lane) != Some(&before) {
            inner.older = Some((lane, before));
        }
    }

    /// The lane whose entries before this one are to be read; one page at a time.
    pub fn older(&self) -> Option<(LaneId, u64)> {
        let mut inner = self.0.borrow_mut();
        let older = inner.older.take()?;
        inner.reading = true;
        Some(older)
    }

    /// A page was read, or could not be: the next can be asked for.
    pub(in crate::app) fn read(&self) {
        self.0.borrow_mut().reading = false;
    }

    /// No more of a lane can be had before this entry.
    pub(in crate::app) fn ends(&self, lane: LaneId, before: u64) {
        let mut inner = self.0.borrow_mut();
        inner.ended.insert(lane, before);
        inner.older = None;
    }

    /// Nobody looks at a lane's older entries any more: they can be asked for anew.
    pub(in crate::app) fn let_go(&self, lane: LaneId) {
        self.0.borrow_mut().ended.remove(&lane);
    }

    /// A job is done.
    pub fn coloured(&self, found: CodeColours) {
        let mut inner = self.0.borrow_mut();
        inner.busy = false;
        inner.clock += 1;
        let clock = inner.clock;
        let Some((lines, reading)) = found.lines else {
            if inner.unknown.len() < UNKNOWN {
                inner.unknown.insert(found.language);
            }
            return;
        };
        let known = inner.colours.entry(found.piece).or_insert_with(|| Coloured {
            used: clock,
            lines: Vec::new(),
            reading: reading.clone(),
        });
        known.used = clock;
        known.lines.truncate(found.from);
        known.lines.extend(lines);
        known.reading = reading;
        while inner.colours.len() > PIECES {
            let oldest = inner.colours.iter().min_by_key(|(_, coloured)| coloured.used).map(|(piece, _)| *piece);
            let Some(oldest) = oldest else { break };
            inner.colours.remove(&oldest);
        }
    }
}

impl Inner {
    fn forget_outlines(&mut self, newest: usize) {
        let chunks = |inner: &Self| inner.outlines.values().map(|(_, outline)| outline.chunks().len()).sum::<usize>();
        while self.outlines.len() > OUTLINES || self.outlines.len() > 1 && chunks(self) > CHUNKS + newest {
            let oldest = self.outlines.iter().min_by_key(|(_, (used, _))| *used).map(|(key, _)| *key);
            let Some(oldest) = oldest else { break };
            self.outlines.remove(&oldest);
        }
    }
}

fn painted(text: &str, spans: &[(u32, Tone)]) -> Vec<Run> {
    let mut runs = Vec::with_capacity(spans.len().max(1));
    let mut at = 0;
    for (length, tone) in spans {
        let end = at + *length as usize;
        let Some(part) = text.get(at..end) else { break };
        runs.push(Run::new(*tone, part.to_owned()));
        at = end;
    }
    if at < text.len() || runs.is_empty() {
        runs.push(Run::new(Tone::Code, text.get(at..).unwrap_or("").to_owned()));
    }
    runs
}
