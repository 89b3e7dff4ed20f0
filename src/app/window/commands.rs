//! Invocations as window actions.

use crate::command::Invocation;
use crate::domain::{AnswerScope, Approval, ApprovalId};

use super::{Ask, Confirm, Overlay, WindowAction, WindowState, once_only};

/// Runs a command that was not typed.
pub(super) const fn run(invocation: Invocation) -> WindowAction {
    WindowAction::Run { invocation, typed: String::new() }
}

/// Allows a call.
pub(super) const fn allow(approval: ApprovalId, scope: AnswerScope) -> WindowAction {
    run(Invocation::Approve { approval, scope, edit: None, answer: None })
}

/// Allows a call, or opens the dialog in which a question is answered.
pub(super) fn allow_or_answer(window: &mut WindowState, approval: &Approval, scope: AnswerScope) -> Vec<WindowAction> {
    if approval.is_question() {
        window.overlay = Some(Overlay::Ask(Ask::answer(approval)));
        return Vec::new();
    }
    // What is looked at each time is refused with words instead.
    if scope == AnswerScope::Always && !once_only(approval) {
        window.overlay = Some(Overlay::Confirm(Confirm::Always(approval.id)));
        return Vec::new();
    }
    vec![allow(approval.id, scope)]
}

/// Answers a question.
pub(super) fn answer(approval: ApprovalId, text: String) -> WindowAction {
    run(Invocation::Approve { approval, scope: AnswerScope::Once, edit: None, answer: Some(text) })
}

/// Denies a call.
pub(super) const fn deny(approval: ApprovalId, reason: String) -> WindowAction {
    run(Invocation::Deny { approval, reason })
}
