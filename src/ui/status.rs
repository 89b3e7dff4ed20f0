//! The status line, the rule above the prompt bar with the question that waits, and the which-key strip.

use crate::app::window::text::{Row, Tone};
use crate::app::window::{Binding, Deed, Extent, Keyboard, LEADER, Rect, Tab, hint, hint_count, hint_lines, key_label};
use crate::base::{clip, one_line, width};
use crate::domain::{Approval, ConflictKind, CursorShape, LaneKind, LaneStage};

use super::canvas::Canvas;
use super::lanes;
use super::view::{Caret, Scene};

/// The rule above the prompt bar. Where the panel does not show it, the oldest question stands here: a
/// key answers only what can be seen.
pub(super) fn rule(canvas: &mut Canvas<'_>, scene: &Scene<'_>) {
    let area = scene.areas.rule;
    canvas.clear(area, canvas.theme.base());
    canvas.rule(area.x, area.y, area.width);
    let border = canvas.theme.border();
    if scene.areas.hint.is_none() {
        if let Some(list) = scene.areas.lanes {
            canvas.styled(list.width, area.y, 1, "┴", border);
        }
        if let Some(panel) = scene.areas.panel.filter(|p| p.x != scene.areas.main.x) {
            canvas.styled(panel.x - 1, area.y, 1, "┴", border);
        }
    }
    if let Some(place) = scene.areas.hint {
        newcomer(canvas, scene, place);
    }
    let oldest = scene.state.pending_approvals().next();
    let tab = scene.areas.panel.is_some() && scene.window.panel.tab == Tab::Approvals;
    // A panel that is scrolled down to another question may not show the oldest.
    let shown = tab && oldest.map(|a| a.id) == scene.window.panel.chosen_approval(scene.state).map(|a| a.id);
    if let Some(approval) = oldest.filter(|_| !shown) {
        question(canvas, scene, approval, area);
        return;
    }
    let conflicts = scene.areas.panel.is_some() && scene.window.panel.tab == Tab::Conflicts;
    let lead = key_label(scene.state.settings.leader);
    if let Some(conflict) = scene.state.model.open_conflicts().next().filter(|_| !conflicts && !shown) {
        let name = scene.state.model.name(conflict.lane);
        let with = scene.state.model.met(conflict);
        let words = match conflict.kind {
            ConflictKind::Base => format!(" ▲ {with} was changed while {name} ran a call "),
            _ => format!(" ▲ {name} met a hold of {with} "),
        };
        let row = Row::new(Tone::Warn, &words).with(Tone::Accent, &format!(" {lead} c")).with(Tone::Dim, " decides ");
        canvas.row(2, area.y, area.width - 4, &row);
        return;
    }
    elsewhere(canvas, scene, area);
}

/// What the program of a lane that is not in focus asks: only there can it be answered.
fn elsewhere(canvas: &mut Canvas<'_>, scene: &Scene<'_>, area: Rect) {
    let mut others = scene.state.model.open_lanes().filter(|lane| scene.window.focus != Some(lane.id));
    let asks = others.find_map(|lane| Some((lane, lanes::question(scene, lane.id)?)));
    let Some((lane, question)) = asks else { return };
    let lead = key_label(scene.state.settings.leader);
    let number = scene.state.model.number(lane.id).filter(|number| *number <= 9);
    let key = number.map_or_else(|| "w".to_owned(), |number| number.to_string());
    let keys = Row::new(Tone::Accent, &format!(" {lead} {key}")).with(Tone::Dim, " goes there ");
    let ask = Row::new(Tone::Warn, &format!(" ▲ {}", lane.name))
        .with(Tone::Dim, " asks ")
        .with(Tone::Strong, &question)
        .with(Tone::Dim, " ");
    let wide = keys.width() as u16;
    let used = canvas.row(2, area.y, area.width.saturating_sub(wide + 4), &ask);
    canvas.row(2 + used, area.y, wide, &keys);
}

