//! Lanes chosen by what they are like, and what is done to each of them.

use super::invocation::Invocation;
use crate::domain::{LaneStage, LaneStageEvent, Priority};

/// Which lanes are meant: those that all of it fits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selector {
    /// Exactly these, as they were confirmed; empty: by what follows.
    pub names: Vec<String>,
    /// Every open lane.
    pub all: bool,
    /// The provider of its agent.
    pub provider: Option<String>,
    /// Its state, as JSON has it.
    pub state: Option<String>,
    /// What its last prompt came to: `done`, `failed`, `cancelled` or `none`.
    pub outcome: Option<String>,
    /// Another branch is checked out than its own.
    pub drifted: bool,
    /// It has nothing to do and nothing queued.
    pub idle: bool,
    /// A budget that counts it is used up.
    pub over_budget: bool,
}

impl Selector {
    /// Whether nothing was chosen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What is done to each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BulkDeed {
    /// `lane pause`
    Pause,
    /// `lane resume`
    Resume,
    /// `lane stop`
    Stop,
    /// `lane restart`
    Restart,
    /// `lane close`
    Close {
        /// Keep its branch even if it holds nothing.
        keep_branch: bool,
    },
    /// `prompt`
    Prompt {
        /// The text.
        text: String,
    },
}

impl BulkDeed {
    /// The verb.
    #[must_use]
    pub const fn verb(&self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Stop => "stop",
            Self::Restart => "restart",
            Self::Close { .. } => "close",
            Self::Prompt { .. } => "prompt",
        }
    }

    /// Whether it can be done to a lane at this stage of its life.
    #[must_use]
    pub fn fits(&self, stage: LaneStage) -> bool {
        let event = match self {
            Self::Pause => LaneStageEvent::Pause,
            Self::Resume => LaneStageEvent::Resume,
            Self::Stop => LaneStageEvent::End,
            Self::Restart => LaneStageEvent::Restart,
            Self::Close { .. } => LaneStageEvent::Close,
            // A lane that is not open keeps it in its queue.
            Self::Prompt { .. } => return true,
        };
        stage.next(event).is_ok()
    }

    /// The same for one lane.
    #[must_use]
    pub fn of(&self, lane: &str) -> Invocation {
        let name = lane.to_owned();
        let lane = || Some(name.clone());
        match self {
            Self::Pause => Invocation::LanePause { lane: lane() },
            Self::Resume => Invocation::LaneResume { lane: lane() },
            Self::Stop => Invocation::LaneStop { lane: lane() },
            Self::Restart => Invocation::LaneRestart { lane: lane(), fresh: false },
            Self::Close { keep_branch } => Invocation::LaneClose { lane: lane(), keep_branch: *keep_branch },
            Self::Prompt { text } => Invocation::Prompt {
                lane: name,
                text: text.clone(),
                wait: false,
                timeout: None,
                fail_on_approval: false,
                priority: Priority::default(),
                key: None,
                after: None,
                at: None,
                when_released: None,
                every: None,
            },
        }
    }

    /// The same for one lane, as a shell writes it.
    #[must_use]
    pub fn arguments(&self, lane: &str) -> Vec<String> {
        let words: Vec<&str> = match self {
            Self::Close { keep_branch: true } => vec!["lane", "close", lane, "--keep-branch"],
            Self::Prompt { text } => vec!["prompt", lane, "--", text],
            deed => vec!["lane", deed.verb(), lane],
        };
        words.into_iter().map(str::to_owned).collect()
    }
}
