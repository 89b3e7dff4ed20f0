//! Attempts to leave the lane, against the real kernel; and what must go on working behind the walls.

mod limits;
mod net;
mod pen;

use std::fs;
use std::os::unix::fs::MetadataExt;

use pen::{Pen, whole, without_namespaces};

/// A probe of `pen::Pen::probe`; nothing when it is run as a test.
#[test]
fn probe() {
    for what in std::env::var(pen::PROBE).unwrap_or_default().lines() {
        println!("-- {what}: {}", if net::probe(what) { "done" } else { "kept" });
    }
}

/// Each of these must fail, and change nothing outside.
const WRITES: &[&str] = &[
    "echo x > $OUT/outside/new",
    "echo x > ../../../outside/new",
    "echo x > $OUT/outside/file",
    "ln -s $OUT/outside out && echo x > out/new",
    "ln $OUT/outside/file here && echo x > here",
    "echo x > f && mv f $OUT/outside/new",
    "rm -f $OUT/outside/file; test ! -e $OUT/outside/file",
    "mkdir $OUT/outside/dir",
    "truncate -s 0 $OUT/outside/file",
    "chmod 777 $OUT/outside/file",
    "touch -d 2001-01-01 $OUT/outside/file",
    "exec 3< $OUT/outside && echo x > /proc/self/fd/3/new",
    "exec 3< $OUT/outside/file && echo x > /proc/self/fd/3",
    "echo x > /proc/$PPID/root$OUT/outside/new",
    "mount --bind $OUT/outside .",
    "unshare -Urm sh -c 'umount -l /tmp; echo x > $OUT/outside/new'",
    "echo x > $HOME/.bashrc",
    "echo x > $OUT/shop/a.txt",
    "echo x > $OUT/shop/.git/hooks/post-commit",
    "git config core.hooksPath /tmp/x",
    "echo x >> $OUT/shop/.git/config",
    "echo x > $OUT/shop/.git/HEAD",
    "echo x > $OUT/shop/.git/packed-refs",
    "echo x > $OUT/shop/.git/info/attributes",
    "git update-ref refs/heads/main HEAD~0 && git commit-tree -m x HEAD^{tree} | xargs git update-ref refs/heads/main",
    "git commit-tree -m x HEAD^{tree} | xargs git update-ref refs/heads/new",
    "git tag x",
    "git branch -D lane/web",
    "git commit-tree -m x HEAD^{tree} | xargs git update-ref refs/heads/lane/web",
    "rm -f $OUT/shop/.git/refs/heads/lane/web; test ! -e $OUT/shop/.git/refs/heads/lane/web",
    "echo x > f && mv f $OUT/shop/.git/refs/heads/lane/web",
    "rm -f .git && test ! -e .git",
    "echo 'gitdir: /tmp/x' > .git",
    "mv .git other",
    "echo /tmp/x > $(git rev-parse --git-dir)/commondir",
    "rm $(git rev-parse --git-dir)/commondir",
    "echo x > /etc/new",
    "echo x > /usr/bin/new",
    "echo x > /sys/kernel/mm/ksm/run",
    "echo x > /proc/sys/kernel/core_pattern",
    "mknod disk b 254 0",
    "echo x >> $(git rev-parse --git-dir)/config.worktree",
    "rm $(git rev-parse --git-dir)/config.worktree",
    "echo x > /proc/1/root$OUT/outside/new",
    "echo x > /proc/1/cwd/x",
    "nsenter -t 1 -m sh -c 'echo x > $OUT/outside/new'",
    "umount /proc",
    "mount -t proc proc /proc",
];

/// Everything outside that must stay as it was.
fn outside(pen: &Pen) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<_> = ["outside", "home", "shop"].map(|path| pen.path(path)).into();
    while let Some(path) = open.pop() {
        let facts = fs::symlink_metadata(&path).unwrap();
        if path.ends_with(".git/objects") || path.ends_with(".git/worktrees") || path.ends_with("home/cache") {
            continue;
        }
        if facts.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        let text = fs::read(&path).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default();
        let time = if facts.is_dir() { 0 } else { facts.mtime() };
        found.push(format!("{} {:o} {time} {text}", path.display(), facts.mode()));
    }
    found.sort();
    found
}

