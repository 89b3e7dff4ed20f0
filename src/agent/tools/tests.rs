//! The tools on real files; the shell on real processes.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::domain::{CallId, Expect, FileError, FileKind, Listed, ToolCall, Walk};

/// Files in memory: this floor's rooms do not use each other.
#[derive(Default)]
struct Memory(Mutex<HashMap<String, Vec<u8>>>);

impl Memory {
    fn with(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
        Self(Mutex::new(files))
    }

    fn text(&self, path: &str) -> String {
        String::from_utf8(self.read(path).unwrap()).unwrap()
    }
}

impl Files for Memory {
    fn root(&self) -> &Path {
        Path::new("/work")
    }

    fn resolve(&self, path: &str) -> Result<String, FileError> {
        if path.starts_with("..") {
            return Err(FileError::Outside { path: path.to_owned() });
        }
        Ok(path.trim_start_matches("./").to_owned())
    }

    fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        Ok(if self.0.lock().unwrap().contains_key(path) { FileKind::File } else { FileKind::Directory })
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let files = self.0.lock().unwrap();
        files.get(path).cloned().ok_or_else(|| FileError::Missing { path: path.to_owned() })
    }

    fn check_writable(&self, path: &str) -> Result<(), FileError> {
        self.resolve(path).map(|_| ())
    }

    fn write(&self, path: &str, content: &[u8], expect: &Expect) -> Result<(), FileError> {
        let mut files = self.0.lock().unwrap();
        let fits = match expect {
            Expect::Absent => !files.contains_key(path),
            Expect::Content(expected) => files.get(path) == Some(expected),
        };
        if !fits {
            return Err(FileError::Changed { path: path.to_owned() });
        }
        files.insert(path.to_owned(), content.to_vec());
        Ok(())
    }

    fn list(&self, _: &str) -> Result<Vec<Listed>, FileError> {
        Ok(vec![Listed { name: "src".into(), kind: FileKind::Directory }])
    }

    fn walk(&self, _: &str, visit: &mut dyn FnMut(&str) -> Walk) -> Result<(), FileError> {
        let mut paths: Vec<String> = self.0.lock().unwrap().keys().cloned().collect();
        paths.sort();
        paths.iter().all(|path| visit(path) == Walk::On);
        Ok(())
    }
}

fn call(tool: &str, arguments: Value) -> ToolCall {
    ToolCall { id: CallId("p1.1.1".into()), model_id: "m".into(), tool: tool.into(), arguments }
}

fn run(files: &Memory, tool: &str, arguments: Value) -> ToolOutcome {
    match prepare(&call(tool, arguments), files) {
        Ok(prepared) => run_on_files(&prepared.job, files, &CancellationToken::new()),
        Err(outcome) => outcome,
    }
}

#[test]
fn wrong_arguments_are_explained() {
    let files = Memory::default();
    for (tool, arguments, words) in [
        ("teleport", json!({}), "There is no tool `teleport`. The tools are: read,"),
        ("read", json!({}), "missing field `path`"),
        ("read", json!({"path": "x", "lines": 3}), "unknown field `lines`"),
        ("read", json!({"path": 3}), "invalid type"),
        ("read", json!("{\"path\": "), "not a JSON object (EOF"),
        ("edit", json!({"path": "x", "old": "", "new": "y"}), "`old` is empty"),
        ("edit", json!({"path": "x", "old": "y", "new": "y"}), "nothing would change"),
        ("shell", json!({"command": "x", "timeout": 601}), "1 to 600"),
        ("shell", json!({"command": " "}), "`command` is empty"),
        ("read", json!({"path": "../x"}), "outside the worktree"),
        ("write", json!({"path": "../x", "content": ""}), "outside the worktree"),
        ("grep", json!({"pattern": "("}), "not a regular expression"),
        ("glob", json!({"pattern": "{a"}), "not a glob pattern"),
    ] {
        let outcome = run(&files, tool, arguments);
        assert!(!outcome.ok && outcome.output.contains(words), "{tool}: {}", outcome.output);
    }
}

