//! Own agents against a scripted server: whole turns through the room's public door.

#[path = "../support/model_server.rs"]
mod model_server;

mod harness;
mod servers;
mod turns;
