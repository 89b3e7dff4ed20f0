//! The paths that a prompt's text names.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::coordination::Pattern;

/// More paths than this in one prompt are a pasted listing, not an intent.
const MOST: usize = 200;

/// Bytes of the longest quotation mark.
const QUOTE: usize = 3;

/// Characters that a quotation may have to count as a path.
const LONGEST: usize = 1024;

/// The paths, directories and globs that a text names, relative to the repository's root, in their order.
/// `known` says whether a path exists in the tree. A word counts when it exists and holds a `/` or an
/// extension or stands in quotes; or when it looks like a file with an extension, a directory with its `/`,
/// or a glob. Addresses of the web never count.
pub fn intent(text: &str, known: &dyn Fn(&str) -> bool) -> Vec<Pattern> {
    let mut seen = BTreeSet::new();
    let mut found: Vec<(usize, Pattern)> = Vec::new();
    let mut taken: Vec<Range<usize>> = Vec::new();
    for (span, quoted) in words(text) {
        if found.len() >= MOST {
            break;
        }
        // The words of a quotation that counted whole. They come in order, quotation marks around them.
        let whole = taken.partition_point(|whole| whole.start <= span.start + QUOTE).checked_sub(1);
        if !quoted && whole.is_some_and(|at| span.end <= taken[at].end + QUOTE) {
            continue;
        }
        let word = &text[span.clone()];
        // Commas within braces belong to a glob.
        let lists = !word.contains('{');
        for piece in word.split(|c| lists && matches!(c, ',' | ';' | '|' | '=')) {
            let Some(pattern) = path(piece, quoted, known) else { continue };
            if quoted {
                taken.push(span.clone());
            }
            if seen.insert(pattern.as_str().to_owned()) {
                found.push((span.start, pattern));
            }
        }
    }
    found.sort_by_key(|(start, _)| *start);
    found.truncate(MOST);
    found.into_iter().map(|(_, pattern)| pattern).collect()
}

/// Whether a character opens or closes a quotation, and what closes it.
const fn closing(c: char) -> Option<char> {
    match c {
        '`' | '"' | '\'' => Some(c),
        '“' => Some('”'),
        '‘' => Some('’'),
        '«' => Some('»'),
        '「' => Some('」'),
        _ => None,
    }
}

/// What stands in quotes, whole, then every word by itself; each with whether it is a quotation. A quote
/// opens only at the start of a word, so that the apostrophe of `don't` is none.
fn words(text: &str) -> Vec<(Range<usize>, bool)> {
    let mut list = Vec::new();
    let mut before = ' ';
    let mut skip_to = 0;
    for (at, c) in text.char_indices() {
        if at < skip_to {
            continue;
        }
        let opens = before.is_whitespace() || matches!(before, '(' | '[' | ',' | ':' | '=');
        if let Some(close) = closing(c).filter(|close| opens || *close != c) {
            let start = at + c.len_utf8();
            // A path is no longer than this: the search for the end stays short.
            let near = text[start..].char_indices().take(LONGEST).find(|(_, c)| *c == close || *c == '\n');
            if let Some((length, _)) = near.filter(|(_, c)| *c == close) {
                list.push((start..start + length, true));
                skip_to = start + length;
            }
        }
        before = c;
    }
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(from)) => {
                list.push((from..at, false));
                start = None;
            }
            _ => {}
        }
    }
    list
}

/// One word as a path, if it is one.
fn path(word: &str, quoted: bool, known: &dyn Fn(&str) -> bool) -> Option<Pattern> {
    // `[name](path)` names its path.
    let word = word.rsplit_once("](").map_or(word, |(_, target)| target);
    let word =
        word.trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’' | '«' | '»' | '<' | '>'));
    let word = word.trim_start_matches(['(', '@']).trim_end_matches(|c: char| {
        matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')' | '…' | '。' | '，' | '"' | '\'' | '`' | '”' | '’' | '»')
    });
    let word = without_line(word);
    if word.is_empty() || word.contains("://") || word.starts_with("www.") || word.contains(char::is_control) {
        return None;
    }
    let plain = Pattern::plain(word).ok()?;
    // The whole repository is no intent: `/` and `.` stand in prose.
    if plain.as_str() == "/" {
        return None;
    }
    let name = plain.as_str().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let pathlike = word.contains('/') || extension(name) || name.starts_with('.');
    if (pathlike || quoted) && known(plain.as_str().trim_end_matches('/')) {
        return Some(plain);
    }
    if word.contains(char::is_whitespace) || word.contains('@') {
        return None;
    }
    if word.contains('*') && pathlike && !word.trim_matches(['*', '/', '.']).is_empty() {
        return word.parse().ok();
    }
    let braced = word.contains(['{', '[']) && pathlike;
    let looks = extension(name) || (word.contains('/') && word.ends_with('/'));
    if looks && braced { word.parse().ok() } else { looks.then_some(plain) }
}

