//! When a pane's frame and status may be published: pure, with the time as a value.
//!
//! A frame goes out at once when the last one is 16 ms old or a key was just typed, else at the end of
//! those 16 ms; an open synchronized update holds it for at most 150 ms. Nothing is due while nothing
//! changes, so an idle pane wakes nobody.

use std::time::{Duration, Instant};

/// 60 frames a second.
const FRAME: Duration = Duration::from_millis(16);
/// A change so soon after a key is taken for its echo.
const ECHO: Duration = Duration::from_millis(50);
/// A program that opened an update and does not close it is shown all the same.
const HOLD: Duration = Duration::from_millis(150);
/// Four statuses a second.
const STATUS: Duration = Duration::from_millis(250);

/// The memory of what was published when.
#[derive(Debug, Default)]
pub(super) struct Pacing {
    visible: bool,
    changed: bool,
    at_once: bool,
    key: Option<Instant>,
    synchronized: bool,
    held_since: Option<Instant>,
    last_frame: Option<Instant>,
    last_status: Option<Instant>,
}

impl Pacing {
    /// The pane came into view or left it. What changed meanwhile is shown at once.
    pub(super) const fn set_visible(&mut self, visible: bool) {
        if visible && !self.visible {
            self.changed = true;
            self.at_once = true;
        }
        self.visible = visible;
    }

    /// A key was typed.
    pub(super) const fn key(&mut self, at: Instant) {
        self.key = Some(at);
    }

    /// The screen changed; `synchronized` says whether an update is open behind the change.
    pub(super) fn change(&mut self, now: Instant, synchronized: bool) {
        self.changed = true;
        if let Some(key) = self.key.take() {
            self.at_once |= now.saturating_duration_since(key) <= ECHO;
        }
        if synchronized != self.synchronized {
            self.synchronized = synchronized;
            self.held_since = synchronized.then_some(now);
        }
    }

    /// The person changed the view (scrolled, resized): shown at once.
    pub(super) const fn view_change(&mut self) {
        self.changed = true;
        self.at_once = true;
    }

    /// The program ended: its last picture is shown at once, finished or not.
    pub(super) const fn last_change(&mut self) {
        self.view_change();
        self.held_since = None;
    }

    /// When the next frame is due; none when there is nothing to show. A past time means now.
    pub(super) fn frame_due(&self, now: Instant) -> Option<Instant> {
        if !self.visible || !self.changed {
            return None;
        }
        let paced = self.last_frame.filter(|_| !self.at_once).map_or(now, |last| last + FRAME);
        Some(self.held_since.map_or(paced, |since| paced.max(since + HOLD)))
    }

    /// A frame was published.
    pub(super) fn frame_published(&mut self, now: Instant) {
        self.changed = false;
        self.at_once = false;
        // A frame that went out in an open update ended the patience with it.
        self.held_since = None;
        self.last_frame = Some(now);
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
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn shown(start: Instant) -> Pacing {
        let mut pacing = Pacing::default();
        pacing.set_visible(true);
        pacing.frame_published(start);
        pacing
    }

    #[test]
    fn nothing_is_due_while_nothing_changes_or_nobody_looks() {
        let start = Instant::now();
        let mut pacing = shown(start);
        assert_eq!(pacing.frame_due(start), None);
        pacing.set_visible(false);
        pacing.change(start, false);
        assert_eq!(pacing.frame_due(start), None);
        pacing.set_visible(true);
        assert_eq!(pacing.frame_due(start), Some(start));
    }

    #[test]
    fn one_frame_in_sixteen_milliseconds_with_a_last_one() {
        let start = Instant::now();
        let mut pacing = shown(start);
        pacing.change(start + ms(3), false);
        assert_eq!(pacing.frame_due(start + ms(3)), Some(start + ms(16)));
        pacing.frame_published(start + ms(16));
        assert_eq!(pacing.frame_due(start + ms(16)), None);
    }

    #[test]
    fn the_first_change_after_a_key_goes_out_at_once_and_only_once() {
        let start = Instant::now();
        let mut pacing = shown(start);
        pacing.key(start + ms(1));
        pacing.change(start + ms(2), false);
        assert_eq!(pacing.frame_due(start + ms(2)), Some(start + ms(2)));
        pacing.frame_published(start + ms(2));
        pacing.change(start + ms(3), false);
        assert_eq!(pacing.frame_due(start + ms(3)), Some(start + ms(18)));
        pacing.frame_published(start + ms(18));
        pacing.key(start + ms(20));
        pacing.change(start + ms(71), false);
        pacing.frame_published(start + ms(71));
        pacing.change(start + ms(72), false);
        assert_eq!(pacing.frame_due(start + ms(72)), Some(start + ms(87)));
    }

    #[test]
    fn an_open_update_holds_the_frame_but_not_for_ever() {
        let start = Instant::now();
        let mut pacing = shown(start);
        pacing.change(start + ms(20), true);
        assert_eq!(pacing.frame_due(start + ms(20)), Some(start + ms(170)));
        pacing.change(start + ms(30), true);
        assert_eq!(pacing.frame_due(start + ms(30)), Some(start + ms(170)));
        pacing.change(start + ms(40), false);
        assert!(pacing.frame_due(start + ms(40)) <= Some(start + ms(40)));
        pacing.change(start + ms(50), true);
        pacing.frame_published(start + ms(200));
        pacing.change(start + ms(210), true);
        assert_eq!(pacing.frame_due(start + ms(210)), Some(start + ms(216)));
    }

    #[test]
    fn a_status_waits_a_quarter_second() {
        let start = Instant::now();
        let mut pacing = Pacing::default();
        assert_eq!(pacing.status_due(start), start);
        pacing.status_published(start);
        assert_eq!(pacing.status_due(start + ms(1)), start + ms(250));
    }
}
