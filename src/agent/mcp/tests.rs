//! Servers on real processes and a real socket: those that behave, and those that do not.

#[path = "../../../tests/support/tool_server.rs"]
mod tool_server;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::server::Limits;
use super::*;
use crate::agent::provider::ApiKey;
use crate::agent::proxy::ProxySettings;
use crate::base::{Process, processes};
use crate::config::{Origin, Reach, Server};
use crate::domain::{ServerState, ServerTool, ServerView, ToolOutcome};
use tool_server::{BEHAVE, Http};

/// Far more than anything here takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server of the configuration.
pub(super) fn settings(name: &str, command: &[&str]) -> Server {
    Server {
        name: name.to_owned(),
        reach: Reach::Command(command.iter().map(ToString::to_string).collect()),
        env: BTreeMap::new(),
        allow: Vec::new(),
        deny: Vec::new(),
        timeout: 60,
        sandbox: false,
        origin: Origin::BuiltIn,
    }
}

/// Not a test: the server's process.
#[test]
fn serve() {
    tool_server::serve();
}

/// A lane with its servers.
struct Lane {
    directory: TempDir,
    servers: Servers,
    specs: Vec<ServerSpec>,
    awake: Option<servers::Awake>,
}

impl Lane {
    fn new() -> Self {
        let pauses = [20, 20, 20].map(Duration::from_millis).to_vec();
        Self::with(Limits { pauses, ..Limits::default() })
    }

