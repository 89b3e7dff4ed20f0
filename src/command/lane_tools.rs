//! The commands that a lane's own program may give, as tools with a schema: a third surface of the one tree.
//!
//! A tool is a command with the lane filled in: whoever calls it speaks for its own lane and for no other. [`offered`]
//! lists them, [`words`] turns a call into the words of the command.

use serde_json::{Map, Value, json};

use super::lane_answers::Onward;
use super::spec::{Kind, Shape};
use super::table;
use crate::base::nearest;
use crate::domain::LaneName;

/// How the acting lane is told to the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Acting {
    /// As `--lane NAME`.
    Lane,
    /// The command needs none.
    Nobody,
}

/// One argument of a tool.
#[derive(Debug, Clone, Copy)]
pub(super) struct ToolArg {
    /// Its name in the schema.
    pub name: &'static str,
    /// The argument of the command that it becomes.
    pub to: &'static str,
    /// Whether it must be given.
    needed: bool,
    /// What it is, where its name does not say it; may be empty.
    about: &'static str,
}

const fn must(name: &'static str, to: &'static str, about: &'static str) -> ToolArg {
    ToolArg { name, to, needed: true, about }
}

const fn may(name: &'static str, to: &'static str, about: &'static str) -> ToolArg {
    ToolArg { name, to, needed: false, about }
}

/// One tool.
#[derive(Debug, Clone, Copy)]
pub(super) struct LaneTool {
    pub name: &'static str,
    about: &'static str,
    /// The command's words.
    pub command: &'static [&'static str],
    acting: Acting,
    pub args: &'static [ToolArg],
    /// The list that it answers with, and how that goes on.
    pub list: Option<(&'static str, Onward)>,
    /// Options that each call of it has.
    fixed: &'static [&'static str],
}

/// A tool as a model is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedTool {
    /// Its name.
    pub name: &'static str,
    /// What it does, for a model.
    pub about: &'static str,
    /// JSON Schema of its arguments, an object.
    pub schema: Map<String, Value>,
    /// Whether it changes nothing.
    pub reads: bool,
}

const ISSUE: ToolArg = must("issue", "N", "");
const OFFER: ToolArg = must("offer", "ID", "o3");
const MESSAGE: ToolArg = must("message", "ID", "msg12");
const KEY: ToolArg = may("key", "key", "");
const WITHIN: ToolArg = may("within", "within", "30m, 2h");
const LIMIT: ToolArg = may("limit", "limit", "");
const BEFORE: ToolArg = may("before", "before", "");
const REMAINING: ToolArg = may("remaining", "remaining", "What is left");
/// Seen to where answers are made: no command has it.
const SKIP: ToolArg = may("skip", "", "");

const fn tool(
    name: &'static str,
    about: &'static str,
    command: &'static [&'static str],
    acting: Acting,
    args: &'static [ToolArg],
) -> LaneTool {
    LaneTool { name, about, command, acting, args, list: None, fixed: &[] }
}

