//! States as literals, and frames as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use paralane::app::window::{self, WindowAction, WindowState};
use paralane::app::{Env, LiveLane, Model, ProjectInfo, ProviderInfo, SetUp, Settings, State, WallFacts};
use paralane::domain::{
    Approval, ApprovalId, ApprovalState, BaseRef, CallId, CallState, Change, Conflict, ConflictId, ConflictKind,
    ConflictState, Entry, EntryBody, InputEvent, Key, KeyCode, Lane, LaneId, LaneKind, LaneStage, Mode, Money,
    NoticeLevel, PaneFrame, Place, Priority, Prompt, PromptId, PromptState, RuleOrigin, Size, Spend, SpendId,
    SpendState, ToolCall, ToolOutcome, Usage, WindowId,
};
use paralane::protocol::{Hint, HintUntil, WindowHello};
use paralane::ui::{Caret, Surface, Theme, view};
use ratatui::buffer::Buffer;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

/// The window under test.
pub const WINDOW: WindowId = WindowId(1);
/// Sizes of every snapshot.
pub const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 50)];

/// The moment of every frame.
pub fn now() -> Timestamp {
    "2030-05-04T10:00:00Z".parse().unwrap()
}

/// So many seconds before it.
pub fn ago(seconds: i64) -> Timestamp {
    now().checked_sub(SignedDuration::from_secs(seconds)).unwrap()
}

/// A state that grows by calls.
pub struct Scene {
    pub state: State,
    pub frames: BTreeMap<LaneId, Arc<PaneFrame>>,
    pub now: Timestamp,
}

impl Scene {
    /// A configured project without lanes, one window attached.
    pub fn new() -> Self {
        let settings = Settings {
            notices: Vec::new(),
            project: ProjectInfo {
                name: "shop".into(),
                root: PathBuf::from("/home/dev/shop"),
                base: BaseRef { name: "main".into(), sha: "3f2c1a9d0b".repeat(4) },
            },
            store: PathBuf::from("/home/dev/.local/state/paralane/shop/store.db"),
            worktrees: PathBuf::from("/home/dev/.local/state/paralane/shop/worktrees"),
            version: "0.1.0".into(),
            providers: vec![ProviderInfo {
                name: "local".into(),
                model: "sonnet".into(),
                max_running: None,
                context_window: Some(128_000),
                compact_at: 80,
                prices: std::collections::BTreeMap::new(),
            }],
            provider: Some("local".into()),
            mode: Mode::Ask,
            mode_place: "built in".into(),
            max_running: 8,
            claims_per_lane: 32,
            block_on_unmerged: false,
            events: paralane::domain::EventBounds::default(),
            forge: paralane::domain::ForgeKind::None,
            compact_idle: None,
            web: paralane::config::Web::default(),
            hooks: Vec::new(),
            own_skills: None,
            servers: Vec::new(),
            fold: paralane::coordination::Fold::default(),
            policy: std::sync::Arc::default(),
            approval_expire: None,
            budgets: Vec::new(),
            set_up: SetUp::default(),
            leader: Key::ctrl('g'),
            theme: "paralane-dark".into(),
            theme_chosen: false,
            themes: vec!["paralane-dark".into(), "paralane-light".into()],
            notify: Vec::new(),
            untrusted: None,
            first_run: false,
            walls: WallFacts { on: true, ..WallFacts::default() },
            clis: Vec::new(),
            cli_names: paralane::config::Clis::default(),
            explained: Vec::new(),
        };
        let mut state = State::new(Model::default(), settings);
        let hello = WindowHello {
            size: Size { columns: 120, rows: 40 },
            term: "xterm-256color".into(),
            colorterm: Some("truecolor".into()),
            no_color: false,
            light: None,
            terminal: true,
            hints: Vec::new(),
            settings: None,
            focus: None,
            open: None,
        };
        state.windows.insert(WINDOW, WindowState::new(hello));
        state.last_window = Some(WINDOW);
        Self { state, frames: BTreeMap::new(), now: now() }
    }

    pub fn window(&mut self) -> &mut WindowState {
        self.state.windows.get_mut(&WINDOW).unwrap()
    }

