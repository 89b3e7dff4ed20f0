//! Scoped file access: every path is resolved beneath the lane's worktree at the moment of use.
//!
//! A path goes two steps. `resolve` follows its links one part at a time and finds where it really
//! leads, or that it leads out. `open` then opens that plain path beneath the root with links
//! forbidden, so that a link that is put in between makes the use fail instead of escape.

mod open;
mod resolve;
mod walk;
mod worktree;

#[cfg(test)]
mod tests;

pub use worktree::WorktreeFiles;

/// Files above this are refused: a tool holds a whole file, its diff and its text in memory.
pub const FILE_CAP: u64 = 10 * 1024 * 1024;
