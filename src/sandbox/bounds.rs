//! Where the commands of one lane may go, as plain data.

use std::path::PathBuf;

/// Where the commands of one lane may go. Paths are absolute; those that do not exist are passed over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bounds {
    /// Where they run: may be read and written.
    pub worktree: PathBuf,
    /// What may be written beside it: caches, the object store, the lane's own ref.
    pub write: Vec<PathBuf>,
    /// What within those may only be read.
    pub fixed: Vec<PathBuf>,
    /// What may not even be read, wherever it lies.
    pub hide: Vec<PathBuf>,
    /// What stays readable where it lies in a directory that is covered as a whole, such as `/tmp`.
    pub keep: Vec<PathBuf>,
    /// The lane's own temporary directory.
    pub temporary: PathBuf,
    /// Whether the network may be used.
    pub network: bool,
    /// Whether listed hosts are reached by a door in a network that leads nowhere else.
    pub door: bool,
    /// Processes and threads of a lane at once.
    pub processes: u64,
    /// Bytes of memory of one process.
    pub memory: u64,
    /// Whether nothing is started where a wall is missing.
    pub required: bool,
    /// Variables that are set for a command, besides `TMPDIR`.
    pub variables: Vec<(String, String)>,
}

/// Variables that lead to services of the person: what stands behind them is out of reach, and programs that find no
/// variable do not try.
pub(super) const SERVICES: &[&str] = &[
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "DOCKER_HOST",
    "GPG_AGENT_INFO",
    "KITTY_LISTEN_ON",
    "NVIM",
    "SSH_AGENT_PID",
    "SSH_AUTH_SOCK",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "TMUX",
    "TMUX_PANE",
    "VSCODE_IPC_HOOK_CLI",
    "WAYLAND_DISPLAY",
    "WSL_INTEROP",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "ZELLIJ",
];
