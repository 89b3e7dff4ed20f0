//! The layers of an own agent's context: what a request holds, by name, and what each part of it weighs.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Money;

/// One layer of a request, in the order in which the model gets them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// The definitions of the tools.
    Tools,
    /// What the agent is told of itself.
    System,
    /// The project's rules: `AGENTS.md` and `CLAUDE.md` of the worktree's root.
    Rules,
    /// The same files of directories that the agent has touched.
    Scoped,
    /// The names of skills and what they are for.
    Skills,
    /// Remembered facts that fit the prompt.
    Memory,
    /// Notes that stand for the older part of the conversation.
    Notes,
    /// Earlier turns.
    Turns,
    /// The prompt that runs, and what has come of it so far.
    Input,
}

impl Layer {
    /// All layers, in the order in which the model gets them.
    pub const ALL: [Self; 9] = [
        Self::Tools,
        Self::System,
        Self::Rules,
        Self::Scoped,
        Self::Skills,
        Self::Memory,
        Self::Notes,
        Self::Turns,
        Self::Input,
    ];

    /// The words of those that can be switched off.
    pub const OPTIONAL: &'static [&'static str] = &["rules", "scoped", "skills", "memory", "notes", "turns"];

    /// The word that people, commands and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::System => "system",
            Self::Rules => "rules",
            Self::Scoped => "scoped",
            Self::Skills => "skills",
            Self::Memory => "memory",
            Self::Notes => "notes",
            Self::Turns => "turns",
            Self::Input => "input",
        }
    }

    /// Whether an agent can work without it.
    #[must_use]
    pub const fn optional(self) -> bool {
        matches!(self, Self::Rules | Self::Scoped | Self::Skills | Self::Memory | Self::Notes | Self::Turns)
    }

    /// Whether every request holds it, whatever was said.
    #[must_use]
    pub const fn fixed(self) -> bool {
        !matches!(self, Self::Turns | Self::Input)
    }

    /// The layer of this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.word() == word)
    }
}

/// The layers that are switched off.
pub type LayersOff = BTreeSet<Layer>;

/// One part of a layer: a file, or a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerPart {
    /// Its path, relative to the worktree; of a fact its id.
    pub name: String,
    /// Its tokens.
    pub tokens: u64,
    /// Why it is not there in full; of a fact that is, its text.
    pub note: Option<String>,
}

/// What one layer weighs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerShare {
    /// Which.
    pub layer: Layer,
    /// Whether it goes into requests.
    pub on: bool,
    /// Its tokens; of one that is off, those it would have.
    pub tokens: u64,
    /// What it is made of, where it has parts.
    pub parts: Vec<LayerPart>,
}

/// Where the numbers of tokens come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Counted {
    /// Estimated from the text alone: no answer of a server has told a number yet.
    Estimated,
    /// The same: servers have counted requests, but none since notes stand for the older part of the conversation.
    BeforeNotes,
    /// The same: servers have counted requests with earlier turns, which are switched off now.
    WithTurns,
    /// The same: the server counts something else than what was sent.
    Doubted {
        /// What it counted of the last request.
        told: u64,
        /// What the text of that request comes to.
        estimated: u64,
    },
    /// Estimated from the text, times the server's own count of the last request over the estimate of it.
    ByServer {
        /// That quotient.
        scale: f64,
    },
}

/// What a lane's next request would hold.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextView {
    /// Every layer, in the order in which the model gets them.
    pub layers: Vec<LayerShare>,
    /// Where the numbers come from.
    pub counted: Counted,
    /// What the model takes, if the configuration says.
    pub window: Option<u64>,
    /// Of that, what is kept free for the answer.
    pub reserve: u64,
    /// Messages that do not fit and are left out.
    pub left_out: usize,
    /// What one token sent costs, if the configuration says.
    pub price: Option<Money>,
}

impl ContextView {
    /// Tokens of all layers that are on.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.layers.iter().filter(|share| share.on).map(|share| share.tokens).sum()
    }

    /// What the next request costs to send, without a server's cache.
    #[must_use]
    pub fn cost(&self) -> Option<Money> {
        self.price.map(|price| price.times(self.total()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_name_the_layers() {
        for layer in Layer::ALL {
            assert_eq!(Layer::of(layer.word()), Some(layer));
            assert_eq!(serde_json::to_value(layer).unwrap(), layer.word());
            assert_eq!(Layer::OPTIONAL.contains(&layer.word()), layer.optional());
        }
    }
}
