//! Hooks in the real program: what they see and stop, what they may run, and that none outlives its time.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use paralane::domain::{EntryBody, HookEvent};
use serde_json::Value;

use crate::shop::{Shop, alive, text};

fn script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A hook of the person's own, as a script that stands outside of any repository.
fn own(shop: &Shop, event: &str, more: &str, text: &str) {
    let path = shop.bench.path().join(format!("own-{event}.sh"));
    script(&path, text);
    let config = fs::read_to_string(shop.bench.config_file()).unwrap();
    let hook = format!("\n[[hook]]\nevent = \"{event}\"\ncommand = [\"{}\"]\n{more}\n", path.display());
    fs::write(shop.bench.config_file(), config + &hook).unwrap();
}

fn notices(shop: &Shop, lane: &str) -> String {
    let all = shop.entries(lane).into_iter().filter_map(|entry| match entry.body {
        EntryBody::Notice { text, .. } => Some(text),
        _ => None,
    });
    all.collect::<Vec<_>>().join("\n")
}

#[test]
fn each_event_reaches_its_hook_and_what_it_says_has_its_effect() {
    let shop = Shop::full();
    let log = shop.bench.path().join("log");
    let keep = format!("line=$(cat); printf '%s\\n' \"$line\" >> {}", log.display());
    for event in ["session-start", "after-tool", "session-end"] {
        own(&shop, event, "", &keep);
    }
    own(
        &shop,
        "prompt",
        "",
        &format!(
            "{keep}\ncase $line in *forbidden*) echo '{{\"decision\":\"block\",\"reason\":\"not this\"}}';; *) echo '{{\"decision\":\"inject\",\"text\":\"it is Monday\"}}';; esac"
        ),
    );
    own(
        &shop,
        "before-tool",
        "match = [\"shell\"]",
        &format!(
            "{keep}\ncase $line in *rm*) echo '{{\"decision\":\"block\",\"reason\":\"keep it\"}}';; *) echo '{{\"decision\":\"warn\",\"text\":\"slowly\"}}';; esac"
        ),
    );
    own(
        &shop,
        "stop",
        "",
        &format!("{keep}\n[ -e ok ] || echo '{{\"decision\":\"block\",\"reason\":\"%write ok 1\"}}'"),
    );
    shop.lanes(&["api"]);
    let id = shop.send("api", "%sh rm README.md\n%sh echo hi\n%say all done");
    shop.wait_state(&id, "done");
    assert!(shop.worktree("api").join("README.md").exists() && shop.worktree("api").join("ok").exists());
    let results = shop.results("api");
    assert!(results[0].contains("blocked by hook") && results[0].contains("Reason: keep it"), "{results:?}");
    let said = notices(&shop, "api");
    for words in ["at before-tool blocks: keep it", "at before-tool: slowly"] {
        assert!(said.contains(words), "{words} in {said}");
    }
    let told: Vec<_> = shop
        .entries("api")
        .into_iter()
        .filter_map(|entry| match entry.body {
            EntryBody::Told { event, text, .. } => Some((event, text)),
            _ => None,
        })
        .collect();
    assert_eq!(told, [(HookEvent::Prompt, "it is Monday".to_owned()), (HookEvent::Stop, "%write ok 1".to_owned())]);
    let id = shop.send("api", "something forbidden");
    shop.wait_state(&id, "failed");
    let error = shop.json(&["queue", "list", "--all"])["prompts"].to_string();
    assert!(error.contains("failed"), "{error}");
    assert!(notices(&shop, "api").contains("blocks this prompt: not this"));
    shop.ok(&["down"]);
    let events: Vec<String> = text(log)
        .lines()
        .map(|line| {
            let told: Value = serde_json::from_str(line).unwrap();
            assert_eq!((&told["lane"], &told["version"]), (&"api".into(), &1.into()));
            told["event"].as_str().unwrap().to_owned()
        })
        .collect();
    let count = |event: &str| events.iter().filter(|of| *of == event).count();
    assert_eq!(
        (count("session-start"), count("prompt"), count("stop"), count("session-end")),
        (1, 2, 2, 1),
        "{events:?}"
    );
    assert_eq!((count("before-tool"), count("after-tool")), (2, 2), "{events:?}");
}

