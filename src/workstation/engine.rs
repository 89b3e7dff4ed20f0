//! The loop: one place that owns the state, takes messages, and lets effects be carried out.
//!
//! Order of attention: signals, what windows send, what the store has kept, other messages, new frames and
//! streamed text, time. After each round everything that waits is drained, then windows are drawn. Nothing
//! here waits for anything but the next message.

use std::collections::{BTreeMap, VecDeque};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::{Notify, mpsc};

use crate::app::{Effect, Env, Msg, PaneMsg, ProjectInfo, RequestId, State, WindowMsg, update};
use crate::base::Report;
use crate::domain::{Change, LaneId, WindowId};
use crate::git::Project;
use crate::protocol::Reply;
use crate::store::Store;
use crate::terminal::{Colours, PaneEvent, Panes};
use crate::ui::Theme;

use super::configuration::Configuration;
use super::connection::{Client, CommandClient, WindowClient, WindowEvent};
use super::environment::SessionEnvironment;
use super::feeds::Feeds;
use super::home::Home;
use super::lane_actor::{Actors, Order, Shared};
use super::places::Places;
use super::providers::Providers;
use super::screens::{Frames, Screen};
use super::tokens::Tokens;
use super::{control, lane_git, perform};

/// Messages that may wait for the loop.
const MESSAGES: usize = 1_024;
/// Messages handled before windows are drawn again.
const ROUND: usize = 256;
/// A change this soon after a key was typed into a pane is its echo.
const ECHO: Duration = Duration::from_millis(50);
/// How long sessions and windows may take to end.
const END: Duration = Duration::from_secs(5);

/// What the engine is made of.
pub(super) struct Parts {
    pub state: State,
    pub store: Store,
    pub project: Project,
    pub home: Home,
    pub info: ProjectInfo,
    pub configured: Configuration,
    pub instance: String,
    pub foreground: bool,
}

/// The store's answer to one commit.
pub(super) struct Kept {
    pub then: Vec<Effect>,
    pub result: Result<(), Report>,
}

/// A commit that the store's queue had no room for yet.
pub(super) struct Unsent {
    pub changes: Vec<Change>,
    pub at: Timestamp,
    pub then: Vec<Effect>,
}

/// The running whole.
pub(super) struct Engine {
    pub state: State,
    pub store: Store,
    pub home: Home,
    pub info: ProjectInfo,
    pub shared: Arc<Shared>,
    pub actors: Actors,
    pub screens: BTreeMap<WindowId, Screen>,
    pub replies: BTreeMap<RequestId, tokio::sync::oneshot::Sender<Reply>>,
    pub kept: mpsc::Sender<Kept>,
    pub unsent: VecDeque<Unsent>,
    /// When to send `Msg::Timer`.
    pub wake: Option<Timestamp>,
    /// Messages that the loop gives itself.
    pub own: VecDeque<Msg>,
    /// When a key was last typed into a lane's pane, until its echo was drawn.
    pub typed: BTreeMap<LaneId, Instant>,
    pub ending: bool,
    frames_ready: Arc<Notify>,
    progress: Arc<Notify>,
    frames: Frames,
    foreground: bool,
    inbox: Inbox,
}

/// Where messages come from.
struct Inbox {
    messages: mpsc::Receiver<Msg>,
    kept: mpsc::Receiver<Kept>,
    windows: mpsc::Receiver<(WindowId, Option<WindowEvent>)>,
    windows_sender: mpsc::Sender<(WindowId, Option<WindowEvent>)>,
    clients: mpsc::Receiver<Client>,
    clients_sender: Option<mpsc::Sender<Client>>,
}

