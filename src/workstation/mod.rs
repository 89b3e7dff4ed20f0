//! The running whole: event loop, lane actors, executor of effects, control socket, recovery, shutdown.
//!
//! [`run`] takes the lock, opens the store, reads the configuration and enters the loop in `engine`. The
//! loop owns the state; nothing else touches it. Messages come in through bounded channels, or as the newest of
//! their kind where the teller must not wait; effects go out to the store's writer, to one actor a lane, to the
//! panes and to the windows, and none of them is waited for.
//!
//! | file | subject |
//! | --- | --- |
//! | `engine`, `clients`, `perform`, `commits`, `shutdown` | the loop: what happens, what clients send, effects, the store, the end |
//! | `control`, `connection`, `answerer`, `adopted`, `doors`, `screens`, `pace` | the socket, one client's connection, where a client sits, programs that others left behind, tools of lanes' programs, windows as they are drawn and how often |
//! | `lane_actor`, `lane_setup`, `lane_turn`, `lane_git`, `lane_repository`, `lane_walls`, `lane_needs`, `job` | one actor a lane and its long work, and whether what a new one needs is there |
//! | `natives`, `hook_door` | native CLIs: their launches, and their hooks on the way to the loop |
//! | `contexts`, `skills`, `hooks`, `approval_history` | what goes into a lane's requests, its skills, what hooks may run, what became of approvals |
//! | `port`, `tokens`, `feeds`, `news`, `bell`, `typeahead`, `pastes` | what turns, panes and the watcher tell the loop, and what waits for a pane |
//! | `home`, `lock`, `configuration`, `preferences`, `environment`, `orphans`, `standing` | where it stands, what it is told, what the last one left |
//! | `spare` | memory that nobody needs any more |

mod adopted;
mod answerer;
pub mod approval_history;
mod bell;
mod clients;
mod colours;
mod commits;
mod config_watch;
pub mod configuration;
mod connection;
pub mod contexts;
mod control;
mod desktop;
pub mod doctor;
mod doors;
mod engine;
mod environment;
pub mod errands;
mod feeds;
pub mod home;
mod hook_door;
mod hooks;
mod job;
mod lane_actor;
mod lane_git;
mod lane_needs;
mod lane_repository;
mod lane_setup;
mod lane_turn;
mod lane_walls;
pub mod lock;
pub mod memories;
mod natives;
mod news;
mod orphans;
mod pace;
mod pastes;
mod perform;
mod places;
mod port;
mod preferences;
mod providers;
pub mod rules;
mod screens;
mod servers;
mod shared;
mod shutdown;
mod signals;
pub mod skills;
mod spare;
mod standing;
mod tokens;
mod typeahead;

pub use environment::{PROTOCOL, READS, SOCKET, TOKEN, is_mark};

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread::JoinHandle;

use anyhow::Context;

use crate::app::{Model, ProjectInfo, State};
use crate::base::{Report, take_short_turns};
use crate::domain::{BaseRef, Snapshot};
use crate::git::{GitEnv, Project};
use crate::store::{Store, StoreError};
use home::Home;
use lock::Lock;

/// Pieces of work that may block at once in the background; more wait for one of them. None waits for another, and the
/// longest (git, files, a search) take seconds: a burst of calls needs no thread for each of them.
const BLOCKING: usize = 32;
/// The same on the loop's own runtime, where next to nothing blocks.
const FRONT_BLOCKING: usize = 8;
/// Turns that connections get at the end, to say what is left to say.
const LAST_WORDS: usize = 256;
/// How long a thread waits for the next piece of work.
const KEEP_ALIVE: std::time::Duration = std::time::Duration::from_secs(3);

/// What a workstation is started with.
#[derive(Debug)]
pub struct Options {
    /// The project.
    pub project: Project,
    /// What its base checkout has checked out.
    pub base: BaseRef,
    /// Where state is kept.
    pub home: Home,
    /// Told `ok` once commands and windows are answered.
    pub ready: Option<OwnedFd>,
    /// A client that is connected from the start.
    pub first: Option<UnixStream>,
    /// Whether it shares its process with a window: signals are the window's then.
    pub foreground: bool,
}

