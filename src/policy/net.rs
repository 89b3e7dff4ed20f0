//! Hosts that a command names, however they are written, and the rules on hosts.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};

use super::shell::{Known, Simple, Word};

/// What a rule on hosts wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HostRule {
    /// The hosts.
    pub host: Wanted,
    /// Only this port, if it says so.
    pub port: Option<u16>,
}

/// Which hosts a rule wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All.
    Any,
    /// All below this one.
    Below(String),
    /// This one.
    One(String),
}

impl HostRule {
    /// Reads a rule's host; none if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "*" {
            return Some(Self { host: Wanted::Any, port: None });
        }
        if let Ok(address) = text.trim_start_matches('[').trim_end_matches(']').parse::<Ipv6Addr>() {
            return Some(Self { host: Wanted::One(plain_address(address.into())), port: None });
        }
        let (name, port) = match text.rsplit_once(':') {
            Some((name, port)) => (name, Some(port.parse().ok()?)),
            None => (text, None),
        };
        let (below, name) = name.strip_prefix("*.").map_or((false, name), |name| (true, name));
        let letters = |c: char| c.is_alphanumeric() || "-_.:[]".contains(c);
        if name.is_empty() || !name.chars().all(letters) || name.split('.').any(str::is_empty) {
            return None;
        }
        let name = canonical(name)?;
        Some(Self { host: if below { Wanted::Below(name) } else { Wanted::One(name) }, port })
    }

    /// Whether it fits a host as [`canonical`] writes it. A rule that is `strict`, and names no port, means all of them;
    /// another only the usual ones.
    pub fn fits(&self, name: &str, port: Option<u16>, strict: bool) -> bool {
        let host = match &self.host {
            Wanted::Any => return true,
            Wanted::Below(parent) => {
                name.strip_suffix(parent.as_str()).is_some_and(|label| label.len() > 1 && label.ends_with('.'))
            }
            Wanted::One(wanted) => wanted == name || (strict && is_this_machine(wanted) && is_this_machine(name)),
        };
        host && match self.port {
            Some(_) => self.port == port,
            None => strict || matches!(port, Some(80 | 443)),
        }
    }
}

/// Rules on hosts that deny or ask, by what they want, so that a thousand cost no more than ten.
#[derive(Debug, Clone, Default)]
pub(super) struct Hosts {
    one: HashMap<String, Vec<usize>>,
    below: HashMap<String, Vec<usize>>,
    any: Vec<usize>,
    local: Vec<usize>,
    all: Vec<(usize, Option<u16>)>,
}

