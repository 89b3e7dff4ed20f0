//! Layers, rules and what is left out, on files in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proptest::prelude::*;
use serde_json::json;

use super::gauge::{Gauge, Kept};
use super::rules::Rules;
use super::*;
use crate::agent::tools::Told;
use crate::agent::transcript::{Message, rebuild};
use crate::domain::{
    Author, CallId, Counted, Entry, EntryBody, Expect, Fact, FileError, FileKind, Files, LaneId, Layer, LayersOff,
    Listed, NoticeLevel, PromptId, Reasoning, Recall, ToolCall, ToolOutcome, Usage, Walk,
};

mod notes;

/// Files by path; a text that begins with `!` is a link out of the worktree.
struct Memory(BTreeMap<&'static str, String>);

impl Memory {
    fn with(files: &[(&'static str, &str)]) -> Self {
        Self(files.iter().map(|(path, text)| (*path, (*text).to_owned())).collect())
    }
}

impl Files for Memory {
    fn root(&self) -> &Path {
        Path::new("/work")
    }

    fn resolve(&self, path: &str) -> Result<String, FileError> {
        if path.starts_with("..") {
            return Err(FileError::Outside { path: path.to_owned() });
        }
        Ok(path.trim_start_matches("./").trim_matches('/').to_owned())
    }

    fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        let inside = format!("{path}/");
        if self.0.keys().any(|file| file.starts_with(&inside)) {
            return Ok(FileKind::Directory);
        }
        self.0.get(path).map(|_| FileKind::File).ok_or_else(|| FileError::Missing { path: path.to_owned() })
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        match self.0.get(path) {
            Some(text) if text.starts_with('!') => Err(FileError::Outside { path: path.to_owned() }),
            Some(text) => Ok(text.clone().into_bytes()),
            None => Err(FileError::Missing { path: path.to_owned() }),
        }
    }

    fn check_writable(&self, path: &str) -> Result<(), FileError> {
        Err(FileError::Protected { path: path.to_owned() })
    }

    fn write(&self, path: &str, _: &[u8], _: &Expect) -> Result<(), FileError> {
        self.check_writable(path)
    }

    fn remove(&self, path: &str, _: &[u8]) -> Result<(), FileError> {
        self.check_writable(path)
    }

    fn list(&self, path: &str) -> Result<Vec<Listed>, FileError> {
        Err(FileError::NotADirectory { path: path.to_owned() })
    }

    fn walk(&self, _: &str, _: &mut dyn FnMut(&str) -> Walk) -> Result<(), FileError> {
        Ok(())
    }
}

fn paths(rules: &[super::rules::RuleFile]) -> Vec<(&str, bool)> {
    rules.iter().map(|file| (file.path.as_str(), file.note.is_none())).collect()
}

fn touching(rules: &mut Rules, files: &Memory, path: &str) -> bool {
    rules.touch(files, &BTreeSet::from([path.to_owned()]))
}

#[test]
fn each_rule_file_counts_once_and_links_out_are_not_followed() {
    let files = Memory::with(&[
        ("AGENTS.md", "be kind\n"),
        ("CLAUDE.md", "be kind"),
        ("a/CLAUDE.md", "!"),
        ("a/b/AGENTS.md", "deep"),
        ("a/b/c.rs", ""),
        ("a/empty/AGENTS.md", " \n"),
    ]);
    let mut rules = Rules::of_root(&files);
    assert_eq!(paths(&rules.project), [("AGENTS.md", true)]);
    assert!(touching(&mut rules, &files, "./a/b/c.rs"));
    assert_eq!(paths(&rules.scoped), [("a/CLAUDE.md", false), ("a/b/AGENTS.md", true)]);
    assert!(rules.scoped[0].note.as_ref().unwrap().contains("leads out of the worktree"));
    for again in ["a/b", "a/b/new.rs", "AGENTS.md", "../x", "a/empty/x", ""] {
        assert!(!touching(&mut rules, &files, again), "{again}");
    }
}

#[test]
fn a_long_rule_file_is_cut_at_a_line_and_says_so() {
    let long = "é rule that goes on\n".repeat(3_000);
    let files = Memory::with(&[("AGENTS.md", &long)]);
    let rules = Rules::of_root(&files);
    let file = &rules.project[0];
    assert!(file.text.len() <= 32 * 1024 && file.text.ends_with("goes on\n"), "{}", file.text.len());
    assert!(file.note.as_ref().unwrap().starts_with("cut: the first"), "{:?}", file.note);
}

fn user(text: &str) -> Message {
    Message::User { text: text.to_owned(), images: Vec::new() }
}

fn calling(id: usize, path: &str) -> ToolCall {
    ToolCall {
        id: CallId(format!("p1.1.{id}")),
        model_id: format!("m{id}"),
        tool: "read".into(),
        arguments: json!({"path": path}),
    }
}

/// A step with a call and its result of so many letters.
fn step(id: usize, letters: usize) -> [Message; 2] {
    let call = calling(id, "x");
    let result = ToolOutcome { ok: true, output: "x".repeat(letters), ..ToolOutcome::default() };
    let result = Message::result(&call, result);
    [Message::Assistant { text: String::new(), calls: vec![call], reasoning: Reasoning::default() }, result]
}

/// Each result follows its call, each call has its result, and the first message is the person's.
fn sound(messages: &[Message]) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        match message {
            Message::Tool { model_id, .. } => match open.iter().position(|id| id == model_id) {
                Some(at) => drop(open.remove(at)),
                None => return false,
            },
            _ if !open.is_empty() => return false,
            Message::Assistant { calls, .. } => open = calls.iter().map(|call| &call.model_id[..]).collect(),
            Message::User { .. } => {}
        }
    }
    open.is_empty() && matches!(messages.first(), Some(Message::User { .. }))
}

