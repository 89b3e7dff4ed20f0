//! The running whole as values: [`State`], [`Msg`], [`update`], [`Effect`].
//!
//! `update` is the only place where state changes. It takes one message and the moment, changes the
//! state, and returns effects as data; the workstation carries them out and answers with messages.
//! Durable changes are collected while a message is handled and leave as one [`Effect::Commit`];
//! whatever acts on the world because of them waits in its `then` until they are committed.

mod asks;
mod copies;
mod effect;
mod env;
mod live;
mod model;
mod money;
mod msg;
pub mod report;
mod rule_edit;
mod settings;
mod state;
mod update;
pub mod window;

pub use asks::{Ask, Asks, Waits};
pub use copies::{Copies, Copy};
pub use effect::{
    Asker, CheckpointOrder, CompactStart, ContextAsk, Effect, FactAsker, FactQuery, LaneOrder, NativeStart, NewLane,
    NotKept, PaneOrder, SkillsOrder, TurnStart,
};
pub use env::Env;
pub use live::{Activity, Hooked, LiveLane, Parked, TurnFeed};
pub use model::Model;
pub use money::{ConfiguredBudget, LaneBudget, WaitingCall};
pub use msg::{LaneMsg, Msg, PaneMsg, Purpose, RequestId, SetupPlan, TurnMsg, TurnToken, WindowMsg};
pub use rule_edit::{RuleEdit, RulesEdited};
pub use settings::{ProjectInfo, ProviderInfo, SetUp, Settings, Untrusted, UntrustedConfig, WallFacts};
pub use state::{ActivityLine, Problem, State};
pub use update::{Waiter, update};
