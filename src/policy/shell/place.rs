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
    /// Above the directory that the command starts in.
    Above(String),
    /// Nobody knows before it runs.
    Unknown,
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

    /// Where a path leads from all of them.
    pub fn places(&self, word: &Word) -> Vec<Place> {
        if word.known != Known::All || word.many {
            return vec![Place::Unknown];
        }
        let text = word.text.as_str();
        if text.starts_with('/') {
            return vec![join(&Place::Absolute(String::new()), text)];
        }
        match &self.0 {
            None => vec![Place::Unknown],
            Some(all) => all.iter().map(|from| join(from, text)).collect(),
        }
    }
}

/// A path as seen from a place, without `.` and `..`.
fn join(from: &Place, path: &str) -> Place {
    let (mut parts, make): (Vec<&str>, fn(String) -> Place) = match from {
        Place::Inside(base) => (base.split('/').collect(), Place::Inside),
        Place::Absolute(base) => (base.split('/').collect(), Place::Absolute),
        Place::Home(base) => (base.split('/').collect(), Place::Home),
        Place::Above(base) => return Place::Above(format!("{base}/{path}")),
        Place::Unknown => return Place::Unknown,
    };
    parts.retain(|part| !part.is_empty());
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() && !matches!(from, Place::Absolute(_)) {
                    return Place::Above(path.to_owned());
                }
            }
            name => parts.push(name),
        }
    }
    let plain = parts.join("/");
    if matches!(from, Place::Absolute(_)) { make(format!("/{plain}")) } else { make(plain) }
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
        assert_eq!(places(&here, "/etc/../x"), [Place::Absolute("/x".to_owned())]);
        here.change(&Word::literal("src"));
        assert_eq!(places(&here, "a"), [inside("a"), inside("src/a")]);
        assert_eq!(places(&here, "../a"), [Place::Above("../a".to_owned()), inside("a")]);
        here.change(&Word::unknown());
        assert_eq!(places(&here, "a"), [Place::Unknown]);
        assert_eq!(places(&here, "/a"), [Place::Absolute("/a".to_owned())]);
    }
}
