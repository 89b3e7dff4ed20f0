//! A lane's program and its coordination tools: over HTTP, through `paralane mcp`, and for nobody else.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::shop::Shop;
use crate::support::Bench;
use crate::support::bench::PROGRAM;

/// What a lane's program finds in its environment.
struct Key {
    token: String,
    url: String,
    socket: String,
}

/// A lane with a program that waits, and what it was given.
fn lane(bench: &Bench, name: &str) -> Key {
    let file = bench.tmp().join(format!("{name}.key"));
    let script = format!(
        "echo \"$PARALANE_TOKEN $PARALANE_MCP_URL $PARALANE_SOCKET\" > {0}.new && mv {0}.new {0}; \
         until [ -e {1} ]; do sleep 0.2; done",
        file.display(),
        bench.tmp().join("go").display()
    );
    bench.cli(&["lane", "new", name, "--here", "--", "sh", "-c", &script]).ended_with(0);
    bench.wait_until("the program has its key", || file.exists());
    let text = std::fs::read_to_string(file).unwrap();
    let [token, url, socket] = [0, 1, 2].map(|n| text.split_whitespace().nth(n).unwrap().to_owned());
    Key { token, url, socket }
}

fn request(id: u32, method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

fn tool(id: u32, name: &str, arguments: Value) -> String {
    request(id, "tools/call", json!({"name": name, "arguments": arguments}))
}

fn hello() -> String {
    let client = json!({"name": "test", "version": "1"});
    request(1, "initialize", json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}))
}

/// The answers of `paralane mcp` to these lines, by the requests' ids.
fn through_stdio(key: &Key, lines: &[String]) -> Vec<Value> {
    let mut child = Command::new(PROGRAM)
        .arg("mcp")
        .envs([("PARALANE_TOKEN", &key.token), ("PARALANE_SOCKET", &key.socket)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    let mut input = child.stdin.take().unwrap();
    for line in [&hello(), &ready].into_iter().chain(lines) {
        writeln!(input, "{line}").unwrap();
    }
    let mut answers = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    // The input stays open until all is answered: its end is the end of all.
    let answers: Vec<Value> =
        (0..=lines.len()).map(|_| serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap()).collect();
    drop(input);
    assert!(child.wait().unwrap().success());
    answers
}

fn over_http(key: &Key, token: &str, body: String) -> (u16, Value) {
    // The client of the tests is asynchronous.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client.post(&key.url).bearer_auth(token).header("content-type", "application/json");
        let answer = request.header("accept", "application/json, text/event-stream").body(body).send().await.unwrap();
        let status = answer.status().as_u16();
        (status, serde_json::from_str(&answer.text().await.unwrap()).unwrap_or_default())
    })
}

fn answer(reply: &Value) -> (&str, bool) {
    let result = &reply["result"];
    (result["content"][0]["text"].as_str().unwrap_or_default(), result["isError"].as_bool().unwrap_or_default())
}

#[test]
fn each_program_speaks_for_its_own_lane_by_either_way() {
    let bench = Bench::new();
    let (api, web) = (lane(&bench, "api"), lane(&bench, "web"));
    let replies = through_stdio(&api, &[tool(2, "reserve", json!({"paths": ["src/router.rs"]}))]);
    assert_eq!(replies[0]["result"]["serverInfo"]["name"], "paralane");
    assert!(!answer(&replies[1]).1, "{replies:?}");
    let (status, reply) = over_http(&web, &web.token, tool(1, "reserve", json!({"paths": ["src/"]})));
    let (text, refused) = answer(&reply);
    assert!(status == 200 && refused && text.contains("reserved by lane `api`"), "{status} {reply}");
    // No argument makes it another lane.
    let (_, reply) = over_http(&web, &web.token, tool(1, "release", json!({"paths": ["--lane=api"]})));
    assert!(answer(&reply).1, "{reply}");
    let (_, reply) = over_http(&api, &api.token, tool(1, "lanes", json!({})));
    let lanes: Value = serde_json::from_str(answer(&reply).0).unwrap();
    assert_eq!(lanes["lanes"].as_array().map(Vec::len), Some(2), "{lanes}");
    // The token goes with the program that it was given to.
    bench.cli(&["lane", "restart", "api"]).ended_with(0);
    bench.wait_until("the old token is void", || over_http(&web, &api.token, tool(1, "lanes", json!({}))).0 == 401);
}

