//! Dialogs with fields: a new lane, one text, the guided set-up.

use crate::app::window::text::{Row, Run, Tone, clean, wrap};
use crate::app::window::{Ask, Draft, LaneForm, Purpose, Rect, Setup, SetupStep};
use crate::base::Report;
use crate::domain::CursorShape;

use super::frame;
use crate::ui::canvas::Canvas;
use crate::ui::view::{Caret, Scene};

pub(super) fn ask(canvas: &mut Canvas<'_>, scene: &Scene<'_>, ask: &Ask) -> Caret {
    let high = if matches!(ask.purpose, Purpose::Deny(_)) { 6 } else { 14 };
    let keys = [("Enter", ask.verb()), ("Alt-Enter", "new line"), ("Esc", "back")];
    let inside = frame(canvas, scene, (76, high), &ask.title(), &keys);
    // The question above the answer, as far as it leaves room for one.
    let lines = ask.question.iter().flat_map(|line| {
        let tone = if line.starts_with("  ") { Tone::Text } else { Tone::Strong };
        wrap(&[Run::new(tone, clean(line).into_owned())], usize::from(inside.width))
    });
    let mut top = inside.y + 1;
    for row in lines.take(usize::from(inside.height.saturating_sub(5))) {
        canvas.row(inside.x, top, inside.width, &row);
        top += 1;
    }
    top += u16::from(!ask.question.is_empty());
    let used = top - inside.y;
    let body = Rect {
        y: top,
        height: inside.height.saturating_sub(if ask.error.is_some() { used + 2 } else { used }),
        ..inside
    };
    let view = ask.draft.view(body.width, body.height);
    for (row, y) in view.rows.iter().zip(body.y..) {
        canvas.text(body.x, y, body.width, &row.text, Tone::Text);
    }
    if let Some(error) = &ask.error {
        canvas.text(inside.x, inside.y + inside.height - 1, inside.width, &format!("✗ {error}"), Tone::Bad);
    }
    Caret { at: (body.x + view.cursor.0, body.y + view.cursor.1), visible: true, shape: CursorShape::default() }
}

pub(super) fn new_lane(canvas: &mut Canvas<'_>, scene: &Scene<'_>, form: &LaneForm) -> Option<Caret> {
    let keys = [("Enter", "make it"), ("Tab", "next field"), ("Esc", "back")];
    let inside = frame(canvas, scene, (62, 9), "new lane", &keys);
    let (x, y) = (inside.x, inside.y + 1);
    let label = |canvas: &mut Canvas<'_>, row: u16, text: &str, field: usize| {
        let tone = if form.field == field { Tone::Accent } else { Tone::Dim };
        canvas.text(x, y + row, 1, if form.field == field { "▸" } else { " " }, Tone::Accent);
        canvas.text(x + 2, y + row, 10, text, tone);
    };
    label(canvas, 0, "name", 0);
    label(canvas, 2, "runs", 1);
    let choice = |on: bool| if on { ("(•) ", Tone::Strong) } else { ("( ) ", Tone::Dim) };
    let (mark, tone) = choice(!form.pane);
    let used = canvas.text(x + 12, y + 2, inside.width, &format!("{mark}our own agent"), tone);
    let (mark, tone) = choice(form.pane);
    canvas.text(x + 12 + used + 3, y + 2, inside.width.saturating_sub(used + 15), &format!("{mark}a command"), tone);
    let mut caret = field(canvas, &form.name, x + 12, y, inside, form.field == 0);
    if form.pane {
        label(canvas, 4, "command", 2);
        caret = field(canvas, &form.command, x + 12, y + 4, inside, form.field == 2).or(caret);
    } else if form.field == 1 {
        canvas.text(x + 12, y + 3, inside.width.saturating_sub(12), "Space changes it", Tone::Dim);
    }
    let base = scene.state.base();
    let sha = base.sha.get(..7).unwrap_or(&base.sha);
    let name = form.name.text();
    let name = if name.trim().is_empty() { "NAME" } else { name.trim() };
    canvas.text(x + 2, y + 6, inside.width, &format!("branch lane/{name} from {} {sha}", base.name), Tone::Dim);
    if let Some(error) = &form.error {
        canvas.text(x + 2, y + 7, inside.width, &format!("✗ {error}"), Tone::Bad);
    }
    caret
}

/// A field of one line; its cursor if it is edited.
fn field(canvas: &mut Canvas<'_>, draft: &Draft, x: u16, y: u16, inside: Rect, edited: bool) -> Option<Caret> {
    let room = (inside.x + inside.width).saturating_sub(x);
    let view = draft.view(room.saturating_sub(1), 1);
    canvas.tint(Rect { x, y, width: room, height: 1 }, canvas.theme.raised());
    if let Some(row) = view.rows.first() {
        canvas.text(x, y, room, &row.text, Tone::Strong);
    }
    edited.then(|| Caret { at: (x + view.cursor.0, y), visible: true, shape: CursorShape::default() })
}