#[test]
fn a_hook_that_hangs_is_ended_with_its_children_and_lets_nothing_through() {
    let shop = Shop::full();
    let pids = shop.bench.path().join("pids");
    own(
        &shop,
        "before-tool",
        "timeout = 3",
        &format!(
            "trap '' TERM\nsleep 1000 &\necho $! > {0}\nsetsid sleep 1000 &\necho $! >> {0}\nwait\nwait",
            pids.display()
        ),
    );
    shop.lanes(&["api"]);
    let id = shop.send("api", "%write a.txt x\n%say over");
    shop.wait_state(&id, "done");
    assert!(!shop.worktree("api").join("a.txt").exists());
    assert!(shop.results("api")[0].contains("did not end within 3 s"), "{:?}", shop.results("api"));
    assert!(notices(&shop, "api").contains("(user config.toml:"), "the file and line are named");
    for pid in text(pids).lines() {
        assert!(!alive(pid), "{pid} lives");
    }
}

#[test]
fn a_projects_hooks_run_only_as_they_are_trusted() {
    let shop = Shop::full();
    let ran = shop.bench.path().join("ran");
    let guard = shop.bench.repo().join("hooks/guard.sh");
    script(&guard, &format!("echo one >> {}", ran.display()));
    // It writes outside the lane, which a project's hook may not by default.
    shop.bench.write(
        ".paralane/config.toml",
        "[[hook]]\nevent = \"before-tool\"\ncommand = [\"hooks/guard.sh\"]\nsandbox = false\n",
    );
    shop.bench.commit("Guard");
    shop.lanes(&["api"]);
    let write = |name: &str| {
        let id = shop.send("api", &format!("%write {name} x\n%say over"));
        shop.wait_state(&id, "done");
        shop.worktree("api").join(name).exists()
    };
    assert!(write("a.txt") && !ran.exists(), "never trusted: it counts for nothing");
    let told = notices(&shop, "api");
    assert!(told.contains("1 hook of the project's configuration does not run: it is not trusted"), "{told}");
    let shown = shop.ok(&["trust"]).stdout;
    assert!(shown.contains("[[hook]]") && shown.contains("echo one"), "shown whole: {shown}");
    shop.wait_for("the hook to count", || {
        let config = shop.ok(&["config"]).stdout;
        if config.contains("guard.sh") { Ok(()) } else { Err(config) }
    });
    assert!(write("b.txt"));
    assert_eq!(text(&ran), "one\n");
    // The lane changes its own copy: what runs is the base checkout's.
    script(&shop.worktree("api").join("hooks/guard.sh"), "exit 1");
    assert!(write("c.txt"));
    assert_eq!(text(&ran), "one\none\n");
    // The base checkout's changes: closed, and asked again.
    script(&guard, &format!("echo two >> {}", ran.display()));
    assert!(!write("d.txt"), "what it guards does not go on");
    assert_eq!(text(&ran), "one\none\n", "it did not run");
    let results = shop.results("api");
    assert!(results.last().unwrap().contains("`hooks/guard.sh` is not trusted as it stands"), "{results:?}");
    shop.wait_for("the question", || {
        let problems = shop.problems();
        if problems.contains("hooks/guard.sh") { Ok(()) } else { Err(problems) }
    });
    let shown = shop.ok(&["trust"]).stdout;
    assert!(shown.contains("echo two") && !shown.contains("[[hook]]"), "{shown}");
    shop.wait_for("the answer to count", || {
        let problems = shop.problems();
        if problems.contains("hooks/guard.sh") { Err(problems) } else { Ok(()) }
    });
    assert!(write("e.txt"));
    assert_eq!(text(&ran), "one\none\ntwo\n");
    // A changed configuration takes no trusted guard away while it waits for trust.
    shop.bench.write(".paralane/config.toml", "# nothing\n");
    shop.ok(&["theme", "paralane-light"]);
    shop.wait_for("the configuration to be read", || {
        let problems = shop.problems();
        if problems.contains("not trusted") { Ok(()) } else { Err(problems) }
    });
    assert!(write("f.txt"));
    assert_eq!(text(&ran), "one\none\ntwo\ntwo\n");
}

