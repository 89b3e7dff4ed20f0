//! Asks tmux what the recordings look like: `cargo run --example tmux_screens [NAME…]`.
//!
//! Each recording under `tests/recordings` is played in a tmux of its own; at each mark tmux's screen is kept under
//! `snapshots/terminal/NAME.tmux`, for the replay test to compare ours with. Needs tmux; the test does not.
//! The player is this program again, run inside the tmux pane: it knows that tmux has taken everything when tmux has
//! answered a question put behind it.
#![allow(clippy::print_stderr, reason = "a development aid")]

#[path = "picture.rs"]
mod picture;
#[allow(dead_code, reason = "one side of it is used here")]
#[path = "recording.rs"]
mod recording;

use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use paralane::domain::Size;
use paralane::terminal::{Colours, Replay};
use recording::{Event, Recording};

type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [inside, recording, out] = arguments.as_slice()
        && inside == "--inside"
    {
        let told = play(Path::new(recording));
        return Ok(std::fs::write(out, told.unwrap_or_else(|error| format!("failed: {error}\n")))?);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut recordings: Vec<PathBuf> = std::fs::read_dir(root.join("tests/recordings"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "cast"))
        .collect();
    recordings.sort();
    for path in recordings {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !arguments.is_empty() && !arguments.contains(&name) {
            continue;
        }
        let size = Recording::load(&path)?.size;
        let out = root.join(format!("snapshots/terminal/{name}.tmux"));
        let socket = format!("screens-{}", std::process::id());
        let home = tempfile::tempdir()?;
        let configuration = home.path().join("tmux.conf");
        std::fs::write(&configuration, "set -g status off\nset -g escape-time 0\nset -g history-limit 10000\n")?;
        let player = std::env::current_exe()?;
        let status = Command::new("tmux")
            .args(["-u", "-L", &socket, "-f"])
            .arg(&configuration)
            .args(["new-session", "-d", "-x", &size.columns.to_string(), "-y", &size.rows.to_string(), "--"])
            .args([&player, Path::new("--inside"), &path, &out])
            .env_remove("TMUX")
            .env("LC_ALL", "C.UTF-8")
            .status()?;
        if !status.success() {
            return Err("tmux does not start".into());
        }
        // The server ends with its only session.
        let alive =
            || Command::new("tmux").args(["-L", &socket, "has-session"]).output().is_ok_and(|o| o.status.success());
        let deadline = Instant::now() + Duration::from_secs(120);
        while alive() {
            if Instant::now() > deadline {
                let _ = Command::new("tmux").args(["-L", &socket, "kill-server"]).status();
                return Err(format!("{name}: tmux did not get through").into());
            }
            std::thread::park_timeout(Duration::from_millis(30));
        }
        eprintln!("{name}");
    }
    Ok(())
}

/// Inside tmux: plays, and asks at each mark.
fn play(path: &Path) -> Result<String> {
    let recording = Recording::load(path)?;
    Command::new("stty").args(["raw", "-echo"]).status()?;
    let mut told = String::new();
    let mut size = recording.size;
    let mut output = std::io::stdout().lock();
    for (_, event) in &recording.events {
        match event {
            Event::Output(text) => output.write_all(text.as_bytes())?,
            Event::Resize(new) => {
                output.flush()?;
                caught_up(&mut output)?;
                size = *new;
                resize(size)?;
            }
            Event::Mark(label) => {
                output.flush()?;
                caught_up(&mut output)?;
                let _ = writeln!(told, "== {label}");
                told.push_str(&screen(size)?);
            }
        }
    }
    Ok(told)
}

/// Waits until tmux has taken everything that was written.
fn caught_up(output: &mut impl std::io::Write) -> Result<()> {
    output.write_all(b"\x1b[5n")?;
    output.flush()?;
    let mut got = Vec::new();
    let mut byte = [0];
    while !got.ends_with(b"\x1b[0n") {
        std::io::stdin().read_exact(&mut byte)?;
        got.push(byte[0]);
    }
    Ok(())
}

fn tmux(arguments: &[&str]) -> Result<Vec<u8>> {
    let pane = std::env::var("TMUX_PANE")?;
    let output = Command::new("tmux").args(arguments).args(["-t", &pane]).output()?;
    if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&output.stderr).into()) }
}

fn told(format: &str) -> Result<String> {
    let pane = std::env::var("TMUX_PANE")?;
    let output = Command::new("tmux").args(["display-message", "-p", "-t", &pane, format]).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

fn resize(size: Size) -> Result<()> {
    tmux(&["resize-window", "-x", &size.columns.to_string(), "-y", &size.rows.to_string()])?;
    let wanted = format!("{}x{}", size.columns, size.rows);
    while told("#{pane_width}x#{pane_height}")? != wanted {
        std::thread::park_timeout(Duration::from_millis(10));
    }
    Ok(())
}

/// The screen in our own words: tmux tells it as rows of plain text and SGR.
fn screen(size: Size) -> Result<String> {
    let rows = tmux(&["capture-pane", "-p", "-e", "-N"])?;
    let mut replay = Replay::new(size, Colours::default());
    // tmux tells line drawing by shifting out; nothing wraps that is put row by row.
    replay.feed(b"\x1b)0\x1b[?7l");
    for (number, row) in rows.split(|&byte| byte == b'\n').take(usize::from(size.rows)).enumerate() {
        replay.feed(format!("\x1b[{};1H", number + 1).as_bytes());
        replay.feed(row);
        // What tmux leaves on carries into the next row.
    }
    let cursor = told("#{cursor_x} #{cursor_y} #{cursor_flag}")?;
    let [column, row, shown] = cursor.split(' ').map(str::parse).collect::<Result<Vec<u16>, _>>()?[..] else {
        return Err("tmux does not tell its cursor".into());
    };
    // With a wrap pending tmux's cursor stands behind the last column.
    let column = column.min(size.columns - 1);
    Ok(format!("{}cursor: {column},{row},{shown}\n", picture::picture(&replay.frame())))
}
