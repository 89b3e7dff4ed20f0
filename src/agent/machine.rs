//! The turn as a pure state machine: events in, effects out, no I/O.
//!
//! One step: the model answers; its calls are asked for all at once; each runs after its own
//! permission and its turn; when all have ended, the model is called again. Effects are performed
//! in order, and a record is committed before the effect after it: so a call that may have had an
//! effect is always known to have started.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::hooks::{HookWords, STOPS, told};
use super::tools;
use super::transcript::{Message, OpenStep, Rebuilt, call_id};
use super::wire::{StepAnswer, Stop};
use crate::domain::{
    CallId, HookEvent, NoticeLevel, PromptId, Reasoning, ToolCall, ToolOutcome, TurnOutcome, TurnRecord, Usage, Verdict,
};

/// After so many failures of the same call in a row the model is told firmly.
const HINT_AFTER: u32 = 3;
/// After so many the turn ends.
const GIVE_UP_AFTER: u32 = 6;
/// After so many calls of a turn with the same result, without anything new in between, the model is told firmly.
const TELL_AFTER: u32 = 4;
/// After so many the turn ends.
const STOP_AFTER: u32 = 8;
/// How often a step is begun again after its answer broke in the middle.
const RESTARTS: u32 = 2;

/// What happened.
#[derive(Debug)]
pub(super) enum Event {
    /// The turn starts.
    Begin,
    /// The model's answer is whole.
    Answered(StepAnswer),
    /// The answer broke after a part of it was shown.
    ModelBroke { text: String, error: String, passing: bool },
    /// The model could not be asked.
    ModelFailed { error: String },
    /// The conversation is longer than the model takes.
    ModelTooLong { error: String },
    /// The model call was dropped because of a cancel; `text` was shown.
    ModelStopped { text: String },
    /// A call may run or not.
    Decided { call: CallId, verdict: Verdict },
    /// Hooks have had their word on the end of the turn: it is over, or goes on with these words.
    Stopping(Option<HookWords>),
    /// A call has ended, or could not even be asked for.
    Finished { call: CallId, outcome: ToolOutcome },
    /// The person cancelled.
    Cancel,
}

/// What to do, in this order.
#[derive(Debug, PartialEq)]
pub(super) enum Effect {
    /// Ask the model with [`TurnMachine::messages`].
    CallModel,
    /// Keep this, and wait until it is kept.
    Record(TurnRecord),
    /// Find out what each call would do and ask whether it may.
    AskPermission(Vec<ToolCall>),
    /// Run a call. `edited`: the person changed it, so what was found out before does not count.
    Run { call: ToolCall, edited: bool },
    /// Ask hooks whether the turn may end with this answer; so often they have kept it from that.
    AskStop { answer: String, again: u32 },
    /// Show what is going on.
    Phase(&'static str),
    /// The turn is over.
    End(TurnOutcome),
}

#[derive(Debug, PartialEq)]
enum State {
    New,
    Thinking,
    Tools,
    /// Hooks are asked whether the turn may end with this answer.
    Stopping(String),
    Ended,
}

#[derive(Debug)]
enum Slot {
    Asking,
    Allowed(ToolCall),
    Running,
    Done(ToolOutcome),
}

#[derive(Debug)]
struct Call {
    call: ToolCall,
    slot: Slot,
}

impl Call {
    const fn done(&self) -> bool {
        matches!(self.slot, Slot::Done(_))
    }
}

/// Successful calls that brought nothing new, also when several take turns.
#[derive(Debug, Default)]
struct Repeats {
    seen: HashSet<u64>,
    counts: HashMap<u64, u32>,
}

impl Repeats {
    /// Counts a call by what it asked and what came of it. One with an effect that was not there before means that
    /// things have moved: what is asked again after it is no repetition.
    fn note(&mut self, call: &ToolCall, outcome: &mut ToolOutcome) {
        // Waiting for a job looks the same again and again.
        if call.tool == "jobs" {
            return;
        }
        let mut hasher = DefaultHasher::new();
        (&call.tool, call.arguments.to_string(), &outcome.output).hash(&mut hasher);
        let what = hasher.finish();
        if self.seen.insert(what) && tools::has_effects(call) {
            self.counts.clear();
        }
        let count = self.counts.entry(what).or_default();
        *count += 1;
        if *count >= TELL_AFTER {
            outcome.output = format!(
                "{}\n\nThis exact call has now given this exact result {count} times, with nothing new in between. Do \
                 not repeat it: use what you know, go another way, or tell the person what stands in the way.",
                outcome.output
            );
        }
    }

