//! Floods of four kinds: through the screen model alone, and through a visible pane until their end is shown.
#![allow(missing_docs, reason = "a measurement run by hand")]
#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(dead_code, unused_imports, reason = "each measurement needs another part of the support")]

mod support;

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use paralane::domain::Size;
use paralane::terminal::{Colours, Replay};
use support::{Samples, Tmux, quiet_world, window};

/// Bytes of one flood.
const BYTES: usize = 8_000_000;
const RUNS: usize = 3;
/// About the pane's size in the measurements' window.
const SIZE: Size = Size { columns: 88, rows: 33 };
/// What is printed behind a flood; nothing in it looks so.
const END: &str = "Þþß";
/// A flood that takes so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() {
    if !support::asked("parse: MB/s of a flood until its end is shown") {
        return;
    }
    let peer = Tmux::find().is_some();
    if !peer {
        Tmux::missing();
    }
    let directory = tempfile::tempdir().unwrap();
    println!("{:<10} {:>12} {:>12} {:>12} {:>8}", "", "model alone", "paralane", "tmux", "ratio");
    for (name, flood) in [("lines", lines()), ("colours", colours()), ("wide", wide()), ("moves", moves())] {
        let file = directory.path().join(name);
        std::fs::write(&file, &flood).unwrap();
        let (mut ours, mut theirs) = (Samples::default(), Samples::default());
        for _ in 0..RUNS {
            ours.push(paralane(&file));
            if peer {
                theirs.push(tmux(&file));
            }
        }
        // Megabytes and milliseconds.
        let rate = |samples: &Samples| BYTES as f64 / 1e3 / samples.median();
        let other = if peer { format!("{:.1}", rate(&theirs)) } else { "-".to_owned() };
        let ratio = support::ratio(rate(&ours), peer.then(|| rate(&theirs)));
        println!("{name:<10} {:>12.1} {:>12.1} {other:>12} {ratio:>8}", alone(&flood), rate(&ours));
    }
}

/// Megabytes a second that the model takes, in pieces of a size that a worker gives it.
fn alone(flood: &[u8]) -> f64 {
    let mut model = Replay::new(SIZE, Colours::default());
    let begin = Instant::now();
    for piece in flood.chunks(16 * 1024) {
        model.feed(piece);
    }
    flood.len() as f64 / 1e6 / begin.elapsed().as_secs_f64()
}

/// Waits for Enter, writes the flood and its end.
fn script(file: &Path) -> String {
    format!("stty -echo; printf ready; read x; cat '{}'; printf '\\033[m%s' '{END}'; exec cat", file.display())
}

fn paralane(file: &Path) -> Duration {
    let world = quiet_world();
    let terminal = window(&world, &["--here", "--", "sh", "-c", &script(file)]);
    terminal.until_text("ready");
    terminal.send(b"\x07i");
    terminal.until_text("keys go to the pane");
    terminal.settle(Duration::from_millis(300));
    let time = terminal.answer("\r", END, PATIENCE).expect("the end of the flood is shown");
    drop(terminal);
    world.cli(&["down"]).ended_with(0);
    time
}

fn tmux(file: &Path) -> Duration {
    let tmux = Tmux::find().expect("tmux was there");
    let terminal = tmux.open(&["new-session", "-s", "bench", "sh", "-c", &script(file)]);
    terminal.until_text("ready");
    terminal.settle(Duration::from_millis(300));
    terminal.answer("\r", END, PATIENCE).expect("the end of the flood is shown")
}

/// Numbers without a pattern, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// Pieces until there are enough.
fn flood(mut piece: impl FnMut(&mut Numbers, &mut String)) -> Vec<u8> {
    let (mut numbers, mut text) = (Numbers(0x2545_f491_4f6c_dd1d), String::with_capacity(BYTES + 4096));
    while text.len() < BYTES {
        piece(&mut numbers, &mut text);
    }
    text.into_bytes()
}

/// Plain lines of words.
fn lines() -> Vec<u8> {
    flood(|numbers, text| {
        for _ in 0..=numbers.below(12) {
            for _ in 0..=numbers.below(8) {
                text.push(char::from(b'a' + numbers.below(26) as u8));
            }
            text.push(' ');
        }
        text.push_str("\r\n");
    })
}

/// Two colours for each cell.
fn colours() -> Vec<u8> {
    flood(|numbers, text| {
        let [r, g, b, x, y, z] = [0; 6].map(|_: u64| numbers.below(256));
        let letter = char::from(b'!' + numbers.below(90) as u8);
        write!(text, "\x1b[38;2;{r};{g};{b};48;2;{x};{y};{z}m{letter}").unwrap();
    })
}

/// Wide characters, emoji and line drawing.
fn wide() -> Vec<u8> {
    flood(|numbers, text| {
        for _ in 0..20 {
            let code = match numbers.below(3) {
                0 => 0x4e00 + numbers.below(0x5000),
                1 => 0x1f600 + numbers.below(0x40),
                _ => 0x2500 + numbers.below(0x80),
            };
            text.push(char::from_u32(code as u32).unwrap());
        }
        text.push_str("\r\n");
    })
}

/// Cursor moves, regions, lines and cells inserted and deleted.
fn moves() -> Vec<u8> {
    flood(|numbers, text| {
        let (row, column, count) = (1 + numbers.below(33), 1 + numbers.below(80), 1 + numbers.below(4));
        match numbers.below(8) {
            0 => write!(text, "\x1b[{};{}r", 1 + row / 2, 3 + row / 2 + count),
            1 => write!(text, "\x1b[{count}L"),
            2 => write!(text, "\x1b[{count}M"),
            3 => write!(text, "\x1b[{count}@ins\x1b[{count}P"),
            4 => write!(text, "\x1b[r\x1b[{row};{column}H\x1b[K"),
            _ => write!(text, "\x1b[{row};{column}Hmoved to {row} {column}"),
        }
        .unwrap();
    })
}