#[test]
fn every_tool_has_a_strict_schema_and_an_action() {
    for (name, _, schema) in definitions() {
        assert_eq!(schema["additionalProperties"], false, "{name}");
        for required in schema["required"].as_array().unwrap() {
            assert!(schema["properties"].get(required.as_str().unwrap()).is_some());
        }
    }
    for (tool, arguments, expected) in [
        ("shell", json!({"command": "ls\n-l"}), "ls\n-l"),
        ("write", json!({"path": "a", "content": "b"}), "a"),
        ("grep", json!({"pattern": "x", "path": "src"}), "x in src"),
        ("list", json!({}), "."),
        ("read", json!("{broken"), "{broken"),
    ] {
        assert_eq!(action(&call(tool, arguments)), expected);
    }
}

#[test]
fn reading_goes_in_parts() {
    let long = (1..=2500).map(|line| format!("line {line}")).collect::<Vec<_>>().join("\n") + "\n";
    let files = Memory::with(&[("f", &long), ("empty", ""), ("bin", "a\0b"), ("wide", &"x".repeat(9000))]);
    let outcome = run(&files, "read", json!({"path": "f"}));
    assert!(outcome.output.ends_with("line 2000\n[lines 1–2000 of 2500; read on with offset 2001]"));
    assert_eq!(outcome.summary, "2000 lines");
    let outcome = run(&files, "read", json!({"path": "f", "offset": 2499, "limit": 9}));
    assert_eq!(outcome.output, "line 2499\nline 2500\n");
    assert!(run(&files, "read", json!({"path": "f", "offset": 2501})).output.contains("beyond its end"));
    assert_eq!(run(&files, "read", json!({"path": "empty"})).output, "[the file is empty]");
    assert!(!run(&files, "read", json!({"path": "bin"})).ok);
    assert!(run(&files, "read", json!({"path": "wide"})).output.len() < 2100);
}

#[test]
fn searching_is_capped() {
    let many = "needle\n".repeat(500);
    let files = Memory::with(&[("src/a.rs", "let needle = 1;\n"), ("b.txt", &many), ("src/deep/c.rs", "x")]);
    let outcome = run(&files, "grep", json!({"pattern": "need.e", "glob": "*.rs"}));
    assert_eq!((outcome.output.as_str(), outcome.summary.as_str()), ("src/a.rs:1: let needle = 1;", "1 match"));
    let outcome = run(&files, "grep", json!({"pattern": "needle", "path": "b.txt"}));
    assert!(outcome.output.contains("there are more matches") && outcome.output.lines().count() == 201);
    assert_eq!(run(&files, "glob", json!({"pattern": "*.rs"})).output, "src/a.rs\nsrc/deep/c.rs");
    assert_eq!(run(&files, "glob", json!({"pattern": "src/*.rs"})).output, "src/a.rs");
    assert!(run(&files, "grep", json!({"pattern": "nothing"})).ok);
}

#[test]
fn an_edit_must_be_unique_and_keeps_line_ends() {
    let files = Memory::with(&[("f", "a\nb\na\n"), ("crlf", "one\r\ntwo\r\n")]);
    let outcome = run(&files, "edit", json!({"path": "f", "old": "a", "new": "c"}));
    assert!(outcome.output.contains("2 times") && outcome.output.contains("lines 1, 3"), "{}", outcome.output);
    assert!(run(&files, "edit", json!({"path": "f", "old": "z", "new": "c"})).output.contains("does not occur"));
    assert!(run(&files, "edit", json!({"path": "none", "old": "z", "new": "c"})).output.contains("does not exist"));
    let outcome = run(&files, "edit", json!({"path": "f", "old": "a", "new": "c", "all": true}));
    assert_eq!((outcome.summary.as_str(), outcome.written.as_slice()), ("+2 −2", &["f".to_owned()][..]));
    assert_eq!(files.text("f"), "c\nb\nc\n");
    assert!(run(&files, "edit", json!({"path": "crlf", "old": "one\ntwo", "new": "1\n2"})).ok);
    assert_eq!(files.text("crlf"), "1\r\n2\r\n");
}

