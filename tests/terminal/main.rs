//! The screen that panes have, held against what tmux makes of the same bytes, and against bytes meant to break it.

#![allow(missing_docs, reason = "a test binary")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod found;
#[allow(dead_code, reason = "the example `fuzz_panes` uses the rest")]
#[path = "../support/fuzz.rs"]
mod fuzz;
mod limits;
#[path = "../support/picture.rs"]
mod picture;
#[allow(dead_code, reason = "only the reading side is used here")]
#[path = "../support/recording.rs"]
mod recording;
mod replay;
