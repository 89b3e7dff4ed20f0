//! The words of Paralane as plain data: ids, states, lanes, prompts, approvals, conflicts, entries,
//! changes, keys, frames and port traits.
//!
//! Every other room speaks these types. Nothing here does I/O, reads a clock or makes an id.
//! Each state is one enum with one transition function; each mutation is one [`Change`].

mod approval;
mod change;
mod checkpoint;
mod co_change;
mod conflict;
mod context;
mod entry;
mod files;
mod forge;
mod history;
mod hook;
mod ids;
mod input;
mod issue;
mod lane;
mod lane_door;
mod mail;
mod mail_query;
mod memory;
mod money;
mod native;
mod notes;
mod offer;
mod pane;
mod pane_text;
mod party;
mod plan;
mod port;
mod program;
mod prompt;
mod reasoning;
mod reservation;
mod rule;
mod server;
mod shared_work;
mod skill;
mod snapshot;
mod tool;
mod walls;
mod work_report;

pub use approval::{AnswerScope, Answerer, Approval, ApprovalEvent, ApprovalState, RuleOrigin, Seat};
pub use change::{Change, Seen};
pub use checkpoint::{Checkpoint, LeftBehind, SavedFiles, Taken};
pub use co_change::{ChangeHistory, CoChange};
pub use conflict::{Conflict, ConflictEvent, ConflictKind, ConflictState};
pub use context::{ContextView, Counted, Layer, LayerPart, LayerShare, LayersOff};
pub use entry::{Entry, EntryBody, NoticeLevel};
pub use files::{Expect, FileError, FileKind, Files, Listed, Walk};
pub use forge::{Forge, ForgeFault, ForgeIssue, ForgeKind};
pub use history::{Event, EventBounds, HISTORY_KINDS, History, HistoryOf, HistoryQuery};
pub use hook::{HookEvent, HookTrust};
pub use ids::{
    ApprovalId, BudgetId, ClaimId, ConflictId, IssueId, LaneId, MessageId, OfferId, ParseIdError, PromptId, ReportId,
    ReservationId, ScheduledId, SpendId, TicketId, WindowId,
};
pub use input::{
    InputEvent, Key, KeyCode, KeyEvent, KeyKind, Modifiers, MoreModifiers, MouseButton, MouseEvent, MouseKind,
    TerminalReport,
};
pub use issue::{Claim, Handoff, Issue, IssueChange};
pub use lane::{
    BaseRef, GitFacts, Lane, LaneKind, LaneName, LaneNameError, LaneStage, LaneStageEvent, LaneState, Mode, Place,
    WaitReason,
};
pub use lane_door::{LANE_TOOLS, LaneDoor};
pub use mail::{Attachment, AwaitedAck, Draft, MailChange, MailHead, Mailboxes, Message, Scheduled, SendWhen};
pub use mail_query::{MailFilter, MailHit, MailPage, MailQuery, Piece, Received};
pub use memory::{
    Author, FACT_BYTES, Fact, FactAsk, FactDone, FactFault, FactId, FactScope, MAX_FACTS, ParseFactIdError, Recall,
    TextFault, fact_text, query_words, redacted, search_words, settle_fact,
};
pub use money::{
    Account, Admission, Budget, BudgetScope, Ledger, Limit, Money, MoneyError, Period, Price, Spend, SpendAsk,
    SpendEnd, SpendState, Standing, Sum, Usage, WARN_PERCENT, admit,
};
pub use native::{
    Answered, Asking, Cli, Conversation, Guard, HookAnswer, HookCall, NativeCall, NativeEvent, NativeLane, NativeUsage,
    ReasonClass, UnknownCli,
};
pub use notes::{CompactCause, Compaction, Notes, NotesEntry, UpTo};
pub use offer::{Offer, OfferKind, OfferOutcome};
pub use pane::{
    Cell, CellStyle, Cells, Colour, CursorShape, LinkId, PaneFrame, PaneModes, PaneStatus, Size, Underline,
};
pub use pane_text::{Block, Line, MAX_LINE, Mark, Packer, PaneText, Run, Span, StyleNumber};
pub use party::Party;
pub use plan::{AppliedPlan, Plan, PlanChange};
pub use port::{GitAsk, LaneGit, PortFuture, TurnOutcome, TurnPort, TurnRecord, Verdict};
pub use program::{NeedKind, ProgramState, ProgramStatus, Saying};
pub use prompt::{Hold, Priority, Prompt, PromptEvent, PromptState, next_in_series};
pub use reasoning::Reasoning;
pub use reservation::{HoldChange, Lease, Reservation, Ticket};
pub use rule::RuleText;
pub use server::{ServerState, ServerTool, ServerView};
pub use shared_work::{Deadlines, Keyed, Keys, SharedIds, SharedWork};
pub use skill::{Skill, SkillFault, SkillLayer, Skills, SkillsAsk, SkillsFound};
pub use snapshot::{LastIds, Snapshot};
pub use tool::{CallId, CallRequest, CallState, ChildStep, TodoItem, TodoState, ToolCall, ToolImage, ToolOutcome};
pub use walls::{Sandbox, Tenant, Walls};
pub use work_report::{WorkReport, WorkState};

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
