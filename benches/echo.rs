//! From a key to its glyph in the window, through a pane that runs `cat`: quiet, and beside 15 hidden floods.
#![allow(missing_docs, reason = "a measurement run by hand")]
#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(dead_code, unused_imports, reason = "each measurement needs another part of the support")]

mod support;

use std::time::Duration;

use support::ask::{ask, await_lanes};
use support::{Pty, Samples, Tmux, World, quiet_world, ratio, window};

/// Keys in one run; three runs of each program in turn. Fewer beside floods, where each takes longer.
const KEYS: [usize; 2] = [120, 60];
const RUNS: usize = 3;
/// Hidden panes that never stop writing.
const FLOODS: usize = 15;
/// A key that takes so long counts as taking so long.
const STARVED: Duration = Duration::from_secs(2);
/// After so many of them a run ends early: it has said what there is to say.
const ENOUGH: usize = 4;
/// Letters of two bytes each: none of them is part of an escape sequence or of anything else on the screen.
const LETTERS: &str = "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿß";

fn main() {
    if !support::asked("echo: milliseconds from a key to its glyph") {
        return;
    }
    let peer = Tmux::find().is_some();
    if !peer {
        Tmux::missing();
    }
    println!("{:<26} {:>20} {:>20} {:>14}", "", "paralane p50 / p99", "tmux p50 / p99", "ratio p50/p99");
    for (what, floods, count) in [("quiet", 0, KEYS[0]), ("beside 15 hidden floods", FLOODS, KEYS[1])] {
        let (mut ours, mut theirs) = (Samples::default(), Samples::default());
        for _ in 0..RUNS {
            ours.append(paralane(floods, count));
            if peer {
                theirs.append(tmux(floods, count));
            }
        }
        let (p50, p99) = (ours.median(), ours.percentile(0.99));
        let show = |samples: &Samples| format!("{:.2} / {:.2}", samples.median(), samples.percentile(0.99));
        let other = if peer { show(&theirs) } else { "-".to_owned() };
        let ratios = [(p50, theirs.median()), (p99, theirs.percentile(0.99))];
        let ratios = ratios.map(|(ours, theirs)| ratio(ours, peer.then_some(theirs)));
        println!("{what:<26} {:>20} {other:>20} {:>14}", show(&ours), ratios.join(" / "));
    }
    let bare = bare();
    println!("no multiplexer, the same terminal: {:.2} / {:.2}", bare.median(), bare.percentile(0.99));
}

fn paralane(floods: usize, count: usize) -> Samples {
    let world = quiet_world();
    let terminal = window(&world, &["--here", "--", "cat"]);
    terminal.until_text("shop");
    for number in 1..=floods {
        ask(&world, &["lane", "new", &format!("flood-{number}"), "--here", "--", "yes"]);
    }
    await_lanes(&world, 1 + floods);
    // A new lane takes the focus.
    ask(&world, &["lane", "focus", "cat"]);
    terminal.send(b"\x07i");
    terminal.until_text("keys go to the pane");
    let samples = keys(&terminal, count);
    drop(terminal);
    end(&world);
    samples
}

/// Ends the workstation before the next program is measured.
fn end(world: &World) {
    world.cli(&["down"]).ended_with(0);
}

fn tmux(floods: usize, count: usize) -> Samples {
    let tmux = Tmux::find().expect("tmux was there");
    let terminal = tmux.open(&["new-session", "-s", "bench", "cat"]);
    terminal.until_text("[bench]");
    for _ in 0..floods {
        tmux.run(&["new-window", "-d", "yes"]);
    }
    keys(&terminal, count)
}

fn bare() -> Samples {
    let env = vec![("PATH".to_owned(), std::env::var("PATH").unwrap()), ("LANG".to_owned(), "C.UTF-8".to_owned())];
    keys(&Pty::open("cat", &[], std::env::temp_dir().as_path(), env), KEYS[0])
}

fn keys(terminal: &Pty, count: usize) -> Samples {
    // Whatever a start or a new lane still draws; beside floods nothing more may come, nor cease.
    support::pause(Duration::from_millis(700));
    let (mut samples, mut starved) = (Samples::default(), 0);
    for (number, letter) in LETTERS.chars().cycle().take(count).enumerate() {
        let echoed = terminal.echo(&letter.to_string(), STARVED);
        samples.push(echoed.unwrap_or(STARVED));
        starved += usize::from(echoed.is_none());
        if starved == ENOUGH {
            println!("(a run ended early: {ENOUGH} keys of {number} had no echo within {} s)", STARVED.as_secs());
            break;
        }
        // Uneven, so that no frame clock is met in step.
        support::pause(Duration::from_millis(15 + (number as u64 * 7) % 11));
    }
    samples
}
