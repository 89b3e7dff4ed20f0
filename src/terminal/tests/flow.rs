//! What flows through panes: whole, in order, and in whole pictures.

use super::*;
use crate::terminal::pacing::DOUBT;

#[test]
fn every_byte_of_a_flood_arrives_in_order_and_its_end_is_shown() {
    let script = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); printf '%d ' $i; done; printf '\\033[2J\\033[Hlast %d' $i; exec cat";
    let house = House::with(&["sh", "-c", script]);
    house.until_shows(LANE, "last 30000");
}

#[test]
fn plain_lines_are_shown_however_many_there_are() {
    for count in [10, 300, 3_000, 60_000] {
        let house =
            House::with(&["sh", "-c", &format!("seq -f 'line %06.0f' {count}; printf 'last of {count}'; exec cat")]);
        house.until_shows(LANE, &format!("last of {count}"));
        let screen = house.screen(LANE);
        let before = format!("line {count:06}");
        assert!(screen.iter().rev().skip_while(|row| !row.starts_with("last")).nth(1) == Some(&before), "{screen:#?}");
    }
}

#[test]
fn lines_that_end_with_their_end_are_shown_too() {
    for count in [500, 20_000] {
        let house = House::with(&["sh", "-c", &format!("seq -f 'line %06.0f' {count}; exec cat")]);
        house.until_shows(LANE, &format!("line {count:06}"));
    }
}

#[test]
fn floods_take_turns() {
    let house = House::new();
    let lanes: Vec<LaneId> = (1..=6).map(LaneId).collect();
    for lane in &lanes {
        house.open(*lane, &["sh", "-c", "while :; do echo counting $((i=i+1)); done"]);
    }
    // Each gets on while all the others never stop.
    for lane in &lanes {
        let first = house.screen(*lane);
        house.until("progress", |_| (house.screen(*lane) != first && !house.screen(*lane).is_empty()).then_some(()));
    }
    for lane in &lanes {
        house.panes.key(*lane, Key::ctrl('c')).unwrap();
        house.until_exits(*lane);
    }
}

/// A screen that is cleared and drawn again: what comes first is not taken for the picture. The time can only grow on a
/// slow machine, so it is measured from below, and often: where nobody waits, one of them is early.
#[test]
fn a_picture_that_lost_its_rows_waits_for_the_rest() {
    const ROUNDS: usize = 40;
    let script = "stty raw -echo; rows=$(seq 1 20 | sed 's/$/\\r/'); \
                  key() { dd bs=1 count=1 >/dev/null 2>&1; }; i=0; \
                  while key; do i=$((i+1)); printf '%s\\nready %d.' \"$rows\" $i; \
                  key; printf '\\033[2J\\033[3J\\033[Hfirst %d.' $i; done";
    let house = House::with(&["sh", "-c", script]);
    for round in 1..=ROUNDS {
        house.panes.key(LANE, Key::char('k')).unwrap();
        house.until_shows(LANE, &format!("ready {round}."));
        let start = Instant::now();
        house.panes.key(LANE, Key::char('k')).unwrap();
        house.until_shows(LANE, &format!("first {round}."));
        assert!(start.elapsed() >= DOUBT, "round {round}: shown after {:?}", start.elapsed());
    }
}
