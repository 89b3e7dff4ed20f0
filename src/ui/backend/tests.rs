//! The bytes, fed to a terminal emulator, must show what ratatui meant.

use std::num::NonZeroU16;

use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

use super::*;

const COLUMNS: u16 = 12;
const ROWS: u16 = 4;

fn backend(depth: ColourDepth) -> WindowBackend {
    WindowBackend::new(domain::Size { columns: COLUMNS, rows: ROWS }, depth)
}

fn emulator() -> vt100::Parser {
    vt100::Parser::new(NonZeroU16::new(ROWS).unwrap(), NonZeroU16::new(COLUMNS).unwrap(), 0)
}

fn show(terminal: &mut Terminal<WindowBackend>, lines: &[&str]) -> Vec<u8> {
    let view = |frame: &mut ratatui::Frame<'_>| {
        for (y, line) in (0..).zip(lines) {
            frame.buffer_mut().set_string(0, y, line, Style::new());
        }
    };
    terminal.draw(view).unwrap();
    terminal.backend_mut().take()
}

#[test]
fn a_frame_is_one_update_and_nothing_is_empty() {
    let mut terminal = Terminal::new(backend(ColourDepth::True)).unwrap();
    let first = String::from_utf8(show(&mut terminal, &["ab"])).unwrap();
    assert_eq!(first, "\x1b[?2026h\x1b[?7l\x1b[?25l\x1b[0m\x1b[1;1Hab\x1b[?2026l");
    assert_eq!(show(&mut terminal, &["ab"]), b"");
    assert_eq!(show(&mut terminal, &["ax"]), b"\x1b[?2026h\x1b[1;2Hx\x1b[?2026l");
}

#[test]
fn the_cursor_is_shown_where_it_was_put_and_hidden_while_drawing() {
    let mut terminal = Terminal::new(backend(ColourDepth::True)).unwrap();
    show(&mut terminal, &["a"]);
    terminal.backend_mut().set_cursor_shape(CursorShape(5));
    terminal.draw(|frame| frame.set_cursor_position((3, 2))).unwrap();
    let bytes = String::from_utf8(terminal.backend_mut().take()).unwrap();
    assert_eq!(bytes, "\x1b[?2026h\r \x1b[3;4H\x1b[5 q\x1b[?25h\x1b[?2026l");

    terminal.draw(|frame| frame.set_cursor_position((4, 2))).unwrap();
    assert_eq!(terminal.backend_mut().take(), b"\x1b[?2026h\x1b[C\x1b[?2026l");

    terminal.backend_mut().rest_cursor(Some((1, 1)));
    terminal.draw(|_| {}).unwrap();
    assert_eq!(terminal.backend_mut().take(), b"\x1b[?2026h\x1b[?25l\x1b[2;2H\x1b[?2026l");
}

#[test]
fn styles_change_by_their_difference() {
    let mut backend = backend(ColourDepth::True);
    let cell = |fg, modifier| {
        let mut cell = Cell::new("x");
        cell.set_style(Style::new().fg(fg).add_modifier(modifier));
        cell
    };
    let cells = [
        cell(Color::Red, Modifier::BOLD | Modifier::DIM),
        cell(Color::Red, Modifier::DIM),
        cell(Color::Rgb(1, 2, 3), Modifier::DIM),
        cell(Color::Reset, Modifier::empty()),
    ];
    backend.draw((0..).zip(&cells).map(|(x, cell)| (x, 0, cell))).unwrap();
    let body = String::from_utf8(std::mem::take(&mut backend.body)).unwrap();
    assert_eq!(body, "\x1b[0;1;2;31m\x1b[1;1Hx\x1b[22;2mx\x1b[38;2;1;2;3mx\x1b[0mx");
}

