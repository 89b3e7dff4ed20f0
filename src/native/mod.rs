//! Native CLIs as governed lanes: how each is launched under our hooks, what its hooks tell in our words, and how they
//! are answered in its own. It knows no lane's state: [`read`] turns a hook's payload into a [`HookCall`] with all that
//! can be told from the call and the lane's directory alone, the loop decides, and [`answer`] gives the decision the
//! CLI's form.
//!
//! | file | subject |
//! | --- | --- |
//! | `adapter` | one file a CLI: launch plan, events, answers, where its conversations stand |
//! | `dialect` | the JSON that most of them share |
//! | `tools` | a tool call in our words |
//! | `git_hooks` | git's own hooks for the lane's processes: refs, and what leads to the repository's hooks |
//! | `guard` | what no mode allows: leaving the branch, writing outside, crediting an assistant |
//! | `usage` | tokens and cost, from the CLI's own record |
//! | `launch` | plans as data, private files, programs on the PATH |

mod adapter;
mod dialect;
pub mod git_hooks;
mod guard;
mod launch;
mod tools;
mod usage;

pub use adapter::Dialog;
pub use dialect::{MAX_PAYLOAD, Output, Unread, answer, gates, looks, read, recorded, transcript};
pub use guard::{Ground, credit};
pub use launch::{Fault, LaunchAsk, LaunchPlan, find, missing_words, plan, version};
pub use usage::Meter;

use crate::domain::{Cli, ProgramState};

/// What a CLI's screen tells before its hooks have told anything.
#[must_use]
pub fn screen(cli: Cli) -> fn(&str) -> Option<ProgramState> {
    adapter::of(cli).screen()
}

/// How a CLI's dialogs look and are answered, where that takes keys.
#[must_use]
pub fn dialog(cli: Cli) -> Option<Dialog> {
    adapter::of(cli).dialog()
}
