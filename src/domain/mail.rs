//! Mail between lanes and the person: messages, who has read and acknowledged what, and what goes out later.
//!
//! Bodies stand in the store. In memory is only what decides: what is unread, what is to be acknowledged, what is to
//! be sent later, and the heads of the newest messages to the person.

use std::collections::{BTreeMap, VecDeque};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{IssueId, LaneId, MessageId, Party, ScheduledId};

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Its id.
    pub id: MessageId,
    /// The first message of its thread: itself, if it began one.
    pub thread: MessageId,
    /// The message it answers.
    pub reply_to: Option<MessageId>,
    /// Who wrote it.
    pub from: Party,
    /// To whom.
    pub to: Vec<Party>,
    /// What it is about, in one line.
    pub subject: String,
    /// Its text.
    pub body: String,
    /// A newer one of the same topic takes the place of an unread older one.
    pub topic: Option<String>,
    /// Whether it has to be acknowledged.
    pub ack: bool,
    /// When acknowledgements were to be there.
    pub ack_due: Option<Timestamp>,
    /// Whether it records a decision for everybody to find.
    pub decision: bool,
    /// The issue it is about.
    pub issue: Option<IssueId>,
    /// What comes with it.
    pub attachments: Vec<Attachment>,
    /// The message for later that it was: its attachments stand there already.
    #[serde(default)]
    pub later: Option<ScheduledId>,
    /// When it was sent.
    pub created: Timestamp,
}

/// A text or file that comes with a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// What it is called: one name, without directories.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// What is in it. Not kept in history a second time; absent where only heads are wanted.
    #[serde(skip)]
    pub content: Vec<u8>,
}

/// What a message is made of before it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Who writes.
    pub from: Party,
    /// To whom.
    pub to: Vec<Party>,
    /// What it is about; empty: the beginning of the text.
    pub subject: String,
    /// Its text.
    pub body: String,
    /// The message it answers, with that one's thread.
    pub reply_to: Option<(MessageId, MessageId)>,
    /// Its topic.
    pub topic: Option<String>,
    /// Whether it has to be acknowledged.
    pub ack: bool,
    /// Within how many seconds.
    pub within: Option<u32>,
    /// Whether it records a decision.
    pub decision: bool,
    /// The issue it is about.
    pub issue: Option<IssueId>,
}

/// When a message that is not sent yet goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SendWhen {
    /// At this moment.
    At(Timestamp),
    /// When nobody owns this issue.
    Released(IssueId),
}

/// A message that goes out later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scheduled {
    /// Its id.
    pub id: ScheduledId,
    /// The message.
    pub draft: Draft,
    /// What comes with it. What is in them stands in the store alone.
    #[serde(default)]
    pub attachments: Vec<Attachment>,
    /// When it goes out.
    pub when: SendWhen,
    /// Seconds to the next one, if it is repeated.
    pub every: Option<u32>,
    /// How many more follow the next one.
    pub left: u32,
    /// When it was ordered.
    pub created: Timestamp,
}

/// One durable step of mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "what")]
#[allow(missing_docs, reason = "the fields are those of the types they change")]
pub enum MailChange {
    /// A message is in its recipients' boxes from now on.
    Sent { message: Box<Message> },
    /// Somebody has read it. The first time counts.
    Read { message: MessageId, by: Party, at: Timestamp },
    /// Somebody has acknowledged it, which reads it too. The first time counts.
    Acknowledged { message: MessageId, by: Party, at: Timestamp },
    /// A newer message of the same topic took its place before it was read.
    Superseded { message: MessageId, by: MessageId, of: Party, at: Timestamp },
    /// Nobody waits for its acknowledgement any more: the lane was closed.
    Excused { message: MessageId, of: Party, at: Timestamp },
    /// A message goes out later. The same id again changes when.
    Scheduled { item: Box<Scheduled> },
    /// It went out, or was cancelled.
    Unscheduled { item: ScheduledId },
}

impl MailChange {
    /// The lane it concerns, if any.
    #[must_use]
    pub const fn lane(&self) -> Option<LaneId> {
        match self {
            Self::Sent { message } => message.from.lane(),
            Self::Read { by, .. } | Self::Acknowledged { by, .. } => by.lane(),
            Self::Superseded { of, .. } | Self::Excused { of, .. } => of.lane(),
            Self::Scheduled { item } => item.draft.from.lane(),
            Self::Unscheduled { .. } => None,
        }
    }
}

