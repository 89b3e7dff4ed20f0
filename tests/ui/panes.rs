//! Panes: colours, cursor, wide glyphs at the edge, and who gets the keys.

use std::sync::Arc;

use paralane::domain::{Cell, CellStyle, Colour, CursorShape, LaneId, PaneFrame, PaneModes, Size};

use crate::support::{Scene, snap_text, styles};

/// A picture with these lines and one style a line.
pub fn picture(columns: u16, rows: u16, lines: &[(&str, CellStyle)]) -> PaneFrame {
    use unicode_width::UnicodeWidthStr;
    let mut cells = vec![Cell::default(); usize::from(columns) * usize::from(rows)];
    for (y, (line, style)) in lines.iter().enumerate() {
        let mut x = 0;
        for c in line.chars() {
            let text = c.to_string();
            let wide = text.width();
            if x + wide > usize::from(columns) {
                break;
            }
            let at = y * usize::from(columns) + x;
            cells[at] = Cell { text: text.into(), style: *style, continuation: false };
            if wide == 2 {
                cells[at + 1] = Cell { text: "".into(), style: *style, continuation: true };
            }
            x += wide;
        }
    }
    PaneFrame {
        size: Size { columns, rows },
        cells,
        cursor: (2, 3),
        cursor_visible: true,
        cursor_shape: CursorShape(6),
        modes: PaneModes::default(),
        scrolled: 0,
    }
}

fn shell(columns: u16, rows: u16) -> (Scene, LaneId) {
    let mut scene = Scene::new();
    let lane = scene.pane("sh", &["bash", "-l"]);
    scene.live(lane).pane_running = true;
    scene.live(lane).pane.ready = true;
    let plain = CellStyle::default();
    let red = CellStyle { foreground: Colour::Indexed(1), bold: true, ..plain };
    let blue = CellStyle { background: Colour::Rgb(10, 20, 200), inverse: true, ..plain };
    let frame = picture(columns, rows, &[("$ ls 漢字", plain), ("error: no", red), ("selected", blue), ("$ ", plain)]);
    scene.frames.insert(lane, Arc::new(frame));
    (scene, lane)
}

#[test]
fn a_pane_with_colours() {
    let (mut scene, _) = shell(54, 33);
    scene.snap("pane");
    scene.lead('i');
    scene.snap("pane-typing");
    scene.resize(80, 24);
    let (buffer, _) = scene.draw("paralane-dark");
    snap_text("pane.style", &styles(&buffer));
}

#[test]
fn the_cursor_stands_where_the_program_put_it_even_hidden() {
    let (mut scene, lane) = shell(54, 33);
    scene.lead('i');
    scene.resize(120, 40);
    let (_, caret) = scene.draw("paralane-dark");
    let caret = caret.unwrap();
    assert_eq!((caret.at, caret.visible, caret.shape), ((23 + 2, 4 + 3), true, CursorShape(6)));
    let mut frame = (*scene.frames[&lane]).clone();
    frame.cursor_visible = false;
    scene.frames.insert(lane, Arc::new(frame));
    let (_, caret) = scene.draw("paralane-dark");
    assert_eq!(caret.map(|c| (c.at, c.visible)), Some(((25, 7), false)));
}

#[test]
fn a_wide_glyph_is_never_cut_in_half() {
    let mut scene = Scene::new();
    let lane = scene.pane("sh", &["bash"]);
    let frame = picture(100, 33, &[("漢".repeat(50).as_str(), CellStyle::default())]);
    scene.frames.insert(lane, Arc::new(frame));
    scene.resize(120, 40);
    let text = scene.text();
    let row = text.lines().nth(4).unwrap();
    // The list is 22 wide, the main area 54: the rules stay in their columns.
    let rule = |line: &str| unicode_width::UnicodeWidthStr::width(&line[..line.rfind('│').unwrap()]);
    assert_eq!(rule(row), 77, "{row}");
}

#[test]
fn an_ended_program_says_how_to_go_on() {
    let mut scene = Scene::new();
    let lane = scene.pane("sh", &["bash"]);
    scene.lane(lane).stage = paralane::domain::LaneStage::Ended;
    scene.lane(lane).error = Some("exit 1".into());
    scene.snap_at("pane-ended", 120, 40);
}

#[test]
fn an_ended_program_keeps_its_last_lines_and_gives_the_keys_back() {
    let mut scene = Scene::new();
    let lane = scene.pane("sh", &["bash"]);
    let lines: Vec<String> = (1..=17).map(|n| format!("line {n}")).collect();
    let lines: Vec<(&str, CellStyle)> = lines.iter().map(|line| (line.as_str(), CellStyle::default())).collect();
    scene.frames.insert(lane, Arc::new(picture(57, 17, &lines)));
    scene.resize(80, 24);
    scene.lead('i');
    assert!(scene.text().contains("typing into sh"));
    scene.lane(lane).stage = paralane::domain::LaneStage::Ended;
    scene.lane(lane).error = Some("exited with status 3".into());
    let text = scene.text();
    assert!(text.contains("line 17") && text.contains("ended: exit 3") && !text.contains("line 2\n"), "{text}");
    assert!(!text.contains("typing into sh"));
    scene.lead('i');
    assert!(scene.text().contains("/lane restart sh"));
    scene.window().toast = None;
    scene.snap_at("pane-ended-screen", 80, 24);
}

#[test]
fn panes_are_told_the_size_they_have() {
    let (mut scene, lane) = shell(10, 10);
    let size = |scene: &mut Scene, columns, rows| {
        scene.resize(columns, rows);
        paralane::app::window::visible_panes(&scene.state, crate::support::WINDOW)
    };
    assert_eq!(size(&mut scene, 120, 40), [(lane, Size { columns: 54, rows: 33 })]);
    assert_eq!(size(&mut scene, 80, 24), [(lane, Size { columns: 57, rows: 17 })]);
    assert_eq!(size(&mut scene, 60, 24), [(lane, Size { columns: 60, rows: 17 })]);
    assert_eq!(size(&mut scene, 20, 5), []);
    // A long draft covers the pane and leaves its size alone.
    scene.window().draft.set("a\nb\nc\nd");
    assert_eq!(size(&mut scene, 120, 40), [(lane, Size { columns: 54, rows: 33 })]);
}
