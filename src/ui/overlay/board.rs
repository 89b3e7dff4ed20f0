//! The board of issues: a row each, under their groups.

use crate::app::window::text::{Row, Run, Tone, clean, wrap};
use crate::app::window::{BOARD, Board, Deed, Rect, coarse_age, key_label};
use crate::app::{BoardLine, board, board_line};
use crate::base::{clip, one_line, width};
use crate::domain::{Issue, IssueId};

use super::{frame, reader};
use crate::ui::canvas::Canvas;
use crate::ui::toast;
use crate::ui::view::Scene;

/// Cells of a page at most: beyond, the eye loses the row.
const WIDEST: u16 = 150;
/// Cells from which on notes stand beside the issue and not below it.
const ROOMY: usize = 96;
/// Cells of an owner's name at most.
const OWNER: usize = 16;

pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>, page: &Board) {
    let inside = match &page.detail {
        Some(detail) => reader::draw(canvas, scene, detail),
        None => rows(canvas, scene, page),
    };
    // What came of a key is told here: the board stays open.
    toast::draw_within(canvas, scene, inside);
}

/// Draws the frame and what is in it; gives the inside.
fn rows(canvas: &mut Canvas<'_>, scene: &Scene<'_>, page: &Board) -> Rect {
    let groups = board(scene.state);
    let (all, done) = groups.iter().fold((0, 0), |sum, group| (sum.0 + group.issues.len(), sum.1 + group.done));
    let title = if all == 0 { "issues".to_owned() } else { format!("issues · {done} of {all} done") };
    let moves = |deed: Deed| matches!(deed, Deed::Down | Deed::Up);
    let shown = BOARD.iter().filter(|b| !b.words.is_empty() && !moves(b.deed));
    let labels: Vec<(String, &str)> =
        shown.map(|b| (key_label(b.key), if b.deed == Deed::Claim { claim(scene) } else { b.words })).collect();
    let mut keys: Vec<(&str, &str)> = vec![("j k", "move")];
    keys.extend(labels.iter().map(|(key, words)| (key.as_str(), *words)));
    if all == 0 {
        keys = vec![("Esc", "close")];
    }
    let size = (scene.window.size.columns.saturating_sub(6).min(WIDEST), scene.window.size.rows.saturating_sub(6));
    let inside = frame(canvas, scene, size, &title, &keys);
    let cells = usize::from(inside.width);
    if groups.is_empty() {
        for (row, y) in empty(cells).iter().zip(inside.y + 1..inside.y + inside.height) {
            canvas.row(inside.x, y, inside.width, row);
        }
        return inside;
    }
    let chosen = page.chosen(scene.state);
    let owners = scene.state.model.shared.issues.values().filter_map(Issue::owner);
    let owner = owners.map(|lane| width(&scene.state.model.name(lane))).max().unwrap_or(0).clamp(1, OWNER);
    let mut rows: Vec<(Option<IssueId>, Row)> = Vec::new();
    let named = groups.iter().any(|group| group.name.is_some());
    for group in &groups {
        if named {
            if !rows.is_empty() {
                rows.push((None, Row::default()));
            }
            let name = group.name.as_deref().unwrap_or("in no group");
            let count = format!(" · {} of {} done", group.done, group.issues.len());
            rows.push((None, Row::new(Tone::Strong, &clean(&one_line(name))).with(Tone::Dim, &count)));
        }
        for id in &group.issues {
            let Some(issue) = scene.state.model.shared.issues.get(id) else { continue };
            let line = board_line(scene.state, issue, scene.now);
            let age = coarse_age(line.since, scene.now);
            rows.extend(issue_rows(*id, &line, &age, (cells, owner)).into_iter().map(|row| (Some(*id), row)));
        }
    }
    let room = usize::from(inside.height);
    let last = rows.iter().rposition(|(issue, _)| issue.is_some() && *issue == chosen).unwrap_or(0);
    let first = (last + 1).saturating_sub(room);
    for ((issue, row), y) in rows.iter().skip(first).take(room).zip(inside.y..) {
        if issue.is_some() && *issue == chosen {
            canvas.tint(Rect { x: inside.x - 1, y, width: inside.width + 2, height: 1 }, canvas.theme.selection());
            canvas.text(inside.x - 1, y, 1, "▌", Tone::Accent);
        }
        canvas.row(inside.x, y, inside.width, row);
    }
    let below = rows.len().saturating_sub(first + room);
    if below > 0 {
        let words = format!(" {below} more below ");
        canvas.right(inside.x + inside.width, inside.y + inside.height, 20, &words, Tone::Dim);
    }
    inside
}

