//! The workstation: carries effects out as the real one does, in one thread and in any order that a test asks for.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;

use jiff::{SignedDuration, Timestamp};
use paralane::app::errand::{Finding, Quest};
use paralane::app::{
    CheckpointOrder, Client, Effect, Env, FactQuery, LaneMsg, LaneOrder, Model, Msg, PaneMsg, PaneOrder, ProjectInfo,
    ProviderInfo, RequestId, RulesEdited, SetUp, Settings, State, TurnMsg, TurnToken, WallFacts, WindowMsg, update,
};
use paralane::base::Report;
use paralane::command::{self, Action};
use paralane::domain::{
    Answerer, ApprovalId, ApprovalState, BaseRef, CallId, Change, ConflictId, ConflictState, Fact, FactAsk, FactDone,
    GitFacts, History, HookAnswer, InputEvent, IssueId, Key, KeyCode, Lane, LaneId, Lease, Mode, NativeLane, Place,
    Prompt, PromptId, PromptState, Recall, ReservationId, RuleText, SavedFiles, Size, Skill, SkillLayer, Skills,
    SkillsFound, Taken, TurnRecord, WindowId, settle_fact,
};
use paralane::protocol::{Reply, WindowHello};
use pretty_assertions::assert_eq;

use super::disk::Disk;
use super::turn::{Told, Turn};
use super::writing::Writing;

struct Commit {
    changes: Vec<Change>,
    then: Vec<Effect>,
}

/// A program in a pane.
#[derive(Default)]
struct Program {
    runs: bool,
    /// Given to it, not taken yet.
    waits: Option<(PromptId, String)>,
    /// Taken.
    works: Option<(PromptId, String)>,
}

pub struct Sim {
    pub state: State,
    pub disk: Disk,
    pub now: Timestamp,
    commits: VecDeque<Commit>,
    /// How many commits from now on the store refuses.
    pub full: usize,
    inbox: VecDeque<Msg>,
    turns: BTreeMap<LaneId, Turn>,
    programs: BTreeMap<LaneId, Program>,
    writing: BTreeMap<LaneId, Writing>,
    replies: BTreeMap<u64, Reply>,
    next_request: u64,
    next_token: u64,
    wake: Option<Timestamp>,
    answered: BTreeSet<TurnToken>,
    /// Lanes whose worktree would lose something.
    pub dirty: BTreeSet<LaneId>,
    /// Every call that began, with its arguments, over all lives.
    pub ran: Vec<(LaneId, CallId, serde_json::Value)>,
    /// Every text that a program took, over all lives.
    pub typed: Vec<(LaneId, String)>,
    pub rings: Vec<String>,
    /// Calls beside which the base checkout was compared.
    pub compared: Vec<(LaneId, String)>,
    /// The person's own facts, over all lives, and the highest id given.
    pub user_facts: (Vec<Fact>, i64),
    /// What was put on a window's clipboard.
    pub copies: Vec<(WindowId, String)>,
    pub interrupts: usize,
    /// What hooks of native CLIs were answered, over all lives.
    pub hooked: BTreeMap<u64, HookAnswer>,
    /// Native CLIs that were started.
    pub opened: Vec<NativeLane>,
    /// Keys that were typed into panes.
    pub keys: Vec<(LaneId, Key)>,
    /// Dialogs that were answered: what they asked, and whether it was allowed.
    pub dialogs: Vec<(String, bool)>,
    /// No native CLI's program is there.
    /// Tool servers that were started anew.
    pub restarted: Vec<(LaneId, String)>,
    /// Leases whose time runs.
    pub leases: Vec<(ReservationId, Lease)>,
    pub shut_down: bool,
    /// Rules that were removed: their lines, and which of those that say the same.
    pub removed: Vec<(usize, usize)>,
    /// Where the shell sits that gives the next commands.
    pub sits: Option<Answerer>,
    /// What stands in every file of rules.
    pub rules_file: Vec<RuleText>,
    /// No program that a new lane is to run is there.
    pub absent_programs: bool,
    /// What there is in every worktree.
    pub skills: Skills,
    pub config_reads: usize,
    /// Messages of one quiet run: more than any test needs means that it never ends.
    budget: usize,
}

