//! What servers offer, bounded: names that every dialect takes, descriptions and schemas of a size that a request can
//! hold. What is not taken is said, with the reason.

use std::collections::{BTreeMap, HashSet};

use rmcp::model::Tool;
use serde_json::{Map, Value, json};

use crate::base::{clip, hidden, one_line, sha256_hex, size_words, visible};
use crate::config::Server;
use crate::domain::ServerTool;
use crate::policy::tool_listed;

/// Letters of a tool's name: what the strictest dialect takes.
const NAME: usize = 64;
/// Letters of a tool's own name at its server.
const OWN_NAME: usize = 200;
/// Letters of a description: what the strictest dialect takes.
const WORDS: usize = 1_000;
/// Letters of a description within a schema.
const INNER_WORDS: usize = 500;
/// Bytes of a schema.
const SCHEMA: usize = 16 * 1024;
/// Schemas within schemas.
const DEPTH: usize = 16;
/// Arguments of a tool.
const ARGUMENTS: usize = 64;
/// Tools of all servers of a lane: some dialects take 128 in all, and our own are among them.
const TOOLS: usize = 100;
/// Bytes of the definitions of all of them: each request holds them.
const BYTES: usize = 96 * 1024;
/// Reasons that are kept of one server.
const REASONS: usize = 20;

/// A tool that agents are given.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::agent) struct Offer {
    /// Its name for models.
    pub name: String,
    /// Its name at its server.
    pub tool: ServerTool,
    /// What it does, in the server's words.
    pub words: String,
    pub schema: Value,
    /// Whether the person has listed it.
    listed: bool,
}

impl Offer {
    fn size(&self) -> usize {
        self.name.len() + self.words.len() + self.schema.to_string().len()
    }
}

/// What one server offers.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Listing {
    pub offers: Vec<Offer>,
    /// Each tool that is not given, with the reason.
    pub left_out: Vec<String>,
}

impl Listing {
    /// Reads a server's list.
    pub fn of(server: &Server, tools: Vec<Tool>) -> Self {
        let mut listing = Self::default();
        let mut names = HashSet::new();
        for tool in tools {
            let own = tool.name.to_string();
            if tool_listed(&server.deny, &own) {
                listing.leave_out(&own, "denied");
                continue;
            }
            match offer(server, tool) {
                Ok(offer) if names.insert(offer.name.clone()) => listing.offers.push(offer),
                Ok(_) => listing.leave_out(&own, "another tool has this name"),
                Err(reason) => listing.leave_out(&own, &reason),
            }
        }
        listing
    }

    fn leave_out(&mut self, tool: &str, reason: &str) {
        match self.left_out.len() {
            REASONS.. => {}
            more if more + 1 == REASONS => self.left_out.push("and more".to_owned()),
            _ => self.left_out.push(format!("{} ({reason})", shown(tool))),
        }
    }
}

/// A stranger's name in a line.
fn shown(name: &str) -> String {
    clip(&visible(&one_line(name)), 60)
}

/// What a lane's agents are given of all its servers, and how many tools of each are left out for want of room.
pub(super) fn together<'a>(listings: impl Iterator<Item = &'a Listing>) -> (Vec<Offer>, BTreeMap<String, usize>) {
    let mut all: Vec<&Offer> = listings.flat_map(|listing| &listing.offers).collect();
    // What the person has listed is wanted; beside that, each server's own order.
    all.sort_by_key(|offer| !offer.listed);
    let (mut taken, mut bytes, mut left) = (Vec::new(), 0, BTreeMap::new());
    for offer in all {
        let size = offer.size();
        if taken.len() < TOOLS && bytes + size <= BYTES {
            bytes += size;
            taken.push(offer.clone());
        } else {
            *left.entry(offer.tool.server.clone()).or_default() += 1;
        }
    }
    taken.sort_by(|a: &Offer, b| a.name.cmp(&b.name));
    (taken, left)
}

