//! What looks like a key, a token or a password. Better one text too many refused than a key kept.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Forms that keys of well-known services have, and what each is called.
const FORMS: &[(&str, &str)] = &[
    (r"-----BEGIN [A-Z ]*PRIVATE KEY", "a private key"),
    (r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}", "an API key"),
    (r"\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}", "an API key"),
    (r"\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}", "a GitHub token"),
    (r"\bglpat-[A-Za-z0-9_-]{16,}", "a GitLab token"),
    (r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}", "a Slack token"),
    (r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b", "an AWS key"),
    (r"\bAIza[A-Za-z0-9_-]{30,}", "a Google key"),
    (r"\bya29\.[A-Za-z0-9_-]{20,}", "a Google token"),
    (r"\b(?:hf|npm)_[A-Za-z0-9]{20,}", "an access token"),
    (r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.", "a signed token"),
    (r"(?i)\bbearer\s+[A-Za-z0-9._~+/-]{20,}", "a bearer token"),
];

/// A word for a secret, and the value it is given.
const NAMED: &str = r#"(?i)(?:passwor[dt]|passwd|passphrase|secret|token|api[_ -]?key|access[_ -]?key|private[_ -]?key)s?["'`]?\s*(?:=|:|\bis\b)\s*["'`]?([^\s"'`]{8,})"#;
/// A word for a password, for what or for whom, and the value it is given: these are short, and people say them.
const SPOKEN: &str = r#"(?i)\b(?:passwor[dt]|passwd|passphrase|passcode|pwd)(?:\s+(?:for|of|to|on|at)(?:\s+[\w.@/-]+){1,4}?)?(?:\s*[=:]|\s+(?:is|was|equals)\b|'s\b)(?:\s+(?:now|just|simply|currently|still))?\s*["'`]?([^\s"'`]{5,})"#;
/// A password in an address.
const ADDRESS: &str = r"[a-z][a-z0-9+.-]*://[^/\s:@]+:([^/\s@]{3,})@";
/// A long run without blanks, as keys without a known form are.
const RUN: &str = r"[A-Za-z0-9+_=-]{28,}";

static FORM: LazyLock<Vec<(Regex, &'static str)>> =
    LazyLock::new(|| FORMS.iter().filter_map(|(form, what)| Some((Regex::new(form).ok()?, *what))).collect());
static REST: LazyLock<Option<[Regex; 4]>> = LazyLock::new(|| {
    Some([Regex::new(NAMED).ok()?, Regex::new(SPOKEN).ok()?, Regex::new(ADDRESS).ok()?, Regex::new(RUN).ok()?])
});

/// What in the text looks like a secret, if anything does.
pub(super) fn find(text: &str) -> Option<&'static str> {
    if let Some((_, what)) = FORM.iter().find(|(form, _)| form.is_match(text)) {
        return Some(what);
    }
    let [named, spoken, address, run] = REST.as_ref()?;
    let value = |found: regex::Captures<'_>| found.get(1).map(|value| value.as_str().to_owned()).unwrap_or_default();
    let mut said = named.captures_iter(text).chain(spoken.captures_iter(text)).map(value);
    if said.any(|value| !is_name(&value) && !is_method(&value) && looks_made(&value)) {
        return Some("a password or key");
    }
    if address.captures_iter(text).map(value).any(|value| !is_name(&value)) {
        return Some("an address with a password");
    }
    run.find_iter(text).any(|run| is_random(run.as_str())).then_some("a key")
}

/// The text with `[secret]` in the place of everything that looks like one.
#[must_use]
pub fn redacted(text: &str) -> Cow<'_, str> {
    if find(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut spans: Vec<Range<usize>> = Vec::new();
    for (form, _) in FORM.iter() {
        spans.extend(form.find_iter(text).map(|found| found.range()));
    }
    if let Some([named, spoken, address, run]) = REST.as_ref() {
        let value = |found: regex::Captures<'_>| found.get(1).map(|value| value.range());
        let said = named.captures_iter(text).chain(spoken.captures_iter(text)).filter_map(value);
        spans.extend(said.filter(|at| {
            let value = &text[at.clone()];
            !is_name(value) && !is_method(value) && looks_made(value)
        }));
        spans.extend(address.captures_iter(text).filter_map(value).filter(|at| !is_name(&text[at.clone()])));
        spans.extend(run.find_iter(text).filter(|run| is_random(run.as_str())).map(|run| run.range()));
    }
    spans.sort_by_key(|span| span.start);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for span in spans {
        if span.start >= at {
            out.push_str(&text[at..span.start]);
            out.push_str("[secret]");
        }
        at = at.max(span.end);
    }
    out.push_str(&text[at..]);
    Cow::Owned(out)
}

/// Whether it stands for a value: `$KEY`, `${KEY}`, `<key>`, `{key}`, `***`.
fn is_name(value: &str) -> bool {
    value.starts_with(['$', '<', '{', '[', '(', '*', '%']) || value.bytes().all(|byte| byte == b'x' || byte == b'.')
}

/// Ways in which passwords are kept and named: what begins so is none.
const METHODS: &[&str] = &[
    "sha", "md5", "base64", "base32", "argon2", "bcrypt", "scrypt", "pbkdf2", "utf", "oauth", "aes", "rsa", "hmac",
    "x509", "http", "ascii", "kerberos", "ldap", "rfc", "totp",
];

fn is_method(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    METHODS.iter().any(|method| value.starts_with(method))
}

/// Whether no plain word or path has this form: letters and digits, or a sign in the middle.
fn looks_made(value: &str) -> bool {
    let value = value.trim_end_matches(['.', ',', ';', ')']);
    let letters = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let digits = value.bytes().any(|byte| byte.is_ascii_digit());
    let signs = value.bytes().any(|byte| b"!#$%^&*+=~?".contains(&byte));
    !value.contains('/') && ((letters && digits) || (signs && (letters || digits)))
}

/// Whether capitals, small letters and digits are mixed as in no name. A digest in hexadecimal is none of these.
fn is_random(run: &str) -> bool {
    let count = |of: fn(&u8) -> bool| run.as_bytes().iter().filter(|byte| of(byte)).count();
    count(u8::is_ascii_digit) >= 3 && count(u8::is_ascii_uppercase) >= 3 && count(u8::is_ascii_lowercase) >= 3
}
