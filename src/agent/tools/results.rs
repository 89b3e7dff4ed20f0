//! Results that were cut, so that the model can read on in them. The newest of a lane are kept, within a cap.

use std::collections::VecDeque;
use std::sync::Mutex;

use super::OUTPUT_CAP;
use crate::base::lock;

/// Bytes of all kept results of a lane.
const KEPT: usize = 2 * 1024 * 1024;

/// The cut results of a lane.
#[derive(Debug, Default)]
pub(super) struct Results(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    last: u64,
    size: usize,
    all: VecDeque<(u64, String)>,
}

impl Results {
    /// The text as it is, or cut in its middle with words on how to read on.
    pub fn fit(&self, text: String) -> String {
        if text.len() <= OUTPUT_CAP {
            return text;
        }
        let head = line_start(&text, OUTPUT_CAP / 3 * 2);
        let tail = line_start(&text, text.len() - OUTPUT_CAP / 3).max(head);
        let (first, last, total) = (&text[..head], &text[tail..], text.len());
        let cut = format!("[… bytes {head} to {tail} of {total} are left out here: `read_more` with result `r");
        let words = format!("` and offset {head} shows them …]");
        let mut kept = lock(&self.0);
        kept.last += 1;
        let name = kept.last;
        let shown = format!("{first}\n{cut}{name}{words}\n{last}");
        kept.size += total;
        kept.all.push_back((name, text));
        while kept.size > KEPT && kept.all.len() > 1 {
            kept.size -= kept.all.pop_front().map_or(0, |(_, old)| old.len());
        }
        shown
    }

    /// A piece of a kept result, with words on how to read on.
    pub fn read(&self, name: &str, offset: u64) -> Result<String, String> {
        let kept = lock(&self.0);
        let number = name.trim().trim_start_matches('r').parse::<u64>().ok();
        let Some((_, text)) = kept.all.iter().find(|(known, _)| Some(*known) == number) else {
            let names: Vec<String> = kept.all.iter().map(|(name, _)| format!("`r{name}`")).collect();
            let known = if names.is_empty() { "none is".to_owned() } else { format!("kept: {}", names.join(", ")) };
            return Err(format!(
                "No cut result `{}` is kept ({known}). Run the call again, so that it gives less.",
                crate::base::clip(name, 20)
            ));
        };
        let from = boundary(text, usize::try_from(offset).unwrap_or(usize::MAX));
        if from >= text.len() {
            return Err(format!("`{name}` has {} bytes; there is nothing at offset {offset}.", text.len()));
        }
        let mut to = line_start(text, from + OUTPUT_CAP);
        if to <= from {
            to = boundary(text, from + OUTPUT_CAP);
        }
        let end = if to < text.len() { format!("; read on with offset {to}") } else { String::new() };
        Ok(format!("{}\n[bytes {from} to {to} of {}{end}]", &text[from..to], text.len()))
    }
}

/// The place nearest before `at` that begins a character.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The place nearest before `at` that begins a line; if that is far off, one that begins a character.
fn line_start(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    let at = boundary(text, at);
    let from = boundary(text, at.saturating_sub(2000));
    text[from..at].rfind('\n').map_or(at, |line| from + line + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_oldest_go_and_that_is_told() {
        let results = Results::default();
        let big = "x".repeat(900_000);
        for _ in 0..4 {
            assert!(results.fit(big.clone()).len() < OUTPUT_CAP + 300);
        }
        let words = results.read("r1", 0).unwrap_err();
        assert!(words.contains("kept: `r3`, `r4`"), "{words}");
        assert!(results.read("r4", 900_000).unwrap_err().contains("nothing at offset"));
        assert_eq!(results.fit("short".into()), "short");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        /// Reading on piece by piece gives the whole text again.
        #[test]
        fn the_pieces_are_the_whole(lines in proptest::collection::vec("(grün |漢字|a){0,200}", 300..400)) {
            let text = lines.join("\n");
            prop_assume!(text.len() > OUTPUT_CAP);
            let results = Results::default();
            results.fit(text.clone());
            let (mut all, mut offset) = (String::new(), 0);
            while offset < text.len() {
                let piece = results.read("r1", offset as u64).unwrap();
                let (piece, note) = piece.rsplit_once("\n[bytes ").unwrap();
                prop_assert!(piece.len() <= OUTPUT_CAP && note.starts_with(&(offset.to_string() + " to ")));
                all.push_str(piece);
                offset = all.len();
            }
            prop_assert_eq!(all, text);
        }
    }
}
