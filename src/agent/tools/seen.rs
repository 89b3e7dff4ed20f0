//! What an agent has seen of files, so that a change made from an outdated picture is refused.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Mutex;

use crate::base::lock;

/// Files that are remembered; beyond, the table starts anew, and an unknown file is not stale.
const MOST: usize = 4096;

/// Digests of files as the agent knows them, by path.
#[derive(Debug, Default)]
pub(in crate::agent) struct Seen(Mutex<HashMap<String, Option<u64>>>);

fn digest(content: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    hasher.finish()
}

impl Seen {
    /// The agent has read or made this content; none when it knows that there is no such file.
    pub fn note(&self, path: &str, content: Option<&[u8]>) {
        let mut known = lock(&self.0);
        if known.len() >= MOST && !known.contains_key(path) {
            known.clear();
        }
        known.insert(path.to_owned(), content.map(digest));
    }

    /// Whether the file is another than the agent knows. One that it does not know is not.
    pub fn is_stale(&self, path: &str, content: Option<&[u8]>) -> bool {
        lock(&self.0).get(path).is_some_and(|known| *known != content.map(digest))
    }
}
