//! Commands of coordination as typed values. A lane is text as typed; none is the one in focus, or the person where the
//! field says so.

use super::{Interval, When, Within};
use crate::domain::{IssueId, MailFilter, MessageId, OfferId, Piece, ScheduledId, WorkState};

/// A command of coordination.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after the arguments in the table")]
pub enum WorkCommand {
    Issue(IssueCommand),
    Mail(MailCommand),
    Plan(PlanCommand),
    Reserve(ReserveArgs),
    Release {
        lane: Option<String>,
        /// As typed; empty means all the lane holds and waits for.
        paths: Vec<String>,
    },
    Reservations {
        /// None: every lane.
        lane: Option<String>,
    },
    Report(ReportArgs),
    DeadlinesShow,
    DeadlinesSet(DeadlinesArgs),
}

/// `issue …`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after the arguments in the table")]
pub enum IssueCommand {
    Claim {
        issue: IssueId,
        lane: Option<String>,
        within: Option<Within>,
    },
    Release {
        issue: IssueId,
        lane: Option<String>,
    },
    Offer {
        issue: IssueId,
        lane: Option<String>,
        to: String,
        summary: String,
        remaining: Vec<String>,
        within: Option<Within>,
    },
    Assign {
        issue: IssueId,
        to: String,
        reason: Option<String>,
        within: Option<Within>,
    },
    Request {
        issue: IssueId,
        lane: Option<String>,
        summary: String,
        within: Option<Within>,
    },
    Accept {
        offer: OfferId,
        lane: Option<String>,
        within: Option<Within>,
    },
    Decline {
        offer: OfferId,
        lane: Option<String>,
        reason: Option<String>,
    },
    /// No lane: the person.
    Cancel {
        offer: OfferId,
        lane: Option<String>,
    },
    /// No lane: the person.
    Block {
        issue: IssueId,
        on: IssueId,
        lane: Option<String>,
    },
    /// No lane: the person.
    Unblock {
        issue: IssueId,
        on: IssueId,
        lane: Option<String>,
    },
    /// No lane: the person.
    Reopen {
        issue: IssueId,
        lane: Option<String>,
    },
    Title {
        issue: IssueId,
        title: String,
    },
    /// No lane: as anybody sees it.
    Next {
        lane: Option<String>,
        limit: usize,
    },
    /// No lane: all.
    List {
        all: bool,
        lane: Option<String>,
    },
    Show {
        issue: IssueId,
    },
}

/// `say` and `mail …`. No lane: the person.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after the arguments in the table")]
pub enum MailCommand {
    Say(Box<SayArgs>),
    List {
        lane: Option<String>,
        all: bool,
        filter: MailFilter,
        before: Option<MessageId>,
        limit: usize,
    },
    Show {
        id: MessageId,
        lane: Option<String>,
        attachment: Option<String>,
    },
    Thread {
        id: MessageId,
        lane: Option<String>,
        after: Option<MessageId>,
        limit: usize,
    },
    Search {
        words: String,
        lane: Option<String>,
        decisions: bool,
        before: Option<MessageId>,
        limit: usize,
    },
    /// No id: everything.
    Read {
        id: Option<MessageId>,
        lane: Option<String>,
        attachment: Option<String>,
        piece: Piece,
    },
    /// Until something is unread, or for so many seconds.
    Wait {
        lane: Option<String>,
        seconds: u32,
        limit: usize,
    },
    Ack {
        id: MessageId,
        lane: Option<String>,
    },
    Pending,
    Cancel {
        id: ScheduledId,
    },
}

/// `say`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after the arguments in the table")]
pub struct SayArgs {
    pub to: Vec<String>,
    pub text: String,
    /// No lane: the person.
    pub lane: Option<String>,
    pub subject: Option<String>,
    pub reply: Option<MessageId>,
    pub topic: Option<String>,
    pub ack: bool,
    pub within: Option<Within>,
    pub decision: bool,
    pub issue: Option<IssueId>,
    pub attach: Vec<String>,
    pub after: Option<Within>,
    pub at: Option<When>,
    pub when_released: Option<IssueId>,
    pub every: Option<Interval>,
    pub until: Option<When>,
    pub times: Option<u32>,
}

/// `plan …`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after the arguments in the table")]
pub enum PlanCommand {
    Apply { file: String },
    Diff { file: String },
    Show,
}

/// `reserve`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after the arguments in the table")]
pub struct ReserveArgs {
    pub lane: Option<String>,
    /// As typed; never empty.
    pub paths: Vec<String>,
    pub shared: bool,
    pub wait: bool,
    pub ttl: Option<Within>,
    pub reason: Option<String>,
    pub issue: Option<IssueId>,
}

/// `report`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after the arguments in the table")]
pub struct ReportArgs {
    pub lane: Option<String>,
    /// None: list the newest.
    pub state: Option<WorkState>,
    pub issue: Option<IssueId>,
    pub evidence: Vec<String>,
    pub remaining: Vec<String>,
    pub until: Option<String>,
    pub summary: Option<String>,
}

/// `deadlines set`. What is none stays; an inner none means never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "named after the arguments in the table")]
#[allow(clippy::option_option, reason = "not said, never, so long: three answers")]
pub struct DeadlinesArgs {
    pub claim: Option<Option<u32>>,
    pub offer: Option<Option<u32>>,
    pub request: Option<Option<u32>>,
    pub ack: Option<Option<u32>>,
    pub attempts: Option<Option<u32>>,
}

impl WorkCommand {
    /// Whether it only reads.
    #[must_use]
    pub const fn reads(&self) -> bool {
        match self {
            Self::Issue(command) => {
                matches!(command, IssueCommand::Next { .. } | IssueCommand::List { .. } | IssueCommand::Show { .. })
            }
            Self::Mail(command) => matches!(
                command,
                MailCommand::List { .. }
                    | MailCommand::Show { .. }
                    | MailCommand::Thread { .. }
                    | MailCommand::Search { .. }
                    | MailCommand::Pending
            ),
            Self::Plan(command) => matches!(command, PlanCommand::Diff { .. } | PlanCommand::Show),
            Self::Report(args) => args.state.is_none(),
            Self::Reservations { .. } | Self::DeadlinesShow => true,
            Self::Reserve(_) | Self::Release { .. } | Self::DeadlinesSet(_) => false,
        }
    }

    /// Files that it names, as typed: a shell's are relative to its own directory.
    #[must_use]
    pub fn files(&self) -> Vec<&str> {
        match self {
            Self::Plan(PlanCommand::Apply { file } | PlanCommand::Diff { file }) => vec![file],
            Self::Mail(MailCommand::Say(say)) => say.attach.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }
}