fn question(canvas: &mut Canvas<'_>, scene: &Scene<'_>, approval: &Approval, area: Rect) {
    let lead = key_label(scene.state.settings.leader);
    let (yes, no) = if scene.types_into_pane() {
        (format!("{lead} y"), format!("{lead} n"))
    } else {
        ("Alt-y".to_owned(), "Alt-n".to_owned())
    };
    let mut keys = Row::new(Tone::Accent, &format!(" {yes}"))
        .with(Tone::Dim, if approval.is_question() { " answer · " } else { " allow · " })
        .with(Tone::Accent, &no)
        .with(Tone::Dim, " deny ");
    if area.width >= 70 {
        keys = keys.with(Tone::Dim, "· ").with(Tone::Accent, &format!("{lead} a")).with(Tone::Dim, " view ");
    }
    let wide = keys.width() as u16;
    let name = scene.state.model.name(approval.lane);
    let two = match approval.needs {
        needs @ 2.. => format!("{} of {needs} ", approval.said_yes()),
        _ => String::new(),
    };
    let ask = Row::new(Tone::Warn, &format!(" ▲ {name}"))
        .with(Tone::Dim, &format!(" {} ", approval.tool))
        .with(Tone::Warn, &two)
        .with(Tone::Strong, &one_line(&approval.action))
        .with(Tone::Dim, " ");
    let room = area.width.saturating_sub(wide + 4);
    let used = canvas.row(2, area.y, room, &ask);
    canvas.row(2 + used, area.y, wide, &keys);
}

fn newcomer(canvas: &mut Canvas<'_>, scene: &Scene<'_>, area: Rect) {
    canvas.clear(area, canvas.theme.raised());
    let lead = key_label(scene.state.settings.leader);
    let count = hint_count(scene.window, &lead);
    let wide = width(&count) as u16 + 2;
    canvas.text(1, area.y, 2, "★ ", Tone::Accent);
    for (row, y) in hint_lines(scene.window, area.width).iter().zip(area.y..) {
        canvas.row(3, y, area.width.saturating_sub(4), row);
    }
    canvas.right(area.width - 1, area.y, wide, &count, Tone::Dim);
}

/// The last line: the next keys on the left, context and mode on the right.
pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>) {
    let area = scene.areas.status;
    canvas.clear(area, canvas.theme.base());
    let right = standing(scene);
    let wide = width(&right) as u16;
    let row = keys(scene);
    let room = area.width.saturating_sub(if wide > 0 { wide + 5 } else { 2 });
    draw_keys(canvas, 1, area.y, room, &row);
    canvas.right(area.width - 1, area.y, wide, &right, Tone::Dim);
}

/// Draws as many keys as fit whole.
fn draw_keys(canvas: &mut Canvas<'_>, x: u16, y: u16, room: u16, keys: &[(String, String)]) {
    let mut at = 0;
    for (i, (key, words)) in keys.iter().enumerate() {
        let gap = if i == 0 || at == 0 { "" } else { " · " };
        let need = (width(gap) + width(key) + usize::from(!words.is_empty()) + width(words)) as u16;
        if at + need > room {
            return;
        }
        at += canvas.text(x + at, y, room - at, gap, Tone::Dim);
        at += canvas.text(x + at, y, room - at, key, Tone::Accent);
        if !words.is_empty() {
            at += canvas.text(x + at, y, room - at, &format!(" {words}"), Tone::Dim);
        }
    }
}

fn keys(scene: &Scene<'_>) -> Vec<(String, String)> {
    let lead = key_label(scene.state.settings.leader);
    let pair = |key: &str, words: &str| (key.to_owned(), words.to_owned());
    let of = |table: &[Binding]| {
        table.iter().filter(|b| !b.words.is_empty()).map(|b| (key_label(b.key), b.words.to_owned())).collect::<Vec<_>>()
    };
    let window = scene.window;
    if window.leader {
        return vec![pair(&lead, "…"), pair("Esc", "prompt bar")];
    }
    let name = window.focus.map(|lane| scene.state.model.name(lane)).unwrap_or_default();
    match window.keyboard {
        Keyboard::Pane => vec![
            pair(&format!("typing into {name}"), ""),
            pair(&format!("{lead} Esc"), "prompt bar"),
            pair(&lead, "keys"),
        ],
        Keyboard::Ended => vec![pair(&format!("{name} has ended"), ""), pair("Esc", "prompt bar"), pair(&lead, "keys")],
        Keyboard::Panel => {
            if window.panel.tab.is_empty(scene.state) {
                return vec![pair("Esc", "back")];
            }
            // Keys that decide come first; everyone finds those that move.
            let (moves, mut decide): (Vec<_>, Vec<_>) =
                of(window.panel.tab.keys()).into_iter().partition(|(key, _)| matches!(key.as_str(), "j" | "k"));
            // Its row in the panel names it where it counts.
            decide.retain(|(key, _)| key != "Y");
            decide.extend(moves);
            decide
        }
        Keyboard::Scroll => scrolling(scene),
        Keyboard::Prompt if window.popup.is_some() => {
            vec![pair("Tab", "completes"), pair("↑ ↓", "choose"), pair("Enter", "sends"), pair("Esc", "hides")]
        }
        Keyboard::Prompt => at_rest(scene, &lead),
    }
}

