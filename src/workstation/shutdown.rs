//! The end, in order: sessions end and their last words are kept, then windows and commands hear theirs, then
//! the store closes.
//!
//! A turn that is ended here is cut, not cancelled: its prompt stays as it is in the store, and the next start
//! shows it as interrupted, or goes on where it only waited for a decision. What has really happened is kept:
//! results of calls that had begun, the beginning of an answer, finished turns, set-ups and closings.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::control::Control;
use super::engine::{Ending, Engine};
use super::port::ENDING;
use super::tokens::TurnAnswer;
use crate::app::{Effect, LaneMsg, Msg, TurnMsg, TurnToken};
use crate::domain::{CallState, LaneId, TurnOutcome, TurnRecord, Verdict};

/// How long sessions may take to end and the store to keep what they said. Programs get two seconds to end by
/// themselves and are killed then.
const END: Duration = Duration::from_secs(8);

/// What still happens while the workstation ends: things are kept, and whoever waits is answered.
pub(super) const fn still_happens(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Commit { .. }
            | Effect::Recorded(..)
            | Effect::Permitted(..)
            | Effect::Reserved(..)
            | Effect::Remembered(..)
            | Effect::Reply(..)
            | Effect::EndWindow(..)
            | Effect::Shutdown
    )
}

impl Engine {
    /// Ends everything in order.
    pub(super) async fn end(mut self, control: Control) -> anyhow::Result<()> {
        control.close();
        self.shared.ending.cancel();
        // A turn of a paused lane waits for an answer that would never come.
        self.shared.tokens.end();
        let actors = std::mem::take(&mut self.actors);
        let sessions = async move {
            for actor in actors.into_values() {
                actor.ended().await;
            }
        };
        tokio::pin!(sessions);
        let deadline = Instant::now() + END;
        let mut sessions_ended = false;
        loop {
            self.keep();
            let failing = self.commits.failing();
            if sessions_ended && self.inbox.messages.is_empty() && self.commits.settled() {
                break;
            }
            tokio::select! {
                biased;
                Some(answer) = self.inbox.answers.recv() => self.on_answer(answer),
                Some(msg) = self.inbox.messages.recv(), if !failing => self.last_word(msg),
                () = &mut sessions, if !sessions_ended => sessions_ended = true,
                () = sleep_until(deadline) => break,
            }
        }
        self.screens.clear();
        self.replies.clear();
        // Nobody takes what clients still send; the writer must not wait for the loop either.
        let Self { inbox, commits, ending, shared, .. } = self;
        drop(inbox);
        control.farewell().await;
        shared.memories.close();
        let closed = commits.close();
        match ending {
            Some(Ending::Fault(report)) => Err(report.into()),
            Some(Ending::InOrder) | None => closed.map_err(Into::into),
        }
    }

    /// A message of something that ends.
    fn last_word(&mut self, msg: Msg) {
        match msg {
            Msg::Turn(lane, TurnMsg::Record(token, record) | TurnMsg::Last(token, record, _)) => {
                self.last_record(lane, token, record);
            }
            Msg::Turn(_, TurnMsg::Permit(token, _)) => {
                let verdict = Verdict::Deny { reason: ENDING.to_owned() };
                self.shared.tokens.answer(token, TurnAnswer::Permitted(verdict));
            }
            Msg::Turn(_, TurnMsg::Reserve(token, _)) => {
                self.shared.tokens.answer(token, TurnAnswer::Reserved(Err(ENDING.to_owned())));
            }
            // What was allowed is kept after the next start: the call has not begun.
            Msg::Turn(_, TurnMsg::Remember(token, ..)) => {
                self.shared.tokens.answer(token, TurnAnswer::Remembered(Err(ENDING.to_owned())));
            }
            Msg::UserFact(..) => self.handle(msg),
            Msg::Turn(_, TurnMsg::Ended(_, TurnOutcome::Done { .. }) | TurnMsg::Settle(..))
            | Msg::Lane(
                _,
                LaneMsg::SetUpLine(_)
                | LaneMsg::Planned(_)
                | LaneMsg::SetUp
                | LaneMsg::SetUpFailed(_)
                | LaneMsg::Closed { .. }
                | LaneMsg::CloseRefused(_)
                | LaneMsg::Said(..)
                | LaneMsg::ShellDone { .. },
            ) => self.handle(msg),
            // Ends of programs and cut turns are told by the next start; the rest was for windows.
            _ => {}
        }
    }

    fn last_record(&mut self, lane: LaneId, token: TurnToken, record: TurnRecord) {
        let begun = |call| self.state.model.calls.get(&(lane, call)) == Some(&CallState::Started);
        let result = match &record {
            TurnRecord::CallFinished { call, .. } | TurnRecord::Child { finished: Some(call), .. }
                if begun(call.clone()) =>
            {
                self.handle(Msg::Turn(lane, TurnMsg::Record(token, record)));
                Ok(())
            }
            TurnRecord::Step { cut: true, .. } | TurnRecord::Withheld => {
                self.handle(Msg::Turn(lane, TurnMsg::Record(token, record)));
                Ok(())
            }
            // A call that never began is still to be decided after the next start.
            TurnRecord::CallFinished { .. } | TurnRecord::Child { .. } => Ok(()),
            TurnRecord::Step { .. }
            | TurnRecord::Notice { .. }
            | TurnRecord::Told { .. }
            | TurnRecord::CallStarted(_)
            | TurnRecord::Compacted(_)
            | TurnRecord::Checkpoint(_) => Err(ENDING.to_owned()),
        };
        // At once, also where the answer would wait for the lane to be resumed: nothing follows that could
        // have an effect, and what was handed over is kept before the end.
        self.shared.tokens.answer(token, TurnAnswer::Recorded(result));
    }
}
