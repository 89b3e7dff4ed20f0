//! Scroll-back by hand: keys, wheel, search, what reaches the clipboard, and the editor that borrows the terminal.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::{Bench, Window};

fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = |chunk: &[u8]| {
        let byte = |at: usize| u32::from(*chunk.get(at).unwrap_or(&0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        (0..4)
            .map(|n| if n <= chunk.len() { char::from(DIGITS[(group >> (18 - 6 * n) & 63) as usize]) } else { '=' })
            .collect::<String>()
    };
    text.as_bytes().chunks(3).map(digits).collect()
}

fn pane(bench: &Bench, script: &str) -> Window {
    bench.configure_server("http://127.0.0.1:9/v1", "");
    let window = bench.window_with(120, 40, &["--", "sh", "-c", script]);
    // While it starts its command is shown, which has the words in it that are waited for later.
    window.wait_for_text("idle now").wait_gone("The program starts");
    window
}

#[track_caller]
fn copies(bench: &Bench, window: &Window, text: &str) {
    let wanted = base64(text);
    bench.wait_until(&format!("{text:?} on the clipboard"), || window.clipboard().last() == Some(&wanted));
}

#[test]
fn what_is_searched_selected_and_copied_reaches_the_clipboard() {
    let bench = Bench::new();
    let address = format!("https://example.com/{}", "path/".repeat(30));
    let window = pane(&bench, &format!("seq 500; printf '漢字 wide %s.\\n' {address}; echo the-end; read line"));
    window.wait_for_text("the-end");
    window.keys("<C-g>[").wait_for_text("scroll-back · at the end");
    window.keys("/137").wait_for_text("1 of 1").keys("<Enter>y").wait_for_text("copied 1 line");
    copies(&bench, &window, "137\n");
    window.keys("vjj$y").wait_for_text("copied 3 lines");
    copies(&bench, &window, "137\n138\n139");
    // A wrapped address is whole; wide characters stand once.
    window.keys("/https<Enter><Enter>").wait_for_text("copied the address");
    copies(&bench, &window, &address);
    window.keys("0vf y").wait_for_text("copied 3 characters");
    copies(&bench, &window, "漢字 ");
    window.keys("gyq").wait_gone("SCROLL");
    copies(&bench, &window, "1\n");
}

#[test]
fn the_wheel_and_the_mouse_belong_to_a_program_only_if_it_asks() {
    let bench = Bench::new();
    let window = pane(&bench, "seq 500; read line; printf '\\033[?1000h\\033[?1006hmine'; cat -v");
    window.wait_for_text("500");
    window.send(b"\x1b[<64;40;20M").wait_for_text("scroll-back · 3 lines back");
    window.send(b"\x1b[<65;40;20M").wait_for_text("at the end");
    window.send(b"\x1b[<65;40;20M").wait_gone("scroll-back");
    // From the first cell of the pane over two rows. The drag ends outside of the pane.
    let first = window.screen(|screen| screen.contents().lines().nth(4).unwrap()[22..].trim().to_owned());
    let first: u32 = first.split('│').nth(1).unwrap_or_default().trim().parse().unwrap();
    window.send(b"\x1b[<0;24;5M\x1b[<32;27;6M\x1b[<0;2;6m");
    copies(&bench, &window, &format!("{first}\n{}", first + 1));
    window.wait_gone("SELECT").keys("<Enter>").wait_for_text("mine");
    window.send(b"\x1b[<64;40;20M").wait_for_text("^[[<64;17;16M");
    assert!(!window.text().contains("scroll-back"));
}

#[test]
fn the_editor_borrows_the_terminal() {
    let bench = Bench::new();
    let (script, kept) = (bench.path().join("ed.sh"), bench.path().join("kept"));
    fs::write(&script, format!("#!/bin/sh\ncp \"$1\" {}\necho in-the-editor\nread line\n", kept.display())).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let bench = bench.with_env("EDITOR", script.to_str().unwrap());
    let mut window = pane(&bench, "seq 500; read line; echo got-$line; read line");
    window.wait_for_text("500");
    window.keys("<C-g>e").wait_for_text("in-the-editor").wait_gone("LANES");
    let text = fs::read_to_string(&kept).unwrap();
    assert!(text.starts_with("1\n2\n3\n") && text.trim_end().ends_with("\n499\n500"), "{text}");
    window.keys("<Enter>").wait_for_text("LANES").wait_for_text("500").wait_gone("in-the-editor");
    window.keys("<C-g>i").line("back").wait_for_text("got-back");
    assert_eq!(fs::read_dir(bench.tmp()).unwrap().count(), 0, "nothing is left of the text");
    window.keys("<C-g>D");
    assert_eq!(window.wait_exit(), 0);
    window.assert_restored();
}

#[test]
fn a_missing_editor_is_told() {
    let bench = Bench::new().with_env("VISUAL", "/no/such/editor");
    let window = pane(&bench, "echo here; read line");
    window.wait_for_text("here");
    window.keys("<C-g>e").wait_for_text("`/no/such/editor` cannot be run").wait_for_text("LANES");
}
