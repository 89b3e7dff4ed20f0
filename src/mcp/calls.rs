//! Calls under way over HTTP, so that a client can take one back: each request there stands for itself, and the
//! protocol's library knows of no other one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rmcp::model::RequestId;
use tokio_util::sync::CancellationToken;

use crate::base::lock;
use crate::domain::LaneId;

/// What names a call: clients number theirs, and a lane may have several clients.
type Name = (LaneId, RequestId);

/// The calls under way, by lane and id.
#[derive(Clone, Default)]
pub(super) struct Calls(Arc<Mutex<HashMap<Name, Vec<CancellationToken>>>>);

/// A call under way. It is one no more when this is dropped.
pub(super) struct Call {
    calls: Calls,
    name: Name,
    taken_back: CancellationToken,
}

impl Calls {
    /// A call begins.
    pub fn begin(&self, lane: LaneId, id: RequestId) -> Call {
        let (name, taken_back) = ((lane, id), CancellationToken::new());
        lock(&self.0).entry(name.clone()).or_default().push(taken_back.clone());
        Call { calls: self.clone(), name, taken_back }
    }

    /// A client of the lane takes a call back. Where two of its clients have given one number, it is not known whose
    /// is meant: both go on.
    pub fn take_back(&self, lane: LaneId, id: RequestId) {
        if let Some([call]) = lock(&self.0).get(&(lane, id)).map(Vec::as_slice) {
            call.cancel();
        }
    }

    #[cfg(test)]
    pub fn count(&self) -> usize {
        lock(&self.0).values().map(Vec::len).sum()
    }
}

impl Call {
    /// Ends when the call is taken back.
    pub async fn taken_back(&self) {
        self.taken_back.cancelled().await;
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        // What is marked so is nobody else's.
        self.taken_back.cancel();
        let mut calls = lock(&self.calls.0);
        if let Some(same) = calls.get_mut(&self.name) {
            same.retain(|call| !call.is_cancelled());
            if same.is_empty() {
                calls.remove(&self.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_call_that_is_meant_is_taken_back() {
        let calls = Calls::default();
        let (lane, other, id) = (LaneId(1), LaneId(2), || RequestId::Number(7));
        let (own, foreign) = (calls.begin(lane, id()), calls.begin(other, id()));
        calls.take_back(lane, RequestId::Number(8));
        calls.take_back(lane, RequestId::String("7".into()));
        assert!(!own.taken_back.is_cancelled() && !foreign.taken_back.is_cancelled());
        calls.take_back(lane, id());
        assert!(own.taken_back.is_cancelled() && !foreign.taken_back.is_cancelled());
        drop((own, foreign));
        assert_eq!(calls.count(), 0);
    }

    #[test]
    fn of_two_of_one_number_none_is_taken_back_until_one_is_over() {
        let calls = Calls::default();
        let id = || RequestId::Number(1);
        let (one, two) = (calls.begin(LaneId(1), id()), calls.begin(LaneId(1), id()));
        calls.take_back(LaneId(1), id());
        assert!(!one.taken_back.is_cancelled() && !two.taken_back.is_cancelled());
        drop(one);
        calls.take_back(LaneId(1), id());
        assert!(two.taken_back.is_cancelled());
    }
}
