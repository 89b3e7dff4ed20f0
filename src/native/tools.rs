//! A native CLI's tool call in our words: the name that rules know, the exact action, what it reads and writes.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::guard::Leads;
use super::guard::{self, Ground};
use crate::base::clip;
use crate::domain::{LANE_TOOLS, NativeCall, ReasonClass};
use crate::policy::shell::{self, Analysis, Simple};
use crate::preflight::named_in_patch;

/// Bytes of a call's change that the person is shown.
const SHOWN: usize = 16 * 1024;

/// What kind of tool a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Shell,
    Write,
    Edit,
    Patch,
    Read,
    /// Looks for something below a path.
    Search(&'static str),
    Fetch,
    /// Touches nothing but the CLI's own notes and helpers.
    Own,
    /// One of our own tools for coordination.
    Lane,
    Foreign,
}

/// The names that CLIs use.
fn kind(name: &str) -> Kind {
    match name {
        "Bash" | "shell" | "exec_command" | "local_shell" | "run_shell_command" | "bash" => Kind::Shell,
        "Write" | "write_file" | "create" | "write" => Kind::Write,
        "Edit" | "MultiEdit" | "NotebookEdit" | "replace" | "edit" | "multiedit" => Kind::Edit,
        "apply_patch" | "patch" => Kind::Patch,
        "Read" | "NotebookRead" | "read_file" | "view" | "view_image" | "read" => Kind::Read,
        "Glob" | "glob" => Kind::Search("glob"),
        "Grep" | "grep" | "search_file_content" | "grep_search" => Kind::Search("grep"),
        "LS" | "list_directory" | "list" => Kind::Search("list"),
        "WebFetch" | "web_fetch" | "webfetch" => Kind::Fetch,
        "TodoWrite" | "TodoRead" | "TaskCreate" | "TaskUpdate" | "TaskList" | "TaskGet" | "TaskOutput" | "TaskStop"
        | "Task" | "Agent" | "Skill" | "ToolSearch" | "ExitPlanMode" | "EnterPlanMode" | "AskUserQuestion"
        | "BashOutput" | "KillShell" | "update_plan" | "write_todos" | "todowrite" | "todoread" | "task" | "skill"
        | "question" | "ask_user" | "activate_skill" | "enter_plan_mode" | "exit_plan_mode" | "report_intent" => {
            Kind::Own
        }
        name => match lane_tool(name) {
            Some(_) => Kind::Lane,
            None => Kind::Foreign,
        },
    }
}

/// Whether a tool of this name only looks.
pub(super) fn looks(name: &str) -> bool {
    matches!(kind(name), Kind::Read | Kind::Search(_))
}

/// The name of our own tool behind a CLI's name for it.
fn lane_tool(name: &str) -> Option<&str> {
    let ours = |prefix: &&str| name.strip_prefix(*prefix).filter(|tool| LANE_TOOLS.contains(tool));
    ["mcp__paralane__", "mcp_paralane_", "paralane_", "paralane-"].iter().find_map(ours)
}

