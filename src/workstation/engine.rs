//! The loop: one place that owns the state, takes messages, and lets effects be carried out.
//!
//! It sleeps until something happens. Then comes a round: what the store has answered, what clients send and
//! what tasks tell, for a few milliseconds at most; then what is only the newest of its kind (frames, streamed
//! text, time), so that no flood of one starves the others; then windows are drawn. Nothing here waits
//! for anything but the next thing to happen.

use std::collections::{BTreeMap, VecDeque};
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::bell::{Bell, FrameBell};
use super::colours;
use super::commits::{Answer, Commits};
use super::config_watch;
use super::configuration::Configuration;
use super::connection::FromClient;
use super::control::Control;
use super::doors::Doors;
use super::environment::SessionEnvironment;
use super::feeds::Feeds;
use super::home::Home;
use super::hooks::Trusted;
use super::lane_actor::Actors;
use super::lane_git;
use super::lane_walls::{self, WallPlan};
use super::memories::Memories;
use super::natives::Natives;
use super::news::News;
use super::pace::FRAME;
use super::pastes::{self, Pastes};
use super::perform;
use super::places::Places;
use super::providers::Providers;
use super::screens::{Frames, Screen};
use super::shared::Shared;
use super::signals::Signals;
use super::tokens::Tokens;
use super::typeahead::Typeahead;
use super::{spare, standing};
use crate::app::window::transcript::CodeJob;
use crate::app::{Env, LaneMsg, Msg, PaneMsg, RequestId, State, TurnMsg, WindowMsg, update, window};
use crate::base::{Report, zone};
use crate::domain::{HookAnswer, InputEvent, KeyKind, LaneId, MouseKind, WindowId};
use crate::git::{BaseHistory, Project};
use crate::protocol::{EndReason, Reply};
use crate::store::Store;
use crate::terminal::{PaneEvent, Panes};
use crate::watch::Watcher;

/// Messages that may wait for the loop.
const MESSAGES: usize = 1_024;
/// Answers of the store that may wait: as many as it can have been asked for, and a group under way.
const ANSWERS: usize = 2_048;
/// How long messages are handled before windows are drawn again.
const ROUND: Duration = Duration::from_millis(4);
/// How long streamed text waits while no window is attached.
const UNSEEN: Duration = Duration::from_millis(200);
/// A change this soon after a key was typed into a pane is its echo.
const ECHO: Duration = Duration::from_millis(50);

/// What of the engine needs nothing of the store: it is made while the store is opened.
pub(super) struct Outset {
    panes: Panes,
    watcher: Watcher,
    news: Arc<News>,
    frames: Arc<FrameBell>,
    /// Who hears first that a program has ended.
    doors: Arc<OnceLock<Arc<Doors>>>,
}

impl Outset {
    /// # Errors
    /// When the system gives no thread.
    pub fn new() -> anyhow::Result<Self> {
        let (frames, news) = (Arc::new(FrameBell::default()), Arc::new(News::default()));
        let doors = Arc::new(OnceLock::<Arc<Doors>>::new());
        let panes = {
            let (news, frames, doors) = (Arc::clone(&news), Arc::clone(&frames), Arc::clone(&doors));
            Panes::new(move |event| {
                if let PaneEvent::Exited { lane, program, .. } = &event
                    && let Some(doors) = doors.get()
                {
                    doors.ended(*lane, *program);
                }
                news.pane(event, &frames);
            })?
        };
        let watcher = {
            let news = Arc::clone(&news);
            Watcher::new(move |event| news.watched(event))?
        };
        Ok(Self { panes, watcher, news, frames, doors })
    }
}

/// What the engine is made of.
pub(super) struct Parts {
    pub outset: Outset,
    /// Where the loop and the connections of its clients run.
    pub front: tokio::runtime::Handle,
    /// Where lanes work.
    pub background: tokio::runtime::Handle,
    pub state: State,
    pub store: Store,
    pub project: Project,
    pub home: Home,
    pub configured: Configuration,
    pub instance: String,
    pub foreground: bool,
    /// Told `ok` once commands and windows are answered.
    pub ready: Option<OwnedFd>,
}

/// How the workstation ends.
pub(super) enum Ending {
    InOrder,
    /// Nothing can go on.
    Fault(Report),
}

