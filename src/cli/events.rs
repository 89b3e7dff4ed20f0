//! History as lines: exported whole, or followed as it happens. Both read the store, beside a workstation or without.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use jiff::Timestamp;

use super::rhythm::Rhythm;
use super::site::Site;
use super::{file, output};
use crate::app::Model;
use crate::app::report::{self, event_json, event_words};
use crate::base::{Report, nearest, zone};
use crate::command::Since;
use crate::domain::{Event, LaneId};
use crate::store::Store;

/// Events read at once: memory stays bounded however long history is.
const PAGE: usize = 1_000;
/// The first time fewer: who looks at the beginning has it at once.
const FIRST: usize = 50;
/// Between two looks for news. A look opens the file and reads one place in an index.
const PAUSE: Duration = Duration::from_millis(250);
/// Events that would hide the others from a person; programs get them all.
const NOISE: &[&str] =
    &["entry-added", "lane-seen", "paths-released", "spend-reserved", "call-moved", "checkpoints-forgotten"];

fn refused(error: impl ToString) -> Report {
    Report::refused(error.to_string())
}

/// The names of lanes, without anything else being read for them.
fn names(store: &Path) -> Result<Model, Report> {
    Store::read(store).map(Model::from_snapshot).map_err(refused)
}

/// The lane of this name, open or closed.
fn lane_of(model: &Model, name: &str) -> Result<LaneId, Report> {
    let known = model.lane_named(name).or_else(|| model.closed_lane_named(name));
    known.map(|lane| lane.id).ok_or_else(|| {
        let report = Report::refused(format!("there is no lane `{name}`"));
        match nearest(name, model.lanes.values().map(|lane| lane.name.as_str())) {
            Some(near) => report.hint(format!("did you mean `{near}`?")),
            None => report.hint("`paralane lane list --all` shows all"),
        }
    })
}

/// `events export`: JSON Lines, oldest first.
///
/// # Errors
/// When the store cannot be read or the file not written.
pub(super) fn export(
    site: &Site,
    since: Option<Since>,
    lane: Option<&str>,
    output: Option<&Path>,
) -> Result<ExitCode, Report> {
    let store = site.place.store();
    let model = names(&store)?;
    let lane = lane.map(|name| lane_of(&model, name)).transpose()?;
    let first = match since {
        Some(since) => Store::event_place(&store, Some(since.resolve(Timestamp::now()))).map_err(refused)?,
        None => 1,
    };
    let (mut next, mut most) = (first, FIRST);
    let mut page = || -> Result<Vec<Event>, Report> {
        let events = Store::events_after(&store, next - 1, lane, most).map_err(refused)?;
        most = PAGE;
        next = events.last().map_or(next, |last| last.seq + 1);
        Ok(events)
    };
    let Some(path) = output else {
        write_pages(&model, &mut page, &mut io::stdout().lock(), |error| match error.kind() {
            // A reader that closes the pipe has what it wanted.
            io::ErrorKind::BrokenPipe => None,
            _ => Some(Report::internal(format!("cannot write to standard output: {error}"))),
        })?;
        return Ok(ExitCode::SUCCESS);
    };
    let mut count = 0;
    file::replace(path, |out| {
        count = write_pages(&model, &mut page, out, |error| Some(file::unwritable(path, &error)))?;
        Ok(())
    })?;
    output::print(&format!("{count} events in `{}`", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes all pages; how many events there were. Ends early when a fault is none.
fn write_pages(
    model: &Model,
    page: &mut impl FnMut() -> Result<Vec<Event>, Report>,
    out: &mut impl Write,
    fault: impl Fn(io::Error) -> Option<Report>,
) -> Result<usize, Report> {
    let mut count = 0;
    loop {
        let events = page()?;
        if events.is_empty() {
            return out.flush().map(|()| count).or_else(|error| fault(error).map_or(Ok(count), Err));
        }
        count += events.len();
        for event in events {
            if let Err(error) = out.write_all(json_line(model, &event).as_bytes()) {
                return fault(error).map_or(Ok(count), Err);
            }
        }
    }
}

fn json_line(model: &Model, event: &Event) -> String {
    report::json_line(&event_json(model, event))
}

/// `watch`: follows what happens until Ctrl-C.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn watch(site: &Site, lane: Option<&str>, json: bool) -> Result<ExitCode, Report> {
    let store = site.place.store();
    let mut model = names(&store)?;
    let only = lane.map(|name| lane_of(&model, name)).transpose()?;
    let mut rhythm = Rhythm::new()?;
    let mut next = Store::event_place(&store, None).map_err(refused)?;
    loop {
        let events = Store::events_after(&store, next - 1, None, PAGE).map_err(refused)?;
        next = events.last().map_or(next, |last| last.seq + 1);
        let renamed = |event: &Event| event.body.starts_with("{\"change\":\"lane-");
        if events.iter().any(renamed) {
            model = names(&store)?;
        }
        let full = events.len() == PAGE;
        let shown: String = events
            .iter()
            .filter(|event| only.is_none_or(|only| event.lane == Some(only)))
            .filter_map(|event| if json { Some(json_line(&model, event)) } else { plain_line(&model, event) })
            .collect();
        if !output::stream(&shown)? {
            return Ok(ExitCode::SUCCESS);
        }
        if !full && !rhythm.wait(PAUSE) {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

/// `12:00:03  api  p4 running`
fn plain_line(model: &Model, event: &Event) -> Option<String> {
    let kind = serde_json::from_str::<serde_json::Value>(&event.body).ok()?;
    if NOISE.contains(&kind["change"].as_str()?) {
        return None;
    }
    let at = jiff::ZonedDateTime::new(event.at, zone::local());
    let lane = event.lane.map_or_else(|| "-".to_owned(), |lane| model.name(lane));
    let words = event_words(model, event);
    Some(format!("{}  {lane:<16}  {}\n", at.strftime("%H:%M:%S"), crate::domain::redacted(&words)))
}