pub(super) fn setup(canvas: &mut Canvas<'_>, scene: &Scene<'_>, setup: &Setup) -> Option<Caret> {
    let keys: &[(&str, &str)] = match setup.step {
        SetupStep::Url | SetupStep::KeyName => &[("Enter", "go on"), ("Esc", "skip set-up")],
        SetupStep::Asking | SetupStep::Saving => &[("Esc", "skip set-up")],
        SetupStep::Model => {
            &[("Enter", "use this model"), ("↑ ↓", "choose"), ("Backspace", "other server"), ("Esc", "skip")]
        }
    };
    let inside = frame(canvas, scene, (70, 14), "welcome: which model server?", keys);
    let (x, y) = (inside.x, inside.y + 1);
    let words = "Paralane's own agents need an OpenAI-compatible server. Programs in panes need none.";
    for (row, y) in wrap(&[Run::new(Tone::Dim, words.to_owned())], usize::from(inside.width)).iter().zip(y..) {
        canvas.row(x, y, inside.width, row);
    }
    let y = y + 3;
    let done = |step: SetupStep| setup.step as usize > step as usize;
    let label = |canvas: &mut Canvas<'_>, y: u16, step: SetupStep, text: &str| {
        let (mark, tone) = if setup.step == step {
            ("▸", Tone::Accent)
        } else if done(step) {
            ("✓", Tone::Good)
        } else {
            (" ", Tone::Dim)
        };
        canvas.text(x, y, 1, mark, tone);
        canvas.text(x + 2, y, 14, text, if setup.step == step { Tone::Accent } else { Tone::Dim });
    };
    label(canvas, y, SetupStep::Url, "address");
    let mut caret = field(canvas, &setup.url, x + 16, y, inside, setup.step == SetupStep::Url);
    if setup.step == SetupStep::Url && setup.error.is_none() {
        canvas.text(x + 16, y + 1, inside.width, "type another over it; most end in /v1", Tone::Dim);
    }
    label(canvas, y + 2, SetupStep::KeyName, "key variable");
    caret = field(canvas, &setup.key_name, x + 16, y + 2, inside, setup.step == SetupStep::KeyName).or(caret);
    if done(SetupStep::KeyName) && setup.key_name.is_empty() {
        canvas.text(x + 16, y + 2, inside.width, "none", Tone::Dim);
    }
    if setup.step == SetupStep::KeyName {
        canvas.text(x + 16, y + 3, inside.width, "the variable's name, never the key; empty for none", Tone::Dim);
    }
    let below = Rect { y: y + 4, height: (inside.y + inside.height).saturating_sub(y + 4), ..inside };
    match setup.step {
        SetupStep::Asking => {
            canvas.text(x + 2, below.y, inside.width, "asking the server for its models…", Tone::Text);
        }
        SetupStep::Saving => {
            canvas.text(x + 2, below.y, inside.width, "saving…", Tone::Text);
        }
        SetupStep::Model => models(canvas, setup, below),
        SetupStep::Url | SetupStep::KeyName => {}
    }
    if let Some(error) = &setup.error {
        trouble(canvas, error, below);
    }
    caret
}

fn models(canvas: &mut Canvas<'_>, setup: &Setup, area: Rect) {
    canvas.text(area.x, area.y, 1, "▸", Tone::Accent);
    canvas.text(area.x + 2, area.y, 14, "model", Tone::Accent);
    let room = usize::from(area.height).max(1);
    let first = (setup.chosen + 1).saturating_sub(room);
    for ((at, model), y) in setup.models.iter().enumerate().skip(first).take(room).zip(area.y..) {
        let on = at == setup.chosen;
        if on {
            canvas.tint(Rect { x: area.x + 15, y, width: area.width - 15, height: 1 }, canvas.theme.selection());
        }
        canvas.text(area.x + 16, y, area.width - 24, model, if on { Tone::Accent } else { Tone::Text });
    }
    if setup.models.len() > room {
        canvas.right(
            area.x + area.width - 1,
            area.y,
            12,
            &format!("{} of {}", setup.chosen + 1, setup.models.len()),
            Tone::Dim,
        );
    }
}

fn trouble(canvas: &mut Canvas<'_>, report: &Report, area: Rect) {
    let mut rows: Vec<Row> =
        wrap(&[Run::new(Tone::Bad, format!("✗ {}", clean(&report.message)))], usize::from(area.width));
    for hint in &report.hints {
        rows.extend(wrap(&[Run::new(Tone::Text, format!("→ {}", clean(hint)))], usize::from(area.width)));
    }
    for (row, y) in rows.iter().zip(area.y..area.y + area.height) {
        canvas.row(area.x, y, area.width, row);
    }
}