#[test]
fn nothing_outside_is_written() {
    let pen = Pen::new(whole());
    // The first command makes what the lane may write.
    assert!(pen.sh("true").ok);
    let before = outside(&pen);
    let pointer = fs::read_to_string(pen.bounds.worktree.join(".git")).unwrap();
    let all = pen.each(WRITES, "rm -rf out here f other disk");
    for (command, ran) in WRITES.iter().zip(all) {
        assert!(!ran.ok, "`{command}` went through: {}", ran.said);
    }
    assert_eq!(outside(&pen), before);
    assert_eq!(fs::read_to_string(pen.bounds.worktree.join(".git")).unwrap(), pointer);
    assert_eq!(pen.git("state/worktrees/api", &["status", "--porcelain"]), "");
}

#[test]
fn secrets_are_not_read() {
    let reads = [
        "cat $HOME/.ssh/id",
        "ls $HOME/.ssh",
        "cat $HOME/.netrc",
        "cat $OUT/state/paralane.db",
        "ls $OUT/state",
        "cat $OUT/state/worktrees/web/a.txt",
        "ln -s $HOME/.ssh/id key && cat key",
        "cat /proc/1/root$HOME/.ssh/id",
        "cat /proc/1/environ",
        "umount -l $HOME/.ssh; cat $HOME/.ssh/id",
        "chmod 755 $HOME/.ssh; ls $HOME/.ssh",
        "head -c 1 /dev/vda || head -c 1 /dev/sda || head -c 1 /dev/nvme0n1",
        "head -c 1 /dev/mem",
        "dmesg",
    ];
    for facts in [whole(), without_namespaces()] {
        let pen = Pen::new(facts);
        for (command, ran) in reads.iter().zip(pen.each(&reads, "rm -f key")) {
            // Names of what is hidden may be listed where rules stand alone.
            let listed = command.contains("ls ") && pen.facts().namespaces.is_err();
            assert!((listed || !ran.ok) && !ran.said.contains("SECRET"), "`{command}` went through: {}", ran.said);
        }
        assert_eq!(pen.sh("cat $HOME/plain $OUT/outside/file $OUT/shop/a.txt").said.matches("plain").count(), 1);
    }
}

#[test]
fn rules_alone_keep_writes_inside_too() {
    let pen = Pen::new(without_namespaces());
    assert!(pen.sh("true").ok);
    // What only mounts can keep: modes and times of files, refs of lanes in one directory, the way to the repository.
    let kept = |command: &&&str| {
        !["chmod", "touch -d", "lane/web", ".git && test", "> .git", "mv .git", "commondir", "config.worktree"]
            .iter()
            .any(|c| command.contains(c))
    };
    let before = outside(&pen);
    let commands: Vec<&str> = WRITES.iter().filter(kept).copied().collect();
    for (command, ran) in commands.iter().zip(pen.each(&commands, "rm -rf out here f other disk")) {
        assert!(!ran.ok, "`{command}` went through: {}", ran.said);
    }
    assert_eq!(outside(&pen), before);
}

#[test]
fn work_goes_on_inside() {
    for facts in [whole(), without_namespaces()] {
        let namespaces = facts.namespaces.is_ok();
        let pen = Pen::new(facts);
        let works = [
            "echo two >> a.txt && mkdir -p src && echo x > src/b && mv src/b src/c && git status --porcelain | grep -q a.txt",
            "git -c user.name=ann -c user.email=a@b add -A && git -c user.name=ann -c user.email=a@b commit -qm two",
            "git log --oneline | grep -q two && git diff main --stat | grep -q a.txt && git branch | grep -q lane/web",
            "git -c user.name=ann -c user.email=a@b commit -q --amend -m three && git reset -q --hard HEAD && git reflog | grep -q three",
            "f=$(mktemp) && echo x > $f && mkdir $(mktemp -d)/sub && test -n \"$TMPDIR\" -a -w \"$TMPDIR\"",
            "echo x > $HOME/cache/x && cat $HOME/plain > /dev/null",
            "mkfifo p && ln -s a.txt l && cat <(echo x) > /dev/stdout && echo x >&2 && rm p l",
            "test -z \"$SSH_AUTH_SOCK\" && echo x > /dev/null && head -c 8 /dev/urandom > r && rm r",
            "sleep 30 & kill $! && wait; true",
            "[ \"$(id -u)\" = \"$(stat -c %u .)\" ]",
        ];
        for (command, ran) in works.iter().zip(pen.each(&works, "true")) {
            assert!(ran.ok, "with namespaces: {namespaces}: `{command}`: {}", ran.said);
        }
        // The person sees the commit, and a whole repository.
        assert_eq!(pen.git("shop", &["log", "-1", "--format=%s", "lane/api"]), "three");
        assert_eq!(pen.git("state/worktrees/api", &["status", "--porcelain"]), "");
        pen.git("shop", &["fsck", "--strict"]);
        if namespaces {
            let ran = pen.sh("script -qc 'test -t 1 && echo terminal' /dev/null && python3 -c 'import multiprocessing as m; m.Lock()'");
            assert!(ran.ok && ran.said.contains("terminal"), "{}", ran.said);
        }
        // The stash is one for all worktrees, so it is not the lane's.
        assert!(!pen.sh("echo y >> a.txt; git -c user.name=a -c user.email=a@b stash").ok);
        assert_eq!(pen.git("shop", &["stash", "list"]), "");
    }
}

