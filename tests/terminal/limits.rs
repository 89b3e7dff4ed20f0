//! Numbers and lengths without measure: every sequence takes them, in bounded time and memory, and the screen goes on.

use paralane::domain::Size;
use paralane::terminal::{Colours, Replay};

use crate::fuzz::{Case, Step, check};
use crate::picture::rows;

const SIZE: Size = Size { columns: 20, rows: 6 };

/// Plays bytes between two known texts, in three ways, and returns the rows.
fn around(bytes: &[u8]) -> Vec<String> {
    let all = [b"\x1b[2;1Hbefore".as_slice(), bytes, b"\x1b\\\x18\x1bc\x1b[3;1Hafter"].concat();
    let case = Case { size: SIZE, steps: vec![Step::Bytes(all.clone())], cuts: 7 };
    check(&case).unwrap_or_else(|why| panic!("{}: {why}", bytes[..bytes.len().min(80)].escape_ascii()));
    let mut replay = Replay::new(SIZE, Colours::default());
    replay.feed(&all);
    rows(&replay.frame())
}

#[test]
fn enormous_parameters_of_every_sequence_leave_the_screen_usable() {
    let numbers =
        ["65535", "65536", "2147483648", "99999999999999", "18446744073709551616", "-1", "0;0;0", "99999;99999"];
    for end in 0x40..=0x7e_u8 {
        for start in ["", "?", ">", "=", "<"] {
            for middle in ["", " ", "!", "$", "\"", "'", "*"] {
                for number in numbers {
                    let mut bytes = format!("\x1b[{start}{number}{middle}").into_bytes();
                    bytes.push(end);
                    let rows = around(&bytes);
                    assert_eq!(rows[2], "after", "{}", bytes.escape_ascii());
                }
            }
        }
    }
}

#[test]
fn ten_thousand_parameters_are_taken_or_left_whole() {
    for end in ["m", "H", "h", "l", "r", "J", "X", "t", "n", "q"] {
        for start in ["\x1b[", "\x1b[?", "\x1b[>"] {
            for one in ["1;", "38;2;", "4:3:", "58;5;", ";", ":"] {
                let bytes = format!("{start}{}{end}", one.repeat(10_000));
                assert_eq!(around(bytes.as_bytes())[2], "after", "{start}{one}{end}");
            }
        }
    }
}

#[test]
fn work_that_one_sequence_asks_for_is_bounded() {
    // Each would take hours if it were done as often as it says.
    for one in [
        "x\x1b[65535b",
        "漢\x1b[65535b",
        "\x1b[65535L",
        "\x1b[65535M",
        "\x1b[65535@",
        "\x1b[65535P",
        "\x1b[65535X",
        "\x1b[65535S",
        "\x1b[65535T",
        "\x1b[65535I",
        "\x1b[65535Z",
        "\x1b[65535E",
        "\x1b[65535F",
        "\x1b[4hx\x1b[65535b",
        "\x1b[?7lx\x1b[65535b",
        "\x1b(0q\x1b[65535b",
        "👨\u{200d}👩\u{200d}👧\x1b[65535b",
    ] {
        let mut replay = Replay::new(Size { columns: 200, rows: 50 }, Colours::default());
        replay.feed(one.repeat(200).as_bytes());
        replay.feed(b"\x1bc\x1b[3;1Hafter");
        assert_eq!(rows(&replay.frame())[2], "after", "{one:?}");
    }
}

#[test]
fn places_outside_are_the_nearest_inside() {
    for (bytes, cursor) in [
        ("\x1b[65535;65535H", (19, 5)),
        ("\x1b[0;0H", (0, 0)),
        ("\x1b[65535G\x1b[65535d", (19, 5)),
        ("\x1b[65535B\x1b[65535C", (19, 5)),
        ("\x1b[65535;65535H\x1b[65535A\x1b[65535D", (0, 0)),
        // Turned round or of one row: no region, and the cursor stays or goes home.
        ("\x1b[5;2r\x1b[6;3H", (2, 5)),
        ("\x1b[3;3r\x1b[6;3H", (2, 5)),
        ("\x1b[65535;65535r\x1b[6;3H", (2, 5)),
        ("\x1b[2;4r\x1b[?6h\x1b[65535;65535H", (19, 3)),
        ("\x1b[2;4r\x1b[?6h\x1b[0;0H", (0, 1)),
    ] {
        let mut replay = Replay::new(SIZE, Colours::default());
        replay.feed(bytes.as_bytes());
        assert_eq!(replay.frame().cursor, cursor, "{bytes:?}");
    }
    // A region that is none does not hold lines back.
    let mut replay = Replay::new(SIZE, Colours::default());
    replay.feed(b"\x1b[5;2r\x1b[1;1Hone\x1b[6;1H\n\n\n");
    assert!(rows(&replay.frame()).iter().all(String::is_empty));
}

/// Peak memory of this process in bytes.
#[cfg(target_os = "linux")]
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
}

/// Runs alone in a process of its own, since it looks at that process's memory.
#[cfg(target_os = "linux")]
#[test]
fn strings_without_an_end_take_no_memory_and_what_follows_is_seen() {
    const ALONE: &str = "PARALANE_TEST_ALONE";
    const LENGTH: usize = 100 * 1024 * 1024;
    if std::env::var_os(ALONE).is_none() {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "limits::strings_without_an_end_take_no_memory_and_what_follows_is_seen", "--nocapture"])
            .env(ALONE, "1")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    let piece = vec![b'x'; 64 * 1024];
    let numbers = b"1;".repeat(32 * 1024);
    let before = peak();
    for (start, piece, length) in [
        ("\x1b]0;", &piece, LENGTH),
        ("\x1b]8;;http://", &piece, LENGTH),
        ("\x1b]52;c;", &piece, LENGTH / 10),
        ("\x1bP", &piece, LENGTH),
        ("\x1bP+q", &piece, LENGTH / 10),
        ("\x1b_G", &piece, LENGTH),
        ("\x1b^", &piece, LENGTH / 10),
        ("\x1bX", &piece, LENGTH / 10),
        ("\x1b[", &numbers, LENGTH / 10),
        ("\x1b[38;2;", &numbers, LENGTH / 10),
        // One cell with combining marks for ever, and one line.
        ("e", &"\u{301}".repeat(32 * 1024).into_bytes(), LENGTH / 10),
        ("👨", &"\u{200d}👩".repeat(8 * 1024).into_bytes(), LENGTH / 10),
    ] {
        let mut replay = Replay::new(SIZE, Colours::default());
        replay.feed(start.as_bytes());
        for _ in 0..length / piece.len() {
            replay.feed(piece);
        }
        let grown = peak().saturating_sub(before);
        assert!(grown < 24 * 1024 * 1024, "{start:?}: {grown} bytes");
        for end in ["\x07", "\x1b\\", "\x18"] {
            replay.feed(end.as_bytes());
        }
        replay.feed(b"\x1bc\x1b[3;1Hafter");
        assert_eq!(rows(&replay.frame())[2], "after", "{start:?}");
    }
    // A line of 100 MB without an end of line is bounded as history is.
    let mut replay = Replay::new(SIZE, Colours::default());
    for _ in 0..LENGTH / 10 / piece.len() {
        replay.feed(&piece);
    }
    let grown = peak().saturating_sub(before);
    assert!(grown < 32 * 1024 * 1024, "an endless line: {grown} bytes");
}
