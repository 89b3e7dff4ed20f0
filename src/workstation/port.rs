//! A turn's port: records and questions go to the loop and wait for its answer; streamed text does not.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::app::{Msg, TurnMsg, TurnToken};
use crate::domain::{
    CallId, CallRequest, FactScope, LaneId, PortFuture, SpendAsk, SpendEnd, SpendId, TurnPort, TurnRecord, Verdict,
};

use super::feeds::Feeds;
use super::tokens::{Tokens, TurnAnswer};

/// The answer to whoever asks while the workstation ends.
pub(super) const ENDING: &str = "the workstation is ending";

/// The port of one lane's turn.
pub(super) struct LanePort {
    pub lane: LaneId,
    pub messages: mpsc::Sender<Msg>,
    pub tokens: Arc<Tokens>,
    pub feeds: Arc<Feeds>,
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
        // Text that was streamed before must not come after.
        for streamed in self.feeds.take(self.lane) {
            self.messages.send(Msg::Turn(self.lane, streamed)).await.ok()?;
        }
        let (token, answer) = self.tokens.issue();
        let _issued = Issued { tokens: &self.tokens, token };
        self.messages.send(Msg::Turn(self.lane, message(token))).await.ok()?;
        answer.await.ok()
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

    fn reserve(&self, ask: SpendAsk) -> PortFuture<'_, Result<SpendId, String>> {
        Box::pin(async move {
            match self.ask(|token| TurnMsg::Reserve(token, ask)).await {
                Some(TurnAnswer::Reserved(result)) => result,
                _ => Err(ENDING.to_owned()),
            }
        })
    }

    fn settle(&self, spend: SpendId, end: SpendEnd) -> PortFuture<'_, ()> {
        Box::pin(async move {
            // When the loop is gone the reservation stays counted.
            let _ = self.messages.send(Msg::Turn(self.lane, TurnMsg::Settle(spend, end))).await;
        })
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
