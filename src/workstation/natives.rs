//! Launches of native CLIs: where their private files stand, and what governs them from then on.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::doors::random_token;
use super::environment::{MCP_URL, PROTOCOL, READS};
use super::shared::Shared;
use crate::app::{FoundCli, NativeStart};
use crate::base::Report;
use crate::domain::{Cli, LaneId, NativeLane};
use crate::git;
use crate::native::git_hooks::{self, RefRules};
use crate::native::{self, Fault, Ground, LaunchAsk};
use crate::protocol;
use crate::terminal::Launch;

/// Where private files of launches stand.
pub(super) struct Natives(PathBuf);

impl Natives {
    /// In the project's part of the state directory.
    pub fn new(state: &Path) -> Self {
        Self(state.join("native"))
    }

    fn of(&self, lane: LaneId) -> PathBuf {
        self.0.join(lane.0.to_string())
    }

    /// Where the hooks stand that the lane's git runs.
    fn git_hooks(&self, lane: LaneId) -> PathBuf {
        self.of(lane).join("git-hooks")
    }

    /// The lane is gone, or the workstation ends: its files are made anew with the next launch. Blocks.
    pub fn forget(&self, lane: LaneId) {
        // A plain lane has none.
        let _ = std::fs::remove_dir_all(self.of(lane));
    }
}

/// The CLIs that are known, and where each stands on this process's PATH.
pub(super) fn found() -> Vec<FoundCli> {
    let path = std::env::vars_os().find(|(name, _)| name == "PATH").map(|(_, value)| value).unwrap_or_default();
    let look = |cli| {
        let path = native::find(cli, &path);
        let version = path.as_deref().and_then(native::version);
        FoundCli { cli, path, version }
    };
    Cli::ALL.into_iter().map(look).collect()
}

/// A CLI's program on the PATH that sessions get.
pub(super) fn program(shared: &Shared, cli: Cli) -> Result<PathBuf, Report> {
    let path = shared.environment.get("PATH").map_or_else(OsString::new, OsString::from);
    native::find(cli, &path).ok_or_else(|| report(&Fault::Absent { cli }, cli))
}

/// Plans the launch of a native CLI; a plain program's stays as it is. Blocks.
///
/// # Errors
/// When it cannot be started under our hooks: then it is not started at all.
pub(super) fn launch(
    shared: &Shared,
    lane: LaneId,
    launch: Launch,
    start: Option<&NativeStart>,
) -> Result<Launch, Report> {
    let Some(start) = start else {
        shared.doors.guard(lane, None);
        return Ok(launch);
    };
    let cli = start.native.cli;
    let program = program(shared, cli)?;
    let own = std::env::current_exe()
        .map_err(|error| Report::internal(format!("cannot tell where this program stands: {error}")))?;
    let fresh = fresh_id().map_err(|error| Report::internal(format!("no random bytes: {error}")))?;
    let tools = launch.environment.iter().find(|(name, _)| name == MCP_URL).map(|(_, value)| value.to_string_lossy());
    let given = start.preset.iter().flat_map(|preset| preset.args.iter().cloned());
    let more = launch.command.iter().skip(1).map(|word| word.to_string_lossy().into_owned());
    let more: Vec<String> = given.chain(more).collect();
    let mut own_variables = named(start, &launch.environment).map_err(|fault| report(&fault, cli))?;
    let mut environment = launch.environment.clone();
    environment.retain(|(name, _)| !own_variables.iter().any(|(ours, _)| ours == name));
    environment.extend(own_variables.iter().cloned());
    let model = start.native.model.clone().or_else(|| start.preset.as_ref()?.model.clone());
    let plan = native::plan(&LaunchAsk {
        native: &NativeLane { model, ..start.native.clone() },
        lane: start.lane.as_str(),
        more: &more,
        program: &program,
        own: &own,
        directory: &launch.directory,
        base: shared.project.root(),
        private: &shared.natives.of(lane),
        tools: tools.as_deref().unwrap_or_default(),
        fresh: &fresh,
        environment: &environment,
    })
    .map_err(|fault| report(&fault, cli))?;
    let ground = ground(shared, lane, &launch, plan.open)?;
    own_variables.retain(|(name, _)| !plan.variables.iter().any(|(ours, _)| ours == name));
    own_variables.extend(plan.variables);
    own_variables.extend(git_hooks(shared, lane, &own, cli)?);
    own_variables.push((PROTOCOL.into(), protocol::VERSION.to_string().into()));
    own_variables.push((READS.into(), if start.guards_reads { "closed" } else { "open" }.into()));
    shared.doors.guard(lane, Some((cli, ground)));
    Ok(Launch { command: plan.command, own: own_variables, governed: Some(native::screen(cli)), ..launch })
}

