//! A scripted model server on loopback, for every test that needs a model. It speaks chat completions, Responses,
//! Messages and generateContent, by the address's path.
//!
//! It answers prepared replies first (`push`), else what the last user message says: each line that
//! begins with `%` is a step; the step answered is the number of assistant messages since then.
//!
//! | line | the model … |
//! | --- | --- |
//! | `%say TEXT` | says it (with the call of the next line, or as its final answer) |
//! | `%think TEXT` | sends it as reasoning, before the same step's answer |
//! | `%sh CMD` · `%read PATH` · `%list PATH` · `%write PATH TEXT` · `%edit PATH OLD => NEW` | calls the tool (`\n` in texts is a line end) |
//! | `%call TOOL JSON` | calls any tool with any arguments, also broken ones |
//! | `%+sh CMD` … | a further call in the same step |
//! | `%slow MS` | waits so long before each piece of the same step |
//! | `%hang` | begins an answer and never goes on |
//! | `%cut` | hangs up in the middle of a tool call's arguments |
//! | `%error STATUS TIMES` | refuses the same step so often first (`429` with `Retry-After: 0`) |
//! | `%html` | answers with a web page |
//!
//! A prompt without such lines, or with none left, is answered `done`.
//!
//! A request for notes of a conversation is answered with notes. The last `%notes` line of what it quotes says how:
//! `%notes error STATUS TIMES`, `%notes garbage TIMES`, `%notes hang`.
#![allow(dead_code, missing_docs, reason = "each user of this file needs another part of it")]
#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used, reason = "test support")]

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use axum::routing::get;
use serde_json::{Value, json};

#[path = "model_dialects.rs"]
mod model_dialects;

pub use model_dialects::Dialect;

/// How a reply's body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// In order.
    Clean,
    /// The connection breaks.
    Abort,
    /// Never.
    Hang,
}

/// A whole HTTP reply.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub pieces: Vec<Vec<u8>>,
    pub pause: Duration,
    pub end: End,
}

impl Reply {
    pub fn document(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        Self { status, headers, pieces: vec![body.into()], pause: Duration::ZERO, end: End::Clean }
    }

    /// A stream of raw pieces.
    pub fn pieces(pieces: &[&str], end: End) -> Self {
        let mut reply = Self::document(200, "text/event-stream", "");
        reply.pieces = pieces.iter().map(|piece| piece.as_bytes().to_vec()).collect();
        reply.end = end;
        reply
    }

    /// A stream of events, ended by `[DONE]`.
    pub fn events(events: &[Value]) -> Self {
        let mut pieces: Vec<String> = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        pieces.push("data: [DONE]\n\n".to_owned());
        Self::pieces(&pieces.iter().map(String::as_str).collect::<Vec<_>>(), End::Clean)
    }

    pub fn say(text: &str) -> Self {
        Step { text: text.to_owned(), ..Step::default() }.reply()
    }

    /// One step with these calls.
    pub fn calls(calls: &[(&str, Value)]) -> Self {
        let calls = calls.iter().map(|(tool, arguments)| (tool.to_string(), arguments.to_string())).collect();
        Step { calls, ..Step::default() }.reply()
    }

    pub fn error(status: u16) -> Self {
        Self::document(
            status,
            "application/json",
            json!({"error": {"message": format!("scripted {status}")}}).to_string(),
        )
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// One step of a script.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Step {
    pub text: String,
    pub reasoning: String,
    pub calls: Vec<(String, String)>,
    pub slow: Duration,
    pub errors: Option<(u16, u32)>,
    pub special: Option<Special>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    Hang,
    Cut,
    Html,
}

/// Reads a prompt's script.
pub fn steps(prompt: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut step = Step::default();
    for line in prompt.lines().filter_map(|line| line.trim_start().strip_prefix('%')) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if let Some(word) = word.strip_prefix('+') {
            // Goes into the step that the line before has ended.
            if let (Some(last), Some(call)) = (steps.last_mut(), call(word, rest)) {
                let last: &mut Step = last;
                last.calls.push(call);
            }
            continue;
        }
        match word {
            "say" => step.text = unescape(rest),
            "think" => step.reasoning = unescape(rest),
            "slow" => step.slow = Duration::from_millis(rest.trim().parse().unwrap_or(0)),
            "error" => {
                let (status, times) = rest.split_once(' ').unwrap_or((rest, "1"));
                step.errors = Some((status.parse().unwrap_or(500), times.trim().parse().unwrap_or(1)));
            }
            "hang" => step.special = Some(Special::Hang),
            "cut" => step.special = Some(Special::Cut),
            "html" => step.special = Some(Special::Html),
            word => step.calls.extend(call(word, rest)),
        }
        if step.special.is_some() || !step.calls.is_empty() {
            steps.push(std::mem::take(&mut step));
        }
    }
    if step != Step::default() {
        if step.text.is_empty() {
            step.text = "done".to_owned();
        }
        steps.push(step);
    }
    steps
}

