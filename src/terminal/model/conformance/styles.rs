//! How it looks.

use super::{SIZE, after, rows, style};
use crate::domain::{CellStyle, Colour, Underline};

/// The style of the first cell.
fn first(sent: &str) -> CellStyle {
    style(&after(SIZE, sent.as_bytes()).frame, 0, 0)
}

const PLAIN: CellStyle = CellStyle {
    foreground: Colour::Default,
    background: Colour::Default,
    bold: false,
    dim: false,
    italic: false,
    underline: Underline::None,
    underline_colour: Colour::Default,
    inverse: false,
    strikethrough: false,
    hidden: false,
    link: None,
};

#[test]
fn attributes() {
    for (sent, expected) in [
        ("\x1b[1mX", CellStyle { bold: true, ..PLAIN }),
        ("\x1b[2mX", CellStyle { dim: true, ..PLAIN }),
        ("\x1b[1;2mX", CellStyle { bold: true, dim: true, ..PLAIN }),
        ("\x1b[2m\x1b[1mX", CellStyle { bold: true, dim: true, ..PLAIN }),
        ("\x1b[1;2;22mX", PLAIN),
        ("\x1b[1;2;22;2mX", CellStyle { dim: true, ..PLAIN }),
        ("\x1b[3mX", CellStyle { italic: true, ..PLAIN }),
        ("\x1b[3;23mX", PLAIN),
        ("\x1b[7mX", CellStyle { inverse: true, ..PLAIN }),
        ("\x1b[7;27mX", PLAIN),
        ("\x1b[8mX", CellStyle { hidden: true, ..PLAIN }),
        ("\x1b[8;28mX", PLAIN),
        ("\x1b[9mX", CellStyle { strikethrough: true, ..PLAIN }),
        ("\x1b[9;29mX", PLAIN),
        ("\x1b[5;6;25;53;55mX", PLAIN),
        ("\x1b[1;3;8;9mX", CellStyle { bold: true, italic: true, hidden: true, strikethrough: true, ..PLAIN }),
        ("\x1b[1;3;8;9m\x1b[mX", PLAIN),
        ("\x1b[1;;3mX", CellStyle { italic: true, ..PLAIN }),
        ("\x1b[9m\x1bcX", PLAIN),
        ("\x1b[9m\x1b[!pX", PLAIN),
    ] {
        assert_eq!(first(sent), expected, "{sent:?}");
    }
}

#[test]
fn underlines() {
    let line = |underline| CellStyle { underline, ..PLAIN };
    let red = Colour::Rgb(255, 0, 7);
    for (sent, expected) in [
        ("\x1b[4mX", line(Underline::Single)),
        ("\x1b[4:1mX", line(Underline::Single)),
        ("\x1b[4:2mX", line(Underline::Double)),
        ("\x1b[21mX", line(Underline::Double)),
        ("\x1b[4:3mX", line(Underline::Curly)),
        ("\x1b[4:4mX", line(Underline::Dotted)),
        ("\x1b[4:5mX", line(Underline::Dashed)),
        ("\x1b[4:3;4:0mX", PLAIN),
        ("\x1b[4:3;24mX", PLAIN),
        ("\x1b[4:3;4mX", line(Underline::Single)),
        ("\x1b[4;58;5;9mX", CellStyle { underline_colour: Colour::Indexed(9), ..line(Underline::Single) }),
        ("\x1b[4;58:5:9mX", CellStyle { underline_colour: Colour::Indexed(9), ..line(Underline::Single) }),
        ("\x1b[4:3;58;2;255;0;7mX", CellStyle { underline_colour: red, ..line(Underline::Curly) }),
        ("\x1b[4:3;58:2::255:0:7mX", CellStyle { underline_colour: red, ..line(Underline::Curly) }),
        ("\x1b[4:3;58:2:255:0:7mX", CellStyle { underline_colour: red, ..line(Underline::Curly) }),
        ("\x1b[4;58;5;9;59mX", line(Underline::Single)),
        ("\x1b[58;2;2;0;1mX", PLAIN),
        ("\x1b[58;5;9m\x1b[1mX", CellStyle { bold: true, ..PLAIN }),
    ] {
        assert_eq!(first(sent), expected, "{sent:?}");
    }
}

