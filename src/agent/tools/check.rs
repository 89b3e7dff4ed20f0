//! Checks a call's arguments against its tool's schema, and says what is wrong so that a model can mend it.
//!
//! What is meant without doubt is taken: a number or a flag written as text, and null for what is left out.

use serde_json::{Map, Value};

use super::schema::Definition;
use crate::base::{clip, nearest, visible};

/// Faults told of one call: a model mends them all at once or none.
const FAULTS: usize = 6;
/// Cells of a value quoted in a fault.
const QUOTED: usize = 60;

/// Checks arguments, and puts those that are meant without doubt into the form that the schema wants.
pub(super) fn check(tool: &Definition, arguments: &mut Value) -> Result<(), String> {
    let mut faults = Vec::new();
    value(&tool.schema, arguments, "", &mut faults);
    if faults.is_empty() {
        return Ok(());
    }
    let more = faults.len().saturating_sub(FAULTS);
    faults.truncate(FAULTS);
    if more > 0 {
        faults.push(format!("and {more} more"));
    }
    let takes = takes(&tool.schema);
    Err(format!(
        "The arguments of `{}` do not fit:\n- {}\nIt takes {takes}. Call it again.",
        tool.name,
        faults.join("\n- ")
    ))
}

/// What stands where a text that is no JSON object goes wrong.
pub(super) fn broken(tool: &str, raw: &str) -> String {
    let words = match serde_json::from_str::<Value>(raw) {
        Ok(other) => format!("they are {}, not a JSON object", kind(&other)),
        Err(error) => {
            let lines: Vec<&str> = raw.split('\n').collect();
            let at = lines.get(error.line().saturating_sub(1)).copied().unwrap_or_default();
            let before: String = at.chars().take(error.column()).collect();
            let tail: String = before.chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect();
            let place = if tail.trim().is_empty() { String::new() } else { format!(", after `{}`", visible(&tail)) };
            format!("they are not a JSON object ({error}{place})")
        }
    };
    format!("The arguments of `{tool}` cannot be read: {words}. Nothing ran. Call it again with valid JSON.")
}

/// `path, offset?, limit?`
fn takes(schema: &Value) -> String {
    let Some(properties) = schema["properties"].as_object().filter(|all| !all.is_empty()) else {
        return "no arguments".to_owned();
    };
    let name = |name: &String| if required(schema, name) { format!("`{name}`") } else { format!("`{name}`?") };
    properties.keys().map(name).collect::<Vec<_>>().join(", ")
}

fn required(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name))
}

fn value(schema: &Value, given: &mut Value, place: &str, faults: &mut Vec<String>) {
    let at = || if place.is_empty() { "the arguments".to_owned() } else { format!("`{place}`") };
    match schema["type"].as_str() {
        Some("object") => match given {
            Value::Object(map) => object(schema, map, place, faults),
            other => faults.push(format!("{} must be an object; here it is {}", at(), quoted(other))),
        },
        Some("array") => match given {
            Value::Array(items) => array(schema, items, place, faults),
            other => faults.push(format!("{} must be a list; here it is {}", at(), quoted(other))),
        },
        Some("string") => string(schema, given, &at(), faults),
        Some("integer") => integer(schema, given, &at(), faults),
        Some("boolean") => {
            if let Some(meant) = given.as_str().and_then(|text| text.parse::<bool>().ok()) {
                *given = Value::Bool(meant);
            }
            if !given.is_boolean() {
                faults.push(format!("{} must be true or false; here it is {}", at(), quoted(given)));
            }
        }
        _ => {}
    }
}

fn object(schema: &Value, map: &mut Map<String, Value>, place: &str, faults: &mut Vec<String>) {
    let Some(properties) = schema["properties"].as_object() else { return };
    map.retain(|name, given| !given.is_null() || !properties.contains_key(name));
    let inner = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    for (name, one) in properties {
        match map.get_mut(name) {
            Some(given) => value(one, given, &inner(name), faults),
            None if required(schema, name) => {
                let words = one["description"].as_str().map(|words| format!(": {words}")).unwrap_or_default();
                faults.push(format!("`{}` is missing{words}", inner(name)));
            }
            None => {}
        }
    }
    for name in map.keys().filter(|name| !properties.contains_key(*name)) {
        let known = || properties.keys().map(String::as_str);
        let part = known().find(|known| name.starts_with(*known) || name.ends_with(*known));
        let meant = nearest(name, known()).or(part).map(|meant| format!("; did you mean `{meant}`?"));
        faults.push(format!("`{}` is not known{}", visible(&inner(&clip(name, 40))), meant.unwrap_or_default()));
    }
}

