//! Panics: a fault of our own becomes one plain line and exit status 3, and never a screen of Rust.
//!
//! The line goes to standard error, or to the log while a window owns the terminal in this process.

use std::any::Any;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Where the lines go, if not to standard error.
static LOG: OnceLock<PathBuf> = OnceLock::new();

/// Takes over what is printed when a thread panics.
pub(super) fn install() {
    std::panic::set_hook(Box::new(|info| {
        let line = line(info);
        match LOG.get() {
            Some(path) => append(path, &line),
            None => super::output::note(&line),
        }
    }));
}

/// From now on the lines go to this file: a window of this very process owns the terminal.
pub(super) fn log_to(path: &Path) {
    // Set once; a process has one workstation.
    let _ = LOG.set(path.to_owned());
}

fn line(info: &PanicHookInfo<'_>) -> String {
    let what = words(info.payload());
    let place = info.location().map_or_else(String::new, |at| format!(" ({}:{})", at.file(), at.line()));
    let thread = std::thread::current().name().map_or_else(String::new, |name| format!(" in `{name}`"));
    format!("paralane: a fault of its own{thread}: {what}{place}")
}

/// What was said when the panic was raised: a literal or a formatted text.
fn words(payload: &(dyn Any + Send)) -> &str {
    let literal = payload.downcast_ref::<&str>().copied();
    literal.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

fn append(path: &Path, line: &str) {
    if let Ok(mut file) = OpenOptions::new().append(true).create(true).mode(0o600).open(path) {
        // A log that cannot be written is no reason to fail again inside a panic.
        let _ = writeln!(file, "{line}");
    }
}
