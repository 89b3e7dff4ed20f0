//! What one window knows of itself.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use jiff::Timestamp;

use crate::app::UntrustedConfig;
use crate::base::Report;
use crate::domain::{LaneId, Size};
use crate::protocol::{HintUntil, WindowHello};

use super::mouse::Click;
use super::scroll::Asked;
use super::transcript::{Folds, Position};
use super::{Draft, Guard, OuterTerminal, Overlay, Panel, Popup, Reader, ScrollMode, Tab, Toast, TrustDialog};

/// Texts that a window remembers having sent.
const SENT: usize = 200;

/// Who gets the keys when no overlay is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keyboard {
    /// The prompt bar.
    #[default]
    Prompt,
    /// The pane of the lane in focus.
    Pane,
    /// Nobody: the program that was typed into has ended, and what was meant for it must not become a prompt.
    Ended,
    /// The side panel.
    Panel,
    /// Scroll-back mode.
    Scroll,
}

/// One window's own state.
#[derive(Debug)]
pub struct WindowState {
    /// Its terminal's size.
    pub size: Size,
    /// The lane in focus.
    pub focus: Option<LaneId>,
    /// What it said of itself.
    pub hello: WindowHello,
    /// What its terminal has said of itself since.
    pub terminal: OuterTerminal,
    /// Whether its terminal has the focus, as far as it tells.
    pub attentive: bool,
    /// Who gets the keys.
    pub keyboard: Keyboard,
    /// Whether the leader was pressed and the next key completes it.
    pub leader: bool,
    /// The prompt bar's text.
    pub draft: Draft,
    /// Ways to complete it.
    pub popup: Option<Popup>,
    /// The side panel.
    pub panel: Panel,
    /// Whether the main area shows all lanes.
    pub grid: bool,
    /// Whether the main area takes the whole width.
    pub zoom: bool,
    /// The top row of transcripts that are scrolled back; the others follow their end.
    pub scrolled: BTreeMap<LaneId, Position>,
    /// Which folds are open in the transcripts.
    pub folds: Folds,
    /// Scroll-back mode of the lane in focus.
    pub scroll: Option<ScrollMode>,
    /// A pane's text that scroll-back mode waits for.
    pub(super) asked: Option<Asked>,
    /// The last press of the mouse's left button.
    pub(super) click: Option<Click>,
    /// What stands over everything else and takes the keys.
    pub overlay: Option<Overlay>,
    /// A message for a while.
    pub toast: Option<Toast>,
    /// How many of the hints are behind.
    pub hint: usize,
    /// What hints ask for and was done, also before they were shown.
    pub(super) learnt: BTreeSet<HintUntil>,
    /// The oldest approval, as it stood on the screen.
    pub top: Guard,
    /// The chosen approval of the panel, as it stood on the screen.
    pub chosen: Guard,
    pub(super) sent: VecDeque<String>,
    /// What was offered to be trusted and put off, by its hash.
    pub(super) put_off: Option<String>,
    pub(super) setup_offered: bool,
    /// Approvals and conflicts without an answer when last drawn: what was answered shows in the difference.
    pub(super) open: (usize, usize),
    /// The pane that got the press of a mouse button which is still down.
    pub(super) grab: Option<LaneId>,
    /// The pane that gets the paste whose end has not come.
    pub pasting: Option<LaneId>,
    /// The paste whose end has not come is left out.
    pub(super) paste_refused: bool,
    /// Whether a pane had the keys when last drawn.
    pub(super) typed: bool,
}

impl WindowState {
    /// A window that has just attached.
    #[must_use]
    pub fn new(hello: WindowHello) -> Self {
        Self {
            size: hello.size,
            focus: None,
            hello,
            terminal: OuterTerminal::default(),
            attentive: true,
            keyboard: Keyboard::Prompt,
            leader: false,
            draft: Draft::default(),
            popup: None,
            panel: Panel::default(),
            grid: false,
            zoom: false,
            scrolled: BTreeMap::new(),
            folds: Folds::default(),
            scroll: None,
            asked: None,
            click: None,
            overlay: None,
            toast: None,
            hint: 0,
            learnt: BTreeSet::new(),
            top: Guard::default(),
            chosen: Guard::default(),
            sent: VecDeque::new(),
            put_off: None,
            setup_offered: false,
            open: (0, 0),
            grab: None,
            pasting: None,
            paste_refused: false,
            typed: false,
        }
    }

