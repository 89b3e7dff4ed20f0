//! Panes with real programs. Nothing here sleeps: a test waits for what the sink reports.

mod behaviour;
mod delivery;
mod ending;
mod faults;
mod flow;
mod pasting;
mod telling;

use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use super::*;
use crate::base::lock;
use crate::domain::{Key, KeyCode, LaneId, Size};

const LANE: LaneId = LaneId(1);
const SIZE: Size = Size { columns: 60, rows: 12 };
/// Far above what any machine needs; only a fault reaches it.
const PATIENCE: Duration = Duration::from_secs(60);

type Events = Arc<(Mutex<Vec<PaneEvent>>, Condvar)>;

/// Panes and what they reported.
struct House {
    panes: Panes,
    events: Events,
}

impl House {
    fn new() -> Self {
        let events = Events::default();
        let sink = Arc::clone(&events);
        let panes = Panes::new(move |event| {
            lock(&sink.0).push(event);
            sink.1.notify_all();
        })
        .unwrap();
        Self { panes, events }
    }

    fn open(&self, lane: LaneId, command: &[&str]) -> ProcessIdentity {
        let identity = self.panes.open(lane, &launch(command)).unwrap();
        self.panes.set_visible(lane, true).unwrap();
        identity
    }

    /// A house with one visible pane.
    fn with(command: &[&str]) -> Self {
        let house = Self::new();
        house.open(LANE, command);
        house
    }

    /// Waits until the probe finds something in the events or the panes.
    fn until<T>(&self, what: &str, mut probe: impl FnMut(&[PaneEvent]) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        let mut events = lock(&self.events.0);
        loop {
            if let Some(found) = probe(&events) {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero(),
                "never came: {what}\nscreen: {:#?}\nevents: {:#?}",
                self.screen(LANE),
                events.last()
            );
            events = self.events.1.wait_timeout(events, left).unwrap().0;
        }
    }

    fn screen(&self, lane: LaneId) -> Vec<String> {
        self.panes.frame(lane).map(|frame| rows(&frame)).unwrap_or_default()
    }

    fn until_shows(&self, lane: LaneId, text: &str) {
        self.until(text, |_| self.screen(lane).iter().any(|row| row.contains(text)).then_some(()));
    }

    /// Waits for the end of a visible pane's program and its last picture.
    fn until_exits(&self, lane: LaneId) -> (String, Option<u32>) {
        let ended = self.until("exit", |events| {
            events.iter().find_map(|event| match event {
                PaneEvent::Exited { lane: ended, status, code, .. } if *ended == lane => Some((status.clone(), *code)),
                _ => None,
            })
        });
        // It may have ended before it was made visible.
        self.until("a picture", |_| self.panes.frame(lane));
        ended
    }

    fn until_ready(&self, lane: LaneId) {
        self.until("ready", |events| {
            let last = events.iter().rev().find_map(|event| match event {
                PaneEvent::Status(of, status) if *of == lane => Some(status.ready),
                _ => None,
            });
            last.filter(|ready| *ready)
        });
    }

    fn type_line(&self, lane: LaneId, line: &str) {
        for c in line.chars() {
            self.panes.key(lane, Key::char(c)).unwrap();
        }
        self.panes.key(lane, Key::plain(KeyCode::Enter)).unwrap();
    }
}

/// The rows of a frame as text, blank ends cut.
fn rows(frame: &crate::domain::PaneFrame) -> Vec<String> {
    let row = |cells: &[crate::domain::Cell]| {
        let cells = cells.iter().filter(|cell| !cell.continuation);
        let text: String = cells.map(|cell| if cell.text.is_empty() { " " } else { &cell.text }).collect();
        text.trim_end().to_owned()
    };
    frame.cells.rows().map(row).collect()
}

fn launch(command: &[&str]) -> Launch {
    let inherited = ["PATH", "HOME"].into_iter().filter_map(|name| Some((name.into(), std::env::var_os(name)?)));
    let own = [("PS1", "ready> "), ("PS2", "more> "), ("LC_ALL", "C.UTF-8"), ("TMUX", "leak"), ("GIT_DIR", "leak")];
    Launch {
        command: command.iter().map(Into::into).collect(),
        directory: std::env::temp_dir(),
        environment: inherited.chain(own.map(|(name, value)| (name.into(), value.into()))).collect(),
        own: Vec::new(),
        governed: None,
        size: SIZE,
        colours: Colours::default(),
    }
}

/// A bash with a known prompt and nobody's start files.
const BASH: &[&str] = &["bash", "--norc", "--noprofile", "-i"];
