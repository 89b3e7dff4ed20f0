//! Redirections: which files they read and write.

use tree_sitter::Node;

use super::model::{FileUse, Known, Word};

/// What a redirection does.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Redirect {
    /// It joins descriptors or closes one, or names a device that keeps nothing.
    Nothing,
    /// It opens a file.
    File(Word, FileUse),
    /// It opens a connection: `/dev/tcp/HOST/PORT`, as `HOST:PORT`.
    Network(Word),
}

/// Devices that may be written without changing anything.
const DEVICES: &[&str] =
    &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero", "/dev/full"];

/// The operator of a redirection, such as `>>`.
pub(super) fn operator<'a>(text: &'a str, node: Node<'_>) -> &'a str {
    let mut cursor = node.walk();
    let token = node.children(&mut cursor).find(|child| !child.is_named());
    token.and_then(|token| text.get(token.byte_range())).unwrap_or_default()
}

/// Judges an operator with the word that follows it.
pub(super) fn redirect(operator: &str, word: &Word) -> Redirect {
    let descriptor = |text: &str| text == "-" || text.trim_end_matches('-').bytes().all(|b| b.is_ascii_digit());
    if matches!(operator, ">&" | "<&") && word.exact().is_some_and(descriptor) {
        return Redirect::Nothing;
    }
    if word.known == Known::All && DEVICES.contains(&word.text.as_str()) {
        return Redirect::Nothing;
    }
    if word.text.starts_with("/dev/tcp") || word.text.starts_with("/dev/udp") {
        return Redirect::Network(connection(word).unwrap_or_else(Word::unknown));
    }
    match operator {
        "<" | "<&" => Redirect::File(word.clone(), FileUse::Read),
        _ => Redirect::File(word.clone(), FileUse::Write),
    }
}

/// What the shell connects to when this word is opened, as `HOST:PORT`.
pub(super) fn connection(word: &Word) -> Option<Word> {
    let rest = word.text.strip_prefix("/dev/tcp/").or_else(|| word.text.strip_prefix("/dev/udp/"))?;
    // Of a word that is known in part the host may go on, unless the port follows it.
    let known = word.known == Known::All || rest.contains('/');
    Some(if known { Word::literal(rest.replacen('/', ":", 1)) } else { Word::unknown() })
}
