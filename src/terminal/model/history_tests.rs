//! Scroll-back and resizing through the model's door.

use proptest::prelude::*;

use super::tests::feed;
use super::*;
use crate::domain::{CellStyle, Colour, Underline};
use crate::terminal::history::{MAX_BYTES, MAX_LINES};

fn sized(columns: u16, rows: u16) -> Model {
    Model::new(Size { columns, rows }, Colours::default())
}

fn lines(model: &Model) -> Vec<String> {
    let text = model.pane_text();
    text.numbers().filter_map(|number| text.line(number)).map(|line| line.text.clone()).collect()
}

fn numbered(lines: usize) -> String {
    (1..=lines).fold(String::new(), |text, n| text + &format!("line {n}\r\n"))
}

#[test]
fn rows_that_leave_are_lines_of_the_text() {
    let mut model = sized(20, 5);
    feed(&mut model, (numbered(12) + "prompt").as_bytes());
    let expected: Vec<String> = (1..=12).map(|n| format!("line {n}")).chain(["prompt".to_owned()]).collect();
    assert_eq!(lines(&model), expected);
    assert_eq!(model.pane_text().screen(), 8);
    feed(&mut model, b"\r\n\r\n\r\n\r\n\r\n\r\n");
    assert_eq!(lines(&model).len(), 19);
}

#[test]
fn wrapped_rows_are_one_line_wherever_they_stand() {
    for rows in 2..8 {
        let mut model = sized(10, rows);
        let url = format!("https://host/{}", "p".repeat(40));
        feed(&mut model, format!("before\r\n{url}\r\nafter").as_bytes());
        assert_eq!(lines(&model), ["before", &url, "after"], "{rows}");
    }
}

#[test]
fn the_oldest_lines_are_dropped_and_the_others_keep_their_numbers() {
    let mut model = sized(20, 5);
    feed(&mut model, numbered(MAX_LINES + 3_000).as_bytes());
    let text = model.pane_text();
    assert_eq!(text.numbers().start, 2_995);
    for number in 2_995..13_000 {
        assert_eq!(text.line(number).unwrap().text, format!("line {}", number + 1));
    }
}

#[test]
fn styles_and_wide_characters_are_kept() {
    let mut model = sized(20, 2);
    feed(&mut model, "\x1b[1;38;2;1;2;3mred\x1b[0m 日本語テスト\x1b[44m  \x1b[K\r\n\x1b[m1\r\n2\r\n3".as_bytes());
    let text = model.pane_text();
    let line = text.line(0).unwrap();
    assert_eq!(line.text.trim_end(), "red 日本語テスト");
    let red = CellStyle { foreground: Colour::Rgb(1, 2, 3), bold: true, ..CellStyle::default() };
    assert_eq!((line.runs[0].length, line.runs[0].style), (3, red));
    let last = line.runs.last().unwrap();
    assert_eq!((last.length, last.style.background), (4, Colour::Indexed(4)));
}

#[test]
fn a_cleared_history_is_gone_and_numbers_go_on() {
    let mut model = sized(20, 3);
    feed(&mut model, numbered(10).as_bytes());
    feed(&mut model, b"\x1b[2J\x1b[3J\x1b[Hnew");
    assert_eq!(lines(&model), ["new"]);
    assert_eq!(model.pane_text().numbers(), 8..9);
}

#[test]
fn lines_that_left_a_region_at_the_top_are_kept() {
    let mut model = sized(20, 24);
    feed(&mut model, b"\x1b[1;20r\x1b[H");
    feed(&mut model, numbered(200).as_bytes());
    feed(&mut model, b"\x1b[r");
    let expected: Vec<String> = (1..=200).map(|n| format!("line {n}")).collect();
    assert_eq!(lines(&model), expected);
}

#[test]
fn the_alternate_screen_stands_behind_the_history() {
    let mut model = sized(20, 3);
    feed(&mut model, numbered(5).as_bytes());
    feed(&mut model, b"\x1b[?1049h\x1b[Hother\r\n\r\n\r\n\r\nscrolled");
    assert_eq!(lines(&model), ["line 1", "line 2", "line 3", "", "", "scrolled"]);
    feed(&mut model, b"\x1b[?1049l");
    assert_eq!(lines(&model), ["line 1", "line 2", "line 3", "line 4", "line 5", ""]);
}