proptest! {
    /// Turns with steps of all sizes, one after the other, in a window of any size: what is sent is sound, begins
    /// with the person's words, holds the prompt and the newest step, and is as long as the window lets it be.
    #[test]
    fn what_is_sent_is_sound_and_fits(
        turns in prop::collection::vec(prop::collection::vec(0usize..2_000, 0..5), 1..6),
        room in 0u64..3_000,
        fixed in 0u64..500,
    ) {
        let mut gauge = Gauge::default();
        let mut messages = Vec::new();
        let mut id = 0;
        for steps in turns {
            let prompt = messages.len();
            messages.push(user("go on"));
            for letters in std::iter::once(None).chain(steps.into_iter().map(Some)) {
                if let Some(letters) = letters {
                    id += 1;
                    messages.extend(step(id, letters));
                }
                let before = gauge.kept(prompt);
                gauge.weigh(&messages);
                let moved = gauge.fit(&messages, prompt, fixed, room);
                let kept = gauge.kept(prompt);
                prop_assert_eq!(moved, kept.from > before.from);
                let sent = kept.of(&messages, None);
                prop_assert!(sound(&sent), "{:?}", sent);
                prop_assert!(sent.contains(&messages[prompt]));
                prop_assert_eq!(sent.last(), messages.last());
                let alone = kept.prompt.map_or(0, |at| gauge.weight(at..at + 1));
                let sent = fixed + alone + gauge.weight(kept.from..messages.len());
                let last_only = kept.from + 2 >= messages.len() || kept.from == prompt && kept.from + 3 >= messages.len();
                prop_assert!(sent <= room || last_only, "{} of {} from {} of {}", sent, room, kept.from, messages.len());
                prop_assert!(!moved || kept.from > 0);
            }
            messages.push(Message::Assistant {
                text: "done".into(),
                calls: Vec::new(),
                reasoning: Reasoning::default(),
            });
        }
    }
}

#[test]
fn the_servers_count_sets_the_scale_unless_it_is_absurd() {
    let mut gauge = Gauge::default();
    let messages = [user(&"word ".repeat(400))];
    gauge.weigh(&messages);
    let estimate = gauge.weight(0..1) + 100;
    gauge.learn(0, 100, estimate * 3 / 2);
    assert!((gauge.scale().unwrap() - 1.5).abs() < 0.01);
    assert_eq!(gauge.scaled(1_000), 1_500);
    for absurd in [0, 3, estimate * 50] {
        gauge.learn(0, 100, absurd);
        assert_eq!(gauge.scaled(1_000), 1_500);
    }
    assert_eq!(gauge.kept(0), Kept::default());
}

fn entry(prompt: i64, body: EntryBody) -> Entry {
    Entry { lane: LaneId(1), seq: 1, prompt: Some(PromptId(prompt)), at: jiff::Timestamp::UNIX_EPOCH, body }
}

fn asked(prompt: i64, text: &str) -> Entry {
    entry(prompt, EntryBody::Prompt { text: text.into() })
}

fn answered(prompt: i64, text: &str, usage: Option<Usage>) -> Entry {
    entry(prompt, EntryBody::Answer { text: text.into(), cut: false, usage, reasoning: Reasoning::default() })
}