/// The running whole.
pub(super) struct Engine {
    pub state: State,
    pub home: Home,
    pub shared: Arc<Shared>,
    pub actors: Actors,
    pub screens: BTreeMap<WindowId, Screen>,
    pub frames: Frames,
    pub replies: BTreeMap<RequestId, oneshot::Sender<Reply>>,
    /// Hooks that wait for their answer.
    pub hooks: BTreeMap<RequestId, oneshot::Sender<HookAnswer>>,
    pub commits: Commits,
    /// When to send `Msg::Timer`.
    pub wake: Option<Timestamp>,
    /// Messages that the loop gives itself.
    pub own: VecDeque<Msg>,
    /// When a key was last typed into a lane's pane, until its echo was drawn.
    pub typed: BTreeMap<LaneId, Instant>,
    pub typeahead: Typeahead,
    pub pastes: Pastes,
    /// Who waits for the word that commands and windows are answered.
    ready: Option<OwnedFd>,
    /// Set once the workstation is to end.
    pub ending: Option<Ending>,
    pub inbox: Inbox,
    /// The theme that windows are drawn in, and whether somebody chose it.
    theme: (String, bool),
    /// Since when streamed text waits for its frame.
    streaming: Option<Instant>,
    foreground: bool,
}

/// Where things come from.
pub(super) struct Inbox {
    pub messages: mpsc::Receiver<Msg>,
    pub answers: mpsc::Receiver<Answer>,
    pub clients: mpsc::Receiver<FromClient>,
    to_clients: mpsc::Sender<FromClient>,
    pub frames: Arc<FrameBell>,
    progress: Arc<Bell>,
}

impl Engine {
    pub fn new(parts: Parts) -> anyhow::Result<Self> {
        let (to_messages, messages) = mpsc::channel(MESSAGES);
        let (to_answers, answers) = mpsc::channel(ANSWERS);
        let (to_clients, clients) = mpsc::channel(MESSAGES);
        let Outset { panes, watcher, news, frames, doors: ears } = parts.outset;
        let environment = SessionEnvironment::new(&parts.state.settings.store.display().to_string(), &parts.instance);
        let providers = Providers::default();
        providers.configure(parts.configured.access);
        let trusted = Trusted::default();
        trusted.set(parts.state.model.trusted.clone());
        let state = parts.state.settings.store.parent().unwrap_or(Path::new("/")).to_owned();
        let walls = WallPlan::new(parts.home.clone(), parts.configured.sandbox, &parts.state.settings, &state);
        let places = Places::default();
        for lane in parts.state.model.open_lanes() {
            places.set(lane.id, lane.place.clone());
        }
        colours::theme(&parts.state, None)?;
        let told = colours::of_window(&parts.state, None);
        let socket = parts.home.project(parts.project.root())?.socket().to_owned();
        let runtimes = (parts.front, parts.background.clone());
        let doors = Arc::clone(ears.get_or_init(|| Arc::new(Doors::new(to_clients.clone(), socket, runtimes))));
        let history = Arc::new(BaseHistory::new(parts.state.settings.project.root.clone()));
        let shared = Arc::new(Shared {
            history,
            background: parts.background,
            messages: to_messages,
            news,
            panes,
            project: parts.project,
            environment,
            providers,
            trusted,
            walls,
            tokens: Arc::new(Tokens::default()),
            feeds: Arc::new(Feeds::default()),
            memories: Memories::new(parts.state.settings.store.clone(), parts.home.user_memory()),
            doors,
            natives: Natives::new(&state),
            git_slots: tokio::sync::Semaphore::new(2),
            worktrees: tokio::sync::Semaphore::new(1),
            preferences: tokio::sync::Semaphore::new(1),
            watcher,
            places,
            base: Bell::default(),
            asked: Bell::default(),
            edits: AtomicBool::new(false),
            colours: Mutex::new(told),
            ending: CancellationToken::new(),
        });
        Ok(Self {
            theme: (parts.state.settings.theme.clone(), parts.state.settings.theme_chosen),
            state: parts.state,
            home: parts.home,
            shared,
            actors: Actors::new(),
            screens: BTreeMap::new(),
            frames: Frames::new(),
            replies: BTreeMap::new(),
            hooks: BTreeMap::new(),
            commits: Commits::new(parts.store, to_answers),
            wake: None,
            own: VecDeque::new(),
            typed: BTreeMap::new(),
            typeahead: Typeahead::default(),
            pastes: Pastes::default(),
            ready: parts.ready,
            ending: None,
            streaming: None,
            foreground: parts.foreground,
            inbox: Inbox { messages, answers, clients, to_clients, frames, progress: Arc::new(Bell::default()) },
        })
    }