fn offer(server: &Server, tool: Tool) -> Result<Offer, String> {
    let own = tool.name.to_string();
    if own.trim().is_empty() || own.chars().count() > OWN_NAME {
        return Err("its name is empty or too long".to_owned());
    }
    let words = tool.description.as_deref().or(tool.title.as_deref()).unwrap_or_default();
    Ok(Offer {
        name: name(&server.name, &own),
        words: plain(words, WORDS),
        schema: schema(&tool.input_schema)?,
        listed: tool_listed(&server.allow, &own),
        tool: ServerTool {
            server: server.name.clone(),
            tool: own,
            read_only: tool.annotations.and_then(|notes| notes.read_only_hint).unwrap_or(false),
        },
    })
}

/// `mcp__server__tool`, in letters and a length that every dialect takes. A name that had to be changed carries a digest
/// of the tool's own, so that two of them stay two, whatever else the server lists.
fn name(server: &str, tool: &str) -> String {
    let plain: String =
        tool.chars().map(|c| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '_' }).collect();
    let whole = format!("mcp__{server}__{plain}");
    if plain == tool && whole.len() <= NAME {
        return whole;
    }
    let digest = sha256_hex(tool.as_bytes());
    // All of it is ASCII.
    format!("{}_{}", &whole[..whole.len().min(NAME - 9)], &digest[..8])
}

/// A stranger's text without characters that nobody sees, cut to a length.
fn plain(text: &str, most: usize) -> String {
    let mut seen = text.trim().chars().filter(|c| !hidden(*c));
    let mut kept: String = seen.by_ref().take(most).collect();
    if seen.next().is_some() {
        kept.pop();
        kept.push('…');
    }
    kept
}

fn schema(given: &Map<String, Value>) -> Result<Value, String> {
    let size = serde_json::to_string(given).map_or(usize::MAX, |text| text.len());
    if size > SCHEMA {
        return Err(format!("its schema has {}, more than {}", size_words(size as u64), size_words(SCHEMA as u64)));
    }
    let mut schema = given.clone();
    // Dialects refuse these at the top of a schema; the server checks the whole of it.
    for word in ["$schema", "$id", "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "enum", "const"] {
        schema.shift_remove(word);
    }
    match schema.get("type") {
        None => {
            schema.insert("type".to_owned(), json!("object"));
        }
        Some(kind) if kind == "object" => {}
        Some(_) => return Err("its arguments are no object".to_owned()),
    }
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    let Some(properties) = properties.as_object() else { return Err("its schema is broken".to_owned()) };
    let fits = |name: &String| {
        (1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b))
    };
    if properties.len() > ARGUMENTS {
        return Err(format!("it has more than {ARGUMENTS} arguments"));
    }
    if let Some(wrong) = properties.keys().find(|name| !fits(name)) {
        return Err(format!("models cannot name its argument `{}`", shown(wrong)));
    }
    let known: HashSet<String> = properties.keys().cloned().collect();
    if let Some(required) = schema.get_mut("required") {
        match required.as_array_mut() {
            Some(names) => names.retain(|name| name.as_str().is_some_and(|name| known.contains(name))),
            None => return Err("its schema is broken".to_owned()),
        }
    }
    let mut schema = Value::Object(schema);
    bound(&mut schema, 0)?;
    Ok(schema)
}

