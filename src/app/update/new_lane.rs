//! New lanes: checked, named and kept.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::app::{LaneWanted, Model, Settings, SetupPlan};
use crate::base::{Report, path_text};
use crate::domain::{
    BaseRef, Change, Checkpoint, Cli, Entry, EntryBody, Guard, Lane, LaneId, LaneKind, LaneName, LaneStage, LeftBehind,
    NativeLane, NotesEntry, Place,
};

use super::step::Step;
use super::{lanes, prompts};

/// Makes a lane that goes on from a checkpoint: its files, and its conversation up to there.
pub(super) fn fork(step: &mut Step<'_>, point: &Checkpoint, name: LaneName) -> Result<(LaneId, String), Report> {
    check_name(step, &name)?;
    let model = &step.state.model;
    let from = model.name(point.lane);
    let Some(old) = model.lanes.get(&point.lane).cloned() else {
        return Err(Report::refused(format!("there is no lane `{from}`")));
    };
    let (Some(commit), Some(head)) = (point.commit.clone(), point.head.clone()) else {
        return Err(Report::refused(format!("checkpoint {} of `{from}` is without files", point.number))
            .hint("choose another one, or leave out `--at`"));
    };
    let entries = bodies(model, point);
    let directory = directory(step, &name)?;
    let base = BaseRef { name: old.place.base.name.clone(), sha: head.clone() };
    let place = Place { directory, branch: Some(name.branch()), base };
    let id = add(step, name.clone(), old.kind.clone(), place);
    if old.mode.is_some() {
        step.change(Change::LaneModeSet { lane: id, mode: old.mode });
    }
    // What was forbidden there stays forbidden here.
    if let Some(rules) = step.state.model.lane_rules.get(&point.lane).cloned() {
        step.change(Change::LaneRulesSet { lane: id, rules });
    }
    for body in entries {
        step.entry(id, None, body);
    }
    let seq = step.state.model.next_seq(id) - 1;
    // Its first checkpoint is where it begins: its files come from there.
    let (commit, head) = (Some(commit), Some(head));
    let first = Checkpoint { lane: id, number: 1, prompt: None, seq, commit, head, at: step.env.now };
    step.change(Change::CheckpointAdded { checkpoint: Box::new(first) });
    lanes::set_up(step, id, SetupPlan::Ensure);
    Ok((id, format!("lane {name} goes on from checkpoint {} of {from}", point.number)))
}

/// The conversation as it was at a checkpoint, without what had been left behind then. Notes tell their place anew: the
/// entries stand elsewhere in the new lane.
fn bodies(model: &Model, point: &Checkpoint) -> Vec<EntryBody> {
    let then: Vec<Entry> = model.conversation(point.lane).into_iter().filter(|e| e.seq <= point.seq).collect();
    let left = LeftBehind::of(then.iter());
    // What is not in memory is not taken along.
    let first = model.entries(point.lane).next().map_or(0, |entry| entry.seq);
    let live: Vec<&Entry> = then.iter().filter(|e| !left.has(e.seq)).collect();
    let noted = live.iter().rposition(|e| matches!(e.body, EntryBody::Notes(_)));
    let taken = |(at, entry): &(usize, &&Entry)| entry.seq >= first || noted == Some(*at);
    let taken: Vec<&Entry> = live.iter().enumerate().filter(taken).map(|(_, entry)| *entry).collect();
    let body = |entry: &&Entry| match &entry.body {
        EntryBody::Notes(noted) => {
            let upto = taken.iter().filter(|before| before.seq <= noted.upto).count() as u64;
            EntryBody::Notes(Box::new(NotesEntry { upto, ..(**noted).clone() }))
        }
        body => body.clone(),
    };
    taken.iter().map(body).collect()
}

