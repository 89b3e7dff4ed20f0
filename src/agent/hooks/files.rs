//! Files of the repository that a hook's command names. They run from the base checkout, which lanes do not write,
//! and only as the person trusted them.

use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use crate::base::sha256_hex;
use crate::config::Hook;

/// Bytes of one file: it is to be read whole by a person.
const FILE_CAP: u64 = 1024 * 1024;

/// A file of the repository that a hook's command names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookFile {
    /// Relative to the repository's root.
    pub path: String,
    /// Its content.
    pub content: Vec<u8>,
    /// What is kept when the person trusts it: of its path and content.
    pub mark: String,
}

/// A hook's command as it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookCommand {
    /// The program and its arguments; files of the repository by their absolute paths.
    pub words: Vec<String>,
    /// Those files.
    pub files: Vec<HookFile>,
}

/// Finds out what a hook runs in the repository with this root. Reads files.
///
/// # Errors
/// In words that follow on the hook's name.
pub fn hook_command(hook: &Hook, root: &Path) -> Result<HookCommand, String> {
    let mut found = HookCommand { words: Vec::new(), files: Vec::new() };
    for (number, word) in hook.command.iter().enumerate() {
        let program = number == 0;
        // A bare program is looked for in PATH.
        let path = (!program || word.contains('/')).then(|| root.join(word)).filter(|_| !word.is_empty());
        let Some(path) = path.filter(|path| program || path.is_file()) else {
            found.words.push(word.clone());
            continue;
        };
        if program && !path.is_file() {
            return Err(format!("is not run: `{}` is no file", path.display()));
        }
        let Some(inside) = inside(&path, root) else {
            found.words.push(if program { path.display().to_string() } else { word.clone() });
            continue;
        };
        let content = read(&path).map_err(|why| format!("is not run: `{inside}` {why}"))?;
        let mark = hook_file_mark(&inside, &content);
        found.words.push(root.join(&inside).display().to_string());
        if !found.files.iter().any(|file| file.path == inside) {
            found.files.push(HookFile { path: inside, content, mark });
        }
    }
    Ok(found)
}

/// What is kept of a trusted file.
#[must_use]
pub fn hook_file_mark(path: &str, content: &[u8]) -> String {
    // Told apart from the hashes of configurations, which are of the content alone.
    let mut bytes = format!("hook file\0{path}\0").into_bytes();
    bytes.extend_from_slice(content);
    sha256_hex(&bytes)
}

/// A word that names a file of the lane's worktree and none of the base checkout: a lane could have made it.
pub(super) fn only_in_lane<'a>(hook: &'a Hook, root: &Path, worktree: &Path) -> Option<&'a str> {
    let here = |word: &&String| {
        let path = worktree.join(word);
        path.is_file() && inside(&path, worktree).is_some() && !root.join(word).is_file()
    };
    hook.command.iter().skip(1).filter(|word| !word.is_empty()).find(here).map(String::as_str)
}

/// The path relative to the root, when the name or what it leads to stands beneath it.
fn inside(path: &Path, root: &Path) -> Option<String> {
    let relative = |path: &Path, root: &Path| Some(path.strip_prefix(root).ok()?.to_str()?.to_owned());
    let real = || relative(&path.canonicalize().ok()?, &root.canonicalize().ok()?);
    relative(&plain(path), &plain(root)).or_else(real)
}

/// The path without `.` and `..`, links left as they are.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut content = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FILE_CAP + 1).read_to_end(&mut content));
    read.map_err(|error| format!("cannot be read: {error}"))?;
    if content.len() as u64 > FILE_CAP {
        return Err(format!("is larger than the {FILE_CAP} bytes that a hook's file may have"));
    }
    Ok(content)
}