    fn most(&self) -> u32 {
        self.counts.values().copied().max().unwrap_or(0)
    }
}

/// A turn.
#[derive(Debug)]
pub(super) struct TurnMachine {
    prompt: PromptId,
    /// The call that started this child agent, if it is one.
    under: Option<CallId>,
    /// Whether hooks are asked before it ends.
    asks_to_stop: bool,
    max_steps: u32,
    interrupted: BTreeSet<CallId>,
    begin: Rebuilt,
    state: State,
    cancelling: bool,
    messages: Arc<Vec<Message>>,
    steps: u32,
    stops: u32,
    next_step: u32,
    restarts: u32,
    text: String,
    reasoning: Reasoning,
    calls: Vec<Call>,
    failing: Option<(String, serde_json::Value, u32)>,
    repeats: Repeats,
    empty: u32,
}

impl TurnMachine {
    /// A turn that begins where `begin` says. Calls in `interrupted` had started before a crash.
    pub fn new(prompt: PromptId, mut begin: Rebuilt, interrupted: BTreeSet<CallId>, max_steps: u32) -> Self {
        Self {
            prompt,
            under: None,
            asks_to_stop: false,
            max_steps,
            interrupted,
            state: State::New,
            cancelling: false,
            messages: Arc::new(std::mem::take(&mut begin.messages)),
            steps: begin.steps,
            stops: begin.stops,
            next_step: begin.next_step,
            begin,
            restarts: 0,
            text: String::new(),
            reasoning: Reasoning::default(),
            calls: Vec::new(),
            failing: None,
            repeats: Repeats::default(),
            empty: 0,
        }
    }

    /// The turn of a child agent that a call has started.
    pub fn child(prompt: PromptId, under: CallId, begin: Rebuilt, max_steps: u32) -> Self {
        Self { under: Some(under), ..Self::new(prompt, begin, BTreeSet::new(), max_steps) }
    }

    /// Asks hooks before it ends.
    pub const fn asking_to_stop(mut self) -> Self {
        self.asks_to_stop = true;
        self
    }

    /// What the model is to be told next.
    pub fn messages(&self) -> Arc<Vec<Message>> {
        Arc::clone(&self.messages)
    }

    /// The one transition function.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        let mut out = Vec::new();
        match event {
            _ if self.state == State::Ended => {}
            Event::Begin => self.begin(&mut out),
            Event::Answered(answer) => self.answered(answer, &mut out),
            Event::ModelBroke { text, error, passing } => self.broke(text, error, passing, &mut out),
            Event::ModelFailed { .. } | Event::ModelTooLong { .. } if self.cancelling => {
                self.end(TurnOutcome::Cancelled, &mut out);
            }
            Event::ModelFailed { error } | Event::ModelTooLong { error } => {
                self.end(TurnOutcome::Failed { error }, &mut out);
            }
            Event::ModelStopped { text } => {
                self.record_cut(text, Reasoning::default(), None, &mut out);
                self.end(TurnOutcome::Cancelled, &mut out);
            }
            Event::Decided { call, verdict } => self.decided(&call, verdict, &mut out),
            Event::Stopping(words) => self.stopping(words, &mut out),
            Event::Finished { call, outcome } => {
                self.finish(&call, outcome, &mut out);
                self.advance(&mut out);
            }
            Event::Cancel => self.cancel(&mut out),
        }
        out
    }

