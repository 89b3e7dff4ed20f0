//! A path, directory or glob relative to the repository's root.

use std::fmt;
use std::str::FromStr;

use super::glob::{Part, parts_meet, path_fits};
use super::paths::Fold;

/// Alternatives that braces may make in all: enough for any file list written by hand, too few to be slow.
const MOST_ALTERNATIVES: usize = 64;

/// Longer texts are no path of any system.
const LONGEST: usize = 4096;

/// The text names nothing in the repository.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` cannot be a path or glob here: {rule}")]
pub struct PatternError {
    /// What was given.
    pub text: String,
    /// The rule it breaks, and what to write instead.
    pub rule: &'static str,
}

/// A path, directory or glob. `*`, `?`, `[a-z]`, `{a,b}` and `**` (as a whole component) are known; `\`
/// takes their meaning away. A plain path, and whatever ends in `/`, covers everything beneath it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    alternatives: Vec<Vec<Part>>,
    plain: bool,
}

impl Pattern {
    /// A file that exists or is to be written: every character stands for itself.
    ///
    /// # Errors
    /// When it is empty, absolute, or leads out of the repository.
    pub fn file(text: &str) -> Result<Self, PatternError> {
        let clean = normalise(text)?;
        Ok(Self { alternatives: vec![names(&clean)], text: clean, plain: true })
    }

    /// A file or directory: every character stands for itself.
    ///
    /// # Errors
    /// When it is empty, absolute, or leads out of the repository.
    pub fn plain(text: &str) -> Result<Self, PatternError> {
        let clean = normalise(text)?;
        Ok(Self { alternatives: vec![with_beneath(names(&clean), &clean)], text: clean, plain: true })
    }

    /// The text, normalised: no `./`, no doubled slashes; a directory ends in `/`.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is a path or directory, not a glob.
    pub const fn is_plain(&self) -> bool {
        self.plain
    }

    /// The same in the form by which paths are compared. One that cannot be read so is left as it is.
    pub(super) fn folded(&self, fold: Fold) -> Self {
        if fold.is_none() {
            return self.clone();
        }
        let text = fold.of(&self.text);
        let file = self.plain && self.alternatives.iter().all(|parts| parts.last() != Some(&Part::Any));
        let read = match (self.plain, file) {
            (true, true) => Self::file(&text),
            (true, false) => Self::plain(&text),
            (false, _) => text.parse(),
        };
        read.unwrap_or_else(|_| self.clone())
    }

    /// What every path in it begins with: the text before its first wildcard, whole components only; for a plain path
    /// the path.
    pub(super) fn begins_with(&self) -> &str {
        if self.plain {
            return self.text.trim_end_matches('/');
        }
        let end = self.text.find(['*', '?', '[', '{', '\\']).unwrap_or(self.text.len());
        self.text.get(..end).and_then(|begin| begin.get(..begin.rfind('/')? + 1)).unwrap_or_default()
    }

    /// What every path in it ends with: the text behind its last wildcard; nothing where that is not certain.
    pub(super) fn ends_with(&self) -> &str {
        let certain = !self.plain && !self.text.ends_with('/') && !self.text.contains(['[', '{', '\\']);
        let tail = self.text.rfind(['*', '?']).and_then(|at| self.text.get(at + 1..));
        // `**` may stand for no component at all, and then no slash stands before the rest.
        tail.filter(|_| certain).unwrap_or_default().trim_start_matches('/')
    }

    /// Whether some path lies in both.
    pub fn overlaps(&self, other: &Self) -> bool {
        if self.plain && other.plain {
            return beneath(&self.text, &other.text);
        }
        self.alternatives.iter().any(|a| other.alternatives.iter().any(|b| parts_meet(a, b)))
    }

