//! Lanes: a named strand of work with a worktree, a branch, a queue and a session.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{IllegalTransition, IssueId, LaneId, NativeLane, Party, PromptId};

/// A lane's name: 1 to 40 of `a-z A-Z 0-9 . _ -`, beginning with a letter or digit, valid as the
/// last part of a branch name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LaneName(String);

/// The text cannot be a lane's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` cannot be a lane's name: {rule}")]
pub struct LaneNameError {
    /// What was given.
    pub text: String,
    /// The rule it breaks.
    pub rule: &'static str,
}

impl LaneName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The branch of a lane that was made with this name.
    #[must_use]
    pub fn branch(&self) -> String {
        format!("lane/{}", self.0)
    }
}

impl fmt::Display for LaneName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for LaneName {
    type Err = LaneNameError;

    /// Checks the rules above; a name is never changed silently.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = |rule| Err(LaneNameError { text: text.to_owned(), rule });
        if text.is_empty() || text.len() > 40 {
            return refuse("use 1 to 40 characters");
        }
        if !text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)) {
            return refuse("use letters a-z, digits, `.`, `_` and `-` only");
        }
        if !text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return refuse("begin with a letter or a digit");
        }
        if text.contains("..") || text.ends_with('.') || text.to_ascii_lowercase().ends_with(".lock") {
            return refuse("git allows no `..`, no `.` at the end and no `.lock` at the end of a branch");
        }
        if text.eq_ignore_ascii_case("all") {
            return refuse("`all` means every lane");
        }
        if [Party::OPERATOR, Party::HOUSE].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return refuse("the word stands for the person, or for Paralane itself, in mail");
        }
        Ok(Self(text.to_owned()))
    }
}

/// How freely own agents may act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Reads only.
    Plan,
    /// Reads; asks before writes and shell.
    #[default]
    Ask,
    /// Reads and writes in the worktree; asks before shell.
    AutoEdit,
    /// Everything in the worktree without asking.
    Full,
}

impl Mode {
    /// The word people, configuration and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Ask => "ask",
            Self::AutoEdit => "auto-edit",
            Self::Full => "full",
        }
    }

    /// All modes, from the strictest.
    pub const ALL: [Self; 4] = [Self::Plan, Self::Ask, Self::AutoEdit, Self::Full];
}

/// What runs in a lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum LaneKind {
    /// Our own agent.
    Agent {
        /// Provider; none means the default one.
        provider: Option<String>,
        /// Model; none means the provider's.
        model: Option<String>,
    },
    /// A program in a terminal pane.
    Pane {
        /// The program and its arguments; never empty.
        command: Vec<String>,
        /// What it is started with, when it is a native CLI under our hooks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        native: Option<Box<NativeLane>>,
    },
}

impl LaneKind {
    /// The word people and JSON use: `agent` or `pane`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Agent { .. } => "agent",
            Self::Pane { .. } => "pane",
        }
    }

    /// A plain program in a pane.
    #[must_use]
    pub const fn plain(command: Vec<String>) -> Self {
        Self::Pane { command, native: None }
    }

    /// What its native CLI is started with, if it is one.
    #[must_use]
    pub fn native(&self) -> Option<&NativeLane> {
        match self {
            Self::Pane { native, .. } => native.as_deref(),
            Self::Agent { .. } => None,
        }
    }
}

/// What a lane's branch started from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaseRef {
    /// The branch or ref as named: `main`, `HEAD`, …
    pub name: String,
    /// The commit, 40 hexadecimal digits.
    pub sha: String,
}

/// Where a lane works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The directory: a worktree of its own, or the base checkout for `--here`.
    pub directory: PathBuf,
    /// The lane's own branch; none for `--here`.
    pub branch: Option<String>,
    /// What the branch started from.
    pub base: BaseRef,
}

impl Place {
    /// Whether the lane works in the base checkout itself.
    #[must_use]
    pub const fn is_here(&self) -> bool {
        self.branch.is_none()
    }
}

/// The durable stage of a lane's life. What a person sees is [`LaneState`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LaneStage {
    /// Its worktree is being made and set up.
    Creating,
    /// Works, or could.
    Open,
    /// Halted by the person.
    Paused,
    /// Set-up or session failed; says why; may be restarted or closed.
    Failed,
    /// Its program ended; may be restarted or closed.
    Ended,
    /// Closed: worktree gone, branch kept while it holds work; may be restored.
    Closed,
}

/// What can happen to a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LaneStageEvent {
    /// Worktree and set-up are done, or the program runs again.
    Ready,
    /// Set-up or session failed.
    Fail,
    /// The person paused it.
    Pause,
    /// The person resumed it.
    Resume,
    /// Its program ended, or the person stopped it.
    End,
    /// The person starts it again.
    Restart,
    /// The person closed it and nothing would be lost.
    Close,
    /// The person brings it back.
    Restore,
}