fn call(word: &str, rest: &str) -> Option<(String, String)> {
    let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
    let arguments = match word {
        "sh" => return Some(("shell".to_owned(), json!({"command": rest}).to_string())),
        "read" | "list" => json!({"path": rest}),
        "write" => json!({"path": first, "content": unescape(second)}),
        "edit" => {
            let (old, new) = second.split_once(" => ").unwrap_or((second, ""));
            json!({"path": first, "old": unescape(old), "new": unescape(new)})
        }
        "call" => return Some((first.to_owned(), second.to_owned())),
        _ => return None,
    };
    Some((word.to_owned(), arguments.to_string()))
}

fn unescape(text: &str) -> String {
    text.replace("\\n", "\n")
}

impl Step {
    /// The reply in chat completions.
    pub fn reply(&self) -> Reply {
        Dialect::Chat.reply(self)
    }
}

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The path with what stands behind it.
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
}

#[derive(Default)]
struct Record {
    queue: VecDeque<Reply>,
    seen: Vec<Seen>,
    /// Refusals given so far, by script and step.
    refused: HashMap<(String, usize), u32>,
    /// Notes written so far.
    noted: u32,
    open: usize,
    most_open: usize,
    models: Vec<String>,
}

#[derive(Default)]
struct Shared {
    record: Mutex<Record>,
    changed: Condvar,
}

impl Shared {
    /// Also after a failed assertion in a wait, so that only that one is reported.
    fn lock(&self) -> std::sync::MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Record) -> T) -> T {
        let out = change(&mut self.lock());
        self.changed.notify_all();
        out
    }
}

