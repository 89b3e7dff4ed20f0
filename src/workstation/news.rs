//! What panes and the file watcher tell. Their threads must not wait for the loop, and nothing they tell may
//! be lost: so each lane has one place here where the newest replaces the older, and a bell wakes the loop.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard};

use tokio::sync::Notify;

use super::bell::{Bell, FrameBell};
use crate::app::{LaneMsg, Msg, PaneMsg};
use crate::base::{Report, lock};
use crate::domain::{LaneId, PaneStatus};
use crate::terminal::{PaneEvent, ProcessIdentity};
use crate::watch::WatchEvent;

/// Stands for the base checkout where the watcher wants a lane.
pub(super) const BASE: LaneId = LaneId(0);
/// Notifications of one lane that wait; the oldest go first.
const NOTES: usize = 8;
/// Touched paths of one lane that wait. A look at git finds what is changed in any case; the list says
/// which of it is new.
const TOUCHED: usize = 4_000;

/// News of all lanes.
#[derive(Debug, Default)]
pub(super) struct News {
    pending: Mutex<Pending>,
    /// Rung when there is something to take.
    pub bell: Bell,
    /// Told when a program has ended.
    ends: Notify,
}

#[derive(Debug, Default)]
struct Pending {
    base: bool,
    lanes: BTreeMap<LaneId, LaneNews>,
    programs: BTreeMap<LaneId, Program>,
}

/// The program of a lane's pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Program {
    /// It is being started: what it tells waits until its start was told.
    Starting,
    Started(ProcessIdentity),
    Ended,
}

#[derive(Debug, Default)]
struct LaneNews {
    start: Option<PaneMsg>,
    status: Option<PaneStatus>,
    notes: VecDeque<String>,
    copied: Option<String>,
    fault: Option<String>,
    /// Ends: of the current program, and while one is starting also of the one before.
    ended: Vec<(ProcessIdentity, String)>,
    touched: Option<BTreeSet<String>>,
    limit: Option<Report>,
}

impl LaneNews {
    fn messages(self, lane: LaneId) -> impl Iterator<Item = Msg> {
        let pane = self.start.into_iter().chain(self.status.map(PaneMsg::Status));
        let pane = pane.chain(self.notes.into_iter().map(PaneMsg::Notified)).chain(self.copied.map(PaneMsg::Copied));
        let pane = pane.chain(self.fault.map(PaneMsg::Fault));
        let pane = pane.chain(self.ended.into_iter().map(|(_, words)| PaneMsg::Exited(words)));
        let touched = self.touched.map(|paths| Msg::Touched(lane, paths.into_iter().collect()));
        let limit = self.limit.map(|report| Msg::Lane(lane, LaneMsg::Trouble(report)));
        pane.map(move |msg| Msg::Pane(lane, msg)).chain(touched).chain(limit)
    }
}

impl News {
    /// A pane tells something. A new frame only wakes the loop, by `frames`.
    pub fn pane(&self, event: PaneEvent, frames: &FrameBell) {
        match event {
            PaneEvent::FrameReady { ends, .. } => frames.ring(ends),
            PaneEvent::Status(lane, status) => self.note(lane, |news| news.status = Some(status)),
            PaneEvent::Notified { lane, text } => self.note(lane, |news| {
                news.notes.push_back(text);
                if news.notes.len() > NOTES {
                    news.notes.pop_front();
                }
            }),
            PaneEvent::Copied { lane, text } => self.note(lane, |news| news.copied = Some(text)),
            PaneEvent::Fault { lane, message } => self.note(lane, |news| news.fault = Some(message)),
            PaneEvent::Exited { lane, program, status, code } => {
                self.exited(lane, program, if code == Some(0) { "exit 0".to_owned() } else { status });
            }
        }
    }

    fn exited(&self, lane: LaneId, program: ProcessIdentity, words: String) {
        let mut pending = self.lock();
        match pending.programs.get(&lane) {
            Some(Program::Starting) => {}
            Some(Program::Started(current)) if *current == program => {
                pending.programs.insert(lane, Program::Ended);
            }
            // The end of a program that another one has followed is no news.
            _ => return,
        }
        pending.lanes.entry(lane).or_default().ended.push((program, words));
        drop(pending);
        self.ends.notify_waiters();
        self.bell.ring();
    }

    /// Resolves when no program runs in the lane's pane and the end of the last one stands here. What is sent
    /// to the loop afterwards comes after it: the loop takes news before messages.
    pub async fn ended(&self, lane: LaneId) {
        loop {
            // Listened for before it is looked at, so that no end falls in between.
            let end = self.ends.notified();
            tokio::pin!(end);
            end.as_mut().enable();
            if !matches!(self.lock().programs.get(&lane), Some(Program::Started(_))) {
                return;
            }
            end.await;
        }
    }

    /// The watcher tells what changed.
    pub fn watched(&self, event: WatchEvent) {
        if event.lane == BASE {
            self.lock().base = true;
            return self.bell.ring();
        }
        self.note(event.lane, |news| {
            let touched = news.touched.get_or_insert_default();
            let room = TOUCHED.saturating_sub(touched.len());
            touched.extend(event.touched.into_iter().take(room));
            news.limit = event.limit.map(|limit| Report::refused(limit.to_string())).or(news.limit.take());
        });
    }

    /// A program is about to be started in the lane's pane: what the one before told is over.
    pub fn starting(&self, lane: LaneId) {
        let mut pending = self.lock();
        pending.programs.insert(lane, Program::Starting);
        if let Some(news) = pending.lanes.get_mut(&lane) {
            *news = LaneNews { touched: news.touched.take(), limit: news.limit.take(), ..LaneNews::default() };
        }
    }

