//! `list`, `glob` and `grep`: names and lines, without what git ignores.

use globset::{GlobBuilder, GlobMatcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkFinish, SinkMatch};
use tokio_util::sync::CancellationToken;

use super::arguments::{Grep, Only};
use super::{OUTPUT_CAP, counted};
use crate::base::clip;
use crate::domain::{FileKind, Files, Walk};

/// Names that `list` and `glob` give.
const NAMES_CAP: usize = 1000;
/// Lines or files that `grep` gives.
const MATCHES_CAP: usize = 200;
/// Cells of each line.
const MATCH_CELLS: usize = 300;
/// The memory a compiled pattern may take.
const PATTERN_CAP: usize = 4 * 1024 * 1024;

pub(super) fn list(path: &str, files: &dyn Files) -> Result<(String, String), String> {
    let names = files.list(path).map_err(|error| error.to_string())?;
    let total = names.len();
    let mut out: Vec<String> = names
        .into_iter()
        .take(NAMES_CAP)
        .map(|entry| {
            let mark = match entry.kind {
                FileKind::Directory => "/",
                FileKind::Link => "@",
                FileKind::File | FileKind::Other => "",
            };
            format!("{}{mark}{}", entry.name, if entry.ignored { "  (ignored)" } else { "" })
        })
        .collect();
    if total > NAMES_CAP {
        out.push(format!("[{} more; narrow it down with `glob`]", total - NAMES_CAP));
    }
    if out.is_empty() {
        out.push("[the directory is empty]".to_owned());
    }
    Ok((out.join("\n"), counted(total, "name", "names")))
}

/// A pattern without `/` is for file names, one with it for paths below the searched directory.
struct NameMatcher {
    matcher: GlobMatcher,
    names: bool,
    base: String,
}

impl NameMatcher {
    fn new(pattern: &str, path: &str, files: &dyn Files) -> Result<Self, String> {
        let pattern = pattern.trim_start_matches("./");
        let glob = GlobBuilder::new(pattern)
            .literal_separator(true)
            .build()
            .map_err(|error| format!("`{pattern}` is not a glob pattern: {}", error.kind()))?;
        let base = files.resolve(path).map_err(|error| error.to_string())?;
        Ok(Self { matcher: glob.compile_matcher(), names: !pattern.contains('/'), base })
    }

    fn matches(&self, path: &str) -> bool {
        if self.names {
            return self.matcher.is_match(path.rsplit('/').next().unwrap_or(path));
        }
        let below = path.strip_prefix(&self.base).map(|rest| rest.trim_start_matches('/'));
        self.matcher.is_match(path) || below.is_some_and(|below| self.matcher.is_match(below))
    }
}

pub(super) fn glob(
    pattern: &str,
    path: &str,
    files: &dyn Files,
    stop: &CancellationToken,
) -> Result<(String, String), String> {
    let matcher = NameMatcher::new(pattern, path, files)?;
    let mut found = Vec::new();
    let mut more = false;
    files
        .walk(path, &mut |file| {
            if stop.is_cancelled() {
                return Walk::Stop;
            }
            if matcher.matches(file) {
                if found.len() == NAMES_CAP {
                    more = true;
                    return Walk::Stop;
                }
                found.push(file.to_owned());
            }
            Walk::On
        })
        .map_err(|error| error.to_string())?;
    let summary = format!("{}{}", counted(found.len(), "file", "files"), if more { " or more" } else { "" });
    if found.is_empty() {
        return Ok((format!("no file matches `{pattern}` (files that git ignores are left out)"), summary));
    }
    if more {
        found.push(format!("[more than {NAMES_CAP} files; give a narrower pattern or a path]"));
    }
    Ok((found.join("\n"), summary))
}

