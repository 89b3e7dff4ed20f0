//! The rules of the running whole, without a terminal, a clock or a runtime: messages in, effects out. A small
//! workstation in `support` keeps what is committed, plays turns and programs, and can die at any moment.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod approvals;
mod budgets;
mod bulk;
mod chaos;
mod compact;
mod conflicts;
mod focus;
mod hooks;
mod lanes;
mod memory;
mod native;
mod policy;
mod problems;
mod programs;
mod queue;
mod rewind;
mod scrolling;
mod store;
mod support;
mod tool_servers;
mod truths;
mod turns;
mod views;
mod work;
