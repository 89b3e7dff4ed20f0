//! `write` and `edit`: what a file would become, shown as a diff, and done only if the file is
//! still what the diff was made from.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use super::failed;
use super::prepare::Ahead;
use crate::base::HeadTail;
use crate::base::failpoint;
use crate::domain::{Expect, FileError, Files, ToolOutcome};

/// A diff above this is shown head and tail: nobody reads more, and it is kept with the approval.
const DIFF_CAP: usize = 256 * 1024;
/// After so long the diff is made coarser instead of smaller.
const DIFF_TIME: Duration = Duration::from_millis(500);

/// One file's new content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::agent) struct Change {
    /// Where it really is, relative to the worktree.
    pub path: String,
    pub content: Vec<u8>,
    pub diff: String,
    expect: Expect,
    summary: String,
}

impl Change {
    /// The whole file.
    pub(super) fn whole(path: &str, content: String, files: &dyn Files, ahead: &Ahead) -> Result<Self, String> {
        let real = files.resolve(path).map_err(words)?;
        let old = current(&real, files, ahead)?;
        Ok(Self::new(real, old, content.into_bytes()))
    }

    /// Exact text within it.
    pub(super) fn part(
        path: &str,
        old: &str,
        new: &str,
        all: bool,
        files: &dyn Files,
        ahead: &Ahead,
    ) -> Result<Self, String> {
        let real = files.resolve(path).map_err(words)?;
        let Some(content) = current(&real, files, ahead)? else {
            return Err(FileError::Missing { path: path.to_owned() }.to_string());
        };
        let text = String::from_utf8(content)
            .map_err(|_| format!("`{path}` is not UTF-8 text; change it with a command instead"))?;
        // Models write `\n`; in a file with `\r\n` that would never be found.
        let crlf = text.contains("\r\n") && !old.contains('\r') && !text.contains(old);
        let fit = |part: &str| if crlf { part.replace('\n', "\r\n") } else { part.to_owned() };
        let (old, new) = (fit(old), fit(new));
        let count = text.matches(old.as_str()).count();
        let changed = match count {
            0 => {
                return Err(format!(
                    "`old` does not occur in `{path}`. It must match exactly, with every blank; read the file again."
                ));
            }
            2.. if !all => {
                let lines: Vec<String> = text
                    .match_indices(old.as_str())
                    .take(10)
                    .map(|(at, _)| (text[..at].matches('\n').count() + 1).to_string())
                    .collect();
                return Err(format!(
                    "`old` occurs {count} times in `{path}` (lines {}). Give more lines around it, or set `all`.",
                    lines.join(", ")
                ));
            }
            _ => text.replace(old.as_str(), &new),
        };
        Ok(Self::new(real, Some(text.into_bytes()), changed.into_bytes()))
    }

    fn new(path: String, old: Option<Vec<u8>>, content: Vec<u8>) -> Self {
        let before = String::from_utf8_lossy(old.as_deref().unwrap_or_default());
        let after = String::from_utf8_lossy(&content);
        let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(before.as_ref(), after.as_ref());
        let count = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count();
        let summary = format!("+{} −{}", count(ChangeTag::Insert), count(ChangeTag::Delete));
        let from = if old.is_some() { format!("a/{path}") } else { "/dev/null".to_owned() };
        let text = diff.unified_diff().context_radius(3).header(&from, &format!("b/{path}")).to_string();
        let mut capped = HeadTail::new(DIFF_CAP);
        capped.push(text.as_bytes());
        let expect = old.map_or(Expect::Absent, Expect::Content);
        Self { diff: capped.text(), path, expect, summary, content }
    }

    /// Writes it.
    pub(super) fn run(&self, files: &dyn Files) -> ToolOutcome {
        if let Err(error) = files.write(&self.path, &self.content, &self.expect) {
            return failed(&error.to_string(), "not written");
        }
        failpoint("tool-running");
        ToolOutcome {
            ok: true,
            output: format!("wrote `{}` ({}, {} bytes)", self.path, self.summary, self.content.len()),
            summary: self.summary.clone(),
            diff: Some(self.diff.clone()),
            written: vec![self.path.clone()],
        }
    }
}

fn words(error: FileError) -> String {
    error.to_string()
}

/// The file as it will be when this call's turn comes; `None` when there is none.
fn current(path: &str, files: &dyn Files, ahead: &Ahead) -> Result<Option<Vec<u8>>, String> {
    if let Some(content) = ahead.get(path) {
        return Ok(Some(content.clone()));
    }
    match files.read(path) {
        Ok(content) => Ok(Some(content)),
        Err(FileError::Missing { .. }) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}
