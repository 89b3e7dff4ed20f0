//! The skills that a lane's agent is told of, and what is wrong with others.

use serde_json::json;

use crate::domain::{SkillFault, Skills};

use super::Document;
use super::text::{line, table};

/// Cells of a description or a message.
const CELLS: usize = 100;
/// Cells of a file's path.
const PATH_CELLS: usize = 60;

/// The document of the skills of a lane, or of the base checkout.
#[must_use]
pub fn skills_document(of: &str, skills: &Skills) -> Document {
    let json = json!({
        "skills": skills.known.iter().map(|skill| json!({
            "name": skill.name,
            "description": skill.description,
            "tools": skill.tools,
            "layer": skill.layer.word(),
            "file": skill.file,
        })).collect::<Vec<_>>(),
        "faults": skills.faults.iter().map(|fault| json!({
            "file": fault.file,
            "line": fault.line,
            "message": fault.message,
        })).collect::<Vec<_>>(),
    });
    let mut text = String::new();
    if skills.known.is_empty() {
        text.push_str("There are no skills. One is a file such as `.paralane/skills/release/SKILL.md`.\n");
    } else {
        let mut rows = vec![["skill", "for", "says it needs", "from"].map(str::to_owned).to_vec()];
        rows.extend(skills.known.iter().map(|skill| {
            let tools = if skill.tools.is_empty() { "-".to_owned() } else { line(&skill.tools.join(", "), PATH_CELLS) };
            vec![
                skill.name.clone(),
                line(&skill.description, CELLS),
                tools,
                format!("{} {}", skill.layer.word(), line(&skill.file, PATH_CELLS)),
            ]
        }));
        text.push_str(&table(&rows));
        text.push_str("\nWhat a skill says it needs is not permitted by that: rules and you judge each call.\n");
    }
    if !skills.faults.is_empty() {
        text.push_str("\nNot used:\n");
        text.extend(skills.faults.iter().map(|fault| format!("  {}\n", words(fault))));
    }
    Document { title: format!("skills of {of}"), json, text }
}

/// `FILE line 3: what is wrong`.
fn words(fault: &SkillFault) -> String {
    let place = fault.line.map_or_else(String::new, |line| format!(" line {line}"));
    format!("{}{place}: {}", line(&fault.file, CELLS), line(&fault.message, 3 * CELLS))
}
