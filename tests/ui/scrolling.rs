//! Scrolling back: what stands on the screen does not move, and vi keys, search and copying work.

use paralane::app::window::WindowAction;
use paralane::domain::{Key, KeyCode, LaneId};

use crate::support::Scene;

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
    scene.type_text("vkk");
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
