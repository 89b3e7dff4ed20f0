//! The bytes, fed to a terminal emulator, must show what was meant.

mod opinions;

use std::num::NonZeroU16;
use std::sync::Arc;

use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

use super::colour::Ink;
use super::*;
use crate::domain::Underline;

const COLUMNS: u16 = 12;
const ROWS: u16 = 4;
const SIZE: Size = Size { columns: COLUMNS, rows: ROWS };
const FULL: Abilities = Abilities { colours: ColourDepth::True, rich: true };

fn emulator() -> vt100::Parser {
    vt100::Parser::new(NonZeroU16::new(ROWS).unwrap(), NonZeroU16::new(COLUMNS).unwrap(), 0)
}

/// A terminal, drawn on frame by frame.
struct Drawn {
    backend: WindowBackend,
    surface: Surface,
}

impl Drawn {
    fn new(abilities: Abilities) -> Self {
        Self { backend: WindowBackend::new(SIZE, abilities), surface: Surface::new(SIZE) }
    }

    fn draw(
        &mut self,
        caret: Option<Caret>,
        fill: impl FnOnce(&mut Buffer, &mut super::super::surface::Extras),
    ) -> Vec<u8> {
        self.surface.reset(Style::new());
        let (buffer, extras) = self.surface.layers();
        fill(buffer, extras);
        self.backend.show(&mut self.surface, caret, &Rows::All);
        self.backend.take()
    }

    fn lines(&mut self, lines: &[&str]) -> Vec<u8> {
        self.draw(None, |buffer, _| {
            for (y, line) in (0..).zip(lines) {
                buffer.set_string(0, y, line, Style::new());
            }
        })
    }

    /// Cells in the first row, each `x` in its style and with its extra.
    fn cells(&mut self, cells: &[(Style, Option<Extra>)]) -> String {
        let bytes = self.draw(None, |buffer, extras| {
            for (x, (style, extra)) in cells.iter().enumerate() {
                buffer[(x as u16, 0)].set_symbol("x").set_style(*style);
                if let Some(extra) = extra {
                    let number = extras.add(extra.clone());
                    extras.put(x, number);
                }
            }
        });
        let frame = String::from_utf8(bytes).unwrap();
        let begin = if frame.contains("\x1b[?25l") { "\x1b[?2026h\x1b[?7l\x1b[?25l" } else { "\x1b[?2026h" };
        frame.strip_prefix(begin).and_then(|rest| rest.strip_suffix("\x1b[?2026l")).expect(&frame).to_owned()
    }
}

const fn caret(at: (u16, u16), visible: bool, shape: u8) -> Caret {
    Caret { at, visible, shape: CursorShape(shape) }
}

#[test]
fn a_frame_is_one_update_and_nothing_is_empty() {
    let mut drawn = Drawn::new(FULL);
    let first = String::from_utf8(drawn.lines(&["ab"])).unwrap();
    assert_eq!(first, "\x1b[?2026h\x1b[?7l\x1b[?25l\x1b[0m\x1b[1;1Hab\x1b[?2026l");
    assert_eq!(drawn.lines(&["ab"]), b"");
    assert_eq!(drawn.lines(&["ax"]), b"\x1b[?2026h\x1b[1;2Hx\x1b[?2026l");
}

#[test]
fn the_cursor_is_shown_where_it_was_put_and_hidden_while_drawing() {
    let mut drawn = Drawn::new(FULL);
    drawn.lines(&["a"]);
    let bytes = String::from_utf8(drawn.draw(Some(caret((3, 2), true, 5)), |_, _| {})).unwrap();
    assert_eq!(bytes, "\x1b[?2026h\r \x1b[3;4H\x1b[5 q\x1b[?25h\x1b[?2026l");
    assert_eq!(drawn.draw(Some(caret((4, 2), true, 5)), |_, _| {}), b"\x1b[?2026h\x1b[C\x1b[?2026l");
    assert_eq!(drawn.draw(Some(caret((1, 1), false, 5)), |_, _| {}), b"\x1b[?2026h\x1b[?25l\x1b[2;2H\x1b[?2026l");
}

