//! Empty states: what to do first.

use crate::app::window::text::{Row, Tone};
use crate::app::window::{Rect, key_label};
use crate::domain::{Lane, LaneKind, LaneStage};

use super::canvas::Canvas;
use super::view::Scene;

/// No lane exists yet.
pub(super) fn no_lane(canvas: &mut Canvas<'_>, scene: &Scene<'_>, area: Rect) {
    let lead = key_label(scene.state.settings.leader);
    let command = |text: &str, words: &str| Row::new(Tone::Accent, &format!("  {text:<24}")).with(Tone::Dim, words);
    let mut rows = vec![
        Row::default(),
        Row::new(Tone::Strong, "No lane yet."),
        Row::new(Tone::Dim, "A lane is one strand of work: a branch in a"),
        Row::new(Tone::Dim, "worktree of its own, with an agent or a program."),
        Row::default(),
        Row::new(Tone::Text, "Type one of these and press Enter:"),
        Row::default(),
        command("/lane new api", "our own agent"),
        command("/lane new sh -- bash", "a program, here a shell"),
        Row::default(),
        command(&format!("{lead} N"), "asks for name and kind"),
        command(&format!("{lead} ?"), "all keys and commands"),
    ];
    if scene.state.settings.providers.is_empty() {
        rows.push(Row::default());
        rows.push(Row::new(Tone::Warn, "No model server is configured, so agents cannot answer yet."));
        rows.push(Row::new(Tone::Dim, "The next window asks for one; /config names the file."));
    }
    draw(canvas, &rows, area);
}

/// A lane in which nothing was said.
pub(super) fn quiet_lane(canvas: &mut Canvas<'_>, scene: &Scene<'_>, lane: &Lane, area: Rect) {
    let name = lane.name.as_str();
    let mut rows = vec![Row::default()];
    match (&lane.kind, lane.stage) {
        (_, LaneStage::Creating) => {
            rows.push(Row::new(Tone::Strong, "The worktree is being made."));
            rows.push(Row::new(
                Tone::Dim,
                "Type what is to be done: it is queued and runs as soon as the lane stands.",
            ));
        }
        (LaneKind::Agent { .. }, _) => {
            rows.push(Row::new(Tone::Strong, &format!("Nothing was said in {name} yet.")));
            rows.push(Row::new(Tone::Dim, "Type what is to be done and press Enter."));
            if scene.state.settings.providers.is_empty() {
                rows.push(Row::new(Tone::Warn, "No model server is configured: the next window asks for one."));
            }
        }
        (LaneKind::Pane { .. }, LaneStage::Failed) => rows.push(Row::new(Tone::Strong, "The program was not started.")),
        (LaneKind::Pane { .. }, LaneStage::Ended) => {
            rows.push(Row::new(Tone::Strong, "The program has ended."));
            rows.push(Row::new(Tone::Dim, "Its screen is gone; the lane's files are as it left them."));
            // How it ended, and what can be done, stands on the last line.
            return draw(canvas, &rows, area);
        }
        (LaneKind::Pane { .. }, _) => rows.push(Row::new(Tone::Dim, "The program starts…")),
    }
    if let Some(error) = &lane.error {
        rows.push(Row::default());
        rows.push(Row::new(Tone::Bad, error));
    }
    draw(canvas, &rows, area);
}

fn draw(canvas: &mut Canvas<'_>, rows: &[Row], area: Rect) {
    let mut y = area.y;
    for row in rows {
        for line in crate::app::window::text::wrap(&row.0, usize::from(area.width)) {
            if y >= area.y + area.height {
                return;
            }
            canvas.row(area.x, y, area.width, &line);
            y += 1;
        }
    }
}
