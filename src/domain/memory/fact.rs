//! A fact, and what a request about facts comes to in a scope.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::domain::{Change, PromptId};

/// Facts that a scope may hold: more than anyone keeps in mind, few enough to be loaded whole.
pub const MAX_FACTS: usize = 500;

/// For whom a fact holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactScope {
    /// For everyone who works on this project here.
    #[default]
    Project,
    /// For all projects of this person.
    User,
}

impl FactScope {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Project, Self::User];

    /// The word that people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
        }
    }

    /// The scope of this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.word() == word)
    }

    const fn letter(self) -> char {
        match self {
            Self::Project => 'm',
            Self::User => 'u',
        }
    }
}

/// A fact's id: `m3` in a project, `u3` for all projects of a person. Never given twice in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct FactId {
    /// For whom it holds.
    pub scope: FactScope,
    /// From 1.
    pub number: i64,
}

/// The text is no fact's id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no id of a fact: expected `m` or `u` and a number, such as `m3`; `memory list` shows them")]
pub struct ParseFactIdError(pub String);

impl fmt::Display for FactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.scope.letter(), self.number)
    }
}

impl FromStr for FactId {
    type Err = ParseFactIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = || {
            let scope = FactScope::ALL.into_iter().find(|scope| text.starts_with(scope.letter()))?;
            let digits = &text[1..];
            let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let number = digits.parse().ok().filter(|_| plain)?;
            Some(Self { scope, number })
        };
        read().ok_or_else(|| ParseFactIdError(text.to_owned()))
    }
}

impl From<FactId> for String {
    fn from(id: FactId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for FactId {
    type Error = ParseFactIdError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// Who had a fact kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub enum Author {
    /// The person, by a command.
    Person,
    /// An agent, with the person's consent.
    Agent {
        /// The project that it worked on.
        project: String,
        /// The name that its lane had.
        lane: String,
        /// The prompt it worked on.
        prompt: PromptId,
    },
}

/// Something that is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// Its id.
    pub id: FactId,
    /// Its text, see [`super::fact_text`]. Escape before showing all the same.
    pub text: String,
    /// Who had it kept.
    pub author: Author,
    /// When.
    pub created: Timestamp,
    /// When the person last changed its text.
    pub edited: Option<Timestamp>,
}

/// What is asked of a scope. Texts are as [`super::fact_text`] gives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactAsk {
    /// Keep a fact.
    Keep {
        /// Where.
        scope: FactScope,
        /// Its text.
        text: String,
        /// Who asks.
        author: Author,
    },
    /// Give a fact another text.
    Edit {
        /// Which.
        id: FactId,
        /// Its new text.
        text: String,
    },
    /// Let a fact go.
    Forget {
        /// Which.
        id: FactId,
    },
}

impl FactAsk {
    /// Whose facts it is about.
    #[must_use]
    pub const fn scope(&self) -> FactScope {
        match self {
            Self::Keep { scope, .. } => *scope,
            Self::Edit { id, .. } | Self::Forget { id } => id.scope,
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactDone {
    /// It is kept from now on.
    Kept(FactId),
    /// The same text was kept before.
    Known(FactId),
    /// It has another text.
    Edited(FactId),
    /// It is gone.
    Forgotten(FactId),
}

impl fmt::Display for FactDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let for_whom = |id: &FactId| match id.scope {
            FactScope::Project => "for this project",
            FactScope::User => "for all your projects",
        };
        match self {
            Self::Kept(id) => write!(f, "{id} remembered {}", for_whom(id)),
            Self::Known(id) => write!(f, "{id} says so already: nothing new is kept"),
            Self::Edited(id) => write!(f, "{id} changed"),
            Self::Forgotten(id) => write!(f, "{id} forgotten"),
        }
    }
}

/// Why nothing came of it. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FactFault {
    /// There is no such fact.
    #[error("there is no fact {0}; `memory list` shows what is remembered")]
    Missing(FactId),
    /// The scope is full.
    #[error(
        "{MAX_FACTS} facts are remembered for this {} already, and no more fit; `memory forget ID` makes room",
        .0.word()
    )]
    Full(FactScope),
    /// Another fact has the text.
    #[error("{0} says so already; `memory forget` one of the two")]
    Taken(FactId),
}

/// What a request comes to in a scope that holds these facts and has given ids up to `last`: what to say of it, and
/// the change that makes it so, if anything changes.
///
/// # Errors
/// When it cannot be done.
pub fn settle_fact<'a>(
    facts: impl Iterator<Item = &'a Fact> + Clone,
    last: i64,
    ask: &FactAsk,
    at: Timestamp,
) -> Result<(FactDone, Option<Change>), FactFault> {
    let find = |id: FactId| facts.clone().find(|fact| fact.id == id).ok_or(FactFault::Missing(id));
    match ask {
        FactAsk::Keep { scope, text, author } => {
            if let Some(same) = facts.clone().find(|fact| fact.text == *text) {
                return Ok((FactDone::Known(same.id), None));
            }
            if facts.count() >= MAX_FACTS {
                return Err(FactFault::Full(*scope));
            }
            let id = FactId { scope: *scope, number: last + 1 };
            let fact = Fact { id, text: text.clone(), author: author.clone(), created: at, edited: None };
            Ok((FactDone::Kept(id), Some(Change::FactKept { fact: Box::new(fact) })))
        }
        FactAsk::Edit { id, text } => {
            let old = find(*id)?;
            match facts.clone().find(|fact| fact.text == *text) {
                Some(same) if same.id == *id => Ok((FactDone::Known(*id), None)),
                Some(same) => Err(FactFault::Taken(same.id)),
                None => {
                    let fact = Fact { text: text.clone(), edited: Some(at), ..old.clone() };
                    Ok((FactDone::Edited(*id), Some(Change::FactKept { fact: Box::new(fact) })))
                }
            }
        }
        FactAsk::Forget { id } => {
            find(*id)?;
            Ok((FactDone::Forgotten(*id), Some(Change::FactForgotten { fact: *id })))
        }
    }
}
