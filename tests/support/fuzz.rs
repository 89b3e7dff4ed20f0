//! Bytes meant to break the screen model, and what must hold of it whatever comes.
//!
//! A case is a list of pieces and sizes. [`Source`] makes cases by grammar (sequences of every kind with numbers from
//! the edges) and by mutating parts of real recordings; [`check`] plays one three times (whole, byte by byte, in random
//! cuts) and says what does not hold; [`minimised`] makes a failing case small.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use paralane::base::width;
use paralane::domain::{PaneFrame, Size};
use paralane::terminal::{Colours, Replay};

/// Answers to one case are bounded by so many bytes per byte of input, and so many more.
const REPLY_PER_BYTE: usize = 64;
const REPLY_MORE: usize = 4096;

/// What happens to the screen next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The program writes.
    Bytes(Vec<u8>),
    /// The terminal is resized.
    Resize(Size),
}

/// One run of a made-up program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The size at the start.
    pub size: Size,
    /// What happens.
    pub steps: Vec<Step>,
    /// How the third play cuts.
    pub cuts: u64,
}

/// Numbers that come out the same in each run.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Below `limit`, which is not 0. Marsaglia's xorshift.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % limit as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }
}

/// What a play came to.
#[derive(PartialEq, Eq)]
struct Outcome {
    frames: Vec<PaneFrame>,
    replies: Vec<u8>,
    text: String,
}

/// Plays a case in three ways; the error says what does not hold.
pub fn check(case: &Case) -> Result<(), String> {
    let whole = guarded(case, "whole", || usize::MAX)?;
    let single = guarded(case, "byte by byte", || 1)?;
    let mut random = Random::new(case.cuts);
    let cut = guarded(case, "cut", || 1 + random.below(24))?;
    for (how, other) in [("byte by byte", &single), ("in random cuts", &cut)] {
        if *other != whole {
            return Err(format!("comes out differently {how}: {}", difference(&whole, other)));
        }
    }
    Ok(())
}

fn difference(whole: &Outcome, other: &Outcome) -> String {
    if whole.replies != other.replies {
        return format!("replies {:?} and {:?}", whole.replies.escape_ascii(), other.replies.escape_ascii());
    }
    for (step, (a, b)) in whole.frames.iter().zip(&other.frames).enumerate() {
        if a.cursor != b.cursor {
            return format!("after step {step} the cursor at {:?} and {:?}", a.cursor, b.cursor);
        }
        if let Some(at) = a.cells.iter().zip(b.cells.iter()).position(|(a, b)| a != b) {
            return format!("after step {step} cell {at}: {:?} and {:?}", a.cells[at], b.cells[at]);
        }
        if a != b {
            return format!("after step {step} {:?} and {:?}", a.modes, b.modes);
        }
    }
    "the text".to_owned()
}

fn guarded(case: &Case, how: &str, cut: impl FnMut() -> usize) -> Result<Outcome, String> {
    let played = catch_unwind(AssertUnwindSafe(|| play(case, cut)));
    played.unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        let words = words.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
        Err(format!("panics: {how}: {}", words.unwrap_or_default()))
    })
}

fn play(case: &Case, mut cut: impl FnMut() -> usize) -> Result<Outcome, String> {
    let mut replay = Replay::new(case.size, Colours::default());
    let mut outcome = Outcome { frames: Vec::new(), replies: Vec::new(), text: String::new() };
    let mut fed = 0;
    for step in &case.steps {
        match step {
            Step::Bytes(bytes) => {
                let mut rest = &bytes[..];
                while !rest.is_empty() {
                    let (piece, later) = rest.split_at(cut().clamp(1, rest.len()));
                    replay.feed(piece);
                    outcome.replies.extend(replay.replies());
                    rest = later;
                }
                fed += bytes.len();
            }
            Step::Resize(size) => replay.resize(*size),
        }
        let frame = replay.frame();
        sound(&frame, replay.size())?;
        outcome.frames.push(frame);
    }
    outcome.text = replay.text();
    clean(&outcome.text)?;
    if outcome.replies.len() > fed * REPLY_PER_BYTE + REPLY_MORE {
        return Err(format!("too many answers: {} bytes to {fed} bytes", outcome.replies.len()));
    }
    well_formed(&outcome.replies)?;
    Ok(outcome)
}