/// Gives the lane's processes hooks of git that keep it on its branch: the variables that lead there. A lane in the base
/// checkout has no branch to keep. Blocks.
fn git_hooks(shared: &Shared, lane: LaneId, own: &Path, cli: Cli) -> Result<Vec<(OsString, OsString)>, Report> {
    let Some((place, branch)) = shared.places.get(lane).and_then(|place| Some((place.clone(), place.branch?))) else {
        return Ok(Vec::new());
    };
    let paths = git::git_paths(&shared.project, &place).map_err(Report::from)?;
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let rules = RefRules {
        protocol: protocol::VERSION,
        branch,
        git_dir: real(&paths.git_dir),
        common_dir: real(&paths.common_dir),
    };
    git_hooks::install(&shared.natives.git_hooks(lane), own, &rules.common_dir, &rules)
        .map_err(|fault| report(&fault, cli))
}

/// The variables that the lane's name and login put before its program.
fn named(start: &NativeStart, environment: &[(OsString, OsString)]) -> Result<Vec<(OsString, OsString)>, Fault> {
    let value = |name: &str, variable: &str| {
        let mut known = environment.iter().filter(|(known, value)| known == variable && !value.is_empty());
        let unset = || Fault::Unset { name: name.to_owned(), variable: variable.to_owned() };
        known.next_back().map(|(_, value)| value.clone()).ok_or_else(unset)
    };
    let gone = |name: &Option<String>, there: bool| match name {
        Some(name) if !there => Err(Fault::NoName(name.clone())),
        _ => Ok(()),
    };
    gone(&start.native.preset, start.preset.is_some())?;
    gone(&start.native.credentials, start.credentials.is_some())?;
    let mut all = Vec::new();
    if let Some(preset) = &start.preset {
        all.extend(preset.set.iter().map(|(name, value)| (name.into(), value.into())));
        for (name, variable) in &preset.from {
            all.push((name.into(), value(&preset.name, variable)?));
        }
    }
    if let Some(profile) = &start.credentials {
        for variable in &profile.needs {
            value(&profile.name, variable)?;
        }
        if let Some(home) = &profile.home {
            let cli = start.native.cli;
            let no_home = || Fault::NoHome { cli, name: profile.name.clone() };
            let variable = cli.home_variable().ok_or_else(no_home)?;
            let home = match home.strip_prefix("~") {
                Ok(below) => PathBuf::from(value(&profile.name, "HOME")?).join(below),
                Err(_) => home.clone(),
            };
            all.push((variable.into(), home.into()));
        }
    }
    Ok(all)
}

/// Where the lane's program may write.
fn ground(shared: &Shared, lane: LaneId, launch: &Launch, open: Vec<PathBuf>) -> Result<Ground, Report> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let directory = launch.directory.canonicalize().map_err(|error| {
        Report::refused(format!("cannot look at the lane's directory `{}`: {error}", launch.directory.display()))
    })?;
    let variable = |name: &str| launch.environment.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    let temporary = [Some(OsString::from("/tmp")), Some("/var/tmp".into()), variable("TMPDIR").cloned()];
    let temporary = temporary.into_iter().flatten().map(PathBuf::from);
    let place = shared.places.get(lane);
    let mut closed = vec![real(shared.project.root()), real(shared.project.common_dir())];
    closed.extend(directory.parent().filter(|_| place.as_ref().is_some_and(|place| !place.is_here())).map(real));
    let aliases = git::aliases(&shared.project).map_err(Report::from)?;
    Ok(Ground {
        aliases,
        branch: place.and_then(|place| place.branch),
        current: directory.clone(),
        open: temporary.chain(open).filter(|path| path.is_absolute()).map(|path| real(&path)).collect(),
        closed,
        home: variable("HOME").map(PathBuf::from),
        directory,
    })
}

fn report(fault: &Fault, cli: Cli) -> Report {
    let report = Report::refused(fault.to_string());
    match fault {
        Fault::Absent { .. } => report
            .hint(format!("install `{cli}`, or start the workstation from a shell that finds it; `doctor` lists them")),
        Fault::Ungoverned { .. } => {
            report.hint(format!("`lane new NAME -- {cli}` runs it in a plain pane, under its own rules alone"))
        }
        Fault::NoSession { .. } => report.hint("`lane restart NAME --fresh` begins a new conversation in the lane"),
        Fault::NoName(_) => report.hint("put it back, or make another lane"),
        Fault::Unset { variable, .. } => report
            .hint(format!("export `{variable}` and attach anew (`paralane` in that shell), then `lane restart NAME`")),
        Fault::NoHome { .. } => report.hint("leave out its `home`, and name variables in `env`"),
        Fault::Settings { .. } => report.hint("mend it, then `lane restart NAME`"),
        Fault::NotText(_) | Fault::File { .. } => report,
    }
}

/// An id that no conversation has had: a random UUID.
fn fresh_id() -> std::io::Result<String> {
    let random = random_token()?;
    let part = |from: usize, to: usize| random.get(from..to).unwrap_or_default().to_owned();
    Ok(format!("{}-{}-4{}-8{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn fresh_ids_are_uuids_and_differ() {
        let (one, two) = (super::fresh_id().unwrap(), super::fresh_id().unwrap());
        assert_ne!(one, two);
        assert_eq!(one.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
    }
}
