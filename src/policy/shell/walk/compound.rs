//! Tests, loops over words and cases.

use tree_sitter::Node;

use super::Walker;
use crate::policy::shell::model::{Known, Word};
use crate::policy::shell::word;

impl Walker<'_> {
    pub(super) fn test(&mut self, node: Node<'_>) {
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
        let part = self.part(node);
        self.simple(vec![Word::literal(if double { "[[" } else { "[" }), rest], self.within, part);
    }

    /// Reads the operands of a test as words, so that none hides anything.
    pub(super) fn operands(&mut self, node: Node<'_>) {
        match node.kind() {
            "word" | "string" | "raw_string" | "ansi_c_string" | "translated_string" | "concatenation" => {
                match word::word(self.text, node) {
                    Ok(word) => self.index_is_plain(&word, node),
                    Err(why) => self.mark(why, node),
                }
            }
            "command_substitution" | "process_substitution" | "expansion" | "simple_expansion" => {}
            // Also what looks like part of a name: an index, which `-v` and `-eq` evaluate.
            "subscript" => self.mark("an index is evaluated", node),
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

    pub(super) fn for_loop(&mut self, node: Node<'_>) {
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

    pub(super) fn case(&mut self, node: Node<'_>) {
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
}
