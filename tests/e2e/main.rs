//! The real program, end to end: in a pseudo terminal, with a real repository, as a person uses it.

#![allow(missing_docs, reason = "a test binary")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod approvals;
mod arguments;
mod bad_input;
mod cancelling;
mod closing;
mod conflicts;
mod context;
mod crashes;
mod demo;
mod first_run;
mod main_job;
mod many;
#[path = "../support/model_server.rs"]
mod model_server;
mod policy;
mod programs;
mod providers;
mod queue;
mod rewind;
mod scrolling;
mod secrets;
mod set_up;
mod shop;
mod spending;
mod support;
mod tools;
mod trust;
mod typing;
mod up_and_down;
mod windows;