    /// Runs until the workstation is to end.
    pub async fn run(mut self, socket: UnixListener, first: Option<UnixStream>) -> anyhow::Result<()> {
        let mut signals = Signals::take(self.foreground)?;
        self.commits.ask_opened()?;
        let (to_clients, progress) = (self.inbox.to_clients.clone(), Arc::clone(&self.inbox.progress));
        let doors = Arc::clone(&self.shared.doors);
        let control = Control::start(socket, first, to_clients, progress, doors)?;
        self.handle(Msg::Started);
        lane_git::look_at_base(&self.shared);
        self.shared.background.spawn_blocking(self.shared.walls.clear());
        lane_walls::look_at_machine(&self.shared);
        spare::give_back_when_quiet(&self.shared);
        config_watch::watch(&self.shared, &self.home, &self.state.settings.project.root);
        standing::watch(&self.shared, &self.home.project(&self.state.settings.project.root)?);
        while self.ending.is_none() {
            self.wait(&mut signals).await;
            self.round();
            if self.draw() {
                // What was drawn goes out before anything else is done.
                tokio::task::yield_now().await;
            }
        }
        self.end(control).await
    }

    /// Sleeps until something happens. What cannot be left where it is, is handled.
    async fn wait(&mut self, signals: &mut Signals) {
        self.keep();
        if self.commits.failing() {
            if let Some(answer) = self.inbox.answers.recv().await {
                self.on_answer(answer);
            }
            return;
        }
        let now = Instant::now();
        let draw = self.screens.values().filter_map(|screen| screen.due(now)).min();
        let timer = self.wake.map(|at| now + until(at));
        let stream = self.streaming.map(|since| since + self.stream_pause());
        let next = [draw, timer, stream].into_iter().flatten().min();
        let sleep = async move {
            match next {
                Some(at) => tokio::time::sleep_until(at.into()).await,
                None => std::future::pending().await,
            }
        };
        // While the store's queue is full no more is decided: the pressure goes back to whoever tells.
        let calm = self.commits.calm();
        let shared = Arc::clone(&self.shared);
        tokio::select! {
            biased;
            () = signals.end() => self.handle(Msg::Terminate),
            Some(answer) = self.inbox.answers.recv() => self.on_answer(answer),
            Some(client) = self.inbox.clients.recv(), if !self.commits.crowded() => self.on_client(client),
            () = shared.news.bell.heard(), if calm => {}
            Some(msg) = self.inbox.messages.recv(), if calm => self.handle(msg),
            () = self.inbox.frames.bell.heard() => {}
            () = self.inbox.progress.heard() => {}
            () = shared.feeds.bell.heard(), if self.streaming.is_none() => self.streaming = Some(Instant::now()),
            () = sleep => {}
        }
    }

    /// Handles what is there, without waiting.
    fn round(&mut self) {
        let end = Instant::now() + ROUND;
        // A key's echo is not kept waiting by what else is there.
        while self.busy() {
            let now = Instant::now();
            if now >= end || self.screens.values().any(|screen| screen.hurries(now)) {
                break;
            }
            if let Ok(answer) = self.inbox.answers.try_recv() {
                self.on_answer(answer);
            } else if !self.commits.crowded()
                && let Ok(client) = self.inbox.clients.try_recv()
            {
                self.on_client(client);
            } else if self.commits.calm() && self.shared.news.bell.silence() {
                // Before messages: what an actor sends after an end that stands here comes after it.
                self.on_news();
            } else if self.commits.calm()
                && let Ok(msg) = self.inbox.messages.try_recv()
            {
                self.handle(msg);
            } else {
                break;
            }
        }
        self.inbox.progress.silence();
        if self.inbox.frames.bell.silence() {
            self.on_frames();
        }
        if self.busy() && self.streaming.is_some_and(|since| since.elapsed() >= self.stream_pause()) {
            self.streaming = None;
            self.shared.feeds.bell.silence();
            for (lane, msg) in self.shared.feeds.take_all() {
                self.handle(Msg::Turn(lane, msg));
            }
        }
        if self.busy() && self.wake.is_some_and(|at| at <= Timestamp::now()) {
            self.wake = None;
            self.handle(Msg::Timer);
        }
        // Before windows are drawn: the disk works meanwhile.
        self.keep();
    }

