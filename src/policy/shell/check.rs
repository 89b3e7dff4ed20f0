//! What the tree must be like to be believed.
//!
//! The grammar and a shell can read the same text differently: other blanks, comments where there are none, newlines
//! that end a command or do not. Each of these would let a command hide. So every byte outside the tree's leaves must
//! be a plain blank, and everything that is not shown to be read alike is a mark.

use tree_sitter::{Node, Tree};

use super::LONGEST;
use super::model::Analysis;
use crate::base::hidden;

/// Looks at the text alone.
///
/// # Errors
/// Why it cannot be analysed.
pub(super) fn text(text: &str) -> Result<(), &'static str> {
    if text.len() > LONGEST {
        return Err("the command is too long to be analysed");
    }
    if text.contains('\0') {
        return Err("the command has a NUL byte");
    }
    if text.contains('\r') {
        return Err("the command has a carriage return");
    }
    // Shells take only blank, tab and newline as blanks; people and grammars take more.
    let odd = |c: char| {
        hidden(c) || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}') || (c.is_whitespace() && !" \t\n".contains(c))
    };
    if text.chars().any(odd) {
        return Err("the command has invisible characters");
    }
    Ok(())
}

/// Looks at the whole tree.
pub(super) fn tree(text: &str, tree: &Tree, into: &mut Analysis) {
    let root = tree.root_node();
    if root.has_error() {
        into.mark("the command cannot be parsed", text);
    }
    let mut cursor = root.walk();
    let mut covered = 0;
    loop {
        let node = cursor.node();
        if node.child_count() == 0 {
            leaf(text, node, covered, into);
            covered = covered.max(node.end_byte());
        } else {
            inner(text, node, into);
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                if !blank(text.get(covered..).unwrap_or_default()) {
                    into.mark("a part of the command cannot be parsed", text.get(covered..).unwrap_or_default());
                }
                return;
            }
        }
    }
}

/// Whether a shell takes this for a gap between words: blanks, newlines and continued lines.
fn blank(gap: &str) -> bool {
    let gap = gap.replace("\\\n", "");
    gap.bytes().all(|b| b" \t\n".contains(&b))
}

fn leaf(text: &str, node: Node<'_>, covered: usize, into: &mut Analysis) {
    let part = text.get(node.byte_range()).unwrap_or_default();
    // Of the text of a here-document only what is expanded stands in the tree; the rest is looked at with it.
    let body = std::iter::successors(node.parent(), Node::parent).find(|above| above.kind() == "heredoc_body");
    let until = body.map_or(node.start_byte(), |body| body.start_byte().clamp(covered, node.start_byte().max(covered)));
    let gap = text.get(covered..until).unwrap_or_default();
    if !blank(gap) {
        into.mark("a part of the command cannot be parsed", gap);
    }
    // Without a blank in it, a continued line joins what stands on both sides.
    if !gap.is_empty() && gap.replace("\\\n", "").is_empty() {
        let splits = |c: Option<char>| c.is_none_or(|c| ";&|()".contains(c));
        let before = text.get(..covered).and_then(|before| before.chars().next_back());
        if !splits(before) && !splits(part.chars().next()) {
            into.mark(
                "a word goes on in the next line",
                text.get(covered.saturating_sub(1)..node.end_byte()).unwrap_or_default(),
            );
        }
    }
    if node.is_missing() {
        return into.mark("the command is not complete", text);
    }
    match node.kind() {
        "comment" => comment(text, node, into),
        // Quoted, or looked at as a whole elsewhere.
        "raw_string" | "ansi_c_string" | "heredoc_body" | "heredoc_content" | "heredoc_start" | "heredoc_end" => {}
        "regex" | "extglob_pattern" if part.bytes().any(|b| b" \t\n;&|<>()\"'`$\\".contains(&b)) => {
            into.mark("a pattern is too tangled to be analysed", part);
        }
        "regex" | "extglob_pattern" => {}
        _ if node.is_named() => {
            let bare = part.replace("\\\\", "").replace("\\$", "").replace("\\`", "");
            if bare.contains('`') || ["$(", "${", "$["].iter().any(|open| bare.contains(open)) {
                into.mark("a substitution cannot be parsed", part);
            }
        }
        _ => {}
    }
}

/// Nodes in which a comment can stand.
const BLOCKS: &[&str] = &[
    "program",
    "list",
    "compound_statement",
    "do_group",
    "subshell",
    "if_statement",
    "elif_clause",
    "else_clause",
    "case_statement",
    "case_item",
    "while_statement",
    "for_statement",
    "pipeline",
    "command_substitution",
    "process_substitution",
    "function_definition",
];

/// A comment begins at the beginning of a word, and only where commands stand.
fn comment(text: &str, node: Node<'_>, into: &mut Analysis) {
    let before = text.get(..node.start_byte()).and_then(|before| before.chars().next_back());
    let begins = before.is_none_or(|c| " \t\n;&|()".contains(c));
    let escaped =
        text.get(..node.start_byte()).is_some_and(|before| before.ends_with("\\\n") || before.ends_with("\\ "));
    let stands = node.parent().is_some_and(|parent| BLOCKS.contains(&parent.kind()));
    if !begins || escaped || !stands {
        into.mark("a comment stands in a doubtful place", text.get(node.byte_range()).unwrap_or_default());
    }
}

/// Nodes that a newline ends for a shell.
const ONE_LINE: &[&str] = &[
    "command",
    "command_name",
    "declaration_command",
    "unset_command",
    "variable_assignment",
    "variable_assignments",
    "file_redirect",
    "herestring_redirect",
    "negated_command",
    "redirected_statement",
    "concatenation",
];

/// Nodes whose words the grammar may split where a shell goes on with the same word.
const LISTS: &[&str] =
    &["file_redirect", "herestring_redirect", "declaration_command", "unset_command", "for_statement", "array"];

fn inner(text: &str, node: Node<'_>, into: &mut Analysis) {
    if LISTS.contains(&node.kind()) {
        let mut cursor = node.walk();
        let mut end = None;
        for child in node.children(&mut cursor) {
            if child.is_named() && end == Some(child.start_byte()) {
                return into
                    .mark("a word is too tangled to be analysed", text.get(node.byte_range()).unwrap_or_default());
            }
            end = child.is_named().then_some(child.end_byte());
        }
    }
    let single = ONE_LINE.contains(&node.kind()) || (node.kind() == "test_command" && starts(text, node, "[ "));
    if !single {
        return;
    }
    let mut cursor = node.walk();
    let mut end = node.start_byte();
    for child in node.children(&mut cursor) {
        let gap = text.get(end..child.start_byte()).unwrap_or_default().replace("\\\n", "");
        if gap.contains('\n') {
            return into.mark("a newline stands in a doubtful place", text.get(node.byte_range()).unwrap_or_default());
        }
        if node.kind() == "concatenation" && !gap.is_empty() {
            return into.mark("a word is too tangled to be analysed", text.get(node.byte_range()).unwrap_or_default());
        }
        end = child.end_byte();
    }
}

fn starts(text: &str, node: Node<'_>, with: &str) -> bool {
    text.get(node.byte_range()).is_some_and(|part| part.starts_with(with))
}
