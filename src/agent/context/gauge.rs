//! How full a window is: estimates held against the server's own count, and what is left out when it is full.
//!
//! Whole turns go first, the oldest first; when only the running one is left, its oldest steps. A step is an answer
//! with all its calls and results, so no result ever stands without its call. So much goes at once that the
//! beginning of requests stays the same for a while, which is what servers' caches live on.

use std::borrow::Cow;

use super::tokens;
use crate::agent::transcript::Message;

/// The server's count is believed within these bounds; beyond, it counts something else than what was sent.
const SCALES: std::ops::RangeInclusive<f64> = 0.6..=3.0;
/// Of the room, what is filled after something was left out.
const FILLED: f64 = 0.75;

/// The messages of a conversation that go into requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::agent) struct Kept {
    /// All from here on.
    pub from: usize,
    /// And this one before: the prompt that runs.
    pub prompt: Option<usize>,
}

impl Kept {
    /// Those of a conversation, with the notes in front that stand for what came before: as the person's words, for
    /// that is the weight they have.
    pub fn of<'a>(self, messages: &'a [Message], notes: Option<&str>) -> Cow<'a, [Message]> {
        let rest = &messages[self.from.min(messages.len())..];
        let prompt = self.prompt.and_then(|at| messages.get(at));
        let Some(notes) = notes else {
            return match prompt {
                Some(prompt) => Cow::Owned(std::iter::once(prompt).chain(rest).cloned().collect()),
                None => Cow::Borrowed(rest),
            };
        };
        let mut all: Vec<Message> = prompt.into_iter().chain(rest).cloned().collect();
        // Two of the person's messages in a row are one: some servers want roles to alternate.
        match all.first_mut() {
            Some(Message::User { text, .. }) => text.insert_str(0, &format!("{notes}\n\n")),
            _ => all.insert(0, Message::User { text: notes.to_owned(), images: Vec::new() }),
        }
        Cow::Owned(all)
    }
}

/// The weights of one conversation.
#[derive(Debug, Clone)]
pub(super) struct Gauge {
    /// Of the messages, in their order.
    weights: Vec<u64>,
    /// The first message that is kept, beside the prompt that runs.
    from: usize,
    scale: f64,
    counted: bool,
    /// The server's last count that cannot be of what was sent, and the estimate of that.
    doubted: Option<(u64, u64)>,
}

impl Default for Gauge {
    fn default() -> Self {
        Self { weights: Vec::new(), from: 0, scale: 1.0, counted: false, doubted: None }
    }
}

impl Gauge {
    /// What an estimate comes to.
    pub fn scaled(&self, weight: u64) -> u64 {
        (weight as f64 * self.scale).ceil() as u64
    }

    /// What an estimate may be, to come to so much.
    pub fn unscaled(&self, tokens: u64) -> u64 {
        (tokens as f64 / self.scale) as u64
    }

    /// The server's count over the estimate, once there was one.
    pub fn scale(&self) -> Option<f64> {
        self.counted.then_some(self.scale)
    }

    /// The server's last count that is not gone by, and the estimate of what it counted.
    pub const fn doubted(&self) -> Option<(u64, u64)> {
        self.doubted
    }

    /// Weighs messages that were added. The last one before may have grown.
    pub fn weigh(&mut self, messages: &[Message]) {
        self.weights.truncate(messages.len().min(self.weights.len()).saturating_sub(1));
        let known = self.weights.len();
        self.weights.extend(messages[known..].iter().map(tokens::message));
    }

    /// The estimate of messages in a range.
    pub fn weight(&self, range: std::ops::Range<usize>) -> u64 {
        self.weights.get(range).map_or(0, |weights| weights.iter().sum())
    }

    /// The messages that are kept while the one at `prompt` runs.
    pub fn kept(&self, prompt: usize) -> Kept {
        Kept { from: self.from, prompt: (self.from > prompt).then_some(prompt) }
    }