    /// How long streamed text waits: for a frame, or while nobody sees it for whoever asks.
    fn stream_pause(&self) -> Duration {
        if self.screens.is_empty() { UNSEEN } else { FRAME }
    }

    /// Hands what was decided to the store.
    pub fn keep(&mut self) {
        if let Err(report) = self.commits.send() {
            self.fail(report);
        }
    }

    /// Whether anything may be decided now.
    const fn busy(&self) -> bool {
        self.ending.is_none() && !self.commits.failing()
    }

    /// Handles one message and everything the loop tells itself because of it.
    pub fn handle(&mut self, msg: Msg) {
        self.own.push_back(msg);
        while let Some(msg) = self.own.pop_front() {
            let input = matches!(msg, Msg::Window(_, WindowMsg::Input(_)));
            let idle = changes_nothing(&msg);
            let typing = self.only_types(&msg);
            let reports = matches!(msg, Msg::Window(_, WindowMsg::Input(InputEvent::Report(_))));
            if matches!(msg, Msg::Request { .. } | Msg::Turn(_, TurnMsg::Ended(..))) {
                self.shared.asked.ring();
            }
            let started = if let Msg::Pane(lane, PaneMsg::Started) = msg { Some(lane) } else { None };
            if let Msg::Pane(lane, PaneMsg::NotStarted(_)) | Msg::Lane(lane, LaneMsg::SetUpFailed(_)) = msg {
                // What was typed was not meant for a later start.
                self.typeahead.take(lane);
                pastes::release(self, lane);
            }
            let env = Env { now: Timestamp::now(), zone: zone::local(), fits: crate::agent::fits };
            let effects = update(&mut self.state, msg, &env);
            self.wake = None;
            // The echo of what was typed into a pane draws the window; anything else typed changes it.
            let only_typing = input && effects.iter().any(perform::types) && effects.iter().all(perform::passes_by);
            let idle = idle && effects.iter().all(perform::passes_by);
            for effect in effects {
                perform::perform(self, effect, env.now);
            }
            if let Some(lane) = started {
                perform::show_new_pane(self, lane);
            }
            let settings = &self.state.settings;
            self.commits.bound_events(settings.events);
            if reports || (self.theme.0.as_str(), self.theme.1) != (settings.theme.as_str(), settings.theme_chosen) {
                self.retheme();
            }
            if !(only_typing || idle) {
                self.screens.values_mut().for_each(Screen::touch);
            } else if !typing {
                self.screens.values_mut().for_each(Screen::touch_later);
            }
        }
    }

    /// Whether a message is a key that leaves the window as it is when it goes to a pane: it ends no sequence of ours.
    fn only_types(&self, msg: &Msg) -> bool {
        let Msg::Window(id, WindowMsg::Input(InputEvent::Key(_) | InputEvent::RichKey(_))) = msg else { return false };
        self.state.windows.get(id).is_some_and(|window| !window.leader && window.overlay.is_none())
    }

    /// Nothing can go on: everything ends, and the windows say why.
    pub fn fail(&mut self, report: Report) {
        let words = report.to_string();
        let all: Vec<WindowId> = self.screens.keys().copied().collect();
        for window in all {
            self.end_window(window, EndReason::Fault, words.clone());
        }
        self.ending.get_or_insert(Ending::Fault(report));
    }

    pub fn on_answer(&mut self, answer: Answer) {
        if matches!(answer, Answer::Opened(Ok(()))) {
            say_ready(self.ready.take());
            if self.state.looking_through {
                self.handle(Msg::StoreOpen);
            }
        }
        if matches!(answer, Answer::Kept(_)) {
            self.screens.values_mut().for_each(Screen::release);
        }
        match self.commits.answered(answer) {
            Ok(messages) => messages.into_iter().for_each(|msg| self.handle(msg)),
            Err(report) => self.fail(report),
        }
    }