fn array(schema: &Value, items: &mut [Value], place: &str, faults: &mut Vec<String>) {
    let bound = |name: &str| schema[name].as_u64().and_then(|bound| usize::try_from(bound).ok());
    if bound("maxItems").is_some_and(|most| items.len() > most) {
        faults.push(format!("`{place}` has {} parts, more than the {} allowed", items.len(), schema["maxItems"]));
    }
    if bound("minItems").is_some_and(|least| items.len() < least) {
        faults.push(format!("`{place}` is empty"));
    }
    for (number, item) in items.iter_mut().enumerate() {
        value(&schema["items"], item, &format!("{place}[{number}]"), faults);
    }
}

fn string(schema: &Value, given: &mut Value, at: &str, faults: &mut Vec<String>) {
    let Value::String(text) = given else {
        return faults.push(format!("{at} must be text; here it is {}", quoted(given)));
    };
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        if !words.contains(&text.as_str()) {
            faults.push(format!("{at} must be one of `{}`; here it is {}", words.join("`, `"), quoted(given)));
        }
    } else if schema["minLength"].as_u64() == Some(1) && text.trim().is_empty() {
        // Blank text can be what an edit replaces, and nothing else.
        let blank = !text.is_empty() && at.ends_with("old`");
        if !blank {
            faults.push(format!("{at} is empty"));
        }
    }
}

fn integer(schema: &Value, given: &mut Value, at: &str, faults: &mut Vec<String>) {
    let whole =
        given.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15).map(|number| number as i64);
    if let Some(meant) = whole.or_else(|| given.as_str()?.trim().parse::<i64>().ok()) {
        *given = Value::from(meant);
    }
    let (least, most) = (schema["minimum"].as_i64().unwrap_or(0), schema["maximum"].as_i64().unwrap_or(i64::MAX));
    if !given.as_i64().is_some_and(|number| (least..=most).contains(&number)) {
        let range = if most >= 1 << 40 { format!("at least {least}") } else { format!("{least} to {most}") };
        faults.push(format!("{at} must be a whole number, {range}; here it is {}", quoted(given)));
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn quoted(value: &Value) -> String {
    format!("{} `{}`", kind(value), clip(&visible(&value.to_string()), QUOTED))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::schema::{Set, find};
    use super::*;

    fn told(tool: &str, mut arguments: Value) -> String {
        check(find(tool, Set::Whole).unwrap(), &mut arguments).err().unwrap_or_else(|| arguments.to_string())
    }

    #[test]
    fn each_fault_says_where_and_what_and_what_is_meant() {
        let words = told("read", json!({"file_path": "x", "offset": "zero", "limit": 0}));
        for part in [
            "`path` is missing: Path relative to the worktree",
            "`file_path` is not known; did you mean `path`?",
            "`offset` must be a whole number, at least 1; here it is a text `\"zero\"`",
            "`limit` must be a whole number",
            "It takes `path`, `offset`?, `limit`?",
        ] {
            assert!(words.contains(part), "{words}");
        }
        let words = told("edit", json!({"path": "x", "edits": [{"old": "a", "new": 3}, {"old": "", "nev": "b"}]}));
        for part in ["`edits[0].new` must be text", "`edits[1].old` is empty", "`edits[1].nev` is not known"] {
            assert!(words.contains(part), "{words}");
        }
        assert!(told("grep", json!({"pattern": "x", "only": "names"})).contains("one of `lines`, `files`, `count`"));
        assert!(told("shell", json!({"command": "x", "timeout": 601})).contains("1 to 600"));
        assert!(told("read", json!(["x"])).contains("must be an object"));
        assert!(told("git_status", json!({"x": 1})).contains("no arguments"));
    }

    #[test]
    fn what_is_meant_without_doubt_is_taken() {
        assert_eq!(told("read", json!({"path": "x", "offset": "12", "limit": null})), r#"{"path":"x","offset":12}"#);
        assert_eq!(told("read", json!({"path": "x", "limit": 3.0})), r#"{"path":"x","limit":3}"#);
        assert_eq!(
            told("shell", json!({"command": "x", "background": "true"})),
            r#"{"command":"x","background":true}"#
        );
    }

    #[test]
    fn broken_json_says_where() {
        let words = broken("read", "{\"path\": \"a\", \"offset\": }");
        assert!(words.contains("line 1 column 25") && words.contains("\"offset\": }`"), "{words}");
        assert!(broken("read", "{\"path\": \"a").contains("EOF"));
        assert!(broken("read", "[1]").contains("a list, not a JSON object"));
        assert!(!broken("read", "{\u{1b}[31m").contains('\u{1b}'));
    }

    #[test]
    fn every_schema_is_strict_and_every_required_argument_is_described() {
        for tool in super::super::schema::tools(Set::Whole) {
            assert_eq!(tool.schema["additionalProperties"], false, "{}", tool.name);
            for required in tool.schema["required"].as_array().unwrap() {
                assert!(tool.schema["properties"].get(required.as_str().unwrap()).is_some(), "{}", tool.name);
            }
        }
    }
}
