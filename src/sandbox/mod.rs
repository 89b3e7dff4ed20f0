//! What keeps an agent in its lane: scoped file access for tools, and walls around the commands it runs.
//!
//! Files: every path is resolved beneath the lane's worktree at the moment of use. `resolve` follows its links one
//! part at a time and finds where it really leads, or that it leads out. `open` then opens that plain path beneath the
//! root with links forbidden, so that a link that is put in between makes the use fail instead of escape.
//!
//! Commands: [`Bounds`] say where a lane's commands may go, [`Facts`] what the machine has to hold them, and a
//! [`Confinement`] puts a [`std::process::Command`] behind walls before it is started, whatever program it is.

mod bounds;
#[cfg(target_os = "linux")]
mod door;
#[cfg(not(target_os = "linux"))]
#[path = "no_door.rs"]
mod door;
mod facts;
#[cfg(target_os = "linux")]
#[path = "linux/mod.rs"]
mod machine;
#[cfg(not(target_os = "linux"))]
#[path = "other.rs"]
mod machine;
mod open;
mod resolve;
mod walk;
mod worktree;

#[cfg(test)]
mod tests;

pub use bounds::Bounds;
pub use door::{Judge, Porter};
pub use facts::Facts;
pub use machine::Confinement;
pub use worktree::WorktreeFiles;

/// Files above this are refused: a tool holds a whole file, its diff and its text in memory.
pub const FILE_CAP: u64 = 10 * 1024 * 1024;