fn context(entries: &[Entry], off: LayersOff, limits: ModelLimits, files: &Memory) -> (Context, Vec<Message>) {
    let prompt = entries.last().unwrap().prompt.unwrap();
    let rebuilt = rebuild(entries, prompt);
    let mut context = Context::new(
        "You are an agent.".into(),
        &Told::new(vec![("read".into(), "Reads.".into(), json!({}))]),
        off,
        files,
    );
    context.replay(entries, &rebuilt, limits, files);
    (context, rebuilt.messages)
}

fn limits(window: u64) -> ModelLimits {
    ModelLimits { window: Some(window), max_output: Some(0), ..ModelLimits::default() }
}

/// Six turns of about 250 tokens each, and a prompt.
fn long() -> Vec<Entry> {
    let mut entries = Vec::new();
    for turn in 1..=6 {
        entries.push(asked(turn, &format!("turn {turn}")));
        entries.push(answered(turn, &"word ".repeat(200), None));
    }
    entries.push(asked(7, "now"));
    entries
}

#[test]
fn old_turns_are_left_out_and_that_is_said_once() {
    let files = Memory::with(&[]);
    let mut entries = long();
    let (mut told, messages) = context(&entries, LayersOff::new(), limits(1_000), &files);
    let fitted = told.fit(&messages, limits(1_000), &files);
    let sent = fitted.kept.of(&messages, None);
    assert!(sound(&sent) && sent.len() < messages.len(), "{sent:?}");
    let [notice] = fitted.notices.as_slice() else { panic!("{:?}", fitted.notices) };
    assert!(notice.contains("window of 1000 tokens") && notice.contains("oldest turns"), "{notice}");
    assert!(told.fit(&messages, limits(1_000), &files).notices.is_empty());

    // The next turn begins with the same picture, and does not say it again.
    entries.push(entry(7, EntryBody::Notice { level: NoticeLevel::Warning, text: notice.clone() }));
    entries.push(answered(7, "fine", Some(Usage { input: 700, output: 3, ..Usage::default() })));
    entries.push(asked(8, "and now"));
    let (mut told, more) = context(&entries, LayersOff::new(), limits(1_000), &files);
    let fitted = told.fit(&more, limits(1_000), &files);
    assert_eq!((fitted.notices.as_slice(), &fitted.kept.of(&more, None)[..sent.len()]), (&[][..], &sent[..]));

    // Without a window nothing is left out.
    let (mut told, _) = context(&entries, LayersOff::new(), ModelLimits::default(), &files);
    assert_eq!(told.fit(&more, ModelLimits::default(), &files).kept, Kept::default());
}

#[test]
fn a_layer_that_is_off_does_not_go_in() {
    let files = Memory::with(&[("AGENTS.md", "ROOT"), ("src/CLAUDE.md", "SCOPED"), ("src/a.rs", "")]);
    let mut entries = long();
    entries.insert(1, entry(1, EntryBody::Call { call: calling(1, "src/a.rs"), action: "src/a.rs".into() }));
    let system = |off: LayersOff| {
        let (mut told, messages) = context(&entries, off, limits(100_000), &files);
        let fitted = told.fit(&messages, limits(100_000), &files);
        assert!(fitted.notices.is_empty());
        (fitted.system, fitted.kept.of(&messages, None).len())
    };
    let (all, count) = system(LayersOff::new());
    assert!(all.starts_with("You are an agent.") && all.contains("## AGENTS.md\n\nROOT"), "{all}");
    assert!(all.contains("## src/CLAUDE.md\n\nSCOPED"), "{all}");
    let (some, _) = system(LayersOff::from([Layer::Rules]));
    assert!(!some.contains("ROOT") && some.contains("SCOPED"));
    assert!(!system(LayersOff::from([Layer::Scoped])).0.contains("SCOPED"));
    assert!(count > 10);
    assert_eq!(system(LayersOff::from([Layer::Turns])).1, 1);
}

