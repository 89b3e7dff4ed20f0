//! Patterns of paths, arranged by what a path must have in it to fit: a directory that it begins with, a name, or the
//! end of one. Few patterns are looked at for each path, so that a thousand rules cost no more than ten.

use std::collections::HashMap;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// Patterns, each with the place of its rule in the policy's list.
#[derive(Clone, Default)]
pub(super) struct Patterns {
    /// By the directory, or the file, that they begin with.
    begins: HashMap<String, Beginning>,
    /// Those for a name at any depth, and those for all below it.
    names: Names,
    below_names: Names,
    /// All others.
    others: Set,
    empty: bool,
}

/// Patterns for names at any depth.
#[derive(Clone, Default)]
struct Names {
    whole: HashMap<String, Vec<usize>>,
    /// Those of which only the end is told: `.pem`.
    ends: HashMap<String, Vec<usize>>,
}

impl Names {
    /// Takes a pattern for a name, if it is as plain as that.
    fn take(&mut self, name: &str, owner: usize) -> bool {
        let end = name.strip_prefix('*').filter(|end| end.starts_with('.'));
        let (of, key) = match end {
            Some(end) => (&mut self.ends, end),
            None => (&mut self.whole, name),
        };
        let plain = !key.is_empty() && !key.contains(['/', '*', '?', '[', ']', '{', '}', '\\']);
        if plain {
            of.entry(key.to_owned()).or_default().push(owner);
        }
        plain
    }

    fn fits(&self, name: &str, found: &mut Vec<usize>) {
        found.extend(self.whole.get(name).into_iter().flatten());
        if !self.ends.is_empty() {
            let dots = name.match_indices('.').filter_map(|(at, _)| name.get(at..));
            found.extend(dots.filter_map(|end| self.ends.get(end)).flatten());
        }
    }
}

/// Patterns that begin with the same directory.
#[derive(Clone, Default)]
struct Beginning {
    /// Those for just that path.
    itself: Vec<usize>,
    /// Those for all that is below it.
    below: Vec<usize>,
    others: Set,
}

/// Patterns that are tried together.
#[derive(Clone, Default)]
struct Set {
    set: GlobSet,
    owners: Vec<usize>,
}

impl Set {
    fn fits(&self, path: &str, found: &mut Vec<usize>) {
        if !self.owners.is_empty() {
            found.extend(self.set.matches(path).into_iter().filter_map(|at| self.owners.get(at)));
        }
    }
}

/// A set on its way.
#[derive(Default)]
struct Building {
    globs: Vec<Glob>,
    owners: Vec<usize>,
}

impl Building {
    fn add(&mut self, pattern: &str, owner: usize) {
        if let Ok(glob) = GlobBuilder::new(pattern).literal_separator(true).build() {
            self.globs.push(glob);
            self.owners.push(owner);
        }
    }

    fn set(self) -> Option<Set> {
        let mut set = GlobSetBuilder::new();
        for glob in self.globs {
            set.add(glob);
        }
        Some(Set { set: set.build().ok()?, owners: self.owners })
    }
}

/// What makes a text a pattern.
const SPECIAL: [char; 7] = ['*', '?', '[', ']', '{', '}', '\\'];

impl Patterns {
    /// Of patterns with their owners; none when they are too large to be held.
    pub fn of(patterns: impl IntoIterator<Item = (String, usize)>) -> Option<Self> {
        let mut all = Self { empty: true, ..Self::default() };
        let mut others = Building::default();
        let mut begins: HashMap<String, Building> = HashMap::new();
        for (pattern, owner) in patterns {
            all.empty = false;
            let bare = pattern.strip_suffix("/**").unwrap_or(&pattern);
            let names = if bare.len() == pattern.len() { &mut all.names } else { &mut all.below_names };
            if bare.strip_prefix("**/").is_some_and(|name| names.take(name, owner)) {
                continue;
            }
            if !bare.is_empty() && !bare.contains(SPECIAL) {
                let beginning = all.begins.entry(bare.to_owned()).or_default();
                if bare.len() == pattern.len() { &mut beginning.itself } else { &mut beginning.below }.push(owner);
            } else {
                match directory(&pattern) {
                    Some(directory) => begins.entry(directory.to_owned()).or_default().add(&pattern, owner),
                    None => others.add(&pattern, owner),
                }
            }
        }
        for (directory, building) in begins {
            all.begins.entry(directory).or_default().others = building.set()?;
        }
        Some(Self { others: others.set()?, ..all })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// The places of the rules that fit, in their order.
    pub fn fits(&self, path: &str) -> Vec<usize> {
        let mut found = Vec::new();
        if self.empty {
            return found;
        }
        let mut begin = 0;
        let slashes = path.match_indices('/').map(|(at, _)| at);
        for end in slashes.chain([path.len()]) {
            let whole = end == path.len();
            if let Some(beginning) = path.get(..end).and_then(|start| self.begins.get(start)) {
                found.extend(if whole { &beginning.itself } else { &beginning.below });
                if !whole {
                    beginning.others.fits(path, &mut found);
                }
            }
            let names = if whole { &self.names } else { &self.below_names };
            names.fits(path.get(begin..end).unwrap_or_default(), &mut found);
            begin = end + 1;
        }
        self.others.fits(path, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The directory that a pattern begins with, if it is plain.
fn directory(pattern: &str) -> Option<&str> {
    let special = pattern.find(SPECIAL)?;
    let (directory, _) = pattern.get(..special)?.rsplit_once('/')?;
    Some(directory).filter(|directory| !directory.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(patterns: &[String], path: &str) -> Vec<usize> {
        let fits = |pattern: &String| {
            let glob = GlobBuilder::new(pattern).literal_separator(true).build();
            glob.is_ok_and(|glob| glob.compile_matcher().is_match(path))
        };
        patterns.iter().enumerate().filter(|(_, pattern)| fits(pattern)).map(|(at, _)| at).collect()
    }

    proptest! {
        #[test]
        fn the_same_fit_as_without_an_arrangement(
            patterns in prop::collection::vec("(\\*\\*/)?[ab.*]{1,3}(/[ab.*?{},]{1,3}){0,2}(/\\*\\*)?|~/a/\\*\\*|/a/b|/[ab*]/\\*\\*", 0..12),
            // Paths are judged without `.` and `..` in them.
            paths in prop::collection::vec("[~/]?\\.?[ab]{1,2}(\\.[ab])?(/\\.?[ab]{1,2}(\\.[ab])?){0,3}", 1..8),
        ) {
            let all = Patterns::of(patterns.iter().cloned().enumerate().map(|(at, pattern)| (pattern, at))).unwrap();
            for path in paths {
                prop_assert_eq!(all.fits(&path), plain(&patterns, &path), "{:?} {}", patterns, path);
            }
        }
    }
}
