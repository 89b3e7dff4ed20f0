//! What the filter claims about the bytes that it feeds.

use std::num::NonZeroU16;

use proptest::prelude::*;
use vt100::{Parser, Screen};

use super::*;
use crate::terminal::colours::Colours;
use crate::terminal::host::Host;

/// An emulator that remembers what it was fed, and what it was told.
struct Recorder {
    parser: Parser<Host>,
    fed: Vec<Vec<u8>>,
    cleared: usize,
    moved_up: usize,
}

impl Recorder {
    fn new(columns: u16, rows: u16) -> Self {
        let size = |n| NonZeroU16::new(n).unwrap();
        let parser = Parser::new_with_callbacks(size(rows), size(columns), 0, Host::new(Colours::default()));
        Self { parser, fed: Vec::new(), cleared: 0, moved_up: 0 }
    }
}

impl Engine for Recorder {
    fn feed(&mut self, bytes: &[u8]) {
        self.fed.push(bytes.to_vec());
        self.parser.process(bytes);
    }

    fn screen(&self) -> &Screen {
        self.parser.screen()
    }

    fn parts(&mut self) -> (&Screen, &mut Host) {
        Engine::parts(&mut self.parser)
    }

    fn clear_history(&mut self) {
        self.cleared += 1;
    }

    fn moved_up(&mut self) {
        self.moved_up += 1;
    }

    fn each_text(&mut self, take: &mut dyn FnMut(&str)) {
        self.parser.each_text(take);
    }
}

fn run(filter: &mut Filter, engine: &mut Recorder, bytes: &[u8]) {
    let mut at = 0;
    while at < bytes.len() {
        at += filter.run(&bytes[at..], engine);
        engine.parser.callbacks_mut().history.settle(filter.tags());
    }
}

fn through(bytes: &[u8]) -> (Filter, Recorder) {
    let (mut filter, mut engine) = (Filter::default(), Recorder::new(40, 10));
    run(&mut filter, &mut engine, bytes);
    (filter, engine)
}

#[test]
fn what_needs_nothing_passes_in_one_piece() {
    let text = "plain text\r\n日本語 ─┤ ▒ é 😀x\x07\x1b[1;31mred\x1b[0m\x1b[38;2;1;2;3mrgb\x1b[m\x1b[5C\r\n".repeat(5);
    let (_, engine) = through(text.as_bytes());
    assert_eq!(engine.fed, [text.as_bytes()]);
}

#[test]
fn it_stops_behind_a_finished_update() {
    let bytes = b"\x1b[?2026ha\x1b[?2026lb";
    let mut filter = Filter::default();
    assert_eq!(filter.run(bytes, &mut Recorder::new(9, 2)), bytes.len() - 1);
    // Also when the sequence came in pieces.
    assert_eq!(filter.run(b"c\x1b[?20", &mut Recorder::new(9, 2)), 6);
    assert_eq!(filter.run(b"26ld", &mut Recorder::new(9, 2)), 3);
}

#[test]
fn clearing_history_and_moving_up_are_told() {
    let (_, engine) = through(b"\x1b[2J\x1b[3J\x1b[?3J");
    assert_eq!(engine.cleared, 2);
    for up in [
        "\x1b[A",
        "\x1b[F",
        "\x1b[H",
        "\x1b[2;2f",
        "\x1b[d",
        "\x1bM",
        "\x1b8",
        "\x1b[u",
        "\x1b[?1048l",
        "\x1b[2;3r",
        "\x1b[?6h",
        "\x1bc",
    ] {
        assert_eq!(through(up.as_bytes()).1.moved_up, 1, "{up:?}");
        let alternate = format!("\x1b[?1049h{up}");
        let told = through(alternate.as_bytes()).1.moved_up;
        assert_eq!(told, usize::from(up == "\x1bc"), "on the alternate screen: {up:?}");
    }
    assert_eq!(through(b"text\r\n\x1b[B\x1b[C\x1b[D\x1b[2K\x1b[G\x1b[E\n\x1bD\x1bE").1.moved_up, 0);
}

