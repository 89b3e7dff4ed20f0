//! The real program, end to end: in a pseudo terminal, with a real repository, as a person uses it.

#![allow(missing_docs, reason = "a test binary")]

mod approvals;
mod arguments;
mod cancelling;
mod conflicts;
mod crashes;
mod lanes;
mod queue;
mod support;
mod up_and_down;

#[path = "../support/model_server.rs"]
mod model_server;
