//! Turns that wait for an answer of the loop: each waiting call has a token and is answered once.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::oneshot;

use crate::app::TurnToken;
use crate::base::lock;
use crate::domain::{SpendId, Verdict};

/// An answer to a waiting turn.
#[derive(Debug)]
pub(super) enum TurnAnswer {
    Recorded(Result<(), String>),
    Permitted(Verdict),
    Reserved(Result<SpendId, String>),
    Remembered(Result<String, String>),
}

/// All waiting turns.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    next: AtomicU64,
    waiting: Mutex<HashMap<TurnToken, oneshot::Sender<TurnAnswer>>>,
}

impl Tokens {
    /// A new token and where its answer will come.
    pub fn issue(&self) -> (TurnToken, oneshot::Receiver<TurnAnswer>) {
        let token = TurnToken(self.next.fetch_add(1, Ordering::Relaxed));
        let (sender, receiver) = oneshot::channel();
        self.lock().insert(token, sender);
        (token, receiver)
    }

    /// Answers a token. One that is gone (its turn was cancelled) is ignored.
    pub fn answer(&self, token: TurnToken, answer: TurnAnswer) {
        if let Some(sender) = self.lock().remove(&token) {
            // The turn may have been dropped meanwhile.
            let _ = sender.send(answer);
        }
    }

    /// Nobody answers any more: whoever waits now is told that there is no answer.
    pub fn end(&self) {
        self.lock().clear();
    }

    /// Forgets a token whose turn was dropped.
    pub fn forget(&self, token: TurnToken) {
        self.lock().remove(&token);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<TurnToken, oneshot::Sender<TurnAnswer>>> {
        lock(&self.waiting)
    }
}
