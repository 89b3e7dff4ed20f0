//! Amp: its agent loop is a service that asks for a login, and nothing that governs it could be seen at work. What it
//! does not carry is named, and it runs in a plain pane.

use serde_json::Value;

use super::Adapter;
use crate::domain::HookAnswer;
use crate::native::launch::{Fault, LaunchAsk, LaunchPlan, missing_words};

pub(super) struct Amp;

impl Adapter for Amp {
    fn plan(&self, ask: &LaunchAsk<'_>) -> Result<LaunchPlan, Fault> {
        let cli = ask.native.cli;
        Err(Fault::Ungoverned { cli, missing: missing_words(cli).unwrap_or_default() })
    }

    fn answer(&self, _event: &str, _answer: &HookAnswer) -> Option<Value> {
        None
    }
}
