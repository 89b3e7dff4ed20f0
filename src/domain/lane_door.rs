//! The door through which a lane's program reaches the workstation: its tools for coordination.

use serde_json::{Map, Value};

use super::{LaneId, PortFuture};

/// The names of a lane's tools for coordination, as programs and own agents call them.
pub const LANE_TOOLS: &[&str] = &[
    "lanes",
    "issues",
    "next_issues",
    "claim",
    "release_issue",
    "offer",
    "request_issue",
    "accept",
    "decline",
    "cancel_offer",
    "reserve",
    "release",
    "reservations",
    "send",
    "inbox",
    "wait",
    "read_message",
    "thread",
    "search_mail",
    "acknowledge",
    "report",
];

/// What the programs of lanes may ask of the workstation. Who asks is settled by the caller: by a token, or by being
/// the lane's own agent.
pub trait LaneDoor: Send + Sync {
    /// The lane that a token stands for, while it is valid.
    fn lane_of(&self, token: &str) -> Option<LaneId>;

    /// Calls one of the lane's tools. Dropping the future gives the wait up; what was kept by then stays.
    ///
    /// # Errors
    /// In words that a model can act on; nothing has changed then.
    fn call(
        &self,
        lane: LaneId,
        tool: String,
        arguments: Map<String, Value>,
    ) -> PortFuture<'static, Result<String, String>>;
}
