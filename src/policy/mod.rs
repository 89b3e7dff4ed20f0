//! Rules: whether a tool call may run, must ask, or is denied.
