//! Here-documents: where they end for bash, and what of them is run.

use tree_sitter::Node;

use super::model::Analysis;
use super::word::read;

/// Checks that a here-document is what bash takes it for.
pub(super) fn check(text: &str, node: Node<'_>, into: &mut Analysis) {
    if let Err(why) = sound(text, node) {
        into.mark(why, text.get(node.byte_range()).unwrap_or_default());
    }
}

fn sound(text: &str, node: Node<'_>) -> Result<(), &'static str> {
    const ODD: &str = "a here-document ends in a doubtful place";
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
    let find = |kind: &str| children.iter().copied().find(|child| child.kind() == kind);
    let (Some(start), Some(end)) = (find("heredoc_start"), find("heredoc_end")) else { return Err(ODD) };
    let tabs = children.iter().any(|child| child.kind() == "<<-");
    let delimiter = read(text, start.start_byte(), start.end_byte(), &[])?;
    let raw = text.get(start.byte_range()).unwrap_or_default();
    if raw.contains(['$', '`']) || delimiter.text.is_empty() || delimiter.text.contains('\n') {
        return Err(ODD);
    }
    let Some(newline) = text.get(start.end_byte()..).and_then(|rest| rest.find('\n')) else { return Err(ODD) };
    let begin = start.end_byte() + newline + 1;
    // What follows on the line ends on it, and no second document begins there.
    let line = text.get(start.end_byte()..begin).unwrap_or_default();
    let before = children.iter().filter(|child| child.start_byte() < begin && child.kind() != "heredoc_body");
    if line.ends_with("\\\n") || line.contains("<<") || before.clone().any(|child| child.end_byte() > begin) {
        return Err(ODD);
    }
    let quoted = raw.contains(['\'', '"', '\\']);
    let mut at = begin;
    let mut found = None;
    for line in text.get(begin..).unwrap_or_default().split('\n') {
        let bare = if tabs { line.trim_start_matches('\t') } else { line };
        if bare == delimiter.text {
            found = Some((at, at + line.len()));
            break;
        }
        at += line.len() + 1;
    }
    let Some((last, after)) = found else { return Err(ODD) };
    let trimmed = last + (after - last) - text.get(last..after).map_or(0, |line| line.trim_start_matches('\t').len());
    if end.end_byte() != after || (end.start_byte() != last && end.start_byte() != trimmed) {
        return Err(ODD);
    }
    if quoted {
        return Ok(());
    }
    body(text, begin, last, find("heredoc_body"))
}

/// An unquoted body: nothing in it runs but what the tree shows.
fn body(text: &str, begin: usize, end: usize, node: Option<Node<'_>>) -> Result<(), &'static str> {
    let mut shown = Vec::new();
    if let Some(node) = node {
        let mut cursor = node.walk();
        let children = node.named_children(&mut cursor).filter(|child| child.kind() != "heredoc_content");
        shown.extend(children.map(|child| (child.start_byte(), child.end_byte())));
    }
    let mut at = begin;
    let rest = |at: usize| text.get(at..end).unwrap_or_default();
    while at < end {
        if let Some((_, after)) = shown.iter().find(|(start, _)| *start == at) {
            at = (*after).max(at + 1);
            continue;
        }
        let here = rest(at);
        if here.starts_with("\\\n") || ["`", "$(", "${", "$["].iter().any(|open| here.starts_with(open)) {
            return Err("a here-document is too tangled to be analysed");
        }
        at += if here.starts_with('\\') { 2 } else { here.chars().next().map_or(1, char::len_utf8) };
        while at < end && !text.is_char_boundary(at) {
            at += 1;
        }
    }
    Ok(())
}
