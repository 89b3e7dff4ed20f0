//! Checks a call's arguments against the schema that its server has given.
//!
//! Not a whole validator, on purpose: the schema is a stranger's, and a general one would follow its patterns and
//! references wherever they lead. What is not understood here is left to the server, which checks again. Depth and steps
//! are bounded.

use serde_json::Value;

use crate::base::{clip, nearest, visible};

/// Faults told of one call.
const FAULTS: usize = 6;
/// Schemas within schemas.
const DEPTH: usize = 32;
/// Parts of schemas that are looked at for one call.
const STEPS: usize = 20_000;

/// Checks arguments; null for what may be left out counts as left out.
pub(in crate::agent) fn check(tool: &str, schema: &Value, arguments: &mut Value) -> Result<(), String> {
    if let (Some(given), Some(properties)) = (arguments.as_object_mut(), schema["properties"].as_object()) {
        let required = |name: &str| names(&schema["required"]).any(|one| one == name);
        let takes_null = |name: &str| properties.get(name).is_none_or(|one| one.to_string().contains("null"));
        given.retain(|name, value| !value.is_null() || required(name) || takes_null(name));
    }
    let mut walk = Walk { root: schema, steps: 0, faults: Vec::new() };
    walk.value(schema, arguments, "", 0);
    let mut faults = walk.faults;
    if faults.is_empty() {
        return Ok(());
    }
    let more = faults.len().saturating_sub(FAULTS);
    faults.truncate(FAULTS);
    if more > 0 {
        faults.push(format!("and {more} more"));
    }
    Err(format!("The arguments of `{tool}` do not fit:\n- {}\nNothing ran. Call it again.", faults.join("\n- ")))
}

struct Walk<'a> {
    root: &'a Value,
    steps: usize,
    faults: Vec<String>,
}

impl<'a> Walk<'a> {
    fn value(&mut self, schema: &'a Value, given: &Value, place: &str, depth: usize) {
        self.steps += 1;
        if self.steps > STEPS || depth > DEPTH {
            return;
        }
        let at = || if place.is_empty() { "the arguments".to_owned() } else { format!("`{}`", visible(place)) };
        if schema == &Value::Bool(false) {
            return self.faults.push(format!("{} must be left out", at()));
        }
        let Some(rules) = schema.as_object() else { return };
        if let Some(target) = rules.get("$ref").and_then(Value::as_str).and_then(|to| self.local(to)) {
            self.value(target, given, place, depth + 1);
        }
        if let Some(kind) = rules.get("type")
            && !names(kind).any(|kind| is_kind(kind, given))
            && names(kind).next().is_some()
        {
            let kinds = names(kind).collect::<Vec<_>>().join(" or ");
            return self.faults.push(format!(
                "{} must be of type {}; here it is {}",
                at(),
                visible(&kinds),
                quoted(given)
            ));
        }
        if let Some(allowed) = rules.get("enum").and_then(Value::as_array)
            && !allowed.contains(given)
        {
            let shown = allowed.iter().take(20).map(|one| clip(&visible(&one.to_string()), 40)).collect::<Vec<_>>();
            return self.faults.push(format!(
                "{} must be one of {}; here it is {}",
                at(),
                shown.join(", "),
                quoted(given)
            ));
        }
        if let Some(only) = rules.get("const")
            && only != given
        {
            let only = clip(&visible(&only.to_string()), 60);
            return self.faults.push(format!("{} must be {only}; here it is {}", at(), quoted(given)));
        }
        match given {
            Value::String(text) => {
                self.size(schema, ("minLength", "maxLength"), text.chars().count(), "characters", &at());
            }
            Value::Number(number) => self.number(schema, number.as_f64().unwrap_or(0.0), &at()),
            Value::Array(items) => {
                self.size(schema, ("minItems", "maxItems"), items.len(), "parts", &at());
                if let Some(each) = rules.get("items") {
                    for (number, item) in items.iter().enumerate() {
                        self.value(each, item, &format!("{place}[{number}]"), depth + 1);
                    }
                }
            }
            Value::Object(map) => self.object(schema, map, place, depth),
            Value::Null | Value::Bool(_) => {}
        }
        for part in rules.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.value(part, given, place, depth + 1);
        }
        for forms in ["anyOf", "oneOf"].into_iter().filter_map(|name| rules.get(name)?.as_array()) {
            let fits = forms.iter().any(|form| {
                let before = self.faults.len();
                self.value(form, given, place, depth + 1);
                let fits = self.faults.len() == before;
                self.faults.truncate(before);
                fits
            });
            if !fits && !forms.is_empty() {
                self.faults.push(format!(
                    "{} has none of the forms that are taken; here it is {}",
                    at(),
                    quoted(given)
                ));
            }
        }
    }

    fn object(&mut self, schema: &'a Value, map: &serde_json::Map<String, Value>, place: &str, depth: usize) {
        let inner = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
        let none = serde_json::Map::new();
        let known = schema["properties"].as_object();
        for name in names(&schema["required"]).filter(|name| !map.contains_key(*name)) {
            let one = known.and_then(|known| known.get(name));
            let words = one
                .and_then(|one| one["description"].as_str())
                .map(|words| format!(": {}", clip(&visible(words), 200)));
            self.faults.push(format!("`{}` is missing{}", visible(&inner(name)), words.unwrap_or_default()));
        }
        for (name, given) in map {
            if let Some(one) = known.and_then(|known| known.get(name)) {
                self.value(one, given, &inner(name), depth + 1);
            } else if schema.get("patternProperties").is_none() {
                match schema.get("additionalProperties") {
                    Some(Value::Bool(false)) => {
                        let all = known.unwrap_or(&none);
                        let meant = nearest(name, all.keys().map(String::as_str));
                        let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
                        self.faults.push(format!("`{}` is not known{meant}", visible(&inner(&clip(name, 40)))));
                    }
                    Some(each) => self.value(each, given, &inner(name), depth + 1),
                    None => {}
                }
            }
        }
    }

    fn size(&mut self, schema: &Value, (least, most): (&str, &str), size: usize, what: &str, at: &str) {
        let size = size as u64;
        if let Some(least) = schema[least].as_u64().filter(|least| size < *least) {
            self.faults.push(format!("{at} has {size} {what}, fewer than the {least} wanted"));
        }
        if let Some(most) = schema[most].as_u64().filter(|most| size > *most) {
            self.faults.push(format!("{at} has {size} {what}, more than the {most} allowed"));
        }
    }

    fn number(&mut self, schema: &Value, number: f64, at: &str) {
        let bound = |name: &str| schema[name].as_f64();
        let wrong = [
            bound("minimum").filter(|bound| number < *bound).map(|bound| format!("at least {bound}")),
            bound("maximum").filter(|bound| number > *bound).map(|bound| format!("at most {bound}")),
            bound("exclusiveMinimum").filter(|bound| number <= *bound).map(|bound| format!("more than {bound}")),
            bound("exclusiveMaximum").filter(|bound| number >= *bound).map(|bound| format!("less than {bound}")),
        ];
        self.faults
            .extend(wrong.into_iter().flatten().map(|wanted| format!("{at} must be {wanted}; here it is {number}")));
    }

    fn local(&self, to: &str) -> Option<&'a Value> {
        self.root.pointer(to.strip_prefix('#')?)
    }
}

