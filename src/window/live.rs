//! A text that fills the terminal and is renewed again and again until the person leaves (`paralane top`).
//!
//! The terminal is taken and given back as for a window; nothing is asked of it and no mouse is wanted.

use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::tcgetwinsize;
use tokio::sync::mpsc;

use super::signals::EndingSignals;
use super::tty::Tty;
use super::{WindowError, require_terminal};
use crate::base::Report;
use crate::domain::Size;

/// Keys that leave: `q`, Ctrl-C, Ctrl-D.
const LEAVE: &[u8] = &[b'q', b'Q', 3, 4];

/// Shows what `draw` gives for the terminal's size, anew after each `every` and whenever the size changes. Lines that
/// do not fit are left out; each must fit into the columns, and may hold colours.
///
/// # Errors
/// When there is no terminal, or what `draw` ends with. The terminal has been given back then.
pub fn live(every: Duration, mut draw: impl FnMut(Size) -> Result<Vec<String>, Report>) -> Result<(), Report> {
    require_terminal().map_err(WindowError::report)?;
    let failed = |doing| move |source| WindowError::Terminal { doing, source }.report();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| WindowError::Preparation(error).report())?;
    runtime.block_on(async {
        let mut signals = EndingSignals::take().map_err(|error| WindowError::Preparation(error).report())?;
        let (input, output) = (io::stdin(), io::stdout());
        let tty = Tty::take(input.as_fd(), output.as_fd()).map_err(failed("take"))?;
        write(&tty, &tty.opening_plain()).map_err(failed("write to"))?;
        let (typed, mut keys) = mpsc::channel(16);
        let reading = tty.input().try_clone_to_owned().map_err(failed("read from"))?;
        // It ends with the process: nothing is left to read for afterwards.
        std::thread::spawn(move || {
            let mut bytes = [0; 64];
            while let Ok(count) = rustix::io::retry_on_intr(|| rustix::io::read(&reading, &mut bytes)) {
                if count == 0 || typed.blocking_send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let mut last = None;
        loop {
            let size = size(&tty);
            let lines = draw(size)?;
            if last.as_ref() != Some(&(size, lines.clone())) {
                write(&tty, &frame(size, &lines)).map_err(failed("write to"))?;
                last = Some((size, lines));
            }
            tokio::select! {
                _ = signals.next() => return Ok(()),
                bytes = keys.recv() => match bytes {
                    Some(bytes) if !bytes.iter().any(|byte| LEAVE.contains(byte)) => {}
                    _ => return Ok(()),
                },
                () = tokio::time::sleep(every) => {}
            }
        }
    })
}

fn size(tty: &Tty) -> Size {
    let found = tcgetwinsize(tty.output()).ok().filter(|size| size.ws_col > 0 && size.ws_row > 0);
    found.map_or(Size { columns: 80, rows: 24 }, |size| Size { columns: size.ws_col, rows: size.ws_row })
}

/// The lines from the top on, the rest of the screen blank.
fn frame(size: Size, lines: &[String]) -> Vec<u8> {
    let mut out = String::from("\x1b[H");
    for (at, line) in lines.iter().take(usize::from(size.rows)).enumerate() {
        if at > 0 {
            out.push_str("\r\n");
        }
        out.push_str(line);
        out.push_str("\x1b[m\x1b[K");
    }
    out.push_str("\x1b[J");
    out.into_bytes()
}

/// Writes all of it, at the pace of the terminal.
fn write(tty: &Tty, mut bytes: &[u8]) -> io::Result<()> {
    let patience = Timespec { tv_sec: 1, tv_nsec: 0 };
    while !bytes.is_empty() {
        match tty.write(bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                poll(&mut [PollFd::from_borrowed_fd(tty.output(), PollFlags::OUT)], Some(&patience))?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_left_out_and_what_stood_there_goes() {
        let lines = ["one".to_owned(), "two".to_owned(), "three".to_owned()];
        let bytes = frame(Size { columns: 10, rows: 2 }, &lines);
        assert_eq!(String::from_utf8(bytes).unwrap(), "\x1b[Hone\x1b[m\x1b[K\r\ntwo\x1b[m\x1b[K\x1b[J");
    }
}
