//! From a lane's transcript to what its model is told, and to where a cut turn goes on.
//!
//! Every tool message that comes out follows the call it answers, whatever the transcript lacks:
//! servers refuse a conversation for ever once one is orphaned.

use std::collections::{HashMap, HashSet};

use super::hooks;
use crate::domain::{
    CallId, Entry, EntryBody, HookEvent, LeftBehind, Notes, NotesEntry, PromptId, Reasoning, ToolCall, ToolImage,
    ToolOutcome,
};

/// What stands before the next prompt where the person cancelled one: else the model would do both.
const CANCELLED: &str = "[The person cancelled this. Do not go on with it unless asked to.]";

/// One message of a conversation, in no dialect.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message {
    /// From the person.
    User {
        /// The text.
        text: String,
        /// Pictures with it.
        images: Vec<ToolImage>,
    },
    /// From the model.
    Assistant {
        /// What it said; may be empty when it calls tools.
        text: String,
        /// The calls it asked for.
        calls: Vec<ToolCall>,
        /// What it thought; some servers want it back.
        reasoning: Reasoning,
    },
    /// A call's result.
    Tool {
        /// The model's id of the call.
        model_id: String,
        /// The tool.
        tool: String,
        /// Whether it did what was asked.
        ok: bool,
        /// What the model is told.
        text: String,
        /// Pictures with it.
        images: Vec<ToolImage>,
    },
}

/// A call of the last step, as far as it has come.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OpenCall {
    pub call: ToolCall,
    pub outcome: Option<ToolOutcome>,
}

/// A step whose calls have not all ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct OpenStep {
    pub text: String,
    pub reasoning: Reasoning,
    pub calls: Vec<OpenCall>,
}

impl Message {
    /// Pictures that go along with it.
    pub fn images(&self) -> &[ToolImage] {
        match self {
            Self::User { images, .. } | Self::Tool { images, .. } => images,
            Self::Assistant { .. } => &[],
        }
    }

    /// A call's result as the model is told it.
    pub fn result(call: &ToolCall, outcome: ToolOutcome) -> Self {
        Self::Tool {
            model_id: call.model_id.clone(),
            tool: call.tool.clone(),
            ok: outcome.ok,
            text: outcome.output,
            images: outcome.images,
        }
    }
}

/// Where a turn begins, or goes on.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Rebuilt {
    /// The conversation up to the open step.
    pub messages: Vec<Message>,
    /// A step whose calls have not all ended.
    pub open: Option<OpenStep>,
    /// The final answer, when the turn had ended and only its end was not stored.
    pub answered: Option<String>,
    /// The place in the transcript at which each message begins.
    pub places: Vec<u64>,
    /// The notes that stand for what was before the first message.
    pub notes: Option<Notes>,
    /// What the server counted of a request, with how many of the messages it held.
    pub counts: Vec<(usize, u64)>,
    /// Where the person's prompts stand in the messages.
    pub prompts: Vec<usize>,
    /// Whether hooks have had their word on the prompt of this turn.
    pub told: bool,
    /// How often hooks have kept this turn from ending.
    pub stops: u32,
    /// Steps of this turn so far.
    pub steps: u32,
    /// The number of the next step: not used by any call of this prompt.
    pub next_step: u32,
}

#[derive(Debug, Default)]
struct Step {
    /// Where it begins.
    seq: u64,
    text: String,
    reasoning: Reasoning,
    cut: bool,
    calls: Vec<ToolCall>,
    outcomes: HashMap<CallId, ToolOutcome>,
}

