//! Searching a frozen text: every place where the words stand, found once for each change of the words.

use std::ops::Range;

use regex::{Regex, RegexBuilder};

use super::text::{Place, ScrollText};

/// Hits that are kept; a text with more is told to have that many and more.
const MOST: usize = 100_000;
/// Bytes of the words at most.
const LONGEST: usize = 1_000;

/// One place where the words stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The line.
    pub line: u64,
    /// The bytes there.
    pub bytes: Range<usize>,
}

impl Hit {
    /// Where it begins.
    #[must_use]
    pub const fn start(&self) -> Place {
        Place { line: self.line, byte: self.bytes.start }
    }
}

/// The words that are searched, and where they stand.
#[derive(Debug, Default)]
pub struct Search {
    /// The words.
    pub words: String,
    /// Where they stand, in order.
    hits: Vec<Hit>,
    /// The way to the next one: towards the end.
    pub down: bool,
}

impl Search {
    /// Finds these words: letter case counts if one of them is a capital.
    #[must_use]
    pub fn new(text: &ScrollText, words: &str, down: bool) -> Self {
        let mut hits = Vec::new();
        if let Some(pattern) = pattern(words) {
            // A text without the longest of the words has none of them.
            let word = words.split(|c: char| !c.is_alphanumeric()).max_by_key(|word| word.len()).unwrap_or("");
            let word = if word == words { None } else { self::pattern(word) };
            let mut look = |line: u64, text: &str| {
                let found = pattern.find_iter(text).map(|hit| Hit { line, bytes: hit.range() });
                hits.extend(found.take(MOST - hits.len()));
                hits.len() < MOST
            };
            text.each_line(word.as_ref().unwrap_or(&pattern), &mut look);
        }
        Self { words: words.to_owned(), hits, down }
    }

    /// How many there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.hits.len()
    }

    /// Whether nothing is searched.
    #[must_use]
    pub const fn is_off(&self) -> bool {
        self.words.is_empty()
    }

    /// All of them, in order.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// The hits of a line.
    #[must_use]
    pub fn of_line(&self, line: u64) -> &[Hit] {
        let from = self.hits.partition_point(|hit| hit.line < line);
        let to = self.hits.partition_point(|hit| hit.line <= line);
        &self.hits[from..to]
    }

    /// Which hit stands at a place, counted from 1.
    #[must_use]
    pub fn number(&self, place: Place) -> Option<usize> {
        let at = self.hits.partition_point(|hit| hit.start() < place);
        let here = self.hits.get(at).filter(|hit| hit.start() == place)?;
        (here.start() == place).then_some(at + 1)
    }

    /// `3 of 17`, at a place; `17 matches` between them.
    #[must_use]
    pub fn told(&self, place: Place) -> String {
        let all = if self.count() == MOST { format!("{MOST}+") } else { self.count().to_string() };
        match (self.number(place), self.count()) {
            (_, 0) => "no match".to_owned(),
            (Some(number), _) => format!("{number} of {all}"),
            (None, 1) => "1 match".to_owned(),
            (None, _) => format!("{all} matches"),
        }
    }

    /// The hit that a search begun at a place shows first, and the way that it was found: towards the end or
    /// the start as asked, and the other way before it goes round, so that at the end of a text the newest hit is
    /// found first.
    #[must_use]
    pub fn nearest(&self, from: Place, down: bool) -> Option<(Place, bool)> {
        let after = self.hits.partition_point(|hit| hit.start() < from);
        let before = after.checked_sub(1).map(|at| (self.hits[at].start(), false));
        let behind = self.hits.get(after).map(|hit| (hit.start(), true));
        if down { behind.or(before) } else { before.or(behind) }
    }

    /// The next hit beyond a place, going round at the end.
    #[must_use]
    pub fn next(&self, from: Place, down: bool) -> Option<Place> {
        if down {
            let at = self.hits.partition_point(|hit| hit.start() <= from);
            return self.hits.get(at).or(self.hits.first()).map(Hit::start);
        }
        let at = self.hits.partition_point(|hit| hit.start() < from);
        self.hits[..at].last().or(self.hits.last()).map(Hit::start)
    }
}

/// What finds the words exactly as they are written; nothing for no words or a whole book of them.
fn pattern(words: &str) -> Option<Regex> {
    if words.is_empty() || words.len() > LONGEST {
        return None;
    }
    let capital = words.chars().any(char::is_uppercase);
    RegexBuilder::new(&regex::escape(words)).case_insensitive(!capital).build().ok()
}
