//! What lanes hold at one moment.

use super::pattern::Pattern;
use super::target::Target;
use crate::domain::{LaneId, Reservation};

/// Why a lane holds something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// It announced the hold.
    Reserved {
        /// Together with other lanes that did the same.
        shared: bool,
    },
    /// Its running turn has written the path.
    Written,
    /// It is at rest with changes that are not merged.
    Unmerged,
}

impl Cause {
    /// The words a person reads.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Reserved { shared: false } => "reserved",
            Self::Reserved { shared: true } => "reserved for those who share it",
            Self::Written => "written by its running turn",
            Self::Unmerged => "changed and not merged",
        }
    }
}

/// One thing that meets what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held<'a> {
    /// The lane that holds it.
    pub lane: LaneId,
    /// What it holds, as it was reserved or written.
    pub what: &'a str,
    /// Whether `what` is one file, not a directory or glob.
    pub file: bool,
    /// Why.
    pub cause: Cause,
}

/// Everything that is held now. Borrows the paths: they may be many thousands.
#[derive(Debug, Clone, Default)]
pub struct Holds<'a> {
    reserved: Vec<(LaneId, Pattern, bool)>,
    paths: Vec<(LaneId, Cause, Vec<&'a str>)>,
}

impl<'a> Holds<'a> {
    /// Starts with the reservations. One whose pattern does not read holds the whole repository: an announced
    /// hold is never dropped silently. Named resources are no paths.
    pub fn new(reservations: impl IntoIterator<Item = &'a Reservation>) -> Self {
        let read = |r: &Reservation| match r.pattern.parse::<Target>() {
            Ok(target) => target.paths().cloned(),
            Err(_) => Pattern::plain("./").ok(),
        };
        let reserved = reservations.into_iter().filter_map(|r| read(r).map(|pattern| (r.lane, pattern, r.shared)));
        Self { reserved: reserved.collect(), paths: Vec::new() }
    }

    /// Adds paths that a lane's running turn has written.
    #[must_use]
    pub fn written(self, lane: LaneId, paths: impl IntoIterator<Item = &'a str>) -> Self {
        self.with(lane, Cause::Written, paths)
    }

    /// Adds unmerged changes of a lane at rest.
    #[must_use]
    pub fn unmerged(self, lane: LaneId, paths: impl IntoIterator<Item = &'a str>) -> Self {
        self.with(lane, Cause::Unmerged, paths)
    }

    fn with(mut self, lane: LaneId, cause: Cause, paths: impl IntoIterator<Item = &'a str>) -> Self {
        let paths: Vec<&str> = paths.into_iter().collect();
        if !paths.is_empty() {
            self.paths.push((lane, cause, paths));
        }
        self
    }

    /// What other lanes hold of a pattern. A shared reservation does not stop a lane that shares it.
    pub fn meeting(&self, lane: LaneId, wanted: &Pattern) -> Vec<Held<'_>> {
        let shares = self.reserved.iter().any(|(own, p, shared)| *own == lane && *shared && p.overlaps(wanted));
        let reserved = self
            .reserved
            .iter()
            .filter(|(other, pattern, shared)| *other != lane && !(*shared && shares) && pattern.overlaps(wanted));
        let mut met: Vec<Held<'_>> = reserved
            .map(|(lane, pattern, shared)| Held {
                lane: *lane,
                what: pattern.as_str(),
                file: false,
                cause: Cause::Reserved { shared: *shared },
            })
            .collect();
        for (other, cause, paths) in self.paths.iter().filter(|(other, ..)| *other != lane) {
            let own = paths.iter().filter(|path| wanted.meets_file(path));
            met.extend(own.map(|path| Held { lane: *other, what: path, file: true, cause: *cause }));
        }
        met
    }
}
