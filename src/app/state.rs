//! The whole state of a running workstation.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use jiff::Timestamp;

use crate::base::Report;
use crate::coordination::{Late, Ledger};
use crate::domain::{
    Answerer, Approval, BaseRef, IssueId, LaneId, LaneState, ReservationId, Sum, WaitReason, WindowId,
};
use crate::policy::Policy;
use crate::scheduler::Rounds;

use super::lane_policy::LanePolicy;
use super::window::WindowState;
use super::{Activity, Client, Copies, LiveLane, Model, RequestId, Settings};

/// Something that went wrong and cannot be found out again later, with what clears it. [`super::problems`] lists these
/// together with what the state itself tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The lane it concerns, if any.
    pub lane: Option<LaneId>,
    /// What and why, and hints on what to do.
    pub report: Report,
    /// Since when.
    pub since: Timestamp,
}

/// One line of the activity tab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityLine {
    /// When.
    pub at: Timestamp,
    /// The lane it concerns, if any.
    pub lane: Option<LaneId>,
    /// What happened, in words.
    pub text: String,
}

/// The whole state.
#[derive(Debug)]
pub struct State {
    /// What is durable.
    pub model: Model,
    /// What is known of each lane only while running.
    pub live: BTreeMap<LaneId, LiveLane>,
    /// Each attached window's own.
    pub windows: BTreeMap<WindowId, WindowState>,
    /// The rules of lanes that have some of their own, made ready from these rules of the configuration and of the lane.
    pub(super) lane_policies: BTreeMap<LaneId, LanePolicy>,
    /// Where each client sits that is connected.
    pub(super) answerers: BTreeMap<Client, Answerer>,
    /// The window that was used last: commands from a shell act on it.
    pub last_window: Option<WindowId>,
    /// The lane that the window used last had in focus when it went: the next one begins there.
    pub left_focus: Option<LaneId>,
    /// Settings in force.
    pub settings: Settings,
    /// What went wrong and was told, oldest first.
    pub problems: Vec<Problem>,
    /// Budgets that the person was warned of, by their words, and when.
    pub warned: BTreeMap<String, Timestamp>,
    /// Since when the settings are in force; none where nothing runs.
    pub settings_since: Option<Timestamp>,
    /// The moment of the last message.
    pub now: Timestamp,
    /// What happened, newest last, at most [`State::ACTIVITY`] lines.
    pub activity: VecDeque<ActivityLine>,
    /// Shell commands that wait for a prompt's end.
    pub waiting: BTreeMap<RequestId, super::Waiter>,
    /// What the forge calls issues.
    pub forge: super::ForgeTitles,
    /// Commands and tools that wait for mail.
    pub(super) mail_waits: BTreeMap<RequestId, super::update::MailWait>,
    /// Who waits for a lane to be closed.
    pub(super) closing: BTreeMap<LaneId, super::update::Origin>,
    /// Lanes that are being rewound, forked or compacted, and who waits for that: nothing begins in them meanwhile.
    pub(super) rewinding: BTreeMap<LaneId, Option<super::update::Origin>>,
    /// The scheduler's memory of the rounds.
    pub(super) rounds: Rounds,
    /// Why lanes that could begin a prompt do not.
    pub waits: BTreeMap<LaneId, WaitReason>,
    /// When the next held prompt is due.
    pub(super) next_release: Option<Timestamp>,
    /// When the next lane at rest is due to be compacted.
    pub(super) next_idle: Option<Timestamp>,
    /// When the next thing becomes late, or the next message for later is due.
    pub(super) next_late: Option<Timestamp>,
    /// What is late and was told.
    pub(super) late: BTreeSet<Late>,
    /// Whether edits in the base checkout are looked for: only while somebody holds something.
    pub(super) watches_edits: bool,
    /// Files that the person edits in the base checkout.
    pub base_edits: BTreeSet<String>,
    /// Whether the store is being looked through after an unclean end: until then nothing is kept and nothing begins.
    pub looking_through: bool,
    /// Whether the workstation is ending.
    pub ending: bool,
    /// The terminal sizes last given to panes, so that resizes are sent once.
    pub pane_sizes: BTreeMap<LaneId, crate::domain::Size>,
    /// Which panes any window shows.
    pub pane_visible: BTreeMap<LaneId, bool>,
    /// The pane that was told that it has the focus.
    pub pane_focused: Option<LaneId>,
    /// The window whose colours each pane was told.
    pub pane_windows: BTreeMap<LaneId, WindowId>,
    /// Texts that programs want on the clipboard.
    pub copies: Copies,
    /// Questions of native CLIs' tools.
    pub asks: super::Asks,
    /// The person's day, as of the last message.
    pub today: jiff::civil::Date,
    /// What drawing remembers.
    pub memo: super::window::transcript::Memo,
    /// What could not be kept yet and is told again at `retry_at`.
    pub unsaved: Vec<super::NotKept>,
    /// When to try the store again after it refused a write. Nothing is decided or started before.
    pub retry_at: Option<Timestamp>,
}

