//! Native CLIs as full lanes, with a stub that speaks the hooks of each: launch, queue, approvals, refusals, resume, and
//! hooks that make no sense.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::Bench;
use crate::support::bench::PROGRAM;

const STUB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/stub_cli.sh");

/// A bench whose PATH has the stub as each CLI.
fn bench() -> Bench {
    let mut bench = Bench::new();
    let (bin, log) = (bench.path().join("bin"), log(&bench));
    fs::create_dir(&bin).unwrap();
    fs::create_dir(&log).unwrap();
    for cli in ["claude", "codex", "gemini", "opencode", "copilot"] {
        symlink(STUB, bin.join(cli)).unwrap();
    }
    bench.set_env("PATH", &format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()));
    bench.set_env("STUB_LOG", log.to_str().unwrap());
    bench
}

fn log(bench: &Bench) -> PathBuf {
    bench.path().join("log")
}

fn logged(bench: &Bench, name: &str) -> String {
    fs::read_to_string(log(bench).join(name)).unwrap_or_default()
}

fn lines(bench: &Bench, name: &str) -> usize {
    logged(bench, name).lines().count()
}

fn lane(bench: &Bench) -> Value {
    bench.json(&["lane", "show", "web"])
}

/// Sends a prompt and waits until the lane's program has done it.
fn done(bench: &Bench, text: &str) -> Value {
    let run = bench.cli(&["prompt", "web", text, "--wait", "--timeout", "60", "--json"]).ended_with(0);
    run.json()
}

/// Sends a prompt whose call asks, and gives the question.
fn asks(bench: &Bench, text: &str) -> Value {
    bench.cli(&["prompt", "web", text]).ended_with(0);
    let listed = || bench.json(&["approvals"])["approvals"].as_array().cloned().unwrap_or_default();
    bench.wait_until("the call asks", || !listed().is_empty());
    listed().remove(0)
}

fn rests(bench: &Bench) {
    bench.wait_until("all prompts are over", || {
        bench.json(&["queue", "list"])["prompts"].as_array().is_some_and(Vec::is_empty)
    });
}

#[test]
fn a_native_cli_is_launched_prompted_judged_and_resumed() {
    let bench = bench();
    bench.cli(&["lane", "new", "web", "--cli", "claude", "--model", "big"]).ended_with(0);
    bench.cli(&["lane", "new", "api", "--here", "--", "sleep", "1000"]).ended_with(0);
    let answer = done(&bench, "say something");
    assert_eq!((answer["state"].as_str(), answer["result"].as_str()), (Some("done"), Some("did it")), "{answer}");
    let first = logged(&bench, "args");
    assert!(first.contains("--permission-mode manual") && first.contains("--model big"), "{first}");
    assert!(!first.contains(logged(&bench, "env").split("PARALANE_TOKEN=").nth(1).unwrap().lines().next().unwrap()));
    assert!(!bench.path().join("home/.claude/settings.json").exists(), "the person's own settings stay as they are");
    assert!(logged(&bench, "context").contains("- api"), "{}", logged(&bench, "context"));

    // Asked in the panel: allowed, then denied.
    let asked = asks(&bench, "%bash touch allowed");
    assert_eq!((asked["tool"].as_str(), asked["action"].as_str()), (Some("shell"), Some("touch allowed")), "{asked}");
    bench.cli(&["approve", asked["id"].as_str().unwrap()]).ended_with(0);
    rests(&bench);
    let worktree = PathBuf::from(lane(&bench)["worktree"].as_str().unwrap());
    assert!(worktree.join("allowed").exists());
    let asked = asks(&bench, "%bash touch denied");
    bench.cli(&["deny", asked["id"].as_str().unwrap(), "--reason", "not now"]).ended_with(0);
    rests(&bench);
    assert!(!worktree.join("denied").exists() && logged(&bench, "answers").contains("Reason: not now"));

    // What no mode allows, and what another lane holds.
    bench.cli(&["mode", "full"]).ended_with(0);
    bench.cli(&["reserve", "--lane", "api", "Makefile"]).ended_with(0);
    let base = bench.repo().join("README.md");
    for (text, said) in [
        ("%bash git switch -c other".to_owned(), "works on `lane/web` alone"),
        (format!("%write {}", base.display()), "lies outside this lane's worktree"),
        (format!("%bash echo x > {}", base.display()), "lies outside this lane's worktree"),
        ("%write Makefile".to_owned(), "lane `api` holds Makefile"),
        ("%bash git commit -m 'Co-Authored-By: Claude'".to_owned(), "credits an assistant"),
    ] {
        done(&bench, &text);
        let last = logged(&bench, "answers").lines().last().unwrap_or_default().to_owned();
        assert!(last.contains("\"deny\"") && last.contains(said), "{text}: {last}");
    }
    assert_eq!(fs::read_to_string(&base).unwrap(), "# shop\n");
    assert_eq!(bench.git_in(&worktree, &["branch", "--show-current"]).trim(), "lane/web");

    // After a crash the lane goes on with its own conversation.
    let session = lane(&bench)["session"].as_str().unwrap().to_owned();
    bench.kill_workstation();
    bench.cli(&["lane", "restart", "web"]).ended_with(0);
    bench.wait_until("it runs again", || lines(&bench, "args") == 2);
    assert!(logged(&bench, "args").lines().last().unwrap().contains(&format!("--resume {session}")));
    done(&bench, "go on");

    // One that is gone is said, and a new one begins only when it is wanted.
    fs::remove_dir_all(bench.path().join("home/.claude/projects")).unwrap();
    bench.cli(&["lane", "stop", "web"]).ended_with(0);
    bench.cli(&["lane", "restart", "web"]).ended_with(0);
    bench.wait_until("it is said", || lane(&bench)["state"] == "failed");
    let cause = lane(&bench)["error"].as_str().unwrap().to_owned();
    assert!(cause.contains(&session) && cause.contains("not there any more"), "{cause}");
    bench.cli(&["lane", "restart", "web", "--fresh"]).ended_with(0);
    bench.wait_until("it runs again", || lines(&bench, "args") == 3);
    let native = private(&bench);
    assert!(native.exists());
    bench.cli(&["lane", "close", "web"]);
    bench.cli(&["lane", "stop", "web"]);
    bench.git_in(&worktree, &["clean", "-fdq"]);
    bench.cli(&["lane", "close", "web"]).ended_with(0);
    bench.wait_until("its private files are gone", || !native.exists());
}

