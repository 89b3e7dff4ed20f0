//! Files that a command writes for the person: replaced whole or not at all, readable by their owner only.

use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::base::Report;

/// What could not be written, and what to do.
pub(super) fn unwritable(path: &Path, error: &io::Error) -> Report {
    let report = Report::refused(format!("cannot write `{}`: {error}", path.display()));
    report.hint(match error.kind() {
        io::ErrorKind::NotFound => "make its directory first, or name another file",
        io::ErrorKind::StorageFull => "make room on the disk, or name a file on another one",
        io::ErrorKind::IsADirectory => "name a file in it",
        _ => "name a file that you may write",
    })
}

/// Lets `fill` write the file. Until it is whole, what stood there stays.
///
/// # Errors
/// What `fill` ends with, or why the file cannot be written.
pub(super) fn replace(
    path: &Path,
    fill: impl FnOnce(&mut io::BufWriter<&mut NamedTempFile>) -> Result<(), Report>,
) -> Result<(), Report> {
    let failed = |error: io::Error| unwritable(path, &error);
    if path.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".paralane-").tempfile_in(directory).map_err(failed)?;
    let mut writer = io::BufWriter::new(&mut file);
    fill(&mut writer)?;
    writer.flush().map_err(failed)?;
    drop(writer);
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_stays() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("m.prom");
        let put = |text: &str, then: Result<(), Report>| {
            replace(&path, |out| {
                out.write_all(text.as_bytes()).unwrap();
                then
            })
        };
        put("one", Ok(())).unwrap();
        assert!(put("half", Err(Report::refused("no"))).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "nothing is left over");
        let report = replace(&directory.path().join("none/x"), |_| Ok(())).unwrap_err();
        assert!(report.message.contains("none/x") && report.hints[0].contains("directory"), "{report}");
    }
}
