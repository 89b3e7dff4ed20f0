//! Which keys there are, and what to say about those that are not.

use crate::base::nearest;

const TOP: &[&str] = &[
    "providers",
    "agent",
    "scheduler",
    "web",
    "mcp",
    "clis",
    "credentials",
    "budgets",
    "lanes",
    "hook",
    "ui",
    "sandbox",
    "rule",
    "policy",
    "coordination",
    "events",
    "forge",
    "approvals",
];
const PROVIDER: &[&str] = &[
    "dialect",
    "base_url",
    "model",
    "api_key_env",
    "api_key_header",
    "headers",
    "headers_env",
    "query",
    "context_window",
    "compact_at",
    "max_output",
    "reasoning",
    "silence",
    "price",
    "prices",
    "max_running",
];
const PRICE: &[&str] = &["input", "cached", "cache_write", "output"];
const BUDGET: &[&str] = &["lane", "provider", "per", "tokens", "money", "warn", "stop"];
const AGENT: &[&str] = &["provider", "fallback", "mode", "compact_at", "compact_idle"];
const COORDINATION: &[&str] = &["claims_per_lane"];
const EVENTS: &[&str] = &["keep", "days", "mail"];
const FORGE: &[&str] = &["kind"];
const SCHEDULER: &[&str] = &["max_running", "block_on_unmerged"];
const WEB: &[&str] = &["allow", "private"];
const SERVER: &[&str] = &["command", "url", "env", "headers_env", "allow", "deny", "timeout", "sandbox"];
const CLI: &[&str] = &["cli", "model", "set", "from", "args", "off"];
const CREDENTIALS: &[&str] = &["home", "env"];
const LANES: &[&str] = &["worktrees", "copy", "init"];
const HOOK: &[&str] = &["event", "match", "command", "timeout", "lane", "sandbox"];
const SANDBOX: &[&str] = &["mode", "network", "hosts", "required", "write", "hide", "processes", "memory"];
const RULE: &[&str] = &["effect", "tool", "match", "reason", "confirm"];
const APPROVALS: &[&str] = &["expire", "two_person"];
const POLICY: &[&str] = &["files", "shell", "network", "git", "mcp", "spawn", "remember", "full"];
const UI: &[&str] = &["theme", "leader", "notify"];

/// The keys of the table at this path; none where any name may stand.
fn known(table: &[&str]) -> Option<&'static [&'static str]> {
    match table {
        [] => Some(TOP),
        ["providers", _] => Some(PROVIDER),
        ["providers", _, "price"] | ["providers", _, "prices", _] => Some(PRICE),
        ["budgets", _] => Some(BUDGET),
        ["agent"] => Some(AGENT),
        ["scheduler"] => Some(SCHEDULER),
        ["events"] => Some(EVENTS),
        ["forge"] => Some(FORGE),
        ["web"] => Some(WEB),
        ["mcp", _] => Some(SERVER),
        ["clis", _] => Some(CLI),
        ["credentials", _] => Some(CREDENTIALS),
        ["lanes"] => Some(LANES),
        ["hook"] => Some(HOOK),
        ["ui"] => Some(UI),
        ["sandbox"] => Some(SANDBOX),
        ["coordination"] => Some(COORDINATION),
        ["rule"] => Some(RULE),
        ["policy"] => Some(POLICY),
        ["approvals"] => Some(APPROVALS),
        _ => None,
    }
}

/// What is wrong with a key in the table at this path, and what to do about it.
pub(super) fn fault(table: &[&str], key: &str) -> Option<(String, String)> {
    match (table, key) {
        (["providers", _], "api_key" | "key" | "token" | "api_token" | "secret") => {
            return Some((
                "a key's value never stands in the configuration".to_owned(),
                "export it as an environment variable and name that: `api_key_env = \"LOCAL_KEY\"`".to_owned(),
            ));
        }
        (["mcp", _], "headers" | "api_key" | "token" | "authorization" | "bearer_token") => {
            return Some((
                "a secret never stands in the configuration".to_owned(),
                "export it as an environment variable and name that: `headers_env = { authorization = \"DOCS_AUTH\" }`"
                    .to_owned(),
            ));
        }
        (["mcp"], name) if !super::servers::name_fits(name) => {
            return Some((
                "cannot be a tool server's name".to_owned(),
                "use 1 to 24 of a-z, digits, `-` and single `_`".to_owned(),
            ));
        }
        (["budgets"], name)
            if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)) =>
        {
            return Some((
                "cannot be a budget's name".to_owned(),
                "use letters a-z, digits, `_` and `-` only".to_owned(),
            ));
        }
        (["clis" | "credentials"], name)
            if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)) =>
        {
            return Some((
                "cannot be a name for a native CLI or a login".to_owned(),
                "use letters a-z, digits, `_` and `-` only".to_owned(),
            ));
        }
        (["providers"], name)
            if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)) =>
        {
            return Some((
                "cannot be a provider's name".to_owned(),
                "use letters a-z, digits, `_` and `-` only".to_owned(),
            ));
        }
        _ => {}
    }
    let known = known(table)?;
    if known.contains(&key) {
        return None;
    }
    let hint = match nearest(key, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known here: {}", known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ")),
    };
    Some(("there is no such key".to_owned(), hint))
}
