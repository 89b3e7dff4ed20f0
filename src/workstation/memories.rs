//! What is remembered: facts found for turns and for people, and the person's own facts changed. Also when no
//! workstation runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;

use super::engine::Engine;
use super::shared::blocking;
use crate::app::{Asker, FactAsker, FactQuery, Msg};
use crate::base::Report;
use crate::domain::{Entry, EntryBody, Fact, FactAsk, FactDone, FactScope, PromptId, Recall, query_words};
use crate::store::{ProjectMemory, Store, StoreError, UserMemory};

/// Facts of each scope that are found for a prompt: more than fit into a request.
const FOUND: usize = 20;

/// Both books, through connections that stay open.
pub(super) struct Memories {
    project: ProjectMemory,
    user: UserMemory,
}

impl Memories {
    pub const fn new(store: PathBuf, user: PathBuf) -> Self {
        Self { project: ProjectMemory::new(store), user: UserMemory::new(user) }
    }

    /// Facts that fit the text, best first. Blocks for a fraction of a millisecond.
    pub fn recall(&self, text: &str) -> Recall {
        let words = query_words(text);
        if words.is_empty() {
            return Recall::default();
        }
        merge(self.project.search(&words, FOUND), self.user.search(&words, FOUND))
    }

    /// The store is about to be closed.
    pub fn close(&self) {
        self.project.close();
    }

    fn find(&self, query: &FactQuery) -> Recall {
        match query {
            FactQuery::Fitting(text) => self.recall(text),
            FactQuery::All(scope) => all_of(&self.user, *scope),
        }
    }

    fn settle(&self, ask: &FactAsk) -> Result<FactDone, Report> {
        let settled = self.user.settle(ask, Timestamp::now()).map_err(|error| Report::refused(error.to_string()))?;
        settled.map_err(|fault| Report::refused(fault.to_string()))
    }
}

/// The person's facts, if they are wanted. The project's stand in the state.
fn all_of(user: &UserMemory, scope: Option<FactScope>) -> Recall {
    if scope == Some(FactScope::Project) { Recall::default() } else { merge(Ok(Vec::new()), user.all()) }
}

/// The best of both in turns: what one says of its own order says nothing of the other's.
fn merge(project: Result<Vec<Fact>, StoreError>, user: Result<Vec<Fact>, StoreError>) -> Recall {
    let mut recall = Recall::default();
    let mut both = [project, user].map(|found| match found {
        Ok(facts) => facts.into_iter(),
        Err(error) => {
            recall.faults.push(error.to_string());
            Vec::new().into_iter()
        }
    });
    loop {
        let next: Vec<Fact> = both.iter_mut().filter_map(Iterator::next).collect();
        if next.is_empty() {
            return recall;
        }
        recall.facts.extend(next);
    }
}

/// Facts as they are found when no workstation runs: `store` and `user` are the two files. Blocks.
#[must_use]
pub fn look(store: &Path, user: &Path, query: &FactQuery) -> Recall {
    let user = UserMemory::new(user.to_owned());
    match query {
        FactQuery::Fitting(text) => {
            let words = query_words(text);
            merge(Store::facts(store, &words, FOUND), user.search(&words, FOUND))
        }
        FactQuery::All(scope) => all_of(&user, *scope),
    }
}

/// The words of the prompt that runs, or of the last one.
#[must_use]
pub fn prompt_of(entries: &[Entry], prompt: Option<PromptId>) -> &str {
    let said = entries.iter().rev().filter(|entry| prompt.is_none() || entry.prompt == prompt);
    let text = said.filter_map(|entry| match &entry.body {
        EntryBody::Prompt { text } => Some(text.as_str()),
        _ => None,
    });
    let mut text = text;
    text.next().unwrap_or_default()
}

/// Finds in the background and tells the loop.
pub(super) fn find(engine: &Engine, asker: Asker, query: FactQuery) {
    let shared = Arc::clone(&engine.shared);
    engine.shared.background.spawn(async move {
        let (finding, asked) = (Arc::clone(&shared), query.clone());
        let found = blocking(move || Ok(finding.memories.find(&asked))).await;
        shared.tell(Msg::Facts(asker, query, found)).await;
    });
}

/// Changes the person's facts in the background and tells the loop.
pub(super) fn change(engine: &Engine, asker: FactAsker, ask: FactAsk) {
    let shared = Arc::clone(&engine.shared);
    engine.shared.background.spawn(async move {
        let changing = Arc::clone(&shared);
        let done = blocking(move || changing.memories.settle(&ask)).await;
        shared.tell(Msg::UserFact(asker, done)).await;
    });
}
