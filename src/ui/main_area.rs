//! The main area with one lane: its header, its transcript or its pane, and what waits in its queue.

use crate::app::window::text::{Row, Run, Tone};
use crate::app::window::transcript::Transcript;
use crate::app::window::{
    Keyboard, LANE_HEADER, Rect, failed_last, key_label, pane_area, queue_rows, scroll_area, transcript_area,
};
use crate::base::{clip, one_line, size_words, width};
use crate::command::Interval;
use crate::domain::{GitFacts, Hold, Lane, LaneId, LaneKind, LaneStage, LaneState, Prompt, PromptState, Size};

use super::canvas::{Canvas, Place};
use super::view::{Caret, Scene};
use super::{lanes, pane, scroll, welcome};

/// Cells of what a program says of itself.
const LONGEST: usize = 60;
/// Cells of a program's title.
const TITLE: usize = 30;

pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>) -> Option<Caret> {
    let area = scene.areas.main;
    let Some(lane) = scene.window.focus.and_then(|lane| scene.state.model.lanes.get(&lane)) else {
        welcome::no_lane(canvas, scene, area.inset());
        return None;
    };
    title(canvas, scene, lane, area);
    facts(canvas, scene, lane, Rect { y: area.y + 1, height: 1, ..area });
    if let Some(mode) = scene.window.scroll.as_ref().filter(|mode| mode.lane == lane.id) {
        let place = scroll_area(scene.state, scene.window);
        let caret = scroll::draw(canvas, mode, &scene.state.memo, place);
        if matches!(lane.kind, LaneKind::Agent { .. }) {
            queue_below(canvas, scene, lane.id, place, area);
        }
        return caret.filter(|_| scene.window.keyboard == Keyboard::Scroll);
    }
    if matches!(lane.kind, LaneKind::Pane { .. })
        && let Some(frame) = scene.frames.get(&lane.id).filter(|_| lane.stage != LaneStage::Creating)
    {
        let place = pane_area(&scene.areas);
        let end = ended(scene, lane, usize::from(area.width.saturating_sub(2)));
        // How it ended stands below the program's last output, never over it.
        let room = area.below(LANE_HEADER).height.saturating_sub(end.len() as u16);
        let skip = if end.is_empty() {
            pane::hidden_rows(frame, place.height)
        } else {
            pane::used(frame).saturating_sub(room)
        };
        let typed = scene.window.keyboard == Keyboard::Pane;
        let place = Place::new(lane.id, place, skip, typed);
        pane::draw(canvas, frame, place);
        ended_lines(canvas, &end, area);
        return typed.then(|| pane::caret(frame, place));
    }
    let text = transcript_area(scene.state, scene.window);
    transcript(canvas, scene, lane, text);
    ended_lines(canvas, &ended(scene, lane, usize::from(area.width.saturating_sub(2))), area);
    queue_below(canvas, scene, lane.id, text, area);
    None
}

fn queue_below(canvas: &mut Canvas<'_>, scene: &Scene<'_>, lane: LaneId, text: Rect, area: Rect) {
    let height = queue_rows(scene.state, lane, area.height);
    queue(canvas, scene, lane, Rect { y: text.y + text.height, height, ..text });
}

