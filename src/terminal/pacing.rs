//! When a pane's frame and status may be published: pure, with the time as a value.
//!
//! A picture is best taken between two bursts of output: a screen that is cleared and drawn again is shown
//! when it is drawn. So a frame goes out a moment after the last byte, and 16 ms after the first one where
//! bytes keep coming; frames in the midst of output keep 16 ms of distance, those at the end of a burst
//! may come early if not many did lately. What follows a key goes out as soon as nothing more waits. A picture that
//! has lost many rows is taken for half drawn and waits a little longer. An open synchronized update holds
//! the frame for at most 150 ms, its end is a picture in itself. Nothing is due while nothing changes, so an
//! idle pane wakes nobody.

use std::time::{Duration, Instant};

/// 60 frames a second.
const FRAME: Duration = Duration::from_millis(16);
/// Ends of bursts may be so far ahead of 60 frames a second.
const AHEAD: Duration = Duration::from_millis(32);
/// A burst that pauses for so long has ended.
pub(super) const SETTLE: Duration = Duration::from_millis(1);
/// The same for a picture that has lost many rows.
pub(super) const DOUBT: Duration = Duration::from_millis(5);
/// It is shown after this in any case.
const DOUBT_LONGEST: Duration = Duration::from_millis(64);
/// A change so soon after a key is taken for its echo.
pub(super) const ECHO: Duration = Duration::from_millis(50);
/// An echo in the midst of a flood is shown after this.
const ECHO_FLOOD: Duration = Duration::from_millis(3);
/// A program that opened an update and does not close it is shown all the same.
const HOLD: Duration = Duration::from_millis(150);
/// Four statuses a second.
const STATUS: Duration = Duration::from_millis(250);

/// The memory of what was published when.
#[derive(Debug, Default)]
pub(super) struct Pacing {
    visible: bool,
    /// The first and the last change that were not shown.
    changed: Option<(Instant, Instant)>,
    /// Nothing more is known to come.
    rest: bool,
    /// The last change answers a key or a wish of the person.
    at_once: bool,
    /// The program said that the picture is whole.
    whole: bool,
    /// The picture looked half drawn.
    doubted: bool,
    /// The program has written something.
    begun: bool,
    key: Option<Instant>,
    synchronized: bool,
    held_since: Option<Instant>,
    last_frame: Option<Instant>,
    /// When frames that are 16 ms apart would have got to where we are.
    paid: Option<Instant>,
    last_status: Option<Instant>,
}

impl Pacing {
    /// The pane came into view or left it. What changed meanwhile is shown at once.
    pub(super) const fn set_visible(&mut self, visible: bool, now: Instant) {
        if visible && !self.visible {
            self.view_change(now);
        }
        self.visible = visible;
    }

    /// A key was typed.
    pub(super) const fn key(&mut self, at: Instant) {
        self.key = Some(at);
    }

    /// The screen changed; `synchronized` says whether an update is open behind the change.
    pub(super) fn change(&mut self, now: Instant, synchronized: bool) {
        self.mark(now);
        self.whole = false;
        if let Some(key) = self.key.take() {
            self.at_once |= now.saturating_duration_since(key) <= ECHO;
        }
        // Nothing stood there before that could look half drawn, and somebody has just asked for the program.
        self.at_once |= !std::mem::replace(&mut self.begun, true);
        if synchronized != self.synchronized {
            self.whole = !synchronized;
            self.synchronized = synchronized;
            self.held_since = synchronized.then_some(now);
        }
    }

    const fn mark(&mut self, now: Instant) {
        let first = match self.changed {
            Some((first, _)) => first,
            None => now,
        };
        self.changed = Some((first, now));
    }

    /// Whether all that the program wrote until now has changed the screen.
    pub(super) const fn rest(&mut self, rest: bool) {
        self.rest = rest;
    }

    /// The program has just finished a picture.
    pub(super) const fn whole(&mut self) {
        self.whole = true;
    }

    /// The person changed the view (resized): shown at once.
    pub(super) const fn view_change(&mut self, now: Instant) {
        self.mark(now);
        self.at_once = true;
    }

    /// Whether what comes now answers a key or a wish of the person.
    pub(super) fn hurries(&self, now: Instant) -> bool {
        self.at_once || self.key.is_some_and(|key| now.saturating_duration_since(key) <= ECHO)
    }

    /// The program ended: its last picture is shown at once, finished or not.
    pub(super) const fn last_change(&mut self, now: Instant) {
        self.view_change(now);
        self.whole = true;
        self.held_since = None;
    }

    /// When the next frame is due; none when there is nothing to show. A past time means now.
    pub(super) fn frame_due(&self, now: Instant) -> Option<Instant> {
        let (first, last) = self.changed.filter(|_| self.visible)?;
        let paced = self.last_frame.map_or(first, |frame| frame + FRAME);
        let flowing = paced.max(first + FRAME);
        let ahead = self.paid.and_then(|paid| paid.checked_sub(AHEAD));
        let due = if self.doubted {
            (last + DOUBT).min(first + DOUBT_LONGEST)
        } else if self.at_once {
            if self.rest || self.whole { now } else { first + ECHO_FLOOD }
        } else if self.whole {
            ahead.map_or(now, |ahead| ahead.max(first)).min(flowing)
        } else if self.rest {
            ahead.map_or(last + SETTLE, |ahead| ahead.max(last + SETTLE)).min(flowing)
        } else {
            flowing
        };
        Some(self.held_since.map_or(due, |since| due.max(since + HOLD)))
    }

    /// The picture lacks much of what was shown before: is it half drawn? False when that was asked already or
    /// the program said that it is whole.
    pub(super) fn doubt(&mut self) -> bool {
        !self.whole && !std::mem::replace(&mut self.doubted, true)
    }

    /// A frame was published. Whether it shows the end of a burst.
    pub(super) fn frame_published(&mut self, now: Instant) -> bool {
        self.changed = None;
        self.at_once = false;
        self.doubted = false;
        // A frame that went out in an open update ended the patience with it.
        self.held_since = None;
        self.last_frame = Some(now);
        self.paid = Some(self.paid.map_or(now, |paid| paid.max(now)) + FRAME);
        std::mem::take(&mut self.whole) || self.rest
    }

    /// When a changed status may go out. A past time means now.
    pub(super) fn status_due(&self, now: Instant) -> Instant {
        self.last_status.map_or(now, |last| last + STATUS)
    }

    /// A status was published.
    pub(super) const fn status_published(&mut self, now: Instant) {
        self.last_status = Some(now);
    }
}

#[cfg(test)]
mod tests;
