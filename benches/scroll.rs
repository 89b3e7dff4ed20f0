//! Scroll-back mode over a full scroll-back: beginning it, a key and its frame, a search.
//!
//! 10,000 lines of 100 characters, every tenth in colours, in a window of 200×50.
#![allow(missing_docs, reason = "a measurement run by hand")]
#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(dead_code, reason = "the support of the window's tests does more than this needs")]

#[path = "../tests/ui/support.rs"]
mod support;

use std::sync::Arc;

use divan::Bencher;
use paralane::app::window::pane_text;
use paralane::domain::{CellStyle, Colour, Key, LaneId, Packer, PaneText, StyleNumber};
use support::{Scene, WINDOW};

const LINES: usize = 10_000;

fn main() {
    divan::main();
}

/// Packed as a pane gives it: what is read is unpacked first.
fn text() -> PaneText {
    let style = CellStyle { foreground: Colour::Indexed(2), bold: true, ..CellStyle::default() };
    let mut packer = Packer::default();
    let mut blocks = Vec::new();
    for number in 0..LINES {
        let coloured = packer.style(style);
        packer.push(&format!("{number:5} "), if number % 10 == 0 { coloured } else { StyleNumber::PLAIN });
        packer.push(&"the quick brown fox jumps over the lazy dog and ".repeat(2), StyleNumber::PLAIN);
        packer.end_line();
        if number % 500 == 499 {
            blocks.push(Arc::new(packer.seal()));
        }
    }
    PaneText::packed(0, 0, blocks, LINES as u64 - 43)
}

fn pane() -> (Scene, LaneId) {
    let mut scene = Scene::new();
    let lane = scene.pane("sh", &["bash"]);
    scene.resize(200, 50);
    scene.lead('[');
    (scene, lane)
}

fn scrolling() -> Scene {
    let (mut scene, lane) = pane();
    pane_text(&mut scene.state, WINDOW, lane, Ok(text()));
    scene
}

#[divan::bench]
fn begin(bencher: Bencher) {
    bencher.with_inputs(|| (pane(), text())).bench_local_values(|((mut scene, lane), text)| {
        pane_text(&mut scene.state, WINDOW, lane, Ok(text));
        scene
    });
}

#[divan::bench]
fn begin_in_a_transcript(bencher: Bencher) {
    let scene = || {
        let mut scene = Scene::new();
        let lane = scene.agent("api");
        for number in 0..2_000 {
            scene.answered(lane, &format!("answer {number}\n- one\n- two `code`\n- three **bold** words of it"));
        }
        scene.resize(200, 50);
        scene
    };
    bencher.with_inputs(scene).bench_local_values(|mut scene| {
        scene.lead('[');
        scene
    });
}

#[divan::bench(args = ["half a page", "a line", "the start"])]
fn key_and_frame(bencher: Bencher, what: &str) {
    let mut scene = scrolling();
    let key = match what {
        "half a page" => Key::ctrl('u'),
        "a line" => Key::char('k'),
        _ => Key::char('g'),
    };
    bencher.bench_local(|| {
        scene.key(key);
        scene.draw("paralane-dark")
    });
}

/// One more letter of `lazy dog`, which stands in every line twice.
#[divan::bench]
fn search(bencher: Bencher) {
    let typed = || {
        let mut scene = scrolling();
        scene.type_text("?lazy do");
        scene
    };
    bencher.with_inputs(typed).bench_local_values(|mut scene| {
        scene.key(Key::char('g'));
        scene
    });
}

/// The first letter, when nothing has been unpacked yet.
#[divan::bench]
fn first_search(bencher: Bencher) {
    let opened = || {
        let mut scene = scrolling();
        scene.type_text("?");
        scene
    };
    bencher.with_inputs(opened).bench_local_values(|mut scene| {
        scene.key(Key::char('z'));
        scene
    });
}

#[divan::bench]
fn select_and_copy_all(bencher: Bencher) {
    let mut scene = scrolling();
    bencher.bench_local(|| scene.type_text("gVGy"));
}