/// `ended: exit 0 · /lane restart sh runs it again · Ctrl-G x closes the lane`, for a pane whose program is over.
fn ended(scene: &Scene<'_>, lane: &Lane, cells: usize) -> Vec<Row> {
    let over = matches!(lane.stage, LaneStage::Ended | LaneStage::Failed);
    if !over || !matches!(lane.kind, LaneKind::Pane { .. }) {
        return Vec::new();
    }
    let tone = if lane.stage == LaneStage::Failed { Tone::Bad } else { Tone::Warn };
    let how = one_line(lane.error.as_deref().unwrap_or_default());
    let how = match (how.strip_prefix("exited with status "), lane.stage) {
        (Some(code), _) => format!("ended: exit {code}"),
        (None, LaneStage::Ended) if how.is_empty() => "ended".to_owned(),
        (None, LaneStage::Ended) => format!("ended: {how}"),
        (None, _) => how,
    };
    let name = lane.name.as_str();
    let lead = key_label(scene.state.settings.leader);
    let parts = [
        vec![Run::new(tone, how)],
        vec![Run::new(Tone::Accent, format!("/lane restart {name}")), Run::new(Tone::Dim, " runs it again".to_owned())],
        vec![Run::new(Tone::Accent, format!("{lead} x")), Run::new(Tone::Dim, " closes the lane".to_owned())],
    ];
    // Parts stay whole: a line that has no room for the next ends before it.
    let mut rows: Vec<Row> = Vec::new();
    for part in parts {
        let part = Row(part);
        match rows.last_mut() {
            Some(row) if row.width() + 3 + part.width() <= cells => {
                row.0.push(Run::new(Tone::Dim, " · ".to_owned()));
                row.0.extend(part.0);
            }
            _ => rows.push(part),
        }
    }
    rows
}

fn ended_lines(canvas: &mut Canvas<'_>, rows: &[Row], area: Rect) {
    let high = (rows.len() as u16).min(area.height.saturating_sub(LANE_HEADER));
    let y = area.y + area.height - high;
    canvas.clear(Rect { y, height: high, ..area }, canvas.theme.raised());
    for (row, y) in rows.iter().zip(y..y + high) {
        canvas.row(area.x + 1, y, area.width.saturating_sub(2), row);
    }
}

/// `1 api · agent · sonnet · lane/api +3 −1      working 0:42`
pub(super) fn title(canvas: &mut Canvas<'_>, scene: &Scene<'_>, lane: &Lane, area: Rect) {
    let state = scene.lane_state(lane.id);
    let (glyph, tone) = lanes::look(&state);
    let right = Row::new(tone, &format!("{glyph} {}", state.word()))
        .with(Tone::Dim, &format!(" {}", lanes::lane_age(scene, lane.id)));
    let wide = right.width() as u16;
    let room = area.width.saturating_sub(wide + 4);
    // A narrow title leaves out the model first, then what kind of lane it is.
    let fits =
        [2, 1].map(|detail| name_row(scene, lane, detail)).into_iter().find(|row| row.width() <= usize::from(room));
    let left = fits.unwrap_or_else(|| name_row(scene, lane, 0));
    canvas.row(area.x + 1, area.y, room, &left);
    canvas.row(area.x + area.width.saturating_sub(wide + 1), area.y, wide, &right);
}

/// `1 api · agent · sonnet · lane/api +3 −1` with as much detail as asked.
fn name_row(scene: &Scene<'_>, lane: &Lane, detail: u8) -> Row {
    let number = scene.state.model.number(lane.id).map(|n| format!("{n} ")).unwrap_or_default();
    let focused = scene.window.focus == Some(lane.id);
    let name = if focused { Tone::Accent } else { Tone::Strong };
    let mut row = Row::new(Tone::Dim, &number).with(name, lane.name.as_str());
    match &lane.kind {
        LaneKind::Agent { .. } => {
            if detail > 0 {
                row = row.with(Tone::Dim, " · agent");
            }
            if let Some((_, model)) = scene.state.provider_of(lane.id).filter(|_| detail > 1) {
                row = row.with(Tone::Dim, &format!(" · {model}"));
            }
        }
        LaneKind::Pane { command, .. } => {
            let words = if detail > 1 { command.join(" ") } else { command.first().cloned().unwrap_or_default() };
            row = row.with(Tone::Dim, &format!(" · {words}"));
        }
    }
    match &lane.place.branch {
        Some(branch) => row = row.with(Tone::Dim, " · ").with(Tone::Text, branch),
        None => row = row.with(Tone::Dim, " · in the base checkout"),
    }
    if let Some(git) = scene.state.live(lane.id).and_then(|l| l.git.as_ref()) {
        if git.ahead > 0 {
            row = row.with(Tone::Good, &format!(" +{}", git.ahead));
        }
        if git.behind > 0 {
            row = row.with(Tone::Warn, &format!(" −{}", git.behind));
        }
    }
    row
}