/// Reads a transcript. `prompt` is the one whose turn runs.
pub(super) fn rebuild(entries: &[Entry], prompt: PromptId) -> Rebuilt {
    let mut out = Rebuilt { next_step: 1, ..Rebuilt::default() };
    let mut step: Option<Step> = None;
    let mut last_prompt = None;
    let mut cancelled = false;
    let left = LeftBehind::of(entries.iter());
    let withheld = withheld(entries, prompt);
    let noted = in_force(entries, &left);
    out.notes = noted.map(|noted| noted.notes.clone());
    let mut upto = noted.map(|noted| noted.upto);
    // The person's words that the first step after the notes belongs to.
    let mut said: Option<(Option<PromptId>, u64, String)> = None;
    for (at, entry) in entries.iter().enumerate() {
        if left.has(entry.seq) {
            // Its calls keep their ids for themselves.
            if entry.prompt == Some(prompt) {
                out.next_step = out.next_step.max(number_after(&entry.body));
            }
            continue;
        }
        if upto.is_some_and(|upto| entry.seq > upto) {
            // Nothing before this is told again.
            (upto, step) = (None, None);
            out.messages.clear();
            out.places.clear();
            out.prompts.clear();
            out.counts.clear();
        }
        match &entry.body {
            _ if withheld.contains(&at) => continue,
            EntryBody::Prompt { text } => {
                out.close(step.take(), true);
                if std::mem::take(&mut cancelled) {
                    push_user(&mut out.messages, CANCELLED);
                }
                push_user(&mut out.messages, text);
                out.places.resize(out.messages.len(), entry.seq);
                out.prompts.push(out.messages.len() - 1);
                (out.steps, out.stops, out.told) = (0, 0, false);
                if upto.is_some() {
                    said = Some((entry.prompt, entry.seq, text.clone()));
                }
            }
            EntryBody::Told { event, by, text } => {
                out.close(step.take(), true);
                push_user(&mut out.messages, &hooks::told(*event, by, text));
                out.places.resize(out.messages.len(), entry.seq);
                out.told |= *event == HookEvent::Prompt;
                out.stops += u32::from(*event == HookEvent::Stop);
            }
            EntryBody::Answer { text, cut, reasoning, usage } => {
                cancelled = false;
                out.close(step.take(), false);
                out.counts.extend(usage.map(|usage| (out.messages.len(), usage.input)));
                let (text, reasoning) = (text.clone(), reasoning.clone());
                step = Some(Step { seq: entry.seq, text, reasoning, cut: *cut, ..Step::default() });
                if entry.prompt == Some(prompt) {
                    out.steps += 1;
                    out.next_step += 1;
                }
            }
            EntryBody::Call { call, .. } => {
                if entry.prompt == Some(prompt) {
                    out.next_step = out.next_step.max(step_of(&call.id) + 1);
                }
                let step = step.get_or_insert_with(|| Step { seq: entry.seq, ..Step::default() });
                step.calls.push(call.clone());
            }
            EntryBody::Result { call, outcome } => {
                // One without its call would be refused by servers; it is left out.
                if let Some(step) = step.as_mut().filter(|step| step.calls.iter().any(|known| known.id == *call)) {
                    step.outcomes.insert(call.clone(), outcome.clone());
                }
            }
            EntryBody::Rewound { .. } => {
                // The one who goes on from here is the person.
                out.close(step.take(), true);
                out.steps = 0;
            }
            EntryBody::Cancelled => {
                // One that was retried goes on.
                cancelled = entry.prompt != Some(prompt);
                continue;
            }
            EntryBody::Notice { .. } | EntryBody::Rewinding { .. } | EntryBody::Child { .. } | EntryBody::Notes(_) => {
                continue;
            }
            EntryBody::Withheld => {
                // Tried again, it is asked about again.
                out.told &= entry.prompt != Some(prompt);
                continue;
            }
        }
        last_prompt = entry.prompt;
    }
    match step {
        Some(step) if last_prompt == Some(prompt) => end(&mut out, step),
        step => out.close(step, false),
    }
    if let Some(said) = said {
        out.begin_with(said, prompt);
    }
    out
}

/// Places of entries that no request holds: words that a hook blocked, until they go through as they stand.
fn withheld(entries: &[Entry], running: PromptId) -> HashSet<usize> {
    let mut gone = HashSet::new();
    let (mut said, mut told): (HashMap<_, Vec<_>>, HashMap<_, Vec<_>>) = Default::default();
    let mut blocked: HashMap<PromptId, Vec<usize>> = HashMap::new();
    for (at, entry) in entries.iter().enumerate() {
        let Some(prompt) = entry.prompt else { continue };
        match entry.body {
            EntryBody::Prompt { .. } => {
                // Said anew, perhaps edited: the words that were blocked stay out for good.
                gone.extend(blocked.remove(&prompt).into_iter().flatten());
                said.entry(prompt).or_default().push(at);
            }
            EntryBody::Told { event: HookEvent::Prompt, .. } => told.entry(prompt).or_default().push(at),
            EntryBody::Withheld => {
                gone.extend(told.remove(&prompt).into_iter().flatten());
                blocked.entry(prompt).or_default().extend(said.remove(&prompt).into_iter().flatten());
            }
            EntryBody::Answer { .. } => _ = blocked.remove(&prompt),
            _ => {}
        }
    }
    blocked.remove(&running);
    gone.extend(blocked.into_values().flatten());
    gone
}