/// Field case C24: input methods open at the cursor, hidden or not, so it goes back after whatever was drawn.
#[test]
fn the_cursor_returns_to_its_place_after_every_frame() {
    for visible in [true, false] {
        let mut drawn = Drawn::new(FULL);
        let mut emulator = emulator();
        for text in ["a", "b", "ccc", "ccc", "漢字"] {
            emulator.process(&drawn.draw(Some(caret((7, 2), visible, 0)), |buffer, _| {
                buffer.set_string(1, 3, text, Style::new());
            }));
            assert_eq!(emulator.screen().cursor_position(), (2, 7), "{text}");
            assert_eq!(emulator.screen().hide_cursor(), !visible);
        }
    }
}

#[test]
fn styles_change_by_their_difference() {
    let style = |fg, modifier| (Style::new().fg(fg).add_modifier(modifier), None);
    let body = Drawn::new(FULL).cells(&[
        style(Color::Red, Modifier::BOLD | Modifier::DIM),
        style(Color::Red, Modifier::DIM),
        style(Color::Rgb(1, 2, 3), Modifier::DIM | Modifier::CROSSED_OUT),
        style(Color::Indexed(200), Modifier::empty()),
        style(Color::Reset, Modifier::empty()),
    ]);
    let expected = "\x1b[0;1;2;31m\x1b[1;1Hx\x1b[22;2mx\x1b[9;38;2;1;2;3mx\x1b[22;29;38;5;200mx\x1b[0mx";
    assert_eq!(body, expected);
}

fn underlined(underline: Underline, colour: Option<Color>) -> (Style, Option<Extra>) {
    (Style::new().add_modifier(Modifier::UNDERLINED), Some(Extra { underline, colour, link: None }))
}

#[test]
fn underlines_have_kinds_and_colours() {
    let cells = [
        underlined(Underline::Curly, Some(Color::Rgb(255, 80, 7))),
        underlined(Underline::Dashed, Some(Color::Indexed(9))),
        underlined(Underline::Single, None),
        (Style::new(), None),
    ];
    let body = Drawn::new(FULL).cells(&cells);
    assert_eq!(body, "\x1b[0;4:3;58:2::255:80:7m\x1b[1;1Hx\x1b[4:5;58:5:9mx\x1b[4;59mx\x1b[0mx");
    let poor = Abilities { rich: false, ..FULL };
    assert_eq!(Drawn::new(poor).cells(&cells), "\x1b[0;4m\x1b[1;1Hxxx\x1b[0mx");
    let colourless = Abilities { colours: ColourDepth::None, ..FULL };
    assert_eq!(Drawn::new(colourless).cells(&cells), "\x1b[0;4:3m\x1b[1;1Hx\x1b[4:5mx\x1b[4mx\x1b[0mx");
}

#[test]
fn a_change_of_the_underline_alone_is_drawn() {
    let mut drawn = Drawn::new(FULL);
    drawn.cells(&[underlined(Underline::Single, None), underlined(Underline::Double, None)]);
    let body = drawn.cells(&[underlined(Underline::Curly, None), underlined(Underline::Double, None)]);
    assert_eq!(body, "\x1b[4:3m\rx");
    assert_eq!(drawn.cells(&[(Style::new(), None)]), "\x1b[0m\rx ");
}