/// The second line: base, changes, disk, mode; or what is wrong.
fn facts(canvas: &mut Canvas<'_>, scene: &Scene<'_>, lane: &Lane, area: Rect) {
    let base = &lane.place.base;
    let sha = base.sha.get(..7).unwrap_or(&base.sha);
    let mut row = Row::default();
    let mut add = |tone: Tone, text: &str| {
        if !row.0.is_empty() {
            row = std::mem::take(&mut row).with(Tone::Dim, " · ");
        }
        row = std::mem::take(&mut row).with(tone, text);
    };
    if let Some(question) = lanes::question(scene, lane.id) {
        add(Tone::Warn, &format!("▲ asks: {}", clip(&question, LONGEST)));
    } else if let Some(fault) = lanes::fault(scene, lane.id) {
        let colon = if fault.is_empty() { "" } else { ": " };
        add(Tone::Bad, &format!("✗ its program reports an error{colon}{}", clip(&fault, LONGEST)));
    }
    let place = pane_area(&scene.areas);
    if let Some(Size { columns, rows }) = scene.frames.get(&lane.id).map(|frame| frame.size)
        && (columns > place.width || rows > place.height)
        // A window's own resize is over in a moment.
        && scene.state.windows.len() > 1
    {
        add(Tone::Warn, &format!("seen in part: {columns}×{rows} in another window"));
    }
    let live = scene.state.live(lane.id);
    if let Some(live) = live.filter(|l| l.pane_running && !l.pane.title.trim().is_empty()) {
        add(Tone::Text, &clip(&one_line(live.pane.title.trim()), TITLE));
    }
    if let LaneState::Waiting(reason) = scene.lane_state(lane.id) {
        add(Tone::Text, &format!("waits {}", lanes::waits_for(scene, &reason)));
    }
    if matches!(lane.stage, LaneStage::Failed | LaneStage::Ended) && matches!(lane.kind, LaneKind::Agent { .. }) {
        let tone = if lane.stage == LaneStage::Failed { Tone::Bad } else { Tone::Warn };
        if let Some(error) = &lane.error {
            add(tone, &one_line(error));
        }
        add(Tone::Text, "/lane restart starts it again");
    }
    if !sha.is_empty() {
        add(Tone::Dim, &format!("from {} {sha}", base.name));
    }
    if let Some(git) = live.and_then(|l| l.git.as_ref()) {
        git_facts(git, &mut add);
    }
    if let Some(mode) = lane.mode {
        add(Tone::Dim, &format!("mode {}", mode.word()));
    }
    match live.map_or(0, |l| l.jobs) {
        0 => {}
        1 => add(Tone::Dim, "1 job"),
        many => add(Tone::Dim, &format!("{many} jobs")),
    }
    let spent = scene.state.used(lane.id);
    if spent.calls > 0 {
        add(Tone::Dim, &spent.cost_short());
    }
    if matches!(lane.kind, LaneKind::Pane { .. })
        && let Some((tone, text)) = queue_lines(scene, lane.id).into_iter().next()
    {
        add(tone, text.trim());
    }
    let right = scrolled(scene, lane.id);
    let room = area.width.saturating_sub(width(&right) as u16 + 3);
    canvas.row(area.x + 1, area.y, room, &row);
    canvas.right(area.x + area.width - 1, area.y, area.width, &right, Tone::Warn);
}

fn git_facts(git: &GitFacts, add: &mut impl FnMut(Tone, &str)) {
    if git.missing {
        add(Tone::Bad, "its directory is gone: /lane close removes the lane, /lane restart makes it again");
        return;
    }
    if let Some(other) = &git.drifted_to {
        add(Tone::Warn, &format!("now on {other}"));
    }
    match git.dirty.len() {
        0 => add(Tone::Dim, "clean"),
        1 => add(Tone::Dim, "1 file changed"),
        many => add(Tone::Dim, &format!("{many} files changed")),
    }
    if let Some(bytes) = git.disk {
        add(Tone::Dim, &size_words(bytes));
    }
}

