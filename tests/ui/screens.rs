//! Whole frames: empty, at work, every lane state, three widths and the edges of small.

use paralane::app::window::Keyboard;
use paralane::app::{Msg, update};
use paralane::base::Report;
use paralane::domain::{GitFacts, Hold, Key, KeyCode, LaneStage, NoticeLevel, PromptState};
use paralane::protocol::HintUntil;

use crate::support::{Scene, at_work, hint, now, snap_text, styles};

#[test]
fn an_empty_window_says_what_to_do_first() {
    Scene::new().snap("empty");
}

#[test]
fn an_empty_window_without_a_server_says_so() {
    let mut scene = Scene::new();
    scene.state.settings.providers.clear();
    scene.snap("empty-no-server");
}

#[test]
fn lanes_at_work() {
    at_work().snap("at-work");
}

#[test]
fn one_column() {
    at_work().snap_at("at-work", 60, 20);
}

#[test]
fn the_smallest_window() {
    at_work().snap_at("at-work", 40, 10);
}

#[test]
fn a_window_too_small_says_so() {
    at_work().snap_at("too-small", 39, 10);
    at_work().snap_at("too-small", 20, 5);
}

#[test]
fn a_window_too_small_says_where_the_keys_go() {
    let mut scene = Scene::new();
    let pane = scene.pane("shell", &["sh"]);
    scene.window().focus = Some(pane);
    scene.window().draft.set("show the end of what is being typed here");
    scene.snap_at("too-small-draft", 30, 6);
    scene.window().keyboard = Keyboard::Pane;
    scene.snap_at("too-small-pane", 30, 6);
    scene.window().keyboard = Keyboard::Panel;
    scene.snap_at("too-small-panel", 30, 6);
}

#[test]
fn every_lane_state_has_a_glyph_and_a_word() {
    let mut scene = Scene::new();
    let starting = scene.agent("starting");
    scene.lane(starting).stage = LaneStage::Creating;
    scene.live(starting).busy = Some("making the worktree: 40 %".into());
    scene.noted(starting, NoticeLevel::Info, "copied .env\nrunning `cargo fetch`");
    let working = scene.agent("working");
    scene.prompt(working, "go on", PromptState::Running, 3700);
    let limit = scene.agent("limit");
    scene.prompt(limit, "wait your turn", PromptState::Queued, 5);
    let time = scene.agent("time");
    let prompt = scene.prompt(time, "at six", PromptState::Held, 5);
    let hold = Hold::At(now() + jiff::SignedDuration::from_secs(754));
    scene.state.model.prompts.change(prompt, |prompt| prompt.hold = Some(hold));
    let needy = scene.agent("interrupted");
    scene.prompt(needy, "was cut", PromptState::Interrupted, 5);
    let done = scene.agent("done");
    scene.prompt(done, "was easy", PromptState::Done, 300);
    scene.lane(done).seen = false;
    scene.agent("idle");
    let paused = scene.agent("paused");
    scene.lane(paused).stage = LaneStage::Paused;
    let failed = scene.agent("failed");
    scene.lane(failed).stage = LaneStage::Failed;
    scene.lane(failed).error = Some("`cargo fetch` ended with exit 101".into());
    let ended = scene.pane("ended", &["bash"]);
    scene.lane(ended).stage = LaneStage::Ended;
    let missing = scene.agent("gone");
    scene.live(missing).git = Some(GitFacts { missing: true, ..GitFacts::default() });
    scene.snap("lane-states");
}

#[test]
fn a_failed_lane_says_why_and_what_next() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.prompt(lane, "try it", PromptState::Failed, 20);
    scene.lane(lane).seen = false;
    scene.asked(lane, "try it");
    scene.noted(
        lane,
        NoticeLevel::Error,
        "the model server at http://127.0.0.1:8080/v1 did not answer: connection refused\nstart it, then /retry p1",
    );
    scene.snap("failed");
}

#[test]
fn an_interrupted_prompt_is_offered_for_retry() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.asked(lane, "migrate the database");
    scene.did(lane, "shell", "make migrate", "exit 0", None);
    scene.prompt(lane, "migrate the database", PromptState::Interrupted, 65);
    scene.prompt(lane, "then seed it", PromptState::Queued, 60);
    scene.snap("interrupted");
}

#[test]
fn a_long_queue_is_counted() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.prompt(lane, "first", PromptState::Running, 10);
    scene.asked(lane, "first");
    for i in 0..30 {
        scene.prompt(lane, &format!("then do step {i} of the long plan that we made together"), PromptState::Queued, 9);
    }
    scene.snap("long-queue");
}

#[test]
fn forty_lanes_scroll_in_the_list() {
    let mut scene = Scene::new();
    for i in 1..=40 {
        scene.agent(&format!("lane-{i}"));
    }
    scene.window().focus = Some(paralane::domain::LaneId(30));
    scene.snap("forty-lanes");
}

#[test]
fn a_grid_of_all_lanes() {
    let mut scene = at_work();
    scene.lead('g');
    scene.snap("grid");
}

#[test]
fn zoom_gives_one_lane_the_whole_width() {
    let mut scene = at_work();
    scene.lead('z');
    scene.snap("zoom");
}

