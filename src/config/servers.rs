//! Tool servers (MCP): `[mcp.NAME]`.
//!
//! A server counts as the highest file has it that names it, whole: what a lower file says of the same name could put
//! another program behind the tools that a person has allowed. Only its `deny` is added, since that tightens.

use std::collections::{BTreeMap, BTreeSet};

use super::document::Document;
use super::model::{Origin, Setting};
use super::problem::Problem;
use super::raw::RawServer;
use super::values::{self, Fault};
use crate::base::visible;

/// Seconds that a call may take without word from the person.
const DEFAULT_TIMEOUT: u64 = 60;
/// Seconds that it may take at most.
const LONGEST_TIMEOUT: u64 = 3_600;
/// Servers in all: each is a process per lane.
const MOST: usize = 16;
/// Letters of a name: it is a part of each of its tools' names, and these may have 64.
const LONGEST_NAME: usize = 24;

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// As a child process, over its input and output: program and arguments.
    Command(Vec<String>),
    /// Over streamable HTTP.
    Url {
        /// The address.
        url: String,
        /// Headers whose values stand in environment variables, by header name.
        headers_env: BTreeMap<String, String>,
    },
}

/// A tool server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its name in the configuration.
    pub name: String,
    /// How it is reached.
    pub reach: Reach,
    /// What its process gets in its environment beside the usual few: a value, or none for a variable that is
    /// handed on.
    pub env: BTreeMap<String, Option<String>>,
    /// Tools that run unasked: names, or prefixes that end in `*`.
    pub allow: Vec<String>,
    /// Tools that are neither offered nor run.
    pub deny: Vec<String>,
    /// Seconds that a call may take.
    pub timeout: u64,
    /// Whether its process runs in the sandbox.
    pub sandbox: bool,
    /// Where it stands.
    pub origin: Origin,
}

impl Server {
    /// Variables that it needs of the person's terminal.
    pub fn variables(&self) -> Vec<String> {
        let passed = self.env.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name.clone());
        passed.chain(self.header_variables()).collect()
    }

    /// Variables that hold its secrets: its headers', and those handed on whose names speak of secrets.
    pub fn secret_variables(&self) -> Vec<String> {
        let passed = self.env.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name);
        passed.filter(|name| speaks_of_secrets(name)).cloned().chain(self.header_variables()).collect()
    }

    fn header_variables(&self) -> Vec<String> {
        match &self.reach {
            Reach::Command(_) => Vec::new(),
            Reach::Url { headers_env, .. } => headers_env.values().cloned().collect(),
        }
    }

    /// Program with arguments, or address, in one line.
    pub fn place(&self) -> String {
        match &self.reach {
            Reach::Command(words) => words.join(" "),
            Reach::Url { url, .. } => url.clone(),
        }
    }
}

/// What came of reading them.
#[derive(Default)]
pub(super) struct Read {
    pub servers: Vec<Server>,
    pub settings: Vec<Setting>,
    pub problems: Vec<Problem>,
}

/// Reads the servers of all files, the highest first. `keys`: variables that hold keys of model servers.
pub(super) fn read(documents: &[Document], keys: &BTreeSet<String>) -> Read {
    let mut read = Read::default();
    let names: BTreeSet<&String> = documents.iter().flat_map(|document| document.raw.mcp.keys()).collect();
    for (number, name) in names.into_iter().enumerate() {
        let mut all = documents.iter().filter_map(|document| Some((document, document.raw.mcp.get(name)?)));
        let Some((document, raw)) = all.next() else { continue };
        let table = format!("mcp.{name}");
        if number >= MOST {
            let message = format!("is one of more than {MOST} servers");
            read.problems.push(document.table_problem(&table, message, "remove those that you do not use"));
            continue;
        }
        let made = server(name, raw, keys, document.origin(&table)).and_then(|mut server| {
            for (_, lower) in all {
                server.deny.extend(patterns(lower.deny.as_deref().unwrap_or_default())?);
            }
            Ok(server)
        });
        match made {
            Ok(server) => {
                read.settings.push(setting(&table, &server));
                read.servers.push(server);
            }
            Err((message, hint)) => read.problems.push(document.table_problem(&table, message, hint)),
        }
    }
    read
}

fn setting(key: &str, server: &Server) -> Setting {
    let mut value = serde_json::json!({
        "allow": server.allow,
        "deny": server.deny,
        "timeout": server.timeout,
    });
    match &server.reach {
        Reach::Command(words) => {
            value["command"] = serde_json::json!(words);
            let env = server.env.iter().map(|(name, given)| match given {
                Some(given) => format!("{name}={given}"),
                None => name.clone(),
            });
            value["env"] = env.collect();
            value["sandbox"] = serde_json::json!(server.sandbox);
        }
        Reach::Url { url, headers_env } => {
            value["url"] = serde_json::json!(url);
            value["headers_env"] = serde_json::json!(headers_env);
        }
    }
    Setting { key: key.to_owned(), value, origin: server.origin.clone() }
}

