//! Tools that reach beyond one call: child agents, jobs, cut results, loops, and models that misbehave.

use paralane::domain::{FactScope, TurnOutcome, TurnRecord, Verdict};
use serde_json::{Value, json};

use crate::harness::{Lane, Port, done, error, until};
use crate::model_server::Reply;

fn spawn(task: &str, change: bool) -> String {
    format!("call spawn {}", json!({"task": task, "change": change}))
}

#[tokio::test]
async fn a_childs_answer_comes_back_and_its_steps_are_told() {
    let (lane, port) = (Lane::new(), Port::allowing());
    std::fs::write(lane.dir.path().join("a.txt"), "the answer is 42\n").unwrap();
    let script = format!("%{}\n%say it is 42", spawn("%read a.txt\n%call edit {}\n%say 42", false));
    assert_eq!(lane.prompt(&script, &port).await, done("it is 42"));
    let outcome = &port.outcomes()[0];
    assert_eq!((outcome.ok, outcome.output.as_str(), outcome.summary.as_str()), (true, "42", "3 steps"));
    let records = port.records.lock().unwrap();
    let steps: Vec<String> = records
        .iter()
        .filter_map(|record| match record {
            TurnRecord::Child { under, step, .. } if !step.tool.is_empty() => {
                Some(format!("{under} {} {} {}", step.tool, step.action, step.summary))
            }
            _ => None,
        })
        .collect();
    assert_eq!(steps, ["p1.1.1 read a.txt 1 line", "p1.1.1 edit {} no such tool"]);
    // The child's requests: a context and a smaller set of tools of its own, and every token is accounted for.
    let seen = lane.server.seen();
    let body = &seen[1].body;
    let names: Vec<&str> =
        body["tools"].as_array().unwrap().iter().map(|tool| tool["function"]["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"read") && !names.contains(&"edit") && !names.contains(&"spawn"), "{names:?}");
    assert_eq!(body["messages"].as_array().unwrap().len(), 2);
    let refused = seen[3].body["messages"].to_string();
    assert!(refused.contains("There is no tool `edit`"), "{refused}");
    let counted = records.iter().filter(|record| {
        matches!(record, TurnRecord::Child { step, .. } if step.usage.is_some())
            || matches!(record, TurnRecord::Step { usage: Some(_), .. })
    });
    assert_eq!(counted.count(), seen.len());
}

#[tokio::test]
async fn a_fact_is_asked_about_as_it_would_be_kept_and_its_start_is_not_kept() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let call = |arguments: Value| format!("%call remember {arguments}");
    let script = [
        call(json!({"text": "  the gate\n is slow "})),
        call(json!({"text": "user: tea", "scope": "user"})),
        call(json!({"text": "x", "scope": "world"})),
        call(json!({"text": "a\u{1b}[2Jb"})),
        call(json!({"text": " "})),
        "%say ok".to_owned(),
    ];
    assert_eq!(lane.prompt(&script.join("\n"), &port).await, done("ok"));
    let asked: Vec<String> = port.requests.lock().unwrap().iter().map(|request| request.action.clone()).collect();
    assert_eq!(asked, ["project: the gate\n is slow", "user: user: tea"]);
    let kept = port.remembered.lock().unwrap().clone();
    assert_eq!(
        kept,
        [(FactScope::Project, "the gate\n is slow".to_owned()), (FactScope::User, "user: tea".to_owned()),]
    );
    assert_eq!(port.started(), [], "to keep it again after a crash is harmless");
    let outcomes = port.outcomes();
    assert_eq!((outcomes[0].summary.as_str(), outcomes[0].ok), ("m1", true));
    for (outcome, words) in
        outcomes[2..].iter().zip(["`scope` must be one of `project`, `user`", "U+001B", "`text` is empty"])
    {
        assert!(!outcome.ok && outcome.output.contains(words), "{words}: {}", outcome.output);
    }
}

#[tokio::test]
async fn a_child_that_changes_asks_for_each_call_under_an_id_of_its_own() {
    let lane = Lane::new();
    let port = Port::new(|request| match request.call.tool.as_str() {
        "shell" => Some(Verdict::Deny { reason: "not now".into() }),
        _ => Some(Verdict::Run(request.call.clone())),
    });
    let script = format!("%{}", spawn("%write b.txt made\n%sh touch c\n%say made one", true));
    assert_eq!(lane.prompt(&script, &port).await, done("done"));
    assert_eq!((lane.read("b.txt").as_deref(), lane.read("c")), (Some("made"), None));
    let ids: Vec<String> = port.requests.lock().unwrap().iter().map(|request| request.call.id.0.clone()).collect();
    assert_eq!(ids, ["p1.1.1", "p1.1.1/1.1", "p1.1.1/2.1"]);
    let started: Vec<String> = port.started().into_iter().map(|id| id.0).collect();
    assert_eq!(started, ["p1.1.1", "p1.1.1/1.1"]);
    let records = port.records.lock().unwrap();
    let written = records.iter().any(
        |record| matches!(record, TurnRecord::Child { written, finished: Some(id), .. } if *written == ["b.txt"] && id.0 == "p1.1.1/1.1"),
    );
    assert!(written, "{records:?}");
}

#[tokio::test]
async fn children_end_with_their_parent_and_are_bounded() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let script = format!("%{}\n%+{}", spawn("%hang", false), spawn("%sh echo x; sleep 1000", true));
    let turn = lane.prompt(&script, &port);
    let cancel = async {
        // The looking child hangs in its model call, and the changing one waits for its turn behind it.
        lane.server.wait_for_open(1);
        lane.cancel.cancel();
    };
    let cancel = async {
        until("the child's call", || lane.server.seen().len() >= 2).await;
        cancel.await;
    };
    let (outcome, ()) = tokio::join!(turn, cancel);
    assert_eq!(outcome, TurnOutcome::Cancelled);

    let (lane, port) = (Lane::new(), Port::allowing());
    let many: Vec<String> = (0..18).map(|number| spawn(&format!("%say {number}"), false)).collect();
    let script = format!("%{}", many.join("\n%+"));
    assert_eq!(lane.prompt(&script, &port).await, done("done"));
    let outcomes = port.outcomes();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.ok).count(), 16);
    assert!(outcomes.iter().any(|outcome| outcome.output.contains("do the rest yourself")));
}

