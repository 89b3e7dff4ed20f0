//! Prompts: one instruction for one lane, with a durable state from the moment Enter is pressed.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{IllegalTransition, IssueId, LaneId, PromptId};

/// How urgent a prompt is within its lane and among lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Priority {
    /// Before all others.
    High,
    /// The default.
    #[default]
    Normal,
    /// After all others.
    Low,
}

impl Priority {
    /// The word people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Normal => "normal",
            Self::Low => "low",
        }
    }
}

/// What a held prompt is held until.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hold {
    /// A moment.
    At(Timestamp),
    /// The end of another prompt, however it ends.
    After(PromptId),
    /// Nobody owns this issue.
    Released(IssueId),
    /// A moment, and the same prompt again after each period.
    Every {
        /// The moment.
        next: Timestamp,
        /// The period in seconds.
        seconds: u32,
        /// The one before: as long as it has not ended, no other begins.
        last: Option<PromptId>,
    },
}

impl Hold {
    /// The moment, if it is held until one.
    #[must_use]
    pub const fn moment(self) -> Option<Timestamp> {
        match self {
            Self::At(moment) | Self::Every { next: moment, .. } => Some(moment),
            Self::After(_) | Self::Released(_) => None,
        }
    }

    /// The prompt whose end it waits for.
    #[must_use]
    pub const fn other(self) -> Option<PromptId> {
        match self {
            Self::After(other) => Some(other),
            Self::At(_) | Self::Released(_) | Self::Every { .. } => None,
        }
    }

    /// The issue whose release it waits for.
    #[must_use]
    pub const fn issue(self) -> Option<IssueId> {
        match self {
            Self::Released(issue) => Some(issue),
            Self::At(_) | Self::After(_) | Self::Every { .. } => None,
        }
    }
}

/// The next moment of a series that is not over at `now`. What was missed is left out.
#[must_use]
pub fn next_in_series(moment: Timestamp, seconds: u32, now: Timestamp) -> Timestamp {
    let period = i64::from(seconds.max(1));
    let missed = (now.as_second() - moment.as_second()).max(0) / period;
    let ahead = SignedDuration::from_secs(period.saturating_mul(missed.saturating_add(1)));
    moment.checked_add(ahead).unwrap_or(Timestamp::MAX)
}

/// Where a prompt stands (design §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromptState {
    /// Kept back until a time or another prompt's end.
    Held,
    /// In its lane's queue.
    Queued,
    /// Admitted; being compared with other lanes' holds.
    Preflight,
    /// Preflight met a live hold; the person decides or the hold ends.
    Blocked,
    /// Its turn is running.
    Running,
    /// Its turn waits for an approval or for another lane's hold.
    Waiting,
    /// Halted by the person at a safe point; keeps everything.
    Paused,
    /// Cut by a crash; offered for retry, never re-run by itself.
    Interrupted,
    /// Given to a pane without proof that it was taken.
    Unconfirmed,
    /// Its turn ended well.
    Done,
    /// Its turn ended with an error.
    Failed,
    /// Ended by the person.
    Cancelled,
}

/// What can happen to a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PromptEvent {
    /// The time came or the other prompt ended.
    Release,
    /// The scheduler chose it.
    Admit,
    /// Preflight met a live hold.
    Block,
    /// The hold ended or was overridden: back to the front of the queue.
    Unblock,
    /// The turn started.
    Start,
    /// The turn waits for a person or a hold.
    Await,
    /// What the turn waited for has come.
    Proceed,
    /// The person paused it.
    Pause,
    /// The person resumed it: it is queued again and its turn goes on.
    Resume,
    /// The workstation died while it ran.
    Interrupt,
    /// A pane was given the text but showed no evidence.
    Doubt,
    /// The turn ended well.
    Finish,
    /// The turn ended with an error.
    Fail,
    /// The person cancelled it.
    Cancel,
    /// The person asked to run it again.
    Retry,
}

