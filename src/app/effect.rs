//! Effects: what the workstation is to do, as data.

use std::path::PathBuf;

use jiff::Timestamp;

use crate::command::RewindWhat;
use crate::config::{CliPreset, Credentials, Hook, Server, Web};
use crate::domain::{
    CallId, Change, Checkpoint, Cli, CompactCause, Entry, FactAsk, FactScope, HistoryQuery, HookAnswer, KeyEvent,
    LaneId, LaneKind, LaneName, LayersOff, Lease, MouseEvent, NativeLane, Place, ProgramState, PromptId, ReservationId,
    Size, SkillsAsk, SpendId, Verdict, WindowId,
};
use crate::protocol::{EndReason, Reply};

use super::errand::Errand;
use super::{CliEdit, LaneMsg, PaneMsg, Purpose, RequestId, RuleEdit, SetUp, SetupPlan, TurnMsg, TurnToken};

/// What a turn starts with.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnStart {
    /// The prompt.
    pub prompt: PromptId,
    /// The provider's name in the configuration.
    pub provider: String,
    /// The model.
    pub model: String,
    /// The lane's transcript, the prompt's own entry included.
    pub entries: Vec<Entry>,
    /// Calls that had started when the last workstation died: never run again.
    pub interrupted: Vec<CallId>,
    /// Where the lane works.
    pub directory: PathBuf,
    /// What its agent may fetch from the web.
    pub web: Web,
    /// Its tool servers.
    pub servers: Vec<Server>,
    /// Layers of its context that are switched off.
    pub off: LayersOff,
    /// The lane's name, for hooks.
    pub lane: String,
    /// The hooks of the configuration.
    pub hooks: Vec<Hook>,
    /// How many hooks the repository brings that do not run because it is not trusted.
    pub unused_hooks: usize,
    /// Where the person's own skills stand.
    pub skills: Option<PathBuf>,
    /// The checkpoint that is to be taken before anything happens; none for a turn that goes on.
    pub checkpoint: Option<CheckpointOrder>,
}

/// A checkpoint to take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckpointOrder {
    /// Its number.
    pub number: u64,
    /// The last entry of the transcript before it.
    pub seq: u64,
    /// Patterns of files that setting up the lane has copied: these stay out.
    pub copied: Vec<String>,
}

/// Who asked for a lane's context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// A window.
    Window(WindowId),
    /// A shell.
    Shell {
        /// Whom to answer.
        id: RequestId,
        /// Whether the answer is to be JSON.
        json: bool,
    },
}

/// Who waits for a fact to be kept for all projects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactAsker {
    /// The person.
    Person(Asker),
    /// An agent's turn.
    Turn(TurnToken),
}

/// Which facts are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactQuery {
    /// All of a scope; none: of both.
    All(Option<FactScope>),
    /// Those that fit these words, as an agent would be told them.
    Fitting(String),
}

/// Which part of the history of approvals is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApprovalQuery {
    /// Of this lane only.
    pub lane: Option<LaneId>,
    /// So many events, the newest.
    pub last: usize,
}

/// A lane that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneWanted {
    /// Its name; none: one is made up.
    pub name: Option<LaneName>,
    /// What runs in it.
    pub kind: LaneKind,
    /// What its branch starts from; none: what is checked out.
    pub base: Option<String>,
    /// In the base checkout itself.
    pub here: bool,
    /// Its first prompt.
    pub prompt: Option<String>,
    /// A file of rules that hold in it alone, from the repository's root.
    pub rules: Option<String>,
}

/// What a compaction at rest starts with.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactStart {
    /// The provider's name in the configuration.
    pub provider: String,
    /// The model.
    pub model: String,
    /// The lane's transcript.
    pub entries: Vec<Entry>,
    /// Where the lane works.
    pub directory: PathBuf,
    /// Layers of its context that are switched off.
    pub off: LayersOff,
    /// What the notes are to keep in view.
    pub focus: Option<String>,
    /// Who asks.
    pub cause: CompactCause,
    /// The lane's name, for hooks.
    pub lane: String,
    /// The hooks of the configuration.
    pub hooks: Vec<Hook>,
}

