//! Brings untracked files of the base checkout into a new lane: `.env`, local settings, caches.
//!
//! The list comes from configuration and the files from a checkout that programs write to, so neither is trusted to
//! stay inside the repository: every source and every target is resolved before it is used.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use git2::Index;
use globset::{GlobBuilder, GlobMatcher};

use super::cancel::Cancel;
use super::error::GitError;
use super::names;
use super::project::Project;
use crate::domain::Place;

/// What came of one entry of the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copied {
    /// The entry.
    pub pattern: String,
    /// Files that were copied.
    pub files: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// Files that the lane had already, or that git tracks.
    pub kept: usize,
    /// Whether the base checkout has nothing of that name.
    pub missing: bool,
}

/// Copies what the patterns name, paths or globs relative to the repository's root, from the base checkout into the
/// lane. Modes are kept, folders are copied whole, files that the lane has stay as they are.
///
/// # Errors
/// A pattern or a link that leads out of the repository, by name; a file that cannot be read or written; cancelled.
pub fn copy_into(
    project: &Project,
    place: &Place,
    patterns: &[String],
    cancel: &Cancel,
) -> Result<Vec<Copied>, GitError> {
    if place.is_here() {
        return Ok(Vec::new());
    }
    let parsed = patterns.iter().map(|pattern| Pattern::parse(pattern)).collect::<Result<Vec<_>, _>>()?;
    let repo = project.open()?;
    let index = repo.index().map_err(GitError::library("reading the index of the base checkout"))?;
    let lane = names::real(&place.directory);
    let mut copier = Copier { root: project.root(), git: project.common_dir(), lane: &lane, index, cancel };
    parsed.iter().map(|pattern| copier.pattern(pattern)).collect()
}

/// Whether copying by these patterns would have brought the path. A pattern that is refused brought nothing.
pub(super) fn brought(patterns: &[String]) -> impl Fn(&Path) -> bool {
    let parsed: Vec<Pattern> = patterns.iter().filter_map(|pattern| Pattern::parse(pattern).ok()).collect();
    move |path| parsed.iter().any(|pattern| pattern.covers(path))
}

/// One entry of the list.
struct Pattern {
    text: String,
    /// The folders before the first wildcard, or the whole path.
    start: PathBuf,
    glob: Option<GlobMatcher>,
}

impl Pattern {
    fn parse(text: &str) -> Result<Self, GitError> {
        let refuse = |reason: &str| GitError::CopyRefused { path: text.to_owned(), reason: reason.to_owned() };
        let mut start = PathBuf::new();
        let mut wild = false;
        let mut empty = true;
        for component in Path::new(text).components() {
            match component {
                Component::CurDir => {}
                Component::Normal(part) if part == ".git" => {
                    return Err(refuse("git's own directory is not copied"));
                }
                Component::Normal(part) => {
                    empty = false;
                    wild |= part.as_encoded_bytes().iter().any(|byte| b"*?[{".contains(byte));
                    if !wild {
                        start.push(part);
                    }
                }
                _ => return Err(refuse("it leads out of the repository")),
            }
        }
        if empty {
            return Err(refuse("it names nothing below the repository's root"));
        }
        let glob = if wild {
            let relative = text.trim_start_matches("./");
            let glob = GlobBuilder::new(relative).literal_separator(true).build();
            Some(glob.map_err(|error| refuse(&error.to_string()))?.compile_matcher())
        } else {
            None
        };
        Ok(Self { text: text.to_owned(), start, glob })
    }

    /// Whether it names the path or a folder around it.
    fn covers(&self, path: &Path) -> bool {
        match &self.glob {
            None => path.starts_with(&self.start),
            Some(glob) => path.ancestors().any(|at| glob.is_match(at)),
        }
    }
}

struct Copier<'a> {
    root: &'a Path,
    git: &'a Path,
    lane: &'a Path,
    index: Index,
    cancel: &'a Cancel,
}

