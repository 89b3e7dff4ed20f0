//! Where everything of ours stands on disk: the state directory and each project's part of it.
//!
//! Pure path logic, and the making of private directories. The state directory holds
//! `projects/NAME-HASH/` (database, log), `user/` (what is remembered for all projects), `s/HASH.sock` and `s/HASH.lock` (short, because a socket's path
//! may have only about a hundred bytes) and `worktrees/NAME-HASH/`. `HASH` is the first 8 hexadecimal digits
//! of the SHA-256 of the project's canonical root, so that two projects of one name never meet.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::base::{Report, sha256_hex};

/// Bytes a Unix socket's path may have, without the closing NUL (`sun_path` in `sys/un.h`).
const SOCKET_PATH_LIMIT: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// Bytes of the repository's name that go into directory names: far below any file system's limit.
const NAME_LIMIT: usize = 48;

/// The managed configuration file, the same for everybody on the machine.
const MANAGED: &str = "/etc/paralane/config.toml";

/// The state directory, and where the person's own configuration stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
    user_config: Option<PathBuf>,
}

impl Home {
    /// The directory that was given (`--home` or `PARALANE_HOME`), else the platform's state directory.
    ///
    /// # Errors
    /// When none was given and the person's home directory is not known.
    pub fn find(given: Option<&Path>) -> Result<Self, Report> {
        let root = if let Some(path) = given {
            std::path::absolute(path).map_err(|error| {
                Report::usage(format!("cannot use `{}` as the state directory: {error}", path.display()))
                    .hint("give an existing or new directory to `--home`")
            })?
        } else {
            let strategy = etcetera::choose_base_strategy().map_err(|_| no_home_directory())?;
            strategy.state_dir().unwrap_or_else(|| strategy.data_dir()).join("paralane")
        };
        let user_config = etcetera::choose_base_strategy()
            .ok()
            .map(|strategy| strategy.config_dir().join("paralane").join("config.toml"));
        Ok(Self { root, user_config })
    }

    /// The same state directory with another configuration file of the person's own.
    #[must_use]
    pub fn with_user_config(self, path: PathBuf) -> Self {
        Self { user_config: Some(path), ..self }
    }

    /// The person's own configuration file; none when their home directory is not known.
    #[must_use]
    pub fn user_config(&self) -> Option<&Path> {
        self.user_config.as_deref()
    }

    /// The directory itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What is remembered for all projects of the person. Its directory is made with it.
    #[must_use]
    pub fn user_memory(&self) -> PathBuf {
        self.root.join("user").join("memory.db")
    }

    /// The part that belongs to the project with this canonical root.
    ///
    /// # Errors
    /// When the socket's path would be too long for the system.
    pub fn project(&self, root: &Path) -> Result<ProjectHome, Report> {
        let mut hash = sha256_hex(root.as_os_str().as_bytes());
        hash.truncate(8);
        let name = project_name(root);
        let part = format!("{name}-{hash}");
        let sockets = self.root.join("s");
        let project = ProjectHome {
            directory: self.root.join("projects").join(&part),
            socket: sockets.join(format!("{hash}.sock")),
            lock: sockets.join(format!("{hash}.lock")),
            start_lock: sockets.join(format!("{hash}.start")),
            worktrees: self.root.join("worktrees").join(&part),
            name,
            sockets,
        };
        let length = project.socket.as_os_str().len();
        if length > SOCKET_PATH_LIMIT {
            return Err(Report::refused(format!(
                "cannot use the state directory `{}`: the socket's path below it would have {length} bytes, and the \
                 system allows {SOCKET_PATH_LIMIT}",
                self.root.display()
            ))
            .hint("choose a shorter directory with `--home DIR` or `PARALANE_HOME`"));
        }
        Ok(project)
    }
}

/// One project's part of the state directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectHome {
    name: String,
    directory: PathBuf,
    sockets: PathBuf,
    socket: PathBuf,
    lock: PathBuf,
    start_lock: PathBuf,
    worktrees: PathBuf,
}

impl ProjectHome {
    /// The repository directory's name, fit for a file name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The database.
    #[must_use]
    pub fn store(&self) -> PathBuf {
        self.directory.join("paralane.db")
    }

