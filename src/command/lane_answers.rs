//! What a lane's tool answers with: a document within a bound, or a refusal in words of the tools.
//!
//! An answer lands in a model's context. What says nothing is left out of it, and a list that is too long ends where
//! it has to, with the arguments that go on from there: an answer is never cut in the middle.

use serde_json::{Map, Value, json};

use super::lane_tools::{LaneTool, TOOLS};
use super::spec::Shape;
use super::table;
use crate::base::Report;

/// The most that a tool's answer may have, in bytes.
pub const ANSWER: usize = 8 * 1024;
/// Bytes that are shown of a message in a list, where the whole does not fit.
const BODY: usize = 600;
/// Rows of a list that only accompanies the tool's own.
const BESIDE: usize = 10;

/// How a tool's list goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Onward {
    /// After as many rows as were skipped and shown, by the argument `skip`.
    Skip,
    /// From the last row's `id`, by the argument of this name.
    Last(&'static str),
    /// It does not: it is a choice of the best.
    Never,
}

/// The answer of a tool that was called with these arguments, from what its command printed.
#[must_use]
pub fn answer(tool: &str, arguments: &Map<String, Value>, printed: String) -> String {
    let found = TOOLS.iter().find(|one| one.name == tool);
    let Ok(mut document) = serde_json::from_str::<Value>(&printed) else { return printed };
    slim(&mut document);
    if let Some((list, onward)) = found.and_then(|tool| tool.list) {
        fit(&mut document, list, onward, arguments);
    }
    document.to_string()
}

/// Takes out what says nothing.
fn slim(value: &mut Value) {
    match value {
        Value::Object(all) => {
            all.values_mut().for_each(slim);
            all.retain(|_, value| match value {
                Value::Null => false,
                Value::Array(items) => !items.is_empty(),
                Value::Object(fields) => !fields.is_empty(),
                _ => true,
            });
        }
        Value::Array(items) => items.iter_mut().for_each(slim),
        _ => {}
    }
}

fn size(value: &Value) -> usize {
    value.to_string().len()
}

/// Shortens a document's list until the whole fits.
fn fit(document: &mut Value, list: &str, onward: Onward, arguments: &Map<String, Value>) {
    let Some(fields) = document.as_object_mut() else { return };
    let mut rows = match fields.remove(list) {
        Some(Value::Array(rows)) => rows,
        _ => Vec::new(),
    };
    let skipped = match onward {
        Onward::Skip => arguments.get("skip").and_then(Value::as_u64).unwrap_or(0) as usize,
        _ => 0,
    };
    rows.drain(..skipped.min(rows.len()));
    let whole: usize = rows.iter().map(|row| size(row) + 1).sum();
    if whole + fields.values().map(size).sum::<usize>() > ANSWER {
        rows.iter_mut().for_each(shorten);
        for (name, value) in fields.clone() {
            if let Value::Array(mut beside) = value {
                let left = beside.len().saturating_sub(BESIDE);
                beside.truncate(BESIDE);
                fields.insert(name.clone(), beside.into());
                if left > 0 {
                    fields.insert(format!("{name}_left_out"), left.into());
                }
            }
        }
    }
    // What is said of the rest needs a little room as well.
    let room = ANSWER.saturating_sub(size(&Value::Object(fields.clone())) + list.len() + 120);
    let (mut used, mut shown) = (0, 0);
    for row in &rows {
        used += size(row) + 1;
        if used > room {
            break;
        }
        shown += 1;
    }
    // Something of each page is shown, or nobody would come past it.
    if let (0, Some(Value::Object(first))) = (shown, rows.first_mut()) {
        first.retain(|name, _| matches!(name.as_str(), "id" | "issue" | "name" | "lane" | "from" | "subject"));
        first.insert("cut".into(), true.into());
        shown = 1;
    }
    let left = rows.len() - shown;
    rows.truncate(shown);
    let more = fields.get("more") == Some(&Value::Bool(true));
    if left > 0 || more {
        fields.insert("more".into(), true.into());
        let next = match (onward, rows.last()) {
            (Onward::Skip, _) => Some(json!({ "skip": skipped + shown })),
            (Onward::Last(argument), Some(last)) => Some(json!({ argument: last["id"] })),
            (Onward::Never | Onward::Last(_), _) => None,
        };
        fields.extend(next.map(|next| ("next".to_owned(), next)));
    }
    fields.insert(list.to_owned(), rows.into());
}

