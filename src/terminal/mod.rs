//! Panes: a PTY, a screen model, key encoding and prompt delivery each.