    fn add_lane(&mut self, name: &str, kind: LaneKind) -> LaneId {
        let id = LaneId(self.state.model.lanes.len() as i64 + 1);
        let lane = Lane {
            id,
            name: name.parse().unwrap(),
            kind,
            place: Place {
                directory: PathBuf::from(format!("/home/dev/.local/state/paralane/shop/worktrees/{name}")),
                branch: Some(format!("lane/{name}")),
                base: self.state.settings.project.base.clone(),
            },
            mode: None,
            stage: LaneStage::Open,
            error: None,
            set_up: true,
            seen: true,
            created: ago(900),
            since: ago(600),
        };
        self.state.model.lanes.insert(id, lane);
        self.state.live.insert(id, LiveLane::default());
        if self.window().focus.is_none() {
            self.window().focus = Some(id);
        }
        id
    }

    pub fn agent(&mut self, name: &str) -> LaneId {
        self.add_lane(name, LaneKind::Agent { provider: None, model: None })
    }

    pub fn pane(&mut self, name: &str, command: &[&str]) -> LaneId {
        self.add_lane(name, LaneKind::plain(command.iter().map(|s| (*s).to_owned()).collect()))
    }

    pub fn lane(&mut self, id: LaneId) -> &mut Lane {
        self.state.model.lanes.get_mut(&id).unwrap()
    }

    pub fn live(&mut self, id: LaneId) -> &mut LiveLane {
        self.state.live.get_mut(&id).unwrap()
    }

    pub fn prompt(&mut self, lane: LaneId, text: &str, state: PromptState, seconds: i64) -> PromptId {
        let id = PromptId(self.state.model.prompts.len() as i64 + 1);
        let prompt = Prompt {
            id,
            lane,
            text: text.into(),
            priority: Priority::Normal,
            state,
            hold: None,
            position: id.0,
            started: None,
            created: ago(seconds),
            since: ago(seconds),
            result: None,
            error: None,
            key: None,
            overridden: Vec::new(),
        };
        self.state.model.prompts.insert(prompt);
        id
    }

    pub fn say(&mut self, lane: LaneId, body: EntryBody) {
        let seq = self.state.model.next_seq(lane);
        let entry = Entry { lane, seq, prompt: None, at: ago(40), body };
        self.state.model.entries.entry(lane).or_default().push_back(Arc::new(entry));
    }

    pub fn asked(&mut self, lane: LaneId, text: &str) {
        self.say(lane, EntryBody::Prompt { text: text.into() });
    }

    pub fn answered(&mut self, lane: LaneId, text: &str) {
        self.say(
            lane,
            EntryBody::Answer {
                text: text.into(),
                cut: false,
                usage: None,
                reasoning: paralane::domain::Reasoning::default(),
            },
        );
    }

    /// A call that is over, today.
    pub fn spent(&mut self, lane: LaneId, cost: Option<&str>, input: u64) {
        let usage = Usage { input, ..Usage::default() };
        let cost = cost.map(|text| Money::parse(text).unwrap());
        let id = SpendId(self.state.model.last_ids.spend + 1);
        let spend = Spend {
            id,
            lane,
            prompt: PromptId(1),
            provider: "local".into(),
            model: "sonnet".into(),
            at: ago(9),
            day: self.state.today,
            price: None,
            state: SpendState::Reserved,
            usage,
            cost,
        };
        self.state.model.apply(&Change::SpendReserved { spend: Box::new(spend) });
        self.state.model.apply(&Change::SpendSettled { spend: id, state: SpendState::Settled, usage, cost });
    }

    pub fn noted(&mut self, lane: LaneId, level: NoticeLevel, text: &str) {
        self.say(lane, EntryBody::Notice { level, text: text.into() });
    }

    /// A call without a result.
    pub fn called(&mut self, lane: LaneId, tool: &str, action: &str, state: CallState) -> CallId {
        let id = CallId(format!("{lane}.{}", self.state.model.next_seq(lane)));
        let call = ToolCall {
            id: id.clone(),
            model_id: id.0.clone(),
            tool: tool.into(),
            arguments: serde_json::json!({ "command": action }),
        };
        self.say(lane, EntryBody::Call { call, action: action.into() });
        self.state.model.calls.insert((lane, id.clone()), state);
        id
    }

    pub fn result(&mut self, lane: LaneId, call: &CallId, ok: bool, summary: &str, output: &str, diff: Option<&str>) {
        self.state.model.calls.remove(&(lane, call.clone()));
        let outcome = ToolOutcome {
            ok,
            output: output.into(),
            summary: summary.into(),
            diff: diff.map(str::to_owned),
            ..ToolOutcome::default()
        };
        self.say(lane, EntryBody::Result { call: call.clone(), outcome });
    }

