//! A lane's context as a person sees it: the same layers that a turn would send, with what they weigh.

use std::path::Path;

use super::layers::Context;
use super::rules::RuleFile;
use crate::agent::skills::line_of;
use crate::agent::system_prompt::system_prompt;
use crate::agent::tools::{self, Set};
use crate::agent::transcript::{Rebuilt, rebuild};
use crate::config::{COMPACT_AT, Provider};
use crate::domain::{
    ContextView, Counted, Entry, EntryBody, Files, Layer, LayerPart, LayerShare, LayersOff, PromptId, Recall, Skill,
    Skills,
};

/// Without word from the person, what an answer may have beside the request.
const ANSWER: u64 = 8_192;
/// At most this part of a window is kept free for the answer.
const ANSWER_PART: u64 = 4;

/// What a model's window takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelLimits {
    /// Tokens of a request and its answer together, if known.
    pub window: Option<u64>,
    /// Tokens that an answer may have, if the person said.
    pub max_output: Option<u64>,
    /// Percent of the window at which conversations are compacted; 0: never by themselves.
    pub compact_at: u64,
}

impl ModelLimits {
    /// What the configuration says of a provider.
    #[must_use]
    pub fn of(provider: &Provider) -> Self {
        Self {
            window: provider.context_window,
            max_output: provider.max_output,
            compact_at: u64::from(provider.compact_at.unwrap_or(COMPACT_AT)),
        }
    }

    /// Tokens that are kept free for the answer.
    #[must_use]
    pub fn reserve(self) -> u64 {
        let most = self.window.map_or(u64::MAX, |window| window / ANSWER_PART);
        self.max_output.unwrap_or(ANSWER).min(most)
    }

    /// Tokens that a request may have.
    #[must_use]
    pub fn room(self) -> Option<u64> {
        Some(self.window?.saturating_sub(self.reserve()))
    }

    /// The same, where a server has refused a request with more tokens than this.
    #[must_use]
    pub fn learned(self, window: u64) -> Self {
        Self { window: Some(window), max_output: Some(0), ..self }
    }

    /// What compaction goes by where every request holds `fixed` tokens beside notes and conversation; none when it
    /// does not happen by itself. It never leaves the conversation less than half of what it could have, so that one
    /// does not follow the other.
    #[must_use]
    pub fn share(self, fixed: u64) -> Option<Share> {
        let room = self.room()?;
        let free = room.saturating_sub(fixed);
        let wanted = self.window? * self.compact_at.min(100) / 100;
        let trigger = wanted.min(room).max(fixed + free / 2);
        let free = trigger - fixed;
        (self.compact_at > 0 && free > 0).then_some(Share { trigger, keep: free / 3, notes: free / 4 })
    }
}

/// How a window is shared out by a compaction, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// A request over this is compacted.
    pub trigger: u64,
    /// What stays of the conversation, at most.
    pub keep: u64,
    /// What its notes may have.
    pub notes: u64,
}

impl Share {
    /// Without a known window: what is usual.
    pub const UNKNOWN: Self = Self { trigger: u64::MAX, keep: 8_000, notes: 4_000 };
}

/// What agents are told beside rules and conversation.
#[derive(Debug, Clone, Default)]
pub struct Beside {
    /// The skills there are.
    pub skills: Skills,
    /// Facts that were found for the prompt.
    pub recall: Recall,
}

/// What the next request of the lane with this transcript would hold. `prompt`: the one that runs, if any.
#[must_use]
pub fn context_view(
    directory: &Path,
    files: &dyn Files,
    entries: &[Entry],
    prompt: Option<PromptId>,
    off: LayersOff,
    beside: Beside,
    provider: Option<&Provider>,
) -> ContextView {
    let Beside { skills, recall } = beside;
    let limits = provider.map(ModelLimits::of).unwrap_or_default();
    let rebuilt = rebuild(entries, prompt.unwrap_or(PromptId(0)));
    let messages = &rebuilt.messages;
    let definitions = tools::definitions(Set::Whole);
    let context = Context::new(system_prompt(directory), &definitions, off, files).with_skills(&skills.known);
    let mut context = context.with_memory(recall, limits);
    context.replay(entries, &rebuilt, limits, files);
    // Between prompts all that there is are earlier turns.
    if prompt.is_none() {
        context.rest(messages.len());
    }
    let input = context.prompt();
    context.settle(messages, input, limits);
    let gauge = &context.gauge;
    let kept = gauge.kept(input);
    let weight = |layer: Layer| match layer {
        // Of turns that are off, those that would fit are not told apart.
        Layer::Turns if !context.is_on(layer) => gauge.weight(0..input),
        Layer::Turns => gauge.weight(kept.from.min(input)..input),
        Layer::Input => {
            gauge.weight(kept.from.max(input)..messages.len()) + kept.prompt.map_or(0, |at| gauge.weight(at..at + 1))
        }
        layer => context.weight(layer),
    };
    let parts = |layer: Layer| match layer {
        Layer::Rules => files_of(&context, &context.rules.project),
        Layer::Scoped => files_of(&context, &context.rules.scoped),
        Layer::Memory => context.memory.parts(|tokens| gauge.scaled(tokens)),
        Layer::Skills => skills.known.iter().map(|skill| part_of(&context, skill)).collect(),
        _ => Vec::new(),
    };
    let layers = Layer::ALL
        .into_iter()
        .map(|layer| LayerShare {
            layer,
            on: context.is_on(layer),
            tokens: gauge.scaled(weight(layer)),
            parts: parts(layer),
        })
        .collect();
    ContextView {
        layers,
        counted: counted(gauge.scale(), gauge.doubted(), &rebuilt, entries, context.is_on(Layer::Turns)),
        window: limits.window,
        reserve: limits.reserve(),
        left_out: context.left_out(),
        price: provider.and_then(|provider| provider.price).map(|price| price.input),
    }
}

/// Where the numbers come from; and if from the text alone, why.
fn counted(
    scale: Option<f64>,
    doubted: Option<(u64, u64)>,
    rebuilt: &Rebuilt,
    entries: &[Entry],
    with_turns: bool,
) -> Counted {
    let once = || entries.iter().any(|entry| matches!(&entry.body, EntryBody::Answer { usage: Some(_), .. }));
    match (scale, doubted) {
        (Some(scale), _) => Counted::ByServer { scale },
        (None, Some((told, estimated))) => Counted::Doubted { told, estimated },
        (None, None) if !with_turns && !rebuilt.counts.is_empty() => Counted::WithTurns,
        (None, None) if rebuilt.notes.is_some() && once() => Counted::BeforeNotes,
        (None, None) => Counted::Estimated,
    }
}

fn part_of(context: &Context, skill: &Skill) -> LayerPart {
    let tokens = context.gauge.scaled(super::tokens::text(&line_of(skill)));
    LayerPart { name: skill.name.clone(), tokens, note: Some(skill.file.clone()) }
}

fn files_of(context: &Context, files: &[RuleFile]) -> Vec<LayerPart> {
    let part = |file: &RuleFile| LayerPart {
        name: file.path.clone(),
        tokens: context.gauge.scaled(super::tokens::text(&file.text)),
        note: file.note.clone(),
    };
    files.iter().map(part).collect()
}
