//! Scrolling back: what stands on the screen does not move, and vi keys, search and copying work.

use std::sync::Arc;

use paralane::app::window::{self, Keyboard, WindowAction, WindowState, pane_text, pane_texts, unwanted_mouse};
use paralane::base::Report;
use paralane::command::Invocation;
use paralane::domain::{
    CellStyle, Colour, InputEvent, Key, KeyCode, LaneId, Line, Modifiers, MouseButton, MouseEvent, MouseKind, PaneText,
    Run, WindowId,
};

use crate::panes::picture;
use crate::support::{Scene, WINDOW, snap_text, styles};

fn long() -> (Scene, LaneId) {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    for i in 1..=200 {
        scene.answered(lane, &format!("answer {i} says something"));
    }
    scene.resize(120, 40);
    (scene, lane)
}

/// The transcript's rows on the screen.
fn rows(scene: &mut Scene) -> Vec<String> {
    let text = scene.text();
    text.lines().skip(5).take(32).map(|line| line.split('│').nth(1).unwrap_or("").trim().to_owned()).collect()
}

#[test]
fn while_scrolled_back_new_lines_do_not_move_the_view() {
    let (mut scene, lane) = long();
    assert!(rows(&mut scene).contains(&"answer 200 says something".to_owned()));
    scene.code(KeyCode::PageUp);
    let before = rows(&mut scene);
    assert!(!before.contains(&"answer 200 says something".to_owned()));
    for i in 201..=300 {
        scene.answered(lane, &format!("answer {i} says something"));
    }
    scene.live(lane).feed.answer = "and more\nand more".into();
    assert_eq!(rows(&mut scene), before);
    scene.code(KeyCode::Esc);
    assert!(rows(&mut scene).contains(&"answer 300 says something".to_owned()));
}

#[test]
fn pages_down_end_at_the_end() {
    let (mut scene, _) = long();
    let end = rows(&mut scene);
    scene.code(KeyCode::PageUp);
    scene.code(KeyCode::PageUp);
    scene.code(KeyCode::PageDown);
    scene.code(KeyCode::PageDown);
    assert_eq!(rows(&mut scene), end);
    assert!(scene.window().scrolled.is_empty(), "at the end the view follows again");
}

#[test]
fn vi_keys_search_and_copy() {
    let (mut scene, _) = long();
    scene.lead('[');
    scene.snap_at("scroll-mode", 120, 40);
    scene.type_text("/answer 77 ");
    scene.code(KeyCode::Enter);
    let found = rows(&mut scene);
    assert!(
        found.contains(&"▌  answer 77 says something".to_owned())
            || found.iter().any(|r| r.ends_with("answer 77 says something"))
    );
    assert_eq!(scene.type_text("y"), [WindowAction::Copy("answer 77 says something\n".into())]);
    scene.type_text("Vkk");
    scene.snap_at("scroll-selection", 120, 40);
    let copied = scene.type_text("y");
    assert_eq!(copied, [WindowAction::Copy("answer 76 says something\n\nanswer 77 says something\n".into())]);
    scene.type_text("g");
    assert!(rows(&mut scene)[0].ends_with("answer 1 says something"));
    scene.key(Key::ctrl('d'));
    scene.type_text("G");
    assert!(rows(&mut scene)[31].ends_with("answer 200 says something"));
    scene.code(KeyCode::Esc);
    assert!(scene.window().scroll.is_none());
}

#[test]
fn leader_slash_opens_the_search() {
    let (mut scene, _) = long();
    scene.lead('/');
    scene.type_text("answer 5");
    scene.snap_at("scroll-search", 120, 40);
}

/// A pane whose program has written this, with its text come for scroll-back mode.
fn pane(lines: &[&str], screen: u64) -> (Scene, LaneId) {
    let mut scene = Scene::new();
    let lane = scene.pane("sh", &["bash", "-l"]);
    scene.live(lane).pane_running = true;
    scene.live(lane).pane.ready = true;
    let plain = CellStyle::default();
    let mut rows: Vec<String> = Vec::new();
    for line in &lines[screen as usize..] {
        rows.push(String::new());
        for c in line.chars() {
            let row = rows.last_mut().unwrap();
            if unicode_width::UnicodeWidthStr::width(format!("{row}{c}").as_str()) > 54 {
                rows.push(c.to_string());
            } else {
                row.push(c);
            }
        }
    }
    let shown: Vec<(&str, CellStyle)> = rows.iter().map(|row| (row.as_str(), plain)).collect();
    scene.frames.insert(lane, Arc::new(picture(54, 33, &shown)));
    scene.resize(120, 40);
    (scene, lane)
}

