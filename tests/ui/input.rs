//! From events to actions: keys, prompt bar, panel, mouse.

use jiff::SignedDuration;
use paralane::app::window::{Keyboard, WindowAction, next_deadline, pane_in_focus};
use paralane::command::{Invocation, PromptTarget};
use paralane::domain::{
    AnswerScope, ApprovalId, ApprovalState, CallState, ConflictId, InputEvent, Key, KeyCode, KeyEvent, KeyKind, LaneId,
    LaneKind, Modifiers, MoreModifiers, MouseButton, MouseEvent, MouseKind, PromptId, PromptState, Size,
};

use crate::support::{Scene, WINDOW, at_work};

fn runs(actions: &[WindowAction]) -> Vec<&Invocation> {
    actions
        .iter()
        .filter_map(|a| if let WindowAction::Run { invocation, .. } = a { Some(invocation) } else { None })
        .collect()
}

fn sent(scene: &mut Scene, text: &str) -> Vec<WindowAction> {
    scene.type_text(text);
    scene.code(KeyCode::Enter)
}

#[test]
fn plain_text_goes_to_the_lane_in_focus() {
    let mut scene = at_work();
    let actions = sent(&mut scene, "fix the build");
    assert!(
        matches!(runs(&actions)[..], [Invocation::Prompt { lane, text, .. }] if lane == "api" && text == "fix the build")
    );
    assert!(scene.window().draft.is_empty());
}

#[test]
fn a_lane_or_all_lanes_can_be_addressed() {
    let mut scene = at_work();
    let actions = sent(&mut scene, "@docs fix the page");
    assert!(
        matches!(runs(&actions)[..], [Invocation::Prompt { lane, text, .. }] if lane == "docs" && text == "fix the page")
    );
    let actions = sent(&mut scene, "@all commit");
    assert!(matches!(runs(&actions)[..], [Invocation::Broadcast { text }] if text == "commit"));
    assert!(sent(&mut scene, "@dosc fix").is_empty());
    assert_eq!(scene.window().draft.text(), "@dosc fix", "what cannot be sent stays");
    let toast = scene.window().toast.clone().unwrap();
    assert!(toast.report.hints[0].contains("@docs"), "{toast:?}");
}

#[test]
fn a_bang_runs_a_shell_command() {
    let mut scene = at_work();
    assert_eq!(
        sent(&mut scene, "!git status"),
        [WindowAction::Shell { lane: LaneId(1), command: "git status".into() }]
    );
}

#[test]
fn a_complete_command_is_sent_although_completions_are_shown() {
    let mut scene = Scene::new();
    scene.type_text("/lane new api");
    let actions = scene.code(KeyCode::Enter);
    assert!(matches!(runs(&actions)[..], [Invocation::LaneNew { name: Some(name), .. }] if name.as_str() == "api"));
    let actions = sent(&mut scene, "/lane new sh -- bash -l");
    assert!(
        matches!(runs(&actions)[..], [Invocation::LaneNew { kind: LaneKind::Pane { command, .. }, .. }] if *command == ["bash", "-l"])
    );
}

#[test]
fn an_unknown_command_stays_and_is_corrected() {
    let mut scene = at_work();
    assert!(sent(&mut scene, "/lnae new x").is_empty());
    assert_eq!(scene.window().draft.text(), "/lnae new x");
    assert!(scene.window().toast.is_some());
}

#[test]
fn without_a_lane_the_text_is_kept_and_the_way_is_told() {
    let mut scene = Scene::new();
    assert!(sent(&mut scene, "do something").is_empty());
    assert_eq!(scene.window().draft.text(), "do something");
    assert!(scene.window().toast.clone().unwrap().report.hints[0].contains("/lane new api"));
}

#[test]
fn newlines_come_by_three_keys() {
    let mut scene = at_work();
    scene.type_text("a");
    scene.key(Key { code: KeyCode::Enter, modifiers: Modifiers::ALT });
    scene.type_text("b");
    scene.key(Key { code: KeyCode::Enter, modifiers: Modifiers::SHIFT });
    scene.type_text("c");
    scene.key(Key::ctrl('j'));
    scene.type_text("d");
    assert_eq!(scene.window().draft.text(), "a\nb\nc\nd");
}