impl Copier<'_> {
    fn pattern(&mut self, pattern: &Pattern) -> Result<Copied, GitError> {
        let mut copied = Copied { pattern: pattern.text.clone(), ..Copied::default() };
        if !names::exists(&self.root.join(&pattern.start)) {
            copied.missing = true;
            return Ok(copied);
        }
        match &pattern.glob {
            None => self.entry(&pattern.start, &mut copied)?,
            Some(glob) => {
                self.resolve(&pattern.start)?;
                self.matching(&pattern.start, glob, &mut copied)?;
                copied.missing = copied.files == 0 && copied.kept == 0;
            }
        }
        Ok(copied)
    }

    /// Copies everything below `relative` that the glob matches. Links to folders are not walked through.
    fn matching(&mut self, relative: &Path, glob: &GlobMatcher, copied: &mut Copied) -> Result<(), GitError> {
        let mut left = vec![relative.to_owned()];
        while let Some(folder) = left.pop() {
            for path in self.children(&folder)? {
                if glob.is_match(&path) {
                    self.entry(&path, copied)?;
                } else if self.is_own_folder(&path) {
                    left.push(path);
                }
            }
        }
        Ok(())
    }

    /// Copies one file, link or folder with all that is in it.
    fn entry(&mut self, relative: &Path, copied: &mut Copied) -> Result<(), GitError> {
        let mut left = vec![relative.to_owned()];
        while let Some(path) = left.pop() {
            self.go_on()?;
            let real = self.resolve(&path)?;
            let kind = fs::metadata(&real).map_err(GitError::io("looking at a file to copy", &real))?.file_type();
            let link = self.root.join(&path).is_symlink();
            if kind.is_dir() && link {
                return Err(refused(&path, "it is a link to a folder; name the folder itself"));
            } else if kind.is_dir() {
                left.extend(self.children(&path)?);
            } else if kind.is_file() {
                self.file(&path, &real, copied)?;
            } else {
                return Err(refused(&path, "it is neither a file nor a folder"));
            }
        }
        Ok(())
    }

    fn file(&self, path: &Path, source: &Path, copied: &mut Copied) -> Result<(), GitError> {
        let target = self.lane.join(path);
        if names::exists(&target) || self.index.get_path(path, 0).is_some() {
            copied.kept += 1;
            return Ok(());
        }
        let parent = target.parent().unwrap_or(self.lane);
        // A folder of the lane may be a link that leads out; look at what exists before making what does not.
        let existing = parent.ancestors().find(|at| names::exists(at)).unwrap_or(self.lane);
        if !existing.canonicalize().is_ok_and(|real| real.starts_with(self.lane)) {
            return Err(refused(path, "a link in the lane leads out of it"));
        }
        fs::create_dir_all(parent).map_err(GitError::io("making a folder in the lane", parent))?;
        let doing = "copying a file into the lane";
        let nofollow = rustix::fs::OFlags::NOFOLLOW.bits() as i32;
        let mut from =
            OpenOptions::new().read(true).custom_flags(nofollow).open(source).map_err(GitError::io(doing, source))?;
        let mode = from.metadata().map_err(GitError::io(doing, source))?.permissions().mode() & 0o777;
        // Private until it is complete and gets its mode: it may hold a secret.
        let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&target);
        let mut to = made.map_err(GitError::io(doing, &target))?;
        let done = self.stream(&mut from, &mut to).and_then(|bytes| {
            to.set_permissions(fs::Permissions::from_mode(mode))?;
            Ok(bytes)
        });
        match done {
            Ok(bytes) => {
                copied.files += 1;
                copied.bytes += bytes;
                Ok(())
            }
            Err(error) => {
                let _ = fs::remove_file(&target);
                self.go_on()?;
                Err(GitError::io(doing, &target)(error))
            }
        }
    }

    /// Copies in pieces, so that a cancel does not wait for a huge file.
    fn stream(&self, from: &mut File, to: &mut File) -> io::Result<u64> {
        const PIECE: u64 = 8 * 1024 * 1024;
        let mut total = 0;
        loop {
            if self.cancel.is_cancelled() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let copied = io::copy(&mut io::Read::take(&mut *from, PIECE), to)?;
            total += copied;
            if copied == 0 {
                return Ok(total);
            }
        }
    }

    /// The path without links; refused unless it lies inside the repository and outside git's own directory.
    fn resolve(&self, path: &Path) -> Result<PathBuf, GitError> {
        let full = self.root.join(path);
        let Ok(real) = full.canonicalize() else {
            return Err(refused(path, "it is a link that leads nowhere"));
        };
        if !real.starts_with(self.root) {
            return Err(refused(path, "it leads out of the repository"));
        }
        if real.starts_with(self.git) {
            return Err(refused(path, "git's own directory is not copied"));
        }
        Ok(real)
    }

    /// The entries of a folder, sorted, without git's own.
    fn children(&self, folder: &Path) -> Result<Vec<PathBuf>, GitError> {
        self.go_on()?;
        let at = self.root.join(folder);
        let doing = "listing a folder to copy";
        let mut children = Vec::new();
        for entry in fs::read_dir(&at).map_err(GitError::io(doing, &at))? {
            let name = entry.map_err(GitError::io(doing, &at))?.file_name();
            if name != ".git" {
                children.push(folder.join(name));
            }
        }
        children.sort();
        Ok(children)
    }

    /// Whether it is a folder of this checkout, not a link and not another checkout (such as a lane's worktree).
    fn is_own_folder(&self, path: &Path) -> bool {
        let full = self.root.join(path);
        full.symlink_metadata().is_ok_and(|meta| meta.is_dir()) && !names::exists(&full.join(".git"))
    }

    fn go_on(&self) -> Result<(), GitError> {
        if self.cancel.is_cancelled() {
            return Err(GitError::Cancelled { doing: "copying files into the lane".to_owned() });
        }
        Ok(())
    }
}

fn refused(path: &Path, reason: &str) -> GitError {
    GitError::CopyRefused { path: names::text(names::bytes(path)), reason: reason.to_owned() }
}