impl LaneStage {
    /// The one transition function.
    ///
    /// # Errors
    /// [`IllegalTransition`] when the event does not fit the stage.
    pub fn next(self, event: LaneStageEvent) -> Result<Self, IllegalTransition> {
        use LaneStageEvent as E;
        Ok(match (self, event) {
            (Self::Creating, E::Ready) | (Self::Paused, E::Resume) => Self::Open,
            (Self::Creating | Self::Open | Self::Paused | Self::Ended, E::Fail) => Self::Failed,
            (Self::Open, E::Pause) => Self::Paused,
            (Self::Open | Self::Paused, E::End) => Self::Ended,
            (Self::Open | Self::Paused | Self::Failed | Self::Ended, E::Restart) | (Self::Closed, E::Restore) => {
                Self::Creating
            }
            (Self::Creating | Self::Open | Self::Paused | Self::Failed | Self::Ended, E::Close) => Self::Closed,
            (from, event) => {
                return Err(IllegalTransition {
                    what: "lane",
                    from: format!("{from:?}").to_lowercase(),
                    event: format!("{event:?}").to_lowercase(),
                });
            }
        })
    }
}

/// What a waiting lane waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaitReason {
    /// The limit of prompts that run at once.
    Limit,
    /// A moment.
    Time(Timestamp),
    /// Another prompt's end.
    Prompt(PromptId),
    /// Another lane's hold, which the person lets it wait for.
    Lane(LaneName),
    /// The release of this issue.
    Issue(IssueId),
}

/// What a person sees of a lane, derived from its stage, queue, approvals and conflicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LaneState {
    /// Its worktree is being made and set up.
    Starting,
    /// A turn runs, or its program is busy.
    Working,
    /// Something is queued but cannot start yet.
    Waiting(WaitReason),
    /// An approval, a question, a conflict or an interrupted prompt needs the person.
    NeedsYou,
    /// Finished, not yet looked at.
    Done,
    /// Nothing to do.
    Idle,
    /// Halted by the person.
    Paused,
    /// Set-up, session or last prompt failed.
    Failed,
    /// Its program ended.
    Ended,
}

impl LaneState {
    /// The word on screen: `needs you`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Working => "working",
            Self::Waiting(_) => "waiting",
            Self::NeedsYou => "needs you",
            Self::Done => "done",
            Self::Idle => "idle",
            Self::Paused => "paused",
            Self::Failed => "failed",
            Self::Ended => "ended",
        }
    }

    /// The mark before the word, so that a state can be told at a glance and without colour.
    #[must_use]
    pub const fn mark(&self) -> &'static str {
        match self {
            Self::Starting => "◌",
            Self::Working => "●",
            Self::Waiting(_) => "◔",
            Self::NeedsYou => "▲",
            Self::Done => "✓",
            Self::Idle => "·",
            Self::Paused => "‖",
            Self::Failed => "✗",
            Self::Ended => "□",
        }
    }

    /// The word in JSON: blanks as `-`.
    #[must_use]
    pub fn json_word(&self) -> String {
        self.word().replace(' ', "-")
    }
}

/// What git says about a lane's directory. Volatile: computed when something changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GitFacts {
    /// Commits on the branch that the base branch does not have.
    pub ahead: u32,
    /// Commits on the base branch that the lane does not have.
    pub behind: u32,
    /// Paths with uncommitted changes or untracked, relative to the root, sorted; at most 20,000.
    pub dirty: Vec<String>,
    /// Paths the branch's own commits changed, relative to the root, sorted; at most 20,000.
    pub committed: Vec<String>,
    /// Disk use of the directory in bytes, when it was last measured.
    pub disk: Option<u64>,
    /// The branch that is checked out now, if it is not the lane's own.
    pub drifted_to: Option<String>,
    /// Whether the directory is gone.
    pub missing: bool,
}

/// One named strand of work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lane {
    /// Its id.
    pub id: LaneId,
    /// Its name, unique among lanes that are not closed.
    pub name: LaneName,
    /// What runs in it.
    pub kind: LaneKind,
    /// Where it works.
    pub place: Place,
    /// Its own mode, if it has one.
    pub mode: Option<Mode>,
    /// The stage of its life.
    pub stage: LaneStage,
    /// Why it failed or ended.
    pub error: Option<String>,
    /// Whether set-up (copy, init) has been done in this worktree.
    pub set_up: bool,
    /// Whether the person has looked since the last prompt ended.
    pub seen: bool,
    /// When it was made.
    pub created: Timestamp,
    /// When its stage last changed.
    pub since: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_rule() {
        for good in ["api", "a", "fix-12", "v1.2_x", "A9"] {
            assert!(good.parse::<LaneName>().is_ok(), "{good}");
        }
        let long = "x".repeat(41);
        for bad in ["", "-a", ".a", "a b", "a/b", "a..b", "a.", "x.lock", "all", "機能", "a\u{1b}", long.as_str()] {
            assert!(bad.parse::<LaneName>().is_err(), "{bad}");
        }
    }
}