/// What a lane's context is found out from.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextAsk {
    /// Who asked.
    pub asker: Asker,
    /// The lane.
    pub lane: LaneId,
    /// Where it works.
    pub directory: PathBuf,
    /// Its provider, if any is configured.
    pub provider: Option<String>,
    /// The prompt that runs, if any.
    pub prompt: Option<PromptId>,
    /// Its transcript.
    pub entries: Vec<Entry>,
    /// Layers that are switched off.
    pub off: LayersOff,
    /// Where the person's own skills stand.
    pub skills: Option<PathBuf>,
}

/// What is wanted of skills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillsOrder {
    /// Who asked.
    pub asker: Asker,
    /// The lane; none where the repository's own checkout is looked at.
    pub lane: Option<LaneId>,
    /// Where to look, and for which.
    pub ask: SkillsAsk,
    /// What the person says beside the skill, when it is to be used.
    pub words: String,
}

/// What a native CLI's launch is planned from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeStart {
    /// The CLI, its model and its conversation.
    pub native: NativeLane,
    /// The lane's name.
    pub lane: LaneName,
    /// Whether rules may keep files from being read: then nothing is read while no workstation decides.
    pub guards_reads: bool,
    /// What its name puts before the CLI; none also when the name is gone.
    pub preset: Option<CliPreset>,
    /// The login that it uses; none also when that is gone.
    pub credentials: Option<Credentials>,
}

/// What a lane's actor is to do. Orders for one lane are carried out in order; long ones can be cancelled.
#[derive(Debug, Clone, PartialEq)]
pub enum LaneOrder {
    /// Find the commit a new lane starts from. Reports `Planned` or `SetUpFailed`; makes nothing.
    Plan {
        /// The lane's name: the branch is `lane/NAME`.
        name: LaneName,
        /// The ref to start from; none means the base checkout's HEAD.
        base: Option<String>,
        /// Where it will work.
        directory: PathBuf,
    },
    /// Make the lane's directory, copy, init. Reports `SetUp` or `SetUpFailed`.
    SetUp {
        /// Where it works, or will.
        place: Place,
        /// How the directory comes to be.
        plan: SetupPlan,
        /// What to copy and run; none when it has been done before.
        set_up: Option<SetUp>,
        /// The checkpoint whose files it begins with; none for its base's, or when it has begun.
        files: Option<String>,
    },
    /// Start or resume a turn.
    StartTurn(Box<TurnStart>),
    /// Have notes written that stand for the conversation. Reports `Compacted`.
    Compact(Box<CompactStart>),
    /// End the turn, or the compaction, at once.
    CancelTurn,
    /// End what an agent's lane runs beside its turn: jobs and tool servers.
    EndWork,
    /// Run a shell command of the person in the lane's directory.
    Shell {
        /// The command.
        command: String,
        /// Where.
        directory: PathBuf,
    },
    /// End whatever runs, then remove the worktree if nothing would be lost.
    Close {
        /// Where it works.
        place: Place,
        /// Whether unmerged commits may stay on the kept branch.
        keep_branch: bool,
    },
    /// Take a checkpoint outside a turn. Reports `Checkpointed`.
    Checkpoint {
        /// Its number and place.
        order: CheckpointOrder,
        /// What for.
        purpose: Purpose,
    },
    /// Bring the files back. Reports `Rewound`.
    Rewind {
        /// To where.
        to: Box<Checkpoint>,
        /// What is to be brought back in all.
        what: RewindWhat,
        /// The checkpoint that undoes it: its number and commit.
        before: (u64, String),
        /// Patterns of files that are left alone.
        copied: Vec<String>,
    },
    /// Let checkpoints go: these, or all.
    Forget(Option<Vec<u64>>),
    /// Look at git again, since these paths were touched.
    Look(Vec<String>),
    /// Start a tool server of its agent anew.
    RestartServer(String),
    /// The lane is gone: end the actor.
    Retire,
}

