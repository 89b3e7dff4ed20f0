//! Hosts that a command names, with or without a scheme before them.

use super::shell::{Known, Simple, Word};

/// Programs that take a host as a plain word.
const PROGRAMS: &[&str] = &[
    "aria2c",
    "axel",
    "curl",
    "dig",
    "drill",
    "ftp",
    "ftps",
    "host",
    "http",
    "https",
    "httpie",
    "lftp",
    "links",
    "lynx",
    "mosh",
    "mtr",
    "nc",
    "ncat",
    "netcat",
    "nmap",
    "nslookup",
    "openssl",
    "ping",
    "ping6",
    "rlogin",
    "rsh",
    "rsync",
    "scp",
    "sftp",
    "slogin",
    "socat",
    "ssh",
    "ssh-copy-id",
    "ssh-keyscan",
    "telnet",
    "tftp",
    "traceroute",
    "tracepath",
    "w3m",
    "wget",
    "wget2",
    "whois",
    "wscat",
    "websocat",
    "xh",
    "xhs",
    "yt-dlp",
];

/// Commands of git that reach other places.
const GIT: &[&str] = &["archive", "clone", "fetch", "ls-remote", "pull", "push", "remote", "submodule"];

/// A host that a word may name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Named<'a> {
    /// Its name, without a dot at its end.
    pub host: &'a str,
    /// Its port, if one stands there.
    pub port: Option<u16>,
    /// Whether the word names it for certain, and does not only hold it.
    pub sure: bool,
}

/// Whether a command reaches hosts that stand as plain words in it.
pub(super) fn reaches(simple: &Simple) -> bool {
    let Some(name) = simple.words.first().and_then(Word::exact) else { return false };
    let base = name.rsplit('/').next().unwrap_or(name);
    let git = || {
        let words = simple.plain.as_ref().unwrap_or(&simple.words);
        words.get(1).is_none_or(|word| word.exact().is_none_or(|sub| GIT.contains(&sub)))
    };
    PROGRAMS.contains(&base) || (base == "git" && git())
}

/// Whether a word could name any host, since it is only known when it runs.
pub(super) fn may_be_any(word: &Word) -> bool {
    word.known != Known::All && !word.text.starts_with(['-', '/', '.']) && !word.text.contains("://")
}

/// The hosts that a word names or holds.
pub(super) fn hosts(word: &str) -> Vec<Named<'_>> {
    let mut found = Vec::new();
    let (scheme, rest) = word.split_once("://").unwrap_or(("", word));
    let usual = match scheme.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default() {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ssh" => Some(22),
        "ftp" => Some(21),
        _ => None,
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let whole = authority.rsplit('@').next().unwrap_or(authority);
    let (host, port) = whole.split_once(':').map_or((whole, None), |(host, port)| (host, port.parse().ok()));
    let port = port.or(usual);
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    if !word.starts_with('-') && !host.is_empty() && plain(host) {
        found.push(Named { host: host.trim_end_matches('.'), port, sure: true });
    }
    // Values of options, proxies, jumps: whatever looks like a name.
    for token in word.split(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))) {
        let token = token.trim_matches(['.', '-']);
        if !token.is_empty() && !found.iter().any(|named| named.host == token) && found.len() < 64 {
            found.push(Named { host: token, port: None, sure: false });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_found_however_they_are_written() {
        let sure = |word: &str| hosts(word).into_iter().filter(|named| named.sure).map(|n| n.host.to_owned()).next();
        for word in [
            "evil.example",
            "evil.example.",
            "evil.example/x",
            "evil.example:80/x",
            "u:p@evil.example/x",
            "git@evil.example:x",
            "https://evil.example/x",
            "evil.example::module",
            "ssh://git@evil.example:22/x",
            "https://ok.example@evil.example",
        ] {
            assert_eq!(sure(word).as_deref(), Some("evil.example"), "{word}");
        }
        for word in ["--proxy=evil.example:3128", "-xevil.example", "TCP:evil.example:80", "a=b,evil.example"] {
            assert!(hosts(word).iter().any(|named| named.host.ends_with("evil.example")), "{word}");
        }
    }
}
