//! What update needs of the outside, as values.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::State;
use crate::domain::ApprovalId;

/// Says what is wrong with the arguments of a tool, in words for whoever gave them. The schema is a tool server's, for
/// a tool that is none of ours.
pub type Fits = fn(tool: &str, schema: Option<&Value>, arguments: &Value) -> Result<(), String>;

/// The moment and the place a message is handled in.
#[derive(Debug, Clone)]
pub struct Env {
    /// Now.
    pub now: Timestamp,
    /// The person's time zone, for `HH:MM`.
    pub zone: TimeZone,
    /// What knows the tools of agents.
    pub fits: Fits,
}

impl Env {
    /// Whether the person's arguments are such as the tool of a question takes.
    ///
    /// # Errors
    /// What is wrong with them, and where.
    pub fn edit_fits(&self, state: &State, id: ApprovalId, edited: &Value) -> Result<(), String> {
        let Some(approval) = state.model.approvals.get(&id) else { return Ok(()) };
        let parked = state.live(approval.lane).and_then(|live| live.parked.get(&approval.call));
        let schema = parked.and_then(|parked| parked.request.schema.as_deref());
        (self.fits)(&approval.tool, schema, edited)
    }
}