#[test]
fn history_knows_the_window_and_the_project() {
    let mut scene = at_work();
    sent(&mut scene, "newest of all");
    scene.type_text("half");
    scene.code(KeyCode::Up);
    assert_eq!(scene.window().draft.text(), "newest of all");
    scene.code(KeyCode::Up);
    assert_eq!(scene.window().draft.text(), "rename login.rs to session.rs, in src/login.rs");
    scene.code(KeyCode::Down);
    scene.code(KeyCode::Down);
    assert_eq!(scene.window().draft.text(), "half");
    scene.key(Key::ctrl('c'));
    assert!(scene.window().draft.is_empty());
    scene.code(KeyCode::Up);
    assert_eq!(scene.window().draft.text(), "half", "Ctrl-C loses nothing");
}

#[test]
fn lanes_are_focused_by_number_and_by_order() {
    let mut scene = at_work();
    assert_eq!(scene.key(Key::alt('3')), [WindowAction::Looked(LaneId(3))]);
    assert_eq!(scene.window().focus, Some(LaneId(3)));
    scene.lead('j');
    assert_eq!(scene.window().focus, Some(LaneId(4)));
    scene.lead('j');
    assert_eq!(scene.window().focus, Some(LaneId(1)));
    scene.lead('k');
    assert_eq!(scene.window().focus, Some(LaneId(4)));
    scene.lead('w');
    assert_eq!(scene.window().focus, Some(LaneId(3)), "the next that needs the person, going round");
    scene.lead('2');
    assert_eq!(scene.window().focus, Some(LaneId(2)));
    scene.lead('0');
    scene.type_text("we");
    scene.code(KeyCode::Enter);
    assert_eq!(scene.window().focus, Some(LaneId(4)));
    scene.key(Key::alt('9'));
    assert_eq!(scene.window().focus, Some(LaneId(4)));
    assert!(scene.window().toast.is_some());
}

#[test]
fn the_oldest_approval_is_answered_from_anywhere() {
    for (key, allow) in [(Key::alt('y'), true), (Key::alt('n'), false)] {
        let mut scene = at_work();
        scene.text();
        let actions = scene.key(key);
        match runs(&actions)[..] {
            [Invocation::Approve { approval, scope, .. }] => {
                assert!(allow && *approval == ApprovalId(1) && *scope == AnswerScope::Once);
            }
            [Invocation::Deny { approval, .. }] => assert!(!allow && *approval == ApprovalId(1)),
            ref other => panic!("{other:?}"),
        }
    }
    let mut scene = at_work();
    scene.text();
    assert_eq!(runs(&scene.lead('y')).len(), 1);
}

#[test]
fn a_key_meant_for_one_question_never_answers_the_next() {
    let mut scene = at_work();
    let call = scene.called(LaneId(1), "shell", "rm -rf build", CallState::Waiting);
    scene.approval(LaneId(1), PromptId(1), &call, "shell", "rm -rf build");
    scene.text();
    // The first is answered elsewhere; its successor takes its place between two frames.
    scene.state.model.approvals.get_mut(&ApprovalId(1)).unwrap().state = ApprovalState::Expired;
    let env = scene.env();
    let press = InputEvent::Key(Key::alt('y'));
    assert!(paralane::app::window::input(&mut scene.state, WINDOW, press.clone(), &env).is_empty());
    scene.text();
    scene.now += SignedDuration::from_millis(399);
    assert!(scene.key(Key::alt('y')).is_empty());
    scene.now += SignedDuration::from_millis(1);
    assert_eq!(runs(&scene.key(Key::alt('y'))).len(), 1);
}

#[test]
fn the_approvals_panel_answers_by_its_keys() {
    let mut scene = at_work();
    scene.lead('a');
    assert_eq!(scene.window().keyboard, Keyboard::Panel);
    let once = scene.type_text("y");
    assert!(matches!(runs(&once)[..], [Invocation::Approve { scope: AnswerScope::Once, .. }]));
    let session = scene.type_text("s");
    assert!(matches!(runs(&session)[..], [Invocation::Approve { scope: AnswerScope::Session, .. }]));
    assert!(scene.type_text("a").is_empty(), "always shows the call first");
    let always = scene.code(KeyCode::Enter);
    assert!(matches!(runs(&always)[..], [Invocation::Approve { scope: AnswerScope::Always, .. }]));
    scene.type_text("nnot now");
    let denied = scene.code(KeyCode::Enter);
    assert!(matches!(runs(&denied)[..], [Invocation::Deny { reason, .. }] if reason == "not now"));
    scene.type_text("e");
    let edited = scene.code(KeyCode::Enter);
    assert!(
        matches!(runs(&edited)[..], [Invocation::Approve { edit: Some(edit), .. }] if edit["command"] == "npm test -- --run login")
    );
    scene.code(KeyCode::Esc);
    assert_eq!(scene.window().keyboard, Keyboard::Prompt);
}