#[test]
fn colours() {
    let ink = |foreground| CellStyle { foreground, ..PLAIN };
    let paper = |background| CellStyle { background, ..PLAIN };
    let rgb = Colour::Rgb(102, 4, 7);
    for (sent, expected) in [
        ("\x1b[31mX", ink(Colour::Indexed(1))),
        ("\x1b[97mX", ink(Colour::Indexed(15))),
        ("\x1b[42mX", paper(Colour::Indexed(2))),
        ("\x1b[107mX", paper(Colour::Indexed(15))),
        ("\x1b[31;39mX", PLAIN),
        ("\x1b[41;49mX", PLAIN),
        ("\x1b[38;5;200mX", ink(Colour::Indexed(200))),
        ("\x1b[38:5:200mX", ink(Colour::Indexed(200))),
        ("\x1b[38;2;102;4;7mX", ink(rgb)),
        ("\x1b[38:2:102:4:7mX", ink(rgb)),
        ("\x1b[38:2::102:4:7mX", ink(rgb)),
        ("\x1b[48;2;102;4;7mX", paper(rgb)),
        ("\x1b[48:2::102:4:7mX", paper(rgb)),
        ("\x1b[48:5:9mX", paper(Colour::Indexed(9))),
        ("\x1b[38;2;1;2;3;48;5;4mX", CellStyle { background: Colour::Indexed(4), ..ink(Colour::Rgb(1, 2, 3)) }),
        (
            "\x1b[38:2::1:2:3;48:5:4;1mX",
            CellStyle { background: Colour::Indexed(4), bold: true, ..ink(Colour::Rgb(1, 2, 3)) },
        ),
        // Out of range: the colour stays, and what follows counts.
        ("\x1b[31;38;5;256;1mX", CellStyle { bold: true, ..ink(Colour::Indexed(1)) }),
        ("\x1b[38;2;300;4;7;3mX", CellStyle { italic: true, ..PLAIN }),
        ("\x1b[38;2;1;2mX", PLAIN),
        ("\x1b[38mX", PLAIN),
    ] {
        assert_eq!(first(sent), expected, "{sent:?}");
    }
    let seen = after(SIZE, b"\x1b[38;2;102;4;7mX\x1b[0mY");
    assert_eq!(style(&seen.frame, 0, 1), PLAIN);
}

#[test]
fn a_long_list_of_attributes_counts_to_its_end() {
    let sent = format!("\x1b[{}31mX", "1;22;".repeat(40));
    assert_eq!(first(&sent).foreground, Colour::Indexed(1));
}

#[test]
fn what_is_carried_by_tags_is_on_its_cell_alone() {
    let seen = after(SIZE, "a\x1b[9mb漢e\u{301}\x1b[29mc\x1b[8md\x1b[0me".as_bytes());
    let strikes: Vec<bool> = seen.frame.cells.iter().take(8).map(|cell| cell.style.strikethrough).collect();
    assert_eq!(strikes, [false, true, true, true, true, false, false, false]);
    assert!(style(&seen.frame, 0, 6).hidden && !style(&seen.frame, 0, 7).hidden);
    assert_eq!(rows(&seen.frame)[0], "ab漢e\u{301}cde");
    assert_eq!(seen.text, "ab漢e\u{301}cde");
}

#[test]
fn links_are_numbered_by_picture() {
    let seen = after(
        SIZE,
        b"\x1b]8;;https://a.example/x;y\x07a\x1b[0mb\x1b]8;;\x07c\x1b]8;id=7;https://b.example/\x1b\\d\x1b]8;;\x1b\\\x1b]8;;https://a.example/x;y\x07e",
    );
    let links: Vec<Option<&str>> = (0..5)
        .map(|column| style(&seen.frame, 0, column).link.map(|id| &*seen.frame.links[usize::from(id.0)]))
        .collect();
    let a = Some("https://a.example/x;y");
    assert_eq!(links, [a, a, None, Some("https://b.example/"), a]);
    assert_eq!(seen.frame.links.len(), 2);
    assert_eq!(seen.text, "abcde");
}

