//! A command as typed values: what a slash line, a key and the arguments of a shell become.

use super::{Interval, Pace, Selector, Since, When, WorkCommand};
use crate::config::NewCli;
use crate::domain::{
    AnswerScope, ApprovalId, BudgetId, ClaimId, ConflictId, FactId, FactScope, IssueId, LaneKind, LaneName, Layer,
    Limit, Mode, Period, Priority, PromptId,
};
use std::path::PathBuf;

/// What `cancel` and `retry` are aimed at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptTarget {
    /// The prompt of the window's focused lane that this is for: what runs, or what ended last.
    Focused,
    /// One prompt.
    Prompt(PromptId),
    /// The same of this lane.
    Lane(String),
}

impl PromptTarget {
    /// The lane that is named.
    pub fn lane(self) -> Option<String> {
        match self {
            Self::Lane(name) => Some(name),
            Self::Focused | Self::Prompt(_) => None,
        }
    }
}

/// Where `queue move` puts a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveTo {
    /// Before all of its priority.
    First,
    /// After all of its priority.
    Last,
    /// One place earlier.
    Up,
    /// One place later.
    Down,
    /// Right before this one.
    Before(PromptId),
}

/// A shell that a completion script can be printed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after the shells")]
pub enum ShellKind {
    Bash,
    Zsh,
    Fish,
}

