//! Outlines grow as the whole is read, and lines come out as a person expects them.

use proptest::prelude::*;

use super::*;
use crate::app::window::line::Line;
use crate::app::window::text::Tone;

fn lines_of(outline: &Outline, text: &str, cells: usize, tail: bool) -> Vec<Line> {
    let last = outline.chunks().len().saturating_sub(1);
    let chunks = outline.chunks().iter().enumerate();
    chunks.flat_map(|(i, chunk)| lay_out(text, chunk, cells, 7, tail && i == last)).flatten().collect()
}

fn shown_at(text: &str, cells: usize) -> Vec<String> {
    let lines = lines_of(&Outline::of(text), text, cells, false);
    lines.iter().flat_map(|line| line.rows(cells)).map(|row| row.text().trim_end().to_owned()).collect()
}

fn shown(text: &str) -> Vec<String> {
    shown_at(text, 60)
}

/// What is shown of a text that still grows.
fn streamed(text: &str) -> Vec<String> {
    let mut outline = Outline::default();
    outline.extend(text, false);
    lines_of(&outline, text, 60, true).iter().map(|line| format!("{}{}", line.lead, line.text())).collect()
}

fn tones(text: &str) -> Vec<(Tone, String)> {
    let runs = lines_of(&Outline::of(text), text, 60, false).into_iter().flat_map(|line| line.runs);
    runs.map(|run| (run.tone, run.text)).collect()
}

#[test]
fn blocks_are_told_apart() {
    let text = "\n# Title\n\nFirst line\nsecond **line**\n\n\n- one\n- two\n  more\n  - deeper\n1. first\n\n> quoted\n> more\n\n```rust\nfn x() {\n\n}\n```\nafter\n---\n\n***\nend\n";
    assert_eq!(
        shown(text),
        [
            "  Title",
            "",
            "  First line",
            "  second line",
            "",
            "  • one",
            "  • two",
            "    more",
            "    • deeper",
            "  1. first",
            "",
            "  ▎ quoted",
            "  ▎ more",
            "",
            "  rust",
            "  │ fn x() {",
            "  │",
            "  │ }",
            "  after",
            &format!("  {}", "─".repeat(48)),
            "",
            &format!("  {}", "─".repeat(48)),
            "  end",
        ]
    );
}

#[test]
fn what_stands_in_a_list_stays_in_it() {
    let text = "1. run\n\n   it **now**:\n\n   ```sh\n   cargo test\n     deeper\n   ```\n\n2. then\n\nout";
    assert_eq!(
        shown(text),
        [
            "  1. run",
            "",
            "     it now:",
            "",
            "     sh",
            "     │ cargo test",
            "     │   deeper",
            "",
            "  2. then",
            "",
            "  out"
        ]
    );
}

#[test]
fn running_text_has_its_tones() {
    let text = "a **b** *c* ~~d~~ `e*` [f](https://x.org/a) https://y.org/b. \\* &amp; 2 * 3 `open";
    let tones = tones(text);
    let has = |tone, text: &str| assert!(tones.contains(&(tone, text.to_owned())), "{text}: {tones:?}");
    has(Tone::Strong, "b");
    has(Tone::Emphasis, "c");
    has(Tone::Struck, "d");
    has(Tone::Code, "e*");
    has(Tone::Link, "f");
    has(Tone::Link, "https://y.org/b");
    has(Tone::Text, ". * & 2 * 3 `open");
}

#[test]
fn emphasis_may_span_lines() {
    assert_eq!(
        tones("**a\nb** c"),
        [(Tone::Strong, "a".into()), (Tone::Strong, "b".into()), (Tone::Text, " c".into())]
    );
}