/// Reads a call. Fields that are missing make it a call with nothing known, which is judged by its name.
pub(super) fn call(name: &str, input: &Map<String, Value>, ground: &Ground) -> NativeCall {
    let text = |names: &[&str]| names.iter().find_map(|name| input.get(*name)).map(words).unwrap_or_default();
    let path = text(&["file_path", "path", "notebook_path", "absolute_path", "dir_path", "filePath"]);
    let mut call = blank(name, input, ground);
    match kind(name) {
        Kind::Shell => {
            // Where it says to run is where its paths start.
            let place = text(&["workdir", "dir_path", "directory"]);
            let there = Ground { current: ground.current.join(place), ..ground.clone() };
            shell(&mut call, text(&["command", "cmd"]), &there);
        }
        Kind::Write => {
            let content = text(&["content", "file_text"]);
            call.diff = Some(clip_bytes(&added(&content)));
            written(&mut call, "write", std::slice::from_ref(&path), ground);
            call.arguments = json!({ "path": call.action, "content": content });
        }
        Kind::Edit => {
            let (old, new) = (
                text(&["old_string", "old_str", "oldString"]),
                text(&["new_string", "new_str", "newString", "new_source"]),
            );
            call.diff = Some(clip_bytes(&format!("{}{}", removed(&old), added(&new))));
            written(&mut call, "edit", std::slice::from_ref(&path), ground);
            let mut arguments = input.clone();
            arguments.insert("path".into(), call.action.clone().into());
            call.arguments = Value::Object(arguments);
        }
        Kind::Patch => {
            let patch = text(&["input", "patch", "patchText", "command"]);
            call.diff = Some(clip_bytes(&patch));
            written(&mut call, "patch", &named_in_patch(&patch), ground);
            call.arguments = json!({ "patch": patch });
        }
        Kind::Read => reads(&mut call, "read", &path, ground),
        Kind::Search(tool) => {
            let place = if path.is_empty() { "." } else { &path };
            reads(&mut call, tool, place, ground);
            let action = [text(&["pattern"]), std::mem::take(&mut call.action)].join(" ");
            action.trim().clone_into(&mut call.action);
        }
        Kind::Fetch => {
            "fetch".clone_into(&mut call.tool);
            call.action = text(&["url", "prompt"]);
        }
        Kind::Own => "todo".clone_into(&mut call.tool),
        Kind::Lane => {
            lane_tool(name).unwrap_or(name).clone_into(&mut call.tool);
        }
        Kind::Foreign => call.known = false,
    }
    call
}

fn blank(name: &str, input: &Map<String, Value>, ground: &Ground) -> NativeCall {
    NativeCall {
        tool: name.to_owned(),
        action: clip(&Value::Object(input.clone()).to_string(), 400),
        command: None,
        arguments: Value::Object(input.clone()),
        diff: None,
        directory: ground.current.display().to_string(),
        writes: Vec::new(),
        reads: Vec::new(),
        inside: true,
        known: true,
        refused: None,
        returns: false,
    }
}

fn shell(call: &mut NativeCall, command: String, ground: &Ground) {
    "shell".clone_into(&mut call.tool);
    call.directory = ground.current.display().to_string();
    let analysis = shell::analyse(&command);
    let (refused, returns) = guard::command(&command, &analysis, ground);
    let (inside, outside) = ground.written(&analysis);
    call.writes = inside;
    call.returns = returns;
    call.refused = refused.or_else(|| outside.map(|path| elsewhere(&path, ground)));
    patches(call, &command, &analysis, ground);
    call.arguments = json!({ "command": command });
    call.action.clone_from(&command);
    call.command = Some(command);
}

/// A patch that a command applies: Codex takes these words in a shell for its tool.
fn patches(call: &mut NativeCall, command: &str, analysis: &Analysis, ground: &Ground) {
    let applies = |simple: &Simple| {
        let name = simple.words.first().and_then(|word| word.text.rsplit('/').next());
        matches!(name, Some("apply_patch" | "applypatch"))
    };
    if !analysis.commands.iter().any(applies) {
        return;
    }
    let paths = named_in_patch(command);
    if paths.is_empty() {
        let words = "`apply_patch` names no file here that it would write: write the patch into the command".to_owned();
        call.refused.get_or_insert((ReasonClass::Unclear, words));
    }
    for place in [""].into_iter().chain(analysis.directories.iter().map(String::as_str)) {
        for path in &paths {
            match ground.leads(&Path::new(place).join(path)) {
                Leads::Inside(inside) if !call.writes.contains(&inside) => call.writes.push(inside),
                Leads::Inside(_) | Leads::Open => {}
                Leads::Outside(real) => {
                    call.refused.get_or_insert_with(|| elsewhere(&real, ground));
                }
            }
        }
    }
}

