//! Which mounts make up a lane's view of the files: decided before anything is mounted, from what exists.
//!
//! Everything is read-only but what is bound as writable. Directories that hold everybody's things are covered as a
//! whole (`/tmp`, `/run`, `/dev`), secrets one by one. Mounts are made from the outside in, so that a deeper path
//! counts more than one around it.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::sandbox::Bounds;

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// An empty directory that can be passed but not listed.
    Covered,
    /// An empty directory, open to look at.
    Empty,
    /// A file that nobody may open.
    Blank,
    /// What the outside has at this path, here to be written.
    Writable(PathBuf),
    /// What the outside has at this path, only to be read.
    Readable(PathBuf),
}

/// One mount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub at: PathBuf,
    pub what: What,
    /// Directories that have to be made for it, from the outside in: it lies in a covered one.
    pub make: Vec<PathBuf>,
    /// Whether it is a file.
    pub file: bool,
}

/// Directories that hold everybody's things: sockets of services above all.
const SHARED: &[&str] = &["/run", "/var/run"];
/// What of those programs cannot do without: the system itself, on some distributions.
const SYSTEM: &[&str] = &["/run/current-system", "/run/booted-system", "/run/opengl-driver", "/run/wrappers"];
/// Where name servers are told, once the network may be used.
const NAMES: &str = "/etc/resolv.conf";
/// Temporary directories.
pub(super) const TEMPORARY: &[&str] = &["/tmp", "/var/tmp"];

/// The mounts of a view, in their order.
pub(super) fn plan(bounds: &Bounds) -> Vec<Place> {
    let mut places: Vec<(PathBuf, What)> = Vec::new();
    let mut covers: Vec<PathBuf> = Vec::new();
    for path in TEMPORARY.iter().filter_map(|path| real(Path::new(path))) {
        covers.push(path.clone());
        places.push((path, What::Writable(bounds.temporary.clone())));
    }
    for path in SHARED.iter().filter_map(|path| real(Path::new(path))) {
        covers.push(path.clone());
        places.push((path, What::Empty));
    }
    covers.push(PathBuf::from("/dev"));
    let names = Some(Path::new(NAMES)).filter(|_| bounds.network).and_then(real);
    let system = SYSTEM.iter().filter_map(|path| real(Path::new(path)));
    let keep = bounds.keep.iter().filter_map(|path| real(path)).chain(system).chain(names);
    let covered = |path: &Path| covers.iter().any(|cover| path.starts_with(cover) && path != cover);
    places.extend(keep.filter(|path| covered(path)).map(|path| (path.clone(), What::Readable(path))));

    let mut hidden: Vec<PathBuf> = bounds.hide.iter().filter_map(|path| real(path)).collect();
    hidden.extend(sockets().into_iter().filter(|path| !path.starts_with(&bounds.worktree) && !covered(path)));
    let own = real(&bounds.worktree);
    let extra = bounds.write.iter().filter_map(|path| real(path));
    // A cache within what is hidden stays hidden.
    let extra = extra.filter(|path| !hidden.iter().any(|hidden| path.starts_with(hidden)));
    places.extend(own.into_iter().chain(extra).map(|path| (path.clone(), What::Writable(path))));
    places.extend(bounds.fixed.iter().filter_map(|path| real(path)).map(|path| (path.clone(), What::Readable(path))));
    places.extend(hidden.iter().map(|path| {
        let what = if path.is_dir() { What::Covered } else { What::Blank };
        (path.clone(), what)
    }));

    // From the outside in; of two for one path the later one counts.
    places.sort_by_key(|(path, _)| path.components().count());
    let mut ordered: Vec<(PathBuf, What)> = Vec::new();
    for (path, what) in places {
        ordered.retain(|(known, _)| *known != path);
        ordered.push((path, what));
    }
    let mut done: Vec<Place> = Vec::new();
    for (at, what) in ordered {
        let around = done.iter().rev().find(|place| at.starts_with(&place.at) && at != place.at);
        let within = around.filter(|place| shows_nothing(place));
        let secret = matches!(what, What::Covered | What::Blank);
        if secret && within.is_some() {
            continue;
        }
        let make = within.map(|place| between(&place.at, &at)).unwrap_or_default();
        let file = match &what {
            What::Covered | What::Empty => false,
            What::Blank => true,
            What::Writable(from) | What::Readable(from) => !from.is_dir(),
        };
        done.push(Place { at, what, make, file });
    }
    done
}

/// Local sockets on which somebody listens: file rules do not keep a program from connecting to them.
fn sockets() -> Vec<PathBuf> {
    /// More than these are no desktop's; each is a mount.
    const MOST: usize = 500;
    /// The kernel gives the list page by page; where a socket goes meanwhile, another may fall out between two pages.
    const READS: usize = 3;
    let read = |_| std::fs::read_to_string("/proc/net/unix").unwrap_or_default();
    let list: String = (0..READS).map(read).collect();
    let paths = list.lines().filter_map(|line| line.split_once(" /").map(|(_, path)| format!("/{path}")));
    let mut found: Vec<PathBuf> = paths.filter_map(|path| real(Path::new(&path))).collect();
    found.sort();
    found.dedup();
    found.truncate(MOST);
    found
}

/// Whether nothing of what the outside has at this path is seen there.
fn shows_nothing(place: &Place) -> bool {
    match &place.what {
        What::Covered | What::Empty => true,
        What::Writable(from) | What::Readable(from) => *from != place.at,
        What::Blank => false,
    }
}

/// The directories below `top` that lead to `path`, without it.
fn between(top: &Path, path: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        path.ancestors().skip(1).take_while(|part| *part != top).map(Path::to_owned).collect();
    found.reverse();
    found
}

/// The path without links, if something is there.
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// A path for the kernel.
pub(super) fn c_path(path: &Path) -> std::io::Result<CString> {
    CString::new(path.as_os_str().as_bytes()).map_err(std::io::Error::from)
}
