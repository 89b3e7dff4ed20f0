//! A lane's context as a person sees it: the same layers that a turn would send, with what they weigh.

use std::path::Path;

use super::layers::Context;
use super::rules::RuleFile;
use crate::agent::skills::line_of;
use crate::agent::system_prompt::system_prompt;
use crate::agent::tools::{self, Set};
use crate::agent::transcript::rebuild;
use crate::config::Provider;
use crate::domain::{
    ContextView, Counted, Entry, Files, Layer, LayerPart, LayerShare, LayersOff, PromptId, Skill, Skills,
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
}

impl ModelLimits {
    /// What the configuration says of a provider.
    #[must_use]
    pub fn of(provider: &Provider) -> Self {
        Self { window: provider.context_window, max_output: provider.max_output }
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
}

/// What the next request of the lane with this transcript would hold. `prompt`: the one that runs, if any.
#[must_use]
pub fn context_view(
    directory: &Path,
    files: &dyn Files,
    entries: &[Entry],
    prompt: Option<PromptId>,
    off: LayersOff,
    skills: &Skills,
    provider: Option<&Provider>,
) -> ContextView {
    let limits = provider.map(ModelLimits::of).unwrap_or_default();
    let rebuilt = rebuild(entries, prompt.unwrap_or(PromptId(0)));
    let messages = &rebuilt.messages;
    let definitions = tools::definitions(Set::Whole);
    let mut context = Context::new(system_prompt(directory), &definitions, off, files).with_skills(&skills.known);
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
        counted: gauge.scale().map_or(Counted::Estimated, |scale| Counted::ByServer { scale }),
        window: limits.window,
        reserve: limits.reserve(),
        left_out: context.left_out(),
        price: provider.and_then(|provider| provider.price).map(|price| price.input),
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
