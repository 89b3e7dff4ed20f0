//! A tool server (MCP) that misbehaves on demand, written by hand so that it owes nothing to the library under test.
//!
//! Over pipes it is the test program itself, run again with [`BEHAVE`] set; what the test harness prints on standard
//! output before is the garbage that real servers print there too. Over HTTP it runs in a task ([`Http`]).

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "what a server prints is what is tested")]

use std::io::{BufRead, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// How a server is to behave: words with blanks between; empty for one without faults.
pub const BEHAVE: &str = "TOOL_SERVER_BEHAVES";

/// The command that runs this test program as a server: `test` is the full name of the test that calls [`serve`].
pub fn command(test: &str) -> Vec<String> {
    let program = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
    [&program, "--exact", test, "--nocapture"].map(ToString::to_string).to_vec()
}

/// Serves on standard input and output and ends the process; returns at once when this is no server's process.
pub fn serve() {
    let Ok(behave) = std::env::var(BEHAVE) else { return };
    let server = Server::new(&behave);
    server.begin();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if let Ok(message) = serde_json::from_str(&line) {
            server.hear(&message);
        }
    }
    if server.does("stubborn") {
        std::thread::park();
    }
    std::process::exit(0);
}

#[derive(Default)]
struct Heard {
    grown: bool,
    cancelled: Vec<Value>,
    /// The call that waits for answers of the client, and the answers.
    asks: Option<(Value, Vec<Value>)>,
}

#[derive(Clone)]
struct Server {
    behave: Arc<Vec<String>>,
    heard: Arc<(Mutex<Heard>, Condvar)>,
}

fn say(message: &Value) {
    let mut out = std::io::stdout().lock();
    // Nobody may be there any more.
    let _ = writeln!(out, "{message}").and_then(|()| out.flush());
}

/// Counts in a file of the working directory.
fn count(name: &str) -> usize {
    let before = std::fs::read_to_string(name).map_or(0, |text| text.len());
    let _ = std::fs::write(name, "x".repeat(before + 1));
    before + 1
}

impl Server {
    fn new(behave: &str) -> Self {
        let behave = behave.split_whitespace().map(str::to_owned).collect();
        Self { behave: Arc::new(behave), heard: Arc::default() }
    }

    fn does(&self, word: &str) -> bool {
        self.behave.iter().any(|known| known == word)
    }

    fn begin(&self) {
        let starts = if self.does("count") { count("starts") } else { 1 };
        let _ = std::fs::write(
            format!("pid-{}", if self.does("count") { "counted" } else { "last" }),
            std::process::id().to_string(),
        );
        eprintln!("the server has started\u{1b}[31m");
        if self.does("die") || (self.does("die-once") && starts == 1) {
            eprintln!("no such module: left-pad");
            std::process::exit(3);
        }
        if self.does("mute") {
            std::thread::park();
        }
        if self.does("garbage") {
            println!("Starting server v1.0 …\n{{\"half\": \n\u{1b}[2Jnot json\n[1, 2]\n");
        }
        if self.does("noisy") {
            for _ in 0..5_000 {
                eprintln!("{}", "noise ".repeat(10));
            }
            eprintln!("the end of the noise");
        }
    }

    /// One message over pipes.
    fn hear(&self, message: &Value) {
        let id = message["id"].clone();
        match message["method"].as_str() {
            None => self.answered(message),
            Some("notifications/cancelled") => {
                let mut heard = self.heard.0.lock().unwrap();
                heard.cancelled.push(message["params"]["requestId"].clone());
                let _ = std::fs::write("cancelled", "yes");
                self.heard.1.notify_all();
            }
            Some("tools/call") => self.call(id, &message["params"]),
            Some(method) if !id.is_null() => say(&reply(&id, self.result(method, &message["params"]))),
            Some(_) => {}
        }
    }

