//! The workers: a few threads that read the terminals and own the screen models. Each pane belongs to one.
//!
//! A worker reads a pane and parses what came in the same step: the kernel fills the next 4 KiB meanwhile, no
//! second thread has to be woken for them, and what is not read holds the program back. Panes with something
//! to read take turns, a slice each, so that a flood in one costs another a slice's time at most; one that was
//! typed into is looked at between any two slices. With nothing to read the worker sleeps until
//! something comes, somebody posts, or a frame or status is due.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::event::PaneEvent;
use super::local::Local;
use super::pacing::ECHO;
use super::pane::Pane;
use super::wake::{self, Waiter, Wake};
#[cfg(target_os = "linux")]
use super::watch::Watch;
#[cfg(not(target_os = "linux"))]
use super::watch_elsewhere::Watch;

use crate::base::lock;

/// More workers only take cores from the programs: one parses 20 to 60 MB/s.
const MAX_WORKERS: usize = 4;
/// How often the other panes are asked while some have something to do.
const LOOK: Duration = Duration::from_micros(500);
/// Keys remembered for a worker that sleeps.
const MAX_TYPED: usize = 32;

/// Where the events go. Called on worker threads.
pub(super) type Sink = Arc<dyn Fn(PaneEvent) + Send + Sync>;

/// What others leave for a worker.
#[derive(Debug)]
pub(super) struct Shard {
    list: Mutex<List>,
    wake: Wake,
}

#[derive(Debug, Default)]
struct List {
    /// Panes with mail, each at most once.
    posted: Vec<Arc<Pane>>,
    /// Panes that were typed into, and when.
    typed: Vec<(u64, Instant)>,
    /// The worker sleeps, or is about to.
    asleep: bool,
    stop: bool,
}

impl Shard {
    fn new(wake: Wake) -> Self {
        Self { list: Mutex::default(), wake }
    }

    /// Tells the worker that there is mail in a pane.
    pub(super) fn push(&self, pane: Arc<Pane>) {
        self.tell(|list| list.posted.push(pane));
    }

    /// Says that a pane was typed into. A sleeping worker is not woken: the echo itself does that.
    pub(super) fn typed(&self, serial: u64, at: Instant) {
        let mut list = lock(&self.list);
        list.typed.push((serial, at));
        // Nobody takes them while the worker sleeps; the newest are what counts.
        if list.typed.len() > 2 * MAX_TYPED {
            list.typed.drain(..MAX_TYPED);
        }
    }

    /// Lets the worker end.
    pub(super) fn stop(&self) {
        self.tell(|list| list.stop = true);
    }

    fn tell(&self, change: impl FnOnce(&mut List)) {
        let mut list = lock(&self.list);
        change(&mut list);
        let asleep = std::mem::take(&mut list.asleep);
        drop(list);
        if asleep {
            self.wake.ring();
        }
    }
}

/// Starts the workers.
pub(super) fn start(sink: &Sink) -> io::Result<Vec<Arc<Shard>>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let count = cores.saturating_sub(1).clamp(1, MAX_WORKERS);
    let mut shards: Vec<Arc<Shard>> = Vec::with_capacity(count);
    for number in 0..count {
        let started = wake::pair().and_then(|(wake, waiter)| {
            let shard = Arc::new(Shard::new(wake));
            let worker = Worker::new(Arc::clone(&shard), waiter, Watch::new()?, Arc::clone(sink));
            std::thread::Builder::new().name(format!("panes-{number}")).spawn(move || worker.run())?;
            Ok(shard)
        });
        match started {
            Ok(shard) => shards.push(shard),
            Err(error) => {
                for shard in &shards {
                    shard.stop();
                }
                return Err(error);
            }
        }
    }
    Ok(shards)
}

struct Worker {
    shard: Arc<Shard>,
    waiter: Waiter,
    watch: Watch,
    sink: Sink,
    locals: HashMap<u64, Local>,
    /// Panes with something to do now, in turn. Each stands here once: its `queued` says so.
    ready: VecDeque<u64>,
    /// Panes whose echo is awaited, and since when.
    typed: Vec<(u64, Instant)>,
    /// Nothing is due before this moment.
    due: Option<Instant>,
    looked: Instant,
}

