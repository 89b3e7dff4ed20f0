//! Packing and unpacking.

use proptest::prelude::*;

use super::*;
use crate::domain::{Colour, LinkId};

fn style(number: u8) -> CellStyle {
    CellStyle {
        foreground: if number == 0 { Colour::Default } else { Colour::Indexed(number) },
        ..CellStyle::default()
    }
}

fn link(number: u8) -> Option<Arc<str>> {
    (number > 5).then(|| format!("https://host/{number}").into())
}

/// Pieces of a line as they come back: joined where the style is the same, blank plain ends cut.
fn expected(pieces: &[(String, u8)]) -> Vec<(String, u8)> {
    let mut joined: Vec<(String, u8)> = Vec::new();
    for (text, number) in pieces.iter().filter(|piece| !piece.0.is_empty()) {
        match joined.last_mut() {
            Some(last) if last.1 == *number => last.0.push_str(text),
            _ => joined.push((text.clone(), *number)),
        }
    }
    if let Some(last) = joined.last_mut().filter(|last| last.1 == 0) {
        last.0.truncate(last.0.trim_end_matches(' ').len());
    }
    joined.retain(|piece| !piece.0.is_empty());
    joined
}

/// A line of a text as pieces.
fn pieces(text: &PaneText, number: u64) -> Vec<(String, u8)> {
    let line = text.line(number).unwrap();
    let mut at = 0;
    let mut found: Vec<(String, u8)> = Vec::new();
    for run in &line.runs {
        let number = match (run.style.foreground, run.style.link) {
            (Colour::Indexed(number), Some(id)) => {
                assert_eq!(text.link(id), link(number).as_deref());
                number
            }
            (Colour::Indexed(number), None) => number,
            _ => 0,
        };
        found.push((line.text[at..at + run.length].to_owned(), number));
        at += run.length;
    }
    if at < line.text.len() {
        found.push((line.text[at..].to_owned(), 0));
    }
    found
}

proptest! {
    #[test]
    fn what_is_packed_comes_back(
        lines in prop::collection::vec(prop::collection::vec(("[ab 漢é]{0,4}", 0u8..9), 0..6), 0..30),
        every in 1usize..8, skipped in 0usize..4,
    ) {
        let mut packer = Packer::default();
        let mut blocks = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            for (text, number) in line {
                let number = match link(*number) {
                    Some(link) => packer.linked(style(*number), &link),
                    None => packer.style(style(*number)),
                };
                packer.push(text, number);
            }
            if number % every == 0 {
                // Sealed with the line still open: it stays behind.
                blocks.push(Arc::new(packer.seal()));
            }
            packer.end_line();
        }
        blocks.push(Arc::new(packer.seal()));
        let skipped = skipped.min(lines.len());
        let text = PaneText::packed(100, skipped, blocks.clone(), 107);
        prop_assert_eq!(text.numbers(), 100..100 + (lines.len() - skipped) as u64);
        for (number, line) in text.numbers().zip(&lines[skipped..]) {
            prop_assert_eq!(pieces(&text, number), expected(line));
        }
        prop_assert!(text.line(99).is_none() && text.line(text.numbers().end).is_none());
        // A line taken out of a block and written again is the same.
        let mut again = Packer::default();
        for block in &blocks {
            for line in 0..block.lines() {
                again.push_line(block, line);
                again.end_line();
            }
        }
        let again = PaneText::packed(100, skipped, [Arc::new(again.seal())], 107);
        for number in text.numbers() {
            prop_assert_eq!(pieces(&again, number), pieces(&text, number));
        }
    }
}

#[test]
fn an_endless_line_is_cut_into_bounded_ones() {
    let mut packer = Packer::default();
    packer.push(&"漢".repeat(70_000), StyleNumber::PLAIN);
    for _ in 0..100_000 {
        packer.push("x", StyleNumber::PLAIN);
    }
    packer.end_line();
    let text = PaneText::packed(0, 0, [Arc::new(packer.seal())], 0);
    let lines: Vec<&Line> = text.numbers().filter_map(|number| text.line(number)).collect();
    assert!(lines.iter().all(|line| line.text.len() <= MAX_LINE));
    let whole: String = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(whole, "漢".repeat(70_000) + &"x".repeat(100_000));
}

#[test]
fn given_lines_and_links_are_found_by_their_numbers() {
    let line = Line { text: "here".to_owned(), runs: vec![Run { length: 4, style: style(3) }] };
    let text = PaneText::new(7, vec![Arc::new(line.clone())], vec!["https://a".into(), "https://b".into()], 7);
    assert_eq!((text.numbers(), text.line(7), text.line(6)), (7..8, Some(&line), None));
    assert_eq!((text.link(LinkId(1)), text.link(LinkId(2))), (Some("https://b"), None));
    assert_eq!(text.clone(), text);
}
