//! What is typed wrong, and servers that misbehave: a clear message each, an exit status, nothing lost.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::time::{Duration, Instant};

use crate::model_server::ModelServer;
use crate::shop::Shop;
use crate::support::Bench;
use paralane::store::Store;

#[test]
fn unknown_lanes_and_ids_are_told_with_the_nearest() {
    let shop = Shop::full();
    shop.lanes(&["api", "docs"]);
    for (args, parts) in [
        (&["prompt", "apo", "x"][..], &["no lane `apo`", "`api`"][..]),
        (&["lane", "show", "dosc"], &["no lane `dosc`", "`docs`"]),
        (&["lane", "close", "zzz"], &["no lane `zzz`", "api"]),
        (&["lane", "restore", "api"], &["no closed lane `api`"]),
        (&["queue", "list", "--lane", "apo"], &["no lane `apo`"]),
        (&["approve", "a7"], &["no approval `a7`"]),
        (&["deny", "a7"], &["no approval `a7`"]),
        (&["override", "c7"], &["no conflict `c7`"]),
        (&["wait", "c7"], &["no conflict `c7`"]),
        (&["retry", "p7"], &["no prompt `p7`"]),
        (&["cancel", "p7"], &["no prompt `p7`"]),
        (&["queue", "edit", "p7", "x"], &["no prompt `p7`"]),
        (&["lane", "new", "x", "--provider", "tset"], &["no provider `tset`", "test"]),
        (&["release", "--lane", "api", "src/"], &["no such reservation"]),
    ] {
        let words = shop.refused(args);
        for part in parts {
            assert!(words.contains(part), "{args:?}: {part}: {words}");
        }
    }
    for args in [
        &["approve", "7x"][..],
        &["prompt", "api"],
        &["prompt", "api", "x", "--priority", "urgent"],
        &["prompt", "api", "x", "--at", "yesterdayish"],
        &["prompt", "api", "x", "--every", "10s"],
        &["prompt", "api", "x", "--every", "1h", "--after", "p1"],
        &["prompt", "api", "x", "--every", "1h", "--wait"],
        &["prompt", "api", "x", "--wait", "--timeout", "soon"],
        &["approve", "a1", "--for", "ever"],
        &["lane"],
        &["reserve", "--lane", "api"],
        &["lane", "new", "x", "--kind", "agnet"],
    ] {
        let run = shop.bench.cli(args).ended_with(2);
        assert!(!run.stderr.is_empty() && run.stdout.is_empty(), "{args:?}: {run:?}");
    }
    assert!(shop.json(&["queue", "list", "--all"])["prompts"].as_array().unwrap().is_empty(), "nothing came of it");
}

#[test]
fn without_a_workstation_wrong_names_are_told_too() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    shop.ok(&["down"]);
    let words = shop.refused(&["lane", "show", "apo"]);
    assert!(words.contains("`api`"), "{words}");
    assert!(shop.bench.running().is_none());
}

#[test]
fn an_agent_lane_without_a_server_says_what_to_configure() {
    let bench = Bench::new();
    let run = bench.cli(&["lane", "new", "api"]).ended_with(1);
    assert!(run.stderr.contains("[providers.NAME]"), "{run:?}");
    assert!(bench.json(&["lane", "list"])["lanes"].as_array().unwrap().is_empty());
    bench.cli(&["lane", "new", "sh", "--", "sh"]).ended_with(0);
}

#[test]
fn a_malformed_configuration_names_file_line_and_key_and_loses_nothing() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let id = shop.send("api", "%say kept");
    shop.wait_state(&id, "done");
    shop.ok(&["down"]);
    let good = fs::read_to_string(shop.bench.config_file()).unwrap();
    for (bad, parts) in [
        ("[scheduler]\nmax_running = \"many\"\n", &["line 2", "max_running"][..]),
        ("[providers.x\n", &["line 1"]),
        ("[agent]\nmodee = \"ask\"\n", &["line 2", "modee", "mode"]),
        ("[ui]\ntheme = \"nope\"\n", &["line 2", "theme", "paralane-dark"]),
        (
            "[providers.x]\ndialect = \"smoke-signals\"\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"m\"\n",
            &["line 2", "dialect"],
        ),
    ] {
        shop.bench.configure(bad);
        for command in [&["up"][..], &["prompt", "api", "x"], &["lane", "list"]] {
            let run = shop.bench.cli(command).ended_with(1);
            assert!(run.stderr.contains("config.toml"), "{command:?} {bad}: {run:?}");
            for part in parts {
                assert!(run.stderr.contains(part), "{command:?} {part}: {run:?}");
            }
        }
        assert!(shop.bench.running().is_none());
    }
    shop.bench.configure(&good);
    assert_eq!(shop.state(&id), "done");
}

