//! `edit`: exact changes of a text, made in order, all or none. Pure.
//!
//! What is not found is looked for again without regard to blanks and quotation marks: a model that is told what
//! really stands there gets it right the next time, and nothing is ever changed on a guess.

use super::arguments::Edit;
use crate::base::clip;

/// Lines of the file that are quoted in a fault.
const QUOTED: usize = 30;
/// Lines that are compared for likeness when nothing better is found.
const COMPARED: usize = 5_000;
/// How alike a line must be to be worth telling.
const ALIKE: f64 = 0.8;

/// The text after the changes.
pub(super) fn apply(path: &str, text: &str, edits: &[Edit]) -> Result<String, String> {
    let mut text = text.to_owned();
    for (number, edit) in edits.iter().enumerate() {
        let named = if edits.len() == 1 { "`old`".to_owned() } else { format!("`old` of `edits[{number}]`") };
        text = one(&text, edit).map_err(|fault| {
            let none = if edits.len() == 1 { "" } else { " None of the changes was made." };
            let after = if number == 0 { "" } else { " (after the changes before it)" };
            format!("{named} {}{none}", words(path, &text, edit, &fault, after))
        })?;
    }
    Ok(text)
}

enum Fault {
    Missing,
    Several(usize),
}

fn one(text: &str, edit: &Edit) -> Result<String, Fault> {
    let (old, new) = fitted(text, edit);
    match text.matches(old.as_str()).count() {
        0 => Err(Fault::Missing),
        count @ 2.. if !edit.all => Err(Fault::Several(count)),
        _ => Ok(text.replace(old.as_str(), &new)),
    }
}

/// Models write `\n`; in a file with `\r\n` that would never be found.
fn fitted(text: &str, edit: &Edit) -> (String, String) {
    let crlf = text.contains("\r\n") && !edit.old.contains('\r') && !text.contains(&edit.old);
    let fit = |part: &str| if crlf { part.replace('\n', "\r\n") } else { part.to_owned() };
    (fit(&edit.old), fit(&edit.new))
}

fn words(path: &str, text: &str, edit: &Edit, fault: &Fault, after: &str) -> String {
    match fault {
        Fault::Several(count) => {
            let (old, _) = fitted(text, edit);
            let lines: Vec<String> = text
                .match_indices(old.as_str())
                .take(10)
                .map(|(at, _)| (text[..at].matches('\n').count() + 1).to_string())
                .collect();
            format!(
                "occurs {count} times in `{path}`{after} (lines {}). Give more lines around it, or set `all`.",
                lines.join(", ")
            )
        }
        Fault::Missing => {
            let head = format!("does not occur in `{path}`{after}");
            near(text, &edit.old, &head).unwrap_or_else(|| {
                format!("{head}. It must match exactly, with every blank; read the file again and copy from it.")
            })
        }
    }
}

/// Where the file has nearly what was looked for.
fn near(text: &str, old: &str, head: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let wanted: Vec<&str> = old.trim_matches('\n').lines().collect();
    let quote = |at: usize, count: usize| {
        let shown = lines[at..lines.len().min(at + count.min(QUOTED))].join("\n");
        format!("```\n{shown}\n```")
    };
    for (normal, what) in [(blanks as fn(&str) -> String, "other blanks"), (signs, "other blanks or quotation marks")] {
        let file: Vec<String> = lines.iter().map(|line| normal(line)).collect();
        let sought: Vec<String> = wanted.iter().map(|line| normal(line)).collect();
        if sought.iter().all(String::is_empty) {
            return None;
        }
        if let Some(at) = file.windows(sought.len()).position(|window| window == sought) {
            return Some(format!(
                "{head}, but {} with {what}:\n{}\nCopy exactly that into `old`.",
                match sought.len() {
                    1 => format!("line {} is the same", at + 1),
                    many => format!("lines {}–{} are the same", at + 1, at + many),
                },
                quote(at, sought.len())
            ));
        }
        // A part of a line.
        if let [only] = sought.as_slice()
            && let Some(at) = file.iter().position(|line| line.contains(only.as_str()))
        {
            return Some(format!("{head}, but line {} has it with {what}:\n{}", at + 1, quote(at, 1)));
        }
    }
    let first = wanted.iter().map(|line| line.trim()).find(|line| !line.is_empty())?;
    let first = clip(first, 200);
    let score = |line: &str| strsim::normalized_levenshtein(&first, &clip(line.trim(), 200));
    let best = lines.iter().take(COMPARED).enumerate().map(|(at, line)| (score(line), at));
    let (score, at) = best.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let about = wanted.len().max(1);
    (score >= ALIKE).then(|| {
        format!(
            "{head}. The nearest is at line {}:\n{}\nIt must match exactly; read the file again and copy from it.",
            at + 1,
            quote(at, about)
        )
    })
}