impl Engine {
    pub fn new(parts: Parts) -> anyhow::Result<Self> {
        let (messages_sender, messages) = mpsc::channel(MESSAGES);
        let (kept_sender, kept) = mpsc::channel(MESSAGES);
        let (windows_sender, windows) = mpsc::channel(MESSAGES);
        let (clients_sender, clients) = mpsc::channel(64);
        let frames_ready = Arc::new(Notify::new());
        let panes = {
            let (messages, ready) = (messages_sender.clone(), Arc::clone(&frames_ready));
            Panes::new(move |event| pane_event(&messages, &ready, event))?
        };
        let environment = SessionEnvironment::new(&parts.state.settings.store.display().to_string(), &parts.instance);
        let providers = Providers::default();
        providers.configure(parts.configured.access);
        let places = Places::default();
        for lane in parts.state.model.open_lanes() {
            places.set(lane.id, lane.place.clone());
        }
        let watcher = {
            let messages = messages_sender.clone();
            crate::watch::Watcher::new(move |event| lane_git::watched(&messages, event))?
        };
        let theme = theme(&parts.state)?;
        let shared = Arc::new(Shared {
            messages: messages_sender,
            panes,
            project: parts.project,
            environment,
            providers,
            tokens: Arc::new(Tokens::default()),
            feeds: Arc::new(Feeds::default()),
            git_slots: tokio::sync::Semaphore::new(2),
            worktrees: tokio::sync::Semaphore::new(1),
            watcher,
            places,
            store: parts.state.settings.store.clone(),
            colours: pane_colours(&theme),
        });
        Ok(Self {
            state: parts.state,
            store: parts.store,
            home: parts.home,
            info: parts.info,
            shared,
            actors: Actors::new(),
            screens: BTreeMap::new(),
            replies: BTreeMap::new(),
            kept: kept_sender,
            unsent: VecDeque::new(),
            wake: None,
            own: VecDeque::new(),
            typed: BTreeMap::new(),
            ending: false,
            frames_ready,
            progress: Arc::new(Notify::new()),
            frames: Frames::new(),
            foreground: parts.foreground,
            inbox: Inbox { messages, kept, windows, windows_sender, clients, clients_sender: Some(clients_sender) },
        })
    }

    /// Runs until the workstation is to end.
    pub async fn run(mut self, socket: UnixListener, ready: Option<OwnedFd>) -> anyhow::Result<()> {
        let Some(clients) = self.inbox.clients_sender.take() else { return Ok(()) };
        let listening = tokio::spawn(control::serve(socket, clients));
        let mut signals = Signals::new(self.foreground)?;
        self.handle(Msg::Started);
        lane_git::watch_base(&self.shared).await;
        self.say_ready(ready);
        while !self.ending {
            self.turn(&mut signals).await;
            self.drain();
            self.draw();
        }
        listening.abort();
        self.end().await
    }

    fn say_ready(&self, ready: Option<OwnedFd>) {
        if let Some(pipe) = ready {
            use std::io::Write as _;
            // The starter may have given up; the workstation runs all the same.
            let _ = std::fs::File::from(pipe).write_all(b"ok\n");
        }
    }

    /// Waits for the next thing to happen and handles it.
    async fn turn(&mut self, signals: &mut Signals) {
        let now = Instant::now();
        let draw = self.screens.values().filter_map(|s| s.due(now)).min();
        let timer = self.wake.map(|at| now + until(at));
        let next = [draw, timer].into_iter().flatten().min();
        let sleep = async move {
            match next {
                Some(at) => tokio::time::sleep_until(at.into()).await,
                None => std::future::pending().await,
            }
        };
        // While the store's queue is full nothing new is taken: the pressure goes back to whoever asks.
        let open = self.unsent.is_empty();
        let feeds = Arc::clone(&self.shared.feeds);
        tokio::select! {
            biased;
            () = signals.next() => self.handle(Msg::Terminate),
            Some(kept) = self.inbox.kept.recv() => self.on_kept(kept),
            Some((id, event)) = self.inbox.windows.recv(), if open => self.on_window(id, event),
            Some(client) = self.inbox.clients.recv(), if open => self.on_client(client),
            Some(msg) = self.inbox.messages.recv(), if open => self.handle(msg),
            () = self.frames_ready.notified() => self.on_frames(),
            () = feeds.ready.notified() => self.on_feeds(),
            () = self.progress.notified() => {}
            () = sleep => self.on_time(),
        }
    }

    /// Handles what else waits, without waiting.
    fn drain(&mut self) {
        for _ in 0..ROUND {
            if let Ok(kept) = self.inbox.kept.try_recv() {
                self.on_kept(kept);
            } else if !self.unsent.is_empty() {
                return;
            } else if let Ok((id, event)) = self.inbox.windows.try_recv() {
                self.on_window(id, event);
            } else if let Ok(msg) = self.inbox.messages.try_recv() {
                self.handle(msg);
            } else {
                return;
            }
        }
    }

    /// Handles one message and everything the loop tells itself because of it.
    pub fn handle(&mut self, msg: Msg) {
        self.own.push_back(msg);
        while let Some(msg) = self.own.pop_front() {
            let quiet = is_stream(&msg);
            let env = self.env();
            let effects = update(&mut self.state, msg, &env);
            self.wake = None;
            // The echo of what was typed into a pane draws the window; anything else typed changes it.
            let only_typing =
                quiet.is_typing() && effects.iter().any(perform::types) && effects.iter().all(perform::passes_by);
            for effect in effects {
                perform::perform(self, effect, env.now);
            }
            if !only_typing {
                for screen in self.screens.values_mut() {
                    screen.touch();
                }
            }
        }
    }

