//! Paths against the holds of other lanes.

use std::collections::{BTreeMap, BTreeSet};

use crate::coordination::{Cause, Held, Holds, Pattern};
use crate::domain::LaneId;

/// Paths of one lane that are told for one that was asked for.
const MOST: usize = 50;

/// What unmerged changes of a lane at rest do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AtRest {
    /// They are told and hold nothing back.
    #[default]
    Warn,
    /// They block like a live hold.
    Block,
}

/// What one other lane holds of the paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlap {
    /// The lane that holds them.
    pub with: LaneId,
    /// The overlapping paths, sorted.
    pub paths: Vec<String>,
    /// Why it holds them, in words.
    pub cause: String,
    /// Whether it blocks; if not, it warns.
    pub live: bool,
}

/// What the paths would collide with, the blocking ones first, by lane. A lane's own holds never count, nor
/// do those of lanes that were overridden for this prompt.
pub fn check(
    lane: LaneId,
    paths: &[Pattern],
    holds: &Holds<'_>,
    overridden: &[LaneId],
    at_rest: AtRest,
) -> Vec<Overlap> {
    let mut found: BTreeMap<(bool, LaneId), (BTreeSet<String>, BTreeSet<Cause>)> = BTreeMap::new();
    for wanted in paths {
        let mut met: BTreeMap<(bool, LaneId), BTreeSet<String>> = BTreeMap::new();
        // One more than is told, so that it is known when there are more.
        for held in holds.meeting(lane, wanted, MOST + 1) {
            if overridden.contains(&held.lane) {
                continue;
            }
            let live = held.cause != Cause::Unmerged || at_rest == AtRest::Block;
            met.entry((!live, held.lane)).or_default().insert(narrower(wanted, &held));
            found.entry((!live, held.lane)).or_default().1.insert(held.cause);
        }
        for (which, mut files) in met {
            if files.len() > MOST {
                // So many are told best by what was asked for.
                files = BTreeSet::from([wanted.as_str().to_owned()]);
            }
            found.entry(which).or_default().0.append(&mut files);
        }
    }
    let overlap = |((warns, with), (paths, causes)): ((bool, LaneId), (BTreeSet<String>, BTreeSet<Cause>))| Overlap {
        with,
        paths: paths.into_iter().collect(),
        cause: causes.into_iter().map(Cause::words).collect::<Vec<_>>().join(", "),
        live: !warns,
    };
    found.into_iter().map(overlap).collect()
}

/// The path to show: the file that is held, when more than that one file was asked for.
fn narrower(wanted: &Pattern, held: &Held<'_>) -> String {
    let asked = wanted.as_str();
    if held.file && (!wanted.is_plain() || held.what.len() > asked.len()) {
        held.what.to_owned()
    } else {
        asked.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::coordination::{Fold, PathSet};
    use crate::domain::{Reservation, ReservationId};

    fn reserved(lane: i64, pattern: &str, shared: bool) -> Reservation {
        let created = Timestamp::UNIX_EPOCH;
        let (id, lane, pattern) = (ReservationId(1), LaneId(lane), pattern.to_owned());
        Reservation { id, lane, pattern, shared, created, reason: None, issue: None, lease: None }
    }

    fn wanted(texts: &[&str]) -> Vec<Pattern> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn lines(overlaps: &[Overlap]) -> Vec<String> {
        let line = |o: &Overlap| {
            format!("{} {} {} ({})", if o.live { "blocks" } else { "warns" }, o.with, o.paths.join(" "), o.cause)
        };
        overlaps.iter().map(line).collect()
    }

    #[test]
    fn directory_glob_and_own_holds_are_told_apart() {
        let all = [reserved(1, "src/", false), reserved(2, "lib/*.rs", false)];
        let holds = Holds::new(&all, Fold::default());
        let meet = |lane, texts: &[&str]| lines(&check(LaneId(lane), &wanted(texts), &holds, &[], AtRest::Warn));
        assert_eq!(meet(9, &["src/a/b.rs"]), ["blocks l1 src/a/b.rs (reserved)"]);
        assert_eq!(meet(9, &["lib/a*"]), ["blocks l2 lib/a* (reserved)"]);
        assert_eq!(meet(1, &["src/a/b.rs"]), Vec::<String>::new());
        assert_eq!(meet(2, &["src/x", "lib/a.rs"]), ["blocks l1 src/x (reserved)"]);
        assert_eq!(meet(9, &["docs/a.md"]), Vec::<String>::new());
    }

    #[test]
    fn a_running_turns_writes_block_and_changes_at_rest_warn() {
        let written = BTreeSet::from(["src/login.rs".to_owned()]);
        let rest = PathSet::new(["src/login.rs", "src/b.rs"], Fold::default());
        let holds = Holds::default().written(LaneId(1), &written).unmerged(LaneId(2), &rest);
        let paths = wanted(&["src/"]);
        assert_eq!(
            lines(&check(LaneId(3), &paths, &holds, &[], AtRest::Warn)),
            [
                "blocks l1 src/login.rs (written by its running turn)",
                "warns l2 src/b.rs src/login.rs (changed and not merged)"
            ]
        );
        assert!(check(LaneId(3), &paths, &holds, &[], AtRest::Block).iter().all(|overlap| overlap.live));
        let once = check(LaneId(3), &paths, &holds, &[LaneId(1)], AtRest::Warn);
        assert_eq!((once.len(), once[0].with), (1, LaneId(2)), "an override counts for its lane only");
    }

    #[test]
    fn more_files_than_anyone_reads_are_told_by_what_was_asked_for() {
        let rest = PathSet::new(
            (0..60).map(|n| format!("src/f{n}.rs")).collect::<Vec<_>>().iter().map(String::as_str),
            Fold::default(),
        );
        let holds = Holds::default().unmerged(LaneId(1), &rest);
        let met = |texts: &[&str]| lines(&check(LaneId(2), &wanted(texts), &holds, &[], AtRest::Warn));
        assert_eq!(met(&["src/", "src/f1.rs"]), ["warns l1 src/ src/f1.rs (changed and not merged)"]);
        assert_eq!(check(LaneId(2), &wanted(&["src/f1*.rs"]), &holds, &[], AtRest::Warn)[0].paths.len(), 11);
    }

    #[test]
    fn one_lane_with_several_causes_is_one_overlap() {
        let all = [reserved(1, "src/", false)];
        let written = BTreeSet::from(["src/a.rs".to_owned()]);
        let holds = Holds::new(&all, Fold::default()).written(LaneId(1), &written);
        let found = check(LaneId(2), &wanted(&["src/a.rs", "src/b.rs"]), &holds, &[], AtRest::Warn);
        assert_eq!(lines(&found), ["blocks l1 src/a.rs src/b.rs (reserved, written by its running turn)"]);
    }
}
