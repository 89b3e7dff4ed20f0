//! A real watcher on temporary directories. Nothing here proves an absence by waiting: a later change is made, and what
//! was told until then must not name the earlier one.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::watcher::Limits;
use super::*;
use crate::domain::LaneId;

const API: LaneId = LaneId(1);
const UI: LaneId = LaneId(2);
const DEADLINE: Duration = Duration::from_secs(60);

struct World {
    dir: TempDir,
    watcher: Watcher,
    events: Receiver<WatchEvent>,
}

impl World {
    fn new() -> Self {
        Self::with(Limits { watches: 10_000, queue: 4_096 })
    }

    fn with(limits: Limits) -> Self {
        let (sender, events) = channel();
        let watcher = Watcher::with_limits(move |event| sender.send(event).unwrap_or(()), limits).unwrap();
        let world = Self { dir: TempDir::new().unwrap(), watcher, events };
        fs::create_dir_all(world.git().join("refs/heads/lane")).unwrap();
        world
    }

    fn git(&self) -> PathBuf {
        self.dir.path().join("repo.git")
    }

    /// A worktree as git lays it out.
    fn target(&self, name: &str) -> Target {
        let directory = self.dir.path().join("lanes").join(name);
        let git_dir = self.git().join("worktrees").join(name);
        fs::create_dir_all(&directory).unwrap();
        fs::create_dir_all(&git_dir).unwrap();
        fs::write(directory.join(".git"), format!("gitdir: {}\n", git_dir.display())).unwrap();
        let refs = vec![format!("refs/heads/lane/{name}"), "refs/heads/main".to_owned()];
        Target { directory: Some(directory), git_dir, common_dir: self.git(), refs }
    }

    fn add(&self, lane: LaneId, name: &str) -> PathBuf {
        let target = self.target(name);
        let directory = target.directory.clone().unwrap();
        self.watcher.add(lane, target).unwrap();
        directory
    }

    /// All that is told until the lane's event that `last` accepts.
    fn until(&self, last: impl Fn(&WatchEvent) -> bool) -> Vec<WatchEvent> {
        let deadline = Instant::now() + DEADLINE;
        let mut all = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(event) = self.events.recv_timeout(left) else { panic!("not told in time; told: {all:#?}") };
            all.push(event);
            if all.last().is_some_and(&last) {
                return all;
            }
        }
    }

    fn until_touched(&self, path: &str) -> BTreeSet<String> {
        let events = self.until(|event| event.touched.iter().any(|touched| touched == path));
        events.into_iter().flat_map(|event| event.touched).collect()
    }
}

fn write(path: PathBuf) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "x").unwrap();
}

