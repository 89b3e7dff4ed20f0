//! Nothing of a pane outlives it: processes, zombies, descriptors.

use super::*;

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

/// Processes that have the pane's marker in their environment.
#[cfg(target_os = "linux")]
fn alive(marker: &str) -> Vec<String> {
    let wanted = format!("PARALANE_PANE={marker}");
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes
        .filter_map(|process| {
            let environment = std::fs::read(process.path().join("environ")).ok()?;
            environment.split(|&b| b == 0).any(|v| v == wanted.as_bytes()).then(|| process.path().display().to_string())
        })
        .collect()
}

#[cfg(target_os = "linux")]
#[test]
fn children_that_left_the_session_are_ended_too() {
    let script =
        "setsid sleep 9999 & setsid sh -c 'trap \"\" TERM HUP; sleep 9998 & wait' & sleep 9999 & echo up; wait";
    let house = House::with(&["bash", "-c", script]);
    house.until_shows(LANE, "up");
    let marker = house.panes.pane_of(LANE).marker.clone();
    house.until("all children", |_| {
        (alive(&marker).len() >= 5).then_some(()).or_else(|| {
            house.panes.key(LANE, Key::char(' ')).unwrap();
            None
        })
    });
    let ended = runtime().block_on(house.panes.close(LANE)).unwrap();
    assert!(ended.told >= 5 && ended.left.is_empty(), "{ended:?}");
    assert_eq!(alive(&marker), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_dead_workstation_left_is_ended_by_its_marks() {
    let house = House::new();
    house.open(LANE, &["bash", "-c", "setsid sleep 9999 & echo up; wait"]);
    house.until_shows(LANE, "up");
    let marker = house.panes.pane_of(LANE).marker.clone();
    let mark = format!("{}={marker}", crate::terminal::environment::PANE_MARK);
    let marked = |environment: &[u8]| environment.split(|byte| *byte == 0).any(|v| v == mark.as_bytes());
    assert!(!alive(&marker).is_empty());
    assert!(end_leftovers(marked).left.is_empty());
    assert_eq!(alive(&marker), Vec::<String>::new());
    house.until_exits(LANE);
    assert_eq!(end_leftovers(marked), Ended::default());
}

#[test]
fn an_ended_pane_stays_readable_and_can_be_opened_again() {
    let house = House::with(&["sh", "-c", "echo one; exec cat"]);
    house.until_shows(LANE, "one");
    let ended = runtime().block_on(house.panes.end(LANE)).unwrap();
    assert!(ended.left.is_empty());
    let (status, code) = house.until_exits(LANE);
    assert!(status.starts_with("ended by a signal") && code.is_none(), "{status}");
    assert!(house.screen(LANE).contains(&"one".to_owned()));
    assert!(matches!(house.panes.key(LANE, Key::char('x')), Err(TerminalError::Ended { .. })));
    house.open(LANE, &["sh", "-c", "echo two; exec cat"]);
    house.until_shows(LANE, "two");
}

#[cfg(target_os = "linux")]
fn descriptors() -> usize {
    // Other tests of this binary run at the same time: only what panes open is counted.
    let entries = std::fs::read_dir("/proc/self/fd").unwrap().filter_map(Result::ok);
    entries
        .filter(|entry| {
            std::fs::read_link(entry.path())
                .is_ok_and(|to| to.starts_with("/dev/ptmx") || to.starts_with("/dev/pts/ptmx"))
        })
        .count()
}

/// Runs alone in a process of its own, since it counts that process's descriptors and children.
#[cfg(target_os = "linux")]
#[test]
fn three_hundred_panes_leave_no_descriptor_and_no_zombie() {
    const ALONE: &str = "PARALANE_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let name = "terminal::tests::ending::three_hundred_panes_leave_no_descriptor_and_no_zombie";
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture"])
            .env(ALONE, "1")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    let all = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let house = House::new();
    let runtime = runtime();
    let before = all();
    let threads = || std::fs::read_dir("/proc/self/task").unwrap().count();
    let threads_before = threads();
    for number in 0..300 {
        let lane = LaneId(number);
        house.panes.open(lane, &launch(&["sleep", "9999"])).unwrap();
        if number % 10 == 9 {
            runtime.block_on(async {
                for lane in number - 9..=number {
                    assert!(house.panes.close(LaneId(lane)).await.unwrap().left.is_empty());
                }
            });
        }
    }
    house.open(LANE, &["cat"]);
    runtime.block_on(house.panes.close(LANE)).unwrap();
    // The panes' threads let go a moment after the close.
    let deadline = Instant::now() + PATIENCE;
    while all() > before + 3 || descriptors() > 0 {
        assert!(Instant::now() < deadline, "{} descriptors, {before} before", all());
        std::thread::yield_now();
    }
    let own = std::process::id().to_string();
    let children = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok).filter_map(|process| {
        let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        (fields.get(1) == Some(&own.as_str())).then_some(stat)
    });
    // Neither a zombie nor one that lives on.
    assert_eq!(children.collect::<Vec<_>>(), Vec::<String>::new());
    while threads() > threads_before {
        assert!(Instant::now() < deadline, "{} threads, {threads_before} before", threads());
        std::thread::yield_now();
    }
}
