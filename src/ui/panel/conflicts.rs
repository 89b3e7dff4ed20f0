//! What met another lane's hold, oldest first.

use crate::app::window::text::{Row, Tone};
use crate::app::window::{CONFLICTS, Deed, age};
use crate::base::one_line;
use crate::domain::{Conflict, ConflictKind, ConflictState};

use super::approvals::indented;
use super::{Item, key_rows, spread};
use crate::ui::view::Scene;

/// Paths shown of a conflict; `v` shows all.
const PATHS: usize = 4;

pub(super) fn items(scene: &Scene<'_>, cells: usize) -> Vec<Item> {
    let chosen = scene.window.panel.chosen_conflict(scene.state).map(|c| c.id);
    scene.state.model.open_conflicts().map(|c| one(scene, c, chosen == Some(c.id), cells)).collect()
}

fn one(scene: &Scene<'_>, conflict: &Conflict, chosen: bool, cells: usize) -> Item {
    let model = &scene.state.model;
    let number = model.number(conflict.lane).map(|n| format!("{n} ")).unwrap_or_default();
    let what = match conflict.kind {
        ConflictKind::Prompt => "prompt",
        ConflictKind::Write => "write",
        ConflictKind::Warning => "warning",
        ConflictKind::Base => "base checkout",
    };
    let head = Row::new(Tone::Accent, if chosen { "▸ " } else { "  " })
        .with(Tone::Dim, &number)
        .with(Tone::Strong, &model.name(conflict.lane))
        .with(Tone::Dim, " · ")
        .with(Tone::Text, what)
        .with(Tone::Dim, &format!(" · {}", conflict.id));
    let mut rows = vec![spread(head, &age(conflict.created, scene.now), cells)];
    let most = if chosen { PATHS } else { 1 };
    for path in conflict.paths.iter().take(most) {
        rows.extend(indented(Tone::Strong, path, cells));
    }
    if conflict.paths.len() > most {
        rows.extend(indented(Tone::Dim, &format!("… {} more paths: v shows all", conflict.paths.len() - most), cells));
    }
    let with = model.number(conflict.with).map(|n| format!("{n} ")).unwrap_or_default();
    rows.extend(indented(
        Tone::Text,
        &match conflict.kind {
            ConflictKind::Warning => {
                format!("also in {with}{}: {}; nothing is held back", model.name(conflict.with), conflict.cause)
            }
            ConflictKind::Base => format!("in the base checkout: {}; nothing is held back", conflict.cause),
            ConflictKind::Prompt | ConflictKind::Write => {
                format!("held by {with}{}: {}", model.name(conflict.with), conflict.cause)
            }
        },
        cells,
    ));
    if conflict.state == ConflictState::Waiting {
        rows.extend(indented(Tone::Good, "waits; starts by itself when the hold ends", cells));
    }
    if chosen {
        if conflict.kind == ConflictKind::Prompt
            && let Some(prompt) = model.prompts.get(&conflict.prompt)
        {
            rows.extend(
                indented(Tone::Dim, &format!("{} {}", prompt.id, one_line(&prompt.text)), cells).into_iter().take(3),
            );
        }
        // Where nothing is held back there is nothing to wait for.
        let deeds = |deed: Deed| match conflict.kind {
            ConflictKind::Prompt | ConflictKind::Write => true,
            ConflictKind::Warning => deed != Deed::Wait,
            // Its prompt may be over.
            ConflictKind::Base => matches!(deed, Deed::Override | Deed::View),
        };
        let keys: Vec<_> = CONFLICTS.iter().filter(|b| deeds(b.deed)).copied().collect();
        rows.extend(key_rows(&keys, "  ", 3));
    }
    rows.push(Row::default());
    Item { rows, chosen }
}
