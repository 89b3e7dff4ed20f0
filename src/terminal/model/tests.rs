//! What the screen model claims, fed whole and one byte at a time.

use proptest::prelude::*;

use super::*;

const SIZE: Size = Size { columns: 20, rows: 5 };

pub(super) fn feed(model: &mut Model, bytes: &[u8]) {
    let mut at = model.skim(bytes).taken;
    while at < bytes.len() {
        at += model.feed(&bytes[at..]);
    }
}

/// The model after the bytes, with a check that cutting them changes nothing.
fn model(bytes: &[u8]) -> Model {
    let mut whole = Model::new(SIZE, Colours::default());
    feed(&mut whole, bytes);
    let mut single = Model::new(SIZE, Colours::default());
    bytes.chunks(1).for_each(|byte| feed(&mut single, byte));
    assert_eq!(whole.frame(), single.frame());
    assert_eq!(whole.host().replies, single.host().replies);
    assert_eq!(whole.host().title, single.host().title);
    whole
}

#[test]
fn answers_to_a_program_that_only_asks_are_bounded() {
    let mut model = Model::new(SIZE, Colours::default());
    feed(&mut model, "\x1b[c".repeat(100_000).as_bytes());
    assert!(model.host().replies.len() <= 64 * 1024);
}

#[test]
fn titles_bells_and_notifications() {
    let mut model = model(
        b"\x1b]0;one; two;three\x07\x07\x07\x1b[22;0t\x1b]2;other\x1b\\\x1b[23;0t\x1b]9;done; really\x07\x1b]9;4;1;50\x07\
          \x1b]777;notify;Title;a;b\x07",
    );
    let host = model.host();
    assert_eq!(host.title, "one; two;three");
    assert_eq!(host.bells, 2);
    assert_eq!(host.asides.notices.texts, ["done; really", "Title: a;b"]);
}

#[test]
fn wide_characters_take_two_cells_and_are_read_once() {
    let model = model("日本語テスト\r\n".as_bytes());
    let frame = model.frame();
    assert_eq!(frame.cells[0].text, "日");
    assert!(frame.cells[1].continuation && frame.cells[1].text.is_empty());
    assert_eq!(model.text(), "日本語テスト");
}

#[test]
fn the_cursor_stands_where_the_program_put_it() {
    let frame = model(b"\x1b[3;8H\x1b[5 q").frame();
    assert_eq!((frame.cursor, frame.cursor_visible, frame.cursor_shape), ((7, 2), true, CursorShape(5)));
    let frame = model(b"\x1b[?25l\x1b[9;99H").frame();
    assert_eq!((frame.cursor, frame.cursor_visible), ((19, 4), false));
}

#[test]
fn the_alternate_screen_leaves_the_main_one_alone() {
    let mut model = model(b"main\x1b[?1049h\x1b[Hother");
    assert_eq!(model.text(), "other");
    assert!(model.frame().modes.alternate_screen);
    feed(&mut model, b"\x1b[?1049l");
    assert_eq!(model.text(), "main");
}

fn numbered(lines: usize) -> String {
    (1..=lines).fold(String::new(), |text, n| text + &format!("line {n}\r\n"))
}

#[test]
fn wrapped_lines_are_read_as_one() {
    let text = "x".repeat(33);
    assert_eq!(model(format!("{text}\r\nnext").as_bytes()).text(), format!("{text}\nnext"));
}

