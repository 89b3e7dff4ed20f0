//! The person's editor, run in the terminal while the window has given it back.
//!
//! The text stands in a private file, which goes with the editor. What is changed in it is nobody's.

use std::fs::{OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};

use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::base::Report;

/// When no variable names one.
const FALLBACK: &str = "vi";
/// Editors that take `+LINE` before a file.
const WITH_LINE: [&str; 16] = [
    "vi",
    "vim",
    "nvim",
    "view",
    "vis",
    "ex",
    "nano",
    "pico",
    "emacs",
    "emacsclient",
    "joe",
    "mg",
    "kak",
    "micro",
    "ne",
    "less",
];
/// What a shell says when there is no such program, or it cannot be run.
const NOT_RUN: [i32; 2] = [126, 127];

/// An editor that runs.
#[derive(Debug)]
pub(super) struct Editor {
    child: Child,
    command: String,
    /// Removed with what is in it.
    _directory: TempDir,
}

impl Editor {
    /// Starts the editor on a text, at a line (from 1).
    pub(super) fn start(name: &str, text: &str, line: u64) -> Result<Self, Report> {
        let command = ["VISUAL", "EDITOR"].into_iter().find_map(set).unwrap_or_else(|| FALLBACK.to_owned());
        Self::run(command, name, text, line)
    }

    fn run(command: String, name: &str, text: &str, line: u64) -> Result<Self, Report> {
        let fault = |doing: &str, error: io::Error| Report::refused(format!("cannot {doing}: {error}"));
        let directory = tempfile::Builder::new()
            .prefix("paralane-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir()
            .map_err(|error| fault("make a place for the text", error))?;
        let file = directory.path().join(format!("{}.txt", plain(name)));
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&file)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|error| fault("write the text for the editor", error))?;
        // As git does it: the variable may hold arguments and quotes, and only a shell knows how to read them.
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{command} \"$@\"")).arg(&command);
        let program = command.split_whitespace().next().unwrap_or_default();
        if WITH_LINE.contains(&program.rsplit('/').next().unwrap_or_default()) {
            shell.arg(format!("+{line}"));
        }
        let child = shell.arg(&file).spawn().map_err(|error| fault("start the editor", error))?;
        Ok(Self { child, command, _directory: directory })
    }

    /// Waits for its end.
    pub(super) async fn ended(&mut self) -> Result<(), Report> {
        match self.child.wait().await {
            Ok(status) if status.code().is_some_and(|code| NOT_RUN.contains(&code)) => {
                Err(Report::refused(format!("the editor `{}` cannot be run", self.command))
                    .hint("set VISUAL or EDITOR to the one you use, then attach again"))
            }
            // How else it ended is the person's own affair: `:cq` is no fault.
            Ok(_) => Ok(()),
            Err(error) => Err(Report::internal(format!("the editor cannot be waited for: {error}"))),
        }
    }
}

fn set(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// A name that is only a name.
fn plain(name: &str) -> String {
    let keeps = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '-' };
    name.chars().take(60).map(keeps).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
    }

    #[test]
    fn the_text_is_private_and_goes_with_the_editor() {
        let place = tempfile::tempdir().unwrap();
        let told = place.path().join("told");
        // `vi` here is a script: it gets the line, because of its name.
        let script = place.path().join("vi");
        let words = format!(
            "#!/bin/sh\n(echo \"$1\"; stat -c %a \"$2\" \"$(dirname \"$2\")\"; cat \"$2\"; echo \"$2\") > {}\n",
            told.display()
        );
        std::fs::write(&script, words).unwrap();
        std::fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
        block_on(async {
            let mut editor = Editor::run(script.display().to_string(), "api/../x", "one\ntwo\n", 2).unwrap();
            editor.ended().await.unwrap();
        });
        let told = std::fs::read_to_string(told).unwrap();
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(&lines[..5], ["+2", "600", "700", "one", "two"]);
        assert!(lines[5].ends_with("/api----x.txt") && !std::path::Path::new(lines[5]).exists(), "{told}");
    }

    #[test]
    fn a_missing_editor_is_told() {
        let error = block_on(async {
            let mut editor = Editor::run("no-such-editor-here 2>/dev/null".into(), "api", "", 1).unwrap();
            editor.ended().await.unwrap_err()
        });
        assert!(error.message.contains("no-such-editor-here"), "{error:?}");
    }
}
