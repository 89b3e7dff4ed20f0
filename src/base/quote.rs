//! Words as a shell takes them.

use std::borrow::Cow;

/// A word that a shell takes as it stands: quoted where it has to be.
#[must_use]
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn what_a_shell_would_read_otherwise_is_quoted() {
        assert_eq!(shell_word("src/a.rs"), "src/a.rs");
        assert_eq!(
            ["", "a b", "*.rs", "#7", "it's", "~"].map(shell_word),
            ["''", "'a b'", "'*.rs'", "'#7'", r"'it'\''s'", "'~'"]
        );
    }
}
