//! Whether what a new lane needs is there, before anything is made for it: its program, looked for as its pane would;
//! and the file with rules of its own.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::configuration;
use super::engine::Engine;
use super::natives;
use super::shared::Shared;
use crate::app::{Asker, LaneWanted, Msg};
use crate::base::{Report, clip, one_line, visible};
use crate::config;
use crate::domain::{Cli, LaneKind, RuleText};

/// Cells of PATH in a message.
const SHOWN: usize = 200;

/// Where a program is looked for.
struct Search<'a> {
    /// PATH, as sessions get it.
    path: &'a str,
    /// The base checkout's root.
    root: &'a Path,
    /// Where lanes' worktrees go: nothing stands there yet.
    worktrees: &'a Path,
    /// Whether the lane works in the checkout itself.
    here: bool,
    /// Whether a command runs in a new lane before its session: it may make what is not there yet.
    init: bool,
}

/// Looks for it and tells the loop at once, before anything else that a client says: what is typed behind the command
/// is meant for the new lane. A few files are looked at, and one of rules is read.
pub(super) fn find(engine: &mut Engine, asker: Asker, wanted: Box<LaneWanted>) {
    let path = engine.shared.environment.get("PATH").unwrap_or_default();
    let settings = &engine.state.settings;
    let search = Search {
        path: &path,
        root: &settings.project.root,
        worktrees: &settings.worktrees,
        here: wanted.here,
        init: !settings.set_up.init.is_empty(),
    };
    let program = match &wanted.kind {
        LaneKind::Pane { native: Some(native), .. } => {
            let presets = &engine.state.settings.cli_names.presets;
            let named = presets.iter().find(|preset| Some(&preset.name) == native.preset.as_ref());
            match (native.preset.as_ref(), named) {
                // That there is no such name is said where the lane would be made.
                (Some(_), None) => Ok(()),
                (_, named) => governed(&engine.shared, named.map_or(native.cli, |preset| preset.cli)),
            }
        }
        LaneKind::Pane { command, native: None } => search.look(command.first().map_or("", String::as_str)),
        LaneKind::Agent { .. } => Ok(()),
    };
    let rules = |()| wanted.rules.as_deref().map_or(Ok(Vec::new()), |file| rules(&settings.project.root.join(file)));
    let found = program.and_then(rules);
    engine.own.push_back(Msg::LaneNeeds(asker, wanted, found));
}

/// The rules of a file.
fn rules(path: &Path) -> Result<Vec<RuleText>, Report> {
    let Some(file) = configuration::layer(path)? else {
        let words = format!("there is no file of rules `{}`: no lane was made", path.display());
        return Err(Report::refused(words).hint("name it from the repository's root, or by its whole path"));
    };
    config::lane_rules(&file).map_err(|problems| {
        let report = Report::from(problems);
        Report { message: report.message.replacen("the configuration cannot", "the lane's rules cannot", 1), ..report }
    })
}

/// Whether the program is there; one that cannot be governed anyway is refused for that.
fn governed(shared: &Shared, cli: Cli) -> Result<(), Report> {
    if cli.missing().next().is_some() {
        return Ok(());
    }
    natives::program(shared, cli).map(drop)
}

impl Search<'_> {
    fn look(&self, program: &str) -> Result<(), Report> {
        let shown = clip(&visible(&one_line(program)), SHOWN);
        if program.is_empty() {
            return Err(Report::usage("a lane cannot run a program without a name").hint("name one, such as `-- bash`"));
        }
        if !program.contains('/') {
            let mut places = self.path.split(':').map(|place| self.root.join(place).join(program));
            if places.any(|file| is_program(&file)) {
                return Ok(());
            }
            let path = clip(&visible(&one_line(self.path)), SHOWN);
            return Err(Report::refused(format!("there is no program `{shown}` in PATH ({path}): no lane was made"))
                .hint("install it, or name it with its directory, such as `-- /opt/bin/tool`")
                .hint("PATH is that of the window or shell that came last; `paralane` there attaches anew"));
        }
        let file = Path::new(program);
        // What stands in the lane's own worktree is there once that is made, and what its set-up makes once it has run.
        let later = self.init || file.starts_with(self.worktrees) || (file.is_relative() && !self.here);
        let file: PathBuf = self.root.join(file);
        if later || is_program(&file) {
            return Ok(());
        }
        let words = if file.exists() {
            format!("`{shown}` is no program that can be run: no lane was made")
        } else {
            format!("there is no program `{shown}`: no lane was made")
        };
        Err(Report::refused(words).hint("check the path, and that the file may be executed (`chmod +x`)"))
    }
}

fn is_program(file: &Path) -> bool {
    file.file_name() != Some(OsStr::new("")) && file.is_file() && access(file, Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_program_is_looked_for_where_its_pane_would_and_what_comes_later_is_waited_for() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path();
        for (file, mode) in [("bin/tool", 0o755), ("bin/text", 0o644), ("run.sh", 0o755)] {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        }
        let path = format!("/nowhere:{}", root.join("bin").display());
        let worktrees = root.join("worktrees");
        let search = |here, init| Search { path: &path, root, worktrees: &worktrees, here, init };
        let plain = search(false, false);
        for program in ["tool", "./made-later", "sub/x", &format!("{}/bin/tool", root.display())] {
            assert_eq!(plain.look(program).map_err(|report| report.to_string()), Ok(()), "{program}");
        }
        for (program, words) in [
            ("absent", "no program `absent` in PATH (/nowhere:"),
            ("text", "no program `text` in PATH"),
            ("/nowhere/x", "there is no program `/nowhere/x`"),
            (&format!("{}/bin/text", root.display()), "can be run"),
            ("/", "can be run"),
            ("", "without a name"),
        ] {
            let report = plain.look(program).unwrap_err();
            assert!(report.to_string().contains(words) && !report.hints.is_empty(), "{program}: {report}");
        }
        assert!(search(true, false).look("./run.sh").is_ok() && search(true, false).look("./absent").is_err());
        assert!(search(false, true).look("/nowhere/x").is_ok(), "set-up may make it");
        assert!(search(false, true).look("absent").is_err(), "what is looked for in PATH is not made by set-up");
        assert!(plain.look(&format!("{}/api/x", worktrees.display())).is_ok());
        assert!(!plain.look("a\u{1b}[2Jb").unwrap_err().to_string().contains('\u{1b}'));
    }
}
