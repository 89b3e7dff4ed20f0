//! Scoped file access: every path is resolved beneath the lane's worktree at the moment of use.
