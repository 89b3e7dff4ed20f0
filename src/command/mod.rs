//! The one command tree: slash command, CLI subcommand, palette entry, completion and help.
//!
//! [`table`] lists every command once. From it come the `clap` tree of each surface (`clap_tree`), the
//! palette ([`palette`]), completion in the prompt bar ([`complete`]), shell scripts
//! (`completion_script`) and help ([`help_text`]). A slash line ([`parse_line`]) and the arguments of a
//! shell ([`parse_args`]) both end as one [`Invocation`].
//! Nothing here acts: what a command does is decided by `app`, `workstation` and `cli`.

mod args;
mod build;
mod build_work;
mod call;
mod complete;
mod fault;
mod help;
mod invocation;
mod lane_answers;
mod lane_tools;
mod line;
mod select;
mod spec;
mod table;
mod table_work;
mod taken;
mod tree;
mod walk;
mod when;
mod words;
mod work;

pub use args::{Action, CommandLine, Globals, OpenPane, parse_args};
pub use call::parse_call;
pub use complete::{Completion, Name, Names, complete};
pub use help::{PaletteEntry, help_text, palette};
pub use invocation::{HistoryTarget, Invocation, MoveTo, PromptTarget, RewindWhat, ShellKind, TopView, split_model};
pub use lane_answers::{ANSWER as TOOL_ANSWER, answer as tool_answer, refusal as tool_refusal};
pub use lane_tools::{OfferedTool, offered as offered_tools, words as tool_words};
pub use line::parse_line;
pub use select::{BulkDeed, Selector};
pub use spec::{Arg, Kind, Need, Shape, Spec, Surface};
pub use table::{find, groups, table};
pub use taken::{as_taken, command_in, report_as_taken};
pub use when::{Interval, IntervalError, Pace, PaceError, Since, SinceError, When, WhenError, Within, WithinError};
pub use work::{DeadlinesArgs, IssueCommand, MailCommand, PlanCommand, ReportArgs, ReserveArgs, SayArgs, WorkCommand};

#[cfg(test)]
mod tests;
