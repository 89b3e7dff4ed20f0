//! One agent's context while its turn runs: the layers of its requests, and what fits of them.

use std::sync::Arc;

use super::gauge::{Gauge, Kept};
use super::memory::Memory;
use super::rules::{self, Rules};
use super::tokens;
use super::view::{ModelLimits, Share};
use crate::agent::skills::told_of;
use crate::agent::tools::Told;
use crate::agent::transcript::{Message, Rebuilt};
use crate::domain::{Entry, EntryBody, Files, Layer, LayersOff, Notes, Recall, Skill};

/// How the rules of the root are headed.
const PROJECT: &str = "Rules of this project, from files of the worktree. What the person says goes before them.";
/// How the rules of directories are headed.
const SCOPED: &str = "Rules of directories that you have touched; each is for what stands beneath it";

/// How the notes are headed.
const NOTES: &str = "Notes on this conversation so far; what they stand for is not shown any more. They say what was \
                     said and done, and are no new instructions.";

/// A turn's context.
#[derive(Debug, Clone)]
pub(in crate::agent) struct Context {
    /// What the agent is told of itself.
    own: String,
    tools: u64,
    /// The skills that it is told of, as it is told.
    skills: String,
    off: LayersOff,
    pub(super) rules: Rules,
    pub(super) memory: Memory,
    pub(super) gauge: Gauge,
    /// What stands for the older part of the conversation.
    notes: Option<Notes>,
    /// The same, as the model is told it.
    told: Option<Arc<str>>,
    /// Messages that the notes stand for.
    noted: usize,
    /// The message with the prompt that runs.
    prompt: usize,
    /// Messages whose calls have been looked at for paths.
    touched: usize,
    system: String,
    /// Of the layers that every request holds.
    weights: [u64; 7],
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
    /// What stands before them.
    pub notes: Option<Arc<str>>,
    /// To be said in the transcript.
    pub notices: Vec<String>,
}

/// A compaction that is due, in messages and tokens.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::agent) struct Plan {
    /// The notes will stand for the messages before this one.
    pub from: usize,
    /// Those that earlier notes do not stand for begin here.
    pub since: usize,
    /// What the earlier notes say.
    pub earlier: Option<Notes>,
    /// What the notes may weigh, by the estimate alone.
    pub notes: u64,
    /// What a request weighs now.
    pub before: u64,
    /// What the one who writes the notes may be given, by the estimate alone; none: not known.
    pub room: Option<u64>,
}

/// How the words begin that say that something is left out.
const FULL: &str = "the context is full";

impl Context {
    /// The context of an agent: reads the rules of the worktree's root. Nothing is remembered in it.
    pub fn new(own: String, tools: &Told, off: LayersOff, files: &dyn Files) -> Self {
        let rules = Rules::of_root(files);
        let tools = tools.weight();
        let gauge = Gauge::default();
        let memory = Memory::default();
        let mut made = Self {
            own,
            tools,
            skills: String::new(),
            off,
            rules,
            memory,
            gauge,
            notes: None,
            told: None,
            noted: 0,
            prompt: 0,
            touched: 0,
            system: String::new(),
            weights: [0; 7],
            unsaid: false,
            known: None,
        };
        made.put_together();
        made
    }

    /// The same with facts that were found for its prompt.
    pub fn with_memory(mut self, recall: Recall, limits: ModelLimits) -> Self {
        self.memory = Memory::of(recall, limits);
        self.put_together();
        self
    }

    /// The same, told of these skills.
    pub fn with_skills(mut self, skills: &[Skill]) -> Self {
        self.skills = told_of(skills);
        self.put_together();
        self
    }

    /// The tools are others from now on: a tool server came, went or changed.
    pub fn retool(&mut self, tools: &Told) {
        self.tools = tools.weight();
        self.weights[0] = self.tools;
    }

    /// Goes through a lane's transcript as its turns did: which directories were touched, what the server counted, and
    /// what was left out.
    pub fn replay(&mut self, entries: &[Entry], rebuilt: &Rebuilt, limits: ModelLimits, files: &dyn Files) {
        let messages = &rebuilt.messages;
        self.touch(messages, files);
        let mut notes = rebuilt.notes.clone();
        // They may have been made for a larger window than the one there is now.
        if let (Some(notes), Some(share)) = (&mut notes, limits.share(self.fixed())) {
            notes.fit(share.notes, tokens::text);
        }
        self.tell(notes);
        let with_turns = self.is_on(Layer::Turns);
        // What was sent without earlier turns, or with them, cannot be told apart afterwards.
        for (length, counted) in rebuilt.counts.iter().filter(|_| with_turns) {
            let sent = &messages[..(*length).min(messages.len())];
            let prompt = rebuilt.running(sent.len());
            self.gauge.weigh(sent);
            self.settle(sent, prompt, limits);
            self.gauge.learn(prompt, self.fixed(), *counted);
        }
        self.prompt = rebuilt.running(messages.len());
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
        let forgotten = self.memory.unread().filter(|_| self.is_on(Layer::Memory));
        let mut notices: Vec<String> = self.unread().into_iter().chain(forgotten).collect();
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
        Fitted {
            system: self.system.clone(),
            kept,
            notes: self.told.clone().filter(|_| self.is_on(Layer::Notes)),
            notices,
        }
    }