    /// The workstation's log.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.directory.join("log")
    }

    /// The workstation's socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// The lock that the running workstation holds.
    #[must_use]
    pub fn lock(&self) -> &Path {
        &self.lock
    }

    /// The lock that whoever starts a workstation holds until it answers.
    #[must_use]
    pub fn start_lock(&self) -> &Path {
        &self.start_lock
    }

    /// Where worktrees go unless the configuration says otherwise.
    #[must_use]
    pub fn worktrees(&self) -> &Path {
        &self.worktrees
    }

    /// Makes the directories that are missing, for the owner only.
    ///
    /// # Errors
    /// When a directory cannot be made or made private.
    pub fn create(&self) -> Result<(), Report> {
        [&self.directory, &self.sockets, &self.worktrees].into_iter().try_for_each(|path| private_directory(path))
    }
}

/// The managed configuration file.
#[must_use]
pub fn managed_config() -> PathBuf {
    PathBuf::from(MANAGED)
}

/// The project's configuration file, in the base checkout.
#[must_use]
pub fn project_config(root: &Path) -> PathBuf {
    root.join(".paralane").join("config.toml")
}

/// Makes a directory with its parents for the owner only, and takes others' permissions from one that exists.
///
/// # Errors
/// When it cannot be made or made private.
pub fn private_directory(path: &Path) -> Result<(), Report> {
    let make = || -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        if std::fs::metadata(path)?.permissions().mode() & 0o077 != 0 {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
        }
        Ok(())
    };
    make().map_err(|error| {
        Report::refused(format!("cannot make the private directory `{}`: {error}", path.display()))
            .hint("make its parent writable, or choose another state directory with `--home DIR`")
    })
}

/// The directory's name with everything but letters, digits, `.`, `_` and `-` replaced: it becomes part of
/// paths that shells and programs of the person see.
fn project_name(root: &Path) -> String {
    let name = root.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned());
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' }).collect();
    let plain: String = plain.trim_start_matches(['.', '-']).chars().take(NAME_LIMIT).collect();
    if plain.is_empty() { "project".to_owned() } else { plain }
}

fn no_home_directory() -> Report {
    Report::refused("cannot find a directory for state and configuration: the home directory is not known")
        .hint("set HOME, or give `--home DIR`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(path: &str) -> Home {
        Home::find(Some(Path::new(path))).unwrap()
    }

    #[test]
    fn two_projects_of_one_name_never_meet() {
        let home = home("/h");
        let one = home.project(Path::new("/a/shop")).unwrap();
        let two = home.project(Path::new("/b/shop")).unwrap();
        assert_eq!(one.name(), two.name());
        assert_ne!(one.store(), two.store());
        assert_ne!(one.socket(), two.socket());
        assert_eq!(one, home.project(Path::new("/a/shop")).unwrap());
        assert!(one.store().starts_with("/h/projects") && one.worktrees().starts_with("/h/worktrees"));
    }

    #[test]
    fn names_become_plain_file_names() {
        for (root, name) in
            [("/a/shop", "shop"), ("/a/my shop", "my-shop"), ("/a/.dot", "dot"), ("/a/漢", "project"), ("/", "root")]
        {
            assert_eq!(project_name(Path::new(root)), name, "{root}");
        }
        assert_eq!(project_name(Path::new(&format!("/{}", "x".repeat(200)))).len(), NAME_LIMIT);
    }

    #[test]
    fn a_socket_path_that_is_too_long_names_the_option() {
        let report = home(&format!("/{}", "d".repeat(120))).project(Path::new("/a/shop")).unwrap_err();
        assert!(report.to_string().contains("--home"), "{report}");
        assert!(report.message.contains("bytes"), "{report}");
    }

    #[test]
    fn directories_are_for_the_owner_only() {
        let place = tempfile::tempdir().unwrap();
        let open = place.path().join("h");
        std::fs::create_dir(&open).unwrap();
        std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o755)).unwrap();
        let project = Home::find(Some(&open)).unwrap().project(Path::new("/a/shop")).unwrap();
        project.create().unwrap();
        project.create().unwrap();
        private_directory(&open).unwrap();
        for path in [open.as_path(), &project.directory, project.worktrees(), project.socket().parent().unwrap()] {
            assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o700, "{}", path.display());
        }
    }

    #[test]
    fn a_directory_that_cannot_be_made_is_named() {
        let report = private_directory(Path::new("/dev/null/x")).unwrap_err();
        assert!(report.message.contains("/dev/null/x"), "{report}");
    }
}
