//! Native CLIs as governed lanes: how each is launched under our hooks, what its hooks tell in our words, and how they
//! are answered in its own. It knows no lane's state: [`read`] turns a hook's payload into a [`HookCall`] with all that
//! can be told from the call and the lane's directory alone, the loop decides, and [`answer`] gives the decision the
//! CLI's form.
//!
//! | file | subject |
//! | --- | --- |
//! | `adapter` | one file a CLI: launch plan, events, answers, where its conversations stand |
//! | `dialect` | the JSON that Claude Code and Codex share |
//! | `tools` | a tool call in our words |
//! | `git_hooks` | git's own hooks for the lane's processes: refs, and what leads to the repository's hooks |
//! | `guard` | what no mode allows: leaving the branch, writing outside, crediting an assistant |
//! | `launch` | plans as data, private files, programs on the PATH |

mod adapter;
mod dialect;
pub mod git_hooks;
mod guard;
mod launch;
mod tools;

pub use dialect::{MAX_PAYLOAD, Output, Unread, answer, gates, looks, read};
pub use guard::{Ground, credit};
pub use launch::{Fault, LaunchAsk, LaunchPlan, find, missing_words, plan};
