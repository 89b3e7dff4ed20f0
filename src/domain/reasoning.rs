//! What a model thought: words to show, and what its server wants back.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The thoughts of one step.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Reasoning {
    /// As far as the server tells them: shown folded, never as the answer. Escape before showing.
    pub text: String,
    /// Which server, model and dialect made them. Nobody else understands the parts.
    pub made_by: String,
    /// The answer's parts in the server's order, with what it wants back unchanged (signatures, sealed thoughts).
    /// Only the agent's wire reads them; empty when there is nothing to send back.
    pub parts: Vec<Value>,
}

impl Reasoning {
    /// Whether there is nothing to show and nothing to send back.
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty() && self.parts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::EntryBody;

    #[test]
    fn answers_without_thoughts_are_stored_as_before_and_read_again() {
        let stored = r#"{"kind":"answer","text":"hi","cut":false,"usage":null}"#;
        let entry: EntryBody = serde_json::from_str(stored).unwrap();
        let EntryBody::Answer { reasoning, .. } = &entry else { panic!("{entry:?}") };
        assert!(reasoning.is_empty());
        assert_eq!(serde_json::to_string(&entry).unwrap(), stored);
        let with = r#"{"kind":"answer","text":"","cut":false,"usage":null,"reasoning":{"text":"hm"}}"#;
        let entry: EntryBody = serde_json::from_str(with).unwrap();
        assert!(matches!(entry, EntryBody::Answer { reasoning, .. } if reasoning.text == "hm"));
    }
}