#[test]
fn a_dead_model_server_is_waited_for_and_can_be_given_up() {
    let bench = Bench::new();
    // A port that nobody listens on, as far as one can know.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let shop = Shop::on(bench, "[agent]\nmode = \"full\"\n");
    shop.bench.configure_server(&format!("http://{free}/v1"), "[agent]\nmode = \"full\"\n");
    shop.lanes(&["api", "ui"]);
    let given_up = shop.send("ui", "%say never");
    let id = shop.send("api", "%say at last");
    shop.wait_state(&given_up, "running");
    let begun = Instant::now();
    shop.ok(&["cancel", &given_up]);
    assert_eq!(shop.state(&given_up), "cancelled");
    shop.ok(&["lane", "close", "ui"]);
    // All tries take half a minute at least: who waited for their end is later than any slow machine.
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    // It comes up while the lane still tries.
    let _server = ModelServer::on(free.port());
    shop.wait_state(&id, "done");
}

#[test]
fn a_server_that_keeps_failing_fails_the_prompt_in_words() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    for (script, parts) in [
        ("%error 500 99", &["500", "scripted 500"][..]),
        ("%html", &["base_url"]),
        ("%error 404 99", &["404", "base_url"]),
        ("%error 403 99", &["403", "api_key_env"]),
    ] {
        let run = shop.bench.cli(&["--json", "prompt", "api", "--wait", "--", script]).ended_with(1);
        let error = run.json()["error"].as_str().unwrap().to_owned();
        for part in parts {
            assert!(error.contains(part), "{script}: {part}: {error}");
        }
        assert_eq!(shop.lane("api")["state"], "failed");
        // A fresh lane for the next: what was asked stays in the transcript.
        shop.ok(&["lane", "close", "api"]);
        shop.lanes(&["api"]);
    }
    // The lane is not stuck after that.
    shop.model.push(crate::model_server::Reply::error(400));
    let run = shop.bench.cli(&["prompt", "api", "--wait", "--", "%say fine"]).ended_with(1);
    assert!(run.stdout.contains("400"), "{run:?}");
    shop.bench.cli(&["prompt", "api", "--wait", "--", "%say fine"]).ended_with(0);
}

#[test]
fn broken_calls_are_told_to_the_model_and_do_nothing() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let script = "%call shell {\"command\": 7}\n%call shell {broken\n%call launch {}\n%call write {\"path\": \"a\"}";
    let id = shop.send("api", script);
    shop.wait_for("its end", || {
        let state = shop.state(&id);
        if ["done", "failed"].contains(&state.as_str()) { Ok(()) } else { Err(state) }
    });
    let worktree = shop.worktree("api");
    assert!(!worktree.join("a").exists());
    assert_eq!(shop.results("api").len(), 4, "{:?}", shop.results("api"));
}

#[test]
fn a_state_directory_that_is_removed_while_all_is_quiet_is_told() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    shop.ok(&["down"]);
    shop.ok(&["up"]);
    let store = shop.bench.place().store();
    fs::remove_dir_all(store.parent().unwrap()).unwrap();
    let told = || shop.bench.cli(&["problems"]).stdout.contains("was removed while this workstation runs");
    shop.bench.wait_until("it is told", told);
}

#[test]
fn a_newer_or_damaged_store_is_refused_and_left_alone() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    shop.ok(&["down"]);
    let store = shop.bench.place().store();
    let good = fs::read(&store).unwrap();
    let db = rusqlite::Connection::open(&store).unwrap();
    db.pragma_update(None, "user_version", 9_999).unwrap();
    drop(db);
    for command in [&["up"][..], &["lane", "list"], &["prompt", "api", "x"]] {
        let run = shop.bench.cli(command).ended_with(1);
        assert!(run.stderr.contains("newer") || run.stderr.contains("9999"), "{command:?}: {run:?}");
    }
    let damaged = b"this is no database at all, and long enough to be looked at as one by whoever opens it".repeat(64);
    fs::write(&store, &damaged).unwrap();
    for command in [&["up"][..], &["lane", "list"]] {
        let run = shop.bench.cli(command).ended_with(1);
        assert!(run.stderr.contains("paralane.db"), "{command:?}: {run:?}");
    }
    assert_eq!(fs::read(&store).unwrap(), damaged, "it is left as it is");
    fs::write(&store, good).unwrap();
    assert_eq!(shop.lane("api")["name"], "api");
}

