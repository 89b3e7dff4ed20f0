//! Whose hooks the git that is run here would run: the person's own, or what stands in a checkout, which agents write.

use std::path::{Path, PathBuf};

use super::project::{self, Project};
use super::{names, registry};

/// A directory of hooks with more files than this is none.
const MOST: usize = 1_000;

/// The directory of hooks for git in `dir`, if any of them is a file of a checkout, or that cannot be told: those in
/// `.git/hooks` and outside the repository are the person's own, unless links lead back.
pub(super) fn in_checkout(project: &Project, dir: &Path) -> Option<PathBuf> {
    let Ok(config) = project::open(dir).and_then(|repo| repo.config()) else { return Some(dir.to_owned()) };
    let hooks = match config.get_path("core.hooksPath") {
        // Relative to where git runs them: the top of the checkout.
        Ok(path) => dir.join(path),
        Err(error) if error.code() == git2::ErrorCode::NotFound => project.common_dir().join("hooks"),
        Err(_) => return Some(dir.to_owned()),
    };
    let lanes = registry::directories(project);
    let checked_out = |path: &Path| {
        let path = names::real(path);
        let within = [project.root(), dir].into_iter().chain(lanes.iter().map(PathBuf::as_path));
        !path.starts_with(project.common_dir())
            && within.into_iter().any(|checkout| path.starts_with(names::real(checkout)))
    };
    if checked_out(&hooks) {
        return Some(hooks);
    }
    let entries = std::fs::read_dir(&hooks).ok()?;
    let mut files = entries.flatten().map(|entry| entry.path()).take(MOST);
    files.any(|file| file.is_symlink() && checked_out(&file)).then_some(hooks)
}
