//! Everything durable at one moment, as loaded from the store at start or after a failed write.

use super::{
    Approval, Budget, BudgetId, CallId, CallState, Checkpoint, Conflict, Entry, Fact, Lane, LaneId, Ledger, Prompt,
    Reservation, RuleText, SharedWork,
};

/// All durable state that the running whole keeps in memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    /// Every lane, closed ones too, by id.
    pub lanes: Vec<Lane>,
    /// Open prompts of every lane, and the newest ended ones, by id.
    pub prompts: Vec<Prompt>,
    /// Every pending approval and the newest answered ones, by id.
    pub approvals: Vec<Approval>,
    /// Every open conflict and the newest ended ones, by id.
    pub conflicts: Vec<Conflict>,
    /// Every reservation, by id.
    pub reservations: Vec<Reservation>,
    /// Issues, offers, queues for holds, mail, plan, reports.
    pub shared: SharedWork,
    /// Every checkpoint, by lane and number.
    pub checkpoints: Vec<Checkpoint>,
    /// The newest entries of each lane, of a closed one only the last, by lane and seq.
    pub entries: Vec<Entry>,
    /// Calls that are not finished.
    pub calls: Vec<(LaneId, CallId, CallState)>,
    /// Remembered answers: lane (none means every lane), tool, exact action.
    pub remembered: Vec<(Option<LaneId>, String, String)>,
    /// Paths written by turns that are not over, relative to the root.
    pub written: Vec<(LaneId, String)>,
    /// Layers of lanes' contexts that are switched off.
    pub layers_off: Vec<(LaneId, super::Layer)>,
    /// Rules of single lanes.
    pub lane_rules: Vec<(LaneId, Vec<RuleText>)>,
    /// What model calls use and cost: those under way, sums of the others, sums of the newest turns.
    pub ledger: Ledger,
    /// Budgets that the person set, by id.
    pub budgets: Vec<(BudgetId, Budget)>,
    /// What is remembered of the project, by id.
    pub facts: Vec<Fact>,
    /// The mode for lanes that have none of their own, if the person set one.
    pub mode: Option<super::Mode>,
    /// The model that own agents use by default, if the person chose one: provider, model.
    pub model: Option<(String, String)>,
    /// Hashes of project configurations that the person trusted (SHA-256, hexadecimal).
    pub trusted: Vec<String>,
    /// The highest id ever given in each kind: lane, prompt, approval, conflict, reservation, spend, budget, fact.
    pub last_ids: LastIds,
}

/// The highest id ever given in each kind; ids are never used again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LastIds {
    /// Lanes.
    pub lane: i64,
    /// Prompts.
    pub prompt: i64,
    /// Approvals.
    pub approval: i64,
    /// Conflicts.
    pub conflict: i64,
    /// Reservations.
    pub reservation: i64,
    /// Spends.
    pub spend: i64,
    /// Budgets.
    pub budget: i64,
    /// Facts of the project.
    pub fact: i64,
}
