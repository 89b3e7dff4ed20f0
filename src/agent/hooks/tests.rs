//! Hooks as real programs, well-behaved and not.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use super::*;
use crate::base::lock;
use crate::config::{Layer, Origin};
use crate::domain::{CallId, PortFuture};

/// Trusts these marks, and counts how often the person was to be asked.
#[derive(Default)]
struct Marks {
    trusted: Mutex<BTreeSet<String>>,
    asked: AtomicU64,
}

impl HookTrust for Marks {
    fn trusts(&self, mark: &str) -> bool {
        lock(&self.trusted).contains(mark)
    }

    fn ask(&self) -> PortFuture<'_, ()> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Box::pin(std::future::ready(()))
    }
}

struct Place {
    directory: tempfile::TempDir,
    marks: Arc<Marks>,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        for name in ["shop", "lane"] {
            std::fs::create_dir(directory.path().join(name)).unwrap();
        }
        Self { directory, marks: Arc::default() }
    }

    fn root(&self) -> PathBuf {
        self.directory.path().join("shop")
    }

    fn lane(&self) -> PathBuf {
        self.directory.path().join("lane")
    }

    fn hooks(&self, hooks: &[Hook]) -> Hooks {
        let marks: Arc<Marks> = Arc::clone(&self.marks);
        let of =
            LaneHooks { hooks: hooks.to_vec(), lane: "api".into(), project: self.root(), sandbox: None, trust: marks };
        let path = ("PATH".to_owned(), std::env::var("PATH").unwrap());
        let key = ("SOME_KEY".to_owned(), "sk-SENTINEL".to_owned());
        Hooks::new(of, self.lane(), vec![path, key], Some("sk-SENTINEL".into()), Some(PromptId(7)))
    }

    fn script(&self, path: &str, text: &str) {
        script(&self.root().join(path), text);
    }
}

