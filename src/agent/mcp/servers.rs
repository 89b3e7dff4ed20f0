//! The tool servers of one lane, together: woken by turns, called by their tools' names, watched by the person.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use rmcp::model::CallToolRequestParams;
use rmcp::service::ServiceError;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::connect::causes;
use super::offers::{Offer, together};
use super::outcome::outcome;
use super::server::{Common, Limits, Server, Way};
use super::spec::ServerSpec;
use crate::agent::tools::failed;
use crate::base::{clip, lock, one_line, visible};
use crate::domain::{ServerState, ServerTool, ServerView, ToolOutcome};

/// A lane's servers. Dropped, they are told to end.
pub(in crate::agent) struct Servers {
    common: Arc<Common>,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    closed: bool,
    all: Vec<Arc<Server>>,
    tasks: Vec<JoinHandle<()>>,
    /// Tools of each server that are left out for want of room, as told last.
    crowded: std::collections::BTreeMap<String, usize>,
}

impl Default for Servers {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        lock(&self.table).all.iter().for_each(|server| server.stop.cancel());
    }
}

/// A turn that needs the servers; while it lives they are not put to sleep.
pub(in crate::agent) struct Awake(Arc<Common>);

impl Drop for Awake {
    fn drop(&mut self) {
        self.0.turns.send_modify(|turns| *turns = turns.saturating_sub(1));
    }
}

impl Servers {
    pub fn new(limits: Limits) -> Self {
        let common = Common {
            limits,
            turns: watch::Sender::default(),
            changes: watch::Sender::default(),
            news: Mutex::default(),
        };
        Self { common: Arc::new(common), table: Mutex::default() }
    }

