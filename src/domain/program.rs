//! What a program in a pane says of its own work: by the Program Status Protocol (OSC 7501), or by a title that
//! is known to tell it.

use crate::base::visible;

/// What a program needs its person for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NeedKind {
    /// Leave to do something.
    Permission,
    /// An answer.
    Question,
    /// A login.
    Auth,
    /// It did not say, or in a word that is not known.
    Unnamed,
}

impl NeedKind {
    /// The word people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Permission => "permission",
            Self::Question => "question",
            Self::Auth => "login",
            Self::Unnamed => "answer",
        }
    }
}

/// What a program is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProgramState {
    /// Waits for something to do.
    Idle,
    /// At work.
    Working,
    /// Cannot go on without the person.
    Blocked(NeedKind),
    /// Has finished what it was given.
    Done,
    /// Gave up with an error.
    Error,
}

impl ProgramState {
    /// The word people and JSON use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Working => "working",
            Self::Blocked(_) => "blocked",
            Self::Done => "done",
            Self::Error => "error",
        }
    }

    /// Whether it takes a new line of its person.
    #[must_use]
    pub const fn at_rest(self) -> bool {
        matches!(self, Self::Idle | Self::Done | Self::Error)
    }
}

/// How a program says what it is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Saying {
    /// By the Program Status Protocol (OSC 7501).
    Report,
    /// By its title.
    Title,
    /// By what stands on its screen.
    Screen,
}

impl Saying {
    /// In words: such as `its title says`.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Report => "its program reports (OSC 7501)",
            Self::Title => "its title says",
            Self::Screen => "its screen shows",
        }
    }
}

/// What a program says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramStatus {
    /// What it is at.
    pub state: ProgramState,
    /// Its words for that; may be empty. Untrusted, at most 2,048 bytes.
    pub message: String,
    /// How it says so.
    pub by: Saying,
}

impl ProgramStatus {
    /// The message on one line, safe to show; may be empty.
    #[must_use]
    pub fn words(&self) -> String {
        let words: Vec<&str> = self.message.split_whitespace().collect();
        visible(&words.join(" ")).into_owned()
    }
}
