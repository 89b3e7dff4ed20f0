//! Launches as data: what is run, with which variables and private files. Everything is given per launch; nothing of the
//! person's own configuration is changed.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use super::adapter;
use crate::domain::{Cli, Guard, NativeLane};

/// Who starts, and where.
#[derive(Debug, Clone)]
pub struct LaunchAsk<'a> {
    /// The lane's CLI.
    pub native: &'a NativeLane,
    /// The lane's name.
    pub lane: &'a str,
    /// Arguments that the person gave.
    pub more: &'a [String],
    /// The CLI's program.
    pub program: &'a Path,
    /// Our own program, which hooks run.
    pub own: &'a Path,
    /// Where the lane works.
    pub directory: &'a Path,
    /// The base checkout.
    pub base: &'a Path,
    /// Where files for this launch stand; it is made anew.
    pub private: &'a Path,
    /// Where our tools are served.
    pub tools: &'a str,
    /// An id that no conversation has had.
    pub fresh: &'a str,
    /// The environment that the program starts from.
    pub environment: &'a [(OsString, OsString)],
}

impl LaunchAsk<'_> {
    /// A variable's value.
    pub(super) fn variable(&self, name: &str) -> Option<&OsString> {
        self.environment
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
            .filter(|value| !value.is_empty())
    }

    /// The lane's conversation is not there any more.
    pub(super) fn no_session(&self) -> Fault {
        let session = self.native.session.clone().unwrap_or_default();
        Fault::NoSession { cli: self.native.cli, lane: self.lane.to_owned(), session }
    }

    /// A directory that a variable names, or one in the person's home.
    pub(super) fn home(&self, variable: &str, below: &str) -> Option<PathBuf> {
        let named = self.variable(variable).map(PathBuf::from);
        named.or_else(|| Some(PathBuf::from(self.variable("HOME")?).join(below)))
    }
}

/// What is run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LaunchPlan {
    /// Program and arguments.
    pub command: Vec<OsString>,
    /// Variables beside those that it starts from.
    pub variables: Vec<(OsString, OsString)>,
    /// Files below the private directory.
    pub files: Vec<(&'static str, String)>,
    /// Links below the private directory, and where they lead.
    pub links: Vec<(String, PathBuf)>,
    /// Places of the CLI's own that it may write.
    pub open: Vec<PathBuf>,
}

/// A launch that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Its program is not there.
    #[error("`{cli}` is not on the PATH")]
    Absent {
        /// The CLI.
        cli: Cli,
    },
    /// Its adapter cannot carry what governs it.
    #[error("`{cli}` cannot be a governed lane: its adapter does not carry {missing}")]
    Ungoverned {
        /// The CLI.
        cli: Cli,
        /// The guards that are missing, in words.
        missing: String,
    },
    /// A name that it was made with is not in the configuration any more.
    #[error("`{0}` is not in the configuration any more, and the lane was made with it")]
    NoName(String),
    /// A variable that it needs is not set.
    #[error("`{name}` needs the variable `{variable}`, which is not set")]
    Unset {
        /// What needs it.
        name: String,
        /// The variable.
        variable: String,
    },
    /// Its configuration cannot be moved.
    #[error("`{cli}` has no variable that moves its configuration, so `{name}` cannot have a `home` for it")]
    NoHome {
        /// The CLI.
        cli: Cli,
        /// The login.
        name: String,
    },
    /// The conversation that it had is not there any more.
    #[error("the conversation `{session}` of lane `{lane}` is not there any more: no {cli} transcript has it")]
    NoSession {
        /// The CLI.
        cli: Cli,
        /// The lane.
        lane: String,
        /// The id.
        session: String,
    },
    /// The person's own settings, of which the launch takes a copy, make no sense.
    #[error("cannot take the settings in `{path}` over for the launch: {words}")]
    Settings {
        /// The file.
        path: PathBuf,
        /// Why.
        words: String,
    },
    /// A path cannot be told to the CLI.
    #[error("`{0}` is not valid UTF-8, and the CLI's settings are text")]
    NotText(PathBuf),
    /// A private file cannot be written.
    #[error("cannot write `{path}` for the launch: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The guards that an adapter does not carry, in words; none when it carries all.
