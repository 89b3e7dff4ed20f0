//! A lane to try the walls with: a repository, worktrees of two lanes, a home with secrets, and probes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::domain::{BaseRef, Place, Walls};
use crate::git::{GitEnv, Project, needs};
use crate::sandbox::{Bounds, Confinement, Facts, Porter};

/// The variable that tells the test program to be a probe.
pub const PROBE: &str = "WALLS_PROBE";

/// Set where a test has been started again as an ordinary user.
const MARK: &str = "WALLS_AS_USER";

pub struct Pen {
    pub bounds: Bounds,
    facts: Facts,
    confinement: Confinement,
    root: PathBuf,
    _dir: TempDir,
}

/// What a command came to.
#[derive(Debug)]
pub struct Ran {
    pub ok: bool,
    pub said: String,
}

/// Everything this machine has; the tests of whole walls need all of it.
pub fn whole() -> Facts {
    let facts = Facts::of_machine().clone();
    assert!(
        facts.lacks().is_empty(),
        "these tests need Landlock 6 or newer, user namespaces and a filter of system calls; missing here: {:?}",
        facts.lacks()
    );
    facts
}

/// A machine that refuses namespaces.
pub fn without_namespaces() -> Facts {
    Facts { namespaces: Err("refused for the test".to_owned()), ..whole() }
}

/// A machine that lets nobody mount a list of processes.
pub fn without_tree() -> Facts {
    Facts { tree: Err("refused for the test".to_owned()), ..whole() }
}

impl Pen {
    pub fn new(facts: Facts) -> Self {
        Self::made(facts, false)
    }

    /// With all refs packed into one file.
    pub fn packed(facts: Facts) -> Self {
        Self::made(facts, true)
    }

    fn made(facts: Facts, packed: bool) -> Self {
        // Not below `/tmp`, which is covered as a whole; an ordinary user has no other place.
        let place = std::env::current_exe().unwrap().parent().unwrap().to_owned();
        let place = if std::env::var_os(MARK).is_some() { std::env::temp_dir() } else { place };
        let dir = tempfile::tempdir_in(place).unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
        for path in
            ["home/.ssh", "home/cache", "home/.config/paralane", "shop", "state/s", "outside", "state/worktrees"]
        {
            fs::create_dir_all(root.join(path)).unwrap();
        }
        fs::write(root.join("home/.ssh/id"), "SECRET").unwrap();
        fs::write(root.join("home/.netrc"), "SECRET").unwrap();
        fs::write(root.join("home/plain"), "plain").unwrap();
        fs::write(root.join("outside/file"), "outside").unwrap();
        fs::write(root.join("state/paralane.db"), "SECRET").unwrap();
        let shop = root.join("shop");
        git(&root, &shop, &["init", "-q", "-b", "main"]);
        fs::write(shop.join("a.txt"), "one\n").unwrap();
        git(&root, &shop, &["add", "."]);
        git(&root, &shop, &["commit", "-qm", "one"]);
        for lane in ["api", "web"] {
            let at = root.join("state/worktrees").join(lane);
            git(&root, &shop, &["worktree", "add", "-q", "-b", &format!("lane/{lane}"), at.to_str().unwrap()]);
        }
        if packed {
            git(&root, &shop, &["pack-refs", "--all"]);
        }
        let project = Project::find_with(&shop, GitEnv::from_vars(std::env::vars_os())).unwrap();
        let worktree = root.join("state/worktrees/api");
        let base = BaseRef { name: "main".to_owned(), sha: project.head().unwrap().sha };
        let place = Place { directory: worktree.clone(), branch: Some("lane/api".to_owned()), base };
        let needs = needs(&project, &place).unwrap();
        let mut write = needs.write;
        write.push(root.join("home/cache"));
        let mut keep = vec![root.join("home"), shop];
        // The probe is this program.
        keep.extend(std::env::current_exe().unwrap().parent().map(Path::to_owned));
        let bounds = Bounds {
            worktree,
            write,
            fixed: needs.fixed,
            hide: ["home/.ssh", "home/.netrc", "home/.config/paralane", "state"].map(|path| root.join(path)).to_vec(),
            keep,
            temporary: root.join("state/tmp/1"),
            processes: 4096,
            memory: 8 << 30,
            ..Bounds::default()
        };
        Self { bounds, confinement: Confinement::new(facts.clone()), facts, root, _dir: dir }
    }

