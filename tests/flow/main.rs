//! The workstation in this very process, on a real store and a real repository, with windows that speak the
//! protocol themselves and so can do what no real window does.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a broken test may end loudly")]

#[path = "../support/model_server.rs"]
mod model_server;

mod ends;
mod faults;
mod house;
mod panes;
mod windows;