#[test]
fn a_change_is_shown_as_a_diff_and_not_made_on_another_file() {
    let files = Memory::with(&[("f", "a\n")]);
    let prepared = prepare(&call("write", json!({"path": "./f", "content": "b\n"})), &files).unwrap();
    assert_eq!(prepared.request.writes, ["f"]);
    assert_eq!(prepared.request.diff.as_deref(), Some("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"));
    files.write("f", b"theirs", &Expect::Content(b"a\n".to_vec())).unwrap();
    let outcome = run_on_files(&prepared.job, &files, &CancellationToken::new());
    assert!(!outcome.ok && outcome.output.contains("has changed since"));
    assert_eq!(files.text("f"), "theirs");
}

#[test]
fn two_edits_of_one_file_in_one_step_both_work() {
    let files = Memory::with(&[("f", "a b\n")]);
    let calls = [
        call("edit", json!({"path": "f", "old": "a", "new": "1"})),
        call("edit", json!({"path": "f", "old": "b", "new": "2"})),
        call("write", json!({"path": "new", "content": "x"})),
        call("edit", json!({"path": "new", "old": "x", "new": "y"})),
    ];
    let prepared: Vec<Prepared> = prepare_all(&calls, &files).into_iter().map(Result::unwrap).collect();
    assert!(prepared[1].request.diff.as_ref().unwrap().contains("-1 b\n+1 2"));
    for prepared in &prepared {
        assert!(run_on_files(&prepared.job, &files, &CancellationToken::new()).ok);
    }
    assert_eq!((files.text("f"), files.text("new")), ("1 2\n".into(), "y".into()));
}

mod shell {
    use super::*;
    use std::time::Duration;

