//! What stands over everything else.

use paralane::app::report::{context_document, facts_document, render};
use paralane::app::window::{Overlay, Point, Points, WindowAction};
use paralane::app::{FactQuery, Untrusted, UntrustedConfig};
use paralane::base::Report;
use paralane::command::{Invocation, RewindWhat};
use paralane::domain::{
    AppliedPlan, Author, Change, Claim, ClaimId, CompactCause, ContextView, Counted, Entry, EntryBody, Fact,
    IssueChange, IssueId, Key, KeyCode, LaneId, Layer, LayerPart, LayerShare, Money, Notes, NotesEntry, Offer, OfferId,
    OfferKind, Party, Plan, PlanChange, PromptId, Recall,
};

use crate::support::{Scene, ago, at_work, now};

#[test]
fn the_which_key_strip() {
    let mut scene = at_work();
    scene.key(Key::ctrl('g'));
    scene.snap("which-key");
    scene.snap_at("which-key", 40, 12);
}

#[test]
fn the_palette_and_what_fits() {
    let mut scene = at_work();
    scene.key(Key::ctrl('p'));
    scene.snap("palette");
    scene.type_text("lane cl");
    scene.snap_at("palette-query", 120, 40);
    scene.type_text("zzzz");
    scene.snap_at("palette-none", 80, 24);
}

#[test]
fn help_lists_keys_and_commands() {
    let mut scene = at_work();
    scene.lead('?');
    scene.snap("help");
    scene.type_text("G");
    scene.snap_at("help-end", 80, 24);
}

#[test]
fn a_context_by_layers() {
    let mut scene = at_work();
    let file =
        |name: &str, tokens, note: Option<&str>| LayerPart { name: name.into(), tokens, note: note.map(str::to_owned) };
    let layer = |layer, tokens, parts| LayerShare { layer, on: layer != Layer::Scoped, tokens, parts };
    let view = ContextView {
        layers: vec![
            layer(Layer::Tools, 3_120, Vec::new()),
            layer(Layer::System, 310, Vec::new()),
            layer(
                Layer::Rules,
                2_400,
                vec![
                    file("AGENTS.md", 2_400, None),
                    file("CLAUDE.md", 0, Some("not read: it is a link that leads out of the worktree")),
                ],
            ),
            layer(Layer::Scoped, 120, vec![file("src/AGENTS.md", 120, None)]),
            layer(
                Layer::Memory,
                61,
                vec![
                    file("m3", 34, Some("the staging server\u{1b}[2J needs the VPN")),
                    file("u1", 27, Some("small commits")),
                ],
            ),
            layer(Layer::Turns, 31_000, Vec::new()),
            layer(Layer::Input, 2_900, Vec::new()),
        ],
        counted: Counted::ByServer { scale: 1.08 },
        window: Some(128_000),
        reserve: 8_192,
        left_out: 12,
        price: Some(Money::of_parts(3_000_000)),
    };
    let document = context_document("api", &view);
    let (title, text) = (document.title.clone(), render(&document, false));
    scene.window().show(title, text);
    scene.snap("context");
}

#[test]
fn what_is_remembered() {
    let mut scene = at_work();
    let fact = |id: &str, text: &str, author, edited| Fact {
        id: id.parse().unwrap(),
        text: text.into(),
        author,
        created: ago(7_200),
        edited,
    };
    let agent = Author::Agent { project: "shop".into(), lane: "api".into(), prompt: PromptId(12) };
    let long =
        "Releases are cut from `release/*`; a hot fix goes there first, then to main.\nNever the other way round.";
    let facts = vec![
        fact("m1", "the staging server needs the VPN", Author::Person, None),
        fact("m3", long, agent, Some(ago(60))),
        fact("u2", "I prefer small commits", Author::Person, None),
    ];
    let faults = vec!["cannot use the store `/home/dev/memory.db`: the file is damaged".to_owned()];
    let document = facts_document(&FactQuery::All(None), &Recall { facts, faults }, now());
    let (title, text) = (document.title.clone(), render(&document, false));
    scene.window().show(title, text);
    scene.snap("memory");
}

