//! Paralane: one terminal window for every coding agent.
//!
//! The rooms and their floors; an arrow only points down (`tests/arch.rs` proves it):
//!
//! | floor | rooms |
//! | --- | --- |
//! | 5 | [`cli`], [`window`] |
//! | 4 | [`workstation`] |
//! | 3 | [`terminal`], [`agent`], [`store`], [`git`], [`sandbox`], [`mcp`], [`native`], [`watch`] |
//! | 2 | [`ui`] over [`app`] |
//! | 1 | [`policy`], [`coordination`], [`scheduler`], [`preflight`], [`command`] |
//! | 0 | [`domain`], [`protocol`], [`config`], [`base`] |

pub mod agent;
pub mod app;
pub mod base;
pub mod cli;
pub mod command;
pub mod config;
pub mod coordination;
pub mod domain;
pub mod forge;
pub mod git;
pub mod mcp;
pub mod native;
pub mod policy;
pub mod preflight;
pub mod protocol;
pub mod sandbox;
pub mod scheduler;
pub mod store;
pub mod terminal;
pub mod ui;
pub mod watch;
pub mod window;
pub mod workstation;
