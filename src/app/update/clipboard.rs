//! Programs in panes that want a text on the clipboard: the person is asked, and the text goes to the window used
//! last. Nothing of it is kept, and no program ever waits for the answer.

use crate::app::{Copy, Effect};
use crate::base::{Report, size_words};
use crate::domain::{AnswerScope, Approval, ApprovalId, CallId, LaneId, RuleOrigin};

use super::step::Step;

/// What such a question is called where tools are named.
const TOOL: &str = "clipboard";
/// Characters of the text that the question shows.
const SHOWN: usize = 2_000;

/// A program wants a text on the clipboard. Its newest wish takes the place of the one before.
pub(super) fn wanted(step: &mut Step<'_>, lane: LaneId, text: String) {
    let size = size(&text);
    if step.live(lane).copies {
        let words = match copy(step, text) {
            Ok(()) => format!("copied {size} to the clipboard"),
            Err(report) => report.message,
        };
        return step.activity(Some(lane), words);
    }
    let id = step.state.copies.next_id(step.state.model.last_ids.approval);
    let more = if text.chars().nth(SHOWN).is_some() { "…" } else { "" };
    let begin: String = text.chars().take(SHOWN).collect();
    let directory = step.state.model.lanes.get(&lane).map(|l| l.place.directory.display().to_string());
    let rule = RuleOrigin { rule: "ask clipboard *".into(), place: "built in".into() };
    let approval = Approval {
        action: format!("copy {size}: {begin}{more}"),
        arguments: serde_json::json!({ "bytes": text.len() }),
        directory: directory.unwrap_or_default(),
        ..Approval::asked(id, lane, CallId(TOOL.into()), TOOL.into(), rule, step.env.now)
    };
    // What takes another's place was rung for already.
    let first = step.state.copies.of(lane).is_none();
    step.state.copies.add(Copy { approval, text });
    step.activity(Some(lane), format!("{id} asks: copy {size} to the clipboard"));
    if first {
        let name = step.state.model.name(lane);
        step.call(lane, format!("{name} needs you: copy {size} to the clipboard?"));
    }
}

/// Allows it; none when the question is none of these.
pub(super) fn approve(
    step: &mut Step<'_>,
    id: ApprovalId,
    scope: AnswerScope,
    edited: bool,
) -> Option<Result<String, Report>> {
    step.state.copies.questions().find(|approval| approval.id == id)?;
    if edited || scope == AnswerScope::Always {
        let what = if edited { "edited" } else { "allowed for good" };
        let report = Report::refused(format!("a copy to the clipboard cannot be {what}"));
        return Some(Err(report.hint("allow it once, or until the program ends (`session`)")));
    }
    if step.state.last_window.is_none() {
        let report = Report::refused("no window is attached: there is no clipboard to copy to");
        return Some(Err(report.hint("attach one with `paralane`, then answer again")));
    }
    let taken = step.state.copies.take(id)?;
    let lane = taken.approval.lane;
    step.live(lane).copies |= scope == AnswerScope::Session;
    step.activity(Some(lane), format!("{id} allowed {}: {TOOL}", scope.word()));
    let size = size(&taken.text);
    Some(copy(step, taken.text).map(|()| format!("{id} allowed {}: {size} copied to the clipboard", scope.word())))
}

/// Denies it; none when the question is none of these.
pub(super) fn deny(step: &mut Step<'_>, id: ApprovalId) -> Option<String> {
    let taken = step.state.copies.take(id)?;
    step.activity(Some(taken.approval.lane), format!("{id} denied"));
    Some(format!("{id} denied: nothing was copied"))
}

/// Sends a text to the clipboard of the window used last.
fn copy(step: &mut Step<'_>, text: String) -> Result<(), Report> {
    let window = step.state.last_window.ok_or_else(|| Report::refused("no window is attached: nothing was copied"))?;
    step.now.push(Effect::Copy(window, text));
    Ok(())
}

fn size(text: &str) -> String {
    match text.len() {
        1 => "1 byte".to_owned(),
        few @ 0..1000 => format!("{few} bytes"),
        many => size_words(many as u64),
    }
}
