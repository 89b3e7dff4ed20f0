//! The project's state taken out into one file, looked at, and brought in elsewhere.

use std::path::Path;
use std::process::ExitCode;

use jiff::Timestamp;
use serde_json::json;

use super::site::Site;
use super::{output, start};
use crate::app::report::{Document, render};
use crate::app::{Model, ProjectInfo};
use crate::base::{Report, size_words};
use crate::store::Store;
use crate::store::archive::{self, ArchiveError, Manifest, Whereabouts};
use crate::workstation::configuration;

/// `state export`
///
/// # Errors
/// When there is no state, or it cannot be written.
pub(super) fn export(site: &Site, file: &Path, as_json: bool) -> Result<ExitCode, Report> {
    let (store, place) = (site.place.store(), whereabouts(site)?);
    let version = env!("CARGO_PKG_VERSION");
    let manifest =
        archive::export(&store, file, site.place.name(), version, place, Timestamp::now()).map_err(report)?;
    print(&manifest, file, "exported", as_json)
}

/// `state show`: checks the file as an import does.
///
/// # Errors
/// What is wrong with it.
pub(super) fn show(file: &Path, as_json: bool) -> Result<ExitCode, Report> {
    print(&archive::check(file).map_err(report)?, file, "checked", as_json)
}

/// `state import`: only where the project has no state, and nothing runs.
///
/// # Errors
/// What stands against it; nothing was changed then.
pub(super) fn import(site: &Site, file: &Path, merge: bool, as_json: bool) -> Result<ExitCode, Report> {
    // Refused before any directory is made for it.
    archive::check(file).map_err(report)?;
    let running = || -> Result<(), Report> {
        site.running()?.map_or(Ok(()), |identity| {
            Err(Report::refused(format!("a workstation runs for this project (process {})", identity.pid))
                .hint("end it first with `paralane down`"))
        })
    };
    running()?;
    let _nobody_starts_one = start::right_to_start(site)?;
    running()?;
    let done = archive::import(file, &site.place.store(), &whereabouts(site)?);
    let manifest = done.map_err(|error| match &error {
        ArchiveError::NotEmpty { .. } if merge => unmergeable(&error),
        _ => report(error),
    })?;
    print(&manifest, file, "imported", as_json)
}

/// Why two states of one project do not become one.
fn unmergeable(error: &ArchiveError) -> Report {
    Report::refused(format!("{error}, and two states of one project cannot be merged"))
        .hint(
            "both have given the same ids (`p12`, `msg3`, `k7`) to different things, and transcripts, mail and git's \
             checkpoints name things by them",
        )
        .hint("import it under another `--home` to look at it beside this one, or move the present state aside first")
}

/// Where the project stands here.
fn whereabouts(site: &Site) -> Result<Whereabouts, Report> {
    let snapshot = Store::read(&site.place.store()).map_err(|error| Report::refused(error.to_string()))?;
    let project = ProjectInfo {
        name: site.place.name().to_owned(),
        root: site.project.root().to_owned(),
        base: site.base.clone(),
    };
    let read = configuration::read_files(&site.home, &project, &Model::from_snapshot(snapshot).trusted)?;
    Ok(Whereabouts { root: project.root, worktrees: read.settings.worktrees })
}

fn print(manifest: &Manifest, file: &Path, what: &str, as_json: bool) -> Result<ExitCode, Report> {
    let bytes: u64 = manifest.files.values().map(|member| member.bytes).sum();
    let mut lines = vec![
        format!("{what} `{}`", file.display()),
        format!("project {} at {}", manifest.project, manifest.place.root.display()),
        format!("exported {:.0} by version {}, schema {}", manifest.exported, manifest.program, manifest.schema),
    ];
    let member = |(name, member): (&String, &archive::Member)| {
        format!("{name}  {}  sha256 {}", size_words(member.bytes), member.sha256)
    };
    lines.extend(manifest.files.iter().map(member));
    if what == "imported" {
        lines.push("what was trusted or always allowed there is asked for again here".to_owned());
        lines.push(
            "`paralane lane list` shows its lanes; `lane restart NAME` makes a worktree from its branch".to_owned(),
        );
    }
    let json =
        json!({ "state": { "file": file.display().to_string(), "done": what, "bytes": bytes, "manifest": manifest } });
    let document = Document { title: "state".into(), json, text: lines.join("\n") };
    output::print(&render(&document, as_json))?;
    Ok(ExitCode::SUCCESS)
}

fn report(error: ArchiveError) -> Report {
    let hint = match &error {
        ArchiveError::Exists { .. } => "name a file that is not there yet",
        ArchiveError::File { .. } => "check the path, its permissions and the room on the disk",
        ArchiveError::Foreign { .. } | ArchiveError::Member { .. } => {
            "nothing was changed; export it again where it came from"
        }
        ArchiveError::Newer { .. } => "nothing was changed; install that version here first",
        ArchiveError::NoState { .. } => "it comes into being with the first lane",
        ArchiveError::NotEmpty { .. } => {
            "nothing was changed; import it under another `--home`, or move the present state aside first"
        }
        ArchiveError::Store(_) => return Report::refused(error.to_string()),
    };
    Report::refused(error.to_string()).hint(hint)
}