/// One command with its arguments. A lane that is `None` is the window's focused lane, unless the
/// field says otherwise; from a shell it is always named where the command needs one. A lane is text
/// as typed: the one who knows the lanes finds it or suggests the nearest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after the arguments in the table")]
pub enum Invocation {
    LaneNew {
        /// None: one is made up.
        name: Option<LaneName>,
        kind: LaneKind,
        /// None: the base checkout's HEAD.
        base: Option<String>,
        here: bool,
        prompt: Option<String>,
        /// A file of rules that hold in it alone.
        rules: Option<String>,
    },
    LaneList {
        all: bool,
    },
    ProviderList,
    ProviderAdd(NewCli),
    ProviderShadow(NewCli),
    ProviderRemove {
        name: String,
    },
    LaneShow {
        lane: Option<String>,
        /// With the evidence that its state rests on.
        why: bool,
    },
    LaneFocus {
        lane: String,
    },
    LaneRename {
        lane: String,
        name: LaneName,
    },
    LanePause {
        lane: Option<String>,
    },
    LaneResume {
        lane: Option<String>,
    },
    LaneStop {
        lane: Option<String>,
    },
    LaneRestart {
        lane: Option<String>,
        /// A native CLI begins a new conversation.
        fresh: bool,
    },
    LaneClose {
        lane: Option<String>,
        keep_branch: bool,
    },
    LaneRestore {
        lane: String,
    },
    LaneFork {
        lane: String,
        name: LaneName,
        /// The checkpoint; none: as the lane stands now.
        at: Option<u64>,
    },
    /// Let notes stand for the conversation.
    Compact {
        lane: Option<String>,
        /// What the notes are to keep in view.
        focus: Option<String>,
    },
    /// Go back to a checkpoint.
    Rewind {
        lane: Option<String>,
        /// None: list them.
        number: Option<u64>,
        what: RewindWhat,
    },
    Prompt {
        lane: String,
        text: String,
        /// Answered only once the prompt is done, failed or cancelled.
        wait: bool,
        /// Seconds.
        timeout: Option<u64>,
        fail_on_approval: bool,
        priority: Priority,
        key: Option<String>,
        after: Option<PromptId>,
        at: Option<When>,
        /// Again after each such time.
        every: Option<Interval>,
        /// Held until nobody owns this issue.
        when_released: Option<IssueId>,
    },
    QueueList {
        all: bool,
        /// None: every lane.
        lane: Option<String>,
    },
    QueueEdit {
        prompt: PromptId,
        text: String,
    },
    /// At least one of the three is given.
    QueueMove {
        prompt: PromptId,
        to: Option<MoveTo>,
        /// None: it stays in its lane.
        lane: Option<String>,
        priority: Option<Priority>,
    },
    QueueCancel {
        prompt: PromptId,
    },
    Cancel {
        target: PromptTarget,
    },
    Retry {
        target: PromptTarget,
    },
    Broadcast {
        text: String,
    },
    /// The same for all lanes that fit. Alone it only finds them: whoever asked does it, once it is confirmed.
    Bulk {
        select: Selector,
        deed: super::BulkDeed,
        /// It is confirmed already.
        yes: bool,
    },
    Approvals {
        all: bool,
    },
    Approve {
        approval: ApprovalId,
        scope: AnswerScope,
        /// A JSON object.
        edit: Option<serde_json::Value>,
        /// The answer to a question: a choice's number, or words.
        answer: Option<String>,
    },
    Deny {
        approval: ApprovalId,
        /// May be empty.
        reason: String,
    },
    Conflicts {
        all: bool,
    },
    Override {
        conflict: ConflictId,
    },
    Wait {
        conflict: ConflictId,
    },
    Mode {
        /// None: show it.
        set: Option<Mode>,
        /// None: for lanes without one of their own.
        lane: Option<String>,
    },
    Trust,
    /// Find words in all lanes.
    Find {
        /// The words.
        text: String,
    },
    Model {
        /// `MODEL` or `PROVIDER/MODEL`, see [`split_model`]. None: show it.
        set: Option<String>,
        /// None: for lanes without one of their own.
        lane: Option<String>,
    },
    Context {
        lane: Option<String>,
        /// The layer to switch, and whether it is on from then on. None: show all.
        switch: Option<(Layer, bool)>,
    },
    Skill {
        /// None: list them.
        name: Option<String>,
        /// What the person says beside it; may be empty.
        text: String,
        lane: Option<String>,
    },
    /// A command of coordination.
    Work {
        command: Box<WorkCommand>,
        /// The same key again does nothing new.
        key: Option<String>,
    },
    /// Keep a fact.
    Remember {
        scope: FactScope,
        text: String,
    },
    MemoryList {
        /// None: both.
        scope: Option<FactScope>,
    },
    MemorySearch {
        words: String,
    },
    MemoryEdit {
        fact: FactId,
        text: String,
    },
    MemoryForget {
        fact: FactId,
    },
    PolicyShow {
        /// With the rules of this lane.
        lane: Option<String>,
    },
    PolicyExplain {
        tool: String,
        action: String,
        /// None: as a new lane.
        lane: Option<String>,
    },
    PolicyAdd {
        effect: String,
        tool: String,
        matches: String,
        reason: Option<String>,
        /// Whether two have to say yes.
        two: bool,
        /// Into the project's file; else into the person's own.
        project: bool,
        /// For this lane; else into a file.
        lane: Option<String>,
    },
    PolicyRemove {
        /// From 1, as `policy show` counts, with the lane's rules if a lane is named.
        number: usize,
        lane: Option<String>,
    },
    /// What became of approvals.
    HistoryApprovals {
        lane: Option<String>,
        /// So many lines, the newest.
        last: usize,
    },
    Problems,
    /// At most one of lane and provider is given; none: the whole project.
    BudgetSet {
        limit: Limit,
        per: Period,
        lane: Option<String>,
        provider: Option<String>,
        /// Percent.
        warn: u8,
        stop: bool,
    },
    BudgetList,
    BudgetRemove {
        budget: BudgetId,
    },
    ServersList,
    ServersShow {
        server: String,
        /// None: every lane.
        lane: Option<String>,
    },
    ServersRestart {
        server: String,
        /// None: every lane.
        lane: Option<String>,
    },
    History {
        of: HistoryTarget,
        /// One of [`crate::domain::HISTORY_KINDS`].
        kind: Option<String>,
        since: Option<Since>,
        limit: usize,
    },
    EventsExport {
        since: Option<Since>,
        lane: Option<String>,
        /// None: standard output.
        output: Option<PathBuf>,
    },
    Watch {
        lane: Option<String>,
    },
    Top {
        /// Not live, also on a terminal.
        once: bool,
        view: TopView,
    },
    Metrics {
        /// None: standard output.
        output: Option<PathBuf>,
        every: Option<Pace>,
    },
    StateExport {
        file: PathBuf,
    },
    StateShow {
        file: PathBuf,
    },
    StateImport {
        file: PathBuf,
        /// Into a state that is there: refused, with the reason.
        merge: bool,
    },
    Status,
    Theme {
        /// None: show it.
        set: Option<String>,
    },
    Config,
    Doctor,
    Completion {
        shell: ShellKind,
    },
    Demo,
    Up,
    Down,
    Help {
        /// The words of a command or group; empty for all.
        topic: Vec<String>,
    },
    Detach,
    Quit,
}