#[test]
fn ten_thousand_full_lines_take_less_than_four_megabytes() {
    let mut model = sized(120, 40);
    let mut styled = String::new();
    for n in 0..MAX_LINES + 100 {
        let word = format!("{n:>6} some words of a line that a program wrote, ");
        styled += &["\x1b[32m", &word, "\x1b[0m", &"and more of them ".repeat(4), "\r\n"].concat();
    }
    feed(&mut model, styled.as_bytes());
    assert_eq!(model.pane_text().numbers().count(), MAX_LINES + 41);
    assert!(model.host().history.size() < 2_000_000, "{}", model.host().history.size());
}

#[test]
fn the_costliest_lines_stay_within_the_bytes_too() {
    let mut model = sized(120, 40);
    let mut line = String::new();
    for n in 0..MAX_LINES {
        line.clear();
        for column in 0..60 {
            line += &["\x1b[38;2;", &(n % 256).to_string(), ";", &column.to_string(), ";7m漢"].concat();
        }
        line.push_str("\x1b[m\r\n");
        feed(&mut model, line.as_bytes());
    }
    assert!(model.host().history.size() <= MAX_BYTES, "{}", model.host().history.size());
    assert!(model.pane_text().numbers().count() > 500);
}

#[test]
fn a_line_without_end_is_bounded() {
    let mut model = sized(120, 40);
    for _ in 0..200 {
        feed(&mut model, &vec![b'x'; 64 * 1024]);
    }
    assert!(model.host().history.size() <= MAX_BYTES);
    let text = model.pane_text();
    assert!(text.numbers().filter_map(|number| text.line(number)).all(|line| line.text.len() <= 64 * 1024));
}

/// What the screen shows as text, row by row.
fn screen(model: &Model) -> Vec<String> {
    let frame = model.frame();
    let row = |cells: &[Cell]| {
        let cells = cells.iter().filter(|cell| !cell.continuation);
        let text: String = cells.map(|cell| if cell.text.is_empty() { " " } else { &cell.text }).collect();
        text.trim_end().to_owned()
    };
    frame.cells.rows().map(row).collect()
}

fn resize(model: &mut Model, columns: u16, rows: u16) {
    model.resize(Size { columns, rows });
}

#[test]
fn rows_come_back_when_the_screen_grows_and_lines_are_wrapped_anew() {
    let mut model = sized(20, 6);
    feed(&mut model, format!("{}{}\r\nprompt", numbered(6), "x".repeat(30)).as_bytes());
    assert_eq!(screen(&model), ["line 4", "line 5", "line 6", &"x".repeat(20), &"x".repeat(10), "prompt"]);
    resize(&mut model, 40, 6);
    assert_eq!(screen(&model), ["line 3", "line 4", "line 5", "line 6", &"x".repeat(30), "prompt"]);
    assert_eq!(model.frame().cursor, (6, 5));
    resize(&mut model, 10, 8);
    let x = "x".repeat(10);
    assert_eq!(screen(&model), ["line 3", "line 4", "line 5", "line 6", &x, &x, &x, "prompt"]);
    resize(&mut model, 20, 6);
    assert_eq!(screen(&model), ["line 4", "line 5", "line 6", &"x".repeat(20), &"x".repeat(10), "prompt"]);
    resize(&mut model, 20, 100);
    assert_eq!(lines(&model).len(), 8);
    assert_eq!(screen(&model)[0], "line 1");
}

#[test]
fn every_line_is_there_once_after_any_sizes() {
    let mut model = sized(100, 24);
    let text: Vec<String> = (1..=500).map(|n| format!("line {n} {}", "x".repeat(48))).collect();
    feed(&mut model, (text.join("\r\n") + "\r\n").as_bytes());
    for (columns, rows) in [(30, 10), (200, 50), (2, 1), (57, 3), (3, 60), (120, 40), (100, 24)] {
        resize(&mut model, columns, rows);
        assert_eq!(lines(&model)[..500], text, "{columns}x{rows}");
    }
}