/// What must hold of every picture.
fn sound(frame: &PaneFrame, size: Size) -> Result<(), String> {
    let (columns, rows) = (usize::from(size.columns), usize::from(size.rows));
    if frame.size != size || frame.cells.iter().count() != columns * rows {
        return Err(format!(
            "wrong size: {} cells of {:?} on a screen of {size:?}",
            frame.cells.iter().count(),
            frame.size
        ));
    }
    if frame.cursor.0 >= size.columns || frame.cursor.1 >= size.rows {
        return Err(format!("cursor outside: {:?} of {size:?}", frame.cursor));
    }
    for (number, row) in frame.cells.rows().enumerate() {
        for (column, cell) in row.iter().enumerate() {
            let at = format!("row {number} column {column} ({:?})", cell.text);
            clean(&cell.text).map_err(|error| format!("{error} at {at}"))?;
            if cell.text.contains('\n') {
                return Err(format!("line end in a cell: {at}"));
            }
            // What is wider than two columns by its code points is one cluster of two cells.
            if width(&cell.text) >= 2 && row.get(column + 1).is_none_or(|next| !next.continuation) {
                return Err(format!("wide character without its second half: {at}"));
            }
            if cell.continuation && (!cell.text.is_empty() || column == 0) {
                return Err(format!("second half without a first: {at}"));
            }
            if cell.style.link.is_some_and(|link| usize::from(link.0) >= frame.links.len()) {
                return Err(format!("link that the frame does not have: {at}"));
            }
        }
    }
    Ok(())
}

/// No control character and none of the marks that the screen model uses inside.
fn clean(text: &str) -> Result<(), String> {
    let bad = text.chars().find(|c| (c.is_control() && *c != '\n') || ('\u{e0100}'..='\u{e01ef}').contains(c));
    bad.map_or(Ok(()), |bad| Err(format!("bad character: {bad:?} in {text:?}")))
}

/// Answers are whole control sequences and nothing else: anything more would be typed into the program.
fn well_formed(replies: &[u8]) -> Result<(), String> {
    let mut rest = replies;
    while !rest.is_empty() {
        let length = match rest {
            [0x1b, b'[', tail @ ..] => {
                let end = tail.iter().position(|byte| !(0x20..=0x3f).contains(byte));
                end.filter(|&end| (0x40..=0x7e).contains(&tail[end])).map(|end| end + 3)
            }
            [0x1b, b']' | b'P', tail @ ..] => {
                let end = tail.iter().position(|byte| *byte < 0x20 || *byte > 0x7e);
                // Answers end as their questions did.
                end.and_then(|end| match &tail[end..] {
                    [0x07, ..] => Some(end + 3),
                    [0x1b, b'\\', ..] => Some(end + 4),
                    _ => None,
                })
            }
            _ => None,
        };
        let Some(length) = length else {
            return Err(format!("malformed answer: {}", rest.escape_ascii()));
        };
        rest = &rest[length..];
    }
    Ok(())
}

/// Makes cases.
#[derive(Debug)]
pub struct Source {
    random: Random,
    seeds: Vec<Vec<u8>>,
}

const NUMBERS: [&str; 24] = [
    "",
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "7",
    "8",
    "9",
    "10",
    "12",
    "18",
    "23",
    "24",
    "38",
    "48",
    "58",
    "80",
    "99",
    "255",
    "32768",
    "65535",
    "99999999999999999999",
];
const MODES: [&str; 26] = [
    "1", "3", "5", "6", "7", "9", "12", "25", "45", "47", "66", "69", "1000", "1002", "1003", "1004", "1005", "1006",
    "1007", "1047", "1048", "1049", "2004", "2026", "2027", "2031",
];
const TEXTS: [&str; 30] = [
    "a",
    "hello",
    " ",
    "\t",
    "漢",
    "日本語",
    "é",
    "e\u{301}",
    "\u{301}",
    "#\u{fe0f}",
    "⚠\u{fe0f}",
    "❤\u{fe0f}\u{200d}🔥",
    "1\u{fe0f}\u{20e3}",
    "👨\u{200d}👩\u{200d}👧",
    "🇯🇵",
    "🇯",
    "👍🏽",
    "\u{200d}",
    "\u{200b}",
    "\u{fe0f}",
    "\u{fe0e}",
    "\u{e0100}",
    "\u{e01ef}",
    "\u{1f3fb}",
    "\u{2028}",
    "\u{ad}",
    "\u{feff}",
    "각",
    "ن",
    "\u{7f}",
];
const STRINGS: [&str; 16] = [
    "0;title",
    "2;a;b",
    "4;1;?",
    "4;1;#123456",
    "8;;http://x/",
    "8;id=1;http://y/",
    "8;;",
    "9;note",
    "10;?",
    "11;?;?",
    "52;c;aGk=",
    "52;c;?",
    "104",
    "133;A",
    "777;notify;t;b",
    "7501;state=idle",
];