/// Whose history is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryTarget {
    /// A lane's; none: the focused one's.
    Lane(Option<String>),
    /// A prompt's.
    Prompt(PromptId),
    /// An issue's.
    Issue(IssueId),
    /// That of one ownership of an issue.
    Claim(ClaimId),
}

/// How `top` is looked at. All is as typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TopView {
    /// A column, with `-` before it for the other way round.
    pub sort: Option<String>,
    /// Text, or `COLUMN=TEXT`.
    pub filter: Option<String>,
    /// Columns with commas between; none: all that fit.
    pub columns: Option<String>,
    /// Cells there are; none: as many as needed.
    pub width: Option<usize>,
}

/// What a rewind brings back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RewindWhat {
    /// The conversation and the files.
    Both,
    /// The conversation.
    Conversation,
    /// The files.
    Files,
}

impl RewindWhat {
    /// Whether files are among it.
    #[must_use]
    pub const fn files(self) -> bool {
        matches!(self, Self::Both | Self::Files)
    }

    /// Whether the conversation is among it.
    #[must_use]
    pub const fn conversation(self) -> bool {
        matches!(self, Self::Both | Self::Conversation)
    }
}

impl Invocation {
    /// Whether it only reads: it prints one document with `--json`, and works from the store when no
    /// workstation runs.
    pub fn reads(&self) -> bool {
        match self {
            Self::LaneList { .. }
            | Self::ProviderList
            | Self::LaneShow { .. }
            | Self::QueueList { .. }
            | Self::Approvals { .. }
            | Self::Conflicts { .. }
            | Self::MemoryList { .. }
            | Self::MemorySearch { .. }
            | Self::Problems
            | Self::PolicyShow { .. }
            | Self::HistoryApprovals { .. }
            | Self::PolicyExplain { .. }
            | Self::BudgetList
            | Self::ServersList
            | Self::ServersShow { .. }
            | Self::History { .. }
            | Self::EventsExport { .. }
            | Self::Watch { .. }
            | Self::Top { .. }
            | Self::Metrics { .. }
            | Self::StateExport { .. }
            | Self::StateShow { .. }
            | Self::Status
            | Self::Config
            | Self::Doctor
            | Self::Help { .. } => true,
            Self::Work { command, .. } => command.reads(),
            Self::Context { switch, .. } => switch.is_none(),
            Self::Skill { name, .. } => name.is_none(),
            Self::Rewind { number, .. } => number.is_none(),
            Self::Mode { set, .. } => set.is_none(),
            Self::Model { set, .. } | Self::Theme { set } => set.is_none(),
            _ => false,
        }
    }
}

/// Splits `PROVIDER/MODEL`, knowing the providers: model names may hold slashes themselves.
pub fn split_model<'a>(text: &'a str, providers: &[&str]) -> (Option<&'a str>, &'a str) {
    match text.split_once('/') {
        Some((provider, model)) if providers.contains(&provider) && !model.is_empty() => (Some(provider), model),
        _ => (None, text),
    }
}
