//! The house (design §3) holds: arrows between rooms point down, foreign types stay in their rooms, and each file is
//! short and says what it owns. Reads the text of `src/`; builds nothing.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex::Regex;

/// A file longer than this is split.
const LONGEST: usize = 800;

/// Each room with the rooms it may use, from the lowest floor up. `all` means every room listed before it.
const HOUSE: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("domain", &["base"]),
    ("protocol", &["domain", "base"]),
    ("config", &["domain", "base"]),
    ("policy", GROUND),
    ("coordination", GROUND),
    ("scheduler", GROUND),
    ("command", GROUND),
    ("preflight", &["domain", "protocol", "config", "base", "coordination"]),
    ("app", LOW),
    (
        "ui",
        &["domain", "protocol", "config", "base", "policy", "coordination", "scheduler", "command", "preflight", "app"],
    ),
    ("terminal", LOW),
    ("agent", LOW),
    ("mcp", LOW),
    ("native", LOW),
    ("store", LOW),
    ("git", LOW),
    ("sandbox", LOW),
    ("watch", LOW),
    ("forge", LOW),
    ("workstation", &["all"]),
    ("window", &["all"]),
    ("cli", &["all"]),
];
/// Floor 0.
const GROUND: &[&str] = &["domain", "protocol", "config", "base"];
/// Floors 0 and 1.
const LOW: &[&str] =
    &["domain", "protocol", "config", "base", "policy", "coordination", "scheduler", "command", "preflight"];

/// Crates whose types stay where they are named: the crate, then the paths that may use it. The list of a crate may
/// only get shorter.
const FOREIGN: &[(&str, &[&str])] = &[
    ("ratatui", &["ui/"]),
    // The prompt bar's editor: a window's draft is state, and it draws nothing itself.
    ("tui_textarea", &["ui/", "app/window/draft.rs"]),
    ("crossterm", &["window/"]),
    ("rmcp", &["agent/mcp/", "mcp/"]),
];

/// One file of `src/`.
struct File {
    /// Its path below `src/`, with `/`.
    path: String,
    /// Its whole text.
    text: String,
    /// Its text without comments and without what only tests see.
    code: String,
}

impl File {
    /// The room it stands in; `lib.rs` and `main.rs` are above all rooms.
    fn room(&self) -> Option<&str> {
        self.path.split_once('/').map(|(room, _)| room)
    }

    /// Whether only tests see it.
    fn is_test(&self) -> bool {
        self.path.ends_with("tests.rs") || self.path.contains("/tests/")
    }

    /// How many `super` lead from its module to the crate.
    fn depth(&self) -> usize {
        let folders = self.path.matches('/').count();
        if self.path.ends_with("/mod.rs") { folders } else { folders + 1 }
    }
}

fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let relative: Vec<_> = path.strip_prefix(&root).unwrap().iter().map(|p| p.to_str().unwrap()).collect();
                found.push(File { path: relative.join("/"), code: code(&text), text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 100, "the tests must see the whole house");
    found
}

/// The text without comments and without items behind `#[cfg(test)]`.
fn code(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let bare = line.trim_start();
        if bare.starts_with("#[cfg(test)]") {
            let indent = line.len() - bare.len();
            // The item ends with the first line at its own depth that closes it.
            for line in lines.by_ref() {
                let bare = line.trim_start();
                let at_its_depth = line.len() - bare.len() == indent;
                if at_its_depth && (bare.ends_with(';') || bare.ends_with('}') || bare.ends_with(',')) {
                    break;
                }
            }
        } else if !bare.starts_with("//") {
            out.push_str(line.split(" // ").next().unwrap_or(line));
            out.push('\n');
        }
    }
    out
}

/// Rooms that a file mentions, by `crate::room`, `crate::{room, …}` or enough `super::`.
fn mentioned(file: &File) -> BTreeSet<String> {
    let path = Regex::new(r"\b(crate|super(?:::super)*)::(\{|[a-z_]+)").unwrap();
    let mut rooms = BTreeSet::new();
    for found in path.captures_iter(&file.code) {
        let supers = found[1].matches("super").count();
        if supers > 0 && supers != file.depth() {
            continue;
        }
        if &found[2] == "{" {
            rooms.extend(heads(&file.code[found.get(0).unwrap().end()..]));
        } else {
            rooms.insert(found[2].to_owned());
        }
    }
    rooms
}

