//! Errands: what has to be read before a command of coordination can be answered or decided.

use std::path::PathBuf;

use super::Asker;
use crate::command::{IssueCommand, SayArgs, WorkCommand};
use crate::domain::{CoChange, ForgeKind, IssueId, LaneId, MailHit, MailPage, MailQuery, MessageId, Party, Piece};

/// What has to be read, and what for.
#[derive(Debug, Clone, PartialEq)]
pub struct Errand {
    /// Who asked.
    pub asker: Asker,
    /// What to read.
    pub quest: Quest,
    /// What for.
    pub goal: Goal,
}

/// What to read. Nothing is changed by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quest {
    /// Mail.
    Mail(MailQuery),
    /// What a message answers, and the files that come with it: their names and where they stand.
    Letter {
        /// The message that is answered.
        reply: Option<MessageId>,
        /// The files.
        files: Vec<PathBuf>,
        /// The most bytes of one of them.
        most: usize,
    },
    /// Which files changed together with these in the base's history.
    CoChanges(Vec<String>),
    /// The commit that is checked out in a directory.
    Head(PathBuf),
    /// What the project's forge calls its issues.
    Titles {
        /// Which forge.
        kind: ForgeKind,
        /// The base checkout.
        root: PathBuf,
    },
}

/// What was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// Mail.
    Mail(MailPage),
    /// What a message answers, if it is there, and its files: their names and contents.
    Letter(Option<Box<MailHit>>, Vec<(String, Vec<u8>)>),
    /// Files that changed together, with how often.
    CoChanges(Vec<CoChange>),
    /// The commit, if there is one.
    Head(Option<String>),
    /// What issues are called; empty where no forge says so.
    Titles(Vec<(IssueId, String)>),
}

/// A key under which something is to be done once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keying {
    /// Who gave it.
    pub party: Party,
    /// The key.
    pub key: String,
    /// SHA-256 of what is asked for.
    pub digest: String,
}

/// What is read for.
#[derive(Debug, Clone, PartialEq)]
pub enum Goal {
    /// To show it to this party.
    Show(Party, MailQuery),
    /// To print an attachment, or a piece of it.
    Attachment(Party, MessageId, String, Piece),
    /// To show a message, or a piece of it; with its end it is read.
    Read(Party, MessageId, Piece),
    /// To acknowledge a message.
    Ack(Party, MessageId, Option<Keying>),
    /// To send a message.
    Say(Box<SayArgs>, Option<Keying>),
    /// To change the owner of an issue, with the commit that the owner stands on.
    Issue(IssueCommand, Option<Keying>),
    /// To show issues with their titles.
    Issues(Box<WorkCommand>),
    /// To have titles at hand where issues are looked at.
    Titles,
    /// To put a plan in force.
    PlanApply(Option<Keying>),
    /// To say what a plan would change.
    PlanDiff,
    /// To say what a lane that has reserved something may meet.
    Forecast {
        /// The lane.
        lane: LaneId,
        /// The answer without it.
        words: String,
        /// The same for programs.
        json: serde_json::Value,
    },
}