/// Cuts descriptions, and refuses what is too deep or refers to elsewhere.
fn bound(value: &mut Value, depth: usize) -> Result<(), String> {
    if depth > DEPTH * 2 {
        return Err("its schema is too deep".to_owned());
    }
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                match (key.as_str(), &mut *inner) {
                    ("description" | "title", Value::String(words)) => *words = plain(words, INNER_WORDS),
                    ("$ref" | "$dynamicRef", Value::String(to)) if !to.starts_with('#') => {
                        return Err("its schema refers to another document".to_owned());
                    }
                    _ => bound(inner, depth + 1)?,
                }
            }
            Ok(())
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| bound(item, depth + 1)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::settings;
    use super::*;

    fn tool(name: &str, schema: Value) -> Tool {
        serde_json::from_value(json!({"name": name, "description": "Does it.", "inputSchema": schema})).unwrap()
    }

    fn listing(tools: Vec<Tool>) -> Listing {
        Listing::of(&Server { deny: vec!["drop*".into()], allow: vec!["z".into()], ..settings("docs", &["x"]) }, tools)
    }

    fn object() -> Value {
        json!({"type": "object", "properties": {"a": {"type": "string"}}})
    }

    #[test]
    fn names_fit_every_dialect_and_stay_apart() {
        let long = "a".repeat(150);
        let names = ["plain", "with.dot", "with/dot", "with dot", "grün", &long, &format!("{long}b"), "\u{1b}[31m"];
        let listing = listing(names.iter().map(|name| tool(name, object())).collect());
        let shown: HashSet<&String> = listing.offers.iter().map(|offer| &offer.name).collect();
        assert_eq!(shown.len(), names.len());
        for name in &shown {
            assert!(
                name.len() <= 64 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)),
                "{name}"
            );
        }
        assert_eq!(listing.offers[0].name, "mcp__docs__plain");
    }

    #[test]
    fn hostile_and_huge_tools_are_left_out_and_said_so() {
        let mut deep = object();
        for _ in 0..40 {
            deep = json!({"type": "object", "properties": {"a": deep}});
        }
        let cases = [
            ("drop_all", object(), "denied"),
            ("", object(), "its name is empty"),
            (
                "huge",
                json!({"type": "object", "properties": {"a": {"description": "x".repeat(20_000)}}}),
                "its schema has",
            ),
            ("deep", deep, "too deep"),
            ("list", json!({"type": "array"}), "no object"),
            ("far", json!({"type": "object", "properties": {"a": {"$ref": "http://x/y"}}}), "another document"),
            ("odd", json!({"type": "object", "properties": {"a b\u{1b}": {}}}), "cannot name its argument `a b^[`"),
            ("broken", json!({"type": "object", "properties": 3}), "broken"),
        ];
        for (name, schema, reason) in cases {
            let listing = listing(vec![tool(name, schema)]);
            assert!(listing.offers.is_empty() && listing.left_out[0].contains(reason), "{name}: {listing:?}");
        }
        let twice = listing(vec![tool("a", object()), tool("a", object())]);
        assert_eq!(
            (twice.offers.len(), twice.left_out.as_slice()),
            (1, &["a (another tool has this name)".to_owned()][..])
        );
    }

    #[test]
    fn schemas_and_words_are_mended_where_that_loses_nothing() {
        let schema = json!({"$schema": "x", "anyOf": [{}], "required": ["a", "gone"],
            "properties": {"a": {"description": format!("\u{202e}{}", "w".repeat(900))}}});
        let mut given = tool("a", schema);
        given.description = Some(format!("say\u{1b}[31m{}", "x".repeat(3_000)).into());
        let offer = listing(vec![given]).offers.remove(0);
        assert!(
            offer.words.starts_with("say[31mx") && offer.words.chars().count() == 1_000 && offer.words.ends_with('…')
        );
        assert_eq!(offer.schema["type"], "object");
        assert_eq!(offer.schema["required"], json!(["a"]));
        assert!(offer.schema.get("anyOf").is_none() && offer.schema.get("$schema").is_none());
        assert_eq!(offer.schema["properties"]["a"]["description"].as_str().unwrap().chars().count(), 500);
    }

    #[test]
    fn of_many_tools_the_listed_come_first_and_the_rest_is_counted() {
        let many: Vec<Tool> = (0..500).map(|n| tool(&format!("t{n}"), object())).chain([tool("z", object())]).collect();
        let listing = listing(many);
        assert_eq!(listing.offers.len(), 501);
        let (taken, left) = together([&listing].into_iter());
        assert_eq!((taken.len(), left["docs"]), (100, 401));
        assert!(taken.iter().any(|offer| offer.name == "mcp__docs__z"));
        assert!(taken.iter().any(|offer| offer.name == "mcp__docs__t0"));
    }
}
