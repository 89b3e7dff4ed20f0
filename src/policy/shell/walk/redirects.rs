//! Redirections and here-documents: the files that they name, and the words that follow them.

use tree_sitter::Node;

use super::Walker;
use crate::policy::shell::heredoc;
use crate::policy::shell::model::Word;
use crate::policy::shell::redirect::{Redirect, operator, redirect};

impl Walker<'_> {
    pub(super) fn redirected(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        let is_redirect = |child: &Node<'_>| child.kind().ends_with("_redirect");
        let redirects: Vec<Node<'_>> = children.iter().copied().filter(is_redirect).collect();
        let bodies: Vec<Node<'_>> = children.into_iter().filter(|child| !is_redirect(child)).collect();
        match bodies.as_slice() {
            [body] if body.kind() == "command" => self.command(*body, &redirects),
            [] => {
                let words = self.redirects(&redirects);
                let part = self.part(node);
                self.simple(words, self.within, part);
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

    pub(super) fn redirects_of(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let redirects: Vec<Node<'_>> =
            node.named_children(&mut cursor).filter(|child| child.kind().ends_with("_redirect")).collect();
        if !self.redirects(&redirects).is_empty() {
            self.mark("words stand in a doubtful place", node);
        }
    }

    /// Goes through redirections; answers with the words among them that belong to the command.
    pub(super) fn redirects(&mut self, nodes: &[Node<'_>]) -> Vec<Word> {
        nodes.iter().flat_map(|node| self.redirect(*node)).collect()
    }

    pub(super) fn redirect(&mut self, node: Node<'_>) -> Vec<Word> {
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
                    Some(Redirect::Network(host)) => {
                        self.into.hosts.push(host);
                        self.mark("it opens a connection", node);
                    }
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
}
