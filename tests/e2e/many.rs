//! Many lanes: all finish, none is lost, the limit holds, and idle ones cost next to nothing.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::shop::{Shop, text};
use crate::support::Bench;
use crate::support::bench::PROGRAM;

#[test]
fn thirty_two_lanes_at_once_all_finish_within_the_limit() {
    let shop = Shop::with("[agent]\nmode = \"full\"\n[scheduler]\nmax_running = 8\n");
    let names: Vec<String> = (1..=32).map(|n| format!("l{n}")).collect();
    // Every lane begins with a prompt and gets a second one.
    std::thread::scope(|scope| {
        for part in names.chunks(8) {
            let shop = &shop;
            scope.spawn(move || {
                for name in part {
                    shop.ok(&["lane", "new", name, "--prompt", "%slow 30\n%sh echo first >> ran\n%slow 30\n%say one"]);
                    shop.send(name, "%slow 30\n%sh echo second >> ran\n%say two");
                }
            });
        }
    });
    let prompts = shop.wait_for("all prompts", || {
        let all = shop.json(&["queue", "list", "--all"])["prompts"].as_array().unwrap().clone();
        let done = all.iter().filter(|p| p["state"] == "done").count();
        if done == 64 { Ok(all) } else { Err(format!("{done} of {}", all.len())) }
    });
    let ids: BTreeSet<&str> = prompts.iter().map(|p| p["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 64);
    for name in &names {
        let worktree = shop.bench.place().worktrees().join(name);
        assert_eq!(text(worktree.join("ran")), "first\nsecond\n", "{name}: {:?}", shop.results(name));
    }
    let most = shop.model.most_open();
    assert!(most <= 8, "{most}");
    assert!(most >= 2, "they did run side by side: {most}");
    assert_eq!(shop.model.seen().len(), 128);
    println!("most model calls at once: {most} of 8 allowed");
}

/// Clock ticks that a process has used, and page faults of the children it has waited for.
fn used(pid: i32) -> (u64, u64, u64) {
    let stat = text(format!("/proc/{pid}/stat"));
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let number = |index: usize| fields[index].parse::<u64>().unwrap();
    // Fields 10 (minflt), 11 (cminflt), 14 (utime) and 15 (stime), counted from 3 after the name.
    (number(11) + number(12), number(8), number(7))
}

fn children(pid: i32) -> BTreeSet<String> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let lists = tasks.map(|task| text(task.unwrap().path().join("children")));
    lists.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn fifty_idle_lanes_start_no_process_and_take_next_to_no_time() {
    let shop = Shop::full();
    std::thread::scope(|scope| {
        for part in 0..5 {
            let shop = &shop;
            scope.spawn(move || {
                for n in 0..5 {
                    shop.ok(&["lane", "new", &format!("a{part}{n}")]);
                    shop.ok(&["lane", "new", &format!("p{part}{n}"), "--", "cat"]);
                }
            });
        }
    });
    shop.wait_for("fifty idle lanes", || {
        let lanes = shop.json(&["lane", "list"])["lanes"].as_array().unwrap().clone();
        let idle = lanes.iter().filter(|l| l["state"] == "idle").count();
        if idle == 50 { Ok(()) } else { Err(format!("{idle} of {}", lanes.len())) }
    });
    let pid = shop.bench.running().unwrap().pid;
    // Looks at git after the making may still be under way: wait until a whole second takes nothing.
    let window = |length: Duration| {
        let (_keep, never) = std::sync::mpsc::channel::<()>();
        let before = used(pid);
        let _time_is_what_is_measured = never.recv_timeout(length);
        let after = used(pid);
        (after.0 - before.0, after.1 - before.1)
    };
    shop.wait_for("quiet", || match window(Duration::from_secs(1)) {
        (0, 0) => Ok(()),
        busy => Err(format!("{busy:?}")),
    });
    let before = children(pid);
    let (ticks, faults) = window(Duration::from_secs(5));
    let rss =
        text(format!("/proc/{pid}/status")).lines().find(|l| l.starts_with("VmRSS")).unwrap_or_default().to_owned();
    println!("50 idle lanes: {ticks} ticks of 10 ms in 5 s ({} % of a core), {rss}", ticks as f64 / 5.0);
    assert_eq!(children(pid), before, "no process comes or goes");
    assert_eq!(before.len(), 25);
    assert_eq!(faults, 0, "no process was started and waited for");
    // A hundredth of a core is ten times what is promised; the number itself is printed.
    assert!(ticks <= 5, "{ticks} ticks");
}

#[test]
fn a_low_soft_limit_of_descriptors_does_not_count() {
    let bench = Bench::new();
    let limited = |command: &str| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &format!("ulimit {command} && exec \"$0\" up"), PROGRAM]);
        shell.current_dir(bench.repo()).env_clear().envs(bench.env()).output().unwrap()
    };
    assert!(limited("-Sn 64").status.success());
    for number in 0..24 {
        bench.cli(&["lane", "new", &format!("n{number}"), "--here", "--", "cat"]).ended_with(0);
    }
    bench.wait_until("all panes to run", || {
        let lanes = bench.json(&["lane", "list"]);
        let lanes = lanes["lanes"].as_array().unwrap().clone();
        assert!(lanes.iter().all(|lane| lane["state"] != "failed"), "{lanes:?}");
        lanes.iter().all(|lane| lane["state"] != "starting")
    });
    bench.cli(&["down"]).ended_with(0);
    // A hard limit is told, in the lane it meets, and the others go on.
    assert!(limited("-n 64").status.success());
    for number in 0..24 {
        bench.cli(&["lane", "restart", &format!("n{number}")]).ended_with(0);
    }
    bench.wait_until("the limit", || bench.cli(&["problems"]).stdout.contains("raise the limits"));
    assert_eq!(bench.json(&["lane", "list"])["lanes"].as_array().unwrap().len(), 24);
}