impl PromptState {
    /// The one transition function.
    ///
    /// # Errors
    /// [`IllegalTransition`] when the event does not fit the state; nothing may change then.
    pub fn next(self, event: PromptEvent) -> Result<Self, IllegalTransition> {
        use PromptEvent as E;
        use PromptState as S;
        Ok(match (self, event) {
            (S::Held, E::Release)
            | (S::Blocked, E::Unblock)
            | (S::Paused, E::Resume)
            | (S::Interrupted | S::Unconfirmed | S::Failed | S::Cancelled, E::Retry) => S::Queued,
            (S::Queued, E::Admit) => S::Preflight,
            (S::Preflight, E::Block) => S::Blocked,
            (S::Preflight, E::Start) | (S::Waiting, E::Proceed) => S::Running,
            (S::Running, E::Await) => S::Waiting,
            (S::Held | S::Queued | S::Blocked | S::Running | S::Waiting, E::Pause) => S::Paused,
            (S::Preflight | S::Running | S::Waiting, E::Interrupt) => S::Interrupted,
            (S::Running, E::Doubt) => S::Unconfirmed,
            (S::Running | S::Waiting | S::Unconfirmed, E::Finish) => S::Done,
            (S::Held | S::Queued | S::Preflight | S::Blocked | S::Running | S::Waiting | S::Paused, E::Fail) => {
                S::Failed
            }
            (s, E::Cancel) if !s.ended() => S::Cancelled,
            (from, event) => {
                return Err(IllegalTransition {
                    what: "prompt",
                    from: from.word().to_owned(),
                    event: format!("{event:?}").to_lowercase(),
                });
            }
        })
    }

    /// Whether nothing more happens to it unless the person retries.
    #[must_use]
    pub const fn ended(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }

    /// Whether it holds its lane's worker: its turn has begun and is not over.
    #[must_use]
    pub const fn active(self) -> bool {
        matches!(self, Self::Preflight | Self::Running | Self::Waiting)
    }

    /// Whether it stands still until the person decides, and its lane with it.
    #[must_use]
    pub const fn needs_person(self) -> bool {
        matches!(self, Self::Interrupted | Self::Unconfirmed)
    }

    /// The word people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Queued => "queued",
            Self::Preflight => "preflight",
            Self::Blocked => "blocked",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Paused => "paused",
            Self::Interrupted => "interrupted",
            Self::Unconfirmed => "unconfirmed",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// All states, for tables and property tests.
    pub const ALL: [Self; 12] = [
        Self::Held,
        Self::Queued,
        Self::Preflight,
        Self::Blocked,
        Self::Running,
        Self::Waiting,
        Self::Paused,
        Self::Interrupted,
        Self::Unconfirmed,
        Self::Done,
        Self::Failed,
        Self::Cancelled,
    ];
}

/// One instruction for one lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// Its id.
    pub id: PromptId,
    /// The lane it is for.
    pub lane: LaneId,
    /// The text as typed.
    pub text: String,
    /// Its urgency.
    pub priority: Priority,
    /// Where it stands.
    pub state: PromptState,
    /// What it is held until, while `Held`.
    pub hold: Option<Hold>,
    /// Place in the lane's queue among equal priority; smaller runs first. Gaps are fine.
    pub position: i64,
    /// Whether its turn has begun at least once, so that a resume goes on instead of starting over.
    pub started: Option<Timestamp>,
    /// When it was stored.
    pub created: Timestamp,
    /// When its state last changed.
    pub since: Timestamp,
    /// The final answer's text, once done.
    pub result: Option<String>,
    /// The cause, once failed.
    pub error: Option<String>,
    /// The caller's idempotency key: a second prompt with the same key is this one.
    pub key: Option<String>,
    /// Conflicts with these lanes were overridden once for this prompt.
    pub overridden: Vec<LaneId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ended_prompt_only_leaves_by_retry() {
        for state in PromptState::ALL.into_iter().filter(|s| s.ended()) {
            assert!(state.next(PromptEvent::Cancel).is_err());
            assert!(state.next(PromptEvent::Admit).is_err());
            assert!(state.next(PromptEvent::Start).is_err());
        }
        assert_eq!(PromptState::Failed.next(PromptEvent::Retry), Ok(PromptState::Queued));
        assert!(PromptState::Done.next(PromptEvent::Retry).is_err());
    }

    #[test]
    fn a_series_keeps_its_beat_and_leaves_out_what_was_missed() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let next = |now| next_in_series(at("2030-01-01T10:00:00Z"), 3600, at(now));
        assert_eq!(next("2030-01-01T10:00:05Z"), at("2030-01-01T11:00:00Z"));
        assert_eq!(next("2030-01-03T08:59:59Z"), at("2030-01-03T09:00:00Z"));
        assert_eq!(next("2030-01-03T09:00:00Z"), at("2030-01-03T10:00:00Z"));
        assert_eq!(next("2029-01-01T00:00:00Z"), at("2030-01-01T11:00:00Z"), "a clock that went back");
    }

    #[test]
    fn the_main_path_runs_through() {
        let path =
            [PromptEvent::Admit, PromptEvent::Start, PromptEvent::Await, PromptEvent::Proceed, PromptEvent::Finish];
        let end = path.into_iter().try_fold(PromptState::Queued, PromptState::next);
        assert_eq!(end, Ok(PromptState::Done));
    }
}