#[test]
fn a_refused_close_names_what_would_be_lost() {
    let mut scene = at_work();
    let report = Report::refused(
        "lane `api` was not closed: 1 uncommitted file (`src/login.rs`) and 3 commits that `main` does not have",
    )
    .hint("commit or discard the file, then merge the branch")
    .hint("`/lane close api --keep-branch` keeps the commits on `lane/api`");
    let at = scene.now;
    scene.window().toast(report, at);
    scene.snap("close-refused");
}

#[test]
fn a_long_draft_takes_more_rows() {
    let mut scene = at_work();
    scene.window().draft.set("first line of a long prompt\nsecond line\n\nfourth, after an empty one");
    scene.snap("long-draft");
}

#[test]
fn a_newcomer_is_led_by_hints() {
    let mut scene = at_work();
    scene.window().hello.hints = vec![
        hint("when api asks: Alt-y runs its command once, Alt-n denies it", HintUntil::Approval),
        hint("ui wants a file that api changed: Ctrl-G c, then o overrides once or w waits", HintUntil::Conflict),
        hint("type anything and press Enter", HintUntil::Prompt),
        hint("Ctrl-G ? shows all keys", HintUntil::Help),
        hint("Ctrl-G q ends it", HintUntil::Asked),
    ];
    scene.snap("hints");
    scene.state.model.approvals.values_mut().for_each(|a| a.state = paralane::domain::ApprovalState::Allowed);
    assert!(scene.text().contains("ui wants a file"), "an answer goes on");
    // What is done before its hint came is not asked for again.
    scene.key(Key::ctrl('p'));
    scene.key(Key::plain(KeyCode::Esc));
    scene.state.model.conflicts.values_mut().for_each(|c| c.state = paralane::domain::ConflictState::Waiting);
    assert!(scene.text().contains("type anything"), "who lets it wait has answered");
    scene.type_text("hello");
    scene.key(Key::plain(KeyCode::Enter));
    assert!(scene.text().contains("ends it"), "{}", scene.text());
    scene.key(Key::ctrl('g'));
    scene.key(Key::char('h'));
    assert!(!scene.text().contains("ends it"));
}

#[test]
fn a_light_theme_in_its_colours() {
    let mut scene = at_work();
    scene.resize(80, 24);
    let (surface, _) = scene.draw("paralane-light");
    snap_text("at-work.light.style", &styles(surface.buffer()));
}

#[test]
fn without_colours_everything_is_still_told() {
    let mut scene = at_work();
    scene.window().hello.no_color = true;
    scene.resize(80, 24);
    let (surface, _) = scene.draw("paralane-dark");
    let styles = styles(surface.buffer());
    assert!(!styles.contains("Rgb") && !styles.contains('#'), "{styles}");
    snap_text("at-work.no-colour.style", &styles);
}

#[test]
fn a_failing_command_shows_its_last_lines() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.asked(lane, "run the tests");
    let call = scene.called(lane, "shell", "cargo test\n# all of them", paralane::domain::CallState::Started);
    let lines: Vec<String> =
        (1..=20).map(|i| format!("test case_{i} ... {}", if i == 20 { "FAILED" } else { "ok" })).collect();
    let output = lines.join("\n");
    scene.result(lane, &call, false, "exit 101", &output, None);
    scene.answered(
        lane,
        "# What went wrong\n\nOne test fails, **case_20**:\n\n- it reads `limit` before it is set\n- the fix is one line, and it is this one here which is so long that it has to wrap at least once\n\n```rust\nlet limit = config.limit.unwrap_or(10);\n```\n\n1. run it again\n2. commit",
    );
    scene.snap("failed-command");
    scene.window().folds.turn_all();
    scene.snap_at("failed-command-open", 120, 40);
}

#[test]
fn a_paused_turn_and_a_cut_answer() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.lane(lane).stage = LaneStage::Paused;
    scene.prompt(lane, "go slowly", PromptState::Paused, 30);
    scene.asked(lane, "go slowly");
    scene.say(
        lane,
        paralane::domain::EntryBody::Answer {
            text: "I was about to".into(),
            cut: true,
            usage: None,
            reasoning: paralane::domain::Reasoning::default(),
        },
    );
    scene.noted(lane, NoticeLevel::Warning, "paused by you");
    scene.snap_at("paused", 120, 40);
}

#[test]
fn completion_stands_above_the_prompt_bar() {
    let mut scene = at_work();
    scene.type_text("/lane f");
    scene.snap("completion");
    scene.code(KeyCode::Tab);
    assert_eq!(scene.window().draft.text(), "/lane focus ");
}

#[test]
fn what_lanes_cost_stands_where_there_is_room() {
    let mut scene = at_work();
    let lanes: Vec<_> = scene.state.model.open_lanes().map(|lane| lane.id).collect();
    scene.spent(lanes[0], Some("0.31"), 41_000);
    scene.spent(lanes[1], Some("0.0042"), 900);
    scene.spent(lanes[2], None, 12_300);
    scene.snap("costs");
}

#[test]
fn the_header_says_when_the_store_is_looked_through() {
    let mut scene = Scene::new();
    scene.agent("api");
    scene.state.looking_through = true;
    assert!(scene.text().lines().next().unwrap().contains("looking through the store"), "{}", scene.text());
    let env = scene.env();
    update(&mut scene.state, Msg::StoreOpen, &env);
    assert!(!scene.text().contains("looking through the store"));
}