#[test]
fn a_new_lane() {
    let mut scene = at_work();
    scene.lead('N');
    scene.type_text("pay");
    scene.snap("new-lane");
    scene.code(KeyCode::Tab);
    scene.type_text("c");
    scene.code(KeyCode::Tab);
    scene.type_text("claude --continue");
    scene.snap_at("new-lane-command", 120, 40);
    scene.code(KeyCode::BackTab);
    scene.code(KeyCode::BackTab);
    scene.type_text("/..");
    scene.code(KeyCode::Enter);
    scene.snap_at("new-lane-refused", 80, 24);
}

#[test]
fn questions_before_what_cannot_be_undone() {
    let mut scene = at_work();
    scene.lead('x');
    scene.snap("close-lane");
    scene.code(KeyCode::Esc);
    scene.lead('q');
    scene.snap("quit");
    scene.code(KeyCode::Esc);
    scene.lead('a');
    scene.type_text("a");
    scene.snap("always");
}

#[test]
fn a_reason_and_changed_arguments() {
    let mut scene = at_work();
    scene.lead('a');
    scene.type_text("n");
    scene.type_text("use the test database");
    scene.snap("deny");
    scene.code(KeyCode::Esc);
    scene.type_text("e");
    scene.type_text(",");
    scene.code(KeyCode::Enter);
    scene.snap("edit-call");
    scene.code(KeyCode::Esc);
    scene.lead('c');
    scene.type_text("e");
    scene.snap_at("edit-prompt", 80, 24);
}

#[test]
fn a_lane_by_number_or_name() {
    let mut scene = at_work();
    scene.lead('0');
    scene.snap("picker");
}

#[test]
fn a_project_configuration_in_full() {
    let mut scene = at_work();
    let content = "# the team's settings\n[lanes]\ninit = [\"./setup.sh\"]\n\n[agent]\nmode = \"auto-edit\"\n";
    let path = "/home/dev/shop/.paralane/config.toml".into();
    let what = Untrusted::Config { hooks: 0 };
    let hash = "ab12".to_owned();
    scene.state.settings.untrusted =
        Some(UntrustedConfig { path, marks: vec![hash.clone()], hash, content: content.into(), what });
    scene.snap("trust");
}

#[test]
fn a_file_that_a_hook_runs_in_full() {
    let mut scene = at_work();
    let content =
        "# file: hooks/guard.sh (run by a hook)\n\n#!/bin/sh\nread call\necho '{\"decision\":\"allow\"}'\u{1b}[2J\n";
    let path = "/home/dev/shop/hooks/guard.sh".into();
    let (hash, what) = ("cd34".to_owned(), Untrusted::HookFiles);
    scene.state.settings.untrusted =
        Some(UntrustedConfig { path, marks: vec![hash.clone()], hash, content: content.into(), what });
    scene.snap("trust-hook");
}

#[test]
fn the_guided_set_up() {
    let mut scene = Scene::new();
    scene.state.settings.first_run = true;
    scene.state.settings.providers.clear();
    scene.snap("setup-1-address");
    scene.code(KeyCode::Enter);
    scene.type_text("LOCAL_KEY");
    scene.snap_at("setup-2-key", 80, 24);
    scene.code(KeyCode::Enter);
    scene.snap_at("setup-3-asking", 80, 24);
    scene.window().models(Err(Report::internal("cannot reach `http://127.0.0.1:8080/v1/models`: connection refused")
        .hint("start the server, or correct the address, and press Enter")));
    scene.snap_at("setup-3-refused", 80, 24);
    scene.code(KeyCode::Enter);
    scene.code(KeyCode::Enter);
    scene.window().models(Ok((1..=12).map(|i| format!("model-{i}")).collect()));
    scene.code(KeyCode::Down);
    scene.snap("setup-4-model");
    scene.code(KeyCode::Enter);
    scene.window().saved(Ok(()));
    scene.snap_at("setup-5-saved", 80, 24);
}

#[test]
fn a_lanes_diff() {
    let mut scene = at_work();
    let diff = "diff --git a/src/login.rs b/src/login.rs\nindex 1..2 100644\n--- a/src/login.rs\n+++ b/src/login.rs\n@@ -40,4 +40,5 @@ fn login()\n let user = form.user();\n-let user = auth(&req).await?;\n+\tlimiter.check(req.ip())?;\n+let user = auth(&req).await?;\n Ok(user)\n";
    scene.window().diff(paralane::domain::LaneId(1), Ok(diff.into()));
    scene.snap("diff");
}

