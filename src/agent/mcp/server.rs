//! One server of one lane: its task starts it when the lane works, keeps it, starts it again, and ends it.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use rmcp::RoleClient;
use rmcp::service::Peer;
use tokio::sync::{Notify, Semaphore, SemaphorePermit, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::connect::{self, Fault, Link, Service};
use super::handler::Handler;
use super::heard::Heard;
use super::offers::Listing;
use super::process::{Process, Said};
use super::spec::ServerSpec;
use crate::base::{clip, lock, one_line, visible};
use crate::domain::{ServerState, Tenant, Walls};

/// Processes of servers that run at once, over all lanes: each may be a whole browser.
static PROCESSES: Semaphore = Semaphore::const_new(MOST);
const MOST: usize = 64;
/// How long closing a connection may take.
const CLOSE: Duration = Duration::from_secs(1);
/// A server that tells of changed tools again and again is not asked more often than this.
const LIST_PAUSE: Duration = Duration::from_millis(250);
/// Cells of a server's last words.
const LAST_WORDS: usize = 160;

/// Times and tries.
#[derive(Debug, Clone)]
pub(in crate::agent) struct Limits {
    /// How long starting one may take.
    pub start: Duration,
    /// How long a turn waits for those that start.
    pub wait: Duration,
    /// The pauses before one that has ended is started again; after the last one it stays off.
    pub pauses: Vec<Duration>,
    /// One that ran so long has not failed to start.
    pub steady: Duration,
    /// After so much rest of its lane one is ended.
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(60),
            wait: Duration::from_secs(10),
            pauses: [1, 4, 15].map(Duration::from_secs).to_vec(),
            steady: Duration::from_secs(5 * 60),
            idle: Duration::from_secs(10 * 60),
        }
    }
}

/// What all servers of a lane share.
#[derive(Debug)]
pub(super) struct Common {
    pub limits: Limits,
    /// Turns that run.
    pub turns: watch::Sender<usize>,
    /// Counts every change.
    pub changes: watch::Sender<u64>,
    /// What the person is to be told.
    pub news: Mutex<Vec<String>>,
}

/// Words that wait to be told; the oldest go.
const NEWS: usize = 32;

impl Common {
    pub fn tell(&self, words: String) {
        let mut news = lock(&self.news);
        if news.len() >= NEWS {
            news.remove(0);
        }
        news.push(words);
        drop(news);
        self.changed();
    }

    pub fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }
}

/// A server, as its lane sees it.
#[derive(Debug)]
pub(super) struct Server {
    pub spec: ServerSpec,
    pub common: Arc<Common>,
    pub stop: CancellationToken,
    /// Rung to start it anew.
    pub kick: Notify,
    pub stage: watch::Sender<ServerState>,
    pub live: Mutex<Live>,
    pub said: Said,
    pub starts: AtomicU32,
    /// What is heard of its process, of the newest run.
    pub heard: Mutex<Option<Heard>>,
    /// A turn has waited for it in vain since it last ran: no other waits.
    pub waited: AtomicBool,
}

/// What is known of it from its runs.
#[derive(Debug, Default)]
pub(super) struct Live {
    pub way: Option<Way>,
    /// What it offered last.
    pub listing: Arc<Listing>,
    pub error: Option<String>,
}

/// How calls reach it while this run of it lasts.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub peer: Peer<RoleClient>,
    /// Rung when a call found the connection broken.
    pub broken: Arc<Notify>,
}

/// How one run of it ended.
enum End {
    Stopped,
    Kicked,
    Asleep,
    Died(Fault),
}

impl Server {
    pub fn new(spec: ServerSpec, common: Arc<Common>) -> Self {
        Self {
            spec,
            common,
            stop: CancellationToken::new(),
            kick: Notify::new(),
            stage: watch::Sender::new(ServerState::Starting),
            live: Mutex::default(),
            said: Said::default(),
            starts: AtomicU32::new(0),
            heard: Mutex::default(),
            waited: AtomicBool::new(false),
        }
    }

    pub fn name(&self) -> &str {
        &self.spec.settings.name
    }

    fn stand(&self, stage: ServerState) {
        self.stage.send_replace(stage);
        self.common.changed();
    }

    fn tell(&self, words: &str) {
        self.common.tell(format!("tool server `{}` {words}", self.name()));
    }