fn written(call: &mut NativeCall, tool: &str, paths: &[String], ground: &Ground) {
    tool.clone_into(&mut call.tool);
    let mut shown = Vec::new();
    for path in paths.iter().filter(|path| !path.is_empty()) {
        match ground.leads(Path::new(path)) {
            Leads::Inside(inside) => {
                shown.push(inside.clone());
                call.writes.push(inside);
            }
            Leads::Open => {
                // Nobody's rules are about what lies there.
                call.known = false;
                shown.push(path.clone());
            }
            Leads::Outside(real) => {
                shown.push(path.clone());
                call.refused.get_or_insert_with(|| elsewhere(&real, ground));
            }
        }
    }
    if shown.is_empty() {
        call.refused = Some((ReasonClass::Unclear, format!("`{tool}` names no file that it would write")));
    }
    call.action = shown.join(" ");
}

fn reads(call: &mut NativeCall, tool: &str, path: &str, ground: &Ground) {
    tool.clone_into(&mut call.tool);
    match ground.leads(Path::new(path)) {
        Leads::Inside(inside) => {
            call.action = if inside.is_empty() { ".".to_owned() } else { inside };
            call.reads = vec![call.action.clone()];
        }
        Leads::Open | Leads::Outside(_) => {
            path.clone_into(&mut call.action);
            call.inside = false;
        }
    }
}

fn elsewhere(path: &Path, ground: &Ground) -> (ReasonClass, String) {
    let worktree = ground.directory.display();
    let words = format!(
        "`{}` lies outside this lane's worktree `{worktree}`: work in the worktree; another lane or the person changes \
         what lies elsewhere",
        path.display()
    );
    (ReasonClass::OutsideLane, words)
}

/// A value as the words that it stands for: a program with its arguments as one command.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let parts: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
            // `bash -lc SCRIPT` is the script.
            match parts.as_slice() {
                [shell, "-lc" | "-c", script] if shell.ends_with("sh") => (*script).to_owned(),
                parts => parts.iter().map(|part| quoted(part)).collect::<Vec<_>>().join(" "),
            }
        }
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// One word as a shell reads it.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn added(text: &str) -> String {
    text.lines().flat_map(|line| ["+", line, "\n"]).collect()
}

fn removed(text: &str) -> String {
    text.lines().flat_map(|line| ["-", line, "\n"]).collect()
}

fn clip_bytes(text: &str) -> String {
    if text.len() <= SHOWN {
        return text.to_owned();
    }
    let end = (0..=SHOWN).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    format!("{}\n… {} bytes more", &text[..end], text.len() - end)
}

