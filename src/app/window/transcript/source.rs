//! Entries as source lines: what stands where, before any wrapping.

use std::borrow::Cow;

use crate::app::window::text::{Tone, clean, cut_at};
use crate::base::{clip, one_line};
use crate::domain::{
    CallState, ChildStep, Entry, EntryBody, HookEvent, NotesEntry, NoticeLevel, PromptState, TodoItem, TodoState,
    ToolCall, ToolOutcome,
};

use super::Transcript;
use super::diff::{DiffLine, numbered};
use super::sheet::{Said, Sheet};

/// Diff lines shown of a folded call.
const DIFF: usize = 10;
/// Output lines shown of a call that failed or still runs.
const OUTPUT: usize = 6;
/// Output lines shown of an opened call; the store keeps the rest.
const OPENED: usize = 400;
/// Bytes of one source line; a longer one is cut in several, so that wrapping costs what is visible.
const LINE: usize = 8 * 1024;

/// Cells of a child's action.
const BELOW: usize = 90;

/// How a line of text is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// The first line of a prompt.
    Prompt,
    /// A further line of a prompt.
    PromptMore,
    /// A line of a tool's output.
    Output,
    /// The first line of a notice from the workstation.
    Notice(NoticeLevel),
    /// A further line of a notice.
    NoticeMore(NoticeLevel),
}