    fn total(&self, kept: Kept, fixed: u64) -> u64 {
        let prompt = kept.prompt.map_or(0, |at| self.weight(at..at + 1));
        self.scaled(fixed + prompt + self.weight(kept.from..self.weights.len()))
    }

    /// What is sent with what is fixed.
    pub fn sent(&self, prompt: usize, fixed: u64) -> u64 {
        self.total(self.kept(prompt), fixed)
    }

    /// Whether less than now could be sent.
    pub fn could_shrink(&self, messages: &[Message], prompt: usize) -> bool {
        starts(messages, self.from, prompt).next().is_some()
    }

    /// Leaves out everything before the prompt that runs.
    pub fn skip_to(&mut self, prompt: usize) {
        self.from = self.from.max(prompt);
    }

    /// Leaves out the oldest messages when all of them do not fit beside what is fixed. Whether it did.
    pub fn fit(&mut self, messages: &[Message], prompt: usize, fixed: u64, room: u64) -> bool {
        let before = self.from;
        if before > 0 && before <= prompt {
            // Steps of a turn that was cut do not stand without its prompt, once another one runs.
            let user = |message: &Message| matches!(message, Message::User { .. });
            self.from += messages[before..].iter().position(user).unwrap_or(0);
        }
        if self.total(self.kept(prompt), fixed) <= room {
            return self.from > before;
        }
        let goal = (room as f64 * FILLED) as u64;
        for start in starts(messages, self.from, prompt) {
            self.from = start;
            if self.total(self.kept(prompt), fixed) <= goal {
                break;
            }
        }
        self.from > before
    }

    /// Where a conversation goes on if notes stand for what is before: so that what stays weighs at most `most`, the
    /// prompt that runs included. With a turn up to that one if it can be, else with a step of it, else after it all.
    pub fn cut(&self, messages: &[Message], prompt: usize, most: u64) -> usize {
        let alone = |from: usize| if from > prompt { self.weight(prompt..prompt + 1) } else { 0 };
        let stays = |from: &usize| self.scaled(alone(*from) + self.weight(*from..self.weights.len())) <= most;
        starts(messages, self.from, prompt).find(stays).unwrap_or(messages.len())
    }

    /// What a cut would take out of requests.
    pub fn taken(&self, prompt: usize, from: usize) -> u64 {
        let kept = self.kept(prompt);
        let before = kept.prompt.map_or(0, |at| self.weight(at..at + 1)) + self.weight(kept.from..self.weights.len());
        let alone = if from > prompt { self.weight(prompt..prompt + 1) } else { 0 };
        self.scaled(before.saturating_sub(alone + self.weight(from..self.weights.len())))
    }

    /// Notes stand for everything before.
    pub fn noted(&mut self, from: usize) {
        self.from = self.from.max(from);
    }

    /// Takes the server's count of a request with what is fixed and these messages.
    pub fn learn(&mut self, prompt: usize, fixed: u64, counted: u64) {
        let kept = self.kept(prompt);
        let alone = kept.prompt.map_or(0, |at| self.weight(at..at + 1));
        let estimate = fixed + alone + self.weight(kept.from..self.weights.len());
        if counted == 0 || estimate == 0 {
            return;
        }
        let scale = counted as f64 / estimate as f64;
        if SCALES.contains(&scale) {
            (self.scale, self.counted) = (scale, true);
        } else {
            self.doubted = Some((counted, estimate));
        }
    }
}

/// Where conversations can begin after this message: with a turn up to the one that runs, or with a step of that.
fn starts(messages: &[Message], after: usize, prompt: usize) -> impl Iterator<Item = usize> {
    let begins = move |(at, message): (usize, &Message)| match message {
        Message::User { .. } => (at <= prompt).then_some(at),
        Message::Assistant { .. } => (at > prompt).then_some(at),
        Message::Tool { .. } => None,
    };
    messages.iter().enumerate().skip(after + 1).filter_map(begins)
}
