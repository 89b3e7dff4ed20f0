//! Names that the person's settings give to commands of git.

use super::error::GitError;
use super::project::Project;

/// Each alias with what it stands for, as the settings of the system, the person and the repository have it.
///
/// # Errors
/// When the settings cannot be read.
pub fn aliases(project: &Project) -> Result<Vec<(String, String)>, GitError> {
    let reading = || GitError::library(format!("reading the settings of `{}`", project.root().display()));
    let config = project.open()?.config().map_err(reading())?;
    let mut entries = config.entries(Some("^alias\\.")).map_err(reading())?;
    let mut all = Vec::new();
    while let Some(entry) = entries.next() {
        let entry = entry.map_err(reading())?;
        let (name, value) = (String::from_utf8_lossy(entry.name_bytes()), String::from_utf8_lossy(entry.value_bytes()));
        if let Some(name) = name.strip_prefix("alias.") {
            all.push((name.to_owned(), value.into_owned()));
        }
    }
    // Later ones count more.
    all.reverse();
    Ok(all)
}
