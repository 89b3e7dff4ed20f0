//! A repository and a state directory of its own, and the program run on them.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use paralane::workstation::home::{Home, ProjectHome};
use paralane::workstation::lock::{Identity, Lock};
use serde_json::Value;
use tempfile::TempDir;

use super::PATIENCE;
use super::window::{Options, Window};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_paralane");

/// Between two questions while waiting for something that only commands tell.
const PAUSE: Duration = Duration::from_millis(50);

/// What a finished command left.
#[derive(Debug)]
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The one JSON document on standard output.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not JSON ({error}): {self:#?}"))
    }

    /// Fails the test unless the command ended with this status.
    #[track_caller]
    pub fn ended_with(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{self:#?}");
        self
    }
}

/// One test's own world. Everything it started is ended when it is dropped.
#[derive(Debug)]
pub struct Bench {
    directory: TempDir,
    extra: Vec<(String, String)>,
    /// Another bench's state directory.
    home: Option<PathBuf>,
}

impl Bench {
    /// A repository with one commit on `main`.
    pub fn new() -> Self {
        let bench = Self::without_repository();
        fs::create_dir(bench.repo()).unwrap();
        bench.git(&["init", "-q", "-b", "main"]);
        bench.write("README.md", "# shop\n");
        bench.write("src/login.rs", "pub fn login() {}\n");
        bench.write("src/router.rs", "pub fn route() {}\n");
        bench.commit("Open the shop");
        bench
    }

    /// No repository at all; `repo()` does not exist yet.
    pub fn without_repository() -> Self {
        // Short, because a socket's path must be short.
        let directory = tempfile::Builder::new().prefix("pl").tempdir().unwrap();
        for name in ["home", "tmp", "home/.config"] {
            fs::create_dir_all(directory.path().join(name)).unwrap();
        }
        fs::write(
            directory.path().join("home/.gitconfig"),
            "[user]\n\tname = Test\n\temail = test@localhost\n[commit]\n\tgpgsign = false\n[gc]\n\tauto = 0\n",
        )
        .unwrap();
        Self { directory, extra: Vec::new(), home: None }
    }

    /// The same with one more variable in the environment of everything that is started from now on.
    #[must_use]
    pub fn with_env(mut self, name: &str, value: &str) -> Self {
        self.set_env(name, value);
        self
    }

    /// Sets a variable for everything that is started from now on.
    pub fn set_env(&mut self, name: &str, value: &str) {
        self.unset_env(name);
        self.extra.push((name.to_owned(), value.to_owned()));
    }

    /// Takes such a variable back.
    pub fn unset_env(&mut self, name: &str) {
        self.extra.retain(|(known, _)| known != name);
    }

    /// The test's own directory.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The base checkout.
    pub fn repo(&self) -> PathBuf {
        self.path().join("shop")
    }

    /// The state directory.
    pub fn home(&self) -> PathBuf {
        self.home.clone().unwrap_or_else(|| self.path().join("h"))
    }

    /// Keeps state where another bench does, as two projects of one person do.
    pub fn share_home(&mut self, other: &Self) {
        self.home = Some(other.home());
    }

    /// The temporary directory that programs are given.
    pub fn tmp(&self) -> PathBuf {
        self.path().join("tmp")
    }

    /// The person's own configuration file.
    pub fn config_file(&self) -> PathBuf {
        self.path().join("home/.config/paralane/config.toml")
    }

    /// Where the project's state stands.
    pub fn place(&self) -> ProjectHome {
        let root = self.repo().canonicalize().unwrap();
        Home::find(Some(&self.home())).unwrap().project(&root).unwrap()
    }

    /// The environment of everything that is started.
    pub fn env(&self) -> Vec<(String, String)> {
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        let mut env = vec![
            ("PATH".to_owned(), std::env::var("PATH").unwrap()),
            ("HOME".to_owned(), text(self.path().join("home"))),
            ("XDG_CONFIG_HOME".to_owned(), text(self.path().join("home/.config"))),
            ("PARALANE_HOME".to_owned(), text(self.home())),
            ("TMPDIR".to_owned(), text(self.tmp())),
            ("TERM".to_owned(), "xterm-256color".to_owned()),
            ("LANG".to_owned(), "C.UTF-8".to_owned()),
            ("TZ".to_owned(), "UTC".to_owned()),
            ("SHELL".to_owned(), "/bin/sh".to_owned()),
        ];
        env.extend(self.extra.iter().cloned());
        env
    }

    /// Writes a file in the base checkout.
    pub fn write(&self, path: &str, content: &str) {
        let path = self.repo().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Writes the person's own configuration file.
    pub fn configure(&self, text: &str) {
        fs::create_dir_all(self.config_file().parent().unwrap()).unwrap();
        fs::write(self.config_file(), text).unwrap();
    }

    /// A configuration with this server as the only provider, and further lines.
    pub fn configure_server(&self, base_url: &str, more: &str) {
        self.configure(&format!(
            "[providers.test]\ndialect = \"openai-chat\"\nbase_url = \"{base_url}\"\nmodel = \"scripted\"\n\n{more}"
        ));
    }

    /// Commits everything in the base checkout.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    /// Runs git in the base checkout and gives what it printed.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.repo(), args)
    }

