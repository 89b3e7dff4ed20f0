//! Goes through the tree of a command and lists what it would do.

use std::collections::BTreeSet;

use tree_sitter::{Node, Tree};

use super::assign::changes_programs;
use super::model::{Analysis, FileUse, Kind, Known, Simple, Target, Word};
use super::place::{Directories, home};
use super::redirect::{Redirect, operator, redirect};
use super::{DEEPEST, heredoc, programs, script, word};

/// Where a script begins.
#[derive(Debug, Clone, Default)]
pub(super) struct Start {
    /// How deep in other commands.
    pub depth: usize,
    /// The command that runs it.
    pub within: Option<usize>,
    /// Where it may be.
    pub directories: Directories,
}

/// Adds what the tree's commands do.
pub(super) fn walk(text: &str, tree: &Tree, into: &mut Analysis, start: &Start) {
    let mut walker = Walker {
        text,
        into,
        depth: start.depth,
        within: start.within,
        directories: start.directories.clone(),
        repeats: 0,
        doubtful: BTreeSet::new(),
        counted: BTreeSet::new(),
    };
    walker.statements(tree.root_node());
    walker.arithmetic_is_plain();
}

/// Words that mean something to the shell where a command's name stands. As a name they tell that the tree is wrong.
const RESERVED: &[&str] = &[
    "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for", "select", "function",
    "in", "{", "}", "!", "[[", "]]", "((", "))", "time", "coproc",
];

struct Walker<'a> {
    text: &'a str,
    into: &'a mut Analysis,
    depth: usize,
    within: Option<usize>,
    directories: Directories,
    /// In so many loops and functions: what stands there may run again.
    repeats: usize,
    /// Variables that get a text which arithmetic could run.
    doubtful: BTreeSet<String>,
    /// Variables that arithmetic looks at.
    counted: BTreeSet<String>,
}

impl<'a> Walker<'a> {
    fn part(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn mark(&mut self, why: &str, node: Node<'_>) {
        let part = self.part(node);
        self.into.mark(why, part);
    }

    fn statements(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.statement(child);
        }
    }

