//! Git: repositories, worktrees, branches, and what closing a lane would lose.