/// The first names of a braced list, up to its end.
fn heads(list: &str) -> Vec<String> {
    let (mut depth, mut names, mut name) = (0, Vec::new(), String::new());
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(std::mem::take(&mut name)),
            _ if depth == 0 => name.push(c),
            _ => {}
        }
    }
    names.push(name);
    names.iter().filter_map(|n| n.trim().split("::").next()).filter(|n| !n.is_empty()).map(str::to_owned).collect()
}

/// Which room uses which, with a file that shows it.
fn arrows(files: &[File]) -> BTreeMap<(String, String), String> {
    let rooms: BTreeSet<&str> = files.iter().filter_map(File::room).collect();
    let mut arrows = BTreeMap::new();
    for file in files.iter().filter(|f| !f.is_test()) {
        let Some(room) = file.room() else { continue };
        for other in mentioned(file) {
            if other != room && rooms.contains(other.as_str()) {
                arrows.entry((room.to_owned(), other)).or_insert_with(|| file.path.clone());
            }
        }
    }
    arrows
}

fn none(what: &str, found: Vec<String>) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

#[test]
fn every_room_stands_in_the_table() {
    let known: BTreeSet<&str> = HOUSE.iter().map(|(room, _)| *room).collect();
    let files = files();
    let built: BTreeSet<&str> = files.iter().filter_map(File::room).collect();
    assert_eq!(built, known);
}

#[test]
fn arrows_only_point_down() {
    let allowed = |room: &str, other: &str| {
        let at = HOUSE.iter().position(|(r, _)| *r == room).unwrap();
        let below = || HOUSE[..at].iter().any(|(r, _)| *r == other);
        HOUSE[at].1.contains(&other) || (HOUSE[at].1.contains(&"all") && below())
    };
    let wrong = arrows(&files()).into_iter().filter(|((from, to), _)| !allowed(from, to));
    none("arrows outside design §3", wrong.map(|((from, to), file)| format!("{from} uses {to} ({file})")).collect());
}

#[test]
fn rooms_make_no_cycle() {
    let arrows = arrows(&files());
    let mut left: BTreeSet<&str> = HOUSE.iter().map(|(room, _)| *room).collect();
    // Whoever uses nothing that is left is no part of a cycle.
    while let Some(free) =
        left.iter().copied().find(|room| !arrows.keys().any(|(from, to)| from == room && left.contains(to.as_str())))
    {
        left.remove(free);
    }
    none("rooms in a cycle", left.into_iter().map(str::to_owned).collect());
}

#[test]
fn foreign_types_stay_in_their_rooms() {
    let mut wrong = Vec::new();
    for (name, homes) in FOREIGN {
        let used = Regex::new(&format!(r"\b{name}::")).unwrap();
        for file in files().iter().filter(|f| used.is_match(&f.code)) {
            if !homes.iter().any(|home| file.path.starts_with(home)) {
                wrong.push(format!("{} uses {name}", file.path));
            }
        }
    }
    none("types outside their rooms", wrong);
}

#[test]
fn every_module_says_what_it_owns() {
    let files = files();
    let silent = files.iter().filter(|f| !f.is_test() && !f.text.starts_with("//!"));
    none("modules without an opening `//!`", silent.map(|f| f.path.clone()).collect());
}

#[test]
fn no_file_is_too_long() {
    let files = files();
    let long = files.iter().map(|f| (f, f.text.lines().count())).filter(|(_, lines)| *lines > LONGEST);
    none("files over the limit", long.map(|(f, lines)| format!("{} has {lines} lines", f.path)).collect());
}

#[test]
fn mentions_are_seen_however_they_are_written() {
    let file = |path: &str, code: &str| File { path: path.into(), text: String::new(), code: self::code(code) };
    let rooms = |f: &File| mentioned(f).into_iter().collect::<Vec<_>>();
    let text = "use crate::{app::State, git::{self, Project}};\nfn f() { crate::store::open(); } // crate::ui\n";
    assert_eq!(rooms(&file("agent/turn.rs", text)), ["app", "git", "store"]);
    assert_eq!(rooms(&file("agent/turn.rs", "use super::super::git;\nuse super::machine;")), ["git"]);
    assert_eq!(rooms(&file("agent/mod.rs", "use super::git;")), ["git"]);
    let tests = "#[cfg(test)]\nmod tests {\n    use crate::git;\n}\n#[cfg(test)]\nuse crate::store;\nuse crate::base;";
    assert_eq!(rooms(&file("agent/turn.rs", tests)), ["base"]);
}