#[test]
fn a_changed_file_of_a_hook_asks_in_the_window() {
    let shop = Shop::full();
    shop.bench.write("hooks/guard.sh", "#!/bin/sh\ntrue\n");
    own(&shop, "prompt", "", "true");
    let config = fs::read_to_string(shop.bench.config_file()).unwrap();
    let hook = "\n[[hook]]\nevent = \"before-tool\"\ncommand = [\"sh\", \"hooks/guard.sh\"]\n";
    fs::write(shop.bench.config_file(), config + hook).unwrap();
    shop.lanes(&["api"]);
    let window = shop.bench.window(120, 40);
    window.wait_for_text("trust ").wait_for_text("hooks/guard.sh").wait_for_text("trusted as they stand");
    window.keys("y");
    let id = shop.send("api", "%write a.txt x\n%say over");
    shop.wait_state(&id, "done");
    assert!(shop.worktree("api").join("a.txt").exists());
    shop.bench.write("hooks/guard.sh", "#!/bin/sh\ntrue # changed\n");
    let id = shop.send("api", "%write b.txt x\n%say over");
    shop.wait_state(&id, "done");
    assert!(!shop.worktree("api").join("b.txt").exists());
    window.wait_for_text("true # changed");
    window.keys("n");
    window.wait_for_text("what was shown is not used");
    window.wait_for_text("at before-tool blocks: it is not run");
}

#[test]
fn no_hook_sees_a_key() {
    let mut shop = Shop::full();
    shop.bench.set_env("OTHER_TOKEN", "sk-other");
    let seen = shop.bench.path().join("seen");
    own(&shop, "prompt", "", &format!("env > {}", seen.display()));
    shop.lanes(&["api"]);
    let id = shop.send("api", "%say hi");
    shop.wait_state(&id, "done");
    let seen = text(seen);
    assert!(seen.contains("PATH=") && !seen.contains("LOCAL_KEY"), "{seen}");
}

#[test]
fn a_projects_hooks_and_tool_servers_stay_in_the_lane() {
    let shop = Shop::full();
    let outside = shop.bench.path().join("outside");
    // What it makes in `/tmp` stays in the lane's own, so that it may seem to work.
    let tries = format!("echo x > {}; cat ~/.ssh/id > key; echo $? > tried", outside.display());
    script(&shop.bench.repo().join("hooks/guard.sh"), &tries);
    shop.bench.write(
        ".paralane/config.toml",
        "[[hook]]\nevent = \"before-tool\"\ncommand = [\"hooks/guard.sh\"]\n\
         [mcp.x]\ncommand = [\"sh\", \"-c\", \"echo served > served; exit 3\"]\n",
    );
    shop.bench.commit("Guard");
    shop.ok(&["trust"]);
    shop.wait_for("the configuration to count", || {
        let config = shop.ok(&["config"]).stdout;
        if config.contains("guard.sh") { Ok(()) } else { Err(config) }
    });
    shop.lanes(&["api"]);
    let id = shop.send("api", "%write a.txt x\n%say over");
    shop.wait_state(&id, "done");
    assert!(shop.worktree("api").join("a.txt").exists(), "the hook ran and failed to write: {}", notices(&shop, "api"));
    assert!(shop.worktree("api").join("tried").exists() && shop.worktree("api").join("served").exists());
    assert!(!outside.exists());
    let servers = shop.ok(&["config"]).stdout;
    assert!(servers.contains("sandbox"), "{servers}");
}