/// A name, or several.
fn names(value: &Value) -> impl Iterator<Item = &str> {
    let one = value.as_str();
    one.into_iter().chain(value.as_array().into_iter().flatten().filter_map(Value::as_str))
}

fn is_kind(kind: &str, given: &Value) -> bool {
    match kind {
        "object" => given.is_object(),
        "array" => given.is_array(),
        "string" => given.is_string(),
        "boolean" => given.is_boolean(),
        "null" => given.is_null(),
        "number" => given.is_number(),
        "integer" => given.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => true,
    }
}

fn quoted(given: &Value) -> String {
    format!("`{}`", clip(&visible(&given.to_string()), 60))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(schema: &Value, mut arguments: Value) -> String {
        check("t", schema, &mut arguments).err().unwrap_or_else(|| arguments.to_string())
    }

    #[test]
    fn faults_say_where_and_what() {
        let schema = json!({
            "type": "object",
            "required": ["path", "mode"],
            "additionalProperties": false,
            "properties": {
                "path": {"type": "string", "minLength": 1, "description": "Which file"},
                "mode": {"enum": ["a", "b"]},
                "count": {"type": ["integer", "null"], "minimum": 1, "exclusiveMaximum": 10},
                "tags": {"type": "array", "maxItems": 2, "items": {"$ref": "#/$defs/tag"}},
                "either": {"anyOf": [{"type": "string"}, {"type": "object", "required": ["x"]}]},
            },
            "$defs": {"tag": {"type": "string", "maxLength": 3}},
        });
        let words = told(&schema, json!({"mode": "c", "count": 10, "tags": ["a", "long", 3], "eithr": 1}));
        for part in [
            "`path` is missing: Which file",
            "`mode` must be one of \"a\", \"b\"; here it is `\"c\"`",
            "`count` must be less than 10",
            "`tags` has 3 parts, more than the 2 allowed",
            "`tags[1]` has 4 characters",
            "`tags[2]` must be of type string; here it is `3`",
            "and 1 more",
        ] {
            assert!(words.contains(part), "{part}: {words}");
        }
        assert!(told(&schema, json!({"path": "x", "mode": "a", "eithr": 1})).contains("did you mean `either`"));
        assert!(told(&schema, json!({"path": "x", "mode": "a", "either": {}})).contains("none of the forms"));
        assert!(told(&schema, json!(["x"])).contains("must be of type object"));
        let good = json!({"path": "x", "mode": "a", "count": 3, "tags": ["abc"], "either": {"x": 1}});
        assert_eq!(told(&schema, good.clone()), good.to_string());
        assert_eq!(told(&schema, json!({"path": "x", "mode": "a", "tags": null})), r#"{"path":"x","mode":"a"}"#);
    }

    #[test]
    fn a_hostile_schema_ends() {
        let itself =
            json!({"type": "object", "properties": {"a": {"$ref": "#"}}, "allOf": [{"$ref": "#"}, {"$ref": "#"}]});
        told(&itself, json!({"a": {"a": {"a": 1}}}));
        let loops = json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}});
        told(&loops, json!({}));
        let mut forms = json!({"type": "string"});
        for _ in 0..12 {
            forms = json!({"anyOf": [forms.clone(), forms.clone(), forms]});
            if forms.to_string().len() > 100_000 {
                break;
            }
        }
        told(&forms, json!({}));
        assert!(!told(&json!({"type": "\u{1b}[31m"}), json!({})).contains('\u{1b}'));
    }
}