#[test]
fn what_was_cleared_away_does_not_come_back() {
    let mut model = sized(20, 5);
    feed(&mut model, (numbered(20) + "\x1b[H\x1b[2Jprompt").as_bytes());
    resize(&mut model, 20, 10);
    assert_eq!(screen(&model)[0], "prompt");
    resize(&mut model, 3, 2);
    assert_eq!(screen(&model), ["pro", "mpt"]);
    resize(&mut model, 20, 10);
    assert_eq!(screen(&model)[..2], ["prompt", ""]);
    assert_eq!(lines(&model).len(), 17);
}

#[test]
fn a_wide_character_that_did_not_fit_does_not_end_its_line() {
    let mut model = sized(9, 4);
    feed(&mut model, "漢漢漢漢漢漢漢\r\nend".as_bytes());
    assert_eq!(lines(&model), ["漢漢漢漢漢漢漢", "end"]);
    for columns in [8, 5, 2, 3, 14, 13, 30] {
        resize(&mut model, columns, 4);
        assert_eq!(lines(&model), ["漢漢漢漢漢漢漢", "end"], "{columns}");
    }
    feed(&mut model, "\r\n1\r\n2\r\n3\r\n4".as_bytes());
    assert_eq!(lines(&model)[0], "漢漢漢漢漢漢漢");
}

#[test]
fn the_alternate_screen_is_cut_and_the_primary_one_behind_it_is_wrapped() {
    let mut model = sized(20, 4);
    feed(&mut model, format!("{}\r\nprompt\x1b[?1049h\x1b[H{}", "y".repeat(30), "z".repeat(20)).as_bytes());
    resize(&mut model, 10, 4);
    assert_eq!(screen(&model), [&*"z".repeat(10), "", "", ""]);
    feed(&mut model, b"\x1b[?1049l");
    assert_eq!(screen(&model), [&*"y".repeat(10), &"y".repeat(10), &"y".repeat(10), "prompt"]);
    assert_eq!(model.frame().cursor, (6, 3));
    resize(&mut model, 30, 4);
    assert_eq!(screen(&model), [&*"y".repeat(30), "prompt", "", ""]);
}

#[test]
fn the_cursor_and_a_pending_wrap_stay_at_their_character() {
    let mut model = sized(10, 4);
    feed(&mut model, b"abcdefghijklmno\x1b[D\x1b[D");
    assert_eq!(model.frame().cursor, (3, 1));
    for (columns, place) in [(7, (6, 1)), (14, (13, 0)), (13, (0, 1)), (30, (13, 0)), (10, (3, 1))] {
        resize(&mut model, columns, 4);
        assert_eq!(model.frame().cursor, place, "{columns}");
    }
    let mut model = sized(10, 4);
    feed(&mut model, b"abcdefghij");
    resize(&mut model, 5, 4);
    feed(&mut model, b"k");
    assert_eq!(lines(&model), ["abcdefghijk"]);
    assert_eq!(screen(&model), ["abcde", "fghij", "k", ""]);
}

#[test]
fn styles_modes_and_the_saved_cursor_survive() {
    let mut model = sized(10, 4);
    feed(&mut model, b"\x1b[31mred\x1b7\x1b[m plain text\x1b[?2004h\x1b[?25l\x1b[1;32m");
    resize(&mut model, 6, 5);
    let frame = model.frame();
    assert_eq!(frame.cells[0].style.foreground, Colour::Indexed(1));
    assert_eq!(frame.cells[4].style, CellStyle::default());
    assert!(frame.modes.bracketed_paste && !frame.cursor_visible);
    feed(&mut model, b"X");
    let style = model.frame().cells[usize::from(frame.cursor.1) * 6 + usize::from(frame.cursor.0)].style;
    assert_eq!((style.foreground, style.bold), (Colour::Indexed(2), true));
}

