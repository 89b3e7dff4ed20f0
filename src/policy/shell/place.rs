//! Where a path leads, by its text alone.

use std::collections::BTreeSet;

use super::model::{Known, Word};

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Below the directory that the command starts in; empty for that directory itself.
    Inside(String),
    /// An absolute path.
    Absolute(String),
    /// Below a home directory, as written: `~/x`.
    Home(String),
    /// Above the directory that the command starts in: `../x`, with as many `..` at its beginning as lead up, and no
    /// others.
    Above(String),
    /// What a pattern of the shell stands for, below the directory that the command starts in.
    Matching(String),
    /// Nobody knows before it runs.
    Unknown,
}

impl Place {
    /// Where a path leads from the directory that everything starts in.
    pub(in crate::policy) fn of(path: &str) -> Self {
        let here = Self::Inside(String::new());
        if path.starts_with('/') { join(&Self::Absolute(String::new()), path) } else { join(&here, path) }
    }
}

/// The directories that a command may be in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Directories(Option<BTreeSet<Place>>);

/// More places than this are as good as unknown.
const MOST: usize = 8;

impl Default for Directories {
    fn default() -> Self {
        Self(Some(BTreeSet::from([Place::Inside(String::new())])))
    }
}

impl Directories {
    /// Anywhere.
    pub fn unknown() -> Self {
        Self(None)
    }

    /// A change of directory may have happened. It may also have failed.
    pub fn change(&mut self, to: &Word) {
        let places = self.places(to);
        if places.contains(&Place::Unknown) {
            self.0 = None;
        }
        if let Some(all) = &mut self.0 {
            all.extend(places);
            if all.len() > MOST {
                self.0 = None;
            }
        }
    }

    /// What follows is seen from another directory.
    pub fn enter(&mut self, to: &Word) {
        let places: BTreeSet<Place> =
            home(to).map_or_else(|| self.places(to), |place| vec![place]).into_iter().collect();
        self.0 = (!places.contains(&Place::Unknown) && places.len() <= MOST).then_some(places);
    }

    /// What a pattern of the shell may stand for, from all of them.
    pub fn matching(&self, pattern: &str) -> Vec<Place> {
        if pattern.starts_with('~') {
            return vec![Place::Unknown];
        }
        if pattern.starts_with('/') {
            return vec![match through_processes(pattern) {
                None => Place::Matching(pattern.to_owned()),
                Some(_) => Place::Unknown,
            }];
        }
        let from = |place: &Place| match place {
            Place::Inside(base) if base.is_empty() => Place::Matching(pattern.to_owned()),
            Place::Inside(base) | Place::Absolute(base) => Place::Matching(format!("{base}/{pattern}")),
            _ => Place::Unknown,
        };
        self.0.as_ref().map_or_else(|| vec![Place::Unknown], |all| all.iter().map(from).collect())
    }

    /// Where a path leads from all of them.
    pub fn places(&self, word: &Word) -> Vec<Place> {
        if word.known != Known::All || word.many {
            return vec![Place::Unknown];
        }
        let text = word.text.as_str();
        if text.starts_with('/') {
            return match through_processes(text) {
                None => vec![join(&Place::Absolute(String::new()), text)],
                Some(Through::Root(rest)) => vec![join(&Place::Absolute(String::new()), &rest)],
                Some(Through::Current(rest)) => self.places(&Word::literal(rest)),
                Some(Through::Unknown) => vec![Place::Unknown],
            };
        }
        match &self.0 {
            None => vec![Place::Unknown],
            Some(all) => all.iter().map(|from| join(from, text)).collect(),
        }
    }
}

