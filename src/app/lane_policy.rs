//! The rules of one lane, made ready for use: those of the configuration, and its own, which may only tighten them.

use std::sync::Arc;

use crate::config::Origin;
use crate::domain::RuleText;
use crate::policy::{Policy, Rule, RuleEffect};

/// What the rules of a lane are made from: the configuration's, the lane's name, and its own.
type Of<'a> = (&'a Arc<Policy>, &'a String, &'a Vec<RuleText>);

/// Rules ready for use, and what they were made from.
#[derive(Debug)]
pub(super) struct LanePolicy {
    configured: Arc<Policy>,
    lane: String,
    rules: Vec<RuleText>,
    pub ready: Policy,
}

impl LanePolicy {
    pub fn new((configured, lane, rules): Of<'_>) -> Self {
        let own = rules.iter().enumerate().filter_map(|(at, text)| rule(lane, at + 1, text).ok());
        // What does not tighten was refused when it was to be kept.
        let own = own.filter(|rule| rule.effect != RuleEffect::Allow).collect();
        let (ready, configured) = (configured.with(own), Arc::clone(configured));
        Self { configured, lane: lane.clone(), rules: rules.clone(), ready }
    }

    pub fn is_of(&self, (configured, lane, rules): Of<'_>) -> bool {
        Arc::ptr_eq(&self.configured, configured) && self.lane == *lane && self.rules == *rules
    }
}

/// One rule of a lane.
///
/// # Errors
/// The key that is wrong, what is wrong with it and what to do.
pub(super) fn rule(lane: &str, number: usize, text: &RuleText) -> Result<Rule, (&'static str, String, String)> {
    let origin = Origin::Lane { lane: lane.to_owned(), number };
    let rule = Rule::new(&text.effect, &text.tool, &text.matches, text.reason.clone(), origin)?;
    rule.confirmed(text.two.then_some(2))
}
