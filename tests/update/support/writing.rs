//! A compaction of a lane at rest: one counted model call, then notes for the whole conversation. A last prompt with the
//! word `hang` makes it wait until it is cancelled.

use paralane::app::{CompactStart, LaneMsg, Msg, TurnMsg, TurnToken};
use paralane::base::Report;
use paralane::domain::{Compaction, EntryBody, LaneId, Notes, SpendAsk, SpendEnd, SpendId, UpTo, Usage};

use super::turn::Told;

#[derive(Debug, Clone)]
enum Phase {
    Begun,
    Reserving(TurnToken),
    Called(SpendId),
    Hanging(SpendId),
    Ready(Result<Option<String>, Report>),
    Over,
}

#[derive(Debug)]
pub struct Writing {
    lane: LaneId,
    start: CompactStart,
    phase: Phase,
    cancelled: bool,
}

impl Writing {
    pub fn new(lane: LaneId, start: &CompactStart) -> Self {
        Self { lane, start: start.clone(), phase: Phase::Begun, cancelled: false }
    }

    fn cancelled() -> Report {
        Report::refused("the compaction was cancelled; nothing has changed")
    }

    pub fn advance(&mut self, token: TurnToken) -> Told {
        let settle = |spend, end| Told::Msg(Msg::Turn(self.lane, TurnMsg::Settle(spend, end)));
        match self.phase.clone() {
            Phase::Over | Phase::Reserving(_) => Told::Nothing,
            Phase::Hanging(spend) if self.cancelled => {
                self.phase = Phase::Ready(Err(Self::cancelled()));
                settle(spend, SpendEnd::Nothing)
            }
            Phase::Hanging(_) => Told::Nothing,
            Phase::Begun if self.cancelled => {
                self.phase = Phase::Ready(Err(Self::cancelled()));
                self.advance(token)
            }
            Phase::Begun => {
                self.phase = Phase::Reserving(token);
                let ask = SpendAsk { provider: "local".into(), model: "m".into(), input: 8, output: 2 };
                Told::Msg(Msg::Turn(self.lane, TurnMsg::Reserve(token, ask)))
            }
            Phase::Called(spend) => {
                self.phase = Phase::Ready(if self.cancelled { Err(Self::cancelled()) } else { Ok(None) });
                settle(spend, SpendEnd::Used(Usage { input: 5, output: 1, ..Usage::default() }))
            }
            Phase::Ready(result) => {
                self.phase = Phase::Over;
                let made = |without_model: Option<String>| {
                    let said = self.start.entries.iter().filter(|e| matches!(e.body, EntryBody::Prompt { .. })).count();
                    let goal = format!("{said} prompts; {}", self.start.focus.clone().unwrap_or_default());
                    Box::new(Compaction {
                        upto: UpTo::Entry(self.start.entries.last().unwrap().seq),
                        notes: Notes { goal, ..Notes::default() },
                        cause: self.start.cause,
                        without_model,
                        before: 900,
                        after: 100,
                    })
                };
                Told::Msg(Msg::Lane(self.lane, LaneMsg::Compacted(result.map(made))))
            }
        }
    }

    pub fn reserved(&mut self, token: TurnToken, result: &Result<SpendId, String>) -> bool {
        if !matches!(&self.phase, Phase::Reserving(waits) if *waits == token) {
            return false;
        }
        let last = self.start.entries.iter().rev().find_map(|e| match &e.body {
            EntryBody::Prompt { text } => Some(text.as_str()),
            _ => None,
        });
        self.phase = match result {
            Ok(spend) if last.is_some_and(|text| text.split(' ').any(|word| word == "hang")) => Phase::Hanging(*spend),
            Ok(spend) => Phase::Called(*spend),
            Err(_) if self.cancelled => Phase::Ready(Err(Self::cancelled())),
            Err(words) => Phase::Ready(Ok(Some(words.clone()))),
        };
        true
    }

    pub fn cancel(&mut self) {
        self.cancelled = true;
    }
}