/// The keys of scroll-back mode that come next. Its end stands first: it is what a newcomer looks for.
fn scrolling(scene: &Scene<'_>) -> Vec<(String, String)> {
    let pair = |key: &str, words: &str| (key.to_owned(), words.to_owned());
    let Some(mode) = &scene.window.scroll else { return Vec::new() };
    let name = match mode.mark {
        None => "SCROLL",
        Some((_, Extent::Chars)) => "SELECT",
        Some((_, Extent::Lines)) => "SELECT LINES",
        Some((_, Extent::Block)) => "SELECT BLOCK",
    };
    let mut keys = vec![pair(name, "")];
    if let Some(count) = mode.count {
        keys.push(pair(&count.to_string(), "…"));
    }
    if mode.mark.is_some() {
        keys.extend([pair("y", "copy"), pair("Esc", "unselect"), pair("o", "other end"), pair("v V Ctrl-V", "how")]);
        return keys;
    }
    let searched = !mode.search.is_off();
    keys.push(pair("Esc", "end"));
    if let Some(link) = mode.link() {
        keys.push(("Enter".to_owned(), format!("open {}", clip(&link.target, 32))));
    }
    if searched {
        keys.extend([pair("n", "next"), pair("N", "before")]);
    }
    let agent = scene.window.focus.and_then(|lane| scene.state.model.lanes.get(&lane));
    let folds = agent.is_some_and(|lane| matches!(lane.kind, LaneKind::Agent { .. }));
    keys.extend([pair("/", "search"), pair("v", "select"), pair("y", "copy line")]);
    if folds {
        keys.push(pair("o", if scene.window.folds.all { "close folds" } else { "open folds" }));
    }
    keys.extend([pair("O", "editor"), pair("g", "top"), pair("G", "end"), pair("j k Ctrl-U Ctrl-D", "move")]);
    keys
}

fn at_rest(scene: &Scene<'_>, lead: &str) -> Vec<(String, String)> {
    let pair = |key: &str, words: &str| (key.to_owned(), words.to_owned());
    let mut keys = vec![pair(lead, "keys")];
    if scene.state.pending_approvals().next().is_some() {
        keys.push(pair("Alt-y", "allow ▸"));
    }
    let lanes = scene.state.model.open_lanes().count();
    let focus = scene.window.focus.and_then(|lane| scene.state.model.lanes.get(&lane));
    if !scene.window.draft.is_empty() {
        keys.push(pair("Enter", "send"));
        keys.push(pair("Alt-Enter", "new line"));
    } else if focus.is_some_and(|l| {
        matches!(l.kind, LaneKind::Pane { .. }) && !matches!(l.stage, LaneStage::Ended | LaneStage::Failed)
    }) {
        keys.push(pair(&format!("{lead} i"), "type into the pane"));
    }
    match lanes {
        0 => keys.push(pair(&format!("{lead} N"), "new lane")),
        1 => {}
        _ => keys.push(pair("Alt-1…9", "lanes")),
    }
    keys.push(pair("Ctrl-P", "palette"));
    keys.push(pair(&format!("{lead} ?"), "help"));
    keys
}

