//! `write`, `edit` and `patch`: what files would become, shown as a diff, and done only if they are still what the
//! diff was made from. Several files change all or none.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use super::arguments::Edit;
use super::patch::{self, FilePatch, What};
use super::prepare::Ahead;
use super::seen::Seen;
use super::{edit, failed};
use crate::base::{HeadTail, failpoint};
use crate::domain::{Expect, FileError, Files, ToolOutcome};

/// A diff above this is shown head and tail: nobody reads more, and it is kept with the approval.
const DIFF_CAP: usize = 256 * 1024;
/// After so long the diff is made coarser instead of smaller.
const DIFF_TIME: Duration = Duration::from_millis(500);

/// One call's changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::agent) struct Change {
    pub files: Vec<FileChange>,
    pub diff: String,
    summary: String,
}

/// One file's new content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::agent) struct FileChange {
    /// Where it really is, relative to the worktree.
    pub path: String,
    /// None when the file goes.
    pub content: Option<Vec<u8>>,
    old: Option<Vec<u8>>,
}

/// What changes are made from.
pub(super) struct Base<'a> {
    pub files: &'a dyn Files,
    pub seen: &'a Seen,
    pub ahead: &'a Ahead,
}

impl Base<'_> {
    /// Where a file really is, and its content when this call's turn comes; `None` when there is none.
    fn current(&self, path: &str) -> Result<(String, Option<Vec<u8>>), String> {
        self.files.check_writable(path).map_err(words)?;
        let real = self.files.resolve(path).map_err(words)?;
        if let Some(content) = self.ahead.get(&real) {
            return Ok((real, content.clone()));
        }
        let content = match self.files.read(&real) {
            Ok(content) => Some(content),
            Err(FileError::Missing { .. }) => None,
            Err(error) => return Err(error.to_string()),
        };
        if self.seen.is_stale(&real, content.as_deref()) {
            return Err(format!("`{path}` has changed since you read it. Read it again, then repeat the change."));
        }
        Ok((real, content))
    }

    /// The same for a file that must be there and be text.
    fn text(&self, path: &str) -> Result<(String, String), String> {
        let (real, content) = self.current(path)?;
        let content = content.ok_or_else(|| FileError::Missing { path: path.to_owned() }.to_string())?;
        let text = String::from_utf8(content)
            .map_err(|_| format!("`{path}` is not UTF-8 text; change it with a command instead"))?;
        Ok((real, text))
    }

    /// The whole file.
    pub(super) fn whole(&self, path: &str, content: String) -> Result<Change, String> {
        let (path, old) = self.current(path)?;
        Ok(Change::new(vec![FileChange { path, content: Some(content.into_bytes()), old }]))
    }

    /// Exact texts within it.
    pub(super) fn parts(&self, path: &str, edits: &[Edit]) -> Result<Change, String> {
        let (real, text) = self.text(path)?;
        let changed = edit::apply(path, &text, edits)?;
        Ok(Change::new(vec![FileChange::text(real, Some(text), changed)]))
    }

    /// Several files.
    pub(super) fn patch(&self, text: &str) -> Result<Change, String> {
        let mut files: Vec<FileChange> = Vec::new();
        for file in patch::parse(text)? {
            for change in self.file(file)? {
                if files.iter().any(|known| known.path == change.path) {
                    return Err(format!("`{}` is changed twice by the patch; put that together.", change.path));
                }
                files.push(change);
            }
        }
        if files.iter().all(|file| file.content == file.old) {
            return Err("The patch changes nothing: every file is already what it makes of it.".to_owned());
        }
        Ok(Change::new(files))
    }

    fn file(&self, file: FilePatch) -> Result<Vec<FileChange>, String> {
        let FilePatch { path, what } = file;
        match what {
            What::Add(content) => match self.current(&path)? {
                (_, Some(_)) => Err(format!("`{path}` is there already; update it instead of adding it.")),
                (real, None) => Ok(vec![FileChange::text(real, None, content)]),
            },
            What::Delete => {
                let (real, old) = self.current(&path)?;
                let old = old.ok_or_else(|| FileError::Missing { path }.to_string())?;
                Ok(vec![FileChange { path: real, content: None, old: Some(old) }])
            }
            What::Update { to: None, hunks } => {
                let (real, text) = self.text(&path)?;
                let changed = patch::apply(&path, &text, &hunks)?;
                Ok(vec![FileChange::text(real, Some(text), changed)])
            }
            What::Update { to: Some(to), hunks } => {
                let (real, text) = self.text(&path)?;
                let changed = patch::apply(&path, &text, &hunks)?;
                let (there, taken) = self.current(&to)?;
                if taken.is_some() {
                    return Err(format!("`{path}` cannot be moved to `{to}`: something is there already."));
                }
                let gone = FileChange { path: real, content: None, old: Some(text.into_bytes()) };
                Ok(vec![FileChange::text(there, None, changed), gone])
            }
        }
    }
}