pub(super) static TOOLS: &[LaneTool] = &[
    tool("lanes", "Lanes: state, branch, queue.", &["lane", "list"], Acting::Nobody, &[SKIP])
        .listing("lanes", Onward::Skip),
    tool(
        "issues",
        "Issues: owner, offers, what they wait for.",
        &["issue", "list"],
        Acting::Nobody,
        &[may("all", "all", ""), SKIP],
    )
    .listing("issues", Onward::Skip),
    tool("next_issues", "What to begin, best first.", &["issue", "next"], Acting::Lane, &[LIMIT])
        .listing("issues", Onward::Never),
    tool("claim", "Own an issue that nobody owns.", &["issue", "claim"], Acting::Lane, &[ISSUE, WITHIN, KEY]),
    tool("release_issue", "Give an issue back.", &["issue", "release"], Acting::Lane, &[ISSUE, KEY]),
    tool(
        "offer",
        "Offer your issue to a lane; yours until accepted.",
        &["issue", "offer"],
        Acting::Lane,
        &[ISSUE, must("to", "to", ""), must("summary", "summary", ""), REMAINING, WITHIN, KEY],
    ),
    tool(
        "request_issue",
        "Ask the owner of an issue for it.",
        &["issue", "request"],
        Acting::Lane,
        &[ISSUE, must("summary", "summary", "Why"), WITHIN, KEY],
    ),
    tool("accept", "Accept an offer: the issue is yours.", &["issue", "accept"], Acting::Lane, &[OFFER, WITHIN, KEY]),
    tool(
        "decline",
        "Decline an offer or request.",
        &["issue", "decline"],
        Acting::Lane,
        &[OFFER, may("reason", "reason", ""), KEY],
    ),
    tool("cancel_offer", "Take an offer or request back.", &["issue", "cancel"], Acting::Lane, &[OFFER, KEY]),
    tool(
        "reserve",
        "Hold paths or resources, all or none: other lanes' writes wait.",
        &["reserve"],
        Acting::Lane,
        &[
            must("paths", "PATH", "src/, src/*.rs or port:5432"),
            may("shared", "shared", ""),
            may("wait", "wait", "Queue for it"),
            may("ttl", "ttl", "30m"),
            may("reason", "reason", ""),
            may("issue", "issue", ""),
            KEY,
        ],
    ),
    tool("release", "End your holds: these, or all.", &["release"], Acting::Lane, &[may("paths", "PATH", ""), KEY]),
    tool("reservations", "Who holds what, and who waits.", &["reservations"], Acting::Nobody, &[SKIP])
        .listing("reservations", Onward::Skip),
    tool(
        "send",
        "Write to lanes.",
        &["say"],
        Acting::Lane,
        &[
            must("to", "TO", "a,b or all or operator"),
            must("text", "TEXT", ""),
            may("subject", "subject", ""),
            may("reply_to", "reply", "msg12"),
            may("topic", "topic", ""),
            may("ack", "ack", ""),
            WITHIN,
            may("decision", "decision", ""),
            may("issue", "issue", ""),
            KEY,
        ],
    ),
    tool(
        "inbox",
        "Your messages, newest first; marks nothing.",
        &["mail", "list"],
        Acting::Lane,
        &[
            may("unread", "unread", ""),
            may("unacknowledged", "unacknowledged", ""),
            may("decisions", "decisions", ""),
            BEFORE,
            LIMIT,
        ],
    )
    .listing("messages", Onward::Last("before")),
    tool(
        "wait",
        "Wait for unread mail; do not poll.",
        &["mail", "wait"],
        Acting::Lane,
        &[may("timeout", "timeout", "Seconds: 50, at most 600")],
    )
    .listing("messages", Onward::Last("before")),
    tool(
        "read_message",
        "Show a message, which marks it as read. A long one goes on with `from`.",
        &["mail", "read"],
        Acting::Lane,
        &[MESSAGE, may("attachment", "attachment", "Show this instead"), may("from", "from", "The last `next`")],
    )
    .with(&["--page=8000"]),
    tool(
        "thread",
        "A thread, oldest first.",
        &["mail", "thread"],
        Acting::Lane,
        &[MESSAGE, may("after", "after", ""), LIMIT],
    )
    .listing("messages", Onward::Last("after")),
    tool(
        "search_mail",
        "Mail with all of these words.",
        &["mail", "search"],
        Acting::Lane,
        &[must("words", "TEXT", ""), may("decisions", "decisions", ""), BEFORE, LIMIT],
    )
    .listing("messages", Onward::Last("before")),
    tool("acknowledge", "Acknowledge a message.", &["mail", "ack"], Acting::Lane, &[MESSAGE, KEY]),
    tool(
        "report",
        "Report how your work stands.",
        &["report"],
        Acting::Lane,
        &[
            must("state", "state", ""),
            may("issue", "issue", "Default: the one you own"),
            may("evidence", "evidence", "What shows it"),
            REMAINING,
            may("until", "until", "With waiting: for what"),
            may("summary", "summary", ""),
            KEY,
        ],
    ),
];

