//! Changes: the whole vocabulary of durable mutation.
//!
//! `app` decides on changes and applies them to its model; `store` applies the same changes to SQLite
//! and writes one event for each, all changes of one decision in one transaction.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    AnswerScope, Answerer, Approval, ApprovalId, ApprovalState, Budget, BudgetId, CallId, CallState, Checkpoint,
    Conflict, ConflictId, ConflictState, Deadlines, Entry, Fact, FactId, Hold, HoldChange, IssueChange, Keyed, Lane,
    LaneId, LaneKind, LaneName, LaneStage, Layer, MailChange, Mode, Money, Place, PlanChange, Priority, Prompt,
    PromptId, PromptState, ReasonClass, Reservation, ReservationId, RuleText, Spend, SpendId, SpendState, Usage,
    WorkReport,
};

/// Whether the person has looked at a lane since its last prompt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    /// Looked at.
    Yes,
    /// Something ended that nobody has looked at.
    No,
}

/// One durable mutation. Serialised, it is also the event that history keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "change")]
#[allow(missing_docs, reason = "the fields are those of the types they change")]
pub enum Change {
    /// A lane exists from now on.
    LaneAdded { lane: Box<Lane> },
    /// A lane's stage changed.
    LaneMoved { lane: LaneId, stage: LaneStage, error: Option<String>, at: Timestamp },
    /// A lane got another name. Its branch keeps the old one.
    LaneRenamed { lane: LaneId, name: LaneName },
    /// A lane works elsewhere: restored, or its base became known.
    LanePlaced { lane: LaneId, place: Place },
    /// Copy and init have run in the lane's worktree, or must run again.
    LaneSetUp { lane: LaneId, done: bool },
    /// A lane got a mode of its own, or lost it.
    LaneModeSet { lane: LaneId, mode: Option<Mode> },
    /// A lane got another model or command.
    LaneKindSet { lane: LaneId, kind: LaneKind },
    /// A layer of a lane's context was switched on or off.
    LayerSwitched { lane: LaneId, layer: Layer, on: bool },
    /// A lane has these rules of its own from now on, and no others.
    LaneRulesSet { lane: LaneId, rules: Vec<RuleText> },
    /// The person looked at a lane, or something ended unseen.
    LaneSeen { lane: LaneId, seen: Seen },
    /// A prompt exists from now on.
    PromptAdded { prompt: Box<Prompt> },
    /// A prompt's state changed. `result` and `error` replace what stood there.
    PromptMoved { prompt: PromptId, state: PromptState, result: Option<String>, error: Option<String>, at: Timestamp },
    /// The person changed a queued prompt's text.
    PromptEdited { prompt: PromptId, text: String },
    /// The person changed a queued prompt's place, priority or lane.
    PromptPlaced { prompt: PromptId, lane: LaneId, position: i64, priority: Priority },
    /// What a prompt is held until changed.
    PromptHeld { prompt: PromptId, hold: Option<Hold> },
    /// The person overrode these lanes' holds once for this prompt.
    PromptOverrode { prompt: PromptId, lanes: Vec<LaneId> },
    /// The transcript grew.
    EntryAdded { entry: Box<Entry> },
    /// A tool call came one step further.
    CallMoved { lane: LaneId, prompt: PromptId, call: CallId, state: CallState },
    /// A running turn wrote, or is about to write, these paths.
    PathsWritten { lane: LaneId, paths: Vec<String> },
    /// The lane's turn is over; what it wrote is no live hold any more.
    PathsReleased { lane: LaneId },
    /// An agent asks.
    ApprovalAdded { approval: Box<Approval> },
    /// The person answered, or the turn that asked is over.
    ApprovalMoved {
        approval: ApprovalId,
        state: ApprovalState,
        scope: Option<AnswerScope>,
        reason: Option<String>,
        /// Replaces the call's arguments, when the person edited them.
        arguments: Option<serde_json::Value>,
        /// Who answered; none for a rule, and when it expired.
        #[serde(default)]
        by: Option<Answerer>,
        at: Timestamp,
    },
    /// One of two has said yes; the call waits for the other.
    ApprovalConfirmed { approval: ApprovalId, by: Answerer, at: Timestamp },
    /// The exact call is allowed from now on: in one lane, or in every lane.
    CallRemembered { lane: Option<LaneId>, tool: String, action: String },
    /// A hook of a native CLI was answered: event and tool by its own words, and what the answer rests on.
    HookAnswered { lane: LaneId, event: String, tool: String, answer: String, class: ReasonClass },
    /// Preflight found an overlap.
    ConflictAdded { conflict: Box<Conflict> },
    /// A conflict was decided or ended.
    ConflictMoved { conflict: ConflictId, state: ConflictState },
    /// A hold on paths exists from now on.
    ReservationAdded { reservation: Box<Reservation> },
    /// A hold on paths ended.
    ReservationReleased { reservation: ReservationId },
    /// A hold lasts anew or moved, or a lane waits for one.
    Hold(HoldChange),
    /// A step of an issue.
    Issue(IssueChange),
    /// A step of mail.
    Mail(MailChange),
    /// A step of the plan.
    Plan(PlanChange),
    /// A lane's account of its work.
    Reported { report: Box<WorkReport> },
    /// When things are due unless somebody says otherwise.
    DeadlinesSet { deadlines: Deadlines },
    /// Something was done under a key.
    Keyed { keyed: Box<Keyed> },
    /// A point to go back to exists from now on.
    CheckpointAdded { checkpoint: Box<Checkpoint> },
    /// Points to go back to are gone.
    CheckpointsForgotten { lane: LaneId, numbers: Vec<u64> },
    /// A model call is about to be made: the most that it can come to is counted.
    SpendReserved { spend: Box<Spend> },
    /// A model call is over. One that is over already stays as it is.
    SpendSettled { spend: SpendId, state: SpendState, usage: Usage, cost: Option<Money> },
    /// A budget exists from now on, or is another one.
    BudgetSet { budget: BudgetId, rule: Budget },
    /// A budget is gone.
    BudgetRemoved { budget: BudgetId },
    /// A fact is remembered from now on, or has another text.
    FactKept { fact: Box<Fact> },
    /// A fact is not remembered any more.
    FactForgotten { fact: FactId },
    /// The mode for lanes without one of their own.
    ModeSet { mode: Mode },
    /// The default provider and model for own agents.
    ModelSet { provider: String, model: String },
    /// The person trusted this content of the project's configuration (SHA-256, hexadecimal).
    ConfigTrusted { hash: String },
}