    /// With somebody at the door to listed hosts.
    pub fn with_porter(self, porter: Porter) -> Self {
        let bounds = Bounds { door: true, ..self.bounds };
        Self { confinement: Confinement::new(self.facts.clone()).with_porter(porter), bounds, ..self }
    }

    /// A path outside the walls.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    pub fn prepare(&self) -> Result<Box<dyn Walls>, String> {
        self.confinement.prepare(&self.bounds)
    }

    /// Git of the person, outside the walls.
    pub fn git(&self, directory: &str, args: &[&str]) -> String {
        git(&self.root, &self.root.join(directory), args)
    }

    /// Runs a shell command behind the walls; `$OUT` is the directory around everything.
    pub fn sh(&self, command: &str) -> Ran {
        let (child, _walls) = self.start(command, &[]);
        finish(child)
    }

    /// Runs shell commands one after the other behind the same walls, each in a shell of its own, `tidy` after each.
    /// Starting something takes longer than most of them.
    pub fn each(&self, commands: &[&str], tidy: &str) -> Vec<Ran> {
        const END: &str = "-- ended with ";
        let one = |command: &&str| {
            format!("bash -c {} 2>&1; ended=$?; echo; echo \"{END}$ended\"; {tidy} >/dev/null 2>&1\n", quoted(command))
        };
        let ran = self.sh(&commands.iter().map(one).collect::<String>());
        let mut all = Vec::new();
        let mut said = String::new();
        for line in ran.said.lines() {
            match line.strip_prefix(END) {
                Some(status) => all.push(Ran { ok: status == "0", said: std::mem::take(&mut said) }),
                None => said = said + line + "\n",
            }
        }
        assert_eq!(all.len(), commands.len(), "{}", ran.said);
        all
    }

    /// Runs the test program behind the walls as a probe for each of these.
    pub fn probes(&self, what: &[&str]) -> Vec<bool> {
        let exe = std::env::current_exe().unwrap();
        let command = format!("exec '{}' --exact sandbox::tests::walls::probe --nocapture", exe.display());
        let (child, _walls) = self.start(&command, &[(PROBE, &what.join("\n"))]);
        let ran = finish(child);
        let done = what.iter().map(|what| match ran.said.contains(&format!("-- {what}: done\n")) {
            true => true,
            false if ran.said.contains(&format!("-- {what}: kept\n")) => false,
            false => panic!("{what} was not tried: {}", ran.said),
        });
        done.collect()
    }

    /// Starts a shell command behind the walls, in a session of its own.
    pub fn start(&self, command: &str, more: &[(&str, &str)]) -> (Child, Box<dyn Walls>) {
        let mut walls = self.confinement.prepare(&self.bounds).unwrap();
        let mut shell = Command::new("/bin/bash");
        shell.args(["-c", command]).env_clear().current_dir(&self.bounds.worktree);
        shell.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", self.path("home")).env("OUT", &self.root);
        shell.env("SSH_AUTH_SOCK", "/somewhere").envs(more.iter().copied());
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        walls.enclose(&mut shell);
        let child = shell.spawn();
        let words = walls.settle();
        (child.unwrap_or_else(|error| panic!("{words:?}: {error}")), walls)
    }
}

fn quoted(command: &str) -> String {
    format!("'{}'", command.replace('\'', r"'\''"))
}

fn finish(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Ran { ok: output.status.success(), said }
}

fn git(root: &Path, directory: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", root.join("home"));
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "ann").env(format!("GIT_{who}_EMAIL"), "ann@example.com");
    }
    let output = command.env("GIT_CONFIG_NOSYSTEM", "1").current_dir(directory).args(args).output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// Runs this test again as an ordinary user where the tests run as root, whom the kernel lets pass some limits. Says
/// whether that has been done.
pub fn done_as_user(test: &str) -> bool {
    const SOMEBODY: u32 = 54_321;
    if !rustix::process::geteuid().is_root() || std::env::var_os(MARK).is_some() {
        return false;
    }
    let own = tempfile::tempdir().unwrap();
    std::os::unix::fs::chown(own.path(), Some(SOMEBODY), Some(SOMEBODY)).unwrap();
    let name = format!("sandbox::tests::walls::{test}");
    let output = Command::new("/proc/self/exe")
        .args(["--exact", &name, "--nocapture"])
        .env(MARK, "1")
        .env("TMPDIR", own.path())
        .env("HOME", own.path())
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .current_dir("/")
        .uid(SOMEBODY)
        .gid(SOMEBODY)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "as an ordinary user: {said}");
    true
}
