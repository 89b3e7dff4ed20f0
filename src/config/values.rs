//! What single values must be. Each check answers with what is wrong and what to do.

use std::collections::BTreeMap;

use super::model::{Dialect, Effort, Notify};
use super::raw::RawPrice;
use crate::base::{nearest, read_length, visible};
use crate::domain::{ForgeKind, Limit, Mode, Money, Period, Price};

/// What is wrong, and what to do.
pub(super) type Fault = (String, String);

/// More than this at once is a slip of the hand, not a wish.
const MOST_RUNNING: i64 = 1_000;

pub(super) fn dialect(text: &str) -> Result<Dialect, Fault> {
    Dialect::ALL
        .into_iter()
        .find(|dialect| dialect.word() == text)
        .ok_or_else(|| one_of("dialect", text, &Dialect::ALL.map(Dialect::word)))
}

pub(super) fn reasoning(text: &str) -> Result<Effort, Fault> {
    Effort::ALL
        .into_iter()
        .find(|effort| effort.word() == text)
        .ok_or_else(|| one_of("length of reasoning", text, &Effort::ALL.map(Effort::word)))
}

pub(super) fn header_name(name: &str) -> Result<String, Fault> {
    if !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)) {
        return Ok(name.to_lowercase());
    }
    Err((format!("`{}` is no header's name", visible(name)), "write it like `api-key`".to_owned()))
}

/// Headers with plain values. Those that carry secrets are refused, and their values never repeated.
pub(super) fn headers(headers: BTreeMap<String, String>) -> Result<BTreeMap<String, String>, Fault> {
    headers
        .into_iter()
        .map(|(name, value)| {
            let name = header_name(&name)?;
            if SECRET_HEADERS.iter().any(|word| name.contains(word)) {
                return Err((
                    format!("`{name}` carries a secret, and a secret never stands in the configuration"),
                    "name its variable: `api_key_env` with `api_key_header`, or `headers_env`".to_owned(),
                ));
            }
            if value.chars().any(|c| c.is_control() || !c.is_ascii()) {
                return Err((
                    format!("the value of `{name}` has characters that no header has"),
                    "use plain ASCII".to_owned(),
                ));
            }
            Ok((name, value))
        })
        .collect()
}

/// Parts of headers' names that speak of secrets.
const SECRET_HEADERS: [&str; 6] = ["authorization", "api-key", "apikey", "token", "secret", "cookie"];

/// Header names with the variables that hold their values.
pub(super) fn headers_env(headers: BTreeMap<String, String>) -> Result<BTreeMap<String, String>, Fault> {
    headers.into_iter().map(|(name, variable)| Ok((header_name(&name)?, api_key_env(&variable)?))).collect()
}

/// What is added to addresses. Values are never repeated.
pub(super) fn query(query: BTreeMap<String, String>) -> Result<BTreeMap<String, String>, Fault> {
    match query.keys().find(|name| ["key", "api_key", "api-key", "token", "access_token"].contains(&name.as_str())) {
        None => Ok(query),
        Some(name) => Err((
            format!("`{name}` carries a secret, and a secret never stands in the configuration or in an address"),
            "name its variable in `api_key_env`".to_owned(),
        )),
    }
}

pub(super) fn max_output(number: i64) -> Result<u64, Fault> {
    u64::try_from(number)
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| ("must be above 0".to_owned(), "give the tokens that one answer may have".to_owned()))
}

pub(super) fn silence(seconds: i64) -> Result<u64, Fault> {
    u64::try_from(seconds).ok().filter(|n| (1..=86_400).contains(n)).ok_or_else(|| {
        ("must be 1 to 86400".to_owned(), "give the seconds after which a silent stream counts as dead".to_owned())
    })
}