impl Source {
    /// Cases from this seed, with these recordings to take parts from.
    pub fn new(seed: u64, seeds: Vec<Vec<u8>>) -> Self {
        Self { random: Random::new(seed), seeds }
    }

    /// The next case.
    pub fn case(&mut self) -> Case {
        let size = self.size();
        let steps = 1 + self.random.below(6);
        let steps = (0..steps).map(|_| if self.random.one_in(4) { Step::Resize(self.size()) } else { self.bytes() });
        let steps = steps.collect();
        Case { size, steps, cuts: self.random.below(usize::MAX >> 1) as u64 }
    }

    fn size(&mut self) -> Size {
        let sides = [1, 1, 2, 2, 3, 4, 5, 8, 10, 12, 20, 24, 40, 80];
        let side = |random: &mut Random| sides[random.below(sides.len())];
        Size { columns: side(&mut self.random), rows: side(&mut self.random).min(24) }
    }

    fn bytes(&mut self) -> Step {
        let mut out = Vec::new();
        if !self.seeds.is_empty() && self.random.one_in(3) {
            self.mutated(&mut out);
        } else {
            for _ in 0..=self.random.below(24) {
                self.token(&mut out);
            }
        }
        Step::Bytes(out)
    }

    /// A part of a recording with some bytes changed, doubled, dropped, or something put between.
    fn mutated(&mut self, out: &mut Vec<u8>) {
        let random = &mut self.random;
        let seed = &self.seeds[random.below(self.seeds.len())];
        let from = random.below(seed.len().max(1));
        let to = (from + 1 + random.below(600)).min(seed.len());
        out.extend_from_slice(&seed[from..to]);
        for _ in 0..self.random.below(6) {
            let at = self.random.below(out.len().max(1)).min(out.len());
            match self.random.below(4) {
                0 if at < out.len() => out[at] = self.random.below(256) as u8,
                1 if at < out.len() => drop(out.drain(at..(at + 1 + self.random.below(8)).min(out.len()))),
                2 => {
                    let end = (at + self.random.below(30)).min(out.len());
                    let part = out[at..end].to_vec();
                    out.splice(at..at, part);
                }
                _ => {
                    let mut token = Vec::new();
                    self.token(&mut token);
                    out.splice(at..at, token);
                }
            }
        }
    }

