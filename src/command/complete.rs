//! Completion in the prompt bar, with the live names handed in.

use std::ops::Range;

use super::spec::{Kind, Shape, Spec, Surface};
use super::table;
use super::walk::{Slot, Walk};
use super::words::{Word, Words, quote};
use crate::domain::Mode;

/// Offers at most this many: more than a popup can show helps nobody, and names may be thousands of paths.
const MOST: usize = 200;

/// One name that exists now.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Name {
    /// What is typed for it.
    pub text: String,
    /// What is shown beside it; may be empty.
    pub about: String,
}

/// The names that exist now.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "named after what they name")]
pub struct Names {
    pub lanes: Vec<Name>,
    pub closed_lanes: Vec<Name>,
    pub prompts: Vec<Name>,
    pub approvals: Vec<Name>,
    pub conflicts: Vec<Name>,
    pub issues: Vec<Name>,
    pub offers: Vec<Name>,
    pub messages: Vec<Name>,
    pub themes: Vec<Name>,
    pub providers: Vec<Name>,
    pub clis: Vec<Name>,
    pub models: Vec<Name>,
    /// Relative to the repository's root; directories end in `/`.
    pub paths: Vec<Name>,
}

/// One way to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// What takes the range's place, quoted where a word needs it.
    pub text: String,
    /// What it is, in one line; may be empty.
    pub about: String,
    /// The bytes of the line that it replaces.
    pub range: Range<usize>,
}

/// Ways to complete the word at the cursor (a byte offset): of a `/command` line, or of the lane in `@lane`.
/// Names that begin with what is typed come before those that only contain it.
pub fn complete(line: &str, cursor: usize, names: &Names) -> Vec<Completion> {
    let Some(typed) = line.get(..cursor) else { return Vec::new() };
    let indent = typed.len() - typed.trim_start().len();
    match typed[indent..].chars().next() {
        Some('/') => command_line(typed, indent + 1, names),
        Some('@') if !typed[indent..].contains(char::is_whitespace) => {
            let start = indent + 1;
            let all = Name { text: "all".to_owned(), about: "every lane".to_owned() };
            let offers = names.lanes.iter().chain([&all]).map(|name| (name.text.clone(), name.about.clone()));
            matching(&typed[start..], start..typed.len(), offers)
        }
        _ => Vec::new(),
    }
}

fn command_line(typed: &str, start: usize, names: &Names) -> Vec<Completion> {
    let words: Vec<Word> = Words::new(typed, start).collect();
    // The word under the cursor is not finished unless a blank follows it.
    let partial = words.last().filter(|word| word.span.end == typed.len()).cloned();
    let whole = &words[..words.len() - usize::from(partial.is_some())];
    let texts: Vec<&str> = whole.iter().map(|word| word.text.as_str()).collect();
    let found = table::table().iter().find(|spec| spec.on(Surface::Window) && texts.starts_with(spec.path));
    match found {
        Some(spec) => arguments(typed, spec, &whole[spec.path.len()..], partial.as_ref(), names),
        None => commands(typed, start, &texts, partial.as_ref()),
    }
}

/// Whole commands: `/la` offers `lane new`, `lane list`, …
fn commands(typed: &str, start: usize, texts: &[&str], partial: Option<&Word>) -> Vec<Completion> {
    let mut so_far = texts.join(" ");
    if !texts.is_empty() {
        so_far.push(' ');
    }
    so_far.push_str(partial.map_or("", |word| &word.text));
    let offers = table::table().iter().filter(|spec| spec.on(Surface::Window));
    matching(&so_far, start..typed.len(), offers.map(|spec| (spec.title(), spec.about.to_owned())))
}