/// The address without a slash at its end. The value is never repeated: it might hold a credential.
pub(super) fn base_url(text: &str) -> Result<String, Fault> {
    let fault = |message: &str, hint: &str| Err((message.to_owned(), hint.to_owned()));
    let example = "write it like `http://127.0.0.1:8080/v1`";
    let Some(rest) = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://")) else {
        return fault("must begin with `http://` or `https://`", example);
    };
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return fault("must not hold blanks", example);
    }
    if text.contains(['?', '#']) {
        return fault(
            "must end with its path: paths of the interface are added to it",
            "leave out `?` and what follows; `query = { NAME = \"VALUE\" }` adds it to each address",
        );
    }
    let host = rest.split('/').next().unwrap_or_default();
    if host.contains('@') {
        return fault("must not hold a user name or password", "name the variable of the key in `api_key_env`");
    }
    if host.is_empty() || host.starts_with(':') {
        return fault("names no host", example);
    }
    Ok(text.trim_end_matches('/').to_owned())
}

/// The address of a tool server. The value is never repeated: it might hold a credential.
pub(super) fn server_url(text: &str) -> Result<String, Fault> {
    let Ok(url) = url::Url::parse(text) else {
        return Err(("`url` is no address".to_owned(), "write it like `https://example.com/mcp`".to_owned()));
    };
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err((
            "`url` must begin with `http://` or `https://`".to_owned(),
            "write it like `https://example.com/mcp`".to_owned(),
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err((
            "`url` holds a user name or password".to_owned(),
            "name the variable of a header in `headers_env`".to_owned(),
        ));
    }
    if url.fragment().is_some() {
        return Err(("`url` must end before `#`".to_owned(), "leave out what follows".to_owned()));
    }
    let secret = |name: &str| SECRET_HEADERS.iter().any(|word| name.contains(word)) || name == "key";
    if url.query_pairs().any(|(name, _)| secret(&name.to_lowercase().replace('_', "-"))) {
        return Err((
            "`url` carries a secret, and a secret never stands in the configuration or in an address".to_owned(),
            "name the variable of a header in `headers_env`".to_owned(),
        ));
    }
    Ok(url.to_string())
}

pub(super) fn model(text: &str) -> Result<String, Fault> {
    if text.trim().is_empty() {
        return Err(("is empty".to_owned(), "give the model's name as its server lists it".to_owned()));
    }
    Ok(text.to_owned())
}

/// A variable's name. The value is never repeated: people put the key itself here by mistake.
pub(super) fn api_key_env(text: &str) -> Result<String, Fault> {
    let first = text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    if first && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Ok(text.to_owned());
    }
    Err((
        "must be the name of an environment variable, not a key itself".to_owned(),
        "export the key as a variable and name that, such as `LOCAL_KEY`".to_owned(),
    ))
}

pub(super) fn context_window(number: i64) -> Result<u64, Fault> {
    u64::try_from(number)
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| ("must be above 0".to_owned(), "give the tokens that a request may hold".to_owned()))
}

pub(super) fn compact_at(number: i64) -> Result<u8, Fault> {
    u8::try_from(number).ok().filter(|percent| *percent == 0 || (20..=95).contains(percent)).ok_or_else(|| {
        ("must be 20 to 95, or 0".to_owned(), "give the percent of the window; 0 leaves it to `compact`".to_owned())
    })
}

pub(super) fn compact_idle(seconds: i64) -> Result<Option<u64>, Fault> {
    match u64::try_from(seconds) {
        Ok(0) => Ok(None),
        Ok(seconds) if (60..=86_400).contains(&seconds) => Ok(Some(seconds)),
        _ => Err(("must be 60 to 86400, or 0".to_owned(), "give the seconds at rest; 0 is never".to_owned())),
    }
}

/// The longest that a question waits: whoever wants to be asked for longer leaves the key out.
const LONGEST_WAIT: u64 = 365 * 86_400;

pub(super) fn expire(text: &str) -> Result<u64, Fault> {
    read_length(text).filter(|seconds| (1..=LONGEST_WAIT).contains(seconds)).ok_or_else(|| {
        (
            format!("cannot be `{}`", visible(text)),
            "write a length of time such as \"30m\" or \"2h30m\"; without the key questions wait for ever".to_owned(),
        )
    })
}

