//! Windows: welcome, frames, slowness, death.

use std::io::Read;
use std::os::fd::AsFd;

use paralane::base::TerminalSettings;
use paralane::base::terminal_restore::GIVE_BACK;
use paralane::domain::{InputEvent, Key, Size, TerminalReport};
use paralane::protocol::{ClientMessage, ServerMessage};
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::house::{Got, House, Window};

#[test]
fn a_window_is_welcomed_drawn_and_let_go() {
    let house = House::configured(SERVER);
    let mut window = house.window();
    window.until_shows("paralane");
    window.typed("hello there");
    window.until_shows("hello there");
    window.say(&ClientMessage::Resized(Size { columns: 80, rows: 24 }));
    window.say(&ClientMessage::Detach);
    assert_eq!(window.until_end().0, None, "whoever detaches needs no farewell");
    house.done(&["lane", "new", "one", "--here", "--", "cat"]);
    house.until_no_window();
}

/// A server that nobody asks: the guided set-up stays away.
const SERVER: &str =
    "[providers.test]\ndialect = \"openai-chat\"\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n";

#[test]
fn a_window_that_shows_nothing_gets_two_frames_and_still_its_farewell() {
    let house = House::configured(SERVER);
    let mut window = house.window();
    window.acknowledges = false;
    window.typed("/lane new one --here -- cat\n");
    house.until_lane("one", "idle");
    // Many changes, each with a ring, that it never acknowledges.
    for n in 0..50 {
        house.done(&["lane", "rename", if n % 2 == 0 { "one" } else { "two" }, if n % 2 == 0 { "two" } else { "one" }]);
        house.command(&["prompt", "nobody", "x"]);
    }
    window.typed("/detach\n");
    let (farewell, frames) = window.until_end();
    assert!(farewell.is_some_and(|words| words.contains("detached")));
    assert!((1..=2).contains(&frames), "{frames} frames");
}

#[test]
fn a_window_on_a_stuck_line_hinders_nobody_and_catches_up_with_the_newest_frame() {
    let house = House::configured(SERVER);
    let mut quick = house.window();
    let mut slow = house.window();
    let stop = house.repo().join("stop");
    let flood =
        format!("i=0; while [ ! -e {} ]; do i=$((i+1)); echo line $i; done; echo the end; exec cat", stop.display());
    quick.typed(&format!("/lane new flood --here -- sh -c '{flood}'\n"));
    quick.until_shows("line ");
    house.done(&["lane", "focus", "flood"]);
    // Nobody reads what the slow one is sent meanwhile.
    quick.frames(20);
    std::fs::write(&stop, "").unwrap();
    quick.until_shows("the end");
    let caught_up = slow.frames_until_shows("the end");
    assert!(caught_up <= 5, "{caught_up} frames waited for the slow window");
}

#[test]
fn a_key_typed_at_once_is_not_lost() {
    let house = House::configured(SERVER);
    for n in 0..20 {
        let mut window = house.window();
        window.typed(&format!("word{n}"));
        window.until_shows(&format!("word{n}"));
        window.say(&ClientMessage::Detach);
    }
}

#[test]
fn a_killed_window_gives_its_terminal_back_and_is_gone() {
    let house = House::configured(SERVER);
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let slave = open(ptsname(&master, Vec::new()).unwrap(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    let before = TerminalSettings::of(&slave).unwrap();
    before.apply_raw(&slave).unwrap();
    let mut window = Window::attach(house.connect(), Some((slave.as_fd(), before.clone())));
    window.until_shows("paralane");
    let mut other = house.window();
    other.until_shows("paralane");
    house.done(&["lane", "new", "one", "--here", "--", "cat"]);
    drop(window);
    let mut given_back = vec![0; GIVE_BACK.len()];
    std::fs::File::from(master).read_exact(&mut given_back).unwrap();
    assert_eq!(given_back, GIVE_BACK);
    // The other one lives and is the last one.
    other.typed("still here");
    other.until_shows("still here");
    assert!(house.has_window());
    drop(other);
    house.until_no_window();
}

#[test]
fn two_windows_see_the_same_lanes_and_keep_their_own_drafts() {
    let mut house = House::configured(SERVER);
    let (mut left, mut right) = (house.window(), house.window());
    left.typed("left draft");
    left.until_shows("left draft");
    house.done(&["lane", "new", "shared", "--here", "--", "cat"]);
    left.until_shows("shared");
    right.until_shows("shared");
    assert!(!right.text().contains("left draft"));
    house.down();
    for window in [&mut left, &mut right] {
        assert!(window.until_end().0.is_some_and(|words| words.contains("kept")));
    }
}

#[test]
fn strangers_on_the_socket_hinder_nobody() {
    use std::io::Write;
    let mut house = House::configured(SERVER);
    let silent = house.connect();
    let mut talker = house.connect();
    talker.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    talker.read_to_end(&mut answer).unwrap();
    assert!(answer.is_empty());
    let mut gone = house.connect();
    gone.write_all(b"\x05").unwrap();
    drop(gone);
    house.done(&["status"]);
    house.down();
    drop(silent);
}

#[test]
fn nothing_is_drawn_when_nothing_changes() {
    let house = House::configured(SERVER);
    let mut window = house.window();
    window.until_shows("paralane");
    // Keys that change nothing: the frames they may cause have nothing in them, so none is sent.
    for _ in 0..20 {
        window.key(Key::plain(paralane::domain::KeyCode::Left));
        house.done(&["status"]);
    }
    window.typed("x");
    let mut frames = 0;
    while !window.text().contains('x') || frames == 0 {
        match window.next() {
            Got::Frame => frames += 1,
            Got::Message(ServerMessage::Ended { .. }) | Got::End => panic!("ended"),
            Got::Message(_) => {}
        }
    }
    assert!(frames <= 3, "{frames} frames");
}

#[test]
fn the_theme_follows_a_terminal_that_says_it_is_light_until_somebody_chooses_one() {
    let house = House::configured(SERVER);
    let mut window = house.window();
    window.until_shows("shop");
    let dark = window.ground();
    let report = |report| ClientMessage::Input(InputEvent::Report(report));
    window.say(&report(TerminalReport::Background(255, 255, 255)));
    let light = window.until_ground_changes(dark);
    window.say(&report(TerminalReport::Dark(true)));
    assert_eq!(window.until_ground_changes(light), dark);
    window.say(&report(TerminalReport::Dark(false)));
    assert_eq!(window.until_ground_changes(dark), light);
    // The theme that stands in the settings anyway is a choice too.
    window.typed("/theme paralane-dark\n");
    assert_eq!(window.until_ground_changes(light), dark);
}