/// One line before wrapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source<'a> {
    /// Nothing.
    Blank,
    /// Text as it was said.
    Line(LineKind, &'a str),
    /// A line of a diff.
    Diff(DiffLine<'a>),
    /// A tool call: its tool, its action, and what came of it.
    Call {
        /// Whether its fold is open; none when there is nothing to open.
        open: Option<bool>,
        /// The tool's name.
        tool: &'a str,
        /// The command or path.
        action: Cow<'a, str>,
        /// What came of it, in a word or two.
        outcome: (Tone, Cow<'a, str>),
    },
    /// Words of ours.
    Note(Tone, Cow<'a, str>),
}

impl Source<'_> {
    /// Whether it belongs to what came of a call.
    pub(super) const fn is_outcome(&self) -> bool {
        matches!(self, Self::Diff(_) | Self::Line(LineKind::Output, _) | Self::Note(..))
    }
}

/// What kind of thing a block is, to decide on the blank line before it.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Group {
    Prompt,
    Answer,
    Call,
    Notice,
}

impl<'a> Transcript<'a> {
    fn group(&self, entry: &Entry) -> Option<Group> {
        if self.state.model.is_left_behind(self.lane, entry.seq) {
            return None;
        }
        match &entry.body {
            EntryBody::Prompt { .. } => Some(Group::Prompt),
            EntryBody::Answer { text, .. } if text.trim().is_empty() && thoughts(&entry.body).is_none() => None,
            EntryBody::Answer { .. } => Some(Group::Answer),
            EntryBody::Call { .. } => Some(Group::Call),
            EntryBody::Result { call, .. } if self.has_call(entry.seq, call) => None,
            EntryBody::Result { .. } => Some(Group::Call),
            EntryBody::Notice { .. }
            | EntryBody::Told { .. }
            | EntryBody::Rewinding { .. }
            | EntryBody::Rewound { .. }
            | EntryBody::Cancelled
            | EntryBody::Withheld
            | EntryBody::Notes(_) => Some(Group::Notice),
            EntryBody::Child { step, .. } if step.tool.is_empty() && step.action.is_empty() => None,
            EntryBody::Child { .. } => Some(Group::Call),
        }
    }

    /// Whether a blank line stands before the block: between blocks, but not within a run of calls or notices.
    fn spaced(&self, seq: u64, group: Group) -> bool {
        let before = (self.first()..seq).rev().take(super::REACH).find_map(|s| self.group(self.entry(s)?));
        before.is_some_and(|before| before != group || matches!(group, Group::Prompt | Group::Answer))
    }

    /// An entry, or what the running turn streams.
    pub(super) fn sheet(&self, seq: u64) -> Sheet<'a> {
        let mut out = Vec::new();
        let Some(entry) = self.entry(seq) else {
            return if seq == self.feed { self.streamed(seq) } else { Sheet::of(out) };
        };
        let Some(group) = self.group(entry) else { return Sheet::of(out) };
        if self.spaced(seq, group) {
            out.push(Source::Blank);
        }
        match &entry.body {
            EntryBody::Prompt { text } => {
                let kinds = std::iter::once(LineKind::Prompt).chain(std::iter::repeat(LineKind::PromptMore));
                out.extend(text.lines().flat_map(pieces).zip(kinds).map(|(line, kind)| Source::Line(kind, line)));
            }
            EntryBody::Answer { text, cut, .. } => {
                if let Some(thoughts) = thoughts(&entry.body) {
                    thought(thoughts, self.open(seq), &mut out);
                    if !text.trim().is_empty() {
                        out.push(Source::Blank);
                    }
                }
                let cut = cut.then(|| Source::Note(Tone::Warn, "(the answer was cut short here)".into()));
                return Sheet { head: out, said: Some(self.said(seq, text, true)), tail: cut.into_iter().collect() };
            }
            EntryBody::Call { call, action } => self.call(seq, call, action, &mut out),
            EntryBody::Result { outcome, .. } => {
                let open = foldable(None, Some(outcome)).then(|| self.open(seq));
                out.push(Source::Call { open, tool: "result", action: "".into(), outcome: told(outcome) });
                Self::details(self.open(seq), outcome, &mut out);
            }
            EntryBody::Child { step, .. } => out.push(below(step)),
            EntryBody::Rewinding { to, undo } => {
                out.push(Source::Note(Tone::Dim, rewinding(*to, *undo).into()));
            }
            EntryBody::Rewound { checkpoint, .. } => {
                let left = self.state.model.left_behind.get(&self.lane).map_or(0, |left| left.before(seq));
                out.push(Source::Note(Tone::Warn, rewound(*checkpoint, left).into()));
            }
            EntryBody::Cancelled => out.push(Source::Line(LineKind::Notice(NoticeLevel::Warning), "cancelled")),
            EntryBody::Withheld => out.push(Source::Note(Tone::Dim, "the model is not told of this prompt".into())),
            EntryBody::Notes(noted) => notes(noted, self.open(seq), &mut out),
            EntryBody::Told { event, by, text } => {
                let does = if *event == HookEvent::Stop { "does not let the turn end" } else { "tells the model" };
                out.push(Source::Note(Tone::Dim, format!("{by} at {} {does}:", event.word()).into()));
                let kinds = std::iter::repeat(LineKind::NoticeMore(NoticeLevel::Info));
                out.extend(text.lines().flat_map(pieces).zip(kinds).map(|(line, kind)| Source::Line(kind, line)));
            }
            EntryBody::Notice { level, text } => {
                let more = std::iter::repeat(LineKind::NoticeMore(*level));
                let kinds = std::iter::once(LineKind::Notice(*level)).chain(more);
                out.extend(text.lines().flat_map(pieces).zip(kinds).map(|(line, kind)| Source::Line(kind, line)));
            }
        }
        Sheet::of(out)
    }

    fn said(&self, seq: u64, text: &'a str, whole: bool) -> Said<'a> {
        let outline = self.state.memo.outline(self.lane, seq, text, whole);
        Said::new(text, outline, self.key(seq), !whole)
    }

    /// Tells the text of an entry from others.
    pub(super) fn key(&self, seq: u64) -> u64 {
        (self.lane.0 as u64).rotate_left(48) ^ seq.rotate_left(24)
    }

    fn call(&self, seq: u64, call: &'a ToolCall, action: &'a str, out: &mut Vec<Source<'a>>) {
        let result = self.result(seq, &call.id);
        let outcome = result.map_or_else(|| self.pending(call), told);
        let mut lines = action.lines();
        let first = lines.next().and_then(|line| pieces(line).next()).unwrap_or("");
        let rest = lines.clone().count();
        let unfolded = self.open(seq);
        let open = foldable(Some(action), result).then_some(unfolded);
        let action = if rest == 0 || unfolded { first.into() } else { format!("{first}  (+{rest} lines)").into() };
        // Its action says which tool of which server.
        let tool = if call.tool.starts_with("mcp__") { "mcp" } else { call.tool.as_str() };
        out.push(Source::Call { open, tool, action, outcome });
        if unfolded {
            out.extend(lines.flat_map(pieces).map(|line| Source::Line(LineKind::Output, line)));
        }
        match result {
            Some(outcome) if call.tool == "ask" && outcome.ok => {
                out.extend(outcome.output.lines().flat_map(pieces).map(|line| Source::Line(LineKind::Output, line)));
            }
            Some(outcome) => Self::details(unfolded, outcome, out),
            None => {
                let choices = call.arguments.get("choices").and_then(|all| all.as_array()).into_iter().flatten();
                let choices = choices.filter_map(|choice| choice.as_str()).enumerate();
                out.extend(choices.map(|(at, choice)| {
                    Source::Note(Tone::Text, format!("  {}  {}", at + 1, one_line(choice)).into())
                }));
                if let Some(text) = self.live.and_then(|live| live.feed.output.get(&call.id)) {
                    let from = text.lines().count().saturating_sub(if unfolded { OPENED } else { OUTPUT });
                    out.extend(
                        text.lines().skip(from).flat_map(pieces).map(|line| Source::Line(LineKind::Output, line)),
                    );
                }
            }
        }
    }

    /// What is to be said of a call without a result.
    fn pending(&self, call: &ToolCall) -> (Tone, Cow<'a, str>) {
        let model = &self.state.model;
        // A child's question stands at the call that started the child.
        let own = |a: &&crate::domain::Approval| {
            a.lane == self.lane && (a.call == call.id || a.call.parent().as_ref() == Some(&call.id))
        };
        if let Some(approval) = model.pending_approvals().find(own) {
            return (Tone::Warn, format!("▲ needs you · {}", approval.id).into());
        }
        if let Some(c) = model.open_conflicts().find(|c| c.lane == self.lane && c.call.as_ref() == Some(&call.id)) {
            return (Tone::Warn, format!("▲ held by {} · {}", model.name(c.with), c.id).into());
        }
        match model.calls.get(&(self.lane, call.id.clone())) {
            Some(CallState::Started) if self.runs() => (Tone::Dim, format!("running {}", self.spinner).into()),
            Some(CallState::Started) => (Tone::Warn, "interrupted".into()),
            Some(_) if self.runs() => (Tone::Dim, self.spinner.into()),
            _ => (Tone::Dim, "not run".into()),
        }
    }

    /// Diff and output below a finished call.
    fn details(unfolded: bool, outcome: &'a ToolOutcome, out: &mut Vec<Source<'a>>) {
        if let Some(diff) = &outcome.diff {
            let all = diff.lines().filter(|line| !super::diff::heads(line)).count();
            let most = if unfolded { all } else { DIFF };
            out.extend(numbered(diff, most).map(Source::Diff));
            if all > most {
                out.push(Source::Note(Tone::Dim, format!("  … {} more lines", all - most).into()));
            }
            return;
        }
        if let Some(items) = &outcome.todo {
            out.extend(items.iter().map(todo));
            return;
        }
        let most = match (unfolded, outcome.ok) {
            (true, _) => OPENED,
            (false, false) => OUTPUT,
            (false, true) => return,
        };
        let all = outcome.output.lines().count();
        if all > most {
            out.push(Source::Note(Tone::Dim, format!("  … {} lines before", all - most).into()));
        }
        let shown = outcome.output.lines().skip(all.saturating_sub(most));
        out.extend(shown.flat_map(pieces).map(|line| Source::Line(LineKind::Output, line)));
    }

    /// What the running turn streams now.
    fn streamed(&self, seq: u64) -> Sheet<'a> {
        let Some(live) = self.live else { return Sheet::of(Vec::new()) };
        let active = self.state.model.active_prompt(self.lane);
        let (mut head, mut tail) = (Vec::new(), Vec::new());
        let said = (!live.feed.answer.is_empty()).then(|| self.said(seq, &live.feed.answer, false));
        if said.is_some() && self.spaced(seq, Group::Answer) {
            head.push(Source::Blank);
        }
        if let Some(busy) = &live.busy {
            tail.push(Source::Note(Tone::Dim, format!("{} {busy}", self.spinner).into()));
        } else if active.is_some_and(|p| matches!(p.state, PromptState::Running | PromptState::Preflight)) {
            let phase = if live.feed.phase.is_empty() { "working" } else { &live.feed.phase };
            if seq > self.first() || said.is_some() {
                tail.push(Source::Blank);
            }
            tail.push(Source::Note(Tone::Dim, format!("{} {phase}", self.spinner).into()));
        }
        Sheet { head, said, tail }
    }
}