/// Refuses a name that an open lane has.
pub(super) fn check_name(step: &Step<'_>, name: &LaneName) -> Result<(), Report> {
    if let Some(lane) = step.state.model.lane_named(name.as_str()) {
        let words = format!("there is already a lane `{name}` ({})", step.state.lane_state(lane.id).word());
        return Err(Report::refused(words).hint("choose another name, or close that lane first"));
    }
    Ok(())
}

/// Where a lane of this name works.
fn directory(step: &Step<'_>, name: &LaneName) -> Result<PathBuf, Report> {
    let directory = step.state.settings.worktrees.join(name.as_str());
    if step.state.model.open_lanes().any(|l| l.place.directory == directory) {
        let words = format!("the directory `{}` belongs to another lane that was renamed", directory.display());
        return Err(Report::refused(words).hint("choose another name"));
    }
    Ok(directory)
}

/// Makes a lane: kept first, then its worktree is made.
pub(super) fn make(step: &mut Step<'_>, mut wanted: LaneWanted) -> Result<LaneId, Report> {
    if let LaneKind::Pane { native: Some(native), .. } = &mut wanted.kind {
        check_native(&step.state.settings, native)?;
    }
    if let LaneKind::Agent { provider, .. } = &wanted.kind {
        check_provider(step, provider.as_deref())?;
    }
    let name = match wanted.name {
        Some(name) => name,
        None => free_name(step, &wanted.kind)?,
    };
    check_name(step, &name)?;
    if wanted.here && wanted.base.is_some() {
        return Err(Report::usage("`--here` works in the base checkout and takes no `--base`"));
    }
    if let Some(text) = &wanted.prompt {
        prompts::check_text(text)?;
    }
    let project = &step.state.settings.project;
    let place = if wanted.here {
        Place { directory: project.root.clone(), branch: None, base: project.base.clone() }
    } else {
        // The commit is filled in once git has found the ref.
        let base = BaseRef { name: wanted.base.unwrap_or_else(|| project.base.name.clone()), sha: String::new() };
        let directory = directory(step, &name)?;
        Place { directory, branch: Some(name.branch()), base }
    };
    if place.directory.to_str().is_none() {
        // The store and the JSON documents keep paths as text.
        let words =
            format!("the lane's directory `{}` is not valid UTF-8", path_text(place.directory.as_os_str().as_bytes()));
        let hint = if wanted.here {
            "leave out `--here`, or rename the repository's directory"
        } else {
            "choose another `--home`"
        };
        return Err(Report::refused(words).hint(hint));
    }
    let id = add(step, name, wanted.kind, place);
    if let Some(text) = wanted.prompt {
        prompts::add(step, id, text, prompts::Options::default())?;
    }
    if wanted.here {
        // One commit, since whoever asked for it waits for each.
        lanes::stand(step, id);
    } else {
        lanes::set_up(step, id, SetupPlan::Ensure);
    }
    Ok(id)
}

/// Keeps a new lane.
fn add(step: &mut Step<'_>, name: LaneName, kind: LaneKind, place: Place) -> LaneId {
    let id = LaneId(step.state.model.last_ids.lane + 1);
    let lane = Lane {
        id,
        name: name.clone(),
        kind,
        place,
        mode: None,
        stage: LaneStage::Creating,
        error: None,
        set_up: false,
        seen: true,
        created: step.env.now,
        since: step.env.now,
    };
    step.change(Change::LaneAdded { lane: Box::new(lane) });
    step.activity(Some(id), format!("lane {name} made"));
    id
}