    /// Every change from now on.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.common.changes.subscribe()
    }

    /// What the person is to be told; each once.
    pub fn news(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.common.news))
    }

    /// A turn begins: starts what is configured and does not run, ends what is not configured any more, and waits a
    /// while for those that start. For one that did not come up in that time no further turn waits, until it has run. `waits` is called if there is something to wait for.
    pub async fn wake(&self, specs: &[ServerSpec], stop: &CancellationToken, waits: impl FnOnce()) -> Awake {
        self.common.turns.send_modify(|turns| *turns += 1);
        let awake = Awake(Arc::clone(&self.common));
        let mut servers = self.configure(specs);
        servers.retain(|server| !server.waited.load(Ordering::Relaxed));
        let all_up = async {
            for server in &servers {
                let mut stage = server.stage.subscribe();
                // Its sender lives as long as the server, which is held here.
                let _ = stage.wait_for(|stage| settled(*stage)).await;
            }
        };
        if servers.iter().any(|server| !settled(*server.stage.borrow())) {
            waits();
        }
        let in_time = tokio::select! {
            biased;
            () = stop.cancelled() => true,
            up = tokio::time::timeout(self.common.limits.wait, all_up) => up.is_ok(),
        };
        if !in_time {
            let seconds = self.common.limits.wait.as_secs();
            for server in servers.iter().filter(|server| !settled(*server.stage.borrow())) {
                server.waited.store(true, Ordering::Relaxed);
                if *server.stage.borrow() == ServerState::Starting {
                    let heard = lock(&server.heard).clone();
                    let instead = server.spec.clean(&heard.map(|heard| heard.instead()).unwrap_or_default());
                    lock(&server.live).error = Some(format!("it is not up after {seconds} s{instead}"));
                    self.common.tell(format!(
                        "tool server `{}` is not up after {seconds} s{instead}: turns begin without it",
                        server.name()
                    ));
                }
            }
        }
        awake
    }

    fn configure(&self, specs: &[ServerSpec]) -> Vec<Arc<Server>> {
        let mut table = lock(&self.table);
        if table.closed {
            return Vec::new();
        }
        table.tasks.retain(|task| !task.is_finished());
        let old = std::mem::take(&mut table.all);
        for spec in specs {
            if let Some(server) = old.iter().find(|server| server.spec.same(spec)) {
                table.all.push(Arc::clone(server));
                continue;
            }
            let server = Arc::new(Server::new(spec.clone(), Arc::clone(&self.common)));
            table.tasks.push(tokio::spawn(Arc::clone(&server).watched()));
            table.all.push(server);
        }
        for gone in old.iter().filter(|old| !table.all.iter().any(|kept| Arc::ptr_eq(kept, old))) {
            gone.stop.cancel();
        }
        drop(old);
        let all = table.all.clone();
        drop(table);
        self.common.changed();
        all
    }

    /// The tools that agents are given now.
    pub fn offers(&self) -> Vec<Offer> {
        let servers = lock(&self.table).all.clone();
        // One that is being started again keeps its tools: a call of one waits for it.
        let gone = |server: &Arc<Server>| matches!(*server.stage.borrow(), ServerState::Off | ServerState::Asleep);
        let listing = |server: &Arc<Server>| (!gone(server)).then(|| Arc::clone(&lock(&server.live).listing));
        let listings: Vec<_> = servers.iter().filter_map(listing).collect();
        let (offers, crowded) = together(listings.iter().map(|listing| &**listing));
        let mut table = lock(&self.table);
        if table.crowded != crowded {
            for (server, count) in &crowded {
                self.common.tell(format!(
                    "tool server `{server}` offers {count} tools more than there is room for; name those that you need \
                     in its `allow`, they come first"
                ));
            }
            table.crowded = crowded;
        }
        offers
    }

    /// Calls a tool. A cancel or the time limit tells the server so.
    pub async fn call(&self, tool: &ServerTool, arguments: Value, stop: &CancellationToken) -> ToolOutcome {
        let shown = format!("`{}:{}`", tool.server, clip(&visible(&one_line(&tool.tool)), 80));
        let server = lock(&self.table).all.iter().find(|server| server.name() == tool.server).cloned();
        let Some(server) = server else {
            return failed(&format!("{shown} cannot be called: its server is not configured any more"), "no server");
        };
        let limit = std::time::Duration::from_secs(server.spec.settings.timeout);
        let way = tokio::select! {
            biased;
            () = stop.cancelled() => return cancelled(),
            way = self.running(&server) => way,
        };
        let Some(Way { peer, broken }) = way else {
            let error = lock(&server.live).error.clone().map(|error| format!(": {error}")).unwrap_or_default();
            let words = format!("{shown} cannot be called, its server does not run{error}. Nothing was done.");
            return failed(&words, "no server");
        };
        let arguments = match arguments {
            Value::Object(map) => map,
            _ => serde_json::Map::new(),
        };
        let ask = CallToolRequestParams::new(tool.tool.clone()).with_arguments(arguments);
        // Dropped, the call tells the server that it is cancelled.
        let answer = tokio::select! {
            biased;
            () = stop.cancelled() => return cancelled(),
            answer = tokio::time::timeout(limit, peer.call_tool(ask)) => answer,
        };
        match answer {
            Ok(Ok(result)) => outcome(result),
            Ok(Err(ServiceError::McpError(error))) => {
                let words = clip(&error.message, 4_000);
                failed(&format!("The server refused the call: {words} (code {})", error.code.0), "refused")
            }
            Ok(Err(error @ (ServiceError::TransportClosed | ServiceError::TransportSend(_)))) => {
                if lost(&error) {
                    broken.notify_one();
                }
                let words = server.spec.clean(&causes(&error));
                failed(
                    &format!(
                        "The connection to the server of {shown} broke ({words}); unknown whether the call had an \
                         effect: look before you repeat it."
                    ),
                    "connection lost",
                )
            }
            Ok(Err(error)) => failed(&format!("The server's answer cannot be used: {}", causes(&error)), "no answer"),
            Err(_) => failed(
                &format!(
                    "{shown} gave no answer within {} s, its time limit, and was told to stop; unknown whether it had \
                     an effect.",
                    limit.as_secs()
                ),
                "timed out",
            ),
        }
    }

    /// The way to a server; one that is being started is waited for, for a while.
    async fn running(&self, server: &Server) -> Option<Way> {
        let mut stage = server.stage.subscribe();
        let found = async {
            loop {
                stage.borrow_and_update();
                let way = lock(&server.live).way.clone().filter(|way| !way.peer.is_transport_closed());
                if way.is_some() || *server.stage.borrow() == ServerState::Off {
                    return way;
                }
                // A stage that follows is told; its sender lives as long as the server.
                let _ = stage.changed().await;
            }
        };
        // If it takes longer, there is no way to it.
        tokio::time::timeout(self.common.limits.wait, found).await.ok().flatten()
    }

    /// Starts a server anew, also one that is off. False when the lane has none of this name.
    pub fn restart(&self, name: &str) -> bool {
        let server = lock(&self.table).all.iter().find(|server| server.name() == name).cloned();
        server
            .inspect(|server| {
                server.waited.store(false, Ordering::Relaxed);
                server.kick.notify_one();
            })
            .is_some()
    }

    /// All of them, for the person.
    pub fn views(&self) -> Vec<ServerView> {
        let (servers, crowded) = {
            let table = lock(&self.table);
            (table.all.clone(), table.crowded.clone())
        };
        let view = |server: &Arc<Server>| {
            let live = lock(&server.live);
            let mut left_out = live.listing.left_out.clone();
            left_out.extend(crowded.get(server.name()).map(|count| format!("{count} more for want of room")));
            ServerView {
                name: server.name().to_owned(),
                state: *server.stage.borrow(),
                tools: live.listing.offers.iter().map(|offer| offer.tool.clone()).collect(),
                left_out,
                error: live.error.clone(),
                said: server.spec.clean(&server.said.text()),
                starts: server.starts.load(Ordering::Relaxed),
            }
        };
        servers.iter().map(view).collect()
    }

    /// Ends all and waits until they have ended. None starts any more if `close`.
    pub async fn end_all(&self, close: bool) {
        let tasks = {
            let mut table = lock(&self.table);
            table.closed |= close;
            table.all.drain(..).for_each(|server| server.stop.cancel());
            std::mem::take(&mut table.tasks)
        };
        for task in tasks {
            // It can only fail together with the runtime.
            let _ = task.await;
        }
        self.common.changed();
    }
}

/// Whether there is nothing to wait for.
const fn settled(stage: ServerState) -> bool {
    matches!(stage, ServerState::Running | ServerState::Off)
}

/// Whether a call failed because nobody is there any more, not because this one was refused.
fn lost(error: &ServiceError) -> bool {
    let ServiceError::TransportSend(dynamic) = error else { return true };
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(dynamic.error.as_ref());
    while let Some(error) = cause {
        // It tells of its cause in words only.
        match error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
            Some(StreamableHttpError::Client(http)) => return http.is_connect(),
            Some(_) => return false,
            None => cause = error.source(),
        }
    }
    // Over pipes a message that cannot be sent means that nobody reads.
    true
}

fn cancelled() -> ToolOutcome {
    failed("ended: the person cancelled the turn; the server was told so", "cancelled")
}