    /// A call with its result.
    pub fn did(&mut self, lane: LaneId, tool: &str, action: &str, summary: &str, diff: Option<&str>) {
        let call = self.called(lane, tool, action, CallState::Started);
        self.result(lane, &call, true, summary, "", diff);
    }

    pub fn approval(&mut self, lane: LaneId, prompt: PromptId, call: &CallId, tool: &str, action: &str) -> ApprovalId {
        let id = ApprovalId(self.state.model.approvals.len() as i64 + 1);
        let directory = self.lane(lane).place.directory.display().to_string();
        let approval = Approval {
            id,
            lane,
            prompt: Some(prompt),
            call: call.clone(),
            tool: tool.into(),
            action: action.into(),
            arguments: serde_json::json!({ "command": action }),
            diff: None,
            directory,
            rule: RuleOrigin { rule: "mode ask asks before shell".into(), place: "built in".into() },
            state: ApprovalState::Pending,
            scope: None,
            reason: None,
            created: ago(12),
            ended: None,
            expires: None,
            needs: 1,
            confirmed: None,
            by: None,
        };
        self.state.model.approvals.insert(id, approval);
        id
    }

    pub fn conflict(
        &mut self,
        lane: LaneId,
        with: LaneId,
        prompt: PromptId,
        kind: ConflictKind,
        paths: &[&str],
    ) -> ConflictId {
        let id = ConflictId(self.state.model.conflicts.len() as i64 + 1);
        let conflict = Conflict {
            id,
            lane,
            prompt,
            call: None,
            with,
            paths: paths.iter().map(|p| (*p).to_owned()).collect(),
            cause: "written by its running turn".into(),
            kind,
            state: ConflictState::Pending,
            created: ago(90),
        };
        self.state.model.conflicts.insert(id, conflict);
        id
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.window().size = Size { columns, rows };
    }

    pub fn env(&self) -> Env {
        Env { now: self.now, zone: TimeZone::UTC, fits: paralane::agent::fits }
    }

    /// Settles as before a frame, then hands in one event.
    pub fn event(&mut self, event: InputEvent) -> Vec<WindowAction> {
        window::settle(&mut self.state, WINDOW, self.now);
        let env = self.env();
        window::input(&mut self.state, WINDOW, event, &env)
    }

    pub fn key(&mut self, key: Key) -> Vec<WindowAction> {
        self.event(InputEvent::Key(key))
    }

    pub fn code(&mut self, code: KeyCode) -> Vec<WindowAction> {
        self.key(Key::plain(code))
    }

    /// The leader, then this key.
    pub fn lead(&mut self, c: char) -> Vec<WindowAction> {
        self.key(Key::ctrl('g'));
        self.key(Key::char(c))
    }

    pub fn type_text(&mut self, text: &str) -> Vec<WindowAction> {
        text.chars().flat_map(|c| self.key(Key::char(c))).collect()
    }

    /// One frame.
    pub fn draw(&mut self, theme: &str) -> (Surface, Option<Caret>) {
        window::settle(&mut self.state, WINDOW, self.now);
        let size = self.window().size;
        let theme = Theme::load(theme).unwrap();
        let mut surface = Surface::new(size);
        let caret = view(&self.state, WINDOW, &self.frames, self.now, &theme, &mut surface);
        (surface, caret)
    }

    /// Draws until all code that is shown has its colours.
    pub fn colour(&mut self) {
        loop {
            self.draw("paralane-dark");
            let Some(job) = self.state.memo.job() else { return };
            self.state.memo.coloured(job.run());
        }
    }

    /// One frame as text, with the cursor's place below it.
    pub fn text(&mut self) -> String {
        let (surface, caret) = self.draw("paralane-dark");
        let buffer = surface.buffer();
        let mut text = String::new();
        for y in 0..buffer.area.height {
            text.push_str(row(buffer, y).trim_end());
            text.push('\n');
        }
        match caret {
            Some(c) => {
                writeln!(text, "cursor {},{}{}", c.at.0, c.at.1, if c.visible { "" } else { " hidden" }).unwrap();
            }
            None => text.push_str("no cursor\n"),
        }
        text
    }