#[test]
fn links_are_written_once_for_neighbours_and_end_with_the_frame() {
    let link = |target: &str| {
        let extra = Extra { underline: Underline::None, colour: None, link: Link::new(&Arc::from(target)) };
        (Style::new(), Some(extra))
    };
    let plain = (Style::new(), None);
    let mut drawn = Drawn::new(FULL);
    let body = drawn.cells(&[link("a:1"), link("a:1"), link("b:2"), plain.clone(), link("b:2")]);
    let (a, b, end) = ("\x1b]8;id=dbbd3e69;a:1\x07", "\x1b]8;id=3999652d;b:2\x07", "\x1b]8;;\x07");
    assert_eq!(body, format!("\x1b[0m{a}\x1b[1;1Hxx{b}x{end}x{b}x{end}"));
    assert_eq!(
        drawn.cells(&[link("a:1"), link("b:2"), link("b:2"), plain, link("b:2")]),
        format!("{b}\x1b[1;2Hx{end}")
    );
    let poor = Abilities { rich: false, ..FULL };
    assert_eq!(Drawn::new(poor).cells(&[link("a:1")]), "\x1b[0m\x1b[1;1Hx");
}

/// Field cases C01 and C02, on terminals of every opinion: no glyph ever moves or spoils its neighbours.
#[test]
fn clusters_leave_their_row_in_order() {
    for opinion in opinions::ALL {
        let mut drawn = Drawn::new(FULL);
        let mut terminal = opinions::Terminal::new(SIZE, opinion);
        for lines in [
            ["➡️ after   |", "🇧🇷 👨‍👩‍👧 xyz|", "é 漢字 x   |", "❤️❤️🏳️‍🌈👍🏽👍🏽ab"],
            ["➡️ AFTER   |", "🇧🇷 👨‍👩‍👩 xyz|", "é 漢字 y   |", "❤️x 🏳️‍🌈👍🏽漢ab"],
            ["x➡️after   |", "🇧🇷🇩🇪👨‍👩‍👧xyz |", "漢é 字 x   |", "👍🏽❤️🏳️‍🌈👍🏽👍🏽ab"],
            ["a          |"; 4],
        ] {
            terminal.feed(&drawn.lines(&lines));
            for (y, line) in (0..).zip(lines) {
                let mut expected = Buffer::empty(ratatui::layout::Rect::new(0, 0, COLUMNS, 1));
                expected.set_string(0, 0, line, Style::new());
                let mut x = 0;
                while x < COLUMNS {
                    let cell = &expected[(x, 0)];
                    // What the terminal makes of a cluster in its own room is its own affair.
                    if !is_disputed(cell.symbol()) {
                        assert_eq!(terminal.symbol(x, y), cell.symbol(), "{opinion:?}: column {x} of {line}");
                    }
                    x += cell.cell_width();
                }
            }
        }
    }
}

#[test]
fn a_cluster_is_drawn_once() {
    let mut drawn = Drawn::new(FULL);
    drawn.lines(&["xxxx"]);
    let bytes = String::from_utf8(drawn.lines(&["➡️xx"])).unwrap();
    assert_eq!(bytes, "\x1b[?2026h\r  \x1b[1;1H➡️\x1b[?2026l");
}

#[test]
fn no_colour_means_attributes_only() {
    let style = Style::new().fg(Color::Rgb(9, 9, 9)).bg(Color::Blue).add_modifier(Modifier::REVERSED);
    let colourless = Abilities { colours: ColourDepth::None, ..FULL };
    assert_eq!(Drawn::new(colourless).cells(&[(style, None)]), "\x1b[0;7m\x1b[1;1Hx");
}

