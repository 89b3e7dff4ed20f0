//! What a new lane gets before its session starts, what a failure leaves, and worktrees that were meddled with.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::shop::{Shop, text};

#[test]
fn untracked_files_are_copied_and_the_init_command_runs_with_visible_output() {
    let shop = Shop::with(
        "[agent]\nmode = \"full\"\n[lanes]\ncopy = [\".env\", \"config/*.toml\", \"absent.txt\"]\n\
         init = [\"sh\", \"-c\", \"echo preparing $(basename $PWD); cat .env > seen; echo to stderr >&2\"]\n",
    );
    shop.bench.write(".gitignore", ".env\nconfig/\nseen\n");
    shop.bench.commit("Ignore");
    shop.bench.write(".env", "PORT=1\n");
    shop.bench.write("config/local.toml", "a = 1\n");
    fs::set_permissions(shop.bench.repo().join(".env"), fs::Permissions::from_mode(0o600)).unwrap();
    shop.lanes(&["api"]);
    let worktree = shop.worktree("api");
    assert_eq!(text(worktree.join(".env")), "PORT=1\n");
    assert_eq!(fs::metadata(worktree.join(".env")).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(text(worktree.join("config/local.toml")), "a = 1\n");
    assert_eq!(text(worktree.join("seen")), "PORT=1\n", "init runs after the copying");
    let said = shop.notices("api").join("\n");
    for part in ["copied `.env`", "`absent.txt`: the base checkout has no such file", "preparing api", "to stderr"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // Once only, also over a restart.
    fs::write(worktree.join(".env"), "PORT=2\n").unwrap();
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    shop.wait_lane("api", "idle");
    assert_eq!(text(worktree.join(".env")), "PORT=2\n");
    assert_eq!(shop.notices("api").join("\n"), said);
}

#[test]
fn a_failing_init_fails_the_lane_and_keeps_its_prompts() {
    let shop =
        Shop::with("[agent]\nmode = \"full\"\n[lanes]\ninit = [\"sh\", \"-c\", \"echo broken pipes; exit 3\"]\n");
    shop.ok(&["lane", "new", "api", "--prompt", "%sh touch ran"]);
    let lane = shop.wait_lane("api", "failed");
    assert!(lane["error"].as_str().is_some_and(|e| e.contains("init command") && e.contains('3')), "{lane}");
    assert_eq!(lane["queued"], 1);
    assert_eq!(shop.state("p1"), "queued");
    assert!(shop.notices("api").iter().any(|n| n == "broken pipes"), "{:?}", shop.notices("api"));
    let problems = shop.problems();
    assert!(problems.contains("lane restart api"), "{problems}");
    assert!(!shop.worktree("api").join("ran").exists(), "nothing is started in it");
    // Mended, and started again.
    shop.bench.configure_server(&shop.model.base_url(), "[agent]\nmode = \"full\"\n");
    shop.ok(&["down"]);
    shop.ok(&["lane", "restart", "api"]);
    shop.wait_state("p1", "done");
    assert!(shop.worktree("api").join("ran").exists());
}

#[test]
fn a_copy_that_leads_outside_is_refused() {
    for (name, copy) in [("up", "../outside"), ("link", "link")] {
        let shop = Shop::with(&format!("[lanes]\ncopy = [\"{copy}\"]\n"));
        fs::write(shop.bench.path().join("outside"), "secret").unwrap();
        std::os::unix::fs::symlink(shop.bench.path().join("outside"), shop.bench.repo().join("link")).unwrap();
        let run = shop.bench.cli(&["lane", "new", name]);
        if run.status == 0 {
            let lane = shop.wait_lane(name, "failed");
            assert!(lane["error"].as_str().is_some_and(|e| e.contains(copy)), "{lane}");
            assert!(!shop.worktree(name).join("outside").exists() && text(shop.worktree(name).join("link")).is_empty());
        } else {
            assert!(run.stderr.contains(copy), "{run:?}");
        }
    }
}

#[test]
fn an_unknown_base_keeps_the_prompt() {
    let shop = Shop::full();
    shop.bench.git(&["branch", "release"]);
    shop.ok(&["lane", "new", "fix", "--base", "relase", "--prompt", "%sh touch ran"]);
    let lane = shop.wait_lane("fix", "failed");
    let error = lane["error"].as_str().unwrap();
    assert!(error.contains("relase") && error.contains("release"), "{error}");
    assert_eq!(shop.state("p1"), "queued");
    assert!(!shop.worktree("fix").exists());
    shop.lanes(&["other"]);
    shop.ok(&["queue", "move", "p1", "--lane", "other"]);
    shop.wait_state("p1", "done");
    shop.ok(&["lane", "close", "fix"]);
}

#[test]
fn names_that_git_or_paths_cannot_take_are_refused_with_the_rule() {
    let shop = Shop::full();
    for name in ["a/b", "..", "-x", "a b", "", "x.lock", "a\u{1b}[31m"] {
        let run = shop.bench.cli(&["lane", "new", "--", name]);
        let run = if run.status == 0 { shop.bench.cli(&["lane", "new", name]) } else { run };
        assert!(run.status == 1 || run.status == 2, "{name}: {run:?}");
        assert!(!run.stderr.contains('\u{1b}'), "{run:?}");
    }
    shop.lanes(&["api"]);
    let words = shop.refused(&["lane", "new", "api"]);
    assert!(words.contains("already a lane `api`"), "{words}");
    // A branch of that name that is not ours.
    shop.bench.git(&["branch", "lane/docs"]);
    shop.ok(&["lane", "new", "docs"]);
    let lane = shop.wait_lane("docs", "failed");
    assert!(lane["error"].as_str().is_some_and(|e| e.contains("lane/docs") && e.contains("exists already")), "{lane}");
    // A directory in the way.
    let taken = shop.bench.place().worktrees().join("ui");
    fs::create_dir_all(&taken).unwrap();
    fs::write(taken.join("mine.txt"), "mine").unwrap();
    shop.ok(&["lane", "new", "ui"]);
    let lane = shop.wait_lane("ui", "failed");
    assert!(lane["error"].as_str().is_some_and(|e| e.contains("exists already")), "{lane}");
    assert_eq!(text(taken.join("mine.txt")), "mine");
    assert!(!shop.bench.git(&["branch", "--list", "lane/ui"]).contains("lane/ui"), "nothing half made is left");
}

#[test]
fn a_worktree_removed_by_hand_is_told_and_comes_back() {
    let shop = Shop::full();
    shop.lanes(&["api", "ui"]);
    let worktree = shop.worktree("api");
    fs::remove_dir_all(&worktree).unwrap();
    shop.wait_for("the problem", || {
        let problems = shop.problems();
        if problems.contains("worktree of `api` is missing") { Ok(()) } else { Err(problems) }
    });
    // A prompt to it fails in words instead of working somewhere else.
    let id = shop.send("api", "%sh pwd");
    shop.wait_for("the prompt's end", || {
        let state = shop.state(&id);
        if state == "failed" { Ok(()) } else { Err(state) }
    });
    shop.ok(&["lane", "restart", "api"]);
    shop.wait_for("the worktree", || if worktree.join(".git").exists() { Ok(()) } else { Err(String::new()) });
    shop.ok(&["retry", &id]);
    shop.wait_state(&id, "done");
    // Found missing at a start, and closed.
    shop.ok(&["down"]);
    fs::remove_dir_all(shop.bench.place().worktrees().join("ui")).unwrap();
    shop.ok(&["up"]);
    shop.ok(&["lane", "close", "ui"]);
    assert!(!shop.bench.git(&["worktree", "list"]).contains("/ui "), "its registration is gone too");
    assert!(shop.bench.git(&["worktree", "list"]).contains("/api "));
}

#[test]
fn nothing_runs_in_a_folder_that_took_a_worktrees_place() {
    let shop = Shop::full();
    shop.lanes(&["api"]);
    let worktree = shop.worktree("api");
    fs::remove_dir_all(&worktree).unwrap();
    fs::create_dir(&worktree).unwrap();
    let id = shop.send("api", "%sh touch ran");
    shop.wait_state(&id, "failed");
    assert!(!worktree.join("ran").exists());
    let notices = shop.notices("api").join("\n");
    assert!(notices.contains("no worktree stands there"), "{notices}");
}

#[test]
fn git_variables_of_the_caller_reach_nothing() {
    let mut shop = Shop::full();
    let foreign = shop.bench.path().join("foreign");
    shop.bench.git_in(shop.bench.path(), &["init", "-q", "foreign"]);
    for (name, value) in [
        ("GIT_DIR", foreign.join(".git").to_str().unwrap()),
        ("GIT_WORK_TREE", foreign.to_str().unwrap()),
        ("GIT_INDEX_FILE", "/nowhere/index"),
        ("GIT_OBJECT_DIRECTORY", "/nowhere/objects"),
    ] {
        shop.bench.set_env(name, value);
    }
    shop.lanes(&["api"]);
    shop.ok(&["lane", "new", "sh", "--", "sh", "-c", "env > env.txt; exec sleep 600"]);
    let id =
        shop.send("api", "%sh git rev-parse --show-toplevel > top; env > env.txt; git add -A; git commit -qm Lane");
    shop.wait_state(&id, "done");
    let worktree = shop.worktree("api");
    assert_eq!(text(worktree.join("top")).trim(), worktree.to_str().unwrap());
    shop.wait_file(&shop.worktree("sh").join("env.txt"), |text| text.contains("PATH="));
    for lane in ["api", "sh"] {
        let env = text(shop.worktree(lane).join("env.txt"));
        let git: Vec<&str> = env.lines().filter(|l| l.starts_with("GIT_")).collect();
        assert!(git.is_empty(), "{lane}: {git:?}");
    }
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"] {
        shop.bench.unset_env(name);
    }
    assert!(shop.bench.git(&["log", "--oneline", "lane/api"]).contains("Lane"));
    assert_eq!(shop.bench.git_in(&foreign, &["worktree", "list"]).lines().count(), 1);
}

#[test]
fn a_repository_that_cannot_be_written_fails_the_lane_in_words() {
    let shop = Shop::full();
    // Permissions mean nothing to root; a file where a directory must be stops everybody.
    fs::write(shop.bench.repo().join(".git/worktrees"), "").unwrap();
    shop.ok(&["lane", "new", "api", "--prompt", "%sh touch ran"]);
    let lane = shop.wait_lane("api", "failed");
    let error = lane["error"].as_str().unwrap();
    assert!(!error.is_empty() && !error.contains("panicked"), "{error}");
    assert_eq!(shop.state("p1"), "queued");
    fs::remove_file(shop.bench.repo().join(".git/worktrees")).unwrap();
    shop.ok(&["lane", "restart", "api"]);
    shop.wait_state("p1", "done");
}

#[test]
fn a_repository_that_is_read_only_fails_the_lane_in_words() {
    if rustix::process::geteuid().is_root() {
        eprintln!("skipped: root writes everywhere");
        return;
    }
    let shop = Shop::full();
    let git = shop.bench.repo().join(".git");
    fs::set_permissions(&git, fs::Permissions::from_mode(0o500)).unwrap();
    shop.ok(&["lane", "new", "api"]);
    let lane = shop.wait_lane("api", "failed");
    fs::set_permissions(&git, fs::Permissions::from_mode(0o700)).unwrap();
    assert!(lane["error"].as_str().is_some_and(|e| e.contains("read-only")), "{lane}");
}
