//! One agent's context while its turn runs: the layers of its requests, and what fits of them.

use super::gauge::{Gauge, Kept};
use super::rules::{self, Rules};
use super::tokens;
use super::view::ModelLimits;
use crate::agent::transcript::{Message, Rebuilt};
use crate::agent::wire::Tool;
use crate::domain::{Entry, EntryBody, Files, Layer, LayersOff};

/// How the rules of the root are headed.
const PROJECT: &str = "Rules of this project, from files of the worktree. What the person says goes before them.";
/// How the rules of directories are headed.
const SCOPED: &str = "Rules of directories that you have touched; each is for what stands beneath it";

/// A turn's context.
#[derive(Debug, Clone)]
pub(in crate::agent) struct Context {
    /// What the agent is told of itself.
    own: String,
    tools: u64,
    off: LayersOff,
    pub(super) rules: Rules,
    pub(super) gauge: Gauge,
    /// The message with the prompt that runs.
    prompt: usize,
    /// Messages whose calls have been looked at for paths.
    touched: usize,
    system: String,
    /// Of the layers that every request holds.
    weights: [u64; 4],
    /// Something is left out, and no transcript says so.
    unsaid: bool,
    /// What the server takes, when it refused more.
    known: Option<ModelLimits>,
}

/// A request's part that changes, and what has to be said of it.
#[derive(Debug)]
pub(in crate::agent) struct Fitted {
    /// What the model is told first.
    pub system: String,
    /// The messages that go in.
    pub kept: Kept,
    /// To be said in the transcript.
    pub notices: Vec<String>,
}

/// How the words begin that say that something is left out.
const FULL: &str = "the context is full";

impl Context {
    /// The context of an agent: reads the rules of the worktree's root.
    pub fn new(own: String, tools: &[Tool], off: LayersOff, files: &dyn Files) -> Self {
        let rules = Rules::of_root(files);
        let tools = tokens::tools(tools);
        let gauge = Gauge::default();
        let (system, weights) = (String::new(), [0; 4]);
        let mut made =
            Self { own, tools, off, rules, gauge, prompt: 0, touched: 0, system, weights, unsaid: false, known: None };
        made.put_together();
        made
    }

    /// The tools are others from now on: a tool server came, went or changed.
    pub fn retool(&mut self, tools: &[Tool]) {
        self.tools = tokens::tools(tools);
        self.weights[0] = self.tools;
    }

    /// Goes through a lane's transcript as its turns did: which directories were touched, what the server counted, and
    /// what was left out.
    pub fn replay(&mut self, entries: &[Entry], rebuilt: &Rebuilt, limits: ModelLimits, files: &dyn Files) {
        let messages = &rebuilt.messages;
        self.touch(messages, files);
        let with_turns = self.is_on(Layer::Turns);
        // What was sent without earlier turns, or with them, cannot be told apart afterwards.
        for (length, counted) in rebuilt.counts.iter().filter(|_| with_turns) {
            let sent = &messages[..(*length).min(messages.len())];
            let prompt = running(sent);
            self.gauge.weigh(sent);
            self.settle(sent, prompt, limits);
            self.gauge.learn(prompt, self.fixed(), *counted);
        }
        self.prompt = running(messages);
        self.gauge.weigh(messages);
        let said = |entry: &Entry| matches!(&entry.body, EntryBody::Notice { text, .. } if text.starts_with(FULL));
        self.unsaid = self.left_out() > 0 && !entries.iter().any(said);
    }

    /// The next request of a turn with these messages.
    pub fn fit(&mut self, messages: &[Message], limits: ModelLimits, files: &dyn Files) -> Fitted {
        let limits = self.known.unwrap_or(limits);
        self.touch(messages, files);
        self.gauge.weigh(messages);
        let moved = self.settle(messages, self.prompt, limits) || std::mem::take(&mut self.unsaid);
        let kept = self.gauge.kept(self.prompt);
        let mut notices: Vec<String> = self.unread().into_iter().collect();
        if let (true, Some(window)) = (moved, limits.window) {
            let whole = if kept.prompt.is_some() { "steps of this turn and all turns before it" } else { "turns" };
            let why = if self.known.is_some() {
                "the server takes less than this conversation".to_owned()
            } else {
                format!("window of {window} tokens")
            };
            notices.push(format!(
                "{FULL} ({why}): the oldest {whole} are left out of requests from here on, {} messages in all. The \
                 transcript keeps everything; `context` shows what goes in",
                self.left_out()
            ));
        }
        Fitted { system: self.system.clone(), kept, notices }
    }

    /// Takes the server's count of the last request.
    pub fn learn(&mut self, counted: u64) {
        self.gauge.learn(self.prompt, self.fixed(), counted);
    }