/// Shows the beginning of a message, how long it is, and the first of those whom it concerns.
fn shorten(row: &mut Value) {
    for name in ["to", "recipients"] {
        if let Some(Value::Array(all)) = row.get_mut(name) {
            let left = all.len().saturating_sub(BESIDE);
            all.truncate(BESIDE);
            if left > 0 {
                row[format!("{name}_left_out")] = left.into();
            }
        }
    }
    let Some(body) = row.get("body").and_then(Value::as_str).filter(|body| body.len() > BODY) else { return };
    let (whole, mut end) = (body.len(), BODY);
    while !body.is_char_boundary(end) {
        end -= 1;
    }
    let begin = body.get(..end).unwrap_or_default().to_owned();
    row["body"] = begin.into();
    row["body_bytes"] = whole.into();
}

/// A refusal as the program of the lane `own` can act on it: commands are told as calls of tools. What only the person
/// or another lane could do is left out.
#[must_use]
pub fn refusal(own: &str, report: &Report) -> String {
    let mut text = plain(&report.message);
    for hint in report.hints.iter().filter_map(|hint| in_tools(own, hint)) {
        text.push_str("\n  hint: ");
        text.push_str(&hint);
    }
    text
}

/// Options as the arguments they are.
fn plain(text: &str) -> String {
    text.replace("`--", "`")
}

/// A hint with its commands as calls; none when one of them is no tool of this lane.
fn in_tools(own: &str, hint: &str) -> Option<String> {
    let mut told = String::new();
    for (at, part) in hint.split('`').enumerate() {
        let command = part.strip_prefix("paralane ").filter(|_| at % 2 == 1);
        match command {
            Some(command) => {
                told.push('`');
                told.push_str(&call(own, command)?);
                told.push('`');
            }
            None if at % 2 == 1 => {
                told.push('`');
                told.push_str(part.trim_start_matches("--"));
                told.push('`');
            }
            None => told.push_str(part),
        }
    }
    Some(told)
}

/// `issue request 7 --lane web --summary TEXT` as `request_issue {"issue":"7","summary":"TEXT"}`.
fn call(own: &str, command: &str) -> Option<String> {
    let words = words(command);
    let fits =
        |tool: &&LaneTool| words.len() >= tool.command.len() && words.iter().zip(tool.command).all(|(a, b)| a == b);
    let tool = TOOLS.iter().find(fits)?;
    let spec = table::find(tool.command)?;
    let mut places = spec.args.iter().filter(|arg| arg.by_place());
    let mut place = places.next();
    let mut arguments: Map<String, Value> = Map::new();
    let mut rest = words.into_iter().skip(tool.command.len());
    let mut options = true;
    while let Some(word) = rest.next() {
        let option = word.strip_prefix("--").filter(|_| options);
        let (arg, value) = match option {
            Some("") => {
                options = false;
                continue;
            }
            Some(name) => {
                let arg = spec.args.iter().find(|arg| !arg.by_place() && arg.name == name)?;
                match arg.shape {
                    Shape::Flag => (arg, Value::Bool(true)),
                    _ => (arg, rest.next()?.into()),
                }
            }
            None => (place?, word.into()),
        };
        if arg.name == "lane" {
            if value == own {
                continue;
            }
            return None;
        }
        let name = tool.args.iter().find(|one| one.to == arg.name)?.name;
        match arg.shape {
            Shape::Many | Shape::Repeated(_) => match arguments.entry(name).or_insert_with(|| json!([])) {
                Value::Array(all) => all.push(value),
                _ => return None,
            },
            _ => {
                arguments.insert(name.to_owned(), value);
            }
        }
        if arg.by_place() && arg.shape == Shape::One {
            place = places.next();
        }
    }
    let arguments = if arguments.is_empty() { String::new() } else { format!(" {}", Value::Object(arguments)) };
    Some(format!("{}{arguments}", tool.name))
}

