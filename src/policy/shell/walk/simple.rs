//! Simple commands: their words, what they run, which files they name.

use std::collections::HashSet;

use tree_sitter::Node;

use super::{RESERVED, Start, Walker};
use crate::policy::shell::assign::changes_programs;
use crate::policy::shell::model::{FileUse, Kind, Known, Simple, Target, Word};
use crate::policy::shell::place::{Directories, Place, home};
use crate::policy::shell::redirect::connection;
use crate::policy::shell::{DEEPEST, programs, script};

impl Walker<'_> {
    pub(super) fn command(&mut self, node: Node<'_>, redirects: &[Node<'_>]) {
        let mut words = Vec::new();
        let mut end = None;
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        for child in children {
            let is_word =
                !matches!(child.kind(), "file_redirect" | "herestring_redirect" | "variable_assignment" | "subshell");
            if is_word && end == Some(child.start_byte()) {
                self.mark("a word is too tangled to be analysed", node);
            }
            end = is_word.then_some(child.end_byte());
            match child.kind() {
                "variable_assignment" => self.assignment(child, true),
                "file_redirect" | "herestring_redirect" => {
                    let text = self.part(child);
                    // `{name}>file` sets a variable.
                    let before = self.text.get(..child.start_byte()).unwrap_or_default();
                    if before.ends_with('}') && text.starts_with(['<', '>']) {
                        self.mark("a redirection sets a variable", node);
                    }
                    words.extend(self.redirect(child));
                }
                "subshell" => {
                    self.mark("a command stands before a subshell", node);
                    self.statement(child);
                }
                "comment" => {}
                _ => words.push(self.word(child)),
            }
        }
        if redirects
            .first()
            .is_some_and(|first| first.start_byte() == node.end_byte() && self.part(node).ends_with('}'))
        {
            self.mark("a redirection sets a variable", node);
        }
        let more = self.redirects(redirects);
        words.extend(more);
        let part = self.part(node);
        self.simple(words, self.within, part);
    }

    pub(super) fn declaration(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let mut words = Vec::new();
        for child in children {
            if child.kind() == "variable_assignment" {
                self.assignment(child, false);
                // The word that it is for the builtin.
                let text = self.part(child);
                let name: String = text.chars().take_while(|c| *c != '=' && *c != '+' && *c != '[').collect();
                words.push(Word { text: format!("{name}="), known: Known::Start, many: false });
            } else {
                words.push(self.word(child));
            }
        }
        let part = self.part(node);
        self.simple(words, self.within, part);
    }

    pub(super) fn file(&mut self, word: &Word, how: FileUse) {
        if word.text.is_empty() && word.known == Known::All {
            return;
        }
        let places = match home(word) {
            Some(place) => vec![place],
            None if word.known == Known::Pattern => self.directories.matching(&word.text),
            None => self.directories.places(word),
        };
        let part = match word.known {
            Known::All | Known::Pattern => word.text.clone(),
            Known::Start => format!("{}…", word.text),
        };
        self.into.files.push(Target { places, how, part });
    }

    /// A simple command: lists it, and what it runs.
    pub(super) fn simple(&mut self, words: Vec<Word>, within: Option<usize>, part: &str) {
        let Some(name) = words.first() else { return };
        match name.exact() {
            None => self.into.mark("the command's name is only known when it runs", part),
            Some("") => self.into.mark("the command's name is empty", part),
            Some(text) if RESERVED.contains(&text) && !matches!(text, "time" | "coproc" | "[[") => {
                self.into.mark("a word of the shell stands in a doubtful place", part);
            }
            // Taken for an assignment or, by other shells, for something else.
            Some(text)
                if text.contains([
                    '=', '\n', ' ', '\t', '#', '~', '!', '^', '%', '@', '$', '`', '&', '|', ';', '<', '>', '(', ')',
                ]) =>
            {
                self.into.mark("the command's name is odd", part);
            }
            Some(_) => {}
        }
        let look = programs::look(&words);
        // What these run changes the directory of the shell itself.
        let within_shell = matches!(name.exact(), Some("builtin" | "command" | "eval" | "time"));
        for why in &look.marks {
            self.into.mark(why.as_str(), part);
        }
        for (name, exported) in &look.variables {
            self.doubtful.insert(name.clone());
            if changes_programs(name, *exported) {
                self.into.mark(format!("setting `{name}` can change what programs do"), part);
            }
        }
        let outer = self.directories.clone();
        for at in &look.at {
            self.directories.enter(at);
        }
        for (word, how) in &look.files {
            self.file(word, *how);
        }
        for (word, how) in &look.top {
            let inner = std::mem::take(&mut self.directories);
            self.file(word, *how);
            self.directories = inner;
        }
        let runs = !look.inner.is_empty() || !look.scripts.is_empty() || look.kind == Kind::Carrier;
        let how = match (look.handed, look.told || runs) {
            _ if look.unknown => FileUse::Used,
            (true, _) => FileUse::Handed,
            (false, true) => FileUse::Named,
            (false, false) => FileUse::Used,
        };
        // What is read by its whole word is judged so.
        let read: HashSet<&str> =
            look.files.iter().filter(|(_, how)| *how == FileUse::Read).map(|(w, _)| w.text.as_str()).collect();
        let judged = |word: &Word| {
            how == FileUse::Named
                && look.at.is_empty()
                && word.known == Known::All
                && read.contains(word.text.as_str())
                && !word.text.starts_with('-')
                && !word.text.contains([':', '=', '@', ',', '<', '\n'])
        };
        let left = words.iter().enumerate().skip(1).filter(|(at, word)| look.verb != Some(*at) && !judged(word));
        for (index, word) in left {
            let how = if look.script == Some(index) { FileUse::Named } else { how };
            // Where it goes at first is seen from where it was.
            if look.at.iter().any(|at| word.text.ends_with(&at.text)) {
                let inner = std::mem::replace(&mut self.directories, outer.clone());
                self.named(word, how);
                self.directories = inner;
            } else {
                self.named(word, how);
            }
            if word.text.starts_with("/dev/tcp/") || word.text.starts_with("/dev/udp/") {
                self.into.hosts.extend(connection(word));
            }
        }
        let guesses = look.guesses.iter().filter_map(|at| words.get(*at..)).map(<[Word]>::to_vec);
        let guesses: Vec<Vec<Word>> = guesses.chain(look.perhaps).chain(carried(&words, how)).collect();
        let Some(index) = self.into.push(Simple { words, within, kind: look.kind, plain: look.plain }) else { return };
        for words in guesses.into_iter().filter(|words| words.first().is_some_and(|word| word.exact().is_some())) {
            self.into.push(Simple { words, within: Some(index), kind: Kind::Guess, plain: None });
        }
        let changes = self.into.directories.len();
        for words in look.inner {
            self.depth += 1;
            if self.depth > DEEPEST {
                self.into.mark("commands within commands go too deep", part);
            } else {
                self.simple(words, Some(index), part);
            }
            self.depth -= 1;
        }
        for text in look.scripts {
            let start = Start { depth: self.depth + 8, within: Some(index), directories: self.directories.clone() };
            script(&text, self.into, &start);
        }
        self.directories = outer;
        if within_shell && self.into.directories.len() > changes {
            self.directories = Directories::unknown();
        }
        if let Some(to) = look.directory {
            self.change(&to);
        }
    }

    /// A word that names a file: as it stands, after `=` or `@`, as `file:` or, perhaps, in a part of it.
    pub(super) fn named(&mut self, word: &Word, how: FileUse) {
        let Some(text) = word.exact() else { return self.named_in_part(word, how) };
        if text.len() >= 4096 || text.contains('\n') {
            return;
        }
        if let Some(path) = file_address(text) {
            self.file(&Word::literal(path), FileUse::Read);
        }
        let rest = text.split_once('=').map_or(text, |(_, rest)| rest).trim_start_matches('@');
        if !rest.starts_with('-') {
            self.file(&Word::literal(rest), how);
        }
        for part in parts(text).into_iter().filter(|part| *part != rest).take(PARTS) {
            self.file(&Word::literal(part), FileUse::Perhaps);
        }
    }

    /// The same for a word that is known in part.
    fn named_in_part(&mut self, word: &Word, how: FileUse) {
        if home(word).is_some() {
            return self.file(word, how);
        }
        let text = word.text.split_once('=').map_or(word.text.as_str(), |(_, rest)| rest).trim_start_matches('@');
        if text.is_empty() && how == FileUse::Used {
            return self.file(&Word::unknown(), FileUse::Read);
        }
        if text.is_empty() || text.starts_with('-') || text.len() >= 4096 {
            return;
        }
        let patterns = match word.known {
            Known::Pattern => vec![text.to_owned()],
            // Of a word that is not known at all nothing can be told, and the beginning of a name says little.
            _ if !text.contains('/') => return,
            _ => vec![format!("{text}*"), format!("{text}*/**")],
        };
        let places: Vec<Place> = patterns.iter().flat_map(|pattern| self.directories.matching(pattern)).collect();
        self.into.files.push(Target { places, how: FileUse::Perhaps, part: format!("{}…", word.text) });
    }

    pub(super) fn change(&mut self, to: &Word) {
        self.into.directories.push(to.exact().unwrap_or_default().to_owned());
        if self.repeats > 0 && !to.text.starts_with('/') {
            self.directories = Directories::unknown();
        } else {
            self.directories.change(to);
        }
    }
}