#[test]
fn what_cells_cannot_hold_goes_to_the_history_and_back() {
    let rows = "\x1b[9;4:3;58:5:3mstruck\x1b[m \x1b]8;;https://host/a\x1b\\link\x1b]8;;\x1b\\ 👨‍👩‍👧 🇧🇷 ❤️ é\u{301}x";
    let mut model = sized(30, 3);
    feed(&mut model, format!("{rows}\r\n1\r\n2\r\n3").as_bytes());
    let check = |model: &Model| {
        let text = model.pane_text();
        let line = text.line(0).unwrap();
        assert_eq!(line.text, "struck link 👨‍👩‍👧 🇧🇷 ❤️ é\u{301}x");
        let style = line.runs[0].style;
        assert!(style.strikethrough && style.underline == Underline::Curly && line.runs[0].length == 6);
        assert_eq!(style.underline_colour, Colour::Indexed(3));
        let link = line.runs.iter().find_map(|run| run.style.link).unwrap();
        assert_eq!(text.link(link), Some("https://host/a"));
    };
    check(&model);
    resize(&mut model, 30, 5);
    check(&model);
    let mut fresh = sized(30, 5);
    feed(&mut fresh, format!("{rows}\r\n1\r\n2\r\n3").as_bytes());
    let (frame, expected) = (model.frame(), fresh.frame());
    assert_eq!(frame.links, expected.links);
    for (cell, expected) in frame.cells.iter().zip(expected.cells.iter()) {
        assert_eq!(
            (cell.text.trim(), cell.style, cell.continuation),
            (expected.text.trim(), expected.style, expected.continuation)
        );
    }
    for columns in [9, 4, 17, 30] {
        resize(&mut model, columns, 2);
        check(&model);
    }
}

#[test]
fn a_saved_cursor_goes_with_its_text() {
    let mut model = sized(10, 4);
    feed(&mut model, b"abcdefgh\x1b7ijklm\r\nend");
    resize(&mut model, 6, 4);
    feed(&mut model, b"\x1b8X");
    assert_eq!(screen(&model), ["abcdef", "ghXjkl", "m", "end"]);
}

/// What Ink does for a frame: it erases the lines of the one before, from below, and prints the next.
fn ink(lines: usize, frame: &[String]) -> String {
    let erase =
        if lines == 0 { String::new() } else { "\x1b[2K".to_owned() + &"\x1b[1A\x1b[2K".repeat(lines) + "\x1b[G" };
    erase + &frame.join("\r\n") + "\r\n"
}

#[test]
fn a_program_that_repaints_by_counting_lines_leaves_no_ghosts() {
    let boxed = |columns: usize, text: &str| {
        vec![
            format!("╭{}╮", "─".repeat(columns - 2)),
            format!("│{text:<width$}│", width = columns - 2),
            format!("╰{}╯", "─".repeat(columns - 2)),
        ]
    };
    let long = "a finished answer that is longer than the pane is wide, which is wrapped anew";
    let mut model = sized(60, 12);
    feed(&mut model, format!("\x1b[?25l{long}\r\n").as_bytes());
    feed(&mut model, ink(0, &boxed(60, "one")).as_bytes());
    feed(&mut model, ink(3, &boxed(60, "two")).as_bytes());
    for columns in [30u16, 80, 47, 120, 20, 60] {
        resize(&mut model, columns, 12);
        feed(&mut model, ink(3, &boxed(usize::from(columns), "three")).as_bytes());
        let expected: Vec<String> =
            [long.to_owned()].into_iter().chain(boxed(usize::from(columns), "three")).chain([String::new()]).collect();
        assert_eq!(lines(&model), expected, "{columns}");
    }
}

#[test]
fn a_cursor_put_into_an_input_field_does_not_end_the_repainted_rows() {
    // As gemini does it: hidden, four rows up into its field; down again before the next frame.
    let frame = |columns: usize, text: &str| {
        let line = "─".repeat(columns);
        let rows =
            ["", &format!("{:>columns$}", "? for shortcuts"), &line, text, &line, " /directory"].map(str::to_owned);
        rows.join("\r\n") + "\x1b[2A\x1b[6G"
    };
    let erase = "\x1b[2B\x1b[2K".to_owned() + &"\x1b[1A\x1b[2K".repeat(5) + "\x1b[G";
    let mut model = sized(100, 23);
    feed(&mut model, format!("\x1b[?25lan answer\r\n{}", frame(100, "> typed")).as_bytes());
    feed(&mut model, (erase.clone() + &frame(100, "> typed")).as_bytes());
    for columns in [60u16, 120, 44, 100] {
        resize(&mut model, columns, 23);
        feed(&mut model, (erase.clone() + &frame(usize::from(columns), "> more")).as_bytes());
        let line = "─".repeat(usize::from(columns));
        let hint = format!("{:>1$}", "? for shortcuts", usize::from(columns));
        assert_eq!(lines(&model), ["an answer", "", &hint, &line, "> more", &line, " /directory"], "{columns}");
    }
}

