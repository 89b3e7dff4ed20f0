//! What lanes hold at one moment.

use std::collections::BTreeSet;

use super::paths::{Fold, PathSet, meeting_few};
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
    fold: Fold,
    reserved: Vec<Reserved<'a>>,
    written: Vec<(LaneId, &'a BTreeSet<String>)>,
    unmerged: Vec<(LaneId, &'a PathSet)>,
}

#[derive(Debug, Clone)]
struct Reserved<'a> {
    lane: LaneId,
    /// As it was reserved.
    what: &'a str,
    pattern: Pattern,
    shared: bool,
}

impl<'a> Holds<'a> {
    /// Starts with the reservations, on a file system that takes names for one as `fold` says. One whose pattern does
    /// not read holds the whole repository: an announced hold is never dropped silently. Named resources are no paths.
    pub fn new(reservations: impl IntoIterator<Item = &'a Reservation>, fold: Fold) -> Self {
        let read = |r: &'a Reservation| {
            let pattern = match r.pattern.parse::<Target>() {
                Ok(target) => target.paths()?.folded(fold),
                Err(_) => Pattern::plain("./").ok()?.folded(fold),
            };
            Some(Reserved { lane: r.lane, what: &r.pattern, pattern, shared: r.shared })
        };
        let reserved = reservations.into_iter().filter_map(read).collect();
        Self { fold, reserved, ..Self::default() }
    }

    /// Adds paths that a lane's running turn has written.
    #[must_use]
    pub fn written(mut self, lane: LaneId, paths: &'a BTreeSet<String>) -> Self {
        self.written.push((lane, paths));
        self
    }

    /// Adds unmerged changes of a lane at rest.
    #[must_use]
    pub fn unmerged(mut self, lane: LaneId, paths: &'a PathSet) -> Self {
        self.unmerged.push((lane, paths));
        self
    }

    /// What other lanes hold of a pattern, at most so many changed files of each. A shared reservation does not stop a
    /// lane that shares it.
    pub fn meeting(&self, lane: LaneId, wanted: &Pattern, most: usize) -> Vec<Held<'a>> {
        let wanted = &wanted.folded(self.fold);
        let own = |r: &Reserved<'_>| r.lane == lane && r.shared && r.pattern.overlaps(wanted);
        let shares = self.reserved.iter().any(own);
        let others = self.reserved.iter().filter(|r| r.lane != lane && !(r.shared && shares));
        let mut met: Vec<Held<'a>> = others
            .filter(|r| r.pattern.overlaps(wanted))
            .map(|r| Held { lane: r.lane, what: r.what, file: false, cause: Cause::Reserved { shared: r.shared } })
            .collect();
        for (other, paths) in self.written.iter().filter(|(other, _)| *other != lane) {
            let written = meeting_few(paths, wanted, self.fold).into_iter().take(most);
            met.extend(written.map(|what| Held { lane: *other, what, file: true, cause: Cause::Written }));
        }
        for (other, paths) in self.unmerged.iter().filter(|(other, _)| *other != lane) {
            let met_here = paths.meeting(wanted).take(most).map(|what| Held {
                lane: *other,
                what,
                file: true,
                cause: Cause::Unmerged,
            });
            met.extend(met_here);
        }
        met
    }
}
