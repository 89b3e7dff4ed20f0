//! The window: the attaching client that owns the terminal.
