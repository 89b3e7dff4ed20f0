//! The lane list, and the one-line strip that stands for it in one column.

use crate::app::Activity;
use crate::app::window::text::Tone;
use crate::app::window::{Rect, age, coarse_age, lane_rows};
use crate::base::{clip, width};
use crate::domain::{ConflictState, Lane, LaneId, LaneState, Party, ProgramState, WaitReason};

use super::canvas::Canvas;
use super::view::Scene;

/// A state's glyph and tone; the word always stands beside it.
pub(super) const fn look(state: &LaneState) -> (&'static str, Tone) {
    let tone = match state {
        LaneState::Starting | LaneState::Waiting(_) => Tone::Text,
        LaneState::Working => Tone::Accent,
        LaneState::NeedsYou => Tone::Warn,
        LaneState::Done => Tone::Good,
        LaneState::Idle | LaneState::Paused | LaneState::Ended => Tone::Dim,
        LaneState::Failed => Tone::Bad,
    };
    (state.mark(), tone)
}

/// How long a lane has been in its state.
pub(super) fn lane_age(scene: &Scene<'_>, lane: LaneId) -> String {
    match scene.state.lane_age(lane) {
        Some((since, true)) => age(since, scene.now),
        Some((since, false)) => coarse_age(since, scene.now),
        None => String::new(),
    }
}

/// What a waiting lane waits for.
pub(super) fn waits_for(scene: &Scene<'_>, reason: &WaitReason) -> String {
    match reason {
        WaitReason::Limit => "for a slot".to_owned(),
        WaitReason::Time(at) => format!("{} left", age(scene.now, *at)),
        WaitReason::Prompt(prompt) => format!("for {prompt}"),
        WaitReason::Issue(issue) => format!("for {issue}"),
        WaitReason::Lane(name) => format!("for {name}"),
    }
}

/// What the person is needed for, in a word or in those of the lane's program.
fn need(scene: &Scene<'_>, lane: LaneId) -> String {
    let model = &scene.state.model;
    if scene.state.pending_approvals().any(|a| a.lane == lane) {
        return "approval".to_owned();
    }
    if model.conflicts.values().any(|c| c.lane == lane && c.state == ConflictState::Pending && c.kind.holds_back()) {
        return "conflict".to_owned();
    }
    match model.prompts.open(lane).find(|p| p.state.needs_person()) {
        Some(prompt) => prompt.state.word().to_owned(),
        None => question(scene, lane).unwrap_or_default(),
    }
}

/// What a lane's program asks its person, if it does: its own words, else of which kind it is.
pub(super) fn question(scene: &Scene<'_>, lane: LaneId) -> Option<String> {
    let program = scene.state.live(lane).filter(|l| l.activity() == Activity::Asks)?.pane.program.as_ref()?;
    let ProgramState::Blocked(kind) = program.state else { return None };
    let words = program.words();
    Some(if words.is_empty() { kind.word().to_owned() } else { words })
}

/// What a lane's program reports as an error, if it does; may be empty.
pub(super) fn fault(scene: &Scene<'_>, lane: LaneId) -> Option<String> {
    let live = scene.state.live(lane).filter(|l| l.pane_running)?;
    let program = live.pane.program.as_ref().filter(|program| program.state == ProgramState::Error)?;
    Some(program.words())
}

/// How many prompts stand behind the running one.
pub(super) fn queued(scene: &Scene<'_>, lane: LaneId) -> usize {
    scene.state.model.queue(lane).iter().filter(|p| !p.state.active()).count()
}

pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>, area: Rect) {
    let rows = lane_rows(scene.state, scene.window, area);
    let all = scene.state.model.open_lanes().count();
    canvas.text(area.x + 1, area.y, area.width - 1, "LANES", Tone::Dim);
    if rows.len() < all {
        canvas.right(area.x + area.width - 1, area.y, 10, &format!("{} of {all}", rows.len()), Tone::Dim);
    }
    if all == 0 {
        canvas.text(area.x + 1, area.y + 2, area.width - 1, "none yet", Tone::Dim);
        canvas.text(area.x + 1, area.y + 3, area.width - 1, "/lane new api", Tone::Accent);
        canvas.text(area.x + 1, area.y + 4, area.width - 1, "makes one", Tone::Dim);
    }
    let digits = all.to_string().len() as u16;
    for row in rows {
        let Some(lane) = scene.state.model.lanes.get(&row.lane) else { continue };
        let place = Rect { x: area.x, y: row.y, width: area.width, height: row.height };
        one(canvas, scene, lane, row.number, digits, place);
    }
}

