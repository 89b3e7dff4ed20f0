//! Invocations as window actions.

use crate::command::Invocation;
use crate::domain::{AnswerScope, ApprovalId};

use super::WindowAction;

/// Runs a command that was not typed.
pub(super) const fn run(invocation: Invocation) -> WindowAction {
    WindowAction::Run { invocation, typed: String::new() }
}

/// Allows a call.
pub(super) const fn allow(approval: ApprovalId, scope: AnswerScope) -> WindowAction {
    run(Invocation::Approve { approval, scope, edit: None })
}

/// Denies a call.
pub(super) const fn deny(approval: ApprovalId, reason: String) -> WindowAction {
    run(Invocation::Deny { approval, reason })
}