/// Finds out which CLI a name stands for; refuses what cannot be governed, and logins that there are not.
fn check_native(settings: &Settings, native: &mut NativeLane) -> Result<(), Report> {
    let names = &settings.cli_names;
    if let Some(name) = &native.preset {
        let Some(preset) = names.presets.iter().find(|preset| preset.name == *name) else {
            let mut known = Cli::WORDS.to_vec();
            known.extend(names.presets.iter().map(|preset| preset.name.as_str()));
            let report = Report::refused(format!("there is no native CLI `{name}`"));
            return Err(report.hint(format!("known: {}; `[clis.{name}]` makes it one", known.join(", "))));
        };
        native.cli = preset.cli;
    }
    let cli = native.cli;
    let missing: Vec<&str> = cli.missing().map(Guard::word).collect();
    if !missing.is_empty() {
        let words = format!("`{cli}` cannot be a governed lane: its adapter does not carry {}", missing.join(", "));
        let report = Report::refused(words);
        return Err(report.hint(format!("`lane new NAME -- {cli}` runs it in a plain pane, under its own rules alone")));
    }
    let profiles = &names.credentials;
    let Some(name) = native.credentials.as_ref().filter(|name| !profiles.iter().any(|known| known.name == **name))
    else {
        return Ok(());
    };
    let known: Vec<&str> = profiles.iter().map(|profile| profile.name.as_str()).collect();
    let report = Report::refused(format!("there are no credentials `{name}`"));
    Err(report.hint(format!("known: {}; `[credentials.{name}]` makes them", known.join(", "))))
}

fn check_provider(step: &Step<'_>, wanted: Option<&str>) -> Result<(), Report> {
    let settings = &step.state.settings;
    if settings.providers.is_empty() {
        return Err(Report::refused("no model server is configured, so an agent lane cannot work")
            .hint("name one under `[providers.NAME]` in your configuration (`paralane help config`)")
            .hint("or run a program in the lane: `/lane new sh -- bash`"));
    }
    if let Some(name) = wanted
        && !settings.providers.iter().any(|p| p.name == name)
    {
        let names: Vec<&str> = settings.providers.iter().map(|p| p.name.as_str()).collect();
        return Err(
            Report::refused(format!("there is no provider `{name}`")).hint(format!("configured: {}", names.join(", ")))
        );
    }
    Ok(())
}

/// A name nobody has: the program's own, or `lane`, with a number if need be.
fn free_name(step: &Step<'_>, kind: &LaneKind) -> Result<LaneName, Report> {
    let stem = match kind {
        LaneKind::Agent { .. } => "lane".to_owned(),
        LaneKind::Pane { command, .. } => named_after(command.first().map_or("", String::as_str)),
    };
    // Branches whose names differ in letters' size alone are one on some file systems.
    let taken = |name: &str| step.state.model.lanes.values().any(|l| l.name.as_str().eq_ignore_ascii_case(name));
    let numbered = (2..10_000).map(|n| format!("{stem}-{n}"));
    std::iter::once(stem.clone())
        .chain(numbered)
        .find(|n| !taken(n))
        .and_then(|n| n.parse().ok())
        .ok_or_else(|| Report::refused(format!("no free name after `{stem}`")).hint("give the lane a name"))
}

/// Characters of a program's name that are used: room for a number is left.
const NAME_LIMIT: usize = 32;

/// A lane's name made from a program's file name.
fn named_after(program: &str) -> String {
    let file = Path::new(program).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let plain: String =
        file.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' }).collect();
    let stem: String = plain.trim_start_matches(['.', '_', '-']).chars().take(NAME_LIMIT).collect();
    if stem.parse::<LaneName>().is_ok() { stem } else { "pane".to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_lane_is_named_after_its_program() {
        for (program, name) in [
            ("/usr/bin/vim", "vim"),
            ("bash", "bash"),
            ("./run it.sh", "run-it.sh"),
            (".claude-unwrapped", "claude-unwrapped"),
            ("all", "pane"),
            ("x.lock", "pane"),
            ("漢字", "pane"),
            ("/", "pane"),
        ] {
            assert_eq!(named_after(program), name, "{program}");
        }
    }

    proptest! {
        #[test]
        fn any_program_gives_a_valid_name(program in ".{0,60}", number in 2..10_000) {
            let name = named_after(&program);
            prop_assert!(name.parse::<LaneName>().is_ok(), "{name}");
            let name = format!("{name}-{number}");
            prop_assert!(name.parse::<LaneName>().is_ok(), "{name}");
        }
    }
}