impl FileChange {
    fn text(path: String, old: Option<String>, new: String) -> Self {
        Self { path, content: Some(new.into_bytes()), old: old.map(String::into_bytes) }
    }

    /// Its diff, and how many lines it adds and removes.
    fn diff(&self) -> (String, usize, usize) {
        let before = String::from_utf8_lossy(self.old.as_deref().unwrap_or_default());
        let after = String::from_utf8_lossy(self.content.as_deref().unwrap_or_default());
        let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(before.as_ref(), after.as_ref());
        let count = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count();
        let name =
            |side: &str, there: bool| if there { format!("{side}/{}", self.path) } else { "/dev/null".to_owned() };
        let (from, to) = (name("a", self.old.is_some()), name("b", self.content.is_some()));
        let mut text = diff.unified_diff().context_radius(3).header(&from, &to).to_string();
        if text.is_empty() && from != to {
            text = format!("--- {from}\n+++ {to}\n");
        }
        (text, count(ChangeTag::Insert), count(ChangeTag::Delete))
    }

    fn put(&self, files: &dyn Files, content: Option<&[u8]>, there: Option<&[u8]>) -> Result<(), FileError> {
        match (content, there) {
            (Some(content), None) => files.write(&self.path, content, &Expect::Absent),
            (Some(content), Some(there)) => files.write(&self.path, content, &Expect::Content(there.to_vec())),
            (None, Some(there)) => files.remove(&self.path, there),
            (None, None) => Ok(()),
        }
    }
}

impl Change {
    fn new(files: Vec<FileChange>) -> Self {
        let mut capped = HeadTail::new(DIFF_CAP);
        let (mut more, mut less) = (0, 0);
        for file in &files {
            let (diff, inserted, deleted) = file.diff();
            if files.len() > 1 {
                capped.push(format!("diff --git a/{0} b/{0}\n", file.path).as_bytes());
            }
            capped.push(diff.as_bytes());
            more += inserted;
            less += deleted;
        }
        let count = if files.len() == 1 { String::new() } else { format!("{} files ", files.len()) };
        Self { diff: capped.text(), summary: format!("{count}+{more} −{less}"), files }
    }

    /// The paths it writes.
    pub(super) fn paths(&self) -> Vec<String> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }

    /// Writes the files, all or none.
    pub(super) fn run(&self, files: &dyn Files, seen: &Seen) -> ToolOutcome {
        for (done, file) in self.files.iter().enumerate() {
            if let Err(error) = file.put(files, file.content.as_deref(), file.old.as_deref()) {
                return self.undone(done, &error, files);
            }
        }
        failpoint("tool-running");
        for file in &self.files {
            seen.note(&file.path, file.content.as_deref());
        }
        let told: Vec<String> = self.files.iter().map(FileChange::told).collect();
        ToolOutcome {
            ok: true,
            output: format!("{} ({})", told.join("\n"), self.summary),
            summary: self.summary.clone(),
            diff: Some(self.diff.clone()),
            written: self.paths(),
            ..ToolOutcome::default()
        }
    }

    /// Takes back the first `done` files after the next one could not be written.
    fn undone(&self, done: usize, error: &FileError, files: &dyn Files) -> ToolOutcome {
        let mut outcome = failed(&error.to_string(), "not written");
        for file in &self.files[..done] {
            if file.put(files, file.old.as_deref(), file.content.as_deref()).is_err() {
                outcome.written.push(file.path.clone());
            }
        }
        if !outcome.written.is_empty() {
            let kept = outcome.written.join("`, `");
            outcome.output = format!("{}. Already changed, and could not be taken back: `{kept}`", outcome.output);
        } else if done > 0 {
            outcome.output.push_str(". The files before it were set back: nothing is changed");
        }
        outcome
    }
}

impl FileChange {
    fn told(&self) -> String {
        match &self.content {
            Some(content) => format!("wrote `{}`, {} bytes", self.path, content.len()),
            None => format!("removed `{}`", self.path),
        }
    }
}

fn words(error: FileError) -> String {
    error.to_string()
}