    pub fn env(&self) -> Env {
        Env { now: Timestamp::now(), zone: jiff::tz::TimeZone::system() }
    }

    fn on_kept(&mut self, kept: Kept) {
        match kept.result {
            Ok(()) => self.handle(Msg::Committed(kept.then)),
            Err(report) => perform::roll_back(self, report, kept.then),
        }
        perform::send_unsent(self);
    }

    fn on_window(&mut self, id: WindowId, event: Option<WindowEvent>) {
        match event {
            Some(WindowEvent::Input(event)) => {
                if let Some(screen) = self.screens.get_mut(&id)
                    && matches!(event, crate::domain::InputEvent::Key(_))
                {
                    screen.hurry_if_dirty();
                }
                self.handle(Msg::Window(id, WindowMsg::Input(event)));
            }
            Some(WindowEvent::Resized(size)) => {
                if let Some(screen) = self.screens.get_mut(&id) {
                    screen.resize(size);
                }
                self.handle(Msg::Window(id, WindowMsg::Resized(size)));
            }
            Some(WindowEvent::Detach) | None => {
                self.screens.remove(&id);
                self.handle(Msg::Window(id, WindowMsg::Gone));
            }
        }
    }

    fn on_client(&mut self, client: Client) {
        match client {
            Client::Window(window) => self.on_attach(window),
            Client::Command(command) => self.on_command(command),
        }
    }

    fn on_attach(&mut self, mut client: WindowClient) {
        let id = WindowId(client.id as i64);
        self.shared.environment.renew(std::mem::take(&mut client.environment));
        let made = theme(&self.state).and_then(|theme| Screen::new(&client, theme));
        let screen = match made {
            Ok(screen) => screen,
            Err(report) => {
                if let Ok(bytes) = crate::protocol::encode_message(&crate::protocol::ServerMessage::Refused(report)) {
                    let _ = client.out.try_send(bytes);
                }
                return;
            }
        };
        screen.tell(&crate::protocol::ServerMessage::Welcome { window: id });
        self.screens.insert(id, screen);
        let (events, progress, all) = (self.inbox.windows_sender.clone(), client.progress, Arc::clone(&self.progress));
        let mut incoming = client.events;
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    event = incoming.recv() => {
                        let over = event.is_none();
                        if events.send((id, event)).await.is_err() || over {
                            return;
                        }
                    }
                    () = progress.notified() => all.notify_one(),
                }
            }
        });
        self.handle(Msg::Window(id, WindowMsg::Attached(client.hello)));
    }

    fn on_command(&mut self, client: CommandClient) {
        let id = RequestId(client.id);
        self.shared.environment.renew(client.environment);
        let arguments: Vec<std::ffi::OsString> = client.hello.arguments.into_iter().map(Into::into).collect();
        let parsed = crate::command::parse_args(&arguments, None);
        let reply = match parsed {
            Ok(line) => match line.action {
                crate::command::Action::Run(invocation) => {
                    self.replies.insert(id, client.reply);
                    let messages = self.shared.messages.clone();
                    tokio::spawn(async move {
                        client.gone.cancelled().await;
                        let _ending = messages.send(Msg::RequestGone(id)).await;
                    });
                    return self.handle(Msg::Request { id, invocation: *invocation, json: line.globals.json });
                }
                crate::command::Action::Print(text) => Reply::done(text),
                crate::command::Action::Window(_) => Reply::failed(Report::usage("this is no command")),
            },
            Err(report) => Reply::failed(report),
        };
        // The client may be gone already.
        let _ = client.reply.send(reply);
    }

    fn on_frames(&mut self) {
        let now = Instant::now();
        let mut hurry = false;
        let shown: Vec<LaneId> = self.state.pane_visible.iter().filter(|(_, v)| **v).map(|(l, _)| *l).collect();
        self.frames.retain(|lane, _| shown.contains(lane));
        for lane in shown {
            let Some(frame) = self.shared.panes.frame(lane) else { continue };
            let changed = self.frames.get(&lane).is_none_or(|old| !Arc::ptr_eq(old, &frame));
            if changed {
                self.frames.insert(lane, frame);
                hurry |= self.typed.remove(&lane).is_some_and(|at| now.duration_since(at) <= ECHO);
            }
        }
        for screen in self.screens.values_mut() {
            if hurry {
                screen.hurry();
            } else {
                screen.touch();
            }
        }
    }

    fn on_feeds(&mut self) {
        for (lane, msg) in self.shared.feeds.take_all() {
            self.handle(Msg::Turn(lane, msg));
        }
    }

    fn on_time(&mut self) {
        if self.wake.is_some_and(|at| at <= Timestamp::now()) {
            self.wake = None;
            self.handle(Msg::Timer);
        }
    }

    fn draw(&mut self) {
        let now = Instant::now();
        let wall = Timestamp::now();
        for (id, screen) in &mut self.screens {
            if screen.due(now).is_some_and(|at| at <= now) {
                crate::app::window::settle(&mut self.state, *id, wall);
                screen.draw(&self.state, *id, &self.frames, wall, now);
            }
        }
    }

    /// Ends sessions and windows in order, then closes the store.
    async fn end(mut self) -> anyhow::Result<()> {
        let actors = std::mem::take(&mut self.actors);
        for actor in actors.values() {
            // A full queue means that the actor is busy ending something already.
            let _ = actor.try_send(Order::Lane(crate::app::LaneOrder::Retire));
        }
        let deadline = tokio::time::Instant::now() + END;
        let ended = async {
            for actor in actors.into_values() {
                actor.closed().await;
            }
        };
        tokio::pin!(ended);
        loop {
            tokio::select! {
                biased;
                () = &mut ended => break,
                () = tokio::time::sleep_until(deadline) => break,
                // What ends still reports; it is not kept any more, and start mends it.
                Some(_) = self.inbox.messages.recv() => {}
                Some(kept) = self.inbox.kept.recv() => self.on_kept(kept),
            }
        }
        self.screens.clear();
        self.replies.clear();
        self.inbox.kept.close();
        tokio::task::yield_now().await;
        self.store.close().map_err(|e| anyhow::Error::new(Report::internal(e.to_string())))
    }
}