impl Worker {
    fn new(shard: Arc<Shard>, waiter: Waiter, watch: Watch, sink: Sink) -> Self {
        Self {
            shard,
            waiter,
            watch,
            sink,
            locals: HashMap::new(),
            ready: VecDeque::new(),
            typed: Vec::new(),
            due: None,
            looked: Instant::now(),
        }
    }

    fn run(mut self) {
        while self.take() {
            self.await_echoes();
            if let Some(serial) = self.ready.pop_front() {
                if let Some(local) = self.locals.get_mut(&serial) {
                    local.queued = false;
                }
                self.turn(serial);
            }
            let now = Instant::now();
            if self.due.is_some_and(|due| due <= now) {
                self.publish(now);
            }
            if self.ready.is_empty() || now.saturating_duration_since(self.looked) >= LOOK {
                self.look(now);
            }
        }
        // Programs that live on are reaped all the same.
        while let Some(serial) = self.ready.pop_front() {
            self.turn(serial);
        }
        self.locals.values_mut().for_each(Local::leave);
    }

    /// Takes what others left. False when the worker shall end.
    fn take(&mut self) -> bool {
        let mut list = lock(&self.shard.list);
        list.asleep = false;
        let stop = list.stop;
        let posted = std::mem::take(&mut list.posted);
        self.typed.append(&mut list.typed);
        drop(list);
        for pane in posted {
            let serial = pane.serial;
            self.locals.entry(serial).or_insert_with(|| Local::new(pane));
            self.queue(serial);
        }
        !stop
    }

    /// Puts a pane behind those that have something to do.
    fn queue(&mut self, serial: u64) {
        if let Some(local) = self.locals.get_mut(&serial)
            && !std::mem::replace(&mut local.queued, true)
        {
            self.ready.push_back(serial);
        }
    }

    /// Looks whether an awaited echo has come: it passes what else there is to do, once a key.
    fn await_echoes(&mut self) {
        if self.typed.is_empty() {
            return;
        }
        let now = Instant::now();
        let mut typed = std::mem::take(&mut self.typed);
        typed.sort_unstable();
        typed.dedup_by_key(|(serial, _)| *serial);
        typed.retain(|&(serial, at)| {
            let Some(local) = self.locals.get_mut(&serial) else { return false };
            if now.saturating_duration_since(at) > ECHO {
                return false;
            }
            if !local.read() {
                return true;
            }
            self.turn(serial);
            false
        });
        self.typed = typed;
    }

    /// One turn of a pane, and what it needs next.
    fn turn(&mut self, serial: u64) {
        let Some(local) = self.locals.get_mut(&serial) else { return };
        turn(local, &self.sink, Local::turn);
        if local.closed() {
            self.watch.forget(serial, local);
            self.locals.remove(&serial);
            return;
        }
        if let Err(error) = self.watch.keep(serial, local) {
            let message = format!("what its program writes is not seen: {error}");
            (self.sink)(PaneEvent::Fault { lane: local.lane(), message });
        }
        self.due = [self.due, local.due()].into_iter().flatten().min();
        if local.busy() {
            self.queue(serial);
        }
    }

    /// Publishes what is due, and finds out when something is due again.
    fn publish(&mut self, now: Instant) {
        self.due = None;
        let mut busy = Vec::new();
        for (serial, local) in &mut self.locals {
            if local.due().is_some_and(|due| due <= now) {
                turn(local, &self.sink, Local::publish);
                if local.busy() {
                    busy.push(*serial);
                }
            }
            self.due = [self.due, local.due()].into_iter().flatten().min();
        }
        for serial in busy {
            self.queue(serial);
        }
    }

    /// Asks the kernel which panes have something to do; waits for it while none has.
    fn look(&mut self, now: Instant) {
        let mut patience = Duration::ZERO;
        if self.ready.is_empty() {
            let mut list = lock(&self.shard.list);
            if list.posted.is_empty() && !list.stop {
                list.asleep = true;
                patience = self.due.map_or(Duration::MAX, |due| due.saturating_duration_since(now));
            }
        }
        let (rung, seen) = self.watch.wait(&self.waiter, patience);
        self.looked = Instant::now();
        if rung {
            self.waiter.clear();
        }
        for (serial, seen, writable) in seen {
            if let Some(local) = self.locals.get_mut(&serial) {
                local.saw(seen, writable);
                self.queue(serial);
            }
        }
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
            own: Vec::new(),
            governed: None,
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