    /// Whether it overlaps a file's path, taken as it stands.
    pub fn meets_file(&self, path: &str) -> bool {
        if self.plain {
            return beneath(&self.text, path);
        }
        self.alternatives.iter().any(|parts| path_fits(parts, path))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let clean = normalise(text)?;
        if !clean.contains(['*', '?', '[', '{', '\\']) {
            return Self::plain(text);
        }
        let mut alternatives: Vec<Vec<Part>> = Vec::new();
        for one in braces(&clean).ok_or(PatternError {
            text: text.to_owned(),
            rule: "its braces make too many alternatives; reserve a directory instead",
        })? {
            let parts: Vec<Part> = one.split('/').filter(|part| !part.is_empty()).map(Part::read).collect();
            let plain = parts.iter().all(|part| matches!(part, Part::Name(_)));
            let parts = if plain || one.ends_with('/') { with_beneath(parts, &one) } else { parts };
            alternatives.push(parts);
        }
        // Some frameworks have files called `[id].tsx` or `{lang}.json`: such a name means itself too.
        if clean.contains(['[', '{']) {
            alternatives.push(with_beneath(names(&clean), &clean));
        }
        Ok(Self { text: clean, alternatives, plain: false })
    }
}

/// The components of a plain path.
fn names(path: &str) -> Vec<Part> {
    path.split('/').filter(|part| !part.is_empty()).map(|part| Part::Name(part.to_owned())).collect()
}

/// The same with everything beneath, unless the text names a file. Written without a slash at its end, a
/// name with an extension is taken for a file: else `src/a.rs` would meet `**/*.snap`.
fn with_beneath(mut parts: Vec<Part>, text: &str) -> Vec<Part> {
    let name = text.rsplit('/').next().unwrap_or_default();
    let file = name.char_indices().any(|(at, c)| c == '.' && at > 0);
    if !file && parts.last() != Some(&Part::Any) {
        parts.push(Part::Any);
    }
    parts
}

/// Whether one of two plain paths is the other or lies beneath it.
fn beneath(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim_end_matches('/'), b.trim_end_matches('/'));
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    long.strip_prefix(short).is_some_and(|rest| short.is_empty() || rest.is_empty() || rest.starts_with('/'))
}

/// Checks a text and takes `./` and doubled slashes out of it. The repository's root is `/` alone.
fn normalise(text: &str) -> Result<String, PatternError> {
    let refuse = |rule| Err(PatternError { text: text.chars().take(200).collect(), rule });
    if text.is_empty() {
        return refuse("it is empty; `./` means the whole repository");
    }
    if text.len() > LONGEST {
        return refuse("it is too long");
    }
    if text.contains('\0') {
        return refuse("it holds a NUL character");
    }
    if text.starts_with('/') || text.starts_with("~/") || text == "~" {
        return refuse("write it relative to the repository's root");
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => return refuse("`..` could lead out of the repository; write it relative to its root"),
            part => parts.push(part),
        }
    }
    let directory = text.ends_with('/') || text.ends_with("/.") || text == ".";
    Ok(format!("{}{}", parts.join("/"), if directory || parts.is_empty() { "/" } else { "" }))
}

/// `a{b,c}d` as `abd` and `acd`, nested ones too; a brace without its partner stands for itself. None when
/// there are too many.
fn braces(text: &str) -> Option<Vec<String>> {
    let mut done = Vec::new();
    let mut open = vec![text.to_owned()];
    while let Some(next) = open.pop() {
        match first_group(&next) {
            None => done.push(next),
            Some((start, end, commas)) => {
                let mut from = start + 1;
                let mut pieces = Vec::new();
                for to in commas.into_iter().chain([end]) {
                    pieces.push(format!("{}{}{}", &next[..start], &next[from..to], &next[end + 1..]));
                    from = to + 1;
                }
                open.extend(pieces.into_iter().rev());
            }
        }
        if done.len() + open.len() > MOST_ALTERNATIVES {
            return None;
        }
    }
    Some(done)
}

/// The first group of braces with a comma: where it opens and closes, and its own commas.
fn first_group(text: &str) -> Option<(usize, usize, Vec<usize>)> {
    let bytes = text.as_bytes();
    for start in (0..bytes.len()).filter(|&i| bytes[i] == b'{' && !escaped(bytes, i)) {
        let mut depth = 0;
        let mut commas = Vec::new();
        for at in (start..bytes.len()).filter(|&i| !escaped(bytes, i)) {
            match bytes[at] {
                b'{' => depth += 1,
                b',' if depth == 1 => commas.push(at),
                b'}' => {
                    depth -= 1;
                    if depth == 0 && !commas.is_empty() {
                        return Some((start, at, commas));
                    }
                    if depth == 0 {
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    None
}

fn escaped(bytes: &[u8], at: usize) -> bool {
    bytes[..at].iter().rev().take_while(|b| **b == b'\\').count() % 2 == 1
}