    fn begin(&mut self, out: &mut Vec<Effect>) {
        if let Some(answer) = self.begin.answered.take() {
            return self.last_answer(answer, out);
        }
        let Some(OpenStep { text, reasoning, calls: open }) = self.begin.open.take() else { return self.think(out) };
        (self.text, self.reasoning) = (text, reasoning);
        self.state = State::Tools;
        let mut ask = Vec::new();
        for open in open {
            let slot = match open.outcome {
                Some(outcome) => Slot::Done(outcome),
                None => Slot::Asking,
            };
            if matches!(slot, Slot::Asking) && !self.interrupted.contains(&open.call.id) {
                ask.push(open.call.clone());
            }
            self.calls.push(Call { call: open.call, slot });
        }
        for id in std::mem::take(&mut self.interrupted) {
            let words = "interrupted by a crash; unknown whether it had an effect: look before you repeat it";
            self.finish(&id, tools::failed(words, "interrupted"), out);
        }
        if !ask.is_empty() {
            out.push(Effect::AskPermission(ask));
        }
        self.advance(out);
    }

    fn think(&mut self, out: &mut Vec<Effect>) {
        if self.steps >= self.max_steps {
            let error = format!("stopped after {} steps; send another prompt to go on", self.max_steps);
            return self.end(TurnOutcome::Failed { error }, out);
        }
        self.state = State::Thinking;
        out.extend([Effect::Phase("thinking"), Effect::CallModel]);
    }

    fn answered(&mut self, answer: StepAnswer, out: &mut Vec<Effect>) {
        if self.cancelling {
            self.record_cut(answer.text, answer.reasoning, answer.usage, out);
            return self.end(TurnOutcome::Cancelled, out);
        }
        let error = match answer.stop {
            Stop::Ended => None,
            Stop::Length => Some("the answer was cut at the server's token limit; send another prompt to go on"),
            Stop::Filter => Some("the server's content filter stopped the answer; change the prompt or the model"),
        };
        if let Some(error) = error {
            self.record_cut(answer.text, answer.reasoning, answer.usage, out);
            return self.end(TurnOutcome::Failed { error: error.to_owned() }, out);
        }
        if answer.calls.is_empty() && answer.text.trim().is_empty() {
            return self.nothing(answer.reasoning, answer.usage, out);
        }
        self.empty = 0;
        let mut seen = HashSet::new();
        let calls: Vec<ToolCall> = answer
            .calls
            .into_iter()
            .enumerate()
            .map(|(index, raw)| {
                let id = match &self.under {
                    Some(under) => under.child(self.next_step, index + 1),
                    None => call_id(self.prompt, self.next_step, index),
                };
                // Each result names its call by this, so it must be there and be the only one.
                let usable = !raw.model_id.is_empty() && seen.insert(raw.model_id.clone());
                let model_id = if usable { raw.model_id } else { format!("call_{}", id.0.replace('.', "_")) };
                ToolCall { id, model_id, tool: raw.tool, arguments: raw.arguments }
            })
            .collect();
        let with_actions = calls.iter().map(|call| (call.clone(), tools::action(call))).collect();
        out.push(Effect::Record(TurnRecord::Step {
            text: answer.text.clone(),
            cut: false,
            calls: with_actions,
            usage: answer.usage,
            reasoning: answer.reasoning.clone(),
        }));
        self.steps += 1;
        self.next_step += 1;
        self.restarts = 0;
        self.reasoning = answer.reasoning;
        if calls.is_empty() {
            return self.last_answer(answer.text, out);
        }
        self.text = answer.text;
        self.state = State::Tools;
        self.calls = calls.iter().map(|call| Call { call: call.clone(), slot: Slot::Asking }).collect();
        out.push(Effect::AskPermission(calls));
    }

    /// The model is done: the turn ends, unless hooks have something to say.
    fn last_answer(&mut self, answer: String, out: &mut Vec<Effect>) {
        if !self.asks_to_stop {
            return self.end(TurnOutcome::Done { answer }, out);
        }
        self.state = State::Stopping(answer.clone());
        out.push(Effect::AskStop { answer, again: self.stops });
    }