#[test]
fn a_link_is_no_attribute_and_outlives_resets_of_the_pen() {
    let seen = after(SIZE, b"\x1b]8;;https://a.example/\x07\x1b7\x1b[9ma\x1b[m\x1b8b\x1b[!pc\x1bcd");
    let linked: Vec<bool> = (0..4).map(|column| style(&seen.frame, 0, column).link.is_some()).collect();
    // RIS clears the screen: only the last letter is left.
    assert_eq!((rows(&seen.frame)[0].as_str(), linked), ("d", vec![false; 4]));
    let seen = after(SIZE, b"\x1b]8;;https://a.example/\x07\x1b[9ma\x1b[mb\x1b[!pc");
    assert!((0..3).all(|column| style(&seen.frame, 0, column).link.is_some()));
}

#[test]
fn a_saved_cursor_brings_its_pen_back() {
    let seen = after(SIZE, b"\x1b[1;2;4:3;9;38;2;1;2;3;48;5;9m\x1b7\x1b[mx\x1b[2;2H\x1b8\x1b[2Cy");
    let expected = CellStyle {
        foreground: Colour::Rgb(1, 2, 3),
        background: Colour::Indexed(9),
        bold: true,
        dim: true,
        underline: Underline::Curly,
        strikethrough: true,
        ..PLAIN
    };
    assert_eq!((style(&seen.frame, 0, 0), style(&seen.frame, 0, 2)), (PLAIN, expected));
}

#[test]
fn blank_cells_have_the_pens_background_and_nothing_else() {
    let blue = CellStyle { background: Colour::Indexed(4), ..PLAIN };
    for (sent, row, column) in [
        ("\x1b[44;31;1;3;4;7;9m\x1b[K", 0, 3),
        ("\x1b[44m\x1b[2J", 4, 11),
        ("abc\x1b[44m\x1b[2G\x1b[1X", 0, 1),
        ("abc\x1b[44m\x1b[2G\x1b[1@", 0, 1),
        ("abc\x1b[44m\x1b[2G\x1b[1P", 0, 11),
        ("a\r\nb\x1b[44m\x1b[H\x1b[L", 0, 0),
        ("a\r\nb\x1b[44m\x1b[H\x1b[M", 4, 0),
        ("a\r\nb\x1b[44m\x1b[S", 4, 5),
        ("a\r\nb\x1b[44m\x1b[T", 0, 5),
        ("a\x1b[44m\x1b[H\x1bM", 0, 5),
        ("\x1b[44m\x1b[5H\n", 4, 5),
        ("\x1b[44m\x1b[5H\x1bD", 4, 5),
        ("\x1b[44m\x1b[5H\x1bE", 4, 5),
        ("\x1b[2;3r\x1b[44m\x1b[3H\n", 2, 5),
        ("\x1b[2;3r\x1b[?6h\x1b[44m\x1b[S", 2, 5),
    ] {
        let frame = after(SIZE, sent.as_bytes()).frame;
        assert_eq!(style(&frame, row, column), blue, "{sent:?}");
    }
    // And without one they are plain, whatever else the pen is.
    for sent in ["\x1b[7;4m\x1b[2J", "\x1b[7mabc\x1b[K", "\x1b[7;9m\x1b[5H\n"] {
        assert_eq!(style(&after(SIZE, sent.as_bytes()).frame, 4, 5), PLAIN, "{sent:?}");
    }
}

#[test]
fn blank_cells_that_come_in_leave_the_cursor_alone() {
    let seen = after(SIZE, b"\x1b[2;3r\x1b[44m\x1b[2;4H\x1b[Lx\x1b[2;12Hyz");
    assert_eq!(rows(&seen.frame)[1..3], ["   x       y", "z"]);
}
