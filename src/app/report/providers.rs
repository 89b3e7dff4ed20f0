//! The native CLIs: where each stands, in which version, what is missing, what it cannot do, and the names that the
//! configuration has for some.

use serde_json::json;

use super::doctor::{cli_json, cli_words};
use super::text::table;
use super::{Document, Read};

/// The document.
pub(super) fn document(read: &Read<'_>) -> Document {
    let settings = &read.state.settings;
    let names = &settings.cli_names;
    let mut rows = Vec::new();
    for found in &settings.clis {
        rows.push(vec![found.cli.word().to_owned(), cli_words(found)]);
        rows.extend(found.cli.lacks().iter().map(|lack| vec![String::new(), format!("cannot: {lack}")]));
    }
    for preset in &names.presets {
        let mut words = format!("by {}", preset.cli);
        words.extend(preset.model.iter().map(|model| format!(", model {model}")));
        let needs: Vec<&str> = preset.from.values().map(String::as_str).collect();
        if !needs.is_empty() {
            words = format!("{words}, needs {}", needs.join(", "));
        }
        rows.push(vec![preset.name.clone(), words]);
    }
    for profile in &names.credentials {
        let home = profile.home.as_ref().map(|home| format!(" in {}", super::text::path(home))).unwrap_or_default();
        let needs =
            if profile.needs.is_empty() { String::new() } else { format!(", needs {}", profile.needs.join(", ")) };
        rows.push(vec![format!("--credentials {}", profile.name), format!("a login{home}{needs}")]);
    }
    let json = json!({
        "clis": settings.clis.iter().map(cli_json).collect::<Vec<_>>(),
        "presets": names.presets.iter().map(|preset| json!({
            "name": preset.name, "cli": preset.cli, "model": preset.model,
            "needs": preset.from.values().collect::<Vec<_>>(), "built_in": preset.origin.is_none(),
        })).collect::<Vec<_>>(),
        "credentials": names.credentials.iter().map(|profile| json!({
            "name": profile.name, "home": profile.home, "needs": profile.needs,
        })).collect::<Vec<_>>(),
    });
    Document { title: "provider list".into(), json, text: table(&rows) }
}
