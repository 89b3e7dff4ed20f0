//! Panes: colours, cursor, wide glyphs at the edge, and who gets the keys.

use std::num::NonZeroU16;
use std::sync::Arc;

use paralane::domain::{
    Cell, CellStyle, Cells, Colour, CursorShape, LaneId, LinkId, PaneFrame, PaneModes, Size, Underline,
};
use paralane::ui::Surface;
use ratatui::buffer::CellDiffOption;
use ratatui::style::{Color, Modifier};

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
        links: Vec::new(),
        cells: Cells::new(columns, &cells),
        cursor: (2, 3),
        cursor_visible: true,
        cursor_shape: CursorShape(6),
        modes: PaneModes::default(),
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
    let (surface, _) = scene.draw("paralane-dark");
    snap_text("pane.style", &styles(surface.buffer()));
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

/// A picture of one row, a cell for each text and style; a second one for what is wide.
fn cells(columns: u16, row: &[(&str, bool, CellStyle)]) -> PaneFrame {
    let mut frame = picture(columns, 4, &[]);
    let mut cells: Vec<Cell> = frame.cells.iter().cloned().collect();
    let mut at = 0;
    for (text, wide, style) in row {
        cells[at] = Cell { text: (*text).into(), style: *style, continuation: false };
        if *wide {
            at += 1;
            cells[at] = Cell { text: "".into(), style: *style, continuation: true };
        }
        at += 1;
    }
    frame.cells = Cells::new(columns, &cells);
    frame
}

/// Where the letter stands in the window.
fn find(surface: &Surface, letter: &str) -> (u16, u16) {
    let area = surface.buffer().area;
    area.positions().map(|at| (at.x, at.y)).find(|at| surface.buffer()[*at].symbol() == letter).unwrap()
}

#[test]
fn underlines_links_and_hidden_text_are_drawn_alone_and_in_the_grid() {
    let plain = CellStyle::default();
    let curly =
        CellStyle { underline: Underline::Curly, underline_colour: Colour::Rgb(250, 1, 2), ..CellStyle::default() };
    let link = CellStyle { link: Some(LinkId(1)), strikethrough: true, ..plain };
    let nowhere = CellStyle { link: Some(LinkId(7)), ..plain };
    let hidden = CellStyle { hidden: true, underline: Underline::Single, background: Colour::Indexed(4), ..plain };
    let mut frame = cells(
        54,
        &[("Ц", false, curly), ("Ъ", false, link), ("Э", false, nowhere), ("Ю", false, hidden), ("秘", true, hidden)],
    );
    frame.links = vec!["x:0".into(), "https://example.org/ü".into()];
    for grid in [false, true] {
        let mut scene = Scene::new();
        let lane = scene.pane("sh", &["bash"]);
        scene.frames.insert(lane, Arc::new(frame.clone()));
        scene.window().grid = grid;
        let (surface, _) = scene.draw("paralane-dark");
        let (x, y) = find(&surface, "Ц");
        let extra = surface.extra(x, y).unwrap();
        assert_eq!((extra.underline, extra.colour), (Underline::Curly, Some(Color::Rgb(250, 1, 2))));
        assert!(surface.buffer()[(x, y)].modifier.contains(Modifier::UNDERLINED));
        let (x, y) = find(&surface, "Ъ");
        let target = surface.extra(x, y).and_then(|extra| extra.link.as_ref()).map(|link| link.target().to_owned());
        assert_eq!(target.as_deref(), Some("https://example.org/%C3%BC"));
        assert!(surface.buffer()[(x, y)].modifier.contains(Modifier::CROSSED_OUT));
        let (x, y) = find(&surface, "Э");
        assert_eq!(surface.extra(x, y).and_then(|extra| extra.link.as_ref()), None);
        for x in x + 1..x + 4 {
            let cell = &surface.buffer()[(x, y)];
            assert_eq!((cell.symbol(), cell.bg, cell.modifier), (" ", Color::Indexed(4), Modifier::empty()));
        }
    }
}

/// What stands over a pane has nothing of the cells below it.
#[test]
fn what_is_drawn_over_a_pane_takes_its_links_away_and_halves_no_glyph() {
    let link = CellStyle { link: Some(LinkId(0)), ..CellStyle::default() };
    for shift in [false, true] {
        let mut scene = Scene::new();
        let lane = scene.pane("sh", &["bash"]);
        let mut line = if shift { vec![("x", false, link)] } else { Vec::new() };
        line.extend([("漢", true, link); 26]);
        let row = cells(54, &line);
        let mut frame = picture(54, 33, &[]);
        let row: Vec<Cell> = row.cells.iter().take(54).cloned().collect();
        frame.cells = Cells::new(54, &vec![row; 33].concat());
        frame.links = vec!["a:b".into()];
        scene.frames.insert(lane, Arc::new(frame));
        let (surface, _) = scene.draw("paralane-dark");
        let (x, y) = find(&surface, "漢");
        assert!(surface.extra(x, y).is_some());
        scene.lead('?');
        let (surface, _) = scene.draw("paralane-dark");
        let text = scene.text();
        let corner = text.lines().find(|line| line.contains('╭')).unwrap();
        assert!(corner.contains('╮'), "{corner}");
        let area = surface.buffer().area;
        let (left, top) = find(&surface, "╭");
        let (right, bottom) = find(&surface, "╯");
        for at in area.positions().filter(|at| (left..=right).contains(&at.x) && (top..=bottom).contains(&at.y)) {
            assert_eq!(surface.extra(at.x, at.y), None, "{at:?}");
            assert_ne!(surface.buffer()[at].symbol(), "漢");
        }
        if left > 0 {
            assert!((top..=bottom).all(|y| surface.buffer()[(left - 1, y)].symbol() != "漢"));
        }
    }
}

/// Field cases C01 and C02: what the pane's model gives a cluster is what it takes, whatever a table says.
#[test]
fn clusters_keep_the_room_that_the_pane_gave_them() {
    let mut scene = Scene::new();
    let lane = scene.pane("sh", &["bash"]);
    let plain = CellStyle::default();
    let row = [
        ("➡️", true, plain),
        ("a", false, plain),
        ("🇧🇷", true, plain),
        ("✈", true, plain),
        ("👨‍👩‍👧", true, plain),
        ("🏴", false, plain),
        ("Ж", false, plain),
    ];
    scene.frames.insert(lane, Arc::new(cells(54, &row)));
    let (surface, _) = scene.draw("paralane-dark");
    let (x, y) = find(&surface, "Ж");
    let (start, _) = find(&surface, "➡️");
    assert_eq!(x - start, 10);
    let forced = |at: u16| surface.buffer()[(start + at, y)].diff_option;
    let width = |columns| CellDiffOption::ForcedWidth(NonZeroU16::new(columns).unwrap());
    assert_eq!([forced(0), forced(3), forced(7)], [CellDiffOption::None; 3]);
    assert_eq!([forced(5), forced(9)], [width(2), width(1)]);
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
fn an_ended_program_keeps_its_last_lines_and_the_keys_away_from_the_prompt() {
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