/// What a pane is to do.
#[derive(Debug, Clone, PartialEq)]
pub enum PaneOrder {
    /// Start the program.
    Open {
        /// Program and arguments.
        command: Vec<String>,
        /// Where.
        directory: PathBuf,
        /// Its first size.
        size: Size,
        /// What is to be planned for a native CLI; none for a plain program.
        native: Option<Box<NativeStart>>,
    },
    /// End the program and everything it started.
    End,
    /// Another size.
    Resize(Size),
    /// Whether any window shows it.
    Visible(bool),
    /// It is seen in this window: its program is told the colours of it.
    Colours(WindowId),
    /// A key was typed into it.
    Key(KeyEvent),
    /// Text was pasted into it.
    Paste {
        /// The piece.
        text: String,
        /// Whether it is the first.
        first: bool,
        /// Whether it is the last.
        last: bool,
    },
    /// The pane got or lost the keyboard.
    Focus(bool),
    /// Give the program a prompt when it is ready.
    Deliver(PromptId, String),
    /// Give up a delivery that waits.
    Withdraw(PromptId),
    /// Its hooks prove what it is at; `begun` when a prompt that was typed has been taken.
    Word {
        /// What it is at.
        state: ProgramState,
        /// Whether it has just begun something.
        begun: bool,
    },
    /// Answer the dialog of a native CLI, if it is the one on its screen.
    Answer {
        /// Whose dialog.
        cli: Cli,
        /// What it asks; on the screen with it. May be empty.
        about: String,
        /// Whether the call may run.
        allow: bool,
    },
    /// Send the program an interrupt (Ctrl-C).
    Interrupt,
}

