//! The lane's ground: its worktree, the places beside it that anybody may write, and where paths really lead.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::policy::shell::{Analysis, FileUse, Place};

/// Links that are followed in one path, as the kernel does.
const LINKS: usize = 40;

/// Where a lane's program may write.
#[derive(Debug, Clone)]
pub struct Ground {
    /// The worktree, without links in its path.
    pub directory: PathBuf,
    /// The lane's branch; none for a lane in the base checkout, which has no branch to keep.
    pub branch: Option<String>,
    /// The directory that relative paths start from.
    pub current: PathBuf,
    /// Other places that it may write: temporary ones, and the CLI's own.
    pub open: Vec<PathBuf>,
    /// Places that it never may, even below such: the base checkout and other lanes' worktrees.
    pub closed: Vec<PathBuf>,
    /// The person's home directory.
    pub home: Option<PathBuf>,
    /// Names that the person's settings give to commands of git, and what each stands for.
    pub aliases: Vec<(String, String)>,
}

/// Devices that take what is written and keep nothing.
const SINKS: [&str; 6] = ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd", "/dev/zero"];

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::native) enum Leads {
    /// Into the worktree: relative to its root.
    Inside(String),
    /// Elsewhere, where it may write.
    Open,
    /// Elsewhere.
    Outside(PathBuf),
}

impl Ground {
    /// Where a path leads, links followed.
    pub(in crate::native) fn leads(&self, path: &Path) -> Leads {
        let whole = self.current.join(path);
        let Some(real) = real(&whole) else { return Leads::Outside(whole) };
        if let Ok(inside) = real.strip_prefix(&self.directory) {
            // It leads git to the repository: whoever writes it leaves the lane.
            if inside.starts_with(".git") {
                return Leads::Outside(real);
            }
            return match inside.to_str() {
                Some(text) => Leads::Inside(text.to_owned()),
                None => Leads::Outside(whole),
            };
        }
        let within = |places: &[PathBuf]| places.iter().any(|place| real.starts_with(place));
        if within(&self.closed) {
            return Leads::Outside(real);
        }
        let open = within(&self.open) || SINKS.iter().any(|sink| real.starts_with(sink));
        if open { Leads::Open } else { Leads::Outside(real) }
    }

    /// A place that a command names, as a path; none when only running tells.
    pub(in crate::native) fn path(&self, place: &Place) -> Option<PathBuf> {
        match place {
            Place::Inside(path) | Place::Above(path) => Some(self.current.join(path)),
            Place::Absolute(path) => Some(PathBuf::from(path)),
            Place::Home(path) => self.home.as_ref().map(|home| home.join(path)),
            Place::Matching(_) | Place::Unknown => None,
        }
    }

    /// What a command writes: inside, relative to the root, and the first path outside.
    pub(in crate::native) fn written(&self, analysis: &Analysis) -> (Vec<String>, Option<PathBuf>) {
        let (mut inside, mut outside) = (Vec::new(), None);
        let writes = |how: FileUse| matches!(how, FileUse::Write | FileUse::WriteByProgram | FileUse::WriteBelow);
        for target in analysis.files.iter().filter(|target| writes(target.how)) {
            for place in &target.places {
                match self.path(place).map(|path| self.leads(&path)) {
                    Some(Leads::Inside(path)) if !inside.contains(&path) => {
                        inside.push(path);
                    }
                    Some(Leads::Outside(path)) => outside = outside.or(Some(path)),
                    _ => {}
                }
            }
        }
        (inside, outside)
    }
}

/// The path with every link followed, whether or not it exists. None when links go round in circles.
fn real(path: &Path) -> Option<PathBuf> {
    let mut todo: VecDeque<OsString> = parts(path).collect();
    let (mut at, mut links) = (PathBuf::from("/"), 0);
    while let Some(part) = todo.pop_front() {
        if part == ".." {
            at.pop();
            continue;
        }
        let next = at.join(&part);
        match std::fs::read_link(&next) {
            Ok(target) => {
                links += 1;
                if links > LINKS {
                    return None;
                }
                if target.is_absolute() {
                    at = PathBuf::from("/");
                }
                for part in parts(&target).collect::<Vec<_>>().into_iter().rev() {
                    todo.push_front(part);
                }
            }
            Err(_) => at = next,
        }
    }
    Some(at)
}

fn parts(path: &Path) -> impl Iterator<Item = OsString> + '_ {
    path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    })
}

#[cfg(test)]
pub(in crate::native) mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A worktree beside a base checkout, with a link from one to the other.
    pub fn ground() -> (tempfile::TempDir, Ground) {
        let all = tempfile::tempdir().unwrap();
        let root = all.path().canonicalize().unwrap();
        for name in ["web/src", "base/src", "tmp"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        symlink(root.join("base"), root.join("web/link")).unwrap();
        symlink("../base/new", root.join("web/dangling")).unwrap();
        symlink("round", root.join("web/round")).unwrap();
        let directory = root.join("web");
        let branch = Some("lane/web".to_owned());
        let open = vec![root.join("tmp")];
        let closed = vec![root.join("tmp/base")];
        let aliases = [("co", "checkout"), ("sw", "switch"), ("st", "status -s"), ("leave", "!git switch main")];
        let aliases = aliases.map(|(name, text)| (name.to_owned(), text.to_owned())).to_vec();
        (all, Ground { current: directory.clone(), directory, branch, open, closed, home: Some(root), aliases })
    }

    #[test]
    fn paths_lead_where_their_links_lead() {
        let (_all, ground) = ground();
        let leads = |path: &str| match ground.leads(Path::new(path)) {
            Leads::Inside(path) => path,
            Leads::Open => "open".to_owned(),
            Leads::Outside(_) => "outside".to_owned(),
        };
        for (path, wanted) in [
            ("src/a.rs", "src/a.rs"),
            ("./src/../b", "b"),
            ("../web/c", "c"),
            ("../base/src/a", "outside"),
            ("link/src/a", "outside"),
            ("dangling", "outside"),
            ("round", "outside"),
            ("/dev/null", "open"),
            ("../tmp/x", "open"),
            ("../tmp/base/x", "outside"),
            ("/etc/passwd", "outside"),
            (".git", "outside"),
            (".git/HEAD", "outside"),
            (".gitignore", ".gitignore"),
        ] {
            assert_eq!(leads(path), wanted, "{path}");
        }
    }

    #[test]
    fn what_a_command_writes_is_found_in_redirections_too() {
        let (_all, ground) = ground();
        let written = |command: &str| ground.written(&crate::policy::shell::analyse(command));
        assert_eq!(written("echo x > src/a.rs").0, ["src/a.rs"]);
        assert_eq!(written("cd src && echo x >> b").0, ["b", "src/b"], "the change may fail");
        assert_eq!(written("rm -r src").0, ["src"]);
        for outside in
            ["echo x > ../base/a", "cp a ../base/src/", "rm -rf link/src", "echo x | tee ~/notes", "mv a /srv/a"]
        {
            assert!(written(outside).1.is_some(), "{outside}");
        }
        for fine in ["echo x > /dev/null", "cat ../base/a", "echo x > ../tmp/y", "make 2>&1"] {
            assert_eq!(written(fine).1, None, "{fine}");
        }
    }
}