impl Hosts {
    /// Adds the rule at a place of the policy's list.
    pub fn add(&mut self, rule: &HostRule, at: usize) {
        self.all.push((at, rule.port));
        match &rule.host {
            Wanted::Any => self.any.push(at),
            Wanted::Below(parent) => self.below.entry(parent.clone()).or_default().push(at),
            Wanted::One(host) => {
                if is_this_machine(host) {
                    self.local.push(at);
                }
                self.one.entry(host.clone()).or_default().push(at);
            }
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The places of all.
    pub fn all(&self) -> Vec<usize> {
        self.all.iter().map(|(at, _)| *at).collect()
    }

    /// The places of those that fit a host; without a port, that of the rule may be meant.
    pub fn find(&self, host: &str, port: Option<u16>) -> Vec<usize> {
        if host.is_empty() {
            // Nobody knows which.
            return self.all();
        }
        let mut found = self.any.clone();
        found.extend(self.one.get(host).into_iter().flatten());
        if is_this_machine(host) {
            found.extend(&self.local);
        }
        let mut rest = host;
        while let Some((_, parent)) = rest.split_once('.') {
            found.extend(self.below.get(parent).into_iter().flatten());
            rest = parent;
        }
        let port_of = |at: usize| self.all.iter().find(|(known, _)| *known == at).and_then(|(_, port)| *port);
        found.retain(|at| port.is_none_or(|port| port_of(*at).is_none_or(|wanted| wanted == port)));
        found
    }
}

/// A host as all its ways of writing come to: decoded, in small letters, numbers of any base as an address, an IPv4
/// address within an IPv6 one as itself. None for what is no host.
pub(super) fn canonical(host: &str) -> Option<String> {
    let host = host.trim_end_matches('.');
    if is_plain_name(host) {
        return Some(host.to_ascii_lowercase());
    }
    match url::Host::parse(host).ok()? {
        url::Host::Domain(name) => Some(name.trim_end_matches('.').to_owned()).filter(|name| !name.is_empty()),
        url::Host::Ipv4(address) => Some(address.to_string()),
        url::Host::Ipv6(address) => Some(plain_address(address.into())),
    }
}

/// Whether a name is its own canonical form but for its case: labels of plain letters and digits, of which the last is no
/// number.
fn is_plain_name(host: &str) -> bool {
    let plain = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let last = host.rsplit('.').next().unwrap_or_default();
    last.starts_with(|c: char| c.is_ascii_alphabetic())
        && host
            .split('.')
            .all(|label| plain(label) && !label.get(..4).is_some_and(|four| four.eq_ignore_ascii_case("xn--")))
}

fn plain_address(address: IpAddr) -> String {
    address.to_canonical().to_string()
}

/// Whether a host, as [`canonical`] writes it, is the machine itself.
fn is_this_machine(host: &str) -> bool {
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback() || address.is_unspecified())
}

/// How a program takes hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// A plain word may be one.
    Words,
    /// Nobody knows: what looks like one may be one.
    Perhaps,
    /// Only addresses with a scheme: its other words are text or files.
    Addresses,
}

/// Programs that take a host as a plain word.
const PROGRAMS: &[&str] = &[
    "aria2c",
    "arping",
    "autossh",
    "axel",
    "buildah",
    "crane",
    "curl",
    "curlie",
    "delv",
    "dig",
    "dog",
    "docker",
    "drill",
    "fetch",
    "finger",
    "fping",
    "ftp",
    "ftps",
    "getent",
    "helm",
    "host",
    "hping3",
    "http",
    "https",
    "httpie",
    "iperf",
    "iperf3",
    "kdig",
    "ldapsearch",
    "lftp",
    "links",
    "lynx",
    "mongosh",
    "mosh",
    "mosquitto_pub",
    "mosquitto_sub",
    "mtr",
    "mysql",
    "nc",
    "ncat",
    "nerdctl",
    "netcat",
    "nmap",
    "nping",
    "nslookup",
    "openssl",
    "oras",
    "ping",
    "ping6",
    "podman",
    "psql",
    "rclone",
    "redis-cli",
    "resolvectl",
    "rlogin",
    "rpm",
    "rsh",
    "rsync",
    "scp",
    "sftp",
    "skopeo",
    "slogin",
    "smbclient",
    "snmpget",
    "snmpwalk",
    "socat",
    "ssh",
    "ssh-copy-id",
    "ssh-keyscan",
    "sshfs",
    "sshpass",
    "swaks",
    "telnet",
    "tftp",
    "tracepath",
    "traceroute",
    "w3m",
    "websocat",
    "wget",
    "wget2",
    "whois",
    "wscat",
    "xh",
    "xhs",
    "yt-dlp",
];

/// Programs whose words are text, names or files of this machine.
const LOCAL: &[&str] = &[
    "[",
    "[[",
    "awk",
    "base64",
    "basename",
    "bat",
    "cat",
    "cd",
    "chmod",
    "cmp",
    "column",
    "comm",
    "cp",
    "cut",
    "date",
    "df",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "env",
    "export",
    "false",
    "fd",
    "fgrep",
    "file",
    "find",
    "grep",
    "head",
    "jq",
    "less",
    "ln",
    "ls",
    "mkdir",
    "more",
    "mv",
    "nl",
    "od",
    "paste",
    "printf",
    "pwd",
    "read",
    "rg",
    "rm",
    "sed",
    "set",
    "sha256sum",
    "sort",
    "stat",
    "tail",
    "tee",
    "test",
    "touch",
    "tr",
    "true",
    "uniq",
    "unset",
    "wc",
    "which",
    "xxd",
    "yq",
];

