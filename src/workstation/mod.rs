//! The running whole: event loop, lane actors, executor of effects, control socket, recovery.

pub mod configuration;
pub mod home;
pub mod lock;
