//! Checkpoints: the points before each turn to which a lane's files and conversation can be brought back, and what a
//! rewound transcript leaves behind.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Entry, EntryBody, LaneId, PromptId};

/// A lane's files as they were kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedFiles {
    /// The commit that holds them, under a hidden ref.
    pub commit: String,
    /// The commit that was checked out, if any.
    pub head: Option<String>,
    /// Files that are not in it although git does not ignore them, with the reason.
    pub left_out: Vec<String>,
}

/// What came of taking a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Its number in the lane.
    pub number: u64,
    /// The last entry of the transcript before it.
    pub seq: u64,
    /// The files; or why they could not be kept, in words.
    pub files: Result<SavedFiles, String>,
}

/// A point to go back to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The lane.
    pub lane: LaneId,
    /// Its number in the lane, from 1.
    pub number: u64,
    /// The prompt whose turn began after it; none for one that a rewind or a fork took.
    pub prompt: Option<PromptId>,
    /// The last entry of the transcript before it; 0 if there was none.
    pub seq: u64,
    /// The commit that holds the files; none if they could not be kept.
    pub commit: Option<String>,
    /// The commit that was checked out, if any.
    pub head: Option<String>,
    /// When it was taken.
    pub at: Timestamp,
}

/// Which entries of a transcript are left behind: the conversation was brought back to before them.
///
/// A rewind's entry says after which one the conversation goes on. What that one follows decides what stands before it,
/// so a rewind to within what an earlier one left behind brings that back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeftBehind(Vec<(u64, u64)>);

impl LeftBehind {
    /// Reads entries that follow each other, oldest first.
    pub fn of<'a>(entries: impl DoubleEndedIterator<Item = &'a Entry>) -> Self {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        let mut after: Option<u64> = None;
        for entry in entries.rev() {
            if after.is_some_and(|to| entry.seq > to) {
                match ranges.last_mut() {
                    Some((first, _)) if *first == entry.seq + 1 => *first = entry.seq,
                    _ => ranges.push((entry.seq, entry.seq)),
                }
                continue;
            }
            after = if let EntryBody::Rewound { to, .. } = &entry.body { Some(*to) } else { None };
        }
        ranges.reverse();
        Self(ranges)
    }

    /// Whether the entry at this place is left behind.
    #[must_use]
    pub fn has(&self, seq: u64) -> bool {
        let at = self.0.partition_point(|(_, last)| *last < seq);
        self.0.get(at).is_some_and(|(first, _)| *first <= seq)
    }

    /// How many entries are left behind right before this place.
    #[must_use]
    pub fn before(&self, seq: u64) -> u64 {
        self.0.iter().find(|(_, last)| last + 1 == seq).map_or(0, |(first, last)| last + 1 - first)
    }

    /// Whether nothing is.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::NoticeLevel;

    /// Entries from a list that says for each whether it is a rewind, and to where.
    fn entries(rewinds: &[Option<u64>]) -> Vec<Entry> {
        let body = |to: &Option<u64>| match to {
            Some(to) => EntryBody::Rewound { to: *to, checkpoint: 1 },
            None => EntryBody::Notice { level: NoticeLevel::Info, text: String::new() },
        };
        let entry = |(at, to)| Entry {
            lane: LaneId(1),
            seq: at as u64 + 1,
            prompt: None,
            at: Timestamp::UNIX_EPOCH,
            body: body(to),
        };
        rewinds.iter().enumerate().map(entry).collect()
    }

    fn live(rewinds: &[Option<u64>]) -> Vec<u64> {
        let entries = entries(rewinds);
        let left = LeftBehind::of(entries.iter());
        entries.iter().map(|e| e.seq).filter(|seq| !left.has(*seq)).collect()
    }

    #[test]
    fn a_rewind_leaves_behind_what_came_after_its_point() {
        assert_eq!(live(&[None, None, None]), [1, 2, 3]);
        assert_eq!(live(&[None, None, None, Some(1), None]), [1, 4, 5]);
        assert_eq!(live(&[None, None, Some(0)]), [3]);
    }

    #[test]
    fn a_rewind_is_undone_by_one_to_before_it() {
        assert_eq!(live(&[None, None, None, Some(1), None, Some(3)]), [1, 2, 3, 6]);
        let left = LeftBehind::of(entries(&[None, None, None, Some(1), None, Some(3)]).iter());
        assert_eq!((left.before(6), left.before(4)), (2, 0));
    }

    proptest! {
        /// What is live after a rewind is what was live at its point, and the rewind itself.
        #[test]
        fn the_conversation_is_the_one_of_then(
            rewinds in proptest::collection::vec(any::<Option<u8>>(), 0..30),
            to in 0..30usize,
        ) {
            let mut all: Vec<Option<u64>> = Vec::new();
            for (at, to) in rewinds.iter().enumerate() {
                all.push(to.map(|to| u64::from(to) % (at as u64 + 1)));
            }
            let to = to.min(all.len());
            let then = live(&all[..to]);
            all.push(Some(to as u64));
            let now = live(&all);
            prop_assert_eq!(&now[..now.len() - 1], &then[..]);
        }
    }
}
