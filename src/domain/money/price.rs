//! Tokens of a call, and what they cost.

use serde::{Deserialize, Serialize};

use super::Money;

/// Tokens of one model call, as the server counted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens sent.
    pub input: u64,
    /// Of those, served from the server's cache.
    pub cached: u64,
    /// Of those, written into the server's cache.
    #[serde(default)]
    pub cache_write: u64,
    /// Tokens received.
    pub output: u64,
    /// Of those, thoughts.
    #[serde(default)]
    pub reasoning: u64,
}

impl Usage {
    /// Tokens sent and received.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// Both together.
    #[must_use]
    pub const fn plus(&self, other: &Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cached: self.cached.saturating_add(other.cached),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            output: self.output.saturating_add(other.output),
            reasoning: self.reasoning.saturating_add(other.reasoning),
        }
    }

    /// The most of each: what reports of one call come to when some repeat or go on with others.
    #[must_use]
    pub fn most(&self, other: &Self) -> Self {
        Self {
            input: self.input.max(other.input),
            cached: self.cached.max(other.cached),
            cache_write: self.cache_write.max(other.cache_write),
            output: self.output.max(other.output),
            reasoning: self.reasoning.max(other.reasoning),
        }
    }
}

/// What one token costs, of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// Sent.
    pub input: Money,
    /// Sent, and served from the cache.
    pub cached: Money,
    /// Sent, and written into the cache.
    pub cache_write: Money,
    /// Received.
    pub output: Money,
}

impl Price {
    /// What a call cost. Each token is priced once: what the cache served or took is no plain input any more.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> Money {
        let cached = usage.cached.min(usage.input);
        let written = usage.cache_write.min(usage.input - cached);
        let plain = usage.input - cached - written;
        self.input.times(plain)
            + self.cached.times(cached)
            + self.cache_write.times(written)
            + self.output.times(usage.output)
    }

    /// The most that a call with so many tokens can cost, whatever the cache does.
    #[must_use]
    pub fn most(&self, usage: &Usage) -> Money {
        self.input.max(self.cached).max(self.cache_write).times(usage.input) + self.output.times(usage.output)
    }
}