/// Where the lane's private files stand.
fn private(bench: &Bench) -> PathBuf {
    bench.place().store().parent().unwrap().join("native/1")
}

/// Runs `paralane hook` outside of the lane, with these variables beside the lane's: status, standard output, standard
/// error.
fn outside(bench: &Bench, event: &str, more: &[(&str, &str)], payload: &[u8]) -> (i32, String, String) {
    let env = logged(bench, "env");
    let variables = env.lines().filter_map(|line| line.split_once('='));
    let mut child = Command::new(PROGRAM)
        .args(["hook", event, "claude"])
        .envs(variables)
        .envs(more.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // One that is refused for its length is not read to its end.
    let _ = child.stdin.take().unwrap().write_all(payload);
    let out = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap(), text(out.stdout), text(out.stderr))
}

/// The same, run by the lane's program; with another token, if one is given.
fn inside(bench: &Bench, event: &str, token: &str, payload: &[u8]) -> (i32, String, String) {
    let file = bench.path().join("payload");
    fs::write(&file, payload).unwrap();
    done(bench, format!("%hook {event} {} {token}", file.display()).trim());
    let said = |name: &str| logged(bench, &format!("hook.{name}"));
    (said("status").trim().parse().unwrap(), said("out"), said("err"))
}

const READ: &[u8] = br#"{"tool_name": "Read", "tool_input": {"file_path": "README.md"}}"#;
const SHELL: &[u8] = br#"{"tool_name": "Bash", "tool_input": {"command": "ls"}}"#;
/// What each of the others does as Claude Code does, in its own way.
fn governed(cli: &str) {
    let bench = bench();
    bench.cli(&["lane", "new", "web", "--cli", cli, "--model", "a/big"]).ended_with(0);
    let answer = done(&bench, "say something");
    assert_eq!((answer["state"].as_str(), answer["result"].as_str()), (Some("done"), Some("did it")), "{answer}");
    assert!(logged(&bench, "args").contains("a/big"));
    assert!(
        !logged(&bench, "args")
            .contains(logged(&bench, "env").split("PARALANE_TOKEN=").nth(1).unwrap().lines().next().unwrap())
    );
    let worktree = PathBuf::from(lane(&bench)["worktree"].as_str().unwrap());

    // Asked in the panel: allowed, then denied.
    let asked = asks(&bench, "%bash touch allowed");
    assert_eq!((asked["tool"].as_str(), asked["action"].as_str()), (Some("shell"), Some("touch allowed")), "{asked}");
    bench.cli(&["approve", asked["id"].as_str().unwrap()]).ended_with(0);
    rests(&bench);
    assert!(worktree.join("allowed").exists(), "{}", logged(&bench, "answers"));
    let asked = asks(&bench, "%bash touch denied");
    bench.cli(&["deny", asked["id"].as_str().unwrap(), "--reason", "not now"]).ended_with(0);
    rests(&bench);
    assert!(!worktree.join("denied").exists());
    // What a rule allows needs nobody, though its dialog may open.
    bench.cli(&["mode", "full"]).ended_with(0);
    done(&bench, "%bash touch free");
    assert!(worktree.join("free").exists());
    let keys: &[&str] = match cli {
        "gemini" => &["key 1", "key E", "key 1"],
        "copilot" => &["key 1", "key E"],
        _ => &[],
    };
    assert_eq!(logged(&bench, "keys").lines().collect::<Vec<_>>(), keys);

    // What no mode allows.
    let base = bench.repo().join("README.md");
    for text in [
        "%bash git switch -c other".to_owned(),
        "%bash git -C . checkout -b other".to_owned(),
        format!("%write {}", base.display()),
        format!("%bash echo x > {}", base.display()),
        "%bash git commit -m 'Co-Authored-By: Claude'".to_owned(),
    ] {
        done(&bench, &text);
        let last = logged(&bench, "answers").lines().last().unwrap_or_default().to_owned();
        assert!(last.contains("\"deny\""), "{text}: {last}");
    }
    assert_eq!(fs::read_to_string(&base).unwrap(), "# shop\n");
    assert_eq!(bench.git_in(&worktree, &["branch", "--show-current"]).trim(), "lane/web");

    // What it asks about itself stands in the panel too.
    if cli != "gemini" {
        let asked = asks(&bench, "%own touch own");
        bench.wait_until("its dialog stands", || bench.cli(&["approve", asked["id"].as_str().unwrap()]).status == 0);
        rests(&bench);
        assert!(worktree.join("own").exists(), "{}", logged(&bench, "keys"));
    }

    // Hooks that make no sense let nothing through.
    done(&bench, "%bad");
    let bad = logged(&bench, "bad");
    assert_eq!(bad.matches(" status 2").count(), 6, "{bad}\n{}", logged(&bench, "errors"));

    // After a crash the lane goes on with its own conversation.
    let session = lane(&bench)["session"].as_str().unwrap().to_owned();
    let data = bench.path().join("home/.local/share/opencode");
    if cli == "opencode" {
        fs::create_dir_all(&data).unwrap();
        let base = rusqlite::Connection::open(data.join("opencode.db")).unwrap();
        base.execute_batch(&format!("create table session (id text); insert into session values ('{session}')"))
            .unwrap();
    }
    bench.kill_workstation();
    bench.cli(&["lane", "restart", "web"]).ended_with(0);
    bench.wait_until("it runs again", || lines(&bench, "args") == 2);
    let again = logged(&bench, "args").lines().last().unwrap().to_owned();
    assert!(again.contains(&session) && again.contains("res") | again.contains("--session"), "{again}");
    done(&bench, "go on");
    assert_eq!(lane(&bench)["session"].as_str(), Some(session.as_str()));

    // One that is gone is said.
    for place in [".codex/sessions", ".gemini/tmp", ".copilot/session-state", ".local/share/opencode"] {
        // Only one of them is there.
        let _ = fs::remove_dir_all(bench.path().join("home").join(place));
    }
    bench.cli(&["lane", "stop", "web"]).ended_with(0);
    bench.cli(&["lane", "restart", "web"]).ended_with(0);
    bench.wait_until("it is said", || lane(&bench)["state"] == "failed");
    let cause = lane(&bench)["error"].as_str().unwrap().to_owned();
    assert!(cause.contains(&session) && cause.contains("not there any more"), "{cause}");
    bench.cli(&["lane", "restart", "web", "--fresh"]).ended_with(0);
    bench.wait_until("it runs again", || lines(&bench, "args") == 3);

    // Nothing of it stays.
    bench.cli(&["lane", "stop", "web"]).ended_with(0);
    bench.git_in(&worktree, &["clean", "-fdq"]);
    bench.cli(&["lane", "close", "web"]).ended_with(0);
    bench.wait_until("its private files are gone", || !private(&bench).exists());
}