#[test]
fn a_row_that_is_written_anew_is_the_rest_of_no_other() {
    for erase in ["\x1b[2K", "\x1b[K", "\x1b[J"] {
        let line = "\x1b[31m1234567890123456789\x1b[1mx\x1b[0mrest";
        let model = model(format!("{line}\r{erase}\x1b[32mnew\r\n").as_bytes());
        assert_eq!(model.text(), "1234567890123456789x\nnew", "{erase:?}");
        let frame = model.picture(None);
        let style = |row: usize, column: usize| frame.cells.rows().nth(row).unwrap()[column].style;
        assert_eq!((style(0, 18).foreground, style(0, 18).bold), (crate::domain::Colour::Indexed(1), false));
        assert_eq!((style(0, 19).foreground, style(0, 19).bold), (crate::domain::Colour::Indexed(1), true));
        assert_eq!(style(1, 0).foreground, crate::domain::Colour::Indexed(2));
    }
    // Erased from the middle on it still is.
    assert_eq!(model(b"1234567890123456789xrest\x1b[2D\x1b[K").text(), "1234567890123456789xre");
    let wide = "123456789012345678\u{6f22}rest\r\x1b[2Knew";
    assert_eq!(model(wide.as_bytes()).text(), "123456789012345678\u{6f22}\nnew");
}

#[test]
fn a_wide_character_at_a_shrunken_edge_is_never_half() {
    let mut model = Model::new(Size { columns: 10, rows: 2 }, Colours::default());
    feed(&mut model, "漢漢漢漢漢".as_bytes());
    for columns in (MIN_COLUMNS..10).rev() {
        model.resize(Size { columns, rows: 2 });
        let frame = model.frame();
        for row in frame.cells.rows() {
            let shown: usize = row.iter().map(|cell| crate::base::width(&cell.text)).sum();
            assert!(shown <= usize::from(columns), "{columns}");
            assert!(!row[0].continuation);
        }
    }
}

#[test]
fn the_cursor_stays_inside_while_the_screen_shrinks() {
    let mut model = model(numbered(50).as_bytes());
    for rows in [3, 1, 4] {
        model.resize(Size { columns: 20, rows });
        feed(&mut model, b"more\r\nand more");
        let frame = model.frame();
        assert!(frame.cursor.1 < rows && frame.cells.iter().count() == usize::from(rows) * 20);
    }
}

#[test]
fn a_character_that_widens_later_fits_the_narrowest_screen() {
    let mut model = Model::new(Size { columns: 1, rows: 1 }, Colours::default());
    feed(&mut model, "#\u{fe0f}\u{200d}".as_bytes());
    assert_eq!(model.text(), "#\u{fe0f}\u{200d}");
}

#[test]
fn absurd_sizes_are_bounded() {
    let mut model = Model::new(Size { columns: 0, rows: 0 }, Colours::default());
    assert_eq!(model.size(), Size { columns: MIN_COLUMNS, rows: 1 });
    model.resize(Size { columns: u16::MAX, rows: u16::MAX });
    assert_eq!(model.size(), Size { columns: MAX_COLUMNS, rows: MAX_ROWS });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_bytes_and_sizes_break_it(steps in prop::collection::vec(
        (prop::collection::vec(prop_oneof![
            any::<Vec<u8>>(),
            "\x1b\\[[0-9;:?]{0,8}[@-~]".prop_map(String::into_bytes),
            "[漢👨️é‍ab\r\n\t]{0,6}".prop_map(String::into_bytes),
            "\x1b[\\]PX7-9MDEc][^\x07]{0,6}\x07".prop_map(String::into_bytes),
        ], 0..12), 1u16..40, 1u16..12), 1..6)) {
        survive(&steps)?;
    }
}

type Step = (Vec<Vec<u8>>, u16, u16);

/// Feeds and resizes; the picture fits its size after each step.
fn survive(steps: &[Step]) -> Result<(), TestCaseError> {
    let mut model = Model::new(SIZE, Colours::default());
    for (pieces, columns, rows) in steps {
        for piece in pieces {
            feed(&mut model, piece);
        }
        model.resize(Size { columns: *columns, rows: *rows });
        let (frame, columns) = (model.frame(), (*columns).max(MIN_COLUMNS));
        prop_assert_eq!(frame.cells.iter().count(), usize::from(columns) * usize::from(*rows));
        prop_assert!(frame.cursor.0 < columns && frame.cursor.1 < *rows);
        model.text();
        model.pane_text();
    }
    Ok(())
}