#[tokio::test]
async fn a_job_outlives_the_turn_and_not_the_lane() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let input = |text: &str| lane.input(vec![paralane::domain::EntryBody::Prompt { text: text.to_owned() }]);
    let first =
        input("%call shell {\"command\": \"echo up > said; while :; do sleep 0.05; done\", \"background\": true}");
    let tools = first.tools.clone();
    assert_eq!(lane.start(first, &port).await, done("done"));
    until("the job", || lane.read("said").is_some()).await;
    assert_eq!(tools.running_jobs(), 1);
    let mut second = input("%call jobs {}\n%say seen");
    second.tools = tools.clone();
    assert_eq!(lane.start(second, &port).await, done("seen"));
    assert!(port.outcomes()[1].output.starts_with("j1  running"), "{:?}", port.outcomes());
    tools.close().await;
    assert_eq!(tools.running_jobs(), 0);
}

#[tokio::test]
async fn a_model_that_goes_round_in_circles_is_told_and_then_stopped() {
    let (lane, port) = (Lane::new(), Port::allowing());
    for _ in 0..20 {
        lane.server.push(Reply::calls(&[("list", json!({}))]));
    }
    let words = error(lane.prompt("go", &port).await);
    assert!(words.contains("over and over") && words.contains("8 times"), "{words}");
    assert_eq!(lane.server.seen().len(), 8);
    assert!(port.outcomes()[4].output.contains("with nothing new in between"));
}

#[tokio::test]
async fn a_model_that_answers_nothing_is_asked_again_and_then_the_turn_ends() {
    let (lane, port) = (Lane::new(), Port::allowing());
    for _ in 0..3 {
        lane.server.push(Reply::say(""));
    }
    let words = error(lane.prompt("go", &port).await);
    assert!(words.contains("answered nothing, 3 times in a row"), "{words}");
    lane.server.push(Reply::say(" "));
    lane.server.push(Reply::say("here"));
    assert_eq!(lane.prompt("go", &port).await, done("here"));
}

#[tokio::test]
async fn wrong_calls_of_every_kind_go_on_and_change_nothing() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let outside = lane.dir.path().parent().unwrap().join("paralane-outside.txt");
    let wrong: Vec<(&str, Value)> = vec![
        ("tele\u{1b}[2Jport", json!({})),
        ("write", json!({"path": outside.to_str(), "content": "x"})),
        ("write", json!({"path": "../../x", "content": "x"})),
        ("patch", json!({"patch": "*** Add File: ../x\n+x\n"})),
        ("edit", json!({"path": "a\u{1b}]0;x\u{7}", "old": "\u{1b}", "new": "b"})),
        ("git_commit", json!({"message": ""})),
        ("todo", json!({"items": "all"})),
        ("read", json!({"path": ["a"]})),
    ];
    lane.server.push(Reply::calls(&wrong));
    lane.server.push(Reply::say("I give up"));
    assert_eq!(lane.prompt("go", &port).await, done("I give up"));
    let outcomes = port.outcomes();
    assert_eq!(outcomes.len(), wrong.len());
    assert!(outcomes.iter().all(|outcome| !outcome.ok && outcome.output.len() > 20), "{outcomes:?}");
    assert!(port.requests.lock().unwrap().is_empty(), "nobody is asked about what can never run");
    assert!(!outside.exists() && std::fs::read_dir(lane.dir.path()).unwrap().next().is_none());
}
