//! Pastes that are larger than what a pane keeps: they flow as fast as the program reads, or are broken off.

use std::time::Duration;

use super::super::outbox::ROOM;
use super::*;

/// One piece of a paste as a window sends them, at most.
const PIECE: usize = 64 * 1024;

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

fn waiting(house: &House) -> usize {
    lock(&house.panes.pane_of(LANE).outbox).waiting()
}

/// Field case C18.
#[test]
fn twenty_megabytes_arrive_whole_and_never_wait_in_a_heap() {
    let piece = "0123456789abcdef".repeat(PIECE / 16);
    let pieces = 20 * 1024 * 1024 / PIECE;
    let count = pieces * PIECE + 12;
    let script = format!(
        "stty raw -echo; printf '\\033[?2004hready'; head -c {count} | tr -d '0-9a-f' | od -c | head -3; exec cat"
    );
    let house = House::with(&["sh", "-c", &script]);
    house.until_shows(LANE, "ready");
    for n in 0..pieces {
        block_on(house.panes.paste_room(LANE)).unwrap();
        house.panes.paste(LANE, &piece, n == 0, n + 1 == pieces).unwrap();
        assert!(waiting(&house) <= ROOM + PIECE + 12);
    }
    // All of it went through, and what is left of it is one pair of markers.
    house.until_shows(LANE, "033   [   ~ 033   [   ~");
}

#[test]
fn a_program_that_reads_nothing_has_its_paste_broken_off() {
    let house = House::with(&["sh", "-c", "stty raw -echo; printf '\\033[?2004hready'; exec sleep 1000"]);
    house.until_shows(LANE, "ready");
    let piece = "x".repeat(PIECE);
    let mut sent = 0u64;
    while house.panes.has_paste_room(LANE) {
        house.panes.paste(LANE, &piece, sent == 0, false).unwrap();
        sent += PIECE as u64;
    }
    let given = waiting(&house) as u64;
    let error = block_on(house.panes.paste_room_within(LANE, Duration::from_millis(20))).unwrap_err();
    let TerminalError::PasteBroken { taken, .. } = error else { panic!("{error}") };
    assert_eq!(taken + given, sent + 6, "what was delivered is told to the byte");
    // Nothing of it waits but its end. Told once; what comes after is dropped.
    assert_eq!(waiting(&house), 6);
    block_on(house.panes.paste_room_within(LANE, Duration::from_millis(20))).unwrap();
    house.panes.paste(LANE, &piece, false, false).unwrap();
    house.panes.paste(LANE, &piece, false, true).unwrap();
    assert_eq!(waiting(&house), 6);
    // Keys go on being taken.
    house.panes.key(LANE, Key::char('k')).unwrap();
    assert_eq!(waiting(&house), 7);
}

#[test]
fn a_pane_that_ends_takes_everything() {
    let house = House::with(&["sh", "-c", "stty raw -echo; echo ready; exec sleep 1000"]);
    house.until_shows(LANE, "ready");
    let piece = "x".repeat(PIECE);
    while house.panes.has_paste_room(LANE) {
        house.panes.paste(LANE, &piece, false, false).unwrap();
    }
    std::thread::scope(|scope| {
        let room = scope.spawn(|| block_on(house.panes.paste_room(LANE)));
        block_on(house.panes.end(LANE)).unwrap();
        room.join().unwrap().unwrap();
    });
    assert!(house.panes.has_paste_room(LANE));
}

#[test]
fn an_interrupt_reaches_a_program_that_reads_nothing() {
    // Nothing echoes or repeats the paste, which would push the word off the screen. A shell that starts a program may
    // lose a signal meanwhile: it has started what it waits for before it is ready.
    let waits = "sleep 1000 & printf '\\033[?2004hready'; wait";
    let script = format!("stty -icanon -echo; trap 'echo interrupted; exec sleep 1000' INT; {waits}");
    let house = House::with(&["sh", "-c", &script]);
    house.until_shows(LANE, "ready");
    let piece = "x".repeat(PIECE);
    let mut first = true;
    while house.panes.has_paste_room(LANE) {
        house.panes.paste(LANE, &piece, std::mem::take(&mut first), false).unwrap();
    }
    house.panes.key(LANE, Key::ctrl('c')).unwrap();
    house.until_shows(LANE, "interrupted");
    assert!(waiting(&house) <= 6, "the rest of the paste is not for what reads next");
}
