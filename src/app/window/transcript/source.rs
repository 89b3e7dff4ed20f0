//! Entries as source lines: what stands where, before any wrapping.

use std::borrow::Cow;

use crate::app::window::text::{Tone, cut_at};
use crate::domain::{ApprovalState, CallState, Entry, EntryBody, NoticeLevel, PromptState, ToolCall, ToolOutcome};

use super::Transcript;

/// Diff lines shown of a folded call.
const DIFF: usize = 10;
/// Output lines shown of a call that failed or still runs.
const OUTPUT: usize = 6;
/// Output lines shown of an opened call; the store keeps the rest.
const OPENED: usize = 400;
/// Bytes of one source line; a longer one is cut in several, so that wrapping costs what is visible.
const LINE: usize = 8 * 1024;

/// How a line of text is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// The first line of a prompt.
    Prompt,
    /// A further line of a prompt.
    PromptMore,
    /// A line of an answer.
    Prose,
    /// A line of code in an answer.
    Code,
    /// A line of a diff.
    Diff,
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
    /// A tool call: its tool, its action, and what came of it.
    Call {
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
    /// The text to copy or to search in.
    #[must_use]
    pub fn plain(&self) -> Cow<'_, str> {
        match self {
            Self::Blank => Cow::Borrowed(""),
            Self::Line(_, text) => Cow::Borrowed(text),
            Self::Call { tool, action, outcome } => Cow::Owned(format!("{tool} {action}  {}", outcome.1)),
            Self::Note(_, text) => Cow::Borrowed(text),
        }
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
        match &entry.body {
            EntryBody::Prompt { .. } => Some(Group::Prompt),
            EntryBody::Answer { text, .. } if text.trim().is_empty() => None,
            EntryBody::Answer { .. } => Some(Group::Answer),
            EntryBody::Call { .. } => Some(Group::Call),
            EntryBody::Result { call, .. } if self.has_call(entry.seq, call) => None,
            EntryBody::Result { .. } => Some(Group::Call),
            EntryBody::Notice { .. } => Some(Group::Notice),
        }
    }

    /// Whether a blank line stands before the block: between blocks, but not within a run of calls or notices.
    fn spaced(&self, seq: u64, group: Group) -> bool {
        let before = (self.first()..seq).rev().take(super::REACH).find_map(|s| self.group(self.entry(s)?));
        before.is_some_and(|before| before != group || matches!(group, Group::Prompt | Group::Answer))
    }

    /// The source lines of an entry, or of what the running turn streams.
    pub(super) fn lines(&self, seq: u64) -> Vec<Source<'a>> {
        let mut out = Vec::new();
        let Some(entry) = self.entry(seq) else {
            if seq == self.feed {
                self.streamed(seq, &mut out);
            }
            return out;
        };
        let Some(group) = self.group(entry) else { return out };
        if self.spaced(seq, group) {
            out.push(Source::Blank);
        }
        match &entry.body {
            EntryBody::Prompt { text } => {
                let kinds = std::iter::once(LineKind::Prompt).chain(std::iter::repeat(LineKind::PromptMore));
                out.extend(text.lines().flat_map(pieces).zip(kinds).map(|(line, kind)| Source::Line(kind, line)));
            }
            EntryBody::Answer { text, cut, .. } => {
                prose(text, &mut out);
                if *cut {
                    out.push(Source::Note(Tone::Warn, "(the answer was cut short here)".into()));
                }
            }
            EntryBody::Call { call, action } => self.call(seq, call, action, &mut out),
            EntryBody::Result { outcome, .. } => {
                out.push(Source::Call { tool: "result", action: "".into(), outcome: told(outcome) });
                self.details(outcome, &mut out);
            }
            EntryBody::Notice { level, text } => {
                let more = std::iter::repeat(LineKind::NoticeMore(*level));
                let kinds = std::iter::once(LineKind::Notice(*level)).chain(more);
                out.extend(text.lines().flat_map(pieces).zip(kinds).map(|(line, kind)| Source::Line(kind, line)));
            }
        }
        out
    }

    fn call(&self, seq: u64, call: &'a ToolCall, action: &'a str, out: &mut Vec<Source<'a>>) {
        let result = self.result(seq, &call.id);
        let outcome = result.map_or_else(|| self.pending(call), told);
        let mut lines = action.lines();
        let first = lines.next().and_then(|line| pieces(line).next()).unwrap_or("");
        let rest = lines.clone().count();
        let action = if rest == 0 || self.unfolded { first.into() } else { format!("{first}  (+{rest} lines)").into() };
        out.push(Source::Call { tool: &call.tool, action, outcome });
        if self.unfolded {
            out.extend(lines.flat_map(pieces).map(|line| Source::Line(LineKind::Output, line)));
        }
        match result {
            Some(outcome) => self.details(outcome, out),
            None => {
                if let Some(text) = self.live.and_then(|live| live.feed.output.get(&call.id)) {
                    let from = text.lines().count().saturating_sub(if self.unfolded { OPENED } else { OUTPUT });
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
        if let Some(approval) = model.approval_of(self.lane, &call.id)
            && approval.state == ApprovalState::Pending
        {
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
    fn details(&self, outcome: &'a ToolOutcome, out: &mut Vec<Source<'a>>) {
        if let Some(diff) = &outcome.diff {
            let lines = || diff.lines().filter(|l| !l.starts_with("--- ") && !l.starts_with("+++ "));
            let all = lines().count();
            let most = if self.unfolded { all } else { DIFF };
            out.extend(lines().take(most).flat_map(pieces).map(|line| Source::Line(LineKind::Diff, line)));
            if all > most {
                out.push(Source::Note(Tone::Dim, format!("  … {} more lines", all - most).into()));
            }
            return;
        }
        let most = match (self.unfolded, outcome.ok) {
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
    fn streamed(&self, seq: u64, out: &mut Vec<Source<'a>>) {
        let Some(live) = self.live else { return };
        let active = self.state.model.active_prompt(self.lane);
        if !live.feed.answer.is_empty() {
            if self.spaced(seq, Group::Answer) {
                out.push(Source::Blank);
            }
            prose(&live.feed.answer, out);
        }
        if let Some(busy) = &live.busy {
            out.push(Source::Note(Tone::Dim, format!("{} {busy}", self.spinner).into()));
        } else if active.is_some_and(|p| matches!(p.state, PromptState::Running | PromptState::Preflight)) {
            let phase = if live.feed.phase.is_empty() { "working" } else { &live.feed.phase };
            if seq > self.first() || !out.is_empty() {
                out.push(Source::Blank);
            }
            out.push(Source::Note(Tone::Dim, format!("{} {phase}", self.spinner).into()));
        }
    }
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

/// Lines of an answer; fences switch to code and back and are shown themselves as code.
fn prose<'a>(text: &'a str, out: &mut Vec<Source<'a>>) {
    let mut code = false;
    for line in text.trim_end().trim_start_matches('\n').lines() {
        let fence = line.trim_start().starts_with("```");
        let kind = if code || fence { LineKind::Code } else { LineKind::Prose };
        code ^= fence;
        out.extend(pieces(line).map(|line| Source::Line(kind, line)));
    }
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
