//! Questions about mail, and what is found.

use jiff::Timestamp;

use super::{Attachment, Message, MessageId, Party};

/// Which messages a list holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MailFilter {
    /// All, sent ones too.
    #[default]
    All,
    /// What is not read.
    Unread,
    /// What is to be acknowledged.
    Owed,
    /// What records a decision, whoever wrote it.
    Decisions,
}

/// A question about mail. A party sees what it sent and was sent; none: everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailQuery {
    /// One message, whole.
    One(MessageId),
    /// The thread of a message, oldest first.
    Thread {
        /// Any message of it.
        of: MessageId,
        /// As seen by.
        party: Option<Party>,
        /// Only what came after this one.
        after: Option<MessageId>,
        /// At most so many.
        limit: usize,
    },
    /// Newest first.
    List {
        /// As seen by.
        party: Option<Party>,
        /// Which.
        filter: MailFilter,
        /// Only what came before this one.
        before: Option<MessageId>,
        /// At most so many.
        limit: usize,
    },
    /// Messages with all of these words, or words that begin so; newest first.
    Search {
        /// The words, as they are searched for.
        words: Vec<String>,
        /// As seen by.
        party: Option<Party>,
        /// Only decisions.
        decisions: bool,
        /// Only what came before this one.
        before: Option<MessageId>,
        /// At most so many.
        limit: usize,
    },
    /// One attachment of a message.
    Attachment(MessageId, String),
}

/// Which part of a text is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Piece {
    /// From this byte on.
    pub from: usize,
    /// So many bytes of an answer at most, as JSON; none: all the rest.
    pub most: Option<usize>,
}

/// What one recipient has done with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Who.
    pub party: Party,
    /// When it was read.
    pub read: Option<Timestamp>,
    /// When it was acknowledged.
    pub acknowledged: Option<Timestamp>,
    /// The newer message of its topic that took its place.
    pub superseded: Option<MessageId>,
    /// Whether it is still to be acknowledged.
    pub owed: bool,
}

/// A message that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailHit {
    /// The message.
    pub message: Message,
    /// What its recipients have done with it.
    pub recipients: Vec<Received>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MailPage {
    /// The messages.
    pub messages: Vec<MailHit>,
    /// Whether there are more.
    pub more: bool,
    /// The attachment that was asked for.
    pub attachment: Option<Attachment>,
    /// The newest message that was dropped, if any was: of those before it not all are here.
    pub dropped: Option<MessageId>,
}