impl LaneTool {
    /// It answers with this list.
    const fn listing(mut self, list: &'static str, onward: Onward) -> Self {
        self.list = Some((list, onward));
        self
    }

    /// Each call of it has these options.
    const fn with(mut self, fixed: &'static [&'static str]) -> Self {
        self.fixed = fixed;
        self
    }
}

/// All tools, in the order in which a model is told of them.
#[must_use]
pub fn offered() -> Vec<OfferedTool> {
    TOOLS.iter().map(LaneTool::offer).collect()
}

/// The words of the command that a call becomes, for a lane of this name. The result is always asked for as JSON.
///
/// # Errors
/// In words for a model: an unknown tool, an unknown, missing or ill-typed argument.
pub fn words(tool: &str, lane: &LaneName, arguments: &Map<String, Value>) -> Result<Vec<String>, String> {
    let Some(found) = TOOLS.iter().find(|one| one.name == tool) else {
        let near = nearest(tool, TOOLS.iter().map(|one| one.name));
        let near = near.map_or_else(String::new, |near| format!(" Did you mean `{near}`?"));
        return Err(format!("There is no tool of that name.{near}"));
    };
    found.words(lane, arguments)
}

impl LaneTool {
    /// The command's argument that one of the tool's becomes.
    fn shape(&self, arg: &ToolArg) -> (Kind, Shape) {
        if arg.to.is_empty() {
            return (Kind::Number, Shape::One);
        }
        let spec = table::find(self.command);
        let found = spec.and_then(|spec| spec.args.iter().find(|one| one.name == arg.to));
        // A test checks that each is found.
        found.map_or((Kind::Text, Shape::One), |found| (found.kind, found.shape))
    }

    fn offer(&self) -> OfferedTool {
        let mut properties = Map::new();
        for arg in self.args {
            let (kind, shape) = self.shape(arg);
            let mut property = match (shape, kind) {
                (Shape::Flag, _) => json!({"type": "boolean"}),
                (Shape::Many | Shape::Repeated(_), _) => json!({"type": "array", "items": {"type": "string"}}),
                (_, Kind::Number | Kind::Issue) => json!({"type": "integer"}),
                (_, Kind::Words(words)) => json!({"type": "string", "enum": words}),
                _ => json!({"type": "string"}),
            };
            if !arg.about.is_empty() {
                property["description"] = arg.about.into();
            }
            properties.insert(arg.name.to_owned(), property);
        }
        let needed: Vec<&str> = self.args.iter().filter(|arg| arg.needed).map(|arg| arg.name).collect();
        let mut schema = Map::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), properties.into());
        // Each byte stands in the context of each lane: what is empty, or checked here anyway, is left out.
        if !needed.is_empty() {
            schema.insert("required".into(), needed.into());
        }
        let reads = table::find(self.command).is_some_and(|spec| spec.reads);
        OfferedTool { name: self.name, about: self.about, schema, reads }
    }

    fn words(&self, lane: &LaneName, arguments: &Map<String, Value>) -> Result<Vec<String>, String> {
        if let Some(unknown) = arguments.keys().find(|name| !self.args.iter().any(|arg| arg.name == **name)) {
            let known: Vec<&str> = self.args.iter().map(|arg| arg.name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(format!("`{}` has no argument `{unknown}`; it has: {known}.", self.name));
        }
        let mut words: Vec<String> = self.command.iter().map(|word| (*word).to_owned()).collect();
        words.push("--json".to_owned());
        if self.acting == Acting::Lane {
            words.push(format!("--lane={}", lane.as_str()));
        }
        words.extend(self.fixed.iter().map(|word| (*word).to_owned()));
        let mut placed = Vec::new();
        for arg in self.args.iter().filter(|arg| !arg.to.is_empty()) {
            let given = arguments.get(arg.name).filter(|value| !value.is_null());
            let Some(given) = given else {
                if arg.needed {
                    let about = if arg.about.is_empty() { String::new() } else { format!(": {}", arg.about) };
                    return Err(format!("`{}` lacks `{}`{about}.", self.name, arg.name));
                }
                continue;
            };
            let ill = |wanted: &str| format!("`{}` of `{}` must be {wanted}.", arg.name, self.name);
            match self.shape(arg).1 {
                Shape::Flag => {
                    if given.as_bool().ok_or_else(|| ill("true or false"))? {
                        words.push(format!("--{}", arg.to));
                    }
                }
                Shape::Many => placed.extend(texts(given).ok_or_else(|| ill("a list of texts"))?),
                Shape::Option(_) | Shape::RestOption(_) | Shape::Repeated(_) => {
                    // A list for an option is the option several times.
                    for text in texts(given).ok_or_else(|| ill("a text or a number"))? {
                        let text = if arg.to == LIMIT.to { at_most(text) } else { text };
                        words.push(format!("--{}={text}", arg.to));
                    }
                }
                _ => placed.push(text(given).ok_or_else(|| ill("a text or a number"))?),
            }
        }
        if !placed.is_empty() {
            // Whatever a model wrote by place is no option.
            words.push("--".to_owned());
            words.extend(placed);
        }
        Ok(words)
    }
}

