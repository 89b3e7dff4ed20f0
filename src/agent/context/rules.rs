//! The rule files of a worktree: `AGENTS.md` and `CLAUDE.md` of its root, and of directories that were touched.
//!
//! Each file counts once, also when one is a link to the other or says the same. A link that leads out of the
//! worktree is not followed; what is not read in full is said.

use std::collections::{BTreeSet, HashSet};

use crate::agent::transcript::Message;
use crate::domain::{FileError, FileKind, Files, ToolCall};

/// The names of rule files, in the order in which they are read.
const NAMES: [&str; 2] = ["AGENTS.md", "CLAUDE.md"];
/// Bytes of one file: more than a person writes, less than a window.
const FILE_CAP: usize = 32 * 1024;
/// Bytes of all scoped files together.
const SCOPED_CAP: usize = 96 * 1024;

/// One rule file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RuleFile {
    /// Its path, relative to the worktree.
    pub path: String,
    /// What of it goes into requests.
    pub text: String,
    /// Why that is not all of it.
    pub note: Option<String>,
}

/// The rule files that an agent goes by, as far as they have been looked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules {
    /// Of the worktree's root.
    pub project: Vec<RuleFile>,
    /// Of directories below it, in the order in which they were touched.
    pub scoped: Vec<RuleFile>,
    looked: HashSet<String>,
    seen: HashSet<String>,
    bytes: usize,
}

/// The text up to a line's end within the cap.
fn clipped(text: &str, cap: usize) -> &str {
    if text.len() <= cap {
        return text;
    }
    let mut end = cap;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let end = text[..end].rfind('\n').map_or(end, |line| line + 1);
    &text[..end]
}

impl Rules {
    /// Reads the rules of the worktree's root.
    pub fn of_root(files: &dyn Files) -> Self {
        let mut rules = Self::default();
        rules.project = rules.directory(files, "");
        rules.bytes = 0;
        rules
    }

    /// Reads the rules of the directories on the way to paths that were touched. Whether any is new.
    pub fn touch(&mut self, files: &dyn Files, paths: &BTreeSet<String>) -> bool {
        let before = self.scoped.len();
        for path in paths {
            let Ok(mut path) = files.resolve(path) else { continue };
            // A directory that was listed is touched itself.
            if !matches!(files.kind(&path), Ok(FileKind::Directory)) {
                path.truncate(path.rfind('/').unwrap_or(0));
            }
            let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
            let directories: Vec<&str> = ends.map(|end| &path[..end]).filter(|dir| !dir.is_empty()).collect();
            for directory in directories {
                if self.looked.insert(directory.to_owned()) {
                    let found = self.directory(files, directory);
                    self.scoped.extend(found);
                }
            }
        }
        self.scoped.len() > before
    }

    fn directory(&mut self, files: &dyn Files, directory: &str) -> Vec<RuleFile> {
        let path = |name: &str| if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") };
        NAMES.into_iter().filter_map(|name| self.file(files, path(name))).collect()
    }

    fn file(&mut self, files: &dyn Files, path: String) -> Option<RuleFile> {
        let unread = |path: String, why: &str| {
            Some(RuleFile { path, text: String::new(), note: Some(format!("not read: {why}")) })
        };
        let content = match files.read(&path) {
            Ok(content) => content,
            Err(FileError::Missing { .. }) => return None,
            Err(FileError::Outside { .. }) => return unread(path, "it is a link that leads out of the worktree"),
            Err(FileError::Dangling { .. }) => return unread(path, "it is a link to something that does not exist"),
            Err(error) => return unread(path, &error.to_string()),
        };
        let Ok(text) = String::from_utf8(content) else { return unread(path, "it is not UTF-8 text") };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).trim();
        if text.is_empty() || !self.seen.insert(text.to_owned()) {
            return None;
        }
        let room = SCOPED_CAP.saturating_sub(self.bytes).min(FILE_CAP);
        let kept = clipped(text, room);
        self.bytes += kept.len();
        let note = (kept.len() < text.len()).then(|| match kept.len() {
            0 => "not read: the rules that were read before fill all the room there is".to_owned(),
            kept => format!("cut: the first {kept} of {} bytes", text.len()),
        });
        Some(RuleFile { path, text: kept.to_owned(), note })
    }
}

/// Rule files as the model is told them.
pub(super) fn told(heading: &str, files: &[RuleFile]) -> String {
    let mut told = String::new();
    for file in files.iter().filter(|file| !file.text.is_empty()) {
        if told.is_empty() {
            told.push_str("\n# ");
            told.push_str(heading);
            told.push('\n');
        }
        for part in ["\n## ", &file.path, "\n\n", &file.text, "\n"] {
            told.push_str(part);
        }
        if file.note.is_some() {
            told.push_str("\n[the rest of this file is left out here; read it if you need it]\n");
        }
    }
    told
}

/// The paths that calls name.
pub(super) fn touched(messages: &[Message]) -> BTreeSet<String> {
    let calls = messages.iter().filter_map(|message| match message {
        Message::Assistant { calls, .. } => Some(calls),
        Message::User { .. } | Message::Tool { .. } => None,
    });
    calls.flatten().flat_map(paths).collect()
}

fn paths(call: &ToolCall) -> Vec<String> {
    let text = |name: &str| call.arguments.get(name).and_then(serde_json::Value::as_str);
    match call.tool.as_str() {
        "read" | "write" | "edit" | "list" | "glob" | "grep" => text("path").map(str::to_owned).into_iter().collect(),
        "patch" => text("patch").map(crate::preflight::named_in_patch).unwrap_or_default(),
        _ => Vec::new(),
    }
}
