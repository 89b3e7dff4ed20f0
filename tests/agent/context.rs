//! What goes into requests: rules of the project, rules of touched directories, and as many turns as fit.

use std::os::unix::fs::symlink;

use paralane::agent::ModelClient;
use paralane::domain::{EntryBody, Layer, NoticeLevel, Reasoning, TurnRecord};
use serde_json::Value;

use crate::harness::{Lane, Port, done, error, provider};
use crate::model_server::Reply;

fn system(body: &Value) -> String {
    body["messages"][0]["content"].as_str().unwrap().to_owned()
}

fn answer(text: String) -> EntryBody {
    EntryBody::Answer { text, cut: false, usage: None, reasoning: Reasoning::default() }
}

fn asked(text: &str) -> EntryBody {
    EntryBody::Prompt { text: text.to_owned() }
}

fn notices(port: &Port) -> Vec<String> {
    let records = port.records.lock().unwrap();
    let notice = |record: &TurnRecord| match record {
        TurnRecord::Notice { level: NoticeLevel::Warning, text } => Some(text.clone()),
        _ => None,
    };
    records.iter().filter_map(notice).collect()
}

#[tokio::test]
async fn rules_reach_the_model_and_those_of_a_directory_once_it_is_touched() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret"), "SECRET").unwrap();
    std::fs::create_dir(lane.dir.path().join("src")).unwrap();
    std::fs::write(lane.dir.path().join("AGENTS.md"), "RULE-OF-THE-ROOT").unwrap();
    symlink(outside.path().join("secret"), lane.dir.path().join("CLAUDE.md")).unwrap();
    std::fs::write(lane.dir.path().join("src/AGENTS.md"), "RULE-OF-SRC").unwrap();
    std::fs::write(lane.dir.path().join("src/a.rs"), "fn a() {}").unwrap();
    assert_eq!(lane.prompt("%read src/a.rs\n%read src/a.rs\n%say ok", &port).await, done("ok"));
    let told: Vec<String> = lane.server.seen().iter().map(|seen| system(&seen.body)).collect();
    assert!(told.iter().all(|told| told.contains("RULE-OF-THE-ROOT") && !told.contains("SECRET")), "{told:?}");
    assert_eq!(told.iter().map(|told| told.contains("RULE-OF-SRC")).collect::<Vec<_>>(), [false, true, true]);
    assert_eq!(told[2].matches("RULE-OF-SRC").count(), 1);
    let said = notices(&port);
    assert!(said.len() == 1 && said[0].contains("`CLAUDE.md`") && said[0].contains("link"), "{said:?}");

    let mut input = lane.input(vec![asked("%say off")]);
    input.off.extend([Layer::Rules, Layer::Scoped]);
    assert_eq!(lane.start(input, &port).await, done("off"));
    assert!(!system(&lane.server.seen().pop().unwrap().body).contains("RULE-OF"));
}

#[tokio::test]
async fn a_full_window_leaves_out_the_oldest_turns_and_says_so_once() {
    let lane = Lane::new();
    let mut settings = provider(lane.server.base_url());
    (settings.context_window, settings.compact_at) = (Some(14_000), 0);
    let port = Port::allowing();
    let mut transcript = Vec::new();
    for turn in 0..8 {
        transcript.push(asked(&format!("OLD-{turn}")));
        transcript.push(answer("word ".repeat(1_200)));
    }
    transcript.push(asked("%list .\n%list .\n%say fits"));
    let mut input = lane.input(transcript);
    input.client = ModelClient::new(settings).unwrap();
    // Every entry of the harness is of one prompt; only the last one runs.
    for entry in input.transcript.iter_mut().rev().skip(1) {
        entry.prompt = Some(paralane::domain::PromptId(9));
    }
    assert_eq!(lane.start(input, &port).await, done("fits"));
    let said = notices(&port);
    assert!(said.len() == 1 && said[0].contains("window of 14000 tokens"), "{said:?}");
    for seen in lane.server.seen() {
        let body = seen.body.to_string();
        assert!(!body.contains("OLD-0") && body.contains("OLD-7") && body.contains("%say fits"), "{body}");
        assert_eq!(seen.body["messages"][1]["role"], "user");
    }
}

#[tokio::test]
async fn a_server_that_takes_less_than_was_known_is_sent_less() {
    let (lane, port) = (Lane::new(), Port::allowing());
    let refusal = r#"{"error":{"message":"maximum context length is 8192 tokens","code":"context_length_exceeded"}}"#;
    lane.server.push(Reply::document(400, "application/json", refusal));
    lane.server.push(Reply::document(400, "application/json", refusal));
    let mut transcript = Vec::new();
    for turn in 0..8 {
        transcript.extend([asked(&format!("OLD-{turn}")), answer("word ".repeat(1_200))]);
    }
    transcript.push(asked("%say fits"));
    let mut settings = provider(lane.server.base_url());
    settings.compact_at = 0;
    let mut input = lane.input(transcript);
    input.client = ModelClient::new(settings).unwrap();
    for entry in input.transcript.iter_mut().rev().skip(1) {
        entry.prompt = Some(paralane::domain::PromptId(9));
    }
    assert_eq!(lane.start(input, &port).await, done("fits"));
    let seen = lane.server.seen();
    let sizes: Vec<usize> = seen.iter().map(|seen| seen.body["messages"].as_array().unwrap().len()).collect();
    assert!(sizes.len() == 3 && sizes[0] > sizes[1] && sizes[1] > sizes[2], "{sizes:?}");
    assert!(seen[0].body.to_string().contains("OLD-0") && !seen[2].body.to_string().contains("OLD-0"));
    assert_eq!(notices(&port).len(), 2);
}

#[tokio::test]
async fn a_window_that_holds_nothing_is_refused_before_the_server_is_asked() {
    let lane = Lane::new();
    let mut settings = provider(lane.server.base_url());
    (settings.name, settings.context_window) = ("tiny".to_owned(), Some(2_000));
    let mut input = lane.input(vec![asked("hello")]);
    input.client = ModelClient::new(settings).unwrap();
    let words = error(lane.start(input, &Port::allowing()).await);
    for part in ["`tiny`", "2000 tokens", "tools ", "system ", "`context_window`"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert!(lane.server.seen().is_empty());
}