    fn stopping(&mut self, words: Option<HookWords>, out: &mut Vec<Effect>) {
        let State::Stopping(answer) = &mut self.state else { return };
        let answer = std::mem::take(answer);
        if self.cancelling {
            return self.end(TurnOutcome::Cancelled, out);
        }
        let Some(HookWords { by, text }) = words else { return self.end(TurnOutcome::Done { answer }, out) };
        if self.stops >= STOPS {
            let text = format!("the turn ends all the same: hooks have kept it from that {STOPS} times");
            out.push(Effect::Record(TurnRecord::Notice { level: NoticeLevel::Warning, text }));
            return self.end(TurnOutcome::Done { answer }, out);
        }
        self.stops += 1;
        let messages = Arc::make_mut(&mut self.messages);
        messages.push(Message::Assistant {
            text: answer,
            calls: Vec::new(),
            reasoning: std::mem::take(&mut self.reasoning),
        });
        super::transcript::push_user(messages, &told(HookEvent::Stop, &by, &text));
        out.push(Effect::Record(TurnRecord::Told { event: HookEvent::Stop, by, text }));
        self.think(out);
    }

    /// The answer has neither text nor calls: asked for again, with words, a few times.
    fn nothing(&mut self, reasoning: Reasoning, usage: Option<Usage>, out: &mut Vec<Effect>) {
        self.next_step += 1;
        self.steps += 1;
        out.push(Effect::Record(TurnRecord::Step {
            text: String::new(),
            cut: true,
            calls: Vec::new(),
            usage,
            reasoning,
        }));
        self.empty += 1;
        if self.empty > RESTARTS {
            let error = format!(
                "the model answered nothing, {} times in a row; send the prompt again, or choose another model",
                self.empty
            );
            return self.end(TurnOutcome::Failed { error }, out);
        }
        let text = "Your last answer was empty. Go on with the task, or say in a few words what came of it.".to_owned();
        let messages = Arc::make_mut(&mut self.messages);
        if !matches!(messages.last(), Some(Message::User { text: last, .. }) if *last == text) {
            super::transcript::push_user(messages, &text);
        }
        self.think(out);
    }

    fn broke(&mut self, text: String, error: String, passing: bool, out: &mut Vec<Effect>) {
        self.record_cut(text, Reasoning::default(), None, out);
        if self.cancelling {
            self.end(TurnOutcome::Cancelled, out);
        } else if passing && self.restarts < RESTARTS {
            self.restarts += 1;
            out.extend([Effect::Phase("the answer was cut off; asking again"), Effect::CallModel]);
        } else {
            self.end(TurnOutcome::Failed { error }, out);
        }
    }

    /// Keeps the beginning of an answer, and what it cost; nothing in it is ever run.
    fn record_cut(&mut self, text: String, reasoning: Reasoning, usage: Option<Usage>, out: &mut Vec<Effect>) {
        if !text.is_empty() || !reasoning.is_empty() || usage.is_some() {
            self.next_step += 1;
            out.push(Effect::Record(TurnRecord::Step { text, cut: true, calls: Vec::new(), usage, reasoning }));
        }
    }

    fn decided(&mut self, id: &CallId, verdict: Verdict, out: &mut Vec<Effect>) {
        match verdict {
            Verdict::Deny { reason } => {
                let reason = if reason.trim().is_empty() { String::new() } else { format!(" Reason: {reason}") };
                let words = format!("This call was denied and did not run.{reason}");
                self.finish(id, tools::failed(&words, "denied"), out);
            }
            Verdict::Run(call) => {
                if let Some(known) = self.calls.iter_mut().find(|known| known.call.id == *id)
                    && matches!(known.slot, Slot::Asking)
                {
                    known.slot = Slot::Allowed(call);
                }
            }
        }
        self.advance(out);
    }