/// The price of one token out of prices for a million. What is not said of the cache costs what other input costs.
pub(super) fn price(price: RawPrice) -> Result<Price, Fault> {
    let rate = |number: f64| {
        Money::of_number(number)
            .map(Money::per_million)
            .map_err(|_| ("must hold numbers of 0 or more".to_owned(), "give money per million tokens".to_owned()))
    };
    let input = rate(price.input)?;
    Ok(Price {
        input,
        cached: price.cached.map_or(Ok(input), rate)?,
        cache_write: price.cache_write.map_or(Ok(input), rate)?,
        output: rate(price.output)?,
    })
}

/// A price as people write it: for a million tokens.
pub(super) fn shown_price(price: &Price) -> serde_json::Value {
    let million = |rate: Money| rate.times(1_000_000).number();
    serde_json::json!({
        "input": million(price.input),
        "cached": million(price.cached),
        "cache_write": million(price.cache_write),
        "output": million(price.output),
    })
}

/// Prices by model.
pub(super) fn prices(prices: BTreeMap<String, RawPrice>) -> Result<BTreeMap<String, Price>, Fault> {
    prices
        .into_iter()
        .map(|(name, raw)| match price(raw) {
            Ok(price) => Ok((model(&name)?, price)),
            Err((message, hint)) => Err((format!("`{}` {message}", visible(&name)), hint)),
        })
        .collect()
}

pub(super) fn period(text: &str) -> Result<Period, Fault> {
    Period::ALL
        .into_iter()
        .find(|period| period.word() == text)
        .ok_or_else(|| one_of("period", text, &Period::ALL.map(Period::word)))
}

/// What a budget limits: one of the two.
pub(super) fn limit(tokens: Option<i64>, money: Option<f64>) -> Result<Limit, Fault> {
    let above = "give a number above 0".to_owned();
    match (tokens, money) {
        (Some(tokens), None) => match u64::try_from(tokens).ok().filter(|tokens| *tokens > 0) {
            Some(tokens) => Ok(Limit::Tokens(tokens)),
            None => Err(("`tokens` must be above 0".to_owned(), above)),
        },
        (None, Some(money)) => match Money::of_number(money).ok().filter(|money| *money > Money::ZERO) {
            Some(money) => Ok(Limit::Money(money)),
            None => Err(("`money` must be above 0".to_owned(), above)),
        },
        (None, None) => Err(("lacks a limit".to_owned(), "add `money = 5.0` or `tokens = 2000000`".to_owned())),
        (Some(_), Some(_)) => {
            Err(("limits both tokens and money".to_owned(), "make two budgets of it, each with its name".to_owned()))
        }
    }
}

pub(super) fn warn(number: i64) -> Result<u8, Fault> {
    u8::try_from(number)
        .ok()
        .filter(|percent| (1..=100).contains(percent))
        .ok_or_else(|| ("must be 1 to 100".to_owned(), "give the percent at which to warn".to_owned()))
}

pub(super) fn forge(text: &str) -> Result<ForgeKind, Fault> {
    ForgeKind::ALL
        .into_iter()
        .find(|kind| kind.word() == text)
        .ok_or_else(|| one_of("forge", text, &ForgeKind::ALL.map(ForgeKind::word)))
}

pub(super) fn events_kept(number: i64) -> Result<usize, Fault> {
    usize::try_from(number).ok().filter(|n| (1_000..=100_000_000).contains(n)).ok_or_else(|| {
        (
            "must be 1000 to 100000000".to_owned(),
            "give how many events history keeps; lanes and queues need none".to_owned(),
        )
    })
}

pub(super) fn mail_kept(number: i64) -> Result<usize, Fault> {
    usize::try_from(number).ok().filter(|n| (1_000..=10_000_000).contains(n)).ok_or_else(|| {
        (
            "must be 1000 to 10000000".to_owned(),
            "give how many messages are kept; what is unread or unacknowledged always is".to_owned(),
        )
    })
}

pub(super) fn event_days(number: i64) -> Result<u32, Fault> {
    u32::try_from(number)
        .ok()
        .filter(|n| (1..=36_500).contains(n))
        .ok_or_else(|| ("must be 1 to 36500".to_owned(), "give how many days history goes back".to_owned()))
}

