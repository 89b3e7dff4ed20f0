//! tmux as the peer, where it is installed: a server of its own, without anybody's configuration.

use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::Pty;
use super::guard::Guard;

/// A tmux server's world; the server is ended when this is dropped.
#[derive(Debug)]
pub struct Tmux {
    directory: TempDir,
    env: Vec<(String, String)>,
    _guard: Guard,
}

impl Tmux {
    /// A new world, if there is a tmux.
    pub fn find() -> Option<Self> {
        Command::new("tmux").arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        let directory = tempfile::Builder::new().prefix("tm").tempdir().unwrap();
        let home = directory.path().to_str().unwrap().to_owned();
        let env = [
            ("PATH", std::env::var("PATH").unwrap()),
            ("HOME", home.clone()),
            ("TMPDIR", home),
            ("TERM", "xterm-256color".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("SHELL", "/bin/sh".to_owned()),
        ];
        let env = env.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let path = directory.path().to_str().unwrap();
        let script = "test -S \"$1/s\" && tmux -S \"$1/s\" kill-server; rm -rf \"$1\"";
        let guard = Guard::new(script, &[path], "/".as_ref(), &env);
        Some(Self { directory, env, _guard: guard })
    }

    /// Says that there is no peer.
    pub fn missing() {
        println!("tmux is not installed: no peer, absolute numbers only");
    }

    fn args<'a>(&'a self, socket: &'a str, args: &[&'a str]) -> Vec<&'a str> {
        ["-u", "-f", "/dev/null", "-S", socket].into_iter().chain(args.iter().copied()).collect()
    }

    fn socket(&self) -> String {
        self.directory.path().join("s").to_str().unwrap().to_owned()
    }

    /// Opens a client in a terminal.
    pub fn open(&self, args: &[&str]) -> Pty {
        let socket = self.socket();
        Pty::open("tmux", &self.args(&socket, args), self.directory.path(), self.env.clone())
    }

    /// Runs a command to its end and gives what it printed.
    pub fn run(&self, args: &[&str]) -> String {
        let socket = self.socket();
        let mut command = Command::new("tmux");
        command.args(self.args(&socket, args)).env_clear().envs(self.env.clone()).current_dir(self.directory.path());
        let output = command.stdin(Stdio::null()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// The server's process.
    pub fn server(&self) -> i32 {
        self.run(&["display-message", "-p", "#{pid}"]).parse().expect("tmux runs")
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}