fn one(canvas: &mut Canvas<'_>, scene: &Scene<'_>, lane: &Lane, number: usize, digits: u16, area: Rect) {
    let focused = scene.window.focus == Some(lane.id);
    let state = scene.lane_state(lane.id);
    let (glyph, tone) = look(&state);
    if focused {
        canvas.tint(area, canvas.theme.selection());
        canvas.text(area.x, area.y, 1, "▌", Tone::Accent);
    }
    let end = area.x + area.width;
    let y = area.y;
    canvas.right(area.x + 1 + digits, y, digits, &number.to_string(), Tone::Dim);
    canvas.text(area.x + digits + 2, y, 1, glyph, tone);
    let name_x = area.x + digits + 4;
    let name = lane.name.as_str();
    let column = end.saturating_sub(10);
    // The word has a column of its own, unless a long name needs the room that a short word leaves.
    let word_x = if name_x + (width(name) as u16) < column { column } else { end - 1 - state.word().len() as u16 };
    canvas.text(name_x, y, word_x.saturating_sub(name_x + 1), name, if focused { Tone::Accent } else { Tone::Strong });
    canvas.text(word_x, y, end - word_x, state.word(), tone);
    if area.height > 1 {
        second(canvas, scene, lane, &state, name_x, Rect { y: y + 1, height: 1, ..area });
    }
}

/// Age, what is waited for, queue, unread mail, drift.
fn second(canvas: &mut Canvas<'_>, scene: &Scene<'_>, lane: &Lane, state: &LaneState, x: u16, area: Rect) {
    let mut parts: Vec<(Tone, String)> = vec![(Tone::Dim, lane_age(scene, lane.id))];
    match state {
        LaneState::NeedsYou => parts.insert(0, (Tone::Warn, need(scene, lane.id))),
        LaneState::Waiting(reason) => parts.push((Tone::Dim, waits_for(scene, reason))),
        _ => {}
    }
    match queued(scene, lane.id) {
        0 => {}
        count => parts.push((Tone::Dim, format!("q{count}"))),
    }
    match scene.state.model.shared.mail.unread(Party::Lane(lane.id)) {
        0 => {}
        count => parts.push((Tone::Dim, format!("m{count}"))),
    }
    let live = scene.state.live(lane.id);
    if let Some(percent) = live.filter(|l| l.pane_running).and_then(|l| l.pane.progress) {
        parts.push((Tone::Dim, format!("{percent} %")));
    }
    if fault(scene, lane.id).is_some() {
        parts.insert(0, (Tone::Bad, "error".to_owned()));
    }
    if let Some(git) = live.and_then(|l| l.git.as_ref()) {
        if git.missing {
            parts.insert(0, (Tone::Bad, "missing".to_owned()));
        } else if git.drifted_to.is_some() {
            parts.insert(0, (Tone::Warn, "drift".to_owned()));
        }
    }
    parts.retain(|(_, text)| !text.is_empty());
    let mut at = x;
    let end = area.x + area.width;
    // What a program asks is cut before the rest is.
    let rest: usize = parts.iter().skip(1).map(|(_, text)| width(text) + 1).sum();
    if let Some((_, first)) = parts.first_mut().filter(|_| question(scene, lane.id).is_some()) {
        *first = clip(first, usize::from(end.saturating_sub(x + 1)).saturating_sub(rest).max(8));
    }
    let need: usize = parts.iter().map(|(_, text)| width(text) + 2).sum();
    // What it cost stands here where there is room for all of it; the lane's header has it in any case.
    let spent = scene.state.used(lane.id);
    let cost =
        Some(spent.cost_short()).filter(|cost| spent.calls > 0 && usize::from(x) + need + width(cost) < end.into());
    parts.extend(cost.map(|cost| (Tone::Dim, cost)));
    let gap = if x + (need as u16) < end + 2 { 2 } else { 1 };
    for (tone, text) in parts {
        if at >= end {
            break;
        }
        at += canvas.text(at, area.y, end - at, &text, tone) + gap;
    }
}

/// All lanes in one line: `1 ● api  2 ▲ ui`; the one in focus is always among them.
pub(super) fn strip(canvas: &mut Canvas<'_>, scene: &Scene<'_>, area: Rect) {
    let lanes: Vec<&Lane> = scene.state.model.open_lanes().collect();
    if lanes.is_empty() {
        canvas.rule(area.x, area.y, area.width);
        return;
    }
    let label = |i: usize| format!("{} {} {}", i + 1, look(&scene.lane_state(lanes[i].id)).0, lanes[i].name);
    let focus = lanes.iter().position(|l| Some(l.id) == scene.window.focus).unwrap_or(0);
    let wide = |i: usize| width(&label(i)) + 3;
    let room = usize::from(area.width) - 2;
    let mut first = focus;
    let mut used = wide(focus);
    while first > 0 && used + wide(first - 1) <= room / 2 {
        first -= 1;
        used += wide(first);
    }
    let mut x = area.x + 1;
    if first > 0 {
        x += canvas.text(x, area.y, 2, "‹ ", Tone::Dim);
    }
    for (at, lane) in lanes.iter().enumerate().skip(first) {
        let left = (area.x + area.width).saturating_sub(x + 2);
        if left < 8 && at != focus {
            canvas.text(x, area.y, 1, "›", Tone::Dim);
            break;
        }
        let tone = if at == focus { Tone::Accent } else { look(&scene.lane_state(lane.id)).1 };
        let used = canvas.text(x, area.y, left, &label(at), tone);
        if at == focus {
            canvas
                .tint(Rect { x: x.saturating_sub(1), y: area.y, width: used + 2, height: 1 }, canvas.theme.selection());
        }
        x += used + 3;
    }
}
