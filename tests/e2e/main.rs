//! The real program, end to end: in a pseudo terminal, with a real repository, as a person uses it.

#![allow(missing_docs, reason = "a test binary")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod approvals;
mod arguments;
mod bad_input;
mod cancelling;
mod closing;
mod compaction;
mod conflicts;
mod context;
mod coordination;
mod crashes;
mod demo;
mod first_run;
mod guard_script;
mod hooks;
mod lane_tools;
mod main_job;
mod many;
mod memory;
#[path = "../support/model_server.rs"]
mod model_server;
mod native;
mod policy;
mod programs;
mod providers;
mod queue;
mod real_clis;
mod rewind;
mod sandbox;
mod scrolling;
mod secrets;
mod set_up;
mod shop;
mod skills;
mod spending;
mod support;
#[path = "../support/tool_server.rs"]
mod tool_server;
mod tool_servers;
mod tools;
mod trust;
mod typing;
mod up_and_down;
mod views;
mod windows;
