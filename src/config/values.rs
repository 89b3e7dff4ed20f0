//! What single values must be. Each check answers with what is wrong and what to do.

use super::model::{Dialect, Notify, Price};
use crate::base::nearest;
use crate::domain::Mode;

/// What is wrong, and what to do.
pub(super) type Fault = (String, String);

/// More than this at once is a slip of the hand, not a wish.
const MOST_RUNNING: i64 = 1_000;

pub(super) fn dialect(text: &str) -> Result<Dialect, Fault> {
    match text {
        "openai-chat" => Ok(Dialect::OpenaiChat),
        "openai-responses" | "anthropic" | "gemini" => {
            Err((format!("the dialect `{text}` is not available yet"), "use `openai-chat`".to_owned()))
        }
        _ => Err((format!("there is no dialect `{text}`"), "use `openai-chat`".to_owned())),
    }
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
            "leave out `?` and `#` and what follows",
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

pub(super) fn price(price: Price) -> Result<Price, Fault> {
    let right = |n: f64| n.is_finite() && n >= 0.0;
    if right(price.input) && right(price.output) && price.cached.is_none_or(right) {
        return Ok(price);
    }
    Err(("must hold numbers of 0 or more".to_owned(), "give money per million tokens".to_owned()))
}

pub(super) fn max_running(number: i64) -> Result<usize, Fault> {
    if (1..=MOST_RUNNING).contains(&number) {
        return Ok(number as usize);
    }
    Err((format!("must be 1 to {MOST_RUNNING}"), "pause lanes if nothing shall run".to_owned()))
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

pub(super) fn init(words: &[String]) -> Result<Vec<String>, Fault> {
    if words.first().is_some_and(|program| program.trim().is_empty()) {
        return Err((
            "names no program".to_owned(),
            "write it like `[\"cargo\", \"fetch\"]`, or leave it out".to_owned(),
        ));
    }
    Ok(words.to_vec())
}

fn one_of(what: &str, text: &str, words: &[&str]) -> Fault {
    let hint = match nearest(text, words.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of {}", words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")),
    };
    (format!("there is no {what} `{text}`"), hint)
}