pub fn settings() -> Settings {
    Settings {
        project: ProjectInfo {
            name: "shop".into(),
            root: "/shop".into(),
            base: BaseRef { name: "main".into(), sha: "a".repeat(40) },
        },
        store: "/state/paralane.db".into(),
        worktrees: "/state/worktrees".into(),
        version: "0".into(),
        providers: vec![ProviderInfo {
            name: "local".into(),
            model: "m".into(),
            max_running: None,
            context_window: None,
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
        themes: vec!["paralane-dark".into()],
        notify: Vec::new(),
        untrusted: None,
        notices: Vec::new(),
        first_run: false,
        walls: WallFacts::default(),
        clis: Vec::new(),
        cli_names: paralane::config::Clis::default(),
        explained: Vec::new(),
    }
}

impl Sim {
    /// With these lanes of our own agent, each open.
    pub fn with(lanes: &[&str]) -> Self {
        Self::limited(8, lanes)
    }

    pub fn limited(max_running: usize, lanes: &[&str]) -> Self {
        let mut sim = Self {
            state: State::new(Model::default(), Settings { max_running, ..settings() }),
            disk: Disk::default(),
            now: Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * 365 * 50),
            commits: VecDeque::new(),
            full: 0,
            inbox: VecDeque::new(),
            turns: BTreeMap::new(),
            programs: BTreeMap::new(),
            writing: BTreeMap::new(),
            replies: BTreeMap::new(),
            next_request: 0,
            next_token: 0,
            wake: None,
            answered: BTreeSet::new(),
            dirty: BTreeSet::new(),
            ran: Vec::new(),
            typed: Vec::new(),
            rings: Vec::new(),
            compared: Vec::new(),
            user_facts: (Vec::new(), 0),
            copies: Vec::new(),
            interrupts: 0,
            hooked: BTreeMap::new(),
            opened: Vec::new(),
            keys: Vec::new(),
            dialogs: Vec::new(),
            restarted: Vec::new(),
            shut_down: false,
            removed: Vec::new(),
            sits: None,
            rules_file: Vec::new(),
            absent_programs: false,
            leases: Vec::new(),
            skills: Skills {
                known: vec![Skill {
                    name: "tidy".into(),
                    description: "Tidies up".into(),
                    tools: vec!["shell".into()],
                    layer: SkillLayer::Project,
                    file: ".paralane/skills/tidy/SKILL.md".into(),
                }],
                faults: Vec::new(),
            },
            config_reads: 0,
            budget: 0,
        };
        sim.tell(Msg::Started);
        for lane in lanes {
            sim.ok(&format!("lane new {lane}"));
        }
        sim
    }

    fn env(&self) -> Env {
        Env { now: self.now, zone: jiff::tz::TimeZone::UTC, fits: paralane::agent::fits }
    }

    fn token(&mut self) -> TurnToken {
        self.next_token += 1;
        TurnToken(self.next_token)
    }

    // ---- what a test does

    /// Handles one message and carries out what comes of it.
    pub fn tell(&mut self, msg: Msg) {
        let thrown_back = matches!(msg, Msg::CommitFailed { .. });
        let before = self.states();
        let env = self.env();
        let effects = update(&mut self.state, msg, &env);
        if !thrown_back {
            self.check_limit(&before);
        }
        self.wake = None;
        for effect in effects {
            self.perform(effect);
        }
    }

    /// Gives a command as a shell would; the reply comes later.
    pub fn say(&mut self, line: &str) -> u64 {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        // Text with blanks stands at the end, after ` -- `.
        let mut arguments: Vec<OsString> = match line.split_once(" -- ") {
            Some((front, text)) => {
                words(front).into_iter().chain([OsString::from("--")]).chain([text.into()]).collect()
            }
            None => words(line),
        };
        let json = arguments.first().is_some_and(|a| a == "--json");
        if json {
            arguments.remove(0);
        }
        let parsed = command::parse_args(&arguments, None).unwrap_or_else(|e| panic!("`{line}`: {e}"));
        let Action::Run(invocation) = parsed.action else { panic!("`{line}` is no command") };
        self.next_request += 1;
        let id = self.next_request;
        if let Some(answerer) = self.sits.clone() {
            self.tell(Msg::Came(Client::Request(RequestId(id)), answerer));
        }
        self.tell(Msg::Request { id: RequestId(id), invocation: *invocation, json });
        id
    }

    pub fn reply(&self, id: u64) -> Option<&Reply> {
        self.replies.get(&id)
    }

    /// Gives a command and lets everything run until nothing moves.
    pub fn sh(&mut self, line: &str) -> Reply {
        let id = self.say(line);
        self.run();
        self.replies.get(&id).cloned().unwrap_or_else(|| panic!("`{line}` got no reply"))
    }

    /// The same, of a command that must be done.
    pub fn ok(&mut self, line: &str) -> String {
        let reply = self.sh(line);
        assert_eq!(reply.status, 0, "`{line}`: {:?}", reply.error);
        reply.output
    }

    /// The same, of a command that must be refused and change nothing.
    pub fn refused(&mut self, line: &str) -> Report {
        let before = self.disk.model.clone();
        let reply = self.sh(line);
        assert_ne!(reply.status, 0, "`{line}` was not refused");
        assert_eq!(self.disk.model, before, "`{line}` was refused and changed something");
        reply.error.unwrap()
    }

    /// Sends a prompt and runs on; its id.
    pub fn prompt(&mut self, lane: &str, text: &str) -> i64 {
        let out = self.ok(&format!("--json prompt {lane} -- {text}"));
        let document: serde_json::Value = serde_json::from_str(&out).unwrap();
        document["id"].as_str().unwrap().parse::<PromptId>().unwrap().0
    }

    /// Runs until nothing moves; then memory and disk must be the same.
    pub fn run(&mut self) {
        self.budget = 20_000;
        while self.step() {
            self.budget -= 1;
            assert!(self.budget > 0, "it never comes to rest");
        }
        let (memory, disk) = (&self.state.model, &self.disk.model);
        assert_eq!(memory.lanes, disk.lanes);
        assert_eq!(memory.prompts, disk.prompts);
        assert_eq!((&memory.calls, &memory.written), (&disk.calls, &disk.written));
        assert_eq!((&memory.approvals, &memory.conflicts), (&disk.approvals, &disk.conflicts));
        assert_eq!(memory.entries, disk.entries);
        assert!(memory == disk, "memory and disk differ at rest");
    }

    /// Lets time pass.
    pub fn sleep(&mut self, seconds: i64) {
        let until = self.now + SignedDuration::from_secs(seconds);
        for _ in 0..1_000 {
            let Some(at) = self.wake.filter(|at| *at <= until) else {
                self.now = until;
                return;
            };
            self.now = self.now.max(at);
            self.tell(Msg::Timer);
            self.run();
        }
        panic!("it is woken without end");
    }

    /// The workstation dies, and no other starts: what is kept is read.
    pub fn kill_unseen(&mut self) {
        let settings = self.state.settings.clone();
        let snapshot = self.disk.load();
        self.state = State::new(Model::from_snapshot(snapshot), settings);
    }

    /// The workstation dies. Of the commits on their way, the first `kept` were kept.
    pub fn kill(&mut self, kept: usize) {
        for commit in std::mem::take(&mut self.commits).into_iter().take(kept) {
            self.disk.keep(&commit.changes).expect("the store takes what is decided on what it holds");
        }
        self.inbox.clear();
        self.turns.clear();
        self.programs.clear();
        self.writing.clear();
        self.wake = None;
        let settings = self.state.settings.clone();
        let snapshot = self.disk.load();
        self.state = State::new(Model::from_snapshot(snapshot), settings);
        self.tell(Msg::Started);
    }

    pub fn window(&mut self) -> WindowId {
        self.attach(WindowId(1))
    }

    pub fn another_window(&mut self) -> WindowId {
        self.attach(WindowId(2))
    }

    fn attach(&mut self, id: WindowId) -> WindowId {
        let hello = WindowHello {
            size: Size { columns: 120, rows: 40 },
            term: "xterm-256color".into(),
            colorterm: None,
            no_color: false,
            light: None,
            terminal: false,
            settings: None,
            focus: None,
            open: None,
            hints: Vec::new(),
        };
        self.tell(Msg::Window(id, WindowMsg::Attached(hello)));
        id
    }

    /// Types a line into a window's prompt bar and sends it.
    pub fn type_line(&mut self, window: WindowId, line: &str) {
        for c in line.chars() {
            self.key(window, Key::char(c));
        }
        self.enter(window);
    }

    /// Presses Enter in a window and lets everything run until nothing moves.
    pub fn enter(&mut self, window: WindowId) {
        self.key(window, Key::plain(KeyCode::Enter));
        self.run();
    }

    fn key(&mut self, window: WindowId, key: Key) {
        self.tell(Msg::Window(window, WindowMsg::Input(InputEvent::Key(key))));
    }

    pub fn git(&mut self, lane: &str, dirty: &[&str]) {
        let facts = GitFacts { dirty: dirty.iter().map(ToString::to_string).collect(), ..GitFacts::default() };
        let id = self.lane(lane).id;
        self.tell(Msg::Lane(id, LaneMsg::Git { facts: Box::new(facts), touched: Vec::new() }));
        self.run();
    }

    pub fn exit(&mut self, lane: &str, words: &str) {
        let id = self.lane(lane).id;
        self.programs.remove(&id);
        self.tell(Msg::Pane(id, PaneMsg::Exited(words.into())));
        self.run();
    }

    // ---- what a test looks at

    pub fn lane(&self, name: &str) -> &Lane {
        let found = self.state.model.lane_named(name);
        found.or_else(|| self.state.model.closed_lane_named(name)).unwrap_or_else(|| panic!("no lane `{name}`"))
    }

    pub fn lane_word(&self, name: &str) -> &'static str {
        self.state.lane_state(self.lane(name).id).word()
    }

    pub fn get(&self, prompt: i64) -> &Prompt {
        &self.state.model.prompts[&PromptId(prompt)]
    }

    pub fn is(&self, prompt: i64) -> PromptState {
        self.get(prompt).state
    }

    pub fn approval(&self, id: i64) -> ApprovalState {
        self.state.model.approvals[&ApprovalId(id)].state
    }

    pub fn conflict(&self, id: i64) -> ConflictState {
        self.state.model.conflicts[&ConflictId(id)].state
    }

    /// The commands and paths of all calls that began, in order.
    pub fn commands(&self) -> Vec<&str> {
        self.ran.iter().filter_map(|(_, _, a)| a.as_object()?.values().next()?.as_str()).collect()
    }

    pub fn turn_lives(&self, lane: &str) -> bool {
        self.turns.contains_key(&self.lane(lane).id)
    }

    // ---- the workstation

    /// The store answers the oldest commit. Whether there was one.
    pub fn ack(&mut self) -> bool {
        let Some(commit) = self.commits.pop_front() else { return false };
        if self.full == 0 {
            self.disk.keep(&commit.changes).expect("the store takes what is decided on what it holds");
            self.tell(Msg::Committed(commit.then));
            return true;
        }
        // All that are under way are answered before anything else is handled. What was decided on top of the
        // failed one is not kept either.
        self.full -= 1;
        let lost = std::iter::once(commit).chain(std::mem::take(&mut self.commits)).flat_map(|commit| commit.then);
        let lost = lost.collect();
        let snapshot = Box::new(self.disk.load());
        self.tell(Msg::CommitFailed { report: Report::refused("the disk is full"), snapshot, then: lost });
        assert!(self.commits.is_empty(), "something was decided while the store takes nothing");
        true
    }

    /// Handles the oldest message of an actor. Whether there was one.
    pub fn deliver(&mut self) -> bool {
        let msg = self.inbox.pop_front();
        msg.map(|msg| self.tell(msg)).is_some()
    }

    /// Lets a lane's turn or program go on by one thing. Whether it did.
    pub fn advance(&mut self, lane: LaneId) -> bool {
        let token = self.token();
        if let Some(turn) = self.turns.get_mut(&lane) {
            let told = turn.advance(token);
            return self.told(lane, told);
        }
        if let Some(writing) = self.writing.get_mut(&lane) {
            let told = writing.advance(token);
            return self.told(lane, told);
        }
        let Some(program) = self.programs.get_mut(&lane) else { return false };
        let busy = |text: &str, word| text.split(' ').any(|w| w == word);
        if let Some((prompt, text)) = program.waits.take_if(|(_, text)| program.runs && !busy(text, "busy")) {
            self.typed.push((lane, text.clone()));
            program.works = Some((prompt, text));
            self.inbox.push_back(Msg::Pane(lane, PaneMsg::Delivered(prompt)));
            return true;
        }
        if let Some((prompt, _)) = program.works.take_if(|(_, text)| !busy(text, "long")) {
            self.inbox.push_back(Msg::Pane(lane, PaneMsg::Finished(prompt)));
            return true;
        }
        false
    }

    pub fn lanes(&self) -> Vec<LaneId> {
        self.turns.keys().chain(self.writing.keys()).chain(self.programs.keys()).copied().collect()
    }

    fn step(&mut self) -> bool {
        self.ack() || self.deliver() || self.lanes().into_iter().any(|lane| self.advance(lane))
    }

    fn told(&mut self, lane: LaneId, told: Told) -> bool {
        match told {
            Told::Nothing => return false,
            Told::Msg(msg) => {
                if matches!(msg, Msg::Turn(_, paralane::app::TurnMsg::Ended(..))) {
                    self.turns.remove(&lane);
                }
                if matches!(msg, Msg::Lane(_, LaneMsg::Compacted(_))) {
                    self.writing.remove(&lane);
                }
                self.inbox.push_back(msg);
            }
            Told::Ran(call) => {
                let twice = self.ran.iter().any(|(l, id, _)| *l == lane && *id == call.id);
                assert!(!twice, "call {} of {lane} runs twice", call.id);
                self.ran.push((lane, call.id, call.arguments));
            }
        }
        true
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Commit { changes, then } => self.commits.push_back(Commit { changes, then }),
            Effect::Lane(lane, order) => self.lane_order(lane, order),
            Effect::Pane(lane, order) => self.pane_order(lane, order),
            Effect::Recorded(token, result) => {
                for turn in self.turns.values_mut() {
                    if turn.recorded(token, &result) {
                        assert!(self.answered.insert(token), "a record is answered twice");
                    }
                }
            }
            Effect::Reserved(token, result) => {
                for turn in self.turns.values_mut() {
                    if turn.reserved(token, &result) {
                        assert!(self.answered.insert(token), "a reservation is answered twice");
                    }
                }
                for writing in self.writing.values_mut() {
                    if writing.reserved(token, &result) {
                        assert!(self.answered.insert(token), "a reservation is answered twice");
                    }
                }
            }
            Effect::Remembered(token, result) => {
                let next = self.token();
                let told: Vec<_> = self
                    .turns
                    .iter_mut()
                    .filter_map(|(lane, turn)| Some((*lane, turn.remembered(token, &result, next)?)))
                    .collect();
                for (lane, told) in told {
                    assert!(self.answered.insert(token), "a proposal is answered twice");
                    self.told(lane, told);
                }
            }
            Effect::UserFact(asker, ask) => {
                let done = self.keep_for_user(&ask);
                self.inbox.push_back(Msg::UserFact(asker, done));
            }
            // What is looked at is another's part.
            Effect::Doctor(asker) => self.inbox.push_back(Msg::Doctor(asker, Vec::new())),
            // Events are the store's own.
            Effect::History(asker, query) => self.inbox.push_back(Msg::History(asker, query, Ok(History::default()))),
            Effect::Facts(asker, query) => {
                let facts = match &query {
                    FactQuery::All(_) => self.user_facts.0.clone(),
                    // Where it is searched is another's part: here everything fits.
                    FactQuery::Fitting(_) => {
                        self.disk.model.facts.values().chain(&self.user_facts.0).cloned().collect()
                    }
                };
                let recall = Recall { facts, faults: Vec::new() };
                self.inbox.push_back(Msg::Facts(asker, query, Ok(recall)));
            }
            Effect::Permitted(token, verdict) => {
                let next = self.token();
                let told: Vec<_> = self
                    .turns
                    .iter_mut()
                    .filter_map(|(lane, turn)| Some((*lane, turn.permitted(token, verdict.clone(), next)?)))
                    .collect();
                for (lane, told) in told {
                    assert!(self.answered.insert(token), "a question is answered twice");
                    self.told(lane, told);
                }
            }
            Effect::LaneNeeds(asker, wanted) => {
                let absent = Err(Report::refused("there is no such program"));
                let found = if self.absent_programs { absent } else { Ok(self.rules_file.clone()) };
                self.inbox.push_back(Msg::LaneNeeds(asker, wanted, found));
            }
            Effect::ApprovalHistory(asker, query) => {
                let events = self.disk.approval_events(query);
                self.inbox.push_back(Msg::ApprovalHistory(asker, query, Ok(events)));
            }
            Effect::Reply(id, reply) => {
                assert!(self.replies.insert(id.0, reply).is_none(), "command {} got two replies", id.0);
            }
            Effect::Hooked(id, answer) => {
                assert!(self.hooked.insert(id.0, answer).is_none(), "hook {} got two answers", id.0);
            }
            Effect::CompareBase { lane, call, .. } => self.compared.push((lane, call)),
            Effect::Ring(text) => self.rings.push(text),
            Effect::Copy(window, text) => self.copies.push((window, text)),
            Effect::WakeAt(at) => self.wake = Some(self.wake.map_or(at, |old| old.min(at))),
            Effect::Skills(order) => {
                let found = self.skills.clone();
                let text = order.ask.load.as_ref().filter(|name| found.find(name).is_some()).map(|_| "say".to_owned());
                self.inbox.push_back(Msg::Skills(order, Ok(Box::new(SkillsFound { skills: found, text }))));
            }
            Effect::ReadConfig => self.config_reads += 1,
            Effect::ReadTranscript(lane) => {
                let entries = self.disk.recall(lane);
                self.inbox.push_back(Msg::Transcript(lane, Ok(entries)));
            }
            Effect::EditClis(asker, edit) => {
                self.inbox.push_back(Msg::ClisEdited(asker, edit, Ok("config.toml".into())));
            }
            Effect::EditRules(asker, edit) => {
                self.removed.extend(edit.remove.map(|standing| (standing.line, standing.nth)));
                let edited = RulesEdited { file: "config.toml".into(), edit: *edit, trust: None };
                self.inbox.push_back(Msg::RulesEdited(asker, Ok(edited)));
            }
            // Nothing is known of history here, and mail is looked at where there is a store.
            Effect::Errand(errand) => {
                let finding = match &errand.quest {
                    Quest::CoChanges(_) => Finding::CoChanges(Vec::new()),
                    Quest::Mail(query) => Finding::Mail(self.disk.mail(query)),
                    Quest::Head(_) => Finding::Head(Some("c0ffee0123456789".to_owned())),
                    Quest::Titles { .. } => Finding::Titles(vec![(IssueId(4), "told by the forge".to_owned())]),
                    Quest::Letter { .. } => return,
                };
                self.inbox.push_back(Msg::Errand(errand, Ok(finding)));
            }
            Effect::Lease { reservation, lease, .. } => self.leases.push((reservation, lease)),
            Effect::Shutdown => self.shut_down = true,
            Effect::EndWindow(window, ..) => self.inbox.push_back(Msg::Window(window, WindowMsg::Gone)),
            _ => {}
        }
    }

    /// The person's file, which takes one request after the other.
    fn keep_for_user(&mut self, ask: &FactAsk) -> Result<FactDone, Report> {
        let (facts, last) = &mut self.user_facts;
        let settled = settle_fact(facts.iter(), *last, ask, self.now);
        let (done, change) = settled.map_err(|fault| Report::refused(fault.to_string()))?;
        match change {
            Some(Change::FactKept { fact }) => {
                *last = (*last).max(fact.id.number);
                facts.retain(|old| old.id != fact.id);
                facts.push(*fact);
            }
            Some(Change::FactForgotten { fact }) => facts.retain(|old| old.id != fact),
            other => assert_eq!(other, None),
        }
        Ok(done)
    }

    fn lane_order(&mut self, lane: LaneId, order: LaneOrder) {
        let told = |msg| Msg::Lane(lane, msg);
        match order {
            LaneOrder::Plan { name, base, directory } => {
                let base = BaseRef { name: base.unwrap_or_else(|| "main".into()), sha: "b".repeat(40) };
                let place = Place { directory, branch: Some(format!("lane/{name}")), base };
                self.inbox.push_back(told(LaneMsg::Planned(place)));
            }
            LaneOrder::SetUp { .. } => self.inbox.push_back(told(LaneMsg::SetUp)),
            LaneOrder::StartTurn(start) => {
                // The one before may be kept as over, and has only to say so: it is waited for.
                if self.turns.get(&lane).is_some_and(Turn::ends) {
                    self.advance(lane);
                }
                assert!(!self.turns.contains_key(&lane), "{lane} has two turns at once");
                self.turns.insert(lane, Turn::new(lane, &start));
                if let Some(CheckpointOrder { number, seq, .. }) = start.checkpoint {
                    let taken = Taken { number, seq, files: Ok(saved(number)) };
                    let token = self.token();
                    let record = TurnMsg::Record(token, TurnRecord::Checkpoint(taken));
                    self.inbox.push_back(Msg::Turn(lane, record));
                }
            }
            LaneOrder::CancelTurn => {
                if let Some(turn) = self.turns.get_mut(&lane) {
                    turn.cancel();
                }
                if let Some(writing) = self.writing.get_mut(&lane) {
                    writing.cancel();
                }
            }
            LaneOrder::EndWork => {}
            LaneOrder::Compact(start) => {
                assert!(!self.turns.contains_key(&lane), "{lane} is compacted while its turn runs");
                let before = self.writing.insert(lane, Writing::new(lane, &start));
                assert!(before.is_none(), "{lane} is compacted twice at once");
            }
            LaneOrder::Checkpoint { order: CheckpointOrder { number, seq, .. }, purpose } => {
                let broken = self.dirty.contains(&lane);
                let files = if broken { Err("the disk is full".into()) } else { Ok(saved(number)) };
                let taken = Taken { number, seq, files };
                self.inbox.push_back(told(LaneMsg::Checkpointed { taken, purpose }));
            }
            LaneOrder::Rewind { to, what, before, .. } => {
                let result = Ok((2, 1));
                self.inbox.push_back(told(LaneMsg::Rewound { to, what, before: before.0, result }));
            }
            LaneOrder::Close { .. } if self.dirty.contains(&lane) => {
                let report = Report::refused("uncommitted: a.rs");
                self.inbox.push_back(told(LaneMsg::CloseRefused(report)));
            }
            LaneOrder::Close { .. } => self.inbox.push_back(told(LaneMsg::Closed { tip: None })),
            LaneOrder::RestartServer(name) => self.restarted.push((lane, name)),
            LaneOrder::Shell { .. } | LaneOrder::Forget(_) | LaneOrder::Look(_) | LaneOrder::Retire => {}
        }
    }

    fn pane_order(&mut self, lane: LaneId, order: PaneOrder) {
        let program = self.programs.entry(lane).or_default();
        match order {
            PaneOrder::Open { native, .. } => {
                program.runs = true;
                self.opened.extend(native.map(|start| start.native));
                self.inbox.push_back(Msg::Pane(lane, PaneMsg::Started));
            }
            PaneOrder::End if program.runs => {
                *program = Program::default();
                self.inbox.push_back(Msg::Pane(lane, PaneMsg::Exited("killed by SIGTERM".into())));
            }
            PaneOrder::Deliver(prompt, text) => program.waits = Some((prompt, text)),
            PaneOrder::Withdraw(_) => (program.waits, program.works) = (None, None),
            PaneOrder::Interrupt => self.interrupts += 1,
            PaneOrder::Key(event) => self.keys.push((lane, event.key)),
            PaneOrder::Answer { about, allow, .. } => self.dialogs.push((about, allow)),
            _ => {}
        }
    }

    fn states(&self) -> BTreeMap<PromptId, PromptState> {
        self.state.model.prompts.values().map(|p| (p.id, p.state)).collect()
    }

    /// Nothing is admitted over the limit, and a lane does one thing at a time.
    fn check_limit(&self, before: &BTreeMap<PromptId, PromptState>) {
        let works = |p: &&Prompt| matches!(p.state, PromptState::Preflight | PromptState::Running);
        let running: Vec<PromptId> = self.state.model.prompts.values().filter(works).map(|p| p.id).collect();
        // An answer may let a turn go on beyond the limit; an admission may not.
        if running.iter().any(|id| !before.get(id).is_some_and(|state| state.active())) {
            assert!(running.len() <= self.state.settings.max_running, "admitted over the limit: {running:?}");
        }
        let mut lanes = BTreeSet::new();
        for prompt in self.state.model.prompts.values().filter(|p| p.state.active()) {
            assert!(lanes.insert(prompt.lane), "{} does two things at once", prompt.lane);
        }
    }
}

/// Files that were kept as checkpoint `number`.
fn saved(number: u64) -> SavedFiles {
    SavedFiles { commit: format!("{number:040}"), head: Some("b".repeat(40)), left_out: Vec::new() }
}
