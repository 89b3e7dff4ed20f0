//! What is typed into a pane whose program is about to start: kept, and typed once it runs.

use std::collections::{BTreeMap, VecDeque};

use crate::app::PaneOrder;
use crate::domain::LaneId;

/// Keys and pieces of pastes that one lane keeps: more than anyone types blindly.
const KEPT: usize = 256;

/// Of all lanes.
#[derive(Debug, Default)]
pub(super) struct Typeahead(BTreeMap<LaneId, VecDeque<PaneOrder>>);

impl Typeahead {
    /// Keeps an order for when the program runs. False when that is no typing, or too much is kept already.
    pub fn keep(&mut self, lane: LaneId, order: PaneOrder) -> bool {
        let kept = self.0.entry(lane).or_default();
        let fits = matches!(order, PaneOrder::Key(_) | PaneOrder::Paste { .. }) && kept.len() < KEPT;
        if fits {
            kept.push_back(order);
        }
        fits
    }

    /// Takes what was kept, in order.
    pub fn take(&mut self, lane: LaneId) -> VecDeque<PaneOrder> {
        self.0.remove(&lane).unwrap_or_default()
    }
}