/// Whether the view stands somewhere back.
fn scrolled(scene: &Scene<'_>, lane: LaneId) -> String {
    if let Some(mode) = scene.window.scroll.as_ref().filter(|mode| mode.lane == lane) {
        return scroll::told(mode, scroll_area(scene.state, scene.window));
    }
    if scene.window.scrolled.contains_key(&lane) { "scrolled back · Esc to the end".to_owned() } else { String::new() }
}

fn transcript(canvas: &mut Canvas<'_>, scene: &Scene<'_>, lane: &Lane, area: Rect) {
    let window = scene.window;
    let transcript = Transcript::new(scene.state, lane.id, area.width, &window.folds).spinning(scene.spinner());
    let rows = transcript.view(window.scrolled.get(&lane.id).copied(), usize::from(area.height));
    if rows.is_empty() {
        welcome::quiet_lane(canvas, scene, lane, area);
    }
    for ((_, row), y) in rows.iter().zip(area.y..) {
        canvas.row(area.x, y, area.width, row);
    }
}

/// What waits behind the running prompt, and what needs a decision, in words with the next command.
fn queue_lines(scene: &Scene<'_>, lane: LaneId) -> Vec<(Tone, String)> {
    let queue = scene.state.model.queue(lane);
    let mut lines: Vec<(Tone, String)> = Vec::new();
    for prompt in queue.iter().filter(|p| !p.state.active()) {
        let text = one_line(&prompt.text);
        let id = prompt.id;
        lines.push(match prompt.state {
            PromptState::Interrupted => (Tone::Warn, format!("▲ {id} was cut off: /retry {id} · /cancel {id}")),
            PromptState::Unconfirmed => {
                (Tone::Warn, format!("▲ {id} may not have arrived: /retry {id} · /queue cancel {id}"))
            }
            PromptState::Blocked => (Tone::Warn, format!("▲ {id} held by a conflict: {text}")),
            PromptState::Paused => (Tone::Text, format!("‖ {id} paused · /lane resume goes on · {text}")),
            PromptState::Held => (Tone::Dim, format!("◔ {id} {} · {text}", held(scene, prompt))),
            _ => (Tone::Dim, format!("  {id} queued · {text}")),
        });
    }
    if let Some(failed) = failed_last(scene.state, lane) {
        let why = failed.error.as_deref().map(|why| format!(" · {}", one_line(why))).unwrap_or_default();
        lines.push((Tone::Bad, format!("✗ {id} failed · /retry {id} runs it again{why}", id = failed.id)));
    }
    // What needs the person stands first.
    lines.sort_by_key(|(tone, _)| !matches!(tone, Tone::Warn | Tone::Bad));
    lines
}

fn held(scene: &Scene<'_>, prompt: &Prompt) -> String {
    match prompt.hold {
        Some(Hold::At(at)) => format!("starts in {}", crate::app::window::age(scene.now, at)),
        Some(Hold::Every { next, seconds, .. }) => {
            format!("starts in {}, every {}", crate::app::window::age(scene.now, next), Interval(seconds))
        }
        Some(Hold::After(other)) => format!("after {other}"),
        Some(Hold::Released(issue)) => format!("when {issue} is released"),
        None => "held".to_owned(),
    }
}

fn queue(canvas: &mut Canvas<'_>, scene: &Scene<'_>, lane: LaneId, area: Rect) {
    let lines = queue_lines(scene, lane);
    // A roomy area has a blank row first.
    let area = if area.height > 1 { area.below(1) } else { area };
    let room = usize::from(area.height);
    for (i, (tone, text)) in lines.iter().take(room).enumerate() {
        let y = area.y + i as u16;
        let rest = lines.len() - room.min(lines.len());
        if i + 1 == room && rest > 0 {
            canvas.text(area.x, y, area.width, &format!("  … {} more · /queue list shows them", rest + 1), Tone::Dim);
        } else {
            canvas.text(area.x, y, area.width, text, *tone);
        }
    }
}
