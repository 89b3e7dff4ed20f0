//! Approvals: questions to the person that come from an agent's tool call.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{ApprovalId, CallId, IllegalTransition, LaneId, PromptId};

/// Where an approval stands (design §4, scripting).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalState {
    /// Waits for an answer.
    Pending,
    /// The person allowed the call.
    Allowed,
    /// The person denied the call.
    Denied,
    /// No answer came in time, or its turn ended before one came.
    Expired,
}

/// What can happen to an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ApprovalEvent {
    /// Yes.
    Allow,
    /// No.
    Deny,
    /// Its time is over, or the turn that asked is.
    Expire,
}

impl ApprovalState {
    /// The one transition function: only a pending approval moves, and only once.
    ///
    /// # Errors
    /// [`IllegalTransition`] when it is already answered or expired.
    pub fn next(self, event: ApprovalEvent) -> Result<Self, IllegalTransition> {
        match (self, event) {
            (Self::Pending, ApprovalEvent::Allow) => Ok(Self::Allowed),
            (Self::Pending, ApprovalEvent::Deny) => Ok(Self::Denied),
            (Self::Pending, ApprovalEvent::Expire) => Ok(Self::Expired),
            (from, event) => Err(IllegalTransition {
                what: "approval",
                from: from.word().to_owned(),
                event: format!("{event:?}").to_lowercase(),
            }),
        }
    }

    /// The word people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Allowed => "allowed",
            Self::Denied => "denied",
            Self::Expired => "expired",
        }
    }
}

/// How long an allowing answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerScope {
    /// This call only.
    #[default]
    Once,
    /// The exact call, until the lane is closed.
    Session,
    /// The exact call, in every lane of the project, for good.
    Always,
}

impl AnswerScope {
    /// The word people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Session => "session",
            Self::Always => "always",
        }
    }
}

/// The rule that asked, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleOrigin {
    /// The rule in words: `ask shell *`, or `mode ask asks before shell`.
    pub rule: String,
    /// File and line (`config.toml:14`), or `built in`.
    pub place: String,
}

/// How sure it is that a person sits where an answer came from, as the kernel tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seat {
    /// At a terminal, outside of all lanes.
    Terminal,
    /// It is a program without a terminal: a script, a job, something in the background.
    NoTerminal,
    /// It is a program that runs in a lane.
    Lane,
    /// Nobody can tell: it has ended already, or the kernel does not show it.
    #[default]
    Unseen,
}

/// Where an answer came from: one terminal session of this machine, as the kernel names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answerer {
    /// What tells it from all others: two answers of one session are those of one person.
    pub session: String,
    /// In words: `window on pts/3`, `shell on pts/4`.
    pub words: String,
    /// Whether a person sits there.
    #[serde(default)]
    pub seat: Seat,
    /// The sessions with a terminal in which it was started, from the nearest: of `script` or `sudo` the terminal in
    /// which that was typed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<String>,
}

impl Answerer {
    /// One of which nothing is known but what it is called.
    #[must_use]
    pub fn unknown(words: impl Into<String>) -> Self {
        let words = words.into();
        Self { session: words.clone(), words, seat: Seat::Unseen, above: Vec::new() }
    }

    /// Whether both sit at one terminal, or one of them has opened its terminal within the other's.
    #[must_use]
    pub fn sits_with(&self, other: &Self) -> bool {
        self.session == other.session || self.above.contains(&other.session) || other.above.contains(&self.session)
    }
}