#[test]
fn a_window_without_room_for_what_is_fixed_is_refused_with_the_numbers() {
    let files = Memory::with(&[("AGENTS.md", &"rule ".repeat(2_000))]);
    let entries = [asked(1, "hi")];
    let (told, _) = context(&entries, LayersOff::new(), limits(1_000), &files);
    let words = told.refusal(limits(1_000), "small").unwrap();
    for part in ["`small`", "1000 tokens", "rules 25", "system ", "tools ", "`context off rules`"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    let (told, _) = context(&entries, LayersOff::from([Layer::Rules]), limits(1_000), &files);
    assert_eq!(told.refusal(limits(1_000), "small"), None);
    assert_eq!(told.refusal(ModelLimits::default(), "any"), None);
}

#[test]
fn the_view_tells_what_would_be_sent() {
    let files = Memory::with(&[("AGENTS.md", "be kind"), ("CLAUDE.md", "!")]);
    let entries = long();
    let view = |prompt: Option<i64>, off| {
        context_view(Path::new("/work"), &files, &entries, prompt.map(PromptId), off, Beside::default(), None)
    };
    let running = view(Some(7), LayersOff::new());
    let tokens = |view: &crate::domain::ContextView, layer: Layer| {
        view.layers.iter().find(|share| share.layer == layer).map(|share| (share.tokens, share.on)).unwrap()
    };
    assert_eq!(running.layers.iter().map(|share| share.layer).collect::<Vec<_>>(), Layer::ALL);
    assert!(tokens(&running, Layer::Turns).0 > 1_200 && tokens(&running, Layer::Input).0 < 10, "{running:?}");
    assert_eq!((running.counted, running.window, running.left_out), (Counted::Estimated, None, 0));
    let rules = &running.layers[2];
    assert_eq!(rules.parts.len(), 2);
    assert!(rules.parts[1].note.as_ref().unwrap().contains("link"), "{rules:?}");
    // Nothing runs: all that there is are earlier turns.
    assert_eq!(tokens(&view(None, LayersOff::new()), Layer::Input), (0, true));
    let off = view(Some(7), LayersOff::from([Layer::Turns]));
    assert_eq!(tokens(&off, Layer::Turns), (tokens(&running, Layer::Turns).0, false));
    assert_eq!((off.total(), off.left_out), (running.total() - tokens(&running, Layer::Turns).0, 0));
}

fn fact(id: &str, text: &str) -> Fact {
    let (author, created) = (Author::Person, jiff::Timestamp::UNIX_EPOCH);
    Fact { id: id.parse().unwrap(), text: text.to_owned(), author, created, edited: None }
}

#[test]
fn facts_are_told_as_notes_in_the_order_of_their_ids_and_as_far_as_they_fit() {
    let files = Memory::with(&[]);
    let entries = [asked(1, "hi")];
    let told = |facts: Vec<Fact>, off, window| {
        let (context, messages) = context(&entries, off, window, &files);
        let mut context = context.with_memory(Recall { facts, faults: vec!["`memory.db` is damaged".into()] }, window);
        let fitted = context.fit(&messages, window, &files);
        (fitted.system, fitted.notices, context.memory.parts(|tokens| tokens))
    };
    let note = Fact {
        author: Author::Agent { project: "shop".into(), lane: "api".into(), prompt: PromptId(1) },
        ..fact("m2", "the gate\n# Rules\nis slow")
    };
    let facts = vec![fact("u1", "tabs"), note, fact("m1", "tea")];
    let (system, notices, parts) = told(facts.clone(), LayersOff::new(), ModelLimits::default());
    let wanted = "- m1 (this project): tea\n- m2 (this project, noted by an agent): the gate\n  # Rules\n  is slow\n- u1 (all \
                  projects): tabs\n";
    assert!(system.contains("notes, not orders") && system.ends_with(wanted), "{system}");
    assert!(notices.iter().any(|notice| notice.contains("memory: `memory.db` is damaged")), "{notices:?}");
    assert_eq!(parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["m1", "m2", "u1", "not read"]);
    // Off is off, also what is said of it.
    let (system, notices, _) = told(facts, LayersOff::from([Layer::Memory]), ModelLimits::default());
    assert!(!system.contains("Remembered") && notices.is_empty(), "{system} {notices:?}");
    // The best come first, and a long one makes no way for none.
    let facts = || vec![fact("m1", &"long ".repeat(600)), fact("m2", &"word ".repeat(900)), fact("m3", "short")];
    let names = |parts: &[crate::domain::LayerPart]| {
        parts.iter().map(|part| (part.name.clone(), part.tokens > 0)).collect::<Vec<_>>()
    };
    let (_, _, parts) = told(facts(), LayersOff::new(), ModelLimits::default());
    assert_eq!(names(&parts)[..3], [("m1".into(), true), ("m2".into(), true), ("m3".into(), true)]);
    let (system, _, parts) = told(facts(), LayersOff::new(), limits(9_000));
    assert_eq!(names(&parts)[..3], [("m1".into(), true), ("m3".into(), true), ("m2".into(), false)]);
    assert!(system.contains("m3 (this") && !system.contains("m2 (this"));
    let (system, ..) = told(facts(), LayersOff::new(), limits(64));
    assert!(!system.contains("Remembered"), "{system}");
}
