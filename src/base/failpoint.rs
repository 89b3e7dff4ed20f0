//! Failpoints: named places where a test makes the program die as if by `kill -9`.
//!
//! A durable promise can only be tested by dying at the worst moment. Each place costs one look at a
//! value that was read from the environment once, so that the shipped program is the tested one.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The variable that names the place to die at: `name`, or `name:3` for the third time it is reached.
const VARIABLE: &str = "PARALANE_FAILPOINT";

/// Where to die, and how often that place was reached.
#[derive(Debug)]
struct Failpoint {
    name: String,
    nth: u64,
    hits: AtomicU64,
}

impl Failpoint {
    /// Reads `name` or `name:count`. Anything after a colon that is no number belongs to the name.
    fn parse(text: &str) -> Self {
        let (name, nth) =
            text.rsplit_once(':').and_then(|(name, count)| Some((name, count.parse().ok()?))).unwrap_or((text, 1));
        Self { name: name.to_owned(), nth, hits: AtomicU64::new(0) }
    }

    /// Counts one visit to `name`; true on the visit that was asked for.
    fn reached(&self, name: &str) -> bool {
        self.name == name && self.hits.fetch_add(1, Ordering::Relaxed) + 1 == self.nth
    }
}

/// Kills this very process with SIGKILL if `PARALANE_FAILPOINT` names this place, and does nothing otherwise.
///
/// Nothing is flushed, dropped or unwound: exactly what `kill -9` leaves behind.
pub fn failpoint(name: &str) {
    static CHOSEN: OnceLock<Option<Failpoint>> = OnceLock::new();
    let chosen = CHOSEN.get_or_init(|| std::env::var(VARIABLE).ok().map(|text| Failpoint::parse(&text)));
    if chosen.as_ref().is_some_and(|point| point.reached(name)) {
        // A signal to oneself is delivered before the call returns; there is no failure to handle.
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visits(text: &str, names: &[&str]) -> Vec<bool> {
        let point = Failpoint::parse(text);
        names.iter().map(|name| point.reached(name)).collect()
    }

    #[test]
    fn a_bare_name_means_the_first_visit_only() {
        assert_eq!(visits("save", &["load", "save", "save"]), [false, true, false]);
    }

    #[test]
    fn a_count_means_that_visit() {
        assert_eq!(visits("save:3", &["save", "load", "save", "save", "save"]), [false, false, false, true, false]);
    }

    #[test]
    fn a_colon_without_a_number_belongs_to_the_name() {
        assert_eq!(visits("a:b", &["a", "a:b"]), [false, true]);
    }
}
