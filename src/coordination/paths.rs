//! Many paths of one lane, arranged so that what is asked of them is found without looking at each; and what counts as
//! the same path on the file system that they stand on.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use unicode_normalization::{UnicodeNormalization as _, is_nfc};

use super::pattern::Pattern;

/// Which names are one name to the file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fold {
    /// Capital and small letters.
    pub case: bool,
    /// The forms in which Unicode writes one letter: composed and decomposed.
    pub form: bool,
}

impl Fold {
    /// The form by which paths are compared.
    pub fn of(self, path: &str) -> Cow<'_, str> {
        if path.is_ascii() {
            let plain = !self.case || !path.bytes().any(|byte| byte.is_ascii_uppercase());
            return if plain { Cow::Borrowed(path) } else { Cow::Owned(path.to_ascii_lowercase()) };
        }
        let formed = if self.form && !is_nfc(path) { Cow::Owned(path.nfc().collect()) } else { Cow::Borrowed(path) };
        if self.case { Cow::Owned(formed.to_lowercase()) } else { formed }
    }

    /// Whether every path is compared as it is written.
    #[must_use]
    pub const fn is_none(self) -> bool {
        !self.case && !self.form
    }
}

/// Paths of files, in order of the form by which they are compared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PathSet {
    fold: Fold,
    /// As they are written, in the order of `keys`.
    paths: Vec<String>,
    /// What they are compared by, where that is not how they are written; else empty.
    keys: Vec<String>,
}

impl PathSet {
    /// Arranges paths; each counts once.
    #[must_use]
    pub fn new<'a>(paths: impl IntoIterator<Item = &'a str>, fold: Fold) -> Self {
        if fold.is_none() {
            let mut paths: Vec<String> = paths.into_iter().map(str::to_owned).collect();
            paths.sort_unstable();
            paths.dedup();
            return Self { fold, paths, keys: Vec::new() };
        }
        let mut pairs: Vec<(String, String)> =
            paths.into_iter().map(|path| (fold.of(path).into_owned(), path.to_owned())).collect();
        pairs.sort_unstable();
        pairs.dedup_by(|a, b| a.0 == b.0);
        let (keys, paths) = pairs.into_iter().unzip();
        Self { fold, paths, keys }
    }

    fn keys(&self) -> &[String] {
        if self.keys.is_empty() { &self.paths } else { &self.keys }
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether this very path is among them.
    #[must_use]
    pub fn contains(&self, path: &str) -> bool {
        let key = self.fold.of(path);
        self.keys().binary_search_by(|known| known.as_str().cmp(&key)).is_ok()
    }

    /// Those that a pattern meets, given in the form by which paths are compared. Costs what is found and what begins
    /// like it, not what there is.
    pub fn meeting<'s, 'w>(&'s self, wanted: &'w Pattern) -> impl Iterator<Item = &'s str> + use<'s, 'w> {
        let begin = wanted.begins_with();
        let above = ancestors(begin).filter_map(|above| self.place(above)).filter_map(|at| self.paths.get(at));
        let begins = self.beginning_with(begin);
        let keys = self.keys().get(begins.clone()).unwrap_or_default();
        let paths = self.paths.get(begins).unwrap_or_default();
        let end = wanted.ends_with();
        let fits = move |(key, _): &(&String, &String)| key.ends_with(end) && wanted.meets_file(key);
        let among = keys.iter().zip(paths).filter(fits).map(|(_, path)| path);
        // A file above a glob is met only if the glob may stand for it: a plain path lies beneath it for sure.
        let above = above.filter(|path| wanted.meets_file(&self.fold.of(path)));
        above.chain(among).map(String::as_str)
    }

    fn place(&self, key: &str) -> Option<usize> {
        self.keys().binary_search_by(|known| known.as_str().cmp(key)).ok()
    }

    /// Where those stand whose form begins so.
    fn beginning_with(&self, begin: &str) -> Range<usize> {
        let keys = self.keys();
        let from = keys.partition_point(|key| key.as_str() < begin);
        let rest = keys.get(from..).unwrap_or_default();
        from..from + rest.partition_point(|key| key.starts_with(begin))
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(String::as_str)
    }
}

