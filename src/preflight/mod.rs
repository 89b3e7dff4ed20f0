//! Rules: what a prompt or a write would collide with.
