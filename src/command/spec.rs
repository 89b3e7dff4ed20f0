//! What the table says about one command and its arguments.

/// Where a command is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surface {
    /// As `/name …` in a window's prompt bar.
    Window,
    /// As `paralane name …` in a shell.
    Shell,
}

/// What an argument's value names; decides what completion offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A lane that is not closed.
    Lane,
    /// A closed lane.
    ClosedLane,
    /// A prompt's id.
    Prompt,
    /// An approval's id.
    Approval,
    /// A conflict's id.
    Conflict,
    /// How freely own agents may act.
    Mode,
    /// A skill, or `list`.
    Skill,
    /// A theme.
    Theme,
    /// A provider of the configuration.
    Provider,
    /// A native CLI, or a name that the configuration has for one.
    Cli,
    /// A model, or provider and model.
    Model,
    /// A path relative to the repository's root.
    Path,
    /// Free text.
    Text,
    /// A whole number.
    Number,
    /// A moment, see [`super::When`].
    Time,
    /// A length of time, see [`super::Interval`].
    Interval,
    /// A length of time, see [`super::Within`].
    Within,
    /// An issue's number.
    Issue,
    /// An offer's id.
    Offer,
    /// A message's id.
    Message,
    /// A column of a table, perhaps with `-` before it.
    Column,
    /// The words of a command.
    Command,
    /// One of these words.
    Words(&'static [&'static str]),
}

/// When an argument must be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Always.
    Always,
    /// In a shell; in a window the focused lane stands in for it.
    InShell,
    /// Never.
    Never,
}

/// How an argument is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One word by its place.
    One,
    /// Any number of words by their place.
    Many,
    /// Text by its place. In a slash line it is the rest of the line, untouched.
    Rest,
    /// `--name VALUE`, with the word that stands for the value.
    Option(&'static str),
    /// `--name VALUE`, any number of times.
    Repeated(&'static str),
    /// `--name TEXT`. In a slash line the text is the rest of the line, untouched.
    RestOption(&'static str),
    /// `--name`.
    Flag,
    /// `-- COMMAND ARG…`.
    Program,
}

/// One argument of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arg {
    /// `NAME` for arguments by place, `name` (without dashes) for options and flags.
    pub name: &'static str,
    /// What it names.
    pub kind: Kind,
    /// How it is written.
    pub shape: Shape,
    /// When it must be given.
    pub need: Need,
    /// The only surface that has it, if not both.
    pub only: Option<Surface>,
    /// What it is for, in one line.
    pub about: &'static str,
}

impl Arg {
    /// Whether it is written by its place, without a name.
    pub const fn by_place(&self) -> bool {
        matches!(self.shape, Shape::One | Shape::Many | Shape::Rest)
    }

    /// Whether it must be given on this surface.
    pub fn required(&self, surface: Surface) -> bool {
        match self.need {
            Need::Always => true,
            Need::InShell => surface == Surface::Shell,
            Need::Never => false,
        }
    }

    /// As it stands in a usage line: `[--lane NAME]`, `TEXT…`.
    pub fn usage(&self, surface: Surface) -> String {
        let bare = match self.shape {
            Shape::One => self.name.to_owned(),
            Shape::Many | Shape::Rest => format!("{}…", self.name),
            Shape::Option(value) | Shape::RestOption(value) => format!("--{} {value}", self.name),
            Shape::Repeated(value) => format!("--{} {value}…", self.name),
            Shape::Flag => format!("--{}", self.name),
            Shape::Program => "-- COMMAND ARG…".to_owned(),
        };
        if self.required(surface) { bare } else { format!("[{bare}]") }
    }
}

/// One command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec {
    /// Its words: `["lane", "new"]`.
    pub path: &'static [&'static str],
    /// What it does, in one line.
    pub about: &'static str,
    /// Its arguments, those by place in their order.
    pub args: &'static [Arg],
    /// Whether it only reads: it works from the store when no workstation runs.
    pub reads: bool,
    /// The only surface that has it, if not both.
    pub only: Option<Surface>,
    /// What follows the command's words in an example.
    pub example: &'static str,
}

impl Spec {
    /// Its words with a blank between.
    pub fn title(&self) -> String {
        self.path.join(" ")
    }

    /// Whether it exists on this surface.
    pub fn on(&self, surface: Surface) -> bool {
        self.only.is_none_or(|only| only == surface)
    }

    /// Its arguments on this surface.
    pub fn args_on(&self, surface: Surface) -> impl Iterator<Item = &'static Arg> + use<> {
        self.args.iter().filter(move |arg| arg.only.is_none_or(|only| only == surface))
    }

    /// The option or flag of this name (without dashes) on this surface.
    pub fn option(&self, name: &str, surface: Surface) -> Option<&'static Arg> {
        self.args_on(surface).find(|arg| !arg.by_place() && arg.shape != Shape::Program && arg.name == name)
    }
}
