//! Own agents: model dialect, turn machine, tools.
//!
//! [`run_turn`] runs one prompt's turn: `transcript` rebuilds the conversation from the lane's
//! entries, `machine` decides (pure), `turn` performs what it decides. A model call goes
//! `chat::request` → `client` (HTTP, retries in `model_call`) → `sse` → `chat::stream`. Tools reach
//! files only through [`Files`](crate::domain::Files); everything that lasts or that a person sees
//! goes through [`TurnPort`](crate::domain::TurnPort).

mod chat;
mod client;
mod error;
mod machine;
mod model_call;
mod person_shell;
mod provider;
mod proxy;
mod retry;
mod sse;
mod system_prompt;
mod tools;
mod transcript;
mod turn;

pub use client::ModelClient;
pub use error::ModelError;
pub use person_shell::{run_program, run_shell};
pub use provider::{ApiKey, Provider};
pub use proxy::ProxySettings;
pub use retry::RetryPolicy;
pub use tools::CALL_MARK;
pub use turn::{DEFAULT_MAX_STEPS, TurnInput, run_turn};
