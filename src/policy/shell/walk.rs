//! Goes through the tree of a command and lists what it would do.

use std::collections::BTreeSet;

use tree_sitter::{Node, Tree};

use super::model::{Analysis, Word};
use super::place::Directories;
use super::plain::Plain;
use super::{DEEPEST, word};

mod compound;
mod expand;
mod redirects;
mod simple;

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
    let mut walker = Walker::new(text, into, start);
    walker.statements(tree.root_node());
    walker.arithmetic_is_plain();
}

/// Adds what plain commands do.
pub(super) fn plain(text: &str, commands: Vec<Plain<'_>>, into: &mut Analysis, start: &Start) {
    let mut walker = Walker::new(text, into, start);
    for Plain { words, part } in commands {
        walker.simple(words, start.within, part);
    }
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
    fn new(text: &'a str, into: &'a mut Analysis, start: &Start) -> Self {
        Self {
            text,
            into,
            depth: start.depth,
            within: start.within,
            directories: start.directories.clone(),
            repeats: 0,
            doubtful: BTreeSet::new(),
            counted: BTreeSet::new(),
        }
    }

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
        // An open descriptor: what is read there is what the commands within say.
        if node.kind() == "process_substitution" {
            return Word::literal("/dev/stdin");
        }
        let word = word::word(self.text, node).unwrap_or_else(|why| {
            self.mark(why, node);
            Word::unknown()
        });
        self.index_is_plain(&word, node);
        word
    }
}
