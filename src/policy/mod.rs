//! Rules: whether a tool call may run, must ask, or is denied.
//!
//! [`decide`] is the one door. Behind it, in this order: switches that are off and rules that deny; the mode `plan`; the
//! person's remembered answers for the exact call; rules that ask, and what is built in to ask; rules that allow; and
//! at last what the mode says. A shell command is analysed ([`shell`]), and each of its commands and files is judged
//! by itself (`command`). [`Policy`] holds the rules of all layers, arranged for quick answers. Paths are judged by
//! their text and, by the tools, once more at the moment of use: nothing here looks at a file.

mod command;
mod decide;
mod host;
mod index;
mod net;
mod paths;
mod remember;
mod rule;
mod server;
pub mod shell;
mod table;
mod words;

pub use decide::{Decision, Question, Remembered, Verdict, decide};
pub use host::host_listed;
pub use remember::remember_key;
pub use rule::{Rule, RuleEffect};
pub use server::{ServerQuestion, tool_listed};
pub use table::{Policy, Switches, place};

#[cfg(test)]
mod corpus;
