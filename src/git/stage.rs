//! A worktree staged whole into an index of its own, beside git's: the first half of a checkpoint.
//!
//! The own index begins as a copy of the worktree's, so that unchanged files are told by their times and not read
//! again.
//! The worktree's own index, its HEAD and its files are only read.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use git2::{DiffOptions, Index, Oid, Repository};
use rustix::fs::{Access, access};

use super::cancel::Cancel;
use super::checkpoint::Subject;
use super::copy::brought;
use super::error::GitError;
use super::names;
use super::project::Project;
use super::run::Git;

/// Untracked files larger than this stay out: they are data, and the turn waits for the checkpoint.
const LARGE: u64 = 64 * 1024 * 1024;
/// Left out files that are named.
const NAMED: usize = 20;
/// What every git here gets: no hooks, no helper programs, nothing outside the worktree's own files.
const PLAIN: [&str; 12] = [
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.splitIndex=false",
    "-c",
    "submodule.recurse=false",
    "-c",
    "core.safecrlf=false",
    "--no-pager",
    "--literal-pathspecs",
];

/// How the worktree's own index can be brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kept {
    /// A tree tells all of it.
    Tree(String),
    /// It holds what no tree tells (a merge's conflicts, marks on files): the file itself.
    Raw(Vec<u8>),
}

/// A worktree as it stands, in an index of its own that goes with this value.
pub(super) struct Stage<'a> {
    repo: &'a Repository,
    subject: &'a Subject<'a>,
    cancel: &'a Cancel,
    /// The own index.
    file: PathBuf,
    /// Whether a tree tells all of the worktree's own index.
    plain: bool,
    /// The worktree's files as a tree.
    pub tree: String,
    /// The worktree's own index.
    pub kept: Kept,
    /// What that index names, where no tree tells it.
    pub contents: Vec<Oid>,
    /// Files that are not in the tree although git does not ignore them.
    pub left_out: Vec<String>,
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        sweep(&self.file);
    }
}