impl State {
    /// A state at start.
    #[must_use]
    pub fn new(model: Model, settings: Settings) -> Self {
        Self {
            model,
            live: BTreeMap::new(),
            windows: BTreeMap::new(),
            lane_policies: BTreeMap::new(),
            answerers: BTreeMap::new(),
            last_window: None,
            left_focus: None,
            settings,
            problems: Vec::new(),
            warned: BTreeMap::new(),
            settings_since: None,
            now: Timestamp::UNIX_EPOCH,
            activity: VecDeque::new(),
            waiting: BTreeMap::new(),
            forge: super::ForgeTitles::default(),
            looking_through: false,
            mail_waits: BTreeMap::new(),
            closing: BTreeMap::new(),
            rewinding: BTreeMap::new(),
            rounds: Rounds::default(),
            waits: BTreeMap::new(),
            next_release: None,
            next_idle: None,
            next_late: None,
            late: BTreeSet::new(),
            watches_edits: false,
            base_edits: BTreeSet::new(),
            ending: false,
            pane_sizes: BTreeMap::new(),
            pane_visible: BTreeMap::new(),
            pane_focused: None,
            pane_windows: BTreeMap::new(),
            copies: Copies::default(),
            asks: super::Asks::default(),
            today: jiff::civil::Date::default(),
            memo: super::window::transcript::Memo::default(),
            unsaved: Vec::new(),
            retry_at: None,
        }
    }

    /// What agents may do in a lane: what the configuration says, and the lane's own rules.
    #[must_use]
    pub fn policy(&self, lane: Option<LaneId>) -> &Policy {
        let own = lane.and_then(|lane| self.lane_policies.get(&lane));
        own.map_or(&self.settings.policy, |own| &own.ready)
    }

    /// Makes the rules of lanes ready that are not as they were.
    pub(super) fn ready_policies(&mut self) {
        let model = &self.model;
        self.lane_policies.retain(|lane, _| model.lane_rules.contains_key(lane));
        for (lane, rules) in &model.lane_rules {
            let name = model.name(*lane);
            let of = (&self.settings.policy, &name, rules);
            if self.lane_policies.get(lane).is_none_or(|ready| !ready.is_of(of)) {
                self.lane_policies.insert(*lane, LanePolicy::new(of));
            }
        }
    }

    /// Lines the activity tab keeps.
    pub const ACTIVITY: usize = 500;

