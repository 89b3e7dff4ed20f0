//! What the window says of its terminal before it is attached.

use std::os::fd::AsFd;

use rustix::termios::{isatty, tcgetwinsize};

use crate::domain::Size;
use crate::protocol::{Client, Hello, Hint, VERSION, WindowHello};

use super::WindowError;

/// Checks that standard input and output are a terminal that can show a window. To be called before
/// anything is started for its sake.
///
/// # Errors
/// [`WindowError::NoTerminal`] or [`WindowError::DumbTerminal`].
pub fn require_terminal() -> Result<(), WindowError> {
    require_tty(std::io::stdin(), std::io::stdout())?;
    let term = variable("TERM").unwrap_or_default();
    if matches!(term.as_str(), "" | "dumb" | "unknown") {
        return Err(WindowError::DumbTerminal { term });
    }
    Ok(())
}

pub(super) fn require_tty(input: impl AsFd, output: impl AsFd) -> Result<(), WindowError> {
    if !isatty(input) {
        return Err(WindowError::NoTerminal { stream: "standard input" });
    }
    if !isatty(output) {
        return Err(WindowError::NoTerminal { stream: "standard output" });
    }
    Ok(())
}

/// The hello of a window on this process's terminal. The descriptor goes with it; clear `terminal` when
/// window and workstation are one process.
///
/// # Errors
/// As [`require_terminal`].
pub fn hello(environment: Vec<(String, String)>, hints: Vec<Hint>) -> Result<Hello, WindowError> {
    require_terminal()?;
    Ok(Hello {
        protocol: VERSION,
        version: env!("CARGO_PKG_VERSION").into(),
        client: Client::Window(WindowHello {
            size: size(std::io::stdout()),
            term: variable("TERM").unwrap_or_default(),
            colorterm: variable("COLORTERM"),
            // An empty value does not count: https://no-color.org
            no_color: variable("NO_COLOR").is_some(),
            light: variable("COLORFGBG").as_deref().and_then(light),
            terminal: true,
            settings: None,
            focus: None,
            open: None,
            hints,
        }),
        environment,
    })
}

/// The largest window that is drawn. A larger terminal's right and lower part stays empty; one that claims 65535 by
/// 65535 cells would take all memory of the workstation, and with it every lane.
const LARGEST: Size = Size { columns: 1000, rows: 500 };

/// The terminal's size; the size of old when it does not know.
pub(super) fn size(terminal: impl AsFd) -> Size {
    match tcgetwinsize(terminal) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => {
            Size { columns: size.ws_col.min(LARGEST.columns), rows: size.ws_row.min(LARGEST.rows) }
        }
        _ => Size { columns: 80, rows: 24 },
    }
}

/// A variable that is set to something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Whether COLORFGBG (`15;0`, `0;default;15`: colours of text and background) tells of a light
/// background. Asking the terminal itself would delay the first frame by a round trip.
fn light(colours: &str) -> Option<bool> {
    let background: u8 = colours.rsplit(';').next()?.parse().ok()?;
    Some(matches!(background, 7 | 9..=15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colorfgbg_tells_the_background() {
        assert_eq!(light("15;0"), Some(false));
        assert_eq!(light("0;default;15"), Some(true));
        assert_eq!(light("12;8"), Some(false));
        assert_eq!(light("0;default"), None);
        assert_eq!(light(""), None);
    }

    #[test]
    fn a_pipe_is_no_terminal() {
        let (pipe, _writer) = std::io::pipe().unwrap();
        let error = require_tty(&pipe, &pipe).unwrap_err();
        assert_eq!(error.to_string(), "cannot open a window: standard input is not a terminal");
        assert_eq!(error.report().exit_status(), 1);
    }
}
