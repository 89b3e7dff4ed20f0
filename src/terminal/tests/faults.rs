//! Programs that misbehave: the pane says what happened, its screen goes on, and the others do not notice.

use std::io::Write;

use super::*;

/// Bytes without any order, the same in each run.
fn noise(mut state: u64, length: usize) -> Vec<u8> {
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    std::iter::repeat_with(next).take(length).collect()
}

/// A file that a pane can show.
fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

impl House {
    fn faults(&self) -> Vec<String> {
        let message = |event: &PaneEvent| match event {
            PaneEvent::Fault { message, .. } => Some(message.clone()),
            _ => None,
        };
        lock(&self.events.0).iter().filter_map(message).collect()
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

#[test]
fn a_megabyte_of_noise_harms_neither_its_pane_nor_another() {
    let house = House::new();
    let other = LaneId(2);
    house.open(other, &["cat"]);
    for seed in 1..=3 {
        let noise = file(&noise(seed, 1_000_000));
        // What noise may leave open is closed (CAN), and the screen is put in order (RIS).
        let script = format!("stty -echo; cat {}; printf '\\030\\033cafter-{seed}'; exec cat", noise.path().display());
        let lane = LaneId(10 + seed as i64);
        house.open(lane, &["sh", "-c", &script]);
        house.until_shows(lane, &format!("after-{seed}"));
        house.type_line(other, &format!("still {seed}"));
        house.until_shows(other, &format!("still {seed}"));
        runtime().block_on(house.panes.close(lane)).unwrap();
    }
    assert_eq!(house.faults(), Vec::<String>::new());
}

#[test]
fn a_flood_of_noise_survives_a_storm_of_sizes() {
    let noise = file(&noise(4, 200_000));
    let script = format!("stty -echo; while :; do cat {}; done", noise.path().display());
    let house = House::with(&["sh", "-c", &script]);
    house.until("a frame", |_| house.panes.frame(LANE));
    for step in 0..300_u16 {
        let size = if step % 3 == 0 { Size { columns: 1, rows: 1 } } else { Size { columns: step, rows: step % 40 } };
        house.panes.resize(LANE, size).unwrap();
        house.panes.key(LANE, Key::char('x')).unwrap();
    }
    house.panes.resize(LANE, SIZE).unwrap();
    house.until("the last size", |_| house.panes.frame(LANE).filter(|frame| frame.size == SIZE));
    runtime().block_on(house.panes.close(LANE)).unwrap();
    assert_eq!(house.faults(), Vec::<String>::new());
}

#[test]
fn last_words_inside_an_open_update_are_shown() {
    for (end, status) in [("exit 3", "exited with status 3"), ("kill -9 $$", "ended by a signal")] {
        let script = format!("printf 'before\\033[?2026h\\033[2J\\033[Hlast words'; {end}");
        let house = House::with(&["sh", "-c", &script]);
        let (told, _) = house.until_exits(LANE);
        assert!(told.starts_with(status), "{told}");
        assert!(house.screen(LANE).contains(&"last words".to_owned()), "{:?}", house.screen(LANE));
        // The next program in this lane begins without the open update.
        house.open(LANE, &["sh", "-c", "echo next; exec cat"]);
        house.until_shows(LANE, "next");
    }
}

#[test]
fn a_program_that_ends_inside_a_sequence_shows_what_came_before() {
    for part in ["\\033", "\\033[38;5", "\\033]0;title without end", "\\033P+q", "\\033_G", "\\346\\274"] {
        let house = House::with(&["sh", "-c", &format!("printf 'shown{part}'; exit 0")]);
        assert_eq!(house.until_exits(LANE).1, Some(0));
        assert!(house.screen(LANE)[0].starts_with("shown"), "{part}: {:?}", house.screen(LANE));
        house.open(LANE, &["sh", "-c", "printf 'plain\\n'; exec cat"]);
        house.until_shows(LANE, "plain");
        assert_eq!(house.screen(LANE)[0], "plain");
    }
}

#[test]
fn a_program_that_closes_its_terminal_is_ended_all_the_same() {
    let house =
        House::with(&["sh", "-c", "echo up; exec <&- >&- 2>&-; trap '' HUP TERM; while :; do sleep 9999; done"]);
    house.until_shows(LANE, "up");
    // Reading gives EIO from now on. Nothing can be typed any more, and that is said.
    let refused = house.until("a refusal", |_| {
        let typed = house.panes.key(LANE, Key::char('x'));
        typed.err().or_else(|| {
            std::thread::yield_now();
            None
        })
    });
    assert!(matches!(refused, TerminalError::Ended { .. }), "{refused}");
    let told = |event: &PaneEvent| matches!(event, PaneEvent::Fault { message, .. } if message.contains("runs on"));
    house.until("the closed terminal to be told", |events| events.iter().any(told).then_some(()));
    let ended = runtime().block_on(house.panes.close(LANE)).unwrap();
    assert!(ended.told >= 1 && ended.left.is_empty(), "{ended:?}");
}

#[test]
fn a_program_that_ignores_every_polite_signal_is_ended() {
    let house = House::with(&["sh", "-c", "trap '' HUP TERM INT QUIT; echo deaf; while :; do sleep 9999; done"]);
    house.until_shows(LANE, "deaf");
    let ended = runtime().block_on(house.panes.end(LANE)).unwrap();
    assert!(ended.told >= 1 && ended.left.is_empty(), "{ended:?}");
    let (status, code) = house.until_exits(LANE);
    assert!(status.contains("signal") && code.is_none(), "{status}");
    assert!(house.screen(LANE).contains(&"deaf".to_owned()));
}

#[test]
fn a_program_that_asks_without_reading_stops_no_other() {
    let house =
        House::with(&["sh", "-c", "stty raw -echo; while :; do printf '\\033[c\\033[6n\\033[>q\\033]11;?\\007'; done"]);
    let other = LaneId(2);
    house.open(other, &["cat"]);
    for number in 0..10 {
        house.type_line(other, &format!("line{number}"));
        house.until_shows(other, &format!("line{number}"));
    }
    runtime().block_on(house.panes.close(LANE)).unwrap();
    assert_eq!(house.faults(), Vec::<String>::new());
}
