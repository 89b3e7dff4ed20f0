//! The demo's stage: a throw-away repository and state directory, gone when dropped.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use git2::{IndexAddOption, Repository, RepositoryInitOptions, Signature};
use tempfile::TempDir;

use super::script::FILES;
use super::server::MODEL;
use crate::base::Report;

/// Who commits in the demo's repository.
const NAME: &str = "Demo";
const EMAIL: &str = "demo@localhost";

/// The temporary directory with everything in it.
#[derive(Debug)]
pub(super) struct Stage {
    directory: TempDir,
}

impl Stage {
    /// Makes the directory with the repository.
    ///
    /// # Errors
    /// When the temporary directory cannot be written.
    pub(super) fn new() -> Result<Self, Report> {
        let make = || -> anyhow::Result<Self> {
            let directory = tempfile::Builder::new().prefix("paralane-demo-").tempdir()?;
            let stage = Self { directory };
            fill(&stage.repository())?;
            Ok(stage)
        };
        make().map_err(|error| {
            Report::refused(format!("cannot make the demo's repository: {error:#}"))
                .hint("see that the temporary directory (TMPDIR) is there and has room")
        })
    }

    /// The repository.
    pub(super) fn repository(&self) -> PathBuf {
        self.directory.path().join("shop")
    }

    /// The state directory; a short name, because a socket's path must be short.
    pub(super) fn home(&self) -> PathBuf {
        self.directory.path().join("h")
    }

    /// Writes the configuration: the model server, and a mode that asks before shell only.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn configure(&self, base_url: &str) -> Result<PathBuf, Report> {
        let path = self.directory.path().join("config.toml");
        let text = format!(
            "[providers.demo]\ndialect = \"openai-chat\"\nbase_url = \"{base_url}\"\nmodel = \"{MODEL}\"\n\n\
             [agent]\nprovider = \"demo\"\nmode = \"auto-edit\"\n"
        );
        fs::write(&path, text)
            .map_err(|error| Report::refused(format!("cannot write `{}`: {error}", path.display())))?;
        Ok(path)
    }

    /// Removes everything.
    ///
    /// # Errors
    /// When something stays behind: it is named.
    pub(super) fn strike(self) -> Result<(), Report> {
        let path = self.directory.path().to_owned();
        self.directory.close().map_err(|error| {
            Report::internal(format!("cannot remove the demo's directory `{}`: {error}", path.display()))
                .hint("remove it by hand")
        })
    }
}

/// The repository with one commit. Nothing of the person's own git configuration has a say in it.
fn fill(root: &Path) -> anyhow::Result<()> {
    let mut options = RepositoryInitOptions::new();
    options.initial_head("main").mkpath(true).external_template(false);
    let repository = Repository::init_opts(root, &options)?;
    let mut config = repository.config()?.open_level(git2::ConfigLevel::Local)?;
    config.set_str("user.name", NAME)?;
    config.set_str("user.email", EMAIL)?;
    config.set_bool("commit.gpgsign", false)?;
    config.set_str("core.hooksPath", "/dev/null")?;
    for (path, content) in FILES {
        write(&root.join(path), content)?;
    }
    let mut index = repository.index()?;
    index.add_all(["*"], IndexAddOption::DEFAULT, None)?;
    index.write()?;
    let tree = repository.find_tree(index.write_tree()?)?;
    let who = Signature::now(NAME, EMAIL)?;
    repository.commit(Some("HEAD"), &who, &who, "Open the shop", &tree, &[])?;
    Ok(())
}

fn write(path: &Path, content: &str) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(path, content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Project;

    #[test]
    fn the_stage_is_a_project_and_leaves_nothing() {
        let stage = Stage::new().unwrap();
        let project = Project::find(&stage.repository()).unwrap();
        assert_eq!(project.head().unwrap().name, "main");
        stage.configure("http://127.0.0.1:1/v1").unwrap();
        let path = stage.directory.path().to_owned();
        stage.strike().unwrap();
        assert!(!path.exists());
    }
}
