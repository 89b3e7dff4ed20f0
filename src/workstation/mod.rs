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
//! | `control`, `connection`, `screens` | the socket, one client's connection, windows as they are drawn |
//! | `lane_actor`, `lane_setup`, `lane_turn`, `lane_git`, `job` | one actor a lane and its long work |
//! | `port`, `tokens`, `feeds`, `news`, `bell`, `typeahead` | what turns, panes and the watcher tell the loop, and what waits for a pane |
//! | `home`, `lock`, `configuration`, `preferences`, `environment`, `orphans` | where it stands, what it is told, what the last one left |

mod bell;
mod clients;
mod commits;
pub mod configuration;
mod connection;
mod control;
mod engine;
mod environment;
mod feeds;
pub mod home;
mod job;
mod lane_actor;
mod lane_git;
mod lane_setup;
mod lane_turn;
pub mod lock;
mod news;
mod orphans;
mod perform;
mod places;
mod port;
mod preferences;
mod providers;
mod screens;
mod shared;
mod shutdown;
mod signals;
mod tokens;
mod typeahead;

pub use environment::is_mark;

use std::os::fd::OwnedFd;
use std::path::PathBuf;

use anyhow::Context;

use crate::app::{Model, ProjectInfo, State};
use crate::base::Report;
use crate::git::{GitEnv, Project};
use crate::store::Store;
use home::Home;
use lock::Lock;

/// What a workstation is started with.
#[derive(Debug)]
pub struct Options {
    /// The base checkout's root.
    pub root: PathBuf,
    /// Where state is kept.
    pub home: Home,
    /// Told `ok` once commands and windows are answered.
    pub ready: Option<OwnedFd>,
    /// Whether it shares its process with a window: signals are the window's then.
    pub foreground: bool,
}

/// Runs the workstation until it is asked to end.
///
/// # Errors
/// When it cannot start: another runs, the store cannot be used, the project cannot be read. The error is a
/// [`Report`] where a person can do something about it.
pub fn run(options: Options) -> anyhow::Result<()> {
    let project = Project::find(&options.root).map_err(Report::from)?;
    let place = options.home.project(project.root())?;
    place.create()?;
    let lock = Lock::take(place.lock()).map_err(|e| Report::refused(e.to_string()))?;
    // Git's own processes carry the marks too: one that outlives a killed workstation is found and ended.
    let marks = environment::marks(&place.store().display().to_string(), &lock.identity().instance);
    let git = GitEnv::from_vars(std::env::vars_os().filter(|(name, _)| !is_mark(name)).chain(marks));
    let project = Project::find_with(project.root(), git).map_err(Report::from)?;
    let info = ProjectInfo {
        name: place.name().to_owned(),
        root: project.root().to_owned(),
        base: project.head().map_err(Report::from)?,
    };
    let store = Store::open(&place.store()).map_err(|e| Report::refused(e.to_string()))?;
    let snapshot = open_snapshot(&store)?;
    let trusted = snapshot.trusted.iter().cloned().collect();
    let configured = configuration::read(&options.home, &info, &trusted)?;
    let socket = lock.bind(place.socket()).map_err(|e| Report::refused(e.to_string()))?;
    // One that ended in order has ended what it started; looking at every process of the machine takes time.
    if lock.crashed().is_some() {
        orphans::end_all(&place.store(), &lock.identity().instance);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("paralane")
        .enable_all()
        .build()
        .context("starting the runtime")?;
    let state = State::new(Model::from_snapshot(snapshot), configured.settings.clone());
    let runtime_guard = runtime.enter();
    let engine = engine::Engine::new(engine::Parts {
        state,
        store,
        project,
        home: options.home,
        configured,
        instance: lock.identity().instance.clone(),
        foreground: options.foreground,
    });
    drop(runtime_guard);
    let ended = engine.and_then(|engine| runtime.block_on(engine.run(socket, options.ready)));
    // Blocking work of a lane that did not end in time is left behind.
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    // The socket goes while the lock is still held: nobody can have bound a new one yet.
    let _already_gone = std::fs::remove_file(place.socket());
    drop(lock);
    ended
}

/// Everything the store holds, before anything else uses it.
fn open_snapshot(store: &Store) -> Result<crate::domain::Snapshot, Report> {
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