/// The most that a tool lists at once, whatever is asked for: no answer has room for more, and the lists of one lane
/// must not keep the others waiting.
const MOST: usize = 100;

fn at_most(limit: String) -> String {
    match limit.parse::<usize>() {
        Ok(count) if count > MOST => MOST.to_string(),
        _ => limit,
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(items) => items.iter().map(text).collect(),
        one => text(one).map(|one| vec![one]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Action, parse_args};
    use crate::domain::LANE_TOOLS;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    fn lane() -> LaneName {
        "api".parse().unwrap()
    }

    #[test]
    fn the_names_are_those_that_the_domain_knows() {
        assert_eq!(TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>(), LANE_TOOLS);
    }

    #[test]
    fn each_argument_is_one_of_its_command() {
        for tool in TOOLS {
            let spec = table::find(tool.command).unwrap_or_else(|| panic!("{}: no such command", tool.name));
            for arg in tool.args.iter().filter(|arg| !arg.to.is_empty()) {
                assert!(spec.args.iter().any(|one| one.name == arg.to), "{}: {}", tool.name, arg.to);
            }
        }
    }

    #[test]
    fn a_call_becomes_the_command_of_its_own_lane() {
        let call = object(json!({"paths": ["src/", "--lane=web"], "shared": true}));
        let words = words("reserve", &lane(), &call).unwrap();
        assert_eq!(words, ["reserve", "--json", "--lane=api", "--shared", "--", "src/", "--lane=web"]);
        let words: Vec<std::ffi::OsString> = words.into_iter().map(Into::into).collect();
        let Action::Run(run) = parse_args(&words, None).unwrap().action else { panic!("no command") };
        let told = format!("{run:?}");
        assert!(told.contains("\"--lane=web\"") && told.contains("\"api\""), "{told}");
    }

    #[test]
    fn a_list_is_bounded_whatever_is_asked_for() {
        let asked = |limit: Value| words("inbox", &lane(), &object(json!({ "limit": limit }))).unwrap().pop().unwrap();
        assert_eq!([asked(json!(1_000)), asked(json!(7))], ["--limit=100", "--limit=7"]);
        assert_eq!(asked(json!("many")), "--limit=many", "what is no number is refused by the command");
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let fault = |tool: &str, call: Value| words(tool, &lane(), &object(call)).unwrap_err();
        assert_eq!(fault("reserv", json!({})), "There is no tool of that name. Did you mean `reserve`?");
        assert!(fault("reserve", json!({"path": ["a"]})).contains("no argument `path`; it has: paths, shared"));
        assert!(fault("reserve", json!({})).contains("lacks `paths`"));
        assert!(fault("reserve", json!({"paths": [{"a": 1}]})).contains("a list of texts"));
        assert!(fault("reserve", json!({"paths": ["a"], "shared": "yes"})).contains("true or false"));
    }
}
