//! Motions, wrapping, selection, search and links over texts of every kind.

use std::sync::Arc;

use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::links::link_at;
use super::motion::{self, CharSearch};
use super::*;
use crate::app::window::text::{Run, Tone};
use crate::app::window::transcript::{Block, Part};
use crate::domain::{CellStyle, Line, LinkId, MouseButton};

fn frozen(lines: &[&str], screen: u64) -> ScrollText {
    let lines: Vec<Arc<Line>> =
        lines.iter().map(|text| Arc::new(Line { text: (*text).to_owned(), runs: Vec::new() })).collect();
    ScrollText::pane(PaneText::new(100, lines, Vec::new(), 100 + screen))
}

fn mode(lines: &[&str], screen: u64) -> ScrollMode {
    mode_at(lines, screen, (20, 5))
}

fn mode_at(lines: &[&str], screen: u64, (cells, rows): (u16, u16)) -> ScrollMode {
    let text = frozen(lines, screen);
    let stand = Stand::at_end(&Page::new(&text, cells, rows));
    ScrollMode::new(LaneId(1), text, stand, Keyboard::Prompt, false)
}

const VIEW: (u16, u16) = (20, 5);

fn press(mode: &mut ScrollMode, keys: &str) -> mode::Outcome {
    let mut last = mode::Outcome::default();
    for c in keys.chars() {
        let key = match c {
            '⏎' => Key::plain(KeyCode::Enter),
            '⎋' => Key::plain(KeyCode::Esc),
            '█' => Key::ctrl('v'),
            c => Key::char(c),
        };
        last = mode.key(VIEW, key);
    }
    last
}

fn copied(outcome: &mode::Outcome) -> Option<&str> {
    match outcome.actions.as_slice() {
        [WindowAction::Copy(text)] => Some(text),
        _ => None,
    }
}

/// The line, from 0, and the rest of it under the cursor.
fn stands(mode: &ScrollMode) -> (u64, &str) {
    let at = mode.stand.cursor;
    (at.line - 100, &mode.text.line(at.line)[at.byte..])
}

