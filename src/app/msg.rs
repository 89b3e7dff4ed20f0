//! Messages: everything that can happen to the running whole.

use crate::base::Report;
use crate::command::{Invocation, RewindWhat};
use crate::domain::{
    Answerer, CallId, CallRequest, Checkpoint, Compaction, ContextView, Entry, Event, FactDone, FactScope, GitFacts,
    History, HistoryQuery, HookCall, InputEvent, LaneId, LaneName, Lease, MouseEvent, NoticeLevel, PaneStatus,
    PaneText, Place, PromptId, Recall, ReservationId, RuleText, ServerView, Size, SkillsFound, Snapshot, SpendAsk,
    SpendEnd, SpendId, Taken, TurnOutcome, TurnRecord, WindowId,
};

use super::errand::{Errand, Finding};
use super::{
    ApprovalQuery, Asker, CliEdit, Effect, FactAsker, FactQuery, LaneWanted, RulesEdited, Settings, SkillsOrder,
};

/// One command from a shell that waits for its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u64);

/// One waiting call of a turn's port; answered exactly once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnToken(pub u64);

/// Somebody that is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Client {
    /// A window.
    Window(WindowId),
    /// A command from a shell.
    Request(RequestId),
}

/// From a window.
#[derive(Debug, Clone)]
pub enum WindowMsg {
    /// It attached.
    Attached(crate::protocol::WindowHello),
    /// Something was typed.
    Input(InputEvent),
    /// Its terminal has another size.
    Resized(Size),
    /// It is gone.
    Gone,
    /// Something that the person at this window has to know.
    Told(Report),
    /// The models that a server offers, asked by the guided set-up.
    Models(Result<Vec<String>, Report>),
    /// The guided set-up was saved, or not.
    Saved(Result<(), Report>),
    /// The changes of a lane against its base, asked by the diff view.
    Diff(LaneId, Result<String, Report>),
    /// The text of a lane's pane.
    PaneText(LaneId, Result<PaneText, Report>),
    /// The texts of panes, as far as they could be had, for words that are searched.
    PaneTexts(String, Vec<(LaneId, PaneText)>),
    /// The mouse, relative to the lane's pane, whose program does not want it.
    UnwantedMouse(LaneId, MouseEvent),
    /// The window's editor has ended, or could not be started.
    Edited(Result<(), Report>),
    /// What came of something that the window asked for.
    Said(Report),
}

/// How a lane's directory comes to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupPlan {
    /// Make the planned worktree, or mend a half-made one.
    Ensure,
    /// Bring back a closed lane's worktree.
    Restore,
}

/// What a checkpoint outside a turn is taken for.
#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    /// The lane is brought back to this one.
    Rewind(Box<Checkpoint>, RewindWhat),
    /// A lane of this name goes on from here.
    Fork(LaneName),
}

/// From a lane's actor.
#[derive(Debug, Clone, PartialEq)]
pub enum LaneMsg {
    /// What set-up is doing now, in words.
    Progress(String),
    /// A line of output of copy or init.
    SetUpLine(String),
    /// Where the lane will work is decided: nothing has been made yet.
    Planned(Place),
    /// Copy and init are done: the session may start.
    SetUp,
    /// Set-up failed; the lane keeps its queue.
    SetUpFailed(Report),
    /// Closing was refused: what would be lost is named.
    CloseRefused(Report),
    /// The worktree is gone, nothing was lost.
    Closed {
        /// The commit to restore from, when the branch went too.
        tip: Option<String>,
    },
    /// What git says now, and which paths were touched since the last time.
    Git {
        /// The facts.
        facts: Box<GitFacts>,
        /// Paths touched since, relative to the root.
        touched: Vec<String>,
    },
    /// These paths of the base checkout were changed while this call of the lane's program ran.
    BaseWritten {
        /// The paths, relative to the root.
        paths: Vec<String>,
        /// The call, in words.
        call: String,
    },
    /// A checkpoint was taken that a rewind or a fork begins with, or could not be.
    Checkpointed {
        /// What came of it.
        taken: Taken,
        /// What it was taken for.
        purpose: Purpose,
    },
    /// Files were brought back, or not.
    Rewound {
        /// To where.
        to: Box<Checkpoint>,
        /// What was to be brought back.
        what: RewindWhat,
        /// The checkpoint that undoes it.
        before: u64,
        /// Files written and removed.
        result: Result<(usize, usize), Report>,
    },
    /// Notes for the conversation are written, or not.
    Compacted(Result<Box<Compaction>, Report>),
    /// A shell command of the person ended.
    ShellDone {
        /// The command.
        command: String,
        /// Its output and status.
        outcome: crate::domain::ToolOutcome,
    },
    /// Hooks had something to say outside of any turn.
    Said(NoticeLevel, String),
    /// So many commands of its agent run in the background.
    Jobs(usize),
    /// How its tool servers stand now.
    Servers(Vec<ServerView>),
    /// What the person is to be told of its tool servers.
    ServerNews(Vec<String>),
    /// Something else went wrong in this lane.
    Trouble(Report),
}

/// From a turn's port.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnMsg {
    /// Keep this, then say so.
    Record(TurnToken, TurnRecord),
    /// The same, and with it the turn ends well with this answer. Its task ends a little later.
    Last(TurnToken, TurnRecord, String),
    /// The model is about to be called: count it, and say whether it may.
    Reserve(TurnToken, SpendAsk),
    /// A model call is over.
    Settle(SpendId, SpendEnd),
    /// Have this fact remembered; the person has allowed it.
    Remember(TurnToken, FactScope, String),
    /// May this call run?
    Permit(TurnToken, CallRequest),
    /// Streamed answer text.
    Answer(String),
    /// Streamed thoughts.
    Reasoning(String),
    /// Streamed output of a call.
    Output(CallId, String),
    /// What it does now.
    Phase(String),
    /// The turn is over and its task has ended.
    Ended(PromptId, TurnOutcome),
}

