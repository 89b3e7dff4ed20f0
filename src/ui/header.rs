//! The first line: the project and its base on the left, how things stand on the right.

use crate::app::window::text::{Row, Tone};
use crate::domain::LaneState;

use super::canvas::Canvas;
use super::view::Scene;

pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>) {
    let area = scene.areas.header;
    let project = &scene.state.settings.project;
    let sha = project.base.sha.get(..7).unwrap_or(&project.base.sha);
    let mut left = Row::new(Tone::Accent, " paralane")
        .with(Tone::Dim, "  ")
        .with(Tone::Strong, &project.name)
        .with(Tone::Dim, &format!(" · {} {sha}", project.base.name));
    if scene.state.looking_through {
        left = left.with(Tone::Dim, " · ").with(Tone::Warn, "looking through the store");
    }
    let right = standing(scene);
    let room = area.width.saturating_sub(right.width() as u16 + 2);
    canvas.row(0, area.y, room, &left);
    let x = area.width.saturating_sub(right.width() as u16 + 1);
    canvas.row(x, area.y, area.width - x, &right);
}

/// `4 lanes · 2 working · 2 need you · $0.42 today`; what is zero is not said.
fn standing(scene: &Scene<'_>) -> Row {
    let count = |wanted: &LaneState| scene.states.values().filter(|s| *s == wanted).count();
    let (all, working) = (scene.states.len(), count(&LaneState::Working));
    let (needy, failed) = (count(&LaneState::NeedsYou), count(&LaneState::Failed));
    if all == 0 {
        return Row::new(Tone::Dim, "no lanes yet");
    }
    let mut row = Row::new(Tone::Dim, &format!("{all} lane{}", if all == 1 { "" } else { "s" }));
    if working > 0 {
        row = row.with(Tone::Dim, " · ").with(Tone::Text, &format!("{working} working"));
    }
    if failed > 0 {
        row = row.with(Tone::Dim, " · ").with(Tone::Bad, &format!("{failed} failed"));
    }
    if needy > 0 {
        row = row
            .with(Tone::Dim, " · ")
            .with(Tone::Warn, &format!("{needy} need{} you", if needy == 1 { "s" } else { "" }));
    }
    let today = scene.state.model.ledger.of_day(scene.state.today);
    // A narrow line is for what needs a hand.
    if today.calls > 0 && scene.areas.header.width >= 80 {
        row = row.with(Tone::Dim, &format!(" · {} today", today.cost_short()));
    }
    row
}