fn server(name: &str, raw: &RawServer, keys: &BTreeSet<String>, origin: Origin) -> Result<Server, Fault> {
    let env = raw.env.as_deref().map_or(Ok(BTreeMap::new()), env)?;
    let headers_env = raw.headers_env.clone().map_or(Ok(BTreeMap::new()), values::headers_env)?;
    let fault = |message: &str, hint: &str| Err((message.to_owned(), hint.to_owned()));
    let reach = match (&raw.command, &raw.url) {
        (Some(words), None) if words.first().is_none_or(|program| program.trim().is_empty()) => {
            return fault("`command` names no program", "write it like `command = [\"my-server\", \"--stdio\"]`");
        }
        (Some(words), None) if words.iter().any(|word| word.contains('\0')) => {
            return fault("`command` has a NUL character in it", "leave it out");
        }
        (Some(_), None) if raw.headers_env.is_some() => {
            return fault("`headers_env` is for a server with `url`", "name variables for its process in `env`");
        }
        (Some(words), None) => Reach::Command(words.clone()),
        (None, Some(_)) if raw.sandbox.is_some() => {
            return fault("`sandbox` is for a server with `command`", "leave it out: no process of ours runs it");
        }
        (None, Some(_)) if raw.env.is_some() => {
            return fault("`env` is for a server with `command`", "name variables for headers in `headers_env`");
        }
        (None, Some(url)) => Reach::Url { url: values::server_url(url)?, headers_env },
        (None, None) => {
            return fault("lacks `command` or `url`", "add `command = [\"my-server\"]` or `url = \"https://…\"`");
        }
        (Some(_), Some(_)) => return fault("has both `command` and `url`", "make two servers of it"),
    };
    let timeout = match raw.timeout {
        None => DEFAULT_TIMEOUT,
        Some(seconds) => {
            let wrong = || (format!("`timeout` must be 1 to {LONGEST_TIMEOUT}"), "give seconds".to_owned());
            u64::try_from(seconds).ok().filter(|s| (1..=LONGEST_TIMEOUT).contains(s)).ok_or_else(wrong)?
        }
    };
    let made = Server {
        name: name.to_owned(),
        reach,
        env,
        allow: patterns(raw.allow.as_deref().unwrap_or_default())?,
        deny: patterns(raw.deny.as_deref().unwrap_or_default())?,
        timeout,
        sandbox: raw.command.is_some() && raw.sandbox.unwrap_or_else(|| origin.is_project()),
        origin,
    };
    if let Some(key) = made.variables().into_iter().find(|variable| keys.contains(variable)) {
        return Err((
            format!("is given `{key}`, which holds the key of a model server"),
            "no tool server gets that: make a key of its own for it, in a variable of its own".to_owned(),
        ));
    }
    Ok(made)
}

/// `NAME` hands a variable on, `NAME=value` sets one. Values are never repeated in messages.
fn env(entries: &[String]) -> Result<BTreeMap<String, Option<String>>, Fault> {
    let mut all = BTreeMap::new();
    for entry in entries {
        let (name, value) = entry.split_once('=').map_or((entry.as_str(), None), |(name, value)| (name, Some(value)));
        let name = values::api_key_env(name).map_err(|_| {
            let hint = "write `\"NAME\"` to hand a variable on, `\"NAME=value\"` to set one".to_owned();
            ("`env` has an entry that names no variable".to_owned(), hint)
        })?;
        if name.starts_with("PARALANE_") {
            return Err((format!("`env` sets `{name}`, which is Paralane's own"), "leave it out".to_owned()));
        }
        if value.is_some() && speaks_of_secrets(&name) {
            return Err((
                format!("`env` has a value for `{name}`, and a secret never stands in the configuration"),
                format!("export it as a variable and write `\"{name}\"` alone: it is handed on"),
            ));
        }
        if value.is_some_and(|value| value.contains('\0')) {
            return Err((format!("the value of `{name}` has a NUL character in it"), "leave it out".to_owned()));
        }
        all.insert(name, value.map(str::to_owned));
    }
    Ok(all)
}

pub(super) fn speaks_of_secrets(name: &str) -> bool {
    let name = name.to_uppercase();
    let parts = name.split('_').any(|part| matches!(part, "TOKEN" | "SECRET" | "PASSWORD" | "PASSWD" | "KEY" | "PAT"));
    parts || name.ends_with("APIKEY")
}

/// Names of tools: whole, or a beginning and `*`.
fn patterns(names: &[String]) -> Result<Vec<String>, Fault> {
    let wrong = |name: &&String| name.trim().is_empty() || name.trim_end_matches('*').contains('*');
    match names.iter().find(wrong) {
        None => Ok(names.iter().map(|name| name.trim().to_owned()).collect()),
        Some(name) => Err((
            format!("`{}` is no tool's name", visible(name)),
            "write a tool's name, or its beginning and `*` at the end".to_owned(),
        )),
    }
}

/// Whether a server may have this name.
pub(super) fn name_fits(name: &str) -> bool {
    let letters = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-".contains(&b);
    (1..=LONGEST_NAME).contains(&name.len()) && name.bytes().all(letters) && !name.contains("__")
}