/// A running server; it ends when this is dropped.
pub struct ModelServer {
    shared: Arc<Shared>,
    address: SocketAddr,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl ModelServer {
    /// On a free port.
    pub fn start() -> Self {
        Self::on(0)
    }

    pub fn on(port: u16) -> Self {
        let listener = std::net::TcpListener::bind(("127.0.0.1", port)).expect("a free port");
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        shared.change(|record| record.models = vec!["scripted".to_owned(), "other".to_owned()]);
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let state = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let routes = Router::new()
                    .route("/v1/models", get(models))
                    .route("/v1beta/models", get(models))
                    .fallback(answer)
                    .with_state(state);
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    served = async { axum::serve(listener, routes).await } => served.unwrap(),
                    _ = stopped => {}
                }
            });
        });
        Self { shared, address, stop: Some(stop), thread: Some(thread) }
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Prepares the next reply.
    pub fn push(&self, reply: Reply) {
        self.shared.change(|record| record.queue.push_back(reply));
    }

    pub fn set_models(&self, models: &[&str]) {
        self.shared.change(|record| record.models = models.iter().map(|model| (*model).to_owned()).collect());
    }

    /// All chat requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.lock().seen.clone()
    }

    /// Chat requests whose reply is still being sent.
    pub fn open(&self) -> usize {
        self.shared.lock().open
    }

    /// The most that were open at once.
    pub fn most_open(&self) -> usize {
        self.shared.lock().most_open
    }

    /// Waits until so many chat requests have come. Blocks: from async tests use `seen` in a loop.
    pub fn wait_for_requests(&self, count: usize) {
        self.wait("requests", |record| record.seen.len() >= count);
    }

    /// Waits until so many replies are open.
    pub fn wait_for_open(&self, count: usize) {
        self.wait("open replies", |record| record.open == count);
    }

    fn wait(&self, what: &str, until: impl Fn(&Record) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(20);
        let mut record = self.shared.lock();
        while !until(&record) {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "waited for {what}: seen {}, open {}", record.seen.len(), record.open);
            let waited = self.shared.changed.wait_timeout(record, left);
            record = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
    }

    /// Serves until the process ends.
    pub fn forever(mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn models(State(shared): State<Arc<Shared>>) -> Response<Body> {
    let names = shared.lock().models.clone();
    let data: Vec<Value> = names.iter().map(|name| json!({"id": name, "object": "model"})).collect();
    respond(Reply::document(200, "application/json", json!({"object": "list", "data": data}).to_string()), None)
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response<Body>, Infallible> {
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let Some(dialect) = Dialect::of(uri.path()) else { return Ok(respond(Reply::error(404), None)) };
    let path = uri.to_string();
    let reply = shared.change(|record| {
        record.seen.push(Seen { path, headers, body: body.clone() });
        record.open += 1;
        record.most_open = record.most_open.max(record.open);
        record.queue.pop_front().unwrap_or_else(|| match is_for_notes(&body) {
            true => notes(dialect, uri.path(), &body, record),
            false => scripted(dialect, uri.path(), &body, &mut record.refused),
        })
    });
    Ok(respond(reply, Some(Open(shared))))
}

/// Whether a request is for notes of a conversation.
pub fn is_for_notes(body: &Value) -> bool {
    body.to_string().contains("You keep the notes of a coding agent's conversation")
}

/// How many steps notes stand for, and of which prompt: its first line. So a script goes on where it was.
fn steps_noted(quoted: &str) -> (String, usize) {
    let conversation = quoted.rsplit_once("<conversation>").map_or(quoted, |(_, rest)| rest);
    match conversation.rsplit_once("[person]\n") {
        Some((_, rest)) => (rest.lines().next().unwrap_or_default().to_owned(), rest.matches("[agent]").count()),
        None => {
            let (of, before) = noted_before(quoted).unwrap_or_default();
            (of, before + conversation.matches("[agent]").count())
        }
    }
}

fn noted_before(text: &str) -> Option<(String, usize)> {
    let (of, rest) = text.split_once("steps of «")?.1.split_once("»: ")?;
    Some((of.to_owned(), rest.lines().next()?.trim().parse().ok()?))
}

/// Notes, or what the conversation asks for in their place.
fn notes(dialect: Dialect, path: &str, body: &Value, record: &mut Record) -> Reply {
    let (quoted, _) = dialect.asked(body);
    let order = quoted.lines().filter_map(|line| line.trim_start().strip_prefix("%notes ")).next_back();
    let words: Vec<&str> = order.unwrap_or_default().split(' ').collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u32>().ok()).unwrap_or(1);
    let key = (format!("notes {}", order.unwrap_or_default()), 0);
    let so_far = record.refused.entry(key).or_default();
    let mut step = Step::default();
    match words[0] {
        "error" if *so_far < number(2) => {
            *so_far += 1;
            let status = number(1) as u16;
            let words = dialect.error(status, &format!("scripted {status}")).to_string();
            return Reply::document(status, "application/json", words).header("retry-after", "0");
        }
        "garbage" if *so_far < number(1) => {
            *so_far += 1;
            step.text = "I would rather talk about the weather.".to_owned();
        }
        "hang" => (step.text, step.special) = ("## Goal".to_owned(), Some(Special::Hang)),
        _ => {
            record.noted += 1;
            let (of, steps) = steps_noted(&quoted);
            let built = if quoted.contains("<earlier-notes>") { "on earlier notes" } else { "anew" };
            step.text = format!(
                "## Goal\nGOAL-{0}\n## Done\n- written {built}\n## Pending\nnone\n## Constraints\nnone\n## Files\n- \
                 src/login.rs\n## Decisions\nsteps of «{of}»: {steps}\n## Next\nNEXT-{0}",
                record.noted
            );
        }
    }
    if step.special.is_none() && !dialect.streams(path, body) {
        return Reply::document(200, "application/json", dialect.document(&step).to_string());
    }
    dialect.reply(&step)
}

/// The reply that the last user message asks for.
fn scripted(dialect: Dialect, path: &str, body: &Value, refused: &mut HashMap<(String, usize), u32>) -> Reply {
    let (prompt, mut index) = dialect.asked(body);
    // Steps of this very prompt that notes stand for.
    let noted = noted_before(&prompt).filter(|(of, _)| prompt.contains(&format!("\n\n{of}")));
    index += noted.map_or(0, |(_, steps)| steps);
    let done = || Step { text: "done".to_owned(), ..Step::default() };
    let step = steps(&prompt).into_iter().nth(index).unwrap_or_else(done);
    if let Some((status, times)) = step.errors {
        let so_far = refused.entry((prompt, index)).or_default();
        if *so_far < times {
            *so_far += 1;
            let words = dialect.error(status, &format!("scripted {status}")).to_string();
            return Reply::document(status, "application/json", words).header("retry-after", "0");
        }
    }
    if step.special.is_none() && !dialect.streams(path, body) {
        return Reply::document(200, "application/json", dialect.document(&step).to_string());
    }
    dialect.reply(&step)
}

/// Counts a reply as open until it is sent or its reader has gone.
struct Open(Arc<Shared>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.change(|record| record.open -= 1);
    }
}

fn respond(reply: Reply, open: Option<Open>) -> Response<Body> {
    let mut response = Response::builder().status(reply.status);
    for (name, value) in &reply.headers {
        response = response.header(name, value);
    }
    let state = (VecDeque::from(reply.pieces), reply.pause, reply.end, open);
    let pieces = futures_util::stream::unfold(state, |(mut pieces, pause, end, open)| async move {
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        let piece = pieces.pop_front();
        // Over before its last piece is read: whoever reads it may ask again before this is told of its end.
        let open = open.filter(|_| !(pieces.is_empty() && matches!(end, End::Clean)));
        let next = match (piece, end) {
            (Some(piece), _) => Ok(Bytes::from(piece)),
            (None, End::Clean) => return None,
            (None, End::Abort) => {
                // Lets what was sent before arrive first.
                tokio::task::yield_now().await;
                Err(std::io::Error::other("scripted cut"))
            }
            (None, End::Hang) => std::future::pending().await,
        };
        Some((next, (pieces, pause, end, open)))
    });
    response.body(Body::from_stream(pieces)).unwrap()
}