/// Removes the own index, and what a crash may have left beside it.
fn sweep(file: &Path) {
    for ending in ["", ".lock", ".paths"] {
        let _ = fs::remove_file(beside(file, ending));
    }
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

impl<'a> Stage<'a> {
    /// Stages everything that git does not ignore, but nothing that setting up the lane has copied, no repository
    /// inside the worktree, and no huge untracked file.
    /// With `fresh` it is looked first whether anything differs from the worktree's own index.
    pub fn take(
        repo: &'a Repository,
        subject: &'a Subject<'a>,
        fresh: bool,
        cancel: &'a Cancel,
    ) -> Result<Self, GitError> {
        let file = repo.path().join(format!("paralane-checkpoint-{}", subject.lane));
        sweep(&file);
        let (tree, kept) = (String::new(), Kept::Tree(String::new()));
        let (contents, left_out) = (Vec::new(), Vec::new());
        let mut stage = Self { repo, subject, cancel, file, plain: false, tree, kept, contents, left_out };
        let own = repo.path().join("index");
        let marks = if names::exists(&own) {
            copy(&own, &stage.file).map_err(GitError::io("copying the index", &own))?;
            marks(&stage.file)
        } else {
            Marks::default()
        };
        stage.plain = !marks.beyond_a_tree;
        stage.kept = if marks.beyond_a_tree {
            Kept::Raw(fs::read(&own).map_err(GitError::io("reading the index", &own))?)
        } else {
            Kept::Tree(stage.write_tree()?)
        };
        if fresh
            && let Kept::Tree(tree) = &stage.kept
            && tells_worktree(repo, subject, &stage.file)
        {
            stage.tree.clone_from(tree);
            return Ok(stage);
        }
        stage.contents = marks.contents;
        stage.look_at(&marks.overlooked)?;
        stage.tracked()?;
        stage.untracked()?;
        stage.tree = stage.write_tree()?;
        Ok(stage)
    }

    /// A git that works with the own index.
    pub fn git(&self) -> Git<'a> {
        let dir = &self.subject.place.directory;
        let doing = format!("taking a checkpoint of `{}`", dir.display());
        self.subject.project.git(dir, doing).args(PLAIN).var("GIT_INDEX_FILE", &self.file)
    }

    /// The own index as it is now.
    pub fn index(&self) -> Result<Vec<u8>, GitError> {
        fs::read(&self.file).map_err(GitError::io("reading the index of a checkpoint", &self.file))
    }

    /// Runs a git to its end.
    pub fn run(&self, git: &Git<'_>) -> Result<Vec<u8>, GitError> {
        git.answer(self.cancel)
    }

    /// Whether the tree and the own index together hold all that there was to see.
    pub fn tells_all(&self) -> bool {
        self.left_out.is_empty() && matches!(self.kept, Kept::Tree(_))
    }

    /// Leaves the own index here.
    pub fn leave(self, to: &Path) -> io::Result<()> {
        fs::rename(&self.file, to)
    }

    /// The own index as a tree: by libgit2, which starts no process, unless there is something that it does not know.
    fn write_tree(&self) -> Result<String, GitError> {
        if self.plain
            && let Ok(tree) = Index::open(&self.file).and_then(|mut index| index.write_tree_to(self.repo))
        {
            return Ok(tree.to_string());
        }
        let answer = self.run(&self.git().args(["write-tree"]))?;
        Ok(names::text(answer.trim_ascii_end()))
    }

    /// Stages these paths whatever git ignores, and everything below them.
    pub fn force(&mut self, paths: &[PathBuf]) -> Result<(), GitError> {
        if paths.is_empty() {
            return Ok(());
        }
        for some in paths.chunks(500) {
            self.run(&self.git().args(["add", "--force", "--"]).args(some))?;
        }
        self.tree = self.write_tree()?;
        Ok(())
    }

    /// Files that git was told to overlook count too: what they hold could be lost.
    fn look_at(&self, overlooked: &[PathBuf]) -> Result<(), GitError> {
        for some in overlooked.chunks(500) {
            self.run(&self.git().args(["update-index", "--no-assume-unchanged", "--"]).args(some))?;
        }
        Ok(())
    }

    /// Tracked files that differ. They are found in process and named one by one: `git add` would run git in repositories
    /// within the worktree, by their configuration, which the agent writes.
    fn tracked(&mut self) -> Result<(), GitError> {
        if !names::exists(&self.file) {
            return Ok(());
        }
        let mut options = DiffOptions::new();
        options.include_typechange(true);
        let comparing = || GitError::library("comparing a worktree with its index");
        let index = Index::open(&self.file).map_err(comparing())?;
        let diff = self.repo.diff_index_to_workdir(Some(&index), Some(&mut options)).map_err(comparing())?;
        let mut paths = Vec::new();
        for path in diff.deltas().filter_map(|delta| delta.old_file().path_bytes().map(<[u8]>::to_vec)) {
            let full = self.subject.place.directory.join(names::path(&path));
            let file = full.symlink_metadata().is_ok_and(|meta| meta.is_file());
            if file && access(&full, Access::READ_OK).is_err() {
                self.leave_out(&path, "cannot be read");
            } else {
                paths.extend_from_slice(&path);
                paths.push(0);
            }
        }
        self.add(&paths)
    }

    fn leave_out(&mut self, path: &[u8], why: &str) {
        if self.left_out.len() < NAMED {
            self.left_out.push(format!("`{}`: {why}", names::text(path)));
        }
    }

    /// Stages these paths, each ended by a zero byte.
    fn add(&self, paths: &[u8]) -> Result<(), GitError> {
        if paths.is_empty() {
            return Ok(());
        }
        let list = beside(&self.file, ".paths");
        fs::write(&list, paths).map_err(GitError::io("listing files for a checkpoint", &list))?;
        // `--remove` for those that vanish meanwhile.
        let how = ["update-index", "--add", "--remove", "--replace", "--ignore-skip-worktree-entries", "-z", "--stdin"];
        self.run(&self.git().args(how).input(&list)).map(drop)
    }

    fn untracked(&mut self) -> Result<(), GitError> {
        let list = self.run(&self.git().args(["ls-files", "--others", "--exclude-standard", "-z"]))?;
        let brought = brought(self.subject.may_skip());
        let mut paths = Vec::new();
        for bytes in list.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            let path = names::path(bytes);
            // A repository of its own ends in a slash.
            if bytes.ends_with(b"/") || brought(&path) {
                continue;
            }
            let full = self.subject.place.directory.join(&path);
            let Ok(meta) = full.symlink_metadata() else { continue };
            let file = meta.is_file();
            let why = if file && meta.len() > LARGE {
                "large"
            } else if file && access(&full, Access::READ_OK).is_err() {
                "cannot be read"
            } else if file || meta.is_symlink() {
                paths.extend_from_slice(bytes);
                paths.push(0);
                continue;
            } else {
                // A pipe or a socket, which git takes no notice of either.
                continue;
            };
            self.leave_out(bytes, why);
        }
        self.add(&paths)
    }
}

