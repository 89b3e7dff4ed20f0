//! Commands that stand in a hint, as the place where it is read takes them: one text for shells and windows.

use super::fault::prefix;
use super::spec::{Spec, Surface};
use super::table::find;
use crate::base::Report;

/// The command that a text between backticks begins with, and the text without what leads a command on some surface.
fn command(text: &str) -> Option<(&'static Spec, &str)> {
    let told = text.strip_prefix('/').or_else(|| text.strip_prefix("paralane "));
    let bare = told.unwrap_or(text);
    let words: Vec<&str> = bare.split_whitespace().take(2).collect();
    // A single word may be anything: a lane's name, a state.
    let alone = words.len() < 2 && told.is_none();
    let spec = find(&words).or_else(|| find(words.get(..1)?)).filter(|_| !alone)?;
    Some((spec, bare))
}

/// A hint with its commands as a surface takes them. What works only elsewhere is told as it is typed there.
#[must_use]
pub fn as_taken(hint: &str, surface: Surface) -> String {
    let other = |spec: &Spec| if spec.on(surface) { surface } else { elsewhere(surface) };
    let part = |(at, part): (usize, &str)| match command(part) {
        Some((spec, bare)) if at % 2 == 1 => format!("{}{bare}", prefix(other(spec))),
        _ => part.to_owned(),
    };
    hint.split('`').enumerate().map(part).collect::<Vec<_>>().join("`")
}

/// A report whose hints name commands as a surface takes them.
#[must_use]
pub fn report_as_taken(report: Report, surface: Surface) -> Report {
    let hints = report.hints.iter().map(|hint| as_taken(hint, surface)).collect();
    Report { hints, ..report }
}

/// The first command that stands in a hint with all that it needs, without what leads it.
#[must_use]
pub fn command_in(hint: &str) -> Option<String> {
    let mut quoted = hint.split('`').skip(1).step_by(2).filter_map(command).map(|(_, bare)| bare);
    // `ID` and the like stand for what only the person knows.
    let whole = |text: &&str| !text.split_whitespace().any(|word| word.chars().all(|c| c.is_ascii_uppercase()));
    quoted.find(whole).map(str::to_owned)
}

const fn elsewhere(surface: Surface) -> Surface {
    match surface {
        Surface::Window => Surface::Shell,
        Surface::Shell => Surface::Window,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_stand_in_hints_as_each_surface_takes_them() {
        let hint = "`retry p1` runs `api` again, `paralane doctor` shows more, `/trust` asks, `git status` too";
        assert_eq!(
            as_taken(hint, Surface::Shell),
            "`paralane retry p1` runs `api` again, `paralane doctor` shows more, `paralane trust` asks, `git status` too"
        );
        assert!(as_taken(hint, Surface::Window).starts_with("`/retry p1` runs `api` again, `/doctor` shows more"));
    }

    #[test]
    fn what_is_no_command_or_works_only_elsewhere_stays() {
        for hint in ["ask `status` for it", "`paralane` attaches again", "see `/etc/paralane/config.toml`", "a ` b"] {
            assert_eq!(as_taken(hint, Surface::Window), hint, "`status` is a lane's name here");
        }
        assert_eq!(as_taken("`paralane down` ends it", Surface::Window), "`paralane down` ends it");
        assert_eq!(as_taken("`paralane detach` leaves", Surface::Shell), "`/detach` leaves");
    }

    #[test]
    fn the_command_in_a_hint_is_found_and_nothing_else() {
        assert_eq!(
            command_in("`lane restart api` makes it again, `lane close api` closes"),
            Some("lane restart api".into())
        );
        assert_eq!(command_in("run `paralane doctor`"), Some("doctor".into()));
        assert_eq!(command_in("look at `api`, then `/rewind 3` undoes it"), Some("rewind 3".into()));
        assert_eq!(command_in("move `FILE` aside; `approve ID` is for another"), None);
        assert_eq!(command_in("the lane runs on"), None);
    }
}
