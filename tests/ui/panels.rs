//! The side panel's tabs.

use paralane::app::window::Keyboard;
use paralane::app::{ActivityLine, Problem};
use paralane::base::Report;
use paralane::domain::{
    Answerer, ApprovalState, CallState, Change, ConflictKind, ConflictState, LaneId, MailChange, Message, MessageId,
    Party, PromptState,
};

use crate::support::{Scene, ago, at_work};

#[test]
fn approvals_with_the_exact_call() {
    let mut scene = at_work();
    scene.lead('a');
    scene.snap("approvals");
}

#[test]
fn a_write_shows_its_diff_and_a_long_command_is_counted() {
    let mut scene = at_work();
    let lane = LaneId(2);
    let prompt = scene.prompt(lane, "x", PromptState::Waiting, 30);
    let call = scene.called(lane, "edit", "docs/api.md", CallState::Waiting);
    let write = scene.approval(lane, prompt, &call, "edit", "docs/api.md");
    let approval = scene.state.model.approvals.get_mut(&write).unwrap();
    approval.diff = Some(
        "--- a/docs/api.md\n+++ b/docs/api.md\n@@ -1,2 +1,12 @@\n # API\n".to_owned()
            + &"+a new line of the page about limits\n".repeat(10),
    );
    let call = scene.called(lane, "shell", "many", CallState::Waiting);
    let script = (1..=20)
        .map(|i| format!("echo step {i} && ./run --number {i} --with some --more flags"))
        .collect::<Vec<_>>()
        .join("\n");
    scene.approval(lane, prompt, &call, "shell", &script);
    scene.lead('a');
    scene.type_text("j");
    scene.snap("approvals-write");
    scene.type_text("j");
    scene.snap("approvals-long");
    scene.type_text("v");
    scene.snap("approval-whole");
}

#[test]
fn a_question_for_two_says_who_has_said_yes_and_how_long_it_waits() {
    let mut scene = at_work();
    let approval = scene.state.model.approvals.values_mut().next().unwrap();
    approval.needs = 2;
    approval.rule.rule = "ask shell npm *, the yes of two".into();
    approval.expires = Some(ago(-1_500));
    scene.snap_at("two-wanted-line", 80, 24);
    scene.lead('a');
    scene.snap_at("two-wanted", 120, 40);
    let approval = scene.state.model.approvals.values_mut().next().unwrap();
    approval.confirmed = Some(Answerer::unknown("window on pts/3"));
    approval.expires = Some(ago(-42));
    scene.snap_at("two-one-yes", 80, 24);
    scene.type_text("v");
    scene.snap_at("two-whole", 80, 24);
}

/// Another lane asks for what `ui` asks.
fn asked_alike() -> Scene {
    let mut scene = at_work();
    let lane = LaneId(2);
    let prompt = scene.prompt(lane, "x", PromptState::Waiting, 30);
    let call = scene.called(lane, "shell", "npm test -- --run login", CallState::Waiting);
    scene.approval(lane, prompt, &call, "shell", "npm test -- --run login");
    scene.lead('a');
    scene
}

#[test]
fn what_several_lanes_ask_is_said_and_answered_at_once() {
    let mut scene = asked_alike();
    scene.snap("approvals-alike");
    assert_eq!(scene.type_text("Y").len(), 2);
}

#[test]
fn a_fact_to_remember_shows_its_text_and_is_allowed_once_only() {
    let mut scene = at_work();
    scene.state.model.approvals.clear();
    let lane = LaneId(2);
    let prompt = scene.prompt(lane, "x", PromptState::Waiting, 30);
    let text =
        "project: Releases are cut from `release/*`; a hot fix goes there first, then to main.\nNever the other way.";
    let call = scene.called(lane, "remember", text, CallState::Waiting);
    let asked = scene.approval(lane, prompt, &call, "remember", text);
    scene.state.model.approvals.get_mut(&asked).unwrap().rule.rule = "what is remembered always asks".into();
    scene.lead('a');
    scene.snap("approvals-remember");
    scene.type_text("v");
    scene.snap_at("approval-remember-whole", 80, 24);
}

