//! Lines that are skimmed leave what feeding them would.

use proptest::prelude::*;

use super::*;
use crate::domain::Line;

/// As a pane does it: pieces of so many bytes come, what can be skimmed goes at once, the rest waits for the next
/// piece, and now and then the screen is made whole.
fn skimmed(model: &mut Model, bytes: &[u8], piece: usize, whole: usize) -> usize {
    let (mut at, mut end, mut pieces, mut taken) = (0, 0, 0, 0);
    while at < bytes.len() {
        end = bytes.len().min(end.max(at) + piece);
        pieces += 1;
        let skimmed = model.skim(&bytes[at..end]);
        (at, taken) = (at + skimmed.taken, taken + skimmed.taken);
        if !skimmed.open || pieces % whole == 0 || end == bytes.len() {
            while at < end {
                at += model.feed(&bytes[at..end.min(at + 100)]);
            }
        }
    }
    taken
}

fn fed(model: &mut Model, bytes: &[u8]) {
    for piece in bytes.chunks(7) {
        let mut at = 0;
        while at < piece.len() {
            at += model.feed(&piece[at..]);
        }
    }
}

fn lines(model: &Model) -> Vec<Line> {
    let text = model.pane_text();
    text.numbers().filter_map(|number| text.line(number)).cloned().collect()
}

fn same(ours: &mut Model, theirs: &mut Model) -> Result<(), TestCaseError> {
    prop_assert_eq!(ours.frame(), theirs.frame());
    prop_assert_eq!(ours.host().history.rows(), theirs.host().history.rows());
    // On a single row the emulator does not tell where a line wraps.
    if ours.size().rows > 1 {
        prop_assert_eq!(ours.pane_text().numbers(), theirs.pane_text().numbers());
        prop_assert_eq!(ours.pane_text().screen(), theirs.pane_text().screen());
        prop_assert_eq!(lines(ours), lines(theirs));
    }
    Ok(())
}

fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-z ]{0,30}",
        3 => "[漢字é─😀a ]{0,9}",
        6 => prop::sample::select(vec![
            "\x1b[31m", "\x1b[1;38;2;1;2;3m", "\x1b[48;2;9;8;7m", "\x1b[38;5;9m", "\x1b[m", "\x1b[0m", "\x1b[0;44m",
            "\x1b[49m", "\x1b[38:2::1:2:3m", "\x1b[48:5:20m", "\x1b[3;4;7m", "\x1b[23;24;27;22m", "\x1b[2m", "\x1b[22m",
            "\x1b[97;100m", "\x1b[39;49m", "\x1b[38;2;300;1;1m", "\x1b[38;5m", "\x1b[99;;1m",
        ]).prop_map(str::to_owned),
    ]
}

/// Lines of the kind, many times, and what is among them.
fn flood() -> impl Strategy<Value = String> {
    let line = || prop::collection::vec(part(), 0..6).prop_map(|parts| parts.concat());
    let plain = line().prop_map(|line| line + "\x1b[49m\r\n");
    prop_oneof![
        12 => (prop::collection::vec(plain, 1..4), 1usize..60).prop_map(|(lines, count)| lines.concat().repeat(count)),
        2 => line().prop_map(|line| line + "\r\n"),
        2 => prop::sample::select(vec![
            "\x1b[9m", "\x1b[4:3m", "\x1b[8m", "\x1b[1;2m", "\x1b[58;5;1m", "\x1b]8;;http://a\x07", "\x1b]8;;\x07",
            "e\u{301}", "\u{fe0f}", "\u{200d}", "🇩🇪", "\u{fffd}", "\x1b[2;4r", "\x1b[r", "\x1b[H", "\x1b[99H", "\x1b[A",
            "\x1b[?1049h", "\x1b[?1049l", "\x1b[2J", "\x1b[3J", "\x1b[5b", "\x1b[?7l", "\x1b[?7h", "\x1b[20h", "\x1b[20l",
            "\x1b[4h", "\x1b[4l", "\x1b(0", "\x1b(B", "\t", "\n", "\r", "\x1bc", "\x1b[?2026h", "\x1b[?2026l", "\x1b7",
            "\x1b8", "\x1bM", "\x1b[!p",
        ]).prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_skimmed_is_as_if_it_were_fed(
        parts in prop::collection::vec(flood(), 1..12),
        columns in 2u16..40, rows in 1u16..9,
        piece in 600usize..9000, whole in 1usize..5,
        sizes in prop::collection::vec((2u16..50, 2u16..12), 0..3),
    ) {
        let (start, rest) = parts.split_at(parts.len() / 2);
        let (mut ours, mut theirs) =
            (Model::new(Size { columns, rows }, Colours::default()), Model::new(Size { columns, rows }, Colours::default()));
        for parts in [start, rest] {
            let bytes = parts.concat();
            skimmed(&mut ours, bytes.as_bytes(), piece, whole);
            fed(&mut theirs, bytes.as_bytes());
            same(&mut ours, &mut theirs)?;
            // The pen, the last character and the place before it.
            for end in ["\x1b[2b", "\u{301}X\x1b[K", "\r\n\x1b[1J"] {
                fed(&mut ours, end.as_bytes());
                fed(&mut theirs, end.as_bytes());
                same(&mut ours, &mut theirs)?;
            }
            // Once on a single row, lines are not told from each other.
            if ours.size().rows == 1 {
                return Ok(());
            }
            for &(columns, rows) in &sizes {
                ours.resize(Size { columns, rows });
                theirs.resize(Size { columns, rows });
                same(&mut ours, &mut theirs)?;
            }
        }
    }
}

#[test]
fn nearly_all_of_a_flood_is_skimmed() {
    let cells = |n: usize| {
        let cells: Vec<String> = (0..40).map(|at| format!("\x1b[38;2;{n};{at};7;48;2;7;{at};{n}mx")).collect();
        cells.concat()
    };
    let colours: String = (0..200).map(|n| cells(n) + "\x1b[0m\r\n").collect();
    let wide = "漢字テスト😀é─ and more, \r\n".repeat(4000);
    let log = "\x1b[32mINFO\x1b[0m a line of a log\x1b[2m behind\x1b[22m \r\n\r\n".repeat(4000);
    for (flood, piece) in [(colours, 48 * 1024), (wide, 4096), (log, 4096)] {
        let mut model = Model::new(Size { columns: 30, rows: 6 }, Colours::default());
        model.feed(b"\x1b[6H\x1b[1m");
        let taken = skimmed(&mut model, flood.as_bytes(), piece, 100);
        assert!(taken * 100 > flood.len() * 90, "{taken} of {}", flood.len());
    }
}

#[test]
fn lines_beyond_the_scroll_backs_bound_are_counted() {
    let size = Size { columns: 30, rows: 5 };
    let (mut ours, mut theirs) = (Model::new(size, Colours::default()), Model::new(size, Colours::default()));
    let lines: Vec<String> = (0..25_000).map(|n| format!("\x1b[3{}mline {n}\x1b[m\r\n", n % 8)).collect();
    let flood = lines.concat();
    skimmed(&mut ours, flood.as_bytes(), 64 * 1024, 3);
    fed(&mut theirs, flood.as_bytes());
    same(&mut ours, &mut theirs).unwrap();
}
