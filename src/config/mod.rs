//! Configuration as data: layers, keys, defaults, errors with file, line and key.
//!
//! The caller reads the files and hands in their text; [`Config::load`] merges the layers, managed over
//! user over project, key by key, and remembers where each value stands. Whatever is wrong is told as a
//! [`Problem`]. Nothing here reads a file or the environment: an API key is only ever named by its variable.

mod clis;
mod document;
mod edit;
mod edit_clis;
mod hooks;
mod keys;
mod leader;
mod load;
mod model;
mod problem;
mod raw;
mod rules;
mod sandbox;
mod servers;
mod values;

pub use clis::{CliPreset, Clis, Credentials, comes_along};
pub use edit::{NewProvider, with_provider, with_rule, with_theme, without_rule, without_two_person};
pub use edit_clis::{NewCli, with_cli, without_cli};
pub use hooks::Hook;
pub use model::{
    Agent, Approvals, Budget, COMPACT_AT, Config, Coordination, Dialect, Effort, Lanes, Layer, LayerFile, Layers,
    Notify, Origin, Provider, Scheduler, Setting, Ui, Web,
};
pub use problem::{Problem, Problems};
pub use rules::{RawRule, Rules, Switch, TWO_PERSON, lane_rules};
pub use sandbox::Sandbox;
pub use servers::{Reach, Server};

#[cfg(test)]
mod tests;
