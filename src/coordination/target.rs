//! What can be held: paths, or a resource by its name.

use std::fmt;
use std::str::FromStr;

use super::paths::Fold;
use super::pattern::{Pattern, PatternError};

/// Bytes of a resource's name.
const RESOURCE: usize = 160;

/// What a reservation is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A path, a directory or a glob.
    Paths(Pattern),
    /// A named resource such as `port:5432`: it is the very same name, or another one.
    Resource(String),
}

impl Target {
    /// Whether both cannot be held at once.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Paths(a), Self::Paths(b)) => a.overlaps(b),
            (Self::Resource(a), Self::Resource(b)) => a == b,
            _ => false,
        }
    }

    /// As the file system compares names.
    #[must_use]
    pub fn folded(&self, fold: Fold) -> Self {
        match self {
            Self::Paths(pattern) => Self::Paths(pattern.folded(fold)),
            Self::Resource(name) => Self::Resource(name.clone()),
        }
    }

    /// The paths, if it is some.
    #[must_use]
    pub const fn paths(&self) -> Option<&Pattern> {
        match self {
            Self::Paths(pattern) => Some(pattern),
            Self::Resource(_) => None,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // A path that looks like a resource must still be a path when it is read again.
            Self::Paths(pattern) if is_resource(pattern.as_str()) => write!(f, "./{pattern}"),
            // The whole repository; alone it would read as the root of the file system.
            Self::Paths(pattern) if pattern.as_str() == "/" => f.write_str("./"),
            Self::Paths(pattern) => write!(f, "{pattern}"),
            Self::Resource(name) => f.write_str(name),
        }
    }
}

impl FromStr for Target {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if !is_resource(text) {
            return text.parse().map(Self::Paths);
        }
        if text.len() > RESOURCE {
            return Err(PatternError {
                text: text.chars().take(40).collect(),
                rule: "a resource's name has at most 160 bytes",
            });
        }
        Ok(Self::Resource(text.to_owned()))
    }
}

/// `scheme:name`: a scheme in lower case, and a name without blanks or what globs are made of. A path of such a form is
/// written `./scheme:name`.
fn is_resource(text: &str) -> bool {
    let Some((scheme, name)) = text.split_once(':') else { return false };
    let first = scheme.bytes().next().is_some_and(|b| b.is_ascii_lowercase());
    let scheme = scheme.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    let name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-/:@+".contains(&b));
    first && scheme && name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(text: &str) -> Target {
        text.parse().unwrap()
    }

    #[test]
    fn resources_meet_only_themselves() {
        assert!(target("port:5432").overlaps(&target("port:5432")));
        assert!(!target("port:5432").overlaps(&target("port:54321")));
        assert!(!target("port:5432").overlaps(&target("./port:5432")));
        assert!(!target("port:5432").overlaps(&target("**")));
        assert!(target("src/").overlaps(&target("src/a.rs")));
        let fold = Fold { case: true, form: false };
        assert!(!target("Src/*").overlaps(&target("src/a.rs")));
        assert!(target("Src/*").folded(fold).overlaps(&target("src/a.rs").folded(fold)));
    }

    #[test]
    fn what_is_shown_reads_as_the_same() {
        for text in ["port:5432", "./port:5432", "src/*.rs", "Port:5432", "src/a:b", "merge:branch/x", ".", "./"] {
            assert_eq!(target(&target(text).to_string()), target(text), "{text}");
        }
        assert_eq!(target(".").to_string(), "./");
        assert!("../x".parse::<Target>().is_err() && "port:".parse::<Target>().is_ok_and(|t| t.paths().is_some()));
    }
}