/// Copies an index with its time: what was changed in the moment it was written in is told by that.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    let written = fs::metadata(from)?.modified()?;
    File::options().write(true).open(to)?.set_modified(written)
}

/// Whether an index tells the worktree's files as they are, but for those that never enter a checkpoint. What is not
/// certain counts as a difference.
pub(super) fn tells_worktree(repo: &Repository, subject: &Subject<'_>, index: &Path) -> bool {
    let mut options = DiffOptions::new();
    options.include_untracked(true).recurse_untracked_dirs(true).include_typechange(true);
    let diff = Index::open(index).and_then(|index| {
        let diff = repo.diff_index_to_workdir(Some(&index), Some(&mut options))?;
        Ok(diff)
    });
    let Ok(diff) = diff else { return false };
    let brought = brought(subject.may_skip());
    // A repository of its own ends in a slash.
    let counts = |path: &Path| !path.as_os_str().as_encoded_bytes().ends_with(b"/") && !brought(path);
    !diff.deltas().any(|delta| delta.new_file().path().is_none_or(counts))
}

/// What an index says beyond names and contents.
#[derive(Default)]
struct Marks {
    /// Conflicts, or marks on entries: a tree does not tell them.
    beyond_a_tree: bool,
    /// Files that git was told to overlook.
    overlooked: Vec<PathBuf>,
    /// What the entries name, if a tree does not tell all.
    contents: Vec<Oid>,
}

fn marks(file: &Path) -> Marks {
    const ASSUME_UNCHANGED: u16 = 1 << 15;
    const STAGE: u16 = 3 << 12;
    const INTENT_TO_ADD: u16 = 1 << 13;
    const SKIP_WORKTREE: u16 = 1 << 14;
    // One that libgit2 cannot read (split, sparse) is kept as it is.
    let Ok(index) = Index::open(file) else { return Marks { beyond_a_tree: true, ..Marks::default() } };
    let mut marks = Marks::default();
    for entry in index.iter() {
        marks.beyond_a_tree |= entry.flags & (STAGE | ASSUME_UNCHANGED) != 0
            || entry.flags_extended & (INTENT_TO_ADD | SKIP_WORKTREE) != 0;
        if entry.flags & ASSUME_UNCHANGED != 0 {
            marks.overlooked.push(names::path(&entry.path));
        }
    }
    if marks.beyond_a_tree {
        const REPOSITORY: u32 = 0o160_000;
        marks.contents = index.iter().filter(|entry| entry.mode != REPOSITORY).map(|entry| entry.id).collect();
    }
    marks
}

/// Opens the worktree, which has to stand and to be this repository's.
pub(super) fn open(project: &Project, subject: &Subject<'_>) -> Result<Repository, GitError> {
    project.standing(subject.place)
}
