//! Compaction as a rule: when it is due, what stays, and that a transcript with notes is told as the turn went on.

use super::*;
use crate::agent::context::layers::Plan;
use crate::domain::{CompactCause, Notes, NotesEntry};

fn compacting(window: u64, compact_at: u64) -> ModelLimits {
    ModelLimits { window: Some(window), max_output: Some(0), compact_at }
}

fn noted(upto: u64, text: &str) -> EntryBody {
    let notes = Notes { goal: text.to_owned(), ..Notes::default() };
    let cause = CompactCause::Full;
    EntryBody::Notes(Box::new(NotesEntry { upto, notes, cause, without_model: None, before: 0, after: 0 }))
}

/// A transcript that is written as the workstation does.
#[derive(Default)]
struct Transcript(Vec<Entry>);

impl Transcript {
    fn add(&mut self, prompt: i64, body: EntryBody) -> u64 {
        let seq = self.0.len() as u64 + 1;
        self.0.push(Entry { seq, ..entry(prompt, body) });
        seq
    }

    fn step(&mut self, prompt: i64, step: &[Message; 2]) -> u64 {
        let [Message::Assistant { calls, .. }, Message::Tool { text, .. }] = step else { panic!("a step") };
        let answer =
            EntryBody::Answer { text: String::new(), cut: false, usage: None, reasoning: Reasoning::default() };
        let seq = self.add(prompt, answer);
        self.add(prompt, EntryBody::Call { call: calls[0].clone(), action: String::new() });
        let outcome = ToolOutcome { ok: true, output: text.clone(), ..ToolOutcome::default() };
        self.add(prompt, EntryBody::Result { call: calls[0].id.clone(), outcome });
        seq
    }
}