#[test]
fn the_conflicts_panel_decides_by_its_keys() {
    let mut scene = at_work();
    scene.lead('c');
    assert!(matches!(runs(&scene.type_text("w"))[..], [Invocation::Wait { conflict: ConflictId(1) }]));
    assert!(matches!(runs(&scene.type_text("o"))[..], [Invocation::Override { conflict: ConflictId(1) }]));
    let cancel = scene.type_text("c");
    assert!(matches!(runs(&cancel)[..], [Invocation::Cancel { target: PromptTarget::Prompt(_) }]));
    scene.type_text("e");
    scene.type_text("!");
    let edited = scene.code(KeyCode::Enter);
    assert!(matches!(runs(&edited)[..], [Invocation::QueueEdit { text, .. }] if text.ends_with("src/login.rs!")));
}

fn with_pane() -> (Scene, LaneId) {
    let mut scene = at_work();
    let lane = scene.pane("sh", &["bash"]);
    scene.live(lane).pane_running = true;
    scene.window().focus = Some(lane);
    (scene, lane)
}

#[test]
fn in_a_pane_every_key_but_the_leader_is_the_programs() {
    let (mut scene, lane) = with_pane();
    assert_eq!(scene.lead('i'), []);
    assert_eq!(pane_in_focus(&scene.state), Some(lane));
    for key in [Key::char('q'), Key::alt('y'), Key::alt('1'), Key::ctrl('p'), Key::ctrl('c'), Key::plain(KeyCode::Esc)]
    {
        assert_eq!(scene.key(key), [WindowAction::PaneKey(lane, key.into())]);
    }
    scene.key(Key::ctrl('g'));
    assert_eq!(
        scene.key(Key::ctrl('g')),
        [WindowAction::PaneKey(lane, Key::ctrl('g').into())],
        "the leader twice sends it"
    );
    assert_eq!(runs(&scene.lead('y')).len(), 1, "the leader's twins still answer");
    scene.key(Key::ctrl('g'));
    assert_eq!(scene.code(KeyCode::Esc), []);
    assert_eq!(pane_in_focus(&scene.state), None);
    scene.type_text("hello");
    assert_eq!(scene.window().draft.text(), "hello");
}

#[test]
fn focus_moves_the_keys_from_pane_to_pane() {
    let (mut scene, _) = with_pane();
    let top = scene.pane("top", &["top"]);
    scene.lead('i');
    let moved = scene.lead('6');
    assert_eq!(moved, [WindowAction::Looked(top)]);
    assert_eq!(pane_in_focus(&scene.state), Some(top));
    scene.event(InputEvent::Focus(false));
    assert_eq!(pane_in_focus(&scene.state), None, "its window is not looked at");
    scene.event(InputEvent::Focus(true));
    assert_eq!(pane_in_focus(&scene.state), Some(top));
    scene.lead('1');
    assert_eq!(scene.window().keyboard, Keyboard::Prompt, "an agent has no pane to type into");
}

/// Field case C25: a release is no second key, and no key of ours.
#[test]
fn releases_go_to_the_pane_alone() {
    let (mut scene, lane) = with_pane();
    let event = |key: Key, kind| KeyEvent { kind, ..key.into() };
    let release = |key| InputEvent::RichKey(event(key, KeyKind::Release));
    scene.key(Key::char('a'));
    scene.event(release(Key::char('a')));
    scene.event(InputEvent::RichKey(event(Key::char('a'), KeyKind::Repeat)));
    assert_eq!(scene.window().draft.text(), "aa", "a repeat is typed, a release is not");
    scene.key(Key::ctrl('g'));
    scene.event(release(Key::ctrl('g')));
    assert!(scene.window().leader, "the leader's own release does not complete it");
    assert_eq!(scene.key(Key::char('i')), []);
    let released = event(Key::char('i'), KeyKind::Release);
    assert_eq!(scene.event(InputEvent::RichKey(released)), [WindowAction::PaneKey(lane, released)]);
    let command = KeyEvent { more: MoreModifiers(MoreModifiers::SUPER), ..Key::ctrl('g').into() };
    assert_eq!(scene.event(InputEvent::RichKey(command)), [WindowAction::PaneKey(lane, command)], "not the leader");
    scene.key(Key::ctrl('g'));
    assert_eq!(scene.event(release(Key::ctrl('g'))), []);
}

