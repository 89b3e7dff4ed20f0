//! What one window knows of itself.

use std::collections::{BTreeMap, VecDeque};

use crate::base::Report;
use crate::domain::{LaneId, Size, WindowId};
use crate::protocol::WindowHello;

use super::transcript::Position;
use super::{Draft, Guard, Overlay, Panel, Popup, Reader, ScrollMode, Toast};

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
    /// The side panel.
    Panel,
    /// Scroll-back mode.
    Scroll,
}

/// One window's own state.
#[derive(Debug)]
pub struct WindowState {
    /// Its id.
    pub id: WindowId,
    /// Its terminal's size.
    pub size: Size,
    /// The lane in focus.
    pub focus: Option<LaneId>,
    /// What it said of itself.
    pub hello: WindowHello,
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
    /// Whether folds are open in the transcripts.
    pub unfolded: bool,
    /// Scroll-back mode of the lane in focus.
    pub scroll: Option<ScrollMode>,
    /// What stands over everything else and takes the keys.
    pub overlay: Option<Overlay>,
    /// A message for a while.
    pub toast: Option<Toast>,
    /// How many of the hints are behind.
    pub hint: usize,
    /// The oldest approval, as it stood on the screen.
    pub top: Guard,
    /// The chosen approval of the panel, as it stood on the screen.
    pub chosen: Guard,
    pub(super) sent: VecDeque<String>,
    /// What was offered to be trusted and put off, by its hash.
    pub(super) put_off: Option<String>,
    pub(super) setup_offered: bool,
    /// Open approvals and conflicts when last drawn: hints go on when one is answered.
    pub(super) open: (usize, usize),
}

impl WindowState {
    /// A window that has just attached.
    #[must_use]
    pub fn new(id: WindowId, hello: WindowHello) -> Self {
        Self {
            id,
            size: hello.size,
            focus: None,
            hello,
            keyboard: Keyboard::Prompt,
            leader: false,
            draft: Draft::default(),
            popup: None,
            panel: Panel::default(),
            grid: false,
            zoom: false,
            scrolled: BTreeMap::new(),
            unfolded: false,
            scroll: None,
            overlay: None,
            toast: None,
            hint: 0,
            top: Guard::default(),
            chosen: Guard::default(),
            sent: VecDeque::new(),
            put_off: None,
            setup_offered: false,
            open: (0, 0),
        }
    }

    /// Shows the outcome of something for a while.
    pub fn toast(&mut self, report: Report) {
        self.toast = Some(Toast::trouble(report));
    }

    /// Says for a while that something went well, or what can be done.
    pub fn note(&mut self, toast: Toast) {
        self.toast = Some(toast);
    }

    /// Puts text back into the prompt bar, in front of what stands there.
    pub fn give_back(&mut self, text: &str) {
        let standing = self.draft.text();
        self.draft.set(&if standing.is_empty() { text.to_owned() } else { format!("{text}\n{standing}") });
    }

    /// Opens a text to be read, such as a command's output.
    pub fn show_text(&mut self, title: impl Into<String>, text: impl Into<String>) {
        self.overlay = Some(Overlay::Reader(Reader::text(title, text)));
    }

    /// The changes of a lane against its base have come, or could not be had.
    pub fn diff(&mut self, lane: &str, diff: Result<String, Report>) {
        match diff {
            Ok(text) if text.trim().is_empty() => self.note(Toast::note(format!("`{lane}` has no changes against its base"))),
            Ok(text) => self.overlay = Some(Overlay::Reader(Reader::diff(format!("{lane}: changes against its base"), text))),
            Err(report) => self.toast(report),
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
            && let Some(toast) = setup.saved(saved)
        {
            self.overlay = None;
            self.note(toast);
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