#[test]
fn a_repository_may_have_any_name() {
    for name in [&b"my shop"[..], b"-rf", b"a\"b'c$(exit)`", b"x\ny", b"a\x1b]52;c;QUJD\x07\xc2\x9bb", b"\xffbad"] {
        let bench = Bench::without_repository();
        let odd = bench.path().join(std::ffi::OsStr::from_bytes(name));
        fs::create_dir(&odd).unwrap();
        // A link with a plain name, for the bench's own looks at the state.
        std::os::unix::fs::symlink(&odd, bench.repo()).unwrap();
        bench.git(&["init", "-q", "-b", "main"]);
        bench.write("a", "a\n");
        bench.commit("one");
        bench.cli(&["lane", "new", "sh", "--", "sh"]).ended_with(0);
        for args in [&["status"][..], &["status", "--json"], &["lane", "show", "sh"], &["lane", "list", "--json"]] {
            let run = bench.cli(args).ended_with(0);
            let raw = |c: char| c.is_control() && c != '\n';
            assert!(!run.stdout.contains(raw), "{name:?} {args:?}: {run:?}");
        }
        assert!(bench.json(&["status"])["project"].is_string());
        let here = bench.cli(&["lane", "new", "base", "--here", "--", "sh"]);
        if std::str::from_utf8(name).is_ok() {
            here.ended_with(0);
        } else {
            assert!(here.ended_with(1).stderr.contains("UTF-8"), "{name:?}");
        }
        bench.cli(&["down"]).ended_with(0);
    }
}

/// A small file system, given back at the end.
struct Tmpfs(std::path::PathBuf);

impl Drop for Tmpfs {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").args(["-l"]).arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_told_and_what_was_kept_stays() {
    let bench = Bench::new();
    fs::create_dir_all(bench.home()).unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=8m,mode=0700", "paralane-test"])
        .arg(bench.home())
        .output();
    match mounted {
        Ok(run) if run.status.success() => {}
        other => {
            eprintln!("skipped: a small file system cannot be mounted here: {other:?}");
            return;
        }
    }
    let mount = Tmpfs(bench.home());
    {
        let shop = Shop::on(bench, "[agent]\nmode = \"full\"\n");
        shop.lanes(&["api"]);
        let kept = shop.send("api", "%say kept");
        shop.wait_state(&kept, "done");
        let filler = shop.bench.home().join("filler");
        let mut file = fs::File::create(&filler).unwrap();
        while std::io::Write::write_all(&mut file, &[0; 4096]).is_ok() {}
        drop(file);
        // Larger than what is left in files that are there already.
        let big = format!("%say x {}", "y".repeat(100 * 1024));
        let run = shop.bench.cli(&["prompt", "api", "--", &big]).ended_with(1);
        assert!(run.stderr.contains("full") || run.stderr.contains("space"), "{run:?}");
        let problems = shop.problems();
        assert!(problems.contains("full") || problems.contains("space"), "{problems}");
        assert_eq!(shop.json(&["queue", "list", "--all"])["prompts"].as_array().map(Vec::len), Some(1));
        fs::remove_file(&filler).unwrap();
        let after = shop.send("api", "%say again");
        shop.wait_state(&after, "done");
        // What is shown is kept a moment later.
        shop.wait_for("what is kept", || {
            let kept = Store::read(&shop.bench.place().store()).unwrap().prompts;
            if kept.iter().all(|prompt| prompt.state.ended()) { Ok(()) } else { Err(format!("{kept:?}")) }
        });
        shop.bench.kill_workstation();
        shop.ok(&["up"]);
        assert_eq!(shop.state(&kept), "done");
        assert_eq!(shop.state(&after), "done");
        shop.ok(&["down"]);
    }
    drop(mount);
}
