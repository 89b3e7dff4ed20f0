//! A turn's port: records and questions go to the loop and wait for its answer; streamed text does not.

use std::sync::{Arc, Mutex};

use tokio::sync::mpsc;

use crate::app::{Msg, TurnMsg, TurnToken};
use crate::base::lock;
use crate::domain::{
    CallId, CallRequest, FactScope, LaneId, PortFuture, SpendAsk, SpendEnd, SpendId, TurnPort, TurnRecord, Verdict,
};

use super::feeds::Feeds;
use super::tokens::{Tokens, TurnAnswer};

/// Messages that are told in one go: fewer than the loop's channel holds, more than ever gather.
const TOGETHER: usize = 64;

/// The answer to whoever asks while the workstation ends.
pub(super) const ENDING: &str = "the workstation is ending";

/// The port of one lane's turn.
pub(super) struct LanePort {
    pub lane: LaneId,
    pub messages: mpsc::Sender<Msg>,
    pub tokens: Arc<Tokens>,
    pub feeds: Arc<Feeds>,
    /// Model calls that are over: told with what is told next.
    pub settled: Mutex<Vec<(SpendId, SpendEnd)>>,
}

/// Forgets the token when the waiting turn is dropped.
struct Issued<'a> {
    tokens: &'a Tokens,
    token: TurnToken,
}

impl Drop for Issued<'_> {
    fn drop(&mut self) {
        self.tokens.forget(self.token);
    }
}

impl LanePort {
    async fn ask(&self, message: impl FnOnce(TurnToken) -> TurnMsg + Send) -> Option<TurnAnswer> {
        let (token, answer) = self.tokens.issue();
        let _issued = Issued { tokens: &self.tokens, token };
        self.tell(Some(message(token))).await?;
        answer.await.ok()
    }

    /// Tells the loop what has gathered here, and this behind it: in one go, so that it is kept in one. None when the
    /// loop is gone.
    async fn tell(&self, message: Option<TurnMsg>) -> Option<()> {
        // Text that was streamed before must not come after.
        let mut all = self.feeds.take(self.lane);
        let settled = std::mem::take(&mut *lock(&self.settled));
        all.extend(settled.into_iter().map(|(spend, end)| TurnMsg::Settle(spend, end)));
        all.extend(message);
        let mut all = all.into_iter();
        while all.len() > 0 {
            let room = self.messages.reserve_many(all.len().min(TOGETHER)).await.ok()?;
            for (place, message) in room.zip(all.by_ref()) {
                place.send(Msg::Turn(self.lane, message));
            }
        }
        Some(())
    }

    /// Tells what has gathered here. To be called when nothing else is told.
    pub async fn flush(&self) {
        // When the loop is gone, reservations stay counted.
        let _ = self.tell(None).await;
    }
}

impl TurnPort for LanePort {
    fn record(&self, record: TurnRecord) -> PortFuture<'_, Result<(), String>> {
        Box::pin(async move {
            match self.ask(|token| TurnMsg::Record(token, record)).await {
                Some(TurnAnswer::Recorded(result)) => result,
                _ => Err(ENDING.to_owned()),
            }
        })
    }

    fn record_last(&self, record: TurnRecord, answer: &str) -> PortFuture<'_, Result<(), String>> {
        let answer = answer.to_owned();
        Box::pin(async move {
            match self.ask(|token| TurnMsg::Last(token, record, answer)).await {
                Some(TurnAnswer::Recorded(result)) => result,
                _ => Err(ENDING.to_owned()),
            }
        })
    }

    fn reserve(&self, ask: SpendAsk) -> PortFuture<'_, Result<SpendId, String>> {
        Box::pin(async move {
            match self.ask(|token| TurnMsg::Reserve(token, ask)).await {
                Some(TurnAnswer::Reserved(result)) => result,
                _ => Err(ENDING.to_owned()),
            }
        })
    }

    fn settle(&self, spend: SpendId, end: SpendEnd) -> PortFuture<'_, ()> {
        lock(&self.settled).push((spend, end));
        Box::pin(self.flush())
    }

    fn settle_with_next(&self, spend: SpendId, end: SpendEnd) -> PortFuture<'_, ()> {
        lock(&self.settled).push((spend, end));
        Box::pin(std::future::ready(()))
    }

    fn remember(&self, scope: FactScope, text: String) -> PortFuture<'_, Result<String, String>> {
        Box::pin(async move {
            match self.ask(|token| TurnMsg::Remember(token, scope, text)).await {
                Some(TurnAnswer::Remembered(result)) => result,
                _ => Err(ENDING.to_owned()),
            }
        })
    }

    fn permit(&self, request: CallRequest) -> PortFuture<'_, Verdict> {
        Box::pin(async move {
            match self.ask(|token| TurnMsg::Permit(token, request)).await {
                Some(TurnAnswer::Permitted(verdict)) => verdict,
                _ => Verdict::Deny { reason: ENDING.to_owned() },
            }
        })
    }

    fn answer_delta(&self, text: &str) {
        self.feeds.answer(self.lane, text);
    }

    fn reasoning_delta(&self, text: &str) {
        self.feeds.reasoning(self.lane, text);
    }

    fn output_delta(&self, call: &CallId, text: &str) {
        self.feeds.output(self.lane, call, text);
    }

    fn phase(&self, words: &str) {
        self.feeds.phase(self.lane, words);
    }
}