    /// Compares frames of every size with the kept ones.
    pub fn snap(&mut self, name: &str) {
        for (columns, rows) in SIZES {
            self.resize(columns, rows);
            snap_text(&format!("{name}.{columns}x{rows}"), &self.text());
        }
    }

    /// Compares the frame of one size.
    pub fn snap_at(&mut self, name: &str, columns: u16, rows: u16) {
        self.resize(columns, rows);
        snap_text(&format!("{name}.{columns}x{rows}"), &self.text());
    }
}

fn row(buffer: &Buffer, y: u16) -> String {
    let mut text = String::new();
    let mut skip = 0;
    for x in 0..buffer.area.width {
        if skip > 0 {
            skip -= 1;
            continue;
        }
        let symbol = buffer[(x, y)].symbol();
        text.push_str(symbol);
        skip = symbol.width().saturating_sub(1);
    }
    text
}

/// The frame's styles: runs of equal style in each row, with their text.
pub fn styles(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut x = 0;
        while x < buffer.area.width {
            let style = buffer[(x, y)].style();
            let start = x;
            let mut text = String::new();
            while x < buffer.area.width && buffer[(x, y)].style() == style {
                text.push_str(buffer[(x, y)].symbol());
                x += 1;
            }
            if text.trim().is_empty() {
                continue;
            }
            let attributes = style.add_modifier;
            let attributes = if attributes == Modifier::empty() { String::new() } else { format!(" {attributes:?}") };
            let (fg, bg) = (style.fg.unwrap_or_default(), style.bg.unwrap_or_default());
            writeln!(out, "{y:2}:{start:<3} {fg} on {bg}{attributes}  {:?}", text.trim_end()).unwrap();
        }
    }
    out
}

pub fn snap_text(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/ui"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Three lanes at work, as a person sees them in the middle of a day: the frame of the design.
pub fn at_work() -> Scene {
    let mut scene = Scene::new();
    let api = scene.agent("api");
    let docs = scene.agent("docs");
    let ui = scene.agent("ui");
    let web = scene.agent("web");

    scene.prompt(api, "add rate limiting to the login route", PromptState::Running, 42);
    scene.prompt(api, "write a test for it", PromptState::Queued, 30);
    scene.prompt(api, "then update the changelog", PromptState::Queued, 20);
    scene.asked(api, "add rate limiting to the login route");
    scene.answered(api, "I'll look at the router first.");
    scene.did(api, "read", "src/router.rs", "214 lines", None);
    let diff = "--- a/src/login.rs\n+++ b/src/login.rs\n@@ -40,4 +40,5 @@\n let user = form.user();\n-let user = auth(&req).await?;\n+limiter.check(req.ip())?;\n+let user = auth(&req).await?;\n Ok(user)";
    scene.did(api, "edit", "src/login.rs", "+2 −1", Some(diff));
    let live = scene.live(api);
    live.git = Some(paralane::domain::GitFacts {
        ahead: 3,
        behind: 1,
        dirty: vec!["src/login.rs".into()],
        disk: Some(12_400_000),
        ..Default::default()
    });
    live.feed.answer = "Running the tests…".into();
    live.feed.phase = "thinking".into();
    live.usage = Some(paralane::domain::Usage { input: 39_000, output: 700, ..Default::default() });

    scene.prompt(docs, "describe the new endpoint in docs/api.md", PromptState::Running, 190);
    scene.asked(docs, "describe the new endpoint in docs/api.md");
    scene.live(docs).feed.answer = "The page needs a section on limits. ".into();

    let prompt = scene.prompt(ui, "show a message when the limit is hit", PromptState::Waiting, 60);
    scene.prompt(ui, "and translate it", PromptState::Queued, 50);
    scene.asked(ui, "show a message when the limit is hit");
    let call = scene.called(ui, "shell", "npm test -- --run login", CallState::Waiting);
    scene.approval(ui, prompt, &call, "shell", "npm test -- --run login");

    let prompt = scene.prompt(web, "rename login.rs to session.rs, in src/login.rs", PromptState::Blocked, 90);
    scene.conflict(web, api, prompt, ConflictKind::Prompt, &["src/login.rs"]);
    scene
}

pub fn hint(text: &str, until: HintUntil) -> Hint {
    Hint { text: text.into(), until }
}
