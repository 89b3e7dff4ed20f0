//! What update needs of the outside, as values.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The moment and the place a message is handled in.
#[derive(Debug, Clone)]
pub struct Env {
    /// Now.
    pub now: Timestamp,
    /// The person's time zone, for `HH:MM`.
    pub zone: TimeZone,
}
