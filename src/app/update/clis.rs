//! Names for native CLIs: added, put in the place of one that comes with the program, and removed by command, in the
//! person's own file.

use crate::app::{Asker, CliEdit, Effect};
use crate::base::Report;
use crate::config::{CliPreset, Layer, NewCli, Origin as Place, comes_along};

use super::run::{self, Done, Origin};
use super::step::Step;

/// Has a new name written down.
pub(super) fn add(step: &mut Step<'_>, origin: Origin, new: NewCli) -> Result<Done, Report> {
    let name = &new.name;
    if comes_along(name) {
        let words = format!("cannot add `{name}`: one of that name comes with Paralane");
        return Err(Report::refused(words).hint(format!("`provider shadow {name} --cli …` puts yours in its place")));
    }
    put(step, origin, new)
}

/// Has one put in the place of one that comes with the program, or that one taken away.
pub(super) fn shadow(step: &mut Step<'_>, origin: Origin, new: NewCli) -> Result<Done, Report> {
    let name = &new.name;
    if !comes_along(name) {
        let words = format!("cannot put anything in the place of `{name}`: nothing of that name comes with Paralane");
        return Err(
            Report::refused(words).hint(format!("`provider add {name} --cli …` adds one; `provider list` tells all"))
        );
    }
    put(step, origin, new)
}

fn put(step: &mut Step<'_>, origin: Origin, new: NewCli) -> Result<Done, Report> {
    not_the_machines(step, &new.name)?;
    step.now.push(Effect::EditClis(origin.asker(), Box::new(CliEdit::Put(new))));
    Ok(Done::Later)
}

/// Has a name of the person's own taken out; one that it stood before is there again.
pub(super) fn remove(step: &mut Step<'_>, origin: Origin, name: String) -> Result<Done, Report> {
    not_the_machines(step, &name)?;
    if known(step, &name).is_some_and(|preset| preset.origin.is_none()) {
        let words = format!("cannot remove `{name}`: it comes with Paralane and stands in no file of yours");
        return Err(Report::refused(words).hint(format!("`provider shadow {name} --off` takes it away")));
    }
    step.now.push(Effect::EditClis(origin.asker(), Box::new(CliEdit::Remove(name))));
    Ok(Done::Later)
}

fn known<'a>(step: &'a Step<'_>, name: &str) -> Option<&'a CliPreset> {
    step.state.settings.cli_names.presets.iter().find(|preset| preset.name == name)
}

/// What the machine's file says counts, whatever stands in the person's.
fn not_the_machines(step: &Step<'_>, name: &str) -> Result<(), Report> {
    match known(step, name).and_then(|preset| preset.origin.as_ref()) {
        Some(place @ Place::File { layer: Layer::Managed, .. }) => {
            let words = format!("`{name}` is not yours to change: {place}");
            Err(Report::refused(words).hint("the machine's administrator sets it; take another name"))
        }
        _ => Ok(()),
    }
}

/// The file is written, or not: whoever asked is told.
pub(super) fn edited(step: &mut Step<'_>, asker: Asker, edit: &CliEdit, file: Result<String, Report>) {
    let name = edit.name();
    let words = file.map(|file| {
        step.then.push(Effect::ReadConfig);
        match edit {
            CliEdit::Put(new) if new.off() => format!("`{name}` is taken away by {file}"),
            CliEdit::Put(_) => format!("`{name}` stands in {file}; `lane new NAME --cli {name}` starts it"),
            CliEdit::Remove(_) => {
                let back = if comes_along(name) { "; the one that comes with Paralane is there again" } else { "" };
                format!("`{name}` is removed from {file}{back}{}", users(step, name))
            }
        }
    });
    run::answer_later(step, Some(Origin::of(asker)), words);
}

/// Lanes that were made with a name that nothing stands for any more.
fn users(step: &Step<'_>, name: &str) -> String {
    let of = |lane: &&crate::domain::Lane| lane.kind.native().is_some_and(|cli| cli.preset.as_deref() == Some(name));
    let lanes: Vec<String> = step.state.model.open_lanes().filter(of).map(|lane| format!("`{}`", lane.name)).collect();
    if comes_along(name) || lanes.is_empty() {
        return String::new();
    }
    format!("; made with it and not started again without it: {}", lanes.join(", "))
}