#[test]
fn a_paste_stays_where_it_began() {
    let (mut scene, lane) = with_pane();
    scene.lead('i');
    let piece = |first, last| InputEvent::Paste { text: "x".into(), first, last };
    let expected = |first, last| WindowAction::PanePaste { lane, text: "x".into(), first, last };
    assert_eq!(scene.event(piece(true, false)), [expected(true, false)]);
    scene.window().keyboard = Keyboard::Prompt;
    assert_eq!(scene.event(piece(false, false)), [expected(false, false)]);
    assert_eq!(scene.event(piece(false, true)), [expected(false, true)]);
    assert_eq!(scene.event(piece(true, true)), []);
    assert_eq!(scene.window().draft.text(), "x");
}

#[test]
fn a_drag_that_leaves_the_pane_is_still_the_programs() {
    let (mut scene, lane) = with_pane();
    let left = MouseButton::Left;
    scene.event(mouse(MouseKind::Down(left), 25, 7));
    let sent = |actions: Vec<WindowAction>| match actions[..] {
        [WindowAction::PaneMouse(to, event)] if to == lane => (event.kind, event.column, event.row),
        _ => panic!("{actions:?}"),
    };
    // The main area begins at column 23, its pane at row 4.
    assert_eq!(sent(scene.event(mouse(MouseKind::Drag(left), 30, 9))), (MouseKind::Drag(left), 7, 5));
    assert_eq!(sent(scene.event(mouse(MouseKind::Drag(left), 2, 0))), (MouseKind::Drag(left), 0, 0));
    let (_, column, row) = sent(scene.event(mouse(MouseKind::Drag(left), 119, 39)));
    assert_eq!(sent(scene.event(mouse(MouseKind::Up(left), 119, 39))), (MouseKind::Up(left), column, row));
    // After the release the rest of the window is ours again.
    assert_eq!(scene.event(mouse(MouseKind::Up(left), 2, 0)), []);
    assert_eq!(scene.event(mouse(MouseKind::Drag(left), 2, 0)), []);
}

#[test]
fn pastes_go_where_the_keys_go() {
    let (mut scene, lane) = with_pane();
    let paste = |text: &str| InputEvent::Paste { text: text.into(), first: true, last: true };
    scene.event(paste("two\nlines"));
    assert_eq!(scene.window().draft.text(), "two\nlines");
    scene.lead('i');
    let expected = WindowAction::PanePaste { lane, text: "x".into(), first: true, last: true };
    assert_eq!(scene.event(paste("x")), [expected]);
}

#[test]
fn too_large_a_paste_is_refused_whole_with_its_limit() {
    let mut scene = at_work();
    for piece in 0..5 {
        let text = "x".repeat(64 * 1024);
        scene.event(InputEvent::Paste { text, first: piece == 0, last: piece == 4 });
    }
    assert!(scene.window().draft.is_empty());
    assert!(scene.window().toast.clone().unwrap().report.message.contains("256 KiB"));
}

fn mouse(kind: MouseKind, column: u16, row: u16) -> InputEvent {
    InputEvent::Mouse(MouseEvent { kind, column, row, modifiers: Modifiers::NONE })
}

