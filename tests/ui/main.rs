//! What a window shows and what its input means: whole frames from state literals, and actions from events.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test ends where it fails")]

mod changes;
mod hostile;
mod input;
mod overlays;
mod panels;
mod panes;
mod programs;
mod robust;
mod screens;
mod scrolling;
mod support;
mod transcripts;
