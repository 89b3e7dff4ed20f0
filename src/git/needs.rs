//! What a command in a lane's worktree needs of the repository to commit there, and what it must not change.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::error::GitError;
use super::project::Project;
use super::registry;
use crate::domain::Place;

/// Files and directories of the repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// What is written by a commit: the worktree's own directory, objects, its ref and the ref's log.
    pub write: Vec<PathBuf>,
    /// What within those and the worktree says where the repository is, and what belongs to others.
    pub fixed: Vec<PathBuf>,
}

/// What a command in the lane's worktree needs. In the base checkout it needs nothing: all that it could write there
/// steers the person's own git.
///
/// # Errors
/// When the list of worktrees cannot be read.
pub fn needs(project: &Project, place: &Place) -> Result<Needs, GitError> {
    let common = project.common_dir();
    let pointer = place.directory.join(".git");
    let (Some(branch), Some(admin)) = (&place.branch, registry::find(project, &place.directory)?) else {
        return Ok(Needs { write: Vec::new(), fixed: vec![pointer] });
    };
    let mut needs = Needs {
        write: vec![admin.dir.clone(), common.join("objects"), common.join("lfs")],
        fixed: vec![pointer, common.join("objects/pack"), common.join("objects/info")],
    };
    needs.fixed.extend(["commondir", "gitdir", "config.worktree"].map(|name| admin.dir.join(name)));
    // Git would read one that a command makes, now or once the repository turns such settings on.
    make(&admin.dir.join("config.worktree"))?;
    let own = common.join("refs/heads").join(branch);
    // The refs of a branch without a directory of its own lie among all others.
    let Some(directory) = own.parent().filter(|parent| *parent != common.join("refs/heads")) else {
        return Ok(needs);
    };
    std::fs::create_dir_all(directory).map_err(GitError::io("making the directory of refs", directory))?;
    loosen(common, directory, &own);
    others(directory, &own, &mut needs.fixed);
    needs.write.push(directory.to_owned());
    let log = common.join("logs/refs/heads").join(branch);
    if log.parent().is_some_and(Path::is_dir) {
        make(&log)?;
        needs.write.push(log);
    }
    Ok(needs)
}

/// Makes an empty file, unless it is there.
fn make(path: &Path) -> Result<(), GitError> {
    let made = std::fs::OpenOptions::new().append(true).create(true).open(path);
    made.map(drop).map_err(GitError::io("making the file", path))
}

/// Gives each branch of the directory a file of its own, also those that stand in `packed-refs` only: what is not there
/// cannot be kept from being made. By git's own protocol: under the ref's lock, with the value that it has then.
fn loosen(common: &Path, directory: &Path, own: &Path) {
    let names = |packed: &str| -> Vec<(PathBuf, String)> {
        let lines = packed.lines().filter_map(|line| line.split_once(' '));
        let refs = lines.map(|(value, name)| (common.join(name), value.to_owned()));
        refs.filter(|(path, _)| path.parent() == Some(directory) && path != own).collect()
    };
    let packed = || std::fs::read_to_string(common.join("packed-refs")).map(|text| names(&text)).unwrap_or_default();
    for (path, _) in packed().into_iter().filter(|(path, _)| !path.exists()) {
        let lock = lock_of(&path);
        // Whoever holds the lock is changing the ref, and leaves a file.
        let Ok(mut file) = std::fs::File::create_new(&lock) else { continue };
        let still = packed().into_iter().find(|(known, _)| *known == path && !path.exists());
        let done = still.is_some_and(|(_, value)| {
            file.write_all(format!("{value}\n").as_bytes()).is_ok() && std::fs::rename(&lock, &path).is_ok()
        });
        if !done {
            // Our own lock; what is left of it git tells, with its name.
            let _ = std::fs::remove_file(&lock);
        }
    }
}

/// The refs in a directory but the own one. Locks come and go.
fn others(directory: &Path, own: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    let lock = |path: &Path| path.extension().is_some_and(|extension| extension == "lock");
    found.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path != own && !lock(path.as_path())));
}

/// The file that git holds while it changes a ref.
fn lock_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}