#[test]
fn the_mouse_focuses_types_scrolls_and_chooses_tabs() {
    let (mut scene, lane) = with_pane();
    let click = MouseKind::Down(MouseButton::Left);
    // The main area begins at column 23, its pane at row 4.
    let actions = scene.event(mouse(click, 25, 7));
    let inside = MouseEvent { kind: click, column: 2, row: 3, modifiers: Modifiers::NONE };
    assert_eq!(actions, [WindowAction::PaneMouse(lane, inside)]);
    // The second lane's row: the title, then two rows each.
    scene.event(mouse(click, 4, 5));
    assert_eq!(scene.window().focus, Some(LaneId(2)));
    scene.event(mouse(click, 95, 2));
    assert_eq!(scene.window().panel.tab.name(), "conflicts");
    assert_eq!(scene.window().keyboard, Keyboard::Panel);
    scene.event(mouse(click, 30, 38));
    assert_eq!(scene.window().keyboard, Keyboard::Prompt);
}

#[test]
fn quitting_asks_only_while_something_runs() {
    let mut scene = Scene::new();
    scene.agent("api");
    assert_eq!(scene.lead('q'), [WindowAction::Quit]);
    let mut scene = at_work();
    assert!(scene.lead('q').is_empty());
    assert_eq!(scene.type_text("d"), [WindowAction::Detach]);
    scene.lead('q');
    assert_eq!(scene.type_text("y"), [WindowAction::Quit]);
    assert!(sent(&mut scene, "/quit").is_empty(), "the command asks as the key does");
}

#[test]
fn the_palette_sends_what_is_ready_and_offers_what_is_not() {
    let mut scene = at_work();
    scene.type_text("a thought");
    scene.key(Key::ctrl('p'));
    scene.type_text("queue edit");
    scene.code(KeyCode::Enter);
    assert_eq!(scene.window().draft.text(), "/queue edit ");
    scene.code(KeyCode::Esc);
    scene.key(Key::ctrl('c'));
    scene.code(KeyCode::Up);
    scene.code(KeyCode::Up);
    assert_eq!(scene.window().draft.text(), "a thought", "what stood there is not lost");
    scene.key(Key::ctrl('p'));
    scene.type_text("lane pause");
    assert!(matches!(runs(&scene.code(KeyCode::Enter))[..], [Invocation::LanePause { lane: None }]));
    scene.key(Key::ctrl('p'));
    scene.type_text("lane new");
    scene.code(KeyCode::Enter);
    assert!(
        matches!(scene.window().overlay, Some(paralane::app::window::Overlay::NewLane(_))),
        "it asks first, as its key does"
    );
}

#[test]
fn trust_is_for_what_was_shown() {
    let mut scene = at_work();
    let config = |hash: &str| paralane::app::UntrustedConfig {
        path: "c.toml".into(),
        hash: hash.into(),
        content: "x = 1".into(),
        marks: vec![hash.into()],
        what: paralane::app::Untrusted::Config { hooks: 0 },
    };
    scene.state.settings.untrusted = Some(config("one"));
    scene.text();
    assert_eq!(scene.type_text("y"), [WindowAction::Trust("one".into())]);
    scene.state.settings.untrusted = Some(config("two"));
    scene.text();
    assert_eq!(scene.type_text("n"), [WindowAction::PutOffTrust("two".into())]);
    scene.text();
    assert!(scene.window().overlay.is_none(), "asked once per content");
}

#[test]
fn a_window_at_rest_asks_for_no_frame() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    let deadline = next_deadline(&scene.state, WINDOW, scene.now).unwrap();
    assert!(deadline.duration_since(scene.now) > SignedDuration::from_secs(50), "an age at rest changes once a minute");
    scene.prompt(lane, "go", PromptState::Running, 10);
    let deadline = next_deadline(&scene.state, WINDOW, scene.now).unwrap();
    assert!(deadline.duration_since(scene.now) <= SignedDuration::from_millis(120), "a spinner turns");
    let other = scene.agent("other");
    scene.window().focus = Some(other);
    let deadline = next_deadline(&scene.state, WINDOW, scene.now).unwrap();
    assert_eq!(
        deadline.duration_since(scene.now),
        SignedDuration::from_secs(1),
        "seconds are counted, no spinner is in sight"
    );
    scene.window().size = Size { columns: 20, rows: 5 };
    assert_eq!(next_deadline(&scene.state, WINDOW, scene.now), None);
}

#[test]
fn text_that_was_not_kept_comes_back_in_front() {
    let mut scene = at_work();
    scene.window().draft.set("next thought");
    scene.window().give_back("first thought");
    assert_eq!(scene.window().draft.text(), "first thought\nnext thought");
}
