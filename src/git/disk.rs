//! How much room a lane's directory takes.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::cancel::Cancel;

/// Bytes that the directory takes on disk, its top `.git` left out. Links are not followed, a file with several names
/// counts once, what cannot be read counts nothing. None if cancelled.
#[must_use]
pub fn disk_use(dir: &Path, cancel: &Cancel) -> Option<u64> {
    /// `st_blocks` counts in these, whatever the file system's block size.
    const BLOCK: u64 = 512;
    let mut total = 0;
    let mut several_names = HashSet::new();
    let mut left = vec![dir.to_owned()];
    while let Some(at) = left.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten().flatten() {
            if cancel.is_cancelled() {
                return None;
            }
            if at == dir && entry.file_name() == ".git" {
                continue;
            }
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_dir() {
                left.push(entry.path());
            } else if meta.nlink() > 1 && !several_names.insert((meta.dev(), meta.ino())) {
                continue;
            }
            total += meta.blocks() * BLOCK;
        }
    }
    Some(total)
}