    /// It was started, or could not be. Told before anything that it tells itself.
    pub fn started(&self, lane: LaneId, result: Result<ProcessIdentity, Report>) {
        let mut pending = self.lock();
        let mut news = pending.lanes.remove(&lane).unwrap_or_default();
        match result {
            Ok(program) => {
                news.ended.retain(|(ended, _)| *ended == program);
                // Also tells that what was known of the program before is over.
                news.status.get_or_insert_default();
                news.start = Some(PaneMsg::Started);
                let state = if news.ended.is_empty() { Program::Started(program) } else { Program::Ended };
                pending.programs.insert(lane, state);
            }
            Err(report) => {
                news = LaneNews { touched: news.touched, limit: news.limit, ..LaneNews::default() };
                news.start = Some(PaneMsg::NotStarted(report));
                pending.programs.remove(&lane);
            }
        }
        pending.lanes.insert(lane, news);
        drop(pending);
        self.bell.ring();
    }

    /// The lane is gone.
    pub fn forget(&self, lane: LaneId) {
        let mut pending = self.lock();
        pending.lanes.remove(&lane);
        pending.programs.remove(&lane);
    }

    /// Takes everything that may be told now.
    pub fn take(&self) -> Vec<Msg> {
        let mut pending = self.lock();
        let mut told = Vec::new();
        if std::mem::take(&mut pending.base) {
            told.push(Msg::BaseTouched);
        }
        for (lane, mut news) in std::mem::take(&mut pending.lanes) {
            if pending.programs.get(&lane) == Some(&Program::Starting) {
                let watched =
                    LaneNews { touched: news.touched.take(), limit: news.limit.take(), ..LaneNews::default() };
                told.extend(watched.messages(lane));
                pending.lanes.insert(lane, news);
            } else {
                told.extend(news.messages(lane));
            }
        }
        told
    }

    fn note(&self, lane: LaneId, change: impl FnOnce(&mut LaneNews)) {
        change(self.lock().lanes.entry(lane).or_default());
        self.bell.ring();
    }

    fn lock(&self) -> MutexGuard<'_, Pending> {
        lock(&self.pending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANE: LaneId = LaneId(3);

    fn program(pid: u32) -> ProcessIdentity {
        ProcessIdentity { pid, group: pid, start_time: 7 }
    }

    fn exit(news: &News, pid: u32) {
        let event =
            PaneEvent::Exited { lane: LANE, program: program(pid), status: format!("exit of {pid}"), code: None };
        news.pane(event, &FrameBell::default());
    }

    fn pane(news: &News) -> Vec<PaneMsg> {
        news.take()
            .into_iter()
            .filter_map(|msg| if let Msg::Pane(LANE, msg) = msg { Some(msg) } else { None })
            .filter(|msg| !matches!(msg, PaneMsg::Status(_)))
            .collect()
    }

    #[test]
    fn an_end_is_told_after_the_start_even_when_it_came_first() {
        let news = News::default();
        news.starting(LANE);
        exit(&news, 5);
        assert_eq!(pane(&news), []);
        news.started(LANE, Ok(program(5)));
        assert_eq!(pane(&news), [PaneMsg::Started, PaneMsg::Exited("exit of 5".into())]);
    }

    #[test]
    fn the_end_of_the_program_before_is_not_that_of_the_new_one() {
        let news = News::default();
        news.starting(LANE);
        news.started(LANE, Ok(program(5)));
        assert_eq!(pane(&news), [PaneMsg::Started]);
        news.starting(LANE);
        exit(&news, 5);
        exit(&news, 6);
        news.started(LANE, Ok(program(6)));
        exit(&news, 5);
        assert_eq!(pane(&news), [PaneMsg::Started, PaneMsg::Exited("exit of 6".into())]);
    }

    #[tokio::test]
    async fn an_end_can_be_waited_for() {
        let news = News::default();
        news.ended(LANE).await;
        news.starting(LANE);
        news.started(LANE, Ok(program(5)));
        let ended = news.ended(LANE);
        tokio::pin!(ended);
        tokio::select! { biased; () = &mut ended => panic!("it runs"), () = tokio::task::yield_now() => {} }
        exit(&news, 5);
        ended.await;
        assert!(news.bell.silence());
    }

    #[test]
    fn a_flood_of_news_is_merged_and_the_end_is_kept() {
        let news = News::default();
        news.starting(LANE);
        news.started(LANE, Ok(program(5)));
        for n in 0..10_000_u64 {
            let status = PaneStatus { bells: n, ..PaneStatus::default() };
            news.pane(PaneEvent::Status(LANE, status), &FrameBell::default());
            news.pane(PaneEvent::Notified { lane: LANE, text: n.to_string() }, &FrameBell::default());
            news.watched(WatchEvent {
                lane: LANE,
                touched: vec![n.to_string()],
                git_moved: false,
                overflow: false,
                missing: false,
                limit: None,
            });
        }
        exit(&news, 5);
        let told = news.take();
        assert!(told.len() <= NOTES + 4, "{}", told.len());
        let last = told.iter().filter_map(|m| if let Msg::Pane(_, m) = m { Some(m) } else { None }).next_back();
        assert_eq!(last, Some(&PaneMsg::Exited("exit of 5".into())));
        assert!(told.iter().any(|m| matches!(m, Msg::Touched(LANE, paths) if paths.len() == TOUCHED)));
        assert!(news.take().is_empty());
    }
}
