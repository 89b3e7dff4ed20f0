//! Every release of the screen model must hold what the fuzzer checks: some thousand cases from fixed seeds, and the
//! cases that once failed.

use paralane::domain::Size;

use crate::fuzz::{Case, Source, Step, as_source, check, minimised};
use crate::recording::Event;
use crate::replay::recordings;
use Piece::{Bytes, Resize};

/// A step as `fuzz_panes` prints it.
enum Piece {
    Bytes(&'static [u8]),
    Resize(u16, u16),
}

/// Columns, rows, steps, how the third play cuts.
#[allow(clippy::unreadable_literal, reason = "as the fuzzer prints them")]
const FOUND: &[(u16, u16, &[Piece], u64)] = &[
    (2, 2, &[Bytes(b"\n\xd9\x86\xe2\x9a\xa0\xef\xb8\x8f\x1b8e=")], 6739111657451794),
    (12, 2, &[Bytes(b"[5;255H"), Bytes(b"\xf0\x9f\x91\xa8\xf0\x9f\x91\x8d\xf0\x9f\x91\xa7\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\t1\xef\xb8\x8f\x1b[r\t\xf0\x9f\x8f\xbb\xf0\x9f\x87\xaf,")], 2234160536239672),
    (20, 5, &[Resize(2, 3), Bytes(b"m\xe2\x9d\x94\xf0\x9f\x87\xaf\xe2\x9d\xa4\xef\xb8\x8f2\x1b[;9f ")], 6520244163706496),
    (1, 8, &[Bytes(b"\x1b[23;9f0\xef\xb8\x8f\xea\xb0\x81m\x1b[5flo")], 3845633364300934),
    (1, 12, &[Bytes(b"\xea\xb0\x81\xf0\x9f\x91\xa9?1006sa\xe6\x97\xa5\xe6\x9c\xac\xe8\xa3\x8bhello\xe2\x9a\xa0\xef\xb8\x8f"), Resize(10, 24)], 6036689364306180),
    (80, 24, &[Resize(3, 1), Bytes(b"\t#\xef\xb8\x8f"), Resize(10, 5)], 8484773981156232),
    (1, 1, &[Bytes(b"a\xe2\x9d\xa4\xef\xb8\x8f"), Resize(5, 20)], 5897955413518041),
    (8, 4, &[Bytes(b"://x/\x07\x1b[?7n\xd9\x86#\xef")], 6081591293107963),
    (4, 24, &[Bytes(b"\xf0\x9f\x87\xb5\xf3\xa0\x87\xaf")], 3931394323120504),
    (1, 24, &[Bytes(b"\\\xf3\xa0\x84\x80")], 1610535310789312),
    (20, 24, &[Bytes(b"\xc4\x80\xc2\x84\xef\xb8\x8f")], 4410738534230521),
    (4, 4, &[Bytes(b"\x1b]8;;h\x07https://example.inval"), Resize(4, 24)], 8908806414976124),
    (1, 2, &[Bytes(b"\xa7\x1bF\xcc\x81\x1b[b")], 8471127806323440),
    (24, 24, &[Bytes(b"a\r\xef\xbb\xbf\x1b[b")], 410601956328605),
    (20, 24, &[Bytes(b"m\x1bH\xe2\x80\x8b\x1b[b")], 6915217113740411),
    (1, 2, &[Bytes(b"\x1b]8;;/\x07\x80\x8d\xf0;7m4"), Resize(3, 5)], 5207779553585015),
    (3, 1, &[Bytes(b"\xdf\xf0\x9f\x8f\xbb\xb8"), Resize(1, 24)], 7951223668453717),
];

fn case((columns, rows, pieces, cuts): &(u16, u16, &[Piece], u64)) -> Case {
    let step = |piece: &Piece| match piece {
        Bytes(bytes) => Step::Bytes(bytes.to_vec()),
        Resize(columns, rows) => Step::Resize(Size { columns: *columns, rows: *rows }),
    };
    Case { size: Size { columns: *columns, rows: *rows }, steps: pieces.iter().map(step).collect(), cuts: *cuts }
}

#[test]
fn what_once_failed_holds() {
    for found in FOUND {
        let case = case(found);
        check(&case).unwrap_or_else(|why| panic!("{why}\n{}", as_source(&case)));
    }
}

#[test]
fn made_up_programs_break_nothing() {
    let output = |event: &(u64, Event)| if let (_, Event::Output(text)) = event { Some(text.clone()) } else { None };
    let seeds =
        recordings().into_iter().map(|(_, r)| r.events.iter().filter_map(output).collect::<String>().into_bytes());
    let mut source = Source::new(20_260, seeds.collect());
    for _ in 0..3_000 {
        let case = source.case();
        if let Err(why) = check(&case) {
            let (case, why) = minimised(case, why);
            panic!("{why}\n{}", as_source(&case));
        }
    }
}