#[test]
fn a_crate_builds_offline() {
    let pen = Pen::new(whole());
    let home = std::env::var("HOME").unwrap_or_default();
    let set = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| format!("{home}/{usual}"));
    let (cargo, rustup) = (set("CARGO_HOME", ".cargo"), set("RUSTUP_HOME", ".rustup"));
    let command = format!(
        "export CARGO_HOME='{cargo}' RUSTUP_HOME='{rustup}'; mkdir -p src; echo 'fn main() {{ println!(\"built\") }}' > src/main.rs; \
         printf '[package]\\nname = \"tiny\"\\nversion = \"0.1.0\"\\nedition = \"2021\"\\n[workspace]\\n' > Cargo.toml; cargo run --offline"
    );
    let ran = pen.sh(&command);
    assert!(ran.ok && ran.said.contains("built"), "{}", ran.said);
}

#[test]
fn what_the_configuration_hides_in_the_worktree_is_hidden() {
    for facts in [whole(), without_namespaces()] {
        let mut pen = Pen::new(facts);
        fs::write(pen.bounds.worktree.join(".env"), "SECRET").unwrap();
        pen.bounds.hide.push(pen.bounds.worktree.join(".env"));
        if pen.facts().namespaces.is_ok() {
            let ran = pen.sh("cat .env; mv .env x; rm -f .env; cat x");
            assert!(!ran.ok && !ran.said.contains("SECRET"), "{}", ran.said);
        }
    }
}

#[test]
fn the_view_follows_what_changes() {
    let pen = Pen::new(whole());
    assert!(pen.sh("true").ok);
    // Another lane commits: its ref is another file now.
    fs::write(pen.path("state/worktrees/web/b.txt"), "x").unwrap();
    pen.git("state/worktrees/web", &["add", "."]);
    pen.git("state/worktrees/web", &["commit", "-qm", "web"]);
    let before = pen.git("shop", &["rev-parse", "lane/web"]);
    assert!(!pen.sh("git rev-parse HEAD > $OUT/shop/.git/refs/heads/lane/web").ok);
    assert_eq!(pen.git("shop", &["rev-parse", "lane/web"]), before);
    assert_eq!(pen.sh("git log -1 --format=%s lane/web").said.trim(), "web");
}

#[test]
fn a_packed_ref_of_another_lane_is_kept_too() {
    let pen = Pen::packed(whole());
    let before = pen.git("shop", &["rev-parse", "lane/web"]);
    let ran = pen.sh("git commit-tree -m x HEAD^{tree} | xargs git update-ref refs/heads/lane/web");
    assert!(!ran.ok, "{}", ran.said);
    assert_eq!(pen.git("shop", &["rev-parse", "lane/web"]), before);
    let works =
        "git -c user.name=ann -c user.email=a@b commit -q --allow-empty -m two && git log -1 --format=%s lane/api";
    // Git tidies up a ref of its own after a commit, and says that it cannot lock the packed ones for that.
    let ran = pen.sh(works);
    assert!(ran.ok && ran.said.starts_with("two\n"), "{}", ran.said);
}

#[test]
fn demanded_walls_that_are_missing_stop_the_command() {
    let mut pen = Pen::new(without_namespaces());
    pen.bounds.required = true;
    let refused = pen.prepare().err().unwrap();
    assert!(refused.contains("sandbox.required") && refused.contains("namespaces"), "{refused}");
    let mut pen = Pen::new(whole());
    pen.bounds.required = true;
    assert!(pen.sh("true").ok);
}
