//! Turns with tools: permission, order, results, cancel, going on after a crash.

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;

use paralane::domain::{CallId, EntryBody, Reasoning, TurnOutcome, TurnRecord, Verdict};
use serde_json::json;

use crate::harness::{KEY, Lane, Port, call, done, error, until};
use crate::model_server::Reply;

#[tokio::test]
async fn tools_work_on_the_worktree_and_the_model_is_told() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let script =
        "%write src/a.txt one\\ntwo\n%edit src/a.txt two => 2\n%read src/a.txt\n%sh echo hi; exit 1\n%say all done";
    assert_eq!(lane.prompt(script, &port).await, done("all done"));
    assert_eq!(lane.read("src/a.txt").unwrap(), "one\n2");
    let outcomes = port.outcomes();
    assert_eq!(outcomes[0].written, ["src/a.txt"]);
    assert!(outcomes[1].diff.as_ref().unwrap().contains("-two"));
    assert_eq!(outcomes[2].output, "one\n2");
    assert_eq!((outcomes[3].output.as_str(), outcomes[3].ok), ("hi\n[exit 1]", false));
    assert_eq!(*port.output.lock().unwrap(), "hi\n");
    let requests = port.requests.lock().unwrap();
    assert_eq!(
        (requests[0].action.as_str(), requests[0].writes.as_slice()),
        ("src/a.txt", &["src/a.txt".to_owned()][..])
    );
    assert_eq!(requests[3].action, "echo hi; exit 1");
    let last = lane.server.seen().pop().unwrap().body;
    let told = last["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((told["role"].as_str(), told["content"].as_str()), (Some("tool"), Some("hi\n[exit 1]")));
    // Only what may have an effect is marked as started.
    assert_eq!(port.started().len(), 3);
    let records = port.records.lock().unwrap();
    let TurnRecord::Step { calls, .. } = &records[0] else { panic!("{records:?}") };
    assert_eq!((calls[0].0.id.0.as_str(), calls[0].1.as_str()), ("p1.1.1", "src/a.txt"));
}

#[tokio::test]
async fn nothing_leaves_the_worktree() {
    let lane = Lane::new();
    let outside = tempfile::tempdir().unwrap();
    symlink(outside.path(), lane.dir.path().join("out")).unwrap();
    symlink(outside.path().join("new"), lane.dir.path().join("dangling")).unwrap();
    std::fs::create_dir(lane.dir.path().join(".git")).unwrap();
    let port = Port::allowing();
    let script =
        "%write ../x 1\n%+write out/x 1\n%+write dangling 1\n%+write .git/config 1\n%+read /etc/passwd\n%+read out";
    assert_eq!(lane.prompt(script, &port).await, done("done"));
    assert!(port.outcomes().iter().all(|outcome| !outcome.ok), "{:?}", port.outcomes());
    assert!(port.requests.lock().unwrap().is_empty(), "the person is not asked for what cannot run");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn all_calls_of_a_step_are_asked_for_at_once() {
    let lane = Lane::new();
    let port = Port::new(|_| None);
    let turn = lane.prompt("%sh touch a\n%+sh touch b\n%+read c", &port);
    let cancel = async {
        until("three requests", || port.requests.lock().unwrap().len() == 3).await;
        lane.cancel.cancel();
    };
    assert_eq!(tokio::join!(turn, cancel).0, TurnOutcome::Cancelled);
    assert!(port.started().is_empty() && lane.read("a").is_none());
    assert!(port.outcomes().iter().all(|outcome| outcome.output.contains("not run")), "every call has a result");
    assert_eq!(port.outcomes().len(), 3);
}

#[tokio::test]
async fn denied_unknown_and_edited_calls_are_told() {
    let lane = Lane::new();
    let port = Port::new(|request| {
        let mut call = request.call.clone();
        Some(match request.action.as_str() {
            "rm x" => Verdict::Deny { reason: "keep it".into() },
            "echo a" => {
                call.arguments = json!({"command": "echo b"});
                Verdict::Run(call)
            }
            _ => Verdict::Run(call),
        })
    });
    let script = "%sh rm x\n%+sh echo a\n%+call fly {}\n%+call read {\"path\": \n%+call read {\"file\": \"x\"}";
    assert_eq!(lane.prompt(script, &port).await, done("done"));
    let last = lane.server.seen().pop().unwrap().body;
    let told: Vec<&str> =
        last["messages"].as_array().unwrap()[3..].iter().map(|message| message["content"].as_str().unwrap()).collect();
    assert!(told[0].contains("denied") && told[0].contains("keep it"), "{told:?}");
    assert!(told[1].contains("changed this call") && told[1].ends_with("b\n[exit 0]"), "{told:?}");
    assert!(told[2].contains("no tool `fly`") && told[3].contains("valid JSON") && told[4].contains("is not known"));
}

#[tokio::test]
async fn cancel_in_a_stream_keeps_the_text_and_drops_the_request() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let turn = lane.prompt("%say half an answer\n%hang", &port);
    let cancel = async {
        until("the text", || *port.answer.lock().unwrap() == "half an answer").await;
        lane.cancel.cancel();
    };
    assert_eq!(tokio::join!(turn, cancel).0, TurnOutcome::Cancelled);
    let records = port.records.lock().unwrap().clone();
    assert!(
        matches!(&records[..], [TurnRecord::Step { text, cut: true, .. }] if text == "half an answer"),
        "{records:?}"
    );
    // Not by blocking: this thread also drives the connection that is to be dropped.
    until("the request to be dropped", || lane.server.open() == 0).await;
}