#[test]
fn codex_is_governed() {
    governed("codex");
}

#[test]
fn gemini_is_governed() {
    governed("gemini");
}

#[test]
fn opencode_is_governed() {
    governed("opencode");
}

#[test]
fn copilot_is_governed() {
    governed("copilot");
}

#[test]
fn what_it_has_used_is_counted_by_its_own_record() {
    let bench = bench();
    for (cli, tokens, cost) in [("copilot", 1242, None), ("opencode", 1242, Some(0.5))] {
        bench.cli(&["lane", "new", "web", "--cli", cli]).ended_with(0);
        done(&bench, "go");
        bench.wait_until("it is counted", || lane(&bench)["tokens"] == tokens);
        assert_eq!(lane(&bench)["cost"].as_f64(), cost, "{cli}");
        assert_eq!(lane(&bench)["context"]["tokens"], tokens);
        assert!(bench.cli(&["top", "--once"]).ended_with(0).stdout.contains("1,242"), "{cli}");
        bench.cli(&["lane", "stop", "web"]).ended_with(0);
        bench.cli(&["lane", "close", "web"]).ended_with(0);
    }
}

#[test]
fn a_cli_that_crashes_or_wants_a_login_says_so_and_the_others_go_on() {
    let bench = bench();
    bench.cli(&["lane", "new", "other", "--here", "--", "sleep", "1000"]).ended_with(0);
    let mood = log(&bench).join("mood");
    for cli in ["claude", "codex", "gemini", "opencode", "copilot"] {
        fs::write(&mood, "crash").unwrap();
        bench.cli(&["lane", "new", "web", "--cli", cli]).ended_with(0);
        bench.wait_until("its end is said", || ["ended", "failed"].contains(&lane(&bench)["state"].as_str().unwrap()));
        assert!(lane(&bench).to_string().contains("exited with status 3"), "{}", lane(&bench));
        fs::write(&mood, "login").unwrap();
        bench.cli(&["lane", "restart", "web"]).ended_with(0);
        bench.wait_until("it needs its person", || lane(&bench)["state"] == "needs-you");
        // Nothing is typed into it meanwhile.
        bench.cli(&["prompt", "web", "go"]).ended_with(0);
        let other = bench.json(&["lane", "show", "other"])["state"].as_str().unwrap().to_owned();
        assert!(["working", "idle"].contains(&other.as_str()), "{cli}: {other}");
        bench.cli(&["lane", "stop", "web"]).ended_with(0);
        bench.cli(&["cancel", "--lane", "web"]);
        bench.cli(&["lane", "close", "web"]);
        bench.wait_until("it is gone", || bench.json(&["lane", "list"])["lanes"].as_array().unwrap().len() == 1);
    }
}