#[test]
fn a_token_ends_with_its_program_and_ends_what_was_let_in_by_it() {
    let bench = Bench::new();
    let (api, web) = (lane(&bench, "api"), lane(&bench, "web"));
    let valid = |key: &Key| over_http(key, &key.token, tool(1, "lanes", json!({}))).0 == 200;
    assert!(valid(&api) && valid(&web));
    let mut bridge = Command::new(PROGRAM)
        .arg("mcp")
        .envs([("PARALANE_TOKEN", &api.token), ("PARALANE_SOCKET", &api.socket)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(bridge.stdin.as_mut().unwrap(), "{}", hello()).unwrap();
    let mut answers = std::io::BufRead::lines(std::io::BufReader::new(bridge.stdout.take().unwrap()));
    assert!(answers.next().unwrap().unwrap().contains("serverInfo"));
    bench.cli(&["lane", "stop", "api"]).ended_with(0);
    bench.wait_until("the stopped program's token is void", || !valid(&api));
    // Its input is still open: the workstation has ended it.
    assert!(answers.next().is_none() && bridge.wait().unwrap().success());
    // The end of one program leaves the others' tokens alone, and a program may also end by itself.
    assert!(valid(&web));
    std::fs::write(bench.tmp().join("go"), "").unwrap();
    bench.wait_until("the ended program's token is void", || !valid(&web));
}

#[test]
fn outside_a_lane_the_bridge_says_what_it_is() {
    let bench = Bench::new();
    let run = bench.cli(&["mcp"]).ended_with(1);
    assert!(run.stderr.contains("found no lane to speak for"), "{}", run.stderr);
    let key = lane(&bench, "api");
    let refused = Command::new(PROGRAM)
        .arg("mcp")
        .envs([("PARALANE_TOKEN", "guessed"), ("PARALANE_SOCKET", &key.socket)])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(1) && said.contains("no lane has this token"), "{said}");
}

#[test]
fn an_own_agent_has_the_same_tools_and_speaks_for_its_own_lane() {
    let shop = Shop::new();
    shop.lanes(&["api", "web"]);
    let run = |lane: &str, script: &str| {
        let id = shop.send(lane, script);
        shop.wait_state(&id, "done");
        shop.results(lane).last().cloned().unwrap_or_default()
    };
    run("api", r#"%call reserve {"paths": ["src/"]}"#);
    let refused = run("web", r#"%call reserve {"paths": ["s?c/login.rs"]}"#);
    assert!(refused.contains("reserved by lane `api`"), "{refused}");
    let wrong = run("web", r#"%call reserve {"path": "s?c/"}"#);
    assert!(wrong.contains("paths"), "{wrong}");
    run("api", "%call release {}");
    let taken = run("web", r#"%call reserve {"paths": ["src/login.rs"]}"#);
    assert!(taken.contains("lane web reserves src/login.rs"), "{taken}");
}

#[test]
fn lanes_claim_hand_over_and_write_to_each_other_by_their_tools() {
    let bench = Bench::new();
    let (api, web) = (lane(&bench, "api"), lane(&bench, "web"));
    let call = |key: &Key, name: &str, arguments: Value| {
        let (status, reply) = over_http(key, &key.token, tool(1, name, arguments));
        let (text, refused) = answer(&reply);
        assert_eq!(status, 200, "{reply}");
        let document: Value = serde_json::from_str(text).unwrap_or_else(|_| text.into());
        (document, refused)
    };
    let done = |key: &Key, name: &str, arguments: Value| {
        let (document, refused) = call(key, name, arguments.clone());
        assert!(!refused, "{name} {arguments}: {document}");
        document
    };
    let refused = |key: &Key, name: &str, arguments: Value| {
        let (document, refused) = call(key, name, arguments.clone());
        assert!(refused, "{name} {arguments}: {document}");
        document.as_str().unwrap_or_default().to_owned()
    };
    // One owner; who asks for it is told whose it is.
    let first = done(&api, "claim", json!({"issue": 7, "key": "k1"}));
    let again = done(&api, "claim", json!({"issue": 7, "key": "k1"}));
    assert_eq!((&again["claim"], &again["replayed"]), (&first["claim"], &json!(true)), "a retry says the same");
    assert!(refused(&web, "claim", json!({"issue": 7})).contains("`api`"));
    // It changes hands by the acts of both.
    done(&api, "offer", json!({"issue": 7, "to": "web", "summary": "half done", "remaining": ["tests", "docs"]}));
    let offers = done(&web, "issues", json!({})).to_string();
    assert!(offers.contains("half done") || offers.contains("o1"), "{offers}");
    assert!(!refused(&api, "accept", json!({"offer": "o1"})).is_empty(), "not offered to it");
    done(&web, "accept", json!({"offer": "o1"}));
    assert!(refused(&api, "release_issue", json!({"issue": 7})).contains("`web`"));
    // Mail: read and acknowledged apart, seen by whom it concerns.
    done(&web, "send", json!({"to": "api", "text": "the schema has changed", "ack": true}));
    let inbox = done(&api, "inbox", json!({"unread": true})).to_string();
    assert!(inbox.contains("the schema has changed"), "{inbox}");
    let message = inbox.split('"').find(|word| word.starts_with("msg")).unwrap().to_owned();
    done(&api, "read_message", json!({"message": message}));
    done(&api, "acknowledge", json!({"message": message}));
    assert!(!refused(&web, "acknowledge", json!({"message": message})).is_empty(), "it was not sent to it");
    assert!(done(&api, "search_mail", json!({"words": "schema"})).to_string().contains(&message));
    assert!(done(&web, "thread", json!({"message": message})).to_string().contains("schema"));
    // Holds, a report, and what is left open.
    done(&web, "reserve", json!({"paths": ["src/"], "ttl": "30m", "issue": 7}));
    assert!(done(&api, "reservations", json!({})).to_string().contains("src/"));
    done(&web, "report", json!({"state": "ready", "evidence": ["cargo test passes"]}));
    done(&web, "release", json!({}));
    done(&web, "next_issues", json!({}));
    done(&api, "request_issue", json!({"issue": 7, "summary": "it is mine to finish"}));
    done(&api, "cancel_offer", json!({"offer": "o2"}));
    done(&web, "release_issue", json!({"issue": 7}));
    assert!(refused(&api, "claim", json!({"issue": 7})).contains("until somebody reopens it"));
    bench.cli(&["issue", "reopen", "7"]).ended_with(0);
    done(&api, "claim", json!({"issue": 7}));
    done(&api, "offer", json!({"issue": 7, "to": "web", "summary": "again"}));
    done(&web, "decline", json!({"offer": "o3", "reason": "busy"}));
    assert!(refused(&web, "accept", json!({"offer": "o3"})).contains("o3"), "it is stale");
}

#[test]
fn a_long_message_is_read_whole_in_pieces_and_only_then_marked() {
    let bench = Bench::new();
    let web = lane(&bench, "web");
    let lines: Vec<String> = (0..1_200).map(|n| format!("line {n}: \"é\"\n")).collect();
    let text = lines.concat();
    let file = bench.path().join("long.txt");
    std::fs::write(&file, text.repeat(3)).unwrap();
    bench.cli(&["say", "web", &text, "--attach", file.to_str().unwrap()]).ended_with(0);
    let call = |arguments: Value| -> Value {
        let (_, reply) = over_http(&web, &web.token, tool(1, "read_message", arguments));
        let (text, refused) = answer(&reply);
        assert!(!refused && text.len() <= 8_192, "{} bytes: {reply}", text.len());
        serde_json::from_str(text).unwrap()
    };
    let unread = || bench.cli(&["mail", "list", "--lane", "web", "--unread"]).ended_with(0).stdout.contains("msg1");
    let mut whole = String::new();
    let mut from = json!(0);
    loop {
        assert!(unread(), "not read before its end was seen");
        let piece = call(json!({"message": "msg1", "from": from}));
        whole.push_str(piece["body"].as_str().unwrap());
        match piece.get("next") {
            Some(next) => from = next.clone(),
            None => break,
        }
    }
    assert_eq!(whole.trim_end(), text.trim_end());
    assert!(!unread());
    let (mut attached, mut from) = (String::new(), json!(0));
    loop {
        let piece = call(json!({"message": "msg1", "attachment": "long.txt", "from": from}));
        attached.push_str(piece["content"].as_str().unwrap());
        match piece.get("next") {
            Some(next) => from = next.clone(),
            None => break,
        }
    }
    assert_eq!(attached, text.repeat(3));
}

#[test]
fn many_wait_for_mail_at_once_and_hold_nobody_up() {
    let bench = Bench::new();
    let keys: Vec<Key> = (0..6).map(|n| lane(&bench, &format!("lane{n}"))).collect();
    let told: Vec<String> = std::thread::scope(|scope| {
        let waits: Vec<_> = keys
            .iter()
            .flat_map(|key| std::iter::repeat_n(key, 6))
            .map(|key| {
                scope.spawn(move || {
                    let (_, reply) = over_http(key, &key.token, tool(1, "wait", json!({"timeout": 300})));
                    answer(&reply).0.to_owned()
                })
            })
            .collect();
        // Others are answered meanwhile.
        let (status, reply) = over_http(&keys[0], &keys[0].token, tool(2, "lanes", json!({})));
        assert!(status == 200 && answer(&reply).0.contains("lane5"), "{reply}");
        bench.cli(&["say", "all", "go on"]).ended_with(0);
        waits.into_iter().map(|wait| wait.join().unwrap()).collect()
    });
    assert!(told.len() == 36 && told.iter().all(|text| text.contains("go on")), "{told:?}");
    let (_, reply) = over_http(&keys[0], &keys[0].token, tool(3, "read_message", json!({"message": "msg1"})));
    assert!(!answer(&reply).1, "{reply}");
    let (_, reply) = over_http(&keys[0], &keys[0].token, tool(4, "wait", json!({"timeout": 1})));
    let (text, refused) = answer(&reply);
    assert!(!refused && text.contains("\"timed_out\":true"), "{text}");
    // A refusal is in words of the tools.
    bench.cli(&["issue", "claim", "7", "--lane", "lane0"]).ended_with(0);
    let (_, reply) = over_http(&keys[1], &keys[1].token, tool(5, "claim", json!({"issue": 7})));
    let (text, refused) = answer(&reply);
    assert!(refused && text.contains("`request_issue {\"issue\":\"7\"") && !text.contains("paralane"), "{text}");
}
