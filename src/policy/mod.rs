//! Rules: whether a tool call may run, must ask, or is denied.
//!
//! [`decide`] is the one door. What stands behind it now: reads run; writes and shell follow the mode; a
//! page of the web runs if its host is listed and asks if not; a tool server's tool runs if it is listed and else follows
//! the mode (`server`); a question to the person always asks; a remembered answer for the exact call goes before asking and after denying. Paths are judged by the tools
//! at the moment of use: nothing here looks at a file.

mod decide;
mod host;
mod remember;
mod server;

pub use decide::{Decision, Question, Remembered, Verdict, decide};
pub use host::host_listed;
pub use remember::remember_key;
pub use server::{ServerQuestion, tool_listed};