#[test]
fn the_view_begins_where_the_screen_stood() {
    let lines: Vec<String> = (0..20).map(|n| format!("line {n}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let full = mode(&lines, 15);
    let page = Page::new(&full.text, 20, 5);
    assert_eq!(full.stand.top_row(&page).line, 115);
    assert_eq!(full.back(&page), 0);
    // A screen that is not full begins at its first line too.
    let cleared = mode(&lines, 18);
    assert_eq!(cleared.stand.top_row(&Page::new(&cleared.text, 20, 5)).line, 118);
}

#[test]
fn words_lines_and_paragraphs_are_vis() {
    let mut mode = mode(&["let x = foo.bar(1);", "", "  second  one", "漢字 ok", "", "last"], 0);
    press(&mut mode, "g");
    assert_eq!(stands(&mode), (0, "let x = foo.bar(1);"));
    for (keys, line, rest) in [
        ("w", 0, "x = foo.bar(1);"),
        ("2w", 0, "foo.bar(1);"),
        ("e", 0, "o.bar(1);"),
        ("w", 0, ".bar(1);"),
        ("W", 1, ""),
        ("w", 2, "second  one"),
        ("b", 1, ""),
        ("b", 0, ");"),
        ("B", 0, "foo.bar(1);"),
        ("E", 0, ";"),
        ("0", 0, "let x = foo.bar(1);"),
        ("f=", 0, "= foo.bar(1);"),
        ("to", 0, "foo.bar(1);"),
        ("to", 0, "foo.bar(1);"),
        (";", 0, "oo.bar(1);"),
        ("0t=", 0, " = foo.bar(1);"),
        ("$", 0, ";"),
        ("Fo", 0, "o.bar(1);"),
        (";", 0, "oo.bar(1);"),
        (",", 0, "o.bar(1);"),
        ("}", 1, ""),
        ("}", 4, ""),
        ("{", 1, ""),
        ("3g", 2, "second  one"),
        ("0", 2, "  second  one"),
        ("^", 2, "second  one"),
        ("j0l", 3, "字 ok"),
        ("h", 3, "漢字 ok"),
        ("5h", 3, "漢字 ok"),
        ("G", 5, "last"),
        ("99k", 0, "let x = foo.bar(1);"),
        ("L", 4, ""),
        ("H", 0, "let x = foo.bar(1);"),
        ("M", 2, "  second  one"),
    ] {
        press(&mut mode, keys);
        assert_eq!(stands(&mode), (line, rest), "after `{keys}`");
    }
}

#[test]
fn up_and_down_go_by_rows_and_keep_their_column() {
    let mut mode = mode(&["0123456789abcdefghijKLMNO", "xy", "0123456789"], 0);
    press(&mut mode, "g8l");
    for (keys, rest_line, rest) in [("j", 0, "O"), ("j", 1, "y"), ("j", 2, "89"), ("3k", 0, "89abcdefghijKLMNO")] {
        press(&mut mode, keys);
        let (line, text) = stands(&mode);
        assert!(line == rest_line && text.starts_with(rest), "after `{keys}`: {line} {text}");
    }
    press(&mut mode, "$jj");
    assert_eq!(stands(&mode), (2, "9"), "the end of a line stays an end");
}

#[test]
fn painted_blanks_at_the_end_of_a_line_are_not_copied() {
    // As a program leaves them that colours its whole screen.
    let mut mode = mode(&["one             ", "  two  2        ", "                "], 3);
    assert_eq!(copied(&press(&mut mode, "gVjjy")), Some("one\n  two  2\n\n"));
    assert_eq!(copied(&press(&mut mode, "gvjjy")), Some("one\n  two  2\n"));
    assert_eq!(copied(&press(&mut mode, "gv$y")), Some("one"));
    assert_eq!(copied(&press(&mut mode, "gjwlly")), Some("  two  2\n"));
    assert_eq!(copied(&press(&mut mode, "gjv5ly")), Some("  two "), "a blank within the line is text");
}

#[test]
fn a_selection_is_copied_without_what_only_fills_rows() {
    let mut mode = mode(&["a wide 漢字 line that takes two rows", "", "third", "0123456789"], 0);
    assert_eq!(copied(&press(&mut mode, "gwvW$y")), Some("wide 漢字 line that takes two rows"));
    assert_eq!(copied(&press(&mut mode, "gvjjjy")), Some("a wide 漢字 line that takes two rows\n\nt"));
    assert_eq!(copied(&press(&mut mode, "gVy")), Some("a wide 漢字 line that takes two rows\n"));
    assert_eq!(copied(&press(&mut mode, "gY")), Some("a wide 漢字 line that takes two rows\n"));
    assert!(press(&mut mode, "}y").say.is_some_and(|said| said.message == "copied 1 line"));
    // Both ends move.
    assert_eq!(copied(&press(&mut mode, "G2lv2lohy")), Some("1234"));
    assert_eq!(copied(&press(&mut mode, "g5lvj⏎")), Some("e 漢字 line that take"));
    assert!(mode.mark.is_none());
}

#[test]
fn a_block_is_cut_out_of_rows() {
    let mut mode = mode(&["ab漢cd", "abcdef", "a", "abcdef"], 0);
    assert_eq!(copied(&press(&mut mode, "gl█3jlly")), Some("b漢\nbcd\n\nbcd"), "short rows stay short");
    assert_eq!(copied(&press(&mut mode, "gj3l█kly")), Some("漢c\nde"), "half a wide character is the whole");
    assert_eq!(copied(&press(&mut mode, "gl█y")), Some("b"));
}

#[test]
fn escape_unselects_then_leaves() {
    let mut mode = mode(&["one"], 0);
    assert!(!press(&mut mode, "v⎋").leave);
    assert!(press(&mut mode, "⎋").leave);
    assert!(press(&mut mode, "vq").leave);
}

#[test]
fn a_search_shows_what_it_finds_while_it_is_typed() {
    let mut mode = mode(&["foo", "bar", "Foo bar", "baz", "foo foo"], 0);
    press(&mut mode, "/");
    press(&mut mode, "f");
    assert_eq!((stands(&mode), mode.search.count()), ((4, "foo foo"), 4), "the nearest on the way, case ignored");
    press(&mut mode, "o⏎");
    assert_eq!(mode.search.told(mode.stand.cursor), "3 of 4");
    press(&mut mode, "n");
    assert_eq!(stands(&mode), (4, "foo"));
    press(&mut mode, "n");
    assert_eq!(stands(&mode), (0, "foo"), "round at the end");
    press(&mut mode, "N");
    assert_eq!(stands(&mode), (4, "foo"));
    press(&mut mode, "?F⏎");
    assert_eq!((stands(&mode), mode.search.count()), ((2, "Foo bar"), 1), "a capital counts");
    press(&mut mode, "/(no⎋");
    assert_eq!(stands(&mode), (2, "Foo bar"), "given up, all is as before");
    assert_eq!(mode.search.words, "F");
    press(&mut mode, "G0*");
    assert_eq!((stands(&mode), mode.search.count()), ((4, "foo"), 4));
    assert!(press(&mut mode, "/nowhere⏎n").say.is_some());
}

#[test]
fn from_the_end_a_search_finds_the_newest() {
    let mut mode = mode(&["foo 1", "foo 2", "end"], 0);
    press(&mut mode, "/foo⏎");
    assert_eq!(stands(&mode), (1, "foo 2"));
    press(&mut mode, "n");
    assert_eq!(stands(&mode), (0, "foo 1"), "on the way that it went");
}

#[test]
fn paging_past_the_end_leaves() {
    let lines: Vec<String> = (0..40).map(|n| n.to_string()).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut mode = mode(&lines, 35);
    let page = Key::plain(KeyCode::PageDown);
    mode.key(VIEW, Key::plain(KeyCode::PageUp));
    assert!(!mode.key(VIEW, page).leave);
    assert!(mode.key(VIEW, page).leave);
    assert!(!mode.key(VIEW, Key::ctrl('d')).leave, "a shell that gets the next one would end");
    let wheel = |kind| Pointer { kind, x: 0, y: 0, ctrl: false, shift: false, clicks: 0 };
    assert!(!mode.pointer(VIEW, wheel(MouseKind::WheelUp)).leave);
    assert_eq!(mode.back(&Page::new(&mode.text, 20, 5)), 3);
    assert!(!mode.pointer(VIEW, wheel(MouseKind::WheelDown)).leave);
    assert!(mode.pointer(VIEW, wheel(MouseKind::WheelDown)).leave);
}

#[test]
fn the_mouse_selects_characters_words_and_lines() {
    let left = MouseButton::Left;
    let at = |kind, x, y, clicks| Pointer { kind, x, y, ctrl: false, shift: false, clicks };
    let mut mode = mode(&["one two-three four", "second line", "third"], 0);
    for (clicks, to, text) in [
        (1, (9, 0), "two-th"),
        (1, (2, 1), "two-three four\nsec"),
        (2, (5, 0), "two"),
        (2, (7, 1), "two-three four\nsecond line"),
        (3, (0, 0), "one two-three four\n"),
    ] {
        assert!(
            mode.pointer(VIEW, at(MouseKind::Down(left), 5 - i32::from(clicks == 1), 0, clicks)).actions.is_empty()
        );
        mode.pointer(VIEW, at(MouseKind::Drag(left), to.0, to.1, clicks));
        let released = mode.pointer(VIEW, at(MouseKind::Up(left), to.0, to.1, clicks));
        assert_eq!(copied(&released), Some(text), "{clicks} clicks to {to:?}");
        assert!(mode.mark.is_some() && !released.leave, "what was copied stays marked");
    }
    // Backwards by words, the whole word that it began on stays.
    mode.pointer(VIEW, at(MouseKind::Down(left), 10, 0, 2));
    mode.pointer(VIEW, at(MouseKind::Drag(left), 1, 0, 2));
    assert_eq!(copied(&mode.pointer(VIEW, at(MouseKind::Up(left), 1, 0, 2))), Some("one two-three"));
    // A click alone moves the cursor and copies nothing.
    mode.pointer(VIEW, at(MouseKind::Down(left), 3, 1, 1));
    assert!(mode.pointer(VIEW, at(MouseKind::Up(left), 3, 1, 1)).actions.is_empty());
    assert_eq!(stands(&mode), (1, "ond line"));
    assert!(mode.mark.is_none());
}

#[test]
fn a_drag_beyond_the_edge_takes_the_text_along() {
    let lines: Vec<String> = (0..40).map(|n| format!("l{n}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut mode = mode(&lines, 35);
    mode.brief = true;
    let left = MouseButton::Left;
    let at = |kind, x, y| Pointer { kind, x, y, ctrl: false, shift: false, clicks: 1 };
    mode.pointer(VIEW, at(MouseKind::Down(left), 0, 4));
    for _ in 0..3 {
        mode.pointer(VIEW, at(MouseKind::Drag(left), 0, -2));
    }
    assert_eq!(stands(&mode), (29, "l29"));
    let released = mode.pointer(VIEW, at(MouseKind::Up(left), 0, -2));
    assert!(released.leave, "what was begun by the mouse ends with it");
    assert!(copied(&released).is_some_and(|text| text.starts_with("l29\nl30\n") && text.ends_with("l38\nl")));
}

#[test]
fn addresses_are_whole_and_end_where_they_end() {
    let long = format!("see (https://example.com/{}), or", "a/".repeat(100));
    let wide = "読む：https://example.jp/x。終";
    let text = frozen(
        &[&long, wide, "mail mailto:a@b.c! and http://x/y_(z)", "ftp://no httpx://no https:/no", "file:///a/b."],
        0,
    );
    let link = |line: u64, byte: usize| link_at(&text, Place { line: 100 + line, byte }).map(|link| link.target);
    assert_eq!(link(0, 100), Some(format!("https://example.com/{}", "a/".repeat(100))));
    assert_eq!(link(0, 2), None);
    assert_eq!(link(1, 15).as_deref(), Some("https://example.jp/x"));
    assert_eq!(link(2, 6).as_deref(), Some("mailto:a@b.c"));
    assert_eq!(link(2, 30).as_deref(), Some("http://x/y_(z)"));
    assert_eq!((link(3, 2), link(3, 12), link(3, 25)), (None, None, None));
    assert_eq!(link(4, 3).as_deref(), Some("file:///a/b"));
}

#[test]
fn a_laid_link_is_found_under_all_its_pieces() {
    let style = |link, bold| CellStyle { bold, link, ..CellStyle::default() };
    let run = |length, style| crate::domain::Run { length, style };
    let id = Some(LinkId(0));
    let line = Line {
        text: "a link here".into(),
        runs: vec![run(2, style(None, false)), run(2, style(id, true)), run(2, style(id, false))],
    };
    let text = ScrollText::pane(PaneText::new(0, vec![Arc::new(line)], vec!["https://x/".into()], 0));
    let found = |byte| link_at(&text, Place { line: 0, byte }).map(|link| (link.bytes, link.target));
    assert_eq!(found(5), Some((2..6, "https://x/".to_owned())));
    assert_eq!(found(2), found(5));
    assert_eq!((found(0), found(6)), (None, None));
}

#[test]
fn a_transcripts_lines_hang_and_its_calls_stand_apart() {
    use crate::app::window::line::Line as Said;
    let run = |text: &str| Run::new(Tone::Text, text.to_owned());
    let call = Said { right: Some(9), ..Said::new("  ▸ ", 4, vec![run("read a.rs"), run("3 lines")]) };
    let prose = Said::new("  - ", 4, vec![run("one two three four")]);
    let part = |seq, line| Part::ready(seq, 0, Block::None, vec![line]);
    let text = ScrollText::parts(vec![part(1, call), part(2, prose)]);
    let first = text.numbers().start;
    let page = Page::new(&text, 24, 5);
    let glyphs = page.glyphs(first, 0, page.rows(first)[0].clone());
    assert_eq!((glyphs[0].x, glyphs[9].x), (4, 16), "its outcome stands at the right edge");
    let page = Page::new(&text, 14, 5);
    assert_eq!(page.rows(first + 1), [0..8, 8..18]);
    assert_eq!(page.column(Place { line: first + 1, byte: 8 }), 4);
}

/// Everything a person can press, as an index into it.
fn any_key() -> impl Strategy<Value = Key> {
    let plain = "hjklwbeWBE0^$gGHML{}vVnN*oY;,fFtTxa/?135".chars().map(Key::char);
    let ctrl = "udbfyev".chars().map(Key::ctrl);
    let codes = [KeyCode::Enter, KeyCode::Esc, KeyCode::PageUp, KeyCode::PageDown, KeyCode::Up, KeyCode::Home];
    let all: Vec<Key> = plain.chain(ctrl).chain(codes.map(Key::plain)).collect();
    proptest::sample::select(all)
}

fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z ,.]{0,50}",
        2 => "[a漢字é👍 ]{0,30}",
        1 => Just(String::new()),
        1 => Just("👨‍👩‍👧 🇯🇵e\u{301} \u{200b}x".to_owned()),
    ]
}

proptest! {
    #[test]
    fn the_cursor_is_always_on_a_character_in_view(
        lines in proptest::collection::vec(any_line(), 1..30),
        screen in 0u64..30,
        keys in proptest::collection::vec((any_key(), 1u16..30, 1u16..8), 1..60),
    ) {
        let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
        let mut mode = mode_at(&lines, screen.min(lines.len() as u64), VIEW);
        for (key, cells, rows) in keys {
            // Every key may find another size.
            mode.key((cells, rows), key);
            let at = mode.stand.cursor;
            prop_assert!(mode.text.numbers().contains(&at.line), "{key:?}: {at:?}");
            let line = mode.text.line(at.line);
            let starts = line.grapheme_indices(true).any(|(byte, _)| byte == at.byte);
            prop_assert!(starts || (line.is_empty() && at.byte == 0), "{key:?}: {at:?} in {line:?}");
            let page = Page::new(&mode.text, cells, rows);
            let view = page.view(mode.stand.top_row(&page));
            let row = page.row_of(at);
            prop_assert!(view.iter().any(|(seen, _)| *seen == row), "{key:?}: {row:?} in {view:?}");
        }
    }

    #[test]
    fn what_is_copied_is_what_is_marked(
        lines in proptest::collection::vec(any_line(), 1..8),
        ends in (0usize..400, 0usize..400),
        extent in proptest::sample::select(vec![Extent::Chars, Extent::Lines, Extent::Block]),
        cells in 2u16..30,
    ) {
        let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
        let text = frozen(&lines, 0);
        let page = Page::new(&text, cells, 50);
        let places: Vec<Place> = text.numbers().flat_map(|line| {
            let starts: Vec<usize> = text.line(line).grapheme_indices(true).map(|(byte, _)| byte).collect();
            let starts = if starts.is_empty() { vec![0] } else { starts };
            starts.into_iter().map(move |byte| Place { line, byte })
        }).collect();
        let (a, b) = (places[ends.0 % places.len()], places[ends.1 % places.len()]);
        let selection = Selection::new(&page, extent, a, b);
        let mut marked = String::new();
        for line in text.numbers() {
            for (row, bytes) in page.rows(line).into_iter().enumerate() {
                for glyph in page.glyphs(line, row, bytes) {
                    if selection.has(RowAt { line, row }, &glyph) {
                        marked.push_str(&text.line(line)[glyph.bytes]);
                    }
                }
            }
        }
        let squeeze = |text: &str| text.replace(['\n', ' '], "");
        prop_assert_eq!(squeeze(&selection.text(&page)), squeeze(&marked));
        let copied = selection.text(&page);
        prop_assert!(extent != Extent::Chars || !copied.ends_with('\n') || text.line(a.max(b).line).is_empty());
    }

    #[test]
    fn rows_cut_no_character_and_lose_none(line in any_line(), cells in 1u16..40) {
        let text = frozen(&[&line], 0);
        let page = Page::new(&text, cells, 5);
        let mut whole = String::new();
        for (row, bytes) in page.rows(100).into_iter().enumerate() {
            let glyphs = page.glyphs(100, row, bytes);
            prop_assert!(glyphs.len() <= 1 || glyphs.iter().all(|g| g.x + g.width <= usize::from(cells)));
            for glyph in glyphs {
                let place = Place { line: 100, byte: glyph.bytes.start };
                prop_assert_eq!(page.row_of(place).row, row);
                prop_assert_eq!(page.column(place), glyph.x);
                prop_assert_eq!(page.place_at(RowAt { line: 100, row }, glyph.x), place);
                whole.push_str(&line[glyph.bytes]);
            }
        }
        prop_assert_eq!(whole, line);
    }

    #[test]
    fn moving_by_rows_there_and_back_comes_home(
        lines in proptest::collection::vec(any_line(), 1..20),
        from in 0u64..20,
        delta in 0i64..60,
        cells in 1u16..30,
    ) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let text = frozen(&lines, 0);
        let page = Page::new(&text, cells, 5);
        let at = RowAt { line: 100 + from % lines.len() as u64, row: 0 };
        let down = page.moved(at, delta);
        let rows: Vec<RowAt> = Page::new(&text, cells, 2_000).view(RowAt { line: 100, row: 0 }).into_iter().map(|(at, _)| at).collect();
        let place = |at: RowAt| rows.iter().position(|row| *row == at).unwrap() as i64;
        prop_assert_eq!(place(down), (place(at) + delta).min(rows.len() as i64 - 1));
        prop_assert_eq!(page.moved(down, place(at) - place(down)), at);
    }
}

#[test]
fn a_character_is_found_one_after_the_other() {
    let text = frozen(&["a.b.c.d"], 0);
    let at = |byte| Place { line: 100, byte };
    let dot = |forward, till| CharSearch { wanted: '.', forward, till };
    assert_eq!(motion::find_char(&text, at(0), dot(true, false), false), Some(at(1)));
    assert_eq!(motion::find_char(&text, at(0), dot(true, true), false), Some(at(0)));
    assert_eq!(motion::find_char(&text, at(0), dot(true, true), true), Some(at(2)));
    assert_eq!(motion::find_char(&text, at(6), dot(false, false), false), Some(at(5)));
    assert_eq!(motion::find_char(&text, at(6), dot(false, true), true), Some(at(4)));
    assert_eq!(motion::find_char(&text, at(6), dot(true, false), false), None);
}
