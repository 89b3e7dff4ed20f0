//! The few variables that travel with a hello and count for sessions started from then on.

use std::collections::BTreeSet;

use super::site::Site;
use crate::workstation::configuration;

/// What sessions need of the terminal they were started from: keys, screens, programs. And whether it stands on
/// another machine, for the window itself.
const ALWAYS: [&str; 7] =
    ["SSH_AUTH_SOCK", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "PATH", "SSH_CONNECTION"];

/// Those variables and the keys that the configuration names, as far as they are set.
///
/// A broken configuration is not told here: the workstation reads it too and says what is wrong with it.
pub(super) fn of(site: &Site) -> Vec<(String, String)> {
    collect(configuration::key_variables(&site.home, site.project.root()), |name| std::env::var(name).ok())
}

fn collect(keys: Vec<String>, value: impl Fn(&str) -> Option<String>) -> Vec<(String, String)> {
    let names: BTreeSet<String> = ALWAYS.iter().map(|name| (*name).to_owned()).chain(keys).collect();
    names.into_iter().filter_map(|name| value(&name).map(|value| (name, value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_short_list_and_named_keys_travel_once_each() {
        let set = [("PATH", "/bin"), ("LOCAL_KEY", "k"), ("SECRET", "s")];
        let value = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
        let sent = collect(vec!["LOCAL_KEY".into(), "PATH".into(), "ABSENT".into()], value);
        assert_eq!(sent, [("LOCAL_KEY".into(), "k".into()), ("PATH".into(), "/bin".into())]);
    }
}