    /// What the rules of coordination look at.
    pub(super) fn ledger(&self, now: Timestamp) -> Ledger<'_> {
        Ledger {
            lanes: &self.model.lanes,
            shared: &self.model.shared,
            reservations: &self.model.reservations,
            last_reservation: ReservationId(self.model.last_ids.reservation),
            claims_per_lane: self.settings.claims_per_lane,
            fold: self.settings.fold,
            now,
        }
    }

    /// What an issue is called: as somebody here said, or else as the forge does.
    #[must_use]
    pub fn title(&self, issue: IssueId) -> Option<&str> {
        self.model.shared.title(issue).or_else(|| self.forge.title(issue))
    }

    /// What the base checkout stands on.
    #[must_use]
    pub const fn base(&self) -> &BaseRef {
        &self.settings.project.base
    }

    /// A lane's shown state.
    #[must_use]
    pub fn lane_state(&self, lane: LaneId) -> crate::domain::LaneState {
        let live = self.live(lane);
        let stage = self.model.lanes.get(&lane).map(|l| l.stage);
        if stage == Some(crate::domain::LaneStage::Open) && live.and_then(|l| l.git.as_ref()).is_some_and(|g| g.missing)
        {
            // Whatever its last prompt came to: without its directory nothing can run in it.
            return crate::domain::LaneState::Failed;
        }
        if self.program_asks(lane).is_some() {
            return crate::domain::LaneState::NeedsYou;
        }
        let state = self.model.lane_state(lane, live.map_or(Activity::Absent, LiveLane::activity));
        let compacting = live.is_some_and(|live| live.compacting.is_some());
        match state {
            LaneState::Idle | LaneState::Done | LaneState::Waiting(_) if compacting => LaneState::Working,
            state => state,
        }
    }

    /// The oldest question of the program in a lane's pane.
    #[must_use]
    pub fn program_asks(&self, lane: LaneId) -> Option<&Approval> {
        let asked = || self.model.pending_approvals().find(|a| a.lane == lane && a.prompt.is_none());
        self.copies.of(lane).or_else(asked)
    }

    /// Questions that wait for the person, oldest first: those of turns, and those of programs in panes.
    pub fn pending_approvals(&self) -> impl DoubleEndedIterator<Item = &Approval> {
        let mut all: Vec<&Approval> = { self.model.pending_approvals().chain(self.copies.questions()).collect() };
        all.sort_by_key(|approval| approval.id);
        all.into_iter()
    }

    /// The lanes beside its own whose agents ask for the very same call, with their questions.
    pub fn asked_alike<'a>(&'a self, approval: &'a Approval) -> impl Iterator<Item = &'a Approval> {
        let same = |a: &&Approval| {
            a.id != approval.id
                && a.lane != approval.lane
                && !a.is_question()
                && (&a.tool, &a.arguments) == (&approval.tool, &approval.arguments)
        };
        let turns = approval.prompt.is_some().then(|| self.model.pending_approvals().filter(|a| a.prompt.is_some()));
        turns.into_iter().flatten().filter(same)
    }

    /// Whether the person has the lane before their eyes: in focus in a window whose terminal has the focus.
    #[must_use]
    pub fn attended(&self, lane: LaneId) -> bool {
        self.windows.values().any(|window| window.attentive && window.focus == Some(lane))
    }

    /// A window looks different now, or all do: the panes that are seen in it are told their colours anew.
    pub(super) fn recolour(&mut self, window: Option<WindowId>) {
        self.pane_windows.retain(|_, seen| window.is_some_and(|window| window != *seen));
    }

    /// The mode that holds for a lane: its own, the one the person set, or the configured one.
    #[must_use]
    pub fn mode(&self, lane: LaneId) -> crate::domain::Mode {
        let own = self.model.lanes.get(&lane).and_then(|l| l.mode);
        own.or(self.model.mode).unwrap_or(self.settings.mode)
    }

    /// Where a lane's mode stands, in words.
    #[must_use]
    pub fn mode_place(&self, lane: LaneId) -> &str {
        match self.model.lanes.get(&lane).and_then(|l| l.mode).or(self.model.mode) {
            Some(_) => "set by `mode`",
            None => &self.settings.mode_place,
        }
    }

    /// What a lane has used: by our own count, and by that of its native CLI for the conversation that it has now.
    #[must_use]
    pub fn used(&self, lane: LaneId) -> Sum {
        let ours = self.model.ledger.of_lane(lane);
        self.live(lane).and_then(|live| live.used).map_or(ours, |used| ours.plus(&used.sum))
    }

    /// The provider and model that hold for an agent lane, if any is configured.
    #[must_use]
    pub fn provider_of(&self, lane: LaneId) -> Option<(String, String)> {
        let (own_provider, own_model) = match self.model.lanes.get(&lane).map(|l| &l.kind) {
            Some(crate::domain::LaneKind::Agent { provider, model }) => (provider.clone(), model.clone()),
            _ => (None, None),
        };
        let (provider, model) = match own_provider {
            None => self.default_provider()?,
            Some(name) => {
                let info = self.settings.providers.iter().find(|p| p.name == name)?;
                (name, info.model.clone())
            }
        };
        Some((provider, own_model.unwrap_or(model)))
    }

    /// The provider and model for lanes without their own, if any is configured.
    #[must_use]
    pub fn default_provider(&self) -> Option<(String, String)> {
        let known = |name: &str| self.settings.providers.iter().find(|p| p.name == name);
        if let Some((provider, model)) = &self.model.model
            && known(provider).is_some()
        {
            return Some((provider.clone(), model.clone()));
        }
        let info = self.settings.provider.as_deref().and_then(known)?;
        Some((info.name.clone(), info.model.clone()))
    }

    /// A lane's volatile facts.
    #[must_use]
    pub fn live(&self, lane: LaneId) -> Option<&LiveLane> {
        self.live.get(&lane)
    }
}