#[test]
fn checkpoints_to_choose_from() {
    let mut scene = at_work();
    let lane = scene.state.model.open_lanes().next().unwrap().id;
    let point =
        |number, words: &str, files| Point { number, words: words.into(), at: ago(number as i64 * -60 + 300), files };
    let all = vec![
        point(4, "then update\u{1b}[2J the changelog", true),
        point(3, "write a test for it", false),
        point(1, "add rate limiting to the login route", true),
    ];
    scene.window().overlay = Some(Overlay::Points(Points { lane, all, chosen: 0 }));
    scene.code(KeyCode::Down);
    scene.snap("rewind");
    let actions = scene.code(KeyCode::Char('c'));
    let wanted = Invocation::Rewind { lane: Some("api".into()), number: Some(3), what: RewindWhat::Conversation };
    let [WindowAction::Run { invocation, .. }] = &actions[..] else { panic!("{actions:?}") };
    assert_eq!(*invocation, wanted);
}

#[test]
fn notes_stand_in_one_line_until_they_are_opened() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.asked(lane, "add rate limiting to the login route");
    scene.answered(lane, "The router has no limit yet.");
    let notes = Notes {
        goal: "Rate limiting on the login route, \u{1b}[2Jper address.".into(),
        done: "- the router was read\n- a limiter was chosen".into(),
        files: "- src/login.rs: the route".into(),
        next: "Write the test first.".into(),
        ..Notes::default()
    };
    let noted = |seq, without_model: Option<&str>, cause| {
        let without_model = without_model.map(str::to_owned);
        let made = NotesEntry { upto: 2, notes: notes.clone(), cause, without_model, before: 98_200, after: 21_400 };
        Entry { lane, seq, prompt: None, at: ago(30), body: EntryBody::Notes(Box::new(made)) }
    };
    scene.state.model.apply(&Change::EntryAdded { entry: Box::new(noted(3, None, CompactCause::Full)) });
    scene.asked(lane, "go on");
    scene.answered(lane, "I begin with the test.");
    let plain = noted(6, Some("the model server answered\n500"), CompactCause::Asked);
    scene.state.model.apply(&Change::EntryAdded { entry: Box::new(plain) });
    let text = scene.text();
    assert!(!text.contains("a limiter was chosen"), "{text}");
    scene.snap("notes_folded");
    scene.window().folds.turn(lane, 3);
    scene.snap("notes_open");
}

#[test]
fn what_a_rewind_left_behind_stands_behind_one_line() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.asked(lane, "first");
    scene.answered(lane, "The first answer.");
    scene.asked(lane, "second");
    scene.answered(lane, "The second answer.");
    let body = EntryBody::Rewound { to: 2, checkpoint: 2 };
    let entry = Entry { lane, seq: 5, prompt: None, at: ago(30), body };
    scene.state.model.apply(&Change::EntryAdded { entry: Box::new(entry) });
    scene.asked(lane, "another");
    let text = scene.text();
    assert!(text.contains("The first answer.") && !text.contains("second"), "{text}");
    scene.snap_at("rewound", 80, 24);
}