/// How long until a moment; nothing when it has passed.
fn until(at: Timestamp) -> Duration {
    at.duration_since(Timestamp::now()).try_into().unwrap_or(Duration::ZERO)
}

/// What programs in panes are told of the terminal's colours.
fn pane_colours(theme: &Theme) -> Colours {
    let standard = Colours::default();
    match theme.ground() {
        Some((foreground, background)) => Colours { foreground, background, cursor: foreground, ..standard },
        None => standard,
    }
}

/// The theme in force.
pub(super) fn theme(state: &State) -> Result<Theme, Report> {
    Theme::load(&state.settings.theme)
}

/// What a pane tells becomes a message; a new frame only wakes the loop.
fn pane_event(messages: &mpsc::Sender<Msg>, ready: &Notify, event: PaneEvent) {
    let (lane, msg) = match event {
        PaneEvent::FrameReady(_) => return ready.notify_one(),
        PaneEvent::Status(lane, status) => (lane, PaneMsg::Status(status)),
        PaneEvent::Exited { lane, status, code } => {
            (lane, PaneMsg::Exited(if code == Some(0) { "exit 0".into() } else { status }))
        }
        PaneEvent::Notified { lane, text } => (lane, PaneMsg::Notified(text)),
        PaneEvent::Fault { lane, message } => (lane, PaneMsg::Fault(message)),
    };
    // The worker must not wait for a loop that is busy; but an end must not be lost.
    if let Err(mpsc::error::TrySendError::Full(msg)) = messages.try_send(Msg::Pane(lane, msg))
        && let Ok(runtime) = tokio::runtime::Handle::try_current()
    {
        let messages = messages.clone();
        runtime.spawn(async move { messages.send(msg).await });
    }
}

/// Whether a message may pass without anything to draw.
enum Quiet {
    Typing,
    No,
}

impl Quiet {
    const fn is_typing(&self) -> bool {
        matches!(self, Self::Typing)
    }
}

const fn is_stream(msg: &Msg) -> Quiet {
    match msg {
        Msg::Window(_, WindowMsg::Input(_)) => Quiet::Typing,
        _ => Quiet::No,
    }
}

/// Signals that end the workstation. In the foreground they are the window's.
struct Signals {
    term: Option<tokio::signal::unix::Signal>,
    int: Option<tokio::signal::unix::Signal>,
    hup: Option<tokio::signal::unix::Signal>,
}

impl Signals {
    fn new(foreground: bool) -> anyhow::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let own = |kind| if foreground { Ok(None) } else { signal(kind).map(Some) };
        Ok(Self {
            term: own(SignalKind::terminate())?,
            int: own(SignalKind::interrupt())?,
            hup: own(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) {
        async fn one(signal: &mut Option<tokio::signal::unix::Signal>) {
            match signal {
                Some(signal) => {
                    signal.recv().await;
                }
                None => std::future::pending().await,
            }
        }
        tokio::select! {
            () = one(&mut self.term) => {}
            () = one(&mut self.int) => {}
            // A hang-up is the terminal's that started it; the work stays.
            () = async { loop { one(&mut self.hup).await } } => {}
        }
    }
}
