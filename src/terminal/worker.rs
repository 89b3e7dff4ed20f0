//! The parser workers: a few threads that own the screen models. Each pane belongs to one of them.
//!
//! A worker takes panes from its list in turn, a slice of bytes each, so that a flood in one pane costs
//! another at most a slice's time. It sleeps until a pane is pushed or a frame or status is due.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

use super::event::PaneEvent;
use super::local::Local;
use super::pane::Pane;

use crate::base::lock;

/// More workers only take cores from the programs: one parses 20 to 60 MB/s.
const MAX_WORKERS: usize = 4;

/// Where the events go. Called on worker threads.
pub(super) type Sink = Arc<dyn Fn(PaneEvent) + Send + Sync>;

/// Which turn a pane gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Before all that wait.
    Next,
    /// After all that wait.
    Last,
}

/// One worker's list. Each pane stands in it at most once.
#[derive(Debug, Default)]
pub(super) struct Shard {
    list: Mutex<List>,
    bell: Condvar,
}

#[derive(Debug, Default)]
struct List {
    ready: VecDeque<Arc<Pane>>,
    stop: bool,
}

impl Shard {
    /// Puts a pane into the list and wakes the worker.
    pub(super) fn push(&self, pane: Arc<Pane>, turn: Turn) {
        let mut list = lock(&self.list);
        match turn {
            Turn::Next => list.ready.push_front(pane),
            Turn::Last => list.ready.push_back(pane),
        }
        drop(list);
        self.bell.notify_one();
    }

    /// Lets the worker end.
    pub(super) fn stop(&self) {
        lock(&self.list).stop = true;
        self.bell.notify_one();
    }

    /// The next pane; `Ok(None)` when the time has come; `Err(())` when the worker shall end.
    fn next(&self, until: Option<Instant>) -> Result<Option<Arc<Pane>>, ()> {
        let mut list = lock(&self.list);
        loop {
            if list.stop {
                return Err(());
            }
            if let Some(pane) = list.ready.pop_front() {
                return Ok(Some(pane));
            }
            list = match until {
                None => self.bell.wait(list).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Ok(None);
                    }
                    self.bell.wait_timeout(list, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

/// Starts the workers.
pub(super) fn start(sink: &Sink) -> io::Result<Vec<Arc<Shard>>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let count = cores.saturating_sub(1).clamp(1, MAX_WORKERS);
    let mut shards: Vec<Arc<Shard>> = Vec::with_capacity(count);
    for number in 0..count {
        let shard = Arc::new(Shard::default());
        let (own, sink) = (Arc::clone(&shard), Arc::clone(sink));
        let spawned = std::thread::Builder::new().name(format!("panes-{number}")).spawn(move || run(&own, &sink));
        if let Err(error) = spawned {
            for shard in &shards {
                shard.stop();
            }
            return Err(error);
        }
        shards.push(shard);
    }
    Ok(shards)
}

fn run(shard: &Shard, sink: &Sink) {
    let mut locals: HashMap<u64, Local> = HashMap::new();
    let mut until = None;
    while let Ok(next) = shard.next(until) {
        if let Some(pane) = next {
            let local = locals.entry(pane.serial).or_insert_with(|| Local::new(pane));
            turn(local, sink, Local::turn);
        }
        let now = Instant::now();
        until = None;
        locals.retain(|_, local| {
            if local.due().is_some_and(|due| due <= now) {
                turn(local, sink, Local::publish);
            }
            until = [until, local.due()].into_iter().flatten().min();
            !local.closed()
        });
    }
}

/// One step of one pane. A panic in it costs that pane its screen and nothing else.
fn turn(local: &mut Local, sink: &Sink, step: fn(&mut Local, &Sink)) {
    if catch_unwind(AssertUnwindSafe(|| step(local, sink))).is_err() {
        local.rebuild();
        let lane = local.lane();
        let message = "the screen model of the pane broke and starts blank; the program goes on".to_owned();
        // A sink that panics itself must not end the worker.
        let _ = catch_unwind(AssertUnwindSafe(|| sink(PaneEvent::Fault { lane, message })));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{LaneId, Size};
    use crate::terminal::{Colours, Launch, Panes};

    #[test]
    fn a_panic_costs_one_pane_its_screen_and_is_told() {
        let panes = Panes::new(drop).unwrap();
        let lane = LaneId(7);
        let launch = Launch {
            command: vec!["/bin/cat".into()],
            directory: "/".into(),
            environment: Vec::new(),
            size: Size { columns: 30, rows: 4 },
            colours: Colours::default(),
        };
        panes.open(lane, &launch).unwrap();
        let mut local = Local::new(panes.pane_of(lane));
        let told = Arc::new(Mutex::new(Vec::new()));
        let keep = Arc::clone(&told);
        let sink: Sink = Arc::new(move |event| lock(&keep).push(event));
        turn(&mut local, &sink, |_, _| panic!("made for the test"));
        assert!(
            matches!(&lock(&told)[..], [PaneEvent::Fault { lane: LaneId(7), message }] if message.contains("the program goes on"))
        );
        assert!(!local.closed());
        // A sink that panics is survived too.
        let sink: Sink = Arc::new(|_| panic!("made for the test"));
        turn(&mut local, &sink, |_, _| panic!("made for the test"));
        turn(&mut local, &sink, Local::turn);
    }
}
