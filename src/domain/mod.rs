//! The words of Paralane as plain data: ids, states, lanes, prompts, approvals, conflicts, entries,
//! changes, keys, frames and port traits.
//!
//! Every other room speaks these types. Nothing here does I/O, reads a clock or makes an id.
//! Each state is one enum with one transition function; each mutation is one [`Change`].

mod approval;
mod change;
mod checkpoint;
mod conflict;
mod context;
mod entry;
mod files;
mod hook;
mod ids;
mod input;
mod lane;
mod lane_door;
mod memory;
mod money;
mod native;
mod notes;
mod pane;
mod pane_text;
mod port;
mod program;
mod prompt;
mod reasoning;
mod reservation;
mod server;
mod skill;
mod snapshot;
mod tool;
mod walls;

pub use approval::{AnswerScope, Approval, ApprovalEvent, ApprovalState, RuleOrigin};
pub use change::{Change, Seen};
pub use checkpoint::{Checkpoint, LeftBehind, SavedFiles, Taken};
pub use conflict::{Conflict, ConflictEvent, ConflictKind, ConflictState};
pub use context::{ContextView, Counted, Layer, LayerPart, LayerShare, LayersOff};
pub use entry::{Entry, EntryBody, NoticeLevel};
pub use files::{Expect, FileError, FileKind, Files, Listed, Walk};
pub use hook::{HookEvent, HookTrust};
pub use ids::{ApprovalId, BudgetId, ConflictId, LaneId, ParseIdError, PromptId, ReservationId, SpendId, WindowId};
pub use input::{
    InputEvent, Key, KeyCode, KeyEvent, KeyKind, Modifiers, MoreModifiers, MouseButton, MouseEvent, MouseKind,
    TerminalReport,
};
pub use lane::{
    BaseRef, GitFacts, Lane, LaneKind, LaneName, LaneNameError, LaneStage, LaneStageEvent, LaneState, Mode, Place,
    WaitReason,
};
pub use lane_door::{LANE_TOOLS, LaneDoor};
pub use memory::{
    Author, FACT_BYTES, Fact, FactAsk, FactDone, FactFault, FactId, FactScope, MAX_FACTS, ParseFactIdError, Recall,
    TextFault, fact_text, query_words, search_words, settle_fact,
};
pub use money::{
    Account, Admission, Budget, BudgetScope, Ledger, Limit, Money, MoneyError, Period, Price, Spend, SpendAsk,
    SpendEnd, SpendState, Standing, Sum, Usage, WARN_PERCENT, admit,
};
pub use native::{
    Asking, Cli, Conversation, Guard, HookAnswer, HookCall, NativeCall, NativeEvent, NativeLane, ReasonClass,
    UnknownCli,
};
pub use notes::{CompactCause, Compaction, Notes, NotesEntry, UpTo};
pub use pane::{
    Cell, CellStyle, Cells, Colour, CursorShape, LinkId, PaneFrame, PaneModes, PaneStatus, Size, Underline,
};
pub use pane_text::{Block, Line, MAX_LINE, Mark, Packer, PaneText, Run, Span, StyleNumber};
pub use port::{GitAsk, LaneGit, PortFuture, TurnOutcome, TurnPort, TurnRecord, Verdict};
pub use program::{NeedKind, ProgramState, ProgramStatus};
pub use prompt::{Hold, Priority, Prompt, PromptEvent, PromptState, next_in_series};
pub use reasoning::Reasoning;
pub use reservation::Reservation;
pub use server::{ServerState, ServerTool, ServerView};
pub use skill::{Skill, SkillFault, SkillLayer, Skills, SkillsAsk, SkillsFound};
pub use snapshot::{LastIds, Snapshot};
pub use tool::{CallId, CallRequest, CallState, ChildStep, TodoItem, TodoState, ToolCall, ToolImage, ToolOutcome};
pub use walls::{Sandbox, Walls};

/// A state machine was asked for a step that it does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} cannot go from `{from}` by `{event}`")]
pub struct IllegalTransition {
    /// What kind of thing: `prompt`, `approval`, …
    pub what: &'static str,
    /// The state it is in.
    pub from: String,
    /// The event that does not fit.
    pub event: String,
}
