//! From `exec` to the first complete frame, and to a pane's first output: cold, and attached to what runs.
#![allow(missing_docs, reason = "a measurement run by hand")]
#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(dead_code, unused_imports, reason = "each measurement needs another part of the support")]

mod support;

use std::time::Duration;

use support::{Pty, Samples, Tmux, quiet_world, ratio, window};

/// Cold starts of each program, one after the other in turn.
const ROUNDS: usize = 15;
/// Attaches to each running program.
const ATTACHES: usize = 15;

#[derive(Default)]
struct Times {
    frame: Samples,
    output: Samples,
    attach: Samples,
}

fn main() {
    if !support::asked("startup: milliseconds from exec") {
        return;
    }
    let peer = Tmux::find().is_some();
    if !peer {
        Tmux::missing();
    }
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for _ in 0..ROUNDS {
        ours.frame.push(cold_frame());
        ours.output.push(cold_output());
        if peer {
            let (frame, output) = tmux_cold();
            theirs.frame.push(frame);
            theirs.output.push(output);
        }
    }
    attach(&mut ours.attach, peer.then_some(&mut theirs.attach));

    println!("{:<44} {:>18} {:>18} {:>8}", "", "paralane p50/max", "tmux p50/max", "ratio");
    for (what, ours, theirs) in [
        ("cold: first complete frame", &ours.frame, &theirs.frame),
        ("cold: first output of a pane (`--here -- sh`)", &ours.output, &theirs.output),
        ("attach to one that runs: complete frame", &ours.attach, &theirs.attach),
    ] {
        let show = |times: &Samples| format!("{:.1} / {:.1}", times.median(), times.percentile(1.0));
        let peer_text = if peer { show(theirs) } else { "-".to_owned() };
        let peer = peer.then(|| theirs.median());
        println!("{what:<44} {:>18} {peer_text:>18} {:>8}", show(ours), ratio(ours.median(), peer));
    }
}

/// Workstation and window, nothing before them.
fn cold_frame() -> Duration {
    let world = quiet_world();
    let terminal = window(&world, &[]);
    complete(&terminal, "makes your first lane")
}

/// The same with a program that says at once that it is there.
fn cold_output() -> Duration {
    let world = quiet_world();
    let terminal = window(&world, &["--here", "--", "sh", "-c", "echo READY-$((6*7)); exec cat"]);
    terminal.until_text("READY-42").duration_since(terminal.started)
}

/// The frame is complete when its first line and the line that is drawn last stand on the screen.
fn complete(terminal: &Pty, last: &'static str) -> Duration {
    let complete = move |screen: &str| screen.contains("shop") && screen.contains(last);
    terminal.until("a complete frame", complete).duration_since(terminal.started)
}

/// tmux's frame is complete with its status line.
fn tmux_cold() -> (Duration, Duration) {
    let tmux = Tmux::find().expect("tmux was there");
    let terminal = tmux.open(&["new-session", "-s", "bench", "echo READY-$((6*7)); exec cat"]);
    let frame = terminal.until_text("[bench]").duration_since(terminal.started);
    let output = terminal.until_text("READY-42").duration_since(terminal.started);
    // Either may come first; the one that was looked for second has been there at the latest then.
    (frame, output)
}

fn attach(ours: &mut Samples, mut theirs: Option<&mut Samples>) {
    let world = quiet_world();
    world.cli(&["lane", "new", "one", "--here", "--", "cat"]).ended_with(0);
    let tmux = Tmux::find();
    if let Some(tmux) = &tmux {
        tmux.run(&["new-session", "-d", "-s", "bench", "cat"]);
    }
    for _ in 0..ATTACHES {
        let terminal = window(&world, &[]);
        ours.push(complete(&terminal, "type a prompt"));
        terminal.send(b"\x07D");
        terminal.await_end();
        if let (Some(tmux), Some(theirs)) = (&tmux, theirs.as_deref_mut()) {
            let terminal = tmux.open(&["attach-session", "-t", "bench"]);
            theirs.push(terminal.until_text("[bench]").duration_since(terminal.started));
            tmux.run(&["detach-client", "-s", "bench"]);
            terminal.await_end();
        }
    }
}