#[test]
fn a_program_that_puts_its_cursor_into_its_block_leaves_no_ghosts_and_loses_no_line() {
    let block = |columns: usize| ["─".repeat(columns), "> input".to_owned(), "─".repeat(columns), "status".to_owned()];
    let frame = |columns: usize| format!("\x1b[3B{}\x1b[3A", ink(4, &block(columns)));
    let mut model = sized(40, 12);
    let finished: Vec<String> = (1..=20).map(|n| format!("line {n}")).collect();
    feed(&mut model, format!("\x1b[?25l{}\r\n{}\x1b[3A", finished.join("\r\n"), ink(0, &block(40))).as_bytes());
    feed(&mut model, frame(40).as_bytes());
    for (columns, rows) in [(44, 8), (40, 12), (20, 9), (60, 5), (40, 12)] {
        resize(&mut model, columns, rows);
        feed(&mut model, frame(usize::from(columns)).as_bytes());
        let expected: Vec<String> = finished.iter().cloned().chain(block(usize::from(columns))).collect();
        assert_eq!(lines(&model), expected, "{columns}x{rows}");
    }
}

#[test]
fn what_was_cut_of_a_repainted_row_comes_back() {
    let mut model = sized(40, 6);
    let row = "0123456789".repeat(3);
    feed(
        &mut model,
        format!("\x1b[?25l{}{}", ink(0, std::slice::from_ref(&row)), ink(1, &[row.clone(), "other".to_owned()]))
            .as_bytes(),
    );
    resize(&mut model, 12, 6);
    assert_eq!(screen(&model)[..2], [&row[..12], "other"]);
    resize(&mut model, 7, 6);
    resize(&mut model, 40, 6);
    assert_eq!(screen(&model)[..2], [&*row, "other"]);
}

#[test]
fn a_shell_that_went_on_below_an_edited_line_has_no_live_rows() {
    let mut model = sized(20, 8);
    feed(&mut model, b"$ a command that takes two rows\x1b[A\r\x1b[B\r\n");
    feed(&mut model, b"output that is longer than the pane\r\n$ ");
    resize(&mut model, 40, 8);
    assert_eq!(screen(&model)[..3], ["$ a command that takes two rows", "output that is longer than the pane", "$"]);
}

#[test]
fn a_program_that_clears_everything_and_prints_again_has_its_lines_once() {
    let history: Vec<String> = (1..=60).map(|n| format!("message {n} {}", "word ".repeat(8).trim_end())).collect();
    let mut model = sized(60, 20);
    feed(&mut model, history.join("\r\n").as_bytes());
    for columns in [30, 100, 60] {
        resize(&mut model, columns, 20);
        feed(&mut model, format!("\x1b[2J\x1b[3J\x1b[H{}", history.join("\r\n")).as_bytes());
        assert_eq!(lines(&model), history, "{columns}");
    }
}

#[test]
fn a_cursor_above_what_no_longer_fits_stays_on_its_line() {
    let mut model = sized(20, 10);
    feed(&mut model, b"1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\x1b[2;1Hhere");
    resize(&mut model, 20, 3);
    let frame = model.frame();
    assert_eq!(frame.cursor.0, 4);
    assert_eq!(screen(&model)[usize::from(frame.cursor.1)], "here");
}

