//! Has a fact remembered that the person has allowed.

use super::{failed, looked};
use crate::domain::{FactScope, ToolOutcome, TurnPort};

/// Keeps the fact. It takes moments, and is not cut off by a cancel: the model is told what really came of it.
pub(in crate::agent) async fn remember(port: &dyn TurnPort, scope: FactScope, text: String) -> ToolOutcome {
    match port.remember(scope, text).await {
        Ok(words) => {
            let id = words.split(' ').next().unwrap_or_default().to_owned();
            looked(format!("{words}."), id)
        }
        Err(words) => failed(&format!("Nothing was remembered: {words}"), "not remembered"),
    }
}