    fn on_news(&mut self) {
        for msg in self.shared.news.take() {
            self.handle(msg);
        }
    }

    fn on_frames(&mut self) {
        let now = Instant::now();
        let (mut changed, mut hurry) = (false, false);
        let shown: Vec<LaneId> = self.state.pane_visible.iter().filter(|(_, v)| **v).map(|(l, _)| *l).collect();
        self.frames.retain(|lane, _| shown.contains(lane));
        for lane in shown {
            let Some(frame) = self.shared.panes.frame(lane) else { continue };
            if self.frames.get(&lane).is_none_or(|old| !Arc::ptr_eq(old, &frame)) {
                changed = true;
                self.frames.insert(lane, frame);
                hurry |= self.typed.remove(&lane).is_some_and(|at| now.duration_since(at) <= ECHO);
            }
        }
        let ends = self.inbox.frames.ends();
        for screen in self.screens.values_mut().filter(|_| changed) {
            screen.touch_pane(hurry, ends);
        }
    }

    /// Draws the windows that are due. Whether there was any.
    fn draw(&mut self) -> bool {
        let mut drawn = false;
        let (now, wall) = (Instant::now(), Timestamp::now());
        let mut broken = Vec::new();
        for (id, screen) in &mut self.screens {
            if screen.due(now).is_some_and(|at| at <= now) {
                drawn = true;
                if screen.changes(wall) {
                    window::settle(&mut self.state, *id, wall);
                }
                match screen.draw(&self.state, *id, &self.frames, wall, now) {
                    // What began to be shown with this frame may have to go by itself.
                    Ok(next) => self.wake = [self.wake, next].into_iter().flatten().min(),
                    Err(report) => broken.push((*id, report)),
                }
            }
        }
        if let Some(job) = self.state.memo.job() {
            self.colour(job);
        }
        if let Some((lane, before)) = self.state.memo.older() {
            perform::read_older(self, lane, before);
        }
        for (id, report) in broken {
            let words = format!("{report}; the work goes on, `paralane` attaches again");
            self.end_window(id, EndReason::Fault, words);
            self.handle(Msg::Window(id, WindowMsg::Gone));
        }
        drawn
    }

    /// Code that was drawn gets its colours in a later frame.
    fn colour(&self, job: CodeJob) {
        let shared = Arc::clone(&self.shared);
        self.shared.background.spawn(async move {
            let (piece, language) = job.name();
            let found = tokio::task::spawn_blocking(move || job.run()).await;
            let found = found.unwrap_or_else(|_| CodeJob::failed(piece, language));
            shared.tell(Msg::Coloured(found)).await;
        });
    }

    /// Windows are drawn in the theme that the settings name, or in the one that fits their terminal.
    fn retheme(&mut self) {
        self.theme = (self.state.settings.theme.clone(), self.state.settings.theme_chosen);
        for (id, screen) in &mut self.screens {
            let light = self.state.windows.get(id).and_then(colours::light);
            if let Ok(theme) = colours::theme(&self.state, light) {
                screen.set_theme(theme);
            }
        }
    }
}

fn say_ready(ready: Option<OwnedFd>) {
    if let Some(pipe) = ready {
        use std::io::Write as _;
        // The starter may have given up; the workstation runs all the same.
        let _ = std::fs::File::from(pipe).write_all(b"ok\n");
    }
}

/// Whether a message is input that leaves the window as it is: a key let go, the mouse moved without a button.
fn changes_nothing(msg: &Msg) -> bool {
    match msg {
        Msg::Window(_, WindowMsg::Input(InputEvent::RichKey(key))) => key.kind == KeyKind::Release,
        Msg::Window(_, WindowMsg::Input(InputEvent::Mouse(mouse))) => mouse.kind == MouseKind::Moved,
        _ => false,
    }
}

/// How long until a moment; nothing when it has passed.
fn until(at: Timestamp) -> Duration {
    at.duration_since(Timestamp::now()).try_into().unwrap_or(Duration::ZERO)
}