/// The head of a message, as lists and the side panel show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailHead {
    /// Its id.
    pub id: MessageId,
    /// Its thread.
    pub thread: MessageId,
    /// Who wrote it.
    pub from: Party,
    /// To whom.
    pub to: Vec<Party>,
    /// What it is about.
    pub subject: String,
    /// Whether it has to be acknowledged.
    pub ack: bool,
    /// When it was sent.
    pub created: Timestamp,
}

impl Message {
    /// Its head.
    #[must_use]
    pub fn head(&self) -> MailHead {
        MailHead {
            id: self.id,
            thread: self.thread,
            from: self.from,
            to: self.to.clone(),
            subject: self.subject.clone(),
            ack: self.ack,
            created: self.created,
        }
    }
}

/// A message that waits for acknowledgements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwaitedAck {
    /// Who asked for them.
    pub from: Party,
    /// What it is about.
    pub subject: String,
    /// Who has not acknowledged.
    pub missing: Vec<Party>,
    /// When they were to be there.
    pub due: Option<Timestamp>,
    /// When it was sent.
    pub created: Timestamp,
}

/// A message's topic: whose, and which.
pub type Topic = Box<(Party, String)>;

/// What of mail is kept in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mailboxes {
    /// What each party has not read. Boxes may be full, and few messages have a topic: without one an entry takes two
    /// words.
    pub unread: BTreeMap<Party, BTreeMap<MessageId, Option<Topic>>>,
    /// What is to be acknowledged.
    pub awaited: BTreeMap<MessageId, AwaitedAck>,
    /// Heads of the newest messages to the person, newest last.
    pub recent: VecDeque<MailHead>,
    /// What goes out later.
    pub scheduled: BTreeMap<ScheduledId, Scheduled>,
}

impl Mailboxes {
    /// Heads kept in memory.
    pub const RECENT: usize = 200;

    /// How many messages a party has not read.
    #[must_use]
    pub fn unread(&self, party: Party) -> usize {
        self.unread.get(&party).map_or(0, BTreeMap::len)
    }

    /// Whether a party has yet to acknowledge a message.
    #[must_use]
    pub fn owes(&self, party: Party, message: MessageId) -> bool {
        self.awaited.get(&message).is_some_and(|awaited| awaited.missing.contains(&party))
    }

    /// What a party has yet to acknowledge, oldest first.
    pub fn owed(&self, party: Party) -> impl Iterator<Item = (MessageId, &AwaitedAck)> {
        self.awaited.iter().filter(move |(_, awaited)| awaited.missing.contains(&party)).map(|(id, a)| (*id, a))
    }

    /// Applies one step.
    pub fn apply(&mut self, change: &MailChange) {
        match change {
            MailChange::Sent { message } => self.sent(message),
            MailChange::Read { message, by, .. } => self.forget(*by, *message),
            MailChange::Superseded { message, of, .. } => {
                self.forget(*of, *message);
                self.acknowledged(*of, *message);
            }
            MailChange::Excused { message, of, .. } => self.acknowledged(*of, *message),
            MailChange::Acknowledged { message, by, .. } => {
                self.forget(*by, *message);
                self.acknowledged(*by, *message);
            }
            MailChange::Scheduled { item } => {
                let mut item = (**item).clone();
                item.attachments.iter_mut().for_each(|attachment| attachment.content = Vec::new());
                self.scheduled.insert(item.id, item);
            }
            MailChange::Unscheduled { item } => {
                self.scheduled.remove(item);
            }
        }
    }

    fn sent(&mut self, message: &Message) {
        for party in &message.to {
            let topic = message.topic.clone().map(|topic| Box::new((message.from, topic)));
            self.unread.entry(*party).or_default().insert(message.id, topic);
        }
        if message.ack {
            let awaited = AwaitedAck {
                from: message.from,
                subject: message.subject.clone(),
                missing: message.to.clone(),
                due: message.ack_due,
                created: message.created,
            };
            self.awaited.insert(message.id, awaited);
        }
        if message.to.contains(&Party::Operator) {
            self.recent.push_back(message.head());
            if self.recent.len() > Self::RECENT {
                self.recent.pop_front();
            }
        }
    }

    fn forget(&mut self, party: Party, message: MessageId) {
        if let Some(unread) = self.unread.get_mut(&party) {
            unread.remove(&message);
            if unread.is_empty() {
                self.unread.remove(&party);
            }
        }
    }

    fn acknowledged(&mut self, party: Party, message: MessageId) {
        if let Some(awaited) = self.awaited.get_mut(&message) {
            awaited.missing.retain(|missing| *missing != party);
            if awaited.missing.is_empty() {
                self.awaited.remove(&message);
            }
        }
    }
}