pub(super) fn max_running(number: i64) -> Result<usize, Fault> {
    if (1..=MOST_RUNNING).contains(&number) {
        return Ok(number as usize);
    }
    Err((format!("must be 1 to {MOST_RUNNING}"), "pause lanes if nothing shall run".to_owned()))
}

pub(super) fn claims_per_lane(number: i64) -> Result<usize, Fault> {
    usize::try_from(number)
        .ok()
        .filter(|count| (1..=1_000).contains(count))
        .ok_or_else(|| ("must be 1 to 1000".to_owned(), "give how many issues one lane may own at once".to_owned()))
}

pub(super) fn mode(text: &str) -> Result<Mode, Fault> {
    Mode::ALL
        .into_iter()
        .find(|mode| mode.word() == text)
        .ok_or_else(|| one_of("mode", text, &Mode::ALL.map(Mode::word)))
}

pub(super) fn notify(words: &[String]) -> Result<Vec<Notify>, Fault> {
    let mut ways = Vec::new();
    for word in words {
        let way = match word.as_str() {
            "bell" => Notify::Bell,
            "osc9" => Notify::Osc9,
            "osc777" => Notify::Osc777,
            _ => return Err(one_of("way to ring", word, &["bell", "osc9", "osc777"])),
        };
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    Ok(ways)
}

pub(super) fn theme(text: &str, themes: &[&str]) -> Result<String, Fault> {
    if themes.contains(&text) { Ok(text.to_owned()) } else { Err(one_of("theme", text, themes)) }
}

/// A path that stays in the repository.
pub(super) fn copy(paths: &[String]) -> Result<Vec<String>, Fault> {
    let outside = |path: &String| {
        path.is_empty()
            || path.starts_with(['/', '~'])
            || path.split('/').any(|part| part == "..")
            || path.contains('\0')
    };
    match paths.iter().find(|path| outside(path)) {
        None => Ok(paths.to_vec()),
        Some(path) => Err((
            format!("`{path}` leads out of the repository"),
            "name files relative to the repository's root, without `..`".to_owned(),
        )),
    }
}

/// Hosts: `docs.rs`, `*.example.com`, `example.com:8443`.
pub(super) fn hosts(names: &[String]) -> Result<Vec<String>, Fault> {
    let name = |text: &str| {
        let (host, port) = text.rsplit_once(':').unwrap_or((text, "1"));
        let host = host.strip_prefix("*.").unwrap_or(host);
        let letters = |part: &str| part.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        port.parse::<u16>().is_ok() && host.split('.').all(|part| !part.is_empty() && letters(part))
    };
    match names.iter().find(|text| !name(text)) {
        None => Ok(names.to_vec()),
        Some(text) => Err((
            format!("`{text}` is no host"),
            "name hosts only, such as `docs.rs`, `*.example.com` or `example.com:8443`".to_owned(),
        )),
    }
}

/// Servers: `host:port`.
pub(super) fn servers(names: &[String]) -> Result<Vec<String>, Fault> {
    let name = |text: &str| {
        let parts = text.rsplit_once(':').map(|(host, port)| (host.to_owned(), port.parse::<u16>().is_ok()));
        parts.is_some_and(|(host, port)| port && !host.is_empty() && !host.contains(['*', '/', ' ']))
    };
    match names.iter().find(|text| !name(text)) {
        None => Ok(names.to_vec()),
        Some(text) => Err((
            format!("`{text}` is no server"),
            "name host and port, such as `localhost:3000` or `10.0.0.5:80`".to_owned(),
        )),
    }
}

pub(super) fn init(words: &[String]) -> Result<Vec<String>, Fault> {
    if words.first().is_some_and(|program| program.trim().is_empty()) {
        return Err((
            "names no program".to_owned(),
            "write it like `[\"cargo\", \"fetch\"]`, or leave it out".to_owned(),
        ));
    }
    Ok(words.to_vec())
}

pub(super) fn one_of(what: &str, text: &str, words: &[&str]) -> Fault {
    let hint = match nearest(text, words.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of {}", words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")),
    };
    (format!("there is no {what} `{text}`"), hint)
}