/// Commands of git that reach other places.
const GIT: &[&str] = &["archive", "clone", "fetch", "ls-remote", "pull", "push", "remote", "send-email", "submodule"];

impl Reach {
    /// How the program of a command takes them.
    pub fn of(simple: &Simple) -> Self {
        let Some(name) = simple.words.first().and_then(Word::exact) else { return Self::Perhaps };
        let base = name.rsplit('/').next().unwrap_or(name);
        if base == "git" {
            let words = simple.plain.as_ref().unwrap_or(&simple.words);
            return match words.get(1).and_then(Word::exact) {
                Some(sub) if GIT.contains(&sub) => Self::Words,
                Some("config" | "svn" | "p4" | "lfs" | "imap-send" | "credential") | None => Self::Perhaps,
                Some(_) => Self::Addresses,
            };
        }
        if PROGRAMS.contains(&base) {
            Self::Words
        } else if LOCAL.contains(&base) {
            Self::Addresses
        } else {
            Self::Perhaps
        }
    }
}

/// A host that a word may name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// The host as [`canonical`] writes it; empty for any.
    pub host: String,
    /// Its port, if one stands there.
    pub port: Option<u16>,
    /// Whether the word names it for certain.
    pub sure: bool,
    /// Whether it is only something within the word that looks like one.
    pub only_holds: bool,
}

/// Hosts looked at in a word: whoever names more names anything.
const MOST: usize = 64;

/// The hosts that a word of a program names or may name.
pub(super) fn named(word: &Word, reach: Reach) -> Vec<Named> {
    let mut found = Vec::new();
    let text = word.text.as_str();
    let address = text.contains("://");
    if !address && reach == Reach::Addresses {
        return found;
    }
    let known = word.known == Known::All;
    let any = || Named { host: String::new(), port: None, sure: false, only_holds: false };
    if !known {
        // Only its beginning may be known: what would be its host may go on.
        let open =
            text.split_once("://").map_or(reach == Reach::Words && !text.starts_with(['-', '/', '.']), |(_, rest)| {
                !rest.contains(['/', '?', '#']) || authority(text).is_none_or(|named| named.port.is_none())
            });
        if open {
            found.push(any());
        }
    }
    if address || reach == Reach::Words {
        // `-xHOST` as well as `HOST`.
        let joined = text.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| rest.get(1..));
        let value = text.strip_prefix("--").and_then(|long| long.split_once('=')).map(|(_, value)| value);
        let option = text.starts_with('-');
        for whole in [Some(text).filter(|_| !option), joined, value].into_iter().flatten() {
            // `--retry 0` is no host, and `ping 0` is one.
            let number = whole.len() < 5 && whole.bytes().all(|b| b.is_ascii_digit());
            match authority(whole) {
                Some(named) => {
                    // Of an option's value only an address tells that it is one.
                    let sure = known && named.sure && !number && (!option || whole.contains("://"));
                    found.push(Named { sure, only_holds: option && !sure, ..named });
                }
                // `http://{a,b}.example`, which curl takes for several.
                None if whole.contains("://") => found.push(any()),
                None => {}
            }
        }
    }
    // Proxies, jumps, what stands in text: whatever looks like a name.
    let part = |c: char| c.is_alphanumeric() || "-_.%\u{3002}\u{ff0e}\u{ff61}".contains(c);
    for token in text.split(|c: char| !part(c)) {
        let token = token.trim_matches(['.', '-']);
        if found.len() >= MOST {
            found.push(any());
            break;
        }
        // Short numbers are ports and counts.
        if token.is_empty() || (token.len() < 5 && token.bytes().all(|b| b.is_ascii_digit())) {
            continue;
        }
        if let Some(host) = canonical(token).filter(|host| found.iter().all(|named| named.host != *host)) {
            found.push(Named { host, port: None, sure: false, only_holds: true });
        }
    }
    for address in text.split(['[', ']']).filter(|part| part.contains("::") || part.matches(':').count() > 2) {
        if let Ok(address) = address.parse::<Ipv6Addr>() {
            found.push(Named { host: plain_address(address.into()), port: None, sure: false, only_holds: true });
        }
    }
    found
}

