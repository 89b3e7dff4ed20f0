//! The real program, end to end: in a pseudo terminal, with a real repository, as a person uses it.

#![allow(missing_docs, reason = "a test binary")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod arguments;
mod demo;
mod first_run;
mod lanes;
#[path = "../support/model_server.rs"]
mod model_server;
mod support;
mod up_and_down;
mod windows;
