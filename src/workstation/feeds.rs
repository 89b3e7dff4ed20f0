//! What running turns stream, gathered between two frames so that text never fills a queue.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::bell::Bell;
use crate::app::TurnMsg;
use crate::base::lock;
use crate::domain::{CallId, LaneId};

/// Streamed text of one lane that the loop has not seen yet.
#[derive(Debug, Default)]
struct Pending {
    answer: String,
    reasoning: String,
    output: BTreeMap<CallId, String>,
    phase: Option<String>,
}

/// Streamed text of all lanes.
#[derive(Debug, Default)]
pub(super) struct Feeds {
    pending: Mutex<BTreeMap<LaneId, Pending>>,
    /// Rung when there is something to take.
    pub bell: Bell,
}

/// Output of one call gathered between two looks, in bytes; the newest part is kept.
const OUTPUT_CAP: usize = 64 * 1024;

impl Feeds {
    pub fn answer(&self, lane: LaneId, text: &str) {
        self.with(lane, |p| p.answer.push_str(text));
    }

    pub fn reasoning(&self, lane: LaneId, text: &str) {
        self.with(lane, |p| p.reasoning.push_str(text));
    }

    pub fn output(&self, lane: LaneId, call: &CallId, text: &str) {
        self.with(lane, |p| {
            let output = p.output.entry(call.clone()).or_default();
            output.push_str(text);
            if output.len() > 2 * OUTPUT_CAP {
                let mut cut = output.len() - OUTPUT_CAP;
                while !output.is_char_boundary(cut) {
                    cut += 1;
                }
                output.drain(..cut);
            }
        });
    }

    pub fn phase(&self, lane: LaneId, words: &str) {
        self.with(lane, |p| p.phase = Some(words.to_owned()));
    }

    /// Takes everything of one lane, as messages in a sensible order.
    pub fn take(&self, lane: LaneId) -> Vec<TurnMsg> {
        self.lock().remove(&lane).map(messages).unwrap_or_default()
    }

    /// Takes everything of every lane.
    pub fn take_all(&self) -> Vec<(LaneId, TurnMsg)> {
        let pending = std::mem::take(&mut *self.lock());
        pending.into_iter().flat_map(|(lane, p)| messages(p).into_iter().map(move |m| (lane, m))).collect()
    }

    fn with(&self, lane: LaneId, change: impl FnOnce(&mut Pending)) {
        change(self.lock().entry(lane).or_default());
        self.bell.ring();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<LaneId, Pending>> {
        lock(&self.pending)
    }
}

fn messages(pending: Pending) -> Vec<TurnMsg> {
    let mut out = Vec::new();
    if !pending.reasoning.is_empty() {
        out.push(TurnMsg::Reasoning(pending.reasoning));
    }
    if !pending.answer.is_empty() {
        out.push(TurnMsg::Answer(pending.answer));
    }
    out.extend(pending.output.into_iter().map(|(call, text)| TurnMsg::Output(call, text)));
    out.extend(pending.phase.map(TurnMsg::Phase));
    out
}