    /// Its whole life, until it is stopped. A fault of our own in it leaves it off, and the lane as it is.
    pub async fn watched(self: Arc<Self>) {
        if tokio::spawn(Arc::clone(&self).live()).await.is_err() {
            *lock(&self.live) =
                Live { error: Some("it ended with a fault of Paralane's own".to_owned()), ..Live::default() };
            self.stand(ServerState::Off);
            self.tell("is off: looking after it broke down; `lane restart` makes the lane fresh");
        }
    }

    async fn live(self: Arc<Self>) {
        let pauses = &self.common.limits.pauses;
        let mut tries = 0;
        let mut turns = self.common.turns.subscribe();
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return,
                () = self.kick.notified() => tries = 0,
                // A lane at rest needs no server, unless the person wants one now.
                _ = turns.wait_for(|turns| *turns > 0) => {}
            }
            self.stand(ServerState::Starting);
            let began = Instant::now();
            let end = self.run().await;
            lock(&self.live).way = None;
            match end {
                End::Stopped => return,
                // Whoever asked for it wants it now, whether the lane works or not.
                End::Kicked => self.kick.notify_one(),
                End::Asleep => {
                    tries = 0;
                    self.stand(ServerState::Asleep);
                }
                End::Died(fault) => {
                    if began.elapsed() >= self.common.limits.steady {
                        tries = 0;
                    }
                    let words = self.last_words(&fault.words);
                    lock(&self.live).error = Some(words.clone());
                    // What it offers stays while it is started again: calls wait for it.
                    let pause = pauses.get(tries).filter(|_| fault.again);
                    tries += 1;
                    let Some(pause) = pause else {
                        lock(&self.live).listing = Arc::default();
                        self.stand(ServerState::Off);
                        let more = if tries > 1 { format!(", {tries} times in a row") } else { String::new() };
                        self.tell(&format!("is off: {words}{more}; `servers restart {}` tries again", self.name()));
                        tokio::select! {
                            () = self.stop.cancelled() => return,
                            () = self.kick.notified() => {
                                self.kick.notify_one();
                                continue;
                            }
                        }
                    };
                    self.stand(ServerState::Waiting);
                    self.tell(&format!("ended: {words}; it is started again"));
                    tokio::select! {
                        () = self.stop.cancelled() => return,
                        () = self.kick.notified() => self.kick.notify_one(),
                        () = tokio::time::sleep(*pause) => {}
                    }
                }
            }
        }
    }

    /// Why it ended, with the last that it said of it.
    fn last_words(&self, fault: &str) -> String {
        let said = self.said.text();
        let last = said.lines().rev().find(|line| !line.trim().is_empty());
        let last = last.map(|line| format!(" (its last words: {})", clip(&visible(&one_line(line)), LAST_WORDS)));
        self.spec.clean(&format!("{fault}{}", last.unwrap_or_default()))
    }

    /// One run, from its start to its end. All that was started has ended when this returns.
    async fn run(&self) -> End {
        let is_process = matches!(self.spec.settings.reach, crate::config::Reach::Command(_));
        let slot = match slot(is_process) {
            Ok(slot) => slot,
            Err(fault) => return End::Died(fault),
        };
        self.starts.fetch_add(1, Ordering::Relaxed);
        let changed = Arc::new(Notify::new());
        let handler = Handler { directory: self.spec.directory.clone(), changed: Arc::clone(&changed) };
        let walls = match self.walls(is_process).await {
            Ok(walls) => walls,
            Err(words) => return End::Died(Fault::lasting(words)),
        };
        let end = match connect::open(&self.spec, walls, &self.said) {
            Err(fault) => End::Died(fault),
            Ok(Link::Http(transport)) => self.serve(connect::greet(*transport, handler), None, &changed, None).await,
            Ok(Link::Process(mut process, transport, heard)) => {
                let greeting = connect::greet(*transport, handler);
                *lock(&self.heard) = Some(heard.clone());
                let end = self.serve(greeting, Some(&mut *process), &changed, Some(&heard)).await;
                (*process).end().await;
                end
            }
        };
        drop(slot);
        end
    }

    /// What holds its process.
    async fn walls(&self, is_process: bool) -> Result<Option<Box<dyn Walls>>, String> {
        if !is_process {
            return Ok(None);
        }
        let tenant = Tenant::program(self.spec.settings.sandbox);
        crate::agent::tools::walls(self.spec.sandbox.clone(), tenant).await
    }

    /// Waits for what can end it, or change its tools.
    async fn serve(
        &self,
        greeting: BoxFuture<'static, Result<Service, Fault>>,
        mut process: Option<&mut Process>,
        changed: &Notify,
        heard: Option<&Heard>,
    ) -> End {
        let start = self.common.limits.start;
        let up = async {
            let service = greeting.await?;
            let listing = self.list(service.peer()).await?;
            Ok((service, listing))
        };
        let up = tokio::select! {
            biased;
            () = self.stop.cancelled() => return End::Stopped,
            up = tokio::time::timeout(start, up) => up,
            words = gone(&mut process) => return End::Died(Fault::passing(words)),
            () = self.kick.notified() => return End::Kicked,
        };
        let (service, listing) = match up {
            Ok(Ok(up)) => up,
            Ok(Err(fault)) => {
                if let Some(words) = heard.and_then(Heard::no_server) {
                    return End::Died(Fault::lasting(words));
                }
                // Its own end says more than the connection's.
                let words = tokio::time::timeout(CLOSE, gone(&mut process)).await;
                return End::Died(words.map_or(fault, Fault::passing));
            }
            Err(_) => {
                let instead = heard.map(Heard::instead).unwrap_or_default();
                return End::Died(Fault::passing(format!("it did not answer within {} s{instead}", start.as_secs())));
            }
        };
        let peer = service.peer().clone();
        let broken = Arc::new(Notify::new());
        let way = Way { peer: peer.clone(), broken: Arc::clone(&broken) };
        *lock(&self.live) = Live { way: Some(way), listing: Arc::new(listing), error: None };
        self.waited.store(false, Ordering::Relaxed);
        self.stand(ServerState::Running);
        let closer = service.cancellation_token();
        let over = service.waiting();
        tokio::pin!(over);
        let mut over_already = false;
        let end = loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => break End::Stopped,
                () = self.kick.notified() => break End::Kicked,
                words = gone(&mut process) => break End::Died(Fault::passing(words)),
                _ = &mut over => {
                    over_already = true;
                    let words = match heard.and_then(Heard::refused) {
                        Some(words) => words,
                        // Its own end says more than the connection's.
                        None => tokio::time::timeout(CLOSE, gone(&mut process)).await.unwrap_or_else(|_| broke()),
                    };
                    break End::Died(Fault::passing(words));
                }
                () = broken.notified() => break End::Died(Fault::passing(broke())),
                () = self.rest() => break End::Asleep,
                () = changed.notified() => {
                    match tokio::time::timeout(start, self.list(&peer)).await {
                        Ok(Ok(listing)) => {
                            lock(&self.live).listing = Arc::new(listing);
                            self.common.changed();
                        }
                        Ok(Err(fault)) => break End::Died(fault),
                        Err(_) => break End::Died(Fault::passing("it did not list its changed tools in time")),
                    }
                    tokio::time::sleep(LIST_PAUSE).await;
                }
            }
        };
        lock(&self.live).way = None;
        closer.cancel();
        if !over_already {
            let _closed_or_not = tokio::time::timeout(CLOSE, over).await;
        }
        end
    }

    async fn list(&self, peer: &Peer<RoleClient>) -> Result<Listing, Fault> {
        let listing = Listing::of(&self.spec.settings, connect::tools(peer).await?);
        let refused = listing.left_out.iter().filter(|words| !words.ends_with("(denied)"));
        let refused: Vec<&str> = refused.map(String::as_str).collect();
        let before = lock(&self.live).listing.left_out.clone();
        if !refused.is_empty() && before != listing.left_out {
            self.tell(&format!("has tools that agents are not given: {}", refused.join(", ")));
        }
        Ok(listing)
    }

    /// Resolves when the lane has been at rest for long.
    async fn rest(&self) {
        let mut turns = self.common.turns.subscribe();
        loop {
            // The sender lives as long as this.
            let _ = turns.wait_for(|turns| *turns == 0).await;
            let works = tokio::time::timeout(self.common.limits.idle, turns.wait_for(|turns| *turns > 0)).await.is_ok();
            if !works {
                return;
            }
        }
    }
}

/// Resolves when the process has ended; never, where there is none.
async fn gone(process: &mut Option<&mut Process>) -> String {
    match process {
        Some(process) => process.ended().await,
        None => std::future::pending().await,
    }
}

fn broke() -> String {
    "the connection to it has ended".to_owned()
}

fn slot(is_process: bool) -> Result<Option<SemaphorePermit<'static>>, Fault> {
    if !is_process {
        return Ok(None);
    }
    PROCESSES.try_acquire().map(Some).map_err(|_| {
        Fault::passing(format!("{MOST} tool servers run already, over all lanes; end lanes that you do not need"))
    })
}