#[must_use]
pub fn missing_words(cli: Cli) -> Option<String> {
    let words: Vec<&str> = cli.missing().map(Guard::word).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Plans a launch and writes its private files.
///
/// # Errors
/// [`Fault`]; nothing was started.
pub fn plan(ask: &LaunchAsk<'_>) -> Result<LaunchPlan, Fault> {
    let cli = ask.native.cli;
    if let Some(missing) = missing_words(cli) {
        return Err(Fault::Ungoverned { cli, missing });
    }
    let plan = adapter::of(cli).plan(ask)?;
    write(ask.private, &plan)?;
    Ok(plan)
}

/// Writes files and links into a directory that is made anew, readable for the person alone.
fn write(directory: &Path, plan: &LaunchPlan) -> Result<(), Fault> {
    let fault = |path: &Path| {
        let path = path.to_owned();
        move |source| Fault::File { path, source }
    };
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fault(directory)(error)),
        _ => {}
    }
    let make = |path: &Path| {
        let parent = path.parent().unwrap_or(directory);
        fs::DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(fault(parent))
    };
    make(&directory.join("file"))?;
    for (name, target) in &plan.links {
        let path = directory.join(name);
        make(&path)?;
        symlink(target, &path).map_err(fault(&path))?;
    }
    for (name, text) in &plan.files {
        let path = directory.join(name);
        make(&path)?;
        let mut file =
            fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).map_err(fault(&path))?;
        file.write_all(text.as_bytes()).map_err(fault(&path))?;
    }
    Ok(())
}

/// A CLI's program, as a shell would find it.
#[must_use]
pub fn find(cli: Cli, path: &OsString) -> Option<PathBuf> {
    let runs =
        |file: &PathBuf| fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0);
    std::env::split_paths(path).filter(|place| place.is_absolute()).map(|place| place.join(cli.word())).find(runs)
}

/// A program's version, as far as it can be told without running it: by the package that it stands in, or by its path.
#[must_use]
pub fn version(program: &Path) -> Option<String> {
    let real = program.canonicalize().ok()?;
    let sound = |text: &str| {
        let parts = text.trim_start_matches('v').split('.');
        parts.clone().count() >= 3 && parts.clone().take(2).all(|part| part.parse::<u64>().is_ok())
    };
    let named = real.components().rev().filter_map(|part| part.as_os_str().to_str());
    if let Some(named) = named.map(str::to_owned).find(|name| sound(name)) {
        return Some(named);
    }
    real.ancestors().skip(1).take(4).find_map(|place| {
        let package = fs::read(place.join("package.json")).ok()?;
        let package: serde_json::Value = serde_json::from_slice(&package).ok()?;
        package["version"].as_str().filter(|version| sound(version)).map(str::to_owned)
    })
}

/// A path as text.
pub(super) fn text(path: &Path) -> Result<&str, Fault> {
    path.to_str().ok_or_else(|| Fault::NotText(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_files_are_made_anew_and_for_the_person_alone() {
        let all = tempfile::tempdir().unwrap();
        let directory = all.path().join("native/3");
        let plan = |files| LaunchPlan { files, ..LaunchPlan::default() };
        write(&directory, &plan(vec![("a.json", "1".into()), ("b.json", "2".into())])).unwrap();
        let links = vec![("in/link".to_owned(), all.path().join("own"))];
        fs::write(all.path().join("own"), "own").unwrap();
        write(&directory, &LaunchPlan { links, ..plan(vec![("a.json", "3".into()), ("in/c.json", "4".into())]) })
            .unwrap();
        assert_eq!(fs::read_to_string(directory.join("in/link")).unwrap(), "own");
        write(&directory, &plan(vec![("a.json", "3".into())])).unwrap();
        assert_eq!(fs::read_to_string(all.path().join("own")).unwrap(), "own", "what a link led to stays");
        assert_eq!(fs::read_to_string(directory.join("a.json")).unwrap(), "3");
        assert!(!directory.join("b.json").exists());
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&directory), mode(&directory.join("a.json"))), (0o700, 0o600));
    }

    #[test]
    fn a_program_is_found_as_a_shell_finds_it() {
        let all = tempfile::tempdir().unwrap();
        let (one, two) = (all.path().join("one"), all.path().join("two"));
        for place in [&one, &two] {
            fs::create_dir(place).unwrap();
        }
        fs::write(one.join("claude"), "").unwrap();
        let path = std::env::join_paths([&one, &two]).unwrap();
        assert_eq!(find(Cli::Claude, &path), None, "not executable");
        fs::write(two.join("claude"), "").unwrap();
        fs::set_permissions(two.join("claude"), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(find(Cli::Claude, &path), Some(two.join("claude")));
        assert_eq!(find(Cli::Codex, &path), None);
        assert_eq!(version(&two.join("claude")), None);
        fs::write(all.path().join("package.json"), r#"{"version":"2.1.332"}"#).unwrap();
        assert_eq!(version(&two.join("claude")).as_deref(), Some("2.1.332"));
        fs::create_dir(two.join("0.171.0")).unwrap();
        fs::write(two.join("0.171.0/codex"), "").unwrap();
        assert_eq!(version(&two.join("0.171.0/codex")).as_deref(), Some("0.171.0"));
    }
}
