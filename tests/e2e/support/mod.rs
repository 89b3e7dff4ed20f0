//! What every test here stands on: a bench (repository, state directory, environment) and windows on it.

#![allow(dead_code, unused_imports, reason = "a kit: each test takes what it needs")]

pub mod bench;
pub mod keys;
pub mod window;

pub use bench::{Bench, Run};
pub use window::Window;

use std::time::Duration;

/// How long anything may take before a test gives up. Far above what it needs on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);
