//! Real repositories in temporary directories; the project's environment always carries `GIT_*` variables that would
//! lead every command astray if they were not stripped.

mod ask;
mod checkpoint;
mod close;
mod copy;
mod create;
mod facts;
mod new_commits;
mod project;
mod repair;

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

use super::*;
use crate::domain::{LaneName, Place};

struct Repo {
    home: TempDir,
    root: PathBuf,
}

impl Repo {
    /// A repository on `main` with one commit of `a.txt`.
    fn new() -> Self {
        let repo = Self::empty();
        repo.write("a.txt", "one\n");
        repo.commit("first");
        repo
    }

    fn empty() -> Self {
        no_configuration();
        let home = TempDir::new().unwrap();
        let root = home.path().canonicalize().unwrap().join("shop");
        fs::create_dir(&root).unwrap();
        let repo = Self { home, root };
        repo.git(&["init", "-q", "-b", "main"]);
        repo.git(&["config", "user.name", "Test"]);
        repo.git(&["config", "user.email", "test@example.org"]);
        repo
    }

    fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.root, args)
    }

    fn git_in(&self, dir: &Path, args: &[&str]) -> String {
        let output = self.command(dir, args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    fn command(&self, dir: &Path, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", self.home.path());
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").current_dir(dir).args(args);
        command
    }

    fn write(&self, path: &str, content: &str) {
        write(&self.root.join(path), content);
    }

    fn commit(&self, message: &str) -> String {
        self.commit_in(&self.root, message)
    }

    fn commit_in(&self, dir: &Path, message: &str) -> String {
        self.git_in(dir, &["add", "-A"]);
        self.git_in(dir, &["commit", "-q", "--allow-empty", "-m", message]);
        self.git_in(dir, &["rev-parse", "HEAD"])
    }

    fn env(&self) -> GitEnv {
        let pairs: [(&str, OsString); 6] = [
            ("PATH", std::env::var_os("PATH").unwrap()),
            ("HOME", self.home.path().into()),
            ("GIT_DIR", "/nowhere/.git".into()),
            ("GIT_WORK_TREE", "/nowhere".into()),
            ("GIT_INDEX_FILE", "/nowhere/index".into()),
            ("GIT_CONFIG_COUNT", "nonsense".into()),
        ];
        GitEnv::from_vars(pairs.map(|(name, value)| (name.into(), value)))
    }

    fn project(&self) -> Project {
        Project::find_with(&self.root, self.env()).unwrap()
    }

    fn dir(&self, name: &str) -> PathBuf {
        self.home.path().join("lanes").join(name)
    }

    fn create(&self, name: &str, base: Option<&str>) -> Result<(Place, Made), GitError> {
        self.create_with(name, base, &Cancel::new(), &mut |_| ())
    }

    fn create_with(
        &self,
        name: &str,
        base: Option<&str>,
        cancel: &Cancel,
        say: &mut dyn FnMut(&str),
    ) -> Result<(Place, Made), GitError> {
        let place = plan(&self.project(), &lane(name), base, &self.dir(name))?;
        let made = ensure_worktree(&self.project(), &place, cancel, say)?;
        Ok((place, made))
    }

    fn place(&self, name: &str) -> Place {
        self.create(name, None).unwrap().0
    }

    fn ensure(&self, place: &Place) -> Result<Made, GitError> {
        ensure_worktree(&self.project(), place, &Cancel::new(), &mut |_| ())
    }

    fn branches(&self) -> Vec<String> {
        let names = self.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
        names.lines().map(ToOwned::to_owned).collect()
    }

    fn worktrees(&self) -> usize {
        self.git(&["worktree", "list"]).lines().count()
    }

    fn hook(&self, name: &str, script: &str) {
        let path = self.root.join(".git/hooks").join(name);
        write(&path, &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn lane(name: &str) -> LaneName {
    name.parse().unwrap()
}

/// The machine's own git configuration must not count in tests.
fn no_configuration() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        for level in [git2::ConfigLevel::Global, git2::ConfigLevel::XDG, git2::ConfigLevel::System] {
            #[allow(unsafe_code, reason = "a global option of libgit2")]
            // SAFETY: every test of this room waits here before it uses libgit2.
            unsafe { git2::opts::set_search_path(level, "/nonexistent") }.unwrap();
        }
    });
}