/// `context 31 % · ask`; which match of a search the cursor stands on.
fn standing(scene: &Scene<'_>) -> String {
    if let Some(mode) = scene.window.scroll.as_ref().filter(|_| scene.window.keyboard == Keyboard::Scroll) {
        return if mode.search.is_off() { String::new() } else { mode.search.told(mode.stand.cursor) };
    }
    let Some(lane) = scene.window.focus.and_then(|lane| scene.state.model.lanes.get(&lane)) else {
        return String::new();
    };
    if matches!(lane.kind, LaneKind::Pane { .. }) {
        let used = scene.state.live(lane.id).and_then(|live| live.used);
        return used.map_or_else(String::new, |used| match used.window.filter(|window| *window > 0) {
            Some(window) => format!("context {} %", (used.context * 100 / window).min(100)),
            None => format!("context {} k", used.context.div_ceil(1000)),
        });
    }
    let mode = scene.state.mode(lane.id).word();
    let used = scene.state.live(lane.id).and_then(|l| l.usage).map(|u| u.input + u.output);
    let window = scene.state.provider_of(lane.id).and_then(|(provider, _)| {
        scene.state.settings.providers.iter().find(|p| p.name == provider).and_then(|p| p.context_window)
    });
    match (used, window) {
        (Some(used), Some(window)) if window > 0 => match (used * 100 / window).min(100) {
            0 => format!("context < 1 % · {mode}"),
            percent => format!("context {percent} % · {mode}"),
        },
        _ => mode.to_owned(),
    }
}

/// The line in which a search is typed, in the place of the status line. Where its cursor stands.
pub(super) fn search_line(canvas: &mut Canvas<'_>, scene: &Scene<'_>) -> Option<Caret> {
    let mode = scene.window.scroll.as_ref()?;
    let typing = mode.typing.as_ref()?;
    let area = scene.areas.status;
    canvas.clear(area, canvas.theme.base());
    let used = canvas.text(1, area.y, area.width, if typing.down { "search /" } else { "search ?" }, Tone::Accent);
    let x = 1 + used;
    let told = if mode.search.is_off() { String::new() } else { mode.search.told(mode.stand.cursor) + " · " };
    let right = format!("{told}Enter finds · Esc ends");
    let wide = width(&right) as u16 + 2;
    let view = typing.draft.view(area.width.saturating_sub(x + wide).max(4), 1);
    if let Some(row) = view.rows.first() {
        canvas.text(x, area.y, area.width.saturating_sub(x), &row.text, Tone::Text);
    }
    canvas.right(area.width - 1, area.y, area.width.saturating_sub(x + 6), &right, Tone::Dim);
    Some(Caret { at: (x + view.cursor.0, area.y), visible: true, shape: CursorShape::default() })
}

/// What may follow the leader, above the status line.
pub(super) fn which_key(canvas: &mut Canvas<'_>, scene: &Scene<'_>) {
    let hints = hint(scene.window).is_some();
    let shown: Vec<&Binding> =
        LEADER.iter().filter(|b| !b.words.is_empty() && (hints || b.deed != Deed::NextHint)).collect();
    let area = scene.areas.status;
    let room = usize::from(area.width) - 2;
    let wide = if area.width < 60 { 19 } else { 27 };
    let columns = (room / wide).clamp(1, 5);
    let rows = shown.len().div_ceil(columns).min(usize::from(area.y.saturating_sub(2))) as u16;
    let top = area.y - rows - 1;
    canvas.clear(Rect { x: 0, y: top, width: area.width, height: rows + 1 }, canvas.theme.base());
    canvas.rule(0, top, area.width);
    let lead = key_label(scene.state.settings.leader);
    canvas.text(2, top, area.width, &format!(" {lead} … "), Tone::Accent);
    for (i, binding) in shown.iter().enumerate() {
        let (column, row) = (i / usize::from(rows), i % usize::from(rows));
        if column >= columns {
            break;
        }
        let x = 2 + (column * (room / columns)) as u16;
        let y = top + 1 + row as u16;
        let label =
            if matches!(binding.deed, Deed::FocusNumber(_)) { "1…9".to_owned() } else { key_label(binding.key) };
        let words = if matches!(binding.deed, Deed::FocusNumber(_)) { "focus a lane" } else { binding.words };
        canvas.text(x, y, 4, &label, Tone::Accent);
        canvas.text(x + 4, y, (wide - 5) as u16, words, Tone::Text);
    }
}