#[test]
fn growing_pane_while_output_continues_on_one_row() {
    let mut model = sized(20, 50);
    feed(&mut model, numbered(50).as_bytes());
    resize(&mut model, 20, 3);
    resize(&mut model, 20, 1);
    feed(&mut model, b"more\r\nand more");
    assert_eq!(model.frame().cursor, (8, 0));
    resize(&mut model, 20, 50);
    let expected: Vec<String> =
        (1..=50).map(|n| format!("line {n}")).chain(["more".to_owned(), "and more".to_owned()]).collect();
    assert_eq!(lines(&model), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_flood_in_one_piece_is_as_line_by_line(
        parts in prop::collection::vec(prop_oneof![
            8 => ("[a-z ]{0,30}", 1usize..120).prop_map(|(line, count)| (line + "\r\n").repeat(count)),
            1 => "[a-z]{0,5}\n|\r|[a-z]{1,9}|\t",
            1 => "漢字[a-z]{0,9}\r\n",
            1 => prop::sample::select(vec![
                "\x1b[2;4r", "\x1b[r", "\x1b[31m", "\x1b[m", "\x1b[H", "\x1b[9H", "\x1b[A", "\x1b[?1049h", "\x1b[?1049l",
                "\x1b[2J", "\x1b[3J", "\x1b[5b", "\x1b[?7l", "\x1b[?7h", "\x1b[20h", "\x1b[4l",
            ]).prop_map(str::to_owned),
        ], 1..14),
        columns in 2u16..40, rows in 1u16..9,
    ) {
        let bytes = parts.concat();
        let mut whole = sized(columns, rows);
        feed(&mut whole, bytes.as_bytes());
        let mut pieces = sized(columns, rows);
        bytes.as_bytes().chunks(7).for_each(|piece| feed(&mut pieces, piece));
        prop_assert_eq!(whole.frame(), pieces.frame());
        // On a single row the emulator does not tell where a line wraps.
        if rows > 1 {
            prop_assert_eq!(lines(&whole), lines(&pieces));
        }
        prop_assert_eq!(whole.host().history.rows(), pieces.host().history.rows());
        resize(&mut whole, 21, 6);
        resize(&mut pieces, 21, 6);
        if rows > 1 {
            prop_assert_eq!(whole.frame(), pieces.frame());
        }
    }
}

/// A text and what a terminal keeps of it: its lines, blank ends cut.
fn any_lines() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("([a-z]{1,9} |漢字|é|[a-z]{1,60}){0,12}", 1..60)
        .prop_map(|lines| lines.iter().map(|line| line.trim_end().to_owned()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn lines_are_there_once_and_in_order(
        parts in prop::collection::vec((any_lines(), 2u16..70, 2u16..20), 1..6),
        back in any::<prop::sample::Index>(),
    ) {
        let mut model = sized(40, 8);
        let mut expected: Vec<String> = Vec::new();
        for (text, columns, rows) in &parts {
            feed(&mut model, (text.join("\r\n") + "\r\n").as_bytes());
            expected.extend(text.iter().cloned());
            resize(&mut model, *columns, *rows);
            let mut found = lines(&model);
            prop_assert_eq!(found.pop(), Some(String::new()));
            prop_assert_eq!(&found, &expected);
            let frame = model.frame();
            prop_assert!(frame.cursor.0 == 0 && frame.cursor.1 < *rows);
        }
        // An unfinished line keeps the cursor at its character.
        let line = "abcdefghijklmnopqrstuvwxyz0123456789";
        let at = back.index(line.len());
        feed(&mut model, line.as_bytes());
        let (columns, rows) = (model.size().columns, model.size().rows);
        if usize::from(columns) > line.len() {
            feed(&mut model, format!("\x1b[{}G", at + 1).as_bytes());
            for (wide, high) in [(50, 5), (7, 9), (3, 30), (columns, rows)] {
                resize(&mut model, wide, high);
                let frame = model.frame();
                let cell = usize::from(frame.cursor.1) * usize::from(wide) + usize::from(frame.cursor.0);
                prop_assert_eq!(frame.cells[cell].text.as_str(), &line[at..=at]);
            }
        }
        prop_assert!(lines(&model).last().is_some_and(|last| last == line));
    }

    #[test]
    fn there_and_back_nothing_has_changed(
        text in any_lines(), sizes in prop::collection::vec((2u16..70, 1u16..30), 1..5),
    ) {
        let mut model = sized(40, 8);
        feed(&mut model, text.join("\r\n").as_bytes());
        let before = (screen(&model), model.frame().cursor, lines(&model));
        for (columns, rows) in sizes {
            resize(&mut model, columns, rows);
        }
        resize(&mut model, 40, 8);
        prop_assert_eq!((screen(&model), model.frame().cursor, lines(&model)), before);
    }
}