#[test]
fn a_new_size_is_drawn_whole() {
    let mut drawn = Drawn::new(FULL);
    drawn.lines(&["ab"]);
    drawn.backend.set_size(Size { columns: 5, rows: 2 });
    drawn.surface = Surface::new(Size { columns: 5, rows: 2 });
    let bytes = String::from_utf8(drawn.lines(&["ab"])).unwrap();
    assert_eq!(bytes, "\x1b[?2026h\x1b[2J\x1b[1;1Hab\x1b[?2026l");
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
            let claimed = claimed_width(symbol).max(usize::from(symbol.cell_width()));
            let symbol = if usize::from(x) + claimed > usize::from(COLUMNS) { "a" } else { symbol };
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

fn frame() -> impl Strategy<Value = Vec<Pick>> {
    prop::collection::vec((0..SYMBOLS.len(), 0..COLOURS.len(), 0..COLOURS.len(), 0..MODIFIERS.len()), 1..48)
}

proptest! {
    #[test]
    fn the_terminal_shows_what_was_drawn(frames in prop::collection::vec(frame(), 1..5)) {
        let mut drawn = Drawn::new(FULL);
        let mut emulator = emulator();
        for picks in &frames {
            let mut expected = Buffer::default();
            let bytes = drawn.draw(None, |buffer, _| {
                fill(buffer, picks);
                expected = buffer.clone();
            });
            emulator.process(&bytes);
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

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Every opinion, any order of frames, widths that a pane forces on what terminals draw otherwise.
    #[test]
    fn no_opinion_on_widths_spoils_a_row(frames in prop::collection::vec(frame(), 1..5), forced in 0_u16..3) {
        for opinion in opinions::ALL {
            let mut drawn = Drawn::new(FULL);
            let mut terminal = opinions::Terminal::new(SIZE, opinion);
            for picks in &frames {
                let mut expected = Buffer::default();
                let bytes = drawn.draw(None, |buffer, _| {
                    fill(buffer, picks);
                    if let Some(width) = NonZeroU16::new(forced) {
                        buffer[(4, 1)].set_symbol("✈").set_diff_option(CellDiffOption::ForcedWidth(width));
                        buffer[(5, 1)].set_symbol(" ");
                    }
                    expected = buffer.clone();
                });
                terminal.feed(&bytes);
                for y in 0..ROWS {
                    let mut x = 0;
                    while x < COLUMNS {
                        let cell = &expected[(x, y)];
                        if !is_disputed(cell.symbol()) && cell.diff_option == CellDiffOption::None {
                            prop_assert_eq!(terminal.symbol(x, y), cell.symbol(), "{:?} at {},{}", opinion, x, y);
                        }
                        x += width(cell) as u16;
                    }
                }
            }
        }
    }

}

proptest! {
    /// Promise 7.
    #[test]
    fn no_control_character_of_a_cell_passes(symbol in "[\\x00-\\x1f\\x7f-\u{9f}\u{202a}-\u{202e}\u{200e}ab漢]{1,4}") {
        let mut drawn = Drawn::new(Abilities { colours: ColourDepth::None, ..FULL });
        let bytes = drawn.draw(None, |buffer, _| {
            buffer[(3, 1)].set_symbol(&symbol);
        });
        let bytes = String::from_utf8(bytes).unwrap();
        // Only our own sequences are left: moves, resets and modes.
        let rest = regex::Regex::new("\x1b\\[[?0-9;]*[HmhlC]").unwrap().replace_all(&bytes, "").into_owned();
        prop_assert!(!rest.chars().any(char::is_control), "{:?}", bytes);
        prop_assert!(!rest.contains(['\u{202a}', '\u{202e}', '\u{200e}']), "{:?}", bytes);
    }

    /// Promise 7, for links: nothing of a target ends its command early.
    #[test]
    fn no_control_character_of_a_link_passes(target in "[\\x00-\\x1f\\x7f-\u{9f}\u{202e}a:/;漢 ]{1,40}") {
        let mut drawn = Drawn::new(FULL);
        let extra = Extra { underline: Underline::None, colour: None, link: Link::new(&Arc::from(&*target)) };
        let body = drawn.cells(&[(Style::new(), Some(extra))]);
        let form = regex::Regex::new("^\x1b\\[0m\x1b\\]8;id=[0-9a-f]{8};[!-~]+\x07\x1b\\[1;1Hx\x1b\\]8;;\x07$").unwrap();
        prop_assert!(form.is_match(&body), "{:?}", body);
    }
}
