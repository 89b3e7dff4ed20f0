//! Hooks around a turn: what each event's answers do, to the call, the model and the transcript.

use std::path::Path;

use paralane::agent::TurnInput;
use paralane::config::{Hook, Layer, Origin};
use paralane::domain::{EntryBody, HookEvent, Reasoning, TurnOutcome, TurnRecord, Verdict};
use serde_json::{Value, json};

use crate::harness::{Lane, Port, call, done, error, until};

pub fn hook(event: HookEvent, script: &str) -> Hook {
    Hook {
        event,
        tools: Vec::new(),
        command: ["sh", "-c", script].map(str::to_owned).to_vec(),
        timeout: 30,
        lane: None,
        sandbox: false,
        origin: Origin::File { layer: Layer::User, file: "config.toml".into(), line: 9 },
    }
}

/// A hook that says this.
pub fn says(event: HookEvent, answer: &Value) -> Hook {
    hook(event, &format!("cat > /dev/null; echo '{answer}'"))
}

fn lane(hooks: &[Hook]) -> Lane {
    let mut lane = Lane::new();
    lane.hooks = hooks.to_vec();
    lane
}

/// What the model was told last.
fn last_message(lane: &Lane) -> String {
    let body = lane.server.seen().pop().unwrap().body;
    body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_blocked_call_does_not_run_and_nobody_is_asked() {
    let block = json!({"decision": "block", "reason": "the schema is frozen"});
    let mut guard = says(HookEvent::BeforeTool, &block);
    guard.tools = vec!["write".into()];
    let (lane, port) = (lane(&[guard]), Port::allowing());
    assert_eq!(lane.prompt("%write a.txt x\n%sh echo hi\n%say fine", &port).await, done("fine"));
    assert_eq!(lane.read("a.txt"), None);
    let outcomes = port.outcomes();
    assert!(
        !outcomes[0].ok
            && outcomes[0].output.contains("config.toml:9")
            && outcomes[0].output.contains("schema is frozen")
    );
    assert!(outcomes[1].ok, "other tools are not its business");
    assert_eq!(port.requests.lock().unwrap().len(), 1, "the person is not asked about it");
    assert_eq!(port.started().len(), 1);
    assert!(port.notices()[0].contains("(user config.toml:9) at before-tool blocks: the schema is frozen"));
}

#[tokio::test]
async fn a_hooks_yes_loosens_nothing() {
    let (lane, deny) = (lane(&[says(HookEvent::BeforeTool, &json!({"decision": "allow"}))]), "not in plan mode");
    let port = Port::new(move |_| Some(Verdict::Deny { reason: deny.into() }));
    assert_eq!(lane.prompt("%write a.txt x\n%say fine", &port).await, done("fine"));
    assert_eq!(lane.read("a.txt"), None);
    assert!(port.outcomes()[0].output.contains(deny));
    assert!(port.notices().is_empty(), "a hook that simply allows leaves no trace");
}

#[tokio::test]
async fn warnings_are_shown_and_injections_reach_the_model_with_the_result() {
    let warn = says(HookEvent::BeforeTool, &json!({"decision": "warn", "text": "slow machine"}));
    let inject = says(HookEvent::BeforeTool, &json!({"decision": "inject", "text": "use make instead"}));
    let after = says(HookEvent::AfterTool, &json!({"decision": "inject", "text": "lint is clean"}));
    let (lane, port) = (lane(&[warn, inject, after]), Port::allowing());
    assert_eq!(lane.prompt("%sh echo hi\n%say fine", &port).await, done("fine"));
    let told = last_message(&lane);
    let place = |text: &str| told.find(text).unwrap_or_else(|| panic!("{text} in {told}"));
    assert!(place("hi\n[exit 0]") < place("lint is clean") && place("lint is clean") < place("use make instead"));
    let notices = port.notices();
    assert!(notices[0].contains("at before-tool: slow machine"), "{notices:?}");
    assert!(notices.iter().any(|text| text.contains("at after-tool tells the model: lint is clean")), "{notices:?}");
    // A denied call tells it too.
    let port = Port::new(|_| Some(Verdict::Deny { reason: "no".into() }));
    lane.prompt("%sh echo hi\n%say fine", &port).await;
    assert!(port.outcomes()[0].output.contains("use make instead"));
}

#[tokio::test]
async fn an_objection_after_a_call_is_told_and_what_it_did_stands() {
    let mut object = says(HookEvent::AfterTool, &json!({"decision": "block", "reason": "tests fail"}));
    object.tools = vec!["write".into()];
    let (lane, port) = (lane(&[object]), Port::allowing());
    assert_eq!(lane.prompt("%write a.txt x\n%say fine", &port).await, done("fine"));
    assert_eq!(lane.read("a.txt").as_deref(), Some("x"));
    let outcome = port.outcomes().remove(0);
    assert!(
        !outcome.ok && outcome.output.contains("Reason: tests fail") && outcome.summary.ends_with("a hook objects")
    );
    assert_eq!(outcome.written, ["a.txt"]);
}

#[tokio::test]
async fn a_hook_after_a_call_sees_what_came_of_it() {
    let (lane, port) = (lane(&[hook(HookEvent::AfterTool, "cat > seen.json")]), Port::allowing());
    lane.prompt("%sh echo hi; exit 4\n%say fine", &port).await;
    let seen: Value = serde_json::from_str(&lane.read("seen.json").unwrap()).unwrap();
    assert_eq!(seen["outcome"], json!({"ok": false, "summary": "exit 4", "output": "hi\n[exit 4]", "written": []}));
}

#[tokio::test]
async fn a_prompt_is_blocked_before_the_model_is_asked() {
    let block = json!({"decision": "block", "reason": "freeze until Monday"});
    let (lane, port) = (lane(&[says(HookEvent::Prompt, &block)]), Port::allowing());
    let words = error(lane.prompt("%say hi", &port).await);
    assert!(words.contains("config.toml:9) blocks this prompt: freeze until Monday"), "{words}");
    assert!(lane.server.seen().is_empty(), "no model was asked");
    assert_eq!(port.entries(), [EntryBody::Withheld], "later prompts do not bring it along");
    let (lane, port) = (self::lane(&[hook(HookEvent::Prompt, "exit 7")]), Port::allowing());
    let words = error(lane.prompt("%say hi", &port).await);
    assert!(words.contains("ended with exit status: 7"), "{words}");
    assert!(lane.server.seen().is_empty());
}

#[tokio::test]
async fn what_a_prompt_hook_tells_stands_with_the_prompt_and_is_not_asked_twice() {
    let count = "cat >> asked; echo >> asked; echo '{\"decision\":\"inject\",\"text\":\"today is Monday\"}'";
    let (lane, port) = (lane(&[hook(HookEvent::Prompt, count)]), Port::allowing());
    assert_eq!(lane.prompt("%say hi", &port).await, done("hi"));
    let told = last_message(&lane);
    assert!(told.starts_with("%say hi\n\n[hook") && told.ends_with("today is Monday"), "{told}");
    let asked: Value = serde_json::from_str(lane.read("asked").unwrap().trim()).unwrap();
    assert_eq!((&asked["event"], &asked["text"]), (&json!("prompt"), &json!("%say hi")));
    // The turn goes on after a cut: what was told stands, and the hook is not run again.
    let mut entries = vec![EntryBody::Prompt { text: "%say hi".into() }];
    entries.extend(port.entries().into_iter().filter(|entry| matches!(entry, EntryBody::Told { .. })));
    assert_eq!(entries.len(), 2);
    assert_eq!(lane.start(lane.input(entries), &Port::allowing()).await, done("hi"));
    assert_eq!(last_message(&lane), told);
    assert_eq!(lane.read("asked").unwrap().lines().count(), 1);
}

#[tokio::test]
async fn a_turn_goes_on_until_the_stop_hook_is_content() {
    let script = "cat > /dev/null; if [ -e ok ]; then exit 0; fi; \
                  printf '{\"decision\":\"block\",\"reason\":\"make ok first\\\\n%%write ok 1\\\\n%%say now it is\"}'";
    let (lane, port) = (lane(&[hook(HookEvent::Stop, script)]), Port::allowing());
    assert_eq!(lane.prompt("%say done", &port).await, done("now it is"));
    assert_eq!(lane.read("ok").as_deref(), Some("1"));
    let told = port.records.lock().unwrap().iter().filter(|record| matches!(record, TurnRecord::Told { .. })).count();
    assert_eq!(told, 1);
    // Never content: the turn ends all the same.
    let never = says(HookEvent::Stop, &json!({"decision": "block", "reason": "%say again"}));
    let (lane, port) = (self::lane(&[never]), Port::allowing());
    assert_eq!(lane.prompt("%say done", &port).await, done("again"));
    assert_eq!(lane.server.seen().len(), 4);
    assert!(port.notices()[0].contains("kept it from that 3 times"), "{:?}", port.notices());
}

#[tokio::test]
async fn a_failing_stop_hook_is_said_and_the_turn_ends() {
    let (lane, port) = (lane(&[hook(HookEvent::Stop, "exit 1")]), Port::allowing());
    assert_eq!(lane.prompt("%say done", &port).await, done("done"));
    assert!(port.notices()[0].contains("at stop failed: it ended with"), "{:?}", port.notices());
}

#[tokio::test]
async fn a_session_begins_once() {
    let begin = "cat >> begun; echo >> begun; echo '{\"decision\":\"inject\",\"text\":\"team rules\"}'";
    let (lane, port) = (lane(&[hook(HookEvent::SessionStart, begin)]), Port::allowing());
    let input = lane.input(vec![EntryBody::Prompt { text: "%say hi".into() }]);
    let again = TurnInput { tools: input.tools.clone(), ..input.clone() };
    assert_eq!(lane.start(input, &port).await, done("hi"));
    assert!(last_message(&lane).ends_with("team rules"));
    assert_eq!(lane.start(again, &port).await, done("hi"));
    assert_eq!(lane.read("begun").unwrap().lines().count(), 1);
}

#[tokio::test]
async fn what_the_person_made_of_a_call_is_judged_again() {
    let script = "grep -q forbidden && echo '{\"decision\":\"block\",\"reason\":\"that word\"}'; true";
    let lane = lane(&[hook(HookEvent::BeforeTool, script)]);
    let port = Port::new(|request| {
        let mut call = request.call.clone();
        call.arguments = json!({"command": "echo forbidden > ran"});
        Some(Verdict::Run(call))
    });
    assert_eq!(lane.prompt("%sh echo fine\n%say over", &port).await, done("over"));
    assert_eq!(lane.read("ran"), None);
    assert!(port.outcomes()[0].output.contains("that word"), "{:?}", port.outcomes());
}

#[tokio::test]
async fn a_childs_calls_pass_the_same_hooks() {
    let mut guard = says(HookEvent::BeforeTool, &json!({"decision": "block", "reason": "hands off"}));
    guard.tools = vec!["write".into()];
    let (lane, port) = (lane(&[guard]), Port::allowing());
    let task = json!({"task": "%write a.txt x\n%say tried", "change": true});
    assert_eq!(lane.prompt(&format!("%call spawn {task}\n%say over"), &port).await, done("over"));
    assert_eq!(lane.read("a.txt"), None);
    assert_eq!(port.outcomes()[0].output, "tried");
}

#[tokio::test]
async fn a_cancel_ends_the_hook_that_a_call_waits_for() {
    let lane = lane(&[hook(HookEvent::BeforeTool, "echo $$ > pid; sleep 1000")]);
    let port = Port::allowing();
    let turn = lane.prompt("%sh echo hi\n%say fine", &port);
    let cancel = async {
        until("the hook", || lane.read("pid").is_some_and(|pid| pid.ends_with('\n'))).await;
        lane.cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(turn, cancel);
    assert_eq!(outcome, TurnOutcome::Cancelled);
    assert!(port.requests.lock().unwrap().is_empty());
    let pid = lane.read("pid").unwrap();
    assert!(!Path::new("/proc").join(pid.trim()).exists(), "the hook has ended");
}

#[tokio::test]
async fn a_call_that_waited_over_a_restart_is_asked_about_again() {
    let (lane, port) = (lane(&[hook(HookEvent::BeforeTool, "echo x >> asked")]), Port::allowing());
    let entries = vec![
        EntryBody::Prompt { text: "%write a.txt x\n%say fine".into() },
        EntryBody::Answer { text: String::new(), cut: false, usage: None, reasoning: Reasoning::default() },
        call("p1.1.1", "write", json!({"path": "a.txt", "content": "x"})),
    ];
    assert_eq!(lane.start(lane.input(entries), &port).await, done("fine"));
    assert_eq!((lane.read("asked").as_deref(), lane.read("a.txt").as_deref()), (Some("x\n"), Some("x")));
}

#[tokio::test]
async fn hooks_that_do_not_run_for_want_of_trust_are_said_once() {
    let (lane, port) = (lane(&[]), Port::allowing());
    let mut input = lane.input(vec![EntryBody::Prompt { text: "%say hi".into() }]);
    input.unused_hooks = 2;
    lane.start(input.clone(), &port).await;
    lane.start(input, &port).await;
    let notices = port.notices();
    assert!(
        notices.len() == 1 && notices[0].starts_with("2 hooks of the project's configuration do not run"),
        "{notices:?}"
    );
}

#[tokio::test]
async fn a_skill_is_told_by_name_and_loaded_on_demand() {
    let (lane, port) = (lane(&[]), Port::allowing());
    let directory = lane.dir.path().join(".paralane/skills/release");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("SKILL.md"), "---\ndescription: How we release\n---\nTag it, then push.\n").unwrap();
    let script = "%call skill {\"name\":\"release\"}\n%call skill {\"name\":\"../x\"}\n%say fine";
    assert_eq!(lane.prompt(script, &port).await, done("fine"));
    let first = lane.server.seen().remove(0).body["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(first.contains("- release: How we release") && !first.contains("Tag it"), "{first}");
    let outcomes = port.outcomes();
    assert!(outcomes[0].ok && outcomes[0].output.ends_with("Tag it, then push."), "{outcomes:?}");
    assert!(!outcomes[1].ok && outcomes[1].output.contains("there are: release"));
    let mut off = lane.input(vec![EntryBody::Prompt { text: "%say hi".into() }]);
    off.off = [paralane::domain::Layer::Skills].into();
    lane.start(off, &port).await;
    let told = lane.server.seen().pop().unwrap().body["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(!told.contains("How we release"), "{told}");
}