#[test]
fn conflicts_of_a_prompt_and_of_a_write() {
    let mut scene = at_work();
    let prompt = scene.prompt(LaneId(2), "rewrite the login page", PromptState::Waiting, 30);
    let paths = ["src/login.rs", "src/router.rs", "src/a.rs", "src/b.rs", "src/c.rs", "src/d.rs"];
    let second = scene.conflict(LaneId(2), LaneId(1), prompt, ConflictKind::Write, &paths);
    scene.lead('c');
    scene.snap("conflicts");
    scene.state.model.conflicts.get_mut(&second).unwrap().state = ConflictState::Waiting;
    scene.type_text("j");
    scene.snap("conflicts-write");
    scene.type_text("v");
    scene.snap("conflict-whole");
}

#[test]
fn problems_with_what_to_do() {
    let mut scene = at_work();
    scene.state.problems.push(Problem {
        lane: Some(LaneId(2)),
        report: Report::refused("the worktree of lane `docs` was deleted by hand")
            .hint("`/lane restart docs` makes it again, `/lane close docs` removes the lane"),
        since: ago(300),
    });
    scene.state.problems.push(Problem {
        lane: None,
        report: Report::internal("the configuration `.paralane/config.toml` is broken in line 3: unknown key `agnet`")
            .hint("did you mean `agent`? The old settings stay in force"),
        since: ago(20),
    });
    scene.lead('!');
    scene.snap("problems");
}

#[test]
fn mail_is_read_answered_and_acknowledged() {
    let mut scene = at_work();
    for (id, from, to, subject, ack) in [
        (1, Party::House, Party::Operator, "lane `ui` owns issue #7 now", false),
        (2, Party::Lane(LaneId(1)), Party::Operator, "I need the staging key before the login tests can go on", true),
        (3, Party::Lane(LaneId(2)), Party::Lane(LaneId(1)), "the schema has changed", false),
    ] {
        let message = Message {
            id: MessageId(id),
            thread: MessageId(id),
            reply_to: None,
            from,
            to: vec![to],
            subject: subject.to_owned(),
            body: String::new(),
            topic: None,
            ack,
            ack_due: None,
            decision: false,
            issue: None,
            attachments: Vec::new(),
            later: None,
            created: ago(600 / id),
        };
        scene.state.model.apply(&Change::Mail(MailChange::Sent { message: Box::new(message) }));
    }
    scene.lead('m');
    scene.snap("mail");
    let asked = scene.type_text("a");
    assert_eq!(asked.len(), 1, "{asked:?}");
    scene.type_text("r");
    assert_eq!(scene.window().draft.text(), "/say api --reply msg2 ");
}

#[test]
fn activity_newest_first() {
    let mut scene = at_work();
    for i in 0..60 {
        let text = if i % 3 == 0 { "prompt p1 started".to_owned() } else { format!("edit src/file_{i}.rs +2 −1") };
        let lane = (i % 4 != 3).then_some(LaneId(i64::from(i % 3) + 1));
        scene.state.activity.push_back(ActivityLine { at: ago(i64::from(60 - i) * 30), lane, text });
    }
    scene.lead('v');
    scene.snap("activity");
}

#[test]
fn empty_tabs_say_what_will_stand_there() {
    for (key, name) in [('a', "approvals"), ('c', "conflicts"), ('!', "problems"), ('v', "activity")] {
        let mut scene = Scene::new();
        scene.agent("api");
        scene.lead(key);
        scene.snap_at(&format!("empty-{name}"), 120, 40);
    }
}

#[test]
fn the_last_answer_gives_the_keys_back_to_the_prompt_bar() {
    let mut scene = at_work();
    scene.lead('a');
    scene.text();
    scene.state.model.approvals.values_mut().for_each(|a| a.state = ApprovalState::Allowed);
    scene.text();
    assert_eq!(scene.window().keyboard, Keyboard::Prompt);
    assert!(!scene.window().panel.open);
}

#[test]
fn letters_in_an_empty_tab_are_text_for_the_prompt_bar() {
    let mut scene = Scene::new();
    scene.agent("api");
    scene.lead('a');
    scene.text();
    scene.type_text("never");
    assert_eq!(scene.window().draft.text(), "never");
    assert_eq!(scene.window().keyboard, Keyboard::Prompt);
}