    fn token(&mut self, out: &mut Vec<u8>) {
        let random = &mut self.random;
        match random.below(16) {
            0..=3 => {
                for _ in 0..=random.below(6) {
                    out.extend_from_slice(random.pick(&TEXTS).as_bytes());
                }
            }
            4 => out.extend_from_slice(
                random
                    .pick(&["\r\n", "\n", "\r", "\x08", "\x0b", "\x0c", "\x0e", "\x0f", "\x07", "\x18", "\x1a"])
                    .as_bytes(),
            ),
            5..=8 => {
                out.extend_from_slice(b"\x1b[");
                self.parameters(out);
                let finals = b"@ABCDEFGHIJKLMPSTXZ`abcdefghlmnrstux";
                out.push(finals[self.random.below(finals.len())]);
            }
            9 => {
                out.extend_from_slice(b"\x1b[?");
                let mode = random.pick(&MODES);
                out.extend_from_slice(mode.as_bytes());
                out.extend_from_slice(
                    random.pick(&["h", "l", "$p", "h", "l", "s", "r", ";7h", "J", "K", "n"]).as_bytes(),
                );
            }
            10 => {
                out.extend_from_slice(b"\x1b[");
                let colours = [
                    "1",
                    "2",
                    "22",
                    "4",
                    "4:3",
                    "21",
                    "58:2::1:2:3",
                    "58;5;9",
                    "59",
                    "38;5;200",
                    "48;2;1;2;3",
                    "38:2::9:8:7",
                    "7",
                    "8",
                    "9",
                    "53",
                    "0",
                    "",
                ];
                for _ in 0..=random.below(3) {
                    out.extend_from_slice(random.pick(&colours).as_bytes());
                    out.push(b';');
                }
                out.pop();
                out.push(b'm');
            }
            11 => {
                let escapes = [
                    "\x1b7", "\x1b8", "\x1bD", "\x1bE", "\x1bM", "\x1bH", "\x1bc", "\x1b(0", "\x1b(B", "\x1b)0",
                    "\x1b#8", "\x1b=", "\x1b>", "\x1bN", "\x1bO", "\x1bZ", "\x1b%G", "\x1b\\",
                ];
                out.extend_from_slice(random.pick(&escapes).as_bytes());
            }
            12 => {
                let (text, end) = (random.pick(&STRINGS), random.pick(&["\x07", "\x1b\\", "", "\x18"]));
                out.extend_from_slice(b"\x1b]");
                out.extend_from_slice(text.as_bytes());
                out.extend_from_slice(end.as_bytes());
            }
            13 => {
                let texts = [
                    "\x1bP+q4d73\x1b\\",
                    "\x1bP$qm\x1b\\",
                    "\x1bP$qr\x1b\\",
                    "\x1bP0;1;2qabc\x1b\\",
                    "\x1b_Gi=1;AAAA\x1b\\",
                    "\x1b^pm\x1b\\",
                    "\x1bXsos\x1b\\",
                    "\x1b[>4;2m",
                    "\x1b[?4m",
                    "\x1b[>5u",
                    "\x1b[<u",
                    "\x1b[=1;1u",
                    "\x1b[?u",
                    "\x1b[!p",
                    "\x1b[>q",
                    "\x1b[c",
                    "\x1b[>c",
                    "\x1b[=c",
                    "\x1b[18t",
                    "\x1b[22;0t",
                    "\x1b[23;0t",
                    "\x1b[5 q",
                ];
                out.extend_from_slice(random.pick(&texts).as_bytes());
            }
            14 => {
                for _ in 0..random.below(8) {
                    out.push(random.below(256) as u8);
                }
            }
            // A sequence that is cut by whatever comes next.
            _ => out.extend_from_slice(
                random.pick(&["\x1b", "\x1b[", "\x1b[3", "\x1b[38;2", "\x1b]0;x", "\x1bP", "\u{6f22}"]).as_bytes(),
            ),
        }
        if self.random.one_in(40) {
            out.pop();
        }
    }

    fn parameters(&mut self, out: &mut Vec<u8>) {
        for at in 0..self.random.below(4) {
            if at > 0 {
                out.push(b';');
            }
            out.extend_from_slice(self.random.pick(&NUMBERS).as_bytes());
        }
    }
}

/// What fails without its details.
pub fn kind(why: &str) -> &str {
    why.split(':').next().unwrap_or(why)
}

/// The smallest case that was found to fail in the same way, with what fails.
pub fn minimised(mut case: Case, mut why: String) -> (Case, String) {
    let wanted = kind(&why).to_owned();
    loop {
        let smaller = candidates(&case).into_iter().find_map(|smaller| {
            let error = check(&smaller).err().filter(|error| kind(error) == wanted)?;
            Some((smaller, error))
        });
        match smaller {
            Some((smaller, error)) => (case, why) = (smaller, error),
            None => return (case, why),
        }
    }
}

/// Cases with something left out, the larger parts first.
fn candidates(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    let with = |steps: Vec<Step>| Case { steps, ..case.clone() };
    for at in 0..case.steps.len() {
        let mut steps = case.steps.clone();
        steps.remove(at);
        all.push(with(steps));
    }
    for (at, step) in case.steps.iter().enumerate() {
        let Step::Bytes(bytes) = step else { continue };
        let mut length = bytes.len() / 2;
        while length > 0 {
            for from in (0..bytes.len()).step_by(length) {
                let mut fewer = bytes.clone();
                fewer.drain(from..(from + length).min(bytes.len()));
                let mut steps = case.steps.clone();
                steps[at] = Step::Bytes(fewer);
                all.push(with(steps));
            }
            length /= 2;
        }
    }
    all
}

/// The case as Rust source, for a test.
pub fn as_source(case: &Case) -> String {
    let mut out = format!("({}, {}, &[", case.size.columns, case.size.rows);
    for step in &case.steps {
        let _ = match step {
            Step::Bytes(bytes) => write!(out, "Bytes(b\"{}\"), ", bytes.escape_ascii()),
            Step::Resize(size) => write!(out, "Resize({}, {}), ", size.columns, size.rows),
        };
    }
    format!("{}], {})", out.trim_end_matches(", "), case.cuts)
}