/// Field cases C01 and C02: on a terminal that knows no clusters, too.
#[test]
fn clusters_leave_their_row_in_order() {
    let mut terminal = Terminal::new(backend(ColourDepth::True)).unwrap();
    let mut emulator = emulator();
    for lines in [
        ["➡️ after   |", "🇧🇷 👨‍👩‍👧 xyz|", "é 漢字 x   |"],
        ["➡️ AFTER   |", "🇧🇷 👨‍👩‍👩 xyz|", "é 漢字 y   |"],
        ["a           "; 3],
    ] {
        emulator.process(&show(&mut terminal, &lines));
        let row = |y: u16, from: u16| {
            (from..COLUMNS)
                .map(|x| emulator.screen().cell(y, x).unwrap())
                .map(|cell| if cell.has_contents() { cell.contents().to_owned() } else { " ".to_owned() })
                .collect::<String>()
        };
        let tail = |y: usize, from: usize| {
            let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, COLUMNS, 1));
            buffer.set_string(0, 0, lines[y], Style::new());
            (from..usize::from(COLUMNS)).map(|x| buffer.content[x].symbol().to_owned()).collect::<String>()
        };
        assert_eq!(row(0, 2), tail(0, 2));
        assert_eq!(row(1, 5), tail(1, 5));
        assert_eq!(row(2, 6), tail(2, 6));
    }
}

#[test]
fn a_cluster_is_drawn_once() {
    let mut terminal = Terminal::new(backend(ColourDepth::True)).unwrap();
    show(&mut terminal, &["xxxx"]);
    let bytes = String::from_utf8(show(&mut terminal, &["➡️xx"])).unwrap();
    assert_eq!(bytes, "\x1b[?2026h\r  \x1b[1;1H➡️\x1b[?2026l");
}

#[test]
fn no_colour_means_attributes_only() {
    let mut backend = backend(ColourDepth::None);
    let mut cell = Cell::new("x");
    cell.set_style(Style::new().fg(Color::Rgb(9, 9, 9)).bg(Color::Blue).add_modifier(Modifier::REVERSED));
    backend.draw([(0, 0, &cell)].into_iter()).unwrap();
    backend.flush().unwrap();
    let bytes = String::from_utf8(backend.take()).unwrap();
    assert!(bytes.contains("\x1b[0;7m"), "{bytes:?}");
}

#[test]
fn a_new_size_is_drawn_whole() {
    let mut terminal = Terminal::new(backend(ColourDepth::True)).unwrap();
    show(&mut terminal, &["ab"]);
    terminal.backend_mut().set_size(domain::Size { columns: 5, rows: 2 });
    let bytes = String::from_utf8(show(&mut terminal, &["ab"])).unwrap();
    assert!(bytes.contains("\x1b[2J"), "{bytes:?}");
    assert!(bytes.contains("ab"), "{bytes:?}");
}

const SYMBOLS: [&str; 10] = ["a", "Z", " ", "─", "漢", "é", "e\u{301}", "👨‍👩‍👧", "➡️", "🇧🇷"];

/// A cell's symbol and style, picked by numbers.
type Pick = (usize, usize, usize, usize);

const COLOURS: [Color; 6] =
    [Color::Reset, Color::Red, Color::LightBlue, Color::Indexed(99), Color::Rgb(1, 2, 3), Color::White];

const MODIFIERS: [Modifier; 7] = [
    Modifier::empty(),
    Modifier::BOLD,
    Modifier::DIM,
    Modifier::ITALIC,
    Modifier::UNDERLINED,
    Modifier::REVERSED,
    // The emulator knows only one of bold and dim.
    Modifier::BOLD.union(Modifier::ITALIC).union(Modifier::UNDERLINED),
];

fn fill(buffer: &mut Buffer, picks: &[Pick]) {
    let mut picks = picks.iter().cycle();
    for y in 0..ROWS {
        let mut x = 0;
        while x < COLUMNS {
            let (symbol, fg, bg, modifier) = *picks.next().unwrap();
            let style = Style::new().fg(COLOURS[fg]).bg(COLOURS[bg]).add_modifier(MODIFIERS[modifier]);
            let symbol = SYMBOLS[symbol];
            // The emulator always wraps; a terminal does not, for the backend asks it not to.
            let symbol = if x + claimed_width(symbol).max(symbol.cell_width()) > COLUMNS { "a" } else { symbol };
            buffer[(x, y)].set_symbol(symbol).set_style(style);
            for half in 1..symbol.cell_width() {
                buffer[(x + half, y)].set_style(style);
            }
            x += symbol.cell_width();
        }
    }
}