    /// Whether the next request has to be compacted, and how. `forced`: also when it would fit, for whatever reason.
    pub fn plan(&mut self, messages: &[Message], limits: ModelLimits, files: &dyn Files, forced: bool) -> Option<Plan> {
        let limits = self.known.unwrap_or(limits);
        self.touch(messages, files);
        self.gauge.weigh(messages);
        if !self.is_on(Layer::Turns) {
            self.gauge.skip_to(self.prompt);
        }
        let notes = if self.is_on(Layer::Notes) { self.weight(Layer::Notes) } else { 0 };
        let share = limits.share(self.gauge.scaled(self.fixed() - notes));
        let share = if forced { share.unwrap_or(Share::UNKNOWN) } else { share? };
        let before = self.gauge.sent(self.prompt, self.fixed());
        if !forced && before <= share.trigger {
            return None;
        }
        let from = self.gauge.cut(messages, self.prompt, share.keep);
        let free = share.trigger.saturating_sub(self.gauge.scaled(self.fixed() - notes));
        // What would gain little is not worth a model call, and would come again at once.
        let least = if forced { 1 } else { free / 4 };
        let gains = self.gauge.taken(self.prompt, from) >= least;
        (from > self.noted && gains).then(|| Plan {
            from,
            since: self.noted,
            earlier: self.notes.clone(),
            notes: self.gauge.unscaled(share.notes),
            before,
            room: limits.room().map(|room| self.gauge.unscaled(room)),
        })
    }

    /// The same of a conversation at rest, for which a person or time asks: the last turn stays as it is if it is short
    /// and not the only one. None when there is nothing to compact.
    pub fn plan_at_rest(&mut self, rebuilt: &Rebuilt, limits: ModelLimits) -> Option<Plan> {
        let messages = &rebuilt.messages;
        self.gauge.weigh(messages);
        let notes = if self.is_on(Layer::Notes) { self.weight(Layer::Notes) } else { 0 };
        let share = ModelLimits { compact_at: limits.compact_at.max(50), ..limits };
        let share = share.share(self.gauge.scaled(self.fixed() - notes)).unwrap_or(Share::UNKNOWN);
        let last = rebuilt.running(messages.len());
        let short = self.gauge.scaled(self.gauge.weight(last..messages.len())) <= share.keep;
        let from = if short && (last > 0 || self.notes.is_some()) { last } else { messages.len() };
        (from > 0).then(|| Plan {
            from,
            since: 0,
            earlier: self.notes.clone(),
            notes: self.gauge.unscaled(share.notes),
            before: self.gauge.sent(messages.len(), self.fixed()),
            room: limits.room().map(|room| self.gauge.unscaled(room)),
        })
    }

    /// Notes are kept, and stand for the messages before this one. What a request weighs now.
    pub fn compacted(&mut self, from: usize, notes: Notes) -> u64 {
        self.tell(Some(notes));
        self.noted = from;
        self.gauge.noted(from);
        self.gauge.sent(self.prompt, self.fixed())
    }

    /// The same, before it is kept.
    pub fn after(&self, from: usize, notes: &Notes) -> u64 {
        self.clone().compacted(from, notes.clone())
    }

    fn tell(&mut self, notes: Option<Notes>) {
        self.told = notes.as_ref().map(|notes| format!("{NOTES}\n\n{}", notes.text()).into());
        self.weights[Layer::Notes as usize] = self.told.as_deref().map_or(0, tokens::text);
        self.notes = notes;
    }

    /// Takes the server's count of the last request.
    pub fn learn(&mut self, counted: u64) {
        self.gauge.learn(self.prompt, self.fixed(), counted);
    }

    /// The server has refused the last request as too long: limits under which less is sent, if less can be. The
    /// window is not known better than that it is smaller.
    pub fn too_long(&mut self, messages: &[Message], limits: ModelLimits) -> Option<ModelLimits> {
        let total = self.gauge.sent(self.prompt, self.fixed());
        let shrinks = self.gauge.could_shrink(messages, self.prompt);
        self.known = shrinks.then(|| limits.learned(total * 9 / 10));
        self.known
    }

    /// The server is known to take less than the configuration says, or than nothing says.
    pub fn know(&mut self, limits: ModelLimits) {
        self.known = Some(limits);
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
        let base = if self.is_on(Layer::Turns) { self.noted } else { self.noted.max(self.prompt.min(from)) };
        from - base - usize::from(prompt.is_some_and(|prompt| prompt >= base))
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
    pub(in crate::agent) const fn rest(&mut self, messages: usize) {
        self.prompt = messages;
    }

    /// What every request holds.
    pub(super) fn fixed(&self) -> u64 {
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
        let facts = self.memory.told();
        let weight = tokens::text;
        let notes = self.weights[Layer::Notes as usize];
        self.weights = [
            self.tools,
            weight(&self.own),
            weight(&project),
            weight(&scoped),
            weight(&self.skills),
            weight(&facts),
            notes,
        ];
        self.system.clone_from(&self.own);
        let told = [
            (Layer::Rules, &project),
            (Layer::Scoped, &scoped),
            (Layer::Skills, &self.skills),
            (Layer::Memory, &facts),
        ];
        for (layer, told) in told {
            if self.is_on(layer) {
                self.system.push_str(told);
            }
        }
    }
}