/// Runs the workstation until it is asked to end.
///
/// # Errors
/// When it cannot start: another runs, the store cannot be used, the project cannot be read. The error is a
/// [`Report`] where a person can do something about it.
pub fn run(options: Options) -> anyhow::Result<()> {
    spare::share_arenas();
    let place = options.home.project(options.project.root())?;
    place.create()?;
    let mut lock = Lock::take(place.lock()).map_err(|e| Report::refused(e.to_string()))?;
    // The store waits for the disk: meanwhile everything else is made ready. A new one holds nothing, so that nobody
    // waits for it before there is something to keep.
    let path = place.store();
    let begun = Store::begin(&path).map_err(|e| Report::refused(e.to_string()))?;
    let closed = lock.crashed().is_none();
    let stored = match begun {
        Some(store) => Stored::New(store),
        None => Stored::There(aside("opening", move || opened(&path, closed))?),
    };
    // Git's own processes carry the marks too: one that outlives a killed workstation is found and ended.
    let marks = environment::marks(&place.store().display().to_string(), &lock.identity().instance);
    let git = GitEnv::from_vars(std::env::vars_os().filter(|(name, _)| !is_mark(name)).chain(marks));
    let project = options.project.with_env(git);
    // The loop and the connections of its clients share this thread: a key goes from the socket through the loop
    // to its pane, and a frame from the loop to the socket, without waking another thread in between.
    let front = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(FRONT_BLOCKING)
        .build()
        .context("starting the runtime")?;
    let background = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("paralane")
        .max_blocking_threads(BLOCKING)
        .thread_keep_alive(KEEP_ALIVE)
        .on_thread_start(take_short_turns)
        .enable_all()
        .build()
        .context("starting the runtime")?;
    adopted::tend(background.handle());
    let outset = engine::Outset::new()?;
    let (store, snapshot, sure) = match stored {
        Stored::New(store) => (store, Snapshot::default(), true),
        Stored::There(opening) => opening
            .join()
            .unwrap_or_else(|_| Err(Report::internal("opening the store ended with a fault of its own")))?,
    };
    let info = ProjectInfo { name: place.name().to_owned(), root: project.root().to_owned(), base: options.base };
    let trusted = snapshot.trusted.iter().cloned().collect();
    let configured = configuration::read_files(&options.home, &info, &trusted)?;
    let socket = lock.bind(place.socket()).map_err(|e| Report::refused(e.to_string()))?;
    // One that ended in order has ended what it started; looking at every process of the machine takes time.
    if lock.crashed().is_some() {
        orphans::end_all(&place.store(), &lock.identity().instance);
    }
    let mut state = State::new(Model::from_snapshot(snapshot), configured.settings.clone());
    state.looking_through = !sure;
    let engine = engine::Engine::new(engine::Parts {
        outset,
        front: front.handle().clone(),
        background: background.handle().clone(),
        state,
        store,
        project,
        home: options.home,
        configured,
        instance: lock.identity().instance.clone(),
        foreground: options.foreground,
        ready: options.ready,
    });
    take_short_turns();
    let ended = engine.and_then(|engine| front.block_on(engine.run(socket, options.first)));
    // Whoever still waits for an answer is told that there will be none.
    front.block_on(async {
        for _ in 0..LAST_WORDS {
            tokio::task::yield_now().await;
        }
    });
    // Blocking work of a lane that did not end in time is left behind.
    background.shutdown_timeout(std::time::Duration::from_secs(2));
    front.shutdown_timeout(std::time::Duration::from_secs(1));
    // The socket goes while the lock is still held: nobody can have bound a new one yet.
    let _already_gone = std::fs::remove_file(place.socket());
    if ended.is_err() {
        lock.out_of_order();
    }
    drop(lock);
    ended
}

/// Begins something that is needed a little later.
fn aside<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> anyhow::Result<JoinHandle<T>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).context("starting a thread")
}

/// A store at the start.
enum Stored {
    /// It is made on its own thread.
    New(Store),
    /// It is opened and read.
    There(JoinHandle<Result<(Store, Snapshot, bool), Report>>),
}

/// The store, everything it holds, and whether it is sure to be whole. If the workstation before has `closed` it in
/// order, it is; otherwise it is looked through while windows show already what it holds.
fn opened(path: &Path, closed: bool) -> Result<(Store, Snapshot, bool), Report> {
    let failed = |e: StoreError| Report::refused(e.to_string());
    if !closed && let Some(store) = Store::open_unsure(path).map_err(failed)? {
        let snapshot = Store::read_whole(path).map_err(failed)?;
        return Ok((store, snapshot, false));
    }
    let opened = if closed { Store::open_closed(path) } else { Store::open(path) };
    let store = opened.map_err(failed)?;
    let snapshot = open_snapshot(&store)?;
    Ok((store, snapshot, true))
}

/// Everything the store holds, before anything else uses it.
fn open_snapshot(store: &Store) -> Result<Snapshot, Report> {
    let (sender, receiver) = std::sync::mpsc::sync_channel(1);
    let asked = store.snapshot(Box::new(move |snapshot| {
        // The receiver waits right below.
        let _ = sender.send(snapshot);
    }));
    if asked.is_err() {
        return Err(Report::internal("the store takes no requests"));
    }
    match receiver.recv() {
        Ok(snapshot) => snapshot.map_err(|e| Report::refused(e.to_string())),
        Err(_) => Err(Report::internal("the store ended before it answered")),
    }
}