    fn statement(&mut self, node: Node<'_>) {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.mark("it is nested too deep", node);
        } else {
            self.dispatch(node);
        }
        self.depth -= 1;
    }

    fn dispatch(&mut self, node: Node<'_>) {
        match node.kind() {
            "comment" => {}
            "program" | "list" | "pipeline" | "subshell" | "if_statement" | "elif_clause" | "else_clause"
            | "negated_command" => {
                self.statements(node);
            }
            "do_group" | "while_statement" => self.repeated(node),
            "compound_statement" => {
                if self.part(node).starts_with("((") {
                    self.mark("arithmetic as a command can set variables", node);
                    self.expansions(node);
                } else {
                    self.statements(node);
                }
            }
            "command" => self.command(node, &[]),
            "redirected_statement" => self.redirected(node),
            "variable_assignment" => self.assignment(node, false),
            "variable_assignments" => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.assignment(child, false);
                }
            }
            "declaration_command" | "unset_command" => self.declaration(node),
            "test_command" => self.test(node),
            "for_statement" => self.for_loop(node),
            "c_style_for_statement" => {
                self.mark("a loop over arithmetic can set variables", node);
                self.repeated(node);
            }
            "case_statement" => self.case(node),
            "function_definition" => {
                self.mark("it defines a function", node);
                if let Some(body) = node.child_by_field_name("body") {
                    self.repeats += 1;
                    self.statement(body);
                    self.repeats -= 1;
                }
                self.redirects_of(node);
            }
            // What is left of a broken tree is listed as far as it goes: a rule may deny it.
            _ => {
                self.mark("a part of the command cannot be parsed", node);
                self.statements(node);
            }
        }
    }

    fn repeated(&mut self, node: Node<'_>) {
        self.repeats += 1;
        self.statements(node);
        self.repeats -= 1;
    }

    /// Reads a word and goes through its substitutions.
    fn word(&mut self, node: Node<'_>) -> Word {
        self.expansions(node);
        let word = word::word(self.text, node).unwrap_or_else(|why| {
            self.mark(why, node);
            Word::unknown()
        });
        // An index is evaluated by more of the shell's own commands than anybody knows.
        if word.text.contains('[') && (word.text.contains("$(") || word.text.contains('`')) {
            self.mark("a text holds an index that the shell could run", node);
        }
        word
    }

    /// Goes through the substitutions below a node.
    fn expansions(&mut self, node: Node<'_>) {
        self.depth += 1;
        match node.kind() {
            _ if self.depth > DEEPEST => self.mark("it is nested too deep", node),
            "command_substitution" | "process_substitution" => self.substitution(node),
            "variable_assignment" => self.assignment(node, false),
            // In a broken tree, or where the grammar takes a command for part of something else.
            "command" | "redirected_statement" | "pipeline" | "list" | "subshell" => self.dispatch(node),
            kind => {
                if kind == "expansion" {
                    self.expansion(node);
                } else if kind == "arithmetic_expansion" {
                    self.arithmetic(node);
                }
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.expansions(child);
                }
            }
        }
        self.depth -= 1;
    }

    fn substitution(&mut self, node: Node<'_>) {
        let part = self.part(node);
        // Between backticks a backslash means something else, and quotes end where they look not to.
        if part.starts_with('`') && part.contains('\\') || part.starts_with("$`") {
            self.mark("a substitution between backticks is too tangled to be analysed", node);
        }
        let before = self.directories.clone();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "file_redirect" => drop(self.redirect(child)),
                _ => self.statement(child),
            }
        }
        self.directories = before;
    }

    /// `${…}`: only the plain forms are followed.
    fn expansion(&mut self, node: Node<'_>) {
        let inside = self.part(node).trim_start_matches("${").trim_end_matches('}');
        let name_end = inside.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(inside.len());
        let (name, rest) = inside.split_at(name_end);
        let special = name.is_empty() && inside.chars().count() == 1;
        let length = inside
            .strip_prefix('#')
            .is_some_and(|name| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'@'));
        let indexed = rest.starts_with("[@]") || rest.starts_with("[*]");
        let operator = rest.chars().next();
        let tangled = rest.contains(['`', '\\', '\'', '"', '{']) || rest.contains("$(") || rest.contains("@P");
        let plain = rest.is_empty() || (!tangled && (indexed || operator.is_some_and(|c| ":#%/^,-+?=@".contains(c))));
        if !(special || length || (!name.is_empty() && plain)) {
            self.mark("an expansion is too tangled to be analysed", node);
        }
        if rest.starts_with('=') || rest.starts_with(":=") {
            self.set(name, false, node);
            self.doubtful.insert(name.to_owned());
        }
        if rest.starts_with(':') && !rest.starts_with(":-") && !rest.starts_with(":+") && !rest.starts_with(":?") {
            self.count(rest);
        }
    }

    fn arithmetic(&mut self, node: Node<'_>) {
        let part = self.part(node);
        if part.contains(['[', '`', '\'', '"', '\\']) && !part.starts_with("$[")
            || part.get(2..).is_some_and(|rest| rest.contains("$("))
        {
            self.mark("arithmetic is too tangled to be analysed", node);
        }
        let bare = part.replace("==", "").replace("!=", "").replace("<=", "").replace(">=", "");
        if bare.contains('=') || bare.contains("++") || bare.contains("--") {
            let names: Vec<String> = names(part).map(str::to_owned).collect();
            for name in names {
                self.set(&name, false, node);
            }
        }
        self.count(part);
    }

    fn count(&mut self, text: &str) {
        self.counted.extend(names(text).map(str::to_owned));
    }

    /// Arithmetic runs substitutions that stand in the value of a variable.
    fn arithmetic_is_plain(&mut self) {
        if let Some(name) = self.counted.intersection(&self.doubtful).next() {
            let name = name.clone();
            self.into.mark("arithmetic looks at a variable whose text is not plain", &name);
        }
    }

    /// A variable is set.
    fn set(&mut self, name: &str, exported: bool, node: Node<'_>) {
        if changes_programs(name, exported) {
            self.into.mark(format!("setting `{name}` can change what programs do"), self.part(node));
        }
    }

    fn assignment(&mut self, node: Node<'_>, exported: bool) {
        let Some(name) = node.child_by_field_name("name") else {
            return self.mark("an assignment cannot be parsed", node);
        };
        if name.kind() == "subscript" {
            self.mark("an index is evaluated", node);
            self.expansions(name);
        }
        let plain: String = self.part(name).chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        self.set(&plain, exported, node);
        match node.child_by_field_name("value") {
            Some(value) if value.kind() == "array" => {
                self.doubtful.insert(plain);
                let mut cursor = value.walk();
                let values: Vec<Node<'_>> = value.named_children(&mut cursor).collect();
                for value in values {
                    self.word(value);
                }
            }
            Some(value) => {
                let word = self.word(value);
                let number = word.exact().is_some_and(|text| text.bytes().all(|b| b.is_ascii_digit()));
                if !number && value.kind() != "arithmetic_expansion" {
                    self.doubtful.insert(plain);
                }
            }
            None => {}
        }
    }

    fn redirected(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        let is_redirect = |child: &Node<'_>| child.kind().ends_with("_redirect");
        let redirects: Vec<Node<'_>> = children.iter().copied().filter(is_redirect).collect();
        let bodies: Vec<Node<'_>> = children.into_iter().filter(|child| !is_redirect(child)).collect();
        match bodies.as_slice() {
            [body] if body.kind() == "command" => self.command(*body, &redirects),
            [] => {
                let words = self.redirects(&redirects);
                self.simple(words, self.within, Some(node));
            }
            bodies => {
                for body in bodies {
                    self.statement(*body);
                }
                if !self.redirects(&redirects).is_empty() {
                    self.mark("words stand in a doubtful place", node);
                }
            }
        }
    }

    fn redirects_of(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let redirects: Vec<Node<'_>> =
            node.named_children(&mut cursor).filter(|child| child.kind().ends_with("_redirect")).collect();
        if !self.redirects(&redirects).is_empty() {
            self.mark("words stand in a doubtful place", node);
        }
    }

    /// Goes through redirections; answers with the words among them that belong to the command.
    fn redirects(&mut self, nodes: &[Node<'_>]) -> Vec<Word> {
        nodes.iter().flat_map(|node| self.redirect(*node)).collect()
    }

    fn redirect(&mut self, node: Node<'_>) -> Vec<Word> {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        match node.kind() {
            "file_redirect" => {
                let operator = operator(self.text, node);
                let mut words =
                    children.iter().filter(|child| child.kind() != "file_descriptor").map(|child| self.word(*child));
                let first = words.next();
                let rest = words.collect();
                match first.map(|word| redirect(operator, &word)) {
                    Some(Redirect::File(word, how)) => self.file(&word, how),
                    Some(Redirect::Network) => self.mark("it opens a connection", node),
                    Some(Redirect::Nothing) | None => {}
                }
                rest
            }
            "herestring_redirect" => {
                for child in children.iter().filter(|child| child.kind() != "file_descriptor") {
                    self.word(*child);
                }
                Vec::new()
            }
            "heredoc_redirect" => {
                heredoc::check(self.text, node, self.into);
                let mut words = Vec::new();
                for child in children {
                    match child.kind() {
                        "file_descriptor" | "heredoc_start" | "heredoc_end" => {}
                        "heredoc_body" => self.expansions(child),
                        "file_redirect" | "herestring_redirect" => words.extend(self.redirect(child)),
                        "pipeline"
                        | "command"
                        | "list"
                        | "redirected_statement"
                        | "subshell"
                        | "compound_statement" => self.statement(child),
                        kind if kind.ends_with("_statement") || kind.ends_with("_command") => self.statement(child),
                        _ => words.push(self.word(child)),
                    }
                }
                words
            }
            _ => {
                self.mark("a redirection cannot be parsed", node);
                Vec::new()
            }
        }
    }

    fn command(&mut self, node: Node<'_>, redirects: &[Node<'_>]) {
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
        self.simple(words, self.within, Some(node));
    }

    fn declaration(&mut self, node: Node<'_>) {
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
        self.simple(words, self.within, Some(node));
    }

    fn test(&mut self, node: Node<'_>) {
        let double = self.part(node).starts_with("[[");
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        for child in children {
            self.expansions(child);
            self.operands(child);
            // `[[ $x -eq 1 ]]` is arithmetic.
            self.count(self.part(child));
        }
        let rest = Word { text: String::new(), known: Known::Start, many: true };
        self.simple(vec![Word::literal(if double { "[[" } else { "[" }), rest], self.within, Some(node));
    }

    /// Reads the operands of a test as words, so that none hides anything.
    fn operands(&mut self, node: Node<'_>) {
        match node.kind() {
            "word" | "string" | "raw_string" | "ansi_c_string" | "translated_string" | "concatenation" => {
                if let Err(why) = word::word(self.text, node) {
                    self.mark(why, node);
                }
            }
            "command_substitution" | "process_substitution" | "expansion" | "simple_expansion" => {}
            "redirected_statement" => self.mark("a test with a redirection", node),
            _ => {
                let mut cursor = node.walk();
                let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                for child in children {
                    self.operands(child);
                }
            }
        }
    }

    fn for_loop(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let values: Vec<Node<'_>> = node.children_by_field_name("value", &mut cursor).collect();
        for value in values {
            self.word(value);
        }
        if let Some(name) = node.child_by_field_name("variable") {
            let plain = self.part(name);
            self.set(plain, false, name);
            self.doubtful.insert(plain.to_owned());
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.statement(body);
        }
    }

    fn case(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        for child in children {
            if child.kind() == "case_item" {
                let mut cursor = child.walk();
                let mut parts = Vec::new();
                for (index, part) in child.children(&mut cursor).enumerate() {
                    parts.push((part, child.field_name_for_child(index as u32) == Some("value")));
                }
                for (part, is_value) in parts.into_iter().filter(|(part, _)| part.is_named()) {
                    match (is_value, part.kind()) {
                        (true, "extglob_pattern") => {}
                        (true, _) => drop(self.word(part)),
                        (false, _) => self.statement(part),
                    }
                }
            } else if child.kind() != "comment" {
                self.word(child);
            }
        }
    }

    fn file(&mut self, word: &Word, how: FileUse) {
        if word.text.is_empty() && word.known == Known::All {
            return;
        }
        let places = home(word).map_or_else(|| self.directories.places(word), |place| vec![place]);
        let part = match word.known {
            Known::All | Known::Pattern => word.text.clone(),
            Known::Start => format!("{}…", word.text),
        };
        self.into.files.push(Target { places, how, part });
    }

    /// A simple command: lists it, and what it runs.
    fn simple(&mut self, words: Vec<Word>, within: Option<usize>, node: Option<Node<'_>>) {
        let part = node.map_or("", |node| self.part(node));
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
        for why in &look.marks {
            self.into.mark(why.as_str(), part);
        }
        for (name, exported) in &look.variables {
            self.doubtful.insert(name.clone());
            if changes_programs(name, *exported) {
                self.into.mark(format!("setting `{name}` can change what programs do"), part);
            }
        }
        for (word, how) in &look.files {
            self.file(word, *how);
        }
        for word in words.iter().skip(1) {
            self.named(word);
        }
        let guesses: Vec<Vec<Word>> =
            look.guesses.iter().filter_map(|at| words.get(*at..)).map(<[Word]>::to_vec).collect();
        let Some(index) = self.into.push(Simple { words, within, kind: look.kind, plain: look.plain }) else { return };
        for words in guesses.into_iter().filter(|words| words.first().is_some_and(|word| word.exact().is_some())) {
            self.into.push(Simple { words, within: Some(index), kind: Kind::Guess, plain: None });
        }
        for words in look.inner {
            self.depth += 1;
            if self.depth > DEEPEST {
                self.into.mark("commands within commands go too deep", part);
            } else {
                self.simple(words, Some(index), node);
            }
            self.depth -= 1;
        }
        for text in look.scripts {
            let start = Start { depth: self.depth + 8, within: Some(index), directories: self.directories.clone() };
            script(&text, self.into, &start);
        }
        if let Some(to) = look.directory {
            self.change(&to);
        }
    }

    /// A word that names a file: as it stands, or after `=` or `@`.
    fn named(&mut self, word: &Word) {
        let Some(text) = word.exact() else {
            if home(word).is_some() {
                self.file(word, FileUse::Named);
            }
            return;
        };
        let rest = text.split_once('=').map_or(text, |(_, rest)| rest).trim_start_matches('@');
        if !rest.starts_with('-') && rest.len() < 4096 && !rest.contains('\n') {
            self.file(&Word::literal(rest), FileUse::Named);
        }
    }

    fn change(&mut self, to: &Word) {
        self.into.directories.push(to.exact().unwrap_or_default().to_owned());
        if self.repeats > 0 && !to.text.starts_with('/') {
            self.directories = Directories::unknown();
        } else {
            self.directories.change(to);
        }
    }
}

/// The names in an arithmetic text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}