/// The directory that a hook names, where it lies in the lane; else the lane's own.
pub(super) fn current(named: &str, ground: &Ground) -> PathBuf {
    let named = PathBuf::from(named);
    if named.is_absolute() { named } else { ground.directory.clone() }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::guard::ground_for_tests as ground;
    use super::*;

    fn of(name: &str, input: Value) -> NativeCall {
        let (_all, ground) = ground();
        call(name, input.as_object().unwrap(), &ground)
    }

    #[test]
    fn each_clis_names_come_out_in_our_words() {
        for (name, input, tool, action, writes) in [
            ("Bash", json!({"command": "npm test", "description": "x"}), "shell", "npm test", vec![]),
            ("exec_command", json!({"cmd": "ls"}), "shell", "ls", vec![]),
            ("shell", json!({"command": ["bash", "-lc", "echo x > a"]}), "shell", "echo x > a", vec!["a"]),
            ("shell", json!({"command": ["git", "log", "a b"]}), "shell", "git log 'a b'", vec![]),
            ("run_shell_command", json!({"command": "ls"}), "shell", "ls", vec![]),
            ("Write", json!({"file_path": "src/a.rs", "content": "x"}), "write", "src/a.rs", vec!["src/a.rs"]),
            ("Edit", json!({"file_path": "./src/../b", "old_string": "x", "new_string": "y"}), "edit", "b", vec!["b"]),
            ("replace", json!({"file_path": "b"}), "edit", "b", vec!["b"]),
            ("apply_patch", json!({"input": "*** Update File: a\n*** Add File: b\n"}), "patch", "a b", vec!["a", "b"]),
            ("Read", json!({"file_path": "src/a.rs"}), "read", "src/a.rs", vec![]),
            ("Grep", json!({"pattern": "x", "path": "src"}), "grep", "x src", vec![]),
            ("Glob", json!({"pattern": "**/*.rs"}), "glob", "**/*.rs .", vec![]),
            ("WebFetch", json!({"url": "https://docs.rs/x"}), "fetch", "https://docs.rs/x", vec![]),
            ("mcp__paralane__reserve", json!({"paths": ["a"]}), "reserve", "{\"paths\":[\"a\"]}", vec![]),
            ("mcp__paralane__other", json!({}), "mcp__paralane__other", "{}", vec![]),
            ("bash", json!({"command": "echo x > b", "workdir": "src"}), "shell", "echo x > b", vec!["src/b"]),
            ("edit", json!({"filePath": "b", "oldString": "x", "newString": "y"}), "edit", "b", vec!["b"]),
            ("apply_patch", json!({"patchText": "*** Update File: a\n"}), "patch", "a", vec!["a"]),
            ("paralane_lanes", json!({}), "lanes", "{}", vec![]),
            ("paralane-reserve", json!({}), "reserve", "{}", vec![]),
            (
                "exec_command",
                json!({"cmd": "apply_patch <<E\n*** Add File: b\nE"}),
                "shell",
                "apply_patch <<E\n*** Add File: b\nE",
                vec!["b"],
            ),
            ("mcp__x__y", json!({"a": 1}), "mcp__x__y", "{\"a\":1}", vec![]),
        ] {
            let call = of(name, input);
            let got = (call.tool.as_str(), call.action.as_str(), call.writes.iter().map(String::as_str).collect());
            assert_eq!(got, (tool, action, writes), "{name}");
            assert_eq!(call.refused, None, "{name}");
            assert_eq!(call.known, !tool.starts_with("mcp"), "{name}");
        }
    }

    #[test]
    fn what_no_mode_allows_is_told_with_its_class() {
        use ReasonClass::{AttributionRefused, BranchSwitch, OutsideLane, Unclear};
        for (name, input, class) in [
            ("Bash", json!({"command": "git switch main"}), BranchSwitch),
            ("Bash", json!({"command": "echo x > ../base/src/a"}), OutsideLane),
            ("Bash", json!({"command": "git commit -m 'Co-Authored-By: Claude <x>'"}), AttributionRefused),
            ("bash", json!({"command": "touch a", "workdir": "../base"}), OutsideLane),
            ("exec_command", json!({"cmd": "echo x > a", "workdir": "../base/src"}), OutsideLane),
            ("Write", json!({"file_path": "../base/src/a", "content": ""}), OutsideLane),
            ("Write", json!({"file_path": "link/src/a", "content": ""}), OutsideLane),
            ("Edit", json!({"file_path": "dangling"}), OutsideLane),
            ("apply_patch", json!({"input": "*** Update File: a\n*** Add File: ../base/b\n"}), OutsideLane),
            ("Write", json!({}), Unclear),
            ("exec_command", json!({"cmd": "apply_patch <<'E'\n*** Add File: ../base/b\n+x\nE"}), OutsideLane),
            ("exec_command", json!({"cmd": "cd ../base && applypatch <<'E'\n*** Update File: b\nE"}), OutsideLane),
            ("exec_command", json!({"cmd": "apply_patch \"$PATCH\""}), Unclear),
        ] {
            assert_eq!(of(name, input.clone()).refused.map(|(class, _)| class), Some(class), "{name} {input}");
        }
        assert!(!of("Read", json!({"file_path": "/etc/passwd"})).inside);
    }
}
