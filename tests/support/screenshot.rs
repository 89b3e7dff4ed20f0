//! Draws the README's picture from a real run: `cargo run --example screenshot -- target/debug/paralane assets/paralane.svg`.
//!
//! The program runs `demo` in a pseudo terminal; what its screen shows once everything waits for the person
//! becomes an SVG, cell by cell. A third argument `light` takes the light theme.
#![allow(clippy::print_stdout, reason = "a development aid")]

use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::num::NonZeroU16;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

const COLUMNS: u16 = 120;
const ROWS: u16 = 34;
/// Cell size in pixels.
const CELL: (u16, u16) = (9, 18);
/// What the screen shows when one approval and one conflict wait.
const COMPLETE: [&str; 4] = ["2 need you", "APPROVALS 1", "needs you · a1", "allow ▸"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, program, picture, rest @ ..] = arguments.as_slice() else {
        return Err("usage: screenshot PROGRAM PICTURE.svg [light]".into());
    };
    let light = rest.iter().any(|word| word == "light");
    let pty = native_pty_system();
    let pair = pty.openpty(PtySize { rows: ROWS, cols: COLUMNS, pixel_width: 0, pixel_height: 0 })?;
    let mut command = CommandBuilder::new(std::fs::canonicalize(program)?);
    command.arg("demo");
    for (name, value) in [("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("LANG", "C.UTF-8")] {
        command.env(name, value);
    }
    if light {
        command.env("COLORFGBG", "0;15");
    }
    let mut child = pair.slave.spawn_command(command)?;
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader()?;
    let mut writer = pair.master.take_writer()?;
    let (sender, chunks) = mpsc::sync_channel(64);
    std::thread::spawn(move || {
        let mut chunk = [0; 16 * 1024];
        while let Ok(count @ 1..) = reader.read(&mut chunk) {
            if sender.send(chunk[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    let size = |n| NonZeroU16::new(n).ok_or("a size of zero");
    let mut parser = vt100::Parser::new(size(ROWS)?, size(COLUMNS)?, 0);
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        parser.process(&chunks.recv_timeout(left).map_err(|_| "the demo did not come to rest in time")?);
        let text = parser.screen().contents();
        if COMPLETE.iter().all(|wanted| text.contains(wanted)) {
            break;
        }
    }
    // The rest of the frame that is being drawn; the next one comes with the next second.
    while let Ok(chunk) = chunks.recv_timeout(Duration::from_millis(200)) {
        parser.process(&chunk);
    }
    std::fs::write(picture, svg(parser.screen()))?;
    println!("{picture}");
    // Ctrl-G q quits; the demo then removes what it made.
    writer.write_all(b"\x07qy\r")?;
    while chunks.recv_timeout(Duration::from_secs(10)).is_ok() {}
    child.kill()?;
    child.wait()?;
    Ok(())
}

fn svg(screen: &vt100::Screen) -> String {
    let (width, height) = (COLUMNS * CELL.0, ROWS * CELL.1);
    let ground = screen.cell(0, 0).map_or("#101214".into(), |cell| colour(cell.bgcolor(), "#101214"));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, \
         'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"15\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{ground}\"/>\n"
    );
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let Some(cell) = screen.cell(row, column).filter(|cell| !cell.is_wide_continuation()) else { continue };
            let (mut front, mut back) = (colour(cell.fgcolor(), "#d0d4d8"), colour(cell.bgcolor(), &ground));
            if cell.inverse() {
                std::mem::swap(&mut front, &mut back);
            }
            let (x, y) = (column * CELL.0, row * CELL.1);
            if back != ground {
                let _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{back}\"/>",
                    CELL.0, CELL.1
                );
            }
            let text = cell.contents().trim();
            if text.is_empty() {
                continue;
            }
            let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let weight = if cell.bold() { " font-weight=\"bold\"" } else { "" };
            let _ = writeln!(out, "<text x=\"{x}\" y=\"{}\" fill=\"{front}\"{weight}>{text}</text>", y + 14);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn colour(colour: vt100::Color, default: &str) -> String {
    match colour {
        vt100::Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        vt100::Color::Default | vt100::Color::Idx(_) => default.to_owned(),
    }
}
