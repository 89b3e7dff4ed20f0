//! What a native CLI's tools may do in no mode: leave the lane's branch or move branches, write outside the lane, credit
//! an assistant in what git keeps. Everything is told from the command's text, as bash would read it, and from what
//! stands in the lane's directory.

mod attribution;
mod branch;
mod elsewhere;
mod ground;
mod steering;

pub use attribution::credit;
pub use ground::Ground;
pub(super) use ground::Leads;
#[cfg(test)]
pub(super) use ground::tests::ground as ground_for_tests;

use crate::domain::ReasonClass;
use crate::policy::shell::{Analysis, Simple};

pub(super) use branch::Branch;

/// What is refused, and why.
pub(super) type Refused = Option<(ReasonClass, String)>;

/// What a command is refused for. `command` is its text, `ground` where it would run.
pub(super) fn command(command: &str, analysis: &Analysis, ground: &Ground) -> (Refused, bool) {
    let (refused, returns) = match branch::look(analysis, ground) {
        Branch::Leaves(why) => (Some((ReasonClass::BranchSwitch, why)), false),
        Branch::Unclear(why) => (Some((ReasonClass::Unclear, why)), false),
        Branch::Returns => (None, true),
        Branch::Stays => (None, false),
    };
    let class = |class: ReasonClass| move |why: String| (class, why);
    let refused = refused
        .or_else(|| steering::look(command, analysis).map(class(ReasonClass::BranchSwitch)))
        .or_else(|| elsewhere::look(analysis, ground).map(class(ReasonClass::OutsideLane)))
        .or_else(|| attribution::look(command, analysis).map(class(ReasonClass::AttributionRefused)));
    (refused, returns)
}

/// A call of git: its command and what follows, without git's own options and without the programs that carry it.
pub(super) struct Git<'a> {
    pub sub: &'a str,
    pub words: &'a Simple,
    /// The place of the first argument.
    pub first: usize,
}

impl<'a> Git<'a> {
    /// Reads a command that runs git; `Err` when it does and its subcommand is not known before it runs.
    pub fn of(simple: &'a Simple) -> Result<Option<Self>, ()> {
        let name = simple.words.first().map(|word| word.text.as_str()).unwrap_or_default();
        if name.rsplit('/').next() != Some("git") {
            return Ok(None);
        }
        let mut at = 1;
        while let Some(word) = simple.words.get(at) {
            let Some(text) = word.exact() else { return Err(()) };
            if !text.starts_with('-') {
                return Ok(Some(Self { sub: text, words: simple, first: at + 1 }));
            }
            let valued = matches!(
                text,
                "-c" | "-C" | "--git-dir" | "--work-tree" | "--namespace" | "--config-env" | "--exec-path"
            );
            at += if valued { 2 } else { 1 };
        }
        Ok(None)
    }

    /// The arguments that are known, with `None` for one that only running tells.
    pub fn arguments(&self) -> impl Iterator<Item = Option<&'a str>> + use<'a> {
        self.words.words.get(self.first..).unwrap_or_default().iter().map(|word| word.exact())
    }

    /// Values of a global option such as `-C`, as a word of their own or behind `=`.
    pub fn globals(&self, option: &str) -> Vec<&'a str> {
        let own = self.words.words.get(1..self.first.saturating_sub(1)).unwrap_or_default();
        let apart = own.windows(2).filter(|pair| pair[0].text == option).map(|pair| pair[1].text.as_str());
        let joined = own.iter().filter_map(|word| word.text.strip_prefix(option)?.strip_prefix('='));
        apart.chain(joined).collect()
    }
}