fn text(lines: &[&str], screen: u64) -> PaneText {
    let red = CellStyle { foreground: Colour::Indexed(1), bold: true, ..CellStyle::default() };
    let blue = CellStyle { background: Colour::Rgb(10, 20, 200), inverse: true, ..CellStyle::default() };
    let line = |text: &&str| {
        let styled = |length, style| vec![Run { length, style }];
        let runs = match *text {
            text if text.starts_with("error") => styled(text.len(), red),
            text if text.starts_with("selected") => styled(text.len(), blue),
            _ => Vec::new(),
        };
        Arc::new(Line { text: (*text).to_owned(), runs })
    };
    PaneText::new(1_000, lines.iter().map(line).collect(), Vec::new(), 1_000 + screen)
}

fn shown() -> (Vec<String>, u64) {
    let mut lines: Vec<String> = (1..=1_500).map(|n| format!("line {n} of the build")).collect();
    lines.push("error: no such route".into());
    lines.push("selected ground".into());
    lines.push(format!("see https://example.com/{}end for 漢字 and more.", "a/long/path/".repeat(6)));
    lines.extend((1..=12).map(|n| format!("after {n}")));
    lines.push("$ ".into());
    let screen = lines.len() as u64 - 31;
    (lines, screen)
}

/// The same, scrolling: the text was asked for and has come.
fn scrolling(keys: &str) -> (Scene, LaneId) {
    let (lines, screen) = shown();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (mut scene, lane) = pane(&lines, screen);
    assert_eq!(scene.lead('['), [WindowAction::PaneText(lane)]);
    assert!(scene.type_text(keys).is_empty(), "what is typed waits for the text");
    pane_text(&mut scene.state, WINDOW, lane, Ok(text(&lines, screen)));
    (scene, lane)
}

#[test]
fn a_pane_is_scrolled_through_its_frozen_text() {
    let (mut scene, lane) = scrolling("");
    let live = pane(&shown().0.iter().map(String::as_str).collect::<Vec<_>>(), shown().1).0.text();
    let body = |text: &str| text.lines().skip(4).take(33).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(body(&scene.text()), body(&live), "nothing moves when the mode begins");
    scene.key(Key::ctrl('u'));
    scene.frames.insert(lane, Arc::new(picture(54, 33, &[("something new", CellStyle::default())])));
    assert!(!scene.text().contains("something new"), "the view is frozen");
    for (columns, rows) in [(80, 24), (120, 40), (200, 50)] {
        let (mut scene, _) = scrolling("kkkkkkkkkk");
        scene.resize(columns, rows);
        scene.type_text("/li");
        snap_text(&format!("scroll-pane-search.{columns}x{rows}"), &scene.text());
        scene.type_text("ne 14");
        scene.code(KeyCode::Enter);
        scene.type_text("gVjjjjw");
        snap_text(&format!("scroll-pane-select.{columns}x{rows}"), &scene.text());
    }
    scene.code(KeyCode::Esc);
    assert!(scene.window().scroll.is_none());
    assert!(scene.text().contains("something new"));
}

#[test]
fn what_is_found_selected_and_linked_can_be_told_apart() {
    for theme in ["paralane-dark", "paralane-light"] {
        let (mut scene, _) = scrolling("?error");
        scene.code(KeyCode::Enter);
        scene.type_text("/a/l");
        scene.code(KeyCode::Enter);
        let (buffer, _) = scene.draw(theme);
        snap_text(&format!("scroll-pane.style.{theme}"), &styles(buffer.buffer()));
        scene.type_text("kkv3j");
        let (buffer, _) = scene.draw(theme);
        snap_text(&format!("scroll-pane-select.style.{theme}"), &styles(buffer.buffer()));
    }
}

