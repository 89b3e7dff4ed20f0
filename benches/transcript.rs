//! Transcripts: a frame with 10,000 turns at the end, in the middle and after a jump, and an answer of 10 MB that
//! streams in.
//!
//! A window of 200×50. A frame must come within 16 ms; a tenth of that leaves the processor to others.
#![allow(missing_docs, reason = "a measurement run by hand")]
#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(dead_code, reason = "the support of the window's tests does more than this needs")]

#[path = "../tests/ui/support.rs"]
mod support;

use divan::Bencher;
use paralane::app::window::transcript::CodeJob;
use paralane::domain::{Key, KeyCode, LaneId, PromptState};
use support::Scene;

const MB: usize = 1024 * 1024;

fn main() {
    divan::main();
}

fn answer(turn: usize) -> String {
    format!(
        "## Answer {turn}\n\nThe route now checks a **limiter** before it reads the `form`; see https://example.com/{turn}.\n\n\
         - one\n- two\n  - deeper\n\n| a | b |\n|---|---|\n| {turn} | what it does |\n\n\
         ```rust\nfn check(&mut self) -> bool {{\n    self.take({turn}) // in seconds\n}}\n```\n"
    )
}

/// All 10,000 turns in memory, scrolled through.
fn turns() -> Scene {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    for turn in 0..10_000 {
        scene.asked(lane, &format!("question {turn}"));
        scene.did(lane, "edit", "src/login.rs", "+1 −1", Some("@@ -1 +1 @@\n-old\n+new"));
        scene.answered(lane, &answer(turn));
    }
    scene.resize(200, 50);
    scene.lead('[');
    scene.colour();
    scene
}

#[divan::bench(args = ["end", "middle", "start"])]
fn frame_of_10_000_turns(bencher: Bencher, at: &str) {
    let mut scene = turns();
    match at {
        "end" => scene.key(Key::char('q')),
        "middle" => scene.type_text("150000G"),
        _ => scene.type_text("g"),
    };
    scene.colour();
    bencher.bench_local(|| scene.draw("paralane-dark"));
}

#[divan::bench(args = ["a page up", "a turn back", "the start"])]
fn key_and_frame_in_10_000_turns(bencher: Bencher, what: &str) {
    let mut scene = turns();
    scene.type_text("150000G");
    let key = match what {
        "a page up" => Key::ctrl('b'),
        "a turn back" => Key::char('['),
        _ => Key::char('g'),
    };
    bencher.bench_local(|| {
        scene.key(key);
        scene.draw("paralane-dark")
    });
}

#[divan::bench]
fn begin_scrolling_through_10_000_turns(bencher: Bencher) {
    let mut scene = turns();
    bencher.bench_local(|| {
        scene.key(Key::char('q'));
        scene.lead('[')
    });
}

#[divan::bench]
fn page_up_without_the_mode(bencher: Bencher) {
    let mut scene = turns();
    scene.key(Key::char('q'));
    scene.code(KeyCode::PageUp);
    bencher.bench_local(|| {
        scene.code(KeyCode::PageUp);
        scene.draw("paralane-dark")
    });
}

/// An answer of so many bytes, of one kind.
fn long(kind: &str, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 1024);
    match kind {
        "one fence" => text.push_str("```rust\n"),
        "one table" => text.push_str("| a | b |\n|---|---|\n"),
        _ => {}
    }
    let mut turn = 0;
    while text.len() < bytes {
        match kind {
            "mixed" => text.push_str(&answer(turn)),
            "one fence" => text.push_str("    let value = compute(42, \"text\"); // a comment\n"),
            "one table" => text.push_str("| cell of a row | another `cell` with words |\n"),
            _ => text.push_str("words without an end and "),
        }
        turn += 1;
    }
    text
}

fn streaming(kind: &str) -> (Scene, LaneId) {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.prompt(lane, "go", PromptState::Running, 5);
    scene.asked(lane, "go");
    scene.resize(200, 50);
    scene.live(lane).feed.answer = long(kind, 10 * MB);
    scene.colour();
    (scene, lane)
}

/// What a fast server sends between two frames, and the frame.
#[divan::bench(args = ["mixed", "one fence", "one table", "one line"])]
fn append_to_10_mb_and_frame(bencher: Bencher, kind: &str) {
    let (mut scene, lane) = streaming(kind);
    let piece = long(kind, 4_096);
    let piece = piece.split_once('\n').filter(|_| kind != "mixed").map_or(&*piece, |(_, rest)| rest).to_owned();
    bencher.bench_local(|| {
        scene.live(lane).feed.answer.push_str(&piece);
        scene.draw("paralane-dark")
    });
}

/// The first look at an answer of 10 MB that was kept before the workstation started.
#[divan::bench(args = ["mixed", "one fence", "one line"])]
fn first_frame_of_a_kept_10_mb(bencher: Bencher, kind: &str) {
    let text = long(kind, 10 * MB);
    let kept = || {
        let mut scene = Scene::new();
        let lane = scene.agent("api");
        scene.answered(lane, &text);
        scene.resize(200, 50);
        scene
    };
    bencher.with_inputs(kept).bench_local_values(|mut scene| {
        scene.draw("paralane-dark");
        scene
    });
}

/// Colours of a piece of 1,000 lines, which are found beside the drawing.
#[divan::bench]
fn colours_of_1_000_lines(bencher: Bencher) {
    let job = || -> CodeJob {
        let mut scene = Scene::new();
        let lane = scene.agent("api");
        let code = "    let value = compute(42, \"text\"); // a comment\n".repeat(1_000);
        scene.answered(lane, &format!("```rust\n{code}```\n"));
        scene.draw("paralane-dark");
        scene.state.memo.job().unwrap()
    };
    bencher.with_inputs(job).bench_local_values(CodeJob::run);
}
