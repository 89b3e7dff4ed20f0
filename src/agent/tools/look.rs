//! `read`, `list`, `glob` and `grep`: they change nothing.

use globset::{GlobBuilder, GlobMatcher};
use regex::Regex;
use tokio_util::sync::CancellationToken;

use super::arguments::Tool;
use super::{OUTPUT_CAP, failed, looked};
use crate::base::clip;
use crate::domain::{FileKind, Files, ToolOutcome, Walk};

/// Lines that `read` gives without word from the model.
const READ_LINES: u64 = 2000;
/// Longer lines are cut: they are data, not text.
const LINE_CELLS: usize = 2000;
/// Names that `list` and `glob` give.
const NAMES_CAP: usize = 1000;
/// Lines that `grep` gives.
const MATCHES_CAP: usize = 200;
/// Of each.
const MATCH_CELLS: usize = 300;
/// The memory a compiled pattern may take.
const PATTERN_CAP: usize = 4 * 1024 * 1024;

/// Runs one of the four.
pub(super) fn run(tool: &Tool, files: &dyn Files, stop: &CancellationToken) -> ToolOutcome {
    let done = match tool {
        Tool::Read { path, offset, limit } => read(path, *offset, *limit, files),
        Tool::List { path } => list(path, files),
        Tool::Glob { pattern, path } => glob(pattern, path, files, stop),
        Tool::Grep { pattern, path, glob } => grep(pattern, path, glob.as_deref(), files, stop),
        Tool::Write { .. } | Tool::Edit { .. } | Tool::Shell { .. } => {
            Err("this tool does not look at files".to_owned())
        }
    };
    match done {
        _ if stop.is_cancelled() => failed("ended: the person cancelled the turn", "cancelled"),
        Ok((output, summary)) => looked(output, summary),
        Err(words) => failed(&words, "failed"),
    }
}

fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

fn read(path: &str, offset: u64, limit: Option<u64>, files: &dyn Files) -> Result<(String, String), String> {
    let content = files.read(path).map_err(|error| error.to_string())?;
    if content.iter().take(8192).any(|byte| *byte == 0) {
        return Err(format!("`{path}` is a binary file of {} bytes; look at it with a command", content.len()));
    }
    let text = String::from_utf8_lossy(&content);
    let total = text.lines().count();
    let first = usize::try_from(offset - 1).unwrap_or(usize::MAX);
    if first >= total && (total > 0 || first > 0) {
        return Err(format!("`{path}` has {total} lines; line {offset} is beyond its end"));
    }
    let limit = usize::try_from(limit.unwrap_or(READ_LINES)).unwrap_or(usize::MAX);
    let mut out = String::new();
    let mut lines = 0;
    for line in text.split_inclusive('\n').skip(first).take(limit) {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        let long = bare.len() > LINE_CELLS;
        if lines > 0 && out.len() + bare.len().min(LINE_CELLS) > OUTPUT_CAP {
            break;
        }
        if long {
            out.push_str(&clip(bare, LINE_CELLS));
            out.push('\n');
        } else {
            out.push_str(line);
        }
        lines += 1;
    }
    let last = first + lines;
    if last < total {
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out = format!("{out}[lines {offset}–{last} of {total}; read on with offset {}]", last + 1);
    } else if total == 0 {
        "[the file is empty]".clone_into(&mut out);
    }
    Ok((out, counted(lines, "line", "lines")))
}

fn list(path: &str, files: &dyn Files) -> Result<(String, String), String> {
    let names = files.list(path).map_err(|error| error.to_string())?;
    let total = names.len();
    let mut out: Vec<String> = names
        .into_iter()
        .take(NAMES_CAP)
        .map(|entry| match entry.kind {
            FileKind::Directory => format!("{}/", entry.name),
            FileKind::Link => format!("{}@", entry.name),
            FileKind::File | FileKind::Other => entry.name,
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

fn glob(pattern: &str, path: &str, files: &dyn Files, stop: &CancellationToken) -> Result<(String, String), String> {
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

fn grep(
    pattern: &str,
    path: &str,
    glob: Option<&str>,
    files: &dyn Files,
    stop: &CancellationToken,
) -> Result<(String, String), String> {
    let regex = regex::RegexBuilder::new(pattern)
        .size_limit(PATTERN_CAP)
        .build()
        .map_err(|error| format!("`{pattern}` is not a regular expression: {error}"))?;
    let matcher = glob.map(|glob| NameMatcher::new(glob, path, files)).transpose()?;
    let mut search = Search { regex, lines: Vec::new(), more: false, size: 0, skipped: 0 };
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
                if matcher.as_ref().is_none_or(|matcher| matcher.matches(file)) {
                    search.file(file, files);
                }
                if search.more { Walk::Stop } else { Walk::On }
            })
            .map_err(|error| error.to_string())?;
    }
    let summary =
        format!("{}{}", counted(search.lines.len(), "match", "matches"), if search.more { " or more" } else { "" });
    let mut out = search.lines;
    if out.is_empty() {
        out.push(format!("no line matches `{pattern}` (files that git ignores are left out)"));
    }
    if search.more {
        out.push("[there are more matches; give a narrower pattern, `path` or `glob`]".to_owned());
    }
    if search.skipped > 0 {
        out.push(format!(
            "[{} not searched: binary, too large or unreadable]",
            counted(search.skipped, "file", "files")
        ));
    }
    Ok((out.join("\n"), summary))
}

struct Search {
    regex: Regex,
    lines: Vec<String>,
    more: bool,
    size: usize,
    skipped: usize,
}

impl Search {
    fn file(&mut self, path: &str, files: &dyn Files) {
        let content = match files.read(path) {
            Ok(content) if !content.iter().take(8192).any(|byte| *byte == 0) => content,
            _ => {
                self.skipped += 1;
                return;
            }
        };
        let text = String::from_utf8_lossy(&content);
        for (number, line) in text.lines().enumerate() {
            if !self.regex.is_match(line) {
                continue;
            }
            if self.lines.len() == MATCHES_CAP || self.size > OUTPUT_CAP {
                self.more = true;
                return;
            }
            let shown = format!("{path}:{}: {}", number + 1, clip(line, MATCH_CELLS));
            self.size += shown.len() + 1;
            self.lines.push(shown);
        }
    }
}