fn rewinding(to: u64, undo: u64) -> String {
    format!("files go back to checkpoint {to}; `/rewind {undo}` undoes it: that holds what is now")
}

/// The line behind which stands what a rewind has left behind.
pub(in crate::app) fn rewound(checkpoint: u64, left: u64) -> String {
    let entries = if left == 1 { "1 entry is" } else { &format!("{left} entries are") };
    format!("↶ the conversation goes on from checkpoint {checkpoint}; {entries} left behind")
}

/// What a model thought before an answer, as far as its server tells.
fn thoughts(body: &EntryBody) -> Option<&str> {
    let EntryBody::Answer { reasoning, .. } = body else { return None };
    Some(reasoning.text.as_str()).filter(|text| !text.trim().is_empty())
}

/// What a model thought: one line with its first words, and all of it below if the fold is open.
fn thought<'a>(thoughts: &'a str, open: bool, out: &mut Vec<Source<'a>>) {
    let lines = || thoughts.trim().lines();
    let first = lines().next().and_then(|line| pieces(line).next()).unwrap_or("").trim_matches(['*', '#', ' ']);
    let words = match lines().count() {
        1 => "1 line".into(),
        many => format!("{many} lines").into(),
    };
    out.push(Source::Call { open: Some(open), tool: "thought", action: first.into(), outcome: (Tone::Dim, words) });
    if open {
        out.extend(lines().flat_map(pieces).map(|line| Source::Line(LineKind::Output, line)));
    }
}