    /// Runs git in a directory and gives what it printed.
    #[track_caller]
    pub fn git_in(&self, directory: &Path, args: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(args).current_dir(directory).env_clear().envs(self.env());
        let run = finish(command, PATIENCE);
        assert_eq!(run.status, 0, "git {args:?}: {run:#?}");
        run.stdout
    }

    /// Runs the program in the base checkout, without a terminal.
    #[track_caller]
    pub fn cli(&self, args: &[&str]) -> Run {
        self.cli_in(&self.repo(), args)
    }

    /// Runs the program in a directory, without a terminal.
    #[track_caller]
    pub fn cli_in(&self, directory: &Path, args: &[impl AsRef<OsStr>]) -> Run {
        let mut command = Command::new(PROGRAM);
        command.args(args).current_dir(directory).env_clear().envs(self.env());
        finish(command, PATIENCE * 2)
    }

    /// Runs a line of the shell at a terminal of its own, in the base checkout. `$P` is the program.
    #[track_caller]
    pub fn at_terminal(&self, line: &str) -> Run {
        let mut command = Command::new("script");
        command.args(["-qec", line, "/dev/null"]).current_dir(self.repo());
        command.env_clear().envs(self.env()).env("P", PROGRAM);
        finish(command, PATIENCE * 2)
    }

    /// Runs a command that must succeed, and gives its JSON document.
    #[track_caller]
    pub fn json(&self, args: &[&str]) -> Value {
        let mut args = args.to_vec();
        args.push("--json");
        self.cli(&args).ended_with(0).json()
    }

    /// Opens a window of this size, as `paralane` without arguments does.
    pub fn window(&self, columns: u16, rows: u16) -> Window {
        self.window_with(columns, rows, &[])
    }

    /// Opens a window with arguments.
    pub fn window_with(&self, columns: u16, rows: u16, args: &[&str]) -> Window {
        let logs = if self.repo().join(".git").exists() { vec![self.place().log()] } else { Vec::new() };
        Window::open(Options { args, directory: &self.repo(), env: self.env(), columns, rows, logs })
    }

    /// The workstation that runs now.
    pub fn running(&self) -> Option<Identity> {
        Lock::peek(self.place().lock()).unwrap().and_then(|holder| holder.identity)
    }

    /// `kill -9` of the workstation, and of nothing else; waits until it is gone.
    #[track_caller]
    pub fn kill_workstation(&self) -> Identity {
        let identity = self.running().expect("no workstation runs");
        kill(identity.pid);
        self.await_end();
        identity
    }

    /// Waits until no workstation runs.
    #[track_caller]
    pub fn await_end(&self) {
        assert!(Lock::wait_released(self.place().lock(), PATIENCE).unwrap(), "the workstation did not end");
    }

    /// Waits for something that only commands tell. The screen of a window is the better place to wait at.
    #[track_caller]
    pub fn wait_until(&self, description: &str, wanted: impl Fn() -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !wanted() {
            assert!(Instant::now() < deadline, "waited for {description}: it did not come\n{}", self.log());
            std::thread::park_timeout(PAUSE);
        }
    }

    /// What the workstation has logged.
    pub fn log(&self) -> String {
        if !self.repo().join(".git").exists() {
            return String::new();
        }
        fs::read_to_string(self.place().log()).unwrap_or_default()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        if !self.repo().join(".git").exists() {
            return;
        }
        let Some(identity) = self.running() else { return };
        // In order first, so that what the workstation started ends with it.
        let mut command = Command::new(PROGRAM);
        command.arg("down").current_dir(self.repo()).env_clear().envs(self.env());
        if command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_err()
            || self.running().as_ref() == Some(&identity)
        {
            kill(identity.pid);
        }
    }
}

fn kill(pid: i32) {
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

/// Runs a command to its end, which must come in time.
#[track_caller]
fn finish(mut command: Command, patience: Duration) -> Run {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("cannot start");
    let pid = i32::try_from(child.id()).unwrap();
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let (sender, receiver) = std::sync::mpsc::sync_channel(1);
    std::thread::spawn(move || {
        let errors = std::thread::spawn(move || {
            let mut text = Vec::new();
            err.read_to_end(&mut text).unwrap();
            text
        });
        let mut text = Vec::new();
        out.read_to_end(&mut text).unwrap();
        let status = child.wait().unwrap();
        let _ = sender.send((status, text, errors.join().unwrap()));
    });
    let Ok((status, stdout, stderr)) = receiver.recv_timeout(patience) else {
        kill(pid);
        panic!("{command:?} did not end within {patience:?}");
    };
    Run {
        status: status.code().unwrap_or(-1),
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
    }
}