/// The directories above a path, without the path itself: `a/b/c` and `a/b/` give `a`, `a/b`.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.char_indices().filter(|(_, c)| *c == '/').filter_map(|(at, _)| path.get(..at))
}

/// A few paths that change often: those of a running turn.
pub(super) fn meeting_few<'a>(paths: &'a BTreeSet<String>, wanted: &Pattern, fold: Fold) -> Vec<&'a str> {
    paths.iter().filter(|path| wanted.meets_file(&fold.of(path))).map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use proptest::prelude::*;

    use super::*;

    const MAC: Fold = Fold { case: true, form: true };

    fn pattern(text: &str, fold: Fold) -> Pattern {
        fold.of(text).parse().unwrap()
    }

    fn met(set: &PathSet, text: &str, fold: Fold) -> Vec<String> {
        set.meeting(&pattern(text, fold)).map(str::to_owned).collect()
    }

    #[test]
    fn case_and_form_count_as_the_file_system_has_them() {
        let decomposed = "docs/u\u{308}ber.md";
        let paths = ["Src/Login.rs", "src/router.rs", decomposed];
        let (plain, mac) = (PathSet::new(paths, Fold::default()), PathSet::new(paths, MAC));
        assert_eq!(met(&plain, "src/login.rs", Fold::default()), [""; 0]);
        assert_eq!(met(&mac, "src/login.rs", MAC), ["Src/Login.rs"], "shown as it is written");
        assert_eq!(met(&mac, "SRC/", MAC), ["Src/Login.rs", "src/router.rs"]);
        assert_eq!(met(&mac, "s*/[L]*.rs", MAC), ["Src/Login.rs"]);
        assert_eq!(met(&plain, "docs/über.md", Fold::default()), [""; 0]);
        assert_eq!(met(&mac, "docs/Über.md", MAC), [decomposed]);
        assert!(mac.contains("SRC/ROUTER.RS") && !plain.contains("SRC/ROUTER.RS") && plain.contains("src/router.rs"));
        assert_eq!(PathSet::new(["a", "A", "a"], MAC).len(), 1);
    }

    #[test]
    fn a_file_above_and_all_beneath_are_met() {
        let set = PathSet::new(["a", "a/b/c", "a/b/d", "a/bc", "b"], Fold::default());
        assert_eq!(met(&set, "a/b", Fold::default()), ["a", "a/b/c", "a/b/d"]);
        assert_eq!(met(&set, "a/b/", Fold::default()), ["a", "a/b/c", "a/b/d"]);
        assert_eq!(met(&set, "**/c", Fold::default()), ["a/b/c"]);
        assert_eq!(met(&set, "**/b", Fold::default()), ["b"]);
        assert_eq!(met(&set, "./", Fold::default()), ["a", "a/b/c", "a/b/d", "a/bc", "b"]);
    }

    proptest! {
        #[test]
        fn what_is_found_is_what_looking_at_each_finds(
            paths in proptest::collection::vec("[abAB]{1,2}(/[abAB]{1,2}){0,2}", 0..20),
            wanted in "[abAB*?]{1,2}(/([abAB*?]{1,2}|\\*\\*)){0,2}/?",
            folded in any::<bool>(),
        ) {
            let fold = if folded { MAC } else { Fold::default() };
            let set = PathSet::new(paths.iter().map(String::as_str), fold);
            let pattern = pattern(&wanted, fold);
            let mut found: Vec<String> = set.meeting(&pattern).map(|path| fold.of(path).into_owned()).collect();
            found.sort();
            let mut each: Vec<String> =
                paths.iter().map(|path| fold.of(path).into_owned()).filter(|key| pattern.meets_file(key)).collect();
            each.sort();
            each.dedup();
            prop_assert_eq!(found, each);
        }
    }
}