/// Claiming is for the lane in focus: the key says so where there is room.
fn claim(scene: &Scene<'_>) -> &'static str {
    match scene.window.focus {
        None => "claim (no lane)",
        Some(_) if scene.window.size.columns >= 100 => "claim for the lane in focus",
        Some(_) => "claim",
    }
}

fn look(state: &str) -> (&'static str, Tone) {
    match state {
        "owned" => ("●", Tone::Good),
        "offered" => ("▲", Tone::Warn),
        "waiting" => ("◌", Tone::Dim),
        "done" => ("✓", Tone::Dim),
        _ => ("○", Tone::Accent),
    }
}

fn padded(text: &str, cells: usize) -> String {
    let shown = clip(text, cells);
    let blank = cells.saturating_sub(width(&shown));
    format!("{shown}{}", " ".repeat(blank))
}

/// `cells`: of a row, and of an owner's name.
fn issue_rows(id: IssueId, line: &BoardLine, age: &str, (cells, of_owner): (usize, usize)) -> Vec<Row> {
    let (glyph, tone) = look(line.state);
    let over = line.state == "done";
    let text = if over { Tone::Dim } else { Tone::Text };
    let owner = line.owner.as_deref().unwrap_or("–");
    // Number, state, owner, age: what is left is the title's, or the title's and the notes'.
    let fixed = 6 + 10 + of_owner + 2 + 7;
    let free = cells.saturating_sub(fixed);
    let roomy = cells >= ROOMY;
    let title = if roomy { free * 55 / 100 } else { free };
    let named = if line.title.is_empty() { "(no title)" } else { &line.title };
    let mut row = Row::new(Tone::Strong, &format!("{:>5} ", id.to_string()))
        .with(tone, &format!("{glyph} {:<8}", line.state))
        .with(if line.owner.is_some() { Tone::Strong } else { Tone::Dim }, &padded(&clean(owner), of_owner + 2))
        .with(Tone::Dim, &format!("{age:>5}  "))
        .with(if line.title.is_empty() { Tone::Dim } else { text }, &padded(&clean(&one_line(named)), title));
    let notes = one_line(&line.notes.join(" · "));
    let tone = if notes.starts_with('!') { Tone::Warn } else { Tone::Dim };
    if roomy {
        row = row.with(tone, &format!("  {}", clip(&clean(&notes), free.saturating_sub(title + 2))));
        return vec![row];
    }
    let mut rows = vec![row];
    if !notes.is_empty() {
        rows.push(Row::new(tone, &format!("      {}", clip(&clean(&notes), cells.saturating_sub(6)))));
    }
    rows
}

fn empty(cells: usize) -> Vec<Row> {
    let lines = [
        (Tone::Strong, "No issue is known yet."),
        (Tone::Text, ""),
        (Tone::Text, "An issue is a number that a lane can own, so that no two do the same work."),
        (Tone::Text, "`/plan apply plan.toml` names many at once, with what waits for what."),
        (Tone::Text, "`/issue title 1 first thing to do` names one, `/issue claim 1` has the lane in focus own it."),
        (Tone::Dim, "Agents claim and hand over issues with their own tools; here you see who has what."),
    ];
    lines.iter().flat_map(|(tone, text)| wrap(&[Run::new(*tone, (*text).to_owned())], cells)).collect()
}