/// The notes that a conversation goes on from: the newest that are not left behind.
fn in_force<'a>(entries: &'a [Entry], left: &LeftBehind) -> Option<&'a NotesEntry> {
    entries.iter().rev().filter(|entry| !left.has(entry.seq)).find_map(|entry| match &entry.body {
        EntryBody::Notes(noted) => Some(&**noted),
        _ => None,
    })
}

impl Rebuilt {
    /// Adds a step that is over.
    fn close(&mut self, step: Option<Step>, answered_to: bool) {
        let seq = step.as_ref().map_or(0, |step| step.seq);
        close(&mut self.messages, step, answered_to);
        self.places.resize(self.messages.len(), seq);
    }

    /// Steps never stand without the person's words that they belong to, also when notes stand for these.
    fn begin_with(&mut self, (of, seq, text): (Option<PromptId>, u64, String), prompt: PromptId) {
        let headless = match self.messages.first() {
            Some(first) => !matches!(first, Message::User { .. }),
            None => self.open.is_some() || of == Some(prompt),
        };
        if headless {
            self.messages.insert(0, Message::User { text, images: Vec::new() });
            self.places.insert(0, seq);
            self.counts.iter_mut().for_each(|(length, _)| *length += 1);
            self.prompts.iter_mut().for_each(|at| *at += 1);
            self.prompts.insert(0, 0);
        }
    }

    /// Where the prompt stands that runs, when there are so many messages.
    pub fn running(&self, messages: usize) -> usize {
        self.prompts.iter().rev().find(|at| **at < messages).copied().unwrap_or(0)
    }
}

/// The first step's number that is certainly free after an entry that is left behind.
fn number_after(body: &EntryBody) -> u32 {
    match body {
        EntryBody::Call { call, .. } => step_of(&call.id) + 1,
        _ => 1,
    }
}

/// What the last step of the running turn means for how it goes on.
fn end(out: &mut Rebuilt, mut step: Step) {
    if step.calls.is_empty() {
        if !step.cut {
            out.answered = Some(step.text);
        }
        // A cut answer is left out: the step is asked for again.
        return;
    }
    if step.calls.iter().all(|call| step.outcomes.contains_key(&call.id)) {
        out.close(Some(step), false);
        return;
    }
    let calls = std::mem::take(&mut step.calls);
    let calls = calls.into_iter().map(|call| OpenCall { outcome: step.outcomes.remove(&call.id), call }).collect();
    out.open = Some(OpenStep { text: step.text, reasoning: step.reasoning, calls });
}

/// Adds a step that is over. A cut answer counts only when the person has answered to it.
fn close(messages: &mut Vec<Message>, step: Option<Step>, answered_to: bool) {
    let Some(mut step) = step else { return };
    if step.calls.is_empty() && (step.text.is_empty() || (step.cut && !answered_to)) {
        return;
    }
    let results: Vec<Message> = step
        .calls
        .iter()
        .map(|call| {
            let none = || super::tools::failed("not run: the turn ended before this call", "not run");
            Message::result(call, step.outcomes.remove(&call.id).unwrap_or_else(none))
        })
        .collect();
    messages.push(Message::Assistant { text: step.text, calls: step.calls, reasoning: step.reasoning });
    messages.extend(results);
}

/// Adds the person's words. Two in a row become one message: some servers want roles to alternate.
pub(super) fn push_user(messages: &mut Vec<Message>, text: &str) {
    if let Some(Message::User { text: before, .. }) = messages.last_mut() {
        before.push_str("\n\n");
        before.push_str(text);
    } else {
        messages.push(Message::User { text: text.to_owned(), images: Vec::new() });
    }
}

/// The id of a call: unique within its lane.
pub(super) fn call_id(prompt: PromptId, step: u32, index: usize) -> CallId {
    CallId(format!("{prompt}.{step}.{}", index + 1))
}

