//! The configuration files read and written while the workstation runs: away from the loop, one at a time and
//! in the order asked for. What was written is read again, so that what is in force is what the files say.

use std::sync::Arc;

use super::configuration;
use super::engine::Engine;
use super::shared::blocking;
use crate::app::{Asker, CliEdit, Msg, RuleEdit, WindowMsg};
use crate::config::NewProvider;
use crate::domain::WindowId;

/// What to write before reading.
pub(super) enum Write {
    Nothing,
    Theme(String),
    /// For the window that asked.
    Provider(WindowId, NewProvider),
}

/// Writes, then reads and tells what is in force now.
pub(super) fn renew(engine: &Engine, write: Write) {
    let (shared, home) = (Arc::clone(&engine.shared), engine.home.clone());
    let (info, trusted) = (engine.state.settings.project.clone(), engine.state.model.trusted.clone());
    engine.shared.background.spawn(async move {
        // Waiters are served in the order in which they came.
        let _turn = shared.preferences.acquire().await;
        let asked_by = if let Write::Provider(window, _) = &write { Some(*window) } else { None };
        let place = home.clone();
        let written = blocking(move || match write {
            Write::Nothing => Ok(()),
            Write::Theme(name) => configuration::save_theme(&place, &name),
            Write::Provider(_, provider) => configuration::save_provider(&place, &provider),
        })
        .await;
        let read = match (&written, asked_by) {
            // What could not be written holds until the end of this run.
            (Err(report), None) => return shared.tell(Msg::Trouble(report.clone())).await,
            (Err(_), Some(_)) => None,
            (Ok(()), _) => {
                shared.trusted.set(trusted.clone());
                Some(blocking(move || configuration::read(&home, &info, &trusted)).await)
            }
        };
        match read {
            Some(Ok(configured)) => {
                shared.providers.configure(configured.access);
                shared.walls.configure(configured.sandbox, &configured.settings);
                shared.tell(Msg::Configured(Box::new(configured.settings))).await;
                // The base checkout may have moved since the settings were asked for.
                shared.base.ring();
            }
            Some(Err(report)) => shared.tell(Msg::Misconfigured(report)).await,
            None => {}
        }
        if let Some(window) = asked_by {
            shared.tell(Msg::Window(window, WindowMsg::Saved(written))).await;
        }
    });
}

/// Adds or removes a name for a native CLI, in turn with everything else that reads and writes that file.
pub(super) fn edit_clis(engine: &Engine, asker: Asker, edit: Box<CliEdit>) {
    let (shared, home) = (Arc::clone(&engine.shared), engine.home.clone());
    engine.shared.background.spawn(async move {
        let _turn = shared.preferences.acquire().await;
        let asked = edit.clone();
        let file = blocking(move || configuration::edit_clis(&home, &edit)).await;
        shared.tell(Msg::ClisEdited(asker, asked, file)).await;
    });
}

/// Adds or removes a rule, in turn with everything else that reads and writes these files.
pub(super) fn edit_rules(engine: &Engine, asker: Asker, edit: RuleEdit) {
    let (shared, home) = (Arc::clone(&engine.shared), engine.home.clone());
    let (root, trusted) = (engine.state.settings.project.root.clone(), engine.state.model.trusted.clone());
    engine.shared.background.spawn(async move {
        let _turn = shared.preferences.acquire().await;
        let result = blocking(move || configuration::edit_rules(&home, &root, &trusted, edit)).await;
        shared.tell(Msg::RulesEdited(asker, result)).await;
    });
}
