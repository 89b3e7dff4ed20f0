//! What a program in a pane gets and what is seen of it.

use super::*;
use crate::domain::{Modifiers, MouseButton, MouseEvent, MouseKind};

#[test]
fn a_program_gets_its_terminal_its_environment_and_its_directory() {
    let script = "echo \"$TERM $COLORTERM $TERM_PROGRAM tmux=$TMUX git=$GIT_DIR\"; stty size; pwd; exit 3";
    let house = House::with(&["sh", "-c", script]);
    let (status, code) = house.until_exits(LANE);
    assert_eq!((status.as_str(), code), ("exited with status 3", Some(3)));
    let directory = std::env::temp_dir().canonicalize().unwrap();
    let screen = house.screen(LANE);
    assert_eq!(screen[0], "xterm-256color truecolor paralane tmux= git=");
    assert_eq!(screen[1], "12 60");
    assert_eq!(std::path::Path::new(&screen[2]), directory);
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_begins_as_the_leader_of_a_session_with_nothing_open_but_its_terminal() {
    // Open in this process, and not closed by what starts a program.
    let leak = std::fs::File::open("/dev/zero").unwrap();
    rustix::io::fcntl_setfd(&leak, rustix::io::FdFlags::empty()).unwrap();
    // Process, group, session, terminal's group; then what is open, with the list itself.
    let script = "read -r p n s pp g o t f x < /proc/self/stat; [ $$ = $p ] && [ $p = $g ] && [ $g = $o ] && [ $o = $f ] \
                  && echo leads; trap '' HUP; kill -HUP $$; set -- /proc/$$/fd/*; echo open $#; tty <&2";
    let house = House::with(&["bash", "-c", script]);
    assert_eq!(house.until_exits(LANE).1, Some(0));
    let screen = house.screen(LANE);
    assert_eq!((screen[0].as_str(), screen[1].as_str()), ("leads", "open 4"), "{screen:?}");
    assert!(screen[2].starts_with("/dev/pts/"), "{screen:?}");
}

#[test]
fn the_last_output_is_in_the_frame_when_the_exit_is_told() {
    let house = House::with(&["sh", "-c", "seq 20000; echo last"]);
    house.until_exits(LANE);
    assert!(house.screen(LANE).contains(&"last".to_owned()));
}

#[test]
fn what_cannot_start_is_refused_with_words() {
    let house = House::new();
    let missing = house.panes.open(LANE, &launch(&["no-such-program-here"])).unwrap_err().to_string();
    assert!(missing.contains("cannot start `no-such-program-here`"), "{missing}");
    let mut elsewhere = launch(&["sh"]);
    elsewhere.directory = "/no/such/directory".into();
    let nowhere = house.panes.open(LANE, &elsewhere).unwrap_err().to_string();
    assert!(nowhere.contains("`/no/such/directory`: that is not a directory"), "{nowhere}");
    assert!(matches!(house.panes.open(LANE, &launch(&[])), Err(TerminalError::NoCommand { .. })));
    assert!(matches!(house.panes.key(LANE, Key::char('x')), Err(TerminalError::NoPane { .. })));
    house.open(LANE, &["cat"]);
    assert!(matches!(house.panes.open(LANE, &launch(&["cat"])), Err(TerminalError::StillRunning { .. })));
}

#[test]
fn keys_reach_the_program_and_its_answer_is_seen() {
    let house = House::with(BASH);
    house.until_shows(LANE, "ready>");
    house.type_line(LANE, "echo $((6*7))x");
    house.until_shows(LANE, "42x");
}

#[test]
fn a_resize_reaches_program_and_frame() {
    let house = House::with(&["sh", "-c", "trap 'stty size' WINCH; echo up; while :; do read x; done"]);
    house.until_shows(LANE, "up");
    for columns in (1..200).chain([77]) {
        house.panes.resize(LANE, Size { columns, rows: 1 + columns % 30 }).unwrap();
    }
    house.panes.resize(LANE, Size { columns: 77, rows: 21 }).unwrap();
    house.until_shows(LANE, "21 77");
    assert_eq!(house.panes.frame(LANE).unwrap().size, Size { columns: 77, rows: 21 });
}

#[test]
fn a_resize_storm_down_to_one_cell_breaks_nothing() {
    let house = House::with(&["sh", "-c", "while :; do echo 漢字 wide and long lines that wrap; done"]);
    house.until_shows(LANE, "wide");
    for step in 0..300_u16 {
        let size = if step % 3 == 0 { Size { columns: 1, rows: 1 } } else { Size { columns: step, rows: step % 40 } };
        house.panes.resize(LANE, size).unwrap();
    }
    house.panes.resize(LANE, SIZE).unwrap();
    house.panes.key(LANE, Key::ctrl('c')).unwrap();
    house.until_exits(LANE);
    let faults = lock(&house.events.0).iter().filter(|event| matches!(event, PaneEvent::Fault { .. })).count();
    assert_eq!(faults, 0);
}

#[test]
fn a_hidden_pane_makes_no_frame_and_shows_the_latest_once_visible() {
    let house = House::new();
    house
        .panes
        .open(LANE, &launch(&["sh", "-c", "printf '\\033]0;a;b\\007\\007'; seq 100; echo hidden; exec cat"]))
        .unwrap();
    let title = |event: &PaneEvent| match event {
        PaneEvent::Status(_, status) if status.bells == 1 => Some(status.title.clone()),
        _ => None,
    };
    assert_eq!(house.until("status", |events| events.iter().find_map(title)), "a;b");
    house.until_ready(LANE);
    assert!(house.panes.frame(LANE).is_none());
    house.panes.set_visible(LANE, true).unwrap();
    house.until_shows(LANE, "hidden");
}

#[test]
fn a_program_gets_answers_to_its_questions() {
    let script = "stty raw -echo; printf '\\033[6n'; dd bs=1 count=6 2>/dev/null | od -An -c; stty sane; echo asked";
    let house = House::with(&["sh", "-c", script]);
    house.until_shows(LANE, "asked");
    assert!(house.screen(LANE).concat().contains("033   [   1   ;   1   R"));
}

#[test]
fn a_paste_in_pieces_is_one_bracketed_paste() {
    let script =
        "stty raw -echo; printf '\\033[?2004hgo'; dd bs=1 count=17 2>/dev/null | od -An -c; stty sane; echo end";
    let house = House::with(&["sh", "-c", script]);
    house.until_shows(LANE, "go");
    for (text, first, last) in [("a\n", true, false), ("b\n", false, false), ("c", false, true)] {
        house.panes.paste(LANE, text, first, last).unwrap();
    }
    house.until_shows(LANE, "end");
    let screen = house.screen(LANE).concat();
    let bytes: String = screen.split_whitespace().collect();
    assert!(bytes.contains("033[200~a\\nb\\nc033[201~"), "{screen}");
}

#[test]
fn a_huge_paste_to_a_program_that_does_not_read_is_refused_and_nothing_blocks() {
    let house = House::with(&["sh", "-c", "stty raw -echo; echo up; exec sleep 9999"]);
    house.until_shows(LANE, "up");
    let piece = "x".repeat(64 * 1024);
    let mut refused = None;
    for number in 0..320 {
        if let Err(error) = house.panes.paste(LANE, &piece, number == 0, number == 319) {
            refused.get_or_insert(error);
        }
    }
    let refused = refused.unwrap().to_string();
    assert!(refused.contains("10485760 bytes already wait"), "{refused}");
    let other = LaneId(2);
    house.open(other, BASH);
    house.until_shows(other, "ready>");
}

#[test]
fn a_large_paste_to_a_slow_reader_arrives_whole() {
    let house = House::with(&["sh", "-c", "stty raw -echo; echo up; head -c 1000000 | cksum; stty sane; exec cat"]);
    house.until_shows(LANE, "up");
    let text: String = (0..1_000_000_u32).map(|n| char::from(b'a' + (n % 23) as u8)).collect();
    for (number, piece) in text.as_bytes().chunks(50_000).enumerate() {
        house.panes.paste(LANE, std::str::from_utf8(piece).unwrap(), number == 0, number == 19).unwrap();
    }
    let expected = {
        use std::io::Write;
        let mut child = std::process::Command::new("cksum")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    house.until_shows(LANE, expected.trim());
}

#[test]
fn the_mouse_and_the_focus_are_the_programs_when_it_asks() {
    let house = House::with(&[
        "sh",
        "-c",
        "stty raw -echo; echo plain; read x; printf '\\033[?1000;1006;1004hgo'; exec cat -v",
    ]);
    house.until_shows(LANE, "plain");
    let down = MouseEvent { kind: MouseKind::Down(MouseButton::Left), column: 4, row: 2, modifiers: Modifiers::NONE };
    assert_eq!(house.panes.mouse(LANE, down).unwrap(), PointerUse::NotWanted);
    house.panes.focus(LANE, true).unwrap();
    house.panes.paste(LANE, "\n", true, true).unwrap();
    house.panes.key(LANE, Key::ctrl('j')).unwrap();
    house.until_shows(LANE, "go");
    assert_eq!(house.panes.mouse(LANE, down).unwrap(), PointerUse::Sent);
    house.until_shows(LANE, "^[[<0;5;3M");
    house.panes.focus(LANE, false).unwrap();
    house.until_shows(LANE, "^[[O");
}

#[test]
fn the_wheel_moves_a_full_screen_program_without_mouse() {
    let house = House::with(&["sh", "-c", "stty raw -echo; printf '\\033[?1049hgo'; exec cat -v"]);
    house.until_shows(LANE, "go");
    let wheel = MouseEvent { kind: MouseKind::WheelDown, column: 0, row: 0, modifiers: Modifiers::NONE };
    assert_eq!(house.panes.mouse(LANE, wheel).unwrap(), PointerUse::Sent);
    house.until_shows(LANE, "^[[B^[[B^[[B");
}

#[test]
fn a_full_screen_program_can_refuse_the_arrows_of_the_wheel() {
    let house = House::with(&["sh", "-c", "stty raw -echo; printf '\\033[?1049h\\033[?1007lgo'; exec cat -v"]);
    house.until_shows(LANE, "go");
    let wheel = MouseEvent { kind: MouseKind::WheelDown, column: 0, row: 0, modifiers: Modifiers::NONE };
    assert_eq!(house.panes.mouse(LANE, wheel).unwrap(), PointerUse::NotWanted);
}

#[test]
fn beside_a_flood_another_pane_answers_and_the_flood_can_be_stopped() {
    let house = House::with(&["yes"]);
    let (hidden, quiet) = (LaneId(2), LaneId(3));
    house.panes.open(hidden, &launch(&["yes"])).unwrap();
    house.open(quiet, &["cat"]);
    house.until_shows(LANE, "y");
    for number in 0..20 {
        let line = format!("line{number}");
        house.type_line(quiet, &line);
        house.until_shows(quiet, &line);
    }
    // The flood itself can be stopped by its own keyboard.
    house.panes.key(LANE, Key::ctrl('c')).unwrap();
    house.until_exits(LANE);
}

#[test]
fn an_update_is_shown_when_it_is_complete() {
    let script = "printf '\\033[?2026h\\033[2J\\033[Hhalf'; read x; printf ' whole\\033[?2026l'; exec cat";
    let house = House::with(&["sh", "-c", script]);
    // Never closed: it is shown all the same after a while.
    house.until_shows(LANE, "half");
    house.panes.key(LANE, Key::plain(KeyCode::Enter)).unwrap();
    house.until_shows(LANE, "whole");
}

#[test]
fn notifications_are_told_and_a_flood_of_them_is_not() {
    let house =
        House::with(&["sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do printf '\\033]9;done %s\\007' $i; done; exec cat"]);
    let told = house.until("notification", |events| {
        events.iter().find_map(|event| match event {
            PaneEvent::Notified { text, .. } => Some(text.clone()),
            _ => None,
        })
    });
    assert_eq!(told, "done 1");
    house.until_ready(LANE);
    let count = lock(&house.events.0).iter().filter(|event| matches!(event, PaneEvent::Notified { .. })).count();
    assert!(count <= 4, "{count}");
}

#[test]
fn an_idle_pane_has_nothing_due() {
    let house = House::with(&["sh", "-c", "echo up; exec cat"]);
    house.until_ready(LANE);
    house.until_shows(LANE, "up");
    let before = lock(&house.events.0).len();
    let mail = house.panes.pane_of(LANE);
    assert_eq!(mail.readiness(Instant::now()), super::super::pane::Readiness::Ready);
    assert_eq!(lock(&house.events.0).len(), before);
}
