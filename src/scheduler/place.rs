//! Moving a prompt within its queue: which positions change.

use crate::domain::PromptId;

/// Distance between positions after a renumbering: room for moves in between.
const STEP: i64 = 1 << 10;

/// Where a prompt goes among those of its lane and priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// Before all.
    First,
    /// After all.
    Last,
    /// One place earlier.
    Up,
    /// One place later.
    Down,
    /// Right before this one.
    Before(PromptId),
}

/// The positions that change so that `moved` stands at the spot. `queue` holds the prompts of one lane and
/// priority with their positions; `moved` may come from elsewhere. None when `Before` names one that is not
/// in the queue or is the moved one itself. Empty when it stands there already.
pub fn place(queue: &[(PromptId, i64)], moved: PromptId, spot: Spot) -> Option<Vec<(PromptId, i64)>> {
    let mut order = queue.to_vec();
    order.sort_by_key(|&(id, position)| (position, id));
    let from = order.iter().position(|&(id, _)| id == moved);
    let old = from.map(|at| order.remove(at).1);
    let to = match spot {
        Spot::First => 0,
        Spot::Last => order.len(),
        Spot::Up => from.unwrap_or(order.len()).saturating_sub(1),
        Spot::Down => (from.unwrap_or(order.len()) + 1).min(order.len()),
        Spot::Before(other) => order.iter().position(|&(id, _)| id == other)?,
    };
    if from == Some(to) {
        return Some(Vec::new());
    }
    let before = to.checked_sub(1).map(|at| order[at].1);
    let after = order.get(to).map(|&(_, position)| position);
    let position = match (before, after) {
        (None, None) => Some(old.unwrap_or(STEP)),
        (None, Some(after)) => after.checked_sub(STEP),
        (Some(before), None) => before.checked_add(STEP),
        (Some(before), Some(after)) => {
            let middle = before.midpoint(after);
            (before < middle && middle < after).then_some(middle)
        }
    };
    if let Some(position) = position {
        return Some(vec![(moved, position)]);
    }
    order.insert(to, (moved, i64::MIN));
    let fresh = (1..).map(|n: i64| n * STEP);
    Some(order.iter().zip(fresh).filter(|((_, old), new)| old != new).map(|(&(id, _), new)| (id, new)).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn after(queue: &[(PromptId, i64)], changes: &[(PromptId, i64)]) -> Vec<i64> {
        let mut all: std::collections::BTreeMap<PromptId, i64> = queue.iter().copied().collect();
        all.extend(changes.iter().copied());
        let mut order: Vec<_> = all.into_iter().map(|(id, position)| (position, id.0)).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, id)| id).collect()
    }

    fn moved(id: i64, spot: Spot) -> Vec<i64> {
        let queue: Vec<_> = (1..=4).map(|n| (PromptId(n), n)).collect();
        after(&queue, &place(&queue, PromptId(id), spot).unwrap())
    }

    #[test]
    fn each_spot_is_reached() {
        assert_eq!(moved(3, Spot::First), [3, 1, 2, 4]);
        assert_eq!(moved(1, Spot::Last), [2, 3, 4, 1]);
        assert_eq!(moved(3, Spot::Up), [1, 3, 2, 4]);
        assert_eq!(moved(3, Spot::Down), [1, 2, 4, 3]);
        assert_eq!(moved(1, Spot::Up), [1, 2, 3, 4]);
        assert_eq!(moved(4, Spot::Down), [1, 2, 3, 4]);
        assert_eq!(moved(4, Spot::Before(PromptId(2))), [1, 4, 2, 3]);
        assert_eq!(moved(9, Spot::Before(PromptId(2))), [1, 9, 2, 3, 4]);
        assert_eq!(place(&[(PromptId(1), 1)], PromptId(1), Spot::Before(PromptId(1))), None);
        assert_eq!(place(&[], PromptId(1), Spot::Before(PromptId(2))), None);
    }

    proptest! {
        #[test]
        fn moving_keeps_everyone_elses_order(
            positions in prop::collection::vec(prop_oneof![Just(i64::MIN), Just(i64::MAX), -3i64..3], 1..6),
            who in 0usize..7, other in 0usize..6, kind in 0u8..5,
        ) {
            let queue: Vec<_> = (1..).zip(positions).map(|(n, p)| (PromptId(n), p)).collect();
            let who = PromptId(who as i64 + 1);
            let spot = [Spot::First, Spot::Last, Spot::Up, Spot::Down, Spot::Before(PromptId(other as i64 + 1))][kind as usize];
            let before = after(&queue, &[]);
            if let Some(changes) = place(&queue, who, spot) {
                let now = after(&queue, &changes);
                let others = |order: &[i64]| order.iter().copied().filter(|id| *id != who.0).collect::<Vec<_>>();
                prop_assert_eq!(others(&before), others(&now));
                let at = now.iter().position(|id| *id == who.0);
                match spot {
                    Spot::First => prop_assert_eq!(at, Some(0)),
                    Spot::Last => prop_assert_eq!(at, Some(now.len() - 1)),
                    Spot::Before(other) => prop_assert_eq!(now.get(at.unwrap() + 1), Some(&other.0)),
                    Spot::Up | Spot::Down => {}
                }
            }
        }
    }
}