    fn result(&self, method: &str, params: &Value) -> Value {
        match method {
            "initialize" => json!({
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {"listChanged": true}},
                "serverInfo": {"name": "test\u{1b}[31m", "version": "0"},
            }),
            "tools/list" => {
                let tools = self.tools();
                let from = params["cursor"].as_str().and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
                let page: Vec<&Value> = tools.iter().skip(from).take(100).collect();
                let next = from + page.len();
                let mut result = json!({"tools": page});
                if next < tools.len() {
                    result["nextCursor"] = json!(next.to_string());
                }
                result
            }
            _ => json!({}),
        }
    }

    fn tools(&self) -> Vec<Value> {
        let tool = |name: &str, properties: Value, required: &[&str]| {
            json!({"name": name, "description": format!("The tool {name}."),
                "inputSchema": {"type": "object", "properties": properties, "required": required}})
        };
        let mut tools = vec![
            tool("echo", json!({"text": {"type": "string", "description": "What to say"}}), &["text"]),
            tool("slow", json!({"ms": {"type": "integer"}}), &[]),
            tool("die", json!({}), &[]),
            tool("huge", json!({"bytes": {"type": "integer", "minimum": 1}}), &["bytes"]),
            tool("grow", json!({}), &[]),
            tool("odd", json!({}), &[]),
            tool("ask_back", json!({}), &[]),
            tool("env", json!({}), &[]),
            tool("where", json!({}), &[]),
            tool("fail", json!({}), &[]),
            tool("count", json!({}), &[]),
        ];
        tools[0]["annotations"] = json!({"readOnlyHint": true});
        if self.does("many") {
            tools.extend((0..489).map(|number| tool(&format!("tool_{number}"), json!({}), &[])));
        }
        if self.does("hostile") {
            let mut deep = json!({});
            for _ in 0..60 {
                deep = json!({"type": "object", "properties": {"x": deep}});
            }
            tools.push(json!({"name": "deep", "inputSchema": deep}));
            tools.push(json!({"name": "fat", "description": "x".repeat(100_000), "inputSchema": {"type": "object", "properties": {"x": {"enum": ["y".repeat(50_000)]}}}}));
            tools.push(json!({"name": "evil\u{1b}]0;name\u{7}", "description": "\u{1b}[2Jclear", "inputSchema": {"type": "object"}}));
            tools.push(json!({"name": "long".repeat(40), "inputSchema": {"type": "object"}}));
        }
        if self.heard.0.lock().unwrap().grown {
            tools.push(tool("grown", json!({}), &[]));
        }
        tools
    }

    fn call(&self, id: Value, params: &Value) {
        let arguments = &params["arguments"];
        match params["name"].as_str().unwrap_or_default() {
            "slow" => {
                let (server, time) = (self.clone(), arguments["ms"].as_u64().unwrap_or(600_000));
                let _ = std::fs::write("slow-began", "yes");
                std::thread::spawn(move || {
                    let (heard, changed) = &*server.heard;
                    let cancelled = |heard: &mut Heard| !heard.cancelled.contains(&id);
                    let waited =
                        changed.wait_timeout_while(heard.lock().unwrap(), Duration::from_millis(time), cancelled);
                    if waited.unwrap().1.timed_out() {
                        say(&reply(&id, text("slept")));
                    }
                });
            }
            "die" => {
                eprintln!("I am dying");
                std::process::exit(7);
            }
            "grow" => {
                self.heard.0.lock().unwrap().grown = true;
                say(&json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}));
                say(&reply(&id, text("grown")));
            }
            "ask_back" => {
                self.heard.0.lock().unwrap().asks = Some((id, Vec::new()));
                for (number, (method, params)) in asks().into_iter().enumerate() {
                    say(&json!({"jsonrpc": "2.0", "id": format!("back-{number}"), "method": method, "params": params}));
                }
            }
            name => say(&reply(&id, plain(name, arguments))),
        }
    }

    fn answered(&self, message: &Value) {
        let mut heard = self.heard.0.lock().unwrap();
        let Some((id, answers)) = &mut heard.asks else { return };
        let mut answer = message.clone();
        answer.as_object_mut().unwrap().remove("jsonrpc");
        answers.push(answer);
        if answers.len() == asks().len() {
            say(&reply(id, text(&json!(answers).to_string())));
            heard.asks = None;
        }
    }
}