pub(super) fn grep(ask: &Grep, files: &dyn Files, stop: &CancellationToken) -> Result<(String, String), String> {
    let Grep { pattern, path, .. } = ask;
    let regex = RegexMatcherBuilder::new()
        .case_insensitive(ask.ignore_case)
        .line_terminator(Some(b'\n'))
        .size_limit(PATTERN_CAP)
        .build(pattern)
        .map_err(|error| format!("`{pattern}` is not a regular expression for lines: {error}"))?;
    let names = ask.glob.as_deref().filter(|glob| !glob.is_empty());
    let names = names.map(|glob| NameMatcher::new(glob, path, files)).transpose()?;
    let searcher = SearcherBuilder::new()
        .line_number(true)
        .before_context(if ask.only == Only::Lines { ask.context } else { 0 })
        .after_context(if ask.only == Only::Lines { ask.context } else { 0 })
        .binary_detection(BinaryDetection::quit(0))
        .build();
    let mut search = Search { regex, searcher, found: Found { only: ask.only, ..Found::default() } };
    let kind = files.kind(path).map_err(|error| error.to_string())?;
    if kind == FileKind::File {
        let real = files.resolve(path).map_err(|error| error.to_string())?;
        search.file(&real, files);
    } else {
        files
            .walk(path, &mut |file| {
                if stop.is_cancelled() {
                    return Walk::Stop;
                }
                if names.as_ref().is_none_or(|names| names.matches(file)) {
                    search.file(file, files);
                }
                if search.found.more { Walk::Stop } else { Walk::On }
            })
            .map_err(|error| error.to_string())?;
    }
    Ok(search.found.told(pattern))
}

struct Search {
    regex: RegexMatcher,
    searcher: Searcher,
    found: Found,
}

impl Search {
    fn file(&mut self, path: &str, files: &dyn Files) {
        let Ok(content) = files.read(path) else {
            self.found.skipped += 1;
            return;
        };
        path.clone_into(&mut self.found.path);
        self.found.here = 0;
        self.found.binary = false;
        let lines = self.found.lines.len();
        if self.searcher.search_slice(&self.regex, &content, &mut self.found).is_err() || self.found.binary {
            self.found.lines.truncate(lines);
            self.found.skipped += 1;
        } else {
            self.found.end_of_file();
        }
    }
}

/// What was found so far.
#[derive(Default)]
struct Found {
    only: Only,
    path: String,
    lines: Vec<String>,
    /// Matches in this file.
    here: usize,
    /// Matches in all, and files with any.
    matches: usize,
    files: usize,
    size: usize,
    more: bool,
    binary: bool,
    skipped: usize,
}

impl Found {
    fn add(&mut self, line: String) {
        self.size += line.len() + 1;
        self.lines.push(line);
    }

    fn show(&mut self, number: Option<u64>, mark: char, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let text = clip(text.trim_end_matches(['\n', '\r']), MATCH_CELLS);
        self.add(format!("{}{mark}{}{mark} {text}", self.path, number.unwrap_or(0)));
    }

    fn end_of_file(&mut self) {
        if self.here == 0 {
            return;
        }
        self.files += 1;
        match self.only {
            Only::Lines => return,
            Only::Files => self.add(self.path.clone()),
            Only::Count => self.add(format!("{}: {}", self.path, self.here)),
        }
        self.more |= self.files >= MATCHES_CAP || self.size > OUTPUT_CAP;
    }

    fn told(self, pattern: &str) -> (String, String) {
        let count = match self.only {
            Only::Lines | Only::Count => counted(self.matches, "match", "matches"),
            Only::Files => counted(self.files, "file", "files"),
        };
        let summary = format!("{count}{}", if self.more { " or more" } else { "" });
        let mut out = self.lines;
        if out.is_empty() {
            out.push(format!("no line matches `{pattern}` (files that git ignores are left out)"));
        }
        if self.more {
            out.push("[there may be more; give a narrower pattern, `path` or `glob`]".to_owned());
        }
        if self.skipped > 0 {
            let files = counted(self.skipped, "file", "files");
            out.push(format!("[{files} not searched: binary, too large or unreadable]"));
        }
        (out.join("\n"), summary)
    }
}

impl Sink for Found {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        if self.only == Only::Lines && (self.matches == MATCHES_CAP || self.size > OUTPUT_CAP) {
            self.more = true;
            return Ok(false);
        }
        self.here += 1;
        self.matches += 1;
        match self.only {
            Only::Lines => self.show(found.line_number(), ':', found.bytes()),
            Only::Files => return Ok(false),
            Only::Count => {}
        }
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, around: &SinkContext<'_>) -> Result<bool, Self::Error> {
        if self.only == Only::Lines {
            self.show(around.line_number(), '-', around.bytes());
        }
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> Result<bool, Self::Error> {
        self.add("--".to_owned());
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, end: &SinkFinish) -> Result<(), Self::Error> {
        self.binary = end.binary_byte_offset().is_some();
        Ok(())
    }
}
