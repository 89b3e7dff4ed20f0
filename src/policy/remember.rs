//! The exact call as one text, so that a remembered answer fits this call and no other.

use serde_json::Value;

use crate::base::sha256_hex;

/// Longer calls are kept as their beginning and a digest: a write's whole content has no place in a rule.
const LONGEST: usize = 400;

/// Arguments that change neither what runs nor on what.
const HARMLESS: [&str; 3] = ["description", "timeout", "timeout_seconds"];

/// The text that stands for exactly this call of this tool: its arguments with sorted keys. Whatever
/// differs by one character is another call.
pub fn remember_key(tool: &str, arguments: &Value) -> String {
    let arguments = match arguments {
        Value::Object(map) if tool == "shell" => {
            let kept = map.iter().filter(|(name, _)| !HARMLESS.contains(&name.as_str()));
            Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect())
        }
        other => other.clone(),
    };
    let text = sorted(&arguments).to_string();
    if text.len() <= LONGEST {
        return text;
    }
    let start: String = text.chars().take(80).collect();
    format!("{start}… sha256:{}", sha256_hex(text.as_bytes()))
}

/// The same value with the keys of every object in order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut pairs: Vec<(&String, &Value)> = map.iter().collect();
            pairs.sort_by_key(|(name, _)| *name);
            Value::Object(pairs.into_iter().map(|(name, value)| (name.clone(), sorted(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::remember_key;

    #[test]
    fn only_the_very_same_call_has_the_same_key() {
        let shell = |command: &str| remember_key("shell", &json!({ "command": command }));
        assert_ne!(shell("rm -rf ./node_modules"), shell("rm -rf /"));
        assert_ne!(shell("npm test"), shell("npm test "));
        assert_eq!(shell("npx tsx -e \"a\nb\""), shell("npx tsx -e \"a\nb\""), "several lines too");
        let spaced = json!({ "timeout": 9, "command": "ls", "directory": "src" });
        assert_eq!(
            remember_key("shell", &spaced),
            remember_key("shell", &json!({ "directory": "src", "command": "ls" }))
        );
        assert_ne!(remember_key("shell", &spaced), shell("ls"));
    }

    #[test]
    fn a_long_write_is_kept_by_its_digest() {
        let write = |last: &str| remember_key("write", &json!({ "path": "a", "content": "x".repeat(5000) + last }));
        assert!(write("1").len() < 300 && write("1") != write("2") && write("1") == write("1"));
    }
}
