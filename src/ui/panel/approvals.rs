//! Questions of agents, oldest first; the chosen one with everything needed to answer it.

use crate::app::window::text::{Row, Run, Tone, clean, clip_middle, diff_tone, wrap};
use crate::app::window::{APPROVALS, Binding, Deed, age, approval_left, approval_two, once_only};
use crate::domain::Approval;

use super::{Item, key_rows, spread};
use crate::ui::view::Scene;

/// Rows of the exact action shown of the chosen approval; `v` shows all.
const ACTION: usize = 6;
/// Diff rows shown of the chosen approval.
const DIFF: usize = 8;

pub(super) fn items(scene: &Scene<'_>, cells: usize) -> Vec<Item> {
    let chosen = scene.window.panel.chosen_approval(scene.state).map(|a| a.id);
    let pending = scene.state.pending_approvals();
    pending.map(|a| one(scene, a, chosen == Some(a.id), cells)).collect()
}

fn one(scene: &Scene<'_>, approval: &Approval, chosen: bool, cells: usize) -> Item {
    let model = &scene.state.model;
    let number = model.number(approval.lane).map(|n| format!("{n} ")).unwrap_or_default();
    let head = Row::new(Tone::Accent, if chosen { "▸ " } else { "  " })
        .with(Tone::Dim, &number)
        .with(Tone::Strong, &model.name(approval.lane))
        .with(Tone::Dim, " · ")
        .with(Tone::Text, &approval.tool)
        .with(Tone::Dim, &format!(" · {}", approval.id));
    let mut rows = vec![spread(head, &age(approval.created, scene.now), cells)];
    let most = if chosen { ACTION } else { 1 };
    action(approval, most, cells, &mut rows);
    let question = approval.is_question();
    let alike: Vec<String> = scene.state.asked_alike(approval).map(|a| model.name(a.lane)).collect();
    if !alike.is_empty() {
        rows.extend(indented(Tone::Warn, &format!("also asked by {}", alike.join(", ")), cells));
    }
    if chosen {
        for (at, choice) in approval.choices().enumerate() {
            rows.extend(indented(Tone::Text, &format!("  {}  {}", at + 1, crate::base::one_line(choice)), cells));
        }
        if let Some(diff) = &approval.diff {
            diff_rows(diff, cells, &mut rows);
        }
        let place = place(scene, approval);
        rows.push(one_row(&format!("in {place}"), cells));
        if approval.tool == "shell" && approval.prompt.is_some() {
            rows.push(one_row(&scene.state.settings.walls.words(), cells));
        }
        rows.extend(indented(Tone::Dim, &format!("rule: {}", approval.rule.rule), cells));
        rows.push(one_row(&approval.rule.place, cells));
        if let Some((tone, words)) = approval_two(approval) {
            rows.extend(indented(tone, &words, cells));
        }
        if let Some(left) = approval_left(approval, scene.now) {
            rows.push(one_row(&left, cells));
        }
        // A program's question is answered for now, or while it runs.
        let brief = approval.prompt.is_none();
        let keys: Vec<_> = APPROVALS
            .iter()
            .filter(|b| !(brief && matches!(b.deed, Deed::AllowAlways | Deed::Edit)))
            .filter(|b| b.deed != Deed::AllowSame || !alike.is_empty())
            .filter(|b| !(once_only(approval) && matches!(b.deed, Deed::AllowSession | Deed::AllowAlways)))
            .filter(|b| !((question || approval.needs > 1) && b.deed == Deed::Edit))
            .map(|b| if question && b.deed == Deed::AllowOnce { Binding { words: "answer", ..*b } } else { *b })
            .collect();
        rows.extend(key_rows(&keys, "  ", 3));
    }
    rows.push(Row::default());
    Item { rows, chosen }
}

/// The exact command or path, wrapped; what does not fit is counted.
fn action(approval: &Approval, most: usize, cells: usize, rows: &mut Vec<Row>) {
    let prompt = if approval.tool == "shell" { "$ " } else { "" };
    let mut lines: Vec<Row> = Vec::new();
    for (i, line) in approval.action.lines().enumerate() {
        let lead = if i == 0 { format!("  {prompt}") } else { "    ".to_owned() };
        for row in wrap(&[Run::new(Tone::Strong, clean(line).into_owned())], cells.saturating_sub(4)) {
            let mut full = Row::new(Tone::Dim, if lines.is_empty() { &lead } else { "    " });
            full.0.extend(row.0);
            lines.push(full);
        }
        if lines.len() > most + 200 {
            break;
        }
    }
    let all = lines.len();
    lines.truncate(most);
    rows.append(&mut lines);
    if all > most {
        rows.push(Row::new(Tone::Warn, &format!("    … {} more rows: v shows all", all - most)));
    }
}

fn diff_rows(diff: &str, cells: usize, rows: &mut Vec<Row>) {
    let lines = || diff.lines().filter(|l| !l.starts_with("--- ") && !l.starts_with("+++ "));
    for line in lines().take(DIFF) {
        let text = crate::base::clip(&clean(line), cells.saturating_sub(4));
        rows.push(Row(vec![Run::new(diff_tone(line), format!("    {text}"))]));
    }
    let all = lines().count();
    if all > DIFF {
        rows.push(Row::new(Tone::Dim, &format!("    … {} more lines: v shows all", all - DIFF)));
    }
}

/// Where the call would run: the lane's branch if it is the lane's own directory.
fn place(scene: &Scene<'_>, approval: &Approval) -> String {
    let lane = scene.state.model.lanes.get(&approval.lane);
    let own = lane.filter(|l| {
        l.place.directory.as_os_str() == approval.directory.as_str() || matches!(approval.directory.as_str(), "" | ".")
    });
    own.and_then(|l| l.place.branch.clone()).unwrap_or_else(|| approval.directory.clone())
}

/// A path in one row: both its ends tell more than its middle.
fn one_row(text: &str, cells: usize) -> Row {
    Row::new(Tone::Dim, &format!("  {}", clip_middle(&clean(text), cells.saturating_sub(2))))
}

/// Text below an item's head.
pub(super) fn indented(tone: Tone, text: &str, cells: usize) -> Vec<Row> {
    let rows = wrap(&[Run::new(tone, clean(text).into_owned())], cells.saturating_sub(2));
    rows.into_iter()
        .map(|row| {
            let mut full = Row::new(Tone::Dim, "  ");
            full.0.extend(row.0);
            full
        })
        .collect()
}
