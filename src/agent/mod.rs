//! Own agents: model dialect, turn machine, tools.
//!
//! [`run_turn`] runs one prompt's turn: `transcript` rebuilds the conversation from the lane's
//! entries, `context` says what of it goes into a request, `machine` decides (pure), `turn` performs what it decides. A model call goes through `model_call`
//! (retries, the next provider) and `client` (HTTP); `compact` has notes written for what is too long; `wire` makes a call's body and reads its stream. Tools reach
//! files only through [`Files`](crate::domain::Files), and tool servers through `mcp`; a call of `spawn` runs a turn of its own (`child`); everything that lasts or that a person sees
//! goes through [`TurnPort`](crate::domain::TurnPort).

mod child;
mod client;
mod compact;
mod context;
mod error;
mod guard;
mod headers;
mod hooks;
mod machine;
mod mcp;
mod model_call;
mod person_shell;
mod provider;
mod proxy;
mod retry;
mod skills;
mod system_prompt;
mod tools;
mod transcript;
mod turn;
mod wire;

pub use client::ModelClient;
pub use compact::{CompactInput, NotCompacted, compact};
pub use context::{Beside, ModelLimits, context_view};
pub use error::{ModelError, Place};
pub use hooks::{HookCommand, HookFile, HookReply, HookWords, Hooks, LaneHooks, hook_command, hook_file_mark};
pub use mcp::ServerSpec;
pub use model_call::Backend;
pub use person_shell::{run_program, run_shell};
pub use provider::{ApiKey, Provider};
pub use proxy::ProxySettings;
pub use retry::RetryPolicy;
pub use skills::find_skills;
pub use tools::{CALL_MARK, LaneTools, Voice, fits};
pub use turn::{DEFAULT_MAX_STEPS, TurnInput, run_turn};