/// What the model was to be told, without notes.
fn stays(plan: &Plan, prompt: usize, messages: &[Message]) -> Vec<Message> {
    let alone = (plan.from > prompt).then(|| messages[prompt].clone());
    alone.into_iter().chain(messages[plan.from..].iter().cloned()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    /// Turns with steps of all sizes in a window of any size: what is sent after a compaction is sound, begins with the
    /// notes, holds the prompt and nothing that the notes stand for, and is under the limit; and whoever reads the
    /// transcript later is told the same.
    #[test]
    fn what_is_sent_goes_on_from_the_notes(
        turns in prop::collection::vec(prop::collection::vec(0usize..1_500, 0..6), 1..6),
        window in 200u64..4_000,
        compact_at in 20u64..=95,
        words in 1usize..600,
    ) {
        let files = Memory::with(&[]);
        let limits = compacting(window, compact_at);
        let mut transcript = Transcript::default();
        let mut id = 0;
        for (turn, steps) in (1..).zip(turns) {
            transcript.add(turn, EntryBody::Prompt { text: format!("turn {turn}") });
            let rebuilt = rebuild(&transcript.0, PromptId(turn));
            prop_assert_eq!(rebuilt.places.len(), rebuilt.messages.len());
            let mut context = Context::new("You are an agent.".into(), &Told::default(), LayersOff::new(), &files);
            context.replay(&transcript.0, &rebuilt, limits, &files);
            let (mut messages, mut places) = (rebuilt.messages, rebuilt.places);
            let prompt = context.prompt();
            for letters in std::iter::once(None).chain(steps.into_iter().map(Some)) {
                if let Some(letters) = letters {
                    id += 1;
                    let made = step(id, letters);
                    let seq = transcript.step(turn, &made);
                    places.extend([seq, seq]);
                    messages.extend(made);
                }
                let due = context.plan(&messages, limits, &files, false);
                let Some(plan) = due else { continue };
                prop_assert!(plan.from > plan.since && plan.from <= messages.len());
                let mut notes = Notes { goal: "word ".repeat(words), done: "x".repeat(words), ..Notes::default() };
                notes.fit(plan.notes, tokens::text);
                let upto = places.get(plan.from).map_or(transcript.0.len() as u64, |seq| seq - 1);
                let body = noted(upto, "");
                let EntryBody::Notes(mut made) = body else { unreachable!() };
                made.notes = notes.clone();
                transcript.add(turn, EntryBody::Notes(made));
                let after = context.compacted(plan.from, notes.clone());
                prop_assert!(after < plan.before);

                // What is left weighs what it may, unless the notes or the newest step alone are more.
                let share = limits.share(context.fixed() - context.weight(Layer::Notes)).unwrap();
                let least = plan.from == messages.len() || notes.text().len() < 60;
                prop_assert!(after <= share.trigger || least, "{} over {}", after, share.trigger);
                prop_assert!(context.plan(&messages, limits, &files, false).is_none() || least);

                let fitted = context.fit(&messages, limits, &files);
                let sent = fitted.kept.of(&messages, fitted.notes.as_deref());
                prop_assert!(sound(&sent), "{:?}", sent);
                let Message::User { text, .. } = &sent[0] else { panic!("{sent:?}") };
                prop_assert!(text.starts_with("Notes on this conversation"), "{}", text);
                let gone = &messages[..plan.from.min(prompt)];
                prop_assert!(!gone.iter().any(|gone| sent[1..].contains(gone)), "{:?}", sent);

                let again = rebuild(&transcript.0, PromptId(turn));
                prop_assert_eq!(&again.messages, &stays(&plan, prompt, &messages));
                prop_assert_eq!(again.notes.as_ref(), Some(&notes));
            }
            let text = format!("done {turn}");
            transcript.add(turn, EntryBody::Answer { text, cut: false, usage: None, reasoning: Reasoning::default() });
        }
    }
}

#[test]
fn it_is_due_before_the_window_is_full_and_never_where_it_is_off() {
    let files = Memory::with(&[]);
    let entries = long();
    let plan = |limits: ModelLimits| {
        let (mut told, messages) = context(&entries, LayersOff::new(), limits, &files);
        (told.plan(&messages, limits, &files, false), messages)
    };
    // About 1,600 tokens.
    let (due, messages) = plan(compacting(2_000, 60));
    let due = due.unwrap();
    assert!(matches!(messages[due.from], Message::User { .. }), "whole turns stay: {due:?}");
    assert!(due.before > 1_200 && due.room == Some(2_000), "{due:?}");
    for not in [compacting(2_000, 0), compacting(2_000, 95), compacting(100_000, 20), limits(2_000)] {
        assert_eq!(plan(not).0, None, "{not:?}");
    }
    let unknown = ModelLimits { compact_at: 80, ..ModelLimits::default() };
    assert_eq!(plan(unknown).0, None, "no window is known");
}

#[test]
fn a_prompt_that_is_nearly_all_of_it_is_not_compacted_again_and_again() {
    let files = Memory::with(&[]);
    let limits = compacting(1_000, 50);
    let mut transcript = Transcript::default();
    transcript.add(1, EntryBody::Prompt { text: "word ".repeat(700) });
    transcript.step(1, &step(1, 40));
    let (mut told, messages) = context(&transcript.0, LayersOff::new(), limits, &files);
    assert_eq!(told.plan(&messages, limits, &files, false), None);
}

#[test]
fn at_rest_the_last_turn_stays_if_it_is_short_and_not_alone() {
    let files = Memory::with(&[]);
    let limits = compacting(10_000, 80);
    let mut transcript = Transcript::default();
    let plan = |transcript: &Transcript| {
        let rebuilt = rebuild(&transcript.0, PromptId(0));
        let mut context = Context::new(String::new(), &Told::default(), LayersOff::new(), &files);
        context.replay(&transcript.0, &rebuilt, limits, &files);
        context.rest(rebuilt.messages.len());
        context.plan_at_rest(&rebuilt, limits).map(|plan| (plan.from, rebuilt.messages.len()))
    };
    assert_eq!(plan(&transcript), None);
    transcript.0 = long();
    transcript.0.pop();
    for (seq, entry) in (1..).zip(&mut transcript.0) {
        entry.seq = seq;
    }
    assert_eq!(plan(&transcript), Some((10, 12)));
    let mut one = Transcript(transcript.0[..2].to_vec());
    assert_eq!(plan(&one), Some((2, 2)), "what is alone goes in whole");
    one.add(1, noted(2, "n"));
    assert_eq!(plan(&one), None);
    transcript.add(6, noted(10, "n"));
    assert_eq!(plan(&transcript), None, "only the short last turn is left");
}

#[test]
fn a_turn_that_goes_on_after_notes_for_all_of_it_has_its_prompt() {
    let mut transcript = Transcript::default();
    transcript.add(1, EntryBody::Prompt { text: "one".into() });
    transcript.step(1, &step(1, 4));
    let last = transcript.0.len() as u64;
    transcript.add(1, noted(last, "n"));
    assert_eq!(rebuild(&transcript.0, PromptId(1)).messages, [user("one")]);
    assert_eq!(rebuild(&transcript.0, PromptId(0)).messages, []);
    transcript.add(2, EntryBody::Prompt { text: "two".into() });
    assert_eq!(rebuild(&transcript.0, PromptId(2)).messages, [user("two")]);
    // Calls of the turn that was noted keep their numbers.
    assert_eq!(rebuild(&transcript.0, PromptId(1)).next_step, 2);
}

#[test]
fn notes_can_be_off_and_are_shown_as_a_layer() {
    let files = Memory::with(&[]);
    let mut entries = long();
    for (seq, entry) in (1..).zip(&mut entries) {
        entry.seq = seq;
    }
    entries.insert(12, Entry { seq: 13, ..entry(6, noted(10, &"word ".repeat(100))) });
    entries[13].seq = 14;
    let off = LayersOff::from([Layer::Notes]);
    let (mut told, messages) = context(&entries, off.clone(), limits(100_000), &files);
    assert_eq!((messages.len(), told.fit(&messages, limits(100_000), &files).notes), (3, None));
    let view =
        |off| context_view(Path::new("/work"), &files, &entries, Some(PromptId(7)), off, Beside::default(), None);
    let share = |off| view(off).layers.into_iter().find(|share| share.layer == Layer::Notes).unwrap();
    assert!(share(LayersOff::new()).tokens > 100 && share(LayersOff::new()).on);
    assert!(share(off.clone()).tokens > 100 && !share(off).on);
    assert_eq!(view(LayersOff::new()).left_out, 0);
}

#[test]
fn notes_that_were_made_for_a_larger_window_are_cut_to_the_one_there_is() {
    let files = Memory::with(&[]);
    let mut entries = vec![asked(1, "one")];
    entries.push(Entry { seq: 2, ..entry(1, noted(1, &"word ".repeat(4_000))) });
    entries.push(Entry { seq: 3, ..asked(2, "two") });
    let (told, _) = context(&entries, LayersOff::new(), compacting(2_000, 80), &files);
    assert_eq!(told.refusal(compacting(2_000, 80), "small"), None);
    assert!(told.weight(Layer::Notes) < 800);
}
