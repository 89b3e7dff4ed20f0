//! Compaction: structured notes that stand for the older part of a conversation, and up to where they do.
//!
//! The transcript keeps everything. From its notes' entry on, a lane's requests hold the notes and what comes after
//! [`NotesEntry::upto`]; going back to before that entry brings back what held before it.

use serde::{Deserialize, Serialize};

use super::CallId;

/// Where a word of a notes' heading stands among the sections.
const HEADINGS: [&str; 7] = ["Goal", "Done", "Pending", "Constraints", "Files", "Decisions", "Next"];
/// A section that is no longer than this is not cut any more.
const SHORT: usize = 40;

/// What is to be known of a conversation without reading it. Each section is text of a few lines, or empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Notes {
    /// What the person wants.
    pub goal: String,
    /// What has been done.
    pub done: String,
    /// What is left to do.
    pub pending: String,
    /// What the person or the project demands.
    pub constraints: String,
    /// Files that matter, and why.
    pub files: String,
    /// What was decided, and why.
    pub decisions: String,
    /// What comes next.
    pub next: String,
}

impl Notes {
    /// Names of the sections, in their order.
    pub const HEADINGS: [&'static str; 7] = HEADINGS;

    /// The sections in their order, each with its name.
    #[must_use]
    pub fn sections(&self) -> [(&'static str, &str); 7] {
        let texts =
            [&self.goal, &self.done, &self.pending, &self.constraints, &self.files, &self.decisions, &self.next];
        std::array::from_fn(|at| (HEADINGS[at], texts[at].as_str()))
    }

    fn texts_mut(&mut self) -> [&mut String; 7] {
        [
            &mut self.goal,
            &mut self.done,
            &mut self.pending,
            &mut self.constraints,
            &mut self.files,
            &mut self.decisions,
            &mut self.next,
        ]
    }

    /// The section of this name, in any letters.
    pub fn section_mut(&mut self, name: &str) -> Option<&mut String> {
        let at = HEADINGS.iter().position(|heading| heading.eq_ignore_ascii_case(name))?;
        self.texts_mut().into_iter().nth(at)
    }

    /// The notes as text: a heading and its lines for each section that says something.
    #[must_use]
    pub fn text(&self) -> String {
        let said = self.sections().into_iter().filter(|(_, text)| !text.is_empty());
        said.map(|(name, text)| format!("## {name}\n{text}")).collect::<Vec<_>>().join("\n\n")
    }

    /// Cuts the longest sections until the text as a whole weighs at most `most`.
    pub fn fit(&mut self, most: u64, weight: impl Fn(&str) -> u64) {
        while weight(&self.text()) > most {
            let Some(longest) = self.texts_mut().into_iter().max_by_key(|text| text.len()) else { return };
            if longest.len() <= SHORT {
                return;
            }
            let mut keep = longest.len() * 3 / 4;
            while !longest.is_char_boundary(keep) {
                keep -= 1;
            }
            longest.truncate(keep);
            if !longest.ends_with('…') {
                longest.push('…');
            }
        }
    }
}

/// Why a conversation was compacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CompactCause {
    /// The next request would have been over the limit.
    Full,
    /// The server refused a request as too long.
    Refused,
    /// The person asked for it.
    Asked,
    /// The lane was at rest for a while.
    Idle,
}

impl CompactCause {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Full => "nearly full",
            Self::Refused => "refused as too long",
            Self::Asked => "asked for",
            Self::Idle => "at rest",
        }
    }
}

/// Up to where notes stand, as the one knows who makes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpTo {
    /// This entry of the transcript and all before it.
    Entry(u64),
    /// What stands before the step that made this call.
    BeforeCall(CallId),
    /// All that the transcript holds now.
    Now,
}

/// What came of a compaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compaction {
    /// Up to where the notes stand.
    pub upto: UpTo,
    /// The notes.
    pub notes: Notes,
    /// Why.
    pub cause: CompactCause,
    /// Why they were made without a model, if they were.
    pub without_model: Option<String>,
    /// Tokens of a request before, as estimated.
    pub before: u64,
    /// Tokens of a request after.
    pub after: u64,
}

/// Notes as a transcript keeps them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotesEntry {
    /// The last entry that they stand for; 0 for none that is there.
    pub upto: u64,
    /// The notes.
    pub notes: Notes,
    /// Why.
    pub cause: CompactCause,
    /// Why they were made without a model, if they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_model: Option<String>,
    /// Tokens of a request before, as estimated.
    pub before: u64,
    /// Tokens of a request after.
    pub after: u64,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sections_are_found_by_name_and_told_under_it() {
        let mut notes = Notes::default();
        notes.section_mut("goal").unwrap().push_str("a limit");
        notes.section_mut("NEXT").unwrap().push_str("run the tests");
        assert!(notes.section_mut("else").is_none());
        assert_eq!(notes.text(), "## Goal\na limit\n\n## Next\nrun the tests");
    }

    proptest! {
        /// Whatever is written into them, they get as small as they must.
        #[test]
        fn notes_fit(texts in proptest::collection::vec(".{0,900}", 7), most in 300u64..3_000) {
            let mut notes = Notes::default();
            for (name, text) in Notes::HEADINGS.into_iter().zip(texts) {
                *notes.section_mut(name).unwrap() = text;
            }
            notes.fit(most, |text| text.len() as u64);
            // Headings and what is never cut take up to about 400 bytes.
            prop_assert!(notes.text().len() as u64 <= most.max(420), "{}", notes.text().len());
        }
    }
}
