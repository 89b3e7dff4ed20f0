//! What flows through panes: whole, in order, and in whole pictures.

use std::sync::OnceLock;

use super::*;

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

#[test]
fn a_screen_that_is_cleared_and_drawn_again_is_not_shown_half_drawn() {
    const ROWS: usize = 40;
    const REDRAWS: usize = 100;
    let seen: Arc<Mutex<Vec<usize>>> = Arc::default();
    let own: Arc<OnceLock<Panes>> = Arc::default();
    let ended = Arc::new((Mutex::new(false), Condvar::new()));
    let panes = {
        let (seen, own, ended) = (Arc::clone(&seen), Arc::clone(&own), Arc::clone(&ended));
        Panes::new(move |event| match event {
            PaneEvent::FrameReady { lane, .. } => {
                let frame = own.get().and_then(|panes| panes.frame(lane)).unwrap();
                lock(&seen).push(rows(&frame).iter().filter(|row| !row.is_empty()).count());
            }
            PaneEvent::Exited { .. } => {
                *lock(&ended.0) = true;
                ended.1.notify_all();
            }
            _ => {}
        })
        .unwrap()
    };
    assert!(own.set(panes.clone()).is_ok());
    // Larger than what the kernel hands over at once, and without the marks of a synchronized update.
    let script = format!(
        "row=$(printf 'x%.0s' $(seq 110)); all=$(for i in $(seq $(({ROWS} - 1))); do echo \"$row\"; done); \
         for i in $(seq {REDRAWS}); do printf '\\033[2J\\033[3J\\033[H%s\\n%d' \"$all\" $i; sleep 0.01; done"
    );
    let mut launch = launch(&["bash", "-c", &script]);
    launch.size = Size { columns: 120, rows: ROWS as u16 };
    panes.open(LANE, &launch).unwrap();
    panes.set_visible(LANE, true).unwrap();
    let (over, _) = ended.1.wait_timeout_while(lock(&ended.0), PATIENCE, |ended| !*ended).unwrap();
    assert!(*over, "it did not end");
    let seen = lock(&seen).clone();
    // The first frames show the start. One that was taken while the machine let the program wait may be half drawn.
    let drawn: Vec<usize> = seen.iter().copied().skip_while(|rows| *rows < ROWS).collect();
    let torn = drawn.iter().filter(|rows| **rows < ROWS).count();
    assert!(!drawn.is_empty() && torn * 10 <= drawn.len(), "{torn} torn of {}: {drawn:?}", drawn.len());
}
