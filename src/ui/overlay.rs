//! What stands over everything else: one frame, a title, a body, and its keys in the last row.

mod board;
mod forms;
mod lists;
mod reader;

use crate::app::window::text::Tone;
use crate::app::window::{Confirm, Overlay, Rect};
use crate::base::width;
use crate::command::BulkDeed;

use super::canvas::Canvas;
use super::view::{Caret, Scene};

pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>, overlay: &Overlay) -> Option<Caret> {
    match overlay {
        Overlay::Reader(reader) => {
            reader::draw(canvas, scene, reader);
            None
        }
        Overlay::Trust(dialog) => {
            reader::trust(canvas, scene, dialog);
            None
        }
        Overlay::Palette(palette) => Some(lists::palette(canvas, scene, palette)),
        Overlay::Picker(picker) => Some(lists::picker(canvas, scene, picker)),
        Overlay::Found(found) => {
            lists::found(canvas, scene, found);
            None
        }
        Overlay::Board(board) => {
            board::draw(canvas, scene, board);
            None
        }
        Overlay::Points(points) => {
            lists::points(canvas, scene, points);
            None
        }
        Overlay::Ask(ask) => Some(forms::ask(canvas, scene, ask)),
        Overlay::NewLane(form) => forms::new_lane(canvas, scene, form),
        Overlay::Setup(setup) => forms::setup(canvas, scene, setup),
        Overlay::Confirm(confirm) => {
            self::confirm(canvas, scene, confirm);
            None
        }
    }
}

/// Draws a frame of this inner size in the middle and returns its inside. Keys stand in its last row.
fn frame(canvas: &mut Canvas<'_>, scene: &Scene<'_>, size: (u16, u16), title: &str, keys: &[(&str, &str)]) -> Rect {
    let (columns, rows) = (scene.window.size.columns, scene.window.size.rows);
    let wide = (size.0 + 4).min(columns.saturating_sub(2)).max(20);
    let high = (size.1 + 4).min(rows.saturating_sub(2)).max(5);
    let (x, y) = ((columns - wide) / 2, (rows - high) / 2);
    let outer = Rect { x, y, width: wide, height: high };
    canvas.clear(outer, canvas.theme.base());
    let border = canvas.theme.border();
    canvas.styled(x, y, wide, &format!("╭{}╮", "─".repeat(usize::from(wide) - 2)), border);
    for row in y + 1..y + high - 1 {
        canvas.styled(x, row, 1, "│", border);
        canvas.styled(x + wide - 1, row, 1, "│", border);
    }
    canvas.styled(x, y + high - 1, wide, &format!("╰{}╯", "─".repeat(usize::from(wide) - 2)), border);
    let shown = crate::base::clip(&crate::app::window::text::clean(title), usize::from(wide) - 6);
    canvas.text(x + 2, y, wide - 4, &format!(" {shown} "), Tone::Accent);
    let mut at = x + 2;
    for (key, words) in keys {
        let need = (width(key) + width(words) + 3) as u16;
        if at + need > x + wide - 1 {
            break;
        }
        at += canvas.text(at, y + high - 2, wide, key, Tone::Accent);
        at += canvas.text(at, y + high - 2, wide, &format!(" {words}  "), Tone::Dim);
    }
    Rect { x: x + 2, y: y + 1, width: wide - 4, height: high - 4 }
}

fn confirm(canvas: &mut Canvas<'_>, scene: &Scene<'_>, confirm: &Confirm) {
    let model = &scene.state.model;
    let mut lines: Vec<(Tone, String)> = Vec::new();
    let (title, keys): (String, &[(&str, &str)]) = match confirm {
        Confirm::Always(id) => {
            lines
                .push((Tone::Text, "From now on this exact call is allowed in every lane, without asking:".to_owned()));
            lines.push((Tone::Text, String::new()));
            if let Some(approval) = model.approvals.get(id) {
                lines.push((Tone::Accent, format!("allow {}", approval.tool)));
                lines.extend(approval.action.lines().map(|line| (Tone::Strong, format!("  {line}"))));
            }
            (format!("always allow {id}?"), &[("Enter", "remember and allow"), ("Esc", "back")])
        }
        Confirm::Close(lane) => {
            let name = model.name(*lane);
            lines.push((Tone::Text, "Its program or turn ends and its worktree is removed.".to_owned()));
            lines.push((
                Tone::Dim,
                "It is refused if anything would be lost; the branch stays while it holds work.".to_owned(),
            ));
            lines.push((Tone::Dim, format!("/lane restore {name} brings it back.")));
            (format!("close lane {name}?"), &[("Enter", "close"), ("Esc", "back")])
        }
        Confirm::Bulk(plan) => {
            lines.push((Tone::Text, plan.lanes.join(", ")));
            if !plan.skipped.is_empty() {
                let all: Vec<String> = plan.skipped.iter().map(|(lane, state)| format!("{lane} is {state}")).collect();
                lines.push((Tone::Dim, format!("left out: {}", all.join(", "))));
            }
            if let BulkDeed::Prompt { text } = &plan.deed {
                lines.push((Tone::Text, String::new()));
                lines.extend(text.lines().take(8).map(|line| (Tone::Strong, format!("  {line}"))));
            }
            let many = if plan.lanes.len() == 1 { "lane" } else { "lanes" };
            let title = format!("{} {} {many}?", plan.deed.verb(), plan.lanes.len());
            (title, &[("Enter", "yes, all of them"), ("Esc", "back")])
        }
        Confirm::Quit => {
            let busy: Vec<String> = model
                .open_lanes()
                .filter(|l| {
                    model.active_prompt(l.id).is_some() || scene.state.live(l.id).is_some_and(|live| live.pane_running)
                })
                .map(|l| l.name.to_string())
                .collect();
            lines.push((Tone::Text, format!("At work: {}.", busy.join(", "))));
            if scene.window.hello.terminal {
                let kept = "Quitting ends programs and cuts turns; queues and transcripts are kept.";
                lines.push((Tone::Dim, kept.to_owned()));
                lines.push((Tone::Dim, "Detaching leaves the window and lets everything run on.".to_owned()));
                ("quit?".to_owned(), &[("y", "quit"), ("d", "detach instead"), ("Esc", "stay")])
            } else {
                // Window and workstation are one process: the one ends with the other.
                lines.push((Tone::Dim, "Quitting ends programs and cuts turns.".to_owned()));
                ("quit?".to_owned(), &[("y", "quit"), ("Esc", "stay")])
            }
        }
    };
    let cells = usize::from(scene.window.size.columns).saturating_sub(8).min(76);
    let rows: Vec<_> = lines
        .iter()
        .flat_map(|(tone, text)| {
            let text = crate::app::window::text::clean(text).into_owned();
            crate::app::window::text::wrap(&[crate::app::window::text::Run::new(*tone, text)], cells)
        })
        .collect();
    let wide = rows.iter().map(crate::app::window::text::Row::width).max().unwrap_or(0).max(width(&title) + 4).max(44);
    let inside = frame(canvas, scene, (wide as u16, rows.len() as u16 + 1), &title, keys);
    for (row, y) in rows.iter().zip(inside.y + 1..inside.y + inside.height) {
        canvas.row(inside.x, y, inside.width, row);
    }
}