/// A question to the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Its id.
    pub id: ApprovalId,
    /// The lane that asks.
    pub lane: LaneId,
    /// The prompt whose turn asks; none for a question of a pane's program.
    pub prompt: Option<PromptId>,
    /// The call that will run, exactly once, if allowed.
    pub call: CallId,
    /// The tool's name.
    pub tool: String,
    /// The exact command, or the path for a write, untouched. Escape before showing.
    pub action: String,
    /// The call's arguments as the model sent them.
    pub arguments: serde_json::Value,
    /// A unified diff for writes.
    pub diff: Option<String>,
    /// The directory the call would run in.
    pub directory: String,
    /// The rule that asked.
    pub rule: RuleOrigin,
    /// Where it stands.
    pub state: ApprovalState,
    /// How long the answer holds, once allowed.
    pub scope: Option<AnswerScope>,
    /// The person's reason, once denied.
    pub reason: Option<String>,
    /// When it was asked.
    pub created: Timestamp,
    /// When it was answered or expired.
    pub ended: Option<Timestamp>,
    /// When it expires if nobody has answered; none: never.
    #[serde(default)]
    pub expires: Option<Timestamp>,
    /// How many have to say yes before it is allowed, each from a terminal of their own.
    #[serde(default = "one")]
    pub needs: u8,
    /// Who said the first yes, where it needs two.
    #[serde(default)]
    pub confirmed: Option<Answerer>,
    /// Who gave the answer that counts; none for a rule, and for the time that ran out.
    #[serde(default)]
    pub by: Option<Answerer>,
}

impl Approval {
    /// One that has just been asked: nobody has answered, one yes is enough, and it waits for ever.
    #[must_use]
    pub fn asked(id: ApprovalId, lane: LaneId, call: CallId, tool: String, rule: RuleOrigin, now: Timestamp) -> Self {
        Self {
            id,
            lane,
            prompt: None,
            call,
            tool,
            action: String::new(),
            arguments: serde_json::Value::Null,
            diff: None,
            directory: String::new(),
            rule,
            state: ApprovalState::Pending,
            scope: None,
            reason: None,
            created: now,
            ended: None,
            expires: None,
            needs: one(),
            confirmed: None,
            by: None,
        }
    }
}

const fn one() -> u8 {
    1
}

/// The tool by which an agent asks the person.
const QUESTION: &str = "ask";
/// The tool by which an agent has a fact remembered.
const REMEMBER: &str = "remember";

impl Approval {
    /// Whether it is a question that is answered in words or by a choice, not a call to be allowed.
    #[must_use]
    pub fn is_question(&self) -> bool {
        self.tool == QUESTION && self.prompt.is_some()
    }

    /// Whether each such call is looked at by itself: no answer holds for the next one.
    #[must_use]
    pub fn asks_each_time(&self) -> bool {
        self.is_question() || (self.tool == REMEMBER && self.prompt.is_some())
    }

    /// Whether it is still open although its time is over.
    #[must_use]
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        self.state == ApprovalState::Pending && self.expires.is_some_and(|at| at <= now)
    }

    /// Whether it expired because nobody answered in time, not because its turn ended.
    #[must_use]
    pub fn timed_out(&self) -> bool {
        let in_time = |at: Timestamp| self.ended.is_some_and(|ended| ended < at);
        self.state == ApprovalState::Expired && self.expires.is_some_and(|at| !in_time(at))
    }

    /// How many have said yes: all that it needs once it is allowed.
    #[must_use]
    pub const fn said_yes(&self) -> u8 {
        match (self.state, &self.confirmed) {
            (ApprovalState::Allowed, _) => self.needs,
            (_, Some(_)) => 1,
            (_, None) => 0,
        }
    }

    /// The answers to choose from; a free answer may be given beside them. Untouched: escape before showing.
    pub fn choices(&self) -> impl Iterator<Item = &str> {
        let all = self.arguments.get("choices").filter(|_| self.is_question()).and_then(|all| all.as_array());
        all.into_iter().flatten().filter_map(|choice| choice.as_str())
    }

    /// What the typed answer means: a choice by its number (from 1), else the words themselves.
    #[must_use]
    pub fn answer(&self, typed: &str) -> String {
        let typed = typed.trim();
        let number = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        number.and_then(|number| self.choices().nth(number)).unwrap_or(typed).to_owned()
    }
}