#[test]
fn links_keep_their_whole_target_and_only_known_schemes_lead_anywhere() {
    let long = format!("https://example.com/{}end", "path/".repeat(60));
    let text = format!("see {long} and [x](javascript:alert) and [https://good.org](https://bad.org)");
    let lines = lines_of(&Outline::of(&text), &text, 40, false);
    let links: Vec<_> = lines[0].rows(40).iter().flat_map(|row| row.0.clone()).filter_map(|run| run.link).collect();
    assert!(links.len() > 3 && links.iter().take(3).all(|link| **link == *long), "{links:?}");
    assert!(!links.iter().any(|link| link.contains("javascript")));
    assert!(lines[0].text().contains("https://good.org (https://bad.org)"), "a link that lies is told");
}

#[test]
fn nothing_that_stands_in_a_text_is_lost() {
    assert_eq!(
        shown("[1]: https://x.org\n\n<details>\n<b>x</b>\n\n    indented"),
        ["  [1]: https://x.org", "", "  <details>", "  <b>x</b>", "", "      indented",]
    );
}

#[test]
fn control_characters_never_come_out() {
    let text = "a\u{1b}[31m **b\u{9b}2J** `c\u{7}`\n```\u{1b}x\n\u{1b}[2J\u{202e}\n```\n| a\u{1b} | b |\n|---|---|\n| \u{8} | x |";
    for row in shown(text) {
        assert!(!row.chars().any(crate::base::hidden), "{row:?}");
    }
}

#[test]
fn tables_fit_the_width() {
    let text = "| name | what it does | n |\n|:--|---|--:|\n| alpha | starts the engine and waits for it | 12 |\n| `b` | x | 3 |";
    assert_eq!(
        shown_at(text, 60),
        [
            "  name  │ what it does                       │  n",
            "  ──────┼────────────────────────────────────┼───",
            "  alpha │ starts the engine and waits for it │ 12",
            "  b     │ x                                  │  3",
        ]
    );
    assert_eq!(
        shown_at(text, 36),
        [
            "  name  │ what it does          │  n",
            "  ──────┼───────────────────────┼───",
            "  alpha │ starts the engine and │ 12",
            "        │ waits for it          │",
            "  b     │ x                     │  3",
        ]
    );
    assert!(shown_at(text, 16).iter().any(|row| row.trim() == "n: 12"), "{:?}", shown_at(text, 16));
}

#[test]
fn a_table_of_wide_glyphs_keeps_its_columns() {
    let text = "| 名前 | b |\n|---|---|\n| 漢字漢字 | 👍 |";
    assert_eq!(shown(text), ["  名前     │ b", "  ─────────┼───", "  漢字漢字 │ 👍"]);
}

#[test]
fn an_unfinished_end_looks_as_it_will() {
    assert_eq!(streamed("text\n``"), ["  text"], "a fence that comes is not shown as text");
    assert_eq!(streamed("text\n```ru"), ["  text"]);
    assert_eq!(streamed("```rust\nlet"), ["  rust", "  │ let"]);
    assert_eq!(streamed("```rust\nlet\n``"), ["  rust", "  │ let"]);
    assert_eq!(streamed("a **bold"), ["  a bold"]);
    assert_eq!(streamed("a `code"), ["  a code"]);
    assert_eq!(streamed("| a | b |"), ["  a │ b"]);
    assert_eq!(streamed("| a | b |\n|--"), ["  a │ b"]);
    assert_eq!(streamed("| a | b |\n|---|---|\n| x"), ["  a │ b", "  ──┼──", "  x │ "]);
    assert_eq!(streamed("#"), [""; 0]);
}

#[test]
fn what_is_read_is_not_read_again() {
    let mut text = String::new();
    let mut outline = Outline::default();
    for number in 0..1_000 {
        text.extend(["line ", &number.to_string(), " of a paragraph that goes on\n"]);
        outline.extend(&text, false);
    }
    let firm = outline.firm;
    assert!(firm >= 14, "long paragraphs are cut into chunks: {firm}");
    let before: Vec<Chunk> = outline.chunks()[..firm].to_vec();
    text.push_str("and on");
    outline.extend(&text, false);
    assert_eq!(outline.chunks()[..firm], before);
    // Another text is read anew.
    outline.extend("other", false);
    assert_eq!(outline.units(), 1);
}

