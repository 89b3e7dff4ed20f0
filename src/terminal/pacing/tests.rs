//! Frames in time.

use super::*;

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// A visible pane whose last frame went out at `start`, with the program's first output, and none before.
fn shown(start: Instant) -> Pacing {
    let mut pacing = Pacing::default();
    pacing.set_visible(true, start);
    pacing.change(start, false);
    pacing.frame_published(start);
    pacing
}

/// A burst that ends: what is due then.
fn ends(pacing: &mut Pacing, at: Instant) -> Option<Instant> {
    pacing.change(at, false);
    pacing.rest(true);
    pacing.frame_due(at)
}

#[test]
fn nothing_is_due_while_nothing_changes_or_nobody_looks() {
    let start = Instant::now();
    let mut pacing = shown(start);
    assert_eq!(pacing.frame_due(start), None);
    pacing.set_visible(false, start);
    pacing.change(start, false);
    assert_eq!(pacing.frame_due(start), None);
    pacing.rest(true);
    pacing.set_visible(true, start + ms(30));
    assert_eq!(pacing.frame_due(start + ms(30)), Some(start + ms(30)));
}

#[test]
fn a_burst_is_shown_once_it_is_over() {
    let start = Instant::now();
    let mut pacing = shown(start);
    for at in [100, 101, 103] {
        pacing.change(start + ms(at), false);
        pacing.rest(false);
        assert_eq!(pacing.frame_due(start + ms(at)), Some(start + ms(116)), "not in its midst");
    }
    pacing.rest(true);
    assert_eq!(pacing.frame_due(start + ms(103)), Some(start + ms(103) + SETTLE));
    // One more byte, and it was not over.
    assert_eq!(ends(&mut pacing, start + ms(104)), Some(start + ms(104) + SETTLE));
}

#[test]
fn the_first_output_of_a_program_is_not_waited_for_longer() {
    let start = Instant::now();
    let mut pacing = Pacing::default();
    pacing.set_visible(true, start);
    // The empty screen.
    pacing.frame_published(start);
    assert_eq!(ends(&mut pacing, start + ms(9)), Some(start + ms(9)));
    pacing.frame_published(start + ms(9));
    assert_eq!(ends(&mut pacing, start + ms(12)), Some(start + ms(12) + SETTLE));
}

#[test]
fn bytes_without_end_are_shown_every_sixteen_milliseconds() {
    let start = Instant::now();
    let mut pacing = shown(start);
    let mut frames = Vec::new();
    for at in 1..=100 {
        let now = start + ms(at);
        pacing.change(now, false);
        pacing.rest(false);
        if pacing.frame_due(now) <= Some(now) {
            assert!(!pacing.frame_published(now));
            frames.push(at);
        }
    }
    // Each 16 ms after the first byte that the frame before did not show.
    assert_eq!(frames, [17, 34, 51, 68, 85]);
}

#[test]
fn ends_of_bursts_come_at_once_but_not_more_often_than_sixty_times_a_second() {
    let start = Instant::now();
    let mut pacing = shown(start);
    let mut frames = 0;
    let mut burst = None;
    for at in 0..10_000 {
        let now = start + ms(at);
        if at % 3 == 0 {
            pacing.change(now, false);
            pacing.rest(true);
            burst = Some(now);
        }
        if pacing.frame_due(now).is_some_and(|due| due <= now) {
            if frames < 2 {
                assert_eq!(burst.map(|burst| burst + SETTLE), Some(now), "the first ones do not wait");
            }
            assert!(pacing.frame_published(now));
            frames += 1;
        }
    }
    assert!((500..=10_000 / 16 + 4).contains(&frames), "{frames}");
}

#[test]
fn the_first_change_after_a_key_goes_out_at_once_and_only_once() {
    let start = Instant::now();
    let mut pacing = shown(start);
    pacing.key(start + ms(1));
    assert_eq!(ends(&mut pacing, start + ms(2)), Some(start + ms(2)));
    pacing.frame_published(start + ms(2));
    assert_eq!(ends(&mut pacing, start + ms(3)), Some(start + ms(3) + SETTLE));
    pacing.frame_published(start + ms(18));
    pacing.key(start + ms(20));
    // Too late to be the key's echo.
    assert_eq!(ends(&mut pacing, start + ms(71)), Some(start + ms(71) + SETTLE));
}

#[test]
fn an_echo_in_a_flood_waits_for_a_few_milliseconds_at_most() {
    let start = Instant::now();
    let mut pacing = shown(start);
    pacing.key(start + ms(1));
    pacing.change(start + ms(2), false);
    pacing.rest(false);
    assert_eq!(pacing.frame_due(start + ms(2)), Some(start + ms(2) + ECHO_FLOOD));
    pacing.change(start + ms(4), false);
    assert_eq!(pacing.frame_due(start + ms(4)), Some(start + ms(2) + ECHO_FLOOD));
}

#[test]
fn a_picture_that_lost_rows_waits_once_and_not_for_long() {
    let start = Instant::now();
    let mut pacing = shown(start);
    pacing.key(start + ms(99));
    assert_eq!(ends(&mut pacing, start + ms(100)), Some(start + ms(100)));
    assert!(pacing.doubt());
    assert_eq!(pacing.frame_due(start + ms(100)), Some(start + ms(100) + DOUBT));
    assert_eq!(ends(&mut pacing, start + ms(104)), Some(start + ms(104) + DOUBT));
    assert_eq!(ends(&mut pacing, start + ms(162)), Some(start + ms(164)));
    assert!(!pacing.doubt(), "it was asked already");
    pacing.frame_published(start + ms(164));
    pacing.change(start + ms(180), false);
    pacing.whole();
    assert!(!pacing.doubt(), "the program said that it is whole");
}

#[test]
fn an_open_update_holds_the_frame_but_not_for_ever() {
    let start = Instant::now();
    let mut pacing = shown(start);
    pacing.rest(true);
    pacing.change(start + ms(20), true);
    assert_eq!(pacing.frame_due(start + ms(20)), Some(start + ms(170)));
    pacing.change(start + ms(30), true);
    assert_eq!(pacing.frame_due(start + ms(30)), Some(start + ms(170)));
    pacing.rest(false);
    pacing.change(start + ms(40), false);
    assert!(pacing.frame_due(start + ms(40)) <= Some(start + ms(40)), "its end is a picture in itself");
    pacing.change(start + ms(50), true);
    pacing.frame_published(start + ms(200));
    assert!(ends(&mut pacing, start + ms(210)) <= Some(start + ms(216)));
}

#[test]
fn the_last_picture_of_a_program_is_shown_at_once() {
    let start = Instant::now();
    let mut pacing = shown(start);
    pacing.change(start + ms(1), true);
    pacing.last_change(start + ms(2));
    assert_eq!(pacing.frame_due(start + ms(2)), Some(start + ms(2)));
    assert!(!pacing.doubt());
    assert!(pacing.frame_published(start + ms(2)));
}

#[test]
fn a_status_waits_a_quarter_second() {
    let start = Instant::now();
    let mut pacing = Pacing::default();
    assert_eq!(pacing.status_due(start), start);
    pacing.status_published(start);
    assert_eq!(pacing.status_due(start + ms(1)), start + ms(250));
}