/// The host in `SCHEME://USER@HOST:PORT/…`, `USER@HOST:PATH`, `HOST:PORT` or `HOST/…`; none if none can be read.
fn authority(text: &str) -> Option<Named> {
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let usual = match scheme.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default() {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ssh" => Some(22),
        "ftp" => Some(21),
        _ => None,
    };
    let whole = rest.split(['/', '\\', '?', '#']).next().unwrap_or(rest);
    let whole = whole.rsplit('@').next().unwrap_or(whole);
    let (host, port) = if let Ok(address) = whole.parse::<Ipv6Addr>() {
        return Some(Named { host: plain_address(address.into()), port: usual, sure: true, only_holds: false });
    } else if let Some((host, after)) = whole.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        (format!("[{host}]"), after.strip_prefix(':'))
    } else {
        let (host, port) = whole.split_once(':').map_or((whole, None), |(host, port)| (host, Some(port)));
        (host.to_owned(), port)
    };
    if host.contains(['{', '}']) || (!host.starts_with('[') && host.contains('[')) {
        return None;
    }
    let host = canonical(&host)?;
    let port = port.and_then(|port| port.parse().ok()).or(usual);
    Some(Named { host, port, sure: true, only_holds: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_found_however_they_are_written() {
        let all = |word: &str| named(&Word::literal(word), Reach::Words);
        let sure = |word: &str| all(word).into_iter().filter(|named| named.sure).map(|n| n.host).next();
        for word in [
            "evil.example",
            "evil.example.",
            "EVIL.example/x",
            "evil.example:80/x",
            "u:p@evil.example/x",
            "git@evil.example:x",
            "https://evil.example/x",
            "https://ev%69l.example/x",
            "https://ｅvil。example/x",
            "--proxy=http://evil.example:3128",
            "-xhttp://evil.example",
            "evil.example::module",
            "ssh://git@evil.example:22/x",
            "https://ok.example@evil.example",
            "git+ssh://git@evil.example/x.git",
        ] {
            assert_eq!(sure(word).as_deref(), Some("evil.example"), "{word}");
        }
        for word in ["--proxy=evil.example:3128", "-xevil.example", "TCP:evil.example:80", "a=b,evil.example"] {
            assert!(all(word).iter().any(|named| named.host == "evil.example"), "{word}");
        }
        for word in
            ["http://10.0.0.1", "http://167772161", "http://0xA000001", "http://012.0.0.1", "[::ffff:10.0.0.1]:80"]
        {
            assert_eq!(sure(word).as_deref(), Some("10.0.0.1"), "{word}");
        }
        assert!(all("http://ev{i,o}l.example/").iter().any(|named| named.host.is_empty()), "curl makes several of it");
    }

    #[test]
    fn rules_want_whole_parts() {
        let fits = |rule: &str, address: &str, strict| {
            let named = authority(address).unwrap();
            HostRule::parse(rule).unwrap().fits(&named.host, named.port, strict)
        };
        assert!(fits("docs.rs", "https://docs.rs/x", false));
        assert!(!fits("docs.rs", "https://docs.rs:8443/x", false));
        assert!(fits("docs.rs", "https://docs.rs:8443/x", true));
        assert!(fits("docs.rs", "https://DOCS.rs./x", true));
        assert!(!fits("*.example.com", "https://evilexample.com", true));
        assert!(fits("*.example.com", "https://a.example.com", true));
        assert!(fits("*", "https://a.example.com:9", false));
        assert!(fits("localhost", "http://127.0.0.1:9", true) && fits("127.0.0.1", "http://[::1]", true));
        assert!(!fits("localhost", "http://127.0.0.1", false));
        assert!(fits("::1", "http://[::1]:8080", true) && fits("[::1]", "http://[0:0::1]", true));
        for wrong in ["", "a..b", "http://a", "a/b", "a b", "*.", "a:b", "*x"] {
            assert_eq!(HostRule::parse(wrong), None, "{wrong}");
        }
    }
}
