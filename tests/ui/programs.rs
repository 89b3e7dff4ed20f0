//! What programs in panes say of themselves, as a person sees it.

use std::sync::Arc;

use paralane::domain::{
    Approval, ApprovalId, ApprovalState, CallId, CellStyle, Key, LaneId, LaneStage, NeedKind, ProgramState,
    ProgramStatus, RuleOrigin, Saying,
};

use crate::panes::picture;
use crate::support::{Scene, ago};

fn program(scene: &mut Scene, name: &str, state: Option<ProgramState>, message: &str) -> LaneId {
    let lane = scene.pane(name, &["claude"]);
    let live = scene.live(lane);
    live.pane_running = true;
    live.pane.ready = true;
    live.pane_since = Some(ago(42));
    live.pane.program = state.map(|state| ProgramStatus { state, message: message.into(), by: Saying::Report });
    lane
}

fn all() -> (Scene, LaneId) {
    let mut scene = Scene::new();
    let ask = ProgramState::Blocked(NeedKind::Permission);
    let first = program(&mut scene, "ui", Some(ask), "approve Bash: npm test -- --run login\u{1b}[2J\nand more");
    scene.live(first).pane.title = "✳ Claude Code \u{7}and a long title; with a second part".into();
    scene.frames.insert(first, Arc::new(picture(54, 33, &[("Do you want to proceed?", CellStyle::default())])));
    program(&mut scene, "api", Some(ProgramState::Working), "");
    let web = program(&mut scene, "web", Some(ProgramState::Done), "");
    scene.live(web).unseen = true;
    let docs = program(&mut scene, "docs", Some(ProgramState::Error), "no credit left");
    scene.live(docs).pane.progress = Some(40);
    program(&mut scene, "login", Some(ProgramState::Blocked(NeedKind::Auth)), "");
    let idle = program(&mut scene, "idle", Some(ProgramState::Idle), "");
    scene.live(idle).pane.ready = false;
    (scene, first)
}

#[test]
fn every_state_of_a_program() {
    let (mut scene, _) = all();
    scene.snap("programs");
}

#[test]
fn one_column_shows_what_is_asked_too() {
    let (mut scene, _) = all();
    scene.snap_at("programs", 60, 20);
}

#[test]
fn what_another_lanes_program_asks_stands_above_the_prompt_bar() {
    let (mut scene, first) = all();
    let api = LaneId(first.0 + 1);
    scene.window().focus = Some(api);
    scene.resize(120, 40);
    let text = scene.text();
    assert!(
        text.contains("▲ ui asks approve Bash: npm test -- --run login^[[2J and more  Ctrl-G 1 goes there"),
        "{text}"
    );
    // The key leads there.
    scene.lead('1');
    let text = scene.text();
    assert!(text.contains("1 ui · claude"), "{text}");
    assert!(text.contains("▲ login asks login  Ctrl-G 5 goes there"), "{text}");
}

#[test]
fn an_error_stands_in_the_header_until_the_program_ends() {
    let (mut scene, first) = all();
    let docs = LaneId(first.0 + 3);
    scene.window().focus = Some(docs);
    scene.resize(120, 40);
    assert!(scene.text().contains("✗ its program reports an error: no credit left"));
    scene.lane(docs).stage = LaneStage::Failed;
    scene.lane(docs).error = Some("exited with status 1: no credit left".into());
    scene.live(docs).pane_running = false;
    assert!(scene.text().contains("ended: exit 1: no credit left"), "{}", scene.text());
}

#[test]
fn a_copy_is_asked_like_everything_else() {
    let (mut scene, lane) = all();
    let approval = Approval {
        id: ApprovalId(7),
        lane,
        prompt: None,
        call: CallId("clipboard".into()),
        tool: "clipboard".into(),
        action: "copy 1.2 KB: first line\u{1b}]52;c;eA==\u{7}\nsecond line".into(),
        arguments: serde_json::json!({ "bytes": 1_200 }),
        diff: None,
        directory: scene.lane(lane).place.directory.display().to_string(),
        rule: RuleOrigin { rule: "ask clipboard *".into(), place: "built in".into() },
        state: ApprovalState::Pending,
        scope: None,
        reason: None,
        created: ago(12),
        ended: None,
        expires: None,
        needs: 1,
        confirmed: None,
        by: None,
    };
    scene.state.copies.add(paralane::app::Copy { approval, text: "x".repeat(1_200) });
    scene.snap_at("copy", 120, 40);
    scene.lead('a');
    scene.key(Key::char('v'));
    scene.snap_at("copy-whole", 80, 24);
}
