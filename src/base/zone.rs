//! The person's time zone, from the one file that says it.
//!
//! `jiff` finds it as well, but reads the whole tree of zones before: thousands of names, several milliseconds, which
//! somebody waits for. Here one file is read; whatever is not plain is left to `jiff`.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;

use super::lock;

/// Where the system keeps its zones.
const ZONES: &str = "/usr/share/zoneinfo";
/// The zone of the machine.
const MACHINE: &str = "/etc/localtime";

/// How long what was read counts: a machine that travels gets another zone.
const FRESH: Duration = Duration::from_secs(300);

/// What was read last, and when.
static KNOWN: Mutex<Option<(Instant, TimeZone)>> = Mutex::new(None);

/// The zone that `TZ` names, else the machine's; UTC when neither can be read.
#[must_use]
pub fn local() -> TimeZone {
    let mut known = lock(&KNOWN);
    match &*known {
        Some((at, zone)) if at.elapsed() < FRESH => zone.clone(),
        _ => known.insert((Instant::now(), look())).1.clone(),
    }
}

fn look() -> TimeZone {
    let named = std::env::var_os("TZ").filter(|name| !name.is_empty());
    let file = match &named {
        Some(name) => file_of(Path::new(name)),
        None => Some(PathBuf::from(MACHINE)),
    };
    file.as_deref().and_then(read).unwrap_or_else(TimeZone::system)
}

/// The file of a zone that is named as in `Europe/Berlin`. Other forms name none.
fn file_of(name: &Path) -> Option<PathBuf> {
    let plain = name.components().all(|part| matches!(part, Component::Normal(_)));
    plain.then(|| Path::new(ZONES).join(name))
}

fn read(file: &Path) -> Option<TimeZone> {
    let data = fs::read(file).ok()?;
    let real = file.canonicalize().ok()?;
    let name = real.strip_prefix(ZONES).ok().and_then(Path::to_str).unwrap_or_default();
    TimeZone::tzif(name, &data).ok()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn it_is_the_zone_that_the_library_finds() {
        let (ours, theirs) = (local(), TimeZone::system());
        for second in (0..2_000_000_000).step_by(5_000_000) {
            let at = Timestamp::from_second(second).unwrap();
            assert_eq!(ours.to_offset(at), theirs.to_offset(at), "{at}");
        }
    }

    #[test]
    fn only_plain_names_are_files() {
        assert_eq!(file_of(Path::new("Europe/Berlin")), Some(PathBuf::from("/usr/share/zoneinfo/Europe/Berlin")));
        for other in ["../../etc/passwd", "/etc/passwd", "./UTC"] {
            assert_eq!(file_of(Path::new(other)), None, "{other}");
        }
        assert!(read(Path::new("/usr/share/zoneinfo/EST5EDT,M3.2.0,M11.1.0")).is_none());
        assert!(read(Path::new("/dev/null")).is_none());
    }
}