/// Notes that stand for the conversation: one line that says so, and all of them below if the fold is open.
fn notes<'a>(noted: &'a NotesEntry, open: bool, out: &mut Vec<Source<'a>>) {
    let words = format!("{} → {} tokens", noted.before, noted.after);
    let action = noted.cause.words().into();
    out.push(Source::Call { open: Some(open), tool: "compacted", action, outcome: (Tone::Dim, words.into()) });
    if let Some(reason) = &noted.without_model {
        let words = format!("  notes were made without a model: {}", clean(&one_line(reason)));
        out.push(Source::Note(Tone::Warn, words.into()));
    }
    if !open {
        return;
    }
    for (name, text) in noted.notes.sections().into_iter().filter(|(_, text)| !text.is_empty()) {
        out.push(Source::Note(Tone::Strong, format!("  {name}").into()));
        out.extend(text.lines().flat_map(pieces).map(|line| Source::Line(LineKind::Output, line)));
    }
}

/// Whether anything of a call is folded away.
fn foldable(action: Option<&str>, outcome: Option<&ToolOutcome>) -> bool {
    action.is_some_and(|action| action.lines().nth(1).is_some())
        || outcome.is_some_and(|outcome| match &outcome.diff {
            Some(diff) => diff.lines().filter(|line| !super::diff::heads(line)).nth(DIFF).is_some(),
            None if outcome.ok => !outcome.output.is_empty(),
            None => outcome.output.lines().nth(OUTPUT).is_some(),
        })
}

/// One step of a child agent, below the call that started it.
fn below<'a>(step: &ChildStep) -> Source<'a> {
    let action = clip(&clean(&one_line(&step.action)), BELOW);
    if step.tool.is_empty() {
        return Source::Note(Tone::Dim, format!("  ↳ {action}").into());
    }
    let (tone, mark) = if step.ok { (Tone::Dim, "") } else { (Tone::Bad, "✗ ") };
    Source::Note(tone, format!("  ↳ {} {action} · {mark}{}", step.tool, step.summary).into())
}

/// One line of the agent's list of what is to be done.
fn todo<'a>(item: &TodoItem) -> Source<'a> {
    let (tone, mark) = match item.state {
        TodoState::Open => (Tone::Text, "○"),
        TodoState::Active => (Tone::Strong, "▸"),
        TodoState::Done => (Tone::Dim, "✓"),
    };
    Source::Note(tone, format!("  {mark} {}", one_line(&item.text)).into())
}

fn told(outcome: &ToolOutcome) -> (Tone, Cow<'_, str>) {
    if !outcome.ok {
        return (Tone::Bad, format!("✗ {}", outcome.summary).into());
    }
    // A command's output ends with its status in brackets; what is folded away above that is counted.
    let status = format!("[{}]", outcome.summary);
    let folded = match outcome.output.lines().next_back() {
        Some(last) if last == status => outcome.output.lines().count() - 1,
        _ => 0,
    };
    let words = match folded {
        0 => outcome.summary.clone(),
        1 => format!("1 line · {}", outcome.summary),
        many => format!("{many} lines · {}", outcome.summary),
    };
    (Tone::Dim, words.into())
}

/// A line in pieces that are cheap to wrap; nearly always one.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let line = rest?;
        let (piece, more) = line.split_at(cut_at(line, LINE));
        rest = (!more.is_empty()).then_some(more);
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_one_line_until_they_are_opened() {
        let thoughts = "\n**Reading the router**\n\nIt has no limit.\n";
        let mut out = Vec::new();
        thought(thoughts, false, &mut out);
        let [Source::Call { open: Some(false), tool: "thought", action, outcome }] = &out[..] else {
            panic!("{out:?}");
        };
        assert_eq!((&**action, &*outcome.1), ("Reading the router", "3 lines"));
        let mut out = Vec::new();
        thought(thoughts, true, &mut out);
        assert_eq!(out.len(), 4);
    }
}
