//! What became of approvals: read from the store, away from the loop.

use std::path::Path;
use std::sync::Arc;

use super::engine::Engine;
use super::shared::blocking;
use crate::app::{ApprovalQuery, Asker, Msg};
use crate::base::Report;
use crate::domain::Event;
use crate::store::Store;

/// Reads it, also when no workstation runs. Blocks.
///
/// # Errors
/// When the store cannot be read.
pub fn look(store: &Path, query: ApprovalQuery) -> Result<Vec<Event>, Report> {
    Store::approval_events(store, query.lane, query.last).map_err(|error| Report::refused(error.to_string()))
}

/// Reads it in the background and tells the loop.
pub(super) fn find(engine: &Engine, asker: Asker, query: ApprovalQuery) {
    let (shared, store) = (Arc::clone(&engine.shared), engine.state.settings.store.clone());
    engine.shared.background.spawn(async move {
        let found = blocking(move || look(&store, query)).await;
        shared.tell(Msg::ApprovalHistory(asker, query, found)).await;
    });
}