#[tokio::test]
async fn cancel_ends_a_running_command_and_its_children() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let turn = lane.prompt("%sh sleep 1000 & echo $! > pid; echo up; wait\n%+sh touch later", &port);
    let cancel = async {
        until("the output", || port.output.lock().unwrap().contains("up")).await;
        lane.cancel.cancel();
    };
    assert_eq!(tokio::join!(turn, cancel).0, TurnOutcome::Cancelled);
    let pid: i32 = lane.read("pid").unwrap().trim().parse().unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    assert!(stat.is_empty() || stat.contains(") Z "), "{stat}");
    assert_eq!(port.started().len(), 1);
    assert!(lane.read("later").is_none());
}

#[tokio::test]
async fn a_waiting_turn_goes_on_after_a_restart_with_exactly_its_calls() {
    let lane = Lane::new();
    let prompt = "%sh never asked for again\n%say resumed";
    let transcript = vec![
        EntryBody::Prompt { text: prompt.into() },
        EntryBody::Answer { text: "I will".into(), cut: false, usage: None, reasoning: Reasoning::default() },
        call("p1.1.1", "shell", json!({"command": "echo one >> log"})),
        call("p1.1.2", "shell", json!({"command": "echo two >> log"})),
    ];
    let port = Port::allowing();
    let mut input = lane.input(transcript.clone());
    input.interrupted_calls = BTreeSet::from([CallId("p1.1.1".into())]);
    assert_eq!(lane.start(input, &port).await, done("resumed"));
    assert_eq!(lane.read("log").unwrap(), "two\n", "the interrupted call is not run again");
    assert!(port.outcomes()[0].output.starts_with("interrupted by a crash; unknown whether it had an effect"));
    let messages = lane.server.seen().remove(0).body["messages"].clone();
    let roles: Vec<&str> =
        messages.as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "tool"]);

    // The whole story goes into the next turn.
    let mut whole = transcript;
    whole.extend(port.entries());
    whole.push(EntryBody::Prompt { text: "%list\n%say next".into() });
    let port = Port::allowing();
    assert_eq!(lane.start(lane.input(whole), &port).await, done("next"));
    assert_eq!(port.requests.lock().unwrap()[0].call.id.0, "p1.3.1", "ids are not used twice");
}

#[tokio::test]
async fn a_store_that_refuses_stops_the_turn_before_the_effect() {
    let (lane, port) = (Lane::new(), Port::allowing());
    *port.refuse_records_after.lock().unwrap() = Some(1);
    let error = error(lane.prompt("%sh touch x", &port).await);
    assert!(error.contains("disk full"), "{error}");
    assert!(lane.read("x").is_none());
}

#[tokio::test]
async fn a_turn_has_an_end() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let mut input = lane.input(vec![EntryBody::Prompt { text: "%list\n%read a\n%list\n%say x".into() }]);
    input.max_steps = 3;
    assert_eq!(error(lane.start(input, &port).await), "stopped after 3 steps; send another prompt to go on");

    let lane = Lane::new();
    for _ in 0..9 {
        lane.server.push(Reply::calls(&[("read", json!({"path": "nothing"}))]));
    }
    let error = error(lane.prompt("x", &Port::allowing()).await);
    assert!(error.contains("same failing `read` call 6 times"), "{error}");
    assert_eq!(lane.server.seen().len(), 6);
}

#[tokio::test]
async fn thirty_two_lanes_at_once_do_not_mix() {
    let lane = Lane::new();
    let turns = (0..32).map(|number| {
        let lane = &lane;
        async move {
            let port = Port::allowing();
            let text = format!("%write f{number} {number}\n%sh cat f{number}\n%say {number}");
            assert_eq!(lane.prompt(&text, &port).await, done(&number.to_string()));
            assert_eq!(port.outcomes()[1].output, format!("{number}\n[exit 0]"));
        }
    });
    futures_util::future::join_all(turns).await;
    assert_eq!(lane.server.seen().len(), 96);
    assert!(lane.server.seen().iter().all(|seen| !seen.body.to_string().contains(KEY)));
}