/// From a pane.
#[derive(Debug, Clone, PartialEq)]
pub enum PaneMsg {
    /// Its program runs.
    Started,
    /// Its program could not be started.
    NotStarted(Report),
    /// A new status.
    Status(PaneStatus),
    /// Its program ended, in words (`exit 1`, `killed by SIGTERM`).
    Exited(String),
    /// Its program asked for attention.
    Notified(String),
    /// Its program wants a text on the clipboard.
    Copied(String),
    /// A prompt was taken by the program: there is evidence.
    Delivered(PromptId),
    /// A prompt was given without evidence, for this reason.
    Unconfirmed(PromptId, String),
    /// The program is ready again after a delivered prompt.
    Finished(PromptId),
    /// The prompt cannot be given to this program, for this reason.
    Refused(PromptId, String),
    /// A dialog was to be answered and was not on the screen: nothing was typed. What it asked.
    NotAnswered(String),
    /// Something went wrong in the pane; everything else runs on.
    Fault(String),
}

/// Everything that can happen.
#[derive(Debug)]
pub enum Msg {
    /// Where a client sits, as the kernel says. Comes before anything that it says itself.
    Came(Client, Answerer),
    /// From a window.
    Window(WindowId, WindowMsg),
    /// A command from a shell.
    Request {
        /// Whom to answer.
        id: RequestId,
        /// What to do.
        invocation: Invocation,
        /// Whether the answer is to be JSON.
        json: bool,
    },
    /// The shell that asked, or the hook, is gone.
    RequestGone(RequestId),
    /// A hook of a lane's native CLI waits for its answer.
    Hook(LaneId, RequestId, Box<HookCall>),
    /// From a lane's actor.
    Lane(LaneId, LaneMsg),
    /// From a lane's turn.
    Turn(LaneId, TurnMsg),
    /// What the machine lacks to confine commands, and what it has.
    Walls {
        /// One sentence each.
        lacks: Vec<String>,
        /// One fact each.
        lines: Vec<String>,
        /// Whether there can be a door to listed hosts.
        door: bool,
    },
    /// From a lane's pane.
    Pane(LaneId, PaneMsg),
    /// A commit is done: carry out what waited for it.
    Committed(Vec<Effect>),
    /// Commits failed: nothing of them was kept. The model is set back to what is kept.
    CommitFailed {
        /// Why, in words.
        report: Report,
        /// What is kept.
        snapshot: Box<Snapshot>,
        /// What waited for them and must be told.
        then: Vec<Effect>,
    },
    /// The workstation starts: mend and resume.
    Started,
    /// A hook did not run because a file of the repository is not trusted as it stands.
    TrustWanted,
    /// Configuration was read again.
    Configured(Box<Settings>),
    /// A configuration file got or lost a rule, or could not.
    RulesEdited(Asker, Result<RulesEdited, Report>),
    /// This was done to the names for native CLIs in this file, or could not be.
    ClisEdited(Asker, Box<CliEdit>, Result<String, Report>),
    /// A configuration file may have changed.
    ConfigTouched,
    /// A configuration file is broken; the old settings stay in force, and everything but reading asks.
    Misconfigured(Report),
    /// Something that is needed is gone, or could not be done.
    Trouble(Report),
    /// The store is open, and was looked through if that was needed.
    StoreOpen,
    /// A deadline that was asked for has come.
    Timer,
    /// End in order.
    Terminate,
    /// The newest entries of a lane that comes back, oldest first.
    Transcript(LaneId, Result<Vec<Entry>, Report>),
    /// Entries of a lane before this one, oldest first, for a transcript that is scrolled back.
    Older(LaneId, u64, Result<Vec<Entry>, Report>),
    /// What a lane's next request would hold, for whoever asked.
    Context(Asker, LaneId, Result<Box<ContextView>, Report>),
    /// What was found around the workstation, for whoever asked.
    Doctor(Asker, Vec<super::report::Finding>),
    /// A piece of history that was asked for.
    History(Asker, HistoryQuery, Result<History, Report>),
    /// Facts that were asked for.
    Facts(Asker, FactQuery, Result<Recall, Report>),
    /// What a new lane needs is there, with the rules that it is to have of its own; or not.
    LaneNeeds(Asker, Box<LaneWanted>, Result<Vec<RuleText>, Report>),
    /// What became of approvals, oldest first.
    ApprovalHistory(Asker, ApprovalQuery, Result<Vec<Event>, Report>),
    /// What came of a change of what is remembered for all projects.
    UserFact(FactAsker, Result<FactDone, Report>),
    /// What skills there are, for whoever asked.
    Skills(Box<SkillsOrder>, Result<Box<SkillsFound>, Report>),
    /// What a command of coordination had to read first is there, or could not be read.
    Errand(Box<Errand>, Result<Finding, Report>),
    /// The time of a hold is over.
    Lapsed(ReservationId, Lease),
    /// Files that are changed in the base checkout and not committed there, relative to its root.
    BaseEdited(Vec<String>),
    /// Colours of code that is shown.
    Coloured(super::window::transcript::CodeColours),
    /// Files of a lane changed.
    Touched(LaneId, Vec<String>),
    /// The base checkout may stand elsewhere now.
    BaseTouched,
    /// What the base checkout stands on.
    BaseMoved(crate::domain::BaseRef),
}
