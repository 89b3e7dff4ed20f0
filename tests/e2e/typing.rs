//! What is typed into a pane, through the whole program: the bytes that its program reads.

use std::fs;
use std::path::PathBuf;

use crate::support::{Bench, Window};

/// A pane whose program asks its terminal for something and writes every byte that it reads into a file.
struct Pane {
    bench: Bench,
    window: Window,
    file: PathBuf,
}

impl Pane {
    /// Opens it in a window and gives it the keyboard.
    fn asking(request: &str) -> Self {
        Self::running(|file| format!("printf '{request}ready-%s' go; exec cat >{file}"))
    }

    fn running(script: impl FnOnce(&str) -> String) -> Self {
        let bench = Bench::new();
        bench.configure_server("http://127.0.0.1:9/v1", "");
        let file = bench.path().join("read");
        let script = format!("stty raw -echo; {}", script(file.to_str().unwrap()));
        bench.cli(&["lane", "new", "keys", "--here", "--", "sh", "-c", &script]).ended_with(0);
        let window = bench.window(120, 40);
        window.wait_for_text("ready-go");
        let pane = Self { bench, window, file };
        // The window's questions are answered: no answer comes in the middle of what a test sends.
        pane.bench.wait_until("the window's wishes", || pane.window_got(b"\x1b[>7u"));
        pane.window.keys("<C-g>i");
        pane
    }

    /// Whether the window's terminal was sent these bytes.
    fn window_got(&self, bytes: &[u8]) -> bool {
        self.window.bytes().windows(bytes.len()).any(|window| window == bytes)
    }

    fn read(&self) -> Vec<u8> {
        fs::read(&self.file).unwrap_or_default()
    }

    /// Waits until the program has read this much; it must have read just that.
    #[track_caller]
    fn reads(&self, expected: &[u8]) {
        self.bench.wait_until("what was typed", || self.read().len() >= expected.len());
        assert_eq!(String::from_utf8_lossy(&self.read()), String::from_utf8_lossy(expected));
    }
}

/// Field case C15.
#[test]
fn shift_enter_is_a_newline_to_every_program() {
    let pane = Pane::asking("\\033[>1u");
    pane.window.send(b"\x1b[13;2u\x1b[27;2;13~\r");
    pane.reads(b"\x1b[13;2u\x1b[13;2u\r");

    let pane = Pane::asking("");
    pane.window.send(b"\x1b[13;2u\x1b[27;2;13~\r");
    pane.reads(b"\x1b\r\x1b\r\r");

    let pane = Pane::asking("\\033[>4;2m");
    pane.window.send(b"\x1b[13;2u\x1b[27;2;13~\r");
    pane.reads(b"\x1b[27;2;13~\x1b[27;2;13~\r");
}

/// Field case C16. What came so far is given on, so that each read is really one.
#[test]
fn a_paste_in_three_reads_is_one_paste() {
    let pane = Pane::asking("\\033[?2004h");
    let mut expected = b"\x1b[200~a\nb".to_vec();
    pane.window.send(&expected);
    pane.reads(&expected);
    pane.window.send(b"\nc\x1b[20");
    expected.extend(b"\nc");
    pane.reads(&expected);
    pane.window.send(b"1~x");
    expected.extend(b"\x1b[201~x");
    pane.reads(&expected);
}

/// Field case C18.
#[test]
fn twenty_megabytes_are_pasted_whole() {
    let pane = Pane::asking("\\033[?2004h");
    let text = "0123456789 abcdef\n".repeat(20 * 1024 * 1024 / 18);
    pane.window.send(&[b"\x1b[200~", text.as_bytes(), b"\x1b[201~z"].concat());
    let whole = text.len() + 13;
    pane.bench.wait_until("the end of the paste", || fs::metadata(&pane.file).is_ok_and(|m| m.len() >= whole as u64));
    assert!(pane.read() == [b"\x1b[200~", text.as_bytes(), b"\x1b[201~z"].concat());
    // The window goes on.
    pane.window.keys("<C-g>?");
    pane.window.wait_for_text("In the prompt bar");
}

#[test]
fn a_paste_that_nobody_reads_is_broken_off_and_says_so() {
    let pane = Pane::running(|_| "printf 'ready-%s' go; exec sleep 1000".to_owned());
    let text = vec![b'x'; 4 * 1024 * 1024];
    pane.window.send(&[b"\x1b[200~", &text[..], b"\x1b[201~"].concat());
    pane.window.wait_for_text("the paste was broken off");
    // The window goes on.
    pane.window.keys("<C-g>?");
    pane.window.wait_for_text("In the prompt bar");
}

/// Field case C20.
#[test]
fn esc_and_a_letter_are_alt_only_in_one_write() {
    let pane = Pane::asking("\\033[>1u");
    pane.window.send(b"\x1b");
    pane.reads(b"\x1b[27u");
    pane.window.send(b"h");
    pane.reads(b"\x1b[27uh");
    pane.window.send(b"\x1bh");
    pane.reads(b"\x1b[27uh\x1b[104;3u");
}

