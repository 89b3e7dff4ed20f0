//! Which proxy stands between us and a server: the usual variables, obeyed as `curl` does.

use std::net::IpAddr;

use reqwest::Url;

/// What the environment says about proxies.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ProxySettings {
    http: Option<String>,
    https: Option<String>,
    all: Option<String>,
    excluded: Vec<String>,
}

impl std::fmt::Debug for ProxySettings {
    /// Without the addresses: they may carry a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProxySettings").field("excluded", &self.excluded).finish_non_exhaustive()
    }
}

impl ProxySettings {
    /// Reads the variables through `lookup`, lower case first.
    pub fn from_variables(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let get = |name: &str| {
            [name.to_owned(), name.to_uppercase()]
                .iter()
                .find_map(|name| lookup(name))
                .filter(|value| !value.is_empty())
        };
        let excluded = get("no_proxy").unwrap_or_default();
        Self {
            http: get("http_proxy"),
            https: get("https_proxy"),
            all: get("all_proxy"),
            excluded: excluded
                .split([',', ' '])
                .map(|part| part.trim().to_lowercase())
                .filter(|part| !part.is_empty())
                .collect(),
        }
    }

    /// The proxy for a URL; none for this machine itself and for what `NO_PROXY` names.
    pub(super) fn proxy_for(&self, url: &Url) -> Option<String> {
        let host = url.host_str()?.trim_matches(['[', ']']).trim_end_matches('.').to_lowercase();
        let proxy = if url.scheme() == "https" { &self.https } else { &self.http };
        let proxy = proxy.as_ref().or(self.all.as_ref())?;
        (!is_loopback(&host) && !self.excluded.iter().any(|rule| excludes(rule, &host))).then(|| proxy.clone())
    }
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// `*`, an address, a range of addresses, or a name with everything below it. A port is passed over.
fn excludes(rule: &str, host: &str) -> bool {
    if rule == "*" {
        return true;
    }
    if let Ok(ip) = host.parse::<IpAddr>() {
        if let Some((net, bits)) = rule.split_once('/') {
            return in_range(ip, net, bits).unwrap_or(false);
        }
        let bare = rule.trim_matches(['[', ']']);
        let without_port = rule.rsplit_once(':').map_or(rule, |(host, _)| host).trim_matches(['[', ']']);
        return [bare, without_port].iter().any(|rule| rule.parse() == Ok(ip));
    }
    let name = rule.split(':').next().unwrap_or(rule).trim_start_matches('*').trim_start_matches('.');
    !name.is_empty() && (host == name || host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.')))
}

fn in_range(ip: IpAddr, net: &str, bits: &str) -> Option<bool> {
    let bits: u32 = bits.parse().ok()?;
    match (ip, net.parse().ok()?) {
        (IpAddr::V4(ip), IpAddr::V4(net)) => {
            let shift = 32_u32.checked_sub(bits)?;
            let cut = |ip: std::net::Ipv4Addr| u32::from(ip).checked_shr(shift).unwrap_or(0);
            Some(cut(ip) == cut(net))
        }
        (IpAddr::V6(ip), IpAddr::V6(net)) => {
            let shift = 128_u32.checked_sub(bits)?;
            let cut = |ip: std::net::Ipv6Addr| u128::from(ip).checked_shr(shift).unwrap_or(0);
            Some(cut(ip) == cut(net))
        }
        _ => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxied(no_proxy: &str, url: &str) -> bool {
        let settings = ProxySettings::from_variables(|name| match name {
            "HTTP_PROXY" => Some("http://user:pass@127.0.0.1:9".into()),
            "no_proxy" => Some(no_proxy.into()),
            _ => None,
        });
        assert!(!format!("{settings:?}").contains("pass"));
        settings.proxy_for(&Url::parse(url).unwrap()).is_some()
    }

    #[test]
    fn this_machine_is_never_behind_a_proxy() {
        for url in ["http://localhost:1/v1", "http://127.8.0.1/", "http://[::1]:80/", "http://a.localhost/"] {
            assert!(!proxied("", url), "{url}");
        }
        assert!(proxied("", "http://models.corp/v1"));
        assert!(!proxied("", "https://models.corp/v1"), "only HTTP_PROXY is set");
    }

    #[test]
    fn no_proxy_names_hosts_domains_and_ranges() {
        let rules = "localhost,127.0.0.1, .corp,10.0.0.0/8,*.lab,2001:db8::/32,box:8080,192.168.1.7";
        for url in [
            "http://models.corp/",
            "http://corp/",
            "http://10.200.0.1:8080/",
            "http://x.lab/",
            "http://[2001:db8::7]/",
            "http://box:8080/",
            "http://192.168.1.7:1/",
        ] {
            assert!(!proxied(rules, url), "{url}");
        }
        for url in ["http://notcorp/", "http://11.0.0.1/", "http://corp.example/", "http://192.168.1.70/"] {
            assert!(proxied(rules, url), "{url}");
        }
        assert!(!proxied("*", "http://any.where/"));
    }
}