/// The words of a command as a shell would take them.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' => words.extend(word.take()),
            '\'' => word.get_or_insert_with(String::new).extend(chars.by_ref().take_while(|c| *c != '\'')),
            '\\' => word.get_or_insert_with(String::new).extend(chars.next()),
            c => word.get_or_insert_with(String::new).push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_list_ends_where_it_must_and_says_how_it_goes_on() {
        let all: Vec<Value> =
            (1..=200).map(|n| json!({"issue": n, "title": "x".repeat(60), "owner": null, "offers": []})).collect();
        let printed = json!({ "issues": all }).to_string();
        let mut seen = Vec::new();
        let mut arguments = Map::new();
        loop {
            let told = answer("issues", &arguments, printed.clone());
            assert!(told.len() <= ANSWER, "{}", told.len());
            let told: Value = serde_json::from_str(&told).unwrap();
            let rows = told["issues"].as_array().unwrap();
            assert!(rows.iter().all(|row| row.get("owner").is_none() && row.get("offers").is_none()));
            seen.extend(rows.iter().map(|row| row["issue"].as_i64().unwrap()));
            match told.get("next") {
                Some(next) => arguments = object(next.clone()),
                None => break,
            }
        }
        assert_eq!(seen, (1..=200).collect::<Vec<_>>());
    }

    #[test]
    fn long_messages_are_shown_in_part_before_any_is_left_out() {
        let message = |n: usize| json!({"id": format!("msg{n}"), "body": "é".repeat(4_000)});
        let printed = json!({"messages": (1..=30).map(message).collect::<Vec<_>>(), "more": false}).to_string();
        let told: Value = serde_json::from_str(&answer("thread", &Map::new(), printed)).unwrap();
        let rows = told["messages"].as_array().unwrap();
        assert!(rows.len() > 5, "{}", rows.len());
        assert_eq!(rows[0]["body_bytes"], 8_000);
        let last = rows.last().unwrap()["id"].clone();
        assert_eq!((&told["more"], &told["next"]), (&true.into(), &json!({"after": last})));
        let short = json!({"messages": [{"id": "msg1", "body": "x".repeat(2_000)}], "more": false}).to_string();
        assert!(answer("thread", &Map::new(), short).contains(&"x".repeat(2_000)), "what fits is whole");
    }

    #[test]
    fn nothing_is_so_large_that_nobody_comes_past_it() {
        let huge = json!({"id": "msg2", "subject": "s", "odd": "x".repeat(20_000)});
        let many: Vec<Value> = (0..500).map(|n| json!({"party": format!("lane{n}"), "owed": true})).collect();
        let wide = json!({"id": "msg1", "recipients": many});
        let printed = json!({"messages": [huge, wide], "more": false}).to_string();
        let told: Value = serde_json::from_str(&answer("inbox", &Map::new(), printed)).unwrap();
        assert_eq!((&told["messages"][0]["cut"], &told["next"]), (&true.into(), &json!({"before": "msg2"})));
        let printed = json!({"messages": [wide], "more": false}).to_string();
        let told: Value = serde_json::from_str(&answer("inbox", &Map::new(), printed)).unwrap();
        assert_eq!(
            (told["messages"][0]["recipients_left_out"].clone(), told.get("more")),
            (json!(490), Some(&json!(false)))
        );
    }

    #[test]
    fn hints_name_calls_that_the_lane_can_make() {
        let told = |hint: &str| refusal("web", &Report::refused("`--within` goes with `--ack`").hint(hint));
        let begin = "`within` goes with `ack`";
        let request = told("`paralane issue request 7 --lane web --summary TEXT` asks `api` for it");
        let wanted = r#"`request_issue {"issue":"7","summary":"TEXT"}` asks `api` for it"#;
        assert_eq!(request, format!("{begin}\n  hint: {wanted}"));
        let wait = told("`paralane reserve --lane web --wait -- 'a b' src/` waits for it");
        assert!(wait.contains(r#"`reserve {"wait":true,"paths":["a b","src/"]}` waits"#), "{wait}");
        assert_eq!(told("`paralane release --lane api -- src/` ends that hold"), begin, "another lane's");
        assert_eq!(told("`paralane lane new NAME` makes a lane"), begin, "the person's");
        assert!(told("add `--evidence TEXT`").ends_with("hint: add `evidence TEXT`"));
        assert!(told("`paralane reservations` lists what is held").contains("`reservations` lists"));
    }
}