/// What is done when a commit fails, because nothing of it was kept.
#[derive(Debug, Clone, PartialEq)]
pub enum NotKept {
    /// Start again.
    Start,
    /// Put text back into the window's prompt bar.
    GiveBack(WindowId, String),
    /// Refuse a record that is held back: it was not kept.
    RefuseHeld(LaneId, TurnToken),
    /// Hold a record back again: what let it go on was not kept.
    HoldAgain(LaneId, TurnToken),
    /// Tell the turn's message again once the store takes writes.
    Turn(LaneId, TurnMsg),
    /// Tell the pane's message again once the store takes writes.
    Pane(LaneId, PaneMsg),
    /// Tell the lane's message again once the store takes writes.
    Lane(LaneId, LaneMsg),
    /// End the hold once the store takes writes.
    Lapse(ReservationId, Lease),
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Keep these changes in one transaction, then do the rest.
    Commit {
        /// The changes.
        changes: Vec<Change>,
        /// What waits for them.
        then: Vec<Effect>,
    },
    /// For a lane's actor.
    Lane(LaneId, LaneOrder),
    /// For a lane's pane.
    Pane(LaneId, PaneOrder),
    /// Answer a turn's record: kept, or refused in words.
    Recorded(TurnToken, Result<(), String>),
    /// Answer a turn that wants to call its model: counted, or refused in words.
    Reserved(TurnToken, Result<SpendId, String>),
    /// Answer a turn's question.
    Permitted(TurnToken, Verdict),
    /// Answer a hook of a native CLI.
    Hooked(RequestId, HookAnswer),
    /// Answer a command.
    Reply(RequestId, Reply),
    /// Ring once in every window: BEL, OSC 9 or OSC 777, as configured.
    Ring(String),
    /// Send the text to the window's clipboard: its terminal's (OSC 52), and the desktop's where it has one.
    Copy(WindowId, String),
    /// Copy the address, and open it where the window stands on a desktop. Says what it did by
    /// `WindowMsg::Said`.
    Open(WindowId, String),
    /// Let the window open the text in an editor, at this line (from 1). Reports `WindowMsg::Edited`.
    Edit {
        /// The window.
        window: WindowId,
        /// What the text is called.
        name: String,
        /// The text.
        text: String,
        /// The line.
        line: u64,
    },
    /// The mouse in a lane's pane, relative to it. What its program does not want comes back as
    /// `WindowMsg::UnwantedMouse`.
    PaneMouse(WindowId, LaneId, MouseEvent),
    /// The texts of these panes are needed, for words that are searched in all lanes. Reports
    /// `WindowMsg::PaneTexts`.
    PaneTexts {
        /// Who asks.
        window: WindowId,
        /// The words.
        words: String,
        /// The panes.
        panes: Vec<LaneId>,
    },
    /// The text of a lane's pane is needed. Reports `WindowMsg::PaneText`.
    PaneText(WindowId, LaneId),
    /// Send `Msg::Timer` at this moment, or earlier.
    WakeAt(Timestamp),
    /// End a window.
    EndWindow(WindowId, EndReason, String),
    /// Stands in a commit's `then`: done only if the commit fails.
    IfNotKept(NotKept),
    /// Ask a server for its models, for a window's set-up.
    ListModels {
        /// Who asks.
        window: WindowId,
        /// The server.
        base_url: String,
        /// The variable that holds the key.
        key_env: Option<String>,
    },
    /// Add a provider to the person's own configuration file.
    SaveProvider {
        /// Who asks.
        window: WindowId,
        /// Its name.
        name: String,
        /// The server.
        base_url: String,
        /// The variable that holds the key.
        key_env: Option<String>,
        /// The model.
        model: String,
    },
    /// Write the theme's name into the person's own configuration file.
    SaveTheme(String),
    /// Change the rules in a configuration file. Reports `Msg::RulesEdited`.
    EditRules(Asker, Box<RuleEdit>),
    /// Change the names for native CLIs in the person's own file. Reports `Msg::ClisEdited`.
    EditClis(Asker, Box<CliEdit>),
    /// Read the configuration again.
    ReadConfig,
    /// Read the newest entries of a lane that was closed. Reports `Msg::Transcript`.
    ReadTranscript(LaneId),
    /// Look what the base checkout stands on.
    LookAtBase,
    /// Look what was changed in the base checkout while a call of this lane ran. Reports `LaneMsg::BaseWritten`.
    CompareBase {
        /// The lane.
        lane: LaneId,
        /// Since when the call ran.
        since: Timestamp,
        /// The call, in words.
        call: String,
    },
    /// From now on look for edits in the base checkout too, or not any more. Reports `Msg::BaseEdited`.
    WatchEdits(bool),
    /// Compute a lane's changes against its base, for a window.
    Diff(WindowId, LaneId, Place),
    /// Find out what a lane's next request would hold. Reports `Msg::Context`.
    Context(Box<ContextAsk>),
    /// Look at the machine and the state's files. Reports `Msg::Doctor`.
    Doctor(Asker),
    /// Read a piece of history. Reports `Msg::History`.
    History(Asker, HistoryQuery),
    /// Look whether what a new lane needs is there: its program, its file of rules. Reports `Msg::LaneNeeds`, before
    /// anything else that comes in.
    LaneNeeds(Asker, Box<LaneWanted>),
    /// Find out what became of approvals. Reports `Msg::ApprovalHistory`.
    ApprovalHistory(Asker, ApprovalQuery),
    /// Find facts. Reports `Msg::Facts`.
    Facts(Asker, FactQuery),
    /// Change what is remembered for all projects of the person. Reports `Msg::UserFact`.
    UserFact(FactAsker, Box<FactAsk>),
    /// Answer a turn that wants something remembered: in words what came of it, or why nothing did.
    Remembered(TurnToken, Result<String, String>),
    /// Find out what skills there are. Reports `Msg::Skills`.
    Skills(Box<SkillsOrder>),
    /// Read what a command of coordination needs. Reports `Msg::Errand`.
    Errand(Box<Errand>),
    /// Send `Msg::Lapsed` after so many seconds, by a clock that nobody sets.
    Lease {
        /// The hold.
        reservation: ReservationId,
        /// The lease that is timed: a renewal is another one.
        lease: Lease,
        /// How long.
        seconds: u32,
    },
    /// End the workstation in order.
    Shutdown,
}
