//! The environment that git and the lanes get: the person's, without any `GIT_*` variable.
//!
//! A `GIT_DIR` or `GIT_INDEX_FILE` that leaked in from a hook would send every command to another repository.

use std::ffi::{OsStr, OsString};
use std::sync::Arc;

/// Whether the variable steers git and so must not reach our git or a lane.
#[must_use]
pub fn is_git_variable(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"GIT_")
}

/// The variables that may pass: all but those that steer git.
fn clean_env(vars: impl IntoIterator<Item = (OsString, OsString)>) -> Vec<(OsString, OsString)> {
    vars.into_iter().filter(|(name, _)| !is_git_variable(name)).collect()
}

/// The environment in which a project's git runs. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitEnv(Arc<[(OsString, OsString)]>);

impl GitEnv {
    /// The process's own environment, cleaned.
    #[must_use]
    pub fn inherited() -> Self {
        Self::from_vars(std::env::vars_os())
    }

    /// The given variables, cleaned.
    pub fn from_vars(vars: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self(clean_env(vars).into())
    }

    /// The variables.
    pub(super) fn vars(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_steer_git_are_dropped_and_no_others() {
        let given = ["GIT_DIR", "GIT_INDEX_FILE", "GITHUB_TOKEN", "PATH", "GIT_", "MY_GIT_DIR"];
        let kept = clean_env(given.map(|name| (name.into(), "x".into())));
        let kept: Vec<_> = kept.iter().map(|(name, _)| name.to_str().unwrap()).collect();
        assert_eq!(kept, ["GITHUB_TOKEN", "PATH", "MY_GIT_DIR"]);
    }
}
