//! What every measurement stands on: a world of its own (repository, state directory, environment), terminals
//! that say when something stood on their screen, tmux as the peer, and counters of `/proc`.

pub mod ask;
#[path = "../../tests/e2e/support/mod.rs"]
pub mod e2e;
pub mod guard;
pub mod pty;
pub mod samples;
pub mod tmux;
pub mod usage;

use std::ops::Deref;
use std::time::{Duration, Instant};

use guard::Guard;

pub use e2e::bench::PROGRAM;
pub use pty::Pty;
pub use samples::Samples;
pub use tmux::Tmux;

/// The terminals' size: the narrowest with all three columns.
pub const COLUMNS: u16 = 120;
/// See [`COLUMNS`].
pub const ROWS: u16 = 40;

/// Whether `cargo bench` asked for the measurement; `cargo test --all-targets` must not run it.
pub fn asked(title: &str) -> bool {
    let asked = std::env::args().any(|argument| argument == "--bench");
    if asked {
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load: Vec<_> = load.split_whitespace().take(3).collect();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        println!("\n== {title} ({cores} cores, load {}) ==", load.join(" "));
    }
    asked
}

/// A repository, a state directory and an environment; what runs on them is ended when this goes, or this process.
pub struct World {
    bench: e2e::Bench,
    /// After the bench, which ends things in order.
    _guard: Guard,
}

impl Deref for World {
    type Target = e2e::Bench;

    fn deref(&self) -> &e2e::Bench {
        &self.bench
    }
}

/// A world whose configuration names a server, so that no set-up is offered.
pub fn world(base_url: &str, more: &str) -> World {
    let bench = e2e::Bench::new();
    bench.configure_server(base_url, more);
    let path = bench.path().to_str().unwrap();
    let script = "test -d \"$2/shop\" && cd \"$2/shop\" && \"$1\" down; cd /; rm -rf \"$2\"";
    let guard = Guard::new(script, &[PROGRAM, path], "/".as_ref(), &bench.env());
    World { bench, _guard: guard }
}

/// A world whose agents never speak to anybody.
pub fn quiet_world() -> World {
    world("http://127.0.0.1:9/v1", "")
}

/// Opens a window of the program in this world.
pub fn window(world: &World, args: &[&str]) -> Pty {
    Pty::open(PROGRAM, args, &world.repo(), world.env())
}

/// Lets time pass that is part of the measurement.
pub fn pause(time: Duration) {
    let end = Instant::now() + time;
    while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        std::thread::park_timeout(left);
    }
}

/// `2.0×`, or nothing without a peer.
pub fn ratio(ours: f64, peer: Option<f64>) -> String {
    peer.filter(|peer| *peer > 0.0).map_or_else(|| "-".to_owned(), |peer| format!("{:.2}×", ours / peer))
}