#[test]
fn what_is_known_can_be_given_to_another_emulator() {
    let (filter, engine) = through(b"\x1b[3;7r\x1b[?6h\x1b[1;31;44m\x1b[2;2H");
    let mut other = Recorder::new(40, 10);
    other.feed(&filter.restore());
    for engine in [&engine, &other] {
        assert_eq!((engine.screen().fgcolor(), engine.screen().bold()), (vt100::Color::Idx(1), true));
    }
    other.feed(b"\x1b[H");
    assert_eq!(other.screen().cursor_position(), (2, 0));
    other.feed(b"\x1b[9B");
    assert_eq!(other.screen().cursor_position(), (6, 0));
}

#[test]
fn saved_cursors_can_be_moved() {
    let (mut filter, mut engine) = through(b"\x1b[5;5H\x1b7\x1b[H");
    let saved = filter.saved_mut()[0].as_mut().unwrap();
    assert_eq!((saved.row, saved.column), (4, 4));
    saved.row -= 2;
    run(&mut filter, &mut engine, b"\x1b8");
    assert_eq!(engine.screen().cursor_position(), (2, 4));
}

#[test]
fn strings_are_bounded_and_what_follows_is_not() {
    for (begin, end) in [("\x1b]0;", "\x07"), ("\x1bP+q", "\x1b\\"), ("\x1b_", "\x1b\\"), ("\x1b[", "m")] {
        let (mut filter, mut engine) = through(begin.as_bytes());
        for _ in 0..40 {
            run(&mut filter, &mut engine, &vec![b'1'; 100_000]);
            assert!(filter.part.capacity() <= 2 * (MAX_OSC + 1), "{begin:?}");
        }
        run(&mut filter, &mut engine, end.as_bytes());
        run(&mut filter, &mut engine, b"\x1b[1Gafter");
        assert_eq!(engine.screen().contents(), "after", "{begin:?}");
    }
}

/// Many cells with a different tag each.
fn colourful(from: usize, count: usize) -> String {
    (from..from + count)
        .fold(String::new(), |text, n| text + &format!("\x1b[4;58;2;{};{};{}mx", n >> 16 & 255, n >> 8 & 255, n & 255))
}

#[test]
fn a_full_table_is_reclaimed_from_what_no_cell_uses() {
    let (mut filter, mut engine) = through(b"");
    for round in 0..100 {
        run(&mut filter, &mut engine, colourful(round * 400, 400).as_bytes());
        let cell = engine.screen().cell(9, 0).unwrap().contents().to_owned();
        assert!(filter.tags().split(&cell).1.is_some(), "round {round}");
    }
    // Every cell still has its own.
    run(&mut filter, &mut engine, b"\x1b[H");
    run(&mut filter, &mut engine, colourful(1_000_000, 399).as_bytes());
    let mut numbers = std::collections::HashSet::new();
    engine.each_text(&mut |text| {
        numbers.insert(text.to_owned());
    });
    assert!(numbers.len() >= 399);
}