    /// Ends a call, once, and counts failures of the same call.
    fn finish(&mut self, id: &CallId, mut outcome: ToolOutcome, out: &mut Vec<Effect>) {
        let Some(known) = self.calls.iter_mut().find(|known| known.call.id == *id && !known.done()) else { return };
        let count = match &self.failing {
            _ if outcome.ok || self.cancelling => 0,
            Some((tool, arguments, count)) if *tool == known.call.tool && *arguments == known.call.arguments => {
                count + 1
            }
            _ => 1,
        };
        self.failing = (count > 0).then(|| (known.call.tool.clone(), known.call.arguments.clone(), count));
        if count >= HINT_AFTER {
            outcome.output = format!(
                "{}\n\nThis exact call has now failed {count} times in a row. Do not repeat it: change the arguments, \
                 take another way, or tell the person what stands in the way.",
                outcome.output
            );
        }
        if outcome.ok && !self.cancelling {
            self.repeats.note(&known.call, &mut outcome);
        }
        known.slot = Slot::Done(outcome.clone());
        out.push(Effect::Record(TurnRecord::CallFinished { call: id.clone(), outcome }));
    }

    /// Starts what may start; closes the step when all calls have ended.
    ///
    /// The calls of a step take effect as if run one by one in the model's order: a read waits for
    /// effects before it, an effect for everything before it. Reads side by side run together.
    fn advance(&mut self, out: &mut Vec<Effect>) {
        if self.state != State::Tools {
            return;
        }
        let (mut reads_done, mut effects_done) = (true, true);
        for known in &mut self.calls {
            let effects = tools::has_effects(&known.call);
            let may = effects_done && (reads_done || !effects) && !self.cancelling;
            if may && matches!(known.slot, Slot::Allowed(_)) {
                let Slot::Allowed(call) = std::mem::replace(&mut known.slot, Slot::Running) else { continue };
                if tools::starts(&call) {
                    out.push(Effect::Record(TurnRecord::CallStarted(call.id.clone())));
                }
                let edited = call.arguments != known.call.arguments || call.tool != known.call.tool;
                out.push(Effect::Run { call, edited });
            }
            let done = known.done();
            if effects {
                effects_done &= done;
            } else {
                reads_done &= done;
            }
        }
        if self.cancelling {
            if !self.calls.iter().any(|known| matches!(known.slot, Slot::Running)) {
                self.end(TurnOutcome::Cancelled, out);
            }
        } else if reads_done && effects_done {
            self.close_step(out);
        }
    }

    fn close_step(&mut self, out: &mut Vec<Effect>) {
        let (mut calls, mut results) = (Vec::new(), Vec::new());
        for known in self.calls.drain(..) {
            let Slot::Done(outcome) = known.slot else { continue };
            results.push(Message::result(&known.call, outcome));
            calls.push(known.call);
        }
        let messages = Arc::make_mut(&mut self.messages);
        messages.push(Message::Assistant {
            text: std::mem::take(&mut self.text),
            calls,
            reasoning: std::mem::take(&mut self.reasoning),
        });
        messages.extend(results);
        match &self.failing {
            Some((tool, _, count)) if *count >= GIVE_UP_AFTER => {
                let error = format!(
                    "the model repeated the same failing `{tool}` call {count} times; the turn was ended. Look at its \
                     result above and send a prompt that leads it another way"
                );
                self.end(TurnOutcome::Failed { error }, out);
            }
            _ if self.repeats.most() >= STOP_AFTER => {
                let error = format!(
                    "the model made the same calls over and over with the same results ({} times); the turn was ended. \
                     Send a prompt that leads it another way",
                    self.repeats.most()
                );
                self.end(TurnOutcome::Failed { error }, out);
            }
            _ => self.think(out),
        }
    }

    fn cancel(&mut self, out: &mut Vec<Effect>) {
        self.cancelling = true;
        match self.state {
            State::New => self.end(TurnOutcome::Cancelled, out),
            // The dropped model call, or the ended tools or hooks, report first.
            State::Thinking | State::Stopping(_) | State::Ended => {}
            State::Tools => {
                let idle: Vec<CallId> = self
                    .calls
                    .iter()
                    .filter(|known| matches!(known.slot, Slot::Asking | Slot::Allowed(_)))
                    .map(|known| known.call.id.clone())
                    .collect();
                for id in idle {
                    self.finish(&id, tools::failed("not run: the person cancelled the turn", "cancelled"), out);
                }
                self.advance(out);
            }
        }
    }

    fn end(&mut self, outcome: TurnOutcome, out: &mut Vec<Effect>) {
        self.state = State::Ended;
        out.push(Effect::End(outcome));
    }
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