#[test]
fn a_cli_of_another_version_says_so_in_its_lane_and_works() {
    let bench = bench();
    let package = bench.path().join("package");
    fs::create_dir(&package).unwrap();
    fs::write(package.join("package.json"), r#"{"version":"9.9.9"}"#).unwrap();
    fs::copy(STUB, package.join("claude")).unwrap();
    fs::remove_file(bench.path().join("bin/claude")).unwrap();
    symlink(package.join("claude"), bench.path().join("bin/claude")).unwrap();
    for (name, cli, said) in [
        ("web", "claude", "claude 9.9.9, and 2.1.332 was tried"),
        ("api", "codex", "codex of a version that cannot be told, and 0.171.0 was tried"),
    ] {
        bench.cli(&["lane", "new", name, "--cli", cli]).ended_with(0);
        let shown = bench.cli(&["lane", "show", name]).ended_with(0).stdout;
        assert!(shown.contains(said), "{shown}");
        bench.cli(&["prompt", name, "go", "--wait", "--timeout", "60"]).ended_with(0);
    }
}

#[test]
fn a_name_of_ones_own_is_added_started_and_removed_by_command() {
    let mut bench = bench();
    bench.set_env("MY_KEY", "the-secret");
    bench.configure("# mine\n[ui]\ntheme = \"paralane-light\" # bright\n");
    let before = fs::read_to_string(bench.config_file()).unwrap();
    let words = ["provider", "add", "local", "--cli", "claude", "--model", "big", "--set", "STUB_SET=here"];
    let more = ["--from", "STUB_KEY=MY_KEY", "--", "--verbose"];
    bench.cli(&[&words[..], &more[..]].concat()).ended_with(0);
    let after = fs::read_to_string(bench.config_file()).unwrap();
    assert!(after.starts_with(&before) && !after.contains("the-secret"), "{after}");
    let listed = || bench.cli(&["provider", "list"]).ended_with(0).stdout;
    bench.wait_until("it is listed", || listed().contains("by claude, model big, needs MY_KEY"));
    bench.cli(&["lane", "new", "web", "--cli", "local"]).ended_with(0);
    done(&bench, "go");
    let (args, set) = (logged(&bench, "args"), logged(&bench, "set"));
    assert!(args.contains("--model big") && args.contains("--verbose"), "{args}");
    assert!(set.contains("STUB_SET=here") && set.contains("STUB_KEY=the-secret"), "{set}");
    bench.cli(&["provider", "shadow", "kimi", "--off"]).ended_with(0);
    bench.wait_until("it is taken away", || !listed().contains("kimi"));
    bench.cli(&["provider", "remove", "kimi"]).ended_with(0);
    bench.wait_until("it is back", || listed().contains("kimi"));
    let said = bench.cli(&["provider", "remove", "local"]).ended_with(0).stdout;
    assert!(said.contains("made with it") && said.contains("`web`"), "{said}");
    assert_eq!(fs::read_to_string(bench.config_file()).unwrap(), before);
    let said = bench.cli(&["provider", "remove", "local"]).ended_with(1).stderr;
    assert!(said.contains("no `[clis.local]`") && said.contains("provider list"), "{said}");
    let said = bench.cli(&["provider", "add", "kimi", "--cli", "claude"]).ended_with(1).stderr;
    assert!(said.contains("provider shadow kimi"), "{said}");
}

#[test]
fn what_comes_along_starts_its_carrier_with_its_server_and_key() {
    let mut bench = bench();
    for (name, key, carried) in [
        ("deepseek", "DEEPSEEK_API_KEY", "ANTHROPIC_AUTH_TOKEN=k-1"),
        ("kimi", "MOONSHOT_API_KEY", "ANTHROPIC_AUTH_TOKEN=k-1"),
        ("grok", "XAI_API_KEY", "XAI_API_KEY=k-1"),
    ] {
        bench.unset_env(key);
        bench.cli(&["lane", "new", "web", "--cli", name]).ended_with(0);
        bench.wait_until("the missing key is said", || lane(&bench)["state"] == "failed");
        let cause = lane(&bench)["error"].as_str().unwrap().to_owned();
        assert!(cause.contains(key) && cause.contains("not set"), "{cause}");
        bench.cli(&["down"]).ended_with(0);
        bench.await_end();
        bench.set_env(key, "k-1");
        bench.cli(&["lane", "restart", "web"]).ended_with(0);
        done(&bench, "go");
        let (args, set) = (logged(&bench, "args"), logged(&bench, "set"));
        let last = args.lines().last().unwrap();
        assert!(set.lines().any(|line| line == carried), "{name}: {set}");
        let server =
            if name == "grok" { last.contains("api.x.ai") } else { set.contains("ANTHROPIC_BASE_URL=https://") };
        let model = if name == "grok" { "-m grok-code-fast-1" } else { "--model " };
        assert!(server && last.contains(model), "{name}: {last}\n{set}");
        bench.cli(&["lane", "stop", "web"]).ended_with(0);
        bench.cli(&["lane", "close", "web"]).ended_with(0);
    }
}

#[test]
fn hooks_that_make_no_sense_let_nothing_through() {
    let bench = bench();
    bench.cli(&["lane", "new", "web", "--cli", "claude"]).ended_with(0);
    bench.wait_until("it has begun", || lines(&bench, "context") > 0);
    let long = vec![b'x'; 5 * 1024 * 1024];
    for (token, payload, said) in [
        ("", &b"not json"[..], "no JSON object"),
        ("", b"{}", "lacks `tool_name`"),
        ("", long.as_slice(), "more than"),
        ("guessed", READ, "no lane has this token"),
    ] {
        let (status, stdout, stderr) = inside(&bench, "PreToolUse", token, payload);
        assert!(status == 2 && stdout.is_empty() && stderr.contains(said), "{status} {stdout} {stderr}");
    }
    // What only tells goes on.
    let (status, stdout, _) = inside(&bench, "Stop", "guessed", b"not json");
    assert_eq!((status, stdout.as_str()), (0, "{}\n"));
    let (status, stdout, _) = inside(&bench, "PreToolUse", "", READ);
    assert!(status == 0 && stdout.contains("\"allow\""), "{status} {stdout}");
}

#[test]
fn only_the_lanes_own_processes_speak_for_it_and_in_one_protocol() {
    let bench = bench();
    let other = log(&bench).join("other");
    let command = format!("env > {}; exec sleep 1000", other.display());
    bench.cli(&["lane", "new", "api", "--here", "--", "sh", "-c", &command]).ended_with(0);
    bench.cli(&["lane", "new", "web", "--cli", "claude"]).ended_with(0);
    bench.wait_until("both have begun", || lines(&bench, "context") > 0 && other.exists());
    let foreign = fs::read_to_string(&other).unwrap();
    let foreign = foreign.lines().find_map(|line| line.strip_prefix("PARALANE_TOKEN=")).unwrap().to_owned();
    let (status, _, stderr) = inside(&bench, "PreToolUse", &foreign, READ);
    assert!(status == 2 && stderr.contains("belongs to another lane"), "{status} {stderr}");
    let (status, _, stderr) = outside(&bench, "PreToolUse", &[], READ);
    assert!(status == 2 && stderr.contains("was not started by the lane's program"), "{status} {stderr}");
    let (status, _, stderr) = outside(&bench, "PreToolUse", &[("PARALANE_PROTOCOL", "9999")], READ);
    let own = paralane::protocol::VERSION.to_string();
    let numbers = stderr.contains("protocol 9999") && stderr.contains(&own) && stderr.contains("paralane down");
    assert!(status == 2 && numbers, "{status} {stderr}");
}

#[test]
fn without_a_workstation_nothing_is_allowed_but_reading() {
    let bench = bench();
    bench.cli(&["lane", "new", "web", "--cli", "claude"]).ended_with(0);
    bench.wait_until("it has begun", || lines(&bench, "context") > 0);
    let asked = asks(&bench, "%bash touch allowed");
    bench.kill_workstation();
    for event in ["PreToolUse", "PermissionRequest", "BeforeTool"] {
        let (status, stdout, stderr) = outside(&bench, event, &[], SHELL);
        assert!(status == 2 && stdout.is_empty() && stderr.contains("has ended"), "{event} {status} {stderr}");
        let (status, stdout, _) = outside(&bench, event, &[], READ);
        assert_eq!((status, stdout.as_str()), (0, "{}\n"), "{event}: its own rules hold");
        let (status, _, _) = outside(&bench, event, &[("PARALANE_READS", "closed")], READ);
        assert_eq!(status, 2, "{event}");
    }
    let (status, stdout, _) = outside(&bench, "Stop", &[], b"{}");
    assert_eq!((status, stdout.as_str()), (0, "{}\n"));
    // What it asked has ended with it, and is said to have.
    let listed = bench.json(&["approvals", "--all"]);
    let found = listed["approvals"].as_array().unwrap().iter().find(|one| one["id"] == asked["id"]).unwrap();
    assert_eq!(found["state"], "expired", "{listed}");
    assert_eq!(bench.json(&["approvals"])["approvals"], json!([]));
}

#[test]
fn what_a_script_does_to_branches_is_refused_by_git_itself() {
    let bench = bench();
    let own = bench.repo().join(".git/hooks");
    fs::create_dir_all(&own).unwrap();
    for name in ["commit-msg", "reference-transaction"] {
        let text = format!(
            "#!/bin/sh\n{{ echo \"$@\"; [ {name} = commit-msg ] || cat; }} >> {}\n",
            log(&bench).join(name).display()
        );
        fs::write(own.join(name), text).unwrap();
        fs::set_permissions(own.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    bench.cli(&["mode", "full"]).ended_with(0);
    bench.cli(&["lane", "new", "web", "--cli", "claude"]).ended_with(0);
    bench.wait_until("it has begun", || lines(&bench, "context") > 0);
    let worktree = PathBuf::from(lane(&bench)["worktree"].as_str().unwrap());
    let script = |text: &str| {
        fs::write(worktree.join("run.sh"), format!("{{ {text}\n}} > {}/script 2>&1\n", log(&bench).display())).unwrap();
        done(&bench, "%bash sh run.sh");
        logged(&bench, "script")
    };
    let refs =
        || bench.git(&["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/main", "refs/heads/other"]);
    let before = refs();
    for text in [
        "git switch -c other",
        "git update-ref refs/heads/main $(git commit-tree HEAD^{tree} -m x)",
        "git branch other",
        "git checkout --detach",
        "git branch -m other",
        &format!("git -C {} commit --allow-empty -m x", bench.repo().display()),
        &format!("git worktree add {}", bench.path().join("w").display()),
    ] {
        let said = script(text);
        assert!(said.contains("This lane works on `lane/web` alone"), "{text}: {said}");
        assert_eq!(refs(), before, "{text}");
        assert_eq!(bench.git_in(&worktree, &["branch", "--show-current"]).trim(), "lane/web", "{text}");
    }
    let said = script("git commit --allow-empty --no-verify -m x -m 'Co-Authored-By: Claude <noreply@anthropic.com>'");
    assert!(said.contains("credits an assistant"), "{said}");
    let said = script("git -c user.name=Claude commit --allow-empty -m x");
    assert!(said.contains("credits an assistant"), "{said}");
    // Its own branch moves, a rebase goes its way, and the repository's own hooks run with all that git tells them.
    let said =
        script("git add run.sh && git commit -qm one && git tag v1 && git stash && git rebase -q main && echo fine");
    assert!(said.contains("fine"), "{said}");
    assert_eq!(bench.git_in(&worktree, &["log", "-1", "--format=%s"]).trim(), "one");
    assert!(logged(&bench, "commit-msg").contains("COMMIT_EDITMSG"), "{}", logged(&bench, "commit-msg"));
    let told = logged(&bench, "reference-transaction");
    assert!(told.contains("prepared") && told.contains("committed") && told.contains("refs/tags/v1"), "{told}");
    // A CLI that sets no hooks for its commands, after what it was given, does not get around ours.
    let none = "GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_1=core.hooksPath GIT_CONFIG_VALUE_1= git";
    let said = script(&format!("{none} switch -c other"));
    assert!(said.contains("This lane works on `lane/web` alone"), "{said}");
    // Another repository is nobody's.
    let said = script("git init -q t && cd t && git commit -q --allow-empty -m x && git switch -q -c y && echo fine");
    assert!(said.contains("fine"), "{said}");
    // What slips past all the same is told.
    let bare = "env -u GIT_CONFIG_COUNT -u GIT_CONFIG_PARAMETERS git";
    script(&format!("rm -rf t; {bare} switch -q -c other"));
    bench.wait_until("it is told", || bench.cli(&["problems"]).stdout.contains("`web` has `other` checked out"));
    let answers = lines(&bench, "answers");
    done(&bench, "%bash ls");
    assert!(lines(&bench, "answers") > answers);
    assert!(
        logged(&bench, "answers").lines().last().unwrap().contains("git switch lane/web"),
        "only the way back is open"
    );
}

#[test]
fn what_cannot_be_governed_is_refused_before_anything_is_made() {
    let mut bench = bench();
    let empty = bench.path().join("empty");
    fs::create_dir(&empty).unwrap();
    symlink(git(), empty.join("git")).unwrap();
    bench.set_env("PATH", empty.to_str().unwrap());
    let said = bench.cli(&["lane", "new", "web", "--cli", "claude"]).ended_with(1).stderr;
    assert!(said.contains("`claude` is not on the PATH"), "{said}");
    let said = bench.cli(&["lane", "new", "web", "--cli", "amp"]).ended_with(1).stderr;
    assert!(said.contains("does not carry session-start, before-tool, stop"), "{said}");
    assert_eq!(bench.json(&["lane", "list"])["lanes"], json!([]));
    assert!(!bench.git(&["branch"]).contains("lane/web"));
    // Hidden: it is in no help.
    assert!(!bench.cli(&["help"]).ended_with(0).stdout.contains(" hook "));
}

fn git() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).map(|place| place.join("git")).find(|file| Path::is_file(file)).unwrap()
}