    fn with(limits: Limits) -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { directory, servers: Servers::new(limits), specs: Vec::new(), awake: None }
    }

    fn add(&mut self, settings: Server, more: &[(&str, &str)]) {
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        self.specs.push(ServerSpec {
            settings,
            directory: self.directory.path().canonicalize().unwrap(),
            base: vec![("PATH".to_owned(), std::env::var("PATH").unwrap())],
            given: more.iter().map(pair).collect(),
            headers: Vec::new(),
            proxies: ProxySettings::default(),
            sandbox: None,
            fault: None,
        });
    }

    /// The test's own server, over pipes.
    fn serves(mut self, behave: &str) -> Self {
        let command = tool_server::command("agent::mcp::tests::serve");
        let settings = Server { reach: Reach::Command(command), ..settings("t", &[]) };
        self.add(settings, &[(BEHAVE, behave)]);
        self
    }

    async fn wake(mut self) -> Self {
        self.awake = None;
        self.awake = Some(self.servers.wake(&self.specs, &CancellationToken::new(), || {}).await);
        self
    }

    fn view(&self) -> ServerView {
        self.servers.views().remove(0)
    }

    async fn until(&self, what: &str, holds: impl Fn(&ServerView) -> bool) -> ServerView {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let view = self.view();
            if holds(&view) {
                return view;
            }
            assert!(Instant::now() < deadline, "waited for {what}: {view:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn stands(&self, state: ServerState) -> ServerView {
        self.until(state.word(), |view| view.state == state).await
    }

    async fn call(&self, tool: &str, arguments: Value) -> ToolOutcome {
        self.call_until(tool, arguments, &CancellationToken::new()).await
    }

    async fn call_until(&self, tool: &str, arguments: Value, stop: &CancellationToken) -> ToolOutcome {
        let tool = ServerTool { server: "t".to_owned(), tool: tool.to_owned(), read_only: false };
        self.servers.call(&tool, arguments, stop).await
    }

    fn file(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.directory.path().join(name)).ok()
    }

    async fn until_file(&self, name: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(text) = self.file(name) {
                return text;
            }
            assert!(Instant::now() < deadline, "waited for {name}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

fn alive(pid: &str) -> bool {
    Process::of(pid.trim().parse().unwrap()).is_some_and(|process| !process.dead)
}

/// Processes that work in a directory.
fn at_work_in(directory: &Path) -> Vec<u32> {
    let directory = directory.canonicalize().unwrap();
    let there = |pid: &u32| std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == directory);
    processes().into_values().filter(|process| !process.dead).map(|process| process.pid).filter(there).collect()
}

#[tokio::test]
async fn a_server_is_started_in_the_worktree_called_and_ended() {
    let lane = Lane::new().serves("garbage").wake().await;
    assert_eq!(lane.view().state, ServerState::Running);
    let offers = lane.servers.offers();
    let echo = offers.iter().find(|offer| offer.name == "mcp__t__echo").unwrap();
    assert!(echo.tool.read_only && echo.words == "The tool echo." && echo.schema["required"] == json!(["text"]));
    let done = lane.call("echo", json!({"text": "grün 漢字"})).await;
    assert_eq!((done.ok, done.output.as_str(), done.summary.as_str()), (true, "grün 漢字", "1 line"));
    let place = lane.call("where", json!({})).await.output;
    assert_eq!(Path::new(&place), lane.directory.path().canonicalize().unwrap());
    let failed = lane.call("fail", json!({})).await;
    assert_eq!((failed.ok, failed.output.as_str()), (false, "no such page"));
    assert!(lane.view().said.contains("the server has started"));
    let pid = lane.file("pid-last").unwrap();
    assert!(alive(&pid));
    lane.servers.end_all(false).await;
    assert!(!alive(&pid) && at_work_in(lane.directory.path()).is_empty());
    assert!(lane.servers.offers().is_empty() && lane.servers.views().is_empty());
    // The next turn starts it again; after the lane is closed none does.
    let lane = lane.wake().await;
    assert_eq!(lane.view().state, ServerState::Running);
    lane.servers.end_all(true).await;
    let lane = lane.wake().await;
    assert!(lane.servers.views().is_empty() && at_work_in(lane.directory.path()).is_empty());
}

#[tokio::test]
async fn a_server_sees_no_variable_but_the_few_and_those_named() {
    let lane = Lane::new().serves("").wake().await;
    let env = lane.call("env", json!({})).await.output;
    let names: Vec<&str> = env.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    assert_eq!(names, ["PARALANE_CALL", "PATH", "PWD", BEHAVE], "{env}");
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn a_call_is_cancelled_at_once_and_the_server_hears_of_it() {
    let lane = Lane::new().serves("").wake().await;
    let stop = CancellationToken::new();
    let call = lane.call_until("slow", json!({}), &stop);
    let cancel = async {
        lane.until_file("slow-began").await;
        stop.cancel();
    };
    let (done, ()) = tokio::join!(call, cancel);
    assert_eq!(done.summary, "cancelled");
    lane.until_file("cancelled").await;
    assert_eq!(lane.call("echo", json!({"text": "still here"})).await.output, "still here");
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn a_call_has_a_time_limit_and_others_go_on() {
    let mut lane = Lane::new().serves("");
    lane.specs[0].settings.timeout = 1;
    let lane = lane.wake().await;
    let (slow, quick) = tokio::join!(lane.call("slow", json!({})), lane.call("echo", json!({"text": "quick"})));
    assert_eq!((slow.summary.as_str(), quick.output.as_str()), ("timed out", "quick"));
    assert!(slow.output.contains("within 1 s"), "{}", slow.output);
    lane.until_file("cancelled").await;
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn one_that_dies_in_a_call_fails_the_call_says_why_and_is_started_again() {
    let lane = Lane::new().serves("").wake().await;
    let done = lane.call("die", json!({})).await;
    assert_eq!((done.ok, done.summary.as_str()), (false, "connection lost"), "{}", done.output);
    assert!(done.output.contains("look before you repeat it"));
    // A call that follows waits for it.
    assert_eq!(lane.call("echo", json!({"text": "back"})).await.output, "back");
    assert_eq!(lane.view().starts, 2);
    let news = lane.servers.news();
    assert!(news.len() == 1 && news[0].contains("tool server `t` ended: it ended with status 7"), "{news:?}");
    assert!(news[0].contains("I am dying"), "{news:?}");
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn one_that_never_comes_up_is_tried_four_times_and_then_stays_off_until_it_is_restarted() {
    let lane = Lane::new().serves("die count").wake().await;
    let view = lane.stands(ServerState::Off).await;
    assert_eq!(view.starts, 4);
    assert!(view.error.as_ref().unwrap().contains("status 3 (its last words: no such module: left-pad)"), "{view:?}");
    let news = lane.servers.news();
    let last = news.last().unwrap();
    assert!(news.len() == 4 && last.contains("is off") && last.contains("`servers restart t`"), "{news:?}");
    let done = lane.call("echo", json!({})).await;
    assert!(done.summary == "no server" && done.output.contains("left-pad"), "{}", done.output);
    // Neither another turn nor another call tries again; the person does.
    let lane = lane.wake().await;
    assert_eq!(lane.view().starts, 4);
    assert!(lane.servers.restart("t") && !lane.servers.restart("other"));
    lane.until("more tries", |view| view.starts == 8 && view.state == ServerState::Off).await;
    assert_eq!(lane.file("starts").unwrap().len(), 8);
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn one_that_fails_once_comes_up_at_the_second_try() {
    let lane = Lane::new().serves("die-once count").wake().await;
    assert_eq!((lane.view().state, lane.view().starts), (ServerState::Running, 2));
    assert_eq!(lane.view().error, None);
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn one_that_says_nothing_does_not_hold_the_turn_up_and_is_ended() {
    let limits = Limits { wait: Duration::from_millis(50), ..Limits::default() };
    let lane = Lane::with(limits).serves("mute").wake().await;
    assert_eq!(lane.view().state, ServerState::Starting);
    let news = lane.servers.news();
    assert!(news[0].contains("is not up after 0 s"), "{news:?}");
    let pid = lane.until_file("pid-last").await;
    lane.servers.end_all(true).await;
    assert!(!alive(&pid));
    // One whose time to start has run out is tried again, and off in the end.
    let limits = Limits { start: Duration::from_millis(50), pauses: Vec::new(), ..Limits::default() };
    let lane = Lane::with(limits).serves("mute").wake().await;
    assert!(lane.view().error.unwrap().contains("did not answer within 0 s"));
    assert!(at_work_in(lane.directory.path()).is_empty());
}

#[tokio::test]
async fn a_program_that_is_not_there_is_off_at_once() {
    let mut lane = Lane::new();
    lane.add(settings("t", &["/no/such/server"]), &[]);
    let lane = lane.wake().await;
    let view = lane.view();
    assert_eq!((view.state, view.starts), (ServerState::Off, 1));
    assert!(view.error.unwrap().contains("`/no/such/server` cannot be started"));
}

#[tokio::test]
async fn changed_tools_are_listed_anew() {
    let lane = Lane::new().serves("").wake().await;
    assert!(!lane.servers.offers().iter().any(|offer| offer.tool.tool == "grown"));
    lane.call("grow", json!({})).await;
    lane.until("the grown tool", |view| view.tools.iter().any(|tool| tool.tool == "grown")).await;
    assert!(lane.servers.offers().iter().any(|offer| offer.name == "mcp__t__grown"));
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn of_five_hundred_tools_some_are_given_and_the_rest_is_told() {
    let mut lane = Lane::new().serves("many");
    lane.specs[0].settings.allow = vec!["tool_48*".to_owned()];
    lane.specs[0].settings.deny = vec!["die".to_owned()];
    let lane = lane.wake().await;
    let offers = lane.servers.offers();
    assert_eq!((offers.len(), lane.view().tools.len()), (100, 499));
    assert!(offers.iter().any(|offer| offer.tool.tool == "tool_488"), "what is listed comes first");
    assert!(!offers.iter().any(|offer| offer.tool.tool == "die"));
    let news = lane.servers.news();
    assert!(news.len() == 1 && news[0].contains("offers 399 tools more than there is room for"), "{news:?}");
    assert!(lane.view().left_out.iter().any(|words| words.contains("399 more")));
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn hostile_tools_are_left_out_and_said_so() {
    let lane = Lane::new().serves("hostile noisy").wake().await;
    let left = lane.view().left_out.join("; ");
    assert!(left.contains("deep (its schema is too deep)") && left.contains("fat (its schema has 50 KB"), "{left}");
    let evil = lane.servers.offers().into_iter().find(|offer| offer.tool.tool.starts_with("evil")).unwrap();
    assert!(evil.name.starts_with("mcp__t__evil") && evil.words == "[2Jclear", "{evil:?}");
    assert!(evil.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
    assert!(lane.servers.news()[0].contains("has tools that agents are not given"));
    let view = lane.until("the end of the noise", |view| view.said.ends_with("the end of the noise\n")).await;
    assert!(view.said.len() <= 8 * 1024);
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn what_is_no_server_is_known_at_once_and_named() {
    for (command, said) in [("cat", "sends back what it is told"), ("yes", "it says `y`")] {
        let mut lane = Lane::with(Limits { wait: PATIENCE, ..Limits::default() });
        lane.add(settings("t", &[command]), &[]);
        let began = Instant::now();
        let lane = lane.wake().await;
        assert!(began.elapsed() < PATIENCE / 2, "nothing was waited for");
        let view = lane.view();
        assert_eq!((view.state, view.starts), (ServerState::Off, 1), "{view:?}");
        let error = view.error.unwrap();
        assert!(error.contains("no MCP server") && error.contains(said), "{error}");
        assert!(lane.servers.news().iter().any(|words| words.contains(said) && words.contains("servers restart t")));
        lane.servers.end_all(true).await;
    }
}

#[tokio::test]
async fn one_turn_waits_for_a_server_that_says_nothing_and_no_other() {
    let wait = Duration::from_millis(300);
    let mut lane = Lane::with(Limits { wait, ..Limits::default() });
    lane.add(settings("t", &["sh", "-c", "echo hello there; exec sleep 1000"]), &[]);
    let lane = lane.wake().await;
    let view = lane.view();
    let error = view.error.clone().unwrap_or_default();
    assert!(view.state == ServerState::Starting && error.contains("not MCP: `hello there`"), "{view:?}");
    assert!(lane.servers.news()[0].contains("turns begin without it"));
    let began = Instant::now();
    let mut waited = false;
    let awake = lane.servers.wake(&lane.specs, &CancellationToken::new(), || waited = true).await;
    assert!(!waited && began.elapsed() < wait, "the second turn does not wait");
    assert!(lane.servers.news().is_empty(), "it is told once");
    drop(awake);
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn a_large_result_comes_cut_and_a_message_without_end_ends_the_connection() {
    let lane = Lane::new().serves("").wake().await;
    let done = lane.call("huge", json!({"bytes": 3_000_000})).await;
    assert!(done.ok && done.output.len() < 1_100_000 && done.output.contains("bytes left out"));
    let done = lane.call("huge", json!({"bytes": 9_000_000})).await;
    assert_eq!(done.summary, "connection lost", "{}", done.output);
    lane.until("the new start", |view| view.starts == 2 && view.state == ServerState::Running).await;
    let news = lane.servers.news();
    assert!(news[0].contains("a message of more than 8.4 MB"), "{news:?}");
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn what_a_server_asks_for_is_refused_but_the_worktree() {
    let lane = Lane::new().serves("").wake().await;
    let answers: Value = serde_json::from_str(&lane.call("ask_back", json!({})).await.output).unwrap();
    let of = |number: usize| answers.as_array().unwrap().iter().find(|a| a["id"] == format!("back-{number}")).unwrap();
    assert!(of(0)["result"].is_object());
    let root = of(1)["result"]["roots"][0]["uri"].as_str().unwrap();
    let place = url::Url::from_directory_path(lane.directory.path().canonicalize().unwrap()).unwrap();
    assert_eq!(root, place.as_str());
    assert_eq!(of(2)["error"]["code"], -32601);
    assert!(of(3)["result"]["action"] == "decline" || of(3)["error"].is_object(), "{answers}");
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn a_lane_at_rest_keeps_no_process_and_wakes_with_the_next_turn() {
    let limits = Limits { idle: Duration::from_millis(30), ..Limits::default() };
    let mut lane = Lane::with(limits).serves("").wake().await;
    let pid = lane.file("pid-last").unwrap();
    lane.awake = None;
    lane.stands(ServerState::Asleep).await;
    assert!(!alive(&pid) && lane.servers.offers().is_empty());
    let lane = lane.wake().await;
    assert_eq!((lane.view().state, lane.view().starts), (ServerState::Running, 2));
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn what_is_configured_otherwise_is_started_anew_and_what_is_gone_is_ended() {
    let mut lane = Lane::new().serves("").wake().await;
    let first = lane.file("pid-last").unwrap();
    let mut lane2 = lane;
    // The table has moved in the file: nothing happens.
    lane2.specs[0].settings.origin = Origin::File { layer: crate::config::Layer::User, file: "x".to_owned(), line: 9 };
    lane = lane2.wake().await;
    assert_eq!(lane.file("pid-last").unwrap(), first);
    lane.specs[0].given.push(("MORE".to_owned(), "1".to_owned()));
    let mut lane = lane.wake().await;
    assert_ne!(lane.file("pid-last").unwrap(), first);
    lane.specs.clear();
    let lane = lane.wake().await;
    assert!(lane.servers.views().is_empty());
    lane.servers.end_all(false).await;
    assert!(at_work_in(lane.directory.path()).is_empty());
}

fn over_http(lane: &mut Lane, url: String, key: Option<&str>) {
    let reach = Reach::Url { url, headers_env: BTreeMap::new() };
    lane.add(Server { reach, ..settings("t", &[]) }, &[]);
    lane.specs[0].headers = key.map(|key| ("authorization".to_owned(), ApiKey::new(key))).into_iter().collect();
}

#[tokio::test]
async fn a_server_over_http_is_listed_and_called_with_its_key() {
    let http = Http::start("").await;
    let mut lane = Lane::new();
    over_http(&mut lane, format!("{}/wants", http.address), Some("Bearer sk-docs-SENTINEL"));
    let lane = lane.wake().await;
    assert_eq!(lane.view().state, ServerState::Running, "{:?}", lane.view());
    assert_eq!(lane.call("echo", json!({"text": "over http"})).await.output, "over http");
    assert!(http.seen.lock().unwrap().iter().any(|(_, key)| key == "Bearer sk-docs-SENTINEL"));
    let failed = lane.call("die", json!({})).await;
    assert!(!failed.ok, "{}", failed.output);
    assert_eq!(lane.call("echo", json!({"text": "still"})).await.output, "still");
    // The server goes away: that is seen with the next call.
    drop(http);
    let deadline = Instant::now() + PATIENCE;
    while lane.view().error.is_none() {
        assert!(Instant::now() < deadline, "the loss is not seen: {:?}", lane.view());
        // The first one may still meet a connection that is just being closed.
        let lost = lane.call("echo", json!({"text": "x"})).await;
        assert!(!lost.output.contains("SENTINEL"), "{}", lost.output);
    }
    lane.servers.end_all(true).await;
}

#[tokio::test]
async fn over_http_no_redirect_is_followed_and_nothing_without_end_is_read() {
    let other = Http::start("").await;
    let http = Http::start(&format!("{}/mcp", other.address)).await;
    for (path, key) in [("moved", Some("Bearer sk-docs-SENTINEL")), ("fat", None), ("wants", None)] {
        let mut lane = Lane::with(Limits { pauses: Vec::new(), ..Limits::default() });
        over_http(&mut lane, format!("{}/{path}", http.address), key);
        let lane = lane.wake().await;
        let view = lane.view();
        assert_eq!(view.state, ServerState::Off, "{path}: {view:?}");
        assert!(!view.error.unwrap().contains("SENTINEL"));
    }
    assert!(other.seen.lock().unwrap().is_empty(), "the key went to another host");
}