#[test]
fn a_wrapped_address_is_opened_and_copied_whole() {
    let (mut scene, _) = scrolling("?https");
    scene.code(KeyCode::Enter);
    let whole = format!("https://example.com/{}end", "a/long/path/".repeat(6));
    assert!(scene.text().contains("Enter open https://example.com/"));
    assert_eq!(scene.code(KeyCode::Enter), [WindowAction::Open(whole.clone())]);
    assert_eq!(scene.type_text("vEy"), [WindowAction::Copy(whole)]);
}

fn at(kind: MouseKind, column: u16, row: u16) -> InputEvent {
    InputEvent::Mouse(MouseEvent { kind, column, row, modifiers: Modifiers::NONE })
}

/// The mouse in a pane whose program does not want it: given back as it came, and the text if it is asked for.
fn give_back(scene: &mut Scene, lane: LaneId, kind: MouseKind, column: u16, row: u16) -> Vec<WindowAction> {
    let actions = scene.event(at(kind, column, row));
    let given: Vec<MouseEvent> = actions
        .iter()
        .filter_map(|action| if let WindowAction::PaneMouse(_, event) = action { Some(*event) } else { None })
        .collect();
    let mut out: Vec<WindowAction> =
        given.iter().flat_map(|event| unwanted_mouse(&mut scene.state, WINDOW, lane, *event)).collect();
    if out.contains(&WindowAction::PaneText(lane)) {
        let (lines, screen) = shown();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        out = pane_text(&mut scene.state, WINDOW, lane, Ok(text(&lines, screen)));
    }
    if given.is_empty() { actions } else { out }
}

#[test]
fn a_drag_in_a_pane_selects_copies_and_ends() {
    let left = MouseButton::Left;
    let (lines, screen) = shown();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (mut scene, lane) = pane(&lines, screen);
    // The pane's first cell stands at 23,4.
    give_back(&mut scene, lane, MouseKind::Down(left), 23 + 5, 4 + 2);
    assert_eq!(scene.window().keyboard, Keyboard::Pane, "a click types into the pane");
    give_back(&mut scene, lane, MouseKind::Drag(left), 23 + 9, 4 + 3);
    assert!(scene.window().scroll.is_some());
    // The border and the panel are never selected; the mode follows the mouse there all the same.
    scene.event(at(MouseKind::Drag(left), 119, 4 + 3));
    let copied = scene.event(at(MouseKind::Up(left), 119, 4 + 3));
    assert_eq!(copied, [WindowAction::Copy("1488 of the build\nline 1489 of the build".into())]);
    assert!(scene.window().scroll.is_none() && scene.window().keyboard == Keyboard::Pane);
    assert!(scene.text().contains("copied 2 lines"));
}

#[test]
fn a_drag_belongs_to_the_program_that_took_the_press() {
    let left = MouseButton::Left;
    let (lines, screen) = shown();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (mut scene, lane) = pane(&lines, screen);
    scene.event(at(MouseKind::Down(left), 23 + 5, 4 + 2));
    // It asked for presses and releases alone.
    assert_eq!(give_back(&mut scene, lane, MouseKind::Drag(left), 23 + 9, 4 + 3), []);
    assert!(scene.window().scroll.is_none());
    let released = scene.event(at(MouseKind::Up(left), 23 + 9, 4 + 3));
    assert!(matches!(released[..], [WindowAction::PaneMouse(..)]), "{released:?}");
}

#[test]
fn clicks_in_quick_succession_select_a_word_and_a_line() {
    let left = MouseButton::Left;
    let (lines, screen) = shown();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (mut scene, lane) = pane(&lines, screen);
    let mut copied = Vec::new();
    for _ in 0..3 {
        give_back(&mut scene, lane, MouseKind::Down(left), 23 + 6, 4);
        let released = give_back(&mut scene, lane, MouseKind::Up(left), 23 + 6, 4);
        copied.extend(released.into_iter().filter(|action| matches!(action, WindowAction::Copy(_))));
    }
    assert_eq!(copied, [WindowAction::Copy("1486".into()), WindowAction::Copy("line 1486 of the build\n".into())]);
}

