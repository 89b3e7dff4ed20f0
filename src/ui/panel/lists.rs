//! Problems and activity, newest first.

use crate::app::problems as problem_rows;
use crate::app::window::coarse_age;
use crate::app::window::text::{Row, Tone};
use crate::base::one_line;
use crate::command::Surface;

use super::approvals::indented;
use super::{Item, spread};
use crate::ui::view::Scene;

pub(super) fn problems(scene: &Scene<'_>, cells: usize) -> Vec<Item> {
    let row = scene.window.panel.row;
    let all = problem_rows(scene.state, scene.now);
    all.iter()
        .enumerate()
        .map(|(at, problem)| {
            let chosen = at == row;
            let place = problem.lane.map_or_else(|| "workstation".to_owned(), |lane| scene.state.model.name(lane));
            let head = Row::new(Tone::Accent, if chosen { "▸ " } else { "  " })
                .with(Tone::Bad, "✗ ")
                .with(Tone::Strong, &place);
            let mut rows = vec![spread(head, &coarse_age(problem.since, scene.now), cells)];
            let message = indented(Tone::Text, &problem.report.message, cells);
            rows.extend(message.into_iter().take(if chosen { 8 } else { 2 }));
            for way in problem.ways_out(Surface::Window) {
                rows.extend(indented(Tone::Dim, &format!("→ {way}"), cells).into_iter().take(4));
            }
            rows.push(Row::default());
            Item { rows, chosen }
        })
        .collect()
}

/// Only the lines around the chosen one can be seen.
pub(super) fn activity(scene: &Scene<'_>, cells: usize, height: usize) -> Vec<Item> {
    let row = scene.window.panel.row.min(scene.state.activity.len().saturating_sub(1));
    let first = row.saturating_sub(height);
    let lines = scene.state.activity.iter().rev().enumerate().skip(first).take(2 * height + 1);
    lines
        .map(|(at, line)| {
            let chosen = at == row;
            let mut text = Row::new(Tone::Accent, if chosen { "▸ " } else { "  " });
            if let Some(lane) = line.lane {
                text = text.with(Tone::Strong, &scene.state.model.name(lane)).with(Tone::Dim, " · ");
            }
            let text = text.with(Tone::Text, &one_line(&line.text));
            Item { rows: vec![spread(text, &coarse_age(line.at, scene.now), cells)], chosen }
        })
        .collect()
}