#[test]
fn chunks_are_bounded_whatever_comes() {
    let texts = [
        "x".repeat(100_000),
        "```\n".to_owned() + &"let x = 1;\n".repeat(20_000),
        "| a | b |\n|---|---|\n".to_owned() + &"| 1 | 2 |\n".repeat(20_000),
        "- item\n".repeat(20_000),
        "> quote\n".repeat(20_000),
        "    code\n".repeat(20_000),
        "`a` *b* [c](d) ".repeat(20_000),
    ];
    for text in texts {
        let outline = Outline::of(&text);
        for chunk in outline.chunks() {
            assert!(chunk.bytes().len() <= 25_000 && chunk.units().len() <= 66, "{chunk:?}");
        }
        assert!(outline.units() > 0);
    }
}

#[test]
fn a_line_too_long_for_one_piece_has_no_gaps() {
    let text = format!("```\nfirst\n{}\nlast\n```\n", "x".repeat(20_000));
    let rows = shown(&text);
    assert_eq!((rows[0].as_str(), rows[rows.len() - 1].as_str()), ("  │ first", "  │ last"));
    assert!(rows[1..rows.len() - 1].iter().all(|row| row.ends_with('x')), "{rows:?}");
    assert_eq!(rows.iter().map(|row| row.matches('x').count()).sum::<usize>(), 20_000);
}

/// Markdown as models write it, and what only looks like it.
fn markdown() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[a-z *_`]{0,30}",
        Just("```rust".to_owned()),
        Just("```".to_owned()),
        Just("~~~".to_owned()),
        Just("  ```".to_owned()),
        Just(String::new()),
        Just("| a | **b** |".to_owned()),
        Just("|---|:-:|".to_owned()),
        Just("---".to_owned()),
        Just("===".to_owned()),
        "#{1,7} [a-z]{0,9}",
        " {0,6}[-*+] [a-z`]{0,9}",
        " {0,4}[0-9]{1,3}[.)] [a-z漢]{0,9}",
        ">{1,3} ?[a-z`]{0,9}",
        " {0,6}[a-z漢字👍&<\\[\\]()!\\\\]{0,12}",
        "[\u{0}-\u{ff}]{0,12}",
    ];
    let end = prop_oneof![Just("\n"), Just("\n"), Just("\r\n"), Just("")];
    proptest::collection::vec((line, end), 0..24)
        .prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect())
}

proptest! {
    #[test]
    fn a_text_in_pieces_is_laid_out_as_the_whole(text in markdown(), cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..12)) {
        let mut ends: Vec<usize> =
            cuts.iter().map(|cut| crate::app::window::text::cut_at(&text, cut.index(text.len() + 1))).collect();
        ends.sort_unstable();
        let mut pieces = Outline::default();
        for end in ends {
            pieces.extend(&text[..end], false);
            // Whatever has come can be drawn.
            let _lines = lines_of(&pieces, &text[..end], 30, true);
        }
        pieces.extend(&text, true);
        let whole = Outline::of(&text);
        prop_assert_eq!(pieces.chunks(), whole.chunks());
        prop_assert_eq!(lines_of(&pieces, &text, 30, false), lines_of(&whole, &text, 30, false));
    }

    #[test]
    fn units_follow_each_other_without_gaps_and_rows_fit(text in markdown(), cells in 12usize..60) {
        let outline = Outline::of(&text);
        let mut unit = 0;
        for (number, chunk) in outline.chunks().iter().enumerate() {
            prop_assert_eq!(chunk.units().start, unit);
            unit = chunk.units().end;
            prop_assert_eq!(outline.at(chunk.units().start), number);
            let laid = lay_out(&text, chunk, cells, 7, false);
            prop_assert_eq!(laid.len(), chunk.units().len());
            for row in laid.iter().flatten().flat_map(|line| line.rows(cells)) {
                prop_assert!(row.width() <= cells.max(32), "{row:?}");
                prop_assert!(!row.text().chars().any(crate::base::hidden), "{row:?}");
            }
        }
    }
}
