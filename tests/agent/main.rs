//! Own agents against a scripted server: whole turns through the room's public door.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a broken test may end loudly")]

#[path = "../support/model_server.rs"]
mod model_server;

mod compaction;
mod context;
mod dialects;
mod fallback;
mod foreign;
mod harness;
mod hooks;
mod servers;
mod spending;
mod tools;
mod turns;
