//! The model's answer as notes.

use crate::domain::Notes;

/// Reads notes: headings with lines below. Small models write headings in many ways; what stands before the first one
/// does not count.
///
/// # Errors
/// In words, when it is something else.
pub(super) fn read(text: &str) -> Result<Notes, &'static str> {
    let mut notes = Notes::default();
    let mut section: Option<&'static str> = None;
    for line in text.lines() {
        if let Some(name) = heading(line) {
            section = Some(name);
        } else if let Some(text) = section.and_then(|name| notes.section_mut(name)) {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    for name in Notes::HEADINGS {
        if let Some(text) = notes.section_mut(name) {
            let trimmed = text.trim();
            let nothing =
                ["", "none", "(none)", "- none", "n/a", "-"].contains(&trimmed.to_lowercase().trim_end_matches('.'));
            *text = if nothing { String::new() } else { trimmed.to_owned() };
        }
    }
    let filled = notes.sections().iter().filter(|(_, text)| !text.is_empty()).count();
    if notes.goal.is_empty() || filled < 2 {
        return Err("the model answered something else than notes");
    }
    Ok(notes)
}

/// The section that a line begins: `## Goal`, `**Goal**`, `Goal:`.
fn heading(line: &str) -> Option<&'static str> {
    let line = line.trim();
    let marked = line.starts_with('#') || line.starts_with("**") || line.ends_with(':');
    let name = line.trim_matches(['#', '*', ':', ' ']);
    Notes::HEADINGS.into_iter().find(|heading| marked && heading.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn notes_are_read_however_their_headings_look() {
        for text in [
            "Here they are.\n## Goal\na limit\n## Done\n- router read\n\n## Files\nNone.",
            "**Goal**\na limit\n**Done:**\n- router read\n",
            "GOAL:\na limit\n\nDone:\n- router read",
        ] {
            let notes = read(text).unwrap();
            assert_eq!(
                (notes.goal.as_str(), notes.done.as_str(), notes.files.as_str()),
                ("a limit", "- router read", "")
            );
        }
    }

    #[test]
    fn something_else_is_refused() {
        for text in
            ["", "I cannot do that.", "## Goal\n", "## Goal\nonly this", "## Next\na\n## Done\nb", "{\"goal\": 1}"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(#{0,3} ?(Goal|Done|None)?:?\\PC{0,20}\n?){0,12}") {
            let _ = read(&text);
        }
    }
}
