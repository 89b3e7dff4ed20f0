//! Expansions, arithmetic and assignments: what they run, and which variables they set.

use tree_sitter::Node;

use super::Walker;
use crate::policy::shell::DEEPEST;
use crate::policy::shell::assign::{changes_programs, does_nothing};
use crate::policy::shell::model::Word;

impl Walker<'_> {
    /// An index is evaluated by more of the shell's own commands than anybody knows.
    pub(super) fn index_is_plain(&mut self, word: &Word, node: Node<'_>) {
        let text = word.text.as_str();
        if text.contains('[') && (text.contains("$(") || text.contains("${") || text.contains('`')) {
            self.mark("a text holds an index that the shell could run", node);
        }
    }

    /// Goes through the substitutions below a node.
    pub(super) fn expansions(&mut self, node: Node<'_>) {
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

    pub(super) fn substitution(&mut self, node: Node<'_>) {
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
    pub(super) fn expansion(&mut self, node: Node<'_>) {
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

    pub(super) fn arithmetic(&mut self, node: Node<'_>) {
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

    pub(super) fn count(&mut self, text: &str) {
        self.counted.extend(names(text).map(str::to_owned));
    }

    /// Arithmetic runs substitutions that stand in the value of a variable.
    pub(super) fn arithmetic_is_plain(&mut self) {
        if let Some(name) = self.counted.intersection(&self.doubtful).next() {
            let name = name.clone();
            self.into.mark("arithmetic looks at a variable whose text is not plain", &name);
        }
    }

    /// A variable is set.
    pub(super) fn set(&mut self, name: &str, exported: bool, node: Node<'_>) {
        if changes_programs(name, exported) {
            self.into.mark(format!("setting `{name}` can change what programs do"), self.part(node));
        }
    }

    pub(super) fn assignment(&mut self, node: Node<'_>, exported: bool) {
        let Some(name) = node.child_by_field_name("name") else {
            return self.mark("an assignment cannot be parsed", node);
        };
        if name.kind() == "subscript" {
            self.mark("an index is evaluated", node);
            self.expansions(name);
        }
        let plain: String = self.part(name).chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let value = node.child_by_field_name("value");
        if !value.is_some_and(|value| value.kind() == "word" && does_nothing(&plain, self.part(value))) {
            self.set(&plain, exported, node);
        }
        match value {
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
}

/// The names in an arithmetic text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}