    /// Runs a command in a directory of its own until it ends, or until `cancel_at` is shown.
    async fn sh(directory: &Path, command: &str, timeout: u64, cancel_at: Option<&str>) -> (ToolOutcome, String) {
        let path = std::env::var("PATH").unwrap_or_default();
        let environment: Vec<(String, String)> =
            [("PATH", path.as_str()), ("GIT_DIR", "/elsewhere"), ("OTHER_KEY", "sk-SENTINEL"), ("LANG", "C.UTF-8")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec();
        let around = Surroundings { directory, environment: &environment, secret: Some("sk-SENTINEL"), call: "p1.1.1" };
        let stop = CancellationToken::new();
        let mut shown = String::new();
        let mut show = |text: &str| {
            shown.push_str(text);
            if cancel_at.is_some_and(|words| shown.contains(words)) {
                stop.cancel();
            }
        };
        let shell = super::super::shell::Shell { command: command.to_owned(), timeout };
        let outcome = run_shell(&shell, around, &stop, &mut show).await;
        (outcome, shown)
    }

    /// Whether a process of this number lives (a zombie does not).
    fn lives(pid: &str) -> bool {
        std::fs::read_to_string(format!("/proc/{pid}/stat"))
            .is_ok_and(|stat| !stat.rsplit(')').next().unwrap().trim_start().starts_with('Z'))
    }

    fn dir() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[tokio::test]
    async fn output_comes_in_order_with_the_status() {
        let dir = dir();
        let (outcome, shown) = sh(dir.path(), "echo a; echo b >&2; echo grün; pwd; exit 3", 60, None).await;
        let real = dir.path().canonicalize().unwrap();
        assert_eq!(outcome.output, format!("a\nb\ngrün\n{}\n[exit 3]", dir.path().display()), "{}", real.display());
        assert_eq!((outcome.ok, outcome.summary.as_str()), (false, "exit 3"));
        assert!(shown.starts_with("a\nb\ngrün\n"));
        let (outcome, _) = sh(dir.path(), "kill -9 $$", 60, None).await;
        assert_eq!(outcome.summary, "signal 9");
    }

    #[tokio::test]
    async fn the_environment_is_clean_and_there_is_no_terminal() {
        let dir = dir();
        let (outcome, _) = sh(dir.path(), "env; cat; (: </dev/tty) 2>&1", 60, None).await;
        assert!(!outcome.output.contains("SENTINEL") && !outcome.output.contains("GIT_DIR"), "{}", outcome.output);
        assert!(!outcome.ok, "the terminal could be opened: {}", outcome.output);
    }

    #[tokio::test]
    async fn a_flood_is_capped_head_and_tail() {
        let dir = dir();
        let (outcome, _) =
            sh(dir.path(), "echo first; head -c 300000 /dev/zero | tr '\\0' x; echo; echo last", 60, None).await;
        assert!(outcome.output.len() < OUTPUT_CAP + 400, "{}", outcome.output.len());
        assert!(outcome.output.starts_with("first\n") && outcome.output.contains("\nlast\n[exit 0]"));
        assert!(outcome.output.contains("bytes left out"));
    }

    #[tokio::test]
    async fn bytes_that_are_no_text_and_cut_characters_are_shown() {
        let dir = dir();
        let command = "printf '\\xc3'; sleep 0.05; printf '\\xbc\\xff|'; printf '\\xe6\\xbc'";
        let (outcome, shown) = sh(dir.path(), command, 60, None).await;
        assert_eq!(shown, "ü\u{fffd}|\u{fffd}");
        assert!(outcome.output.starts_with("ü\u{fffd}|"));
    }

    #[tokio::test]
    async fn what_is_left_in_the_background_does_not_hang_and_is_ended() {
        let dir = dir();
        let (outcome, _) = sh(dir.path(), "sleep 1000 & echo $! > pid; echo done", 60, None).await;
        assert_eq!(outcome.output, "done\n[exit 0]\n[processes that it left in the background were ended]");
        let pid = std::fs::read_to_string(dir.path().join("pid")).unwrap();
        assert!(!lives(pid.trim()));
    }

    #[tokio::test]
    async fn the_time_limit_ends_the_children_too() {
        let dir = dir();
        let (outcome, _) = sh(dir.path(), "sleep 1000 & echo $! > pid; wait", 2, None).await;
        assert_eq!((outcome.ok, outcome.summary.as_str()), (false, "timed out"));
        assert!(outcome.output.contains("ended after 2 s"), "{}", outcome.output);
        assert!(!lives(std::fs::read_to_string(dir.path().join("pid")).unwrap().trim()));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn cancel_ends_all_also_what_left_the_session_or_ignores_the_signal() {
        let dir = dir();
        let command = "trap '' TERM; sleep 1000 & echo $! >> pids; \
                       setsid sh -c 'echo $$ >> pids; exec sleep 1000' & \
                       setsid setsid sh -c 'trap \"\" TERM; echo $$ >> pids; while :; do sleep 1; done' & \
                       while [ $(wc -l < pids) -lt 3 ]; do sleep 0.02; done; echo ready; while :; do sleep 1; done";
        let running = sh(dir.path(), command, 600, Some("ready"));
        let (outcome, _) = tokio::time::timeout(Duration::from_secs(60), running).await.unwrap();
        assert_eq!(outcome.summary, "cancelled");
        let pids = std::fs::read_to_string(dir.path().join("pids")).unwrap();
        assert_eq!(pids.lines().count(), 3);
        for pid in pids.lines() {
            assert!(!lives(pid), "{pid} still lives");
        }
    }

    #[tokio::test]
    async fn a_missing_directory_is_told() {
        let (outcome, _) = sh(Path::new("/nonexistent/tree"), "true", 60, None).await;
        assert!(outcome.output.contains("cannot start the shell in `/nonexistent/tree`"), "{}", outcome.output);
    }
}
