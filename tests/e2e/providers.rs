//! Providers of every dialect from the configuration on, through the real program.

use paralane::domain::EntryBody;

use crate::model_server::{ModelServer, Reply};
use crate::shop::Shop;
use crate::support::bench::Bench;

/// A shop with these providers; each text is a provider's keys without its address.
fn shop(providers: &[(&str, &ModelServer, &str)], agent: &str) -> Shop {
    let bench = Bench::new().with_env("SHOP_KEY", "sk-SHOP");
    let table = |(name, server, more): &(&str, &ModelServer, &str)| {
        format!("[providers.{name}]\nbase_url = \"{}\"\nmodel = \"m-{name}\"\n{more}\n", server.base_url())
    };
    let text: String = providers.iter().map(table).collect();
    bench.configure(&format!("{text}[agent]\nmode = \"full\"\n{agent}"));
    Shop { bench, model: ModelServer::start() }
}

#[test]
fn every_dialect_runs_a_turn_with_tools() {
    let server = ModelServer::start();
    for (dialect, header) in [
        ("openai-chat", "authorization"),
        ("openai-responses", "authorization"),
        ("anthropic", "x-api-key"),
        ("gemini", "x-goog-api-key"),
    ] {
        let shop = shop(&[("one", &server, &format!("dialect = \"{dialect}\"\napi_key_env = \"SHOP_KEY\"\n"))], "");
        shop.lanes(&["api"]);
        let script = "%think a plan\n%write note.txt hello\n%sh cat note.txt\n%say it is there";
        let done = shop.json(&["prompt", "api", "--wait", "--", script]);
        assert_eq!(done["result"], "it is there", "{dialect}: {done}");
        assert!(server.seen().last().unwrap().headers[header].to_str().unwrap().ends_with("sk-SHOP"));
        // Kept with the step, and sent back after a crash of the workstation.
        let thought =
            |body: &EntryBody| matches!(body, EntryBody::Answer { reasoning, .. } if reasoning.text == "a plan");
        assert!(shop.entries("api").iter().any(|entry| thought(&entry.body)), "{dialect}");
        shop.bench.kill_workstation();
        shop.ok(&["up"]);
        let again = shop.json(&["prompt", "api", "--wait", "--", "%say and still"]);
        assert_eq!(again["result"], "and still", "{dialect}: {again}");
        let sealed = server.seen().last().unwrap().body.to_string().contains("SEALED");
        assert_eq!(sealed, dialect != "openai-chat", "{dialect}");
    }
}

#[test]
fn the_next_provider_takes_over_and_the_transcript_says_so() {
    let (first, second) = (ModelServer::start(), ModelServer::start());
    let shop = shop(
        &[
            ("one", &first, ""),
            ("two", &second, "dialect = \"anthropic\"\n"),
            ("keyless", &second, "api_key_env = \"NOT_SET\"\n"),
        ],
        "provider = \"one\"\nfallback = [\"keyless\", \"one\", \"two\"]\n",
    );
    shop.lanes(&["api"]);
    first.push(Reply::error(401));
    let done = shop.json(&["prompt", "api", "--wait", "--", "%say from the second"]);
    assert_eq!(done["result"], "from the second", "{done}");
    assert_eq!((first.seen().len(), second.seen().len()), (1, 1));
    assert_eq!(second.seen()[0].body["model"], "m-two");
    let notice =
        |body: &EntryBody| matches!(body, EntryBody::Notice { text, .. } if text.contains("`two` (m-two) goes on"));
    assert!(shop.entries("api").iter().any(|entry| notice(&entry.body)));
}

#[test]
fn a_conversation_that_is_too_long_ends_the_prompt_with_its_reason() {
    let server = ModelServer::start();
    let shop = shop(&[("one", &server, "")], "");
    shop.lanes(&["api"]);
    let body = r#"{"error":{"message":"maximum context length is 8192 tokens","code":"context_length_exceeded"}}"#;
    server.push(Reply::document(400, "application/json", body));
    let failed = shop.bench.cli(&["--json", "prompt", "api", "--wait", "--", "hello"]).ended_with(1);
    assert!(failed.stdout.contains("longer than the model") && failed.stdout.contains("8192"), "{failed:?}");
}
