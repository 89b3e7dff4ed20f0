//! The running whole as values: [`State`], [`Msg`], [`update`], [`Effect`].
//!
//! `update` is the only place where state changes. It takes one message and the moment, changes the
//! state, and returns effects as data; the workstation carries them out and answers with messages.
//! Durable changes are collected while a message is handled and leave as one [`Effect::Commit`];
//! whatever acts on the world because of them waits in its `then` until they are committed.

mod asks;
mod board;
mod cli_edit;
mod copies;
mod effect;
mod env;
pub mod errand;
mod forge;
mod lane_policy;
mod live;
mod model;
mod money;
mod msg;
mod problems;
pub mod report;
mod rule_edit;
pub mod select;
mod settings;
mod state;
mod update;
pub mod window;

pub use asks::{Ask, Asks, Waits};
pub use board::{BoardGroup, BoardLine, board, board_line, issue_word};
pub use cli_edit::CliEdit;
pub use copies::{Copies, Copy};
pub use effect::{
    ApprovalQuery, Asker, CheckpointOrder, CompactStart, ContextAsk, Effect, FactAsker, FactQuery, LaneOrder,
    LaneWanted, NativeStart, NotKept, PaneOrder, SkillsOrder, TurnStart,
};
pub use env::Env;
pub use forge::ForgeTitles;
pub use live::{Activity, Hooked, LiveLane, Parked, TurnFeed};
pub use model::{Model, Prompts};
pub use money::{ConfiguredBudget, DueBudget, LaneBudget, WaitingCall};
pub use msg::{Client, LaneMsg, Msg, PaneMsg, Purpose, RequestId, SetupPlan, TurnMsg, TurnToken, WindowMsg};
pub use problems::{ProblemRow, problems};
pub use rule_edit::{RuleEdit, RulesEdited, Standing};
pub use settings::{FoundCli, ProjectInfo, ProviderInfo, SetUp, Settings, Untrusted, UntrustedConfig, WallFacts};
pub use state::{ActivityLine, Problem, State};
pub use update::{Waiter, as_stopped, update};