/// Without `:12`, `:12:5`, `:12-20` or `#L12` at the end.
fn without_line(word: &str) -> &str {
    let word = word.rsplit_once("#L").filter(|(_, line)| number(line)).map_or(word, |(path, _)| path);
    let mut word = word;
    for _ in 0..2 {
        word = word.rsplit_once(':').filter(|(_, line)| number(line)).map_or(word, |(path, _)| path);
    }
    word
}

fn number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'-')
}

/// Whether a name ends in an extension: `login.rs`, but neither `3.14`, `e.g` nor `v1.2`.
fn extension(name: &str) -> bool {
    let Some((stem, end)) = name.rsplit_once('.') else { return false };
    let letters = end.bytes().all(|b| b.is_ascii_alphanumeric()) && end.bytes().any(|b| b.is_ascii_alphabetic());
    let abbreviation = stem.len() == 1
        && end.len() == 1
        && stem.bytes().all(|b| b.is_ascii_lowercase() && b != b'a')
        && !matches!(end, "c" | "h" | "s" | "o" | "r");
    !stem.is_empty() && (1..=10).contains(&end.len()) && letters && !abbreviation && !stem.ends_with('.')
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use proptest::prelude::*;

    use super::*;

    const TREE: [&str; 9] =
        ["src", "src/login.rs", "src/router", "Makefile", "my file.rs", ".env", "app/[id]/page.tsx", "docs", "LICENSE"];

    fn named(text: &str) -> Vec<String> {
        intent(text, &|path| TREE.contains(&path)).iter().map(|pattern| pattern.as_str().to_owned()).collect()
    }

    #[test]
    fn paths_are_found_however_they_are_written() {
        for (text, wanted) in [
            ("add rate limiting to src/login.rs.", &["src/login.rs"][..]),
            ("see src/login.rs:40:5, then (src/router)", &["src/login.rs", "src/router"]),
            ("in `Makefile` and \"my file.rs\"", &["Makefile", "my file.rs"]),
            ("make new.rs and src/new/", &["new.rs", "src/new/"]),
            ("all of src/*.rs and tests/**/*.snap", &["src/*.rs", "tests/**/*.snap"]),
            ("the page app/[id]/page.tsx", &["app/[id]/page.tsx"]),
            ("change src/{login,router}.rs", &["src/{login,router}.rs"]),
            ("copy a.rs,b.rs @src/login.rs", &["a.rs", "b.rs", "src/login.rs"]),
            ("[the login](src/login.rs#L12) page", &["src/login.rs"]),
            ("put it in .env", &[".env"]),
            ("./src//login.rs", &["src/login.rs"]),
            ("テスト src/login.rs。", &["src/login.rs"]),
            ("テスト「src/login.rs」を", &["src/login.rs"]),
        ] {
            assert_eq!(named(text), wanted, "{text}");
        }
    }

    #[test]
    fn prose_addresses_and_what_lies_outside_are_no_paths() {
        for text in [
            "fix the docs and the tests, and/or don't",
            "see https://example.com/src/login.rs and www.example.com/a.html",
            "pi is 3.14, use v1.2, e.g. or i.e. this",
            "read /etc/passwd and ../other/x.rs and ~/notes.md",
            "mail me@example.com",
            "client/server over TCP/IP",
            "what does ** or * mean . / ...",
            "we read the LICENSE",
            "",
        ] {
            assert_eq!(named(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_pasted_listing_is_bounded() {
        let listing = (0..5000).map(|n| format!("src/f{n}.rs")).collect::<Vec<_>>().join("\n");
        assert_eq!(named(&listing).len(), MOST);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,80}|[a./*'`\"\\[\\](){}:#L0-9 -]{0,60}") {
            let _ = named(&text);
        }

        #[test]
        fn a_known_path_is_found_in_any_sentence(lead in "[a-z ]{0,20}", tail in "[,.;:!?)]{0,3}") {
            let text = format!("{lead} src/login.rs{tail} and on");
            prop_assert!(named(&text).contains(&"src/login.rs".to_owned()));
        }
    }
}