/// What a server may ask of its client.
fn asks() -> [(&'static str, Value); 4] {
    let message = json!({"role": "user", "content": {"type": "text", "text": "your secrets?"}});
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    [
        ("ping", json!({})),
        ("roots/list", json!({})),
        ("sampling/createMessage", json!({"messages": [message], "maxTokens": 10})),
        ("elicitation/create", json!({"message": "your name?", "requestedSchema": schema})),
    ]
}

/// Calls that answer at once.
fn plain(name: &str, arguments: &Value) -> Value {
    match name {
        "echo" => text(arguments["text"].as_str().unwrap_or_default()),
        "huge" => text(&"x".repeat(arguments["bytes"].as_u64().unwrap_or(0) as usize)),
        "odd" => text("\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31mred\u{202e}"),
        "env" => {
            let mut all: Vec<String> = std::env::vars().map(|(name, value)| format!("{name}={value}")).collect();
            all.sort();
            text(&all.join("\n"))
        }
        "where" => text(&std::env::current_dir().unwrap().display().to_string()),
        "fail" => json!({"content": [{"type": "text", "text": "no such page"}], "isError": true}),
        "count" => text(&count("counted").to_string()),
        _ => text("done"),
    }
}

fn text(words: &str) -> Value {
    json!({"content": [{"type": "text", "text": words}]})
}

fn reply(id: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

pub use http::Http;

mod http {
    //! The same over streamable HTTP, answering in plain JSON.

    use axum::body::Bytes;
    use axum::http::{HeaderMap, StatusCode, header};
    use axum::response::{IntoResponse, Response};
    use axum::routing::post;

    use super::*;

    /// A server on a port of its own, until it is dropped.
    pub struct Http {
        pub address: String,
        /// The `authorization` headers of all requests, by path.
        pub seen: Arc<Mutex<Vec<(String, String)>>>,
        task: tokio::task::JoinHandle<()>,
    }

    impl Drop for Http {
        fn drop(&mut self) {
            self.task.abort();
        }
    }

    impl Http {
        /// Paths: `/mcp`; `/moved` leads to `to`; `/wants` refuses who has no key; `/fat` answers without end.
        pub async fn start(to: &str) -> Self {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = format!("http://{}", listener.local_addr().unwrap());
            let seen: Arc<Mutex<Vec<(String, String)>>> = Arc::default();
            let (noted, to, server) = (Arc::clone(&seen), to.to_owned(), Server::new(""));
            let answer = move |uri: axum::http::Uri, headers: HeaderMap, body: Bytes| {
                let key = headers.get(header::AUTHORIZATION).and_then(|key| key.to_str().ok()).unwrap_or_default();
                noted.lock().unwrap().push((uri.path().to_owned(), key.to_owned()));
                let answered = match uri.path() {
                    "/moved" => (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, to.clone())], "").into_response(),
                    "/wants" if key.is_empty() => StatusCode::UNAUTHORIZED.into_response(),
                    "/fat" => Response::new(axum::body::Body::from("x".repeat(20_000_000))),
                    _ => server.post(&serde_json::from_slice(&body).unwrap_or_default()),
                };
                std::future::ready(answered)
            };
            let app = axum::Router::new().route("/{path}", post(answer));
            let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
            Self { address, seen, task }
        }
    }

    impl Server {
        fn post(&self, message: &Value) -> Response {
            let id = message["id"].clone();
            let params = &message["params"];
            let result = match message["method"].as_str() {
                Some("tools/call") => match params["name"].as_str().unwrap_or_default() {
                    "die" => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
                    name => plain(name, &params["arguments"]),
                },
                Some(method) if !id.is_null() => self.result(method, params),
                _ => return StatusCode::ACCEPTED.into_response(),
            };
            ([(header::CONTENT_TYPE, "application/json")], reply(&id, result).to_string()).into_response()
        }
    }
}