fn colour(colour: Color) -> vt100::Color {
    match Ink::of(colour, ColourDepth::True) {
        Ink::Default => vt100::Color::Default,
        Ink::Basic(index) | Ink::Indexed(index) => vt100::Color::Idx(index),
        Ink::Rgb(r, g, b) => vt100::Color::Rgb(r, g, b),
    }
}

use super::colour::Ink;

fn frame() -> impl Strategy<Value = Vec<Pick>> {
    prop::collection::vec((0..SYMBOLS.len(), 0..COLOURS.len(), 0..COLOURS.len(), 0..MODIFIERS.len()), 1..48)
}

proptest! {
    #[test]
    fn the_terminal_shows_what_was_drawn(frames in prop::collection::vec(frame(), 1..5)) {
        let mut ours = Terminal::new(backend(ColourDepth::True)).unwrap();
        let mut model = Terminal::new(TestBackend::new(COLUMNS, ROWS)).unwrap();
        let mut emulator = emulator();
        for picks in &frames {
            ours.draw(|frame| fill(frame.buffer_mut(), picks)).unwrap();
            let mut expected = Buffer::default();
            model.draw(|frame| {
                fill(frame.buffer_mut(), picks);
                expected = frame.buffer_mut().clone();
            }).unwrap();
            emulator.process(&ours.backend_mut().take());
            for y in 0..ROWS {
                let mut x = 0;
                while x < COLUMNS {
                    let cell = &expected[(x, y)];
                    let width = cell.cell_width();
                    // What the emulator makes of a cluster is its own affair.
                    if !is_disputed(cell.symbol()) {
                        let seen = emulator.screen().cell(y, x).unwrap();
                        let text = if seen.has_contents() { seen.contents() } else { " " };
                        prop_assert_eq!(text, cell.symbol(), "at {},{}", x, y);
                        prop_assert_eq!(seen.bgcolor(), colour(cell.bg), "at {},{}", x, y);
                        prop_assert_eq!(seen.fgcolor(), colour(cell.fg), "at {},{}", x, y);
                        let modifier = [
                            (seen.bold(), Modifier::BOLD), (seen.dim(), Modifier::DIM), (seen.italic(), Modifier::ITALIC),
                            (seen.underline(), Modifier::UNDERLINED), (seen.inverse(), Modifier::REVERSED),
                        ].into_iter().filter(|(set, _)| *set).map(|(_, modifier)| modifier).collect::<Modifier>();
                        prop_assert_eq!(modifier, cell.modifier, "at {},{}", x, y);
                    }
                    x += width;
                }
            }
        }
    }

    /// Promise 7.
    #[test]
    fn no_control_character_of_a_cell_passes(symbol in "[\\x00-\\x1f\\x7f-\u{9f}\u{202a}-\u{202e}\u{200e}ab漢]{1,4}") {
        let mut backend = backend(ColourDepth::None);
        let mut cell = Cell::new("x");
        cell.set_symbol(&symbol);
        backend.draw([(3, 1, &cell)].into_iter()).unwrap();
        backend.flush().unwrap();
        let bytes = String::from_utf8(backend.take()).unwrap();
        // Only our own sequences are left: moves, resets and modes.
        let rest = regex::Regex::new("\x1b\\[[?0-9;]*[HmhlC]").unwrap().replace_all(&bytes, "").into_owned();
        prop_assert!(!rest.chars().any(char::is_control), "{:?}", bytes);
        prop_assert!(!rest.contains(['\u{202a}', '\u{202e}', '\u{200e}']), "{:?}", bytes);
    }
}