/// A line without regard to blanks at its ends and to how many stand between words.
fn blanks(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same, with typographic signs as plain ones.
fn signs(line: &str) -> String {
    let plain = |c| match c {
        '\u{2018}' | '\u{2019}' | '\u{201b}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => other,
    };
    blanks(&line.chars().map(plain).collect::<String>())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn edit(old: &str, new: &str) -> Edit {
        Edit { old: old.to_owned(), new: new.to_owned(), all: false }
    }

    #[test]
    fn several_edits_are_made_in_order_and_all_or_none() {
        let text = "a\nb\nc\n";
        assert_eq!(apply("f", text, &[edit("a", "x"), edit("x\nb", "y")]).unwrap(), "y\nc\n");
        let words = apply("f", text, &[edit("a", "x"), edit("a\n", "y")]).unwrap_err();
        assert!(words.contains("`old` of `edits[1]` does not occur in `f` (after the changes before it)"), "{words}");
        assert!(words.ends_with("None of the changes was made."), "{words}");
    }

    #[test]
    fn what_differs_in_blanks_only_is_quoted_as_it_is() {
        let text = "fn a() {\n\tlet x  = 1;\n\tlet y = 2;\n}\n";
        let words = apply("f", text, &[edit("    let x = 1;\n    let y = 2;", "")]).unwrap_err();
        assert!(
            words.contains("lines 2–3 are the same with other blanks") && words.contains("\tlet x  = 1;"),
            "{words}"
        );
        let words = apply("f", "say(“hi”) and more\n", &[edit("say(\"hi\")", "x")]).unwrap_err();
        assert!(words.contains("line 1 has it with other blanks or quotation marks"), "{words}");
        let words = apply("f", "let total = compute(a, b);\n", &[edit("let total = compute(a, c);", "x")]).unwrap_err();
        assert!(words.contains("The nearest is at line 1"), "{words}");
        let words = apply("f", "a\n", &[edit("entirely other", "x")]).unwrap_err();
        assert!(words.contains("read the file again"), "{words}");
    }

    proptest! {
        /// A text that occurs once is replaced there and nothing else changes; one that does not is refused.
        #[test]
        fn exactly_the_named_text_changes(before in "[a-c \n]{0,30}", old in "[x-z\n]{1,10}", after in "[a-c \n]{0,30}", new in "\\PC{0,10}") {
            prop_assume!(old != new && old.contains(['x', 'y', 'z']));
            let text = format!("{before}{old}{after}");
            match apply("f", &text, &[edit(&old, &new)]) {
                Ok(changed) => prop_assert_eq!(changed, format!("{before}{new}{after}")),
                Err(words) => prop_assert!(words.contains("times"), "{}", words),
            }
            let without = before + &after;
            prop_assert!(apply("f", &without, &[edit(&old, &new)]).is_err());
        }

        /// No text and no edit breaks it.
        #[test]
        fn nothing_breaks_it(text in any::<String>(), old in "(?s).{1,40}", new in any::<String>(), all in any::<bool>()) {
            let _ = apply("f", &text, &[Edit { old, new, all }]);
        }
    }
}