fn script(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn hook(event: HookEvent, command: &[&str]) -> Hook {
    Hook {
        event,
        tools: Vec::new(),
        command: command.iter().map(|&word| word.to_owned()).collect(),
        timeout: 20,
        lane: None,
        sandbox: false,
        origin: Origin::File { layer: Layer::User, file: "config.toml".into(), line: 3 },
    }
}

fn sh(event: HookEvent, text: &str) -> Hook {
    hook(event, &["sh", "-c", text])
}

fn call(tool: &str) -> ToolCall {
    let arguments = json!({"command": "rm x"});
    ToolCall { id: CallId("p7.1.1".into()), model_id: "m".into(), tool: tool.into(), arguments }
}

async fn before(place: &Place, hooks: &[Hook]) -> HookReply {
    place.hooks(hooks).before_tool(&call("shell"), "rm x", &CancellationToken::new()).await
}

fn blocked(reply: &HookReply) -> &str {
    &reply.block.as_ref().unwrap_or_else(|| panic!("not blocked: {reply:?}")).text
}

#[tokio::test]
async fn a_hook_is_told_everything_and_answers() {
    let place = Place::new();
    let keep =
        sh(HookEvent::BeforeTool, "cat > told.json; env > env.txt; tty > tty.txt; echo '{\"decision\":\"allow\"}'");
    assert_eq!(before(&place, &[keep]).await, HookReply::default());
    let read = |name: &str| std::fs::read_to_string(place.lane().join(name)).unwrap();
    let told: Value = serde_json::from_str(&read("told.json")).unwrap();
    let worktree = place.lane().display().to_string();
    assert_eq!(
        told,
        json!({
            "version": 1, "event": "before-tool", "lane": "api", "project": place.root().display().to_string(),
            "worktree": worktree, "prompt": "p7", "call": "p7.1.1", "tool": "shell", "action": "rm x",
            "arguments": {"command": "rm x"},
        })
    );
    assert!(!read("env.txt").contains("SENTINEL"), "no key reaches a hook");
    assert!(read("tty.txt").contains("not a tty"));
}

#[tokio::test]
async fn hooks_speak_in_order_and_none_is_asked_after_a_block() {
    let place = Place::new();
    let say = |text: &str| sh(HookEvent::BeforeTool, &format!("echo '{text}'"));
    let reply = before(
        &place,
        &[
            say(r#"{"decision":"warn","text":"careful"}"#),
            say(r#"{"decision":"inject","text":"x is precious"}"#),
            say(r#"{"decision":"block","reason":"never"}"#),
            sh(HookEvent::BeforeTool, "touch reached"),
        ],
    )
    .await;
    assert_eq!(
        (blocked(&reply), &reply.warnings[0].text[..], &reply.inject[0].text[..]),
        ("never", "careful", "x is precious")
    );
    assert!(!place.lane().join("reached").exists());
    let notices = reply.notices(HookEvent::BeforeTool);
    assert!(notices[0].1.ends_with("(user config.toml:3) at before-tool: careful"), "{notices:?}");
    assert!(notices[2].1.contains(" at before-tool blocks: never"), "{notices:?}");
}

#[tokio::test]
async fn a_guard_that_fails_stops_what_it_guards() {
    let place = Place::new();
    for (text, words) in [
        ("exit 3", "ended with exit status: 3"),
        ("echo broken >&2; exit 1", ": broken"),
        ("echo '{\"decision\":\"allow\"}'; exit 1", "ended with exit status: 1"),
        ("kill -9 $$", "signal"),
        ("echo yes", "no answer"),
        ("echo '{'", "no answer"),
        ("printf '\\377\\376'", "not UTF-8"),
        ("head -c 10000000 /dev/zero", "more than 65536 bytes"),
        ("yes", "more than 65536 bytes"),
    ] {
        let reply = before(&place, &[sh(HookEvent::BeforeTool, text)]).await;
        assert!(blocked(&reply).contains(words), "{text}: {reply:?}");
        assert!(reply.block.unwrap().by.contains("config.toml:3"));
    }
    let missing = before(&place, &[hook(HookEvent::BeforeTool, &["no-such-program"])]).await;
    assert!(blocked(&missing).contains("cannot be started"), "{missing:?}");
    let missing = before(&place, &[hook(HookEvent::BeforeTool, &["./no-such-file"])]).await;
    assert!(blocked(&missing).contains("is no file"), "{missing:?}");
}

#[tokio::test]
async fn elsewhere_a_failure_is_only_said() {
    let place = Place::new();
    let stop = CancellationToken::new();
    let hooks = place.hooks(&[
        sh(HookEvent::Stop, "exit 1"),
        sh(HookEvent::Stop, "echo '{\"decision\":\"block\",\"reason\":\"tests\"}'"),
    ]);
    let reply = hooks.stop("done", 0, &stop).await;
    assert_eq!((reply.failures.len(), blocked(&reply)), (1, "tests"));
}

#[tokio::test]
async fn what_hangs_is_ended_with_its_children() {
    let place = Place::new();
    let mut hang = sh(
        HookEvent::BeforeTool,
        "sleep 1000 & echo $! > child; trap '' TERM; setsid sleep 1000 & echo $! > far; wait; wait",
    );
    hang.timeout = 3;
    let reply = before(&place, &[hang]).await;
    assert!(blocked(&reply).contains("did not end within 3 s"), "{reply:?}");
    for name in ["child", "far"] {
        let pid: u32 = std::fs::read_to_string(place.lane().join(name)).unwrap().trim().parse().unwrap();
        assert!(crate::base::Process::of(pid).is_none_or(|process| process.dead), "{name} lives");
    }
}

#[tokio::test]
async fn a_cancel_ends_a_hook_at_once() {
    let place = Place::new();
    let stop = CancellationToken::new();
    let hooks = place.hooks(&[sh(HookEvent::Prompt, "touch begun; sleep 1000")]);
    let asked = hooks.prompt("hi", &stop);
    let cancel = async {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !place.lane().join("begun").exists() {
            assert!(Instant::now() < deadline, "the hook begins");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        stop.cancel();
    };
    let (reply, ()) = tokio::join!(asked, cancel);
    assert!(reply.cancelled && reply.block.is_none());
}

#[tokio::test]
async fn a_child_left_behind_does_not_keep_the_answer_waiting() {
    let place = Place::new();
    let reply =
        before(&place, &[sh(HookEvent::BeforeTool, "sleep 1000 & echo '{\"decision\":\"block\",\"reason\":\"r\"}'")])
            .await;
    assert_eq!(blocked(&reply), "r");
}

#[tokio::test]
async fn large_facts_do_not_choke_a_hook_that_does_not_read() {
    let place = Place::new();
    let mut call = call("write");
    call.arguments = json!({"content": "x".repeat(4 << 20)});
    for text in ["true", "exec <&-; true", "cat > /dev/null"] {
        let hooks = place.hooks(&[sh(HookEvent::BeforeTool, text)]);
        let reply = hooks.before_tool(&call, "x", &CancellationToken::new()).await;
        assert_eq!(reply, HookReply::default(), "{text}");
    }
}

#[tokio::test]
async fn hooks_are_for_their_tools_and_lanes() {
    let place = Place::new();
    let mut tools = sh(HookEvent::BeforeTool, "exit 1");
    tools.tools = vec!["git_*".into(), "edit".into()];
    let mut lane = sh(HookEvent::BeforeTool, "exit 1");
    lane.lane = Some("other".into());
    let hooks = place.hooks(&[tools, lane]);
    for (tool, wanted) in [("git_log", true), ("edit", true), ("shell", false), ("credit", false), ("git", false)] {
        assert_eq!(hooks.any(HookEvent::BeforeTool, Some(tool)), wanted, "{tool}");
    }
    assert!(!hooks.any(HookEvent::AfterTool, Some("edit")));
    assert!(fits("*", "x") && fits("a*c", "abc") && !fits("a*c", "ab") && fits("*b*", "abc") && !fits("", "x"));
}

#[tokio::test]
async fn a_file_of_the_repository_runs_only_as_it_is_trusted_and_from_the_base_checkout() {
    let place = Place::new();
    place.script("hooks/guard.sh", "echo '{\"decision\":\"warn\",\"text\":\"base\"}'");
    // What a lane has at the same place is not what runs.
    script(&place.lane().join("hooks/guard.sh"), "echo '{\"decision\":\"warn\",\"text\":\"lane\"}'");
    for command in
        [&["hooks/guard.sh"][..], &["./hooks/guard.sh"], &["sh", "hooks/guard.sh"], &["sh", "../shop/hooks/guard.sh"]]
    {
        let guard = hook(HookEvent::BeforeTool, command);
        lock(&place.marks.trusted).clear();
        let asked = place.marks.asked.load(Ordering::Relaxed);
        let reply = before(&place, std::slice::from_ref(&guard)).await;
        assert!(blocked(&reply).contains("`hooks/guard.sh` is not trusted as it stands"), "{command:?} {reply:?}");
        assert_eq!(place.marks.asked.load(Ordering::Relaxed), asked + 1);
        let files = hook_command(&guard, &place.root()).unwrap().files;
        assert_eq!(files.len(), 1, "{command:?}");
        lock(&place.marks.trusted).insert(files[0].mark.clone());
        assert_eq!(before(&place, &[guard]).await.warnings[0].text, "base", "{command:?}");
    }
    place.script("hooks/guard.sh", "echo changed");
    let reply = before(&place, &[hook(HookEvent::BeforeTool, &["hooks/guard.sh"])]).await;
    assert!(blocked(&reply).contains("not trusted"), "{reply:?}");
}

#[tokio::test]
async fn a_file_that_only_the_lane_has_does_not_run() {
    let place = Place::new();
    script(&place.lane().join("own.sh"), "touch ran");
    let reply = before(&place, &[hook(HookEvent::BeforeTool, &["sh", "own.sh"])]).await;
    assert!(blocked(&reply).contains("only the lane has"), "{reply:?}");
    assert!(!place.lane().join("ran").exists());
}

#[tokio::test]
async fn compaction_can_be_kept_back_or_told_something() {
    let place = Place::new();
    let told = "cat > told.json; echo '{\"decision\":\"inject\",\"text\":\"keep the numbers\"}'";
    let hooks = place.hooks(&[sh(HookEvent::BeforeCompaction, told)]);
    let reply = hooks.before_compaction("manual", 1234, &CancellationToken::new()).await;
    assert_eq!((reply.inject[0].text.as_str(), reply.block), ("keep the numbers", None));
    let told: Value = serde_json::from_str(&std::fs::read_to_string(place.lane().join("told.json")).unwrap()).unwrap();
    assert_eq!((&told["trigger"], &told["tokens"]), (&json!("manual"), &json!(1234)));
    let hooks =
        place.hooks(&[sh(HookEvent::BeforeCompaction, "echo '{\"decision\":\"block\",\"reason\":\"not now\"}'")]);
    assert_eq!(blocked(&hooks.before_compaction("auto", 1, &CancellationToken::new()).await), "not now");
}

#[tokio::test]
async fn what_hooks_tell_the_model_is_bounded_together() {
    let place = Place::new();
    let long = "printf '{\"decision\":\"inject\",\"text\":\"%s\"}' $(head -c 15000 /dev/zero | tr '\\0' x)";
    let hooks: Vec<Hook> = (0..4).map(|_| sh(HookEvent::Prompt, long)).collect();
    let reply = place.hooks(&hooks).prompt("hi", &CancellationToken::new()).await;
    assert_eq!((reply.inject.len(), reply.failures.len()), (2, 2), "{:?}", reply.failures);
}