#[test]
fn the_wheel_begins_the_mode_and_ends_it_at_the_end() {
    let (lines, screen) = shown();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (mut scene, lane) = pane(&lines, screen);
    scene.lead('i');
    give_back(&mut scene, lane, MouseKind::WheelDown, 30, 10);
    assert!(scene.window().scroll.is_none());
    give_back(&mut scene, lane, MouseKind::WheelUp, 30, 10);
    assert!(scene.text().contains("scroll-back · 3 lines back"));
    give_back(&mut scene, lane, MouseKind::WheelDown, 30, 10);
    assert!(scene.text().contains("scroll-back · at the end"));
    let told = give_back(&mut scene, lane, MouseKind::WheelDown, 30, 10);
    assert_eq!(told, []);
    assert_eq!(scene.window().keyboard, Keyboard::Pane, "who typed into the pane types into it again");
}

#[test]
fn windows_scroll_each_for_itself() {
    let (mut scene, lane) = scrolling("");
    let hello = scene.window().hello.clone();
    let other = WindowId(2);
    let mut second = WindowState::new(hello);
    second.focus = Some(lane);
    scene.state.windows.insert(other, second);
    scene.key(Key::ctrl('u'));
    assert!(scene.state.windows[&other].scroll.is_none());
    let env = scene.env();
    for key in [Key::ctrl('g'), Key::char('[')] {
        window::input(&mut scene.state, other, InputEvent::Key(key), &env);
    }
    let (lines, screen) = shown();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    pane_text(&mut scene.state, other, lane, Ok(text(&lines, screen)));
    let top = |scene: &Scene, id| scene.state.windows[&id].scroll.as_ref().map(|mode| mode.stand.top);
    assert!(top(&scene, WINDOW) < top(&scene, other));
}

#[test]
fn the_text_goes_to_an_editor_from_anywhere() {
    let (lines, screen) = shown();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (mut scene, lane) = pane(&lines, screen);
    scene.lead('e');
    let actions = pane_text(&mut scene.state, WINDOW, lane, Ok(text(&lines, screen)));
    let whole = lines.join("\n") + "\n";
    assert_eq!(actions, [WindowAction::Edit { lane, text: whole, line: lines.len() as u64 }]);
    assert!(scene.window().scroll.is_none());
    let (mut scene, _) = long();
    scene.lead('[');
    scene.type_text("g");
    assert!(
        matches!(&scene.type_text("O")[..], [WindowAction::Edit { text, line: 1, .. }] if text.starts_with("answer 1 says something\n\n"))
    );
}

#[test]
fn a_text_that_cannot_be_had_is_told_and_keys_go_on() {
    let (mut scene, lane) = pane(&["x"], 0);
    scene.lead('[');
    pane_text(&mut scene.state, WINDOW, lane, Err(Report::refused("there is no text to scroll")));
    assert!(scene.text().contains("there is no text to scroll"));
    scene.type_text("hello");
    assert_eq!(scene.window().draft.text(), "hello");
}

#[test]
fn words_are_found_in_all_panes_and_transcripts() {
    let (lines, screen) = shown();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (mut scene, sh) = pane(&lines, screen);
    let api = scene.agent("api");
    for i in 1..=50 {
        scene.answered(api, &format!("answer {i} says build {i}"));
    }
    scene.type_text("/find build 4");
    let sent = scene.code(KeyCode::Enter);
    assert!(
        matches!(&sent[..], [WindowAction::Run { invocation: Invocation::Find { text }, .. }] if text == "build 4")
    );
    pane_texts(&mut scene.state, WINDOW, "build 4", vec![(sh, text(&lines, screen))]);
    scene.snap("found");
    scene.resize(120, 40);
    // The newest of a lane stands first: `build 49`.
    scene.code(KeyCode::Enter);
    assert_eq!(scene.window().focus, Some(api));
    assert!(scene.text().contains("11 of 11"));
    scene.code(KeyCode::Esc);
    pane_texts(&mut scene.state, WINDOW, "line 1499", vec![(sh, text(&lines, screen))]);
    let asked = scene.code(KeyCode::Enter);
    assert_eq!(asked, [WindowAction::Looked(sh), WindowAction::PaneText(sh)]);
    pane_text(&mut scene.state, WINDOW, sh, Ok(text(&lines, screen)));
    let mode = scene.window().scroll.as_ref().unwrap();
    assert_eq!(mode.text.line(mode.stand.cursor.line), "line 1499 of the build");
    scene.code(KeyCode::Esc);
    pane_texts(&mut scene.state, WINDOW, "nowhere", Vec::new());
    assert!(scene.text().contains("`nowhere` stands in no lane"));
}