    /// Shows the outcome of something for a while.
    pub fn toast(&mut self, report: Report, now: Timestamp) {
        self.toast = Some(Toast::until(report, now));
    }

    /// Shows the outcome of a key; the while begins with the next frame.
    pub(super) fn say(&mut self, report: Report) {
        self.toast = Some(Toast::new(report));
    }

    /// Puts text back into the prompt bar, in front of what stands there.
    pub fn give_back(&mut self, text: &str) {
        // What a key did was not typed.
        if text.is_empty() {
            return;
        }
        let standing = self.draft.text();
        self.draft.set(&if standing.is_empty() { text.to_owned() } else { format!("{text}\n{standing}") });
    }

    /// Whether somebody is in the middle of something: types into a pane or a draft, reads back, decides.
    #[must_use]
    pub fn at_work(&self) -> bool {
        let rests = self.keyboard == Keyboard::Prompt && self.draft.is_empty();
        self.focus.is_some() && (!rests || self.scroll.is_some() || self.overlay.is_some())
    }

    /// Puts a lane in focus.
    pub fn focus_on(&mut self, lane: LaneId) {
        if self.focus != Some(lane) {
            self.focus = Some(lane);
            self.end_scroll_mode();
        }
        // Where the panel covers the main area, the lane could not be seen.
        self.panel.open = false;
        if self.keyboard == Keyboard::Panel {
            self.keyboard = Keyboard::Prompt;
        }
    }

    /// Ends scroll-back mode; the transcript follows its end again.
    pub(super) fn end_scroll_mode(&mut self) {
        self.asked = None;
        if let Some(mode) = self.scroll.take() {
            self.scrolled.remove(&mode.lane);
        }
        if self.keyboard == Keyboard::Scroll {
            self.keyboard = Keyboard::Prompt;
        }
    }

    /// Opens a text to be read, such as a command's output.
    pub fn show(&mut self, title: impl Into<String>, text: impl Into<String>) {
        self.overlay = Some(Overlay::Reader(Reader::text(title, &text.into())));
    }

    /// Opens a text that was asked for a while ago, unless something is being typed or read by now.
    pub fn show_beside(&mut self, title: &str, text: &str) {
        // Who has the keys in the mail tab has asked for a message there.
        let free = match self.keyboard {
            Keyboard::Prompt => self.draft.is_empty(),
            Keyboard::Panel => self.panel.tab == Tab::Mail,
            _ => false,
        };
        if self.overlay.is_none() && free {
            self.show(title, text);
        }
    }

    /// Shows a project's configuration in full and asks whether to trust it.
    pub fn ask_trust(&mut self, config: &UntrustedConfig) {
        self.overlay = Some(Overlay::Trust(TrustDialog::new(config)));
    }

    /// Somebody has answered whether to trust this: it is not asked here any more. Whether it was being asked.
    pub fn close_trust(&mut self, hash: &str) -> bool {
        self.put_off = Some(hash.to_owned());
        let asked = matches!(&self.overlay, Some(Overlay::Trust(dialog)) if dialog.hash == hash);
        if asked {
            self.overlay = None;
        }
        asked
    }

    /// The changes of a lane against its base have come, or could not be had.
    pub fn diff(&mut self, lane: LaneId, diff: Result<String, Report>) {
        match diff {
            Ok(text) if text.trim().is_empty() => self.say(Report::done("the lane has no changes against its base")),
            Ok(text) => self.overlay = Some(Overlay::Reader(Reader::diff(lane, &text))),
            Err(report) => self.say(report),
        }
    }

    /// The models that a server offers have come, asked by the guided set-up.
    pub fn models(&mut self, models: Result<Vec<String>, Report>) {
        if let Some(Overlay::Setup(setup)) = &mut self.overlay {
            setup.models(models);
        }
    }

    /// The guided set-up was saved, or not.
    pub fn saved(&mut self, saved: Result<(), Report>) {
        if let Some(Overlay::Setup(setup)) = &mut self.overlay
            && let Some(done) = setup.saved(saved)
        {
            self.overlay = None;
            self.say(done);
        }
    }

    /// Remembers a text that was sent.
    pub(super) fn remember(&mut self, text: &str) {
        if self.sent.front().is_none_or(|last| last != text) {
            self.sent.push_front(text.to_owned());
            self.sent.truncate(SENT);
        }
    }

    /// Whether the terminal is too small to show anything useful.
    #[must_use]
    pub const fn too_small(&self) -> bool {
        self.size.columns < 40 || self.size.rows < 10
    }
}
