//! What is remembered across sessions: facts of a project and facts of a person.
//!
//! `fact` says what a fact is and what a request about facts comes to; `text` says what may become one; `secret` knows
//! what looks like a key; `words` makes the words that are searched out of any text. A scope is a book of its own:
//! the project's stands in its store, the person's in one file for all projects. Both are asked by [`settle_fact`].

mod fact;
mod secret;
mod text;
mod words;

#[cfg(test)]
mod tests;

pub use fact::{
    Author, Fact, FactAsk, FactDone, FactFault, FactId, FactScope, MAX_FACTS, ParseFactIdError, settle_fact,
};
pub use secret::redacted;
pub use text::{FACT_BYTES, TextFault, fact_text};
pub use words::{query_words, search_words};

/// Facts that fit what is asked, best first, and what could not be looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recall {
    /// The facts.
    pub facts: Vec<Fact>,
    /// Why a scope could not be looked at, in words.
    pub faults: Vec<String>,
}