/// Field case C22.
#[test]
fn late_replies_of_the_terminal_are_typed_nowhere() {
    let pane = Pane::asking("");
    pane.window.send(b"\x1b]11;rgb:1e1e/1e");
    // The picture goes on meanwhile: the two halves are two reads.
    pane.bench.cli(&["lane", "list"]).ended_with(0);
    pane.window.send(b"1e/2e2e\x1b\\\x1b]4;7;rgb:ffff/ffff/ffff\x07\x1b[?62;22c\x1b[?2026;2$y\x1bP>|XTerm(390)\x1b\\z");
    pane.reads(b"z");
}

/// Field case C23.
#[test]
fn ctrl_and_alt_stay_together() {
    let keys = b"\x1b\x13\x1b[1;7A\x1b[44;7uz";
    let pane = Pane::asking("");
    pane.window.send(keys);
    pane.reads(b"\x1b\x13\x1b[1;7A\x1b,z");
    let pane = Pane::asking("\\033[>1u");
    pane.window.send(keys);
    pane.reads(b"\x1b[115;7u\x1b[1;7A\x1b[44;7uz");
}

/// Field case C25.
#[test]
fn a_release_is_typed_only_where_it_was_asked_for() {
    let keys = b"\x1b[97;1:1u\x1b[97;1:3u\x1b[1;1:1A\x1b[1;1:3Az";
    let pane = Pane::asking("");
    pane.window.send(keys);
    pane.reads(b"a\x1b[Az");
    let pane = Pane::asking("\\033[>1u");
    pane.window.send(keys);
    pane.reads(b"a\x1b[Az");
    let pane = Pane::asking("\\033[>3u");
    // The release of the key that gave the pane the keyboard is not among what follows it.
    pane.window.send(keys);
    pane.reads(b"a\x1b[97;1:3u\x1b[A\x1b[1;1:3Az");
}

#[test]
fn the_focus_is_told_as_it_moves() {
    let pane = Pane::asking("\\033[?1004h");
    // The program asked before the pane had the keyboard.
    pane.reads(b"\x1b[O\x1b[I");
    pane.window.keys("<C-g><Esc>");
    pane.reads(b"\x1b[O\x1b[I\x1b[O");
    pane.window.keys("<C-g>i");
    pane.reads(b"\x1b[O\x1b[I\x1b[O\x1b[I");
    pane.window.send(b"\x1b[O");
    pane.reads(b"\x1b[O\x1b[I\x1b[O\x1b[I\x1b[O");
}

/// Field case C24: input methods open where the real cursor stands, shown or not.
#[test]
fn the_real_cursor_rests_where_the_program_put_it() {
    for shown in ["h", "l"] {
        let pane = Pane::asking(&format!("\\033[?25{shown}\\033[20;1H"));
        let origin = pane.window.screen(|screen| {
            let rows: Vec<_> = screen.rows(0, 120).collect();
            let row = rows.iter().position(|row| row.contains("ready-go")).unwrap();
            let column = rows[row].chars().take_while(|c| *c != 'r').count();
            (u16::try_from(row).unwrap() - 19, u16::try_from(column).unwrap())
        });
        drop(pane);
        let pane = Pane::asking(&format!("\\033[?25{shown}\\033[20;1Hready-go \\033[8;13H"));
        // `ready-go` is printed once more where the cursor was put, and moves it by its length.
        let expected = (origin.0 + 7, origin.1 + 12 + 8);
        pane.window.wait_for("the cursor", |screen| screen.cursor_position() == expected);
        pane.window.send(b"x");
        pane.reads(b"x");
        assert_eq!(pane.window.screen(vt100::Screen::cursor_position), expected);
    }
}

/// A program that asks for every movement of the mouse gets it, one that does not costs nothing.
#[test]
fn the_mouse_moves_where_a_program_follows_it() {
    let pane = Pane::asking("\\033[?1003;1006h");
    pane.bench.wait_until("every movement", || pane.window_got(b"\x1b[?1003h"));
    // The pane begins at column 23 and row 4, from 0.
    pane.window.send(b"\x1b[<35;30;10M\x1b[<129;30;10M\x1b[<129;30;10m\x1b[<66;30;10M");
    pane.reads(b"\x1b[<35;7;6M\x1b[<129;7;6M\x1b[<129;7;6m\x1b[<66;7;6M");
    // Somewhere else it is ours.
    pane.window.send(b"\x1b[<35;3;1M");
    pane.window.keys("<C-g>?");
    pane.bench.wait_until("the movements to end", || pane.window_got(b"\x1b[?1003l\x1b[?1000h\x1b[?1002h"));
    pane.reads(b"\x1b[<35;7;6M\x1b[<129;7;6M\x1b[<129;7;6m\x1b[<66;7;6M");
}