/// A project with a plan: issues in groups, owned, offered, waiting and done.
fn planned() -> Scene {
    let mut scene = at_work();
    let issues = |all: &[i64]| all.iter().copied().map(IssueId).collect::<std::collections::BTreeSet<_>>();
    let titles = [
        (1, "schema of the shop's database, with its migrations"),
        (2, "the login route"),
        (3, "rate limiting on login"),
        (4, "pages for the basket"),
        (5, "release notes that tell what changes for those who have written plug-ins against the old interface"),
    ];
    let plan = Plan {
        name: "shop".into(),
        issues: titles.iter().map(|(id, title)| (IssueId(*id), (*title).to_owned())).collect(),
        dependencies: [(2, issues(&[1])), (3, issues(&[2])), (4, issues(&[1, 2]))]
            .into_iter()
            .map(|(id, on)| (IssueId(id), on))
            .collect(),
        groups: [("core".to_owned(), issues(&[1, 2, 3])), ("pages".to_owned(), issues(&[4]))].into(),
    };
    let applied = AppliedPlan { plan, digest: "0".repeat(64), at: ago(9_000) };
    let claim =
        |id, lane, at, due| Claim { id: ClaimId(id), lane: LaneId(lane), at: ago(at), due, attempts: 0, handoff: None };
    let offer = Offer {
        id: OfferId(1),
        issue: IssueId(3),
        kind: OfferKind::Assignment,
        from: Party::Operator,
        to: LaneId(3),
        claim: None,
        summary: "you know the limiter".into(),
        remaining: Vec::new(),
        commit: None,
        reservations: Vec::new(),
        due: None,
        created: ago(60),
    };
    for change in [
        Change::Plan(PlanChange::Applied { applied: Box::new(applied) }),
        Change::Issue(IssueChange::Claimed { issue: IssueId(1), claim: Box::new(claim(1, 2, 8_000, None)) }),
        Change::Issue(IssueChange::Released {
            issue: IssueId(1),
            claim: ClaimId(1),
            lane: LaneId(2),
            done: true,
            at: ago(4_000),
        }),
        Change::Issue(IssueChange::Claimed { issue: IssueId(2), claim: Box::new(claim(2, 1, 3_700, Some(ago(100)))) }),
        Change::Issue(IssueChange::Offered { offer: Box::new(offer) }),
    ] {
        scene.state.model.apply(&change);
    }
    scene
}

#[test]
fn the_board_shows_who_has_what_in_the_plans_order() {
    let mut scene = planned();
    scene.lead('b');
    scene.snap("board");
    scene.type_text("j");
    scene.type_text("v");
    scene.snap_at("board-detail", 120, 40);
}

#[test]
fn the_keys_of_the_board_act_on_the_chosen_issue() {
    let mut scene = planned();
    scene.lead('b');
    scene.type_text("j");
    let acts = |actions: Vec<WindowAction>| format!("{actions:?}");
    let claimed = acts(scene.type_text("c"));
    assert!(claimed.contains("Claim { issue: IssueId(2)"), "{claimed}");
    let released = acts(scene.type_text("r"));
    assert!(released.contains("Release { issue: IssueId(2), lane: Some(\"api\")"), "{released}");
    scene.type_text("k");
    assert_eq!(acts(scene.type_text("r")), "[]", "nobody owns it");
    assert!(scene.text().contains("nobody owns issue #1"), "{}", scene.text());
    scene.type_text("jj");
    scene.type_text("o");
    assert_eq!(scene.window().draft.text(), "/issue assign 3 ");
    assert!(scene.window().overlay.is_none());
    scene.window().draft.set("");
    scene.lead('b');
    scene.type_text("j");
    scene.type_text("o");
    assert_eq!(scene.window().draft.text(), "/issue offer 2 --lane api --to ");
}

#[test]
fn a_message_over_the_board_leaves_its_frame_and_names_commands_of_the_window() {
    let mut scene = planned();
    for (columns, rows) in [(80, 24), (120, 40), (200, 50)] {
        scene.resize(columns, rows);
        scene.window().overlay = None;
        scene.lead('b');
        let hint = "`paralane issue request 2 --lane web --summary TEXT` asks `api` for it";
        let report = Report::refused("issue #2 is owned by lane `api`").hint(hint);
        scene.window().toast(report, now());
        let text = scene.text();
        assert!(text.contains("→ `/issue request 2 --lane web --summary TEXT`"), "{text}");
        let at = |line: &str, c| line.chars().position(|found| found == c);
        let mut lines = text.lines().skip_while(|line| at(line, '╮').is_none());
        let right = at(lines.next().unwrap(), '╮').unwrap();
        let inside = lines.take_while(|line| at(line, '╯').is_none());
        assert!(
            inside.clone().count() > 10 && inside.clone().all(|line| line.chars().nth(right) == Some('│')),
            "{text}"
        );
    }
}

#[test]
fn an_empty_board_says_what_to_do_first() {
    let mut scene = Scene::new();
    scene.agent("api");
    scene.lead('b');
    scene.snap("board-empty");
}