/// The step within a call's id; 0 when it is not ours.
fn step_of(id: &CallId) -> u32 {
    id.0.split('.').nth(1).and_then(|step| step.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{LaneId, NoticeLevel};
    use proptest::prelude::*;

    fn entry(prompt: i64, body: EntryBody) -> Entry {
        Entry { lane: LaneId(1), seq: 1, prompt: Some(PromptId(prompt)), at: jiff::Timestamp::UNIX_EPOCH, body }
    }

    fn user(prompt: i64, text: &str) -> Entry {
        entry(prompt, EntryBody::Prompt { text: text.into() })
    }

    fn answer(prompt: i64, text: &str, cut: bool) -> Entry {
        entry(prompt, EntryBody::Answer { text: text.into(), cut, usage: None, reasoning: Reasoning::default() })
    }

    fn call(prompt: i64, id: &str) -> Entry {
        let call = ToolCall {
            id: CallId(id.into()),
            model_id: format!("m{id}"),
            tool: "read".into(),
            arguments: serde_json::json!({"path": "x"}),
        };
        entry(prompt, EntryBody::Call { call, action: "x".into() })
    }

    fn result(prompt: i64, id: &str) -> Entry {
        let outcome = ToolOutcome { ok: true, output: "fine".into(), summary: String::new(), ..ToolOutcome::default() };
        entry(prompt, EntryBody::Result { call: CallId(id.into()), outcome })
    }

    /// Each tool message answers a call of the last assistant message, and each call is answered.
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
        open.is_empty()
    }

    #[test]
    fn a_conversation_is_rebuilt_in_order() {
        let notice = entry(1, EntryBody::Notice { level: NoticeLevel::Info, text: "x".into() });
        let entries = [
            user(1, "one"),
            answer(1, "look", false),
            call(1, "p1.1.1"),
            notice.clone(),
            result(1, "p1.1.1"),
            answer(1, "cut", true),
            answer(1, "done", false),
            notice,
            user(2, "two"),
        ];
        let rebuilt = rebuild(&entries, PromptId(2));
        let words: Vec<&str> = rebuilt
            .messages
            .iter()
            .map(|message| match message {
                Message::User { text, .. } | Message::Assistant { text, .. } | Message::Tool { text, .. } => &text[..],
            })
            .collect();
        assert_eq!(words, ["one", "look", "fine", "done", "two"]);
        assert_eq!((rebuilt.steps, rebuilt.next_step, rebuilt.open), (0, 1, None));
    }

    #[test]
    fn a_turn_that_waited_goes_on_with_its_calls() {
        let entries = [user(1, "one"), answer(1, "", false), call(1, "p1.4.1"), call(1, "p1.4.2"), result(1, "p1.4.2")];
        let rebuilt = rebuild(&entries, PromptId(1));
        let calls = rebuilt.open.unwrap().calls;
        assert_eq!(calls.iter().map(|open| open.outcome.is_some()).collect::<Vec<_>>(), [false, true]);
        assert_eq!((rebuilt.steps, rebuilt.next_step), (1, 5));
    }

    #[test]
    fn a_turn_whose_end_was_not_stored_is_over() {
        let entries = [user(1, "one"), answer(1, "all done", false)];
        assert_eq!(rebuild(&entries, PromptId(1)).answered.as_deref(), Some("all done"));
        let entries = [user(1, "one"), answer(1, "all do", true)];
        let rebuilt = rebuild(&entries, PromptId(1));
        assert_eq!((rebuilt.answered, rebuilt.messages.len()), (None, 1));
    }

    #[test]
    fn a_blocked_prompt_is_told_only_when_it_is_tried_again() {
        let told = EntryBody::Told { event: HookEvent::Prompt, by: "hook".into(), text: "it is Monday".into() };
        let mut entries = vec![user(1, "secret"), entry(1, told), entry(1, EntryBody::Withheld)];
        let retried = rebuild(&entries, PromptId(1));
        assert_eq!((retried.messages.len(), retried.told), (1, false), "hooks are asked again");
        entries.push(user(2, "hello"));
        let words = |entries: &[Entry]| format!("{:?}", rebuild(entries, PromptId(2)).messages);
        assert!(!words(&entries).contains("secret") && !words(&entries).contains("Monday"), "{}", words(&entries));
        entries.insert(3, answer(1, "gone through", false));
        assert!(words(&entries).contains("secret"));
        // Edited and tried again.
        let entries = [user(1, "secret"), entry(1, EntryBody::Withheld), user(1, "harmless")];
        let words = format!("{:?}", rebuild(&entries, PromptId(1)).messages);
        assert!(words.contains("harmless") && !words.contains("secret"), "{words}");
    }

    #[test]
    fn prompts_without_an_answer_become_one_message() {
        let rebuilt = rebuild(&[user(1, "a"), answer(1, "part", true), user(2, "b"), user(3, "c")], PromptId(3));
        assert_eq!(rebuilt.messages.len(), 3);
        assert_eq!(rebuilt.messages[2], Message::User { text: "b\n\nc".into(), images: Vec::new() });
    }

    #[test]
    fn a_cancelled_prompt_is_told_as_such_until_it_is_retried() {
        let cancelled = || entry(1, EntryBody::Cancelled);
        let told = |entries: &[Entry], prompt| match rebuild(entries, PromptId(prompt)).messages.last() {
            Some(Message::User { text, .. }) => text.clone(),
            other => panic!("{other:?}"),
        };
        let words = format!("a\n\n{CANCELLED}\n\nb");
        assert_eq!(told(&[user(1, "a"), cancelled(), user(2, "b")], 2), words);
        assert_eq!(told(&[user(1, "a"), cancelled()], 1), "a");
        let answered = [user(1, "a"), cancelled(), answer(1, "done", false), user(2, "b")];
        assert_eq!(told(&answered, 2), "b");
    }

    #[test]
    fn what_hooks_told_the_model_is_told_again() {
        let told = |event, text: &str| entry(2, EntryBody::Told { event, by: "hook".into(), text: text.into() });
        let entries = [
            user(1, "one"),
            answer(1, "done", false),
            user(2, "two"),
            told(HookEvent::Prompt, "know this"),
            answer(2, "done", false),
            told(HookEvent::Stop, "not yet"),
        ];
        let rebuilt = rebuild(&entries, PromptId(2));
        assert_eq!((rebuilt.told, rebuilt.stops, rebuilt.steps, rebuilt.answered.clone()), (true, 1, 1, None));
        assert_eq!(rebuilt.messages.len(), 5, "{:?}", rebuilt.messages);
        // The prompt that runs is the person's, not the hook's.
        assert_eq!((rebuilt.running(5), rebuilt.running(2), rebuilt.running(1)), (2, 0, 0));
        assert!(
            matches!(&rebuilt.messages[2], Message::User { text, .. } if text.starts_with("two") && text.ends_with("know this"))
        );
        assert!(matches!(&rebuilt.messages[4], Message::User { text, .. } if text.ends_with("not yet")));
    }

    #[test]
    fn what_a_rewind_left_behind_is_not_told_and_its_call_ids_are_not_given_again() {
        let mut entries = vec![
            user(1, "one"),
            answer(1, "first", false),
            user(2, "two"),
            answer(2, "", false),
            call(2, "p2.1.1"),
            result(2, "p2.1.1"),
            entry(2, EntryBody::Rewound { to: 2, checkpoint: 2 }),
            user(2, "two"),
        ];
        for (seq, entry) in (1..).zip(&mut entries) {
            entry.seq = seq;
        }
        let rebuilt = rebuild(&entries, PromptId(2));
        assert_eq!(rebuilt.messages.len(), 3, "{:?}", rebuilt.messages);
        assert_eq!((rebuilt.steps, rebuilt.next_step), (0, 2));
    }

    proptest! {
        /// Whatever is cut off a transcript's front or lost from its middle, no tool message is orphaned.
        #[test]
        fn no_tool_message_is_orphaned(kinds in proptest::collection::vec((0u8..5, 0u8..4), 0..40), from in 0usize..40) {
            let entries: Vec<Entry> = kinds.iter().enumerate().map(|(at, (kind, id))| match kind {
                0 => user(1, "u"),
                1 => answer(1, "a", *id == 0),
                2 | 3 => call(1, &format!("p1.{at}.{id}")),
                _ => result(1, &format!("p1.{}.{id}", at.saturating_sub(1 + usize::from(*id)))),
            }).collect();
            let rebuilt = rebuild(&entries[from.min(entries.len())..], PromptId(1));
            prop_assert!(sound(&rebuilt.messages), "{:?}", rebuilt.messages);
        }
    }
}
