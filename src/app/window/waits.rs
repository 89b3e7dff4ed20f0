//! What an approval still waits for, in words: the yes of a second person, and until when.

use jiff::Timestamp;

use super::text::Tone;
use crate::base::length_words;
use crate::domain::Approval;

/// How many have said yes, and who, where two have to.
#[must_use]
pub fn approval_two(approval: &Approval) -> Option<(Tone, String)> {
    let (needs, yes) = (approval.needs, approval.said_yes());
    if needs < 2 {
        return None;
    }
    Some(match &approval.confirmed {
        Some(first) => (Tone::Warn, format!("{yes} of {needs} said yes: {}", first.words)),
        None => (Tone::Warn, format!("{yes} of {needs} said yes; each at a terminal of their own")),
    })
}

/// How much time is left for an answer. Under two minutes it is told by the second.
#[must_use]
pub fn approval_left(approval: &Approval, now: Timestamp) -> Option<String> {
    let left = u64::try_from(approval.expires?.duration_since(now).as_secs()).unwrap_or(0);
    let left = if left < 120 { left } else { left / 60 * 60 };
    Some(format!("expires in {}", length_words(left)))
}

/// When it expires, for a text that stands.
pub(super) fn expiry(approval: &Approval) -> Option<String> {
    Some(format!("expires at {:.0} if nobody has answered", approval.expires?))
}

/// Whether no answer holds for the next call like it.
#[must_use]
pub fn once_only(approval: &Approval) -> bool {
    approval.asks_each_time() || approval.needs > 1
}