fn set(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

#[test]
fn a_burst_is_told_at_once_and_by_relative_paths() {
    let world = World::new();
    let dir = world.add(API, "api");
    write(dir.join("a.txt"));
    fs::rename(dir.join("a.txt"), dir.join("b.txt")).unwrap();
    write(dir.join("z.txt"));
    let events = world.until(|event| event.touched.contains(&"z.txt".to_owned()));
    let last = events.last().unwrap();
    assert_eq!((last.lane, last.git_moved, last.overflow, last.missing), (API, false, false, false));
    let all: BTreeSet<_> = events.into_iter().flat_map(|event| event.touched).collect();
    assert_eq!(all, set(&["a.txt", "b.txt", "z.txt"]));
}

#[test]
fn files_in_new_folders_are_told_whenever_they_came() {
    let world = World::new();
    let dir = world.add(API, "api");
    write(dir.join("src/deep/old.rs"));
    let touched = world.until_touched("src/deep/old.rs");
    assert!(!touched.contains("src"), "{touched:?}");
    write(dir.join("src/deep/new.rs"));
    world.until_touched("src/deep/new.rs");
    fs::rename(dir.join("src/deep"), dir.join("moved")).unwrap();
    let touched = world.until_touched("moved/new.rs");
    assert!(touched.contains("src/deep"), "{touched:?}");
    write(dir.join("moved/more.rs"));
    world.until_touched("moved/more.rs");
}

#[test]
fn what_git_ignores_is_not_watched() {
    let world = World::new();
    let dir = world.target("api").directory.unwrap();
    fs::write(dir.join(".gitignore"), "target/\n").unwrap();
    write(dir.join("target/old/x.o"));
    write(dir.join("src/a.rs"));
    world.add(API, "api");
    assert!(watched(&dir.join("src")) && !watched(&dir.join("target")));
    write(dir.join("target/old/y.o"));
    fs::remove_dir_all(dir.join("target")).unwrap();
    write(dir.join("target/new/z.o"));
    write(dir.join("last"));
    let touched = world.until_touched("last");
    assert!(!touched.iter().any(|path| path.starts_with("target/")), "{touched:?}");
    assert!(!watched(&dir.join("target")));
}

#[test]
fn a_changed_ignore_file_counts_from_then_on() {
    let world = World::new();
    let dir = world.add(API, "api");
    write(dir.join("out/x"));
    world.until_touched("out/x");
    assert!(watched(&dir.join("out")));
    fs::write(dir.join(".gitignore"), "out/\n").unwrap();
    world.until_touched(".gitignore");
    assert!(!watched(&dir.join("out")));
    fs::remove_file(dir.join(".gitignore")).unwrap();
    world.until_touched(".gitignore");
    assert!(watched(&dir.join("out")));
}

#[test]
fn moved_git_state_is_told_to_the_lanes_it_concerns() {
    let world = World::new();
    world.add(API, "api");
    let ui = world.add(UI, "ui");
    let moved = |lane, path: &str| {
        write(world.git().join(path));
        let events = world.until(|event| event.lane == lane && event.git_moved);
        assert!(events.iter().all(|event| event.touched.is_empty()), "{events:?}");
        events.into_iter().map(|event| event.lane).collect::<BTreeSet<_>>()
    };
    assert_eq!(moved(API, "worktrees/api/HEAD"), BTreeSet::from([API]));
    assert_eq!(moved(API, "refs/heads/lane/api"), BTreeSet::from([API]));
    assert_eq!(moved(UI, "worktrees/ui/index"), BTreeSet::from([UI]));
    moved(UI, "refs/heads/main");
    // Nothing of these is the lanes' business.
    for path in
        ["COMMIT_EDITMSG", "HEAD", "FETCH_HEAD", "refs/heads/lane/other", "worktrees/ui/index.lock", "objects/x"]
    {
        write(world.git().join(path));
    }
    write(ui.join("last"));
    let events = world.until(|event| event.touched == ["last"]);
    assert!(events.iter().all(|event| event.lane == API || !event.git_moved), "{events:?}");
}

#[test]
fn folders_of_refs_that_come_and_go_are_followed() {
    let world = World::new();
    let lane = world.git().join("refs/heads/lane");
    fs::remove_dir(&lane).unwrap();
    world.add(API, "api");
    for _ in 0..3 {
        write(lane.join("api"));
        world.until(|event| event.git_moved);
        fs::remove_dir_all(&lane).unwrap();
        write(world.git().join("packed-refs"));
        world.until(|event| event.git_moved);
    }
}

#[test]
fn only_git_can_be_watched() {
    let world = World::new();
    let target = Target { directory: None, git_dir: world.git(), ..world.target("api") };
    world.watcher.add(API, target).unwrap();
    write(world.git().join("HEAD"));
    assert!(world.until(|_| true)[0].git_moved);
}

#[test]
fn reading_is_no_change() {
    let world = World::new();
    let dir = world.target("api").directory.unwrap();
    write(dir.join("read"));
    world.add(API, "api");
    for _ in 0..100 {
        fs::read(dir.join("read")).unwrap();
        fs::read_dir(&dir).unwrap().count();
    }
    write(dir.join("last"));
    assert_eq!(world.until_touched("last"), set(&["last"]));
}

#[test]
fn a_directory_that_is_gone_is_told_and_can_come_back() {
    let world = World::new();
    let dir = world.add(API, "api");
    write(dir.join("src/a"));
    world.until_touched("src/a");
    fs::remove_dir_all(&dir).unwrap();
    world.until(|event| event.missing);
    assert!(matches!(
        world.watcher.add(API, Target { directory: Some(dir), ..world.target("ui") }),
        Err(WatchError::Missing { .. })
    ));
    let dir = world.add(API, "api");
    write(dir.join("again"));
    world.until_touched("again");
    fs::rename(&dir, world.dir.path().join("elsewhere")).unwrap();
    world.until(|event| event.missing);
}

#[test]
fn a_removed_lane_is_silent() {
    let world = World::new();
    let api = world.add(API, "api");
    let ui = world.add(UI, "ui");
    world.watcher.remove(API);
    world.watcher.remove(API);
    write(api.join("a"));
    write(ui.join("last"));
    let events = world.until(|event| event.touched == ["last"]);
    assert!(events.iter().all(|event| event.lane == UI), "{events:?}");
}

#[test]
fn lanes_may_share_a_directory() {
    let world = World::new();
    let dir = world.add(API, "api");
    world.add(UI, "api");
    write(dir.join("a"));
    let mut told = BTreeSet::new();
    while told.len() < 2 {
        told.extend(world.until(|event| event.touched.contains(&"a".to_owned())).into_iter().map(|event| event.lane));
    }
    world.watcher.remove(API);
    write(dir.join("b"));
    assert!(world.until_touched("b").contains("b"));
}

#[test]
fn a_limit_is_said_and_what_is_watched_stays_watched() {
    let world = World::with(Limits { watches: 6, queue: 4_096 });
    let dir = world.add(API, "api");
    write(dir.join("one/x"));
    let events = world.until(|event| event.limit.is_some());
    let limit = events.last().unwrap().limit.clone().unwrap();
    assert!(limit.is_limit() && limit.to_string().contains("watch limit reached"), "{limit}");
    write(dir.join("still"));
    world.until_touched("still");
    let error = world.watcher.add(UI, world.target("ui")).unwrap_err();
    assert!(matches!(error, WatchError::OwnLimit { cap: 6, .. }), "{error}");
    let kernel = WatchError::KernelLimit { dir };
    assert!(kernel.is_limit() && kernel.to_string().contains("fs.inotify.max_user_watches"));
}

#[test]
fn a_burst_beyond_the_queue_is_told_as_overflow() {
    let (sender, events) = channel();
    let (go, wait) = channel::<()>();
    let limits = Limits { watches: 100, queue: 4 };
    let sink = move |event| {
        sender.send(event).unwrap_or(());
        // Held until the test has made its burst, or is over.
        wait.recv().unwrap_or(());
    };
    let watcher = Watcher::with_limits(sink, limits).unwrap();
    let world = World { dir: TempDir::new().unwrap(), watcher, events };
    fs::create_dir_all(world.git().join("refs/heads/lane")).unwrap();
    let dir = world.add(API, "api");
    write(dir.join("first"));
    world.until_touched("first");
    for number in 0..100 {
        write(dir.join(number.to_string()));
    }
    drop(go);
    world.until(|event| event.overflow);
    write(dir.join("last"));
    world.until_touched("last");
}

/// Field case C33, for watches.
#[test]
fn all_watches_of_three_hundred_lanes_are_given_back() {
    let world = World::new();
    let mut inodes = BTreeSet::new();
    for number in 0..300 {
        let name = format!("lane-{number}");
        fs::create_dir_all(world.dir.path().join("lanes").join(&name).join("src")).unwrap();
        let dir = world.add(LaneId(number), &name);
        inodes.extend([&dir, &dir.join("src")].map(|dir| inode(dir)));
    }
    inodes.extend([world.git(), world.git().join("refs")].map(|dir| inode(&dir)));
    assert_eq!(kernel_watches().intersection(&inodes).count(), 602);
    for number in 0..300 {
        world.watcher.remove(LaneId(number));
    }
    // The removals stand in a queue; an answered call stands behind them.
    assert!(world.watcher.add(API, Target { directory: Some("/nonexistent".into()), ..world.target("x") }).is_err());
    assert_eq!(kernel_watches().intersection(&inodes).count(), 0);
}

fn watched(dir: &Path) -> bool {
    kernel_watches().contains(&inode(dir))
}

/// Device numbers are written differently in the two places; within one temporary directory the inode is enough.
fn inode(dir: &Path) -> u64 {
    fs::metadata(dir).unwrap().ino()
}

/// The inodes that this process has inotify watches on, as the kernel tells.
fn kernel_watches() -> BTreeSet<u64> {
    let mut inodes = BTreeSet::new();
    for entry in fs::read_dir("/proc/self/fdinfo").unwrap().flatten() {
        let info = fs::read_to_string(entry.path()).unwrap_or_default();
        for line in info.lines().filter(|line| line.starts_with("inotify ")) {
            let inode = line.split("ino:").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
            inodes.insert(u64::from_str_radix(inode, 16).unwrap());
        }
    }
    inodes
}