fn arguments(
    typed: &str,
    spec: &'static Spec,
    whole: &[Word],
    partial: Option<&Word>,
    names: &Names,
) -> Vec<Completion> {
    let mut walk = Walk::new(spec, Surface::Window);
    for word in whole {
        if walk.raw(word).is_some() {
            return Vec::new();
        }
        walk.feed(word);
    }
    let range = partial.map_or(typed.len()..typed.len(), |word| word.span.clone());
    let start = partial.map_or("", |word| word.text.as_str());
    if start.starts_with('-') && partial.is_some_and(|word| !word.quoted) {
        return matching(start, range, options(&walk));
    }
    let slot = walk.slot();
    let mut offers = match slot {
        Slot::Value(arg) | Slot::Place(arg) => of_kind(arg.kind, spec, whole, names),
        Slot::Program | Slot::Nothing => Vec::new(),
    };
    // Options are shown by themselves only where no word is due that completion knows.
    let due = matches!(slot, Slot::Value(_)) || matches!(slot, Slot::Place(arg) if arg.shape == Shape::Rest);
    if offers.is_empty() && start.is_empty() && !due {
        offers = options(&walk);
    }
    matching(start, range, offers)
}

fn options(walk: &Walk) -> Vec<(String, String)> {
    let mut offers: Vec<_> = walk.options().map(|arg| (format!("--{}", arg.name), arg.about.to_owned())).collect();
    if walk.takes_program() {
        offers.push(("--".to_owned(), "A program to run in a pane".to_owned()));
    }
    offers
}

fn of_kind(kind: Kind, spec: &Spec, whole: &[Word], names: &Names) -> Vec<(String, String)> {
    let live = |names: &[Name]| names.iter().map(|name| (quote(&name.text), name.about.clone())).collect();
    let words = |words: &[&str]| words.iter().map(|word| ((*word).to_owned(), String::new())).collect();
    match kind {
        // These take a lane or a prompt.
        Kind::Lane if matches!(spec.path, ["cancel" | "retry"]) => {
            let mut both: Vec<_> = live(&names.lanes);
            both.extend::<Vec<_>>(live(&names.prompts));
            both
        }
        Kind::Lane => live(&names.lanes),
        Kind::ClosedLane => live(&names.closed_lanes),
        Kind::Prompt if spec.path == ["queue", "move"] && whole.get(1).is_some_and(|word| word.text != "before") => {
            Vec::new()
        }
        Kind::Prompt => live(&names.prompts),
        Kind::Approval => live(&names.approvals),
        Kind::Conflict => live(&names.conflicts),
        Kind::Theme => live(&names.themes),
        Kind::Skill => vec![("list".to_owned(), "the skills there are".to_owned())],
        Kind::Provider => live(&names.providers),
        Kind::Cli => live(&names.clis),
        Kind::Model => live(&names.models),
        Kind::Path => live(&names.paths),
        Kind::Mode => words(&Mode::ALL.map(Mode::word)),
        Kind::Words(list) => words(list),
        Kind::Command => {
            let so_far: Vec<&str> = whole.iter().map(|word| word.text.as_str()).collect();
            let next = |spec: &Spec| spec.path.strip_prefix(so_far.as_slice()).and_then(|rest| rest.first().copied());
            let mut offers: Vec<(String, String)> = Vec::new();
            for spec in table::table().iter().filter(|spec| spec.on(Surface::Window)) {
                if let Some(word) = next(spec).filter(|word| offers.iter().all(|(known, _)| known != word)) {
                    let group = table::groups().iter().find(|(name, _)| so_far.is_empty() && name == &word);
                    offers.push((word.to_owned(), group.map_or(spec.about, |(_, about)| about).to_owned()));
                }
            }
            offers
        }
        Kind::Issue => live(&names.issues),
        Kind::Offer => live(&names.offers),
        Kind::Message => live(&names.messages),
        Kind::Text | Kind::Column | Kind::Number | Kind::Time | Kind::Interval | Kind::Within => Vec::new(),
    }
}

/// Offers that begin with the start, then those that contain it; the very word itself is no offer.
fn matching(start: &str, range: Range<usize>, offers: impl IntoIterator<Item = (String, String)>) -> Vec<Completion> {
    let start = start.to_lowercase();
    let mut begin = Vec::new();
    let mut inside = Vec::new();
    for (text, about) in offers {
        let lower = text.to_lowercase();
        let bare = lower.trim_start_matches(['\'', '"']);
        if lower == start {
            continue;
        }
        let list = match bare.find(&start) {
            Some(0) => &mut begin,
            Some(_) => &mut inside,
            None => continue,
        };
        if list.len() < MOST {
            list.push(Completion { text, about, range: range.clone() });
        }
    }
    begin.append(&mut inside);
    begin.truncate(MOST);
    begin
}