/// A path as seen from a place, without `.` and `..`.
fn join(from: &Place, path: &str) -> Place {
    let base = match from {
        Place::Inside(base) | Place::Absolute(base) | Place::Home(base) | Place::Above(base) => base.as_str(),
        Place::Matching(_) | Place::Unknown => return Place::Unknown,
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." => drop(parts.pop()),
                _ if matches!(from, Place::Absolute(_)) => {}
                _ => parts.push(".."),
            },
            name => parts.push(name),
        }
    }
    let plain = parts.join("/");
    match from {
        Place::Absolute(_) => Place::Absolute(format!("/{plain}")),
        // What lies beside a home directory nobody asks about by its name.
        Place::Home(_) if parts.first() == Some(&"..") => Place::Unknown,
        Place::Home(_) => Place::Home(plain),
        _ if parts.first() == Some(&"..") => Place::Above(plain),
        _ => Place::Inside(plain),
    }
}

/// Where an absolute path leads by way of what the system tells of processes.
enum Through {
    /// From the root.
    Root(String),
    /// From the current directory.
    Current(String),
    /// Nobody knows: another process, or an open file.
    Unknown,
}

/// Follows `/proc/self/cwd`, `/proc/self/root` and the like; none for other paths.
fn through_processes(path: &str) -> Option<Through> {
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = path.split('/');
    while let Some(part) = rest.next() {
        match part {
            "" | "." => continue,
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
        // The threads of a process have the same again.
        let (of, at) = match parts.as_slice() {
            ["proc", of, "task", _, at] | ["proc", of, at] => (*of, *at),
            ["dev", "fd"] => ("self", "fd"),
            _ => continue,
        };
        let left: String = rest.clone().collect::<Vec<_>>().join("/");
        let own = matches!(of, "self" | "thread-self");
        return match at {
            "root" if own => Some(Through::Root(format!("/{left}"))),
            "cwd" if own => Some(Through::Current(if left.is_empty() { ".".to_owned() } else { left })),
            // The three that every program has are what it is given.
            "fd" if own && matches!(left.as_str(), "" | "0" | "1" | "2") => None,
            "root" | "cwd" | "fd" | "map_files" => Some(Through::Unknown),
            "task" => continue,
            _ => None,
        };
    }
    None
}

/// A word that begins with an unquoted `~`.
pub(super) fn home(word: &Word) -> Option<Place> {
    if word.known != Known::Pattern {
        return None;
    }
    if word.text == "~" {
        Some(Place::Home(String::new()))
    } else {
        Some(join(&Place::Home(String::new()), word.text.strip_prefix("~/")?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_where_their_text_says() {
        let mut here = Directories::default();
        let places = |here: &Directories, text: &str| here.places(&Word::literal(text));
        let inside = |text: &str| Place::Inside(text.to_owned());
        assert_eq!(places(&here, "a/./b/../c"), [inside("a/c")]);
        assert_eq!(places(&here, "../x"), [Place::Above("../x".to_owned())]);
        assert_eq!(places(&here, "a/../../b/../x"), [Place::Above("../x".to_owned())]);
        for path in ["/proc/self/cwd/a", "//proc/./thread-self/cwd/a", "/tmp/../proc/self/task/7/cwd/./a"] {
            assert_eq!(places(&here, path), [inside("a")], "{path}");
        }
        assert_eq!(places(&here, "/proc/self/cwd/../x"), [Place::Above("../x".to_owned())], "not /proc/self/x");
        assert_eq!(places(&here, "/proc/self/root/etc/x"), [Place::Absolute("/etc/x".to_owned())]);
        for path in ["/proc/1/cwd/a", "/dev/fd/3", "/dev/fd/3/key", "/proc/self/fd/9", "/proc/self/map_files/x"] {
            assert_eq!(places(&here, path), [Place::Unknown], "{path}");
        }
        assert_eq!(places(&here, "/etc/../x"), [Place::Absolute("/x".to_owned())]);
        here.change(&Word::literal("src"));
        assert_eq!(places(&here, "a"), [inside("a"), inside("src/a")]);
        assert_eq!(places(&here, "../a"), [Place::Above("../a".to_owned()), inside("a")]);
        here.change(&Word::unknown());
        assert_eq!(places(&here, "a"), [Place::Unknown]);
        assert_eq!(places(&here, "/a"), [Place::Absolute("/a".to_owned())]);
    }
}
