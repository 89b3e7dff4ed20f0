//! Hosts against the web's allow list.

use url::Url;

/// Whether the address's host stands on the list: `docs.rs` is that host alone, `*.example.com` every host below
/// `example.com`, and `host:port` counts for that port only; without one the scheme's own port counts.
#[must_use]
pub fn host_listed(list: &[String], address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    let Some(host) = url.host_str() else { return false };
    list.iter().any(|entry| {
        let entry = entry.trim().to_ascii_lowercase();
        let (name, port) = match entry.rsplit_once(':') {
            Some((name, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => {
                (name.to_owned(), port.parse::<u16>().ok())
            }
            _ => (entry.clone(), None),
        };
        let host_fits = match name.strip_prefix("*.") {
            Some(parent) => host.strip_suffix(parent).is_some_and(|label| label.len() > 1 && label.ends_with('.')),
            None => host == name,
        };
        // `Url` leaves out the scheme's own port.
        host_fits && if port.is_some() { url.port_or_known_default() == port } else { url.port().is_none() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_listed_by_whole_labels() {
        let list = ["docs.rs", "*.example.com", "local:8080"].map(str::to_owned);
        for (address, listed) in [
            ("https://docs.rs/x", true),
            ("http://DOCS.rs/x", true),
            ("https://docs.rs:8443/", false),
            ("https://evildocs.rs/", false),
            ("https://docs.rs.evil.com/", false),
            ("https://a.example.com/", true),
            ("https://a.b.example.com/", true),
            ("https://example.com/", false),
            ("https://evilexample.com/", false),
            ("http://local:8080/x", true),
            ("http://local/x", false),
            ("https://docs.rs@evil.com/", false),
            ("nonsense", false),
        ] {
            assert_eq!(host_listed(&list, address), listed, "{address}");
        }
        assert!(!host_listed(&[], "https://docs.rs"));
    }
}
