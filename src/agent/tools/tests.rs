//! The tools on files in memory; shell and jobs on real processes.

mod jobs;
mod shell;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::config::Web;
use crate::domain::{CallId, Expect, FileError, FileKind, Files, Listed, TodoState, ToolCall, Walk};

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
        if path == "full" {
            return Err(FileError::System { doing: "write", path: path.to_owned(), reason: "disk full".to_owned() });
        }
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

    fn remove(&self, path: &str, expected: &[u8]) -> Result<(), FileError> {
        let mut files = self.0.lock().unwrap();
        if files.get(path).is_none_or(|content| content != expected) {
            return Err(FileError::Changed { path: path.to_owned() });
        }
        files.remove(path);
        Ok(())
    }

    fn list(&self, _: &str) -> Result<Vec<Listed>, FileError> {
        let one = |name: &str, kind, ignored| Listed { name: name.into(), kind, ignored };
        Ok(vec![one("src", FileKind::Directory, false), one("target", FileKind::Directory, true)])
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

/// An agent with its tools on files in memory.
struct Agent {
    files: Arc<Memory>,
    lane: LaneTools,
    seen: Arc<Seen>,
    directory: tempfile::TempDir,
    stop: CancellationToken,
}

impl Agent {
    fn with(files: &[(&str, &str)]) -> Self {
        Self {
            files: Arc::new(Memory::with(files)),
            lane: LaneTools::default(),
            seen: Arc::default(),
            directory: tempfile::tempdir().unwrap(),
            stop: CancellationToken::new(),
        }
    }

    fn prepare(&self, calls: &[ToolCall]) -> Vec<Result<Prepared, Box<ToolOutcome>>> {
        Bench { files: &*self.files, seen: &self.seen, set: Set::Whole, offers: Vec::new() }.prepare_all(calls)
    }

    async fn run(&self, job: Job) -> ToolOutcome {
        let files: Arc<dyn Files> = Arc::<Memory>::clone(&self.files);
        let environment = [("PATH".to_owned(), std::env::var("PATH").unwrap_or_default())];
        let means = Means {
            files: &files,
            seen: &self.seen,
            lane: &self.lane,
            skills: None,
            web: &Web::default(),
            directory: self.directory.path(),
            environment: &environment,
            secret: None,
            call: "p1.1.1",
            stop: &self.stop,
        };
        run(job, &means, &mut |_| {}).await
    }

    async fn call(&self, tool: &str, arguments: Value) -> ToolOutcome {
        match self.prepare(&[call(tool, arguments)]).remove(0) {
            Ok(prepared) => self.run(prepared.job).await,
            Err(outcome) => *outcome,
        }
    }
}

#[tokio::test]
async fn wrong_calls_are_explained() {
    let agent = Agent::with(&[]);
    for (tool, arguments, words) in [
        ("teleport", json!({}), "There is no tool `teleport`. The tools are: read,"),
        ("reed", json!({}), "Did you mean `read`?"),
        ("git_comit", json!({}), "Did you mean `git_commit`?"),
        ("\u{1b}[31m\nx", json!({}), "There is no tool `^[[31m …`"),
        ("read", json!("{\"path\": "), "cannot be read: they are not a JSON object (EOF"),
        ("edit", json!({"path": "x", "old": "y", "new": "y"}), "nothing would change"),
        ("edit", json!({"path": "x"}), "Give `old` and `new`, or several changes"),
        ("edit", json!({"path": "x", "old": "a", "edits": [{"old": "a", "new": "b"}]}), "not both"),
        ("shell", json!({"command": " "}), "`command` is empty"),
        ("shell", json!({"command": "a\0b"}), "NUL"),
        ("jobs", json!({"do": "kill"}), "`job` is missing"),
        ("read", json!({"path": "../x"}), "outside the worktree"),
        ("write", json!({"path": "../x", "content": ""}), "outside the worktree"),
        ("patch", json!({"patch": "*** Add File: ../x\n+a\n"}), "outside the worktree"),
        ("grep", json!({"pattern": "("}), "not a regular expression"),
        ("glob", json!({"pattern": "{a"}), "not a glob pattern"),
        ("fetch", json!({"url": "file:///etc/passwd"}), "not on the web"),
        ("git_status", json!({}), "no repository"),
        ("read_more", json!({"result": "r7"}), "No cut result `r7`"),
    ] {
        let outcome = agent.call(tool, arguments).await;
        assert!(!outcome.ok && outcome.output.contains(words), "{tool}: {}", outcome.output);
        assert!(!outcome.output.contains('\u{1b}'));
    }
}

#[test]
fn every_call_has_an_action() {
    for (tool, arguments, expected) in [
        ("shell", json!({"command": "ls\n-l"}), "ls\n-l"),
        ("shell", json!({"command": "npm start", "background": true}), "npm start &"),
        ("write", json!({"path": "a", "content": "b"}), "a"),
        ("patch", json!({"patch": "--- a/x\n+++ b/x\n"}), "x"),
        ("grep", json!({"pattern": "x", "path": "src"}), "x in src"),
        ("list", json!({}), "."),
        ("jobs", json!({"do": "read", "job": "j1"}), "read j1"),
        ("git_commit", json!({"message": "why"}), "why"),
        ("read", json!("{broken"), "{broken"),
    ] {
        assert_eq!(action(&call(tool, arguments)), expected);
    }
}

#[test]
fn a_child_has_fewer_tools() {
    let names = |set| schema::tools(set).map(|tool| tool.name).collect::<Vec<_>>();
    let (look, work) = (names(Set::Look), names(Set::Work));
    assert!(look.contains(&"read") && !look.contains(&"edit") && !look.contains(&"shell"));
    assert!(work.contains(&"edit") && work.contains(&"shell"));
    for tool in ["spawn", "ask", "todo", "jobs"] {
        assert!(!work.contains(&tool) && names(Set::Whole).contains(&tool), "{tool}");
    }
    let bench = Bench { files: &Memory::default(), seen: &Seen::default(), set: Set::Look, offers: Vec::new() };
    let refused = bench.prepare(&call("spawn", json!({"task": "x"}))).unwrap_err();
    assert!(refused.output.contains("There is no tool `spawn`"), "{}", refused.output);
    let bench = Bench { files: &Memory::default(), seen: &Seen::default(), set: Set::Work, offers: Vec::new() };
    let refused = bench.prepare(&call("shell", json!({"command": "x", "background": true}))).unwrap_err();
    assert!(refused.output.contains("to their end only"), "{}", refused.output);
    for (arguments, effects) in [(json!({"task": "x"}), false), (json!({"task": "x", "change": true}), true)] {
        assert_eq!(
            (has_effects(&call("spawn", arguments.clone())), starts(&call("spawn", arguments))),
            (effects, true)
        );
    }
}

#[tokio::test]
async fn reading_goes_in_parts() {
    let long = (1..=2500).map(|line| format!("line {line}")).collect::<Vec<_>>().join("\n") + "\n";
    let agent = Agent::with(&[("f", &long), ("empty", ""), ("bin", "a\0b"), ("wide", &"x".repeat(9000))]);
    let outcome = agent.call("read", json!({"path": "f"})).await;
    assert!(outcome.output.ends_with("line 2000\n[lines 1–2000 of 2500; read on with offset 2001]"));
    assert_eq!(outcome.summary, "2000 lines");
    let outcome = agent.call("read", json!({"path": "f", "offset": 2499, "limit": 9})).await;
    assert_eq!(outcome.output, "line 2499\nline 2500\n");
    let outcome = agent.call("read", json!({"path": "f", "offset": 2501})).await;
    assert!(outcome.output.contains("beyond its end"));
    assert_eq!(agent.call("read", json!({"path": "empty"})).await.output, "[the file is empty]");
    let outcome = agent.call("read", json!({"path": "bin"})).await;
    assert!(!outcome.ok && outcome.output.contains("binary file"), "{}", outcome.output);
    let outcome = agent.call("read", json!({"path": "wide"})).await;
    assert!(outcome.output.len() < 2200 && outcome.output.contains("1 line is cut at 2000"), "{}", outcome.output);
}

#[tokio::test]
async fn an_image_is_shown_and_a_large_one_refused() {
    let agent = Agent::with(&[]);
    let png = b"\x89PNG\r\n\x1a\n\0\0\0".to_vec();
    agent.files.0.lock().unwrap().insert("a.png".into(), png.clone());
    agent.files.0.lock().unwrap().insert("b.png".into(), [png, vec![0; 2_000_000]].concat());
    let outcome = agent.call("read", json!({"path": "a.png"})).await;
    assert!(outcome.ok && outcome.output.contains("image/png"), "{}", outcome.output);
    assert_eq!((outcome.images.len(), outcome.images[0].data.as_str()), (1, "iVBORw0KGgoAAAA="));
    let outcome = agent.call("read", json!({"path": "b.png"})).await;
    assert!(!outcome.ok && outcome.output.contains("make it smaller"), "{}", outcome.output);
}

#[tokio::test]
async fn searching_is_capped() {
    let many = "needle\n".repeat(500);
    let files = [
        ("src/a.rs", "let needle = 1;\n"),
        ("b.txt", &many),
        ("src/deep/c.rs", "one\nNEEDLE\nthree\n"),
        ("bin", "needle\0"),
    ];
    let agent = Agent::with(&files);
    let grep = |arguments: Value| agent.call("grep", arguments);
    let outcome = grep(json!({"pattern": "need.e", "glob": "*.rs"})).await;
    assert_eq!((outcome.output.as_str(), outcome.summary.as_str()), ("src/a.rs:1: let needle = 1;", "1 match"));
    let outcome = grep(json!({"pattern": "needle", "path": "b.txt"})).await;
    assert!(outcome.output.contains("there may be more") && outcome.output.lines().count() == 201);
    let outcome = grep(json!({"pattern": "needle", "ignore_case": true, "glob": "c.rs", "context": 1})).await;
    assert_eq!(outcome.output, "src/deep/c.rs-1- one\nsrc/deep/c.rs:2: NEEDLE\nsrc/deep/c.rs-3- three");
    let outcome = grep(json!({"pattern": "needle", "only": "files"})).await;
    assert_eq!(outcome.output, "b.txt\nsrc/a.rs\n[1 file not searched: binary, too large or unreadable]");
    let outcome = grep(json!({"pattern": "needle", "only": "count", "glob": "*.txt"})).await;
    assert_eq!((outcome.output.as_str(), outcome.summary.as_str()), ("b.txt: 500", "500 matches"));
    assert!(grep(json!({"pattern": "nothing"})).await.ok);
    let glob = |pattern: &str| agent.call("glob", json!({"pattern": pattern}));
    assert_eq!(glob("*.rs").await.output, "src/a.rs\nsrc/deep/c.rs");
    assert_eq!(glob("src/*.rs").await.output, "src/a.rs");
    assert_eq!(agent.call("list", json!({})).await.output, "src/\ntarget/  (ignored)");
}

#[tokio::test]
async fn an_edit_must_be_unique_and_keeps_line_ends() {
    let agent = Agent::with(&[("f", "a\nb\na\n"), ("crlf", "one\r\ntwo\r\n")]);
    let edit = |arguments: Value| agent.call("edit", arguments);
    let outcome = edit(json!({"path": "f", "old": "a", "new": "c"})).await;
    assert!(outcome.output.contains("2 times") && outcome.output.contains("lines 1, 3"), "{}", outcome.output);
    assert!(edit(json!({"path": "f", "old": "z", "new": "c"})).await.output.contains("does not occur"));
    assert!(edit(json!({"path": "none", "old": "z", "new": "c"})).await.output.contains("does not exist"));
    let outcome = edit(json!({"path": "f", "old": "a", "new": "c", "all": true})).await;
    assert_eq!((outcome.summary.as_str(), outcome.written.as_slice()), ("+2 −2", &["f".to_owned()][..]));
    assert_eq!(agent.files.text("f"), "c\nb\nc\n");
    let edits = json!({"path": "f", "edits": [{"old": "b", "new": "x"}, {"old": "x\nc", "new": "y"}]});
    assert!(edit(edits).await.ok);
    assert_eq!(agent.files.text("f"), "c\ny\n");
    assert!(edit(json!({"path": "crlf", "old": "one\ntwo", "new": "1\n2"})).await.ok);
    assert_eq!(agent.files.text("crlf"), "1\r\n2\r\n");
}

#[tokio::test]
async fn a_patch_changes_all_files_or_none() {
    let agent = Agent::with(&[("a", "one\ntwo\n"), ("b", "x\n"), ("full", "y\n")]);
    let patch = |text: &str| agent.call("patch", json!({"patch": text}));
    let text =
        "*** Begin Patch\n*** Update File: a\n@@\n-two\n+2\n*** Delete File: b\n*** Add File: c\n+new\n*** End Patch";
    let prepared = agent.prepare(&[call("patch", json!({"patch": text}))]).remove(0).unwrap();
    assert_eq!((prepared.request.action.as_str(), prepared.request.writes.len()), ("a, b, c", 3));
    let outcome = patch(text).await;
    assert_eq!((outcome.ok, outcome.summary.as_str()), (true, "3 files +2 −2"), "{}", outcome.output);
    assert_eq!((agent.files.text("a"), agent.files.text("c")), ("one\n2\n".into(), "new\n".into()));
    assert!(agent.files.read("b").is_err());
    let outcome =
        patch("*** Update File: a\n-one\n+1\n*** Update File: c\n-new\n+n\n*** Update File: full\n-y\n+z\n").await;
    assert!(!outcome.ok && outcome.output.contains("disk full"), "{}", outcome.output);
    assert!(outcome.output.contains("nothing is changed") && outcome.written.is_empty(), "{}", outcome.output);
    assert_eq!((agent.files.text("a"), agent.files.text("c")), ("one\n2\n".into(), "new\n".into()));
    let outcome = patch("*** Update File: a\n*** Move to: d\n-one\n+1\n").await;
    assert_eq!((outcome.ok, agent.files.text("d"), agent.files.read("a").is_ok()), (true, "1\n2\n".into(), false));
    for (text, words) in [
        ("*** Add File: d\n+x\n", "is there already"),
        ("*** Delete File: none\n", "does not exist"),
        ("*** Update File: d\n*** Move to: c\n", "something is there already"),
        ("*** Update File: d\n-1\n+1\n", "changes nothing"),
    ] {
        let outcome = patch(text).await;
        assert!(outcome.output.contains(words), "{}", outcome.output);
    }
}

#[tokio::test]
async fn a_change_is_shown_as_a_diff_and_not_made_on_another_file() {
    let agent = Agent::with(&[("f", "a\n")]);
    let prepared = agent.prepare(&[call("write", json!({"path": "./f", "content": "b\n"}))]).remove(0).unwrap();
    assert_eq!(prepared.request.writes, ["f"]);
    assert_eq!(prepared.request.diff.as_deref(), Some("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"));
    agent.files.write("f", b"theirs", &Expect::Content(b"a\n".to_vec())).unwrap();
    let outcome = agent.run(prepared.job).await;
    assert!(!outcome.ok && outcome.output.contains("has changed since"));
    assert_eq!(agent.files.text("f"), "theirs");
}

#[tokio::test]
async fn a_file_that_changed_since_it_was_read_is_not_written() {
    let agent = Agent::with(&[("f", "a\n")]);
    assert!(agent.call("read", json!({"path": "f"})).await.ok);
    agent.files.write("f", b"a\ntheirs\n", &Expect::Content(b"a\n".to_vec())).unwrap();
    for (tool, arguments) in [
        ("edit", json!({"path": "f", "old": "a", "new": "b"})),
        ("write", json!({"path": "f", "content": "mine"})),
        ("patch", json!({"patch": "*** Update File: f\n-a\n+b\n"})),
    ] {
        let outcome = agent.call(tool, arguments).await;
        assert!(outcome.output.contains("has changed since you read it. Read it again"), "{}", outcome.output);
    }
    assert!(agent.call("read", json!({"path": "f"})).await.ok);
    assert!(agent.call("edit", json!({"path": "f", "old": "a", "new": "b"})).await.ok);
    // What it wrote itself it knows.
    assert!(agent.call("edit", json!({"path": "f", "old": "b", "new": "c"})).await.ok);
    assert_eq!(agent.files.text("f"), "c\ntheirs\n");
}

#[tokio::test]
async fn two_edits_of_one_file_in_one_step_both_work() {
    let agent = Agent::with(&[("f", "a b\n")]);
    let calls = [
        call("edit", json!({"path": "f", "old": "a", "new": "1"})),
        call("edit", json!({"path": "f", "old": "b", "new": "2"})),
        call("write", json!({"path": "new", "content": "x"})),
        call("edit", json!({"path": "new", "old": "x", "new": "y"})),
        call("patch", json!({"patch": "*** Delete File: new\n"})),
        call("edit", json!({"path": "new", "old": "y", "new": "z"})),
    ];
    let mut prepared = agent.prepare(&calls);
    assert!(prepared.pop().unwrap().unwrap_err().output.contains("does not exist"));
    let prepared: Vec<Prepared> = prepared.into_iter().map(Result::unwrap).collect();
    assert!(prepared[1].request.diff.as_ref().unwrap().contains("-1 b\n+1 2"));
    for prepared in prepared {
        assert!(agent.run(prepared.job).await.ok);
    }
    assert_eq!((agent.files.text("f"), agent.files.read("new").is_ok()), ("1 2\n".into(), false));
}

#[tokio::test]
async fn a_list_of_what_is_to_be_done_is_kept_and_counted() {
    let agent = Agent::with(&[]);
    let items = json!([{"text": "look", "state": "done"}, {"text": "change", "state": "active"}]);
    let outcome = agent.call("todo", json!({"items": items})).await;
    assert_eq!((outcome.ok, outcome.summary.as_str()), (true, "1 of 2 done"));
    let kept = outcome.todo.unwrap();
    assert_eq!((kept[1].text.as_str(), kept[1].state), ("change", TodoState::Active));
    let wrong = agent.call("todo", json!({"items": [{"text": "x", "state": "later"}]})).await;
    assert!(wrong.output.contains("`items[0].state` must be one of"), "{}", wrong.output);
}

#[tokio::test]
async fn a_question_gives_the_persons_answer_and_no_other() {
    let agent = Agent::with(&[]);
    let answered = agent.call("ask", json!({"question": "Which?", "answer": "the blue one"})).await;
    assert_eq!(answered.output, "The person answered: the blue one");
    assert!(!agent.call("ask", json!({"question": "Which?"})).await.ok);
}

#[tokio::test]
async fn a_long_result_is_cut_and_read_on_in() {
    let agent = Agent::with(&[]);
    let outcome = agent.call("shell", json!({"command": "seq 1 20000"})).await;
    assert!(
        outcome.output.len() < OUTPUT_CAP + 300 && outcome.output.ends_with("20000\n[exit 0]"),
        "{}",
        outcome.output.len()
    );
    let words = outcome.output.split("`read_more` with result `").nth(1).unwrap();
    let (name, rest) = words.split_once('`').unwrap();
    let offset: u64 = rest.split_whitespace().nth(2).unwrap().parse().unwrap();
    let first = outcome.output.split("\n\n[…").next().unwrap();
    let last: u64 = first.lines().last().unwrap().parse().unwrap();
    let more = agent.call("read_more", json!({"result": name, "offset": offset})).await;
    assert_eq!(more.output.lines().next().unwrap(), (last + 1).to_string(), "nothing is lost in between");
    assert!(more.output.contains("read on with offset"));
}

#[test]
fn of_a_servers_tool_every_argument_is_shown() {
    let (id, tool) = (CallId("p1.1.1".into()), "mcp__files__write_file".to_owned());
    let call = ToolCall { id, model_id: "c".into(), tool, arguments: json!({"path": "a", "content": "b"}) };
    assert_eq!(action(&call), r#"files:write_file {"path":"a","content":"b"}"#);
}
