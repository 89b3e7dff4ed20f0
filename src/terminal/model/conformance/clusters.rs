//! Characters of several code points. A cluster is drawn once, in two cells, and what follows stands where
//! it belongs.

use super::{SIZE, after, check, rows, style};
use crate::domain::Size;

const FAMILY: &str = "👨\u{200d}👩\u{200d}👧";

#[test]
fn wide_and_combined_characters() {
    check(&[
        ("CJK", "日本x", &["日本x"], (1, 6)),
        ("CJK at the edge", "abcdefghijk漢x", &["abcdefghijk", "漢x"], (2, 4)),
        ("combining", "e\u{301}x", &["e\u{301}x"], (1, 3)),
        ("combining at the edge", "abcdefghijke\u{301}", &["abcdefghijke\u{301}"], (1, 12)),
        ("half of a wide one is overwritten", "漢\x1b[2Gx", &[" x"], (1, 3)),
        ("a mark with a cell of its own", "ந\u{bbe}ட\u{bc1}x", &["ந\u{bbe}ட\u{bc1}x"], (1, 6)),
        ("marks at the edge", "abcdefghijkந\u{bbe}x", &["abcdefghijkந", "\u{bbe}x"], (2, 3)),
        ("a soft hyphen", "a\u{ad}b", &["a\u{ad}b"], (1, 4)),
        ("a zero-width space", "a\u{200b}b", &["a\u{200b}b"], (1, 3)),
        ("what is no UTF-8", "a\u{fffd}b", &["a\u{fffd}b"], (1, 4)),
        ("variations of ideographs are dropped", "葛\u{e0100}x", &["葛x"], (1, 4)),
    ]);
}

#[test]
fn emoji_are_one_cluster_of_two_cells() {
    check(&[
        ("emoji", "😀x", &["😀x"], (1, 4)),
        ("VS16", "❤\u{fe0f}x", &["❤\u{fe0f}x"], (1, 4)),
        ("VS16 on a wide one", "⌚\u{fe0f}x", &["⌚x"], (1, 4)),
        ("VS16 on a letter is nothing", "a\u{fe0f}x", &["ax"], (1, 3)),
        ("VS16 alone is nothing", "\u{fe0f}x", &["x"], (1, 2)),
        ("VS15 is nothing", "❤\u{fe0e}x", &["❤x"], (1, 3)),
        ("keycap", "1\u{fe0f}\u{20e3}x", &["1\u{fe0f}\u{20e3}x"], (1, 4)),
        ("skin tone", "👋🏽x", &["👋🏽x"], (1, 4)),
        ("skin tone on a narrow one", "☝🏽x", &["☝🏽x"], (1, 4)),
        ("skin tone after a letter", "a🏽x", &["a🏽x"], (1, 5)),
        ("flag", "🇧🇷x", &["🇧🇷x"], (1, 4)),
        ("two flags", "🇧🇷🇫🇷x", &["🇧🇷🇫🇷x"], (1, 6)),
        ("half a flag", "🇧x", &["🇧x"], (1, 3)),
        ("flag and a half", "🇧🇷🇧x", &["🇧🇷🇧x"], (1, 5)),
        ("halves apart", "🇧\x1b[3G🇷", &["🇧 🇷"], (1, 4)),
        ("family", "👨\u{200d}👩\u{200d}👧x", &["👨\u{200d}👩\u{200d}👧x"], (1, 4)),
        ("heart on fire", "❤\u{fe0f}\u{200d}🔥x", &["❤\u{fe0f}\u{200d}🔥x"], (1, 4)),
        ("unqualified heart on fire", "❤\u{200d}🔥x", &["❤\u{200d}🔥x"], (1, 4)),
        ("skin tones and joiners", "👩🏽\u{200d}🚀x", &["👩🏽\u{200d}🚀x"], (1, 4)),
        ("a joiner that joins nothing", "👩\u{200d}ab", &["👩ab"], (1, 5)),
        ("a joiner and a move", "👩\u{200d}\x1b[4G👩", &["👩 👩"], (1, 6)),
        (
            "a flag of tags",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}x",
            &["🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}x"],
            (1, 4),
        ),
        ("tags without a flag are nothing", "a\u{e0067}x", &["ax"], (1, 3)),
        ("a letter after a flag", "🇧🇷e\u{301}", &["🇧🇷e\u{301}"], (1, 4)),
    ]);
}

