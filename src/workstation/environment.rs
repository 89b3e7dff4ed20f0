//! The environment of sessions: the workstation's own, renewed by what the newest window brought along.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::sync::Mutex;

use crate::agent::CALL_MARK;
use crate::base::lock;
use crate::git::is_git_variable;
use crate::terminal::PANE_MARK;

/// Marks every process of a workstation, so that a later one finds what a dead one left running.
pub(super) const PROJECT_MARK: &str = "PARALANE_PROJECT";
/// Which workstation started it.
pub(super) const INSTANCE_MARK: &str = "PARALANE_INSTANCE";

/// Who a lane's program is, for its tools. Secret.
pub const TOKEN: &str = "PARALANE_TOKEN";
/// Where its tools are served over HTTP.
pub(super) const MCP_URL: &str = "PARALANE_MCP_URL";
/// Where `paralane mcp` reaches the workstation.
pub const SOCKET: &str = "PARALANE_SOCKET";

/// The protocol of the workstation that started a lane's program, for its hooks.
pub const PROTOCOL: &str = "PARALANE_PROTOCOL";
/// What a lane's program may read while no workstation answers its hooks: `open`, or `closed`.
pub const READS: &str = "PARALANE_READS";

/// Whether a variable marks a process as one that some workstation started. A workstation that is started
/// from inside a pane drops them: it is nobody's child.
pub fn is_mark(name: &OsStr) -> bool {
    let marks = [PROJECT_MARK, INSTANCE_MARK, PANE_MARK, CALL_MARK, TOKEN, MCP_URL, SOCKET, PROTOCOL, READS];
    name.to_str().is_some_and(|name| marks.contains(&name))
}

/// The marks of one workstation's processes.
pub(super) fn marks(project: &str, instance: &str) -> [(OsString, OsString); 2] {
    [(PROJECT_MARK.into(), project.into()), (INSTANCE_MARK.into(), instance.into())]
}

/// The environment that counts for sessions started from now on.
///
/// What the person runs (panes, `!` commands, the init program) gets all of it, keys included: a foreign
/// CLI in a pane needs them as in any terminal. What a model runs never gets the keys that the configuration
/// names.
pub(super) struct SessionEnvironment {
    variables: Mutex<BTreeMap<OsString, OsString>>,
}

impl std::fmt::Debug for SessionEnvironment {
    /// Without values: they may be keys.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionEnvironment").field("variables", &self.lock().len()).finish()
    }
}

impl SessionEnvironment {
    /// The workstation's own environment without what is not for sessions, and with the marks.
    pub fn new(project: &str, instance: &str) -> Self {
        let own = |name: &str| name.starts_with("PARALANE_FAILPOINT") || name == "NO_COLOR";
        let mut variables: BTreeMap<OsString, OsString> = std::env::vars_os()
            .filter(|(name, _)| !is_git_variable(name) && !is_mark(name) && !name.to_str().is_some_and(own))
            .collect();
        variables.extend(marks(project, instance));
        Self { variables: Mutex::new(variables) }
    }

    /// Takes what a client brought along.
    pub fn renew(&self, brought: Vec<(String, String)>) {
        let ours = |name: &str| is_git_variable(OsStr::new(name)) || is_mark(OsStr::new(name));
        let brought = brought.into_iter().filter(|(name, _)| !ours(name));
        self.lock().extend(brought.map(|(name, value)| (name.into(), value.into())));
    }

    /// One variable's value.
    pub fn get(&self, name: &str) -> Option<String> {
        self.lock().get(&OsString::from(name)).and_then(|v| v.to_str().map(str::to_owned))
    }

    /// Everything, for a program that the person runs.
    pub fn all(&self) -> Vec<(OsString, OsString)> {
        self.lock().iter().map(|(n, v)| (n.clone(), v.clone())).collect()
    }

    /// Everything but our marks, for a program that is to outlive the workstation.
    pub fn unmarked(&self) -> Vec<(OsString, OsString)> {
        self.lock().iter().filter(|(n, _)| !is_mark(n)).map(|(n, v)| (n.clone(), v.clone())).collect()
    }

    /// Everything but the named keys, for commands that a model runs.
    pub fn without(&self, keys: &[String]) -> Vec<(String, String)> {
        self.lock()
            .iter()
            .filter_map(|(n, v)| Some((n.to_str()?.to_owned(), v.to_str()?.to_owned())))
            .filter(|(n, _)| !keys.contains(n))
            .collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<OsString, OsString>> {
        lock(&self.variables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_reach_the_persons_programs_and_never_a_models() {
        let environment = SessionEnvironment::new("/h/store", "i1");
        environment.renew(vec![
            ("LOCAL_KEY".into(), "s3cret".into()),
            ("GIT_DIR".into(), "/elsewhere".into()),
            (INSTANCE_MARK.into(), "forged".into()),
        ]);
        assert!(environment.all().contains(&("LOCAL_KEY".into(), "s3cret".into())));
        let models = environment.without(&["LOCAL_KEY".to_owned()]);
        assert!(!models.iter().any(|(name, value)| name == "LOCAL_KEY" || value == "s3cret"));
        assert!(models.contains(&(INSTANCE_MARK.into(), "i1".into())), "the marks stay ours");
        assert_eq!(environment.get("GIT_DIR"), None);
        assert!(!format!("{environment:?}").contains("s3cret"));
    }
}