#[test]
fn links_are_bounded_and_reclaimed() {
    let (mut filter, mut engine) = through(b"");
    for n in 0..6_000 {
        run(
            &mut filter,
            &mut engine,
            format!("\x1b]8;;https://a.example/{n}/{}\x07x\r\n", "y".repeat(n % 1500)).as_bytes(),
        );
    }
    let cell = engine.screen().cell(8, 0).unwrap().contents().to_owned();
    let entry = filter.tags().split(&cell).1.unwrap();
    assert!(filter.tags().link(entry.link().unwrap()).unwrap().starts_with("https://a.example/"));
    assert!(filter.tags().bytes() < 2 * 1024 * 1024);
    // Too long for a link: the text stands without one.
    run(&mut filter, &mut engine, format!("\x1b[H\x1b]8;;{}\x07z", "y".repeat(5000)).as_bytes());
    assert_eq!(engine.screen().cell(0, 0).unwrap().contents(), "z");
}

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => "[ -~]{0,20}".prop_map(String::into_bytes),
        2 => "[漢字é─😀❤👩👧🇧🇷🏽\u{fe0f}\u{200d}\u{301}\u{e0101}\u{fffd}1#\u{20e3}]{0,8}".prop_map(String::into_bytes),
        2 => "\x1b\\[[?>]?[0-9;:]{0,9}[ !$]?[@-~]".prop_map(String::into_bytes),
        2 => "\x1b\\[[0-9;:]{0,12}m".prop_map(String::into_bytes),
        1 => "\x1b[]PX_^][^\x07\x1b]{0,9}(\x07|\x1b\\\\|)".prop_map(String::into_bytes),
        1 => "\x1b[()*+#78DEHMNOcno=>][0-8AB]?".prop_map(String::into_bytes),
        1 => "\x1b\\[\\?(7|6|5|47|1047|1048|1049|2026|1007)[hl]".prop_map(String::into_bytes),
        1 => "\x1b\\[(4|20)[hl]".prop_map(String::into_bytes),
        1 => "[\r\n\t\x08\x0e\x0f\x07]{0,4}".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..9),
    ]
}

fn screens(engine: &Recorder) -> (String, (u16, u16), String) {
    let screen = engine.screen();
    (
        screen.contents_formatted(),
        screen.cursor_position(),
        String::from_utf8_lossy(&engine.parser.callbacks().replies).into_owned(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn cuts_do_not_matter(pieces in prop::collection::vec(pieces(), 0..14), columns in 2u16..24, rows in 1u16..7, step in 1usize..7) {
        let bytes = pieces.concat();
        let (mut filter, mut whole) = (Filter::default(), Recorder::new(columns, rows));
        run(&mut filter, &mut whole, &bytes);
        let (mut filter, mut cut) = (Filter::default(), Recorder::new(columns, rows));
        bytes.chunks(step).for_each(|piece| run(&mut filter, &mut cut, piece));
        prop_assert_eq!(screens(&whole), screens(&cut));
        prop_assert_eq!((whole.cleared, whole.moved_up), (cut.cleared, cut.moved_up));
    }

    #[test]
    fn no_tag_is_ever_read(pieces in prop::collection::vec(pieces(), 0..14)) {
        let (filter, engine) = through(&pieces.concat());
        for span in filter.tags().spans(&engine.screen().contents(), crate::domain::CellStyle::default()) {
            prop_assert!(!span.text.contains(tags::is_tag), "{span:?}");
        }
        let (rows, columns) = engine.screen().size();
        for (row, column) in (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column))) {
            let (text, _) = filter.tags().split(engine.screen().cell(row, column).unwrap().contents());
            prop_assert!(!text.contains(tags::is_tag), "{text:?}");
        }
    }

    /// What the emulator understands alone it shows alike with the filter before it.
    #[test]
    fn the_filter_changes_nothing_that_the_emulator_knows(pieces in prop::collection::vec(prop_oneof![
        3 => "[ -~]{0,20}",
        1 => "[漢字é─😀]{0,6}",
        2 => "\x1b\\[(0|1|3|4|7|22|23|24|27|3[0-7]|38;5;9|38;2;1;2;3|9[0-7])m",
        1 => "\x1b\\[[1-9][CEGX]",
        1 => "\x1b\\[[1-4];[1-9]H",
        1 => "\x1b\\[[012]?[JK]",
        1 => "\r\n|\r",
    ], 0..20)) {
        let text = pieces.concat();
        let (_, filtered) = through(text.as_bytes());
        let mut alone = Recorder::new(40, 10);
        alone.feed(text.as_bytes());
        // Not which rows go on in the next: the emulator keeps that when the next is erased.
        let places = (0..10).flat_map(|row| (0..40).map(move |column| (row, column)));
        for (row, column) in places {
            prop_assert_eq!(filtered.screen().cell(row, column), alone.screen().cell(row, column));
        }
        prop_assert_eq!(filtered.screen().cursor_position(), alone.screen().cursor_position());
    }
}