/// Words of an unknown program that are looked at as commands.
const CARRIED: usize = 8;

/// What a program of which nobody knows anything may run: its words from any of them on, or one that holds several.
fn carried(words: &[Word], how: FileUse) -> Vec<Vec<Word>> {
    if how != FileUse::Used {
        return Vec::new();
    }
    let name = |word: &Word| {
        word.exact().is_some_and(|text| text.starts_with(|c: char| c.is_ascii_alphanumeric() || "/.~".contains(c)))
    };
    let from = (1..words.len()).filter(|at| words.get(*at).is_some_and(name)).take(CARRIED);
    let mut found = Vec::new();
    for rest in from.filter_map(|at| words.get(at..)) {
        let text = rest.first().map_or("", |first| first.text.as_str());
        if text.contains([' ', '\t']) {
            found.push(text.split_ascii_whitespace().map(Word::literal).collect());
        } else {
            found.push(rest.to_vec());
        }
    }
    found
}

/// Parts of a word that are looked at.
const PARTS: usize = 12;

/// Parts of a word that may be a path: `REV:path`, `a:b`, `source=a,target=b`, `-Xpath`, also behind other letters.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')) {
        let path = |rest: &&str| rest.len() > 1 && (rest.contains(['/', '.']) || letters.len() > 3);
        let ends = letters.char_indices().skip(1).take(PARTS / 2);
        parts.extend(ends.filter_map(|(at, _)| letters.get(at..)).filter(path));
    }
    if text.contains([':', ',', '=', '@', '<']) && !text.contains([' ', '\t']) {
        let pieces = text.split([':', ',', '=', '@', '<']).skip(1).filter(|piece| !piece.is_empty());
        parts.extend(pieces.map(|piece| piece.trim_start_matches("//").trim_matches('"')));
        parts.extend(text.split([':', ',']).next().filter(|first| *first != text && !first.starts_with('-')));
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The path in `file://HOST/PATH` or `file:PATH`, also as an option's value, decoded.
fn file_address(text: &str) -> Option<String> {
    let at = text.to_ascii_lowercase().find("file:")?;
    let begins = text.get(..at)?.chars().next_back().is_none_or(|c| !c.is_ascii_alphanumeric());
    let rest = text.get(at + "file:".len()..).filter(|_| begins)?;
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.get(rest.find('/')?..)?,
        None => rest,
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let address = url::Url::parse(&format!("file:///{}", path.trim_start_matches('/'))).ok()?;
    let whole = address.to_file_path().ok()?.into_os_string().into_string().ok()?;
    let relative = whole.trim_start_matches('/').to_owned();
    Some(if path.starts_with('/') { whole } else { relative }).filter(|path| !path.is_empty())
}