    /// The server has refused the last request as too long: limits under which less is sent, if less can be. They hold
    /// until the turn ends; the window is not known better than that it is smaller.
    pub fn too_long(&mut self, messages: &[Message]) -> Option<ModelLimits> {
        let total = self.gauge.sent(self.prompt, self.fixed());
        let smaller = ModelLimits { window: Some(total * 9 / 10), max_output: Some(0) };
        let shrinks = self.gauge.could_shrink(messages, self.prompt);
        self.known = shrinks.then_some(smaller);
        self.known
    }

    /// Why no request can be made at all: what every one holds does not fit.
    pub fn refusal(&self, limits: ModelLimits, name: &str) -> Option<String> {
        let (window, room) = (limits.window?, limits.room()?);
        let fixed = self.gauge.scaled(self.fixed());
        if fixed <= room {
            return None;
        }
        let each: Vec<String> = Layer::ALL
            .into_iter()
            .filter(|layer| layer.fixed() && self.is_on(*layer))
            .map(|layer| format!("{} {}", layer.word(), self.gauge.scaled(self.weight(layer))))
            .collect();
        let rules = if self.weight(Layer::Rules) + self.weight(Layer::Scoped) > 0 && self.is_on(Layer::Rules) {
            ", or leave rules out with `context off rules`"
        } else {
            ""
        };
        Some(format!(
            "the context window of `{name}` is too small: `context_window` says {window} tokens, and every request \
             holds {fixed} ({}) beside {} for the answer. Raise `context_window` if the model takes more, choose a \
             model that does{rules}",
            each.join(", "),
            limits.reserve()
        ))
    }

    /// Whether a layer goes into requests.
    pub fn is_on(&self, layer: Layer) -> bool {
        !self.off.contains(&layer)
    }

    /// What could not be read in full, in words for the transcript.
    fn unread(&self) -> Option<String> {
        let on = |layer: Layer, files: &[rules::RuleFile]| -> Vec<String> {
            let files = files.iter().filter(|_| self.is_on(layer));
            files.filter_map(|file| Some(format!("`{}` {}", file.path, file.note.as_ref()?))).collect()
        };
        let mut all = on(Layer::Rules, &self.rules.project);
        all.extend(on(Layer::Scoped, &self.rules.scoped));
        (!all.is_empty()).then(|| format!("rules: {}", all.join("; ")))
    }

    /// Messages that are left out because they do not fit.
    pub(super) fn left_out(&self) -> usize {
        let Kept { from, prompt } = self.gauge.kept(self.prompt);
        let base = if self.is_on(Layer::Turns) { 0 } else { self.prompt.min(from) };
        from - base - usize::from(prompt.is_some())
    }

    /// What a layer that every request holds weighs, as estimated; also of one that is off.
    pub(super) fn weight(&self, layer: Layer) -> u64 {
        self.weights.get(layer as usize).copied().unwrap_or(0)
    }

    /// Brings the gauge in line with what goes in. Whether anything more is left out because it does not fit.
    pub(super) fn settle(&mut self, messages: &[Message], prompt: usize, limits: ModelLimits) -> bool {
        if !self.is_on(Layer::Turns) {
            self.gauge.skip_to(prompt);
        }
        let fixed = self.fixed();
        limits.room().is_some_and(|room| self.gauge.fit(messages, prompt, fixed, room))
    }

    /// The message with the prompt that runs.
    pub(super) const fn prompt(&self) -> usize {
        self.prompt
    }

    /// No prompt runs: the next one comes after so many messages.
    pub(super) const fn rest(&mut self, messages: usize) {
        self.prompt = messages;
    }

    /// What every request holds.
    fn fixed(&self) -> u64 {
        let on = Layer::ALL.into_iter().filter(|layer| layer.fixed() && self.is_on(*layer));
        on.map(|layer| self.weight(layer)).sum()
    }

    fn touch(&mut self, messages: &[Message], files: &dyn Files) {
        if messages.len() <= self.touched {
            return;
        }
        let paths = rules::touched(&messages[self.touched..]);
        self.touched = messages.len();
        if self.rules.touch(files, &paths) {
            self.put_together();
        }
    }

    fn put_together(&mut self) {
        let (project, scoped) = (rules::told(PROJECT, &self.rules.project), rules::told(SCOPED, &self.rules.scoped));
        self.weights = [self.tools, tokens::text(&self.own), tokens::text(&project), tokens::text(&scoped)];
        self.system.clone_from(&self.own);
        for (layer, told) in [(Layer::Rules, project), (Layer::Scoped, scoped)] {
            if self.is_on(layer) {
                self.system.push_str(&told);
            }
        }
    }
}

/// The message with the prompt that runs: the person's last one.
fn running(messages: &[Message]) -> usize {
    messages.iter().rposition(|message| matches!(message, Message::User { .. })).unwrap_or(0)
}