#[test]
fn flags_and_families_do_not_shift_the_row() {
    let seen = after(SIZE, "🇧🇷 👨\u{200d}👩\u{200d}👧 x".as_bytes());
    let cell = |column: usize| &seen.frame.cells[column];
    assert_eq!((cell(0).text.as_str(), cell(3).text.as_str(), cell(6).text.as_str()), ("🇧🇷", FAMILY, "x"));
    assert!(cell(1).continuation && cell(4).continuation);
    assert_eq!(seen.text, format!("🇧🇷 {FAMILY} x"));
}

#[test]
fn a_cluster_at_the_edge_moves_as_a_whole() {
    check(&[
        ("VS16", "abcdefghijk❤\u{fe0f}x", &["abcdefghijk", "❤\u{fe0f}x"], (2, 4)),
        ("a flag", "abcdefghijk🇧🇷x", &["abcdefghijk", "🇧🇷x"], (2, 4)),
        ("a family that fits", "abcdefghij👨\u{200d}👩x", &["abcdefghij👨\u{200d}👩", "x"], (2, 2)),
        ("without wrapping it stays narrow", "\x1b[?7labcdefghijk❤\u{fe0f}", &["abcdefghijk❤"], (1, 12)),
        ("in insert mode it pushes on", "xy\r\x1b[4h🇧🇷", &["🇧🇷xy"], (1, 3)),
    ]);
}

#[test]
fn clusters_have_styles_and_can_be_repeated() {
    let seen = after(SIZE, "\x1b[1;9m🇧🇷\x1b[0m\x1b[31m👋🏽".as_bytes());
    let flag = style(&seen.frame, 0, 0);
    assert!(flag.bold && flag.strikethrough);
    assert!(!style(&seen.frame, 0, 2).strikethrough);
    assert_eq!(style(&seen.frame, 0, 1), flag);
    check(&[("REP", "👋🏽\x1b[2bx", &["👋🏽👋🏽👋🏽x"], (1, 8))]);
}

#[test]
fn invalid_bytes_are_shown_as_such() {
    for (sent, shown) in [
        (&b"a\xffb"[..], "a\u{fffd}b"),
        (b"a\xe6\xbcb", "a\u{fffd}b"),
        (b"\xf0\x9f\x98\x1b[2C.", "\u{fffd}  ."),
        (b"\xc0\xafx", "\u{fffd}\u{fffd}x"),
        (b"x\xffy\r\nz\x1b[A\xc3\xa9", "x\u{e9}y"),
        (b"\xe6\xbc\xa2\xe6\r\nx", "漢\u{fffd}"),
        (b"\xed\xa0\x80x", "\u{fffd}\u{fffd}\u{fffd}x"),
    ] {
        assert_eq!(rows(&after(SIZE, sent).frame)[0], shown, "{sent:?}");
    }
}

#[test]
fn endless_clusters_are_bounded() {
    let mut sent = "👩".to_owned();
    sent.push_str(&"\u{200d}👩".repeat(300));
    sent.push_str(&"\u{301}".repeat(300));
    sent.push('x');
    let seen = super::seen(SIZE, &[sent.as_bytes()]);
    assert!(seen.frame.cells.iter().all(|cell| cell.text.len() <= 64));
    assert!(rows(&seen.frame).concat().ends_with('x'));
}

#[test]
fn the_narrowest_screen_takes_them() {
    let size = Size { columns: 2, rows: 1 };
    for sent in [FAMILY, "🇧🇷🇫🇷", "#\u{fe0f}\u{20e3}", "a❤\u{fe0f}", "\x1b[4ha❤\u{fe0f}", "\x1b[?7la❤\u{fe0f}🇧🇷"]
    {
        after(size, sent.as_bytes());
    }
}
